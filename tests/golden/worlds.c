// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Worlds as subjects: crowds among walls and movers, shapes, planners, and scenes of tests/crowds;
// at the end the table of all subjects.

#include "flock.h"
#include "lanes.h"
#include "subject.h"

#include "avoid/avoid_methods.h"
#include "avoid/clearpath/clearpath.h"
#include "crowds/scenes.h"
#include "group/group_methods.h"
#include "group/meso/meso.h"
#include "sim/world_internal.h"
#include "throng/gate.h"
#include "throng/orca.h"
#include "throng/query.h"
#include "throng/random.h"
#include "throng/roadmap.h"
#include "throng/social_force.h"
#include "throng/steer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Method `watch`: the guidance, turned away from neighbours, walls and movers, so that everything
// that was sensed shows in the result.
static void watchSolve(const thBatch* batch, const void* params, const void* shared)
{
    (void)params;
    (void)shared;
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        float x = batch->guideX[lane], y = batch->guideY[lane];
        for (int32_t k = 0; k < batch->neighborCount[lane]; ++k) {
            const int32_t at = k * batch->lanes + lane;
            const float distanceSq = batch->nx[at] * batch->nx[at] + batch->ny[at] * batch->ny[at];
            const float push = 0.1f * batch->nshare[at] / (distanceSq + batch->nradius[at]);
            x -= push * (batch->nx[at] - 0.1f * batch->nvx[at]);
            y -= push * (batch->ny[at] - 0.1f * batch->nvy[at]);
        }
        x -= 0.01f * (float)batch->wallCount[lane];
        y += 0.02f * (float)batch->moverCount[lane];
        const float speed = sqrtf(x * x + y * y);
        const float scale = speed > batch->maxSpeed[lane] ? batch->maxSpeed[lane] / speed : 1.0f;
        batch->outVx[lane] = scale * x;
        batch->outVy[lane] = scale * y;
        batch->status[lane] = (uint8_t)batch->neighborCount[lane];
    }
}

static const thMethod watch = {.size = sizeof(thMethod),
                               .name = "watch",
                               .version = 1,
                               .needs = th_needsNeighbors | th_needsWalls | th_needsMovers,
                               .solve = watchSolve};

static const thMethod watchAll = {.size = sizeof(thMethod),
                                  .name = "watch-all",
                                  .version = 1,
                                  .needs = th_needsEverybody | th_needsWalls,
                                  .solve = watchSolve};

typedef struct WorldRun {
    thWorld* world;
    SubjectOptions options;
    bool mixed;
    int32_t stepNumber;
} WorldRun;

static void require(thResult code)
{
    if (code != th_resultOk)
        abort(); // a subject that cannot be built is a broken test
}

static WorldRun* openRun(const SubjectOptions* options, bool contacts)
{
    WorldRun* run = calloc(1, sizeof *run);
    thWorldDef def = thDefaultWorldDef();
    def.workerCount = thTasks_GetWorkerCount(options->tasks);
    def.simd = options->simd;
    def.seed = 5;
    def.contacts = contacts ? 1 : 0;
    require(thCreateWorld(&def, &run->world));
    run->options = *options;
    require(thWorld_AddMethod(run->world, th_methodAvoid, &watch));
    require(thWorld_AddMethod(run->world, th_methodAvoid, &watchAll));
    return run;
}

static thProfileId makeProfile(thWorld* world, const thProfileDef* def)
{
    thProfileId id;
    require(thCreateProfile(world, def, &id, NULL));
    return id;
}

static thProfileDef watchingProfile(void)
{
    thProfileDef def = thDefaultProfileDef();
    def.avoid.name = "watch";
    def.neighborRadius = 3.75f;
    return def;
}

static thVec2 drawPoint(uint64_t stream, uint32_t index, float low, float high)
{
    return (thVec2){thRandomRange(stream, index, low, high),
                    thRandomRange(stream, index + 1, low, high)};
}

// Agent number `i` of `count` is created as the order says. Goals and profiles are created
// before, in one order: their slots show in the trace.
static int32_t creationOrder(const WorldRun* run, int32_t i, int32_t count)
{
    return run->options.shuffle ? (int32_t)(((int64_t)i * 7919 + 13) % count) : i;
}

