// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What tests of runs share: scenes from text, with what they need to run.

#ifndef THRONG_TESTS_SCENE_RUN_GEAR_H
#define THRONG_TESTS_SCENE_RUN_GEAR_H

#include "scene/scene_gear.h"
#include "throng/query.h"

#define assert_ok(call) assert_int_equal(call, th_resultOk)

typedef struct Stage {
    thScene* scene;
    thRun* run;
    thWorld* world;
    Errors errors; // of creating the run
    thResult code;
} Stage;

// Loads a scene from what stands between the braces after `"throng": 1`, and creates its run. With
// a NULL def, the default one.
Stage openStage(const char* content, const thRunDef* def);

// The same; the test fails if the run cannot be created.
Stage mustOpen(const char* content, const thRunDef* def);

void closeStage(Stage* stage);

// The scene is refused: exactly these errors are told, `path: text` each.
void assertRefused(const char* content, const char* const* expected, int32_t count);

void stepTimes(const Stage* stage, int32_t steps);

// Agents in the order of keys.
thAgentId agentOfKey(const Stage* stage, uint64_t key);
thAgentRow rowOfKey(const Stage* stage, uint64_t key);
int32_t countAgents(const Stage* stage);

// Writes a file beside the scenes; the test removes it.
void writeText(const char* path, const char* text);

#endif
