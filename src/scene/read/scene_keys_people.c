// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The keys of a scene, continued: shapes, goals, profiles, and agents and how they are placed.
// What no key can be checked for by itself is checked by a function before the table.

#include "scene/read/scene_read.h"
#include "scene/read/scene_tables.h"
#include "scene/scene_draw.h"

#include <math.h>

#define DISC "Centre of a disc."
#define RADIUS RANGE(0.001, 30000, "m"), .about = "Radius of the disc."
#define POLYGON "A polygon with its inside."
#define BOX "Two opposite corners of a box."
#define SEGMENT "The two ends of a segment."

// Where agents appear; regions have only the first keys.
static const thSceneKey placeKeys[] = {
    {.name = "disc", .kind = th_keyShapeDisc, ONE_OF(1, th_shapeDisc), .about = DISC},
    {.name = "radius",
     .kind = th_keyNumber,
     OF(thShape, radius),
     .required = true,
     .with = "disc",
     RADIUS},
    {.name = "polygon", .kind = th_keyShapePolygon, ONE_OF(1, th_shapePolygon), .about = POLYGON},
    {.name = "box", .kind = th_keyShapeBox, ONE_OF(1, th_shapeBox), .about = BOX},
    {.name = "segment", .kind = th_keyShapeSegment, ONE_OF(1, th_shapeSegment), .about = SEGMENT},
};

#define REGION_KEY_COUNT 4

const thKeyTable thiRegionTable = {
    .name = "region",
    .about = "A shape that has an area.",
    .keys = placeKeys,
    .keyCount = REGION_KEY_COUNT,
    .size = sizeof(thShape),
    .choiceOffset = offsetof(thShape, kind),
    .sourceOffset = TH_NOWHERE,
};

static const thKeyTable entranceTable = {
    .name = "entrance",
    .about = "Where agents of a source appear.",
    KEYS(placeKeys),
    .size = sizeof(thShape),
    .choiceOffset = offsetof(thShape, kind),
    .sourceOffset = TH_NOWHERE,
};

// Goals in place; those with a name have not the last keys, which depend on who has the goal.
static const thSceneKey goalKeys[] = {
    {.name = "point",
     .kind = th_keyShapePoint,
     OF(thSceneGoal, shape),
     ONE_OF(1, th_sceneGoalShape),
     .about = "One point."},
    {.name = "disc",
     .kind = th_keyShapeDisc,
     OF(thSceneGoal, shape),
     ONE_OF(1, th_sceneGoalShape),
     .about = DISC},
    {.name = "radius",
     .kind = th_keyNumber,
     OF(thSceneGoal, shape.radius),
     .required = true,
     .with = "disc",
     RADIUS},
    {.name = "segment",
     .kind = th_keyShapeSegment,
     OF(thSceneGoal, shape),
     ONE_OF(1, th_sceneGoalShape),
     .about = SEGMENT},
    {.name = "polygon",
     .kind = th_keyShapePolygon,
     OF(thSceneGoal, shape),
     ONE_OF(1, th_sceneGoalShape),
     .about = POLYGON},
    {.name = "box",
     .kind = th_keyShapeBox,
     OF(thSceneGoal, shape),
     ONE_OF(1, th_sceneGoalShape),
     .about = BOX},
    {.name = "nearest",
     .kind = th_keyReferences,
     OF(thSceneGoal, goals),
     ONE_OF(1, th_sceneGoalNearest),
     .about = "Names of goals that are shapes: the nearest is headed for."},
    {.name = "list",
     .kind = th_keyReferences,
     OF(thSceneGoal, goals),
     ONE_OF(1, th_sceneGoalList),
     .about = "Names of goals that are shapes or nearest: reached one after the other."},
    {.name = "offset",
     .kind = th_keyVector,
     OF(thSceneGoal, offset),
     ONE_OF(1, th_sceneGoalOffset),
     RANGE(-60000, 60000, "m"),
     .about = "So far from where the agent started."},
    {.name = "repeat",
     .kind = th_keyObject,
     OF(thSceneGoal, repeat),
     .table = &thiRepeatTable,
     .fallbackText = "once",
     .about = "The same shape again and again: the nearest is headed for."},
    {.name = "random",
     .kind = th_keyObject,
     OF(thSceneGoal, shape),
     ONE_OF(1, th_sceneGoalRandom),
     .table = &thiRegionTable,
     .about = "Random points of a region, drawn for each agent."},
    {.name = "count",
     .kind = th_keyWhole,
     OF(thSceneGoal, count),
     .with = "random",
     RANGE(1, 1000, ""),
     .fallback = 1,
     .about = "How many random points, reached one after the other."},
};

