// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Agents on their routes: they steer for the next corner, look along the route now and then, and
// plan.

#include "base/hash.h"
#include "geom/fixed.h"
#include "geom/vec2.h"
#include "plan/graph/graph_planner_corner.h"
#include "plan/route/route_aim.h"

#include <math.h>

// A goal in sight is gone for unless that is longer than the path by this factor and length. [m]
#define FURTHER 1.02
#define FURTHER_BY 0.25

#define BETTER 0.9 // share of what its path costs that another must cost less than, to be taken

#define ADVANCES 4            // points of its path that an agent passes in one look, at most
#define BRIEF_LOOK 16.0       // how far a brief look goes [m]
#define BESIDE 0.25f          // how far beside it an agent looks for a path, beyond its radius [m]
#define ROUNDING 64.0         // by how much lengths may differ that are the same [units]
#define BESIDE_NODE 1.1       // how near to its node bends are looked for, in radii
#define THERE 0.01            // who is as near to a place beside it has come there [m]
#define LOOK_AROUND_EFFORT 64 // legs that could be looked at in the time it takes

#define STANDS_WITHIN 0.001f // who has arrived and stands this near to the goal stays [m]
#define FAR_AWAY 1e9f        // what is left where no path is known: more than any [m]
#define FULL_LOOKS 4         // looks of which one is for later points of the path too
#define CARRIED_PAST 1.5f    // how near to its target who does not come nearer looks [m]
#define NEARS 0.1f           // velocity of one who does [m/s]
#define LOOK_AHEAD 8         // agents whose states are fetched beforehand
#define HOPELESS_LOOKS 16    // looks after which one without a path tries again

// False when memory is out, or there is no floor for it yet. The walker's shapes are to be freed in
// any case.
static bool openWalker(thRouteSolver* solver, int32_t lane, int32_t goal, thRouteWalker* walker)
{
    const thGraphPlanner* planner = solver->planner;
    const thFrame* frame = solver->batch->frame;
    const int32_t row = solver->batch->row[lane];
    const float radius = frame->radius[row];
    const int32_t radiusClass = thiRouteClass(radius);
    walker->solver = solver;
    walker->state = solver->batch->state[lane];
    walker->room = (thShapeRoom){0};
    walker->floor = thiFindRouteFloor(planner, radiusClass, frame->level[row]);
    if (walker->floor == NULL) {
        solver->lost += 1;
        return false;
    }
    walker->tree = thiFindGoalTree(planner, radiusClass, frame->level[row], goal);
    if (walker->tree != NULL && !walker->tree->now.ready && walker->state->hurries)
        walker->tree = NULL;
    walker->place = (thPoint){frame->px[row], frame->py[row]};
    walker->overlap = thiAllowedOverlap(walker->floor, radius);
    walker->limit = INFINITY;
    walker->anyBend = false;
    walker->bends.count = 0;
    walker->effort = 0;
    if (walker->state->nodeCount > TH_ROUTE_NODES) // from a damaged snapshot
        walker->state->nodeCount = 0;
    walker->seesAny = false;
    const bool known = thiLookUpGoal((thMemory*)&planner->memory, frame, walker->floor->space, goal,
                                     &walker->room, &walker->goal);
    const thCrowdMap* crowd = thiFindCrowd(planner, planner->round, frame->level[row]);
    if (crowd != NULL) {
        walker->others = thiCrowdWithout(crowd, walker->place);
        walker->goal.crowd = &walker->others;
    }
    return known;
}

static double metresOf(double units)
{
    return units / THRONG_UNITS_PER_METRE;
}

static void takeAim(thRouteWalker* walker, const thRouteAim* aim)
{
    thRouteState* state = walker->state;
    const bool isPoint = walker->goal.shapes[aim->shape].kind == th_goalPoint;
    state->aim = isPoint ? th_aimGoal : aim->nearest ? th_aimNearest : th_aimPoint;
    state->targetX = aim->to.x;
    state->targetY = aim->to.y;
    state->shape = walker->goal.shapes[aim->shape].goal;
    state->rest = (float)metresOf(aim->rest);
    if (aim->rest > 0.0) {
        state->aim = th_aimBeside;
        state->node = -1;
    }
}

