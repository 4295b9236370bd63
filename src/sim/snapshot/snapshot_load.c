// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Reads the content of a snapshot. Every number is checked, because a checksum is no proof of good
// intentions.

#include "sim/snapshot/snapshot.h"

#include "geom/body_shape.h"
#include "geom/polygon.h"
#include "sim/ranges.h"
#include "throng/roadmap.h"

#include <string.h>

#define KNOWN_FLAGS                                                                                \
    (th_agentAlive | th_agentExternal | th_agentVelocityOnly | th_agentArrived | th_agentWaiting | \
     th_agentSqueezed | th_agentHolds)

// The least bytes an agent and a command take: there cannot be more of them than fit.
#define AGENT_BYTES 84
#define COMMAND_BYTES 148

// Ids, texts and points.

static thResult damaged(thError* error, const char* what, int32_t slot)
{
    return thiFail(error, th_resultDamaged, "%s %d of the snapshot is not possible", what,
                   (int)slot);
}

// Puts free slots into their list. Each must be free and come once.
static bool linkFreeSlots(thIdPool* pool, thReader* from, int32_t freeCount)
{
    const uint32_t* generations = TH_ITEMS(pool->generations, uint32_t);
    int32_t* next = TH_ITEMS(pool->nextFree, int32_t);
    const int32_t unlinked = -2;
    for (int32_t slot = 0; slot < pool->nextFree.count; ++slot)
        next[slot] = unlinked;
    for (int32_t i = 0; i < freeCount; ++i) {
        const int32_t slot = thiReadI32(from);
        if (slot < 0 || slot >= pool->nextFree.count || next[slot] != unlinked ||
            generations[slot] == 0 || generations[slot] % 2 != 0)
            return false;
        next[slot] = -1;
        if (pool->lastFree >= 0)
            next[pool->lastFree] = slot;
        else
            pool->firstFree = slot;
        pool->lastFree = slot;
    }
    for (int32_t slot = 0; slot < pool->nextFree.count; ++slot)
        if (next[slot] == unlinked)
            next[slot] = -1;
    return true;
}

static thResult loadIdPool(thIdPool* pool, thReader* from, const char* what, int32_t maxCount,
                           thError* error)
{
    const int32_t count = thiReadI32(from);
    if (count < 0 || count > maxCount || (size_t)count > thiBytesLeft(from) / sizeof(uint32_t))
        return thiFail(error, th_resultDamaged, "the snapshot cannot hold %d %ss", (int)count,
                       what);
    TH_TRY(thiArrayReserve(&pool->generations, count));
    TH_TRY(thiArrayReserve(&pool->nextFree, count));
    pool->generations.count = pool->nextFree.count = count;
    int32_t freeable = 0;
    for (int32_t slot = 0; slot < count; ++slot) {
        const uint32_t generation = thiReadU32(from);
        TH_ITEMS(pool->generations, uint32_t)[slot] = generation;
        pool->used += (int32_t)(generation % 2);
        freeable += generation % 2 == 0 && generation != 0;
    }
    if (thiReadI32(from) != freeable || !linkFreeSlots(pool, from, freeable))
        return thiFail(error, th_resultDamaged, "the free slots of %ss are not possible", what);
    return th_resultOk;
}

// An item for each slot, all zero.
static thResult makeItems(thArray* items, const thIdPool* pool)
{
    const int32_t count = thiIdPoolSlotCount(pool);
    TH_TRY(thiArrayReserve(items, count));
    if (count > 0)
        memset(items->data, 0, (size_t)count * (size_t)items->itemSize);
    items->count = count;
    return th_resultOk;
}

// Adds a number of points, all within the world, to an array.
static thResult loadPoints(thReader* from, thArray* points)
{
    const int32_t count = thiReadI32(from);
    if (count < 0 || (size_t)count > thiBytesLeft(from) / sizeof(thPoint))
        return th_resultDamaged;
    thPoint* added = thiArrayAdd(points, count);
    if (added == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < count; ++i) {
        added[i].x = thiReadI32(from);
        added[i].y = thiReadI32(from);
        if (!thiIsWithinWorld(added[i]))
            return th_resultDamaged;
    }
    return th_resultOk;
}

// Profiles.

