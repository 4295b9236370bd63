// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The state of a run in files: snapshots to go on from, and the hash of every step.

#include "run/state_files.h"

#include "output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --- Snapshots ---

static const char magic[8] = "thsnap 1";

enum { partMade, partTally, partRun, partCount };

typedef struct Header {
    char magic[8];
    uint64_t sizes[partCount];
} Header;

char* appDescribeRun(const RunOptions* options, uint64_t seed)
{
    char* text = NULL;
    size_t size = 0;
    FILE* stream = open_memstream(&text, &size);
    if (stream == NULL)
        return NULL;
    static const char* const kinds[th_methodKindCount] = {"plan", "group", "avoid"};
    fprintf(stream, "--seed %" PRIu64, seed);
    for (int kind = 0; kind < th_methodKindCount; ++kind)
        if (options->methods[kind] != NULL)
            fprintf(stream, " --%s %s", kinds[kind], options->methods[kind]);
    for (int32_t i = 0; i < options->changes.count; ++i)
        fprintf(stream, " --set %s", options->changes.items[i]);
    if (options->checkWalls)
        fputs(" --check-walls", stream);
    return fclose(stream) == 0 ? text : NULL;
}

// FNV-1a.
static uint64_t checksum(const unsigned char* data, size_t size)
{
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 0; i < size; ++i)
        sum = (sum ^ data[i]) * 1099511628211u;
    return sum;
}

bool appSaveRun(const char* path, const char* made, const thRun* run, const thTally* tally)
{
    Header header = {.sizes = {strlen(made)}};
    size_t tallySize, runSize;
    memcpy(header.magic, magic, sizeof magic);
    thResult result = thTally_Save(tally, NULL, 0, &tallySize);
    if (result == th_resultOk)
        result = thRun_Save(run, NULL, 0, &runSize);
    if (result != th_resultOk) {
        appSay("cannot save the run: %s", thResult_GetText(result));
        return false;
    }
    header.sizes[partTally] = tallySize;
    header.sizes[partRun] = runSize;
    const size_t checked = sizeof header + strlen(made) + tallySize + runSize;
    unsigned char* data = malloc(checked + sizeof(uint64_t));
    if (data == NULL) {
        appSay("cannot save the run: no memory for %zu bytes", checked);
        return false;
    }
    unsigned char* at = data;
    memcpy(at, &header, sizeof header);
    memcpy(at += sizeof header, made, strlen(made));
    result = thTally_Save(tally, at += strlen(made), tallySize, &tallySize);
    if (result == th_resultOk)
        result = thRun_Save(run, at += tallySize, runSize, &runSize);
    bool good = result == th_resultOk;
    if (good) {
        const uint64_t sum = checksum(data, checked);
        memcpy(data + checked, &sum, sizeof sum);
        good = appReplaceFile(path, data, checked + sizeof sum);
    } else {
        appSay("cannot save the run: %s", thResult_GetText(result));
    }
    free(data);
    return good;
}

// The header, if the file is complete and undamaged.
static bool readHeader(const unsigned char* data, size_t size, Header* header)
{
    uint64_t sum;
    if (size < sizeof *header + sizeof sum)
        return false;
    memcpy(header, data, sizeof *header);
    uint64_t left = size - sizeof *header - sizeof sum;
    for (int part = 0; part < partCount; ++part) {
        if (header->sizes[part] > left)
            return false;
        left -= header->sizes[part];
    }
    memcpy(&sum, data + size - sizeof sum, sizeof sum);
    return left == 0 && sum == checksum(data, size - sizeof sum);
}

