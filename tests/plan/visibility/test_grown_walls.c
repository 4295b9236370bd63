// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Corners, clear places and paths, and lengths of `visibility`, against obstacles that GEOS has
// grown by the radius. With THRONG_LONG more layouts.

#include "plan/visibility/grown_oracle.h"
#include "plan/visibility/visibility_graph.h"
#include "sim/world_internal.h"

#include <stdio.h>
#include <stdlib.h>

// How near to the border of what is grown answers may differ: GEOS cuts arcs into parts, about 64
// in a quarter and at least two thirds of that, and so falls short by up to 0.00017 radii. [m]
#define BORDER 2e-4

static thMemory memory;

static bool isLong(void)
{
    return getenv("THRONG_LONG") != NULL;
}

// A multiple of 1/64 m, the step of classes of radii.
static float drawRadius(thGenerator* g)
{
    return (float)drawInt(g, 7, 64) / 64.0f;
}

static thPoint drawPoint(thGenerator* g, float reach)
{
    return pointAt(drawFloat(g, -reach, reach), drawFloat(g, -reach, reach));
}

typedef struct Case {
    Layout* layout;
    Grown* grown;
    thFrame frame;
    thRouteSpace* space;
    float radius, extent;
} Case;

static Case openCase(thGenerator* g, int32_t size)
{
    Case c = {.radius = drawRadius(g), .extent = 3.0f + 0.5f * (float)size};
    c.layout = drawLayout(g, size, c.extent);
    c.grown = growLayout(c.layout, (double)c.radius, 64);
    c.frame = frameOf(layoutWorld(c.layout));
    thiMemoryInit(&memory, &(thAllocator){0}, 0);
    assert_ok(thiCreateRouteSpace(&memory, &c.frame, 0, c.radius, &c.space));
    return c;
}

static void closeCase(Case* c)
{
    thiDestroyRouteSpace(c->space);
    assert_int_equal(memory.bytes, 0);
    freeGrown(c->grown);
    freeLayout(c->layout);
}

// A place about as far from a wall as the radius.
static thPoint drawAtBorder(thGenerator* g, const Case* c)
{
    const thWalls* walls = c->frame.walls;
    if (walls->count == 0)
        return drawPoint(g, c->extent);
    const int32_t i = drawInt(g, 0, walls->count - 1);
    const double share = (double)drawFloat(g, 0.0f, 1.0f);
    const double angle = (double)drawFloat(g, 0.0f, 6.2832f);
    const double reach = (double)c->radius + (double)drawFloat(g, -0.01f, 0.01f);
    const double x = walls->ax[i] + share * ((double)walls->bx[i] - walls->ax[i]);
    const double y = walls->ay[i] + share * ((double)walls->by[i] - walls->ay[i]);
    return pointAt(x / THRONG_UNITS_PER_METRE + reach * cos(angle),
                   y / THRONG_UNITS_PER_METRE + reach * sin(angle));
}

typedef struct Tally {
    int64_t looked, clear, left; // questions, answers "clear", questions too near to the border
} Tally;

// Whether our answer is GEOS's.
static bool compare(const Case* c, thPoint a, thPoint b, bool clear, Tally* tally)
{
    tally->looked += 1;
    tally->clear += clear;
    if (fabs(distanceOfWay(c->layout, a, b) - (double)c->radius) < BORDER) {
        tally->left += 1;
        return true;
    }
    return clear != meetsGrown(c->grown, a, b);
}

static bool holdsForPlaces(thGenerator* g, int32_t size, void* context)
{
    Case c = openCase(g, size);
    bool good = true;
    for (int32_t i = 0; i < 200 && good; ++i) {
        const thPoint p = i % 2 == 0 ? drawAtBorder(g, &c) : drawPoint(g, c.extent + 4.0f);
        good = compare(&c, p, p, thiIsClearPlace(c.space, p, 0.0f), context);
    }
    closeCase(&c);
    return good;
}

