// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Fields that start from the parts of a goal.

#include "plan/flow/flow_field.h"

#include "geom/fixed.h"
#include "plan/route/route_aim.h"

#include <math.h>
#include <stdlib.h>

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

// Where the paths of a field end: the parts of its goal where the disc has room, or where there are
// none the places next to it.

static bool hasRoom(const thFieldGrid* grid, thPoint p)
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
static double edgeOfRoom(const thFieldGrid* grid, thPoint a, thPoint b, double with, double without)
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
    const thFieldGrid* grid = field->grid;
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
static double reachOfNearby(const thFieldGrid* grid)
{
    return (double)thiRouteRadius(grid->space) * THRONG_UNITS_PER_METRE +
           SEED_SIDES * grid->nodes.side;
}

// Where paths end that lead over a node: as near to the goal as the disc can come from there.
static thResult addNearby(thFlowField* field, const thFrame* frame, const thGoalShape* shape,
                          int32_t node)
{
    const thFieldGrid* grid = field->grid;
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
                             const thFieldGrid* grid, const thFlowSources* sources,
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
                           const thFieldGrid* grid, thFlowField* field)
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
