// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What groups forbid, and the choice among what is left.
//
// A group is what is within the hull of its bodies. The directions that lead into it are between
// two tangents, of whichever members have the outermost ones; these need not be the members who
// stand outermost. So hulls are never made. Velocities that lead there are a cone with its apex at
// the group's velocity; those that take longer than the horizon are allowed.

#include "group/meso/meso.h"

#include "geom/fixed.h"
#include "geom/segment.h"
#include "geom/vec2.h"

#include <math.h>

// Regions are made smaller by this part of the speed limit, so that rounding does not decide where
// borders meet.
#define TOLERANCE 1.0e-5f

// Within so many tolerances a velocity is on a border.
#define ON_BORDER 8.0f

static thVec2 unitOf(thVec2 v)
{
    return thiScale(1.0f / sqrtf(thiDot(v, v)), v);
}

// How far everything of a group is at least, along a direction.
static float leastAlong(const thMesoView* view, int32_t group, thVec2 from, thVec2 along)
{
    float least = TH_FAR_OUTSIDE;
    for (int32_t i = 0; i < view->agentCount; ++i) {
        const thMesoAgent* agent = &view->agents[i];
        if (agent->group != group)
            continue;
        const float distance = thiDot(along, thiSubtract(agent->place, from)) - agent->reach;
        least = distance < least ? distance : least;
    }
    return least;
}

// Any front is good for all members. Of two, the one that is further away: across the middle of the
// cone, or towards the nearest member.
static void findFront(const thMesoView* view, int32_t group, thVec2 from, thVec2 nearest,
                      thTangentCone* cone)
{
    cone->front = unitOf(nearest);
    cone->distance = leastAlong(view, group, from, cone->front);
    const thVec2 middle = {cone->left.x + cone->right.x, cone->left.y + cone->right.y};
    if (!(thiDot(middle, middle) > 0.01f))
        return;
    const thVec2 across = unitOf(middle);
    const float distance = leastAlong(view, group, from, across);
    if (distance > cone->distance) {
        cone->front = across;
        cone->distance = distance;
    }
}

bool thiMesoFindCone(const thMesoView* view, int32_t group, thVec2 from, thTangentCone* cone)
{
    thTangentSweep sweep = thiBeginSweep(thiSubtract(view->groups[group].middle, from));
    thVec2 nearest = {0.0f, 0.0f};
    float least = TH_FAR_OUTSIDE;
    for (int32_t i = 0; i < view->agentCount && !sweep.isAround; ++i) {
        const thMesoAgent* agent = &view->agents[i];
        if (agent->group != group)
            continue;
        const thVec2 q = thiSubtract(agent->place, from);
        const float distance = sqrtf(thiDot(q, q)) - agent->reach;
        if (distance < least) {
            least = distance;
            nearest = q;
        }
        thiSweepDisc(&sweep, q, agent->reach);
    }
    if (!thiEndSweep(&sweep, cone))
        return false;
    findFront(view, group, from, nearest, cone);
    return true;
}

// Whether most of a group hold their places. Who stands in a jam goes on when it is over, and who
// has arrived gives way; these stay.
static bool stays(const thMesoQuery* query, const thMesoView* view, int32_t group)
{
    const thVec2 velocity = view->groups[group].velocity;
    const float limit = query->def->velocity;
    if (query->frame == NULL || !(thiDot(velocity, velocity) < limit * limit))
        return false;
    int32_t count = 0;
    for (int32_t i = 0; i < view->agentCount; ++i)
        count += view->agents[i].group == group &&
                 (query->frame->flags[view->agents[i].row] & th_agentHolds) != 0;
    return 2 * count > view->groups[group].count;
}

// Whether people who stand are not in the way, but where one is heading for: one goes there to join
// them, or stops before.
static bool isGoal(const thMesoQuery* query, const thMesoView* view, int32_t group,
                   const thTangentCone* cone)
{
    const thVec2 velocity = view->groups[group].velocity;
    const float limit = query->def->velocity;
    if (!(thiDot(query->corner, query->corner) > 0.0f) ||
        !(thiDot(velocity, velocity) < limit * limit))
        return false;
    thTangentCone fromCorner;
    return thiDot(cone->front, query->corner) <= cone->distance ||
           !thiMesoFindCone(view, group, query->corner, &fromCorner);
}

static thMesoFate fateOf(const thMesoQuery* query, const thMesoView* view, int32_t i,
                         thTangentCone* cone)
{
    const thMesoGroup* group = &view->groups[i];
    if (group->count < query->def->smallest || group->count < 2)
        return th_mesoSingle;
    if (group->isOwn && !stays(query, view, i))
        return th_mesoOwn;
    if (group->gap >= query->def->passable * 2.0f * query->radius)
        return th_mesoLoose;
    const thVec2 here = {0.0f, 0.0f};
    if (!thiMesoFindCone(view, i, here, cone))
        return th_mesoAround;
    return isGoal(query, view, i, cone) ? th_mesoGoal : th_mesoObstacle;
}

