// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What `clearpath` says about itself: who is free or constrained is outside of all that is shown as
// forbidden, and who is constrained is on a border of it.

#include "avoid/avoid_world.h"
#include "throng/clearpath.h"
#include "throng/explain.h"

#define DT 0.1f

static double cross(double ax, double ay, double bx, double by)
{
    return ax * by - ay * bx;
}

// How deep a velocity is in what a mark forbids: the border of a cone is walked along, with the
// region to its left.
static double depthOf(const thMark* mark, thVec2 v)
{
    const thVec2* points = mark->points;
    const double x = (double)v.x, y = (double)v.y;
    if (mark->kind == th_markHalfPlane)
        return (double)points[1].x * ((double)points[0].x - x) +
               (double)points[1].y * ((double)points[0].y - y);
    const int32_t corners = mark->pointCount - 2;
    double depth = 1.0e30;
    for (int32_t i = 0; i <= corners; ++i) { // comes in, from corner to corner, goes out
        const thVec2 from = points[i == 0 ? 1 : i];
        double dx, dy;
        if (i == 0) {
            dx = -(double)points[0].x;
            dy = -(double)points[0].y;
        } else if (i == corners) {
            dx = (double)points[corners + 1].x;
            dy = (double)points[corners + 1].y;
        } else {
            dx = (double)points[i + 1].x - (double)from.x;
            dy = (double)points[i + 1].y - (double)from.y;
        }
        const double length = hypot(dx, dy);
        if (length > 1.0e-6)
            depth = fmin(depth, cross(dx, dy, x - (double)from.x, y - (double)from.y) / length);
    }
    return depth;
}

static void checkAgent(const thWorld* world, thAgentId id, int32_t statuses[6])
{
    static const char* const words[] = {"free",       "constrained", "relaxed",
                                        "infeasible", "overlapping", "short"};
    thExplanation* explanation;
    assertOk(thWorld_Explain(world, id, DT, &explanation));
    const thExplanationView view = thExplanation_GetView(explanation);
    const char* status = "";
    double deepest = -1.0e30;
    int32_t regions = 0, discs = 0;
    for (int32_t i = 0; i < view.markCount; ++i) {
        const thMark* mark = &view.marks[i];
        if (mark->by != th_methodAvoid)
            continue;
        assert_int_equal(mark->space, th_spaceVelocity);
        if (mark->kind == th_markCone || mark->kind == th_markHalfPlane) {
            regions += 1;
            assert_true(mark->cause != th_causeNone && mark->whose != 0);
            deepest = fmax(deepest, depthOf(mark, view.chosen));
        } else if (mark->kind == th_markDisc) {
            discs += 1;
        } else if (mark->kind == th_markText) {
            status = mark->label;
        }
    }
    assert_int_equal(discs, view.maxAccel > 0.0f ? 2 : 1);
    assert_true(regions >= view.agentCount);
    assert_true(strncmp(status, words[view.status], strlen(words[view.status])) == 0);
    if (view.status <= th_clearpathConstrained)
        assert_true(deepest < 0.02); // arcs are drawn with few corners
    if (view.status == th_clearpathConstrained)
        assert_true(deepest > -0.02);
    statuses[view.status] += 1;
    thDestroyExplanation(explanation);
}

static thWorld* createRoom(float size, int32_t count, const thClearpathDef* params, thAgentId* ids)
{
    thWorld* world = openRoom(size);
    addObstacle(world, th_obstacleMovingDisc, NULL, 0);
    addRoomCrowd(world, "clearpath", params, size, count, ids);
    return world;
}

static void testMarks(void** state)
{
    (void)state;
    static const float sizes[] = {6.0f, 3.0f, 2.5f, 30.0f};
    int32_t statuses[6] = {0};
    for (int32_t i = 0; i < 16; ++i) {
        thClearpathDef params = thDefaultClearpathDef();
        params.mode = i / 4 % 3;
        params.cap = i >= 12 ? th_clearpathRound : th_clearpathLine;
        params.hybrid = i >= 8 && i < 12;
        params.overlap = i % 2 == 0 ? th_clearpathWedge : th_clearpathAuto;
        thAgentId ids[30];
        thWorld* world = createRoom(sizes[i % 4], 30, &params, ids);
        for (int32_t step = 0; step < 4; ++step) {
            for (int32_t k = 0; k < 30; ++k)
                checkAgent(world, ids[k], statuses);
            assertOk(thWorld_Step(world, DT));
        }
        thDestroyWorld(world);
    }
    for (int32_t status = 0; status < 6; ++status)
        print_message("status %d: %d\n", status, statuses[status]);
    assert_true(statuses[th_clearpathFree] > 0 && statuses[th_clearpathConstrained] > 0 &&
                statuses[th_clearpathRelaxed] > 0 && statuses[th_clearpathOverlapping] > 0);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testMarks)};
    return RUN_TESTS(tests, argc, argv);
}
