// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Who walks in a group, what is kept of them from step to step, and how a member's guidance is bent
// towards its place in its party.
//
// Members are kept in order from step to step: they are sorted anew only when somebody has come,
// gone, or changed groups.

#include "sim/together/together.h"

#include "geom/fixed.h"
#include "geom/vec2.h"
#include "sim/together/party.h"
#include "sim/world_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// How fast who is behind its place, or ahead of it, comes back to it. Nobody minds being so far
// off. [1/s, m]
#define ONWARD_RATE 0.8f
#define ONWARD_SLACK 0.17f
#define SIDEWAYS_RATE 0.7f
// Nobody waits without moving on at all, so that nobody waits for ever: the share of its speed that
// is left.
#define LEAST_SHARE 0.1f
// Who is this far ahead of its place waits. Where it is in the way of others, in a door or in a
// crowd, it only slows down, to this share of its speed. [m]
#define LEAST_SHARE_IN_WAY 0.8f
#define WAITS_FROM 0.5f
// Narrower places are doors. [m]
#define DOOR_WIDTH 2.5f
// So many others within so far are a crowd. [m]
#define CROWD_WITHIN 1.5f
#define CROWD 2
// The least part of its speed that is left where others are passed.
#define LEAST_ONWARD 0.5f
// The largest part of its speed that anybody goes sideways; less where the goal is near, at which
// there may be room for one only. [m]
#define MOST_SIDEWAYS 0.35f
#define GOAL_NEAR 4.0f

#define GROUP_GRAIN 16
#define NOBODY (-1)

thTogetherDef thPeopleTogether(void)
{
    return (thTogetherDef){.reach = 20.0f, .gap = 0.3f, .abreast = 3};
}

static thTogetherMember* members(const thTogether* together)
{
    return TH_ITEMS(together->members, thTogetherMember);
}

void thiInitTogether(thTogether* together, thMemory* memory)
{
    *together = (thTogether){.memory = memory};
    together->kept[0] = thiArray(memory, sizeof(thTogetherKept));
    together->kept[1] = thiArray(memory, sizeof(thTogetherKept));
    together->members = thiArray(memory, sizeof(thTogetherMember));
    together->parties = thiArray(memory, sizeof(thParty));
    together->order = thiArray(memory, sizeof(int32_t));
    together->memberOfRow = thiArray(memory, sizeof(int32_t));
    together->placeOfSlot = thiArray(memory, sizeof(int32_t));
    together->starts = thiArray(memory, sizeof(int32_t));
}

void thiFreeTogether(thTogether* together)
{
    thiArrayFree(&together->kept[0]);
    thiArrayFree(&together->kept[1]);
    thiArrayFree(&together->members);
    thiArrayFree(&together->parties);
    thiArrayFree(&together->order);
    thiArrayFree(&together->memberOfRow);
    thiArrayFree(&together->placeOfSlot);
    thiArrayFree(&together->starts);
}

// What is kept.

thTogetherKept thiKeptTogether(const thTogether* together, int32_t slot, uint64_t key)
{
    const thArray* kept = &together->kept[together->current];
    if (slot < kept->count && TH_ITEMS(*kept, thTogetherKept)[slot].key == key)
        return TH_ITEMS(*kept, thTogetherKept)[slot];
    return (thTogetherKept){0};
}

// Room for what is kept of so many slots; new ones are nobody's.
static thResult growKept(thArray* kept, int32_t count)
{
    TH_TRY(thiArrayReserveAmply(kept, count));
    if (count > kept->count)
        memset(TH_ITEMS(*kept, thTogetherKept) + kept->count, 0,
               (size_t)(count - kept->count) * sizeof(thTogetherKept));
    kept->count = TH_MAX(kept->count, count);
    return th_resultOk;
}

thResult thiKeepTogether(thTogether* together, int32_t slot, const thTogetherKept* kept)
{
    thArray* all = &together->kept[together->current];
    TH_TRY(growKept(all, slot + 1));
    TH_ITEMS(*all, thTogetherKept)[slot] = *kept;
    return th_resultOk;
}

void thiTurnTogether(thTogether* together)
{
    if (together->isUsed)
        together->current = 1 - together->current;
}

// Members.

static bool keepsTogether(const thProfile* profile)
{
    return profile->def.together.reach > 0.0f;
}

static bool isAnyUsed(const thWorld* world)
{
    for (int32_t slot = 0; slot < world->profiles.items.count; ++slot)
        if (thiProfiles(world)[slot].agentCount > 0 && keepsTogether(&thiProfiles(world)[slot]))
            return true;
    return false;
}

