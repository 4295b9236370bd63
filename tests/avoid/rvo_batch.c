// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "avoid/rvo_batch.h"

#include "base/memory.h"
#include "gear/gear.h"
#include "geom/fixed.h"

#define WALLS (RVO_WALLS * RVO_LANES)
#define MOVERS (RVO_MOVERS * RVO_LANES)
#define PAIRS (RVO_NEIGHBORS * RVO_LANES)

// Everything a batch points to.
static struct {
    thFrame frame;
    thWalls walls;
    thMovers movers;
    thBatch batch;
    int32_t zeros[RVO_LANES], row[RVO_LANES];
    uint64_t key[RVO_LANES];
    uint32_t flags[RVO_LANES];
    int32_t ax[WALLS], ay[WALLS], bx[WALLS], by[WALLS];
    int32_t mx[MOVERS], my[MOVERS], firstCorner[MOVERS + 1];
    float mvx[MOVERS], mvy[MOVERS], spin[MOVERS], mradius[MOVERS];
    thVec2 corners[3 * MOVERS];
    float vx[RVO_LANES], vy[RVO_LANES], radius[RVO_LANES], maxSpeed[RVO_LANES], maxAccel[RVO_LANES];
    float guideX[RVO_LANES], guideY[RVO_LANES], outVx[RVO_LANES], outVy[RVO_LANES];
    uint8_t status[RVO_LANES];
    int32_t neighborCount[RVO_LANES], wallCount[RVO_LANES], moverCount[RVO_LANES];
    float nx[PAIRS], ny[PAIRS], nvx[PAIRS], nvy[PAIRS], nradius[PAIRS], nshare[PAIRS];
    int32_t nrow[PAIRS], wall[WALLS], mover[MOVERS];
} all;

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
        agent->movers[i] = (RvoMover){drawVec(g, kind, reach), drawVec(g, kind, 1.5f),
                                      drawU32(g) % 2 == 0 ? 0.0f : drawFloat(g, 0.1f, 1.0f)};
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

static void putNeighbors(const RvoAgent* agent, int32_t lane, int32_t lanes)
{
    all.neighborCount[lane] = agent->neighborCount;
    for (int32_t k = 0; k < agent->neighborCount; ++k) {
        const RvoNeighbor* n = &agent->neighbors[k];
        const int32_t at = k * lanes + lane;
        all.nx[at] = n->position.x;
        all.ny[at] = n->position.y;
        all.nvx[at] = n->velocity.x;
        all.nvy[at] = n->velocity.y;
        all.nradius[at] = n->radius;
        all.nshare[at] = n->share;
        all.nrow[at] = k % 2 == 0 ? RVO_LANES : -1; // half of them are further on, half before
    }
}

static void putWalls(const RvoAgent* agent, int32_t lane, int32_t lanes)
{
    all.wallCount[lane] = agent->wallCount;
    for (int32_t k = 0; k < agent->wallCount; ++k) {
        const int32_t to = all.walls.count++;
        all.ax[to] = thiUnits(agent->walls[k][0].x);
        all.ay[to] = thiUnits(agent->walls[k][0].y);
        all.bx[to] = thiUnits(agent->walls[k][1].x);
        all.by[to] = thiUnits(agent->walls[k][1].y);
        all.wall[k * lanes + lane] = to;
    }
}

static void putMovers(const RvoAgent* agent, int32_t lane, int32_t lanes)
{
    static const thVec2 triangle[3] = {{-0.4f, -0.3f}, {0.5f, -0.2f}, {0.1f, 0.6f}};
    all.moverCount[lane] = agent->moverCount;
    for (int32_t k = 0; k < agent->moverCount; ++k) {
        const RvoMover* mover = &agent->movers[k];
        const int32_t to = all.movers.count++;
        const int32_t corners = mover->radius > 0.0f ? 0 : 3;
        all.mx[to] = thiUnits(mover->position.x);
        all.my[to] = thiUnits(mover->position.y);
        all.mvx[to] = mover->velocity.x;
        all.mvy[to] = mover->velocity.y;
        all.spin[to] = 0.0f;
        all.mradius[to] = mover->radius;
        for (int32_t i = 0; i < corners; ++i)
            all.corners[all.firstCorner[to] + i] = triangle[i];
        all.firstCorner[to + 1] = all.firstCorner[to] + corners;
        all.mover[k * lanes + lane] = to;
    }
}

