// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Numbers of any size for methods, and what they answer.

#include "avoid/any_numbers.h"

#include "avoid/avoid_methods.h"
#include "base/core.h"
#include "base/machine.h"
#include "base/memory.h"
#include "gear/hand_batch.h"
#include "sim/ranges.h"
#include "throng/clearpath.h"
#include "throng/orca.h"
#include "throng/simd.h"
#include "throng/social_force.h"
#include "throng/speed.h"
#include "throng/steer.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LANES 16
#define AGENTS 4 // of which lanes repeat
#define ROWS 32
#define PARAM_BYTES 512
#define LARGEST_SINGLE 1.0e6f
#define LEAST_STEP 1.0e-6f // s

uint32_t takeByte(NumberBytes* bytes)
{
    if (bytes->left == 0)
        return 0;
    bytes->left -= 1;
    return *bytes->next++;
}

static float remember(NumberBytes* bytes, float number)
{
    bytes->last[bytes->drawn++ % 8] = number;
    return number;
}

float takeLength(NumberBytes* bytes, float least, float most)
{
    static const float specials[] = {0.0f,    0x1p-149f, FLT_MIN, 1.0e-20f, 1.3e-20f, 1.0e-6f,
                                     1.5e-6f, 0x1p-16f,  0.25f,   1.0f,     FLT_MAX};
    const uint32_t kind = takeByte(bytes), detail = takeByte(bytes);
    float number;
    if (kind % 8 == 0)
        number = specials[detail % (sizeof specials / sizeof specials[0])];
    else if (kind % 8 == 1) // as one before, or next to it
        number = nextafterf(fabsf(bytes->last[detail % 8]), detail % 3 == 0   ? 0.0f
                                                            : detail % 3 == 1 ? FLT_MAX
                                                                              : INFINITY);
    else if (kind % 8 == 2)
        number = fabsf(bytes->last[detail % 8]);
    else if (kind % 8 < 6) // those of people and rooms
        number = ldexpf(1.0f + (float)detail / 256.0f, (int)(kind / 8) % 16 - 11);
    else
        number = ldexpf(1.0f + (float)detail / 256.0f, (int)(kind / 8) * 6 - 150);
    return remember(bytes, number < least ? least : number > most ? most : number);
}

float takeNumber(NumberBytes* bytes, float most)
{
    const float length = takeLength(bytes, 0.0f, most);
    return takeByte(bytes) % 2 == 0 ? length : -length;
}

static thVec2 takeVec(NumberBytes* bytes, float most)
{
    const float x = takeNumber(bytes, most);
    return (thVec2){x, takeByte(bytes) % 4 == 0 ? 0.0f : takeNumber(bytes, most)};
}

static float takeShare(NumberBytes* bytes)
{
    static const float shares[] = {0.5f, 0.5f, 1.0f, 0.0f, 0.01f, 0.00999f, 0x1p-149f, 0.3f};
    return shares[takeByte(bytes) % 8];
}

static int32_t takeCount(NumberBytes* bytes, int32_t most)
{
    return (int32_t)(takeByte(bytes) % (uint32_t)(most + 1));
}

// Parameters from the method's own list: defaults, least and greatest values, and between. Samples
// are few.
static void takeParams(NumberBytes* bytes, const thMethod* method, void* params)
{
    memcpy(params, method->defaults, method->paramSize);
    for (int32_t i = 0; i < method->paramCount; ++i) {
        const thParam* param = &method->params[i];
        char* to = (char*)params + param->offset;
        const uint32_t choice = takeByte(bytes);
        if (param->kind == th_paramFloat) {
            float value = choice % 4 == 0   ? (float)param->preset
                          : choice % 4 == 1 ? (float)param->min
                          : choice % 4 == 2 ? (float)param->max
                                            : takeNumber(bytes, (float)param->max);
            value = value < (float)param->min ? (float)param->min : value;
            memcpy(to, &value, sizeof value);
        } else if (param->kind != th_paramRoadmap && param->kind != th_paramPath) {
            const int32_t least = (int32_t)param->min, most = (int32_t)TH_MIN(param->max, 40.0);
            const int32_t value = least + (int32_t)(choice % (uint32_t)(most - least + 1));
            memcpy(to, &value, sizeof value);
        }
    }
}

// A batch.

typedef struct Crowd {
    HandBatch hand;
    float remaining[HAND_LANES], cornerX[HAND_LANES], cornerY[HAND_LANES], interval;
    uint8_t answer[HAND_LANES];
    float dt;
} Crowd;

