// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// DetourCrowd on a flat square, for C. Our x and y are its x and z.

#ifndef THRONG_BENCH_DETOUR_CROWD_H
#define THRONG_BENCH_DETOUR_CROWD_H

#include <throng/math.h>

#ifdef __cplusplus
extern "C" {
#endif

// Its grid has 4 entries for each agent and numbers them with 16 bits; with more agents than these
// its lists may become circles, and a step would never end.
enum { detourMostAgents = 16383 };

typedef struct DetourCrowd DetourCrowd;

typedef struct DetourAgentDef {
    thVec2 position;
    float radius;
    float speed;    // it knows one speed only: as fast as it may, it walks
    float maxAccel; // m/s²
} DetourAgentDef;

// Room for that many agents, all of them within the square from `low` to the right and up. NULL
// when memory is out.
DetourCrowd* detourCreate(int32_t agentCount, float maxRadius, thVec2 low, float side);
void detourDestroy(DetourCrowd* crowd);

// The number of the new agent, or −1 when there is no room.
int32_t detourAddAgent(DetourCrowd* crowd, const DetourAgentDef* def);
void detourRemoveAgent(DetourCrowd* crowd, int32_t agent);

void detourSetTarget(DetourCrowd* crowd, int32_t agent, thVec2 target);
void detourDropTarget(DetourCrowd* crowd, int32_t agent);
thVec2 detourGetPosition(const DetourCrowd* crowd, int32_t agent);

void detourStep(DetourCrowd* crowd, float dt);

// A line that tells how its agents avoid each other.
void detourPrintSettings(const DetourCrowd* crowd);

#ifdef __cplusplus
}
#endif

#endif
