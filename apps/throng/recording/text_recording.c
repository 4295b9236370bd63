// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Recordings that are text: rows of several layouts, and who walks together beside them.

#include "recording/text_recording.h"

#include "output.h"
#include "recording/recording_kinds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

// --- Reading text ---

enum { mostColumns = 8, longestWord = 40 };

// Which column holds what.
typedef struct Layout {
    int id, frame, x, y;
    int z;      // may be missing in rows; -1: it always is
    int needed; // as many must be there, and are numbers
} Layout;

static const Layout plainLayout = {.id = 0, .frame = 1, .x = 2, .y = 3, .z = 4, .needed = 4};
static const Layout ethLayout = {.frame = 0, .id = 1, .x = 2, .y = 4, .z = -1, .needed = 8};

typedef struct Reader {
    const char* path;
    TextRows* rows;
    Layout layout;
    char separator; // ',' or 0: blanks
    bool hasLayout; // a row was seen
    bool hasHead;   // a comment was seen
    int32_t line;
    const char *rowAt, *rowEnd; // the row read last; NULL: there is none
    float* heights;             // |z| of the first rows, as long as the unit is not known
    int32_t heightCount;
} Reader;

enum { mostHeights = 1 << 16 }; // so many tell as well as all

// --- Lines: [at, end) ---

static bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static const char* skipBlanks(const char* at, const char* end)
{
    while (at < end && isBlank(*at))
        at += 1;
    return at;
}

static const char* endOfWord(const Reader* reader, const char* at, const char* end)
{
    while (at < end && (reader->separator != 0 ? *at != reader->separator : !isBlank(*at)))
        at += 1;
    return at;
}

// Where the next column begins, or the end.
static const char* nextColumn(const Reader* reader, const char* at, const char* end)
{
    at = endOfWord(reader, at, end);
    return skipBlanks(at < end && reader->separator != 0 ? at + 1 : at, end);
}

static int countColumns(const Reader* reader, const char* at, const char* end)
{
    int count = 0;
    for (at = skipBlanks(at, end); at < end; at = nextColumn(reader, at, end))
        count += 1;
    return count;
}

static bool containsWord(const char* at, const char* end, const char* word)
{
    const size_t length = strlen(word);
    for (; (size_t)(end - at) >= length; ++at)
        if (strncasecmp(at, word, length) == 0)
            return true;
    return false;
}

// --- What comments say ---

static ExitCode takeRate(Reader* reader, const char* at, const char* end)
{
    const double fastest = 1e6;
    while (at < end) {
        char* stop;
        const double rate = strtod(at, &stop);
        if (stop != at && stop <= end && (stop == end || isBlank(*stop))) {
            if (rate > 0.0 && rate <= fastest) {
                reader->rows->rate = rate;
                return exitDone;
            }
            appSay("%s:%d: the frame rate is '%.*s', expected a number greater than 0",
                   reader->path, (int)reader->line, (int)(stop - at), at);
            return exitUsage;
        }
        while (at < end && strchr(" \t\r:=#", *at) == NULL)
            at += 1;
        while (at < end && strchr(" \t\r:=#", *at) != NULL)
            at += 1;
    }
    return exitDone;
}

// As our own files have it: "radius: 0.25 m".
static void takeRadius(Reader* reader, const char* at, const char* end)
{
    static const char word[] = "radius:";
    const double most = 100.0;
    at = skipBlanks(at, end);
    if ((size_t)(end - at) < sizeof word || strncmp(at, word, sizeof word - 1) != 0)
        return;
    const double radius = strtod(at + sizeof word - 1, NULL);
    if (radius > 0.0 && radius <= most)
        reader->rows->radius = (float)radius;
}

// As our own files have it: "nobody in frames 40 to 50".
static ExitCode takeNobody(Reader* reader, const char* at, const char* end)
{
    static const char word[] = "nobody in frames ";
    FrameRange range;
    char* stop;
    at = skipBlanks(at, end);
    if ((size_t)(end - at) < sizeof word || strncmp(at, word, sizeof word - 1) != 0)
        return exitDone;
    range.first = strtoll(at + sizeof word - 1, &stop, 10);
    range.last = range.first;
    if (strncmp(stop, " to ", 4) == 0)
        range.last = strtoll(stop + 4, NULL, 10);
    if (appAddNobody(&reader->rows->nobody, range))
        return exitDone;
    appSay("cannot read '%s': no memory", reader->path);
    return exitEnvironment;
}

