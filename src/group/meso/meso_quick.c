// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The choice without most of the work: only what can matter is looked at, in the order in which it
// is needed.
//
// What is wanted stays unless it leads into some group. A group is part of a clump, so it does not
// if it leads past the disc round each clump, whatever part of it is seen and whatever the part's
// mean velocity. Of clumps that are not so easily passed, and are seen whole, the group is known
// from the clump; of others the parts are found by a search among those who are seen. Only when
// what is wanted leads into one of them all others matter, up to the sixteenth obstacle.
//
// What is compared, summed and chosen has the bits of the plain code. What only excludes has slack.

#include "geom/fixed.h"
#include "geom/vec2.h"
#include "group/meso/meso.h"
#include "group/meso/meso_filter.h"
#include "space/agents_near.h"

#include <math.h>
#include <string.h>

// Of distances² in float.
#define DISTANCE_SHARE 1.0e-6f

#define SLOT_COUNT (2 * TH_MESO_AGENTS)

// Shells round the agent in which those around are counted, to find the nearest.
#define SHELLS 256

// A clump of which somebody is seen.
typedef struct Seen {
    int32_t clump, count;
    int32_t last; // of those who are seen: the last, of a list through Desk.before
    bool isWhole; // all but the agent are seen
    bool isInWay; // what is wanted may lead into some of it
} Seen;

// Who is perceived as one group.
typedef struct Group {
    uint64_t key; // the least
    thVec2 velocity;
    thMesoBodies bodies; // in the order of keys
    const int32_t* rows;
    float distance;
    int32_t nearest;
    bool isLooked, isObstacle; // whether it was looked at, and what came of it
    thVec2 middle;
    thRegion region;
} Group;

// A clump in a table, by its number.
typedef struct Slot {
    int32_t clump;
    uint16_t round; // of another agent: nobody's
    uint16_t seen;
} Slot;

// How far somebody is. [units²]
typedef struct Far {
    int64_t distanceSq;
    uint64_t key;
    int32_t row;
} Far;

struct thMesoDesk {
    thArena* scratch;
    bool isSurveyed, isAllSeen;
    int32_t sightCapacity;
    thMesoSight sight;
    thMesoDiscs around; // of the whole batch
    thMesoDiscs discs;  // of the agent in question
    int32_t capacity;   // of `found`
    int32_t foundCount;
    int32_t* found; // rows of those around
    uint16_t round; // a batch has fewer agents
    int32_t seenCount, groupCount;
    // Members of a clump who are seen, and of these who are in no group yet: bits by place.
    int32_t wordCapacity;
    uint64_t *here, *open;
    int32_t partCount;              // of those below
    int32_t before[TH_MESO_AGENTS]; // of the same clump; −1: none
    int32_t queue[TH_MESO_AGENTS];  // places of a group
    Seen seen[TH_MESO_AGENTS];
    Slot slots[SLOT_COUNT];
    // Members of groups that are parts of clumps.
    int32_t rows[TH_MESO_AGENTS];
    int32_t px[TH_MESO_AGENTS + TH_MAX_WIDTH], py[TH_MESO_AGENTS + TH_MAX_WIDTH];
    float radius[TH_MESO_AGENTS + TH_MAX_WIDTH];
    Group groups[TH_MESO_AGENTS];
    int32_t order[TH_MESO_AGENTS];
    thMesoGroup shown[TH_MESO_GROUPS];
};

// Who asks for what.
typedef struct Asker {
    const thMesoGraph* graph;
    const thFrame* frame;
    const thMesoDef* def;
    int32_t row;
    float radius;
    thVec2 wanted; // within the speed limit
    bool isSame;   // its thresholds are those of the graph
} Asker;

thMesoDesk* thiMesoMakeDesk(thArena* scratch)
{
    thMesoDesk* desk = thArena_Allocate(scratch, sizeof *desk);
    if (desk == NULL)
        return NULL;
    desk->scratch = scratch;
    desk->isSurveyed = false;
    desk->sightCapacity = 0;
    desk->around.capacity = desk->discs.capacity = 0;
    desk->capacity = desk->wordCapacity = 0;
    desk->round = 0;
    memset(desk->slots, 0, sizeof desk->slots);
    return desk;
}

// Those around.

typedef struct Search {
    thMesoAroundTask task;
    thMesoFindAroundFcn* kernel;
    thMesoDesk* desk;
    bool failed; // memory is out
} Search;

