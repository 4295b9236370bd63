// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Whom an agent sees, by clumps, and which of these may be in its way.
//
// What is wanted stays unless it leads into some group. A group is part of a clump, so it does not
// if it leads past the disc round each clump, whatever part of it is seen and whatever the part's
// mean velocity. What excludes a clump has slack; who is seen is exact.

#include "geom/fixed.h"
#include "geom/vec2.h"
#include "group/meso/meso_desk.h"
#include "group/meso/meso_filter.h"
#include "space/agents_near.h"

#include <math.h>
#include <string.h>

// What distances² may be wrong by, in float.
#define DISTANCE_SHARE 1.0e-6f

// Shells round the agent in which those around are counted, to find the nearest.
#define SHELLS 256

// How far somebody is. [units²]
typedef struct Far {
    int64_t distanceSq;
    uint64_t key;
    int32_t row;
} Far;

// Those around.

// Room for so many more, and a register. False when memory is out.
static bool makeRoom(thMesoDesk* desk, int32_t count)
{
    const int32_t most = desk->foundCount + count + TH_MAX_WIDTH;
    if (most <= desk->capacity)
        return true;
    const int32_t capacity = TH_MAX(2 * most, 4 * TH_MESO_AGENTS);
    int32_t* found = thArena_Allocate(desk->scratch, (size_t)capacity * sizeof *found);
    if (found == NULL)
        return false;
    if (desk->foundCount > 0)
        memcpy(found, desk->found, (size_t)desk->foundCount * sizeof *found);
    desk->found = found;
    desk->capacity = capacity;
    return true;
}

typedef struct Search {
    thMesoAroundTask task;
    thMesoStrayTask strays; // clump NULL: everybody around is looked for
    const thMesoKernels* kernels;
    thMesoDesk* desk;
    bool failed; // memory is out
} Search;

static void searchRange(void* context, int32_t begin, int32_t end)
{
    Search* search = context;
    thMesoDesk* desk = search->desk;
    const thMesoRange range = {begin, end};
    search->failed = search->failed || !makeRoom(desk, end - begin);
    if (search->failed)
        return;
    int32_t* found = desk->found + desk->foundCount;
    desk->foundCount += search->strays.clump != NULL
                            ? search->kernels->findStrays(&search->strays, range, found)
                            : search->kernels->findAround(&search->task, range, found);
}

// Visits everybody within sight, and others. False when memory is out.
static bool searchAround(const thMesoAsker* asker, Search* search)
{
    const thFrame* frame = asker->frame;
    const int64_t x = frame->px[asker->row], y = frame->py[asker->row];
    const int64_t reach =
        (int64_t)((double)asker->def->radius * (double)THRONG_UNITS_PER_METRE) + 1;
    search->desk->foundCount = 0;
    thiVisitBox(frame, frame->level[asker->row], x - reach, y - reach, x + reach, y + reach,
                searchRange, search);
    return !search->failed;
}

// Whether a is further than b; of those equally far, the one with the greater key is.
static bool isFurther(const Far* a, const Far* b)
{
    return a->distanceSq != b->distanceSq ? a->distanceSq > b->distanceSq : a->key > b->key;
}

static float distanceSqTo(const thMesoAsker* asker, int32_t other)
{
    const thFrame* frame = asker->frame;
    const float x = thiMetresBetween(frame->px[asker->row], frame->px[other]);
    const float y = thiMetresBetween(frame->py[asker->row], frame->py[other]);
    return x * x + y * y;
}

// Keeps the nearest of those of a list who are as far as `low` to `high`; all that are nearer are
// kept, `kept` of them so far. Exactly, by insertion: there are few.
static bool keepNearestBetween(const thMesoAsker* asker, float low, float high, thMesoDesk* desk)
{
    const thFrame* frame = asker->frame;
    int32_t kept = 0, unsure = 0;
    Far* far = thArena_Allocate(desk->scratch, (TH_MESO_AGENTS + 1) * sizeof *far);
    if (far == NULL)
        return false;
    for (int32_t i = 0; i < desk->foundCount; ++i)
        kept += distanceSqTo(asker, desk->found[i]) < low;
    const int32_t room = TH_MESO_AGENTS - kept;
    kept = 0;
    for (int32_t i = 0; i < desk->foundCount; ++i) {
        const int32_t other = desk->found[i];
        const float distanceSq = distanceSqTo(asker, other);
        if (distanceSq < low)
            desk->found[kept++] = other;
        if (distanceSq < low || distanceSq > high)
            continue;
        const int64_t x = (int64_t)frame->px[other] - frame->px[asker->row];
        const int64_t y = (int64_t)frame->py[other] - frame->py[asker->row];
        const Far item = {x * x + y * y, frame->key[other], other};
        int32_t at = unsure;
        for (; at > 0 && isFurther(&far[at - 1], &item); --at)
            far[at] = far[at - 1];
        far[at] = item;
        unsure = TH_MIN(unsure + 1, room);
    }
    for (int32_t i = 0; i < room; ++i)
        desk->found[kept++] = far[i].row;
    desk->foundCount = kept;
    return true;
}

