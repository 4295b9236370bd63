// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The keys of a scene, continued: roadmaps.

#include "scene/read/scene_fields.h"

#include "scene/read/scene_tables.h"
#include "throng/roadmap.h"

#define WALLS_BOX "the box of the floor's walls"

static const thField streetsFields[] = {
    {.key = "from",
     .kind = th_fieldPoint,
     OF(thSceneRoadmap, from),
     .required = true,
     .about = "The first crossing, that with the least x and y."},
    {.key = "columns",
     .kind = th_fieldWhole,
     OF(thSceneRoadmap, columns),
     .required = true,
     RANGE(1, THRONG_ROADMAP_NODES, ""),
     .about = "Crossings in x."},
    {.key = "rows",
     .kind = th_fieldWhole,
     OF(thSceneRoadmap, rows),
     .required = true,
     RANGE(1, THRONG_ROADMAP_NODES, ""),
     .about = "Crossings in y."},
    {.key = "spacing",
     .kind = th_fieldSpacing,
     OF(thSceneRoadmap, spacing),
     .required = true,
     RANGE(0.01, 60000, "m"),
     .about = "From one crossing to the next."},
};

static const thRecord streetsRecord = {
    .name = "streets",
    .about = "Crossings in columns and rows, each joined to the next.",
    FIELDS(streetsFields),
    .size = sizeof(thSceneRoadmap),
    .choiceOffset = TH_NOWHERE,
    .sourceOffset = TH_NOWHERE,
    .check = thiCheckStreets,
};

static const thField cellsFields[] = {
    {.key = "box",
     .kind = th_fieldShapeBox,
     OF(thSceneRoadmap, box),
     .fallbackText = WALLS_BOX,
     .about = "Where cells are; they are counted from its lower corner."},
    {.key = "side",
     .kind = th_fieldNumber,
     OF(thSceneRoadmap, side),
     RANGE(0.01, 1000, "m"),
     .fallback = 1,
     .about = "Side of a cell."},
    {.key = "diagonals",
     .kind = th_fieldBool,
     OF(thSceneRoadmap, diagonals),
     .fallback = 1,
     .about =
         "Cells have 8 neighbours, not 4; diagonals are walked where all four cells are free."},
};

static const thRecord cellsRecord = {
    .name = "cells",
    .about = "The centres of square cells that are free, joined to free neighbours.",
    FIELDS(cellsFields),
    .size = sizeof(thSceneRoadmap),
    .choiceOffset = TH_NOWHERE,
    .sourceOffset = TH_NOWHERE,
    .check = thiCheckCells,
};

static const thField scatterFields[] = {
    {.key = "box",
     .kind = th_fieldShapeBox,
     OF(thSceneRoadmap, box),
     .fallbackText = WALLS_BOX,
     .about = "Where places are drawn."},
    {.key = "count",
     .kind = th_fieldWhole,
     OF(thSceneRoadmap, count),
     RANGE(1, THRONG_ROADMAP_NODES, ""),
     .fallback = 1000,
     .about = "How many places; those where a body cannot stand are drawn again."},
    {.key = "neighbours",
     .kind = th_fieldWhole,
     OF(thSceneRoadmap, neighbours),
     RANGE(1, 64, ""),
     .fallback = 8,
     .about = "How many of the nearest places each is joined to, where one can walk straight."},
    {.key = "reach",
     .kind = th_fieldNumber,
     OF(thSceneRoadmap, reach),
     RANGE(0, 60000, "m"),
     .fallbackText = "0: any distance",
     .about = "How far it looks for them."},
};

static const thRecord scatterRecord = {
    .name = "scatter",
    .about = "Random places, joined to the nearest others: a probabilistic roadmap.",
    FIELDS(scatterFields),
    .size = sizeof(thSceneRoadmap),
    .choiceOffset = TH_NOWHERE,
    .sourceOffset = TH_NOWHERE,
};

static const thField medialFields[] = {
    {.key = "box",
     .kind = th_fieldShapeBox,
     OF(thSceneRoadmap, box),
     .fallbackText = WALLS_BOX,
     .about = "Where it is looked for."},
    {.key = "side",
     .kind = th_fieldNumber,
     OF(thSceneRoadmap, side),
     RANGE(0.01, 1000, "m"),
     .fallback = 1,
     .about = "From one sample to the next; less than the narrowest passage."},
};

static const thRecord medialRecord = {
    .name = "medial",
    .about = "The medial axis: places as far from one wall as from another.",
    FIELDS(medialFields),
    .size = sizeof(thSceneRoadmap),
    .choiceOffset = TH_NOWHERE,
    .sourceOffset = TH_NOWHERE,
    .check = thiCheckCells,
};

static const thField roadmapFields[] = {
    {.key = "nodes",
     .kind = th_fieldNodes,
     OF(thSceneRoadmap, nodes),
     ONE_OF(1, th_roadmapGiven),
     .about = "Points, or segments: portals, which are passed anywhere between their two ends."},
    {.key = "edges",
     .kind = th_fieldPairs,
     OF(thSceneRoadmap, edges),
     .with = "nodes",
     .fallbackText = "wherever one can walk straight",
     .about = "Which nodes are joined, counted from 0."},
    {.key = "streets",
     .kind = th_fieldRecord,
     ONE_OF(1, th_roadmapStreets),
     .record = &streetsRecord,
     .about = "Crossings in columns and rows."},
    {.key = "grid",
     .kind = th_fieldRecord,
     ONE_OF(1, th_roadmapGrid),
     .record = &cellsRecord,
     .about = "The free ones of square cells."},
    {.key = "random",
     .kind = th_fieldRecord,
     ONE_OF(1, th_roadmapRandom),
     .record = &scatterRecord,
     .about = "Random places."},
    {.key = "medial",
     .kind = th_fieldRecord,
     ONE_OF(1, th_roadmapMedial),
     .record = &medialRecord,
     .about = "The middle of every corridor."},
    {.key = "level", .kind = th_fieldWhole, OF(thSceneRoadmap, level), LEVEL},
};

const thRecord thiRoadmapRecord = {
    .name = "roadmap",
    .about = "A graph of places that agents are led along.",
    FIELDS(roadmapFields),
    .size = sizeof(thSceneRoadmap),
    .choiceOffset = offsetof(thSceneRoadmap, kind),
    .sourceOffset = offsetof(thSceneRoadmap, source),
    .check = thiCheckRoadmap,
};
