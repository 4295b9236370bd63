// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Kernel: the rules of jams, for agents who may be in one: whom each sees, how long it waits, where
// it steps. Others are looked at once, in their order; claims of those near are weighed after that.

#include "sim/jam/jam_lanes.h"

#include "base/hash.h"
#include "geom/fixed.h"
#include "simd/lane_math.h"
#include "simd/lane_vec.h"

#include <float.h>

#define DIRECTION_UNIT (1.0f / 127.0f) // of what is shown
#define MOST_NEAR 48                   // others that are looked at
#define AHEAD 0.3f                     // cosine of the directions that count as ahead
#define ASKS 0.02f // claim of one who has not waited: only those who stand hear it

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

#define ROUND_HOLDERS                                                                              \
    1.75f               // turn of those who are held up by somebody who holds: a little back [rad]
#define ROUND_TIME 4.0f // after which they try the other side [s]
#define HESITATES 1.0f  // how much slower one goes on who was moved back lately
#define BACK 0.7f       // share of the preferred speed with which one steps back
#define SETTLES 0.6f    // being held up from which on one may settle among those who stand
#define TOUCHES 0.1f    // gap in shares of the radii within which one touches them

#define BLOCKED 0.1f // progress of one who stands
#define BLOCKS 0.2f  // gap within which somebody may be what blocks it [m]
#define LOCKED (int32_t)((uint32_t)th_jamLocked << TH_JAM_FLAGS_SHIFT)
#define BACKS_OFF 0.4f      // speed at which it backs off [m/s]
#define MOVED_BACK 0.1f     // speed that shows it has room again [m/s]
#define NEW_CHANCE 0.3f     // progress of one who has backed off
#define LITTLE_CHANCE 0.15f // likewise, of one who keeps a pace
#define FIRST 0.2f          // progress of one who keeps a pace and stands with nobody before it

// A wall, as each agent sees its own.
typedef struct Wall {
    Vec a, b;
    thM isSeen, isBehind; // there is one; it is seen from behind
} Wall;
_Static_assert(sizeof(Wall) <= TH_JAM_WALL_BYTES, "room for all");

// Another agent, as seen from here.
typedef struct Other {
    Vec toward;      // unit vector
    thF gap, radii;  // [m]
    thF along;       // cosine from where it wants to go
    thM isInWay;     // of where it wants to go
    thM isNear;      // near enough to matter, and not behind walls
    thM hasSameGoal; // as the agent itself
    thI goal, row;
    thI remaining;   // only of those who have the same goal and are met
    thI shown, told; // both words
    thM stands;      // as it shows
} Other;

// One who may be near.
typedef struct Near {
    Vec place;
    thF radii;
    thM mayBe;
    int32_t at; // where its columns begin
} Near;

// One of them who claims its way, or hands on a claim.
typedef struct Claimant {
    Vec toward;
    thF gap, radii;
    thI shown, told;
    thM isNear, hasSameGoal;
} Claimant;
_Static_assert(sizeof(Near) + sizeof(Claimant) <= TH_JAM_OTHER_BYTES, "room for all");

// Memory for a register of agents.
typedef struct Scratch {
    Claimant* claimants;
    Wall* walls;
    Near* near;
} Scratch;

// The agents that are thought about.
typedef struct Self {
    thM exists;
    thI lane, row;
    int32_t first; // lane, of which the others follow; −1: they do not
    Vec goal;      // unit vector; zero: it does not want to go anywhere
    thF radius;    // [m]
    thF progress;  // 1: it gets what it wants
    thF heldUp;    // 0 free .. 1 held up
    thF wait;      // [s]
    thF contact;   // [s]
    thI told;      // what it showed last
    thM stands, arrived;
    thM isOpen; // no walls are near; between them is no room aside, and streams that stop jam
    thI goalSlot, goalIndex;
    thI remaining;
    int32_t wallCount; // the most that one of them has
} Self;

// What it makes of those around.
typedef struct View {
    thM isCleared;              // somebody ahead steps back
    thM asks;                   // somebody stands in its way
    thM touchesEnd, facesEnd;   // others have arrived where it wants to be: beside, in the way
    thM facesHolder, facesIdle; // those in the way who hold their places, or only stand there
    thM isBehind;               // somebody beside who wants the same is nearer to it
    thM queues;                 // one of these waits at a gate, or behind others who do
    thM followsLocked;          // one of these is locked
    Vec back;                   // away from the nearest of them
    int32_t claimCount;
} View;

// What it does.
typedef struct Deed {
    thF claim; // 0 .. 1
    Vec claimTo, stepTo;
    thM shuffles, stepsBack, letsPass, backsOff, queues, isLocked, settles;
} Deed;

// Columns by lane.
static inline thF floatsOf(const Self* self, const float* column)
{
    return self->first >= 0 ? fLoad(column + self->first) : fGather(column, self->lane);
}

static inline thI intsOf(const Self* self, const int32_t* column)
{
    return self->first >= 0 ? iLoad(column + self->first) : iGather(column, self->lane);
}

static inline Vec vecsOf(const Self* self, const float* x, const float* y)
{
    return vec(floatsOf(self, x), floatsOf(self, y));
}

// Whether these agents keep a pace, and are slow where it is dense.
static inline bool keepsPace(const thJamTask* task)
{
    return task->def->pace.timeGap > 0.0f;
}

