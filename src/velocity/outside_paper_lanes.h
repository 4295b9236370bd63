// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The steps of ClearPath's paper on one side of a region, one problem per lane.
//
// They do what outside_paper.c does, with the same operations. outside_paper_wide.c takes them one
// after the other; benchmarks do so too, with a watch in their hands.

#ifndef THRONG_SRC_VELOCITY_OUTSIDE_PAPER_LANES_H
#define THRONG_SRC_VELOCITY_OUTSIDE_PAPER_LANES_H

#include "velocity/outside_paper.h"
#include "velocity/stretch_lanes.h"

// The problems in one register. Side s is at s · stride.
typedef struct Problem {
    const float *nx, *ny, *o;
    const float* inner; // offsets of sides moved inwards by the tolerance
    int32_t stride, regionMax;
    Vec wanted, center[2];
    thF radius[2], tolerance;
} Problem;

typedef struct Line {
    Vec m, d;
} Line;

// The nearest point so far in each lane.
typedef struct Best {
    thF distanceSq; // far: none
    Vec point;
} Best;

// One side of all problems: what of it is border, and how many crossings that has.
typedef struct Piece {
    int32_t own; // the region it belongs to
    Line line;
    Stretch border;
    thM live;     // lanes that have such a border, and look for a point
    thI count;    // crossings between its ends
    int32_t most; // in any lane
} Piece;

// Crossings of a piece: number k of a lane is at k · TH_WIDTH + lane. 0 is the lower end, those
// past the last are the upper end.
typedef struct Points {
    float* t;
    int32_t* region;  // the other one's border; −1: none
    int32_t* outside; // 1 or 0
} Points;

// Points that have not been found inside, packed.
typedef struct Pack {
    float *x, *y;
    int32_t *at, *region; // where it is among the points, and whose border it is on
} Pack;

// The most points of a piece, its ends included.
static inline int32_t mostPoints(int32_t regionMax)
{
    return TH_REGION_SIDES * regionMax + 2;
}

static inline Line lineOf(Vec n, thF o)
{
    return (Line){scale(o, n), {n.y, fNeg(n.x)}};
}

static inline void clipToSide(Line line, Vec n, thF o, Stretch* stretch)
{
    const thF slope = dot(n, line.d) - fSet(TH_TINY_SLOPE);
    clip(stretch, fLt(fSet(0.0f), slope), (o - dot(n, line.m)) / slope);
}

static inline void clipToDisc(Line line, Vec center, thF radius, Stretch* stretch)
{
    const Vec from = subtract(line.m, center);
    const thF along = dot(from, line.d), across = det(from, line.d);
    const thF rest = radius * radius - across * across;
    const thF half = fSqrt(fMax(rest, fSet(0.0f)));
    const thM misses = fLt(rest, fSet(0.0f));
    stretch->low = fSelect(misses, farAway(), fMax(fNeg(along) - half, stretch->low));
    stretch->high = fSelect(misses, fNeg(farAway()), fMin(half - along, stretch->high));
}

// Step 1: a side as a line, and what of it is border.
static inline void startPiece(const Problem* problem, int32_t side, thM lanes, Piece* piece)
{
    const int32_t at = side * problem->stride, first = side / TH_REGION_SIDES * TH_REGION_SIDES;
    const thF o = fLoad(problem->o + at);
    piece->own = side / TH_REGION_SIDES;
    piece->line = lineOf(loadVec(problem->nx, problem->ny, at), o);
    piece->border = wholeLine();
    for (int32_t k = first; k < first + TH_REGION_SIDES; ++k)
        if (k != side)
            clipToSide(piece->line, loadVec(problem->nx, problem->ny, k * problem->stride),
                       fLoad(problem->o + k * problem->stride), &piece->border);
    for (int32_t i = 0; i < 2; ++i)
        clipToDisc(piece->line, problem->center[i], problem->radius[i], &piece->border);
    const thM real = fLt(fAbs(o), fSet(0.5f * TH_FAR_OUTSIDE));
    piece->live = mAnd(mAnd(lanes, real), fLe(piece->border.low, piece->border.high));
}

// Lanes in which a point of side k of a region is on its border.
static inline thM areOnBorder(const Problem* problem, int32_t region, int32_t side, Vec v)
{
    thM on = mNot(none());
    for (int32_t k = 0; k < TH_REGION_SIDES; ++k) {
        const int32_t at = (region * TH_REGION_SIDES + k) * problem->stride;
        if (k != side)
            on = mAnd(
                on, fLe(fLoad(problem->inner + at), dot(loadVec(problem->nx, problem->ny, at), v)));
    }
    return on;
}

