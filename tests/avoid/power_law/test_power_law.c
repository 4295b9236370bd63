// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `power-law`: forces against the gradient of their potential by dual numbers; steps against
// the model as it reads, in double; every kernel against the call for one agent, to the bit; what
// it promises of two who meet, of walls, mirrors, turns and order; and what it says about itself.

#include "avoid/avoid_world.h"
#include "avoid/power_law/power_law.h"
#include "avoid/power_law/power_law_plain.h"
#include "throng/collision.h"
#include "throng/explain.h"

#include <stdio.h>
#include <stdlib.h>

static thPowerLawFcn* const kernels[th_simdCount] = TH_KERNEL_TABLE(thiPowerLaw);

static Sight drawSight(thGenerator* g, SetKind kind, int32_t size)
{
    Sight sight = {.def = thDefaultPowerLawDef()};
    drawSet(g, kind, size, &sight.set);
    sight.def.implicit = drawInt(g, 0, 1);
    sight.def.strength = drawFloat(g, 0.2f, 3.0f);
    sight.def.horizon = drawFloat(g, 0.5f, 5.0f);
    sight.def.relaxation = drawFloat(g, 0.2f, 2.0f);
    return sight;
}

static thVec2 solve(const Sight* sight, thPowerLawStatus* status)
{
    thVec2 velocity;
    thPowerLawStatus ignored;
    assert_int_equal(thPowerLaw_Solve(&sight->def, sight->set.dt, &sight->set.self,
                                      sight->set.neighbors, sight->set.neighborCount,
                                      sight->set.walls, sight->set.wallCount, &velocity,
                                      status != NULL ? status : &ignored),
                     th_resultOk);
    return velocity;
}

// What the scalar kernel feels at the beginning of a step.
typedef struct Feeling {
    float x[THRONG_AVOID_MOST + 1], y[THRONG_AVOID_MOST + 1], time[THRONG_AVOID_MOST + 1];
} Feeling;

static thResult acceptAll(const void* params, thError* error)
{
    (void)params;
    (void)error;
    return th_resultOk;
}

static void feel(const Sight* sight, Feeling* feeling)
{
    thSingle single;
    assert_int_equal(thiTakeSingle(&single, &sight->def, acceptAll, sight->set.dt, &sight->set.self,
                                   sight->set.neighbors, sight->set.neighborCount, sight->set.walls,
                                   sight->set.wallCount),
                     th_resultOk);
    const thPowerLawFelt felt = {feeling->x, feeling->y, feeling->time};
    kernels[th_simdScalar](
        &(thPowerLawTask){.around = single.around, .def = &sight->def, .felt = &felt});
}

// --- Forces ---

// Whether a force is what the potential's gradient says; where the gradient is cut, or moves too
// quickly for floats, anything is.
static bool isGradient(const Sight* sight, Dual time, float x, float y, int64_t* compared)
{
    const Dual energy = plainEnergy(&sight->def, time);
    const double steep = hypot(energy.dx, energy.dy), closing = 1.0 / hypot(time.dx, time.dy);
    const double cut = 4.0 * (double)sight->def.horizon;
    if (time.value < INFINITY && (steep > 0.99 * (double)sight->def.maxForce || closing < 0.05 ||
                                  time.value < 0.02 || fabs(time.value - cut) < 1e-3))
        return true;
    *compared += energy.value > 0.0;
    return hypot((double)x - energy.dx, (double)y - energy.dy) <= 1e-4 + 2e-3 * steep;
}

static bool areGradients(thGenerator* g, int32_t size, void* context)
{
    int64_t* compared = context;
    const SetKind kinds[] = {set_plain, set_lattice, set_pieces};
    const Sight sight = drawSight(g, kinds[drawU32(g) % 3], size);
    const OrcaSet* set = &sight.set;
    Feeling feeling;
    feel(&sight, &feeling);
    for (int32_t i = 0; i < set->neighborCount; ++i) {
        const thAvoidNeighbor* n = &set->neighbors[i];
        const Point p = {(double)n->position.x, (double)n->position.y};
        const Point w = {(double)n->velocity.x - (double)set->self.velocity.x,
                         (double)n->velocity.y - (double)set->self.velocity.y};
        const double radius = (double)set->self.radius + (double)n->radius;
        const double across = fabs(p.x * w.y - p.y * w.x), speed = hypot(w.x, w.y);
        if (fabs(hypot(p.x, p.y) - radius) < 1e-3 || fabs(across - radius * speed) < 1e-4 ||
            hypot(p.x, p.y) < radius)
            continue; // touching, grazing, overlapping
        if (!isGradient(&sight, plainTimeToDisc(p, w, radius), feeling.x[i], feeling.y[i],
                        compared))
            return false;
    }
    return true;
}

