// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What is likely not meant about agents that have a shape: that they stand in each other or in
// walls at the beginning, and profiles that make little of their shape.

#include "scene/run/scene_run.h"
#include "sim/facing.h"
#include "sim/ranges.h"
#include "sim/turning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Bodies that overlap by less than this share of their radii's sum touch.
#define TOUCHING 0.01
// Shapes touch walls that they are less deep in. [m]
#define TOUCHING_WALL 0.01f

// Others should be seen so far beyond the shape at least. [m]
#define SEEN_BEYOND 3.0
// Less than this share of the disc inside is a small radius.
#define SMALL_SHARE 0.5

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
    const thVec2 way = {thiMetresBetween(rows->px[a], rows->px[b]),
                        thiMetresBetween(rows->py[a], rows->py[b])};
    const thConvexBody own = thiBodyAt(run->world, rows, a), other = thiBodyAt(run->world, rows, b);
    if (own.count == 1 && other.count == 1)
        return (double)(own.radius + other.radius - sqrtf(thiDot(way, way)));
    return -(double)thiGapBetween(&own, &other, way);
}

double thiFindShapeOverlap(const thRun* run, const thBodies* bodies, int32_t number, int32_t* other)
{
    const thRows* rows = rowsOf(run);
    const int32_t row = rowOfNumber(run, number);
    const float gap = thiBodyReach(run->world, rows, row) + thiLongestShape(run->world);
    thNearBodies walk = thiBeginNear(bodies, bodies->items[number], number, (double)gap);
    double deepest = 0.0;
    for (int32_t near = thiNextNear(&walk); near >= 0; near = thiNextNear(&walk)) {
        if (near > number)
            continue;
        const int32_t nearRow = rowOfNumber(run, near);
        const double depth = depthOf(run, row, nearRow);
        const double radii = (double)rows->radius[row] + (double)rows->radius[nearRow];
        if (depth > TOUCHING * radii && depth > deepest) {
            deepest = depth;
            *other = near;
        }
    }
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

void thiNoteShapesInWalls(const thRun* run, int32_t entry, thErrorSink* notes)
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

void thiNoteShapedProfiles(const thRun* run, thErrorSink* notes)
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
