// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A world's life, its counters and the hash of its state.

#include "base/hash.h"
#include "sim/ranges.h"
#include "sim/step/tiles.h"
#include "sim/step/undo.h"
#include "sim/world_internal.h"

thWorldDef thDefaultWorldDef(void)
{
    return (thWorldDef){.size = sizeof(thWorldDef),
                        .allocator = thDefaultAllocator(),
                        .seed = 1,
                        .simd = th_simdAuto,
                        .contacts = 1};
}

thResult thiReserveSlot(thIdPool* ids, thArray* items)
{
    // Growing by half keeps the cost of creating many in proportion to their number.
    const bool full = thiIdPoolSlotCount(ids) == ids->generations.capacity;
    if (!full || thiIdPoolReserve(ids, ids->used + ids->used / 2 + 8) != th_resultOk)
        TH_TRY(thiIdPoolReserve(ids, ids->used + 1));
    return thiArrayReserve(items, ids->generations.capacity);
}

static void initMovers(thMoverColumns* movers, thMemory* memory)
{
    movers->px = thiArray(memory, sizeof(int32_t));
    movers->py = thiArray(memory, sizeof(int32_t));
    movers->vx = thiArray(memory, sizeof(float));
    movers->vy = thiArray(memory, sizeof(float));
    movers->spin = thiArray(memory, sizeof(float));
    movers->radius = thiArray(memory, sizeof(float));
    movers->firstCorner = thiArray(memory, sizeof(int32_t));
    movers->corners = thiArray(memory, sizeof(thVec2));
    movers->level = thiArray(memory, sizeof(uint16_t));
    movers->obstacle = thiArray(memory, sizeof(int32_t));
    movers->dx = thiArray(memory, sizeof(int32_t));
    movers->dy = thiArray(memory, sizeof(int32_t));
    movers->turn = thiArray(memory, sizeof(float));
    movers->share = thiArray(memory, sizeof(float));
    movers->bodies = thiArray(memory, sizeof(thPushedBody));
}

static void freeMovers(thMoverColumns* movers)
{
    thiArrayFree(&movers->px);
    thiArrayFree(&movers->py);
    thiArrayFree(&movers->vx);
    thiArrayFree(&movers->vy);
    thiArrayFree(&movers->spin);
    thiArrayFree(&movers->radius);
    thiArrayFree(&movers->firstCorner);
    thiArrayFree(&movers->corners);
    thiArrayFree(&movers->level);
    thiArrayFree(&movers->obstacle);
    thiArrayFree(&movers->dx);
    thiArrayFree(&movers->dy);
    thiArrayFree(&movers->turn);
    thiArrayFree(&movers->share);
    thiArrayFree(&movers->bodies);
}

static void initArrays(thWorld* world)
{
    thMemory* memory = world->account;
    world->profiles = (thProfiles){.ids = thiIdPool(memory),
                                   .items = thiArray(memory, sizeof(thProfile)),
                                   .sights = thiArray(memory, sizeof(const thSight*)),
                                   .shapes = thiArray(memory, sizeof(thBodyShape)),
                                   .commons = thiArray(memory, sizeof(thMethodCommon)),
                                   .users = thiArray(memory, sizeof(thMethodUser))};
    world->goals = (thGoals){.ids = thiIdPool(memory),
                             .goals = thiArray(memory, sizeof(thGoal)),
                             .points = thiArray(memory, sizeof(thPoint)),
                             .children = thiArray(memory, sizeof(int32_t))};
    world->roadmaps =
        (thRoadmaps){.ids = thiIdPool(memory), .items = thiArray(memory, sizeof(thNamedRoadmap))};
    world->obstacles =
        (thObstacles){.ids = thiIdPool(memory), .items = thiArray(memory, sizeof(thObstacle))};
    initMovers(&world->movers, memory);
    world->gates = thiInitGates(memory);
    world->agents = (thAgents){.ids = thiIdPool(memory),
                               .rowOfSlot = thiArray(memory, sizeof(int32_t)),
                               .view = thiArray(memory, sizeof(thAgentRow)),
                               .left = thiArray(memory, sizeof(float)),
                               .told = thiArray(memory, sizeof(thToldBits)),
                               .aims = thiArray(memory, sizeof(thPoint)),
                               .keys = thiKeyMap(memory)};
    thiInitBefore(&world->before, memory);
    world->guidance = thiArray(memory, sizeof(thGuidance));
    thiInitTogether(&world->together, memory);
    world->events = thiArray(memory, sizeof(thEvent));
    world->queue = (thCommandQueue){.waiting = thiArray(memory, sizeof(thQueued)),
                                    .atWork = thiArray(memory, sizeof(thQueued))};
}

