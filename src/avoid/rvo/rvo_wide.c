// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Sampled RVO. Two kernels choose the same sample, bit for bit: `flat` has an agent in each lane
// and goes through the samples, `nested` has a sample in each lane and goes through the agents.
// What a sample is and what it costs is written once for both.
//
// The cheapest sample wins, and of equally cheap ones the first. Costs only grow while obstacles
// are looked at, and so do their roundings, so a sample that costs as much as an earlier one
// already may be given up.

#include "avoid/rvo/rvo_samples.inl"

#include "avoid/rvo/rvo_cost.inl"

// Discs after which nested kernels look who is still in question.
#define HEAD 4

// More than any sample costs.
#define ENDLESS 1.0e30f

// What a free agent's wanted velocity costs: less than any other.
#define FREE (-1.0f)

// Where the wanted velocity meets nobody it is taken: nothing else could be better.
static inline thM isFree(const thRvoTask* task, const Cost* first, thI overlaps)
{
    return mAnd(iEq(overlaps, iSet(0)),
                fLt(first->rate, fMax(fSet(task->leastRate), fSet(1.0e-30f))));
}

static inline uint8_t statusOf(const thRvoTask* task, int32_t lane, float total, float rate)
{
    if (task->overlaps.count[lane] > 0)
        return th_rvoParting;
    if (total < 0.0f)
        return th_rvoFree;
    return rate > 0.0f && rate >= task->leastRate ? th_rvoColliding : th_rvoAvoiding;
}

// One agent in each lane.

typedef struct Leaders {
    Vec v;
    thF total, rate;
    thI sample;
} Leaders;

static inline void compare(Leaders* best, const Cost* cost, Vec v, int32_t sample)
{
    const thM better = fLt(cost->total, best->total);
    best->v = choose(better, v, best->v);
    best->rate = fSelect(better, cost->rate, best->rate);
    best->sample = iSelect(better, iSet(sample), best->sample);
    best->total = fSelect(better, cost->total, best->total);
}

static inline void storeLeaders(const thRvoTask* task, int32_t lane, const Leaders* best)
{
    float total[TH_WIDTH], rate[TH_WIDTH];
    fStore(total, best->total);
    fStore(rate, best->rate);
    fStore(task->outVx + lane, best->v.x);
    fStore(task->outVy + lane, best->v.y);
    iStore(task->chosen + lane, best->sample);
    for (int32_t i = 0; i < TH_WIDTH; ++i)
        task->status[lane + i] = statusOf(task, lane + i, total[i], rate[i]);
}

static void chooseFlat(const thRvoTask* task, int32_t lane)
{
    const Area area = areaOf(task, lane, true);
    const Entries entries = entriesAt(task, lane, true);
    const Vec wanted = area.wanted;
    const Cost first = evaluate(task, lane, entries, wanted, baseOf(task, lane, wanted, true),
                                fSet(ENDLESS), true);
    const thM free = isFree(task, &first, iLoad(task->overlaps.count + lane));
    Leaders best = {wanted, fSelect(free, fSet(FREE), first.total), first.rate, iSet(0)};
    const bool allFree = task->earlyOut && !mAny(fLt(fSet(0.0f), best.total));
    for (int32_t number = 0; number <= task->refinements && !allFree; ++number) {
        const Round round = roundOf(task, number);
        const Vec center = best.v;
        for (int32_t s = number == 0; s < round.count; ++s) {
            const int32_t sample = round.first + s;
            const Vec v = draw(task, &area, round, iSet(sample), center);
            const Cost cost =
                evaluate(task, lane, entries, v, baseOf(task, lane, v, true), best.total, true);
            compare(&best, &cost, v, sample);
        }
    }
    storeLeaders(task, lane, &best);
}

void TH_WIDE(thiRvoFlat)(const thRvoTask* task)
{
    const thRvoTask own = *task; // so that the compiler knows that nothing stored changes it
    for (int32_t lane = 0; lane < own.lanes; lane += TH_WIDTH)
        chooseFlat(&own, lane);
}

// One sample in each lane.

typedef struct Leader {
    float x, y, total, rate;
    int32_t sample;
} Leader;

// Samples that wait until they fill a register, in their order.
typedef struct Queue {
    float x[2 * TH_WIDTH], y[2 * TH_WIDTH];
    float base[2 * TH_WIDTH];
    float rate[2 * TH_WIDTH]; // of those that have met somebody
    int32_t sample[2 * TH_WIDTH];
    int32_t count;
} Queue;

