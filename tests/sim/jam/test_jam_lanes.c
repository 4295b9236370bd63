// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The kernels of jams against the plain rules, in every instruction set: batches of people who
// stand close, on top of each other, beside walls and behind them, and have shown anything before.

#include "gear/gear.h"
#include "gear/property.h"
#include "geom/fixed.h"
#include "sim/jam/plain_jams.h"
#include "space/sense.h"

#include <stdlib.h>

#define ROWS 200
#define MOST_NEIGHBORS 64 // more than are looked at
#define MOST_WALLS 6
#define MOST_MOVERS 2
#define WALLS 40
#define MOVERS 5
#define PADDED (ROWS + 16)

typedef struct Case {
    thBatch batch;
    thFrame frame;
    thWalls walls;
    thMovers movers;
    thProfileDef def;
    thJams jams;
    bool isDense, isMixed; // most are near; all kinds of flags and goals

    // By row.
    int32_t px[PADDED], py[PADDED], goal[PADDED], goalIndex[PADDED];
    uint64_t key[PADDED];
    uint32_t flags[PADDED];
    uint16_t profile[PADDED], pressure[PADDED];
    float bodies[PADDED];
    thJamShown shown[2][PADDED];
    uint16_t remaining[2][PADDED];
    thJamOwn own[2][PADDED];
    thPoint rest[2][PADDED];

    // By lane.
    int32_t row[TH_BATCH_ROWS], neighborCount[TH_BATCH_ROWS];
    int32_t wallCount[TH_BATCH_ROWS], moverCount[TH_BATCH_ROWS];
    float vx[TH_BATCH_ROWS], vy[TH_BATCH_ROWS], radius[TH_BATCH_ROWS], prefSpeed[TH_BATCH_ROWS];
    float guideX[TH_BATCH_ROWS], guideY[TH_BATCH_ROWS], left[TH_BATCH_ROWS];
    float nx[MOST_NEIGHBORS * TH_BATCH_ROWS], ny[MOST_NEIGHBORS * TH_BATCH_ROWS];
    float nvx[MOST_NEIGHBORS * TH_BATCH_ROWS], nvy[MOST_NEIGHBORS * TH_BATCH_ROWS];
    float nradius[MOST_NEIGHBORS * TH_BATCH_ROWS];
    int32_t nrow[MOST_NEIGHBORS * TH_BATCH_ROWS];
    int32_t wall[MOST_WALLS * TH_BATCH_ROWS], mover[MOST_MOVERS * TH_BATCH_ROWS];

    int32_t ax[WALLS], ay[WALLS], bx[WALLS], by[WALLS];
    int32_t mx[MOVERS], my[MOVERS], firstCorner[MOVERS + 1];
    float mradius[MOVERS];
    thVec2 corners[3 * MOVERS];
    thBodyShape shapes[2];
    thJamCounts counts;
} Case;

static bool isOneIn(thGenerator* g, int32_t count)
{
    return drawInt(g, 1, count) == 1;
}

// A unit vector in bytes, or zero.
static void drawDirection(thGenerator* g, int8_t* x, int8_t* y)
{
    float sine, cosine;
    thSinCos(drawFloat(g, -3.1415927f, 3.1415927f), &sine, &cosine);
    const float length = isOneIn(g, 6) ? 0.0f : 127.0f;
    *x = (int8_t)(length * cosine);
    *y = (int8_t)(length * sine);
}

static uint32_t drawFlags(thGenerator* g, const Case* c)
{
    static const uint32_t standing[] = {th_agentArrived, th_agentWaiting, th_agentHolds,
                                        th_agentArrived | th_agentWaiting};
    return th_agentAlive | (c->isMixed && isOneIn(g, 3) ? standing[drawInt(g, 0, 3)] : 0u);
}

// What somebody has shown and kept. Most have nothing to do with jams, in some cases.
static void drawJam(thGenerator* g, Case* c, int32_t row, bool isCalm)
{
    thJamShown* shown = &c->shown[0][row];
    *shown = (thJamShown){.contact = (uint8_t)drawInt(g, 0, UINT8_MAX)};
    drawDirection(g, &shown->goalX, &shown->goalY);
    c->own[0][row].progress = (int16_t)drawInt(g, isOneIn(g, 4) ? -(1 << 14) : 1 << 13, 1 << 14);
    c->remaining[0][row] = (uint16_t)drawInt(g, 0, isOneIn(g, 4) ? UINT16_MAX : 40);
    c->rest[0][row] = isOneIn(g, 2) ? TH_NO_REST : (thPoint){c->px[row], drawInt(g, -9, 9)};
    if (isCalm)
        return;
    drawDirection(g, &shown->claimX, &shown->claimY);
    shown->claim = (uint16_t)(isOneIn(g, 2) ? 0 : drawInt(g, 0, isOneIn(g, 3) ? 2000 : 65535));
    shown->flags = (uint8_t)(drawInt(g, 0, 127) & drawInt(g, 0, 127));
    c->own[0][row].progress = (int16_t)drawInt(g, -(1 << 14), 1 << 14);
    c->own[0][row].wait =
        (uint16_t)(isOneIn(g, 2) ? 0 : drawInt(g, 0, isOneIn(g, 9) ? 65535 : 4000));
}

