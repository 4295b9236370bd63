// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Whole worlds with contacts: crowds of all sizes and speeds among walls and movers, while agents
// and obstacles come and go. Every step is judged.

#include "crowds/contact_play.h"
#include "gear/gear.h"

#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979

static bool isLong(void)
{
    return getenv("THRONG_LONG") != NULL;
}

// Any worlds.

// Solid, or a room if it is large enough to hold somebody.
static void addStar(Play* play, bool isRoom)
{
    thVec2 points[12];
    const int32_t count = drawInt(play->g, 3, 12);
    const thVec2 middle = drawPoint(play);
    const float size = isRoom ? play->side : logUniform(play->g, 0.1, 0.25 * (double)play->side);
    for (int32_t i = 0; i < count; ++i) {
        const float distance = size * drawFloat(play->g, isRoom ? 0.5f : 0.1f, 1.0f);
        points[i] = around(middle, (double)distance, 2.0 * PI * i / count);
    }
    addOutline(play, isRoom ? th_obstacleRoom : th_obstacleSolid, points, count);
}

// A thin wall with corners, acute ones too.
static void addPolyline(Play* play)
{
    thVec2 points[6];
    const int32_t count = drawInt(play->g, 2, 6);
    points[0] = drawPoint(play);
    double angle = (double)drawFloat(play->g, -3.0f, 3.0f);
    for (int32_t i = 1; i < count; ++i) {
        const float length = play->side * drawFloat(play->g, 0.05f, 0.4f);
        points[i] = around(points[i - 1], (double)length, angle);
        const double most = oneIn(play, 2) ? 0.3 : 3.0;
        angle += PI + most * (double)drawFloat(play->g, -1.0f, 1.0f);
    }
    addOutline(play, th_obstacleWall, points, count);
}

// Two walls in line with a gap between them, as wide as somebody or a little more or less.
static void addGap(Play* play)
{
    const thVec2 middle = drawPoint(play);
    const double angle = (double)drawFloat(play->g, -3.0f, 3.0f);
    const double share = oneIn(play, 2) ? 1.0 : (double)drawFloat(play->g, 0.9f, 2.0f);
    for (int32_t end = 0; end < 2; ++end) {
        const thVec2 points[2] = {around(middle, share * (double)play->minRadius, angle + PI * end),
                                  around(middle, 0.5 * (double)play->side, angle + PI * end)};
        addOutline(play, th_obstacleWall, points, 2);
    }
}

static void addWalls(Play* play)
{
    for (int32_t i = drawInt(play->g, 1, 4); i > 0; --i)
        switch (drawInt(play->g, 0, 3)) {
        case 0:
            addStar(play, false);
            break;
        case 1:
            addPolyline(play);
            break;
        case 2:
            addGap(play);
            break;
        default:
            addStar(play, true);
            break;
        }
}

static void addMover(Play* play)
{
    thVec2 points[8];
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = oneIn(play, 2) ? th_obstacleMovingDisc : th_obstacleMovingPolygon;
    def.radius = logUniform(play->g, 0.1, 2.0);
    def.position = drawPoint(play);
    const float speed = logUniform(play->g, 0.1, 10.0);
    def.velocity.x = drawFloat(play->g, -speed, speed);
    def.velocity.y = drawFloat(play->g, -speed, speed);
    def.spin = drawFloat(play->g, -2.0f, 2.0f);
    def.yields = drawInt(play->g, 0, 1);
    if (def.kind == th_obstacleMovingPolygon) {
        const float width = logUniform(play->g, 0.1, 3.0), height = logUniform(play->g, 0.02, 2.0);
        def.points = points;
        def.pointCount = drawInt(play->g, 3, 8);
        for (int32_t i = 0; i < def.pointCount; ++i)
            points[i] = (thVec2){width * (float)cos(2.0 * PI * i / def.pointCount),
                                 height * (float)sin(2.0 * PI * i / def.pointCount)};
    }
    addObstacle(play, &def);
}

