// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `clearpath` on batches at every width. Agents get the same bits whoever stands in the
// other lanes, also when they are asked alone.

#include "avoid/clearpath/clearpath.h"
#include "avoid/rvo/rvo_batch.h"
#include "base/memory.h"
#include "gear/gear.h"
#include "throng/world.h"
#include "velocity/outside_paper.h"

#include <stdlib.h>

#define DT 0.1f

static int64_t laterTries;
static thMemory memory;
static thArena arena;

typedef struct Answer {
    float vx[RVO_LANES], vy[RVO_LANES];
    uint8_t status[RVO_LANES];
} Answer;

static Answer ask(const thBatch* batch, const thClearpathDef* def, thSimd simd)
{
    thiArenaReset(&arena);
    thClearpathTask task;
    Answer answer;
    assert_true(thiClearpathMakeTask(batch, def, simd, &task));
    const size_t size = thiClearpathRoom(task.lanes, task.neighborMax, task.walls.most);
    void* room = thArena_Allocate(&arena, size);
    assert_non_null(room);
    thiClearpathSolveAll(&task, room);
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        answer.vx[lane] = batch->outVx[lane];
        answer.vy[lane] = batch->outVy[lane];
        answer.status[lane] = batch->status[lane];
    }
    return answer;
}

static bool areSame(const Answer* a, const Answer* b, int32_t count, const char* what)
{
    for (int32_t lane = 0; lane < count; ++lane) {
        if (sameBits(a->vx[lane], b->vx[lane]) && sameBits(a->vy[lane], b->vy[lane]) &&
            a->status[lane] == b->status[lane])
            continue;
        print_message("%s, lane %d: (%a, %a), status %d instead of (%a, %a), status %d\n", what,
                      lane, (double)b->vx[lane], (double)b->vy[lane], b->status[lane],
                      (double)a->vx[lane], (double)a->vy[lane], a->status[lane]);
        return false;
    }
    return true;
}

static thClearpathDef drawDef(thGenerator* g)
{
    thClearpathDef def = thDefaultClearpathDef();
    def.mode = drawU32(g) % 2 == 0 ? th_clearpathTwo : drawInt(g, 0, 2);
    def.horizon = drawU32(g) % 2 == 0 ? 2.0f : drawFloat(g, 0.05f, 4.0f);
    def.solver = drawU32(g) % 4 == 0 ? th_clearpathPaper : th_clearpathInterval;
    def.chain = drawU32(g) % 4 == 0 ? th_clearpathDrop : th_clearpathRecommended;
    def.overlap = drawInt(g, 0, 3);
    def.hybrid = drawU32(g) % 4 == 0;
    def.smoothing = drawU32(g) % 4 == 0 ? 0.3f : 0.0f;
    def.keep = drawU32(g) % 2 == 0 ? th_keepNone : drawInt(g, 0, 1);
    return def;
}

// What one agent alone gets. Who stands on another's point parts by rows, which it does not know.
static bool isSameAlone(const thClearpathDef* def, const RvoAgent* agent, const Answer* answer,
                        int32_t lane)
{
    if (agent->moverCount > 0)
        return true;
    const thAvoidSelf self = {agent->velocity, agent->wanted, agent->radius, agent->maxSpeed,
                              .maxAccel = agent->maxAccel};
    thAvoidNeighbor neighbors[RVO_NEIGHBORS];
    thAvoidWall walls[RVO_WALLS];
    for (int32_t i = 0; i < agent->neighborCount; ++i) {
        const RvoNeighbor* n = &agent->neighbors[i];
        if (n->position.x == 0.0f && n->position.y == 0.0f)
            return true;
        neighbors[i] = (thAvoidNeighbor){n->position, n->velocity, n->radius, .share = n->share};
    }
    for (int32_t i = 0; i < agent->wallCount; ++i) {
        thVec2 ends[2]; // places of walls are whole numbers
        for (int32_t k = 0; k < 2; ++k)
            ends[k] = (thVec2){roundf(agent->walls[i][k].x * 65536.0f) / 65536.0f,
                               roundf(agent->walls[i][k].y * 65536.0f) / 65536.0f};
        walls[i] = (thAvoidWall){ends[0], ends[1], {0.0f, 0.0f}, 0.0f};
    }
    thVec2 v;
    thClearpathStatus status;
    assert_int_equal(thClearpath_Solve(def, DT, &self, neighbors, agent->neighborCount, walls,
                                       agent->wallCount, &v, &status),
                     th_resultOk);
    if (sameBits(v.x, answer->vx[lane]) && sameBits(v.y, answer->vy[lane]) &&
        status == answer->status[lane])
        return true;
    print_message("alone (%a, %a), status %d instead of (%a, %a), status %d\n", (double)v.x,
                  (double)v.y, status, (double)answer->vx[lane], (double)answer->vy[lane],
                  answer->status[lane]);
    return false;
}

static thOutsideAnswer nearestPlain(const thClearpathDef* def, const thOutsideProblem* problem,
                                    thVec2* v)
{
    static thBorderCrossing room[3 * (2 * RVO_NEIGHBORS + RVO_WALLS + 3 * RVO_MOVERS) + 2];
    return def->solver == th_clearpathPaper ? thiNearestOutsidePaper(problem, room, v)
                                            : thiNearestOutside(problem, v);
}

// Whether a horizon is tried.
static bool isTried(const thClearpathDef* def, int32_t halvings)
{
    return halvings == 0 ||
           (def->mode == th_clearpathOne ? halvings <= 12
                                         : thiClearpathHorizon(def->horizon, halvings) > DT);
}

