// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The parameters of behaviours: defaults, names and ranges.

#include "steer/steer.h"

#include <stddef.h>
#include <string.h>

const thSteerDef thiSteerDefaults = {.size = sizeof(thSteerDef),
                                     .maxForce = 8.0f,
                                     .seek = 2.0f,
                                     .slowing = 0.5f,
                                     .avoidance = 1,
                                     .separation = 5.0f,
                                     .separationRange = 0.5f,
                                     .dodge = 4.0f,
                                     .lookAhead = 2.0f,
                                     .walls = 8.0f,
                                     .wallAhead = 0.5f,
                                     .flockRange = 3.0f,
                                     .wanderTime = 1.0f,
                                     .preyLayer = 1,
                                     .fearLayer = 2,
                                     .fearRange = 5.0f,
                                     .pathRadius = 1.0f};

const thSteerDef thiWeakSteerDefaults = {.size = sizeof(thSteerDef),
                                         .maxForce = 2.0f,
                                         .seek = 2.0f,
                                         .slowing = 0.5f,
                                         .avoidance = 1,
                                         .separationRange = 0.5f,
                                         .dodge = 1.0f,
                                         .lookAhead = 2.0f,
                                         .walls = 2.0f,
                                         .wallAhead = 0.5f,
                                         .flockRange = 3.0f,
                                         .wanderTime = 1.0f,
                                         .preyLayer = 1,
                                         .fearLayer = 2,
                                         .fearRange = 5.0f,
                                         .pathRadius = 1.0f};

thSteerDef thDefaultSteerDef(void)
{
    return thiSteerDefaults;
}

#define PARAM(name, kind, min, max, unit, about)                                                   \
    {                                                                                              \
#name, kind, offsetof(thSteerDef, name), min, max, unit, about                             \
    }

const thParam thiSteerParameters[TH_STEER_PARAMS] = {
    PARAM(maxForce, th_paramFloat, 0, 1000, "m/s²", "Largest acceleration."),
    PARAM(seek, th_paramFloat, 0, 100, "1/s", "Towards the wanted velocity."),
    PARAM(slowing, th_paramFloat, 0, 100, "m", "So near to the goal they begin to slow down."),
    PARAM(roam, th_paramBool, 0, 1, "",
          "Without a goal they go on at their preferred speed instead of standing."),
    PARAM(avoidance, th_paramBool, 0, 1, "",
          "They avoid others and walls by themselves: separation, dodge, walls."),
    PARAM(separation, th_paramFloat, 0, 1000, "m/s²",
          "Away from each neighbour, this much where both touch."),
    PARAM(separationRange, th_paramFloat, 0, 100, "m", "Wider gaps need no separation."),
    PARAM(dodge, th_paramFloat, 0, 1000, "m/s²", "Aside from whom they would collide with first."),
    PARAM(lookAhead, th_paramFloat, 0.01, 100, "s",
          "How far ahead they look for that, and where those are whom they pursue or evade."),
    PARAM(walls, th_paramFloat, 0, 1000, "m/s²",
          "Away from the wall or moving obstacle they would run into first."),
    PARAM(wallAhead, th_paramFloat, 0.01, 100, "s", "How far ahead they look for walls."),
    PARAM(alignment, th_paramFloat, 0, 100, "1/s",
          "Towards the mean velocity of those about them on a layer of their own."),
    PARAM(cohesion, th_paramFloat, 0, 1000, "m/s²",
          "Towards their middle, this much where that is `flockRange` away."),
    PARAM(flockRange, th_paramFloat, 0.01, 200, "m", "How far alignment and cohesion reach."),
    PARAM(wander, th_paramFloat, 0, 1000, "m/s²",
          "To the left and right by chance, at most this much."),
    PARAM(wanderTime, th_paramFloat, 0.01, 1000, "s", "Time from one turn of it to the next."),
    PARAM(pursue, th_paramFloat, 0, 100, "1/s", "To where the nearest of `preyLayer` will be."),
    PARAM(preyLayer, th_paramInt, 0, 31, "", "Layer of those who are pursued."),
    PARAM(flee, th_paramFloat, 0, 100, "1/s", "Away from where the nearest of `fearLayer` is."),
    PARAM(evade, th_paramFloat, 0, 100, "1/s",
          "Away from where the nearest of `fearLayer` will be."),
    PARAM(fearLayer, th_paramInt, 0, 31, "", "Layer of those who are fled from and evaded."),
    PARAM(fearRange, th_paramFloat, 0, 200, "m", "Those who are further away frighten nobody."),
    PARAM(follow, th_paramFloat, 0, 100, "1/s",
          "Along the nodes of the roadmap `path`, from the first to the last."),
    PARAM(pathRadius, th_paramFloat, 0, 100, "m",
          "So near to the path they go beside it, further away back to it."),
    PARAM(path, th_paramPath, 0, 0, "", "Name of the roadmap they follow."),
};

static thResult checkNumber(const thParam* param, double value, thError* error)
{
    if (value >= param->min && value <= param->max)
        return th_resultOk;
    return thiFail(error, th_resultBadArgument, "steer: %s is %g, expected %g to %g", param->name,
                   value, param->min, param->max);
}

thResult thiCheckSteerDef(const void* params, thError* error)
{
    const thSteerDef* def = params;
    if (def->size != sizeof *def)
        return thiFail(error, th_resultBadArgument, "steer: size is %u, expected %u", def->size,
                       (unsigned)sizeof *def);
    for (int32_t i = 0; i < TH_STEER_PARAMS; ++i) {
        const thParam* param = &thiSteerParameters[i];
        const char* place = (const char*)params + param->offset;
        float number;
        int32_t whole;
        memcpy(&number, place, sizeof number);
        memcpy(&whole, place, sizeof whole);
        // Least values are not exact as floats: what is written as such is one.
        if (param->kind == th_paramFloat && number == (float)param->min)
            continue;
        if (param->kind != th_paramPath)
            TH_TRY(
                checkNumber(param, param->kind == th_paramFloat ? (double)number : whole, error));
    }
    if (memchr(def->path, '\0', sizeof def->path) == NULL)
        return thiFail(error, th_resultBadArgument, "steer: path has no final zero");
    if (def->follow > 0.0f && def->path[0] == '\0')
        return thiFail(error, th_resultBadArgument,
                       "steer: follow is %g, expected a path to go along with it",
                       (double)def->follow);
    return th_resultOk;
}