static void drawRows(thGenerator* g, Case* c)
{
    const bool isCalm = isOneIn(g, 3);
    for (int32_t row = 0; row < PADDED; ++row) {
        c->px[row] = drawInt(g, -100000, 100000);
        c->py[row] = drawInt(g, -100000, 100000);
        c->flags[row] = drawFlags(g, c);
        c->goal[row] = c->isMixed ? drawInt(g, -1, 3) : drawInt(g, 0, 300);
        c->goalIndex[row] = drawInt(g, 0, 6) == 0;
        c->key[row] = drawU64(g);
        c->profile[row] = (uint16_t)isOneIn(g, 3);
        c->pressure[row] = (uint16_t)(isOneIn(g, 4) ? drawInt(g, 0, 20) : 0);
        c->bodies[row] = isOneIn(g, 20) ? 2.0f : drawFloat(g, 0.0f, 0.4f);
        drawJam(g, c, row, isCalm && !isOneIn(g, 10));
        c->shown[1][row] = (thJamShown){.words = {-1, -1}};
        c->own[1][row].word = -1;
        c->remaining[1][row] = UINT16_MAX;
        c->rest[1][row] = TH_NO_REST;
    }
}

// Some pass through the places of agents, or begin there.
static void drawObstacles(thGenerator* g, Case* c)
{
    for (int32_t i = 0; i < WALLS; ++i) {
        const int32_t row = drawInt(g, 0, ROWS - 1), far = isOneIn(g, 9) ? 60000000 : 70000;
        c->ax[i] = c->px[row] + (isOneIn(g, 4) ? 0 : drawInt(g, -far, far));
        c->ay[i] = c->py[row] + (isOneIn(g, 4) ? 0 : drawInt(g, -far, far));
        c->bx[i] = isOneIn(g, 8) ? c->ax[i] : c->px[row] + drawInt(g, -far, far);
        c->by[i] = isOneIn(g, 8) ? c->ay[i] : c->py[row] + drawInt(g, -far, far);
    }
    for (int32_t i = 0; i < MOVERS; ++i) {
        c->mx[i] = drawInt(g, -100000, 100000);
        c->my[i] = drawInt(g, -100000, 100000);
        c->mradius[i] = drawFloat(g, 0.1f, 1.0f);
        const int32_t first = c->firstCorner[i], corners = isOneIn(g, 2) ? 3 : 0;
        const thVec2 triangle[3] = {{-0.4f, -0.3f}, {0.5f, -0.2f}, {0.1f, 0.6f}};
        for (int32_t k = 0; k < corners; ++k)
            c->corners[first + k] = triangle[k];
        c->firstCorner[i + 1] = first + corners;
    }
}

// Where the guide leads, and how fast, and what the agent gets of it.
static void drawOwn(thGenerator* g, Case* c, int32_t lane)
{
    float sine, cosine;
    thSinCos(drawFloat(g, -3.1415927f, 3.1415927f), &sine, &cosine);
    const float speed = isOneIn(g, 8) ? 0.0f : drawFloat(g, 0.0f, isOneIn(g, 9) ? 900.0f : 2.0f);
    const float gets = isOneIn(g, 2) ? 1.0f : drawFloat(g, -1.2f, 1.2f);
    c->guideX[lane] = speed * cosine;
    c->guideY[lane] = speed * sine;
    c->vx[lane] = gets * c->guideX[lane] + (isOneIn(g, 2) ? 0.0f : drawFloat(g, -0.3f, 0.3f));
    c->vy[lane] = gets * c->guideY[lane];
    c->prefSpeed[lane] = drawFloat(g, 0.0f, 2.0f);
    c->left[lane] = isOneIn(g, 5) ? 0.0f : drawFloat(g, 0.0f, isOneIn(g, 5) ? 1.0e9f : 30.0f);
}

static thVec2 drawPlace(thGenerator* g, const Case* c, int32_t lane, float radius)
{
    const float radii = c->radius[lane] + radius;
    if (isOneIn(g, 12))
        return (thVec2){0.0f, 0.0f};
    if (isOneIn(g, 12)) // at the very bounds
        return (thVec2){radii + (isOneIn(g, 2) ? 0.5f : 0.3f), 0.0f};
    const float gap = drawFloat(g, -0.1f, c->isDense ? 0.6f : 2.0f);
    float sine, cosine;
    thSinCos(drawFloat(g, -3.1415927f, 3.1415927f), &sine, &cosine);
    return (thVec2){(radii + gap) * cosine, (radii + gap) * sine};
}