static inline thM hasAny(thI flags, int32_t which)
{
    return mNot(iEq(iAnd(flags, iSet(which)), iSet(0)));
}

// Two bytes of a word as a vector, from the lowest on or from the third.
static inline Vec vectorOf(thI word, bool isThird)
{
    const thI x = isThird ? iShl(word, 8) : iShl(word, 24);
    const thI y = isThird ? word : iShl(word, 16);
    return vec(fFromI(iShr(x, 24)) * fSet(DIRECTION_UNIT),
               fFromI(iShr(y, 24)) * fSet(DIRECTION_UNIT));
}

static inline Vec opposite(Vec a)
{
    return vec(fNeg(a.x), fNeg(a.y));
}

static inline thI gatherShorts(const uint16_t* base, thI index)
{
    int32_t at[TH_WIDTH];
    iStore(at, index);
    for (int32_t i = 0; i < TH_WIDTH; ++i)
        at[i] = base[at[i]];
    return iLoad(at);
}

// Whether somebody who stands in direction `toward` is in a way that leads along `to`: it needs
// room as wide as both bodies.
static inline thM isInWay(Vec to, Vec toward, thF gap, thF radii)
{
    return mAnd(fGt(dot(to, toward), fSet(0.0f)),
                fLt(fAbs(det(to, toward)) * (gap + radii), radii));
}

// Whether it has a place where it came to stand, other than a goal.
static inline thM keepsPlace(const thJams* jams, const Self* self)
{
    const thM may = mAndNot(self->stands, self->arrived);
    if (!mAny(may))
        return may;
    const int32_t* rest = &jams->rest[jams->current]->x;
    const thI at = iShl(self->row, 1), nowhere = iSet(INT32_MIN);
    return mAndNot(
        may, mAnd(iEq(iGather(rest, at), nowhere), iEq(iGather(rest, iAdd(at, iSet(1))), nowhere)));
}

static inline Self openSelf(const thJamTask* task, thI lane, int32_t first, thM exists)
{
    const thJams* jams = task->jams;
    const thBatch* batch = task->batch;
    const thFrame* frame = batch->frame;
    const thJamLanes* lanes = task->lanes;
    Self self;
    self.exists = exists;
    self.lane = lane;
    self.first = first;
    self.row = intsOf(&self, batch->row);
    self.goal = vecsOf(&self, lanes->goalX, lanes->goalY);
    self.radius = floatsOf(&self, batch->radius);
    self.progress = floatsOf(&self, lanes->progress);
    self.heldUp = floatsOf(&self, lanes->heldUp);
    self.told = intsOf(&self, lanes->told);
    const thI own = intsOf(&self, lanes->own);
    const thI contact = iAnd(iShrLogical(self.told, TH_JAM_CONTACT_SHIFT), iSet(UINT8_MAX));
    self.wait = fFromI(iShrLogical(own, 16)) * fSet(TH_JAM_WAIT_UNIT);
    self.contact = fFromI(contact) * fSet(TH_JAM_CONTACT_UNIT);
    self.goalSlot = intsOf(&self, lanes->goal);
    self.goalIndex = iGather(frame->goalIndex, self.row);
    self.remaining = gatherShorts(jams->remaining[jams->current], self.row);
    const thI flags = intsOf(&self, lanes->flags);
    self.stands = mOr(iLt(self.goalSlot, iSet(0)), hasAny(flags, TH_STANDING));
    self.arrived = hasAny(flags, th_agentArrived);
    self.isOpen = iEq(intsOf(&self, batch->wallCount), iSet(0));
    return self;
}

// Whom an agent sees around it, and whether a jam is what holds it up.

static inline thF metresBetween(thI from, thI to)
{
    return fFromI(iSub(to, from)) * fSet(TH_METRES_PER_UNIT);
}

// Puts the walls of all down as they see them.
static inline void layOutWalls(const thBatch* batch, Self* self, Wall* walls)
{
    const thFrame* frame = batch->frame;
    self->wallCount = 0;
    if (batch->wallMax == 0)
        return;
    const thI count = intsOf(self, batch->wallCount);
    const thI px = iGather(frame->px, self->row), py = iGather(frame->py, self->row);
    for (; self->wallCount < batch->wallMax; ++self->wallCount) {
        const int32_t k = self->wallCount;
        const thM isSeen = iLt(iSet(k), count);
        if (!mAny(isSeen))
            return;
        const thI wall = iMax(intsOf(self, batch->wall + k * batch->lanes), iSet(0));
        const Vec a = vec(metresBetween(px, iGather(frame->walls->ax, wall)),
                          metresBetween(py, iGather(frame->walls->ay, wall)));
        const Vec b = vec(metresBetween(px, iGather(frame->walls->bx, wall)),
                          metresBetween(py, iGather(frame->walls->by, wall)));
        const thM isBehind = fLt(det(subtract(b, a), opposite(a)), fSet(0.0f));
        walls[k] = (Wall){a, b, isSeen, isBehind};
    }
}

