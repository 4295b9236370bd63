// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Where the ways of a field end: the parts of its goal where the disc has room, or where there are
// none the places next to it.

#include "plan/flow/flow_field.h"
#include "plan/route/route_goal.h"

#include <math.h>

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
    return thiEikonalAddSource(&field->ways, &source, SEED_SIDES * field->grid->nodes.side);
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
    return thiIsClearWay(space, p, nearestOfShape(nearby->frame, nearby->shape, p),
                         thiRouteRadius(space));
}

// Goes to a place if that is nearer by `gain`.
static bool tryNearer(Nearby* nearby, thPoint at, double gain)
{
    const double far = lengthOf(at, nearestOfShape(nearby->frame, nearby->shape, at));
    if (far + gain > nearby->far ||
        !thiIsClearWay(nearby->field->grid->space, nearby->at, at, 0.0f) || !seesGoal(nearby, at))
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

// Where ways end that lead over a node: as near to the goal as the disc can come from there.
static thResult addNearby(thFlowField* field, const thFrame* frame, const thGoalShape* shape,
                          int32_t node)
{
    const thFlowGrid* grid = field->grid;
    const double radius = (double)thiRouteRadius(grid->space) * THRONG_UNITS_PER_METRE;
    const double reach = radius + SEED_SIDES * grid->nodes.side;
    const thPoint p = thiNodePlace(&grid->nodes, node);
    Nearby nearby = {.field = field, .frame = frame, .shape = shape, .at = p};
    nearby.far = lengthOf(p, nearestOfShape(frame, shape, p));
    if ((grid->nodes.open[node] & th_openNode) == 0 || nearby.far == 0.0 || nearby.far > reach ||
        !seesGoal(&nearby, p))
        return th_resultOk;
    comeNear(&nearby);
    field->isTight = true;
    const thAnchor source = {.a = nearby.at, .b = nearby.at, .left = nearby.far, .next = -1};
    return thiEikonalAddSource(&field->ways, &source, reach);
}

static thResult addNearbyOf(thFlowField* field, const thFrame* frame, const thGoalShape* shape)
{
    for (int32_t node = 0; node < thiNodeCount(&field->grid->nodes); ++node)
        TH_TRY(addNearby(field, frame, shape, node));
    return th_resultOk;
}

thResult thiAddFlowSources(thFlowField* field, const thFrame* frame, int32_t goal)
{
    const int32_t count = thFrame_GetGoalShapes(frame, goal, NULL, 0);
    const size_t size = (size_t)count * sizeof(thGoalShape);
    thGoalShape* shapes = thiAllocate(field->grid->memory, size);
    if (count > 0 && shapes == NULL)
        return th_resultNoMemory;
    (void)thFrame_GetGoalShapes(frame, goal, shapes, count);
    thResult code = th_resultOk;
    for (int32_t i = 0; i < count && code == th_resultOk; ++i)
        code = addShape(field, frame, &shapes[i]);
    const bool hasSources = field->ways.anchors.count > 0;
    for (int32_t i = 0; i < count && code == th_resultOk && !hasSources; ++i)
        code = addNearbyOf(field, frame, &shapes[i]);
    field->whyNone = thiWhyNoWay(frame, shapes, count, field->grid->level,
                                 "no way leads from here to the goal that is wide enough");
    thiRelease(field->grid->memory, shapes, size);
    return code;
}
