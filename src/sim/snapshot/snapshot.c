// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Saving a world to a snapshot, and restoring it. What a content is made of is written here and
// read in snapshot_load.c.

#include "sim/snapshot/snapshot.h"

#include "base/hash.h"
#include "base/machine.h"

#include <string.h>

// The last two bytes show when something has treated the file as text.
static const uint8_t magic[8] = {'t', 'h', 'r', 'o', 'n', 'g', 0x1a, '\n'};

#define HEADER_SIZE (sizeof magic + sizeof(uint32_t) + sizeof(uint64_t))
#define CHECKSUM_SIZE sizeof(uint64_t)

// What a content is made of.

static void saveIdPool(const thIdPool* pool, thWriter* to)
{
    const int32_t count = thiIdPoolSlotCount(pool);
    thiWriteI32(to, count);
    for (int32_t slot = 0; slot < count; ++slot)
        thiWriteU32(to, TH_ITEMS(pool->generations, uint32_t)[slot]);
    const int32_t* next = TH_ITEMS(pool->nextFree, int32_t);
    int32_t freeCount = 0;
    for (int32_t slot = pool->firstFree; slot >= 0; slot = next[slot])
        freeCount += 1;
    thiWriteI32(to, freeCount);
    for (int32_t slot = pool->firstFree; slot >= 0; slot = next[slot])
        thiWriteI32(to, slot);
}

static void saveText(const char* text, thWriter* to)
{
    const size_t length = strlen(text);
    thiWriteU8(to, (uint8_t)length); // names have at most 31 bytes
    thiWriteBytes(to, text, length);
}

static void savePoints(const thPoint* points, int32_t count, thWriter* to)
{
    thiWriteI32(to, count);
    for (int32_t i = 0; i < count; ++i) {
        thiWriteI32(to, points[i].x);
        thiWriteI32(to, points[i].y);
    }
}

static void saveGeneral(const thWorld* world, thWriter* to)
{
    thiWriteU64(to, world->seed);
    thiWriteDouble(to, world->originX);
    thiWriteDouble(to, world->originY);
    thiWriteU64(to, world->step);
    thiWriteU32(to, world->hasContacts ? 1 : 0);
    thiWriteU64(to, world->agents.nextOrdinal);
    thiWriteU64(to, world->counters.arrivals);
    thiWriteU64(to, world->counters.departures);
    thiWriteU64(to, world->counters.refusedCommands);
}

// What a method shares goes with its length, which is found by writing to nowhere first.
static thResult saveShared(const thMethodInUse* use, thWriter* to)
{
    if (use->method->save == NULL) {
        thiWriteU64(to, 0);
        return th_resultOk;
    }
    thWriter counter = {0};
    TH_TRY(use->method->save(use->shared, &counter));
    thiWriteU64(to, counter.size);
    const size_t start = to->size;
    TH_TRY(use->method->save(use->shared, to));
    return to->size - start == counter.size ? th_resultOk : th_resultDamaged;
}

