// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Ways to find the ten nearest agents of everybody, side by side. All answer the same question: who
// of the others within `radius` comes first in the order (distance², key), which is that of
// space/nearest.h. Agents are called by their numbers here.

#ifndef THRONG_BENCH_NEAR_NEAR_H
#define THRONG_BENCH_NEAR_NEAR_H

#include "geom/fixed.h"
#include "space/nearest.h"

enum { thNearCount = 10 };

// A crowd at several moments, between which everybody takes a step: structures are built for one
// after the other, as in a simulation, and find it almost as it was.
typedef struct thNearCrowd {
    int32_t count;
    int32_t moments;
    float radius;  // nobody further is a neighbour [m]
    int32_t* x;    // by [moment · count + agent], units
    int32_t* y;    // likewise
    uint64_t* key; // all different, in no order
} thNearCrowd;

static inline int32_t* thiNearX(const thNearCrowd* crowd, int32_t moment)
{
    return crowd->x + (ptrdiff_t)moment * crowd->count;
}

static inline int32_t* thiNearY(const thNearCrowd* crowd, int32_t moment)
{
    return crowd->y + (ptrdiff_t)moment * crowd->count;
}

// Room for a crowd, with keys; places are the caller's to fill. Neither number may be 0.
thResult thiNearCrowdInit(thNearCrowd* crowd, thMemory* memory, int32_t count, int32_t moments);
void thiNearCrowdFree(thNearCrowd* crowd, thMemory* memory);

// Places everybody at random in a square about the origin, so many to a square metre, and lets them
// go straight on, 0.14 m at a time as in a tenth of a second, and turn back at its sides.
void thiNearCrowdScatter(thNearCrowd* crowd, float density);

typedef struct thNearList {
    int32_t count;
    thNearAgent items[thNearCount]; // `row` is the agent's number
} thNearList;

static inline bool thiNearComesBefore(float order, uint64_t key, const thNearAgent* other)
{
    return order != other->order ? order < other->order : key < other->key;
}

// Puts somebody into a list, if he belongs there.
static inline void thiNearInsert(thNearList* list, float order, int32_t agent, uint64_t key)
{
    int32_t at = list->count;
    if (at < thNearCount)
        list->count += 1;
    else if (thiNearComesBefore(order, key, &list->items[thNearCount - 1]))
        at = thNearCount - 1;
    else
        return;
    for (; at > 0 && thiNearComesBefore(order, key, &list->items[at - 1]); --at)
        list->items[at] = list->items[at - 1];
    list->items[at] = (thNearAgent){order, agent, key};
}

// A way to search. `build` is called before `find`, for any moment.
typedef struct thNearMethod thNearMethod;
struct thNearMethod {
    const char* name;
    bool exact;      // finds all of them
    int32_t samples; // of sampled trees: to each agent
    thSimd simd;     // of grids
    thResult (*open)(const thNearMethod* self, const thNearCrowd* crowd, thMemory* memory,
                     void** state);
    thResult (*build)(void* state, int32_t moment);
    // Finds everybody's neighbours and returns how many these are together, −1 when memory is out.
    // A simulation uses each list at once, so they are kept only if `lists` is not NULL: numbers of
    // agents by [agent · thNearCount + k], −1 past the end.
    int64_t (*find)(void* state, int32_t* lists);
    void (*close)(void* state);
};

extern const thNearMethod thiNearNaive;
extern const thNearMethod thiNearSampled40;
extern const thNearMethod thiNearSampled160;
extern const thNearMethod thiNearKdTree;
extern const thNearMethod thiNearGridScalar;
extern const thNearMethod thiNearGrid;

// The list of one agent, by looking at all others.
void thiNearNaiveList(const thNearCrowd* crowd, int32_t moment, int32_t agent, thNearList* list);

// Keeps the list of an agent where `find` is to, if at all.
static inline void thiNearKeep(int32_t* lists, int32_t agent, const thNearList* list)
{
    if (lists == NULL)
        return;
    for (int32_t k = 0; k < thNearCount; ++k)
        lists[agent * thNearCount + k] = k < list->count ? list->items[k].row : -1;
}

#endif
