// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `clearpath` for single agents: the optimum is never beaten, limits and walls hold whatever
// happens, and what is to be the same from any point of view is.

#include "avoid/clearpath.h"
#include "avoid/region_oracle.h"
#include "avoid/rvo_batch.h"
#include "gear/gear.h"

#include <stdlib.h>

#define DT 0.1f
#define ROUNDING 3.0e-5

// One agent and what it sees.
typedef struct Scene {
    thClearpathSelf self;
    thClearpathNeighbor neighbors[RVO_NEIGHBORS];
    thClearpathWall walls[RVO_WALLS];
    int32_t neighborCount, wallCount;
} Scene;

typedef struct Answer {
    thVec2 v;
    thClearpathStatus status;
} Answer;

static int32_t caseCount(int32_t few, int32_t many)
{
    return getenv("THRONG_LONG") != NULL ? many : few;
}

static Answer ask(const thClearpathDef* def, const Scene* scene)
{
    Answer answer;
    assert_int_equal(thClearpath_Solve(def, DT, &scene->self, scene->neighbors,
                                       scene->neighborCount, scene->walls, scene->wallCount,
                                       &answer.v, &answer.status),
                     th_resultOk);
    return answer;
}

static Scene drawScene(thGenerator* g, RvoKind kind, int32_t size)
{
    RvoAgent agent;
    drawRvoAgent(g, kind, size, &agent);
    Scene scene = {
        .self = {agent.velocity, agent.wanted, agent.radius, agent.maxSpeed, agent.maxAccel},
        .neighborCount = agent.neighborCount,
        .wallCount = agent.wallCount};
    for (int32_t i = 0; i < agent.neighborCount; ++i) {
        const RvoNeighbor* n = &agent.neighbors[i];
        scene.neighbors[i] =
            (thClearpathNeighbor){n->position, n->velocity, n->radius, .share = n->share};
    }
    for (int32_t i = 0; i < agent.wallCount; ++i)
        scene.walls[i] =
            (thClearpathWall){agent.walls[i][0], agent.walls[i][1], {0.0f, 0.0f}, 0.0f};
    return scene;
}

static thClearpathDef drawDef(thGenerator* g)
{
    thClearpathDef def = thDefaultClearpathDef();
    def.mode = drawInt(g, 0, 2);
    def.horizon = drawFloat(g, 0.05f, 4.0f);
    def.wallHorizon = drawFloat(g, 0.05f, 2.0f);
    def.chain = drawInt(g, 0, 1);
    def.overlap = drawInt(g, 0, 3);
    def.smoothing = drawU32(g) % 4 == 0 ? drawFloat(g, 0.0f, 0.9f) : 0.0f;
    switch (drawU32(g) % 4) { // these do not go together
    case 0:
        def.cap = th_clearpathRound;
        break;
    case 1:
        def.solver = th_clearpathPaper;
        break;
    case 2:
        def.hybrid = 1;
        break;
    default:
        break;
    }
    return def;
}

static double distanceOf(const Scene* scene, thVec2 v)
{
    return hypot((double)v.x - (double)scene->self.wanted.x,
                 (double)v.y - (double)scene->self.wanted.y);
}

// The problem of mode 2 once more, in double, without walls and without overlaps.
static bool setProblem(const Scene* scene, float horizon, RegionSet* set)
{
    const thClearpathSelf* self = &scene->self;
    set->problem = (thOutsideProblem){
        .wanted = self->wanted,
        .tolerance = 1.0e-5f * self->maxSpeed,
        .regions = set->regions,
        .discs = {{{0.0f, 0.0f}, self->maxSpeed}, {self->velocity, TH_NO_LIMIT}}};
    if (self->maxAccel > 0.0f)
        set->problem.discs[1].radius = self->maxAccel * DT;
    if (hypotf(self->velocity.x, self->velocity.y) > self->maxSpeed || scene->wallCount > 0)
        return false;
    for (int32_t i = 0; i < scene->neighborCount; ++i) {
        const thClearpathNeighbor* n = &scene->neighbors[i];
        const float both = self->radius + n->radius, s = n->share;
        if (hypotf(n->position.x, n->position.y) < 1.02f * both)
            return false;
        if (s < 0.01f)
            continue;
        const thVec2 apex = {(1.0f - s) * self->velocity.x + s * n->velocity.x,
                             (1.0f - s) * self->velocity.y + s * n->velocity.y};
        set->regions[set->problem.regionCount++] =
            coneOf(n->position, both, apex, s, horizon, false);
    }
    return true;
}

