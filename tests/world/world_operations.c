// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "world/world_operations.h"

#include "gear/gear.h"
#include "world/world_senses.h"

#include <stdlib.h>

#define UNITS ((double)THRONG_UNITS_PER_METRE)
#define FIRST_OWN_KEY (UINT64_C(1) << 40)

// How an operation ended.
typedef enum Outcome { out_done, out_skipped, out_noMemory, out_wrong } Outcome;

static Outcome wrong(Play* play, const char* what)
{
    modelFail(&play->model, "%s", what);
    return out_wrong;
}

// What an operation is to do after its call: go on only if it succeeded.
#define CHECK_RESULT(play, code)                                                                   \
    do {                                                                                           \
        const thResult checkedCode = (code);                                                       \
        if (checkedCode == th_resultNoMemory && (play)->model.scarce)                              \
            return out_noMemory;                                                                   \
        if (checkedCode != th_resultOk)                                                            \
            return wrong(play, thResult_GetText(checkedCode));                                     \
    } while (0)

// The hook.

static int32_t hookCalls;

static void countCall(void* context, const char* condition, const char* file, int32_t line)
{
    (void)context;
    (void)condition;
    (void)file;
    (void)line;
    hookCalls += 1;
}

void listenToHook(void)
{
    thSetHooks(&(thHooks){.assertion = countCall});
    hookCalls = 0;
}

int32_t heardFromHook(void)
{
    const int32_t calls = hookCalls;
    hookCalls = 0;
    return calls;
}

// Worlds and snapshots.

thSimd drawSimd(thGenerator* g)
{
    return thSimd_Resolve((thSimd)drawInt(g, th_simdScalar, th_simdCount - 1));
}

thWorld* openWorld(Play* play, int32_t workerCount, thSimd simd)
{
    thWorldDef def = thDefaultWorldDef();
    def.workerCount = workerCount;
    def.simd = simd;
    def.allocator = testAllocator(&play->allocator);
    def.maxBytes = play->maxBytes;
    thWorld* world;
    if (thCreateWorld(&def, &world) != th_resultOk)
        return NULL;
    if (addWatchMethods(world) == th_resultOk)
        return world;
    thDestroyWorld(world);
    return NULL;
}

bool saveSnapshot(Play* play, const thWorld* world, Snapshot* to)
{
    size_t needed;
    if (thWorld_Save(world, NULL, 0, &needed) != th_resultOk ||
        thWorld_Save(world, to->bytes, SNAPSHOT_BYTES, &to->size) != th_resultOk ||
        needed != to->size)
        return modelFail(&play->model, "the world cannot be saved");
    return true;
}

