// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The quick way to a choice of `meso` gives the bits of the plain one: in crowds made to be
// difficult, with every instruction set, and in worlds, where agents are found through the grid.

#include "meso_gear.h"

#include "geom/fixed.h"
#include "group/group_methods.h"
#include "throng/world.h"

#include <stdatomic.h>

enum { laneCount = 128, wallCount = 4 };

static Crowd* crowds[th_simdCount]; // NULL: this machine has no such lanes
static thMemory memory;
static thArena scratch;

static int createAll(void** state)
{
    (void)state;
    const thAllocator allocator = thDefaultAllocator();
    thiMemoryInit(&memory, &allocator, 0);
    thiArenaInit(&scratch, &memory);
    for (int32_t simd = th_simdScalar; simd < th_simdCount; ++simd)
        crowds[simd] = thSimd_IsAvailable((thSimd)simd) ? createCrowdFor((thSimd)simd) : NULL;
    return 0;
}

static int destroyAll(void** state)
{
    (void)state;
    for (int32_t simd = th_simdScalar; simd < th_simdCount; ++simd)
        if (crowds[simd] != NULL)
            destroyCrowd(crowds[simd]);
    thiArenaFree(&scratch);
    return 0;
}

// A batch of some rows, with walls, and what each remembers.
typedef struct Lanes {
    thBatch batch;
    int32_t row[laneCount], wallCounts[laneCount], wall[wallCount * laneCount];
    float radius[laneCount], speed[laneCount], limit[laneCount];
    float cornerX[laneCount], cornerY[laneCount], guideX[laneCount], guideY[laneCount];
    uint64_t key[laneCount];
    thMesoSide side[laneCount];
    thWalls walls;
    int32_t ax[wallCount], ay[wallCount], bx[wallCount], by[wallCount];
} Lanes;

static bool isSameChoice(const thMesoChoice* a, const thMesoChoice* b)
{
    return a->isWanted == b->isWanted && a->key == b->key && a->side == b->side &&
           sameBits(a->velocity.x, b->velocity.x) && sameBits(a->velocity.y, b->velocity.y);
}

// Memory stays until the arena is reset.
static thMesoChoice choosePlainly(const thMesoGraph* graph, const thBatch* batch,
                                  const thMesoDef* def, int32_t lane, uint64_t key, thMesoSide side)
{
    thMesoRoom room;
    thMesoObstacles obstacles;
    const thVec2 wanted = {batch->guideX[lane], batch->guideY[lane]};
    thMesoChoice none = {wanted, true, -1, UINT64_MAX, th_mesoNone};
    if (!thiMesoMakeRoom(batch->scratch, &room) ||
        !thiMesoPerceive(graph, batch->frame, def, batch->row[lane], &room))
        return none;
    const thMesoQuery query = thiMesoQueryOf(batch, def, lane, wanted);
    thiMesoFindObstacles(&query, &room.view, &obstacles);
    return thiMesoChoose(&query, &room.view, &obstacles, key, side);
}

// How often people wanted what they chose, and how often not.
static int64_t keptCount, turnedCount;

static bool agrees(Crowd* crowd, const thMesoDef* def, Lanes* lanes)
{
    thMesoDesk* desk = thiMesoMakeDesk(&scratch);
    lanes->batch.frame = &crowd->frame;
    crowd->frame.walls = &lanes->walls;
    for (int32_t lane = 0; lane < lanes->batch.count; ++lane) {
        thMesoChoice quick;
        lanes->batch.scratch = &scratch;
        if (desk == NULL ||
            !thiMesoChooseQuickly(crowd->graph, &lanes->batch, def, lane, lanes->key[lane],
                                  lanes->side[lane], desk, &quick))
            return false;
        lanes->batch.scratch = &crowd->scratch;
        thiArenaReset(&crowd->scratch);
        const thMesoChoice plain = choosePlainly(crowd->graph, &lanes->batch, def, lane,
                                                 lanes->key[lane], lanes->side[lane]);
        if (!isSameChoice(&quick, &plain))
            return false;
        *(plain.isWanted ? &keptCount : &turnedCount) += 1;
    }
    thiArenaReset(&scratch);
    return true;
}