// Whether a wall stands between the agent and a place, given relative to it. People on both sides
// of one do not meet, though they be near.
static inline thM isBehindWall(const Wall* walls, int32_t count, Vec place, thM asked)
{
    const thF zero = fSet(0.0f);
    thM isHidden = none();
    for (int32_t k = 0; k < count; ++k) {
        const Wall* wall = &walls[k];
        const Vec along = subtract(wall->b, wall->a);
        const thM there = fLt(det(along, subtract(place, wall->a)), zero);
        const thM between = mOr(mAndNot(there, wall->isBehind), mAndNot(wall->isBehind, there));
        const thM may = mAnd(mAnd(asked, wall->isSeen), between);
        if (!mAny(may))
            continue;
        const thM a = fLt(det(place, wall->a), zero), b = fLt(det(place, wall->b), zero);
        isHidden = mOr(isHidden, mAnd(may, mOr(mAndNot(a, b), mAndNot(b, a))));
    }
    return isHidden;
}

// Whether both go the same way: to the same goal, and as far as it is from one to the other further
// than that at most. People who come round a corner from both sides do, though face to face.
static inline thM goesMyWay(const Self* self, const Other* other)
{
    const thF further =
        fFromI(iSub(other->remaining, self->remaining)) * fSet(TH_JAM_REMAINING_UNIT);
    return mAnd(other->hasSameGoal, fLe(fAbs(further), other->gap + other->radii + fSet(SAME_WAY)));
}

// Whether a jam is what holds it up: somebody ahead crosses its way, comes against it or stands
// where it wants to be, as far as it sees itself or those ahead have told.
static inline void meet(Self* self, const Other* other)
{
    const thM isAhead = mOr(mAnd(other->stands, other->isInWay),
                            mAndNot(fGt(other->along, fSet(AHEAD)), other->stands));
    const thM isMet = mAnd(mAnd(other->isNear, isAhead), fLe(other->gap, fSet(TH_JAM_MEETS)));
    const thF zero = fSet(0.0f), alike = dot(vectorOf(other->shown, false), self->goal);
    const thF crosses = fSelect(self->isOpen, fSet(CROSSES), zero);
    const thM isAgainst = mOr(mAndNot(fLt(alike, crosses), goesMyWay(self, other)), other->stands);
    const thI units = iAnd(iShrLogical(other->told, TH_JAM_CONTACT_SHIFT), iSet(UINT8_MAX));
    const thF theirs = fFromI(units) * fSet(TH_JAM_CONTACT_UNIT) + fSet(PASSING_ON);
    const thM isTold = mAndNot(mAnd(isMet, fGt(alike, fSet(0.5f))), isAgainst);
    self->contact = fSelect(isTold, fMin(self->contact, theirs), self->contact);
    self->contact = fSelect(mAnd(isMet, isAgainst), zero, self->contact);
}

// Keeps the claim of another for later.
static inline void keepClaim(const Other* other, Claimant* claimant)
{
    const thM claims = mAndNot(other->isNear, iEq(iAnd(other->told, iSet(UINT16_MAX)), iSet(0)));
    *claimant = (Claimant){other->toward, other->gap, other->radii,      other->shown,
                           other->told,   claims,     other->hasSameGoal};
}

// Those who show that they make room or stand.
static inline void noteOther(const Other* other, View* view)
{
    const thM stepsBack = hasAny(other->told, th_jamStepsBack << TH_JAM_FLAGS_SHIFT);
    const thM isCleared = mAnd(fLe(other->gap, fSet(HOLDS)), fGt(other->along, fSet(AHEAD)));
    const thM isFaced = mAnd(other->isNear, other->isInWay);
    view->isCleared = mOr(view->isCleared, mAnd(mAnd(other->isNear, stepsBack), isCleared));
    view->asks = mOr(view->asks, mAndNot(mAnd(isFaced, other->stands), other->hasSameGoal));
}

// Whose key is less than the agent's own.
static inline thM haveLess(const thFrame* frame, const Other* other, const Self* self, thM asked)
{
    int32_t theirs[TH_WIDTH], own[TH_WIDTH];
    iStore(theirs, other->row);
    iStore(own, self->row);
    uint32_t bits = 0;
    for (uint32_t left = mBits(asked); left != 0; left &= left - 1) {
        const int32_t i = __builtin_ctz(left);
        bits |= (frame->key[theirs[i]] < frame->key[own[i]] ? 1u : 0u) << i;
    }
    return mFromBits(bits);
}

// Those who want the same. What they show of a queue, or of an arch, is passed on only to those
// behind, so that it ends when the first in it goes. Of two who keep a pace one is always before
// the other.
static inline void noteFellow(const thJamTask* task, const Self* self, const Other* other,
                              View* view, thI* least)
{
    const thM isBeside = mAnd(other->hasSameGoal, fLe(other->gap, fSet(BLOCKS)));
    const thM isNearer = mAnd(isBeside, iLt(other->remaining, self->remaining));
    view->queues =
        mOr(view->queues, mAnd(isNearer, hasAny(other->told, th_jamQueues << TH_JAM_FLAGS_SHIFT)));
    thM mayBeBefore = isBeside;
    if (keepsPace(task)) {
        const thM isTied = mAnd(isBeside, iEq(other->remaining, self->remaining));
        mayBeBefore = mAny(isTied)
                          ? mOr(isNearer, haveLess(task->batch->frame, other, self, isTied))
                          : isNearer;
        view->followsLocked =
            mOr(view->followsLocked, mAnd(mayBeBefore, hasAny(other->told, LOCKED)));
    }
    const thM isBefore = mAnd(mayBeBefore, iLt(other->remaining, *least));
    *least = iSelect(isBefore, other->remaining, *least);
    view->isBehind = mOr(view->isBehind, isBefore);
    view->back = choose(isBefore, opposite(other->toward), view->back);
}

