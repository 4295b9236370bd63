// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The rules of jams, for one agent after the other: whom it sees, how long it waits, where it
// steps.

#include "sim/jam/plain_jams.h"

#include "base/hash.h"
#include "geom/fixed.h"
#include "geom/vec2.h"
#include "move/contact/contacts.h"
#include "space/sense.h"
#include "space/walls.h"
#include "throng/math.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define DIRECTION_UNIT (1.0f / 127.0f) // of what is shown
#define NEARBY 0.5f                    // gap within which others matter at all [m]
#define MOST_NEAR 48                   // others that are looked at
#define AHEAD 0.3f                     // cosine of the directions that count as ahead
#define ASKS 0.02f // claim of one who has not waited: only those who stand hear it

#define MEETS 0.3f      // gap within which somebody is met [m]
#define CROSSES 0.3f    // cosine of ways below which somebody crosses, in the open
#define SAME_WAY 1.0f   // by how much lengths of ways may differ of those who go the same way [m]
#define FORGETS 2.0f    // time after which who is held up without meeting anybody is in a queue [s]
#define PASSING_ON 0.1f // time by which who stands behind knows later of somebody met [s]

#define HALF_HELD 0.5f   // being held up that counts as waiting
#define IN_THE_WAY 0.15f // gap within which a claim is felt [m]
#define CLAIM_AHEAD 0.5f // cosine of the directions that a claim leads to
#define AGAINST (-0.3f)  // cosine from which on somebody wants to go against a claim
#define ACROSS 0.5f      // up to this one its way crosses that of the claim
#define STEPS_ASIDE 0.7f // slope to the side of those who step back in the open
#define HANDED_ON 0.999f // share of a claim that is handed on
#define STANDERS_ON 0.9f // share of it that is handed on by those who stand
#define LEAST_DEALT 0.1f // the weakest claim of those who have waited
#define ASKED_ON 0.5f    // share of what is only asked that is handed on, so that it ends soon
#define HOLDS 0.4f       // gap within which a claimant who sees its way cleared goes on [m]
#define HOLDS_FOR 1.5f   // [s]
#define TURN_TIME 30.0f  // after which claims are dealt anew, so that nobody is last for ever [s]

#define SLOW 0.2f          // who wants less than this stands because it wants to [m/s]
#define TOO_FAST 1.0e6f    // nobody wants that [m/s]
#define BACKWARDS 0.25f    // share of the wanted velocity that counts as turning back
#define MEMORY 2.0f        // time over which progress is judged [s]
#define ALWAYS_ASIDE 0.01f // turn of those who are not held up [rad]
#define ASIDE_SINE 0.00999983333f
#define ASIDE_COSINE 0.999950000f
#define ROUND_HOLDERS                                                                              \
    1.75f               // turn of those who are held up by somebody who holds: a little back [rad]
#define ROUND_TIME 4.0f // after which they try the other side [s]
#define HESITATES 1.0f  // how much slower one goes on who was moved back lately
#define BACK 0.7f       // share of the preferred speed with which one steps back
#define SETTLES 0.6f    // being held up from which on one may settle among those who stand
#define TOUCHES 0.1f    // gap in shares of the radii within which one touches them

#define BLOCKED 0.1f        // progress of one who stands
#define BLOCKS 0.2f         // gap within which somebody may be what blocks it [m]
#define BACKS_OFF 0.4f      // speed at which it backs off [m/s]
#define MOVED_BACK 0.1f     // speed that shows it has room again [m/s]
#define NEW_CHANCE 0.3f     // progress of one who has backed off
#define LITTLE_CHANCE 0.15f // likewise, of one who keeps a pace
#define FIRST 0.2f          // progress of one who keeps a pace and stands with nobody before it

// Another agent, as seen from here.
typedef struct Other {
    thVec2 toward; // unit vector
    float gap;     // [m]
    float radii;   // their sum [m]
    int32_t row;
    const thJamShown* shown;
} Other;

// The agent that is thought about.
typedef struct Self {
    const thJams* jams;
    const thBatch* batch;
    int32_t lane, row;
    int32_t nearCount;
    Other near[MOST_NEAR]; // those near enough to matter, and not behind walls
    thVec2 goal;           // unit vector; zero: it does not want to go anywhere
    float gets;            // share of the wanted velocity [−1 .. 1]
    float progress;        // the same, over a time
    float heldUp;          // 0 free .. 1 held up
    float wait;            // [s]
    float contact;         // [s]
    bool arrived, shuffles;
    thVec2 claimTo, stepTo; // where the claim leads, and where it makes room for it
    float claim;            // 0 .. 1
    bool stepsBack, letsPass, backwards, backsOff, queues, isLocked;
} Self;

