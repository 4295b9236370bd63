// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A world with contacts that is played twice, with one thread and with three, while a judge looks
// on. What is done to it is done to both.

#ifndef THRONG_TESTS_SCENES_CONTACT_PLAY_H
#define THRONG_TESTS_SCENES_CONTACT_PLAY_H

#include "crowds/crowd_judge.h"
#include "gear/property.h"

#define PLAY_WORLDS 2
#define PLAY_GOALS 8

// Walkers who look where they go and others, who stay where they arrive or leave.
typedef enum PlayProfile {
    play_looking,
    play_blind,
    play_lookingAndLeaving,
    play_blindAndLeaving,
    play_profileCount
} PlayProfile;

typedef struct Play {
    thGenerator* g;
    thWorld* worlds[PLAY_WORLDS];
    Judge* judge;
    thProfileId profiles[play_profileCount];
    thGoalId goals[PLAY_GOALS]; // null until they are set
    thVec2 corner;              // of the square where all of it happens [m]
    float side;                 // of the square [m]
    float minRadius, maxRadius; // of agents to come [m]
    float maxSpeed;             // of agents to come [m/s]
    uint64_t lastKey;
    int32_t step;
} Play;

// Radii of 0.25 m, 2 m/s, a square of 10 m.
void openPlay(Play* play, thGenerator* g);
void closePlay(Play* play);

float logUniform(thGenerator* g, double low, double high);
bool oneIn(Play* play, int32_t n);

// Points, kept within the world.
thVec2 drawPoint(Play* play);
thVec2 around(thVec2 middle, double distance, double angle);

void setGoal(Play* play, int32_t goal, thVec2 point);

// Not added if the world refuses it.
void addObstacle(Play* play, const thObstacleDef* def);
void addOutline(Play* play, thObstacleKind kind, const thVec2* points, int32_t count);

// Any agent within the square, not yet added.
thAgentDef drawAgent(Play* play);
// Not added if it would stand in a wall.
void addAgent(Play* play, const thAgentDef* def);
// One of those who were added, alive or not.
uint64_t pickKey(Play* play);
// Queues it; for agents that a command creates, tells the judge.
void queueCommand(Play* play, const thCommand* command, uint64_t key);

// Before commands are queued, and after. The second makes the step and returns what is wrong, or
// NULL.
void beginStep(Play* play);
const char* endStep(Play* play, float dt);

#endif
