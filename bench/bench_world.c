// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Cases of whole steps, of a thousand to a million agents by each avoidance or group method. They
// have a radius of 0.25 m, prefer 1.4 m/s and walk for ever between random places, from a jittered
// grid of one a square metre, created in random order, with the ten nearest within 3.75 m, in steps
// of 0.1 s; RVO with 250 samples. Methods are compared by the cases `*/10k`. And of circle-1k,
// while a thousand people from a circle of 119.4 m radius meet in its middle.

#include "bench.h"

#include "throng/orca.h"
#include "throng/random.h"
#include "throng/world.h"

#include <math.h>
#include <stdlib.h>

enum { tourCount = 2000, tourLength = 8, quickAgents = 500 };

// Crowds of random walkers gather in the middle as time goes by, sooner in small worlds. So that
// all sizes are measured in the same state, worlds go back to the first step after the last.
typedef struct Kind {
    const char *plan, *group, *avoid; // NULL: the default of its kind
    bool contacts, isCircle;
    int32_t firstStep, lastStep;
    thOrcaObjective objective; // of `orca`
} Kind;

#define WALKERS .firstStep = 10, .lastStep = 100

static const Kind plainKind = {WALKERS, .avoid = "orca"};
static const Kind effortKind = {WALKERS, .avoid = "orca", .objective = th_orcaEffort};
static const Kind contactKind = {WALKERS, .avoid = "orca", .contacts = true};
static const Kind rvoKind = {WALKERS, .avoid = "rvo"};
static const Kind clearpathKind = {WALKERS, .avoid = "clearpath"};
static const Kind steerKind = {WALKERS, .avoid = "steer"};
static const Kind forceKind = {WALKERS, .avoid = "social-force"};
static const Kind speedKind = {WALKERS, .avoid = "speed"};
static const Kind powerLawKind = {WALKERS, .avoid = "power-law"};
static const Kind mesoKind = {WALKERS, .group = "meso", .avoid = "orca"};
static const Kind circleKind = {
    .avoid = "clearpath", .contacts = true, .isCircle = true, .firstStep = 950, .lastStep = 1000};

typedef struct State {
    const Kind* kind;
    thWorld* world;
    void* start; // a snapshot
    size_t startSize;
} State;

// A tour of random places, again and again.
static thResult createTour(thWorld* world, int32_t index, float side, thGoalId* id)
{
    const uint64_t stream = thRandomStream(2, (uint64_t)index, 0, 0);
    thGoalId places[tourLength];
    thResult code = th_resultOk;
    for (int32_t i = 0; i < tourLength && code == th_resultOk; ++i) {
        const thVec2 place = {thRandomRange(stream, (uint32_t)(2 * i), 0.0f, side),
                              thRandomRange(stream, (uint32_t)(2 * i + 1), 0.0f, side)};
        code = thCreatePointGoal(world, place, &places[i]);
    }
    if (code != th_resultOk)
        return code;
    thGoalDef def = thDefaultGoalDef();
    def.kind = th_goalList;
    def.goals = places;
    def.goalCount = tourLength;
    return thCreateGoal(world, &def, id);
}

// The places of a jittered grid in random order; neighbours keep 0.7 m apart at least.
static void placeAgents(thVec2* positions, int32_t count, float side)
{
    const int32_t columns = (int32_t)ceilf(side);
    for (int32_t i = 0; i < count; ++i) {
        const uint64_t stream = thRandomStream(1, (uint64_t)i, 0, 0);
        const float x = (float)(i % columns) + thRandomRange(stream, 0, 0.35f, 0.65f);
        const float y = (float)(i / columns) + thRandomRange(stream, 1, 0.35f, 0.65f);
        const int32_t other = (int32_t)(thRandomBits(stream, 2) % (uint32_t)(i + 1));
        positions[i] = positions[other];
        positions[other] = (thVec2){x, y};
    }
}

static thProfileDef profileOf(const Kind* kind)
{
    thProfileDef def = thDefaultProfileDef();
    def.plan.name = kind->plan;
    def.group.name = kind->group;
    def.avoid.name = kind->avoid;
    static thOrcaDef effort; // copied by whoever makes the profile
    effort = thDefaultOrcaDef();
    effort.objective = th_orcaEffort;
    if (kind->objective == th_orcaEffort)
        def.avoid.params = &effort;
    def.neighborRadius = 3.75f;
    def.prefSpeed = 1.4f;
    def.arrival = kind->isCircle ? th_arrivalStop : th_arrivalAgain;
    return def;
}

// Everybody walks to the point across.
static thResult fillCircle(thWorld* world, const Kind* kind, int32_t count)
{
    const float radius = 119.4f, turn = 6.2831853f / (float)count;
    const thProfileDef def = profileOf(kind);
    thAgentDef agent = thDefaultAgentDef();
    thResult code = thCreateProfile(world, &def, &agent.profile, NULL);
    for (int32_t i = 0; i < count && code == th_resultOk; ++i) {
        const float angle = turn * (float)i;
        agent.position = (thVec2){radius * cosf(angle), radius * sinf(angle)};
        code =
            thCreatePointGoal(world, (thVec2){-agent.position.x, -agent.position.y}, &agent.goal);
        thAgentId id;
        if (code == th_resultOk)
            code = thCreateAgent(world, &agent, &id);
    }
    return code;
}