static bool loadText(thReader* from, char text[TH_NAME_SIZE])
{
    const size_t length = thiReadU8(from);
    memset(text, 0, TH_NAME_SIZE);
    if (length >= TH_NAME_SIZE)
        return false;
    thiReadBytes(from, text, length);
    return strlen(text) == length;
}

typedef struct SavedMethod {
    char name[TH_NAME_SIZE];
    const uint8_t* shared;
    size_t sharedSize;
} SavedMethod;

// Reads which method was used and checks that it is the same here.
static thResult loadMethod(const thWorld* world, thReader* from, thMethodKind kind,
                           SavedMethod* saved, thMethodUse* use, thError* error)
{
    if (!loadText(from, saved->name))
        return thiFail(error, th_resultDamaged, "the name of a method is not possible");
    const uint32_t version = thiReadU32(from);
    const uint32_t stateSize = thiReadU32(from);
    const uint32_t paramSize = thiReadU32(from);
    const thMethod* method = thiFindMethod(world, kind, saved->name, error);
    if (method == NULL)
        return th_resultUnavailable;
    if (version != method->version || stateSize != method->stateSize ||
        paramSize != method->paramSize)
        return thiFail(
            error, th_resultVersion, "%s method '%s' has version %u, but %u in the snapshot",
            thiMethodKindName(kind), saved->name, (unsigned)method->version, (unsigned)version);
    if (paramSize > thiBytesLeft(from))
        return thiFail(error, th_resultDamaged, "the snapshot ends too early");
    *use = (thMethodUse){saved->name, from->data + from->at};
    from->at += paramSize;
    const uint64_t sharedSize = thiReadU64(from);
    if (sharedSize > thiBytesLeft(from))
        return thiFail(error, th_resultDamaged, "the snapshot ends too early");
    saved->shared = from->data + from->at;
    saved->sharedSize = (size_t)sharedSize;
    from->at += saved->sharedSize;
    return th_resultOk;
}

static thResult loadShared(const thMethodInUse* use, const SavedMethod* saved, thError* error)
{
    thReader own = {.data = saved->shared, .size = saved->sharedSize};
    thResult code = th_resultOk;
    if (use->method->load != NULL)
        code = use->method->load(use->shared, &own);
    if (code != th_resultOk || own.failed || own.at != own.size)
        return thiFail(error, code == th_resultNoMemory ? code : th_resultDamaged,
                       "what method '%s' saved cannot be read", saved->name);
    return th_resultOk;
}

static void loadProfileDef(thReader* from, thProfileDef* def)
{
    def->neighborCount = thiReadI32(from);
    def->neighborRadius = thiReadFloat(from);
    def->wallCount = thiReadI32(from);
    def->wallRadius = thiReadFloat(from);
    def->fieldOfView = thiReadFloat(from);
    def->needsSight = thiReadI32(from);
    def->arrivalDistance = thiReadFloat(from);
    def->arrival = (thArrival)thiReadU32(from);
    def->radius = thiReadFloat(from);
    def->prefSpeed = thiReadFloat(from);
    def->maxSpeed = thiReadFloat(from);
    def->maxAccel = thiReadFloat(from);
    def->yield = thiReadFloat(from);
    def->keep = (thKeep)thiReadU32(from);
    def->patience = thiReadFloat(from);
    def->slowness = thiReadFloat(from);
    def->turnAside = thiReadFloat(from);
    def->pace.timeGap = thiReadFloat(from);
    def->pace.spread = thiReadFloat(from);
    def->pace.follow = thiReadFloat(from);
    def->pace.width = thiReadFloat(from);
    def->together.reach = thiReadFloat(from);
    def->together.gap = thiReadFloat(from);
    def->together.abreast = thiReadI32(from);
}

// The corners of a shape. It must be the hull of itself, as saved ones are.
static bool loadShape(thReader* from, thBodyShape* shape)
{
    *shape = (thBodyShape){.count = thiReadI32(from)};
    if (shape->count < 0 || shape->count > THRONG_SHAPE_CORNERS)
        return false;
    for (int32_t i = 0; i < shape->count; ++i) {
        shape->corners[i].x = thiReadFloat(from);
        shape->corners[i].y = thiReadFloat(from);
    }
    return shape->count == 0 || thiIsBodyShape(shape);
}

