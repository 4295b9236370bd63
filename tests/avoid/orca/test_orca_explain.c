// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What `orca` says about itself: its half-planes hold what it has chosen. No other velocity of a
// dense sample that obeys them is nearer to the one it aims at, or costs less effort.

#include "avoid/avoid_world.h"
#include "throng/explain.h"
#include "throng/orca.h"

#include <stdio.h>

#define DT 0.1f

// What the marks come to.
typedef struct Program {
    const thMark* planes[128];
    int32_t planeCount, counts[4]; // by cause
    thVec2 aim, solution, least;
    const char* effort; // what it says of that; NULL: nothing
    thVec2 c;           // with effort, the velocity that is at the corner in time
    float limit;
    const char* status;
    bool slowed; // the limit of acceleration had its say
} Program;

static Program readMarks(const thExplanationView* view)
{
    Program program = {.solution = view->chosen, .limit = -1.0f};
    for (int32_t i = 0; i < view->markCount; ++i) {
        const thMark* mark = &view->marks[i];
        if (mark->by != th_methodAvoid)
            continue;
        assert_int_equal(mark->space, th_spaceVelocity);
        if (mark->kind == th_markHalfPlane) {
            assert_in_range(program.planeCount, 0, 127);
            assert_near(hypotf(mark->points[1].x, mark->points[1].y), 1.0, 1e-5);
            program.planes[program.planeCount++] = mark;
            program.counts[mark->cause] += 1;
        } else if (mark->kind == th_markDisc) {
            program.limit = mark->radius;
        } else if (mark->kind == th_markText) {
            *(program.status == NULL ? &program.status : &program.effort) = mark->label;
        } else if (strcmp(mark->label, "least effort") == 0) {
            program.least = mark->points[0];
        } else if (strcmp(mark->label, "aimed at") == 0) {
            program.aim = mark->points[0];
        } else {
            program.slowed = true;
            program.solution = mark->points[0];
        }
    }
    return program;
}

// What a half-plane lacks at a velocity.
static double lackOf(const thMark* plane, double x, double y)
{
    return plane->points[1].x * (plane->points[0].x - x) +
           plane->points[1].y * (plane->points[0].y - y);
}

// The worst lack of agents' half-planes; infinite where walls or movers are violated.
static double worstOf(const Program* program, double x, double y, double tolerance)
{
    double worst = -INFINITY;
    for (int32_t i = 0; i < program->planeCount; ++i) {
        const double lack = lackOf(program->planes[i], x, y);
        if (program->planes[i]->cause == th_causeAgent)
            worst = fmax(worst, lack);
        else if (lack > tolerance)
            return INFINITY;
    }
    return worst;
}

#define STEPS 60

static double squareTo(thVec2 from, double x, double y)
{
    return (x - from.x) * (x - from.x) + (y - from.y) * (y - from.y);
}

// What a velocity costs: the distance to the one aimed at, or effort.
static double costOf(const Program* program, double x, double y)
{
    if (program->effort == NULL)
        return sqrt(squareTo(program->aim, x, y));
    const double w = hypot((double)program->aim.x, (double)program->aim.y);
    return x * x + y * y + 2.0 * w * sqrt(squareTo(program->c, x, y));
}

// Nothing of a grid of velocities within the limit is better than the solution. Which half-planes
// may lack by rounding decides about 1e-5 m/s.
static void checkOptimum(const Program* program, int32_t status)
{
    const double slack = 1e-5 * program->limit;
    const thVec2 solution = program->solution;
    const double worst = worstOf(program, solution.x, solution.y, slack);
    const double cost = costOf(program, solution.x, solution.y);
    const double dear = program->effort != NULL ? 4.0 * program->limit * slack : slack;
    assert_true(hypot(solution.x, solution.y) <= program->limit * (1.0 + 1e-5));
    for (int32_t i = -STEPS; i <= STEPS; ++i) {
        for (int32_t k = -STEPS; k <= STEPS; ++k) {
            const double x = (double)program->limit * i / STEPS;
            const double y = (double)program->limit * k / STEPS;
            if (x * x + y * y > program->limit * program->limit)
                continue;
            const double here = worstOf(program, x, y, 0.0);
            if (status == th_orcaInfeasible)
                assert_true(here == INFINITY);
            else if (status == th_orcaRelaxed)
                assert_true(here >= worst - slack && here > 0.0);
            else if (here <= 0.0)
                assert_true(costOf(program, x, y) >= cost - dear);
        }
    }
    if (status <= th_orcaConstrained)
        assert_true(worst <= slack);
    else if (status == th_orcaRelaxed)
        assert_true(worst > 0.0 && worst < INFINITY);
    else
        assert_true(solution.x == 0.0f && solution.y == 0.0f);
}

static int32_t moverEdges(const thExplanationView* view)
{
    int32_t count = 0;
    for (int32_t k = 0; k < view->moverCount; ++k)
        count += view->movers[k].cornerCount > 0 ? view->movers[k].cornerCount : 1;
    return count;
}