// The cheapest of the lanes of a mask, if cheaper than the best so far. Samples stand in their
// order.
static inline void pickBest(thM lanes, const Cost* cost, Vec v, thI sample, Leader* best)
{
    uint32_t bits = mBits(mAnd(lanes, fLt(cost->total, fSet(best->total))));
    if (bits == 0)
        return;
    float total[TH_WIDTH], rate[TH_WIDTH], x[TH_WIDTH], y[TH_WIDTH];
    int32_t samples[TH_WIDTH];
    fStore(total, cost->total);
    fStore(rate, cost->rate);
    fStore(x, v.x);
    fStore(y, v.y);
    iStore(samples, sample);
    for (; bits != 0; bits &= bits - 1) {
        const int32_t i = __builtin_ctz(bits);
        if (total[i] < best->total)
            *best = (Leader){x[i], y[i], total[i], rate[i], samples[i]};
    }
}

// A register full of samples, or what is left of them.
typedef struct Pack {
    Vec v;
    Cost cost;
    thI sample;
    thM real;
} Pack;

static inline void moveUp(float* column)
{
    fStore(column, fLoad(column + TH_WIDTH));
}

static inline Pack takePack(Queue* queue, const bool met)
{
    const int32_t used = queue->count < TH_WIDTH ? queue->count : TH_WIDTH;
    const thM real = mFirst(used);
    // What is not there costs too much from the beginning.
    const thF base = fSelect(real, fLoad(queue->base), fSet(ENDLESS));
    const thF rate = met ? fLoad(queue->rate) : fSet(0.0f);
    const Pack pack = {{fLoad(queue->x), fLoad(queue->y)},
                       {base, rate, fSet(0.0f), base},
                       iLoad(queue->sample),
                       real};
    queue->count -= used;
    moveUp(queue->x);
    moveUp(queue->y);
    moveUp(queue->base);
    if (met)
        moveUp(queue->rate);
    iStore(queue->sample, iLoad(queue->sample + TH_WIDTH));
    return pack;
}

static inline void append(Queue* queue, thM lanes, Vec v, const Cost* cost, thI sample,
                          const bool met)
{
    (void)fCompress(queue->x + queue->count, lanes, v.x);
    (void)fCompress(queue->y + queue->count, lanes, v.y);
    (void)fCompress(queue->base + queue->count, lanes, cost->base);
    if (met)
        (void)fCompress(queue->rate + queue->count, lanes, cost->rate);
    queue->count += iCompress(queue->sample + queue->count, lanes, sample);
}

// A round in which samples are given up. Those that are too far from the wanted velocity are left
// out at once, others after a few obstacles, so that registers are full of samples in question.
typedef struct Sieve {
    const thRvoTask* task;
    int32_t lane, head; // discs that are looked at first
    Entries entries;
    Queue coming, staying;
    Leader* best;
} Sieve;

static inline void runStaying(Sieve* sieve)
{
    Pack pack = takePack(&sieve->staying, true);
    const thF best = fSet(sieve->best->total);
    leaveOverlaps(sieve->task, sieve->lane, sieve->entries.overlaps, pack.v, &pack.cost, false);
    if (!meetDiscs(sieve->task, sieve->lane, sieve->head, sieve->entries.discs, pack.v, best,
                   &pack.cost, false))
        (void)meetSides(sieve->task, sieve->lane, sieve->entries.sides, pack.v, best, &pack.cost,
                        false);
    pack.cost.total = totalOf(sieve->task, &pack.cost);
    pickBest(pack.real, &pack.cost, pack.v, pack.sample, sieve->best);
}

static inline void runComing(Sieve* sieve)
{
    Pack pack = takePack(&sieve->coming, false);
    const thF best = fSet(sieve->best->total);
    leaveOverlaps(sieve->task, sieve->lane, sieve->entries.overlaps, pack.v, &pack.cost, false);
    (void)meetDiscs(sieve->task, sieve->lane, 0, sieve->head, pack.v, best, &pack.cost, false);
    append(&sieve->staying, fLt(totalOf(sieve->task, &pack.cost), best), pack.v, &pack.cost,
           pack.sample, true);
    if (sieve->staying.count >= TH_WIDTH)
        runStaying(sieve);
}