static thResult loadProfile(thWorld* world, int32_t slot, thReader* from, thError* error)
{
    char name[TH_NAME_SIZE];
    if (!loadText(from, name))
        return thiFail(error, th_resultDamaged, "the name of a profile is not possible");
    thProfileDef def = thDefaultProfileDef();
    def.name = name;
    loadProfileDef(from, &def);
    thBodyShape shape;
    if (!loadShape(from, &shape))
        return damaged(error, "the shape of profile", slot);
    def.shape = shape.count > 0 ? shape.corners : NULL;
    def.shapeCount = shape.count;
    thMethodUse* uses[th_methodKindCount] = {&def.plan, &def.group, &def.avoid};
    SavedMethod saved[th_methodKindCount];
    for (int32_t kind = 0; kind < th_methodKindCount; ++kind)
        TH_TRY(loadMethod(world, from, (thMethodKind)kind, &saved[kind], uses[kind], error));
    thProfile* profile = &thiProfiles(world)[slot];
    const thResult code = thiMakeProfile(world, slot, &def, profile, error);
    if (code == th_resultBadArgument && error != NULL)
        error->code = th_resultDamaged; // the text says which value
    if (code != th_resultOk)
        return code == th_resultBadArgument ? th_resultDamaged : code;
    thiShowShape(world, slot);
    for (int32_t kind = 0; kind < th_methodKindCount; ++kind)
        TH_TRY(loadShared(&profile->methods[kind], &saved[kind], error));
    return th_resultOk;
}

static thResult loadProfiles(thWorld* world, thReader* from, thError* error)
{
    TH_TRY(loadIdPool(&world->profiles.ids, from, "profile", TH_MAX_PROFILES, error));
    TH_TRY(makeItems(&world->profiles.items, &world->profiles.ids));
    TH_TRY(thiReserveProfileTables(&world->profiles));
    for (int32_t slot = 0; slot < world->profiles.items.count; ++slot)
        if (thiIdPoolIdOf(&world->profiles.ids, slot) != 0)
            TH_TRY(loadProfile(world, slot, from, error));
    return th_resultOk;
}

// Goals.

static thResult loadChildren(thReader* from, thArray* children)
{
    const int32_t count = thiReadI32(from);
    if (count < 1 || (size_t)count > thiBytesLeft(from) / sizeof(int32_t))
        return th_resultDamaged;
    int32_t* added = thiArrayAdd(children, count);
    if (added == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < count; ++i)
        added[i] = thiReadI32(from);
    return th_resultOk;
}

static thResult loadGoal(thGoals* goals, thReader* from, thGoal* goal)
{
    const thGoalKind kind = (thGoalKind)thiReadU32(from);
    goal->radius = thiReadFloat(from);
    if ((uint32_t)kind > th_goalAlternatives)
        return th_resultDamaged;
    goal->kind = (uint32_t)kind & 7u;
    const bool group = thiIsGoalGroup(kind);
    thArray* items = group ? &goals->children : &goals->points;
    const int32_t first = items->count;
    TH_TRY(group ? loadChildren(from, items) : loadPoints(from, items));
    const int32_t count = items->count - first;
    const bool possible = group ? goal->radius == 0.0f
                                : thiIsGoalShape(kind, count, goal->radius) &&
                                      (kind == th_goalDisc || goal->radius == 0.0f);
    if (!possible)
        return th_resultDamaged;
    if (thiIsSinglePoint(kind)) {
        goal->point = TH_ITEMS(*items, thPoint)[first];
        items->count = first;
    } else {
        goal->first = first;
        goal->count = count;
    }
    return th_resultOk;
}

// Children may stand in later slots, so they are looked at when all are there.
static bool linkChildren(thGoals* goals, const thGoal* goal)
{
    if (!thiIsGoalGroup(goal->kind))
        return true;
    for (int32_t i = 0; i < goal->count; ++i) {
        const int32_t child = TH_ITEMS(goals->children, int32_t)[goal->first + i];
        if (child < 0 || child >= goals->goals.count || thiIdPoolIdOf(&goals->ids, child) == 0 ||
            !thiGoalMayHold(goal->kind, thiGoalAt(goals, child)->kind))
            return false;
        thiGoalAt(goals, child)->users += 1;
    }
    return true;
}

