// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Finds ways: a hall with a wall across and two doors in it. Somebody is on the way through the
// near door when that shuts, and goes round by the other one; then that shuts too.

#include <throng/throng.h>

#include <stdio.h>
#include <stdlib.h>

static void check(thResult result)
{
    if (result == th_resultOk)
        return;
    fprintf(stderr, "find_way: %s\n", thResult_GetText(result));
    exit((int)result);
}

static thObstacleId build(thWorld* world, thObstacleKind kind, const thVec2* points, int32_t count)
{
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = kind;
    def.points = points;
    def.pointCount = count;
    thObstacleId obstacle;
    check(thCreateObstacle(world, &def, &obstacle));
    return obstacle;
}

// A door is a wall that comes and goes: this one stands from now on.
static thObstacleId shutDoor(thWorld* world, float from, float to)
{
    const thVec2 points[2] = {{10.0f, from}, {10.0f, to}};
    return build(world, th_obstacleWall, points, 2);
}

static void buildHall(thWorld* world)
{
    const thVec2 hall[4] = {{0.0f, 0.0f}, {20.0f, 0.0f}, {20.0f, 12.0f}, {0.0f, 12.0f}};
    const thVec2 south[2] = {{10.0f, 0.0f}, {10.0f, 3.0f}};  // a door to y = 4
    const thVec2 north[2] = {{10.0f, 4.0f}, {10.0f, 10.0f}}; // a door to y = 12
    const thVec2 pillar[4] = {{5.0f, 2.0f}, {6.0f, 2.0f}, {6.0f, 4.0f}, {5.0f, 4.0f}};
    build(world, th_obstacleRoom, hall, 4);  // solid outside
    build(world, th_obstacleWall, south, 2); // thin walls
    build(world, th_obstacleWall, north, 2);
    build(world, th_obstacleSolid, pillar, 4); // solid inside
}

// What the planner says, and the way it has found. Returns its length. [m; 0: none]
static double tellWay(const thWorld* world, thAgentId agent, const char* when)
{
    static const char* const answers[] = {"complete", "partial", "pending", "none"};
    thVec2 points[32];
    thPath path;
    check(thAgent_GetPath(world, agent, points, 32, &path));
    printf("%s: %s", when, answers[path.answer]);
    if (path.why != NULL)
        printf(" (%s)", path.why);
    if (path.answer == th_planComplete)
        printf(", %.2f m", path.length);
    for (int32_t i = 0; path.pointCount > 1 && i < path.pointCount && i < 32; ++i)
        printf("%s%.2f,%.2f", i == 0 ? " by " : " ", (double)points[i].x, (double)points[i].y);
    printf("\n");
    return path.answer == th_planComplete ? path.length : 0.0;
}

// The first step after a change of walls renews what planners know.
static void walk(thWorld* world, int32_t steps)
{
    for (int32_t i = 0; i < steps; ++i)
        check(thWorld_Step(world, 0.1f));
}

int main(void)
{
    const thWorldDef worldDef = thDefaultWorldDef();
    thWorld* world;
    check(thCreateWorld(&worldDef, &world));
    buildHall(world);

    thProfileDef profileDef = thDefaultProfileDef();
    profileDef.plan.name = "visibility";
    thAgentDef agentDef = thDefaultAgentDef();
    check(thCreateProfile(world, &profileDef, &agentDef.profile, NULL));
    check(thCreatePointGoal(world, (thVec2){18.0f, 3.0f}, &agentDef.goal));
    agentDef.position = (thVec2){2.0f, 3.0f};
    thAgentId agent;
    check(thCreateAgent(world, &agentDef, &agent));

    walk(world, 1);
    const double byNear = tellWay(world, agent, "both doors open");
    walk(world, 10);
    const thObstacleId door = shutDoor(world, 3.0f, 4.0f);
    walk(world, 1);
    const double byFar = tellWay(world, agent, "the near door shut");
    shutDoor(world, 10.0f, 12.0f);
    walk(world, 1);
    const double none = tellWay(world, agent, "both shut");
    check(thDestroyObstacle(world, door));
    walk(world, 1);
    tellWay(world, agent, "the near door open again");

    // What it plans with, for those who draw it.
    thSketch* sketch;
    check(thAgent_SketchPlan(world, agent, 1000, &sketch));
    const thSketchView view = thSketch_GetView(sketch);
    printf("its sketch has %d lines\n", (int)view.lineCount);
    const int good = byNear > 16.0 && byFar > byNear && none == 0.0 && view.lineCount > 0;
    thDestroySketch(sketch);
    walk(world, 200);
    const int isThere = thWorld_GetCounters(world).arrivals == 1;
    thDestroyWorld(world);
    printf("%s\n", isThere ? "it has arrived" : "it has NOT arrived");
    return good && isThere ? 0 : 1;
}
