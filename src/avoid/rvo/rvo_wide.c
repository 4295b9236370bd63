// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Sampled RVO in two kernels, with an agent or with a sample in each lane.
//
// Both choose the same sample, bit for bit: `flat` has an agent in each lane and goes through the
// samples, `nested` has a sample in each lane and goes through the agents. What a sample is and
// what it costs is written once for both.
//
// The cheapest sample wins, and of equally cheap ones the first. Costs only grow while obstacles
// are looked at, and so do their roundings, so a sample that costs as much as an earlier one
// already may be given up.

#include "avoid/rvo/rvo.h"
#include "simd/lane_math.h"
#include "simd/lane_vec.h"

// Tries to find a sample in both discs; then the last one is moved there.
#define ATTEMPTS 8

// The golden ratio's part after the point, of 2³².
#define GOLDEN ((int32_t)0x9e3779b9u)

static inline thF squareOf(thF x, thF y)
{
    return x * x + y * y;
}

// An agent's column: its own lane's numbers for flat kernels, one of them in all lanes for nested.
static inline thF ofAgent(const float* column, int32_t at, const bool flat)
{
    return flat ? fLoad(column + at) : fSet(column[at]);
}

static inline thI bitsOfAgent(const int32_t* column, int32_t at, const bool flat)
{
    return flat ? iLoad(column + at) : iSet(column[at]);
}

// How samples are drawn for an agent: in one disc, and within another, after two that are given.
typedef struct Area {
    Vec wanted, own;
    Vec center, limit;
    thF radius, limitRadius;
    thI low, high; // of the random stream
} Area;

static inline Area areaOf(const thRvoTask* task, int32_t lane, const bool flat)
{
    return (Area){{ofAgent(task->wantedX, lane, flat), ofAgent(task->wantedY, lane, flat)},
                  {ofAgent(task->ownX, lane, flat), ofAgent(task->ownY, lane, flat)},
                  {ofAgent(task->discX, lane, flat), ofAgent(task->discY, lane, flat)},
                  {ofAgent(task->limitX, lane, flat), ofAgent(task->limitY, lane, flat)},
                  ofAgent(task->discRadius, lane, flat),
                  ofAgent(task->limitRadius, lane, flat),
                  bitsOfAgent(task->streamLow, lane, flat),
                  bitsOfAgent(task->streamHigh, lane, flat)};
}

// The samples of a round are `first` to `first + count − 1`.
typedef struct Round {
    int32_t number, first, count;
} Round;

static inline Round roundOf(const thRvoTask* task, int32_t number)
{
    if (number == 0)
        return (Round){0, 0, task->samples};
    return (Round){number, task->samples + (number - 1) * task->refinementSamples,
                   task->refinementSamples};
}

// Sine and cosine of an angle in parts of 2⁻¹⁶ of a turn, 0 to 65535. The rest after quarters is
// exact, so this takes half of what fSinCos does.
static inline void sinCosOfTurn(thI turn, thF* sine, thF* cosine)
{
    const thI quarter = iShrLogical(iAdd(turn, iSet(1 << 13)), 14);
    const thF angle = fFromI(iSub(turn, iShl(quarter, 14))) * fSet(6.2831853f / 65536.0f);
    const thF square = angle * angle;
    const thF sinSum = fStep(TH_SIN_3, square, fStep(TH_SIN_5, square, fSet(TH_SIN_7)));
    const thF cosSum = fStep(TH_COS_4, square, fStep(TH_COS_6, square, fSet(TH_COS_8)));
    const thF sinRest = angle + angle * square * sinSum;
    const thF cosRest = (fSet(1.0f) - fSet(0.5f) * square) + square * square * cosSum;
    const thM odd = iEq(iAnd(quarter, iSet(1)), iSet(1));
    const thI sinSign = iShl(iAnd(quarter, iSet(2)), 30);
    const thI cosSign = iShl(iAnd(iAdd(quarter, iSet(1)), iSet(2)), 30);
    *sine = fFlipSign(fSelect(odd, cosRest, sinRest), sinSign);
    *cosine = fFlipSign(fSelect(odd, sinRest, cosRest), cosSign);
}

// A point of the unit disc: number `sample` of a round. One random number gives its distance and
// its direction. Evenly spread ones lie on a spiral that is turned at random; if they are not
// allowed, others take their place at random.
static inline Vec unitPoint(const thRvoTask* task, const Area* area, Round round, thI sample,
                            int32_t attempt)
{
    thF distanceSq;
    thI turn;
    if (task->even && attempt == 0) {
        const thI within = iSub(sample, iSet(round.first));
        const thI start = iRandomBits(area->low, area->high, iSet(-1 - round.number));
        turn = iShrLogical(iAdd(iMul(within, iSet(GOLDEN)), start), 16);
        distanceSq = (fFromI(within) + fSet(0.5f)) * fSet(1.0f / (float)round.count);
    } else {
        const thI number = iAdd(iShl(sample, 3), iSet(attempt));
        const thI bits = iRandomBits(area->low, area->high, number);
        turn = iAnd(bits, iSet(0xffff));
        distanceSq = (fFromI(iShrLogical(bits, 16)) + fSet(0.5f)) * fSet(0x1p-16f);
    }
    const thF distance = fSqrt(distanceSq);
    thF sine, cosine;
    sinCosOfTurn(turn, &sine, &cosine);
    return (Vec){distance * cosine, distance * sine};
}