static void* createRandom(const SubjectOptions* options)
{
    enum { count = 2500, goalCount = 64 };
    WorldRun* run = openRun(options, false);
    const thProfileDef def = watchingProfile();
    const thProfileId profile = makeProfile(run->world, &def);
    const float side = sqrtf((float)count);
    thGoalId goals[goalCount];
    for (int32_t i = 0; i < goalCount; ++i)
        require(thCreatePointGoal(
            run->world, drawPoint(thRandomStream(2, (uint64_t)i, 0, 0), 0, 0.0f, side), &goals[i]));
    for (int32_t n = 0; n < count; ++n) {
        const int32_t i = creationOrder(run, n, count);
        const uint64_t stream = thRandomStream(1, (uint64_t)i, 0, 0);
        thAgentDef agent = thDefaultAgentDef();
        agent.profile = profile;
        agent.key = 1 + (uint64_t)i;
        agent.position = drawPoint(stream, 0, 0.0f, side);
        agent.goal = goals[thRandomBits(stream, 9) % goalCount];
        thAgentId id;
        require(thCreateAgent(run->world, &agent, &id));
    }
    return run;
}

static void addWalls(thWorld* world)
{
    const thVec2 room[] = {{-40.0f, -40.0f}, {40.0f, -40.0f}, {40.0f, 40.0f}, {-40.0f, 40.0f}};
    const thVec2 block[] = {{5.0f, 5.0f}, {9.0f, 5.5f}, {8.0f, 12.0f}};
    const thVec2 wall[] = {{-30.0f, 3.0f}, {-3.0f, 3.0f}, {-3.0f, -20.0f}};
    thObstacleId id;
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = th_obstacleRoom;
    def.points = room;
    def.pointCount = 4;
    require(thCreateObstacle(world, &def, &id));
    def.kind = th_obstacleSolid;
    def.points = block;
    def.pointCount = 3;
    require(thCreateObstacle(world, &def, &id));
    def.kind = th_obstacleWall;
    def.points = wall;
    def.level = 1;
    require(thCreateObstacle(world, &def, &id));
}

static void addMovers(thWorld* world)
{
    const thVec2 corners[] = {{-1.0f, -0.5f}, {1.0f, -0.5f}, {1.0f, 0.5f}, {-1.0f, 0.5f}};
    const thVec2 path[] = {{-20.0f, -20.0f}, {20.0f, -20.0f}, {20.0f, 20.0f}};
    thObstacleId id;
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = th_obstacleMovingPolygon;
    def.points = corners;
    def.pointCount = 4;
    def.path = path;
    def.pathCount = 3;
    def.pathSpeed = 3.0f;
    def.pathLoops = 1;
    def.spin = 0.7f;
    require(thCreateObstacle(world, &def, &id));
    thObstacleDef disc = thDefaultObstacleDef();
    disc.kind = th_obstacleMovingDisc;
    disc.radius = 1.5f;
    disc.velocity = (thVec2){0.5f, -0.25f};
    require(thCreateObstacle(world, &disc, &id));
}

// Goals of every kind, the last of them a list of others.
static void makeGoals(thWorld* world, thGoalId* goals)
{
    const thVec2 points[] = {{-15.0f, 10.0f}, {-5.0f, 20.0f}, {-20.0f, 25.0f}};
    thGoalDef def = thDefaultGoalDef();
    def.points = points;
    const thGoalKind kinds[] = {th_goalPoint, th_goalDisc, th_goalSegment, th_goalPolygon};
    const int32_t counts[] = {1, 1, 2, 3};
    for (int32_t i = 0; i < 4; ++i) {
        def.kind = kinds[i];
        def.pointCount = counts[i];
        def.radius = i == 1 ? 2.0f : 0.0f;
        require(thCreateGoal(world, &def, &goals[i]));
    }
    thGoalDef several = thDefaultGoalDef();
    several.kind = th_goalAlternatives;
    several.goals = goals;
    several.goalCount = 3;
    require(thCreateGoal(world, &several, &goals[4]));
    const thGoalId list[] = {goals[4], goals[3], goals[0]};
    several.kind = th_goalList;
    several.goals = list;
    require(thCreateGoal(world, &several, &goals[5]));
}

