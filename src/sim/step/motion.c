// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Motion: from chosen velocities to new places among walls, movers and bodies, and who arrives.

#include "sim/step/motion.h"

#include "geom/fixed.h"
#include "move/integrate.h"
#include "move/slide.h"
#include "sim/ranges.h"
#include "sim/step/turning.h"
#include "sim/step/undo.h"
#include "throng/math.h"

#include <math.h>
#include <string.h>

#define MOVE_GRAIN 1024     // rows
#define SHAPE_STRETCH 256   // rows: a multiple of TH_MAX_WIDTH
#define WALL_SPARE 0.01f    // [m]
#define CONSTRAIN_GRAIN 128 // rows: they stand together, so few movers come near

static thIntegrateFcn* const aimKernels[th_simdCount] = TH_KERNEL_TABLE(thiAimRows);
static thIntegrateFcn* const settleKernels[th_simdCount] = TH_KERNEL_TABLE(thiSettleRows);

// What movers do to somebody: see thStepOutput.squeezed.
enum { LEFT_ALONE = 0, SQUEEZED = 1, PUSHED = 2 };

typedef struct Motion {
    thWorld* world;
    thStepPart part;
} Motion;

static thIntegrateTask taskOf(const Motion* motion, int32_t begin, int32_t end)
{
    thWorld* world = motion->world;
    return (thIntegrateTask){thiRows(world),
                             world->output.vx,
                             world->output.vy,
                             world->scratch.target.x,
                             world->scratch.target.y,
                             begin,
                             end,
                             motion->part.dt};
}

// As kernels have it.
thPoint thiLeadsTo(const thWorld* world, int32_t row, thPoint from, float time)
{
    const float most = 0x1p26f; // as in integrate_wide.c
    const float x = world->output.vx[row] * time * TH_UNITS + 0.5f;
    const float y = world->output.vy[row] * time * TH_UNITS + 0.5f;
    const int64_t toX = from.x + (int64_t)floorf(TH_MAX(TH_MIN(x, most), -most));
    const int64_t toY = from.y + (int64_t)floorf(TH_MAX(TH_MIN(y, most), -most));
    return (thPoint){(int32_t)TH_MIN(TH_MAX(toX, -TH_MAX_UNITS), TH_MAX_UNITS),
                     (int32_t)TH_MIN(TH_MAX(toY, -TH_MAX_UNITS), TH_MAX_UNITS)};
}

// Who goes undisturbed comes to the same place in parts as in one go: rounding does not add up.
static void aimFromStart(const Motion* motion, int32_t begin, int32_t end)
{
    thWorld* world = motion->world;
    const thRows* rows = thiRows(world);
    for (int32_t row = begin; row < end; ++row) {
        if (!thiIsMovedByWorld(rows->flags[row]))
            continue;
        const thPoint start = thiStartOf(world, row);
        const thPoint now = {rows->px[row], rows->py[row]};
        if (!thiSamePoint(now, thiLeadsTo(world, row, start, motion->part.begin)))
            continue;
        const thPoint to = thiLeadsTo(world, row, start, motion->part.end);
        world->scratch.target.x[row] = to.x;
        world->scratch.target.y[row] = to.y;
    }
}

static void aimRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    (void)workerIndex;
    const Motion* motion = context;
    const thIntegrateTask task = taskOf(motion, begin, end);
    aimKernels[motion->world->simd](&task);
    if (motion->part.isOfMovers)
        aimFromStart(motion, begin, end);
}

