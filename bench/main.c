// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// throng_bench: the command line.

#include "bench.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

enum { exitDone = 0, exitMissed = 1, exitUsage = 2, exitFile = 3 };
enum { maxRepeats = 1000 };

static const char help[] =
    "usage: throng_bench [options]\n"
    "\n"
    "Measures the library's parts against named baselines.\n"
    "\n"
    "  --filter GLOB      only cases whose name matches, and their baselines\n"
    "  --list             print the cases and stop\n"
    "  --repeats N        samples of each case, 1 to 1000 (default 9)\n"
    "  --quick            two short samples of small cases, no verdict: does everything run?\n"
    "  --csv FILE         also write the results to FILE\n"
    "  --compare OLD.csv  also print the change since the run that wrote OLD.csv\n"
    "  --help             print this and stop\n"
    "\n"
    "Exit code: 0 done, 1 a bound was missed on a quiet machine, 2 bad usage, 3 a file could\n"
    "not be read or written.\n";

typedef struct Options {
    const char* filter;
    const char* csv;
    const char* compare;
    int32_t repeats; // 0: not given
    bool list;
    bool quick;
    bool help;
} Options;

static bool readRepeats(const char* text, int32_t* repeats)
{
    char* end;
    const long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || value < 1 || value > maxRepeats) {
        fprintf(stderr, "throng_bench: --repeats is '%s', expected a number from 1 to %d\n", text,
                maxRepeats);
        return false;
    }
    *repeats = (int32_t)value;
    return true;
}

static bool takeOption(int option, const char* argument, Options* options)
{
    switch (option) {
    case 'f':
        options->filter = optarg;
        return true;
    case 'c':
        options->csv = optarg;
        return true;
    case 'o':
        options->compare = optarg;
        return true;
    case 'r':
        return readRepeats(optarg, &options->repeats);
    case 'l':
        options->list = true;
        return true;
    case 'q':
        options->quick = true;
        return true;
    case 'h':
        options->help = true;
        return true;
    case ':':
        fprintf(stderr, "throng_bench: '%s' needs a value; see --help\n", argument);
        return false;
    default:
        fprintf(stderr, "throng_bench: '%s' is not an option; see --help\n", argument);
        return false;
    }
}

static bool readOptions(int argc, char** argv, Options* options)
{
    static const struct option known[] = {
        {"filter", required_argument, NULL, 'f'},  {"csv", required_argument, NULL, 'c'},
        {"compare", required_argument, NULL, 'o'}, {"repeats", required_argument, NULL, 'r'},
        {"list", no_argument, NULL, 'l'},          {"quick", no_argument, NULL, 'q'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0},
    };
    for (;;) {
        const char* argument = argv[optind];
        const int option = getopt_long(argc, argv, "+:", known, NULL);
        if (option == -1)
            break;
        if (!takeOption(option, argument, options))
            return false;
    }
    if (optind < argc) {
        fprintf(stderr, "throng_bench: '%s' is unexpected, only options are; see --help\n",
                argv[optind]);
        return false;
    }
    return true;
}

// Why bounds say nothing about this run, or NULL.
static const char* findObstacle(const thBenchRun* run, bool quick)
{
    const double limit = thiBenchBusyLimit(run->threads);
    if (quick)
        return "quick run";
    if (BENCH_SLOW_BUILD)
        return "build with checks or without optimization";
    if (run->othersBefore < 0 || run->othersDuring < 0)
        return "unknown load";
    if (run->othersBefore > limit || run->othersDuring > limit)
        return "busy machine";
    return NULL;
}

static int measure(thBenchRun* run, const Options* options, const thBenchOld* old)
{
    run->repeats = options->repeats > 0 ? options->repeats : options->quick ? 2 : 9;
    run->sampleTime = options->quick ? 500000 : 20000000;
    run->quick = options->quick;
    run->othersBefore = thiBenchOthersNow();
    thiBenchPrintHeading(run);
    if (!thiBenchMeasure(run))
        return exitFile;
    run->noVerdict = findObstacle(run, options->quick);
    const int32_t missed = thiBenchJudge(run);
    thiBenchPrintTable(run);
    if (old != NULL)
        thiBenchPrintComparison(run, old);
    if (options->csv != NULL && !thiBenchWriteCsv(run, options->csv))
        return exitFile;
    return missed > 0 ? exitMissed : exitDone;
}

static int runCases(thBenchRun* run, const Options* options)
{
    if (run->count == 0) {
        fprintf(stderr, "throng_bench: no case matches '%s'; --list shows the names\n",
                options->filter);
        return exitUsage;
    }
    if (options->list) {
        thiBenchPrintList(run);
        return exitDone;
    }
    // Read before anything is measured or written: a wrong file is noticed at once, and both
    // options may name the same file.
    thBenchOld* old = NULL;
    if (options->compare != NULL) {
        old = thiBenchReadCsv(options->compare);
        if (old == NULL)
            return exitFile;
    }
    const int code = measure(run, options, old);
    thiBenchFreeOld(old);
    return code;
}

int main(int argc, char** argv)
{
    Options options = {0};
    if (!readOptions(argc, argv, &options))
        return exitUsage;
    if (options.help) {
        fputs(help, stdout);
        return exitDone;
    }
    thBenchRun run = {0};
    const int code = thiBenchSelect(&run, options.filter) ? runCases(&run, &options) : exitUsage;
    thiBenchFree(&run);
    return code;
}
