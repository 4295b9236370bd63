// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// One agent and what it sees, for tests of `clearpath`. Who asks does so through the call for one
// agent; what it answers is compared with what registers of all widths answer, sixteen agents at
// a time as they were asked.

#ifndef THRONG_TESTS_AVOID_CLEARPATH_SCENE_H
#define THRONG_TESTS_AVOID_CLEARPATH_SCENE_H

#include "avoid/clearpath/clearpath.h"
#include "avoid/rvo/rvo_batch.h"

// The step of all scenes. [s]
#define SCENE_DT 0.1f

typedef struct Scene {
    thAvoidSelf self;
    thAvoidNeighbor neighbors[RVO_NEIGHBORS];
    thAvoidWall walls[RVO_WALLS];
    int32_t neighborCount, wallCount;
} Scene;

typedef struct SceneAnswer {
    thVec2 v;
    thClearpathStatus status;
} SceneAnswer;

Scene drawScene(thGenerator* g, RvoKind kind, int32_t size);

// Any parameters that go together.
thClearpathDef drawDef(thGenerator* g);

// By the call for one agent alone.
SceneAnswer askAlone(const thClearpathDef* def, const Scene* scene);

// The same, and later at every width. Fails where bits differ.
SceneAnswer ask(const thClearpathDef* def, const Scene* scene);

// How long the velocity is good for, as mode 1 tells worlds.
float askInterval(const thClearpathDef* def, const Scene* scene);

// Compares what has been asked and not been compared yet; a teardown of tests. Returns 0.
int compareAsked(void** state);

// How many answers were compared at other widths so far.
int64_t comparedAnswers(void);

// How far a velocity is from the wanted one.
double distanceOf(const Scene* scene, thVec2 v);

#endif
