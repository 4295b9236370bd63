// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Patterns of crowds as numbers: runs of one direction at a door, tails of gaps between people,
// lanes, and stripes where two streams cross. docs/models.md says how each is defined.

#include "verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <throng/random.h>

// --- Runs ---

int32_t verifyBothWays(const int32_t* directions, int32_t count)
{
    int32_t last[2] = {0, 0}; // one behind the last of either direction
    for (int32_t i = 0; i < count; ++i)
        last[directions[i] > 0] = i + 1;
    return last[0] < last[1] ? last[0] : last[1];
}

VerifyRuns verifyRuns(const int32_t* directions, int32_t count)
{
    double ahead = 0.0;
    VerifyRuns runs = {0};
    for (int32_t i = 0; i < count; ++i) {
        ahead += directions[i] > 0;
        runs.runs += i == 0 || directions[i] != directions[i - 1];
    }
    const double all = count, back = all - ahead, both = 2.0 * ahead * back;
    const double variance = both * (both - all) / (all * all * (all - 1.0));
    runs.expected = both / all + 1.0;
    runs.z = variance > 0.0 ? (runs.runs - runs.expected) / sqrt(variance) : NAN;
    runs.length = all / runs.runs;
    return runs;
}

// --- Tails ---

static int upwards(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

double verifyQuantile(const double* sorted, int32_t count, double share)
{
    return count > 0 ? sorted[(int32_t)round(share * (count - 1))] : NAN;
}

// The exponent of a power law from the first value on, by likelihood.
static double exponentOf(const double* tail, int32_t count)
{
    double sum = 0.0;
    for (int32_t i = 0; i < count; ++i)
        sum += log(tail[i] / tail[0]);
    return sum > 0.0 ? 1.0 + count / sum : NAN;
}

// The greatest difference between the shares of values that are not above x, and those of the law.
static double distanceTo(const double* tail, int32_t count, double exponent)
{
    double most = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        const double law = 1.0 - pow(tail[i] / tail[0], 1.0 - exponent);
        most = fmax(most, fmax(fabs(law - (double)i / count), fabs(law - (i + 1.0) / count)));
    }
    return most;
}

// How much more likely each value is by the power law than by the exponential law, both as the
// values fit them best: the sum of the logarithms' differences ÷ its deviation.
static double preferenceOf(const double* tail, int32_t count, double exponent)
{
    double mean = 0.0, sum = 0.0, squares = 0.0;
    for (int32_t i = 0; i < count; ++i)
        mean += (tail[i] - tail[0]) / count;
    for (int32_t i = 0; i < count; ++i) {
        const double power = log((exponent - 1.0) / tail[0]) - exponent * log(tail[i] / tail[0]);
        const double plain = -log(mean) - (tail[i] - tail[0]) / mean;
        sum += power - plain;
        squares += (power - plain) * (power - plain);
    }
    const double variance = squares - sum * sum / count;
    return variance > 0.0 ? sum / sqrt(variance) : NAN;
}

VerifyTail verifyTail(double* values, int32_t count)
{
    enum { least = 20 }; // in the tail
    VerifyTail best = {.from = NAN, .exponent = NAN, .preference = NAN};
    double nearest = INFINITY;
    qsort(values, (size_t)count, sizeof *values, upwards);
    for (int32_t begin = 0; begin + least <= count; ++begin) {
        const double* tail = &values[begin];
        const int32_t left = count - begin;
        const bool isNew = begin == 0 || tail[0] > tail[-1];
        const double exponent = tail[0] > 0.0 && isNew ? exponentOf(tail, left) : NAN;
        const double distance = isnan(exponent) ? INFINITY : distanceTo(tail, left, exponent);
        if (distance < nearest) {
            nearest = distance;
            best = (VerifyTail){tail[0], left, exponent, preferenceOf(tail, left, exponent)};
        }
    }
    return best;
}

// --- People of two streams, frame by frame ---

