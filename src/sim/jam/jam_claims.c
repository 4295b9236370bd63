// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Who has waited claims the way, and who stands in it makes room.

#include "base/hash.h"
#include "sim/jam/jam_mind.h"
#include "throng/math.h"

#define HALF_HELD 0.5f   // being held up that counts as waiting
#define IN_THE_WAY 0.15f // gap within which a claim is felt [m]
#define CLAIM_AHEAD 0.5f // cosine of the directions that a claim leads to
#define AGAINST (-0.3f)  // cosine from which on somebody wants to go against a claim
#define ACROSS 0.5f      // up to this one its way crosses that of the claim
#define STEPS_ASIDE 0.7f // slope to the side of those who step back in the open
#define HANDED_ON 0.999f // share of a claim that is handed on
#define LEAST_DEALT 0.1f // the weakest claim of those who have waited
#define ASKED_ON 0.5f    // share of what is only asked that is handed on, so that it ends soon
#define HOLDS 0.4f       // gap within which a claimant who sees its way cleared goes on [m]
#define HOLDS_FOR 1.5f   // [s]
#define TURN_TIME 30.0f  // after which claims are dealt anew, so that nobody is last for ever [s]

static bool seesWayCleared(const thJamMind* mind)
{
    for (int32_t k = 0; k < mind->nearCount; ++k) {
        const thJamOther* other = &mind->near[k];
        if (other->gap <= HOLDS && (other->shown->flags & th_jamStepsBack) != 0 &&
            thiJamDot(other->toward, mind->goal) > TH_JAM_AHEAD)
            return true;
    }
    return false;
}

void thiWaitInJam(thJamMind* mind, bool steppedBack, bool claimed)
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
static float dealtTo(const thJamMind* mind)
{
    const thFrame* frame = mind->batch->frame;
    const uint64_t turn = (uint64_t)((float)frame->step * frame->dt / TURN_TIME);
    const uint64_t dealt = thiMix(frame->key[mind->row] + turn * 0x9E3779B97F4A7C15u);
    return LEAST_DEALT + (1.0f - LEAST_DEALT) * (float)(dealt >> 40) * 0x1p-24f;
}

// Where to step for a claim that leads along `to`, of somebody in direction `toward`: who wants the
// other way back, who only stands aside.
static thVec2 stepFor(const thJamMind* mind, thVec2 to, thVec2 toward)
{
    if (!thiStands(mind->batch->frame, mind->row))
        return to;
    const float along = -thiJamDot(toward, to);
    const thVec2 aside = {-toward.x - along * to.x, -toward.y - along * to.y};
    const float length = sqrtf(thiJamDot(aside, aside));
    return length > 0.01f ? (thVec2){aside.x / length, aside.y / length} : (thVec2){to.y, -to.x};
}

// Who steps back before somebody who follows would do so for ever. So in the open it steps to the
// side, too: to the one on which it is.
static thVec2 stepAside(const thJamMind* mind, thVec2 to, thVec2 toward)
{
    if (thiStands(mind->batch->frame, mind->row) || !thiIsInOpen(mind))
        return to;
    const float aside = thiJamCross(to, toward) <= 0.0f ? STEPS_ASIDE : -STEPS_ASIDE;
    const thVec2 step = {to.x - aside * to.y, to.y + aside * to.x};
    const float length = sqrtf(thiJamDot(step, step));
    return length > 0.0f ? (thVec2){step.x / length, step.y / length} : to;
}

// Who stands makes way at once, unless he stands where both want to be.
static bool asksSomebody(const thJamMind* mind)
{
    for (int32_t k = 0; k < mind->nearCount; ++k) {
        const thJamOther* other = &mind->near[k];
        if ((other->shown->flags & th_jamStands) != 0 &&
            thiIsInWay(other, mind->goal, other->toward) && !thiHasSameGoal(mind, other))
            return true;
    }
    return false;
}

static float handedOn(float claim)
{
    return (claim > TH_JAM_ASKS ? HANDED_ON : ASKED_ON) * claim;
}

// Whether it is in the way of somebody's claim. Who stands need not want the other way, unless the
// claim is to the very place where it stands; for one that is handed on it waits until it has to.
static bool isClaimed(const thJamMind* mind, const thJamOther* other, float strength, thVec2 to)
{
    const thVec2 here = {-other->toward.x, -other->toward.y};
    const bool isOwn = (other->shown->flags & th_jamStepsBack) == 0;
    const bool isNext = other->gap <= IN_THE_WAY;
    if (thiStands(mind->batch->frame, mind->row) && !(isOwn && thiHasSameGoal(mind, other)))
        return (isOwn || isNext) && thiIsInWay(other, to, here);
    return strength > TH_JAM_ASKS && isNext && thiJamDot(to, here) > CLAIM_AHEAD &&
           thiJamDot(to, mind->goal) < AGAINST;
}

// Whether it stops so that somebody whose claim leads across its way gets through before it.
// Streams would carry people along for ever otherwise: nobody in them is held up. Who is himself
// does not.
static bool letsPass(const thJamMind* mind, const thJamOther* other, float strength, thVec2 to)
{
    const thVec2 here = {-other->toward.x, -other->toward.y};
    const bool isOwn = (other->shown->flags & th_jamStepsBack) == 0;
    const float alike = thiJamDot(to, mind->goal);
    return thiIsInOpen(mind) && strength > TH_JAM_ASKS && isOwn && mind->held <= HALF_HELD &&
           !thiStands(mind->batch->frame, mind->row) && alike >= AGAINST && alike < ACROSS &&
           thiIsInWay(other, to, here) && thiJamDot(here, mind->goal) <= 0.0f;
}

// Its own claim, or that of somebody who wants to come through here.
void thiClaimWay(thJamMind* mind, float patience)
{
    mind->claim = mind->arrived           ? 0.0f
                  : mind->wait > patience ? dealtTo(mind)
                  : asksSomebody(mind)    ? TH_JAM_ASKS
                                          : 0.0f;
    mind->claimTo = mind->goal;
    mind->stepsBack = mind->letsPass = false;
    for (int32_t k = 0; k < mind->nearCount; ++k) {
        const thJamOther* other = &mind->near[k];
        if (other->shown->claim == 0)
            continue;
        const float strength = handedOn(thiJamClaim(other->shown));
        const thVec2 to = thiJamVector(other->shown->claimX, other->shown->claimY);
        if (strength <= mind->claim)
            continue;
        mind->letsPass = mind->letsPass || letsPass(mind, other, strength, to);
        if (isClaimed(mind, other, strength, to)) {
            mind->claim = strength;
            mind->claimTo = stepFor(mind, to, other->toward);
            mind->stepTo = stepAside(mind, mind->claimTo, other->toward);
            mind->stepsBack = true;
        }
    }
}
