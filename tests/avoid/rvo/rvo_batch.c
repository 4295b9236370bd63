// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Batches without a world, filled by hand or at random.

#include "avoid/rvo/rvo_batch.h"

#include "base/memory.h"
#include "gear/gear.h"
#include "gear/hand_batch.h"

static HandBatch hand;
static thMemory memory;
static thArena arena;
static bool hasArena;

static float drawQuarters(thGenerator* g, int32_t most)
{
    return 0.25f * (float)drawInt(g, -most, most);
}

static thVec2 drawVec(thGenerator* g, RvoKind kind, float size)
{
    if (kind == rvo_lattice) {
        const float x = drawQuarters(g, (int32_t)(4.0f * size));
        return (thVec2){x, drawQuarters(g, (int32_t)(4.0f * size))};
    }
    const float x = drawFloat(g, -size, size);
    return (thVec2){x, drawFloat(g, -size, size)};
}

static RvoNeighbor drawNeighbor(thGenerator* g, RvoKind kind)
{
    static const float shares[] = {0.0f, 0.005f, 0.3f, 1.0f};
    RvoNeighbor n = {drawVec(g, kind, kind == rvo_crowd ? 1.0f : 4.0f), drawVec(g, kind, 1.5f),
                     0.25f, 0.5f};
    if (drawU32(g) % 4 == 0)
        n.share = shares[drawU32(g) % 4];
    if (drawU32(g) % 8 == 0)
        n.radius = drawU32(g) % 2 == 0 ? 0.0f : drawFloat(g, 0.0f, 2.0f);
    if (drawU32(g) % 8 == 0)
        n.velocity = (thVec2){0.0f, 0.0f};
    if (kind == rvo_pile && drawU32(g) % 2 == 0) {
        const float spread = drawU32(g) % 2 == 0 ? 0.0f : 0.01f;
        n.position = (thVec2){spread * n.position.x, spread * n.position.y};
    }
    if (kind == rvo_crowd && drawU32(g) % 4 == 0) { // touches, or nearly
        const float length = hypotf(n.position.x, n.position.y) + 1.0e-3f;
        const float factor = drawFloat(g, 0.985f, 1.015f) * (0.25f + n.radius) / length;
        n.position = (thVec2){factor * n.position.x, factor * n.position.y};
    }
    return n;
}

static void drawSurroundings(thGenerator* g, RvoKind kind, RvoAgent* agent)
{
    const float reach = kind == rvo_crowd ? 1.0f : 3.0f;
    for (int32_t i = 0; i < agent->wallCount; ++i) {
        agent->walls[i][0] = drawVec(g, kind, reach);
        const thVec2 span = drawVec(g, kind, 3.0f);
        const thVec2 from = agent->walls[i][0];
        agent->walls[i][1] = (thVec2){from.x + span.x, from.y + span.y};
        if (i > 0 && drawU32(g) % 2 == 0) // goes on where another ends
            agent->walls[i][0] = agent->walls[i - 1][1];
        const thVec2 a = agent->walls[i][0], b = agent->walls[i][1];
        if (a.x * b.y == a.y * b.x) // under the agent's centre: it would be on neither side
            agent->walls[i][1] = (thVec2){b.x + 0.125f * (1.0f + fabsf(a.y)), b.y + 0.0625f};
    }
    for (int32_t i = 0; i < agent->moverCount; ++i)
        agent->movers[i] = (HandMover){drawVec(g, kind, reach), drawVec(g, kind, 1.5f),
                                       drawU32(g) % 2 == 0 ? 0.0f : drawFloat(g, 0.1f, 1.0f), 0.0f};
}

void drawRvoAgent(thGenerator* g, RvoKind kind, int32_t size, RvoAgent* agent)
{
    *agent = plainRvoAgent();
    agent->velocity = drawVec(g, kind, 1.5f);
    agent->wanted = drawVec(g, kind, 1.5f);
    agent->key = drawU64(g);
    if (drawU32(g) % 4 == 0)
        agent->maxAccel = drawFloat(g, 0.1f, 60.0f);
    if (drawU32(g) % 8 == 0)
        agent->maxSpeed = drawU32(g) % 4 == 0 ? 0.0f : drawFloat(g, 0.1f, 4.0f);
    if (drawU32(g) % 8 == 0)
        agent->wanted = (thVec2){0.0f, 0.0f};
    agent->neighborCount = drawInt(g, 0, size < RVO_NEIGHBORS ? size : RVO_NEIGHBORS);
    agent->wallCount = drawU32(g) % 2 == 0 ? 0 : drawInt(g, 0, size < RVO_WALLS ? size : RVO_WALLS);
    agent->moverCount = drawU32(g) % 4 == 0 && size > 1 ? drawInt(g, 0, RVO_MOVERS) : 0;
    for (int32_t i = 0; i < agent->neighborCount; ++i)
        agent->neighbors[i] = drawNeighbor(g, kind);
    drawSurroundings(g, kind, agent);
}

