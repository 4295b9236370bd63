// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Kernel: forces of the universal power law, one agent per lane. Symbols follow Karamouzas, Skinner
// and Guy 2014 and docs/methods/power-law.md: p is where the other is and w how it moves, both
// relative to the agent, R the sum of radii, τ the time to the collision.

#include "avoid/power_law/power_law.h"

#include "simd/lane_math.h"
#include "velocity/force_lanes.h"

// Bodies so small, or so slow, do not meet: their radius times their speed² is less. [m³/s²]
#define TINY 1.0e-20f

// A collision, or an overlap: when, the direction from the agent to the other where they touch, and
// how fast they come nearer along it.
typedef struct Contact {
    thM meets, overlaps; // no lane does both
    thF time, closing, depth;
    Vec normal;
} Contact;

// What pushes an agent: the sum of forces, and how much they brake it, as a symmetric matrix: they
// change by minus this times a change of its velocity.
typedef struct Push {
    Vec force;
    thF xx, xy, yy;
    thM meets, overlaps;
} Push;

// How far a step has come.
typedef struct Moment {
    thF after;    // the others have gone on for that long [s]
    Vec moved, v; // how far the agent has moved itself, and its velocity
    bool isFirst; // the beginning
} Moment;

// Of two discs; `aside` is the normal of those that stand on one point.
static inline Contact meetDisc(Vec p, Vec w, thF radius, thF aside)
{
    const thF distanceSq = dot(p, p), c = distanceSq - radius * radius;
    const thF b = fNeg(dot(p, w)), across = det(p, w), speedSq = dot(w, w);
    const thF disc = radius * radius * speedSq - across * across, size = radius * speedSq;
    Contact contact;
    contact.overlaps = fLt(c, fSet(0.0f));
    contact.meets =
        mAndNot(mAnd(fLt(fSet(0.0f), b), mAnd(fLt(fSet(0.0f), disc), fLt(fSet(TINY), size))),
                contact.overlaps);
    const thF root = fSqrt(fSelect(contact.meets, disc, fSet(1.0f)));
    contact.time = c / fSelect(contact.meets, b + root, fSet(1.0f));
    // (p + τ w)/R, in a form that is of length 1 whatever the places.
    const thF share = fSet(1.0f) / fSelect(contact.meets, size, fSet(1.0f));
    contact.normal = scale(share, vec(across * w.y - root * w.x, fNeg(across * w.x + root * w.y)));
    contact.closing = root * speedSq * share;
    contact.depth = fSet(0.0f);
    if (mAny(contact.overlaps)) {
        const thM coincide = fLt(distanceSq, fSet(TH_POWER_LAW_ONE_POINT * TH_POWER_LAW_ONE_POINT));
        const thF distance = fSqrt(fSelect(coincide, fSet(1.0f), distanceSq));
        const Vec towards =
            choose(coincide, vec(aside, fSet(0.0f)), scale(fSet(1.0f) / distance, p));
        contact.normal = choose(contact.overlaps, towards, contact.normal);
        contact.closing = fSelect(contact.overlaps, fNeg(dot(towards, w)), contact.closing);
        contact.depth = fSelect(contact.overlaps, radius - fSelect(coincide, fSet(0.0f), distance),
                                contact.depth);
    }
    return contact;
}

// The earlier one; of two overlaps the deeper one.
static inline Contact firstOf(Contact a, Contact b)
{
    const thM deeper = mAnd(b.overlaps, mOr(mNot(a.overlaps), fLt(a.depth, b.depth)));
    const thM sooner = mAnd(mAndNot(b.meets, a.overlaps), mOr(mNot(a.meets), fLt(b.time, a.time)));
    const thM other = mOr(deeper, sooner);
    return (Contact){.meets = mOr(mAnd(other, b.meets), mAndNot(a.meets, other)),
                     .overlaps = mOr(a.overlaps, b.overlaps),
                     .time = fSelect(other, b.time, a.time),
                     .closing = fSelect(other, b.closing, a.closing),
                     .depth = fSelect(other, b.depth, a.depth),
                     .normal = choose(other, b.normal, a.normal)};
}

