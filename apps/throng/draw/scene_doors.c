// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The walls of a scene without its doors: it is built once more without them.

#include "doors.h"

#include <string.h>
#include <throng/scene.h>

static void expectWallsOf(Doors* doors, const thRun* run)
{
    const thRecorderDef def = thDefaultRecorderDef();
    thRecorder* recorder = NULL;
    thRecording frame;
    if (thCreateRecorder(&def, run, &recorder) == th_resultOk &&
        thRecorder_Take(recorder, 0, &frame) == th_resultOk)
        (void)appExpectShapes(doors, frame.shapes, frame.shapeCount);
    thDestroyRecorder(recorder);
}

// What fails here is no reason not to draw: doors are then noticed when they move.
void appBeginDoors(Doors* doors, const char* sceneText)
{
    static const char* const change = "doors=[]";
    *doors = (Doors){0};
    if (sceneText == NULL || strstr(sceneText, "\"doors\"") == NULL)
        return;
    thSceneDef def = thDefaultSceneDef();
    def.text = sceneText;
    def.textSize = strlen(sceneText);
    def.changes = &change;
    def.changeCount = 1;
    thScene* scene;
    if (thLoadScene(&def, &scene) != th_resultOk)
        return;
    thRunDef runDef = thDefaultRunDef();
    runDef.withoutAgents = 1;
    thRun* run = NULL;
    if (thCreateRun(scene, &runDef, &run) == th_resultOk)
        expectWallsOf(doors, run);
    thDestroyRun(run);
    thDestroyScene(scene);
}
