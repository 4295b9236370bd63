// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// One number for the whole state. It is a sum over agents and moving obstacles, so that neither the
// order of rows nor their distribution over threads or machines shows.

#include "base/hash.h"
#include "sim/world_internal.h"

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

uint64_t thiRowHash(const thWorld* world, int32_t row)
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
    hash = thiHashWord(hash, rows->pressure[row]);
    if (world->hasContacts) {
        uint32_t words[TH_JAM_WORDS];
        thiPackJam(&world->jams, row, words);
        hash = thiHashWord(hash, (uint64_t)words[0] << 32 | words[1]);
        hash = thiHashWord(hash, words[2]);
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

uint64_t thiStateHash(const thWorld* world)
{
    const thRows* rows = thiRows(world);
    uint64_t sum = thiMix(world->step + 1);
    for (int32_t row = 0; row < rows->count; ++row)
        if (rows->flags[row] != 0)
            sum += thiRowHash(world, row);
    for (int32_t slot = 0; slot < world->obstacles.items.count; ++slot) {
        const thObstacle* obstacle = &TH_ITEMS(world->obstacles.items, thObstacle)[slot];
        const bool moves = obstacle->def.kind >= th_obstacleMovingDisc;
        if (thiIdPoolIdOf(&world->obstacles.ids, slot) != 0 && moves)
            sum += moverHash(obstacle, slot);
    }
    return sum;
}

uint64_t thWorld_GetStateHash(const thWorld* world)
{
    TH_REQUIRE(world != NULL, 0);
    return thiStateHash(world);
}
