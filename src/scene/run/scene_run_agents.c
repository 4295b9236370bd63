// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The agents of a run: what is drawn for one, where they stand at the beginning, and creating them.

#include "base/float_math.h"
#include "base/hash.h"
#include "move/free_place.h"
#include "scene/run/scene_placement.h"
#include "scene/run/scene_run.h"
#include "scene/scene_draw.h"
#include "sim/ranges.h"
#include "throng/random.h"

#include <math.h>
#include <string.h>

// One agent: what is drawn for it and where it wants to go. All of it follows from the seed and the
// agent's key.

// Places that are tried for a random goal.
#define GOAL_DRAWS 256

// The most random points of one goal, see docs/scenes.md.
#define MAX_POINTS 1000

static double drawFor(const thDraw* draw, uint64_t seed, uint64_t key, thRunPurpose purpose)
{
    return thiDrawNumber(draw, thRandomStream(seed, key, 0, (uint32_t)purpose));
}

static const thSceneProfile* profileOf(const thRun* run, int32_t entry)
{
    return &run->scene->profiles[run->scene->agents[entry].profile];
}

float thiAgentRadius(const thRun* run, int32_t entry, uint64_t key)
{
    return (float)drawFor(&profileOf(run, entry)->radius, run->seed, key, th_runRadius);
}

static float speedOf(const thRun* run, int32_t entry, uint64_t key)
{
    const thDraw* own = &run->scene->agents[entry].speed;
    const bool isOwn = own->kind != th_drawFixed || own->a >= 0.0;
    return (float)drawFor(isOwn ? own : &profileOf(run, entry)->speed, run->seed, key, th_runSpeed);
}

static float maxSpeedOf(const thRun* run, int32_t entry, uint64_t key)
{
    const float most =
        (float)drawFor(&profileOf(run, entry)->maxSpeed, run->seed, key, th_runMaxSpeed);
    return most < 0.0f ? -1.0f : TH_MAX(most, speedOf(run, entry, key));
}

// What agents of an entry have in common.
static thAgentDef sharedDefOf(const thRun* run, int32_t entry)
{
    const thSceneAgents* agents = &run->scene->agents[entry];
    thAgentDef def = thDefaultAgentDef();
    def.profile = run->profiles[entry];
    def.velocity = (thVec2){(float)agents->velocity[0], (float)agents->velocity[1]};
    def.level = agents->level;
    def.layers = agents->layers;
    def.mask = agents->mask;
    def.priority = (float)agents->priority;
    def.flags = agents->hold ? th_agentHolds : 0;
    def.group = run->groups[entry];
    return def;
}

