// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// ORCA, one agent per lane. Symbols follow van den Berg et al. 2011 and the notes in
// docs/methods/orca.md.
//
// A lane's result depends on its own agent alone: what others in the register need is computed for
// it too, and thrown away.

#include "avoid/orca/orca.h"

#include "velocity/force_lanes.h"
#include "velocity/half_planes_lanes.h"

// Centres nearer than this count as one point, whatever the radii: there is no direction from one
// to the other. [m]
#define ONE_POINT 1.0e-6f

// The half-plane of a neighbour. Three cases share one square root and one division: beyond the cap
// of the truncated cone, on one of its legs, and overlap, which is resolved along the line of
// centres over the separation time.
static inline Line agentLine(const thOrcaTask* task, int32_t lane, int32_t at, Vec v, thF radius,
                             thF perHorizon, thF perSeparation)
{
    const Vec p = loadVec(task->around.nx, task->around.ny, at);
    const Vec w0 = subtract(v, loadVec(task->around.nvx, task->around.nvy, at));
    const thF both = radius + fLoad(task->around.nradius + at);
    const thF bothSq = both * both, distanceSq = dot(p, p);
    const Vec w = subtract(w0, scale(perHorizon, p));
    const thF wp = dot(w, p), wSq = dot(w, w);
    const thF leastSq = fSet(ONE_POINT * ONE_POINT);
    const thM overlaps = fLe(distanceSq, fMax(bothSq, leastSq));
    const thM onCap = mAndNot(mAnd(fLt(wp, fSet(0.0f)), fLt(bothSq * wSq, wp * wp)), overlaps);
    const thF root = fSqrt(fSelect(overlaps, distanceSq, fSelect(onCap, wSq, distanceSq - bothSq)));

    const thF length = fSelect(fLt(fSet(0.0f), det(p, w)), root, fNeg(root)); // of the left leg
    const Vec leg = vec(fNeg(p.x * both + p.y * length), p.x * length - p.y * both);
    const Vec along = choose(overlaps, vec(fNeg(p.x), fNeg(p.y)), choose(onCap, w, leg));
    const thF divisor = fSelect(mOr(overlaps, onCap), root, distanceSq);
    Vec n = scale(fSet(1.0f) / divisor, along);
    const thM coincide = fLt(distanceSq, leastSq);
    if (mAny(coincide)) { // apart along x, by row
        const thM first = iLt(iLoad(task->around.row + lane), iLoad(task->around.nrow + at));
        n = choose(coincide, vec(fSelect(first, fSet(-1.0f), fSet(1.0f)), fSet(0.0f)), n);
    }

    const thF approach = dot(w0, n);
    const thF change = fSelect(overlaps, (both - root) * perSeparation - approach,
                               fSelect(onCap, both * perHorizon - root, fNeg(approach)));
    return (Line){n, dot(n, v) + fLoad(task->around.nshare + at) * change};
}

// Directions of the tangents from the origin to a disc.
static inline void tangents(Vec center, thF radius, Vec* left, Vec* right)
{
    const thF distanceSq = dot(center, center);
    const thF leg = fSqrt(fMax(distanceSq - radius * radius, fSet(0.0f)));
    const thF per = fSet(1.0f) / fMax(distanceSq, fSet(1.0e-12f));
    *left = scale(per, vec(center.x * leg - center.y * radius, center.x * radius + center.y * leg));
    *right =
        scale(per, vec(center.x * leg + center.y * radius, center.y * leg - center.x * radius));
}

