// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Building grids of nodes among walls, row by row, and fields that start from the parts of a goal.

#include "plan/flow/flow_field.h"

#include "geom/fixed.h"
#include "plan/route/route_aim.h"

#include <math.h>
#include <stdlib.h>

// Nodes on each side of the walls' box, the closed one at the border included. Outside there is
// nothing to walk round.
#define MARGIN_NODES 3

// Rows whose walls are looked for at once.
#define BLOCK_ROWS 8

// A node from which a wall is so near that it must be looked at; only while rows are built.
#define NEAR_WALL (1u << 7)

// Sources start at nodes within this many sides.
#define SEED_SIDES 2.0

// Samples of an edge of a goal: this many for each side, and no more than that in all.
#define SAMPLES_PER_SIDE 4.0
#define MAX_SAMPLES 4096

// Places next to a goal are found to a share of the side, and to a few millimetres. [units]
#define LEAST_SHARE 64
#define LEAST_STEP (THRONG_UNITS_PER_METRE / 256)

// A step to a nearer place brings at least this share of it.
#define LEAST_GAIN 0.0625

// Sixteen ways to go, in halves of a step.
#define DIRECTIONS 16
static const thPoint directions[DIRECTIONS] = {
    {2, 0}, {0, 2}, {-2, 0}, {0, -2}, {2, 2},   {-2, 2},  {-2, -2}, {2, -2},
    {2, 1}, {1, 2}, {-1, 2}, {-2, 1}, {-2, -1}, {-1, -2}, {1, -2},  {2, -1}};

typedef struct Box {
    int64_t lowX, lowY, highX, highY;
} Box;

static Box boxOfWalls(const thWalls* walls, int32_t level)
{
    Box box = {INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN};
    for (int32_t i = 0; i < walls->count; ++i) {
        if (walls->level[i] != level)
            continue;
        box.lowX = TH_MIN(box.lowX, TH_MIN(walls->ax[i], walls->bx[i]));
        box.lowY = TH_MIN(box.lowY, TH_MIN(walls->ay[i], walls->by[i]));
        box.highX = TH_MAX(box.highX, TH_MAX(walls->ax[i], walls->bx[i]));
        box.highY = TH_MAX(box.highY, TH_MAX(walls->ay[i], walls->by[i]));
    }
    return box;
}

static int64_t floorDivide(int64_t value, int64_t by)
{
    return value / by - (value % by < 0);
}

// Nodes are at odd multiples of half a side, so that walls at multiples of the side, which maps
// made of squares have, run between them. Returns how many there are.
static int64_t layOut(thNodeGrid* nodes, const Box* box, double clearance)
{
    const int64_t side = nodes->side;
    const int64_t margin = MARGIN_NODES + (int64_t)ceil(clearance / (double)side);
    const int64_t column = floorDivide(box->lowX, side) - margin;
    const int64_t row = floorDivide(box->lowY, side) - margin;
    const int64_t columns = floorDivide(box->highX, side) + margin - column + 1;
    const int64_t rows = floorDivide(box->highY, side) + margin - row + 1;
    nodes->low = (thPoint){(int32_t)(column * side + side / 2), (int32_t)(row * side + side / 2)};
    nodes->columns = (int32_t)columns;
    nodes->rows = (int32_t)rows;
    return columns * rows;
}

thResult thiFlowGridBegin(thMemory* memory, const thFrame* frame, int32_t level, float radius,
                          float cell, int32_t limit, thFlowGrid* grid)
{
    *grid = (thFlowGrid){
        .memory = memory, .level = level, .nodes = {.side = TH_MAX(thiUnits(cell), 2)}};
    const Box box = boxOfWalls(frame->walls, level);
    thNodeGrid* nodes = &grid->nodes;
    TH_TRY(thiCreateRouteSpace(memory, frame, level, radius + TH_ROUTE_SLACK, &grid->space));
    if (box.lowX > box.highX)
        return th_resultOk;
    grid->needed = layOut(nodes, &box, (double)radius * THRONG_UNITS_PER_METRE);
    grid->tooLarge = grid->needed > limit;
    if (grid->tooLarge) {
        nodes->columns = nodes->rows = 0;
        return th_resultOk;
    }
    nodes->open = thiAllocateZero(memory, (size_t)thiNodeCount(nodes));
    if (nodes->open == NULL) {
        thiFlowGridFree(grid);
        return th_resultNoMemory;
    }
    return th_resultOk;
}