thResult thiInitContent(thWorld* world)
{
    initArrays(world);
    thResult code = thiGridInit(&world->agents.grid, world->account, world->workers.count);
    if (code == th_resultOk)
        code = thiCreateWallGrid(world->account, &world->walls.grid);
    if (code == th_resultOk)
        code = thiCreateContacts(world->account, world->workers.count, &world->contacts);
    if (code == th_resultOk)
        code = thiReserveAgents(world, 0); // a step of an empty world finds its arrays
    if (code == th_resultOk)
        code = thiPrepareObstacles(world);
    if (code != th_resultOk)
        thiFreeContent(world);
    return code;
}

void thiFreeContent(thWorld* world)
{
    thiFreePathFinder(world);
    for (int32_t slot = 0; slot < world->profiles.items.count; ++slot)
        if (thiIdPoolIdOf(&world->profiles.ids, slot) != 0)
            thiFreeProfile(world, &thiProfiles(world)[slot]);
    for (int32_t slot = 0; slot < world->obstacles.items.count; ++slot)
        if (thiIdPoolIdOf(&world->obstacles.ids, slot) != 0)
            thiFreeObstacle(&thiObstacles(world)[slot]);
    for (int32_t slot = 0; slot < world->roadmaps.items.count; ++slot)
        if (thiIdPoolIdOf(&world->roadmaps.ids, slot) != 0)
            thiFreeRoadmap(thiRoadmapAt(&world->roadmaps, slot));
    thiIdPoolFree(&world->roadmaps.ids);
    thiArrayFree(&world->roadmaps.items);
    thiIdPoolFree(&world->profiles.ids);
    thiArrayFree(&world->profiles.items);
    thiArrayFree(&world->profiles.sights);
    thiArrayFree(&world->profiles.shapes);
    thiArrayFree(&world->profiles.commons);
    thiArrayFree(&world->profiles.users);
    thiIdPoolFree(&world->goals.ids);
    thiArrayFree(&world->goals.goals);
    thiArrayFree(&world->goals.points);
    thiArrayFree(&world->goals.children);
    thiIdPoolFree(&world->obstacles.ids);
    thiArrayFree(&world->obstacles.items);
    thiDestroyWallGrid(world->walls.grid);
    world->walls.grid = NULL;
    freeMovers(&world->movers);
    thiFreeGates(&world->gates);
    thiIdPoolFree(&world->agents.ids);
    thiArrayFree(&world->agents.rowOfSlot);
    thiArrayFree(&world->agents.view);
    thiArrayFree(&world->agents.left);
    thiArrayFree(&world->agents.told);
    thiArrayFree(&world->agents.aims);
    thiArrayFree(&world->guidance);
    thiArrayFree(&world->before.states);
    thiArrayFree(&world->before.kept);
    thiArrayFree(&world->before.agents);
    thiArrayFree(&world->before.movers);
    thiKeyMapFree(&world->agents.keys);
    thiRowsFree(&world->agents.rows[0], world->account);
    thiRowsFree(&world->agents.rows[1], world->account);
    thiDestroyContacts(world->contacts);
    world->contacts = NULL;
    thiGridFree(&world->agents.grid);
    if (world->jams.memory != NULL)
        thiFreeJams(&world->jams);
    thiFreeTogether(&world->together);
    thiArrayFree(&world->events);
    thiArrayFree(&world->queue.waiting);
    thiArrayFree(&world->queue.atWork);
}

#define WORKER_SCRATCH ((size_t)96 * 1024)

static thResult createWorkers(thWorld* world)
{
    const int32_t count = thTasks_GetWorkerCount(world->tasks);
    thWorker* workers = thiArrayAdd(&world->workers, count);
    if (workers == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < count; ++i) {
        workers[i] = (thWorker){.events = thiArray(&world->memory, sizeof(thEvent))};
        thiArenaInit(&workers[i].scratch, &world->memory);
    }
    // Room that most tiles never exceed, so that steps do not allocate once they are warm.
    for (int32_t i = 0; i < count; ++i) {
        if (thiArenaAllocate(&workers[i].scratch, WORKER_SCRATCH) == NULL)
            return th_resultNoMemory;
        thiArenaReset(&workers[i].scratch);
    }
    return th_resultOk;
}

static thResult setUp(thWorld* world, const thWorldDef* def)
{
    thTasksDef tasksDef = thDefaultTasksDef();
    tasksDef.workerCount = def->workerCount;
    tasksDef.host = def->tasks;
    TH_TRY(thiCreateTasks(&world->memory, &tasksDef, &world->tasks));
    TH_TRY(createWorkers(world));
    TH_TRY(thiInitContent(world));
    world->seed = def->seed;
    world->originX = def->originX;
    world->originY = def->originY;
    world->hasContacts = def->contacts != 0;
    return th_resultOk;
}

