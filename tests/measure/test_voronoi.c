// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Voronoi cells and what can be reached of them, against a raster of places.

#include "gear/gear.h"
#include "gear/property.h"
#include "measure/voronoi.h"

#define SIDE 8.0      // of the room [m]
#define PIXEL 0.03125 // [m]
#define PIXELS 256    // along a side
#define MOST_SITES 24
#define MOST_SHAPES 10

typedef struct Scene {
    thRecordedShape shapes[MOST_SHAPES];
    thPlace points[MOST_SHAPES][4];
    int32_t shapeCount;
    thPlace sites[MOST_SITES];
    int32_t siteCount;
    double cutOff;
} Scene;

static const thPlace room[4] = {{0.0, 0.0}, {SIDE, 0.0}, {SIDE, SIDE}, {0.0, SIDE}};

// Boxes, triangles and walls with corners on whole and half metres, also sticking out of the room:
// between them is nothing, or more than a pixel.
static void drawShape(thGenerator* g, thRecordedShape* shape, thPlace points[4])
{
    const double x = 0.5 * drawInt(g, -1, 15), y = 0.5 * drawInt(g, -1, 15);
    const double width = 0.5 * drawInt(g, 1, 5), height = 0.5 * drawInt(g, 1, 5);
    const int32_t form = drawInt(g, 0, 3); // box, triangle, bent wall, straight wall
    *shape = (thRecordedShape){.kind = form >= 2 ? th_shapeWall : th_shapeSolid, .points = points};
    points[0] = (thPlace){x, y};
    points[1] = (thPlace){x + width, y};
    points[2] = (thPlace){x + width, y + (form == 1 ? width : height)};
    points[3] = (thPlace){x, y + height};
    shape->pointCount = form == 0 ? 4 : form == 3 ? 2 : 3;
}

static void drawScene(thGenerator* g, int32_t size, Scene* scene)
{
    scene->shapes[0] = (thRecordedShape){.kind = th_shapeRoom, .points = room, .pointCount = 4};
    scene->shapeCount = 1 + drawInt(g, 0, TH_MIN(size, MOST_SHAPES - 1));
    for (int32_t i = 1; i < scene->shapeCount; ++i)
        drawShape(g, &scene->shapes[i], scene->points[i]);
    scene->siteCount = drawInt(g, 1, TH_MIN(size + 1, MOST_SITES));
    for (int32_t i = 0; i < scene->siteCount; ++i)
        scene->sites[i] =
            (thPlace){drawFloat(g, 0.0f, (float)SIDE), drawFloat(g, 0.0f, (float)SIDE)};
    scene->cutOff = drawInt(g, 0, 2) == 0 ? drawFloat(g, 0.5f, 2.0f) : 0.0;
}

// --- Plain cells: pixels, and who can be reached from whom ---

typedef struct Picture {
    int8_t owner[PIXELS][PIXELS]; // −1: nobody
    bool reached[PIXELS][PIXELS];
    int32_t waiting[PIXELS * PIXELS];
} Picture;

static thPlace centreOf(int32_t row, int32_t column)
{
    return (thPlace){(column + 0.5) * PIXEL, (row + 0.5) * PIXEL};
}

static bool isSolid(const Scene* scene, thPlace p)
{
    for (int32_t i = 1; i < scene->shapeCount; ++i) {
        const thRecordedShape* shape = &scene->shapes[i];
        bool inside = false;
        for (int32_t j = 0; j < shape->pointCount; ++j) {
            const thPlace a = shape->points[j], b = shape->points[(j + 1) % shape->pointCount];
            if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y))
                inside = !inside;
        }
        if (inside && shape->kind == th_shapeSolid)
            return true;
    }
    return false;
}

static bool isCutOff(const Scene* scene, thPlace site, thPlace p)
{
    const double pi = acos(-1.0);
    const double dx = p.x - site.x, dy = p.y - site.y;
    if (scene->cutOff == 0.0)
        return false;
    for (int32_t i = 0; i < 12; ++i) { // middles of the sides of the 12-gon
        const double angle = (i + 0.5) * pi / 6.0;
        if (dx * cos(angle) + dy * sin(angle) > scene->cutOff * cos(pi / 12.0))
            return true;
    }
    return false;
}

