// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The yardstick of `throng bench`: what a plain program does for a crowd, one agent after the
// other, without the library. It sorts 10,000 agents, one to a square metre, into cells, finds the
// ten nearest of each within 3.75 m, and makes the half-planes of ORCA of them. Bounds in ns grow
// with it from machine to machine; so it must not be made faster.

#include "commands/bench_yardstick.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { sideCells = 50, side = 100, agentCount = side * side, nearMost = 10, tries = 9 };

typedef struct Crowd {
    float x[agentCount], y[agentCount], vx[agentCount], vy[agentCount];
    float sortedX[agentCount], sortedY[agentCount], sortedVx[agentCount], sortedVy[agentCount];
    int32_t start[sideCells * sideCells + 1];
} Crowd;

// Some number from 0 to 1 of a place in a row of them.
static float draw(uint32_t* state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) * 0x1p-24f;
}

static void fill(Crowd* crowd)
{
    uint32_t state = 1;
    for (int32_t i = 0; i < agentCount; ++i) {
        crowd->x[i] = (float)(i % side) + 0.35f + 0.3f * draw(&state);
        crowd->y[i] = (float)(i / side) + 0.35f + 0.3f * draw(&state);
        crowd->vx[i] = 2.0f * draw(&state) - 1.0f;
        crowd->vy[i] = 2.0f * draw(&state) - 1.0f;
    }
}

static int32_t cellOf(const Crowd* crowd, int32_t i)
{
    const int32_t column = (int32_t)(crowd->x[i] * ((float)sideCells / (float)side));
    const int32_t row = (int32_t)(crowd->y[i] * ((float)sideCells / (float)side));
    return row * sideCells + column;
}

static void sortCrowd(Crowd* crowd)
{
    memset(crowd->start, 0, sizeof crowd->start);
    for (int32_t i = 0; i < agentCount; ++i)
        crowd->start[cellOf(crowd, i) + 1] += 1;
    for (int32_t c = 0; c < sideCells * sideCells; ++c)
        crowd->start[c + 1] += crowd->start[c];
    for (int32_t i = agentCount - 1; i >= 0; --i) {
        const int32_t to = --crowd->start[cellOf(crowd, i) + 1];
        crowd->sortedX[to] = crowd->x[i];
        crowd->sortedY[to] = crowd->y[i];
        crowd->sortedVx[to] = crowd->vx[i];
        crowd->sortedVy[to] = crowd->vy[i];
    }
    // Each start was moved to that of its own cell, one place behind.
    memmove(crowd->start, crowd->start + 1, sizeof crowd->start - sizeof *crowd->start);
    crowd->start[sideCells * sideCells] = agentCount;
}

typedef struct Near {
    int32_t count;
    float distanceSq[nearMost];
    int32_t agent[nearMost];
} Near;

static void look(const Crowd* crowd, int32_t self, int32_t from, int32_t to, Near* near)
{
    for (int32_t i = from; i < to; ++i) {
        const float x = crowd->sortedX[i] - crowd->sortedX[self];
        const float y = crowd->sortedY[i] - crowd->sortedY[self];
        const float square = x * x + y * y;
        const float most = near->count < nearMost ? 3.75f * 3.75f : near->distanceSq[nearMost - 1];
        if (i == self || !(square < most))
            continue;
        int32_t at = near->count < nearMost ? near->count++ : nearMost - 1;
        for (; at > 0 && near->distanceSq[at - 1] > square; --at) {
            near->distanceSq[at] = near->distanceSq[at - 1];
            near->agent[at] = near->agent[at - 1];
        }
        near->distanceSq[at] = square;
        near->agent[at] = i;
    }
}

static void findNear(const Crowd* crowd, int32_t self, int32_t row, int32_t column, Near* near)
{
    near->count = 0;
    for (int32_t r = row - 2; r <= row + 2; ++r) {
        if (r < 0 || r >= sideCells)
            continue;
        const int32_t west = column < 2 ? 0 : column - 2;
        const int32_t east = column + 2 < sideCells ? column + 2 : sideCells - 1;
        look(crowd, self, crowd->start[r * sideCells + west],
             crowd->start[r * sideCells + east + 1], near);
    }
}

// How far the half-planes of its neighbours are from its velocity, all together.
static float makeHalfPlanes(const Crowd* crowd, int32_t self, const Near* near)
{
    const float horizon = 5.0f, radii = 0.5f;
    float sum = 0.0f;
    for (int32_t k = 0; k < near->count; ++k) {
        const int32_t other = near->agent[k];
        const float x = crowd->sortedX[other] - crowd->sortedX[self];
        const float y = crowd->sortedY[other] - crowd->sortedY[self];
        const float vx = crowd->sortedVx[self] - crowd->sortedVx[other];
        const float vy = crowd->sortedVy[self] - crowd->sortedVy[other];
        const float wx = vx - x / horizon, wy = vy - y / horizon;
        const float along = wx * x + wy * y, square = wx * wx + wy * wy;
        if (along < 0.0f && along * along > radii * radii * square) {
            sum += radii / horizon - sqrtf(square);
        } else {
            const float distanceSq = x * x + y * y;
            const float leg = sqrtf(fmaxf(distanceSq - radii * radii, 0.0f));
            const float turn = x * wy - y * wx > 0.0f ? radii : -radii;
            const float dx = (x * leg - y * turn) / distanceSq;
            const float dy = (x * turn + y * leg) / distanceSq;
            sum += vx * dy - vy * dx;
        }
    }
    return sum;
}

static float treatAll(Crowd* crowd)
{
    float sum = 0.0f;
    sortCrowd(crowd);
    for (int32_t cell = 0; cell < sideCells * sideCells; ++cell)
        for (int32_t i = crowd->start[cell]; i < crowd->start[cell + 1]; ++i) {
            Near near;
            findNear(crowd, i, cell / sideCells, cell % sideCells, &near);
            sum += makeHalfPlanes(crowd, i, &near);
        }
    return sum;
}

static double processorTime(void) // [ns]
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return 1.0e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

double appMeasureYardstick(void)
{
    Crowd* crowd = malloc(sizeof *crowd);
    if (crowd == NULL)
        return -1.0;
    fill(crowd);
    double best = HUGE_VAL;
    volatile float kept = 0.0f; // so that nothing is left out
    for (int32_t i = 0; i < tries; ++i) {
        const double start = processorTime();
        kept = kept + treatAll(crowd);
        best = fmin(best, processorTime() - start);
    }
    free(crowd);
    return best / agentCount;
}