// Lanes in which a point is in a region by more than a tolerance.
static inline thM areIn(const Problem* problem, int32_t region, Vec v, thF tolerance)
{
    thM in = mNot(none());
    for (int32_t k = 0; k < TH_REGION_SIDES; ++k) {
        const int32_t at = (region * TH_REGION_SIDES + k) * problem->stride;
        in = mAnd(in, fLt(fLoad(problem->o + at) + tolerance,
                          dot(loadVec(problem->nx, problem->ny, at), v)));
    }
    return in;
}

// Appends a crossing in some lanes.
static inline void appendPoints(Points points, thM lanes, thF t, int32_t region, int32_t* counts)
{
    float values[TH_WIDTH];
    fStore(values, t);
    for (uint32_t bits = mBits(lanes); bits != 0; bits &= bits - 1) {
        const int32_t lane = __builtin_ctz(bits);
        const int32_t at = ++counts[lane] * TH_WIDTH + lane;
        points.t[at] = values[lane];
        points.region[at] = region;
    }
}

// The ends of a piece; lanes that have fewer points than others end with more than one.
static inline void placeEnds(Piece* piece, const int32_t* counts, Points points)
{
    piece->count = iLoad(counts);
    piece->most = 0;
    for (int32_t lane = 0; lane < TH_WIDTH; ++lane)
        piece->most = counts[lane] > piece->most ? counts[lane] : piece->most;
    fStore(points.t, piece->border.low);
    iStore(points.region, iSet(-1));
    for (int32_t i = 1; i <= piece->most + 1; ++i) {
        const int32_t at = i * TH_WIDTH;
        const thM past = iLt(piece->count, iSet(i));
        fStore(points.t + at, fSelect(past, piece->border.high, fLoad(points.t + at)));
        iStore(points.region + at, iSelect(past, iSet(-1), iLoad(points.region + at)));
    }
}

// Step 2: where a piece meets the borders of others.
static inline void findCrossings(const Problem* problem, Piece* piece, Points points)
{
    const Line line = piece->line;
    int32_t counts[TH_WIDTH];
    iStore(counts, iSet(0));
    for (int32_t j = 0; j < problem->regionMax; ++j) {
        for (int32_t k = 0; k < TH_REGION_SIDES && j != piece->own; ++k) {
            const int32_t at = (j * TH_REGION_SIDES + k) * problem->stride;
            const Vec n = loadVec(problem->nx, problem->ny, at);
            const thF slope = dot(n, line.d);
            const thF lack = fLoad(problem->inner + at) - dot(n, line.m);
            const thF t = lack / slope;
            const thM steep = fLt(fSet(TH_TINY_SLOPE), fAbs(slope));
            const thM within = mAnd(fLt(piece->border.low, t), fLt(t, piece->border.high));
            const thM meets = mAnd(mAnd(piece->live, steep), within);
            if (!mAny(meets))
                continue;
            const Vec v = addScaled(line.m, t, line.d);
            appendPoints(points, mAnd(meets, areOnBorder(problem, j, k, v)), t, j, counts);
        }
    }
    placeEnds(piece, counts, points);
}

// Lanes that have a point of some number, its ends included.
static inline thM havePoint(const Piece* piece, int32_t number)
{
    return mAndNot(piece->live, iLt(iAdd(piece->count, iSet(1)), iSet(number)));
}

// All points of a piece with their places, in the order of memory. Returns how many.
static inline int32_t listPoints(const Piece* piece, Points points, Pack pack)
{
    int32_t count = 0;
    for (int32_t i = 0; i <= piece->most + 1; ++i) {
        const int32_t at = i * TH_WIDTH;
        const thM there = havePoint(piece, i);
        const Vec v = addScaled(piece->line.m, fLoad(points.t + at), piece->line.d);
        iStore(points.outside + at, iSet(0));
        fCompress(pack.x + count, there, v.x);
        fCompress(pack.y + count, there, v.y);
        iCompress(pack.region + count, there, iLoad(points.region + at));
        count += iCompress(pack.at + count, there, iAdd(iSet(at), iLane()));
    }
    return count;
}