static bool lookForGoal(thRouteWalker* walker, thRouteAim* aim)
{
    walker->effort += 1;
    return thiAimAtGoal(&walker->goal, walker->place, walker->place.x, walker->place.y,
                        walker->overlap, aim);
}

// What the straight line to the target costs. [units]
static double costToTarget(const thRouteWalker* walker)
{
    const thRouteState* state = walker->state;
    const double dx = (double)state->targetX - walker->place.x;
    const double dy = (double)state->targetY - walker->place.y;
    return sqrt(dx * dx + dy * dy) + thiCrowdAlong(walker->goal.crowd, walker->place.x,
                                                   walker->place.y, state->targetX, state->targetY);
}

// The nodes of a route of its own, from the one it heads for to the goal. [units]
static double costOfNodes(const thRouteWalker* walker)
{
    const thRouteState* state = walker->state;
    const thRouteNode* nodes = TH_ITEMS(walker->floor->graph.nodes, thRouteNode);
    double cost = 0.0;
    if (state->isCut || state->nodeAt >= state->nodeCount)
        return INFINITY; // nobody knows
    for (int32_t i = state->nodeAt; i + 1 < state->nodeCount; ++i) {
        const thRouteNode *a = &nodes[state->nodes[i]], *b = &nodes[state->nodes[i + 1]];
        cost += thiRouteLength(a, b->x, b->y) +
                thiCrowdAlong(walker->goal.crowd, a->x, a->y, b->x, b->y);
    }
    const thRouteNode* last = &nodes[state->nodes[state->nodeCount - 1]];
    thRouteAim aim;
    return thiAimAtGoal(&walker->goal, last->place, last->x, last->y, 0.0f, &aim)
               ? cost + thiCostOfAim(&aim)
               : INFINITY;
}

// What the path that the agent is on costs. [units]
static double costOfPath(const thRouteWalker* walker)
{
    const thRouteState* state = walker->state;
    double left = 0.0;
    if (state->aim == th_aimNode)
        left = walker->tree != NULL ? TH_ITEMS(walker->tree->now.tree.distance, double)[state->node]
                                    : costOfNodes(walker);
    return costToTarget(walker) + left;
}

// The same, unless what is in sight is another part of the goal, further away than the path that
// the agent is on: of alternatives the one at hand may be hidden by a corner while a far one is
// not.
static bool lookForNearGoal(thRouteWalker* walker, thRouteAim* aim)
{
    const double spare = FURTHER_BY * THRONG_UNITS_PER_METRE;
    const thRouteState* state = walker->state;
    if (walker->goal.crowd != NULL)
        return lookForGoal(walker, aim) &&
               thiCostOfAim(aim) <= FURTHER * costOfPath(walker) + spare;
    const double left = costToTarget(walker) + (double)state->rest * THRONG_UNITS_PER_METRE;
    return lookForGoal(walker, aim) && aim->length <= FURTHER * left + spare;
}

// Who heads for one of several exits among a crowd stays with it, as long as it does not look for a
// better path.
static bool lookForSameGoal(thRouteWalker* walker, thRouteAim* aim)
{
    if (walker->goal.crowd == NULL)
        return lookForNearGoal(walker, aim);
    const thRouteGoal whole = walker->goal;
    for (int32_t i = 0; i < whole.shapeCount; ++i)
        if (whole.shapes[i].goal == walker->state->shape) {
            walker->goal.shapes = &whole.shapes[i];
            walker->goal.shapeCount = 1;
        }
    const bool sees = lookForGoal(walker, aim);
    if (sees)
        aim->shape += (int32_t)(walker->goal.shapes - whole.shapes);
    walker->goal = whole;
    return sees;
}

