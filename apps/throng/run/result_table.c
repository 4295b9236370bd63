// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A run for people.

#include "app.h"
#include "run/stragglers.h"
#include "survey/survey_report.h"

#include <inttypes.h>
#include <math.h>

// Bodies touch walls that they are less deep in. [m]
#define LEAST_WALL_DEPTH 0.01

static void printAgents(const RunResult* result)
{
    const thTallyResult* tally = &result->tally;
    printf("agents      %" PRIu64 "\n", tally->agents);
    if (result->waiting > 0)
        printf("unplaced    %" PRId64 ", whom sources found no free place for\n", result->waiting);
    printf("arrived     %" PRIu64, tally->arrived);
    // Of those who all start at 0 both are the same, up to rounding; so it is told as one.
    const bool startAtOnce = fabs(tally->meanArrival - tally->meanTravel) < 1e-3;
    const double travel = startAtOnce ? tally->meanArrival : tally->meanTravel;
    if (tally->arrived > 0)
        printf(", on average at %.1f s after %.1f s, the last at %.1f s", tally->meanArrival,
               travel, tally->lastArrival);
    putchar('\n');
    appPrintStragglers(result);
    if (tally->stuck > 0)
        printf("stuck       %" PRIu64 "\n", tally->stuck);
}

static void printCollisions(const thTallyResult* tally)
{
    FigureText pairs;
    if (tally->collisionsPerStep <= 0.0) {
        puts("collisions  none");
        return;
    }
    printf("collisions  %s pairs in a step, %s%" PRIu64 " different ones, up to %.1f %% deep\n",
           appFormatFigure(&pairs, tally->collisionsPerStep),
           tally->uniqueIsLeast ? "at least " : "", tally->uniqueCollisions,
           100.0 * tally->maxDepth);
}

static void printWalls(const RunResult* result)
{
    if (!result->wallsChecked)
        return;
    if (result->tally.wallCrossings == 0)
        printf("walls       never crossed");
    else
        printf("walls       crossed %" PRIu64 " times", result->tally.wallCrossings);
    if (result->tally.maxWallDepth > LEAST_WALL_DEPTH)
        printf(", bodies up to %.2f m deep in one", result->tally.maxWallDepth);
    putchar('\n');
}

static void printSpeed(const RunResult* result)
{
    FigureText agentStep, factor, median, p95;
    if (result->timedSteps == 0) {
        const bool hadEnded = result->steps > 0 && !result->interrupted;
        printf("speed       no step was made%s\n", hadEnded ? ": the run had already ended" : "");
        return;
    }
    printf("speed       %s ns for a step of an agent, %s times real time\n",
           appFormatFigure(&agentStep, result->nsPerAgentStep),
           appFormatFigure(&factor, result->realtimeFactor));
    printf("            %s ms for a step (median), %s ms (95th percentile); threads %d, %s\n",
           appFormatFigure(&median, result->msMedian), appFormatFigure(&p95, result->msP95),
           (int)result->threads, thSimd_GetName(result->simd));
}

static void printRecord(const RunResult* result)
{
    static const char* const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    double size = (double)result->recordBytes;
    int unit = 0;
    for (; size >= 999.5 && unit < 4; ++unit)
        size /= 1000.0;
    FigureText figure;
    printf("recording   %s, %" PRId64 " frames, %s %s%s\n", result->record, result->recordFrames,
           appFormatFigure(&figure, size), units[unit],
           result->recordFailed    ? "; not complete"
           : result->recordIsEmpty ? "; nobody was in it"
                                   : "");
}

void appPrintResult(const RunResult* result)
{
    printf("scene       %s\n", result->scene);
    printAgents(result);
    printf("time        %.1f s in %" PRIu64 " steps of %g s\n", result->time, result->steps,
           result->stepLength);
    if (result->tally.dividedSteps > 0)
        printf("substeps    %" PRIu64 ", of %" PRIu64 " %s divided\n", result->tally.substeps,
               result->tally.dividedSteps,
               result->tally.dividedSteps == 1 ? "step that was" : "steps that were");
    printCollisions(&result->tally);
    if (result->tally.squeezedAgents > 0)
        printf("squeezed    %" PRIu64 " agents by moving obstacles\n",
               result->tally.squeezedAgents);
    printWalls(result);
    printSpeed(result);
    if (result->survey != NULL)
        appPrintGauges(result->survey, result->gauges);
    if (result->record != NULL)
        printRecord(result);
    printf("state hash  %016" PRIx64 "\n", result->hash);
}