thResult thCreateWorld(const thWorldDef* given, thWorld** result)
{
    TH_REQUIRE(result != NULL, th_resultBadArgument);
    *result = NULL;
    thWorldDef def = thDefaultWorldDef();
    TH_REQUIRE(thiReadDef(&def, given, sizeof def, sizeof def), th_resultBadArgument);
    TH_REQUIRE(def.workerCount >= 0 && def.workerCount <= TH_MAX_WORKERS, th_resultBadArgument);
    TH_REQUIRE((def.tasks.enqueue == NULL) == (def.tasks.finish == NULL), th_resultBadArgument);
    TH_REQUIRE((def.allocator.allocate == NULL) == (def.allocator.release == NULL),
               th_resultBadArgument);
    TH_REQUIRE(thiIsFiniteDouble(def.originX) && thiIsFiniteDouble(def.originY),
               th_resultBadArgument);
    TH_REQUIRE((uint32_t)def.simd < th_simdCount, th_resultBadArgument);
    TH_REQUIRE(def.contacts == 0 || def.contacts == 1, th_resultBadArgument);
    TH_REQUIRE(def.contactEvents == 0 || def.contactEvents == 1, th_resultBadArgument);
    const size_t limit = def.maxBytes < SIZE_MAX ? (size_t)def.maxBytes : SIZE_MAX;
    // The struct itself is not in the account, which is part of it.
    thMemory outside;
    thiMemoryInit(&outside, &def.allocator, limit);
    thWorld* world = thiAllocateZero(&outside, sizeof *world);
    if (world == NULL)
        return th_resultNoMemory;
    thiMemoryInit(&world->memory, &def.allocator, limit);
    world->account = &world->memory;
    world->simd = thSimd_Resolve(def.simd);
    world->hasContactEvents = def.contactEvents == 1;
    thiUnlock(&world->commandMutex);
    thiUnlock(&world->wallMutex);
    for (int32_t kind = 0; kind < th_methodKindCount; ++kind)
        world->methods[kind] = thiArray(&world->memory, sizeof(const thMethod*));
    world->workers = thiArray(&world->memory, sizeof(thWorker));
    initArrays(world);
    const thResult code = setUp(world, &def);
    if (code != th_resultOk) {
        thDestroyWorld(world);
        return code;
    }
    *result = world;
    return th_resultOk;
}

void thDestroyWorld(thWorld* world)
{
    if (world == NULL)
        return;
    TH_REQUIRE_VOID(!world->stepping);
    thiFreeContent(world);
    for (int32_t i = 0; i < world->workers.count; ++i) {
        thiArenaFree(&TH_ITEMS(world->workers, thWorker)[i].scratch);
        thiArrayFree(&TH_ITEMS(world->workers, thWorker)[i].events);
    }
    thiArrayFree(&world->workers);
    for (int32_t kind = 0; kind < th_methodKindCount; ++kind) {
        for (int32_t i = 0; i < world->methods[kind].count; ++i)
            thiRelease(&world->memory, TH_ITEMS(world->methods[kind], thMethod*)[i],
                       sizeof(thMethod));
        thiArrayFree(&world->methods[kind]);
    }
    thDestroyTasks(world->tasks);
    TH_ASSERT(atomic_load(&world->memory.bytes) == 0);
    const thAllocator allocator = world->memory.allocator;
    allocator.release(allocator.context, world, sizeof *world, TH_ALIGNMENT);
}

thResult thWorld_Reserve(thWorld* world, int32_t agentCount)
{
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    TH_REQUIRE(agentCount >= 0, th_resultBadArgument);
    return thiReserveAgents(world, agentCount);
}

static size_t goalBytes(const thGoals* goals)
{
    return thiIdPoolBytes(&goals->ids) + thiArrayBytes(&goals->goals) +
           thiArrayBytes(&goals->points) + thiArrayBytes(&goals->children);
}

const thTasks* thWorld_GetTasks(const thWorld* world)
{
    TH_REQUIRE(world != NULL, NULL);
    return world->tasks;
}

thCounters thWorld_GetCounters(const thWorld* world)
{
    TH_REQUIRE(world != NULL, (thCounters){0});
    thCounters counters = world->counters;
    counters.steps = world->step;
    counters.agents = world->agents.count;
    counters.agentSlots = thiIdPoolSlotCount(&world->agents.ids);
    counters.profiles = world->profiles.ids.used;
    counters.goals = world->goals.ids.used;
    counters.obstacles = world->obstacles.ids.used;
    counters.walls = 0;
    counters.movers = 0;
    for (int32_t slot = 0; slot < world->obstacles.items.count; ++slot) {
        if (thiIdPoolIdOf(&world->obstacles.ids, slot) == 0)
            continue;
        const thObstacle* obstacle = &thiObstacles(world)[slot];
        counters.movers += thiIsMoving(obstacle->def.kind);
        counters.walls += thiWallSegmentCount(obstacle);
    }
    counters.bytes = atomic_load(&world->memory.bytes);
    counters.agentBytes = thiAgentBytes(world);
    counters.goalBytes = goalBytes(&world->goals);
    counters.neighborBytes = thiGridBytes(&world->agents.grid);
    counters.planBytes = atomic_load(&world->memory.plans);
    counters.peakBytes = atomic_load(&world->memory.peak);
    counters.allocations = atomic_load(&world->memory.calls);
    return counters;
}

