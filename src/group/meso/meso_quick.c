// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The choice without most of the work: only what can matter is looked at, in the order in which it
// is needed.
//
// Where no clump is in the way, what is wanted stays. Of clumps that are seen whole the group is
// known; of others the parts are found by a search among those who are seen. Only when what is
// wanted leads into one of the groups in the way all others matter, up to the sixteenth obstacle.
// What is compared, summed and chosen has the bits of the plain code.

#include "geom/fixed.h"
#include "geom/vec2.h"
#include "group/meso/meso_desk.h"

#include <math.h>
#include <string.h>

thMesoDesk* thiMesoMakeDesk(thArena* scratch)
{
    thMesoDesk* desk = thArena_Allocate(scratch, sizeof *desk);
    if (desk == NULL)
        return NULL;
    desk->scratch = scratch;
    desk->room = NULL;
    desk->isSurveyed = false;
    desk->sightCapacity = 0;
    desk->around.capacity = desk->discs.capacity = 0;
    desk->capacity = desk->wordCapacity = 0;
    desk->round = 0;
    memset(desk->slots, 0, sizeof desk->slots);
    return desk;
}

// Groups.

static void addGroup(const thMesoAsker* asker, const thMesoBodies* bodies, const int32_t* rows,
                     thVec2 velocity, float gap, thMesoDesk* desk)
{
    if (gap >= asker->def->passable * 2.0f * asker->radius)
        return;
    const thMesoNearest nearest = asker->graph->kernels.findNearest(bodies);
    thMesoParty* group = &desk->groups[desk->groupCount++];
    group->key = asker->frame->key[rows[0]];
    group->velocity = velocity;
    group->bodies = *bodies;
    group->rows = rows;
    group->distance = nearest.distance < asker->def->radius ? nearest.distance : asker->def->radius;
    group->nearest = nearest.at;
    group->isLooked = false;
}

static thMesoBodies bodiesOf(const thMesoAsker* asker, int32_t count)
{
    const thFrame* frame = asker->frame;
    return (thMesoBodies){.count = count,
                          .x = frame->px[asker->row],
                          .y = frame->py[asker->row],
                          .inflate = frame->radius[asker->row]};
}