static void aimAtNode(thRouteWalker* walker, int32_t index, thPoint place)
{
    thRouteState* state = walker->state;
    thiOpenCorner(walker, index, place);
    if (walker->tree != NULL) {
        state->rest = (float)metresOf(thiTreeLength(&walker->tree->now.tree, index));
    } else if (state->aim == th_aimNode) {
        const thRouteNode* nodes = TH_ITEMS(walker->floor->graph.nodes, thRouteNode);
        const thRouteNode* from = &nodes[state->node];
        state->rest -= (float)metresOf(thiRouteLength(&nodes[index], from->x, from->y));
    }
    state->aim = th_aimNode;
    state->node = index;
    state->targetX = place.x;
    state->targetY = place.y;
}

// Makes the path that was found from a place beside the agent one that begins there.
static void goBeside(thRouteWalker* walker, thPoint place)
{
    thRouteState* state = walker->state;
    const double dx = (double)state->targetX - place.x, dy = (double)state->targetY - place.y;
    state->rest += (float)metresOf(sqrt(dx * dx + dy * dy));
    if (state->aim != th_aimNode)
        state->node = -1;
    state->aim = th_aimBeside;
    state->targetX = place.x;
    state->targetY = place.y;
}

// The path over nodes, if there is one that costs less than the limit.
static bool findPath(thRouteWalker* walker, double limit)
{
    thRouteState* state = walker->state;
    double length = 0.0;
    const int32_t node = thiFindOverNodes(walker, limit, &length);
    if (node < 0)
        return false;
    const thRouteNode* nodes = TH_ITEMS(walker->floor->graph.nodes, thRouteNode);
    state->aim = th_aimNothing; // so that the rest is not counted from another node
    thPoint place = nodes[node].place, bend;
    double first = thiRouteLength(&nodes[node], walker->place.x, walker->place.y);
    const bool bends = walker->bends.count > 0 && !thiSeesNode(walker, node, &place) &&
                       thiSeesOverBend(walker, node, &bend, &first);
    if (walker->tree == NULL)
        state->rest = (float)metresOf(length - first);
    if (thiIsPortal(&nodes[node]))
        (void)thiSeesNode(walker, node, &place);
    aimAtNode(walker, node, place);
    if (bends)
        goBeside(walker, bend);
    return true;
}

// What comes after the node that the agent heads for. [node; −1: the goal; −2: it is to be planned]
static int32_t nextOnRoute(thRouteWalker* walker)
{
    const thRouteState* state = walker->state;
    if (walker->tree != NULL) {
        const int32_t parent = TH_ITEMS(walker->tree->now.tree.parent, int32_t)[state->node];
        return parent >= 0 ? parent : parent == -1 ? -2 : -1;
    }
    if (state->nodeAt >= state->nodeCount || state->nodes[state->nodeAt] != state->node)
        return -2; // it followed a tree that is gone
    if (state->nodeAt + 1 < state->nodeCount)
        return state->nodes[state->nodeAt + 1];
    return state->isCut ? -2 : -1;
}

// At the end of the route the goal may be in sight only over a bend, which must not be a detour.
static bool lookForEnd(thRouteWalker* walker, thRouteAim* aim)
{
    if (lookForNearGoal(walker, aim))
        return true;
    thiFindGoalBends(walker->floor, &walker->goal);
    const double rest = (double)walker->state->rest * THRONG_UNITS_PER_METRE;
    return walker->goal.bends.count > 0 && lookForGoal(walker, aim) &&
           aim->length <= costToTarget(walker) + rest + ROUNDING;
}

// Whether the goal is in sight from where a path round the next corner bends, and what that costs.
static bool lookOverBends(thRouteWalker* walker, thRouteAim* aim, thPoint* bend, double* cost)
{
    bool found = false;
    for (int32_t i = 0; i < walker->bends.count; ++i) {
        const thPoint at = walker->bends.at[i];
        const double dx = (double)at.x - walker->place.x, dy = (double)at.y - walker->place.y;
        thRouteAim other;
        walker->effort += 1;
        if (!thiAimAtGoal(&walker->goal, at, at.x, at.y, 0.0f, &other))
            continue;
        const double whole = sqrt(dx * dx + dy * dy) + thiCostOfAim(&other);
        if (found && whole >= *cost)
            continue;
        found = true;
        *aim = other;
        *bend = at;
        *cost = whole;
    }
    return found;
}