// `lives` tells who has a cell at all.
static void paint(const Scene* scene, const bool* lives, Picture* picture)
{
    for (int32_t row = 0; row < PIXELS; ++row)
        for (int32_t column = 0; column < PIXELS; ++column) {
            const thPlace p = centreOf(row, column);
            int32_t owner = -1;
            double least = INFINITY;
            for (int32_t i = 0; i < scene->siteCount; ++i) {
                const double distance = hypot(p.x - scene->sites[i].x, p.y - scene->sites[i].y);
                if (lives[i] && distance < least) {
                    least = distance;
                    owner = i;
                }
            }
            const bool none =
                owner < 0 || isSolid(scene, p) || isCutOff(scene, scene->sites[owner], p);
            picture->owner[row][column] = (int8_t)(none ? -1 : owner);
        }
}

static double turn(thPlace a, thPlace b, thPlace p)
{
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

// Whether one cannot go from one pixel to the next.
static bool isBarred(const Scene* scene, thPlace from, thPlace to)
{
    for (int32_t i = 1; i < scene->shapeCount; ++i) {
        const thRecordedShape* shape = &scene->shapes[i];
        const int32_t sides = shape->pointCount - (shape->kind == th_shapeWall);
        for (int32_t j = 0; j < sides; ++j) {
            const thPlace a = shape->points[j], b = shape->points[(j + 1) % shape->pointCount];
            if ((turn(a, b, from) > 0.0) != (turn(a, b, to) > 0.0) &&
                (turn(from, to, a) > 0.0) != (turn(from, to, b) > 0.0))
                return true;
        }
    }
    return false;
}

static double floodFrom(const Scene* scene, Picture* picture, int32_t site)
{
    const int32_t row = (int32_t)(scene->sites[site].y / PIXEL);
    const int32_t column = (int32_t)(scene->sites[site].x / PIXEL);
    memset(picture->reached, 0, sizeof picture->reached);
    int32_t count = 0, done = 0;
    picture->waiting[count++] = row * PIXELS + column;
    picture->reached[row][column] = true;
    while (done < count) {
        const int32_t now = picture->waiting[done++];
        const int32_t steps[4][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};
        for (int32_t i = 0; i < 4; ++i) {
            const int32_t r = now / PIXELS + steps[i][0], c = now % PIXELS + steps[i][1];
            if (r < 0 || r >= PIXELS || c < 0 || c >= PIXELS || picture->reached[r][c] ||
                picture->owner[r][c] != site ||
                isBarred(scene, centreOf(now / PIXELS, now % PIXELS), centreOf(r, c)))
                continue;
            picture->reached[r][c] = true;
            picture->waiting[count++] = r * PIXELS + c;
        }
    }
    return count * PIXEL * PIXEL;
}

// --- Ours ---

static thResult addSize(void* context, const thConvex* part)
{
    *(double*)context += thiConvexArea(part);
    return th_resultOk;
}

static bool wantAll(void* context, thPlace low, thPlace high)
{
    (void)context, (void)low, (void)high;
    return true;
}

// What is done with each site.
typedef struct Measuring {
    const thVoronoi* voronoi;
    thVoronoiCell* cell;
    double* sizes; // by person
    int32_t* sharers;
} Measuring;

static thResult measureSite(void* context, const thVoronoiSite* site)
{
    const Measuring* measuring = context;
    double* size = &measuring->sizes[site->person];
    assert_int_equal(thiFindVoronoiCell(measuring->voronoi, site, measuring->cell), th_resultOk);
    if (measuring->sharers != NULL)
        measuring->sharers[site->person] = measuring->cell->sharers;
    return thiVisitVoronoiParts(measuring->voronoi, site, measuring->cell, addSize, size);
}

static void setSites(thVoronoi* voronoi, const thPlace* places, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
        *(thVoronoiSite*)thiArrayAdd(&voronoi->sites, 1) =
            (thVoronoiSite){places[i], i, TH_NOT_LOOKED_UP};
    assert_int_equal(thiSortVoronoi(voronoi), th_resultOk);
}

// Size of each cell; 0: has none.
static void measurePlaces(const thWalkable* walkable, const thPlace* places, int32_t count,
                          double cutOff, double* sizes, int32_t* sharers)
{
    thMemory* memory = walkable->trapezoids.memory;
    thVoronoi voronoi = thiVoronoi(memory, walkable);
    thVoronoiCell cell = thiVoronoiCell(memory);
    Measuring measuring = {&voronoi, &cell, sizes, sharers};
    if (cutOff > 0.0)
        assert_int_equal(thiCutOffCells(&voronoi, cutOff, 12), th_resultOk);
    setSites(&voronoi, places, count);
    memset(sizes, 0, (size_t)count * sizeof *sizes);
    assert_int_equal(thiVisitVoronoiSites(&voronoi, wantAll, measureSite, &measuring), th_resultOk);
    thiVoronoiCellFree(&cell);
    thiVoronoiFree(&voronoi);
}

static void measureCells(const Scene* scene, double* sizes)
{
    thMemory memory;
    thiMemoryInit(&memory, NULL, 0);
    thWalkable walkable = thiWalkable(&memory);
    assert_int_equal(thiBuildWalkable(&walkable, &(thWalkableDef){.shapes = scene->shapes,
                                                                  .shapeCount = scene->shapeCount}),
                     th_resultOk);
    memset(sizes, 0, MOST_SITES * sizeof *sizes);
    measurePlaces(&walkable, scene->sites, scene->siteCount, scene->cutOff, sizes, NULL);
    thiWalkableFree(&walkable);
}

// Where a cell squeezes between a wall and a neighbour through less than a pixel, pixels are wrong;
// the seed below has no such case.
static bool sizesAreThoseOfPixels(thGenerator* g, int32_t size, void* context)
{
    Picture* picture = context;
    Scene scene;
    drawScene(g, size, &scene);
    double sizes[MOST_SITES];
    bool lives[MOST_SITES];
    measureCells(&scene, sizes);
    bool holds = true;
    for (int32_t i = 0; i < scene.siteCount; ++i) {
        lives[i] = sizes[i] > 0.0;
        holds = holds && lives[i] == !isSolid(&scene, scene.sites[i]);
    }
    paint(&scene, lives, picture);
    for (int32_t i = 0; i < scene.siteCount && holds; ++i)
        holds =
            !lives[i] || isNear(sizes[i], floodFrom(&scene, picture, i), 0.05 + 0.01 * sizes[i]);
    return holds;
}

static void testPixels(void** state)
{
    (void)state;
    static Picture picture;
    assertProperty(&(thProperty){"sizesAreThoseOfPixels", 31, 60, MOST_SITES, sizesAreThoseOfPixels,
                                 &picture});
}

// In a convex room cells fill all of it, wherever people are: also in one place, or in line.
static bool cellsFillTheRoom(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Scene scene;
    drawScene(g, size, &scene);
    scene.shapeCount = 1;
    scene.cutOff = 0.0;
    const bool whole = drawInt(g, 0, 1) == 1;
    int32_t sharers[MOST_SITES] = {0};
    for (int32_t i = 0; i < scene.siteCount && whole; ++i)
        scene.sites[i] = (thPlace){drawInt(g, 0, 3), drawInt(g, 0, 1)};
    for (int32_t i = 0; i < scene.siteCount; ++i)
        for (int32_t j = 0; j < scene.siteCount; ++j)
            sharers[i] +=
                scene.sites[i].x == scene.sites[j].x && scene.sites[i].y == scene.sites[j].y;
    double sizes[MOST_SITES], sum = 0.0;
    measureCells(&scene, sizes);
    for (int32_t i = 0; i < scene.siteCount; ++i)
        sum += sizes[i] / sharers[i];
    return isNear(sum, SIDE * SIDE, 1e-9);
}

static void testSum(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"cellsFillTheRoom", 32, 500, MOST_SITES, cellsFillTheRoom, NULL});
}

