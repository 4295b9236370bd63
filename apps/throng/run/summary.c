// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Results for machines: a run, or several, as JSON. Keys may be added, never changed;
// docs/program.md lists them.

#include "run/run.h"
#include "survey/survey_report.h"

#include <inttypes.h>
#include <math.h>

// Values that the method has no name for are told as numbers.
static const char* nameStatus(const thMethod* method, int32_t status, char number[12])
{
    if (method != NULL && status < method->statusCount && method->statusNames[status] != NULL)
        return method->statusNames[status];
    snprintf(number, 12, "%d", (int)status);
    return number;
}

static void writeStatus(JsonOut* out, const RunResult* result)
{
    char number[12];
    appJsonBegin(out, "status", '{', false);
    for (int32_t status = 0; status < THRONG_TALLY_STATUSES; ++status)
        if (result->tally.status[status] > 0)
            appJsonWhole(out, nameStatus(result->avoidance, status, number),
                         (int64_t)result->tally.status[status]);
    appJsonEnd(out, '}');
}

static void writeTimes(JsonOut* out, const RunResult* result)
{
    const double* stages = result->stagesMs;
    appJsonBegin(out, "ms_per_step", '{', false);
    appJsonNumber(out, "median", result->msMedian);
    appJsonNumber(out, "p95", result->msP95);
    appJsonNumber(out, "mean", result->msMean);
    appJsonEnd(out, '}');
    appJsonBegin(out, "stages_ms", '{', false);
    appJsonNumber(out, "sort", stages[th_stageCommands] + stages[th_stageSort]);
    appJsonNumber(out, "sense", stages[th_stageSense]);
    appJsonNumber(out, "plan", stages[th_stagePrepare] + stages[th_stagePlan]);
    appJsonNumber(out, "group", stages[th_stageGroup]);
    appJsonNumber(out, "unjam", stages[th_stageUnjam]);
    appJsonNumber(out, "avoid", stages[th_stageAvoid]);
    appJsonNumber(out, "pace", stages[th_stagePace]);
    appJsonNumber(out, "move", stages[th_stageMove]);
    appJsonNumber(out, "report", stages[th_stageReport]);
    appJsonNumber(out, "measure", result->measureMs);
    appJsonEnd(out, '}');
    appJsonNumber(out, "record_ms", result->record != NULL ? result->recordMs : NAN);
    appJsonNumber(out, "ns_per_agent_step", result->nsPerAgentStep);
    appJsonNumber(out, "realtime_factor", result->realtimeFactor);
}

static void writeDoors(JsonOut* out, const RunResult* result)
{
    appJsonBegin(out, "doors", '[', true);
    for (int32_t i = 0; i < result->closingCount; ++i) {
        const thDoorClosing* closing = &result->closings[i];
        appJsonBegin(out, NULL, '{', false);
        appJsonWhole(out, "door", closing->door);
        if (closing->name != NULL)
            appJsonText(out, "name", closing->name);
        appJsonNumber(out, "due", closing->due);
        appJsonNumber(out, "shut", closing->shut >= 0.0 ? closing->shut : NAN);
        appJsonWhole(out, "late", closing->late);
        appJsonWhole(out, "pushed", closing->pushed);
        appJsonEnd(out, '}');
    }
    appJsonEnd(out, ']');
}

