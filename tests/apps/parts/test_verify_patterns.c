// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Patterns of crowds as numbers, on data of which the answer is known: sequences with known runs,
// samples of known laws, painted lanes and stripes. And that rows of models hold only where their
// figures do.

#include "gear/gear.h"
#include "verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <throng/random.h>
#include <throng/survey.h>

#define PI 3.14159265358979323846

// Evenly from 0 to 1, never either.
static double draw(uint64_t stream, uint32_t index)
{
    return (thRandomBits(stream, index) + 0.5) / 4294967296.0;
}

// --- Runs ---

// Alternating and sorted sequences of ten and ten: 11 runs expected, variance 36000/7600.
static void testRunsOfKnownSequences(void** state)
{
    (void)state;
    int32_t alternating[20], sorted[20];
    for (int32_t i = 0; i < 20; ++i) {
        alternating[i] = i % 2 == 0 ? 1 : -1;
        sorted[i] = i < 10 ? 1 : -1;
    }
    const VerifyRuns many = verifyRuns(alternating, 20), few = verifyRuns(sorted, 20);
    assert_int_equal(many.runs, 20);
    assert_int_equal(few.runs, 2);
    assert_true(isNear(many.expected, 11.0, 1e-12) && isNear(few.length, 10.0, 1e-12));
    assert_true(isNear(many.z, 9.0 / sqrt(36000.0 / 7600.0), 1e-12));
    assert_true(isNear(few.z, -many.z, 1e-12));
    assert_true(isnan(verifyRuns(sorted, 7).z)); // only one way
    assert_int_equal(verifyRuns(sorted, 0).runs, 0);
}

// Over all orders of four and three, runs have the mean and deviation that z is made of.
static void testRunsOverAllOrders(void** state)
{
    (void)state;
    double count = 0.0, sum = 0.0, squares = 0.0;
    for (int32_t bits = 0; bits < 128; ++bits) {
        int32_t ways[7], ahead = 0;
        for (int32_t i = 0; i < 7; ++i) {
            ways[i] = (bits >> i & 1) != 0 ? 1 : -1;
            ahead += ways[i] > 0;
        }
        if (ahead != 4)
            continue;
        const double z = verifyRuns(ways, 7).z;
        count += 1.0;
        sum += z;
        squares += z * z;
    }
    assert_true(isNear(count, 35.0, 0.0));
    assert_true(isNear(sum, 0.0, 1e-9) && isNear(squares / count, 1.0, 1e-9));
}

static void testBothWaysEndWithTheFirst(void** state)
{
    (void)state;
    const int32_t ways[] = {1, 1, -1, 1, -1, 1, 1, 1};
    assert_int_equal(verifyBothWays(ways, 8), 5);
    assert_int_equal(verifyBothWays(ways, 2), 0); // one never comes
    assert_int_equal(verifyBothWays(ways, 0), 0);
}

// --- Tails ---

enum { samples = 4000 };

static void testTailOfPowerLaw(void** state)
{
    (void)state;
    static double values[samples];
    for (int32_t law = 0; law < 3; ++law) {
        const double exponent = 2.0 + law;
        const uint64_t stream = thRandomStream(7, (uint64_t)law, 0, 0);
        for (uint32_t i = 0; i < samples; ++i)
            values[i] = 0.3 * pow(draw(stream, i), -1.0 / (exponent - 1.0));
        const VerifyTail tail = verifyTail(values, samples);
        assert_true(isNear(tail.exponent, exponent, 0.1 * exponent));
        assert_true(tail.preference > 2.0);
    }
}