static inline thM isOutside(Vec v, Vec center, thF radius)
{
    return fLt(radius * radius, squareOf(v.x - center.x, v.y - center.y));
}

// Moves what is outside of a disc straight to its border.
static inline Vec moveInto(Vec v, Vec center, thF radius)
{
    const thF x = v.x - center.x, y = v.y - center.y;
    const thF distanceSq = squareOf(x, y);
    const thM outside = fLt(radius * radius, distanceSq);
    const thF factor = radius / fSqrt(fSelect(outside, distanceSq, fSet(1.0f)));
    return choose(outside, (Vec){center.x + factor * x, center.y + factor * y}, v);
}

static inline Vec drawFirst(const thRvoTask* task, const Area* area, Round round, thI sample)
{
    Vec v = area->center;
    thM wanting = iEq(sample, sample);
    for (int32_t attempt = 0; attempt < ATTEMPTS && mAny(wanting); ++attempt) {
        const Vec point = unitPoint(task, area, round, sample, attempt);
        const Vec next = {area->center.x + area->radius * point.x,
                          area->center.y + area->radius * point.y};
        v = choose(wanting, next, v);
        wanting = mAnd(wanting, isOutside(v, area->limit, area->limitRadius));
    }
    // The limit's centre, and the disc's, are in both; so is the way from there.
    if (mAny(wanting))
        v = moveInto(v, area->limit, area->limitRadius);
    v = choose(iEq(sample, iSet(1)), area->own, v);
    return choose(iEq(sample, iSet(0)), area->wanted, v);
}

// Samples round the best one so far, in a disc that halves from round to round.
static inline Vec drawAround(const thRvoTask* task, const Area* area, Round round, thI sample,
                             Vec best)
{
    const Vec point = unitPoint(task, area, round, sample, 0);
    const thF radius = area->radius * fSet(1.0f / (float)(1 << round.number));
    const Vec v = {best.x + radius * point.x, best.y + radius * point.y};
    return moveInto(moveInto(v, area->center, area->radius), area->limit, area->limitRadius);
}

static inline Vec draw(const thRvoTask* task, const Area* area, Round round, thI sample, Vec best)
{
    return round.number == 0 ? drawFirst(task, area, round, sample)
                             : drawAround(task, area, round, sample, best);
}

// A disc in the way of a velocity: how much of it is ahead, and how much room is left beside it.
typedef struct Meeting {
    thF towards, room;
    thM meets;
} Meeting;

static inline Meeting meetDisc(const thRvoDiscs* discs, int32_t at, Vec v, const bool flat)
{
    const thF px = ofAgent(discs->px, at, flat), py = ofAgent(discs->py, at, flat);
    const thF ux = v.x - ofAgent(discs->apexX, at, flat);
    const thF uy = v.y - ofAgent(discs->apexY, at, flat);
    const thF towards = px * ux + py * uy, across = px * uy - py * ux;
    const thF room = ofAgent(discs->radiusSq, at, flat) * squareOf(ux, uy) - across * across;
    return (Meeting){towards, room, mAnd(fLt(fSet(0.0f), towards), fLe(fSet(0.0f), room))};
}

// One over the time until the agent meets a disc; 0 if it does not.
static inline thF discRate(const thRvoDiscs* discs, int32_t at, Meeting meeting, const bool flat)
{
    const thF root = fSqrt(fMax(meeting.room, fSet(0.0f)));
    return fSelect(meeting.meets, ofAgent(discs->scale, at, flat) * (meeting.towards + root),
                   fSet(0.0f));
}

// The time until the agent has left a disc that it overlaps.
static inline thF exitTime(const thRvoDiscs* discs, int32_t at, Vec v, const bool flat)
{
    const thF px = ofAgent(discs->px, at, flat), py = ofAgent(discs->py, at, flat);
    const thF ux = v.x - ofAgent(discs->apexX, at, flat);
    const thF uy = v.y - ofAgent(discs->apexY, at, flat);
    const thF towards = px * ux + py * uy, across = px * uy - py * ux, speedSq = squareOf(ux, uy);
    const thF room = ofAgent(discs->radiusSq, at, flat) * speedSq - across * across;
    const thF root = fSqrt(fMax(room, fSet(0.0f)));
    // Two forms of one root; neither subtracts numbers that are nearly the same.
    const thM through = fLt(fSet(0.0f), towards);
    const thF distance = fSelect(through, ofAgent(discs->share, at, flat) * (towards + root),
                                 ofAgent(discs->scale, at, flat));
    const thF speed = fSelect(through, speedSq, root - towards);
    // An agent that does not move never leaves; entries that are not there are left at once.
    return fMin(distance / fMax(speed, fSet(1.0e-20f)), fSet(1.0e6f));
}

