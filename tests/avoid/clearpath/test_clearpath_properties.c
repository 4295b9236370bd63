// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What holds of `clearpath` whatever an agent sees. What is to be the same from any point of view
// is, modes keep what they promise, and who overlaps others leaves them.

#include "avoid/clearpath/clearpath_scene.h"
#include "gear/gear.h"
#include "throng/world.h"

static thVec2 drawVelocity(thGenerator* g)
{
    const float x = drawFloat(g, -1.5f, 1.5f);
    return (thVec2){x, drawFloat(g, -1.5f, 1.5f)};
}

// Another neighbour never brings the answer nearer, but for what regions are made smaller by; the
// order of neighbours changes nothing.
static bool growsWithNeighbors(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Scene scene = drawScene(g, rvo_plain, size);
    thClearpathDef def = thDefaultClearpathDef();
    const SceneAnswer all = ask(&def, &scene);
    Scene turned = scene;
    for (int32_t i = scene.neighborCount - 1; i > 0; --i) {
        const int32_t other = drawInt(g, 0, i);
        const thAvoidNeighbor moved = turned.neighbors[i];
        turned.neighbors[i] = turned.neighbors[other];
        turned.neighbors[other] = moved;
    }
    const SceneAnswer back = ask(&def, &turned);
    if (all.status <= th_clearpathConstrained || back.status <= th_clearpathConstrained) {
        if (all.status != back.status ||
            !isNear(distanceOf(&scene, all.v), distanceOf(&scene, back.v), 1.0e-5))
            return false;
        scene.neighborCount = scene.neighborCount / 2;
        const SceneAnswer half = ask(&def, &scene);
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

// Neighbours to whom all is left change nothing, wherever they stand in the order: they are not
// left out instead of others either.
static bool ignoresIdle(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Scene scene = drawScene(g, drawU32(g) % 2 == 0 ? rvo_plain : rvo_crowd, size);
    const thClearpathDef def = drawDef(g);
    Scene without = scene;
    without.neighborCount = 0;
    for (int32_t i = 0; i < scene.neighborCount; ++i) {
        if (drawU32(g) % 3 == 0)
            scene.neighbors[i].share = drawU32(g) % 2 == 0 ? 0.0f : 0.009f;
        if (scene.neighbors[i].share >= TH_CLEARPATH_LEAST_SHARE)
            without.neighbors[without.neighborCount++] = scene.neighbors[i];
    }
    const SceneAnswer a = ask(&def, &scene), b = ask(&def, &without);
    return sameBits(a.v.x, b.v.x) && sameBits(a.v.y, b.v.y) && a.status == b.status &&
           sameBits(askInterval(&def, &scene), askInterval(&def, &without));
}

static void testIdle(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "idle",
                                 .seed = 5,
                                 .caseCount = caseCount(20000, 200000),
                                 .maxSize = RVO_NEIGHBORS,
                                 .holds = ignoresIdle});
}

static thVec2 sum(thVec2 a, thVec2 b)
{
    return (thVec2){a.x + b.x, a.y + b.y};
}

// Turns, mirrors, or doubles a scene.
typedef enum Change { change_turn, change_mirror, change_double, change_count } Change;

static thVec2 transform(thVec2 v, Change how, float angle)
{
    const float c = cosf(angle), s = sinf(angle);
    switch (how) {
    case change_turn:
        return (thVec2){c * v.x - s * v.y, s * v.x + c * v.y};
    case change_mirror:
        return (thVec2){v.x, -v.y};
    default:
        return (thVec2){2.0f * v.x, 2.0f * v.y};
    }
}

static Scene transformScene(const Scene* scene, Change how, float angle)
{
    Scene other = *scene;
    const float factor = how == change_double ? 2.0f : 1.0f;
    other.self.velocity = transform(scene->self.velocity, how, angle);
    other.self.wanted = transform(scene->self.wanted, how, angle);
    other.self.radius *= factor;
    other.self.maxSpeed *= factor;
    other.self.maxAccel *= factor;
    for (int32_t i = 0; i < scene->neighborCount; ++i) {
        other.neighbors[i].position = transform(scene->neighbors[i].position, how, angle);
        other.neighbors[i].velocity = transform(scene->neighbors[i].velocity, how, angle);
        other.neighbors[i].radius *= factor;
    }
    for (int32_t i = 0; i < scene->wallCount; ++i) {
        other.walls[i].a = transform(scene->walls[i].a, how, angle);
        other.walls[i].b = transform(scene->walls[i].b, how, angle);
    }
    return other;
}

