// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What is likely not meant although the world takes it: people who stand in each other at the
// beginning, goals that are all in walls, and roadmaps of other floors.

#include "scene/run/scene_run.h"
#include "sim/ranges.h"
#include "throng/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Bodies that overlap by less than this share of their radii's sum touch.
#define TOUCHING 0.01

// Places of a goal that are looked at, along its outline and inside.
#define OUTLINE_SAMPLES 256
#define INSIDE_SAMPLES 64

// What is as near to a wall is on it. [m]
#define ON_WALL 0x1p-15f

// Planners of ways lead nobody to a goal that is behind a wall, however near it is. [m]
#define NO_REACH (-1.0)

static int32_t entryOfNumber(const thRun* run, int32_t number)
{
    int32_t entry = 0;
    while (thiEntryFirst(run, entry + 1) <= number)
        ++entry;
    return entry;
}

// The deepest overlap of a body with those before it. [m; 0: none]
static double findOverlap(const thBodies* bodies, int32_t number, int32_t* other)
{
    thNearBodies walk = thiBeginNear(bodies, bodies->items[number], number, 0.0);
    double deepest = 0.0;
    for (int32_t near = thiNextNear(&walk); near >= 0; near = thiNextNear(&walk)) {
        const double depth = walk.space - walk.distance;
        if (near < number && depth > TOUCHING * walk.space && depth > deepest) {
            deepest = depth;
            *other = near;
        }
    }
    return deepest / THRONG_UNITS_PER_METRE;
}

// One note for an entry: about the first of its agents, and how many more there are.
static void noteOverlaps(const thRun* run, const thBodies* bodies, int32_t entry,
                         thErrorSink* notes)
{
    const int32_t first = thiEntryFirst(run, entry);
    int32_t count = 0, told = 0, other = 0;
    double depth = 0.0;
    for (int32_t i = 0; i < thiEntryCount(run, entry); ++i) {
        int32_t near = 0;
        const double deep = run->world->profiles.shapedCount > 0
                                ? thiFindShapeOverlap(run, bodies, first + i, &near)
                                : findOverlap(bodies, first + i, &near);
        if (deep > 0.0 && count++ == 0) {
            told = i;
            other = near;
            depth = deep;
        }
    }
    if (count == 0)
        return;
    const int32_t otherEntry = entryOfNumber(run, other);
    char more[64] = "";
    if (count > 1)
        snprintf(more, sizeof more, "; so do %d more of this entry with others", (int)(count - 1));
    thiReportAt(notes, th_resultBlocked, thiPlaceSource(run, entry, told),
                "agent %d stands %.3g m deep in agent %d of agents[%d]%s", (int)told, depth,
                (int)(other - thiEntryFirst(run, otherEntry)), (int)otherEntry, more);
}

// Goals.

static const thMethodInUse* plannerOf(const thRun* run, int32_t entry)
{
    const int32_t slot = (int32_t)THRONG_SLOT(run->profiles[entry]);
    return &TH_ITEMS(run->world->profiles.items, thProfile)[slot].methods[th_methodPlan];
}

// How far from a wall an agent that is in the open may be at a goal behind it: arrived, but with
// all of its body off the wall. Only who goes straight gets there. [m]
static double reachOfAgents(const thRun* run)
{
    const thScene* scene = run->scene;
    double reach = NO_REACH;
    for (int32_t i = 0; i < scene->agentsCount; ++i) {
        const thSceneProfile* profile = &scene->profiles[scene->agents[i].profile];
        const bool findsWays = plannerOf(run, i)->method->sketch != NULL;
        if (!findsWays)
            reach = TH_MAX(
                reach,
                TH_MAX(profile->arrivalDistance - 0.9 * thiDrawLeast(&profile->radius), 0.0));
    }
    return reach;
}

static bool isWallWithin(const thRun* run, int32_t level, thPoint at, float distance)
{
    thNearWall wall;
    return thiNearestWalls(run->world->walls.grid, level, at.x, at.y, distance, -1.0f, 1, &wall,
                           1) > 0;
}

// Where a door is shut now, there is a way when it opens.
static bool isOnDoor(const thRun* run, int32_t level, thPoint at)
{
    const thScene* scene = run->scene;
    const double x = at.x / (double)THRONG_UNITS_PER_METRE + scene->origin.x;
    const double y = at.y / (double)THRONG_UNITS_PER_METRE + scene->origin.y;
    for (int32_t i = 0; i < scene->doorCount; ++i) {
        const thSceneDoor* door = &scene->doors[i];
        const double dx = door->b.x - door->a.x, dy = door->b.y - door->a.y;
        const double px = x - door->a.x, py = y - door->a.y;
        const double square = dx * dx + dy * dy;
        const double along = square > 0.0 ? (px * dx + py * dy) / square : 0.0;
        const double share = TH_MIN(TH_MAX(along, 0.0), 1.0);
        const double offX = px - share * dx, offY = py - share * dy;
        if (door->level == level && offX * offX + offY * offY < 1e-6)
            return true;
    }
    return false;
}

// Whether all within a distance of a place is in solid; without reach, whether the place itself is
// there or on a wall. [m]
static bool isBuried(const thRun* run, int32_t level, thPoint at, double distance)
{
    const bool isSolid = thiIsInSolid(run->world->walls.grid, level, at.x, at.y);
    if (distance >= 0.0)
        return isSolid && !isWallWithin(run, level, at, (float)distance);
    return isSolid || (isWallWithin(run, level, at, ON_WALL) && !isOnDoor(run, level, at));
}

