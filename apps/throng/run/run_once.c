// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "run/run_once.h"

#include "hash_file.h"
#include "load_scene.h"
#include "run/interrupt.h"
#include "run/progress.h"
#include "run/run_record.h"
#include "run/run_survey.h"
#include "run/snapshot_file.h"
#include "run/stragglers.h"
#include "run/times.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

// All that exists while a run goes on.
typedef struct Session {
    const RunJob* job;
    thSceneInfo info;
    uint64_t seed;
    char* made; // what the run is made with, for snapshots
    thRun* run;
    thWorld* world;
    thTally* tally;
    Times* times;
    OutFile hashes;
    StageHashes stageHashes;
    RunRecord record;
    RunSurvey survey;
    Progress progress;
    int64_t lastStep; // the run ends there [-1: where the scene says]
    bool broken;      // a step failed
} Session;

static ExitCode createRun(Session* session)
{
    const RunOptions* options = session->job->options;
    thRunDef def = thDefaultRunDef();
    def.world.workerCount = (int32_t)options->threads;
    def.world.simd = session->job->simd;
    def.seed = session->seed;
    for (int kind = 0; kind < th_methodKindCount; ++kind)
        def.methods[kind] = options->methods[kind];
    const ExitCode code = appCreateRun(session->job->scene, &def, &session->run);
    if (code == exitDone)
        session->world = thRun_GetWorld(session->run);
    return code;
}

static ExitCode createTally(Session* session)
{
    thTallyDef def = thDefaultTallyDef();
    def.checkWalls = session->job->options->checkWalls;
    const thResult result = thCreateTally(&def, session->world, &session->tally);
    if (result != th_resultOk)
        appSay("cannot measure: %s", thResult_GetText(result));
    return appExitOf(result);
}

static ExitCode sayNoMemory(void)
{
    appSay("no memory");
    return exitEnvironment;
}

static uint64_t stepsMade(const Session* session)
{
    return thWorld_GetCounters(session->world).steps;
}

// The world, those who watch it, and the files that are written on the way.
static ExitCode openSession(Session* session)
{
    const RunOptions* options = session->job->options;
    session->times = calloc(1, sizeof *session->times);
    session->made = appDescribeRun(options, session->seed);
    if (session->times == NULL || session->made == NULL)
        return sayNoMemory();
    ExitCode code = createRun(session);
    if (code == exitDone)
        code = createTally(session);
    if (code == exitDone && options->resume != NULL)
        code = appResumeRun(options->resume, session->made, session->run, session->tally);
    if (code == exitDone && options->hashes != NULL &&
        !(appWatchStages(&session->stageHashes, session->world) &&
          appOpenHashes(&session->hashes, options->hashes, stepsMade(session))))
        code = exitEnvironment;
    if (code == exitDone)
        code = appBeginRecord(&session->record, options, session->job->scene, session->run,
                              stepsMade(session));
    // Of a run that goes on, the beginning is not seen: its recording can be measured.
    if (code == exitDone && options->resume == NULL)
        appBeginRunSurvey(&session->survey, session->job->gauges, session->info.step, session->run);
    return code;
}

static void freeSession(Session* session)
{
    thDestroyTally(session->tally);
    thDestroyRun(session->run);
    free(session->times);
    free(session->made);
}

// The earlier of the ends that the command line asks for.
static int64_t findLastStep(const RunOptions* options, double stepLength)
{
    const double byTime =
        options->until >= 0.0 ? ceil(options->until / stepLength - 1e-9) : INFINITY;
    const double bySteps = options->steps >= 0 ? (double)options->steps : INFINITY;
    const double last = fmin(byTime, bySteps);
    return isfinite(last) ? (int64_t)last : -1;
}

// Whether the scene has ended because everybody is there, not by its own clock. Who asks for a
// number of steps gets it nevertheless.
static bool areAllThere(const Session* session)
{
    const thSceneInfo* info = &session->info;
    return session->job->options->steps < 0 && thRun_IsOver(session->run) != 0 &&
           info->endsArrived != 0 &&
           thRun_GetTime(session->run) < info->endTime - 0.5 * info->step &&
           (info->endSteps < 0 || (int64_t)stepsMade(session) < info->endSteps);
}

static bool isOver(const Session* session)
{
    if (session->lastStep >= 0)
        return (int64_t)stepsMade(session) >= session->lastStep || areAllThere(session);
    return thRun_IsOver(session->run) != 0;
}

// How much of the run is done, by the end that seems nearest. [negative: unknown]
static double shareDone(const Session* session)
{
    const thSceneInfo* info = &session->info;
    const double steps = (double)stepsMade(session);
    double share = -1.0;
    if (session->lastStep >= 0)
        return session->lastStep > 0 ? steps / (double)session->lastStep : 1.0;
    if (isfinite(info->endTime))
        share = fmax(share, thRun_GetTime(session->run) / info->endTime);
    if (info->endSteps > 0)
        share = fmax(share, steps / (double)info->endSteps);
    const double people = (double)(info->agents + info->comingAgents);
    if (info->endsArrived && info->comingAgents >= 0 && people > 0.0)
        share = fmax(share, (double)thTally_GetResult(session->tally).arrived / people);
    return share;
}

static ExitCode saveRun(Session* session)
{
    // What is saved must not be ahead of the files that go with it.
    appFlushOut(&session->hashes);
    appSyncRecord(&session->record);
    return appSaveRun(session->job->snapshot, session->made, session->run, session->tally)
               ? exitDone
               : exitEnvironment;
}