static void drawSeen(thGenerator* g, Case* c, int32_t lane, int32_t mostNeighbors)
{
    const int32_t lanes = c->batch.lanes;
    c->neighborCount[lane] = drawInt(g, 0, mostNeighbors);
    for (int32_t k = 0; k < c->neighborCount[lane]; ++k) {
        const int32_t at = k * lanes + lane, row = drawInt(g, 0, ROWS - 1);
        const thVec2 place = drawPlace(g, c, lane, c->bodies[row]);
        c->nrow[at] = row;
        c->nx[at] = place.x;
        c->ny[at] = place.y;
        c->nvx[at] = drawFloat(g, -1.0f, 1.0f);
        c->nvy[at] = drawFloat(g, -1.0f, 1.0f);
        c->nradius[at] = c->bodies[row];
    }
    c->wallCount[lane] =
        c->batch.wallMax > 0 && isOneIn(g, 2) ? drawInt(g, 0, c->batch.wallMax) : 0;
    for (int32_t k = 0; k < c->wallCount[lane]; ++k)
        c->wall[k * lanes + lane] = drawInt(g, 0, WALLS - 1);
    c->moverCount[lane] = drawInt(g, 0, c->batch.moverMax);
    for (int32_t k = 0; k < c->moverCount[lane]; ++k)
        c->mover[k * lanes + lane] = drawInt(g, 0, MOVERS - 1);
    c->batch.neighborMax = TH_MAX(c->batch.neighborMax, c->neighborCount[lane]);
}

static void drawBatch(thGenerator* g, Case* c, int32_t size)
{
    const int32_t count = drawInt(g, 1, TH_MIN(1 + size, TH_BATCH_ROWS));
    const int32_t mostNeighbors = isOneIn(g, 8) ? MOST_NEIGHBORS : drawInt(g, 0, 12);
    const bool isStretch = isOneIn(g, 2);
    c->batch.count = count;
    c->batch.lanes = (count + 15) / 16 * 16;
    c->batch.wallMax = isOneIn(g, 2) ? 0 : drawInt(g, 1, MOST_WALLS);
    c->batch.moverMax = isOneIn(g, 3) ? MOST_MOVERS : 0;
    memset(c->wall, -1, sizeof c->wall);
    memset(c->mover, -1, sizeof c->mover);
    for (int32_t at = 0; at < MOST_NEIGHBORS * TH_BATCH_ROWS; ++at) { // who is not there
        c->nx[at] = c->ny[at] = TH_INERT_DISTANCE;
        c->nvx[at] = 1.0f;
        c->nrow[at] = at % ROWS;
    }
    int32_t row = drawInt(g, 0, ROWS - TH_BATCH_ROWS - 20);
    for (int32_t lane = 0; lane < c->batch.lanes; ++lane) {
        c->row[lane] = lane < count ? row : c->row[0];
        row += isStretch || !isOneIn(g, 8) || row >= ROWS - TH_BATCH_ROWS ? 1 : 2;
        c->radius[lane] = c->bodies[c->row[lane]];
        c->profile[c->row[lane]] = c->profile[c->row[0]];
        if (lane < count) {
            drawOwn(g, c, lane);
            drawSeen(g, c, lane, mostNeighbors);
        }
    }
}

static void drawProfile(thGenerator* g, Case* c)
{
    static const float times[] = {0.05f, 0.1f, 0.5f, 3.0f};
    c->def = (thProfileDef){.keep = (thKeep)drawInt(g, th_keepRight, th_keepNone),
                            .patience = isOneIn(g, 5) ? 0.0f : drawFloat(g, 0.1f, 2.0f),
                            .slowness = isOneIn(g, 5) ? 0.0f : drawFloat(g, 0.01f, 1.0f),
                            .turnAside = drawFloat(g, 0.0f, 1.5f),
                            .pace = isOneIn(g, 2) ? thPeoplePace() : (thPace){0}};
    c->frame.dt = times[drawInt(g, 0, 3)];
    c->frame.step = (uint64_t)drawInt(g, 0, 100000);
    if (isOneIn(g, 4)) {
        c->shapes[1].count = 3;
        c->frame.shapes = c->shapes;
    }
}

