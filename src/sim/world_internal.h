// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The world from inside. Public functions check their arguments and call what is declared here;
// internal code never calls a public function that changes a world.
//
// Agents live in rows (space/rows.h). An id names a slot; `rowOfSlot` says where its row is now,
// and `view` holds what hosts see, in slot order. Everything a step needs is allocated when agents
// are created, so that a warm step allocates nothing.

#ifndef THRONG_SRC_SIM_WORLD_INTERNAL_H
#define THRONG_SRC_SIM_WORLD_INTERNAL_H

#include "base/arena.h"
#include "base/id_pool.h"
#include "base/mutex.h"
#include "base/tasks.h"
#include "base/trace.h"
#include "geom/predicate.h"
#include "move/contact/contacts.h"
#include "move/push.h"
#include "sim/jam/jams.h"
#include "sim/key_map.h"
#include "space/grid.h"
#include "space/rows.h"
#include "space/sense.h"
#include "space/walls.h"
#include "throng/world.h"

#define TH_NAME_SIZE THRONG_NAME_SIZE

// A method as a profile uses it.
typedef struct thMethodInUse {
    const thMethod* method;
    void* params;        // paramSize bytes; NULL when that is 0
    void* shared;        // what `create` made, or what is common where there is no `create`
    bool hasCommon;      // it takes part in what its method's profiles have in common
    uint32_t stateStart; // of the method's bytes within an agent's state
} thMethodInUse;

// What all profiles share that use a method which has something in common.
typedef struct thMethodCommon {
    const thMethod* method;
    thMethodKind kind;
    void* data;
    int32_t users; // profiles; 0: the place is free
} thMethodCommon;

typedef struct thProfile {
    thProfileDef def; // its pointers are not used
    thBodyShape shape;
    float reach; // of its furthest corner [m; 0: no shape]
    char name[TH_NAME_SIZE];
    // What methods see. Those that see alike share one; the first is that of avoidance.
    thSight sights[th_methodKindCount];
    int32_t sightCount;
    uint8_t sightOf[th_methodKindCount];
    thMethodInUse methods[th_methodKindCount];
    uint32_t stateSize; // all methods together, per agent; a multiple of 8
    thArray states;     // stateSize bytes per item; rows hold the index, -1 when that is 0
    thArray freeStates; // int32_t: items that are free; has room for all of them
    int32_t agentCount;
    int32_t joining; // used while agents are created: how many this profile gets
} thProfile;

typedef struct thGoal {
    thGoalKind kind;
    float radius;
    int32_t first; // of its points (units) or goals (slots) in the arrays of thGoals
    int32_t count;
    int32_t users; // agents and goals that refer to it
} thGoal;

// Goals as planners see them: by slot.
struct thGoals {
    thIdPool ids;
    thArray goals;     // thGoal by slot
    thArray points;    // thPoint; a destroyed goal's part is closed up
    thArray children;  // int32_t slots; likewise
    uint64_t revision; // counted up by changes, never set back
};

typedef struct thNamedRoadmap {
    char name[TH_NAME_SIZE];
    thRoadmap view; // as planners see it
    thArray nodes;  // int32_t[4]: the ends of each
    thArray edges;  // int32_t[2]: the lower node first; ascending, each pair once
} thNamedRoadmap;

// Roadmaps as planners find them: by slot or name.
struct thRoadmaps {
    thIdPool ids;
    thArray items;     // thNamedRoadmap by slot
    uint64_t revision; // counted up by changes, never set back
};

typedef struct thObstacle {
    thObstacleDef def;   // its pointers are not used; angle, velocity and spin are kept up to date
    int32_t x, y;        // moving ones: where the origin is, in units
    double restX, restY; // what that lacks of the exact place, in units: slow movers move too
    thArray outline;     // thPoint, cleaned; moving ones relative to the origin, not turned
    thArray path;        // thPoint
    int32_t pathAt;      // the point of the path it is heading for; path.count when it is done
} thObstacle;

// Moving obstacles as columns, in the order of slots; rebuilt at the beginning of each step.
typedef struct thMoverColumns {
    thArray px, py, vx, vy, spin, radius, firstCorner, corners, level, obstacle;
    thArray dx, dy, turn, share; // what each does in the step: see thiPlanMovers
    thArray bodies;              // thBody: agents that a mover which yields might meet
    thMovers view;
} thMoverColumns;

// What one worker writes during a step.
typedef struct thWorker {
    thArena scratch;
    thArray events; // thEvent
    int64_t stageTime[th_stageCount];
    float fastestSq; // of the agents it moved [m²/s²]
    float interval;  // how long velocities are good for [s]
    thJamCounts jams;
    bool outOfMemory;
} thWorker;

