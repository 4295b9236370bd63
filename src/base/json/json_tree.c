// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The tree that a text of JSON becomes: members by key, paths of values, errors that name them, and
// values set by a path.

#include "base/json/json.h"

#include <stdio.h>
#include <string.h>

// Members are found by their keys in a Patricia tree. To find or add a key takes time for its bits,
// whatever the other keys are, so that no text can make reading slow.

// Bit 0 is always 0: the tree's root branches by it, as a single key has nothing to differ in. Bits
// behind the end are 0 as well, like those of the terminating byte.
static size_t bitOf(const char* key, size_t size, size_t bit)
{
    const size_t byte = (bit - 1) / 8;
    return bit > 0 && byte < size ? (size_t)(unsigned char)key[byte] >> (7 - (bit - 1) % 8) & 1 : 0;
}

// The entry whose key has the same bits wherever the tree branches.
static const thJsonKey* findLikely(const thJsonKey* entry, const char* key, size_t size)
{
    size_t bit;
    do {
        bit = entry->bit;
        entry = entry->children[bitOf(key, size, bit)];
    } while (entry->bit > bit);
    return entry;
}

thJson* thiJsonMember(const thJson* object, const char* key)
{
    if (object->keys == NULL)
        return NULL;
    thJson* likely = findLikely(object->keys, key, strlen(key))->member;
    return strcmp(likely->key, key) == 0 ? likely : NULL;
}

static size_t firstDifference(const char* a, const char* b)
{
    size_t byte = 0;
    while (a[byte] == b[byte])
        ++byte;
    const unsigned difference = (unsigned char)(a[byte] ^ b[byte]);
    size_t bit = 8 * byte + 1;
    for (unsigned mask = 0x80; (difference & mask) == 0; mask >>= 1)
        ++bit;
    return bit;
}

static void append(thJson* container, thJson* value)
{
    value->parent = container;
    value->index = container->count;
    container->count += 1;
    if (container->last != NULL)
        container->last->next = value;
    else
        container->first = value;
    container->last = value;
}

void thiAppendItem(thJson* array, thJson* item)
{
    append(array, item);
}

static void addKey(thJson* object, thJson* member, thJsonKey* room)
{
    if (object->keys == NULL) {
        *room = (thJsonKey){member, 0, {room, room}};
        object->keys = room;
        return;
    }
    const char* key = member->key;
    const size_t size = strlen(key);
    const size_t bit = firstDifference(key, findLikely(object->keys, key, size)->member->key);
    // The new entry goes between the last that branches earlier and what follows there.
    thJsonKey* parent = object->keys;
    thJsonKey** link = &parent->children[0];
    while ((*link)->bit > parent->bit && (*link)->bit < bit) {
        parent = *link;
        link = &parent->children[bitOf(key, size, parent->bit)];
    }
    *room = (thJsonKey){member, bit, {*link, *link}};
    room->children[bitOf(key, size, bit)] = room;
    *link = room;
}

void thiAppendMember(thJson* object, thJson* member, thJsonKey* room)
{
    append(object, member);
    addKey(object, member, room);
}

// Where a value is, and errors that say so.

// Ends a text that was cut at a whole character of UTF-8.
static void endAtCharacter(char* text, size_t length)
{
    size_t begin = length;
    while (begin > 0 && ((unsigned char)text[begin - 1] & 0xc0) == 0x80)
        --begin;
    if (begin == 0)
        return;
    const unsigned char lead = (unsigned char)text[begin - 1];
    const size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    if (begin - 1 + size > length)
        text[begin - 1] = '\0';
}

// A text of limited size.
typedef struct Text {
    char* items;
    size_t length, capacity; // without the terminating zero
    bool isCut;
} Text;

static void addText(Text* text, const char* more, size_t size)
{
    const size_t taken = TH_MIN(size, text->capacity - text->length);
    memcpy(text->items + text->length, more, taken);
    text->length += taken;
    text->isCut = text->isCut || taken < size;
}

static bool isPlain(const char* key)
{
    const char* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    for (const char* at = key; *at != '\0'; ++at)
        if ((unsigned char)*at < 0x80 && strchr(letters, *at) == NULL)
            return false;
    return *key != '\0';
}

static void addStep(Text* text, const thJson* value)
{
    if (value->key == NULL) {
        char index[16];
        addText(text, index, (size_t)snprintf(index, sizeof index, "[%d]", (int)value->index));
    } else if (isPlain(value->key)) {
        addText(text, ".", text->length > 0);
        addText(text, value->key, strlen(value->key));
    } else {
        addText(text, "[", 1);
        thJsonWriter rest = {.buffer = text->items + text->length,
                             .capacity = text->capacity - text->length};
        thiWriteString(&rest, value->key);
        text->length += TH_MIN(rest.size, rest.capacity);
        text->isCut = text->isCut || rest.size > rest.capacity;
        addText(text, "]", 1);
    }
}

