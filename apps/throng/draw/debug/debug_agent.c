// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "draw/debug/debug_agent.h"

#include "draw/debug/agent_wish.h"
#include "draw/debug/debug_picture.h"

#include <stdio.h>

static ExitCode drawAgent(const Reel* reel, const DrawDef* def, thAgentId agent)
{
    const thRun* run = reel->source.run;
    const thSceneInfo info = thScene_GetInfo(reel->source.scene);
    const thWorld* world = thRun_GetWorld(run);
    thExplanation* explanation;
    const thResult result = thWorld_Explain(world, agent, (float)info.step, &explanation);
    if (result != th_resultOk) {
        appSay("cannot explain the agent: %s", thResult_GetText(result));
        return appExitOf(result);
    }
    const thExplanationView view = thExplanation_GetView(explanation);
    const thPlace place = {info.originX + (double)view.position.x,
                           info.originY + (double)view.position.y};
    const DebugPicture picture = {def->output, def->width, reel->title, thRun_GetTime(run), place};
    FloorText floor;
    const bool isDrawn = appDrawDebugged(world, explanation, &picture);
    if (isDrawn && !def->quiet)
        printf("%s: agent %llu of %s at t = %.1f s, at %.2f, %.2f m%s\n", def->output,
               (unsigned long long)view.key, reel->title, picture.time, place.x, place.y,
               appOtherFloor(def, view.level, &floor));
    thDestroyExplanation(explanation);
    return isDrawn ? exitDone : exitEnvironment;
}

ExitCode appDebugAgent(Reel* reel, const DrawDef* def, const char* text)
{
    const AgentWish wish = {.option = "debug", .text = text, .what = "think"};
    thAgentId agent;
    const ExitCode code = appFindWish(reel, def, &wish, &agent);
    return code == exitDone ? drawAgent(reel, def, agent) : code;
}
