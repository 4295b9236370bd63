// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Crowds in a square, on a circle, in clusters and in groups, and the problems of one of their
// steps.

#include "crowd.h"

#include "avoid/avoid_methods.h"
#include "avoid/clearpath/clearpath.h"
#include "throng/random.h"
#include "throng/world.h"

#include <stdlib.h>

#define TURN 6.2831853f

// The square in which people of a random crowd walk, and those far apart. [m]
#define SQUARE_COLUMNS 40
#define SQUARE_ROWS 25
#define APART 8.0f

static float randomAt(int32_t agent, uint32_t number, float low, float high)
{
    return thRandomRange(thRandomStream(1, (uint64_t)agent, 0, 0), number, low, high);
}

static thVec2 placeInSquare(int32_t agent)
{
    return (thVec2){(float)(agent % SQUARE_COLUMNS) + randomAt(agent, 0, 0.35f, 0.65f),
                    (float)(agent / SQUARE_COLUMNS) + randomAt(agent, 1, 0.35f, 0.65f)};
}

// Nobody arrives while we look.
static thVec2 goalInSquare(int32_t agent)
{
    const thVec2 at = placeInSquare(agent);
    float sine, cosine;
    thSinCos(randomAt(agent, 2, 0.0f, TURN), &sine, &cosine);
    return (thVec2){at.x + 100.0f * cosine, at.y + 100.0f * sine};
}

static thVec2 placeOnCircle(int32_t agent)
{
    float sine, cosine;
    thSinCos(TURN / 1000.0f * (float)agent, &sine, &cosine);
    return (thVec2){119.4f * cosine, 119.4f * sine};
}

static thVec2 goalOnCircle(int32_t agent)
{
    const thVec2 at = placeOnCircle(agent);
    return (thVec2){-at.x, -at.y};
}

// Every fourth is in the knot, 0.7 m from the next.
static thVec2 placeInCluster(int32_t agent)
{
    const int32_t i = agent / 4, far = agent - i - 1;
    if (agent % 4 == 0)
        return (thVec2){0.7f * (float)(i % 7 - 3), 0.7f * (float)(i / 7 - 3)};
    const thVec2 at = {APART * (float)(far % 13 - 6), APART * (float)(far / 13 - 6)};
    return (thVec2){at.x + APART / 2.0f, at.y + APART / 2.0f};
}

// Those in the knot want through it.
static thVec2 goalInCluster(int32_t agent)
{
    const thVec2 at = placeInCluster(agent);
    if (agent % 4 == 0)
        return (thVec2){-20.0f * at.x - 1.0f, -20.0f * at.y - 1.0f};
    return (thVec2){at.x + 100.0f, at.y};
}

// Groups of 1, 2, … 15, and again; 0.8 m from one to the next in them, 12 m between groups.
static thVec2 groupOf(int32_t agent, int32_t* member)
{
    enum { sizes = 15, people = sizes * (sizes + 1) / 2 };
    int32_t group = agent / people * sizes, rest = agent % people;
    for (int32_t size = 1; rest >= size; ++size) {
        rest -= size;
        group += 1;
    }
    *member = rest;
    return (thVec2){12.0f * (float)(group % 12), 12.0f * (float)(group / 12)};
}

static thVec2 placeInGroup(int32_t agent)
{
    int32_t member;
    const thVec2 at = groupOf(agent, &member);
    return (thVec2){at.x + 0.8f * (float)(member % 4), at.y + 0.8f * (float)(member / 4)};
}

static thVec2 goalInGroup(int32_t agent)
{
    int32_t member;
    const thVec2 at = groupOf(agent, &member), from = placeInGroup(agent);
    const thVec2 middle = {at.x + 1.3f, at.y + 1.1f};
    return (thVec2){from.x + 40.0f * (middle.x - from.x), from.y + 40.0f * (middle.y - from.y)};
}