// A command in the queue, and what it is sorted by.
typedef struct thQueued {
    thCommand command;
    uint64_t key; // of the agent it concerns, or slot of the obstacle; set when carried out
} thQueued;

// What profiles there are, and what of them methods see as arrays.
typedef struct thProfiles {
    thIdPool ids;
    thArray items;       // thProfile by slot
    thArray sights;      // const thSight* by slot, once for each number of a sight
    thArray shapes;      // thBodyShape by slot
    thArray commons;     // thMethodCommon
    thArray users;       // thMethodUser: while something common is prepared
    int32_t shapedCount; // profiles that have a shape
} thProfiles;

typedef struct thObstacles {
    thIdPool ids;
    thArray items; // thObstacle by slot
} thObstacles;

// Static obstacles as everybody meets them.
typedef struct thWorldWalls {
    thWallGrid* grid;
    uint64_t revision;    // counted up by changes, never set back
    _Atomic bool changed; // obstacles came or went since the grid was built
} thWorldWalls;

// An id names a slot. Rows are what a step works on; it sorts them from one array into the other.
typedef struct thAgents {
    thIdPool ids;
    thArray rowOfSlot;    // int32_t; -1 for an empty slot
    thArray view;         // thAgentRow by slot: what hosts see
    thKeyMap keys;        // key -> slot
    uint64_t nextOrdinal; // of keys given by the world: (1 << 40 | ordinal)
    thRows rows[2];
    int32_t current; // which of the two is in use
    int32_t count;   // living
    thGrid grid;
    int64_t drift; // the furthest any sorted row may be from where it was sorted, in units
} thAgents;

// What a step writes by row; room as in rows.
typedef struct thStepOutput {
    float *vx, *vy;   // chosen
    int32_t* targetX; // where agents will be at the end of the step, in units; borrowed
    int32_t* targetY;
    float* remaining; // length of the path that is left, as planners say [m]
    uint8_t* status;
    uint8_t* answer;
    uint8_t* squeezed; // by movers, in this step
    int32_t capacity;
} thStepOutput;

// Commands wait in one array while those of the other are carried out.
typedef struct thCommandQueue {
    thArray waiting; // thQueued, as they came
    thArray atWork;  // thQueued, being carried out
} thCommandQueue;

// Who sees what stages have made.
typedef struct thStageWatch {
    const thTrace* trace;     // NULL: nobody
    thTrace hashes;           // the trace that thWorld_WatchStages sets
    thStageHashFcn* tellHash; // what it tells, and with which context
    void* context;
} thStageWatch;

struct thWorld {
    thMemory memory;   // everything but this struct itself
    thMemory* account; // what the content is charged to: `memory`; while a snapshot is read into a
                       // world beside it, that of the world it is for
    thTasks* tasks;
    thSimd simd;
    bool stepping;
    bool hasContactEvents;
    thStageWatch watch;
    thArray methods[th_methodKindCount]; // const thMethod*: those that the host added
    thArray workers;                     // thWorker, one per worker of `tasks`
    thMutex commandMutex;
    thMutex wallMutex; // for queries that find the wall grid out of date

    // From here to the end: the content, which thWorld_Restore exchanges as one piece.
    uint64_t seed;
    double originX, originY;
    uint64_t step;
    bool hasContacts;
    thProfiles profiles;
    thGoals goals;
    thRoadmaps roadmaps;
    thObstacles obstacles;
    thWorldWalls walls;
    thMoverColumns movers;
    thAgents agents;
    thContacts* contacts;
    thJams jams; // of worlds with contacts
    thStepOutput output;
    thArray guides; // thHeldGuide by slot; empty where nobody needs them
    thArray events; // thEvent of the last step, in key order
    thCommandQueue queue;
    thCounters counters;
};

// The rows in use. Their columns may be written, but only who creates or sorts agents changes how
// many there are.
static inline const thRows* thiRows(const thWorld* world)
{
    return &world->agents.rows[world->agents.current];
}

static inline thProfile* thiProfiles(const thWorld* world)
{
    return TH_ITEMS(world->profiles.items, thProfile);
}

static inline thObstacle* thiObstacles(const thWorld* world)
{
    return TH_ITEMS(world->obstacles.items, thObstacle);
}

// Whether the world moves an agent of these flags, not the host.
static inline bool thiIsMovedByWorld(uint32_t flags)
{
    return (flags & (th_agentExternal | th_agentVelocityOnly)) == 0;
}

// Limits of a world. Rows hold a profile as 16 bits.
#define TH_MAX_AGENTS (1 << 28)
#define TH_MAX_PROFILES (UINT16_MAX + 1)
// The first key that the world gives by itself.
#define TH_FIRST_OWN_KEY (UINT64_C(1) << 40)
// Drift that makes queries look at every row.
#define TH_DRIFT_ANYWHERE (INT64_C(1) << 40)

