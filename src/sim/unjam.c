// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The rules of jams.h, for one agent after the other.

#include "base/hash.h"
#include "geom/fixed.h"
#include "sim/jam_lanes.h"
#include "space/wall_ends.h"
#include "throng/math.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MEMORY 2.0f        // time over which progress is judged [s]
#define ALWAYS_ASIDE 0.01f // turn of those who are not held up [rad]
#define ASIDE_SINE 0.00999983333f
#define ASIDE_COSINE 0.999950000f
#define AHEAD 0.3f      // cosine of the directions that count as ahead
#define MEETS 0.3f      // gap within which somebody is met [m]
#define SAME_WAY 0.5f   // by how much lengths of ways may differ of those who go the same way [m]
#define FORGETS 2.0f    // time after which who is held up without meeting anybody is in a queue [s]
#define PASSING_ON 0.1f // time by which who stands behind knows later of somebody met [s]
#define HALF_HELD 0.5f  // being held up that counts as waiting
#define IN_THE_WAY 0.15f // gap within which a claim is felt [m]
#define CLAIM_AHEAD 0.5f // cosine of the directions that a claim leads to
#define AGAINST (-0.3f)  // cosine from which on somebody wants to go against a claim
#define HANDED_ON 0.999f // share of a claim that is handed on
#define LEAST_DEALT 0.1f // the weakest claim of those who have waited
#define ASKS 0.02f       // that of one who has not: only those who stand hear it
#define ASKED_ON 0.5f    // share of that that is handed on, so that it ends soon
#define HOLDS 0.4f       // gap within which a claimant who sees its way cleared goes on [m]
#define HOLDS_FOR 1.5f   // [s]
#define NEAR 0.5f        // gap within which others matter at all [m]
#define HESITATES 1.0f   // how much slower one goes on who was moved back lately
#define BACK 0.7f        // share of the preferred speed with which one steps back
#define TURN_TIME 30.0f  // after which claims are dealt anew, so that nobody is last for ever [s]
#define SETTLES 0.6f     // being held up from which on one may settle among those who stand
#define TOUCHES 0.1f     // gap in shares of the radii within which one touches them

#define UNIT (1.0f / 127.0f)

#define MOST_NEAR 48 // others that are looked at

// Another agent, as seen from here.
typedef struct Other {
    thVec2 toward; // unit vector
    float gap;     // [m]
    float radii;   // their sum [m]
    int32_t row;
    const thJamShown* shown;
} Other;

// An agent while it is thought about.
typedef struct Mind {
    const thJams* jams;
    const thBatch* batch;
    int32_t lane, row;
    int32_t nearCount;
    Other near[MOST_NEAR]; // those near enough to matter, and not behind walls
    thVec2 goal;           // unit vector; zero: it does not want to go anywhere
    float speed;           // that it wants [m/s]
    float progress;        // 1: it gets what it wants
    float held;            // 0 free .. 1 held up
    float wait;            // [s]
    float contact;         // [s]
    bool arrived, shuffles;
    thVec2 claimTo;
    float claim; // 0 .. 1
    bool stepsBack, backwards;
} Mind;

static float dot(thVec2 a, thVec2 b)
{
    return a.x * b.x + a.y * b.y;
}

static thVec2 fromUnits(int8_t x, int8_t y)
{
    return (thVec2){(float)x * UNIT, (float)y * UNIT};
}

static int8_t toUnits(float value) // −1 .. 1
{
    return (int8_t)(int32_t)(127.0f * value + (value < 0.0f ? -0.5f : 0.5f));
}

static int16_t toProgress(float progress) // −1 .. 1
{
    return (int16_t)(int32_t)(progress / TH_JAM_PROGRESS_UNIT + (progress < 0.0f ? -0.5f : 0.5f));
}

static float contactOf(const thJamShown* shown)
{
    return (float)shown->contact * TH_JAM_CONTACT_UNIT;
}

static float cross(thVec2 a, thVec2 b)
{
    return a.x * b.y - a.y * b.x;
}