// One number for the whole state: a sum over agents and moving obstacles, so that neither the order
// of rows nor their distribution over threads or machines shows.

static uint64_t hashFloats(uint64_t hash, float a, float b)
{
    return thiHashWord(hash, thiFloatBits(a) | (uint64_t)thiFloatBits(b) << 32);
}

static uint64_t hashIntegers(uint64_t hash, int32_t a, int32_t b)
{
    return thiHashWord(hash, (uint32_t)a | (uint64_t)(uint32_t)b << 32);
}

static uint64_t hashDouble(uint64_t hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return thiHashWord(hash, bits);
}

static uint64_t rowHash(const thWorld* world, int32_t row)
{
    const thRows* rows = thiRows(world);
    const thProfile* profile = &thiProfiles(world)[rows->profile[row]];
    uint64_t hash = thiHashWord(1, rows->key[row]);
    hash = hashIntegers(hash, rows->px[row], rows->py[row]);
    hash = hashFloats(hash, rows->vx[row], rows->vy[row]);
    hash = hashFloats(hash, rows->heading[row], rows->radius[row]);
    hash = hashFloats(hash, rows->yield[row], rows->maxAccel[row]);
    hash = hashFloats(hash, rows->prefSpeed[row], rows->maxSpeed[row]);
    hash = hashIntegers(hash, (int32_t)rows->layers[row], (int32_t)rows->mask[row]);
    hash = hashIntegers(hash, (int32_t)rows->flags[row],
                        (int32_t)((uint32_t)rows->profile[row] | (uint32_t)rows->level[row] << 16));
    hash = hashIntegers(hash, rows->goal[row], rows->goalIndex[row]);
    if (rows->group[row] >= 0)
        hash = thiHashWord(hash, (uint64_t)rows->group[row]);
    hash = thiHashWord(hash, rows->pressure[row]);
    if (world->hasContacts) {
        uint32_t words[TH_JAM_WORDS];
        thiPackJam(&world->jams, row, words);
        hash = thiHashWord(hash, (uint64_t)words[0] << 32 | words[1]);
        hash = thiHashWord(hash, words[2]);
        hash = thiHashWord(hash, (uint64_t)words[4] << 32 | words[5]);
    }
    if (rows->group[row] >= 0 && profile->def.together.reach > 0.0f) {
        const thTogetherKept kept =
            thiKeptTogether(&world->together, rows->slot[row], rows->key[row]);
        hash = hashFloats(hash, kept.wanted.x, kept.wanted.y);
        hash = hashFloats(hash, kept.left, 0.0f);
    }
    if (profile->stateSize > 0)
        hash = thiHashBytes(hash,
                            (const char*)profile->states.data +
                                (size_t)rows->stateIndex[row] * profile->stateSize,
                            profile->stateSize);
    return hash;
}

static uint64_t moverHash(const thObstacle* obstacle, int32_t slot)
{
    uint64_t hash = thiHashWord(2, (uint64_t)slot);
    hash = hashIntegers(hash, obstacle->x, obstacle->y);
    hash = hashDouble(hashDouble(hash, obstacle->restX), obstacle->restY);
    hash = hashFloats(hash, obstacle->def.velocity.x, obstacle->def.velocity.y);
    hash = hashFloats(hash, obstacle->def.angle, obstacle->def.spin);
    return hashIntegers(hash, obstacle->pathAt, (int32_t)obstacle->def.kind);
}

uint64_t thWorld_GetStateHash(const thWorld* world)
{
    TH_REQUIRE(world != NULL, 0);
    const thRows* rows = thiRows(world);
    uint64_t sum = thiMix(world->step + 1);
    for (int32_t row = 0; row < rows->count; ++row)
        if (rows->flags[row] != 0)
            sum += rowHash(world, row);
    for (int32_t slot = 0; slot < world->obstacles.items.count; ++slot) {
        const thObstacle* obstacle = &TH_ITEMS(world->obstacles.items, thObstacle)[slot];
        const bool moves = obstacle->def.kind >= th_obstacleMovingDisc;
        if (thiIdPoolIdOf(&world->obstacles.ids, slot) != 0 && moves)
            sum += moverHash(obstacle, slot);
    }
    return sum + thiGatesHash(&world->gates);
}
