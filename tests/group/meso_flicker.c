// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Prints how steady what agents perceive is in scenes with group method `meso`: how often two who
// were of one group no longer are, or the other way round, how often that is undone within a
// second, and how often the side on which a group is passed changes. And what the first would be if
// people left a group at larger thresholds than those at which they join it. usage: meso_flicker
// FOLDER [CHANGE...], as of meso_tables

#include "meso_runs.h"

#include "group/meso/meso.h"
#include "sim/agents.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { most = 64, seedCount = 8, modeCount = 3, soon = 10 };

// Thresholds of the scenes, and by how much they are larger for those who belong together already.
static const double near = 1.5, velocity = 0.6, radius = 15.0;
static const double leave[modeCount] = {1.0, 1.2, 1.5};

// What somebody thinks of two others.
typedef struct Opinion {
    bool isKnown, isOne;
    int32_t changed; // step of the last change; 0: none
} Opinion;

typedef struct Sums {
    double seconds; // of agents who walk
    int64_t steps[modeCount], pairs[modeCount], undone[modeCount];
    int64_t sides, sidesUndone; // changes from one side to the other
    int64_t ends, endsUndone;   // nobody is passed any more
} Sums;

static struct {
    int32_t count;
    thAgentRow row[most];
    double radius[most];
    bool belong[modeCount][most][most];
    Opinion opinion[modeCount][most][most][most]; // by who has it
    thMesoState state[most];
    int32_t sideStep[most], endStep[most]; // steps of the last such changes
} crowd;

static double apart(thVec2 a, thVec2 b)
{
    return hypot((double)a.x - (double)b.x, (double)a.y - (double)b.y);
}

static void findPairs(void)
{
    for (int32_t a = 0; a < crowd.count; ++a)
        for (int32_t b = a + 1; b < crowd.count; ++b) {
            const thAgentRow *p = &crowd.row[a], *q = &crowd.row[b];
            const double gap = apart(p->position, q->position) - crowd.radius[a] - crowd.radius[b];
            const double difference = apart(p->velocity, q->velocity);
            for (int32_t m = 0; m < modeCount; ++m) {
                const double by = crowd.belong[m][a][b] ? leave[m] : 1.0;
                const bool belong = gap < near * by && difference < velocity * by;
                crowd.belong[m][a][b] = crowd.belong[m][b][a] = belong;
            }
        }
}

// Numbers of the groups that somebody sees; −1: not seen.
static void findGroups(int32_t who, int32_t m, int32_t* group)
{
    int32_t queue[most];
    for (int32_t i = 0; i < crowd.count; ++i)
        group[i] =
            i != who && apart(crowd.row[who].position, crowd.row[i].position) <= radius ? most : -1;
    for (int32_t first = 0; first < crowd.count; ++first) {
        if (group[first] != most)
            continue;
        int32_t count = 0;
        group[first] = first;
        queue[count++] = first;
        for (int32_t at = 0; at < count; ++at)
            for (int32_t i = 0; i < crowd.count; ++i)
                if (group[i] == most && crowd.belong[m][queue[at]][i]) {
                    group[i] = first;
                    queue[count++] = i;
                }
    }
}

static void notePairs(int32_t who, int32_t m, const int32_t* group, int32_t step, Sums* sums)
{
    bool changed = false;
    for (int32_t a = 0; a < crowd.count; ++a)
        for (int32_t b = a + 1; b < crowd.count; ++b) {
            Opinion* opinion = &crowd.opinion[m][who][a][b];
            const bool isKnown = group[a] >= 0 && group[b] >= 0;
            const bool isOne = isKnown && group[a] == group[b];
            if (isKnown && opinion->isKnown && isOne != opinion->isOne) {
                changed = true;
                sums->pairs[m] += 1;
                sums->undone[m] += opinion->changed > 0 && step - opinion->changed <= soon;
                opinion->changed = step;
            }
            opinion->isKnown = isKnown;
            opinion->isOne = isOne;
        }
    sums->steps[m] += changed;
}

static int32_t slotOfKey(uint64_t key)
{
    for (int32_t i = 0; i < crowd.count; ++i)
        if (crowd.row[i].key == key)
            return i;
    return -1;
}

// Whether two keys are of members of one group, as it is seen now.
static bool areOne(const int32_t* group, uint64_t a, uint64_t b)
{
    const int32_t i = slotOfKey(a), k = slotOfKey(b);
    return i >= 0 && k >= 0 && group[i] >= 0 && group[i] == group[k];
}