static int64_t known, statuses[6];

static bool isOptimal(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    static RegionSet set;
    Scene scene = drawScene(g, drawU32(g) % 2 == 0 ? rvo_plain : rvo_crowd, size);
    scene.wallCount = 0;
    const thClearpathDef def = thDefaultClearpathDef();
    if (!setProblem(&scene, def.horizon, &set))
        return true;
    known += 1;
    const Answer answer = ask(&def, &scene);
    statuses[answer.status] += 1;
    const double nearest = oracleDistance(&set.problem, -2.0e-5 - ROUNDING);
    const double farthest = oracleDistance(&set.problem, ROUNDING);
    if (answer.status == th_clearpathRelaxed)
        return farthest == INFINITY;
    const double distance = distanceOf(&scene, answer.v);
    return distance >= nearest - ROUNDING && distance <= farthest + ROUNDING;
}

static void testOptimum(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "optimum",
                                 .seed = 1,
                                 .caseCount = caseCount(40000, 400000),
                                 .maxSize = RVO_NEIGHBORS,
                                 .holds = isOptimal});
    print_message("%lld compared: %lld free, %lld constrained, %lld relaxed\n", (long long)known,
                  (long long)statuses[0], (long long)statuses[1], (long long)statuses[2]);
    assert_true(statuses[0] > 100 && statuses[1] > 100 && statuses[2] > 10);
}

// Whoever is alone, or meets nobody, goes as it wants to, to the bit.
static void testFree(void** state)
{
    (void)state;
    for (int32_t number = 0; number < 2000; ++number) {
        thGenerator g = makeGenerator(2, (uint64_t)number);
        Scene scene = drawScene(&g, rvo_plain, 4);
        scene.self =
            (thClearpathSelf){{1.0f, 0.0f},
                              drawUnit(&g) > 0.5f ? (thVec2){1.0f, 0.3f} : (thVec2){-0.7f, 1.1f},
                              0.25f,
                              2.0f,
                              .maxAccel = 0.0f};
        scene.wallCount = 0;
        for (int32_t i = 0; i < scene.neighborCount; ++i) // all of them go away
            scene.neighbors[i] = (thClearpathNeighbor){
                {-3.0f - (float)i, 0.0f}, {-3.0f, 0.0f}, 0.25f, .share = 0.5f};
        thClearpathDef def = drawDef(&g);
        def.smoothing = 0.0f;
        def.horizon = 2.0f;
        def.mode = number % 2 == 0 ? th_clearpathTwo : th_clearpathOne;
        scene.self.wanted = (thVec2){1.0f, 0.0f};
        const Answer answer = ask(&def, &scene);
        assert_int_equal(answer.status, th_clearpathFree);
        assert_same_bits(answer.v.x, scene.self.wanted.x);
        assert_same_bits(answer.v.y, scene.self.wanted.y);
    }
}

// Whatever the parameters: the answer is a number, keeps the limits, and unless nothing does, it
// keeps out of walls.
static bool isSafe(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    const Scene scene = drawScene(g, (RvoKind)(drawU32(g) % rvo_kindCount), size);
    const thClearpathDef def = drawDef(g);
    const Answer answer = ask(&def, &scene);
    statuses[answer.status] += 1;
    const double limit = (double)scene.self.maxSpeed;
    const double speed = hypot((double)answer.v.x, (double)answer.v.y);
    const thDisc reachable =
        thiReachableDisc(scene.self.velocity, scene.self.maxSpeed, scene.self.maxAccel, DT);
    const double change = hypot((double)answer.v.x - (double)reachable.center.x,
                                (double)answer.v.y - (double)reachable.center.y);
    if (!(speed <= limit * (1.0 + 1.0e-4)) ||
        !(change <= (double)reachable.radius + 1.0e-4 * limit + 1.0e-6)) {
        print_message("speed %g of %g, change %g of %g\n", speed, limit, change,
                      (double)reachable.radius);
        return false;
    }
    if (answer.status == th_clearpathInfeasible || scene.self.maxAccel > 0.0f)
        return true;
    for (int32_t i = 0; i < scene.wallCount; ++i) {
        const thClearpathWall* w = &scene.walls[i];
        const thClearpathEdge wall = {w->a, w->b, w->velocity,
                                      .both = scene.self.radius - 0x1p-12f};
        thRegion region;
        if (thiClearpathWallRegion(&wall, DT, &region) &&
            thiIsInRegion(&region, answer.v, 1.0e-4f)) {
            print_message("into wall %d, status %d\n", i, answer.status);
            return false;
        }
    }
    return true;
}

