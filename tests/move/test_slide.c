// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Sliding along walls: how far one comes, and that nobody enters a wall.

#include "gear/gear.h"
#include "gear/property.h"
#include "geom/fixed.h"
#include "move/slide.h"
#include "move/wall_gear.h"
#include "move/wall_oracle.h"

#include <stdio.h>
#include <stdlib.h>

#define MAX_SEGMENTS 512
#define FAR (20000 * METRE)

// Walls that are being put up.
typedef struct Scene {
    thWallSegment segments[MAX_SEGMENTS];
    int32_t count;
    thPoint origin;
} Scene;

static void addWall(Scene* scene, double ax, double ay, double bx, double by)
{
    if (scene->count == MAX_SEGMENTS)
        return;
    scene->segments[scene->count++] = (thWallSegment){.ax = scene->origin.x + (int32_t)lround(ax),
                                                      .ay = scene->origin.y + (int32_t)lround(ay),
                                                      .bx = scene->origin.x + (int32_t)lround(bx),
                                                      .by = scene->origin.y + (int32_t)lround(by)};
}

static void build(const Scene* scene)
{
    buildWalls(scene->segments, scene->count);
}

// Random walls. Distances are metres, given to addWall in units.

static void addSoup(Scene* scene, thGenerator* g, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        const double x = METRE * (double)drawFloat(g, -8.0f, 8.0f);
        const double y = METRE * (double)drawFloat(g, -8.0f, 8.0f);
        const double longest = METRE * (double)drawFloat(g, 0.0001f, 6.0f);
        addWall(scene, x, y, x + longest * (double)drawFloat(g, -1.0f, 1.0f),
                y + longest * (double)drawFloat(g, -1.0f, 1.0f));
    }
}

// A closed line round the middle, with some corners in and out.
static void addRoom(Scene* scene, thGenerator* g, int32_t count)
{
    const int32_t corners = TH_MAX(count, 3);
    double radius[64];
    for (int32_t i = 0; i < corners; ++i)
        radius[i % 64] = METRE * (double)drawFloat(g, 1.0f, 8.0f);
    for (int32_t i = 0; i < corners; ++i) {
        const int32_t k = (i + 1) % corners;
        const double s = 2.0 * PI * i / corners, t = 2.0 * PI * k / corners;
        addWall(scene, radius[i % 64] * cos(s), radius[i % 64] * sin(s), radius[k % 64] * cos(t),
                radius[k % 64] * sin(t));
    }
}

// A line of short pieces that hardly turn.
static void addPolyline(Scene* scene, thGenerator* g, int32_t count)
{
    double x = -8.0 * METRE, y = METRE * (double)drawFloat(g, -2.0f, 2.0f);
    double angle = (double)drawFloat(g, -0.3f, 0.3f);
    const double length = METRE * (double)drawFloat(g, 0.001f, 2.0f);
    const float bend = drawFloat(g, 0.0f, 0.05f);
    for (int32_t i = 0; i < count; ++i) {
        const double nextX = x + length * cos(angle), nextY = y + length * sin(angle);
        addWall(scene, x, y, nextX, nextY);
        x = nextX;
        y = nextY;
        angle += (double)drawFloat(g, -bend, bend);
    }
}

// Two walls that meet at a small angle, and more of them.
static void addWedges(Scene* scene, thGenerator* g, int32_t count)
{
    for (int32_t i = 0; i < count; i += 2) {
        const double x = METRE * (double)drawFloat(g, -4.0f, 4.0f);
        const double y = METRE * (double)drawFloat(g, -4.0f, 4.0f);
        const double angle = (double)drawFloat(g, -3.1f, 3.1f);
        const double opening = (double)drawUnit(g) * (double)drawUnit(g) * 1.5;
        addWall(scene, x, y, x + 6.0 * METRE * cos(angle), y + 6.0 * METRE * sin(angle));
        addWall(scene, x, y, x + 6.0 * METRE * cos(angle + opening),
                y + 6.0 * METRE * sin(angle + opening));
    }
}

// Walls side by side, from a millimetre to some body widths apart.
static void addSlits(Scene* scene, thGenerator* g, int32_t count)
{
    const double angle = drawInt(g, 0, 1) != 0 ? 0.0 : (double)drawFloat(g, -3.1f, 3.1f);
    const double gap = METRE * (drawInt(g, 0, 1) != 0 ? 0.001 : (double)drawFloat(g, 0.001f, 2.0f));
    for (int32_t i = 0; i < count; ++i) {
        const double off = gap * (i - 0.5 * count);
        addWall(scene, -off * sin(angle) - 5.0 * METRE * cos(angle),
                off * cos(angle) - 5.0 * METRE * sin(angle),
                -off * sin(angle) + 5.0 * METRE * cos(angle),
                off * cos(angle) + 5.0 * METRE * sin(angle));
    }
}

