// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// One agent of a scene: what is drawn for it and where it wants to go. All of it follows from the
// seed and the agent's key.

#include "move/free_place.h"
#include "scene/run/scene_run.h"
#include "sim/ranges.h"
#include "throng/random.h"

#include <math.h>

// Draws of a number that must be between two others, before the nearest is taken.
#define MAX_DRAWS 1000

// Places that are tried for a random goal.
#define GOAL_DRAWS 256

// The most random points of one goal, see docs/scenes.md.
#define MAX_POINTS 1000

static double drawNormal(const thDraw* draw, uint64_t stream)
{
    double value = draw->a;
    for (uint32_t i = 0; i < MAX_DRAWS; ++i) {
        value = draw->a + draw->b * (double)thRandomNormal(stream, i);
        if (value >= draw->min && value <= draw->max)
            return value;
    }
    return value < draw->min ? draw->min : draw->max;
}

double thiDraw(const thDraw* draw, uint64_t seed, uint64_t key, thRunPurpose purpose)
{
    if (draw->kind == th_drawFixed)
        return draw->a;
    const uint64_t stream = thRandomStream(seed, key, 0, (uint32_t)purpose);
    if (draw->kind == th_drawUniform)
        return draw->a + (draw->b - draw->a) * (double)thRandomUnit(stream, 0);
    return drawNormal(draw, stream);
}

static const thSceneProfile* profileOf(const thRun* run, int32_t entry)
{
    return &run->scene->profiles[run->scene->agents[entry].profile];
}

float thiAgentRadius(const thRun* run, int32_t entry, uint64_t key)
{
    return (float)thiDraw(&profileOf(run, entry)->radius, run->seed, key, th_runRadius);
}

float thiAgentSpeed(const thRun* run, int32_t entry, uint64_t key)
{
    return (float)thiDraw(&profileOf(run, entry)->speed, run->seed, key, th_runSpeed);
}

float thiAgentMaxSpeed(const thRun* run, int32_t entry, uint64_t key)
{
    const float most =
        (float)thiDraw(&profileOf(run, entry)->maxSpeed, run->seed, key, th_runMaxSpeed);
    return TH_MAX(most, thiAgentSpeed(run, entry, key));
}

uint64_t thiAgentDelay(const thRun* run, int32_t entry, uint64_t key)
{
    const double delay = thiDraw(&run->scene->agents[entry].delay, run->seed, key, th_runDelay);
    return thiStepOfTime(run, delay);
}

thAgentDef thiAgentDefOf(const thRun* run, int32_t entry)
{
    const thSceneAgents* agents = &run->scene->agents[entry];
    thAgentDef def = thDefaultAgentDef();
    def.profile = run->profiles[entry];
    def.velocity = (thVec2){(float)agents->velocity[0], (float)agents->velocity[1]};
    def.level = agents->level;
    def.layers = agents->layers;
    def.mask = agents->mask;
    def.priority = (float)agents->priority;
    return def;
}

float thiAgentHeading(const thRun* run, int32_t entry, thPoint place, thGoalId goal)
{
    const double degrees = run->scene->agents[entry].heading;
    if (!isnan(degrees))
        return (float)(degrees * (0x1.921fb54442d18p+1 / 180.0));
    thVec2 way;
    if (!thiNearestGoalPoint(&run->world->goals, THRONG_SLOT(goal), 0, place.x, place.y, &way))
        return 0.0f;
    return thAtan2(way.y, way.x);
}

thPoint thiRegionCenter(const thRegion* region)
{
    return (thPoint){(int32_t)(((int64_t)region->low.x + region->high.x) / 2),
                     (int32_t)(((int64_t)region->low.y + region->high.y) / 2)};
}

// Goals of its own.

static thCoord metresOf(double x, double y)
{
    return (thCoord){x / THRONG_UNITS_PER_METRE, y / THRONG_UNITS_PER_METRE};
}

// Creates a goal that is an agent's own. Goals of agents that are there from the beginning stay as
// long as the run; those of sources would become ever more, so they are kept in mind.
static thResult createOwn(thRun* run, uint64_t key, const thGoalDef* def, thGoalId* goal)
{
    const bool isOfSource = key >= TH_FIRST_SOURCE_KEY;
    thGoalId* kept = isOfSource ? thiArrayAdd(&run->ownGoals, 1) : goal;
    if (kept == NULL)
        return th_resultNoMemory;
    const thResult code = thCreateGoal(run->world, def, goal);
    *kept = *goal; // null if it failed: that is collected too
    return code;
}

static thResult createPoint(thRun* run, uint64_t key, thVec2 point, thGoalId* goal)
{
    thGoalDef def = thDefaultGoalDef();
    def.points = &point;
    def.pointCount = 1;
    return thiIsPlace(point) ? createOwn(run, key, &def, goal) : th_resultBadArgument;
}

static thVec2 floatsOf(thCoord at)
{
    return (thVec2){(float)at.x, (float)at.y};
}

// A random point of a region where the agent could stand. Walls must be up to date.
static bool drawGoal(const thRun* run, int32_t entry, uint64_t stream, float radius, uint32_t* next,
                     thPoint* point)
{
    const thSceneAgents* agents = &run->scene->agents[entry];
    for (int32_t i = 0; i < GOAL_DRAWS; ++i) {
        if (!thiRegionDraw(&run->goalRegions[agents->goal], stream, next, point))
            return false;
        if (thiIsFreePlace(run->world->walls.grid, agents->level, *point, radius))
            return true;
    }
    return false;
}

// What was made before a failure is nobody's goal, and is collected like those of agents that left.
static thResult createRandomGoal(thRun* run, int32_t entry, uint64_t key, thGoalId* goal)
{
    const int32_t wanted = run->scene->goals[run->scene->agents[entry].goal].count;
    const int32_t count = TH_MIN(wanted, MAX_POINTS);
    const uint64_t stream = thRandomStream(run->seed, key, 0, th_runGoal);
    const float radius = thiAgentRadius(run, entry, key);
    thGoalId points[MAX_POINTS];
    uint32_t next = 0;
    for (int32_t i = 0; i < count; ++i) {
        thPoint point;
        if (!drawGoal(run, entry, stream, radius, &next, &point))
            return th_resultBlocked;
        TH_TRY(createPoint(run, key, thiTell(point), &points[i]));
    }
    *goal = points[0];
    if (count == 1)
        return th_resultOk;
    thGoalDef def = thDefaultGoalDef();
    def.kind = th_goalList;
    def.goals = points;
    def.goalCount = count;
    return createOwn(run, key, &def, goal);
}

thResult thiAgentGoal(thRun* run, int32_t entry, uint64_t key, thPoint place, thPoint center,
                      thGoalId* goal, thCoord* wish)
{
    const int32_t index = run->scene->agents[entry].goal;
    *goal = (thGoalId){0};
    if (index < 0)
        return th_resultOk;
    const thSceneGoal* sceneGoal = &run->scene->goals[index];
    switch (sceneGoal->kind) {
    case th_sceneGoalOpposite:
        *wish = metresOf(2.0 * center.x - place.x, 2.0 * center.y - place.y);
        return createPoint(run, key, floatsOf(*wish), goal);
    case th_sceneGoalOffset:
        *wish = metresOf(place.x, place.y);
        wish->x += sceneGoal->offset[0];
        wish->y += sceneGoal->offset[1];
        return createPoint(run, key, floatsOf(*wish), goal);
    case th_sceneGoalRandom:
        *wish = metresOf(place.x, place.y);
        return createRandomGoal(run, entry, key, goal);
    default:
        *goal = run->goals[index];
        return th_resultOk;
    }
}
