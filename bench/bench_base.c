// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Cases of src/base: hashing, random numbers, our mathematics against libm's, parallel loops.

#include "base/core.h"
#include "base/hash.h"
#include "bench.h"
#include "throng/math.h"
#include "throng/random.h"
#include "throng/tasks.h"

#include <math.h>
#include <stdlib.h>

enum { batch = 1024, ranges = 64 }; // a batch stays in the first cache

static const uint64_t stream = UINT64_C(0x5eed);

typedef struct Words {
    uint64_t values[batch];
} Words;

static const char* setUpWords(const thBenchCase* self, void** state)
{
    (void)self;
    Words* words = malloc(sizeof *words);
    if (words == NULL)
        return "no memory";
    for (uint32_t i = 0; i < batch; ++i)
        words->values[i] = thRandomStream(stream, i, 0, 0);
    *state = words;
    return NULL;
}

static uint64_t runHash(void* state)
{
    const Words* words = state;
    uint64_t hash = 0;
    for (int32_t i = 0; i < batch; ++i)
        hash = thiHashWord(hash, words->values[i]);
    return hash;
}

// What random numbers cost when they may depend on the one drawn before: a counter through a mixer.
static uint64_t runSequence(void* state)
{
    Words* words = state;
    uint64_t counter = words->values[0];
    for (int32_t i = 0; i < batch; ++i) {
        counter += UINT64_C(0x9e3779b97f4a7c15);
        words->values[i] = thiMix(counter);
    }
    return words->values[batch - 1];
}

static uint64_t runRandomBits(void* state)
{
    Words* words = state;
    for (uint32_t i = 0; i < batch; ++i)
        words->values[i] = thRandomBits(stream, i);
    return words->values[batch - 1];
}

// A function of one number and where its arguments come from. All are called through the pointer,
// so that none is at an advantage.
typedef struct Function {
    float (*call)(float);
    float low;
    float high;
} Function;

typedef struct Numbers {
    float (*call)(float);
    float arguments[batch];
    float results[batch];
} Numbers;

static const char* setUpNumbers(const thBenchCase* self, void** state)
{
    const Function* function = self->context;
    Numbers* numbers = calloc(1, sizeof *numbers);
    if (numbers == NULL)
        return "no memory";
    numbers->call = function->call;
    for (uint32_t i = 0; i < batch; ++i)
        numbers->arguments[i] = thRandomRange(stream, i, function->low, function->high);
    *state = numbers;
    return NULL;
}

static uint64_t runNumbers(void* state)
{
    Numbers* numbers = state;
    for (int32_t i = 0; i < batch; ++i)
        numbers->results[i] = numbers->call(numbers->arguments[i]);
    return thiFloatBits(numbers->results[batch - 1]);
}

static float sinCos(float x)
{
    float sine, cosine;
    thSinCos(x, &sine, &cosine);
    return sine + cosine;
}

static float libmSinCos(float x)
{
    return sinf(x) + cosf(x);
}

// The line (x, 1 − x) passes through three quadrants.
static float atan2OnLine(float x)
{
    return thAtan2(x, 1.0f - x);
}

static float libmAtan2OnLine(float x)
{
    return atan2f(x, 1.0f - x);
}

static void doNothing(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)context;
    (void)begin;
    (void)end;
    (void)worker;
}

static const char* setUpTasks(const thBenchCase* self, void** state)
{
    thTasksDef def = thDefaultTasksDef();
    def.workerCount = self->threads;
    thTasks* tasks;
    const thResult code = thCreateTasks(&def, &tasks);
    *state = tasks;
    return code == th_resultOk ? NULL : thResult_GetText(code);
}

static uint64_t runLoop(void* state)
{
    thTasks_ParallelFor(state, ranges, 1, doNothing, NULL);
    return 0;
}

static void tearDownTasks(void* state)
{
    thDestroyTasks(state);
}

// Fields that cases have in common.
#define WORDS(item_, run_)                                                                         \
    .item = item_, .items = batch, .setUp = setUpWords, .run = run_, .tearDown = free
#define NUMBERS(call, low, high)                                                                   \
    .item = "number", .items = batch, .setUp = setUpNumbers, .run = runNumbers, .tearDown = free,  \
    .context = &(const Function)                                                                   \
    {                                                                                              \
        call, low, high                                                                            \
    }
#define LOOP                                                                                       \
    .item = "loop", .items = 1, .setUp = setUpTasks, .run = runLoop, .tearDown = tearDownTasks

// The same bits on every machine have their price: gcc and clang gave 0.45 to 1.8 times libm's
// speed when this was written. The bound only guards against falling far behind.
#define AGAINST_LIBM(name_) .name = name_, .baseline = name_ "/libm", .minRatio = 0.3

static const thBenchCase cases[] = {
    {.name = "hash/word", WORDS("word", runHash)},
    {.name = "random/bits", .baseline = "random/sequence", WORDS("number", runRandomBits)},
    {.name = "random/sequence", WORDS("number", runSequence)},
    {AGAINST_LIBM("math/exp"), NUMBERS(thExp, -20.0f, 20.0f)},
    {.name = "math/exp/libm", NUMBERS(expf, -20.0f, 20.0f)},
    {AGAINST_LIBM("math/log"), NUMBERS(thLog, 0.001f, 1000.0f)},
    {.name = "math/log/libm", NUMBERS(logf, 0.001f, 1000.0f)},
    {AGAINST_LIBM("math/sincos"), NUMBERS(sinCos, -10.0f, 10.0f)},
    {.name = "math/sincos/libm", NUMBERS(libmSinCos, -10.0f, 10.0f)},
    {AGAINST_LIBM("math/atan2"), NUMBERS(atan2OnLine, -4.0f, 4.0f)},
    {.name = "math/atan2/libm", NUMBERS(libmAtan2OnLine, -4.0f, 4.0f)},
    {.name = "tasks/loop64/workers2", .baseline = "tasks/loop64/inline", .threads = 2, LOOP},
    {.name = "tasks/loop64/inline", LOOP},
};

const thBenchGroup thiBenchBase = {cases, sizeof cases / sizeof cases[0]};