void thiFlowGridFree(thFlowGrid* grid)
{
    if (grid->memory == NULL)
        return;
    thiDestroyRouteSpace(grid->space);
    thiRelease(grid->memory, grid->nodes.open, (size_t)thiNodeCount(&grid->nodes));
    *grid = (thFlowGrid){0};
}

// A wall's part near a row of nodes, as a range of x.
static void wallNearRow(const thWalls* walls, int32_t i, double y, double reach, double* from,
                        double* to)
{
    double ax = walls->ax[i], bx = walls->bx[i];
    const double ay = walls->ay[i], by = walls->by[i];
    if (ay != by) {
        const double slope = (bx - ax) / (by - ay);
        const double low = TH_MIN(TH_MAX(y - reach, TH_MIN(ay, by)), TH_MAX(ay, by));
        const double high = TH_MIN(TH_MAX(y + reach, TH_MIN(ay, by)), TH_MAX(ay, by));
        bx = ax + (high - ay) * slope;
        ax += (low - ay) * slope;
    }
    *from = TH_MIN(ax, bx) - reach;
    *to = TH_MAX(ax, bx) + reach;
}

// Columns or rows between two coordinates, in `count` of them.
static int32_t indexFrom(double place, int32_t low, int32_t side, int32_t count)
{
    return (int32_t)TH_MIN(TH_MAX(ceil((place - low) / side), 0.0), (double)count);
}

static void markWall(thNodeGrid* nodes, const thWalls* walls, int32_t i, double reach,
                     int32_t rowBegin, int32_t rowEnd)
{
    const double low = TH_MIN(walls->ay[i], walls->by[i]) - reach;
    const double high = TH_MAX(walls->ay[i], walls->by[i]) + reach;
    rowBegin = TH_MAX(rowBegin, indexFrom(low, nodes->low.y, nodes->side, nodes->rows));
    rowEnd = TH_MIN(rowEnd, indexFrom(high, nodes->low.y, nodes->side, nodes->rows));
    for (int32_t row = rowBegin; row < rowEnd; ++row) {
        double from, to;
        wallNearRow(walls, i, nodes->low.y + (double)row * nodes->side, reach, &from, &to);
        const int32_t end = indexFrom(to, nodes->low.x, nodes->side, nodes->columns);
        uint8_t* open = &nodes->open[row * nodes->columns];
        for (int32_t c = indexFrom(from, nodes->low.x, nodes->side, nodes->columns); c < end; ++c)
            open[c] |= NEAR_WALL;
    }
}

static void join(const thFlowGrid* grid, int32_t node, int32_t other, uint8_t bit, uint8_t back)
{
    uint8_t* open = grid->nodes.open;
    if ((open[node] & open[other] & th_openNode) == 0)
        return;
    if (((open[node] | open[other]) & NEAR_WALL) != 0 &&
        !thiIsClearLeg(grid->space, thiNodePlace(&grid->nodes, node),
                       thiNodePlace(&grid->nodes, other), 0.0f))
        return;
    open[node] |= bit;
    open[other] |= back;
}

// Between nodes that are not near a wall there is none, so both are in solid or both are not.
static void openRow(const thFlowGrid* grid, int32_t row)
{
    const thNodeGrid* nodes = &grid->nodes;
    uint8_t* open = nodes->open;
    if (row == 0 || row == nodes->rows - 1)
        return;
    for (int32_t column = 1; column < nodes->columns - 1; ++column) {
        const int32_t node = row * nodes->columns + column;
        const bool known = column > 1 && ((open[node] | open[node - 1]) & NEAR_WALL) == 0;
        const bool isOpen = known ? (open[node - 1] & th_openNode) != 0
                                  : thiIsClearPlace(grid->space, thiNodePlace(nodes, node), 0.0f);
        open[node] |= isOpen ? th_openNode : 0;
        join(grid, node, node - 1, th_openWest, th_openEast);
        join(grid, node, node - nodes->columns, th_openSouth, th_openNorth);
    }
}

