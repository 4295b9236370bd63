// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Formats of recordings: what is written is read back, and parts are as plain interpolation has
// them. Besides our readers there is one that keeps to PedPy's rules; and text of all kinds.

#include "formats_gear.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const thPlace roomCorners[] = {{-60.5, -50}, {70, -50.25}, {70.125, 55}, {-60, 50}};
static const thPlace pillarCorners[] = {{1, 1}, {2, 1}, {2, 2.5}};
static const thPlace wallCorners[] = {{-5, -5}, {-6, -5.5}};
static const thRecordedShape place[] = {
    {.kind = th_shapeRoom, .points = roomCorners, .pointCount = 4},
    {.kind = th_shapeSolid, .points = pillarCorners, .pointCount = 3},
    {.kind = th_shapeWall, .points = wallCorners, .pointCount = 2},
};

static const char* const suffixes[] = {"thlog", "txt", "h5", "sqlite"};
// Logs keep steps of 2⁻¹⁶ m, text keeps six decimals.
static const double tolerances[] = {8e-6, 5.1e-7, 0.0, 0.0};

static void testThereAndBack(void** state)
{
    (void)state;
    for (int round = 0; round < 8; ++round) {
        Track track = makeTrack((uint64_t)round, 1 + 13 * round, 1 + 60 * round, round % 2 == 0);
        for (int i = 0; i < 4; ++i) {
            char name[32];
            snprintf(name, sizeof name, "there.%s", suffixes[i]);
            const char* path = nameFile(name);
            writeTrack(path, &track, place, 3);
            Track back = readTrack(path, NULL);
            assertSameTrack(&track, &back, tolerances[i]);
            freeTrack(&back);
        }
        freeTrack(&track);
    }
}

// From each format to each other; what was kept once does not change again.
static void testChains(void** state)
{
    (void)state;
    Track track = makeTrack(77, 40, 50, true);
    writeTrack(nameFile("chain.thlog"), &track, place, 3);
    Track kept = readTrack(nameFile("chain.thlog"), NULL);
    for (int from = 0; from < 4; ++from)
        for (int to = 0; to < 4; ++to) {
            char first[32], second[32];
            snprintf(first, sizeof first, "first.%s", suffixes[from]);
            snprintf(second, sizeof second, "second.%s", suffixes[to]);
            writeTrack(nameFile(first), &kept, place, 3);
            Track middle = readTrack(nameFile(first), NULL);
            writeTrack(nameFile(second), &middle, place, 3);
            Track back = readTrack(nameFile(second), NULL);
            assertSameTrack(&kept, &back, from == 1 || to == 1 ? 1.1e-6 : 0.0);
            freeTrack(&middle);
            freeTrack(&back);
        }
    freeTrack(&kept);
    freeTrack(&track);
}

static void testShapes(void** state)
{
    (void)state;
    Track track = makeTrack(5, 3, 4, false);
    for (int i = 2; i < 4; ++i) {
        char name[32];
        snprintf(name, sizeof name, "shapes.%s", suffixes[i]);
        writeTrack(nameFile(name), &track, place, 3);
        ExitCode code;
        Recording* recording = appOpenRecording(nameFile(name), NULL, &code);
        assert_non_null(recording);
        assert_int_equal(recording->shapeCount, 3);
        for (int k = 0; k < 3; ++k) {
            const thRecordedShape* shape = &recording->shapes[k];
            assert_int_equal(shape->kind, place[k].kind);
            assert_int_equal(shape->pointCount, place[k].pointCount);
            assert_memory_equal(shape->points, place[k].points,
                                (size_t)shape->pointCount * sizeof *shape->points);
        }
        appCloseRecording(recording);
    }
    freeTrack(&track);
}

static void testWalkable(void** state)
{
    (void)state;
    char* text = appWriteWalkable(place, 3);
    assert_string_equal(text, "POLYGON ((-60.5 -50, 70 -50.25, 70.125 55, -60 50, -60.5 -50), "
                              "(1 1, 2 1, 2 2.5, 1 1))");
    free(text);
    text = appWriteWalkable(place + 1, 2); // no room: the bounds, and a metre around
    assert_string_equal(text, "POLYGON ((-7 -6.5, 3 -6.5, 3 3.5, -7 3.5, -7 -6.5), "
                              "(1 1, 2 1, 2 2.5, 1 1))");
    free(text);
    text = appWriteWalkable(NULL, 0);
    assert_string_equal(text, "POLYGON EMPTY");
    free(text);
    const thRecordedShape two[] = {place[0], place[1], place[0]};
    text = appWriteWalkable(two, 3);
    assert_int_equal(strncmp(text, "MULTIPOLYGON (((", 16), 0);
    free(text);
}

