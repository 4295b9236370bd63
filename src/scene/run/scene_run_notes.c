// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Notes on what is likely not meant although the world takes it. People or shapes that stand in
// each other or in walls at the beginning, profiles that make little of their shape, goals that are
// all in walls, roadmaps of other floors, groups that nothing keeps together.

#include "scene/run/scene_run.h"
#include "sim/ranges.h"
#include "sim/step/turning.h"
#include "throng/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Bodies that are looked at for overlaps at most, so that stacks of people end.
#define MOST_MET 100000000

// Bodies that overlap by less than this share of their radii's sum touch.
#define TOUCHING 0.01

// Shapes touch walls that they are less deep in. [m]
#define TOUCHING_WALL 0.01f

// Others should be seen so far beyond the shape at least. [m]
#define SEEN_BEYOND 3.0
// Less than this share of the disc inside is a small radius.
#define SMALL_SHARE 0.5

// Places of a goal that are looked at, along its outline and inside.
#define OUTLINE_SAMPLES 256
#define INSIDE_SAMPLES 64

// What is as near to a wall is on it. [m]
#define ON_WALL 0x1p-15f

// Planners of paths lead nobody to a goal that is behind a wall, however near it is. [m]
#define NO_REACH (-1.0)

// Overlaps.

static int32_t entryOfNumber(const thRun* run, int32_t number)
{
    int32_t entry = 0;
    while (thiEntryFirst(run, entry + 1) <= number)
        ++entry;
    return entry;
}

// Who stands in whom is looked for among those before, who are added one after the other: where
// hundreds stand in one place, the first that is met will do.
typedef struct Overlaps {
    const thRun* run;
    const thBodies* bodies; // all of them
    thBodies before;
    int64_t met; // bodies that were looked at, of MOST_MET
} Overlaps;

// An overlap of a body with those before it: the deepest, or any. [m; 0: none]
static double findOverlap(Overlaps* overlaps, int32_t number, bool isAnyEnough, int32_t* other)
{
    const thPlacedBody* body = &overlaps->bodies->items[number];
    thNearBodies walk = thiBeginNear(&overlaps->before, *body, number, 0.0);
    double deepest = 0.0;
    for (int32_t near = thiNextNear(&walk); near >= 0; near = thiNextNear(&walk)) {
        const double depth = walk.space - walk.distance;
        if (depth > TOUCHING * walk.space && depth > deepest) {
            deepest = depth;
            *other = near;
            if (isAnyEnough)
                break;
        }
    }
    overlaps->met += walk.met;
    return deepest / THRONG_UNITS_PER_METRE;
}

static const thRows* rowsOf(const thRun* run)
{
    return thiRows(run->world);
}

static int32_t rowOfNumber(const thRun* run, int32_t number)
{
    return thiFindRow(run->world, thWorld_FindAgent(run->world, (uint64_t)number + 1));
}

// How deep two agents stand in each other. [m; not above 0: they do not]
static double depthOf(const thRun* run, int32_t a, int32_t b)
{
    const thRows* rows = rowsOf(run);
    const thVec2 offset = {thiMetresBetween(rows->px[a], rows->px[b]),
                           thiMetresBetween(rows->py[a], rows->py[b])};
    const thConvexBody own = thiBodyAt(run->world, rows, a), other = thiBodyAt(run->world, rows, b);
    if (own.count == 1 && other.count == 1)
        return (double)(own.radius + other.radius - sqrtf(thiDot(offset, offset)));
    return -(double)thiGapBetween(&own, &other, offset);
}

