// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What a party of a group does as a whole: who belongs to it, the formation that fits into the
// room, everybody's place, and how it keeps clear of others.

#include "sim/together/party.h"

#include "base/float_math.h"
#include "geom/fixed.h"
#include "geom/vec2.h"
#include "sim/profiles.h"
#include "space/walls.h"
#include "velocity/tangent_cone.h"

#include <math.h>
#include <stdlib.h>

// Slower than this nobody has a direction. [m/s]
#define LEAST_SPEED 0.05f
// Where goals differ, members part whose wishes differ by more than 60°. They are nowhere along the
// way. [cosine; m]
#define SAME_WAY 0.5f
#define PARTED (-TH_FAR_OUTSIDE)
// Free ground that is left on both sides of a formation. [m]
#define MARGIN 0.1f
// How far ahead room is looked for. [m]
#define ROOM_AHEAD 1.5f
// Those are looked at who come against a party within so far, and who will be there within so
// long. [m, s]
#define AGAINST_WITHIN 4.0f
#define AGAINST_SOON 3.0f
#define LEAST_CLOSING 0.3f
// People to a square metre within so far: from the first number on they are a crowd, and with the
// second there is no room for formations. [m, 1/m²]
#define CROWD_WITHIN 2.5f
#define CROWD_FROM 0.8f
#define CROWD_FULL 1.6f
// How far a formation goes aside as a whole at most. [m]
#define MOST_SHIFT 1.0f
// Who is further from the middle than that has other worries than its place beside others. [m]
#define NEAR_MIDDLE 6.0f
// Gap that those leave who follow in the next rank, where they keep a pace: see sim/pace/pace.h.
// [m]
#define STANDING_GAP 0.05f
// How far other parties are seen, and how long before they would meet they are kept clear of.
// [m, s]
#define PARTIES_WITHIN 12.0f
#define PARTY_HORIZON 4.0f
// Parties that reach this much further than bodies side by side in a square are too scattered to be
// passed as a whole.
#define SPREAD 2.5f
// Slower ones stand. [m/s]
#define STANDS 0.2f
// Two ways round are as good as each other if they differ by no more than that. [m/s]
#define AS_GOOD 0.1f
// Pairs of members whose bodies are looked at one by one. More are taken for two discs.
#define MOST_PAIRS 144

static thTogetherMember* members(const thTogether* together)
{
    return TH_ITEMS(together->members, thTogetherMember);
}

// Who is where.

// Who is within a radius of the mean place of a party, in the order of keys. NULL when memory is
// out.
static const int32_t* findAround(const thPartyTask* task, const thParty* party, float radius,
                                 int32_t* count)
{
    int32_t capacity = 64;
    for (;;) {
        int32_t* rows = thiArenaAllocate(task->scratch, (size_t)capacity * sizeof *rows);
        if (rows == NULL)
            return NULL;
        *count = thFrame_FindWithin(task->frame, party->level, party->x, party->y, radius, rows,
                                    capacity);
        if (*count <= capacity)
            return rows;
        capacity = 2 * *count;
    }
}

static thVec2 fromMiddle(const thFrame* frame, const thParty* party, int32_t row)
{
    return (thVec2){thiMetresBetween(party->x, frame->px[row]),
                    thiMetresBetween(party->y, frame->py[row])};
}

static thVec2 unitOrNone(thVec2 v, float least)
{
    const float lengthSq = thiDot(v, v);
    return lengthSq > least * least ? thiScale(1.0f / sqrtf(lengthSq), v) : (thVec2){0.0f, 0.0f};
}

// Where some members want to go together; if they want nothing, where they are going.
static thVec2 directionOf(const thTogether* together, const thFrame* frame, const int32_t* order,
                          int32_t count)
{
    thVec2 wanted = {0.0f, 0.0f}, going = {0.0f, 0.0f};
    for (int32_t i = 0; i < count; ++i) {
        const thTogetherMember* member = &members(together)[order[i]];
        const thTogetherKept kept = thiKeptTogether(together, member->slot, member->key);
        wanted = thiAddScaled(wanted, 1.0f, unitOrNone(kept.wanted, LEAST_SPEED));
        going.x += frame->vx[member->row];
        going.y += frame->vy[member->row];
    }
    const thVec2 ahead = unitOrNone(wanted, 0.1f);
    return thiDot(ahead, ahead) > 0.0f ? ahead : unitOrNone(going, LEAST_SPEED * (float)count);
}

