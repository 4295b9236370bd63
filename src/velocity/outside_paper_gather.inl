// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// From problems in lanes to registers of those that are not free, and back.

#include "velocity/outside_paper_steps.inl"

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