static void noteSide(int32_t who, const thMesoState* now, const int32_t* group, int32_t step,
                     Sums* sums)
{
    const thMesoState* before = &crowd.state[who];
    const bool passed = before->isTurned != 0, passes = now->isTurned != 0;
    if (passed && passes && before->side != now->side && areOne(group, before->key, now->key)) {
        sums->sides += 1;
        sums->sidesUndone += crowd.sideStep[who] > 0 && step - crowd.sideStep[who] <= soon;
        crowd.sideStep[who] = step;
    }
    if (passed && !passes) {
        sums->ends += 1;
        crowd.endStep[who] = step;
    }
    if (!passed && passes && crowd.endStep[who] > 0 && step - crowd.endStep[who] <= soon)
        sums->endsUndone += 1;
    crowd.state[who] = *now;
}

static void look(const thWorld* world, int32_t first, int32_t end, int32_t step, double dt,
                 Sums* sums)
{
    const thAgentView view = thWorld_GetAgentView(world);
    crowd.count = view.slotCount < most ? view.slotCount : most;
    for (int32_t i = 0; i < crowd.count; ++i) {
        crowd.row[i] = view.rows[i];
        crowd.radius[i] =
            (double)thAgent_GetInfo(world, thWorld_FindAgent(world, view.rows[i].key)).radius;
    }
    findPairs();
    for (int32_t who = first; who < end && who < crowd.count; ++who) {
        if ((crowd.row[who].flags & th_agentArrived) != 0)
            continue;
        int32_t group[most];
        for (int32_t m = modeCount - 1; m >= 0; --m) {
            findGroups(who, m, group);
            notePairs(who, m, group, step, sums);
        }
        const thAgentId id = thWorld_FindAgent(world, crowd.row[who].key);
        const thMesoState* state = thiAgentState(world, thiFindRow(world, id), th_methodGroup);
        noteSide(who, state, group, step, sums);
        sums->seconds += dt;
    }
}

static bool watch(const char* folder, const char* name, int32_t first, int32_t end, char** changes,
                  int32_t changeCount, Sums* sums)
{
    Staging staging = {.folder = folder, .name = name};
    for (int32_t i = 0; i < changeCount; ++i)
        addChange(&staging, changes[i]);
    thScene* scene = loadStaging(&staging);
    bool good = scene != NULL;
    for (uint64_t seed = 1; good && seed <= seedCount; ++seed) {
        thRunDef def = thDefaultRunDef();
        def.seed = seed;
        thRun* run;
        good = thCreateRun(scene, &def, &run) == th_resultOk;
        memset(&crowd, 0, sizeof crowd);
        for (int32_t step = 1; good && step <= mostSteps && !thRun_IsOver(run); ++step) {
            good = thRun_Step(run) == th_resultOk;
            look(thRun_GetWorld(run), first, end, step, thScene_GetInfo(scene).step, sums);
        }
        thDestroyRun(run);
    }
    thDestroyScene(scene);
    return good;
}

static double share(int64_t part, int64_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0.0;
}

int main(int argc, char** argv)
{
    static const struct {
        const char *name, *who;
        int32_t first, end;
    } cases[] = {{"meso-a", "the one", 0, 1},   {"meso-a", "the 49", 1, most},
                 {"meso-b", "the six", 0, 6},   {"meso-b", "groups", 6, most},
                 {"meso-c", "the three", 0, 3}, {"meso-c", "groups", 3, most}};
    bool isSteady = true;
    if (argc < 2)
        return 2;
    printf(
        "| scene | who | changes for each second | pairs undone [%%] | changes, leaving at 1.2 | "
        "undone [%%] | at 1.5 | undone [%%] | sides for each minute | undone [%%] | ends for each "
        "minute | undone [%%] |\n|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        Sums sums;
        memset(&sums, 0, sizeof sums);
        if (!watch(argv[1], cases[i].name, cases[i].first, cases[i].end, argv + 2, argc - 2, &sums))
            return 1;
        printf("| `%s` | %s", cases[i].name, cases[i].who);
        for (int32_t m = 0; m < modeCount; ++m)
            printf(" | %.2f | %.0f", (double)sums.steps[m] / sums.seconds,
                   share(sums.undone[m], sums.pairs[m]));
        const double sides = 60.0 * (double)sums.sides / sums.seconds;
        printf(" | %.1f | %.0f | %.1f | %.0f |\n", sides, share(sums.sidesUndone, sums.sides),
               60.0 * (double)sums.ends / sums.seconds, share(sums.endsUndone, sums.ends));
        isSteady = isSteady && sides < 5.0;
    }
    return isSteady ? 0 : 1;
}