// Problems laid out and solved the plain way, with shorter and shorter horizons.
static bool isSamePlain(const thBatch* batch, const thClearpathDef* def, const Answer* answer,
                        int32_t lane)
{
    static thRegion regions[2 * RVO_NEIGHBORS + RVO_WALLS + 3 * RVO_MOVERS];
    thiArenaReset(&arena);
    thClearpathTask task;
    assert_true(thiClearpathMakeTask(batch, def, th_simdScalar, &task));
    if (def->chain == th_clearpathDrop)
        return true;
    thClearpathTry attempt = {.lane = lane, .aim = thiClearpathWanted(&task, lane)};
    for (; isTried(def, attempt.halvings); ++attempt.halvings) {
        thOutsideProblem problem = thiClearpathProblem(&task, &attempt, regions, NULL);
        thVec2 v;
        thOutsideAnswer found = nearestPlain(def, &problem, &v);
        if (found != th_outsideFree && def->keep != th_keepNone && !attempt.leans) {
            attempt.leans = true;
            attempt.aim = thiClearpathLeaning(&task, lane);
            problem = thiClearpathProblem(&task, &attempt, regions, NULL);
            found = nearestPlain(def, &problem, &v);
        }
        if (found == th_outsideNone)
            continue;
        laterTries += attempt.halvings > 0;
        if (sameBits(v.x, answer->vx[lane]) && sameBits(v.y, answer->vy[lane]))
            return true;
        print_message("plain, %d halvings: (%a, %a) instead of (%a, %a)\n", attempt.halvings,
                      (double)v.x, (double)v.y, (double)answer->vx[lane], (double)answer->vy[lane]);
        return false;
    }
    return answer->status[lane] > th_clearpathConstrained;
}

// The half-planes of neighbours, made the plain way.
static bool areFacesPlain(const thBatch* batch, const thClearpathDef* def, thSimd simd)
{
    static thClearpathFacesFcn* const faces[th_simdCount] = TH_KERNEL_TABLE(thiClearpathFaces);
    static float columns[3][RVO_NEIGHBORS * RVO_LANES];
    const thClearpathLineColumns lines = {columns[0], columns[1], columns[2]};
    int32_t lanes[RVO_LANES];
    thiArenaReset(&arena);
    thClearpathTask task;
    assert_true(thiClearpathMakeTask(batch, def, simd, &task));
    for (int32_t i = 0; i < task.lanes; ++i)
        lanes[i] = (3 * i + 1) % task.count;
    faces[simd](&task, lanes, task.lanes, &lines);
    for (int32_t i = 0; i < task.lanes; ++i) {
        const int32_t lane = lanes[i];
        const thClearpathOwn own = thiClearpathOwnOf(&task, lane);
        for (int32_t k = 0; k < task.neighborCount[lane]; ++k) {
            const int32_t from = k * task.lanes + lane, at = k * task.lanes + i;
            const thClearpathOther other = {{task.nx[from], task.ny[from]},
                                            {task.nvx[from], task.nvy[from]},
                                            task.radius[lane] + task.nradius[from],
                                            task.nshare[from],
                                            .isFirst = task.row[lane] < task.nrow[from]};
            if (other.share < TH_CLEARPATH_LEAST_SHARE)
                continue;
            const thRegion region =
                thiClearpathOverlaps(&other)
                    ? thiClearpathParting(&own, &other, th_clearpathCenters)
                    : thiClearpathFace(&own, &other, task.dt, def->keep == th_keepLeft);
            if (!sameBits(lines.x[at], -region.n[0].x) || !sameBits(lines.y[at], -region.n[0].y) ||
                !sameBits(lines.o[at], -region.o[0]))
                return false;
        }
    }
    return true;
}

static int64_t lanesInAll, statuses[6];

static bool widthsAgree(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    static RvoAgent agents[RVO_LANES];
    const int32_t count = drawRvoAgents(g, size, agents);
    const thClearpathDef def = drawDef(g);
    const thBatch* batch = makeRvoBatch(agents, count, 0, DT);
    const Answer answer = ask(batch, &def, th_simdScalar);
    lanesInAll += count;
    for (int32_t lane = 0; lane < count; ++lane) {
        statuses[answer.status[lane]] += 1;
        if (!isSameAlone(&def, &agents[lane], &answer, lane) ||
            !isSamePlain(batch, &def, &answer, lane))
            return false;
    }
    for (thSimd simd = th_simdScalar; simd < th_simdCount; ++simd) {
        if (!thSimd_IsAvailable(simd))
            continue;
        const Answer wide = ask(batch, &def, simd);
        if (!areSame(&answer, &wide, count, thSimd_GetName(simd)) ||
            !areFacesPlain(batch, &def, simd))
            return false;
    }
    return true;
}

static void testWidths(void** state)
{
    (void)state;
    thiMemoryInit(&memory, NULL, 0);
    thiArenaInit(&arena, &memory);
    assertProperty(&(thProperty){.name = "widths",
                                 .seed = 1,
                                 .caseCount = getenv("THRONG_LONG") != NULL ? 40000 : 1000,
                                 .maxSize = RVO_NEIGHBORS,
                                 .holds = widthsAgree});
    for (int32_t i = 0; i < 6; ++i)
        print_message("status %d: %lld of %lld\n", i, (long long)statuses[i],
                      (long long)lanesInAll);
    for (int32_t i = 0; i < 6; ++i)
        assert_true(statuses[i] > lanesInAll / 2000);
    print_message("%lld found with a shorter horizon\n", (long long)laterTries);
    assert_true(laterTries > lanesInAll / 100);
    thiArenaFree(&arena);
    freeRvoBatches();
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testWidths)};
    return RUN_TESTS(tests, argc, argv);
}
