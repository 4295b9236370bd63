// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Why goals on the way are pulled inward: exact diagrams of points in the open, where agents
// without a black vertex share the nearest points of their black edges, unless these are pulled.

#include "base/core.h"
#include "gear/gear.h"
#include "gear/property.h"

#define MOST_AGENTS 10
#define MOST_GOALS 64

typedef struct Place {
    double x, y;
} Place;

// A straight black edge: middle + t · along for low <= t <= high.
typedef struct Edge {
    Place middle, along;
    double low, high;
    bool lowOnBorder, highOnBorder; // of the owner's region; else a black vertex, or infinite
} Edge;

typedef struct Goals {
    Place places[MOST_GOALS];
    double inside[MOST_GOALS]; // how much nearer the owner is than anybody else
    int32_t count, onBorder;
    bool hasVertex;
} Goals;

static double distance(Place a, Place b)
{
    return hypot(a.x - b.x, a.y - b.y);
}

static double squared(Place a, Place b)
{
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

static Place at(const Edge* e, double t)
{
    return (Place){e->middle.x + t * e->along.x, e->middle.y + t * e->along.y};
}

// Keeps of an edge what is no nearer to `far` than to `near`. False if nothing is left.
static bool keep(Edge* e, Place near, Place far, bool isBorder)
{
    const double before = squared(e->middle, far) - squared(e->middle, near);
    const double grows = 2.0 * (e->along.x * (near.x - far.x) + e->along.y * (near.y - far.y));
    const double t = -before / grows;
    if (grows > 0.0 && t > e->low) {
        e->low = t;
        e->lowOnBorder = isBorder;
    } else if (grows < 0.0 && t < e->high) {
        e->high = t;
        e->highOnBorder = isBorder;
    }
    return (grows > 0.0 || grows < 0.0 || before >= 0.0) && e->low < e->high;
}

// What is nearest to the owner and then as near to b as to c.
static bool makeEdge(const Place* agents, int32_t count, int32_t owner, int32_t b, int32_t c,
                     Edge* e)
{
    const Place p = agents[b], q = agents[c];
    const double length = distance(p, q);
    *e = (Edge){.middle = {0.5 * (p.x + q.x), 0.5 * (p.y + q.y)},
                .along = {(p.y - q.y) / length, (q.x - p.x) / length},
                .low = -INFINITY,
                .high = INFINITY};
    if (!keep(e, agents[owner], p, true))
        return false;
    for (int32_t i = 0; i < count; ++i)
        if (i != owner && i != b && i != c && !keep(e, p, agents[i], false))
            return false;
    return true;
}

static void addGoal(Goals* goals, const Place* agents, int32_t count, int32_t owner, Place place)
{
    double inside = INFINITY;
    for (int32_t i = 0; i < count; ++i)
        if (i != owner)
            inside = fmin(inside, distance(place, agents[i]) - distance(place, agents[owner]));
    goals->places[goals->count] = place;
    goals->inside[goals->count++] = inside;
}

// All that an agent might be sent to first: its black vertices; if there are none the nearest
// points of its black edges, pulled inward by so much.
static Goals goalsOf(const Place* agents, int32_t count, int32_t owner, double inward)
{
    Goals goals = {0};
    for (int32_t pass = 0; pass < 2; ++pass)
        for (int32_t b = 0; b < count; ++b)
            for (int32_t c = b + 1; c < count; ++c) {
                Edge e;
                if (b == owner || c == owner || !makeEdge(agents, count, owner, b, c, &e))
                    continue;
                if (pass == 0) {
                    if (!e.lowOnBorder && e.low > -INFINITY)
                        addGoal(&goals, agents, count, owner, at(&e, e.low));
                    if (!e.highOnBorder && e.high < INFINITY)
                        addGoal(&goals, agents, count, owner, at(&e, e.high));
                    goals.hasVertex = goals.count > 0;
                } else if (!goals.hasVertex) {
                    const double nearest = (agents[owner].x - e.middle.x) * e.along.x +
                                           (agents[owner].y - e.middle.y) * e.along.y;
                    double t = fmin(fmax(nearest, e.low), e.high);
                    goals.onBorder +=
                        (e.lowOnBorder && t <= e.low) || (e.highOnBorder && t >= e.high);
                    const double by = fmin(0.5 * (e.high - e.low), inward);
                    if (e.lowOnBorder)
                        t = fmax(t, e.low + by);
                    if (e.highOnBorder)
                        t = fmin(t, e.high - by);
                    addGoal(&goals, agents, count, owner, at(&e, t));
                }
            }
    return goals;
}

typedef struct Tally {
    int64_t agents, withoutVertex, nearest, onBorder, shared, outside;
} Tally;

static void tally(const Place* agents, int32_t count, double inward, Tally* sum)
{
    static Goals goals[MOST_AGENTS];
    for (int32_t i = 0; i < count; ++i) {
        goals[i] = goalsOf(agents, count, i, inward);
        ++sum->agents;
        sum->withoutVertex += !goals[i].hasVertex;
        sum->nearest += goals[i].hasVertex ? 0 : goals[i].count;
        sum->onBorder += goals[i].onBorder;
        for (int32_t k = 0; k < goals[i].count; ++k)
            sum->outside += !(goals[i].inside[k] > 0.0);
        for (int32_t j = 0; j < i; ++j) {
            bool shares = false;
            for (int32_t k = 0; k < goals[i].count; ++k)
                for (int32_t l = 0; l < goals[j].count; ++l)
                    shares = shares || distance(goals[i].places[k], goals[j].places[l]) < 1e-9;
            sum->shared += shares;
        }
    }
}

static void testRandomScenes(void** state)
{
    (void)state;
    Tally as = {0}, pulled = {0};
    const int32_t scenes = caseCount(1000, 40000);
    for (int32_t number = 0; number < scenes; ++number) {
        thGenerator g = makeGenerator(21, (uint64_t)number);
        Place agents[MOST_AGENTS];
        const int32_t count = drawInt(&g, 3, MOST_AGENTS);
        for (int32_t i = 0; i < count; ++i)
            agents[i] = (Place){(double)drawUnit(&g), (double)drawUnit(&g)};
        tally(agents, count, 0.0, &as);
        tally(agents, count, 0.05, &pulled);
    }
    print_message("%d scenes, %d agents, %d without a black vertex: of %d nearest points %d on the "
                  "border, %d pairs share one, pulled %d; pulled not inside %d\n",
                  scenes, (int32_t)as.agents, (int32_t)as.withoutVertex, (int32_t)as.nearest,
                  (int32_t)as.onBorder, (int32_t)as.shared, (int32_t)pulled.shared,
                  (int32_t)pulled.outside);
    assert_true(as.shared > as.agents / 100);
    assert_int_equal(pulled.shared, 0);
    assert_int_equal(pulled.outside, 0);
}

static void testCounterExample(void** state)
{
    (void)state;
    const Place agents[3] = {{-1.0, 0.0}, {1.0, 0.0}, {0.0, 0.3}};
    const Goals left = goalsOf(agents, 3, 0, 0.0), right = goalsOf(agents, 3, 1, 0.0);
    assert_true(left.count == 1 && right.count == 1 && !left.hasVertex && !right.hasVertex);
    assert_near(left.places[0].x, 0.0, 1e-12);
    assert_near(left.places[0].y, -1.5166666666666666, 1e-12);
    assert_near(distance(left.places[0], right.places[0]), 0.0, 1e-12);
    const Goals pulled = goalsOf(agents, 3, 0, 0.1), other = goalsOf(agents, 3, 1, 0.1);
    assert_true(distance(pulled.places[0], other.places[0]) > 0.05);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testRandomScenes),
        cmocka_unit_test(testCounterExample),
    };
    return RUN_TESTS(tests, argc, argv);
}
