// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// From the scene's model to the world's profiles, goals, roadmaps, walls, movers and gates. What
// the reader has checked is relied upon; values that only the world can judge are checked here.

#include "base/float_math.h"
#include "scene/run/scene_run.h"
#include "scene/scene_draw.h"
#include "throng/gate.h"
#include "throng/roadmap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ARRIVAL_COUNT 3

// Memory that lives as long as the run, cleared.
static void* allocate(thRun* run, int64_t count, size_t size)
{
    void* memory = thiArenaAllocate(&run->arena, (size_t)TH_MAX(count, 1) * size);
    if (memory != NULL)
        memset(memory, 0, (size_t)TH_MAX(count, 1) * size);
    return memory;
}

static float radians(double degrees)
{
    return (float)(degrees * (0x1.921fb54442d18p+1 / 180.0));
}

// Profiles.

// A method that the run names replaces the profile's own; parameters stay where it is the same.
static thMethodUse methodOf(const thSceneProfile* profile, thMethodKind kind,
                            const char* const* methods)
{
    const thSceneMethod* own = &profile->methods[kind];
    const char* name = methods[kind] != NULL ? methods[kind] : own->name;
    const bool isOwn = own->name != NULL && strcmp(name, own->name) == 0;
    return (thMethodUse){.name = name, .params = isOwn ? own->params : NULL};
}

static thProfileDef profileDefOf(const thSceneProfile* profile, thArrival arrival,
                                 const char* const* methods)
{
    thProfileDef def = thDefaultProfileDef();
    def.plan = methodOf(profile, th_methodPlan, methods);
    def.group = methodOf(profile, th_methodGroup, methods);
    def.avoid = methodOf(profile, th_methodAvoid, methods);
    def.neighborCount = profile->neighbours;
    def.neighborRadius = (float)profile->neighbourRadius;
    def.wallCount = profile->walls;
    def.wallRadius = (float)profile->wallRadius;
    def.fieldOfView = TH_MIN(radians(profile->viewAngle), 2.0f * TH_PI);
    def.needsSight = !profile->seesThroughWalls;
    def.arrivalDistance = (float)profile->arrivalDistance;
    def.arrival = arrival;
    def.radius = (float)thiDrawMean(&profile->radius);
    def.prefSpeed = (float)thiDrawMean(&profile->speed);
    const float most = (float)thiDrawMean(&profile->maxSpeed);
    def.maxSpeed = most < 0.0f ? -1.0f : TH_MAX(most, def.prefSpeed);
    def.maxAccel = (float)profile->maxAcceleration;
    def.yield = (float)profile->yield;
    def.keep = (thKeep)profile->keep;
    def.patience = (float)profile->patience;
    def.slowness = (float)profile->slowness;
    def.turnAside = radians(profile->turnAside);
    def.pace = profile->pace.gap > 0.0
                   ? (thPace){(float)profile->pace.gap, (float)profile->pace.spread,
                              (float)profile->pace.follow, (float)profile->pace.width}
                   : (thPace){0};
    def.together = (thTogetherDef){(float)profile->together.reach, (float)profile->together.gap,
                                   profile->together.abreast};
    if (!(def.together.reach > 0.0f))
        def.together = (thTogetherDef){0};
    def.shapeCount = profile->body.shape.count;
    def.shape = def.shapeCount > 0 ? profile->body.shape.corners : NULL;
    return def;
}

thResult thScene_GetProfile(const thScene* scene, int32_t profile, thProfileDef* def)
{
    static const char* const ownMethods[th_methodKindCount];
    TH_REQUIRE(scene != NULL && def != NULL, th_resultBadArgument);
    TH_REQUIRE(profile >= 0 && profile < scene->profileCount, th_resultBadArgument);
    *def = profileDefOf(&scene->profiles[profile], th_arrivalStop, ownMethods);
    def->name = scene->profiles[profile].name;
    return th_resultOk;
}