static void makeMixedProfiles(thWorld* world, thProfileId* profiles)
{
    thProfileDef def = watchingProfile();
    profiles[0] = makeProfile(world, &def);
    def.neighborCount = 24;
    def.arrival = th_arrivalLeave;
    profiles[1] = makeProfile(world, &def);
    def.neighborCount = 5;
    def.fieldOfView = 3.5f;
    def.needsSight = 1;
    def.arrival = th_arrivalAgain;
    profiles[2] = makeProfile(world, &def);
    def = watchingProfile();
    def.avoid.name = "watch-all";
    def.neighborRadius = 2.5f;
    profiles[3] = makeProfile(world, &def);
}

static void* createMixed(const SubjectOptions* options)
{
    enum { count = 1500 };
    WorldRun* run = openRun(options, false);
    run->mixed = true;
    thProfileId profiles[4];
    thGoalId goals[6];
    makeMixedProfiles(run->world, profiles);
    makeGoals(run->world, goals);
    addWalls(run->world);
    addMovers(run->world);
    for (int32_t n = 0; n < count; ++n) {
        const int32_t i = creationOrder(run, n, count);
        const uint64_t stream = thRandomStream(3, (uint64_t)i, 0, 0);
        thAgentDef agent = thDefaultAgentDef();
        agent.profile = profiles[thRandomBits(stream, 0) % 4];
        agent.key = 1 + (uint64_t)i * 3;
        agent.position = drawPoint(stream, 1, -39.0f, 39.0f);
        agent.heading = thRandomRange(stream, 3, -3.0f, 3.0f);
        agent.goal = goals[thRandomBits(stream, 4) % 6];
        agent.level = (int32_t)(thRandomBits(stream, 5) % 3);
        agent.layers = 1u << thRandomBits(stream, 6) % 3;
        agent.mask = thRandomBits(stream, 7) | 1u;
        agent.radius =
            thRandomUnit(stream, 8) < 0.02f ? 2.5f : thRandomRange(stream, 9, 0.1f, 0.6f);
        agent.priority = thRandomRange(stream, 10, 0.5f, 4.0f);
        agent.flags = i % 40 == 0 ? th_agentExternal : i % 41 == 0 ? th_agentVelocityOnly : 0;
        agent.placement = th_placementNearest;
        thAgentId id;
        require(thCreateAgent(run->world, &agent, &id));
    }
    return run;
}

static void* createExtreme(const SubjectOptions* options)
{
    enum { count = 3000 };
    WorldRun* run = openRun(options, false);
    thProfileDef def = watchingProfile();
    def.neighborRadius = 20.0f;
    const thProfileId profile = makeProfile(run->world, &def);
    thGoalId goal;
    require(thCreatePointGoal(run->world, (thVec2){100.0f, -50.0f}, &goal));
    for (int32_t n = 0; n < count; ++n) {
        const int32_t i = creationOrder(run, n, count);
        const uint64_t stream = thRandomStream(4, (uint64_t)i, 0, 0);
        thAgentDef agent = thDefaultAgentDef();
        agent.profile = profile;
        agent.key = 1 + (uint64_t)i;
        agent.goal = goal;
        agent.position = i < 1000   ? drawPoint(stream, 0, -30000.0f, 30000.0f)
                         : i < 2000 ? drawPoint(stream, 0, 12345.0f, 12346.0f)
                                    : (thVec2){-20000.5f, 19999.25f};
        thAgentId id;
        require(thCreateAgent(run->world, &agent, &id));
    }
    return run;
}

// People with time gaps of their own who crowd towards one point, and a few who do not care.
static void* createPace(const SubjectOptions* options)
{
    enum { columns = 20, rows = 8, count = columns * rows };
    WorldRun* run = openRun(options, false);
    thProfileDef def = thDefaultProfileDef();
    def.avoid.name = "orca";
    def.radius = 0.2f;
    const thProfileId hurried = makeProfile(run->world, &def);
    def.pace = thPeoplePace();
    const thProfileId people = makeProfile(run->world, &def);
    thGoalId goal;
    require(thCreatePointGoal(run->world, (thVec2){12.0f, 0.0f}, &goal));
    for (int32_t n = 0; n < count; ++n) {
        const int32_t i = creationOrder(run, n, count);
        thAgentDef agent = thDefaultAgentDef();
        agent.profile = i % 16 == 0 ? hurried : people;
        agent.key = 1 + (uint64_t)i * UINT64_C(0x100000001);
        agent.goal = goal;
        agent.position =
            (thVec2){0.6f * (float)(i / rows) - 6.0f, 0.55f * (float)(i % rows) - 2.0f};
        thAgentId id;
        require(thCreateAgent(run->world, &agent, &id));
    }
    return run;
}