// The same in a world with shapes.
static double findShapeOverlap(Overlaps* overlaps, int32_t number, bool isAnyEnough, int32_t* other)
{
    const thRun* run = overlaps->run;
    const thPlacedBody* body = &overlaps->bodies->items[number];
    const thRows* rows = rowsOf(run);
    const int32_t row = rowOfNumber(run, number);
    const float gap = thiBodyReach(run->world, rows, row) + thiLongestShape(run->world);
    thNearBodies walk = thiBeginNear(&overlaps->before, *body, number, (double)gap);
    double deepest = 0.0;
    for (int32_t near = thiNextNear(&walk); near >= 0; near = thiNextNear(&walk)) {
        const int32_t nearRow = rowOfNumber(run, near);
        const double depth = depthOf(run, row, nearRow);
        const double radii = (double)rows->radius[row] + (double)rows->radius[nearRow];
        if (depth > TOUCHING * radii && depth > deepest) {
            deepest = depth;
            *other = near;
            if (isAnyEnough)
                break;
        }
    }
    overlaps->met += walk.met;
    return deepest;
}

// How deep an agent's shape is in a wall. [m; not above 0: it is not]
static float wallDepthOf(const thRun* run, int32_t row)
{
    const thRows* rows = rowsOf(run);
    const thPoint at = {rows->px[row], rows->py[row]};
    const thConvexBody body = thiBodyAt(run->world, rows, row);
    thWallBodies walls;
    thiFindWallBodies(run->world, rows->level[row], at, thiBodyReach(run->world, rows, row),
                      &walls);
    float deepest = 0.0f;
    for (int32_t i = 0; i < walls.count; ++i)
        deepest = TH_MAX(deepest, -thiGapBetween(&body, &walls.items[i], (thVec2){0.0f, 0.0f}));
    return deepest;
}

static void noteShapesInWalls(const thRun* run, int32_t entry, thErrorSink* notes)
{
    if (run->scene->profiles[run->scene->agents[entry].profile].body.shape.count == 0)
        return;
    int32_t count = 0, told = 0;
    float depth = 0.0f;
    for (int32_t i = 0; i < thiEntryCount(run, entry); ++i) {
        const float deep = wallDepthOf(run, rowOfNumber(run, thiEntryFirst(run, entry) + i));
        if (deep > TOUCHING_WALL && count++ == 0) {
            told = i;
            depth = deep;
        }
    }
    if (count == 0)
        return;
    char more[64] = "";
    if (count > 1)
        snprintf(more, sizeof more, "; so do %d more of this entry", (int)(count - 1));
    thiReportAt(notes, th_resultBlocked, thiPlaceSource(run, entry, told),
                "the shape of agent %d stands %.3g m deep in a wall%s", (int)told, (double)depth,
                more);
}