// Those who stand now, whatever they have shown.
static inline void noteIdle(const thFrame* frame, const Other* other, View* view)
{
    const thI flags = iGather((const int32_t*)(const void*)frame->flags, other->row);
    const thM isIdle = mOr(iLt(other->goal, iSet(0)), hasAny(flags, TH_STANDING));
    const thM isNear = mAnd(other->isNear, isIdle), isFaced = mAnd(isNear, other->isInWay);
    const thM isMet = mAnd(isFaced, fLe(other->gap, fSet(TH_JAM_MEETS)));
    const thM arrived = mAnd(hasAny(flags, th_agentArrived), other->hasSameGoal);
    view->facesHolder = mOr(view->facesHolder, mAnd(isMet, hasAny(flags, th_agentHolds)));
    view->facesIdle = mOr(view->facesIdle, mAndNot(isMet, other->hasSameGoal));
    view->facesEnd = mOr(view->facesEnd, mAnd(isFaced, arrived));
    view->touchesEnd = mOr(view->touchesEnd, mAnd(mAnd(isNear, arrived),
                                                  fLe(other->gap, fSet(TOUCHES) * other->radii)));
}

// Lists the neighbours who may be near, and returns how many; most of the others are found out
// without a root.
static inline int32_t listNear(const thBatch* batch, const Self* self, Near* list)
{
    const thI seen = intsOf(self, batch->neighborCount);
    int32_t count = 0;
    for (int32_t k = 0; k < batch->neighborMax; ++k) {
        const int32_t at = k * batch->lanes;
        const Vec place = vecsOf(self, batch->nx + at, batch->ny + at);
        const thF radii = self->radius + floatsOf(self, batch->nradius + at);
        const thF reach = radii + fSet(TH_JAM_NEARBY);
        const thM mayBe = mAnd(mAnd(self->exists, iLt(iSet(k), seen)),
                               fLe(dot(place, place), fSet(1.01f) * reach * reach));
        list[count] = (Near){place, radii, mayBe, at};
        count += mAny(mayBe);
    }
    return count;
}

// Looks at others who are near. Hardly anything is skipped: branches that depend on what others
// show are rarely foreseen.
static inline View lookAround(const thJamTask* task, Self* self, const Scratch* scratch)
{
    const thJams* jams = task->jams;
    const thBatch* batch = task->batch;
    const thFrame* frame = batch->frame;
    const int32_t* words = jams->shown[jams->current]->words;
    const thM isHeld = fGt(self->heldUp, fSet(0.0f));
    const thF slow = fSet(keepsPace(task) ? FIRST : BLOCKED);
    const thM isSlow = mAnd(self->exists, mOr(isHeld, fLe(self->progress, slow)));
    const bool anySlow = mAny(isSlow);
    const thF contact = self->contact + fSet(frame->dt);
    const thM no = none();
    View view = {no, no, no, no, no, no, no, no, no, vec(fSet(0.0f), fSet(0.0f)), 0};
    thI nearCount = iSet(0), least = iAdd(self->remaining, iSet(1));
    self->contact = contact;
    if (batch->moverMax > 0)
        self->contact =
            fSelect(iEq(intsOf(self, task->lanes->meetsMover), iSet(0)), contact, fSet(0.0f));
    layOutWalls(batch, self, scratch->walls);
    const int32_t count = listNear(batch, self, scratch->near);
    for (int32_t i = 0; i < count; ++i) {
        const Vec place = scratch->near[i].place;
        const thF radii = scratch->near[i].radii;
        const thF distance = fSqrt(dot(place, place)), gap = distance - radii;
        thM isNear = mAnd(mAnd(scratch->near[i].mayBe, iLt(nearCount, iSet(MOST_NEAR))),
                          fLe(gap, fSet(TH_JAM_NEARBY)));
        if (self->wallCount > 0)
            isNear = mAndNot(isNear, isBehindWall(scratch->walls, self->wallCount, place, isNear));
        nearCount = iAdd(nearCount, iSelect(isNear, iSet(1), iSet(0)));
        const thM isApart = fGt(distance, fSet(0.0f));
        const thF share =
            fSelect(isApart, fSet(1.0f) / fSelect(isApart, distance, fSet(1.0f)), fSet(0.0f));
        const Vec toward = vec(place.x * share, place.y * share);
        const thI row = iSelect(isNear, intsOf(self, batch->nrow + scratch->near[i].at),
                                self->row); // what is far stays unread
        const thI told = iGather(words + 1, iShl(row, 1));
        Other other = {.toward = toward,
                       .gap = gap,
                       .radii = radii,
                       .along = dot(toward, self->goal),
                       .isInWay = isInWay(self->goal, toward, gap, radii),
                       .isNear = isNear,
                       .goal = iGather(frame->goal, row),
                       .row = row,
                       .remaining = iSet(0),
                       .shown = iGather(words, iShl(row, 1)),
                       .told = told,
                       .stands = hasAny(told, th_jamStands << TH_JAM_FLAGS_SHIFT)};
        other.hasSameGoal = mAnd(isNear, iEq(other.goal, self->goalSlot));
        if (mAny(other.hasSameGoal)) {
            other.hasSameGoal =
                mAnd(other.hasSameGoal, iEq(iGather(frame->goalIndex, row), self->goalIndex));
            const thM isAsked = mAnd(mAnd(other.hasSameGoal, isSlow), fLe(gap, fSet(TH_JAM_MEETS)));
            if (mAny(isAsked)) {
                other.remaining = gatherShorts(jams->remaining[jams->current], row);
                noteFellow(task, self, &other, &view, &least);
            }
        }
        noteOther(&other, &view);
        if (anySlow) {
            meet(self, &other);
            noteIdle(frame, &other, &view);
        }
        keepClaim(&other, &scratch->claimants[view.claimCount]);
        view.claimCount += mAny(scratch->claimants[view.claimCount].isNear);
    }
    // Who is held up only by those who want the same, or not at all, is in a queue.
    self->contact = fSelect(isHeld, self->contact, contact);
    self->heldUp =
        fSelect(mAnd(isHeld, fGt(self->contact, fSet(FORGETS))), fSet(0.0f), self->heldUp);
    return view;
}