static void searchRange(void* context, int32_t begin, int32_t end)
{
    Search* search = context;
    thMesoDesk* desk = search->desk;
    const int32_t most = desk->foundCount + (end - begin) + TH_MAX_WIDTH;
    if (search->failed)
        return;
    if (most > desk->capacity) {
        const int32_t capacity = TH_MAX(2 * most, 4 * TH_MESO_AGENTS);
        int32_t* found = thArena_Allocate(desk->scratch, (size_t)capacity * sizeof *found);
        search->failed = found == NULL;
        if (search->failed)
            return;
        if (desk->foundCount > 0)
            memcpy(found, desk->found, (size_t)desk->foundCount * sizeof *found);
        desk->found = found;
        desk->capacity = capacity;
    }
    desk->foundCount +=
        search->kernel(&search->task, (thMesoRange){begin, end}, desk->found + desk->foundCount);
}

// Whether a is further than b; of those equally far, the one with the greater key is.
static bool isFurther(const Far* a, const Far* b)
{
    return a->distanceSq != b->distanceSq ? a->distanceSq > b->distanceSq : a->key > b->key;
}

static float distanceSqTo(const Asker* asker, int32_t other)
{
    const thFrame* frame = asker->frame;
    const float x = thiMetresBetween(frame->px[asker->row], frame->px[other]);
    const float y = thiMetresBetween(frame->py[asker->row], frame->py[other]);
    return x * x + y * y;
}

// Keeps the nearest of those of a list who are as far as `low` to `high`; all that are nearer are
// kept, `kept` of them so far. Exactly, by insertion: there are few.
static bool keepNearestBetween(const Asker* asker, float low, float high, thMesoDesk* desk)
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
static bool keepNearest(const Asker* asker, thMesoDesk* desk)
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

static bool lookAround(const Asker* asker, thMesoDesk* desk)
{
    const thFrame* frame = asker->frame;
    const thMesoGraph* graph = asker->graph;
    Search search = {.task = {.frame = frame,
                              .clump = TH_ITEMS(graph->clump, int32_t),
                              .isPlain = graph->isPlain,
                              .row = asker->row,
                              .radius = asker->def->radius},
                     .kernel = graph->kernels.findAround,
                     .desk = desk};
    const int64_t x = frame->px[asker->row], y = frame->py[asker->row];
    const int64_t reach =
        (int64_t)((double)asker->def->radius * (double)THRONG_UNITS_PER_METRE) + 1;
    desk->foundCount = 0;
    thiVisitBox(frame, frame->level[asker->row], x - reach, y - reach, x + reach, y + reach,
                searchRange, &search);
    return !search.failed && keepNearest(asker, desk);
}

// The clump of that number among those that are seen; it may be new.
static Seen* seenOf(thMesoDesk* desk, int32_t clump)
{
    uint32_t at = (uint32_t)clump * UINT32_C(0x9e3779b1) >> 16;
    for (;; ++at) {
        Slot* slot = &desk->slots[at % SLOT_COUNT];
        if (slot->round == desk->round && slot->clump == clump)
            return &desk->seen[slot->seen];
        if (slot->round == desk->round)
            continue;
        *slot = (Slot){clump, desk->round, (uint16_t)desk->seenCount};
        desk->seen[desk->seenCount] = (Seen){.clump = clump, .last = -1};
        return &desk->seen[desk->seenCount++];
    }
}

