// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Densities and speeds in areas, where they are known, and of areas that are put together of
// others.

#include "gear/allocators.h"
#include "gear/property.h"
#include "measure/survey/survey_gear.h"

#define MOST_PEOPLE 512

typedef struct Crowd {
    int32_t count;
    uint32_t id[MOST_PEOPLE];
    double x[MOST_PEOPLE], y[MOST_PEOPLE];
} Crowd;

static void place(Crowd* crowd, double x, double y)
{
    assert_true(crowd->count < MOST_PEOPLE);
    crowd->id[crowd->count] = (uint32_t)crowd->count + 1;
    crowd->x[crowd->count] = x;
    crowd->y[crowd->count++] = y;
}

// A box as a shape or an area.
typedef struct Box {
    thPlace points[4];
} Box;

static Box box(double x0, double y0, double x1, double y1)
{
    return (Box){{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}};
}

static thRecordedShape shapeOf(thRecordedShapeKind kind, const Box* of)
{
    return (thRecordedShape){.kind = kind, .points = of->points, .pointCount = 4};
}

static thSurveyArea areaOf(const Box* of)
{
    return (thSurveyArea){"area", of->points, 4, 0};
}

static thSurveyDef defWith(const thRecordedShape* shapes, int32_t shapeCount,
                           const thSurveyArea* areas, int32_t areaCount)
{
    thSurveyDef def = thDefaultSurveyDef();
    def.rate = 10.0;
    def.speedFrames = 1;
    def.shapes = shapes;
    def.shapeCount = shapeCount;
    def.areas = areas;
    def.areaCount = areaCount;
    return def;
}

// A room with an area in it.
typedef struct Hall {
    Box room, inner;
    thRecordedShape shape;
    thSurveyArea area;
    thSurveyDef def;
} Hall;

static void setHall(Hall* hall, Box room, Box inner)
{
    hall->room = room;
    hall->inner = inner;
    hall->shape = shapeOf(th_shapeRoom, &hall->room);
    hall->area = areaOf(&hall->inner);
    hall->def = defWith(&hall->shape, 1, &hall->area, 1);
}

static thResult show(thSurvey* survey, int64_t number, const Crowd* crowd)
{
    const thRecording recording = {
        .frame = {number, crowd->count, crowd->id, crowd->x, crowd->y, NULL}};
    return thSurvey_Add(survey, &recording);
}

// Of one frame, the first area.
static thAreaFrame measure(const thSurveyDef* def, const Crowd* crowd)
{
    thSurvey* survey = createSurvey(def);
    assert_int_equal(show(survey, 0, crowd), th_resultOk);
    assert_int_equal(thSurvey_End(survey), th_resultOk);
    const thAreaResult area = thSurvey_GetArea(survey, 0);
    assert_int_equal(area.frameCount, 1);
    const thAreaFrame frame = area.frames[0];
    thDestroySurvey(survey);
    return frame;
}

static void testSquareLattice(void** state)
{
    (void)state;
    Hall hall;
    setHall(&hall, box(0.0, 0.0, 8.0, 6.0), box(1.25, 1.5, 6.0, 4.75));
    Crowd crowd = {0};
    for (int32_t i = 0; i < 16 * 12; ++i)
        place(&crowd, 0.25 + 0.5 * (i % 16), 0.25 + 0.5 * (i / 16)); // to the walls half as far
    const thAreaFrame frame = measure(&hall.def, &crowd);
    assert_near(frame.voronoiDensity, 4.0, 1e-12);
    assert_int_equal(frame.people, 9 * 7);
    assert_near(frame.density, 63.0 / (4.75 * 3.25), 1e-12);
}

static void testHexagons(void** state)
{
    (void)state;
    Hall hall;
    setHall(&hall, box(-1.0, -1.0, 11.0, 11.0), box(3.0, 3.0, 7.0, 7.0));
    Crowd crowd = {0};
    const double spacing = 0.8, rowSpacing = spacing * sqrt(0.75);
    for (int32_t row = 0; row < 14; ++row)
        for (int32_t i = 0; i < 13; ++i)
            place(&crowd, spacing * (i + 0.5 * (row % 2)), rowSpacing * row);
    const thAreaFrame frame = measure(&hall.def, &crowd);
    assert_near(frame.voronoiDensity, 1.0 / (spacing * rowSpacing), 1e-9);
}

