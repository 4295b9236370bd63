// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The agents that are there at the beginning. All are placed (scene_run_places.c) before any is
// created.

#include "scene/run/scene_run.h"
#include "sim/ranges.h"

typedef struct Builder {
    thRun* run;
    thRunErrors* errors;
    thCrowd crowd;
} Builder;

// Columns of one entry.
typedef struct Columns {
    thVec2* positions;
    float *headings, *speeds, *maxSpeeds;
    thGoalId* goals;
    uint64_t* keys;
} Columns;

static bool allocateColumns(thArena* arena, int32_t count, Columns* columns)
{
    const size_t room = (size_t)TH_MAX(count, 1);
    *columns = (Columns){.positions = thiArenaAllocate(arena, room * sizeof(thVec2)),
                         .headings = thiArenaAllocate(arena, room * sizeof(float)),
                         .speeds = thiArenaAllocate(arena, room * sizeof(float)),
                         .maxSpeeds = thiArenaAllocate(arena, room * sizeof(float)),
                         .goals = thiArenaAllocate(arena, room * sizeof(thGoalId)),
                         .keys = thiArenaAllocate(arena, room * sizeof(uint64_t))};
    return columns->positions != NULL && columns->headings != NULL && columns->speeds != NULL &&
           columns->maxSpeeds != NULL && columns->goals != NULL && columns->keys != NULL;
}

// Where "opposite" is across, for agents of an entry's copy.
static thResult centerOf(thRun* run, int32_t entry, int32_t number, thPoint* center)
{
    const thScenePlace* place = &run->scene->agents[entry].place;
    const thCopy copy = thiCopyOf(&run->scene->agents[entry].repeat, number);
    const thCoord middle = {place->from.x + 0.5 * (place->columns - 1) * place->spacing[0],
                            place->from.y + 0.5 * (place->rows - 1) * place->spacing[1]};
    thRegion region;
    thVec2 at = {0.0f, 0.0f};
    if (place->kind == th_placeGrid)
        (void)thiToWorld(thiInCopy(&copy, middle), run->scene->origin, &at);
    if (place->kind == th_placeCircle)
        (void)thiToWorld(thiInCopy(&copy, place->center), run->scene->origin, &at);
    *center = thiPointOf(at);
    if (place->kind == th_placeIn) {
        TH_TRY(thiMakeRegion(&place->region, &copy, run->scene->origin, &run->arena, &region));
        *center = thiRegionCenter(&region);
    }
    return th_resultOk;
}

// Errors of goals, told like those of places.
static void tellGoal(Builder* builder, int32_t entry, int32_t i, thResult code, thCoord wish)
{
    const thSceneAgents* agents = &builder->run->scene->agents[entry];
    const thCoord origin = builder->run->scene->origin;
    const thJson* goal = agents->source != NULL ? thiJsonMember(agents->source, "goal") : NULL;
    if (!thiIsTold(builder->errors))
        return;
    if (code == th_resultBlocked)
        thiReportAt(&builder->errors->sink, code, goal,
                    "no place off the walls was found for the goal of agent %d", (int)i);
    else
        thiReportAt(
            &builder->errors->sink, code, goal,
            "the goal of agent %d would be at (%.10g, %.10g), more than %d m from the origin",
            (int)i, thiToldMetres(wish.x + origin.x), thiToldMetres(wish.y + origin.y),
            (int)THRONG_MAX_COORDINATE);
}

static thResult fillColumns(Builder* builder, int32_t entry, const Columns* columns)
{
    thRun* run = builder->run;
    const int32_t first = thiEntryFirst(run, entry);
    const int64_t ofOneCopy = run->scene->agents[entry].place.count;
    thPoint center = {0, 0};
    for (int32_t i = 0; i < thiEntryCount(run, entry); ++i) {
        if (i % ofOneCopy == 0)
            TH_TRY(centerOf(run, entry, (int32_t)(i / ofOneCopy), &center));
        const uint64_t key = run->firstKeys[entry] + (uint64_t)i;
        const thPoint at = builder->crowd.bodies.items[first + i].at;
        thCoord wish;
        const thResult code = thiAgentGoal(run, entry, key, at, center, &columns->goals[i], &wish);
        if (code == th_resultNoMemory)
            return code;
        if (code != th_resultOk)
            tellGoal(builder, entry, i, code, wish);
        columns->keys[i] = key;
        columns->positions[i] = thiTell(at);
        columns->headings[i] = thiAgentHeading(run, entry, at, columns->goals[i]);
        columns->speeds[i] = thiAgentSpeed(run, entry, key);
        columns->maxSpeeds[i] = thiAgentMaxSpeed(run, entry, key);
    }
    thiTellTheRest(run, entry, builder->errors);
    return th_resultOk;
}