static void addWhole(const thMesoAsker* asker, const thMesoSeen* seen, thMesoDesk* desk)
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
static int32_t addFellows(const thMesoAsker* asker, int32_t row, int32_t first, int32_t count,
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
static int32_t spread(const thMesoAsker* asker, int32_t first, int32_t count, thMesoDesk* desk)
{
    const int32_t* members = TH_ITEMS(asker->graph->members, int32_t) + first;
    for (int32_t at = 0; at < count; ++at)
        count = addFellows(asker, members[desk->queue[at]], first, count, desk);
    return count;
}

// To the nearest of those who are seen. Where its nearest fellow is, it is known.
static float gapOf(const thMesoAsker* asker, int32_t row, int32_t first, const thMesoDesk* desk)
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
static void addPart(const thMesoAsker* asker, int32_t first, int32_t count, thMesoDesk* desk)
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
static bool addParts(const thMesoAsker* asker, const thMesoSeen* seen, thMesoDesk* desk)
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
static bool findCone(const thMesoAsker* asker, const thMesoBodies* bodies, thVec2 middle,
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

static void findFront(const thMesoAsker* asker, const thMesoParty* group, thTangentCone* cone)
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
static bool isGoal(const thMesoAsker* asker, const thMesoParty* group, thVec2 corner,
                   const thTangentCone* cone)
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
static bool isObstacle(const thMesoAsker* asker, thMesoParty* group, thVec2 corner)
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

static bool mayLeadInto(const thMesoAsker* asker, const thMesoParty* group)
{
    const thVec2 w = asker->wanted, v = group->velocity;
    const float slack = TH_MESO_SPEED_SLACK * (1.0f + sqrtf(thiDot(w, w)) + sqrtf(thiDot(v, v)));
    return thiIsInRegion(&group->region, w, -slack);
}

// The nearest first; of those equally far, the one with the lesser key.
static void orderGroups(thMesoDesk* desk)
{
    const thMesoParty* groups = desk->groups;
    for (int32_t i = 0; i < desk->groupCount; ++i) {
        int32_t at = i;
        for (; at > 0; --at) {
            const thMesoParty* other = &groups[desk->order[at - 1]];
            if (other->distance < groups[i].distance ||
                (other->distance == groups[i].distance && other->key < groups[i].key))
                break;
            desk->order[at] = desk->order[at - 1];
        }
        desk->order[at] = i;
    }
}

static bool hasMember(const thFrame* frame, const thMesoParty* group, uint64_t key)
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
static thMesoChoice chooseAmong(const thMesoAsker* asker, const thMesoQuery* query, uint64_t key,
                                thMesoSide side, thMesoDesk* desk)
{
    thMesoObstacles obstacles = {.count = 0};
    thMesoAgent member = {.key = key};
    thMesoView view = {.agents = &member, .groups = desk->shown};
    orderGroups(desk);
    for (int32_t i = 0; i < desk->groupCount && obstacles.count < TH_MESO_GROUPS; ++i) {
        thMesoParty* group = &desk->groups[desk->order[i]];
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
static bool addGroups(const thMesoAsker* asker, bool inWay, thMesoDesk* desk)
{
    for (int32_t i = 0; i < desk->seenCount; ++i) {
        const thMesoSeen* seen = &desk->seen[i];
        if (thiMesoIsNothing(asker, seen) || seen->isInWay != inWay)
            continue;
        if (seen->isWhole)
            addWhole(asker, seen, desk);
        else if (!addParts(asker, seen, desk))
            return false;
    }
    return true;
}

// Whether somebody who holds its place may be of a group that matters: such groups may be walked
// round although they are the agent's own, and otherwise than others.
static bool mayMeetHolders(const thMesoAsker* asker, const thMesoDesk* desk)
{
    const thMesoClump* clumps = TH_ITEMS(asker->graph->clumps, thMesoClump);
    const int32_t own = TH_ITEMS(asker->graph->clump, int32_t)[asker->row];
    if (own >= 0 && clumps[own].hasHolders)
        return true;
    bool may = false;
    for (int32_t i = 0; i < desk->sight.seenCount && desk->sight.inWayCount > 0; ++i)
        may = may || clumps[desk->around.clump[desk->sight.seen[i]]].hasHolders;
    return may;
}

// The plain way. False when memory is out.
static bool choosePlainly(const thMesoAsker* asker, const thMesoQuery* query, uint64_t key,
                          thMesoSide side, thMesoDesk* desk, thMesoChoice* choice)
{
    if (desk->room == NULL) {
        thMesoRoom* room = thArena_Allocate(desk->scratch, sizeof *room);
        if (room == NULL || !thiMesoMakeRoom(desk->scratch, room))
            return false;
        desk->room = room;
    }
    if (!thiMesoPerceive(asker->graph, asker->frame, asker->def, asker->row, desk->room))
        return false;
    thMesoObstacles obstacles;
    thiMesoFindObstacles(query, &desk->room->view, &obstacles);
    *choice = thiMesoChoose(query, &desk->room->view, &obstacles, key, side);
    return true;
}

bool thiMesoChooseQuickly(const thMesoGraph* graph, const thBatch* batch, const thMesoDef* def,
                          int32_t lane, uint64_t key, thMesoSide side, thMesoDesk* desk,
                          thMesoChoice* choice)
{
    const thVec2 wanted = {batch->guideX[lane], batch->guideY[lane]};
    const thDisc limit = {{0.0f, 0.0f}, batch->maxSpeed[lane]};
    const thMesoAsker asker = {.graph = graph,
                               .frame = batch->frame,
                               .def = def,
                               .row = batch->row[lane],
                               .radius = batch->radius[lane],
                               .wanted = thiNearestInDisc(wanted, &limit),
                               .isSame =
                                   def->near == graph->near && def->velocity == graph->velocity};
    *choice = (thMesoChoice){wanted, true, 0, 0, th_mesoNone};
    if (graph->clumps.count == 0)
        return true;
    if (!thiMesoLookAtClumps(&asker, batch, desk))
        return false;
    if (mayMeetHolders(&asker, desk)) {
        const thMesoQuery query = thiMesoQueryOf(batch, def, lane, wanted);
        return choosePlainly(&asker, &query, key, side, desk, choice);
    }
    if (desk->sight.inWayCount == 0 || thiMesoIsAmongOwn(&asker, desk))
        return true;
    desk->groupCount = desk->partCount = 0;
    if (!thiMesoSee(&asker, desk) || !addGroups(&asker, true, desk))
        return false;
    const thVec2 corner = {batch->cornerX[lane], batch->cornerY[lane]};
    bool mayLead = false;
    for (int32_t i = 0; i < desk->groupCount && !mayLead; ++i) {
        thMesoParty* group = &desk->groups[i];
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