static void drawScene(Scene* scene, thGenerator* g, int32_t size)
{
    typedef void AddFcn(Scene*, thGenerator*, int32_t);
    AddFcn* const kinds[] = {addSoup, addRoom, addPolyline, addWedges, addSlits};
    scene->count = 0;
    scene->origin = (thPoint){0, 0};
    if (drawInt(g, 0, 2) == 0)
        scene->origin = (thPoint){drawInt(g, -FAR, FAR), drawInt(g, -FAR, FAR)};
    kinds[drawInt(g, 0, 4)](scene, g, size);
    if (drawInt(g, 0, 3) == 0)
        kinds[drawInt(g, 0, 4)](scene, g, TH_MIN(size, 12));
    for (int32_t i = 0; i < scene->count; ++i)
        scene->segments[i].oneSided = (uint8_t)drawInt(g, 0, 1);
}

// Near the walls, or on top of them: at an end, or a whole number of units away from it.
static thPoint drawPlace(const Scene* scene, thGenerator* g)
{
    const int32_t spread = drawInt(g, 0, 3) == 0 ? 20 : 9 * METRE;
    thPoint p = scene->origin;
    if (scene->count > 0 && drawInt(g, 0, 2) == 0) {
        const thWallSegment* segment = &scene->segments[drawInt(g, 0, scene->count - 1)];
        p = (thPoint){segment->ax, segment->ay};
    }
    return (thPoint){p.x + drawInt(g, -spread, spread), p.y + drawInt(g, -spread, spread)};
}

// A wish in units, up to a kilometre: steps of 0.01 to 10 s at up to 100 m/s.
static thPoint drawWish(thGenerator* g)
{
    const double dt = 0.01 * pow(1000.0, (double)drawUnit(g));
    const double length = METRE * dt * 100.0 * pow((double)drawUnit(g), 4.0);
    const double angle =
        drawInt(g, 0, 7) == 0 ? 0.5 * PI * drawInt(g, 0, 3) : (double)drawFloat(g, -3.15f, 3.15f);
    return (thPoint){(int32_t)lround(length * cos(angle)), (int32_t)lround(length * sin(angle))};
}

static thPoint targetOf(thPoint p, thPoint wish)
{
    return (thPoint){TH_MIN(TH_MAX(p.x + wish.x, -TH_MAX_UNITS), TH_MAX_UNITS),
                     TH_MIN(TH_MAX(p.y + wish.y, -TH_MAX_UNITS), TH_MAX_UNITS)};
}

#define MOVES_PER_CASE 40

// Somebody among walls goes here and there; each leg of each move is judged.
static bool staysOut(thGenerator* g, int32_t size, void* context)
{
    int64_t* moveCount = context;
    static Scene scene;
    static long double distance[MAX_SEGMENTS];
    drawScene(&scene, g, size);
    build(&scene);
    const thWalls* walls = thiWallGridWalls(grid);
    const float radius = drawFloat(g, 0.05f, 0.5f) * (drawInt(g, 0, 3) == 0 ? 6.0f : 1.0f);
    thPoint p = drawPlace(&scene, g);
    oracleMeasure(walls, p, distance);
    thPoint wish = drawWish(g);
    for (int32_t move = 0; move < MOVES_PER_CASE; ++move) {
        if (drawInt(g, 0, 2) == 0) // else once more the same
            wish = drawWish(g);
        thPoint path[TH_MAX_LEGS];
        const int32_t count = thiSlidePath(grid, 0, p, targetOf(p, wish), radius, path);
        for (int32_t leg = 0; leg < count; ++leg) {
            const char* wrong = oracleJudge(walls, 0, p, path[leg], radius, distance);
            if (wrong != NULL) {
                printf("move %d, leg %d %s\n", move, leg, wrong);
                return false;
            }
            p = path[leg];
        }
        *moveCount += 1;
    }
    return true;
}