// Who has waited claims the way, and who stands in it makes room.

// How long it has waited.
static inline void addWait(const thJamTask* task, Self* self, const View* view)
{
    const thF dt = fSet(task->batch->frame->dt);
    const thF claim = fFromI(iAnd(self->told, iSet(UINT16_MAX))) / fSet(TH_JAM_CLAIMS);
    const thM steppedBack = hasAny(self->told, th_jamStepsBack << TH_JAM_FLAGS_SHIFT);
    const thM goesOn = mAnd(fGt(claim, fSet(ASKS)), view->isCleared);
    const thF judged = fSelect(fGt(self->heldUp, fSet(HALF_HELD)), self->wait + dt,
                               fMax(self->wait - dt, fSet(0.0f)));
    const thF wait = fSelect(goesOn, fMax(self->wait, fSet(HOLDS_FOR)), judged);
    self->wait = fSelect(steppedBack, self->wait, wait);
}

// How strong own claims are: dealt anew now and then, so that everybody comes first some time.
static inline thF dealtTo(const thFrame* frame, const Self* self, thM which)
{
    const uint64_t turn = (uint64_t)((float)frame->step * frame->dt / TURN_TIME);
    int32_t rows[TH_WIDTH];
    float dealt[TH_WIDTH] = {0.0f};
    iStore(rows, self->row);
    for (uint32_t left = mBits(which); left != 0; left &= left - 1) {
        const int32_t i = __builtin_ctz(left);
        const uint64_t mixed = thiMix(frame->key[rows[i]] + turn * 0x9E3779B97F4A7C15u);
        dealt[i] = LEAST_DEALT + (1.0f - LEAST_DEALT) * (float)(mixed >> 40) * 0x1p-24f;
    }
    return fLoad(dealt);
}

// Where to step for a claim that leads along `to`, of somebody in direction `toward`: who wants the
// other way back, who only stands aside.
static inline Vec stepFor(const Self* self, Vec to, Vec toward)
{
    if (!mAny(self->stands))
        return to;
    const thF along = fNeg(dot(toward, to));
    const Vec aside = subtract(opposite(toward), scale(along, to));
    const thF length = fSqrt(dot(aside, aside));
    const thM isLong = fGt(length, fSet(0.01f));
    const thF divisor = fSelect(isLong, length, fSet(1.0f));
    const Vec step =
        choose(isLong, vec(aside.x / divisor, aside.y / divisor), vec(to.y, fNeg(to.x)));
    return choose(self->stands, step, to);
}

// Who steps back before somebody who follows would do so for ever. So in the open it steps to the
// side, too: to the one on which it is.
static inline Vec stepAside(const Self* self, Vec to, Vec toward)
{
    const thF aside =
        fSelect(fLe(det(to, toward), fSet(0.0f)), fSet(STEPS_ASIDE), fSet(-STEPS_ASIDE));
    const Vec step = vec(to.x - aside * to.y, to.y + aside * to.x);
    const thF length = fSqrt(dot(step, step));
    const thM may = mAnd(mAndNot(self->isOpen, self->stands), fGt(length, fSet(0.0f)));
    const thF divisor = fSelect(may, length, fSet(1.0f));
    return choose(may, vec(step.x / divisor, step.y / divisor), to);
}

// What is left of somebody's claim here. Those who stand hand it on less and less, whosever it is.
static inline thF handedOn(thI told)
{
    const thF claim = fFromI(iAnd(told, iSet(UINT16_MAX))) / fSet(TH_JAM_CLAIMS);
    const thM stands = hasAny(told, th_jamStands << TH_JAM_FLAGS_SHIFT);
    return fSelect(fLe(claim, fSet(ASKS)), fSet(ASKED_ON),
                   fSelect(stands, fSet(STANDERS_ON), fSet(HANDED_ON))) *
           claim;
}

