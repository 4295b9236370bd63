// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The keys of a scene: time, walls, doors, movers, roadmaps and what is measured.
// What no key can be checked for by itself is checked by a function before the table.

#include "scene/read/scene_read.h"
#include "scene/read/scene_tables.h"
#include "throng/roadmap.h"

#include <math.h>

static const thSceneKey endKeys[] = {
    {.name = "at",
     .kind = th_keyNumber,
     OF(thScene, endAt),
     RANGE(0.001, 1e9, "s"),
     .fallback = INFINITY,
     .fallbackText = "not by time",
     .about = "Ends at this time."},
    {.name = "steps",
     .kind = th_keyCount,
     OF(thScene, endSteps),
     RANGE(0, TH_MAX_WHOLE, ""),
     .fallback = -1,
     .fallbackText = "not by steps",
     .about = "Ends after so many steps."},
    {.name = "arrived",
     .kind = th_keyBool,
     OF(thScene, endArrived),
     .about = "Ends when everybody has arrived or left and nobody is to come."},
};

static const thKeyTable endTable = {
    .name = "end",
    .about = "Whatever comes first ends the scene; with none of these keys it goes on for ever.",
    KEYS(endKeys),
    .choiceOffset = TH_NOWHERE,
    .sourceOffset = TH_NOWHERE,
};

static const thSceneKey timeKeys[] = {
    {.name = "step",
     .kind = th_keyNumber,
     OF(thScene, step),
     RANGE(0.001, 10, "s"),
     .fallback = 0.1,
     .about = "Length of a step."},
    {.name = "end",
     .kind = th_keyEnd,
     .table = &endTable,
     .fallbackText = "`{\"arrived\": true, \"at\": 600}`",
     .about = "When the scene ends."},
};

static const thKeyTable timeTable = {
    .name = "time",
    .about = "Time runs in steps.",
    KEYS(timeKeys),
    .choiceOffset = TH_NOWHERE,
    .sourceOffset = TH_NOWHERE,
};

static const thSceneKey repeatKeys[] = {
    {.name = "columns",
     .kind = th_keyWhole,
     OF(thSceneRepeat, columns),
     RANGE(1, 100000, ""),
     .fallback = 1,
     .about = "How many along x."},
    {.name = "rows",
     .kind = th_keyWhole,
     OF(thSceneRepeat, rows),
     RANGE(1, 100000, ""),
     .fallback = 1,
     .about = "How many along y."},
    {.name = "step",
     .kind = th_keyVector,
     OF(thSceneRepeat, step),
     RANGE(-60000, 60000, "m"),
     .fallbackText = "needed for columns and rows",
     .about = "From one column and one row to the next."},
    {.name = "around",
     .kind = th_keyPoint,
     OF(thSceneRepeat, around),
     .fallback = NAN,
     .fallbackText = "nowhere",
     .about = "A centre round which all columns and rows are turned."},
    {.name = "count",
     .kind = th_keyWhole,
     OF(thSceneRepeat, count),
     RANGE(2, 100000, ""),
     .fallback = 1,
     .fallbackText = "needed with `around`",
     .about = "How many turns make it once round the centre."},
};

// Copies of one thing at most, the first included.
#define MOST_COPIES 1000000

static void checkRepeat(thSceneReader* reader, const thJson* object, void* target, bool good)
{
    const thSceneRepeat* repeat = target;
    const bool sameX = repeat->columns > 1 && fabs(repeat->step[0]) < TH_LEAST_SPACING;
    const bool sameY = repeat->rows > 1 && fabs(repeat->step[1]) < TH_LEAST_SPACING;
    const int64_t copies = (int64_t)repeat->columns * repeat->rows * repeat->count;
    if (!good)
        return;
    if (object->first == NULL)
        thiSceneError(reader, object, "needs columns, rows or around");
    else if ((sameX || sameY) && thiJsonMember(object, "step") == NULL)
        thiSceneError(reader, object, "needs step");
    else if (sameX || sameY)
        thiSceneError(reader, thiJsonMember(object, "step"),
                      "is 0 in %s, so that copies are the same", sameX ? "x" : "y");
    else if (isnan(repeat->around.x) != (thiJsonMember(object, "count") == NULL))
        thiSceneError(reader, object, "needs %s", isnan(repeat->around.x) ? "around" : "count");
    else if (copies > MOST_COPIES)
        thiSceneError(reader, object, "makes %lld of one, expected at most %d", (long long)copies,
                      MOST_COPIES);
}

