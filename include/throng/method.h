// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// What a method sees: a way to plan, to walk round groups, or to avoid others. Built-in methods
/// and the host's own use this header and nothing else of the world.
///
/// In a step all methods read the frozen frame and write only the rows of their batch, so results
/// do not depend on threads. Methods use `thSinCos` and its like and never libm's functions, take
/// random numbers from `thRandomStream`, and never measure time.

#ifndef THRONG_METHOD_H
#define THRONG_METHOD_H

#include "throng/body_shape.h"
#include "throng/tasks.h"

/// Units of a fixed-point position in a metre. Positions are exact multiples of 2⁻¹⁶ m.
#define THRONG_UNITS_PER_METRE 65536

/// The largest coordinate. [m, from the world's origin]
#define THRONG_MAX_COORDINATE 30000.0

/// Bytes of a name and its final zero.
#define THRONG_NAME_SIZE 32

/// Flags of an agent.
typedef enum thAgentFlags {
    /// The slot holds an agent.
    th_agentAlive = 1 << 0,
    /// The host moves it; the world only shows it to others.
    th_agentExternal = 1 << 1,
    /// The world computes its velocity; the host moves it.
    th_agentVelocityOnly = 1 << 2,
    /// It has reached its (last) goal.
    th_agentArrived = 1 << 3,
    /// It was told to wait: planners give it no velocity.
    th_agentWaiting = 1 << 4,
    /// It could not give way to a moving obstacle in the last step.
    th_agentSqueezed = 1 << 5,
    /// It holds its place: it stands, whatever its goal, and only moving obstacles shift it.
    th_agentHolds = 1 << 6,
} thAgentFlags;

/// The static walls, cut into segments and cleaned.
typedef struct thWalls {
    /// Number of segments.
    int32_t count;
    /// First end of each segment. [2⁻¹⁶ m]
    const int32_t* ax;
    /// First end of each segment. [2⁻¹⁶ m]
    const int32_t* ay;
    /// Second end. The free side of a one-sided segment is to the right of a → b. [2⁻¹⁶ m]
    const int32_t* bx;
    /// Second end. [2⁻¹⁶ m]
    const int32_t* by;
    /// 1 if there is solid to the left of a → b, 0 for a thin wall.
    const uint8_t* oneSided;
    /// Floor the segment stands on.
    const uint16_t* level;
    /// Slot of the obstacle it belongs to.
    const int32_t* obstacle;
} thWalls;

/// The moving obstacles as they stand at the beginning of the step.
typedef struct thMovers {
    /// Number of movers.
    int32_t count;
    /// Where the mover's own origin is. [2⁻¹⁶ m]
    const int32_t* px;
    /// Where the mover's own origin is. [2⁻¹⁶ m]
    const int32_t* py;
    /// Velocity of that point. [m/s]
    const float* vx;
    /// Velocity of that point. [m/s]
    const float* vy;
    /// Turning, counter-clockwise. [rad/s]
    const float* spin;
    /// Radius of a disc, or of the smallest disc about the origin that holds the polygon. [m]
    const float* radius;
    /// First corner of each mover in `corners`; a disc has none. `count` + 1 entries.
    const int32_t* firstCorner;
    /// Corners, counter-clockwise, relative to the mover's origin, turned as it stands. [m]
    const thVec2* corners;
    /// Floor.
    const uint16_t* level;
    /// Slot of the obstacle.
    const int32_t* obstacle;
} thMovers;

/// The shape of a goal.
typedef enum thGoalKind {
    /// One point.
    th_goalPoint = 0,
    /// A point and all within a radius.
    th_goalDisc = 1,
    /// A segment between two points.
    th_goalSegment = 2,
    /// A simple polygon with its inside.
    th_goalPolygon = 3,
    /// Goals to be reached one after the other.
    th_goalList = 4,
    /// Goals of which the nearest is headed for.
    th_goalAlternatives = 5,
} thGoalKind;

/// The goals of a world; `thFrame_NearestGoalPoint` reads them.
typedef struct thGoals thGoals;

