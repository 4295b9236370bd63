// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What pictures are made of: ticks, shades, densities, doors, and playing a recording.
// That is made up here: people on straight paths who come and go.

#include "gear/gear.h"
#include "throng/random.h"

#include "draw/canvas.h"
#include "draw/density_map.h"
#include "draw/doors.h"
#include "draw/player.h"

#include <stdlib.h>

// --- Ticks ---

static void ticksAreRoundAndWithin(void** state)
{
    (void)state;
    const uint64_t stream = thRandomStream(1, 2, 3, 4);
    for (uint32_t i = 0; i < 20000; ++i) {
        const double low = (thRandomUnit(stream, 3 * i) - 0.5f) * 200.0;
        const double size = pow(10, thRandomUnit(stream, 3 * i + 1) * 9.0 - 4.0);
        const int32_t most = 2 + (int32_t)(thRandomBits(stream, 3 * i + 2) % 12);
        const Ticks ticks = appFindTicks(low, low + size, most);
        assert_in_range(ticks.count, 0, most);
        const double digit = ticks.step / pow(10, floor(log10(ticks.step) + 1e-9));
        assert_true(fabs(digit - 1) < 1e-9 || fabs(digit - 2) < 1e-9 || fabs(digit - 5) < 1e-9);
        for (int32_t k = 0; k < ticks.count; ++k) {
            const double at = appTickAt(&ticks, k);
            assert_true(at >= low - 1e-6 * size && at <= low + size * (1 + 1e-6));
            assert_near(at / ticks.step, round(at / ticks.step), 1e-6);
        }
        // None is missing: one more on either side is outside.
        assert_true(ticks.first - ticks.step < low &&
                    ticks.first + ticks.count * ticks.step > low + size);
        // Half as many would be too few for what was asked.
        assert_true((ticks.count + 1) * 2.5 >= most - 1);
    }
}

static void ticksAreWrittenShort(void** state)
{
    (void)state;
    char text[32];
    Ticks ticks = appFindTicks(-1, 1, 5);
    appFormatTick(&ticks, 0, text, sizeof text);
    assert_string_equal(text, "-1.0");
    appFormatTick(&ticks, 2, text, sizeof text);
    assert_string_equal(text, "0.0");
    ticks = appFindTicks(0, 1000, 6);
    appFormatTick(&ticks, ticks.count - 1, text, sizeof text);
    assert_string_equal(text, "1000");
    ticks = appFindTicks(0, 0.05, 6);
    appFormatTick(&ticks, 1, text, sizeof text);
    assert_string_equal(text, "0.01");
}

// --- Shades ---

static double lightOf(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4);
}

// CIE L*, which is another measure than the one the shades are made with.
static double lightnessOf(Color color)
{
    const double light =
        0.2126 * lightOf(color.red) + 0.7152 * lightOf(color.green) + 0.0722 * lightOf(color.blue);
    return light > 0.008856 ? 116 * cbrt(light) - 16 : 903.3 * light;
}

static void shadesDarkenEvenly(void** state)
{
    (void)state;
    enum { steps = 64 };
    const double all = lightnessOf(appShade(0)) - lightnessOf(appShade(1));
    assert_true(all > 70);
    for (int i = 0; i < steps; ++i) {
        const double step =
            lightnessOf(appShade((double)i / steps)) - lightnessOf(appShade((i + 1.0) / steps));
        assert_true(step > 0.55 * all / steps && step < 1.6 * all / steps);
    }
    assert_near(appShade(-3).red, appShade(0).red, 0);
    assert_near(appShade(7).blue, appShade(1).blue, 0);
}

// --- Density ---

static const Scenery openGround = {0};

// All people, by what can be walked on.
static double sumOf(const DensityMap* map)
{
    const Grid* grid = &map->ground.grid;
    double sum = 0;
    for (int32_t i = 0; i < grid->columns * grid->rows; ++i)
        sum += (double)map->values[i] * (double)map->parts[i] * grid->cell * grid->cell;
    return sum;
}