void thiJsonPath(const thJson* value, char* path, size_t size)
{
    if (size == 0)
        return;
    int32_t depth = 0;
    for (const thJson* at = value; at->parent != NULL; at = at->parent)
        ++depth;
    Text text = {.items = path, .capacity = size - 1};
    // From the root down. That walks up again for each step, but a full text ends it soon.
    for (; depth > 0 && !text.isCut; --depth) {
        const thJson* step = value;
        for (int32_t i = 1; i < depth; ++i)
            step = step->parent;
        addStep(&text, step);
    }
    path[text.length] = '\0';
    if (text.isCut)
        endAtCharacter(path, text.length);
}

// Words an error whose place is filled in, and tells it.
static void report(thErrorSink* sink, thError* error, const char* format, va_list arguments)
{
    if (sink->file != NULL)
        snprintf(error->file, sizeof error->file, "%s", sink->file);
    const int length = vsnprintf(error->text, sizeof error->text, format, arguments);
    if (length >= (int)sizeof error->text)
        endAtCharacter(error->text, sizeof error->text - 1);
    sink->report(sink->context, error);
}

void thiReportAtPlace(thErrorSink* sink, thResult code, int32_t line, int32_t column,
                      const thJson* value, const char* format, va_list arguments)
{
    sink->count += 1;
    if (sink->report == NULL)
        return;
    thError error = {.code = code, .line = line, .column = column};
    if (value != NULL)
        thiJsonPath(value, error.path, sizeof error.path);
    report(sink, &error, format, arguments);
}

// About a value that is in no file: where it is told by a text instead.
TH_PRINTF(4, 0)
static void reportAtText(thErrorSink* sink, thResult code, const char* place, const char* format,
                         va_list arguments)
{
    sink->count += 1;
    if (sink->report == NULL)
        return;
    thError error = {.code = code};
    if (snprintf(error.path, sizeof error.path, "%s", place) >= (int)sizeof error.path)
        endAtCharacter(error.path, sizeof error.path - 1);
    report(sink, &error, format, arguments);
}

void thiReportAt(thErrorSink* sink, thResult code, const thJson* value, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    thiReportAtPlace(sink, code, value != NULL ? value->line : 0, value != NULL ? value->column : 0,
                     value, format, arguments);
    va_end(arguments);
}

void thiReportAtKey(thErrorSink* sink, thResult code, const thJson* member, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    thiReportAtPlace(sink, code, member->keyLine, member->keyColumn, member, format, arguments);
    va_end(arguments);
}

// Values set by their path, as options on a command line do. Everything that can fail is done
// first, so that an assignment is made as a whole or not at all.

typedef struct Step {
    const char* key; // NULL: an index
    int32_t index;
} Step;

// As many as the default limits have levels.
#define MOST_STEPS 64

typedef struct Setter {
    thArena* arena;
    thErrorSink* sink;
    const thJsonNames* names; // [NULL: none]
    const char* assignment;
    const char* at;
    Step steps[MOST_STEPS];
    int32_t count;
} Setter;

TH_PRINTF(3, 4)
static bool fail(const Setter* setter, thResult code, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    reportAtText(setter->sink, code, setter->assignment, format, arguments);
    va_end(arguments);
    return false;
}

static bool failMemory(const Setter* setter)
{
    return fail(setter, th_resultNoMemory, "no memory");
}

static bool checkUtf8(const Setter* setter)
{
    const char* end = setter->assignment + strlen(setter->assignment);
    for (const char* at = setter->assignment; at < end;) {
        const size_t size = thiUtf8Size(at, end);
        if (size == 0)
            return fail(setter, th_resultSyntax, "it is not UTF-8");
        at += size;
    }
    return true;
}

