// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Prints the frames of a log: number, people, and where in the file each ends. Then how the log
// ends.

#include <inttypes.h>
#include <stdio.h>
#include <throng/record.h>

static int64_t readFile(void* context, uint64_t offset, void* data, size_t size)
{
    FILE* file = context;
    if (fseek(file, (long)offset, SEEK_SET) != 0)
        return -1;
    const size_t got = fread(data, 1, size, file);
    return ferror(file) ? -1 : (int64_t)got;
}

static thLogNext printFrames(thLogReader* reader)
{
    thRecording recording;
    thLogNext next;
    while ((next = thLogReader_Next(reader, &recording)) == th_logFrame)
        printf("%" PRId64 " %" PRId32 " %" PRIu64 "\n", recording.frame.number,
               recording.frame.count, thLogReader_GetOffset(reader));
    return next;
}

int main(int argc, char** argv)
{
    static const char* const ends[] = {"", "end", "cut", "damaged", "failed"};
    FILE* file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL)
        return 2;
    thLogReaderDef def = thDefaultLogReaderDef();
    def.read = readFile;
    def.readContext = file;
    thLogReader* reader;
    thError error = {0};
    if (thCreateLogReader(&def, &reader, &error) == th_resultOk)
        puts(ends[printFrames(reader)]);
    else
        printf("no log: %s\n", error.text);
    thDestroyLogReader(reader);
    fclose(file);
    return 0;
}
