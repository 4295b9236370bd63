// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "steer/steer_case.h"

#include "geom/fixed.h"

#define LANES 16
#define LANE 1
#define ROWS (1 + STEER_NEIGHBORS)

const thVec2 steerTriangle[3] = {{-0.4f, -0.3f}, {0.5f, -0.2f}, {0.1f, 0.6f}};

// Everything a batch points to. Row 0 is the agent's, the others are those of its neighbours.
static struct {
    thFrame frame;
    thWalls walls;
    thMovers movers;
    thBatch batch;
    thSteerPath path;
    int32_t px[ROWS], py[ROWS], row[LANES], goal[ROWS];
    uint64_t key[ROWS];
    uint32_t layers[ROWS], flags[ROWS];
    uint16_t level[ROWS];
    float heading[ROWS];
    int32_t ax[STEER_WALLS], ay[STEER_WALLS], bx[STEER_WALLS], by[STEER_WALLS];
    int32_t mx[STEER_MOVERS], my[STEER_MOVERS], firstCorner[STEER_MOVERS + 1];
    float mvx[STEER_MOVERS], mvy[STEER_MOVERS], spin[STEER_MOVERS], mradius[STEER_MOVERS];
    thVec2 corners[3 * STEER_MOVERS];
    float vx[LANES], vy[LANES], radius[LANES], prefSpeed[LANES], maxSpeed[LANES], maxAccel[LANES];
    int32_t neighborCount[LANES], wallCount[LANES], moverCount[LANES];
    float nx[STEER_NEIGHBORS * LANES], ny[STEER_NEIGHBORS * LANES];
    float nvx[STEER_NEIGHBORS * LANES], nvy[STEER_NEIGHBORS * LANES];
    float nradius[STEER_NEIGHBORS * LANES], nshare[STEER_NEIGHBORS * LANES];
    int32_t nrow[STEER_NEIGHBORS * LANES];
    int32_t wall[STEER_WALLS * LANES], mover[STEER_MOVERS * LANES];
    int32_t nodes[4 * STEER_NODES];
} all;

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
        made.movers[i] = (SteerMover){drawVec(g, lattice, 2.0f), drawVec(g, lattice, 1.0f),
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
    all.neighborCount[LANE] = made->neighborCount;
    for (int32_t k = 0; k < made->neighborCount; ++k) {
        const SteerNeighbor* n = &made->neighbors[k];
        const int32_t at = k * LANES + LANE;
        all.nx[at] = n->position.x;
        all.ny[at] = n->position.y;
        all.nvx[at] = n->velocity.x;
        all.nvy[at] = n->velocity.y;
        all.nradius[at] = n->radius;
        all.nshare[at] = n->share;
        all.nrow[at] = 1 + k;
        all.layers[1 + k] = n->layers;
        all.key[1 + k] = n->key;
    }
}

static void putObstacles(const SteerCase* made)
{
    all.wallCount[LANE] = all.walls.count = made->wallCount;
    for (int32_t k = 0; k < made->wallCount; ++k) {
        all.ax[k] = thiUnits(made->walls[k][0].x);
        all.ay[k] = thiUnits(made->walls[k][0].y);
        all.bx[k] = thiUnits(made->walls[k][1].x);
        all.by[k] = thiUnits(made->walls[k][1].y);
        all.wall[k * LANES + LANE] = k;
    }
    all.moverCount[LANE] = all.movers.count = made->moverCount;
    for (int32_t k = 0; k < made->moverCount; ++k) {
        const SteerMover* mover = &made->movers[k];
        const int32_t corners = mover->radius > 0.0f ? 0 : 3;
        all.mx[k] = thiUnits(mover->position.x);
        all.my[k] = thiUnits(mover->position.y);
        all.mvx[k] = mover->velocity.x;
        all.mvy[k] = mover->velocity.y;
        all.spin[k] = mover->spin;
        all.mradius[k] = mover->radius;
        for (int32_t i = 0; i < corners; ++i)
            all.corners[all.firstCorner[k] + i] = steerTriangle[i];
        all.firstCorner[k + 1] = all.firstCorner[k] + corners;
        all.mover[k * LANES + LANE] = k;
    }
}

// Nodes are portals of 2 m about the places.
static void putPath(const SteerCase* made)
{
    for (int32_t i = 0; i < made->nodeCount; ++i) {
        const int32_t x = thiUnits(made->nodes[i].x), y = thiUnits(made->nodes[i].y);
        const int32_t half = THRONG_UNITS_PER_METRE;
        const int32_t node[4] = {x, y - half, x, y + half};
        for (int32_t k = 0; k < 4; ++k)
            all.nodes[4 * i + k] = node[k];
    }
    all.path = (thSteerPath){.closed = made->closed,
                             .map = {.nodeCount = made->nodeCount, .nodes = all.nodes}};
    all.path.segments = made->nodeCount < 2 ? 0 : made->nodeCount - (made->closed ? 0 : 1);
}

static void connect(const SteerCase* made)
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
    all.frame = (thFrame){.count = ROWS,
                          .step = made->step,
                          .seed = 7,
                          .dt = made->dt,
                          .px = all.px,
                          .py = all.py,
                          .layers = all.layers,
                          .heading = all.heading,
                          .level = all.level,
                          .flags = all.flags,
                          .goal = all.goal,
                          .key = all.key,
                          .walls = &all.walls,
                          .movers = &all.movers};
    all.batch = (thBatch){.frame = &all.frame,
                          .count = 2,
                          .lanes = LANES,
                          .row = all.row,
                          .vx = all.vx,
                          .vy = all.vy,
                          .radius = all.radius,
                          .prefSpeed = all.prefSpeed,
                          .maxSpeed = all.maxSpeed,
                          .maxAccel = all.maxAccel,
                          .neighborCount = all.neighborCount,
                          .neighborMax = made->neighborCount,
                          .nx = all.nx,
                          .ny = all.ny,
                          .nvx = all.nvx,
                          .nvy = all.nvy,
                          .nradius = all.nradius,
                          .nshare = all.nshare,
                          .nrow = all.nrow,
                          .wallCount = all.wallCount,
                          .wallMax = made->wallCount,
                          .wall = all.wall,
                          .moverCount = all.moverCount,
                          .moverMax = made->moverCount,
                          .mover = all.mover};
}

thSteerer steererOfCase(const SteerCase* made, const thSteerDef* def)
{
    all.key[0] = made->key;
    all.layers[0] = made->layers;
    all.flags[0] = made->flags;
    all.heading[0] = made->heading;
    all.goal[0] = -1;
    all.vx[LANE] = made->velocity.x;
    all.vy[LANE] = made->velocity.y;
    all.radius[LANE] = made->radius;
    all.prefSpeed[LANE] = made->prefSpeed;
    all.maxSpeed[LANE] = made->maxSpeed;
    all.maxAccel[LANE] = made->maxAccel;
    putNeighbors(made);
    putObstacles(made);
    putPath(made);
    connect(made);
    return thiMakeSteerer(&all.batch, LANE, def, &all.path, made->wanted);
}
