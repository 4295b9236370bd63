// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Depths of discs in walls, where they are known and against a plain look at every outline.

#include "measure/survey/survey_shapes.h"

#include "gear/property.h"
#include "measure/survey/survey_gear.h"

#include "base/memory.h"

enum { mostShapes = 40, mostPoints = 12 };

typedef struct Plan {
    thRecordedShape shapes[mostShapes];
    thPlace points[mostShapes][mostPoints];
    int32_t count;
} Plan;

static void addShape(Plan* plan, thRecordedShapeKind kind, int32_t level, const thPlace* points,
                     int32_t count)
{
    memcpy(plan->points[plan->count], points, (size_t)count * sizeof *points);
    plan->shapes[plan->count] =
        (thRecordedShape){kind, level, plan->points[plan->count], count, 0.0f};
    plan->count += 1;
}

static bool isInside(const thRecordedShape* shape, double x, double y)
{
    bool inside = false;
    for (int32_t i = 0; i < shape->pointCount; ++i) {
        const thPlace a = shape->points[i], b = shape->points[(i + 1) % shape->pointCount];
        const double side = (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
        if (a.y <= y && b.y > y && side > 0.0)
            inside = !inside;
        if (b.y <= y && a.y > y && side < 0.0)
            inside = !inside;
    }
    return inside;
}

static double distanceTo(thPlace a, thPlace b, double x, double y)
{
    const double ex = b.x - a.x, ey = b.y - a.y, length = ex * ex + ey * ey;
    const double share = ((x - a.x) * ex + (y - a.y) * ey) / (length > 0.0 ? length : 1.0);
    const double at = fmin(fmax(share, 0.0), 1.0);
    return hypot(x - a.x - at * ex, y - a.y - at * ey);
}

static double plainDepth(const Plan* plan, int32_t level, double x, double y, double radius)
{
    bool hasRooms = false, inRoom = false, inSolid = false;
    double nearest = INFINITY;
    for (int32_t i = 0; i < plan->count; ++i) {
        const thRecordedShape* shape = &plan->shapes[i];
        if (shape->level != level || shape->kind > th_shapeWall)
            continue;
        const int32_t last = shape->kind == th_shapeWall ? 1 : 0;
        for (int32_t k = 0; k < shape->pointCount - last; ++k)
            nearest = fmin(nearest, distanceTo(shape->points[k],
                                               shape->points[(k + 1) % shape->pointCount], x, y));
        hasRooms |= shape->kind == th_shapeRoom;
        inRoom |= shape->kind == th_shapeRoom && isInside(shape, x, y);
        inSolid |= shape->kind == th_shapeSolid && isInside(shape, x, y);
    }
    return inSolid || (hasRooms && !inRoom) ? radius + nearest : fmax(radius - nearest, 0.0);
}

static void drawPlan(thGenerator* g, Plan* plan, int32_t size)
{
    const float width = (float)pow(10.0, (double)drawFloat(g, 0.0f, 4.0f));
    const int32_t count = drawInt(g, 0, TH_MIN(size, mostShapes)), floors = drawInt(g, 1, 3);
    const bool isRound = drawUnit(g) < 0.5f; // whole coordinates: outlines on borders of cells
    plan->count = 0;
    for (int32_t i = 0; i < count; ++i) {
        thPlace points[mostPoints];
        const int32_t pointCount = drawInt(g, 3, mostPoints);
        const double x = (double)drawFloat(g, -width, width),
                     y = (double)drawFloat(g, -width, width);
        const float spread = width * drawUnit(g);
        for (int32_t k = 0; k < pointCount; ++k) {
            points[k].x = x + (double)drawFloat(g, -spread, spread);
            points[k].y = y + (double)drawFloat(g, -spread, spread);
            points[k].x = isRound ? floor(points[k].x) : points[k].x;
            points[k].y = isRound ? floor(points[k].y) : points[k].y;
        }
        addShape(plan, (thRecordedShapeKind)drawInt(g, 0, 3), drawInt(g, 0, floors - 1), points,
                 pointCount);
    }
}

static bool depthsHold(thGenerator* g, int32_t size, void* context)
{
    thMemory* memory = context;
    static Plan plan;
    drawPlan(g, &plan, size);
    thSurveyWalls* walls;
    assert_int_equal(thiCreateSurveyWalls(memory, plan.shapes, plan.count, &walls), th_resultOk);
    bool holds = true;
    for (int32_t i = 0; i < 200 && holds; ++i) {
        const float width = drawUnit(g) < 0.1f ? 1e6f : drawUnit(g) < 0.5f ? 10.0f : 3000.0f;
        const double x = (double)drawFloat(g, -width, width),
                     y = (double)drawFloat(g, -width, width);
        const double radius = (double)drawFloat(g, 0.1f, drawUnit(g) < 0.1f ? 50.0f : 0.5f);
        const int32_t level = drawInt(g, 0, 3);
        holds = isNear(thiWallDepth(walls, level, x, y, radius),
                       plainDepth(&plan, level, x, y, radius), 1e-6);
    }
    thiDestroySurveyWalls(memory, walls);
    return holds && memory->bytes == 0;
}

static void testBruteForce(void** state)
{
    (void)state;
    thMemory memory;
    const thAllocator allocator = thDefaultAllocator();
    thiMemoryInit(&memory, &allocator, 0);
    assertProperty(&(thProperty){"survey walls", 5, 1500, mostShapes, depthsHold, &memory});
}

// A room with a pillar and a thin wall; a person goes through all of them.
static void testKnown(void** state)
{
    (void)state;
    static Plan plan;
    const thPlace room[] = {{0.0, 0.0}, {10.0, 0.0}, {10.0, 5.0}, {0.0, 5.0}};
    const thPlace pillar[] = {{4.0, 2.0}, {5.0, 2.0}, {5.0, 3.0}, {4.0, 3.0}};
    const thPlace wall[] = {{8.0, 0.0}, {8.0, 2.0}};
    plan.count = 0;
    addShape(&plan, th_shapeRoom, 0, room, 4);
    addShape(&plan, th_shapeSolid, 0, pillar, 4);
    addShape(&plan, th_shapeWall, 0, wall, 2);
    addShape(&plan, th_shapeGoalPolygon, 0, room, 4);
    thSurveyDef def = defWithRate(1.0);
    def.shapes = plan.shapes;
    def.shapeCount = plan.count;
    def.radius = 0.25f;
    Sightings sightings = {0};
    const thPlace path[] = {{2.0, 2.5},   {3.9, 2.5},   {4.4, 2.5},  {6.0, 2.5},
                            {8.245, 1.0}, {8.125, 1.0}, {8.0, 2.25}, {11.0, 2.5}};
    const double depths[] = {0.0, 0.15, 0.65, 0.0, 0.005, 0.125, 0.0, 1.25};
    for (int32_t f = 0; f < 8; ++f) {
        see(&sightings, f, 1, path[f].x, path[f].y);
        assert_near(plainDepth(&plan, 0, path[f].x, path[f].y, 0.25), depths[f], 1e-9);
    }
    const thSurveyResult result = figuresOf(&def, &sightings);
    assert_near(result.maxWallDepth, 1.25, 1e-9);
    assert_near(result.inWallShare, 4.0 / 8.0, 1e-12);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testBruteForce),
        cmocka_unit_test(testKnown),
    };
    return RUN_TESTS(tests, argc, argv);
}
