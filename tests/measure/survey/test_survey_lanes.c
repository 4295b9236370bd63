// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Lanes and turning about the middle, where known and against plain counts.

#include "gear/property.h"
#include "measure/survey/survey_gear.h"

#define RATE 10.0

// Somebody who walks at an even speed; in the middle of the frames it is at (x, y).
typedef struct Walker {
    double x, y, vx, vy;
    float radius;
    int32_t level;
} Walker;

enum { frameCount = 7, mostWalkers = 300 };

static thSurveyResult surveyWalkers(const Walker* walkers, int32_t count, int32_t frames)
{
    const thSurveyDef def = defWithRate(RATE);
    Sightings sightings = {0};
    for (int32_t i = 0; i < count; ++i) {
        thRecordedPerson person = personWith((uint32_t)i, walkers[i].radius);
        person.level = walkers[i].level;
        tell(&sightings, person);
        for (int32_t f = 0; f < frames; ++f) {
            const double time = (f - frames / 2) / RATE;
            see(&sightings, f, (uint32_t)i, walkers[i].x + walkers[i].vx * time,
                walkers[i].y + walkers[i].vy * time);
        }
    }
    return figuresOf(&def, &sightings);
}

// Lanes 0.5 m apart whose people walk behind each other: every one is as ordered as can be.
static void testOrdered(void** state)
{
    (void)state;
    Walker walkers[mostWalkers];
    for (int32_t i = 0; i < mostWalkers; ++i) {
        const int32_t lane = i % 10;
        walkers[i] = (Walker){1.0 * (i / 10), 0.5 * lane, lane % 2 == 0 ? 1.3 : -1.3, 0.0, 0.2f, 0};
    }
    assert_near(surveyWalkers(walkers, mostWalkers, frameCount).laneOrder, 1.0, 1e-12);
}

// In one line, those who come and those who go take turns on a ring of places, 1 m apart: within
// 5 m each one has 4 of its own (at 2 and 4 m) and 6 of the others (at 1, 3 and 5 m).
static void testAlternating(void** state)
{
    (void)state;
    // Seen in one frame people have no velocity. Speeds of 0.1 m/s make it nearly one: nobody
    // reaches another's 5 m, because distances are 0.99 m.
    enum { count = 200 };
    Walker walkers[count];
    for (int32_t i = 0; i < count; ++i)
        walkers[i] = (Walker){0.99 * i, 0.0, i % 2 == 0 ? 0.11 : -0.11, 0.0, 0.2f, 0};
    double expected = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        int32_t same = 0, opposite = 0;
        for (int32_t j = i - 5; j <= i + 5; ++j)
            if (j >= 0 && j < count && j != i)
                *((j - i) % 2 == 0 ? &same : &opposite) += 1;
        expected += pow((double)(same - opposite) / (same + opposite), 2.0) / count;
    }
    assert_near(expected, 0.04, 0.01);
    assert_near(surveyWalkers(walkers, count, 3).laneOrder, expected, 1e-9);
}

// On a ring people who all go round it have all momentum there can be, and those who go straight
// through its middle none. Those who stand do not count, wherever they are.
static void testTurning(void** state)
{
    (void)state;
    enum { count = 40 };
    const double signs[] = {1.0, -1.0, 0.0};
    for (int32_t k = 0; k < 3; ++k) {
        Walker walkers[count + 1];
        for (int32_t i = 0; i < count; ++i) {
            const double angle = 2.0 * acos(-1.0) * i / count, x = cos(angle), y = sin(angle);
            const double around = 1.2 * signs[k], in = signs[k] == 0.0 ? 1.2 : 0.0;
            walkers[i] = (Walker){50.0 + 20.0 * x,     20.0 * y, -around * y - in * x,
                                  around * x - in * y, 0.2f,     0};
        }
        walkers[count] = (Walker){500.0, 0.0, 0.05, 0.0, 0.2f, 0};
        // A tenth of a second off the middle frame they are not quite on the ring any more.
        assert_near(surveyWalkers(walkers, count + 1, 3).angularMomentum, signs[k], 1e-4);
    }
}

