// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How even steps stay when ten thousand agents ask for ways at once: in a city of 1,500 buildings
// all get other goals in one moment. For each planner, with ten goals and with as many as agents,
// it prints the median and the slowest of the steps after that, and how long it takes until nobody
// waits. The run is the same each time, so of each step the fastest of several runs counts: that
// leaves out what the machine did besides.
//
// Usage: throng_plan_burst [RUNS]; exit code 1 if a slowest step is more than 3 times the median.

#include "base/machine.h"
#include "throng/throng.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { columns = 30, rows = 50, agentCount = 10000, warmUp = 1500, steps = 400, mostRuns = 16 };

#define SPACING 30.0f
#define STREET 10.0f
#define DT 0.1f
#define BOUND 3.0

typedef struct Burst {
    const char* planner;
    int32_t goalCount;
    thWorld* world;
    thAgentId agents[agentCount];
    thGoalId goals[2][agentCount];
    double times[steps]; // of each step the fastest [ms]
    int32_t served;      // steps until nobody waits; steps + 1: longer than that
} Burst;

static Burst burst;

static void check(thResult code)
{
    if (code == th_resultOk)
        return;
    fprintf(stderr, "throng_plan_burst: %s\n", thResult_GetText(code));
    exit(3);
}

static void addBuildings(thWorld* world)
{
    for (int32_t i = 0; i < columns * rows; ++i) {
        const float x = STREET + SPACING * (float)(i % columns);
        const float y = STREET + SPACING * (float)(i / columns);
        const float side = SPACING - STREET;
        const thVec2 corners[4] = {{x, y}, {x + side, y}, {x + side, y + side}, {x, y + side}};
        thObstacleDef def = thDefaultObstacleDef();
        def.points = corners;
        def.pointCount = 4;
        thObstacleId id;
        check(thCreateObstacle(world, &def, &id));
    }
}

static void addStreets(thWorld* world)
{
    thRoadmapDef def = thDefaultRoadmapDef();
    def.name = "streets";
    def.kind = th_roadmapStreets;
    def.from = (thVec2){0.5f * STREET, 0.5f * STREET};
    def.spacing = (thVec2){SPACING, SPACING};
    def.columns = columns + 1;
    def.rows = rows + 1;
    thRoadmapId id;
    check(thCreateRoadmap(world, &def, &id));
}

// A place on a street.
static thVec2 placeOf(uint64_t what, uint64_t index)
{
    const uint64_t stream = thRandomStream(1, what, index, 0);
    const float along = thRandomRange(stream, 0, 1.0f, SPACING * (float)columns);
    const float across = thRandomRange(stream, 1, 1.0f, STREET - 1.0f) +
                         SPACING * (float)(int32_t)thRandomRange(stream, 2, 0.0f, (float)rows);
    return (thVec2){along, across};
}

static void addAgents(Burst* self)
{
    thProfileDef profile = thDefaultProfileDef();
    thFlowDef flow = thDefaultFlowDef();
    flow.cell = 1.0f;
    flow.cells = 2000000;
    profile.plan.name = self->planner;
    if (strcmp(self->planner, "flow") == 0)
        profile.plan.params = &flow; // its default is for buildings
    profile.avoid.name = "orca";
    thProfileId profileId;
    check(thCreateProfile(self->world, &profile, &profileId, NULL));
    for (int32_t set = 0; set < 2; ++set)
        for (int32_t i = 0; i < self->goalCount; ++i)
            check(thCreatePointGoal(self->world, placeOf(1 + (uint64_t)set, (uint64_t)i),
                                    &self->goals[set][i]));
    for (int32_t i = 0; i < agentCount; ++i) {
        thAgentDef def = thDefaultAgentDef();
        def.profile = profileId;
        def.position = placeOf(0, (uint64_t)i);
        def.placement = th_placementNearest;
        def.goal = self->goals[0][i % self->goalCount];
        check(thCreateAgent(self->world, &def, &self->agents[i]));
    }
}

static void makeWorld(Burst* self)
{
    thWorldDef def = thDefaultWorldDef();
    def.workerCount = 2;
    check(thCreateWorld(&def, &self->world));
    addBuildings(self->world);
    addStreets(self->world);
    addAgents(self);
}

static bool anybodyWaits(const Burst* self)
{
    for (int32_t i = 0; i < agentCount; ++i)
        if (thAgent_GetInfo(self->world, self->agents[i]).answer == th_planPending)
            return true;
    return false;
}

static void ask(Burst* self)
{
    for (int32_t i = 0; i < agentCount; ++i)
        check(thAgent_SetGoal(self->world, self->agents[i], self->goals[1][i % self->goalCount]));
}

static void runOnce(Burst* self, bool isFirst)
{
    makeWorld(self);
    for (int32_t i = 0; i < warmUp && (i == 0 || anybodyWaits(self)); ++i)
        check(thWorld_Step(self->world, DT));
    ask(self);
    bool waits = true;
    self->served = steps + 1;
    for (int32_t i = 0; i < steps; ++i) {
        const int64_t begin = thiNow();
        check(thWorld_Step(self->world, DT));
        const double time = (double)(thiNow() - begin) * 1e-6;
        if (isFirst || time < self->times[i])
            self->times[i] = time;
        waits = waits && anybodyWaits(self);
        if (!waits && self->served > steps)
            self->served = i + 1;
    }
    thDestroyWorld(self->world);
}

static int byTime(const void* left, const void* right)
{
    const double a = *(const double*)left, b = *(const double*)right;
    return (a > b) - (a < b);
}

static bool measure(Burst* self, int32_t runs)
{
    for (int32_t i = 0; i < runs; ++i)
        runOnce(self, i == 0);
    qsort(self->times, steps, sizeof self->times[0], byTime);
    const double median = self->times[steps / 2], slowest = self->times[steps - 1];
    printf("%-12s %6d %10.2f %10.2f %8.2f", self->planner, (int)self->goalCount, median, slowest,
           slowest / median);
    if (self->served <= steps)
        printf(" %8d\n", (int)self->served);
    else
        printf("    > %d\n", (int)steps);
    fflush(stdout);
    return slowest <= BOUND * median;
}

int main(int argc, char** argv)
{
    const int32_t runs = argc > 1 ? atoi(argv[1]) : 5;
    if (argc > 2 || runs < 1 || runs > mostRuns) {
        fprintf(stderr, "usage: throng_plan_burst [RUNS], 1 to %d of them\n", mostRuns);
        return 2;
    }
    const struct {
        const char* planner;
        int32_t goals;
    } cases[] = {{"visibility", 10},
                 {"visibility", agentCount},
                 {"roadmap", 10},
                 {"roadmap", agentCount},
                 {"flow", 10}};
    printf("%-12s %6s %10s %10s %8s %8s\n", "planner", "goals", "median", "slowest", "ratio",
           "steps");
    bool good = true;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        burst.planner = cases[i].planner;
        burst.goalCount = cases[i].goals;
        good = measure(&burst, runs) && good;
    }
    return good ? 0 : 1;
}