// `clearpath` with the solver of its paper, and `orca` with the least effort, under names of their
// own.
static void addVariants(thWorld* world)
{
    static thClearpathDef paper;
    paper = thDefaultClearpathDef();
    paper.solver = th_clearpathPaper;
    thMethod method = thiAvoidClearpath;
    method.name = "clearpath-paper";
    method.defaults = &paper;
    require(thWorld_AddMethod(world, th_methodAvoid, &method));
    static thOrcaDef effort;
    effort = thDefaultOrcaDef();
    effort.objective = th_orcaEffort;
    method = thiAvoidOrca;
    method.name = "orca-effort";
    method.defaults = &effort;
    require(thWorld_AddMethod(world, th_methodAvoid, &method));
}

// `social-force` with other sets, likewise.
static void addForceSets(thWorld* world)
{
    static const char* const names[] = {[th_socialForce1995] = "social-force-1995",
                                        [th_socialForce2000] = "social-force-2000",
                                        [th_socialForce2007] = "social-force-2007"};
    static thSocialForceDef defaults[4];
    for (int32_t set = th_socialForce1995; set <= th_socialForce2007; ++set) {
        defaults[set] = thDefaultSocialForceDef();
        defaults[set].set = set;
        thMethod method = thiAvoidSocialForce;
        method.name = names[set];
        method.defaults = &defaults[set];
        require(thWorld_AddMethod(world, th_methodAvoid, &method));
    }
}

static void* createScene(const SubjectOptions* options, const char* name, const char* avoid)
{
    WorldRun* run = openRun(options, true);
    const Scene* scene = findScene(name);
    addVariants(run->world);
    addForceSets(run->world);
    scene->build(run->world, scene, avoid, 3);
    return run;
}

// A door that lets through little, with people on both sides.
static void* createGates(const SubjectOptions* options)
{
    WorldRun* run = createScene(options, "doorway", "orca");
    thGateDef def = thDefaultGateDef();
    def.a = (thVec2){0.0f, -0.6f};
    def.b = (thVec2){0.0f, 0.6f};
    def.capacity = 0.7f;
    thGateId id;
    require(thCreateGate(run->world, &def, &id));
    return run;
}

static void addBlock(thWorld* world, float x, float y, float width, float height)
{
    const thVec2 corners[4] = {{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}};
    thObstacleDef def = thDefaultObstacleDef();
    def.points = corners;
    def.pointCount = 4;
    thObstacleId id;
    require(thCreateObstacle(world, &def, &id));
}

// What the planner `roadmap` walks along; the others do not look at it.
static void addRoadmap(thWorld* world)
{
    thRoadmapDef def = thDefaultRoadmapDef();
    def.name = "places";
    def.kind = th_roadmapRandom;
    def.low = (thVec2){-4.0f, -4.0f};
    def.high = (thVec2){48.0f, 48.0f};
    def.count = 500;
    thRoadmapId id;
    require(thCreateRoadmap(world, &def, &id));
}