static void clearMarks(thNodeGrid* nodes, int32_t row)
{
    for (int32_t i = row * nodes->columns; i < (row + 1) * nodes->columns; ++i)
        nodes->open[i] &= (uint8_t)~NEAR_WALL;
}

// Rows come in blocks, so that how the work is cut changes nothing.
void thiFlowGridBuild(thFlowGrid* grid, const thFrame* frame, int32_t level, int64_t* count)
{
    thNodeGrid* nodes = &grid->nodes;
    const thWalls* walls = frame->walls;
    const double reach =
        (double)thiRouteRadius(grid->space) * THRONG_UNITS_PER_METRE + (double)nodes->side;
    while (*count > 0 && grid->rowsDone < nodes->rows) {
        const int32_t begin = grid->rowsDone, end = TH_MIN(begin + BLOCK_ROWS, nodes->rows);
        for (int32_t i = 0; i < walls->count; ++i)
            if (walls->level[i] == level)
                markWall(nodes, walls, i, reach, begin, end);
        for (int32_t row = begin; row < end; ++row) {
            openRow(grid, row);
            if (row > 0)
                clearMarks(nodes, row - 1);
        }
        if (end == nodes->rows)
            clearMarks(nodes, end - 1);
        grid->rowsDone = end;
        *count -= (int64_t)(end - begin) * nodes->columns;
    }
}

// Where the paths of a field end: the parts of its goal where the disc has room, or where there are
// none the places next to it.

static bool hasRoom(const thFlowGrid* grid, thPoint p)
{
    return thiIsClearPlace(grid->space, p, 0.0f);
}

static thPoint between(thPoint a, thPoint b, double share)
{
    return (thPoint){(int32_t)lrint(a.x + ((double)b.x - a.x) * share),
                     (int32_t)lrint(a.y + ((double)b.y - a.y) * share)};
}

static thResult addSource(thFlowField* field, thPoint a, thPoint b, double radius)
{
    const thAnchor source = {.a = a, .b = b, .radius = radius, .next = -1};
    return thiEikonalAddSource(&field->lengths, &source, SEED_SIDES * field->grid->nodes.side);
}

// Where on an edge the room begins or ends, between one share that has it and one that has none.
static double edgeOfRoom(const thFlowGrid* grid, thPoint a, thPoint b, double with, double without)
{
    for (int32_t i = 0; i < 12; ++i) {
        const double middle = 0.5 * (with + without);
        *(hasRoom(grid, between(a, b, middle)) ? &with : &without) = middle;
    }
    return with;
}

// The parts of an edge of the goal where there is room for the disc.
static thResult addEdge(thFlowField* field, thPoint a, thPoint b)
{
    const thFlowGrid* grid = field->grid;
    const double dx = (double)b.x - a.x, dy = (double)b.y - a.y;
    const double wanted = ceil(sqrt(dx * dx + dy * dy) / grid->nodes.side * SAMPLES_PER_SIDE);
    const int32_t count = (int32_t)TH_MIN(TH_MAX(wanted, 1.0), (double)MAX_SAMPLES);
    bool before = false;
    double begin = 0.0;
    for (int32_t i = 0; i <= count; ++i) {
        const double here = (double)i / count, last = (double)(i - 1) / count;
        const bool now = hasRoom(grid, between(a, b, here));
        if (now && !before)
            begin = i == 0 ? 0.0 : edgeOfRoom(grid, a, b, here, last);
        if (before && (!now || i == count)) {
            const double end = now ? 1.0 : edgeOfRoom(grid, a, b, last, here);
            TH_TRY(addSource(field, between(a, b, begin), between(a, b, end), 0.0));
        }
        before = now;
    }
    return th_resultOk;
}

