// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `rvo` for single agents: where samples lie, what they cost, and which one is chosen. The
// scalar kernel defines all of it; test_rvo_lanes.c holds the others against it.

#include "avoid/rvo/rvo_oracle.h"
#include "gear/gear.h"
#include "gear/statistics.h"

#include <stdlib.h>

#define DT 0.1f
#define MOST 10000
#define PI 3.14159265358979

static thVec2 velocities[MOST];
static float costs[MOST];

// What one agent chooses, and what all samples cost.
typedef struct Choice {
    thVec2 velocity;
    int32_t sample, count;
    thRvoStatus status;
} Choice;

static Choice chooseFor(const RvoAgent* agent, const thRvoDef* def, uint64_t step)
{
    const thBatch* batch = makeRvoBatch(agent, 1, step, DT);
    thRvoTask task;
    assert_true(thiRvoMakeTask(batch, def, &task));
    thiRvoFlat_scalar(&task);
    assert_true(thiRvoSampleCount(&task) <= MOST);
    thiRvoTell_scalar(&task, 0, velocities, costs);
    return (Choice){{batch->outVx[0], batch->outVy[0]},
                    task.chosen[0],
                    thiRvoSampleCount(&task),
                    (thRvoStatus)batch->status[0]};
}

static int32_t cheapest(int32_t count)
{
    int32_t best = 0;
    for (int32_t i = 1; i < count; ++i)
        best = costs[i] < costs[best] ? i : best;
    return best;
}

static bool isBetween(double cost, const RvoAgent* agent, const thRvoDef* def, thVec2 v)
{
    const double low = rvoOracleCost(agent, def, v, -2.0e-5);
    const double middle = rvoOracleCost(agent, def, v, 0.0);
    const double high = rvoOracleCost(agent, def, v, 2.0e-5);
    const double least = fmin(low, fmin(middle, high)), most = fmax(low, fmax(middle, high));
    const double slack = 1.0e-4 + 2.0e-3 * fabs(middle);
    return cost >= least - slack && cost <= most + slack;
}

static int64_t sampleCount, oddCount;

// Costs are those of the oracle, and the cheapest sample is chosen.
static bool agreesWithOracle(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    RvoAgent agent;
    drawRvoAgent(g, (RvoKind)(drawU32(g) % rvo_kindCount), size, &agent);
    const thRvoDef def = drawRvoDef(g);
    const Choice choice = chooseFor(&agent, &def, 7);
    for (int32_t i = 0; i < choice.count; ++i) {
        const bool fits = isBetween((double)costs[i], &agent, &def, velocities[i]);
        oddCount += !fits;
        if (!fits && getenv("THRONG_PROPERTY") != NULL)
            print_message("sample %d (%g, %g): %g instead of %g\n", i, (double)velocities[i].x,
                          (double)velocities[i].y, (double)costs[i],
                          rvoOracleCost(&agent, &def, velocities[i], 0.0));
    }
    sampleCount += choice.count;
    const int32_t best = choice.status == th_rvoFree ? 0 : cheapest(choice.count);
    return choice.sample == best && sameBits(choice.velocity.x, velocities[best].x) &&
           sameBits(choice.velocity.y, velocities[best].y) &&
           (double)costs[best] <= (double)costs[0];
}

static void testOracle(void** state)
{
    (void)state;
    sampleCount = oddCount = 0;
    assertProperty(&(thProperty){.name = "oracle",
                                 .seed = 1,
                                 .caseCount = getenv("THRONG_LONG") != NULL ? 200000 : 4000,
                                 .maxSize = RVO_NEIGHBORS,
                                 .holds = agreesWithOracle});
    print_message("%lld samples, %lld cost something else\n", (long long)sampleCount,
                  (long long)oddCount);
    // Rounding decides who passes exactly on the axis of a hybrid cone, what is met exactly where
    // two edges join, and where walls are, by 2⁻¹⁶ m.
    assert_true(oddCount * 50000 <= sampleCount);
}