/// How the nodes and edges of a roadmap come about.
typedef enum thRoadmapKind {
    /// Nodes are given; edges too, or there is one wherever one can walk straight.
    th_roadmapGiven = 0,
    /// Crossings in columns and rows, each with an edge to the next; kept as given ones.
    th_roadmapStreets = 1,
    /// Square cells: the centres of those that are free, with edges to free neighbours.
    th_roadmapGrid = 2,
    /// Random free places, each with edges to the nearest others.
    th_roadmapRandom = 3,
    /// Places that are as far from one wall as from another: the middle of every corridor.
    th_roadmapMedial = 4,
} thRoadmapKind;

/// A roadmap as planners see it. What has to be generated depends on walls and radii, so planners
/// do that by the rule.
typedef struct thRoadmap {
    /// Given or a rule; never th_roadmapStreets.
    thRoadmapKind kind;
    /// Floor.
    int32_t level;
    /// Number of nodes that are given.
    int32_t nodeCount;
    /// Their ends, as ax, ay, bx, by: a portal from a to b, or a place if these are the same.
    /// [2⁻¹⁶ m]
    const int32_t* nodes;
    /// Number of edges that are given. [0: wherever one can walk straight]
    int32_t edgeCount;
    /// Pairs of nodes, each pair once.
    const int32_t* edges;
    /// The box of a rule; all zeros: that of the floor's walls. [2⁻¹⁶ m]
    int32_t lowX;
    /// See `lowX`. [2⁻¹⁶ m]
    int32_t lowY;
    /// See `lowX`. [2⁻¹⁶ m]
    int32_t highX;
    /// See `lowX`. [2⁻¹⁶ m]
    int32_t highY;
    /// Side of a cell, of grids and medial axes. [2⁻¹⁶ m]
    int32_t side;
    /// Number of random places.
    int32_t count;
    /// How many neighbours a cell has at most, or a random place looks for.
    int32_t neighbors;
    /// How far a random place looks. [m, 0: any distance]
    float reach;
} thRoadmap;

/// The roadmaps of a world; `thFrame_GetRoadmap` reads them.
typedef struct thRoadmaps thRoadmaps;

/// All agents, frozen for the step, in rows. Neighbouring rows are neighbours in space.
typedef struct thFrame {
    /// Number of rows. Arrays are padded with 16 inert rows.
    int32_t count;
    /// Number of the step, from 0.
    uint64_t step;
    /// Seed of the world's random numbers.
    uint64_t seed;
    /// Length of the step. [s]
    float dt;
    /// Position. [2⁻¹⁶ m about the world's origin]
    const int32_t* px;
    /// Position. [2⁻¹⁶ m about the world's origin]
    const int32_t* py;
    /// Velocity. [m/s]
    const float* vx;
    /// Velocity. [m/s]
    const float* vy;
    /// Radius of the body. [m]
    const float* radius;
    /// Willingness to give way. [0 .. 1000, 1 normal, 0 gives no way]
    const float* yield;
    /// Layers the agent is on.
    const uint32_t* layers;
    /// Layers of those it takes notice of.
    const uint32_t* mask;
    /// Speed it likes. [m/s]
    const float* prefSpeed;
    /// Speed it never exceeds by itself. [m/s]
    const float* maxSpeed;
    /// Largest change of velocity. [m/s²; 0 means no limit]
    const float* maxAccel;
    /// Direction it faces. [rad, −π .. π]
    const float* heading;
    /// Profile, as a slot.
    const uint16_t* profile;
    /// Floor.
    const uint16_t* level;
    /// `thAgentFlags`.
    const uint32_t* flags;
    /// Slot of its goal. [−1: none]
    const int32_t* goal;
    /// Which of a list of goals it heads for.
    const int32_t* goalIndex;
    /// Slot: the index into the arrays of a view.
    const int32_t* slot;
    /// Key: never reused, decides ties.
    const uint64_t* key;
    /// Static walls.
    const thWalls* walls;
    /// Moving obstacles.
    const thMovers* movers;
    /// Goals.
    const thGoals* goals;
    /// The static walls by place; `thFrame_IsSolid` reads them.
    const struct thWallGrid* wallGrid;
    /// Another number whenever static walls came or went; never 0.
    uint64_t wallsRevision;
    /// Another number whenever goals came, went or moved; never 0.
    uint64_t goalsRevision;
    /// Roadmaps.
    const thRoadmaps* roadmaps;
    /// Another number whenever roadmaps came or went; never 0.
    uint64_t roadmapsRevision;
    /// Shapes of bodies that are no discs, by profile, to be turned by the heading. [NULL: all are
    /// discs]
    const thBodyShape* shapes;
    /// The agents by place; `thFrame_FindWithin` and its like read it. [NULL: they look at
    /// everybody]
    const struct thGrid* agentGrid;
    /// How far agents may have gone since they were sorted into it; further than any place where
    /// one has changed floors. 0 in a step. [2⁻¹⁶ m]
    int64_t agentDrift;
    /// The points that agents head for, by slot; `thBatch_NearestGoalPoints` reads them. [NULL: it
    /// looks at goals]
    const struct thPoint* aims;
    /// Group it walks in: all who have the same number belong together. [≥ 0; −1: none]
    const int32_t* group;
    /// Whether the world keeps bodies apart that touch, so that methods need not. [0 or 1]
    int32_t contacts;
} thFrame;

