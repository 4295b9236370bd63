// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What ClearPath's paper claims about its solver, on crowds of ours: which step takes how long and
// what vectors make of it (table B.1), what packing, gathering and one agent in each lane are good
// for, and when 16 workers are done if agents are dealt out in different ways.
//
// Usage: throng_paper [--quick]; exit code 1 if two ways find different velocities, 2 for bad
// usage, 3 if memory is out. With --quick it only shows that everything runs and is right.

#include "makespan.h"
#include "survey.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { exitDone = 0, exitWrong = 1, exitUsage = 2, exitFailed = 3 };
enum { workers = 16 };

static int fail(thResult code)
{
    fprintf(stderr, "throng_paper: %s\n", thResult_GetText(code));
    return exitFailed;
}

static int survey(const thPaperCrowd* crowd, thSimd simd, int32_t rounds)
{
    thPaperSurvey survey = {.crowd = crowd, .simd = simd, .rounds = rounds};
    const thResult code = thiPaperMeasure(&survey);
    if (code != th_resultOk)
        return fail(code);
    thiPaperPrint(&survey);
    fflush(stdout);
    if (survey.wrong)
        fprintf(stderr, "throng_paper: not all ways find the same on %s\n", crowd->name);
    return survey.wrong ? exitWrong : exitDone;
}

static int surveyScene(const thPaperScene* scene, int32_t rounds)
{
    thPaperCrowd crowd;
    const thResult result = thiPaperMeet(scene, &crowd);
    if (result != th_resultOk)
        return fail(result);
    int code = exitDone;
    for (thSimd simd = th_simdScalar; simd < th_simdCount && code == exitDone; ++simd)
        if (simd != th_simdScalar && thSimd_IsAvailable(simd))
            code = survey(&crowd, simd, rounds);
    thiPaperForget(&crowd);
    return code;
}

// Numbers of neighbours, squared: what a scheduler could know beforehand.
static void guessCosts(const thPaperCrowd* crowd, double* guess)
{
    for (int32_t i = 0; i < crowd->count; ++i) {
        const double regions = (double)crowd->agents[i].problem.regionCount;
        guess[i] = regions * regions;
    }
}

static void printMakespans(const thPaperCrowd* crowd, const double* costs, const double* guess,
                           int32_t* order)
{
    const int32_t count = crowd->count;
    double sum = 0.0;
    for (int32_t i = 0; i < count; ++i)
        sum += costs[i];
    const double fixed = thiStaticMakespan(costs, count, workers);
    printf("%s: %d workers, costs of each agent as measured\n\n", crowd->name, workers);
    printf("%-34s %10s %16s\n", "dealt out", "us", "static/dynamic");
    printf("%-34s %10.1f\n", "evenly, if that could be", 1.0e-3 * sum / workers);
    printf("%-34s %10.1f\n", "equal shares, static", 1.0e-3 * fixed);
    for (int32_t items = 1; items <= 256; items *= 4) {
        const double next = thiDynamicMakespan(costs, count, workers, items);
        const double sorted = thiSortedMakespan(costs, guess, count, workers, items, order);
        printf("tasks of %3d, in their order        %10.1f %16.2f\n", (int)items, 1.0e-3 * next,
               fixed / next);
        printf("tasks of %3d, dearest first         %10.1f %16.2f\n", (int)items, 1.0e-3 * sorted,
               fixed / sorted);
    }
    printf("\n");
}

static int dealOut(const thPaperScene* scene, int32_t rounds)
{
    thPaperCrowd crowd;
    const thResult code = thiPaperMeet(scene, &crowd);
    if (code != th_resultOk)
        return fail(code);
    double* costs = calloc((size_t)crowd.count, 2 * sizeof *costs);
    int32_t* order = calloc((size_t)crowd.count, sizeof *order);
    const bool enough = costs != NULL && order != NULL;
    if (enough) {
        guessCosts(&crowd, costs + crowd.count);
        thiPaperTimeAgents(&crowd, rounds, costs);
        printMakespans(&crowd, costs, costs + crowd.count, order);
    }
    free(costs);
    free(order);
    thiPaperForget(&crowd);
    return enough ? exitDone : fail(th_resultNoMemory);
}

int main(int argc, char** argv)
{
    const bool quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
    if (argc > 1 && !quick) {
        fprintf(stderr, "usage: throng_paper [--quick]\n");
        return exitUsage;
    }
    const int32_t rounds = quick ? 1 : 40;
    int code = surveyScene(&thiPaperRandom, rounds);
    if (code == exitDone)
        code = surveyScene(&thiPaperCircle, rounds);
    if (code == exitDone)
        code = dealOut(&thiPaperClustered, rounds);
    return code != exitDone ? code : dealOut(&thiPaperCircle, rounds);
}
