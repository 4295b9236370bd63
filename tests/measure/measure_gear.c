// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Worlds whose figures are known, and a crowd that comes and goes by lot.

#include "measure/measure_gear.h"

#include <stdlib.h>

thWorld* createPlainWorld(int32_t workerCount, int32_t contacts)
{
    thWorldDef def = thDefaultWorldDef();
    def.workerCount = THRONG_THREADS ? workerCount : 0;
    def.contacts = contacts;
    thWorld* world = NULL;
    assert_ok(thCreateWorld(&def, &world));
    return world;
}

thTally* createTally(const thWorld* world)
{
    thTallyDef def = thDefaultTallyDef();
    def.checkWalls = 1;
    thTally* tally = NULL;
    assert_ok(thCreateTally(&def, world, &tally));
    return tally;
}

Bytes saveTally(const thTally* tally)
{
    Bytes bytes = {0};
    assert_ok(thTally_Save(tally, NULL, 0, &bytes.size));
    bytes.data = malloc(bytes.size);
    assert_non_null(bytes.data);
    size_t size = 0;
    assert_ok(thTally_Save(tally, bytes.data, bytes.size, &size));
    assert_int_equal(size, bytes.size);
    return bytes;
}

void assertSameFigures(const thTally* a, const thTally* b)
{
    const thTallyResult left = thTally_GetResult(a), right = thTally_GetResult(b);
#define SAME(field)                                                                                \
    if (memcmp(&left.field, &right.field, sizeof left.field) != 0)                                 \
    fail_msg("%s differs: %.17g and %.17g", #field, (double)left.field, (double)right.field)
    SAME(steps);
    SAME(time);
    SAME(agents);
    SAME(arrived);
    SAME(lastArrival);
    SAME(meanArrival);
    SAME(meanTravel);
    SAME(meanPathRatio);
    SAME(collisionsPerStep);
    SAME(uniqueCollisions);
    SAME(uniqueIsLeast);
    SAME(maxDepth);
    SAME(dividedSteps);
    SAME(substeps);
    SAME(contactsPerStep);
    SAME(wallCrossings);
    SAME(maxWallDepth);
    SAME(squeezed);
    SAME(squeezedAgents);
    SAME(stuck);
    SAME(stuckShare);
    SAME(stuckMax);
    SAME(meanSpeed);
    for (int32_t status = 0; status < THRONG_TALLY_STATUSES; ++status)
        SAME(status[status]);
#undef SAME
}

void assertSameTally(const thTally* a, const thTally* b)
{
    assertSameFigures(a, b);
    const Bytes left = saveTally(a), right = saveTally(b);
    assert_true(sameBytes(left, right));
    freeBytes(left);
    freeBytes(right);
}

Walk createWalk(int32_t contacts)
{
    Walk walk = {.world = createPlainWorld(1, contacts)};
    thProfileDef def = thDefaultProfileDef();
    def.arrivalDistance = 0.01f;
    def.prefSpeed = 1.0f;
    assert_ok(thCreateProfile(walk.world, &def, &walk.stopping, NULL));
    def.arrival = th_arrivalLeave;
    assert_ok(thCreateProfile(walk.world, &def, &walk.leaving, NULL));
    return walk;
}

void destroyWalk(Walk* walk)
{
    thDestroyTally(walk->tally);
    thDestroyWorld(walk->world);
}

thTallyResult observeWalk(Walk* walk, int32_t steps)
{
    for (int32_t i = 0; i < steps; ++i) {
        assert_ok(thWorld_Step(walk->world, 0.5f));
        walk->time += 0.5;
        assert_ok(thTally_Observe(walk->tally, walk->time));
    }
    return thTally_GetResult(walk->tally);
}

thGoalId createPlace(thWorld* world, float x, float y)
{
    thGoalId goal;
    assert_ok(thCreatePointGoal(world, (thVec2){x, y}, &goal));
    return goal;
}

thAgentId addWalker(Walk* walk, thProfileId profile, float x, float y, thGoalId goal)
{
    thAgentDef def = thDefaultAgentDef();
    def.profile = profile;
    def.position = (thVec2){x, y};
    def.goal = goal;
    thAgentId id;
    assert_ok(thCreateAgent(walk->world, &def, &id));
    return id;
}

static thProfileId addProfile(thWorld* world, thArrival arrival, const char* avoid)
{
    thProfileDef def = thDefaultProfileDef();
    def.avoid.name = avoid;
    def.arrival = arrival;
    thProfileId id;
    assert_ok(thCreateProfile(world, &def, &id, NULL));
    return id;
}

// Two walls with a gap between them, a pillar to get stuck at, and what squeezes people against it.
static void addObstacles(thWorld* world)
{
    const thVec2 lower[] = {{10.0f, -30.0f}, {10.0f, -1.0f}},
                 upper[] = {{10.0f, 1.0f}, {10.0f, 30.0f}};
    const thVec2 pillar[] = {{-4.0f, -8.0f}, {-2.0f, -8.0f}, {-2.0f, 8.0f}, {-4.0f, 8.0f}};
    thObstacleId id;
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = th_obstacleWall;
    def.points = lower;
    def.pointCount = 2;
    assert_ok(thCreateObstacle(world, &def, &id));
    def.points = upper;
    assert_ok(thCreateObstacle(world, &def, &id));
    def.kind = th_obstacleSolid;
    def.points = pillar;
    def.pointCount = 4;
    assert_ok(thCreateObstacle(world, &def, &id));
    const thVec2 track[] = {{-12.0f, 0.0f}, {-4.5f, 0.0f}};
    def = thDefaultObstacleDef();
    def.kind = th_obstacleMovingDisc;
    def.radius = 1.0f;
    def.path = track;
    def.pathCount = 2;
    def.pathLoops = 1;
    assert_ok(thCreateObstacle(world, &def, &id));
}

static void addOne(Crowd* crowd, uint64_t key)
{
    thGenerator g = makeGenerator(77, key);
    const thProfileId profiles[] = {crowd->stopping, crowd->leaving, crowd->touring};
    thAgentDef def = thDefaultAgentDef();
    def.key = key;
    const int32_t kind = drawInt(&g, 0, 2);
    def.profile = profiles[kind];
    def.goal = kind == 2 ? crowd->tour : drawInt(&g, 0, 1) == 0 ? crowd->near : crowd->far;
    def.position = (thVec2){drawFloat(&g, -14.0f, -6.0f), drawFloat(&g, -6.0f, 6.0f)};
    if (drawInt(&g, 0, 2) == 0)
        def.position = (thVec2){drawFloat(&g, 2.0f, 9.0f), drawFloat(&g, -6.0f, 6.0f)};
    def.radius = drawFloat(&g, 0.2f, 0.4f);
    def.level = drawInt(&g, 0, 5) == 0;
    def.flags = drawInt(&g, 0, 9) == 0 ? th_agentWaiting : 0;
    def.prefSpeed = drawFloat(&g, 0.5f, 2.0f);
    thAgentId id;
    assert_ok(thCreateAgent(crowd->world, &def, &id));
}

Crowd createCrowd(int32_t workerCount, bool backwards)
{
    enum { count = 150 };
    Crowd crowd = {.world = createPlainWorld(workerCount, 0), .nextKey = count + 1};
    crowd.stopping = addProfile(crowd.world, th_arrivalStop, "none");
    crowd.leaving = addProfile(crowd.world, th_arrivalLeave, "orca");
    crowd.touring = addProfile(crowd.world, th_arrivalAgain, "none");
    assert_ok(thCreatePointGoal(crowd.world, (thVec2){0.0f, 0.0f}, &crowd.near));
    assert_ok(thCreatePointGoal(crowd.world, (thVec2){20.0f, 0.0f}, &crowd.far));
    const thGoalId stops[] = {crowd.near, crowd.far};
    thGoalDef def = thDefaultGoalDef();
    def.kind = th_goalList;
    def.goals = stops;
    def.goalCount = 2;
    assert_ok(thCreateGoal(crowd.world, &def, &crowd.tour));
    addObstacles(crowd.world);
    for (uint64_t i = 0; i < count; ++i)
        addOne(&crowd, backwards ? count - i : i + 1);
    return crowd;
}

void stepCrowd(Crowd* crowd, uint64_t step)
{
    thGenerator g = makeGenerator(78, step);
    for (int32_t i = drawInt(&g, 0, 2); i > 0; --i) {
        const thAgentId gone = thWorld_FindAgent(crowd->world, drawU64(&g) % crowd->nextKey);
        if (gone.value != 0)
            assert_ok(thDestroyAgent(crowd->world, gone));
    }
    for (int32_t i = drawInt(&g, 0, 2); i > 0; --i)
        addOne(crowd, crowd->nextKey++);
    const thAgentId told = thWorld_FindAgent(crowd->world, drawU64(&g) % crowd->nextKey);
    if (told.value != 0)
        assert_ok(thAgent_SetWaiting(crowd->world, told, drawInt(&g, 0, 1)));
    assert_ok(thWorld_Step(crowd->world, (float)CROWD_STEP));
}

void observeCrowd(thTally* tally, uint64_t step)
{
    assert_ok(thTally_Observe(tally, (double)(step + 1) * CROWD_STEP));
}

void assertMuchHappened(const thTally* tally)
{
    const thTallyResult result = thTally_GetResult(tally);
    assert_true(result.arrived > 30 && result.squeezedAgents > 0 && result.stuckMax > 0.0);
    assert_true(result.uniqueCollisions > 100 && result.meanPathRatio > 1.0);
}
