// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The samples of `rvo`: which velocities are tried out. Included by rvo_wide.c.

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
