// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// throng_bench_detour: one scene in throng and in DetourCrowd, side by side.

#include "load_scene.h"
#include "race.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

static const char help[] =
    "usage: throng_bench_detour [options] [SCENE]\n"
    "\n"
    "Steps a scene (a file or a name, default random-1k) in throng and in DetourCrowd by turns,\n"
    "one thread each, and prints what steps cost and how many bodies overlap.\n"
    "\n"
    "  --steps N    steps to measure, 1 to 10000 (default 40)\n"
    "  --warm-up N  steps before these, 0 to 1000000 (default 10)\n"
    "  --help       print this and stop\n"
    "\n"
    "DetourCrowd walks on a flat square: walls and moving obstacles are there for throng only.\n"
    "Exit code: 0 done, 2 bad usage or a scene that cannot be compared, 3 a file or memory.\n";

typedef struct Options {
    const char* scene;
    int32_t steps, warmUp;
    bool help;
} Options;

static bool readWhole(const char* option, const char* text, int32_t min, int32_t max,
                      int32_t* value)
{
    char* end;
    const long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || number < min || number > max) {
        appSay("%s is '%s', expected a whole number from %d to %d", option, text, (int)min,
               (int)max);
        return false;
    }
    *value = (int32_t)number;
    return true;
}

static bool takeOption(int option, const char* argument, Options* options)
{
    switch (option) {
    case 's':
        return readWhole("--steps", optarg, 1, raceStepsMost, &options->steps);
    case 'w':
        return readWhole("--warm-up", optarg, 0, 1000000, &options->warmUp);
    case 'h':
        options->help = true;
        return true;
    case ':':
        appSay("'%s' needs a value; see --help", argument);
        return false;
    default:
        appSay("'%s' is not an option; see --help", argument);
        return false;
    }
}

static bool readOptions(int argc, char** argv, Options* options)
{
    static const struct option known[] = {
        {"steps", required_argument, NULL, 's'},
        {"warm-up", required_argument, NULL, 'w'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    for (;;) {
        const int option = getopt_long(argc, argv, ":", known, NULL);
        if (option == -1)
            break;
        if (!takeOption(option, argv[optind - 1], options))
            return false;
    }
    if (optind < argc)
        options->scene = argv[optind++];
    if (optind < argc) {
        appSay("'%s' is unexpected, one scene is enough; see --help", argv[optind]);
        return false;
    }
    return true;
}

static void printHeading(const thScene* scene, const Race* race)
{
    const thSceneInfo info = thScene_GetInfo(scene);
    const int32_t obstacles = thWorld_GetCounters(thRun_GetWorld(race->run)).obstacles;
    printf("%s, steps of %g s\n", info.name, info.step);
    printf("throng: %s, instruction set %s\n", thScene_GetMethod(scene, 0, th_methodAvoid),
           thSimd_GetName(thSimd_Resolve(th_simdAuto)));
    detourPrintSettings(race->theirs.crowd);
    if (obstacles > 0)
        printf("obstacles (%d here) are there for throng only, DetourCrowd walks through them\n",
               (int)obstacles);
}

static void printTable(const Race* race, int32_t warmUp)
{
    static const char* const names[] = {"throng", "DetourCrowd"};
    printf("medians of processor time, steps %d to %d\n\n", (int)warmUp + 1,
           (int)(warmUp + race->stepsMeasured));
    printf("%-12s %7s %7s %14s %9s %14s %6s\n", "engine", "agents", "threads", "ns/agent-step",
           "ms/step", "overlaps/step", "m/s");
    for (int32_t engine = 0; engine < engineCount; ++engine) {
        const Lane* lane = &race->lanes[engine];
        printf("%-12s %7d %7d %14.1f %9.3f %14.1f %6.2f\n", names[engine], (int)lane->agents, 1,
               lane->agentTime, lane->stepTime, lane->overlaps, lane->speed);
    }
    printf("\nDetourCrowd takes %.2f times as long for an agent and step\n",
           race->lanes[engineDetour].agentTime / race->lanes[engineThrong].agentTime);
}

static ExitCode compare(const thScene* scene, const Options* options)
{
    thRunDef def = thDefaultRunDef();
    def.world.workerCount = 1;
    thRun* run = NULL;
    ExitCode code = appCreateRun(scene, &def, &run);
    Race race = {0};
    if (code == exitDone)
        code = createRace(&race, run, (float)thScene_GetInfo(scene).step);
    if (code == exitDone) {
        printHeading(scene, &race);
        code = runRace(&race, options->warmUp, options->steps);
    }
    if (code == exitDone)
        printTable(&race, options->warmUp);
    freeRace(&race);
    thDestroyRun(run);
    return code;
}

static ExitCode loadAndCompare(const char* path, const Options* options)
{
    thScene* scene = NULL;
    ExitCode code = appLoadScene(path, &(TextList){0}, &scene);
    if (code == exitDone && thScene_GetInfo(scene).comingAgents != 0) {
        appSay("'%s' has sources; only agents that are there from the beginning can be compared",
               path);
        code = exitUsage;
    }
    if (code == exitDone)
        code = compare(scene, options);
    thDestroyScene(scene);
    return code;
}

int main(int argc, char** argv)
{
    Options options = {.scene = "random-1k", .steps = 40, .warmUp = 10};
    appSetSpeaker("bench_detour");
    if (!readOptions(argc, argv, &options))
        return exitUsage;
    if (options.help) {
        fputs(help, stdout);
        return exitDone;
    }
    ExitCode code;
    char* path = appFindScene(options.scene, &code);
    if (path != NULL)
        code = loadAndCompare(path, &options);
    free(path);
    return (int)code;
}