// Whether a wall stands between the agent and a place, given relative to it. People on both sides
// of one do not meet, though they be near.
static bool isBehindWall(const thBatch* batch, int32_t lane, thVec2 place)
{
    for (int32_t k = 0; k < batch->wallCount[lane]; ++k) {
        const int32_t wall = batch->wall[k * batch->lanes + lane];
        const thWallEnds ends = thiWallEnds(batch->frame, batch->row[lane], wall);
        const thVec2 a = ends.a, b = ends.b;
        const thVec2 along = {b.x - a.x, b.y - a.y};
        const float here = cross(along, (thVec2){-a.x, -a.y});
        const float there = cross(along, (thVec2){place.x - a.x, place.y - a.y});
        const bool between = (here < 0.0f) != (there < 0.0f);
        if (between && (cross(place, a) < 0.0f) != (cross(place, b) < 0.0f))
            return true;
    }
    return false;
}

static void lookAround(Mind* mind)
{
    const thBatch* batch = mind->batch;
    const float own = batch->radius[mind->lane];
    mind->nearCount = 0;
    for (int32_t k = 0; k < batch->neighborCount[mind->lane] && mind->nearCount < MOST_NEAR; ++k) {
        const int32_t at = k * batch->lanes + mind->lane, row = batch->nrow[at];
        const thVec2 place = {batch->nx[at], batch->ny[at]};
        const float distance = sqrtf(dot(place, place)), radii = own + batch->nradius[at];
        if (distance - radii > NEAR || isBehindWall(batch, mind->lane, place))
            continue;
        const float scale = distance > 0.0f ? 1.0f / distance : 0.0f;
        mind->near[mind->nearCount++] = (Other){{place.x * scale, place.y * scale},
                                                distance - radii,
                                                radii,
                                                row,
                                                &mind->jams->shown[mind->jams->current][row]};
    }
}

static bool hasSameGoal(const Mind* mind, const Other* other)
{
    const thFrame* frame = mind->batch->frame;
    return frame->goal[other->row] == frame->goal[mind->row] &&
           frame->goalIndex[other->row] == frame->goalIndex[mind->row];
}

// Whether both go the same way: to the same goal, and as far as it is from one to the other further
// than that at most. People who come round a corner from both sides do, though face to face.
static bool goesMyWay(const Mind* mind, const Other* other)
{
    if (!hasSameGoal(mind, other))
        return false;
    const uint16_t* rest = mind->jams->rest[mind->jams->current];
    const float further = (float)(rest[other->row] - rest[mind->row]) * TH_JAM_REST_UNIT;
    return fabsf(further) <= other->gap + other->radii + SAME_WAY;
}

// Whether the way between two places, relative to a mover's origin, leads into it.
static bool leadsIntoMover(const thMovers* movers, int32_t mover, thVec2 from, thVec2 to)
{
    const int32_t first = movers->firstCorner[mover], end = movers->firstCorner[mover + 1];
    const thVec2 way = {to.x - from.x, to.y - from.y};
    if (first == end) {
        const float along = -dot(from, way) / TH_MAX(dot(way, way), FLT_MIN);
        const float share = TH_MIN(TH_MAX(along, 0.0f), 1.0f);
        const thVec2 nearest = {from.x + share * way.x, from.y + share * way.y};
        return dot(nearest, nearest) < movers->radius[mover] * movers->radius[mover];
    }
    float enters = 0.0f, leaves = 1.0f;
    for (int32_t i = first; i < end; ++i) {
        const thVec2 a = movers->corners[i], b = movers->corners[i + 1 < end ? i + 1 : first];
        const thVec2 edge = {b.x - a.x, b.y - a.y};
        const float inFrom = cross(edge, (thVec2){from.x - a.x, from.y - a.y});
        const float inTo = cross(edge, (thVec2){to.x - a.x, to.y - a.y});
        if (inFrom < 0.0f && inTo < 0.0f)
            return false;
        if (inFrom < 0.0f)
            enters = TH_MAX(enters, inFrom / (inFrom - inTo));
        else if (inTo < 0.0f)
            leaves = TH_MIN(leaves, inFrom / (inFrom - inTo));
    }
    return enters <= leaves;
}

