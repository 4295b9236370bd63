// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Discs in buckets by cell, each compared with those in the cells round it.

#include "overlaps.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static const float countedDepth = 0.01f; // of the sum of the radii

typedef struct Cell {
    int32_t x, y;
} Cell;

// Bodies in buckets by the hash of their cell. A cell is as wide as the largest body, so whoever
// overlaps is in the same cell or the next.
typedef struct Buckets {
    const Body* bodies;
    int32_t count;
    float cellSize;
    uint32_t mask;  // number of buckets − 1
    int32_t* first; // body of each bucket, −1: none
    int32_t* next;  // body in the same bucket, −1: none
} Buckets;

static Cell cellOf(const Buckets* buckets, int32_t body)
{
    const thVec2 position = buckets->bodies[body].position;
    return (Cell){(int32_t)floorf(position.x / buckets->cellSize),
                  (int32_t)floorf(position.y / buckets->cellSize)};
}

static uint32_t bucketOf(const Buckets* buckets, Cell cell)
{
    const uint32_t mixed = (uint32_t)cell.x * 0x9e3779b1u ^ (uint32_t)cell.y * 0x85ebca6bu;
    return (mixed ^ mixed >> 15) & buckets->mask;
}

static bool overlap(const Body* a, const Body* b)
{
    const float x = a->position.x - b->position.x, y = a->position.y - b->position.y;
    const float reach = (a->radius + b->radius) * (1.0f - countedDepth);
    return x * x + y * y < reach * reach;
}

// Those of a cell with lower numbers that overlap a body.
static int32_t countInCell(const Buckets* buckets, int32_t body, Cell cell)
{
    int32_t found = 0;
    for (int32_t i = buckets->first[bucketOf(buckets, cell)]; i >= 0; i = buckets->next[i]) {
        const Cell own = cellOf(buckets, i);
        found += i < body && own.x == cell.x && own.y == cell.y &&
                 overlap(&buckets->bodies[i], &buckets->bodies[body]);
    }
    return found;
}

static int64_t count(const Buckets* buckets)
{
    int64_t found = 0;
    for (int32_t body = 0; body < buckets->count; ++body) {
        const Cell cell = cellOf(buckets, body);
        for (int32_t y = cell.y - 1; y <= cell.y + 1; ++y)
            for (int32_t x = cell.x - 1; x <= cell.x + 1; ++x)
                found += countInCell(buckets, body, (Cell){x, y});
    }
    return found;
}

static void fill(Buckets* buckets)
{
    for (uint32_t i = 0; i <= buckets->mask; ++i)
        buckets->first[i] = -1;
    for (int32_t i = 0; i < buckets->count; ++i) {
        int32_t* first = &buckets->first[bucketOf(buckets, cellOf(buckets, i))];
        buckets->next[i] = *first;
        *first = i;
    }
}

int64_t countOverlaps(const Body* bodies, int32_t bodyCount, float maxRadius)
{
    Buckets buckets = {.bodies = bodies, .count = bodyCount, .cellSize = 2.0f * maxRadius};
    uint32_t bucketCount = 1;
    while (bucketCount < (uint32_t)bodyCount)
        bucketCount *= 2;
    buckets.mask = bucketCount - 1;
    buckets.first = malloc(bucketCount * sizeof *buckets.first);
    buckets.next = malloc(bucketCount * sizeof *buckets.next);
    int64_t found = -1;
    if (buckets.first != NULL && buckets.next != NULL) {
        fill(&buckets);
        found = count(&buckets);
    }
    free(buckets.first);
    free(buckets.next);
    return found;
}