static const char* copyText(Setter* setter, const char* text, size_t size)
{
    char* copy = thiArenaAllocate(setter->arena, size + 1);
    if (copy == NULL) {
        failMemory(setter);
        return NULL;
    }
    memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

static bool readPlainKey(Setter* setter, Step* step)
{
    const bool isFirst = setter->count == 0;
    const bool hasPoint = *setter->at == '.';
    const char* key = setter->at + (hasPoint && !isFirst);
    const size_t size = strcspn(key, ".[]=\"");
    if (size == 0 || hasPoint == isFirst)
        return fail(setter, th_resultSyntax, "expected a path, '=' and a value");
    step->key = copyText(setter, key, size);
    setter->at = key + size;
    return step->key != NULL;
}

static void keepFirstError(void* context, const thError* error)
{
    thError* first = context;
    if (first->code == th_resultOk)
        *first = *error;
}

static bool readQuotedKey(Setter* setter, Step* step)
{
    thError error = {0};
    thErrorSink quiet = {.report = keepFirstError, .context = &error};
    if (*setter->at == '"' && thiReadQuoted(setter->arena, &setter->at, &step->key, &quiet))
        return true;
    return error.code == th_resultNoMemory
               ? failMemory(setter)
               : fail(setter, th_resultSyntax, "expected a number or a string after '['");
}

static bool isDigit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static void readIndex(Setter* setter, Step* step)
{
    for (; isDigit(*setter->at); ++setter->at)
        if (step->index < INT32_MAX / 10 - 1)
            step->index = 10 * step->index + (*setter->at - '0');
}

static bool readBracket(Setter* setter, Step* step)
{
    setter->at += 1;
    if (isDigit(*setter->at))
        readIndex(setter, step);
    else if (!readQuotedKey(setter, step))
        return false;
    if (*setter->at != ']')
        return fail(setter, th_resultSyntax, "expected ']'");
    setter->at += 1;
    return true;
}

static bool readPath(Setter* setter)
{
    for (; *setter->at != '='; ++setter->count) {
        Step* step = &setter->steps[setter->count];
        if (setter->count == MOST_STEPS)
            return fail(setter, th_resultFull, "the path has more than %d steps", MOST_STEPS);
        *step = (Step){0};
        if (*setter->at == '[' ? !readBracket(setter, step) : !readPlainKey(setter, step))
            return false;
    }
    setter->at += 1;
    return true;
}

static const char* kindName(const thJson* value)
{
    static const char* const names[] = {
        [th_jsonNull] = "null",       [th_jsonBool] = "a bool",    [th_jsonNumber] = "a number",
        [th_jsonString] = "a string", [th_jsonArray] = "an array", [th_jsonObject] = "an object",
    };
    return names[value->kind];
}

static thJson* itemAt(const thJson* array, int32_t index)
{
    thJson* item = array->first;
    for (int32_t i = 0; i < index; ++i)
        item = item->next;
    return item;
}

static bool failAt(const Setter* setter, const thJson* value, const char* has)
{
    char path[128];
    thiJsonPath(value, path, sizeof path);
    if (path[0] == '\0')
        return fail(setter, th_resultSyntax, "the whole is %s and has no %s", kindName(value), has);
    return fail(setter, th_resultSyntax, "'%s' is %s and has no %s", path, kindName(value), has);
}

// Names that are looked at to guess which was meant.
#define MOST_NAMES 1000

static int32_t listKeys(const thJson* object, const char* keys[MOST_NAMES])
{
    int32_t count = 0;
    for (const thJson* at = object->first; at != NULL && count < MOST_NAMES; at = at->next)
        keys[count++] = at->key;
    return count;
}

static bool failUnknown(const Setter* setter, const thJson* object, const char* key)
{
    const char* names[MOST_NAMES];
    const int32_t count = listKeys(object, names);
    const char* meant = thiDidYouMean(key, names, count);
    if (meant == NULL)
        return fail(setter, th_resultSyntax, "there is no '%s'", key);
    return fail(setter, th_resultSyntax, "there is no '%s'; did you mean '%s'?", key, meant);
}

static bool failIndex(const Setter* setter, const thJson* array)
{
    char path[128];
    thiJsonPath(array, path, sizeof path);
    return fail(setter, th_resultSyntax, "'%s' has only %d item%s", path, (int)array->count,
                array->count == 1 ? "" : "s");
}

// Whether the path, of which `found` steps lead to `value`, makes nothing within a name that is not
// there.
static bool knowsName(const Setter* setter, const thJson* value, int32_t found)
{
    const thJsonNames* names = setter->names;
    const Step* steps = setter->steps;
    if (found > 1 || setter->count < 3 || steps[0].key == NULL || names == NULL)
        return true;
    while (names->key != NULL && strcmp(names->key, steps[0].key) != 0)
        ++names;
    if (names->key == NULL)
        return true;
    const char* there[MOST_NAMES];
    int32_t count = found == 1 ? listKeys(value, there) : 0;
    if (count == 0 && names->usual != NULL)
        there[count++] = names->usual;
    if (count == 1 && strcmp(there[0], steps[1].key) == 0)
        return true;
    char text[sizeof((thError){0}.text)];
    thiTellUnknown(names->what, steps[1].key, there, count, text, sizeof text);
    return fail(setter, th_resultSyntax, "%s", text);
}

// Follows the path as far as there are values, `*found` steps. Behind that there may only be keys,
// of objects to be made. NULL if the path leads nowhere.
static thJson* followPath(const Setter* setter, thJson* value, int32_t* found)
{
    for (*found = 0; *found < setter->count; ++*found) {
        const Step* step = &setter->steps[*found];
        const thJsonKind kind = step->key != NULL ? th_jsonObject : th_jsonArray;
        if (value->kind != kind) {
            failAt(setter, value, kind == th_jsonObject ? "members" : "items");
            return NULL;
        }
        if (step->key == NULL && step->index >= value->count) {
            failIndex(setter, value);
            return NULL;
        }
        thJson* next =
            step->key != NULL ? thiJsonMember(value, step->key) : itemAt(value, step->index);
        if (next == NULL)
            break;
        value = next;
    }
    for (int32_t i = *found + 1; i < setter->count; ++i) {
        if (setter->steps[i].key == NULL) {
            failUnknown(setter, value, setter->steps[*found].key);
            return NULL;
        }
    }
    return knowsName(setter, value, *found) ? value : NULL;
}

static thJson* makeValue(const Setter* setter, thJsonKind kind)
{
    thJson* value = thiArenaAllocate(setter->arena, sizeof *value);
    if (value != NULL)
        *value = (thJson){.kind = kind};
    else
        failMemory(setter);
    return value;
}

static thJson* makeString(Setter* setter, const char* text)
{
    const size_t size = strlen(text);
    thJson* value = makeValue(setter, th_jsonString);
    if (value == NULL)
        return NULL;
    value->count = (int32_t)size;
    value->text = copyText(setter, text, size);
    return value->text != NULL ? value : NULL;
}

// A value of a command line stands at no place of the file.
static void forgetPlaces(thJson* root)
{
    thJson* value = root;
    while (value != NULL) {
        value->line = value->column = value->keyLine = value->keyColumn = 0;
        if (value->first != NULL) {
            value = value->first;
            continue;
        }
        while (value != NULL && value->next == NULL)
            value = value->parent;
        if (value != NULL)
            value = value->next;
    }
}

static thJson* readAssigned(Setter* setter)
{
    thError error = {0};
    thErrorSink quiet = {.report = keepFirstError, .context = &error};
    thJsonLimits limits = thiJsonLimits;
    limits.depth -= setter->count;
    thJson* value = thiReadJson(setter->arena, setter->at, strlen(setter->at), &limits, &quiet);
    if (value == NULL && error.code == th_resultSyntax)
        return makeString(setter, setter->at);
    if (quiet.count > 0) {
        fail(setter, error.code, "%s%s%s", error.path, error.path[0] != '\0' ? ": " : "",
             error.text);
        return NULL;
    }
    forgetPlaces(value);
    return value;
}

// The value stays where it was; only what it is changes.
static void replaceValue(thJson* value, const thJson* by)
{
    const thJson old = *value;
    *value = *by;
    value->index = old.index;
    value->next = old.next;
    value->parent = old.parent;
    value->key = old.key;
    value->keyLine = old.keyLine;
    value->keyColumn = old.keyColumn;
    for (thJson* child = value->first; child != NULL; child = child->next)
        child->parent = value;
}

static bool addMember(const Setter* setter, thJson* object, const char* key, thJson* member)
{
    thJsonKey* room = thiArenaAllocate(setter->arena, sizeof *room);
    if (room == NULL)
        return failMemory(setter);
    member->key = key;
    thiAppendMember(object, member, room);
    return true;
}

// Makes the objects on the way, the innermost first: the tree is changed last.
static bool addPath(const Setter* setter, thJson* object, int32_t found, thJson* value)
{
    for (int32_t i = setter->count - 1; i > found; --i) {
        thJson* outer = makeValue(setter, th_jsonObject);
        if (outer == NULL || !addMember(setter, outer, setter->steps[i].key, value))
            return false;
        value = outer;
    }
    return addMember(setter, object, setter->steps[found].key, value);
}

bool thiJsonSet(thArena* arena, thJson** root, const char* assignment, const thJsonNames* names,
                thErrorSink* sink)
{
    Setter setter = {
        .arena = arena, .sink = sink, .names = names, .assignment = assignment, .at = assignment};
    if (!checkUtf8(&setter) || !readPath(&setter))
        return false;
    thJson* base = *root != NULL ? *root : makeValue(&setter, th_jsonObject);
    if (base == NULL)
        return false;
    int32_t found;
    thJson* target = followPath(&setter, base, &found);
    thJson* value = target != NULL ? readAssigned(&setter) : NULL;
    if (value == NULL)
        return false;
    if (found == setter.count)
        replaceValue(target, value);
    else if (!addPath(&setter, target, found, value))
        return false;
    *root = base;
    return true;
}