static thWalkable buildRoom(thMemory* memory)
{
    const thRecordedShape shape = {.kind = th_shapeRoom, .points = room, .pointCount = 4};
    thiMemoryInit(memory, NULL, 0);
    thWalkable walkable = thiWalkable(memory);
    assert_int_equal(
        thiBuildWalkable(&walkable, &(thWalkableDef){.shapes = &shape, .shapeCount = 1}),
        th_resultOk);
    return walkable;
}

// The middle one of a ring of many has as many neighbours.
static void testManyNeighbours(void** state)
{
    (void)state;
    enum { count = 1000 };
    thMemory memory;
    thWalkable walkable = buildRoom(&memory);
    static thPlace places[count + 1];
    static double sizes[count + 1];
    for (int32_t i = 0; i <= count; ++i) {
        const double angle = 2.0 * acos(-1.0) * i / count, radius = i == count ? 0.0 : 3.0;
        places[i] = (thPlace){4.0 + radius * cos(angle), 4.0 + radius * sin(angle)};
    }
    measurePlaces(&walkable, places, count + 1, 0.0, sizes, NULL);
    assert_near(sizes[count], count * 1.5 * 1.5 * tan(acos(-1.0) / count), 1e-6);
    thiWalkableFree(&walkable);
}

// --- Crowds of all kinds, against cutting by everybody ---