// Movers give no way, and no planner leads round them.
static bool isBeforeMover(const Mind* mind)
{
    const thBatch* batch = mind->batch;
    const thMovers* movers = batch->frame->movers;
    const float reach = batch->radius[mind->lane] + MEETS;
    for (int32_t k = 0; k < batch->moverCount[mind->lane]; ++k) {
        const int32_t mover = batch->mover[k * batch->lanes + mind->lane];
        const thVec2 from = {thiMetresBetween(movers->px[mover], batch->frame->px[mind->row]),
                             thiMetresBetween(movers->py[mover], batch->frame->py[mind->row])};
        const thVec2 to = {from.x + reach * mind->goal.x, from.y + reach * mind->goal.y};
        if (leadsIntoMover(movers, mover, from, to))
            return true;
    }
    return false;
}

// Whether somebody who stands in direction `toward` is in a way that leads along `to`: it needs
// room as wide as both bodies.
static bool isInWay(const Other* other, thVec2 to, thVec2 toward)
{
    return dot(to, toward) > 0.0f &&
           fabsf(cross(to, toward)) * (other->gap + other->radii) < other->radii;
}

// Whether a jam is what holds it up: somebody ahead comes against it or stands where he wants to
// be, or a mover, as far as it sees itself or those ahead have told.
static void lookAhead(Mind* mind)
{
    const float dt = mind->batch->frame->dt;
    float contact = isBeforeMover(mind) ? 0.0f : mind->contact + dt;
    for (int32_t k = 0; k < mind->nearCount; ++k) {
        const Other* other = &mind->near[k];
        const bool isStanding = (other->shown->flags & th_jamStands) != 0;
        const bool isAhead = isStanding ? isInWay(other, mind->goal, other->toward)
                                        : dot(other->toward, mind->goal) > AHEAD;
        if (other->gap > MEETS || !isAhead)
            continue;
        const float alike = dot(fromUnits(other->shown->goalX, other->shown->goalY), mind->goal);
        if ((alike < 0.0f && !goesMyWay(mind, other)) || isStanding)
            contact = 0.0f;
        else if (alike > 0.5f)
            contact = TH_MIN(contact, contactOf(other->shown) + PASSING_ON);
    }
    mind->contact = contact;
    if (contact > FORGETS)
        mind->held = 0.0f;
}

static bool seesWayCleared(const Mind* mind)
{
    for (int32_t k = 0; k < mind->nearCount; ++k) {
        const Other* other = &mind->near[k];
        if (other->gap <= HOLDS && (other->shown->flags & th_jamStepsBack) != 0 &&
            dot(other->toward, mind->goal) > AHEAD)
            return true;
    }
    return false;
}

static void wait(Mind* mind, bool steppedBack, bool claimed)
{
    const float dt = mind->batch->frame->dt;
    if (steppedBack)
        return;
    if (claimed && seesWayCleared(mind))
        mind->wait = TH_MAX(mind->wait, HOLDS_FOR);
    else
        mind->wait = mind->held > HALF_HELD ? mind->wait + dt : TH_MAX(mind->wait - dt, 0.0f);
}

// How strong its own claims are: dealt anew now and then, so that everybody comes first some time.
static float dealtTo(const Mind* mind)
{
    const thFrame* frame = mind->batch->frame;
    const uint64_t turn = (uint64_t)((float)frame->step * frame->dt / TURN_TIME);
    const uint64_t dealt = thiMix(frame->key[mind->row] + turn * 0x9E3779B97F4A7C15u);
    return LEAST_DEALT + (1.0f - LEAST_DEALT) * (float)(dealt >> 40) * 0x1p-24f;
}

// Whether it is where it wants to be.
static bool stands(const thFrame* frame, int32_t row)
{
    return frame->goal[row] < 0 || (frame->flags[row] & (th_agentArrived | th_agentWaiting)) != 0;
}

// Where to step for a claim that leads along `to`, of somebody in direction `toward`: who wants the
// other way back, who only stands aside.
static thVec2 stepFor(const Mind* mind, thVec2 to, thVec2 toward)
{
    if (!stands(mind->batch->frame, mind->row))
        return to;
    const float along = -dot(toward, to);
    const thVec2 aside = {-toward.x - along * to.x, -toward.y - along * to.y};
    const float length = sqrtf(dot(aside, aside));
    return length > 0.01f ? (thVec2){aside.x / length, aside.y / length} : (thVec2){to.y, -to.x};
}