// Pointers that lead into the case itself.
static void connect(Case* c)
{
    c->walls = (thWalls){.count = WALLS, .ax = c->ax, .ay = c->ay, .bx = c->bx, .by = c->by};
    c->movers = (thMovers){.count = MOVERS,
                           .px = c->mx,
                           .py = c->my,
                           .radius = c->mradius,
                           .firstCorner = c->firstCorner,
                           .corners = c->corners};
    c->frame.count = ROWS;
    c->frame.px = c->px;
    c->frame.py = c->py;
    c->frame.flags = c->flags;
    c->frame.goal = c->goal;
    c->frame.goalIndex = c->goalIndex;
    c->frame.key = c->key;
    c->frame.profile = c->profile;
    c->frame.walls = &c->walls;
    c->frame.movers = &c->movers;
    if (c->frame.shapes != NULL)
        c->frame.shapes = c->shapes;
    c->batch.frame = &c->frame;
    c->batch.row = c->row;
    c->batch.vx = c->vx;
    c->batch.vy = c->vy;
    c->batch.radius = c->radius;
    c->batch.prefSpeed = c->prefSpeed;
    c->batch.guideX = c->guideX;
    c->batch.guideY = c->guideY;
    c->batch.remaining = c->left;
    c->batch.neighborCount = c->neighborCount;
    c->batch.nx = c->batch.neighborMax > 0 ? c->nx : NULL;
    c->batch.ny = c->ny;
    c->batch.nvx = c->nvx;
    c->batch.nvy = c->nvy;
    c->batch.nradius = c->nradius;
    c->batch.nrow = c->nrow;
    c->batch.wallCount = c->wallCount;
    c->batch.wall = c->wall;
    c->batch.moverCount = c->moverCount;
    c->batch.mover = c->mover;
    for (int32_t i = 0; i < 2; ++i) {
        c->jams.shown[i] = c->shown[i];
        c->jams.remaining[i] = c->remaining[i];
        c->jams.own[i] = c->own[i];
        c->jams.rest[i] = c->rest[i];
    }
}

static bool agree(const Case* a, const Case* b)
{
    bool same =
        memcmp(&a->counts, &b->counts, sizeof a->counts) == 0 &&
        memcmp(a->shown, b->shown, sizeof a->shown) == 0 &&
        memcmp(a->own, b->own, sizeof a->own) == 0 &&
        memcmp(a->remaining, b->remaining, sizeof a->remaining) == 0 &&
        memcmp(a->nx, b->nx, sizeof a->nx) == 0 && memcmp(a->ny, b->ny, sizeof a->ny) == 0 &&
        memcmp(a->nvx, b->nvx, sizeof a->nvx) == 0 && memcmp(a->nvy, b->nvy, sizeof a->nvy) == 0 &&
        memcmp(a->nradius, b->nradius, sizeof a->nradius) == 0;
    for (int32_t lane = 0; lane < a->batch.count; ++lane)
        same = same && sameBits(a->guideX[lane], b->guideX[lane]) &&
               sameBits(a->guideY[lane], b->guideY[lane]);
    return same;
}

typedef struct Gear {
    Case *drawn, *plain, *wide;
    thArena scratch;
} Gear;

static void copyCase(Case* to, const Case* from)
{
    memcpy(to, from, sizeof *to);
    connect(to);
}

static bool sameAsPlain(thGenerator* g, int32_t size, void* context)
{
    Gear* gear = context;
    Case* drawn = gear->drawn;
    memset(drawn, 0, sizeof *drawn);
    drawn->isDense = isOneIn(g, 2);
    drawn->isMixed = isOneIn(g, 2);
    drawProfile(g, drawn);
    drawRows(g, drawn);
    drawObstacles(g, drawn);
    drawBatch(g, drawn, size);
    drawn->batch.scratch = &gear->scratch;
    copyCase(gear->plain, drawn);
    plainUnjam(&gear->plain->jams, &drawn->def, &gear->plain->batch, drawn->pressure,
               &gear->plain->counts);
    for (thSimd simd = th_simdScalar; simd < th_simdCount; ++simd) {
        if (!thSimd_IsAvailable(simd))
            continue;
        copyCase(gear->wide, drawn);
        thiArenaReset(&gear->scratch);
        if (!thiUnjam(&gear->wide->jams, &drawn->def, &gear->wide->batch, drawn->pressure, simd,
                      &gear->wide->counts) ||
            !agree(gear->plain, gear->wide))
            return false;
    }
    return true;
}

static void testSameAsPlain(void** state)
{
    (void)state;
    thMemory memory;
    thiMemoryInit(&memory, NULL, 0);
    Gear gear = {malloc(sizeof(Case)), malloc(sizeof(Case)), malloc(sizeof(Case)), {0}};
    thiArenaInit(&gear.scratch, &memory);
    const thProperty property = {.name = "sameAsPlain",
                                 .seed = 1,
                                 .caseCount = caseCount(600, 20000),
                                 .maxSize = TH_BATCH_ROWS - 1,
                                 .holds = sameAsPlain,
                                 .context = &gear};
    assertProperty(&property);
    thiArenaFree(&gear.scratch);
    free(gear.drawn);
    free(gear.plain);
    free(gear.wide);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testSameAsPlain)};
    return RUN_TESTS(tests, argc, argv);
}
