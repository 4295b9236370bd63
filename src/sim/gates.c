// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Gates come and go.

#include "sim/gates.h"

#include "base/hash.h"
#include "sim/ranges.h"
#include "sim/world_internal.h"

#include <string.h>

#define MOST_CAPACITY 1.0e6f

thGateDef thDefaultGateDef(void)
{
    return (thGateDef){.size = sizeof(thGateDef), .capacity = 1.33f};
}

thGates thiInitGates(thMemory* memory)
{
    return (thGates){.ids = thiIdPool(memory),
                     .items = thiArray(memory, sizeof(thGate)),
                     .stretches = thiArray(memory, sizeof(uint8_t)),
                     .near = thiArray(memory, sizeof(thNearGate)),
                     .lines = thiArray(memory, sizeof(thGateLine)),
                     .firstLine = thiArray(memory, sizeof(int32_t))};
}

void thiFreeGates(thGates* gates)
{
    thiIdPoolFree(&gates->ids);
    thiArrayFree(&gates->items);
    thiArrayFree(&gates->stretches);
    thiArrayFree(&gates->near);
    thiArrayFree(&gates->lines);
    thiArrayFree(&gates->firstLine);
}

static bool isCapacity(float capacity)
{
    return thiIsBetween(capacity, 0.0f, MOST_CAPACITY);
}

bool thiIsGate(const thGate* gate)
{
    return thiIsWithinWorld(gate->a) && thiIsWithinWorld(gate->b) &&
           !thiSamePoint(gate->a, gate->b) && isCapacity(gate->capacity) &&
           gate->allowance <= 1.0 && thiIsFiniteDouble(gate->allowance);
}

thResult thCreateGate(thWorld* world, const thGateDef* given, thGateId* id)
{
    TH_REQUIRE(id != NULL, th_resultBadArgument);
    *id = (thGateId){0};
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    thGateDef def = thDefaultGateDef();
    TH_REQUIRE(thiReadDef(&def, given, sizeof def, sizeof def), th_resultBadArgument);
    TH_REQUIRE(thiIsPlace(def.a) && thiIsPlace(def.b) && thiIsLevel(def.level),
               th_resultBadArgument);
    const thGate gate = {.a = thiPointOf(def.a),
                         .b = thiPointOf(def.b),
                         .level = def.level,
                         .capacity = def.capacity,
                         .allowance = 1.0};
    TH_REQUIRE(thiIsGate(&gate), th_resultBadArgument);
    thGates* gates = &world->gates;
    TH_TRY(thiReserveSlot(&gates->ids, &gates->items));
    id->value = thiIdPoolTake(&gates->ids);
    gates->items.count = thiIdPoolSlotCount(&gates->ids);
    *thiGateAt(gates, THRONG_SLOT(*id)) = gate;
    return th_resultOk;
}

thResult thDestroyGate(thWorld* world, thGateId id)
{
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    TH_REQUIRE(thiIdPoolFind(&world->gates.ids, id.value) >= 0, th_resultBadArgument);
    thiIdPoolGiveBack(&world->gates.ids, id.value);
    return th_resultOk;
}

thResult thGate_SetCapacity(thWorld* world, thGateId id, float capacity)
{
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    const int32_t slot = thiIdPoolFind(&world->gates.ids, id.value);
    TH_REQUIRE(slot >= 0 && isCapacity(capacity), th_resultBadArgument);
    thiGateAt(&world->gates, slot)->capacity = capacity;
    return th_resultOk;
}

uint64_t thGate_GetPassed(const thWorld* world, thGateId id)
{
    TH_REQUIRE(world != NULL, 0);
    const int32_t slot = thiIdPoolFind(&world->gates.ids, id.value);
    TH_REQUIRE(slot >= 0, 0);
    return thiGateAt(&world->gates, slot)->passed;
}

// A gate that holds nobody must not show: the world goes on as without it.
uint64_t thiGatesHash(const thGates* gates)
{
    uint64_t sum = 0;
    for (int32_t slot = 0; slot < gates->items.count; ++slot) {
        const thGate* gate = thiGateAt(gates, slot);
        if (thiIdPoolIdOf(&gates->ids, slot) == 0 || gate->allowance == 1.0)
            continue;
        uint64_t bits;
        memcpy(&bits, &gate->allowance, sizeof bits);
        sum += thiHashWord(thiHashWord(3, (uint64_t)slot), bits);
    }
    return sum;
}