#define NAMED_GOAL_KEY_COUNT 10

static void checkGoal(thSceneReader* reader, const thJson* object, void* target, bool good)
{
    const thSceneGoal* goal = target;
    const thJson* repeat = thiJsonMember(object, "repeat");
    if (!good || repeat == NULL)
        return;
    if (goal->kind != th_sceneGoalShape)
        thiSceneError(reader, repeat, "only goes with a shape");
    else
        thiRequireCopiesInWorld(reader, repeat, &goal->repeat, goal->shape.points.items,
                                goal->shape.points.count);
}

const thKeyTable thiGoalTable = {
    .name = "goal",
    .about = "Where agents want to go.",
    .keys = goalKeys,
    .keyCount = NAMED_GOAL_KEY_COUNT,
    .size = sizeof(thSceneGoal),
    .choiceOffset = offsetof(thSceneGoal, kind),
    .sourceOffset = offsetof(thSceneGoal, source),
    .check = checkGoal,
};

const thKeyTable thiGoalInPlaceTable = {
    .name = "goalInPlace",
    .about = "A goal without a name.",
    KEYS(goalKeys),
    .size = sizeof(thSceneGoal),
    .choiceOffset = offsetof(thSceneGoal, kind),
    .sourceOffset = offsetof(thSceneGoal, source),
    .check = checkGoal,
};

// Ranges are those of the number that is drawn.
static const thSceneKey drawKeys[] = {
    {.name = "uniform",
     .kind = th_keyVector,
     OF(thDraw, a),
     ONE_OF(1, th_drawUniform),
     .about = "From and to: all numbers between them are equally likely."},
    {.name = "normal",
     .kind = th_keyVector,
     OF(thDraw, a),
     ONE_OF(1, th_drawNormal),
     .about = "Mean and standard deviation of a bell curve."},
    {.name = "lognormal",
     .kind = th_keyVector,
     OF(thDraw, a),
     ONE_OF(1, th_drawLogNormal),
     .about = "Mean and standard deviation of numbers whose logarithms are a bell curve."},
    {.name = "gamma",
     .kind = th_keyVector,
     OF(thDraw, a),
     ONE_OF(1, th_drawGamma),
     .about = "Mean and standard deviation of a gamma distribution."},
    {.name = "weibull",
     .kind = th_keyVector,
     OF(thDraw, a),
     ONE_OF(1, th_drawWeibull),
     .about = "Scale and shape (0.1 .. 100) of a Weibull distribution."},
    {.name = "table",
     .kind = th_keyPath,
     OF(thDraw, table),
     ONE_OF(1, th_drawTable),
     .about = "Numbers, each with the share of all that is not above it: from 0 to 1."},
    {.name = "min",
     .kind = th_keyNumber,
     OF(thDraw, min),
     .fallbackText = "see below",
     .about = "Numbers below are drawn again."},
    {.name = "max",
     .kind = th_keyNumber,
     OF(thDraw, max),
     .fallbackText = "see below",
     .about = "Numbers above are drawn again."},
};

const thKeyTable thiDrawTable = {
    .name = "draw",
    .about = "A number that is drawn for each agent.",
    KEYS(drawKeys),
    .size = sizeof(thDraw),
    .choiceOffset = offsetof(thDraw, kind),
    .sourceOffset = TH_NOWHERE,
};

