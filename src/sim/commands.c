// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Changes that any thread may ask for at any time. They wait in a queue until the next step begins
// and are then carried out in an order that does not depend on the threads.

#include "base/hash.h"
#include "sim/ranges.h"
#include "sim/world_internal.h"

#include <stdlib.h>

thCommand thDefaultCommand(void)
{
    return (thCommand){.size = sizeof(thCommand), .create = thDefaultAgentDef()};
}

bool thiIsCommand(const thCommand* command)
{
    if ((uint32_t)command->kind > th_commandSetGoalPlace)
        return false;
    if (command->kind == th_commandCreateAgent)
        return command->create.key > 0 && command->create.key < TH_FIRST_OWN_KEY;
    if (command->kind == th_commandSetObstacleMotion)
        return thiIsVelocity(command->velocity) &&
               thiIsBetween(command->value, -TH_MAX_SPIN, TH_MAX_SPIN);
    if (command->kind == th_commandSetGoalPlace)
        return thiIsPlace(command->position);
    return command->kind != th_commandSetPreferredVelocity || thiIsVelocity(command->velocity);
}

thResult thWorld_Queue(thWorld* world, const thCommand* given)
{
    TH_REQUIRE(world != NULL, th_resultBadArgument);
    thQueued queued = {.command = thDefaultCommand()};
    TH_REQUIRE(thiReadDef(&queued.command, given, sizeof(thCommand), sizeof(thCommand)),
               th_resultBadArgument);
    const thAgentDef create = queued.command.create;
    queued.command.create = thDefaultAgentDef();
    TH_REQUIRE(thiReadDef(&queued.command.create, &create, sizeof create, sizeof create),
               th_resultBadArgument);
    TH_REQUIRE(thiIsCommand(&queued.command), th_resultBadArgument);
    thiLock(&world->commandMutex);
    thQueued* item = thiArrayAdd(&world->queue.waiting, 1);
    if (item != NULL)
        *item = queued;
    thiUnlock(&world->commandMutex);
    return item != NULL ? th_resultOk : th_resultNoMemory;
}

// The key of whom a command concerns: 0 if there is no such agent, obstacle or goal.
static uint64_t keyOf(const thWorld* world, const thCommand* command)
{
    if (command->kind == th_commandCreateAgent)
        return command->create.key;
    if (command->kind == th_commandSetObstacleMotion)
        return (uint64_t)(thiIdPoolFind(&world->obstacles.ids, command->obstacle.value) + 1);
    if (command->kind == th_commandSetGoalPlace)
        return (uint64_t)(thiIdPoolFind(&world->goals.ids, command->goal.value) + 1);
    const int32_t row = thiFindRow(world, command->agent);
    return row >= 0 ? thiRows(world)->key[row] : 0;
}

static int compareNumbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static uint64_t bitsOf(float low, float high)
{
    return thiFloatBits(low) | (uint64_t)thiFloatBits(high) << 32;
}

// Everything a command says, as numbers.
#define WORD_COUNT 19

static void writeWords(const thCommand* command, uint64_t words[WORD_COUNT])
{
    const thAgentDef* create = &command->create;
    const uint64_t all[WORD_COUNT] = {command->goal.value,
                                      bitsOf(command->velocity.x, command->velocity.y),
                                      thiFloatBits(command->value),
                                      bitsOf(command->position.x, command->position.y),
                                      create->profile.value,
                                      bitsOf(create->position.x, create->position.y),
                                      bitsOf(create->velocity.x, create->velocity.y),
                                      thiFloatBits(create->heading),
                                      create->goal.value,
                                      (uint64_t)create->level,
                                      create->layers,
                                      create->mask,
                                      bitsOf(create->radius, create->prefSpeed),
                                      bitsOf(create->maxSpeed, create->maxAccel),
                                      thiFloatBits(create->yield),
                                      thiFloatBits(create->priority),
                                      create->flags,
                                      (uint64_t)create->placement,
                                      (uint64_t)create->group};
    memcpy(words, all, sizeof all);
}

// Commands for the same agent with the same order go by what they say, so that neither the first
// nor the last of them depends on who came first.
static int compareContents(const thCommand* a, const thCommand* b)
{
    uint64_t wordsA[WORD_COUNT], wordsB[WORD_COUNT];
    writeWords(a, wordsA);
    writeWords(b, wordsB);
    int order = 0;
    for (int32_t i = 0; i < WORD_COUNT && order == 0; ++i)
        order = compareNumbers(wordsA[i], wordsB[i]);
    return order;
}

