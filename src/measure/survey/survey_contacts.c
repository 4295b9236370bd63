// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Who touches whom, how far the nearest other one is, and who is in a wall.

#include "measure/survey/survey_internal.h"

#include <math.h>

// Pairs count that overlap by more than this share of the sum of their radii.
#define LEAST_OVERLAP 0.01
// People count as in a wall who are deeper. [m]
#define LEAST_WALL_DEPTH 0.01

// A pair that overlaps now, or did so in the frame before.
typedef struct Contact {
    uint64_t pair; // the lower index << 32 | the higher one
    int64_t first, last;
    double depth; // the greatest so far ÷ sum of radii
} Contact;

typedef struct thSurveyContacts {
    thSurveyWalls* walls;
    thArray found;   // thKeyed: pairs of this frame; the index is that of `depths`
    thArray scratch; // thKeyed
    thArray depths;  // double
    thArray open;    // Contact: of the frame before, by pair
    thArray next;    // Contact: of this one
    thArray nearest; // double: square of the distance, by place in the frame
    thValues nearestValues, times, contactDepths;
    uint64_t pairs;     // of all frames
    uint64_t nearWalls; // people in frames with walls
    uint64_t inWall;
    double maxWallDepth;
} thSurveyContacts;

static thResult createWalls(thSurvey* survey, thSurveyContacts* contacts)
{
    const thArray* walls = &survey->kept[th_keptWalls].shapes;
    return thiCreateSurveyWalls(&survey->memory, walls->data, walls->count, &contacts->walls);
}

static thResult createContacts(thSurvey* survey, thError* error)
{
    (void)error;
    thMemory* memory = &survey->memory;
    thSurveyContacts* contacts = survey->contactsPart = thiAllocateZero(memory, sizeof *contacts);
    if (contacts == NULL)
        return th_resultNoMemory;
    contacts->found = thiArray(memory, sizeof(thKeyed));
    contacts->scratch = thiArray(memory, sizeof(thKeyed));
    contacts->depths = thiArray(memory, sizeof(double));
    contacts->open = thiArray(memory, sizeof(Contact));
    contacts->next = thiArray(memory, sizeof(Contact));
    contacts->nearest = thiArray(memory, sizeof(double));
    contacts->nearestValues = thiValues(memory);
    contacts->times = thiValues(memory);
    contacts->contactDepths = thiValues(memory);
    return createWalls(survey, contacts);
}

static thResult changeWalls(thSurvey* survey)
{
    thSurveyContacts* contacts = survey->contactsPart;
    thiDestroySurveyWalls(&survey->memory, contacts->walls);
    contacts->walls = NULL;
    return createWalls(survey, contacts);
}

static void destroyContacts(thSurvey* survey)
{
    thSurveyContacts* contacts = survey->contactsPart;
    if (contacts == NULL)
        return;
    if (contacts->walls != NULL)
        thiDestroySurveyWalls(&survey->memory, contacts->walls);
    thiArrayFree(&contacts->found);
    thiArrayFree(&contacts->scratch);
    thiArrayFree(&contacts->depths);
    thiArrayFree(&contacts->open);
    thiArrayFree(&contacts->next);
    thiArrayFree(&contacts->nearest);
    thiValuesFree(&contacts->nearestValues);
    thiValuesFree(&contacts->times);
    thiValuesFree(&contacts->contactDepths);
    thiRelease(&survey->memory, contacts, sizeof *contacts);
}

// --- Pairs and nearest ones ------------------------------------------------------------------

// A cell, and the people in it and in the eight cells about it: three ranges, one for each row.
typedef struct Block {
    thGridRange own;
    thGridRange rows[3];
} Block;

// Goes on to the cells of a row in the three columns about a cell; `at` is where it was for the
// cell before, whose key is less.
static thGridRange rangeAbout(const thSurveyGrid* grid, uint64_t middleKey, int32_t* at)
{
    while (grid->cells[*at] < middleKey - 1)
        *at += 1;
    int32_t end = *at;
    while (grid->cells[end] <= middleKey + 1)
        ++end;
    return (thGridRange){grid->starts[*at], grid->starts[end]};
}

