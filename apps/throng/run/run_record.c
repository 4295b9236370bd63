// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Records a run to a log as it goes, and writes the format that was asked for from it at the end.

#include "run/run_record.h"

#include "output.h"
#include "recording/log_recording.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool isThere(const char* path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

// --- Beginning ---

static bool nameLog(RunRecord* record)
{
    static const char suffix[] = ".thlog";
    const size_t length = strlen(record->path);
    record->isLog = appHasSuffix(record->path, suffix);
    record->log = malloc(length + sizeof suffix);
    if (record->log == NULL) {
        appSay("no memory");
        return false;
    }
    snprintf(record->log, length + sizeof suffix, "%s%s", record->path,
             record->isLog ? "" : suffix);
    return true;
}

static ExitCode createRecorder(RunRecord* record, const RunOptions* options, const thRun* run)
{
    thRecorderDef def = thDefaultRecorderDef();
    def.hasArea = options->area != NULL;
    if (def.hasArea && !appReadArea(options->area, &def.low, &def.high))
        return exitUsage;
    const thResult result = thCreateRecorder(&def, run, &record->recorder);
    if (result != th_resultOk)
        appSay("cannot record: %s", thResult_GetText(result));
    return appExitOf(result);
}

// A log that has no frame yet has not replaced what was there before.
static void stopRecording(RunRecord* record)
{
    record->failed = true;
    if (record->out.isNamed)
        appSay("the run goes on without recording; '%s' has what was before", record->log);
    else
        appSay("the run goes on without recording");
}

// Goes on `after` what that has read, or begins anew if that is NULL.
static ExitCode createWriter(RunRecord* record, const thLogReader* after)
{
    if (after != NULL ? !appReopenLogOut(&record->out, record->log, thLogReader_GetOffset(after))
                      : !appOpenLogOut(&record->out, record->log))
        return exitEnvironment;
    thLogWriterDef def = thDefaultLogWriterDef();
    def.head = record->head;
    def.write = appWriteLog;
    def.writeContext = &record->out;
    def.after = after;
    const thResult result = thCreateLogWriter(&def, &record->writer);
    if (result == th_resultFile) { // and it was said why
        stopRecording(record);
        return exitDone;
    }
    if (result != th_resultOk)
        appSay("cannot record: %s", thResult_GetText(result));
    return appExitOf(result);
}

// --- Going on ---

static bool isSameHead(const RunRecord* record, const thRecordHead* old)
{
    const thRecordHead* head = &record->head;
    if (old->rate != head->rate)
        appSay("cannot go on with '%s': it has %g frames in a second, this run %g", record->log,
               old->rate, head->rate);
    else if (old->scene == NULL || strcmp(old->scene, head->scene) != 0)
        appSay("cannot go on with '%s': it is of another scene", record->log);
    else
        return true;
    return false;
}

// Reads up to the last frame before the run goes on, and counts what is kept. A log that was begun
// later than this has nothing to keep; one that ends before it has a gap.
static ExitCode readKept(RunRecord* record, Recording* old, int64_t last)
{
    Next next = nextFrame;
    int64_t reached = -1;
    while (reached < last && (next = appNextFrame(old)) == nextFrame) {
        reached = old->latest.frame.number;
        record->frames += reached <= last;
        record->hasPeople |= reached <= last && old->latest.frame.count > 0;
    }
    if (next == nextFailed)
        return exitEnvironment;
    if (record->frames == 0 || reached == last)
        return exitDone;
    appSay("cannot go on with '%s': it has no frame %" PRId64 ", after which the run goes on",
           record->log, last);
    return exitUsage;
}

static ExitCode goOnAfter(RunRecord* record, Recording* old, uint64_t stepsDone)
{
    if (!isSameHead(record, &old->head))
        return exitUsage;
    const ExitCode code = readKept(record, old, (int64_t)stepsDone / record->rate.every);
    if (code != exitDone)
        return code;
    if (record->frames == 0)
        return createWriter(record, NULL);
    const thResult result = thRecorder_Know(record->recorder, old->people, old->personCount);
    if (result == th_resultOk)
        return createWriter(record, appGetLogReader(old));
    appSay("cannot go on with '%s': %s", record->log, thResult_GetText(result));
    return appExitOf(result);
}

static ExitCode goOn(RunRecord* record, uint64_t stepsDone)
{
    ExitCode code;
    Recording* old = appOpenRecording(record->log, NULL, &code);
    if (old != NULL)
        code = goOnAfter(record, old, stepsDone);
    appCloseRecording(old);
    return code;
}

// --- Frames ---