static thResult createProfile(thRun* run, int32_t index, thArrival arrival,
                              const char* const* methods, thProfileId* id, thRunErrors* errors)
{
    const thSceneProfile* profile = &run->scene->profiles[index];
    thProfileDef def = profileDefOf(profile, arrival, methods);
    char name[TH_NAME_SIZE];
    snprintf(name, sizeof name, "%s", profile->name);
    def.name = name;
    thError error = {0};
    const thResult code = thCreateProfile(run->world, &def, id, &error);
    if (code != th_resultOk && code != th_resultNoMemory)
        thiReportAt(&errors->sink, code, profile->source, "%s", error.text);
    return code;
}

// Whether a method replaces that of a profile, so that no parameters are given.
static bool replacesAny(const thScene* scene, thMethodKind kind, const char* name)
{
    for (int32_t i = 0; i < scene->agentsCount; ++i) {
        const thSceneMethod* own = &scene->profiles[scene->agents[i].profile].methods[kind];
        if (own->name == NULL || strcmp(own->name, name) != 0)
            return true;
    }
    return false;
}

// A method that wants a roadmap and is not told which takes the only one.
static bool hasRoadmap(const thScene* scene, const thMethod* method, thRunErrors* errors)
{
    for (int32_t i = 0; i < method->paramCount; ++i) {
        if (method->params[i].kind != th_paramRoadmap || scene->roadmapCount == 1)
            continue;
        if (scene->roadmapCount == 0)
            thiReportAt(&errors->sink, th_resultUnavailable, NULL,
                        "%s needs a roadmap: describe one in 'roadmaps'", method->name);
        else
            thiReportAt(&errors->sink, th_resultUnavailable, NULL,
                        "%s needs '%s', because there are %d roadmaps: set it in the profiles",
                        method->name, method->params[i].name, (int)scene->roadmapCount);
        return false;
    }
    return true;
}

// Methods that the run names are wrong for all profiles or for none.
static bool areMethods(const thRun* run, const char* const* methods, thRunErrors* errors)
{
    bool good = true;
    for (int32_t kind = 0; kind < th_methodKindCount; ++kind) {
        thError error = {0};
        if (methods[kind] == NULL)
            continue;
        const thMethod* method =
            thiFindMethod(run->world, (thMethodKind)kind, methods[kind], &error);
        if (method == NULL) {
            thiReportAt(&errors->sink, th_resultUnavailable, NULL, "%s", error.text);
            good = false;
        } else if (replacesAny(run->scene, (thMethodKind)kind, method->name)) {
            good = hasRoadmap(run->scene, method, errors) && good;
        }
    }
    return good;
}

// What happens on arrival is an entry's in a scene and a profile's in a world: there is one for
// each pair that is used.
thResult thiBuildProfiles(thRun* run, const char* const* methods, thRunErrors* errors)
{
    const thScene* scene = run->scene;
    thProfileId* pairs = allocate(run, (int64_t)scene->profileCount * ARRIVAL_COUNT, sizeof *pairs);
    run->profiles = allocate(run, scene->agentsCount, sizeof *run->profiles);
    if (pairs == NULL || run->profiles == NULL)
        return th_resultNoMemory;
    if (!areMethods(run, methods, errors))
        return th_resultUnavailable;
    for (int32_t i = 0; i < scene->agentsCount; ++i) {
        const thSceneAgents* agents = &scene->agents[i];
        thProfileId* id = &pairs[agents->profile * ARRIVAL_COUNT + (int32_t)agents->arrive];
        if (id->value == 0)
            TH_TRY(createProfile(run, agents->profile, agents->arrive, methods, id, errors));
        run->profiles[i] = *id;
        run->largestRadius = TH_MAX(run->largestRadius,
                                    (float)thiDrawMost(&scene->profiles[agents->profile].radius));
    }
    return th_resultOk;
}

// Goals.

