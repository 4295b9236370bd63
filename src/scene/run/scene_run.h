// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A run of a scene, as the files that build and step it see it. A world is built from a scene's
// model once; then the clock opens doors, lets agents go and lets new ones appear.

#ifndef THRONG_SRC_SCENE_RUN_SCENE_RUN_H
#define THRONG_SRC_SCENE_RUN_SCENE_RUN_H

#include "base/memory.h"
#include "scene/run/scene_placement.h"
#include "sim/world_internal.h"

// Agents of sources: those that are due but not created wait for a free place. Each place of an
// entry that tells when its agents appear is a source of one.
typedef struct thRunSource {
    int32_t entry;
    int32_t number; // among the sources of the entry
    thSceneRegion region;
    int64_t total;   // that appear in all; −1: no limit
    int64_t created; // so far
} thRunSource;

// An agent that begins or ends to wait in a step.
typedef struct thRunDelay {
    uint64_t step, key;
} thRunDelay;

// A time at which a door is to shut: the end of one of its intervals.
typedef struct thRunClosing {
    int32_t door, interval;
    uint64_t shut;         // 1 + the step before which it was shut; 0: not yet
    uint64_t late, pushed; // how many went through before that, and were pushed aside
} thRunClosing;

// Where somebody was before a step in which a door was late.
typedef struct thRunPassing {
    thAgentId agent;
    thPoint place;
} thRunPassing;

struct thRun {
    thMemory memory; // everything but this struct itself and the world
    thArena arena;
    const thScene* scene;
    thWorld* world;
    uint64_t seed;
    // What the world is built of, for sources.
    thProfileId* profiles;      // of each entry of agents
    thGoalId* goals;            // of each goal; null: each agent has its own
    thSceneRegion* goalRegions; // of goals that are random points
    uint64_t* firstKeys;        // of each entry's agents, and of one entry more; sources have none
    int32_t* groups;            // of each entry: index among the names of groups, −1: none
    float largestRadius;
    // What changes with time.
    thObstacleId* doors;    // the wall of each door; null: it is open
    thRunClosing* closings; // of all doors, in the order of doors and time
    int32_t closingCount;
    thRunSource* sources;
    int32_t sourceCount;
    thArray delays;   // thRunDelay: a heap, the earliest first
    thArray ownGoals; // thGoalId: of single agents that came from sources
    thArray near;     // thAgentId: scratch
    thArray passing;  // thRunPassing: during a step
};

// Where errors go: to the host, and the first decides the result.
typedef struct thRunErrors {
    thErrorSink sink;
    thSceneErrorFcn* report;
    void* context;
    thSceneErrorFcn* note; // hears of notes; NULL: they are not looked for
    void* noteContext;
    const thRunDef* def; // of the run
    thResult first;
    int32_t alike; // of the entry at work: there may be as many as agents, so not all are told
} thRunErrors;

// The bodies of all agents that are there at the beginning; an agent's number is its key − 1.
typedef struct thCrowd {
    thBodies bodies;
    float* radii;
} thCrowd;

// Keys of agents that are there at the beginning are 1, 2, 3 …; the n-th of source s has the key
// TH_FIRST_SOURCE_KEY + n · sources + s. So no key depends on when an agent appears.
#define TH_FIRST_SOURCE_KEY (UINT64_C(1) << 39)

// What random numbers of an agent are for, see thRandomStream.
typedef enum thRunPurpose {
    th_runRadius = 0x72756e00,
    th_runSpeed,
    th_runMaxSpeed,
    th_runDelay,
    th_runJitter,
    th_runGoal,
    th_runSource,
    th_runNotes,
} thRunPurpose;

// The first step that begins at that time or later. [s]
uint64_t thiStepOfTime(const thRun* run, double seconds);

// scene_run_world.c. Profiles, goals, roadmaps, walls, doors and movers.
thResult thiBuildWorld(thRun* run, const thRunDef* def, thRunErrors* errors);
// The profiles of all entries, as part of it; `methods` replace those of the scene where not NULL.
thResult thiBuildProfiles(thRun* run, const char* const* methods, thRunErrors* errors);

// scene_run_walls.c. Walls, also from files.
thResult thiBuildWalls(thRun* run, thRunErrors* errors);

// scene_run_agents.c. What is drawn for one agent: its radius.
float thiAgentRadius(const thRun* run, int32_t entry, uint64_t key);
// All but where it is.
thAgentDef thiAgentDefOf(const thRun* run, int32_t entry, uint64_t key);
// Where it is, faces and wants to go; `center` is where "opposite" is across. A goal of its own is
// created: th_resultBadArgument when that is outside of the world, th_resultBlocked when no free
// place is found for it.
thResult thiPlaceAgent(thRun* run, int32_t entry, thPoint place, thPoint center, thAgentDef* def);
// Where the place of an entry's agent stands in the file; NULL in a scene that was made otherwise.
const thJson* thiPlaceSource(const thRun* run, int32_t entry, int32_t i);
// A coordinate as errors tell it: to the millimetre.
double thiRoundedMetres(double metres);
// Places and creates those that are there at the beginning, or nobody.
thResult thiBuildAgents(thRun* run, bool isEmpty, thRunErrors* errors);
// How many an entry has, and the number of the first.
static inline int32_t thiEntryCount(const thRun* run, int32_t entry)
{
    return (int32_t)(run->firstKeys[entry + 1] - run->firstKeys[entry]);
}
static inline int32_t thiEntryFirst(const thRun* run, int32_t entry)
{
    return (int32_t)(run->firstKeys[entry] - 1);
}

// scene_run_notes.c. Tells what is likely not meant; everybody is placed.
thResult thiReportNotes(thRun* run, const thCrowd* crowd, const thRunErrors* errors);

// scene_run_reach.c. Tells who finds no way to the goal, but of the entries for which `isTold`.
thResult thiNoteUnreachable(const thRun* run, const thRunErrors* errors, const uint8_t* isTold,
                            thErrorSink* notes);

// scene_run_clock.c. The walls of doors that are shut at first.
thResult thiBuildDoors(thRun* run, thRunErrors* errors);
// Takes note of when an agent that comes before a step waits. `*waits` is whether it does at once.
// Nothing has changed when memory is out.
thResult thiAddWaits(thRun* run, int32_t entry, uint64_t key, uint64_t step, bool* waits);
// Checks sources; walls and goals must be there.
thResult thiBuildSources(thRun* run, thRunErrors* errors);
// Creates those who appear at a time that has come, so that they are there from this step on.
thResult thiLetAppear(thRun* run);
// Whether nobody is to come.
bool thiAreSourcesDone(const thRun* run);

#endif