static void putAgent(const RvoAgent* agent, int32_t lane, int32_t lanes)
{
    all.row[lane] = lane;
    all.key[lane] = agent->key;
    all.vx[lane] = agent->velocity.x;
    all.vy[lane] = agent->velocity.y;
    all.radius[lane] = agent->radius;
    all.maxSpeed[lane] = agent->maxSpeed;
    all.maxAccel[lane] = agent->maxAccel;
    all.guideX[lane] = agent->wanted.x;
    all.guideY[lane] = agent->wanted.y;
    putNeighbors(agent, lane, lanes);
    putWalls(agent, lane, lanes);
    putMovers(agent, lane, lanes);
}

static int32_t mostOf(const int32_t* counts, int32_t lanes)
{
    int32_t most = 0;
    for (int32_t i = 0; i < lanes; ++i)
        most = counts[i] > most ? counts[i] : most;
    return most;
}

static void connect(int32_t count, int32_t lanes, uint64_t step, float dt)
{
    all.walls.ax = all.ax;
    all.walls.ay = all.ay;
    all.walls.bx = all.bx;
    all.walls.by = all.by;
    all.movers.px = all.mx;
    all.movers.py = all.my;
    all.movers.vx = all.mvx;
    all.movers.vy = all.mvy;
    all.movers.spin = all.spin;
    all.movers.radius = all.mradius;
    all.movers.firstCorner = all.firstCorner;
    all.movers.corners = all.corners;
    all.frame = (thFrame){.count = count,
                          .step = step,
                          .seed = 1,
                          .dt = dt,
                          .px = all.zeros,
                          .py = all.zeros,
                          .key = all.key,
                          .flags = all.flags,
                          .walls = &all.walls,
                          .movers = &all.movers};
    all.batch = (thBatch){.frame = &all.frame,
                          .count = count,
                          .lanes = lanes,
                          .row = all.row,
                          .vx = all.vx,
                          .vy = all.vy,
                          .radius = all.radius,
                          .maxSpeed = all.maxSpeed,
                          .maxAccel = all.maxAccel,
                          .guideX = all.guideX,
                          .guideY = all.guideY,
                          .neighborCount = all.neighborCount,
                          .neighborMax = mostOf(all.neighborCount, lanes),
                          .nx = all.nx,
                          .ny = all.ny,
                          .nvx = all.nvx,
                          .nvy = all.nvy,
                          .nradius = all.nradius,
                          .nshare = all.nshare,
                          .nrow = all.nrow,
                          .wallCount = all.wallCount,
                          .wallMax = mostOf(all.wallCount, lanes),
                          .wall = all.wall,
                          .moverCount = all.moverCount,
                          .moverMax = mostOf(all.moverCount, lanes),
                          .mover = all.mover,
                          .outVx = all.outVx,
                          .outVy = all.outVy,
                          .status = all.status,
                          .scratch = &arena};
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
    RvoAgent inert = agents[0];
    inert.neighborCount = inert.wallCount = inert.moverCount = 0;
    all.walls.count = all.movers.count = 0;
    for (int32_t lane = 0; lane < lanes; ++lane)
        putAgent(lane < count ? &agents[lane] : &inert, lane, lanes);
    connect(count, lanes, step, dt);
    return &all.batch;
}

void freeRvoBatches(void)
{
    if (hasArena)
        thiArenaFree(&arena);
    hasArena = false;
}