static Crowd crowd;

// What worlds accept.
static void takeAgent(NumberBytes* bytes, int32_t lane)
{
    HandBatch* hand = &crowd.hand;
    const thVec2 v = takeVec(bytes, TH_MAX_VELOCITY), guide = takeVec(bytes, TH_MAX_VELOCITY);
    hand->row[lane] = lane;
    hand->vx[lane] = v.x;
    hand->vy[lane] = v.y;
    hand->guideX[lane] = guide.x;
    hand->guideY[lane] = guide.y;
    hand->radius[lane] = takeLength(bytes, 0.0f, 100.0f);
    hand->prefSpeed[lane] = takeLength(bytes, 0.0f, 100.0f);
    hand->maxSpeed[lane] = takeLength(bytes, 0.0f, 100.0f);
    hand->maxAccel[lane] = takeByte(bytes) % 2 == 0 ? 0.0f : takeLength(bytes, 0.0f, 1.0e6f);
    crowd.remaining[lane] = takeLength(bytes, 0.0f, 1.0e6f);
}

static void takeSurroundings(NumberBytes* bytes, int32_t lane)
{
    HandBatch* hand = &crowd.hand;
    const int32_t neighbors = takeCount(bytes, 3), walls = takeCount(bytes, 2);
    const int32_t movers = takeCount(bytes, 1);
    for (int32_t k = 0; k < neighbors; ++k) {
        const HandNeighbor other = {.position = takeVec(bytes, 300.0f),
                                    .velocity = takeVec(bytes, TH_MAX_VELOCITY),
                                    .radius = takeLength(bytes, 0.0f, 100.0f),
                                    .share = takeShare(bytes),
                                    .row = LANES + takeCount(bytes, ROWS - LANES - 1)};
        addHandNeighbor(hand, lane, &other);
    }
    for (int32_t k = 0; k < walls; ++k) {
        const thVec2 a = takeVec(bytes, 300.0f);
        addHandWall(hand, lane, a, takeVec(bytes, 300.0f));
    }
    for (int32_t k = 0; k < movers; ++k) {
        const HandMover mover = {.position = takeVec(bytes, 300.0f),
                                 .velocity = takeVec(bytes, TH_MAX_VELOCITY),
                                 .radius = takeLength(bytes, 0.0f, 100.0f),
                                 .spin = takeNumber(bytes, TH_MAX_SPIN)};
        addHandMover(hand, lane, &mover);
    }
}

// The first agents, and the same again and again in the lanes after them.
static void repeatAgent(int32_t lane, int32_t from)
{
    HandBatch* hand = &crowd.hand;
    float* const columns[] = {hand->vx,       hand->vy,       hand->guideX,
                              hand->guideY,   hand->radius,   hand->prefSpeed,
                              hand->maxSpeed, hand->maxAccel, crowd.remaining};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; ++i)
        columns[i][lane] = columns[i][from];
    hand->row[lane] = lane;
}

static void takeCrowd(NumberBytes* bytes)
{
    HandBatch* hand = &crowd.hand;
    memset(&crowd, 0, sizeof crowd);
    startHandBatch(hand, ROWS, LANES, LANES);
    for (int32_t row = 0; row < ROWS; ++row) {
        hand->key[row] = (uint64_t)(row * 7 % ROWS);
        hand->layers[row] = 7;
        hand->goal[row] = -(row % 2);
        hand->heading[row] = row % 3 == 0 ? 0.0f : 1.0f;
    }
    hand->batch.remaining = crowd.remaining;
    hand->batch.cornerX = crowd.cornerX;
    hand->batch.cornerY = crowd.cornerY;
    hand->batch.answer = crowd.answer;
    hand->batch.interval = &crowd.interval;
    hand->frame.dt = crowd.dt = takeLength(bytes, LEAST_STEP, 10.0f);
    hand->frame.seed = takeByte(bytes);
    for (int32_t lane = 0; lane < LANES; ++lane) {
        if (lane < AGENTS) {
            takeAgent(bytes, lane);
            takeSurroundings(bytes, lane);
        } else {
            repeatAgent(lane, lane % AGENTS);
        }
    }
}

// What is wrong.
static char words[256];

