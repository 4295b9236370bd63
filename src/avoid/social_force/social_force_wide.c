// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Kernel: social forces, one agent per lane. Symbols and equations are those of
// docs/methods/social-force.md. A step has as many parts as an agent's forces need; within it
// others go on as they went at its beginning.

#include "avoid/social_force/social_force.h"

#include "simd/lane_math.h"
#include "velocity/force_lanes.h"

// Centres nearer than this count as one point: there is no direction from one to the other. [m]
#define ONE_POINT 1.0e-6f
// Vectors shorter than this have no direction.
#define NO_LENGTH 1.0e-6f
// Exponents beyond which nothing grows any more: bodies overlap deeply then.
#define MOST_EXPONENT 20.0f
// Gaps, in ranges, beyond which nothing is felt.
#define CUT_OFF 5.0f
// Half the lesser axis of the smallest ellipse. [m]
#define LEAST_AXIS 0.01f
// How far fellows attract. [m]
#define FELLOWS_WITHIN 3.0f
// The most parts of a step, and the time of one when bodies touch that push and rub. [s]
#define MOST_PARTS 16
#define BODY_PART 0.01f
// Who comes within this time, and passes within this gap, is bent for. [s], [m]
#define BEND_WITHIN 3.0f
#define BEND_GAP 0.2f
// How much, at once.
#define BEND 0.5f
// A square of a distance, of nobody. [m²]
#define FAR_AWAY 1.0e30f
// Accelerations below this do not count as being pushed. [m/s²]
#define NOTICED 0.1f
// How often contacts with walls are gone through.
#define SWEEPS 4
// Velocity into a wall that is left when they contradict each other. [m/s]
#define HELD 1.0e-3f

// An agent in the midst of a step: how far it has come, and when.
typedef struct Now {
    Vec p, v;
    thF time, radius;
    Vec ahead; // where it wants to go
} Now;

// What others do to it: felt, and by contact.
typedef struct Push {
    Vec felt, contact;
} Push;

static inline Vec unitOf(Vec a)
{
    const thF lengthSq = dot(a, a);
    const thM has = fLt(fSet(NO_LENGTH * NO_LENGTH), lengthSq);
    const thF per = fSet(1.0f) / fSqrt(fSelect(has, lengthSq, fSet(1.0f)));
    return choose(has, scale(per, a), vec(fSet(0.0f), fSet(0.0f)));
}

// How strong a force is at a gap.
static inline thF strengthAt(float most, float range, thF gap)
{
    const thF exponent = fNeg(gap) * fSet(1.0f / range);
    return fSet(most) * fExp(fMin(fMax(exponent, fSet(-MOST_EXPONENT)), fSet(MOST_EXPONENT)));
}

// The share of a force in that direction that is felt by whoever looks ahead.
static inline thF shareFelt(float behind, thF cosine)
{
    return fSet(behind) + fSet(0.5f * (1.0f - behind)) * (fSet(1.0f) + cosine);
}

static inline thF shareOf(const thForceModel* model, Vec away, Vec ahead)
{
    const thF cosine = fNeg(dot(away, ahead));
    if (model->sight >= -1.0f)
        return fSelect(fLe(fSet(model->sight), cosine), fSet(1.0f), fSet(model->behind));
    return shareFelt(model->behind, cosine);
}

// The force of an ellipse with the other one at one focus, and where it will be at the second one.
static inline Vec ellipseForce(const thForceModel* model, Vec d, thF distance, Vec away, Vec ahead,
                               Vec stride)
{
    const Vec second = subtract(d, stride);
    // On one point the ellipse is the smallest there is.
    const thF sum = fMax(distance + fSqrt(dot(second, second)), fSet(2.0f * LEAST_AXIS));
    const thF axisSq = fMax(sum * sum - dot(stride, stride), fSet(0.0f));
    const thF axis = fMax(fSet(0.5f) * fSqrt(axisSq), fSet(LEAST_AXIS));
    const thF felt = strengthAt(model->strength, model->range, axis) * sum / (fSet(4.0f) * axis);
    const Vec force = scale(felt, add(away, unitOf(second)));
    return scale(shareOf(model, unitOf(force), ahead), force);
}

