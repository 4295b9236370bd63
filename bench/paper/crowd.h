// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What the solvers of ClearPath are asked in real crowds. Worlds are run for a while, and the
// problems of one step are kept, in the order in which the world comes to them.

#ifndef THRONG_BENCH_PAPER_CROWD_H
#define THRONG_BENCH_PAPER_CROWD_H

#include "throng/base.h"
#include "velocity/outside_regions.h"

enum { thPaperRegions = 10 }; // an agent sees as many others

typedef struct thPaperAgent {
    thRegion regions[thPaperRegions];
    thOutsideProblem problem;
    bool isFree; // nothing forbids what it wants
} thPaperAgent;

typedef struct thPaperCrowd {
    const char* name;
    int32_t count;
    thPaperAgent* agents;
} thPaperCrowd;

typedef struct thPaperScene {
    const char* name;
    int32_t count, steps;
    thVec2 (*placeOf)(int32_t agent);
    thVec2 (*goalOf)(int32_t agent);
} thPaperScene;

extern const thPaperScene thiPaperRandom; // 1000 people, one to a square metre, random goals
extern const thPaperScene thiPaperCircle; // the circle of 1000, when most are in the middle
extern const thPaperScene
    thiPaperClustered;                    // 200 people: a quarter in a knot, the others far apart
extern const thPaperScene thiPaperGroups; // 960 people in groups of 1 to 15 that want through them

// Runs a scene and keeps the problems of its last step.
thResult thiPaperMeet(const thPaperScene* scene, thPaperCrowd* crowd);

void thiPaperForget(thPaperCrowd* crowd);

#endif
