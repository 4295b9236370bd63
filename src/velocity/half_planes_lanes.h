// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Programs over half-planes, one agent per lane: the nearest velocity that all of them allow, or
// the one of least effort. Where there is none, it is the one that violates the worst of them
// least. A half-plane is kept as its unit normal n and offset o: n · v >= o. Its border is o n + t
// D with D = (n.y, −n.x); because o n is the point nearest to the origin, the part of it within the
// speed limit is |t| <= √(maxSpeed² − o²).

#ifndef THRONG_SRC_VELOCITY_HALF_PLANES_LANES_H
#define THRONG_SRC_VELOCITY_HALF_PLANES_LANES_H

#include "simd/lane_vec.h"
#include "velocity/least_effort_lanes.h"
#include "velocity/least_violation.h"

// Less than any slope of lines that are not parallel, and nothing beside one.
#define TINY 1.0e-20f

// How much a line may lack by rounding where it meets another, as a part of the speed limit.
// Without it, lines that meet in one point or are nearly the same, as those of two pieces of one
// wall, leave nothing. A line is violated where it lacks twice as much: one that says the same as
// an earlier line is none to move to.
#define TOLERANCE 1.0e-6f

typedef struct Line {
    Vec n;
    thF o;
} Line;

static inline Line loadLine(const float* x, const float* y, const float* o, int32_t at)
{
    return (Line){loadVec(x, y, at), fLoad(o + at)};
}

static inline void storeLine(float* x, float* y, float* o, int32_t at, thM real, Line line)
{
    const thF zero = fSet(0.0f);
    fStore(x + at, fSelect(real, line.n.x, zero));
    fStore(y + at, fSelect(real, line.n.y, zero));
    fStore(o + at, fSelect(real, line.o, fSet(TH_ALLOWS_ALL)));
}

// What a line lacks at v; positive is a violation.
static inline thF lack(Line line, Vec v)
{
    return line.o - dot(line.n, v);
}

// Lines of the lanes of one register: line i is at i · stride.
typedef struct Lines {
    const float *x, *y, *o;
    int32_t stride;
} Lines;

// Room for lines of one register, one every TH_MAX_WIDTH.
typedef struct SpareLines {
    float *x, *y, *o;
} SpareLines;

static inline Line lineAt(Lines lines, int32_t i)
{
    return loadLine(lines.x, lines.y, lines.o, i * lines.stride);
}

// The stretch of the border of line i that obeys the speed limit and, within the tolerance, lines 0
// to i − 1; lanes in which there is none. Parallel lines meet far off, on the side that says
// whether one allows all of the other or nothing of it.
static inline thM stretchOf(Lines lines, int32_t i, Line line, thF limit, thF* low, thF* high)
{
    const thF tolerance = fSet(TOLERANCE) * limit;
    const thF rest = limit * limit - line.o * line.o;
    const thF half = fSqrt(fMax(rest, fSet(0.0f)));
    const Vec d = vec(line.n.y, fNeg(line.n.x)), middle = scale(line.o, line.n);
    *low = fNeg(half);
    *high = half;
    for (int32_t j = 0; j < i; ++j) {
        const Line other = lineAt(lines, j);
        const thF slope = dot(other.n, d) - fSet(TINY); // is never 0
        const thF t = (lack(other, middle) - tolerance) / slope;
        const thM rises = fLt(fSet(0.0f), slope);
        *low = fSelect(rises, fMax(*low, t), *low);
        *high = fSelect(rises, *high, fMin(*high, t));
    }
    return mOr(fLt(rest, fSet(0.0f)), fLt(*high, *low));
}

// What a program looks for. All of it is convex, so that where the best so far is forbidden by one
// more line, the best is on that one's border.
typedef enum Objective {
    objective_nearest,  // to the wanted velocity
    objective_furthest, // in the direction of `wanted`
    objective_effort    // the least of it, to a corner `far` times as far as `wanted` leads
} Objective;

typedef struct Aim {
    Vec wanted;
    thF far; // for the least effort only
} Aim;