// `i` and `j` are places in the grid's order.
static thResult addPair(thSurveyContacts* contacts, const thSurveyGrid* grid,
                        const thSurveyFrame* frame, int32_t i, int32_t j, double distanceSq)
{
    const double sum = grid->radius[i] + grid->radius[j];
    const double depth = sum - sqrt(distanceSq);
    if (depth <= LEAST_OVERLAP * sum)
        return th_resultOk;
    const uint64_t a = (uint64_t)frame->person[grid->order[i]];
    const uint64_t b = (uint64_t)frame->person[grid->order[j]];
    double* depths = thiArrayAdd(&contacts->depths, 1);
    thKeyed* found = thiArrayAdd(&contacts->found, 1);
    if (depths == NULL || found == NULL)
        return th_resultNoMemory;
    *depths = depth / sum;
    *found = (thKeyed){TH_MIN(a, b) << 32 | TH_MAX(a, b), contacts->depths.count - 1};
    return th_resultOk;
}

// Square of the distance of i's nearest other person among some.
static double nearestOf(const thSurveyGrid* grid, int32_t i, thGridRange range)
{
    const double x = grid->x[i], y = grid->y[i];
    double least = INFINITY;
    for (int32_t j = range.begin; j < range.end; ++j) {
        const double dx = grid->x[j] - x, dy = grid->y[j] - y;
        const double distanceSq = j == i ? INFINITY : dx * dx + dy * dy;
        least = distanceSq < least ? distanceSq : least; // in this form without a branch
    }
    return least;
}

// Pairs of i and somebody behind it in the grid's order, so that each is found once.
static thResult addPairs(thSurveyContacts* contacts, const thSurveyGrid* grid,
                         const thSurveyFrame* frame, int32_t i, thGridRange range)
{
    const double touching = grid->radius[i] + grid->mostRadius;
    for (int32_t j = TH_MAX(range.begin, i + 1); j < range.end; ++j) {
        const double dx = grid->x[j] - grid->x[i], dy = grid->y[j] - grid->y[i];
        const double distanceSq = dx * dx + dy * dy;
        if (distanceSq < touching * touching)
            TH_TRY(addPair(contacts, grid, frame, i, j, distanceSq));
    }
    return th_resultOk;
}

static thResult searchBlock(thSurveyContacts* contacts, const thSurveyGrid* grid,
                            const thSurveyFrame* frame, const Block* block)
{
    for (int32_t i = block->own.begin; i < block->own.end; ++i) {
        double least = INFINITY;
        for (int32_t row = 0; row < 3; ++row)
            least = TH_MIN(least, nearestOf(grid, i, block->rows[row]));
        TH_ITEMS(contacts->nearest, double)[grid->order[i]] = least;
        const double touching = grid->radius[i] + grid->mostRadius;
        for (int32_t row = 0; row < 3 && least < touching * touching; ++row)
            TH_TRY(addPairs(contacts, grid, frame, i, block->rows[row]));
    }
    return th_resultOk;
}

// A square of cells about one of them.
typedef struct Square {
    uint64_t lowRow, highRow, lowColumn, highColumn;
    bool isAll; // of the floor
} Square;

static Square squareAbout(const thSurveyGrid* grid, uint64_t key, uint64_t half)
{
    const uint64_t row = key >> grid->colBits;
    const uint64_t column = key & ((UINT64_C(1) << grid->colBits) - 1);
    const uint64_t below = row % grid->rows, above = grid->rows - 1 - below;
    const uint64_t left = column, right = grid->cols - 1 - column;
    return (Square){row - TH_MIN(half, below), row + TH_MIN(half, above),
                    column - TH_MIN(half, left), column + TH_MIN(half, right),
                    half >= below && half >= above && half >= left && half >= right};
}