const thKeyTable thiRepeatTable = {
    .name = "repeat",
    .about = "The same in columns and rows and round a centre, the first where it is described.",
    KEYS(repeatKeys),
    .choiceOffset = TH_NOWHERE,
    .sourceOffset = TH_NOWHERE,
    .check = checkRepeat,
};

// The order of thSceneWall.walkable.
static const char* const polygonWords[] = {"solid", "walkable", NULL};

static const thSceneKey wallKeys[] = {
    {.name = "polyline",
     .kind = th_keyPath,
     OF(thSceneWall, shape.points),
     ONE_OF(1, th_wallPolyline),
     .about = "Thin walls from point to point."},
    {.name = "polygon",
     .kind = th_keyShapePolygon,
     OF(thSceneWall, shape),
     ONE_OF(1, th_wallPolygon),
     .about = "Solid inside."},
    {.name = "room",
     .kind = th_keyShapePolygon,
     OF(thSceneWall, shape),
     ONE_OF(1, th_wallRoom),
     .about = "Free inside, solid outside."},
    {.name = "box",
     .kind = th_keyShapeBox,
     OF(thSceneWall, shape),
     ONE_OF(1, th_wallPolygon),
     .about = "Solid between two opposite corners."},
    {.name = "file",
     .kind = th_keyFile,
     OF(thSceneWall, file),
     ONE_OF(1, th_wallFile),
     .about = "A file of geometry beside the scene: .wkt, .geojson, .json, or a .map of cells."},
    {.name = "polygons",
     .kind = th_keyTwoWords,
     OF(thSceneWall, walkable),
     .with = "file",
     .words = polygonWords,
     .fallback = 1,
     .about = "Whether the file's polygons are free or solid inside."},
    {.name = "degrees",
     .kind = th_keyVector,
     OF(thSceneWall, degrees),
     RANGE(-180, 180, "degrees"),
     .with = "file",
     .fallback = NAN,
     .fallbackText = "the file is in metres",
     .about = "The file is in degrees of longitude and latitude; these become (0, 0)."},
    {.name = "repeat",
     .kind = th_keyObject,
     OF(thSceneWall, repeat),
     .table = &thiRepeatTable,
     .fallbackText = "once",
     .about = "The same wall again and again; not of files."},
    {.name = "level", .kind = th_keyWhole, OF(thSceneWall, level), LEVEL},
};

static void checkWall(thSceneReader* reader, const thJson* object, void* target, bool good)
{
    const thSceneWall* wall = target;
    const thJson* repeat = thiJsonMember(object, "repeat");
    if (good && fabs(wall->degrees[1]) > TH_MOST_LATITUDE)
        thiSceneError(reader, thiJsonMember(object, "degrees"),
                      "expected [longitude, latitude] with a latitude of at most %g degrees",
                      TH_MOST_LATITUDE);
    if (!good || repeat == NULL)
        return;
    if (wall->kind == th_wallFile)
        thiSceneError(reader, repeat, "does not go with 'file'");
    else
        thiRequireCopiesInWorld(reader, repeat, &wall->repeat, wall->shape.points.items,
                                wall->shape.points.count);
}

static const thKeyTable wallTable = {
    .name = "wall",
    .about = "Something that nobody walks through.",
    KEYS(wallKeys),
    .size = sizeof(thSceneWall),
    .choiceOffset = offsetof(thSceneWall, kind),
    .sourceOffset = offsetof(thSceneWall, source),
    .check = checkWall,
};