static void testNobodyEntersWalls(void** state)
{
    (void)state;
    int64_t moveCount = 0;
    const int32_t cases = getenv("THRONG_LONG") != NULL ? 25000 : 500;
    assertProperty(&(thProperty){.name = "slide_stays_out",
                                 .seed = 0x511de,
                                 .caseCount = cases,
                                 .maxSize = 60,
                                 .holds = staysOut,
                                 .context = &moveCount});
    assert_true(moveCount >= (int64_t)cases * MOVES_PER_CASE || getenv("THRONG_PROPERTY") != NULL);
}

// More walls in reach than are listed: the same rules hold.
static void testManyWalls(void** state)
{
    (void)state;
    int64_t moveCount = 0;
    assertProperty(&(thProperty){.name = "slide_many_walls",
                                 .seed = 0x3a11,
                                 .caseCount = getenv("THRONG_LONG") != NULL ? 2000 : 20,
                                 .maxSize = 400,
                                 .holds = staysOut,
                                 .context = &moveCount});
}

static void shuffle(Scene* scene, thGenerator* g)
{
    for (int32_t i = scene->count - 1; i > 0; --i) {
        const int32_t k = drawInt(g, 0, i);
        const thWallSegment kept = scene->segments[i];
        scene->segments[i] = scene->segments[k];
        scene->segments[k] = kept;
    }
}

// The order of walls does not matter, nor what stands on other levels, though that changes cells.
static bool ordersAgree(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    static Scene scene;
    thPoint ends[16], starts[16], targets[16];
    drawScene(&scene, g, size);
    build(&scene);
    for (int32_t i = 0; i < 16; ++i) {
        starts[i] = drawPlace(&scene, g);
        targets[i] = targetOf(starts[i], drawWish(g));
        ends[i] = thiSlide(grid, 0, starts[i], targets[i], 0.3f);
    }
    shuffle(&scene, g);
    if (scene.count < MAX_SEGMENTS) {
        addWall(&scene, 0.0, 0.0, 900.0 * METRE, 700.0 * METRE);
        scene.segments[scene.count - 1].level = 3;
    }
    build(&scene);
    for (int32_t i = 0; i < 16; ++i)
        if (!thiSamePoint(thiSlide(grid, 0, starts[i], targets[i], 0.3f), ends[i]))
            return false;
    return true;
}

static void testOrderOfWallsDoesNotMatter(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "slide_order",
                                 .seed = 0x0de5,
                                 .caseCount = getenv("THRONG_LONG") != NULL ? 5000 : 200,
                                 .maxSize = 80,
                                 .holds = ordersAgree});
}

// How it slides.

// Walks for `steps` steps with a velocity given in units a step.
static thPoint walk(thPoint p, double vx, double vy, int32_t steps, float radius)
{
    for (int32_t i = 0; i < steps; ++i) {
        const thPoint to = {p.x + (int32_t)lround(vx), p.y + (int32_t)lround(vy)};
        p = thiSlide(grid, 0, p, to, radius);
    }
    return p;
}

typedef struct Sliding {
    double angle;  // of the wall
    double press;  // angle between wish and wall
    double length; // of a step, units
    float radius;
    thPoint origin;
} Sliding;

static void checkSliding(const Sliding* s)
{
    const int32_t steps = 60;
    const double radius = METRE * (double)s->radius, way = s->length * steps;
    const thPoint start = {s->origin.x + (int32_t)lround(-sin(s->angle) * radius),
                           s->origin.y + (int32_t)lround(cos(s->angle) * radius)};
    const thPoint end = walk(start, s->length * cos(s->angle - s->press),
                             s->length * sin(s->angle - s->press), steps, s->radius);
    const double progress =
        ((double)end.x - start.x) * cos(s->angle) + ((double)end.y - start.y) * sin(s->angle);
    if (progress < 0.9 * way * cos(s->press))
        fail_msg("angle %g, press %g, step %g, radius %g: %g of %g", s->angle, s->press, s->length,
                 (double)s->radius, progress, way * cos(s->press));
}

