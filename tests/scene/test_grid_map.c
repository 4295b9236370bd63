// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Maps of cells: what is read and what is refused; and that the world made of a map is solid just
// where its cells are blocked, for random maps of all densities and for real ones.

#include "gear/allocators.h"
#include "geom/fixed.h"
#include "scene/geometry_gear.h"
#include "scene/walls/grid_map.h"
#include "sim/world_internal.h"
#include "throng/random.h"
#include "throng/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define HEAD(height, width) "type octile\nheight " height "\nwidth " width "\nmap\n"

static const Accepted accepted[] = {
    {HEAD("1", "1") ".\n", "outer 1,0 1,1 0,1 0,0"},
    {HEAD("1", "1") ".", "outer 1,0 1,1 0,1 0,0"},
    {"type octile\r\nheight 1\r\nwidth 2\r\nmap\r\nGS\r\n\r\n", "outer 2,0 2,1 0,1 0,0"},
    // What is blocked at the border is outside.
    {HEAD("2", "2") ".@\n..\n", "outer 1,0 1,1 2,1 2,2 0,2 0,0"},
    // Two rooms, which meet in a corner.
    {HEAD("2", "2") ".T\nW.\n", "outer 1,0 1,1 0,1 0,0; outer 2,1 2,2 1,2 1,1"},
    // An island.
    {HEAD("3", "3") "...\n.O.\n...\n", "outer 3,0 3,3 0,3 0,0; hole 2,1 2,2 1,2 1,1"},
    // Islands that meet in a corner.
    {HEAD("4", "4") "....\n.@..\n..@.\n....\n",
     "outer 4,0 4,4 0,4 0,0; hole 2,1 2,2 1,2 1,1; hole 3,2 3,3 2,3 2,2"},
    // An island with a yard is cut.
    {HEAD("5", "5") ".....\n.@@@.\n.@.@.\n.@@@.\n.....\n",
     "outer 5,0 5,5 0,5 0,0; hole 4,1 4,3 3,3 3,2 2,2 2,3 1,3 1,1; hole 4,3 4,4 1,4 1,3"},
};

static const Rejected rejected[] = {
    {"", 1, 1, "expected 'type' of a map, such as 'type octile', found the end of the file"},
    {"{\"throng\": 1}", 1, 1, "found '{\"throng\": 1}'"},
    {"type octile\n", 2, 1, "expected 'height' and a number from 1 to 99999, found the end"},
    {"type octile\nwidth 3\n", 2, 1, "found 'width 3'"},
    {"type octile\nheight 0\n", 2, 1, "found 'height 0'"},
    {"type octile\nheight 100000\n", 2, 1, "found 'height 100000'"},
    {"type octile\nheight -1\n", 2, 1, "found 'height -1'"},
    {"type octile\nheight 2\nwidth x\n", 3, 1, "found 'width x'"},
    {"type octile\nheight 99999\nwidth 99999\n", 3, 1, "99999 by 99999 cells are too many"},
    {"type octile\nheight 1\nwidth 1\nmaps\n.\n", 4, 1, "expected 'map', found 'maps'"},
    {HEAD("100", "100") "...\n", 4, 1, "100 by 100 cells are promised, but only 4 bytes follow"},
    {HEAD("2", "2") "....\n", 5, 3, "the row has 4 cells, expected 2"},
    {HEAD("2", "2") ".\n..\n", 5, 2, "the row has 1 cells, expected 2"},
    {HEAD("2", "2") "..\n\n\n\n", 6, 1, "the row has 0 cells, expected 2"},
    {HEAD("3", "1") ".\n.\n", 7, 1, "the map ends after 2 rows, expected 3"},
    {HEAD("1", "3") ".x.\n", 5, 2, "expected one of .GS (free) or @OTW (blocked), found 'x'"},
    {HEAD("1", "3") "..\x01\n", 5, 3, "found byte 0x01"},
    {HEAD("1", "2") "..\n..\n", 6, 1, "expected the end of the file after the last row"},
    {HEAD("1", "2") "@T\n", 5, 1, "the map has no cell that is free"},
};

static void testAccepted(void** state)
{
    (void)state;
    assertAccepted(thiReadGridMap, accepted, sizeof accepted / sizeof accepted[0]);
}

static void testRejected(void** state)
{
    (void)state;
    assertRejected(thiReadGridMap, rejected, sizeof rejected / sizeof rejected[0]);
}

static void testTruncated(void** state)
{
    (void)state;
    assertTruncated(thiReadGridMap, HEAD("5", "6") "......\n.@@@@.\n.@.@..\n.@@@@.\n....T.\n");
}

// The map as a scene; its world.
static thRun* runOf(const char* path, thScene** scene)
{
    thSceneDef def = thDefaultSceneDef();
    def.path = path;
    assert_int_equal(thLoadScene(&def, scene), th_resultOk);
    const thRunDef runDef = thDefaultRunDef();
    thRun* run;
    assert_int_equal(thCreateRun(*scene, &runDef, &run), th_resultOk);
    assert_int_equal(thWorld_Step(thRun_GetWorld(run), 0.1f), th_resultOk);
    return run;
}