static const thSceneKey seesKeys[] = {
    {.name = "neighbours",
     .kind = th_keyWhole,
     OF(thSceneProfile, neighbours),
     RANGE(0, 32, ""),
     .fallback = 10,
     .about = "How many of the nearest agents."},
    {.name = "radius",
     .kind = th_keyNumber,
     OF(thSceneProfile, neighbourRadius),
     RANGE(0, 200, "m"),
     .fallback = 5,
     .about = "How far agents are seen."},
    {.name = "walls",
     .kind = th_keyWhole,
     OF(thSceneProfile, walls),
     RANGE(0, 64, ""),
     .fallback = 8,
     .about = "How many of the nearest walls; those within reach of a step are always seen."},
    {.name = "wallRadius",
     .kind = th_keyNumber,
     OF(thSceneProfile, wallRadius),
     RANGE(0, 200, "m"),
     .fallback = 5,
     .about = "How far walls and movers are seen."},
    {.name = "angle",
     .kind = th_keyNumber,
     OF(thSceneProfile, viewAngle),
     RANGE(0, 360, "degrees"),
     .fallback = 360,
     .about = "Angle of vision, half of it to either side."},
    {.name = "throughWalls",
     .kind = th_keyBool,
     OF(thSceneProfile, seesThroughWalls),
     .fallback = 1,
     .about = "Agents behind walls are seen too."},
};

static const thKeyTable seesTable = {
    .name = "sees",
    .about = "What agents take notice of.",
    KEYS(seesKeys),
    .choiceOffset = TH_NOWHERE,
    .sourceOffset = TH_NOWHERE,
};

static const thSceneKey paceKeys[] = {
    {.name = "gap",
     .kind = th_keyNumber,
     OF(thScenePace, gap),
     RANGE(0.01, 10, "s"),
     .fallback = 0.9,
     .about = "Time that they keep to whoever is ahead and wants the same way."},
    {.name = "spread",
     .kind = th_keyNumber,
     OF(thScenePace, spread),
     RANGE(0, 10, "s"),
     .fallback = 0.2,
     .about = "Standard deviation of their own times about that."},
    {.name = "follow",
     .kind = th_keyNumber,
     OF(thScenePace, follow),
     RANGE(0, 1, ""),
     .fallback = 0.86,
     .about = "Share by which they follow somebody who is faster than the gap would let them be."},
    {.name = "width",
     .kind = th_keyNumber,
     OF(thScenePace, width),
     RANGE(0, 1, ""),
     .fallback = 0.9,
     .about = "Who is ahead: those nearer than this share of both radii to the line of motion."},
};

static const thKeyTable paceTable = {
    .name = "pace",
    .about = "How agents slow down behind others.",
    KEYS(paceKeys),
    .size = sizeof(thScenePace),
    .choiceOffset = TH_NOWHERE,
    .sourceOffset = TH_NOWHERE,
};

static const thSceneKey togetherKeys[] = {
    {.name = "reach",
     .kind = th_keyNumber,
     OF(thSceneTogether, reach),
     RANGE(0.1, 200, "m"),
     .fallback = 20,
     .about = "How far behind others of its group somebody is still waited for, along the way."},
    {.name = "gap",
     .kind = th_keyNumber,
     OF(thSceneTogether, gap),
     RANGE(0, 10, "m"),
     .fallback = 0.3,
     .about = "Free space between two who walk beside each other."},
    {.name = "abreast",
     .kind = th_keyWhole,
     OF(thSceneTogether, abreast),
     RANGE(1, 100, ""),
     .fallback = 3,
     .about = "How many walk beside each other at most."},
};

static const thKeyTable togetherTable = {
    .name = "together",
    .about = "How those keep together who are in a group.",
    KEYS(togetherKeys),
    .size = sizeof(thSceneTogether),
    .choiceOffset = TH_NOWHERE,
    .sourceOffset = TH_NOWHERE,
};

