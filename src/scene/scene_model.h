// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A scene as it was described, checked: what is read from a file, written to one, and what worlds
// are built of. Everything lives in the scene's arena. Names that refer to others are resolved to
// indices. Coordinates are those of the file (doubles); the world's are these less the origin.
// docs/scenes.md explains every key.

#ifndef THRONG_SRC_SCENE_SCENE_MODEL_H
#define THRONG_SRC_SCENE_SCENE_MODEL_H

#include "base/json/json.h"
#include "base/memory.h"
#include "throng/scene.h"
#include "throng/world.h"

#include <math.h>

typedef struct thCoord {
    double x, y; // [m, of the file]
} thCoord;

typedef struct thCoords {
    const thCoord* items;
    int32_t count;
} thCoords;

// A number for each agent: the same for all, or drawn anew for each (scene/scene_draw.h).
typedef enum thDrawKind {
    th_drawFixed = 0,
    th_drawUniform = 1,
    th_drawNormal = 2,
    th_drawLogNormal = 3,
    th_drawGamma = 4,
    th_drawWeibull = 5,
    th_drawTable = 6,
} thDrawKind;

typedef struct thDraw {
    thDrawKind kind;
    double a, b;     // the value; from, to; mean, deviation; of Weibull's, scale and shape
    double min, max; // of those that are drawn: again beyond
    thCoords table;  // numbers, and the share of all that is not above; from 0 to 1
} thDraw;

// A largest speed that was not given.
#define TH_SCENE_OWN_SPEED (-1.0)

static inline double thiDrawLeast(const thDraw* draw)
{
    return draw->kind == th_drawFixed ? draw->a : draw->min;
}

static inline double thiDrawMost(const thDraw* draw)
{
    return draw->kind == th_drawFixed ? draw->a : draw->max;
}

typedef enum thShapeKind {
    th_shapePoint = 0,
    th_shapeDisc = 1,
    th_shapeSegment = 2,
    th_shapePolygon = 3,
    th_shapeBox = 4, // two opposite corners
} thShapeKind;

typedef struct thShape {
    thShapeKind kind;
    thCoords points;
    double radius; // of a disc
} thShape;

typedef enum thWallKind {
    th_wallPolyline = 0,
    th_wallPolygon = 1, // solid
    th_wallRoom = 2,    // free inside, solid outside
    th_wallFile = 3,
} thWallKind;

// Something that stands there again and again, in columns and rows, and these round a centre.
typedef struct thSceneRepeat {
    int32_t columns, rows;
    double step[2]; // from one to the next [m]
    thCoord around; // NaN: none
    int32_t count;  // turns, evenly spaced round it
} thSceneRepeat;

// How many there are with the first, which is where it is described.
static inline int32_t thiCopyCount(const thSceneRepeat* repeat)
{
    return repeat->columns * repeat->rows * repeat->count;
}

typedef struct thSceneWall {
    thWallKind kind;
    thShape shape; // of polygons and rooms: a polygon or a box
    thSceneRepeat repeat;
    const char* file;  // of th_wallFile, as written
    bool walkable;     // of th_wallFile: polygons are free inside (else solid)
    double degrees[2]; // of th_wallFile: longitude and latitude of (0, 0); NaN: it is in metres
    int32_t level;
    const thJson* source; // for errors; NULL in a scene that was made otherwise
} thSceneWall;

// How a door shuts when its time has come.
typedef enum thDoorShut {
    th_shutWhenFree, // as soon as nobody stands in it
    th_shutAtOnce,   // who stands in it is pushed to its nearer side
} thDoorShut;

typedef struct thSceneDoor {
    const char* name; // NULL: none
    thCoord a, b;
    const double* open; // pairs from, to [s], ascending, apart
    int32_t openCount;  // pairs
    int32_t shut;       // a thDoorShut
    int32_t level;
    const thJson* source;
} thSceneDoor;

typedef struct thSceneMover {
    bool isDisc;
    double radius;
    thCoords corners; // relative
    thCoord at;
    double angle;       // [degrees]
    double velocity[2]; // [m/s]
    double spin;        // [degrees/s]
    thCoords path;
    double speed;
    bool loop, yields;
    int32_t level;
    const thJson* source;
} thSceneMover;

// A goal, named or written where it is used.
typedef enum thSceneGoalKind {
    th_sceneGoalShape = 0,
    th_sceneGoalNearest = 1,  // of several
    th_sceneGoalList = 2,     // one after the other
    th_sceneGoalOpposite = 3, // the place across the circle, grid or region it started in
    th_sceneGoalOffset = 4,   // so far from where it started
    th_sceneGoalRandom = 5,   // random points of a region, one after the other
} thSceneGoalKind;

typedef struct thSceneGoal {
    const char* name; // NULL: written in place
    thSceneGoalKind kind;
    thShape shape;        // also the region of random points
    thSceneRepeat repeat; // of a shape: the nearest of all copies
    const int32_t* goals; // indices into the scene's goals
    int32_t goalCount;
    double offset[2]; // [m]
    int32_t count;    // of random points
    const thJson* source;
} thSceneGoal;

