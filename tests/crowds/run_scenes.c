// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Runs scenes and reports, for each, arrivals, overlaps, walls and time; fails when a bound is
// broken. What is counted is counted here, by brute force on what hosts see, and by the checker of
// walls.
//
//     run_scenes [--contacts on|off] [--avoid METHOD] [--threads N] [--seeds N] [--trails FILE]
//     SCENE...

#include "scenes.h"

#include "measure/wall_check.h"
#include "sim/world_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIME_STEP 0.1f
#define COUNTED_DEPTH 0.01 // pairs deeper than this share of their radii's sum are collisions

typedef struct Options {
    const char* avoid;
    const char* trails;
    bool contacts;
    int32_t threads;
    uint64_t seeds;
} Options;

typedef struct Outcome {
    int32_t agents, arrived, steps;
    double pairSteps; // colliding pairs, summed over steps
    double maxDepth;  // share of the radii's sum
    thWallCheck walls;
    double stepTime; // mean [ns per agent]
} Outcome;

typedef struct Body {
    int32_t x, y;
    float radius;
} Body;

static int byX(const void* left, const void* right)
{
    const Body *a = left, *b = right;
    return a->x < b->x ? -1 : a->x > b->x;
}

// Pairs deeper than 1 % among bodies, by a sweep along x.
static void countOverlaps(Body* bodies, int32_t count, Outcome* outcome)
{
    qsort(bodies, (size_t)count, sizeof *bodies, byX);
    float largest = 0.0f;
    for (int32_t i = 0; i < count; ++i)
        largest = fmaxf(largest, bodies[i].radius);
    for (int32_t i = 0; i < count; ++i)
        for (int32_t j = i + 1; j < count; ++j) {
            const double dx = (double)bodies[j].x - bodies[i].x;
            const double dy = (double)bodies[j].y - bodies[i].y;
            const double sum =
                (double)(bodies[i].radius + bodies[j].radius) * THRONG_UNITS_PER_METRE;
            if (dx > (double)(bodies[i].radius + largest) * THRONG_UNITS_PER_METRE)
                break;
            const double depth = 1.0 - sqrt(dx * dx + dy * dy) / sum;
            outcome->maxDepth = fmax(outcome->maxDepth, depth);
            outcome->pairSteps += depth > COUNTED_DEPTH ? 1.0 : 0.0;
        }
}

// Everybody after a step, against where they were before it.
static void inspect(thWorld* world, Body* before, Body* now, bool* seen, FILE* trails,
                    Outcome* outcome)
{
    const thAgentView view = thWorld_GetAgentView(world);
    Body* bodies = malloc(((size_t)view.slotCount + 1) * sizeof *bodies);
    int32_t count = 0;
    for (int32_t slot = 0; slot < view.slotCount; ++slot) {
        if (view.rows[slot].flags == 0)
            continue;
        const int32_t row = TH_ITEMS(world->agents.rowOfSlot, int32_t)[slot];
        const thRows* rows = thiRows(world);
        now[slot] = (Body){rows->px[row], rows->py[row], rows->radius[row]};
        if (seen[slot])
            thiCheckWalls(&outcome->walls, thiWallGridWalls(world->walls.grid), rows->level[row],
                          before[slot].x, before[slot].y, now[slot].x, now[slot].y,
                          rows->radius[row]);
        seen[slot] = true;
        before[slot] = now[slot];
        bodies[count++] = now[slot];
        if (trails != NULL)
            fprintf(trails, "%d %d %.4f %.4f\n", outcome->steps, slot,
                    (double)view.rows[slot].position.x, (double)view.rows[slot].position.y);
    }
    countOverlaps(bodies, count, outcome);
    free(bodies);
}

static int32_t countArrived(const thWorld* world, int32_t agents)
{
    const thAgentView view = thWorld_GetAgentView(world);
    int32_t arrived = agents - view.agentCount; // those who left
    for (int32_t slot = 0; slot < view.slotCount; ++slot)
        arrived += (view.rows[slot].flags & th_agentArrived) != 0;
    return arrived;
}