static thVec2 vectorOf(int8_t x, int8_t y)
{
    return (thVec2){(float)x * DIRECTION_UNIT, (float)y * DIRECTION_UNIT};
}

static float contactTime(const thJamShown* shown)
{
    return (float)shown->contact * TH_JAM_CONTACT_UNIT;
}

static bool hasSameGoal(const Self* self, const Other* other)
{
    const thFrame* frame = self->batch->frame;
    return frame->goal[other->row] == frame->goal[self->row] &&
           frame->goalIndex[other->row] == frame->goalIndex[self->row];
}

// Whether somebody who stands in direction `toward` is in a way that leads along `to`: it needs
// room as wide as both bodies.
static bool isInWay(const Other* other, thVec2 to, thVec2 toward)
{
    return thiDot(to, toward) > 0.0f &&
           fabsf(thiDet(to, toward)) * (other->gap + other->radii) < other->radii;
}

// Whether no walls are near. Between walls there is no room aside, and streams that stop jam.
static bool isInOpen(const Self* self)
{
    return self->batch->wallCount[self->lane] == 0;
}

// Whom an agent sees around it, and whether a jam is what holds it up.

// Whether a wall stands between the agent and a place, given relative to it. People on both sides
// of one do not meet, though they be near.
static bool isBehindWall(const thBatch* batch, int32_t lane, thVec2 place)
{
    for (int32_t k = 0; k < batch->wallCount[lane]; ++k) {
        const int32_t wall = batch->wall[k * batch->lanes + lane];
        const thWallEnds ends = thiWallEnds(batch->frame, batch->row[lane], wall);
        const thVec2 a = ends.a, b = ends.b;
        const thVec2 along = {b.x - a.x, b.y - a.y};
        const float here = thiDet(along, (thVec2){-a.x, -a.y});
        const float there = thiDet(along, (thVec2){place.x - a.x, place.y - a.y});
        const bool between = (here < 0.0f) != (there < 0.0f);
        if (between && (thiDet(place, a) < 0.0f) != (thiDet(place, b) < 0.0f))
            return true;
    }
    return false;
}

// Looks for others who are near.
static void lookAround(Self* self)
{
    const thBatch* batch = self->batch;
    const float own = batch->radius[self->lane];
    self->nearCount = 0;
    for (int32_t k = 0; k < batch->neighborCount[self->lane] && self->nearCount < MOST_NEAR; ++k) {
        const int32_t at = k * batch->lanes + self->lane, row = batch->nrow[at];
        const thVec2 place = {batch->nx[at], batch->ny[at]};
        const float square = thiDot(place, place), radii = own + batch->nradius[at];
        if (square > 1.01f * (radii + NEARBY) * (radii + NEARBY)) // most of them, without a root
            continue;
        const float distance = sqrtf(square);
        if (distance - radii > NEARBY || isBehindWall(batch, self->lane, place))
            continue;
        const float scale = distance > 0.0f ? 1.0f / distance : 0.0f;
        self->near[self->nearCount++] = (Other){{place.x * scale, place.y * scale},
                                                distance - radii,
                                                radii,
                                                row,
                                                &self->jams->shown[self->jams->current][row]};
    }
}

// Whether both go the same way: to the same goal, and as far as it is from one to the other further
// than that at most. People who come round a corner from both sides do, though face to face.
static bool goesMyWay(const Self* self, const Other* other)
{
    if (!hasSameGoal(self, other))
        return false;
    const uint16_t* remaining = self->jams->remaining[self->jams->current];
    const float further =
        (float)(remaining[other->row] - remaining[self->row]) * TH_JAM_REMAINING_UNIT;
    return fabsf(further) <= other->gap + other->radii + SAME_WAY;
}