/// Scratch memory of a worker, taken back after the batch.
typedef struct thArena thArena;

/// Memory for the current batch, aligned to 64 bytes, with undefined content. NULL when memory is
/// out; a method then leaves the guidance as it is.
THRONG_API void* thArena_Allocate(thArena* arena, size_t size);

/// What a planner says about an agent's path.
typedef enum thPlanAnswer {
    /// It leads to the goal. Agents without a goal have nothing to ask, and get this too.
    th_planComplete = 0,
    /// It leads only a part of the way, nearer to the goal than where the agent is.
    th_planPartial = 1,
    /// It is not found yet; the search goes on in the coming steps.
    th_planPending = 2,
    /// There is none.
    th_planNone = 3,
} thPlanAnswer;

/// Up to 128 agents of one profile that stand together. Arrays have `lanes` entries (a multiple of
/// 16); those past `count` are inert and may be computed on. Two-dimensional arrays are
/// `[k * lanes + lane]`; entries past a lane's count are inert: far away, of no size. What methods
/// write starts as zeros. Neighbours, walls and moving obstacles are there when a method needs them
/// (or another one of the profile that sees as far and as many); otherwise their counts are 0, and
/// the neighbours' columns NULL.
///
/// What a method has written is checked when its `solve` returns, so that no other part of a step
/// meets a number out of range or NaN: velocities (`guideX`, `outVx` ...) beyond 1000 m/s in x or y
/// become 0 in both, corners beyond 60 km likewise, a `remaining` that is not 0 .. 10⁹ becomes 0,
/// an `answer` that is none th_planNone, and an `interval` that is not at least 0 becomes 0; one
/// that was raised stays as it was.
typedef struct thBatch {
    /// The frozen frame.
    const thFrame* frame;
    /// Number of agents.
    int32_t count;
    /// Number of entries in each array.
    int32_t lanes;
    /// Row of each agent in the frame.
    const int32_t* row;
    /// Velocity. [m/s]
    const float* vx;
    /// Velocity. [m/s]
    const float* vy;
    /// Radius. [m]
    const float* radius;
    /// Preferred speed. [m/s]
    const float* prefSpeed;
    /// Speed limit. [m/s]
    const float* maxSpeed;
    /// Limit of acceleration. [m/s²; 0 means none]
    const float* maxAccel;
    /// Velocity the agent wants; planners write it, group methods edit it. [m/s]
    float* guideX;
    /// Velocity the agent wants. [m/s]
    float* guideY;
    /// Next corner of its path, relative to the agent. [m]
    float* cornerX;
    /// Next corner of its path, relative to the agent. [m]
    float* cornerY;
    /// Length of the path that is left. [m]
    float* remaining;
    /// A `thPlanAnswer`; planners write it.
    uint8_t* answer;
    /// Number of neighbours of each agent.
    const int32_t* neighborCount;
    /// Largest of them.
    int32_t neighborMax;
    /// Neighbours' positions relative to the agent: nearest first, then bodies of more than 1 m
    /// radius, of these the nearest first. [m]
    const float* nx;
    /// Neighbours' positions relative to the agent. [m]
    const float* ny;
    /// Neighbours' velocities. [m/s]
    const float* nvx;
    /// Neighbours' velocities. [m/s]
    const float* nvy;
    /// Neighbours' radii. [m]
    const float* nradius;
    /// The agent's share of giving way to each neighbour. [0 .. 1]
    const float* nshare;
    /// Neighbours' rows.
    const int32_t* nrow;
    /// Number of walls of each agent, nearest first.
    const int32_t* wallCount;
    /// Largest of them.
    int32_t wallMax;
    /// Segments of `frame->walls`. [−1 past a lane's count]
    const int32_t* wall;
    /// Number of moving obstacles near each agent.
    const int32_t* moverCount;
    /// Largest of them.
    int32_t moverMax;
    /// Indices into `frame->movers`, nearest first. [−1 past a lane's count]
    const int32_t* mover;
    /// Velocity for the coming step; avoidance writes it. [m/s]
    float* outVx;
    /// Velocity for the coming step. [m/s]
    float* outVy;
    /// What avoidance says about each agent; its meaning is the method's.
    uint8_t* status;
    /// How long velocities are good for: avoidance that has th_needsShortSteps lowers it to the
    /// shortest time that holds for one of its agents. If that is less than the step, everybody
    /// moves only that far, in whole eighths of the step and one at least, and avoidance is asked
    /// again for the rest: `frame->dt` is then the rest. One for all batches of a worker. [s]
    float* interval;
    /// Each agent's own bytes of this method, `stateSize` of them; NULL when that is 0.
    void* const* state;
    /// Scratch memory.
    thArena* scratch;
    /// Who keeps agents' bytes as they were; `thBatch_KeepState` asks it. [NULL: nobody]
    struct thWorld* keeper;
} thBatch;