// A velocity is in the reciprocal velocity obstacle if and only if a collision is ahead: the cone
// with its apex at (1 − share) · own + share · other's velocity.
static void testMembership(void** state)
{
    (void)state;
    thGenerator g = makeGenerator(2, 1);
    thRvoDef def = thDefaultRvoDef();
    def.samples = MOST;
    def.cutoff = 0.0f;
    static const float shares[] = {1.0f, 0.5f, 0.25f, 0.8f};
    int64_t inside = 0, wrong = 0;
    for (int32_t i = 0; i < 100; ++i) {
        RvoAgent agent;
        drawRvoAgent(&g, rvo_plain, 0, &agent);
        agent.maxSpeed = 2.0f;
        agent.maxAccel = 0.0f;
        const double angle = (double)drawFloat(&g, -3.0f, 3.0f);
        const double distance = (double)drawFloat(&g, 0.55f, 4.0f);
        RvoNeighbor* n = &agent.neighbors[0];
        *n = (RvoNeighbor){{(float)(distance * cos(angle)), (float)(distance * sin(angle))},
                           {drawFloat(&g, -1.0f, 1.0f), drawFloat(&g, -1.0f, 1.0f)},
                           0.25f,
                           shares[i % 4]};
        agent.neighborCount = 1;
        const Choice choice = chooseFor(&agent, &def, (uint64_t)i);
        const double share = (double)n->share, half = asin(0.5 / distance);
        for (int32_t k = 0; k < choice.count; ++k) {
            const double x = (double)velocities[k].x - (1.0 - share) * (double)agent.velocity.x -
                             share * (double)n->velocity.x;
            const double y = (double)velocities[k].y - (1.0 - share) * (double)agent.velocity.y -
                             share * (double)n->velocity.y;
            const double off = fabs(remainder(atan2(y, x) - angle, 2.0 * PI));
            const double missed = hypot((double)velocities[k].x - (double)agent.wanted.x,
                                        (double)velocities[k].y - (double)agent.wanted.y);
            const bool meets = (double)costs[k] > missed + 1.0e-5;
            inside += meets;
            wrong += meets != (off <= half) && fabs(off - half) > 1.0e-4 && hypot(x, y) > 1.0e-3;
        }
    }
    print_message("%lld of a million inside\n", (long long)inside);
    assert_int_equal(wrong, 0);
    assert_true(inside > 50000);
}

// All samples may be taken, and they are spread evenly over what may be.
static bool samplesAreAllowed(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    RvoAgent agent;
    drawRvoAgent(g, rvo_plain, size, &agent);
    const thRvoDef def = drawRvoDef(g);
    const Choice choice = chooseFor(&agent, &def, 3);
    const double limit = (double)agent.maxSpeed;
    double x = (double)agent.velocity.x, y = (double)agent.velocity.y;
    const double speed = hypot(x, y);
    if (speed > limit) { // what is too much is shed at once
        x *= limit / speed;
        y *= limit / speed;
    }
    for (int32_t i = 0; i < choice.count; ++i) {
        const double vx = (double)velocities[i].x, vy = (double)velocities[i].y;
        if (hypot(vx, vy) > limit * (1.0 + 1.0e-5))
            return false;
        if (agent.maxAccel > 0.0f &&
            hypot(vx - x, vy - y) > (double)agent.maxAccel * (double)DT + 1.0e-5 * (1.0 + limit))
            return false;
    }
    return true;
}

static void testAllowed(void** state)
{
    (void)state;
    assertProperty(&(thProperty){
        .name = "allowed", .seed = 3, .caseCount = 4000, .maxSize = 4, .holds = samplesAreAllowed});
}

// Counts in 64 cells of equal size of a disc.
static void countCells(int32_t count, thVec2 center, float radius, int32_t cells[64])
{
    memset(cells, 0, 64 * sizeof *cells);
    for (int32_t i = 1; i < count; ++i) {
        const double x = (double)(velocities[i].x - center.x);
        const double y = (double)(velocities[i].y - center.y);
        const double r = hypot(x, y) / (double)radius, turn = (atan2(y, x) + PI) / (2.0 * PI);
        const int32_t ring = (int32_t)fmin(8.0 * r * r, 7.0);
        cells[8 * ring + (int32_t)fmin(8.0 * turn, 7.0)] += 1;
    }
}