// The movers that may come near rows of a stretch, in `list`.
static int32_t findPushers(const thWorld* world, const thMoverMotion* motion, int32_t begin,
                           int32_t end, int32_t* list)
{
    const thRows* rows = thiRows(world);
    thPoint low = {INT32_MAX, INT32_MAX}, high = {INT32_MIN, INT32_MIN};
    for (int32_t row = begin; row < end; ++row) {
        const int32_t size = (int32_t)(rows->radius[row] * TH_UNITS) + 1;
        low.x = TH_MIN(low.x, TH_MIN(rows->px[row], world->scratch.target.x[row]) - size);
        low.y = TH_MIN(low.y, TH_MIN(rows->py[row], world->scratch.target.y[row]) - size);
        high.x = TH_MAX(high.x, TH_MAX(rows->px[row], world->scratch.target.x[row]) + size);
        high.y = TH_MAX(high.y, TH_MAX(rows->py[row], world->scratch.target.y[row]) + size);
    }
    return thiFindPushers(motion, low, high, list);
}

static bool isWithinWay(thPoint from, thPoint to)
{
    const int64_t x = (int64_t)to.x - from.x, y = (int64_t)to.y - from.y;
    return x <= TH_LONGEST_MOVE && x >= -TH_LONGEST_MOVE && y <= TH_LONGEST_MOVE &&
           y >= -TH_LONGEST_MOVE;
}

// Whether there may be a wall within a body's radius of its way; with something to spare.
static bool mayMeetWall(const thWorld* world, int32_t row, thPoint from, thPoint to)
{
    const float x = (float)(to.x - from.x), y = (float)(to.y - from.y);
    const float length = sqrtf(x * x + y * y) * TH_METRES_PER_UNIT;
    const float near = thiRows(world)->radius[row] + length + WALL_SPARE;
    const float* wallSq = thiKnownWalls(world);
    return wallSq == NULL || fabsf(wallSq[row]) <= near * near;
}

static void constrainRow(const Motion* motionOf, int32_t row, const thMoverMotion* motion,
                         const int32_t* list, int32_t pushers)
{
    thWorld* world = motionOf->world;
    const thRows* rows = thiRows(world);
    const thPoint from = {rows->px[row], rows->py[row]};
    thPoint to = {world->scratch.target.x[row], world->scratch.target.y[row]};
    if (pushers > 0) {
        const thPushedBody body = {from, to, rows->radius[row], rows->level[row]};
        const thPushResult pushed = thiPush(motion, list, pushers, world->walls.grid, &body);
        to = pushed.to;
        world->output.squeezed[row] = pushed.squeezed   ? SQUEEZED
                                      : pushed.isPushed ? PUSHED
                                                        : LEFT_ALONE;
    }
    thPoint stop = to;
    if (mayMeetWall(world, row, from, to))
        stop = thiSlide(world->walls.grid, rows->level[row], from, to, rows->radius[row]);
    const thPoint before = motionOf->part.isOfMovers ? thiStartOf(world, row) : from;
    if (!isWithinWay(before, stop)) { // a mover that is faster leaves it behind
        stop = from;
        world->output.squeezed[row] = SQUEEZED;
    }
    world->scratch.target.x[row] = stop.x;
    world->scratch.target.y[row] = stop.y;
}

// Movers push, walls hold.
static void constrainRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    thWorld* world = ((const Motion*)context)->world;
    thWorker* worker = &TH_ITEMS(world->workers, thWorker)[workerIndex];
    const thMoverMotion motion = thiMoverMotion(world);
    thiArenaReset(&worker->scratch);
    int32_t* list = thiArenaAllocate(&worker->scratch, (size_t)motion.movers->count * sizeof *list);
    if (list == NULL) {
        worker->outOfMemory = true;
        return;
    }
    const bool anyNear =
        motion.movers->count > 0 && findPushers(world, &motion, begin, end, list) > 0;
    for (int32_t row = begin; row < end; ++row) {
        world->output.squeezed[row] = LEFT_ALONE;
        if (!thiIsMovedByWorld(thiRows(world)->flags[row]))
            continue;
        // Each agent has a list of its own: who else is in the stretch must not show.
        const int32_t pushers = anyNear ? findPushers(world, &motion, row, row + 1, list) : 0;
        constrainRow(context, row, &motion, list, pushers);
    }
}