// Keeps the nearest of those around: those of inner shells, and of the shell in which the limit is
// reached the nearest. False when memory is out.
static bool keepNearest(const thMesoAsker* asker, thMesoDesk* desk)
{
    if (desk->foundCount <= TH_MESO_AGENTS)
        return true;
    int32_t counts[SHELLS + 1] = {0};
    const float radius = asker->def->radius, width = radius * radius / (float)SHELLS;
    const float perWidth = 1.0f / width;
    for (int32_t i = 0; i < desk->foundCount; ++i) {
        const int32_t shell = (int32_t)(distanceSqTo(asker, desk->found[i]) * perWidth);
        counts[TH_MIN(shell, SHELLS)] += 1;
    }
    int32_t shell = 0;
    for (int32_t inner = 0; inner + counts[shell] < TH_MESO_AGENTS; ++shell)
        inner += counts[shell];
    const float low = (float)shell * width, high = (float)(shell + 1) * width;
    return keepNearestBetween(asker, low * (1.0f - 4.0f * DISTANCE_SHARE) - TH_MESO_PLACE_SHARE,
                              shell == SHELLS
                                  ? TH_FAR_OUTSIDE
                                  : high * (1.0f + 4.0f * DISTANCE_SHARE) + TH_MESO_PLACE_SHARE,
                              desk);
}

static bool lookAround(const thMesoAsker* asker, thMesoDesk* desk)
{
    const thFrame* frame = asker->frame;
    const thMesoGraph* graph = asker->graph;
    Search search = {.task = {.frame = frame,
                              .clump = TH_ITEMS(graph->clump, int32_t),
                              .isPlain = graph->isPlain,
                              .row = asker->row,
                              .radius = asker->def->radius},
                     .kernels = &graph->kernels,
                     .desk = desk};
    return searchAround(asker, &search) && keepNearest(asker, desk);
}

// The clump of that number among those that are seen; it may be new.
static thMesoSeen* seenOf(thMesoDesk* desk, int32_t clump)
{
    uint32_t at = (uint32_t)clump * UINT32_C(0x9e3779b1) >> 16;
    for (;; ++at) {
        thMesoClumpSlot* slot = &desk->slots[at % TH_MESO_SLOTS];
        if (slot->round == desk->round && slot->clump == clump)
            return &desk->seen[slot->seen];
        if (slot->round == desk->round)
            continue;
        *slot = (thMesoClumpSlot){clump, desk->round, (uint16_t)desk->seenCount};
        desk->seen[desk->seenCount] = (thMesoSeen){.clump = clump, .last = -1};
        return &desk->seen[desk->seenCount++];
    }
}

static void sortByClump(const thMesoAsker* asker, thMesoDesk* desk)
{
    const thMesoGraph* graph = asker->graph;
    const int32_t* clump = TH_ITEMS(graph->clump, int32_t);
    thMesoSeen* seen = NULL;
    desk->seenCount = 0;
    desk->round = (uint16_t)(desk->round + 1);
    for (int32_t i = 0; i < desk->foundCount; ++i) {
        const int32_t its = clump[desk->found[i]];
        if (seen == NULL || seen->clump != its)
            seen = seenOf(desk, its);
        desk->before[i] = seen->last;
        seen->last = i;
        seen->count += 1;
    }
    for (int32_t i = 0; i < desk->seenCount; ++i) {
        seen = &desk->seen[i];
        const int32_t others = TH_ITEMS(graph->clumps, thMesoClump)[seen->clump].count -
                               (clump[asker->row] == seen->clump ? 1 : 0);
        seen->isWhole = asker->isSame && seen->count == others;
    }
}

// What can not be in the way.

bool thiMesoIsNothing(const thMesoAsker* asker, const thMesoSeen* seen)
{
    return seen->count < asker->def->smallest || seen->count < 2 ||
           (seen->isWhole && TH_ITEMS(asker->graph->clump, int32_t)[asker->row] == seen->clump);
}

