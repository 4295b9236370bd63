// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Polygons round the ends of walls, legs between their vertices, and Dijkstra over them.

#include "plan/disc_oracle.h"

#include "gear/gear.h"

#include <math.h>
#include <stdlib.h>

#define PARTS 48      // sides of a polygon
#define ROUNDING 1e-9 // [m]

typedef struct Vertex {
    double x, y;
    int32_t corner;
    double beforeX, beforeY, afterX, afterY; // from the vertices next to it on its polygon
} Vertex;

struct DiscOracle {
    DiscWall* walls;
    int32_t wallCount;
    double least; // distance of legs from walls
    Vertex* vertices;
    int32_t count;
    int32_t* first; // where the neighbours of each vertex begin; one more than vertices
    int32_t* neighbours;
};

static double distanceOfPoint(const DiscWall* wall, double x, double y)
{
    const double dx = wall->bx - wall->ax, dy = wall->by - wall->ay, square = dx * dx + dy * dy;
    const double along = (x - wall->ax) * dx + (y - wall->ay) * dy;
    const double share = square > 0.0 ? fmin(fmax(along / square, 0.0), 1.0) : 0.0;
    return hypot(wall->ax + share * dx - x, wall->ay + share * dy - y);
}

static double sideOf(double ax, double ay, double bx, double by, double x, double y)
{
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax);
}

static double distanceOfWall(const DiscWall* wall, double ax, double ay, double bx, double by)
{
    const double a = sideOf(ax, ay, bx, by, wall->ax, wall->ay);
    const double b = sideOf(ax, ay, bx, by, wall->bx, wall->by);
    const double from = sideOf(wall->ax, wall->ay, wall->bx, wall->by, ax, ay);
    const double to = sideOf(wall->ax, wall->ay, wall->bx, wall->by, bx, by);
    if (a * b < 0.0 && from * to < 0.0)
        return 0.0;
    const DiscWall leg = {ax, ay, bx, by};
    return fmin(
        fmin(distanceOfPoint(wall, ax, ay), distanceOfPoint(wall, bx, by)),
        fmin(distanceOfPoint(&leg, wall->ax, wall->ay), distanceOfPoint(&leg, wall->bx, wall->by)));
}

double distanceOfLeg(const DiscWall* walls, int32_t count, double ax, double ay, double bx,
                     double by)
{
    double least = INFINITY;
    for (int32_t i = 0; i < count; ++i)
        least = fmin(least, distanceOfWall(&walls[i], ax, ay, bx, by));
    return least;
}

static bool isClear(const DiscOracle* oracle, double ax, double ay, double bx, double by)
{
    const double least = oracle->least - ROUNDING;
    const double lowX = fmin(ax, bx) - least, highX = fmax(ax, bx) + least;
    const double lowY = fmin(ay, by) - least, highY = fmax(ay, by) + least;
    for (int32_t i = 0; i < oracle->wallCount; ++i) {
        const DiscWall* wall = &oracle->walls[i];
        if (fmax(wall->ax, wall->bx) >= lowX && fmin(wall->ax, wall->bx) <= highX &&
            fmax(wall->ay, wall->by) >= lowY && fmin(wall->ay, wall->by) <= highY &&
            distanceOfWall(wall, ax, ay, bx, by) < least)
            return false;
    }
    return true;
}

// Whether a leg along (dx, dy) has its vertex's polygon on one side: no shortest path has others.
static bool isTautAt(const Vertex* v, double dx, double dy)
{
    const double before = dx * v->beforeY - dy * v->beforeX;
    const double after = dx * v->afterY - dy * v->afterX;
    return (before >= -ROUNDING && after >= -ROUNDING) || (before <= ROUNDING && after <= ROUNDING);
}

static void addVertices(DiscOracle* oracle, int32_t corner, double x, double y, double reach)
{
    const double part = 2.0 * acos(-1.0) / PARTS;
    for (int32_t i = 0; i < PARTS; ++i) {
        Vertex v = {.corner = corner};
        v.x = x + reach * cos(i * part);
        v.y = y + reach * sin(i * part);
        v.beforeX = x + reach * cos((i - 1) * part) - v.x;
        v.beforeY = y + reach * sin((i - 1) * part) - v.y;
        v.afterX = x + reach * cos((i + 1) * part) - v.x;
        v.afterY = y + reach * sin((i + 1) * part) - v.y;
        if (isClear(oracle, v.x, v.y, v.x, v.y))
            oracle->vertices[oracle->count++] = v;
    }
}