// The best point of a line's border within the stretch, of the lanes that are asked for.
static inline Vec pointOn(Line line, thF low, thF high, Aim aim, const Objective objective,
                          thM lanes)
{
    const Vec d = vec(line.n.y, fNeg(line.n.x));
    const thF along = objective == objective_effort
                          ? leastEffortAlong(line.n, line.o, d, aim.wanted, aim.far, lanes)
                          : dot(d, aim.wanted);
    const thF t = objective == objective_furthest ? fSelect(fLt(fSet(0.0f), along), high, low)
                                                  : fMin(fMax(along, low), high);
    return add(scale(line.o, line.n), scale(t, d));
}

// The two-dimensional program, line after line. Returns the lanes without a solution; `failed` is
// the line at which they failed, and `v` the best point before it.
static inline thM solvePlane(Lines lines, int32_t count, thF limit, Aim aim,
                             const Objective objective, thM lanes, Vec* v, thI* failed,
                             thM* touched)
{
    thM without = none();
    const thF bearable = fSet(2.0f * TOLERANCE) * limit;
    for (int32_t i = 0; i < count; ++i) {
        const Line line = lineAt(lines, i);
        const thM violated = mAnd(mAndNot(lanes, without), fLt(bearable, lack(line, *v)));
        if (!mAny(violated))
            continue;
        thF low, high;
        const thM empty = stretchOf(lines, i, line, limit, &low, &high);
        const Vec better = pointOn(line, low, high, aim, objective, violated);
        *v = choose(mAndNot(violated, empty), better, *v);
        const thM fails = mAnd(violated, empty);
        *failed = iSelect(fails, iSet(i), *failed);
        without = mOr(without, fails);
        *touched = mOr(*touched, violated);
    }
    return without;
}

// No velocity obeys everybody: the one for which the worst violation of an agent's line is least.
// Lines of walls, the first `walls` of them, stay as they are. `spare` has room for as many lines.
static inline void solveWorst(Lines lines, int32_t walls, int32_t count, thF limit, thI failed,
                              thM lanes, SpareLines spare, Vec* v)
{
    const Lines made = {spare.x, spare.y, spare.o, TH_MAX_WIDTH};
    for (int32_t k = 0; k < walls; ++k)
        storeLine(spare.x, spare.y, spare.o, k * TH_MAX_WIDTH, mNot(none()), lineAt(lines, k));
    const thF bearable = fSet(4.0f * TOLERANCE) * limit; // bisectors lack twice as much
    thF worst = fSet(0.0f);
    for (int32_t i = walls; i < count; ++i) {
        const Line line = lineAt(lines, i);
        const thM reached = mNot(iLt(iSet(i), failed));
        const thM worse = mAnd(mAnd(lanes, reached), fLt(worst + bearable, lack(line, *v)));
        if (!mAny(worse))
            continue;
        // Where line j would lack more than line i: (n_j − n_i) · v >= o_j − o_i keeps away from
        // it. The tolerance is one of what is lacking, so it grows as the normals come together.
        for (int32_t j = walls; j < i; ++j) {
            const Line other = lineAt(lines, j);
            const Vec between = subtract(other.n, line.n);
            const thF lengthSq = dot(between, between);
            const thM real =
                mAnd(fLt(fSet(1.0e-10f), lengthSq), fLt(fSet(0.5f * TH_ALLOWS_ALL), other.o));
            const thF per = fSet(1.0f) / fSqrt(fSelect(real, lengthSq, fSet(1.0f)));
            const thF apart = other.o - line.o - fSet(TOLERANCE) * limit;
            const Line bisector = {scale(per, between), per * apart};
            storeLine(spare.x, spare.y, spare.o, j * TH_MAX_WIDTH, real, bisector);
        }
        Vec found = scale(limit, line.n);
        thI ignored = iSet(0);
        thM touched = none();
        const thM without = solvePlane(made, i, limit, (Aim){.wanted = line.n}, objective_furthest,
                                       worse, &found, &ignored, &touched);
        // By construction there is a solution; rounding may lose it, then the last one stays.
        *v = choose(mAndNot(worse, without), found, *v);
        worst = fSelect(worse, lack(line, *v), worst);
    }
}

#endif
