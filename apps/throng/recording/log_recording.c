// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Our own log as a kind of recording, and the file that it is written to.

#include "recording/log_recording.h"

#include "output.h"
#include "recording/recording_kinds.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --- The file ---

static int descriptorOf(const LogOut* out)
{
    return out->file.stream != NULL ? fileno(out->file.stream) : out->old;
}

// Devices cannot be cut, and need not be.
static bool cut(const LogOut* out)
{
    const int file = descriptorOf(out);
    const off_t end = (off_t)out->size;
    return (ftruncate(file, end) == 0 || errno == EINVAL) &&
           (lseek(file, end, SEEK_SET) == end || errno == ESPIPE);
}

bool appOpenLogOut(LogOut* out, const char* path)
{
    *out = (LogOut){.path = path, .old = -1};
    out->isOpen = appOpenOut(&out->file, path);
    return out->isOpen;
}

bool appReopenLogOut(LogOut* out, const char* path, uint64_t size)
{
    *out = (LogOut){.path = path, .size = size, .isNamed = true};
    out->old = open(path, O_WRONLY | O_CLOEXEC);
    if (out->old < 0)
        appSayCannot("write", path);
    else if (appLockFile(out->old, path)) {
        out->isOpen = cut(out);
        if (!out->isOpen)
            appSayCannot("write", path);
    }
    if (out->old >= 0 && !out->isOpen)
        close(out->old);
    return out->isOpen;
}

bool appNameLog(LogOut* out)
{
    if (!out->isNamed)
        out->isNamed = appNameOut(&out->file);
    return out->isNamed;
}

thResult appWriteLog(void* out, const void* data, size_t size)
{
    LogOut* log = out;
    if (appWriteAll(descriptorOf(log), data, size)) {
        log->size += size;
        return th_resultOk;
    }
    appSayCannot("write", log->path);
    cut(log); // where even this fails, readers find the end of what is complete
    return th_resultFile;
}

void appSyncLog(LogOut* out)
{
    if (out->isOpen)
        fsync(descriptorOf(out));
}

bool appCloseLogOut(LogOut* out, bool isGood)
{
    const bool wasOpen = out->isOpen;
    out->isOpen = false;
    if (!wasOpen || out->file.stream != NULL)
        return appCloseOut(&out->file, isGood);
    if (close(out->old) == 0)
        return isGood;
    appSayCannot("write", out->path);
    return false;
}

// --- Reading ---

typedef struct LogIn {
    int file;
    int reason; // why reading failed, as in errno; 0: it did not
    thLogReader* reader;
} LogIn;

static int64_t readLog(void* context, uint64_t offset, void* data, size_t size)
{
    LogIn* log = context;
    ssize_t got;
    do
        got = pread(log->file, data, size, (off_t)offset);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        log->reason = errno;
    return got;
}

static Next nextOfLog(Recording* self)
{
    LogIn* log = self->own;
    const uint64_t end = thLogReader_GetOffset(log->reader);
    switch (thLogReader_Next(log->reader, &self->latest)) {
    case th_logFrame:
        return nextFrame;
    case th_logEnd:
        return nextEnd;
    case th_logCut:
        appSay("'%s' ends in the middle of a frame; those before it are complete", self->path);
        self->wasCut = true;
        return nextEnd;
    case th_logDamaged:
        appSay("'%s' is damaged behind byte %" PRIu64 "; only the frames before it are read",
               self->path, end);
        self->wasCut = true;
        return nextEnd;
    default:
        appSay("cannot read '%s': %s", self->path,
               log->reason != 0 ? strerror(log->reason) : "no memory");
        return nextFailed;
    }
}

static void freeLog(LogIn* log)
{
    thDestroyLogReader(log->reader);
    if (log->file >= 0)
        close(log->file);
    free(log);
}

static void closeLog(Recording* self)
{
    freeLog(self->own);
}

static const RecordingKind logKind = {".thlog", "our own log", nextOfLog, closeLog};

