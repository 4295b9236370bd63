// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// From the scene's model to the world's roadmaps.

#include "scene/run/scene_run.h"
#include "throng/roadmap.h"

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

thResult thiBuildRoadmaps(thRun* run, thRunErrors* errors)
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