// Blocks with streets between them, goals of several kinds, one of them within walls.
static void* createPlanned(const SubjectOptions* options, const char* plan)
{
    enum { count = 400, goals = 6 };
    WorldRun* run = openRun(options, true);
    for (int32_t i = 0; i < 25; ++i) {
        const uint64_t stream = thRandomStream(5, (uint64_t)i, 0, 0);
        addBlock(run->world, 9.0f * (float)(i % 5), 9.0f * (float)(i / 5),
                 thRandomRange(stream, 0, 3.0f, 7.0f), thRandomRange(stream, 1, 3.0f, 7.0f));
    }
    addRoadmap(run->world);
    thGoalId ids[goals];
    for (int32_t i = 0; i < goals; ++i) {
        const uint64_t stream = thRandomStream(6, (uint64_t)i, 0, 0);
        const thVec2 points[2] = {drawPoint(stream, 0, -3.0f, 45.0f), {7.5f, 8.0f * (float)i}};
        thGoalDef def = thDefaultGoalDef();
        def.kind = i % 2 == 0 ? th_goalSegment : th_goalPoint;
        def.points = points;
        def.pointCount = i % 2 == 0 ? 2 : 1;
        require(thCreateGoal(run->world, &def, &ids[i]));
    }
    thProfileDef def = thDefaultProfileDef();
    def.plan.name = plan;
    def.avoid.name = "orca";
    const thProfileId profile = makeProfile(run->world, &def);
    for (int32_t n = 0; n < count; ++n) {
        const int32_t i = creationOrder(run, n, count);
        const uint64_t stream = thRandomStream(7, (uint64_t)i, 0, 0);
        thAgentDef agent = thDefaultAgentDef();
        agent.profile = profile;
        agent.key = 1 + (uint64_t)i;
        agent.goal = ids[i % goals];
        agent.radius = i % 3 == 0 ? 0.2f : 0.25f;
        agent.position = drawPoint(stream, 0, -3.0f, 45.0f);
        agent.placement = th_placementNearest;
        thAgentId id;
        require(thCreateAgent(run->world, &agent, &id));
    }
    return run;
}

// Three groups that meet, a crowd that stands, and some who walk alone, among walls; two profiles
// that take others for groups by thresholds of their own.
static void* createGroups(const SubjectOptions* options)
{
    enum { block = 25, blocks = 4, alone = 20, count = blocks * block + alone };
    static const thVec2 from[blocks] = {{-9.0f, 0.0f}, {9.0f, 1.0f}, {0.5f, 9.0f}, {3.0f, -4.0f}};
    WorldRun* run = openRun(options, true);
    addWalls(run->world);
    addMovers(run->world);
    thProfileDef def = thDefaultProfileDef();
    def.group.name = "meso";
    def.avoid.name = "orca";
    thProfileId profiles[2];
    profiles[0] = makeProfile(run->world, &def);
    thMesoDef meso = *(const thMesoDef*)thiGroupMeso.defaults;
    meso.near = 2.0f;
    meso.velocity = 0.4f;
    meso.radius = 8.0f;
    meso.every = 3;
    def.group.params = &meso;
    profiles[1] = makeProfile(run->world, &def);
    thGoalId goals[blocks + alone];
    for (int32_t i = 0; i < blocks + alone; ++i) {
        const thVec2 place =
            i < blocks ? (thVec2){-from[i].x, -from[i].y}
                       : drawPoint(thRandomStream(11, (uint64_t)i, 0, 0), 0, -12.0f, 12.0f);
        require(thCreatePointGoal(run->world, place, &goals[i]));
    }
    for (int32_t n = 0; n < count; ++n) {
        const int32_t i = creationOrder(run, n, count), group = i / block;
        const uint64_t stream = thRandomStream(10, (uint64_t)i, 0, 0);
        thAgentDef agent = thDefaultAgentDef();
        agent.profile = profiles[i % 2];
        agent.key = 1 + (uint64_t)i;
        agent.radius = i % 7 == 0 ? 0.3f : 0.25f;
        agent.layers = i % 30 == 1 ? 2 : 1;
        agent.mask = i % 9 == 0 ? 1 : UINT32_MAX;
        agent.flags = group == 3 ? th_agentHolds : 0;
        agent.goal = goals[group < blocks ? group : blocks + i - blocks * block];
        agent.position = drawPoint(stream, 0, -12.0f, 12.0f);
        if (group < blocks)
            agent.position = (thVec2){from[group].x + 0.9f * (float)(i % 5) - 1.8f,
                                      from[group].y + 0.9f * (float)(i / 5 % 5) - 1.8f};
        agent.placement = th_placementNearest;
        thAgentId id;
        require(thCreateAgent(run->world, &agent, &id));
    }
    return run;
}

