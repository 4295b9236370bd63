// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Tables of what solvers and their steps take.

#include "survey.h"

#include <stdio.h>

static double sumOf(const double* steps)
{
    double sum = 0.0;
    for (int32_t i = 0; i < thPaperSteps; ++i)
        sum += steps[i];
    return sum;
}

// As table B.1 of the paper, which has no step 0.
static void printSteps(const thPaperSurvey* survey)
{
    static const char* const names[thPaperSteps] = {
        "0 who is free, gathering", "1 sides and their ends",  "2 crossings",
        "3 inside or outside",      "4 order along the sides", "5 parts, nearest point"};
    static const char* const shares[thPaperSteps] = {"", "14 %", "39 %", "21 %", "13 %", "13 %"};
    static const char* const scalings[thPaperSteps] = {"", "7.9", "5.6", "5.9", "9.3", "5.6"};
    const double* scalar = survey->steps[th_wayStepsScalar];
    const double* wide = survey->steps[th_waySteps];
    const double* inPlace = survey->steps[th_wayInPlace];
    const double all = sumOf(scalar), allWide = sumOf(wide), allInPlace = sumOf(inPlace);
    printf("%-26s %8s %8s %8s %8s | %8s %8s\n", "step", "scalar", "packed", "scaling", "in place",
           "paper", "scaling");
    for (int32_t i = 0; i < thPaperSteps; ++i)
        printf("%-26s %6.0f %% %6.0f %% %8.1f %8.1f | %8s %8s\n", names[i], 100.0 * scalar[i] / all,
               100.0 * wide[i] / allWide, scalar[i] / wide[i], scalar[i] / inPlace[i], shares[i],
               scalings[i]);
    printf("%-26s %6.0f ns %5.0f ns %7.1f %8.1f | %8s %8s\n\n", "all", all, allWide, all / allWide,
           all / allInPlace, "", "6.4");
}

static void printWays(const thPaperSurvey* survey)
{
    static const char* const names[th_wayCount] = {"plain, one agent after the other",
                                                   "plain, x and y in one register",
                                                   "kernel of the library",
                                                   "step by step, one lane",
                                                   "step by step, packed",
                                                   "step by step, in place",
                                                   "step by step, lanes gathered",
                                                   "step by step, lanes loaded singly",
                                                   "kernel of the solver `interval`"};
    printf("%-34s %10s %14s\n", "way", "ns/agent", "times as fast");
    for (thPaperWay way = th_wayPlain; way < th_wayCount; ++way)
        printf("%-34s %10.0f %14.2f\n", names[way], survey->times[way],
               survey->times[th_wayPlain] / survey->times[way]);
    printf("\n");
}

void thiPaperPrint(const thPaperSurvey* survey)
{
    const thPaperLaneUse* use = &survey->use;
    printf("%s: %d agents, %d of them free; %s\n\n", survey->crowd->name, (int)survey->crowd->count,
           (int)survey->freeCount, thSimd_GetName(survey->simd));
    printSteps(survey);
    printf("lanes in use in step 3: %.0f %% packed, %.0f %% in place\n\n",
           100.0 * (double)use->packedUsed / (double)use->packedAll,
           100.0 * (double)use->inPlaceUsed / (double)use->inPlaceAll);
    printWays(survey);
}