// Square of the distance of i's nearest other person in a square of cells.
static double nearestIn(const thSurveyGrid* grid, const Square* square, int32_t i)
{
    const uint64_t end = thiGridKey(grid, square->highRow, square->highColumn);
    double least = INFINITY;
    uint64_t row = square->lowRow;
    int32_t cell = 0;
    for (;;) {
        cell = thiGridFind(grid, thiGridKey(grid, row, square->lowColumn), cell, grid->cellCount);
        if (grid->cells[cell] > end)
            return least;
        row = grid->cells[cell] >> grid->colBits; // rows before this one are empty
        const uint64_t low = thiGridKey(grid, row, square->lowColumn);
        const uint64_t high = thiGridKey(grid, row, square->highColumn);
        if (grid->cells[cell] < low)
            continue;
        int32_t last = cell;
        while (grid->cells[last] <= high)
            ++last;
        const thGridRange range = {grid->starts[cell], grid->starts[last]};
        least = TH_MIN(least, nearestOf(grid, i, range));
        cell = last;
        row += 1;
    }
}

// Squares twice as large each time, until nobody outside can be nearer. `known` is what the first
// one gave, which is all that is needed in a crowd.
static double nearestBeyond(const thSurveyGrid* grid, uint64_t key, int32_t i, double known)
{
    double least = known;
    for (uint64_t half = 1;; half *= 2) {
        const Square square = squareAbout(grid, key, half);
        if (half > 1)
            least = nearestIn(grid, &square, i);
        // A little less than the cells' edges: where a place is put may be off by a rounding.
        const double sure = 0.999 * grid->cell * (double)half;
        if (square.isAll || least <= sure * sure)
            return least;
    }
}

static thResult searchGrid(thSurveyContacts* contacts, const thSurveyGrid* grid,
                           const thSurveyFrame* frame)
{
    double* nearest = contacts->nearest.data;
    const uint64_t row = UINT64_C(1) << grid->colBits;
    int32_t at[3] = {0, 0, 0};
    for (int32_t cell = 0; cell < grid->cellCount; ++cell) {
        const uint64_t key = grid->cells[cell];
        const Block block = {.own = {grid->starts[cell], grid->starts[cell + 1]},
                             .rows = {rangeAbout(grid, key - row, &at[0]),
                                      rangeAbout(grid, key, &at[1]),
                                      rangeAbout(grid, key + row, &at[2])}};
        TH_TRY(searchBlock(contacts, grid, frame, &block));
        for (int32_t i = block.own.begin; i < block.own.end; ++i)
            nearest[grid->order[i]] = nearestBeyond(grid, key, i, nearest[grid->order[i]]);
    }
    return th_resultOk;
}

// --- Contacts --------------------------------------------------------------------------------

static thResult endContact(thSurveyContacts* contacts, const Contact* contact, double rate)
{
    TH_TRY(thiAddValue(&contacts->times, (double)(contact->last - contact->first + 1) / rate));
    return thiAddValue(&contacts->contactDepths, contact->depth);
}

static thResult sortFound(thSurveyContacts* contacts, int32_t personCount)
{
    const int32_t count = contacts->found.count;
    TH_TRY(thiArrayReserve(&contacts->scratch, contacts->found.capacity));
    int32_t bits = 32;
    while (bits < 63 && (uint64_t)personCount >> (bits - 32) > 0)
        ++bits;
    thiSortKeyed(contacts->found.data, contacts->scratch.data, count, bits);
    return th_resultOk;
}

// Contacts go on, begin and end, by what was found in this frame. `goesOn`: it belongs to the frame
// before.
static thResult followContacts(thSurveyContacts* contacts, int64_t number, bool goesOn, double rate)
{
    const thKeyed* found = contacts->found.data;
    const Contact* open = contacts->open.data;
    contacts->next.count = 0;
    int32_t at = 0;
    for (int32_t i = 0; i < contacts->found.count; ++i) {
        for (; at < contacts->open.count && open[at].pair < found[i].key; ++at)
            TH_TRY(endContact(contacts, &open[at], rate));
        Contact* contact = thiArrayAdd(&contacts->next, 1);
        if (contact == NULL)
            return th_resultNoMemory;
        *contact = (Contact){.pair = found[i].key, .first = number};
        if (goesOn && at < contacts->open.count && open[at].pair == found[i].key)
            *contact = open[at++];
        const double depth = TH_ITEMS(contacts->depths, double)[found[i].index];
        contact->last = number;
        contact->depth = TH_MAX(contact->depth, depth);
    }
    for (; at < contacts->open.count; ++at)
        TH_TRY(endContact(contacts, &open[at], rate));
    const thArray swap = contacts->open;
    contacts->open = contacts->next;
    contacts->next = swap;
    return th_resultOk;
}