// Who is nearer to a wall than the node of its corner, beside that, need not step back to it: what
// comes next may be in sight over a bend. [node; −1: the goal]
static bool lookRoundCorner(thRouteWalker* walker, int32_t next)
{
    thRouteState* state = walker->state;
    const thRouteFloor* floor = walker->floor;
    const double left = costToTarget(walker), rest = (double)state->rest * THRONG_UNITS_PER_METRE;
    if (left > BESIDE_NODE * (double)thiRouteRadius(floor->space) * THRONG_UNITS_PER_METRE)
        return false;
    walker->bends = thiFindBends(floor->space, &floor->graph, &floor->near, walker->place);
    thRouteAim aim;
    thPoint bend;
    double cost;
    if (next < 0) {
        if (!lookOverBends(walker, &aim, &bend, &cost) || cost > left + rest + ROUNDING)
            return false;
        takeAim(walker, &aim);
    } else {
        const thPoint place = TH_ITEMS(floor->graph.nodes, thRouteNode)[next].place;
        const double dx = (double)place.x - state->targetX, dy = (double)place.y - state->targetY;
        const double after = sqrt(dx * dx + dy * dy);
        if (!thiSeesOverBend(walker, next, &bend, &cost) || cost > left + after + ROUNDING)
            return false;
        if (state->aim == th_aimBeside) { // before that node already
            state->rest -= (float)metresOf(after);
        } else {
            state->nodeAt = (uint8_t)(state->nodeAt + (walker->tree == NULL));
        }
        aimAtNode(walker, next, place);
    }
    goBeside(walker, bend);
    return true;
}

static bool lookAlongRoute(thRouteWalker* walker)
{
    thRouteState* state = walker->state;
    const int32_t nodeCount = walker->floor->graph.nodes.count;
    if (state->node < 0 || state->node >= nodeCount)
        return false;
    for (int32_t i = 0; i < ADVANCES; ++i) {
        const int32_t next = nextOnRoute(walker);
        thPoint place;
        thRouteAim aim;
        if (next == -2)
            return false;
        if (next == -1 && lookForEnd(walker, &aim)) {
            takeAim(walker, &aim);
            return true;
        }
        if (next < 0 || next >= nodeCount || !thiSeesNode(walker, next, &place)) {
            if (next < nodeCount && lookRoundCorner(walker, next))
                return true;
            // Otherwise the present target must be in sight still.
            const bool sees = thiSeesNode(walker, state->node, &place);
            if (sees)
                aimAtNode(walker, state->node, place);
            return sees || i > 0;
        }
        aimAtNode(walker, next, place);
        state->nodeAt = (uint8_t)(state->nodeAt + (walker->tree == NULL));
    }
    return true;
}

// Whether the goal is a point in solid, or on a wall: no node sees that.
static bool isGoalSolid(const thRouteWalker* walker)
{
    const thRouteSpace* space = walker->floor->space;
    thPoint point;
    return thiPointOfGoal(&walker->goal, &point) &&
           !thiIsClearPlace(space, point, thiRouteRadius(space));
}

// Paths that are taut are found fast. Where space is tight, corners may have no node, and paths
// bend where they should not: then all are looked at.
static bool planFromHere(thRouteWalker* walker)
{
    thRouteAim aim;
    thPoint bend;
    double cost = 0.0;
    const bool sees = lookForGoal(walker, &aim);
    const bool bends = !sees && lookOverBends(walker, &aim, &bend, &cost);
    cost = sees ? thiCostOfAim(&aim) : cost;
    const bool direct = (sees || bends) && cost < walker->limit;
    const double limit = direct ? cost : walker->limit;
    walker->anyBend = false;
    if (!direct && isGoalSolid(walker))
        return false; // without a search of all there is
    if (findPath(walker, limit)) {
        // The nearest node may be behind the agent.
        if (walker->solver->planner->def.leavesWithin > 0.0)
            (void)lookAlongRoute(walker);
        return true;
    }
    if (direct) {
        walker->state->nodeCount = 0;
        takeAim(walker, &aim);
        if (bends)
            goBeside(walker, bend);
        return true;
    }
    walker->anyBend = true;
    return walker->limit == INFINITY && walker->floor->graph.turns.count > 0 &&
           findPath(walker, limit);
}

