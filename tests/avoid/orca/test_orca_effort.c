// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The objective `effort` of `orca`: from where no allowed direction saves effort, how it compares
// with the nearest velocity, and how people walk by it.

#include "simd/lanes_scalar.h"

#include "avoid/avoid_methods.h"
#include "avoid/orca/orca.h"
#include "avoid/orca/orca_oracle.h"
#include "gear/gear.h"
#include "velocity/least_effort_lanes.h"

#include <stdlib.h>

#define PI 3.14159265358979

static int32_t casesOf(int32_t fast, int32_t withLong)
{
    return getenv("THRONG_LONG") != NULL ? withLong : fast;
}

static double lengthOf(DVec v)
{
    return sqrt(dotOf(v, v));
}

static bool report(const OrcaSet* set, const char* reason)
{
    if (getenv("THRONG_PROPERTY") != NULL) {
        print_message("%s\n", reason);
        printSet(set);
    }
    return false;
}

// One line.

// Lines of all sizes, and such that the velocity that is at the corner in time is on them, or ends
// them: the slope of the effort along the line is 0 where it is found, as far as that can be told.
static bool findsRoot(thGenerator* g, int32_t size, void* context)
{
    (void)size;
    (void)context;
    const float w = powf(10.0f, drawFloat(g, -3.0f, 2.0f));
    const float reach = drawU32(g) % 4 == 0 ? 1.0f : powf(10.0f, drawFloat(g, 0.0f, 4.0f));
    const float turn = drawFloat(g, -3.2f, 3.2f), heading = drawFloat(g, -3.2f, 3.2f);
    const Vec n = {cosf(turn), sinf(turn)}, d = {n.y, -n.x};
    const Vec wanted = {w * cosf(heading), w * sinf(heading)};
    const float through = n.x * wanted.x + n.y * wanted.y;
    const float beside = w * powf(10.0f, drawFloat(g, -8.0f, 1.0f));
    const float o = drawU32(g) % 8 == 0 ? through : through + beside;
    const float t = leastEffortAlong(n, o, d, wanted, reach, mNot(none()));
    const double a =
        (double)reach * ((double)d.x * (double)wanted.x + (double)d.y * (double)wanted.y);
    const double h =
        (double)reach * ((double)n.x * (double)wanted.x + (double)n.y * (double)wanted.y) -
        (double)o;
    double low = fmin(a, 0.0), high = fmax(a, 0.0);
    for (int32_t i = 0; i < 200; ++i) {
        const double at = 0.5 * (low + high);
        const double slope = at - (double)w * (a - at) / fmax(hypot(a - at, h), 1e-300);
        *(slope < 0.0 ? &low : &high) = at;
    }
    const double speed = (double)w, found = (double)t;
    const double cost = found * found + 2.0 * speed * hypot(a - found, h);
    const double least = low * low + 2.0 * speed * hypot(a - low, h);
    // Where w and the way along the line are alike the root itself is not that exact.
    return fabs(found - low) <= 2e-4 * speed && cost - least <= 1e-5 * speed * speed;
}

static void testLine(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "root",
                                 .seed = 1,
                                 .caseCount = casesOf(50000, 2000000),
                                 .maxSize = 1,
                                 .holds = findsRoot});
}

// The optimum.

// The half-planes of a set, by the scalar kernel; the velocity it chooses.
static thOrcaStatus linesOf(const OrcaSet* set, Line* lines, DVec* v)
{
    enum { most = SET_NEIGHBORS + SET_WALLS };
    thSingle single;
    assert_int_equal(thiTakeSingle(&single, &set->def, thiAvoidOrca.validate, set->dt, &set->self,
                                   set->neighbors, set->neighborCount, set->walls, set->wallCount),
                     th_resultOk);
    float x[most], y[most], o[most], pack[3][2 * most * TH_MAX_WIDTH];
    thOrcaTask task = {.around = single.around,
                       .timeHorizon = set->def.timeHorizon,
                       .wallHorizon = set->def.wallHorizon,
                       .separationTime = set->def.separationTime,
                       .biasCosine = 1.0f,
                       .objective = (thOrcaObjective)set->def.objective,
                       .lineX = x,
                       .lineY = y,
                       .lineO = o,
                       .packX = pack[0],
                       .packY = pack[1],
                       .packO = pack[2]};
    thiOrca_scalar(&task);
    for (int32_t i = 0; i < set->neighborCount + set->wallCount; ++i)
        lines[i] = (Line){{(double)x[i], (double)y[i]}, (double)o[i], 0.0};
    *v = asDouble(single.answer);
    return (thOrcaStatus)single.status;
}

static int64_t constrained;