// Both ends are far enough away that only sliding matters.
static void testKeepsTangentialSpeed(void** state)
{
    (void)state;
    const float radii[] = {0.1f, 0.25f, 0.3f, 1.0f, 3.0f};
    const double lengths[] = {90.0, 900.0, 0.14 * METRE, 2.0 * METRE};
    for (int32_t k = 0; k < 64; ++k) {
        thGenerator g = makeGenerator(0x7a6, (uint64_t)k);
        Sliding s = {.angle = k < 4 ? 0.5 * PI * k : (double)drawFloat(&g, -3.1f, 3.1f)};
        Scene scene = {.count = 0};
        if (k % 2 == 1)
            scene.origin = (thPoint){drawInt(&g, -FAR, FAR), drawInt(&g, -FAR, FAR)};
        // One wall, or a line of pieces that hardly turn.
        const int32_t pieces = k % 3 == 0 ? 1 : 400;
        double x = -200.0 * METRE * cos(s.angle), y = -200.0 * METRE * sin(s.angle);
        for (int32_t i = 0; i < pieces; ++i) {
            const double length = 400.0 * METRE / pieces;
            const double turned = s.angle + (i % 2 == 0 ? 1.0 : -1.0) * (pieces > 1 ? 3e-4 : 0.0);
            const double nextX = x + length * cos(turned), nextY = y + length * sin(turned);
            addWall(&scene, x, y, nextX, nextY);
            x = nextX;
            y = nextY;
        }
        build(&scene);
        s.origin = scene.origin;
        for (int32_t r = 0; r < 5; ++r)
            for (int32_t l = 0; l < 4; ++l)
                for (double press = 0.0; press < 1.5; press += 0.2) {
                    s.radius = radii[r];
                    s.length = lengths[l];
                    s.press = press;
                    checkSliding(&s);
                }
    }
}

// A round wall of short pieces, from inside and outside, pressed against it by 30 degrees.
static void testFollowsRoundWalls(void** state)
{
    (void)state;
    const double lengths[] = {900.0, 0.14 * METRE};
    for (int32_t inside = 0; inside < 2; ++inside)
        for (int32_t l = 0; l < 2; ++l) {
            Scene scene = {.origin = {FAR, -FAR}};
            const double size = 5.0 * METRE;
            const int32_t pieces = 500;
            for (int32_t i = 0; i < pieces; ++i)
                addWall(&scene, size * cos(2.0 * PI * i / pieces),
                        size * sin(2.0 * PI * i / pieces), size * cos(2.0 * PI * (i + 1) / pieces),
                        size * sin(2.0 * PI * (i + 1) / pieces));
            build(&scene);
            const float radius = 0.25f;
            const double orbit = size + (inside != 0 ? -0.26 : 0.26) * METRE;
            thPoint p = {scene.origin.x + (int32_t)orbit, scene.origin.y};
            double turned = 0.0;
            const int32_t steps = 100;
            for (int32_t i = 0; i < steps; ++i) {
                const double x = (double)p.x - scene.origin.x, y = (double)p.y - scene.origin.y;
                const double press = inside != 0 ? -PI / 6.0 : PI / 6.0;
                const double heading = atan2(y, x) + 0.5 * PI + press;
                const thPoint to = {p.x + (int32_t)(lengths[l] * cos(heading)),
                                    p.y + (int32_t)(lengths[l] * sin(heading))};
                p = thiSlide(grid, 0, p, to, radius);
                const double newX = (double)p.x - scene.origin.x,
                             newY = (double)p.y - scene.origin.y;
                turned += atan2(x * newY - y * newX, x * newX + y * newY);
            }
            const double expected = steps * lengths[l] * cos(PI / 6.0) / orbit;
            if (turned < 0.9 * expected)
                fail_msg("inside %d, step %g: %g of %g", inside, lengths[l], turned, expected);
        }
}

// Round the end of a wall to its other side.
static void testGoesRoundCorners(void** state)
{
    (void)state;
    for (int32_t k = 0; k < 4; ++k) {
        const double length = k % 2 == 0 ? 900.0 : 0.14 * METRE;
        Scene scene = {.origin = {k < 2 ? 0 : FAR, 0}};
        addWall(&scene, -10.0 * METRE, 0.0, 0.0, 0.0);
        build(&scene);
        const float radius = 0.25f;
        thPoint p = {scene.origin.x - METRE / 2, scene.origin.y + METRE / 4 + 100};
        // Along the wall, then always at a right angle to the line to its end: 0.5 m and half
        // round.
        const double way = 0.5 * METRE + PI * 0.25 * METRE;
        const int32_t steps = (int32_t)(way / length / 0.9);
        for (int32_t i = 0; i < steps; ++i) {
            const double x = (double)p.x - scene.origin.x, y = (double)p.y - scene.origin.y;
            const double heading = x < 0.0 && y > 0.0 ? -0.2 : atan2(y, x) - 0.5 * PI - 0.2;
            p = thiSlide(grid, 0, p,
                         (thPoint){p.x + (int32_t)(length / cos(0.2) * cos(heading)),
                                   p.y + (int32_t)(length / cos(0.2) * sin(heading))},
                         radius);
        }
        assert_true(p.y < scene.origin.y && p.x < scene.origin.x + METRE / 20);
    }
}