// Who sees no node of a graph that is not made of corners, because it stands behind one, looks from
// a few places beside it, and goes to the first that helps.
static bool planFromBeside(thRouteWalker* walker)
{
    static const int32_t stepsX[8] = {1, -1, 0, 0, 1, -1, 1, -1};
    static const int32_t stepsY[8] = {0, 0, 1, -1, 1, 1, -1, -1};
    const thPoint here = walker->place;
    const float overlap = walker->overlap;
    const double least =
        (double)(thiRouteRadius(walker->floor->space) + BESIDE) * THRONG_UNITS_PER_METRE;
    bool found = false;
    for (int32_t i = 0; i < 24 && !found; ++i) {
        const int32_t step = (int32_t)(least * (double)(1 << i / 8));
        const thPoint place = {here.x + stepsX[i % 8] * step, here.y + stepsY[i % 8] * step};
        if (!thiIsClearPlace(walker->floor->space, place, 0.0f) ||
            !thiIsClearLeg(walker->floor->space, here, place, overlap))
            continue;
        walker->place = place;
        walker->overlap = 0.0f; // there is room
        thiLookAround(walker->floor->space, place, &walker->horizon);
        found = planFromHere(walker);
        if (found)
            goBeside(walker, place);
    }
    walker->place = here;
    walker->overlap = overlap;
    return found;
}

static void finishPlan(const thRouteWalker* walker)
{
    walker->state->asked = th_askedNothing;
    walker->state->round = (uint8_t)walker->solver->planner->round;
    const int32_t which = walker->tree == NULL;
    walker->solver->served[which] += 1;
    walker->solver->effort[which] += walker->effort;
}

// Who stands nearer to walls than its class allows may leave all the same: with the overlap it
// takes to stand there, and if that leads nowhere, to whatever it sees.
static void planPath(thRouteWalker* walker, uint32_t goalMark)
{
    thRouteState* state = walker->state;
    thiLookAround(walker->floor->space, walker->place, &walker->horizon);
    walker->effort += LOOK_AROUND_EFFORT;
    walker->bends = thiFindBends(walker->floor->space, &walker->floor->graph, &walker->floor->near,
                                 walker->place);
    thiFindGoalBends(walker->floor, &walker->goal);
    bool found = planFromHere(walker);
    if (!found) {
        const float needed = thiOverlapAt(walker->floor->space, walker->place);
        if (needed > walker->overlap) {
            walker->overlap = needed + TH_ROUTE_SLACK;
            found = planFromHere(walker);
        }
        if (!found && needed > 0.0f) {
            walker->overlap = thiRouteRadius(walker->floor->space);
            found = planFromHere(walker);
        }
    }
    if (!found && !walker->seesAny && walker->floor->graph.nodes.count > 0 &&
        walker->floor->graph.turns.count == 0)
        found = planFromBeside(walker);
    if (!found)
        state->aim = th_aimNowhere;
    state->hurries = 0;
    state->mark = walker->floor->mark;
    state->goalMark = goalMark;
    state->isTight = thiIsGoalTight(&walker->goal);
    finishPlan(walker);
}

// Looks for a path that is clearly better than the one it is on, among the crowd as it was counted
// last.
static void improvePath(thRouteWalker* walker)
{
    const int32_t nodeCount = walker->floor->graph.nodes.count;
    if (walker->state->aim != th_aimNowhere && walker->state->aim != th_aimBeside &&
        (walker->state->aim != th_aimNode ||
         (walker->state->node >= 0 && walker->state->node < nodeCount))) {
        thiLookAround(walker->floor->space, walker->place, &walker->horizon);
        walker->effort += LOOK_AROUND_EFFORT;
        walker->limit = BETTER * costOfPath(walker);
        (void)planFromHere(walker);
    }
    finishPlan(walker);
}