// Whether all have the same way before them, and have told how long it is.
static bool haveOneWay(const thTogether* together, const thFrame* frame, const int32_t* order,
                       int32_t count)
{
    const int32_t first = members(together)[order[0]].row;
    for (int32_t i = 0; i < count; ++i) {
        const thTogetherMember* member = &members(together)[order[i]];
        const thTogetherKept kept = thiKeptTogether(together, member->slot, member->key);
        if (frame->goal[member->row] != frame->goal[first] ||
            frame->goalIndex[member->row] != frame->goalIndex[first] || !(kept.left > 0.0f) ||
            frame->goal[first] < 0)
            return false;
    }
    return true;
}

// Whether a member wants to go elsewhere than the others.
static bool isParting(const thTogether* together, const thTogetherMember* member, thVec2 ahead)
{
    const thVec2 wanted = thiKeptTogether(together, member->slot, member->key).wanted;
    return thiDot(wanted, ahead) < SAME_WAY * sqrtf(thiDot(wanted, wanted));
}

// How far ahead each is: by what is left of its path, so that a bend makes no difference; if that
// cannot be compared, along the direction of all, from which some may part.
static void measureAhead(const thTogether* together, const thFrame* frame, const int32_t* order,
                         int32_t count)
{
    const bool isOneWay = haveOneWay(together, frame, order, count);
    const thVec2 ahead = directionOf(together, frame, order, count);
    const int32_t from = members(together)[order[0]].row;
    for (int32_t i = 0; i < count; ++i) {
        thTogetherMember* member = &members(together)[order[i]];
        const thVec2 place = {thiMetresBetween(frame->px[from], frame->px[member->row]),
                              thiMetresBetween(frame->py[from], frame->py[member->row])};
        member->ahead = isOneWay ? -thiKeptTogether(together, member->slot, member->key).left
                                 : thiDot(ahead, place);
        if (!isOneWay && thiDot(ahead, ahead) > 0.0f && isParting(together, member, ahead))
            member->ahead = PARTED;
    }
}

// An item that is put in order by a number, the greatest first, then by key.
typedef struct Ranked {
    float by;
    int32_t member;
    uint64_t key;
} Ranked;

static int greatestFirst(const void* left, const void* right)
{
    const Ranked *a = left, *b = right;
    if (a->by != b->by)
        return a->by > b->by ? -1 : 1;
    return a->key < b->key ? -1 : a->key > b->key;
}

// The means of a party.
static void measure(const thTogether* together, const thFrame* frame, const int32_t* order,
                    thParty* party)
{
    int64_t x = 0, y = 0;
    party->pace = TH_FAR_OUTSIDE;
    for (int32_t i = 0; i < party->count; ++i) {
        const thTogetherMember* member = &members(together)[order[i]];
        const int32_t row = member->row;
        x += frame->px[row];
        y += frame->py[row];
        party->velocity.x += frame->vx[row];
        party->velocity.y += frame->vy[row];
        party->radius = TH_MAX(party->radius, frame->radius[row]);
        party->key = i == 0 ? member->key : TH_MIN(party->key, member->key);
        if (frame->prefSpeed[row] > LEAST_SPEED)
            party->pace = TH_MIN(party->pace, frame->prefSpeed[row]);
    }
    party->x = (int32_t)(x / party->count);
    party->y = (int32_t)(y / party->count);
    party->velocity = thiScale(1.0f / (float)party->count, party->velocity);
    party->level = frame->level[members(together)[order[0]].row];
    party->ahead = directionOf(together, frame, order, party->count);
    for (int32_t i = 0; i < party->count; ++i) {
        const int32_t row = members(together)[order[i]].row;
        const thVec2 from = fromMiddle(frame, party, row);
        party->reach = TH_MAX(party->reach, sqrtf(thiDot(from, from)) + frame->radius[row]);
    }
}

