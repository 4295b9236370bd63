// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What happens by the clock, before each step: doors open and shut, agents that waited go, and new
// ones appear. Everything depends on the number of the step and on what is saved.

#include "base/machine.h"
#include "geom/segment.h"
#include "move/free_place.h"
#include "scene/run/scene_run.h"
#include "scene/scene_draw.h"
#include "sim/ranges.h"
#include "throng/query.h"
#include "throng/random.h"

#include <math.h>
#include <string.h>

// How often goals that nobody has any more are collected. [steps]
#define COLLECT_STEPS 64

// Places that an agent tries in a step, and those that are tried to see whether there are any.
#define TRIES 32
#define CHECK_TRIES 4096

// How far from a door that shut somebody is put who stood in it. [units]
#define CLEAR_OF_DOOR (THRONG_UNITS_PER_METRE / 1024.0)

// Doors.

// Whether a door is open in a step.
static bool isDoorOpen(const thRun* run, int32_t door, uint64_t step)
{
    const thSceneDoor* sceneDoor = &run->scene->doors[door];
    for (int32_t i = 0; i < sceneDoor->openCount; ++i)
        if (step >= thiStepOfTime(run, sceneDoor->open[2 * i]) &&
            step < thiStepOfTime(run, sceneDoor->open[2 * i + 1]))
            return true;
    return false;
}

// A thin wall in the way of a door.
static thResult shutDoor(thRun* run, int32_t door)
{
    const thSceneDoor* sceneDoor = &run->scene->doors[door];
    thVec2 ends[2];
    if (!thiToWorld(sceneDoor->a, run->scene->origin, &ends[0]) ||
        !thiToWorld(sceneDoor->b, run->scene->origin, &ends[1]))
        return th_resultBadArgument;
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = th_obstacleWall;
    def.points = ends;
    def.pointCount = 2;
    def.level = sceneDoor->level;
    return thCreateObstacle(run->world, &def, &run->doors[door]);
}

static thResult buildClosings(thRun* run)
{
    const thScene* scene = run->scene;
    int32_t count = 0;
    for (int32_t i = 0; i < scene->doorCount; ++i)
        count += scene->doors[i].openCount;
    run->closings = thiArenaAllocate(&run->arena, (size_t)TH_MAX(count, 1) * sizeof(thRunClosing));
    if (run->closings == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < scene->doorCount; ++i)
        for (int32_t k = 0; k < scene->doors[i].openCount; ++k)
            run->closings[run->closingCount++] = (thRunClosing){.door = i, .interval = k};
    return th_resultOk;
}

thResult thiBuildDoors(thRun* run, thRunErrors* errors)
{
    const thScene* scene = run->scene;
    const size_t size = (size_t)TH_MAX(scene->doorCount, 1) * sizeof *run->doors;
    run->doors = thiArenaAllocate(&run->arena, size);
    if (run->doors == NULL)
        return th_resultNoMemory;
    memset(run->doors, 0, size);
    TH_TRY(buildClosings(run));
    for (int32_t i = 0; i < scene->doorCount; ++i) {
        const thResult code = isDoorOpen(run, i, 0) ? th_resultOk : shutDoor(run, i);
        if (code == th_resultNoMemory)
            return code;
        if (code != th_resultOk)
            thiReportAt(&errors->sink, code, scene->doors[i].source, "the world refuses this door");
    }
    return th_resultOk;
}

// The ends of a door. [units]
typedef struct Door {
    thPoint a, b;
    int32_t level;
} Door;

static bool findDoor(const thRun* run, int32_t index, Door* door)
{
    const thSceneDoor* sceneDoor = &run->scene->doors[index];
    thVec2 ends[2];
    if (!thiToWorld(sceneDoor->a, run->scene->origin, &ends[0]) ||
        !thiToWorld(sceneDoor->b, run->scene->origin, &ends[1]))
        return false;
    *door = (Door){thiPointOf(ends[0]), thiPointOf(ends[1]), sceneDoor->level};
    return true;
}

static bool standsIn(const thRows* rows, int32_t row, const Door* door)
{
    if (rows->flags[row] == 0 || rows->level[row] != door->level)
        return false;
    const thOffset offset =
        thiOffsetToSegment((thPoint){rows->px[row], rows->py[row]}, door->a, door->b);
    const double radius = (double)rows->radius[row] * THRONG_UNITS_PER_METRE;
    return offset.x * offset.x + offset.y * offset.y <= radius * radius;
}