// Whether somebody of this frame was in the one before.
static bool belongsToLast(const thSurveyFrame* frame)
{
    for (int32_t i = 0; i < frame->count; ++i)
        if (frame->since[i] < frame->number)
            return true;
    return false;
}

static void checkWalls(thSurvey* survey, const thSurveyFrame* frame)
{
    thSurveyContacts* contacts = survey->contactsPart;
    if (survey->kept[th_keptWalls].shapes.count == 0)
        return;
    contacts->nearWalls += (uint64_t)frame->count;
    for (int32_t i = 0; i < frame->count; ++i) {
        const thRecordedPerson* about =
            &TH_ITEMS(survey->persons, thSurveyPerson)[frame->person[i]].about;
        const double depth = thiWallDepth(contacts->walls, about->level, frame->x[i], frame->y[i],
                                          (double)about->radius);
        contacts->maxWallDepth = TH_MAX(contacts->maxWallDepth, depth);
        contacts->inWall += depth > LEAST_WALL_DEPTH;
    }
}

static thResult showFrame(thSurvey* survey, const thSurveyFrame* frame)
{
    thSurveyContacts* contacts = survey->contactsPart;
    contacts->nearest.count = 0;
    contacts->found.count = 0;
    contacts->depths.count = 0;
    if (thiArrayAdd(&contacts->nearest, frame->count) == NULL)
        return th_resultNoMemory;
    TH_TRY(searchGrid(contacts, frame->grid, frame));
    for (int32_t i = 0; i < frame->count; ++i) {
        const double nearest = TH_ITEMS(contacts->nearest, double)[i];
        if (nearest < INFINITY)
            TH_TRY(thiAddValue(&contacts->nearestValues, sqrt(nearest)));
    }
    contacts->pairs += (uint64_t)contacts->found.count;
    TH_TRY(sortFound(contacts, survey->persons.count));
    TH_TRY(followContacts(contacts, frame->number, belongsToLast(frame), survey->def.rate));
    checkWalls(survey, frame);
    return th_resultOk;
}

static thResult endContacts(thSurvey* survey)
{
    thSurveyContacts* contacts = survey->contactsPart;
    for (int32_t i = 0; i < contacts->open.count; ++i)
        TH_TRY(endContact(contacts, &TH_ITEMS(contacts->open, Contact)[i], survey->def.rate));
    contacts->open.count = 0;
    thSurveyResult* result = &survey->result;
    result->pairsPerFrame = thiShareOf((double)contacts->pairs, result->frames);
    result->inWallShare = thiShareOf((double)contacts->inWall, contacts->nearWalls);
    result->nearest = thiSpreadOf(&contacts->nearestValues);
    result->contacts = contacts->times.count;
    result->contactTime = thiSpreadOf(&contacts->times);
    result->contactDepth = thiSpreadOf(&contacts->contactDepths);
    result->maxWallDepth = contacts->nearWalls > 0 ? contacts->maxWallDepth : (double)NAN;
    return th_resultOk;
}

const thValues* thiNearestValues(const thSurvey* survey)
{
    return survey->contactsPart != NULL ? &survey->contactsPart->nearestValues : NULL;
}

const thSurveyPart thiContactsPart = {.isFigure = true,
                                      .create = createContacts,
                                      .destroy = destroyContacts,
                                      .changeWalls = changeWalls,
                                      .showFrame = showFrame,
                                      .end = endContacts};