// Whether the target is far away and the path there clear as far as a brief look goes: what an
// agent was pushed behind is near.
static bool isClearAhead(const thRouteWalker* walker)
{
    const thRouteState* state = walker->state;
    const double dx = (double)state->targetX - walker->place.x;
    const double dy = (double)state->targetY - walker->place.y;
    const double length = sqrt(dx * dx + dy * dy), far = BRIEF_LOOK * THRONG_UNITS_PER_METRE;
    if (length <= far)
        return false;
    const thPoint ahead = {walker->place.x + (int32_t)(dx * (far / length)),
                           walker->place.y + (int32_t)(dy * (far / length))};
    return thiIsClearLeg(walker->floor->space, walker->place, ahead, walker->overlap);
}

// Whether what comes after the place beside the agent can be gone for, or that place still.
static bool lookFromBeside(thRouteWalker* walker)
{
    thRouteState* state = walker->state;
    const int32_t nodeCount = walker->floor->graph.nodes.count;
    const thPoint target = {state->targetX, state->targetY};
    thPoint place;
    thRouteAim aim;
    if (state->node >= nodeCount)
        return false;
    if (state->node >= 0 && thiSeesNode(walker, state->node, &place)) {
        const double dx = (double)place.x - target.x, dy = (double)place.y - target.y;
        state->rest -= (float)metresOf(sqrt(dx * dx + dy * dy));
        aimAtNode(walker, state->node, place);
        return lookAlongRoute(walker);
    }
    if (state->node < 0 && lookForSameGoal(walker, &aim)) {
        takeAim(walker, &aim);
        return true;
    }
    if (lookRoundCorner(walker, state->node))
        return true;
    const double dx = (double)target.x - walker->place.x, dy = (double)target.y - walker->place.y;
    return metresOf(sqrt(dx * dx + dy * dy)) > THERE &&
           thiIsClearLeg(walker->floor->space, walker->place, target, walker->overlap);
}

// Goes on to later points of the path that are in sight. False: the path is to be planned anew, as
// it is for one without a path if it tries `again`. A `brief` look sees only whether the agent can
// go on, as far as it matters soon.
static bool lookOnPath(thRouteWalker* walker, bool again, bool brief)
{
    thRouteAim aim;
    const bool aims = walker->state->aim != th_aimNothing && walker->state->aim != th_aimNowhere;
    if (brief && aims && isClearAhead(walker))
        return true;
    switch (walker->state->aim) {
    case th_aimNode:
        return lookAlongRoute(walker);
    case th_aimBeside:
        return lookFromBeside(walker);
    case th_aimNearest:
    case th_aimPoint:
    case th_aimGoal:
        if (!lookForSameGoal(walker, &aim))
            return false;
        takeAim(walker, &aim);
        return true;
    default:
        return !again;
    }
}

static bool isTurn(const thRouteSolver* solver, uint64_t key, const thRouteState* state)
{
    const thGraphPlanner* planner = solver->planner;
    if (planner->mustAsk && state->asked == th_askedNothing)
        return false;
    return (thiMix(key) + solver->batch->frame->step) % (uint64_t)planner->turns == 0;
}

// Whether the crowd was counted since the agent looked for its path.
static bool wishesBetter(const thGraphPlanner* planner, const thRouteState* state)
{
    return planner->def.crowding > 0.0f && state->round != (uint8_t)planner->round;
}

// Whether others carried the agent to where it would turn back for a corner that no shortest path
// from there leads round.
static bool isOffPath(const thRouteWalker* walker)
{
    const thRouteState* state = walker->state;
    return state->aim == th_aimNode && state->node >= 0 &&
           state->node < walker->floor->graph.nodes.count && !thiIsTautOver(walker, state->node);
}