// The kinds of crowds.
enum { inClumps, inOneClump, atRandom, inPiles, standing, inStrands, kindCount };

static void drawPerson(thGenerator* g, Crowd* crowd, int32_t kind, float side)
{
    thGenerator own = makeGenerator(5, (uint64_t)drawInt(g, 0, 9));
    const thVec2 middle = {drawFloat(&own, 0.0f, side), drawFloat(&own, 0.0f, side)};
    thVec2 place = {drawFloat(g, 0.0f, side), drawFloat(g, 0.0f, side)};
    thVec2 velocity = {drawFloat(g, -1.5f, 1.5f), drawFloat(g, -1.5f, 1.5f)};
    if (kind == inClumps) {
        place =
            (thVec2){middle.x + drawFloat(g, -2.0f, 2.0f), middle.y + drawFloat(g, -2.0f, 2.0f)};
        velocity = (thVec2){drawFloat(&own, -1.4f, 1.4f) + drawFloat(g, -0.2f, 0.2f),
                            drawFloat(&own, -1.4f, 1.4f) + drawFloat(g, -0.2f, 0.2f)};
    } else if (kind == inOneClump) {
        velocity = (thVec2){1.0f, drawInt(g, 0, 9) == 0 ? drawFloat(g, -1.0f, 1.0f) : 0.0f};
    } else if (kind == inPiles) {
        place = (thVec2){(float)drawInt(g, 0, 5), (float)drawInt(g, 0, 5)};
        velocity = (thVec2){(float)drawInt(g, -1, 1), 0.0f};
    } else if (kind == standing) {
        velocity = (thVec2){0.0f, 0.0f};
    }
    const int32_t row =
        addPerson(crowd, place, velocity, drawInt(g, 0, 20) == 0 ? 1.5f : drawFloat(g, 0.1f, 0.4f));
    crowd->key[row] = (uint64_t)row * 7919 % 10007;
}

// Strands of people who hang together, of velocities that change along them. They come back to
// where they were, so that many see parts that hang together with them only out of sight.
static void drawStrands(thGenerator* g, int32_t count, Crowd* crowd)
{
    float angle = 0.0f, turn = 0.0f;
    thVec2 place = {0.0f, 0.0f}, velocity = {1.0f, 0.0f};
    const float drift = drawFloat(g, 0.0f, 0.4f), most = drawFloat(g, 0.5f, 1.5f);
    for (int32_t i = 0; i < count; ++i) {
        const int32_t row = addPerson(crowd, place, velocity, 0.2f);
        crowd->key[row] = (uint64_t)row * 7919 % 10007;
        turn = drawInt(g, 0, 19) == 0 ? drawFloat(g, -0.3f, 0.3f) : turn;
        angle += turn;
        const float step = drawFloat(g, 0.2f, most);
        place = (thVec2){place.x + step * cosf(angle), place.y + step * sinf(angle)};
        velocity.x += drawFloat(g, -drift, drift);
        velocity.y += drawFloat(g, -drift, drift);
    }
}

static void drawCrowd(thGenerator* g, int32_t size, Crowd* crowd)
{
    const int32_t kind = drawInt(g, 0, kindCount - 1);
    const int32_t count = 2 + (drawInt(g, 0, 3) == 0 ? 10 * size : size);
    const float side = sqrtf((float)count / drawFloat(g, 0.1f, 4.0f));
    const bool isMixed = drawInt(g, 0, 1) == 0; // in layers, floors, and who is there
    const int32_t holders = drawInt(g, 0, 2) == 0 ? drawInt(g, 0, 20) : 0; // of twenty
    crowd->frame.count = 0;
    if (kind == inStrands)
        drawStrands(g, count, crowd);
    for (int32_t i = 0; i < count; ++i) {
        if (kind != inStrands)
            drawPerson(g, crowd, kind, side);
        if (drawInt(g, 0, 19) < holders)
            crowd->flags[i] |= th_agentHolds;
        if (!isMixed)
            continue;
        crowd->layers[i] = drawInt(g, 0, 9) == 0 ? 2 : 1;
        crowd->mask[i] = drawInt(g, 0, 4) == 0 ? 1 : UINT32_MAX;
        crowd->level[i] = drawInt(g, 0, 9) == 0;
        crowd->flags[i] = drawInt(g, 0, 19) == 0 ? 0 : crowd->flags[i];
    }
}

