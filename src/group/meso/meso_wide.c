// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Kernels of group method `meso`: who is near one, and the tangents of bodies.

#include "geom/fixed.h"
#include "geom/vec2.h"
#include "group/meso/meso_lanes.h"
#include "simd/lane_vec.h"
#include "velocity/outside_regions.h"

#include <math.h>

// Within this part of a radius² lanes do not decide whether somebody is within it.
#define UNSURE 1.0e-6f

// As thiMetresBetween: differences that wrap are of places far apart, and stay that.
static inline thF metresBetween(int32_t from, const int32_t* to)
{
    return fFromI(iSub(iLoad(to), iSet(from))) * fSet(TH_METRES_PER_UNIT);
}

// The least of each lane, and where it was first.
typedef struct Least {
    thF value;
    thI at;
} Least;

static inline Least noLeast(void)
{
    return (Least){fSet(TH_FAR_OUTSIDE), iSet(INT32_MAX)};
}

static inline void lookForLess(Least* least, thM here, thF value, thI at)
{
    const thM less = mAnd(here, fLt(value, least->value));
    least->value = fSelect(less, value, least->value);
    least->at = iSelect(less, at, least->at);
}

static float leastLane(thF of)
{
    float value[TH_WIDTH], least = TH_FAR_OUTSIDE;
    fStore(value, of);
    for (int32_t i = 0; i < TH_WIDTH; ++i)
        least = value[i] < least ? value[i] : least;
    return least;
}

static thMesoNearest leastOf(const Least* least)
{
    int32_t at[TH_WIDTH];
    thMesoNearest all = {INT32_MAX, leastLane(least->value)};
    iStore(at, least->at);
    for (uint32_t bits = mBits(fEq(least->value, fSet(all.distance))); bits != 0; bits &= bits - 1)
        all.at = TH_MIN(all.at, at[__builtin_ctz(bits)]);
    return all;
}

// The rows of a register that do not count: those behind the range, the row itself, and those who
// are not there, on another floor, or too large.
static inline uint32_t leaveOut(const thMesoLinkTask* task, int32_t first, int32_t end,
                                uint32_t bits)
{
    const thFrame* frame = task->frame;
    const int32_t row = task->row;
    if (end - first < TH_WIDTH)
        bits &= (1u << (end - first)) - 1u;
    if (row >= first && row - first < TH_WIDTH)
        bits &= ~(1u << (row - first));
    for (uint32_t rest = task->isPlain ? 0 : bits; rest != 0; rest &= rest - 1) {
        const int32_t lane = __builtin_ctz(rest), other = first + lane;
        if (frame->level[other] != frame->level[row] ||
            !(frame->radius[other] <= TH_MESO_LARGEST) ||
            (frame->flags[other] & th_agentAlive) == 0)
            bits &= ~(1u << lane);
    }
    return bits;
}

// The eighth of all directions that one is in, as a bit.
static inline thI octantOf(thF x, thF y)
{
    const thF zero = fSet(0.0f);
    const thI side = iSelect(fLt(x, zero), iSet(2), iSet(1));
    const thI quarter = iSelect(fLt(y, zero), iShl(side, 2), side);
    return iSelect(fLt(fAbs(x), fAbs(y)), iShl(quarter, 4), quarter);
}

static int32_t joinBits(thI bits)
{
    int32_t lanes[TH_WIDTH], all = 0;
    iStore(lanes, bits);
    for (int32_t i = 0; i < TH_WIDTH; ++i)
        all |= lanes[i];
    return all;
}