// Families of one to six with two goals among walls; children are slow, and some profiles keep
// together in ways of their own.
static void* createFamilies(const SubjectOptions* options)
{
    enum { families = 40, most = 6, count = families * most };
    WorldRun* run = openRun(options, true);
    addWalls(run->world);
    addMovers(run->world);
    thProfileDef def = thDefaultProfileDef();
    def.plan.name = "visibility";
    def.avoid.name = "orca";
    def.pace = thPeoplePace();
    def.together = thPeopleTogether();
    thProfileId profiles[2];
    profiles[0] = makeProfile(run->world, &def);
    def.prefSpeed = 0.7f;
    def.radius = 0.18f;
    def.together = (thTogetherDef){.reach = 6.0f, .gap = 0.1f, .abreast = 4};
    profiles[1] = makeProfile(run->world, &def);
    thGoalId goals[2];
    require(thCreatePointGoal(run->world, (thVec2){22.0f, 5.0f}, &goals[0]));
    require(thCreatePointGoal(run->world, (thVec2){-4.0f, -2.0f}, &goals[1]));
    for (int32_t n = 0; n < count; ++n) {
        const int32_t i = creationOrder(run, n, count), family = i / most;
        if (i % most > family % most)
            continue;
        const thVec2 place = drawPoint(thRandomStream(21, (uint64_t)family, 0, 0), 0, -6.0f, 24.0f);
        thAgentDef agent = thDefaultAgentDef();
        agent.profile = profiles[i % 5 == 4];
        agent.key = 1 + (uint64_t)i;
        agent.group = family % 13 == 12 ? -1 : family;
        agent.goal = goals[family % 2];
        agent.position = (thVec2){place.x + 0.7f * (float)(i % 3), place.y + 0.7f * (float)(i % 2)};
        agent.placement = th_placementNearest;
        thAgentId id;
        require(thCreateAgent(run->world, &agent, &id));
    }
    return run;
}

// Boxes, triangles and discs by clearpath, in a room with movers.
static void* createShapes(const SubjectOptions* options)
{
    enum { count = 240, kinds = 3, goals = 40 };
    const thVec2 box[] = {{0.9f, 0.4f}, {-0.9f, 0.4f}, {-0.9f, -0.4f}, {0.9f, -0.4f}};
    const thVec2 triangle[] = {{0.8f, 0.0f}, {-0.4f, 0.5f}, {-0.4f, -0.5f}};
    WorldRun* run = openRun(options, true);
    thProfileId profiles[kinds];
    for (int32_t i = 0; i < kinds; ++i) {
        thProfileDef def = thDefaultProfileDef();
        def.avoid.name = "clearpath";
        def.radius = 0.3f;
        def.shape = i == 0 ? box : i == 1 ? triangle : NULL;
        def.shapeCount = i == 0 ? 4 : i == 1 ? 3 : 0;
        profiles[i] = makeProfile(run->world, &def);
    }
    addWalls(run->world);
    addMovers(run->world);
    thGoalId ids[goals];
    for (int32_t i = 0; i < goals; ++i)
        require(thCreatePointGoal(run->world,
                                  drawPoint(thRandomStream(9, (uint64_t)i, 0, 0), 0, -15.0f, 15.0f),
                                  &ids[i]));
    for (int32_t n = 0; n < count; ++n) {
        const int32_t i = creationOrder(run, n, count);
        const uint64_t stream = thRandomStream(8, (uint64_t)i, 0, 0);
        thAgentDef agent = thDefaultAgentDef();
        agent.profile = profiles[i % kinds];
        agent.key = 1 + (uint64_t)i;
        agent.position = drawPoint(stream, 0, -15.0f, 15.0f);
        agent.heading = thRandomRange(stream, 2, -3.0f, 3.0f);
        agent.placement = th_placementNearest;
        agent.goal = ids[i % goals];
        thAgentId id;
        require(thCreateAgent(run->world, &agent, &id));
    }
    return run;
}

// Prey in a flock, and hunters, by all behaviours that need no goal.
static void* createHunt(const SubjectOptions* options)
{
    enum { count = 600 };
    WorldRun* run = openRun(options, true);
    thSteerDef steer = thDefaultSteerDef();
    steer.roam = 1;
    steer.wander = steer.alignment = steer.cohesion = 1.0f;
    steer.flee = steer.evade = steer.pursue = 0.5f;
    steer.wallAhead = 2.0f;
    thProfileDef def = thDefaultProfileDef();
    def.avoid = (thMethodUse){"steer", &steer};
    const thProfileId profile = makeProfile(run->world, &def);
    addWalls(run->world);
    for (int32_t n = 0; n < count; ++n) {
        const int32_t i = creationOrder(run, n, count);
        const uint64_t stream = thRandomStream(8, (uint64_t)i, 0, 0);
        thAgentDef agent = thDefaultAgentDef();
        agent.profile = profile;
        agent.key = 1 + (uint64_t)i;
        agent.position = drawPoint(stream, 0, -20.0f, 20.0f);
        agent.heading = thRandomRange(stream, 2, -3.0f, 3.0f);
        agent.layers = i % 20 == 0 ? 1u << 2 : 1u << 1;
        agent.placement = th_placementNearest;
        thAgentId id;
        require(thCreateAgent(run->world, &agent, &id));
    }
    return run;
}