static bool isOutlineBuried(const thRun* run, int32_t level, const thRegion* region, double reach)
{
    const double spacing = TH_MAX(region->perimeter / OUTLINE_SAMPLES, 0.05);
    for (int32_t i = 0; i < region->cornerCount; ++i) {
        const thPoint a = region->corners[i], b = region->corners[(i + 1) % region->cornerCount];
        const double dx = (double)b.x - a.x, dy = (double)b.y - a.y;
        const double length = sqrt(dx * dx + dy * dy) / THRONG_UNITS_PER_METRE;
        const int32_t parts = 1 + (int32_t)(length / spacing);
        for (int32_t k = 0; k < parts; ++k) {
            const thPoint at = {(int32_t)(a.x + dx * k / parts), (int32_t)(a.y + dy * k / parts)};
            // What is between the samples is as near as half of the spacing.
            const double between = length > 0.0 && reach >= 0.0 ? 0.5 * spacing : 0.0;
            if (!isBuried(run, level, at, reach + between))
                return false;
        }
    }
    return true;
}

static bool isGoalBuried(const thRun* run, int32_t level, const thRegion* region, double reach)
{
    if (region->kind == th_shapeDisc)
        return isBuried(run, level, region->corners[0],
                        region->radius / THRONG_UNITS_PER_METRE + TH_MAX(reach, 0.0));
    if (!isOutlineBuried(run, level, region, reach))
        return false;
    // Solids may leave a yard between them.
    const uint64_t stream = thRandomStream(run->seed, 0, 0, th_runNotes);
    uint32_t next = 0;
    thPoint place;
    for (int32_t i = 0; i < INSIDE_SAMPLES; ++i)
        if (thiRegionDraw(region, stream, &next, &place) &&
            !isBuried(run, level, place, TH_MIN(reach, 0.0)))
            return false;
    return true;
}

// A region is on all floors; it is out of reach if it is so on each that has agents.
static bool isOutOfReach(const thRun* run, const thRegion* region, double reach)
{
    const thScene* scene = run->scene;
    for (int32_t i = 0; i < scene->agentsCount; ++i) {
        const int32_t level = scene->agents[i].level;
        const bool isKnown = i > 0 && scene->agents[i - 1].level == level;
        if (!isKnown && !isGoalBuried(run, level, region, reach))
            return false;
    }
    return scene->agentsCount > 0;
}

// A goal is out of reach if all of its copies are.
static thResult findOutOfReach(thRun* run, const thSceneGoal* goal, double reach, bool* isOut)
{
    *isOut = true;
    for (int32_t i = 0; i < thiCopyCount(&goal->repeat) && *isOut; ++i) {
        const thCopy copy = thiCopyOf(&goal->repeat, i);
        thRegion region;
        TH_TRY(thiMakeRegion(&goal->shape, &copy, run->scene->origin, &run->arena, &region));
        *isOut = isOutOfReach(run, &region, reach);
    }
    return th_resultOk;
}

static thResult noteGoals(thRun* run, thErrorSink* notes)
{
    const thScene* scene = run->scene;
    const double reach = reachOfAgents(run);
    for (int32_t i = 0; i < scene->goalCount; ++i) {
        const thSceneGoal* goal = &scene->goals[i];
        bool isOut;
        if (goal->kind != th_sceneGoalShape)
            continue;
        const thResult code = findOutOfReach(run, goal, reach, &isOut);
        if (code == th_resultNoMemory)
            return code;
        if (code == th_resultOk && isOut)
            thiReportAt(notes, th_resultBlocked, goal->source,
                        "all of this goal is in or on a wall, or outside of the room: nobody gets "
                        "there");
    }
    return th_resultOk;
}

// Roadmaps.

// The one that the planner of an entry's agents goes by; NULL: none.
static const thSceneRoadmap* roadmapOf(const thRun* run, int32_t entry)
{
    const thScene* scene = run->scene;
    const thMethodInUse* planner = plannerOf(run, entry);
    for (int32_t i = 0; i < planner->method->paramCount; ++i) {
        const thParam* param = &planner->method->params[i];
        if (param->kind != th_paramRoadmap)
            continue;
        const char* name = (const char*)planner->params + param->offset;
        for (int32_t k = 0; k < scene->roadmapCount; ++k)
            if (strcmp(scene->roadmaps[k].name, name) == 0 || scene->roadmapCount == 1)
                return &scene->roadmaps[k];
    }
    return NULL;
}

static void noteRoadmap(const thRun* run, int32_t entry, thErrorSink* notes)
{
    const thSceneAgents* agents = &run->scene->agents[entry];
    const thSceneRoadmap* roadmap = roadmapOf(run, entry);
    if (roadmap != NULL && roadmap->level != agents->level)
        thiReportAt(notes, th_resultBlocked, agents->source,
                    "these agents are on floor %d, their roadmap '%s' is of floor %d: it leads "
                    "them nowhere",
                    (int)agents->level, roadmap->name, (int)roadmap->level);
}

thResult thiTellNotes(thRun* run, const thCrowd* crowd, const thRunErrors* errors)
{
    thErrorSink notes = {
        .report = errors->note, .context = errors->noteContext, .file = run->scene->file};
    for (int32_t entry = 0; entry < run->scene->agentsCount; ++entry) {
        noteOverlaps(run, &crowd->bodies, entry, &notes);
        thiNoteShapesInWalls(run, entry, &notes);
        noteRoadmap(run, entry, &notes);
    }
    thiNoteShapedProfiles(run, &notes);
    return noteGoals(run, &notes);
}
