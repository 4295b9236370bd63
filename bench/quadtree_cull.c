// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The two nearest of many points, by the quadtree of the paper on navigation graphs and by ours:
// what each takes, and how many pixels are wrong.
//
// Usage: throng_quadtree_cull [--quick]; exit code 1 if ours has a wrong pixel, 2 for bad usage, 3
// if memory is out.

#include "base/machine.h"
#include "geom/two_nearest.h"
#include "throng/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { side = 1024, leafSide = 32, leaves = side / leafSide, mostPoints = 1000 };
enum { exitDone = 0, exitWrong = 1, exitUsage = 2, exitMemory = 3 };

// The paper draws each point in a box, for the nearest and once more for the second, and boxes
// follow from the nearest leaves that are not empty. What it leaves open is tried both ways:
// whether these are sought in the same row or column or anywhere on that side, and which of two
// corners bounds a box. It prints the nearer.
typedef struct Reading {
    const char* name;
    bool inRow, furthest;
} Reading;

typedef struct Leaf {
    int32_t count;
    int32_t next[4]; // in the directions below; −1: none
} Leaf;

// East, north, west, south. The two beside a direction are the ones before and after it.
static const thVec2 directions[4] = {{1.0f, 0.0f}, {0.0f, 1.0f}, {-1.0f, 0.0f}, {0.0f, -1.0f}};

typedef struct Trial {
    int32_t count;
    thSite sites[mostPoints];
    thVec2 points[mostPoints]; // in pixels
    Leaf leaves[leaves * leaves];
    thMemory memory;
    thArena arena;
    thTasks* tasks;
    thTwoNearest exact; // by two_nearest
    thTwoNearest field; // by the quadtree
    int64_t touched;    // pixels of all boxes
} Trial;

static Trial trial;

static void check(thResult code)
{
    if (code == th_resultOk)
        return;
    fprintf(stderr, "throng_quadtree_cull: %s\n", thResult_GetText(code));
    exit(exitMemory);
}

static float along(thVec2 a, int32_t direction)
{
    return a.x * directions[direction].x + a.y * directions[direction].y;
}

static thVec2 middleOf(int32_t leaf)
{
    return (thVec2){((float)(leaf % leaves) + 0.5f) * leafSide,
                    ((float)(leaf / leaves) + 0.5f) * leafSide};
}

static int32_t leafOf(thVec2 p)
{
    return (int32_t)p.y / leafSide * leaves + (int32_t)p.x / leafSide;
}

static thVec2 fromTo(thVec2 a, thVec2 b)
{
    return (thVec2){b.x - a.x, b.y - a.y};
}

static float lengthSq(thVec2 a)
{
    return a.x * a.x + a.y * a.y;
}

static int32_t findNext(int32_t leaf, int32_t direction, bool inRow)
{
    int32_t best = -1;
    for (int32_t i = 0; i < leaves * leaves; ++i) {
        const thVec2 to = fromTo(middleOf(leaf), middleOf(i));
        const float ahead = along(to, direction), beside = along(to, (direction + 1) % 4);
        if (trial.leaves[i].count == 0 || ahead <= 0.0f || (inRow && beside != 0.0f))
            continue;
        if (best < 0 || lengthSq(to) < lengthSq(fromTo(middleOf(leaf), middleOf(best))))
            best = i;
    }
    return best;
}

static void plantLeaves(bool inRow)
{
    memset(trial.leaves, 0, sizeof trial.leaves);
    for (int32_t i = 0; i < trial.count; ++i)
        trial.leaves[leafOf(trial.points[i])].count += 1;
    for (int32_t i = 0; i < leaves * leaves; ++i)
        for (int32_t k = 0; k < 4 && trial.leaves[i].count > 0; ++k)
            trial.leaves[i].next[k] = findNext(i, k, inRow);
}

// How far ahead of p the bisectors between a leaf and two others meet; false: nowhere.
static bool meet(int32_t leaf, int32_t a, int32_t b, thVec2 p, int32_t direction, float* ahead)
{
    if (a < 0 || b < 0)
        return false;
    const thVec2 m = middleOf(leaf), toA = fromTo(m, middleOf(a)), toB = fromTo(m, middleOf(b));
    const float det = toA.x * toB.y - toA.y * toB.x;
    if (det == 0.0f)
        return false;
    const float ra = 0.5f * lengthSq(toA), rb = 0.5f * lengthSq(toB);
    const thVec2 at = {m.x + (ra * toB.y - rb * toA.y) / det,
                       m.y + (rb * toA.x - ra * toB.x) / det};
    *ahead = along(fromTo(p, at), direction);
    return true;
}