// Of one wall, which is far enough away.
static bool areGradientsOfWalls(thGenerator* g, int32_t size, void* context)
{
    int64_t* compared = context;
    Sight sight = drawSight(g, set_plain, size);
    OrcaSet* set = &sight.set;
    set->neighborCount = 0;
    set->wallCount = 1;
    thAvoidWall* wall = &set->walls[0];
    *wall = (thAvoidWall){.a = {drawFloat(g, -3.0f, 3.0f), drawFloat(g, -3.0f, 3.0f)},
                          .velocity = {drawFloat(g, -1.0f, 1.0f), drawFloat(g, -1.0f, 1.0f)},
                          .radius = drawU32(g) % 2 == 0 ? 0.0f : drawFloat(g, 0.0f, 0.5f)};
    wall->b = wall->a;
    if (drawU32(g) % 4 != 0)
        wall->b =
            (thVec2){wall->a.x + drawFloat(g, -3.0f, 3.0f), wall->a.y + drawFloat(g, -3.0f, 3.0f)};
    const Point a = {(double)wall->a.x, (double)wall->a.y};
    const Point b = {(double)wall->b.x, (double)wall->b.y};
    const Point w = {(double)wall->velocity.x - (double)set->self.velocity.x,
                     (double)wall->velocity.y - (double)set->self.velocity.y};
    const double radius = (double)set->self.radius + (double)wall->radius;
    const Dual time = plainTimeToSegment(a, b, w, radius);
    // A little thicker or thinner it has to be met alike.
    const Dual thicker = plainTimeToSegment(a, b, w, radius + 1e-4);
    const Dual thinner = plainTimeToSegment(a, b, w, radius - 1e-4);
    if (!(fabs(thicker.value - thinner.value) < 0.05) && thicker.value != thinner.value)
        return true;
    if (thicker.value == 0.0)
        return true;
    Feeling feeling;
    feel(&sight, &feeling);
    return isGradient(&sight, time, feeling.x[0], feeling.y[0], compared);
}

static void testForces(void** state)
{
    (void)state;
    int64_t compared = 0;
    assertProperty(&(thProperty){.name = "power-law-forces",
                                 .seed = 1,
                                 .caseCount = caseCount(3000, 200000),
                                 .maxSize = SET_NEIGHBORS,
                                 .holds = areGradients,
                                 .context = &compared});
    assert_true(compared > caseCount(500, 20000));
    compared = 0;
    assertProperty(&(thProperty){.name = "power-law-wall-forces",
                                 .seed = 2,
                                 .caseCount = caseCount(6000, 300000),
                                 .maxSize = SET_NEIGHBORS,
                                 .holds = areGradientsOfWalls,
                                 .context = &compared});
    assert_true(compared > caseCount(500, 20000));
}