static void joinVertices(DiscOracle* oracle)
{
    int32_t capacity = 1024, count = 0;
    oracle->first = malloc(((size_t)oracle->count + 1) * sizeof *oracle->first);
    oracle->neighbours = malloc((size_t)capacity * sizeof *oracle->neighbours);
    assert_true(oracle->first != NULL && oracle->neighbours != NULL);
    for (int32_t i = 0; i < oracle->count; ++i) {
        const Vertex* a = &oracle->vertices[i];
        oracle->first[i] = count;
        for (int32_t k = 0; k < oracle->count; ++k) {
            const Vertex* b = &oracle->vertices[k];
            const double dx = b->x - a->x, dy = b->y - a->y;
            if (k == i || !isTautAt(a, dx, dy) || !isTautAt(b, dx, dy) ||
                !isClear(oracle, a->x, a->y, b->x, b->y))
                continue;
            if (count == capacity) {
                capacity *= 2;
                oracle->neighbours =
                    realloc(oracle->neighbours, (size_t)capacity * sizeof *oracle->neighbours);
                assert_non_null(oracle->neighbours);
            }
            oracle->neighbours[count++] = k;
        }
    }
    oracle->first[oracle->count] = count;
}

DiscOracle* makeDiscOracle(const DiscWall* walls, int32_t count, double radius, DiscBound bound)
{
    const double half = acos(-1.0) / PARTS;
    DiscOracle* oracle = calloc(1, sizeof *oracle);
    assert_non_null(oracle);
    oracle->wallCount = count;
    oracle->least = bound == upperBound ? radius : radius * cos(half);
    oracle->walls = malloc(((size_t)count + 1) * sizeof *walls);
    oracle->vertices = malloc(((size_t)count * 2 + 1) * PARTS * sizeof(Vertex));
    assert_true(oracle->walls != NULL && oracle->vertices != NULL);
    for (int32_t i = 0; i < count; ++i)
        oracle->walls[i] = walls[i];
    for (int32_t i = 0; i < 2 * count; ++i) { // each end once
        const double x = i % 2 == 0 ? walls[i / 2].ax : walls[i / 2].bx;
        const double y = i % 2 == 0 ? walls[i / 2].ay : walls[i / 2].by;
        bool known = false;
        for (int32_t k = 0; k < i && !known; ++k)
            known = x == (k % 2 == 0 ? walls[k / 2].ax : walls[k / 2].bx) &&
                    y == (k % 2 == 0 ? walls[k / 2].ay : walls[k / 2].by);
        if (!known)
            addVertices(oracle, i, x, y, bound == upperBound ? radius / cos(half) : radius);
    }
    joinVertices(oracle);
    return oracle;
}

void freeDiscOracle(DiscOracle* oracle)
{
    free(oracle->walls);
    free(oracle->vertices);
    free(oracle->first);
    free(oracle->neighbours);
    free(oracle);
}

typedef struct Label {
    double length; // from the start
    int32_t from;  // the vertex before; −1: the start
    bool settled;
} Label;

static int32_t countCorners(const DiscOracle* oracle, const Label* labels, int32_t last)
{
    int32_t count = 0;
    for (int32_t i = last, corner = -1; i >= 0; i = labels[i].from) {
        count += oracle->vertices[i].corner != corner;
        corner = oracle->vertices[i].corner;
    }
    return count;
}

DiscPath findDiscPath(const DiscOracle* oracle, thVec2 from, thVec2 to)
{
    const double ax = (double)from.x, ay = (double)from.y, bx = (double)to.x, by = (double)to.y;
    if (isClear(oracle, ax, ay, bx, by))
        return (DiscPath){.length = hypot(bx - ax, by - ay)};
    const int32_t count = oracle->count;
    Label* labels = malloc(((size_t)count + 1) * sizeof *labels);
    assert_non_null(labels);
    for (int32_t i = 0; i < count; ++i) {
        const Vertex* v = &oracle->vertices[i];
        const bool sees = isTautAt(v, v->x - ax, v->y - ay) && isClear(oracle, ax, ay, v->x, v->y);
        labels[i] = (Label){sees ? hypot(v->x - ax, v->y - ay) : INFINITY, -1, false};
    }
    double best = INFINITY;
    int32_t last = -1;
    for (;;) {
        int32_t next = -1;
        for (int32_t i = 0; i < count; ++i)
            if (!labels[i].settled && labels[i].length < (next < 0 ? best : labels[next].length))
                next = i;
        if (next < 0)
            break;
        labels[next].settled = true;
        const Vertex* v = &oracle->vertices[next];
        const double whole = labels[next].length + hypot(bx - v->x, by - v->y);
        if (whole < best && isTautAt(v, bx - v->x, by - v->y) &&
            isClear(oracle, v->x, v->y, bx, by)) {
            best = whole;
            last = next;
        }
        for (int32_t k = oracle->first[next]; k < oracle->first[next + 1]; ++k) {
            const int32_t i = oracle->neighbours[k];
            const double length = labels[next].length +
                                  hypot(oracle->vertices[i].x - v->x, oracle->vertices[i].y - v->y);
            if (length < labels[i].length)
                labels[i] = (Label){length, next, false};
        }
    }
    const DiscPath path = {best, countCorners(oracle, labels, last)};
    free(labels);
    return path;
}