/// Keeps an agent's bytes as they are, in case that the step fails. A method with th_needsNoCopies
/// calls it before it writes to them; more than once in a step does no harm.
THRONG_API void thBatch_KeepState(const thBatch* batch, int32_t lane);

/// Where a method's saved bytes go.
typedef struct thWriter thWriter;
/// Where a method's saved bytes come from.
typedef struct thReader thReader;

/// Where a method shows what it thinks of an agent.
typedef struct thExplanation thExplanation;

/// Appends bytes.
THRONG_API thResult thWriter_Write(thWriter* writer, const void* data, size_t size);

/// Takes bytes; th_resultDamaged when there are not enough.
THRONG_API thResult thReader_Read(thReader* reader, void* data, size_t size);

/// The folder a method belongs to.
typedef enum thMethodKind {
    /// Goal → guidance.
    th_methodPlan = 0,
    /// Guidance → guidance.
    th_methodGroup = 1,
    /// Guidance → velocity.
    th_methodAvoid = 2,
    /// How many kinds there are.
    th_methodKindCount = 3,
} thMethodKind;

/// What a method needs, or'ed in `thMethod.needs`.
typedef enum thMethodNeeds {
    /// The nearest agents.
    th_needsNeighbors = 1 << 0,
    /// All agents as far as its sight reaches, however many. They are searched for one agent at a
    /// time, which costs many times what the nearest few cost. th_needsNeighbors with a `sight` of
    /// up to 16, which a kernel finds for agents that look all round and through walls, is the
    /// cheap way.
    th_needsEverybody = 1 << 1,
    /// The nearest walls.
    th_needsWalls = 1 << 2,
    /// Moving obstacles.
    th_needsMovers = 1 << 3,
    /// Shorter steps where its velocities are not good for a whole one: see `thBatch.interval`. Of
    /// avoidance only.
    th_needsShortSteps = 1 << 4,
    /// Not to be asked about agents that have arrived, stand, and have nobody near who moves: they
    /// stay. All three methods of a profile have to say so. A planner that may lead such agents on
    /// does not.
    th_needsNoneAtRest = 1 << 5,
    /// No copy of all agents' bytes before each step: it calls `thBatch_KeepState` before it writes
    /// to those of an agent. All methods of a profile that have bytes have to say so.
    th_needsNoCopies = 1 << 6,
} thMethodNeeds;

/// What a method's `create` may use.
typedef struct thMethodHost {
    /// Size of this struct. [bytes]
    uint32_t size;
    /// Where memory comes from.
    thAllocator allocator;
    /// The instruction set to use: a `thSimd`, resolved.
    int32_t simd;
    /// The profile whose agents share it: the slot that `thFrame.profile` has for them. Of
    /// `createCommon`: −1.
    int32_t profile;
    /// What `createCommon` has made; of `createCommon` NULL.
    void* common;
} thMethodHost;

