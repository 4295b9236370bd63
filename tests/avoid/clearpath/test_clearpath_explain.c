// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What `clearpath` says about itself. Velocities are outside of all that is shown as forbidden, or
// lack as much as it says; what is shown of a neighbour is its cone; and remedies are as they are
// told.

#include "avoid/avoid_world.h"
#include "throng/clearpath.h"
#include "throng/explain.h"

#include <stdio.h>

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

// What an explanation says.
typedef struct Told {
    const char* status;
    double deepest; // the chosen velocity in what is shown
    int32_t cones, planes, discs;
    float horizon, of;                   // a shorter one, instead of which
    int32_t nearest, among;              // neighbours that are left
    double lack;                         // of the worst
    int32_t horizons, fewer, violations; // remedies
} Told;

static Told readMarks(const thExplanationView* view)
{
    Told told = {.status = "", .deepest = -1.0e30};
    for (int32_t i = 0; i < view->markCount; ++i) {
        const thMark* mark = &view->marks[i];
        if (mark->by != th_methodAvoid)
            continue;
        assert_int_equal(mark->space, th_spaceVelocity);
        if (mark->kind == th_markCone || mark->kind == th_markHalfPlane) {
            told.cones += mark->kind == th_markCone;
            told.planes += mark->kind == th_markHalfPlane;
            assert_true(mark->cause != th_causeNone && mark->whose != 0);
            told.deepest = fmax(told.deepest, depthOf(mark, view->chosen));
        } else if (mark->kind == th_markDisc) {
            told.discs += 1;
        } else if (mark->kind == th_markText && strncmp(mark->label, "remedy: ", 8) != 0) {
            told.status = mark->label;
        } else if (mark->kind == th_markText) {
            const char* text = mark->label + 8;
            told.horizons +=
                sscanf(text, "shorter horizon, %f s instead of %f s", &told.horizon, &told.of) == 2;
            told.fewer += sscanf(text, "fewer neighbours, the nearest %d of %d", &told.nearest,
                                 &told.among) == 2;
            told.violations += sscanf(text,
                                      "least violation of a half-plane each, as shown; "
                                      "the worst lacks %lf m/s",
                                      &told.lack) == 1;
        }
    }
    return told;
}

// Keys of agents that forbid something, nearest first, are those of so many nearest.
static void checkNearest(const thExplanationView* view, int32_t nearest)
{
    double shown = 0.0, hidden = 1.0e30;
    int32_t count = 0;
    for (int32_t i = 0; i < view->agentCount; ++i) {
        const thSeenAgent* seen = &view->agents[i];
        const double distance = hypot((double)seen->position.x, (double)seen->position.y);
        bool isShown = false;
        for (int32_t k = 0; k < view->markCount; ++k)
            isShown = isShown ||
                      (view->marks[k].by == th_methodAvoid &&
                       view->marks[k].cause == th_causeAgent && view->marks[k].whose == seen->key);
        count += isShown;
        shown = isShown ? fmax(shown, distance) : shown;
        hidden = isShown ? hidden : fmin(hidden, distance);
    }
    assert_int_equal(count, nearest);
    assert_true(shown <= hidden + 1.0e-6);
}

typedef struct Counts {
    int32_t statuses[6], horizons, fewer, violations;
} Counts;