// The words are those PedPy looks for; metres have the last word.
static ExitCode readComment(Reader* reader, const char* at, const char* end)
{
    reader->hasHead = true;
    takeRadius(reader, at + 1, end);
    const ExitCode code = takeNobody(reader, at + 1, end);
    if (reader->hasLayout || code != exitDone)
        return code;
    if (containsWord(at, end, "x/cm") || containsWord(at, end, "in cm"))
        reader->rows->unit = 0.01;
    if (containsWord(at, end, "x/m") || containsWord(at, end, "in m"))
        reader->rows->unit = 1.0;
    return containsWord(at, end, "framerate") ? takeRate(reader, at + 1, end) : exitDone;
}

// --- Rows ---

static ExitCode sayBadColumn(const Reader* reader, int column, const char* at, const char* end,
                             const char* expected)
{
    const char* stop = endOfWord(reader, at, end);
    const int length = stop - at < longestWord ? (int)(stop - at) : longestWord;
    appSay("%s:%d: column %d is '%.*s', expected %s", reader->path, (int)reader->line, column + 1,
           length, at, expected);
    return exitUsage;
}

// The number at a place, if that is all that stands there.
static bool readNumber(const Reader* reader, const char* at, const char* end, double* number)
{
    char* stop;
    *number = strtod(at, &stop);
    return stop != at && stop <= end && skipBlanks(stop, end) >= endOfWord(reader, at, end) &&
           isfinite(*number);
}

// Reads the columns that are needed, and z where it is.
static ExitCode readColumns(Reader* reader, const char* at, const char* end,
                            double values[mostColumns], const char* places[mostColumns], int* count)
{
    const Layout* layout = &reader->layout;
    const int last = layout->z >= layout->needed ? layout->z + 1 : layout->needed;
    at = skipBlanks(at, end);
    for (*count = 0; *count < last && at < end; ++*count) {
        places[*count] = at;
        if (!readNumber(reader, at, end, &values[*count])) {
            if (*count >= layout->needed)
                break;
            return sayBadColumn(reader, *count, at, end, "a number");
        }
        at = nextColumn(reader, at, end);
    }
    if (*count >= layout->needed)
        return exitDone;
    appSay("%s:%d: the row has %d columns, expected at least %d", reader->path, (int)reader->line,
           *count, layout->needed);
    return exitUsage;
}

static bool isWholeWithin(double value, double low, double high)
{
    return value >= low && value <= high && value == floor(value);
}

static void noteHeight(Reader* reader, double z)
{
    if (reader->heights == NULL)
        reader->heights = malloc(mostHeights * sizeof *reader->heights);
    if (reader->heights != NULL && reader->heightCount < mostHeights)
        reader->heights[reader->heightCount++] = (float)fabs(z);
}

static ExitCode readRow(Reader* reader, const char* at, const char* end)
{
    const double farthest = 1e9, lastFrame = 9007199254740992.0;
    const Layout* layout = &reader->layout;
    double values[mostColumns];
    const char* places[mostColumns];
    int count;
    const ExitCode code = readColumns(reader, at, end, values, places, &count);
    if (code != exitDone)
        return code;
    if (!isWholeWithin(values[layout->id], 0.0, UINT32_MAX))
        return sayBadColumn(reader, layout->id, places[layout->id], end,
                            "an id: a whole number from 0 to 4294967295");
    if (!isWholeWithin(values[layout->frame], -lastFrame, lastFrame))
        return sayBadColumn(reader, layout->frame, places[layout->frame], end,
                            "a frame: a whole number");
    if (fabs(values[layout->x]) > farthest)
        return sayBadColumn(reader, layout->x, places[layout->x], end, "a place on earth");
    if (fabs(values[layout->y]) > farthest)
        return sayBadColumn(reader, layout->y, places[layout->y], end, "a place on earth");
    if (layout->z >= 0 && count > layout->z && reader->rows->unit == 0.0)
        noteHeight(reader, values[layout->z]);
    const Row row = {.frame = (int64_t)values[layout->frame],
                     .id = (uint32_t)values[layout->id],
                     .x = values[layout->x],
                     .y = values[layout->y],
                     .place = reader->line};
    if (appPutRow(&reader->rows->table, row))
        return exitDone;
    appSay("cannot read '%s': no memory", reader->path);
    return exitEnvironment;
}

