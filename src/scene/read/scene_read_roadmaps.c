// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Roadmaps of a scene file, and the names of them.

#include "scene/read/scene_read.h"
#include "scene/read/scene_tables.h"
#include "throng/roadmap.h"

#include <math.h>
#include <string.h>

static bool isPair(const thJson* value)
{
    return value->kind == th_jsonArray && value->count == 2;
}

// A point counts as a portal without width. Where something is wrong in a segment, what is good
// tells that it is one.
static bool readNode(thSceneReader* reader, const thJson* value, thCoord ends[2])
{
    if (value->kind != th_jsonArray || value->count != 2)
        return thiWrongType(reader, value, "a point [x, y] or a segment [[x, y], [x, y]]");
    if (isPair(value->first) || isPair(value->first->next))
        return thiReadSegment(reader, value, ends);
    const bool good = thiReadPoint(reader, value, &ends[0]);
    ends[1] = ends[0];
    return good;
}

bool thiReadNodes(thSceneReader* reader, const thJson* value, thCoords* nodes)
{
    if (value->kind != th_jsonArray)
        return thiWrongType(reader, value, "an array of points and segments");
    if (value->count < 1 || value->count > THRONG_ROADMAP_NODES)
        return thiSceneError(reader, value, "has %d nodes, expected 1 .. %d", (int)value->count,
                             THRONG_ROADMAP_NODES);
    thCoord* ends = thiSceneAllocate(reader, 2 * (int64_t)value->count, sizeof *ends);
    if (ends == NULL)
        return false;
    bool good = true;
    for (const thJson* item = value->first; item != NULL; item = item->next)
        good = readNode(reader, item, &ends[2 * item->index]) && good;
    *nodes = (thCoords){.items = ends, .count = 2 * value->count};
    return good;
}

static bool readPair(thSceneReader* reader, const thJson* value, int32_t pair[2])
{
    static const char expected[] = "two numbers of nodes [a, b]";
    const thField number = {.min = 0, .max = THRONG_ROADMAP_NODES - 1};
    double ends[2];
    if (!thiReadNumbers(reader, value, &number, expected, ends))
        return false;
    if (ends[0] != floor(ends[0]) || ends[1] != floor(ends[1]))
        return thiSceneError(reader, value, "expected whole numbers of nodes");
    pair[0] = (int32_t)ends[0];
    pair[1] = (int32_t)ends[1];
    return true;
}

bool thiReadPairs(thSceneReader* reader, const thJson* value, void* target)
{
    if (value->kind != th_jsonArray)
        return thiWrongType(reader, value, "an array of [a, b]");
    if (value->count == 0)
        return thiSceneError(reader, value, "needs at least 1 pair, has 0");
    int32_t* pairs = thiSceneAllocate(reader, 2 * (int64_t)value->count, sizeof *pairs);
    if (pairs == NULL)
        return false;
    bool good = true;
    for (const thJson* item = value->first; item != NULL; item = item->next)
        good = readPair(reader, item, &pairs[2 * item->index]) && good;
    memcpy(target, &pairs, sizeof pairs);
    memcpy((char*)target + sizeof pairs, &value->count, sizeof value->count);
    return good;
}

void thiCheckRoadmap(thSceneReader* reader, const thJson* object, void* target, bool good)
{
    const thSceneRoadmap* roadmap = target;
    const thJson* edges = thiJsonMember(object, "edges");
    const int32_t count = roadmap->nodes.count / 2;
    if (good && edges == NULL && count > THRONG_ROADMAP_SIGHTS)
        thiSceneError(reader, object, "needs 'edges', because it has more than %d nodes",
                      THRONG_ROADMAP_SIGHTS);
    if (!good || edges == NULL)
        return;
    for (const thJson* item = edges->first; item != NULL; item = item->next) {
        const int32_t a = roadmap->edges[2 * item->index], b = roadmap->edges[2 * item->index + 1];
        if (a >= count || b >= count)
            thiSceneError(reader, item, "there is no node %d, expected 0 .. %d", (int)TH_MAX(a, b),
                          (int)count - 1);
        else if (a == b)
            thiSceneError(reader, item, "joins node %d to itself", (int)a);
    }
}

void thiCheckStreets(thSceneReader* reader, const thJson* object, void* target, bool good)
{
    const thSceneRoadmap* roadmap = target;
    const int64_t count = (int64_t)roadmap->columns * roadmap->rows;
    if (!good)
        return;
    if (count > THRONG_ROADMAP_NODES)
        thiSceneError(reader, object, "has %lld crossings, expected at most %d", (long long)count,
                      THRONG_ROADMAP_NODES);
    else
        thiRequireInWorld(reader, object,
                          roadmap->from.x + (roadmap->columns - 1) * roadmap->spacing[0],
                          roadmap->from.y + (roadmap->rows - 1) * roadmap->spacing[1]);
}

void thiCheckCells(thSceneReader* reader, const thJson* object, void* target, bool good)
{
    const thSceneRoadmap* roadmap = target;
    const thCoord* corners = roadmap->box.points.items;
    if (!good || roadmap->box.points.count == 0)
        return;
    // As the world counts them, with room for what it rounds.
    const double columns = fabs(corners[1].x - corners[0].x) / roadmap->side + 2.0;
    const double rows = fabs(corners[1].y - corners[0].y) / roadmap->side + 2.0;
    if (columns * rows > THRONG_ROADMAP_NODES)
        thiSceneError(reader, object, "has %.0f cells, expected at most %d", columns * rows,
                      THRONG_ROADMAP_NODES);
}

bool thiReadRoadmaps(thSceneReader* reader, const thJson* value)
{
    if (value->kind != th_jsonObject)
        return thiWrongType(reader, value, "an object of named roadmaps");
    thSceneRoadmap* roadmaps = thiSceneAllocate(reader, value->count, sizeof *roadmaps);
    if (roadmaps == NULL)
        return false;
    bool good = true;
    for (const thJson* member = value->first; member != NULL; member = member->next) {
        thSceneRoadmap* roadmap = &roadmaps[member->index];
        good = thiCheckName(reader, member, member->key, true) && good;
        good = thiReadRecord(reader, &thiRoadmapRecord, member, roadmap) && good;
        roadmap->name = member->key;
    }
    reader->scene->roadmaps = roadmaps;
    reader->scene->roadmapCount = value->count;
    return good;
}

bool thiReadRoadmapName(thSceneReader* reader, const thJson* value, char name[THRONG_NAME_SIZE])
{
    if (value->kind != th_jsonString)
        return thiWrongType(reader, value, "the name of a roadmap");
    if (!reader->roadmapsKnown)
        return true;
    if (reader->roadmaps == NULL || thiJsonMember(reader->roadmaps, value->text) == NULL)
        return thiUnknownMember(reader, value, "roadmap", reader->roadmaps);
    // A name that is too long is told where it is given.
    strncpy(name, value->text, THRONG_NAME_SIZE - 1);
    return true;
}

bool thiRequireOneRoadmap(thSceneReader* reader, const thJson* value, const char* key)
{
    const int32_t count = reader->roadmaps != NULL ? reader->roadmaps->count : 0;
    if (!reader->roadmapsKnown || count == 1)
        return true;
    if (count == 0)
        return thiSceneError(reader, value, "needs a roadmap: describe one in 'roadmaps'");
    return thiSceneError(reader, value, "needs '%s', because there are %d roadmaps", key,
                         (int)count);
}