void thiMesoFindObstacles(const thMesoQuery* query, thMesoView* view, thMesoObstacles* obstacles)
{
    obstacles->count = 0;
    for (int32_t i = 0; i < view->groupCount; ++i) {
        thMesoGroup* group = &view->groups[i];
        thTangentCone cone;
        group->fate = fateOf(query, view, i, &cone);
        if (group->fate != th_mesoObstacle)
            continue;
        int32_t at = obstacles->count;
        for (; at > 0 && group->distance < view->groups[obstacles->group[at - 1]].distance; --at)
            continue;
        if (at == TH_MESO_GROUPS) {
            group->fate = th_mesoFurther;
            continue;
        }
        if (obstacles->count == TH_MESO_GROUPS)
            view->groups[obstacles->group[TH_MESO_GROUPS - 1]].fate = th_mesoFurther;
        else
            obstacles->count += 1;
        for (int32_t k = obstacles->count - 1; k > at; --k) {
            obstacles->group[k] = obstacles->group[k - 1];
            obstacles->region[k] = obstacles->region[k - 1];
        }
        obstacles->group[at] = i;
        obstacles->region[at] = thiConeRegion(&cone, group->velocity, query->def->horizon);
    }
}

// The velocities that lead into a wall within its horizon. False if there is nothing to say.
static bool findWall(const thMesoQuery* query, int32_t i, thRegion* region)
{
    const thVec2 a = query->wallA[i], b = query->wallB[i], along = thiSubtract(b, a);
    const float lengthSq = thiDot(along, along);
    float t = lengthSq > 0.0f ? -thiDot(a, along) / lengthSq : 0.0f;
    t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
    const thVec2 nearest = thiAddScaled(a, t, along);
    const float distance = sqrtf(thiDot(nearest, nearest));
    if (!(distance > 0.0f))
        return false;
    if (distance <= query->radius) {
        *region = (thRegion){.sides = 1};
        region->n[0] = thiScale(1.0f / distance, nearest);
        return true;
    }
    thTangentCone cone;
    thTangentSweep sweep = thiBeginSweep(nearest);
    thiSweepDisc(&sweep, a, query->radius);
    thiSweepDisc(&sweep, b, query->radius);
    if (!thiEndSweep(&sweep, &cone))
        return false;
    cone.front = thiScale(1.0f / distance, nearest);
    cone.distance = distance - query->radius;
    *region = thiConeRegion(&cone, (thVec2){0.0f, 0.0f}, query->def->wallHorizon);
    return true;
}

// Walls that the wanted velocity leads into do not count: the planner knows better. Returns how
// many there are.
static int32_t findWalls(const thMesoQuery* query, thRegion* regions)
{
    int32_t count = 0;
    for (int32_t i = 0; i < query->wallCount && query->def->wallHorizon > 0.0f; ++i)
        if (findWall(query, i, &regions[count]) &&
            !thiIsInRegion(&regions[count], query->wanted, 0.0f))
            count += 1;
    return count;
}