// Room.

// How far it is to a wall, at most `reach`.
static float castRay(const thFrame* frame, int32_t level, int32_t x, int32_t y, thVec2 along,
                     float reach)
{
    float fraction = 1.0f;
    const int32_t toX = x + thiUnits(along.x * reach), toY = y + thiUnits(along.y * reach);
    thiWallsCastRay(frame->wallGrid, level, x, y, toX, toY, &fraction);
    return fraction * reach;
}

static void lookForWalls(const thFrame* frame, thVec2 ahead, int32_t row, float aside, float reach,
                         thParty* party)
{
    const int32_t level = frame->level[row], x = frame->px[row], y = frame->py[row];
    const thVec2 left = thiLeftOf(ahead);
    const float onward = 0.9f * castRay(frame, level, x, y, ahead, ROOM_AHEAD);
    for (int32_t i = 0; i < 2; ++i) {
        const float by = i == 0 ? 0.0f : onward;
        const int32_t fromX = x + thiUnits(ahead.x * by), fromY = y + thiUnits(ahead.y * by);
        const float toLeft = castRay(frame, level, fromX, fromY, left, reach) + aside;
        const float toRight = castRay(frame, level, fromX, fromY, thiNegate(left), reach) - aside;
        party->left = TH_MIN(party->left, toLeft);
        party->right = TH_MIN(party->right, toRight);
    }
}

bool thiIsOfParty(const thTogether* together, int32_t row, int32_t party)
{
    const int32_t index = TH_ITEMS(together->memberOfRow, int32_t)[row];
    if (index < 0)
        return false;
    const thTogetherMember* member = &members(together)[index];
    // A party is named by a member of its group. Those of other groups may be written right now.
    return member->group == members(together)[party].group && member->party == party;
}

// People who come against the party leave it what is beside them.
static void lookForOthers(const thTogether* together, const thFrame* frame, int32_t index,
                          float reach, const int32_t* rows, int32_t count, thParty* party)
{
    int32_t around = 0;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t row = rows[i];
        if (thiIsOfParty(together, row, index))
            continue;
        const thVec2 from = fromMiddle(frame, party, row);
        around += thiDot(from, from) <= CROWD_WITHIN * CROWD_WITHIN;
        const thVec2 relative = {frame->vx[row] - party->velocity.x,
                                 frame->vy[row] - party->velocity.y};
        const float along = thiDot(from, party->ahead), aside = thiDet(party->ahead, from);
        const float closing = -thiDot(relative, party->ahead), radius = frame->radius[row];
        if (!(along > 0.0f) || !(closing > LEAST_CLOSING) || along > AGAINST_SOON * closing ||
            fabsf(aside) > reach + radius)
            continue;
        if (aside >= 0.0f)
            party->left = TH_MIN(party->left, aside - radius);
        else
            party->right = TH_MIN(party->right, -aside - radius);
    }
    const float density = (float)around / (TH_PI * CROWD_WITHIN * CROWD_WITHIN);
    const float freedom = (CROWD_FULL - density) / (CROWD_FULL - CROWD_FROM);
    party->freedom = TH_MIN(TH_MAX(freedom, 0.0f), 1.0f);
}

// Formation.

// The first of these that fits into the room, for as many abreast as possible: side by side; in a
// V, which is narrower; one behind the other. Returns how far neighbours are from each other across
// the way.
static float chooseFormation(float spacing, int32_t most, thParty* party)
{
    const float room = party->left + party->right - 2.0f * (party->radius + MARGIN);
    for (int32_t abreast = TH_MIN(most, party->count); abreast > 1; --abreast) {
        const float across = room / (float)(abreast - 1);
        // Those who are one step back on both sides of the middle are beside each other.
        const float least =
            TH_MAX(0.5f * spacing, abreast > 3 ? 2.0f * party->radius + MARGIN : 0.0f);
        party->abreast = abreast;
        party->formation = th_formationAbreast;
        if (across >= spacing)
            return spacing;
        party->formation = th_formationV;
        if (abreast > 2 && across >= least)
            return across;
    }
    party->abreast = 1;
    party->formation = th_formationFile;
    return 0.0f;
}