// Its own claim, or that of somebody who wants to come through here. Who is in the way of a claim
// steps out of it. Who stands need not want the other way, unless the claim is to the very place
// where it stands; for one that is handed on it waits until it has to. And it stops so that
// somebody whose claim leads across its way gets through before it. Streams would carry people
// along for ever otherwise: nobody in them is held up. Who is held up itself does not.
static inline void claimWay(const thJamTask* task, const Self* self, const View* view,
                            const Claimant* claimants, Deed* deed)
{
    const thF zero = fSet(0.0f), asks = fSet(ASKS);
    const thM hasWaited = fGt(self->wait, fSet(task->def->patience));
    const thM walks = mAndNot(mNot(self->arrived), keepsPlace(task->jams, self));
    deed->claim = fSelect(mAnd(walks, view->asks), asks, zero);
    if (mAny(mAnd(walks, hasWaited)))
        deed->claim =
            fSelect(mAnd(walks, hasWaited),
                    dealtTo(task->batch->frame, self, mAnd(walks, hasWaited)), deed->claim);
    const thM mayLetPass =
        mAndNot(mAnd(self->isOpen, fLe(self->heldUp, fSet(HALF_HELD))), self->stands);
    Vec to = self->goal, toward = vec(zero, zero);
    for (int32_t k = 0; k < view->claimCount; ++k) {
        const Claimant* other = &claimants[k];
        const thF strength = handedOn(other->told);
        const thM isStronger = mAnd(other->isNear, fGt(strength, deed->claim));
        if (!mAny(isStronger))
            continue;
        const Vec claimTo = vectorOf(other->shown, true);
        const thM isOwn =
            iEq(iAnd(other->told, iSet(th_jamStepsBack << TH_JAM_FLAGS_SHIFT)), iSet(0));
        const Vec here = opposite(other->toward);
        const thM isNext = fLe(other->gap, fSet(IN_THE_WAY));
        const thM isDue = fGt(strength, asks);
        const thM isHere = isInWay(claimTo, here, other->gap, other->radii);
        const thF alike = dot(claimTo, self->goal);
        const thM crosses = mAnd(mAnd(fGe(alike, fSet(AGAINST)), fLt(alike, fSet(ACROSS))),
                                 mAnd(isHere, fLe(dot(here, self->goal), zero)));
        deed->letsPass = mOr(deed->letsPass,
                             mAnd(mAnd(mAnd(isStronger, isDue), mayLetPass), mAnd(isOwn, crosses)));
        const thM isIdle = mAndNot(self->stands, mAnd(isOwn, other->hasSameGoal));
        const thM isAgainst =
            mAnd(mAnd(isDue, isNext),
                 mAnd(fGt(dot(claimTo, here), fSet(CLAIM_AHEAD)), fLt(alike, fSet(AGAINST))));
        const thM isClaimed = mAnd(isStronger, mOr(mAnd(isIdle, mAnd(mOr(isOwn, isNext), isHere)),
                                                   mAndNot(isAgainst, isIdle)));
        deed->claim = fSelect(isClaimed, strength, deed->claim);
        deed->stepsBack = mOr(deed->stepsBack, isClaimed);
        to = choose(isClaimed, claimTo, to);
        toward = choose(isClaimed, other->toward, toward);
    }
    deed->claimTo = to;
    if (mAny(deed->stepsBack)) {
        const Vec step = stepFor(self, to, toward);
        deed->claimTo = choose(deed->stepsBack, step, to);
        deed->stepTo = stepAside(self, step, toward);
    }
}

// Bodies that press towards one opening lock in an arch before it. Nobody in it is against anybody,
// so who stands for long backs off from the one beside it who wants the same and is nearest to it,
// until it has moved; then it has a new chance. In a queue before a gate it waits. Who keeps a pace
// is as slow in any dense crowd: it backs off if the first of those before it stands.
static inline void backOff(const thJamTask* task, Self* self, const View* view, Deed* deed)
{
    const Vec velocity = vecsOf(self, task->batch->vx, task->batch->vy);
    const thM wants = mNot(fEq(dot(self->goal, self->goal), fSet(0.0f)));
    const thM may = mAndNot(wants, mOr(deed->stepsBack, deed->letsPass));
    const thM hasMoved = mAnd(mAnd(may, hasAny(self->told, th_jamBacksOff << TH_JAM_FLAGS_SHIFT)),
                              fGt(dot(velocity, velocity), fSet(MOVED_BACK * MOVED_BACK)));
    const thM stands = fLe(self->progress, fSet(BLOCKED));
    const thM isFirst = mAndNot(fLe(self->progress, fSet(FIRST)), view->isBehind);
    const thM isLocked = mOr(isFirst, mAnd(stands, view->followsLocked));
    const thM isBlocked =
        mAnd(keepsPace(task) ? isLocked : stands, fGt(self->contact, fSet(FORGETS)));
    deed->queues = mAnd(stands, view->queues);
    const thM waits = mOr(deed->queues, hasAny(self->told, th_jamQueues << TH_JAM_FLAGS_SHIFT));
    const thM gives = mAnd(mAndNot(may, mOr(hasMoved, waits)), isBlocked);
    deed->isLocked = keepsPace(task) ? gives : none();
    deed->backsOff = mAnd(gives, view->isBehind);
    const thF chance = fSet(keepsPace(task) ? LITTLE_CHANCE : NEW_CHANCE);
    self->progress = fSelect(hasMoved, chance, self->progress);
}