// All at their defaults, and none.
static const char* const peopleWords[] = {"people", "none", NULL};

// The order of thKeep.
static const char* const keepWords[] = {"right", "left", "none", NULL};

// The preset comes first: what follows is more than it.
static const thSceneKey profileKeys[] = {
    {.name = "preset",
     .kind = th_keyPreset,
     OF(thSceneProfile, preset),
     .fallbackText = "none",
     .about = "People of a source, who give speed and radius where these are left out."},
    {.name = "radius",
     .kind = th_keyDraw,
     OF(thSceneProfile, radius),
     RANGE(0.05, 10, "m"),
     .fallback = 0.25,
     .about = "Radius of the body."},
    {.name = "shape",
     .kind = th_keyBody,
     OF(thSceneProfile, body),
     RANGE(-100, 100, "m"),
     .fallbackText = "a disc",
     .about = "Points round the agent's position, x ahead; clearpath keeps their hull clear. None: "
              "a disc."},
    {.name = "speed",
     .kind = th_keyDraw,
     OF(thSceneProfile, speed),
     RANGE(0, 20, "m/s"),
     .fallback = 1.34,
     .about = "Speed that is preferred."},
    {.name = "maxSpeed",
     .kind = th_keyDraw,
     OF(thSceneProfile, maxSpeed),
     RANGE(0, 100, "m/s"),
     .fallback = TH_SCENE_OWN_SPEED,
     .fallbackText = "1.3 times the agent's own speed",
     .about = "Speed that is never exceeded, also by those who are pushed; not below the preferred "
              "one."},
    {.name = "maxAcceleration",
     .kind = th_keyNumber,
     OF(thSceneProfile, maxAcceleration),
     RANGE(0, 1000, "m/s²"),
     .about = "Largest change of velocity; 0 is no limit."},
    {.name = "yield",
     .kind = th_keyNumber,
     OF(thSceneProfile, yield),
     RANGE(0, 1000, ""),
     .fallback = 1,
     .about = "Willingness to give way: 1 is normal, 0 gives no way."},
    {.name = "arrivalDistance",
     .kind = th_keyNumber,
     OF(thSceneProfile, arrivalDistance),
     RANGE(0, 100, "m"),
     .fallback = 0.3,
     .about = "How near to a goal counts as there."},
    {.name = "keep",
     .kind = th_keyWord,
     OF(thSceneProfile, keep),
     .words = keepWords,
     .about = "The side to which they turn when others come against them."},
    {.name = "patience",
     .kind = th_keyNumber,
     OF(thSceneProfile, patience),
     RANGE(0, 60, "s"),
     .fallback = 1,
     .about = "How long they are held up before they shuffle and claim their way; 0: for ever."},
    {.name = "slowness",
     .kind = th_keyNumber,
     OF(thSceneProfile, slowness),
     RANGE(0, 1, ""),
     .fallback = 0.3,
     .about = "Share of the wanted velocity below which one is held up."},
    {.name = "turnAside",
     .kind = th_keyNumber,
     OF(thSceneProfile, turnAside),
     RANGE(0, 90, "°"),
     .fallback = 45,
     .about = "How far they turn aside when they cannot go on at all."},
    {.name = "pace",
     .kind = th_keyPeople,
     OF(thSceneProfile, pace),
     .words = peopleWords,
     .table = &paceTable,
     .about = "How they slow down behind others: as people do, not at all, or by numbers."},
    {.name = "together",
     .kind = th_keyPeople,
     OF(thSceneProfile, together),
     .words = peopleWords,
     .fallback = 1,
     .table = &togetherTable,
     .about = "How those of one group keep together: as people do, not at all, or by numbers."},
    {.name = "plan",
     .kind = th_keyMethod,
     OF(thSceneProfile, methods[th_methodPlan]),
     .choice = th_methodPlan,
     .fallbackText = "direct",
     .about = "How agents find their way."},
    {.name = "group",
     .kind = th_keyMethod,
     OF(thSceneProfile, methods[th_methodGroup]),
     .choice = th_methodGroup,
     .fallbackText = "none",
     .about = "How agents walk round groups."},
    {.name = "avoid",
     .kind = th_keyMethod,
     OF(thSceneProfile, methods[th_methodAvoid]),
     .choice = th_methodAvoid,
     .fallbackText = "orca",
     .about = "How agents avoid each other."},
    {.name = "sees", .kind = th_keyObject, .table = &seesTable, .about = "What is seen."},
};