static void addEvent(thWorker* worker, thEventKind kind, const thRows* rows, int32_t row,
                     thAgentId agent, int32_t index)
{
    thEvent* event = thiArrayAdd(&worker->events, 1);
    *event = (thEvent){kind, index, rows->key[row], agent, 0};
}

static bool hasRoomForEvents(thWorker* worker)
{
    const int32_t needed = worker->events.count + 3;
    return needed <= worker->events.capacity ||
           thiArrayReserve(&worker->events, 2 * needed) == th_resultOk;
}

// Whether an agent stands near enough to the goal it heads for. The planner's path is never shorter
// than the straight line, so most rows need no look at the goal's shape.
static bool hasReached(const thWorld* world, const thRows* rows, int32_t row, float distance,
                       const thStepPart* part)
{
    const float vx = rows->vx[row], vy = rows->vy[row];
    const float travelled = part->dt * sqrtf(vx * vx + vy * vy);
    const bool carried = fabsf(vx) >= TH_MAX_VELOCITY || fabsf(vy) >= TH_MAX_VELOCITY; // further
    const bool isKnown = part->isFirst && !carried; // how far it went in the step
    if (isKnown && world->output.remaining[row] > distance + 1.01f * travelled + 0.01f)
        return false;
    thVec2 point;
    return thiNearestGoalPoint(&world->goals, rows->goal[row], rows->goalIndex[row], rows->px[row],
                               rows->py[row], &point) &&
           point.x * point.x + point.y * point.y <= distance * distance;
}

// An agent that reaches its goal goes on to the next of a list; after the last its profile decides.
static void noteArrival(thWorld* world, thWorker* worker, int32_t row, const thStepPart* part)
{
    const thRows* rows = thiRows(world);
    // Planners are not asked about external agents, so nothing is known of what is left for them.
    const uint32_t without = TH_STANDING | th_agentExternal;
    if (rows->goal[row] < 0 || (rows->flags[row] & without) != 0)
        return;
    const thProfile* profile = &thiProfiles(world)[rows->profile[row]];
    const bool settles =
        world->hasContacts && (world->jams.shown[world->jams.current][row].flags & th_jamSettles);
    if (!settles && !hasReached(world, rows, row, profile->def.arrivalDistance, part))
        return;
    // Without memory for what must be told, it has not arrived yet.
    if (!hasRoomForEvents(worker))
        return;
    const thAgentId agent = {thiIdPoolIdOf(&world->agents.ids, rows->slot[row])};
    const int32_t index = rows->goalIndex[row];
    addEvent(worker, th_eventArrived, rows, row, agent, index);
    const int32_t length = thiGoalLength(&world->goals, rows->goal[row]);
    if (index + 1 < length) {
        rows->goalIndex[row] = index + 1;
        thiNoteAim(world, row);
    } else if (profile->def.arrival == th_arrivalAgain && length > 1) {
        rows->goalIndex[row] = 0;
        thiNoteAim(world, row);
    } else {
        rows->flags[row] |= th_agentArrived;
        if (profile->def.arrival == th_arrivalLeave)
            addEvent(worker, th_eventLeft, rows, row, agent, 0);
    }
}

// Who is under a mover after all was done could not give way, and neither could whom one went over
// because others or walls kept it from where it was pushed. Targets are final by now.
static bool isSqueezed(const thWorld* world, int32_t row, const thMoverMotion* motion,
                       const int32_t* list, int32_t pushers)
{
    const thRows* rows = thiRows(world);
    if (!thiIsMovedByWorld(rows->flags[row]))
        return false;
    if (world->output.squeezed[row] == SQUEEZED || pushers == 0)
        return world->output.squeezed[row] == SQUEEZED;
    const thPoint at = {world->scratch.target.x[row], world->scratch.target.y[row]};
    if (thiIsUnderMover(motion, list, pushers, at, rows->radius[row], rows->level[row]))
        return true;
    const thPushedBody body = {
        {rows->px[row], rows->py[row]}, at, rows->radius[row], rows->level[row]};
    return world->output.squeezed[row] == PUSHED && thiIsPassedOver(motion, list, pushers, &body);
}

