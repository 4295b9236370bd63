// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What group method `meso` costs. Whole runs of its scenes by those without it, its stage in a city
// by that of avoidance, how it grows with people and groups, and the worst of crowds.
//
// Runs are the same each time, so of each step the fastest of several counts, taken by turns: that
// leaves out what the machine did besides. Everything is done by one thread.
//
// Usage: throng_meso_cost [RUNS [PART...]]; PART is one of `scenes`, `city`, `groups` and `crowd`.

#include "base/machine.h"
#include "throng/throng.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { mostSteps = 4000, citySteps = 150, cityFirst = 50, seedCount = 4, variantCount = 4 };

// The times of a run, of each step the least so far. [ns]
typedef struct Times {
    int32_t steps;
    int64_t agentSteps; // of those who have not arrived
    int64_t step[mostSteps], prepare[mostSteps], group[mostSteps], avoid[mostSteps];
} Times;

// Without, and with a choice in every fourth, second and single step.
static Times times[variantCount];
static const int32_t every[variantCount] = {0, 4, 2, 1};

static int32_t runs = 3;

static void check(thResult code)
{
    if (code == th_resultOk)
        return;
    fprintf(stderr, "throng_meso_cost: %s\n", thResult_GetText(code));
    exit(3);
}

static void note(int64_t* least, int64_t value, bool isFirst)
{
    if (isFirst || value < *least)
        *least = value;
}

static void noteStep(Times* to, int32_t n, int64_t time, const thWorld* world, bool isFirst)
{
    const thCounters counters = thWorld_GetCounters(world);
    note(&to->step[n], time, isFirst);
    note(&to->prepare[n], counters.stageTime[th_stagePrepare], isFirst);
    note(&to->group[n], counters.stageTime[th_stageGroup], isFirst);
    note(&to->avoid[n], counters.stageTime[th_stageAvoid], isFirst);
}

static int64_t sumOf(const int64_t* of, int32_t first, int32_t end)
{
    int64_t sum = 0;
    for (int32_t i = first; i < end; ++i)
        sum += of[i];
    return sum;
}

// What the method costs of the stages of some steps. [ns]
static int64_t costOf(const Times* with, const Times* without, int32_t first, int32_t end)
{
    return sumOf(with->group, first, end) + sumOf(with->prepare, first, end) -
           sumOf(without->group, first, end) - sumOf(without->prepare, first, end);
}

// Scenes.

static thScene* loadScene(const char* name, int32_t variant)
{
    char path[1024], change[64];
    snprintf(path, sizeof path, "%s/%s.json", BENCH_SCENES, name);
    snprintf(change, sizeof change, "profiles.walker.group={\"meso\": {\"every\": %d}}",
             (int)every[variant]);
    const char* changes[1] = {change};
    thSceneDef def = thDefaultSceneDef();
    def.path = path;
    def.changes = changes;
    def.changeCount = every[variant] > 0;
    thScene* scene;
    check(thLoadScene(&def, &scene));
    return scene;
}

static void runScene(const char* name, int32_t variant, uint64_t seed, int32_t stepMax,
                     bool isFirst)
{
    Times* to = &times[variant];
    thScene* scene = loadScene(name, variant);
    thRunDef def = thDefaultRunDef();
    def.methods[th_methodGroup] = every[variant] > 0 ? NULL : "none";
    def.seed = seed;
    def.world.workerCount = 1;
    thRun* run;
    check(thCreateRun(scene, &def, &run));
    int32_t n = 0;
    for (; n < stepMax && !thRun_IsOver(run); ++n) {
        const int64_t before = thiProcessTime();
        check(thRun_Step(run));
        noteStep(to, n, thiProcessTime() - before, thRun_GetWorld(run), isFirst);
    }
    to->steps = n;
    thDestroyRun(run);
    thDestroyScene(scene);
}

static void runByTurns(const char* name, uint64_t seed, int32_t stepMax)
{
    for (int32_t turn = 0; turn < runs; ++turn)
        for (int32_t v = 0; v < variantCount; ++v)
            runScene(name, v, seed, stepMax, turn == 0);
}

static void measureScenes(void)
{
    static const char* const names[] = {"meso-a", "meso-b", "meso-c"};
    printf("whole runs, with the method by those without; seeds 1 to %d, processor time\n",
           (int)seedCount);
    printf("%-10s %5s %9s %9s %9s %9s %7s %7s\n", "scene", "every", "steps", "without", "ms",
           "without", "of runs", "of steps");
    for (int32_t i = 0; i < 3; ++i) {
        int64_t steps[variantCount] = {0}, time[variantCount] = {0};
        for (uint64_t seed = 1; seed <= seedCount; ++seed) {
            runByTurns(names[i], seed, mostSteps);
            for (int32_t v = 0; v < variantCount; ++v) {
                steps[v] += times[v].steps;
                time[v] += sumOf(times[v].step, 0, times[v].steps);
            }
        }
        for (int32_t v = 1; v < variantCount; ++v) {
            const double ratio = (double)time[v] / (double)time[0];
            printf("%-10s %5d %9lld %9lld %9.2f %9.2f %7.2f %7.2f\n", names[i], (int)every[v],
                   (long long)steps[v], (long long)steps[0], 1e-6 * (double)time[v],
                   1e-6 * (double)time[0], ratio, ratio * (double)steps[0] / (double)steps[v]);
        }
    }
}