// Bodies that overlap push and rub, the latter no more than both together stop within the part.
static inline Vec bodyForce(const thForceModel* model, thF overlap, Vec away, Vec slip, thF part)
{
    const Vec along = vec(fNeg(away.y), away.x);
    const thF rubs = fMin(fSet(model->friction) * overlap, fSet(0.5f) / part);
    return addScaled(scale(fSet(model->body) * overlap, away), rubs * dot(slip, along), along);
}

static inline void addNeighbor(const thSocialForceTask* task, int32_t lane, int32_t k,
                               const Now* now, thF part, Push* push)
{
    const thSurroundings* around = &task->around;
    const thForceModel* model = &task->model;
    const int32_t at = k * around->lanes + lane;
    const Vec velocity = loadVec(around->nvx, around->nvy, at);
    const Vec place = addScaled(loadVec(around->nx, around->ny, at), now->time, velocity);
    const Vec d = subtract(now->p, place);
    const thF distance = fSqrt(dot(d, d)), both = now->radius + fLoad(around->nradius + at);
    const thM isThere = iLt(iSet(k), iLoad(around->neighborCount + lane));
    const thF gap = distance - fSet(model->bodies) * both;
    const thM isNear = mAnd(isThere, fLt(gap, fSet(CUT_OFF * model->range)));
    const thM overlaps = mAnd(isThere, fLt(distance, both));
    const thM isFellow =
        task->isFellow != NULL ? mAnd(isThere, iLt(iSet(0), iLoad(task->isFellow + at))) : none();
    if (!mAny(mOr(mOr(isNear, overlaps), isFellow)))
        return;
    const thM isApart = fLt(fSet(ONE_POINT), distance);
    const thM isFirst = iLt(iLoad(around->row + lane), iLoad(around->nrow + at));
    const Vec away = choose(isApart, scale(fSet(1.0f) / fSelect(isApart, distance, fSet(1.0f)), d),
                            vec(fSelect(isFirst, fSet(-1.0f), fSet(1.0f)), fSet(0.0f)));
    Vec force;
    if (model->shape == th_forceCircle) {
        const thF share = shareOf(model, away, now->ahead);
        force = scale(share * strengthAt(model->strength, model->range, gap), away);
    } else {
        const Vec goes = model->shape == th_forceStrides ? velocity : subtract(velocity, now->v);
        force =
            ellipseForce(model, d, distance, away, now->ahead, scale(fSet(model->stride), goes));
    }
    push->felt = choose(isNear, add(push->felt, force), push->felt);
    const thM attracts =
        mAnd(isFellow, mAnd(fLt(both, distance), fLt(distance, fSet(FELLOWS_WITHIN))));
    push->felt =
        choose(attracts, addScaled(push->felt, fSet(-model->attraction), away), push->felt);
    if (model->body > 0.0f || model->friction > 0.0f) {
        const Vec rub = bodyForce(model, both - distance, away, subtract(velocity, now->v), part);
        push->contact = choose(overlaps, add(push->contact, rub), push->contact);
    }
}

// The nearest point of a wall as it stands now, away from which it pushes.
static inline Vec awayFromWall(const thSocialForceTask* task, int32_t at, const Now* now,
                               thF* distance, thM* isApart)
{
    const thSurroundings* around = &task->around;
    const Vec gone = subtract(scale(now->time, loadVec(around->wvx, around->wvy, at)), now->p);
    const Vec nearest = nearestOfSegment(add(loadVec(around->ax, around->ay, at), gone),
                                         add(loadVec(around->bx, around->by, at), gone));
    *distance = fSqrt(dot(nearest, nearest));
    *isApart = fLt(fSet(ONE_POINT), *distance);
    return scale(fSet(-1.0f) / fSelect(*isApart, *distance, fSet(1.0f)), nearest);
}