// Of a disc and a segment with that radius about it, from `a` to `b`.
static inline Contact meetSegment(Vec a, Vec b, Vec w, thF radius)
{
    const thF aside = fSet(0.0f); // who stands on it is pushed nowhere
    const Vec nearest = nearestOfSegment(a, b);
    Contact contact = firstOf(meetDisc(a, w, radius, aside), meetDisc(b, w, radius, aside));
    // The side, where it is reached between the ends.
    const Vec edge = subtract(b, a);
    const thF lengthSq = dot(edge, edge), turned = det(a, edge);
    const thM isLine = fLt(fSet(0.0f), lengthSq);
    const thF length = fSqrt(fSelect(isLine, lengthSq, fSet(1.0f)));
    const thF side = fSelect(fLt(turned, fSet(0.0f)), fSet(-1.0f), fSet(1.0f)) / length;
    const Vec normal = vec(side * edge.y, fNeg(side * edge.x));
    const thF closing = fNeg(dot(normal, w)), gap = dot(normal, a) - radius;
    const thM nears = mAnd(isLine, mAnd(fLt(fSet(0.0f), closing), fLe(fSet(0.0f), gap)));
    const thF time = gap / fSelect(nears, closing, fSet(1.0f));
    const thF along = fNeg(dot(addScaled(a, time, w), edge));
    const thM hits = mAnd(nears, mAnd(fLe(fSet(0.0f), along), fLe(along, lengthSq)));
    contact.time = fSelect(hits, time, contact.time);
    contact.closing = fSelect(hits, closing, contact.closing);
    contact.normal = choose(hits, normal, contact.normal);
    contact.meets = mOr(hits, contact.meets);
    // Overlaps go by the nearest point, also between the ends.
    const Contact here = meetDisc(nearest, w, radius, aside);
    contact.overlaps = here.overlaps;
    contact.meets = mAndNot(contact.meets, here.overlaps);
    contact.closing = fSelect(here.overlaps, here.closing, contact.closing);
    contact.normal = choose(here.overlaps, here.normal, contact.normal);
    contact.depth = here.depth;
    return contact;
}

// Adds the force of a contact. `at`: its entry where what is felt is asked for. `responses`: 2
// where the other is pushed alike, so that its velocity will have changed as much.
static inline Push feel(const thPowerLawTask* task, int32_t at, Push push, Contact contact,
                        const Moment* moment, float responses)
{
    const thM meets =
        mAnd(contact.meets, fLe(contact.time, fSet(TH_POWER_LAW_CUT * task->def->horizon)));
    const thM any = mOr(meets, contact.overlaps);
    // E = k exp(−τ/τ₀)/τ²; the force is −E' ∇τ, and ∇τ the normal by how fast they come nearer.
    const thF time = fMax(fSelect(meets, contact.time, fSet(1.0f)), fSet(TH_POWER_LAW_SOON));
    const thF closing = fMax(contact.closing, fSet(TH_POWER_LAW_GRAZE));
    const thF u = fSet(1.0f) / time, x = time * fSet(1.0f / task->def->horizon);
    const thF energy = fSet(task->def->strength) * fExp(fNeg(x)) * u * u;
    const thF down = (fSet(2.0f) + x) * closing;
    const thF ofMeeting = energy * u * (fSet(2.0f) + x) / closing;
    const thF bend = fSet(4.0f) + x * (fSet(3.0f) + x);
    // Bodies that overlap are to part within a time.
    const thF parting =
        fMax(contact.depth * fSet(1.0f / TH_POWER_LAW_PARTING) + contact.closing, fSet(0.0f));
    const thF force =
        fSelect(contact.overlaps, parting * fSet(1.0f / TH_POWER_LAW_PARTING), ofMeeting);
    const thF kept = fSelect(any, fMin(force, fSet(task->def->maxForce)), fSet(0.0f));
    // By how much of it a force falls as they come nearer more slowly, if head-on.
    const thF fall = fSelect(contact.overlaps, fSet(1.0f), bend) /
                     fSelect(contact.overlaps, fMax(parting, fSet(TH_POWER_LAW_GRAZE)), down);
    const thF braked = fSelect(any, fSet(responses) * (kept * fall), fSet(0.0f));
    const Vec n = choose(any, contact.normal, vec(fSet(0.0f), fSet(0.0f)));
    if (task->felt != NULL && moment->isFirst) {
        fStore(task->felt->forceX + at, fNeg(kept) * n.x);
        fStore(task->felt->forceY + at, fNeg(kept) * n.y);
        fStore(task->felt->time + at, fSelect(contact.overlaps, fSet(0.0f),
                                              fSelect(contact.meets, contact.time, fInfinity())));
    }
    const Vec weighed = scale(braked, n);
    return (Push){.force = addScaled(push.force, fNeg(kept), n),
                  .xx = push.xx + weighed.x * n.x,
                  .xy = push.xy + weighed.x * n.y,
                  .yy = push.yy + weighed.y * n.y,
                  .meets = mOr(push.meets, meets),
                  .overlaps = mOr(push.overlaps, contact.overlaps)};
}

