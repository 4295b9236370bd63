// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Surveys of real people, against figures that were worked out by another program
// (derived_stats.csv of the sets). The data lies beside the repository and is not part of it;
// without it there is nothing to test.
//
// Their definitions, as far as they are not ours:
// - speed: between a frame and the one half a second later, without windows that are cut at the
//   ends of tracks; ours has them too, so that the two differ by some thousandths, and more where
//   people are fastest when they come or go
// - path ÷ chord: of tracks of which only a place every half second is kept, and which lead further
//   than 1 m; shown to a survey in the same way they give the same figure
// - nearest distances and the mean number of people: of about 400 frames, so these are shown;
//   their quantiles are interpolated between neighbours, ours are values that occur

#include "measure/survey/survey_gear.h"

#include <stdio.h>
#include <stdlib.h>

#define JUELICH THRONG_SHARED_DATA "/trajectories_juelich/"
#define UCY THRONG_SHARED_DATA "/trajectories_eth_ucy/"

// A line of derived_stats.csv.
typedef struct Stats {
    int32_t people;
    double rate, duration, speed, speed10, speed50, speed90, near01, near05, near50, path;
    int32_t most;
    double meanAtOnce;
} Stats;

static bool readStats(const char* path, const char* name, Stats* stats)
{
    FILE* file = fopen(path, "r");
    if (file == NULL)
        return false;
    char line[512];
    bool found = false;
    while (!found && fgets(line, sizeof line, file) != NULL) {
        const size_t length = strlen(name);
        found = strncmp(line, name, length) == 0 && line[length] == ',';
        if (found)
            assert_int_equal(sscanf(line + length,
                                    ",%d,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%d,%lf",
                                    &stats->people, &stats->rate, &stats->duration, &stats->speed,
                                    &stats->speed10, &stats->speed50, &stats->speed90,
                                    &stats->near01, &stats->near05, &stats->near50, &stats->path,
                                    &stats->most, &stats->meanAtOnce),
                             13);
    }
    fclose(file);
    return found;
}

static int byPerson(const void* left, const void* right)
{
    const Sighting *a = left, *b = right;
    return a->id != b->id ? (a->id > b->id) - (a->id < b->id)
                          : (a->frame > b->frame) - (a->frame < b->frame);
}

// One track, of which the first place and every `step`-th after it are kept, if these lead further
// than 1 m.
static void thinTrack(Sightings* thin, const Sighting* track, int32_t count, int32_t step)
{
    const Sighting* last = &track[(count - 1) / step * step];
    if (hypot(last->x - track[0].x, last->y - track[0].y) <= 1.0)
        return;
    for (int32_t i = 0; i < count; i += step)
        see(thin, track[i].frame, track[i].id, track[i].x, track[i].y);
}

static Sightings thinTracks(const Sightings* all, int32_t step)
{
    Sightings thin = {0};
    Sighting* items = malloc((size_t)all->count * sizeof *items);
    memcpy(items, all->items, (size_t)all->count * sizeof *items);
    qsort(items, (size_t)all->count, sizeof *items, byPerson);
    int32_t end = 0;
    for (int32_t begin = 0; begin < all->count; begin = end) {
        while (end < all->count && items[end].id == items[begin].id)
            ++end;
        thinTrack(&thin, &items[begin], end - begin, step);
    }
    free(items);
    return thin;
}

// About 400 of the frames.
static Sightings thinFrames(Sightings* all)
{
    Sightings thin = {0};
    sortSightings(all);
    int32_t frames = 0;
    for (int32_t i = 0; i < all->count; ++i)
        frames += i == 0 || all->items[i].frame != all->items[i - 1].frame;
    const int32_t step = frames >= 400 ? frames / 400 : 1;
    int32_t frame = -1;
    for (int32_t i = 0; i < all->count; ++i) {
        frame += i == 0 || all->items[i].frame != all->items[i - 1].frame;
        if (frame % step == 0)
            see(&thin, all->items[i].frame, all->items[i].id, all->items[i].x, all->items[i].y);
    }
    return thin;
}