static bool isOwnKind(thSceneGoalKind kind)
{
    return kind == th_sceneGoalOpposite || kind == th_sceneGoalOffset || kind == th_sceneGoalRandom;
}

static thGoalKind goalKindOf(const thShape* shape)
{
    switch (shape->kind) {
    case th_shapePoint:
        return th_goalPoint;
    case th_shapeDisc:
        return th_goalDisc;
    case th_shapeSegment:
        return th_goalSegment;
    default:
        return th_goalPolygon;
    }
}

static thResult createCopy(thRun* run, int32_t index, int32_t number, thGoalId* goal)
{
    const thShape* shape = &run->scene->goals[index].shape;
    const thCopy copy = thiCopyOf(&run->scene->goals[index].repeat, number);
    thVec2* corners =
        thiArenaAllocate(&run->arena, (size_t)thiCornerCount(shape) * sizeof *corners);
    if (corners == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < thiCornerCount(shape); ++i)
        if (!thiCornerToWorld(shape, i, &copy, run->scene->origin, &corners[i]))
            return th_resultBadArgument;
    thGoalDef def = thDefaultGoalDef();
    def.kind = goalKindOf(shape);
    def.points = corners;
    def.pointCount = thiCornerCount(shape);
    def.radius = (float)shape->radius;
    return thCreateGoal(run->world, &def, goal);
}

static thResult createShapeGoal(thRun* run, int32_t index)
{
    const int32_t count = thiCopyCount(&run->scene->goals[index].repeat);
    if (count == 1)
        return createCopy(run, index, 0, &run->goals[index]);
    thGoalId* copies = thiArenaAllocate(&run->arena, (size_t)count * sizeof *copies);
    if (copies == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < count; ++i)
        TH_TRY(createCopy(run, index, i, &copies[i]));
    thGoalDef def = thDefaultGoalDef();
    def.kind = th_goalAlternatives;
    def.goals = copies;
    def.goalCount = count;
    return thCreateGoal(run->world, &def, &run->goals[index]);
}

static thResult createGroupGoal(thRun* run, int32_t index)
{
    const thSceneGoal* goal = &run->scene->goals[index];
    thGoalId* members =
        thiArenaAllocate(&run->arena, (size_t)TH_MAX(goal->goalCount, 1) * sizeof *members);
    if (members == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < goal->goalCount; ++i)
        members[i] = run->goals[goal->goals[i]];
    thGoalDef def = thDefaultGoalDef();
    def.kind = goal->kind == th_sceneGoalList ? th_goalList : th_goalAlternatives;
    def.goals = members;
    def.goalCount = goal->goalCount;
    return thCreateGoal(run->world, &def, &run->goals[index]);
}

static thResult createGoal(thRun* run, int32_t index)
{
    const thSceneGoal* goal = &run->scene->goals[index];
    if (goal->kind == th_sceneGoalRandom)
        return thiMakeRegion(&goal->shape, NULL, run->scene->origin, &run->arena,
                             &run->goalRegions[index]);
    if (isOwnKind(goal->kind))
        return th_resultOk;
    return goal->kind == th_sceneGoalShape ? createShapeGoal(run, index)
                                           : createGroupGoal(run, index);
}

// Goals that hold others come after those.
static thResult buildGoals(thRun* run, thRunErrors* errors)
{
    const thScene* scene = run->scene;
    static const thSceneGoalKind order[] = {th_sceneGoalShape, th_sceneGoalRandom,
                                            th_sceneGoalNearest, th_sceneGoalList};
    run->goals = allocate(run, scene->goalCount, sizeof *run->goals);
    run->goalRegions = allocate(run, scene->goalCount, sizeof *run->goalRegions);
    if (run->goals == NULL || run->goalRegions == NULL)
        return th_resultNoMemory;
    for (size_t stage = 0; stage < sizeof order / sizeof order[0]; ++stage)
        for (int32_t i = 0; i < scene->goalCount; ++i) {
            if (scene->goals[i].kind != order[stage])
                continue;
            const thResult code = createGoal(run, i);
            if (code == th_resultNoMemory)
                return code;
            if (code != th_resultOk)
                thiReportAt(&errors->sink, code, scene->goals[i].source,
                            "the world refuses this goal");
        }
    return th_resultOk;
}