static int64_t mirrored, mirroredAlike;

// The answer of a scene that is turned, mirrored or larger is as far from the wanted velocity; and
// mirrored, if it is the only one that is so near, which is for the side that is kept to see to.
static bool isSymmetric(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Scene scene = drawScene(g, rvo_plain, size);
    scene.wallCount = 0; // what the agent keeps from walls does not grow with it
    if (scene.self.maxAccel > 0.0f || hypotf(scene.self.velocity.x, scene.self.velocity.y) >
                                          scene.self.maxSpeed) // else limits round as they like
        scene.self.velocity = (thVec2){0.0f, 0.0f};
    thClearpathDef def = thDefaultClearpathDef();
    def.mode = drawInt(g, 0, 2);
    def.keep = th_keepRight;
    const SceneAnswer answer = ask(&def, &scene);
    const float angle = drawFloat(g, 0.0f, 6.2831853f);
    for (int32_t how = 0; how < change_count; ++how) {
        const Scene other = transformScene(&scene, (Change)how, angle);
        thClearpathDef there = def;
        there.keep = how == change_mirror ? th_keepLeft : th_keepRight;
        const SceneAnswer found = askAlone(&there, &other);
        const double factor = how == change_double ? 2.0 : 1.0;
        const bool isGood = answer.status <= th_clearpathConstrained;
        if (isGood != (found.status <= th_clearpathConstrained) && how != change_turn)
            return false;
        if (isGood && found.status <= th_clearpathConstrained &&
            !isNear(factor * distanceOf(&scene, answer.v), distanceOf(&other, found.v), 2.0e-4))
            return false;
        if (how == change_mirror) {
            mirrored += 1;
            mirroredAlike += isNear(answer.v.x, found.v.x, 1.0e-4) &&
                             isNear(answer.v.y, -(double)found.v.y, 1.0e-4);
        }
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
    print_message("%lld of %lld mirrored alike\n", (long long)mirroredAlike, (long long)mirrored);
    assert_true(mirroredAlike > mirrored - mirrored / 500);
}

// A velocity that is added to all of them is added to the answer, far from the speed limit.
static void testBoost(void** state)
{
    (void)state;
    const thVec2 boost = {1.25f, -0.5f};
    int32_t constrained = 0;
    for (int32_t number = 0; number < caseCount(20000, 200000); ++number) {
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
        const SceneAnswer here = ask(&def, &scene), there = ask(&def, &boosted);
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
    for (int32_t number = 0; number < caseCount(20000, 200000); ++number) {
        thGenerator g = makeGenerator(6, (uint64_t)number);
        Scene a = drawScene(&g, rvo_plain, 1);
        a.neighborCount = 1;
        a.wallCount = 0;
        a.neighbors[0] = (thAvoidNeighbor){{drawFloat(&g, -3.0f, 3.0f), drawFloat(&g, -3.0f, 3.0f)},
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
        const SceneAnswer ofA = ask(&def, &a), ofB = ask(&def, &b);
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
        const SceneAnswer two = ask(&def, &scene);
        def.mode = th_clearpathOne;
        const SceneAnswer one = ask(&def, &scene);
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
    const int32_t cases = caseCount(6000, 200000);
    for (int32_t number = 0; number < cases; ++number) {
        thGenerator g = makeGenerator(12, (uint64_t)number);
        const Scene scene = drawScene(&g, number % 2 == 0 ? rvo_plain : rvo_crowd, RVO_NEIGHBORS);
        thClearpathDef def = drawDef(&g);
        def.cap = th_clearpathLine;
        def.solver = th_clearpathInterval;
        const SceneAnswer interval = askAlone(&def, &scene);
        def.solver = th_clearpathPaper;
        const SceneAnswer paper = askAlone(&def, &scene);
        apart += interval.status != paper.status ||
                 !isNear(distanceOf(&scene, interval.v), distanceOf(&scene, paper.v), 1.0e-4);
    }
    print_message("solvers are apart in %d of %d\n", apart, cases);
    assert_true(apart <= cases / 400); // where walls share their ends
}

// The velocity is outside of all cones of that horizon, and on the side of each neighbour that
// present velocities lead to.
static void assertObeys(const Scene* scene, float horizon, thVec2 v)
{
    const thAvoidSelf* self = &scene->self;
    const thClearpathOwn own = {
        self->velocity, self->maxSpeed, SCENE_DT, {{0.0f, 0.0f}, TH_NO_LIMIT}};
    for (int32_t i = 0; i < scene->neighborCount; ++i) {
        const thAvoidNeighbor* n = &scene->neighbors[i];
        const thClearpathOther other = {n->position, n->velocity, self->radius + n->radius,
                                        n->share, .isFirst = true};
        if (n->share < TH_CLEARPATH_LEAST_SHARE)
            continue;
        const thRegion side = thiClearpathOtherSide(&own, &other, false);
        const thRegion cone = thiClearpathCone(&own, &other, horizon, false, false);
        assert_false(thiIsInRegion(&side, v, 1.0e-4f));
        assert_false(thiIsInRegion(&cone, v, 1.0e-4f));
    }
}

// Mode 1 finds something in every scene without overlaps, walls and limits: the present velocity
// obeys all sides, and all cones once the horizon is short enough.
static void testModeOneEnds(void** state)
{
    (void)state;
    int32_t tested = 0, shorter = 0;
    for (int32_t number = 0; number < caseCount(8000, 200000); ++number) {
        thGenerator g = makeGenerator(8, (uint64_t)number);
        Scene scene = drawScene(&g, rvo_plain, RVO_NEIGHBORS);
        double soonest = 1000.0;
        scene.wallCount = 0;
        scene.self.maxSpeed = 4.0f;
        for (int32_t i = 0; i < scene.neighborCount; ++i) {
            const thAvoidNeighbor* n = &scene.neighbors[i];
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
        const SceneAnswer answer = ask(&def, &scene);
        shorter += answer.status == th_clearpathRelaxed || answer.status == th_clearpathShort;
        const float left = askInterval(&def, &scene);
        // Halved until it is at most the time to the first contact.
        assert_true(2.001 * (double)left >= fmin((double)def.horizon, soonest));
        assertObeys(&scene, left, answer.v);
        if (soonest >= 2.0 * (double)SCENE_DT)
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

static void partCrowd(thClearpathMode mode, thClearpathOverlap rule, uint64_t seed)
{
    enum { people = 10 };
    thVec2 at[people], velocity[people] = {{0.0f, 0.0f}};
    thGenerator g = makeGenerator(9, seed);
    thClearpathDef def = thDefaultClearpathDef();
    def.mode = (int32_t)mode;
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
                    scene.neighbors[scene.neighborCount++] = (thAvoidNeighbor){
                        {at[k].x - at[i].x, at[k].y - at[i].y}, velocity[k], 0.25f, .share = 0.5f};
            next[i] = ask(&def, &scene).v;
        }
        for (int32_t i = 0; i < people; ++i) {
            velocity[i] = next[i];
            at[i] = (thVec2){at[i].x + SCENE_DT * next[i].x, at[i].y + SCENE_DT * next[i].y};
        }
        const double depth = totalDepth(at, people, 0.25f);
        if (depth > before + 0.015) // who parts from one may touch another
            fail_msg("mode %d, rule %d, seed %d, step %d: %.3f m deep in all, before %.3f m", mode,
                     rule, (int)seed, step, depth, before);
        before = depth;
    }
    assert_true(before < 0.01);
}

static void testOverlapsPart(void** state)
{
    (void)state;
    for (int32_t mode = th_clearpathTwo; mode <= th_clearpathHalf; ++mode)
        for (int32_t rule = th_clearpathCenters; rule <= th_clearpathWedge; ++rule)
            for (uint64_t seed = 0; seed < 20; ++seed)
                partCrowd((thClearpathMode)mode, (thClearpathOverlap)rule, seed);
}

// Two who see each other: how `b` sees `a`.
static Scene otherOf(const Scene* a, thVec2 wanted)
{
    const thAvoidNeighbor* n = &a->neighbors[0];
    return (Scene){.self = {n->velocity, wanted, n->radius, a->self.maxSpeed, 0.0f},
                   .neighbors = {{{-n->position.x, -n->position.y},
                                  a->self.velocity,
                                  a->self.radius,
                                  1.0f - n->share}},
                   .neighborCount = 1};
}

// By how much both miss each other within a time if they keep their velocities; negative where they
// collide.
static double missBy(const Scene* a, thVec2 va, thVec2 vb, double time)
{
    const double x = (double)a->neighbors[0].position.x, y = (double)a->neighbors[0].position.y;
    const double wx = (double)va.x - (double)vb.x, wy = (double)va.y - (double)vb.y;
    const double speedSq = wx * wx + wy * wy;
    const double nearest = speedSq > 0.0 ? (x * wx + y * wy) / speedSq : 0.0;
    const double t = fmin(fmax(nearest, 0.0), time);
    return hypot(x - t * wx, y - t * wy) - (double)(a->self.radius + a->neighbors[0].radius);
}

// In mode h two who both find a velocity do not collide within the horizon.
static void testPairs(void** state)
{
    (void)state;
    const int32_t cases = caseCount(50000, 1000000);
    int32_t constrained = 0;
    thClearpathDef def = thDefaultClearpathDef();
    def.mode = th_clearpathHalf;
    for (int32_t number = 0; number < cases; ++number) {
        thGenerator g = makeGenerator(15, (uint64_t)number);
        const float share = number % 4 == 0 ? drawFloat(&g, 0.05f, 0.95f) : 0.5f;
        const float both = drawFloat(&g, 0.1f, 1.0f), angle = drawFloat(&g, 0.0f, 6.2831853f);
        const float distance = both * drawFloat(&g, 1.01f, 5.0f);
        const Scene a = {.self = {drawVelocity(&g), drawVelocity(&g), 0.5f * both, 2.2f, 0.0f},
                         .neighbors = {{{distance * cosf(angle), distance * sinf(angle)},
                                        drawVelocity(&g),
                                        0.5f * both,
                                        share}},
                         .neighborCount = 1};
        const Scene b = otherOf(&a, drawVelocity(&g));
        const SceneAnswer ofA = ask(&def, &a), ofB = ask(&def, &b);
        if (ofA.status > th_clearpathConstrained || ofB.status > th_clearpathConstrained)
            continue;
        constrained += ofA.status == th_clearpathConstrained;
        if (missBy(&a, ofA.v, ofB.v, (double)def.horizon) < -1.0e-4)
            fail_msg("pair %d collides", number);
    }
    assert_true(constrained > cases / 20);
}

// The gap in the paper's theorem: two who may have these velocities by mode 1 get them, and
// collide. In mode h they do not.
static void testTheoremGap(void** state)
{
    (void)state;
    const Scene a = {.self = {{0.5f, 0.01f}, {0.74f, 0.001f}, 0.25f, 2.0f, 0.0f},
                     .neighbors = {{{2.0f, 0.0f}, {-0.5f, -0.01f}, 0.25f, 0.5f}},
                     .neighborCount = 1};
    const Scene b = otherOf(&a, (thVec2){-1.5f, -0.392f});
    thClearpathDef def = thDefaultClearpathDef();
    def.horizon = 1.0f;
    def.mode = th_clearpathOne;
    const SceneAnswer ofA = ask(&def, &a), ofB = ask(&def, &b);
    assert_int_equal(ofA.status, th_clearpathFree);
    assert_int_equal(ofB.status, th_clearpathFree);
    assert_true(missBy(&a, ofA.v, ofB.v, 0.70) > 0.0 && missBy(&a, ofA.v, ofB.v, 0.72) < 0.0);
    def.mode = th_clearpathHalf;
    const SceneAnswer keepsA = ask(&def, &a), keepsB = ask(&def, &b);
    assert_true(keepsA.status <= th_clearpathConstrained);
    assert_true(keepsB.status <= th_clearpathConstrained);
    assert_true(missBy(&a, keepsA.v, keepsB.v, 1.0) > -1.0e-5);
}

// How many pairs collide within the horizon although both have a velocity that the mode allows; or
// within a step, or as long as mode 1 promises if that is less. Half of them want to go straight
// at each other.
static int32_t countColliding(thClearpathMode mode, bool keepsPromise, int32_t cases)
{
    int32_t colliding = 0;
    thClearpathDef def = thDefaultClearpathDef();
    def.mode = (int32_t)mode;
    for (int32_t number = 0; number < cases; ++number) {
        thGenerator g = makeGenerator(16, (uint64_t)number);
        const float both = drawFloat(&g, 0.1f, 1.0f), angle = drawFloat(&g, 0.0f, 6.2831853f);
        const float distance = both * drawFloat(&g, 1.01f, 5.0f);
        const thVec2 p = {distance * cosf(angle), distance * sinf(angle)};
        const thVec2 own = drawVelocity(&g), others = drawVelocity(&g);
        thVec2 wanted = drawVelocity(&g), theirs = drawVelocity(&g);
        if (number % 2 == 0) {
            const float speed = drawFloat(&g, 0.5f, 2.0f) / distance;
            const float back = drawFloat(&g, 0.5f, 2.0f) / distance;
            wanted = (thVec2){speed * p.x, speed * p.y};
            theirs = (thVec2){-back * p.x, -back * p.y};
        }
        const Scene a = {.self = {own, wanted, 0.5f * both, 2.2f, 0.0f},
                         .neighbors = {{p, others, 0.5f * both, 0.5f}},
                         .neighborCount = 1};
        const Scene b = otherOf(&a, theirs);
        const SceneAnswer ofA = askAlone(&def, &a), ofB = askAlone(&def, &b);
        const float left = TH_MIN(askInterval(&def, &a), askInterval(&def, &b));
        if (!keepsPromise &&
            (ofA.status > th_clearpathConstrained || ofB.status > th_clearpathConstrained))
            continue;
        const float time = keepsPromise ? TH_MIN(left, SCENE_DT) : def.horizon;
        colliding += missBy(&a, ofA.v, ofB.v, (double)time) < -1.0e-4;
    }
    return colliding;
}

// The gap is no rarity among velocities that are chosen: who meets head-on brakes before the cap,
// the other turns along a leg.
static void testModeOnePairs(void** state)
{
    (void)state;
    const int32_t cases = caseCount(20000, 100000);
    const int32_t one = countColliding(th_clearpathOne, false, cases);
    const int32_t step = countColliding(th_clearpathOne, true, cases);
    print_message("mode 1: %d of %d pairs collide within the horizon, %d within a step\n", one,
                  cases, step);
    assert_int_equal(countColliding(th_clearpathHalf, false, cases), 0);
    assert_true(one > cases / 100);
}

// Two who meet exactly head-on pass each other on the side they keep to; the other side is the
// mirror image, to the bit.
static void testHeadOn(void** state)
{
    (void)state;
    for (int32_t mode = th_clearpathTwo; mode <= th_clearpathHalf; ++mode) {
        thVec2 at[2] = {{-2.0f, 0.0f}, {-2.0f, 0.0f}}; // of the one who comes from the left
        thVec2 v[2] = {{1.3f, 0.0f}, {1.3f, 0.0f}};
        for (int32_t step = 0; step < 40; ++step) {
            for (int32_t keep = th_keepRight; keep <= th_keepLeft; ++keep) {
                thClearpathDef def = thDefaultClearpathDef();
                def.mode = mode;
                def.keep = keep;
                // The other is where this one is from the other side.
                const Scene scene = {.self = {v[keep], {1.3f, 0.0f}, 0.25f, 2.0f, 0.0f},
                                     .neighbors = {{{-2.0f * at[keep].x, -2.0f * at[keep].y},
                                                    {-v[keep].x, -v[keep].y},
                                                    0.25f,
                                                    0.5f}},
                                     .neighborCount = 1};
                v[keep] = ask(&def, &scene).v;
                at[keep] =
                    (thVec2){at[keep].x + SCENE_DT * v[keep].x, at[keep].y + SCENE_DT * v[keep].y};
                assert_true(2.0f * hypotf(at[keep].x, at[keep].y) > 0.4999f);
            }
            assert_near(v[0].x, v[1].x, 1.0e-5);
            assert_near(v[0].y, -(double)v[1].y, 1.0e-5);
        }
        assert_true(at[th_keepRight].x > 2.0f && at[th_keepRight].y < -0.2f);
        assert_true(at[th_keepLeft].x > 2.0f && at[th_keepLeft].y > 0.2f);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(testNeighbors, compareAsked),
                                       cmocka_unit_test_teardown(testIdle, compareAsked),
                                       cmocka_unit_test_teardown(testSymmetry, compareAsked),
                                       cmocka_unit_test_teardown(testBoost, compareAsked),
                                       cmocka_unit_test_teardown(testReciprocity, compareAsked),
                                       cmocka_unit_test_teardown(testModesDiffer, compareAsked),
                                       cmocka_unit_test_teardown(testModeOneEnds, compareAsked),
                                       cmocka_unit_test_teardown(testSolvers, compareAsked),
                                       cmocka_unit_test_teardown(testOverlapsPart, compareAsked),
                                       cmocka_unit_test_teardown(testPairs, compareAsked),
                                       cmocka_unit_test_teardown(testTheoremGap, compareAsked),
                                       cmocka_unit_test(testModeOnePairs),
                                       cmocka_unit_test_teardown(testHeadOn, compareAsked)};
    return RUN_TESTS(tests, argc, argv);
}