static thMesoDef drawDef(thGenerator* g)
{
    thMesoDef def = usualDef();
    def.radius = drawInt(g, 0, 1) == 0 ? 15.0f : drawFloat(g, 1.0f, 15.0f);
    def.near = drawInt(g, 0, 1) == 0 ? 1.5f : drawFloat(g, 0.1f, 2.5f);
    def.velocity = drawInt(g, 0, 1) == 0 ? 0.6f : drawFloat(g, 0.1f, 1.2f);
    def.horizon = drawInt(g, 0, 2) == 0 ? 0.0f : drawFloat(g, 1.0f, 12.0f);
    def.passable = drawInt(g, 0, 1) == 0 ? 100.0f : drawFloat(g, 0.0f, 3.0f);
    def.smallest = drawInt(g, 2, 4);
    def.hysteresis = drawFloat(g, 0.0f, 0.5f);
    return def;
}

static void drawLanes(thGenerator* g, const Crowd* crowd, Lanes* lanes)
{
    const int32_t rows = crowd->frame.count, count = TH_MIN(rows, laneCount);
    lanes->walls =
        (thWalls){wallCount, lanes->ax, lanes->ay, lanes->bx, lanes->by, NULL, NULL, NULL};
    lanes->batch = (thBatch){.count = count,
                             .lanes = laneCount,
                             .row = lanes->row,
                             .radius = lanes->radius,
                             .prefSpeed = lanes->speed,
                             .maxSpeed = lanes->limit,
                             .cornerX = lanes->cornerX,
                             .cornerY = lanes->cornerY,
                             .guideX = lanes->guideX,
                             .guideY = lanes->guideY,
                             .wallCount = lanes->wallCounts,
                             .wall = lanes->wall};
    for (int32_t w = 0; w < wallCount; ++w) {
        const int32_t near = drawInt(g, 0, rows - 1);
        lanes->ax[w] = crowd->px[near] + drawInt(g, -200000, 200000);
        lanes->ay[w] = crowd->py[near] + drawInt(g, -200000, 200000);
        lanes->bx[w] = crowd->px[near] + drawInt(g, -200000, 200000);
        lanes->by[w] = crowd->py[near] + drawInt(g, -200000, 200000);
    }
    const int32_t first = drawInt(g, 0, rows - count);
    for (int32_t lane = 0; lane < count; ++lane) {
        const int32_t row = first + lane;
        lanes->row[lane] = row;
        lanes->radius[lane] = crowd->radius[row];
        lanes->speed[lane] = 1.3f;
        lanes->limit[lane] = drawFloat(g, 0.5f, 2.0f);
        lanes->cornerX[lane] = drawInt(g, 0, 2) == 0 ? drawFloat(g, -9.0f, 9.0f) : 0.0f;
        lanes->cornerY[lane] = lanes->cornerX[lane] != 0.0f ? drawFloat(g, -9.0f, 9.0f) : 0.0f;
        lanes->guideX[lane] = drawInt(g, 0, 3) == 0 ? crowd->vx[row] : drawFloat(g, -1.5f, 1.5f);
        lanes->guideY[lane] = drawFloat(g, -1.5f, 1.5f);
        lanes->key[lane] = crowd->key[drawInt(g, 0, rows - 1)];
        lanes->side[lane] = (thMesoSide)drawInt(g, th_mesoNone, th_mesoLeft);
        lanes->wallCounts[lane] = drawInt(g, 0, 1) * wallCount;
        for (int32_t w = 0; w < wallCount; ++w)
            lanes->wall[w * laneCount + lane] = w;
    }
}