static void testOneInARoom(void** state)
{
    (void)state;
    const Box room = box(0.0, 0.0, 5.0, 4.0), left = box(0.0, 0.0, 2.0, 4.0);
    const Box hole = box(1.0, 1.0, 2.0, 2.0), outside = box(-2.0, 1.0, 1.0, 2.0);
    const thRecordedShape shapes[] = {shapeOf(th_shapeRoom, &room), shapeOf(th_shapeSolid, &hole)};
    const thSurveyArea areas[] = {areaOf(&room), areaOf(&left), areaOf(&outside)};
    Crowd crowd = {0};
    place(&crowd, 4.0, 3.0);
    thSurveyDef def = defWith(shapes, 1, areas, 1);
    assert_near(measure(&def, &crowd).voronoiDensity, 1.0 / 20.0, 1e-12);
    def = defWith(shapes, 2, &areas[1], 1); // 1 m² of 8 is solid, and of 20
    assert_near(measure(&def, &crowd).voronoiDensity, 7.0 / 19.0 / 8.0, 1e-12);
    def = defWith(shapes, 1, &areas[2], 1); // two thirds of the area are no room
    assert_near(measure(&def, &crowd).voronoiDensity, 1.0 / 20.0 / 3.0, 1e-12);
}

// A wall across the room, solid or thin, upright or level, with a door or without.
static void testWallBetween(void** state)
{
    (void)state;
    for (int32_t form = 0; form < 8; ++form) {
        const bool thin = (form & 1) != 0, level = (form & 2) != 0, hasDoor = (form & 4) != 0;
        const double end = hasDoor ? 3.0 : 4.0;
        Box room = box(0.0, 0.0, 10.0, 4.0), right = box(6.0, 0.0, 10.0, 4.0);
        Box wall = box(5.0, -1.0, thin ? 5.0 : 6.0, end);
        thPlace standing = {4.0, 2.0};
        if (level) // exchange x and y
            for (int32_t i = 0; i < 4; ++i) {
                room.points[i] = (thPlace){room.points[i].y, room.points[i].x};
                right.points[i] = (thPlace){right.points[i].y, right.points[i].x};
                wall.points[i] = (thPlace){wall.points[i].y, wall.points[i].x};
                standing = (thPlace){2.0, 4.0};
            }
        const thRecordedShape shapes[] = {shapeOf(th_shapeRoom, &room),
                                          {.kind = thin ? th_shapeWall : th_shapeSolid,
                                           .points = thin ? wall.points + 1 : wall.points,
                                           .pointCount = thin ? 2 : 4}};
        const thSurveyArea area = areaOf(&right);
        const thSurveyDef def = defWith(shapes, 2, &area, 1);
        Crowd crowd = {0};
        place(&crowd, standing.x, standing.y);
        const double size = thin ? 40.0 : 40.0 - 3.0;
        assert_near(measure(&def, &crowd).voronoiDensity, hasDoor ? 1.0 / size : 0.0, 1e-12);
    }
}

static void testInLine(void** state)
{
    (void)state;
    Hall hall;
    setHall(&hall, box(0.0, 0.0, 10.0, 2.0), box(1.0, 0.5, 9.0, 1.5));
    Crowd crowd = {0};
    for (int32_t i = 0; i < 5; ++i)
        place(&crowd, 1.0 + 2.0 * i, 1.0);
    assert_near(measure(&hall.def, &crowd).voronoiDensity, 0.25, 1e-12);
}

// Two in one place share a cell: twice the density, and the mean of their speeds.
static void testInOnePlace(void** state)
{
    (void)state;
    Hall hall;
    setHall(&hall, box(0.0, 0.0, 10.0, 2.0), box(0.0, 0.0, 5.0, 2.0));
    thSurvey* survey = createSurvey(&hall.def);
    for (int32_t i = 0; i < 3; ++i) {
        Crowd crowd = {0};
        place(&crowd, 2.0 + 0.1 * i, 1.0); // 1 m/s, both are at 2.1 in frame 1
        place(&crowd, 2.4 - 0.3 * i, 1.0); // 3 m/s
        place(&crowd, 7.9, 1.0);
        assert_int_equal(show(survey, i, &crowd), th_resultOk);
    }
    assert_int_equal(thSurvey_End(survey), th_resultOk);
    const thAreaFrame* frame = &thSurvey_GetArea(survey, 0).frames[1];
    assert_near(frame->voronoiDensity, 2.0 / 10.0, 1e-9);
    assert_near(frame->voronoiSpeed, 2.0, 1e-9);
    assert_near(frame->speed, 2.0, 1e-9);
    thDestroySurvey(survey);
}