static void testLimits(void** state)
{
    (void)state;
    const int32_t cases = caseCount(60000, 600000);
    memset(statuses, 0, sizeof statuses);
    assertProperty(&(thProperty){.name = "limits",
                                 .seed = 3,
                                 .caseCount = cases,
                                 .maxSize = RVO_NEIGHBORS,
                                 .holds = isSafe});
    for (int32_t i = 0; i < 6; ++i) {
        print_message("status %d: %lld\n", i, (long long)statuses[i]);
        assert_true(statuses[i] > cases / 2000);
    }
}

// Another neighbour never brings the answer nearer, but for what regions are made smaller by; the
// order of neighbours changes nothing.
static bool growsWithNeighbors(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Scene scene = drawScene(g, rvo_plain, size);
    thClearpathDef def = thDefaultClearpathDef();
    const Answer all = ask(&def, &scene);
    Scene turned = scene;
    for (int32_t i = 0; i < scene.neighborCount; ++i)
        turned.neighbors[i] = scene.neighbors[scene.neighborCount - 1 - i];
    const Answer back = ask(&def, &turned);
    if (all.status <= th_clearpathConstrained || back.status <= th_clearpathConstrained) {
        if (all.status != back.status ||
            !isNear(distanceOf(&scene, all.v), distanceOf(&scene, back.v), 1.0e-5))
            return false;
        scene.neighborCount = scene.neighborCount / 2;
        const Answer half = ask(&def, &scene);
        return half.status <= all.status &&
               distanceOf(&scene, half.v) <= distanceOf(&scene, all.v) + 1.0e-4;
    }
    return true;
}

static void testNeighbors(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "neighbors",
                                 .seed = 4,
                                 .caseCount = caseCount(20000, 200000),
                                 .maxSize = RVO_NEIGHBORS,
                                 .holds = growsWithNeighbors});
}

static thVec2 sum(thVec2 a, thVec2 b)
{
    return (thVec2){a.x + b.x, a.y + b.y};
}

// Turns by a quarter, mirrors, or doubles a scene.
static thVec2 transform(thVec2 v, int32_t how)
{
    switch (how) {
    case 0:
        return (thVec2){-v.y, v.x};
    case 1:
        return (thVec2){v.x, -v.y};
    default:
        return (thVec2){2.0f * v.x, 2.0f * v.y};
    }
}

static Scene transformScene(const Scene* scene, int32_t how)
{
    Scene other = *scene;
    const float factor = how == 2 ? 2.0f : 1.0f;
    other.self.velocity = transform(scene->self.velocity, how);
    other.self.wanted = transform(scene->self.wanted, how);
    other.self.radius *= factor;
    other.self.maxSpeed *= factor;
    other.self.maxAccel *= factor;
    for (int32_t i = 0; i < scene->neighborCount; ++i) {
        other.neighbors[i].position = transform(scene->neighbors[i].position, how);
        other.neighbors[i].velocity = transform(scene->neighbors[i].velocity, how);
        other.neighbors[i].radius *= factor;
    }
    for (int32_t i = 0; i < scene->wallCount; ++i) {
        other.walls[i].a = transform(scene->walls[i].a, how);
        other.walls[i].b = transform(scene->walls[i].b, how);
    }
    return other;
}