// Every row is looked at, but only while a door wants to shut.
static bool isInTheWay(const thRun* run, const Door* door)
{
    const thRows* rows = thiRows(run->world);
    for (int32_t row = 0; row < rows->count; ++row)
        if (standsIn(rows, row, door))
            return true;
    return false;
}

// The place at the nearer side of a door where a body touches it no longer. [m]
static thVec2 placeBeside(const thRows* rows, int32_t row, const Door* door)
{
    const double dx = (double)door->b.x - door->a.x, dy = (double)door->b.y - door->a.y;
    const double ax = (double)rows->px[row] - door->a.x, ay = (double)rows->py[row] - door->a.y;
    const double length = sqrt(dx * dx + dy * dy);
    const double beside = (dx * ay - dy * ax) / length; // to the left
    const double radius = (double)rows->radius[row] * THRONG_UNITS_PER_METRE + CLEAR_OF_DOOR;
    const double by = (beside >= 0.0 ? radius : -radius) - beside;
    return (thVec2){(float)((rows->px[row] - dy / length * by) / THRONG_UNITS_PER_METRE),
                    (float)((rows->py[row] + dx / length * by) / THRONG_UNITS_PER_METRE)};
}

// Shuts a door on those who stand in it. Whom the host moves stays where it is, and who finds no
// place.
static thResult shutAtOnce(thRun* run, const Door* door, thRunClosing* closing)
{
    const thRows* rows = thiRows(run->world);
    TH_TRY(shutDoor(run, closing->door));
    for (int32_t row = 0; row < rows->count; ++row) {
        if (!standsIn(rows, row, door) || !thiIsMovedByWorld(rows->flags[row]))
            continue;
        const thAgentId agent = {thiIdPoolIdOf(&run->world->agents.ids, rows->slot[row])};
        const thResult code = thAgent_SetPlace(run->world, agent, placeBeside(rows, row, door),
                                               door->level, th_placementNearest);
        if (code != th_resultBlocked)
            TH_TRY(code);
        closing->pushed += code == th_resultOk;
    }
    return th_resultOk;
}

// The latest time before a step at which a door was to shut; NULL: it never was.
static thRunClosing* lastClosing(const thRun* run, int32_t door, uint64_t step)
{
    thRunClosing* last = NULL;
    for (int32_t i = 0; i < run->closingCount; ++i) {
        thRunClosing* closing = &run->closings[i];
        if (closing->door == door &&
            thiStepOfTime(run, run->scene->doors[door].open[2 * closing->interval + 1]) <= step)
            last = closing;
    }
    return last;
}

// A door whose time has come.
static thResult tryShut(thRun* run, int32_t index, uint64_t step)
{
    thRunClosing none = {.door = index};
    thRunClosing* closing = lastClosing(run, index, step);
    Door door;
    if (closing == NULL)
        closing = &none;
    if (!findDoor(run, index, &door))
        return th_resultOk;
    if (run->scene->doors[index].shut == th_shutAtOnce)
        TH_TRY(shutAtOnce(run, &door, closing));
    else if (isInTheWay(run, &door))
        return th_resultOk;
    else
        TH_TRY(shutDoor(run, index));
    closing->shut = step + 1;
    return th_resultOk;
}

static thResult runDoors(thRun* run, uint64_t step)
{
    for (int32_t i = 0; i < run->scene->doorCount; ++i) {
        const bool open = isDoorOpen(run, i, step);
        const thObstacleId wall = run->doors[i];
        if (open && wall.value != 0) {
            // A saved run may come from anywhere: only what is a wall is taken away.
            if (thiIdPoolFind(&run->world->obstacles.ids, wall.value) >= 0)
                TH_TRY(thDestroyObstacle(run->world, wall));
            run->doors[i] = (thObstacleId){0};
        } else if (!open && wall.value == 0) {
            TH_TRY(tryShut(run, i, step));
        }
    }
    return th_resultOk;
}

// Whether a door should be shut in a step, but is not.
static bool isLate(const thRun* run, int32_t door, uint64_t step)
{
    return run->doors[door].value == 0 && !isDoorOpen(run, door, step);
}