// Paths from clear places on.
static bool holdsForWays(thGenerator* g, int32_t size, void* context)
{
    Case c = openCase(g, size);
    bool good = true;
    for (int32_t i = 0; i < 200 && good; ++i) {
        const thPoint a = drawPoint(g, c.extent + 4.0f), far = drawPoint(g, c.extent + 4.0f);
        const thPoint near = {a.x + far.x / 8, a.y + far.y / 8};
        const thPoint b = i % 3 == 0 ? near : i % 3 == 1 ? far : drawAtBorder(g, &c);
        if (thiIsClearPlace(c.space, a, 0.0f))
            good = compare(&c, a, b, thiIsClearLeg(c.space, a, b, 0.0f), context);
    }
    closeCase(&c);
    return good;
}

static void checkQuestions(const char* name, uint64_t seed, thPropertyFcn* holds)
{
    Tally tally = {0};
    assertProperty(&(thProperty){.name = name,
                                 .seed = seed,
                                 .caseCount = isLong() ? 1000 : 60,
                                 .maxSize = 40,
                                 .holds = holds,
                                 .context = &tally});
    print_message("%s: %lld questions, %lld clear, %lld too near to the border\n", name,
                  (long long)tally.looked, (long long)tally.clear, (long long)tally.left);
    assert_true(tally.clear > tally.looked / 10 && tally.clear < tally.looked * 9 / 10);
    assert_true(tally.left < tally.looked / 50);
}

static void testPlaces(void** state)
{
    (void)state;
    checkQuestions("grownPlaces", 31, holdsForPlaces);
}

static void testWays(void** state)
{
    (void)state;
    checkQuestions("grownWays", 32, holdsForWays);
}

// A corner that paths turn round by up to 1/16 in the cosine more than a quarter is one node, of a
// polygon round the arc: as far from the wall as this factor of the radius at most.
#define STRETCH 1.4607

// Every node is outside of what is grown, and not further than the polygon round the arc.
static bool holdsForCorners(thGenerator* g, int32_t size, void* context)
{
    int64_t* count = context;
    Case c = openCase(g, size);
    thArray corners = thiArray(&memory, sizeof(thRouteCorner));
    assert_ok(thiFindCorners(&c.frame, 0, c.space, &corners));
    bool good = true;
    const double farthest = STRETCH * (double)(c.radius + TH_ROUTE_SLACK) + BORDER;
    for (int32_t i = 0; i < corners.count; ++i) {
        const thPoint place = TH_ITEMS(corners, thRouteCorner)[i].node.place;
        const double distance = distanceOfWay(c.layout, place, place);
        const bool inside =
            distance > (double)c.radius + BORDER && meetsGrown(c.grown, place, place);
        good = good && !inside && distance >= (double)c.radius && distance <= farthest;
    }
    *count += corners.count;
    thiArrayFree(&corners);
    closeCase(&c);
    return good;
}

static void testCorners(void** state)
{
    (void)state;
    int64_t count = 0;
    assertProperty(&(thProperty){.name = "grownCorners",
                                 .seed = 33,
                                 .caseCount = isLong() ? 2000 : 100,
                                 .maxSize = 40,
                                 .holds = holdsForCorners,
                                 .context = &count});
    print_message("%lld corners\n", (long long)count);
    assert_true(count > 1000);
}

// How paths of `visibility` compare with the shortest ones.
typedef struct Lengths {
    int32_t asked, bent, none; // pairs of places, those with a path that bends, those without any
    int32_t tight;             // those that leave out a gap that is hardly wider than the body
    double excess, sum; // of the others, in radii for each corner: the largest, and of all bent
} Lengths;

#define PARTS 8       // of a quarter, in the oracle
#define ROOM 0x1p-9   // gaps that are twice this wider than the body must be found [m]
#define EXCESS 0.9    // a quarter of a turn in one node: 2 - pi/2; half a turn in two: twice that
#define SHORTAGE 0.04 // of the oracle, for each corner: parts lie inside the arcs [radii]

static thAgentId addAsker(thWorld* world, thProfileId profile, thPoint from, thPoint to)
{
    thAgentDef def = thDefaultAgentDef();
    def.profile = profile;
    def.position = (thVec2){(float)from.x / 65536.0f, (float)from.y / 65536.0f};
    def.flags = th_agentWaiting;
    assert_ok(thCreatePointGoal(world, (thVec2){(float)to.x / 65536.0f, (float)to.y / 65536.0f},
                                &def.goal));
    thAgentId id;
    assert_ok(thCreateAgent(world, &def, &id));
    return id;
}