// One over the time until the agent meets the side of a wall; 0 if it does not.
static inline thF sideRate(const thRvoSides* sides, int32_t at, Vec v, const bool flat)
{
    const thF ux = v.x - ofAgent(sides->vx, at, flat), uy = v.y - ofAgent(sides->vy, at, flat);
    const thF closing = ofAgent(sides->nx, at, flat) * ux + ofAgent(sides->ny, at, flat) * uy;
    const thF along = ofAgent(sides->ex, at, flat) * ux + ofAgent(sides->ey, at, flat) * uy;
    const thF met =
        along * ofAgent(sides->gap, at, flat) + ofAgent(sides->foot, at, flat) * closing;
    const thM within =
        mAnd(fLe(fSet(0.0f), met), fLe(met, ofAgent(sides->lengthSq, at, flat) * closing));
    const thM meets = mAnd(fLt(fSet(0.0f), closing), within);
    return fSelect(meets, closing * ofAgent(sides->perGap, at, flat), fSet(0.0f));
}

// What samples cost.
typedef struct Cost {
    thF base; // for being another velocity than the wanted one
    thF rate; // of the first collision
    thF exit; // time of the last separation
    thF total;
} Cost;

static inline thF totalOf(const thRvoTask* task, const Cost* cost)
{
    const thM late = fLt(cost->rate, fSet(task->leastRate));
    const thF rate = fSelect(late, fSet(0.0f), cost->rate);
    return cost->base + fSet(task->weight) * (rate + cost->exit);
}

static inline thF baseOf(const thRvoTask* task, int32_t lane, Vec v, const bool flat)
{
    const thF x = v.x - ofAgent(task->targetX, lane, flat);
    const thF y = v.y - ofAgent(task->targetY, lane, flat);
    return ofAgent(task->effort, lane, flat) * fSqrt(squareOf(x, y));
}

// How many entries the lanes of a register have at most.
static inline int32_t entriesOf(const int32_t* counts, int32_t lane, const bool flat)
{
    int32_t most = counts[lane];
    for (int32_t i = 1; i < TH_WIDTH && flat; ++i)
        most = counts[lane + i] > most ? counts[lane + i] : most;
    return most;
}

typedef struct Entries {
    int32_t discs, overlaps, sides;
} Entries;

static inline Entries entriesAt(const thRvoTask* task, int32_t lane, const bool flat)
{
    return (Entries){entriesOf(task->discs.count, lane, flat),
                     entriesOf(task->overlaps.count, lane, flat),
                     entriesOf(task->sides.count, lane, flat)};
}

// Whether all samples cost as much as the best one already.
static inline bool areHopeless(const thRvoTask* task, const Cost* cost, thF best)
{
    return task->earlyOut && !mAny(fLt(totalOf(task, cost), best));
}

static inline void leaveOverlaps(const thRvoTask* task, int32_t lane, int32_t count, Vec v,
                                 Cost* cost, const bool flat)
{
    for (int32_t k = 0; k < count; ++k)
        cost->exit = fMax(cost->exit, exitTime(&task->overlaps, k * task->lanes + lane, v, flat));
}

// Discs from one to another, and whether all samples are hopeless then. Most discs are in nobody's
// way, which is known before the root.
static inline bool meetDiscs(const thRvoTask* task, int32_t lane, int32_t from, int32_t to, Vec v,
                             thF best, Cost* cost, const bool flat)
{
    for (int32_t k = from; k < to; ++k) {
        const int32_t at = k * task->lanes + lane;
        const Meeting meeting = meetDisc(&task->discs, at, v, flat);
        if (task->earlyOut && !mAny(meeting.meets))
            continue;
        cost->rate = fMax(cost->rate, discRate(&task->discs, at, meeting, flat));
        if (areHopeless(task, cost, best))
            return true;
    }
    return false;
}

static inline bool meetSides(const thRvoTask* task, int32_t lane, int32_t count, Vec v, thF best,
                             Cost* cost, const bool flat)
{
    for (int32_t k = 0; k < count; ++k) {
        cost->rate = fMax(cost->rate, sideRate(&task->sides, k * task->lanes + lane, v, flat));
        if (areHopeless(task, cost, best))
            return true;
    }
    return false;
}

static inline Cost evaluate(const thRvoTask* task, int32_t lane, Entries entries, Vec v, thF base,
                            thF best, const bool flat)
{
    Cost cost = {base, fSet(0.0f), fSet(0.0f), base};
    leaveOverlaps(task, lane, entries.overlaps, v, &cost, flat);
    if (!areHopeless(task, &cost, best) &&
        !meetDiscs(task, lane, 0, entries.discs, v, best, &cost, flat))
        (void)meetSides(task, lane, entries.sides, v, best, &cost, flat);
    cost.total = totalOf(task, &cost);
    return cost;
}

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