// Who may go through a door that is late.
static thResult notePassing(thRun* run, uint64_t step)
{
    const thRows* rows = thiRows(run->world);
    bool anyLate = false;
    for (int32_t i = 0; i < run->scene->doorCount && !anyLate; ++i)
        anyLate = isLate(run, i, step);
    run->passing.count = 0;
    for (int32_t row = 0; row < rows->count && anyLate; ++row) {
        if (rows->flags[row] == 0)
            continue;
        thRunPassing* passing = thiArrayAdd(&run->passing, 1);
        if (passing == NULL)
            return th_resultNoMemory;
        *passing = (thRunPassing){{thiIdPoolIdOf(&run->world->agents.ids, rows->slot[row])},
                                  {rows->px[row], rows->py[row]}};
    }
    return th_resultOk;
}

// Whether somebody went from one side of a door to the other, between its ends.
static bool wentThrough(const Door* door, thPoint from, thPoint to)
{
    return (thiOrientation(door->a, door->b, from) > 0) !=
               (thiOrientation(door->a, door->b, to) > 0) &&
           (thiOrientation(from, to, door->a) > 0) != (thiOrientation(from, to, door->b) > 0);
}

// After the step. Who has left meanwhile is not counted.
static void countPassing(thRun* run, uint64_t step)
{
    const thRows* rows = thiRows(run->world);
    for (int32_t i = 0; i < run->scene->doorCount && run->passing.count > 0; ++i) {
        thRunClosing* closing = lastClosing(run, i, step);
        Door door;
        if (closing == NULL || !isLate(run, i, step) || !findDoor(run, i, &door))
            continue;
        for (int32_t k = 0; k < run->passing.count; ++k) {
            const thRunPassing* passing = &TH_ITEMS(run->passing, thRunPassing)[k];
            const int32_t row = thiFindRow(run->world, passing->agent);
            if (row >= 0 && rows->level[row] == door.level)
                closing->late +=
                    wentThrough(&door, passing->place, (thPoint){rows->px[row], rows->py[row]});
        }
    }
}

int32_t thRun_GetClosings(const thRun* run, thDoorClosing* closings, int32_t capacity)
{
    TH_REQUIRE(run != NULL && capacity >= 0 && (closings != NULL || capacity == 0), 0);
    int32_t count = 0;
    for (int32_t i = 0; i < run->closingCount; ++i) {
        const thRunClosing* closing = &run->closings[i];
        const thSceneDoor* door = &run->scene->doors[closing->door];
        const uint64_t due = thiStepOfTime(run, door->open[2 * closing->interval + 1]);
        if (due >= run->world->step)
            continue;
        if (count < capacity)
            closings[count] = (thDoorClosing){
                .door = closing->door,
                .name = door->name,
                .due = (double)due * run->scene->step,
                .shut = closing->shut > 0 ? (double)(closing->shut - 1) * run->scene->step : -1.0,
                .late = (int64_t)closing->late,
                .pushed = (int64_t)closing->pushed};
        count += 1;
    }
    return count;
}

// Delays and pauses: a heap of the steps in which they begin and end, the earliest first.

static bool isBefore(thRunDelay a, thRunDelay b)
{
    return a.step != b.step ? a.step < b.step : a.key < b.key;
}

