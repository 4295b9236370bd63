// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The presets: numbers of others, with where they are from.

#include "scene/scene_presets.h"

#include "scene/scene_draw.h"
#include "throng/preset.h"

#include <string.h>

#define FIXED(value) .speed = {.kind = th_drawFixed, .a = (value)}
#define UNIFORM(from, to)                                                                          \
    .speed = {.kind = th_drawUniform, .a = (from), .b = (to), .min = (from), .max = (to)}
// Within three deviations, as scenes have it.
#define NORMAL(mean, sd)                                                                           \
    .speed = {.kind = th_drawNormal,                                                               \
              .a = (mean),                                                                         \
              .b = (sd),                                                                           \
              .min = (mean)-3.0 * (sd),                                                            \
              .max = (mean) + 3.0 * (sd)}
#define TABLE(points, from, to)                                                                    \
    .speed = {.kind = th_drawTable,                                                                \
              .min = (from),                                                                       \
              .max = (to),                                                                         \
              .table = {(points), sizeof(points) / sizeof(points)[0]}}

#define IMO "IMO MSC.1/Circ.1533, annex 3, table 3.4: "
#define RIMEA "RiMEA, walking speeds by age after Weidmann: "
#define SIMULEX "Simulex, as in NIST's review of evacuation models, table A.4: "

// Speeds at which one of the groups of the IMO begins or ends, and the share of all that is not
// faster; between these all are uniform, so the shares are exact but for the last digit. Of
// passengers, of either sex 7 % each younger than 30 and 30 to 50, 16 % older than 50, and 10 % of
// either kind of impaired (table 3.1); half of the crew.
static const thCoord imoPassengers[] = {
    {0.37, 0.0},      {0.43, 0.025},    {0.55, 0.117857}, {0.56, 0.128373}, {0.61, 0.202005},
    {0.64, 0.233684}, {0.71, 0.324269}, {0.84, 0.465028}, {0.91, 0.560821}, {0.93, 0.582635},
    {0.94, 0.594671}, {0.97, 0.618147}, {1.06, 0.698269}, {1.11, 0.730876}, {1.19, 0.790615},
    {1.4, 0.916805},  {1.55, 0.964083}, {1.62, 0.978243}, {1.85, 1.0},
};
static const thCoord imoCrew[] = {{0.93, 0.0}, {1.11, 0.145161}, {1.55, 0.797297}, {1.85, 1.0}};