static void noteSqueezed(thWorld* world, thWorker* worker, int32_t row, const thMoverMotion* motion,
                         const int32_t* list, int32_t pushers)
{
    const thRows* rows = thiRows(world);
    if ((rows->flags[row] & th_agentSqueezed) != 0 ||
        !isSqueezed(world, row, motion, list, pushers))
        return;
    rows->flags[row] |= th_agentSqueezed;
    if (hasRoomForEvents(worker))
        addEvent(worker, th_eventSqueezed, rows, row,
                 (thAgentId){thiIdPoolIdOf(&world->agents.ids, rows->slot[row])}, 0);
}

static void squeezeRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    thWorld* world = ((const Motion*)context)->world;
    const bool isFirst = ((const Motion*)context)->part.isFirst;
    thWorker* worker = &TH_ITEMS(world->workers, thWorker)[workerIndex];
    const thMoverMotion motion = thiMoverMotion(world);
    thiArenaReset(&worker->scratch);
    // What was there for the same purpose before is there again.
    int32_t* list = thiArenaAllocate(&worker->scratch, (size_t)motion.movers->count * sizeof *list);
    const int32_t pushers = list != NULL ? findPushers(world, &motion, begin, end, list) : 0;
    const uint32_t kept = isFirst ? ~(uint32_t)th_agentSqueezed : ~0u;
    for (int32_t row = begin; row < end; ++row) {
        thiRows(world)->flags[row] &= kept;
        noteSqueezed(world, worker, row, &motion, list, pushers);
    }
}

// Shapes turn later, when all places are known.
static void settleShapes(const Motion* motion, int32_t begin, int32_t end)
{
    const thWorld* world = motion->world;
    float before[SHAPE_STRETCH];
    for (int32_t from = begin; from < end; from += SHAPE_STRETCH) {
        const int32_t to = TH_MIN(from + SHAPE_STRETCH, end);
        memcpy(before, thiRows(world)->heading + from, (size_t)(to - from) * sizeof before[0]);
        const thIntegrateTask task = taskOf(motion, from, to);
        settleKernels[world->simd](&task);
        thiKeepHeadings(world, from, to, before);
    }
}

// What tells that an agent is still too far from its goal for a look: what its planner had left of
// the way, less what it went. As in hasReached, with more to spare.
typedef struct Distant {
    const thJamShown* shown; // NULL: nobody settles
    float margin;            // the greatest distance of arrival and some [m]
    float time;              // [s]
} Distant;

static Distant distantOf(const thWorld* world, const thStepPart* part)
{
    float arrival = 0.0f;
    for (int32_t i = 0; i < world->profiles.items.count; ++i)
        arrival = TH_MAX(arrival, thiProfiles(world)[i].def.arrivalDistance);
    return (Distant){world->hasContacts ? world->jams.shown[world->jams.current] : NULL,
                     arrival + 0.02f, 1.02f * part->dt};
}

static bool isDistant(const Distant* distant, int32_t row, float remaining, float speedSq)
{
    const float left = remaining - distant->margin;
    return left > 0.0f && left * left > distant->time * distant->time * speedSq &&
           speedSq < TH_MAX_VELOCITY * TH_MAX_VELOCITY &&
           (distant->shown == NULL || (distant->shown[row].flags & th_jamSettles) == 0);
}