// What a wall does by itself. A moving one is felt less beside and behind it.
static inline thF wallFelt(const thSocialForceTask* task, int32_t at, const Now* now, thF distance,
                           Vec away)
{
    const thSurroundings* around = &task->around;
    const thForceModel* model = &task->model;
    const thF thickness = fLoad(around->wradius + at);
    const thF gap = distance - (thickness + fSet(model->bodies) * now->radius);
    const Vec velocity = loadVec(around->wvx, around->wvy, at);
    const thM moves = fLt(fSet(NO_LENGTH * NO_LENGTH), dot(velocity, velocity));
    const thF share =
        fSelect(moves, shareFelt(model->moverBehind, dot(away, unitOf(velocity))), fSet(1.0f));
    const thF felt = share * strengthAt(model->wallStrength, model->wallRange, gap);
    return fSelect(fLt(gap, fSet(CUT_OFF * model->wallRange)), felt, fSet(0.0f));
}

// What is behind a nearer wall, beyond the line through the nearest point of that, is not felt: a
// wall in pieces does what it does as one. Within a range before that line it is felt more and
// more.
static inline thF uncovered(const thSocialForceTask* task, int32_t felt, int32_t k)
{
    const int32_t at = k * TH_MAX_WIDTH;
    const Vec away = loadVec(task->wallX, task->wallY, at);
    const thF own = fLoad(task->wallNear + at);
    thF most = fSet(0.0f);
    for (int32_t j = 0; j < felt; ++j) {
        const int32_t other = j * TH_MAX_WIDTH;
        const thF distance = fLoad(task->wallNear + other);
        const thM isNearer = j < k ? fLe(distance, own) : fLt(distance, own);
        const thM covers = mAnd(isNearer, fLt(fSet(0.0f), fLoad(task->wallFelt + other)));
        const Vec direction = loadVec(task->wallX, task->wallY, other);
        const thF behind = own * dot(away, direction) - distance;
        const thF share = fSet(1.0f) + behind * fSet(1.0f / task->model.wallRange);
        most = fSelect(covers, fMax(most, share), most);
    }
    return fSet(1.0f) - fMin(most, fSet(1.0f));
}

// What walls do together. `told`: x and y for each wall, or NULL.
static inline void addWalls(const thSocialForceTask* task, int32_t lane, const Now* now, Push* push,
                            float* told)
{
    const thSurroundings* around = &task->around;
    const thI count = iLoad(around->wallCount + lane);
    int32_t felt = 0;
    for (int32_t k = 0; k < around->wallMax; ++k) {
        const int32_t at = k * around->lanes + lane;
        thF distance;
        thM isApart;
        const Vec away = awayFromWall(task, at, now, &distance, &isApart);
        const thM counts = mAnd(isApart, iLt(iSet(k), count));
        const thF strength = fSelect(counts, wallFelt(task, at, now, distance, away), fSet(0.0f));
        if (told == NULL && !mAny(fLt(fSet(0.0f), strength)))
            continue;
        const int32_t to = felt++ * TH_MAX_WIDTH;
        fStore(task->wallX + to, fSelect(counts, away.x, fSet(0.0f)));
        fStore(task->wallY + to, fSelect(counts, away.y, fSet(0.0f)));
        fStore(task->wallNear + to, fMax(distance - fLoad(around->wradius + at), fSet(0.0f)));
        fStore(task->wallFelt + to, strength);
    }
    for (int32_t k = 0; k < felt; ++k) {
        const int32_t at = k * TH_MAX_WIDTH;
        const thF strength = fLoad(task->wallFelt + at);
        const thM counts = fLt(fSet(0.0f), strength);
        const Vec force =
            scale(strength * uncovered(task, felt, k), loadVec(task->wallX, task->wallY, at));
        push->felt = choose(counts, add(push->felt, force), push->felt);
        if (told != NULL) { // of one lane
            fStore(told + 2 * k, fSelect(counts, force.x, fSet(0.0f)));
            fStore(told + 2 * k + 1, fSelect(counts, force.y, fSet(0.0f)));
        }
    }
}