static thResult saveProfile(const thProfile* profile, thWriter* to)
{
    const thProfileDef* def = &profile->def;
    saveText(profile->name, to);
    thiWriteI32(to, def->neighborCount);
    thiWriteFloat(to, def->neighborRadius);
    thiWriteI32(to, def->wallCount);
    thiWriteFloat(to, def->wallRadius);
    thiWriteFloat(to, def->fieldOfView);
    thiWriteI32(to, def->needsSight);
    thiWriteFloat(to, def->arrivalDistance);
    thiWriteU32(to, (uint32_t)def->arrival);
    thiWriteFloat(to, def->radius);
    thiWriteFloat(to, def->prefSpeed);
    thiWriteFloat(to, def->maxSpeed);
    thiWriteFloat(to, def->maxAccel);
    thiWriteFloat(to, def->yield);
    thiWriteU32(to, (uint32_t)def->keep);
    thiWriteFloat(to, def->patience);
    thiWriteFloat(to, def->slowness);
    thiWriteFloat(to, def->turnAside);
    thiWriteFloat(to, def->pace.timeGap);
    thiWriteFloat(to, def->pace.spread);
    thiWriteFloat(to, def->pace.follow);
    thiWriteFloat(to, def->pace.width);
    thiWriteFloat(to, def->together.reach);
    thiWriteFloat(to, def->together.gap);
    thiWriteI32(to, def->together.abreast);
    thiWriteI32(to, profile->shape.count);
    for (int32_t i = 0; i < profile->shape.count; ++i) {
        thiWriteFloat(to, profile->shape.corners[i].x);
        thiWriteFloat(to, profile->shape.corners[i].y);
    }
    for (int32_t kind = 0; kind < th_methodKindCount; ++kind) {
        const thMethodInUse* use = &profile->methods[kind];
        saveText(use->method->name, to);
        thiWriteU32(to, use->method->version);
        thiWriteU32(to, use->method->stateSize);
        thiWriteU32(to, use->method->paramSize);
        thiWriteBytes(to, use->params, use->method->paramSize);
        TH_TRY(saveShared(use, to));
    }
    return th_resultOk;
}

static thResult saveProfiles(const thWorld* world, thWriter* to)
{
    saveIdPool(&world->profiles.ids, to);
    for (int32_t slot = 0; slot < world->profiles.items.count; ++slot)
        if (thiIdPoolIdOf(&world->profiles.ids, slot) != 0)
            TH_TRY(saveProfile(&thiProfiles(world)[slot], to));
    return th_resultOk;
}

static void saveGoals(const thGoals* goals, thWriter* to)
{
    saveIdPool(&goals->ids, to);
    for (int32_t slot = 0; slot < goals->goals.count; ++slot) {
        if (thiIdPoolIdOf(&goals->ids, slot) == 0)
            continue;
        const thGoal* goal = thiGoalAt(goals, slot);
        thiWriteU32(to, (uint32_t)goal->kind);
        thiWriteFloat(to, goal->radius);
        if (thiIsGoalGroup(goal->kind)) {
            thiWriteI32(to, goal->count);
            for (int32_t i = 0; i < goal->count; ++i)
                thiWriteI32(to, TH_ITEMS(goals->children, int32_t)[goal->first + i]);
        } else {
            savePoints(thiGoalPoints(goals, goal), thiGoalPointCount(goal), to);
        }
    }
}

static void saveRoadmaps(const thRoadmaps* roadmaps, thWriter* to)
{
    saveIdPool(&roadmaps->ids, to);
    for (int32_t slot = 0; slot < roadmaps->items.count; ++slot) {
        if (thiIdPoolIdOf(&roadmaps->ids, slot) == 0)
            continue;
        const thNamedRoadmap* item = thiRoadmapAt(roadmaps, slot);
        const thRoadmap* map = &item->view;
        saveText(item->name, to);
        thiWriteU32(to, (uint32_t)map->kind);
        thiWriteI32(to, map->level);
        if (map->kind == th_roadmapGiven) {
            savePoints(item->nodes.data, 2 * item->nodes.count, to);
            thiWriteI32(to, item->edges.count);
            for (int32_t i = 0; i < 2 * item->edges.count; ++i)
                thiWriteI32(to, TH_ITEMS(item->edges, int32_t)[i]);
        } else {
            savePoints((const thPoint[]){{map->lowX, map->lowY}, {map->highX, map->highY}}, 2, to);
            thiWriteI32(to, map->side);
            thiWriteI32(to, map->count);
            thiWriteI32(to, map->neighbors);
            thiWriteFloat(to, map->reach);
        }
    }
}