/// What agents see of others and of walls while a method is asked.
typedef struct thMethodSight {
    /// How many of the nearest agents; th_needsEverybody sees all. [0 .. 32]
    int32_t neighborCount;
    /// How far others are seen. [m, 0 .. 200]
    float neighborRadius;
    /// How many of the nearest walls. [0 .. 64]
    int32_t wallCount;
    /// How far walls and moving obstacles are seen. [m, 0 .. 200]
    float wallRadius;
} thMethodSight;

/// A profile that uses a method, as `prepareCommon` is told.
typedef struct thMethodUser {
    /// The slot that `thFrame.profile` has for its agents.
    int32_t profile;
    /// Its parameters.
    const void* params;
} thMethodUser;

/// A path, for those who ask a planner for it.
typedef struct thPathOut {
    /// Where points go, from the agent's place to the goal: fixed point. [2⁻¹⁶ m]
    int32_t* x;
    /// See `x`. [2⁻¹⁶ m]
    int32_t* y;
    /// Points there is room for; further ones are counted only.
    int32_t capacity;
    /// Number of points.
    int32_t count;
    /// What the planner says.
    thPlanAnswer answer;
    /// Length of the path as the planner counts it. [m]
    double length;
    /// Why there is no complete path: one sentence that lives as long as the program. [NULL: there
    /// is]
    const char* why;
} thPathOut;

/// Adds a point. [2⁻¹⁶ m]
THRONG_API void thPathOut_Add(thPathOut* out, int32_t x, int32_t y);

/// The type of a parameter, in the method's parameter struct.
typedef enum thParamKind {
    /// A float.
    th_paramFloat = 0,
    /// An int32_t.
    th_paramInt = 1,
    /// An int32_t that is 0 or 1.
    th_paramBool = 2,
    /// The name of a roadmap: char[THRONG_NAME_SIZE], padded with zeros. Empty: the only one there
    /// is.
    th_paramRoadmap = 3,
    /// An int32_t: which of several words, from 0 on. The words are in `unit`, joined by "|".
    th_paramWord = 4,
    /// The name of a roadmap, as of th_paramRoadmap, that may be left out. Empty: none.
    th_paramPath = 5,
} thParamKind;

/// A parameter by its name in scene files, so that files can set it and messages can explain it.
typedef struct thParam {
    /// Lower case words joined as in `wallHorizon`; unique within the method.
    const char* name;
    /// Its type.
    thParamKind kind;
    /// Where it is in the parameter struct. [bytes]
    uint32_t offset;
    /// Least value allowed.
    double min;
    /// Greatest value allowed.
    double max;
    /// Unit, such as "m" or "s"; empty for plain numbers. Of words: these.
    const char* unit;
    /// One sentence that explains it.
    const char* about;
    /// Its default, as `thMethod.defaults` has it: a number, which of the words, or 0 for names.
    double preset;
} thParam;

/// Shows what a method thinks of the agent in one lane, with marks (`throng/mark.h`). Called after
/// `solve`, with the batch as that left it; it changes nothing.
typedef void thExplainFcn(const thBatch* batch, int32_t lane, const void* params,
                          const void* shared, thExplanation* to);

/// What an agent plans with, for those who draw it (`throng/sketch.h`).
typedef struct thSketch thSketch;

/// Tells the path of one agent.
typedef void thPlanPathFcn(const thFrame* frame, int32_t row, const void* params,
                           const void* shared, const void* state, thPathOut* out);

/// Sketches what one agent plans with, all but its path. Fails only with th_resultNoMemory.
typedef thResult thPlanSketchFcn(const thFrame* frame, int32_t row, const void* params,
                                 const void* shared, const void* state, thSketch* to);

/// Prepares what all profiles share that use a method.
typedef thResult thPrepareCommonFcn(void* common, const thFrame* frame, const thTasks* tasks,
                                    const thMethodUser* users, int32_t userCount);