// The 12-gon has a corner to the east: 3 r² in all, and a tip that gets wider by 2 · tan 75° each
// way.
static void testCutOff(void** state)
{
    (void)state;
    const Box whole = box(-5.0, -5.0, 5.0, 5.0), tip = box(0.75, -1.0, 1.75, 1.0);
    const thSurveyArea areas[] = {areaOf(&whole), areaOf(&tip)};
    Crowd crowd = {0};
    place(&crowd, 0.0, 0.0);
    thSurveyDef def = defWith(NULL, 0, &areas[0], 1);
    def.cutOff = 0.8;
    assert_near(measure(&def, &crowd).voronoiDensity, 1.0 / 100.0, 1e-12);
    def.areas = &areas[1];
    const double inTip = 0.05 * 0.05 * tan(75.0 * acos(-1.0) / 180.0);
    assert_near(measure(&def, &crowd).voronoiDensity, inTip / (3.0 * 0.64) / 2.0, 1e-12);
}

// Without a room the ground is so large that whoever has nobody beyond counts for nothing.
static void testOpenGround(void** state)
{
    (void)state;
    const Box square = box(0.0, 0.0, 2.0, 2.0);
    const thSurveyArea area = areaOf(&square);
    const thSurveyDef def = defWith(NULL, 0, &area, 1);
    Crowd crowd = {0};
    place(&crowd, 1.0, 1.0);
    const thAreaFrame frame = measure(&def, &crowd);
    assert_true(frame.voronoiDensity > 0.0 && frame.voronoiDensity < 1e-6);
    assert_near(frame.density, 0.25, 1e-12);
}

// Who is in a wall has no cell and cuts nothing off from others'.
static void testInAWall(void** state)
{
    (void)state;
    Hall hall;
    setHall(&hall, box(0.0, 0.0, 5.0, 4.0), box(0.0, 0.0, 6.0, 4.0));
    Crowd crowd = {0};
    place(&crowd, 4.9, 2.0);
    place(&crowd, 5.1, 2.0);
    const thAreaFrame frame = measure(&hall.def, &crowd);
    assert_int_equal(frame.people, 2);
    assert_near(frame.voronoiDensity, 1.0 / 24.0, 1e-12);
}

// Areas side by side count everybody once, also on their common border.
static void testBorders(void** state)
{
    (void)state;
    Box tiles[9];
    thSurveyArea areas[9];
    for (int32_t i = 0; i < 9; ++i) {
        const double x = i % 3, y = i / 3;
        tiles[i] = box(x, y, x + 1.0, y + 1.0);
        areas[i] = areaOf(&tiles[i]);
    }
    const thSurveyDef def = defWith(NULL, 0, areas, 9);
    Crowd crowd = {0};
    for (int32_t i = 0; i < 25; ++i)
        place(&crowd, 0.5 + 0.5 * (i % 5), 0.5 + 0.5 * (i / 5));
    thSurvey* survey = createSurvey(&def);
    assert_int_equal(show(survey, 0, &crowd), th_resultOk);
    assert_int_equal(thSurvey_End(survey), th_resultOk);
    int32_t people = 0;
    for (int32_t i = 0; i < 9; ++i)
        people += thSurvey_GetArea(survey, i).frames[0].people;
    assert_int_equal(people, 25);
    thDestroySurvey(survey);
}

