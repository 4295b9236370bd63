// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "hash_file.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool isRegular(const char* path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

// Where the lines of the first steps end.
static long findEnd(FILE* stream, uint64_t stepsDone)
{
    char line[256];
    long end = 0;
    uint64_t step;
    while (fgets(line, sizeof line, stream) != NULL && strchr(line, '\n') != NULL &&
           sscanf(line, "%" SCNu64, &step) == 1 && step <= stepsDone)
        end = ftell(stream);
    return end;
}

bool appOpenHashes(OutFile* file, const char* path, uint64_t stepsDone)
{
    if (stepsDone == 0 || !isRegular(path))
        return appOpenOut(file, path);
    *file = (OutFile){.path = path, .stream = fopen(path, "r+")};
    if (file->stream != NULL) {
        const long end = findEnd(file->stream, stepsDone);
        if (fseek(file->stream, end, SEEK_SET) == 0 && ftruncate(fileno(file->stream), end) == 0)
            return true;
        fclose(file->stream);
        file->stream = NULL;
    }
    appSayCannot("write", path);
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