static inline Push feelNeighbors(const thPowerLawTask* task, int32_t lane, const Moment* moment)
{
    const thSurroundings* around = &task->around;
    const thF radius = fLoad(around->radius + lane);
    const thI row = iLoad(around->row + lane), count = iLoad(around->neighborCount + lane);
    const thF zero = fSet(0.0f);
    Push push = {vec(zero, zero), zero, zero, zero, none(), none()};
    for (int32_t k = 0; k < around->neighborMax; ++k) {
        const int32_t at = k * around->lanes + lane;
        const thM real = iLt(iSet(k), count);
        const Vec other = loadVec(around->nvx, around->nvy, at);
        const Vec p = subtract(addScaled(loadVec(around->nx, around->ny, at), moment->after, other),
                               moment->moved);
        // Of two on one point the one of the lower row goes to the left.
        const thM isLower = iLt(row, iLoad(around->nrow + at));
        Contact contact =
            meetDisc(p, subtract(other, moment->v), radius + fLoad(around->nradius + at),
                     fSelect(isLower, fSet(1.0f), fSet(-1.0f)));
        contact.meets = mAnd(contact.meets, real);
        contact.overlaps = mAnd(contact.overlaps, real);
        push = feel(task, at, push, contact, moment, 2.0f);
    }
    return push;
}

// Of walls only the first that is met, so that it does not matter of how many pieces they are.
static inline Push feelWalls(const thPowerLawTask* task, int32_t lane, const Moment* moment,
                             Push push)
{
    const thSurroundings* around = &task->around;
    const thF radius = fLoad(around->radius + lane), zero = fSet(0.0f);
    const thI count = iLoad(around->wallCount + lane);
    Contact first = {none(), none(), zero, zero, zero, vec(zero, zero)};
    for (int32_t k = 0; k < around->wallMax; ++k) {
        const int32_t at = k * around->lanes + lane;
        const thM real = iLt(iSet(k), count);
        const Vec other = loadVec(around->wvx, around->wvy, at);
        const Vec shift = subtract(scale(moment->after, other), moment->moved);
        Contact contact =
            meetSegment(add(loadVec(around->ax, around->ay, at), shift),
                        add(loadVec(around->bx, around->by, at), shift), subtract(other, moment->v),
                        radius + fLoad(around->wradius + at));
        contact.meets = mAnd(contact.meets, real);
        contact.overlaps = mAnd(contact.overlaps, real);
        first = firstOf(first, contact);
    }
    return feel(task, around->neighborMax * around->lanes + lane, push, first, moment, 1.0f);
}

static inline Push feelAll(const thPowerLawTask* task, int32_t lane, const Moment* moment)
{
    const Push push = feelNeighbors(task, lane, moment);
    return task->around.wallMax > 0 || task->felt != NULL ? feelWalls(task, lane, moment, push)
                                                          : push;
}