// Along a straight way on which nobody changes its velocity, the work against the force is the
// difference of energies, for a disc that is met aside as for a wall that is met aslant.
static void testEnergy(void** state)
{
    (void)state;
    for (int32_t kind = 0; kind < 3; ++kind) {
        Sight sight = {
            .def = thDefaultPowerLawDef(),
            .set = {.dt = 0.1f,
                    .self = {.velocity = {1.4f, 0.0f}, .radius = 0.25f, .maxSpeed = 2.0f},
                    .neighborCount = kind < 2,
                    .neighbors = {{.velocity = {-1.2f, 0.1f}, .radius = 0.25f}},
                    .wallCount = kind == 2}};
        sight.def.maxForce = 1000.0f;
        double work = 0.0, lastPower = 0.0, most = 0.0, least = INFINITY, first = 0.0, last = 0.0;
        const double interval = 1.0 / 4096;
        for (int32_t step = 0; step < 4 * 4096; ++step) {
            const double t = (double)step * interval;
            const thVec2 there = {(float)(10.0 - 2.6 * t), (float)(kind * 0.2 - 0.1 + 0.1 * t)};
            sight.set.neighbors[0].position = there;
            sight.set.walls[0] = (thAvoidWall){.a = {(float)(6.0 - 1.4 * t), -2.0f},
                                               .b = {(float)(5.0 - 1.4 * t), 3.0f}};
            Feeling feeling;
            feel(&sight, &feeling);
            const double time = (double)feeling.time[0];
            const thVec2 w = kind < 2 ? (thVec2){-2.6f, 0.1f} : (thVec2){-1.4f, 0.0f};
            const double power =
                (double)feeling.x[0] * (double)w.x + (double)feeling.y[0] * (double)w.y;
            if (time < 0.5)
                break;
            if (step > 0)
                work += 0.5 * interval * (power + lastPower);
            else
                first = time;
            last = time;
            lastPower = power;
            most = fmax(most, power);
            least = fmin(least, power);
        }
        const double start = plainEnergy(&sight.def, (Dual){first, 0.0, 0.0}).value;
        const double end = plainEnergy(&sight.def, (Dual){last, 0.0, 0.0}).value;
        print_message("from %.3f s to %.3f s before the collision: work %.4f, energies %.4f\n",
                      first, last, work, end - start);
        assert_true(first > 2.5 && last < 0.51 && least >= 0.0);
        assert_near(work, end - start, 1e-3 * end);
    }
}

// How a force that comes head-on changes with the velocity, against differences of gradients.
static void testBrake(void** state)
{
    (void)state;
    const thPowerLawDef def = thDefaultPowerLawDef();
    for (double gap = 0.2; gap < 4.0; gap += 0.3)
        for (double speed = 0.2; speed < 3.0; speed += 0.4) {
            const double by = 1e-5 * speed;
            const Point p = {gap + 0.5, 0.0};
            const Dual slow = plainEnergy(&def, plainTimeToDisc(p, (Point){by - speed, 0.0}, 0.5));
            const Dual fast = plainEnergy(&def, plainTimeToDisc(p, (Point){-by - speed, 0.0}, 0.5));
            if (slow.value == 0.0)
                continue;
            const double found = (slow.dx - fast.dx) / (2.0 * by);
            assert_near(found, plainBrake(&def, gap / speed, speed), 1e-5 * fabs(found) + 1e-9);
        }
}

// --- Steps ---

// Whether it goes as in double; where that is not much the same for a velocity nearby, anything is.
static bool isAsItReads(thGenerator* g, int32_t size, void* context)
{
    int64_t* compared = context;
    Sight sight = drawSight(g, drawU32(g) % 2 == 0 ? set_plain : set_crowd, size);
    for (int32_t i = 0; i < sight.set.wallCount; ++i) { // those that touch have the last word
        const thAvoidWall* wall = &sight.set.walls[i];
        if (thTimeToCollisionSegment(wall->a, wall->b, (thVec2){0.0f, 0.0f},
                                     sight.set.self.radius + wall->radius + 1e-3f) == 0.0f)
            return true;
    }
    for (int32_t i = 0; i < sight.set.neighborCount; ++i)
        if (hypotf(sight.set.neighbors[i].position.x, sight.set.neighbors[i].position.y) < 1e-4f)
            return true;
    const Point expected = plainStep(&sight);
    const thVec2 found = solve(&sight, NULL);
    for (int32_t i = 0; i < 16; ++i) {
        Sight other = sight;
        const float by = i < 8 ? 1e-4f : 2e-6f;
        other.set.self.velocity.x += i % 3 == 0 ? by : i % 3 == 1 ? -by : 0.0f;
        other.set.self.velocity.y += i % 2 == 0 ? by : -by;
        other.set.dt *= i % 8 < 4 ? 1.00002f : 0.99998f; // as many parts of a step
        const Point near = plainStep(&other);
        if (hypot(near.x - expected.x, near.y - expected.y) > (i < 8 ? 4e-3 : 1e-3))
            return true;
    }
    *compared += 1;
    return hypot((double)found.x - expected.x, (double)found.y - expected.y) < 2e-3;
}