// Who stands makes way at once, unless he stands where both want to be.
static bool asksSomebody(const Mind* mind)
{
    for (int32_t k = 0; k < mind->nearCount; ++k) {
        const Other* other = &mind->near[k];
        if ((other->shown->flags & th_jamStands) != 0 &&
            isInWay(other, mind->goal, other->toward) && !hasSameGoal(mind, other))
            return true;
    }
    return false;
}

static float handedOn(float claim)
{
    return (claim > ASKS ? HANDED_ON : ASKED_ON) * claim;
}

// Whether it is in the way of somebody's claim. Who stands need not want the other way, unless the
// claim is to the very place where it stands; for one that is handed on it waits until it has to.
static bool isClaimed(const Mind* mind, const Other* other, float strength, thVec2 to)
{
    const thVec2 here = {-other->toward.x, -other->toward.y};
    const bool isOwn = (other->shown->flags & th_jamStepsBack) == 0;
    const bool isNext = other->gap <= IN_THE_WAY;
    if (stands(mind->batch->frame, mind->row) && !(isOwn && hasSameGoal(mind, other)))
        return (isOwn || isNext) && isInWay(other, to, here);
    return strength > ASKS && isNext && dot(to, here) > CLAIM_AHEAD &&
           dot(to, mind->goal) < AGAINST;
}

// Its own claim, or that of somebody who wants to come through here.
static void claim(Mind* mind, float patience)
{
    mind->claim = mind->arrived           ? 0.0f
                  : mind->wait > patience ? dealtTo(mind)
                  : asksSomebody(mind)    ? ASKS
                                          : 0.0f;
    mind->claimTo = mind->goal;
    mind->stepsBack = false;
    for (int32_t k = 0; k < mind->nearCount; ++k) {
        const Other* other = &mind->near[k];
        if (other->shown->claim == 0)
            continue;
        const float strength = handedOn(thiJamClaim(other->shown));
        const thVec2 to = fromUnits(other->shown->claimX, other->shown->claimY);
        if (strength > mind->claim && isClaimed(mind, other, strength, to)) {
            mind->claim = strength;
            mind->claimTo = stepFor(mind, to, other->toward);
            mind->stepsBack = true;
        }
    }
}

// Whether it cannot get nearer because others stand where it wants to be.
static bool settles(const Mind* mind)
{
    const thFrame* frame = mind->batch->frame;
    for (int32_t k = 0; k < mind->nearCount; ++k) {
        const Other* other = &mind->near[k];
        if (other->gap <= TOUCHES * other->radii &&
            (frame->flags[other->row] & th_agentArrived) != 0 && hasSameGoal(mind, other))
            return true;
    }
    return false;
}

static void turnAside(const Mind* mind, const thProfileDef* def)
{
    const thBatch* batch = mind->batch;
    float* gx = &batch->guideX[mind->lane];
    float* gy = &batch->guideY[mind->lane];
    if (mind->stepsBack) {
        const float speed = BACK * batch->prefSpeed[mind->lane];
        *gx = speed * mind->claimTo.x;
        *gy = speed * mind->claimTo.y;
        return;
    }
    if (def->keep == th_keepNone || batch->nx == NULL)
        return;
    if (mind->progress < 0.0f) {
        const float share = TH_MAX(1.0f + HESITATES * mind->progress, 0.2f);
        *gx *= share;
        *gy *= share;
    }
    float sine = ASIDE_SINE, cosine = ASIDE_COSINE;
    if (mind->held > 0.0f)
        thSinCos(ALWAYS_ASIDE + def->turnAside * mind->held, &sine, &cosine);
    if (def->keep == th_keepRight)
        sine = -sine;
    const float x = *gx * cosine - *gy * sine;
    *gy = *gx * sine + *gy * cosine;
    *gx = x;
}

// Whether somebody is near enough to be in the way.
static bool isNear(const thBatch* batch, int32_t lane, int32_t at)
{
    const float x = batch->nx[at], y = batch->ny[at];
    const float reach = batch->radius[lane] + batch->nradius[at] + NEAR;
    return x * x + y * y <= reach * reach;
}

static bool hasShape(const thFrame* frame, int32_t row)
{
    return frame->shapes != NULL && frame->shapes[frame->profile[row]].count > 0;
}