static thResult loadGoals(thWorld* world, thReader* from, thError* error)
{
    thGoals* goals = &world->goals;
    TH_TRY(loadIdPool(&goals->ids, from, "goal", INT32_MAX, error));
    TH_TRY(makeItems(&goals->goals, &goals->ids));
    for (int32_t slot = 0; slot < goals->goals.count; ++slot) {
        *thiGoalAt(goals, slot) = (thGoal){.kind = TH_NO_GOAL};
        if (thiIdPoolIdOf(&goals->ids, slot) == 0)
            continue;
        const thResult code = loadGoal(goals, from, thiGoalAt(goals, slot));
        if (code != th_resultOk)
            return code == th_resultDamaged ? damaged(error, "goal", slot) : code;
    }
    for (int32_t slot = 0; slot < goals->goals.count; ++slot)
        if (thiIdPoolIdOf(&goals->ids, slot) != 0 && !linkChildren(goals, thiGoalAt(goals, slot)))
            return damaged(error, "goal", slot);
    return th_resultOk;
}

// Roadmaps.

// The ends of nodes, as pairs of points.
static thResult loadNodes(thReader* from, thArray* nodes)
{
    const int32_t count = thiReadI32(from);
    if (count < 2 || count % 2 != 0 || (size_t)count > thiBytesLeft(from) / sizeof(thPoint))
        return th_resultDamaged;
    thPoint* ends = thiArrayAdd(nodes, count / 2);
    if (ends == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < count; ++i) {
        ends[i].x = thiReadI32(from);
        ends[i].y = thiReadI32(from);
        if (!thiIsWithinWorld(ends[i]))
            return th_resultDamaged;
    }
    return th_resultOk;
}

// Pairs of nodes in ascending order, the lower node first.
static thResult loadEdges(thReader* from, int32_t nodeCount, thArray* edges)
{
    const int32_t count = thiReadI32(from);
    if (count < 0 || (size_t)count > thiBytesLeft(from) / (2 * sizeof(int32_t)))
        return th_resultDamaged;
    if (count == 0)
        return th_resultOk;
    int32_t(*pairs)[2] = thiArrayAdd(edges, count);
    if (pairs == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t a = thiReadI32(from), b = thiReadI32(from);
        const bool isNext =
            i == 0 || a > pairs[i - 1][0] || (a == pairs[i - 1][0] && b > pairs[i - 1][1]);
        if (a < 0 || a >= b || b >= nodeCount || !isNext)
            return th_resultDamaged;
        pairs[i][0] = a;
        pairs[i][1] = b;
    }
    return th_resultOk;
}

static thResult loadRule(thReader* from, thRoadmap* map)
{
    const int32_t two = thiReadI32(from);
    map->lowX = thiReadI32(from);
    map->lowY = thiReadI32(from);
    map->highX = thiReadI32(from);
    map->highY = thiReadI32(from);
    map->side = thiReadI32(from);
    map->count = thiReadI32(from);
    map->neighbors = thiReadI32(from);
    map->reach = thiReadFloat(from);
    return two == 2 && thiIsRoadmapRule(map) ? th_resultOk : th_resultDamaged;
}

static thResult loadRoadmap(thWorld* world, thReader* from, int32_t slot)
{
    thNamedRoadmap* item = thiRoadmapAt(&world->roadmaps, slot);
    thiInitRoadmap(world, item);
    char name[TH_NAME_SIZE];
    if (!loadText(from, name) || name[0] == '\0' || thiFindRoadmap(&world->roadmaps, name) >= 0)
        return th_resultDamaged;
    memcpy(item->name, name, sizeof name);
    const uint32_t kind = thiReadU32(from);
    item->view.level = thiReadI32(from);
    if (kind > th_roadmapMedial || !thiIsLevel(item->view.level))
        return th_resultDamaged;
    item->view.kind = (thRoadmapKind)kind;
    if (kind != th_roadmapGiven)
        return loadRule(from, &item->view);
    TH_TRY(loadNodes(from, &item->nodes));
    TH_TRY(loadEdges(from, item->nodes.count, &item->edges));
    if (item->nodes.count > (item->edges.count > 0 ? THRONG_ROADMAP_NODES : THRONG_ROADMAP_SIGHTS))
        return th_resultDamaged;
    thiShowRoadmap(item);
    return th_resultOk;
}

