// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "trails.h"

#include <stdlib.h>
#include <string.h>

typedef struct Trail {
    uint64_t key; // of the agent; 0: none yet
    thVec2 start;
    thVec2 points[appTrailPoints]; // a ring
    double times[appTrailPoints];  // [s]
    int32_t count, next;
} Trail;

struct Trails {
    double seconds;  // how long trails are
    double lastTime; // at which points were noted [s]
    double now;      // [s]
    Trail* trails;   // by slot
    int32_t capacity;
};

Trails* appCreateTrails(double seconds)
{
    Trails* trails = calloc(1, sizeof *trails);
    if (trails == NULL)
        return NULL;
    trails->seconds = seconds;
    trails->lastTime = -1e30;
    return trails;
}

void appFreeTrails(Trails* trails)
{
    if (trails == NULL)
        return;
    free(trails->trails);
    free(trails);
}

static bool makeRoom(Trails* trails, int32_t slotCount)
{
    if (slotCount <= trails->capacity)
        return true;
    const int32_t capacity = slotCount + slotCount / 4;
    Trail* grown = realloc(trails->trails, (size_t)capacity * sizeof *grown);
    if (grown == NULL)
        return false;
    memset(grown + trails->capacity, 0, (size_t)(capacity - trails->capacity) * sizeof *grown);
    trails->trails = grown;
    trails->capacity = capacity;
    return true;
}

bool appNoteTrails(Trails* trails, const thWorld* world, double time)
{
    const thAgentView view = thWorld_GetAgentView(world);
    if (!makeRoom(trails, view.slotCount))
        return false;
    const bool isDue = time >= trails->lastTime + 0.999 * trails->seconds / appTrailPoints;
    trails->now = time;
    for (int32_t slot = 0; slot < view.slotCount; ++slot) {
        const thAgentRow* row = &view.rows[slot];
        Trail* trail = &trails->trails[slot];
        const bool isAlive = (row->flags & th_agentAlive) != 0;
        if (isAlive && trail->key != row->key) { // a newcomer, perhaps in another's slot
            *trail = (Trail){.key = row->key, .start = row->position};
        } else if (!isAlive || !isDue) {
            continue;
        }
        trail->points[trail->next] = row->position;
        trail->times[trail->next] = time;
        trail->next = (trail->next + 1) % appTrailPoints;
        trail->count += trail->count < appTrailPoints;
    }
    if (isDue)
        trails->lastTime = time;
    return true;
}

int32_t appGetTrail(const Trails* trails, int32_t slot, thVec2* points, int32_t capacity)
{
    if (slot >= trails->capacity)
        return 0;
    const Trail* trail = &trails->trails[slot];
    int32_t count = 0;
    for (int32_t i = trail->count; i > 0 && count < capacity; --i) {
        const int32_t at = (trail->next + appTrailPoints - i) % appTrailPoints;
        if (trail->times[at] >= trails->now - trails->seconds)
            points[count++] = trail->points[at];
    }
    return count;
}

thVec2 appGetStart(const Trails* trails, int32_t slot)
{
    return slot < trails->capacity ? trails->trails[slot].start : (thVec2){0.0f, 0.0f};
}
