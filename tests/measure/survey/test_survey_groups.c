// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Groups: how close they keep, how neighbours walk and when all have left, where known, against
// plain counts, and of real people.

#include "gear/property.h"
#include "measure/survey/survey_gear.h"

#include <stdio.h>

#define RATE 10.0
#define UCY THRONG_SHARED_DATA "/trajectories_eth_ucy/"

static thRecordedPerson member(uint32_t id, int32_t group)
{
    thRecordedPerson person = personWith(id, 0.2f);
    person.group = group;
    return person;
}

// Two groups, of which one is alone for a while, and people without a group.
static void testDistances(void** state)
{
    (void)state;
    const thSurveyDef def = defWithRate(RATE);
    Sightings sightings = {0};
    tell(&sightings, member(1, 7));
    tell(&sightings, member(2, INT32_MAX));
    tell(&sightings, member(3, 7));
    tell(&sightings, member(4, -1));
    tell(&sightings, member(5, INT32_MAX));
    tell(&sightings, member(6, INT32_MAX));
    for (int32_t f = 0; f < 10; ++f) {
        see(&sightings, f, 1, 1e6, f);
        if (f < 4)
            see(&sightings, f, 3, 1e6 + 3.0, f + 4.0); // 5 m from 1: each 2.5 m from the centre
        see(&sightings, f, 4, 0.0, 0.0);
        // A triangle of edges of √3 about a centre, 1 m from it.
        see(&sightings, f, 2, 1.0, 0.0);
        see(&sightings, f, 5, -0.5, sqrt(0.75));
        see(&sightings, f, 6, -0.5, -sqrt(0.75));
    }
    const thSurveyResult result = figuresOf(&def, &sightings);
    assert_near(result.groupDispersion, (8 * 2.5 + 30 * 1.0) / 38.0, 1e-9);
    assert_near(result.groupNearest.mean, (8 * 5.0 + 30 * sqrt(3.0)) / 38.0, 1e-9);
    assert_true(isnan(result.groupAbreast)); // nobody walks near another
}

// Fellows on another floor are not near.
static void testFloors(void** state)
{
    (void)state;
    const thSurveyDef def = defWithRate(RATE);
    Sightings sightings = {0};
    for (uint32_t id = 0; id < 3; ++id) {
        thRecordedPerson person = member(id, 0);
        person.level = id == 1 ? 1 : 0;
        tell(&sightings, person);
        see(&sightings, 0, id, id, 0.0);
    }
    assert_near(figuresOf(&def, &sightings).groupNearest.mean, 2.0, 1e-12);
}

// Two who walk at 1 m/s along a direction; the other one stands so far off and at such an angle to
// the way, and goes so fast.
static thSurveyResult walkAt(double way, double distance, double angle, double speed)
{
    const thSurveyDef def = defWithRate(RATE);
    Sightings sightings = {0};
    tell(&sightings, member(1, 3));
    tell(&sightings, member(2, 3));
    for (int32_t f = -1; f <= 1; ++f) {
        const double on = f / RATE, x = cos(way), y = sin(way);
        see(&sightings, f + 1, 1, on * x, on * y);
        // In the outer frames it is a little further on, or behind.
        see(&sightings, f + 1, 2, distance * cos(way + angle) + speed * on * x,
            distance * sin(way + angle) + speed * on * y);
    }
    return figuresOf(&def, &sightings);
}

static void testFormations(void** state)
{
    (void)state;
    const double degree = acos(-1.0) / 180.0;
    for (double way = 0.1; way < 6.3; way += 0.7) {
        for (double turn = 0.0; turn < 360.0; turn += 180.0) {
            const double signs[] = {1.0, -1.0};
            for (int32_t k = 0; k < 2; ++k) {
                const double to = turn * degree, sign = signs[k] * degree;
                const thSurveyResult file = walkAt(way, 1.0, to + 29.0 * sign, 1.0);
                assert_near(file.groupFile, 1.0, 0.0);
                assert_near(file.groupAbreast, 0.0, 0.0);
                const thSurveyResult between = walkAt(way, 1.0, to + 31.0 * sign, 1.0);
                assert_near(between.groupFile, 0.0, 0.0);
                assert_near(between.groupAbreast, 0.0, 0.0);
                assert_near(walkAt(way, 1.0, to + 59.0 * sign, 1.0).groupAbreast, 0.0, 0.0);
                assert_near(walkAt(way, 1.0, to + 61.0 * sign, 1.0).groupAbreast, 1.0, 0.0);
            }
        }
        // Who is too far off, stands, or comes against the other is no neighbour.
        assert_near(walkAt(way, 2.9, 90.0 * degree, 1.0).groupAbreast, 1.0, 0.0);
        assert_true(isnan(walkAt(way, 3.1, 90.0 * degree, 1.0).groupAbreast));
        assert_near(walkAt(way, 1.0, 90.0 * degree, 0.11).groupAbreast, 1.0, 0.0);
        assert_true(isnan(walkAt(way, 1.0, 90.0 * degree, 0.09).groupAbreast));
        assert_true(isnan(walkAt(way, 1.0, 90.0 * degree, -1.0).groupAbreast));
    }
}