static void testModel(void** state)
{
    (void)state;
    int64_t compared = 0;
    assertProperty(&(thProperty){.name = "power-law-model",
                                 .seed = 3,
                                 .caseCount = caseCount(3000, 200000),
                                 .maxSize = SET_NEIGHBORS,
                                 .holds = isAsItReads,
                                 .context = &compared});
    assert_true(compared > caseCount(500, 20000));
}

// Who is alone takes up the velocity that it wants.
static void testAlone(void** state)
{
    (void)state;
    for (int32_t implicit = 0; implicit < 2; ++implicit) {
        Sight sight = {.def = thDefaultPowerLawDef(),
                       .set = {.dt = 0.1f, .self = {.wanted = {1.2f, -0.5f}, .maxSpeed = 2.0f}}};
        sight.def.implicit = implicit;
        thPowerLawStatus status;
        const thVec2 v = solve(&sight, &status);
        const double share = implicit != 0 ? 1.0 - 1.0 / (1.1 * 1.1) : 0.2;
        assert_near((double)v.x, 1.2 * share, 1e-6);
        assert_near((double)v.y, -0.5 * share, 1e-6);
        assert_int_equal(status, th_powerLawFree);
    }
}

// --- Kernels ---

enum { lanes = 32 };

static bool isTheSame(thGenerator* g, int32_t size, void* context)
{
    static OrcaSet sets[SET_LANES];
    static SetColumns columns;
    (void)context;
    const Sight sight = drawSight(g, set_plain, 0);
    for (int32_t lane = 0; lane < lanes; ++lane) {
        drawSet(g, (SetKind)(drawU32(g) % set_kindCount), size, &sets[lane]);
        if (drawU32(g) % 4 == 0)
            sets[lane].self.maxAccel = 5.0f * drawUnit(g);
        sets[lane].dt = sight.set.dt;
    }
    layOutSets(g, sets, lanes, &columns);
    for (int32_t simd = 0; simd < th_simdCount; ++simd) {
        if (kernels[simd] == NULL || !thSimd_IsAvailable((thSimd)simd))
            continue;
        kernels[simd](&(thPowerLawTask){.around = columns.around, .def = &sight.def});
        for (int32_t lane = 0; lane < lanes; ++lane) {
            const Sight one = {sight.def, sets[lane]};
            thPowerLawStatus status;
            const thVec2 right = solve(&one, &status);
            if (!sameBits(right.x, columns.outVx[lane]) ||
                !sameBits(right.y, columns.outVy[lane]) || columns.status[lane] != (uint8_t)status)
                return false;
        }
    }
    return true;
}

static void testLanes(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "power-law-lanes",
                                 .seed = 4,
                                 .caseCount = caseCount(300, 20000),
                                 .maxSize = SET_NEIGHBORS,
                                 .holds = isTheSame});
}

// --- What it promises ---

// Two walk against each other and would run into each other, `aside` of the line.
typedef struct Meeting {
    double least, most;           // distance; change of velocity [m/s²]
    int32_t sideways, lengthways; // how often the first one turned round in what it does
    double end;                   // how far it came
} Meeting;

static Meeting meet(int32_t implicit, float dt, double aside)
{
    Meeting meeting = {.least = INFINITY};
    double x[2] = {-5.0, 5.0}, y[2] = {0.0, aside}, vx[2] = {1.4, -1.4}, vy[2] = {0.0, 0.0};
    double lastSide = 0.0, lastChange = 0.0;
    for (int32_t step = 0; step < (int32_t)(12.0f / dt); ++step) {
        thVec2 v[2];
        for (int32_t i = 0; i < 2; ++i) {
            Sight sight = {.def = thDefaultPowerLawDef(),
                           .set = {.dt = dt,
                                   .self = {.velocity = {(float)vx[i], (float)vy[i]},
                                            .wanted = {i == 0 ? 1.4f : -1.4f, 0.0f},
                                            .radius = 0.25f,
                                            .maxSpeed = 2.0f},
                                   .neighborCount = 1}};
            sight.def.implicit = implicit;
            sight.set.neighbors[0] =
                (thAvoidNeighbor){.position = {(float)(x[1 - i] - x[i]), (float)(y[1 - i] - y[i])},
                                  .velocity = {(float)vx[1 - i], (float)vy[1 - i]},
                                  .radius = 0.25f,
                                  .share = 0.5f};
            v[i] = solve(&sight, NULL);
        }
        const double change = ((double)v[0].x - vx[0]) / (double)dt, side = (double)v[0].y;
        meeting.most = fmax(meeting.most, fabs(change));
        meeting.sideways += fabs(side) > 1e-4 && side * lastSide < 0.0;
        meeting.lengthways += fabs(change) > 0.01 && change * lastChange < 0.0;
        lastSide = fabs(side) > 1e-4 ? side : lastSide;
        lastChange = fabs(change) > 0.01 ? change : lastChange;
        for (int32_t i = 0; i < 2; ++i) {
            vx[i] = (double)v[i].x;
            vy[i] = (double)v[i].y;
            x[i] += vx[i] * (double)dt;
            y[i] += vy[i] * (double)dt;
        }
        meeting.least = fmin(meeting.least, hypot(x[1] - x[0], y[1] - y[0]));
    }
    meeting.end = x[0];
    return meeting;
}