// How far the whole goes to the left, so that as little as possible of it stands where there is no
// room.
static float shiftFor(const thParty* party, float half)
{
    const float tooLeft = half - party->left, tooRight = half - party->right;
    float shift = 0.0f;
    if (tooLeft > 0.0f && tooRight > 0.0f)
        shift = 0.5f * (tooRight - tooLeft);
    else if (tooLeft > 0.0f)
        shift = -TH_MIN(tooLeft, -tooRight);
    else if (tooRight > 0.0f)
        shift = TH_MIN(tooRight, -tooLeft);
    return TH_MIN(TH_MAX(shift, -MOST_SHIFT), MOST_SHIFT);
}

// One rank: from left to right, and how far back each is for the V.
static void placeRank(const thTogether* together, const thFrame* frame, const thParty* party,
                      const int32_t* order, int32_t count, float across, float spacing,
                      float backward, Ranked* ranked)
{
    const float step = sqrtf(TH_MAX(spacing * spacing - across * across, 0.0f));
    for (int32_t i = 0; i < count; ++i) {
        const thTogetherMember* member = &members(together)[order[i]];
        const float aside = thiDet(party->ahead, fromMiddle(frame, party, member->row));
        ranked[i] = (Ranked){aside, order[i], member->key};
    }
    qsort(ranked, (size_t)count, sizeof *ranked, greatestFirst);
    for (int32_t i = 0; i < count; ++i) {
        thTogetherMember* member = &members(together)[ranked[i].member];
        const int32_t back = party->formation == th_formationV ? TH_MIN(i, count - 1 - i) : 0;
        const float place = across * (0.5f * (float)(count - 1) - (float)i) + party->shift;
        member->sideways = place - ranked[i].by;
        member->onward = -backward - (float)back * step;
    }
}

// Everybody's place: ranks one behind the other, about the middle of all.
static void placeMembers(const thTogether* together, const thFrame* frame, const int32_t* order,
                         float across, float spacing, float behind, thParty* party, Ranked* ranked)
{
    const int32_t ranks = (party->count + party->abreast - 1) / party->abreast;
    const int32_t least = party->count / ranks, more = party->count % ranks;
    for (int32_t rank = 0, at = 0; rank < ranks; ++rank) {
        const int32_t count = least + (rank < more);
        placeRank(together, frame, party, order + at, count, across, spacing, (float)rank * behind,
                  ranked);
        at += count;
    }
    float places = 0.0f, ahead = 0.0f;
    for (int32_t i = 0; i < party->count; ++i) {
        places += members(together)[order[i]].onward;
        ahead += members(together)[order[i]].ahead;
    }
    const float share = 1.0f / (float)party->count;
    for (int32_t i = 0; i < party->count; ++i) {
        thTogetherMember* member = &members(together)[order[i]];
        const thVec2 from = fromMiddle(frame, party, member->row);
        member->onward = (member->onward - share * places) - (member->ahead - share * ahead);
        if (thiDot(from, from) > NEAR_MIDDLE * NEAR_MIDDLE)
            member->sideways = 0.0f;
    }
}