static void testStopsInCorners(void** state)
{
    (void)state;
    Scene scene = {.count = 0};
    addWall(&scene, -5.0 * METRE, 0.0, 5.0 * METRE, 0.0);
    addWall(&scene, 5.0 * METRE, 0.0, 5.0 * METRE, 5.0 * METRE);
    addWall(&scene, -5.0 * METRE, 0.0, -2.0 * METRE, 1.0 * METRE); // acute
    build(&scene);
    const int32_t r = METRE / 4;
    thPoint p = walk((thPoint){0, METRE}, 0.2 * METRE, -0.1 * METRE, 200, 0.25f);
    assert_true(abs(p.x - (5 * METRE - r)) <= 8 && abs(p.y - r) <= 8);
    assert_true(thiSamePoint(walk(p, 0.2 * METRE, -0.1 * METRE, 5, 0.25f), p));
    // Out again along the other wall.
    p = walk(p, 0.1 * METRE, 0.1 * METRE, 10, 0.25f);
    assert_true(p.y >= r + (int32_t)(0.9 * METRE));
    // Into the acute corner and out.
    p = walk((thPoint){-METRE, METRE / 3}, -0.1 * METRE, 0.0, 100, 0.25f);
    const thPoint stuck = walk(p, -0.1 * METRE, 0.0, 10, 0.25f);
    assert_true(abs(stuck.x - p.x) <= 2 && abs(stuck.y - p.y) <= 2);
    assert_true(walk(p, 0.1 * METRE, 0.0, 10, 0.25f).x >= p.x + (int32_t)(0.9 * METRE));
}

// A corridor as wide as the body, and narrower by less than the slop on both sides, also a slanted
// one: it can be walked, also by who presses against a wall.
static void testNarrowCorridors(void** state)
{
    (void)state;
    for (int32_t less = 0; less <= 12; less += 3)
        for (int32_t k = 0; k < 6; ++k) {
            const double angle = 0.3 * k, half = METRE / 4 - 0.5 * less, press = 0.4 * (k % 3 - 1);
            Scene scene = {.origin = {k % 2 == 0 ? 0 : FAR, k % 2 == 0 ? 0 : -FAR}};
            for (int32_t side = -1; side <= 1; side += 2)
                addWall(&scene, -side * half * sin(angle) - 9.0 * METRE * cos(angle),
                        side * half * cos(angle) - 9.0 * METRE * sin(angle),
                        -side * half * sin(angle) + 9.0 * METRE * cos(angle),
                        side * half * cos(angle) + 9.0 * METRE * sin(angle));
            build(&scene);
            const double length = 0.1 * METRE;
            const thPoint end = walk(scene.origin, length * cos(angle + press),
                                     length * sin(angle + press), 60, 0.25f);
            const double progress = ((double)end.x - scene.origin.x) * cos(angle) +
                                    ((double)end.y - scene.origin.y) * sin(angle);
            if (progress < 0.9 * 60.0 * length * cos(press))
                fail_msg("less %d, case %d: %g", less, k, progress / length);
        }
}

// A door as wide as the body is found by who walks against its posts, and a narrower one is not
// passed.
static void testDoors(void** state)
{
    (void)state;
    for (int32_t k = 0; k < 2; ++k) {
        const double half = METRE / 4 - (k == 0 ? 0 : 40);
        Scene scene = {.count = 0};
        addWall(&scene, 0.0, -5.0 * METRE, 0.0, -half);
        addWall(&scene, 0.0, half, 0.0, 5.0 * METRE);
        build(&scene);
        const thPoint end = walk((thPoint){-METRE, METRE / 20}, 0.1 * METRE, 0.0, 200, 0.25f);
        assert_true(k == 0 ? end.x > METRE : end.x < 0);
    }
}