#define MOST_PEOPLE 600

typedef struct People {
    thPlace places[MOST_PEOPLE];
    int32_t count;
} People;

// Spread out, in rows, in line, in few places, in heaps, along the walls, far away beside a heap.
static void drawPeople(thGenerator* g, int32_t size, People* people)
{
    const int32_t kind = drawInt(g, 0, 6);
    people->count = drawInt(g, 1, TH_MIN(size, MOST_PEOPLE));
    for (int32_t i = 0; i < people->count; ++i) {
        const double a = (double)drawFloat(g, 0.0f, 1.0f), b = (double)drawFloat(g, 0.0f, 1.0f);
        const double heap = drawInt(g, 0, 1) == 0 ? 1.0 : 7.0;
        const thPlace kinds[] = {{SIDE * a, SIDE * b},
                                 {0.25 * (i % 32), 0.25 * (i / 32)},
                                 {0.5 + 7.0 * a, 0.5 + 3.5 * a},
                                 {drawInt(g, 1, 7), drawInt(g, 1, 7)},
                                 {heap + 1e-3 * a, heap + 1e-3 * b},
                                 {drawInt(g, 0, 1) * SIDE, SIDE * b},
                                 {0.1 * a + (i == 0 ? 60000.0 : 4.0), 4.0 + 0.1 * b}};
        people->places[i] = kinds[kind];
    }
}

// Keeps what is nearer to `a` than to `b`.
static int32_t cutPlainly(thPlace* corners, int32_t count, thPlace a, thPlace b)
{
    thPlace kept[2 * MOST_PEOPLE];
    double heights[2 * MOST_PEOPLE];
    int32_t keptCount = 0;
    const thPlace half = {0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
    for (int32_t i = 0; i < count; ++i)
        heights[i] = (corners[i].x - half.x) * (b.x - a.x) + (corners[i].y - half.y) * (b.y - a.y);
    for (int32_t i = 0; i < count; ++i) {
        const int32_t j = (i + 1) % count;
        if (heights[i] <= 0.0)
            kept[keptCount++] = corners[i];
        if ((heights[i] < 0.0 && heights[j] > 0.0) || (heights[i] > 0.0 && heights[j] < 0.0)) {
            const double share = heights[i] / (heights[i] - heights[j]);
            kept[keptCount++] = (thPlace){corners[i].x + (corners[j].x - corners[i].x) * share,
                                          corners[i].y + (corners[j].y - corners[i].y) * share};
        }
    }
    memcpy(corners, kept, (size_t)keptCount * sizeof *corners);
    return keptCount;
}

static bool isInRoom(thPlace p)
{
    return p.x >= 0.0 && p.x <= SIDE && p.y >= 0.0 && p.y <= SIDE;
}

static double sizePlainly(const People* people, int32_t self, int32_t* sharers)
{
    thPlace corners[2 * MOST_PEOPLE];
    int32_t count = 4;
    memcpy(corners, room, sizeof room);
    *sharers = 1;
    const thPlace own = people->places[self];
    for (int32_t i = 0; i < people->count; ++i) {
        const thPlace other = people->places[i];
        if (i == self || !isInRoom(other))
            continue;
        if (hypot(other.x - own.x, other.y - own.y) < 1e-9)
            *sharers += 1;
        else
            count = cutPlainly(corners, count, own, other);
    }
    double twice = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        const thPlace a = corners[i], b = corners[(i + 1) % count];
        twice += a.x * b.y - a.y * b.x;
    }
    return 0.5 * twice;
}

