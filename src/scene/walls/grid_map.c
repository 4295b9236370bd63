// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Walls from maps of square cells, in the format of MovingAI's benchmarks. Blocked cells become
// rings: what is free is inside of outer rings, which do not overlap, and outside of holes, which
// are all solid.

// The format:
//
//     type octile
//     height 3
//     width 4
//     map
//     @@@@
//     @..T
//     @@@@
//
// `.`, `G` and `S` are free; `@`, `O`, `T` and `W` are blocked, and so is everything outside. A
// cell is 1 m wide; column x of row y is the square from (x, y) to (x + 1, y + 1), so that y grows
// from the first row to the last.

#include "scene/walls/geometry.h"

#include <string.h>

#define CELL_BLOCKED 1

typedef struct Cells {
    int32_t width, height; // with a rim one cell wide all round, which is blocked
    uint8_t* cells;        // row by row: CELL_BLOCKED, or 0
    int32_t firstLine;     // of the file, in which the first row inside of the rim stands
} Cells;

// The outlines of blocked cells, as rings that never touch themselves.
//
// Cells that have an edge in common belong together; those that meet in a corner do not. Blocked
// cells that belong to the rim are outside. What else hangs together is a room, whose outline is an
// outer ring. The other blocked cells are islands in it, whose outlines are holes of that ring. An
// island that has a yard would be solid inside of it: it is cut in two along a row, and its pieces
// again where they have yards.
//
// No ring comes to a corner twice. Where a room did, what is outside would not hang together; where
// a piece of an island did, it would have a yard.

// Bit of a cell beside CELL_BLOCKED: a ring along its edge of lower y was followed.
#define EDGE_SEEN 2

// Labels: what is not yet numbered is negative.
#define LABEL_NONE 0
#define LABEL_OUTSIDE INT32_MAX
#define LABEL_NEW (-1)

typedef struct Tracer {
    const Cells* grid;
    thGeometry* geometry;
    int32_t* labels; // of each cell
    int32_t* queue;  // cells of what was gathered last
    int32_t count;   // of them
    int32_t nextLabel, nextNew;
} Tracer;

// Gathers all that hangs together with a cell and has the same label, and gives it another.
static void gather(Tracer* tracer, int32_t cell, int32_t to)
{
    const int32_t width = tracer->grid->width, all = width * tracer->grid->height;
    const int32_t from = tracer->labels[cell];
    const int32_t steps[] = {-width, -1, 1, width};
    int32_t* queue = tracer->queue;
    queue[0] = cell;
    tracer->labels[cell] = to;
    tracer->count = 1;
    for (int32_t i = 0; i < tracer->count; ++i) {
        tracer->grid->cells[queue[i]] &= (uint8_t)~EDGE_SEEN;
        for (int32_t k = 0; k < 4; ++k) {
            const int32_t next = queue[i] + steps[k];
            // Only from the rim do steps lead out of the grid, or to the other side of it.
            if (next < 0 || next >= all || tracer->labels[next] != from)
                continue;
            tracer->labels[next] = to;
            queue[tracer->count++] = next;
        }
    }
}

// A walk along edges of cells, which keeps what has the label on its left.
typedef struct Walk {
    const Tracer* tracer;
    int32_t label;
    int32_t x, y;      // a corner of cells: that of its own cell with the lower x and y
    int32_t direction; // 0: +x, 1: +y, 2: −x, 3: −y
    bool isWide;       // passes on to cells across a corner, and so leaves what is between apart
} Walk;

static const int32_t stepX[] = {1, 0, -1, 0}, stepY[] = {0, 1, 0, -1};

// Where the cells to the left and right of an edge are, seen from where it begins.
static const int32_t leftX[] = {0, -1, -1, 0}, leftY[] = {0, 0, -1, -1};
static const int32_t rightX[] = {0, 0, -1, -1}, rightY[] = {-1, 0, 0, -1};

static int32_t cellAt(const Walk* walk, int32_t x, int32_t y)
{
    return y * walk->tracer->grid->width + x;
}

