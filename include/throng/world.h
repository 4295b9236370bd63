// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// The world: profiles, goals, obstacles and agents, and the step that moves them.
///
/// Coordinates are metres about the world's origin, x east, y north, angles counter-clockwise from
/// east. One thread may change a world; between steps many may read it. Ids of one world mean
/// nothing in another. A call with a bad argument tells the assertion hook and does nothing.

#ifndef THRONG_WORLD_H
#define THRONG_WORLD_H

#include "throng/id.h"
#include "throng/method.h"
#include "throng/simd.h"

/// A world.
typedef struct thWorld thWorld;

/// How a world is created.
typedef struct thWorldDef {
    /// Size of this struct, for binary compatibility. [bytes, set by thDefaultWorldDef]
    uint32_t size;
    /// Threads that may work at once, the calling one included. [0 .. 64, default 0: only that one]
    int32_t workerCount;
    /// The host's scheduler. [default all NULL: a pool of threads is started]
    thTaskHost tasks;
    /// Where memory comes from. [default thDefaultAllocator()]
    thAllocator allocator;
    /// Bytes the world may hold. [default 0: no limit]
    uint64_t maxBytes;
    /// Seed of all random numbers. [default 1]
    uint64_t seed;
    /// Where the world's origin lies in the coordinates of its sources, such as UTM. The world
    /// keeps it for those who write files. [m, default 0]
    double originX;
    /// See `originX`. [m, default 0]
    double originY;
    /// Instruction set of the kernels. [default th_simdAuto]
    thSimd simd;
    /// 1: bodies that would overlap are pushed apart, and no pair ever ends a step deeper than 0.9
    /// % of the sum of its radii, whatever methods do. 0: nothing but methods keeps them apart.
    /// [0 or 1, default 1]
    int32_t contacts;
    /// 1: each pair that is pushed apart gives an event. Crowds have many. [0 or 1, default 0]
    int32_t contactEvents;
} thWorldDef;

/// A definition with every field at its default.
THRONG_API thWorldDef thDefaultWorldDef(void);

/// Creates an empty world. `*world` is NULL when it fails.
THRONG_API thResult thCreateWorld(const thWorldDef* def, thWorld** world);

/// Destroys a world and all that lives in it. NULL is allowed.
THRONG_API void thDestroyWorld(thWorld* world);

/// Makes room for that many agents in all, so that creating them allocates nothing more than the
/// bytes that methods keep for each.
THRONG_API thResult thWorld_Reserve(thWorld* world, int32_t agentCount);

/// Adds a method of the host's own under its name. The struct is copied, what it points to must
/// live as long as the world. Refused when the name is taken or the struct is incomplete.
THRONG_API thResult thWorld_AddMethod(thWorld* world, thMethodKind kind, const thMethod* method);

/// A method that comes with the library, the default of its kind first; NULL after the last.
THRONG_API const thMethod* thGetBuiltInMethod(thMethodKind kind, int32_t index);

/// The method of that name: a built-in one, which lives as long as the program, or one that was
/// added to the world. NULL when there is none.
THRONG_API const thMethod* thWorld_FindMethod(const thWorld* world, thMethodKind kind,
                                              const char* name);

/// A method chosen by name, with parameters.
typedef struct thMethodUse {
    /// Name of a built-in method or of one added before. [NULL: the default of its kind]
    const char* name;
    /// The method's parameter struct, copied. [NULL: the method's defaults]
    const void* params;
} thMethodUse;

/// What happens when an agent reaches its goal, or the last of a list of goals.
typedef enum thArrival {
    /// It stays there.
    th_arrivalStop = 0,
    /// It is removed at the end of the step.
    th_arrivalLeave = 1,
    /// It starts again with the first goal of the list; with a single goal it stays there.
    th_arrivalAgain = 2,
} thArrival;

/// The side to which agents turn when others come against them, in worlds with contacts.
typedef enum thKeep {
    /// As where one drives on the right.
    th_keepRight = 0,
    /// As where one drives on the left.
    th_keepLeft = 1,
    /// Neither.
    th_keepNone = 2,
} thKeep;

/// How people slow down behind each other: speed falls with density as it does among people. Acts
/// on what avoidance has chosen, in worlds with contacts. All zeros: not at all. See
/// `docs/people.md`.
typedef struct thPace {
    /// Time that an agent keeps to whoever is ahead and wants the same way: it goes no faster than
    /// the gap between their bodies, less 5 cm, divided by this. [s, 0 .. 10; 0: it keeps no pace]
    float timeGap;
    /// Standard deviation of agents' own times about that; nobody's is below a quarter of it. [s, 0
    /// .. 10]
    float spread;
    /// The share by which it follows somebody who is faster than the gap would let it be. [0 .. 1]
    float follow;
    /// Who is ahead: those whose centre is nearer than this share of both radii to the line along
    /// which the agent moves. [0 .. 1]
    float width;
} thPace;

