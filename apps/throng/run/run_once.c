// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// One run of a scene, from its creation or from a saved state to its end.

#include "run/run.h"

#include "load_scene.h"
#include "recording/source.h"
#include "run/run_record.h"
#include "run/state_files.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/world.h>

// --- Times ---

// How long steps took: their distribution in a fixed amount of memory, however many there are.

enum { timesPerOctave = 64, timesOctaves = 48 };

typedef struct Times {
    int64_t steps;
    double total;                 // [ns]
    double stages[th_stageCount]; // totals [ns]
    double measure;               // of what is measured after steps [ns]
    double agentSteps;            // agents, summed over steps
    int64_t buckets[timesOctaves * timesPerOctave];
} Times;

// Octaves are cut into equal parts, so a bucket is at most a sixty-fourth wider than its beginning.
static int bucketOf(double time)
{
    int exponent;
    const double mantissa = frexp(fmax(time, 1.0), &exponent); // 0.5 .. 1
    const int part = (int)((2.0 * mantissa - 1.0) * timesPerOctave);
    const int bucket = (exponent - 1) * timesPerOctave + part;
    const int last = timesOctaves * timesPerOctave - 1;
    return bucket < last ? bucket : last;
}

static double middleOf(int bucket)
{
    const double part = (bucket % timesPerOctave + 0.5) / timesPerOctave;
    return ldexp(1.0 + part, bucket / timesPerOctave);
}

// Takes note of the last step; `agents` took part in it.
static void addTime(Times* times, const thCounters* counters, int32_t agents)
{
    const double time = (double)counters->stepTime;
    times->steps += 1;
    times->total += time;
    times->agentSteps += agents;
    for (int stage = 0; stage < th_stageCount; ++stage)
        times->stages[stage] += (double)counters->stageTime[stage];
    times->buckets[bucketOf(time)] += 1;
}

// The time that so large a share of the steps did not exceed, to a hundredth. [ns; 0 without steps]
static double quantileOf(const Times* times, double share)
{
    const double wanted = share * (double)times->steps;
    double below = 0.0;
    for (int bucket = 0; bucket < timesOctaves * timesPerOctave; ++bucket) {
        below += (double)times->buckets[bucket];
        if (below > 0.0 && below >= wanted)
            return middleOf(bucket);
    }
    return 0.0;
}

// The mean time of a step, and of a stage of it. [ns; 0 without steps]
static double meanTime(const Times* times)
{
    return times->steps > 0 ? times->total / (double)times->steps : 0.0;
}

static double meanStageTime(const Times* times, thStage stage)
{
    return times->steps > 0 ? times->stages[stage] / (double)times->steps : 0.0;
}

// --- Lines and areas ---

// Lines and areas of a scene, measured while it is run. What fails is said once, and the run goes
// on without it.

typedef struct RunSurvey {
    const Gauges* gauges;
    bool figures; // of the whole run too
    FrameRate rate;
    const thTasks* tasks; // of the run
    Tracks* tracks;       // NULL: none are wanted
    thRecorder* recorder; // NULL: nothing is measured
    thSurvey* survey;
    bool failed;
} RunSurvey;

static void stopSurvey(RunSurvey* survey)
{
    thDestroySurvey(survey->survey);
    thDestroyRecorder(survey->recorder);
    survey->survey = NULL;
    survey->recorder = NULL;
}

static void checkSurvey(RunSurvey* survey, thResult result)
{
    if (result == th_resultOk)
        return;
    appSay("cannot measure lines and areas: %s", thResult_GetText(result));
    survey->failed = true;
    stopSurvey(survey);
}

static thResult createSurvey(RunSurvey* survey, const thRecording* first)
{
    thSurveyDef def = thDefaultSurveyDef();
    def.rate = survey->rate.rate;
    def.figures = survey->figures;
    def.shapes = first->shapes;
    def.shapeCount = first->shapeCount;
    def.lines = survey->gauges->lines;
    def.lineCount = survey->gauges->lineCount;
    def.areas = survey->gauges->areas;
    def.areaCount = survey->gauges->areaCount;
    def.tasks = survey->tasks;
    return thCreateSurvey(&def, &survey->survey, NULL);
}

// Looks at a step, if it is a frame.
static void surveyStep(RunSurvey* survey, uint64_t stepsDone)
{
    if (survey->recorder == NULL || stepsDone % (uint64_t)survey->rate.every != 0)
        return;
    thRecording recording;
    const int64_t number = (int64_t)(stepsDone / (uint64_t)survey->rate.every);
    thResult result = thRecorder_Take(survey->recorder, number, &recording);
    if (result == th_resultOk && survey->survey == NULL)
        result = createSurvey(survey, &recording);
    if (result == th_resultOk)
        result = thSurvey_Add(survey->survey, &recording);
    if (result == th_resultOk && survey->tracks != NULL &&
        !appGatherFrame(survey->tracks, &recording.frame, survey->rate.rate))
        result = th_resultNoMemory;
    checkSurvey(survey, result);
}

