// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Scenes from text that are run.

#include "scene/run_gear.h"

#include <stdio.h>
#include <stdlib.h>

Stage openStage(const char* content, const thRunDef* given)
{
    Stage stage = {.scene = NULL};
    Errors errors;
    const size_t size = strlen(content) + 64;
    char* text = malloc(size);
    assert_non_null(text);
    snprintf(text, size, "{\"throng\": 1, %s}", content);
    stage.scene = loadText(text, &errors);
    free(text);
    if (stage.scene == NULL) {
        printErrors(&errors);
        fail_msg("the scene does not load");
    }
    thRunDef def = given != NULL ? *given : thDefaultRunDef();
    def.report = keepError;
    def.reportContext = &stage.errors;
    stage.code = thCreateRun(stage.scene, &def, &stage.run);
    assert_true((stage.code == th_resultOk) == (stage.run != NULL));
    assert_true((stage.code == th_resultOk) == (stage.errors.count == 0));
    if (stage.run != NULL)
        stage.world = thRun_GetWorld(stage.run);
    return stage;
}

Stage mustOpen(const char* content, const thRunDef* def)
{
    Stage stage = openStage(content, def);
    printErrors(&stage.errors);
    assert_ok(stage.code);
    return stage;
}

void closeStage(Stage* stage)
{
    thDestroyRun(stage->run);
    thDestroyScene(stage->scene);
}

void assertRefused(const char* content, const char* const* expected, int32_t count)
{
    Stage stage = openStage(content, NULL);
    bool good =
        stage.errors.count == count && count > 0 && stage.code == stage.errors.items[0].code;
    for (int32_t i = 0; i < count && good; ++i) {
        char told[1024];
        snprintf(told, sizeof told, "%s: %s", stage.errors.items[i].path,
                 stage.errors.items[i].text);
        good = strcmp(told, expected[i]) == 0;
    }
    if (!good) {
        printErrors(&stage.errors);
        for (int32_t i = 0; i < count; ++i)
            print_error("expected %s\n", expected[i]);
        fail_msg("%s", content);
    }
    closeStage(&stage);
}

void stepTimes(const Stage* stage, int32_t steps)
{
    for (int32_t i = 0; i < steps; ++i)
        assert_ok(thRun_Step(stage->run));
}

thAgentId agentOfKey(const Stage* stage, uint64_t key)
{
    const thAgentId id = thWorld_FindAgent(stage->world, key);
    assert_true(id.value != 0);
    return id;
}

thAgentRow rowOfKey(const Stage* stage, uint64_t key)
{
    return thAgent_Get(stage->world, agentOfKey(stage, key));
}

int32_t countAgents(const Stage* stage)
{
    return thWorld_GetCounters(stage->world).agents;
}

void writeText(const char* path, const char* text)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}
