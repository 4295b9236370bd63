// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `speed`: the call for one agent against the model as it reads, in double; every kernel
// against that call, to the bit; speeds in single file against the closed form; what it promises of
// mirrors, turns and order; and what it says about itself.

#include "avoid/avoid_world.h"
#include "avoid/orca/orca_sets.h"
#include "avoid/speed/speed.h"
#include "gear/property.h"
#include "throng/explain.h"
#include "throng/speed.h"

#include <math.h>
#include <stdlib.h>

// What an agent sees, of which sets of orca have all but the parameters.
typedef struct Sight {
    thSpeedDef def;
    OrcaSet set;
} Sight;

static Sight drawSight(thGenerator* g, SetKind kind, int32_t size)
{
    Sight sight = {.def = thDefaultSpeedDef()};
    drawSet(g, kind, size, &sight.set);
    if (drawU32(g) % 4 == 0)
        sight.set.self.maxAccel = 5.0f * drawUnit(g);
    sight.def.timeGap = drawFloat(g, 0.3f, 2.0f);
    sight.def.range = drawFloat(g, 0.02f, 1.0f);
    return sight;
}

static thVec2 solve(const Sight* sight, thSpeedStatus* status)
{
    thVec2 velocity;
    assert_int_equal(thSpeed_Solve(&sight->def, sight->set.dt, &sight->set.self,
                                   sight->set.neighbors, sight->set.neighborCount, sight->set.walls,
                                   sight->set.wallCount, &velocity, status),
                     th_resultOk);
    return velocity;
}

// --- The model as it reads ---

typedef struct Point {
    double x, y;
} Point;

static Point nearestOf(const thAvoidWall* wall)
{
    const double ex = (double)wall->b.x - (double)wall->a.x,
                 ey = (double)wall->b.y - (double)wall->a.y, length = ex * ex + ey * ey;
    double t = length > 0.0 ? -((double)wall->a.x * ex + (double)wall->a.y * ey) / length : 0.0;
    t = fmin(fmax(t, 0.0), 1.0);
    return (Point){(double)wall->a.x + t * ex, (double)wall->a.y + t * ey};
}

static void turnAway(Point* sum, Point from, double gap, double strength, double range)
{
    const double distance = hypot(from.x, from.y);
    const double felt = strength * exp(fmin(fmax(-gap / range, -20.0), 20.0));
    sum->x -= felt * from.x / distance;
    sum->y -= felt * from.y / distance;
}

// Before walls and limits of acceleration. `isSure`: no neighbour is on the border of being ahead.
static Point plainVelocity(const Sight* sight, bool* isSure)
{
    const thSpeedDef* def = &sight->def;
    const double wanted = hypot((double)sight->set.self.wanted.x, (double)sight->set.self.wanted.y);
    Point sum = {0.0, 0.0};
    if (wanted > 0.0)
        sum = (Point){(double)sight->set.self.wanted.x / wanted,
                      (double)sight->set.self.wanted.y / wanted};
    for (int32_t i = 0; i < sight->set.neighborCount; ++i) {
        const thAvoidNeighbor* n = &sight->set.neighbors[i];
        const Point p = {(double)n->position.x, (double)n->position.y};
        turnAway(&sum, p, hypot(p.x, p.y) - ((double)sight->set.self.radius + (double)n->radius),
                 (double)def->strength, (double)def->range);
    }
    for (int32_t i = 0; i < sight->set.wallCount; ++i) {
        const Point p = nearestOf(&sight->set.walls[i]);
        turnAway(&sum, p,
                 hypot(p.x, p.y) -
                     ((double)sight->set.self.radius + (double)sight->set.walls[i].radius),
                 (double)def->wallStrength, (double)def->wallRange);
    }
    const double length = hypot(sum.x, sum.y);
    const Point e = {sum.x / length, sum.y / length};
    double gap = 1e9;
    *isSure = length > 1e-3;
    for (int32_t i = 0; i < sight->set.neighborCount; ++i) {
        const thAvoidNeighbor* n = &sight->set.neighbors[i];
        const double both = (double)sight->set.self.radius + (double)n->radius;
        const double along = (double)n->position.x * e.x + (double)n->position.y * e.y;
        const double aside = fabs(e.x * (double)n->position.y - e.y * (double)n->position.x);
        *isSure = *isSure && fabs(aside - both) > 1e-3 && fabs(along) > 1e-3;
        if (along > 0.0 && aside <= both)
            gap = fmin(gap, fmax(hypot((double)n->position.x, (double)n->position.y) - both, 0.0));
    }
    const double most = fmin(wanted, (double)sight->set.self.maxSpeed);
    const double speed = fmin(most, gap / (double)def->timeGap);
    return (Point){speed * e.x, speed * e.y};
}

