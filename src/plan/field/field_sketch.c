// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Fields drawn as stream lines and as contour lines.

#include "plan/field/field_sketch.h"

#include <math.h>
#include <stdlib.h>

// Stream lines of a field. They begin on a lattice, the longest path first, and go as agents would
// go, bit by bit. Space is divided into cells; a line ends at the goal, or in a cell that another
// line has come through before. So they are evenly spread, where paths come together too.

// About how many lines begin, and in how many steps one goes the distance of the lattice.
#define STARTS 2000.0
#define STEPS 4

// A line that has come into no new cell for so many steps makes no progress and ends.
#define IDLE_STEPS 32

typedef struct Start {
    thPoint place;
    int32_t index;
    double left; // [units]
} Start;

typedef struct Streams {
    const thFieldLines* lines;
    int32_t spacing;       // of the lattice; cells are half as wide [units]
    int32_t columns, rows; // of the lattice
    thArray starts;        // Start
    thArray visitors;      // int32_t of each cell: 1 + the line that came through; 0: none has
    thArray points;        // thSketchPoint of one line
    thArray entered;       // int32_t: the cells that it was the first in
} Streams;

static int64_t countOpen(const thNodeGrid* nodes)
{
    int64_t count = 0;
    for (int32_t i = 0; i < thiNodeCount(nodes); ++i)
        count += nodes->open[i] != 0;
    return count;
}

static Streams beginStreams(const thFieldLines* lines, thMemory* memory)
{
    const thNodeGrid* nodes = lines->nodes;
    const double sides = sqrt((double)countOpen(nodes) / STARTS);
    const double spacing = TH_MIN(TH_MAX(sides, 2.0) * nodes->side, (double)(INT32_MAX / 2));
    Streams streams = {.lines = lines, .spacing = (int32_t)spacing};
    streams.columns = (int32_t)((double)nodes->columns * nodes->side / spacing) + 1;
    streams.rows = (int32_t)((double)nodes->rows * nodes->side / spacing) + 1;
    streams.starts = thiArray(memory, sizeof(Start));
    streams.visitors = thiArray(memory, sizeof(int32_t));
    streams.points = thiArray(memory, sizeof(thSketchPoint));
    streams.entered = thiArray(memory, sizeof(int32_t));
    return streams;
}

static void endStreams(Streams* streams)
{
    thiArrayFree(&streams->starts);
    thiArrayFree(&streams->visitors);
    thiArrayFree(&streams->points);
    thiArrayFree(&streams->entered);
}

static thResult findStarts(Streams* streams)
{
    const thFieldLines* lines = streams->lines;
    const thPoint low = lines->nodes->low;
    for (int32_t i = 0; i < streams->columns * streams->rows; ++i) {
        const double x = low.x + (i % streams->columns + 0.5) * streams->spacing;
        const double y = low.y + (i / streams->columns + 0.5) * streams->spacing;
        if (!(fabs(x) < INT32_MAX && fabs(y) < INT32_MAX))
            continue;
        const thPoint place = {(int32_t)x, (int32_t)y};
        double left;
        if (!thiIsInGrid(lines->nodes, place) || !thiIsClearPlace(lines->space, place, 0.0f) ||
            !lines->begin(lines->field, place, &left))
            continue;
        Start* start = thiArrayAdd(&streams->starts, 1);
        if (start == NULL)
            return th_resultNoMemory;
        *start = (Start){place, i, left};
    }
    return th_resultOk;
}

static int byLength(const void* left, const void* right)
{
    const Start *a = left, *b = right;
    return a->left != b->left ? (a->left < b->left) - (a->left > b->left)
                              : (a->index > b->index) - (a->index < b->index);
}

static thResult clearCells(Streams* streams)
{
    const int32_t count = 4 * streams->columns * streams->rows;
    int32_t* cells = thiArrayAdd(&streams->visitors, count);
    for (int32_t i = 0; cells != NULL && i < count; ++i)
        cells[i] = 0;
    return cells != NULL ? th_resultOk : th_resultNoMemory;
}

static int32_t cellIndex(int32_t low, int32_t at, int32_t width, int32_t count)
{
    const int64_t index = ((int64_t)at - low) / width;
    return (int32_t)TH_MIN(TH_MAX(index, 0), (int64_t)count - 1);
}

