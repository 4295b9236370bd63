// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Runs of scenes in which some walk alone among groups.

#include "meso_runs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void addChange(Staging* staging, const char* change)
{
    if (staging->changeCount < mostChanges)
        staging->changes[staging->changeCount++] = change;
}

static void report(void* context, const thError* error)
{
    (void)context;
    fprintf(stderr, "%s: %s\n", error->path, error->text);
}

thScene* loadStaging(const Staging* staging)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.json", staging->folder, staging->name);
    thSceneDef def = thDefaultSceneDef();
    def.path = path;
    def.report = report;
    def.changes = staging->changes;
    def.changeCount = staging->changeCount;
    thScene* scene;
    return thLoadScene(&def, &scene) == th_resultOk ? scene : NULL;
}

// Where those were who walk alone, step by step, until they arrived.
typedef struct Track {
    int32_t count;
    thVec2 places[mostSteps + 1];
} Track;

static void addPlace(Track* track, thVec2 place)
{
    if (track->count <= mostSteps)
        track->places[track->count++] = place;
}

static double lengthOf(const Track* track)
{
    double length = 0.0;
    for (int32_t i = 1; i < track->count; ++i)
        length += hypot((double)track->places[i].x - (double)track->places[i - 1].x,
                        (double)track->places[i].y - (double)track->places[i - 1].y);
    return length;
}

// How far along the straight line from its first to its last place somebody is at a time. [m]
static double along(const Track* track, int32_t i)
{
    const thVec2 a = track->places[0], b = track->places[track->count - 1], p = track->places[i];
    const double x = (double)b.x - (double)a.x, y = (double)b.y - (double)a.y;
    return (((double)p.x - (double)a.x) * x + ((double)p.y - (double)a.y) * y) / hypot(x, y);
}

// The longest time from when somebody was furthest along until he is furthest back after it, before
// he gets further than he was.
static void findBack(const Track* track, double step, Outcome* outcome)
{
    int32_t furthest = 0;
    double lowest = 0.0;
    for (int32_t i = 1; i < track->count; ++i) {
        const double back = along(track, furthest) - along(track, i);
        if (back <= 0.0) {
            furthest = i;
            lowest = 0.0;
        } else if (back > lowest) {
            lowest = back;
            const double time = (i - furthest) * step;
            outcome->back = time > outcome->back ? time : outcome->back;
            outcome->backMetres = back > outcome->backMetres ? back : outcome->backMetres;
        }
    }
}

static bool walk(thRun* run, double step, Alone alone, Outcome* outcome)
{
    static Track tracks[mostAlone];
    bool there[mostAlone] = {false};
    thTallyDef tallyDef = thDefaultTallyDef();
    thTally* tally;
    if (thCreateTally(&tallyDef, thRun_GetWorld(run), &tally) != th_resultOk)
        return false;
    for (int32_t i = 0; i < alone.count; ++i) {
        tracks[i].count = 0;
        addPlace(&tracks[i],
                 thWorld_GetAgentView(thRun_GetWorld(run)).rows[alone.first + i].position);
    }
    bool good = true;
    for (int32_t n = 0; good && n < mostSteps; ++n) {
        if (thRun_IsOver(run) && outcome->there == alone.count)
            break;
        good = thRun_Step(run) == th_resultOk &&
               thTally_Observe(tally, thRun_GetTime(run)) == th_resultOk;
        const thAgentView view = thWorld_GetAgentView(thRun_GetWorld(run));
        for (int32_t i = 0; i < alone.count; ++i) {
            if (there[i])
                continue;
            const thAgentRow* row = &view.rows[alone.first + i];
            addPlace(&tracks[i], row->position);
            there[i] = (row->flags & th_agentArrived) != 0;
            outcome->there += there[i];
            outcome->last = there[i] ? (n + 1) * step : outcome->last;
        }
    }
    for (int32_t i = 0; i < alone.count; ++i) {
        outcome->path += lengthOf(&tracks[i]);
        findBack(&tracks[i], step, outcome);
    }
    const thTallyResult result = thTally_GetResult(tally);
    outcome->pairs = result.collisionsPerStep;
    outcome->contacts = result.contactsPerStep;
    thDestroyTally(tally);
    return good;
}

bool runStaging(const thScene* scene, const Methods* methods, Alone alone, uint64_t seed,
                Outcome* outcome)
{
    thRunDef def = thDefaultRunDef();
    def.methods[th_methodPlan] = methods->plan;
    def.methods[th_methodGroup] = methods->group;
    def.methods[th_methodAvoid] = methods->avoid;
    def.seed = seed;
    def.report = report;
    thRun* run;
    *outcome = (Outcome){.there = 0};
    if (thCreateRun(scene, &def, &run) != th_resultOk)
        return false;
    const bool good = walk(run, thScene_GetInfo(scene).step, alone, outcome);
    thDestroyRun(run);
    return good;
}

bool runSeeds(const thScene* scene, const Methods* methods, Alone alone, int32_t seeds,
              Means* means)
{
    memset(means, 0, sizeof *means);
    means->mean.there = alone.count;
    for (int32_t i = 0; i < seeds; ++i) {
        Outcome one;
        if (!runStaging(scene, methods, alone, (uint64_t)i + 1, &one))
            return false;
        Outcome* mean = &means->mean;
        mean->there = one.there < mean->there ? one.there : mean->there;
        mean->path += one.path / seeds;
        mean->last += one.last / seeds;
        mean->back += one.back / seeds;
        mean->backMetres += one.backMetres / seeds;
        mean->pairs += one.pairs / seeds;
        mean->contacts += one.contacts / seeds;
        means->missing += alone.count - one.there;
        means->pulled += one.back > 1.0;
        means->paths[i] = one.path;
        means->lasts[i] = one.last;
    }
    return true;
}