void appRecordStep(RunRecord* record, uint64_t stepsDone)
{
    if (record->writer == NULL || record->failed || stepsDone % (uint64_t)record->rate.every != 0)
        return;
    const double begin = appClock();
    thRecording frame;
    const int64_t number = (int64_t)(stepsDone / (uint64_t)record->rate.every);
    thResult result = thRecorder_Take(record->recorder, number, &frame);
    if (result == th_resultOk)
        result = thLogWriter_Add(record->writer, &frame);
    // With its first frame a log is worth more than what was there before; from here on whatever
    // ends the run leaves what was recorded.
    if (result == th_resultOk && !appNameLog(&record->out))
        result = th_resultFile;
    record->frames += result == th_resultOk;
    record->hasPeople |= result == th_resultOk && frame.frame.count > 0;
    record->seconds += appClock() - begin;
    if (result == th_resultOk)
        return;
    record->failed = true;
    if (result != th_resultFile) // that was said
        appSay("cannot record frame %" PRId64 ": %s", number, thResult_GetText(result));
    stopRecording(record);
}

ExitCode appBeginRecord(RunRecord* record, const RunOptions* options, const thScene* scene,
                        const thRun* run, uint64_t stepsDone)
{
    *record = (RunRecord){.path = options->record, .quiet = options->quiet};
    if (options->record == NULL)
        return exitDone;
    const double step = thScene_GetInfo(scene).step;
    record->rate = appUsualRate(step);
    if (options->fps > 0.0 && !appExactRate(step, options->fps, &record->rate))
        return exitUsage;
    record->head = appMakeHead(scene, record->rate.rate, &record->scene);
    if (record->scene == NULL || !nameLog(record))
        return exitEnvironment;
    if (!record->isLog && !appNoteOutput("the log of --record", record->log))
        return exitUsage;
    ExitCode code = createRecorder(record, options, run);
    if (code != exitDone)
        return code;
    if (stepsDone > 0 && isThere(record->log)) {
        code = goOn(record, stepsDone);
    } else if (stepsDone > 0 && isThere(record->path)) {
        appSay("cannot go on with '%s': its log '%s' is not there", record->path, record->log);
        code = exitUsage;
    } else {
        code = createWriter(record, NULL);
    }
    if (code == exitDone && record->frames == 0)
        appRecordStep(record, stepsDone);
    return code;
}

void appSyncRecord(RunRecord* record)
{
    appSyncLog(&record->out);
}

// --- The end ---

static bool copyFrames(Recording* from, RecordingWriter* to)
{
    // The first frame was read, so that shapes are known from the beginning.
    Next next = nextFrame;
    while (next == nextFrame && appAddFrame(to, &from->latest))
        next = appNextFrame(from);
    return next == nextEnd && !from->wasCut;
}

static bool writeFrom(Recording* log, const char* path)
{
    ExitCode code;
    if (appNextFrame(log) != nextFrame)
        return false;
    RecordingWriter* writer =
        appCreateRecording(path, &log->head, log->shapes, log->shapeCount, &code);
    if (writer != NULL && copyFrames(log, writer))
        return appFinishRecording(writer);
    appAbandonRecording(writer);
    return false;
}

static bool convert(const RunRecord* record)
{
    ExitCode code;
    Recording* log = appOpenRecording(record->log, NULL, &code);
    const bool good = log != NULL && writeFrom(log, record->path);
    if (good && !record->quiet)
        appTellLosses(log, record->path);
    appCloseRecording(log);
    return good;
}

// Writes what was asked for from the log, and removes that.
static bool writeAsked(RunRecord* record, bool logStays)
{
    const double begin = appClock();
    struct stat status;
    const bool good = !record->failed && convert(record);
    record->seconds += appClock() - begin;
    if (!good) {
        appSay("the frames are in '%s'; go on with 'throng convert %s %s'", record->log,
               record->log, record->path);
        return false;
    }
    if (stat(record->path, &status) == 0)
        record->bytes = (uint64_t)status.st_size;
    if (!logStays)
        unlink(record->log);
    return true;
}

static void freeRecord(RunRecord* record)
{
    thDestroyLogWriter(record->writer);
    thDestroyRecorder(record->recorder);
    free(record->scene);
    free(record->log);
    record->writer = NULL;
}

ExitCode appEndRecord(RunRecord* record, bool logStays)
{
    const bool wasOpen = record->writer != NULL;
    record->bytes = record->out.size;
    bool good = !record->failed;
    if (wasOpen && !record->isLog && record->out.isNamed)
        good = writeAsked(record, logStays);
    // Last, because nobody else may write that log until it is gone.
    good = appCloseLogOut(&record->out, good);
    record->failed = !good;
    freeRecord(record);
    return good ? exitDone : exitEnvironment;
}
