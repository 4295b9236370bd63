// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Group method `meso`: whoever meets a group that moves as one walks round it as round one
// obstacle. The parts of the method: who is near whom, the groups that an agent perceives, what
// they forbid, and the choice. After He and van den Berg, "Meso-scale planning for multi-agent
// navigation", ICRA 2013.

#ifndef THRONG_SRC_GROUP_MESO_MESO_H
#define THRONG_SRC_GROUP_MESO_MESO_H

#include "base/memory.h"
#include "group/meso/meso_lanes.h"
#include "throng/method.h"
#include "velocity/tangent_cone.h"

// The most agents that are looked at: the nearest of those who belong to somebody.
#define TH_MESO_AGENTS 256

// The most groups that are walked round: the nearest.
#define TH_MESO_GROUPS 16

// The most walls that are looked at: the nearest.
#define TH_MESO_WALLS 16

typedef struct thMesoDef {
    uint32_t size;
    float radius;      // how far it looks [m]
    float near;        // gap between bodies below which two belong together [m]
    float velocity;    // difference of velocities below which they do [m/s]
    float horizon;     // [s; 0: without end]
    float passable;    // mean gap from which on one walks through, in widths of the agent
    float hysteresis;  // how much better the other side has to be, in preferred speeds
    int32_t smallest;  // members of a group
    int32_t every;     // steps
    float wallHorizon; // [s]
} thMesoDef;

// What an agent remembers.
typedef struct thMesoState {
    uint64_t key;           // a member of the group whose side was chosen
    int32_t side;           // a thMesoSide
    int32_t isTurned;       // whether `turn` counts
    float turnX, turnY;     // what was chosen by what was wanted, as complex numbers
    float wantedX, wantedY; // what was wanted in the last step, for explanations
} thMesoState;

typedef enum thMesoSide {
    th_mesoNone = 0, // none was chosen
    th_mesoRight,
    th_mesoLeft
} thMesoSide;

// All who hang together by the largest thresholds of all profiles: whatever group somebody
// perceives is part of one clump. Its members are at `first` of the graph's, in the order of keys.
typedef struct thMesoClump {
    uint64_t key; // the least
    int32_t first, count;
    int32_t x, y;    // the middle of the box of its places [units]
    float half;      // nobody stands further from there [m]
    float largest;   // radius [m]
    float gap;       // mean of the gaps to the nearest other [m]
    thVec2 velocity; // mean [m/s]
    thVec2 middle;   // of the box of its velocities [m/s]
    float spread;    // no velocity is further from there [m/s]
    bool hasHolders; // somebody of it holds its place
} thMesoClump;

// Who is near whom, by the largest thresholds of all profiles, and the clumps that follow. Fellows
// of a row are `links` from its `firstLink` on; who has none is in no clump.
typedef struct thMesoGraph {
    thMemory memory;
    thMesoKernels kernels;
    float near, velocity;         // those thresholds
    float distance;               // between fellows, at most [m]
    bool isPlain;                 // everybody is there, on one floor, and small enough
    uint32_t commonLayers;        // layers that everybody is on
    thArray firstLink, linkCount; // int32_t by row
    thArray links;                // int32_t
    thArray gap;                  // float by row: to the nearest fellow; `near` at most [m]
    thArray nearest;              // int32_t by row: that fellow
    thArray octants;        // int32_t by row: of directions in which it has fellows, a bit each
    thArray parent;         // int32_t by row, while clumps are found
    thArray clump;          // int32_t by row; −1: none
    thArray place;          // int32_t by row: where it is among the members
    thArray clumps;         // thMesoClump
    thArray members;        // int32_t: rows
    thArray px, py, radius; // of members, as in frames
} thMesoGraph;

// The fellows of a row.
static inline const int32_t* thiMesoLinksOf(const thMesoGraph* graph, int32_t row, int32_t* count)
{
    *count = TH_ITEMS(graph->linkCount, int32_t)[row];
    return TH_ITEMS(graph->links, int32_t) + TH_ITEMS(graph->firstLink, int32_t)[row];
}

thResult thiMesoCreateGraph(const thMethodHost* host, void** common);
void thiMesoDestroyGraph(void* common);
thResult thiMesoPrepareGraph(void* common, const thFrame* frame, const thTasks* tasks,
                             const thMethodUser* users, int32_t userCount);

// Whether thresholds let anybody belong to anybody.
bool thiMesoIsOn(const thMesoDef* def);

// Whether two rows belong together by themselves: bodies are near and velocities alike.
bool thiMesoRelated(const thFrame* frame, const thMesoDef* def, int32_t a, int32_t b);