// It waits for its turn.
static void askFor(thRouteSolver* solver, int32_t lane, int32_t goal, thAsked what)
{
    const thFrame* frame = solver->batch->frame;
    const int32_t row = solver->batch->row[lane];
    const thGoalTree* tree = thiFindGoalTree(solver->planner, thiRouteClass(frame->radius[row]),
                                             frame->level[row], goal);
    thRouteState* state = solver->batch->state[lane];
    solver->asked[tree == NULL] += 1;
    if (state->asked == (uint8_t)what)
        return;
    thBatch_KeepState(solver->batch, lane);
    state->asked = (uint8_t)what;
}

// Whether the path leads to the goal, or can be gone on to where it has moved: along a tree, which
// follows it, or straight.
static bool leadsToGoal(const thRouteWalker* walker, uint32_t goalMark)
{
    const uint8_t aim = walker->state->aim;
    return walker->state->goalMark == goalMark || aim == th_aimNearest || aim == th_aimPoint ||
           aim == th_aimGoal || (aim == th_aimNode && walker->tree != NULL);
}

// Whether the agent goes on round a corner in its lane.
static bool keepsLane(thRouteWalker* walker, int32_t lane)
{
    thRouteState* state = walker->state;
    thPoint place;
    if (state->aim != th_aimNode || state->node < 0 ||
        state->node >= walker->floor->graph.nodes.count ||
        !thiKeepsLane(walker->floor->space, walker->solver->batch, lane, state) ||
        !thiSeesNode(walker, state->node, &place))
        return false;
    aimAtNode(walker, state->node, place);
    return true;
}

// Looks, and plans if need be. True if the path is as it should be.
static bool lookOrPlan(thRouteSolver* solver, int32_t lane, int32_t goal, bool mustPlan)
{
    const thFrame* frame = solver->batch->frame;
    const uint64_t key = frame->key[solver->batch->row[lane]];
    thRouteWalker walker;
    bool good = false;
    thBatch_KeepState(solver->batch, lane);
    if (openWalker(solver, lane, goal, &walker)) {
        const uint32_t looks =
            (uint32_t)(frame->step + thiMix(key)) / (uint32_t)solver->planner->def.lookEvery;
        const uint32_t goalMark = thiRouteGoalMark(&walker.goal);
        const bool waits = walker.tree != NULL && !walker.tree->now.ready;
        const bool brief = looks % FULL_LOOKS != 0 && walker.state->goalMark == goalMark;
        const bool keeps = !mustPlan && !waits && keepsLane(&walker, lane);
        good = !mustPlan && leadsToGoal(&walker, goalMark) &&
               (waits || keeps || lookOnPath(&walker, looks % HOPELESS_LOOKS == 0, brief));
        if (good)
            walker.state->goalMark = goalMark;
        if (!good && !waits && isTurn(solver, key, walker.state)) {
            if (walker.state->isFormer)
                *walker.state = (thRouteState){.goal = walker.state->goal,
                                               .list = walker.state->list,
                                               .index = walker.state->index};
            planPath(&walker, goalMark);
            good = true;
        } else if (good && !waits &&
                   (wishesBetter(solver->planner, walker.state) ||
                    (!brief && !keeps && isOffPath(&walker)))) {
            if (isTurn(solver, key, walker.state))
                improvePath(&walker);
            else
                askFor(solver, lane, goal, th_askedBetter);
        }
    }
    thiFreeShapes((thMemory*)&solver->planner->memory, &walker.room);
    if (!good)
        askFor(solver, lane, goal, th_askedPath);
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
    batch->remaining[lane] = FAR_AWAY;
    if (state->aim == th_aimNothing || state->aim == th_aimNowhere)
        return;
    const bool isNear = state->aim == th_aimNearest || state->aim == th_aimPoint;
    const thVec2 target = toTarget(frame, row, state);
    const thVec2 nearest = isNear ? toShape(frame, row, state) : target;
    const thVec2 to = state->aim == th_aimNearest ? nearest
                      : state->aim == th_aimNode  ? thiPassCorner(batch, lane, state, target)
                                                  : target;
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
    if (state->isFormer)
        return; // nobody knows what is left
    batch->remaining[lane] = state->aim == th_aimNode || state->aim == th_aimBeside
                                 ? sqrtf(thiDot(target, target)) + state->rest
                                 : sqrtf(nearest.x * nearest.x + nearest.y * nearest.y);
}

