// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Runs of scenes in which some walk alone among groups: how far they walk, when they arrive, how
// long they are taken along, and who stands in whom.

#ifndef THRONG_TESTS_GROUP_MESO_RUNS_H
#define THRONG_TESTS_GROUP_MESO_RUNS_H

#include "throng/throng.h"

#include <stdbool.h>

enum { mostChanges = 24, mostAlone = 64, mostSteps = 2000 };

// A scene and how it is changed. Changes are as --set of the program takes them.
typedef struct Staging {
    const char* folder;
    const char* name;
    int32_t changeCount;
    const char* changes[mostChanges];
} Staging;

// Adds a change, which has to live as long as the staging.
void addChange(Staging* staging, const char* change);

// NULL after a message if it cannot be read.
thScene* loadStaging(const Staging* staging);

// Methods instead of those of the scene; NULL: its own.
typedef struct Methods {
    const char *plan, *group, *avoid;
} Methods;

// Those who walk alone: so many agents of the scene, from the first one on.
typedef struct Alone {
    int32_t first, count;
} Alone;

typedef struct Outcome {
    int32_t there;     // who of those alone have arrived
    double path;       // of them, in all [m]
    double last;       // arrival of the last of them [s]
    double back;       // the longest time for which one of them was moved away from its goal [s]
    double backMetres; // how far that was [m]
    double pairs;      // who stand in each other, in a step, of all agents
    double contacts;   // who were pushed apart, in a step, of all agents
} Outcome;

// Runs a scene until it is over, and those who walk alone are there. False after a message if it
// cannot be run.
bool runStaging(const thScene* scene, const Methods* methods, Alone alone, uint64_t seed,
                Outcome* outcome);

// Means of so many seeds, from 1 on; of `there` the least.
typedef struct Means {
    Outcome mean;
    int32_t missing;  // who have not arrived, in all seeds
    int32_t pulled;   // seeds in which one of them was moved away for more than a second
    double paths[64]; // by seed [m]
    double lasts[64]; // by seed [s]
} Means;

bool runSeeds(const thScene* scene, const Methods* methods, Alone alone, int32_t seeds,
              Means* means);

#endif