bool sameSnapshots(const Snapshot* a, const Snapshot* b)
{
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

// Draws.

static bool oneIn(thGenerator* g, uint32_t n)
{
    return drawU32(g) % n == 0;
}

int32_t pickAgent(Play* play)
{
    const int32_t start = drawInt(play->g, 0, MODEL_AGENTS - 1);
    for (int32_t i = 0; i < MODEL_AGENTS; ++i)
        if (play->model.agents[(start + i) % MODEL_AGENTS].key != 0)
            return (start + i) % MODEL_AGENTS;
    return -1;
}

int32_t pickGoal(Play* play)
{
    const int32_t start = drawInt(play->g, 0, MODEL_GOALS - 1);
    for (int32_t i = 0; i < MODEL_GOALS; ++i)
        if (play->model.goals[(start + i) % MODEL_GOALS].id.value != 0)
            return (start + i) % MODEL_GOALS;
    return -1;
}

int32_t pickProfile(Play* play)
{
    const int32_t start = drawInt(play->g, 0, MODEL_PROFILES - 1);
    for (int32_t i = 0; i < MODEL_PROFILES; ++i)
        if (play->model.profiles[(start + i) % MODEL_PROFILES].id.value != 0)
            return (start + i) % MODEL_PROFILES;
    return -1;
}

int32_t pickObstacle(Play* play)
{
    const int32_t start = drawInt(play->g, 0, MODEL_OBSTACLES - 1);
    for (int32_t i = 0; i < MODEL_OBSTACLES; ++i)
        if (play->model.obstacles[(start + i) % MODEL_OBSTACLES].id.value != 0)
            return (start + i) % MODEL_OBSTACLES;
    return -1;
}

uint64_t drawStaleId(Play* play, int32_t kind)
{
    const uint32_t count = play->model.staleCount[kind];
    switch (drawU32(play->g) % 4) {
    case 0:
        return (UINT64_C(0xfffffff0) << 32) + drawU32(play->g) % 400;
    case 1:
        return drawU64(play->g) | UINT64_C(0x80000000); // a slot that is far out
    default:
        return count > 0 ? play->model.stale[kind][drawU32(play->g) %
                                                   (count < MODEL_STALE ? count : MODEL_STALE)]
                         : UINT64_C(0x7000000000000001);
    }
}

// Mostly a small place, so that agents meet; often on a lattice, so that they tie.
thVec2 drawPosition(thGenerator* g)
{
    switch (drawU32(g) % 16) {
    case 0:
        return (thVec2){drawFloat(g, -9000.0f, 9000.0f), drawFloat(g, -9000.0f, 9000.0f)};
    case 1:
    case 2:
        return (thVec2){1.5f, -0.25f};
    case 3:
    case 4:
    case 5:
    case 6:
        return (thVec2){0.5f * (float)drawInt(g, -20, 20), 0.5f * (float)drawInt(g, -20, 20)};
    default:
        return (thVec2){drawFloat(g, -15.0f, 15.0f), drawFloat(g, -15.0f, 15.0f)};
    }
}

static thVec2 drawVelocity(thGenerator* g, float most)
{
    if (oneIn(g, 4))
        return (thVec2){0.0f, 0.0f};
    return (thVec2){drawFloat(g, -most, most), drawFloat(g, -most, most)};
}

static int32_t drawLevel(thGenerator* g)
{
    static const int32_t levels[] = {0, 0, 0, 0, 0, 0, 1, 3};
    return oneIn(g, 64) ? 65535 : levels[drawU32(g) % 8];
}

// Profiles.

thProfileDef drawProfileDef(Play* play, ModelProfile* profile)
{
    static WatchParams params;
    thGenerator* g = play->g;
    *profile = (ModelProfile){.given = oneIn(g, 3),
                              .watches = !oneIn(g, 4),
                              .everybody = oneIn(g, 5),
                              .scale = oneIn(g, 2) ? 1.0f : drawFloat(g, 0.3f, 1.0f),
                              .tires = oneIn(g, 4) && !play->model.scarce,
                              .stops = oneIn(g, 4) && !play->model.scarce};
    profile->everybody = profile->everybody && profile->watches;
    thProfileDef def = thDefaultProfileDef();
    def.plan.name = profile->given ? "given" : oneIn(g, 2) ? "direct" : NULL;
    def.group.name = profile->tires ? "tires" : NULL;
    params = (WatchParams){profile->scale, profile->stops};
    if (profile->watches)
        def.avoid = (thMethodUse){profile->everybody ? "watch-all" : "watch", &params};
    def.neighborCount = oneIn(g, 3) ? drawInt(g, 0, 32) : drawInt(g, 1, 10);
    def.neighborRadius = oneIn(g, 16) ? 200.0f : drawFloat(g, 0.0f, 8.0f);
    def.wallCount = drawInt(g, 0, 12);
    def.wallRadius = oneIn(g, 16) ? 200.0f : drawFloat(g, 0.0f, 8.0f);
    def.fieldOfView = oneIn(g, 3) ? drawFloat(g, 0.0f, 6.2f) : def.fieldOfView;
    def.needsSight = oneIn(g, 4);
    def.arrivalDistance = oneIn(g, 6) ? 0.0f : drawFloat(g, 0.0f, 1.0f);
    def.arrival = (thArrival)drawInt(g, th_arrivalStop, th_arrivalAgain);
    def.radius = oneIn(g, 8) ? drawFloat(g, 1.0f, 3.0f) : drawFloat(g, 0.0f, 0.4f);
    def.prefSpeed = drawFloat(g, 0.0f, 4.0f);
    def.maxSpeed = drawFloat(g, 0.5f, 5.0f);
    def.maxAccel = drawFloat(g, 0.0f, 10.0f);
    def.yield = oneIn(g, 4) ? 0.0f : drawFloat(g, 0.0f, 3.0f);
    profile->def = def;
    return def;
}

static Outcome createProfile(Play* play)
{
    int32_t free = 0;
    while (free < MODEL_PROFILES && play->model.profiles[free].id.value != 0)
        free += 1;
    if (free == MODEL_PROFILES)
        return out_skipped;
    ModelProfile profile;
    const thProfileDef def = drawProfileDef(play, &profile);
    thError error;
    CHECK_RESULT(play, thCreateProfile(play->world, &def, &profile.id, &error));
    if (modelFindProfile(&play->model, profile.id.value) >= 0)
        return wrong(play, "a profile's id came twice");
    play->model.profiles[free] = profile;
    return out_done;
}

static Outcome destroyProfile(Play* play)
{
    const int32_t i = pickProfile(play);
    if (i < 0 || modelProfileInUse(&play->model, i))
        return out_skipped;
    CHECK_RESULT(play, thDestroyProfile(play->world, play->model.profiles[i].id));
    modelAddStale(&play->model, stale_profile, play->model.profiles[i].id.value);
    play->model.profiles[i] = (ModelProfile){.given = false};
    return out_done;
}

// Goals.

// A star about a centre: always simple, seldom convex, never with three corners on a line. Half of
// them run clockwise.
static int32_t drawStar(thGenerator* g, thVec2 center, thVec2* points)
{
    static const float directions[MODEL_POINTS][2] = {{1.0f, 0.0f},  {0.7f, 0.7f},  {0.0f, 1.0f},
                                                      {-0.7f, 0.7f}, {-1.0f, 0.0f}, {-0.7f, -0.7f},
                                                      {0.0f, -1.0f}, {0.7f, -0.7f}};
    const bool clockwise = oneIn(g, 2);
    for (int32_t i = 0; i < MODEL_POINTS; ++i) {
        const int32_t at = clockwise ? MODEL_POINTS - 1 - i : i;
        const float far = at % 2 == 0 ? drawFloat(g, 2.0f, 4.0f) : drawFloat(g, 0.5f, 1.0f);
        points[i] =
            (thVec2){center.x + far * directions[at][0], center.y + far * directions[at][1]};
    }
    return MODEL_POINTS;
}

static bool mayHold(thGoalKind outer, thGoalKind inner)
{
    return inner != th_goalList && (outer == th_goalList || inner != th_goalAlternatives);
}

static int32_t drawChildren(Play* play, ModelGoal* goal, thGoalId* ids)
{
    const int32_t wanted = drawInt(play->g, 1, 4);
    int32_t count = 0;
    for (int32_t tries = 0; tries < 12 && count < wanted; ++tries) {
        const int32_t child = pickGoal(play);
        if (child < 0 || !mayHold(goal->kind, play->model.goals[child].kind))
            continue;
        goal->goals[count] = child;
        ids[count++] = play->model.goals[child].id;
    }
    return count;
}

static Outcome createGoal(Play* play)
{
    thGenerator* g = play->g;
    int32_t free = 0;
    while (free < MODEL_GOALS && play->model.goals[free].id.value != 0)
        free += 1;
    if (free == MODEL_GOALS)
        return out_skipped;
    ModelGoal goal = {.kind = (thGoalKind)drawInt(g, th_goalPoint, th_goalAlternatives)};
    thVec2 points[MODEL_POINTS];
    thGoalId ids[MODEL_POINTS];
    points[0] = drawPosition(g);
    points[1] = (thVec2){points[0].x + drawFloat(g, -5.0f, 5.0f), points[0].y + 0.75f};
    thGoalDef def = thDefaultGoalDef();
    def.kind = goal.kind;
    def.points = points;
    def.goals = ids;
    goal.count = goal.kind == th_goalSegment ? 2 : 1;
    if (goal.kind == th_goalDisc)
        def.radius = goal.radius = drawFloat(g, 0.1f, 3.0f);
    if (goal.kind == th_goalPolygon)
        goal.count = drawStar(g, points[0], points);
    if (goal.kind == th_goalList || goal.kind == th_goalAlternatives) {
        goal.count = def.goalCount = drawChildren(play, &goal, ids);
        if (goal.count == 0)
            return out_skipped;
    } else {
        def.pointCount = goal.count;
        for (int32_t i = 0; i < goal.count; ++i)
            goal.points[i] = placeOf(points[i]);
    }
    CHECK_RESULT(play, goal.kind == th_goalPoint && oneIn(g, 2)
                           ? thCreatePointGoal(play->world, points[0], &goal.id)
                           : thCreateGoal(play->world, &def, &goal.id));
    if (modelFindGoal(&play->model, goal.id.value) >= 0)
        return wrong(play, "a goal's id came twice");
    play->model.goals[free] = goal;
    return out_done;
}

static Outcome destroyGoal(Play* play)
{
    const int32_t i = pickGoal(play);
    if (i < 0 || modelGoalInUse(&play->model, i))
        return out_skipped;
    CHECK_RESULT(play, thDestroyGoal(play->world, play->model.goals[i].id));
    modelAddStale(&play->model, stale_goal, play->model.goals[i].id.value);
    play->model.goals[i] = (ModelGoal){.count = 0};
    return out_done;
}

// Obstacles.

static float quarters(thGenerator* g, int32_t low, int32_t high)
{
    return 0.25f * (float)drawInt(g, low, high);
}

// A box, a triangle or a zigzag on a lattice of quarters of a metre.
static int32_t drawOutline(thGenerator* g, thObstacleKind kind, thVec2* points)
{
    const float x = quarters(g, -50, 50), y = quarters(g, -50, 50);
    const float w = quarters(g, 1, 24), h = quarters(g, 1, 24);
    if (kind == th_obstacleWall) {
        const int32_t count = drawInt(g, 2, 5);
        for (int32_t i = 0; i < count; ++i)
            points[i] = (thVec2){x + (float)i * w, i % 2 == 0 ? y : y + quarters(g, 1, 24)};
        return count;
    }
    points[0] = (thVec2){x, y};
    points[1] = (thVec2){x + w, y};
    points[2] = (thVec2){x + w, y + h};
    points[3] = (thVec2){x, y + h};
    return oneIn(g, 3) ? 3 : 4;
}

// The same outline, badly drawn: from either end, with points twice and points between corners.
static int32_t spoilOutline(thGenerator* g, const thVec2* points, int32_t count, bool closed,
                            thVec2* spoilt)
{
    const bool turned = oneIn(g, 2);
    int32_t total = 0;
    for (int32_t i = 0; i < count; ++i) {
        const thVec2 a = points[turned ? count - 1 - i : i];
        const thVec2 b = points[turned ? (2 * count - 2 - i) % count : (i + 1) % count];
        spoilt[total++] = a;
        if (oneIn(g, 4))
            spoilt[total++] = a;
        if (oneIn(g, 4) && (closed || i + 1 < count))
            spoilt[total++] = (thVec2){0.5f * (a.x + b.x), 0.5f * (a.y + b.y)};
    }
    return total;
}

static void drawMotion(thGenerator* g, thObstacleDef* def, ModelObstacle* obstacle, thVec2* path)
{
    def->position = drawPosition(g);
    def->angle = drawFloat(g, -9.0f, 9.0f);
    def->velocity = drawVelocity(g, 4.0f);
    def->spin = oneIn(g, 2) ? 0.0f : drawFloat(g, -2.0f, 2.0f);
    def->pathCount = oneIn(g, 2) ? 0 : drawInt(g, 1, 5);
    def->path = path;
    def->pathSpeed = drawFloat(g, 0.0f, 5.0f);
    def->pathLoops = oneIn(g, 2);
    const bool stands = oneIn(g, 8);
    for (int32_t i = 0; i < def->pathCount; ++i) {
        path[i] = stands ? (thVec2){1.0f, 2.0f} : (thVec2){quarters(g, -9, 9), quarters(g, -9, 9)};
        obstacle->path[i] = placeOf(path[i]);
    }
    const Place at = def->pathCount > 0 ? obstacle->path[0] : placeOf(def->position);
    obstacle->x = at.x;
    obstacle->y = at.y;
    obstacle->angle = (double)def->angle;
    obstacle->velocity = def->velocity;
    obstacle->spin = def->spin;
    obstacle->pathCount = def->pathCount;
    obstacle->pathAt = def->pathCount > 0;
    obstacle->pathSpeed = def->pathSpeed;
    obstacle->pathLoops = def->pathLoops != 0;
    modelPassPoints(obstacle);
}

static double outerRadius(const Place* points, int32_t count)
{
    double largest = 0.0;
    for (int32_t i = 0; i < count; ++i)
        largest = fmax(largest, hypot((double)points[i].x, (double)points[i].y));
    return largest / UNITS;
}

static Outcome createObstacle(Play* play)
{
    thGenerator* g = play->g;
    int32_t free = 0;
    while (free < MODEL_OBSTACLES && play->model.obstacles[free].id.value != 0)
        free += 1;
    if (free == MODEL_OBSTACLES)
        return out_skipped;
    thVec2 outline[MODEL_POINTS], spoilt[3 * MODEL_POINTS], path[MODEL_POINTS];
    ModelObstacle obstacle = {
        .kind = (thObstacleKind)drawInt(g, th_obstacleSolid, th_obstacleMovingPolygon),
        .level = drawLevel(g)};
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = obstacle.kind;
    def.level = obstacle.level;
    if (obstacle.kind != th_obstacleMovingDisc) {
        obstacle.count = drawOutline(g, obstacle.kind, outline);
        def.points = spoilt;
        def.pointCount =
            spoilOutline(g, outline, obstacle.count, obstacle.kind != th_obstacleWall, spoilt);
        for (int32_t i = 0; i < obstacle.count; ++i)
            obstacle.points[i] = placeOf(outline[i]);
        obstacle.radius = outerRadius(obstacle.points, obstacle.count);
    } else {
        def.radius = drawFloat(g, 0.1f, 3.0f);
        obstacle.radius = (double)def.radius;
    }
    if (modelIsMover(&obstacle))
        drawMotion(g, &def, &obstacle, path);
    CHECK_RESULT(play, thCreateObstacle(play->world, &def, &obstacle.id));
    if (modelFindObstacle(&play->model, obstacle.id.value) >= 0)
        return wrong(play, "an obstacle's id came twice");
    play->model.obstacles[free] = obstacle;
    return out_done;
}

static Outcome destroyObstacle(Play* play)
{
    const int32_t i = pickObstacle(play);
    if (i < 0)
        return out_skipped;
    CHECK_RESULT(play, thDestroyObstacle(play->world, play->model.obstacles[i].id));
    modelAddStale(&play->model, stale_obstacle, play->model.obstacles[i].id.value);
    play->model.obstacles[i] = (ModelObstacle){.count = 0};
    return out_done;
}

static Outcome changeObstacle(Play* play)
{
    thGenerator* g = play->g;
    const int32_t i = pickObstacle(play);
    if (i < 0 || !modelIsMover(&play->model.obstacles[i]))
        return out_skipped;
    ModelObstacle* mover = &play->model.obstacles[i];
    if (oneIn(g, 2)) {
        const thVec2 velocity = drawVelocity(g, 5.0f);
        const float spin = drawFloat(g, -2.0f, 2.0f);
        CHECK_RESULT(play, thObstacle_SetMotion(play->world, mover->id, velocity, spin));
        mover->velocity = velocity;
        mover->spin = spin;
        mover->pathCount = mover->pathAt = 0;
        return out_done;
    }
    const thVec2 position = drawPosition(g);
    const float angle = drawFloat(g, -20.0f, 20.0f);
    CHECK_RESULT(play, thObstacle_SetPlace(play->world, mover->id, position, angle));
    mover->x = placeOf(position).x;
    mover->y = placeOf(position).y;
    mover->angle = (double)angle;
    modelPassPoints(mover);
    return out_done;
}

// Agents.

static uint64_t drawKey(Play* play)
{
    uint64_t key = 0;
    while (key == 0 || modelFindKey(&play->model, key) >= 0)
        key = oneIn(play->g, 16) ? FIRST_OWN_KEY - 1 - drawU32(play->g)
                                 : drawU64(play->g) % FIRST_OWN_KEY;
    return key;
}

thAgentDef drawAgentDef(Play* play)
{
    static const uint32_t flags[] = {
        0, 0, 0, 0, 0, th_agentExternal, th_agentVelocityOnly, th_agentWaiting};
    thGenerator* g = play->g;
    thAgentDef def = thDefaultAgentDef();
    const int32_t goal = pickGoal(play);
    def.profile = play->model.profiles[pickProfile(play)].id;
    def.position = drawPosition(g);
    def.velocity = drawVelocity(g, 3.0f);
    def.heading = drawFloat(g, -3.0f, 3.0f);
    if (goal >= 0 && !oneIn(g, 5) && !play->model.scarce)
        def.goal = play->model.goals[goal].id;
    def.level = drawLevel(g);
    if (oneIn(g, 4)) {
        def.layers = drawU32(g) % 8;
        def.mask = drawU32(g) % 8;
    }
    if (oneIn(g, 3))
        def.radius = oneIn(g, 4) ? drawFloat(g, 0.9f, 5.0f) : drawFloat(g, 0.0f, 0.5f);
    if (oneIn(g, 3))
        def.prefSpeed = drawFloat(g, 0.0f, 5.0f);
    if (oneIn(g, 3))
        def.maxSpeed = drawFloat(g, 0.0f, 5.0f);
    if (oneIn(g, 3))
        def.yield = drawFloat(g, 0.0f, 1000.0f);
    if (oneIn(g, 3))
        def.priority = drawFloat(g, 0.001f, 10.0f);
    def.flags = flags[drawU32(g) % 8];
    return def;
}

// How many more the model can hold, those included that are queued.
static int32_t roomForAgents(const Model* model)
{
    int32_t room = MODEL_AGENTS - model->agentCount;
    for (int32_t i = 0; i < model->commandCount; ++i)
        room -= model->commands[i].command.kind == th_commandCreateAgent;
    return room;
}

// Takes an agent over that the world has just created.
static bool takeOver(Play* play, const thAgentDef* def, thAgentId id)
{
    Model* model = &play->model;
    if (modelFindAgent(model, id.value) >= 0)
        return modelFail(model, "an agent's id came twice");
    for (uint32_t i = 0; i < model->staleCount[stale_agent] && i < MODEL_STALE; ++i)
        if (model->stale[stale_agent][i] == id.value)
            return modelFail(model, "an agent's id came back");
    thAgentDef known = *def;
    if (def->key == 0) {
        known.key = thAgent_Get(play->world, id).key;
        if (known.key < FIRST_OWN_KEY || known.key <= model->lastOwnKey)
            return modelFail(model, "key %llu was given", (unsigned long long)known.key);
        model->lastOwnKey = known.key;
    }
    modelAddAgent(model, &known, id);
    return true;
}

static Outcome createAgent(Play* play)
{
    if (roomForAgents(&play->model) == 0 || pickProfile(play) < 0)
        return out_skipped;
    thAgentDef def = drawAgentDef(play);
    def.key = oneIn(play->g, 2) ? drawKey(play) : 0;
    thAgentId id;
    CHECK_RESULT(play, thCreateAgent(play->world, &def, &id));
    return takeOver(play, &def, id) ? out_done : out_wrong;
}

// What differs between agents of one call.
typedef struct Columns {
    thVec2 positions[MODEL_AGENTS], velocities[MODEL_AGENTS];
    float headings[MODEL_AGENTS], radii[MODEL_AGENTS], pref[MODEL_AGENTS], max[MODEL_AGENTS];
    thGoalId goals[MODEL_AGENTS];
    thProfileId profiles[MODEL_AGENTS];
    uint64_t keys[MODEL_AGENTS];
} Columns;

static Outcome createAgents(Play* play)
{
    static Columns drawn;
    static thAgentDef defs[MODEL_AGENTS];
    thGenerator* g = play->g;
    const int32_t room = roomForAgents(&play->model);
    if (pickProfile(play) < 0)
        return out_skipped;
    thAgentColumns columns = thDefaultAgentColumns();
    const int32_t missing = play->crowd - play->model.agentCount;
    columns.count = drawInt(g, 0, missing > 8 ? missing : 8);
    columns.count = columns.count < room ? columns.count : room;
    columns.shared = drawAgentDef(play);
    const uint32_t given = drawU32(g);
    for (int32_t i = 0; i < columns.count; ++i) {
        thAgentDef* def = &defs[i];
        *def = drawAgentDef(play);
        drawn.positions[i] = def->position;
        drawn.velocities[i] = def->velocity;
        drawn.headings[i] = def->heading;
        drawn.goals[i] = def->goal;
        drawn.profiles[i] = def->profile;
        drawn.radii[i] = def->radius;
        drawn.pref[i] = def->prefSpeed;
        drawn.max[i] = def->maxSpeed;
        drawn.keys[i] = oneIn(g, 3) ? 0 : drawKey(play);
        thAgentDef right = columns.shared;
        right.position = (given & 1) != 0 ? def->position : right.position;
        right.velocity = (given & 2) != 0 ? def->velocity : right.velocity;
        right.heading = (given & 4) != 0 ? def->heading : right.heading;
        right.goal = (given & 8) != 0 ? def->goal : right.goal;
        right.profile = (given & 16) != 0 ? def->profile : right.profile;
        right.radius = (given & 32) != 0 ? def->radius : right.radius;
        right.prefSpeed = (given & 64) != 0 ? def->prefSpeed : right.prefSpeed;
        right.maxSpeed = (given & 128) != 0 ? def->maxSpeed : right.maxSpeed;
        right.key = (given & 256) != 0 ? drawn.keys[i] : 0;
        *def = right;
    }
    columns.positions = (given & 1) != 0 ? drawn.positions : NULL;
    columns.velocities = (given & 2) != 0 ? drawn.velocities : NULL;
    columns.headings = (given & 4) != 0 ? drawn.headings : NULL;
    columns.goals = (given & 8) != 0 ? drawn.goals : NULL;
    columns.profiles = (given & 16) != 0 ? drawn.profiles : NULL;
    columns.radii = (given & 32) != 0 ? drawn.radii : NULL;
    columns.prefSpeeds = (given & 64) != 0 ? drawn.pref : NULL;
    columns.maxSpeeds = (given & 128) != 0 ? drawn.max : NULL;
    columns.keys = (given & 256) != 0 ? drawn.keys : NULL;
    thAgentId ids[MODEL_AGENTS];
    CHECK_RESULT(play, thCreateAgents(play->world, &columns, ids));
    for (int32_t i = 0; i < columns.count; ++i)
        if (!takeOver(play, &defs[i], ids[i]))
            return out_wrong;
    return out_done;
}

// Some agents, each once, as indices and as ids.
static int32_t pickAgents(Play* play, int32_t most, int32_t* agents, thAgentId* ids)
{
    int32_t count = 0;
    const int32_t start = drawInt(play->g, 0, MODEL_AGENTS - 1);
    for (int32_t i = 0; i < MODEL_AGENTS && count < most; ++i) {
        const int32_t agent = (start + 7 * i) % MODEL_AGENTS;
        if (play->model.agents[agent].key == 0)
            continue;
        agents[count] = agent;
        ids[count++] = play->model.agents[agent].id;
    }
    return count;
}

static Outcome destroyAgents(Play* play)
{
    int32_t agents[MODEL_AGENTS];
    thAgentId ids[MODEL_AGENTS];
    const int32_t most = oneIn(play->g, 30) ? 200 : drawInt(play->g, 0, 4);
    const int32_t count = pickAgents(play, most, agents, ids);
    CHECK_RESULT(play, count == 1 ? thDestroyAgent(play->world, ids[0])
                                  : thDestroyAgents(play->world, ids, count));
    for (int32_t i = 0; i < count; ++i)
        modelRemoveAgent(&play->model, agents[i]);
    return out_done;
}

static Outcome changeAgent(Play* play)
{
    thGenerator* g = play->g;
    const int32_t index = pickAgent(play);
    if (index < 0)
        return out_skipped;
    ModelAgent* agent = &play->model.agents[index];
    thWorld* world = play->world;
    switch (drawU32(g) % 7) {
    case 0: {
        const int32_t goal = oneIn(g, 5) || play->model.scarce ? -1 : pickGoal(play);
        const thGoalId id = goal >= 0 ? play->model.goals[goal].id : (thGoalId){0};
        CHECK_RESULT(play, thAgent_SetGoal(world, agent->id, id));
        modelSetGoal(&play->model, index, goal);
        return out_done;
    }
    case 1: {
        const float heading = drawFloat(g, -3.1f, 3.1f);
        CHECK_RESULT(play, thAgent_SetHeading(world, agent->id, heading));
        agent->heading = heading;
        return out_done;
    }
    case 2: {
        const int32_t level = drawLevel(g);
        CHECK_RESULT(play, thAgent_SetLevel(world, agent->id, level));
        agent->level = level;
        return out_done;
    }
    case 3: {
        const uint32_t layers = drawU32(g) % 8, mask = oneIn(g, 2) ? UINT32_MAX : drawU32(g) % 8;
        CHECK_RESULT(play, thAgent_SetLayers(world, agent->id, layers, mask));
        agent->layers = layers;
        agent->mask = mask;
        return out_done;
    }
    case 4: {
        const float pref = drawFloat(g, 0.0f, 5.0f), max = drawFloat(g, 0.0f, 5.0f);
        CHECK_RESULT(play, thAgent_SetSpeeds(world, agent->id, pref, max));
        agent->prefSpeed = pref;
        agent->maxSpeed = max;
        return out_done;
    }
    case 5: {
        const float yield = drawFloat(g, 0.0f, 5.0f);
        CHECK_RESULT(play, thAgent_SetYield(world, agent->id, yield));
        agent->yield = yield;
        return out_done;
    }
    default: {
        const int32_t waits = oneIn(g, 3);
        CHECK_RESULT(play, thAgent_SetWaiting(world, agent->id, waits));
        agent->flags &= ~(uint32_t)th_agentWaiting;
        agent->flags |= waits != 0 ? th_agentWaiting : 0;
        return out_done;
    }
    }
}

static Outcome setWishes(Play* play)
{
    int32_t agents[MODEL_AGENTS];
    thAgentId ids[MODEL_AGENTS];
    thVec2 wishes[MODEL_AGENTS];
    const int32_t picked = pickAgents(play, 30, agents, ids);
    int32_t count = 0;
    for (int32_t i = 0; i < picked; ++i) {
        if (!play->model.profiles[play->model.agents[agents[i]].profile].given)
            continue;
        agents[count] = agents[i];
        ids[count] = ids[i];
        wishes[count++] = drawVelocity(play->g, oneIn(play->g, 20) ? 900.0f : 3.0f);
    }
    CHECK_RESULT(play, count == 1
                           ? thAgent_SetPreferredVelocity(play->world, ids[0], wishes[0])
                           : thWorld_SetPreferredVelocities(play->world, ids, wishes, count));
    for (int32_t i = 0; i < count; ++i)
        play->model.agents[agents[i]].wish = wishes[i];
    return out_done;
}

static Outcome setKinematics(Play* play)
{
    int32_t agents[MODEL_AGENTS];
    thAgentId ids[MODEL_AGENTS];
    thVec2 positions[MODEL_AGENTS], velocities[MODEL_AGENTS];
    const bool slow = oneIn(play->g, 2);
    const int32_t count = pickAgents(play, drawInt(play->g, 0, 12), agents, ids);
    for (int32_t i = 0; i < count; ++i) {
        const Place at = play->model.agents[agents[i]].at;
        positions[i] = slow ? (thVec2){(float)(at.x / UNITS) + drawFloat(play->g, -0.5f, 0.5f),
                                       (float)(at.y / UNITS) + drawFloat(play->g, -0.5f, 0.5f)}
                            : drawPosition(play->g);
        velocities[i] = drawVelocity(play->g, 3.0f);
    }
    const bool both = oneIn(play->g, 2);
    CHECK_RESULT(
        play, thWorld_SetKinematics(play->world, ids, positions, both ? velocities : NULL, count));
    for (int32_t i = 0; i < count; ++i) {
        ModelAgent* agent = &play->model.agents[agents[i]];
        agent->at = placeOf(positions[i]);
        agent->velocity = both ? velocities[i] : agent->velocity;
    }
    return out_done;
}

static Outcome reserve(Play* play)
{
    CHECK_RESULT(play, thWorld_Reserve(play->world, drawInt(play->g, 0, 400)));
    return out_done;
}

// Commands.

// What a command says and whose key decides its place among equals.
static bool drawCommand(Play* play, ModelCommand* out)
{
    thGenerator* g = play->g;
    thCommand* command = &out->command;
    *command = thDefaultCommand();
    command->kind = (thCommandKind)drawInt(g, th_commandCreateAgent, th_commandSetObstacleMotion);
    command->order = drawU32(g) % 6;
    command->velocity = drawVelocity(g, 4.0f);
    command->value = (float)(drawU32(g) % 2);
    const int32_t agent = pickAgent(play), goal = pickGoal(play), obstacle = pickObstacle(play);
    if (goal >= 0 && !oneIn(g, 4) && !play->model.scarce)
        command->goal = play->model.goals[goal].id;
    if (command->kind == th_commandCreateAgent) {
        // Without memory it would be anybody's guess whether it was carried out.
        if (pickProfile(play) < 0 || play->model.scarce)
            return false;
        command->create = drawAgentDef(play);
        command->create.key =
            agent >= 0 && oneIn(g, 8) ? play->model.agents[agent].key : drawKey(play);
        out->key = command->create.key;
        return command->create.key < FIRST_OWN_KEY;
    }
    if (command->kind == th_commandSetObstacleMotion) {
        if (obstacle < 0)
            return false;
        command->obstacle = play->model.obstacles[obstacle].id;
        out->key = (uint64_t)THRONG_SLOT(command->obstacle) + 1;
        return true;
    }
    command->agent.value = agent >= 0 && !oneIn(g, 10) ? play->model.agents[agent].id.value
                                                       : drawStaleId(play, stale_agent);
    const int32_t known = modelFindAgent(&play->model, command->agent.value);
    out->key = known >= 0 ? play->model.agents[known].key : 0;
    return true;
}

static Outcome queue(Play* play)
{
    Model* model = &play->model;
    ModelCommand drawn = {.key = 0};
    if (model->commandCount == MODEL_COMMANDS || !drawCommand(play, &drawn))
        return out_skipped;
    if (drawn.command.kind == th_commandCreateAgent && roomForAgents(model) == 0)
        return out_skipped;
    // Of two that differ in nothing but what they say, who comes first is not told.
    for (int32_t i = 0; i < model->commandCount; ++i) {
        const ModelCommand* other = &model->commands[i];
        if (other->command.order == drawn.command.order &&
            other->command.kind == drawn.command.kind && other->key == drawn.key)
            return out_skipped;
    }
    CHECK_RESULT(play, thWorld_Queue(play->world, &drawn.command));
    model->commands[model->commandCount++] = drawn;
    return out_done;
}

// Steps.

static float drawDt(thGenerator* g)
{
    static const float steps[] = {0.05f, 0.1f, 0.1f, 0.25f, 0.25f, 1.0f, 0.001f, 0.02f};
    return oneIn(g, 40) ? 10.0f : steps[drawU32(g) % 8];
}

// A twin makes the same step and must come to the same.
static Outcome stepBoth(Play* play, thWorld* twin)
{
    Model* model = &play->model;
    const float dt = drawDt(play->g);
    watchFor(true);
    const thResult code = thWorld_Step(play->world, dt);
    watchFor(false);
    modelCarryOutCommands(model);
    if (code == th_resultNoMemory && model->scarce)
        return out_noMemory;
    CHECK_RESULT(play, code);
    if (!sensesAreRight(model, play->world, dt) || !modelFollowStep(model, play->world, dt))
        return out_wrong;
    if (twin == NULL)
        return out_done;
    CHECK_RESULT(play, thWorld_Step(twin, dt));
    int32_t count, twinCount;
    const thEvent* events = thWorld_GetEvents(play->world, &count);
    const thEvent* twinEvents = thWorld_GetEvents(twin, &twinCount);
    if (thWorld_GetStateHash(twin) != thWorld_GetStateHash(play->world) || count != twinCount ||
        (count > 0 && memcmp(events, twinEvents, (size_t)count * sizeof *events) != 0))
        return wrong(play, "the twin goes another way");
    return out_done;
}

static Outcome step(Play* play)
{
    return stepBoth(play, NULL);
}

// Questions.

typedef struct Found {
    uint64_t key, distanceSq;
    thAgentId id;
} Found;

static int foundByKey(const void* left, const void* right)
{
    const Found *a = left, *b = right;
    return (a->key > b->key) - (a->key < b->key);
}

static int foundByDistance(const void* left, const void* right)
{
    const Found *a = left, *b = right;
    if (a->distanceSq != b->distanceSq)
        return a->distanceSq < b->distanceSq ? -1 : 1;
    return foundByKey(left, right);
}

static bool sameAnswer(Play* play, const Found* right, int32_t count, const thAgentId* ids,
                       int32_t answered, int32_t written)
{
    if (answered != count)
        return modelFail(&play->model, "a query finds %d agents, expected %d", answered, count);
    for (int32_t i = 0; i < count && i < written; ++i)
        if (ids[i].value != right[i].id.value)
            return modelFail(&play->model, "a query finds another agent at %d", i);
    return true;
}

static bool suits(const ModelAgent* agent, thQueryFilter filter)
{
    return agent->key != 0 && agent->level == filter.level && (agent->layers & filter.mask) != 0;
}

static bool askDisc(Play* play, thQueryFilter filter, bool nearest)
{
    thGenerator* g = play->g;
    Found right[MODEL_AGENTS];
    thAgentId ids[MODEL_AGENTS];
    const thVec2 center = drawPosition(g);
    const float radius = oneIn(g, 8)   ? 20000.0f
                         : oneIn(g, 3) ? quarters(g, 0, 40)
                                       : drawFloat(g, 0.0f, 12.0f);
    const Place at = placeOf(center);
    const double limit = (double)radius * UNITS * (double)radius * UNITS;
    int32_t count = 0;
    for (int32_t i = 0; i < MODEL_AGENTS; ++i) {
        const ModelAgent* agent = &play->model.agents[i];
        const int64_t dx = (int64_t)agent->at.x - at.x, dy = (int64_t)agent->at.y - at.y;
        const uint64_t distanceSq = (uint64_t)(dx * dx) + (uint64_t)(dy * dy);
        if (suits(agent, filter) && distanceSq <= (uint64_t)limit)
            right[count++] = (Found){agent->key, distanceSq, agent->id};
    }
    qsort(right, (size_t)count, sizeof *right, nearest ? foundByDistance : foundByKey);
    const int32_t room = drawInt(g, 0, oneIn(g, 2) ? 8 : MODEL_AGENTS);
    const int32_t answered =
        nearest ? thWorld_NearestAgents(play->world, center, radius, filter, ids, room)
                : thWorld_AgentsInDisc(play->world, center, radius, filter, ids, room);
    return sameAnswer(play, right, nearest && count > room ? room : count, ids, answered, room);
}

static bool askBox(Play* play, thQueryFilter filter)
{
    thGenerator* g = play->g;
    Found right[MODEL_AGENTS];
    thAgentId ids[MODEL_AGENTS];
    const thVec2 a = drawPosition(g), b = drawPosition(g);
    const thVec2 low = {fminf(a.x, b.x), fminf(a.y, b.y)};
    const thVec2 high = {oneIn(g, 8) ? INFINITY : fmaxf(a.x, b.x), fmaxf(a.y, b.y)};
    int32_t count = 0;
    for (int32_t i = 0; i < MODEL_AGENTS; ++i) {
        const ModelAgent* agent = &play->model.agents[i];
        const double x = agent->at.x / UNITS, y = agent->at.y / UNITS; // exact
        if (suits(agent, filter) && x >= (double)low.x && x <= (double)high.x &&
            y >= (double)low.y && y <= (double)high.y)
            right[count++] = (Found){agent->key, 0, agent->id};
    }
    qsort(right, (size_t)count, sizeof *right, foundByKey);
    const int32_t room = drawInt(g, 0, MODEL_AGENTS);
    const int32_t answered = thWorld_AgentsInBox(play->world, low, high, filter, ids, room);
    return sameAnswer(play, right, count, ids, answered, room);
}

static Outcome ask(Play* play)
{
    thQueryFilter filter = thDefaultQueryFilter();
    filter.level = drawLevel(play->g);
    if (oneIn(play->g, 3))
        filter.mask = drawU32(play->g) % 8;
    const uint32_t kind = drawU32(play->g) % 3;
    const bool right = kind == 0 ? askBox(play, filter) : askDisc(play, filter, kind == 1);
    return right ? out_done : out_wrong;
}

// Where on its way a ray meets a segment that it touches.
static double meetingShare(Place a, Place b, const Place wall[2])
{
    const double wayX = (double)b.x - a.x, wayY = (double)b.y - a.y;
    const double wallX = (double)wall[1].x - wall[0].x, wallY = (double)wall[1].y - wall[0].y;
    const double toX = (double)wall[0].x - a.x, toY = (double)wall[0].y - a.y;
    const double bottom = wayX * wallY - wayY * wallX;
    if (bottom != 0.0)
        return (toX * wallY - toY * wallX) / bottom;
    if (segmentsTouch(a, a, wall[0], wall[1]))
        return 0.0;
    const double length = hypot(wayX, wayY);
    return fmin(hypot(toX, toY), hypot(toX + wallX, toY + wallY)) / length;
}

static Outcome castRay(Play* play)
{
    Place walls[MODEL_SEGMENTS][2];
    int32_t owner[MODEL_SEGMENTS];
    const thVec2 from = drawPosition(play->g), to = drawPosition(play->g);
    const Place a = placeOf(from), b = placeOf(to);
    const int32_t level = drawLevel(play->g);
    const int32_t count = modelSegments(&play->model, level, walls, owner);
    double nearest = 2.0;
    for (int32_t i = 0; i < count; ++i)
        if (segmentsTouch(a, b, walls[i][0], walls[i][1]))
            nearest = fmin(nearest, meetingShare(a, b, walls[i]));
    const thRayHit hit = thWorld_CastRay(play->world, from, to, level);
    if (play->model.scarce && hit.obstacle.value == 0 && hit.fraction == 0.0f)
        return out_noMemory;
    if (nearest > 1.5)
        return hit.obstacle.value == 0 && hit.fraction == 1.0f ? out_done
                                                               : wrong(play, "a ray hits air");
    const int32_t obstacle = modelFindObstacle(&play->model, hit.obstacle.value);
    if (obstacle < 0 || fabs((double)hit.fraction - nearest) > 1e-6)
        return wrong(play, "a ray misses a wall");
    // Several walls may be met at the same place.
    for (int32_t i = 0; i < count; ++i)
        if (owner[i] == obstacle && segmentsTouch(a, b, walls[i][0], walls[i][1]) &&
            fabs(meetingShare(a, b, walls[i]) - nearest) < 1e-6) {
            const double length = hypot((double)hit.normal.x, (double)hit.normal.y);
            const double against = (double)hit.normal.x * ((double)b.x - a.x) +
                                   (double)hit.normal.y * ((double)b.y - a.y);
            if (fabs(length - 1.0) > 1e-5 ||
                against > 1e-5 * hypot((double)b.x - a.x, (double)b.y - a.y))
                return wrong(play, "a wall's normal is wrong");
            return out_done;
        }
    return wrong(play, "a ray hits another wall");
}

// Snapshots.

static Outcome save(Play* play)
{
    if (!saveSnapshot(play, play->world, &play->saved))
        return out_wrong;
    play->savedModel = play->model;
    play->canRestore = true;
    return out_done;
}

static Outcome restore(Play* play)
{
    if (!play->canRestore)
        return out_skipped;
    thError error;
    CHECK_RESULT(play, thWorld_Restore(play->world, play->saved.bytes, play->saved.size, &error));
    play->model = play->savedModel;
    return saveSnapshot(play, play->world, &play->after) &&
                   (sameSnapshots(&play->saved, &play->after) ||
                    modelFail(&play->model, "a restored world saves itself differently"))
               ? out_done
               : out_wrong;
}

static Outcome continueAsTwins(Play* play, thWorld** twin)
{
    thError error;
    if (!saveSnapshot(play, play->world, &play->before))
        return out_wrong;
    CHECK_RESULT(play, thWorld_Restore(*twin, play->before.bytes, play->before.size, &error));
    if (thWorld_GetStateHash(*twin) != thWorld_GetStateHash(play->world))
        return wrong(play, "a twin is born different");
    const int32_t steps = drawInt(play->g, 0, 3);
    Outcome outcome = out_done;
    for (int32_t i = 0; i < steps && outcome == out_done; ++i)
        outcome = stepBoth(play, *twin);
    if (oneIn(play->g, 2) && outcome == out_done) {
        thWorld* other = play->world;
        play->world = *twin;
        *twin = other;
    }
    return outcome;
}

// A fresh world, with other threads and another instruction set, goes on as this one does.
static Outcome restoreElsewhere(Play* play)
{
    static const int32_t workers[] = {0, 1, 2, 3, 8};
    if (play->model.scarce)
        return out_skipped;
    thWorld* twin = openWorld(play, workers[drawU32(play->g) % 5], drawSimd(play->g));
    if (twin == NULL)
        return wrong(play, "there is no twin");
    const Outcome outcome = continueAsTwins(play, &twin);
    thDestroyWorld(twin);
    return outcome;
}

static Outcome badCall(Play* play)
{
    return playBadCall(play) ? out_done : out_wrong;
}

typedef struct Operation {
    const char* name;
    Outcome (*run)(Play* play);
    int32_t weight;
} Operation;

static const Operation operations[] = {
    {"create a profile", createProfile, 4},
    {"destroy a profile", destroyProfile, 2},
    {"create a goal", createGoal, 6},
    {"destroy a goal", destroyGoal, 3},
    {"create an obstacle", createObstacle, 8},
    {"destroy an obstacle", destroyObstacle, 3},
    {"change an obstacle", changeObstacle, 4},
    {"create an agent", createAgent, 16},
    {"create agents", createAgents, 5},
    {"destroy agents", destroyAgents, 5},
    {"change an agent", changeAgent, 12},
    {"set wishes", setWishes, 4},
    {"set kinematics", setKinematics, 4},
    {"reserve", reserve, 1},
    {"queue", queue, 12},
    {"step", step, 24},
    {"ask", ask, 10},
    {"cast a ray", castRay, 8},
    {"save", save, 2},
    {"restore", restore, 1},
    {"restore elsewhere", restoreElsewhere, 1},
    {"bad call", badCall, 12},
};

static const Operation* drawOperation(thGenerator* g)
{
    const int32_t count = (int32_t)(sizeof operations / sizeof operations[0]);
    int32_t total = 0;
    for (int32_t i = 0; i < count; ++i)
        total += operations[i].weight;
    int32_t left = drawInt(g, 0, total - 1), i = 0;
    for (; left >= operations[i].weight; ++i)
        left -= operations[i].weight;
    return &operations[i];
}

// Without memory a call has changed nothing; a step may have carried out commands.
static bool isUnchanged(Play* play, const Operation* operation)
{
    play->failures += 1;
    return operation->run == step ||
           (saveSnapshot(play, play->world, &play->after) &&
            (sameSnapshots(&play->before, &play->after) ||
             modelFail(&play->model, "without memory something has changed")));
}

bool playOperation(Play* play)
{
    const Operation* operation = drawOperation(play->g);
    play->doing = operation->name;
    if (play->model.scarce && !saveSnapshot(play, play->world, &play->before))
        return false;
    if (play->flaky && oneIn(play->g, 3)) {
        const int64_t at = play->allocator.calls + drawInt(play->g, 1, 8);
        if (oneIn(play->g, 3))
            play->allocator.failAt = at; // often made up for by asking for less
        else
            play->allocator.failFrom = at;
    }
    (void)heardFromHook();
    const Outcome outcome = operation->run(play);
    play->allocator.failAt = play->allocator.failFrom = 0;
    play->operations += outcome == out_done;
    if (outcome == out_wrong || (outcome == out_noMemory && !isUnchanged(play, operation)))
        return false;
    if (heardFromHook() != 0)
        return modelFail(&play->model, "the hook was told of a bug that is none");
    return modelMatchesWorld(&play->model, play->world);
}
