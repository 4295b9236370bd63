// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Errors planted into a scene, one by one: where they are and what is to be said of them.

#include "scene/mutations.h"

#include "gear/gear.h"

#include <stdio.h>
#include <stdlib.h>

// Writing.

typedef struct Text {
    char* items;
    size_t size, capacity;
    int32_t line;
    size_t lineBegin;
} Text;

static void put(Text* text, const char* more)
{
    for (; *more != '\0'; ++more) {
        if (text->size + 1 >= text->capacity) {
            text->capacity = 2 * text->capacity + 1024;
            text->items = realloc(text->items, text->capacity);
            assert_non_null(text->items);
        }
        text->items[text->size++] = *more;
        if (*more == '\n') {
            text->line += 1;
            text->lineBegin = text->size;
        }
    }
    text->items[text->size] = '\0';
}

static void putString(Text* text, const char* string)
{
    char buffer[1024];
    thJsonWriter writer = {.buffer = buffer, .capacity = sizeof buffer - 1};
    thiWriteString(&writer, string);
    assert_true(writer.size < sizeof buffer);
    buffer[writer.size] = '\0';
    put(text, buffer);
}

static void mark(const Text* text, Edit* edit)
{
    edit->line = text->line;
    edit->column = (int32_t)(text->size - text->lineBegin) + 1;
}

typedef struct Edits {
    Edit* items;
    int32_t count;
} Edits;

static Edit* findEdit(const Edits* edits, const thJson* node, EditKind kind)
{
    for (int32_t i = 0; i < edits->count; ++i)
        if (edits->items[i].node == node && edits->items[i].kind == kind)
            return &edits->items[i];
    return NULL;
}

static void putValue(Text* text, const thJson* value, const Edits* edits);

static void putMember(Text* text, const thJson* member, const Edits* edits)
{
    Edit* rename = findEdit(edits, member, edit_rename);
    put(text, "\n");
    if (rename != NULL)
        mark(text, rename);
    putString(text, rename != NULL ? rename->text : member->key);
    put(text, ": ");
    putValue(text, member, edits);
    Edit* duplicate = findEdit(edits, member, edit_duplicate);
    if (duplicate != NULL) {
        put(text, ",\n");
        mark(text, duplicate);
        putString(text, member->key);
        put(text, ": 0");
    }
}

static void putMembers(Text* text, const thJson* object, const Edits* edits)
{
    bool isFirst = true;
    put(text, "{");
    for (const thJson* member = object->first; member != NULL; member = member->next) {
        if (findEdit(edits, member, edit_drop) != NULL)
            continue;
        put(text, isFirst ? "" : ",");
        putMember(text, member, edits);
        isFirst = false;
    }
    Edit* add = findEdit(edits, object, edit_add);
    if (add != NULL) {
        put(text, isFirst ? "\n" : ",\n");
        mark(text, add);
        putString(text, add->text);
        put(text, ": ");
        if (add->atValue)
            mark(text, add);
        put(text, "0");
    }
    put(text, "\n}");
}

static void putItems(Text* text, const thJson* array, const Edits* edits)
{
    put(text, "[");
    for (const thJson* item = array->first; item != NULL; item = item->next) {
        put(text, item != array->first ? ",\n" : "\n");
        putValue(text, item, edits);
    }
    put(text, "\n]");
}

static void putValue(Text* text, const thJson* value, const Edits* edits)
{
    Edit* replace = findEdit(edits, value, edit_replace);
    for (const thJson* member = value->first; member != NULL; member = member->next) {
        Edit* drop = findEdit(edits, member, edit_drop);
        if (drop != NULL)
            mark(text, drop);
    }
    if (replace != NULL) {
        mark(text, replace);
        put(text, replace->text);
        return;
    }
    switch (value->kind) {
    case th_jsonObject:
        putMembers(text, value, edits);
        break;
    case th_jsonArray:
        putItems(text, value, edits);
        break;
    case th_jsonString:
        putString(text, value->text);
        break;
    case th_jsonNumber:
        put(text, value->text);
        break;
    case th_jsonBool:
        put(text, value->truth ? "true" : "false");
        break;
    default:
        put(text, "null");
    }
}

char* writeEdited(const thJson* root, Edit* edits, int32_t count)
{
    Text text = {.line = 1};
    putValue(&text, root, &(Edits){edits, count});
    put(&text, "\n");
    return text.items;
}

// Listing. `keys` are paths without indices, such as `walls.polygon`.

