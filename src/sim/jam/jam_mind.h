// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// An agent while jams are thought about: what it sees, and what it makes of it.

#ifndef THRONG_SRC_SIM_JAM_MIND_H
#define THRONG_SRC_SIM_JAM_MIND_H

#include "sim/jam/jams.h"

#include <math.h>

#define TH_JAM_UNIT (1.0f / 127.0f)
#define TH_JAM_NEAR 0.5f    // gap within which others matter at all [m]
#define TH_JAM_MOST_NEAR 48 // others that are looked at
#define TH_JAM_AHEAD 0.3f   // cosine of the directions that count as ahead
#define TH_JAM_ASKS 0.02f   // claim of one who has not waited: only those who stand hear it

// Another agent, as seen from here.
typedef struct thJamOther {
    thVec2 toward; // unit vector
    float gap;     // [m]
    float radii;   // their sum [m]
    int32_t row;
    const thJamShown* shown;
} thJamOther;

// An agent while it is thought about.
typedef struct thJamMind {
    const thJams* jams;
    const thBatch* batch;
    int32_t lane, row;
    int32_t nearCount;
    thJamOther near[TH_JAM_MOST_NEAR]; // those near enough to matter, and not behind walls
    thVec2 goal;                       // unit vector; zero: it does not want to go anywhere
    float progress;                    // 1: it gets what it wants
    float held;                        // 0 free .. 1 held up
    float wait;                        // [s]
    float contact;                     // [s]
    bool arrived, shuffles;
    thVec2 claimTo, stepTo; // where the claim leads, and where it makes room for it
    float claim;            // 0 .. 1
    bool stepsBack, letsPass, backwards;
} thJamMind;

static inline float thiJamDot(thVec2 a, thVec2 b)
{
    return a.x * b.x + a.y * b.y;
}

static inline float thiJamCross(thVec2 a, thVec2 b)
{
    return a.x * b.y - a.y * b.x;
}

static inline thVec2 thiJamVector(int8_t x, int8_t y)
{
    return (thVec2){(float)x * TH_JAM_UNIT, (float)y * TH_JAM_UNIT};
}

static inline float thiJamContact(const thJamShown* shown)
{
    return (float)shown->contact * TH_JAM_CONTACT_UNIT;
}

static inline bool thiHasSameGoal(const thJamMind* mind, const thJamOther* other)
{
    const thFrame* frame = mind->batch->frame;
    return frame->goal[other->row] == frame->goal[mind->row] &&
           frame->goalIndex[other->row] == frame->goalIndex[mind->row];
}

// Whether somebody who stands in direction `toward` is in a way that leads along `to`: it needs
// room as wide as both bodies.
static inline bool thiIsInWay(const thJamOther* other, thVec2 to, thVec2 toward)
{
    return thiJamDot(to, toward) > 0.0f &&
           fabsf(thiJamCross(to, toward)) * (other->gap + other->radii) < other->radii;
}

// Whether it is where it wants to be.
static inline bool thiStands(const thFrame* frame, int32_t row)
{
    return frame->goal[row] < 0 || (frame->flags[row] & (th_agentArrived | th_agentWaiting)) != 0;
}

// Whether no walls are near. Between walls there is no room aside, and streams that stop jam.
static inline bool thiIsInOpen(const thJamMind* mind)
{
    return mind->batch->wallCount[mind->lane] == 0;
}

// Looks for others who are near.
void thiJamLookAround(thJamMind* mind);
// Whether a jam is what holds it up: somebody ahead crosses its way, comes against it or stands
// where he wants to be, or a mover, as far as it sees itself or those ahead have told.
void thiJamLookAhead(thJamMind* mind);

// How long it has waited. `steppedBack`, `claimed`: what it did in the last step.
void thiWaitInJam(thJamMind* mind, bool steppedBack, bool claimed);
// Its own claim, or that of somebody who wants to come through here.
void thiClaimWay(thJamMind* mind, float patience);

#endif
