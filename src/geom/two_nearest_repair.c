// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Takes lone pixels and threads out of the regions of two_nearest.h. The pixels of one colour of a
// chessboard have all their neighbours in the other, so that each can be looked at by itself, in
// any order. A change makes neighbours with unlike labels fewer, so it comes to an end.

#include "base/tasks.h"
#include "geom/two_nearest_kernel.h"

#include <stdlib.h>
#include <string.h>

// Bands of rows are done by turns, those that are not beside each other at once: nobody reads what
// another writes.
#define BAND 16

typedef int32_t ThinFcn(const int32_t*, const int32_t*, const int32_t*, int32_t, int32_t, int32_t*);
static ThinFcn* const thinFcns[th_simdCount] = TH_KERNEL_TABLE(thiThinPixels);

typedef struct Repair {
    const thSites* sites;
    thTwoNearest field;
    bool isSecond; // which labels
    ThinFcn* findThin;
    int32_t* kept; // pixels that stay, ascending
    int32_t keptCount;
    int32_t* found[TH_MAX_WORKERS];
    uint8_t* changed[3]; // by row: in this pass, and in the two before
    int32_t pass;
    int32_t bandParity;
} Repair;

static int byNumber(const void* left, const void* right)
{
    const int32_t a = *(const int32_t*)left, b = *(const int32_t*)right;
    return (a > b) - (a < b);
}

// Pixels that hold centres of agents, if they are in the raster.
static void listKept(Repair* repair, int32_t obstacleCount)
{
    const thTwoNearest* field = &repair->field;
    for (int32_t i = obstacleCount; i < repair->sites->count; ++i) {
        const thSite* site = &repair->sites->sites[i];
        thVec2 sum = {0.0f, 0.0f};
        for (int32_t k = 0; k < site->count; ++k) {
            sum.x += repair->sites->points[site->first + k].x;
            sum.y += repair->sites->points[site->first + k].y;
        }
        const float scale = 1.0f / ((float)site->count * field->pixel);
        const float x = sum.x * scale, y = sum.y * scale;
        if (x >= 0.0f && y >= 0.0f && x < (float)field->width && y < (float)field->height)
            repair->kept[repair->keptCount++] = (int32_t)y * field->width + (int32_t)x;
    }
    qsort(repair->kept, (size_t)repair->keptCount, sizeof *repair->kept, byNumber);
}

static bool isKept(const Repair* repair, int32_t pixel)
{
    return bsearch(&pixel, repair->kept, (size_t)repair->keptCount, sizeof pixel, byNumber) != NULL;
}

static int32_t countOf(const int32_t* labels, int32_t count, int32_t label)
{
    int32_t found = 0;
    for (int32_t i = 0; i < count; ++i)
        found += labels[i] == label;
    return found;
}

// Returns whether the pixel got another label.
static bool treat(const Repair* repair, int32_t x, int32_t y)
{
    const thTwoNearest* field = &repair->field;
    const int32_t at = y * field->width + x;
    int32_t* labels = repair->isSecond ? field->second : field->first;
    if (labels[at] < 0 || isKept(repair, at))
        return false;
    int32_t around[4], count = 0;
    if (x > 0)
        around[count++] = labels[at - 1];
    if (x + 1 < field->width)
        around[count++] = labels[at + 1];
    if (y > 0)
        around[count++] = labels[at - field->width];
    if (y + 1 < field->height)
        around[count++] = labels[at + field->width];
    const int32_t own = countOf(around, count, labels[at]);
    const int32_t barred = repair->isSecond ? field->first[at] : -1;
    int32_t best = -1;
    float distance = 0.0f;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t label = around[i];
        if (label < 0 || label == barred || countOf(around, count, label) <= own)
            continue;
        const float d = thiSiteDistance(repair->sites, label, thiPixelCentre(field, x, y));
        if (best < 0 || d < distance || (d == distance && label < best)) {
            best = label;
            distance = d;
        }
    }
    if (best < 0)
        return false;
    if (repair->isSecond) {
        field->secondDistance[at] = distance;
    } else {
        field->second[at] = labels[at];
        field->secondDistance[at] = field->firstDistance[at];
        field->firstDistance[at] = distance;
    }
    labels[at] = best;
    return true;
}