// Three in a row, and one ahead of the last, who is its nearest and whose nearest it is: three
// pairs.
static void testPairs(void** state)
{
    (void)state;
    const thSurveyDef def = defWithRate(RATE);
    const double x[] = {0.0, 1.1, 2.1, 2.2}, y[] = {0.0, 0.0, 0.0, 0.9};
    Sightings sightings = {0};
    for (uint32_t id = 0; id < 4; ++id) {
        tell(&sightings, member(id, 0));
        for (int32_t f = 0; f < 2; ++f)
            see(&sightings, f, id, x[id], y[id] + f / RATE);
    }
    const thSurveyResult result = figuresOf(&def, &sightings);
    assert_near(result.groupAbreast, 2.0 / 3.0, 1e-12);
    assert_near(result.groupFile, 1.0 / 3.0, 1e-12);
}

// Who leaves when: groups of which somebody is there in the last frame do not count.
static void testDepartures(void** state)
{
    (void)state;
    const thSurveyDef def = defWithRate(RATE);
    static const struct {
        int32_t group, last;
    } people[] = {{1, 10}, {1, 14}, {1, 40}, {2, 20}, {2, 20}, {3, 30}, {4, 5}, {4, 50}, {-1, 49}};
    Sightings sightings = {0};
    for (uint32_t id = 0; id < sizeof people / sizeof people[0]; ++id) {
        tell(&sightings, member(id, people[id].group));
        for (int32_t f = 0; f <= people[id].last; ++f)
            see(&sightings, f, id, id, 0.0);
    }
    thSpread spread = figuresOf(&def, &sightings).groupDeparture;
    assert_int_equal(spread.count, 2);
    assert_near(spread.mean, 1.5, 1e-12);
    assert_near(spread.greatest, 3.0, 1e-12);
    assert_near(spread.least, 0.0, 0.0);
    // The last ones leave and a frame without anybody follows.
    sightings = (Sightings){0};
    tell(&sightings, member(1, 0));
    tell(&sightings, member(2, 0));
    for (int32_t f = 0; f < 5; ++f)
        see(&sightings, f, 1, 0.0, 0.0);
    see(&sightings, 0, 2, 1.0, 0.0);
    thSurvey* survey = createSurvey(&def);
    assert_int_equal(showSightings(survey, &sightings), th_resultOk);
    const thRecording nobody = {.frame = {.number = 5}};
    assert_int_equal(thSurvey_Add(survey, &nobody), th_resultOk);
    assert_int_equal(thSurvey_End(survey), th_resultOk);
    spread = thSurvey_GetResult(survey).groupDeparture;
    assert_int_equal(spread.count, 1);
    assert_near(spread.mean, 0.4, 1e-12);
    thDestroySurvey(survey);
    freeSightings(&sightings);
}

// --- Against plain counts ---

enum { mostPeople = 120, frameCount = 3 };

typedef struct Person {
    double x, y, vx, vy;
    int32_t group, level;
} Person;

typedef struct Plain {
    double nearest;
    int32_t members, pairs, abreast, file;
} Plain;

static double speedOf(const Person* person)
{
    return hypot(person->vx, person->vy);
}

// What one who has a nearest fellow adds to pairs.
static void countPair(const Person* a, const Person* b, double dx, double dy, Plain* plain)
{
    const double distance = hypot(dx, dy);
    if (speedOf(a) < 0.1 || speedOf(b) < 0.1 || distance > 3.0 ||
        a->vx * b->vx + a->vy * b->vy <= 0.0)
        return;
    const double way =
        atan2(a->vy / speedOf(a) + b->vy / speedOf(b), a->vx / speedOf(a) + b->vx / speedOf(b));
    const double degrees =
        fabs(remainder(atan2(dy, dx) - way, acos(-1.0))) * 180.0 / acos(-1.0); // 0 .. 90
    plain->pairs += 1;
    plain->abreast += degrees > 60.0;
    plain->file += degrees < 30.0;
}

static int32_t nearestOf(const Person* people, int32_t count, int32_t own, double time,
                         double* least)
{
    int32_t nearest = -1;
    *least = INFINITY;
    for (int32_t j = 0; j < count; ++j) {
        const Person *a = &people[own], *b = &people[j];
        if (j == own || b->group != a->group || b->level != a->level || a->group < 0)
            continue;
        const double distance =
            hypot(b->x - a->x + time * (b->vx - a->vx), b->y - a->y + time * (b->vy - a->vy));
        if (distance < *least) {
            *least = distance;
            nearest = j;
        }
    }
    return nearest;
}