static void settleRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    const Motion* motion = context;
    thWorld* world = motion->world;
    thWorker* worker = &TH_ITEMS(world->workers, thWorker)[workerIndex];
    const thIntegrateTask task = taskOf(motion, begin, end);
    if (world->profiles.shapedCount > 0)
        settleShapes(motion, begin, end);
    else
        settleKernels[world->simd](&task);
    const thRows* rows = thiRows(world);
    const thStepPart part = motion->part;
    const Distant distant = distantOf(world, &part);
    const uint32_t kept = world->movers.view.count == 0 ? ~(uint32_t)th_agentSqueezed : ~0u;
    float fastestSq = worker->fastestSq;
    for (int32_t row = begin; row < end; ++row) {
        rows->flags[row] &= kept; // without movers nobody is squeezed any more
        const float speedSq = rows->vx[row] * rows->vx[row] + rows->vy[row] * rows->vy[row];
        fastestSq = TH_MAX(fastestSq, speedSq);
        if (part.isLast &&
            !(part.isFirst && isDistant(&distant, row, world->output.remaining[row], speedSq)))
            noteArrival(world, worker, row, &part);
    }
    worker->fastestSq = fastestSq;
}

// How far the fastest agent went since the sort, in units: as far may a row now be from its cell.
static int64_t furthestDrift(const thWorld* world, float dt)
{
    float fastest = 0.0f;
    for (int32_t w = 0; w < world->workers.count; ++w)
        fastest = TH_MAX(fastest, TH_ITEMS(world->workers, thWorker)[w].fastestSq);
    if (fastest >= TH_MAX_VELOCITY * TH_MAX_VELOCITY)
        return TH_DRIFT_ANYWHERE; // movers may have carried somebody further than it says
    return (int64_t)(sqrtf(fastest) * dt * TH_UNITS * 1.001f) + 2;
}

static thResult solveContacts(thWorld* world, const thStepPart* part)
{
    thContactStats stats = {0};
    if (world->hasContacts) {
        const thContactTask task = {.rows = thiRows(world),
                                    .x = world->scratch.target.x,
                                    .y = world->scratch.target.y,
                                    .pressure = part->isLast ? thiRows(world)->pressure : NULL,
                                    .rest = world->jams.rest[world->jams.current],
                                    .gates = thiGateLines(&world->gates),
                                    .walls = world->walls.grid,
                                    .dt = part->dt,
                                    .step = world->step,
                                    .simd = world->simd};
        TH_TRY(thiSolveContacts(world->contacts, &task, world->tasks, &stats));
    }
    world->counters.contacts += (uint64_t)stats.contacts;
    world->counters.contactRounds += stats.rounds;
    world->counters.contactCuts += stats.cuts;
    return th_resultOk;
}

// One event a pair, under the lower key. Without memory for it, it is left out.
static void noteContact(void* context, int32_t rowA, int32_t rowB)
{
    thWorld* world = context;
    thWorker* worker = &TH_ITEMS(world->workers, thWorker)[0];
    const thRows* rows = thiRows(world);
    const int32_t row = rows->key[rowA] < rows->key[rowB] ? rowA : rowB;
    if (!hasRoomForEvents(worker))
        return;
    addEvent(worker, th_eventContact, rows, row,
             (thAgentId){thiIdPoolIdOf(&world->agents.ids, rows->slot[row])}, 0);
    TH_ITEMS(worker->events, thEvent)
    [worker->events.count - 1].other = rows->key[row == rowA ? rowB : rowA];
}

// Targets among walls and movers; nothing to do where there are none.
static thResult constrainTargets(thWorld* world, Motion* motion)
{
    if (world->movers.view.count == 0 && thiWallGridWalls(world->walls.grid)->count == 0)
        return th_resultOk;
    TH_TRY(thiPlanMovers(world, motion->part.dt));
    thTasks_ParallelFor(world->tasks, thiRows(world)->count, CONSTRAIN_GRAIN, constrainRange,
                        motion);
    for (int32_t w = 0; w < world->workers.count; ++w)
        if (TH_ITEMS(world->workers, thWorker)[w].outOfMemory)
            return th_resultNoMemory;
    return th_resultOk;
}

