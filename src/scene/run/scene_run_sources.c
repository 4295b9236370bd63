// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Sources: agents that appear as time goes by, each at a random free place. Those that find none
// wait; how many were created is all that there is to remember.

#include "base/fp_environment.h"
#include "move/free_place.h"
#include "scene/run/scene_run.h"
#include "throng/query.h"
#include "throng/random.h"

#include <math.h>

// Places that an agent tries in a step, and those that are tried to see whether there are any.
#define TRIES 32
#define CHECK_TRIES 4096

// Agent n appears at begin + n / rate, before the end.
static int64_t totalOf(const thScenePlace* place)
{
    const double room = (double)(TH_FIRST_OWN_KEY - TH_FIRST_SOURCE_KEY);
    const double until = ceil((place->end - place->begin) * place->rate - 1e-6);
    if (!(until < room))
        return place->count;
    const int64_t due = (int64_t)TH_MAX(until, 0.0);
    return place->count < 0 ? due : TH_MIN(place->count, due);
}

static uint64_t keyOf(const thRun* run, const thRunSource* source, int64_t ordinal)
{
    return TH_FIRST_SOURCE_KEY + (uint64_t)ordinal * (uint64_t)run->sourceCount +
           (uint64_t)(source - run->sources);
}

// Checks. What is wrong with a source shows only when agents should appear, so it is looked for
// before.

static bool hasFreePlace(const thRun* run, const thRegion* region, int32_t level, float radius)
{
    const uint64_t stream = thRandomStream(run->seed, 0, 0, th_runSource);
    uint32_t next = 0;
    thPoint place;
    for (int32_t i = 0; i < CHECK_TRIES; ++i)
        if (thiRegionDraw(region, stream, &next, &place) &&
            thiIsFreePlace(run->world->walls.grid, level, place, radius))
            return true;
    return false;
}

// Whether a goal that is so far from any place of a region is in the world.
static bool isInWorld(const thRegion* region, const double offset[2])
{
    const double most = THRONG_MAX_COORDINATE, unit = 1.0 / THRONG_UNITS_PER_METRE;
    return region->low.x * unit + offset[0] >= -most && region->high.x * unit + offset[0] <= most &&
           region->low.y * unit + offset[1] >= -most && region->high.y * unit + offset[1] <= most;
}

static void checkSource(const thRun* run, const thRunSource* source, thRunErrors* errors)
{
    const thScene* scene = run->scene;
    const thSceneAgents* agents = &scene->agents[source->entry];
    const thSceneGoal* goal = agents->goal >= 0 ? &scene->goals[agents->goal] : NULL;
    const float radius = thiAgentRadius(run, source->entry, keyOf(run, source, 0));
    // A door may be in the way now and open later.
    if (scene->doorCount == 0 && !hasFreePlace(run, &source->region, agents->level, radius))
        thiReportAt(&errors->sink, th_resultBlocked, agents->source,
                    "the source has no place off the walls for agents of radius %g m",
                    (double)radius);
    if (goal != NULL && goal->kind == th_sceneGoalOffset &&
        !isInWorld(&source->region, goal->offset))
        thiReportAt(&errors->sink, th_resultBlocked, agents->source,
                    "goals of agents from this source may be more than %d m from the origin",
                    (int)THRONG_MAX_COORDINATE);
    if (goal != NULL && goal->kind == th_sceneGoalRandom &&
        !hasFreePlace(run, &run->goalRegions[agents->goal], agents->level, radius))
        thiReportAt(&errors->sink, th_resultBlocked, agents->source,
                    "no place off the walls was found for goals of agents from this source");
}

// Copies of a source are sources of their own.
static int64_t countSources(const thScene* scene)
{
    int64_t count = 0;
    for (int32_t i = 0; i < scene->agentsCount; ++i)
        if (scene->agents[i].place.kind == th_placeSource)
            count += thiCopyCount(&scene->agents[i].repeat);
    return count;
}

thResult thiBuildSources(thRun* run, thRunErrors* errors)
{
    const thScene* scene = run->scene;
    const size_t size = (size_t)TH_MAX(countSources(scene), 1) * sizeof *run->sources;
    run->sources = thiArenaAllocate(&run->arena, size);
    if (run->sources == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < scene->agentsCount; ++i) {
        const thScenePlace* place = &scene->agents[i].place;
        if (place->kind != th_placeSource)
            continue;
        for (int32_t number = 0; number < thiCopyCount(&scene->agents[i].repeat); ++number) {
            const thCopy copy = thiCopyOf(&scene->agents[i].repeat, number);
            thRunSource* source = &run->sources[run->sourceCount++];
            *source = (thRunSource){.entry = i, .total = totalOf(place)};
            TH_TRY(
                thiMakeRegion(&place->region, &copy, scene->origin, &run->arena, &source->region));
        }
    }
    TH_TRY(thiUpdateWalls(run->world));
    int32_t wrong = -1; // an entry; what is wrong with one copy is not told of the others
    for (int32_t i = 0; i < run->sourceCount; ++i) {
        const int32_t errorsBefore = errors->sink.count;
        if (run->sources[i].entry != wrong)
            checkSource(run, &run->sources[i], errors);
        if (errors->sink.count > errorsBefore)
            wrong = run->sources[i].entry;
    }
    return th_resultOk;
}

// What happens in a step.

static bool isDone(const thRunSource* source)
{
    return source->total >= 0 && source->created >= source->total;
}

bool thiAreSourcesDone(const thRun* run)
{
    for (int32_t i = 0; i < run->sourceCount; ++i)
        if (!isDone(&run->sources[i]))
            return false;
    return true;
}