static void checkAgent(const thWorld* world, thAgentId id, Counts* counts)
{
    static const char* const words[] = {"free",       "constrained", "relaxed",
                                        "infeasible", "overlapping", "short"};
    thExplanation* explanation;
    assertOk(thWorld_Explain(world, id, DT, &explanation));
    const thExplanationView view = thExplanation_GetView(explanation);
    const Told told = readMarks(&view);
    assert_int_equal(told.discs, view.maxAccel > 0.0f ? 2 : 1);
    assert_true(strncmp(told.status, words[view.status], strlen(words[view.status])) == 0);
    if (told.fewer > 0)
        checkNearest(&view, told.nearest);
    else if (view.status != th_clearpathInfeasible)
        assert_true(told.cones + told.planes >= view.agentCount);
    if (told.violations > 0) {
        assert_int_equal(told.cones, 0);
        assert_near(told.lack, fmax(told.deepest, 0.0), 0.06 * told.lack + 1.0e-4);
    } else if (view.status != th_clearpathInfeasible) {
        assert_true(told.deepest < 0.005); // arcs have corners
    }
    if (view.status == th_clearpathConstrained)
        assert_true(told.deepest > -0.005);
    if (view.status == th_clearpathRelaxed)
        assert_true(told.horizons + told.fewer + told.violations > 0);
    if (view.status <= th_clearpathConstrained)
        assert_true(told.horizons + told.fewer + told.violations == 0);
    counts->statuses[view.status] += 1;
    counts->horizons += told.horizons;
    counts->fewer += told.fewer;
    counts->violations += told.violations;
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
    Counts counts = {{0}, 0, 0, 0};
    for (int32_t i = 0; i < 20; ++i) {
        thClearpathDef params = thDefaultClearpathDef();
        params.mode = i / 4 % 3;
        params.cap = i >= 12 && i < 16 ? th_clearpathRound : th_clearpathLine;
        params.hybrid = i >= 8 && i < 12;
        params.chain = i >= 16 ? th_clearpathDrop : th_clearpathRecommended;
        params.overlap = i % 2 == 0 ? th_clearpathWedge : th_clearpathAuto;
        thAgentId ids[30];
        thWorld* world = createRoom(sizes[i % 4], 30, &params, ids);
        for (int32_t step = 0; step < 4; ++step) {
            for (int32_t k = 0; k < 30; ++k)
                checkAgent(world, ids[k], &counts);
            assertOk(thWorld_Step(world, DT));
        }
        thDestroyWorld(world);
    }
    for (int32_t status = 0; status < 6; ++status)
        print_message("status %d: %d\n", status, counts.statuses[status]);
    print_message("shorter horizons %d, fewer neighbours %d, violations %d\n", counts.horizons,
                  counts.fewer, counts.violations);
    for (int32_t status = 0; status < 5; ++status)
        assert_true(counts.statuses[status] > 0 || status == th_clearpathInfeasible);
    assert_true(counts.horizons > 0 && counts.fewer > 0 && counts.violations > 0);
}

// The worlds of one crowd with the default horizon, half of it and so on.
enum { horizonCount = 5, peopleCount = 40 };

typedef struct Horizons {
    thWorld* worlds[horizonCount];
    thAgentId ids[horizonCount][peopleCount];
} Horizons;

static float halved(float value, int32_t times)
{
    return ldexpf(value, -times);
}

// Who is given the horizon in the first place that a remedy came to chooses the same, without one;
// who is given twice that halves it. Returns whether there is such a remedy.
static bool checkHorizons(const Horizons* horizons, int32_t person)
{
    const float whole = thDefaultClearpathDef().horizon;
    thVec2 chosen = {0.0f, 0.0f};
    float horizon = 0.0f; // that of the remedy
    for (int32_t i = 0; i < horizonCount; ++i) {
        thExplanation* explanation;
        assertOk(thWorld_Explain(horizons->worlds[i], horizons->ids[i][person], DT, &explanation));
        const thExplanationView view = thExplanation_GetView(explanation);
        const Told told = readMarks(&view);
        const float own = halved(whole, i);
        chosen = i == 0 ? view.chosen : chosen;
        horizon = i == 0 ? told.horizon : horizon;
        if (horizon > 0.0f && own >= horizon) {
            assert_same_bits(view.chosen.x, chosen.x);
            assert_same_bits(view.chosen.y, chosen.y);
            assert_int_equal(told.horizons, own > horizon);
            assert_true(own == horizon || (told.horizon == horizon && told.of == own));
        }
        thDestroyExplanation(explanation);
    }
    return horizon > 0.0f;
}