// Avoidance does not see those who shuffle like itself. Both sides go by what was shown in the last
// step, so they agree. What keeps discs apart then is contacts; shapes have nothing but avoidance.
static void overlookShufflers(const thJams* jams, const thBatch* batch, int32_t lane)
{
    const thJamShown* shown = jams->shown[jams->current];
    const int32_t row = batch->row[lane];
    if ((shown[row].flags & th_jamShuffles) == 0 || hasShape(batch->frame, row))
        return;
    for (int32_t k = 0; k < batch->neighborCount[lane]; ++k) {
        const int32_t at = k * batch->lanes + lane;
        if ((shown[batch->nrow[at]].flags & th_jamShuffles) == 0 ||
            hasShape(batch->frame, batch->nrow[at]))
            continue;
        ((float*)batch->nx)[at] = ((float*)batch->ny)[at] = TH_INERT_DISTANCE;
        ((float*)batch->nvx)[at] = ((float*)batch->nvy)[at] = 0.0f;
        ((float*)batch->nradius)[at] = 0.0f;
    }
}

// Whether somebody near shows something that matters, other than where it goes and whom it met.
static bool isNearStir(const thJams* jams, const thBatch* batch, int32_t lane)
{
    const thJamShown* shown = jams->shown[jams->current];
    for (int32_t k = 0; k < batch->neighborCount[lane]; ++k) {
        const int32_t at = k * batch->lanes + lane;
        const thJamShown* other = &shown[batch->nrow[at]];
        if ((other->claim | (other->flags & ~(uint32_t)th_jamBackwards)) != 0 &&
            isNear(batch, lane, at))
            return true;
    }
    return false;
}

// In units, rounded, but never to where it was if it has become longer: small steps add up, too.
static int32_t unitsOf(float value, float unit, int32_t before, int32_t most)
{
    const int32_t units = (int32_t)TH_MIN(value / unit + 0.5f, (float)most);
    const int32_t least = value > (float)before * unit ? before + 1 : 0;
    return TH_MIN(TH_MAX(units, least), most);
}

// Of those who have further to go than can be told, all have as far.
static uint16_t restOf(const thBatch* batch, int32_t lane)
{
    const float rest = batch->remaining[lane] / TH_JAM_REST_UNIT;
    return rest > 0.0f ? (uint16_t)TH_MIN(rest, (float)UINT16_MAX) : 0;
}

static void closeMind(const Mind* mind, bool settled)
{
    const thJamShown* shownBefore = &mind->jams->shown[mind->jams->current][mind->row];
    const thJamOwn* ownBefore = &mind->jams->own[mind->jams->current][mind->row];
    const int32_t next = 1 - mind->jams->current;
    mind->jams->rest[next][mind->row] = restOf(mind->batch, mind->lane);
    const uint32_t flags =
        (mind->shuffles ? th_jamShuffles : 0u) | (mind->stepsBack ? th_jamStepsBack : 0u) |
        (mind->backwards ? th_jamBackwards : 0u) | (settled ? th_jamSettles : 0u) |
        (stands(mind->batch->frame, mind->row) ? th_jamStands : 0u);
    mind->jams->shown[next][mind->row] =
        (thJamShown){.goalX = toUnits(mind->goal.x),
                     .goalY = toUnits(mind->goal.y),
                     .claimX = toUnits(mind->claimTo.x),
                     .claimY = toUnits(mind->claimTo.y),
                     .claim = (uint16_t)(mind->claim * TH_JAM_CLAIMS),
                     .contact = (uint8_t)unitsOf(mind->contact, TH_JAM_CONTACT_UNIT,
                                                 shownBefore->contact, UINT8_MAX),
                     .flags = (uint8_t)flags};
    mind->jams->own[next][mind->row] = (thJamOwn){
        .progress = toProgress(mind->progress),
        .wait = (uint16_t)unitsOf(mind->wait, TH_JAM_WAIT_UNIT, ownBefore->wait, UINT16_MAX)};
}

// Who has begun to move backwards does so until it moves on.
static bool isBackwards(const thJamShown* before, float gets)
{
    return gets < -TH_JAM_BACKWARDS ||
           (gets < TH_JAM_BACKWARDS && (before->flags & th_jamBackwards) != 0);
}

