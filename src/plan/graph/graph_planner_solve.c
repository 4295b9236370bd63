// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Agents on their way. In most steps an agent only steers to its target.

#include "base/hash.h"
#include "geom/fixed.h"
#include "plan/graph/graph_planner_walker.h"

#include <math.h>

#define STANDS_WITHIN 0.001f // who has arrived and stands this near to the goal stays [m]
#define FAR_AWAY 1e9f        // what is left where no way is known: more than any [m]
#define FULL_LOOKS 4         // looks of which one is for later points of the way too
#define CARRIED_PAST 1.5f    // how near to its target who is carried away from it looks [m]
#define LOOK_AHEAD 8         // agents whose states are fetched beforehand
#define HOPELESS_LOOKS 16    // looks after which one without a way tries again

static bool isTurn(const thRouteSolver* solver, uint64_t key, const thRouteState* state)
{
    const thGraphPlanner* planner = solver->planner;
    if (planner->mustAsk && state->asked == th_askedNothing)
        return false;
    return (thiMix(key) + solver->batch->frame->step) % (uint64_t)planner->turns == 0;
}

// Whether the crowd was counted since the agent looked for its way.
static bool wishesBetter(const thGraphPlanner* planner, const thRouteState* state)
{
    return planner->def.crowding > 0.0f && state->round != (uint8_t)planner->round;
}

// It waits for its turn.
static void askFor(thRouteSolver* solver, int32_t lane, int32_t goal, thAsked what)
{
    const thFrame* frame = solver->batch->frame;
    const int32_t row = solver->batch->row[lane];
    const thGoalTree* tree = thiFindGoalTree(solver->planner, thiRouteClass(frame->radius[row]),
                                             frame->level[row], goal);
    ((thRouteState*)solver->batch->state[lane])->asked = (uint8_t)what;
    solver->asked[tree == NULL] += 1;
}

// Looks, and plans if need be. True if the way is as it should be.
static bool lookOrPlan(thRouteSolver* solver, int32_t lane, int32_t goal, bool mustPlan)
{
    const thFrame* frame = solver->batch->frame;
    const uint64_t key = frame->key[solver->batch->row[lane]];
    thRouteWalker walker;
    bool good = false;
    if (thiOpenWalker(solver, lane, goal, &walker)) {
        const uint32_t looks =
            (uint32_t)(frame->step + thiMix(key)) / (uint32_t)solver->planner->def.lookEvery;
        const uint32_t goalMark = thiRouteGoalMark(&walker.goal);
        const bool waits = walker.tree != NULL && !walker.tree->now.ready;
        good =
            !mustPlan && walker.state->goalMark == goalMark &&
            (waits || thiLookOnWay(&walker, looks % HOPELESS_LOOKS == 0, looks % FULL_LOOKS != 0));
        if (!good && !waits && isTurn(solver, key, walker.state)) {
            thiPlanWay(&walker, goalMark);
            good = true;
        } else if (good && !waits && wishesBetter(solver->planner, walker.state)) {
            if (isTurn(solver, key, walker.state))
                thiImproveWay(&walker);
            else
                askFor(solver, lane, goal, th_askedBetter);
        }
    }
    thiFreeShapes((thMemory*)&solver->planner->memory, &walker.room);
    if (!good)
        askFor(solver, lane, goal, th_askedWay);
    return good;
}

// From the agent to its target. [m]
static thVec2 toTarget(const thFrame* frame, int32_t row, const thRouteState* state)
{
    return (thVec2){thiMetresBetween(frame->px[row], state->targetX),
                    thiMetresBetween(frame->py[row], state->targetY)};
}

// From the agent to the nearest point of the shape it heads for. [m]
static thVec2 toShape(const thFrame* frame, int32_t row, const thRouteState* state)
{
    const thGoalShape shape = {.goal = state->shape};
    int32_t x = frame->px[row], y = frame->py[row];
    thFrame_NearestShapePoint(frame, &shape, x, y, &x, &y);
    return (thVec2){thiMetresBetween(frame->px[row], x), thiMetresBetween(frame->py[row], y)};
}

static void steer(const thBatch* batch, int32_t lane, const thRouteState* state)
{
    const thFrame* frame = batch->frame;
    const int32_t row = batch->row[lane];
    if (state->aim == th_aimNothing || state->aim == th_aimNowhere) {
        batch->remaining[lane] = FAR_AWAY;
        return;
    }
    const bool isNear = state->aim == th_aimNearest || state->aim == th_aimPoint;
    const thVec2 target = toTarget(frame, row, state);
    const thVec2 nearest = isNear ? toShape(frame, row, state) : target;
    const thVec2 to = state->aim == th_aimNearest ? nearest : target;
    const float distance = sqrtf(to.x * to.x + to.y * to.y);
    const bool arrived = (frame->flags[row] & th_agentArrived) != 0;
    if (distance > (arrived ? STANDS_WITHIN : 0.0f)) {
        const float reaching = distance / frame->dt, speed = batch->prefSpeed[lane];
        const float share = (speed < reaching ? speed : reaching) / distance;
        batch->guideX[lane] = to.x * share;
        batch->guideY[lane] = to.y * share;
    }
    batch->cornerX[lane] = to.x;
    batch->cornerY[lane] = to.y;
    batch->remaining[lane] = state->aim == th_aimNode || state->aim == th_aimBeside
                                 ? distance + state->rest
                                 : sqrtf(nearest.x * nearest.x + nearest.y * nearest.y);
}