// Fills `run->near` with the agents whose centre is within a distance of a place. Those on no layer
// are not seen.
static thResult findNear(thRun* run, thVec2 at, float distance, int32_t level)
{
    thArray* near = &run->near;
    const thQueryFilter filter = {level, UINT32_MAX};
    near->count =
        thWorld_AgentsInDisc(run->world, at, distance, filter, near->data, near->capacity);
    if (near->count <= near->capacity)
        return th_resultOk;
    const int32_t count = near->count;
    near->count = 0;
    TH_TRY(thiArrayReserve(near, 2 * count));
    near->count = thWorld_AgentsInDisc(run->world, at, distance, filter, near->data, count);
    return th_resultOk;
}

// th_resultBlocked if a body is too near to an agent.
static thResult checkRoom(thRun* run, int32_t entry, thPoint place, float radius)
{
    const thSceneAgents* agents = &run->scene->agents[entry];
    const float gap = (float)agents->place.gap;
    TH_TRY(findNear(run, thiTell(place), radius + run->largestRadius + gap, agents->level));
    const thRows* rows = thiRows(run->world);
    for (int32_t i = 0; i < run->near.count; ++i) {
        const int32_t row = thiFindRow(run->world, TH_ITEMS(run->near, thAgentId)[i]);
        const double dx = (double)rows->px[row] - place.x, dy = (double)rows->py[row] - place.y;
        const double space =
            ((double)radius + (double)rows->radius[row] + (double)gap) * THRONG_UNITS_PER_METRE;
        if (dx * dx + dy * dy < space * space)
            return th_resultBlocked;
    }
    return th_resultOk;
}

// A free place for an agent, or th_resultBlocked. Walls must be up to date.
static thResult findPlace(thRun* run, const thRunSource* source, const thAgentDef* def,
                          uint64_t step, thPoint* place)
{
    const uint64_t stream = thRandomStream(run->seed, def->key, step, th_runSource);
    uint32_t next = 0;
    for (int32_t i = 0; i < TRIES; ++i) {
        if (!thiRegionDraw(&source->region, stream, &next, place) ||
            !thiIsFreePlace(run->world->walls.grid, def->level, *place, def->radius))
            continue;
        const thResult code = checkRoom(run, source->entry, *place, def->radius);
        if (code != th_resultBlocked)
            return code;
    }
    return th_resultBlocked;
}

// th_resultBlocked: it finds no place and waits.
static thResult createNext(thRun* run, thRunSource* source, uint64_t step)
{
    const int32_t entry = source->entry;
    const uint64_t key = keyOf(run, source, source->created);
    thPoint place;
    thCoord wish;
    thAgentDef def = thiAgentDefOf(run, entry);
    def.key = key;
    def.radius = thiAgentRadius(run, entry, key);
    def.prefSpeed = thiAgentSpeed(run, entry, key);
    def.maxSpeed = thiAgentMaxSpeed(run, entry, key);
    TH_TRY(findPlace(run, source, &def, step, &place));
    TH_TRY(
        thiAgentGoal(run, entry, key, place, thiRegionCenter(&source->region), &def.goal, &wish));
    def.position = thiTell(place);
    def.heading = thiAgentHeading(run, entry, place, def.goal);
    const uint64_t delay = thiAgentDelay(run, entry, key);
    thAgentId agent;
    if (delay > 0) {
        def.flags = th_agentWaiting;
        TH_TRY(thiArrayReserve(&run->delays, run->delays.count + 1));
    }
    TH_TRY(thCreateAgent(run->world, &def, &agent));
    source->created += 1;
    return delay > 0 ? thiAddDelay(run, (thRunDelay){step + delay, key}) : th_resultOk;
}

// The step in which an agent of a source is to appear.
static uint64_t dueStep(const thRun* run, const thRunSource* source, int64_t ordinal)
{
    const thScenePlace* place = &run->scene->agents[source->entry].place;
    return thiStepOfTime(run, place->begin + (double)ordinal / place->rate);
}

static thResult runSource(thRun* run, thRunSource* source, uint64_t step)
{
    while (!isDone(source) && dueStep(run, source, source->created) <= step) {
        const thResult code = createNext(run, source, step);
        if (code == th_resultBlocked)
            break;
        TH_TRY(code);
    }
    return th_resultOk;
}

thResult thiRunSources(thRun* run, uint64_t step)
{
    if (run->sourceCount > 0)
        TH_TRY(thiUpdateWalls(run->world));
    for (int32_t i = 0; i < run->sourceCount; ++i)
        TH_TRY(runSource(run, &run->sources[i], step));
    return th_resultOk;
}

// How many of a source were due in the steps that were made, but are not created.
static int64_t countWaiting(const thRun* run, const thRunSource* source)
{
    const thScenePlace* place = &run->scene->agents[source->entry].place;
    const uint64_t steps = run->world->step;
    const double time = (double)steps * run->scene->step;
    const double due = (time - place->begin) * place->rate + 1.0;
    const double most = TH_MIN(TH_MAX(due, 0.0), (double)TH_FIRST_OWN_KEY);
    int64_t high =
        source->total >= 0 && (double)source->total <= most ? source->total : (int64_t)most;
    int64_t low = source->created; // all before it are due, none from `high` on
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (dueStep(run, source, middle) < steps)
            low = middle + 1;
        else
            high = middle;
    }
    return low - source->created;
}

int64_t thRun_CountWaiting(const thRun* run)
{
    TH_REQUIRE(run != NULL, 0);
    const thFpEnvironment hostEnvironment = thiFpEnter();
    int64_t waiting = 0;
    for (int32_t i = 0; i < run->sourceCount; ++i)
        waiting += countWaiting(run, &run->sources[i]);
    thiFpRestore(hostEnvironment);
    return waiting;
}