static thResult fillWorld(thWorld* world, const Kind* kind, int32_t count)
{
    const thProfileDef def = profileOf(kind);
    thAgentColumns columns = thDefaultAgentColumns();
    thGoalId tours[tourCount];
    const float side = sqrtf((float)count);
    thResult code = thCreateProfile(world, &def, &columns.shared.profile, NULL);
    if (code == th_resultOk)
        code = thWorld_Reserve(world, count);
    for (int32_t i = 0; i < tourCount && code == th_resultOk; ++i)
        code = createTour(world, i, side, &tours[i]);
    thVec2* positions = calloc((size_t)count, sizeof *positions);
    thGoalId* wishes = calloc((size_t)count, sizeof *wishes);
    if (positions == NULL || wishes == NULL)
        code = th_resultNoMemory;
    if (code == th_resultOk) {
        placeAgents(positions, count, side);
        for (int32_t i = 0; i < count; ++i)
            wishes[i] = tours[thRandomBits(thRandomStream(3, (uint64_t)i, 0, 0), 0) % tourCount];
        columns.count = count;
        columns.positions = positions;
        columns.goals = wishes;
        code = thCreateAgents(world, &columns, NULL);
    }
    free(positions);
    free(wishes);
    return code;
}

static void tearDown(void* data)
{
    State* state = data;
    thDestroyWorld(state->world);
    free(state->start);
    free(state);
}

static thResult step(thWorld* world)
{
    return thWorld_Step(world, 0.1f);
}

static thResult keepStart(State* state)
{
    thWorld_Save(state->world, NULL, 0, &state->startSize);
    state->start = malloc(state->startSize);
    if (state->start == NULL)
        return th_resultNoMemory;
    return thWorld_Save(state->world, state->start, state->startSize, &state->startSize);
}

// What all instruction sets come to is found once: it takes long.
static thResult warmUp(State* state)
{
    static State met; // on the circle; kept to the end
    const bool isKnown = state->kind->isCircle && met.start != NULL;
    if (isKnown) {
        const thResult code = thWorld_Restore(state->world, met.start, met.startSize, NULL);
        return code == th_resultOk ? keepStart(state) : code;
    }
    for (int32_t i = 0; i < state->kind->firstStep; ++i) {
        const thResult code = step(state->world);
        if (code != th_resultOk)
            return code;
    }
    if (state->kind->isCircle) {
        met.world = state->world;
        const thResult code = keepStart(&met);
        if (code != th_resultOk)
            return code;
    }
    return keepStart(state);
}

static const char* setUp(const thBenchCase* self, void** data)
{
    const Kind* kind = self->context;
    thWorldDef def = thDefaultWorldDef();
    def.workerCount = self->threads;
    def.simd = self->simd;
    def.contacts = kind->contacts;
    State* state = calloc(1, sizeof *state);
    thResult code = state != NULL ? thCreateWorld(&def, &state->world) : th_resultNoMemory;
    if (code == th_resultOk) {
        state->kind = kind;
        code = (kind->isCircle ? fillCircle : fillWorld)(state->world, kind, (int32_t)self->items);
    }
    if (code == th_resultOk)
        code = warmUp(state);
    *data = state;
    if (code == th_resultOk)
        return NULL;
    if (state != NULL)
        tearDown(state);
    return thResult_GetText(code);
}

static uint64_t run(void* data)
{
    const State* state = data;
    if (thWorld_GetCounters(state->world).steps >= (uint64_t)state->kind->lastStep)
        thWorld_Restore(state->world, state->start, state->startSize, NULL);
    return (uint64_t)step(state->world);
}

static int32_t getParts(void* data, int64_t times[thiBenchPartMax])
{
    const State* state = data;
    const thCounters counters = thWorld_GetCounters(state->world);
    for (int32_t i = 0; i < th_stageCount; ++i)
        times[i] = counters.stageTime[i];
    return th_stageCount;
}

static const char* getPartName(int32_t part)
{
    return thStage_GetName((thStage)part);
}

#define WORLD(kind, agents)                                                                        \
    .context = &kind, .item = "agent", .items = agents, .quickItems = quickAgents, .setUp = setUp, \
    .run = run, .tearDown = tearDown, .getParts = getParts, .getPartName = getPartName