static bool isAsItReads(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Sight sight = drawSight(g, drawU32(g) % 2 == 0 ? set_plain : set_crowd, size);
    sight.set.self.maxAccel = 0.0f;
    for (int32_t i = 0; i < sight.set.wallCount; ++i) { // those that touch have the last word
        const Point p = nearestOf(&sight.set.walls[i]);
        if (hypot(p.x, p.y) <=
            (double)sight.set.self.radius + (double)sight.set.walls[i].radius + 1e-3)
            return true;
    }
    for (int32_t i = 0; i < sight.set.neighborCount; ++i)
        if (hypotf(sight.set.neighbors[i].position.x, sight.set.neighbors[i].position.y) < 1e-4f)
            return true;
    bool isSure;
    const Point plain = plainVelocity(&sight, &isSure);
    thSpeedStatus status;
    const thVec2 found = solve(&sight, &status);
    return !isSure || hypot((double)found.x - plain.x, (double)found.y - plain.y) < 2e-3;
}

static void testModel(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "speed-model",
                                 .seed = 1,
                                 .caseCount = caseCount(2000, 200000),
                                 .maxSize = SET_NEIGHBORS,
                                 .holds = isAsItReads});
}

// --- Kernels ---

enum { lanes = 32 };

static thSpeedFcn* const kernels[th_simdCount] = TH_KERNEL_TABLE(thiSpeed);

static bool isTheSame(thGenerator* g, int32_t size, void* context)
{
    static OrcaSet sets[SET_LANES];
    static SetColumns columns;
    float timeGap[lanes];
    (void)context;
    Sight sight = drawSight(g, set_plain, 0);
    for (int32_t lane = 0; lane < lanes; ++lane) {
        const Sight other = drawSight(g, (SetKind)(drawU32(g) % set_kindCount), size);
        timeGap[lane] = other.def.timeGap;
        sets[lane] = other.set;
        sets[lane].dt = sight.set.dt;
    }
    layOutSets(g, sets, lanes, &columns);
    for (int32_t simd = 0; simd < th_simdCount; ++simd) {
        if (kernels[simd] == NULL || !thSimd_IsAvailable((thSimd)simd))
            continue;
        kernels[simd](&(thSpeedTask){columns.around, &sight.def, timeGap});
        for (int32_t lane = 0; lane < lanes; ++lane) {
            Sight one = {sight.def, sets[lane]};
            one.def.timeGap = timeGap[lane];
            thSpeedStatus status;
            const thVec2 right = solve(&one, &status);
            if (memcmp(&right.x, &columns.outVx[lane], 4) != 0 ||
                memcmp(&right.y, &columns.outVy[lane], 4) != 0 ||
                columns.status[lane] != (uint8_t)status)
                return false;
        }
    }
    return true;
}

static void testLanes(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "speed-lanes",
                                 .seed = 2,
                                 .caseCount = caseCount(300, 20000),
                                 .maxSize = SET_NEIGHBORS,
                                 .holds = isTheSame});
}

// --- What it promises ---

// In single file, everybody a distance h behind the next, all go (h − l)/T or as fast as they like.
static void testSingleFile(void** state)
{
    (void)state;
    for (float h = 0.4f; h < 3.0f; h += 0.1f) {
        Sight sight = {.def = thDefaultSpeedDef(),
                       .set = {.dt = 0.1f,
                               .self = {.wanted = {1.34f, 0.0f}, .radius = 0.2f, .maxSpeed = 1.7f},
                               .neighborCount = 2,
                               .neighbors = {{.position = {h, 0.0f}, .radius = 0.2f},
                                             {.position = {-h, 0.0f}, .radius = 0.2f}}}};
        thSpeedStatus status;
        const thVec2 v = solve(&sight, &status);
        assert_near((double)v.x, fmin(1.34, fmax((double)h - 0.4, 0.0) / 1.0), 1e-5);
        assert_near((double)v.y, 0.0, 1e-6);
        assert_int_equal(status, h > 1.75f   ? th_speedFree
                                 : h > 0.42f ? th_speedFollows
                                             : th_speedStands);
    }
}

static thVec2 mirrored(thVec2 v)
{
    return (thVec2){v.x, -v.y};
}

static thVec2 turned(thVec2 v)
{
    return (thVec2){-v.y, v.x};
}

// What a mirror or a quarter turn does to what is seen, it does to the velocity, to the bit.
static bool followsFrames(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    const Sight sight = drawSight(g, set_plain, size);
    thSpeedStatus status;
    const thVec2 v = solve(&sight, &status);
    for (int32_t kind = 0; kind < 2; ++kind) {
        thVec2 (*map)(thVec2) = kind == 0 ? mirrored : turned;
        Sight other = sight;
        other.set.self.velocity = map(other.set.self.velocity);
        other.set.self.wanted = map(other.set.self.wanted);
        for (int32_t i = 0; i < other.set.neighborCount; ++i)
            other.set.neighbors[i].position = map(other.set.neighbors[i].position);
        for (int32_t i = 0; i < other.set.wallCount; ++i) {
            other.set.walls[i].a = map(other.set.walls[i].a);
            other.set.walls[i].b = map(other.set.walls[i].b);
        }
        const thVec2 found = solve(&other, &status), right = map(v);
        if (hypotf(found.x - right.x, found.y - right.y) > 1e-5f)
            return false;
    }
    return true;
}