static bool isAmong(const char* name, const char* const* names)
{
    for (; *names != NULL; ++names)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

// Objects whose keys are names that the author chose.
static const char* const named[] = {"goals",         "roadmaps",      "profiles",
                                    "measure.lines", "measure.areas", NULL};

// Names become *.
static void keysOf(const thJson* value, char* keys, size_t size)
{
    keys[0] = '\0';
    if (value->parent == NULL)
        return;
    keysOf(value->parent, keys, size);
    if (value->key == NULL)
        return;
    const size_t length = strlen(keys);
    const char* key = isAmong(keys, named) ? "*" : value->key;
    snprintf(keys + length, size - length, "%s%s", length > 0 ? "." : "", key);
}

typedef struct Listing {
    Edit* edits;
    int32_t capacity, count;
    const thJson* node;
    char keys[256]; // of the node
} Listing;

static void addEdit(Listing* listing, EditKind kind, const char* text)
{
    const thJson* node = listing->node;
    Edit edit = {.kind = kind, .node = node};
    snprintf(edit.text, sizeof edit.text, "%s", text);
    char parent[sizeof edit.path];
    thiJsonPath(kind == edit_rename || kind == edit_drop ? node->parent : node, parent,
                sizeof parent);
    if (kind == edit_rename || kind == edit_add)
        snprintf(edit.path, sizeof edit.path, "%.200s%s%.40s", parent, parent[0] != '\0' ? "." : "",
                 text);
    else
        snprintf(edit.path, sizeof edit.path, "%s", parent);
    edit.atValue = kind == edit_add && isAmong(listing->keys, named);
    if (listing->count < listing->capacity)
        listing->edits[listing->count] = edit;
    listing->count += 1;
}

// A value of each kind, where that kind is wrong.
static void listReplacements(Listing* listing)
{
    static const char* const freeText[] = {"about", "$schema", "doors.name", "agents.group", NULL};
    static const char* const mayBeEmptyArray[] = {
        "walls",  "doors",         "doors.open",       "movers",
        "agents", "agents.pauses", "profiles.*.shape", NULL};
    // Empty ones are good here, or leave more than one thing unsaid.
    static const char* const mayBeEmptyObject[] = {"time",
                                                   "time.end",
                                                   "goals",
                                                   "profiles",
                                                   "profiles.*",
                                                   "profiles.*.sees",
                                                   "profiles.*.pace",
                                                   "profiles.*.together",
                                                   "measure",
                                                   "measure.lines",
                                                   "movers",
                                                   "agents",
                                                   "measure.areas",
                                                   "profiles.*.avoid.orca",
                                                   "roadmaps",
                                                   "roadmaps.*.grid",
                                                   "roadmaps.*.random",
                                                   "roadmaps.*.medial",
                                                   NULL};
    static const char* const whole[] = {"seed",
                                        "time.end.steps",
                                        "walls.level",
                                        "doors.level",
                                        "movers.level",
                                        "roadmaps.*.streets.columns",
                                        "roadmaps.*.streets.rows",
                                        "roadmaps.*.random.count",
                                        "roadmaps.*.random.neighbours",
                                        "roadmaps.*.level",
                                        "profiles.*.plan.roadmap.lookEvery",
                                        "profiles.*.plan.roadmap.trees",
                                        "profiles.*.sees.neighbours",
                                        "profiles.*.sees.walls",
                                        "agents.count",
                                        "agents.grid.columns",
                                        "agents.grid.rows",
                                        "agents.circle.count",
                                        "agents.source.count",
                                        "agents.goal.count",
                                        "agents.id",
                                        "agents.layers",
                                        "agents.mask",
                                        "agents.level",
                                        NULL};
    const thJson* node = listing->node;
    addEdit(listing, edit_replace, "null");
    addEdit(listing, edit_replace, "1e300");
    addEdit(listing, edit_replace, "-1e300");
    if (!isAmong(listing->keys, freeText))
        addEdit(listing, edit_replace, "\"zzzzz\"");
    if (node->kind != th_jsonBool)
        addEdit(listing, edit_replace, "true");
    if (node->kind != th_jsonArray || !isAmong(listing->keys, mayBeEmptyArray))
        addEdit(listing, edit_replace, "[]");
    if (node->kind != th_jsonObject || !isAmong(listing->keys, mayBeEmptyObject))
        addEdit(listing, edit_replace, "{}");
    if (isAmong(listing->keys, whole))
        addEdit(listing, edit_replace, "1.5");
}

static bool isTableKey(const Listing* listing)
{
    const size_t length = strlen(listing->keys);
    return listing->node->key != NULL && listing->keys[length - 1] != '*';
}

static void listKeyEdits(Listing* listing)
{
    static const char* const needed[] = {"throng",
                                         "walls.polyline",
                                         "walls.polygon",
                                         "walls.room",
                                         "walls.box",
                                         "walls.file",
                                         "doors.segment",
                                         "movers.polygon",
                                         "movers.disc",
                                         "movers.path",
                                         "movers.at",
                                         "goals.*.point",
                                         "goals.*.disc",
                                         "goals.*.radius",
                                         "goals.*.segment",
                                         "goals.*.polygon",
                                         "goals.*.box",
                                         "goals.*.nearest",
                                         "goals.*.list",
                                         "goals.*.offset",
                                         "roadmaps.*.nodes",
                                         "roadmaps.*.streets",
                                         "roadmaps.*.streets.from",
                                         "roadmaps.*.streets.columns",
                                         "roadmaps.*.streets.rows",
                                         "roadmaps.*.streets.spacing",
                                         "roadmaps.*.grid",
                                         "roadmaps.*.random",
                                         "roadmaps.*.medial",
                                         "profiles.*.plan.roadmap.graph",
                                         "profiles.*.speed.normal",
                                         "profiles.*.maxSpeed.uniform",
                                         "agents.profile",
                                         "agents.at",
                                         "agents.in",
                                         "agents.in.polygon",
                                         "agents.in.box",
                                         "agents.count",
                                         "agents.grid",
                                         "agents.grid.from",
                                         "agents.grid.columns",
                                         "agents.grid.rows",
                                         "agents.grid.spacing",
                                         "agents.circle",
                                         "agents.circle.center",
                                         "agents.circle.radius",
                                         "agents.circle.count",
                                         "agents.source",
                                         "agents.source.in",
                                         "agents.source.in.segment",
                                         "agents.source.in.disc",
                                         "agents.source.in.radius",
                                         "agents.source.rate",
                                         "agents.goal.nearest",
                                         "agents.goal.list",
                                         "agents.goal.random",
                                         "agents.goal.random.disc",
                                         "agents.goal.random.radius",
                                         "agents.goal.offset",
                                         "agents.goal.disc",
                                         "agents.goal.radius",
                                         "agents.delay.uniform",
                                         "measure.areas.*.box",
                                         "measure.areas.*.disc",
                                         "measure.areas.*.radius",
                                         NULL};
    addEdit(listing, edit_duplicate, "");
    if (!isTableKey(listing))
        return;
    char misspelt[32];
    // Without the dollar, which paths would have to quote.
    snprintf(misspelt, sizeof misspelt, "%sx", listing->node->key + (listing->node->key[0] == '$'));
    addEdit(listing, edit_rename, misspelt);
    addEdit(listing, edit_rename, "qqqqqqqq");
    if (isAmong(listing->keys, needed))
        addEdit(listing, edit_drop, "");
}

static void listNode(Listing* listing, const thJson* node)
{
    listing->node = node;
    keysOf(node, listing->keys, sizeof listing->keys);
    listReplacements(listing);
    if (node->key != NULL)
        listKeyEdits(listing);
    // A second method is no key that is unknown.
    if (node->kind == th_jsonObject && strcmp(listing->keys, "profiles.*.avoid") != 0 &&
        strcmp(listing->keys, "profiles.*.plan") != 0)
        addEdit(listing, edit_add, "zzzzz");
    for (const thJson* child = node->first; child != NULL; child = child->next)
        listNode(listing, child);
}

int32_t listEdits(const thJson* root, Edit* edits, int32_t capacity)
{
    Listing listing = {.edits = edits, .capacity = capacity};
    listNode(&listing, root);
    return listing.count;
}

// Combining.

static bool isWithin(const thJson* inner, const thJson* outer)
{
    for (; inner != NULL; inner = inner->parent)
        if (inner == outer)
            return true;
    return false;
}

// The object in which keys are compared with each other.
static const thJson* scopeOf(const Edit* edit)
{
    return edit->kind == edit_add ? edit->node : edit->node->parent;
}

// Without these nothing else can be checked, or not where it is.
static bool isFundamental(const Edit* edit)
{
    static const char* const keys[] = {"",         "throng",   "origin", "goals",
                                       "roadmaps", "profiles", NULL};
    char path[256];
    keysOf(edit->node, path, sizeof path);
    return isAmong(path, keys);
}

bool areIndependent(const Edit* a, const Edit* b)
{
    return !isFundamental(a) && !isFundamental(b) && scopeOf(a) != scopeOf(b) &&
           !isWithin(a->node, b->node) && !isWithin(b->node, a->node);
}