// Whether it is time to look: now and then, where the path bends, and near there when it does not
// come nearer: it must not turn back for a corner that others carried it past.
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
    const float soon = 1.5f * batch->prefSpeed[lane] * frame->dt + 2.0f * batch->radius[lane];
    const float nearing = batch->vx[lane] * to.x + batch->vy[lane] * to.y; // times the distance
    return square < soon * soon ||
           (square < CARRIED_PAST * CARRIED_PAST && nearing < NEARS * sqrtf(square));
}

// Of the floor that an agent goes in.
static uint32_t markOf(const thGraphPlanner* planner, const thFrame* frame, int32_t row)
{
    return thiMarkOfFloor(planner, thiRouteClass(frame->radius[row]), frame->level[row]);
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

// Another goal. Where it was going it goes on until it has its turn.
static void takeUpGoal(thRouteState* state, int32_t goal)
{
    thRouteState next = {.goal = goal + 1};
    if (state->goal > 0 && state->aim != th_aimNothing && state->aim != th_aimNowhere) {
        next = *state;
        next.goal = goal + 1;
        next.isFormer = 1;
        next.shape = -1; // it may be gone
        if (next.aim == th_aimNearest || next.aim == th_aimPoint)
            next.aim = th_aimGoal;
    }
    next.hurries = state->goal > 0 && state->asked == th_askedPath;
    next.asked = next.hurries ? th_askedPath : th_askedNothing;
    *state = next;
}

// Who goes straight to a point follows it.
static void followPoint(const thFrame* frame, int32_t row, thRouteState* state)
{
    const thGoalShape shape = {.goal = state->shape};
    thFrame_NearestShapePoint(frame, &shape, frame->px[row], frame->py[row], &state->targetX,
                              &state->targetY);
}

static void solveLane(thRouteSolver* solver, int32_t lane)
{
    const thBatch* batch = solver->batch;
    const int32_t row = batch->row[lane];
    thRouteState* state = batch->state[lane];
    const int32_t goal = goalOf(solver->planner, batch->frame, row, state);
    batch->answer[lane] = th_planComplete;
    const int32_t list = batch->frame->goal[row], index = batch->frame->goalIndex[row];
    if (goal < 0 || state->goal != goal + 1 || state->list != list || state->index != index)
        thBatch_KeepState(batch, lane);
    if (goal < 0) {
        *state = (thRouteState){0};
        return;
    }
    if (state->goal != goal + 1)
        takeUpGoal(state, goal);
    if (state->list != list || state->index != index) {
        state->list = list;
        state->index = index;
    }
    const bool mustPlan = state->aim == th_aimNothing || state->isFormer ||
                          state->mark != markOf(solver->planner, batch->frame, row) ||
                          state->asked == th_askedPath;
    const bool waits = mustPlan || state->asked != th_askedNothing;
    const bool isTurnNow = waits && isTurn(solver, batch->frame->key[row], state);
    bool good = !mustPlan;
    if (isTurnNow || (good && isTimeToLook(solver->planner, batch, lane, state)))
        good = lookOrPlan(solver, lane, goal, mustPlan);
    else if (waits)
        askFor(solver, lane, goal, mustPlan ? th_askedPath : th_askedBetter);
    batch->answer[lane] = !good                         ? th_planPending
                          : state->aim == th_aimNowhere ? th_planNone
                          : state->isTight != 0         ? th_planPartial
                                                        : th_planComplete;
    if (!solver->planner->sameGoals && state->aim == th_aimGoal && state->shape >= 0) {
        thBatch_KeepState(batch, lane);
        followPoint(batch->frame, row, state);
    }
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