// The way to the corner costs what it says, in the paper's own terms: T (e_s + e_w |v|²) + 2 |g − T
// v| √(e_s e_w).
static void checkEffort(Program* program, const thExplanationView* view)
{
    const double x = (double)program->aim.x, y = (double)program->aim.y, w = hypot(x, y);
    assert_true((program->effort != NULL) == (w > 0.0));
    if (program->effort == NULL)
        return;
    const double corner = hypot((double)view->corner.x, (double)view->corner.y);
    const double horizon = (double)thDefaultOrcaDef().timeHorizon;
    // Who is there sooner looks no further ahead.
    const double t = corner > 0.0 ? fmin(horizon, corner / w) : horizon;
    const double distance = corner > 0.0 ? corner : w * t;
    program->c = (thVec2){(float)(distance / t / w * x), (float)(distance / t / w * y)};
    const double ew = 1.26, es = ew * w * w;
    const double vx = (double)program->solution.x, vy = (double)program->solution.y;
    const double left = hypot(distance / w * x - t * vx, distance / w * y - t * vy);
    const double all = t * (es + ew * (vx * vx + vy * vy)) + 2.0 * left * sqrt(es * ew);
    double told, least;
    assert_int_equal(sscanf(program->effort,
                            "effort: %lf J/kg for each metre of the way, at least %lf", &told,
                            &least),
                     2);
    assert_near(told, all / distance, 0.006 * all / distance);
    assert_near(least, 2.0 * sqrt(es * ew), 0.006 * least);
    if (view->status == th_orcaConstrained) {
        assert_same_bits(program->least.x, program->solution.x);
        assert_same_bits(program->least.y, program->solution.y);
    }
}

static void checkAgent(const thWorld* world, thAgentId id, thOrcaObjective objective,
                       int32_t statuses[4])
{
    static const char* const words[4] = {"free:", "constrained:", "relaxed:", "infeasible:"};
    thExplanation* explanation;
    assertOk(thWorld_Explain(world, id, DT, &explanation));
    const thExplanationView view = thExplanation_GetView(explanation);
    Program program = readMarks(&view);
    assert_int_equal(program.counts[th_causeAgent], view.agentCount);
    assert_int_equal(program.counts[th_causeWall], view.wallCount);
    assert_int_equal(program.counts[th_causeMover], moverEdges(&view));
    for (int32_t k = 0; k < view.agentCount; ++k) // agents come last
        assert_true(program.planes[program.planeCount - view.agentCount + k]->whose ==
                    view.agents[k].key);
    for (int32_t k = 0; k < view.wallCount; ++k)
        assert_int_equal(program.planes[k]->whose, THRONG_SLOT(view.walls[k].obstacle) + 1);
    assert_same_bits(program.limit, view.maxSpeed);
    assert_true(!program.slowed || view.maxAccel > 0.0f);
    assert_true(strncmp(program.status, words[view.status], strlen(words[view.status])) == 0);
    assert_near(hypotf(program.aim.x, program.aim.y), hypotf(view.adapted.x, view.adapted.y), 1e-5);
    if (objective == th_orcaEffort)
        checkEffort(&program, &view);
    assert_true(objective == th_orcaEffort || program.effort == NULL);
    checkOptimum(&program, view.status);
    statuses[view.status] += 1;
    thDestroyExplanation(explanation);
}

// A crowd in a room of some size, with a wall, a disc and a box that move.
static thWorld* createRoom(float size, int32_t count, thOrcaObjective objective, thAgentId* ids)
{
    thWorld* world = openRoom(size);
    const thVec2 wall[] = {{-0.5f * size, 0.2f}, {0.4f * size, -0.1f}};
    const thVec2 box[] = {{-0.5f, -0.3f}, {0.5f, -0.3f}, {0.5f, 0.3f}, {-0.5f, 0.3f}};
    if (size > 1.0f)
        addObstacle(world, th_obstacleWall, wall, 2);
    addObstacle(world, th_obstacleMovingDisc, NULL, 0);
    addObstacle(world, th_obstacleMovingPolygon, box, 4);
    thOrcaDef params = thDefaultOrcaDef();
    params.objective = (int32_t)objective;
    addRoomCrowd(world, "orca", &params, size, count, ids);
    return world;
}

static void checkPrograms(thOrcaObjective objective)
{
    static const struct {
        float size;
        int32_t count;
    } rooms[] = {{6.0f, 40}, {3.0f, 60}, {1.2f, 20}, {0.4f, 2}, {40.0f, 5}};
    int32_t statuses[4] = {0};
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; ++i) {
        thAgentId ids[64];
        thWorld* world = createRoom(rooms[i].size, rooms[i].count, objective, ids);
        for (int32_t step = 0; step < 5; ++step) {
            for (int32_t k = 0; k < rooms[i].count; ++k)
                checkAgent(world, ids[k], objective, statuses);
            assertOk(thWorld_Step(world, DT));
        }
        thDestroyWorld(world);
    }
    for (int32_t status = 0; status < 4; ++status)
        assert_true(statuses[status] > 0); // every case was there
}

static void testPrograms(void** state)
{
    (void)state;
    checkPrograms(th_orcaNearest);
}

static void testEffort(void** state)
{
    (void)state;
    checkPrograms(th_orcaEffort);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testPrograms),
                                       cmocka_unit_test(testEffort)};
    return RUN_TESTS(tests, argc, argv);
}
