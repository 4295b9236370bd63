// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Pictures of what an agent thinks: marks of every kind, of a method made for the purpose.
// What they allow and forbid has the right colour.

#include "draw/debug/debug_picture.h"
#include "gear/gear.h"

#include <cairo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/world.h>
#include <unistd.h>

// The search for fonts keeps what it has found until the end; leak checkers ask for this.
__attribute__((visibility("default"))) const char* __lsan_default_suppressions(void);
const char* __lsan_default_suppressions(void)
{
    return "leak:libfontconfig";
}

static void assertOk(thResult code)
{
    assert_int_equal(code, th_resultOk);
}

static void stand(const thBatch* batch, const void* params, const void* shared)
{
    (void)params;
    (void)shared;
    for (int32_t lane = 0; lane < batch->count; ++lane)
        batch->outVx[lane] = 0.5f;
}

static void add(thExplanation* to, thMarkKind kind, thMarkMeaning meaning, const thVec2* points,
                int32_t count, float value)
{
    thMark mark = thDefaultMark();
    mark.kind = kind;
    mark.meaning = meaning;
    mark.points = points;
    mark.pointCount = count;
    mark.radius = kind == th_markDisc ? value : 0.0f;
    mark.value = value;
    mark.label = kind == th_markText
                     ? "a text that is longer than the room there is for it, and so is "
                       "broken into as many lines as that takes"
                     : NULL;
    thExplanation_Add(to, &mark);
}

// The plane y >= −0.5 without the cone that opens to the right from (1, 0.5), a square, and all
// beyond 2 m/s.
static const thVec2 plane[] = {{0.0f, -0.5f}, {0.0f, 1.0f}};
static const thVec2 cone[] = {{1.0f, 0.5f}, {1.0f, 0.5f}, {1.0f, -0.5f}};
static const thVec2 square[] = {{-1.2f, 0.2f}, {-0.6f, 0.2f}, {-0.6f, 0.8f}, {-1.2f, 0.8f}};

static bool isAllowed(double x, double y)
{
    const bool inCone = x > 1.0 && fabs(y - 0.5) < 0.5 * (x - 1.0);
    const bool inSquare = x > -1.2 && x < -0.6 && y > 0.2 && y < 0.8;
    return y > -0.5 && !inCone && !inSquare && x * x + y * y < 4.0;
}

// A cone almost as wide as a half-plane, and one that begins beyond the picture.
static const thVec2 wide[] = {{0.01f, 1.0f}, {0.5f, 0.3f}, {0.5f, 0.1f}, {0.02f, -1.0f}};
static const thVec2 far[] = {{0.1f, 1.0f}, {-1000.0f, -0.55f}, {1.0f, 0.0f}};

static bool isAllowedByWide(double x, double y)
{
    const bool inWide = x > 0.5 + 0.01 * fmax(y - 0.3, 0.0) + 0.02 * fmax(0.1 - y, 0.0);
    return !inWide && y < -0.55 && x * x + y * y < 4.0;
}

typedef bool IsAllowedFcn(double x, double y);

// How far a velocity is from where that changes, more or less.
static bool isNearBorder(IsAllowedFcn* isIt, double x, double y)
{
    for (int32_t i = 0; i < 16; ++i) {
        const double angle = 0.3926990817 * i;
        if (isIt(x + 0.04 * cos(angle), y + 0.04 * sin(angle)) != isIt(x, y))
            return true;
    }
    return false;
}

static void showAreas(thExplanation* to)
{
    const thVec2 zero = {0.0f, 0.0f};
    add(to, th_markDisc, th_meansLimit, &zero, 1, 2.0f);
    add(to, th_markHalfPlane, th_meansNothing, plane, 2, 0.0f);
    add(to, th_markCone, th_meansForbidden, cone, 3, 0.0f);
    add(to, th_markRegion, th_meansForbidden, square, 4, 0.0f);
}

static void explainAreas(const thBatch* batch, int32_t lane, const void* params, const void* shared,
                         thExplanation* to)
{
    (void)batch;
    (void)lane;
    (void)params;
    (void)shared;
    showAreas(to);
}