static void destroyObstacle(Play* play, thObstacleId id)
{
    for (int32_t w = 0; w < PLAY_WORLDS; ++w)
        assert_int_equal(thDestroyObstacle(play->worlds[w], id), th_resultOk);
    judgeRemoveObstacle(play->judge, id);
}

// The host moves a mover.
static void changeMover(Play* play, thObstacleId id)
{
    const thVec2 place = drawPoint(play);
    const float angle = drawFloat(play->g, -3.0f, 3.0f), speed = drawFloat(play->g, -5.0f, 5.0f);
    const bool jumps = oneIn(play, 2);
    for (int32_t w = 0; w < PLAY_WORLDS; ++w)
        assert_int_equal(
            jumps ? thObstacle_SetPlace(play->worlds[w], id, place, angle)
                  : thObstacle_SetMotion(play->worlds[w], id, (thVec2){speed, -speed}, angle),
            th_resultOk);
}

static void changeObstacle(Play* play)
{
    const Judge* judge = play->judge;
    const int32_t choice = drawInt(play->g, 0, 3);
    if (choice == 0 && judge->obstacleCount < 12)
        addStar(play, false);
    if (choice == 1 && judge->obstacleCount < 12)
        addMover(play);
    if (judge->obstacleCount == 0)
        return;
    const JudgeObstacle* obstacle =
        &judge->obstacles[drawInt(play->g, 0, judge->obstacleCount - 1)];
    if (choice == 2)
        destroyObstacle(play, obstacle->id);
    else if (choice == 3 && isMover(obstacle->kind))
        changeMover(play, obstacle->id);
}

// Floors, layers, speeds, and next to somebody else, whom it may then overlap. Walls may refuse it.
static void changeAgent(Play* play, uint64_t key)
{
    const thAgentId ids[2] = {thWorld_FindAgent(play->worlds[0], key),
                              thWorld_FindAgent(play->worlds[0], pickKey(play))};
    const int32_t choice = drawInt(play->g, 0, 4);
    const float value = drawFloat(play->g, 0.1f, 3.0f);
    const thVec2 place = around(thAgent_Get(play->worlds[0], ids[1]).position,
                                (double)(play->maxRadius * drawUnit(play->g)), (double)value);
    for (int32_t w = 0; w < PLAY_WORLDS && ids[0].value != 0 && ids[1].value != 0; ++w) {
        thWorld* world = play->worlds[w];
        thResult code = th_resultOk;
        if (choice == 0)
            code = thDestroyAgent(world, ids[0]);
        if (choice == 1)
            code = thAgent_SetLevel(world, ids[0], value > 1.5f);
        if (choice == 2)
            code = thAgent_SetLayers(world, ids[0], value > 1.5f ? 1u : 3u, value > 1.0f ? 1u : 2u);
        if (choice == 3)
            code = thAgent_SetSpeeds(world, ids[0], 0.5f * value, value);
        if (choice == 4)
            code = thWorld_SetKinematics(world, ids, &place, NULL, 1);
        assert_int_not_equal(code, th_resultBadArgument);
    }
}

// What happens between steps.
static void change(Play* play)
{
    const thAgentDef def = drawAgent(play);
    switch (drawInt(play->g, 0, 3)) {
    case 0:
        addAgent(play, &def);
        break;
    case 1:
        changeObstacle(play);
        break;
    default:
        changeAgent(play, pickKey(play));
        break;
    }
}

// What is to happen as the step begins.
static void command(Play* play)
{
    thCommand order = thDefaultCommand();
    const uint64_t key = pickKey(play);
    order.kind = oneIn(play, 2) ? th_commandCreateAgent : th_commandDestroyAgent;
    if (order.kind == th_commandCreateAgent)
        order.create = drawAgent(play);
    queueCommand(play, &order, key);
}