// Where it faces.
static float headingOf(const thRun* run, int32_t entry, thPoint place, thGoalId goal)
{
    const double degrees = run->scene->agents[entry].heading;
    if (!isnan(degrees))
        return (float)(degrees * (0x1.921fb54442d18p+1 / 180.0));
    thVec2 toGoal;
    if (!thiNearestGoalPoint(&run->world->goals, THRONG_SLOT(goal), 0, place.x, place.y, &toGoal))
        return 0.0f;
    return thAtan2(toGoal.y, toGoal.x);
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
        TH_TRY(createPoint(run, key, thiMetresOf(point), &points[i]));
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

// Its goal, which is created if it is its own. `center` is where "opposite" is across.
// th_resultBadArgument when that is outside of the world, th_resultBlocked when no free place is
// found for it; `wish` is then where it would be.
static thResult findGoal(thRun* run, int32_t entry, uint64_t key, thPoint place, thPoint center,
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

thAgentDef thiAgentDefOf(const thRun* run, int32_t entry, uint64_t key)
{
    thAgentDef def = sharedDefOf(run, entry);
    def.key = key;
    def.radius = thiAgentRadius(run, entry, key);
    def.prefSpeed = speedOf(run, entry, key);
    def.maxSpeed = maxSpeedOf(run, entry, key);
    return def;
}

thResult thiPlaceAgent(thRun* run, int32_t entry, thPoint place, thPoint center, thAgentDef* def)
{
    thCoord wish;
    TH_TRY(findGoal(run, entry, def->key, place, center, &def->goal, &wish));
    def->position = thiMetresOf(place);
    def->heading = headingOf(run, entry, place, def->goal);
    return th_resultOk;
}

// Where they stand at the beginning: first those whose places the scene tells, then those that
// are placed at random, so that these keep clear of them. All that are wrong are told.

typedef struct Builder {
    thRun* run;
    thRunErrors* errors;
    thCrowd crowd;
    int32_t* claims; // who stands where the scene tells places, by a hash of these; −1: nobody
    uint32_t claimMask;
} Builder;

// Errors of one entry that are told one by one.
#define TOLD_ERRORS 20

// Errors. They are told at the agent's own place in the file where it has one.

const thJson* thiPlaceSource(const thRun* run, int32_t entry, int32_t i)
{
    static const char* const keys[] = {"at", "in", "grid", "circle", "source"};
    const thSceneAgents* agents = &run->scene->agents[entry];
    const thJson* place =
        agents->source != NULL ? thiJsonMember(agents->source, keys[agents->place.kind]) : NULL;
    if (place == NULL)
        return agents->source;
    if (agents->place.kind != th_placeAt || place->first->kind != th_jsonArray)
        return place;
    const thJson* point = place->first;
    for (int32_t left = i % agents->place.at.count; left > 0; --left)
        point = point->next;
    return point;
}

double thiRoundedMetres(double metres)
{
    return floor(metres * 1000.0 + 0.5) / 1000.0;
}

// Whether one more error that is like others of the entry is told.
static bool isTold(thRunErrors* errors)
{
    return errors->alike++ < TOLD_ERRORS;
}

// How many were not.
static void tellTheRest(const thRun* run, int32_t entry, thRunErrors* errors)
{
    if (errors->alike > TOLD_ERRORS)
        thiReportAt(&errors->sink, th_resultBlocked, run->scene->agents[entry].source,
                    "and %d more agents like these", (int)(errors->alike - TOLD_ERRORS));
    errors->alike = 0;
}

static void tellBlocked(Builder* builder, int32_t entry, int32_t i, thCoord at,
                        const thPlacedBody* body)
{
    if (!isTold(builder->errors))
        return;
    const bool inSolid =
        thiIsInSolid(builder->run->world->walls.grid, body->level, body->at.x, body->at.y);
    thiReportAt(&builder->errors->sink, th_resultBlocked, thiPlaceSource(builder->run, entry, i),
                "agent %d, of radius %g m, at (%.10g, %.10g) stands in a wall%s", (int)i,
                (double)body->radius, thiRoundedMetres(at.x), thiRoundedMetres(at.y),
                inSolid ? " or outside of the room" : "");
}

static void tellTwin(Builder* builder, int32_t entry, int32_t i, thCoord at)
{
    if (isTold(builder->errors))
        thiReportAt(&builder->errors->sink, th_resultBlocked,
                    thiPlaceSource(builder->run, entry, i),
                    "agent %d stands at (%.10g, %.10g), where another one stands already", (int)i,
                    thiRoundedMetres(at.x), thiRoundedMetres(at.y));
}

static void tellOutside(Builder* builder, int32_t entry, int32_t i, thCoord at)
{
    if (isTold(builder->errors))
        thiReportAt(
            &builder->errors->sink, th_resultBlocked, thiPlaceSource(builder->run, entry, i),
            "agent %d would stand at (%.10g, %.10g), more than %d m from the origin", (int)i,
            thiRoundedMetres(at.x), thiRoundedMetres(at.y), (int)THRONG_MAX_COORDINATE);
}

static void tellTooMany(Builder* builder, int32_t entry, const thPlacingFigures* figures)
{
    const int32_t count = (int32_t)builder->run->scene->agents[entry].place.count;
    const thJson* source = thiPlaceSource(builder->run, entry, 0);
    if (figures->freeArea > 0.0)
        thiReportAt(&builder->errors->sink, th_resultBlocked, source,
                    "room was found for %d of %d agents: on %.3g m² of free ground these would be "
                    "%.3g per m², while at most about %.3g per m² of their size fit, fewer beside "
                    "walls and other agents",
                    (int)figures->placed, (int)count, figures->freeArea, count / figures->freeArea,
                    figures->mostPerArea);
    else
        thiReportAt(&builder->errors->sink, th_resultBlocked, source,
                    "there is no free ground in the region");
}

// Places that the scene tells.

static thCoord placeInGrid(const thRun* run, const thScenePlace* place, int32_t i, uint64_t key)
{
    const uint64_t stream = thRandomStream(run->seed, key, 0, th_runJitter);
    const double x = 2.0 * (double)thRandomUnit(stream, 0) - 1.0;
    const double y = 2.0 * (double)thRandomUnit(stream, 1) - 1.0;
    return (thCoord){place->from.x + i % place->columns * place->spacing[0] + place->jitter * x,
                     place->from.y + i / place->columns * place->spacing[1] + place->jitter * y};
}

static thCoord placeOnCircle(const thScenePlace* place, int32_t i)
{
    float sine, cosine;
    thSinCos(2.0f * TH_PI * (float)i / (float)place->count, &sine, &cosine);
    return (thCoord){place->center.x + place->radius * (double)cosine,
                     place->center.y + place->radius * (double)sine};
}

static thCoord placeOf(const thRun* run, int32_t entry, int32_t i)
{
    const thScenePlace* place = &run->scene->agents[entry].place;
    const thCopy copy = thiCopyOf(&run->scene->agents[entry].repeat, (int32_t)(i / place->count));
    const int32_t ordinal = (int32_t)(i % place->count);
    const uint64_t key = run->firstKeys[entry] + (uint64_t)i;
    return thiInCopy(&copy, place->kind == th_placeAt     ? place->at.items[ordinal]
                            : place->kind == th_placeGrid ? placeInGrid(run, place, ordinal, key)
                                                          : placeOnCircle(place, ordinal));
}

// Whether nobody of those before stands at the place of a body, which claims it.
static bool claimPlace(Builder* builder, int32_t number)
{
    const thPlacedBody* bodies = builder->crowd.bodies.items;
    const thPlacedBody* own = &bodies[number];
    const uint64_t place = (uint64_t)(uint32_t)own->at.x << 32 | (uint32_t)own->at.y;
    uint32_t i = (uint32_t)thiMix(place + (uint64_t)own->level * UINT64_C(0x9e3779b97f4a7c15));
    for (i &= builder->claimMask; builder->claims[i] >= 0; i = (i + 1) & builder->claimMask) {
        const thPlacedBody* other = &bodies[builder->claims[i]];
        if (thiSamePoint(own->at, other->at) && own->level == other->level)
            return false;
    }
    builder->claims[i] = number;
    return true;
}

// Bodies may overlap where the scene says so, but not stand at the same place: nothing would tell
// which way they part.
static void placeListed(Builder* builder, int32_t entry)
{
    const thRun* run = builder->run;
    const thSceneAgents* agents = &run->scene->agents[entry];
    const int32_t first = thiEntryFirst(run, entry);
    for (int32_t i = 0; i < thiEntryCount(run, entry); ++i) {
        const thCoord at = placeOf(run, entry, i);
        thVec2 place;
        if (!thiToWorld(at, run->scene->origin, &place)) {
            tellOutside(builder, entry, i, at);
            continue;
        }
        const thPlacedBody body = {thiPointOf(place), builder->crowd.radii[first + i],
                                   agents->level};
        const bool isFree =
            thiIsFreePlace(run->world->walls.grid, body.level, body.at, body.radius);
        if (!isFree)
            tellBlocked(builder, entry, i, at, &body);
        thiAddBody(&builder->crowd.bodies, first + i, body);
        if (!claimPlace(builder, first + i) && isFree)
            tellTwin(builder, entry, i, at);
    }
    tellTheRest(run, entry, builder->errors);
}

static thResult placeAtRandom(Builder* builder, int32_t entry, int32_t number)
{
    thRun* run = builder->run;
    const thSceneAgents* agents = &run->scene->agents[entry];
    const int32_t count = (int32_t)agents->place.count;
    const int32_t first = thiEntryFirst(run, entry) + number * count;
    const thCopy copy = thiCopyOf(&agents->repeat, number);
    thSceneRegion region;
    TH_TRY(thiMakeRegion(&agents->place.region, &copy, run->scene->origin, &run->arena, &region));
    const thPlacing placing = {.walls = run->world->walls.grid,
                               .bodies = &builder->crowd.bodies,
                               .region = &region,
                               .gap = agents->place.gap,
                               .first = first,
                               .count = count,
                               .radii = &builder->crowd.radii[first],
                               .level = agents->level,
                               .seed = run->seed};
    thPlacingFigures figures = {0};
    const thResult code = thiPlaceAtRandom(&placing, &figures);
    if (code != th_resultFull)
        return code;
    tellTooMany(builder, entry, &figures);
    return th_resultOk;
}

static thResult placeCopies(Builder* builder, int32_t entry)
{
    const int32_t errorsBefore = builder->errors->sink.count;
    const int32_t count = thiCopyCount(&builder->run->scene->agents[entry].repeat);
    for (int32_t i = 0; i < count && builder->errors->sink.count == errorsBefore; ++i)
        TH_TRY(placeAtRandom(builder, entry, i));
    return th_resultOk;
}

// Finds places for all of them, whose radii are known, and tells all that are wrong.
static thResult placeAll(Builder* builder)
{
    const thRun* run = builder->run;
    const thScene* scene = run->scene;
    for (int32_t i = 0; i < scene->agentsCount; ++i) {
        const thPlaceKind kind = scene->agents[i].place.kind;
        if (kind != th_placeIn && kind != th_placeSource)
            placeListed(builder, i);
    }
    for (int32_t i = 0; i < scene->agentsCount; ++i)
        if (scene->agents[i].place.kind == th_placeIn && thiEntryCount(run, i) > 0)
            TH_TRY(placeCopies(builder, i));
    return th_resultOk;
}

// Creating them. All are placed before any is created.

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
    thSceneRegion region;
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
    if (!isTold(builder->errors))
        return;
    if (code == th_resultBlocked)
        thiReportAt(&builder->errors->sink, code, goal,
                    "no place off the walls was found for the goal of agent %d", (int)i);
    else
        thiReportAt(
            &builder->errors->sink, code, goal,
            "the goal of agent %d would be at (%.10g, %.10g), more than %d m from the origin",
            (int)i, thiRoundedMetres(wish.x + origin.x), thiRoundedMetres(wish.y + origin.y),
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
        const thResult code = findGoal(run, entry, key, at, center, &columns->goals[i], &wish);
        if (code == th_resultNoMemory)
            return code;
        if (code != th_resultOk)
            tellGoal(builder, entry, i, code, wish);
        columns->keys[i] = key;
        columns->positions[i] = thiMetresOf(at);
        columns->headings[i] = headingOf(run, entry, at, columns->goals[i]);
        columns->speeds[i] = speedOf(run, entry, key);
        columns->maxSpeeds[i] = maxSpeedOf(run, entry, key);
    }
    tellTheRest(run, entry, builder->errors);
    return th_resultOk;
}

// Some have to wait.
static thResult setDelays(thRun* run, int32_t entry)
{
    for (uint64_t key = run->firstKeys[entry]; key < run->firstKeys[entry + 1]; ++key) {
        bool waits;
        TH_TRY(thiAddWaits(run, entry, key, 0, &waits));
        if (waits)
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
    crowd.shared = sharedDefOf(run, entry);
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
        const bool isNobody = isEmpty || thiComesLater(agents);
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
    TH_TRY(placeAll(builder));
    if (builder->errors->first != th_resultOk)
        return builder->errors->first;
    TH_TRY(createAll(builder));
    return builder->errors->note != NULL
               ? thiReportNotes(builder->run, &builder->crowd, builder->errors)
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
    Builder builder = {.run = run, .errors = errors, .claimMask = 63};
    while (builder.claimMask / 2 < (uint32_t)count)
        builder.claimMask = 2 * builder.claimMask + 1;
    const size_t claimSize = ((size_t)builder.claimMask + 1) * sizeof *builder.claims;
    TH_TRY(thiBodiesInit(&builder.crowd.bodies, &run->memory, count));
    builder.crowd.radii = thiAllocate(&run->memory, size);
    builder.claims = thiAllocate(&run->memory, claimSize);
    const bool hasRoom = builder.crowd.radii != NULL && builder.claims != NULL;
    if (hasRoom)
        memset(builder.claims, 0xff, claimSize); // −1
    const thResult code = hasRoom ? buildAll(&builder) : th_resultNoMemory;
    thiRelease(&run->memory, builder.claims, claimSize);
    thiRelease(&run->memory, builder.crowd.radii, size);
    thiBodiesFree(&builder.crowd.bodies);
    return code;
}