// Nobody swings from side to side, nor, in implicit steps, to and fro; and nobody is touched.
static void testMeeting(void** state)
{
    (void)state;
    const double asides[] = {0.0, 0.05, 0.2, 0.4};
    for (int32_t implicit = 0; implicit < 2; ++implicit)
        for (size_t i = 0; i < 4; ++i) {
            const Meeting meeting = meet(implicit, 0.1f, asides[i]);
            print_message("implicit %d, %.2f m aside: turns %d sideways, %d lengthways; at most "
                          "%.2f m/s², %.3f m apart at least\n",
                          (int)implicit, asides[i], (int)meeting.sideways, (int)meeting.lengthways,
                          meeting.most, meeting.least);
            assert_int_equal(meeting.sideways, 0);
            assert_true(meeting.least > 0.5 - 0.005);
            if (asides[i] == 0.0 && implicit != 0)
                assert_int_equal(meeting.lengthways, 0);
            if (asides[i] > 0.0)
                assert_true(meeting.end > 8.0); // they get past each other
        }
}

static thVec2 mirrored(thVec2 v)
{
    return (thVec2){v.x, -v.y};
}

static thVec2 turned(thVec2 v)
{
    return (thVec2){-v.y, v.x};
}

static void mapSet(OrcaSet* set, thVec2 (*map)(thVec2))
{
    set->self.velocity = map(set->self.velocity);
    set->self.wanted = map(set->self.wanted);
    for (int32_t i = 0; i < set->neighborCount; ++i) {
        set->neighbors[i].position = map(set->neighbors[i].position);
        set->neighbors[i].velocity = map(set->neighbors[i].velocity);
    }
    for (int32_t i = 0; i < set->wallCount; ++i) {
        set->walls[i].a = map(set->walls[i].a);
        set->walls[i].b = map(set->walls[i].b);
        set->walls[i].velocity = map(set->walls[i].velocity);
    }
}

// What a mirror or a quarter turn does to what is seen, it does to the velocity.
static bool followsFrames(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    const Sight sight = drawSight(g, drawU32(g) % 2 == 0 ? set_plain : set_crowd, size);
    const thVec2 v = solve(&sight, NULL);
    for (int32_t kind = 0; kind < 2; ++kind) {
        thVec2 (*map)(thVec2) = kind == 0 ? mirrored : turned;
        Sight other = sight;
        mapSet(&other.set, map);
        const thVec2 found = solve(&other, NULL), right = map(v);
        if (hypotf(found.x - right.x, found.y - right.y) > 1e-5f)
            return false;
    }
    return true;
}

// Nor does it matter in which order others come, but for rounding.
static bool ignoresOrder(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Sight sight = drawSight(g, set_plain, size);
    OrcaSet* set = &sight.set;
    const Point plainly = plainStep(&sight);
    Feeling before, after;
    feel(&sight, &before);
    const thVec2 v = solve(&sight, NULL);
    for (int32_t i = 0; i < set->neighborCount / 2; ++i) {
        const thAvoidNeighbor n = set->neighbors[i];
        set->neighbors[i] = set->neighbors[set->neighborCount - 1 - i];
        set->neighbors[set->neighborCount - 1 - i] = n;
    }
    feel(&sight, &after);
    for (int32_t i = 0; i < set->neighborCount; ++i)
        if (!sameBits(before.x[i], after.x[set->neighborCount - 1 - i]) ||
            !sameBits(before.y[i], after.y[set->neighborCount - 1 - i]))
            return false;
    const thVec2 other = solve(&sight, NULL);
    // A second part of a step may go another way only where one in double does not agree either.
    return hypotf(other.x - v.x, other.y - v.y) < 1e-4f ||
           hypot((double)v.x - plainly.x, (double)v.y - plainly.y) > 2e-3;
}