static void furnish(Play* play, int32_t agents)
{
    thGenerator* g = play->g;
    const double density = (double)logUniform(g, 0.05, 6.0);
    const bool mixed = oneIn(play, 2);
    play->side = (float)sqrt(agents / density) * (mixed ? 2.0f : 1.0f);
    play->minRadius = mixed ? 0.1f : 0.25f;
    play->maxRadius = mixed ? 3.0f : 0.25f;
    play->maxSpeed = logUniform(g, 0.5, 10.0);
    if (oneIn(play, 5)) // in a corner of the world
        play->corner =
            (thVec2){(float)THRONG_MAX_COORDINATE - play->side, -(float)THRONG_MAX_COORDINATE};
    for (int32_t i = 0; i < PLAY_GOALS; ++i)
        setGoal(play, i, drawPoint(play));
    if (drawInt(g, 0, 2) != 0)
        addWalls(play);
    for (int32_t i = drawInt(g, -2, 3); i > 0; --i)
        addMover(play);
    for (int32_t i = 0; i < agents; ++i) {
        const thAgentDef def = drawAgent(play);
        addAgent(play, &def);
    }
}

typedef struct Totals {
    int64_t bodySteps, touchingPairs, longWays, squeezed;
    double deepest;
} Totals;

static void addUp(Totals* totals, const Judge* judge)
{
    totals->bodySteps += judge->bodySteps;
    totals->touchingPairs += judge->touchingPairs;
    totals->longWays += judge->longWays;
    totals->squeezed += judge->squeezed;
    totals->deepest = fmax(totals->deepest, judge->deepest);
}

static bool anyWorldHolds(thGenerator* g, int32_t size, void* context)
{
    Play play;
    openPlay(&play, g);
    furnish(&play, size + 2);
    const bool steady = oneIn(&play, 2), changes = oneIn(&play, 2);
    float dt = logUniform(g, 0.01, 1.0);
    const char* problem = NULL;
    for (int32_t i = 0; i < 12 && problem == NULL; ++i) {
        dt = steady ? dt : logUniform(g, 0.01, 1.0);
        if (changes)
            change(&play);
        beginStep(&play);
        if (changes)
            command(&play);
        problem = endStep(&play, dt);
    }
    if (problem != NULL)
        printf("size %d, step %d of %g s: %s\n", (int)size, (int)play.step, (double)dt, problem);
    addUp(context, play.judge);
    closePlay(&play);
    return problem == NULL;
}

static void testAnyWorld(void** state)
{
    (void)state;
    Totals totals = {0};
    assertProperty(&(thProperty){.name = "contact_worlds",
                                 .seed = 0xc0a7,
                                 .caseCount = isLong() ? 6000 : 60,
                                 .maxSize = 150,
                                 .holds = anyWorldHolds,
                                 .context = &totals});
    print_message("%lld steps of agents, %lld of touching pairs, deepest %.4f %%; %lld long ways, "
                  "%lld squeezed\n",
                  (long long)totals.bodySteps, (long long)totals.touchingPairs,
                  100.0 * totals.deepest, (long long)totals.longWays, (long long)totals.squeezed);
}

// Set scenes.

static void addCrowd(Play* play, int32_t count, double pitch, PlayProfile profile, int32_t goal)
{
    const int32_t columns = (int32_t)ceil(sqrt(count));
    for (int32_t i = 0; i < count; ++i) {
        thAgentDef def = thDefaultAgentDef();
        def.profile = play->profiles[profile];
        def.goal = play->goals[goal];
        def.key = ++play->lastKey;
        def.radius = logUniform(play->g, (double)play->minRadius, (double)play->maxRadius);
        def.prefSpeed = def.maxSpeed = play->maxSpeed;
        def.position.x = play->corner.x + (float)(pitch * (i % columns + 0.5));
        def.position.y = play->corner.y + (float)(pitch * (i / columns + 0.5));
        def.position.x += drawFloat(play->g, 0.0f, 0.01f);
        def.position.y += drawFloat(play->g, 0.0f, 0.01f);
        addAgent(play, &def);
    }
}