static thPoint shapePoint(const thFrame* frame, const thGoalShape* shape, int32_t index)
{
    thPoint p;
    thFrame_GetShapePoint(frame, shape, index, &p.x, &p.y);
    return p;
}

static thResult addShape(thFlowField* field, const thFrame* frame, const thGoalShape* shape)
{
    const thPoint first = shapePoint(frame, shape, 0);
    if (shape->kind == th_goalDisc)
        return addSource(field, first, first, (double)shape->radius * THRONG_UNITS_PER_METRE);
    if (shape->kind == th_goalPoint)
        return hasRoom(field->grid, first) ? addSource(field, first, first, 0.0) : th_resultOk;
    for (int32_t i = 0; i + 1 < shape->count; ++i)
        TH_TRY(addEdge(field, shapePoint(frame, shape, i), shapePoint(frame, shape, i + 1)));
    if (shape->kind == th_goalPolygon)
        TH_TRY(addEdge(field, shapePoint(frame, shape, shape->count - 1), first));
    return th_resultOk;
}

static thPoint nearestOfShape(const thFrame* frame, const thGoalShape* shape, thPoint p)
{
    thPoint place;
    thFrame_NearestShapePoint(frame, shape, p.x, p.y, &place.x, &place.y);
    return place;
}

static double lengthOf(thPoint a, thPoint b)
{
    const double dx = (double)b.x - a.x, dy = (double)b.y - a.y;
    return sqrt(dx * dx + dy * dy);
}

// A place near a goal that has no room itself.
typedef struct Nearby {
    const thFlowField* field;
    const thFrame* frame;
    const thGoalShape* shape;
    thPoint at;
    double far; // from the goal
} Nearby;

// Whether a point could go straight from a place to the nearest one of the goal.
static bool seesGoal(const Nearby* nearby, thPoint p)
{
    const thRouteSpace* space = nearby->field->grid->space;
    return thiIsClearLeg(space, p, nearestOfShape(nearby->frame, nearby->shape, p),
                         thiRouteRadius(space));
}

// Goes to a place if that is nearer by `gain`.
static bool tryNearer(Nearby* nearby, thPoint at, double gain)
{
    const double far = lengthOf(at, nearestOfShape(nearby->frame, nearby->shape, at));
    if (far + gain > nearby->far ||
        !thiIsClearLeg(nearby->field->grid->space, nearby->at, at, 0.0f) || !seesGoal(nearby, at))
        return false;
    nearby->at = at;
    nearby->far = far;
    return true;
}

// From the node nearer and nearer to the goal, in ever smaller steps: where the disc meets a wall
// it goes along it.
static void comeNear(Nearby* nearby)
{
    const int32_t side = nearby->field->grid->nodes.side;
    for (int32_t step = side; step > TH_MIN(side / LEAST_SHARE, LEAST_STEP); step /= 2)
        for (int32_t i = 0; i < DIRECTIONS;) {
            const thPoint next = {nearby->at.x + directions[i].x * (step / 2),
                                  nearby->at.y + directions[i].y * (step / 2)};
            i = tryNearer(nearby, next, LEAST_GAIN * step) ? 0 : i + 1;
        }
}

// How far from a place next to a goal nodes may be that start from there. [units]
static double reachOfNearby(const thFlowGrid* grid)
{
    return (double)thiRouteRadius(grid->space) * THRONG_UNITS_PER_METRE +
           SEED_SIDES * grid->nodes.side;
}

// Where paths end that lead over a node: as near to the goal as the disc can come from there.
static thResult addNearby(thFlowField* field, const thFrame* frame, const thGoalShape* shape,
                          int32_t node)
{
    const thFlowGrid* grid = field->grid;
    const double reach = reachOfNearby(grid);
    const thPoint p = thiNodePlace(&grid->nodes, node);
    Nearby nearby = {.field = field, .frame = frame, .shape = shape, .at = p};
    nearby.far = lengthOf(p, nearestOfShape(frame, shape, p));
    if ((grid->nodes.open[node] & th_openNode) == 0 || nearby.far == 0.0 || nearby.far > reach ||
        !seesGoal(&nearby, p))
        return th_resultOk;
    comeNear(&nearby);
    field->isTight = true;
    const thAnchor source = {.a = nearby.at, .b = nearby.at, .left = nearby.far, .next = -1};
    return thiEikonalAddSource(&field->lengths, &source, reach);
}