// An agent that prefers to be faster than it can be is as fast as it likes. At the ends of two bell
// curves that is no harm, but where it holds for most of them it is not what was meant. The default
// follows the speed.
static void checkProfile(thSceneReader* reader, const thJson* object, void* target, bool good)
{
    const thSceneProfile* profile = target;
    const thJson* maxSpeed = thiJsonMember(object, "maxSpeed");
    const double speed = thiDrawMean(&profile->speed), most = thiDrawMean(&profile->maxSpeed);
    char speedText[TH_NUMBER_TEXT], mostText[TH_NUMBER_TEXT];
    if (good && maxSpeed != NULL && most < speed)
        thiSceneError(reader, maxSpeed, "%s m/s is below the preferred speed, %s m/s",
                      thiNumberText(most, mostText), thiNumberText(speed, speedText));
    else if (good && maxSpeed != NULL &&
             thiDrawLeast(&profile->maxSpeed) < thiDrawMost(&profile->speed))
        thiLog(th_logWarning,
               "profile '%s': maxSpeed may be %g m/s but speed %g m/s; the larger one is taken",
               object->key, thiDrawLeast(&profile->maxSpeed), thiDrawMost(&profile->speed));
}

const thKeyTable thiProfileTable = {
    .name = "profile",
    .about = "What agents of one kind have in common.",
    KEYS(profileKeys),
    .size = sizeof(thSceneProfile),
    .choiceOffset = TH_NOWHERE,
    .sourceOffset = offsetof(thSceneProfile, source),
    .check = checkProfile,
};

static const thSceneKey gridKeys[] = {
    {.name = "from",
     .kind = th_keyPoint,
     OF(thScenePlace, from),
     .required = true,
     .about = "The first place."},
    {.name = "columns",
     .kind = th_keyWhole,
     OF(thScenePlace, columns),
     .required = true,
     RANGE(1, 10000000, ""),
     .about = "Places along x."},
    {.name = "rows",
     .kind = th_keyWhole,
     OF(thScenePlace, rows),
     .required = true,
     RANGE(1, 10000000, ""),
     .about = "Places along y."},
    {.name = "spacing",
     .kind = th_keySpacing,
     OF(thScenePlace, spacing),
     .required = true,
     RANGE(-1000, 1000, "m"),
     .about = "From place to place, not 0; two numbers where x and y differ."},
    {.name = "jitter",
     .kind = th_keyNumber,
     OF(thScenePlace, jitter),
     RANGE(0, 1000, "m"),
     .about = "Each place is moved at random, in x and in y by at most this."},
};

static void checkGrid(thSceneReader* reader, const thJson* object, void* target, bool good)
{
    thScenePlace* place = target;
    place->count = (int64_t)place->columns * place->rows;
    if (!good)
        return;
    const bool sameX = place->columns > 1 && fabs(place->spacing[0]) < TH_LEAST_SPACING;
    const bool sameY = place->rows > 1 && fabs(place->spacing[1]) < TH_LEAST_SPACING;
    if (place->count > TH_SCENE_AGENTS)
        thiSceneError(reader, object, "has %lld places, expected at most %lld",
                      (long long)place->count, (long long)TH_SCENE_AGENTS);
    else if (sameX || sameY)
        thiSceneError(reader, thiJsonMember(object, "spacing"),
                      "is 0 in %s, so that places are the same", sameX ? "x" : "y");
    else
        thiRequireInWorld(reader, object, place->from.x + (place->columns - 1) * place->spacing[0],
                          place->from.y + (place->rows - 1) * place->spacing[1]);
}

