// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The pace of people: the kernel against the rule as it reads, in every instruction set; and what
// people do by it: keep their time to who is ahead, overtake, pass those who come against them.

#include "sim/pace/pace.h"

#include "gear/gear.h"
#include "gear/property.h"
#include "sim/jam/jam_gear.h"
#include "space/sense.h"
#include "throng/explain.h"
#include "throng/random.h"

#include <math.h>
#include <stdlib.h>

// --- The rule as it reads ---

#define ROWS 200
#define MOST_NEIGHBORS 12
#define SEEN (MOST_NEIGHBORS * TH_BATCH_ROWS)

typedef struct Case {
    thBatch batch;
    thFrame frame;
    thPace pace;
    float needed;
    thJams jams;
    uint64_t key[ROWS];
    thJamShown shown[ROWS];
    thJamOwn own[ROWS];
    int32_t goal[ROWS];
    int32_t row[TH_BATCH_ROWS], neighborCount[TH_BATCH_ROWS];
    float outVx[TH_BATCH_ROWS], outVy[TH_BATCH_ROWS], radius[TH_BATCH_ROWS];
    float prefSpeed[TH_BATCH_ROWS];
    float nx[SEEN], ny[SEEN], nvx[SEEN], nvy[SEEN], nradius[SEEN];
    int32_t nrow[SEEN];
} Case;

// Twice a number of 0 .. 1, less 1, has the deviation 1/√6.
static float plainGap(const Case* c, int32_t row)
{
    const float mean = c->pace.timeGap * c->needed;
    if (!(c->pace.spread > 0.0f))
        return mean;
    const uint32_t bits = thRandomBits((uint32_t)c->key[row], 0x70616365u);
    const float sum = (float)((bits & 0xFFFFu) + (bits >> 16));
    const float drawn = (sum * 0x1p-16f - 1.0f) * 2.449489743f;
    return fmaxf(mean + c->pace.spread * c->needed * drawn, 0.25f * mean);
}

static bool isInJam(const Case* c, int32_t row)
{
    return c->shown[row].contact < 254 || c->own[row].wait > 0;
}

static void plainPace(Case* c, int32_t lane)
{
    const float vx = c->outVx[lane], vy = c->outVy[lane];
    const float speed = sqrtf(vx * vx + vy * vy);
    if (!(speed > 0.01f) || isInJam(c, c->row[lane]))
        return;
    const float x = vx / speed, y = vy / speed, gap = plainGap(c, c->row[lane]);
    float most = c->goal[c->row[lane]] >= 0 ? fminf(speed, c->prefSpeed[lane]) : speed;
    for (int32_t k = 0; k < c->neighborCount[lane]; ++k) {
        const int32_t at = k * c->batch.lanes + lane, other = c->nrow[at];
        const float radii = c->radius[lane] + c->nradius[at];
        const float along = c->nx[at] * x + c->ny[at] * y;
        const float aside = fabsf(c->nx[at] * y - c->ny[at] * x);
        const float wants = (float)c->shown[other].goalX * x + (float)c->shown[other].goalY * y;
        if (!(along > 0.0f) || !(aside < c->pace.width * radii) || !(wants >= 0.7f * 127.0f) ||
            isInJam(c, other))
            continue;
        const float velocitySq = c->nvx[at] * c->nvx[at] + c->nvy[at] * c->nvy[at];
        const float theirs = c->nvx[at] * x + c->nvy[at] * y;
        const bool goesAlong = theirs > 0.0f && theirs * theirs >= 0.25f * velocitySq;
        if (!(velocitySq < 0.2f * 0.2f) && !goesAlong)
            continue;
        const float touch = sqrtf(fmaxf(radii * radii - aside * aside, 0.0f));
        const float kept = fmaxf(along - touch - TH_PACE_STANDS, 0.0f) * (1.0f / gap);
        most = fminf(most, kept + c->pace.follow * fmaxf(theirs - kept, 0.0f));
    }
    if (most < speed) {
        c->outVx[lane] = vx * (most / speed);
        c->outVy[lane] = vy * (most / speed);
    }
}

static bool isOneIn(thGenerator* g, int32_t count)
{
    return drawInt(g, 1, count) == 1;
}

static void drawWay(thGenerator* g, float* x, float* y)
{
    thSinCos(isOneIn(g, 4) ? 0.0f : drawFloat(g, -3.1415927f, 3.1415927f), y, x);
}