static thResult loadRoadmaps(thWorld* world, thReader* from, thError* error)
{
    thRoadmaps* roadmaps = &world->roadmaps;
    TH_TRY(loadIdPool(&roadmaps->ids, from, "roadmap", INT32_MAX, error));
    TH_TRY(makeItems(&roadmaps->items, &roadmaps->ids));
    for (int32_t slot = 0; slot < roadmaps->items.count; ++slot) {
        if (thiIdPoolIdOf(&roadmaps->ids, slot) == 0)
            continue;
        const thResult code = loadRoadmap(world, from, slot);
        if (code != th_resultOk)
            return code == th_resultDamaged ? damaged(error, "roadmap", slot) : code;
    }
    return th_resultOk;
}

// Obstacles.

// What cleaning makes sure of and others rely on.
static bool isOutline(const thObstacle* obstacle)
{
    const thPoint* points = TH_ITEMS(obstacle->outline, thPoint);
    const int32_t count = obstacle->outline.count;
    const thObstacleKind kind = obstacle->def.kind;
    if (kind == th_obstacleMovingDisc)
        return count == 0;
    if (count < (kind == th_obstacleWall ? 2 : 3))
        return false;
    for (int32_t i = 0; i + 1 < count; ++i)
        if (thiSamePoint(points[i], points[i + 1]))
            return false;
    if (kind != th_obstacleWall && thiSamePoint(points[0], points[count - 1]))
        return false;
    return kind != th_obstacleMovingPolygon ||
           (thiOrientation(points[0], points[1], points[2]) > 0 && thiIsConvex(points, count));
}

static bool isRest(double rest)
{
    return rest >= -0.5 && rest <= 0.5;
}

static thResult loadMotion(thReader* from, thObstacle* obstacle)
{
    thObstacleDef* def = &obstacle->def;
    def->radius = thiReadFloat(from);
    obstacle->x = thiReadI32(from);
    obstacle->y = thiReadI32(from);
    obstacle->restX = thiReadDouble(from);
    obstacle->restY = thiReadDouble(from);
    def->angle = thiReadFloat(from);
    def->velocity.x = thiReadFloat(from);
    def->velocity.y = thiReadFloat(from);
    def->spin = thiReadFloat(from);
    def->pathSpeed = thiReadFloat(from);
    def->pathLoops = thiReadI32(from);
    def->yields = thiReadI32(from);
    obstacle->pathAt = thiReadI32(from);
    TH_TRY(loadPoints(from, &obstacle->path));
    const bool possible = thiIsObstacleDef(def) && isRest(obstacle->restX) &&
                          isRest(obstacle->restY) && thiIsBetween(def->angle, -TH_PI, TH_PI) &&
                          thiIsWithinWorld((thPoint){obstacle->x, obstacle->y}) &&
                          obstacle->pathAt >= 0 && obstacle->pathAt <= obstacle->path.count;
    return possible ? th_resultOk : th_resultDamaged;
}

static thResult loadObstacle(thWorld* world, thReader* from, thObstacle* obstacle)
{
    obstacle->def = thDefaultObstacleDef();
    obstacle->outline = thiArray(world->account, sizeof(thPoint));
    obstacle->path = thiArray(world->account, sizeof(thPoint));
    const uint32_t kind = thiReadU32(from);
    obstacle->def.level = thiReadI32(from);
    if (kind > th_obstacleMovingPolygon || !thiIsLevel(obstacle->def.level))
        return th_resultDamaged;
    obstacle->def.kind = (thObstacleKind)kind;
    TH_TRY(loadPoints(from, &obstacle->outline));
    if (!isOutline(obstacle))
        return th_resultDamaged;
    return thiIsMoving(obstacle->def.kind) ? loadMotion(from, obstacle) : th_resultOk;
}

static thResult loadObstacles(thWorld* world, thReader* from, thError* error)
{
    TH_TRY(loadIdPool(&world->obstacles.ids, from, "obstacle", INT32_MAX, error));
    TH_TRY(makeItems(&world->obstacles.items, &world->obstacles.ids));
    for (int32_t slot = 0; slot < world->obstacles.items.count; ++slot) {
        if (thiIdPoolIdOf(&world->obstacles.ids, slot) == 0)
            continue;
        const thResult code = loadObstacle(world, from, &thiObstacles(world)[slot]);
        if (code != th_resultOk)
            return code == th_resultDamaged ? damaged(error, "obstacle", slot) : code;
    }
    world->walls.changed = true;
    return th_resultOk;
}