// What one of two feels of the other, the other feels of it, the other way round.
static bool isMutual(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Sight sight = drawSight(g, set_crowd, size), other;
    if (sight.set.neighborCount == 0)
        return true;
    sight.set.neighborCount = 1;
    sight.set.wallCount = 0;
    other = sight;
    const thAvoidNeighbor* n = &sight.set.neighbors[0];
    other.set.self.velocity = n->velocity;
    other.set.self.radius = n->radius;
    other.set.neighbors[0].position = (thVec2){-n->position.x, -n->position.y};
    other.set.neighbors[0].velocity = sight.set.self.velocity;
    other.set.neighbors[0].radius = sight.set.self.radius;
    Feeling mine, its;
    feel(&sight, &mine);
    feel(&other, &its);
    return mine.x[0] == -its.x[0] && mine.y[0] == -its.y[0] && sameBits(mine.time[0], its.time[0]);
}

static bool keepsLimits(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Sight sight = drawSight(g, (SetKind)(drawU32(g) % set_kindCount), size);
    const thVec2 free = solve(&sight, NULL);
    if (hypotf(free.x, free.y) > sight.set.self.maxSpeed * 1.00001f)
        return false;
    sight.set.self.maxAccel = 0.1f + 5.0f * drawUnit(g);
    const thVec2 v = solve(&sight, NULL), *old = &sight.set.self.velocity;
    const float speed = hypotf(old->x, old->y), most = sight.set.self.maxSpeed;
    const float kept = speed > most ? most / speed : 1.0f;
    return hypotf(v.x - kept * old->x, v.y - kept * old->y) <=
           sight.set.self.maxAccel * sight.set.dt * 1.0001f + 1e-5f;
}

// A wall of several pieces is the same as one of one piece.
static bool ignoresPieces(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Sight sight = drawSight(g, set_plain, size);
    OrcaSet* set = &sight.set;
    set->neighborCount = 0;
    set->wallCount = 1;
    const thVec2 a = {drawFloat(g, -3.0f, 3.0f), drawFloat(g, -3.0f, 3.0f)};
    const thVec2 b = {drawFloat(g, -3.0f, 3.0f), drawFloat(g, -3.0f, 3.0f)};
    set->walls[0] = (thAvoidWall){.a = a, .b = b};
    if (thTimeToCollisionSegment(a, b, (thVec2){0.0f, 0.0f}, 0.05f) == 0.0f)
        return true; // it stands on the wall
    Feeling whole, pieces;
    feel(&sight, &whole);
    const int32_t count = drawInt(g, 2, 5);
    for (int32_t i = 0; i < count; ++i) {
        const float from = (float)i / (float)count, to = (float)(i + 1) / (float)count;
        set->walls[i] = (thAvoidWall){.a = {a.x + from * (b.x - a.x), a.y + from * (b.y - a.y)},
                                      .b = {a.x + to * (b.x - a.x), a.y + to * (b.y - a.y)}};
    }
    set->wallCount = count;
    feel(&sight, &pieces);
    const float force = hypotf(whole.x[0], whole.y[0]);
    if (force > 10.0f) // touching or grazing
        return true;
    return hypotf(whole.x[0] - pieces.x[0], whole.y[0] - pieces.y[0]) <= 1e-3f * (0.1f + force);
}