/// The pace of people: 0.9 ± 0.2 s, follow 0.86, width 0.9.
THRONG_API thPace thPeoplePace(void);

/// How agents keep together who are in a group (`thAgentDef.group`): they wait for each other, walk
/// abreast, in a V or in a file as there is room, and pass other such groups as a whole. All zeros:
/// not at all. See `docs/groups.md`.
typedef struct thTogetherDef {
    /// How far behind each other along their way members still belong together; who is further
    /// behind is not waited for. [m, 0 .. 200; 0: they do not keep together]
    float reach;
    /// Free space between two who walk beside each other. [m, 0 .. 10]
    float gap;
    /// How many walk beside each other at most. [0 .. 100; 0 and 1: they walk in a file]
    int32_t abreast;
} thTogetherDef;

/// As people keep together: reach 20 m, gap 0.3 m, 3 abreast.
THRONG_API thTogetherDef thPeopleTogether(void);

/// What agents of one kind have in common.
typedef struct thProfileDef {
    /// Size of this struct. [bytes, set by thDefaultProfileDef]
    uint32_t size;
    /// For reports. [at most 31 bytes, default NULL: none]
    const char* name;
    /// Goal → guidance. [default "direct"]
    thMethodUse plan;
    /// Guidance → guidance. [default "none"]
    thMethodUse group;
    /// Guidance → velocity. [default "none"]
    thMethodUse avoid;
    /// How many of the nearest agents are seen, and beyond these up to 16 bodies of more than 1 m
    /// radius. [0 .. 32, default 10]
    int32_t neighborCount;
    /// How far agents are seen, from centre to centre; for bodies of more than 1 m radius, from
    /// surface to surface. [m, 0 .. 200, default 5]
    float neighborRadius;
    /// How many of the nearest walls are seen beyond those in reach of the step's motion, which
    /// are always seen. [0 .. 64, default 8]
    int32_t wallCount;
    /// How far walls and moving obstacles are seen. [m, 0 .. 200, default 5]
    float wallRadius;
    /// Angle of vision, centred on the heading. [rad, 0 .. 2π, default 2π]
    float fieldOfView;
    /// 1: agents behind walls are not seen. [0 or 1, default 0]
    int32_t needsSight;
    /// How near to a goal counts as reached. [m, 0 .. 100, default 0.3]
    float arrivalDistance;
    /// What happens on arrival. [default th_arrivalStop]
    thArrival arrival;
    /// Radius of agents that give none. [m, 0 .. 100, default 0.25]
    float radius;
    /// Preferred speed of agents that give none. [m/s, 0 .. 100, default 1.34]
    float prefSpeed;
    /// Speed limit of agents that give none. Nobody exceeds it, also if others push; movers carry
    /// faster. [m/s, 0 .. 100, default −1: 1.3 times the agent's preferred speed]
    float maxSpeed;
    /// Acceleration limit of agents that give none. [m/s², 0 .. 1e6, default 0: no limit]
    float maxAccel;
    /// Willingness to give way. [0 .. 1000, default 1]
    float yield;
    /// The side to which agents turn when others come against them. [default th_keepRight]
    thKeep keep;
    /// How long an agent that is held up by others who come against it, or who stand where they
    /// want to be, or by a moving obstacle, waits before it gives up its distance and claims its
    /// way: who is in it and wants the other way then steps back. In worlds with contacts. [s, 0 ..
    /// 60, default 1; 0: never]
    float patience;
    /// The share of the wanted velocity below which an agent is held up. [0 .. 1, default 0.3]
    float slowness;
    /// How far it turns aside when it cannot go on at all. [rad, 0 .. π/2, default π/4]
    float turnAside;
    /// Points whose convex hull is the shape of bodies, round the agent's position and turned with
    /// its heading, +x ahead; see `thMakeBodyShape`. Copied. Method `clearpath` keeps shapes clear
    /// of each other; all else takes the body for a disc of its radius, which is best the greatest
    /// one inside. [m, default NULL: none, the body is a disc]
    const thVec2* shape;
    /// Number of these points. [default 0]
    int32_t shapeCount;
    /// How agents slow down behind others. Scenes have thPeoplePace() by default. [default zeros:
    /// not at all]
    thPace pace;
    /// How those keep together who are in a group. [default zeros: not at all]
    thTogetherDef together;
} thProfileDef;