// The order of thDoorShut.
static const char* const shutWords[] = {"when free", "at once", NULL};

static const thSceneKey doorKeys[] = {
    {.name = "segment",
     .kind = th_keySegment,
     OF(thSceneDoor, a),
     .required = true,
     .about = "A thin wall while the door is shut."},
    {.name = "open",
     .kind = th_keyIntervals,
     OF(thSceneDoor, open),
     RANGE(0, 1e9, "s"),
     .fallbackText = "`[]`: always shut",
     .about = "When it is open, in ascending order and apart."},
    {.name = "shut",
     .kind = th_keyWord,
     OF(thSceneDoor, shut),
     .words = shutWords,
     .about = "How it shuts: late, as soon as nobody stands in it, or on time, and who stands in "
              "it is pushed to the nearer side."},
    {.name = "name",
     .kind = th_keyName,
     OF(thSceneDoor, name),
     .fallbackText = "none",
     .about = "For reports."},
    {.name = "level", .kind = th_keyWhole, OF(thSceneDoor, level), LEVEL},
};

static const thKeyTable doorTable = {
    .name = "door",
    .about = "Opens and shuts by the clock.",
    KEYS(doorKeys),
    .size = sizeof(thSceneDoor),
    .choiceOffset = TH_NOWHERE,
    .sourceOffset = offsetof(thSceneDoor, source),
};

static const thSceneKey moverKeys[] = {
    {.name = "disc",
     .kind = th_keyNumber,
     OF(thSceneMover, radius),
     ONE_OF(1, 0),
     RANGE(0.001, 100, "m"),
     .about = "Radius of a round mover."},
    {.name = "polygon",
     .kind = th_keyCorners,
     OF(thSceneMover, corners),
     ONE_OF(1, 0),
     RANGE(-100, 100, "m"),
     .about = "Convex, relative to the place of the mover."},
    {.name = "path",
     .kind = th_keyPath,
     OF(thSceneMover, path),
     ONE_OF(2, 0),
     .about = "It begins at the first point and moves along."},
    {.name = "at",
     .kind = th_keyPoint,
     OF(thSceneMover, at),
     ONE_OF(2, 0),
     .about = "Where it begins."},
    {.name = "speed",
     .kind = th_keyNumber,
     OF(thSceneMover, speed),
     .with = "path",
     RANGE(0, 100, "m/s"),
     .fallback = 1,
     .about = "Speed along the path."},
    {.name = "loop",
     .kind = th_keyBool,
     OF(thSceneMover, loop),
     .with = "path",
     .about = "Goes from the last point to the first, round and round; else it stops there."},
    {.name = "velocity",
     .kind = th_keyVector,
     OF(thSceneMover, velocity),
     .with = "at",
     RANGE(-100, 100, "m/s"),
     .about = "How it moves."},
    {.name = "spin",
     .kind = th_keyNumber,
     OF(thSceneMover, spin),
     .with = "at",
     RANGE(-3600, 3600, "degrees/s"),
     .about = "How it turns, counter-clockwise."},
    {.name = "angle",
     .kind = th_keyNumber,
     OF(thSceneMover, angle),
     RANGE(-360, 360, "degrees"),
     .about = "How it is turned at first, counter-clockwise."},
    {.name = "yields",
     .kind = th_keyBool,
     OF(thSceneMover, yields),
     .about = "Slows down or stops rather than squeeze agents."},
    {.name = "level", .kind = th_keyWhole, OF(thSceneMover, level), LEVEL},
};

static void checkMover(thSceneReader* reader, const thJson* object, void* target, bool good)
{
    (void)reader;
    (void)object;
    (void)good;
    thSceneMover* mover = target;
    mover->isDisc = mover->corners.count == 0;
    if (mover->path.count > 0)
        mover->at = mover->path.items[0];
}

