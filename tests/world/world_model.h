// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What a world should be: plain arrays, looked through from end to end, in double or in exact
// integers. It knows only the public headers. A model is one piece of memory: an assignment copies
// it, as a snapshot copies a world.

#ifndef THRONG_TESTS_WORLD_WORLD_MODEL_H
#define THRONG_TESTS_WORLD_WORLD_MODEL_H

#include "throng/query.h"

#include <stdbool.h>

#define MODEL_AGENTS 300
#define MODEL_GOALS 40
#define MODEL_PROFILES 10
#define MODEL_OBSTACLES 24
#define MODEL_COMMANDS 48
#define MODEL_POINTS 8
#define MODEL_STALE 32
#define MODEL_SEGMENTS (MODEL_OBSTACLES * MODEL_POINTS)

// A point in units.
typedef struct Place {
    int32_t x, y;
} Place;

// From one point to another. [m]
typedef struct Offset {
    double x, y;
} Offset;

typedef struct ModelProfile {
    thProfileId id; // null: there is none
    thProfileDef def;
    bool given;         // planner `given`, else `direct`
    bool tires;         // group method `tires`
    bool watches;       // avoid method `watch` or `watch-all`
    bool everybody;     // the latter
    float scale;        // what `watch` makes of velocities
    bool stops;         // `watch` stops everybody in every fifth step
    uint64_t stepCount; // steps in which it had agents
} ModelProfile;

typedef struct ModelGoal {
    thGoalId id;
    thGoalKind kind;
    Place points[MODEL_POINTS];
    int32_t count; // points or goals
    float radius;
    int32_t goals[MODEL_POINTS];
} ModelGoal;

typedef struct ModelObstacle {
    thObstacleId id;
    thObstacleKind kind;
    int32_t level;
    Place points[MODEL_POINTS]; // cleaned; moving ones relative to the origin
    int32_t count;
    double radius;      // of the disc, or of the disc about all corners [m]
    double x, y, angle; // moving ones [units, rad]
    thVec2 velocity;
    float spin;
    Place path[MODEL_POINTS];
    int32_t pathCount, pathAt;
    float pathSpeed;
    bool pathLoops;
} ModelObstacle;

typedef struct ModelAgent {
    thAgentId id; // null while only the world knows it: made by a command
    uint64_t key; // 0: there is none
    int32_t profile, goal, goalIndex;
    Place at;
    thVec2 velocity;
    float heading;
    uint32_t flags;
    int32_t level, group;
    uint32_t layers, mask;
    float radius, prefSpeed, maxSpeed, maxAccel, yield;
    thVec2 wish;    // for planner `given`
    uint64_t tired; // steps that `tires` has seen
} ModelAgent;

typedef struct ModelCommand {
    thCommand command;
    uint64_t key; // of whom it concerns
} ModelCommand;

typedef struct Model {
    ModelProfile profiles[MODEL_PROFILES];
    ModelGoal goals[MODEL_GOALS];
    ModelObstacle obstacles[MODEL_OBSTACLES];
    ModelAgent agents[MODEL_AGENTS];
    ModelCommand commands[MODEL_COMMANDS];
    int32_t commandCount;
    uint64_t steps, arrivals, departures, refusedCommands;
    uint64_t lastOwnKey;            // the last one that the world gave
    uint64_t stale[4][MODEL_STALE]; // ids that are no more: agents, goals, obstacles, profiles
    uint32_t staleCount[4];         // ever
    int32_t agentCount;
    bool scarce;       // memory runs out now and then
    char problem[256]; // what is wrong
} Model;

// Index into `stale`.
enum { stale_agent, stale_goal, stale_obstacle, stale_profile };

// Notes what is wrong, in printf's way, and returns false.
bool modelFail(Model* model, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Whole units, halves away from zero, as the library rounds coordinates.
int32_t unitsOf(float metres);
Place placeOf(thVec2 position);

void modelAddStale(Model* model, int32_t kind, uint64_t id);

// -1 if there is none.
int32_t modelFindAgent(const Model* model, uint64_t id);
int32_t modelFindKey(const Model* model, uint64_t key);
int32_t modelFindGoal(const Model* model, uint64_t id);
int32_t modelFindProfile(const Model* model, uint64_t id);
int32_t modelFindObstacle(const Model* model, uint64_t id);

bool modelIsMover(const ModelObstacle* obstacle);
bool modelGoalInUse(const Model* model, int32_t goal);
bool modelProfileInUse(const Model* model, int32_t profile);

// Adds an agent as the definition says; the index. There must be room.
int32_t modelAddAgent(Model* model, const thAgentDef* def, thAgentId id);
void modelRemoveAgent(Model* model, int32_t agent);
void modelSetGoal(Model* model, int32_t agent, int32_t goal);
// Moves a goal's points so that one of them, which was at `from`, comes to `to`.
void modelMoveGoal(Model* model, int32_t goal, Place from, Place to);

// Carries out what was queued, in the order that the header says.
void modelCarryOutCommands(Model* model);

// Moves moving obstacles.
void modelAdvanceMovers(Model* model, float dt);
// A mover heads for the next point of its path at which it does not stand already.
void modelPassPoints(ModelObstacle* mover);

// The wall segments of one floor, or of all (level -1); `owner` gets the obstacle of each.
int32_t modelSegments(const Model* model, int32_t level, Place segments[][2], int32_t* owner);

// Whether a body may stand somewhere, as far as walls go.
bool modelIsFree(const Model* model, int32_t level, Place at, float radius);
// The same for an agent to be created; its profile must be there.
bool modelMayStand(const Model* model, const thAgentDef* def);
// Whether a body that may not stand at `from` may be put at `to` for that.
bool modelMayStepAside(const Model* model, int32_t level, Place from, Place to, float radius);

// Points of a goal that may be the nearest to a place, as offsets: more than one where several are
// equally near but for rounding. 0 if there is no goal.
int32_t modelGoalPoints(const Model* model, int32_t goal, int32_t index, Place from,
                        Offset* points);
#define MODEL_GOAL_POINTS (MODEL_POINTS * MODEL_POINTS)

// After a step of the world: compares velocities, places, arrivals and events with what they should
// be, and takes over what may differ by rounding. Commands must have been carried out.
bool modelFollowStep(Model* model, const thWorld* world, float dt);

// Everything a host can see of agents, moving obstacles and counts.
bool modelMatchesWorld(Model* model, const thWorld* world);

// Whether two segments have a point in common, exactly. Coordinates are within ±10 km.
bool segmentsTouch(Place a, Place b, Place c, Place d);
// Whether a point is in a polygon or on its edge, exactly.
bool isInside(Place p, const Place* corners, int32_t count);
// From a point to the nearest point of a segment. [m]
Offset offsetToSegment(Place p, Place a, Place b);

#endif
