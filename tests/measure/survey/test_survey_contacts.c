// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Overlaps, nearest people and walls, against what is known and against plain searches.

#include "gear/property.h"
#include "measure/survey/survey_gear.h"

#include "base/memory.h"

#include <stdlib.h>

// Two people overlap twice, with known depths and times.
static void testKnown(void** state)
{
    (void)state;
    const thSurveyDef def = defWithRate(10.0);
    Sightings sightings = {0};
    tell(&sightings, personWith(1, 0.25f));
    tell(&sightings, personWith(2, 0.25f));
    for (int32_t f = 0; f < 100; ++f) {
        double distance = 2.0;
        if (f >= 10 && f < 20)
            distance = f == 14 ? 0.3 : 0.4; // depth 0.2 and 0.1 of 0.5
        if (f >= 40 && f < 70)
            distance = 0.45;
        if (f == 80)
            distance = 0.4951; // 0.98 %: does not count
        if (f == 90)
            distance = 0.4949;
        see(&sightings, f, 1, 0.0, 0.0);
        see(&sightings, f, 2, 0.0, distance);
    }
    const thSurveyResult result = figuresOf(&def, &sightings);
    assert_int_equal(result.contacts, 3);
    assert_near(result.pairsPerFrame, 41.0 / 100.0, 1e-12);
    assert_near(result.contactTime.least, 0.1, 1e-9);
    assert_near(result.contactTime.median, 1.0, 1e-9);
    assert_near(result.contactTime.greatest, 3.0, 1e-9);
    assert_near(result.contactDepth.greatest, 0.4, 1e-9);
    assert_near(result.contactDepth.median, 0.1, 1e-9);
    assert_near(result.nearest.least, 0.3, 1e-9);
    assert_int_equal(result.nearest.count, 200);
}

// Contacts end when one of two is away, and when nothing was recorded for long.
static void testBreaks(void** state)
{
    (void)state;
    const thSurveyDef def = defWithRate(2.0);
    Sightings sightings = {0};
    for (int32_t f = 0; f < 30; ++f) {
        if (f >= 20 && f < 25)
            continue;
        see(&sightings, f, 1, 0.0, 0.0);
        if (f != 10)
            see(&sightings, f, 2, 0.1, 0.0);
    }
    const thSurveyResult result = figuresOf(&def, &sightings);
    assert_int_equal(result.contacts, 3);
    assert_near(result.contactTime.greatest, 5.0, 1e-12);
}

// A random crowd on some floors, in one frame or a few.
typedef struct Crowd {
    int32_t count, frames;
    double x[3][400], y[3][400];
    float radius[400];
    int32_t level[400];
} Crowd;

static void drawCrowd(thGenerator* g, Crowd* crowd, int32_t size)
{
    crowd->count = drawInt(g, 1, 1 + size);
    crowd->frames = drawInt(g, 1, 3);
    const float width = (float)pow(10.0, (double)drawFloat(g, -1.0f, 5.0f));
    const int32_t kind = drawInt(g, 0, 3), floors = drawInt(g, 1, 3);
    const float radius = drawFloat(g, 0.05f, drawUnit(g) < 0.2f ? 3.0f : 0.4f);
    for (int32_t i = 0; i < crowd->count; ++i) {
        crowd->radius[i] = radius * drawFloat(g, 0.5f, 1.0f);
        crowd->level[i] = 300 * drawInt(g, 0, floors - 1);
        double x = (double)drawFloat(g, -width, width), y = (double)drawFloat(g, -width, width);
        if (kind == 1) { // on a lattice, many in one place and at equal distances
            x = floor(x);
            y = floor(y);
        } else if (kind == 2 && i % 2 == 0) { // half of them in a heap
            x = 1e5 + (double)drawUnit(g) * 5.0;
            y = (double)drawUnit(g) * 5.0;
        } else if (kind == 3) { // in a row
            y = 7.0;
        }
        for (int32_t f = 0; f < crowd->frames; ++f) {
            crowd->x[f][i] = x + (double)drawFloat(g, -0.1f, 0.1f) * (kind != 1);
            crowd->y[f][i] = y + (double)drawFloat(g, -0.1f, 0.1f) * (kind != 1);
        }
    }
}