static const thKeyTable moverTable = {
    .name = "mover",
    .about = "An obstacle that moves and pushes whoever is in its way.",
    KEYS(moverKeys),
    .size = sizeof(thSceneMover),
    .choiceOffset = TH_NOWHERE,
    .sourceOffset = offsetof(thSceneMover, source),
    .check = checkMover,
};

#define WALLS_BOX "the box of the floor's walls"

static const thSceneKey streetsKeys[] = {
    {.name = "from",
     .kind = th_keyPoint,
     OF(thSceneRoadmap, from),
     .required = true,
     .about = "The first crossing, that with the least x and y."},
    {.name = "columns",
     .kind = th_keyWhole,
     OF(thSceneRoadmap, columns),
     .required = true,
     RANGE(1, THRONG_ROADMAP_NODES, ""),
     .about = "Crossings in x."},
    {.name = "rows",
     .kind = th_keyWhole,
     OF(thSceneRoadmap, rows),
     .required = true,
     RANGE(1, THRONG_ROADMAP_NODES, ""),
     .about = "Crossings in y."},
    {.name = "spacing",
     .kind = th_keySpacing,
     OF(thSceneRoadmap, spacing),
     .required = true,
     RANGE(0.01, 60000, "m"),
     .about = "From one crossing to the next."},
};

static void checkStreets(thSceneReader* reader, const thJson* object, void* target, bool good)
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

static const thKeyTable streetsTable = {
    .name = "streets",
    .about = "Crossings in columns and rows, each joined to the next.",
    KEYS(streetsKeys),
    .size = sizeof(thSceneRoadmap),
    .choiceOffset = TH_NOWHERE,
    .sourceOffset = TH_NOWHERE,
    .check = checkStreets,
};

static const thSceneKey cellsKeys[] = {
    {.name = "box",
     .kind = th_keyShapeBox,
     OF(thSceneRoadmap, box),
     .fallbackText = WALLS_BOX,
     .about = "Where cells are; they are counted from its lower corner."},
    {.name = "side",
     .kind = th_keyNumber,
     OF(thSceneRoadmap, side),
     RANGE(0.01, 1000, "m"),
     .fallback = 1,
     .about = "Side of a cell."},
    {.name = "diagonals",
     .kind = th_keyBool,
     OF(thSceneRoadmap, diagonals),
     .fallback = 1,
     .about =
         "Cells have 8 neighbours, not 4; diagonals are walked where all four cells are free."},
};

static void checkCells(thSceneReader* reader, const thJson* object, void* target, bool good)
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

static const thKeyTable cellsTable = {
    .name = "cells",
    .about = "The centres of square cells that are free, joined to free neighbours.",
    KEYS(cellsKeys),
    .size = sizeof(thSceneRoadmap),
    .choiceOffset = TH_NOWHERE,
    .sourceOffset = TH_NOWHERE,
    .check = checkCells,
};

static const thSceneKey scatterKeys[] = {
    {.name = "box",
     .kind = th_keyShapeBox,
     OF(thSceneRoadmap, box),
     .fallbackText = WALLS_BOX,
     .about = "Where places are drawn."},
    {.name = "count",
     .kind = th_keyWhole,
     OF(thSceneRoadmap, count),
     RANGE(1, THRONG_ROADMAP_NODES, ""),
     .fallback = 1000,
     .about = "How many places; those where a body cannot stand are drawn again."},
    {.name = "neighbours",
     .kind = th_keyWhole,
     OF(thSceneRoadmap, neighbours),
     RANGE(1, 64, ""),
     .fallback = 8,
     .about = "How many of the nearest places each is joined to, where one can walk straight."},
    {.name = "reach",
     .kind = th_keyNumber,
     OF(thSceneRoadmap, reach),
     RANGE(0, 60000, "m"),
     .fallbackText = "0: any distance",
     .about = "How far it looks for them."},
};