static void drawRows(thGenerator* g, Case* c)
{
    for (int32_t row = 0; row < ROWS; ++row) {
        float x, y;
        drawWay(g, &x, &y);
        const float length = isOneIn(g, 8) ? 0.0f : 127.0f;
        c->key[row] = drawU64(g);
        c->goal[row] = isOneIn(g, 4) ? -1 : drawInt(g, 0, 3);
        c->shown[row] = (thJamShown){.goalX = (int8_t)(length * x),
                                     .goalY = (int8_t)(length * y),
                                     .contact = (uint8_t)(isOneIn(g, 4) ? drawInt(g, 0, 255) : 255),
                                     .flags = (uint8_t)drawInt(g, 0, 63)};
        c->own[row] = (thJamOwn){.progress = (int16_t)drawInt(g, -16384, 16384),
                                 .wait = (uint16_t)(isOneIn(g, 5) ? drawInt(g, 0, 65535) : 0)};
    }
}

// Beside the way, at its borders, on top of each other, ahead and behind.
static void drawSeen(thGenerator* g, Case* c, int32_t lane)
{
    c->neighborCount[lane] = drawInt(g, 0, MOST_NEIGHBORS);
    for (int32_t k = 0; k < c->neighborCount[lane]; ++k) {
        const int32_t at = k * c->batch.lanes + lane;
        const float distance = isOneIn(g, 9) ? 0.0f : drawFloat(g, 0.0f, 3.0f);
        float x, y;
        drawWay(g, &x, &y);
        c->nrow[at] = drawInt(g, 0, ROWS - 1);
        c->nx[at] = distance * x;
        c->ny[at] = distance * y;
        c->nvx[at] = drawFloat(g, -2.0f, 2.0f);
        c->nvy[at] = isOneIn(g, 2) ? 0.0f : drawFloat(g, -2.0f, 2.0f);
        c->nradius[at] = isOneIn(g, 9) ? 0.0f : drawFloat(g, 0.1f, isOneIn(g, 9) ? 2.0f : 0.4f);
    }
    c->batch.neighborMax = TH_MAX(c->batch.neighborMax, c->neighborCount[lane]);
}

static void drawCase(thGenerator* g, int32_t size, Case* c)
{
    memset(c, 0, sizeof *c);
    c->pace = (thPace){drawFloat(g, 0.05f, 3.0f), isOneIn(g, 3) ? 0.0f : drawFloat(g, 0.0f, 1.0f),
                       drawFloat(g, 0.0f, 1.0f), isOneIn(g, 9) ? 0.0f : drawFloat(g, 0.0f, 1.0f)};
    c->needed = isOneIn(g, 2) ? 1.0f : drawFloat(g, 0.1f, 1.0f);
    drawRows(g, c);
    c->batch.count = drawInt(g, 1, TH_MIN(1 + size, TH_BATCH_ROWS));
    c->batch.lanes = (c->batch.count + 15) / 16 * 16;
    for (int32_t at = 0; at < SEEN; ++at)
        c->nx[at] = c->ny[at] = TH_INERT_DISTANCE;
    int32_t row = drawInt(g, 0, ROWS - TH_BATCH_ROWS - 20); // in order; some do not take part
    for (int32_t lane = 0; lane < c->batch.count; ++lane) {
        float x, y;
        drawWay(g, &x, &y);
        const float speed = isOneIn(g, 8) ? 0.0f : drawFloat(g, 0.0f, 2.0f);
        c->row[lane] = row;
        row += isOneIn(g, 20) && row < ROWS - TH_BATCH_ROWS ? 2 : 1;
        c->radius[lane] = drawFloat(g, 0.0f, 0.4f);
        c->prefSpeed[lane] = isOneIn(g, 8) ? 0.0f : drawFloat(g, 0.0f, 2.0f);
        c->outVx[lane] = speed * x;
        c->outVy[lane] = speed * y;
        drawSeen(g, c, lane);
    }
}

// Pointers that lead into the case itself.
static void connect(Case* c)
{
    c->frame.key = c->key;
    c->frame.goal = c->goal;
    c->jams.shown[0] = c->shown;
    c->jams.own[0] = c->own;
    c->batch.frame = &c->frame;
    c->batch.row = c->row;
    c->batch.radius = c->radius;
    c->batch.prefSpeed = c->prefSpeed;
    c->batch.neighborCount = c->neighborCount;
    c->batch.nx = c->nx;
    c->batch.ny = c->ny;
    c->batch.nvx = c->nvx;
    c->batch.nvy = c->nvy;
    c->batch.nradius = c->nradius;
    c->batch.nrow = c->nrow;
    c->batch.outVx = c->outVx;
    c->batch.outVy = c->outVy;
}