// Whether the cell of everybody has a part in a triangle is as the cut triangle says.
typedef struct Meeting {
    const thVoronoi* voronoi;
    thVoronoiCell* cell;
    const People* people;
    bool holds;
} Meeting;

static thResult meetTriangle(void* context, const thVoronoiSite* site)
{
    Meeting* meeting = context;
    thPlace corners[2 * MOST_PEOPLE] = {{3.0, 3.0}, {5.0, 3.5}, {4.0, 5.0}};
    bool meets;
    assert_int_equal(thiVoronoiCellMeets(meeting->voronoi, site, corners, 3, meeting->cell, &meets),
                     th_resultOk);
    const thPlace own = site->place;
    int32_t count = 3;
    for (int32_t i = 0; i < meeting->people->count; ++i) {
        const thPlace other = meeting->people->places[i];
        if (isInRoom(other) && hypot(other.x - own.x, other.y - own.y) >= 1e-9)
            count = cutPlainly(corners, count, own, other);
    }
    double twice = 0.0;
    for (int32_t i = 2; i < count; ++i)
        twice += turn(corners[0], corners[i - 1], corners[i]);
    // What is next to nothing may round away.
    meeting->holds = meeting->holds && (meets || twice < 1e-9);
    meeting->holds = meeting->holds && (!meets || count > 0);
    return th_resultOk;
}

static bool cellsAreThoseOfAll(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    static People people;
    static double sizes[MOST_PEOPLE];
    static int32_t sharers[MOST_PEOPLE];
    drawPeople(g, size, &people);
    thMemory memory;
    thWalkable walkable = buildRoom(&memory);
    measurePlaces(&walkable, people.places, people.count, 0.0, sizes, sharers);
    bool holds = true;
    for (int32_t i = 0; i < people.count && holds; ++i) {
        int32_t sharersOfAll;
        const double sizeOfAll = sizePlainly(&people, i, &sharersOfAll);
        holds = isInRoom(people.places[i])
                    ? isNear(sizes[i], sizeOfAll, 1e-9) && sharers[i] == sharersOfAll
                    : sizes[i] == 0.0;
    }
    thVoronoi voronoi = thiVoronoi(&memory, &walkable);
    thVoronoiCell cell = thiVoronoiCell(&memory);
    Meeting meeting = {&voronoi, &cell, &people, true};
    setSites(&voronoi, people.places, people.count);
    assert_int_equal(thiVisitVoronoiSites(&voronoi, wantAll, meetTriangle, &meeting), th_resultOk);
    thiVoronoiCellFree(&cell);
    thiVoronoiFree(&voronoi);
    thiWalkableFree(&walkable);
    return holds && meeting.holds;
}

static void testAgainstAll(void** state)
{
    (void)state;
    assertProperty(
        &(thProperty){"cellsAreThoseOfAll", 33, 120, MOST_PEOPLE, cellsAreThoseOfAll, NULL});
}

static bool nearestIsNearest(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    static People people;
    drawPeople(g, size, &people);
    thMemory memory;
    thWalkable walkable = buildRoom(&memory);
    thVoronoi voronoi = thiVoronoi(&memory, &walkable);
    setSites(&voronoi, people.places, people.count);
    bool holds = true;
    for (int32_t i = 0; i < 20 && holds; ++i) {
        const thPlace to = {drawFloat(g, -4.0f, 12.0f), drawFloat(g, -4.0f, 12.0f)};
        double least = INFINITY;
        for (int32_t j = 0; j < people.count; ++j)
            if (isInRoom(people.places[j]))
                least = fmin(least, hypot(people.places[j].x - to.x, people.places[j].y - to.y));
        const double found = thiNearestVoronoiSite(&voronoi, to);
        holds = isinf(least) ? isinf(found) : isNear(found, least, 1e-12);
    }
    thiVoronoiFree(&voronoi);
    thiWalkableFree(&walkable);
    return holds;
}

static void testNearest(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"nearestIsNearest", 34, 300, MOST_PEOPLE, nearestIsNearest, NULL});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testPixels),         cmocka_unit_test(testSum),
        cmocka_unit_test(testManyNeighbours), cmocka_unit_test(testAgainstAll),
        cmocka_unit_test(testNearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