typedef struct thSceneRoadmap {
    const char* name;
    thRoadmapKind kind;
    thCoords nodes;       // two for each: its ends, the same twice for a place
    const int32_t* edges; // pairs of nodes
    int32_t edgeCount;    // 0: wherever one can walk straight
    thCoord from;         // of streets
    int32_t columns, rows;
    double spacing[2];
    thShape box; // of the other rules; without points: that of the walls
    double side; // of a cell
    bool diagonals;
    int32_t count, neighbours; // of random places
    double reach;
    int32_t level;
    const thJson* source;
} thSceneRoadmap;

// A method and its parameters. Parameters are kept as the method's own struct.
typedef struct thSceneMethod {
    const char* name;
    const void* params; // NULL: the method's defaults
} thSceneMethod;

// The shape of bodies: points as given, and their hull. None: a disc.
typedef struct thSceneBody {
    thCoords points; // relative
    thBodyShape shape;
} thSceneBody;

// As thPace; gap 0: none.
typedef struct thScenePace {
    double gap, spread, follow, width; // [s, s, share, share]
} thScenePace;

// As thTogetherDef; reach 0: not at all.
typedef struct thSceneTogether {
    double reach, gap; // [m]
    int32_t abreast;
} thSceneTogether;

typedef struct thScenePreset thScenePreset;

typedef struct thSceneProfile {
    const char* name;
    const thScenePreset* preset; // what radius and speed are where it says nothing; NULL: none
    thSceneMethod methods[th_methodKindCount];
    thDraw radius, speed;
    thDraw maxSpeed; // TH_SCENE_OWN_SPEED: by the speed
    thSceneBody body;
    double maxAcceleration, yield, arrivalDistance;
    int32_t keep;                         // a thKeep
    double patience, slowness, turnAside; // [s, share, degrees]
    thScenePace pace;
    thSceneTogether together;
    int32_t neighbours, walls;                     // how many are seen
    double neighbourRadius, wallRadius, viewAngle; // [m, m, degrees]
    bool seesThroughWalls;
    const thJson* source;
} thSceneProfile;

typedef enum thPlaceKind {
    th_placeAt = 0, // listed
    th_placeIn = 1, // at random in a region
    th_placeGrid = 2,
    th_placeCircle = 3,
    th_placeSource = 4, // appear as time goes by
} thPlaceKind;

typedef struct thScenePlace {
    thPlaceKind kind;
    thCoords at;
    thShape region; // of th_placeIn and th_placeSource
    int64_t count;  // of agents; of a source, at most so many [−1: no limit]
    double gap;     // free space between bodies placed at random [m]
    thCoord from;   // grid: the first place
    int32_t columns, rows;
    double spacing[2], jitter; // [m]
    thCoord center;            // circle
    double radius;
    double rate;       // of a source [1/s]
    double begin, end; // of a source [s]
} thScenePlace;

typedef struct thSceneAgents {
    int32_t profile; // index
    thScenePlace place;
    thSceneRepeat repeat; // of the place
    double appear;        // of th_placeAt: when [s]; NaN: they are there at the beginning
    int32_t id;           // of the first in recordings; −1: as they come
    thDraw speed;         // [m/s]; TH_SCENE_OWN_SPEED: the profile's
    int32_t goal;         // index; −1: none
    thArrival arrive;
    const char* group;    // NULL: none
    thDraw delay;         // [s]
    const double* pauses; // pairs from, to [s], ascending, apart
    int32_t pauseCount;   // pairs
    bool hold;
    double velocity[2];
    double heading; // [degrees]; NaN: towards the goal
    double priority;
    uint32_t layers, mask;
    int32_t level;
    const thJson* source;
} thSceneAgents;

// Whether the agents of an entry are not there at the beginning.
static inline bool thiComesLater(const thSceneAgents* agents)
{
    return agents->place.kind == th_placeSource ||
           (agents->place.kind == th_placeAt && !isnan(agents->appear));
}

// A line or an area to measure at. A line with a capacity is a gate.
typedef struct thSceneGauge {
    const char* name;
    bool isLine;
    thShape shape;   // a segment; a box, disc or polygon
    double capacity; // of a line [1/(m s); infinite: no limit]
    int32_t level;
    const thJson* source;
} thSceneGauge;

struct thScene {
    thMemory memory;
    thArena arena;
    const char* name; // of the file, without folder and suffix
    const char* file; // as given; files beside it are looked for in its folder
    const char* about;
    double step;      // [s]
    double endAt;     // [s; infinite: no such end]
    int64_t endSteps; // [−1: no such end]
    bool endArrived;
    uint64_t seed;
    thCoord origin;
    bool contacts;
    const thSceneWall* walls;
    int32_t wallCount;
    const thSceneDoor* doors;
    int32_t doorCount;
    const thSceneMover* movers;
    int32_t moverCount;
    const thSceneGoal* goals; // those with names first
    int32_t goalCount;
    const thSceneRoadmap* roadmaps;
    int32_t roadmapCount;
    const thSceneProfile* profiles;
    int32_t profileCount;
    const thSceneAgents* agents;
    int32_t agentsCount;        // entries, not agents
    const thSceneGauge* gauges; // lines first
    int32_t gaugeCount;
    const thAddedMethod* methods; // of the host's own
    int32_t methodCount;
    const char* schema; // where an editor finds the schema; empty: nowhere
    thJson* root;       // what was read; NULL in a scene that was made otherwise
};

// How many gauges are lines: they come first.
int32_t thiLineCount(const thScene* scene);

#endif