// Gates.

static bool loadGate(thReader* from, thGate* gate)
{
    gate->a.x = thiReadI32(from);
    gate->a.y = thiReadI32(from);
    gate->b.x = thiReadI32(from);
    gate->b.y = thiReadI32(from);
    gate->level = thiReadI32(from);
    gate->capacity = thiReadFloat(from);
    gate->allowance = thiReadDouble(from);
    gate->passed = thiReadU64(from);
    return thiIsLevel(gate->level) && thiIsGate(gate);
}

static thResult loadGates(thWorld* world, thReader* from, thError* error)
{
    thGates* gates = &world->gates;
    TH_TRY(loadIdPool(&gates->ids, from, "gate", INT32_MAX, error));
    TH_TRY(makeItems(&gates->items, &gates->ids));
    for (int32_t slot = 0; slot < gates->items.count; ++slot)
        if (thiIdPoolIdOf(&gates->ids, slot) != 0 && !loadGate(from, thiGateAt(gates, slot)))
            return damaged(error, "gate", slot);
    return th_resultOk;
}

static thResult loadGeneral(thWorld* world, thReader* from, thError* error)
{
    world->seed = thiReadU64(from);
    world->originX = thiReadDouble(from);
    world->originY = thiReadDouble(from);
    world->step = thiReadU64(from);
    const uint32_t contacts = thiReadU32(from);
    world->hasContacts = contacts == 1;
    world->agents.nextOrdinal = thiReadU64(from);
    world->counters.arrivals = thiReadU64(from);
    world->counters.departures = thiReadU64(from);
    world->counters.refusedCommands = thiReadU64(from);
    const bool possible = contacts <= 1 && thiIsFiniteDouble(world->originX) &&
                          thiIsFiniteDouble(world->originY) &&
                          world->agents.nextOrdinal < TH_FIRST_OWN_KEY;
    return possible ? th_resultOk
                    : thiFail(error, th_resultDamaged, "the snapshot's beginning is not possible");
}

// Agents.

// Keys are the caller's, or among those the world has given so far.
static bool isKey(const thWorld* world, uint64_t key)
{
    return key > 0 && key < TH_FIRST_OWN_KEY + world->agents.nextOrdinal;
}

static bool areFlags(uint32_t flags)
{
    const uint32_t drivers = th_agentExternal | th_agentVelocityOnly;
    return (flags & th_agentAlive) != 0 && (flags & ~(uint32_t)KNOWN_FLAGS) == 0 &&
           (flags & drivers) != drivers;
}

static bool isGoal(const thWorld* world, int32_t goal, int32_t index)
{
    if (goal == -1)
        return index == 0;
    return goal >= 0 && goal < world->goals.goals.count &&
           thiIdPoolIdOf(&world->goals.ids, goal) != 0 && index >= 0 &&
           index < thiGoalLength(&world->goals, goal);
}

static bool isProfile(const thWorld* world, int32_t profile)
{
    return profile >= 0 && profile < world->profiles.items.count &&
           thiIdPoolIdOf(&world->profiles.ids, profile) != 0;
}

static bool isRow(const thWorld* world, int32_t row)
{
    const thRows* rows = thiRows(world);
    return isKey(world, rows->key[row]) &&
           thiKeyMapFind(&world->agents.keys, rows->key[row], thiKeyOfSlot, world) < 0 &&
           thiIsWithinWorld((thPoint){rows->px[row], rows->py[row]}) &&
           thiIsVelocity((thVec2){rows->vx[row], rows->vy[row]}) &&
           thiIsBetween(rows->radius[row], 0.0f, 100.0f) &&
           thiIsBetween(rows->yield[row], 0.0f, 1000.0f) &&
           thiIsBetween(rows->prefSpeed[row], 0.0f, 100.0f) &&
           thiIsBetween(rows->maxSpeed[row], 0.0f, 100.0f) &&
           thiIsBetween(rows->maxAccel[row], 0.0f, 1e6f) &&
           thiIsBetween(rows->heading[row], -TH_PI, TH_PI) && areFlags(rows->flags[row]) &&
           isGoal(world, rows->goal[row], rows->goalIndex[row]) && thiIsGroup(rows->group[row]);
}