// Packs those points that are not in one region, each in that of its own lane. Returns how many
// are left. They only move towards the front, so nothing is overwritten before it was read.
static inline int32_t keepOutside(const Problem* problem, int32_t region, Pack pack, int32_t count)
{
    int32_t left = 0;
    for (int32_t i = 0; i < count; i += TH_WIDTH) {
        const thI place = iLoad(pack.at + i), other = iLoad(pack.region + i);
        const thI lane = iAnd(place, iSet(TH_WIDTH - 1));
        const Vec v = loadVec(pack.x, pack.y, i);
        const thM used = mFirst(count - i);
        thM in = mAndNot(used, iEq(other, iSet(region)));
        for (int32_t k = 0; k < TH_REGION_SIDES && mAny(in); ++k) {
            const int32_t at = (region * TH_REGION_SIDES + k) * problem->stride;
            const Vec n = {fPick(problem->nx + at, lane), fPick(problem->ny + at, lane)};
            in = mAnd(in, fLt(fPick(problem->inner + at, lane), dot(n, v)));
        }
        const thM out = mAndNot(used, in);
        fCompress(pack.x + left, out, v.x);
        fCompress(pack.y + left, out, v.y);
        iCompress(pack.region + left, out, other);
        left += iCompress(pack.at + left, out, place);
    }
    return left;
}

// Step 3: which points are outside of all regions but those whose borders they are on. After each
// region those that are still outside are packed, so that registers stay full.
static inline void tagPacked(const Problem* problem, const Piece* piece, Points points, Pack pack)
{
    int32_t count = listPoints(piece, points, pack);
    for (int32_t j = 0; j < problem->regionMax && count > 0; ++j)
        if (j != piece->own)
            count = keepOutside(problem, j, pack, count);
    for (int32_t i = 0; i < count; ++i)
        points.outside[pack.at[i]] = 1;
}

// The same, every point in its own lane: a register is done when none of its points is left.
static inline void tagInPlace(const Problem* problem, const Piece* piece, Points points)
{
    for (int32_t i = 0; i <= piece->most + 1; ++i) {
        const int32_t at = i * TH_WIDTH;
        const Vec v = addScaled(piece->line.m, fLoad(points.t + at), piece->line.d);
        const thI other = iLoad(points.region + at);
        thM outside = havePoint(piece, i);
        for (int32_t j = 0; j < problem->regionMax && mAny(outside); ++j)
            if (j != piece->own)
                outside = mAndNot(outside, mAndNot(areIn(problem, j, v, problem->tolerance),
                                                   iEq(other, iSet(j))));
        iStore(points.outside + at, iSelect(outside, iSet(1), iSet(0)));
    }
}

// Packing takes an instruction for it: without one it takes longer than what it saves.
static inline void tagPoints(const Problem* problem, const Piece* piece, Points points, Pack pack)
{
    if (TH_WIDTH == TH_MAX_WIDTH)
        tagPacked(problem, piece, points, pack);
    else
        tagInPlace(problem, piece, points);
}

// Step 4: in their order along the piece. Upper ends that fill up a lane stay where they are.
static inline void sortPoints(const Piece* piece, Points points)
{
    for (int32_t i = 2; i <= piece->most; ++i) {
        thF t = fLoad(points.t + i * TH_WIDTH);
        thI outside = iLoad(points.outside + i * TH_WIDTH);
        int32_t k = i;
        for (; k > 1; --k) {
            const int32_t at = k * TH_WIDTH;
            const thF before = fLoad(points.t + at - TH_WIDTH);
            const thI beforeOutside = iLoad(points.outside + at - TH_WIDTH);
            const thM swap = fLt(t, before);
            if (!mAny(swap))
                break;
            fStore(points.t + at, fSelect(swap, before, t));
            iStore(points.outside + at, iSelect(swap, beforeOutside, outside));
            t = fSelect(swap, t, before);
            outside = iSelect(swap, outside, beforeOutside);
        }
        fStore(points.t + k * TH_WIDTH, t);
        iStore(points.outside + k * TH_WIDTH, outside);
    }
}

// The nearest point of a part between two points, in the lanes in which that is outside.
static inline void considerPart(const Problem* problem, Line line, thF low, thF high, thM lanes,
                                Best* best)
{
    const thF along = dot(problem->wanted, line.d);
    const thF t = fSelect(fLt(along, low), low, fSelect(fLt(high, along), high, along));
    const Vec v = addScaled(line.m, t, line.d), from = subtract(v, problem->wanted);
    const thF distanceSq = dot(from, from);
    thM better = mAnd(lanes, fLt(distanceSq, best->distanceSq));
    const thF tolerance = fSet(1.5f) * problem->tolerance;
    for (int32_t j = 0; j < problem->regionMax && mAny(better); ++j)
        better = mAndNot(better, areIn(problem, j, v, tolerance));
    best->distanceSq = fSelect(better, distanceSq, best->distanceSq);
    best->point = choose(better, v, best->point);
}

