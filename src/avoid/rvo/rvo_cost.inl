// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What samples of `rvo` cost. Included by rvo_wide.c, after rvo_samples.inl.

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
    const thF way = fSelect(through, ofAgent(discs->share, at, flat) * (towards + root),
                            ofAgent(discs->scale, at, flat));
    const thF speed = fSelect(through, speedSq, root - towards);
    // An agent that does not move never leaves; entries that are not there are left at once.
    return fMin(way / fMax(speed, fSet(1.0e-20f)), fSet(1.0e6f));
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
