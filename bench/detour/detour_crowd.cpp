// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The crowd of DetourCrowd, behind functions that C can call.

#include "detour_crowd.h"

#include "flat_mesh.h"

#include <DetourCrowd.h>
#include <cstdio>
#include <new>

// Which of its sets of avoidance parameters is used. dtCrowd::init fills all with its defaults.
static const unsigned char quality = 3;
// How far agents see, in radii, as DetourCrowd.h advises.
static const float rangeInRadii = 8.0f;

struct DetourCrowd {
    FlatMesh flat;
    dtCrowd* crowd;
};

DetourCrowd* detourCreate(int32_t agentCount, float maxRadius, thVec2 low, float side)
{
    DetourCrowd* self = new (std::nothrow) DetourCrowd{createFlatMesh(low, side), dtAllocCrowd()};
    if (self != nullptr && self->flat.mesh != nullptr && self->crowd != nullptr &&
        self->crowd->init(agentCount, maxRadius, self->flat.mesh))
        return self;
    detourDestroy(self);
    return nullptr;
}

void detourDestroy(DetourCrowd* self)
{
    if (self == nullptr)
        return;
    dtFreeCrowd(self->crowd);
    dtFreeNavMesh(self->flat.mesh);
    delete self;
}

int32_t detourAddAgent(DetourCrowd* self, const DetourAgentDef* def)
{
    dtCrowdAgentParams params = {};
    params.radius = def->radius;
    params.height = 2.0f;
    params.maxSpeed = def->speed;
    params.maxAcceleration = def->maxAccel;
    params.collisionQueryRange = rangeInRadii * def->radius;
    params.separationWeight = 2.0f;
    params.obstacleAvoidanceType = quality;
    // Paths within one polygon need no optimization, so that its time is saved.
    params.updateFlags =
        DT_CROWD_ANTICIPATE_TURNS | DT_CROWD_OBSTACLE_AVOIDANCE | DT_CROWD_SEPARATION;
    const float position[] = {def->position.x, 0.0f, def->position.y};
    return self->crowd->addAgent(position, &params);
}

void detourRemoveAgent(DetourCrowd* self, int32_t agent)
{
    self->crowd->removeAgent(agent);
}

void detourSetTarget(DetourCrowd* self, int32_t agent, thVec2 target)
{
    const float position[] = {target.x, 0.0f, target.y};
    self->crowd->requestMoveTarget(agent, self->flat.ground, position);
}

void detourDropTarget(DetourCrowd* self, int32_t agent)
{
    self->crowd->resetMoveTarget(agent);
}

thVec2 detourGetPosition(const DetourCrowd* self, int32_t agent)
{
    const float* position = self->crowd->getAgent(agent)->npos;
    return {position[0], position[2]};
}

void detourStep(DetourCrowd* self, float dt)
{
    self->crowd->update(dt, nullptr);
}

void detourPrintSettings(const DetourCrowd* self)
{
    const dtObstacleAvoidanceParams* params = self->crowd->getObstacleAvoidanceParams(quality);
    std::printf("DetourCrowd: quality %d (%d divisions, %d rings, depth %d), the nearest %d within "
                "%g radii\n",
                quality, params->adaptiveDivs, params->adaptiveRings, params->adaptiveDepth,
                DT_CROWDAGENT_MAX_NEIGHBOURS, static_cast<double>(rangeInRadii));
}