static double distanceOf(const Crowd* crowd, int32_t f, int32_t i, int32_t j)
{
    const double dx = crowd->x[f][i] - crowd->x[f][j], dy = crowd->y[f][i] - crowd->y[f][j];
    return sqrt(dx * dx + dy * dy);
}

static double depthOf(const Crowd* crowd, int32_t f, int32_t i, int32_t j)
{
    const double sum = (double)crowd->radius[i] + (double)crowd->radius[j];
    const double depth = (sum - distanceOf(crowd, f, i, j)) / sum;
    return crowd->level[i] == crowd->level[j] && depth > 0.01 ? depth : 0.0;
}

typedef struct Expected {
    uint64_t pairs, contacts, nearestCount;
    double depths, nearest, least, greatest;
} Expected;

static void expectContacts(const Crowd* crowd, int32_t i, int32_t j, Expected* expected)
{
    double depth = 0.0;
    for (int32_t f = 0; f <= crowd->frames; ++f) {
        const double now = f < crowd->frames ? depthOf(crowd, f, i, j) : 0.0;
        expected->pairs += now > 0.0;
        if (now > 0.0) {
            depth = fmax(depth, now);
        } else if (depth > 0.0) {
            expected->contacts += 1;
            expected->depths += depth;
            depth = 0.0;
        }
    }
}

static Expected expect(const Crowd* crowd)
{
    Expected expected = {.least = INFINITY};
    for (int32_t i = 0; i < crowd->count; ++i) {
        for (int32_t j = i + 1; j < crowd->count; ++j)
            expectContacts(crowd, i, j, &expected);
        for (int32_t f = 0; f < crowd->frames; ++f) {
            double nearest = INFINITY;
            for (int32_t j = 0; j < crowd->count; ++j)
                if (j != i && crowd->level[i] == crowd->level[j])
                    nearest = fmin(nearest, distanceOf(crowd, f, i, j));
            if (nearest == INFINITY)
                continue;
            expected.nearestCount += 1;
            expected.nearest += nearest;
            expected.least = fmin(expected.least, nearest);
            expected.greatest = fmax(expected.greatest, nearest);
        }
    }
    return expected;
}

static bool contactsHold(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    static Crowd crowd;
    drawCrowd(g, &crowd, size);
    const Expected expected = expect(&crowd);
    Sightings sightings = {0};
    for (int32_t i = 0; i < crowd.count; ++i) {
        thRecordedPerson person = personWith((uint32_t)(i * 7919 % 100003), crowd.radius[i]);
        person.level = crowd.level[i];
        tell(&sightings, person);
        for (int32_t f = 0; f < crowd.frames; ++f)
            see(&sightings, f, person.id, crowd.x[f][i], crowd.y[f][i]);
    }
    const thSurveyDef def = defWithRate(10.0);
    const thSurveyResult result = figuresOf(&def, &sightings);
    const double count = (double)expected.nearestCount;
    return isNear(result.pairsPerFrame * crowd.frames, (double)expected.pairs, 1e-6) &&
           result.contacts == expected.contacts && result.nearest.count == expected.nearestCount &&
           isNear(result.contactDepth.mean * (double)expected.contacts, expected.depths, 1e-6) &&
           (count == 0.0 ||
            (isNear(result.nearest.mean, expected.nearest / count, 1e-9 * expected.greatest) &&
             result.nearest.least == expected.least &&
             result.nearest.greatest == expected.greatest));
}

static void testBruteForce(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"survey contacts", 4, 600, 399, contactsHold, NULL});
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testKnown),
        cmocka_unit_test(testBreaks),
        cmocka_unit_test(testBruteForce),
    };
    return RUN_TESTS(tests, argc, argv);
}
