// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The groups that an agent perceives: those near it, joined to whoever is near them and moves
// alike.
//
// This is the plain way, one agent after the other, by which meso_quick.c is held to be right and
// which is shown to those who ask. An agent looks at the part of the graph of who is near whom
// among those whom it sees, by its own thresholds. A group is a connected part of it; who is beyond
// sight joins nobody.

#include "group/meso/meso.h"

#include "base/hash.h"
#include "geom/fixed.h"
#include "geom/vec2.h"
#include "space/agents_near.h"

#include <math.h>
#include <string.h>

#define SLOT_COUNT (4 * TH_MESO_AGENTS)

// An agent that is seen, in a table by row.
struct thMesoSlot {
    int32_t row, index; // row −1: nobody
};

// How far somebody is. [units²]
struct thMesoNear {
    int64_t distanceSq;
    uint64_t key;
    int32_t row;
};

bool thiMesoIsOn(const thMesoDef* def)
{
    return def->radius > 0.0f && def->near > 0.0f && def->velocity > 0.0f;
}

bool thiMesoRelated(const thFrame* frame, const thMesoDef* def, int32_t a, int32_t b)
{
    const float x = thiMetresBetween(frame->px[a], frame->px[b]);
    const float y = thiMetresBetween(frame->py[a], frame->py[b]);
    const float vx = frame->vx[a] - frame->vx[b], vy = frame->vy[a] - frame->vy[b];
    const float reach = def->near + (frame->radius[a] + frame->radius[b]);
    return x * x + y * y < reach * reach && vx * vx + vy * vy < def->velocity * def->velocity &&
           frame->radius[a] <= TH_MESO_LARGEST && frame->radius[b] <= TH_MESO_LARGEST;
}

bool thiMesoMakeRoom(thArena* scratch, thMesoRoom* room)
{
    *room = (thMesoRoom){.scratch = scratch, .capacity = 2 * TH_MESO_AGENTS};
    room->found = thArena_Allocate(scratch, (size_t)room->capacity * sizeof *room->found);
    room->queue = thArena_Allocate(scratch, TH_MESO_AGENTS * sizeof *room->queue);
    room->slots = thArena_Allocate(scratch, SLOT_COUNT * sizeof *room->slots);
    room->near = thArena_Allocate(scratch, TH_MESO_AGENTS * sizeof *room->near);
    room->view.agents = thArena_Allocate(scratch, TH_MESO_AGENTS * sizeof *room->view.agents);
    room->view.groups = thArena_Allocate(scratch, TH_MESO_AGENTS * sizeof *room->view.groups);
    return room->found != NULL && room->queue != NULL && room->slots != NULL &&
           room->near != NULL && room->view.agents != NULL && room->view.groups != NULL;
}

// Everybody around. Returns how many; −1 when memory is out.
static int32_t findAround(const thFrame* frame, int32_t row, float radius, thMesoRoom* room)
{
    for (;;) {
        const int32_t count = thiFindAround(frame, row, radius, room->found, room->capacity);
        if (count <= room->capacity)
            return count;
        room->capacity = 2 * count;
        room->found = thArena_Allocate(room->scratch, (size_t)room->capacity * sizeof *room->found);
        if (room->found == NULL)
            return -1;
    }
}

// Whether a is further than b; of those equally far, the one with the greater key is.
static bool isFurther(const struct thMesoNear* a, const struct thMesoNear* b)
{
    return a->distanceSq != b->distanceSq ? a->distanceSq > b->distanceSq : a->key > b->key;
}

// Puts the furthest of a heap to where it belongs, at its top.
static void siftDown(struct thMesoNear* heap, int32_t count)
{
    const struct thMesoNear item = heap[0];
    int32_t at = 0;
    for (int32_t child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && isFurther(&heap[child + 1], &heap[child]))
            child += 1;
        if (!isFurther(&heap[child], &item))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = item;
}