static inline void sieveRound(const thRvoTask* task, int32_t lane, const Area* area,
                              Entries entries, Round round, int32_t from, Leader* best)
{
    const Vec center = {fSet(best->x), fSet(best->y)};
    Sieve sieve = {.task = task,
                   .lane = lane,
                   .head = entries.discs < HEAD ? entries.discs : HEAD,
                   .entries = entries,
                   .best = best};
    for (int32_t s = from; s < round.count; s += TH_WIDTH) {
        const thI sample = iAdd(iSet(round.first + s), iLane());
        const Vec v = draw(task, area, round, sample, center);
        const Cost cost = {
            .base = baseOf(task, lane, v, false), .rate = fSet(0.0f), .exit = fSet(0.0f)};
        const thM lanes = mAnd(mFirst(round.count - s), fLt(cost.base, fSet(best->total)));
        append(&sieve.coming, lanes, v, &cost, sample, false);
        if (sieve.coming.count >= TH_WIDTH)
            runComing(&sieve);
    }
    if (sieve.coming.count > 0)
        runComing(&sieve);
    if (sieve.staying.count > 0)
        runStaying(&sieve);
}

// A round in which no sample is given up.
static inline void runRound(const thRvoTask* task, int32_t lane, const Area* area, Entries entries,
                            Round round, int32_t from, Leader* best)
{
    const Vec center = {fSet(best->x), fSet(best->y)};
    for (int32_t s = from; s < round.count; s += TH_WIDTH) {
        const thI sample = iAdd(iSet(round.first + s), iLane());
        const Vec v = draw(task, area, round, sample, center);
        const Cost cost =
            evaluate(task, lane, entries, v, baseOf(task, lane, v, false), fSet(ENDLESS), false);
        pickBest(mFirst(round.count - s), &cost, v, sample, best);
    }
}

static inline void takeFirst(const Cost* cost, Vec v, Leader* best)
{
    float total[TH_WIDTH], rate[TH_WIDTH], x[TH_WIDTH], y[TH_WIDTH];
    fStore(total, cost->total);
    fStore(rate, cost->rate);
    fStore(x, v.x);
    fStore(y, v.y);
    *best = (Leader){x[0], y[0], total[0], rate[0], 0};
}

// The first register of samples, which begins with the wanted velocity.
static inline void runFirst(const thRvoTask* task, int32_t lane, const Area* area, Entries entries,
                            Leader* best)
{
    const Round round = roundOf(task, 0);
    const Vec v = draw(task, area, round, iLane(), area->wanted);
    const Cost cost =
        evaluate(task, lane, entries, v, baseOf(task, lane, v, false), fSet(ENDLESS), false);
    takeFirst(&cost, v, best); // whatever it costs
    if ((mBits(isFree(task, &cost, iSet(task->overlaps.count[lane]))) & 1u) != 0)
        best->total = FREE;
    pickBest(mFirst(round.count), &cost, v, iLane(), best);
}

static void chooseNested(const thRvoTask* task, int32_t lane)
{
    const Area area = areaOf(task, lane, false);
    const Entries entries = entriesAt(task, lane, false);
    Leader best;
    runFirst(task, lane, &area, entries, &best);
    const bool free = task->earlyOut && !(best.total > 0.0f);
    for (int32_t number = 0; number <= task->refinements && !free; ++number) {
        const int32_t from = number == 0 ? TH_WIDTH : 0;
        (task->earlyOut ? sieveRound : runRound)(task, lane, &area, entries, roundOf(task, number),
                                                 from, &best);
    }
    task->outVx[lane] = best.x;
    task->outVy[lane] = best.y;
    task->chosen[lane] = best.sample;
    task->status[lane] = statusOf(task, lane, best.total, best.rate);
}

void TH_WIDE(thiRvoNested)(const thRvoTask* task)
{
    const thRvoTask own = *task;
    for (int32_t lane = 0; lane < own.count; ++lane)
        chooseNested(&own, lane);
}

#if TH_WIDTH == 1

void thiRvoTell_scalar(const thRvoTask* task, int32_t lane, thVec2* velocity, float* cost)
{
    const Area area = areaOf(task, lane, true);
    const Entries entries = entriesAt(task, lane, true);
    Leaders best = {area.wanted, ENDLESS, 0.0f, 0};
    for (int32_t number = 0; number <= task->refinements; ++number) {
        const Round round = roundOf(task, number);
        const Vec center = best.v;
        for (int32_t sample = round.first; sample < round.first + round.count; ++sample) {
            const Vec v = draw(task, &area, round, sample, center);
            const Cost found =
                evaluate(task, lane, entries, v, baseOf(task, lane, v, true), INFINITY, true);
            velocity[sample] = (thVec2){v.x, v.y};
            cost[sample] = found.total;
            compare(&best, &found, v, sample);
            if (sample == 0 && isFree(task, &found, task->overlaps.count[lane]))
                best.total = FREE;
        }
    }
}

#endif