static void run(Play* play, const char* name, uint64_t seed, int32_t steps, float dt)
{
    for (int32_t i = 0; i < steps; ++i) {
        beginStep(play);
        const char* problem = endStep(play, dt);
        if (problem != NULL)
            fail_msg("%s, seed %d, step %d: %s", name, (int)seed, (int)play->step, problem);
    }
    print_message("%s, seed %d: %d agents, %lld touching pairs a step, deepest %.4f %%, "
                  "%lld squeezed\n",
                  name, (int)seed, (int)thWorld_GetCounters(play->worlds[0]).agents,
                  (long long)(play->judge->touchingPairs / steps), 100.0 * play->judge->deepest,
                  (long long)play->judge->squeezed);
}

// Thousands want to the same point.
static void testPress(void** state)
{
    (void)state;
    const int32_t count = isLong() ? 4000 : 2000;
    for (PlayProfile profile = play_looking; profile <= play_blind; ++profile) {
        thGenerator g = makeGenerator(1, 1);
        Play play;
        openPlay(&play, &g);
        const double pitch = 0.55;
        const float middle = (float)(0.5 * pitch * sqrt(count));
        setGoal(&play, 0, (thVec2){middle, middle});
        addCrowd(&play, count, pitch, profile, 0);
        run(&play, profile == play_looking ? "press, looking" : "press", 1, isLong() ? 200 : 25,
            0.1f);
        assert_true(play.judge->touchingPairs > (profile == play_looking ? 0 : count));
        closePlay(&play);
    }
}

// Created on top of each other, in sizes of all kinds, in a room: they only part.
static void testPiles(void** state)
{
    (void)state;
    const thVec2 room[] = {{-8.0f, -8.0f}, {12.0f, -8.0f}, {12.0f, 12.0f}, {-8.0f, 12.0f}};
    for (uint64_t seed = 0; seed < (isLong() ? 12 : 4); ++seed) {
        thGenerator g = makeGenerator(2, seed);
        Play play;
        openPlay(&play, &g);
        play.minRadius = seed % 2 == 0 ? 0.25f : 0.1f;
        play.maxRadius = seed % 2 == 0 ? 0.25f : 1.0f;
        addOutline(&play, th_obstacleRoom, room, 4);
        setGoal(&play, 0, around((thVec2){2.0f, 2.0f}, 20.0, (double)drawFloat(&g, -3.0f, 3.0f)));
        addCrowd(&play, isLong() ? 200 : 80, 0.07, seed % 4 < 2 ? play_looking : play_blind, 0);
        run(&play, "pile", seed, isLong() ? 150 : 12, 0.05f);
        closePlay(&play);
    }
}

// Into acute corners: the tip of a room that is a sharp triangle.
static void testWedges(void** state)
{
    (void)state;
    const thVec2 tip = {3.0f, 3.0f};
    for (uint64_t seed = 0; seed < (isLong() ? 60 : 6); ++seed) {
        thGenerator g = makeGenerator(3, seed);
        Play play;
        openPlay(&play, &g);
        play.minRadius = seed % 2 == 0 ? 0.25f : 0.1f;
        play.maxRadius = seed % 2 == 0 ? 0.25f : 0.5f;
        const double angle = (double)drawFloat(&g, -3.0f, 3.0f), half = seed % 3 == 0 ? 0.05 : 0.3;
        const thVec2 room[] = {tip, around(tip, 40.0, angle - half),
                               around(tip, 40.0, angle + half)};
        addOutline(&play, th_obstacleRoom, room, 3);
        setGoal(&play, 0, tip);
        for (int32_t i = 0; i < 150; ++i) {
            thAgentDef agent = drawAgent(&play);
            const double distance = 40.0 * sqrt((double)drawUnit(&g));
            agent.position =
                around(tip, distance, angle + half * (double)drawFloat(&g, -0.9f, 0.9f));
            agent.goal = play.goals[0];
            addAgent(&play, &agent);
        }
        run(&play, "wedge", seed, isLong() ? 500 : 30, seed % 2 == 0 ? 0.1f : 1.0f);
        closePlay(&play);
    }
}