// Radii of Simulex are those of discs with the area of its bodies: 0.130, 0.101, 0.070, 0.113 m².
static const thScenePreset presets[TH_PRESET_COUNT] = {
    {.name = "weidmann",
     NORMAL(1.34, 0.26),
     .about = "Weidmann 1993, Transporttechnik der Fussgänger: people in general"},
    {.name = "rimea-under-30", UNIFORM(0.58, 1.61), .about = RIMEA "younger than 30, children too"},
    {.name = "rimea-30-50", UNIFORM(1.41, 1.54), .about = RIMEA "30 to 50"},
    {.name = "rimea-over-50", UNIFORM(0.68, 1.41), .about = RIMEA "older than 50"},
    {.name = "rimea-impaired", UNIFORM(0.46, 0.76), .about = RIMEA "limited mobility"},
    {.name = "imo-female-under-30", UNIFORM(0.93, 1.55), .about = IMO "females younger than 30"},
    {.name = "imo-female-30-50", UNIFORM(0.71, 1.19), .about = IMO "females 30 to 50"},
    {.name = "imo-female-over-50", UNIFORM(0.56, 0.94), .about = IMO "females older than 50"},
    {.name = "imo-female-impaired-1",
     UNIFORM(0.43, 0.71),
     .about = IMO "females older than 50, mobility impaired (1)"},
    {.name = "imo-female-impaired-2",
     UNIFORM(0.37, 0.61),
     .about = IMO "females older than 50, mobility impaired (2)"},
    {.name = "imo-male-under-30", UNIFORM(1.11, 1.85), .about = IMO "males younger than 30"},
    {.name = "imo-male-30-50", UNIFORM(0.97, 1.62), .about = IMO "males 30 to 50"},
    {.name = "imo-male-over-50", UNIFORM(0.84, 1.4), .about = IMO "males older than 50"},
    {.name = "imo-male-impaired-1",
     UNIFORM(0.64, 1.06),
     .about = IMO "males older than 50, mobility impaired (1)"},
    {.name = "imo-male-impaired-2",
     UNIFORM(0.55, 0.91),
     .about = IMO "males older than 50, mobility impaired (2)"},
    {.name = "imo-crew-female", UNIFORM(0.93, 1.55), .about = IMO "females of the crew"},
    {.name = "imo-crew-male", UNIFORM(1.11, 1.85), .about = IMO "males of the crew"},
    {.name = "imo-passengers",
     TABLE(imoPassengers, 0.37, 1.85),
     .about = IMO "all passengers, in the shares of table 3.1"},
    {.name = "imo-crew", TABLE(imoCrew, 0.93, 1.85), .about = IMO "the crew, half of it female"},
    {.name = "sfpe",
     FIXED(1.19),
     .about = "SFPE Handbook, hydraulic model: 0.85 of 1.40 m/s, in corridors and doorways"},
    {.name = "simulex-male", UNIFORM(1.15, 1.55), .radius = 0.203, .about = SIMULEX "all male"},
    {.name = "simulex-female", UNIFORM(0.95, 1.35), .radius = 0.179, .about = SIMULEX "all female"},
    {.name = "simulex-child", UNIFORM(0.6, 1.2), .radius = 0.149, .about = SIMULEX "all children"},
    {.name = "simulex-elderly", UNIFORM(0.5, 1.1), .radius = 0.19, .about = SIMULEX "all elderly"},
};

const thScenePreset* thiScenePresetAt(int32_t index)
{
    return index >= 0 && index < TH_PRESET_COUNT ? &presets[index] : NULL;
}

static const thScenePreset* find(const char* name)
{
    for (int32_t i = 0; i < TH_PRESET_COUNT; ++i)
        if (strcmp(presets[i].name, name) == 0)
            return &presets[i];
    return NULL;
}

static thPreset show(const thScenePreset* preset)
{
    static const thPresetSpeeds speeds[] = {[th_drawFixed] = th_presetFixed,
                                            [th_drawUniform] = th_presetUniform,
                                            [th_drawNormal] = th_presetNormal,
                                            [th_drawTable] = th_presetMixed};
    const thDraw* draw = &preset->speed;
    return (thPreset){.name = preset->name,
                      .about = preset->about,
                      .speeds = speeds[draw->kind],
                      .mean = (float)thiDrawMean(draw),
                      .deviation = draw->kind == th_drawNormal ? (float)draw->b : 0.0f,
                      .min = (float)thiDrawLeast(draw),
                      .max = (float)thiDrawMost(draw),
                      .radius = (float)preset->radius};
}

int32_t thGetPreset(int32_t index, thPreset* preset)
{
    TH_REQUIRE(index >= 0 && preset != NULL, 0);
    *preset = index < TH_PRESET_COUNT ? show(&presets[index]) : (thPreset){0};
    return index < TH_PRESET_COUNT;
}

int32_t thFindPreset(const char* name, thPreset* preset)
{
    TH_REQUIRE(name != NULL && preset != NULL, 0);
    const thScenePreset* found = find(name);
    *preset = found != NULL ? show(found) : (thPreset){0};
    return found != NULL;
}

float thPreset_DrawSpeed(const char* name, uint64_t stream)
{
    TH_REQUIRE(name != NULL, 0.0f);
    const thScenePreset* found = find(name);
    return found != NULL ? (float)thiDrawNumber(&found->speed, stream) : 0.0f;
}