static const char* judgeVelocity(const char* what, thVec2 v, thVec2 expected)
{
    if (!isfinite(v.x) || !isfinite(v.y)) {
        snprintf(words, sizeof words, "%s: (%g, %g) is not finite", what, (double)v.x, (double)v.y);
        return words;
    }
    if (memcmp(&v, &expected, sizeof v) != 0) {
        snprintf(words, sizeof words, "%s: (%a, %a), scalar (%a, %a)", what, (double)v.x,
                 (double)v.y, (double)expected.x, (double)expected.y);
        return words;
    }
    return NULL;
}

static thArena* emptyArena(void)
{
    static thMemory memory;
    static thArena arena;
    static bool isMade;
    if (!isMade) {
        thiMemoryInit(&memory, NULL, 0);
        thiArenaInit(&arena, &memory);
        isMade = true;
    }
    thiArenaReset(&arena);
    return &arena;
}

// Nobody remembers anything yet.
static void giveStates(HandBatch* hand, const thMethod* method)
{
    static _Alignas(8) char states[HAND_LANES][64];
    static void* places[HAND_LANES];
    TH_ASSERT(method->stateSize <= sizeof states[0]);
    (void)method;
    memset(states, 0, sizeof states);
    for (int32_t lane = 0; lane < HAND_LANES; ++lane)
        places[lane] = states[lane];
    hand->batch.state = places;
}

static bool solveCrowd(const thMethod* method, const void* params, thSimd simd)
{
    HandBatch* hand = &crowd.hand;
    giveStates(hand, method);
    const thMethodHost host = {
        .size = sizeof host, .allocator = thDefaultAllocator(), .simd = (int32_t)simd};
    void* shared = NULL;
    if (method->create != NULL && method->create(&host, params, &shared) != th_resultOk)
        return false;
    hand->batch.scratch = emptyArena();
    crowd.interval = crowd.dt;
    memset(hand->outVx, 0, sizeof hand->outVx);
    memset(hand->outVy, 0, sizeof hand->outVy);
    const thFpEnvironment before = thiFpEnter();
    method->solve(&hand->batch, params, shared);
    thiFpRestore(before);
    if (method->destroy != NULL)
        method->destroy(shared);
    return true;
}

static const char* judgeMethod(NumberBytes* bytes, const thMethod* method, int64_t* looked)
{
    _Alignas(16) char params[PARAM_BYTES];
    if (method->paramSize > sizeof params)
        return "parameters have no room";
    if (method->paramSize > 0)
        takeParams(bytes, method, params);
    thError error;
    if (method->validate != NULL && method->validate(params, &error) != th_resultOk)
        return NULL; // they do not go together
    thVec2 scalar[LANES];
    for (thSimd simd = th_simdScalar; simd < th_simdCount; ++simd) {
        if (!thSimd_IsAvailable(simd))
            continue;
        if (!solveCrowd(method, params, simd))
            return "no memory";
        for (int32_t lane = 0; lane < LANES; ++lane) {
            const thVec2 v = {crowd.hand.outVx[lane], crowd.hand.outVy[lane]};
            if (simd == th_simdScalar)
                scalar[lane] = v;
            char what[64];
            snprintf(what, sizeof what, "%s, %s, lane %d", method->name, thSimd_GetName(simd),
                     (int)lane);
            const char* wrong = judgeVelocity(what, v, scalar[lane]);
            if (wrong != NULL)
                return wrong;
            *looked += 1;
        }
    }
    return NULL;
}

// Calls for one agent, which accept more.

typedef struct Single {
    thAvoidSelf self;
    float dt;
    int32_t neighborCount, wallCount;
    thAvoidNeighbor neighbors[4];
    thAvoidWall walls[3];
    thBodyShape shapes[5];
} Single;

// A box, or none.
static const thBodyShape* takeShape(NumberBytes* bytes, thBodyShape* shape)
{
    if (takeByte(bytes) % 4 != 0)
        return NULL;
    const float x = takeLength(bytes, 0x1p-15f, 100.0f), y = takeLength(bytes, 0x1p-15f, 100.0f);
    const thVec2 box[4] = {{x, y}, {-x, y}, {-x, -y}, {x, -y}};
    return thMakeBodyShape(box, 4, shape, NULL) == th_resultOk ? shape : NULL;
}

