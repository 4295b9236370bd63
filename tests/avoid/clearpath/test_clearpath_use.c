// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How well method `clearpath` uses registers where it is hard: while a thousand people from a
// circle meet in its middle. Each batch is solved twice, with lanes that stay where they are and
// with others that take the places of those who have finished.

#include "avoid/avoid_methods.h"
#include "avoid/clearpath/clearpath.h"
#include "gear/gear.h"
#include "space/sense.h"
#include "throng/world.h"

#define PEOPLE 1000
#define TURN 6.2831853f

static thClearpathWork rigid, packed;
static int64_t agents;

static void solveOnce(const thBatch* batch, const thClearpathDef* def, bool keepsLanes,
                      thClearpathWork* work)
{
    thClearpathTask task;
    assert_true(thiClearpathMakeTask(batch, def, thSimd_Resolve(th_simdAuto), &task));
    task.keepsLanes = keepsLanes;
    task.work = work;
    void* room = thArena_Allocate(batch->scratch,
                                  thiClearpathRoom(task.lanes, task.neighborMax, task.walls.most));
    assert_non_null(room);
    thiClearpathSolveAll(&task, room);
}

static void solve(const thBatch* batch, const void* params, const void* shared)
{
    (void)shared;
    float vx[TH_TILE_ROWS], vy[TH_TILE_ROWS];
    solveOnce(batch, params, true, &rigid);
    for (int32_t i = 0; i < batch->count; ++i) {
        vx[i] = batch->outVx[i];
        vy[i] = batch->outVy[i];
    }
    solveOnce(batch, params, false, &packed);
    agents += batch->count;
    for (int32_t i = 0; i < batch->count; ++i)
        assert_true(sameBits(vx[i], batch->outVx[i]) && sameBits(vy[i], batch->outVy[i]));
}

static void testCircle(void** state)
{
    (void)state;
    thMethod method = thiAvoidClearpath;
    method.name = "counted";
    method.solve = solve;
    thWorldDef worldDef = thDefaultWorldDef();
    worldDef.workerCount = 1;
    thWorld* world;
    assert_int_equal(thCreateWorld(&worldDef, &world), th_resultOk);
    assert_int_equal(thWorld_AddMethod(world, th_methodAvoid, &method), th_resultOk);
    thProfileDef profile = thDefaultProfileDef();
    profile.avoid.name = "counted";
    profile.neighborRadius = 3.75f;
    profile.prefSpeed = 1.4f;
    thAgentDef agent = thDefaultAgentDef();
    assert_int_equal(thCreateProfile(world, &profile, &agent.profile, NULL), th_resultOk);
    for (int32_t i = 0; i < PEOPLE; ++i) {
        const float angle = TURN * (float)i / PEOPLE;
        thAgentId id;
        agent.position = (thVec2){119.4f * cosf(angle), 119.4f * sinf(angle)};
        const thVec2 across = {-agent.position.x, -agent.position.y};
        assert_int_equal(thCreatePointGoal(world, across, &agent.goal), th_resultOk);
        assert_int_equal(thCreateAgent(world, &agent, &id), th_resultOk);
    }
    for (int32_t step = 0; step < 1050; ++step) {
        if (step == 950) { // they have met
            rigid = packed = (thClearpathWork){.tries = 0};
            agents = 0;
        }
        assert_int_equal(thWorld_Step(world, 0.1f), th_resultOk);
    }
    thDestroyWorld(world);
    const double width = (double)thSimd_GetWidth(thSimd_Resolve(th_simdAuto));
    const double rigidUse = (double)rigid.use.lanes / (double)rigid.use.rounds / width;
    const double packedUse = (double)packed.use.lanes / (double)packed.use.rounds / width;
    print_message("%s: tries for each agent %.2f, sides looked at for each try %.1f\n",
                  thSimd_GetName(thSimd_Resolve(th_simdAuto)),
                  (double)packed.tries / (double)agents,
                  (double)packed.use.lanes / (double)packed.tries);
    print_message("lanes in use: %.0f %%, and %.0f %% if they stay; rounds %.2f times as many\n",
                  100.0 * packedUse, 100.0 * rigidUse,
                  (double)rigid.use.rounds / (double)packed.use.rounds);
    print_message("regions that no kernel lays out: %lld of %lld tries\n",
                  (long long)packed.plainRegions, (long long)packed.tries);
    assert_true(packed.plainRegions * 100 <= packed.tries);
    assert_true(packed.use.lanes == rigid.use.lanes);
    assert_true(packedUse >= rigidUse);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testCircle)};
    return RUN_TESTS(tests, argc, argv);
}