static const thKeyTable scatterTable = {
    .name = "scatter",
    .about = "Random places, joined to the nearest others: a probabilistic roadmap.",
    KEYS(scatterKeys),
    .size = sizeof(thSceneRoadmap),
    .choiceOffset = TH_NOWHERE,
    .sourceOffset = TH_NOWHERE,
};

static const thSceneKey medialKeys[] = {
    {.name = "box",
     .kind = th_keyShapeBox,
     OF(thSceneRoadmap, box),
     .fallbackText = WALLS_BOX,
     .about = "Where it is looked for."},
    {.name = "side",
     .kind = th_keyNumber,
     OF(thSceneRoadmap, side),
     RANGE(0.01, 1000, "m"),
     .fallback = 1,
     .about = "From one sample to the next; less than the narrowest passage."},
};

static const thKeyTable medialTable = {
    .name = "medial",
    .about = "The medial axis: places as far from one wall as from another.",
    KEYS(medialKeys),
    .size = sizeof(thSceneRoadmap),
    .choiceOffset = TH_NOWHERE,
    .sourceOffset = TH_NOWHERE,
    .check = checkCells,
};

static const thSceneKey roadmapKeys[] = {
    {.name = "nodes",
     .kind = th_keyNodes,
     OF(thSceneRoadmap, nodes),
     ONE_OF(1, th_roadmapGiven),
     .about = "Points, or segments: portals, which are passed anywhere between their two ends."},
    {.name = "edges",
     .kind = th_keyPairs,
     OF(thSceneRoadmap, edges),
     .with = "nodes",
     .fallbackText = "wherever one can walk straight",
     .about = "Which nodes are joined, counted from 0."},
    {.name = "streets",
     .kind = th_keyObject,
     ONE_OF(1, th_roadmapStreets),
     .table = &streetsTable,
     .about = "Crossings in columns and rows."},
    {.name = "grid",
     .kind = th_keyObject,
     ONE_OF(1, th_roadmapGrid),
     .table = &cellsTable,
     .about = "The free ones of square cells."},
    {.name = "random",
     .kind = th_keyObject,
     ONE_OF(1, th_roadmapRandom),
     .table = &scatterTable,
     .about = "Random places."},
    {.name = "medial",
     .kind = th_keyObject,
     ONE_OF(1, th_roadmapMedial),
     .table = &medialTable,
     .about = "The middle of every corridor."},
    {.name = "level", .kind = th_keyWhole, OF(thSceneRoadmap, level), LEVEL},
};

static void checkRoadmap(thSceneReader* reader, const thJson* object, void* target, bool good)
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

const thKeyTable thiRoadmapTable = {
    .name = "roadmap",
    .about = "A graph of places that agents are led along.",
    KEYS(roadmapKeys),
    .size = sizeof(thSceneRoadmap),
    .choiceOffset = offsetof(thSceneRoadmap, kind),
    .sourceOffset = offsetof(thSceneRoadmap, source),
    .check = checkRoadmap,
};

static const thSceneKey lineKeys[] = {
    {.name = "segment",
     .kind = th_keyShapeSegment,
     OF(thSceneGauge, shape),
     .required = true,
     .about = "The two ends of the line."},
    {.name = "capacity",
     .kind = th_keyNumber,
     OF(thSceneGauge, capacity),
     RANGE(0, 1000000, "1/(m s)"),
     .fallback = INFINITY,
     .fallbackText = "no limit",
     .about = "How many are let through per metre and second, both ways together; 0: nobody."},
    {.name = "level", .kind = th_keyWhole, OF(thSceneGauge, level), LEVEL},
};

const thKeyTable thiLineTable = {
    .name = "line",
    .about = "A line to count at, which may let through only so many.",
    KEYS(lineKeys),
    .size = sizeof(thSceneGauge),
    .choiceOffset = TH_NOWHERE,
    .sourceOffset = offsetof(thSceneGauge, source),
};