enum { isFree, isTaken, hasNoMemory };

// Goes on into the cell of a place: it is taken if another line has come through.
static int enterCell(Streams* streams, thPoint p, int32_t line)
{
    const thPoint low = streams->lines->nodes->low;
    const int32_t width = streams->spacing / 2;
    const int32_t column = cellIndex(low.x, p.x, width, 2 * streams->columns);
    const int32_t row = cellIndex(low.y, p.y, width, 2 * streams->rows);
    const int32_t cell = row * 2 * streams->columns + column;
    int32_t* visitor = &TH_ITEMS(streams->visitors, int32_t)[cell];
    if (*visitor != 0)
        return *visitor == line + 1 ? isFree : isTaken;
    int32_t* entered = thiArrayAdd(&streams->entered, 1);
    if (entered == NULL)
        return hasNoMemory;
    *entered = cell;
    *visitor = line + 1;
    return isFree;
}

// Makes room for others.
static void leaveCells(Streams* streams)
{
    for (int32_t i = 0; i < streams->entered.count; ++i)
        TH_ITEMS(streams->visitors, int32_t)[TH_ITEMS(streams->entered, int32_t)[i]] = 0;
}

static thPoint stepTo(thPoint p, thPoint to, double length)
{
    const double dx = (double)to.x - p.x, dy = (double)to.y - p.y;
    const double share = length / sqrt(dx * dx + dy * dy);
    if (share >= 1.0)
        return to;
    return (thPoint){p.x + (int32_t)lrint(dx * share), p.y + (int32_t)lrint(dy * share)};
}

// Goes on to a point; straight on, the line becomes longer and has no more points.
static bool lengthen(Streams* streams, thPoint to, bool isStraightOn)
{
    thSketchPoint* point =
        isStraightOn && streams->points.count > 1
            ? &TH_ITEMS(streams->points, thSketchPoint)[streams->points.count - 1]
            : thiArrayAdd(&streams->points, 1);
    if (point != NULL)
        *point = (thSketchPoint){to.x, to.y};
    return point != NULL;
}

// What is shorter than the lattice is wide says little.
static bool isLong(const Streams* streams)
{
    const thSketchPoint* points = TH_ITEMS(streams->points, thSketchPoint);
    double length = 0.0;
    for (int32_t i = 1; i < streams->points.count; ++i) {
        const double dx = (double)points[i].x - points[i - 1].x;
        const double dy = (double)points[i].y - points[i - 1].y;
        length += sqrt(dx * dx + dy * dy);
    }
    return length >= streams->spacing;
}

// The points of a line; false when memory is out. Where it makes no progress it ends with the last
// cell that it was the first in.
static bool follow(Streams* streams, int32_t line)
{
    thPoint p = TH_ITEMS(streams->starts, Start)[line].place, target = p;
    streams->points.count = streams->entered.count = 0;
    int cell = enterCell(streams, p, line);
    if (cell == isFree && !lengthen(streams, p, false))
        return false;
    int32_t cells = streams->entered.count, useful = streams->points.count;
    for (int32_t idle = 0; cell == isFree && idle < IDLE_STEPS; ++idle) {
        const thPoint to = streams->lines->follow(streams->lines->field, p);
        if (thiSamePoint(to, p))
            return true;
        p = stepTo(p, to, (double)streams->spacing / STEPS);
        if (!lengthen(streams, p, thiSamePoint(to, target)))
            return false;
        target = to;
        cell = enterCell(streams, p, line);
        if (streams->entered.count == cells)
            continue;
        cells = streams->entered.count;
        useful = streams->points.count;
        idle = 0;
    }
    if (cell == isFree)
        streams->points.count = useful;
    return cell != hasNoMemory;
}

static thResult drawStreams(Streams* streams, thSketch* to)
{
    TH_TRY(findStarts(streams));
    TH_TRY(clearCells(streams));
    Start* starts = TH_ITEMS(streams->starts, Start);
    if (streams->starts.count > 1)
        qsort(starts, (size_t)streams->starts.count, sizeof *starts, byLength);
    for (int32_t i = 0; i < streams->starts.count; ++i) {
        if (!follow(streams, i))
            return th_resultNoMemory;
        if (isLong(streams))
            thSketch_Add(to, th_sketchStream, (float)(starts[i].left / THRONG_UNITS_PER_METRE),
                         TH_ITEMS(streams->points, thSketchPoint), streams->points.count);
        else
            leaveCells(streams);
    }
    return th_resultOk;
}

