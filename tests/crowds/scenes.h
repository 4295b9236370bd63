// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Scenes in code, for tests: each fills an empty world. The world's seed is theirs too.

#ifndef THRONG_TESTS_SCENES_SCENES_H
#define THRONG_TESTS_SCENES_SCENES_H

#include "throng/world.h"

#include <stdbool.h>

typedef struct Scene {
    const char* name;
    // Profiles take their avoidance from `avoid`.
    void (*build)(thWorld* world, const struct Scene* self, const char* avoid, uint64_t seed);
    int32_t count;   // agents, or agents of one side
    float size;      // metres, or radians; its meaning is the scene's
    float radius;    // of an agent [m]
    float timeLimit; // everybody is to have arrived by then [s]; 0: only reported
    bool mayJam;     // arrivals are reported, not demanded
} Scene;

// Ends with a nameless one.
extern const Scene scenes[];

const Scene* findScene(const char* name);

#endif
