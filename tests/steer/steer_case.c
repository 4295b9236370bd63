// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// One agent at the origin as a batch of its own.

#include "steer/steer_case.h"

#include "geom/fixed.h"

#define LANES 16
#define LANE 1
#define ROWS (1 + STEER_NEIGHBORS)

// Row 0 is the agent's, the others are those of its neighbours.
static HandBatch hand;
static thSteerPath path;
static int32_t nodes[4 * STEER_NODES];

SteerCase plainSteerCase(void)
{
    return (SteerCase){.velocity = {1.0f, 0.0f},
                       .wanted = {1.0f, 0.0f},
                       .radius = 0.25f,
                       .prefSpeed = 1.3f,
                       .maxSpeed = 2.0f,
                       .dt = 0.1f,
                       .key = 1000,
                       .layers = 1};
}

static float drawNumber(thGenerator* g, bool lattice, float size)
{
    if (lattice)
        return 0.25f * (float)drawInt(g, -(int32_t)(4.0f * size), (int32_t)(4.0f * size));
    return thiMetres(thiUnits(drawFloat(g, -size, size)));
}

static thVec2 drawVec(thGenerator* g, bool lattice, float size)
{
    const float x = drawNumber(g, lattice, size);
    return (thVec2){x, drawNumber(g, lattice, size)};
}

static void drawOthers(thGenerator* g, bool lattice, SteerCase* to)
{
    static const float shares[] = {0.0f, 0.005f, 0.3f, 1.0f};
    to->neighborCount = drawInt(g, 0, STEER_NEIGHBORS);
    for (int32_t i = 0; i < to->neighborCount; ++i)
        to->neighbors[i] =
            (SteerNeighbor){.position = drawVec(g, lattice, lattice ? 1.0f : 3.0f),
                            .velocity = drawVec(g, lattice, 1.5f),
                            .radius = drawU32(g) % 8 == 0 ? 0.0f : 0.25f,
                            .share = drawU32(g) % 4 == 0 ? shares[drawU32(g) % 4] : 0.5f,
                            .layers = 1u << drawU32(g) % 3,
                            .key = 900 + 10 * (uint64_t)i + drawU32(g) % 200};
}

SteerCase drawSteerCase(thGenerator* g, bool lattice)
{
    SteerCase made = plainSteerCase();
    made.velocity = drawVec(g, lattice, 1.0f);
    made.wanted = drawVec(g, lattice, 1.5f);
    made.heading = drawFloat(g, -3.0f, 3.0f);
    made.dt = drawU32(g) % 4 == 0 ? 1.0f : 0.1f;
    made.step = drawU64(g) % 1000000;
    if (drawU32(g) % 4 == 0)
        made.velocity = (thVec2){0.0f, 0.0f};
    if (drawU32(g) % 4 == 0)
        made.maxAccel = drawFloat(g, 0.1f, 10.0f);
    if (drawU32(g) % 8 == 0)
        made.maxSpeed = drawU32(g) % 2 == 0 ? 0.0f : drawFloat(g, 0.1f, 4.0f);
    if (drawU32(g) % 8 == 0)
        made.flags = drawU32(g) % 2 == 0 ? th_agentWaiting : th_agentArrived;
    drawOthers(g, lattice, &made);
    made.wallCount = drawInt(g, 0, STEER_WALLS);
    for (int32_t i = 0; i < made.wallCount; ++i) {
        made.walls[i][0] = drawVec(g, lattice, 2.0f);
        made.walls[i][1] = drawVec(g, lattice, 2.0f);
    }
    made.moverCount = drawU32(g) % 2 == 0 ? 0 : drawInt(g, 0, STEER_MOVERS);
    for (int32_t i = 0; i < made.moverCount; ++i)
        made.movers[i] = (HandMover){drawVec(g, lattice, 2.0f), drawVec(g, lattice, 1.0f),
                                     drawU32(g) % 2 == 0 ? 0.0f : 0.5f, drawFloat(g, -1.0f, 1.0f)};
    made.nodeCount = drawInt(g, 0, STEER_NODES);
    for (int32_t i = 0; i < made.nodeCount; ++i)
        made.nodes[i] = drawVec(g, lattice, 4.0f);
    made.closed = made.nodeCount > 2 && drawU32(g) % 2 == 0;
    return made;
}

