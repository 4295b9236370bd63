// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The parameters of steering behaviours. Defaults of `steer-weak` are others where there are two.

#include "method/method_params.h"
#include "steer/steer.h"

#define STEER_ROWS(X, T, EITHER)                                                                   \
    X(T, maxForce, Float, EITHER(8, 2), 0, 1000, "m/s²", "Largest acceleration.")                  \
    X(T, seek, Float, 2, 0, 100, "1/s", "Towards the wanted velocity.")                            \
    X(T, slowing, Float, 0.5, 0, 100, "m", "So near to the goal they begin to slow down.")         \
    X(T, roam, Bool, 0, 0, 1, "",                                                                  \
      "Without a goal they go on at their preferred speed instead of standing.")                   \
    X(T, avoidance, Bool, 1, 0, 1, "",                                                             \
      "They avoid others and walls by themselves: separation, dodge, walls.")                      \
    X(T, separation, Float, EITHER(5, 0), 0, 1000, "m/s²",                                         \
      "Away from each neighbour, this much where both touch.")                                     \
    X(T, separationRange, Float, 0.5, 0, 100, "m", "Wider gaps need no separation.")               \
    X(T, dodge, Float, EITHER(4, 1), 0, 1000, "m/s²",                                              \
      "Aside from whom they would collide with first.")                                            \
    X(T, lookAhead, Float, 2, 0.01, 100, "s",                                                      \
      "How far ahead they look for that, and where those are whom they pursue or evade.")          \
    X(T, walls, Float, EITHER(8, 2), 0, 1000, "m/s²",                                              \
      "Away from the wall or moving obstacle they would run into first.")                          \
    X(T, wallAhead, Float, 0.5, 0.01, 100, "s", "How far ahead they look for walls.")              \
    X(T, alignment, Float, 0, 0, 100, "1/s",                                                       \
      "Towards the mean velocity of those about them on a layer of their own.")                    \
    X(T, cohesion, Float, 0, 0, 1000, "m/s²",                                                      \
      "Towards their middle, this much where that is `flockRange` away.")                          \
    X(T, flockRange, Float, 3, 0.01, 200, "m", "How far alignment and cohesion reach.")            \
    X(T, wander, Float, 0, 0, 1000, "m/s²", "To the left and right by chance, at most this much.") \
    X(T, wanderTime, Float, 1, 0.01, 1000, "s", "Time from one turn of it to the next.")           \
    X(T, pursue, Float, 0, 0, 100, "1/s", "To where the nearest of `preyLayer` will be.")          \
    X(T, preyLayer, Int, 1, 0, 31, "", "Layer of those who are pursued.")                          \
    X(T, flee, Float, 0, 0, 100, "1/s", "Away from where the nearest of `fearLayer` is.")          \
    X(T, evade, Float, 0, 0, 100, "1/s", "Away from where the nearest of `fearLayer` will be.")    \
    X(T, fearLayer, Int, 2, 0, 31, "", "Layer of those who are fled from and evaded.")             \
    X(T, fearRange, Float, 5, 0, 200, "m", "Those who are further away frighten nobody.")          \
    X(T, follow, Float, 0, 0, 100, "1/s",                                                          \
      "Along the nodes of the roadmap `path`, from the first to the last.")                        \
    X(T, pathRadius, Float, 1, 0, 100, "m",                                                        \
      "So near to the path they go beside it, further away back to it.")                           \
    X(T, path, Path, 0, 0, 0, "", "Name of the roadmap they follow.")

#define STRONG(strong, weak) strong
#define WEAK(strong, weak) weak
#define STEER_PARAMS(X, T) STEER_ROWS(X, T, STRONG)
#define WEAK_STEER_PARAMS(X, T) STEER_ROWS(X, T, WEAK)

const thSteerDef thiSteerDefaults = {.size = sizeof(thSteerDef),
                                     STEER_PARAMS(TH_PARAM_PRESET, thSteerDef)};
const thSteerDef thiWeakSteerDefaults = {.size = sizeof(thSteerDef),
                                         WEAK_STEER_PARAMS(TH_PARAM_PRESET, thSteerDef)};

const thParam thiSteerParams[TH_STEER_PARAMS] = {STEER_PARAMS(TH_PARAM_ENTRY, thSteerDef)};
const thParam thiWeakSteerParams[TH_STEER_PARAMS] = {WEAK_STEER_PARAMS(TH_PARAM_ENTRY, thSteerDef)};

static const char* const fields[] = {STEER_PARAMS(TH_PARAM_FIELD, thSteerDef)};
static const thParamChecks checks = {"steer", sizeof(thSteerDef), TH_COUNT_OF(fields),
                                     thiSteerParams, fields};
_Static_assert(TH_COUNT_OF(fields) == TH_STEER_PARAMS, "as many as the header says");

thSteerDef thDefaultSteerDef(void)
{
    return thiSteerDefaults;
}

thResult thiCheckSteerDef(const void* params, thError* error)
{
    const thSteerDef* def = params;
    TH_TRY(thiCheckParams(&checks, params, error));
    if (def->follow > 0.0f && def->path[0] == '\0')
        return thiFail(error, th_resultBadArgument,
                       "steer: follow is %g, expected a path to go along with it",
                       (double)def->follow);
    return th_resultOk;
}