// Whether the walk can go on in that direction.
static bool isEdge(const Walk* walk, int32_t direction)
{
    const int32_t* labels = walk->tracer->labels;
    const int32_t left = cellAt(walk, walk->x + leftX[direction], walk->y + leftY[direction]);
    const int32_t right = cellAt(walk, walk->x + rightX[direction], walk->y + rightY[direction]);
    return labels[left] == walk->label && labels[right] != walk->label;
}

// Goes along one edge and turns; returns whether it does.
static bool walkOn(Walk* walk)
{
    const int32_t before = walk->direction;
    if (before == 0)
        walk->tracer->grid->cells[cellAt(walk, walk->x, walk->y)] |= EDGE_SEEN;
    walk->x += stepX[before];
    walk->y += stepY[before];
    const int32_t left = (before + 1) % 4, right = (before + 3) % 4;
    const int32_t first = walk->isWide ? right : left, last = walk->isWide ? left : right;
    walk->direction = isEdge(walk, first) ? first : isEdge(walk, before) ? before : last;
    return walk->direction != before;
}

// What is known of a ring that was followed.
typedef struct Ring {
    int32_t lowY, highY;
    int64_t area; // negative: it runs round something that has another label
} Ring;

// The walk from a corner with the label's lowest y round to it again.
static Ring followRing(Walk walk)
{
    const Walk start = walk;
    Ring ring = {.lowY = walk.y, .highY = walk.y};
    do {
        ring.area += (int64_t)walk.x * stepY[walk.direction];
        (void)walkOn(&walk);
        ring.lowY = TH_MIN(ring.lowY, walk.y);
        ring.highY = TH_MAX(ring.highY, walk.y);
    } while (walk.x != start.x || walk.y != start.y || walk.direction != start.direction);
    return ring;
}

// Rings have more corners than others may have, but their edges are short.
static thResult addRing(Walk walk, thGeometryKind kind)
{
    const Walk start = walk;
    thGeometry* geometry = walk.tracer->geometry;
    const int32_t line = walk.tracer->grid->firstLine + walk.y - 1;
    TH_TRY(thiBeginPart(geometry, kind, line, walk.x));
    const int32_t part = geometry->parts.count - 1;
    do {
        if (walkOn(&walk)) {
            const thCoord corner = {(double)walk.x - 1.0, (double)walk.y - 1.0};
            TH_TRY(thiAddPartPoint(geometry, corner, line, start.x));
        }
    } while (walk.x != start.x || walk.y != start.y || walk.direction != start.direction);
    thGeometryPart* added = &TH_ITEMS(geometry->parts, thGeometryPart)[part];
    added->count = geometry->points.count - added->first;
    return th_resultOk;
}

static Walk walkFrom(const Tracer* tracer, int32_t cell, bool isWide)
{
    return (Walk){.tracer = tracer,
                  .label = tracer->labels[cell],
                  .x = cell % tracer->grid->width,
                  .y = cell / tracer->grid->width,
                  .isWide = isWide};
}

static int32_t cellCount(const Tracer* tracer)
{
    return tracer->grid->width * tracer->grid->height;
}

// What is outside, and then each room.
static thResult addRooms(Tracer* tracer)
{
    const int32_t all = cellCount(tracer);
    for (int32_t i = 0; i < all; ++i)
        tracer->labels[i] = tracer->grid->cells[i] == CELL_BLOCKED ? LABEL_NONE : LABEL_NEW;
    gather(tracer, 0, LABEL_OUTSIDE);
    for (int32_t i = 0; i < all; ++i)
        if (tracer->labels[i] == LABEL_NONE)
            tracer->labels[i] = LABEL_NEW;
    for (int32_t i = 0; i < all; ++i) {
        if (tracer->labels[i] != LABEL_NEW)
            continue;
        gather(tracer, i, tracer->nextLabel++);
        TH_TRY(addRing(walkFrom(tracer, i, false), th_geometryOuter));
    }
    return th_resultOk;
}