// Created too deep in a wall: it can walk along and away, and comes out on the way.
static void testDeepBodiesComeOut(void** state)
{
    (void)state;
    for (int32_t k = 0; k < 8; ++k) {
        const double angle = 0.4 * k;
        Scene scene = {.count = 0};
        addWall(&scene, -50.0 * METRE * cos(angle), -50.0 * METRE * sin(angle),
                50.0 * METRE * cos(angle), 50.0 * METRE * sin(angle));
        build(&scene);
        const thPoint start = {(int32_t)(-0.1 * METRE * sin(angle)),
                               (int32_t)(0.1 * METRE * cos(angle))};
        const thPoint end =
            walk(start, 0.1 * METRE * cos(angle - 0.1), 0.1 * METRE * sin(angle - 0.1), 40, 0.25f);
        const thWalls* walls = thiWallGridWalls(grid);
        const long double distance = oracleDistance(end, (thPoint){walls->ax[0], walls->ay[0]},
                                                    (thPoint){walls->bx[0], walls->by[0]});
        assert_true(distance >= 0.25L * METRE - 8.0L);
        const double progress =
            ((double)end.x - start.x) * cos(angle) + ((double)end.y - start.y) * sin(angle);
        assert_true(progress >= 0.9 * 4.0 * METRE);
    }
}

// A centre on a wall leaves it to the free side only; a thin wall has two.
static void testLeavesWallItStandsOn(void** state)
{
    (void)state;
    for (int32_t oneSided = 0; oneSided < 2; ++oneSided) {
        Scene scene = {.count = 0};
        addWall(&scene, -METRE, 0.0, METRE, 0.0); // solid above
        scene.segments[0].oneSided = (uint8_t)oneSided;
        build(&scene);
        const thPoint on = {7, 0};
        const thPoint below = thiSlide(grid, 0, on, (thPoint){7, -METRE}, 0.25f);
        assert_true(thiSamePoint(below, (thPoint){7, -METRE}));
        const thPoint above = thiSlide(grid, 0, on, (thPoint){7, METRE}, 0.25f);
        assert_true(oneSided != 0 ? above.y <= 0 : above.y == METRE);
    }
}

static void testNothingInTheWay(void** state)
{
    (void)state;
    Scene scene = {.count = 0};
    build(&scene);
    const thPoint p = {5, -7}, to = {FAR, FAR};
    assert_true(thiSamePoint(thiSlide(grid, 0, p, to, 0.25f), to));
    addWall(&scene, 0.0, 1.0 * METRE, 5.0 * METRE, 1.0 * METRE);
    build(&scene);
    assert_true(
        thiSamePoint(thiSlide(grid, 0, p, (thPoint){METRE, 0}, 0.25f), (thPoint){METRE, 0}));
    assert_true(thiSamePoint(thiSlide(grid, 1, p, to, 0.25f), to)); // another floor
    assert_true(thiSamePoint(thiSlide(grid, 0, p, p, 3.0f), p));
}

// Slides that would lead out of the world end at its border.
static void testStaysInTheWorld(void** state)
{
    (void)state;
    Scene scene = {.count = 0};
    addWall(&scene, TH_MAX_UNITS - 4.0 * METRE, -METRE, TH_MAX_UNITS, 0.0);
    build(&scene);
    const thPoint p = {TH_MAX_UNITS - METRE, METRE};
    const thPoint end = thiSlide(grid, 0, p, (thPoint){TH_MAX_UNITS, -9 * METRE}, 0.25f);
    assert_true(end.x <= TH_MAX_UNITS);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(testNothingInTheWay, setUp, tearDown),
        cmocka_unit_test_setup_teardown(testKeepsTangentialSpeed, setUp, tearDown),
        cmocka_unit_test_setup_teardown(testFollowsRoundWalls, setUp, tearDown),
        cmocka_unit_test_setup_teardown(testGoesRoundCorners, setUp, tearDown),
        cmocka_unit_test_setup_teardown(testStopsInCorners, setUp, tearDown),
        cmocka_unit_test_setup_teardown(testNarrowCorridors, setUp, tearDown),
        cmocka_unit_test_setup_teardown(testDoors, setUp, tearDown),
        cmocka_unit_test_setup_teardown(testDeepBodiesComeOut, setUp, tearDown),
        cmocka_unit_test_setup_teardown(testLeavesWallItStandsOn, setUp, tearDown),
        cmocka_unit_test_setup_teardown(testStaysInTheWorld, setUp, tearDown),
        cmocka_unit_test_setup_teardown(testOrderOfWallsDoesNotMatter, setUp, tearDown),
        cmocka_unit_test_setup_teardown(testNobodyEntersWalls, setUp, tearDown),
        cmocka_unit_test_setup_teardown(testManyWalls, setUp, tearDown),
    };
    return RUN_TESTS(tests, argc, argv);
}