// False when memory is out.
static bool formParty(const thPartyTask* task, int32_t index, thParty* party, Ranked* ranked)
{
    const thTogether* together = task->together;
    const thFrame* frame = task->frame;
    const int32_t* order = TH_BEHIND(TH_ITEMS(together->order, int32_t), party->first);
    measure(together, frame, order, party);
    const thTogetherMember* middle = &members(together)[order[party->count / 2]];
    const thProfileDef* def = &task->profiles[frame->profile[middle->row]].def;
    const float spacing = 2.0f * party->radius + def->together.gap;
    const int32_t most = TH_MIN(def->together.abreast, party->count);
    const float widest = 0.5f * spacing * (float)(most - 1) + party->radius + MARGIN;
    const float reach = widest + MOST_SHIFT;
    party->left = party->right = reach;
    if (thiDot(party->ahead, party->ahead) > 0.0f) {
        const float aside = thiDet(party->ahead, fromMiddle(frame, party, middle->row));
        lookForWalls(frame, party->ahead, middle->row, aside, reach, party);
        int32_t count;
        const int32_t* rows = findAround(task, party, AGAINST_WITHIN, &count);
        if (rows == NULL)
            return false;
        lookForOthers(together, frame, index, reach, rows, count, party);
    }
    const float across = chooseFormation(spacing, most, party);
    party->shift =
        shiftFor(party, 0.5f * across * (float)(party->abreast - 1) + party->radius + MARGIN);
    const float speed = TH_MIN(party->pace, sqrtf(thiDot(party->velocity, party->velocity)));
    const float behind =
        2.0f * party->radius + TH_MAX(def->together.gap, STANDING_GAP + def->pace.timeGap * speed);
    placeMembers(together, frame, order, across, spacing, behind, party, ranked);
    return true;
}

bool thiMakeParties(const thPartyTask* task, int32_t begin, int32_t end)
{
    const thTogether* together = task->together;
    const thFrame* frame = task->frame;
    int32_t* order = TH_ITEMS(together->order, int32_t);
    thParty* parties = TH_ITEMS(together->parties, thParty);
    const int32_t count = end - begin;
    Ranked* ranked = thiArenaAllocate(task->scratch, (size_t)count * sizeof *ranked);
    if (ranked == NULL)
        return false;
    for (int32_t i = begin; i < end; ++i)
        order[i] = i;
    measureAhead(together, frame, order + begin, count);
    for (int32_t i = 0; i < count; ++i)
        ranked[i] = (Ranked){members(together)[begin + i].ahead, begin + i,
                             members(together)[begin + i].key};
    qsort(ranked, (size_t)count, sizeof *ranked, greatestFirst);
    for (int32_t i = 0; i < count; ++i)
        order[begin + i] = ranked[i].member;
    const float reach =
        task->profiles[frame->profile[members(together)[begin].row]].def.together.reach;
    for (int32_t first = begin; first < end;) {
        int32_t last = first + 1; // those who are too far behind are of another party
        while (last < end && members(together)[order[last]].ahead != PARTED &&
               members(together)[order[last - 1]].ahead - members(together)[order[last]].ahead <=
                   reach)
            last += 1;
        for (int32_t i = first; i < last; ++i)
            members(together)[order[i]].party = last - first > 1 ? first : -1;
        parties[first] = (thParty){.first = first, .count = last - first};
        if (last - first > 1 && !formParty(task, first, &parties[first], ranked))
            return false;
        first = last;
    }
    return true;
}

// Other parties.

// The cone of velocities that lead into another party, from the mean place of this one.
static bool coneBetween(const thPartyTask* task, const thParty* party, const thParty* other,
                        thTangentCone* cone)
{
    const thFrame* frame = task->frame;
    const int32_t* order = TH_ITEMS(task->together->order, int32_t);
    const thVec2 between = {thiMetresBetween(party->x, other->x),
                            thiMetresBetween(party->y, other->y)};
    thTangentSweep sweep = thiBeginSweep(between);
    cone->front = unitOrNone(between, 0.0f);
    cone->distance = TH_FAR_OUTSIDE;
    if ((int64_t)party->count * other->count > MOST_PAIRS) {
        const float radius = party->reach + other->reach;
        thiSweepDisc(&sweep, between, radius);
        cone->distance = thiDot(cone->front, between) - radius;
        return thiEndSweep(&sweep, cone);
    }
    for (int32_t i = 0; i < party->count; ++i) {
        const int32_t a = members(task->together)[order[party->first + i]].row;
        for (int32_t k = 0; k < other->count; ++k) {
            const int32_t b = members(task->together)[order[other->first + k]].row;
            const thVec2 place = {thiMetresBetween(frame->px[a], frame->px[b]),
                                  thiMetresBetween(frame->py[a], frame->py[b])};
            const float radius = frame->radius[a] + frame->radius[b];
            thiSweepDisc(&sweep, place, radius);
            cone->distance = TH_MIN(cone->distance, thiDot(cone->front, place) - radius);
        }
    }
    return thiEndSweep(&sweep, cone);
}

