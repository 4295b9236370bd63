// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Finds the agent that an option such as `--debug` names, at the time to show.

#include "draw/agent_option.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/query.h>

// A key, or a place in the coordinates of the scene's file.
typedef struct AgentName {
    bool isPlace;
    uint64_t key;
    double x, y; // [m]
} AgentName;

static bool readKey(const char* text, uint64_t* key)
{
    if (*text == '\0' || text[strspn(text, "0123456789")] != '\0')
        return false;
    errno = 0;
    *key = strtoull(text, NULL, 10);
    return errno == 0;
}

static bool readPlace(const char* text, double* x, double* y)
{
    char* end;
    *x = strtod(text, &end);
    if (end == text || *end != ',')
        return false;
    const char* second = end + 1;
    *y = strtod(second, &end);
    return end != second && *end == '\0' && isfinite(*x) && isfinite(*y);
}

static bool readAgentName(const char* text, AgentName* name)
{
    *name = (AgentName){.isPlace = false};
    if (readKey(text, &name->key))
        return true;
    name->isPlace = true;
    return readPlace(text, &name->x, &name->y);
}

bool appIsAgentText(const char* option, const char* text)
{
    AgentName name;
    if (readAgentName(text, &name))
        return true;
    appSay("--%s is '%s', expected the key of an agent, or a place as X,Y in metres", option, text);
    return false;
}

static thAgentId findNearest(const thWorld* world, const thSceneInfo* info, const AgentName* name,
                             int32_t level)
{
    const double most = THRONG_MAX_COORDINATE;
    const double x = fmin(fmax(name->x - info->originX, -most), most);
    const double y = fmin(fmax(name->y - info->originY, -most), most);
    thQueryFilter filter = thDefaultQueryFilter();
    filter.level = level;
    thAgentId id = {0};
    const thVec2 place = {(float)x, (float)y};
    if (thWorld_NearestAgents(world, place, INFINITY, filter, &id, 1) == 0)
        appSay("there is nobody on floor %d at that time", (int)level);
    return id;
}

static thAgentId findKey(const thWorld* world, const char* option, uint64_t key)
{
    const thAgentId id = thWorld_FindAgent(world, key);
    if (id.value == 0)
        appSay("there is no agent with the key %llu at that time; agents of the scene have the "
               "keys 1, 2, 3 ... in the order of the file, and '--%s X,Y' takes the one nearest "
               "to a place and tells its key",
               (unsigned long long)key, option);
    return id;
}

// To that time, or to the end, in so many steps at least.
static ExitCode stepTo(const Reel* reel, double at, int64_t least, bool quiet)
{
    thRun* run = reel->source.run;
    ExitCode code = exitDone;
    Progress progress;
    appBeginProgress(&progress, reel->title, quiet, isinf(at) ? -1.0 : 0.0, 0.0);
    for (int64_t i = 0;
         code == exitDone && (i < least || thRun_GetTime(run) < at - 1e-9) && !thRun_IsOver(run);
         ++i) {
        const thResult result = thRun_Step(run);
        if (result != th_resultOk)
            appSay("cannot step after t = %.1f s: %s", thRun_GetTime(run),
                   thResult_GetText(result));
        code = appWasInterrupted() ? exitFailed : appExitOf(result);
        if (appProgressIsDue(&progress))
            appShowProgress(&progress, isinf(at) ? -1.0 : thRun_GetTime(run) / at,
                            thRun_GetTime(run));
    }
    appEndProgress(&progress);
    return code;
}

ExitCode appFindAgent(Reel* reel, const DrawDef* def, const AgentOption* asked, thAgentId* agent)
{
    AgentName name;
    if (!readAgentName(asked->text, &name))
        return exitUsage;
    if (reel->source.run == NULL) {
        appSay("--%s asks what agents of a scene %s, but '%s' is a recording, which does not tell",
               asked->option, asked->what, reel->name);
        return exitUsage;
    }
    const ExitCode code = stepTo(reel, def->at, asked->leastSteps, def->quiet);
    if (code != exitDone)
        return code;
    const double end = thRun_GetTime(reel->source.run);
    if (isfinite(def->at) && (def->at < 0.0 || def->at > end + 1e-9))
        return appSayOutside(reel, def->at, 0.0, end);
    const thSceneInfo info = thScene_GetInfo(reel->source.scene);
    const thWorld* world = thRun_GetWorld(reel->source.run);
    *agent = name.isPlace ? findNearest(world, &info, &name, def->level)
                          : findKey(world, asked->option, name.key);
    return agent->value != 0 ? exitDone : exitUsage;
}

const char* appOtherFloor(const DrawDef* def, int32_t level, FloorText* text)
{
    text->text[0] = '\0';
    if (level != def->level)
        snprintf(text->text, sizeof text->text, " on floor %d", (int)level);
    return text->text;
}