// Whether the way between two places, relative to a mover's origin, leads into it.
static bool leadsIntoMover(const thMovers* movers, int32_t mover, thVec2 from, thVec2 to)
{
    const int32_t first = movers->firstCorner[mover], end = movers->firstCorner[mover + 1];
    const thVec2 way = {to.x - from.x, to.y - from.y};
    if (first == end) {
        const float along = -thiDot(from, way) / TH_MAX(thiDot(way, way), FLT_MIN);
        const float share = TH_MIN(TH_MAX(along, 0.0f), 1.0f);
        const thVec2 nearest = {from.x + share * way.x, from.y + share * way.y};
        return thiDot(nearest, nearest) < movers->radius[mover] * movers->radius[mover];
    }
    float enters = 0.0f, leaves = 1.0f;
    for (int32_t i = first; i < end; ++i) {
        const thVec2 a = movers->corners[i], b = movers->corners[i + 1 < end ? i + 1 : first];
        const thVec2 edge = {b.x - a.x, b.y - a.y};
        const float inFrom = thiDet(edge, (thVec2){from.x - a.x, from.y - a.y});
        const float inTo = thiDet(edge, (thVec2){to.x - a.x, to.y - a.y});
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
static bool isBeforeMover(const Self* self)
{
    const thBatch* batch = self->batch;
    const thMovers* movers = batch->frame->movers;
    const float reach = batch->radius[self->lane] + MEETS;
    for (int32_t k = 0; k < batch->moverCount[self->lane]; ++k) {
        const int32_t mover = batch->mover[k * batch->lanes + self->lane];
        const thVec2 from = {thiMetresBetween(movers->px[mover], batch->frame->px[self->row]),
                             thiMetresBetween(movers->py[mover], batch->frame->py[self->row])};
        const thVec2 to = {from.x + reach * self->goal.x, from.y + reach * self->goal.y};
        if (leadsIntoMover(movers, mover, from, to))
            return true;
    }
    return false;
}

// Whether a jam is what holds it up: somebody ahead crosses its way, comes against it or stands
// where it wants to be, or a mover, as far as it sees itself or those ahead have told.
static void lookAhead(Self* self)
{
    const float dt = self->batch->frame->dt;
    const float crosses = isInOpen(self) ? CROSSES : 0.0f;
    float contact = isBeforeMover(self) ? 0.0f : self->contact + dt;
    for (int32_t k = 0; k < self->nearCount; ++k) {
        const Other* other = &self->near[k];
        const bool isStanding = (other->shown->flags & th_jamStands) != 0;
        const bool isAhead = isStanding ? isInWay(other, self->goal, other->toward)
                                        : thiDot(other->toward, self->goal) > AHEAD;
        if (other->gap > MEETS || !isAhead)
            continue;
        const float alike = thiDot(vectorOf(other->shown->goalX, other->shown->goalY), self->goal);
        if ((alike < crosses && !goesMyWay(self, other)) || isStanding)
            contact = 0.0f;
        else if (alike > 0.5f)
            contact = TH_MIN(contact, contactTime(other->shown) + PASSING_ON);
    }
    self->contact = contact;
    if (contact > FORGETS)
        self->heldUp = 0.0f;
}

// Who has waited claims the way, and who stands in it makes room.

static bool seesWayCleared(const Self* self)
{
    for (int32_t k = 0; k < self->nearCount; ++k) {
        const Other* other = &self->near[k];
        if (other->gap <= HOLDS && (other->shown->flags & th_jamStepsBack) != 0 &&
            thiDot(other->toward, self->goal) > AHEAD)
            return true;
    }
    return false;
}

// How long it has waited. `steppedBack`, `claimed`: what it did in the last step.
static void addWait(Self* self, bool steppedBack, bool claimed)
{
    const float dt = self->batch->frame->dt;
    if (steppedBack)
        return;
    if (claimed && seesWayCleared(self))
        self->wait = TH_MAX(self->wait, HOLDS_FOR);
    else
        self->wait = self->heldUp > HALF_HELD ? self->wait + dt : TH_MAX(self->wait - dt, 0.0f);
}

// How strong its own claims are: dealt anew now and then, so that everybody comes first some time.
static float dealtTo(const Self* self)
{
    const thFrame* frame = self->batch->frame;
    const uint64_t turn = (uint64_t)((float)frame->step * frame->dt / TURN_TIME);
    const uint64_t dealt = thiMix(frame->key[self->row] + turn * 0x9E3779B97F4A7C15u);
    return LEAST_DEALT + (1.0f - LEAST_DEALT) * (float)(dealt >> 40) * 0x1p-24f;
}

// Where to step for a claim that leads along `to`, of somebody in direction `toward`: who wants the
// other way back, who only stands aside.
static thVec2 stepFor(const Self* self, thVec2 to, thVec2 toward)
{
    if (!thiStands(self->batch->frame, self->row))
        return to;
    const float along = -thiDot(toward, to);
    const thVec2 aside = {-toward.x - along * to.x, -toward.y - along * to.y};
    const float length = sqrtf(thiDot(aside, aside));
    return length > 0.01f ? (thVec2){aside.x / length, aside.y / length} : (thVec2){to.y, -to.x};
}

// Who steps back before somebody who follows would do so for ever. So in the open it steps to the
// side, too: to the one on which it is.
static thVec2 stepAside(const Self* self, thVec2 to, thVec2 toward)
{
    if (thiStands(self->batch->frame, self->row) || !isInOpen(self))
        return to;
    const float aside = thiDet(to, toward) <= 0.0f ? STEPS_ASIDE : -STEPS_ASIDE;
    const thVec2 step = {to.x - aside * to.y, to.y + aside * to.x};
    const float length = sqrtf(thiDot(step, step));
    return length > 0.0f ? (thVec2){step.x / length, step.y / length} : to;
}

// Who stands makes way at once, unless it stands where both want to be.
static bool asksSomebody(const Self* self)
{
    for (int32_t k = 0; k < self->nearCount; ++k) {
        const Other* other = &self->near[k];
        if ((other->shown->flags & th_jamStands) != 0 &&
            isInWay(other, self->goal, other->toward) && !hasSameGoal(self, other))
            return true;
    }
    return false;
}

// What is left of somebody's claim here. Those who stand hand it on less and less, whosever it is.
static float handedOn(const thJamShown* shown)
{
    const float claim = thiJamClaim(shown);
    return (claim <= ASKS                        ? ASKED_ON
            : (shown->flags & th_jamStands) != 0 ? STANDERS_ON
                                                 : HANDED_ON) *
           claim;
}

// Whether it is in the way of somebody's claim. Who stands need not want the other way, unless the
// claim is to the very place where it stands; for one that is handed on it waits until it has to.
static bool isClaimed(const Self* self, const Other* other, float strength, thVec2 to)
{
    const thVec2 here = {-other->toward.x, -other->toward.y};
    const bool isOwn = (other->shown->flags & th_jamStepsBack) == 0;
    const bool isNext = other->gap <= IN_THE_WAY;
    if (thiStands(self->batch->frame, self->row) && !(isOwn && hasSameGoal(self, other)))
        return (isOwn || isNext) && isInWay(other, to, here);
    return strength > ASKS && isNext && thiDot(to, here) > CLAIM_AHEAD &&
           thiDot(to, self->goal) < AGAINST;
}

// Whether it stops so that somebody whose claim leads across its way gets through before it.
// Streams would carry people along for ever otherwise: nobody in them is held up. Who is held up
// itself does not.
static bool letsPass(const Self* self, const Other* other, float strength, thVec2 to)
{
    const thVec2 here = {-other->toward.x, -other->toward.y};
    const bool isOwn = (other->shown->flags & th_jamStepsBack) == 0;
    const float alike = thiDot(to, self->goal);
    return isInOpen(self) && strength > ASKS && isOwn && self->heldUp <= HALF_HELD &&
           !thiStands(self->batch->frame, self->row) && alike >= AGAINST && alike < ACROSS &&
           isInWay(other, to, here) && thiDot(here, self->goal) <= 0.0f;
}

// Whether it has a place where it came to stand, other than a goal.
static bool keepsPlace(const thJams* jams, const thFrame* frame, int32_t row)
{
    return !thiSamePoint(jams->rest[jams->current][row], TH_NO_REST) && thiStands(frame, row) &&
           (frame->flags[row] & th_agentArrived) == 0;
}

// Its own claim, or that of somebody who wants to come through here.
static void claimWay(Self* self, float patience)
{
    const bool walks = !self->arrived && !keepsPlace(self->jams, self->batch->frame, self->row);
    self->claim = !walks                  ? 0.0f
                  : self->wait > patience ? dealtTo(self)
                  : asksSomebody(self)    ? ASKS
                                          : 0.0f;
    self->claimTo = self->goal;
    self->stepsBack = self->letsPass = false;
    for (int32_t k = 0; k < self->nearCount; ++k) {
        const Other* other = &self->near[k];
        if (other->shown->claim == 0)
            continue;
        const float strength = handedOn(other->shown);
        const thVec2 to = vectorOf(other->shown->claimX, other->shown->claimY);
        if (strength <= self->claim)
            continue;
        self->letsPass = self->letsPass || letsPass(self, other, strength, to);
        if (isClaimed(self, other, strength, to)) {
            self->claim = strength;
            self->claimTo = stepFor(self, to, other->toward);
            self->stepTo = stepAside(self, self->claimTo, other->toward);
            self->stepsBack = true;
        }
    }
}

// Whether another stands beside it, wants the same and has less far to go; of two who keep a pace
// and have as far, one is before the other.
static bool follows(const Self* self, const Other* other, bool breaksTies)
{
    const uint16_t* remaining = self->jams->remaining[self->jams->current];
    const uint64_t* keys = self->batch->frame->key;
    const int32_t theirs = remaining[other->row], mine = remaining[self->row];
    return other->gap <= BLOCKS && hasSameGoal(self, other) &&
           (theirs < mine || (breaksTies && theirs == mine && keys[other->row] < keys[self->row]));
}

// Whether one of those shows these flags.
static bool isBehind(const Self* self, uint32_t flags, bool breaksTies)
{
    for (int32_t k = 0; k < self->nearCount; ++k)
        if (follows(self, &self->near[k], breaksTies) &&
            (self->near[k].shown->flags & flags) == flags)
            return true;
    return false;
}

// Bodies that press towards one opening lock in an arch before it. Nobody in it is against anybody,
// so who stands for long backs off from the one beside it who wants the same and is nearest to it,
// until it has moved; then it has a new chance. Who keeps a pace is as slow in any dense crowd: it
// backs off if the first of those before it stands.
static void backOff(Self* self, const thProfileDef* def, const thJamShown* before)
{
    const bool backedOff = (before->flags & th_jamBacksOff) != 0, paced = def->pace.timeGap > 0.0f;
    self->queues = self->progress <= BLOCKED && isBehind(self, th_jamQueues, false);
    const thVec2 velocity = {self->batch->vx[self->lane], self->batch->vy[self->lane]};
    if (thiDot(self->goal, self->goal) == 0.0f || self->stepsBack || self->letsPass)
        return;
    if (backedOff && thiDot(velocity, velocity) > MOVED_BACK * MOVED_BACK) {
        self->progress = paced ? LITTLE_CHANCE : NEW_CHANCE;
        return;
    }
    if (self->contact <= FORGETS || self->queues || (before->flags & th_jamQueues) != 0)
        return;
    self->isLocked = paced && (isBehind(self, 0, true)
                                   ? self->progress <= BLOCKED && isBehind(self, th_jamLocked, true)
                                   : self->progress <= FIRST);
    if (paced ? !self->isLocked : self->progress > BLOCKED)
        return;
    const uint16_t* remaining = self->jams->remaining[self->jams->current];
    int32_t least = remaining[self->row] + 1;
    for (int32_t k = 0; k < self->nearCount; ++k) {
        const Other* other = &self->near[k];
        if (other->gap > BLOCKS || !hasSameGoal(self, other) || remaining[other->row] >= least ||
            (paced && !follows(self, other, true)))
            continue;
        least = remaining[other->row];
        self->backsOff = true;
        self->stepTo = (thVec2){-other->toward.x, -other->toward.y};
    }
}

// What it wants in the end, and what it shows others.

static int8_t toUnits(float value) // −1 .. 1
{
    return (int8_t)(int32_t)(127.0f * value + (value < 0.0f ? -0.5f : 0.5f));
}

static int16_t toProgress(float progress) // −1 .. 1
{
    return (int16_t)(int32_t)(progress / TH_JAM_PROGRESS_UNIT + (progress < 0.0f ? -0.5f : 0.5f));
}

// Whether it cannot get nearer because others stand where it wants to be: it is held up and touches
// them, or does not come on, as methods that keep their distance do not let it touch anybody.
static bool settles(const Self* self)
{
    const thFrame* frame = self->batch->frame;
    const bool isHeld = self->heldUp > SETTLES,
               isBlocked = self->progress < BLOCKED && self->contact > FORGETS;
    for (int32_t k = 0; k < self->nearCount; ++k) {
        const Other* other = &self->near[k];
        if ((frame->flags[other->row] & th_agentArrived) != 0 && hasSameGoal(self, other) &&
            ((isHeld && other->gap <= TOUCHES * other->radii) ||
             (isBlocked && isInWay(other, self->goal, other->toward))))
            return true;
    }
    return false;
}

// Who does not look at others does not care, and those who stand round a place would circle it.
static bool keepsSide(const thProfileDef* def, const thBatch* batch, int32_t lane)
{
    return def->keep != th_keepNone && batch->nx != NULL &&
           !thiStands(batch->frame, batch->row[lane]);
}

// Whether somebody is in the way who does not give it: who holds its place, or stands where one has
// not come on for a while.
static bool meetsHolder(const Self* self)
{
    for (int32_t k = 0; k < self->nearCount; ++k) {
        const Other* other = &self->near[k];
        if (other->gap <= MEETS && isInWay(other, self->goal, other->toward) &&
            ((self->batch->frame->flags[other->row] & th_agentHolds) != 0 ||
             (self->progress < BLOCKED && thiStands(self->batch->frame, other->row) &&
              !hasSameGoal(self, other))))
            return true;
    }
    return false;
}

// How far it turns, to the left. Those who hold do not step aside, so one goes round them: now on
// one side, now on the other, as there may be a wall.
static float turnOf(const Self* self, const thProfileDef* def)
{
    const thFrame* frame = self->batch->frame;
    const float side = def->keep == th_keepRight ? -1.0f : 1.0f;
    if (!meetsHolder(self))
        return side * (ALWAYS_ASIDE + def->turnAside * self->heldUp);
    const uint64_t turn = (uint64_t)((float)frame->step * frame->dt / ROUND_TIME);
    return ((turn + frame->key[self->row]) % 2 != 0 ? side : -side) * ROUND_HOLDERS * self->heldUp;
}

static void turnAside(const Self* self, const thProfileDef* def)
{
    const thBatch* batch = self->batch;
    float* gx = &batch->guideX[self->lane];
    float* gy = &batch->guideY[self->lane];
    if (self->stepsBack) {
        const float speed = BACK * batch->prefSpeed[self->lane];
        *gx = speed * self->stepTo.x;
        *gy = speed * self->stepTo.y;
        return;
    }
    if (self->backsOff) {
        *gx = BACKS_OFF * self->stepTo.x;
        *gy = BACKS_OFF * self->stepTo.y;
        return;
    }
    if (self->letsPass) {
        *gx = *gy = 0.0f;
        return;
    }
    if (!keepsSide(def, batch, self->lane))
        return;
    if (self->progress < 0.0f) {
        const float share = TH_MAX(1.0f + HESITATES * self->progress, 0.2f);
        *gx *= share;
        *gy *= share;
    }
    float sine = def->keep == th_keepRight ? -ASIDE_SINE : ASIDE_SINE, cosine = ASIDE_COSINE;
    if (self->heldUp > 0.0f)
        thSinCos(turnOf(self, def), &sine, &cosine);
    const float x = *gx * cosine - *gy * sine;
    *gy = *gx * sine + *gy * cosine;
    *gx = x;
}

static bool hasShape(const thFrame* frame, int32_t row)
{
    return frame->shapes != NULL && frame->shapes[frame->profile[row]].count > 0;
}

// Avoidance does not see those who shuffle like itself. Both sides go by what was shown in the last
// step, so they agree. Nor do those who keep their places see each other: who stands is not driven
// out of its place by one who comes back. What keeps discs apart then is contacts; shapes have
// nothing but avoidance.
static void overlook(const thJams* jams, const thBatch* batch, int32_t lane)
{
    const thFrame* frame = batch->frame;
    const thJamShown* shown = jams->shown[jams->current];
    const int32_t row = batch->row[lane];
    const bool shuffles = (shown[row].flags & th_jamShuffles) != 0;
    const bool stays = keepsPlace(jams, frame, row) && !thiIsPassed(batch, lane);
    if ((!shuffles && !stays) || hasShape(frame, row))
        return;
    for (int32_t k = 0; k < batch->neighborCount[lane]; ++k) {
        const int32_t at = k * batch->lanes + lane, other = batch->nrow[at];
        const bool both = (shuffles && (shown[other].flags & th_jamShuffles) != 0) ||
                          (stays && keepsPlace(jams, frame, other));
        if (!both || hasShape(frame, other))
            continue;
        ((float*)batch->nx)[at] = ((float*)batch->ny)[at] = TH_INERT_DISTANCE;
        ((float*)batch->nvx)[at] = ((float*)batch->nvy)[at] = 0.0f;
        ((float*)batch->nradius)[at] = 0.0f;
    }
}

// In units, rounded, but never to where it was if it has become longer: small steps add up, too.
static int32_t unitsOf(float value, float unit, int32_t before, int32_t most)
{
    const int32_t units = (int32_t)TH_MIN(value / unit + 0.5f, (float)most);
    const int32_t least = value > (float)before * unit ? before + 1 : 0;
    return TH_MIN(TH_MAX(units, least), most);
}

// Of those who have further to go than can be told, all have as far.
static uint16_t remainingOf(const thBatch* batch, int32_t lane)
{
    const float units = batch->remaining[lane] / TH_JAM_REMAINING_UNIT;
    return units > 0.0f ? (uint16_t)TH_MIN(units, (float)UINT16_MAX) : 0;
}

static void showSelf(const Self* self, bool settled)
{
    const thJamShown* shownBefore = &self->jams->shown[self->jams->current][self->row];
    const thJamOwn* ownBefore = &self->jams->own[self->jams->current][self->row];
    const int32_t next = 1 - self->jams->current;
    const uint16_t claim = (uint16_t)(self->claim * TH_JAM_CLAIMS);
    const thVec2 claimTo = claim > 0 ? self->claimTo : (thVec2){0.0f, 0.0f};
    self->jams->remaining[next][self->row] = remainingOf(self->batch, self->lane);
    const uint32_t flags =
        (self->shuffles ? th_jamShuffles : 0u) | (self->stepsBack ? th_jamStepsBack : 0u) |
        (self->backwards ? th_jamBackwards : 0u) | (settled ? th_jamSettles : 0u) |
        (self->backsOff ? th_jamBacksOff : 0u) | (self->queues ? th_jamQueues : 0u) |
        (self->isLocked ? th_jamLocked : 0u) |
        (thiStands(self->batch->frame, self->row) ? th_jamStands : 0u);
    self->jams->shown[next][self->row] =
        (thJamShown){.goalX = toUnits(self->goal.x),
                     .goalY = toUnits(self->goal.y),
                     .claimX = toUnits(claimTo.x),
                     .claimY = toUnits(claimTo.y),
                     .claim = claim,
                     .contact = (uint8_t)unitsOf(self->contact, TH_JAM_CONTACT_UNIT,
                                                 shownBefore->contact, UINT8_MAX),
                     .flags = (uint8_t)flags};
    self->jams->own[next][self->row] = (thJamOwn){
        .progress = toProgress(self->progress),
        .wait = (uint16_t)unitsOf(self->wait, TH_JAM_WAIT_UNIT, ownBefore->wait, UINT16_MAX)};
}

// Who has begun to move backwards does so until it moves on.
static bool isBackwards(const thJamShown* before, float gets)
{
    return gets < -BACKWARDS || (gets < BACKWARDS && (before->flags & th_jamBackwards) != 0);
}

static Self selfOf(const thJams* jams, const thProfileDef* def, const thBatch* batch, int32_t lane)
{
    const int32_t row = batch->row[lane];
    const thJamShown* shown = &jams->shown[jams->current][row];
    const thJamOwn* own = &jams->own[jams->current][row];
    const thVec2 guide = {batch->guideX[lane], batch->guideY[lane]};
    const float speed = sqrtf(thiDot(guide, guide));
    Self self = {.jams = jams, .batch = batch, .lane = lane, .row = row};
    self.gets = 1.0f;
    if (speed > SLOW && speed < TOO_FAST) {
        const float share = 1.0f / speed;
        self.goal = (thVec2){guide.x * share, guide.y * share};
        self.gets = thiDot((thVec2){batch->vx[lane], batch->vy[lane]}, self.goal) * share;
        self.gets = TH_MIN(TH_MAX(self.gets, -1.0f), 1.0f);
    }
    const float weight = TH_MIN(batch->frame->dt / MEMORY, 1.0f), before = thiJamProgress(own);
    self.progress = before + weight * (self.gets - before);
    self.heldUp =
        def->slowness > 0.0f ? (def->slowness - self.progress) * (1.0f / def->slowness) : 0.0f;
    self.heldUp = TH_MIN(TH_MAX(self.heldUp, 0.0f), 1.0f);
    self.wait = thiJamWait(own);
    self.contact = contactTime(shown);
    self.arrived = (batch->frame->flags[row] & th_agentArrived) != 0;
    self.backwards = isBackwards(shown, self.gets);
    return self;
}

static void unjamLane(Self* self, const thProfileDef* def, thJamCounts* counts)
{
    const thJamShown before = self->jams->shown[self->jams->current][self->row];
    bool settled = false;
    lookAround(self);
    if (self->heldUp > 0.0f)
        lookAhead(self);
    else
        self->contact += self->batch->frame->dt;
    if (def->patience > 0.0f) {
        addWait(self, (before.flags & th_jamStepsBack) != 0, thiJamClaim(&before) > ASKS);
        const bool shuffled = (before.flags & th_jamShuffles) != 0;
        self->shuffles = self->wait > def->patience || (shuffled && self->wait > 0.0f);
        claimWay(self, def->patience);
        backOff(self, def, &before);
        settled = !self->arrived && settles(self);
    }
    turnAside(self, def);
    showSelf(self, settled);
    counts->shuffling += self->shuffles;
    counts->steppingBack += self->stepsBack;
    counts->turningBack += self->backwards && (before.flags & th_jamBackwards) == 0;
}

// Whether somebody is near enough to be in the way.
static bool isNear(const thBatch* batch, int32_t lane, int32_t at)
{
    const float x = batch->nx[at], y = batch->ny[at];
    const float reach = batch->radius[lane] + batch->nradius[at] + NEARBY;
    return x * x + y * y <= reach * reach;
}

// Whether somebody near claims the way, or stands: nothing else matters to one who is in no jam.
static bool isNearStir(const thJams* jams, const thBatch* batch, int32_t lane)
{
    const thJamShown* shown = jams->shown[jams->current];
    for (int32_t k = 0; k < batch->neighborCount[lane]; ++k) {
        const int32_t at = k * batch->lanes + lane;
        const thJamShown* other = &shown[batch->nrow[at]];
        if ((other->claim != 0 || (other->flags & th_jamStands) != 0) && isNear(batch, lane, at))
            return true;
    }
    return false;
}

// Whether it is in no jam: free, before and now, and nobody near minds.
static bool isCalm(const Self* self)
{
    const thJamShown* shown = &self->jams->shown[self->jams->current][self->row];
    return self->heldUp <= 0.0f && self->gets >= -BACKWARDS && self->wait == 0.0f &&
           shown->claim == 0 && (shown->flags & ~th_jamStands) == 0 &&
           !isNearStir(self->jams, self->batch, self->lane);
}

// A little to the side, so that two who meet are never quite even.
static void keepSide(const thProfileDef* def, const thBatch* batch, int32_t lane)
{
    if (!keepsSide(def, batch, lane))
        return;
    const float sine = def->keep == th_keepRight ? -ASIDE_SINE : ASIDE_SINE;
    const float gx = batch->guideX[lane], gy = batch->guideY[lane];
    batch->guideX[lane] = gx * ASIDE_COSINE - gy * sine;
    batch->guideY[lane] = gx * sine + gy * ASIDE_COSINE;
}

// One that is goes only a little aside, and shows where it wants to go.
static void passLane(Self* self, const thProfileDef* def)
{
    keepSide(def, self->batch, self->lane);
    self->contact += self->batch->frame->dt;
    showSelf(self, false);
}

// Who was held back lately presses less, so that crowds which cannot be separated in time dissolve.
static void relieve(const thBatch* batch, const uint16_t* pressures)
{
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        const uint16_t pressure = pressures[batch->row[lane]];
        if (pressure == 0)
            continue;
        const float factor = thiContactRelief(pressure);
        batch->guideX[lane] *= factor;
        batch->guideY[lane] *= factor;
    }
}

void plainOverlook(const thJams* jams, const thBatch* batch)
{
    for (int32_t lane = 0; lane < batch->count; ++lane)
        overlook(jams, batch, lane);
}

void plainUnjam(const thJams* jams, const thProfileDef* def, const thBatch* batch,
                const uint16_t* pressures, thJamCounts* counts)
{
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        Self self = selfOf(jams, def, batch, lane);
        if (isCalm(&self))
            passLane(&self, def);
        else
            unjamLane(&self, def, counts);
    }
    plainOverlook(jams, batch);
    relieve(batch, pressures);
}