// Half of what keeps both clear of each other, by the side of the cone that is least far. The other
// party does its half on the same side: seen from there everything is turned by half a turn.
static bool findPlane(const thPartyTask* task, const thParty* party, const thParty* other,
                      thPartyPlane* plane)
{
    thTangentCone cone;
    if (!coneBetween(task, party, other, &cone))
        return false;
    const thRegion region = thiConeRegion(&cone, other->velocity, PARTY_HORIZON);
    float by[3] = {0.0f}; // how far this party's velocity is beyond each side
    for (int32_t k = 0; k < region.sides; ++k)
        by[k] = region.o[k] - thiDot(region.n[k], party->velocity);
    // People keep right if both ways are as good.
    int32_t side = by[th_coneLeft] > by[th_coneRight] + AS_GOOD ? th_coneLeft : th_coneRight;
    if (region.sides == 3 && by[th_coneFront] > 0.0f && by[th_coneFront] > by[side])
        side = th_coneFront;
    plane->along = region.n[side];
    plane->limit = thiDot(region.n[side], party->velocity) + 0.5f * by[side];
    plane->whose = other->key;
    return true;
}

// Whether it is a whole that others can pass, and that does its half for it. In a crowd everybody
// looks after itself.
static bool isWhole(const thParty* party)
{
    const float most = SPREAD * sqrtf((float)party->count) * 2.0f * party->radius;
    return party->freedom >= 1.0f && party->reach <= most &&
           thiDot(party->velocity, party->velocity) > STANDS * STANDS;
}

static int64_t distanceSq(const thParty* a, const thParty* b)
{
    const int64_t x = (int64_t)a->x - b->x, y = (int64_t)a->y - b->y;
    return x * x + y * y;
}

static bool isNearer(const thParty* to, const thParty* a, const thParty* b)
{
    const int64_t toA = distanceSq(to, a), toB = distanceSq(to, b);
    return toA != toB ? toA < toB : a->key < b->key;
}

bool thiKeepPartyClear(const thPartyTask* task, int32_t index)
{
    thParty* parties = TH_ITEMS(task->together->parties, thParty);
    const int32_t* memberOfRow = TH_ITEMS(task->together->memberOfRow, int32_t);
    thParty* party = &parties[index];
    int32_t found, nearest[TH_PARTY_PLANES], count = 0;
    if (!isWhole(party))
        return true;
    const int32_t* rows = findAround(task, party, PARTIES_WITHIN, &found);
    if (rows == NULL)
        return false;
    for (int32_t i = 0; i < found; ++i) {
        const int32_t member = memberOfRow[rows[i]];
        const int32_t other = member >= 0 ? members(task->together)[member].party : -1;
        bool isNew = other >= 0 && other != index && isWhole(&parties[other]);
        for (int32_t k = 0; k < count && isNew; ++k)
            isNew = nearest[k] != other;
        int32_t at = count;
        while (isNew && at > 0 && isNearer(party, &parties[other], &parties[nearest[at - 1]]))
            at -= 1;
        if (!isNew || at == TH_PARTY_PLANES)
            continue;
        count = TH_MIN(count + 1, TH_PARTY_PLANES);
        for (int32_t k = count - 1; k > at; --k)
            nearest[k] = nearest[k - 1];
        nearest[at] = other;
    }
    for (int32_t k = 0; k < count; ++k)
        if (findPlane(task, party, &parties[nearest[k]], &party->planes[party->planeCount]))
            party->planeCount += 1;
    return true;
}