/// One way to plan, group or avoid. Only `size`, `name` and `solve` must be given. One `shared`
/// exists per profile that uses the method, and one `common` per world and method, whatever
/// profiles there are.
typedef struct thMethod {
    /// Size of this struct. [bytes]
    uint32_t size;
    /// Lower case, digits and dashes; unique among methods of its kind. [at most 31 bytes]
    const char* name;
    /// Changes when results change; saved with snapshots and compared.
    uint32_t version;
    /// Size of the parameter struct, copied when a profile is created and saved as it is, so it
    /// holds no pointers. [bytes, at most 65536]
    uint32_t paramSize;
    /// Size of an agent's own bytes. They start as zeros, are saved and hashed as they are, and so
    /// hold no pointers and no padding. [bytes, multiple of 8, at most 4096]
    uint32_t stateSize;
    /// `thMethodNeeds`.
    uint32_t needs;
    /// Parameters used when a profile gives none; `paramSize` bytes. [NULL: zeros]
    const void* defaults;
    /// Refuses bad parameters, with a reason in `error`, which may be NULL.
    thResult (*validate)(const void* params, thError* error);
    /// Creates what the method shares between agents.
    thResult (*create)(const thMethodHost* host, const void* params, void** shared);
    /// Frees it.
    void (*destroy)(void* shared);
    /// Called once a step, before any batch; of avoidance, each time that a step is divided, too.
    /// A step that failed for want of memory is prepared again under the same number: what a
    /// method does once a step it must not do twice then.
    thResult (*prepare)(void* shared, const thFrame* frame, const thTasks* tasks);
    /// Called for each batch, from any worker.
    void (*solve)(const thBatch* batch, const void* params, const void* shared);
    /// Saves what is shared and depends on history; given together with `load`. Called twice, to
    /// count and to write.
    thResult (*save)(const void* shared, thWriter* to);
    /// Restores it, into what `create` has made, and reads all that was saved.
    thResult (*load)(void* shared, thReader* from);
    /// The parameters that scene files may set. [default NULL: none]
    const thParam* params;
    /// Number of them. [default 0]
    int32_t paramCount;
    /// Shows what it thinks of an agent. [default NULL: it shows nothing]
    thExplainFcn* explain;
    /// Of a planner: the path of one agent, from what the last step has left, without changing
    /// anything. `state` are the agent's own bytes. [NULL: nobody can ask]
    thPlanPathFcn* path;
    /// Of a planner: what it plans with for one agent, on the same terms. [NULL: the path is all
    /// there is]
    thPlanSketchFcn* sketch;
    /// What its agents are to see while it is asked, from its parameters; starts as the profile
    /// says. The profile's other methods see what they would without it. [NULL: what the profile
    /// says]
    void (*sight)(const void* params, thMethodSight* sight);
    /// Creates what all profiles share that use the method: `create` finds it in its host, and
    /// where there is no `create`, `solve` gets it as `shared`. It is not saved, so it must follow
    /// from the frame. [NULL: nothing]
    thResult (*createCommon)(const thMethodHost* host, void** common);
    /// Frees it, after the last profile that uses the method.
    void (*destroyCommon)(void* common);
    /// Called once a step, before any `prepare`, with the profiles that use the method and have
    /// agents, in the order of slots; of avoidance, each time that a step is divided, too. Not
    /// called when there are none.
    thPrepareCommonFcn* prepareCommon;
    /// Of avoidance: what each value of `thBatch.status` means, in a word or two. [default NULL:
    /// values have no names]
    const char* const* statusNames;
    /// Number of them. [default 0]
    int32_t statusCount;
    /// Of avoidance: the share of the profile's pace (`thPace`) that it does not need, because its
    /// velocities fall by themselves as it gets dense. [0 .. 1, default 0: it needs all of it]
    float ownPace;
} thMethod;

/// The point of a goal nearest to an agent, relative to it. For lists it is the current one, for
/// alternatives the nearest. Returns 0 when the agent has no goal. [m]
THRONG_API int32_t thFrame_NearestGoalPoint(const thFrame* frame, int32_t row, thVec2* point);

/// The same for all lanes of a batch, which is faster: goals are all over memory. `has` is 0 where
/// an agent has no goal; x and y are 0 there. Lanes past the count of the batch have none.
/// [`batch->lanes` of each]
THRONG_API void thBatch_NearestGoalPoints(const thBatch* batch, float* x, float* y, uint8_t* has);

/// Whether an agent stands in its goal, or on it: the nearest point is no distance away. Quicker
/// than to ask for that point.
THRONG_API int32_t thFrame_IsInGoal(const thFrame* frame, int32_t row);

/// The same for all agents of a batch, which is faster where goals have many alternatives.
/// [`batch->count` of `in`, 0 or 1]
THRONG_API void thBatch_AreInGoals(const thBatch* batch, uint8_t* in);

