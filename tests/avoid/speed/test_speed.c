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

// What an agent sees: sets of orca have all of it.
typedef struct Sight {
    thSpeedDef def;
    float dt;
    thSpeedSelf self;
    int32_t neighborCount, wallCount;
    thSpeedNeighbor neighbors[SET_NEIGHBORS];
    thSpeedWall walls[SET_WALLS];
} Sight;

static Sight drawSight(thGenerator* g, SetKind kind, int32_t size)
{
    OrcaSet set;
    drawSet(g, kind, size, &set);
    Sight sight = {.def = thDefaultSpeedDef(),
                   .dt = set.dt,
                   .self = {set.self.velocity, set.self.wanted, set.self.radius, set.self.maxSpeed,
                            drawU32(g) % 4 == 0 ? 5.0f * drawUnit(g) : set.self.maxAccel},
                   .neighborCount = set.neighborCount,
                   .wallCount = set.wallCount};
    sight.def.timeGap = drawFloat(g, 0.3f, 2.0f);
    sight.def.range = drawFloat(g, 0.02f, 1.0f);
    for (int32_t i = 0; i < set.neighborCount; ++i)
        sight.neighbors[i] = (thSpeedNeighbor){set.neighbors[i].position, set.neighbors[i].radius};
    for (int32_t i = 0; i < set.wallCount; ++i)
        sight.walls[i] = (thSpeedWall){set.walls[i].a, set.walls[i].b, set.walls[i].radius};
    return sight;
}

static thVec2 solve(const Sight* sight, thSpeedStatus* status)
{
    thVec2 velocity;
    assert_int_equal(thSpeed_Solve(&sight->def, sight->dt, &sight->self, sight->neighbors,
                                   sight->neighborCount, sight->walls, sight->wallCount, &velocity,
                                   status),
                     th_resultOk);
    return velocity;
}

// --- The model as it reads ---

typedef struct Point {
    double x, y;
} Point;

static Point nearestOf(const thSpeedWall* wall)
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
    const double wanted = hypot((double)sight->self.wanted.x, (double)sight->self.wanted.y);
    Point sum = {0.0, 0.0};
    if (wanted > 0.0)
        sum = (Point){(double)sight->self.wanted.x / wanted, (double)sight->self.wanted.y / wanted};
    for (int32_t i = 0; i < sight->neighborCount; ++i) {
        const thSpeedNeighbor* n = &sight->neighbors[i];
        const Point p = {(double)n->position.x, (double)n->position.y};
        turnAway(&sum, p, hypot(p.x, p.y) - ((double)sight->self.radius + (double)n->radius),
                 (double)def->strength, (double)def->range);
    }
    for (int32_t i = 0; i < sight->wallCount; ++i) {
        const Point p = nearestOf(&sight->walls[i]);
        turnAway(&sum, p,
                 hypot(p.x, p.y) - ((double)sight->self.radius + (double)sight->walls[i].radius),
                 (double)def->wallStrength, (double)def->wallRange);
    }
    const double length = hypot(sum.x, sum.y);
    const Point e = {sum.x / length, sum.y / length};
    double gap = 1e9;
    *isSure = length > 1e-3;
    for (int32_t i = 0; i < sight->neighborCount; ++i) {
        const thSpeedNeighbor* n = &sight->neighbors[i];
        const double both = (double)sight->self.radius + (double)n->radius;
        const double along = (double)n->position.x * e.x + (double)n->position.y * e.y;
        const double aside = fabs(e.x * (double)n->position.y - e.y * (double)n->position.x);
        *isSure = *isSure && fabs(aside - both) > 1e-3 && fabs(along) > 1e-3;
        if (along > 0.0 && aside <= both)
            gap = fmin(gap, fmax(hypot((double)n->position.x, (double)n->position.y) - both, 0.0));
    }
    const double most = fmin(wanted, (double)sight->self.maxSpeed);
    const double speed = fmin(most, gap / (double)def->timeGap);
    return (Point){speed * e.x, speed * e.y};
}