const thPaperScene thiPaperRandom = {"random crowd, 1 agent to a square metre",
                                     SQUARE_COLUMNS* SQUARE_ROWS, 10, placeInSquare, goalInSquare};
const thPaperScene thiPaperCircle = {"circle-1k, in the middle", 1000, 900, placeOnCircle,
                                     goalOnCircle};
const thPaperScene thiPaperGroups = {"groups of 1 to 15", 960, 5, placeInGroup, goalInGroup};
const thPaperScene thiPaperClustered = {"clustered, 200 agents", 200, 5, placeInCluster,
                                        goalInCluster};

// Who is watching; there is one crowd at a time.
static thPaperCrowd* watcher;
static int64_t lastStep;

static void keepProblem(const thClearpathTask* task, int32_t lane)
{
    thPaperAgent* agent = &watcher->agents[watcher->count++];
    thRegion regions[2 * thPaperRegions];
    const thClearpathTry first = {.lane = lane, .aim = thiClearpathWanted(task, lane)};
    agent->problem = thiClearpathProblem(task, &first, regions, NULL);
    for (int32_t i = 0; i < agent->problem.regionCount; ++i)
        agent->regions[i] = regions[i];
    agent->problem.regions = agent->regions;
    thVec2 v;
    agent->isFree = thiNearestOutside(&agent->problem, &v) == th_outsideFree;
}

// The method, and somebody who looks on.
static void solveWatched(const thBatch* batch, const void* params, const void* shared)
{
    thClearpathTask task;
    if ((int64_t)batch->frame->step == lastStep &&
        thiClearpathMakeTask(batch, params, th_simdScalar, &task))
        for (int32_t lane = 0; lane < batch->count; ++lane)
            keepProblem(&task, lane);
    thiAvoidClearpath.solve(batch, params, shared);
}

static thResult placeEverybody(thWorld* world, const thPaperScene* scene)
{
    thMethod watched = thiAvoidClearpath;
    watched.name = "watched";
    watched.solve = solveWatched;
    TH_TRY(thWorld_AddMethod(world, th_methodAvoid, &watched));
    thProfileDef profile = thDefaultProfileDef();
    profile.avoid.name = watched.name;
    profile.neighborCount = thPaperRegions;
    profile.neighborRadius = 3.75f;
    profile.prefSpeed = 1.4f;
    thAgentDef def = thDefaultAgentDef();
    TH_TRY(thCreateProfile(world, &profile, &def.profile, NULL));
    for (int32_t i = 0; i < scene->count; ++i) {
        thAgentId id;
        def.position = scene->placeOf(i);
        TH_TRY(thCreatePointGoal(world, scene->goalOf(i), &def.goal));
        TH_TRY(thCreateAgent(world, &def, &id));
    }
    return th_resultOk;
}

static thResult runScene(thWorld* world, const thPaperScene* scene)
{
    TH_TRY(placeEverybody(world, scene));
    for (int32_t i = 0; i < scene->steps; ++i)
        TH_TRY(thWorld_Step(world, 0.1f));
    return th_resultOk;
}

thResult thiPaperMeet(const thPaperScene* scene, thPaperCrowd* crowd)
{
    *crowd = (thPaperCrowd){.name = scene->name};
    crowd->agents = calloc((size_t)scene->count, sizeof *crowd->agents);
    if (crowd->agents == NULL)
        return th_resultNoMemory;
    watcher = crowd;
    lastStep = scene->steps - 1;
    thWorldDef def = thDefaultWorldDef(); // one worker, so agents come in their order
    thWorld* world;
    thResult code = thCreateWorld(&def, &world);
    if (code == th_resultOk)
        code = runScene(world, scene);
    thDestroyWorld(world);
    if (code != th_resultOk)
        thiPaperForget(crowd);
    return code;
}

void thiPaperForget(thPaperCrowd* crowd)
{
    free(crowd->agents);
    *crowd = (thPaperCrowd){0};
}