static thPlace middleOf(const Grid* grid, int32_t cell)
{
    return (thPlace){grid->low.x + (cell % grid->columns + 0.5) * grid->cell,
                     grid->low.y + (cell / grid->columns + 0.5) * grid->cell};
}

static void densityKeepsPeople(void** state)
{
    (void)state;
    DensityMap map;
    const Bounds bounds = {{-3, 5}, {9, 12}};
    const uint64_t stream = thRandomStream(5, 6, 7, 8);
    enum { people = 300, frames = 3 };
    assert_true(appCreateDensity(&map, &bounds, 0.25, &openGround));
    assert_int_equal(map.ground.grid.columns * map.ground.grid.rows,
                     (int)appCountCells(&bounds, 0.25));
    for (uint32_t i = 0; i < people * frames; ++i) {
        const thPlace place = {-3 + 12 * (double)thRandomUnit(stream, 2 * i),
                               5 + 7 * (double)thRandomUnit(stream, 2 * i + 1)};
        appCountPlace(&map, place);
    }
    appCountPlace(&map, (thPlace){-3.01, 6});
    appCountPlace(&map, (thPlace){0, 13});
    appScaleDensity(&map, frames);
    assert_near(sumOf(&map), people, 1e-3);
    assert_true(appSmoothDensity(&map, 0.4));
    assert_near(sumOf(&map), people, 1e-2);
    appFreeDensity(&map);
}

// Far from walls, and beside a wall whose ends are far: there it is twice as high, and half of it.
static void densityIsGaussian(void** state)
{
    (void)state;
    const Bounds bounds = {{0, 0}, {10, 8}};
    const double deviation = 0.7, tau = 6.283185307179586;
    const thPlace ends[] = {{5.05, -1}, {5.05, 9}};
    const thRecordedShape wall = {.kind = th_shapeWall, .points = ends, .pointCount = 2};
    for (int walls = 0; walls < 2; ++walls) {
        DensityMap map;
        const Scenery scenery = {&wall, walls, 0, true, true, NULL};
        assert_true(appCreateDensity(&map, &bounds, 0.1, &scenery));
        const Grid* grid = &map.ground.grid;
        appCountPlace(&map, (thPlace){5.045 + 0.02 * walls, 4.05});
        appScaleDensity(&map, 1);
        assert_true(appSmoothDensity(&map, deviation));
        for (int32_t i = 0; i < grid->columns * grid->rows; ++i) {
            const double x = middleOf(grid, i).x - 5.05, y = middleOf(grid, i).y - 4.05;
            const double wanted = exp(-0.5 * (x * x + y * y) / (deviation * deviation)) /
                                  (tau * deviation * deviation);
            if (walls == 0 || fabs(x) > 0.06) // the cells of the wall belong to both sides
                assert_near((double)map.values[i],
                            walls == 0 ? wanted
                            : x > 0    ? 2 * wanted
                                       : 0,
                            walls == 0 ? 0.005 : 0.05);
        }
        assert_near(sumOf(&map), 1, 1e-3);
        appFreeDensity(&map);
    }
}