static thResult addNearbyOf(thFlowField* field, const thFrame* frame, const thGoalShape* shape)
{
    for (int32_t node = 0; node < thiNodeCount(&field->grid->nodes); ++node)
        TH_TRY(addNearby(field, frame, shape, node));
    return th_resultOk;
}

// The same sources again.
static thResult addFormer(thFlowField* field, const thFlowSources* sources)
{
    const double reach =
        sources->isTight ? reachOfNearby(field->grid) : SEED_SIDES * field->grid->nodes.side;
    field->isTight = sources->isTight;
    for (int32_t i = 0; i < sources->anchors.count; ++i)
        TH_TRY(
            thiEikonalAddSource(&field->lengths, &TH_ITEMS(sources->anchors, thAnchor)[i], reach));
    return th_resultOk;
}

static thResult addSources(thFlowField* field, const thFrame* frame, int32_t goal,
                           const thFlowSources* sources)
{
    const int32_t count = thFrame_GetGoalShapes(frame, goal, NULL, 0);
    const size_t size = (size_t)count * sizeof(thGoalShape);
    thGoalShape* shapes = thiAllocate(field->grid->memory, size);
    if (count > 0 && shapes == NULL)
        return th_resultNoMemory;
    (void)thFrame_GetGoalShapes(frame, goal, shapes, count);
    thResult code = sources != NULL ? addFormer(field, sources) : th_resultOk;
    for (int32_t i = 0; i < count && code == th_resultOk && sources == NULL; ++i)
        code = addShape(field, frame, &shapes[i]);
    const bool hasSources = sources != NULL || field->lengths.anchors.count > 0;
    for (int32_t i = 0; i < count && code == th_resultOk && !hasSources; ++i)
        code = addNearbyOf(field, frame, &shapes[i]);
    field->sourceCount = field->lengths.anchors.count;
    field->whyNone = thiWhyNoPath(frame, shapes, count, field->grid->level,
                                  "no way leads from here to the goal that is wide enough");
    thiRelease(field->grid->memory, shapes, size);
    return code;
}

static bool isClearFor(const void* context, thPoint from, thPoint to)
{
    return thiIsClearLeg(context, from, to, 0.0f);
}

thResult thiFlowFieldBeginAt(thMemory* memory, const thFrame* frame, int32_t goal,
                             const thFlowGrid* grid, const thFlowSources* sources,
                             thFlowField* field)
{
    *field = (thFlowField){.grid = grid};
    thResult code = thiEikonalCreate(memory, &grid->nodes, &field->lengths);
    field->lengths.check = (thLegCheck){isClearFor, grid->space};
    field->isFine = 2.0 * (double)thiRouteRadius(grid->space) * THRONG_UNITS_PER_METRE >=
                    1.415 * (double)grid->nodes.side;
    if (code == th_resultOk)
        code = addSources(field, frame, goal, sources);
    if (code != th_resultOk)
        thiFlowFieldFree(field);
    return code;
}

thResult thiFlowFieldBegin(thMemory* memory, const thFrame* frame, int32_t goal,
                           const thFlowGrid* grid, thFlowField* field)
{
    return thiFlowFieldBeginAt(memory, frame, goal, grid, NULL, field);
}

void thiFlowFieldFree(thFlowField* field)
{
    thiEikonalFree(&field->lengths);
    *field = (thFlowField){0};
}

thResult thiFlowFieldMarch(thFlowField* field, int64_t* count)
{
    const int64_t before = field->lengths.settled;
    TH_TRY(thiEikonalMarch(&field->lengths, *count, &field->done));
    *count -= field->lengths.settled - before;
    if (field->done)
        thiArrayFree(&field->lengths.heap);
    return th_resultOk;
}
