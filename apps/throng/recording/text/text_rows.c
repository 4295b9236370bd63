// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "recording/text/text_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

// The words are those PedPy looks for; metres have the last word.
static ExitCode readComment(Reader* reader, const char* at, const char* end)
{
    reader->hasHead = true;
    takeRadius(reader, at + 1, end);
    if (reader->hasLayout)
        return exitDone;
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