/// A definition with every field at its default.
THRONG_API thProfileDef thDefaultProfileDef(void);

/// Creates a profile. Wrong names (th_resultUnavailable) and values (th_resultBadArgument) are told
/// to `error`; if that is NULL, to the assertion hook. At most 65536 profiles (th_resultFull).
THRONG_API thResult thCreateProfile(thWorld* world, const thProfileDef* def, thProfileId* id,
                                    thError* error);

/// Destroys a profile that no agent uses; refused otherwise.
THRONG_API thResult thDestroyProfile(thWorld* world, thProfileId id);

/// How a goal is created.
typedef struct thGoalDef {
    /// Size of this struct. [bytes, set by thDefaultGoalDef]
    uint32_t size;
    /// Shape. [default th_goalPoint]
    thGoalKind kind;
    /// Corners: 1 for points and discs, 2 for segments, 3 or more for polygons; copied. [m]
    const thVec2* points;
    /// Number of corners. [default 0]
    int32_t pointCount;
    /// Radius of a disc. [m, > 0, at most 30000]
    float radius;
    /// The goals of a list or of alternatives, copied. Lists hold shapes and alternatives,
    /// alternatives hold shapes. They must outlive this goal.
    const thGoalId* goals;
    /// Number of goals. [default 0]
    int32_t goalCount;
} thGoalDef;

/// A definition with every field at its default.
THRONG_API thGoalDef thDefaultGoalDef(void);

/// Creates a goal.
THRONG_API thResult thCreateGoal(thWorld* world, const thGoalDef* def, thGoalId* id);

/// Creates a goal that is one point: the short form.
THRONG_API thResult thCreatePointGoal(thWorld* world, thVec2 point, thGoalId* id);

/// Destroys a goal that no agent and no other goal uses; refused otherwise.
THRONG_API thResult thDestroyGoal(thWorld* world, thGoalId id);

/// Moves a goal that is a shape: its first point, of a disc the centre, comes to `position`, and
/// the others keep their places relative to it. Lists and alternatives move with what they hold.
/// Agents follow: planners lead them by the path they had until they have found the new one, which
/// they look for anew every few steps however often the goal moves. Who has arrived follows too,
/// and still counts as arrived. Which point of a polygon is the first `thGoal_GetPlace` tells: it
/// is cleaned and turned counter-clockwise. Refused where a point would leave the world. [m]
THRONG_API thResult thGoal_SetPlace(thWorld* world, thGoalId id, thVec2 position);

/// Where a goal that is a shape has its first point. [m]
THRONG_API thResult thGoal_GetPlace(const thWorld* world, thGoalId id, thVec2* position);

/// What an obstacle is.
typedef enum thObstacleKind {
    /// A closed polygon, solid inside.
    th_obstacleSolid = 0,
    /// A closed polygon, free inside and solid outside: the walls of a room.
    th_obstacleRoom = 1,
    /// A polyline: thin walls.
    th_obstacleWall = 2,
    /// A disc that moves.
    th_obstacleMovingDisc = 3,
    /// A convex polygon that moves.
    th_obstacleMovingPolygon = 4,
} thObstacleKind;

/// How an obstacle is created.
typedef struct thObstacleDef {
    /// Size of this struct. [bytes, set by thDefaultObstacleDef]
    uint32_t size;
    /// What it is. [default th_obstacleSolid]
    thObstacleKind kind;
    /// Corners, in either orientation, copied. Moving ones relative to `position`. [m]
    const thVec2* points;
    /// Number of corners. [default 0; at least 3 for polygons, 2 for walls]
    int32_t pointCount;
    /// Floor. [0 .. 65535, default 0]
    int32_t level;
    /// Radius of a moving disc. [m, > 0, at most 100]
    float radius;
    /// Where a moving obstacle's own origin is; one with a path begins at its first point. [m]
    thVec2 position;
    /// How it is turned. [rad, −8192 .. 8192, default 0]
    float angle;
    /// Velocity; used when there is no path. [m/s, −1000 .. 1000 in x and y, default 0]
    thVec2 velocity;
    /// Turning, counter-clockwise. [rad/s, −100 .. 100, default 0]
    float spin;
    /// Points its origin moves along, from the first on; copied. [m, default NULL: no path]
    const thVec2* path;
    /// Number of points of the path. [default 0]
    int32_t pathCount;
    /// Speed along the path. [m/s, 0 .. 100, default 1]
    float pathSpeed;
    /// 1: it goes round and round (from the last point to the first). [0 or 1, default 0: it stops]
    int32_t pathLoops;
    /// 1: it slows down or stops rather than squeeze agents. [0 or 1, default 0]
    int32_t yields;
} thObstacleDef;