// How far a point's box reaches in a direction for the nearest.
static float firstReach(thVec2 p, int32_t direction, bool furthest)
{
    const int32_t leaf = leafOf(p);
    const int32_t* next = trial.leaves[leaf].next;
    float a, b;
    const bool isA = meet(leaf, next[direction], next[(direction + 3) % 4], p, direction, &a);
    const bool isB = meet(leaf, next[direction], next[(direction + 1) % 4], p, direction, &b);
    if (!isA && !isB)
        return 2.0f * side;
    const float reach = !isA ? b : !isB ? a : furthest ? TH_MAX(a, b) : TH_MIN(a, b);
    return reach + leafSide;
}

// The same for the second.
static float secondReach(thVec2 p, int32_t direction)
{
    const int32_t leaf = leafOf(p);
    const int32_t next = trial.leaves[leaf].next[direction];
    if (next < 0)
        return 2.0f * side;
    const bool isEnough = trial.leaves[next].count >= 2;
    const int32_t last = isEnough ? next : trial.leaves[next].next[direction];
    if (last < 0)
        return 2.0f * side;
    return sqrtf(lengthSq(fromTo(middleOf(leaf), middleOf(last)))) + 2.0f * leafSide;
}

typedef struct Box {
    int32_t left, right, low, high; // pixels
} Box;

static int32_t within(float value)
{
    return (int32_t)TH_MIN(TH_MAX(value, 0.0f), (float)side);
}

static Box boxOf(thVec2 p, const float reach[4])
{
    return (Box){within(floorf(p.x - reach[2])), within(ceilf(p.x + reach[0])),
                 within(floorf(p.y - reach[3])), within(ceilf(p.y + reach[1]))};
}

static void draw(int32_t number, const Box* box, bool isSecond)
{
    int32_t* labels = isSecond ? trial.field.second : trial.field.first;
    float* distances = isSecond ? trial.field.secondDistance : trial.field.firstDistance;
    const thVec2 p = trial.points[number];
    for (int32_t y = box->low; y < box->high; ++y) {
        const float dy = (float)y + 0.5f - p.y;
        for (int32_t at = y * side + box->left; at < y * side + box->right; ++at) {
            const float dx = (float)(at - y * side) + 0.5f - p.x;
            const float distanceSq = dx * dx + dy * dy;
            const bool is =
                distanceSq < distances[at] && (!isSecond || trial.field.first[at] != number);
            labels[at] = is ? number : labels[at];
            distances[at] = is ? distanceSq : distances[at];
        }
    }
    trial.touched += (int64_t)TH_MAX(box->right - box->left, 0) * TH_MAX(box->high - box->low, 0);
}

static void drawAll(const Reading* reading)
{
    trial.touched = 0;
    for (int32_t at = 0; at < side * side; ++at) {
        trial.field.first[at] = trial.field.second[at] = -1;
        trial.field.firstDistance[at] = trial.field.secondDistance[at] = INFINITY;
    }
    for (int32_t second = 0; second < 2; ++second)
        for (int32_t i = 0; i < trial.count; ++i) {
            float reach[4];
            for (int32_t k = 0; k < 4; ++k)
                reach[k] = second == 1 ? secondReach(trial.points[i], k)
                                       : firstReach(trial.points[i], k, reading->furthest);
            const Box box = boxOf(trial.points[i], reach);
            draw(i, &box, second == 1);
        }
}

// Pixels of a field that are not as far from what they name as from what they should.
static int32_t countWrong(const thTwoNearest* field, bool isSecond)
{
    const thSites sites = {trial.sites, trial.points, trial.count};
    const int32_t* labels = isSecond ? field->second : field->first;
    const float* right = isSecond ? trial.exact.secondDistance : trial.exact.firstDistance;
    int32_t wrong = 0;
    for (int32_t at = 0; at < side * side; ++at) {
        const thVec2 p = thiPixelCentre(field, at % side, at / side);
        wrong +=
            labels[at] < 0 || fabsf(thiSiteDistance(&sites, labels[at], p) - right[at]) > 1e-3f;
    }
    return wrong;
}