// The rules of PedPy's loader, one after the other: comments up to the first line that is none, a
// rate as the first word of its line that is a number, the unit by words, rows by blanks.
static Track readAsPedPy(const char* path)
{
    Track track = {0};
    char line[512];
    double unit = 0.0;
    FILE* file = fopen(path, "r");
    assert_non_null(file);
    bool inHead = true;
    while (fgets(line, sizeof line, file) != NULL) {
        inHead = inHead && line[0] == '#';
        if (inHead && strstr(line, "framerate") != NULL) {
            char copy[512], *rest = NULL, *end;
            strcpy(copy, line);
            for (char* word = strtok_r(copy, " \n", &rest); word != NULL && track.rate == 0.0;
                 word = strtok_r(NULL, " \n", &rest)) {
                const double rate = strtod(word, &end);
                track.rate = *end == '\0' ? rate : 0.0;
            }
        }
        if (inHead && (strstr(line, "x/cm") != NULL || strstr(line, "in cm") != NULL))
            unit = 0.01;
        if (inHead && (strstr(line, "x/m") != NULL || strstr(line, "in m") != NULL))
            unit = 1.0;
        if (line[0] == '#')
            continue;
        long long id, frame;
        double x, y, z;
        assert_int_equal(sscanf(line, "%lld %lld %lf %lf %lf", &id, &frame, &x, &y, &z), 5);
        addSample(&track, (Sample){frame, (uint32_t)id, x * unit, y * unit, NAN});
    }
    fclose(file);
    assert_true(unit > 0.0);
    return track;
}

static void testPedPy(void** state)
{
    (void)state;
    for (int round = 0; round < 4; ++round) {
        Track track = makeTrack(100 + (uint64_t)round, 30, 40, true);
        track.rate = round == 0 ? 10.0 : 10.0 / (3.0 * round);
        for (int32_t i = 0; i < track.count; i += 5) // also far from zero, and just below it
            track.samples[i].x += i % 2 == 0 ? 5812345.678901 : -track.samples[i].x - 4e-7;
        writeTrack(nameFile("pedpy.txt"), &track, place, 3);
        Track back = readAsPedPy(nameFile("pedpy.txt"));
        assertSameTrack(&track, &back, 6e-7);
        freeTrack(&back);
        freeTrack(&track);
    }
}

// What a text file says, in few words: rate, and rows as frame:id:x:y.
static void expectText(const char* name, const char* text, const RecordingDef* def,
                       const char* expected)
{
    char found[512];
    size_t used = 0;
    writeFile(nameFile(name), text);
    Track track = readTrack(nameFile(name), def);
    used += (size_t)snprintf(found, sizeof found, "%g", track.rate);
    for (int32_t i = 0; i < track.count; ++i) {
        const Sample* sample = &track.samples[i];
        used +=
            (size_t)snprintf(found + used, sizeof found - used, " %lld:%u:%g:%g",
                             (long long)sample->frame, (unsigned)sample->id, sample->x, sample->y);
    }
    assert_string_equal(found, expected);
    freeTrack(&track);
}