int32_t TH_WIDE(thiMesoFindLinks)(thMesoLinkTask* task)
{
    const thFrame* frame = task->frame;
    const int32_t row = task->row, px = frame->px[row], py = frame->py[row];
    const float ownRadius = frame->radius[row];
    if ((frame->flags[row] & th_agentAlive) == 0 || !(ownRadius <= TH_MESO_LARGEST))
        return 0;
    const thF own = fSet(ownRadius), threshold = fSet(task->near);
    const thF vx = fSet(frame->vx[row]), vy = fSet(frame->vy[row]), zero = fSet(0.0f);
    const thF unlike = fSet(task->velocity * task->velocity);
    int32_t* links = task->links;
    Least least = noLeast();
    thI octants = iSet(0);
    int32_t count = 0;
    for (int32_t r = 0; r < task->rangeCount; ++r) {
        const int32_t end = task->ranges[r].end;
        for (int32_t i = task->ranges[r].begin; i < end; i += TH_WIDTH) {
            const thF x = metresBetween(px, frame->px + i), y = metresBetween(py, frame->py + i);
            const thF distanceSq = x * x + y * y, both = own + fLoad(frame->radius + i);
            const thF reach = threshold + both;
            const thF dx = vx - fLoad(frame->vx + i), dy = vy - fLoad(frame->vy + i);
            const thM near = mAnd(fLt(distanceSq, reach * reach), fLt(dx * dx + dy * dy, unlike));
            uint32_t bits = mBits(near);
            if (bits == 0)
                continue;
            bits = leaveOut(task, i, end, bits);
            if (bits == 0)
                continue;
            const thM related = mFromBits(bits);
            const thI rows = iAdd(iSet(i), iLane());
            lookForLess(&least, related, fMax(fSqrt(distanceSq) - both, zero), rows);
            const thM isApart = mAnd(related, fGt(distanceSq, zero));
            octants = iOr(octants, iSelect(isApart, octantOf(x, y), iSet(0)));
            count += iCompress(links + count, related, rows);
        }
    }
    if (count == 0)
        return 0;
    const thMesoNearest nearest = leastOf(&least);
    task->gap = nearest.distance < task->gap ? nearest.distance : task->gap;
    task->nearest = nearest.at;
    task->octants = joinBits(octants);
    return count;
}

static bool isWithin(const thMesoAroundTask* task, int32_t other)
{
    const thFrame* frame = task->frame;
    const double reach = (double)task->radius * THRONG_UNITS_PER_METRE;
    const int64_t x = (int64_t)frame->px[other] - frame->px[task->row];
    const int64_t y = (int64_t)frame->py[other] - frame->py[task->row];
    return x * x + y * y <= (int64_t)floor(reach * reach);
}

int32_t TH_WIDE(thiMesoFindAround)(const thMesoAroundTask* task, thMesoRange range, int32_t* found)
{
    const thFrame* frame = task->frame;
    const int32_t row = task->row;
    const float radiusSq = task->radius * task->radius;
    const thF sure = fSet(radiusSq * (1.0f - UNSURE)), most = fSet(radiusSq * (1.0f + UNSURE));
    const thI mask = iSet((int32_t)frame->mask[row]), none = iSet(0);
    const int32_t* layers = (const int32_t*)(const void*)frame->layers;
    int32_t count = 0;
    for (int32_t i = range.begin; i < range.end; i += TH_WIDTH) {
        const thF x = metresBetween(frame->px[row], frame->px + i);
        const thF y = metresBetween(frame->py[row], frame->py + i);
        const thF distanceSq = x * x + y * y;
        const thI rows = iAdd(iSet(i), iLane());
        const thM unseen = iEq(iAnd(mask, iLoad(layers + i)), none);
        const thM other = mAndNot(iLt(rows, iSet(range.end)), iEq(rows, iSet(row)));
        const thM clumped = mAndNot(other, iLt(iLoad(task->clump + i), none));
        const thM here = mAnd(mAndNot(clumped, unseen), fLe(distanceSq, most));
        const thM unsure = mAndNot(here, fLt(distanceSq, sure));
        count += iCompress(found + count, mAndNot(here, unsure), rows);
        for (uint32_t bits = mBits(unsure); bits != 0; bits &= bits - 1) {
            const int32_t at = i + __builtin_ctz(bits);
            if (isWithin(task, at))
                found[count++] = at;
        }
    }
    if (task->isPlain)
        return count;
    int32_t kept = 0;
    for (int32_t i = 0; i < count; ++i)
        if (frame->level[found[i]] == frame->level[row])
            found[kept++] = found[i];
    return kept;
}

int32_t TH_WIDE(thiMesoListClumps)(const int32_t* clump, thMesoRange range, int32_t* found)
{
    int32_t count = 0;
    for (int32_t i = range.begin; i < range.end; i += TH_WIDTH) {
        const thI its = iLoad(clump + i);
        const thM here = mAndNot(mFirst(range.end - i), iLt(its, iSet(0)));
        count += iCompress(found + count, here, its);
    }
    return count;
}