static void testTailOfOtherLaws(void** state)
{
    (void)state;
    static double values[samples];
    const uint64_t stream = thRandomStream(8, 0, 0, 0);
    for (uint32_t i = 0; i < samples; ++i)
        values[i] = -log(draw(stream, i)); // exponential
    assert_true(verifyTail(values, samples).preference < 0.0);
    for (uint32_t i = 0; i < samples; ++i)
        values[i] = 1.0 + 0.2 * draw(stream, i); // even, like those who come one by one
    assert_true(verifyTail(values, samples).preference < 0.0);
    assert_true(isnan(verifyTail(values, 19).exponent)); // too few
    for (uint32_t i = 0; i < 30; ++i)
        values[i] = 1.0; // all the same
    assert_true(isnan(verifyTail(values, 30).exponent));
    for (uint32_t i = 0; i < 30; ++i)
        values[i] = 0.0;
    assert_true(isnan(verifyTail(values, 30).exponent));
}

static void testQuantilesOfSorted(void** state)
{
    (void)state;
    const double values[] = {1, 2, 3, 4, 50};
    assert_true(isNear(verifyQuantile(values, 5, 0.5), 3.0, 0.0));
    assert_true(isNear(verifyQuantile(values, 5, 1.0), 50.0, 0.0));
    assert_true(isnan(verifyQuantile(values, 0, 0.5)));
}

// --- Painted crowds ---

enum { crowd = 300, frames = 12 };

// Makes tracks of people: each of a stream is first seen on its side (x < 0 is the first), then in
// every frame at a new place, where the pattern says which stream belongs there.
typedef int Pattern(double x, double y, double angle, double width);

static int stripesAt(double x, double y, double angle, double width)
{
    const double across = -x * sin(angle) + y * cos(angle);
    return (int)floor(across / width) & 1;
}

static void paint(Tracks* tracks, Pattern* pattern, double angle, double width, double half,
                  uint64_t seed)
{
    uint32_t id[crowd];
    double x[crowd], y[crowd];
    for (int32_t f = 0; f <= frames; ++f) {
        const uint64_t stream = thRandomStream(seed, (uint64_t)f, 0, 0);
        thRecordedFrame frame = {.number = f, .count = crowd, .id = id, .x = x, .y = y};
        uint32_t index = 0;
        for (int32_t i = 0; i < crowd; ++i) {
            const int which = i & 1;
            id[i] = (uint32_t)i + 1;
            x[i] = which ? 1e3 : -1e3;
            y[i] = 0.0;
            while (f > 0) {
                x[i] = half * (2.0 * draw(stream, index) - 1.0);
                y[i] = half * (2.0 * draw(stream, index + 1) - 1.0);
                index += 2;
                if (pattern == NULL || pattern(x[i], y[i], angle, width) == which)
                    break;
            }
        }
        assert_true(appGatherFrame(tracks, &frame, 1.0));
    }
    assert_true(appMakeTracks(tracks));
}

static VerifyField fieldOf(double half)
{
    return (VerifyField){.x0 = -half,
                         .y0 = -half,
                         .x1 = half,
                         .y1 = half,
                         .from = 1,
                         .to = frames,
                         .every = 1,
                         .sideX = 1};
}

static void testStripesAreFound(void** state)
{
    (void)state;
    const double half = 8.0, reach = 2.0;
    for (int32_t turn = 0; turn < 12; ++turn)
        for (int32_t step = 0; step < 3; ++step) {
            const double angle = 15.0 * turn, width = 1.2 + 0.4 * step;
            const VerifyField field = fieldOf(half);
            Tracks tracks = {0};
            paint(&tracks, stripesAt, angle * PI / 180.0, width, half, 100 + (uint64_t)turn);
            const VerifyStripes found = verifyStripes(&tracks, &field, reach);
            const double off = fmod(found.angle - angle + 270.0, 180.0) - 90.0;
            assert_true(fabs(off) < 2.0);
            assert_true(found.order > 0.2);
            appFreeTracks(&tracks);
        }
}