// What walls together do against the way the agent wants to go, beyond the share of its drive that
// may hold it: that much is taken back, so that nobody stands before a door that is wide enough.
static inline Vec withoutHold(const thForceModel* model, Vec walls, Vec wanted, Vec ahead)
{
    if (!(model->hold < NO_HOLD))
        return vec(fSet(0.0f), fSet(0.0f));
    const thF drive = fSqrt(dot(wanted, wanted)) * fSet(model->hold / model->relaxation);
    return scale(fMax(fNeg(dot(walls, ahead)) - drive, fSet(0.0f)), ahead);
}

// A vector without what leads into walls that are touched. Of velocities, into where these go.
// Where walls contradict each other nothing is left.
static inline Vec leaveWalls(const thSocialForceTask* task, int32_t lane, const Now* now, Vec v,
                             bool isVelocity, thM* touches)
{
    const thSurroundings* around = &task->around;
    const thI count = iLoad(around->wallCount + lane);
    thM held = none();
    for (int32_t sweep = 0; sweep <= SWEEPS; ++sweep) {
        thM any = none();
        for (int32_t k = 0; k < around->wallMax; ++k) {
            const int32_t at = k * around->lanes + lane;
            thF distance;
            thM isApart;
            const Vec away = awayFromWall(task, at, now, &distance, &isApart);
            const thF both = now->radius + fLoad(around->wradius + at);
            const thM touched = mAnd(mAnd(isApart, iLt(iSet(k), count)), fLe(distance, both));
            if (!mAny(touched))
                continue;
            any = mOr(any, touched);
            const Vec wall =
                isVelocity ? loadVec(around->wvx, around->wvy, at) : vec(fSet(0.0f), fSet(0.0f));
            const Vec relative = subtract(v, wall);
            if (sweep == SWEEPS)
                held = mOr(held, mAnd(touched, fLt(dot(relative, away), fSet(-HELD))));
            else
                v = choose(touched, add(wall, withoutInward(relative, away, touched)), v);
        }
        *touches = mOr(*touches, any);
        if (!mAny(any))
            return v;
    }
    return choose(held, vec(fSet(0.0f), fSet(0.0f)), v);
}

// What the agent wants, bent to a side before the nearest who comes to it.
static inline Vec bendWanted(const thSocialForceTask* task, int32_t lane, Vec v, Vec wanted)
{
    const thSurroundings* around = &task->around;
    if (task->model.keep == 0.0f)
        return wanted;
    const thF radius = fLoad(around->radius + lane);
    const thI count = iLoad(around->neighborCount + lane);
    thF nearest = fSet(FAR_AWAY), when = fSet(0.0f);
    Vec whom = vec(fSet(0.0f), fSet(0.0f));
    for (int32_t k = 0; k < around->neighborMax; ++k) {
        const int32_t at = k * around->lanes + lane;
        const Vec p = loadVec(around->nx, around->ny, at);
        const Vec closing = subtract(v, loadVec(around->nvx, around->nvy, at));
        const thF distanceSq = dot(p, p), approach = dot(p, closing);
        const thM comes =
            mAnd(iLt(iSet(k), count), mAnd(fLt(fSet(0.0f), approach), fLt(distanceSq, nearest)));
        const thF time = approach / fSelect(comes, dot(closing, closing), fSet(1.0f));
        const Vec then = addScaled(p, fNeg(time), closing);
        const thF gap = radius + fLoad(around->nradius + at) + fSet(BEND_GAP);
        const thM counts =
            mAnd(comes, mAnd(fLt(time, fSet(BEND_WITHIN)), fLt(dot(then, then), gap * gap)));
        nearest = fSelect(counts, distanceSq, nearest);
        when = fSelect(counts, time, when);
        whom = choose(counts, p, whom);
    }
    const Vec to = unitOf(whom), ahead = unitOf(wanted);
    const thF much = fSet(task->model.keep * BEND) * (fSet(1.0f) - when * fSet(1.0f / BEND_WITHIN));
    const Vec bent = unitOf(addScaled(ahead, much, vec(to.y, fNeg(to.x))));
    const thM bends = mAnd(fLt(nearest, fSet(FAR_AWAY)), fLt(fSet(0.0f), dot(bent, bent)));
    return choose(bends, scale(fSqrt(dot(wanted, wanted)), bent), wanted);
}