// Who is led by the host, holds its place or is there already, waits for nobody, and nobody for it;
// nor is anybody waited for who wants to go nowhere.
static bool isMember(const thWorld* world, const thFrame* frame, int32_t row)
{
    const uint32_t others = th_agentExternal | th_agentHolds | th_agentArrived;
    if (frame->group[row] < 0 || (frame->flags[row] & others) != 0 ||
        !keepsTogether(&thiProfiles(world)[frame->profile[row]]))
        return false;
    const thVec2 wanted =
        thiKeptTogether(&world->together, frame->slot[row], frame->key[row]).wanted;
    return frame->goal[row] >= 0 || thiDot(wanted, wanted) > 0.0f;
}

// Where each member's row is now. False if there are others than before.
static bool findMembers(thWorld* world, const thFrame* frame)
{
    thTogether* together = &world->together;
    const int32_t* places = TH_ITEMS(together->placeOfSlot, int32_t);
    int32_t* memberOfRow = TH_ITEMS(together->memberOfRow, int32_t);
    int32_t found = 0;
    bool isSame = true;
    for (int32_t row = 0; row < frame->count; ++row) {
        memberOfRow[row] = NOBODY;
        if (!isMember(world, frame, row))
            continue;
        found += 1;
        const int32_t slot = frame->slot[row];
        const int32_t place = slot < together->placeOfSlot.count ? places[slot] : NOBODY;
        thTogetherMember* member = place >= 0 ? &members(together)[place] : NULL;
        if (member == NULL || member->key != frame->key[row] ||
            member->group != frame->group[row]) {
            isSame = false;
            continue;
        }
        member->row = row;
        memberOfRow[row] = place;
    }
    return isSame && found == together->members.count;
}

static int byGroupAndKey(const void* left, const void* right)
{
    const thTogetherMember *a = left, *b = right;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return a->key < b->key ? -1 : a->key > b->key;
}

static thResult sortMembers(thWorld* world, const thFrame* frame)
{
    thTogether* together = &world->together;
    int32_t count = 0, slotCount = 0;
    for (int32_t row = 0; row < frame->count; ++row)
        count += isMember(world, frame, row);
    TH_TRY(thiArrayReserveAmply(&together->members, count));
    TH_TRY(thiArrayReserveAmply(&together->parties, count));
    TH_TRY(thiArrayReserveAmply(&together->order, count));
    TH_TRY(thiArrayReserveAmply(&together->starts, (int64_t)count + 1));
    together->members.count = 0;
    for (int32_t row = 0; row < frame->count; ++row) {
        if (!isMember(world, frame, row))
            continue;
        *(thTogetherMember*)thiArrayAdd(&together->members, 1) =
            (thTogetherMember){.key = frame->key[row],
                               .group = frame->group[row],
                               .slot = frame->slot[row],
                               .row = row,
                               .party = NOBODY};
        slotCount = TH_MAX(slotCount, frame->slot[row] + 1);
    }
    if (count > 1)
        qsort(members(together), (size_t)count, sizeof(thTogetherMember), byGroupAndKey);
    TH_TRY(thiArrayReserveAmply(&together->placeOfSlot, slotCount));
    together->placeOfSlot.count = slotCount;
    for (int32_t slot = 0; slot < slotCount; ++slot)
        TH_ITEMS(together->placeOfSlot, int32_t)[slot] = NOBODY;
    for (int32_t i = 0; i < count; ++i) {
        TH_ITEMS(together->placeOfSlot, int32_t)[members(together)[i].slot] = i;
        TH_ITEMS(together->memberOfRow, int32_t)[members(together)[i].row] = i;
    }
    together->starts.count = 0;
    int32_t* starts = TH_ITEMS(together->starts, int32_t);
    for (int32_t i = 0; i < count; ++i)
        if (i == 0 || members(together)[i].group != members(together)[i - 1].group)
            starts[together->starts.count++] = i;
    starts[together->starts.count] = count;
    return th_resultOk;
}

// Parties.

typedef struct PartyLoop {
    thWorld* world;
    const thFrame* frame;
} PartyLoop;

static thPartyTask taskOf(const PartyLoop* loop, int32_t workerIndex)
{
    thWorker* worker = &TH_ITEMS(loop->world->workers, thWorker)[workerIndex];
    thiArenaReset(&worker->scratch);
    return (thPartyTask){&loop->world->together, loop->frame, thiProfiles(loop->world),
                         &worker->scratch};
}

static void makeParties(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    const PartyLoop* loop = context;
    const int32_t* starts = TH_ITEMS(loop->world->together.starts, int32_t);
    for (int32_t i = begin; i < end; ++i) {
        const thPartyTask task = taskOf(loop, workerIndex);
        if (!thiMakeParties(&task, starts[i], starts[i + 1]))
            TH_ITEMS(loop->world->workers, thWorker)[workerIndex].outOfMemory = true;
    }
}