// Step 5: which parts between points are outside, and the nearest place on them.
static inline void classifyParts(const Problem* problem, const Piece* piece, Points points,
                                 Best* best)
{
    thM before = none(), first = iLt(iSet(0), iLoad(points.outside));
    thF low = fLoad(points.t);
    for (int32_t i = 0; i <= piece->most; ++i) {
        const int32_t next = (i + 1) * TH_WIDTH;
        const thM last = iLt(iSet(0), iLoad(points.outside + next));
        const thM there = mAndNot(piece->live, iLt(piece->count, iSet(i)));
        const thM outside = mAndNot(mAnd(mAnd(first, last), there), before);
        const thF high = fLoad(points.t + next);
        if (mAny(outside))
            considerPart(problem, piece->line, low, high, outside, best);
        before = outside;
        first = last;
        low = high;
    }
}

// From problems in lanes to registers of those that are not free, and back.

// The room of a task.
typedef struct Room {
    int32_t *count, *waiting, *start; // regions by lane; lanes; by number of regions
    int32_t* regions;                 // where the regions of a register are
    float *nx, *ny, *o, *inner;       // its sides
    Points points;
    Pack pack;
} Room;

// Room for floats or 32-bit integers.
static inline void* take(char** next, int32_t count)
{
    void* piece = *next;
    *next += ((size_t)count * sizeof(float) + 63) / 64 * 64;
    return piece;
}

static inline Room roomOf(const thOutsideTask* task)
{
    char* next = task->room;
    const int32_t sides = TH_REGION_SIDES * task->regionMax * TH_WIDTH;
    const int32_t points = mostPoints(task->regionMax) * TH_WIDTH, packed = points + TH_WIDTH;
    Room room;
    room.count = take(&next, task->lanes);
    room.waiting = take(&next, task->lanes + TH_WIDTH);
    room.start = take(&next, task->regionMax + 2);
    room.regions = take(&next, task->regionMax * TH_WIDTH);
    room.nx = take(&next, sides);
    room.ny = take(&next, sides);
    room.o = take(&next, sides);
    room.inner = take(&next, sides);
    room.points.t = take(&next, points);
    room.points.region = take(&next, points);
    room.points.outside = take(&next, points);
    room.pack.x = take(&next, packed);
    room.pack.y = take(&next, packed);
    room.pack.at = take(&next, packed);
    room.pack.region = take(&next, packed);
    return room;
}

// What a lane lacks of regions has far offsets.
static inline bool isReal(const thOutsideTask* task, int32_t region, int32_t lane)
{
    return task->o[region * TH_REGION_SIDES * task->lanes + lane] < 0.5f * TH_FAR_OUTSIDE;
}

// Counts regions, and answers those whose wanted point is in none. The others have to wait.
static inline void answerFree(const thOutsideTask* task, Room room)
{
    for (int32_t lane = 0; lane < task->lanes; lane += TH_WIDTH) {
        const Vec start = loadVec(task->startX, task->startY, lane);
        const Problem problem = {.nx = task->nx + lane,
                                 .ny = task->ny + lane,
                                 .o = task->o + lane,
                                 .stride = task->lanes};
        const thF tolerance = fLoad(task->tolerance + lane);
        thM forbidden = none();
        thI count = iSet(0);
        for (int32_t j = 0; j < task->regionMax; ++j) {
            const thF o = fLoad(problem.o + j * TH_REGION_SIDES * task->lanes);
            const thM real = fLt(o, fSet(0.5f * TH_FAR_OUTSIDE));
            count = iAdd(count, iSelect(real, iSet(1), iSet(0)));
            forbidden = mOr(forbidden, areIn(&problem, j, start, tolerance));
        }
        iStore(room.count + lane, count);
        fStore(task->outX + lane, start.x);
        fStore(task->outY + lane, start.y);
        const uint32_t bits = mBits(forbidden);
        for (int32_t i = 0; i < TH_WIDTH; ++i)
            task->answer[lane + i] = (bits >> i & 1u) != 0 ? th_outsideNone : th_outsideFree;
    }
}

// Lists those that wait as they come. Returns how many there are.
static inline int32_t listInTurn(const thOutsideTask* task, Room room)
{
    int32_t waiting = 0;
    for (int32_t lane = 0; lane < task->lanes; ++lane)
        if (task->answer[lane] != th_outsideFree)
            room.waiting[waiting++] = lane;
    return waiting;
}