// The answer of a scene that is turned, mirrored or larger is as far from the wanted velocity.
static bool isSymmetric(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Scene scene = drawScene(g, rvo_plain, size);
    scene.wallCount = 0; // what the agent keeps from walls does not grow with it
    thClearpathDef def = thDefaultClearpathDef();
    def.mode = drawInt(g, 0, 2);
    const Answer answer = ask(&def, &scene);
    for (int32_t how = 0; how < 3; ++how) {
        const Scene other = transformScene(&scene, how);
        const Answer there = ask(&def, &other);
        const double factor = how == 2 ? 2.0 : 1.0;
        if (answer.status != there.status)
            return false;
        if (answer.status <= th_clearpathConstrained &&
            !isNear(factor * distanceOf(&scene, answer.v), distanceOf(&other, there.v), 3.0e-5))
            return false;
    }
    return true;
}

static void testSymmetry(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "symmetry",
                                 .seed = 5,
                                 .caseCount = caseCount(20000, 200000),
                                 .maxSize = RVO_NEIGHBORS,
                                 .holds = isSymmetric});
}

// A velocity that is added to all of them is added to the answer, far from the speed limit.
static void testBoost(void** state)
{
    (void)state;
    const thVec2 boost = {1.25f, -0.5f};
    int32_t constrained = 0;
    for (int32_t number = 0; number < 20000; ++number) {
        thGenerator g = makeGenerator(13, (uint64_t)number);
        Scene scene = drawScene(&g, rvo_plain, RVO_NEIGHBORS);
        scene.wallCount = 0;
        scene.self.maxSpeed = 50.0f;
        scene.self.maxAccel = 0.0f;
        Scene boosted = scene;
        boosted.self.velocity = sum(scene.self.velocity, boost);
        boosted.self.wanted = sum(scene.self.wanted, boost);
        for (int32_t i = 0; i < scene.neighborCount; ++i)
            boosted.neighbors[i].velocity = sum(scene.neighbors[i].velocity, boost);
        thClearpathDef def = thDefaultClearpathDef();
        def.mode = number % 2 == 0 ? th_clearpathTwo : th_clearpathHalf;
        const Answer here = ask(&def, &scene), there = ask(&def, &boosted);
        assert_int_equal(here.status, there.status);
        constrained += here.status == th_clearpathConstrained;
        if (here.status <= th_clearpathConstrained)
            assert_near(distanceOf(&scene, here.v), distanceOf(&boosted, there.v), 5.0e-3);
    }
    assert_true(constrained > 1000);
}

// Two who see each other from opposite sides choose opposite velocities.
static void testReciprocity(void** state)
{
    (void)state;
    for (int32_t number = 0; number < 20000; ++number) {
        thGenerator g = makeGenerator(6, (uint64_t)number);
        Scene a = drawScene(&g, rvo_plain, 1);
        a.neighborCount = 1;
        a.wallCount = 0;
        a.neighbors[0] =
            (thClearpathNeighbor){{drawFloat(&g, -3.0f, 3.0f), drawFloat(&g, -3.0f, 3.0f)},
                                  {-a.self.velocity.x, -a.self.velocity.y},
                                  a.self.radius,
                                  .share = 0.5f};
        Scene b = a;
        b.self.velocity = (thVec2){-a.self.velocity.x, -a.self.velocity.y};
        b.self.wanted = (thVec2){-a.self.wanted.x, -a.self.wanted.y};
        b.neighbors[0].position = (thVec2){-a.neighbors[0].position.x, -a.neighbors[0].position.y};
        b.neighbors[0].velocity = a.self.velocity;
        thClearpathDef def = thDefaultClearpathDef();
        def.mode = number % 3;
        const Answer ofA = ask(&def, &a), ofB = ask(&def, &b);
        assert_int_equal(ofA.status, ofB.status);
        assert_near(ofA.v.x, -ofB.v.x, 1.0e-5);
        assert_near(ofA.v.y, -ofB.v.y, 1.0e-5);
    }
}