/// A definition with every field at its default.
THRONG_API thObstacleDef thDefaultObstacleDef(void);

/// Creates an obstacle. Duplicate points, zero edges and collinear runs are cleaned away first;
/// refused when nothing is left, when edges of a polygon cross or touch, or when a moving polygon
/// is not convex.
THRONG_API thResult thCreateObstacle(thWorld* world, const thObstacleDef* def, thObstacleId* id);

/// Destroys an obstacle.
THRONG_API thResult thDestroyObstacle(thWorld* world, thObstacleId id);

/// Sets how a moving obstacle moves from now on; it leaves its path. It stops at the world's
/// border.
THRONG_API thResult thObstacle_SetMotion(thWorld* world, thObstacleId id, thVec2 velocity,
                                         float spin);

/// Puts a moving obstacle elsewhere. One with a path goes on to the point it was heading for.
THRONG_API thResult thObstacle_SetPlace(thWorld* world, thObstacleId id, thVec2 position,
                                        float angle);

/// Where a moving obstacle is.
THRONG_API thResult thObstacle_GetPlace(const thWorld* world, thObstacleId id, thVec2* position,
                                        float* angle);

/// What happens to an agent that would stand in a static wall: its centre on one or in solid, or
/// its disc 2⁻¹³ m deep in one. Agents that the host moves stand where it says.
typedef enum thPlacement {
    /// It is refused.
    th_placementRefuse = 0,
    /// It is put at the nearest free place that a search round it finds, on its own side of walls,
    /// and refused if there is none within 100 m. Other agents are not looked at.
    th_placementNearest = 1,
} thPlacement;

/// How an agent is created.
typedef struct thAgentDef {
    /// Size of this struct. [bytes, set by thDefaultAgentDef]
    uint32_t size;
    /// Its profile; must be given.
    thProfileId profile;
    /// Where it stands. [m]
    thVec2 position;
    /// How it moves. [m/s, −1000 .. 1000 in x and y, default 0]
    thVec2 velocity;
    /// Where it faces. [rad, −8192 .. 8192, default 0]
    float heading;
    /// Its goal. [default null: none]
    thGoalId goal;
    /// Its key, which no other agent of this world ever had; checked among those that live.
    /// [1 .. 2⁴⁰ − 1, default 0: one above that range is given]
    uint64_t key;
    /// Floor. [0 .. 65535, default 0]
    int32_t level;
    /// Layers it is on. [default 1]
    uint32_t layers;
    /// Layers of those it takes notice of. [default all]
    uint32_t mask;
    /// Radius. [m, 0 .. 100, default −1: the profile's]
    float radius;
    /// Preferred speed. [m/s, 0 .. 100, default −1: the profile's]
    float prefSpeed;
    /// Speed limit. [m/s, 0 .. 100, default −1: the profile's]
    float maxSpeed;
    /// Acceleration limit. [m/s², 0 .. 1e6, 0: no limit, default −1: the profile's]
    float maxAccel;
    /// Willingness to give way. [0 .. 1000, default −1: the profile's, or 0 for external agents]
    float yield;
    /// Divides the willingness to give way: 2 gives way half as much. The quotient ends at 1000.
    /// [0.001 .. 1000, default 1]
    float priority;
    /// th_agentExternal or th_agentVelocityOnly, and th_agentWaiting or th_agentHolds. [default 0]
    uint32_t flags;
    /// What happens if it would stand in a wall. [default th_placementRefuse]
    thPlacement placement;
    /// Group it walks in: agents with the same number belong together. [≥ 0, default −1: none]
    int32_t group;
} thAgentDef;

/// A definition with every field at its default.
THRONG_API thAgentDef thDefaultAgentDef(void);

/// Creates an agent. Refused where it would stand in a wall (th_resultBlocked), see `placement`. At
/// most 2²⁸ of them (th_resultFull).
THRONG_API thResult thCreateAgent(thWorld* world, const thAgentDef* def, thAgentId* id);