static void pushUp(struct thMesoNear* heap, int32_t at, struct thMesoNear item)
{
    for (; at > 0 && isFurther(&item, &heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = item;
}

// Keeps the nearest of those found. Returns how many.
static int32_t keepNearest(const thFrame* frame, int32_t row, int32_t count, thMesoRoom* room)
{
    if (count <= TH_MESO_AGENTS)
        return count;
    struct thMesoNear* heap = room->near; // the furthest of those kept is at its top
    for (int32_t i = 0; i < count; ++i) {
        const int32_t other = room->found[i];
        const int64_t x = (int64_t)frame->px[other] - frame->px[row];
        const int64_t y = (int64_t)frame->py[other] - frame->py[row];
        const struct thMesoNear item = {x * x + y * y, frame->key[other], other};
        if (i < TH_MESO_AGENTS) {
            pushUp(heap, i, item);
        } else if (isFurther(&heap[0], &item)) {
            heap[0] = item;
            siftDown(heap, TH_MESO_AGENTS);
        }
    }
    for (int32_t i = 0; i < TH_MESO_AGENTS; ++i)
        room->found[i] = heap[i].row;
    return TH_MESO_AGENTS;
}

// The place of a row in the table: its own, or where it may go.
static struct thMesoSlot* slotOf(thMesoRoom* room, int32_t row)
{
    uint32_t at = (uint32_t)row * UINT32_C(0x9e3779b1) >> 16;
    for (;; ++at) {
        struct thMesoSlot* slot = &room->slots[at % SLOT_COUNT];
        if (slot->row == row || slot->row < 0)
            return slot;
    }
}

static bool sees(const thFrame* frame, int32_t row, int32_t other)
{
    return (frame->mask[row] & frame->layers[other]) != 0;
}

// Those who are seen and belong to somebody: the others are no group.
static bool takeAgents(const thMesoGraph* graph, const thFrame* frame, const thMesoDef* def,
                       int32_t row, thMesoRoom* room)
{
    const int32_t* clump = TH_ITEMS(graph->clump, int32_t);
    int32_t count = findAround(frame, row, def->radius, room);
    if (count < 0)
        return false;
    int32_t seen = 0;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t other = room->found[i];
        if (clump[other] >= 0 && sees(frame, row, other))
            room->found[seen++] = other;
    }
    count = keepNearest(frame, row, seen, room);
    thiSortByKey(frame, room->found, count);
    memset(room->slots, -1, SLOT_COUNT * sizeof *room->slots);
    for (int32_t i = 0; i < count; ++i) {
        const int32_t other = room->found[i];
        room->view.agents[i] =
            (thMesoAgent){.key = frame->key[other],
                          .row = other,
                          .group = -1,
                          .place = {thiMetresBetween(frame->px[row], frame->px[other]),
                                    thiMetresBetween(frame->py[row], frame->py[other])},
                          .reach = frame->radius[row] + frame->radius[other],
                          .nearestGap = def->near};
        *slotOf(room, other) = (struct thMesoSlot){other, i};
    }
    room->view.agentCount = count;
    return true;
}

static float gapBetween(const thFrame* frame, int32_t a, int32_t b)
{
    const float x = thiMetresBetween(frame->px[a], frame->px[b]);
    const float y = thiMetresBetween(frame->py[a], frame->py[b]);
    const float gap = sqrtf(x * x + y * y) - (frame->radius[a] + frame->radius[b]);
    return gap > 0.0f ? gap : 0.0f;
}

// Gives all who are connected to an agent its group.
static void spread(const thMesoGraph* graph, const thFrame* frame, const thMesoDef* def,
                   int32_t first, int32_t group, thMesoRoom* room)
{
    const bool isSame = def->near == graph->near && def->velocity == graph->velocity;
    int32_t count = 0;
    room->queue[count++] = first;
    room->view.agents[first].group = group;
    for (int32_t at = 0; at < count; ++at) {
        thMesoAgent* agent = &room->view.agents[room->queue[at]];
        int32_t linkCount;
        const int32_t* links = thiMesoLinksOf(graph, agent->row, &linkCount);
        for (int32_t k = 0; k < linkCount; ++k) {
            const struct thMesoSlot* slot = slotOf(room, links[k]);
            if (slot->row < 0 || (!isSame && !thiMesoRelated(frame, def, agent->row, links[k])))
                continue;
            const float gap = gapBetween(frame, agent->row, links[k]);
            agent->nearestGap = gap < agent->nearestGap ? gap : agent->nearestGap;
            if (room->view.agents[slot->index].group >= 0)
                continue;
            room->view.agents[slot->index].group = group;
            room->queue[count++] = slot->index;
        }
    }
}

// Sums are over agents in the order of keys.
static void measureGroups(const thFrame* frame, thMesoView* view)
{
    for (int32_t i = 0; i < view->agentCount; ++i) {
        const thMesoAgent* agent = &view->agents[i];
        thMesoGroup* group = &view->groups[agent->group];
        const float distance = sqrtf(thiDot(agent->place, agent->place)) - agent->reach;
        group->count += 1;
        group->velocity.x += frame->vx[agent->row];
        group->velocity.y += frame->vy[agent->row];
        group->middle.x += agent->place.x;
        group->middle.y += agent->place.y;
        group->gap += agent->nearestGap;
        group->distance = distance < group->distance ? distance : group->distance;
    }
    for (int32_t i = 0; i < view->groupCount; ++i) {
        thMesoGroup* group = &view->groups[i];
        const float share = 1.0f / (float)group->count;
        group->velocity = thiScale(share, group->velocity);
        group->middle = thiScale(share, group->middle);
        group->gap *= share;
    }
}

bool thiMesoPerceive(const thMesoGraph* graph, const thFrame* frame, const thMesoDef* def,
                     int32_t row, thMesoRoom* room)
{
    thMesoView* view = &room->view;
    if (!takeAgents(graph, frame, def, row, room))
        return false;
    view->groupCount = 0;
    for (int32_t i = 0; i < view->agentCount; ++i) {
        if (view->agents[i].group >= 0)
            continue;
        view->groups[view->groupCount] =
            (thMesoGroup){.key = frame->key[view->agents[i].row], .distance = def->radius};
        spread(graph, frame, def, i, view->groupCount, room);
        view->groupCount += 1;
    }
    int32_t linkCount;
    const int32_t* links = thiMesoLinksOf(graph, row, &linkCount);
    for (int32_t k = 0; k < linkCount; ++k) {
        const struct thMesoSlot* slot = slotOf(room, links[k]);
        if (slot->row >= 0 && thiMesoRelated(frame, def, row, links[k]))
            view->groups[view->agents[slot->index].group].isOwn = true;
    }
    measureGroups(frame, view);
    return true;
}