// Modes 1 and 2 are not the same method.
static void testModesDiffer(void** state)
{
    (void)state;
    int32_t differ = 0;
    const int32_t cases = 5000;
    for (int32_t number = 0; number < cases; ++number) {
        thGenerator g = makeGenerator(7, (uint64_t)number);
        Scene scene = drawScene(&g, rvo_plain, RVO_NEIGHBORS);
        scene.wallCount = 0;
        thClearpathDef def = thDefaultClearpathDef();
        const Answer two = ask(&def, &scene);
        def.mode = th_clearpathOne;
        const Answer one = ask(&def, &scene);
        differ += one.v.x != two.v.x || one.v.y != two.v.y;
    }
    print_message("modes 1 and 2 differ in %d of %d\n", differ, cases);
    assert_true(differ > cases / 5);
}

// The solver of the paper finds velocities that are as near.
static void testSolvers(void** state)
{
    (void)state;
    int32_t apart = 0;
    const int32_t cases = caseCount(20000, 200000);
    for (int32_t number = 0; number < cases; ++number) {
        thGenerator g = makeGenerator(12, (uint64_t)number);
        const Scene scene = drawScene(&g, number % 2 == 0 ? rvo_plain : rvo_crowd, RVO_NEIGHBORS);
        thClearpathDef def = drawDef(&g);
        def.cap = th_clearpathLine;
        def.solver = th_clearpathInterval;
        const Answer interval = ask(&def, &scene);
        def.solver = th_clearpathPaper;
        const Answer paper = ask(&def, &scene);
        apart += interval.status != paper.status ||
                 !isNear(distanceOf(&scene, interval.v), distanceOf(&scene, paper.v), 1.0e-4);
    }
    print_message("solvers are apart in %d of %d\n", apart, cases);
    assert_true(apart <= cases / 400); // where walls share their ends
}

// Mode 1 finds something in every scene without overlaps, walls and limits: the present velocity
// obeys all sides, and all cones once the horizon is short enough.
static void testModeOneEnds(void** state)
{
    (void)state;
    int32_t tested = 0, shorter = 0;
    for (int32_t number = 0; number < 20000; ++number) {
        thGenerator g = makeGenerator(8, (uint64_t)number);
        Scene scene = drawScene(&g, rvo_plain, RVO_NEIGHBORS);
        double soonest = 1000.0;
        scene.wallCount = 0;
        scene.self.maxSpeed = 4.0f;
        for (int32_t i = 0; i < scene.neighborCount; ++i) {
            const thClearpathNeighbor* n = &scene.neighbors[i];
            const double x = (double)n->position.x, y = (double)n->position.y;
            const double distance = hypot(x, y);
            const double gap = distance - (double)scene.self.radius - (double)n->radius;
            const double closing = ((double)(scene.self.velocity.x - n->velocity.x) * x +
                                    (double)(scene.self.velocity.y - n->velocity.y) * y) /
                                   distance;
            soonest = fmin(soonest, gap <= 0.0 ? 0.0 : closing > 0.0 ? gap / closing : 1000.0);
        }
        thClearpathDef def = thDefaultClearpathDef();
        def.mode = th_clearpathOne;
        if (soonest < (double)def.horizon / 4000.0)
            continue;
        tested += 1;
        const Answer answer = ask(&def, &scene);
        shorter += answer.status == th_clearpathRelaxed || answer.status == th_clearpathShort;
        // Halved until it is at most the time to the first contact.
        if (soonest >= 2.0 * (double)DT)
            assert_int_not_equal(answer.status, th_clearpathShort);
        assert_true(answer.status != th_clearpathInfeasible &&
                    answer.status != th_clearpathOverlapping);
    }
    print_message("mode 1: %d of %d with a shorter horizon\n", shorter, tested);
    assert_true(tested > 5000 && shorter > 100);
}

// Random overlaps are gone within two seconds, by every rule, and never get deeper in all.
static double totalDepth(const thVec2* at, int32_t count, float radius)
{
    double depth = 0.0;
    for (int32_t i = 0; i < count; ++i)
        for (int32_t k = 0; k < i; ++k)
            depth += fmax(0.0, 2.0 * (double)radius -
                                   hypot((double)(at[i].x - at[k].x), (double)(at[i].y - at[k].y)));
    return depth;
}