static void keepPartiesClear(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    const PartyLoop* loop = context;
    const thTogether* together = &loop->world->together;
    const int32_t* starts = TH_ITEMS(together->starts, int32_t);
    const thParty* parties = TH_ITEMS(together->parties, thParty);
    for (int32_t i = begin; i < end; ++i)
        for (int32_t at = starts[i]; at < starts[i + 1]; at += parties[at].count) {
            const thPartyTask task = taskOf(loop, workerIndex);
            if (parties[at].count > 1 && !thiKeepPartyClear(&task, at))
                TH_ITEMS(loop->world->workers, thWorker)[workerIndex].outOfMemory = true;
        }
}

static bool isOutOfMemory(const thWorld* world)
{
    bool isOut = false;
    for (int32_t w = 0; w < world->workers.count; ++w)
        isOut = isOut || TH_ITEMS(world->workers, thWorker)[w].outOfMemory;
    return isOut;
}

thResult thiPrepareTogether(thWorld* world, const thFrame* frame)
{
    thTogether* together = &world->together;
    together->isUsed = isAnyUsed(world);
    if (!together->isUsed)
        return th_resultOk;
    const int32_t slotCount = world->agents.view.count;
    TH_TRY(growKept(&together->kept[0], slotCount));
    TH_TRY(growKept(&together->kept[1], slotCount));
    if (slotCount > 0)
        memcpy(together->kept[1 - together->current].data, together->kept[together->current].data,
               (size_t)slotCount * sizeof(thTogetherKept));
    TH_TRY(thiArrayReserveAmply(&together->memberOfRow, frame->count));
    if (!findMembers(world, frame))
        TH_TRY(sortMembers(world, frame));
    if (together->members.count == 0)
        return th_resultOk;
    PartyLoop loop = {world, frame};
    thTasks_ParallelFor(world->tasks, together->starts.count, GROUP_GRAIN, makeParties, &loop);
    if (!isOutOfMemory(world))
        thTasks_ParallelFor(world->tasks, together->starts.count, GROUP_GRAIN, keepPartiesClear,
                            &loop);
    return isOutOfMemory(world) ? th_resultNoMemory : th_resultOk;
}

// Walking.

// The party of an agent, and what it is in it; NULL: it is in none.
static const thParty* partyOf(const thTogether* together, int32_t row,
                              const thTogetherMember** member)
{
    const int32_t index = TH_ITEMS(together->memberOfRow, int32_t)[row];
    if (index < 0 || members(together)[index].party < 0)
        return NULL;
    *member = &members(together)[index];
    return &TH_ITEMS(together->parties, thParty)[(*member)->party];
}

// Whether it stands in a door, or in a passage that is no wider.
static bool isInDoor(const thFrame* frame, int32_t row, thVec2 ahead)
{
    const thVec2 left = thiScale(DOOR_WIDTH, thiLeftOf(ahead));
    const int32_t x = frame->px[row], y = frame->py[row], level = frame->level[row];
    float toLeft = 1.0f, toRight = 1.0f;
    thiWallsCastRay(frame->wallGrid, level, x, y, x + thiUnits(left.x), y + thiUnits(left.y),
                    &toLeft);
    thiWallsCastRay(frame->wallGrid, level, x, y, x - thiUnits(left.x), y - thiUnits(left.y),
                    &toRight);
    return toLeft + toRight < 1.0f;
}

// Whether it stands among so many who are not of its party that they want to come past.
static bool isInCrowd(const thTogether* together, const thFrame* frame, int32_t row, int32_t party)
{
    int32_t rows[64];
    const int32_t found = thFrame_FindAround(frame, row, CROWD_WITHIN, rows, 64);
    int32_t others = TH_MAX(found - 64, 0);
    for (int32_t i = 0; i < TH_MIN(found, 64); ++i)
        others += !thiIsOfParty(together, rows[i], party);
    return others >= CROWD;
}

static float between(float low, float value, float high)
{
    return value < low ? low : value > high ? high : value;
}

// The velocity that keeps the party clear of others. They do not stop it: it only goes more to the
// side.
static thVec2 keepClear(const thParty* party, thVec2 velocity, thVec2 ahead, float least)
{
    for (int32_t k = 0; k < party->planeCount; ++k) {
        const float beyond = thiDot(party->planes[k].along, velocity) - party->planes[k].limit;
        if (beyond > 0.0f)
            velocity = thiAddScaled(velocity, -beyond, party->planes[k].along);
    }
    const float missing = least - thiDot(velocity, ahead);
    return missing > 0.0f ? thiAddScaled(velocity, missing, ahead) : velocity;
}