static void testNoStripesInAMix(void** state)
{
    (void)state;
    const VerifyField field = fieldOf(8.0), elsewhere = {.x0 = 50, .x1 = 60, .to = 1, .every = 1};
    for (uint64_t seed = 0; seed < 5; ++seed) {
        Tracks tracks = {0};
        paint(&tracks, NULL, 0.0, 1.0, 8.0, seed);
        assert_true(verifyStripes(&tracks, &field, 2.0).order < 0.02);
        assert_true(isnan(verifyStripes(&tracks, &elsewhere, 2.0).angle));
        appFreeTracks(&tracks);
    }
}

// Lanes along x are found, and lots are as far from order as 1 ÷ n is on average; across they are a
// mix.
static void testLanesAreFound(void** state)
{
    (void)state;
    const VerifyField field = fieldOf(8.0);
    Tracks along = {0}, across = {0};
    paint(&along, stripesAt, 0.0, 4.0, 8.0, 1);
    paint(&across, stripesAt, 0.5 * PI, 0.5, 8.0, 2);
    const VerifyLanes laned = verifyLanes(&along, &field, 0.2);
    const VerifyLanes mixed = verifyLanes(&across, &field, 0.2);
    assert_true(laned.order > 0.93);
    assert_true(laned.mixed < 0.35 && laned.mixed > 0.15);
    assert_true(fabs(mixed.order - mixed.mixed) < 0.05);
    appFreeTracks(&along);
    appFreeTracks(&across);
}

// The same order as that of a survey, of people who walk along x.
static void testLanesAreThoseOfSurveys(void** state)
{
    (void)state;
    enum { people = 40, steps = 30 };
    uint32_t id[people];
    double x[people], y[people];
    thRecordedPerson persons[people];
    Tracks tracks = {0};
    thSurveyDef def = thDefaultSurveyDef();
    thSurvey* survey;
    def.rate = 10.0;
    assert_int_equal(thCreateSurvey(&def, &survey, NULL), th_resultOk);
    const uint64_t stream = thRandomStream(5, 0, 0, 0);
    for (int32_t f = 0; f < steps; ++f) {
        for (int32_t i = 0; i < people; ++i) {
            const double way = i & 1 ? -1.0 : 1.0;
            id[i] = (uint32_t)i + 1;
            y[i] = 4.0 * draw(stream, (uint32_t)i);
            x[i] = way * (0.4 * f - 7.0 - 3.0 * draw(stream, (uint32_t)(people + i)));
            persons[i] = (thRecordedPerson){
                .id = id[i], .key = id[i], .radius = 0.2f, .goal = -1, .group = -1, .entry = -1};
        }
        const thRecordedFrame frame = {.number = f, .count = people, .id = id, .x = x, .y = y};
        const thRecording recording = {
            .frame = frame, .people = persons, .personCount = f == 0 ? people : 0};
        assert_int_equal(thSurvey_Add(survey, &recording), th_resultOk);
        assert_true(appGatherFrame(&tracks, &frame, def.rate));
    }
    assert_int_equal(thSurvey_End(survey), th_resultOk);
    assert_true(appMakeTracks(&tracks));
    const VerifyField field = {.x0 = -100,
                               .y0 = -100,
                               .x1 = 100,
                               .y1 = 100,
                               .from = 0.0,
                               .to = 0.1 * (steps - 0.5),
                               .every = 0.1,
                               .sideX = 1};
    const double order = verifyLanes(&tracks, &field, 0.2).order;
    const double other = thSurvey_GetResult(survey).laneOrder;
    assert_true(order > 0.3 && order < 0.95);
    assert_true(isNear(order, other, 1e-9));
    thDestroySurvey(survey);
    appFreeTracks(&tracks);
}

// --- Rows ---

static const VerifyRow* rowOf(const char* name)
{
    for (int32_t i = 0; verifyModels.rows[i] != NULL; ++i)
        if (strcmp(verifyModels.rows[i]->name, name) == 0)
            return verifyModels.rows[i];
    fail_msg("no row %s", name);
    return NULL;
}

static int32_t missedBy(const VerifyRow* row, const VerifyFigures* figures)
{
    VerifyJudgement judgement = {0};
    row->judge(row, figures, &judgement);
    return verifyVerdict(&judgement).missed;
}