// One note for an entry: about the first of its agents, and how many more there are.
static void noteOverlaps(Overlaps* overlaps, int32_t entry, thErrorSink* notes)
{
    const thRun* run = overlaps->run;
    const int32_t first = thiEntryFirst(run, entry);
    int32_t count = 0, told = 0, other = 0;
    double depth = 0.0;
    for (int32_t i = 0; i < thiEntryCount(run, entry) && overlaps->met < MOST_MET; ++i) {
        int32_t near = 0;
        const double deep = run->world->profiles.shapedCount > 0
                                ? findShapeOverlap(overlaps, first + i, count > 0, &near)
                                : findOverlap(overlaps, first + i, count > 0, &near);
        thiAddBody(&overlaps->before, first + i, overlaps->bodies->items[first + i]);
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
        snprintf(more, sizeof more, "; so do %s%d more of this entry with others",
                 overlaps->met < MOST_MET ? "" : "at least ", (int)(count - 1));
    thiReportAt(notes, th_resultBlocked, thiPlaceSource(run, entry, told),
                "agent %d stands %.3g m deep in agent %d of agents[%d]%s", (int)told, depth,
                (int)(other - thiEntryFirst(run, otherEntry)), (int)otherEntry, more);
}

// Profiles.

// Radius of the greatest disc about the position that is inside. [m]
static double insideOf(const thBodyShape* shape)
{
    double least = INFINITY;
    for (int32_t i = 0; i < shape->count; ++i) {
        const thVec2 a = shape->corners[i], b = shape->corners[(i + 1) % shape->count];
        const thVec2 e = thiSubtract(b, a);
        const float height = thiDet(a, b) / sqrtf(thiDot(e, e));
        least = TH_MIN(least, (double)height);
    }
    return least;
}

static bool isBuiltIn(const thMethod* method)
{
    for (const thMethod* const* known = thiBuiltInMethods(th_methodAvoid); *known != NULL; ++known)
        if (*known == method)
            return true;
    return false;
}

static void noteRadius(const thSceneProfile* profile, thErrorSink* notes)
{
    const double reach = (double)thiShapeReach(&profile->body.shape);
    const double inside = insideOf(&profile->body.shape);
    const double least = thiDrawLeast(&profile->radius), most = thiDrawMost(&profile->radius);
    if (most > reach)
        thiReportAt(
            notes, th_resultBlocked, profile->source,
            "its radius of %.3g m is more than the circle round its shape, %.3g m: whoever "
            "takes it for a disc keeps clear of more than the shape; expected about %.3g m, "
            "the disc inside",
            most, reach, inside);
    else if (least < SMALL_SHARE * inside)
        thiReportAt(
            notes, th_resultBlocked, profile->source,
            "its radius of %.3g m is much less than the disc inside of its shape: walls and "
            "planners go by the radius; expected about %.3g m",
            least, inside);
}

static void noteProfile(const thRun* run, int32_t entry, thErrorSink* notes)
{
    const thSceneProfile* profile = &run->scene->profiles[run->scene->agents[entry].profile];
    const int32_t slot = (int32_t)THRONG_SLOT(run->profiles[entry]);
    const thMethod* avoid = thiProfiles(run->world)[slot].methods[th_methodAvoid].method;
    const double needed = (double)thiShapeReach(&profile->body.shape) + SEEN_BEYOND;
    if (isBuiltIn(avoid) && strcmp(avoid->name, "clearpath") != 0)
        thiReportAt(notes, th_resultBlocked, profile->source,
                    "it has a shape, but '%s' takes it for a disc of its radius; 'clearpath' heeds "
                    "shapes",
                    avoid->name);
    noteRadius(profile, notes);
    if (profile->neighbourRadius < needed)
        thiReportAt(
            notes, th_resultBlocked, profile->source,
            "it sees others only within %.3g m of its middle, and its shape reaches %.3g m: "
            "expected sees.radius of at least %.3g m",
            profile->neighbourRadius, needed - SEEN_BEYOND, needed);
}

static void noteShapedProfiles(const thRun* run, thErrorSink* notes)
{
    const thScene* scene = run->scene;
    for (int32_t i = 0; i < scene->profileCount; ++i) {
        int32_t entry = 0;
        while (entry < scene->agentsCount && scene->agents[entry].profile != i)
            ++entry;
        if (entry < scene->agentsCount && scene->profiles[i].body.shape.count > 0)
            noteProfile(run, entry, notes);
    }
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
        const bool findsPaths = plannerOf(run, i)->method->sketch != NULL;
        if (!findsPaths)
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

// Where a door is shut now, there is a path when it opens.
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

static bool isOutlineBuried(const thRun* run, int32_t level, const thSceneRegion* region,
                            double reach)
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

static bool isGoalBuried(const thRun* run, int32_t level, const thSceneRegion* region, double reach)
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
static bool isOutOfReach(const thRun* run, const thSceneRegion* region, double reach)
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
        thSceneRegion region;
        TH_TRY(thiMakeRegion(&goal->shape, &copy, run->scene->origin, &run->arena, &region));
        *isOut = isOutOfReach(run, &region, reach);
    }
    return th_resultOk;
}

// Whether a goal is one that is buried, or leads through one.
static bool leadsTo(const thScene* scene, int32_t goal, int32_t buried)
{
    const thSceneGoal* item = &scene->goals[goal];
    for (int32_t i = 0; i < item->goalCount; ++i)
        if (item->goals[i] == buried || item->goals[i] == goal)
            return item->kind == th_sceneGoalList || item->goalCount == 1;
    return goal == buried;
}