static Outcome runScene(const Scene* scene, const Options* options, uint64_t seed)
{
    thWorldDef def = thDefaultWorldDef();
    def.workerCount = options->threads;
    def.seed = seed;
    def.contacts = options->contacts ? 1 : 0;
    thWorld* world;
    if (thCreateWorld(&def, &world) != th_resultOk)
        abort();
    scene->build(world, scene, options->avoid, seed);
    Outcome outcome = {.agents = thWorld_GetAgentView(world).agentCount};
    Body* before = calloc((size_t)outcome.agents, sizeof *before);
    Body* now = calloc((size_t)outcome.agents, sizeof *now);
    bool* seen = calloc((size_t)outcome.agents, sizeof *seen);
    FILE* trails = options->trails != NULL ? fopen(options->trails, "w") : NULL;
    const float limit = scene->timeLimit > 0.0f ? scene->timeLimit : 300.0f;
    inspect(world, before, now, seen, trails, &outcome);
    double time = 0.0;
    while ((float)outcome.steps * TIME_STEP < limit && outcome.arrived < outcome.agents) {
        if (thWorld_Step(world, TIME_STEP) != th_resultOk)
            abort();
        outcome.steps += 1;
        time += (double)thWorld_GetCounters(world).stepTime;
        inspect(world, before, now, seen, trails, &outcome);
        outcome.arrived = countArrived(world, outcome.agents);
    }
    outcome.stepTime = time / ((double)outcome.steps * outcome.agents);
    if (trails != NULL)
        fclose(trails);
    free(before);
    free(now);
    free(seen);
    thDestroyWorld(world);
    return outcome;
}

static bool isGood(const Scene* scene, const Options* options, const Outcome* outcome)
{
    const bool wallsHold =
        outcome->walls.crossings == 0 && outcome->walls.maxDepth <= 0x1p-13 * 1.01;
    const bool bodiesHold = !options->contacts || outcome->maxDepth <= 0.009;
    return wallsHold && bodiesHold && (scene->mayJam || outcome->arrived == outcome->agents);
}

static bool runSeeds(const Scene* scene, const Options* options)
{
    bool good = true;
    for (uint64_t seed = 1; seed <= options->seeds; ++seed) {
        const Outcome outcome = runScene(scene, options, seed);
        const bool right = isGood(scene, options, &outcome);
        printf("%-16s %4" PRIu64 " %6d %6d %8.1f %10.3f %8.2f %6" PRId64 " %9.3f %8.0f  %s\n",
               scene->name, seed, (int)outcome.agents, (int)outcome.arrived,
               (double)((float)outcome.steps * TIME_STEP), outcome.pairSteps / outcome.steps,
               100.0 * outcome.maxDepth, outcome.walls.crossings, 1000.0 * outcome.walls.maxDepth,
               outcome.stepTime, right ? "ok" : "BROKEN");
        fflush(stdout);
        good = good && right;
    }
    return good;
}

int main(int argc, char** argv)
{
    Options options = {.avoid = "orca", .contacts = true, .threads = 1, .seeds = 1};
    int at = 1;
    for (; at + 1 < argc && strncmp(argv[at], "--", 2) == 0; at += 2) {
        if (strcmp(argv[at], "--avoid") == 0)
            options.avoid = argv[at + 1];
        else if (strcmp(argv[at], "--contacts") == 0)
            options.contacts = strcmp(argv[at + 1], "off") != 0;
        else if (strcmp(argv[at], "--threads") == 0)
            options.threads = (int32_t)strtol(argv[at + 1], NULL, 10);
        else if (strcmp(argv[at], "--seeds") == 0)
            options.seeds = strtoull(argv[at + 1], NULL, 10);
        else if (strcmp(argv[at], "--trails") == 0)
            options.trails = argv[at + 1];
        else
            at = argc;
    }
    if (at >= argc) {
        fputs("usage: run_scenes [--contacts on|off] [--avoid METHOD] [--threads N] [--seeds N] "
              "[--trails FILE] SCENE...\n",
              stderr);
        return 2;
    }
    printf("%-16s %4s %6s %6s %8s %10s %8s %6s %9s %8s\n", "scene", "seed", "agents", "there",
           "time s", "pairs/step", "depth %", "walls", "depth mm", "ns/agent");
    bool good = true;
    for (; at < argc; ++at) {
        const Scene* scene = findScene(argv[at]);
        if (scene == NULL) {
            fprintf(stderr, "run_scenes: no scene '%s'\n", argv[at]);
            return 2;
        }
        good = runSeeds(scene, &options) && good;
    }
    return good ? 0 : 1;
}