static bool isAsItReads(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Sight sight = drawSight(g, drawU32(g) % 2 == 0 ? set_plain : set_crowd, size);
    sight.self.maxAccel = 0.0f;
    for (int32_t i = 0; i < sight.wallCount; ++i) { // those that touch have the last word
        const Point p = nearestOf(&sight.walls[i]);
        if (hypot(p.x, p.y) <= (double)sight.self.radius + (double)sight.walls[i].radius + 1e-3)
            return true;
    }
    for (int32_t i = 0; i < sight.neighborCount; ++i)
        if (hypotf(sight.neighbors[i].position.x, sight.neighbors[i].position.y) < 1e-4f)
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

typedef struct Columns {
    float vx[lanes], vy[lanes], radius[lanes], maxSpeed[lanes], maxAccel[lanes];
    float guideX[lanes], guideY[lanes], timeGap[lanes];
    int32_t row[lanes], neighborCount[lanes], wallCount[lanes];
    float nx[SET_NEIGHBORS * lanes], ny[SET_NEIGHBORS * lanes], nradius[SET_NEIGHBORS * lanes];
    int32_t nrow[SET_NEIGHBORS * lanes];
    float ax[SET_WALLS * lanes], ay[SET_WALLS * lanes], bx[SET_WALLS * lanes];
    float by[SET_WALLS * lanes], wradius[SET_WALLS * lanes];
    float outVx[lanes], outVy[lanes];
    uint8_t status[lanes];
} Columns;

static void layOut(const Sight* sights, thGenerator* g, Columns* c)
{
    for (int32_t at = 0; at < SET_NEIGHBORS * lanes; ++at) {
        c->nx[at] = c->ny[at] = c->nradius[at] = drawSpecialFloat(g);
        c->nrow[at] = 0;
    }
    for (int32_t at = 0; at < SET_WALLS * lanes; ++at)
        c->ax[at] = c->ay[at] = c->bx[at] = c->by[at] = c->wradius[at] = drawSpecialFloat(g);
    for (int32_t lane = 0; lane < lanes; ++lane) {
        const Sight* s = &sights[lane];
        c->vx[lane] = s->self.velocity.x;
        c->vy[lane] = s->self.velocity.y;
        c->radius[lane] = s->self.radius;
        c->maxSpeed[lane] = s->self.maxSpeed;
        c->maxAccel[lane] = s->self.maxAccel;
        c->guideX[lane] = s->self.wanted.x;
        c->guideY[lane] = s->self.wanted.y;
        c->timeGap[lane] = s->def.timeGap;
        c->row[lane] = 0;
        c->neighborCount[lane] = s->neighborCount;
        c->wallCount[lane] = s->wallCount;
        for (int32_t k = 0; k < s->neighborCount; ++k) {
            const int32_t at = k * lanes + lane;
            c->nx[at] = s->neighbors[k].position.x;
            c->ny[at] = s->neighbors[k].position.y;
            c->nradius[at] = s->neighbors[k].radius;
            c->nrow[at] = k + 1;
        }
        for (int32_t k = 0; k < s->wallCount; ++k) {
            const int32_t at = k * lanes + lane;
            c->ax[at] = s->walls[k].a.x;
            c->ay[at] = s->walls[k].a.y;
            c->bx[at] = s->walls[k].b.x;
            c->by[at] = s->walls[k].b.y;
            c->wradius[at] = s->walls[k].radius;
        }
    }
}

static bool isTheSame(thGenerator* g, int32_t size, void* context)
{
    static Sight sights[lanes];
    static Columns c;
    (void)context;
    for (int32_t lane = 0; lane < lanes; ++lane) {
        sights[lane] = drawSight(g, (SetKind)(drawU32(g) % set_kindCount), size);
        const float timeGap = sights[lane].def.timeGap;
        sights[lane].def = sights[0].def;
        sights[lane].def.timeGap = timeGap;
        sights[lane].dt = sights[0].dt;
    }
    layOut(sights, g, &c);
    for (int32_t simd = 0; simd < th_simdCount; ++simd) {
        if (kernels[simd] == NULL || !thSimd_IsAvailable((thSimd)simd))
            continue;
        kernels[simd](&(thSpeedTask){.lanes = lanes,
                                     .def = &sights[0].def,
                                     .dt = sights[0].dt,
                                     .vx = c.vx,
                                     .vy = c.vy,
                                     .radius = c.radius,
                                     .maxSpeed = c.maxSpeed,
                                     .maxAccel = c.maxAccel,
                                     .guideX = c.guideX,
                                     .guideY = c.guideY,
                                     .timeGap = c.timeGap,
                                     .row = c.row,
                                     .neighborMax = SET_NEIGHBORS,
                                     .neighborCount = c.neighborCount,
                                     .nx = c.nx,
                                     .ny = c.ny,
                                     .nradius = c.nradius,
                                     .nrow = c.nrow,
                                     .wallMax = SET_WALLS,
                                     .wallCount = c.wallCount,
                                     .ax = c.ax,
                                     .ay = c.ay,
                                     .bx = c.bx,
                                     .by = c.by,
                                     .wradius = c.wradius,
                                     .outVx = c.outVx,
                                     .outVy = c.outVy,
                                     .status = c.status});
        for (int32_t lane = 0; lane < lanes; ++lane) {
            thSpeedStatus status;
            const thVec2 right = solve(&sights[lane], &status);
            if (memcmp(&right.x, &c.outVx[lane], 4) != 0 ||
                memcmp(&right.y, &c.outVy[lane], 4) != 0 || c.status[lane] != (uint8_t)status)
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
                       .dt = 0.1f,
                       .self = {{0.0f, 0.0f}, {1.34f, 0.0f}, 0.2f, 1.7f, 0.0f},
                       .neighborCount = 2,
                       .neighbors = {{{h, 0.0f}, 0.2f}, {{-h, 0.0f}, 0.2f}}};
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
        other.self.velocity = map(other.self.velocity);
        other.self.wanted = map(other.self.wanted);
        for (int32_t i = 0; i < other.neighborCount; ++i)
            other.neighbors[i].position = map(other.neighbors[i].position);
        for (int32_t i = 0; i < other.wallCount; ++i) {
            other.walls[i].a = map(other.walls[i].a);
            other.walls[i].b = map(other.walls[i].b);
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
    sight.self.maxAccel = 0.0f;
    thSpeedStatus status;
    const thVec2 v = solve(&sight, &status);
    const double speed = hypot((double)v.x, (double)v.y);
    const double wanted = hypot((double)sight.self.wanted.x, (double)sight.self.wanted.y);
    return speed <= fmin(wanted, (double)sight.self.maxSpeed) * (1.0 + 1e-5);
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
    Sight sight = {.def = thDefaultSpeedDef(), .dt = 0.1f, .self = {.radius = 0.2f}};
    thVec2 velocity;
    thSpeedStatus status;
    sight.def.timeGap = 0.0f;
    assert_int_equal(
        thSpeed_Solve(&sight.def, 0.1f, &sight.self, NULL, 0, NULL, 0, &velocity, &status),
        th_resultBadArgument);
    sight.def = thDefaultSpeedDef();
    assert_int_equal(
        thSpeed_Solve(&sight.def, 0.1f, &sight.self, NULL, 1, NULL, 0, &velocity, &status),
        th_resultBadArgument);
    sight.self.radius = NAN;
    assert_int_equal(
        thSpeed_Solve(&sight.def, 0.1f, &sight.self, NULL, 0, NULL, 0, &velocity, &status),
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