// Looks at the beginning of a run. Does nothing where there is nothing to measure.
static void beginRunSurvey(RunSurvey* survey, const RunJob* job, double step, const thRun* run)
{
    *survey = (RunSurvey){.gauges = job->gauges,
                          .figures = job->figures,
                          .rate = appUsualRate(step),
                          .tasks = thWorld_GetTasks(thRun_GetWorld(run)),
                          .tracks = job->tracks};
    if (job->gauges->lineCount == 0 && job->gauges->areaCount == 0 && !job->figures)
        return;
    thRecorderDef def = thDefaultRecorderDef();
    def.withoutGoals = 1;
    checkSurvey(survey, thCreateRecorder(&def, run, &survey->recorder));
    surveyStep(survey, 0);
}

// Ends it. The survey is the caller's then; NULL if nothing was measured.
static thSurvey* endRunSurvey(RunSurvey* survey)
{
    if (survey->survey != NULL)
        checkSurvey(survey, thSurvey_End(survey->survey));
    if (survey->survey != NULL && survey->tracks != NULL && !appMakeTracks(survey->tracks))
        checkSurvey(survey, th_resultNoMemory);
    thSurvey* result = survey->survey;
    survey->survey = NULL;
    stopSurvey(survey);
    return result;
}

// --- Who has not arrived ---

// Counts one more with the same answer and reason; those of further reasons are not told.
static void countReason(RunResult* result, thPlanAnswer answer, const char* why)
{
    int at = 0;
    while (at < result->reasonCount &&
           (result->reasons[at].answer != answer || strcmp(result->reasons[at].why, why) != 0))
        ++at;
    if (at == shownReasons)
        return;
    if (at == result->reasonCount)
        result->reasons[result->reasonCount++] = (Reason){.answer = answer, .why = why};
    result->reasons[at].count += 1;
}

// Asks the planners of all who are not there.
static void countReasons(const thWorld* world, RunResult* result)
{
    const thAgentView view = thWorld_GetAgentView(world);
    for (int32_t slot = 0; slot < view.slotCount; ++slot) {
        const thAgentRow* row = &view.rows[slot];
        if (row->flags == 0 || (row->flags & th_agentArrived) != 0)
            continue;
        const thAgentId agent = thWorld_FindAgent(world, row->key);
        const thAgentInfo info = thAgent_GetInfo(world, agent);
        thPath path;
        if (info.goal.value != 0 && info.answer != th_planComplete &&
            thAgent_GetPath(world, agent, NULL, 0, &path) == th_resultOk &&
            path.answer == info.answer && path.why != NULL)
            countReason(result, path.answer, path.why);
    }
}

static void describeStraggler(const thRun* run, const thSceneInfo* info, thAgentId agent,
                              Straggler* to)
{
    const thAgentRow row = thAgent_Get(thRun_GetWorld(run), agent);
    *to = (Straggler){.key = row.key,
                      .entry = thRun_GetEntry(run, agent),
                      .x = info->originX + (double)row.position.x,
                      .y = info->originY + (double)row.position.y};
}

// Fills in what a result tells of those who are underway.
static void findStragglers(const thRun* run, const thSceneInfo* info, RunResult* result)
{
    thAgentId agents[shownStragglers];
    result->underway = thRun_GetUnderway(run, agents, shownStragglers);
    for (int i = 0; i < result->underway && i < shownStragglers; ++i)
        describeStraggler(run, info, agents[i], &result->stragglers[i]);
    if (result->underway > 0)
        countReasons(thRun_GetWorld(run), result);
}

// --- The run ---

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
        beginRunSurvey(&session->survey, session->job, session->info.step, session->run);
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
        addTime(session->times, &counters, agents > counters.agents ? agents : counters.agents);
        const double begin = appClock();
        result = thTally_Observe(session->tally, thRun_GetTime(session->run));
        session->times->measure += 1e9 * (appClock() - begin);
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
        const double begin = appClock();
        surveyStep(&session->survey, steps);
        session->times->measure += 1e9 * (appClock() - begin);
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
        result->measureMs = NAN;
        return;
    }
    result->msMedian = 1e-6 * quantileOf(times, 0.5);
    result->msP95 = 1e-6 * quantileOf(times, 0.95);
    result->msMean = 1e-6 * meanTime(times);
    for (int stage = 0; stage < th_stageCount; ++stage)
        result->stagesMs[stage] = 1e-6 * meanStageTime(times, (thStage)stage);
    result->measureMs = 1e-6 * times->measure / (double)times->steps;
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
                          .tracks = session->job->tracks,
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
    findStragglers(session->run, &session->info, result);
    const int32_t closings = thRun_GetClosings(session->run, NULL, 0);
    result->closings = closings > 0 ? malloc((size_t)closings * sizeof *result->closings) : NULL;
    if (result->closings != NULL)
        result->closingCount = thRun_GetClosings(session->run, result->closings, closings);
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
    // A run that failed leaves the hashes that were there, unless it can go on from a snapshot.
    const bool hasHashes = result->isThere || (session.broken && job->snapshot != NULL);
    if (!appCloseOut(&session.hashes, hasHashes) && hasHashes)
        code = exitEnvironment;
    const ExitCode recorded = endRecord(&session, result);
    code = recorded > code ? recorded : code;
    result->survey = endRunSurvey(&session.survey);
    code = session.survey.failed ? exitEnvironment : code;
    freeSession(&session);
    return code;
}