static double turnOf(thPlace a, thPlace b, thPlace c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static bool doMeet(thPlace a, thPlace b, thPlace c, thPlace d)
{
    return turnOf(a, b, c) * turnOf(a, b, d) < 0 && turnOf(c, d, a) * turnOf(c, d, b) < 0;
}

// Nobody is lost among random walls, and no cell that a wall hides gets anything.
static void densityStopsAtWalls(void** state)
{
    (void)state;
    enum { walls = 12, turns = 40 };
    const Bounds bounds = {{0, 0}, {4, 3}};
    for (uint32_t turn = 0; turn < turns; ++turn) {
        const uint64_t stream = thRandomStream(turn, 2, 3, 5);
        DensityMap map;
        thPlace ends[2 * walls];
        thRecordedShape shapes[walls];
        for (uint32_t i = 0; i < 2 * walls; ++i)
            ends[i] = (thPlace){5 * (double)thRandomUnit(stream, 2 * i) - 0.5,
                                4 * (double)thRandomUnit(stream, 2 * i + 1) - 0.5};
        for (int i = 0; i < walls; ++i)
            shapes[i] =
                (thRecordedShape){.kind = th_shapeWall, .points = &ends[2 * i], .pointCount = 2};
        const Scenery scenery = {shapes, walls, 0, true, true, NULL};
        assert_true(appCreateDensity(&map, &bounds, 0.1, &scenery));
        const Grid* grid = &map.ground.grid;
        // In the middle of a spot, which is where people of cells with walls are counted.
        const thPlace place = {(floor(thRandomUnit(stream, 50) * 319) + 0.5) / 80,
                               (floor(thRandomUnit(stream, 51) * 239) + 0.5) / 80};
        appCountPlace(&map, place);
        appScaleDensity(&map, 1);
        assert_true(appSmoothDensity(&map, 0.4));
        assert_near(sumOf(&map), 1, 1e-4);
        const int32_t own = (int32_t)(place.y / 0.1) * grid->columns + (int32_t)(place.x / 0.1);
        const thPlace source = map.fineOf[own] >= 0 ? place : middleOf(grid, own);
        for (int32_t i = 0; i < grid->columns * grid->rows; ++i)
            for (int k = 0; k < walls; ++k)
                if (doMeet(source, middleOf(grid, i), ends[2 * k], ends[2 * k + 1]))
                    assert_near((double)map.values[i], 0, 0);
        appFreeDensity(&map);
    }
}

// In a passage 1 m wide whose walls lie anywhere in the cells, as room and between solids; people
// anywhere in it, spread or counted.
static void densityOfAPassage(void** state)
{
    (void)state;
    enum { people = 700 };
    const Bounds bounds = {{0, -1.03}, {6, 2}};
    const uint64_t stream = thRandomStream(3, 1, 4, 1);
    const thPlace room[] = {{0, 0}, {6, 0}, {6, 1}, {0, 1}};
    const thPlace below[] = {{0, -2}, {6, -2}, {6, 0}, {0, 0}};
    const thPlace above[] = {{0, 1}, {6, 1}, {6, 3}, {0, 3}};
    const thRecordedShape shapes[] = {
        {.kind = th_shapeRoom, .points = room, .pointCount = 4},
        {.kind = th_shapeSolid, .points = below, .pointCount = 4},
        {.kind = th_shapeSolid, .points = above, .pointCount = 4},
    };
    for (int kind = 0; kind < 4; ++kind) {
        DensityMap map;
        const bool isSmooth = kind < 2;
        const Scenery scenery = kind % 2 == 0 ? (Scenery){shapes, 1, 0, true, true, NULL}
                                              : (Scenery){shapes + 1, 2, 0, true, true, NULL};
        assert_true(appCreateDensity(&map, &bounds, isSmooth ? 0.1 : 0.3, &scenery));
        const Grid* grid = &map.ground.grid;
        for (uint32_t i = 0; i < people; ++i)
            appCountPlace(&map, (thPlace){6 * (double)thRandomUnit(stream, 2 * i),
                                          (double)thRandomUnit(stream, 2 * i + 1)});
        appScaleDensity(&map, 1);
        if (isSmooth)
            assert_true(appSmoothDensity(&map, 0.4));
        else
            appEndCounts(&map);
        double sum = 0, size = 0;
        for (int32_t i = 0; i < grid->columns * grid->rows; ++i) {
            const double y = middleOf(grid, i).y, part = (double)map.parts[i];
            if (y < -0.15 || y > 1.15)
                assert_near((double)map.values[i], 0, 0);
            sum += (double)map.values[i] * part;
            size += part;
        }
        // The size is right to a spot of a cell on either side.
        assert_near(sum / size, people / 6.0, 0.02 * people / 6.0);
        appFreeDensity(&map);
    }
}

static void densityKeepsWhoStandsInAWall(void** state)
{
    (void)state;
    DensityMap map;
    const Bounds bounds = {{0, 0}, {9, 3}};
    const thPlace room[] = {{2, 0.5}, {4, 0.5}, {4, 2.5}, {2, 2.5}};
    const thRecordedShape shape = {.kind = th_shapeRoom, .points = room, .pointCount = 4};
    const Scenery scenery = {&shape, 1, 0, true, true, NULL};
    assert_true(appCreateDensity(&map, &bounds, 0.1, &scenery));
    appCountPlace(&map, (thPlace){4.13, 1.5}); // a head that leans over
    appCountPlace(&map, (thPlace){1.96, 1.5});
    appCountPlace(&map, (thPlace){7.5, 1.5}); // far from all ground
    appScaleDensity(&map, 1);
    assert_true(appSmoothDensity(&map, 0.3));
    assert_near(sumOf(&map), 2, 1e-3);
    assert_true(appGreatestDensity(&map) > 1);
    appFreeDensity(&map);
}

// --- Doors ---

enum { wallCount = 60, lookCount = 40 };

// Walls, solids and what is neither, on two floors; every third wall is another one backwards.
static void makeShapes(thRecordedShape* shapes, thPlace (*points)[3])
{
    static const thRecordedShapeKind kinds[] = {th_shapeWall, th_shapeSolid, th_shapeRoom,
                                                th_shapeMovingPolygon, th_shapeGoalPolygon};
    const uint64_t stream = thRandomStream(21, 22, 23, 24);
    for (uint32_t i = 0; i < wallCount; ++i) {
        for (uint32_t k = 0; k < 3; ++k)
            points[i][k] = i % 3 == 2 ? points[i - 1][2 - k]
                                      : (thPlace){3e6 + thRandomUnit(stream, 6 * i + k),
                                                  thRandomUnit(stream, 6 * i + k + 3)};
        shapes[i] = (thRecordedShape){.kind = kinds[i % 5],
                                      .level = (int32_t)(i % 2),
                                      .points = points[i],
                                      .pointCount = 2 + (int32_t)(i % 4) / 2};
    }
}

// Which of them stand at a look. Half of them always do.
static bool standsAt(uint64_t stream, uint32_t shape, uint32_t look)
{
    return shape < wallCount / 2 || thRandomBits(stream, wallCount * look + shape) % 3 > 0;
}

// What stands in some looks and not in others is a door, whatever the order of the list.
static void doorsComeAndGo(void** state)
{
    (void)state;
    thRecordedShape shapes[wallCount], list[wallCount];
    thPlace points[wallCount][3];
    const uint64_t stream = thRandomStream(31, 32, 33, 34);
    Doors doors = {0};
    makeShapes(shapes, points);
    for (uint32_t look = 0; look < lookCount; ++look) {
        int32_t count = 0;
        for (uint32_t i = 0; i < wallCount; ++i) {
            const uint32_t index = look % 2 == 0 ? i : wallCount - 1 - i;
            if (standsAt(stream, index, look))
                list[count++] = shapes[index];
        }
        assert_true(appNoteDoors(&doors, list, count));
        int32_t expected = 0;
        for (uint32_t i = 0; i < wallCount; ++i) {
            bool wasThere = false, wasAway = false;
            for (uint32_t k = 0; k <= look; ++k) {
                wasThere = wasThere || standsAt(stream, i, k);
                wasAway = wasAway || !standsAt(stream, i, k);
            }
            const bool isWall = shapes[i].kind == th_shapeWall || shapes[i].kind == th_shapeSolid;
            const bool isDoor = isWall && wasThere && wasAway;
            assert_int_equal(appIsDoor(&doors, &shapes[i]), isDoor);
            expected += isDoor;
        }
        assert_int_equal(doors.count, expected);
    }
    assert_true(doors.count > 5);
    appFreeDoors(&doors);
}

// What a scene says holds if its walls stand in the first frame.
static void doorsAreWhatAScenesWallsLack(void** state)
{
    (void)state;
    thRecordedShape shapes[wallCount];
    thPlace points[wallCount][3];
    makeShapes(shapes, points);
    Doors doors = {0};
    assert_true(appNoteDoors(&doors, shapes, wallCount));
    assert_true(appNoteDoors(&doors, shapes + 2, wallCount - 2));
    doors.isDoubted = true;
    assert_int_equal(doors.count, 2);
    assert_true(appNoteDoors(&doors, shapes, wallCount));
    assert_int_equal(doors.count, 2);
    assert_true(appIsDoor(&doors, &shapes[0]) && appIsDoor(&doors, &shapes[1]));
    assert_true(appHasShape(shapes, wallCount, doors.items[0]));
    assert_false(appHasShape(shapes + 2, wallCount - 2, doors.items[0]));
    appFreeDoors(&doors);
    // Of another scene: the first frame counts, and then what changes.
    assert_true(appNoteDoors(&doors, shapes, 22));
    assert_true(appNoteDoors(&doors, shapes, 20));
    doors.isDoubted = true;
    assert_int_equal(doors.count, 2);
    assert_true(appNoteDoors(&doors, shapes + 10, 20));
    assert_int_equal(doors.count, 0);
    assert_true(appNoteDoors(&doors, shapes + 11, 19));
    assert_int_equal(doors.count, 1);
    appFreeDoors(&doors);
    // Nothing at all, and then something.
    assert_true(appNoteDoors(&doors, NULL, 0));
    assert_true(appNoteDoors(&doors, shapes, 1));
    assert_int_equal(doors.count, 1);
    appFreeDoors(&doors);
}

// --- Playing ---

// A person walks straight at a constant velocity from one frame to another.
typedef struct Walker {
    uint32_t id;
    int64_t first, last, missing; // `missing` is a frame it is not in
    thPlace start, velocity;      // of the first frame [m, m/s]
} Walker;

enum { walkerCount = 40, frameCount = 60 };

static const double rate = 4.0;

typedef struct Script {
    Walker walkers[walkerCount];
    thRecordedPerson people[walkerCount];
    int64_t frame;
    uint32_t id[walkerCount];
    double x[walkerCount], y[walkerCount];
} Script;

static bool isIn(const Walker* walker, int64_t frame)
{
    return frame >= walker->first && frame <= walker->last && frame != walker->missing;
}

static thPlace placeAt(const Walker* walker, double time)
{
    const double since = time - (double)walker->first / rate;
    return (thPlace){walker->start.x + since * walker->velocity.x,
                     walker->start.y + since * walker->velocity.y};
}

static Next nextOfScript(Recording* recording)
{
    Script* script = recording->own;
    if (script->frame == frameCount)
        return nextEnd;
    int32_t count = 0;
    for (int32_t i = 0; i < walkerCount; ++i) {
        if (!isIn(&script->walkers[i], script->frame))
            continue;
        const thPlace place = placeAt(&script->walkers[i], (double)script->frame / rate);
        script->id[count] = script->walkers[i].id;
        script->x[count] = place.x;
        script->y[count++] = place.y;
    }
    recording->latest.people = script->people;
    recording->latest.personCount = script->frame == 0 ? walkerCount : 0;
    recording->latest.frame = (thRecordedFrame){.number = script->frame++,
                                                .count = count,
                                                .id = script->id,
                                                .x = script->x,
                                                .y = script->y};
    return nextFrame;
}

static void closeScript(Recording* recording)
{
    (void)recording; // it is the test's
}

static const RecordingKind scriptKind = {.next = nextOfScript, .close = closeScript};

// The recording is to be closed.
static Recording* writeScript(Script* script)
{
    const uint64_t stream = thRandomStream(9, 10, 11, 12);
    *script = (Script){0};
    for (uint32_t i = 0; i < walkerCount; ++i) {
        Walker* walker = &script->walkers[i];
        walker->id = 7 * i + 3;
        walker->first = thRandomBits(stream, 8 * i) % 40;
        walker->last = walker->first + thRandomBits(stream, 8 * i + 1) % 30;
        walker->missing = i % 5 == 0 ? walker->first + 3 : -1;
        // Far from zero, where floats would be too coarse.
        walker->start = (thPlace){3e6 + (double)thRandomUnit(stream, 8 * i + 2) * 20,
                                  -5e6 + (double)thRandomUnit(stream, 8 * i + 3) * 20};
        walker->velocity = (thPlace){(double)thRandomUnit(stream, 8 * i + 4) * 3 - 1.5,
                                     (double)thRandomUnit(stream, 8 * i + 5) * 3 - 1.5};
        script->people[walkerCount - 1 - i] = (thRecordedPerson){.id = walker->id, .goal = -1};
    }
    Recording* recording = malloc(sizeof *recording);
    assert_non_null(recording);
    *recording = (Recording){.kind = &scriptKind, .head.rate = rate, .own = script};
    return recording;
}

// Whether somebody is to be seen at a time: at a frame that has it, or between two that do.
static bool isSeenAt(const Walker* walker, double time)
{
    const double frame = time * rate;
    const int64_t below = (int64_t)floor(frame + 1e-7), above = (int64_t)ceil(frame - 1e-7);
    return isIn(walker, below) && isIn(walker, above);
}

static void checkSight(const Player* player, const Sight* sight, const Walker* walker, double time)
{
    const thPlace place = placeAt(walker, time);
    assert_int_equal(sight->id, walker->id);
    assert_int_equal(player->recording->people[sight->person].id, walker->id);
    assert_near(sight->place.x, place.x, 1e-6);
    assert_near(sight->place.y, place.y, 1e-6);
    assert_near(player->starts[sight->person].x, walker->start.x, 1e-6);
    const double speed = hypot(walker->velocity.x, walker->velocity.y);
    if (!isnan(sight->speed))
        assert_near((double)sight->speed, speed, 1e-3);
    if (!isnan(sight->heading) && speed > 0.1) {
        assert_near(cos((double)sight->heading), walker->velocity.x / speed, 1e-3);
        assert_near(sin((double)sight->heading), walker->velocity.y / speed, 1e-3);
    }
}

static void checkMoment(const Player* player, const Script* script, double time)
{
    int32_t count = 0;
    for (int32_t i = 0; i < walkerCount; ++i)
        if (isSeenAt(&script->walkers[i], time)) {
            assert_true(count < player->now.count);
            checkSight(player, &player->now.sights[count++], &script->walkers[i], time);
        }
    assert_int_equal(player->now.count, count);
}

static void momentsLieBetweenFrames(void** state)
{
    (void)state;
    static Script script;
    for (int turn = 0; turn < 3; ++turn) {
        const double step = turn == 0 ? 0.04 : turn == 1 ? 0.25 : 0.7;
        Player player;
        Recording* recording = writeScript(&script);
        appBeginPlayer(&player, recording, NULL, 0.0);
        for (int i = 0; i * step <= (frameCount - 1) / rate; ++i) {
            assert_int_equal(appSeek(&player, i * step), nextFrame);
            assert_near(player.now.time, i * step, 1e-9);
            checkMoment(&player, &script, i * step);
        }
        // Beyond the end there is the last frame.
        assert_int_equal(appSeek(&player, INFINITY), nextFrame);
        assert_near(player.now.time, (frameCount - 1) / rate, 0);
        assert_false(appMustRead(&player, INFINITY));
        appEndPlayer(&player);
        appCloseRecording(recording);
    }
}

static void anEmptyRecordingHasNoMoment(void** state)
{
    (void)state;
    static Script script;
    Player player;
    Recording* recording = writeScript(&script);
    script.frame = frameCount;
    appBeginPlayer(&player, recording, NULL, 5.0);
    assert_int_equal(appSeek(&player, 3.0), nextEnd);
    assert_int_equal(player.frameCount, 0);
    appEndPlayer(&player);
    appCloseRecording(recording);
}

static void trailsLeadToPeople(void** state)
{
    (void)state;
    static Script script;
    Player player;
    thPlace points[appTrailPoints];
    const double seconds = 2.0, time = 9.1;
    Recording* recording = writeScript(&script);
    appBeginPlayer(&player, recording, NULL, seconds);
    assert_int_equal(appSeek(&player, time), nextFrame);
    for (int32_t i = 0; i < player.now.count; ++i) {
        const Sight* sight = &player.now.sights[i];
        const Walker* walker = &script.walkers[(sight->id - 3) / 7];
        // From the last frame at or before the time, back to one that it is not in.
        int32_t wanted = 0;
        for (int64_t frame = (int64_t)floor(time * rate);
             isIn(walker, frame) && (double)frame / rate >= time - seconds; --frame)
            wanted += 1;
        const int32_t count = appGetTrail(&player.trails, sight->person, time, points);
        assert_int_equal(count, wanted);
        for (int32_t k = 0; k < count; ++k) {
            const double at = floor(time * rate) / rate - (count - 1 - k) / rate;
            assert_near(points[k].x, placeAt(walker, at).x, 1e-4);
            assert_near(points[k].y, placeAt(walker, at).y, 1e-4);
        }
    }
    appEndPlayer(&player);
    appCloseRecording(recording);
}

static void goalsAreReached(void** state)
{
    (void)state;
    const thPlace square[] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}}, point[] = {{10, 0}};
    const thPlace segment[] = {{20, 0}, {20, 2}};
    thRecordedShape shapes[] = {
        {.kind = th_shapeGoalPolygon, .points = square, .pointCount = 4},
        {.kind = th_shapeGoalDisc, .points = point, .pointCount = 1, .radius = 1},
        {.kind = th_shapeGoalSegment, .points = segment, .pointCount = 2},
    };
    const thRecordedShape* goals[] = {&shapes[0], &shapes[1], &shapes[2]};
    thRecordedPerson people[] = {{.goal = 0}, {.goal = 1}, {.goal = 2}, {.goal = -1}, {.goal = 3}};
    Recording recording = {.people = people, .personCount = 5};
    const Player player = {.recording = &recording, .goals = goals, .goalCount = 3};
    const struct {
        Sight sight;
        bool isThere;
    } cases[] = {
        {{.person = 0, .place = {2, 2}}, true},     {{.person = 0, .place = {4.3, 2}}, true},
        {{.person = 0, .place = {4.4, 2}}, false},  {{.person = 1, .place = {10, 1.3}}, true},
        {{.person = 1, .place = {10, 1.4}}, false}, {{.person = 2, .place = {20.2, 1}}, true},
        {{.person = 2, .place = {20, 2.5}}, false}, {{.person = 3, .place = {2, 2}}, false},
        {{.person = 4, .place = {2, 2}}, false},    {{.person = -1, .place = {2, 2}}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        assert_int_equal(appIsAtGoal(&player, &cases[i].sight), cases[i].isThere);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticksAreRoundAndWithin),
        cmocka_unit_test(ticksAreWrittenShort),
        cmocka_unit_test(shadesDarkenEvenly),
        cmocka_unit_test(densityKeepsPeople),
        cmocka_unit_test(densityIsGaussian),
        cmocka_unit_test(momentsLieBetweenFrames),
        cmocka_unit_test(densityStopsAtWalls),
        cmocka_unit_test(densityOfAPassage),
        cmocka_unit_test(densityKeepsWhoStandsInAWall),
        cmocka_unit_test(trailsLeadToPeople),
        cmocka_unit_test(anEmptyRecordingHasNoMoment),
        cmocka_unit_test(goalsAreReached),
        cmocka_unit_test(doorsComeAndGo),
        cmocka_unit_test(doorsAreWhatAScenesWallsLack),
    };
    return RUN_TESTS(tests, argc, argv);
}