// world.c. An empty content with its own grids; th_resultNoMemory leaves nothing behind.
thResult thiInitContent(thWorld* world);
void thiFreeContent(thWorld* world);
// Room for one more id, and for an item of each slot.
thResult thiReserveSlot(thIdPool* ids, thArray* items);

// methods.c. The methods that come with the library, the default of its kind first, NULL after the
// last.
const thMethod* const* thiBuiltInMethods(thMethodKind kind);

// The method of that name (NULL: the default of its kind). Fills `error` and returns
// NULL when there is none.
const thMethod* thiFindMethod(const thWorld* world, thMethodKind kind, const char* name,
                              thError* error);
// "plan", "group", "avoid".
const char* thiMethodKindName(thMethodKind kind);
// What methods get to create what they share: memory is charged to the world.
thMethodHost thiMethodHost(const thWorld* world, int32_t profile, thMethodKind kind);
// One more profile uses a method: what all of them have in common, made for the first. Nothing has
// changed when that fails.
thResult thiJoinCommon(thWorld* world, thMethodKind kind, const thMethod* method, void** data);
// One profile less; the last one's leaving frees it.
void thiLeaveCommon(thWorld* world, const thMethod* method);
// What methods of that kind and later ones do before the batches of a step.
thResult thiPrepareMethods(thWorld* world, const thFrame* frame, thMethodKind firstKind);

// profiles.c. Checks a definition and makes a profile for a slot; it is in no array yet.
thResult thiMakeProfile(thWorld* world, int32_t slot, const thProfileDef* def, thProfile* profile,
                        thError* error);
void thiFreeProfile(thWorld* world, thProfile* profile);
// Room in the tables for all profiles that `items` has room for.
thResult thiReserveProfileTables(thProfiles* profiles);
// turning.c. How far the furthest corner of a shape is. [m]
float thiShapeReach(const thBodyShape* shape);
// Puts the shape of a profile that has come where methods see it.
void thiShowShape(thWorld* world, int32_t slot);

// agent_room.c. Room for that many agents in all: slots, rows, views, keys, grid, output.
thResult thiReserveAgents(thWorld* world, int32_t count);
// All that is held for agents.
size_t thiAgentBytes(const thWorld* world);
// Room for that many more, and some to spare if there is memory for that.
thResult thiReserveMoreAgents(thWorld* world, int32_t more);
void thiFreeOutput(thWorld* world);
// Room for the methods' bytes of that many more agents of a profile.
thResult thiReserveStates(thProfile* profile, int32_t more);
// An item of a profile's states, cleared; -1 when agents of the profile have none. Needs room.
int32_t thiTakeState(thProfile* profile);
void thiGiveBackState(thProfile* profile, int32_t index);
// An agent's bytes of one method; NULL when it has none.
void* thiAgentState(const thWorld* world, int32_t row, thMethodKind kind);

// agents.c. The row of a living agent, -1 for a stale id.
int32_t thiFindRow(const thWorld* world, thAgentId id);
// Takes an agent out of everything but leaves its row as a dead one.
void thiRemoveRow(thWorld* world, int32_t row);
// thiKeyMap's way from slots to keys; the context is the world.
uint64_t thiKeyOfSlot(const void* world, int32_t slot);
// Whether an agent could be created now: everything but walls and memory. The hook is not told.
bool thiCanCreateAgent(const thWorld* world, const thAgentDef* def);
// th_resultBlocked if it would stand in a wall.
thResult thiCreateAgent(thWorld* world, const thAgentDef* def, thAgentId* id);

// agent_changes.c. Writes a row's public form to its slot.
void thiShowRow(thWorld* world, int32_t row);
// Changes of one agent; arguments have been checked.
void thiSetGoal(thWorld* world, int32_t row, int32_t goal);
void thiSetWaiting(thWorld* world, int32_t row, bool waiting);
// Whether the agent's planner is `given`.
bool thiTakesVelocity(const thWorld* world, int32_t row);
void thiSetPreferredVelocity(thWorld* world, int32_t row, thVec2 velocity);

// placement.c. Who is to stand somewhere among the walls.
typedef struct thStand {
    uint32_t flags;
    int32_t level;
    float radius;
} thStand;
// How far from where it was to stand an agent may be put. [m]
#define TH_PLACEMENT_REACH 100.0f
// Whether somebody may stand at `place`; with th_placementNearest that becomes the nearest free
// place, if there is one. Walls must be up to date. Many threads may ask at once.
bool thiFindStand(const thWorld* world, const thStand* stand, thPlacement placement,
                  thPoint* place);
bool thiIsPlacement(thPlacement placement);

