// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// From agents of a world to those of DetourCrowd, and their goals from step to step.

#include "their_agents.h"

#include "geom/fixed.h"
#include "sim/world_internal.h"

#include <float.h>
#include <stdlib.h>
#include <throng/outline.h>

// Free ground round everything, so that nobody meets the border. [m]
static const float margin = 100.0f;

typedef struct Box {
    thVec2 low, high;
} Box;

static void widen(Box* box, thVec2 point, float by)
{
    box->low.x = TH_MIN(box->low.x, point.x - by);
    box->low.y = TH_MIN(box->low.y, point.y - by);
    box->high.x = TH_MAX(box->high.x, point.x + by);
    box->high.y = TH_MAX(box->high.y, point.y + by);
}

static void widenByGoal(void* context, const thGoalOutline* goal)
{
    for (int32_t i = 0; i < goal->pointCount; ++i)
        widen(context, goal->points[i], margin + goal->radius);
}

// A crowd with nobody on a square that holds all agents and goals.
static DetourCrowd* createCrowd(const Party* ours, const thWorld* world, float maxRadius)
{
    Box box = {{FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX}};
    for (int32_t i = 0; i < ours->count; ++i)
        widen(&box, ours->bodies[i].position, margin);
    thWorld_VisitGoals(world, widenByGoal, &box);
    const float side = TH_MAX(box.high.x - box.low.x, box.high.y - box.low.y);
    return detourCreate(ours->count, maxRadius, box.low, side);
}

// The way from a walker to the goal it heads for. False: it has none.
static bool wayToGoal(const Walker* walker, const thWorld* world, thVec2 from, thVec2* way)
{
    return thiNearestGoalPoint(&world->goals, walker->goal, walker->goalIndex, thiUnits(from.x),
                               thiUnits(from.y), way);
}

static void setOut(TheirAgents* theirs, int32_t index, const thWorld* world)
{
    const Walker* walker = &theirs->walkers[index];
    const thVec2 from = theirs->party.bodies[index].position;
    thVec2 way;
    if (wayToGoal(walker, world, from, &way))
        detourSetTarget(theirs->crowd, walker->number, (thVec2){from.x + way.x, from.y + way.y});
}

static bool isWaiting(const thWorld* world, thAgentId agent)
{
    return (thAgent_Get(world, agent).flags & th_agentWaiting) != 0;
}

// One more, like one of ours. It walks at the speed that ours prefers.
static bool addWalker(TheirAgents* theirs, Body body, thAgentId original, const thWorld* world,
                      float step)
{
    const thAgentInfo info = thAgent_GetInfo(world, original);
    const thProfileDef* profile = &thiProfiles(world)[THRONG_SLOT(info.profile)].def;
    const DetourAgentDef def = {
        .position = body.position,
        .radius = body.radius,
        .speed = info.prefSpeed,
        // Without a limit it may turn round within a step.
        .maxAccel = info.maxAccel > 0.0f ? info.maxAccel : 2.0f * info.prefSpeed / step,
    };
    const Walker walker = {
        .original = original,
        .number = detourAddAgent(theirs->crowd, &def),
        .goal = THRONG_SLOT(info.goal),
        .arrivalDistance = profile->arrivalDistance,
        .arrival = profile->arrival,
        .waits = isWaiting(world, original),
    };
    if (walker.number < 0)
        return false;
    const int32_t index = theirs->party.count++;
    theirs->walkers[index] = walker;
    theirs->party.bodies[index] = body;
    if (!walker.waits)
        setOut(theirs, index, world);
    return true;
}

bool createTheirAgents(TheirAgents* theirs, const OurAgents* ours, const thWorld* world,
                       float maxRadius, float step)
{
    const Party* party = &ours->party;
    theirs->walkers = calloc((size_t)party->count, sizeof *theirs->walkers);
    theirs->crowd = createCrowd(party, world, maxRadius);
    bool good = createParty(&theirs->party, party->count) && theirs->walkers != NULL &&
                theirs->crowd != NULL;
    for (int32_t i = 0; i < party->count && good; ++i)
        good = addWalker(theirs, party->bodies[i], ours->ids[i], world, step);
    return good;
}

void freeTheirAgents(TheirAgents* theirs)
{
    detourDestroy(theirs->crowd);
    free(theirs->walkers);
    freeParty(&theirs->party);
    *theirs = (TheirAgents){0};
}

static bool hasReached(const Walker* walker, const thWorld* world, thVec2 at)
{
    const float distance = walker->arrivalDistance;
    thVec2 way;
    return !walker->waits && !walker->arrived && wayToGoal(walker, world, at, &way) &&
           way.x * way.x + way.y * way.y <= distance * distance;
}

static void removeWalker(TheirAgents* theirs, int32_t index)
{
    detourRemoveAgent(theirs->crowd, theirs->walkers[index].number);
    const int32_t last = --theirs->party.count;
    theirs->walkers[index] = theirs->walkers[last];
    theirs->party.bodies[index] = theirs->party.bodies[last];
}

// It goes on to the next goal of a list; after the last its profile decides.
static void arrive(TheirAgents* theirs, int32_t index, const thWorld* world)
{
    Walker* walker = &theirs->walkers[index];
    const int32_t length = thiGoalLength(&world->goals, walker->goal);
    const bool isLast = walker->goalIndex + 1 == length;
    if (!isLast || (walker->arrival == th_arrivalAgain && length > 1)) {
        walker->goalIndex = isLast ? 0 : walker->goalIndex + 1;
        setOut(theirs, index, world);
    } else if (walker->arrival == th_arrivalLeave) {
        removeWalker(theirs, index);
    } else {
        walker->arrived = true;
    }
}

void followTheirAgents(TheirAgents* theirs, const thWorld* world)
{
    Party* party = &theirs->party;
    party->walked = 0.0;
    for (int32_t i = party->count - 1; i >= 0; --i) {
        Walker* walker = &theirs->walkers[i];
        moveBody(party, i, detourGetPosition(theirs->crowd, walker->number));
        if (walker->waits && !isWaiting(world, walker->original)) {
            walker->waits = false;
            setOut(theirs, i, world);
        }
        if (hasReached(walker, world, party->bodies[i].position))
            arrive(theirs, i, world);
    }
}
