// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The doors of a scene: what stands when all of them are shut, and not without them. So it is built
// twice more, without people.

#include "draw/doors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/scene.h>

static bool noteWalls(Doors* doors, const thRun* run)
{
    const thRecorderDef def = thDefaultRecorderDef();
    thRecorder* recorder = NULL;
    thRecording frame;
    const bool good = thCreateRecorder(&def, run, &recorder) == th_resultOk &&
                      thRecorder_Take(recorder, 0, &frame) == th_resultOk &&
                      appNoteDoors(doors, frame.shapes, frame.shapeCount);
    thDestroyRecorder(recorder);
    return good;
}

static bool buildScene(Doors* doors, const char* text, const char* const* changes, int32_t count)
{
    thSceneDef def = thDefaultSceneDef();
    def.text = text;
    def.textSize = strlen(text);
    def.changes = changes;
    def.changeCount = count;
    thScene* scene = NULL;
    thRun* run = NULL;
    thRunDef runDef = thDefaultRunDef();
    runDef.withoutAgents = 1;
    const bool good = thLoadScene(&def, &scene) == th_resultOk &&
                      thCreateRun(scene, &runDef, &run) == th_resultOk && noteWalls(doors, run);
    thDestroyRun(run);
    thDestroyScene(scene);
    return good;
}

// The objects in the array of that name; texts of scenes have doors before whatever else may be
// called so.
static int32_t countDoors(const char* text)
{
    static const char key[] = "\"doors\": [";
    const char* at = strstr(text, key);
    int32_t count = 0, depth = 1;
    if (at == NULL)
        return 0;
    for (at += sizeof key - 1; *at != '\0' && depth > 0; ++at) {
        count += *at == '{' && depth == 1;
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
    }
    return count;
}

enum { changeSize = 32 };

static bool buildShut(Doors* doors, const char* text, int32_t count)
{
    char(*texts)[changeSize] = malloc((size_t)count * sizeof *texts);
    const char** changes = malloc((size_t)count * sizeof(const char*));
    bool good = texts != NULL && changes != NULL;
    for (int32_t i = 0; good && i < count; ++i) {
        snprintf(texts[i], changeSize, "doors[%d].open=[]", (int)i);
        changes[i] = texts[i];
    }
    good = good && buildScene(doors, text, changes, count);
    free(texts);
    free(changes);
    return good;
}

// What fails here is no reason not to draw: doors are then found when they move.
void appBeginDoors(Doors* doors, const char* sceneText)
{
    static const char* const without = "doors=[]";
    const int32_t count = sceneText != NULL ? countDoors(sceneText) : 0;
    *doors = (Doors){0};
    if (count > 0 && buildShut(doors, sceneText, count) &&
        buildScene(doors, sceneText, &without, 1))
        doors->isDoubted = true;
    else
        appFreeDoors(doors);
}