// The same, those with the most regions first.
static inline int32_t listByRegions(const thOutsideTask* task, Room room)
{
    for (int32_t i = 0; i < task->regionMax + 2; ++i)
        room.start[i] = 0;
    int32_t waiting = 0;
    for (int32_t lane = 0; lane < task->lanes; ++lane) {
        const int32_t isWaiting = task->answer[lane] != th_outsideFree;
        room.start[task->regionMax - room.count[lane] + 1] += isWaiting;
        waiting += isWaiting;
    }
    for (int32_t i = 1; i < task->regionMax + 2; ++i)
        room.start[i] += room.start[i - 1];
    for (int32_t lane = 0; lane < task->lanes; ++lane)
        if (task->answer[lane] != th_outsideFree)
            room.waiting[room.start[task->regionMax - room.count[lane]]++] = lane;
    return waiting;
}

// Answers those that are free, and lists the others. Returns how many there are.
static inline int32_t listWaiting(const thOutsideTask* task, Room room)
{
    answerFree(task, room);
    const int32_t waiting = task->keepsLanes ? listInTurn(task, room) : listByRegions(task, room);
    const int32_t last = waiting > 0 ? room.waiting[waiting - 1] : 0;
    for (int32_t i = 0; i < TH_WIDTH; ++i) // the rest of a register repeats it
        room.waiting[waiting + i] = last;
    return waiting;
}

// Where each region of some lanes is, without gaps. Returns how many each has, at most.
static inline int32_t findRegions(const thOutsideTask* task, Room room, const int32_t* lanes)
{
    int32_t most = 0;
    for (int32_t l = 0; l < TH_WIDTH; ++l)
        most = room.count[lanes[l]] > most ? room.count[lanes[l]] : most;
    for (int32_t l = 0; l < TH_WIDTH; ++l) {
        int32_t count = 0;
        for (int32_t j = 0; j < task->regionMax; ++j)
            if (isReal(task, j, lanes[l]))
                room.regions[count++ * TH_WIDTH + l] = j * TH_REGION_SIDES * task->lanes + lanes[l];
        for (; count < most; ++count)
            room.regions[count * TH_WIDTH + l] = lanes[l];
    }
    return most;
}

// A register of waiting lanes.
static inline Problem gatherProblem(const thOutsideTask* task, Room room, const int32_t* lanes)
{
    const thI lane = iLoad(lanes), count = iGather(room.count, lane);
    Problem problem = {.nx = room.nx,
                       .ny = room.ny,
                       .o = room.o,
                       .inner = room.inner,
                       .stride = TH_WIDTH,
                       .regionMax = findRegions(task, room, lanes),
                       .wanted = gatherVec(task->wantedX, task->wantedY, lane),
                       .tolerance = fGather(task->tolerance, lane)};
    for (int32_t i = 0; i < 2; ++i) {
        problem.center[i] = gatherVec(task->discX[i], task->discY[i], lane);
        problem.radius[i] = fGather(task->discRadius[i], lane);
    }
    for (int32_t s = 0; s < TH_REGION_SIDES * problem.regionMax; ++s) {
        const int32_t region = s / TH_REGION_SIDES, side = s % TH_REGION_SIDES * task->lanes;
        const thI from = iLoad(room.regions + region * TH_WIDTH);
        const thM real = iLt(iSet(region), count);
        const Vec n = gatherVec(task->nx + side, task->ny + side, from);
        const thF o = fSelect(real, fGather(task->o + side, from), farAway());
        fStore(room.nx + s * TH_WIDTH, fSelect(real, n.x, fSet(0.0f)));
        fStore(room.ny + s * TH_WIDTH, fSelect(real, n.y, fSet(0.0f)));
        fStore(room.o + s * TH_WIDTH, o);
        fStore(room.inner + s * TH_WIDTH, o + problem.tolerance);
    }
    return problem;
}

static inline void noteUse(thOutsideUse* use, const Problem* problem, thM lanes)
{
    if (use == NULL)
        return;
    use->rounds += 1;
    use->lanes += __builtin_popcount(mBits(lanes));
    use->regions += problem->regionMax;
}

// Those that found nothing keep what they have.
static inline void storeAnswers(const thOutsideTask* task, const int32_t* lanes, int32_t used,
                                const Best* best)
{
    float x[TH_WIDTH], y[TH_WIDTH];
    fStore(x, best->point.x);
    fStore(y, best->point.y);
    const uint32_t found = mBits(fLt(best->distanceSq, farAway()));
    for (int32_t i = 0; i < used; ++i) {
        if ((found >> i & 1u) == 0)
            continue;
        task->outX[lanes[i]] = x[i];
        task->outY[lanes[i]] = y[i];
        task->answer[lanes[i]] = th_outsideBorder;
    }
}

#endif