static void testUniform(void** state)
{
    (void)state;
    RvoAgent agent = plainRvoAgent();
    thRvoDef def = thDefaultRvoDef();
    def.samples = MOST;
    Choice choice = chooseFor(&agent, &def, 1);
    int32_t cells[64];
    countCells(choice.count, (thVec2){0.0f, 0.0f}, 2.0f, cells);
    const double whole = uniformDeviation(cells, 64);
    agent.maxAccel = 5.0f;
    choice = chooseFor(&agent, &def, 1);
    countCells(choice.count, agent.velocity, 0.5f, cells);
    const double small = uniformDeviation(cells, 64);
    // A lens: as many on either side of the line between both centres.
    agent.velocity = (thVec2){0.0f, 1.9f};
    choice = chooseFor(&agent, &def, 1);
    int32_t halves[2] = {0};
    for (int32_t i = 1; i < choice.count; ++i)
        halves[velocities[i].x > 0.0f] += 1;
    const double lens = uniformDeviation(halves, 2);
    def.even = 1;
    agent = plainRvoAgent();
    choice = chooseFor(&agent, &def, 1);
    countCells(choice.count, (thVec2){0.0f, 0.0f}, 2.0f, cells);
    for (int32_t i = 0; i < 64; ++i) // far more even than chance
        assert_near(cells[i], MOST / 64.0, 4.0);
    print_message("deviations: %.2f, %.2f, %.2f\n", whole, small, lens);
    assert_true(whole < 4.0 && small < 4.0 && lens < 4.0);
}

// The more samples the better: those of fewer are among those of more.
static bool moreIsBetter(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    RvoAgent agent;
    drawRvoAgent(g, (RvoKind)(drawU32(g) % rvo_kindCount), size, &agent);
    thRvoDef def = drawRvoDef(g);
    def.even = def.refinements = 0;
    float before = INFINITY;
    for (def.samples = 1; def.samples <= 1024; def.samples *= 4) {
        const Choice choice = chooseFor(&agent, &def, 5);
        if (costs[choice.sample] > before && choice.status != th_rvoFree)
            return false;
        before = costs[choice.sample];
    }
    return true;
}

static void testMore(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "more",
                                 .seed = 4,
                                 .caseCount = 500,
                                 .maxSize = RVO_NEIGHBORS,
                                 .holds = moreIsBetter});
}

// Nobody there: the wanted velocity, to the bit, or the nearest that may be taken.
static void testAlone(void** state)
{
    (void)state;
    thGenerator g = makeGenerator(5, 1);
    const thRvoDef def = thDefaultRvoDef();
    for (int32_t i = 0; i < 2000; ++i) {
        RvoAgent agent;
        drawRvoAgent(&g, rvo_plain, 0, &agent);
        const Choice choice = chooseFor(&agent, &def, (uint64_t)i);
        assert_int_equal(choice.sample, 0);
        assert_int_equal(choice.status, th_rvoFree);
        if (agent.maxAccel == 0.0f &&
            hypotf(agent.wanted.x, agent.wanted.y) < agent.maxSpeed * 0.999f) {
            assert_same_bits(choice.velocity.x, agent.wanted.x);
            assert_same_bits(choice.velocity.y, agent.wanted.y);
        }
        for (int32_t k = 1; k < choice.count; ++k) // nothing allowed is nearer
            assert_true(costs[k] >= costs[0] - 1.0e-5f);
    }
}

// With many samples what is chosen comes near what a fine grid of velocities gives.
static void testConvergence(void** state)
{
    (void)state;
    thRvoDef def = thDefaultRvoDef();
    for (int32_t round = 0; round < 3; ++round) {
        thGenerator g = makeGenerator(6, 1);
        def.samples = round == 0 ? 100 : round == 1 ? 1000 : MOST;
        const double bound = 1.5 * 2.0 * sqrt(PI / def.samples);
        double sum = 0.0;
        const int32_t tries = 60;
        for (int32_t i = 0; i < tries; ++i) {
            RvoAgent agent;
            drawRvoAgent(&g, rvo_plain, 4, &agent);
            agent.maxSpeed = 2.0f;
            agent.maxAccel = 0.0f;
            const Choice choice = chooseFor(&agent, &def, (uint64_t)i);
            double least = INFINITY;
            for (float x = -2.0f; x <= 2.0f; x += 0.02f)
                for (float y = -2.0f; y <= 2.0f; y += 0.02f)
                    if (x * x + y * y <= 4.0f)
                        least = fmin(least, rvoOracleCost(&agent, &def, (thVec2){x, y}, 0.0));
            sum += fmax((double)costs[choice.sample] - least, 0.0);
        }
        print_message("%d samples: %.4f above the least on average, bound %.4f\n", def.samples,
                      sum / tries, bound);
        assert_true(sum / tries < bound);
    }
}