static const thKeyTable gridTable = {
    .name = "grid",
    .about = "Places in columns and rows.",
    KEYS(gridKeys),
    .choiceOffset = TH_NOWHERE,
    .sourceOffset = TH_NOWHERE,
    .check = checkGrid,
};

static const thSceneKey circleKeys[] = {
    {.name = "center",
     .kind = th_keyPoint,
     OF(thScenePlace, center),
     .required = true,
     .about = "Centre of the circle."},
    {.name = "radius",
     .kind = th_keyNumber,
     OF(thScenePlace, radius),
     .required = true,
     RANGE(0.001, 30000, "m"),
     .about = "Radius of the circle."},
    {.name = "count",
     .kind = th_keyCount,
     OF(thScenePlace, count),
     .required = true,
     RANGE(0, 10000000, ""),
     .about = "How many agents, evenly spaced."},
};

static void checkCircle(thSceneReader* reader, const thJson* object, void* target, bool good)
{
    const thScenePlace* place = target;
    const thCoord origin = reader->scene->origin;
    if (!good)
        return;
    // The corner of the box round it that is farthest from the origin.
    thiRequireInWorld(reader, object,
                      place->center.x + (place->center.x < origin.x ? -1.0 : 1.0) * place->radius,
                      place->center.y + (place->center.y < origin.y ? -1.0 : 1.0) * place->radius);
}

static const thKeyTable circleTable = {
    .name = "circle",
    .about = "Places on a circle.",
    KEYS(circleKeys),
    .choiceOffset = TH_NOWHERE,
    .sourceOffset = TH_NOWHERE,
    .check = checkCircle,
};

static const thSceneKey sourceKeys[] = {
    {.name = "in",
     .kind = th_keyObject,
     OF(thScenePlace, region),
     .required = true,
     .table = &entranceTable,
     .about = "Where agents appear."},
    {.name = "rate",
     .kind = th_keyNumber,
     OF(thScenePlace, rate),
     .required = true,
     RANGE(0.000001, 100000, "1/s"),
     .about = "How many agents appear in a second."},
    {.name = "from",
     .kind = th_keyNumber,
     OF(thScenePlace, begin),
     RANGE(0, 1e9, "s"),
     .about = "When the first appears; the others follow 1/rate apart."},
    {.name = "to",
     .kind = th_keyNumber,
     OF(thScenePlace, end),
     RANGE(0, 1e9, "s"),
     .fallback = INFINITY,
     .fallbackText = "the end",
     .about = "When no more appear."},
    {.name = "count",
     .kind = th_keyCount,
     OF(thScenePlace, count),
     RANGE(0, 1e9, ""),
     .fallback = -1,
     .fallbackText = "no limit",
     .about = "How many appear at most."},
};

// The value of that key, or the whole if it was misspelt.
static const thJson* memberOf(const thJson* object, const char* key)
{
    const thJson* member = thiJsonMember(object, key);
    return member != NULL ? member : object;
}

static void checkSource(thSceneReader* reader, const thJson* object, void* target, bool good)
{
    (void)good;
    const thScenePlace* place = target;
    if (place->begin >= place->end)
        thiSceneError(reader, memberOf(object, "to"), "is not after 'from'");
}

static const thKeyTable sourceTable = {
    .name = "source",
    .about = "Agents that appear as time goes by; those who find no free place wait their turn.",
    KEYS(sourceKeys),
    .choiceOffset = TH_NOWHERE,
    .sourceOffset = TH_NOWHERE,
    .check = checkSource,
};

// The order of thArrival.
static const char* const arriveWords[] = {"stop", "leave", "again", NULL};

