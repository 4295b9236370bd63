// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Draws inputs, and makes one that fails smaller: a lesser size first, then shorter lists.

#include "gear/property.h"

#include "gear/gear.h"
#include "throng/random.h"

#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

thGenerator makeGenerator(uint64_t seed, uint64_t number)
{
    return (thGenerator){.stream = thRandomStream(seed, number, 0, 0)};
}

uint32_t drawU32(thGenerator* g)
{
    return thRandomBits(g->stream, g->next++);
}

uint64_t drawU64(thGenerator* g)
{
    const uint64_t high = drawU32(g);
    return high << 32 | drawU32(g);
}

int32_t drawInt(thGenerator* g, int32_t low, int32_t high)
{
    const uint64_t span = (uint64_t)((int64_t)high - low) + 1;
    return (int32_t)(low + (int64_t)(drawU32(g) * span >> 32));
}

float drawUnit(thGenerator* g)
{
    return thRandomUnit(g->stream, g->next++);
}

int32_t caseCount(int32_t few, int32_t many)
{
    return getenv("THRONG_LONG") != NULL ? many : few;
}

float drawFloat(thGenerator* g, float low, float high)
{
    return thRandomRange(g->stream, g->next++, low, high);
}

float drawSpecialFloat(thGenerator* g)
{
    static const float specials[] = {0.0f,          1.0f,     0x1.fffffep-1f,
                                     0x1.000002p0f, FLT_MIN,  0x0.fffffep-126f,
                                     0x1p-149f,     FLT_MAX,  0x1.fffffcp127f,
                                     FLT_EPSILON,   0x1p23f,  0x1p24f,
                                     0x1p31f,       INFINITY, NAN};
    const int32_t count = (int32_t)(sizeof specials / sizeof specials[0]);
    const uint32_t bits = drawU32(g);
    const int32_t choice = drawInt(g, 0, count);
    if (choice < count)
        return (bits & 1) != 0 ? -specials[choice] : specials[choice];
    float any;
    memcpy(&any, &bits, sizeof any);
    return any;
}

static bool holdsAt(const thProperty* property, thPropertyCase at)
{
    thGenerator g = makeGenerator(property->seed, (uint64_t)at.number);
    return property->holds(&g, at.size, property->context);
}

// Tries to take half of the size off; when that does not fail, half of that half, and so on.
static thPropertyCase shrinkSize(const thProperty* property, thPropertyCase failing)
{
    int32_t step = (failing.size + 1) / 2;
    while (step > 0 && failing.size > 0) {
        const thPropertyCase smaller = {failing.number, failing.size - step};
        if (smaller.size >= 0 && !holdsAt(property, smaller))
            failing = smaller;
        else
            step /= 2;
    }
    return failing;
}

// Whether THRONG_PROPERTY asks for a replay, and if so what part of it follows the name; NULL when
// it names another property.
static bool replayWanted(const thProperty* property, const char** numbers)
{
    const char* text = getenv("THRONG_PROPERTY");
    if (text == NULL)
        return false;
    const size_t length = strlen(property->name);
    const bool ours = strncmp(text, property->name, length) == 0 && text[length] == ':';
    *numbers = ours ? text + length + 1 : NULL;
    return true;
}

static bool replay(const thProperty* property, const char* numbers, thPropertyCase* failing)
{
    thProperty other = *property;
    thPropertyCase at;
    if (sscanf(numbers, "%" SCNu64 ":%" SCNd32 ":%" SCNd32, &other.seed, &at.number, &at.size) != 3)
        fail_msg("THRONG_PROPERTY is not name:seed:case:size but %s", getenv("THRONG_PROPERTY"));
    *failing = at;
    return holdsAt(&other, at);
}

bool checkProperty(const thProperty* property, thPropertyCase* failing)
{
    const char* numbers;
    if (replayWanted(property, &numbers))
        return numbers == NULL || replay(property, numbers, failing);
    for (int32_t i = 0; i < property->caseCount; ++i) {
        const int64_t last = property->caseCount > 1 ? property->caseCount - 1 : 1;
        const thPropertyCase at = {i, (int32_t)(property->maxSize * (int64_t)i / last)};
        if (!holdsAt(property, at)) {
            *failing = shrinkSize(property, at);
            return false;
        }
    }
    return true;
}

void assertProperty(const thProperty* property)
{
    thPropertyCase failing;
    if (!checkProperty(property, &failing))
        fail_msg("replay with THRONG_PROPERTY=%s:%" PRIu64 ":%" PRId32 ":%" PRId32, property->name,
                 property->seed, failing.number, failing.size);
}

int32_t shrinkList(void* items, int32_t count, size_t itemSize, thListFcn* stillFails,
                   void* context)
{
    char* fewer = malloc((size_t)count * itemSize + 1);
    assert_non_null(fewer);
    int32_t chunk = count;
    while (chunk > 0) {
        bool removed = false;
        for (int32_t at = 0; at < count;) {
            const int32_t end = count - at < chunk ? count : at + chunk;
            const int32_t left = count - (end - at);
            memcpy(fewer, items, (size_t)at * itemSize);
            memcpy(fewer + (size_t)at * itemSize, (char*)items + (size_t)end * itemSize,
                   (size_t)(count - end) * itemSize);
            if (stillFails(fewer, left, context)) {
                memcpy(items, fewer, (size_t)left * itemSize);
                count = left;
                removed = true;
            } else {
                at = end;
            }
        }
        // After single items went, others may have become superfluous.
        chunk = removed && chunk == 1 ? 1 : chunk / 2;
    }
    free(fewer);
    return count;
}