static int32_t countWrongExact(void)
{
    const thSites sites = {trial.sites, trial.points, trial.count};
    int32_t wrong = 0;
    for (int32_t at = 0; at < side * side; at += 7) {
        const thVec2 p = thiPixelCentre(&trial.exact, at % side, at / side);
        float first = INFINITY, second = INFINITY;
        for (int32_t i = 0; i < trial.count; ++i) {
            const float distance = thiSiteDistance(&sites, i, p);
            second = TH_MIN(second, TH_MAX(first, distance));
            first = TH_MIN(first, distance);
        }
        wrong += first != trial.exact.firstDistance[at] || second != trial.exact.secondDistance[at];
    }
    return wrong;
}

static void scatter(int32_t count)
{
    const uint64_t stream = thRandomStream(12, (uint64_t)count, 0, 0);
    trial.count = count;
    for (int32_t i = 0; i < count; ++i) {
        trial.sites[i] = (thSite){th_siteDisc, i, 1, 0.0f};
        trial.points[i] = (thVec2){thRandomRange(stream, 2 * (uint32_t)i, 0.0f, side - 1.0f),
                                   thRandomRange(stream, 2 * (uint32_t)i + 1, 0.0f, side - 1.0f)};
    }
}

static void find(thSimd simd)
{
    const thSites sites = {trial.sites, trial.points, trial.count};
    check(thiFindTwoNearest(&sites, 0, simd, trial.tasks, &trial.arena, &trial.exact));
    thiArenaReset(&trial.arena);
}

// The least of several times. [ms]
static double timeOf(const Reading* reading, thSimd simd, int32_t runs)
{
    double least = INFINITY;
    for (int32_t i = 0; i < runs; ++i) {
        const int64_t start = thiProcessTime();
        if (reading != NULL)
            drawAll(reading);
        else
            find(simd);
        least = TH_MIN(least, (double)(thiProcessTime() - start) * 1e-6);
    }
    return least;
}

static bool compare(int32_t count, int32_t runs)
{
    static const Reading readings[4] = {{"quadtree, any leaf, nearer corner", false, false},
                                        {"quadtree, any leaf, further corner", false, true},
                                        {"quadtree, same row, nearer corner", true, false},
                                        {"quadtree, same row, further corner", true, true}};
    scatter(count);
    for (int32_t i = 0; i < 2; ++i) {
        const thSimd simd = i == 0 ? th_simdScalar : thSimd_Resolve(th_simdAuto);
        const double time = timeOf(NULL, simd, runs);
        printf("%6d  two_nearest, %-22s %9.2f\n", (int)count, thSimd_GetName(simd), time);
    }
    const int32_t wrong = countWrongExact();
    for (int32_t i = 0; i < 4; ++i) {
        plantLeaves(readings[i].inRow);
        const double time = timeOf(&readings[i], th_simdAuto, runs);
        printf("%6d  %-35s %9.2f %11d %11d %9.1f\n", (int)count, readings[i].name, time,
               (int)countWrong(&trial.field, false), (int)countWrong(&trial.field, true),
               (double)trial.touched / (side * side));
    }
    if (wrong != 0)
        fprintf(stderr, "throng_quadtree_cull: two_nearest has %d wrong pixels\n", (int)wrong);
    return wrong == 0;
}

int main(int argc, char** argv)
{
    const bool quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
    if (argc > 1 && !quick) {
        fprintf(stderr, "usage: throng_quadtree_cull [--quick]\n");
        return exitUsage;
    }
    thiMemoryInit(&trial.memory, NULL, 0);
    thiArenaInit(&trial.arena, &trial.memory);
    const thTasksDef def = thDefaultTasksDef();
    check(thCreateTasks(&def, &trial.tasks));
    check(thiCreateTwoNearest(&trial.memory, side, side, 1.0f, &trial.exact));
    check(thiCreateTwoNearest(&trial.memory, side, side, 1.0f, &trial.field));
    printf(
        "%d x %d pixels, one thread; processor time, the least of several runs; without the search "
        "for leaves\n",
        side, side);
    printf("points  %-35s %9s %11s %11s %9s\n", "way", "ms", "wrong 1st", "wrong 2nd", "overdraw");
    bool isRight = true;
    const int32_t counts[4] = {10, 50, 200, mostPoints};
    for (int32_t i = 0; i < (quick ? 1 : 4); ++i)
        isRight = compare(counts[i], quick ? 1 : 5) && isRight;
    thiFreeTwoNearest(&trial.memory, &trial.exact);
    thiFreeTwoNearest(&trial.memory, &trial.field);
    thiArenaFree(&trial.arena);
    thDestroyTasks(trial.tasks);
    return isRight ? exitDone : exitWrong;
}