// Evenly spread samples, and refinement, do more with the same number.
static void testBetterSamples(void** state)
{
    (void)state;
    double sums[4] = {0.0};
    for (int32_t i = 0; i < 300; ++i)
        for (int32_t kind = 0; kind < 4; ++kind) {
            thGenerator g = makeGenerator(7, (uint64_t)i);
            RvoAgent agent;
            drawRvoAgent(&g, rvo_crowd, 6, &agent);
            thRvoDef def = thDefaultRvoDef();
            def.samples = kind == 2 ? 64 : kind == 3 ? 1000 : 128;
            def.refinements = kind == 2 ? 2 : 0;
            def.even = kind == 1;
            const Choice choice = chooseFor(&agent, &def, 1);
            sums[kind] += fmin((double)costs[choice.sample], 10.0) / 300.0;
        }
    print_message("128 samples cost %.4f, evenly %.4f, 64 + 32 + 32 %.4f; 1000 cost %.4f\n",
                  sums[0], sums[1], sums[2], sums[3]);
    assert_true(sums[2] < sums[0]);
}

// A scene and its mirror image cost the same, to the bit: so with mirrored samples all would be
// mirrored.
static bool mirrorsAgree(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    RvoAgent agent;
    drawRvoAgent(g, (RvoKind)(drawU32(g) % rvo_pile), size, &agent);
    thRvoDef def = drawRvoDef(g);
    def.samples = 1; // the wanted velocity alone
    def.refinements = 0;
    agent.moverCount = 0; // polygons that turn the other way
    (void)chooseFor(&agent, &def, 1);
    const float cost = costs[0];
    agent.velocity.y = -agent.velocity.y;
    agent.wanted.y = -agent.wanted.y;
    for (int32_t i = 0; i < agent.neighborCount; ++i) {
        agent.neighbors[i].position.y = -agent.neighbors[i].position.y;
        agent.neighbors[i].velocity.y = -agent.neighbors[i].velocity.y;
    }
    for (int32_t i = 0; i < agent.wallCount; ++i) {
        agent.walls[i][0].y = -agent.walls[i][0].y;
        agent.walls[i][1].y = -agent.walls[i][1].y;
    }
    const thVec2 before = velocities[0];
    (void)chooseFor(&agent, &def, 1);
    return sameBits(cost, costs[0]) && velocities[0].x == before.x && velocities[0].y == -before.y;
}

static void testMirror(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "mirror",
                                 .seed = 8,
                                 .caseCount = 5000,
                                 .maxSize = RVO_NEIGHBORS,
                                 .holds = mirrorsAgree});
}

// Two agents by themselves, moved by what is chosen.
typedef struct Walker {
    thVec2 position;
    RvoAgent agent;
} Walker;

static void stepPair(Walker pair[2], const thRvoDef* def, float share, uint64_t step)
{
    RvoAgent agents[2];
    for (int32_t i = 0; i < 2; ++i) {
        const Walker* other = &pair[1 - i];
        agents[i] = pair[i].agent;
        agents[i].neighborCount = 1;
        agents[i].neighbors[0] = (RvoNeighbor){
            {other->position.x - pair[i].position.x, other->position.y - pair[i].position.y},
            other->agent.velocity,
            other->agent.radius,
            share};
    }
    const thBatch* batch = makeRvoBatch(agents, 2, step, DT);
    thRvoTask task;
    assert_true(thiRvoMakeTask(batch, def, &task));
    thiRvoNested_scalar(&task);
    for (int32_t i = 0; i < 2; ++i) {
        pair[i].agent.velocity = (thVec2){batch->outVx[i], batch->outVy[i]};
        pair[i].position.x += DT * batch->outVx[i];
        pair[i].position.y += DT * batch->outVy[i];
    }
}