// `window`: frames over which their speeds and paths are measured.
static void compare(Sightings* all, const Stats* stats, double rate, int32_t window)
{
    thSurveyDef def = defWithRate(rate);
    def.speedFrames = window / 2 > 0 ? window / 2 : 1;
    Sightings tracks = thinTracks(all, window), frames = thinFrames(all);
    const thSurveyResult few = figuresOf(&def, &frames);
    assert_near(few.nearest.p01, stats->near01, 0.002);
    assert_near(few.nearest.p05, stats->near05, 0.001);
    assert_near(few.nearest.median, stats->near50, 0.001);
    assert_near(few.meanAtOnce, stats->meanAtOnce, 0.00501);
    assert_near(figuresOf(&def, &tracks).chordRatio.mean, stats->path, 0.000051);
    const thSurveyResult result = figuresOf(&def, all);
    assert_int_equal(result.people, stats->people);
    assert_near(result.duration, stats->duration, 0.0501);
    assert_int_equal(result.mostAtOnce, stats->most);
    if (window == 1)
        return; // 0.4 s without a middle
    assert_near(result.speed.mean, stats->speed, 0.01);
    assert_near(result.speed.p10, stats->speed10, 0.01);
    assert_near(result.speed.median, stats->speed50, 0.01);
    assert_near(result.speed.p90, stats->speed90, 0.02);
}

static void compareJuelich(const char* name, double unit, double rate)
{
    Stats stats;
    Sightings sightings = {0};
    char path[512];
    snprintf(path, sizeof path, JUELICH "%s", name);
    if (!readStats(JUELICH "derived_stats.csv", name, &stats) ||
        !readSightings(&sightings, path, unit)) {
        print_message("%s is not there\n", path);
        skip();
    }
    compare(&sightings, &stats, rate, (int32_t)(0.5 * rate));
}

static void testCorridor(void** state)
{
    (void)state;
    compareJuelich("uo/uo-050-180-180.txt", 0.01, 16.0);
}

static void testTwoWays(void** state)
{
    (void)state;
    compareJuelich("bo/bot-360-120-120.txt", 0.01, 16.0);
}

static void testBottleneck(void** state)
{
    (void)state;
    compareJuelich("bottleneck/ao-300.txt", 1.0, 16.0);
}

static void testCorner(void** state)
{
    (void)state;
    compareJuelich("corner/eo-corner.txt", 1.0, 16.0);
}

static void testDense(void** state)
{
    (void)state;
    compareJuelich("crossing/crossing_90_c_6.txt", 1.0, 25.0);
}

// Lines `frame id x z y …`, ten frames apart at 25 frames in a second.
static bool readUcy(Sightings* sightings, const char* path)
{
    FILE* file = fopen(path, "r");
    if (file == NULL)
        return false;
    double frame, id, x, y;
    while (fscanf(file, "%lf %lf %lf %*f %lf %*f %*f %*f", &frame, &id, &x, &y) == 4)
        see(sightings, (int64_t)frame, (uint32_t)id, x, y);
    fclose(file);
    return true;
}

static void compareUcy(const char* name)
{
    Stats stats;
    Sightings sightings = {0};
    char path[512];
    snprintf(path, sizeof path, UCY "%s", name);
    if (!readStats(UCY "derived_stats.csv", name, &stats) || !readUcy(&sightings, path)) {
        print_message("%s is not there\n", path);
        skip();
    }
    compare(&sightings, &stats, 25.0, 1);
}

static void testStreet(void** state)
{
    (void)state;
    compareUcy("zara02/obsmat.txt");
}

static void testPlaza(void** state)
{
    (void)state;
    compareUcy("students03/obsmat.txt");
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testCorridor),   cmocka_unit_test(testTwoWays),
        cmocka_unit_test(testBottleneck), cmocka_unit_test(testCorner),
        cmocka_unit_test(testDense),      cmocka_unit_test(testStreet),
        cmocka_unit_test(testPlaza),
    };
    return RUN_TESTS(tests, argc, argv);
}