// What a host does between steps, by keys and not by slots, which depend on the order of creation.
static void changeThings(WorldRun* run)
{
    thWorld* world = run->world;
    const uint64_t at = (uint64_t)run->stepNumber;
    const thAgentId external = thWorld_FindAgent(world, 1 + at % 10 * 120);
    if (external.value != 0) {
        const thVec2 place = {0.1f * (float)at, -0.2f * (float)at};
        const thVec2 velocity = {1.0f, -2.0f};
        require(thWorld_SetKinematics(world, &external, &place, &velocity, 1));
    }
    const thAgentId removed = thWorld_FindAgent(world, 1 + (at * 37 % 1500) * 3);
    if (removed.value != 0)
        require(thDestroyAgent(world, removed));
    const thAgentId waiting = thWorld_FindAgent(world, 1 + (at * 11 % 1500) * 3);
    if (waiting.value != 0) {
        thCommand command = thDefaultCommand();
        command.kind = th_commandSetWaiting;
        command.agent = waiting;
        command.value = (float)(at % 2);
        require(thWorld_Queue(world, &command));
    }
}

static void step(void* self, const thTrace* trace)
{
    WorldRun* run = self;
    if (run->mixed)
        changeThings(run);
    run->world->watch.trace = trace;
    require(thWorld_Step(run->world, 0.1f));
    run->world->watch.trace = NULL;
    // The hash of the whole state as a stage of its own, with one row.
    const uint64_t hash = thWorld_GetStateHash(run->world);
    const uint64_t key = 0;
    const thColumn columns[] = {{"state", &hash, 8}};
    const thStageRows rows = {(uint64_t)run->stepNumber, "state", &key, 1, columns, 1};
    trace->stage(trace->context, &rows);
    run->stepNumber += 1;
}

static void destroy(void* self)
{
    WorldRun* run = self;
    thDestroyWorld(run->world);
    free(run);
}

// A crowd at one agent a square metre with goals of their own, all seeing their neighbours.
static const Subject worldRandomSubject = {"world-random", 30, createRandom, step, destroy};
// Everything at once: floors, layers, sizes, walls, movers, lists of goals, those who leave, those
// the host moves, limited sight, several profiles, changes between steps.
static const Subject worldMixedSubject = {"world-mixed", 40, createMixed, step, destroy};
// A few agents spread over 60 km, and thousands on a square metre.
static const Subject worldExtremeSubject = {"world-extreme", 20, createExtreme, step, destroy};
static const Subject worldPaceSubject = {"world-pace", 100, createPace, step, destroy};
static const Subject worldTogetherSubject = {"world-together", 100, createFamilies, step, destroy};
static const Subject worldGatesSubject = {"world-gates", 150, createGates, step, destroy};
static const Subject groupMesoSubject = {"group-meso", 100, createGroups, step, destroy};
static const Subject clearpathShapesSubject = {"clearpath-shapes", 60, createShapes, step, destroy};
static const Subject steerHuntSubject = {"steer-hunt", 60, createHunt, step, destroy};

// A world for a planner as a subject.
#define PLANNED(subject, plan)                                                                     \
    static void* subject##Create(const SubjectOptions* options)                                    \
    {                                                                                              \
        return createPlanned(options, plan);                                                       \
    }                                                                                              \
    static const Subject subject##Subject = {"plan-" plan, 60, subject##Create, step, destroy};

PLANNED(planContinuum, "continuum")
PLANNED(planFlow, "flow")
PLANNED(planRoadmap, "roadmap")
PLANNED(planSteer, "steer")
PLANNED(planVisibility, "visibility")