static void partCrowd(thClearpathOverlap rule, uint64_t seed)
{
    enum { people = 10 };
    thVec2 at[people], velocity[people] = {{0.0f, 0.0f}};
    thGenerator g = makeGenerator(9, seed);
    thClearpathDef def = thDefaultClearpathDef();
    def.overlap = (int32_t)rule;
    for (int32_t i = 0; i < people; ++i) // up to 30 % of both radii
        at[i] = (thVec2){0.4f * (float)(i % 4) + drawFloat(&g, -0.02f, 0.02f),
                         0.4f * (float)(i / 4) + drawFloat(&g, -0.02f, 0.02f)};
    double before = INFINITY;
    for (int32_t step = 0; step < 20; ++step) {
        thVec2 next[people];
        for (int32_t i = 0; i < people; ++i) {
            Scene scene = {.self = {velocity[i], {0.0f, 0.0f}, 0.25f, 2.0f, 0.0f}};
            for (int32_t k = 0; k < people; ++k)
                if (k != i)
                    scene.neighbors[scene.neighborCount++] = (thClearpathNeighbor){
                        {at[k].x - at[i].x, at[k].y - at[i].y}, velocity[k], 0.25f, .share = 0.5f};
            next[i] = ask(&def, &scene).v;
        }
        for (int32_t i = 0; i < people; ++i) {
            velocity[i] = next[i];
            at[i] = (thVec2){at[i].x + DT * next[i].x, at[i].y + DT * next[i].y};
        }
        const double depth = totalDepth(at, people, 0.25f);
        if (step > 1)
            assert_true(depth <= before + 0.01);
        before = depth;
    }
    assert_true(before < 0.01);
}

static void testOverlapsPart(void** state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; ++seed)
        partCrowd(th_clearpathCenters, seed);
}

// From nothing to the most that is allowed.
static float drawExtreme(thGenerator* g)
{
    static const float sizes[] = {0.0f,    1.0e-40f, 1.0e-25f, 1.0e-12f, 1.0e-6f,
                                  1.0e-3f, 1.0f,     1000.0f,  1.0e6f};
    const float size = sizes[drawU32(g) % (sizeof sizes / sizeof sizes[0])];
    return drawU32(g) % 2 == 0 ? size : size * drawUnit(g);
}

static thVec2 drawExtremeVec(thGenerator* g)
{
    const float x = drawExtreme(g), y = drawExtreme(g);
    return (thVec2){drawU32(g) % 2 == 0 ? x : -x, drawU32(g) % 2 == 0 ? y : -y};
}

// Numbers of any size give numbers, and come to an end.
static bool isNumber(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Scene scene = {.self = {drawExtremeVec(g), drawExtremeVec(g), drawExtreme(g), drawExtreme(g),
                            drawExtreme(g)}};
    scene.neighborCount = drawInt(g, 0, size);
    scene.wallCount = drawInt(g, 0, size < RVO_WALLS ? size : RVO_WALLS);
    for (int32_t i = 0; i < scene.neighborCount; ++i)
        scene.neighbors[i] = (thClearpathNeighbor){drawExtremeVec(g), drawExtremeVec(g),
                                                   drawExtreme(g), .share = drawUnit(g)};
    for (int32_t i = 0; i < scene.wallCount; ++i)
        scene.walls[i] = (thClearpathWall){drawExtremeVec(g), drawExtremeVec(g), drawExtremeVec(g),
                                           drawExtreme(g)};
    const thClearpathDef def = drawDef(g);
    const Answer answer = ask(&def, &scene);
    return isfinite(answer.v.x) && isfinite(answer.v.y) && answer.status <= th_clearpathShort;
}

static void testExtremes(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "extremes",
                                 .seed = 14,
                                 .caseCount = caseCount(30000, 1000000),
                                 .maxSize = RVO_NEIGHBORS,
                                 .holds = isNumber});
}

static thResult solvePlain(const thClearpathDef* def, float dt, const Scene* scene)
{
    Answer answer;
    return thClearpath_Solve(def, dt, &scene->self, scene->neighbors, scene->neighborCount,
                             scene->walls, scene->wallCount, &answer.v, &answer.status);
}

static int32_t assertCount;

static void hear(void* context, const char* condition, const char* file, int32_t line)
{
    (void)context;
    (void)condition;
    (void)file;
    (void)line;
    assertCount += 1;
}