static void tellNowhere(const thScene* scene, int32_t buried, uint8_t* getsNowhere)
{
    for (int32_t i = 0; i < scene->agentsCount; ++i)
        if (scene->agents[i].goal >= 0 && leadsTo(scene, scene->agents[i].goal, buried))
            getsNowhere[i] = 1;
}

static thResult noteGoals(thRun* run, thErrorSink* notes, uint8_t* getsNowhere)
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
        if (code != th_resultOk || !isOut)
            continue;
        thiReportAt(notes, th_resultBlocked, goal->source,
                    "all of this goal is in or on a wall, or outside of the room: nobody gets "
                    "there");
        tellNowhere(scene, i, getsNowhere);
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

// Returns whether it leads nowhere.
static bool noteRoadmap(const thRun* run, int32_t entry, thErrorSink* notes)
{
    const thSceneAgents* agents = &run->scene->agents[entry];
    const thSceneRoadmap* roadmap = roadmapOf(run, entry);
    if (roadmap == NULL || roadmap->level == agents->level)
        return false;
    thiReportAt(notes, th_resultBlocked, agents->source,
                "these agents are on floor %d, their roadmap '%s' is of floor %d: it leads "
                "them nowhere",
                (int)agents->level, roadmap->name, (int)roadmap->level);
    return true;
}

// Groups.

static bool isFirstOfGroup(const thRun* run, int32_t entry)
{
    for (int32_t i = 0; i < entry; ++i)
        if (run->groups[i] == run->groups[entry])
            return false;
    return run->groups[entry] >= 0;
}

// One note for all groups, at the first entry of the first of them.
static void noteGroups(const thRun* run, thErrorSink* notes)
{
    const thSceneAgents* first = NULL;
    int32_t others = 0;
    for (int32_t entry = 0; entry < run->scene->agentsCount; ++entry) {
        const int32_t slot = (int32_t)THRONG_SLOT(run->profiles[entry]);
        const thMethod* method = thiProfiles(run->world)[slot].methods[th_methodGroup].method;
        if (strcmp(method->name, "none") != 0 || !isFirstOfGroup(run, entry))
            continue;
        others += first != NULL;
        first = first != NULL ? first : &run->scene->agents[entry];
    }
    char more[64] = "";
    if (others > 0)
        snprintf(more, sizeof more, "; the same holds for %d other group%s", (int)others,
                 others > 1 ? "s" : "");
    if (first != NULL)
        thiReportAt(notes, th_resultBlocked,
                    first->source != NULL ? thiJsonMember(first->source, "group") : NULL,
                    "nothing keeps group '%s' together: its profile's method 'group' is 'none'; it "
                    "is recorded, measured and coloured, but nobody walks otherwise%s",
                    first->group, more);
}

thResult thiReportNotes(thRun* run, const thCrowd* crowd, const thRunErrors* errors)
{
    thErrorSink notes = {
        .report = errors->note, .context = errors->noteContext, .file = run->scene->file};
    Overlaps overlaps = {.run = run, .bodies = &crowd->bodies};
    TH_TRY(thiBodiesInit(&overlaps.before, &run->memory, crowd->bodies.capacity));
    for (int32_t entry = 0; entry < run->scene->agentsCount; ++entry)
        noteOverlaps(&overlaps, entry, &notes);
    thiBodiesFree(&overlaps.before);
    const size_t size = (size_t)TH_MAX(run->scene->agentsCount, 1);
    uint8_t* getsNowhere = thiArenaAllocate(&run->arena, size);
    if (getsNowhere == NULL)
        return th_resultNoMemory;
    for (int32_t entry = 0; entry < run->scene->agentsCount; ++entry) {
        noteShapesInWalls(run, entry, &notes);
        getsNowhere[entry] = noteRoadmap(run, entry, &notes);
    }
    noteGroups(run, &notes);
    noteShapedProfiles(run, &notes);
    TH_TRY(noteGoals(run, &notes, getsNowhere));
    return thiNoteUnreachable(run, errors, getsNowhere, &notes);
}