// There is room.
static void addDelay(thRun* run, thRunDelay delay)
{
    (void)thiArrayAdd(&run->delays, 1);
    thRunDelay* heap = TH_ITEMS(run->delays, thRunDelay);
    int32_t at = run->delays.count - 1;
    for (; at > 0 && isBefore(delay, heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = delay;
}

static thRunDelay takeDelay(thRun* run)
{
    thRunDelay* heap = TH_ITEMS(run->delays, thRunDelay);
    const thRunDelay earliest = heap[0], last = heap[--run->delays.count];
    const int32_t count = run->delays.count;
    int32_t at = 0;
    for (int32_t child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && isBefore(heap[child + 1], heap[child]))
            child += 1;
        if (!isBefore(heap[child], last))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return earliest;
}

static bool isPausing(const thRun* run, int32_t entry, uint64_t step)
{
    const thSceneAgents* agents = &run->scene->agents[entry];
    for (int32_t i = 0; i < agents->pauseCount; ++i)
        if (step >= thiStepOfTime(run, agents->pauses[2 * i]) &&
            step < thiStepOfTime(run, agents->pauses[2 * i + 1]))
            return true;
    return false;
}

static thResult reserveWaits(thRun* run, int32_t entry)
{
    const int64_t more = 1 + 2 * (int64_t)run->scene->agents[entry].pauseCount;
    return thiArrayReserveAmply(&run->delays, run->delays.count + more);
}

// Pauses that begin or end while it waits to set out change nothing.
thResult thiAddWaits(thRun* run, int32_t entry, uint64_t key, uint64_t step, bool* waits)
{
    const thSceneAgents* agents = &run->scene->agents[entry];
    const uint64_t stream = thRandomStream(run->seed, key, 0, (uint32_t)th_runDelay);
    const uint64_t delay = thiStepOfTime(run, thiDrawNumber(&agents->delay, stream));
    const uint64_t ready = step + delay;
    *waits = delay > 0 || isPausing(run, entry, step);
    TH_TRY(reserveWaits(run, entry));
    if (delay > 0)
        addDelay(run, (thRunDelay){ready, key});
    for (int32_t i = 0; i < 2 * agents->pauseCount; ++i) {
        const uint64_t at = thiStepOfTime(run, agents->pauses[i]);
        if (at > ready)
            addDelay(run, (thRunDelay){at, key});
    }
    return th_resultOk;
}

static thResult runDelays(thRun* run, uint64_t step)
{
    while (run->delays.count > 0 && TH_ITEMS(run->delays, thRunDelay)[0].step <= step) {
        const thAgentId agent = thWorld_FindAgent(run->world, takeDelay(run).key);
        if (agent.value == 0) // it left, or the host has removed it
            continue;
        const int32_t entry = thRun_GetEntry(run, agent);
        const bool waits = entry >= 0 && isPausing(run, entry, step);
        TH_TRY(thAgent_SetWaiting(run->world, agent, waits));
    }
    return th_resultOk;
}

// Sources: agents that appear as time goes by, each at a random free place. Those that find none
// wait; how many were created is all that there is to remember.

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

static bool hasFreePlace(const thRun* run, const thSceneRegion* region, int32_t level, float radius)
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
static bool isInWorld(const thSceneRegion* region, const double offset[2])
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
    // A door may be in the way now and open later. Who appears at a place finds one near it.
    if (scene->doorCount == 0 && agents->place.kind == th_placeSource &&
        !hasFreePlace(run, &source->region, agents->level, radius))
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

// Copies of a source are sources of their own, and so are places.
static int32_t countSourcesOf(const thSceneAgents* agents)
{
    const int32_t places = agents->place.kind == th_placeSource ? 1 : agents->place.at.count;
    return thiComesLater(agents) ? places * thiCopyCount(&agents->repeat) : 0;
}

static int64_t countSources(const thScene* scene)
{
    int64_t count = 0;
    for (int32_t i = 0; i < scene->agentsCount; ++i)
        count += countSourcesOf(&scene->agents[i]);
    return count;
}

static thResult buildSource(thRun* run, int32_t entry, int32_t number)
{
    const thSceneAgents* agents = &run->scene->agents[entry];
    const thScenePlace* place = &agents->place;
    const bool isPlace = place->kind == th_placeAt;
    const int32_t places = isPlace ? place->at.count : 1;
    const thCopy copy = thiCopyOf(&agents->repeat, number / places);
    const thShape point = {.kind = th_shapePoint,
                           .points = {isPlace ? &place->at.items[number % places] : NULL, 1}};
    thRunSource* source = &run->sources[run->sourceCount++];
    *source =
        (thRunSource){.entry = entry, .number = number, .total = isPlace ? 1 : totalOf(place)};
    return thiMakeRegion(isPlace ? &point : &place->region, &copy, run->scene->origin, &run->arena,
                         &source->region);
}

thResult thiBuildSources(thRun* run, thRunErrors* errors)
{
    const thScene* scene = run->scene;
    const size_t size = (size_t)TH_MAX(countSources(scene), 1) * sizeof *run->sources;
    run->sources = thiArenaAllocate(&run->arena, size);
    if (run->sources == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < scene->agentsCount; ++i)
        for (int32_t number = 0; number < countSourcesOf(&scene->agents[i]); ++number)
            TH_TRY(buildSource(run, i, number));
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

// Whether it is one agent that appears at its place.
static bool isOfPlace(const thRun* run, const thRunSource* source)
{
    return run->scene->agents[source->entry].place.kind == th_placeAt;
}

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
    TH_TRY(findNear(run, thiMetresOf(place), radius + run->largestRadius + gap, agents->level));
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
    thAgentDef def = thiAgentDefOf(run, entry, key);
    if (isOfPlace(run, source)) {
        place = source->region.corners[0];
        def.placement = th_placementNearest;
    } else {
        TH_TRY(findPlace(run, source, &def, step, &place));
    }
    TH_TRY(thiPlaceAgent(run, entry, place, thiRegionCenter(&source->region), &def));
    TH_TRY(reserveWaits(run, entry));
    thAgentId agent;
    bool waits;
    TH_TRY(thCreateAgent(run->world, &def, &agent));
    source->created += 1;
    TH_TRY(thiAddWaits(run, entry, key, step, &waits));
    return waits ? thAgent_SetWaiting(run->world, agent, 1) : th_resultOk;
}

// The step in which an agent of a source is to appear.
static uint64_t dueStep(const thRun* run, const thRunSource* source, int64_t ordinal)
{
    const thSceneAgents* agents = &run->scene->agents[source->entry];
    return thiStepOfTime(run, isOfPlace(run, source)
                                  ? agents->appear
                                  : agents->place.begin + (double)ordinal / agents->place.rate);
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

// Creates the agents that are due in a step: of sources before it, of single places before anybody
// sees the world in which they appear.
static thResult runSources(thRun* run, bool ofPlaces, uint64_t step)
{
    if (run->sourceCount > 0)
        TH_TRY(thiUpdateWalls(run->world));
    for (int32_t i = 0; i < run->sourceCount; ++i)
        if (isOfPlace(run, &run->sources[i]) == ofPlaces)
            TH_TRY(runSource(run, &run->sources[i], step));
    return th_resultOk;
}

thResult thiLetAppear(thRun* run)
{
    return runSources(run, true, run->world->step);
}

// How many of a source were due in the steps that were made, but are not created.
static int64_t countWaiting(const thRun* run, const thRunSource* source)
{
    const thScenePlace* place = &run->scene->agents[source->entry].place;
    const uint64_t steps = run->world->step;
    if (isOfPlace(run, source))
        return !isDone(source) && dueStep(run, source, 0) <= steps;
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

// What happens before a step.
static thResult runClock(thRun* run)
{
    const uint64_t step = run->world->step;
    TH_TRY(runDoors(run, step));
    TH_TRY(runDelays(run, step));
    return runSources(run, false, step);
}

// Agents of a source that have a goal of their own leave it behind. A list comes before what is in
// it, as it was made after that.
static void collectGoals(thRun* run)
{
    const thGoals* goals = &run->world->goals;
    thGoalId* own = TH_ITEMS(run->ownGoals, thGoalId);
    if (run->world->step % COLLECT_STEPS != 0)
        return;
    for (int32_t i = run->ownGoals.count - 1; i >= 0; --i) {
        const int32_t slot = thiIdPoolFind(&goals->ids, own[i].value);
        if (slot >= 0 && thiGoalAt(goals, slot)->users == 0)
            (void)thDestroyGoal(run->world, own[i]);
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < run->ownGoals.count; ++i)
        if (thiIdPoolFind(&goals->ids, own[i].value) >= 0)
            own[kept++] = own[i];
    run->ownGoals.count = kept;
}

thResult thRun_Step(thRun* run)
{
    TH_REQUIRE(run != NULL, th_resultBadArgument);
    const thFpEnvironment hostEnvironment = thiFpEnter();
    const uint64_t step = run->world->step;
    thResult code = runClock(run);
    if (code == th_resultOk)
        code = notePassing(run, step);
    if (code == th_resultOk)
        code = thWorld_Step(run->world, (float)run->scene->step);
    if (code == th_resultOk) {
        countPassing(run, step);
        collectGoals(run);
        code = thiLetAppear(run);
    }
    thiFpRestore(hostEnvironment);
    return code;
}