int32_t drawRvoAgents(thGenerator* g, int32_t size, RvoAgent* agents)
{
    const int32_t count = drawInt(g, 1, RVO_LANES);
    const RvoKind kind = (RvoKind)(drawU32(g) % (rvo_kindCount + 1)); // one more: all of them
    for (int32_t i = 0; i < count; ++i)
        drawRvoAgent(g, kind == rvo_kindCount ? (RvoKind)(drawU32(g) % rvo_kindCount) : kind, size,
                     &agents[i]);
    return count;
}

RvoAgent plainRvoAgent(void)
{
    return (RvoAgent){.velocity = {1.0f, 0.0f},
                      .wanted = {1.0f, 0.0f},
                      .radius = 0.25f,
                      .maxSpeed = 2.0f,
                      .key = 1};
}

thRvoDef drawRvoDef(thGenerator* g)
{
    static const float cutoffs[] = {0.0f, 0.5f, 8.0f};
    thRvoDef def = thDefaultRvoDef();
    def.samples = drawU32(g) % 4 == 0 ? drawInt(g, 1, 20) : drawInt(g, 1, 100);
    def.weight = drawU32(g) % 2 == 0 ? 7.5f : drawFloat(g, 0.0f, 20.0f);
    def.cutoff = cutoffs[drawU32(g) % 3];
    def.refinements = drawU32(g) % 2 == 0 ? 0 : drawInt(g, 1, 3);
    def.refinementSamples = drawInt(g, 1, 40);
    def.even = (int32_t)(drawU32(g) % 2);
    def.hybrid = (int32_t)(drawU32(g) % 2);
    return def;
}

static void putAgent(const RvoAgent* agent, int32_t lane)
{
    hand.row[lane] = lane;
    hand.key[lane] = agent->key;
    hand.vx[lane] = agent->velocity.x;
    hand.vy[lane] = agent->velocity.y;
    hand.radius[lane] = agent->radius;
    hand.maxSpeed[lane] = agent->maxSpeed;
    hand.maxAccel[lane] = agent->maxAccel;
    hand.guideX[lane] = agent->wanted.x;
    hand.guideY[lane] = agent->wanted.y;
    for (int32_t k = 0; k < agent->neighborCount; ++k) {
        const RvoNeighbor* n = &agent->neighbors[k];
        const int32_t row = k % 2 == 0 ? RVO_LANES : -1; // half of them are further on, half before
        addHandNeighbor(&hand, lane,
                        &(HandNeighbor){n->position, n->velocity, n->radius, n->share, row});
    }
    for (int32_t k = 0; k < agent->wallCount; ++k)
        addHandWall(&hand, lane, agent->walls[k][0], agent->walls[k][1]);
    for (int32_t k = 0; k < agent->moverCount; ++k)
        addHandMover(&hand, lane, &agent->movers[k]);
}

const thBatch* makeRvoBatch(const RvoAgent* agents, int32_t count, uint64_t step, float dt)
{
    if (!hasArena) {
        thiMemoryInit(&memory, NULL, 0);
        thiArenaInit(&arena, &memory);
        hasArena = true;
    }
    thiArenaReset(&arena);
    const int32_t lanes = (count + TH_MAX_WIDTH - 1) / TH_MAX_WIDTH * TH_MAX_WIDTH;
    startHandBatch(&hand, count, count, lanes);
    hand.frame.step = step;
    hand.frame.seed = 1;
    hand.frame.dt = dt;
    hand.batch.scratch = &arena;
    RvoAgent inert = agents[0];
    inert.neighborCount = inert.wallCount = inert.moverCount = 0;
    for (int32_t lane = 0; lane < lanes; ++lane)
        putAgent(lane < count ? &agents[lane] : &inert, lane);
    return &hand.batch;
}

void freeRvoBatches(void)
{
    if (hasArena)
        thiArenaFree(&arena);
    hasArena = false;
}