thSteerDef drawSteerDef(thGenerator* g)
{
    thSteerDef def = thDefaultSteerDef();
    def.maxForce = drawFloat(g, 0.0f, 20.0f);
    def.seek = drawFloat(g, 0.0f, 20.0f);
    def.slowing = drawFloat(g, 0.0f, 2.0f);
    def.avoidance = drawU32(g) % 4 != 0;
    def.separation = drawFloat(g, 0.0f, 10.0f);
    def.separationRange = drawU32(g) % 8 == 0 ? 0.0f : drawFloat(g, 0.01f, 3.0f);
    def.dodge = drawFloat(g, 0.0f, 10.0f);
    def.lookAhead = drawFloat(g, 0.05f, 5.0f);
    def.walls = drawFloat(g, 0.0f, 10.0f);
    def.wallAhead = drawFloat(g, 0.05f, 5.0f);
    def.alignment = drawFloat(g, 0.0f, 20.0f);
    def.cohesion = drawFloat(g, 0.0f, 10.0f);
    def.flockRange = drawFloat(g, 0.5f, 5.0f);
    def.wander = drawFloat(g, 0.0f, 3.0f);
    def.wanderTime = drawFloat(g, 0.01f, 20.0f);
    def.pursue = drawFloat(g, 0.0f, 20.0f);
    def.flee = drawFloat(g, 0.0f, 20.0f);
    def.evade = drawFloat(g, 0.0f, 20.0f);
    def.follow = drawFloat(g, 0.0f, 20.0f);
    def.pathRadius = drawFloat(g, 0.0f, 2.0f);
    return def;
}

static void putNeighbors(const SteerCase* made)
{
    for (int32_t k = 0; k < made->neighborCount; ++k) {
        const SteerNeighbor* n = &made->neighbors[k];
        addHandNeighbor(&hand, LANE,
                        &(HandNeighbor){n->position, n->velocity, n->radius, n->share, 1 + k});
        hand.layers[1 + k] = n->layers;
        hand.key[1 + k] = n->key;
    }
}

static void putObstacles(const SteerCase* made)
{
    for (int32_t k = 0; k < made->wallCount; ++k)
        addHandWall(&hand, LANE, made->walls[k][0], made->walls[k][1]);
    for (int32_t k = 0; k < made->moverCount; ++k)
        addHandMover(&hand, LANE, &made->movers[k]);
}

// Nodes are portals of 2 m about the places.
static void putPath(const SteerCase* made)
{
    for (int32_t i = 0; i < made->nodeCount; ++i) {
        const int32_t x = thiUnits(made->nodes[i].x), y = thiUnits(made->nodes[i].y);
        const int32_t half = THRONG_UNITS_PER_METRE;
        const int32_t node[4] = {x, y - half, x, y + half};
        for (int32_t k = 0; k < 4; ++k)
            nodes[4 * i + k] = node[k];
    }
    path = (thSteerPath){.closed = made->closed,
                         .map = {.nodeCount = made->nodeCount, .nodes = nodes}};
    path.segments = made->nodeCount < 2 ? 0 : made->nodeCount - (made->closed ? 0 : 1);
}

thSteerer steererOfCase(const SteerCase* made, const thSteerDef* def)
{
    startHandBatch(&hand, ROWS, 2, LANES);
    hand.frame.step = made->step;
    hand.frame.seed = 7;
    hand.frame.dt = made->dt;
    hand.key[0] = made->key;
    hand.layers[0] = made->layers;
    hand.flags[0] = made->flags;
    hand.heading[0] = made->heading;
    hand.goal[0] = -1;
    hand.vx[LANE] = made->velocity.x;
    hand.vy[LANE] = made->velocity.y;
    hand.radius[LANE] = made->radius;
    hand.prefSpeed[LANE] = made->prefSpeed;
    hand.maxSpeed[LANE] = made->maxSpeed;
    hand.maxAccel[LANE] = made->maxAccel;
    putNeighbors(made);
    putObstacles(made);
    putPath(made);
    return thiMakeSteerer(&hand.batch, LANE, def, &path, made->wanted);
}