/// How many agents are created. Fields that differ between agents come from columns; the others,
/// and those whose column is NULL, from `shared`.
typedef struct thAgentColumns {
    /// Size of this struct. [bytes, set by thDefaultAgentColumns]
    uint32_t size;
    /// Number of agents. [default 0]
    int32_t count;
    /// What the columns do not say. Its own size must be set.
    thAgentDef shared;
    /// Positions. [m; NULL: all at `shared.position`]
    const thVec2* positions;
    /// Velocities. [m/s]
    const thVec2* velocities;
    /// Headings. [rad]
    const float* headings;
    /// Goals.
    const thGoalId* goals;
    /// Profiles.
    const thProfileId* profiles;
    /// Keys.
    const uint64_t* keys;
    /// Radii. [m]
    const float* radii;
    /// Preferred speeds. [m/s]
    const float* prefSpeeds;
    /// Speed limits. [m/s]
    const float* maxSpeeds;
    /// Where to tell how many agents were refused for standing in a wall, and the first of them.
    /// [default NULL: nowhere]
    thError* error;
    /// Where to mark them: 1 for each agent that was, 0 for the others. [default NULL: nowhere]
    uint8_t* blocked;
    /// Groups.
    const int32_t* groups;
} thAgentColumns;

/// Columns with nothing in them.
THRONG_API thAgentColumns thDefaultAgentColumns(void);

/// Creates `columns->count` agents, all or none: if one of them would stand in a wall, all are
/// refused (th_resultBlocked). `ids` may be NULL; otherwise it has room for them.
THRONG_API thResult thCreateAgents(thWorld* world, const thAgentColumns* columns, thAgentId* ids);

/// Removes an agent.
THRONG_API thResult thDestroyAgent(thWorld* world, thAgentId id);

/// Removes many agents, all or none; each id once.
THRONG_API thResult thDestroyAgents(thWorld* world, const thAgentId* ids, int32_t count);

/// Whether the id names an agent of this world.
THRONG_API int32_t thAgent_IsValid(const thWorld* world, thAgentId id);

/// The agent with that key, or the null id.
THRONG_API thAgentId thWorld_FindAgent(const thWorld* world, uint64_t key);

/// Gives an agent another goal (or none, with the null id), from the first of a list on. It has
/// then not arrived.
THRONG_API thResult thAgent_SetGoal(thWorld* world, thAgentId id, thGoalId goal);

/// Sets the velocity an agent wants. It stays until it is set again. Refused for agents whose
/// planner is not `given`. [m/s, −1000 .. 1000 in x and y]
THRONG_API thResult thAgent_SetPreferredVelocity(thWorld* world, thAgentId id, thVec2 velocity);

/// The same for many, all or none.
THRONG_API thResult thWorld_SetPreferredVelocities(thWorld* world, const thAgentId* ids,
                                                   const thVec2* velocities, int32_t count);

/// Puts agents elsewhere: external and velocity-only ones every step, others now and then. With
/// NULL velocities those stay as they are; headings always do. All or none; of an agent that is
/// there twice the last place counts. Refused (th_resultBlocked) if one that the world moves would
/// stand in a wall; where the view shows it, it may stay.
THRONG_API thResult thWorld_SetKinematics(thWorld* world, const thAgentId* ids,
                                          const thVec2* positions, const thVec2* velocities,
                                          int32_t count);

/// Puts one agent elsewhere, also on another floor; `placement` says what happens if it would stand
/// in a wall (th_resultBlocked). Where the view shows it, it may stay.
THRONG_API thResult thAgent_SetPlace(thWorld* world, thAgentId id, thVec2 position, int32_t level,
                                     thPlacement placement);

/// Sets where an agent faces. [rad]
THRONG_API thResult thAgent_SetHeading(thWorld* world, thAgentId id, float heading);

/// Moves an agent to another floor, at the same place. Refused where it would stand in a wall
/// (th_resultBlocked), see `thAgent_SetPlace`.
THRONG_API thResult thAgent_SetLevel(thWorld* world, thAgentId id, int32_t level);

/// Sets an agent's radius; planners plan anew for another size. Where the larger body would stand
/// in a wall, `placement` says what happens (th_resultBlocked). [m, 0 .. 100]
THRONG_API thResult thAgent_SetRadius(thWorld* world, thAgentId id, float radius,
                                      thPlacement placement);

/// Gives an agent another profile. What is its own stays: place, radius, speeds, willingness to
/// give way, goal. The methods of the profile begin with it as with a new one; so who gets the
/// planner `given` wants no velocity until one is set.
THRONG_API thResult thAgent_SetProfile(thWorld* world, thAgentId id, thProfileId profile);

/// Makes the host move an agent (1: th_agentExternal, in place of th_agentVelocityOnly), or the
/// world (0). Where the world would take it over in a wall, `placement` says what happens
/// (th_resultBlocked). Its willingness to give way stays; external ones mostly have 0, see
/// `thAgent_SetYield`.
THRONG_API thResult thAgent_SetExternal(thWorld* world, thAgentId id, int32_t external,
                                        thPlacement placement);