// Somebody whom an agent sees.
typedef struct thMesoAgent {
    uint64_t key;
    int32_t row;
    int32_t group;    // index
    thVec2 place;     // relative to the agent [m]
    float reach;      // the sum of both radii [m]
    float nearestGap; // to a body of its group [m]
} thMesoAgent;

// What becomes of a group.
typedef enum thMesoFate {
    th_mesoObstacle, // it is walked round
    th_mesoSingle,   // there are too few
    th_mesoOwn,      // one of them belongs to the agent
    th_mesoLoose,    // one can walk through
    th_mesoAround,   // the agent stands among them
    th_mesoGoal,     // they stand where the agent is heading for
    th_mesoFurther   // there are TH_MESO_GROUPS nearer ones
} thMesoFate;

// A group as an agent perceives it. Groups are in the order of their least keys.
typedef struct thMesoGroup {
    thMesoFate fate;
    int32_t count;
    uint64_t key;    // the least
    thVec2 velocity; // mean [m/s]
    float distance;  // of the nearest body [m]
    float gap;       // mean of the gaps to the nearest body of the group [m]
    thVec2 middle;   // mean of places [m]
    bool isOwn;
} thMesoGroup;

// What an agent perceives. `agents` are in the order of keys; who belongs to nobody, whoever sees
// it, is left out.
typedef struct thMesoView {
    int32_t agentCount, groupCount;
    thMesoAgent* agents; // TH_MESO_AGENTS
    thMesoGroup* groups; // TH_MESO_AGENTS
} thMesoView;

// Where one agent after the other is looked at, in the scratch memory of a batch.
typedef struct thMesoRoom {
    thArena* scratch;
    int32_t capacity; // of `found`
    int32_t* found;
    int32_t* queue;           // TH_MESO_AGENTS
    struct thMesoSlot* slots; // rows that are seen, by their hash
    struct thMesoNear* near;  // TH_MESO_AGENTS
    thMesoView view;
} thMesoRoom;

// False when memory is out.
bool thiMesoMakeRoom(thArena* scratch, thMesoRoom* room);

// The groups of those whom an agent sees, with all that is known of them but their fate. False when
// memory is out.
bool thiMesoPerceive(const thMesoGraph* graph, const thFrame* frame, const thMesoDef* def,
                     int32_t row, thMesoRoom* room);

// The cone, from a place relative to the agent, of members of a group inflated by their reach.
// False if there is none: the place is among them.
bool thiMesoFindCone(const thMesoView* view, int32_t group, thVec2 from, thTangentCone* cone);

// What is asked about one agent.
typedef struct thMesoQuery {
    const thMesoDef* def;
    const thFrame* frame; // NULL: nobody is known to stay
    thVec2 wanted;
    thVec2 corner; // where it is heading for [m]; (0, 0): not known
    float radius, prefSpeed, maxSpeed;
    int32_t wallCount;
    thVec2 wallA[TH_MESO_WALLS], wallB[TH_MESO_WALLS];
} thMesoQuery;

// What groups forbid, the nearest first.
typedef struct thMesoObstacles {
    int32_t count;
    int32_t group[TH_MESO_GROUPS];
    thRegion region[TH_MESO_GROUPS];
} thMesoObstacles;

// Says what becomes of each group, and what those forbid that are walked round.
void thiMesoFindObstacles(const thMesoQuery* query, thMesoView* view, thMesoObstacles* obstacles);

typedef struct thMesoChoice {
    thVec2 velocity;
    bool isWanted; // it is what was wanted, bit for bit
    int32_t left;  // so many of the nearest obstacles were looked at in the end
    uint64_t key;  // see thMesoState
    thMesoSide side;
} thMesoChoice;

// The velocity nearest to the wanted one that leads into no group. The side that was chosen before
// is kept if it is not much worse. [key, side: of then]
thMesoChoice thiMesoChoose(const thMesoQuery* query, const thMesoView* view,
                           const thMesoObstacles* obstacles, uint64_t key, thMesoSide side);

// Where choices are made quickly, in the scratch memory of a batch.
typedef struct thMesoDesk thMesoDesk;

// NULL when memory is out.
thMesoDesk* thiMesoMakeDesk(thArena* scratch);

// The same choice, bit for bit, as that of thiMesoPerceive, thiMesoFindObstacles and
// thiMesoChoose. False when memory is out.
bool thiMesoChooseQuickly(const thMesoGraph* graph, const thBatch* batch, const thMesoDef* def,
                          int32_t lane, uint64_t key, thMesoSide side, thMesoDesk* desk,
                          thMesoChoice* choice);

// What a lane is asked.
thMesoQuery thiMesoQueryOf(const thBatch* batch, const thMesoDef* def, int32_t lane, thVec2 wanted);

thExplainFcn thiMesoExplain;

#endif
