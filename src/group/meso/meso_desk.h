// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Where quick choices are made: what is known of those whom one agent after the other sees.
// meso_sight.c finds out who is seen, meso_quick.c what groups these are and what follows.

#ifndef THRONG_SRC_GROUP_MESO_MESO_DESK_H
#define THRONG_SRC_GROUP_MESO_MESO_DESK_H

#include "group/meso/meso.h"

#define TH_MESO_SLOTS (2 * TH_MESO_AGENTS)

// A clump of which somebody is seen.
typedef struct thMesoSeen {
    int32_t clump, count;
    int32_t last; // of those who are seen: the last, of a list through thMesoDesk.before
    bool isWhole; // all but the agent are seen
    bool isInWay; // what is wanted may lead into some of it
} thMesoSeen;

// Who is perceived as one group.
typedef struct thMesoParty {
    uint64_t key; // the least
    thVec2 velocity;
    thMesoBodies bodies; // in the order of keys
    const int32_t* rows;
    float distance;
    int32_t nearest;
    bool isLooked, isObstacle; // whether it was looked at, and what came of it
    thVec2 middle;
    thRegion region;
} thMesoParty;

// A clump in a table, by its number.
typedef struct thMesoClumpSlot {
    int32_t clump;
    uint16_t round; // of another agent: nobody's
    uint16_t seen;
} thMesoClumpSlot;

struct thMesoDesk {
    thArena* scratch;
    thMesoRoom* room; // of choices that are made the plain way; NULL: none was
    bool isSurveyed, isAllSeen;
    int32_t sightCapacity;
    thMesoSight sight;
    thMesoDiscs around; // of the whole batch
    thMesoDiscs discs;  // of the agent in question
    int32_t capacity;   // of `found`
    int32_t foundCount;
    int32_t* found; // rows of those around
    uint16_t round; // a batch has fewer agents
    int32_t seenCount, groupCount;
    // Members of a clump who are seen, and of these who are in no group yet: bits by place.
    int32_t wordCapacity;
    uint64_t *here, *open;
    int32_t partCount;              // of those below
    int32_t before[TH_MESO_AGENTS]; // of the same clump; −1: none
    int32_t queue[TH_MESO_AGENTS];  // places of a group
    thMesoSeen seen[TH_MESO_AGENTS];
    thMesoClumpSlot slots[TH_MESO_SLOTS];
    // Members of groups that are parts of clumps.
    int32_t rows[TH_MESO_AGENTS];
    int32_t px[TH_MESO_AGENTS + TH_MAX_WIDTH], py[TH_MESO_AGENTS + TH_MAX_WIDTH];
    float radius[TH_MESO_AGENTS + TH_MAX_WIDTH];
    thMesoParty groups[TH_MESO_AGENTS];
    int32_t order[TH_MESO_AGENTS];
    thMesoGroup shown[TH_MESO_GROUPS];
};

// Who asks for what.
typedef struct thMesoAsker {
    const thMesoGraph* graph;
    const thFrame* frame;
    const thMesoDef* def;
    int32_t row;
    float radius;
    thVec2 wanted; // within the speed limit
    bool isSame;   // its thresholds are those of the graph
} thMesoAsker;

// Looks at all clumps that somebody of the batch may see, and finds those that may be in the way:
// `sight` of the desk. What is not known of an agent's sight is on the safe side: who is in a clump
// at its border, who is hidden, and whether there are too many. False when memory is out.
bool thiMesoLookAtClumps(const thMesoAsker* asker, const thBatch* batch, thMesoDesk* desk);

// After that: whether only the agent's own clump may be in the way, and all of it that is seen
// belongs to it, as far as that can be told without a search.
bool thiMesoIsAmongOwn(const thMesoAsker* asker, thMesoDesk* desk);

// Finds the clumps of which somebody is seen, and which of them may be in the way. False when
// memory is out.
bool thiMesoSee(const thMesoAsker* asker, thMesoDesk* desk);

// Whether a clump holds no obstacle: it is too small, or all of it belongs to the agent.
bool thiMesoIsNothing(const thMesoAsker* asker, const thMesoSeen* seen);

#endif