// Whether it cannot get nearer because others stand where it wants to be: it is held up and touches
// them, or does not come on, as methods that keep their distance do not let it touch anybody.
static inline thM settles(const Self* self, const View* view)
{
    const thM isHeld = fGt(self->heldUp, fSet(SETTLES));
    const thM isBlocked =
        mAnd(fLt(self->progress, fSet(BLOCKED)), fGt(self->contact, fSet(FORGETS)));
    return mAndNot(mOr(mAnd(isHeld, view->touchesEnd), mAnd(isBlocked, view->facesEnd)),
                   self->arrived);
}

// What it wants in the end, and what it shows others.

// How far it turns, to the left. Those who hold, or stand where one has not come on for a while, do
// not step aside, so one goes round them: now on one side, now on the other, as there may be a
// wall.
static inline thF turnOf(const thJamTask* task, const Self* self, const View* view)
{
    const thFrame* frame = task->batch->frame;
    const float side = task->def->keep == th_keepRight ? -1.0f : 1.0f;
    const thF turn = fSet(side) * (fSet(TH_JAM_ASIDE) + fSet(task->def->turnAside) * self->heldUp);
    const thM isBlocked = fLt(self->progress, fSet(BLOCKED));
    const thM meetsHolder = mOr(view->facesHolder, mAnd(isBlocked, view->facesIdle));
    if (!mAny(meetsHolder))
        return turn;
    const uint64_t time = (uint64_t)((float)frame->step * frame->dt / ROUND_TIME);
    int32_t rows[TH_WIDTH];
    float sides[TH_WIDTH];
    iStore(rows, self->row);
    for (int32_t i = 0; i < TH_WIDTH; ++i)
        sides[i] = (time + frame->key[rows[i]]) % 2 != 0 ? side : -side;
    return fSelect(meetsHolder, fLoad(sides) * fSet(ROUND_HOLDERS) * self->heldUp, turn);
}

static inline Vec turnAside(const thJamTask* task, const Self* self, const View* view,
                            const Deed* deed)
{
    const thBatch* batch = task->batch;
    const thKeep keep = task->def->keep;
    const thF zero = fSet(0.0f);
    Vec guide = vecsOf(self, batch->guideX, batch->guideY);
    // Who does not look at others does not care, and those who stand round a place would circle it.
    if (keep != th_keepNone && batch->nx != NULL) {
        const thF slower = fMax(fSet(1.0f) + fSet(HESITATES) * self->progress, fSet(0.2f));
        const thM wasMoved = fLt(self->progress, zero), isHeld = fGt(self->heldUp, zero);
        const Vec wanted = choose(wasMoved, vec(guide.x * slower, guide.y * slower), guide);
        thF sine = fSet(keep == th_keepRight ? -TH_JAM_ASIDE_SINE : TH_JAM_ASIDE_SINE);
        thF cosine = fSet(TH_JAM_ASIDE_COSINE);
        if (mAny(isHeld)) {
            thF heldSine, heldCosine;
            fSinCos(turnOf(task, self, view), &heldSine, &heldCosine);
            sine = fSelect(isHeld, heldSine, sine);
            cosine = fSelect(isHeld, heldCosine, cosine);
        }
        guide =
            choose(self->stands, guide,
                   vec(wanted.x * cosine - wanted.y * sine, wanted.x * sine + wanted.y * cosine));
    }
    const thF speed = fSet(BACK) * floatsOf(self, batch->prefSpeed);
    guide = choose(deed->letsPass, vec(zero, zero), guide);
    guide = choose(deed->backsOff, scale(fSet(BACKS_OFF), view->back), guide);
    return choose(deed->stepsBack, scale(speed, deed->stepTo), guide);
}

// To the nearest, halves away from zero.
static inline thI roundOf(thF value)
{
    return iFromF(value + fSelect(fLt(value, fSet(0.0f)), fSet(-0.5f), fSet(0.5f)));
}

// A unit vector as two bytes.
static inline thI bytesOf(Vec a)
{
    const thF units = fSet(127.0f);
    return iOr(iAnd(roundOf(units * a.x), iSet(0xFF)),
               iShl(iAnd(roundOf(units * a.y), iSet(0xFF)), 8));
}

// In units, rounded, but never to where it was if it has become longer: small steps add up, too.
static inline thI unitsOf(thF value, float unit, thI before, int32_t most)
{
    const thI units = iFromF(fMin(value * fSet(1.0f / unit) + fSet(0.5f), fSet((float)most)));
    const thM isLonger = fGt(value, fFromI(before) * fSet(unit));
    const thI least = iSelect(isLonger, iAdd(before, iSet(1)), iSet(0));
    return iMin(iMax(units, least), iSet(most));
}

static inline thI flagIf(thM mask, int32_t flag)
{
    return iSelect(mask, iSet(flag), iSet(0));
}

// Who has begun to move backwards does so until it moves on.
static inline thM isBackwards(const thJamTask* task, const Self* self)
{
    const thF gets = floatsOf(self, task->lanes->gets);
    const thM was = hasAny(self->told, th_jamBackwards << TH_JAM_FLAGS_SHIFT);
    return mOr(fLt(gets, fSet(-TH_JAM_BACKWARDS)), mAnd(fLt(gets, fSet(TH_JAM_BACKWARDS)), was));
}

