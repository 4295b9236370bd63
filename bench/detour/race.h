// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Steps a scene in both engines by turns, and measures them.

#ifndef THRONG_BENCH_RACE_H
#define THRONG_BENCH_RACE_H

#include "app.h"
#include "their_agents.h"

#include <throng/scene.h>

enum { raceStepsMost = 10000 };

typedef enum Engine { engineThrong, engineDetour, engineCount } Engine;

// What was measured of one engine.
typedef struct Lane {
    int32_t agents;   // at the last step
    double agentTime; // median over the steps [ns per agent and step]
    double stepTime;  // likewise [ms]
    double overlaps;  // pairs, mean over the steps
    double speed;     // mean over agents and steps [m/s]
} Lane;

typedef struct Race {
    thRun* run;
    OurAgents ours;
    TheirAgents theirs;
    float step;      // s
    float maxRadius; // not 0 [m]
    int32_t stepsMeasured;
    Lane lanes[engineCount];
} Race;

// Puts the agents of a run into DetourCrowd too. Says so if it fails; to be freed anyway, which
// leaves the run alone.
ExitCode createRace(Race* race, thRun* run, float step);
void freeRace(Race* race);

// Makes and measures so many steps, or fewer if all have left one engine. Says so if it fails.
ExitCode runRace(Race* race, int32_t warmUp, int32_t steps);

#endif