// Holds the world against the rows of the map, at the centre of each cell and near its corners.
static void assertSolid(const thRun* run, const char* rows, int32_t width, int32_t height,
                        int32_t rowSize)
{
    static const double offsets[][2] = {{0.5, 0.5}, {0.001, 0.001}, {0.999, 0.001}, {0.001, 0.999}};
    const thWallGrid* walls = thRun_GetWorld(run)->walls.grid;
    const int32_t rowStep = height > 300 ? 31 : 1; // large maps take long
    for (int32_t y = 0; y < height; y += rowStep)
        for (int32_t x = 0; x < width; ++x) {
            const char c = rows[y * rowSize + x];
            const bool isFree = c == '.' || c == 'G' || c == 'S';
            for (int32_t i = 0; i < 4; ++i) {
                const int32_t px = thiUnits((float)(x + offsets[i][0]));
                const int32_t py = thiUnits((float)(y + offsets[i][1]));
                if (thiIsInSolid(walls, 0, px, py) == isFree)
                    fail_msg("cell (%d, %d), '%c', is %s", (int)x, (int)y, c,
                             isFree ? "solid" : "free");
            }
            // Whoever crosses from free to blocked meets a wall.
            const char next = x + 1 < width ? rows[y * rowSize + x + 1] : '@';
            const bool nextFree = next == '.' || next == 'G' || next == 'S';
            if (isFree || nextFree)
                assert_int_equal(thiWallsHide(walls, 0, thiUnits((float)x + 0.5f),
                                              thiUnits((float)y + 0.5f), thiUnits((float)x + 1.5f),
                                              thiUnits((float)y + 0.5f)),
                                 isFree != nextFree);
        }
}

// Nobody slips through where two blocked cells meet in a corner.
static void assertShut(const thRun* run, const char* rows, int32_t width, int32_t height,
                       int32_t rowSize)
{
    const thWallGrid* walls = thRun_GetWorld(run)->walls.grid;
    for (int32_t y = 0; y + 1 < height; ++y)
        for (int32_t x = 0; x + 1 < width; ++x) {
            const char a = rows[y * rowSize + x], b = rows[y * rowSize + x + 1];
            const char c = rows[(y + 1) * rowSize + x], d = rows[(y + 1) * rowSize + x + 1];
            if (a == '.' && d == '.' && b == '@' && c == '@')
                assert_true(thiWallsHide(walls, 0, thiUnits((float)x + 0.5f),
                                         thiUnits((float)y + 0.5f), thiUnits((float)x + 1.5f),
                                         thiUnits((float)y + 1.5f)));
        }
}

static void testRandom(void** state)
{
    (void)state;
    enum { side = 24 };
    char path[] = "/tmp/throng-map-XXXXXX.map";
    const int handle = mkstemps(path, 4);
    assert_true(handle >= 0);
    close(handle);
    for (uint32_t round = 0; round < 200; ++round) {
        const uint64_t stream = thRandomStream(round, 1, 0, 0);
        const float share = 0.02f + 0.93f * (float)(round % 20) / 19.0f;
        char rows[side][side + 1];
        for (uint32_t i = 0; i < side * side; ++i)
            rows[i / side][i % side] = thRandomUnit(stream, i) < share ? '@' : '.';
        rows[round % side][round / side] = '.';
        FILE* file = fopen(path, "w");
        assert_non_null(file);
        fprintf(file, HEAD("%d", "%d"), side, side);
        for (int32_t i = 0; i < side; ++i) {
            rows[i][side] = '\n';
            fwrite(rows[i], 1, side + 1, file);
        }
        fclose(file);
        thScene* scene;
        thRun* run = runOf(path, &scene);
        assertSolid(run, rows[0], side, side, side + 1);
        assertShut(run, rows[0], side, side, side + 1);
        thDestroyRun(run);
        thDestroyScene(scene);
    }
    remove(path);
}

// Maps of others, where they are.
static void testReal(void** state)
{
    (void)state;
    static const char* const names[] = {
        "movingai_grid/dao/arena.map", "movingai_grid/dao/den520d.map",
        "movingai_grid/cities/Berlin_0_256.map", "movingai_grid/random/random512-10-0.map",
        "anyangle/published/maze512-2-5.map"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", THRONG_DATA, names[i]);
        FILE* file = fopen(path, "rb");
        if (file == NULL) {
            print_message("%s is not there: skipped\n", path);
            continue;
        }
        int height, width;
        char word[16];
        assert_int_equal(fscanf(file, "type octile height %d width %d %15s", &height, &width, word),
                         3);
        char* rows = malloc((size_t)height * (size_t)(width + 1));
        assert_non_null(rows);
        for (int32_t y = 0; y < height; ++y)
            for (int32_t x = 0; x < width; ++x)
                assert_int_equal(fscanf(file, " %c", &rows[y * (width + 1) + x]), 1);
        fclose(file);
        thScene* scene;
        thRun* run = runOf(path, &scene);
        assertSolid(run, rows, width, height, width + 1);
        thDestroyRun(run);
        thDestroyScene(scene);
        free(rows);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testAccepted),  cmocka_unit_test(testRejected),
        cmocka_unit_test(testTruncated), cmocka_unit_test(testRandom),
        cmocka_unit_test(testReal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