// Bad arguments are refused; the most that is allowed is not.
static void testArguments(void** state)
{
    (void)state;
    const thHooks hooks = {.assertion = hear};
    thSetHooks(&hooks);
    const thClearpathDef good = thDefaultClearpathDef();
    thGenerator g = makeGenerator(10, 0);
    const Scene fine = drawScene(&g, rvo_plain, 3);
    Scene scene = fine;
    assert_int_equal(solvePlain(&good, DT, &scene), th_resultOk);
    assert_int_equal(assertCount, 0);
    assert_int_equal(solvePlain(&good, 0.0f, &scene), th_resultBadArgument);
    assert_int_equal(solvePlain(&good, NAN, &scene), th_resultBadArgument);
    scene.self.velocity.x = NAN;
    assert_int_equal(solvePlain(&good, DT, &scene), th_resultBadArgument);
    scene = fine;
    scene.self.maxSpeed = -1.0f;
    assert_int_equal(solvePlain(&good, DT, &scene), th_resultBadArgument);
    scene = fine;
    scene.neighborCount = -1;
    assert_int_equal(solvePlain(&good, DT, &scene), th_resultBadArgument);
    scene = fine;
    scene.neighborCount = 1;
    scene.neighbors[0] =
        (thClearpathNeighbor){{1.0f, INFINITY}, {0.0f, 0.0f}, 0.25f, .share = 0.5f};
    assert_int_equal(solvePlain(&good, DT, &scene), th_resultBadArgument);
    thClearpathDef bad = good;
    bad.cap = th_clearpathRound;
    bad.hybrid = 1;
    assert_int_equal(solvePlain(&bad, DT, &fine), th_resultBadArgument);
    bad = good;
    bad.mode = 3;
    assert_int_equal(solvePlain(&bad, DT, &fine), th_resultBadArgument);
    bad = good;
    bad.size = 4;
    assert_int_equal(solvePlain(&bad, DT, &fine), th_resultBadArgument);
    assert_int_equal(assertCount, 9);
    thSetHooks(NULL);
}

static void testMost(void** state)
{
    (void)state;
    thClearpathNeighbor neighbors[THRONG_CLEARPATH_MOST];
    thClearpathWall walls[THRONG_CLEARPATH_MOST];
    thGenerator g = makeGenerator(11, 0);
    for (int32_t i = 0; i < THRONG_CLEARPATH_MOST; ++i) {
        const thVec2 at = {drawFloat(&g, -4.0f, 4.0f), drawFloat(&g, -4.0f, 4.0f)};
        neighbors[i] = (thClearpathNeighbor){at, {0.0f, 0.0f}, 0.25f, .share = 0.5f};
        walls[i] = (thClearpathWall){{at.x, 5.0f}, {at.y, 5.0f + drawUnit(&g)}, {0.0f, 0.0f}, 0.0f};
    }
    const thClearpathSelf self = {{1.0f, 0.0f}, {1.0f, 0.0f}, 0.25f, 2.0f, .maxAccel = 5.0f};
    for (int32_t mode = 0; mode < 3; ++mode) {
        thClearpathDef def = thDefaultClearpathDef();
        def.mode = mode;
        thVec2 v;
        thClearpathStatus status;
        assert_int_equal(thClearpath_Solve(&def, DT, &self, neighbors, THRONG_CLEARPATH_MOST, walls,
                                           THRONG_CLEARPATH_MOST, &v, &status),
                         th_resultOk);
    }
    assert_true(thiClearpathRoom(1, THRONG_CLEARPATH_MOST, THRONG_CLEARPATH_MOST) <= 128 * 1024);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testOptimum),      cmocka_unit_test(testFree),
        cmocka_unit_test(testLimits),       cmocka_unit_test(testNeighbors),
        cmocka_unit_test(testSymmetry),     cmocka_unit_test(testBoost),
        cmocka_unit_test(testReciprocity),  cmocka_unit_test(testModesDiffer),
        cmocka_unit_test(testModeOneEnds),  cmocka_unit_test(testSolvers),
        cmocka_unit_test(testOverlapsPart), cmocka_unit_test(testExtremes),
        cmocka_unit_test(testArguments),    cmocka_unit_test(testMost)};
    return RUN_TESTS(tests, argc, argv);
}