static thMesoWish wishOf(const thMesoAsker* asker, bool seesWhole)
{
    const thFrame* frame = asker->frame;
    return (thMesoWish){.x = frame->px[asker->row],
                        .y = frame->py[asker->row],
                        .radius = frame->radius[asker->row],
                        .wanted = asker->wanted,
                        .sight = asker->def->radius,
                        .horizon = asker->def->horizon,
                        .seesWhole = seesWhole,
                        .clump = TH_ITEMS(asker->graph->clump, int32_t)[asker->row]};
}

// Room for what kernels say of discs. False when memory is out.
static bool makeSight(thMesoDesk* desk, int32_t count)
{
    if (count <= desk->sightCapacity)
        return true;
    desk->sightCapacity = 0;
    const size_t size = (size_t)(2 * count + TH_MAX_WIDTH) * sizeof(int32_t);
    desk->sight.seen = thArena_Allocate(desk->scratch, size);
    desk->sight.inWay = thArena_Allocate(desk->scratch, size);
    if (desk->sight.seen == NULL || desk->sight.inWay == NULL)
        return false;
    desk->sightCapacity = 2 * count;
    return true;
}

bool thiMesoLookAtClumps(const thMesoAsker* asker, const thBatch* batch, thMesoDesk* desk)
{
    const thMesoGraph* graph = asker->graph;
    if (!desk->isSurveyed && !thiMesoSurvey(graph, batch, asker->def, &desk->around))
        return false;
    desk->isSurveyed = true;
    desk->isAllSeen = graph->isPlain && asker->isSame && desk->around.allAreSeen &&
                      (asker->frame->mask[asker->row] & graph->commonLayers) != 0;
    const thMesoWish wish = wishOf(asker, desk->isAllSeen);
    if (!makeSight(desk, desk->around.count))
        return false;
    graph->kernels.lookAtDiscs(&desk->around, &wish, &desk->sight);
    return true;
}

// Adds those members of a clump who are within sight, to those who are found.
static void seeMembers(const thMesoAsker* asker, int32_t number, thMesoDesk* desk)
{
    const thMesoGraph* graph = asker->graph;
    const thMesoClump* clump = &TH_ITEMS(graph->clumps, thMesoClump)[number];
    const int32_t* members = TH_ITEMS(graph->members, int32_t) + clump->first;
    const int32_t* px = TH_ITEMS(graph->px, int32_t) + clump->first;
    const int32_t* py = TH_ITEMS(graph->py, int32_t) + clump->first;
    const int64_t x = asker->frame->px[asker->row], y = asker->frame->py[asker->row];
    const double reach = (double)asker->def->radius * THRONG_UNITS_PER_METRE;
    const int64_t reachSq = (int64_t)floor(reach * reach);
    thMesoSeen* seen = &desk->seen[desk->seenCount];
    int32_t others = 0;
    *seen = (thMesoSeen){.clump = number, .last = -1};
    for (int32_t i = 0; i < clump->count; ++i) {
        const int64_t dx = px[i] - x, dy = py[i] - y;
        if (members[i] == asker->row)
            continue;
        others += 1;
        if (dx * dx + dy * dy > reachSq)
            continue;
        desk->before[desk->foundCount] = seen->last;
        desk->found[desk->foundCount] = members[i];
        seen->last = desk->foundCount++;
        seen->count += 1;
    }
    seen->isWhole = seen->count == others;
    desk->seenCount += seen->count > 0;
}

// Who is seen where clumps tell, because nobody is hidden and there are not too many. False when
// memory is out.
static bool seeByClumps(const thMesoAsker* asker, thMesoDesk* desk)
{
    const thMesoDiscs* around = &desk->around;
    const thFrame* frame = asker->frame;
    const float radius = asker->def->radius;
    if (desk->capacity < TH_MESO_AGENTS) {
        desk->capacity = TH_MESO_AGENTS;
        desk->found = thArena_Allocate(desk->scratch, TH_MESO_AGENTS * sizeof *desk->found);
        if (desk->found == NULL)
            return false;
    }
    desk->foundCount = desk->seenCount = 0;
    for (int32_t i = 0, way = 0; i < desk->sight.seenCount; ++i) {
        const int32_t at = desk->sight.seen[i], number = around->clump[at];
        const float x = thiMetresBetween(frame->px[asker->row], around->x[at]);
        const float y = thiMetresBetween(frame->py[asker->row], around->y[at]);
        const float distance = sqrtf(x * x + y * y);
        const bool isInWay = way < desk->sight.inWayCount && desk->sight.inWay[way] == at;
        const int32_t before = desk->seenCount;
        way += isInWay;
        if (distance + around->half[at] + TH_MESO_SLACK + TH_MESO_PLACE_SHARE * distance <= radius)
            desk->seen[desk->seenCount++] =
                (thMesoSeen){.clump = number,
                             .count = TH_ITEMS(asker->graph->clumps, thMesoClump)[number].count,
                             .isWhole = true};
        else
            seeMembers(asker, number, desk);
        if (desk->seenCount > before)
            desk->seen[before].isInWay = isInWay;
    }
    return true;
}