// The obstacle whose group has that member now. −1: none
static int32_t findMember(const thMesoView* view, const thMesoObstacles* obstacles, int32_t count,
                          uint64_t key)
{
    int32_t low = 0, high = view->agentCount;
    while (low < high) {
        const int32_t middle = (low + high) / 2;
        if (view->agents[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == view->agentCount || view->agents[low].key != key)
        return -1;
    for (int32_t i = 0; i < count; ++i)
        if (obstacles->group[i] == view->agents[low].group)
            return i;
    return -1;
}

// Notes which group a velocity passes by, and on which side. Returns the obstacle whose border
// it is on; −1: none.
static int32_t noteSide(const thMesoView* view, const thMesoObstacles* obstacles, int32_t count,
                        float tolerance, thMesoChoice* choice)
{
    float least = ON_BORDER * tolerance;
    int32_t passed = -1;
    for (int32_t i = 0; i < count; ++i) {
        const thRegion* region = &obstacles->region[i];
        const thMesoGroup* group = &view->groups[obstacles->group[i]];
        int32_t side = th_coneRight;
        float beyond = -TH_FAR_OUTSIDE; // the border of the region
        for (int32_t k = 0; k < region->sides; ++k) {
            const float by = region->o[k] - thiDot(region->n[k], choice->velocity);
            side = by > beyond ? k : side;
            beyond = by > beyond ? by : beyond;
        }
        if (!(beyond < least))
            continue;
        const thVec2 relative = thiSubtract(choice->velocity, group->velocity);
        const bool isLeft =
            side == th_coneLeft || (side == th_coneFront && thiDet(group->middle, relative) > 0.0f);
        least = beyond;
        passed = i;
        choice->key = group->key;
        choice->side = isLeft ? th_mesoLeft : th_mesoRight;
    }
    return passed;
}

// Whoever walks round people who stay does so as fast as he wants. The nearest velocity would be
// the slower the further aside it leads, and who had to go straight aside would stand before them
// for good.
static void walkAlong(const thMesoQuery* query, const thMesoView* view,
                      const thMesoObstacles* obstacles, int32_t passed,
                      const thOutsideProblem* problem, thMesoChoice* choice)
{
    if (!stays(query, view, obstacles->group[passed]))
        return;
    const int32_t k = choice->side == th_mesoLeft ? th_coneLeft : th_coneRight;
    const thVec2 n = obstacles->region[passed].n[k];
    const float o = obstacles->region[passed].o[k];
    const float limitSq = query->maxSpeed * query->maxSpeed;
    const float alongSq = TH_MIN(thiDot(query->wanted, query->wanted), limitSq) - o * o;
    if (!(alongSq > 0.0f))
        return;
    const thVec2 along = k == th_coneLeft ? thiLeftOf(n) : thiNegate(thiLeftOf(n));
    const thVec2 velocity = thiAddScaled(thiScale(o, n), sqrtf(alongSq), along);
    for (int32_t i = 0; i < problem->regionCount; ++i)
        if (thiIsInRegion(&problem->regions[i], velocity, ON_BORDER * problem->tolerance))
            return;
    choice->velocity = velocity;
}

static float distanceOf(const thMesoQuery* query, thVec2 velocity)
{
    const thVec2 from = thiSubtract(velocity, query->wanted);
    return sqrtf(thiDot(from, from));
}

thMesoChoice thiMesoChoose(const thMesoQuery* query, const thMesoView* view,
                           const thMesoObstacles* obstacles, uint64_t key, thMesoSide side)
{
    thMesoChoice choice = {query->wanted, true, obstacles->count, 0, th_mesoNone};
    const thDisc limit = {{0.0f, 0.0f}, query->maxSpeed};
    thRegion regions[TH_MESO_WALLS + TH_MESO_GROUPS];
    thOutsideProblem problem = {.wanted = query->wanted,
                                .discs = {limit, limit},
                                .tolerance = TOLERANCE * query->maxSpeed,
                                .regionCount = obstacles->count,
                                .regions = obstacles->region};
    thVec2 nearest;
    if (obstacles->count == 0 || thiIsFreeOfRegions(&problem))
        return choice;
    const int32_t walls = findWalls(query, regions);
    for (int32_t i = 0; i < obstacles->count; ++i)
        regions[walls + i] = obstacles->region[i];
    problem.regions = regions;
    thOutsideAnswer answer = th_outsideNone;
    for (; choice.left > 0; --choice.left) {
        problem.regionCount = walls + choice.left;
        answer = thiNearestOutside(&problem, &nearest);
        if (answer != th_outsideNone)
            break;
    }
    if (answer != th_outsideBorder)
        return choice;
    choice.isWanted = false;
    choice.velocity = nearest;
    const int32_t before = side != th_mesoNone ? findMember(view, obstacles, choice.left, key) : -1;
    if (before >= 0) {
        // All that is not beyond the side of then.
        thRegion* region = &regions[walls + before];
        const int32_t k = side == th_mesoLeft ? th_coneLeft : th_coneRight;
        *region = (thRegion){.sides = 1, .n = {region->n[k]}, .o = {region->o[k]}};
        const float slack = query->def->hysteresis * query->prefSpeed;
        if (thiNearestOutside(&problem, &nearest) == th_outsideBorder &&
            distanceOf(query, nearest) <= distanceOf(query, choice.velocity) + slack)
            choice.velocity = nearest;
    }
    choice.key = key;
    choice.side = side;
    const int32_t passed = noteSide(view, obstacles, choice.left, problem.tolerance, &choice);
    if (passed >= 0)
        walkAlong(query, view, obstacles, passed, &problem, &choice);
    return choice;
}

thMesoQuery thiMesoQueryOf(const thBatch* batch, const thMesoDef* def, int32_t lane, thVec2 wanted)
{
    const thFrame* frame = batch->frame;
    const int32_t row = batch->row[lane], x = frame->px[row], y = frame->py[row];
    thMesoQuery query = {.def = def,
                         .frame = frame,
                         .wanted = wanted,
                         .corner = {batch->cornerX[lane], batch->cornerY[lane]},
                         .radius = batch->radius[lane],
                         .prefSpeed = batch->prefSpeed[lane],
                         .maxSpeed = batch->maxSpeed[lane],
                         .wallCount = TH_MIN(batch->wallCount[lane], TH_MESO_WALLS)};
    for (int32_t k = 0; k < query.wallCount; ++k) {
        const thWalls* walls = frame->walls;
        const int32_t w = batch->wall[k * batch->lanes + lane];
        query.wallA[k] =
            (thVec2){thiMetresBetween(x, walls->ax[w]), thiMetresBetween(y, walls->ay[w])};
        query.wallB[k] =
            (thVec2){thiMetresBetween(x, walls->bx[w]), thiMetresBetween(y, walls->by[w])};
    }
    return query;
}