static void testFloors(void** state)
{
    (void)state;
    const Box room = box(0.0, 0.0, 5.0, 4.0);
    const thRecordedShape shape = shapeOf(th_shapeRoom, &room);
    thSurveyArea areas[] = {areaOf(&room), areaOf(&room)};
    areas[1].level = 1;
    const thSurveyDef def = defWith(&shape, 1, areas, 2);
    Crowd crowd = {0};
    place(&crowd, 1.0, 1.0);
    place(&crowd, 2.0, 1.0);
    place(&crowd, 3.0, 1.0);
    const thRecordedPerson above = {.id = 2, .level = 1, .goal = -1, .group = -1, .entry = -1};
    thSurvey* survey = createSurvey(&def);
    const thRecording recording = {.frame = {0, crowd.count, crowd.id, crowd.x, crowd.y, NULL},
                                   .people = &above,
                                   .personCount = 1};
    assert_int_equal(thSurvey_Add(survey, &recording), th_resultOk);
    assert_int_equal(thSurvey_End(survey), th_resultOk);
    const thAreaFrame *below = thSurvey_GetArea(survey, 0).frames,
                      *up = thSurvey_GetArea(survey, 1).frames;
    assert_int_equal(below->people, 2);
    assert_near(below->voronoiDensity, 2.0 / 20.0, 1e-12);
    assert_int_equal(up->people, 1);
    assert_true(up->voronoiDensity < 1e-6); // no room there
    thDestroySurvey(survey);
}

// Frames without people in the area are in the list and not in the mean.
static void testMean(void** state)
{
    (void)state;
    Hall hall;
    setHall(&hall, box(0.0, 0.0, 10.0, 2.0), box(0.0, 0.0, 5.0, 2.0));
    thSurvey* survey = createSurvey(&hall.def);
    for (int32_t i = 0; i < 4; ++i) {
        Crowd crowd = {0};
        if (i > 0)
            place(&crowd, 2.25 + 1.0 * i, 1.0); // in the area in frames 1 and 2, 10 m/s
        assert_int_equal(show(survey, 10 * i, &crowd), th_resultOk);
    }
    assert_int_equal(thSurvey_End(survey), th_resultOk);
    const thAreaResult result = thSurvey_GetArea(survey, 0);
    assert_int_equal(result.frameCount, 4);
    assert_near(result.size, 10.0, 1e-12);
    assert_int_equal(result.frames[0].people, 0);
    assert_true(result.frames[0].voronoiDensity == 0.0 && result.frames[0].speed == 0.0);
    assert_int_equal(result.frames[3].frame, 30);
    assert_int_equal(result.frames[3].people, 0);
    assert_near(result.frames[3].voronoiDensity, 1.0 / 20.0, 1e-12);
    assert_int_equal(result.mean.frame, 2);
    assert_int_equal(result.mean.people, 1);
    assert_near(result.mean.density, 1.0 / 10.0, 1e-12);
    assert_near(result.mean.voronoiDensity, 1.0 / 20.0, 1e-12);
    thDestroySurvey(survey);
    // Where nobody ever was there is no mean.
    survey = createSurvey(&hall.def);
    assert_int_equal(thSurvey_End(survey), th_resultOk);
    const thAreaFrame none = thSurvey_GetArea(survey, 0).mean;
    assert_true(none.frame == 0 && none.people == 0 && isnan(none.density) && isnan(none.speed) &&
                isnan(none.voronoiDensity) && isnan(none.voronoiSpeed));
    thDestroySurvey(survey);
}

// Small areas in a large crowd: cells that are not looked at have no part in them. Compared with an
// area that is as large as the room, in which all are, cut into pieces.
static bool piecesMakeTheWhole(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    const Box room = box(0.0, 0.0, 16.0, 16.0);
    const Box hole = box(5.0, 3.0, 7.0, 13.0);
    const thRecordedShape shapes[] = {shapeOf(th_shapeRoom, &room), shapeOf(th_shapeSolid, &hole)};
    Box tiles[64];
    thSurveyArea areas[65];
    for (int32_t i = 0; i < 64; ++i) {
        const double x = 2.0 * (i % 8), y = 2.0 * (i / 8);
        tiles[i] = box(x, y, x + 2.0, y + 2.0);
        areas[i] = areaOf(&tiles[i]);
    }
    areas[64] = areaOf(&room);
    Crowd crowd = {0};
    for (int32_t i = drawInt(g, 0, size); i > 0; --i)
        place(&crowd, drawFloat(g, 0.0f, 16.0f), drawFloat(g, 0.0f, 16.0f));
    thSurveyDef def = defWith(shapes, 2, areas, 65);
    def.cutOff = drawInt(g, 0, 1) == 1 ? 1.5 : 0.0;
    thSurvey* survey = createSurvey(&def);
    assert_int_equal(show(survey, 0, &crowd), th_resultOk);
    assert_int_equal(thSurvey_End(survey), th_resultOk);
    double sum = 0.0;
    for (int32_t i = 0; i < 64; ++i)
        sum += thSurvey_GetArea(survey, i).frames[0].voronoiDensity * 4.0;
    int32_t walking = 0;
    for (int32_t i = 0; i < crowd.count; ++i)
        walking += crowd.x[i] < 5.0 || crowd.x[i] > 7.0 || crowd.y[i] < 3.0 || crowd.y[i] > 13.0;
    const double whole = thSurvey_GetArea(survey, 64).frames[0].voronoiDensity * 256.0;
    thDestroySurvey(survey);
    return isNear(sum, walking, 1e-9 * (1 + walking)) &&
           isNear(whole, walking, 1e-9 * (1 + walking));
}

