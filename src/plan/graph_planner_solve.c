// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Agents on their way. In most steps an agent only steers to its target.

#include "base/hash.h"
#include "geom/fixed.h"
#include "plan/graph_planner_walker.h"

#include <math.h>

#define STANDS_WITHIN 0.001f // who has arrived and stands this near to the goal stays [m]
#define FAR_AWAY 1e9f        // what is left where no way is known: more than any [m]
#define FULL_LOOKS 4         // looks of which one is for later points of the way too
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

static void askForBetter(thRouteSolver* solver, thRouteState* state)
{
    state->asked = th_askedBetter;
    solver->asked += 1;
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
                askForBetter(solver, walker.state);
        }
    }
    thiFreeShapes((thMemory*)&solver->planner->memory, &walker.room);
    if (!good) {
        ((thRouteState*)solver->batch->state[lane])->asked = th_askedWay;
        solver->asked += 1;
    }
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
    const thVec2 nearest =
        state->aim == th_aimNode ? (thVec2){0.0f, 0.0f} : toShape(frame, row, state);
    const thVec2 to = state->aim == th_aimNearest ? nearest : toTarget(frame, row, state);
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
    batch->remaining[lane] = state->aim == th_aimNode
                                 ? distance + state->rest
                                 : sqrtf(nearest.x * nearest.x + nearest.y * nearest.y);
}

// Whether it is time to look: now and then, and where the way bends.
static bool isTimeToLook(const thGraphPlanner* planner, const thBatch* batch, int32_t lane,
                         const thRouteState* state)
{
    const thFrame* frame = batch->frame;
    const int32_t row = batch->row[lane];
    const uint32_t phase = (uint32_t)(frame->step + thiMix(frame->key[row]));
    if (phase % (uint32_t)planner->def.lookEvery == 0)
        return true;
    const thVec2 to = toTarget(frame, row, state);
    const float soon = 1.5f * batch->prefSpeed[lane] * frame->dt;
    return state->aim == th_aimNode && to.x * to.x + to.y * to.y < soon * soon;
}

// Of the field that an agent goes in.
static uint32_t markOf(const thGraphPlanner* planner, const thFrame* frame, int32_t row)
{
    return thiMarkOfField(planner, thiRouteClass(frame->radius[row]), frame->level[row]);
}

static void solveLane(thRouteSolver* solver, int32_t lane)
{
    const thBatch* batch = solver->batch;
    const int32_t row = batch->row[lane], goal = thFrame_CurrentGoal(batch->frame, row);
    thRouteState* state = batch->state[lane];
    batch->answer[lane] = th_planComplete;
    if (goal < 0) {
        *state = (thRouteState){0};
        return;
    }
    if (state->goal != goal + 1) {
        *state = (thRouteState){.goal = goal + 1};
    }
    const bool mustPlan = state->aim == th_aimNothing ||
                          state->mark != markOf(solver->planner, batch->frame, row) ||
                          state->asked == th_askedWay;
    const bool mayImprove =
        state->asked == th_askedBetter && isTurn(solver, batch->frame->key[row], state);
    bool good = true;
    if (mustPlan || mayImprove || isTimeToLook(solver->planner, batch, lane, state))
        good = lookOrPlan(solver, lane, goal, mustPlan);
    else if (state->asked == th_askedBetter)
        askForBetter(solver, state);
    batch->answer[lane] = !good                         ? th_planPending
                          : state->aim == th_aimNowhere ? th_planNone
                                                        : th_planComplete;
    steer(batch, lane, state);
    if ((batch->frame->flags[row] & th_agentWaiting) != 0)
        batch->guideX[lane] = batch->guideY[lane] = 0.0f;
}

void thiSolveOnGraph(const thGraphPlanner* planner, const thBatch* batch)
{
    thRouteSolver solver = {.planner = planner, .batch = batch};
    for (int32_t lane = 0; lane < batch->count; ++lane)
        solveLane(&solver, lane);
    thRouteCounts* counts = planner->counts;
    if (solver.asked > 0)
        atomic_fetch_add_explicit(&counts->asked, solver.asked, memory_order_relaxed);
    if (solver.lost > 0)
        atomic_fetch_add_explicit(&counts->lost, solver.lost, memory_order_relaxed);
    if (solver.served > 0) {
        atomic_fetch_add_explicit(&counts->served, solver.served, memory_order_relaxed);
        atomic_fetch_add_explicit(&counts->effort, solver.effort, memory_order_relaxed);
    }
}