static void explainWide(const thBatch* batch, int32_t lane, const void* params, const void* shared,
                        thExplanation* to)
{
    (void)batch;
    (void)lane;
    (void)params;
    (void)shared;
    add(to, th_markDisc, th_meansLimit, &(thVec2){0.0f, 0.0f}, 1, 2.0f);
    add(to, th_markCone, th_meansForbidden, wide, 4, 0.0f);
    add(to, th_markCone, th_meansForbidden, far, 3, 0.0f);
}

static void explainAll(const thBatch* batch, int32_t lane, const void* params, const void* shared,
                       thExplanation* to)
{
    (void)batch;
    (void)lane;
    (void)params;
    (void)shared;
    showAreas(to);
    for (int32_t i = 0; i < 400; ++i) {
        const thVec2 at = {0.1f * (float)(i % 20) - 1.0f, 0.1f * (float)(i / 20) - 1.0f};
        add(to, th_markSample, th_meansNothing, &at, 1, i == 7 ? INFINITY : at.x * at.x + at.y);
    }
    add(to, th_markArrow, th_meansNothing, (thVec2[]){{0.5f, 0.5f}, {0.8f, 1.0f}}, 2, 0.0f);
    add(to, th_markPath, th_meansNothing, square, 4, 0.0f);
    add(to, th_markPoint, th_meansNothing, square, 1, 0.0f);
    for (int32_t i = 0; i < 20; ++i)
        add(to, th_markText, th_meansNothing, NULL, 0, 0.0f);
}

// An explanation, and the world it is of, with a few others near the agent.
static thExplanation* explain(thMethod method, thWorld** world)
{
    const thWorldDef def = thDefaultWorldDef();
    assertOk(thCreateWorld(&def, world));
    method.size = sizeof method;
    method.name = "test";
    method.solve = stand;
    assertOk(thWorld_AddMethod(*world, th_methodAvoid, &method));
    thProfileDef profile = thDefaultProfileDef();
    profile.avoid.name = "test";
    thAgentDef agent = thDefaultAgentDef();
    assertOk(thCreateProfile(*world, &profile, &agent.profile, NULL));
    assertOk(thCreatePointGoal(*world, (thVec2){0.0f, 30.0f}, &agent.goal));
    thAgentId first, other;
    assertOk(thCreateAgent(*world, &agent, &first));
    for (int32_t i = 1; i < 4; ++i) {
        agent.position = (thVec2){0.7f * (float)i, 0.3f};
        assertOk(thCreateAgent(*world, &agent, &other));
    }
    thExplanation* explanation;
    assertOk(thWorld_Explain(*world, first, 0.1f, &explanation));
    return explanation;
}

static char* pathTo(const char* name)
{
    static char path[256];
    snprintf(path, sizeof path, "/tmp/throng-%ld-%s", (long)getpid(), name);
    return path;
}

static long sizeOf(const char* path)
{
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    fclose(file);
    return size;
}

// The picture's colour at a velocity: the right panel is 700 pixels wide from (860, 100) on, and
// shows 1.12 times the speed limit.
static void colorAt(cairo_surface_t* image, double x, double y, int rgb[3])
{
    const int column = (int)(860 + 350 * (1 + x / (1.12 * 2.0)));
    const int row = (int)(100 + 350 * (1 - y / (1.12 * 2.0)));
    const unsigned char* pixel = cairo_image_surface_get_data(image) +
                                 row * cairo_image_surface_get_stride(image) + 4 * column;
    for (int32_t i = 0; i < 3; ++i)
        rgb[i] = pixel[2 - i];
}

// Draws an explanation and looks at the colours of velocities, but for those near borders, arrows
// and axes.
static void checkColors(thExplainFcn* method, IsAllowedFcn* isIt)
{
    thWorld* world;
    thExplanation* explanation = explain((thMethod){.explain = method}, &world);
    const char* path = pathTo("areas.png");
    assert_true(
        appDrawDebugged(world, explanation, &(DebugPicture){path, 1600, "areas", 1.0, {0, 0}}));
    cairo_surface_t* image = cairo_image_surface_create_from_png(path);
    assert_int_equal(cairo_surface_status(image), CAIRO_STATUS_SUCCESS);
    assert_int_equal(cairo_image_surface_get_width(image), 1600);
    int32_t allowed = 0, forbidden = 0;
    for (double x = -2.17; x < 2.2; x += 0.05) {
        for (double y = -2.17; y < 2.2; y += 0.05) {
            const bool isArrow = fabs(x) < 0.1 || fabs(y) < 0.1;
            if (isArrow || isNearBorder(isIt, x, y))
                continue;
            int rgb[3];
            colorAt(image, x, y, rgb);
            const bool isGreen = rgb[1] > rgb[0] + 15 && rgb[1] > rgb[2] + 15;
            assert_int_equal(isGreen, isIt(x, y));
            allowed += isGreen;
            forbidden += !isGreen;
        }
    }
    assert_true(allowed > 500 && forbidden > 1000);
    cairo_surface_destroy(image);
    unlink(path);
    thDestroyExplanation(explanation);
    thDestroyWorld(world);
}