static double plainOrder(const Walker* walkers, int32_t count, double time)
{
    double sum = 0.0;
    int32_t counted = 0;
    for (int32_t i = 0; i < count; ++i) {
        const Walker* a = &walkers[i];
        const double speed = sqrt(a->vx * a->vx + a->vy * a->vy);
        int32_t same = 0, opposite = 0;
        for (int32_t j = 0; j < count && speed >= 0.1; ++j) {
            const Walker* b = &walkers[j];
            const double dx = b->x - a->x + time * (b->vx - a->vx);
            const double dy = b->y - a->y + time * (b->vy - a->vy);
            const double aside = (dx * a->vy - dy * a->vx) / speed;
            const double ahead = (dx * a->vx + dy * a->vy) / speed;
            if (j == i || a->level != b->level || sqrt(b->vx * b->vx + b->vy * b->vy) < 0.1 ||
                fabs(aside) > (double)a->radius || fabs(ahead) > 5.0)
                continue;
            *(a->vx * b->vx + a->vy * b->vy > 0.0 ? &same : &opposite) += 1;
        }
        if (same + opposite == 0)
            continue;
        sum += pow((double)(same - opposite) / (same + opposite), 2.0);
        counted += 1;
    }
    return counted > 0 ? sum / counted : -1.0;
}

static bool isWalking(const Walker* walker)
{
    return sqrt(walker->vx * walker->vx + walker->vy * walker->vy) >= 0.1;
}

// −2: fewer than two walk.
static double plainMomentum(const Walker* walkers, int32_t count, double time)
{
    double x = 0.0, y = 0.0, sum = 0.0;
    int32_t walking = 0;
    for (int32_t i = 0; i < count; ++i) {
        x += isWalking(&walkers[i]) ? walkers[i].x + time * walkers[i].vx : 0.0;
        y += isWalking(&walkers[i]) ? walkers[i].y + time * walkers[i].vy : 0.0;
        walking += isWalking(&walkers[i]);
    }
    for (int32_t i = 0; i < count; ++i) {
        const Walker* own = &walkers[i];
        const double dx = own->x + time * own->vx - x / walking;
        const double dy = own->y + time * own->vy - y / walking;
        if (isWalking(own))
            sum += (dx * own->vy - dy * own->vx) / (hypot(dx, dy) * hypot(own->vx, own->vy));
    }
    return walking >= 2 ? sum / walking : -2.0;
}

static bool orderHolds(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Walker walkers[mostWalkers];
    const int32_t count = drawInt(g, 1, 1 + size), floors = drawInt(g, 1, 2);
    const float width = drawFloat(g, 1.0f, drawUnit(g) < 0.2f ? 2000.0f : 15.0f);
    const float radius = drawUnit(g) < 0.2f ? 4.0f : 0.3f;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t kind = drawInt(g, 0, 3);
        walkers[i] =
            (Walker){(double)drawFloat(g, -width, width), (double)drawFloat(g, -width, width),
                     (double)drawFloat(g, -1.5f, 1.5f),   (double)drawFloat(g, -1.5f, 1.5f),
                     radius * drawFloat(g, 0.5f, 1.0f),   drawInt(g, 0, floors - 1)};
        if (kind == 0)
            walkers[i].vx = 0.0;
        else if (kind == 1)
            walkers[i].vy = 0.0;
        else if (kind == 2 && i % 5 == 0)
            walkers[i].vx = walkers[i].vy = 0.02;
    }
    double sum = 0.0, momentum = 0.0;
    int32_t frames = 0;
    for (int32_t f = 0; f < frameCount; ++f) {
        const double time = (f - frameCount / 2) / RATE;
        const double order = plainOrder(walkers, count, time);
        sum += order >= 0.0 ? order : 0.0;
        frames += order >= 0.0;
        momentum += plainMomentum(walkers, count, time) / frameCount;
    }
    const thSurveyResult result = surveyWalkers(walkers, count, frameCount);
    if (momentum < -1.5 ? !isnan(result.angularMomentum)
                        : !isNear(result.angularMomentum, momentum, 1e-6))
        return false;
    // Who is just on the edge may fall on either side.
    const double order = result.laneOrder;
    return frames > 0 ? isNear(order, sum / frames, 1e-9) : isnan(order);
}

static void testBruteForce(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"survey lanes", 6, 400, mostWalkers - 1, orderHolds, NULL});
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testOrdered),
        cmocka_unit_test(testAlternating),
        cmocka_unit_test(testTurning),
        cmocka_unit_test(testBruteForce),
    };
    return RUN_TESTS(tests, argc, argv);
}