// Whether it is time to look: now and then, where the way bends, and when others carry it past
// there: it must not turn back for a corner that lies behind it.
static bool isTimeToLook(const thGraphPlanner* planner, const thBatch* batch, int32_t lane,
                         const thRouteState* state)
{
    const thFrame* frame = batch->frame;
    const int32_t row = batch->row[lane];
    const uint32_t phase = (uint32_t)(frame->step + thiMix(frame->key[row]));
    if (phase % (uint32_t)planner->def.lookEvery == 0)
        return true;
    if (state->aim != th_aimNode && state->aim != th_aimBeside)
        return false;
    const thVec2 to = toTarget(frame, row, state);
    const float square = to.x * to.x + to.y * to.y;
    const float soon = 1.5f * batch->prefSpeed[lane] * frame->dt;
    const bool goesAway = batch->vx[lane] * to.x + batch->vy[lane] * to.y < 0.0f;
    return square < soon * soon || (square < CARRIED_PAST * CARRIED_PAST && goesAway);
}

// Of the field that an agent goes in.
static uint32_t markOf(const thGraphPlanner* planner, const thFrame* frame, int32_t row)
{
    return thiMarkOfField(planner, thiRouteClass(frame->radius[row]), frame->level[row]);
}

// The goal an agent heads for. Goals are all over memory, so it is remembered.
static int32_t goalOf(const thGraphPlanner* planner, const thFrame* frame, int32_t row,
                      const thRouteState* state)
{
    return planner->sameGoals && state->goal > 0 && state->list == frame->goal[row] &&
                   state->index == frame->goalIndex[row]
               ? state->goal - 1
               : thFrame_CurrentGoal(frame, row);
}

static void solveLane(thRouteSolver* solver, int32_t lane)
{
    const thBatch* batch = solver->batch;
    const int32_t row = batch->row[lane];
    thRouteState* state = batch->state[lane];
    const int32_t goal = goalOf(solver->planner, batch->frame, row, state);
    batch->answer[lane] = th_planComplete;
    if (goal < 0) {
        *state = (thRouteState){0};
        return;
    }
    if (state->goal != goal + 1)
        *state = (thRouteState){.goal = goal + 1};
    state->list = batch->frame->goal[row];
    state->index = batch->frame->goalIndex[row];
    const bool mustPlan = state->aim == th_aimNothing ||
                          state->mark != markOf(solver->planner, batch->frame, row) ||
                          state->asked == th_askedWay;
    const bool waits = mustPlan || state->asked != th_askedNothing;
    const bool isTurnNow = waits && isTurn(solver, batch->frame->key[row], state);
    bool good = !mustPlan;
    if (isTurnNow || (good && isTimeToLook(solver->planner, batch, lane, state)))
        good = lookOrPlan(solver, lane, goal, mustPlan);
    else if (waits)
        askFor(solver, lane, goal, mustPlan ? th_askedWay : th_askedBetter);
    batch->answer[lane] = !good                         ? th_planPending
                          : state->aim == th_aimNowhere ? th_planNone
                                                        : th_planComplete;
    steer(batch, lane, state);
    if ((batch->frame->flags[row] & th_agentWaiting) != 0)
        batch->guideX[lane] = batch->guideY[lane] = 0.0f;
}

static void addUp(_Atomic int64_t* sum, int64_t count)
{
    if (count > 0)
        atomic_fetch_add_explicit(sum, count, memory_order_relaxed);
}

void thiSolveOnGraph(const thGraphPlanner* planner, const thBatch* batch)
{
    thRouteSolver solver = {.planner = planner, .batch = batch};
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        if (lane + LOOK_AHEAD < batch->count) // states are all over memory
            __builtin_prefetch(batch->state[lane + LOOK_AHEAD], 1);
        solveLane(&solver, lane);
    }
    thRouteCounts* counts = planner->counts;
    for (int32_t i = 0; i < 2; ++i) {
        addUp(&counts->asked[i], solver.asked[i]);
        addUp(&counts->served[i], solver.served[i]);
        addUp(&counts->effort[i], solver.effort[i]);
    }
    addUp(&counts->lost, solver.lost);
}