/// Sets an agent's layers and the layers it takes notice of.
THRONG_API thResult thAgent_SetLayers(thWorld* world, thAgentId id, uint32_t layers, uint32_t mask);

/// Sets an agent's preferred speed and its limit. [m/s, 0 .. 100; limit −1: 1.3 times that speed]
THRONG_API thResult thAgent_SetSpeeds(thWorld* world, thAgentId id, float prefSpeed,
                                      float maxSpeed);

/// Sets how willing an agent is to give way; its priority is not looked at again. [0 .. 1000]
THRONG_API thResult thAgent_SetYield(thWorld* world, thAgentId id, float yield);

/// Lets an agent walk in a group, or in none. [≥ 0; −1: none]
THRONG_API thResult thAgent_SetGroup(thWorld* world, thAgentId id, int32_t group);

/// Makes an agent wait, or go on.
THRONG_API thResult thAgent_SetWaiting(thWorld* world, thAgentId id, int32_t waiting);

/// Tells an agent to hold its place, or to go on. Who holds stands, whatever its goal; its planner
/// is not asked, others go round it, and whoever pushes does not shift it: only moving obstacles
/// do. Agents that the host moves are not shifted anyway.
THRONG_API thResult thAgent_SetHold(thWorld* world, thAgentId id, int32_t hold);

/// One agent as others see it.
typedef struct thAgentRow {
    /// Position. [m]
    thVec2 position;
    /// Velocity. [m/s]
    thVec2 velocity;
    /// Heading. [rad, −π .. π]
    float heading;
    /// `thAgentFlags`; 0 in an empty slot, whose other fields mean nothing.
    uint32_t flags;
    /// Key.
    uint64_t key;
} thAgentRow;

/// All agents in slot order: `rows[THRONG_SLOT(id)]` stays the agent of that id as long as it
/// lives. Valid until the world is next changed or stepped.
typedef struct thAgentView {
    /// Number of slots; some may be empty.
    int32_t slotCount;
    /// Number of agents.
    int32_t agentCount;
    /// One row per slot.
    const thAgentRow* rows;
} thAgentView;

/// The agents as they are now.
THRONG_API thAgentView thWorld_GetAgentView(const thWorld* world);

/// Which group each agent is in, in slot order. Returns how many slots there are, writes as many as
/// fit. [capacity of `groups`; −1: in none, or the slot is empty]
THRONG_API int32_t thWorld_GetGroups(const thWorld* world, int32_t* groups, int32_t capacity);

/// One agent as it is now, for convenience; all fields are 0 for a stale id.
THRONG_API thAgentRow thAgent_Get(const thWorld* world, thAgentId id);

/// An agent's exact position, in fixed point. [2⁻¹⁶ m]
THRONG_API thResult thAgent_GetUnits(const thWorld* world, thAgentId id, int32_t* x, int32_t* y);

/// What is known about one agent beyond its row in the view.
typedef struct thAgentInfo {
    /// Profile.
    thProfileId profile;
    /// Goal; null if it has none.
    thGoalId goal;
    /// Which of a list of goals it heads for.
    int32_t goalIndex;
    /// Floor.
    int32_t level;
    /// Layers it is on.
    uint32_t layers;
    /// Layers of those it takes notice of.
    uint32_t mask;
    /// Radius. [m]
    float radius;
    /// Preferred speed. [m/s]
    float prefSpeed;
    /// Speed limit. [m/s]
    float maxSpeed;
    /// Limit of acceleration. [m/s²; 0: none]
    float maxAccel;
    /// Willingness to give way.
    float yield;
    /// Length of the path that is left, as its planner said in the last step. [m]
    float remaining;
    /// What its avoidance method said in the last step.
    int32_t status;
    /// The shape it heads for: of a list of goals the current one, of alternatives the nearest;
    /// null if it has none.
    thGoalId shape;
    /// What its planner said in the last step.
    thPlanAnswer answer;
    /// Its shape, to be turned by the heading. [no corners: a disc]
    thBodyShape body;
    /// Group it walks in. [−1: none]
    int32_t group;
} thAgentInfo;

/// What is known about one agent; all fields are 0 for a stale id.
THRONG_API thAgentInfo thAgent_GetInfo(const thWorld* world, thAgentId id);

/// A path as its planner sees it.
typedef struct thPath {
    /// Whether it leads to the goal.
    thPlanAnswer answer;
    /// Number of points, the agent's own place included; more than were written if there was no
    /// room.
    int32_t pointCount;
    /// Length as the planner counts it. [m]
    double length;
    /// Why it does not lead to the goal: a sentence. [NULL: it does]
    const char* why;
} thPath;