static void testText(void** state)
{
    (void)state;
    const RecordingDef asItSays = {0}, rated = {.rate = 16.0}, metres = {.rate = 5, .unit = "m"};
    // A mark at the beginning, carriage returns, tabs, blank lines, comments anywhere.
    expectText("a.txt",
               "\xef\xbb\xbf# framerate: 25 fps\r\n# id frame x/cm y/cm z/cm\r\n\r\n"
               "7\t3\t100\t-250.5\t170\r\n# between\r\n7 4 101 -250 170 # behind\r\n",
               &asItSays, "25 3:7:1:-2.505 4:7:1.01:-2.5");
    // By id, not by frame; no line feed at the end; the old JuPedSim columns.
    expectText("b.txt",
               "#description: x\n#framerate: 8.00\n#X,Y,Z: the agents coordinates (in metres)\n"
               "1 1 1.5 2 0 0.2 0.2 90 255\n1 2 1.6 2 0 0.2 0.2 90 255\n0 1 5 5 0 0.2 0.2 0 1",
               &asItSays, "8 1:0:5:5 1:1:1.5:2 2:1:1.6:2");
    // Without a unit heads tell, in either unit; without a rate it is told.
    expectText("c.txt", "1 1 100 200 171\n1 2 100 210 171\n2 2 0 0 0", &rated,
               "16 1:1:1:2 2:1:1:2.1 2:2:0:0");
    expectText("c.txt", "#framerate:16\n1 1 100 200 1.71\n1 2 100 210 1.71\n", &asItSays,
               "16 1:1:100:200 2:1:100:210");
    expectText("c.txt", "1 1 100 200\n", &metres, "5 1:1:100:200");
    // A last line that was cut; one that is only shorter than others is none.
    expectText("c.txt", "#framerate:16 x/m\n1 1 100 200 0\n1 2 100 2", &asItSays, "16 1:1:100:200");
    expectText("c.txt", "#framerate:16 x/m\n1 1 100 200 0\n1 2 100", &asItSays, "16 1:1:100:200");
    expectText("c.txt", "#framerate:16 x/m\n1 1 100 200 0\n1 2 100 2\n", &asItSays,
               "16 1:1:100:200 2:1:100:2");
    // Nobody was there.
    expectText("c.txt", "#framerate:16 x/m\n", &asItSays, "16");
    // A common step makes the rate lower; frames may be below zero.
    expectText("d.txt", "# framerate: 25 fps x/m\n1 -13 0 0\n1 7 1 0\n1 17 2 0\n1 -3 3 0\n",
               &asItSays, "2.5 -2:1:0:0 -1:1:3:0 0:1:1:0 1:1:2:0");
    // Eight columns without a head are an obsmat.txt; others with a head are not.
    expectText("obsmat.txt",
               " 1.000e+00 2.0 3.5 0 4.5 0 0 0\n 7.0 2.0 3.6 0 4.6 0 0 0\n 13 2 4 0 5 0 0 0\n",
               &asItSays, "4.16667 0:2:3.5:4.5 1:2:3.6:4.6 2:2:4:5");
    expectText("e.txt", "# framerate: 1 in m\n1 2 3 4 5 6 7 8\n", &asItSays, "1 2:1:3:4");
    // Columns by their names.
    expectText("f.csv", "Frame,y,x,ID,v\n10,1,2,3,\n30, 1.5 ,2.5,3,x\n", &rated,
               "0.8 0:3:2:1 1:3:2.5:1.5");
}

static void testGroups(void** state)
{
    (void)state;
    writeFile(nameFile("groups.txt"), "2\n1 3\n\n5 2 4\n9\n");
    writeFile(nameFile("obsmat.txt"), "0 1 0 0 0 0 0 0\n0 2 1 0 0 0 0 0\n0 3 2 0 0 0 0 0\n"
                                      "1 4 0 0 0 0 0 0\n1 9 3 0 0 0 0 0\n");
    ExitCode code;
    Recording* recording = appOpenRecording(nameFile("obsmat.txt"), NULL, &code);
    assert_non_null(recording);
    while (appNextFrame(recording) == nextFrame) {
    }
    const struct {
        uint32_t id;
        int32_t group;
    } expected[] = {{1, 0}, {2, 1}, {3, 0}, {4, 1}, {9, -1}};
    for (int i = 0; i < 5; ++i)
        assert_int_equal(appFindPerson(recording, expected[i].id)->group, expected[i].group);
    appCloseRecording(recording);
    assert_int_equal(unlink(nameFile("groups.txt")), 0);
}