// A scene of tests/crowds as a subject.
#define SCENE(subject, avoid, scene, steps)                                                        \
    static void* subject##Create(const SubjectOptions* options)                                    \
    {                                                                                              \
        return createScene(options, scene, avoid);                                                 \
    }                                                                                              \
    static const Subject subject##Subject = {avoid "-" scene, steps, subject##Create, step,        \
                                             destroy};

SCENE(orcaCircle2, "orca", "circle-2", 80)
SCENE(orcaCircle3, "orca", "circle-3", 80)
SCENE(orcaCircle10, "orca", "circle-10", 100)
SCENE(orcaCircle50, "orca", "circle-50", 200)
SCENE(orcaCircle, "orca", "circle-250", 300)
SCENE(orcaCircle1k, "orca", "circle-1k", 30)
SCENE(orcaMeeting, "orca", "meeting", 90)
SCENE(orcaCrossing, "orca", "crossing", 150)
SCENE(orcaStreams, "orca", "streams-4", 30)
SCENE(orcaCorridor, "orca", "corridor", 150)
SCENE(orcaDoorway, "orca", "doorway", 150)
SCENE(orcaEvacuation, "orca", "evacuation", 80)
SCENE(effortCircle50, "orca-effort", "circle-50", 100)
SCENE(effortDoorway, "orca-effort", "doorway", 100)
SCENE(rvoCircle50, "rvo", "circle-50", 60)
SCENE(rvoCrossing, "rvo", "crossing", 40)
SCENE(rvoDoorway, "rvo", "doorway", 60)
SCENE(forceCircle50, "social-force", "circle-50", 60)
SCENE(forceDoorway, "social-force", "doorway", 60)
SCENE(force1995Doorway, "social-force-1995", "doorway", 60)
SCENE(force2000Doorway, "social-force-2000", "doorway", 60)
SCENE(force2007Doorway, "social-force-2007", "doorway", 60)
SCENE(speedCircle50, "speed", "circle-50", 60)
SCENE(speedDoorway, "speed", "doorway", 60)
SCENE(powerLawCircle50, "power-law", "circle-50", 60)
SCENE(powerLawDoorway, "power-law", "doorway", 60)
SCENE(steerCircle50, "steer", "circle-50", 60)
SCENE(steerDoorway, "steer", "doorway", 60)
SCENE(clearpathCircle50, "clearpath", "circle-50", 60)
SCENE(clearpathCrossing, "clearpath", "crossing", 40)
SCENE(clearpathDoorway, "clearpath", "doorway", 60)
SCENE(paperCircle50, "clearpath-paper", "circle-50", 60)
SCENE(paperDoorway, "clearpath-paper", "doorway", 60)

// All subjects: one line each.
// clang-format off
const Subject* const subjects[] = {
    &lanesSubject,
    &flockSubject,
    &worldRandomSubject,
    &worldMixedSubject,
    &worldExtremeSubject,
    &worldGatesSubject,
    &worldPaceSubject,
    &worldTogetherSubject,
    &planContinuumSubject,
    &planFlowSubject,
    &planRoadmapSubject,
    &planSteerSubject,
    &planVisibilitySubject,
    &groupMesoSubject,
    &orcaCircle2Subject,
    &orcaCircle3Subject,
    &orcaCircle10Subject,
    &orcaCircle50Subject,
    &orcaCircleSubject,
    &orcaCircle1kSubject,
    &orcaMeetingSubject,
    &orcaCrossingSubject,
    &orcaStreamsSubject,
    &orcaCorridorSubject,
    &orcaDoorwaySubject,
    &orcaEvacuationSubject,
    &effortCircle50Subject,
    &effortDoorwaySubject,
    &rvoCircle50Subject,
    &rvoCrossingSubject,
    &rvoDoorwaySubject,
    &steerHuntSubject,
    &forceCircle50Subject,
    &forceDoorwaySubject,
    &force1995DoorwaySubject,
    &force2000DoorwaySubject,
    &force2007DoorwaySubject,
    &speedCircle50Subject,
    &speedDoorwaySubject,
    &powerLawCircle50Subject,
    &powerLawDoorwaySubject,
    &steerCircle50Subject,
    &steerDoorwaySubject,
    &clearpathCircle50Subject,
    &clearpathCrossingSubject,
    &clearpathDoorwaySubject,
    &clearpathShapesSubject,
    &paperCircle50Subject,
    &paperDoorwaySubject,
    NULL,
};
// clang-format on