static bool loadRow(thWorld* world, thReader* from, const thRows* rows, int32_t row)
{
    rows->key[row] = thiReadU64(from);
    rows->px[row] = thiReadI32(from);
    rows->py[row] = thiReadI32(from);
    rows->vx[row] = thiReadFloat(from);
    rows->vy[row] = thiReadFloat(from);
    rows->radius[row] = thiReadFloat(from);
    rows->yield[row] = thiReadFloat(from);
    rows->layers[row] = thiReadU32(from);
    rows->mask[row] = thiReadU32(from);
    rows->prefSpeed[row] = thiReadFloat(from);
    rows->maxSpeed[row] = thiReadFloat(from);
    rows->maxAccel[row] = thiReadFloat(from);
    rows->heading[row] = thiReadFloat(from);
    const int32_t profile = thiReadI32(from);
    const int32_t level = thiReadI32(from);
    rows->flags[row] = thiReadU32(from);
    rows->goal[row] = thiReadI32(from);
    rows->goalIndex[row] = thiReadI32(from);
    rows->group[row] = thiReadI32(from);
    const uint32_t pressure = thiReadU32(from);
    rows->pressure[row] = (uint16_t)pressure;
    bool isJam = true;
    if (world->hasContacts) {
        uint32_t words[TH_JAM_WORDS];
        for (int32_t i = 0; i < TH_JAM_WORDS; ++i)
            words[i] = thiReadU32(from);
        isJam = thiUnpackJam(&world->jams, row, words);
    }
    rows->profile[row] = (uint16_t)profile;
    rows->level[row] = (uint16_t)level;
    return isProfile(world, profile) && thiIsLevel(level) && pressure <= TH_MAX_PRESSURE && isJam &&
           isRow(world, row);
}

static thResult loadState(thProfile* profile, thReader* from, int32_t* stateIndex)
{
    TH_TRY(thiReserveStates(profile, 1));
    *stateIndex = thiTakeState(profile);
    if (*stateIndex >= 0)
        thiReadBytes(from, (char*)profile->states.data + (size_t)*stateIndex * profile->stateSize,
                     profile->stateSize);
    return th_resultOk;
}

// What an agent of a group wanted last.
static bool isKept(const thTogetherKept* kept)
{
    return fabsf(kept->wanted.x) <= TH_MAX_VELOCITY && fabsf(kept->wanted.y) <= TH_MAX_VELOCITY &&
           thiIsBetween(kept->left, 0.0f, TH_LONGEST_PATH);
}

static thResult loadAgent(thWorld* world, thReader* from, int32_t slot, thError* error)
{
    thRows* rows = &world->agents.rows[world->agents.current];
    const int32_t row = rows->count;
    if (!loadRow(world, from, rows, row) || from->failed)
        return thiFail(error, th_resultDamaged, "agent %d of the snapshot is not possible",
                       (int)slot);
    thProfile* profile = &thiProfiles(world)[rows->profile[row]];
    if (profile->def.together.reach > 0.0f) {
        thTogetherKept kept = {.key = rows->key[row]};
        kept.wanted.x = thiReadFloat(from);
        kept.wanted.y = thiReadFloat(from);
        kept.left = thiReadFloat(from);
        if (!isKept(&kept))
            return thiFail(error, th_resultDamaged, "agent %d of the snapshot is not possible",
                           (int)slot);
        TH_TRY(thiKeepTogether(&world->together, slot, &kept));
    }
    TH_TRY(loadState(profile, from, &rows->stateIndex[row]));
    rows->slot[row] = slot;
    rows->count += 1;
    world->agents.count += 1;
    profile->agentCount += 1;
    if (rows->goal[row] >= 0)
        thiGoalAt(&world->goals, rows->goal[row])->users += 1;
    TH_ITEMS(world->agents.rowOfSlot, int32_t)[slot] = row;
    thiNoteAim(world, row);
    thiShowRow(world, row); // the map reads keys from there
    thiKeyMapAdd(&world->agents.keys, rows->key[row], slot);
    return th_resultOk;
}