// No direction that leaves all borders on which the answer is saves effort: the conditions of
// Karush, Kuhn and Tucker.
static bool isStationary(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    OrcaSet set;
    Line lines[SET_NEIGHBORS + SET_WALLS];
    DVec v;
    drawSet(g, drawU32(g) % 2 == 0 ? set_plain : set_crowd, size, &set);
    set.def.objective = th_orcaEffort;
    set.def.sideBias = 0.0f;
    if (linesOf(&set, lines, &v) != th_orcaConstrained)
        return true;
    ++constrained;
    const Goal goal = goalOf(&set);
    const DVec left = {goal.c.x - v.x, goal.c.y - v.y};
    const double w = lengthOf(goal.wanted), far = lengthOf(left);
    if (far < 1e-3)
        return true; // there the slope says nothing
    const DVec slope = {2.0 * (v.x - w * left.x / far), 2.0 * (v.y - w * left.y / far)};
    const double limit = (double)set.self.maxSpeed, near = 1e-5 * limit;
    for (int32_t i = 0; i < 360; ++i) {
        const DVec d = {cos(PI / 180.0 * i), sin(PI / 180.0 * i)};
        bool leaves = lengthOf(v) < limit - near || dotOf(v, d) < 0.0;
        for (int32_t k = 0; k < set.neighborCount + set.wallCount && leaves; ++k)
            leaves = dotOf(lines[k].n, v) > lines[k].o + near || dotOf(lines[k].n, d) > 0.0;
        if (leaves && dotOf(slope, d) < -1e-3 * (w + limit))
            return report(&set, "a direction saves effort");
    }
    return true;
}

static void testStationary(void** state)
{
    (void)state;
    const int32_t caseCount = casesOf(10000, 200000);
    constrained = 0;
    assertProperty(&(thProperty){.name = "stationary",
                                 .seed = 2,
                                 .caseCount = caseCount,
                                 .maxSize = 12,
                                 .holds = isStationary});
    assert_true(constrained > caseCount / 4);
}

static int64_t saved;

// Against the nearest velocity: never more effort; the same status, to the step; and as far away as
// the corner allows: the slopes of both objectives differ by 2 w |v| / (|c| − |v|) at most, and
// both grow by 2 for each m/s.
static bool comparesWithNearest(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    OrcaSet set;
    thVec2 nearest, effort;
    thOrcaStatus before, after;
    drawSet(g, drawU32(g) % 2 == 0 ? set_plain : set_crowd, size, &set);
    if (drawU32(g) % 2 == 0)
        set.self.corner = (thVec2){drawFloat(g, -500.0f, 500.0f), 50.0f};
    if (solveSet(&set, &nearest, &before) != th_resultOk)
        return false;
    set.def.objective = th_orcaEffort;
    if (solveSet(&set, &effort, &after) != th_resultOk)
        return false;
    if (before > th_orcaConstrained || after > th_orcaConstrained)
        return true; // walls and limits decide, or where rounding ends
    if (before != after)
        return report(&set, "another status");
    const Goal goal = goalOf(&set);
    const double limit = (double)set.self.maxSpeed, w = lengthOf(goal.wanted);
    const double saves = costOf(&goal, asDouble(nearest)) - costOf(&goal, asDouble(effort));
    saved += saves > 1e-3;
    if (saves < -2e-5 * (limit + w) * (limit + w))
        return report(&set, "more effort");
    const double apart =
        hypot((double)nearest.x - (double)effort.x, (double)nearest.y - (double)effort.y);
    const double beyond = lengthOf(goal.c) - limit;
    // An answer within rounding of its lines may be off by the square root of that.
    return beyond <= 0.0 || apart <= w * limit / beyond + 5e-3 * limit ||
           report(&set, "far from the nearest");
}

static void testNearest(void** state)
{
    (void)state;
    const int32_t caseCount = casesOf(20000, 500000);
    saved = 0;
    assertProperty(&(thProperty){.name = "compared",
                                 .seed = 3,
                                 .caseCount = caseCount,
                                 .maxSize = 12,
                                 .holds = comparesWithNearest});
    print_message("of %d answers %lld save effort\n", (int)caseCount, (long long)saved);
    assert_true(saved > caseCount / 20);
}

// People.

// Somebody of 0.25 m radius walks to a corner straight ahead, at 1.3 m/s, and meets one who does
// not give way.
typedef struct Meeting {
    const char* name;
    thVec2 place, velocity;
} Meeting;

typedef struct Walked {
    double time, aside, slowest, effort; // effort: of each metre to the corner [J/(kg m)]
    float furthest;
} Walked;