static void testProperties(void** state)
{
    (void)state;
    const struct {
        const char* name;
        thPropertyFcn* holds;
    } all[] = {{"power-law-frames", followsFrames},
               {"power-law-order", ignoresOrder},
               {"power-law-mutual", isMutual},
               {"power-law-limits", keepsLimits},
               {"power-law-pieces", ignoresPieces}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        assertProperty(&(thProperty){.name = all[i].name,
                                     .seed = 5 + i,
                                     .caseCount = caseCount(1000, 50000),
                                     .maxSize = SET_NEIGHBORS,
                                     .holds = all[i].holds});
}

// Bodies that overlap part, also on one point, where the one of the lower row goes to the left; who
// stands on a wall is pushed nowhere.
static void testOverlaps(void** state)
{
    (void)state;
    for (int32_t implicit = 0; implicit < 2; ++implicit) {
        Sight sight = {.def = thDefaultPowerLawDef(),
                       .set = {.dt = 0.1f,
                               .self = {.radius = 0.25f, .maxSpeed = 2.0f},
                               .neighborCount = 1,
                               .neighbors = {{.radius = 0.25f}}}};
        sight.def.implicit = implicit;
        thPowerLawStatus status;
        const thVec2 left = solve(&sight, &status);
        assert_true(left.x < -0.1f && left.y == 0.0f);
        assert_int_equal(status, th_powerLawParts);
        sight.set.neighbors[0].position = (thVec2){0.0f, 0.3f};
        const thVec2 back = solve(&sight, &status);
        assert_true(back.y < -0.1f && back.x == 0.0f);
        assert_int_equal(status, th_powerLawParts);
        sight.set.self.velocity = sight.set.self.wanted = (thVec2){0.0f, -2.0f};
        assert_same_bits(solve(&sight, NULL).y, -2.0f); // parts fast enough
        sight.set.neighborCount = 0;
        sight.set.wallCount = 1;
        sight.set.self.velocity = sight.set.self.wanted = (thVec2){1.0f, 0.0f};
        sight.set.walls[0] = (thAvoidWall){.a = {-1.0f, 0.0f}, .b = {1.0f, 0.0f}};
        assert_near((double)solve(&sight, NULL).x, 1.0, 1e-6);
    }
}

// Of any size up to what is accepted, and often 0.
static float drawAnySize(thGenerator* g)
{
    const float size = ldexpf(1.0f + drawUnit(g), drawInt(g, -140, 18));
    return drawU32(g) % 6 == 0 ? 0.0f : drawU32(g) % 8 == 0 ? 1.0e6f : size;
}

static thVec2 drawAnyVec(thGenerator* g)
{
    const float x = drawAnySize(g), y = drawAnySize(g);
    return (thVec2){drawU32(g) % 2 == 0 ? x : -x, drawU32(g) % 2 == 0 ? y : -y};
}

static bool isFinite(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Sight sight = drawSight(g, set_plain, size);
    OrcaSet* set = &sight.set;
    if (drawU32(g) % 2 == 0)
        sight.def = (thPowerLawDef){.size = sizeof(thPowerLawDef),
                                    .strength = drawU32(g) % 2 == 0 ? 100.0f : 0.0f,
                                    .horizon = drawU32(g) % 2 == 0 ? 100.0f : 0.1f,
                                    .relaxation = drawU32(g) % 2 == 0 ? 10.0f : 0.01f,
                                    .maxForce = drawU32(g) % 2 == 0 ? 1000.0f : 0.0f,
                                    .implicit = sight.def.implicit};
    set->dt = fmaxf(drawAnySize(g), THRONG_LEAST_STEP);
    set->self = (thAvoidSelf){.velocity = drawAnyVec(g),
                              .wanted = drawAnyVec(g),
                              .radius = drawAnySize(g),
                              .maxSpeed = drawAnySize(g),
                              .maxAccel = drawAnySize(g)};
    for (int32_t i = 0; i < set->neighborCount; ++i)
        set->neighbors[i] = (thAvoidNeighbor){
            .position = drawAnyVec(g), .velocity = drawAnyVec(g), .radius = drawAnySize(g)};
    set->wallCount = drawInt(g, 0, 3);
    for (int32_t i = 0; i < set->wallCount; ++i) {
        set->walls[i] = (thAvoidWall){.a = drawAnyVec(g),
                                      .b = drawAnyVec(g),
                                      .velocity = drawAnyVec(g),
                                      .radius = drawAnySize(g)};
        if (drawU32(g) % 4 == 0)
            set->walls[i].b = set->walls[i].a;
    }
    const thVec2 v = solve(&sight, NULL);
    return isfinite(v.x) && isfinite(v.y);
}

static void testFinite(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "power-law-finite",
                                 .seed = 10,
                                 .caseCount = caseCount(20000, 1000000),
                                 .maxSize = SET_NEIGHBORS,
                                 .holds = isFinite});
}

