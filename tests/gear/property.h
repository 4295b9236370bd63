// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Properties: a statement that must hold for inputs drawn at random. Draws follow from a fixed
// seed, so a failure comes back on every run; it is made smaller before it is shown.

#ifndef THRONG_TESTS_GEAR_PROPERTY_H
#define THRONG_TESTS_GEAR_PROPERTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A sequence of random draws: the next is number `next` of `stream`.
typedef struct thGenerator {
    uint64_t stream;
    uint32_t next;
} thGenerator;

thGenerator makeGenerator(uint64_t seed, uint64_t number);

uint32_t drawU32(thGenerator* g);
uint64_t drawU64(thGenerator* g);
// Both bounds can come.
int32_t drawInt(thGenerator* g, int32_t low, int32_t high);
// In [0, 1).
float drawUnit(thGenerator* g);
float drawFloat(thGenerator* g, float low, float high);
// What breaks arithmetic: zeros, infinities, NaN, denormals, extremes, one and its neighbours, and
// any bits at all.
float drawSpecialFloat(thGenerator* g);

// How many cases are tried: few, or in long tests many.
int32_t caseCount(int32_t few, int32_t many);

// Whether the statement holds for the input that `g` gives at this size. The same draws with a
// smaller size should give a smaller input of the same kind.
typedef bool thPropertyFcn(thGenerator* g, int32_t size, void* context);

typedef struct thProperty {
    const char* name;
    uint64_t seed;
    int32_t caseCount;
    int32_t maxSize; // sizes grow from 0 to this
    thPropertyFcn* holds;
    void* context;
} thProperty;

// One input: what it takes to see a failure again.
typedef struct thPropertyCase {
    int32_t number;
    int32_t size;
} thPropertyCase;

// True if the property holds in all cases. If not, `failing` is the first failing case at the
// smallest size found by halving. The environment variable THRONG_PROPERTY=name:seed:case:size
// replays one case of the property of that name; other properties are then not run.
bool checkProperty(const thProperty* property, thPropertyCase* failing);

// The test fails if the property does not hold, and prints how to replay the failure.
void assertProperty(const thProperty* property);

typedef bool thListFcn(const void* items, int32_t count, void* context);

// Makes a failing list short: takes out halves, quarters ... single items as long as it still
// fails. Items are moved in place; returns how many are left. No single item of these can be left
// out.
int32_t shrinkList(void* items, int32_t count, size_t itemSize, thListFcn* stillFails,
                   void* context);

#endif