// Through a door hardly wider than those who go, from both sides.
static void testDoors(void** state)
{
    (void)state;
    for (uint64_t seed = 0; seed < (isLong() ? 60 : 6); ++seed) {
        thGenerator g = makeGenerator(4, seed);
        Play play;
        openPlay(&play, &g);
        const float half = 0.25f * drawFloat(&g, 1.0f, 1.6f);
        const thVec2 lower[] = {{4.0f, -9.0f}, {4.0f, 4.0f - half}};
        const thVec2 upper[] = {{4.0f, 4.0f + half}, {4.0f, 19.0f}};
        addOutline(&play, th_obstacleWall, lower, 2);
        addOutline(&play, th_obstacleWall, upper, 2);
        const PlayProfile profile = seed % 2 == 0 ? play_looking : play_blind;
        setGoal(&play, 0, (thVec2){12.0f, 4.0f});
        setGoal(&play, 1, (thVec2){-4.0f, 4.0f});
        play.corner = (thVec2){-4.0f, 0.0f};
        addCrowd(&play, 100, 0.6, profile, 0);
        play.corner = (thVec2){5.0f, 0.0f};
        addCrowd(&play, 60, 0.6, profile, 1);
        run(&play, "door", seed, isLong() ? 600 : 60, seed % 3 == 0 ? 0.5f : 0.1f);
        closePlay(&play);
    }
}

// A slab drives a crowd against a wall, and a bar turns in it.
static void testCompactor(void** state)
{
    (void)state;
    const thVec2 room[] = {{0.0f, 0.0f}, {9.0f, 0.0f}, {9.0f, 7.0f}, {0.0f, 7.0f}};
    const thVec2 slab[] = {{-0.3f, -3.4f}, {0.3f, -3.4f}, {0.3f, 3.4f}, {-0.3f, 3.4f}};
    const thVec2 bar[] = {{-2.0f, -0.02f}, {2.0f, -0.02f}, {2.0f, 0.02f}, {-2.0f, 0.02f}};
    for (uint64_t seed = 0; seed < (isLong() ? 40 : 4); ++seed) {
        thGenerator g = makeGenerator(5, seed);
        Play play;
        openPlay(&play, &g);
        addOutline(&play, th_obstacleRoom, room, 4);
        thObstacleDef def = thDefaultObstacleDef();
        def.kind = th_obstacleMovingPolygon;
        def.points = slab;
        def.pointCount = 4;
        def.position = (thVec2){-1.0f, 3.5f};
        def.velocity = (thVec2){drawFloat(&g, 0.3f, 2.0f), 0.0f};
        def.yields = seed % 2 != 0;
        addObstacle(&play, &def);
        def.points = bar;
        def.position = (thVec2){5.0f, 3.5f};
        def.velocity = (thVec2){0.0f, 0.0f};
        def.spin = drawFloat(&g, -3.0f, 3.0f);
        addObstacle(&play, &def);
        setGoal(&play, 0, (thVec2){1.0f, 3.5f});
        play.minRadius = 0.1f;
        play.maxRadius = 0.4f;
        play.corner = (thVec2){0.5f, 0.5f};
        addCrowd(&play, 100, 0.6, seed % 4 < 2 ? play_looking : play_blind, 0);
        run(&play, "compactor", seed, isLong() ? 300 : 60, 0.1f);
        closePlay(&play);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testPress),     cmocka_unit_test(testPiles),
        cmocka_unit_test(testWedges),    cmocka_unit_test(testDoors),
        cmocka_unit_test(testCompactor), cmocka_unit_test(testAnyWorld),
    };
    return RUN_TESTS(tests, argc, argv);
}