static void measureCity(void)
{
    runByTurns("city-100k", 1, citySteps);
    printf("city-100k, steps %d to %d: ms of a step\n", (int)cityFirst, (int)citySteps);
    printf("%5s %9s %9s %9s %9s\n", "every", "prepare", "group", "avoid", "of avoid");
    const double steps = citySteps - cityFirst;
    for (int32_t v = 1; v < variantCount; ++v) {
        const int64_t cost = costOf(&times[v], &times[0], cityFirst, citySteps);
        const int64_t group = sumOf(times[v].group, cityFirst, citySteps);
        const int64_t avoid = sumOf(times[v].avoid, cityFirst, citySteps);
        printf("%5d %9.3f %9.3f %9.3f %9.2f\n", (int)every[v],
               1e-6 * (double)(cost - group) / steps, 1e-6 * (double)group / steps,
               1e-6 * (double)avoid / steps, (double)cost / (double)avoid);
    }
}

// Crowds.

typedef struct Crowd {
    int32_t count, groups; // groups 0: all in a disc, a few against them
} Crowd;

static thVec2 placeIn(const Crowd* crowd, int32_t i, thVec2* velocity)
{
    if (crowd->groups == 0) {
        const float angle = 2.3999632f * (float)i; // as seeds in a sunflower
        const float distance = 14.9f * sqrtf(((float)i + 0.5f) / (float)crowd->count);
        *velocity = (thVec2){i % 250 == 0 ? -1.0f : 1.0f, 0.0f};
        return (thVec2){distance * cosf(angle), distance * sinf(angle)};
    }
    const int32_t members = crowd->count / crowd->groups, group = i / members;
    const int32_t wide = (int32_t)ceilf(sqrtf((float)members));
    const int32_t columns = (int32_t)ceilf(sqrtf((float)crowd->groups));
    const float pitch = (float)wide + 4.0f;
    *velocity = (thVec2){group % 2 == 0 ? 1.0f : -1.0f, 0.0f};
    return (thVec2){pitch * (float)(group % columns) + (float)(i % members % wide),
                    pitch * (float)(group / columns) + (float)(i % members / wide)};
}

// Its first steps, which are so short that it stays as it is.
static void runCrowd(const Crowd* crowd, int32_t variant, int32_t steps, bool isFirst)
{
    thWorldDef worldDef = thDefaultWorldDef();
    worldDef.workerCount = 1;
    thWorld* world;
    check(thCreateWorld(&worldDef, &world));
    thProfileDef def = thDefaultProfileDef();
    def.group.name = variant == 0 ? "none" : "meso";
    thAgentDef agent = thDefaultAgentDef();
    check(thCreateProfile(world, &def, &agent.profile, NULL));
    thGoalId goals[2];
    check(thCreatePointGoal(world, (thVec2){-20000.0f, 0.0f}, &goals[0]));
    check(thCreatePointGoal(world, (thVec2){20000.0f, 0.0f}, &goals[1]));
    for (int32_t i = 0; i < crowd->count; ++i) {
        thAgentId id;
        agent.position = placeIn(crowd, i, &agent.velocity);
        agent.goal = goals[agent.velocity.x > 0.0f];
        agent.radius = crowd->groups == 0 ? 0.15f : 0.25f;
        agent.maxAccel = 0.1f; // they keep their velocities
        check(thCreateAgent(world, &agent, &id));
    }
    for (int32_t n = 0; n < steps; ++n) {
        check(thWorld_Step(world, 0.0001f));
        noteStep(&times[variant], n, 0, world, isFirst);
    }
    times[variant].steps = steps;
    thDestroyWorld(world);
}

// What a choice costs, with what is prepared for it. [ns]
static double costOfChoice(const Crowd* crowd)
{
    enum { steps = 6, first = 2 }; // everybody chooses in every second
    for (int32_t turn = 0; turn < runs; ++turn)
        for (int32_t v = 0; v < 2; ++v)
            runCrowd(crowd, v, steps, turn == 0);
    return (double)costOf(&times[1], &times[0], first, steps) /
           (0.5 * (steps - first) * (double)crowd->count);
}

static void measureGroups(void)
{
    printf("people in groups: ns of a choice\n%9s", "people");
    for (int32_t members = 1000; members >= 10; members /= 10)
        printf("   of %5d", (int)members);
    printf("   of   all\n");
    for (int32_t count = 1000; count <= 64000; count *= 4) {
        printf("%9d", (int)count);
        for (int32_t members = 1000; members >= 10; members /= 10)
            printf(" %10.0f", costOfChoice(&(Crowd){count, count / members}));
        printf(" %10.0f\n", costOfChoice(&(Crowd){count, 1}));
    }
}

static void measureCrowd(void)
{
    printf("5000 people of one velocity within sight, 20 of them against: %.0f ns of a choice\n",
           costOfChoice(&(Crowd){5000, 0}));
}

int main(int argc, char** argv)
{
    static const struct {
        const char* name;
        void (*measure)(void);
    } parts[] = {{"scenes", measureScenes},
                 {"city", measureCity},
                 {"groups", measureGroups},
                 {"crowd", measureCrowd}};
    if (argc > 1)
        runs = atoi(argv[1]);
    if (runs < 1) {
        fprintf(stderr, "usage: throng_meso_cost [RUNS [PART...]]\n");
        return 2;
    }
    for (int32_t i = 0; i < 4; ++i) {
        bool isAsked = argc < 3;
        for (int a = 2; a < argc; ++a)
            isAsked = isAsked || strcmp(argv[a], parts[i].name) == 0;
        if (isAsked)
            parts[i].measure();
    }
    return 0;
}
