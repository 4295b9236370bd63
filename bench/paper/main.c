// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// throng_paper: what ClearPath's paper claims about its solver, on crowds of ours. Which step takes
// how long and what vectors make of it (table B.1), what packing, gathering and one agent in each
// lane are good for, and when 16 workers are done if agents are dealt out in different ways.
//
// Usage: throng_paper [--quick]; exit code 1 if two ways find different velocities, 2 for bad
// usage, 3 if memory is out. With --quick it only shows that everything runs and is right, and
// leaves out the circle, which takes a while until it is full.

#include "lanes.h"
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

static int failWrong(const thPaperCrowd* crowd)
{
    fprintf(stderr, "throng_paper: not all ways find the same on %s\n", crowd->name);
    return exitWrong;
}

static int survey(const thPaperCrowd* crowd, thSimd simd, int32_t rounds)
{
    thPaperSurvey survey = {.crowd = crowd, .simd = simd, .rounds = rounds};
    const thResult code = thiPaperMeasure(&survey);
    if (code != th_resultOk)
        return fail(code);
    thiPaperPrint(&survey);
    fflush(stdout);
    return survey.wrong ? failWrong(crowd) : exitDone;
}

static int surveyWidths(const thPaperCrowd* crowd, int32_t rounds)
{
    int code = exitDone;
    for (thSimd simd = th_simdScalar; simd < th_simdCount && code == exitDone; ++simd)
        if (simd != th_simdScalar && thSimd_IsAvailable(simd))
            code = survey(crowd, simd, rounds);
    return code;
}

// How lanes are used, at each width.
static int lookAtLanes(const thPaperCrowd* crowd, int32_t rounds)
{
    for (thSimd simd = th_simdScalar; simd < th_simdCount; ++simd) {
        if (simd == th_simdScalar || !thSimd_IsAvailable(simd))
            continue;
        thPaperLanes lanes = {.crowd = crowd, .simd = simd, .rounds = rounds};
        const thResult code = thiPaperMeasureLanes(&lanes);
        if (code != th_resultOk)
            return fail(code);
        printf("%s: lanes, %s\n\n", crowd->name, thSimd_GetName(simd));
        thiPaperPrintLanes(&lanes);
        fflush(stdout);
        if (lanes.wrong)
            return failWrong(crowd);
    }
    return exitDone;
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
    const double sum = thiStaticMakespan(costs, count, 1),
                 fixed = thiStaticMakespan(costs, count, workers);
    printf("%s: %d workers, costs of each agent as measured\n\n", crowd->name, workers);
    printf("%-34s %10s %16s\n", "dealt out", "us", "static/dynamic");
    printf("%-34s %10.1f\n", "evenly, if that could be", 1.0e-3 * sum / workers);
    printf("%-34s %10.1f\n", "equal shares, static", 1.0e-3 * fixed);
    static const int32_t sizes[] = {1, 4, 8, 16, 32, 64, 256};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        const int32_t items = sizes[i];
        const double next = thiDynamicMakespan(costs, count, workers, items);
        const double sorted = thiSortedMakespan(costs, guess, count, workers, items, order);
        printf("tasks of %3d, in their order        %10.1f %16.2f\n", (int)items, 1.0e-3 * next,
               fixed / next);
        printf("tasks of %3d, dearest first         %10.1f %16.2f\n", (int)items, 1.0e-3 * sorted,
               fixed / sorted);
    }
    printf("\n");
}

static int dealOut(const thPaperCrowd* crowd, int32_t rounds)
{
    const size_t count = (size_t)crowd->count;
    double* costs = calloc(count, sizeof *costs);
    double* guess = calloc(count, sizeof *guess);
    int32_t* order = calloc(count, sizeof *order);
    const bool enough = costs != NULL && guess != NULL && order != NULL;
    if (enough) {
        guessCosts(crowd, guess);
        thiPaperTimeAgents(crowd, rounds, costs);
        printMakespans(crowd, costs, guess, order);
    }
    free(costs);
    free(guess);
    free(order);
    return enough ? exitDone : fail(th_resultNoMemory);
}

typedef int LookFcn(const thPaperCrowd* crowd, int32_t rounds);

// Looks at a scene in some ways; the list of them ends with NULL.
static int look(const thPaperScene* scene, int32_t rounds, LookFcn* const* ways)
{
    thPaperCrowd crowd;
    const thResult result = thiPaperMeet(scene, &crowd);
    if (result != th_resultOk)
        return fail(result);
    int code = exitDone;
    for (; *ways != NULL && code == exitDone; ++ways)
        code = (*ways)(&crowd, rounds);
    thiPaperForget(&crowd);
    return code;
}

int main(int argc, char** argv)
{
    static const struct {
        const thPaperScene* scene;
        LookFcn* ways[4];
    } looks[] = {{&thiPaperRandom, {surveyWidths, lookAtLanes}},
                 {&thiPaperGroups, {lookAtLanes}},
                 {&thiPaperClustered, {dealOut}},
                 {&thiPaperCircle, {surveyWidths, lookAtLanes, dealOut}}};
    const bool quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
    const bool help = argc == 2 && strcmp(argv[1], "--help") == 0;
    if (argc > 1 && !quick) {
        fprintf(help ? stdout : stderr, "usage: throng_paper [--quick]\n");
        return help ? exitDone : exitUsage;
    }
    const int32_t rounds = quick ? 1 : 40, count = quick ? 3 : 4;
    int code = exitDone;
    for (int32_t i = 0; i < count && code == exitDone; ++i)
        code = look(looks[i].scene, rounds, looks[i].ways);
    return code;
}