static inline void show(const thJamTask* task, const Self* self, const Deed* deed, Vec guide)
{
    const thJams* jams = task->jams;
    const thBatch* batch = task->batch;
    const int32_t next = 1 - jams->current;
    const thM backwards = isBackwards(task, self);
    const thI claim = iFromF(deed->claim * fSet(TH_JAM_CLAIMS));
    const thI claimTo = iSelect(iGt(claim, iSet(0)), bytesOf(deed->claimTo), iSet(0));
    const thI flags = iOr(
        iOr(iOr(flagIf(deed->shuffles, th_jamShuffles), flagIf(deed->stepsBack, th_jamStepsBack)),
            iOr(flagIf(backwards, th_jamBackwards), flagIf(deed->settles, th_jamSettles))),
        iOr(iOr(flagIf(deed->backsOff, th_jamBacksOff), flagIf(deed->queues, th_jamQueues)),
            iOr(flagIf(deed->isLocked, th_jamLocked), flagIf(self->stands, th_jamStands))));
    const thI contactBefore = iAnd(iShrLogical(self->told, TH_JAM_CONTACT_SHIFT), iSet(UINT8_MAX));
    const thI contact = unitsOf(self->contact, TH_JAM_CONTACT_UNIT, contactBefore, UINT8_MAX);
    const thI own = intsOf(self, task->lanes->own);
    const thI wait = unitsOf(self->wait, TH_JAM_WAIT_UNIT, iShrLogical(own, 16), UINT16_MAX);
    const thI progress = roundOf(self->progress * fSet(1.0f / TH_JAM_PROGRESS_UNIT));
    int32_t rows[TH_WIDTH], lanes[TH_WIDTH], words[2][TH_WIDTH], owns[TH_WIDTH];
    float guideX[TH_WIDTH], guideY[TH_WIDTH];
    iStore(rows, self->row);
    iStore(lanes, self->lane);
    iStore(words[0], iOr(bytesOf(self->goal), iShl(claimTo, 16)));
    iStore(words[1],
           iOr(claim, iOr(iShl(contact, TH_JAM_CONTACT_SHIFT), iShl(flags, TH_JAM_FLAGS_SHIFT))));
    iStore(owns, iOr(iAnd(progress, iSet(0xFFFF)), iShl(wait, 16)));
    fStore(guideX, guide.x);
    fStore(guideY, guide.y);
    for (uint32_t left = mBits(self->exists); left != 0; left &= left - 1) {
        const int32_t i = __builtin_ctz(left);
        jams->shown[next][rows[i]].words[0] = words[0][i];
        jams->shown[next][rows[i]].words[1] = words[1][i];
        jams->own[next][rows[i]].word = owns[i];
        batch->guideX[lanes[i]] = guideX[i];
        batch->guideY[lanes[i]] = guideY[i];
    }
    const thM exists = self->exists;
    const thM wasBackwards = hasAny(self->told, th_jamBackwards << TH_JAM_FLAGS_SHIFT);
    task->counts->shuffling += __builtin_popcount(mBits(mAnd(exists, deed->shuffles)));
    task->counts->steppingBack += __builtin_popcount(mBits(mAnd(exists, deed->stepsBack)));
    task->counts->turningBack +=
        __builtin_popcount(mBits(mAnd(exists, mAndNot(backwards, wasBackwards))));
}

static inline void unjam(const thJamTask* task, const Scratch* scratch, int32_t first, thI lane,
                         thM exists)
{
    const float patience = task->def->patience;
    const thF zero = fSet(0.0f);
    Self self = openSelf(task, lane, first, exists);
    const View view = lookAround(task, &self, scratch);
    Deed deed = {zero,   vec(zero, zero), vec(zero, zero), none(), none(),
                 none(), none(),          none(),          none(), none()};
    if (patience > 0.0f) {
        const thM shuffled = hasAny(self.told, th_jamShuffles << TH_JAM_FLAGS_SHIFT);
        addWait(task, &self, &view);
        deed.shuffles = mOr(fGt(self.wait, fSet(patience)), mAnd(shuffled, fGt(self.wait, zero)));
        claimWay(task, &self, &view, scratch->claimants, &deed);
        backOff(task, &self, &view, &deed);
        deed.settles = settles(&self, &view);
    }
    show(task, &self, &deed, turnAside(task, &self, &view, &deed));
}

void TH_WIDE(thiUnjamLanes)(const thJamTask* task)
{
    const thJamLanes* lanes = task->lanes;
    char* memory = task->scratch;
    Scratch scratch = {.claimants = (Claimant*)memory};
    memory += (size_t)task->batch->neighborMax * sizeof(Claimant);
    scratch.near = (Near*)memory;
    memory += (size_t)task->batch->neighborMax * sizeof(Near);
    scratch.walls = (Wall*)memory;
    const int32_t fulls = lanes->fullCount;
    const int32_t count = fulls + (lanes->singleCount + TH_WIDTH - 1) / TH_WIDTH;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t first = i < fulls ? lanes->full[i] : -1, single = (i - fulls) * TH_WIDTH;
        unjam(task, &scratch, first,
              i < fulls ? iAdd(iLane(), iSet(first)) : iLoad(lanes->single + single),
              i < fulls ? mFromBits(lanes->fullBits[i]) : mFirst(lanes->singleCount - single));
    }
}