static ExitCode restore(const char* path, const char* made, const Header* header,
                        const unsigned char* parts, thRun* run, thTally* tally)
{
    const size_t madeSize = header->sizes[partMade], tallySize = header->sizes[partTally];
    if (strlen(made) != madeSize || memcmp(parts, made, madeSize) != 0) {
        appSay("cannot resume from '%s': it was made with '%.*s', this run has '%s'", path,
               (int)madeSize, (const char*)parts, made);
        return exitUsage;
    }
    thError error = {0};
    thResult result =
        thRun_Restore(run, parts + madeSize + tallySize, header->sizes[partRun], &error);
    if (result == th_resultOk)
        result = thTally_Restore(tally, parts + madeSize, tallySize, &error);
    if (result == th_resultOk)
        return exitDone;
    appSay("cannot resume from '%s': %s", path,
           error.text[0] != '\0' ? error.text : thResult_GetText(result));
    return appExitOf(result);
}

ExitCode appResumeRun(const char* path, const char* made, thRun* run, thTally* tally)
{
    size_t size;
    Header header;
    unsigned char* data = appReadFile(path, &size);
    if (data == NULL)
        return exitEnvironment;
    ExitCode code = exitUsage;
    if (size < sizeof magic || memcmp(data, magic, sizeof magic) != 0)
        appSay("cannot resume from '%s': it is no saved run", path);
    else if (!readHeader(data, size, &header))
        appSay("cannot resume from '%s': it is damaged", path);
    else
        code = restore(path, made, &header, data + sizeof header, run, tally);
    free(data);
    return code;
}

// --- Hashes ---

// Where the lines of the first steps end; `*last` is the last of these steps.
static long findEnd(FILE* stream, uint64_t stepsDone, uint64_t* last)
{
    char line[256];
    long end = 0;
    uint64_t step;
    *last = 0;
    while (fgets(line, sizeof line, stream) != NULL && strchr(line, '\n') != NULL &&
           sscanf(line, "%" SCNu64, &step) == 1 && step <= stepsDone) {
        end = ftell(stream);
        *last = step;
    }
    return end;
}

// Cuts a file, and goes on there.
static bool cutAt(FILE* stream, long end)
{
    return fseek(stream, end, SEEK_SET) == 0 && ftruncate(fileno(stream), end) == 0;
}

// The lines of the first steps of an earlier file. There may be none.
static bool copyLines(OutFile* file, uint64_t stepsDone)
{
    char line[256];
    uint64_t last;
    FILE* before = fopen(file->target, "r");
    if (before == NULL)
        return true;
    const long end = findEnd(before, stepsDone, &last);
    rewind(before);
    while (ftell(before) < end && fgets(line, sizeof line, before) != NULL)
        appWriteOut(file, line, strlen(line));
    fclose(before);
    return file->reason == 0;
}

bool appOpenHashes(OutFile* file, const char* path, uint64_t stepsDone)
{
    if (stepsDone == 0)
        return appOpenOut(file, path);
    if (!appReopenOut(file, path))
        return false;
    if (file->part == NULL) // no plain file
        return true;
    // A run that was killed has left its part, one that ended the file itself.
    uint64_t last;
    const long end = findEnd(file->stream, stepsDone, &last);
    if (cutAt(file->stream, last == stepsDone ? end : 0) &&
        (last == stepsDone || copyLines(file, stepsDone)))
        return true;
    appSayCannot("write", path);
    appCloseOut(file, false);
    return false;
}

static void takeStage(void* context, uint64_t step, const char* stage, uint64_t hash)
{
    (void)step;
    (void)stage;
    StageHashes* stages = context;
    if (stages->count < stageHashesMost)
        stages->hashes[stages->count++] = hash;
}

bool appWatchStages(StageHashes* stages, thWorld* world)
{
    return thWorld_WatchStages(world, takeStage, stages) == th_resultOk;
}

void appWriteHash(OutFile* file, uint64_t step, uint64_t hash, StageHashes* stages)
{
    char line[256];
    int length = snprintf(line, sizeof line, "%" PRIu64 " %016" PRIx64, step, hash);
    for (int32_t i = 0; i < stages->count; ++i)
        length += snprintf(line + length, sizeof line - (size_t)length, " %016" PRIx64,
                           stages->hashes[i]);
    line[length] = '\n';
    appWriteOut(file, line, (size_t)length + 1);
    stages->count = 0;
}
