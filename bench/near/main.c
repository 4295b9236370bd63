// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// throng_near: the ten nearest agents of everybody, found in several ways. By looking at all
// others, by the sampled tree of "Multi-Agent Navigation on the GPU", with a kd-tree as in
// ClearPath, and with the engine's grid. For three densities and growing numbers of agents it
// prints times, recall against the true neighbours, memory, and from which number of agents on
// which one is faster.
//
// Usage: throng_near [--quick]; exit code 1 if one that is to be exact is not, 2 for bad usage, 3
// if memory is out. With --quick it only shows that everything runs and is right.

#include "survey.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { exitDone = 0, exitWrong = 1, exitUsage = 2, exitMemory = 3 };

#define SMALLEST 4
#define LARGEST 262144
#define LARGEST_QUICK 1024

// Round which 44 agents stand on average: 3.75 m at 1/m². Enough for ten nearly always, but at the
// border of the crowd.
static float chooseRadius(float density)
{
    return 3.75f / sqrtf(density);
}

static bool reportWrong(const thNearSurvey* survey)
{
    bool wrong = false;
    for (int32_t i = 0; i < survey->sizeCount; ++i)
        for (int32_t m = 0; m < thNearMethodCount; ++m)
            if (survey->results[i][m].wrong) {
                fprintf(stderr, "throng_near: %s is wrong with %d agents, %g to a square metre\n",
                        thiNearMethods[m]->name, (int)survey->sizes[i], (double)survey->density);
                wrong = true;
            }
    return wrong;
}

static int survey(float density, bool quick)
{
    const thNearEffort effort = quick ? (thNearEffort){1, 1} : (thNearEffort){5, 10000000};
    thNearSurvey survey = {.density = density, .radius = chooseRadius(density)};
    for (int32_t size = SMALLEST; size <= (quick ? LARGEST_QUICK : LARGEST); size *= 4) {
        survey.sizes[survey.sizeCount] = size;
        const thResult code = thiNearMeasure(&survey, survey.sizeCount, &effort);
        if (code != th_resultOk) {
            fprintf(stderr, "throng_near: %s\n", thResult_GetText(code));
            return exitMemory;
        }
        survey.sizeCount += 1;
    }
    thiNearPrint(&survey);
    fflush(stdout);
    return reportWrong(&survey) ? exitWrong : exitDone;
}

int main(int argc, char** argv)
{
    const bool quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
    if (argc > 1 && !quick) {
        fprintf(stderr, "usage: throng_near [--quick]\n");
        return exitUsage;
    }
    printf("one thread; grid: instruction set %s\n", thSimd_GetName(thSimd_Resolve(th_simdAuto)));
    const float densities[] = {0.1f, 1.0f, 4.0f};
    int code = exitDone;
    for (size_t i = 0; i < sizeof densities / sizeof densities[0] && code == exitDone; ++i)
        code = survey(densities[i], quick);
    return code;
}
