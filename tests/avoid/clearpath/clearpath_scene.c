// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// One agent and what it sees: drawn at random, turned, and solved.

#include "avoid/clearpath/clearpath_scene.h"

#include "gear/gear.h"

#include <stdlib.h>

#define LANES TH_MAX_WIDTH
#define PAIRS (LANES * RVO_NEIGHBORS)
#define WALLS (LANES * RVO_WALLS)

// Scenes that were asked with the same parameters, and what the answers were.
typedef struct Asked {
    int32_t count;
    thClearpathDef def;
    Scene scenes[LANES];
    SceneAnswer answers[LANES];
} Asked;

// Tests ask with several parameters in turn.
#define GROUPS 4
static Asked groups[GROUPS];
static int64_t compared;

// The columns of a task.
static struct {
    _Alignas(64) float vx[LANES], vy[LANES], radius[LANES], maxSpeed[LANES], maxAccel[LANES];
    float guideX[LANES], guideY[LANES], outVx[LANES], outVy[LANES];
    float nx[PAIRS], ny[PAIRS], nvx[PAIRS], nvy[PAIRS], nradius[PAIRS], nshare[PAIRS];
    float ax[WALLS], ay[WALLS], bx[WALLS], by[WALLS], wvx[WALLS], wvy[WALLS], wradius[WALLS];
    int32_t row[LANES], neighborCount[LANES], wallCount[LANES], nrow[PAIRS];
    uint8_t status[LANES];
} columns;

Scene drawScene(thGenerator* g, RvoKind kind, int32_t size)
{
    RvoAgent agent;
    drawRvoAgent(g, kind, size, &agent);
    Scene scene = {
        .self = {agent.velocity, agent.wanted, agent.radius, agent.maxSpeed, agent.maxAccel},
        .neighborCount = agent.neighborCount,
        .wallCount = agent.wallCount};
    for (int32_t i = 0; i < agent.neighborCount; ++i) {
        const RvoNeighbor* n = &agent.neighbors[i];
        scene.neighbors[i] =
            (thAvoidNeighbor){n->position, n->velocity, n->radius, .share = n->share};
    }
    for (int32_t i = 0; i < agent.wallCount; ++i)
        scene.walls[i] = (thAvoidWall){agent.walls[i][0], agent.walls[i][1], {0.0f, 0.0f}, 0.0f};
    return scene;
}

thClearpathDef drawDef(thGenerator* g)
{
    thClearpathDef def = thDefaultClearpathDef();
    def.mode = drawInt(g, 0, 2);
    def.horizon = drawFloat(g, 0.05f, 4.0f);
    def.wallHorizon = drawFloat(g, 0.05f, 2.0f);
    def.chain = drawInt(g, 0, 1);
    def.overlap = drawInt(g, 0, 3);
    def.smoothing = drawU32(g) % 4 == 0 ? drawFloat(g, 0.0f, 0.9f) : 0.0f;
    def.keep = drawInt(g, 0, 2);
    switch (drawU32(g) % 4) { // these do not go together
    case 0:
        def.cap = th_clearpathRound;
        break;
    case 1:
        def.solver = th_clearpathPaper;
        break;
    case 2:
        def.hybrid = 1;
        break;
    default:
        break;
    }
    return def;
}

static void setLane(int32_t lane, const Scene* scene)
{
    columns.vx[lane] = scene->self.velocity.x;
    columns.vy[lane] = scene->self.velocity.y;
    columns.radius[lane] = scene->self.radius;
    columns.maxSpeed[lane] = scene->self.maxSpeed;
    columns.maxAccel[lane] = scene->self.maxAccel;
    columns.guideX[lane] = scene->self.wanted.x;
    columns.guideY[lane] = scene->self.wanted.y;
    columns.neighborCount[lane] = scene->neighborCount;
    columns.wallCount[lane] = scene->wallCount;
    for (int32_t k = 0; k < scene->neighborCount; ++k) {
        const thAvoidNeighbor* n = &scene->neighbors[k];
        const int32_t at = k * LANES + lane;
        columns.nx[at] = n->position.x;
        columns.ny[at] = n->position.y;
        columns.nvx[at] = n->velocity.x;
        columns.nvy[at] = n->velocity.y;
        columns.nradius[at] = n->radius;
        columns.nshare[at] = n->share;
        columns.nrow[at] = k + 1; // the agent itself is row 0, as in the call for one
    }
    for (int32_t k = 0; k < scene->wallCount; ++k) {
        const thAvoidWall* w = &scene->walls[k];
        const int32_t at = k * LANES + lane;
        columns.ax[at] = w->a.x;
        columns.ay[at] = w->a.y;
        columns.bx[at] = w->b.x;
        columns.by[at] = w->b.y;
        columns.wvx[at] = w->velocity.x;
        columns.wvy[at] = w->velocity.y;
        columns.wradius[at] = w->radius;
    }
}