// Nobody goes faster than it wants, or may, nor comes nearer to whoever is ahead than the time gap
// allows.
static bool keepsLimits(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Sight sight = drawSight(g, (SetKind)(drawU32(g) % set_kindCount), size);
    sight.set.self.maxAccel = 0.0f;
    thSpeedStatus status;
    const thVec2 v = solve(&sight, &status);
    const double speed = hypot((double)v.x, (double)v.y);
    const double wanted = hypot((double)sight.set.self.wanted.x, (double)sight.set.self.wanted.y);
    return speed <= fmin(wanted, (double)sight.set.self.maxSpeed) * (1.0 + 1e-5);
}

static void testProperties(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "speed-frames",
                                 .seed = 3,
                                 .caseCount = caseCount(1000, 50000),
                                 .maxSize = SET_NEIGHBORS,
                                 .holds = followsFrames});
    assertProperty(&(thProperty){.name = "speed-limits",
                                 .seed = 4,
                                 .caseCount = caseCount(1000, 50000),
                                 .maxSize = SET_NEIGHBORS,
                                 .holds = keepsLimits});
}

static void testRefusals(void** state)
{
    (void)state;
    Sight sight = {.def = thDefaultSpeedDef(), .set = {.self = {.radius = 0.2f}}};
    thVec2 velocity;
    thSpeedStatus status;
    sight.def.timeGap = 0.0f;
    assert_int_equal(
        thSpeed_Solve(&sight.def, 0.1f, &sight.set.self, NULL, 0, NULL, 0, &velocity, &status),
        th_resultBadArgument);
    sight.def = thDefaultSpeedDef();
    assert_int_equal(
        thSpeed_Solve(&sight.def, 0.1f, &sight.set.self, NULL, 1, NULL, 0, &velocity, &status),
        th_resultBadArgument);
    sight.set.self.radius = NAN;
    assert_int_equal(
        thSpeed_Solve(&sight.def, 0.1f, &sight.set.self, NULL, 0, NULL, 0, &velocity, &status),
        th_resultBadArgument);
}

// --- In a world ---

static thAgentId addPerson(thWorld* world, thProfileId profile, float x, float goalX)
{
    thAgentDef def = thDefaultAgentDef();
    thAgentId id;
    def.profile = profile;
    def.position = (thVec2){x, 0.0f};
    assert_int_equal(thCreatePointGoal(world, (thVec2){goalX, 0.0f}, &def.goal), th_resultOk);
    assert_int_equal(thCreateAgent(world, &def, &id), th_resultOk);
    return id;
}

// Who says that somebody is ahead goes no faster than it says; times differ by agent.
static void testExplanation(void** state)
{
    (void)state;
    thWorldDef worldDef = thDefaultWorldDef();
    thWorld* world;
    assert_int_equal(thCreateWorld(&worldDef, &world), th_resultOk);
    thSpeedDef speed = thDefaultSpeedDef();
    speed.spread = 0.3f;
    thProfileDef def = thDefaultProfileDef();
    def.avoid = (thMethodUse){"speed", &speed};
    thProfileId profile;
    assert_int_equal(thCreateProfile(world, &def, &profile, NULL), th_resultOk);
    const thAgentId behind = addPerson(world, profile, 0.0f, 20.0f);
    addPerson(world, profile, 1.0f, 20.0f);
    thExplanation* explanation;
    assert_int_equal(thWorld_Explain(world, behind, 0.1f, &explanation), th_resultOk);
    const thExplanationView view = thExplanation_GetView(explanation);
    const char* text = NULL;
    for (int32_t i = 0; i < view.markCount; ++i)
        if (view.marks[i].by == th_methodAvoid && view.marks[i].kind == th_markText)
            text = view.marks[i].label;
    assert_non_null(text);
    const char* most = strstr(text, "at most ");
    assert_non_null(most);
    assert_near((double)hypotf(view.avoided.x, view.avoided.y), atof(most + 8), 0.006);
    assert_non_null(strstr(text, "0.50 m to agent"));
    thDestroyExplanation(explanation);
    thDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testModel),      cmocka_unit_test(testLanes),
        cmocka_unit_test(testSingleFile), cmocka_unit_test(testProperties),
        cmocka_unit_test(testRefusals),   cmocka_unit_test(testExplanation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