// The row at which to cut the island that was gathered, near its middle; −1 if it has no yards.
static int32_t findCut(Tracer* tracer)
{
    const int32_t width = tracer->grid->width;
    int32_t lowY = INT32_MAX, highY = 0, best = -1;
    for (int32_t i = 0; i < tracer->count; ++i) {
        lowY = TH_MIN(lowY, tracer->queue[i] / width);
        highY = TH_MAX(highY, tracer->queue[i] / width);
    }
    const int32_t middle = (lowY + highY + 1) / 2;
    for (int32_t i = 0; i < tracer->count; ++i) {
        const int32_t cell = tracer->queue[i];
        if ((tracer->grid->cells[cell] & EDGE_SEEN) != 0 ||
            tracer->labels[cell - width] == tracer->labels[cell])
            continue;
        const Ring ring = followRing(walkFrom(tracer, cell, true));
        const int32_t row = TH_MAX(TH_MIN(middle, ring.highY), ring.lowY + 1);
        const int32_t off = row < middle ? middle - row : row - middle;
        const int32_t bestOff = best < middle ? middle - best : best - middle;
        if (ring.area < 0 && (best < 0 || off < bestOff))
            best = row;
    }
    return best;
}

static void cut(Tracer* tracer, int32_t row)
{
    const int32_t below = tracer->nextNew--, above = tracer->nextNew--;
    for (int32_t i = 0; i < tracer->count; ++i) {
        const int32_t cell = tracer->queue[i];
        tracer->labels[cell] = cell / tracer->grid->width < row ? below : above;
    }
}

// The first cell of an island is found before all others, also after the island was cut.
static thResult addIslands(Tracer* tracer)
{
    const int32_t all = cellCount(tracer);
    for (int32_t i = 0; i < all; ++i)
        if (tracer->labels[i] != LABEL_OUTSIDE)
            tracer->labels[i] =
                (tracer->grid->cells[i] & CELL_BLOCKED) != 0 ? LABEL_NEW : LABEL_NONE;
    for (int32_t i = 0; i < all; ++i)
        while (tracer->labels[i] < 0) {
            gather(tracer, i, tracer->nextLabel++);
            const int32_t row = findCut(tracer);
            if (row >= 0)
                cut(tracer, row);
            else
                TH_TRY(addRing(walkFrom(tracer, i, true), th_geometryHole));
        }
    return th_resultOk;
}

// Adds the rings. Needs at least one cell that is free. The cells are changed.
static thResult addRings(Cells* grid, thGeometry* geometry)
{
    thMemory* memory = geometry->points.memory;
    const size_t size = (size_t)grid->width * (size_t)grid->height * sizeof(int32_t);
    Tracer tracer = {.grid = grid,
                     .geometry = geometry,
                     .labels = thiAllocate(memory, size),
                     .queue = thiAllocate(memory, size),
                     .nextLabel = 1,
                     .nextNew = LABEL_NEW - 1};
    thResult code = th_resultNoMemory;
    if (tracer.labels != NULL && tracer.queue != NULL) {
        code = addRooms(&tracer);
        if (code == th_resultOk)
            code = addIslands(&tracer);
    } else {
        thiFail(geometry->error, code, "no memory for the map");
    }
    thiRelease(memory, tracer.labels, size);
    thiRelease(memory, tracer.queue, size);
    return code;
}

// Reading.

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
        *cell = CELL_BLOCKED;
    else if (c >= ' ' && c <= '~')
        return thiGeometryError(reader->geometry, reader->line, column + 1,
                                "expected one of .GS (free) or @OTW (blocked), found '%c'", c);
    else
        return thiGeometryError(reader->geometry, reader->line, column + 1,
                                "expected one of .GS (free) or @OTW (blocked), found byte 0x%02x",
                                (unsigned)(unsigned char)c);
    return th_resultOk;
}

static thResult readRow(MapReader* reader, int32_t row, Cells* grid)
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

static thResult readRows(MapReader* reader, Cells* grid)
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
    return addRings(grid, reader->geometry);
}

thResult thiReadGridMap(const char* text, size_t size, thGeometry* geometry)
{
    MapReader reader = {.text = text, .size = size, .geometry = geometry};
    thMemory* memory = geometry->points.memory;
    Cells grid = {0};
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
    memset(grid.cells, CELL_BLOCKED, room);
    const thResult code = readRows(&reader, &grid);
    thiRelease(memory, grid.cells, room);
    return code;
}
