// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "scene/walls/grid_map.h"

#include "scene/walls/grid_rings.h"

#include <string.h>

typedef struct MapReader {
    const char* text;
    size_t size;
    size_t at;
    int32_t line;
    thGeometry* geometry;
} MapReader;

// A line without its end.
typedef struct Line {
    const char* text;
    int32_t length;
} Line;

// The line that begins here; false at the end of the text.
static bool readLine(MapReader* reader, Line* line)
{
    if (reader->at >= reader->size)
        return false;
    const char* begin = reader->text + reader->at;
    const size_t rest = reader->size - reader->at;
    const char* end = memchr(begin, '\n', rest);
    size_t length = end != NULL ? (size_t)(end - begin) : rest;
    reader->at += length + (end != NULL);
    reader->line += 1;
    if (length > 0 && begin[length - 1] == '\r')
        length -= 1;
    *line = (Line){begin, (int32_t)length};
    return true;
}

static bool isBlank(Line line)
{
    for (int32_t i = 0; i < line.length; ++i)
        if (line.text[i] != ' ' && line.text[i] != '\t')
            return false;
    return true;
}

// Bytes of a line that messages show.
#define SHOWN 20

static thResult failLine(const MapReader* reader, const char* expected, Line found)
{
    char shown[SHOWN + 1];
    const int32_t length = TH_MIN(found.length, SHOWN);
    for (int32_t i = 0; i < length; ++i)
        shown[i] = (char)(found.text[i] >= ' ' && found.text[i] <= '~' ? found.text[i] : '?');
    shown[length] = '\0';
    return thiGeometryError(reader->geometry, reader->line, 1, "expected %s, found '%s%s'",
                            expected, shown, found.length > SHOWN ? "…" : "");
}

static thResult failEnd(const MapReader* reader, const char* expected)
{
    return thiGeometryError(reader->geometry, reader->line + 1, 1,
                            "expected %s, found the end of the file", expected);
}

// What follows a word and blanks; false if the line does not begin with it.
static bool takeWord(Line* line, const char* word)
{
    const int32_t length = (int32_t)strlen(word);
    if (line->length < length || memcmp(line->text, word, (size_t)length) != 0)
        return false;
    int32_t at = length;
    while (at < line->length && (line->text[at] == ' ' || line->text[at] == '\t'))
        at += 1;
    if (at == length && at < line->length)
        return false;
    *line = (Line){line->text + at, line->length - at};
    return true;
}

// A whole number of at most 5 digits, and blanks.
static bool isSide(Line line, int32_t* side)
{
    int32_t number = 0, digits = 0;
    for (; digits < line.length && line.text[digits] >= '0' && line.text[digits] <= '9'; ++digits)
        number = digits < 5 ? 10 * number + (line.text[digits] - '0') : number;
    *side = number;
    return digits > 0 && digits <= 5 && number > 0 &&
           isBlank((Line){line.text + digits, line.length - digits});
}

static thResult readSide(MapReader* reader, const char* word, const char* expected, int32_t* side)
{
    Line line;
    if (!readLine(reader, &line))
        return failEnd(reader, expected);
    Line value = line;
    return takeWord(&value, word) && isSide(value, side) ? th_resultOk
                                                         : failLine(reader, expected, line);
}

static thResult readWord(MapReader* reader, const char* word, const char* expected)
{
    Line line;
    if (!readLine(reader, &line))
        return failEnd(reader, expected);
    Line rest = line;
    return takeWord(&rest, word) ? th_resultOk : failLine(reader, expected, line);
}

static thResult readHead(MapReader* reader, int32_t* width, int32_t* height)
{
    TH_TRY(readWord(reader, "type", "'type' of a map, such as 'type octile'"));
    TH_TRY(readSide(reader, "height", "'height' and a number from 1 to 99999", height));
    TH_TRY(readSide(reader, "width", "'width' and a number from 1 to 99999", width));
    if ((int64_t)*width * *height > TH_GRID_CELLS)
        return thiGeometryError(reader->geometry, reader->line, 1,
                                "%d by %d cells are too many, expected at most %d", (int)*width,
                                (int)*height, TH_GRID_CELLS);
    return readWord(reader, "map", "'map'");
}

static thResult readCell(const MapReader* reader, char c, int32_t column, uint8_t* cell)
{
    if (c == '.' || c == 'G' || c == 'S')
        *cell = 0;
    else if (c == '@' || c == 'O' || c == 'T' || c == 'W')
        *cell = TH_CELL_BLOCKED;
    else if (c >= ' ' && c <= '~')
        return thiGeometryError(reader->geometry, reader->line, column + 1,
                                "expected one of .GS (free) or @OTW (blocked), found '%c'", c);
    else
        return thiGeometryError(reader->geometry, reader->line, column + 1,
                                "expected one of .GS (free) or @OTW (blocked), found byte 0x%02x",
                                (unsigned)(unsigned char)c);
    return th_resultOk;
}

static thResult readRow(MapReader* reader, int32_t row, thGridCells* grid)
{
    const int32_t width = grid->width - 2, height = grid->height - 2;
    Line line;
    if (!readLine(reader, &line))
        return thiGeometryError(reader->geometry, reader->line + 1, 1,
                                "the map ends after %d rows, expected %d", (int)row, (int)height);
    if (line.length != width)
        return thiGeometryError(reader->geometry, reader->line, TH_MIN(line.length, width) + 1,
                                "the row has %d cells, expected %d", (int)line.length, (int)width);
    uint8_t* cells = &grid->cells[(size_t)(row + 1) * (size_t)grid->width + 1];
    for (int32_t i = 0; i < width; ++i)
        TH_TRY(readCell(reader, line.text[i], i, &cells[i]));
    return th_resultOk;
}

static thResult readRows(MapReader* reader, thGridCells* grid)
{
    Line line;
    grid->firstLine = reader->line + 1;
    for (int32_t row = 0; row < grid->height - 2; ++row)
        TH_TRY(readRow(reader, row, grid));
    while (readLine(reader, &line))
        if (!isBlank(line))
            return failLine(reader, "the end of the file after the last row", line);
    if (memchr(grid->cells, 0, (size_t)grid->width * (size_t)grid->height) == NULL)
        return thiGeometryError(reader->geometry, grid->firstLine, 1,
                                "the map has no cell that is free");
    return thiAddGridRings(grid, reader->geometry);
}

thResult thiReadGridMap(const char* text, size_t size, thGeometry* geometry)
{
    MapReader reader = {.text = text, .size = size, .geometry = geometry};
    thMemory* memory = geometry->points.memory;
    thGridCells grid = {0};
    TH_TRY(readHead(&reader, &grid.width, &grid.height));
    // A file that ends too early must not take the memory of what it promises.
    if ((int64_t)grid.width * grid.height > (int64_t)(size - reader.at))
        return thiGeometryError(geometry, reader.line, 1,
                                "%d by %d cells are promised, but only %zu bytes follow",
                                (int)grid.width, (int)grid.height, size - reader.at);
    geometry->areApart = true;
    grid.width += 2;
    grid.height += 2;
    const size_t room = (size_t)grid.width * (size_t)grid.height;
    grid.cells = thiAllocate(memory, room);
    if (grid.cells == NULL)
        return thiFail(geometry->error, th_resultNoMemory, "no memory for the map");
    memset(grid.cells, TH_CELL_BLOCKED, room);
    const thResult code = readRows(&reader, &grid);
    thiRelease(memory, grid.cells, room);
    return code;
}