static bool isThePlainChoice(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    static Lanes lanes;
    const thGenerator same = *g;
    for (int32_t simd = th_simdScalar; simd < th_simdCount; ++simd) {
        Crowd* crowd = crowds[simd];
        if (crowd == NULL)
            continue;
        *g = same;
        drawCrowd(g, size, crowd);
        const thMesoDef defs[2] = {drawDef(g), drawDef(g)};
        const int32_t count = drawInt(g, 1, 2);
        drawLanes(g, crowd, &lanes);
        prepareCrowd(crowd, defs, count);
        for (int32_t i = 0; i < count; ++i)
            if (!agrees(crowd, &defs[i], &lanes))
                return false;
    }
    return true;
}

static void choosesAsThePlainWay(void** state)
{
    (void)state;
    keptCount = turnedCount = 0;
    assertProperty(&(thProperty){.name = "meso-quick",
                                 .seed = 1,
                                 .caseCount = caseCount(120, 4000),
                                 .maxSize = 60,
                                 .holds = isThePlainChoice});
    assert_true(keptCount > 1000 && turnedCount > 1000);
}

// Five thousand of one velocity within sight, and a few who come towards them.
static void choosesInTheWorstOfCrowds(void** state)
{
    (void)state;
    enum { count = 5000 };
    static Lanes lanes;
    Crowd* crowd = crowds[thSimd_Resolve(th_simdAuto)];
    thGenerator g = makeGenerator(8, 0);
    crowd->frame.count = 0;
    while (crowd->frame.count < count) {
        const thVec2 place = {drawFloat(&g, -15.0f, 15.0f), drawFloat(&g, -15.0f, 15.0f)};
        if (place.x * place.x + place.y * place.y < 220.0f)
            addPerson(crowd, place, (thVec2){crowd->frame.count < 20 ? -1.0f : 1.0f, 0.0f}, 0.2f);
    }
    const thMesoDef def = usualDef();
    drawLanes(&g, crowd, &lanes);
    lanes.batch.count = 40;
    for (int32_t lane = 0; lane < lanes.batch.count; ++lane)
        lanes.row[lane] = lane;
    prepareCrowd(crowd, &def, 1);
    assert_true(agrees(crowd, &def, &lanes));
}

// Of two arms of a horseshoe the other one is a group by itself for those in its middle, though all
// hang together, and whoever wants to get there goes round. So it is where those who join the arms
// are near, but are not seen.
static void seesTheOtherArm(void** state)
{
    (void)state;
    enum { arm = 250 };
    static Lanes lanes;
    Crowd* crowd = crowds[thSimd_Resolve(th_simdAuto)];
    const thMesoDef def = usualDef();
    for (int32_t isNear = 0; isNear < 2; ++isNear) {
        thGenerator g = makeGenerator(10, 0);
        crowd->frame.count = 0;
        for (int32_t i = 0; i < 2 * arm; ++i)
            addPerson(crowd, (thVec2){0.4f * (float)(i % arm) - 50.0f, i < arm ? 0.0f : 6.0f},
                      (thVec2){1.0f, 0.0f}, 0.2f);
        for (int32_t i = 1; i < 6; ++i) {
            const int32_t row = addPerson(crowd, (thVec2){isNear ? 0.0f : -50.0f, (float)i},
                                          (thVec2){1.0f, 0.0f}, 0.2f);
            crowd->layers[row] = isNear ? 2 : 1;
        }
        drawLanes(&g, crowd, &lanes);
        lanes.batch.count = 1;
        lanes.row[0] = arm / 2;
        lanes.limit[0] = 2.0f;
        lanes.guideX[0] = lanes.guideY[0] = 1.0f;
        lanes.cornerX[0] = lanes.cornerY[0] = 0.0f;
        crowd->mask[arm / 2] = 1;
        prepareCrowd(crowd, &def, 1);
        assert_int_equal(crowd->graph->clumps.count, 1);
        turnedCount = 0;
        assert_true(agrees(crowd, &def, &lanes));
        assert_int_equal(turnedCount, 1);
    }
}

