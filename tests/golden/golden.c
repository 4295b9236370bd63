// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Runs a subject and prints what each stage of each step left behind, as hashes or row by row.
// golden_compare starts it in many forms and compares what they print.

#include "subject.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: golden [--simd SET] [--threads N] [--shuffle 1] [--plant STEP:STAGE:KEY:FIELD] "
    "COMMAND\n"
    "  list                      names of the subjects\n"
    "  widths                    instruction sets this build and machine have\n"
    "  run SUBJECT               step, stage and hash, a line each\n"
    "  dump SUBJECT STEP STAGE   key, field and bits, a line each, in key order\n"
    "--shuffle creates agents in another order.\n"
    "--plant flips the lowest bit of one value: an error for the finder to find.\n";

typedef struct Place {
    uint64_t step;
    uint64_t key;
    char stage[32];
    char field[32];
} Place;

typedef struct Run {
    bool shuffle;
    bool plants;
    Place plant;
    bool dumps; // else hashes are printed
    Place dump;
} Run;

static void plantError(const thStageRows* rows, const Place* place)
{
    if (rows->step != place->step || strcmp(rows->stage, place->stage) != 0)
        return;
    for (int32_t c = 0; c < rows->columnCount; ++c)
        for (int32_t row = 0; row < rows->count; ++row) {
            const thColumn* column = &rows->columns[c];
            if (rows->keys[row] == place->key && strcmp(column->name, place->field) == 0)
                ((unsigned char*)column->data)[(size_t)row * (size_t)column->itemSize] ^= 1;
        }
}

typedef struct KeyRow {
    uint64_t key;
    int32_t row;
} KeyRow;

static int byKey(const void* left, const void* right)
{
    const uint64_t a = ((const KeyRow*)left)->key, b = ((const KeyRow*)right)->key;
    return a < b ? -1 : a > b;
}

static void dumpRows(const thStageRows* rows)
{
    KeyRow* order = malloc((size_t)rows->count * sizeof *order + 1);
    if (order == NULL)
        return;
    for (int32_t row = 0; row < rows->count; ++row)
        order[row] = (KeyRow){rows->keys[row], row};
    qsort(order, (size_t)rows->count, sizeof *order, byKey);
    for (int32_t i = 0; i < rows->count; ++i)
        for (int32_t c = 0; c < rows->columnCount; ++c)
            printf("%" PRIu64 " %s %0*" PRIx64 "\n", order[i].key, rows->columns[c].name,
                   2 * rows->columns[c].itemSize, thiColumnBits(&rows->columns[c], order[i].row));
    free(order);
}

static void onStage(void* context, const thStageRows* rows)
{
    const Run* run = context;
    if (run->plants)
        plantError(rows, &run->plant);
    if (!run->dumps)
        printf("%" PRIu64 " %s %016" PRIx64 "\n", rows->step, rows->stage, thiStageHash(rows));
    else if (rows->step == run->dump.step && strcmp(rows->stage, run->dump.stage) == 0)
        dumpRows(rows);
}

static int runSubject(const Subject* subject, thSimd simd, int32_t threads, Run* run)
{
    thTasksDef def = thDefaultTasksDef();
    def.workerCount = threads;
    thTasks* tasks;
    const thResult code = thCreateTasks(&def, &tasks);
    if (code != th_resultOk) {
        fprintf(stderr, "golden: %d threads: %s\n", threads, thResult_GetText(code));
        return 3;
    }
    const SubjectOptions options = {simd, tasks, run->shuffle};
    void* self = subject->create(&options);
    if (self == NULL) {
        fprintf(stderr, "golden: %s: no memory\n", subject->name);
        thDestroyTasks(tasks);
        return 3;
    }
    const thTrace trace = {run, onStage};
    for (int32_t i = 0; i < subject->steps; ++i) {
        if (run->dumps && (uint64_t)i > run->dump.step)
            break;
        subject->step(self, &trace);
    }
    subject->destroy(self);
    thDestroyTasks(tasks);
    return 0;
}

static const Subject* findSubject(const char* name)
{
    for (int32_t i = 0; subjects[i] != NULL; ++i)
        if (strcmp(subjects[i]->name, name) == 0)
            return subjects[i];
    return NULL;
}

static int badUsage(const char* what)
{
    fprintf(stderr, "golden: %s\n%s", what, usage);
    return 2;
}

static int runCommand(char** words, int count, thSimd simd, int32_t threads, Run* run)
{
    const char* command = words[0];
    if (count == 1 && strcmp(command, "list") == 0) {
        for (int32_t i = 0; subjects[i] != NULL; ++i)
            puts(subjects[i]->name);
        return 0;
    }
    if (count == 1 && strcmp(command, "widths") == 0) {
        for (int32_t i = th_simdScalar; i < th_simdCount; ++i)
            if (thSimd_IsAvailable((thSimd)i))
                puts(thSimd_GetName((thSimd)i));
        return 0;
    }
    run->dumps = count == 4 && strcmp(command, "dump") == 0;
    if (!run->dumps && !(count == 2 && strcmp(command, "run") == 0))
        return badUsage("unknown command");
    if (run->dumps) {
        run->dump.step = strtoull(words[2], NULL, 10);
        snprintf(run->dump.stage, sizeof run->dump.stage, "%s", words[3]);
    }
    const Subject* subject = findSubject(words[1]);
    return subject == NULL ? badUsage("no such subject") : runSubject(subject, simd, threads, run);
}

int main(int argc, char** argv)
{
    thSimd simd = th_simdAuto;
    int32_t threads = 1;
    Run run = {0};
    int at = 1;
    for (; at + 1 < argc && strncmp(argv[at], "--", 2) == 0; at += 2) {
        const char* value = argv[at + 1];
        if (strcmp(argv[at], "--simd") == 0) {
            if (thSimd_FromName(value, &simd) != th_resultOk || !thSimd_IsAvailable(simd))
                return badUsage("--simd takes one of `golden widths`");
        } else if (strcmp(argv[at], "--threads") == 0) {
            threads = (int32_t)strtol(value, NULL, 10);
        } else if (strcmp(argv[at], "--shuffle") == 0) {
            run.shuffle = strcmp(value, "0") != 0;
        } else if (strcmp(argv[at], "--plant") == 0) {
            run.plants = sscanf(value, "%" SCNu64 ":%31[^:]:%" SCNu64 ":%31s", &run.plant.step,
                                run.plant.stage, &run.plant.key, run.plant.field) == 4;
            if (!run.plants)
                return badUsage("--plant takes STEP:STAGE:KEY:FIELD");
        } else {
            return badUsage("unknown option");
        }
    }
    if (at >= argc)
        return badUsage("no command");
    return runCommand(argv + at, argc - at, thSimd_Resolve(simd), threads, &run);
}