static ExitCode beginReading(LogIn* log, const char* path)
{
    log->file = open(path, O_RDONLY | O_CLOEXEC);
    if (log->file < 0) {
        appSayCannot("read", path);
        return exitEnvironment;
    }
    thError error = {0};
    thLogReaderDef def = thDefaultLogReaderDef();
    def.read = readLog;
    def.readContext = log;
    const thResult result = thCreateLogReader(&def, &log->reader, &error);
    if (result == th_resultOk)
        return exitDone;
    appSay("cannot read '%s': %s", path,
           log->reason != 0        ? strerror(log->reason)
           : error.text[0] != '\0' ? error.text
                                   : thResult_GetText(result));
    return log->reason != 0 ? exitEnvironment : appExitOf(result);
}

ExitCode appOpenLog(Recording* recording, const RecordingDef* def)
{
    LogIn* log = calloc(1, sizeof *log);
    if (log == NULL) {
        appSay("cannot read '%s': no memory", recording->path);
        return exitEnvironment;
    }
    const ExitCode code = beginReading(log, recording->path);
    if (code != exitDone) {
        freeLog(log);
        return code;
    }
    recording->kind = &logKind;
    recording->own = log;
    recording->head = thLogReader_GetHead(log->reader);
    if (def->rate > 0.0)
        recording->head.rate = def->rate;
    return exitDone;
}

const thLogReader* appGetLogReader(const Recording* recording)
{
    const LogIn* log = recording->own;
    return log->reader;
}

// --- Writing ---

typedef struct LogFile {
    LogOut out;
    thLogWriter* writer;
    // Those at the beginning; the first frame brings them, unless it has its own. [then NULL]
    thRecordedShape* shapes;
    int32_t shapeCount;
    bool failed;
} LogFile;

static bool addToLog(RecordingWriter* self, const thRecording* frame)
{
    LogFile* log = self->own;
    thRecording whole = *frame;
    if (whole.shapes == NULL && log->shapes != NULL) {
        whole.shapes = log->shapes;
        whole.shapeCount = log->shapeCount;
    }
    const thResult result = thLogWriter_Add(log->writer, &whole);
    free(log->shapes);
    log->shapes = NULL;
    log->failed = result != th_resultOk;
    if (log->failed && result != th_resultFile) // that was said
        appSay("cannot write frame %" PRId64 " to '%s': %s", frame->frame.number, self->path,
               thResult_GetText(result));
    return !log->failed;
}

static bool finishLog(RecordingWriter* self)
{
    LogFile* log = self->own;
    thDestroyLogWriter(log->writer);
    const bool good = appCloseLogOut(&log->out, !log->failed && !self->isAbandoned);
    free(log->shapes);
    free(log);
    return good;
}

static const RecordingWriterKind logWriterKind = {".thlog", "our own log", addToLog, finishLog};

static thResult createWriter(LogFile* log, const thRecordHead* head)
{
    thLogWriterDef def = thDefaultLogWriterDef();
    def.head = *head;
    def.write = appWriteLog;
    def.writeContext = &log->out;
    return thCreateLogWriter(&def, &log->writer);
}

ExitCode appBeginLog(RecordingWriter* writer, const thRecordedShape* shapes, int32_t count)
{
    LogFile* log = calloc(1, sizeof *log);
    thRecordedShape* copies = appCopyShapes(shapes, count);
    if (log == NULL || copies == NULL) {
        appSay("cannot write '%s': no memory", writer->path);
        free(log);
        free(copies);
        return exitEnvironment;
    }
    log->shapes = copies;
    log->shapeCount = count;
    writer->kind = &logWriterKind;
    writer->own = log;
    thResult result = th_resultFile;
    if (appOpenLogOut(&log->out, writer->path)) {
        result = createWriter(log, &writer->head);
        if (result != th_resultOk && result != th_resultFile)
            appSay("cannot write '%s': %s", writer->path, thResult_GetText(result));
    }
    log->failed = result != th_resultOk;
    if (log->failed)
        finishLog(writer);
    return appExitOf(result);
}