// The half-plane of a wall: it and the agent's disc make a convex region of forbidden velocities
// with a cap and two legs. Of these three borders the one that the present velocity is furthest
// outside of, or least inside of, is taken. In contact the agent may not go further in.
static inline Line wallLine(const thOrcaTask* task, int32_t at, Vec v, thF radius)
{
    const Vec a = loadVec(task->around.ax, task->around.ay, at),
              b = loadVec(task->around.bx, task->around.by, at);
    const Vec wallV = loadVec(task->around.wvx, task->around.wvy, at);
    const thF both = radius + fLoad(task->around.wradius + at);
    const Vec nearest = nearestOfSegment(a, b);
    const thF distanceSq = dot(nearest, nearest);
    const thF distance = fSqrt(distanceSq);
    const thM touches = fLe(distance, both);
    const Vec towards = scale(fSet(1.0f) / fMax(distance, fSet(1.0e-6f)), nearest);

    Vec leftA, rightA, leftB, rightB;
    tangents(a, both, &leftA, &rightA);
    tangents(b, both, &leftB, &rightB);
    const Vec left = choose(fLt(fSet(0.0f), det(leftA, leftB)), leftB, leftA);
    const Vec right = choose(fLt(det(rightA, rightB), fSet(0.0f)), rightB, rightA);
    const Vec capN = vec(fNeg(towards.x), fNeg(towards.y));
    const Vec leftN = vec(fNeg(left.y), left.x), rightN = vec(right.y, fNeg(right.x));
    const Vec w0 = subtract(v, wallV);
    const thF capO = (both - distance) * fSet(1.0f / task->wallHorizon);
    const thF outCap = dot(capN, w0) - capO;
    const thF outLeft = dot(leftN, w0), outRight = dot(rightN, w0);

    const thM useLeft = mAndNot(mAnd(fLt(outCap, outLeft), fLe(outRight, outLeft)), touches);
    const thM useRight = mAndNot(mAnd(fLt(outCap, outRight), fLt(outLeft, outRight)), touches);
    const Vec n = choose(useLeft, leftN, choose(useRight, rightN, capN));
    const thM useLeg = mOr(useLeft, useRight);
    const thF o = fSelect(mOr(useLeg, touches), fSet(0.0f), capO);
    return (Line){n, o + dot(n, wallV)};
}

// The task is a copy, so that the compiler knows that what is stored does not change it.
static void makeLines(const thOrcaTask task)
{
    const int32_t lanes = task.around.lanes;
    const float separationTime =
        task.separationTime > task.around.dt ? task.separationTime : task.around.dt;
    const thF perHorizon = fSet(1.0f / task.timeHorizon);
    const thF perSeparation = fSet(1.0f / separationTime);
    for (int32_t lane = 0; lane < lanes; lane += TH_WIDTH) {
        const Vec v = loadVec(task.around.vx, task.around.vy, lane);
        const thF radius = fLoad(task.around.radius + lane);
        const thI wallCount = iLoad(task.around.wallCount + lane);
        const thI neighborCount = iLoad(task.around.neighborCount + lane);
        for (int32_t k = 0; k < task.around.wallMax; ++k) {
            const int32_t at = k * lanes + lane;
            storeLine(task.lineX, task.lineY, task.lineO, at, iLt(iSet(k), wallCount),
                      wallLine(&task, at, v, radius));
        }
        for (int32_t k = 0; k < task.around.neighborMax; ++k) {
            const int32_t at = k * lanes + lane;
            storeLine(task.lineX, task.lineY, task.lineO, at + task.around.wallMax * lanes,
                      iLt(iSet(k), neighborCount),
                      agentLine(&task, lane, at, v, radius, perHorizon, perSeparation));
        }
    }
}

static inline Vec wantedVelocity(const thOrcaTask* task, int32_t lane)
{
    const Vec guide = loadVec(task->around.guideX, task->around.guideY, lane);
    const thF sine = fSet(task->biasSine), cosine = fSet(task->biasCosine);
    return vec(cosine * guide.x + sine * guide.y, cosine * guide.y - sine * guide.x);
}

// Lanes that had no solution, waiting for a full register.
typedef struct Queue {
    int32_t lane[2 * TH_MAX_WIDTH], failed[2 * TH_MAX_WIDTH];
    int32_t count;
} Queue;

