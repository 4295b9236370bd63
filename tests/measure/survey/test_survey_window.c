// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Velocities from the window of a survey, against a plain look at whole tracks.

#include "measure/survey/survey_window.h"

#include "gear/property.h"
#include "measure/survey/survey_gear.h"

#include "base/memory.h"

enum { mostFrames = 60, mostPeople = 9 };

// Everything that is to come, as a table.
typedef struct Table {
    int32_t frameCount, personCount, reach;
    double rate;
    int64_t number[mostFrames];
    bool isThere[mostFrames][mostPeople];
    double x[mostFrames][mostPeople], y[mostFrames][mostPeople];
} Table;

static void drawTable(thGenerator* g, Table* table, int32_t size)
{
    table->frameCount = drawInt(g, 1, 1 + size);
    table->personCount = drawInt(g, 1, mostPeople);
    table->reach = drawInt(g, 1, drawInt(g, 1, 20));
    table->rate = (double)drawInt(g, 1, 30);
    int64_t number = drawInt(g, -100, 100);
    for (int32_t f = 0; f < table->frameCount; ++f) {
        number += drawUnit(g) < 0.1f ? drawInt(g, 2, 40) : 1;
        table->number[f] = number;
        for (int32_t p = 0; p < table->personCount; ++p) {
            const bool was = f > 0 && table->isThere[f - 1][p];
            table->isThere[f][p] = drawUnit(g) < (was ? 0.9f : 0.3f);
            table->x[f][p] = (double)drawFloat(g, -50.0f, 50.0f);
            table->y[f][p] = (double)drawFloat(g, -50.0f, 50.0f);
        }
    }
}

static int64_t distance(const Table* table, int32_t f, int32_t g)
{
    return table->number[f] > table->number[g] ? table->number[f] - table->number[g]
                                               : table->number[g] - table->number[f];
}

// The furthest frame in one direction that counts for somebody.
static int32_t furthest(const Table* table, int32_t f, int32_t p, int32_t direction)
{
    const int64_t second = table->rate > 1.0 ? (int64_t)table->rate : 1;
    int32_t at = f;
    for (;;) {
        const int32_t next = at + direction;
        if (next < 0 || next >= table->frameCount || !table->isThere[next][p] ||
            distance(table, at, next) > second)
            return at;
        if (distance(table, f, next) > table->reach && at != f)
            return at;
        at = next;
    }
}

static bool isAsExpected(const Table* table, const thWindow* window, int32_t f)
{
    const thWindowFrame* frame = thiWindowFrameAt(window, window->next);
    if (frame->number != table->number[f])
        return false;
    for (int32_t i = 0; i < frame->count; ++i) {
        const int32_t p = (int32_t)TH_ITEMS(frame->id, uint32_t)[i] / 1000;
        const int32_t from = furthest(table, f, p, -1), to = furthest(table, f, p, 1);
        const double time = (double)(table->number[to] - table->number[from]) / table->rate;
        const double vx = to > from ? (table->x[to][p] - table->x[from][p]) / time : 0.0;
        const double vy = to > from ? (table->y[to][p] - table->y[from][p]) / time : 0.0;
        if (!isNear(vx, TH_ITEMS(window->vx, double)[i], 1e-9) ||
            !isNear(vy, TH_ITEMS(window->vy, double)[i], 1e-9))
            return false;
    }
    return true;
}

static void push(thWindow* window, const Table* table, int32_t f)
{
    uint32_t id[mostPeople];
    double x[mostPeople], y[mostPeople];
    thRecordedFrame frame = {.number = table->number[f], .id = id, .x = x, .y = y};
    for (int32_t p = 0; p < table->personCount; ++p)
        if (table->isThere[f][p]) {
            id[frame.count] = (uint32_t)p * 1000;
            x[frame.count] = table->x[f][p];
            y[frame.count++] = table->y[f][p];
        }
    assert_int_equal(thiWindowPush(window, &frame), th_resultOk);
}

static bool velocitiesHold(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    static Table table;
    drawTable(g, &table, size);
    thMemory memory;
    const thAllocator allocator = thDefaultAllocator();
    thiMemoryInit(&memory, &allocator, 0);
    thWindow window;
    assert_int_equal(thiWindowInit(&window, &memory, table.rate, table.reach), th_resultOk);
    bool holds = true;
    int32_t shown = 0;
    for (int32_t f = 0; f <= table.frameCount; ++f) {
        if (f < table.frameCount)
            push(&window, &table, f);
        while (thiWindowIsReady(&window, f == table.frameCount)) {
            assert_int_equal(thiWindowMeasure(&window), th_resultOk);
            holds = holds && isAsExpected(&table, &window, shown++);
            thiWindowAdvance(&window);
        }
        holds = holds && window.count <= 2 * table.reach + 3;
    }
    thiWindowFree(&window);
    return holds && shown == table.frameCount && memory.bytes == 0;
}

static void testVelocities(void** state)
{
    (void)state;
    assertProperty(
        &(thProperty){"survey velocities", 1, 3000, mostFrames - 1, velocitiesHold, NULL});
}

// As in measurements of real people: |x(f+n) − x(f−n)| ÷ (2n/rate), cut at the ends of the track.
static void testFormula(void** state)
{
    (void)state;
    thSurveyDef def = defWithRate(16.0); // so five frames
    Sightings sightings = {0};
    enum { count = 40 };
    double x[count];
    for (int32_t f = 0; f < count; ++f) {
        x[f] = sin(0.3 * f) + 0.1 * f;
        see(&sightings, f, 1, x[f], 0.0);
    }
    double sum = 0.0, greatest = 0.0;
    for (int32_t f = 0; f < count; ++f) {
        const int32_t from = f > 5 ? f - 5 : 0, to = f + 5 < count ? f + 5 : count - 1;
        const double speed = fabs(x[to] - x[from]) / ((to - from) / 16.0);
        sum += speed;
        greatest = fmax(greatest, speed);
    }
    const thSurveyResult result = figuresOf(&def, &sightings);
    assert_int_equal(result.speed.count, count);
    assert_near(result.speed.mean, sum / count, 1e-12);
    assert_near(result.speed.greatest, greatest, 1e-12);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testVelocities),
        cmocka_unit_test(testFormula),
    };
    return RUN_TESTS(tests, argc, argv);
}