static void saveMotion(const thObstacle* obstacle, thWriter* to)
{
    const thObstacleDef* def = &obstacle->def;
    thiWriteFloat(to, def->radius);
    thiWriteI32(to, obstacle->x);
    thiWriteI32(to, obstacle->y);
    thiWriteDouble(to, obstacle->restX);
    thiWriteDouble(to, obstacle->restY);
    thiWriteFloat(to, def->angle);
    thiWriteFloat(to, def->velocity.x);
    thiWriteFloat(to, def->velocity.y);
    thiWriteFloat(to, def->spin);
    thiWriteFloat(to, def->pathSpeed);
    thiWriteI32(to, def->pathLoops);
    thiWriteI32(to, def->yields);
    thiWriteI32(to, obstacle->pathAt);
    savePoints(TH_ITEMS(obstacle->path, thPoint), obstacle->path.count, to);
}

static void saveObstacles(const thWorld* world, thWriter* to)
{
    saveIdPool(&world->obstacles.ids, to);
    for (int32_t slot = 0; slot < world->obstacles.items.count; ++slot) {
        if (thiIdPoolIdOf(&world->obstacles.ids, slot) == 0)
            continue;
        const thObstacle* obstacle = &thiObstacles(world)[slot];
        thiWriteU32(to, (uint32_t)obstacle->def.kind);
        thiWriteI32(to, obstacle->def.level);
        savePoints(TH_ITEMS(obstacle->outline, thPoint), obstacle->outline.count, to);
        if (thiIsMoving(obstacle->def.kind))
            saveMotion(obstacle, to);
    }
}

static void saveGates(const thGates* gates, thWriter* to)
{
    saveIdPool(&gates->ids, to);
    for (int32_t slot = 0; slot < gates->items.count; ++slot) {
        if (thiIdPoolIdOf(&gates->ids, slot) == 0)
            continue;
        const thGate* gate = thiGateAt(gates, slot);
        thiWriteI32(to, gate->a.x);
        thiWriteI32(to, gate->a.y);
        thiWriteI32(to, gate->b.x);
        thiWriteI32(to, gate->b.y);
        thiWriteI32(to, gate->level);
        thiWriteFloat(to, gate->capacity);
        thiWriteDouble(to, gate->allowance);
        thiWriteU64(to, gate->passed);
    }
}

static void saveAgent(const thWorld* world, int32_t row, thWriter* to)
{
    const thRows* rows = thiRows(world);
    thiWriteU64(to, rows->key[row]);
    thiWriteI32(to, rows->px[row]);
    thiWriteI32(to, rows->py[row]);
    thiWriteFloat(to, rows->vx[row]);
    thiWriteFloat(to, rows->vy[row]);
    thiWriteFloat(to, rows->radius[row]);
    thiWriteFloat(to, rows->yield[row]);
    thiWriteU32(to, rows->layers[row]);
    thiWriteU32(to, rows->mask[row]);
    thiWriteFloat(to, rows->prefSpeed[row]);
    thiWriteFloat(to, rows->maxSpeed[row]);
    thiWriteFloat(to, rows->maxAccel[row]);
    thiWriteFloat(to, rows->heading[row]);
    thiWriteI32(to, rows->profile[row]);
    thiWriteI32(to, rows->level[row]);
    thiWriteU32(to, rows->flags[row]);
    thiWriteI32(to, rows->goal[row]);
    thiWriteI32(to, rows->goalIndex[row]);
    thiWriteI32(to, rows->group[row]);
    thiWriteU32(to, rows->pressure[row]);
    if (world->hasContacts) {
        uint32_t words[TH_JAM_WORDS];
        thiPackJam(&world->jams, row, words);
        for (int32_t i = 0; i < TH_JAM_WORDS; ++i)
            thiWriteU32(to, words[i]);
    }
    const thProfile* profile = &thiProfiles(world)[rows->profile[row]];
    if (profile->def.together.reach > 0.0f) {
        const thTogetherKept kept =
            thiKeptTogether(&world->together, rows->slot[row], rows->key[row]);
        thiWriteFloat(to, kept.wanted.x);
        thiWriteFloat(to, kept.wanted.y);
        thiWriteFloat(to, kept.left);
    }
    if (profile->stateSize > 0)
        thiWriteBytes(to,
                      (const char*)profile->states.data +
                          (size_t)rows->stateIndex[row] * profile->stateSize,
                      profile->stateSize);
}