static bool sameAsPlain(thGenerator* g, int32_t size, void* context)
{
    Case *drawn = context, *plain = drawn + 1, *wide = drawn + 2;
    drawCase(g, size, drawn);
    memcpy(plain, drawn, sizeof *plain);
    connect(plain);
    for (int32_t lane = 0; lane < plain->batch.count; ++lane)
        plainPace(plain, lane);
    for (thSimd simd = th_simdScalar; simd < th_simdCount; ++simd) {
        if (!thSimd_IsAvailable(simd))
            continue;
        memcpy(wide, drawn, sizeof *wide);
        connect(wide);
        thiPace(&wide->jams, &wide->pace, wide->needed, &wide->batch, simd);
        for (int32_t lane = 0; lane < wide->batch.count; ++lane)
            if (!sameBits(plain->outVx[lane], wide->outVx[lane]) ||
                !sameBits(plain->outVy[lane], wide->outVy[lane]))
                return false;
    }
    return true;
}

static void testSameAsPlain(void** state)
{
    (void)state;
    Case* cases = malloc(3 * sizeof *cases);
    assert_non_null(cases);
    const thProperty property = {.name = "sameAsPlain",
                                 .seed = 1,
                                 .caseCount = caseCount(600, 20000),
                                 .maxSize = TH_BATCH_ROWS - 1,
                                 .holds = sameAsPlain,
                                 .context = cases};
    assertProperty(&property);
    free(cases);
}

// Time gaps have the mean and the deviation that they are to have.
static void testSpread(void** state)
{
    (void)state;
    enum { people = 100000 };
    Case* c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->pace = thPeoplePace();
    c->needed = 1.0f;
    double sum = 0.0, squares = 0.0;
    for (uint64_t key = 1; key <= people; ++key) {
        c->key[0] = key;
        const double gap = (double)plainGap(c, 0);
        sum += gap;
        squares += gap * gap;
    }
    const double mean = sum / people, deviation = sqrt(squares / people - mean * mean);
    assert_true(fabs(mean - (double)c->pace.timeGap) < 0.005);
    assert_true(fabs(deviation - (double)c->pace.spread) < 0.005);
    free(c);
}

// --- What people do by it ---

static thProfileId addPaced(thWorld* world, thPace pace)
{
    thProfileDef def = walkerProfile(th_keepRight, 1.0f);
    def.pace = pace;
    thProfileId id;
    assert_ok(thCreateProfile(world, &def, &id, NULL));
    return id;
}

static thAgentId addAt(thWorld* world, thProfileId profile, thVec2 from, thVec2 to, float speed)
{
    const thAgentId agent = addWalker(world, profile, from, to);
    assert_ok(thAgent_SetSpeeds(world, agent, speed, 1.3f * speed));
    return agent;
}

// Between walls where nobody can pass, who is behind a slow one keeps its time gap to it.
static void testKeepsGap(void** state)
{
    (void)state;
    const thPace pace = {1.5f, 0.0f, 0.8f, 0.75f};
    thWorld* world = createCrowdWorld(1, th_simdAuto);
    addWall(world, -2.0f, 0.35f, 200.0f, 0.35f);
    addWall(world, -2.0f, -0.35f, 200.0f, -0.35f);
    const thProfileId profile = addPaced(world, pace);
    const thVec2 to = {190.0f, 0.0f};
    const thAgentId slow = addAt(world, profile, (thVec2){3.0f, 0.0f}, to, 0.6f);
    const thAgentId fast = addAt(world, profile, (thVec2){0.0f, 0.0f}, to, 1.4f);
    for (int32_t i = 0; i < 600; ++i)
        assert_ok(thWorld_Step(world, JAM_STEP));
    const thAgentRow ahead = thAgent_Get(world, slow), behind = thAgent_Get(world, fast);
    const float gap =
        ahead.position.x - behind.position.x - 2.0f * thAgent_GetInfo(world, fast).radius;
    assert_true(fabsf(behind.velocity.x - 0.6f) < 0.02f);
    assert_true(fabsf(gap - 1.5f * 0.6f) < 0.1f);
    thDestroyWorld(world);
}