// Which column of a table of values has that name.
static int findColumn(const Reader* reader, const char* at, const char* end, const char* name)
{
    int column = 0;
    for (at = skipBlanks(at, end); at < end; at = nextColumn(reader, at, end)) {
        const char* stop = endOfWord(reader, at, end);
        while (stop > at && isBlank(stop[-1]))
            stop -= 1;
        if ((size_t)(stop - at) == strlen(name) && strncasecmp(at, name, (size_t)(stop - at)) == 0)
            return column;
        column += 1;
    }
    return -1;
}

static ExitCode readNames(Reader* reader, const char* at, const char* end)
{
    static const char* const names[] = {"id", "frame", "x", "y"};
    int columns[4], needed = 0;
    for (int i = 0; i < 4; ++i) {
        columns[i] = findColumn(reader, at, end, names[i]);
        if (columns[i] < 0 || columns[i] >= mostColumns) {
            appSay("%s:%d: %s '%s', expected names of columns: id, frame, x, y", reader->path,
                   (int)reader->line,
                   columns[i] < 0 ? "there is no column" : "too many columns before", names[i]);
            return exitUsage;
        }
        needed = columns[i] >= needed ? columns[i] + 1 : needed;
    }
    reader->layout = (Layout){columns[0], columns[1], columns[2], columns[3], -1, needed};
    reader->rows->unit = 1.0;
    return exitDone;
}

static ExitCode readLine(Reader* reader, const char* at, const char* end)
{
    const char* comment = memchr(at, '#', (size_t)(end - at));
    const char* rowEnd = comment != NULL ? comment : end;
    if (skipBlanks(at, rowEnd) == rowEnd)
        return comment != NULL ? readComment(reader, comment, end) : exitDone;
    if (!reader->hasLayout) {
        reader->hasLayout = true;
        reader->layout = plainLayout;
        if (reader->separator != 0)
            return readNames(reader, at, rowEnd);
        if (!reader->hasHead && countColumns(reader, at, rowEnd) == ethLayout.needed) {
            reader->layout = ethLayout;
            reader->rows->isEth = true;
            reader->rows->unit = 1.0;
        }
    }
    reader->rowAt = at;
    reader->rowEnd = rowEnd;
    return readRow(reader, at, rowEnd);
}

// --- The whole ---

// Whether a line that ends with the file, without a line feed, is only the beginning of a row.
static bool isCut(const Reader* reader, const char* at, const char* end)
{
    return reader->rowAt != NULL && memchr(at, '#', (size_t)(end - at)) == NULL &&
           skipBlanks(at, end) < end &&
           countColumns(reader, at, end) < countColumns(reader, reader->rowAt, reader->rowEnd);
}

static int compareHeights(const void* left, const void* right)
{
    const float a = *(const float*)left, b = *(const float*)right;
    return (a > b) - (a < b);
}

// Heads are less than 10 m above the ground, and more than 10 cm. A z of 0 says nothing.
static double unitOfHeights(Reader* reader)
{
    if (reader->heightCount == 0)
        return 0.0;
    qsort(reader->heights, (size_t)reader->heightCount, sizeof *reader->heights, compareHeights);
    const float median = reader->heights[reader->heightCount / 2];
    return median > 10.0f ? 0.01 : median > 0.0f ? 1.0 : 0.0;
}

static ExitCode readLines(Reader* reader, const char* at, const char* end)
{
    while (at < end) {
        const char* feed = memchr(at, '\n', (size_t)(end - at));
        const char* lineEnd = feed != NULL ? feed : end;
        if (reader->line == INT32_MAX) {
            appSay("cannot read '%s': it has more than %d lines", reader->path, INT32_MAX);
            return exitUsage;
        }
        reader->line += 1;
        if (feed == NULL && isCut(reader, at, end)) {
            appSay("%s:%d: the last line is not complete and was left out", reader->path,
                   (int)reader->line);
            break;
        }
        const ExitCode code = readLine(reader, at, lineEnd);
        if (code != exitDone)
            return code;
        at = feed != NULL ? feed + 1 : end;
    }
    // A file in which nobody was still says how it would have to be read.
    const TextRows* rows = reader->rows;
    if (rows->table.count > 0 || (rows->rate > 0.0 && rows->unit > 0.0))
        return exitDone;
    appSay("'%s' has no rows, expected id, frame, x and y in each", reader->path);
    return exitUsage;
}

