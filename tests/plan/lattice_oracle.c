// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Shortest paths of a point between corners of cells, by looking at all pairs.

#include "plan/lattice_oracle.h"

#include "gear/gear.h"

#include <stdlib.h>

// In halves of a cell, so that centres are whole numbers.
typedef struct Spot {
    int64_t x, y;
} Spot;

struct Lattice {
    GridMap map; // the caller's
    bool slips;
    Spot* corners;
    int32_t count;
    uint8_t* sees; // count × count
};

static bool isBlocked(const GridMap* map, int64_t x, int64_t y)
{
    return x < 0 || y < 0 || x >= map->width || y >= map->height || !map->cells[y * map->width + x];
}

// Two blocked cells that meet in this corner only.
static bool isPinch(const GridMap* map, int64_t x, int64_t y)
{
    const bool a = isBlocked(map, x - 1, y - 1), b = isBlocked(map, x, y - 1);
    const bool c = isBlocked(map, x - 1, y), d = isBlocked(map, x, y);
    return (a && d && !b && !c) || (b && c && !a && !d);
}

static int64_t floorOf(int64_t top, int64_t bottom) // bottom > 0
{
    return top >= 0 ? top / bottom : -((-top + bottom - 1) / bottom);
}

// Along a line of the lattice there is room on one side at least, all the way.
static bool seesAlongLine(const Lattice* lattice, Spot a, Spot b)
{
    const GridMap* map = &lattice->map;
    const bool level = a.y == b.y;
    const int64_t at = (level ? a.y : a.x) / 2;
    const int64_t low = level ? a.x : a.y, high = level ? b.x : b.y;
    for (int64_t cell = floorOf(low, 2); 2 * cell < high; ++cell) {
        const bool one = level ? isBlocked(map, cell, at - 1) : isBlocked(map, at - 1, cell);
        const bool other = level ? isBlocked(map, cell, at) : isBlocked(map, at, cell);
        if (one && other)
            return false;
        const bool inside = 2 * cell > low;
        if (inside && !lattice->slips && (level ? isPinch(map, cell, at) : isPinch(map, at, cell)))
            return false;
    }
    return true;
}

// Whether no blocked cell is entered, and no pinch passed.
static bool sees(const Lattice* lattice, Spot a, Spot b)
{
    const GridMap* map = &lattice->map;
    if (b.x < a.x || (b.x == a.x && b.y < a.y)) {
        const Spot other = a;
        a = b;
        b = other;
    }
    const int64_t dx = b.x - a.x, dy = b.y - a.y;
    if ((dx == 0 && a.x % 2 == 0) || (dy == 0 && a.y % 2 == 0))
        return seesAlongLine(lattice, a, b);
    for (int64_t column = floorOf(a.x, 2); column == floorOf(a.x, 2) || 2 * column < b.x;
         ++column) {
        const int64_t from = 2 * column > a.x ? 2 * column : a.x;
        const int64_t to = 2 * column + 2 < b.x ? 2 * column + 2 : b.x;
        // Heights times dx at both ends of the column.
        int64_t low = dx > 0 ? a.y * dx + dy * (from - a.x) : a.y;
        int64_t high = dx > 0 ? a.y * dx + dy * (to - a.x) : b.y;
        const int64_t unit = dx > 0 ? dx : 1;
        if (low > high) {
            const int64_t other = low;
            low = high;
            high = other;
        }
        for (int64_t row = floorOf(low, 2 * unit); 2 * row * unit < high || low == high; ++row) {
            if ((2 * row + 2) * unit > low && isBlocked(map, column, row))
                return false;
            if (low == high)
                break;
        }
        const int64_t height = a.y * unit + dy * (2 * column - a.x);
        if (dx > 0 && 2 * column > a.x && height % (2 * unit) == 0 &&
            isPinch(map, column, height / (2 * unit)))
            return false;
    }
    return true;
}

static int32_t countBlocked(const GridMap* map, int64_t x, int64_t y)
{
    return isBlocked(map, x - 1, y - 1) + isBlocked(map, x, y - 1) + isBlocked(map, x - 1, y) +
           isBlocked(map, x, y);
}

Lattice* makeLattice(const GridMap* map, bool slips)
{
    Lattice* lattice = calloc(1, sizeof *lattice);
    assert_non_null(lattice);
    lattice->map = *map;
    lattice->slips = slips;
    const size_t points = (size_t)(map->width + 1) * (size_t)(map->height + 1);
    lattice->corners = malloc(points * sizeof(Spot));
    assert_non_null(lattice->corners);
    for (int32_t y = 0; y <= map->height; ++y)
        for (int32_t x = 0; x <= map->width; ++x)
            if (countBlocked(map, x, y) == 1)
                lattice->corners[lattice->count++] = (Spot){2 * x, 2 * y};
    const size_t count = (size_t)lattice->count;
    lattice->sees = malloc(count * count + 1);
    assert_non_null(lattice->sees);
    for (size_t a = 0; a < count; ++a)
        for (size_t b = 0; b <= a; ++b)
            lattice->sees[a * count + b] = lattice->sees[b * count + a] =
                sees(lattice, lattice->corners[a], lattice->corners[b]);
    return lattice;
}

void freeLattice(Lattice* lattice)
{
    free(lattice->corners);
    free(lattice->sees);
    free(lattice);
}

static double apart(Spot a, Spot b)
{
    return 0.5 * hypot((double)(a.x - b.x), (double)(a.y - b.y));
}

// Dijkstra, without a heap.
double latticeLength(const Lattice* lattice, int32_t startX, int32_t startY, int32_t goalX,
                     int32_t goalY)
{
    const Spot start = {2 * startX + 1, 2 * startY + 1}, goal = {2 * goalX + 1, 2 * goalY + 1};
    if (sees(lattice, start, goal))
        return apart(start, goal);
    const size_t count = (size_t)lattice->count;
    double* lengths = malloc((count + 1) * sizeof *lengths);
    uint8_t* done = calloc(count + 1, 1);
    assert_true(lengths != NULL && done != NULL);
    for (size_t i = 0; i < count; ++i)
        lengths[i] = sees(lattice, start, lattice->corners[i]) ? apart(start, lattice->corners[i])
                                                               : INFINITY;
    double best = INFINITY;
    for (;;) {
        size_t nearest = count;
        for (size_t i = 0; i < count; ++i)
            if (!done[i] && lengths[i] < best &&
                (nearest == count || lengths[i] < lengths[nearest]))
                nearest = i;
        if (nearest == count)
            break;
        done[nearest] = 1;
        const Spot at = lattice->corners[nearest];
        if (sees(lattice, at, goal))
            best = fmin(best, lengths[nearest] + apart(at, goal));
        for (size_t i = 0; i < count; ++i)
            if (lattice->sees[nearest * count + i])
                lengths[i] = fmin(lengths[i], lengths[nearest] + apart(at, lattice->corners[i]));
    }
    free(lengths);
    free(done);
    return best;
}
