// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Groups that keep together: those of one group wait for each other, walk abreast, in a V or in a
// file as there is room, and pass other such groups as a whole. Before the group method, once a
// step, members who are near each other along their way are made a party: how far each is ahead,
// where it would have its place, and how the party as a whole keeps clear of others. Then each
// member's guidance is bent towards that, batch by batch.

#ifndef THRONG_SRC_SIM_TOGETHER_H
#define THRONG_SRC_SIM_TOGETHER_H

#include "base/memory.h"
#include "throng/explain.h"
#include "throng/world.h"

// The most other parties that one keeps clear of: the nearest.
#define TH_PARTY_PLANES 4

// What an agent of a group wanted in the last step. It is somebody else's if the key is not its
// own.
typedef struct thTogetherKept {
    uint64_t key;
    thVec2 wanted; // as the planner said [m/s]
    float left;    // of its path [m]
    int32_t unused;
} thTogetherKept;

// Somebody who walks in a group, in the order of groups, then of keys.
typedef struct thTogetherMember {
    uint64_t key;
    int32_t group, slot, row;
    int32_t party;  // index; −1: nobody of its group is near it
    float ahead;    // along the way, of wherever it is counted from [m]
    float onward;   // how far on its place is along the way [m]
    float sideways; // how far its place is to the left [m]
} thTogetherMember;

typedef enum thFormation { th_formationAbreast, th_formationV, th_formationFile } thFormation;

// Velocities v of a party with along · v <= limit keep it clear of another one.
typedef struct thPartyPlane {
    thVec2 along;
    float limit;
    uint64_t whose; // the least key of the other party
} thPartyPlane;

// Members of a group who are near each other along their way.
typedef struct thParty {
    uint64_t key; // the least
    int32_t count;
    int32_t level;
    int32_t x, y; // the mean of places [units]
    thVec2 ahead; // a direction; (0, 0): there is none
    thVec2 velocity;
    float radius;      // of its largest body [m]
    float reach;       // of its bodies from the mean place [m]
    float pace;        // what its slowest likes to walk [m/s]
    float left, right; // free ground to both sides of the mean place [m]
    float shift;       // how far the whole goes to the left for it [m]
    float freedom;     // 1: there are few others around; 0: there is a crowd
    int32_t abreast;   // how many walk beside each other
    thFormation formation;
    int32_t planeCount;
    thPartyPlane planes[TH_PARTY_PLANES];
    int32_t first; // of its members in `order`
} thParty;

typedef struct thTogether {
    thMemory* memory;
    bool isUsed;         // somebody's profile keeps together; else the rest counts for nothing
    thArray kept[2];     // thTogetherKept by slot: of the last step, and of this one
    int32_t current;     // which is of the last step
    thArray members;     // thTogetherMember
    thArray parties;     // thParty: as many as there are members, of which few are used
    thArray order;       // int32_t: members of each group, those ahead first
    thArray memberOfRow; // int32_t; −1: none
    thArray placeOfSlot; // int32_t: where the agent stood among members when last they were sorted
    thArray starts;      // int32_t: the first member of each group, and their number
} thTogether;

void thiInitTogether(thTogether* together, thMemory* memory);
void thiFreeTogether(thTogether* together);

// The parties of a step.
thResult thiPrepareTogether(thWorld* world, const thFrame* frame);

// Bends the guidance of a batch, as the planner has written it.
void thiWalkTogether(thWorld* world, const thBatch* batch);

// What was wanted in this step is what was wanted in the last one.
void thiTurnTogether(thTogether* together);

// Shows the party of a lane's agent, and what it does about it. [`batch`: as it was bent]
void thiExplainTogether(const thWorld* world, const thBatch* batch, int32_t lane,
                        thExplanation* to);

// What is kept for an agent; zeros if nothing is.
thTogetherKept thiKeptTogether(const thTogether* together, int32_t slot, uint64_t key);
// Puts it back, before the first step.
thResult thiKeepTogether(thTogether* together, int32_t slot, const thTogetherKept* kept);

#endif