// Finds the clumps that are seen and may be in the way. False when memory is out.
static bool findInWay(const thMesoAsker* asker, thMesoDesk* desk)
{
    int32_t numbers[TH_MESO_AGENTS];
    if (!thiMesoStartDiscs(desk->scratch, desk->seenCount, &desk->discs) ||
        !makeSight(desk, desk->seenCount))
        return false;
    for (int32_t i = 0; i < desk->seenCount; ++i) {
        if (thiMesoIsNothing(asker, &desk->seen[i]))
            continue;
        numbers[desk->discs.count] = i;
        thiMesoAddDisc(asker->graph, desk->seen[i].clump, desk->seen[i].isWhole, &desk->discs);
    }
    const thMesoWish wish = wishOf(asker, false);
    asker->graph->kernels.lookAtDiscs(&desk->discs, &wish, &desk->sight);
    for (int32_t i = 0; i < desk->sight.inWayCount; ++i)
        desk->seen[numbers[desk->sight.inWay[i]]].isInWay = true;
    return true;
}

// Whether a member of the agent's clump belongs to it, or has a fellow that is nearer to it.
static bool isLed(const thMesoAsker* asker, int32_t other)
{
    const thFrame* frame = asker->frame;
    if (thiMesoRelated(frame, asker->def, asker->row, other))
        return true;
    const int64_t x = frame->px[asker->row], y = frame->py[asker->row];
    const int64_t dx = frame->px[other] - x, dy = frame->py[other] - y;
    int32_t count;
    const int32_t* links = thiMesoLinksOf(asker->graph, other, &count);
    for (int32_t k = 0; k < count; ++k) {
        const int64_t toX = frame->px[links[k]] - x, toY = frame->py[links[k]] - y;
        if (toX * toX + toY * toY < dx * dx + dy * dy)
            return true;
    }
    return false;
}

// Whether only the agent's own clump may be in the way, and nobody in it is hidden.
static bool isOnlyOwnInWay(const thMesoAsker* asker, const thMesoDesk* desk)
{
    const thMesoGraph* graph = asker->graph;
    return desk->sight.inWayCount == 1 && graph->isPlain && asker->isSame &&
           (asker->frame->mask[asker->row] & graph->commonLayers) != 0 &&
           desk->around.clump[desk->sight.inWay[0]] == TH_ITEMS(graph->clump, int32_t)[asker->row];
}

// Whether all of its own clump that an agent sees belongs to it, told without a search: everybody
// has a fellow who is nearer, and so in sight too, and at last one who belongs to the agent. If
// not, all may belong to it nevertheless. False, too, when memory is out.
bool thiMesoIsAmongOwn(const thMesoAsker* asker, thMesoDesk* desk)
{
    const thMesoGraph* graph = asker->graph;
    Search search = {.strays = {.frame = asker->frame,
                                .clump = TH_ITEMS(graph->clump, int32_t),
                                .octants = TH_ITEMS(graph->octants, int32_t),
                                .row = asker->row,
                                .sight = asker->def->radius,
                                .distance = graph->distance},
                     .kernels = &graph->kernels,
                     .desk = desk};
    if (!isOnlyOwnInWay(asker, desk) || !searchAround(asker, &search))
        return false;
    for (int32_t i = 0; i < desk->foundCount; ++i)
        if (!isLed(asker, desk->found[i]))
            return false;
    return true;
}

bool thiMesoSee(const thMesoAsker* asker, thMesoDesk* desk)
{
    if (desk->isAllSeen)
        return seeByClumps(asker, desk);
    if (!lookAround(asker, desk))
        return false;
    sortByClump(asker, desk);
    return findInWay(asker, desk);
}