static void sortByClump(const Asker* asker, thMesoDesk* desk)
{
    const thMesoGraph* graph = asker->graph;
    const int32_t* clump = TH_ITEMS(graph->clump, int32_t);
    Seen* seen = NULL;
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

// Whether a clump holds no obstacle: it is too small, or all of it belongs to the agent.
static bool isNothing(const Asker* asker, const Seen* seen)
{
    return seen->count < asker->def->smallest || seen->count < 2 ||
           (seen->isWhole && TH_ITEMS(asker->graph->clump, int32_t)[asker->row] == seen->clump);
}

static thMesoWish wishOf(const Asker* asker, bool seesWhole)
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

// Looks at all clumps that somebody of the batch may see. What is not known of an agent's sight is
// on the safe side: who is in a clump at its border, who is hidden, and whether there are too many.
// False when memory is out.
static bool survey(const Asker* asker, const thBatch* batch, thMesoDesk* desk)
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
static void seeMembers(const Asker* asker, int32_t number, thMesoDesk* desk)
{
    const thMesoGraph* graph = asker->graph;
    const thMesoClump* clump = &TH_ITEMS(graph->clumps, thMesoClump)[number];
    const int32_t* members = TH_ITEMS(graph->members, int32_t) + clump->first;
    const int32_t* px = TH_ITEMS(graph->px, int32_t) + clump->first;
    const int32_t* py = TH_ITEMS(graph->py, int32_t) + clump->first;
    const int64_t x = asker->frame->px[asker->row], y = asker->frame->py[asker->row];
    const double reach = (double)asker->def->radius * THRONG_UNITS_PER_METRE;
    const int64_t reachSq = (int64_t)floor(reach * reach);
    Seen* seen = &desk->seen[desk->seenCount];
    int32_t others = 0;
    *seen = (Seen){.clump = number, .last = -1};
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
static bool seeByClumps(const Asker* asker, thMesoDesk* desk)
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
                (Seen){.clump = number,
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
static bool findInWay(const Asker* asker, thMesoDesk* desk)
{
    int32_t numbers[TH_MESO_AGENTS];
    if (!thiMesoStartDiscs(desk->scratch, desk->seenCount, &desk->discs) ||
        !makeSight(desk, desk->seenCount))
        return false;
    for (int32_t i = 0; i < desk->seenCount; ++i) {
        if (isNothing(asker, &desk->seen[i]))
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

// Finds the clumps of which somebody is seen, and which of them may be in the way. False when
// memory is out.
static bool see(const Asker* asker, thMesoDesk* desk)
{
    if (desk->isAllSeen)
        return seeByClumps(asker, desk);
    if (!lookAround(asker, desk))
        return false;
    sortByClump(asker, desk);
    return findInWay(asker, desk);
}

// Groups.

static void addGroup(const Asker* asker, const thMesoBodies* bodies, const int32_t* rows,
                     thVec2 velocity, float gap, thMesoDesk* desk)
{
    if (gap >= asker->def->passable * 2.0f * asker->radius)
        return;
    const thMesoNearest nearest = asker->graph->kernels.findNearest(bodies);
    Group* group = &desk->groups[desk->groupCount++];
    group->key = asker->frame->key[rows[0]];
    group->velocity = velocity;
    group->bodies = *bodies;
    group->rows = rows;
    group->distance = nearest.distance < asker->def->radius ? nearest.distance : asker->def->radius;
    group->nearest = nearest.at;
    group->isLooked = false;
}

static thMesoBodies bodiesOf(const Asker* asker, int32_t count)
{
    const thFrame* frame = asker->frame;
    return (thMesoBodies){.count = count,
                          .x = frame->px[asker->row],
                          .y = frame->py[asker->row],
                          .inflate = frame->radius[asker->row]};
}

static void addWhole(const Asker* asker, const Seen* seen, thMesoDesk* desk)
{
    const thMesoGraph* graph = asker->graph;
    const thMesoClump* clump = &TH_ITEMS(graph->clumps, thMesoClump)[seen->clump];
    thMesoBodies bodies = bodiesOf(asker, clump->count);
    bodies.px = TH_ITEMS(graph->px, int32_t) + clump->first;
    bodies.py = TH_ITEMS(graph->py, int32_t) + clump->first;
    bodies.radius = TH_ITEMS(graph->radius, float) + clump->first;
    addGroup(asker, &bodies, TH_ITEMS(graph->members, int32_t) + clump->first, clump->velocity,
             clump->gap, desk);
}

static bool hasBit(const uint64_t* bits, int32_t at)
{
    return (bits[at >> 6] >> (at & 63) & 1) != 0;
}

// Puts the fellows of a row who are in no group yet behind others in the queue. Returns how many
// are in it then.
static int32_t addFellows(const Asker* asker, int32_t row, int32_t first, int32_t count,
                          thMesoDesk* desk)
{
    const int32_t* place = TH_ITEMS(asker->graph->place, int32_t);
    int32_t linkCount;
    const int32_t* links = thiMesoLinksOf(asker->graph, row, &linkCount);
    for (int32_t k = 0; k < linkCount; ++k) {
        const int32_t at = place[links[k]] - first;
        if (!hasBit(desk->open, at) ||
            (!asker->isSame && !thiMesoRelated(asker->frame, asker->def, row, links[k])))
            continue;
        desk->open[at >> 6] &= ~(UINT64_C(1) << (at & 63));
        desk->queue[count++] = at;
    }
    return count;
}

// All who are connected to those in the queue.
static int32_t spread(const Asker* asker, int32_t first, int32_t count, thMesoDesk* desk)
{
    const int32_t* members = TH_ITEMS(asker->graph->members, int32_t) + first;
    for (int32_t at = 0; at < count; ++at)
        count = addFellows(asker, members[desk->queue[at]], first, count, desk);
    return count;
}

// To the nearest of those who are seen. Where its nearest fellow is, it is known.
static float gapOf(const Asker* asker, int32_t row, int32_t first, const thMesoDesk* desk)
{
    const thFrame* frame = asker->frame;
    const int32_t* place = TH_ITEMS(asker->graph->place, int32_t);
    if (asker->isSame &&
        hasBit(desk->here, place[TH_ITEMS(asker->graph->nearest, int32_t)[row]] - first))
        return TH_ITEMS(asker->graph->gap, float)[row];
    int32_t linkCount;
    const int32_t* links = thiMesoLinksOf(asker->graph, row, &linkCount);
    float least = asker->def->near;
    for (int32_t k = 0; k < linkCount; ++k) {
        const int32_t other = links[k];
        if (!hasBit(desk->here, place[other] - first) ||
            (!asker->isSame && !thiMesoRelated(frame, asker->def, row, other)))
            continue;
        const float x = thiMetresBetween(frame->px[row], frame->px[other]);
        const float y = thiMetresBetween(frame->py[row], frame->py[other]);
        const float gap = sqrtf(x * x + y * y) - (frame->radius[row] + frame->radius[other]);
        least = gap < least ? (gap > 0.0f ? gap : 0.0f) : least;
    }
    return least;
}

static void sortPlaces(int32_t* places, int32_t count)
{
    for (int32_t gap = count > 40 ? 40 : 1; gap > 0; gap = (gap - 1) / 3) {
        for (int32_t i = gap; i < count; ++i) {
            const int32_t place = places[i];
            int32_t at = i;
            for (; at >= gap && places[at - gap] > place; at -= gap)
                places[at] = places[at - gap];
            places[at] = place;
        }
        if (gap == 1)
            return;
    }
}

// The part of a clump that is in the queue. Sums are in the order of keys, which is that of places.
static void addPart(const Asker* asker, int32_t first, int32_t count, thMesoDesk* desk)
{
    const thFrame* frame = asker->frame;
    const int32_t* members = TH_ITEMS(asker->graph->members, int32_t) + first;
    if (count < asker->def->smallest || count < 2)
        return;
    sortPlaces(desk->queue, count);
    thMesoBodies bodies = bodiesOf(asker, count);
    int32_t* rows = desk->rows + desk->partCount;
    int32_t *px = desk->px + desk->partCount, *py = desk->py + desk->partCount;
    float *radius = desk->radius + desk->partCount, gap = 0.0f;
    thVec2 velocity = {0.0f, 0.0f};
    for (int32_t i = 0; i < count; ++i) {
        const int32_t row = members[desk->queue[i]];
        rows[i] = row;
        px[i] = frame->px[row];
        py[i] = frame->py[row];
        radius[i] = frame->radius[row];
        velocity.x += frame->vx[row];
        velocity.y += frame->vy[row];
        gap += gapOf(asker, row, first, desk);
    }
    desk->partCount += count;
    bodies.px = px;
    bodies.py = py;
    bodies.radius = radius;
    const float share = 1.0f / (float)count;
    addGroup(asker, &bodies, rows, thiScale(share, velocity), gap * share, desk);
}

// The groups of a clump that is seen in part: those who are connected among those who are seen. Who
// is connected to the agent is left out. False when memory is out.
static bool addParts(const Asker* asker, const Seen* seen, thMesoDesk* desk)
{
    const thMesoGraph* graph = asker->graph;
    const thMesoClump* clump = &TH_ITEMS(graph->clumps, thMesoClump)[seen->clump];
    const int32_t* place = TH_ITEMS(graph->place, int32_t);
    const int32_t words = clump->count / 64 + 1, first = clump->first;
    if (words > desk->wordCapacity) {
        desk->wordCapacity = 2 * words;
        const size_t size = (size_t)desk->wordCapacity * sizeof *desk->here;
        desk->here = thArena_Allocate(desk->scratch, size);
        desk->open = thArena_Allocate(desk->scratch, size);
        if (desk->here == NULL || desk->open == NULL)
            return false;
    }
    memset(desk->here, 0, (size_t)words * sizeof *desk->here);
    for (int32_t i = seen->last; i >= 0; i = desk->before[i]) {
        const int32_t at = place[desk->found[i]] - first;
        desk->here[at >> 6] |= UINT64_C(1) << (at & 63);
    }
    memcpy(desk->open, desk->here, (size_t)words * sizeof *desk->here);
    if (TH_ITEMS(graph->clump, int32_t)[asker->row] == seen->clump)
        spread(asker, first, addFellows(asker, asker->row, first, 0, desk), desk);
    for (int32_t i = seen->last; i >= 0; i = desk->before[i]) {
        const int32_t at = place[desk->found[i]] - first;
        if (!hasBit(desk->open, at))
            continue;
        desk->open[at >> 6] &= ~(UINT64_C(1) << (at & 63));
        desk->queue[0] = at;
        addPart(asker, first, spread(asker, first, 1, desk), desk);
    }
    return true;
}

// Obstacles.

static thVec2 unitOf(thVec2 v)
{
    return thiScale(1.0f / sqrtf(thiDot(v, v)), v);
}

static thVec2 bodyAt(const thMesoBodies* bodies, int32_t i)
{
    return (thVec2){thiMetresBetween(bodies->x, bodies->px[i]) - bodies->from.x,
                    thiMetresBetween(bodies->y, bodies->py[i]) - bodies->from.y};
}

// As thiMesoFindCone, all but the front.
static bool findCone(const Asker* asker, const thMesoBodies* bodies, thVec2 middle,
                     thTangentCone* cone)
{
    const thVec2 ahead = thiSubtract(middle, bodies->from);
    const thMesoOutermost outermost = asker->graph->kernels.findOutermost(bodies, ahead);
    if (outermost.left < 0)
        return false;
    return thiConeBetween(
        bodyAt(bodies, outermost.left), bodies->inflate + bodies->radius[outermost.left],
        bodyAt(bodies, outermost.right), bodies->inflate + bodies->radius[outermost.right], cone);
}

static void findFront(const Asker* asker, const Group* group, thTangentCone* cone)
{
    const thVec2 middle = {cone->left.x + cone->right.x, cone->left.y + cone->right.y};
    const bool hasMiddle = thiDot(middle, middle) > 0.01f;
    const thVec2 nearest = unitOf(bodyAt(&group->bodies, group->nearest));
    const thVec2 along[2] = {nearest, hasMiddle ? unitOf(middle) : nearest};
    float least[2];
    asker->graph->kernels.leastAlong(&group->bodies, along, least);
    const bool isAcross = hasMiddle && least[1] > least[0];
    cone->front = along[isAcross];
    cone->distance = least[isAcross];
}

// As in meso_choice.c.
static bool isGoal(const Asker* asker, const Group* group, thVec2 corner, const thTangentCone* cone)
{
    const float limit = asker->def->velocity;
    if (!(thiDot(corner, corner) > 0.0f) ||
        !(thiDot(group->velocity, group->velocity) < limit * limit))
        return false;
    thMesoBodies seen = group->bodies;
    seen.from = corner;
    thTangentCone fromCorner;
    return thiDot(cone->front, corner) <= cone->distance ||
           !findCone(asker, &seen, group->middle, &fromCorner);
}

// Whether a group is walked round. Its region then is known.
static bool isObstacle(const Asker* asker, Group* group, thVec2 corner)
{
    if (group->isLooked)
        return group->isObstacle;
    group->isLooked = true;
    group->isObstacle = false;
    thVec2 sum = {0.0f, 0.0f};
    for (int32_t i = 0; i < group->bodies.count; ++i) {
        sum.x += thiMetresBetween(group->bodies.x, group->bodies.px[i]);
        sum.y += thiMetresBetween(group->bodies.y, group->bodies.py[i]);
    }
    group->middle = thiScale(1.0f / (float)group->bodies.count, sum);
    thTangentCone cone;
    if (!findCone(asker, &group->bodies, group->middle, &cone))
        return false;
    findFront(asker, group, &cone);
    if (isGoal(asker, group, corner, &cone))
        return false;
    group->isObstacle = true;
    group->region = thiConeRegion(&cone, group->velocity, asker->def->horizon);
    return true;
}

static bool mayLeadInto(const Asker* asker, const Group* group)
{
    const thVec2 w = asker->wanted, v = group->velocity;
    const float slack = TH_MESO_SPEED_SLACK * (1.0f + sqrtf(thiDot(w, w)) + sqrtf(thiDot(v, v)));
    return thiIsInRegion(&group->region, w, -slack);
}

// The nearest first; of those equally far, the one with the lesser key.
static void orderGroups(thMesoDesk* desk)
{
    const Group* groups = desk->groups;
    for (int32_t i = 0; i < desk->groupCount; ++i) {
        int32_t at = i;
        for (; at > 0; --at) {
            const Group* other = &groups[desk->order[at - 1]];
            if (other->distance < groups[i].distance ||
                (other->distance == groups[i].distance && other->key < groups[i].key))
                break;
            desk->order[at] = desk->order[at - 1];
        }
        desk->order[at] = i;
    }
}

static bool hasMember(const thFrame* frame, const Group* group, uint64_t key)
{
    int32_t low = 0, high = group->bodies.count;
    while (low < high) {
        const int32_t middle = (low + high) / 2;
        if (frame->key[group->rows[middle]] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < group->bodies.count && frame->key[group->rows[low]] == key;
}

// The choice when all groups are known. Of members only the one is shown that was noted.
static thMesoChoice chooseAmong(const Asker* asker, const thMesoQuery* query, uint64_t key,
                                thMesoSide side, thMesoDesk* desk)
{
    thMesoObstacles obstacles = {.count = 0};
    thMesoAgent member = {.key = key};
    thMesoView view = {.agents = &member, .groups = desk->shown};
    orderGroups(desk);
    for (int32_t i = 0; i < desk->groupCount && obstacles.count < TH_MESO_GROUPS; ++i) {
        Group* group = &desk->groups[desk->order[i]];
        if (!isObstacle(asker, group, query->corner))
            continue;
        const int32_t at = obstacles.count++;
        obstacles.group[at] = at;
        obstacles.region[at] = group->region;
        desk->shown[at] =
            (thMesoGroup){.key = group->key, .velocity = group->velocity, .middle = group->middle};
        if (side != th_mesoNone && hasMember(asker->frame, group, key)) {
            member.group = at;
            view.agentCount = 1;
        }
    }
    return thiMesoChoose(query, &view, &obstacles, key, side);
}

// Finds what groups there are of the clumps that are seen: of those in the way, or of the others.
// False when memory is out.
static bool addGroups(const Asker* asker, bool inWay, thMesoDesk* desk)
{
    for (int32_t i = 0; i < desk->seenCount; ++i) {
        const Seen* seen = &desk->seen[i];
        if (isNothing(asker, seen) || seen->isInWay != inWay)
            continue;
        if (seen->isWhole)
            addWhole(asker, seen, desk);
        else if (!addParts(asker, seen, desk))
            return false;
    }
    return true;
}

bool thiMesoChooseQuickly(const thMesoGraph* graph, const thBatch* batch, const thMesoDef* def,
                          int32_t lane, uint64_t key, thMesoSide side, thMesoDesk* desk,
                          thMesoChoice* choice)
{
    const thVec2 wanted = {batch->guideX[lane], batch->guideY[lane]};
    const thDisc limit = {{0.0f, 0.0f}, batch->maxSpeed[lane]};
    const Asker asker = {.graph = graph,
                         .frame = batch->frame,
                         .def = def,
                         .row = batch->row[lane],
                         .radius = batch->radius[lane],
                         .wanted = thiNearestInDisc(wanted, &limit),
                         .isSame = def->near == graph->near && def->velocity == graph->velocity};
    *choice = (thMesoChoice){wanted, true, 0, 0, th_mesoNone};
    if (graph->clumps.count == 0)
        return true;
    if (!survey(&asker, batch, desk))
        return false;
    if (desk->sight.inWayCount == 0)
        return true;
    desk->groupCount = desk->partCount = 0;
    if (!see(&asker, desk) || !addGroups(&asker, true, desk))
        return false;
    const thVec2 corner = {batch->cornerX[lane], batch->cornerY[lane]};
    bool mayLead = false;
    for (int32_t i = 0; i < desk->groupCount && !mayLead; ++i) {
        Group* group = &desk->groups[i];
        mayLead = isObstacle(&asker, group, corner) && mayLeadInto(&asker, group);
    }
    if (!mayLead)
        return true;
    if (!addGroups(&asker, false, desk))
        return false;
    const thMesoQuery query = thiMesoQueryOf(batch, def, lane, wanted);
    *choice = chooseAmong(&asker, &query, key, side, desk);
    return true;
}