static Walked walk(const Meeting* meeting, float corner, thOrcaObjective objective)
{
    const float speed = 1.3f, dt = 0.1f;
    OrcaSet set;
    memset(&set, 0, sizeof set);
    set.def = thDefaultOrcaDef();
    set.def.objective = (int32_t)objective;
    set.dt = dt;
    set.self = (thAvoidSelf){.velocity = {speed, 0.0f}, .radius = 0.25f, .maxSpeed = 2.0f};
    thVec2 at = {0.0f, 0.0f}, other = meeting != NULL ? meeting->place : at;
    Walked walked = {.slowest = (double)speed};
    double spent = 0.0;
    for (int32_t step = 0; step < 1000; ++step) {
        const thVec2 left = {corner - at.x, -at.y};
        const float distance = hypotf(left.x, left.y);
        if (distance < 0.01f)
            break;
        const float share = fminf(speed, distance / dt) / distance; // as planners do
        set.self.corner = left;
        set.self.wanted = (thVec2){share * left.x, share * left.y};
        if (meeting != NULL) {
            set.neighborCount = 1;
            set.neighbors[0] = (thAvoidNeighbor){.position = {other.x - at.x, other.y - at.y},
                                                 .velocity = meeting->velocity,
                                                 .radius = 0.25f,
                                                 .share = 1.0f};
            other.x += dt * meeting->velocity.x;
            other.y += dt * meeting->velocity.y;
        }
        thOrcaStatus status;
        assert_int_equal(solveSet(&set, &set.self.velocity, &status), th_resultOk);
        const thVec2 v = set.self.velocity;
        at = (thVec2){at.x + dt * v.x, at.y + dt * v.y};
        const double square = (double)(v.x * v.x + v.y * v.y);
        walked.time += (double)dt;
        walked.aside = fmax(walked.aside, fabs((double)at.y));
        if (distance > speed * dt)
            walked.slowest = fmin(walked.slowest, sqrt(square));
        walked.furthest = fmaxf(walked.furthest, at.x);
        spent += (double)dt * (1.26 * 1.3 * 1.3 + 1.26 * square);
    }
    walked.effort = spent / (double)corner;
    return walked;
}

// Alone they go straight, at their own speed, to the point and not beyond, however near it is.
static void testAlone(void** state)
{
    (void)state;
    for (float corner = 0.02f; corner < 50.0f; corner *= 1.37f) {
        const Walked walked = walk(NULL, corner, th_orcaEffort);
        assert_near(walked.time, (double)corner / 1.3, 0.11);
        assert_near(walked.aside, 0.0, 1e-6);
        assert_near(walked.slowest, 1.3, 1e-5);
        assert_true(walked.furthest <= corner + 1e-4f);
    }
}

// Whoever is in the way. Near the corner people rather slow down than turn aside, for those who
// cross without being slower than else; for a far one it makes no difference.
static void testMeetings(void** state)
{
    (void)state;
    static const Meeting meetings[] = {{"crossing", {3.0f, -2.9f}, {0.0f, 1.3f}},
                                       {"overtaking", {2.0f, 0.1f}, {0.65f, 0.0f}},
                                       {"head-on", {5.0f, 0.1f}, {-1.3f, 0.0f}},
                                       {"standing", {3.0f, 0.1f}, {0.0f, 0.0f}}};
    static const float corners[] = {6.0f, 10.0f, 20.0f, 100.0f};
    for (size_t i = 0; i < sizeof meetings / sizeof *meetings; ++i) {
        for (size_t k = 0; k < sizeof corners / sizeof *corners; ++k) {
            Walked by[2];
            for (int32_t objective = 0; objective < 2; ++objective) {
                by[objective] = walk(&meetings[i], corners[k], (thOrcaObjective)objective);
                print_message("%-10s %3.0f m, %-7s: %.1f s, %.2f m aside, slowest %.2f m/s, "
                              "%.2f J/(kg m)\n",
                              meetings[i].name, (double)corners[k],
                              objective == th_orcaEffort ? "effort" : "nearest", by[objective].time,
                              by[objective].aside, by[objective].slowest, by[objective].effort);
            }
            const Walked *nearest = &by[0], *effort = &by[1];
            assert_true(effort->time < 1.5 * nearest->time);
            assert_true(effort->aside <= nearest->aside + 0.01);
            assert_true(effort->slowest <= nearest->slowest + 0.02);
            if (i > 0 && k == 0)
                assert_true(effort->slowest < nearest->slowest - 0.1);
            if (i == 0 && k < 2)
                assert_true(effort->aside < nearest->aside - 0.03);
            if (corners[k] == 100.0f) {
                assert_near(effort->aside, nearest->aside, 0.01);
                assert_near(effort->slowest, nearest->slowest, 0.02);
            }
        }
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testLine),     cmocka_unit_test(testStationary),
        cmocka_unit_test(testNearest),  cmocka_unit_test(testAlone),
        cmocka_unit_test(testMeetings),
    };
    return RUN_TESTS(tests, argc, argv);
}