int32_t TH_WIDE(thiMesoFindStrays)(const thMesoStrayTask* task, thMesoRange range, int32_t* strays)
{
    const thFrame* frame = task->frame;
    const int32_t row = task->row;
    const thI own = iSet(task->clump[row]), none = iSet(0);
    const thF most = fSet(task->sight * task->sight * (1.0f + UNSURE));
    const thF near = fSet(task->distance * task->distance * (1.0f + UNSURE));
    int32_t count = 0;
    for (int32_t i = range.begin; i < range.end; i += TH_WIDTH) {
        const thF x = metresBetween(frame->px[row], frame->px + i);
        const thF y = metresBetween(frame->py[row], frame->py + i);
        const thF distanceSq = x * x + y * y;
        const thI rows = iAdd(iSet(i), iLane());
        const thM other = mAndNot(iLt(rows, iSet(range.end)), iEq(rows, iSet(row)));
        const thM fellow = mAnd(other, iEq(iLoad(task->clump + i), own));
        const thI octant = octantOf(fNeg(x), fNeg(y)); // that of the row, from there
        const thM isLed =
            mAnd(fGt(distanceSq, near), mNot(iEq(iAnd(iLoad(task->octants + i), octant), none)));
        const thM isStray = mAndNot(mAnd(fellow, fLe(distanceSq, most)), isLed);
        count += iCompress(strays + count, isStray, rows);
    }
    return count;
}

static inline Vec placeOf(const thMesoBodies* bodies, int32_t i)
{
    return vec(metresBetween(bodies->x, bodies->px + i) - fSet(bodies->from.x),
               metresBetween(bodies->y, bodies->py + i) - fSet(bodies->from.y));
}

static inline thF reachOf(const thMesoBodies* bodies, int32_t i)
{
    return fSet(bodies->inflate) + fLoad(bodies->radius + i);
}

thMesoNearest TH_WIDE(thiMesoFindNearest)(const thMesoBodies* bodies)
{
    Least least = noLeast();
    for (int32_t i = 0; i < bodies->count; i += TH_WIDTH) {
        const Vec place = placeOf(bodies, i);
        const thF distance = fSqrt(dot(place, place)) - reachOf(bodies, i);
        lookForLess(&least, mFirst(bodies->count - i), distance, iAdd(iSet(i), iLane()));
    }
    return leastOf(&least);
}

// As that of tangent_cone.c.
static inline thF turnOf(Vec ahead, Vec to)
{
    const thF x = dot(ahead, to), y = det(ahead, to), zero = fSet(0.0f), two = fSet(2.0f);
    const thF sum = fAbs(x) + fAbs(y);
    const thF t = fSelect(fGt(sum, zero), y / sum, zero);
    return fSelect(fGe(x, zero), t, fSelect(fGe(y, zero), two - t, fNeg(two) - t));
}

thMesoOutermost TH_WIDE(thiMesoFindOutermost)(const thMesoBodies* bodies, thVec2 ahead)
{
    const thMesoOutermost around = {-1, -1};
    const Vec to = vec(fSet(ahead.x), fSet(ahead.y));
    const thF zero = fSet(0.0f);
    Least left = noLeast(), right = noLeast(); // of the left, the least of what is to the right
    if (!(thiDot(ahead, ahead) > 0.0f))
        return around;
    for (int32_t i = 0; i < bodies->count; i += TH_WIDTH) {
        const thM here = mFirst(bodies->count - i);
        const Vec middle = placeOf(bodies, i);
        const thF reach = reachOf(bodies, i);
        const thF legSq = dot(middle, middle) - reach * reach;
        const thF leg = fSqrt(fMax(legSq, zero)), side = det(to, middle);
        const thF leftTurn =
            turnOf(to, vec(middle.x * leg - middle.y * reach, middle.x * reach + middle.y * leg));
        const thF rightTurn =
            turnOf(to, vec(middle.x * leg + middle.y * reach, middle.y * leg - middle.x * reach));
        const thM behind = mOr(mAnd(fGe(side, zero), fLt(leftTurn, zero)),
                               mAnd(fLe(side, zero), fGt(rightTurn, zero)));
        if (mAny(mAnd(here, mOr(mNot(fGt(legSq, zero)), behind))))
            return around;
        const thI at = iAdd(iSet(i), iLane());
        lookForLess(&left, here, fNeg(leftTurn), at);
        lookForLess(&right, here, rightTurn, at);
    }
    return (thMesoOutermost){leastOf(&left).at, leastOf(&right).at};
}