static double distanceOf(const Walker pair[2])
{
    return hypot((double)(pair[0].position.x - pair[1].position.x),
                 (double)(pair[0].position.y - pair[1].position.y));
}

// Two who meet, the second so far to the side: by how much the first turns to and fro in all, and
// how near they come.
static double swayOf(const thRvoDef* def, float share, float aside, double* nearest)
{
    double sway = 0.0;
    for (uint64_t seed = 0; seed < 10; ++seed) {
        Walker pair[2] = {{{-6.0f, 0.0f}, plainRvoAgent()}, {{6.0f, aside}, plainRvoAgent()}};
        pair[0].agent.key = 2 * seed;
        pair[1].agent.key = 2 * seed + 1;
        pair[1].agent.velocity.x = pair[1].agent.wanted.x = -1.0f;
        for (uint64_t step = 0; step < 120; ++step) {
            const float before = pair[0].agent.velocity.y;
            stepPair(pair, def, share, step);
            *nearest = fmin(*nearest, distanceOf(pair));
            sway += fabs((double)(pair[0].agent.velocity.y - before)) / 10.0;
        }
        assert_true(pair[0].position.x > 3.0f && pair[1].position.x < -3.0f);
    }
    return sway;
}

// The reason why reciprocal velocity obstacles exist: with plain ones both turn, find that one was
// enough, and turn back. Where two meet exactly head-on each may choose the other side with every
// step, which is what hybrid ones are for.
static void testHeadOn(void** state)
{
    (void)state;
    thRvoDef def = thDefaultRvoDef();
    def.samples = 1000;
    double nearest = INFINITY, nearestHybrid = INFINITY;
    (void)swayOf(&def, 0.5f, 0.02f, &nearest);
    def.even = 1;
    def.refinements = 6;
    const double plain = swayOf(&def, 1.0f, 0.3f, &nearest);
    const double reciprocal = swayOf(&def, 0.5f, 0.3f, &nearest);
    const double dance = swayOf(&def, 0.5f, 0.02f, &nearest);
    def.hybrid = 1;
    const double hybrid = swayOf(&def, 0.5f, 0.02f, &nearestHybrid);
    print_message("sway %.2f m/s, with plain velocity obstacles %.2f; head-on %.2f, hybrid %.2f; "
                  "nearest %.3f and %.3f m\n",
                  reciprocal, plain, dance, hybrid, nearest, nearestHybrid);
    assert_true(5.0 * reciprocal < plain);
    assert_true(5.0 * hybrid < dance);
    assert_true(nearest > 0.475 && nearestHybrid > 0.4995);
}

// Who overlaps parts, deeper and deeper never.
static void testParting(void** state)
{
    (void)state;
    const thRvoDef def = thDefaultRvoDef();
    for (uint64_t i = 0; i < 50; ++i) {
        Walker pair[2] = {{{0.0f, 0.0f}, plainRvoAgent()}, {{0.0f, 0.0f}, plainRvoAgent()}};
        pair[1].position.y = 0.01f * (float)i;
        for (int32_t k = 0; k < 2; ++k) {
            pair[k].agent.key = 100 * i + (uint64_t)k;
            pair[k].agent.velocity = pair[k].agent.wanted = (thVec2){0.0f, 0.0f};
        }
        double before = distanceOf(pair);
        for (uint64_t step = 0; step < 20; ++step) {
            stepPair(pair, &def, 0.5f, step);
            const double now = distanceOf(pair);
            assert_true(now >= fmin(before, 0.495));
            before = now;
        }
        assert_true(before >= 0.495); // touching
    }
}

static int freeAll(void** state)
{
    (void)state;
    freeRvoBatches();
    return 0;
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testOracle),
        cmocka_unit_test(testMembership),
        cmocka_unit_test(testAllowed),
        cmocka_unit_test(testUniform),
        cmocka_unit_test(testMore),
        cmocka_unit_test(testAlone),
        cmocka_unit_test(testConvergence),
        cmocka_unit_test(testBetterSamples),
        cmocka_unit_test(testMirror),
        cmocka_unit_test(testHeadOn),
        cmocka_unit_test_teardown(testParting, freeAll),
    };
    return RUN_TESTS(tests, argc, argv);
}