static bool step(Session* session)
{
    const int32_t agents = thWorld_GetCounters(session->world).agents;
    thResult result = thRun_Step(session->run);
    if (result == th_resultOk) {
        const thCounters counters = thWorld_GetCounters(session->world);
        appAddTimes(session->times, &counters, agents > counters.agents ? agents : counters.agents);
        result = thTally_Observe(session->tally, thRun_GetTime(session->run));
    }
    if (result == th_resultOk)
        return true;
    appSay("cannot step after t = %.1f s: %s", thRun_GetTime(session->run),
           thResult_GetText(result));
    return false;
}

// Steps to the end. A snapshot that fails does not end the run: what it is for is the result.
static ExitCode stepToEnd(Session* session)
{
    const int64_t every = session->job->options->snapshotEvery;
    ExitCode code = exitDone;
    while (!isOver(session) && !appWasInterrupted()) {
        session->broken = !step(session);
        if (session->broken)
            return exitEnvironment;
        const uint64_t steps = stepsMade(session);
        if (session->hashes.stream != NULL)
            appWriteHash(&session->hashes, steps, thWorld_GetStateHash(session->world),
                         &session->stageHashes);
        appRecordStep(&session->record, steps);
        appSurveyStep(&session->survey, steps);
        if (every > 0 && steps % (uint64_t)every == 0 && code == exitDone) {
            code = saveRun(session);
            if (code != exitDone)
                appSay("the run goes on without snapshots");
        }
        if (appProgressIsDue(&session->progress))
            appShowProgress(&session->progress, shareDone(session), thRun_GetTime(session->run));
    }
    return code;
}

static void fillTimes(const Times* times, RunResult* result)
{
    result->timedSteps = times->steps;
    if (times->steps == 0) {
        result->msMedian = result->msP95 = result->msMean = NAN;
        result->nsPerAgentStep = result->realtimeFactor = NAN;
        for (int stage = 0; stage < th_stageCount; ++stage)
            result->stagesMs[stage] = NAN;
        return;
    }
    result->msMedian = 1e-6 * appTimesQuantile(times, 0.5);
    result->msP95 = 1e-6 * appTimesQuantile(times, 0.95);
    result->msMean = 1e-6 * appTimesMean(times);
    for (int stage = 0; stage < th_stageCount; ++stage)
        result->stagesMs[stage] = 1e-6 * appTimesStage(times, (thStage)stage);
    result->nsPerAgentStep = times->agentSteps > 0.0 ? times->total / times->agentSteps : 0.0;
    const double simulated = (double)times->steps * result->stepLength;
    result->realtimeFactor = times->total > 0.0 ? simulated / (1e-9 * times->total) : 0.0;
}

static void fillResult(const Session* session, RunResult* result)
{
    const RunOptions* options = session->job->options;
    const thCounters counters = thWorld_GetCounters(session->world);
    *result = (RunResult){.isThere = true,
                          .interrupted = !isOver(session),
                          .scene = session->info.name,
                          .seed = session->seed,
                          .gauges = session->job->gauges,
                          .threads = (int32_t)options->threads,
                          .simd = session->job->simd,
                          .steps = counters.steps,
                          .stepLength = session->info.step,
                          .time = thRun_GetTime(session->run),
                          .wallsChecked = options->checkWalls,
                          .tally = thTally_GetResult(session->tally),
                          .waiting = thRun_CountWaiting(session->run),
                          .bytes = counters.bytes,
                          .agentBytes = counters.agentBytes,
                          .goalBytes = counters.goalBytes,
                          .neighborBytes = counters.neighborBytes,
                          .planBytes = counters.planBytes,
                          .peakBytes = counters.peakBytes,
                          .hash = thWorld_GetStateHash(session->world)};
    for (int kind = 0; kind < th_methodKindCount; ++kind)
        result->methods[kind] = session->job->methods[kind];
    result->avoidance =
        thWorld_FindMethod(session->world, th_methodAvoid, result->methods[th_methodAvoid]);
    fillTimes(session->times, result);
    appFindStragglers(session->run, &session->info, result);
}

// Completes the recording, which the result tells of. A run that can go on needs its log for that.
static ExitCode endRecord(Session* session, RunResult* result)
{
    RunRecord* record = &session->record;
    const ExitCode code = appEndRecord(record, session->job->snapshot != NULL);
    const double steps = session->times != NULL ? (double)session->times->steps : 0.0;
    result->record = record->path;
    result->recordFrames = record->frames;
    result->recordBytes = record->bytes;
    result->recordFailed = record->failed;
    result->recordIsEmpty = !record->hasPeople;
    result->recordMs = steps > 0.0 ? 1e3 * record->seconds / steps : 0.0;
    return code;
}

ExitCode appRunOnce(const RunJob* job, uint64_t seed, const char* label, RunResult* result)
{
    Session session = {.job = job, .info = thScene_GetInfo(job->scene), .seed = seed};
    session.lastStep = findLastStep(job->options, session.info.step);
    ExitCode code = openSession(&session);
    *result = (RunResult){0};
    if (code == exitDone) {
        appBeginProgress(&session.progress, label, job->options->quiet, shareDone(&session),
                         thRun_GetTime(session.run));
        code = stepToEnd(&session);
        appEndProgress(&session.progress);
        if (!session.broken)
            fillResult(&session, result);
        if (job->snapshot != NULL && code == exitDone)
            code = saveRun(&session);
    }
    if (!appCloseOut(&session.hashes))
        code = exitEnvironment;
    const ExitCode recorded = endRecord(&session, result);
    code = recorded > code ? recorded : code;
    result->survey = appEndRunSurvey(&session.survey);
    code = session.survey.failed ? exitEnvironment : code;
    freeSession(&session);
    return code;
}