// The bounds: 140 ns of a step with 512-bit registers and 210 with 256, 60 more for contacts; five
// times as fast as scalar; 1.8 times as fast on two threads; a million agents at 10 steps a second
// on two threads, or 8 with contacts; at most 1.5 times slower for each of them than for a
// thousand. The least effort 1.5 times as long as the nearest velocity. With RVO the time of a step
// grows as the number of agents to the power 1.1 at most, so by 20^0.1 for each of twenty times as
// many. With ClearPath 450 ns and 850, six times as fast as scalar, also where a crowd is dense.
// With steering behaviours 500 ns. With groups 12 us, because each of seven hundred within sight
// may be one of a group.
static const thBenchCase cases[] = {
    {.name = "orca/1k", WORLD(plainKind, 1000)},
    {.name = "orca/100k",
     .baseline = "orca/100k/scalar",
     .minRatio = 5,
     .maxTime = 140,
     WORLD(plainKind, 100000)},
    {.name = "orca/100k/avx2",
     .baseline = "orca/100k/scalar",
     .simd = th_simdAvx2,
     .maxTime = 210,
     WORLD(plainKind, 100000)},
    {.name = "orca/100k/scalar", .simd = th_simdScalar, WORLD(plainKind, 100000)},
    {.name = "orca/100k/threads2",
     .baseline = "orca/100k",
     .minRatio = 1.8,
     .threads = 2,
     WORLD(plainKind, 100000)},
    {.name = "orca/effort-100k",
     .baseline = "orca/100k",
     .minRatio = 1 / 1.5,
     .maxTime = 200,
     WORLD(effortKind, 100000)},
    {.name = "orca/1m", .baseline = "orca/1k", .minRatio = 1 / 1.5, WORLD(plainKind, 1000000)},
    {.name = "orca/1m/threads2",
     .baseline = "orca/1m",
     .maxTime = 100,
     .threads = 2,
     WORLD(plainKind, 1000000)},
    {.name = "contacts/100k", .baseline = "orca/100k", .maxTime = 200, WORLD(contactKind, 100000)},
    {.name = "contacts/100k/threads2",
     .baseline = "contacts/100k",
     .minRatio = 1.8,
     .threads = 2,
     WORLD(contactKind, 100000)},
    {.name = "contacts/1m/threads2",
     .baseline = "orca/1m/threads2",
     .maxTime = 125,
     .threads = 2,
     WORLD(contactKind, 1000000)},
    {.name = "rvo/1k", WORLD(rvoKind, 1000)},
    {.name = "rvo/5k", .baseline = "rvo/1k", WORLD(rvoKind, 5000)},
    {.name = "rvo/20k", .baseline = "rvo/1k", .minRatio = 1 / 1.35, WORLD(rvoKind, 20000)},
    {.name = "rvo/20k/threads2",
     .baseline = "rvo/20k",
     .minRatio = 1.8,
     .threads = 2,
     WORLD(rvoKind, 20000)},
    {.name = "social-force/100k",
     .baseline = "social-force/100k/scalar",
     .minRatio = 5,
     .maxTime = 250,
     WORLD(forceKind, 100000)},
    {.name = "social-force/100k/scalar", .simd = th_simdScalar, WORLD(forceKind, 100000)},
    {.name = "speed/100k",
     .baseline = "speed/100k/scalar",
     .minRatio = 5,
     .maxTime = 180,
     WORLD(speedKind, 100000)},
    {.name = "speed/100k/scalar", .simd = th_simdScalar, WORLD(speedKind, 100000)},
    {.name = "power-law/100k",
     .baseline = "power-law/100k/scalar",
     .minRatio = 5,
     .maxTime = 320,
     WORLD(powerLawKind, 100000)},
    {.name = "power-law/100k/scalar", .simd = th_simdScalar, WORLD(powerLawKind, 100000)},
    {.name = "orca/10k", WORLD(plainKind, 10000)},
    {.name = "rvo/10k", .baseline = "orca/10k", WORLD(rvoKind, 10000)},
    {.name = "clearpath/10k", .baseline = "orca/10k", WORLD(clearpathKind, 10000)},
    {.name = "steer/10k", .baseline = "orca/10k", .maxTime = 500, WORLD(steerKind, 10000)},
    {.name = "social-force/10k", .baseline = "orca/10k", WORLD(forceKind, 10000)},
    {.name = "power-law/10k", .baseline = "orca/10k", WORLD(powerLawKind, 10000)},
    {.name = "speed/10k", .baseline = "orca/10k", WORLD(speedKind, 10000)},
    {.name = "meso/5k", .maxTime = 12000, WORLD(mesoKind, 5000)},
    {.name = "clearpath/100k",
     .baseline = "clearpath/100k/scalar",
     .minRatio = 6,
     .maxTime = 450,
     WORLD(clearpathKind, 100000)},
    {.name = "clearpath/100k/avx2",
     .baseline = "clearpath/100k/scalar",
     .simd = th_simdAvx2,
     .maxTime = 850,
     WORLD(clearpathKind, 100000)},
    {.name = "clearpath/100k/scalar", .simd = th_simdScalar, WORLD(clearpathKind, 100000)},
    {.name = "clearpath/100k/threads2",
     .baseline = "clearpath/100k",
     .minRatio = 1.8,
     .threads = 2,
     WORLD(clearpathKind, 100000)},
    {.name = "clearpath/circle-1k",
     .baseline = "clearpath/circle-1k/scalar",
     .minRatio = 6,
     WORLD(circleKind, 1000)},
    {.name = "clearpath/circle-1k/scalar", .simd = th_simdScalar, WORLD(circleKind, 1000)},
};

const thBenchGroup thiBenchWorld = {cases, sizeof cases / sizeof cases[0]};