static void countPlain(const Person* people, int32_t count, double time, Plain* plain)
{
    double least, unused;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t j = nearestOf(people, count, i, time, &least);
        if (j < 0)
            continue;
        plain->nearest += least;
        plain->members += 1;
        if (j < i && nearestOf(people, count, j, time, &unused) == i)
            continue;
        const Person *a = &people[i], *b = &people[j];
        countPair(a, b, b->x - a->x + time * (b->vx - a->vx), b->y - a->y + time * (b->vy - a->vy),
                  plain);
    }
}

static bool isShare(double share, int32_t of, int32_t all)
{
    return all > 0 ? isNear(share, (double)of / all, 1e-12) : isnan(share);
}

static bool groupsHold(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Person people[mostPeople];
    const int32_t count = drawInt(g, 1, 1 + size), groups = drawInt(g, 1, 1 + size / 3);
    const float width = drawFloat(g, 1.0f, 20.0f), height = drawFloat(g, 1.0f, 20.0f);
    const int32_t floors = drawInt(g, 1, 2);
    const thSurveyDef def = defWithRate(RATE);
    Sightings sightings = {0};
    for (int32_t i = 0; i < count; ++i) {
        const bool isSlow = drawUnit(g) < 0.1f;
        const float fastest = isSlow ? 0.05f : 1.5f;
        people[i] = (Person){(double)drawFloat(g, -width, width),
                             (double)drawFloat(g, -height, height),
                             (double)drawFloat(g, -fastest, fastest),
                             (double)drawFloat(g, -fastest, fastest),
                             drawInt(g, -1, groups - 1),
                             drawInt(g, 0, floors - 1)};
        thRecordedPerson person = member((uint32_t)i, people[i].group);
        person.level = people[i].level;
        tell(&sightings, person);
    }
    Plain plain = {0};
    for (int32_t f = 0; f < frameCount; ++f) {
        const double time = (f - frameCount / 2) / RATE;
        countPlain(people, count, time, &plain);
        for (int32_t i = 0; i < count; ++i)
            see(&sightings, f, (uint32_t)i, people[i].x + people[i].vx * time,
                people[i].y + people[i].vy * time);
    }
    const thSurveyResult result = figuresOf(&def, &sightings);
    const thSpread* nearest = &result.groupNearest;
    return nearest->count == (uint64_t)plain.members &&
           (plain.members == 0 || isNear(nearest->mean, plain.nearest / plain.members, 1e-9)) &&
           isShare(result.groupAbreast, plain.abreast, plain.pairs) &&
           isShare(result.groupFile, plain.file, plain.pairs);
}

static void testBruteForce(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"survey groups", 9, 400, mostPeople - 1, groupsHold, NULL});
}

// --- Real people ---

// Who walks with whom: a line for each group. A first line with one number is their count, which is
// nobody's group.
static bool tellGroups(Sightings* sightings, const char* path)
{
    FILE* file = fopen(path, "r");
    if (file == NULL)
        return false;
    char line[512];
    for (int32_t group = 0; fgets(line, sizeof line, file) != NULL; ++group) {
        unsigned id;
        int used, count = 0;
        for (const char* at = line; sscanf(at, "%u%n", &id, &used) == 1; at += used)
            count += 1;
        for (const char* at = line; count > 1 && sscanf(at, "%u%n", &id, &used) == 1; at += used)
            tell(sightings, member(id, group));
    }
    fclose(file);
    return true;
}

// Lines `frame id x z y …`, ten frames apart at 25 frames in a second.
static bool seeReal(Sightings* sightings, const char* path)
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

// Real groups walk side by side, closer to each other than arms reach, and leave within seconds.
static void testReal(void** state)
{
    (void)state;
    static const char* const names[] = {"students03", "zara02"};
    for (int32_t k = 0; k < 2; ++k) {
        char path[512];
        Sightings sightings = {0};
        snprintf(path, sizeof path, UCY "%s/groups.txt", names[k]);
        const bool hasGroups = tellGroups(&sightings, path);
        snprintf(path, sizeof path, UCY "%s/obsmat.txt", names[k]);
        if (!hasGroups || !seeReal(&sightings, path)) {
            freeSightings(&sightings);
            print_message("%s is not there\n", path);
            skip();
        }
        const thSurveyDef def = defWithRate(25.0);
        const thSurveyResult result = figuresOf(&def, &sightings);
        assert_near(result.groupNearest.mean, 0.76, 0.02);
        assert_near(result.groupNearest.median, 0.67, 0.05);
        assert_true(result.groupAbreast > 0.5 && result.groupAbreast < 0.7);
        assert_true(result.groupFile > 0.05 && result.groupFile < 0.2);
        assert_true(result.groupDeparture.median < 1.0);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testDistances),  cmocka_unit_test(testFloors),
        cmocka_unit_test(testFormations), cmocka_unit_test(testPairs),
        cmocka_unit_test(testDepartures), cmocka_unit_test(testBruteForce),
        cmocka_unit_test(testReal),
    };
    return RUN_TESTS(tests, argc, argv);
}