// The fallback for the first lanes of the queue, packed into one register.
static void runQueue(const thOrcaTask* task, Queue* queue)
{
    const int32_t used = queue->count < TH_WIDTH ? queue->count : TH_WIDTH;
    for (int32_t i = used; i < TH_WIDTH; ++i) { // the rest of the register repeats the first
        queue->lane[i] = queue->lane[0];
        queue->failed[i] = queue->failed[0];
    }
    const thI lane = iLoad(queue->lane), failed = iLoad(queue->failed);
    const int32_t count = task->around.wallMax + task->around.neighborMax;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t from = i * task->around.lanes, to = i * TH_MAX_WIDTH;
        fStore(task->packX + to, fGather(task->lineX + from, lane));
        fStore(task->packY + to, fGather(task->lineY + from, lane));
        fStore(task->packO + to, fGather(task->lineO + from, lane));
    }
    const Lines lines = {task->packX, task->packY, task->packO, TH_MAX_WIDTH};
    const thF limit = fGather(task->around.maxSpeed, lane);
    Vec v = gatherVec(task->around.outVx, task->around.outVy, lane);
    // Walls alone leave nothing: stand.
    const thM walled = iLt(failed, iSet(task->around.wallMax));
    v = choose(walled, vec(fSet(0.0f), fSet(0.0f)), v);
    const int32_t spare = count * TH_MAX_WIDTH;
    solveWorst(lines, task->around.wallMax, count, limit, failed, mNot(walled),
               (SpareLines){task->packX + spare, task->packY + spare, task->packO + spare}, &v);
    float x[TH_WIDTH], y[TH_WIDTH];
    fStore(x, v.x);
    fStore(y, v.y);
    for (int32_t i = 0; i < used; ++i) {
        const int32_t at = queue->lane[i];
        task->around.outVx[at] = x[i];
        task->around.outVy[at] = y[i];
        task->around.status[at] =
            queue->failed[i] < task->around.wallMax ? th_orcaInfeasible : th_orcaRelaxed;
    }
    queue->count -= used;
    for (int32_t i = 0; i < queue->count; ++i) {
        queue->lane[i] = queue->lane[i + used];
        queue->failed[i] = queue->failed[i + used];
    }
}

void TH_WIDE(thiOrca)(const thOrcaTask* task)
{
    makeLines(*task);
    Queue queue = {.count = 0};
    const int32_t count = task->around.wallMax + task->around.neighborMax;
    for (int32_t lane = 0; lane < task->around.lanes; lane += TH_WIDTH) {
        const Lines lines = {task->lineX + lane, task->lineY + lane, task->lineO + lane,
                             task->around.lanes};
        const thF limit = fLoad(task->around.maxSpeed + lane), limitSq = limit * limit;
        const Vec wanted = wantedVelocity(task, lane);
        const thF speedSq = dot(wanted, wanted);
        const thM tooFast = fLt(limitSq, speedSq);
        const thF factor = limit / fSqrt(fSelect(tooFast, speedSq, fSet(1.0f)));
        Vec v = choose(tooFast, scale(factor, wanted), wanted);
        thI failed = iSet(count);
        thM touched = none();
        const thM without =
            solvePlane(lines, count, limit, wanted, false, mNot(none()), &v, &failed, &touched);
        // Lanes without a solution are stored as they stand; the fallback goes on from there.
        fStore(task->around.outVx + lane, v.x);
        fStore(task->around.outVy + lane, v.y);
        int32_t failures[TH_WIDTH], touches[TH_WIDTH];
        iStore(failures, failed);
        iStore(touches, iSelect(touched, iSet(th_orcaConstrained), iSet(th_orcaFree)));
        for (int32_t i = 0; i < TH_WIDTH; ++i)
            task->around.status[lane + i] = (uint8_t)touches[i];
        for (uint32_t bits = mBits(without); bits != 0; bits &= bits - 1) {
            const int32_t i = __builtin_ctz(bits);
            queue.lane[queue.count] = lane + i;
            queue.failed[queue.count] = failures[i];
            queue.count += 1;
        }
        if (queue.count >= TH_WIDTH)
            runQueue(task, &queue);
    }
    while (queue.count > 0)
        runQueue(task, &queue);
    for (int32_t lane = 0; lane < task->around.lanes; lane += TH_WIDTH) {
        const Vec v = keepChange(loadVec(task->around.vx, task->around.vy, lane),
                                 loadVec(task->around.outVx, task->around.outVy, lane),
                                 fLoad(task->around.maxSpeed + lane),
                                 fLoad(task->around.maxAccel + lane) * fSet(task->around.dt));
        fStore(task->around.outVx + lane, v.x);
        fStore(task->around.outVy + lane, v.y);
    }
}