static const thSceneKey measureKeys[] = {
    {.name = "lines",
     .kind = th_keyLines,
     OF(thScene, gauges),
     .table = &thiLineTable,
     .fallbackText = "none",
     .about = "Segments by name, to count who crosses them, or objects with a segment."},
    {.name = "areas",
     .kind = th_keyAreas,
     OF(thScene, gauges),
     .table = &thiRegionTable,
     .fallbackText = "none",
     .about = "Regions by name, for density and speed in them; polygons are convex."},
};

static const thKeyTable measureTable = {
    .name = "measure",
    .about = "Where to measure.",
    KEYS(measureKeys),
    .choiceOffset = TH_NOWHERE,
    .sourceOffset = TH_NOWHERE,
};

// Names come before what uses them, and `lines` before `areas`: values are read in this order,
// whatever their order in the file.
static const thSceneKey sceneKeys[] = {
    {.name = "throng",
     .kind = th_keyVersion,
     .required = true,
     .about = "Version of the format: 1."},
    {.name = "about",
     .kind = th_keyText,
     OF(thScene, about),
     .fallbackText = "`\"\"`",
     .about = "One line about the scene."},
    {.name = "time",
     .kind = th_keyObject,
     .table = &timeTable,
     .about = "Length of a step, and when the scene ends."},
    {.name = "seed",
     .kind = th_keyCount,
     OF(thScene, seed),
     RANGE(0, TH_MAX_WHOLE, ""),
     .fallback = 1,
     .about = "Seed of all random numbers."},
    {.name = "origin",
     .kind = th_keyVector,
     OF(thScene, origin),
     RANGE(-1e9, 1e9, "m"),
     .about = "Where the world's origin lies; coordinates are within 30000 m of it in x and y."},
    {.name = "contacts",
     .kind = th_keyBool,
     OF(thScene, contacts),
     .fallback = 1,
     .about = "Bodies that would overlap are pushed apart."},
    {.name = "walls",
     .kind = th_keyObjects,
     OF(thScene, walls),
     .table = &wallTable,
     .fallbackText = "none",
     .about = "What nobody walks through."},
    {.name = "doors",
     .kind = th_keyObjects,
     OF(thScene, doors),
     .table = &doorTable,
     .fallbackText = "none",
     .about = "Walls that open and shut by the clock."},
    {.name = "movers",
     .kind = th_keyObjects,
     OF(thScene, movers),
     .table = &moverTable,
     .fallbackText = "none",
     .about = "Obstacles that move and push."},
    {.name = "goals",
     .kind = th_keyGoals,
     OF(thScene, goals),
     .table = &thiGoalTable,
     .fallbackText = "none",
     .about = "Where agents want to go, by name."},
    {.name = "roadmaps",
     .kind = th_keyRoadmaps,
     OF(thScene, roadmaps),
     .table = &thiRoadmapTable,
     .fallbackText = "none",
     .about = "Graphs that the planner `roadmap` leads agents along, by name."},
    {.name = "profiles",
     .kind = th_keyProfiles,
     OF(thScene, profiles),
     .table = &thiProfileTable,
     .fallbackText = "`{\"person\": {}}`",
     .about = "What agents of one kind have in common, by name."},
    {.name = "agents",
     .kind = th_keyObjects,
     OF(thScene, agents),
     .table = &thiAgentsTable,
     .fallbackText = "none",
     .about = "Who is there, or comes."},
    {.name = "measure",
     .kind = th_keyObject,
     .table = &measureTable,
     .about = "Lines and areas to measure at."},
    {.name = "$schema",
     .kind = th_keyText,
     OF(thScene, schema),
     .fallbackText = "none",
     .about = "Where an editor finds scene.schema.json; the program does not look at it."},
};

const thKeyTable thiSceneTable = {
    .name = "scene",
    .about = "A place, its people and what they want.",
    KEYS(sceneKeys),
    .size = sizeof(thScene),
    .choiceOffset = TH_NOWHERE,
    .sourceOffset = TH_NOWHERE,
};