// Worlds.

static _Atomic int64_t compared, turned, different;

static void solveBothWays(const thBatch* batch, const void* params, const void* shared)
{
    thMesoDesk* desk = thiMesoMakeDesk(batch->scratch);
    for (int32_t lane = 0; lane < batch->count && desk != NULL; ++lane) {
        const thMesoState* own = batch->state[lane];
        thMesoChoice quick;
        if (!(batch->guideX[lane] * batch->guideX[lane] > 0.01f) ||
            !thiMesoChooseQuickly(shared, batch, params, lane, own->key, (thMesoSide)own->side,
                                  desk, &quick))
            continue;
        const thMesoChoice plain =
            choosePlainly(shared, batch, params, lane, own->key, (thMesoSide)own->side);
        compared += 1;
        turned += !plain.isWanted;
        different += !isSameChoice(&quick, &plain);
    }
    thiGroupMeso.solve(batch, params, shared);
}

static void walkBothWays(int32_t count, float density, float spread)
{
    thWorldDef worldDef = thDefaultWorldDef();
    worldDef.workerCount = 2;
    thWorld* world;
    assert_int_equal(thCreateWorld(&worldDef, &world), th_resultOk);
    thMethod both = thiGroupMeso;
    both.name = "both";
    both.solve = solveBothWays;
    both.explain = NULL;
    assert_int_equal(thWorld_AddMethod(world, th_methodGroup, &both), th_resultOk);
    thProfileDef def = thDefaultProfileDef();
    def.group.name = "both";
    def.avoid.name = "orca";
    thAgentDef agent = thDefaultAgentDef();
    assert_int_equal(thCreateProfile(world, &def, &agent.profile, NULL), th_resultOk);
    const float side = sqrtf((float)count / density);
    thGoalId goals[4];
    for (int32_t i = 0; i < 4; ++i)
        assert_int_equal(thCreatePointGoal(world,
                                           (thVec2){i % 2 == 0 ? -side : 2.0f * side,
                                                    i / 2 == 0 ? -side : 2.0f * side},
                                           &goals[i]),
                         th_resultOk);
    thGenerator g = makeGenerator(9, (uint64_t)count);
    for (int32_t i = 0; i < count; ++i) {
        thAgentId id;
        agent.position = (thVec2){drawFloat(&g, 0.0f, side), drawFloat(&g, 0.0f, side)};
        agent.goal = goals[(int32_t)(agent.position.x / spread) % 4];
        agent.placement = th_placementNearest;
        assert_int_equal(thCreateAgent(world, &agent, &id), th_resultOk);
    }
    for (int32_t n = 0; n < 12; ++n)
        assert_int_equal(thWorld_Step(world, 0.1f), th_resultOk);
    thDestroyWorld(world);
}

static void choosesAsThePlainWayInWorlds(void** state)
{
    (void)state;
    compared = turned = different = 0;
    walkBothWays(300, 0.1f, 12.0f);
    walkBothWays(400, 1.0f, 3.0f);
    assert_int_equal(different, 0);
    assert_true(compared > 5000 && turned > 300);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(choosesAsThePlainWay, createAll, destroyAll),
        cmocka_unit_test_setup_teardown(choosesInTheWorstOfCrowds, createAll, destroyAll),
        cmocka_unit_test_setup_teardown(seesTheOtherArm, createAll, destroyAll),
        cmocka_unit_test(choosesAsThePlainWayInWorlds),
    };
    return RUN_TESTS(tests, argc, argv);
}