/// The goal an agent heads for now: a shape, or alternatives; of a list the current one. [slot; −1:
/// none]
THRONG_API int32_t thFrame_CurrentGoal(const thFrame* frame, int32_t row);

/// The id of a goal, by which a planner notices that another has come into its slot; one that has
/// only moved keeps its own. [slot; 0: there is none]
THRONG_API uint64_t thFrame_GetGoalId(const thFrame* frame, int32_t goal);

/// A goal that has a shape.
typedef struct thGoalShape {
    /// What it is: a point, disc, segment or polygon.
    thGoalKind kind;
    /// Number of points.
    int32_t count;
    /// Radius of a disc. [m]
    float radius;
    /// Its slot.
    int32_t goal;
} thGoalShape;

/// The shapes of a goal: one, or those of alternatives; none where there is no goal, or a list of
/// them. Returns how many there are, writes as many as fit. [goal: a slot]
THRONG_API int32_t thFrame_GetGoalShapes(const thFrame* frame, int32_t goal, thGoalShape* shapes,
                                         int32_t capacity);

/// A point of a shape. [index: 0 .. count − 1; 2⁻¹⁶ m]
THRONG_API void thFrame_GetShapePoint(const thFrame* frame, const thGoalShape* shape, int32_t index,
                                      int32_t* x, int32_t* y);

/// The point of a shape nearest to a place. [2⁻¹⁶ m]
THRONG_API void thFrame_NearestShapePoint(const thFrame* frame, const thGoalShape* shape, int32_t x,
                                          int32_t y, int32_t* nearX, int32_t* nearY);

/// Whether a place is in solid: inside a solid obstacle, or outside of the rooms of a floor that
/// has any. Exact, also where obstacles overlap; for places that are on no wall. [2⁻¹⁶ m]
THRONG_API int32_t thFrame_IsSolid(const thFrame* frame, int32_t level, int32_t x, int32_t y);

/// The roadmap of that name. Empty: the only one there is. [slot; −1: none, −2: empty, and there
/// are several]
THRONG_API int32_t thFrame_FindRoadmap(const thFrame* frame, const char* name);

/// A roadmap. Returns 0 when there is none in that slot. What it points to is valid as long as
/// `roadmapsRevision` stays the same.
THRONG_API int32_t thFrame_GetRoadmap(const thFrame* frame, int32_t slot, thRoadmap* roadmap);

/// All agents whose centre is within a radius of a place, in the order of keys; distances are
/// exact. Returns how many there are. Where these are more than fit, what is written is in no
/// order: ask again with more room. Neither layers nor fields of view count. [place: 2⁻¹⁶ m;
/// radius: 0 .. 10000 m]
THRONG_API int32_t thFrame_FindWithin(const thFrame* frame, int32_t level, int32_t x, int32_t y,
                                      float radius, int32_t* rows, int32_t capacity);

/// All other agents on the floor of an agent whose centre is within a radius of its own, likewise.
THRONG_API int32_t thFrame_FindAround(const thFrame* frame, int32_t row, float radius,
                                      int32_t* rows, int32_t capacity);

/// Two agents that are near each other.
typedef struct thAgentPair {
    /// The row of the one with the lower key.
    int32_t first;
    /// The row of the other.
    int32_t second;
} thAgentPair;

/// All pairs of agents that are near each other, found anew in each step: for `prepareCommon`. Once
/// it has room for a crowd, finding them allocates nothing.
typedef struct thAgentPairs thAgentPairs;

/// Creates it, with no pairs. `*pairs` is NULL when it fails.
THRONG_API thResult thCreateAgentPairs(const thAllocator* allocator, thAgentPairs** pairs);

/// Frees it. NULL is allowed.
THRONG_API void thDestroyAgentPairs(thAgentPairs* pairs);

/// Finds all pairs on one floor whose centres are within a distance of each other, exactly, on all
/// workers. When it fails there are none. [0 .. 10000 m]
THRONG_API thResult thAgentPairs_Find(thAgentPairs* pairs, const thFrame* frame, float distance,
                                      const thTasks* tasks);

/// The pairs that were found last, in the order of the key of the first, then of the second. Valid
/// until they are found anew.
THRONG_API const thAgentPair* thAgentPairs_Get(const thAgentPairs* pairs, int32_t* count);

#endif
