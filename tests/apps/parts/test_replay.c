// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Tracks of people, against plain lists, and the numbers by which two distributions are compared.

#include "gear/gear.h"
#include "gear/property.h"
#include "replay/against.h"
#include "replay/tracks.h"

#include <math.h>
#include <stdlib.h>

// --- Tracks ---

enum { mostPeople = 12, mostFrames = 60 };

// Who is in which frame, and where.
typedef struct Plan {
    bool isThere[mostFrames][mostPeople];
    double x[mostFrames][mostPeople], y[mostFrames][mostPeople];
    uint32_t ids[mostPeople];
} Plan;

static void gather(const Plan* plan, int32_t frames, double rate, Tracks* tracks)
{
    for (int32_t f = 0; f < frames; ++f) {
        uint32_t id[mostPeople];
        double x[mostPeople], y[mostPeople];
        thRecordedFrame frame = {.number = 3 * f - 20, .id = id, .x = x, .y = y};
        for (int32_t i = 0; i < mostPeople; ++i) {
            if (!plan->isThere[f][i])
                continue;
            id[frame.count] = plan->ids[i];
            x[frame.count] = plan->x[f][i];
            y[frame.count++] = plan->y[f][i];
        }
        assert_true(appGatherFrame(tracks, &frame, rate));
    }
    assert_true(appMakeTracks(tracks));
}

// Everybody's points are those of the frames it is in, and in between it is on the line.
static bool trackHolds(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    static Plan plan;
    const int32_t frames = drawInt(g, 1, mostFrames * (1 + size) / (2 + size));
    const double rate = (double)drawFloat(g, 0.5f, 30.0f);
    for (int32_t i = 0; i < mostPeople; ++i)
        plan.ids[i] = i == mostPeople - 1 ? UINT32_MAX : 5 * (uint32_t)i;
    for (int32_t f = 0; f < frames; ++f)
        for (int32_t i = 0; i < mostPeople; ++i) {
            plan.isThere[f][i] = drawInt(g, 0, 3) > 0;
            plan.x[f][i] = (double)drawFloat(g, -9.0f, 9.0f);
            plan.y[f][i] = (double)drawFloat(g, -9.0f, 9.0f);
        }
    Tracks tracks = {0};
    gather(&plan, frames, rate, &tracks);
    bool holds = tracks.frames == frames && isNear(tracks.firstTime, -20 / rate, 1e-12) &&
                 appFindTrack(&tracks, 7) == NULL;
    for (int32_t i = 0; i < mostPeople && holds; ++i) {
        const Track* track = appFindTrack(&tracks, plan.ids[i]);
        int32_t at = 0, before = -1;
        for (int32_t f = 0; f < frames && holds; ++f) {
            if (!plan.isThere[f][i])
                continue;
            holds = track != NULL && at < track->count && track->points[at].x == plan.x[f][i] &&
                    track->points[at].y == plan.y[f][i] &&
                    isNear(track->points[at].time, (3 * f - 20) / rate, 1e-9);
            if (holds && before >= 0) { // a third of the way
                const double from = track->points[at - 1].time, to = track->points[at].time;
                const thPlace place = appPlaceAt(track, from + (to - from) / 3.0);
                holds = isNear(place.x, (2.0 * plan.x[before][i] + plan.x[f][i]) / 3.0, 1e-9) &&
                        isNear(place.y, (2.0 * plan.y[before][i] + plan.y[f][i]) / 3.0, 1e-9);
            }
            before = f;
            at += 1;
        }
        holds = holds && (track == NULL ? at == 0 : track->count == at);
    }
    appFreeTracks(&tracks);
    return holds;
}

static void testTracks(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"tracks", 1, 200, 50, trackHolds, NULL});
}