ExitCode appReadTextRows(const char* path, const char* text, size_t size, bool isCsv,
                         TextRows* rows)
{
    *rows = (TextRows){0};
    Reader reader = {.path = path, .rows = rows, .separator = isCsv ? ',' : 0};
    const size_t mark = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    ExitCode code = readLines(&reader, text + mark, text + size);
    if (code == exitDone && rows->unit == 0.0)
        rows->unit = unitOfHeights(&reader);
    if (code == exitDone && !appSortRows(&rows->table, path, "line"))
        code = exitUsage;
    free(reader.heights);
    return code;
}

// --- Groups of the ETH and UCY data sets ---

// Who walks together, from the file groups.txt of the ETH and UCY data sets: on each line the ids
// of one group. A line with a single number, such as a count, is none.

typedef struct EthMember {
    uint32_t id;
    int32_t group;
} EthMember;

typedef struct EthGroups {
    EthMember* members; // by id
    int32_t count, capacity;
} EthGroups;

static bool addMember(EthGroups* groups, uint32_t id, int32_t group)
{
    if (groups->count == groups->capacity) {
        const int32_t capacity = groups->capacity > 0 ? 2 * groups->capacity : 64;
        EthMember* members = realloc(groups->members, (size_t)capacity * sizeof *members);
        if (members == NULL)
            return false;
        groups->members = members;
        groups->capacity = capacity;
    }
    groups->members[groups->count++] = (EthMember){id, group};
    return true;
}

static ExitCode readGroup(EthGroups* groups, const char* path, int32_t line, char* text,
                          int32_t group)
{
    const int32_t first = groups->count;
    char* rest = NULL;
    for (char* word = strtok_r(text, " \t\r", &rest); word != NULL;
         word = strtok_r(NULL, " \t\r", &rest)) {
        char* end;
        const double id = strtod(word, &end);
        if (*end != '\0' || !(id >= 0.0 && id <= UINT32_MAX) || id != (double)(uint32_t)id) {
            appSay("%s:%d: '%.40s' is no id of a person", path, (int)line, word);
            return exitUsage;
        }
        if (!addMember(groups, (uint32_t)id, group)) {
            appSay("cannot read '%s': no memory", path);
            return exitEnvironment;
        }
    }
    if (groups->count - first < 2)
        groups->count = first;
    return exitDone;
}

static int compareMembers(const void* left, const void* right)
{
    const EthMember *a = left, *b = right;
    return (a->id > b->id) - (a->id < b->id);
}

static ExitCode readGroupLines(EthGroups* groups, const char* path, char* text)
{
    int32_t line = 0, group = 0;
    for (char* at = text; at != NULL;) {
        char* feed = strchr(at, '\n');
        const int32_t before = groups->count;
        if (feed != NULL)
            *feed = '\0';
        const ExitCode code = readGroup(groups, path, ++line, at, group);
        if (code != exitDone)
            return code;
        group += groups->count > before;
        at = feed != NULL ? feed + 1 : NULL;
    }
    if (groups->count > 0)
        qsort(groups->members, (size_t)groups->count, sizeof *groups->members, compareMembers);
    return exitDone;
}

// Reads the file beside a recording; without one there are no groups. What is wrong is said.
static ExitCode readEthGroups(const char* recording, EthGroups* groups)
{
    static const char name[] = "groups.txt";
    const char* slash = strrchr(recording, '/');
    const size_t folder = slash != NULL ? (size_t)(slash - recording) + 1 : 0;
    char* path = malloc(folder + sizeof name);
    ExitCode code = exitDone;
    if (path == NULL) {
        appSay("cannot read '%s': no memory", recording);
        return exitEnvironment;
    }
    memcpy(path, recording, folder);
    memcpy(path + folder, name, sizeof name);
    if (access(path, F_OK) == 0 && !appNoteInput(NULL, path)) {
        code = exitUsage;
    } else if (access(path, F_OK) == 0) {
        size_t size;
        char* text = appReadFile(path, &size);
        code = exitEnvironment;
        if (text != NULL) {
            text[size] = '\0';
            code = readGroupLines(groups, path, text);
        }
        free(text);
    }
    free(path);
    return code;
}

static void setGroups(const EthGroups* groups, thRecordedPerson* people, int32_t count)
{
    for (int32_t i = 0; i < count && groups->count > 0; ++i) {
        const EthMember wanted = {.id = people[i].id};
        const EthMember* member = bsearch(&wanted, groups->members, (size_t)groups->count,
                                          sizeof *groups->members, compareMembers);
        people[i].group = member != NULL ? member->group : -1;
    }
}