/// The path an agent means to go, from where it is to its goal, as its planner found it in the last
/// step. Writes the first `capacity` points. th_resultUnavailable when the planner cannot tell.
/// [m, about the world's origin]
THRONG_API thResult thAgent_GetPath(const thWorld* world, thAgentId id, thVec2* points,
                                    int32_t capacity, thPath* path);

/// Where the world's origin lies in the coordinates of its sources. [m]
THRONG_API void thWorld_GetOrigin(const thWorld* world, double* x, double* y);

/// Advances the world by `dt`. When memory runs out (th_resultNoMemory) or a method's `prepare`
/// fails, the step is not made: agents and moving obstacles are as they were, though commands were
/// carried out and planners may have come further with what they share. Made again, it leads to
/// what it would have led to at first. If only the list of events finds no room the step is made,
/// and what is missing is counted in `thCounters.lostEvents`; a command that finds none to create
/// an agent waits, and is counted in `thCounters.delayedCreations`. [s,
/// THRONG_LEAST_STEP .. 10]
THRONG_API thResult thWorld_Step(thWorld* world, float dt);

/// What happened to an agent.
typedef enum thEventKind {
    /// It reached its goal, or one of a list.
    th_eventArrived = 0,
    /// It was removed after its arrival.
    th_eventLeft = 1,
    /// It and another agent, of a higher key, were pushed apart.
    th_eventContact = 2,
    /// It could not give way to a moving obstacle.
    th_eventSqueezed = 3,
} thEventKind;

/// One thing that happened in the last step.
typedef struct thEvent {
    /// What happened.
    thEventKind kind;
    /// Which goal of a list was reached; 0 otherwise.
    int32_t index;
    /// Key of the agent.
    uint64_t key;
    /// Its id; stale when it left.
    thAgentId agent;
    /// Key of the other one, or slot of the obstacle + 1; 0 if there is none.
    uint64_t other;
} thEvent;

/// What happened in the last step, in the order of keys. Valid until the next step.
THRONG_API const thEvent* thWorld_GetEvents(const thWorld* world, int32_t* count);

/// A change that is carried out at the beginning of the next step.
typedef enum thCommandKind {
    /// Create an agent from `create`.
    th_commandCreateAgent = 0,
    /// Remove the agent.
    th_commandDestroyAgent = 1,
    /// Give it `goal`.
    th_commandSetGoal = 2,
    /// Give it the preferred velocity `velocity`.
    th_commandSetPreferredVelocity = 3,
    /// Make it wait (`value` not 0) or go on.
    th_commandSetWaiting = 4,
    /// Give the obstacle `velocity` and turning `value`.
    th_commandSetObstacleMotion = 5,
    /// Move `goal` to `position`, as by `thGoal_SetPlace`.
    th_commandSetGoalPlace = 6,
} thCommandKind;

/// A queued change.
typedef struct thCommand {
    /// Size of this struct. [bytes, set by thDefaultCommand]
    uint32_t size;
    /// What to do.
    thCommandKind kind;
    /// Commands are carried out in the order of these numbers; equal ones in the order of kind, key
    /// and content. So the order in which threads queue them does not count.
    uint64_t order;
    /// Whom it concerns.
    thAgentId agent;
    /// The obstacle it concerns.
    thObstacleId obstacle;
    /// New goal, or the goal to move.
    thGoalId goal;
    /// New velocity. [m/s]
    thVec2 velocity;
    /// New value.
    float value;
    /// The agent to create; must have a key.
    thAgentDef create;
    /// New place of a goal. [m]
    thVec2 position;
} thCommand;

/// A command with every field at its default.
THRONG_API thCommand thDefaultCommand(void);

/// Queues a change. Any thread may call this at any time, also during a step. A command that turns
/// out to be impossible is counted and skipped.
THRONG_API thResult thWorld_Queue(thWorld* world, const thCommand* command);

/// Stages of a step that are timed.
typedef enum thStage {
    /// Carrying out commands, bringing walls up to date.
    th_stageCommands = 0,
    /// Sorting agents into cells.
    th_stageSort = 1,
    /// What methods do once a step.
    th_stagePrepare = 2,
    /// Finding neighbours and walls.
    th_stageSense = 3,
    /// Planning.
    th_stagePlan = 4,
    /// Groups.
    th_stageGroup = 5,
    /// What agents do where they would block each other: keeping a side, jams, relief of pressure.
    th_stageUnjam = 6,
    /// Avoidance.
    th_stageAvoid = 7,
    /// The pace of people: slowing down behind others.
    th_stagePace = 8,
    /// Motion of agents and moving obstacles, arrivals.
    th_stageMove = 9,
    /// Events and views; those who leave are removed.
    th_stageReport = 10,
    /// How many stages there are.
    th_stageCount = 11,
} thStage;