static void testAllowed(void** state)
{
    (void)state;
    checkColors(explainAreas, isAllowed);
}

static void testWide(void** state)
{
    (void)state;
    checkColors(explainWide, isAllowedByWide);
}

static void testEveryMark(void** state)
{
    (void)state;
    static const char* const names[] = {"all.png", "all.svg", "all.pdf"};
    static const int32_t widths[] = {1600, 100, 3000};
    thWorld* world;
    thExplanation* explanation =
        explain((thMethod){.explain = explainAll, .needs = th_needsNeighbors}, &world);
    for (int32_t i = 0; i < 9; ++i) {
        const char* path = pathTo(names[i / 3]);
        const DebugPicture picture = {path, widths[i % 3], "every mark", 1.0, {3, -4}};
        assert_true(appDrawDebugged(world, explanation, &picture));
        assert_true(sizeOf(path) > 1000);
        unlink(path);
    }
    thDestroyExplanation(explanation);
    thDestroyWorld(world);
}

static const char* spoken;

static void explainText(const thBatch* batch, int32_t lane, const void* params, const void* shared,
                        thExplanation* to)
{
    (void)batch;
    (void)lane;
    (void)params;
    (void)shared;
    thMark mark = thDefaultMark();
    mark.label = spoken;
    for (int32_t i = 0; i < 5; ++i) // more lines than there are velocities beside them
        thExplanation_Add(to, &mark);
}

static int32_t heightWith(const char* text)
{
    thWorld* world;
    spoken = text;
    thExplanation* explanation = explain((thMethod){.explain = explainText}, &world);
    const char* path = pathTo("text.png");
    assert_true(
        appDrawDebugged(world, explanation, &(DebugPicture){path, 1600, "text", 1.0, {0, 0}}));
    cairo_surface_t* image = cairo_image_surface_create_from_png(path);
    const int32_t height = cairo_image_surface_get_height(image);
    cairo_surface_destroy(image);
    unlink(path);
    thDestroyExplanation(explanation);
    thDestroyWorld(world);
    return height;
}

// A line has 66 letters, those after the first four less, and breaks at a space if there is one.
static void testLongText(void** state)
{
    (void)state;
    const int32_t line = 25, times = 5, least = heightWith("short");
    char text[256] = "";
    for (int32_t i = 0; i < 66; ++i)
        strcat(text, "m");
    assert_int_equal(heightWith(text), least);
    strcat(text, " m");
    assert_int_equal(heightWith(text), least + times * line);
    // Letters count, not bytes.
    text[0] = '\0';
    for (int32_t i = 0; i < 33; ++i)
        strcat(text, "é ");
    assert_int_equal(heightWith(text), least);
    for (int32_t i = 0; i < 31; ++i)
        strcat(text, "é ");
    assert_int_equal(heightWith(text), least + times * line);
    strcat(text, "é e");
    assert_int_equal(heightWith(text), least + 2 * times * line);
}

static void testNoFile(void** state)
{
    (void)state;
    thWorld* world;
    thExplanation* explanation = explain((thMethod){0}, &world); // a method that shows nothing
    const DebugPicture picture = {"/nowhere/at/all.png", 400, "nothing", 0.0, {0, 0}};
    assert_false(appDrawDebugged(world, explanation, &picture));
    thDestroyExplanation(explanation);
    thDestroyWorld(world);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testAllowed),   cmocka_unit_test(testWide),
        cmocka_unit_test(testEveryMark), cmocka_unit_test(testLongText),
        cmocka_unit_test(testNoFile),
    };
    return RUN_TESTS(tests, argc, argv);
}