thResult thiSketchStreams(const thFieldLines* lines, thMemory* memory, thSketch* to)
{
    Streams streams = beginStreams(lines, memory);
    const thResult code = drawStreams(&streams, to);
    endStreams(&streams);
    return code;
}

// Contour lines by marching squares: where the sides of a square of nodes pass a length, the line
// enters or leaves it.

// About how many lengths have a line.
#define LENGTHS 24.0f

static bool isWhole(const thFieldLines* lines, int32_t node)
{
    const thNodeGrid* nodes = lines->nodes;
    const uint8_t here = th_openEast | th_openNorth, there = th_openWest | th_openSouth;
    const int32_t above = node + nodes->columns;
    return (nodes->open[node] & here) == here && (nodes->open[above + 1] & there) == there;
}

static float longestPath(const thFieldLines* lines)
{
    float longest = 0.0f;
    for (int32_t i = 0; i < thiNodeCount(lines->nodes); ++i) {
        const float left = lines->leftAt(lines->field, i);
        longest = left < INFINITY ? TH_MAX(longest, left) : longest;
    }
    return longest;
}

// The least of 0.01, 0.02, 0.05, 0.1 ... that is not less. [m]
static float roundUp(float length)
{
    static const float factors[3] = {2.0f, 2.5f, 2.0f};
    float result = 1.0f;
    for (int32_t i = 0; result < length; ++i)
        result *= factors[i % 3];
    for (int32_t i = 0; i < 6 && result / factors[i % 3] >= length; ++i)
        result /= factors[i % 3];
    return result;
}

// Where the side from one node to another passes a length.
static thSketchPoint pointBetween(thPoint a, thPoint b, float fromA, float fromB, float length)
{
    const float share = (length - fromA) / (fromB - fromA);
    return (thSketchPoint){a.x + (int32_t)((float)(b.x - a.x) * share),
                           a.y + (int32_t)((float)(b.y - a.y) * share)};
}

// The line of one length through a square, whose corners go round.
static void crossSquare(const thPoint* corners, const float* lefts, float length, thSketch* to)
{
    thSketchPoint ends[4];
    int32_t count = 0;
    for (int32_t i = 0, k = 1; i < 4; ++i, k = (k + 1) % 4)
        if ((lefts[i] < length) != (lefts[k] < length))
            ends[count++] = pointBetween(corners[i], corners[k], lefts[i], lefts[k], length);
    for (int32_t i = 0; i < count; i += 2)
        thSketch_Add(to, th_sketchContour, length, &ends[i], 2);
}

static void sketchSquare(const thFieldLines* lines, int32_t node, float every, thSketch* to)
{
    const thNodeGrid* nodes = lines->nodes;
    const int32_t round[4] = {node, node + 1, node + nodes->columns + 1, node + nodes->columns};
    thPoint corners[4];
    float lefts[4], least = FLT_MAX, most = 0.0f;
    for (int32_t i = 0; i < 4; ++i) {
        corners[i] = thiNodePlace(nodes, round[i]);
        lefts[i] = lines->leftAt(lines->field, round[i]);
        least = TH_MIN(least, lefts[i]);
        most = TH_MAX(most, lefts[i]);
    }
    if (most == INFINITY)
        return;
    for (int32_t i = TH_MAX((int32_t)(least / every), 1); (float)i * every <= most; ++i)
        crossSquare(corners, lefts, (float)i * every, to);
}

void thiSketchContours(const thFieldLines* lines, thSketch* to)
{
    const thNodeGrid* nodes = lines->nodes;
    const float every = roundUp(longestPath(lines) / LENGTHS);
    // The outermost nodes are never open.
    for (int32_t row = 1; row + 2 < nodes->rows; ++row)
        for (int32_t column = 1; column + 2 < nodes->columns; ++column)
            if (isWhole(lines, row * nodes->columns + column))
                sketchSquare(lines, row * nodes->columns + column, every, to);
}