int32_t verifyPeopleAt(const Tracks* tracks, const VerifyField* field, double time,
                       VerifyWalker* walkers)
{
    const double slack = 1e-6; // of times that are sums of steps [s]
    int32_t count = 0;
    for (int32_t i = 0; i < tracks->count && count < verifyMostWalkers; ++i) {
        const Track* track = &tracks->items[i];
        const thPlace first = {track->points[0].x, track->points[0].y};
        if (time < track->points[0].time - slack ||
            time > track->points[track->count - 1].time + slack)
            continue;
        const thPlace at = appPlaceAt(track, time);
        if (at.x < field->x0 || at.x > field->x1 || at.y < field->y0 || at.y > field->y1)
            continue;
        const double side = field->sideX * first.x + field->sideY * first.y;
        walkers[count++] = (VerifyWalker){at.x, at.y, side > 0.0};
    }
    return count;
}

// --- Lanes, along x ---

// Mean over people of ((same − other) ÷ all)² of those in their lane; adds to sum and count.
static void addLanes(const VerifyWalker* walkers, int32_t count, double radius, double* sum,
                     double* people)
{
    const double sight = 5.0; // as of surveys [m]
    double total = 0.0, owners = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        double same = 0.0, other = 0.0;
        for (int32_t k = 0; k < count; ++k) {
            const bool isIn = k != i && fabs(walkers[k].y - walkers[i].y) <= radius &&
                              fabs(walkers[k].x - walkers[i].x) <= sight;
            same += isIn && walkers[k].isSecond == walkers[i].isSecond;
            other += isIn && walkers[k].isSecond != walkers[i].isSecond;
        }
        const double share = same + other > 0.0 ? (same - other) / (same + other) : 0.0;
        total += share * share;
        owners += same + other > 0.0;
    }
    if (owners > 0.0) {
        *sum += total / owners;
        *people += 1.0;
    }
}

// Deals the streams anew, by lot: as many of each.
static void deal(VerifyWalker* walkers, int32_t count, uint64_t stream)
{
    for (int32_t i = count - 1; i > 0; --i) {
        const int32_t k = (int32_t)(thRandomBits(stream, (uint32_t)i) % (uint64_t)(i + 1));
        const bool kept = walkers[i].isSecond;
        walkers[i].isSecond = walkers[k].isSecond;
        walkers[k].isSecond = kept;
    }
}

VerifyLanes verifyLanes(const Tracks* tracks, const VerifyField* field, double radius)
{
    enum { rounds = 4 };
    VerifyWalker walkers[verifyMostWalkers];
    double order = 0.0, frames = 0.0, mixed = 0.0, deals = 0.0;
    for (double time = field->from; time <= field->to; time += field->every) {
        const int32_t count = verifyPeopleAt(tracks, field, time, walkers);
        addLanes(walkers, count, radius, &order, &frames);
        for (uint64_t round = 0; round < rounds; ++round) {
            deal(walkers, count, thRandomStream(round, (uint64_t)(10.0 * time + 0.5), 0, 0));
            addLanes(walkers, count, radius, &mixed, &deals);
        }
    }
    return (VerifyLanes){frames > 0.0 ? order / frames : NAN, deals > 0.0 ? mixed / deals : NAN};
}

// --- Stripes ---

VerifyStripes verifyStripes(const Tracks* tracks, const VerifyField* field, double reach)
{
    const double turn = 180.0 / 3.14159265358979323846;
    VerifyWalker walkers[verifyMostWalkers];
    double c = 0.0, s = 0.0, pairs = 0.0;
    for (double time = field->from; time <= field->to; time += field->every) {
        const int32_t count = verifyPeopleAt(tracks, field, time, walkers);
        for (int32_t i = 0; i < count; ++i)
            for (int32_t k = i + 1; k < count; ++k) {
                const double dx = walkers[k].x - walkers[i].x, dy = walkers[k].y - walkers[i].y;
                const double square = dx * dx + dy * dy;
                if (square > reach * reach || square == 0.0)
                    continue;
                const double sign = walkers[k].isSecond == walkers[i].isSecond ? 1.0 : -1.0;
                c += sign * (dx * dx - dy * dy) / square; // cos and sin of twice the angle
                s += sign * 2.0 * dx * dy / square;
                pairs += 1.0;
            }
    }
    if (pairs == 0.0)
        return (VerifyStripes){NAN, NAN};
    const double angle = 0.5 * turn * atan2(s, c);
    return (VerifyStripes){angle < 0.0 ? angle + 180.0 : angle, hypot(c, s) / pairs};
}