// A row is looked at again if it or one beside it changed in the last two passes.
static bool isDue(const Repair* repair, int32_t y)
{
    const uint8_t* last = repair->changed[(repair->pass + 2) % 3];
    const uint8_t* former = repair->changed[(repair->pass + 1) % 3];
    const int32_t end = TH_MIN(y + 1, repair->field.height - 1);
    bool is = false;
    for (int32_t i = TH_MAX(y - 1, 0); i <= end; ++i)
        is |= (last[i] | former[i]) != 0;
    return is;
}

static void treatRow(const Repair* repair, int32_t y, int32_t* found)
{
    const int32_t width = repair->field.width;
    const int32_t* labels = repair->isSecond ? repair->field.second : repair->field.first;
    const int32_t* row = labels + (int64_t)y * width;
    bool changed = false;
    if (isDue(repair, y)) {
        const int32_t count = repair->findThin(row, y > 0 ? row - width : NULL,
                                               y + 1 < repair->field.height ? row + width : NULL,
                                               width, (y + repair->pass) & 1, found);
        for (int32_t i = 0; i < count; ++i)
            changed |= treat(repair, found[i], y);
    }
    repair->changed[repair->pass % 3][y] = changed;
}

static void treatBands(void* context, int32_t begin, int32_t end, int32_t worker)
{
    const Repair* repair = context;
    for (int32_t i = begin; i < end; ++i) {
        const int32_t low = (2 * i + repair->bandParity) * BAND;
        const int32_t high = TH_MIN(low + BAND, repair->field.height);
        for (int32_t y = low; y < high; ++y)
            treatRow(repair, y, repair->found[worker]);
    }
}

static void repairLabels(Repair* repair, const thTasks* tasks)
{
    const size_t height = (size_t)repair->field.height;
    const int32_t pairs = (repair->field.height + 2 * BAND - 1) / (2 * BAND);
    for (int32_t i = 0; i < 3; ++i)
        memset(repair->changed[i], 1, height);
    int32_t quiet = 0; // passes in which nothing changed
    for (repair->pass = 0; quiet < 2; repair->pass += 1) {
        for (repair->bandParity = 0; repair->bandParity < 2; repair->bandParity += 1)
            thTasks_ParallelFor(tasks, pairs, 1, treatBands, repair);
        const uint8_t* changed = repair->changed[repair->pass % 3];
        quiet = memchr(changed, 1, height) == NULL ? quiet + 1 : 0;
    }
}

static bool makeRoom(Repair* repair, int32_t workers, thArena* arena)
{
    const size_t width = (size_t)repair->field.width + TH_MAX_WIDTH;
    repair->kept =
        thiArenaAllocate(arena, ((size_t)repair->sites->count + 1) * sizeof *repair->kept);
    bool is = repair->kept != NULL;
    for (int32_t i = 0; i < 3; ++i) {
        repair->changed[i] = thiArenaAllocate(arena, (size_t)repair->field.height);
        is = is && repair->changed[i] != NULL;
    }
    for (int32_t i = 0; i < workers; ++i) {
        repair->found[i] = thiArenaAllocate(arena, width * sizeof *repair->found[i]);
        is = is && repair->found[i] != NULL;
    }
    return is;
}

thResult thiRepairTwoNearest(const thSites* sites, int32_t obstacleCount, thSimd simd,
                             const thTasks* tasks, thArena* arena, thTwoNearest* field)
{
    const thArenaPlace place = thiArenaPlace(arena);
    Repair repair = {.sites = sites, .field = *field, .findThin = thinFcns[thSimd_Resolve(simd)]};
    const bool isRoom = makeRoom(&repair, thTasks_GetWorkerCount(tasks), arena);
    if (isRoom) {
        listKept(&repair, obstacleCount);
        repairLabels(&repair, tasks);
        repair.isSecond = true;
        repairLabels(&repair, tasks);
    }
    thiArenaRewind(arena, place);
    return isRoom ? th_resultOk : th_resultNoMemory;
}