static void saveAgents(const thWorld* world, thWriter* to)
{
    saveIdPool(&world->agents.ids, to);
    for (int32_t slot = 0; slot < world->agents.rowOfSlot.count; ++slot) {
        const int32_t row = TH_ITEMS(world->agents.rowOfSlot, int32_t)[slot];
        if (row >= 0)
            saveAgent(world, row, to);
    }
}

static void saveCommand(const thCommand* command, thWriter* to)
{
    const thAgentDef* create = &command->create;
    thiWriteU32(to, (uint32_t)command->kind);
    thiWriteU64(to, command->order);
    thiWriteU64(to, command->agent.value);
    thiWriteU64(to, command->obstacle.value);
    thiWriteU64(to, command->goal.value);
    thiWriteFloat(to, command->velocity.x);
    thiWriteFloat(to, command->velocity.y);
    thiWriteFloat(to, command->value);
    thiWriteFloat(to, command->position.x);
    thiWriteFloat(to, command->position.y);
    thiWriteU64(to, create->profile.value);
    thiWriteFloat(to, create->position.x);
    thiWriteFloat(to, create->position.y);
    thiWriteFloat(to, create->velocity.x);
    thiWriteFloat(to, create->velocity.y);
    thiWriteFloat(to, create->heading);
    thiWriteU64(to, create->goal.value);
    thiWriteU64(to, create->key);
    thiWriteI32(to, create->level);
    thiWriteU32(to, create->layers);
    thiWriteU32(to, create->mask);
    thiWriteFloat(to, create->radius);
    thiWriteFloat(to, create->prefSpeed);
    thiWriteFloat(to, create->maxSpeed);
    thiWriteFloat(to, create->maxAccel);
    thiWriteFloat(to, create->yield);
    thiWriteFloat(to, create->priority);
    thiWriteU32(to, create->flags);
    thiWriteU32(to, (uint32_t)create->placement);
    thiWriteI32(to, create->group);
}

static void saveQueue(const thArray* queue, thWriter* to)
{
    for (int32_t i = 0; i < queue->count; ++i)
        saveCommand(&TH_ITEMS(*queue, thQueued)[i].command, to);
}

static void saveCommands(const thWorld* constWorld, thWriter* to)
{
    thWorld* world = (thWorld*)constWorld; // for its mutex: others may queue meanwhile
    thiLock(&world->commandMutex);
    thiWriteI32(to, world->queue.atWork.count + world->queue.waiting.count);
    saveQueue(&world->queue.atWork, to);
    saveQueue(&world->queue.waiting, to);
    thiUnlock(&world->commandMutex);
}

// The part between header and checksum.
static thResult saveContent(const thWorld* world, thWriter* to)
{
    saveGeneral(world, to);
    TH_TRY(saveProfiles(world, to));
    saveGoals(&world->goals, to);
    saveRoadmaps(&world->roadmaps, to);
    saveObstacles(world, to);
    saveGates(&world->gates, to);
    saveAgents(world, to);
    saveCommands(world, to);
    return th_resultOk;
}

// Saving.

static void saveHeader(thWriter* to, uint64_t size)
{
    thiWriteBytes(to, magic, sizeof magic);
    thiWriteU32(to, TH_SNAPSHOT_VERSION);
    thiWriteU64(to, size);
}