// Roadmaps.

static thResult copyNodes(thRun* run, const thSceneRoadmap* roadmap, thRoadmapDef* def)
{
    const int32_t count = roadmap->nodes.count / 2;
    thVec2* nodes = thiArenaAllocate(&run->arena, (size_t)TH_MAX(count, 1) * sizeof *nodes);
    thVec2* ends = thiArenaAllocate(&run->arena, (size_t)TH_MAX(count, 1) * sizeof *ends);
    if (nodes == NULL || ends == NULL)
        return th_resultNoMemory;
    const thCoord origin = run->scene->origin;
    for (int32_t i = 0; i < count; ++i)
        if (!thiToWorld(roadmap->nodes.items[2 * i], origin, &nodes[i]) ||
            !thiToWorld(roadmap->nodes.items[2 * i + 1], origin, &ends[i]))
            return th_resultBadArgument;
    def->nodes = nodes;
    def->ends = ends;
    def->nodeCount = count;
    def->edges = roadmap->edges;
    def->edgeCount = roadmap->edgeCount;
    return th_resultOk;
}

// The corners with the lower and with the higher coordinates.
static bool copyBox(const thShape* box, thCoord origin, thRoadmapDef* def)
{
    thVec2 a, b;
    if (box->points.count == 0)
        return true;
    if (!thiToWorld(box->points.items[0], origin, &a) ||
        !thiToWorld(box->points.items[1], origin, &b))
        return false;
    def->low = (thVec2){TH_MIN(a.x, b.x), TH_MIN(a.y, b.y)};
    def->high = (thVec2){TH_MAX(a.x, b.x), TH_MAX(a.y, b.y)};
    return true;
}

static thResult copyRule(thRun* run, const thSceneRoadmap* roadmap, thRoadmapDef* def)
{
    const thCoord origin = run->scene->origin;
    switch (roadmap->kind) {
    case th_roadmapStreets:
        def->columns = roadmap->columns;
        def->rows = roadmap->rows;
        def->spacing = (thVec2){(float)roadmap->spacing[0], (float)roadmap->spacing[1]};
        return thiToWorld(roadmap->from, origin, &def->from) ? th_resultOk : th_resultBadArgument;
    case th_roadmapRandom:
        def->count = roadmap->count;
        def->neighbors = roadmap->neighbours;
        def->reach = (float)roadmap->reach;
        break;
    case th_roadmapGrid:
        def->neighbors = roadmap->diagonals ? 8 : 4;
        def->side = (float)roadmap->side;
        break;
    default:
        def->side = (float)roadmap->side;
    }
    return copyBox(&roadmap->box, origin, def) ? th_resultOk : th_resultBadArgument;
}

static thResult createRoadmap(thRun* run, const thSceneRoadmap* roadmap)
{
    thRoadmapDef def = thDefaultRoadmapDef();
    def.name = roadmap->name;
    def.kind = roadmap->kind;
    def.level = roadmap->level;
    TH_TRY(roadmap->kind == th_roadmapGiven ? copyNodes(run, roadmap, &def)
                                            : copyRule(run, roadmap, &def));
    thRoadmapId id;
    return thCreateRoadmap(run->world, &def, &id);
}

static thResult buildRoadmaps(thRun* run, thRunErrors* errors)
{
    for (int32_t i = 0; i < run->scene->roadmapCount; ++i) {
        const thSceneRoadmap* roadmap = &run->scene->roadmaps[i];
        const thResult code = createRoadmap(run, roadmap);
        if (code == th_resultNoMemory)
            return code;
        if (code != th_resultOk)
            thiReportAt(&errors->sink, code, roadmap->source, "the world refuses this roadmap");
    }
    return th_resultOk;
}