// A task for the first lanes. What those past the end hold is what others have left.
static thClearpathTask makeTask(const thClearpathDef* def, int32_t count, thSimd simd)
{
    int32_t neighbors = 0, walls = 0;
    for (int32_t lane = 0; lane < count; ++lane) {
        neighbors = TH_MAX(neighbors, columns.neighborCount[lane]);
        walls = TH_MAX(walls, columns.wallCount[lane]);
    }
    return (thClearpathTask){.def = def,
                             .dt = SCENE_DT,
                             .simd = simd,
                             .count = count,
                             .lanes = LANES,
                             .vx = columns.vx,
                             .vy = columns.vy,
                             .radius = columns.radius,
                             .maxSpeed = columns.maxSpeed,
                             .maxAccel = columns.maxAccel,
                             .guideX = columns.guideX,
                             .guideY = columns.guideY,
                             .row = columns.row,
                             .neighborMax = neighbors,
                             .neighborCount = columns.neighborCount,
                             .nx = columns.nx,
                             .ny = columns.ny,
                             .nvx = columns.nvx,
                             .nvy = columns.nvy,
                             .nradius = columns.nradius,
                             .nshare = columns.nshare,
                             .nrow = columns.nrow,
                             .walls = {walls, columns.wallCount, columns.ax, columns.ay, columns.bx,
                                       columns.by, columns.wvx, columns.wvy, columns.wradius},
                             .outVx = columns.outVx,
                             .outVy = columns.outVy,
                             .status = columns.status};
}

static void solveTask(const thClearpathTask* task)
{
    static void* room;
    static size_t roomSize;
    const size_t size = thiClearpathRoom(LANES, task->neighborMax, task->walls.most);
    if (size > roomSize) {
        free(room);
        roomSize = (size + 63) / 64 * 64;
        room = aligned_alloc(64, roomSize);
        assert_non_null(room);
    }
    thiClearpathSolveAll(task, room);
}

static void compareAt(const Asked* asked, thSimd simd)
{
    const thClearpathTask task = makeTask(&asked->def, asked->count, simd);
    solveTask(&task);
    for (int32_t lane = 0; lane < asked->count; ++lane) {
        const SceneAnswer* alone = &asked->answers[lane];
        if (!sameBits(alone->v.x, columns.outVx[lane]) ||
            !sameBits(alone->v.y, columns.outVy[lane]) || alone->status != columns.status[lane])
            fail_msg("%s, lane %d of %d: (%a, %a), status %d instead of (%a, %a), status %d",
                     thSimd_GetName(simd), lane, asked->count, (double)columns.outVx[lane],
                     (double)columns.outVy[lane], columns.status[lane], (double)alone->v.x,
                     (double)alone->v.y, alone->status);
    }
}

static void compare(Asked* asked)
{
    for (int32_t lane = 0; lane < asked->count; ++lane)
        setLane(lane, &asked->scenes[lane]);
    for (thSimd simd = th_simdScalar; simd < th_simdCount && asked->count > 0; ++simd)
        if (thSimd_IsAvailable(simd))
            compareAt(asked, simd);
    compared += asked->count;
    asked->count = 0;
}

int compareAsked(void** state)
{
    (void)state;
    for (int32_t i = 0; i < GROUPS; ++i)
        compare(&groups[i]);
    return 0;
}

int64_t comparedAnswers(void)
{
    return compared;
}

// The group with these parameters; if there is none, another one is compared and begun anew.
static Asked* groupOf(const thClearpathDef* def)
{
    static int32_t next;
    for (int32_t i = 0; i < GROUPS; ++i)
        if (groups[i].count > 0 && memcmp(&groups[i].def, def, sizeof *def) == 0)
            return &groups[i];
    next = (next + 1) % GROUPS;
    compare(&groups[next]);
    groups[next].def = *def;
    return &groups[next];
}

SceneAnswer askAlone(const thClearpathDef* def, const Scene* scene)
{
    SceneAnswer answer;
    assert_int_equal(thClearpath_Solve(def, SCENE_DT, &scene->self, scene->neighbors,
                                       scene->neighborCount, scene->walls, scene->wallCount,
                                       &answer.v, &answer.status),
                     th_resultOk);
    return answer;
}

SceneAnswer ask(const thClearpathDef* def, const Scene* scene)
{
    Asked* asked = groupOf(def);
    const SceneAnswer answer = askAlone(def, scene);
    asked->scenes[asked->count] = *scene;
    asked->answers[asked->count] = answer;
    asked->count += 1;
    if (asked->count == LANES)
        compare(asked);
    return answer;
}

float askInterval(const thClearpathDef* def, const Scene* scene)
{
    float interval = 1000.0f;
    setLane(0, scene);
    thClearpathTask task = makeTask(def, 1, th_simdScalar);
    task.interval = &interval;
    solveTask(&task);
    return interval;
}

double distanceOf(const Scene* scene, thVec2 v)
{
    return hypot((double)v.x - (double)scene->self.wanted.x,
                 (double)v.y - (double)scene->self.wanted.y);
}