// What a member wants, bent towards its place: slower if it is ahead of it, as fast as it likes if
// it is behind; sideways in proportion to how fast it walks.
static thVec2 bend(const thTogether* together, const thFrame* frame, const thParty* party,
                   const thTogetherMember* member, thVec2 guide, float left, float maxSpeed)
{
    const float speed = sqrtf(thiDot(guide, guide));
    const thVec2 ahead = thiScale(1.0f / speed, guide);
    const float pace = TH_MIN(party->pace, speed);
    const float off = member->onward - between(-ONWARD_SLACK, member->onward, ONWARD_SLACK);
    float onward = between(LEAST_SHARE * pace, pace + ONWARD_RATE * off, speed);
    if (member->onward < -WAITS_FROM && (isInDoor(frame, member->row, ahead) ||
                                         isInCrowd(together, frame, member->row, member->party)))
        onward = TH_MAX(onward, LEAST_SHARE_IN_WAY * pace);
    const float fade = left > 0.0f ? TH_MIN(left / GOAL_NEAR, 1.0f) : 1.0f; // 0: nobody knows
    const float most = MOST_SIDEWAYS * onward * party->freedom * fade;
    const float sideways = between(-most, SIDEWAYS_RATE * member->sideways, most);
    thVec2 bent = thiScale(onward, ahead);
    bent = thiAddScaled(bent, sideways, thiLeftOf(party->ahead));
    bent = keepClear(party, bent, ahead, LEAST_ONWARD * onward);
    const float lengthSq = thiDot(bent, bent);
    return lengthSq > maxSpeed * maxSpeed ? thiScale(maxSpeed / sqrtf(lengthSq), bent) : bent;
}

void thiWalkTogether(thWorld* world, const thBatch* batch)
{
    thTogether* together = &world->together;
    const thFrame* frame = batch->frame;
    if (!together->isUsed || batch->count == 0 ||
        !keepsTogether(&thiProfiles(world)[frame->profile[batch->row[0]]]))
        return;
    thTogetherKept* kept = TH_ITEMS(together->kept[1 - together->current], thTogetherKept);
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        const int32_t row = batch->row[lane];
        const thVec2 guide = {batch->guideX[lane], batch->guideY[lane]};
        const int32_t slot = frame->slot[row];
        if (frame->group[row] < 0)
            continue;
        // Planners tell no way to those who were told to wait.
        const bool waits = (frame->flags[row] & th_agentWaiting) != 0;
        const float left =
            waits ? thiKeptTogether(together, slot, frame->key[row]).left : batch->remaining[lane];
        kept[slot] = (thTogetherKept){.key = frame->key[row], .wanted = guide, .left = left};
        const thTogetherMember* member;
        const thParty* party = partyOf(together, row, &member);
        if (party == NULL || !(thiDot(guide, guide) > 1.0e-6f))
            continue;
        const thVec2 bent = bend(together, frame, party, member, guide, batch->remaining[lane],
                                 batch->maxSpeed[lane]);
        batch->guideX[lane] = bent.x;
        batch->guideY[lane] = bent.y;
    }
}

// What it shows.

static void addText(thExplanation* to, const char* text)
{
    thMark mark = thDefaultMark();
    mark.label = text;
    thExplanation_Add(to, &mark);
}

static const char* nameOf(thFormation formation)
{
    static const char* const names[] = {"abreast", "in a V", "in a file"};
    return names[formation];
}

void thiExplainTogether(const thWorld* world, const thBatch* batch, int32_t lane, thExplanation* to)
{
    const thTogether* together = &world->together;
    const thTogetherMember* member;
    const thParty* party = together->isUsed && together->members.count > 0
                               ? partyOf(together, batch->row[lane], &member)
                               : NULL;
    if (party == NULL)
        return;
    const thVec2 left = thiLeftOf(party->ahead);
    const thVec2 place =
        thiAddScaled(thiScale(member->onward, party->ahead), member->sideways, left);
    thMark mark = thDefaultMark();
    mark.kind = th_markPoint;
    mark.space = th_spacePlace;
    mark.points = &place;
    mark.pointCount = 1;
    mark.label = "its place in its group";
    thExplanation_Add(to, &mark);
    for (int32_t k = 0; k < party->planeCount; ++k) {
        const thPartyPlane* plane = &party->planes[k];
        const thVec2 points[2] = {thiScale(plane->limit, plane->along), thiNegate(plane->along)};
        thMark half = thDefaultMark();
        half.kind = th_markHalfPlane;
        half.points = points;
        half.pointCount = 2;
        half.cause = th_causeAgent;
        half.whose = plane->whose;
        half.label = "another group, passed as a whole";
        thExplanation_Add(to, &half);
    }
    char text[160];
    snprintf(text, sizeof text, "together: %d walk %s%s, %.1f m of room", (int)party->count,
             nameOf(party->formation),
             party->count > party->abreast && party->abreast > 1 ? ", in ranks" : "",
             (double)(party->left + party->right));
    addText(to, text);
    if (member->onward < -WAITS_FROM)
        addText(to, "together: waits for those behind");
    else if (member->onward > WAITS_FROM)
        addText(to, "together: catches up");
}