// Beyond its ends a track stays where it was; speeds are over as much of the window as there is.
static void testEnds(void** state)
{
    (void)state;
    static const TrackPoint points[] = {{1.0, 0.0, 0.0}, {2.0, 2.0, 0.0}, {4.0, 2.0, 6.0}};
    const Track track = {.id = 1, .points = points, .count = 3};
    const Track one = {.id = 2, .points = points, .count = 1};
    assert_true(appPlaceAt(&track, -5.0).x == 0.0 && appPlaceAt(&track, 9.0).y == 6.0);
    assert_true(appPlaceAt(&one, 3.0).x == 0.0);
    assert_near(appSpeedAt(&track, 1.5, 1.0), 2.0, 1e-12);
    assert_near(appSpeedAt(&track, 1.0, 1.0), 2.0, 1e-12); // from 1 to 1.5 s
    assert_near(appSpeedAt(&track, 4.0, 1.0), 3.0, 1e-12);
    assert_near(appSpeedAt(&track, 2.0, 2.0), hypot(2.0, 3.0) / 2.0, 1e-12);
    assert_true(appSpeedAt(&one, 1.0, 1.0) == 0.0 && appSpeedAt(&track, 9.0, 1.0) == 0.0);
}

static void testNobody(void** state)
{
    (void)state;
    Tracks tracks = {0};
    const thRecordedFrame frame = {.number = 4};
    assert_true(appGatherFrame(&tracks, &frame, 2.0));
    assert_true(appMakeTracks(&tracks));
    assert_true(tracks.count == 0 && tracks.firstTime == 2.0);
    assert_null(appFindTrack(&tracks, 0));
    appFreeTracks(&tracks);
}

// --- Distributions ---

static double shareUpTo(const double* values, int32_t count, double value)
{
    int32_t below = 0;
    for (int32_t i = 0; i < count; ++i)
        below += values[i] <= value;
    return (double)below / count;
}

// Tried at all values there are.
static bool distanceHolds(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    double a[40], b[40], greatest = 0.0;
    const int32_t countA = drawInt(g, 1, 40), countB = drawInt(g, 1, 40);
    for (int32_t i = 0; i < countA; ++i)
        a[i] = drawInt(g, 0, 2 + size) * 0.5;
    for (int32_t i = 0; i < countB; ++i)
        b[i] = drawInt(g, 0, 2 + size) * 0.5 + drawInt(g, 0, 1) * 3.0;
    for (int32_t i = 0; i < countA + countB; ++i) {
        const double value = i < countA ? a[i] : b[i - countA];
        greatest = fmax(greatest, fabs(shareUpTo(a, countA, value) - shareUpTo(b, countB, value)));
    }
    const Quantiles q = appQuantilesOf(a, countA);
    (void)appQuantilesOf(b, countB);
    return isNear(appShareDistance(a, countA, b, countB), greatest, 1e-12) &&
           isNear(appShareDistance(b, countB, a, countA), greatest, 1e-12) &&
           appShareDistance(a, countA, a, countA) == 0.0 && q.greatest == a[countA - 1] &&
           shareUpTo(a, countA, q.median) >= 0.5 && q.p05 <= q.p25 && q.p75 <= q.p95;
}

static void testDistances(void** state)
{
    (void)state;
    assertProperty(&(thProperty){"share distances", 2, 500, 50, distanceHolds, NULL});
}

static void testQuantiles(void** state)
{
    (void)state;
    double values[101];
    for (int32_t i = 0; i < 101; ++i)
        values[i] = (i * 37) % 101;
    const Quantiles q = appQuantilesOf(values, 101);
    assert_true(q.count == 101 && q.mean == 50.0 && q.p05 == 5.0 && q.p25 == 25.0);
    assert_true(q.median == 50.0 && q.p75 == 75.0 && q.p90 == 90.0 && q.p95 == 95.0);
    assert_true(q.greatest == 100.0);
    const Quantiles none = appQuantilesOf(values, 0);
    assert_true(none.count == 0 && isnan(none.mean) && isnan(none.greatest));
    assert_true(isnan(appShareDistance(values, 0, values, 3)));
    static const double low[] = {1.0, 2.0}, high[] = {3.0, 4.0, 5.0};
    assert_true(appShareDistance(low, 2, high, 3) == 1.0);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testTracks),    cmocka_unit_test(testEnds),
        cmocka_unit_test(testNobody),    cmocka_unit_test(testDistances),
        cmocka_unit_test(testQuantiles),
    };
    return RUN_TESTS(tests, argc, argv);
}