// Everybody has the radius that our own text tells, wherever it stands.
static void testRadiusOfText(void** state)
{
    (void)state;
    const struct {
        const char* text;
        float radius;
    } cases[] = {{"# framerate: 1 x/m\n1 0 0 0\n2 0 1 1\n# radius: 0.18 m\n", 0.18f},
                 {"# radius: 0.25\n# framerate: 1 x/m\n1 0 0 0\n2 0 1 1\n", 0.25f},
                 {"# radius of the camera: 3\n# framerate: 1 x/m\n1 0 0 0\n2 0 1 1\n", 0.0f},
                 {"# framerate: 1 x/m\n1 0 0 0\n2 0 1 1\n# radius: -1", 0.0f},
                 {"# framerate: 1 x/m\n1 0 0 0\n2 0 1 1\n# radius:", 0.0f}};
    for (int i = 0; i < 5; ++i) {
        ExitCode code;
        writeFile(nameFile("radius.txt"), cases[i].text);
        Recording* recording = appOpenRecording(nameFile("radius.txt"), NULL, &code);
        assert_non_null(recording);
        assert_int_equal(appNextFrame(recording), nextFrame);
        assert_int_equal(recording->personCount, 2);
        for (int k = 0; k < 2; ++k)
            assert_true(recording->people[k].radius == cases[i].radius);
        appCloseRecording(recording);
    }
}

static void testGeometryFiles(void** state)
{
    (void)state;
    writeFile(nameFile("g.txt"), "# framerate: 1 x/m\n1 0 0 0\n");
    writeFile(nameFile("room.xml"),
              "<geometry unit=\"m\"><rooms><room><subroom>\n<polygon><vertex px=\"0\" py=\"0\"/>"
              "<vertex px=\"4\" py=\"0\"/><vertex px=\"4\" py=\"3\"/><vertex px=\"0\" py=\"0\"/>"
              "</polygon><obstacle><polygon><vertex px=\"1\" py=\"1\"/><vertex px=\"2\" py=\"1\"/>"
              "<vertex px=\"2\" py=\"2\"/></polygon></obstacle></subroom></room></rooms>"
              "<transitions><transition><vertex px=\"9\" py=\"9\"/></transition></transitions>"
              "</geometry>");
    writeFile(
        nameFile("two.xml"),
        "<geometry><polygon><vertex px=\"0\" py=\"0\"/><vertex px=\"4\" py=\"0\"/></polygon>"
        "<polygon><vertex px=\"0\" py=\"2\"/><vertex px=\"4\" py=\"2\"/></polygon></geometry>");
    writeFile(nameFile("map.xml"), "<Trial><Line x1=\"1\" y1=\"2\" x2=\"3\" y2=\"4\"/>"
                                   "<Circle x=\"5\" y=\"6\" radius=\"0.5\"/></Trial>");
    writeFile(nameFile("w.wkt"), "POLYGON ((500000 0, 500010 0, 500010 9, 500000 0))");
    const struct {
        const char* name;
        thRecordedShapeKind kinds[2];
        int32_t points[2];
        int32_t count;
    } expected[] = {{"room.xml", {th_shapeRoom, th_shapeSolid}, {3, 3}, 2},
                    {"two.xml", {th_shapeWall, th_shapeWall}, {2, 2}, 2},
                    {"map.xml", {th_shapeWall, th_shapeSolid}, {2, 32}, 2},
                    {"w.wkt", {th_shapeRoom}, {3}, 1}};
    for (int i = 0; i < 4; ++i) {
        const RecordingDef def = {.geometry = nameFile(expected[i].name)};
        ExitCode code;
        Recording* recording = appOpenRecording(nameFile("g.txt"), &def, &code);
        assert_non_null(recording);
        assert_int_equal(recording->shapeCount, expected[i].count);
        for (int32_t k = 0; k < recording->shapeCount; ++k) {
            assert_int_equal(recording->shapes[k].kind, expected[i].kinds[k]);
            assert_int_equal(recording->shapes[k].pointCount, expected[i].points[k]);
        }
        appCloseRecording(recording);
    }
}

// Where somebody is at a time, by looking through all samples; false if that is not known.
static bool placeAt(const Track* track, uint32_t id, double frame, double* x, double* y)
{
    const Sample *before = NULL, *after = NULL;
    for (int32_t i = 0; i < track->count; ++i) {
        const Sample* sample = &track->samples[i];
        if (sample->id != id)
            continue;
        if ((double)sample->frame == floor(frame + 1e-6))
            before = sample;
        if ((double)sample->frame == floor(frame + 1e-6) + 1.0)
            after = sample;
    }
    if (before == NULL)
        return false;
    const double share = frame - (double)before->frame;
    if (share > 1e-6 && after == NULL)
        return false;
    *x = before->x + (share > 1e-6 ? share * (after->x - before->x) : 0.0);
    *y = before->y + (share > 1e-6 ? share * (after->y - before->y) : 0.0);
    return true;
}