static thResult loadAgents(thWorld* world, thReader* from, thError* error)
{
    TH_TRY(loadIdPool(&world->agents.ids, from, "agent", TH_MAX_AGENTS, error));
    const int32_t slotCount = thiIdPoolSlotCount(&world->agents.ids);
    const int32_t count = world->agents.ids.used;
    if ((size_t)count > thiBytesLeft(from) / AGENT_BYTES)
        return thiFail(error, th_resultDamaged, "the snapshot cannot hold %d agents", (int)count);
    TH_TRY(thiReserveAgents(world, count));
    world->agents.rowOfSlot.count = world->agents.view.count = world->agents.told.count =
        world->agents.left.count = world->agents.aims.count = slotCount;
    for (int32_t slot = 0; slot < slotCount; ++slot) {
        TH_ITEMS(world->agents.rowOfSlot, int32_t)[slot] = -1;
        TH_ITEMS(world->agents.view, thAgentRow)[slot] = (thAgentRow){0};
        thiTell(world, slot, (thTold){.answer = th_planComplete});
        if (thiIdPoolIdOf(&world->agents.ids, slot) != 0)
            TH_TRY(loadAgent(world, from, slot, error));
    }
    return th_resultOk;
}

// Commands. Ids may be stale and values impossible: that shows when they are carried out.

static thCommand loadCommand(thReader* from)
{
    thCommand command = thDefaultCommand();
    thAgentDef* create = &command.create;
    command.kind = (thCommandKind)thiReadU32(from);
    command.order = thiReadU64(from);
    command.agent.value = thiReadU64(from);
    command.obstacle.value = thiReadU64(from);
    command.goal.value = thiReadU64(from);
    command.velocity.x = thiReadFloat(from);
    command.velocity.y = thiReadFloat(from);
    command.value = thiReadFloat(from);
    command.position.x = thiReadFloat(from);
    command.position.y = thiReadFloat(from);
    create->profile.value = thiReadU64(from);
    create->position.x = thiReadFloat(from);
    create->position.y = thiReadFloat(from);
    create->velocity.x = thiReadFloat(from);
    create->velocity.y = thiReadFloat(from);
    create->heading = thiReadFloat(from);
    create->goal.value = thiReadU64(from);
    create->key = thiReadU64(from);
    create->level = thiReadI32(from);
    create->layers = thiReadU32(from);
    create->mask = thiReadU32(from);
    create->radius = thiReadFloat(from);
    create->prefSpeed = thiReadFloat(from);
    create->maxSpeed = thiReadFloat(from);
    create->maxAccel = thiReadFloat(from);
    create->yield = thiReadFloat(from);
    create->priority = thiReadFloat(from);
    create->flags = thiReadU32(from);
    create->placement = (thPlacement)thiReadU32(from);
    create->group = thiReadI32(from);
    return command;
}

static thResult loadCommands(thWorld* world, thReader* from, thError* error)
{
    const int32_t count = thiReadI32(from);
    if (count < 0 || (size_t)count > thiBytesLeft(from) / COMMAND_BYTES)
        return thiFail(error, th_resultDamaged, "the snapshot cannot hold %d commands", (int)count);
    thQueued* queued = thiArrayAdd(&world->queue.waiting, count);
    if (queued == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < count; ++i) {
        queued[i] = (thQueued){.command = loadCommand(from)};
        if (!thiIsCommand(&queued[i].command))
            return thiFail(error, th_resultDamaged, "command %d of the snapshot is not possible",
                           (int)i);
    }
    return th_resultOk;
}

thResult thiLoadContent(thWorld* world, thReader* from, thError* error)
{
    TH_TRY(loadGeneral(world, from, error));
    TH_TRY(loadProfiles(world, from, error));
    TH_TRY(loadGoals(world, from, error));
    TH_TRY(loadRoadmaps(world, from, error));
    TH_TRY(loadObstacles(world, from, error));
    TH_TRY(loadGates(world, from, error));
    TH_TRY(loadAgents(world, from, error));
    TH_TRY(loadCommands(world, from, error));
    if (from->failed || from->at != from->size)
        return thiFail(error, th_resultDamaged, "the snapshot's size is not that of its content");
    world->isRestored = true;
    return thiPrepareObstacles(world);
}