// In how many parts the step is computed: in each, what acts on the agent changes by less than
// half.
static inline thI countParts(const thSocialForceTask* task, int32_t lane, Vec v)
{
    const thSurroundings* around = &task->around;
    const thForceModel* model = &task->model;
    const thF radius = fLoad(around->radius + lane);
    const thI neighborCount = iLoad(around->neighborCount + lane);
    const thI wallCount = iLoad(around->wallCount + lane);
    const float dt = around->dt;
    thF most = fSet(0.0f); // ranges that are gone through in the step
    thM rubs = none();
    for (int32_t k = 0; k < around->neighborMax; ++k) {
        const int32_t at = k * around->lanes + lane;
        const Vec p = loadVec(around->nx, around->ny, at);
        const thF both = radius + fLoad(around->nradius + at);
        const thM isThere = iLt(iSet(k), neighborCount);
        const thF distance = fSqrt(dot(p, p));
        const thF gap = distance - fSet(model->bodies) * both;
        const thM isNear = mAnd(isThere, fLt(gap, fSet(CUT_OFF * model->range)));
        const Vec relative = subtract(v, loadVec(around->nvx, around->nvy, at));
        const thF speed = fSqrt(dot(relative, relative));
        most = fSelect(isNear, fMax(most, speed * fSet(dt / model->range)), most);
        if (model->body > 0.0f || model->friction > 0.0f)
            rubs = mOr(rubs, mAnd(isThere, fLt(distance, both + speed * fSet(dt))));
    }
    for (int32_t k = 0; k < around->wallMax; ++k) {
        const int32_t at = k * around->lanes + lane;
        const Vec nearest = nearestOfSegment(loadVec(around->ax, around->ay, at),
                                             loadVec(around->bx, around->by, at));
        const thF gap = fSqrt(dot(nearest, nearest)) -
                        (fSet(model->bodies) * radius + fLoad(around->wradius + at));
        const thM isNear =
            mAnd(iLt(iSet(k), wallCount), fLt(gap, fSet(CUT_OFF * model->wallRange)));
        const Vec relative = subtract(v, loadVec(around->wvx, around->wvy, at));
        const thF speed = fSqrt(dot(relative, relative));
        most = fSelect(isNear, fMax(most, speed * fSet(dt / model->wallRange)), most);
    }
    most = fMax(fSet(2.0f) * most, fSelect(rubs, fSet(dt / BODY_PART), fSet(0.0f)));
    const thI whole = iFromF(fMin(most, fSet((float)MOST_PARTS)));
    const thI parts = iAdd(whole, iSelect(fLt(fFromI(whole), most), iSet(1), iSet(0)));
    return iMin(iMax(parts, iSet(1)), iSet(MOST_PARTS));
}

static inline Push pushOf(const thSocialForceTask* task, int32_t lane, const Now* now, Vec wanted,
                          thF part)
{
    const Vec nothing = vec(fSet(0.0f), fSet(0.0f));
    Push push = {nothing, nothing};
    for (int32_t k = 0; k < task->around.neighborMax; ++k)
        addNeighbor(task, lane, k, now, part, &push);
    Push walls = {nothing, nothing};
    addWalls(task, lane, now, &walls, NULL);
    push.felt =
        add(push.felt, add(walls.felt, withoutHold(&task->model, walls.felt, wanted, now->ahead)));
    push.felt = keepLength(push.felt, fSet(task->model.most));
    return push;
}

// One part of the step: the way to the wanted velocity is taken implicitly, so it may be short.
static inline void goOn(const thSocialForceTask* task, int32_t lane, Vec wanted, thF part, thM isOn,
                        Now* now, thM* pushed, thM* touches)
{
    const Push push = pushOf(task, lane, now, wanted, part);
    const Vec force = add(push.felt, push.contact);
    const thF perTime = fSet(1.0f / task->model.relaxation);
    const Vec sum = addScaled(force, perTime, subtract(wanted, now->v));
    Vec a = scale(fSet(1.0f) / (fSet(1.0f) + part * perTime), sum);
    a = leaveWalls(task, lane, now, a, false, touches);
    Vec v = addScaled(now->v, part, a);
    v = leaveWalls(task, lane, now, v, true, touches);
    v = keepLength(v, fLoad(task->around.maxSpeed + lane));
    *pushed = mOr(*pushed, mAnd(isOn, fLe(fSet(NOTICED * NOTICED), dot(force, force))));
    now->v = choose(isOn, v, now->v);
    now->p = choose(isOn, addScaled(now->p, part, v), now->p);
    now->time = now->time + part;
}