thResult thWorld_Save(const thWorld* world, void* buffer, size_t capacity, size_t* size)
{
    TH_REQUIRE(world != NULL && !world->stepping && size != NULL, th_resultBadArgument);
    thWriter writer = {.data = buffer, .capacity = capacity};
    saveHeader(&writer, 0);
    TH_TRY(saveContent(world, &writer));
    *size = writer.size + CHECKSUM_SIZE;
    if (buffer == NULL)
        return th_resultOk;
    if (*size > capacity)
        return th_resultFull;
    thWriter header = {.data = buffer, .capacity = capacity};
    saveHeader(&header, *size);
    thiWriteU64(&writer, thiHashBytes(0, buffer, writer.size));
    return th_resultOk;
}

// Restoring.

// Checks what surrounds the content, and leaves the reader in front of it.
static thResult openSnapshot(const void* data, size_t size, thReader* from, thError* error)
{
    *from = (thReader){.data = data, .size = size};
    uint8_t start[sizeof magic];
    thiReadBytes(from, start, sizeof start);
    if (memcmp(start, magic, sizeof magic) != 0)
        return thiFail(error, th_resultSyntax, "this is no snapshot of a world");
    const uint32_t version = thiReadU32(from);
    if (!from->failed && version != TH_SNAPSHOT_VERSION)
        return thiFail(error, th_resultVersion, "the snapshot has format %u, this library reads %u",
                       (unsigned)version, TH_SNAPSHOT_VERSION);
    const uint64_t savedSize = thiReadU64(from);
    if (from->failed || savedSize != size || size < HEADER_SIZE + CHECKSUM_SIZE)
        return thiFail(error, th_resultDamaged, "the snapshot has %zu bytes, %llu were written",
                       size, (unsigned long long)savedSize);
    thReader end = {.data = data, .size = size, .at = size - CHECKSUM_SIZE};
    if (thiReadU64(&end) != thiHashBytes(0, data, size - CHECKSUM_SIZE))
        return thiFail(error, th_resultDamaged, "the snapshot's checksum does not hold");
    from->size -= CHECKSUM_SIZE;
    return th_resultOk;
}

// The content is the last part of the struct.
static void swapContent(thWorld* a, thWorld* b)
{
    enum { start = offsetof(thWorld, seed), size = sizeof(thWorld) - start };
    char kept[size];
    memcpy(kept, (char*)a + start, size);
    memcpy((char*)a + start, (char*)b + start, size);
    memcpy((char*)b + start, kept, size);
}

// A world beside the other one: with the same methods, workers and account, and an empty content.
static thResult openBeside(thWorld* world, thWorld* beside)
{
    beside->account = &world->memory;
    beside->simd = world->simd;
    beside->workers = world->workers;
    beside->tasks = world->tasks;
    memcpy(beside->methods, world->methods, sizeof beside->methods);
    thiUnlock(&beside->commandMutex);
    thiUnlock(&beside->wallMutex);
    return thiInitContent(beside);
}

static thResult restore(thWorld* world, thReader* from, thError* error)
{
    thWorld* beside = thiAllocateZero(&world->memory, sizeof *beside);
    if (beside == NULL)
        return th_resultNoMemory;
    thResult code = openBeside(world, beside);
    if (code == th_resultOk) {
        code = thiLoadContent(beside, from, error);
        if (code == th_resultOk) {
            thiLock(&world->commandMutex); // others may queue at any time
            swapContent(world, beside);
            thiUnlock(&world->commandMutex);
        }
        thiFreeContent(beside);
    }
    thiRelease(&world->memory, beside, sizeof *beside);
    return code;
}

thResult thWorld_Restore(thWorld* world, const void* data, size_t size, thError* error)
{
    TH_REQUIRE(world != NULL && !world->stepping && data != NULL, th_resultBadArgument);
    thError unheard;
    thError* told = error != NULL ? error : &unheard; // methods always get one
    thReader from;
    TH_TRY(openSnapshot(data, size, &from, told));
    const thFpEnvironment hostEnvironment = thiFpEnter();
    const thResult code = restore(world, &from, told);
    thiFpRestore(hostEnvironment);
    if (code == th_resultNoMemory)
        return thiFail(told, code, "no memory for the snapshot's content");
    return code;
}