static thResult movePart(thWorld* world, thStepPart part)
{
    Motion motion = {world, part};
    const int32_t count = thiRows(world)->count;
    float* wallSq = thiKnownWalls(world);
    for (int32_t row = 0; row < count && wallSq != NULL && !part.isFirst; ++row)
        wallSq[row] = TH_NO_WALL_KNOWN; // they stand elsewhere now
    thTasks_ParallelFor(world->tasks, count, MOVE_GRAIN, aimRange, &motion);
    TH_TRY(constrainTargets(world, &motion));
    TH_TRY(thiHoldAtGates(world, part.dt));
    TH_TRY(solveContacts(world, &part));
    thiPassGates(world);
    if (world->movers.view.count > 0)
        thTasks_ParallelFor(world->tasks, count, CONSTRAIN_GRAIN, squeezeRange, &motion);
    thTasks_ParallelFor(world->tasks, count, MOVE_GRAIN, settleRange, &motion);
    if (world->hasContacts && world->hasContactEvents)
        thiVisitContacts(world->contacts, noteContact, world);
    return th_resultOk;
}

// Velocities over all parts: of those who are not where the chosen one leads. Headings follow them,
// but those of shapes, which turn later.
static void sumRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    (void)workerIndex;
    const Motion* sum = context;
    const thWorld* world = sum->world;
    const thRows* rows = thiRows(world);
    const float dt = sum->part.dt;
    for (int32_t row = begin; row < end; ++row) {
        if (!thiIsMovedByWorld(rows->flags[row]))
            continue;
        const thPoint from = thiStartOf(world, row);
        const float x = (float)(rows->px[row] - from.x), y = (float)(rows->py[row] - from.y);
        const float vx = world->output.vx[row], vy = world->output.vy[row];
        const bool asChosen =
            thiSamePoint((thPoint){rows->px[row], rows->py[row]}, thiLeadsTo(world, row, from, dt));
        const float perSecond = TH_METRES_PER_UNIT / dt;
        rows->vx[row] =
            asChosen ? vx : TH_MIN(TH_MAX(x * perSecond, -TH_MAX_VELOCITY), TH_MAX_VELOCITY);
        rows->vy[row] =
            asChosen ? vy : TH_MIN(TH_MAX(y * perSecond, -TH_MAX_VELOCITY), TH_MAX_VELOCITY);
        if (thiProfiles(world)[rows->profile[row]].shape.count > 0)
            continue;
        const float speedSq = rows->vx[row] * rows->vx[row] + rows->vy[row] * rows->vy[row];
        rows->heading[row] = speedSq > TH_TURNING_SPEED * TH_TURNING_SPEED
                                 ? thAtan2(rows->vy[row], rows->vx[row])
                                 : thiStartHeading(world, row);
    }
}

thResult thiMoveAgents(thWorld* world, thStepPart part, int32_t moverParts)
{
    const float dt = part.dt / (float)moverParts;
    if (moverParts > 1)
        thiKeepStarts(world);
    for (int32_t i = 0; i < moverParts; ++i) {
        TH_TRY(movePart(world,
                        (thStepPart){.dt = dt,
                                     .isFirst = part.isFirst && i == 0,
                                     .isLast = part.isLast && i == moverParts - 1,
                                     .isOfMovers = moverParts > 1,
                                     .begin = dt * (float)i,
                                     .end = i == moverParts - 1 ? part.dt : dt * (float)(i + 1)}));
        if (i == moverParts - 1)
            break;
        thiAdvanceMovers(world, dt);
        thiShowMovers(world);
    }
    if (moverParts > 1) {
        Motion sum = {world, part};
        thTasks_ParallelFor(world->tasks, thiRows(world)->count, MOVE_GRAIN, sumRange, &sum);
    }
    world->agents.drift = furthestDrift(world, part.dt);
    if (world->profiles.shapedCount > 0)
        thiTurnShapes(world, part.dt);
    thiAdvanceMovers(world, dt);
    return th_resultOk;
}