static void testPieces(void** state)
{
    (void)state;
    assertProperty(
        &(thProperty){"piecesMakeTheWhole", 41, 60, MOST_PEOPLE, piecesMakeTheWhole, NULL});
}

// Workers find the same cells, and add up the same figures to the bit.
static bool workersDoNotMatter(thGenerator* g, int32_t size, void* context)
{
    const thTasks* tasks = context;
    const Box room = box(0.0, 0.0, 16.0, 16.0), hole = box(5.0, 3.0, 7.0, 13.0);
    const Box inner = box(4.0, 2.0, 12.0, 9.0), corner = box(0.0, 0.0, 3.0, 3.0);
    const thRecordedShape shapes[] = {shapeOf(th_shapeRoom, &room), shapeOf(th_shapeSolid, &hole)};
    const thSurveyArea areas[] = {areaOf(&inner), areaOf(&corner)};
    const bool inRows = drawInt(g, 0, 1) == 1;
    Crowd crowd = {0};
    for (int32_t i = drawInt(g, 0, size); i > 0; --i)
        place(&crowd, inRows ? drawInt(g, 0, 32) * 0.5 : (double)drawFloat(g, 0.0f, 16.0f),
              inRows ? drawInt(g, 0, 32) * 0.5 : (double)drawFloat(g, 0.0f, 16.0f));
    thSurveyDef def = defWith(shapes, 2, areas, 2);
    thSurvey* surveys[2];
    for (int32_t i = 0; i < 2; ++i) {
        def.tasks = i == 1 ? tasks : NULL;
        surveys[i] = createSurvey(&def);
        for (int32_t frame = 0; frame < 3; ++frame)
            assert_int_equal(show(surveys[i], frame, &crowd), th_resultOk);
        assert_int_equal(thSurvey_End(surveys[i]), th_resultOk);
    }
    bool holds = true;
    for (int32_t i = 0; i < 2; ++i) {
        const thAreaFrame* alone = thSurvey_GetArea(surveys[0], i).frames;
        const thAreaFrame* together = thSurvey_GetArea(surveys[1], i).frames;
        for (int32_t frame = 0; frame < 3; ++frame)
            holds = holds && alone[frame].people == together[frame].people &&
                    alone[frame].voronoiDensity == together[frame].voronoiDensity &&
                    alone[frame].voronoiSpeed == together[frame].voronoiSpeed;
    }
    thDestroySurvey(surveys[0]);
    thDestroySurvey(surveys[1]);
    return holds;
}

static void testWorkers(void** state)
{
    (void)state;
    thTasksDef def = thDefaultTasksDef();
    def.workerCount = 4;
    thTasks* tasks;
    assert_int_equal(thCreateTasks(&def, &tasks), th_resultOk);
    assertProperty(
        &(thProperty){"workersDoNotMatter", 42, 40, MOST_PEOPLE, workersDoNotMatter, tasks});
    thDestroyTasks(tasks);
}

// The same far from zero, as in coordinates of maps.
static void testFarAway(void** state)
{
    (void)state;
    double density[2];
    for (int32_t i = 0; i < 2; ++i) {
        const double east = i == 0 ? 0.0 : 567890.25, north = i == 0 ? 0.0 : 5934567.5;
        const Box room = box(east, north, east + 8.0, north + 6.0);
        const Box middle = box(east + 2.0, north + 1.0, east + 5.0, north + 5.0);
        const thRecordedShape shape = shapeOf(th_shapeRoom, &room);
        const thSurveyArea area = areaOf(&middle);
        const thSurveyDef def = defWith(&shape, 1, &area, 1);
        thGenerator g = makeGenerator(51, 1);
        Crowd crowd = {0};
        for (int32_t j = 0; j < 40; ++j)
            place(&crowd, east + drawInt(&g, 1, 511) / 64.0, north + drawInt(&g, 1, 383) / 64.0);
        density[i] = measure(&def, &crowd).voronoiDensity;
    }
    assert_near(density[0], density[1], 1e-9);
}

