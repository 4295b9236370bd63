// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Corners, clear places and clear paths of `visibility` against obstacles that GEOS has grown by
// the radius. With THRONG_LONG more layouts.

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

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testPlaces),
        cmocka_unit_test(testWays),
        cmocka_unit_test(testCorners),
    };
    return RUN_TESTS(tests, argc, argv);
}