static void testRefusals(void** state)
{
    (void)state;
    Sight sight = {.def = thDefaultPowerLawDef(), .set = {.self = {.radius = 0.2f}}};
    thVec2 velocity;
    thPowerLawStatus status;
    sight.def.horizon = 0.0f;
    assert_int_equal(
        thPowerLaw_Solve(&sight.def, 0.1f, &sight.set.self, NULL, 0, NULL, 0, &velocity, &status),
        th_resultBadArgument);
    sight.def = thDefaultPowerLawDef();
    assert_int_equal(
        thPowerLaw_Solve(&sight.def, 0.1f, &sight.set.self, NULL, 1, NULL, 0, &velocity, &status),
        th_resultBadArgument);
    sight.set.self.radius = NAN;
    assert_int_equal(
        thPowerLaw_Solve(&sight.def, 0.1f, &sight.set.self, NULL, 0, NULL, 0, &velocity, &status),
        th_resultBadArgument);
}

// --- In a world ---

// Somebody stands ahead of one who walks towards a wall behind: the arrow is the gradient, and the
// words tell of whom and when.
static void testExplanation(void** state)
{
    (void)state;
    thWorld* world = openWorld(1, th_simdScalar, 0);
    const thPowerLawDef law = thDefaultPowerLawDef();
    const thProfileDef def = avoidProfile("power-law", &law, 0.0f);
    const thProfileId profile = addProfile(world, &def);
    const thVec2 ahead = {3.0f, 0.1f};
    const thAgentId walker =
        addWalker(world, profile, 7, (thVec2){0.0f, 0.0f}, (thVec2){20.0f, 0.0f});
    addWalker(world, profile, 9, ahead, ahead);
    addWall(world, (thVec2){4.0f, -3.0f}, (thVec2){4.0f, 3.0f});
    for (int32_t i = 0; i < 5; ++i)
        assertOk(thWorld_Step(world, 0.1f));
    thExplanation* explanation;
    assertOk(thWorld_Explain(world, walker, 0.1f, &explanation));
    const thExplanationView view = thExplanation_GetView(explanation);
    assert_int_equal(view.agentCount, 1);
    const Point p = {(double)view.agents[0].position.x, (double)view.agents[0].position.y};
    const Point w = {(double)view.agents[0].velocity.x - (double)view.current.x,
                     (double)view.agents[0].velocity.y - (double)view.current.y};
    const Dual time = plainTimeToDisc(p, w, 2.0 * (double)def.radius);
    const Dual energy = plainEnergy(&law, time);
    char expected[64];
    snprintf(expected, sizeof expected, "avoids: agent 9 in %.2f s", time.value);
    int32_t agents = 0, walls = 0, texts = 0;
    for (int32_t i = 0; i < view.markCount; ++i) {
        const thMark* mark = &view.marks[i];
        const bool isArrow = mark->by == th_methodAvoid && mark->kind == th_markArrow;
        walls += isArrow && mark->cause == th_causeWall && mark->points[1].x < -0.01f;
        texts += mark->kind == th_markText && strncmp(mark->label, expected, strlen(expected)) == 0;
        if (!isArrow || mark->cause != th_causeAgent)
            continue;
        agents += 1;
        assert_int_equal(mark->whose, 9);
        assert_near((double)mark->points[1].x, energy.dx, 2e-3);
        assert_near((double)mark->points[1].y, energy.dy, 2e-3);
    }
    assert_int_equal(texts, 1);
    assert_int_equal(agents, 1);
    assert_int_equal(walls, 1);
    thDestroyExplanation(explanation);
    thDestroyWorld(world);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testForces),   cmocka_unit_test(testEnergy),
        cmocka_unit_test(testBrake),    cmocka_unit_test(testModel),
        cmocka_unit_test(testAlone),    cmocka_unit_test(testLanes),
        cmocka_unit_test(testMeeting),  cmocka_unit_test(testProperties),
        cmocka_unit_test(testOverlaps), cmocka_unit_test(testFinite),
        cmocka_unit_test(testRefusals), cmocka_unit_test(testExplanation),
    };
    return RUN_TESTS(tests, argc, argv);
}