static void testBadAreas(void** state)
{
    (void)state;
    const thPlace star[] = {{0, 3}, {2, -3}, {-3, 1}, {3, 1}, {-2, -3}};
    const thPlace dent[] = {{0, 0}, {4, 0}, {4, 4}, {2, 1}};
    const thPlace line[] = {{0, 0}, {1, 1}, {2, 2}};
    const thPlace bow[] = {{0, 0}, {2, 2}, {2, 0}, {0, 2}};
    const thSurveyArea areas[] = {
        {"star", star, 5, 0}, {"dent", dent, 4, 0}, {NULL, line, 3, 0}, {"bow", bow, 4, 0}};
    const char* messages[] = {"area 'star' crosses itself", "area 'dent' is not convex",
                              "area 0 has no size", "area 'bow' crosses itself"};
    for (int32_t i = 0; i < 4; ++i) {
        const thSurveyDef def = defWith(NULL, 0, &areas[i], 1);
        thSurvey* survey;
        thError error;
        assert_int_equal(thCreateSurvey(&def, &survey, &error), th_resultBadArgument);
        assert_null(survey);
        assert_string_equal(error.text, messages[i]);
    }
}

// Corners in either direction, twice the same, and on a straight side.
static void testAnyCorners(void** state)
{
    (void)state;
    const Box room = box(0.0, 0.0, 5.0, 4.0);
    const thRecordedShape shape = shapeOf(th_shapeRoom, &room);
    const thPlace corners[] = {{2, 4}, {2, 1}, {2, 0}, {2, 0}, {0, 0}, {0, 4}};
    const thSurveyArea area = {"corners", corners, 6, 0};
    const thSurveyDef def = defWith(&shape, 1, &area, 1);
    Crowd crowd = {0};
    place(&crowd, 1.0, 1.0);
    const thAreaFrame frame = measure(&def, &crowd);
    assert_int_equal(frame.people, 1);
    assert_near(frame.density, 1.0 / 8.0, 1e-12);
    assert_near(frame.voronoiDensity, 1.0 / 20.0, 1e-12);
}

static thResult surveyOnce(const thAllocator* allocator, void* context)
{
    const Box room = box(0.0, 0.0, 5.0, 4.0), hole = box(1.0, 1.0, 2.0, 2.0);
    const thRecordedShape shapes[] = {shapeOf(th_shapeRoom, &room), shapeOf(th_shapeSolid, &hole)};
    const thSurveyArea area = areaOf(&room);
    thSurveyDef def = defWith(shapes, 2, &area, 1);
    def.cutOff = 1.0;
    def.allocator = *allocator;
    thSurvey* survey;
    thResult code = thCreateSurvey(&def, &survey, NULL);
    for (int32_t i = 0; i < 3 && code == th_resultOk; ++i)
        code = show(survey, i, context);
    if (code == th_resultOk)
        code = thSurvey_End(survey);
    thDestroySurvey(survey);
    return code;
}

static void testNoMemory(void** state)
{
    (void)state;
    Crowd crowd = {0};
    for (int32_t i = 0; i < 40; ++i)
        place(&crowd, 0.1 + 0.12 * i, 0.1 + 3.7 * (i % 7) / 7.0);
    failEachAllocation(surveyOnce, &crowd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testSquareLattice), cmocka_unit_test(testHexagons),
        cmocka_unit_test(testOneInARoom),    cmocka_unit_test(testWallBetween),
        cmocka_unit_test(testInLine),        cmocka_unit_test(testInOnePlace),
        cmocka_unit_test(testCutOff),        cmocka_unit_test(testOpenGround),
        cmocka_unit_test(testInAWall),       cmocka_unit_test(testBorders),
        cmocka_unit_test(testFloors),        cmocka_unit_test(testMean),
        cmocka_unit_test(testPieces),        cmocka_unit_test(testWorkers),
        cmocka_unit_test(testFarAway),       cmocka_unit_test(testBadAreas),
        cmocka_unit_test(testAnyCorners),    cmocka_unit_test(testNoMemory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