static Mind openMind(const thJams* jams, const thBatch* batch, const thJamLanes* lanes,
                     int32_t lane)
{
    const int32_t row = batch->row[lane];
    return (Mind){.jams = jams,
                  .batch = batch,
                  .lane = lane,
                  .row = row,
                  .goal = {lanes->goalX[lane], lanes->goalY[lane]},
                  .progress = lanes->progress[lane],
                  .held = lanes->held[lane],
                  .wait = thiJamWait(&jams->own[jams->current][row]),
                  .contact = contactOf(&jams->shown[jams->current][row]),
                  .arrived = (batch->frame->flags[row] & th_agentArrived) != 0,
                  .backwards = isBackwards(&jams->shown[jams->current][row], lanes->gets[lane])};
}

// An agent that is held up, or near somebody who is.
static void unjamLane(Mind* mind, const thProfileDef* def, thJamCounts* counts)
{
    const thJamShown before = mind->jams->shown[mind->jams->current][mind->row];
    bool settled = false;
    lookAround(mind);
    if (mind->held > 0.0f)
        lookAhead(mind);
    else
        mind->contact += mind->batch->frame->dt;
    if (def->patience > 0.0f) {
        wait(mind, (before.flags & th_jamStepsBack) != 0, thiJamClaim(&before) > ASKS);
        const bool shuffled = (before.flags & th_jamShuffles) != 0;
        mind->shuffles = mind->wait > def->patience || (shuffled && mind->wait > 0.0f);
        claim(mind, def->patience);
        settled = mind->held > SETTLES && !mind->arrived && settles(mind);
        overlookShufflers(mind->jams, mind->batch, mind->lane);
    }
    turnAside(mind, def);
    closeMind(mind, settled);
    counts->shuffling += mind->shuffles;
    counts->steppingBack += mind->stepsBack;
    counts->turningBack += mind->backwards && (before.flags & th_jamBackwards) == 0;
}

// A little to the side, so that two who meet are never quite even; who does not look at others does
// not care.
static void keepSide(const thProfileDef* def, const thBatch* batch, int32_t lane)
{
    if (def->keep == th_keepNone || batch->nx == NULL)
        return;
    const float sine = def->keep == th_keepRight ? -ASIDE_SINE : ASIDE_SINE;
    const float gx = batch->guideX[lane], gy = batch->guideY[lane];
    batch->guideX[lane] = gx * ASIDE_COSINE - gy * sine;
    batch->guideY[lane] = gx * sine + gy * ASIDE_COSINE;
}

// One that is not goes only a little aside, and shows where it wants to go.
static void passLane(const thJams* jams, const thProfileDef* def, const thBatch* batch,
                     const thJamLanes* lanes, int32_t lane)
{
    const int32_t row = batch->row[lane], next = 1 - jams->current;
    keepSide(def, batch, lane);
    jams->rest[next][row] = restOf(batch, lane);
    memcpy(&jams->shown[next][row], lanes->shown[lane], sizeof(thJamShown));
    jams->own[next][row].word = lanes->own[lane];
}

void thiKeepSide(const thProfileDef* def, const thBatch* batch)
{
    for (int32_t lane = 0; lane < batch->count; ++lane)
        keepSide(def, batch, lane);
}

void thiOverlookShufflers(const thJams* jams, const thBatch* batch)
{
    for (int32_t lane = 0; lane < batch->count; ++lane)
        overlookShufflers(jams, batch, lane);
}

void thiUnjam(const thJams* jams, const thProfileDef* def, const thBatch* batch, thSimd simd,
              thJamCounts* counts)
{
    static thJudgeLanesFcn* const kernels[th_simdCount] = TH_KERNEL_TABLE(thiJudgeLanes);
    thJamLanes lanes;
    kernels[simd](&(thJamTask){.batch = batch,
                               .shown = jams->shown[jams->current],
                               .own = jams->own[jams->current],
                               .weight = TH_MIN(batch->frame->dt / MEMORY, 1.0f),
                               .slowness = def->slowness,
                               .lanes = &lanes});
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        const bool isStirred = lanes.isStirred[lane] != 0 && isNearStir(jams, batch, lane);
        if (lanes.isCalm[lane] != 0 && !isStirred) {
            passLane(jams, def, batch, &lanes, lane);
        } else {
            Mind mind = openMind(jams, batch, &lanes, lane);
            unjamLane(&mind, def, counts);
        }
    }
}