static int compareIds(const void* left, const void* right)
{
    const uint32_t a = *(const uint32_t*)left, b = *(const uint32_t*)right;
    return (a > b) - (a < b);
}

// Holds what a filter gives against all people at all times.
static void checkPart(const Track* track, const FrameFilterDef* def, const Track* found)
{
    enum { people = 25 };
    const double rate = def->rate > 0.0 ? def->rate : track->rate;
    uint32_t ids[people];
    int32_t at = 0;
    for (int32_t i = 0; i < people; ++i)
        ids[i] = idOf(i);
    qsort(ids, people, sizeof ids[0], compareIds);
    for (int32_t frame = 0; frame / rate <= 49 / track->rate + 1e-9; ++frame) {
        if (frame < def->from * rate - 1e-6 || frame > def->to * rate + 1e-6)
            continue;
        for (int32_t i = 0; i < people; ++i) {
            double x, y;
            if (!placeAt(track, ids[i], frame * track->rate / rate, &x, &y) ||
                (def->hasArea &&
                 (x < def->low.x || x > def->high.x || y < def->low.y || y > def->high.y)))
                continue;
            assert_true(at < found->count);
            assert_int_equal(found->samples[at].frame, frame);
            assert_int_equal(found->samples[at].id, ids[i]);
            assert_near(found->samples[at].x, x, 1e-6);
            assert_near(found->samples[at].y, y, 1e-6);
            at += 1;
        }
    }
    assert_int_equal(at, found->count);
}

static void testParts(void** state)
{
    (void)state;
    Track track = makeTrack(9, 50, 25, true);
    writeTrack(nameFile("part.h5"), &track, NULL, 0);
    const double rates[] = {0.0, 12.5, 5.0, 30.0, 7.3, 25.0};
    for (int i = 0; i < 6; ++i)
        for (int part = 0; part < 4; ++part) {
            const FrameFilterDef def = {.rate = rates[i],
                                        .from = part % 2 == 0 ? -INFINITY : 1.1,
                                        .to = part % 2 == 0 ? INFINITY : 2.4,
                                        .hasArea = part >= 2,
                                        .low = {-20.0, -30.0},
                                        .high = {30.0, 10.0}};
            ExitCode code;
            Recording* recording = appOpenRecording(nameFile("part.h5"), NULL, &code);
            assert_non_null(recording);
            Track found = readFiltered(recording, &def);
            appCloseRecording(recording);
            checkPart(&track, &def, &found);
            freeTrack(&found);
        }
    freeTrack(&track);
}

// What cannot be completed leaves what was there.
static void testAbandoned(void** state)
{
    (void)state;
    Track track = makeTrack(3, 5, 5, false);
    const thRecordHead head = {.rate = 1.0, .title = ""};
    for (int i = 1; i < 4; ++i) {
        char name[32], part[40];
        snprintf(name, sizeof name, "old.%s", suffixes[i]);
        snprintf(part, sizeof part, "old.%s.part", suffixes[i]);
        writeTrack(nameFile(name), &track, place, 3);
        ExitCode code;
        RecordingWriter* writer = appCreateRecording(nameFile(name), &head, NULL, 0, &code);
        assert_non_null(writer);
        assert_int_equal(access(nameFile(part), F_OK), 0);
        appAbandonRecording(writer);
        assert_int_not_equal(access(nameFile(part), F_OK), 0);
        Track back = readTrack(nameFile(name), NULL);
        assertSameTrack(&track, &back, 1e-6);
        freeTrack(&back);
    }
    freeTrack(&track);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testThereAndBack),  cmocka_unit_test(testChains),
        cmocka_unit_test(testShapes),        cmocka_unit_test(testWalkable),
        cmocka_unit_test(testPedPy),         cmocka_unit_test(testText),
        cmocka_unit_test(testGroups),        cmocka_unit_test(testRadiusOfText),
        cmocka_unit_test(testGeometryFiles), cmocka_unit_test(testParts),
        cmocka_unit_test(testAbandoned),
    };
    return RUN_TESTS(tests, argc, argv);
}
