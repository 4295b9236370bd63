// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The side that people keep to: lanes are where it says, left is right in a mirror, and those who
// do not agree on a side get through as well. Methods of the host's take part like others.

#include "sim/jam/jam_gear.h"

#include "throng/method.h"
#include "throng/random.h"

#include <math.h>

#define GROUP 24 // people of one direction
#define MOST 3000
#define SEEDS 8

// A crowd of two directions in a corridor.
typedef struct Meeting {
    thKeep east[2], west[2]; // the sides they keep to, every other one the same
    float mirror;            // −1: upside down
    const char* avoid;
    uint64_t seed;
} Meeting;

static thProfileId addSide(thWorld* world, const Meeting* meeting, thKeep keep)
{
    thProfileDef def = walkerProfile(keep, 1.0f);
    def.avoid.name = meeting->avoid;
    thProfileId id;
    assert_ok(thCreateProfile(world, &def, &id, NULL));
    return id;
}

// Avoidance that avoids nobody but looks at them, as a host's may be.
static void goHeadlong(const thBatch* batch, const void* params, const void* shared)
{
    (void)params;
    (void)shared;
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        batch->outVx[lane] = batch->guideX[lane];
        batch->outVy[lane] = batch->guideY[lane];
    }
}

static const thMethod headlong = {.size = sizeof(thMethod),
                                  .name = "headlong",
                                  .version = 1,
                                  .needs = th_needsNeighbors,
                                  .solve = goHeadlong};

static thWorld* createMeeting(const Meeting* meeting)
{
    thWorld* world = createCrowdWorld(1, th_simdAuto);
    assert_ok(thWorld_AddMethod(world, th_methodAvoid, &headlong));
    addWall(world, -30.0f, -1.25f, 30.0f, -1.25f);
    addWall(world, -30.0f, 1.25f, 30.0f, 1.25f);
    const thProfileId profiles[2][2] = {
        {addSide(world, meeting, meeting->east[0]), addSide(world, meeting, meeting->east[1])},
        {addSide(world, meeting, meeting->west[0]), addSide(world, meeting, meeting->west[1])}};
    for (int32_t i = 0; i < 2 * GROUP; ++i) {
        const uint64_t stream = thRandomStream(meeting->seed, (uint64_t)i, 0, 0);
        const float side = i % 2 == 0 ? -1.0f : 1.0f;
        const float x = 3.0f + 0.8f * (float)(i / 6) + thRandomRange(stream, 0, -0.1f, 0.1f);
        const float y = 0.7f * (float)(i / 2 % 3 - 1) + thRandomRange(stream, 1, -0.08f, 0.08f);
        addWalker(world, profiles[i % 2][i / 2 % 2], (thVec2){side * x, meeting->mirror * y},
                  (thVec2){-side * 15.0f, meeting->mirror * y});
    }
    return world;
}

static Meeting agreed(thKeep keep, uint64_t seed)
{
    return (Meeting){
        .east = {keep, keep}, .west = {keep, keep}, .mirror = 1.0f, .avoid = "orca", .seed = seed};
}

// How far to the right of the middle people are where they come through it, on average [m].
static double meanSide(thWorld* world)
{
    float before[2 * GROUP];
    double sum = 0.0;
    int32_t count = 0;
    for (int32_t i = 0; i < 2 * GROUP; ++i)
        before[i] = thWorld_GetAgentView(world).rows[i].position.x;
    for (int32_t step = 0; step < MOST && thWorld_GetCounters(world).agents > 0; ++step) {
        assert_ok(thWorld_Step(world, JAM_STEP));
        const thAgentView view = thWorld_GetAgentView(world);
        for (int32_t i = 0; i < 2 * GROUP; ++i) {
            if (view.rows[i].flags == 0)
                continue;
            const thVec2 at = view.rows[i].position;
            if ((at.x < 0.0f) != (before[i] < 0.0f)) {
                sum += (double)(before[i] < 0.0f ? -at.y : at.y);
                count += 1;
            }
            before[i] = at.x;
        }
    }
    assert_true(count >= 2 * GROUP);
    return sum / count;
}

// Lanes are on the side that is kept, and nowhere in particular where none is.
static void testLanes(void** state)
{
    (void)state;
    const thKeep keeps[] = {th_keepRight, th_keepLeft, th_keepNone};
    double sides[3] = {0.0, 0.0, 0.0};
    for (int32_t k = 0; k < 3; ++k)
        for (uint64_t seed = 0; seed < SEEDS; ++seed) {
            const Meeting meeting = agreed(keeps[k], seed);
            thWorld* world = createMeeting(&meeting);
            sides[k] += meanSide(world) / SEEDS;
            thDestroyWorld(world);
        }
    print_message("to the right: %.2f m, left %.2f m, none %.2f m\n", sides[0], sides[1], sides[2]);
    assert_true(sides[0] > 0.3 && sides[1] < -0.3);
    assert_true(sides[2] > -0.25 && sides[2] < 0.25);
}