static void freeEthGroups(EthGroups* groups)
{
    free(groups->members);
    *groups = (EthGroups){0};
}

// --- The recording ---

typedef struct TextRecording {
    TextRows rows;
    EthGroups groups;
} TextRecording;

// Frames in a second of the data sets that do not say it.
static const double ethRate = 25.0;

static ExitCode chooseRate(const Recording* recording, const RecordingDef* def, TextRows* rows)
{
    if (def->rate > 0.0 && !(def->isFallback && rows->rate > 0.0))
        rows->rate = def->rate;
    else if (rows->rate == 0.0 && rows->isEth)
        rows->rate = ethRate;
    if (rows->rate > 0.0)
        return exitDone;
    appSay("'%s' does not say how many frames a second has (a line '# framerate: 16'); give it "
           "with --rate",
           recording->path);
    return exitUsage;
}

static ExitCode chooseUnit(const Recording* recording, const RecordingDef* def, TextRows* rows)
{
    if (def->unit != NULL && !(def->isFallback && rows->unit > 0.0))
        rows->unit = strcmp(def->unit, "m") == 0 ? 1.0 : 0.01;
    if (rows->unit > 0.0)
        return exitDone;
    appSay(
        "'%s' does not say its unit (a line '# id frame x/m y/m z/m'), nor do heights z; give it "
        "with --unit m or --unit cm",
        recording->path);
    return exitUsage;
}

static void toMetres(TextRows* rows)
{
    if (rows->unit == 1.0)
        return;
    for (size_t i = 0; i < rows->table.count; ++i) {
        rows->table.rows[i].x /= 100.0;
        rows->table.rows[i].y /= 100.0;
    }
}

static ExitCode load(Recording* recording, const RecordingDef* def, TextRecording* text)
{
    size_t size;
    char* content = appReadFile(recording->path, &size);
    if (content == NULL)
        return exitEnvironment;
    content[size] = '\0';
    TextRows* rows = &text->rows;
    ExitCode code = appReadTextRows(recording->path, content, size,
                                    appHasSuffix(recording->path, ".csv"), rows);
    free(content);
    if (code == exitDone)
        code = chooseRate(recording, def, rows);
    if (code == exitDone)
        code = chooseUnit(recording, def, rows);
    if (code == exitDone && rows->isEth)
        code = readEthGroups(recording->path, &text->groups);
    return code;
}

static Next nextOfText(Recording* self)
{
    TextRecording* text = self->own;
    const Next next = appNextOfRows(&text->rows.table, self);
    if (next != nextFrame)
        return next;
    thRecordedPerson* people = text->rows.table.frame.people;
    setGroups(&text->groups, people, self->latest.personCount);
    for (int32_t i = 0; i < self->latest.personCount; ++i)
        people[i].radius = text->rows.radius;
    return nextFrame;
}

static void freeText(TextRecording* text)
{
    appFreeRows(&text->rows.table);
    free(text->rows.nobody.items);
    freeEthGroups(&text->groups);
    free(text);
}

static void closeText(Recording* self)
{
    freeText(self->own);
}

static const RecordingKind textKind = {".txt", "text", nextOfText, closeText};

ExitCode appOpenText(Recording* recording, const RecordingDef* def)
{
    TextRecording* text = calloc(1, sizeof *text);
    if (text == NULL)
        return appSayNoMemoryFor(recording);
    const ExitCode code = load(recording, def, text);
    if (code != exitDone) {
        freeText(text);
        return code;
    }
    toMetres(&text->rows);
    RowTable* table = &text->rows.table;
    recording->kind = &textKind;
    recording->own = text;
    const char* wrong = appCheckNobody(&text->rows.nobody);
    if (wrong != NULL) {
        appSayPassedOver(recording->path, "'nobody in frames'", wrong);
        text->rows.nobody.count = 0;
    }
    const bool hasRows = table->count > 0;
    table->step = appTakeNobody(recording, &text->rows.nobody, hasRows ? table->rows[0].frame : 0,
                                hasRows ? table->step : 0);
    recording->head = (thRecordHead){.rate = text->rows.rate / (double)table->step,
                                     .title = appFileName(recording->path)};
    appSetEnd(recording, hasRows ? table->rows[table->count - 1].frame : INT64_MIN);
    if (hasRows)
        recording->head.origin = appOriginNear(table->rows[0].x, table->rows[0].y);
    return exitDone;
}
