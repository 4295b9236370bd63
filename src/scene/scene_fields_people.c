// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The keys of a scene, continued: shapes, goals, profiles and agents.

#include "scene/scene_fields.h"

#include "scene/scene_tables.h"

#include <math.h>

#define DISC "Centre of a disc."
#define RADIUS RANGE(0.001, 30000, "m"), .about = "Radius of the disc."
#define POLYGON "A polygon with its inside."
#define BOX "Two opposite corners of a box."
#define SEGMENT "The two ends of a segment."

// Where agents appear; regions have only the first keys.
static const thField placeFields[] = {
    {.key = "disc", .kind = th_fieldShapeDisc, ONE_OF(1, th_shapeDisc), .about = DISC},
    {.key = "radius",
     .kind = th_fieldNumber,
     OF(thShape, radius),
     .required = true,
     .with = "disc",
     RADIUS},
    {.key = "polygon", .kind = th_fieldShapePolygon, ONE_OF(1, th_shapePolygon), .about = POLYGON},
    {.key = "box", .kind = th_fieldShapeBox, ONE_OF(1, th_shapeBox), .about = BOX},
    {.key = "segment", .kind = th_fieldShapeSegment, ONE_OF(1, th_shapeSegment), .about = SEGMENT},
};

#define REGION_FIELD_COUNT 4

const thRecord thiRegionRecord = {
    .name = "region",
    .about = "A shape that has an area.",
    .fields = placeFields,
    .fieldCount = REGION_FIELD_COUNT,
    .size = sizeof(thShape),
    .choiceOffset = offsetof(thShape, kind),
    .sourceOffset = TH_NOWHERE,
};

const thRecord thiEntranceRecord = {
    .name = "entrance",
    .about = "Where agents of a source appear.",
    FIELDS(placeFields),
    .size = sizeof(thShape),
    .choiceOffset = offsetof(thShape, kind),
    .sourceOffset = TH_NOWHERE,
};

// Goals in place; those with a name have not the last keys, which depend on who has the goal.
static const thField goalFields[] = {
    {.key = "point",
     .kind = th_fieldShapePoint,
     OF(thSceneGoal, shape),
     ONE_OF(1, th_sceneGoalShape),
     .about = "One point."},
    {.key = "disc",
     .kind = th_fieldShapeDisc,
     OF(thSceneGoal, shape),
     ONE_OF(1, th_sceneGoalShape),
     .about = DISC},
    {.key = "radius",
     .kind = th_fieldNumber,
     OF(thSceneGoal, shape.radius),
     .required = true,
     .with = "disc",
     RADIUS},
    {.key = "segment",
     .kind = th_fieldShapeSegment,
     OF(thSceneGoal, shape),
     ONE_OF(1, th_sceneGoalShape),
     .about = SEGMENT},
    {.key = "polygon",
     .kind = th_fieldShapePolygon,
     OF(thSceneGoal, shape),
     ONE_OF(1, th_sceneGoalShape),
     .about = POLYGON},
    {.key = "box",
     .kind = th_fieldShapeBox,
     OF(thSceneGoal, shape),
     ONE_OF(1, th_sceneGoalShape),
     .about = BOX},
    {.key = "nearest",
     .kind = th_fieldReferences,
     OF(thSceneGoal, goals),
     ONE_OF(1, th_sceneGoalNearest),
     .about = "Names of goals that are shapes: the nearest is headed for."},
    {.key = "list",
     .kind = th_fieldReferences,
     OF(thSceneGoal, goals),
     ONE_OF(1, th_sceneGoalList),
     .about = "Names of goals that are shapes or nearest: reached one after the other."},
    {.key = "offset",
     .kind = th_fieldVector,
     OF(thSceneGoal, offset),
     ONE_OF(1, th_sceneGoalOffset),
     RANGE(-60000, 60000, "m"),
     .about = "So far from where the agent started."},
    {.key = "random",
     .kind = th_fieldRecord,
     OF(thSceneGoal, shape),
     ONE_OF(1, th_sceneGoalRandom),
     .record = &thiRegionRecord,
     .about = "Random points of a region, drawn for each agent."},
    {.key = "count",
     .kind = th_fieldWhole,
     OF(thSceneGoal, count),
     .with = "random",
     RANGE(1, 1000, ""),
     .fallback = 1,
     .about = "How many random points, reached one after the other."},
};

#define NAMED_GOAL_FIELD_COUNT 9

const thRecord thiGoalRecord = {
    .name = "goal",
    .about = "Where agents want to go.",
    .fields = goalFields,
    .fieldCount = NAMED_GOAL_FIELD_COUNT,
    .size = sizeof(thSceneGoal),
    .choiceOffset = offsetof(thSceneGoal, kind),
    .sourceOffset = offsetof(thSceneGoal, source),
};

const thRecord thiGoalInPlaceRecord = {
    .name = "goalInPlace",
    .about = "A goal without a name.",
    FIELDS(goalFields),
    .size = sizeof(thSceneGoal),
    .choiceOffset = offsetof(thSceneGoal, kind),
    .sourceOffset = offsetof(thSceneGoal, source),
};

// Ranges are those of the number that is drawn.
static const thField drawFields[] = {
    {.key = "uniform",
     .kind = th_fieldVector,
     OF(thDraw, a),
     ONE_OF(1, th_drawUniform),
     .about = "From and to: all numbers between them are equally likely."},
    {.key = "normal",
     .kind = th_fieldVector,
     OF(thDraw, a),
     ONE_OF(1, th_drawNormal),
     .about = "Mean and standard deviation of a bell curve."},
    {.key = "min",
     .kind = th_fieldNumber,
     OF(thDraw, min),
     .with = "normal",
     .fallbackText = "mean − 3 deviations",
     .about = "Numbers below are drawn again."},
    {.key = "max",
     .kind = th_fieldNumber,
     OF(thDraw, max),
     .with = "normal",
     .fallbackText = "mean + 3 deviations",
     .about = "Numbers above are drawn again."},
};