static void writeHappenings(JsonOut* out, const RunResult* result)
{
    const thTallyResult* tally = &result->tally;
    const bool anyArrived = tally->arrived > 0;
    appJsonWhole(out, "unplaced", result->waiting);
    appJsonWhole(out, "arrived", (int64_t)tally->arrived);
    appJsonNumber(out, "time_last_arrival", anyArrived ? tally->lastArrival : NAN);
    appJsonNumber(out, "time_mean_arrival", anyArrived ? tally->meanArrival : NAN);
    appJsonNumber(out, "path_ratio_mean", tally->meanPathRatio > 0.0 ? tally->meanPathRatio : NAN);
    appJsonBegin(out, "collisions", '{', false);
    appJsonNumber(out, "pairs_per_step", tally->collisionsPerStep);
    appJsonWhole(out, "unique", (int64_t)tally->uniqueCollisions);
    appJsonNumber(out, "max_depth", tally->maxDepth);
    appJsonEnd(out, '}');
    appJsonNumber(out, "contacts_per_step", tally->contactsPerStep);
    appJsonBegin(out, "jams", '{', false);
    appJsonNumber(out, "shuffle_share", tally->shuffleShare);
    appJsonNumber(out, "step_back_share", tally->stepBackShare);
    appJsonNumber(out, "reversals", tally->reversals);
    appJsonEnd(out, '}');
    if (result->wallsChecked)
        appJsonWhole(out, "wall_crossings", (int64_t)tally->wallCrossings);
    else
        appJsonNull(out, "wall_crossings");
    appJsonWhole(out, "squeezed", (int64_t)tally->squeezed);
    appJsonNumber(out, "stuck_share", tally->stuckShare);
    appJsonNumber(out, "stuck_max", tally->stuckMax);
    writeStatus(out, result);
}

static void writeBytes(JsonOut* out, const RunResult* result)
{
    appJsonBegin(out, "bytes", '{', false);
    appJsonWhole(out, "agents", (int64_t)result->agentBytes);
    appJsonWhole(out, "goals", (int64_t)result->goalBytes);
    appJsonWhole(out, "neighbours", (int64_t)result->neighborBytes);
    appJsonWhole(out, "plan", (int64_t)result->planBytes);
    appJsonWhole(out, "world", (int64_t)result->bytes);
    appJsonWhole(out, "record", (int64_t)result->recordBytes);
    appJsonWhole(out, "peak", (int64_t)result->peakBytes);
    appJsonEnd(out, '}');
}

static void writeRun(JsonOut* out, const RunResult* result, bool spread)
{
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, result->hash);
    appJsonBegin(out, NULL, '{', spread);
    appJsonText(out, "scene", result->scene);
    appJsonWhole(out, "agents", (int64_t)result->tally.agents);
    appJsonWhole(out, "steps", (int64_t)result->steps);
    appJsonWhole(out, "divided_steps", (int64_t)result->tally.dividedSteps);
    appJsonWhole(out, "substeps", (int64_t)result->tally.substeps);
    appJsonNumber(out, "sim_time", result->time);
    appJsonWhole(out, "threads", result->threads);
    appJsonText(out, "simd", thSimd_GetName(result->simd));
    appJsonText(out, "backend", "cpu");
    appJsonText(out, "avoid", result->methods[th_methodAvoid]);
    appJsonText(out, "plan", result->methods[th_methodPlan]);
    appJsonText(out, "group", result->methods[th_methodGroup]);
    appJsonWhole(out, "seed", (int64_t)result->seed);
    writeTimes(out, result);
    writeHappenings(out, result);
    if (result->closingCount > 0)
        writeDoors(out, result);
    writeBytes(out, result);
    if (result->survey != NULL)
        appWriteGauges(out, result->survey, result->gauges);
    appJsonText(out, "state_hash", hash);
    appJsonEnd(out, '}');
}

void appWriteSummary(FILE* stream, const RunResult* result)
{
    JsonOut out = {.stream = stream};
    writeRun(&out, result, true);
}

void appWriteSummaries(FILE* stream, const RunResult* results, int32_t count, double* scratch)
{
    JsonOut out = {.stream = stream};
    appJsonBegin(&out, NULL, '{', true);
    appJsonText(&out, "scene", results[0].scene);
    appWriteStatistics(&out, results, count, scratch);
    appJsonBegin(&out, "runs", '[', true);
    for (int32_t i = 0; i < count; ++i)
        writeRun(&out, &results[i], false);
    appJsonEnd(&out, ']');
    appJsonEnd(&out, '}');
}