static void testHorizons(void** state)
{
    (void)state;
    static const float sizes[] = {2.0f, 2.5f, 3.0f, 3.5f, 4.0f, 5.0f};
    int32_t shorter = 0;
    for (int32_t k = 0; k < 6; ++k) {
        Horizons horizons;
        for (int32_t i = 0; i < horizonCount; ++i) {
            thClearpathDef params = thDefaultClearpathDef();
            params.horizon = halved(params.horizon, i);
            params.wallHorizon = fmaxf(halved(params.wallHorizon, i), DT);
            horizons.worlds[i] = createRoom(sizes[k], peopleCount, &params, horizons.ids[i]);
        }
        for (int32_t i = 0; i < peopleCount; ++i)
            shorter += checkHorizons(&horizons, i);
        for (int32_t i = 0; i < horizonCount; ++i)
            thDestroyWorld(horizons.worlds[i]);
    }
    print_message("%d with a shorter horizon\n", shorter);
    assert_true(shorter >= 10);
}

// The cone of a neighbour nearby, who comes against the agent, is what it is by definition.
static void checkCone(float gap)
{
    thWorld* world = openWorld(1, th_simdAuto, 1);
    const thProfileDef def = avoidProfile("clearpath", NULL, 0.0f);
    const thProfileId profile = addProfile(world, &def);
    const thVec2 way = {0.8f, 0.6f}, back = {-20.0f, 3.0f};
    const float distance = 2.0f * def.radius + gap;
    const thAgentId id = addWalker(world, profile, 1, (thVec2){0.0f, 0.0f}, back);
    thAgentDef other = thDefaultAgentDef();
    other.profile = profile;
    other.position = (thVec2){distance * way.x, distance * way.y};
    other.velocity = (thVec2){-1.0f, -0.5f};
    thAgentId otherId;
    assertOk(thCreateAgent(world, &other, &otherId));
    thExplanation* explanation;
    assertOk(thWorld_Explain(world, id, DT, &explanation));
    const thExplanationView view = thExplanation_GetView(explanation);
    assert_int_equal(view.agentCount, 1);
    const thMark* cone = NULL;
    for (int32_t i = 0; i < view.markCount; ++i)
        cone = view.marks[i].cause == th_causeAgent ? &view.marks[i] : cone;
    assert_non_null(cone);
    const thSeenAgent* seen = &view.agents[0];
    const double px = (double)seen->position.x, py = (double)seen->position.y, d = hypot(px, py);
    const double both = (double)seen->radius + (double)view.radius, share = (double)seen->share;
    const double front = share * (d - both) / (double)thDefaultClearpathDef().horizon;
    int32_t inside = 0;
    for (int32_t i = 0; i < 10000; ++i) {
        const double x = 0.06 * (i % 100) - 3.0, y = 0.06 * (i / 100) - 3.0;
        const double rx = x - share * (double)seen->velocity.x;
        const double ry = y - share * (double)seen->velocity.y;
        // how far inside of what touches a disc of both radii, and of the front
        const double ahead = (px * rx + py * ry) / d, aside = fabs(cross(px, py, rx, ry)) / d;
        const double leg = both / d * ahead - sqrt(fmax(1.0 - both * both / d / d, 0.0)) * aside;
        const double depth = fmin(leg, ahead - front);
        if (fabs(depth) < 2.0e-3)
            continue;
        assert_int_equal(depthOf(cone, (thVec2){(float)x, (float)y}) > 0.0, depth > 0.0);
        inside += depth > 0.0;
    }
    assert_in_range(inside, 500, 9000);
    thDestroyExplanation(explanation);
    thDestroyWorld(world);
}

static void testNear(void** state)
{
    (void)state;
    static const float gaps[] = {2.0f, 0.5f, 0.02f, 2.0e-3f, 1.0e-4f, 1.0e-5f, 1.0e-6f};
    for (int32_t i = 0; i < 7; ++i)
        checkCone(gaps[i]);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testMarks), cmocka_unit_test(testHorizons),
                                       cmocka_unit_test(testNear)};
    return RUN_TESTS(tests, argc, argv);
}