static int compareQueued(const void* left, const void* right)
{
    const thQueued* a = left;
    const thQueued* b = right;
    int order = compareNumbers(a->command.order, b->command.order);
    if (order == 0)
        order = compareNumbers(a->command.kind, b->command.kind);
    if (order == 0)
        order = compareNumbers(a->key, b->key);
    return order != 0 ? order : compareContents(&a->command, &b->command);
}

static bool carryOutObstacle(thWorld* world, const thCommand* command)
{
    const int32_t slot = thiIdPoolFind(&world->obstacles.ids, command->obstacle.value);
    if (slot < 0 || !thiIsMoving(thiObstacles(world)[slot].def.kind))
        return false;
    thiSetObstacleMotion(&thiObstacles(world)[slot], command->velocity, command->value);
    return true;
}

static bool carryOutGoal(thWorld* world, int32_t row, thGoalId goal)
{
    const int32_t slot = thiIdPoolFind(&world->goals.ids, goal.value);
    if (slot < 0 && goal.value != 0)
        return false;
    thiSetGoal(world, row, slot);
    return true;
}

static bool carryOutGoalPlace(thWorld* world, const thCommand* command)
{
    const int32_t slot = thiIdPoolFind(&world->goals.ids, command->goal.value);
    return slot >= 0 && thiMoveGoal(&world->goals, slot, command->position);
}

// False: the command is refused. A creation is not, which finds no memory: that must be tried
// again.
static bool carryOut(thWorld* world, const thCommand* command, bool* isOutOfMemory)
{
    if (command->kind == th_commandCreateAgent) {
        thAgentId id;
        if (!thiCanCreateAgent(world, &command->create))
            return false;
        const thResult code = thiCreateAgent(world, &command->create, &id);
        *isOutOfMemory = code == th_resultNoMemory;
        return code == th_resultOk || *isOutOfMemory;
    }
    if (command->kind == th_commandSetObstacleMotion)
        return carryOutObstacle(world, command);
    if (command->kind == th_commandSetGoalPlace)
        return carryOutGoalPlace(world, command);
    const int32_t row = thiFindRow(world, command->agent);
    if (row < 0)
        return false;
    switch (command->kind) {
    case th_commandDestroyAgent:
        thiRemoveRow(world, row);
        return true;
    case th_commandSetGoal:
        return carryOutGoal(world, row, command->goal);
    case th_commandSetPreferredVelocity:
        if (!thiTakesVelocity(world, row))
            return false;
        thiSetPreferredVelocity(world, row, command->velocity);
        return true;
    default:
        thiSetWaiting(world, row, command->value != 0.0f);
        return true;
    }
}

// Two arrays take turns, so that others can queue meanwhile and nothing is allocated. If creations
// are left, new commands join them; where there is no memory for that they wait a step longer.
static void takeQueue(thWorld* world)
{
    thCommandQueue* queue = &world->queue;
    thiLock(&world->commandMutex);
    if (queue->atWork.count == 0) {
        const thArray work = queue->waiting;
        queue->waiting = queue->atWork;
        queue->atWork = work;
    } else if (queue->waiting.count > 0) {
        thQueued* joined = thiArrayAdd(&queue->atWork, queue->waiting.count);
        if (joined != NULL) {
            memcpy(joined, queue->waiting.data, (size_t)queue->waiting.count * sizeof *joined);
            queue->waiting.count = 0;
        }
    }
    thiUnlock(&world->commandMutex);
}

void thiCarryOutCommands(thWorld* world)
{
    takeQueue(world);
    const thArray work = world->queue.atWork;
    thQueued* queued = TH_ITEMS(work, thQueued);
    for (int32_t i = 0; i < work.count; ++i)
        queued[i].key = keyOf(world, &queued[i].command);
    if (work.count > 1)
        qsort(queued, (size_t)work.count, sizeof *queued, compareQueued);
    int32_t left = 0;
    for (int32_t i = 0; i < work.count; ++i) {
        bool isOutOfMemory = false;
        if (!carryOut(world, &queued[i].command, &isOutOfMemory))
            world->counters.refusedCommands += 1;
        if (isOutOfMemory)
            queued[left++] = queued[i];
    }
    world->queue.atWork.count = left;
    world->counters.delayedCreations = (uint64_t)left;
}