void TH_WIDE(thiSocialForce)(const thSocialForceTask* given)
{
    // A copy, so that the compiler knows that what is stored does not change it.
    const thSocialForceTask copy = *given;
    const thSocialForceTask* task = &copy;
    const thSurroundings* around = &task->around;
    for (int32_t lane = 0; lane < around->lanes; lane += TH_WIDTH) {
        const thF maxSpeed = fLoad(around->maxSpeed + lane);
        const Vec first = keepLength(loadVec(task->firstX, task->firstY, lane), maxSpeed);
        const Vec guide = loadVec(around->guideX, around->guideY, lane);
        const Vec wanted = bendWanted(task, lane, first, guide),
                  still = vec(fSet(0.0f), fSet(0.0f));
        const thI parts = countParts(task, lane, first);
        const thF part = fSet(around->dt) / fFromI(parts);
        Now now = {still, first, fSet(0.0f), fLoad(around->radius + lane), unitOf(guide)};
        thM pushed = none(), touches = none();
        for (int32_t i = 0; i < MOST_PARTS; ++i) {
            const thM isOn = iLt(iSet(i), parts);
            if (!mAny(isOn))
                break;
            thM touched = none();
            goOn(task, lane, wanted, part, isOn, &now, &pushed, &touched);
            touches = mOr(touches, mAnd(isOn, touched));
        }
        const Vec mean = keepLength(scale(fSet(1.0f / around->dt), now.p), maxSpeed);
        const Vec v = keepChange(loadVec(around->vx, around->vy, lane), mean, maxSpeed,
                                 fLoad(around->maxAccel + lane) * fSet(around->dt));
        const Vec end = keepLength(add(now.v, subtract(v, mean)), maxSpeed);
        fStore(around->outVx + lane, v.x);
        fStore(around->outVy + lane, v.y);
        fStore(task->endX + lane, end.x);
        fStore(task->endY + lane, end.y);
        int32_t status[TH_WIDTH];
        const thI felt = iSelect(pushed, iSet(th_socialForcePushed), iSet(th_socialForceFree));
        iStore(status, iSelect(touches, iSet(th_socialForceTouches), felt));
        for (int32_t i = 0; i < TH_WIDTH; ++i)
            around->status[lane + i] = (uint8_t)status[i];
    }
}

#if TH_WIDTH == 1

void thiSocialForceTell_scalar(const thSocialForceTask* task, int32_t lane, thForceTale* tale)
{
    const thSurroundings* around = &task->around;
    const Vec still = vec(0.0f, 0.0f), guide = loadVec(around->guideX, around->guideY, lane);
    const Vec first = keepLength(loadVec(task->firstX, task->firstY, lane), around->maxSpeed[lane]);
    const Now now = {still, first, 0.0f, around->radius[lane], unitOf(guide)};
    const Vec wanted = bendWanted(task, lane, first, guide);
    const Vec drive = scale(1.0f / task->model.relaxation, subtract(wanted, first));
    tale->wanted = (thVec2){wanted.x, wanted.y};
    tale->drive = (thVec2){drive.x, drive.y};
    tale->parts = countParts(task, lane, first);
    for (int32_t k = 0; k < around->neighborCount[lane]; ++k) {
        Push push = {still, still};
        addNeighbor(task, lane, k, &now, around->dt / (float)tale->parts, &push);
        const Vec force = add(push.felt, push.contact);
        tale->ofNeighbors[k] = (thVec2){force.x, force.y};
    }
    Push push = {still, still};
    addWalls(task, lane, &now, &push, tale->ofWalls);
    const Vec back = withoutHold(&task->model, push.felt, wanted, now.ahead);
    tale->takenBack = (thVec2){back.x, back.y};
}

#endif