const thRecord thiDrawRecord = {
    .name = "draw",
    .about = "A number that is drawn for each agent.",
    FIELDS(drawFields),
    .size = sizeof(thDraw),
    .choiceOffset = offsetof(thDraw, kind),
    .sourceOffset = TH_NOWHERE,
};

static const thField seesFields[] = {
    {.key = "neighbours",
     .kind = th_fieldWhole,
     OF(thSceneProfile, neighbours),
     RANGE(0, 32, ""),
     .fallback = 10,
     .about = "How many of the nearest agents."},
    {.key = "radius",
     .kind = th_fieldNumber,
     OF(thSceneProfile, neighbourRadius),
     RANGE(0, 200, "m"),
     .fallback = 5,
     .about = "How far agents are seen."},
    {.key = "walls",
     .kind = th_fieldWhole,
     OF(thSceneProfile, walls),
     RANGE(0, 64, ""),
     .fallback = 8,
     .about = "How many of the nearest walls; those within reach of a step are always seen."},
    {.key = "wallRadius",
     .kind = th_fieldNumber,
     OF(thSceneProfile, wallRadius),
     RANGE(0, 200, "m"),
     .fallback = 5,
     .about = "How far walls and movers are seen."},
    {.key = "angle",
     .kind = th_fieldNumber,
     OF(thSceneProfile, viewAngle),
     RANGE(0, 360, "degrees"),
     .fallback = 360,
     .about = "Angle of vision, half of it to either side."},
    {.key = "throughWalls",
     .kind = th_fieldBool,
     OF(thSceneProfile, seesThroughWalls),
     .fallback = 1,
     .about = "Agents behind walls are seen too."},
};

static const thRecord seesRecord = {
    .name = "sees",
    .about = "What agents take notice of.",
    FIELDS(seesFields),
    .choiceOffset = TH_NOWHERE,
    .sourceOffset = TH_NOWHERE,
};

// The order of thKeep.
static const char* const keepWords[] = {"right", "left", "none", NULL};

static const thField profileFields[] = {
    {.key = "radius",
     .kind = th_fieldDraw,
     OF(thSceneProfile, radius),
     RANGE(0.05, 10, "m"),
     .fallback = 0.25,
     .about = "Radius of the body."},
    {.key = "speed",
     .kind = th_fieldDraw,
     OF(thSceneProfile, speed),
     RANGE(0, 20, "m/s"),
     .fallback = 1.34,
     .about = "Speed that is preferred."},
    {.key = "maxSpeed",
     .kind = th_fieldDraw,
     OF(thSceneProfile, maxSpeed),
     RANGE(0, 100, "m/s"),
     .fallback = 2,
     .about = "Speed that is never exceeded; not below the preferred one."},
    {.key = "maxAcceleration",
     .kind = th_fieldNumber,
     OF(thSceneProfile, maxAcceleration),
     RANGE(0, 1000, "m/s²"),
     .about = "Largest change of velocity; 0 is no limit."},
    {.key = "yield",
     .kind = th_fieldNumber,
     OF(thSceneProfile, yield),
     RANGE(0, 1000, ""),
     .fallback = 1,
     .about = "Willingness to give way: 1 is normal, 0 gives no way."},
    {.key = "arrivalDistance",
     .kind = th_fieldNumber,
     OF(thSceneProfile, arrivalDistance),
     RANGE(0, 100, "m"),
     .fallback = 0.3,
     .about = "How near to a goal counts as there."},
    {.key = "keep",
     .kind = th_fieldWord,
     OF(thSceneProfile, keep),
     .words = keepWords,
     .about = "The side to which they turn when others come against them."},
    {.key = "patience",
     .kind = th_fieldNumber,
     OF(thSceneProfile, patience),
     RANGE(0, 60, "s"),
     .fallback = 1,
     .about = "How long they are held up before they shuffle and claim their way; 0: for ever."},
    {.key = "slowness",
     .kind = th_fieldNumber,
     OF(thSceneProfile, slowness),
     RANGE(0, 1, ""),
     .fallback = 0.3,
     .about = "Share of the wanted velocity below which one is held up."},
    {.key = "turnAside",
     .kind = th_fieldNumber,
     OF(thSceneProfile, turnAside),
     RANGE(0, 90, "°"),
     .fallback = 45,
     .about = "How far they turn aside when they cannot go on at all."},
    {.key = "plan",
     .kind = th_fieldMethod,
     OF(thSceneProfile, methods[th_methodPlan]),
     .choice = th_methodPlan,
     .fallbackText = "direct",
     .about = "How agents find their way."},
    {.key = "group",
     .kind = th_fieldMethod,
     OF(thSceneProfile, methods[th_methodGroup]),
     .choice = th_methodGroup,
     .fallbackText = "none",
     .about = "How agents walk round groups."},
    {.key = "avoid",
     .kind = th_fieldMethod,
     OF(thSceneProfile, methods[th_methodAvoid]),
     .choice = th_methodAvoid,
     .fallbackText = "orca",
     .about = "How agents avoid each other."},
    {.key = "sees", .kind = th_fieldRecord, .record = &seesRecord, .about = "What is seen."},
};

const thRecord thiProfileRecord = {
    .name = "profile",
    .about = "What agents of one kind have in common.",
    FIELDS(profileFields),
    .size = sizeof(thSceneProfile),
    .choiceOffset = TH_NOWHERE,
    .sourceOffset = offsetof(thSceneProfile, source),
    .check = thiCheckProfile,
};