/// A stage's name: "sort".
THRONG_API const char* thStage_GetName(thStage stage);

/// What a world has counted.
typedef struct thCounters {
    /// Steps made.
    uint64_t steps;
    /// Agents that live now.
    int32_t agents;
    /// Slots of agents.
    int32_t agentSlots;
    /// Profiles.
    int32_t profiles;
    /// Goals.
    int32_t goals;
    /// Static and moving obstacles.
    int32_t obstacles;
    /// Wall segments.
    int32_t walls;
    /// Moving obstacles.
    int32_t movers;
    /// Arrivals so far.
    uint64_t arrivals;
    /// Agents that left so far.
    uint64_t departures;
    /// Parts that the last step was divided into, because velocities were not good for the whole
    /// of it: see `thBatch.interval`. [1: it was not divided]
    int32_t substeps;
    /// Parts in which agents were moved in the last step at most, because a moving obstacle that
    /// may meet somebody went further than half a metre. In each they move straight. [1 .. 128]
    int32_t moverParts;
    /// Pairs that were pushed apart in the last step, in each part of it anew.
    uint64_t contacts;
    /// Rounds of pushing in the last step.
    int32_t contactRounds;
    /// Agents that were held back in the last step because pushing had not separated them.
    int32_t contactCuts;
    /// Agents that shuffled past others in the last step, without keeping their distance: see
    /// `thProfileDef.patience`.
    uint64_t shuffling;
    /// Agents that stepped back for others in the last step.
    uint64_t steppingBack;
    /// Agents that began to move away from where they want to go in the last step.
    uint64_t turningBack;
    /// Events that could not be told so far, for want of memory; what they tell of happened.
    uint64_t lostEvents;
    /// Commands that could not be carried out so far.
    uint64_t refusedCommands;
    /// Commands to create an agent that found no memory in the last step; each is tried again in
    /// the next.
    uint64_t delayedCreations;
    /// Bytes held now.
    uint64_t bytes;
    /// Of these, by the agents: their columns, what methods and jams keep for each, their ids.
    uint64_t agentBytes;
    /// By goals.
    uint64_t goalBytes;
    /// By what finds neighbours.
    uint64_t neighborBytes;
    /// By what planners share among agents.
    uint64_t planBytes;
    /// Bytes held at most.
    uint64_t peakBytes;
    /// Allocations so far; a warm step makes none.
    uint64_t allocations;
    /// Time spent in each stage of the last step; stages inside tiles are summed over workers. [ns]
    int64_t stageTime[th_stageCount];
    /// Duration of the last step. [ns]
    int64_t stepTime;
} thCounters;

/// The scheduler of the world's workers, for what a host does between steps, on the thread that
/// steps. It lives as long as the world.
THRONG_API const thTasks* thWorld_GetTasks(const thWorld* world);

/// What the world has counted.
THRONG_API thCounters thWorld_GetCounters(const thWorld* world);

/// A number that is equal for equal states: agents, moving obstacles and step. Costs a pass over
/// all agents.
THRONG_API uint64_t thWorld_GetStateHash(const thWorld* world);

/// Hears a number that is equal for equal results of a stage: "sort", "sense", "plan", "avoid" and
/// "move", in this order, for each step. Where two runs differ, the first stage that does tells
/// where to look.
typedef void thStageHashFcn(void* context, uint64_t step, const char* stage, uint64_t hash);

/// Sets who hears of stages from now on; NULL for nobody, as at first. Costs some passes over all
/// agents, and memory, in each step.
THRONG_API thResult thWorld_WatchStages(thWorld* world, thStageHashFcn* watch, void* context);

/// Writes everything that decides the future to a buffer. With a NULL buffer only `*size` is set.
/// th_resultFull when `capacity` is too small; the buffer then holds nothing useful.
THRONG_API thResult thWorld_Save(const thWorld* world, void* buffer, size_t capacity, size_t* size);

/// Replaces the world's content by a saved one; methods of the host's own must have been added
/// before. The world goes on as the saved one would have, to the bit. A damaged or foreign snapshot
/// is refused with a reason and changes nothing. Ids are those of the saved world.
THRONG_API thResult thWorld_Restore(thWorld* world, const void* data, size_t size, thError* error);

#endif