static void takeSingle(NumberBytes* bytes, Single* to)
{
    to->self = (thAvoidSelf){
        .velocity = takeVec(bytes, LARGEST_SINGLE),
        .wanted = takeVec(bytes, LARGEST_SINGLE),
        .radius = takeLength(bytes, 0.0f, LARGEST_SINGLE),
        .maxSpeed = takeLength(bytes, 0.0f, LARGEST_SINGLE),
        .maxAccel = takeByte(bytes) % 2 == 0 ? 0.0f : takeLength(bytes, 0.0f, LARGEST_SINGLE),
        .shape = takeShape(bytes, &to->shapes[4]),
        .heading = takeNumber(bytes, 8192.0f)};
    to->dt = takeLength(bytes, LEAST_STEP, LARGEST_SINGLE);
    to->neighborCount = takeCount(bytes, 4);
    to->wallCount = takeCount(bytes, 3);
    for (int32_t i = 0; i < to->neighborCount; ++i)
        to->neighbors[i] = (thAvoidNeighbor){.position = takeVec(bytes, LARGEST_SINGLE),
                                             .velocity = takeVec(bytes, LARGEST_SINGLE),
                                             .radius = takeLength(bytes, 0.0f, LARGEST_SINGLE),
                                             .share = takeShare(bytes),
                                             .shape = takeShape(bytes, &to->shapes[i]),
                                             .heading = takeNumber(bytes, 8192.0f),
                                             .isFellow = (int32_t)(takeByte(bytes) % 2)};
    for (int32_t i = 0; i < to->wallCount; ++i)
        to->walls[i] = (thAvoidWall){.a = takeVec(bytes, LARGEST_SINGLE),
                                     .b = takeVec(bytes, LARGEST_SINGLE),
                                     .velocity = takeVec(bytes, LARGEST_SINGLE),
                                     .radius = takeLength(bytes, 0.0f, LARGEST_SINGLE)};
}

typedef thResult SingleCall(const void* params, const Single* s, thVec2* v);

static thResult callOrca(const void* params, const Single* s, thVec2* v)
{
    thOrcaStatus status;
    return thOrca_Solve(params, s->dt, &s->self, s->neighbors, s->neighborCount, s->walls,
                        s->wallCount, v, &status);
}

static thResult callClearpath(const void* params, const Single* s, thVec2* v)
{
    thClearpathStatus status;
    return thClearpath_Solve(params, s->dt, &s->self, s->neighbors, s->neighborCount, s->walls,
                             s->wallCount, v, &status);
}

static thResult callSocialForce(const void* params, const Single* s, thVec2* v)
{
    thSocialForceStatus status;
    return thSocialForce_Solve(params, s->dt, &s->self, s->neighbors, s->neighborCount, s->walls,
                               s->wallCount, NULL, v, &status);
}

static thResult callSpeed(const void* params, const Single* s, thVec2* v)
{
    thSpeedStatus status;
    return thSpeed_Solve(params, s->dt, &s->self, s->neighbors, s->neighborCount, s->walls,
                         s->wallCount, v, &status);
}

static const struct {
    const thMethod* method;
    SingleCall* call;
} calls[] = {{&thiAvoidOrca, callOrca},
             {&thiAvoidClearpath, callClearpath},
             {&thiAvoidSocialForce, callSocialForce},
             {&thiAvoidSpeed, callSpeed}};

static const char* judgeCall(NumberBytes* bytes, int64_t* looked)
{
    const uint32_t which = takeByte(bytes) % (uint32_t)TH_COUNT_OF(calls);
    const thMethod* method = calls[which].method;
    _Alignas(16) char params[PARAM_BYTES];
    takeParams(bytes, method, params);
    thError error;
    if (method->validate(params, &error) != th_resultOk)
        return NULL; // they do not go together
    Single single;
    takeSingle(bytes, &single);
    thVec2 v;
    if (calls[which].call(params, &single, &v) != th_resultOk) {
        snprintf(words, sizeof words, "the call for one agent of %s refuses what is in range",
                 method->name);
        return words;
    }
    *looked += 1;
    return judgeVelocity(method->name, v, v);
}

const char* judgeNumbers(const uint8_t* data, size_t size, int64_t* looked)
{
    int64_t ignored = 0;
    int64_t* count = looked != NULL ? looked : &ignored;
    NumberBytes bytes = {.next = data, .left = size};
    if (takeByte(&bytes) % 4 == 0)
        return judgeCall(&bytes, count);
    int32_t methods = 0;
    while (thiAvoidMethods[methods] != NULL)
        methods += 1;
    const thMethod* method = thiAvoidMethods[takeByte(&bytes) % (uint32_t)methods];
    takeCrowd(&bytes);
    return judgeMethod(&bytes, method, count);
}