static const thSceneKey agentsKeys[] = {
    {.name = "profile",
     .kind = th_keyProfile,
     OF(thSceneAgents, profile),
     .fallbackText = "the only profile",
     .about = "Name of the profile; may be left out where there is only one."},
    {.name = "at",
     .kind = th_keyPlaces,
     OF(thSceneAgents, place.at),
     ONE_OF(1, th_placeAt),
     .about = "Where the agent stands; several points are several agents."},
    {.name = "appear",
     .kind = th_keyNumber,
     OF(thSceneAgents, appear),
     .with = "at",
     RANGE(0, 1e9, "s"),
     .fallback = NAN,
     .fallbackText = "they are there at the beginning",
     .about = "When they appear, each at the nearest place off the walls."},
    {.name = "id",
     .kind = th_keyWhole,
     OF(thSceneAgents, id),
     .with = "at",
     RANGE(0, INT32_MAX, ""),
     .fallback = -1,
     .fallbackText = "as they come",
     .about = "Number of the first in recordings; the others count on."},
    {.name = "in",
     .kind = th_keyObject,
     OF(thSceneAgents, place.region),
     ONE_OF(1, th_placeIn),
     .table = &thiRegionTable,
     .about = "At random places in a region; bodies do not overlap nor stand in walls."},
    {.name = "count",
     .kind = th_keyCount,
     OF(thSceneAgents, place.count),
     .required = true,
     .with = "in",
     RANGE(0, 10000000, ""),
     .about = "How many agents are placed in the region."},
    {.name = "gap",
     .kind = th_keyNumber,
     OF(thSceneAgents, place.gap),
     .with = "in",
     RANGE(0, 100, "m"),
     .fallback = 0.05,
     .about = "Free space between bodies placed in the region."},
    {.name = "grid",
     .kind = th_keyObject,
     OF(thSceneAgents, place),
     ONE_OF(1, th_placeGrid),
     .table = &gridTable,
     .about = "In columns and rows."},
    {.name = "circle",
     .kind = th_keyObject,
     OF(thSceneAgents, place),
     ONE_OF(1, th_placeCircle),
     .table = &circleTable,
     .about = "Evenly spaced on a circle."},
    {.name = "source",
     .kind = th_keyObject,
     OF(thSceneAgents, place),
     ONE_OF(1, th_placeSource),
     .table = &sourceTable,
     .about = "Appearing as time goes by."},
    {.name = "repeat",
     .kind = th_keyObject,
     OF(thSceneAgents, repeat),
     .table = &thiRepeatTable,
     .fallbackText = "once",
     .about = "The same places again and again."},
    {.name = "goal",
     .kind = th_keyGoal,
     OF(thSceneAgents, goal),
     .fallback = -1,
     .fallbackText = "none",
     .table = &thiGoalInPlaceTable,
     .about = "Name of a goal, a goal in place, or \"opposite\"."},
    {.name = "arrive",
     .kind = th_keyWord,
     OF(thSceneAgents, arrive),
     .words = arriveWords,
     .about = "What happens at the last goal: stay there, leave the scene, or start again."},
    {.name = "group",
     .kind = th_keyName,
     OF(thSceneAgents, group),
     .fallbackText = "none",
     .about = "Name of the group they walk in."},
    {.name = "speed",
     .kind = th_keyDraw,
     OF(thSceneAgents, speed),
     RANGE(0, 20, "m/s"),
     .fallback = TH_SCENE_OWN_SPEED,
     .fallbackText = "that of the profile",
     .about = "Speed that is preferred, instead of the profile's."},
    {.name = "delay",
     .kind = th_keyDraw,
     OF(thSceneAgents, delay),
     RANGE(0, 1e6, "s"),
     .about = "They stand and wait so long before they set out."},
    {.name = "pauses",
     .kind = th_keyIntervals,
     OF(thSceneAgents, pauses),
     RANGE(0, 1e9, "s"),
     .fallbackText = "none",
     .about = "When they stand and wait on their way, in ascending order and apart."},
    {.name = "hold",
     .kind = th_keyBool,
     OF(thSceneAgents, hold),
     .about = "They hold their places, whatever their goal: only movers shift them."},
    {.name = "velocity",
     .kind = th_keyVector,
     OF(thSceneAgents, velocity),
     RANGE(-100, 100, "m/s"),
     .about = "How they move at first."},
    {.name = "heading",
     .kind = th_keyNumber,
     OF(thSceneAgents, heading),
     RANGE(-360, 360, "degrees"),
     .fallback = NAN,
     .fallbackText = "towards the goal",
     .about = "Where they face at first, counter-clockwise from east."},
    {.name = "priority",
     .kind = th_keyNumber,
     OF(thSceneAgents, priority),
     RANGE(0.001, 1000, ""),
     .fallback = 1,
     .about = "Divides the willingness to give way: 2 gives way half as much."},
    {.name = "layers",
     .kind = th_keyBits,
     OF(thSceneAgents, layers),
     RANGE(0, UINT32_MAX, ""),
     .fallback = 1,
     .about = "Layers they are on, one bit each."},
    {.name = "mask",
     .kind = th_keyBits,
     OF(thSceneAgents, mask),
     RANGE(0, UINT32_MAX, ""),
     .fallback = UINT32_MAX,
     .about = "Layers of those they take notice of."},
    {.name = "level", .kind = th_keyWhole, OF(thSceneAgents, level), LEVEL},
};