// Figures of a row, the same for all cases but what is planted; how many lines are missed.
typedef struct Planted {
    const char* row;
    double figures[verifyMostFigures];
    int32_t oneCase, figure; // that is planted [-1: none]
    double value;
    int32_t missed;
} Planted;

static void testRowsHoldOnlyWhatTheyShould(void** state)
{
    (void)state;
    const Planted planted[] = {
        {"faster", {100, 1}, 5, 0, 120, 0},
        {"faster", {100, 1}, 0, 0, 300, 1}, // faster is faster
        {"faster", {100, 1}, 5, 0, NAN, 1}, // they never get out
        {"faster", {100, 1}, 2, 0, NAN, 1}, // and 5 m/s is no slower than the rest
        {"clogging", {0.5, 1.5, 0, 0, 2.5, 1, 1}, -1, 0, 0, 0},
        {"clogging", {0.5, 1.5, 0, 0, 2.5, 1, 1}, 1, 1, 0.4, 1}, // even gaps
        {"clogging", {0.5, 1.5, 0, 0, 2.5, 1, 1}, 1, 5, -1, 1},  // an exponential tail
        {"clogging", {0.5, 1.5, 0, 0, 2.5, 1, 1}, 0, 1, 0.4, 0}, // at 1 m/s nobody asks
        {"lanes", {0.9, 0.3, 0.5}, -1, 0, 0, 0},
        {"lanes", {0.9, 0.3, 0.5}, 1, 0, 0.4, 2},
        {"lanes", {0.9, 0.3, 0.5}, 0, 1, 0.85, 1}, // so few people that chance does it
        {"oscillation", {-4, 5, 2, 20, 1}, -1, 0, 0, 0},
        {"oscillation", {-4, 5, 2, 20, 1}, 0, 0, 0.2, 1},
        {"oscillation", {-4, 5, 2, 20, 1}, 0, 3, 2, 1}, // first all of one, then all of the other
        {"stripes", {133, 0.2, 0.5}, -1, 0, 0, 0},
        {"stripes", {133, 0.2, 0.5}, 0, 0, 45, 1}, // along the sum of both directions
        {"stripes", {133, 0.2, 0.5}, 1, 1, 0.01, 1},
        {"door-1.2", {1.9, 1}, -1, 0, 0, 0},
        {"door-1.2", {1.9, 1}, 1, 0, 1.1, 1},
        {"door-1.2", {1.9, 1}, 0, 0, NAN, 1},
    };
    for (size_t i = 0; i < sizeof planted / sizeof planted[0]; ++i) {
        const Planted* at = &planted[i];
        const VerifyRow* row = rowOf(at->row);
        VerifyFigures figures;
        for (int32_t k = 0; k < verifyMostCases; ++k)
            memcpy(figures.values[k], at->figures, sizeof at->figures);
        if (at->oneCase >= 0)
            figures.values[at->oneCase][at->figure] = at->value;
        if (missedBy(row, &figures) != at->missed)
            fail_msg("%s, number %d: %d lines are missed, expected %d", at->row, (int)i,
                     (int)missedBy(row, &figures), (int)at->missed);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testRunsOfKnownSequences),
        cmocka_unit_test(testRunsOverAllOrders),
        cmocka_unit_test(testBothWaysEndWithTheFirst),
        cmocka_unit_test(testTailOfPowerLaw),
        cmocka_unit_test(testTailOfOtherLaws),
        cmocka_unit_test(testQuantilesOfSorted),
        cmocka_unit_test(testStripesAreFound),
        cmocka_unit_test(testNoStripesInAMix),
        cmocka_unit_test(testLanesAreFound),
        cmocka_unit_test(testLanesAreThoseOfSurveys),
        cmocka_unit_test(testRowsHoldOnlyWhatTheyShould),
    };
    return RUN_TESTS(tests, argc, argv);
}