// Movers.

static thResult copyPoints(thRun* run, thCoords points, thCoord origin, const thVec2** copy)
{
    thVec2* to = thiArenaAllocate(&run->arena, (size_t)TH_MAX(points.count, 1) * sizeof *to);
    if (to == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < points.count; ++i)
        if (!thiToWorld(points.items[i], origin, &to[i]))
            return th_resultBadArgument;
    *copy = to;
    return th_resultOk;
}

static thResult createMover(thRun* run, const thSceneMover* mover)
{
    const thCoord origin = run->scene->origin;
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = mover->isDisc ? th_obstacleMovingDisc : th_obstacleMovingPolygon;
    def.radius = (float)mover->radius;
    def.pointCount = mover->corners.count;
    TH_TRY(copyPoints(run, mover->corners, (thCoord){0.0, 0.0}, &def.points));
    def.level = mover->level;
    if (!thiToWorld(mover->at, origin, &def.position))
        return th_resultBadArgument;
    def.angle = radians(mover->angle);
    def.velocity = (thVec2){(float)mover->velocity[0], (float)mover->velocity[1]};
    def.spin = radians(mover->spin);
    def.pathCount = mover->path.count;
    TH_TRY(copyPoints(run, mover->path, origin, &def.path));
    def.pathSpeed = (float)mover->speed;
    def.pathLoops = mover->loop;
    def.yields = mover->yields;
    thObstacleId id;
    return thCreateObstacle(run->world, &def, &id);
}

static thResult buildMovers(thRun* run, thRunErrors* errors)
{
    for (int32_t i = 0; i < run->scene->moverCount; ++i) {
        const thSceneMover* mover = &run->scene->movers[i];
        const thResult code = createMover(run, mover);
        if (code == th_resultNoMemory)
            return code;
        if (code != th_resultOk)
            thiReportAt(&errors->sink, code, mover->source, "the world refuses this mover");
    }
    return th_resultOk;
}

// Gates: lines with a capacity.

static thResult createGate(thRun* run, const thSceneGauge* line)
{
    const thCoord origin = run->scene->origin;
    thGateDef def = thDefaultGateDef();
    if (!thiToWorld(line->shape.points.items[0], origin, &def.a) ||
        !thiToWorld(line->shape.points.items[1], origin, &def.b))
        return th_resultBadArgument;
    def.level = line->level;
    def.capacity = (float)line->capacity;
    thGateId id;
    return thCreateGate(run->world, &def, &id);
}

static thResult buildGates(thRun* run, thRunErrors* errors)
{
    for (int32_t i = 0; i < thiLineCount(run->scene); ++i) {
        const thSceneGauge* line = &run->scene->gauges[i];
        const thResult code = isinf(line->capacity) ? th_resultOk : createGate(run, line);
        if (code == th_resultNoMemory)
            return code;
        if (code != th_resultOk)
            thiReportAt(&errors->sink, code, line->source, "the world refuses this gate");
    }
    return th_resultOk;
}

// One stage after the other; each tells all errors it finds. Profiles name methods, so these come
// first.
thResult thiBuildWorld(thRun* run, const thRunDef* def, thRunErrors* errors)
{
    for (int32_t i = 0; i < run->scene->methodCount; ++i) {
        const thAddedMethod* added = &run->scene->methods[i];
        TH_TRY(thWorld_AddMethod(run->world, added->kind, added->method));
    }
    if (!def->withoutAgents)
        TH_TRY(thiBuildProfiles(run, def->methods, errors));
    TH_TRY(buildGoals(run, errors));
    TH_TRY(buildRoadmaps(run, errors));
    TH_TRY(thiBuildWalls(run, errors));
    TH_TRY(thiBuildDoors(run, errors));
    TH_TRY(buildMovers(run, errors));
    return buildGates(run, errors);
}