static void checkAgentCopies(thSceneReader* reader, const thJson* repeat,
                             const thSceneAgents* agents)
{
    const thScenePlace* place = &agents->place;
    const thCoord center = place->center;
    const double width = (place->columns - 1) * place->spacing[0];
    const double height = (place->rows - 1) * place->spacing[1];
    const thCoord grid[] = {place->from,
                            {place->from.x + width, place->from.y},
                            {place->from.x, place->from.y + height},
                            {place->from.x + width, place->from.y + height}};
    const thCoord circle[] = {{center.x - place->radius, center.y - place->radius},
                              {center.x + place->radius, center.y - place->radius},
                              {center.x - place->radius, center.y + place->radius},
                              {center.x + place->radius, center.y + place->radius}};
    if (place->kind == th_placeGrid)
        thiRequireCopiesInWorld(reader, repeat, &agents->repeat, grid, 4);
    else if (place->kind == th_placeCircle)
        thiRequireCopiesInWorld(reader, repeat, &agents->repeat, circle, 4);
    else if (place->kind == th_placeAt)
        thiRequireCopiesInWorld(reader, repeat, &agents->repeat, place->at.items, place->at.count);
    else
        thiRequireCopiesInWorld(reader, repeat, &agents->repeat, place->region.points.items,
                                place->region.points.count);
}

static void checkAgents(thSceneReader* reader, const thJson* object, void* target, bool good)
{
    thSceneAgents* agents = target;
    const thJson* repeat = thiJsonMember(object, "repeat");
    if (good && repeat != NULL)
        checkAgentCopies(reader, repeat, agents);
    if (agents->place.kind != th_placeAt)
        return;
    agents->place.count = agents->place.at.count;
    const bool isOpposite =
        agents->goal >= 0 && agents->goal < reader->allGoals.count &&
        TH_ITEMS(reader->allGoals, thSceneGoal)[agents->goal].kind == th_sceneGoalOpposite;
    if (isOpposite && thiJsonMember(object, "at") != NULL)
        thiSceneError(reader, memberOf(object, "goal"),
                      "\"opposite\" needs 'in', 'grid', 'circle' or 'source', not 'at'");
}

const thKeyTable thiAgentsTable = {
    .name = "agents",
    .about = "One agent or many that have the same profile and the same kind of goal.",
    KEYS(agentsKeys),
    .size = sizeof(thSceneAgents),
    .choiceOffset = offsetof(thSceneAgents, place.kind),
    .sourceOffset = offsetof(thSceneAgents, source),
    .check = checkAgents,
};