// Into how many sub-steps a step is divided. An explicit one is stable while none is longer than
// the time in which forces change; an implicit one always is.
static inline thI countSubSteps(const thPowerLawTask* task, const Push* push)
{
    if (task->def->implicit != 0)
        return iSet(TH_POWER_LAW_IMPLICIT_PARTS);
    const thF quickness = fSet(1.0f / task->def->relaxation) + push->xx + push->yy;
    const thF others = fSet((float)(TH_POWER_LAW_EXPLICIT_PARTS - 1));
    return iAdd(iFromF(fMin(fSet(task->around.dt) * quickness, others)), iSet(1));
}

// The change of velocity in a sub-step. The implicit one takes forces as they will be when it has
// changed: the matrix is `own` on its diagonal and the part that brakes, whose determinant is never
// negative, but for rounding.
static inline Vec changeOf(const thPowerLawTask* task, const Push* push, thF part, Vec toGuide)
{
    const thF perRelaxation = fSet(1.0f / task->def->relaxation);
    const Vec change = scale(part, addScaled(push->force, perRelaxation, toGuide));
    if (task->def->implicit == 0)
        return change;
    const thF own = fSet(1.0f) + part * perRelaxation;
    const thF xx = part * push->xx, xy = part * push->xy, yy = part * push->yy;
    const thF determinant = own * (own + (xx + yy)) + fMax(xx * yy - xy * xy, fSet(0.0f));
    return scale(fSet(1.0f) / determinant,
                 vec((own + yy) * change.x - xy * change.y, (own + xx) * change.y - xy * change.x));
}

// The velocity after a step of semi-implicit Euler, and what is felt at its beginning.
static inline Vec stepOn(const thPowerLawTask* task, int32_t lane, Push* push)
{
    const Vec guide = loadVec(task->around.guideX, task->around.guideY, lane);
    const thF zero = fSet(0.0f), maxSpeed = fLoad(task->around.maxSpeed + lane);
    Moment moment = {zero, vec(zero, zero), loadVec(task->around.vx, task->around.vy, lane), true};
    *push = feelAll(task, lane, &moment);
    const thI count = countSubSteps(task, push);
    const thF part = fSet(task->around.dt) / fFromI(count);
    moment.isFirst = false;
    Push now = *push;
    for (int32_t i = 0; i < TH_POWER_LAW_EXPLICIT_PARTS; ++i) {
        const thM goesOn = iLt(iSet(i), count);
        if (!mAny(goesOn))
            break;
        if (i > 0)
            now = feelAll(task, lane, &moment);
        const Vec change = changeOf(task, &now, part, subtract(guide, moment.v));
        moment.v = choose(goesOn, keepLength(add(moment.v, change), maxSpeed), moment.v);
        moment.moved = addScaled(moment.moved, part, moment.v);
        moment.after = moment.after + part;
    }
    return moment.v;
}

void TH_WIDE(thiPowerLaw)(const thPowerLawTask* given)
{
    // A copy, so that the compiler knows that what is stored does not change it.
    const thPowerLawTask copy = *given;
    const thPowerLawTask* task = &copy;
    for (int32_t lane = 0; lane < task->around.lanes; lane += TH_WIDTH) {
        const thF maxSpeed = fLoad(task->around.maxSpeed + lane);
        const Vec old = loadVec(task->around.vx, task->around.vy, lane);
        Push push;
        Vec v = keepOffWalls(&task->around, lane, stepOn(task, lane, &push));
        v = keepChange(old, v, maxSpeed,
                       fLoad(task->around.maxAccel + lane) * fSet(task->around.dt));
        fStore(task->around.outVx + lane, v.x);
        fStore(task->around.outVy + lane, v.y);
        int32_t status[TH_WIDTH];
        iStore(status,
               iSelect(push.overlaps, iSet(th_powerLawParts),
                       iSelect(push.meets, iSet(th_powerLawAvoids), iSet(th_powerLawFree))));
        for (int32_t i = 0; i < TH_WIDTH; ++i)
            task->around.status[lane + i] = (uint8_t)status[i];
    }
}