// Some have to wait.
static thResult setDelays(thRun* run, int32_t entry)
{
    for (uint64_t key = run->firstKeys[entry]; key < run->firstKeys[entry + 1]; ++key) {
        const uint64_t delay = thiAgentDelay(run, entry, key);
        if (delay == 0)
            continue;
        TH_TRY(thiAddDelay(run, (thRunDelay){delay, key}));
        TH_TRY(thAgent_SetWaiting(run->world, thWorld_FindAgent(run->world, key), 1));
    }
    return th_resultOk;
}

static thResult createEntry(Builder* builder, int32_t entry, thArena* scratch)
{
    thRun* run = builder->run;
    Columns columns;
    thAgentColumns crowd = thDefaultAgentColumns();
    crowd.count = thiEntryCount(run, entry);
    if (crowd.count == 0)
        return th_resultOk;
    if (!allocateColumns(scratch, crowd.count, &columns))
        return th_resultNoMemory;
    TH_TRY(fillColumns(builder, entry, &columns));
    if (builder->errors->first != th_resultOk)
        return th_resultOk; // the other entries may tell theirs
    crowd.shared = thiAgentDefOf(run, entry);
    crowd.positions = columns.positions;
    crowd.headings = columns.headings;
    crowd.goals = columns.goals;
    crowd.keys = columns.keys;
    crowd.radii = &builder->crowd.radii[thiEntryFirst(run, entry)];
    crowd.prefSpeeds = columns.speeds;
    crowd.maxSpeeds = columns.maxSpeeds;
    TH_TRY(thCreateAgents(run->world, &crowd, NULL));
    return setDelays(run, entry);
}

static thResult createAll(Builder* builder)
{
    thRun* run = builder->run;
    thArena scratch;
    thiArenaInit(&scratch, &run->memory);
    thResult code = thWorld_Reserve(run->world, builder->crowd.bodies.capacity);
    for (int32_t i = 0; i < run->scene->agentsCount && code == th_resultOk; ++i) {
        code = createEntry(builder, i, &scratch);
        thiArenaReset(&scratch);
    }
    thiArenaFree(&scratch);
    return code != th_resultOk ? code : builder->errors->first;
}

// Gives keys to all entries. Returns how many agents there are; −1 if the world cannot hold them.
static int32_t countAgents(thRun* run, bool isEmpty)
{
    const thScene* scene = run->scene;
    run->firstKeys[0] = 1;
    for (int32_t i = 0; i < scene->agentsCount; ++i) {
        const thSceneAgents* agents = &scene->agents[i];
        const bool isNobody = isEmpty || agents->place.kind == th_placeSource;
        const int64_t count = isNobody ? 0 : agents->place.count * thiCopyCount(&agents->repeat);
        run->firstKeys[i + 1] = run->firstKeys[i] + (uint64_t)count;
        if (run->firstKeys[i + 1] > TH_MAX_AGENTS)
            return -1;
    }
    return (int32_t)(run->firstKeys[scene->agentsCount] - 1);
}

static void drawRadii(Builder* builder)
{
    const thRun* run = builder->run;
    for (int32_t entry = 0; entry < run->scene->agentsCount; ++entry)
        for (uint64_t key = run->firstKeys[entry]; key < run->firstKeys[entry + 1]; ++key)
            builder->crowd.radii[key - 1] = thiAgentRadius(run, entry, key);
}

static thResult buildAll(Builder* builder)
{
    TH_TRY(thiUpdateWalls(builder->run->world));
    drawRadii(builder);
    TH_TRY(thiPlaceCrowd(builder->run, &builder->crowd, builder->errors));
    if (builder->errors->first != th_resultOk)
        return builder->errors->first;
    TH_TRY(createAll(builder));
    return builder->errors->note != NULL
               ? thiTellNotes(builder->run, &builder->crowd, builder->errors)
               : th_resultOk;
}

thResult thiBuildAgents(thRun* run, bool isEmpty, thRunErrors* errors)
{
    const int32_t entryCount = run->scene->agentsCount;
    run->firstKeys =
        thiArenaAllocate(&run->arena, ((size_t)entryCount + 1) * sizeof *run->firstKeys);
    if (run->firstKeys == NULL)
        return th_resultNoMemory;
    const int32_t count = countAgents(run, isEmpty);
    if (count < 0) {
        thiReportAt(&errors->sink, th_resultFull, NULL, "has more than %d agents", TH_MAX_AGENTS);
        return th_resultFull;
    }
    const size_t size = (size_t)TH_MAX(count, 1) * sizeof(float);
    Builder builder = {.run = run, .errors = errors};
    TH_TRY(thiBodiesInit(&builder.crowd.bodies, &run->memory, count));
    builder.crowd.radii = thiAllocate(&run->memory, size);
    const thResult code = builder.crowd.radii != NULL ? buildAll(&builder) : th_resultNoMemory;
    thiRelease(&run->memory, builder.crowd.radii, size);
    thiBodiesFree(&builder.crowd.bodies);
    return code;
}