void TH_WIDE(thiMesoLeastAlong)(const thMesoBodies* bodies, const thVec2 along[2], float least[2])
{
    const Vec a = vec(fSet(along[0].x), fSet(along[0].y));
    const Vec b = vec(fSet(along[1].x), fSet(along[1].y));
    thF leastA = fSet(TH_FAR_OUTSIDE), leastB = leastA;
    for (int32_t i = 0; i < bodies->count; i += TH_WIDTH) {
        const thM here = mFirst(bodies->count - i);
        const Vec place = placeOf(bodies, i);
        const thF reach = reachOf(bodies, i);
        leastA = fSelect(here, fMin(dot(a, place) - reach, leastA), leastA);
        leastB = fSelect(here, fMin(dot(b, place) - reach, leastB), leastB);
    }
    least[0] = leastLane(leastA);
    least[1] = leastLane(leastB);
}

// Whoever is in a disc, and whatever its velocity: the wish is outside of the cone round the disc
// by more than velocities differ, or it is too slow to get to its front within the horizon.
void TH_WIDE(thiMesoLookAtDiscs)(const thMesoDiscs* discs, const thMesoWish* wish,
                                 thMesoSight* sight)
{
    const thF zero = fSet(0.0f), one = fSet(1.0f), slack = fSet(TH_MESO_SLACK);
    const thF share = fSet(TH_MESO_PLACE_SHARE), horizon = fSet(wish->horizon);
    const thM sees = iEq(iSet(wish->seesWhole), iSet(1));
    sight->seenCount = sight->inWayCount = 0;
    for (int32_t i = 0; i < discs->count; i += TH_WIDTH) {
        const Vec m =
            vec(metresBetween(wish->x, discs->x + i), metresBetween(wish->y, discs->y + i));
        const thF distanceSq = dot(m, m), distance = fSqrt(distanceSq);
        const thF half = fLoad(discs->half + i), unsure = slack + share * distance;
        const thM isNear = fLe(distance, fSet(wish->sight) + half + unsure);
        const thM isWhole = mAnd(sees, fLe(distance + half + unsure, fSet(wish->sight)));
        const thM isOwn = mAnd(isWhole, iEq(iLoad(discs->clump + i), iSet(wish->clump)));
        const thM inSight = mAndNot(mAnd(isNear, mFirst(discs->count - i)), isOwn);
        if (!mAny(inSight))
            continue;
        const Vec velocity = choose(isWhole, loadVec(discs->meanX, discs->meanY, i),
                                    loadVec(discs->middleX, discs->middleY, i));
        const Vec w = subtract(vec(fSet(wish->wanted.x), fSet(wish->wanted.y)), velocity);
        const thF speed = fSqrt(dot(w, w));
        const thF spread =
            fSelect(isWhole, zero, fLoad(discs->spread + i)) +
            fSet(TH_MESO_SPEED_SLACK) * (one + speed + fSqrt(dot(velocity, velocity)));
        const thF radius = half + fLoad(discs->largest + i) + fSet(wish->radius) + unsure;
        const thF legSq = distanceSq - radius * radius, leg = fSqrt(fMax(legSq, zero));
        const thF along = dot(w, m), across = fAbs(det(w, m)), front = leg - radius - unsure;
        const thM isAside = mOr(fLt(along, fNeg(spread) * distance),
                                fGt(across * leg - along * radius, spread * distanceSq));
        const thM isLate = mAnd(mAnd(fGt(horizon, zero), fGt(front, zero)),
                                fLt((speed + spread) * horizon, front));
        const thM isPast = mAnd(fGt(legSq, zero), mOr(isAside, isLate));
        const thM inWay = mAndNot(inSight, isPast);
        const thI at = iAdd(iSet(i), iLane());
        sight->seenCount += iCompress(sight->seen + sight->seenCount, inSight, at);
        sight->inWayCount += iCompress(sight->inWay + sight->inWayCount, inWay, at);
    }
}