static inline size_t thiGoalBytes(const thGoals* goals)
{
    return thiIdPoolBytes(&goals->ids) + thiArrayBytes(&goals->goals) +
           thiArrayBytes(&goals->points) + thiArrayBytes(&goals->children);
}

// goals.c. The point of a goal nearest to (x, y), relative to it in metres, and whether there is
// one. `index` picks from a list. Zero when the point is inside.
// The shape that is headed for from a place: of a list the current one, of alternatives the
// nearest. −1 for no goal.
int32_t thiShapeOfGoal(const thGoals* goals, int32_t slot, int32_t index, int32_t x, int32_t y);
// Whether that depends on where the agent stands.
bool thiDependsOnPlace(const thGoals* goals, int32_t slot, int32_t index);

bool thiNearestGoalPoint(const thGoals* goals, int32_t goal, int32_t index, int32_t x, int32_t y,
                         thVec2* relative);
// How many goals a list has; 1 for others.
int32_t thiGoalLength(const thGoals* goals, int32_t goal);
// The goal of that slot.
static inline thGoal* thiGoalAt(const thGoals* goals, int32_t slot)
{
    return &TH_ITEMS(goals->goals, thGoal)[slot];
}
// Whether a goal of that kind holds goals, not points.
bool thiIsGoalGroup(thGoalKind kind);
// Whether goals of one kind may hold goals of another.
bool thiGoalMayHold(thGoalKind outer, thGoalKind inner);
// Whether that many points make a shape of that kind.
bool thiIsGoalShape(thGoalKind kind, int32_t pointCount, float radius);

// roadmaps.c. An empty one, and what planners see of it when its nodes and edges are there.
void thiInitRoadmap(thWorld* world, thNamedRoadmap* item);
void thiShowRoadmap(thNamedRoadmap* item);
void thiFreeRoadmap(thNamedRoadmap* item);
// The slot of that name; −1: none.
int32_t thiFindRoadmap(const thRoadmaps* roadmaps, const char* name);
// Whether a rule is possible; those with given nodes are none.
bool thiIsRoadmapRule(const thRoadmap* map);
static inline thNamedRoadmap* thiRoadmapAt(const thRoadmaps* roadmaps, int32_t slot)
{
    return &TH_ITEMS(roadmaps->items, thNamedRoadmap)[slot];
}

// obstacles.c. Brings the wall grid and the columns of movers up to date.
thResult thiPrepareObstacles(thWorld* world);
// The wall grid alone; queries use it, so several threads may call it at once.
thResult thiUpdateWalls(const thWorld* world);
// Whether an obstacle of that kind moves.
bool thiIsMoving(thObstacleKind kind);
// Checks a definition but for its points, which follow.
bool thiIsObstacleDef(const thObstacleDef* def);
void thiFreeObstacle(thObstacle* obstacle);
// How many segments the outline of a static obstacle has; 0 for moving ones.
int32_t thiWallSegmentCount(const thObstacle* obstacle);

// movers.c. Fills in what movers will do in the step: how far they go and turn, in the share of it
// that those who yield can make. Needs the agents' targets.
thResult thiPlanMovers(thWorld* world, float dt);
// What was planned, for those who are pushed.
thMoverMotion thiMoverMotion(const thWorld* world);
// Moves moving obstacles by one step, as planned.
void thiAdvanceMovers(thWorld* world, float dt);
// Sets the velocity of an obstacle with a path: towards the point it is heading for.
void thiAimAlongPath(thObstacle* obstacle);
void thiSetObstacleMotion(thObstacle* obstacle, thVec2 velocity, float spin);

// commands.c. Carries out what was queued.
void thiCarryOutCommands(thWorld* world);
// Whether a command makes sense by itself.
bool thiIsCommand(const thCommand* command);

// step.c. Stages of a step: agents into cells, the frame that methods see.
thResult thiSortAgents(thWorld* world);
thFrame thiMakeFrame(const thWorld* world, float dt);

// The time since the last call goes to a stage.
void thiLap(thWorld* world, thStage stage, int64_t* clock);

// paths.c. The planner of an agent, with what it knows of it.
typedef struct thPlanner {
    const thMethod* method;
    const void *params, *shared, *state;
} thPlanner;
thPlanner thiPlannerOf(const thWorld* world, int32_t row);
// Who was created since the last step has not been planned for.
bool thiWasPlanned(const thWorld* world, int32_t row);
#define TH_NOT_PLANNED "it was created after the last step, and planners work in steps"

// state_hash.c. The hash of the state: see thWorld_GetStateHash; and one row's part in it.
uint64_t thiStateHash(const thWorld* world);
uint64_t thiRowHash(const thWorld* world, int32_t row);

#endif