// In the open it overtakes.
static void testOvertakes(void** state)
{
    (void)state;
    thWorld* world = createCrowdWorld(1, th_simdAuto);
    const thProfileId profile = addPaced(world, thPeoplePace());
    const thAgentId slow =
        addAt(world, profile, (thVec2){3.0f, 0.0f}, (thVec2){100.0f, 0.0f}, 0.6f);
    const thAgentId fast =
        addAt(world, profile, (thVec2){0.0f, 0.0f}, (thVec2){100.0f, 0.0f}, 1.4f);
    for (int32_t i = 0; i < 200; ++i)
        assert_ok(thWorld_Step(world, JAM_STEP));
    assert_true(thAgent_Get(world, fast).position.x > thAgent_Get(world, slow).position.x + 5.0f);
    thDestroyWorld(world);
}

// Where nobody wants the same way, it changes nothing.
static uint64_t hashOfMeeting(thPace pace)
{
    thWorld* world = createCrowdWorld(1, th_simdAuto);
    const thProfileId profile = addPaced(world, pace);
    addWalker(world, profile, (thVec2){-4.0f, 0.1f}, (thVec2){8.0f, 0.0f});
    addWalker(world, profile, (thVec2){4.0f, -0.1f}, (thVec2){-8.0f, 0.0f});
    addWalker(world, profile, (thVec2){0.0f, 5.0f}, (thVec2){0.0f, -8.0f});
    for (int32_t i = 0; i < 100; ++i)
        assert_ok(thWorld_Step(world, JAM_STEP));
    const uint64_t hash = thWorld_GetStateHash(world);
    thDestroyWorld(world);
    return hash;
}

static void testOthers(void** state)
{
    (void)state;
    assert_true(hashOfMeeting(thPeoplePace()) == hashOfMeeting((thPace){0}));
}

// What is explained is what is done, and says what pace has taken.
static void testExplained(void** state)
{
    (void)state;
    thWorld* world = createCrowdWorld(1, th_simdAuto);
    const thProfileId profile = addPaced(world, thPeoplePace());
    addAt(world, profile, (thVec2){0.8f, 0.0f}, (thVec2){50.0f, 0.0f}, 1.4f);
    const thAgentId fast = addAt(world, profile, (thVec2){0.0f, 0.0f}, (thVec2){50.0f, 0.0f}, 1.4f);
    for (int32_t i = 0; i < 5; ++i) // until both walk
        assert_ok(thWorld_Step(world, JAM_STEP));
    thExplanation* explanation;
    assert_ok(thWorld_Explain(world, fast, JAM_STEP, &explanation));
    const thExplanationView view = thExplanation_GetView(explanation);
    const float before = hypotf(view.avoided.x, view.avoided.y);
    const float after = hypotf(view.chosen.x, view.chosen.y);
    assert_true(after < before);
    assert_ok(thWorld_Step(world, JAM_STEP));
    const thAgentRow now = thAgent_Get(world, fast);
    assert_true(sameBits(now.velocity.x, view.chosen.x) && sameBits(now.velocity.y, view.chosen.y));
    thDestroyExplanation(explanation);
    thDestroyWorld(world);
}

static void testRefused(void** state)
{
    (void)state;
    thWorld* world = createCrowdWorld(1, th_simdAuto);
    const thPace wrong[] = {{-1.0f, 0.0f, 0.0f, 0.0f}, {11.0f, 0.0f, 0.0f, 0.0f},
                            {1.0f, -0.1f, 0.0f, 0.0f}, {1.0f, 0.0f, 1.1f, 0.0f},
                            {1.0f, 0.0f, 0.0f, 1.1f},  {NAN, 0.0f, 0.0f, 0.0f}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        thProfileDef def = walkerProfile(th_keepRight, 1.0f);
        def.pace = wrong[i];
        thProfileId id;
        thError error = {0};
        assert_int_equal(thCreateProfile(world, &def, &id, &error), th_resultBadArgument);
        assert_true(strstr(error.text, "pace.") != NULL);
    }
    thDestroyWorld(world);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testSameAsPlain), cmocka_unit_test(testSpread),
        cmocka_unit_test(testKeepsGap),    cmocka_unit_test(testOvertakes),
        cmocka_unit_test(testOthers),      cmocka_unit_test(testExplained),
        cmocka_unit_test(testRefused),
    };
    return RUN_TESTS(tests, argc, argv);
}