// How long it takes, mean over seeds [s].
static double meanTime(Meeting meeting)
{
    double sum = 0.0;
    for (meeting.seed = 0; meeting.seed < SEEDS; ++meeting.seed) {
        thWorld* world = createMeeting(&meeting);
        const int32_t steps = stepsUntilEmpty(world, MOST);
        assert_true(steps < MOST);
        sum += (double)steps * (double)JAM_STEP / SEEDS;
        thDestroyWorld(world);
    }
    return sum;
}

// How far anybody is from where its mirror image says it is [m].
static double mirrorError(const thWorld* world, const thWorld* mirrored)
{
    const thAgentView a = thWorld_GetAgentView(world), b = thWorld_GetAgentView(mirrored);
    double error = 0.0;
    for (int32_t i = 0; i < 2 * GROUP; ++i) {
        const thVec2 p = a.rows[i].position, q = b.rows[i].position;
        error = fmax(error, hypot((double)p.x - (double)q.x, (double)p.y + (double)q.y));
    }
    return error;
}

// Left is right in a mirror, at first to the bit, and as good as that until bodies touch: the cells
// of contacts are not mirrored.
static void testMirrorImage(void** state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; ++seed) {
        const Meeting right = agreed(th_keepRight, seed);
        Meeting left = agreed(th_keepLeft, seed);
        left.mirror = -1.0f;
        thWorld* world = createMeeting(&right);
        thWorld* mirrored = createMeeting(&left);
        int32_t steps = 0;
        for (; thWorld_GetCounters(world).contacts == 0; ++steps) {
            assert_true(mirrorError(world, mirrored) <= (steps <= 12 ? 0.0 : 0.001));
            assert_ok(thWorld_Step(world, JAM_STEP));
            assert_ok(thWorld_Step(mirrored, JAM_STEP));
        }
        assert_true(steps > 12);
        thDestroyWorld(world);
        thDestroyWorld(mirrored);
    }
}

// Afterwards single runs part, crowds being chaotic; all of them together do not.
static void testMirrorTimes(void** state)
{
    (void)state;
    Meeting left = agreed(th_keepLeft, 0);
    left.mirror = -1.0f;
    const double right = meanTime(agreed(th_keepRight, 0)), mirrored = meanTime(left);
    print_message("right %.1f s, left in a mirror %.1f s\n", right, mirrored);
    assert_true(mirrored > 0.75 * right && mirrored < 1.33 * right);
}

static void testDisagreeing(void** state)
{
    (void)state;
    Meeting mixed = agreed(th_keepRight, 0), oneSide = mixed;
    mixed.east[1] = mixed.west[1] = th_keepLeft;
    oneSide.west[0] = oneSide.west[1] = th_keepLeft;
    const double times[2] = {meanTime(mixed), meanTime(oneSide)};
    print_message("mixed %.1f s, both to one side %.1f s\n", times[0], times[1]);
}

// A host's method gets it as well, if it looks at others.
static void testHostMethod(void** state)
{
    (void)state;
    Meeting meeting = agreed(th_keepRight, 0);
    meeting.avoid = "headlong";
    print_message("headlong %.1f s\n", meanTime(meeting));
}

static void assertBodiesHold(const thWorld* world, double radius)
{
    const thAgentView view = thWorld_GetAgentView(world);
    for (int32_t i = 0; i < view.slotCount; ++i)
        for (int32_t j = 0; j < i; ++j) {
            const thAgentRow *a = &view.rows[i], *b = &view.rows[j];
            if (a->flags != 0 && b->flags != 0)
                assert_true(hypot((double)(a->position.x - b->position.x),
                                  (double)(a->position.y - b->position.y)) > 1.98 * radius);
        }
}

// One that does not look at them has none of it: nobody shuffles or steps back. Bodies hold.
static void testBlindMethod(void** state)
{
    (void)state;
    Meeting meeting = agreed(th_keepRight, 0);
    meeting.avoid = "none";
    thWorld* world = createMeeting(&meeting);
    for (int32_t step = 0; step < 300; ++step) {
        assert_ok(thWorld_Step(world, JAM_STEP));
        const thCounters counters = thWorld_GetCounters(world);
        assert_true(counters.shuffling == 0 && counters.steppingBack == 0);
    }
    assertBodiesHold(world, 0.25);
    thDestroyWorld(world);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testLanes),       cmocka_unit_test(testMirrorImage),
        cmocka_unit_test(testMirrorTimes), cmocka_unit_test(testDisagreeing),
        cmocka_unit_test(testHostMethod),  cmocka_unit_test(testBlindMethod),
    };
    return RUN_TESTS(tests, argc, argv);
}
