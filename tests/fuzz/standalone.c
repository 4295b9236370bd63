// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Runs a fuzz target without libFuzzer: on files, on all files of directories, or, with no
// arguments, on random inputs that are the same on every run.

#define _POSIX_C_SOURCE 200809L // opendir

#include "fuzz/fuzz.h"
#include "throng/random.h"

#include <dirent.h>
#include <stdbool.h>

#define RANDOM_INPUTS 500
#define RANDOM_SIZE 1000
#define LARGEST_FILE (1 << 20)

// The whole of a file, or as much as fits; false if it cannot be read.
static bool runFile(const char* path)
{
    FILE* file = fopen(path, "rb");
    if (file == NULL)
        return false;
    // A block of exactly the input's size, so that reading past its end is noticed.
    uint8_t* buffer = malloc(LARGEST_FILE);
    const size_t size = buffer != NULL ? fread(buffer, 1, LARGEST_FILE, file) : 0;
    const bool good = buffer != NULL && ferror(file) == 0;
    fclose(file);
    uint8_t* data = good ? realloc(buffer, size + (size == 0)) : NULL;
    if (data == NULL) {
        free(buffer);
        return false;
    }
    printf("%s: %zu bytes\n", path, size);
    fflush(stdout); // the name is known if the target ends the program
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return true;
}

// How many files were run, negative if one could not be.
static int runPath(const char* path)
{
    DIR* directory = opendir(path);
    if (directory == NULL)
        return runFile(path) ? 1 : -1;
    int count = 0;
    for (struct dirent* entry = readdir(directory); entry != NULL && count >= 0;
         entry = readdir(directory)) {
        char name[4096];
        if (entry->d_name[0] == '.')
            continue;
        const int length = snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (length < 0 || (size_t)length >= sizeof name || !runFile(name))
            count = -1;
        else
            count += 1;
    }
    closedir(directory);
    return count;
}

static void runRandomInputs(void)
{
    for (uint32_t i = 0; i < RANDOM_INPUTS; ++i) {
        const uint64_t stream = thRandomStream(1, i, 0, 0);
        const size_t size = thRandomBits(stream, 0) % (RANDOM_SIZE * (i + 1) / RANDOM_INPUTS + 1);
        uint8_t* data = malloc(size + (size == 0));
        if (data == NULL)
            abort();
        // Some inputs have few different bytes, which keeps to fewer kinds of operations.
        const uint8_t mask = i % 3 == 0 ? 0x07 : 0xff;
        for (size_t k = 0; k < size; ++k)
            data[k] = (uint8_t)(thRandomBits(stream, (uint32_t)k + 1) >> 24) & mask;
        LLVMFuzzerTestOneInput(data, size);
        free(data);
    }
}

int main(int argc, char** argv)
{
    if (argc < 2)
        runRandomInputs();
    for (int i = 1; i < argc; ++i) {
        // A corpus that is not there would test nothing, and nobody would notice.
        if (runPath(argv[i]) <= 0) {
            fprintf(stderr, "%s: no such file, or no files in it\n", argv[i]);
            return 1;
        }
    }
    return 0;
}