static thPath askVisibility(Case* c, thPoint a, thPoint b)
{
    thWorld* world = layoutWorld(c->layout);
    thProfileDef def = thDefaultProfileDef();
    def.plan.name = "visibility";
    def.radius = c->radius;
    thProfileId profile;
    assert_ok(thCreateProfile(world, &def, &profile, NULL));
    const thAgentId id = addAsker(world, profile, a, b);
    assert_ok(thWorld_Step(world, 0.1f));
    thPath path;
    assert_ok(thAgent_GetPath(world, id, NULL, 0, &path));
    assert_ok(thDestroyAgent(world, id));
    assert_ok(thDestroyProfile(world, profile));
    return path;
}

// Whether a place is between an arc and the polygon round it: it goes out to that first.
static int32_t isAtCorner(const Case* c, thPoint p)
{
    return distanceOfWay(c->layout, p, p) < STRETCH * (double)(c->radius + TH_ROUTE_SLACK);
}

// Not shorter than the shortest path at this radius, and not longer than the shortest for a
// slightly wider body by more than polygons round arcs are longer than these.
static bool comparesWell(const Case* c, const Sights* exact, const Sights* wide, thPoint a,
                         thPoint b, thPath path, Lengths* lengths)
{
    const double radius = (double)c->radius;
    const int32_t ends = isAtCorner(c, a) + isAtCorner(c, b);
    int32_t arcs, wideArcs;
    const double least = shortestLength(exact, a, b, &arcs);
    const double most = shortestLength(wide, a, b, &wideArcs);
    lengths->asked += 1;
    if (path.answer != th_planComplete) {
        lengths->none += 1;
        return most == INFINITY;
    }
    const double shortage = SHORTAGE * radius * arcs + 1e-3;
    const double excess = EXCESS * radius * (wideArcs + ends) + 1e-3;
    const bool tight = path.length > least + EXCESS * radius * (arcs + ends) + 1e-3;
    lengths->tight += tight;
    if (arcs > 0 && !tight) {
        const double share = (path.length - least) / (radius * arcs);
        lengths->bent += 1;
        lengths->sum += share;
        lengths->excess = fmax(lengths->excess, share);
    }
    return path.length >= least - shortage && path.length <= most + excess;
}

static bool holdsForLengths(thGenerator* g, int32_t size, void* context)
{
    Case c = openCase(g, size);
    Sights* exact = makeSights(c.layout, (double)c.radius, PARTS);
    // Sights let bodies through that are up to 1.1 % larger.
    Sights* wide = makeSights(c.layout, 1.012 * (double)c.radius + ROOM, PARTS);
    bool good = true;
    for (int32_t i = 0; i < 12 && good; ++i) {
        thPoint a = drawPoint(g, c.extent + 2.0f), b = drawPoint(g, c.extent + 2.0f);
        if (thiIsClearPlace(c.space, a, -TH_ROUTE_SLACK) &&
            thiIsClearPlace(c.space, b, -TH_ROUTE_SLACK))
            good = comparesWell(&c, exact, wide, a, b, askVisibility(&c, a, b), context);
    }
    freeSights(exact);
    freeSights(wide);
    closeCase(&c);
    return good;
}

static void testLengths(void** state)
{
    (void)state;
    Lengths lengths = {0};
    assertProperty(&(thProperty){.name = "grownLengths",
                                 .seed = 34,
                                 .caseCount = isLong() ? 600 : 20,
                                 .maxSize = 10,
                                 .holds = holdsForLengths,
                                 .context = &lengths});
    print_message(
        "%d pairs: %d bend, %d have no way, %d leave out a tight gap; for each corner %.3f "
        "radii more than the shortest way on average, %.3f at most\n",
        lengths.asked, lengths.bent, lengths.none, lengths.tight, lengths.sum / lengths.bent,
        lengths.excess);
    assert_true(lengths.bent > lengths.asked / 5);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testPlaces),
        cmocka_unit_test(testWays),
        cmocka_unit_test(testCorners),
        cmocka_unit_test(testLengths),
    };
    return RUN_TESTS(tests, argc, argv);
}
