// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "move/contact/contacts.h"

#include "move/contact/contact_internal.h"

#define NEAR_BYTES ((size_t)1 << (TH_NEAR_BITS - 3))

// Every column by row: type, name.
#define COLUMNS(X)                                                                                 \
    X(thBody, bodies)                                                                              \
    X(thPushAnchor, anchors)                                                                       \
    X(float, wallRoom)                                                                             \
    X(float, nearRadius)                                                                           \
    X(uint8_t, classes)                                                                            \
    X(uint8_t, marks)                                                                              \
    X(atomic_uchar, cut)                                                                           \
    X(int32_t, moved.items)                                                                        \
    X(int32_t, pushed.items)                                                                       \
    X(int32_t, cuts.items)                                                                         \
    X(uint64_t, items[0])                                                                          \
    X(uint64_t, items[1])

thResult thiReserveAmply(thArray* array, int64_t count)
{
    if (count <= array->capacity)
        return th_resultOk;
    const int64_t ample = count + count / 4 + 64;
    return ample > INT32_MAX ? th_resultNoMemory : thiArrayReserve(array, (int32_t)ample);
}

static void freeColumns(thContacts* contacts)
{
    const size_t capacity = (size_t)contacts->capacity;
#define X(type, name)                                                                              \
    thiRelease(contacts->memory, contacts->name, capacity * sizeof(type));                         \
    contacts->name = NULL;
    COLUMNS(X)
#undef X
    contacts->capacity = 0;
}

// With room for the partners of anyone in an ordinary crowd.
static thResult makeWorkers(thContacts* contacts, int32_t count)
{
    thContactWorker* workers = thiArrayAdd(&contacts->workers, count);
    if (workers == NULL)
        return th_resultNoMemory;
    for (int32_t w = 0; w < count; ++w) {
        workers[w].partners = thiArray(contacts->memory, sizeof(int32_t));
        workers[w].planes = thiArray(contacts->memory, sizeof(thWayPlane));
    }
    for (int32_t w = 0; w < count; ++w) {
        TH_TRY(thiArrayReserve(&workers[w].partners, 256));
        TH_TRY(thiArrayReserve(&workers[w].planes, 256));
    }
    return th_resultOk;
}

thResult thiCreateContacts(thMemory* memory, int32_t workerCount, thContacts** result)
{
    *result = NULL;
    thContacts* contacts = thiAllocateZero(memory, sizeof *contacts);
    if (contacts == NULL)
        return th_resultNoMemory;
    contacts->memory = memory;
    contacts->workers = thiArray(memory, sizeof(thContactWorker));
    contacts->cells = thiArray(memory, sizeof(thContactCell));
    contacts->entryRow = thiArray(memory, sizeof(int32_t));
    contacts->entryCell = thiArray(memory, sizeof(int32_t));
    contacts->entryX = thiArray(memory, sizeof(int32_t));
    contacts->entryY = thiArray(memory, sizeof(int32_t));
    contacts->entryRadius = thiArray(memory, sizeof(float));
    contacts->chunkSizes = thiArray(memory, sizeof(int32_t));
    contacts->chunkCounts = thiArray(memory, sizeof(int32_t));
    contacts->partStart = thiArray(memory, sizeof(int32_t));
    contacts->partCells = thiArray(memory, sizeof(int32_t));
    contacts->pairs = thiArray(memory, sizeof(thContactPair));
    contacts->near = thiArray(memory, sizeof(int32_t));
    contacts->touched = thiArray(memory, sizeof(int32_t));
    contacts->current = thiArray(memory, sizeof(int32_t));
    contacts->waiting = thiArray(memory, sizeof(int32_t));
    contacts->nearCells = thiAllocate(memory, NEAR_BYTES);
    const thResult code =
        contacts->nearCells != NULL ? makeWorkers(contacts, workerCount) : th_resultNoMemory;
    if (code == th_resultOk)
        *result = contacts;
    else
        thiDestroyContacts(contacts);
    return code;
}

void thiDestroyContacts(thContacts* contacts)
{
    if (contacts == NULL)
        return;
    freeColumns(contacts);
    for (int32_t w = 0; w < contacts->workers.count; ++w) {
        thiArrayFree(&TH_ITEMS(contacts->workers, thContactWorker)[w].partners);
        thiArrayFree(&TH_ITEMS(contacts->workers, thContactWorker)[w].planes);
    }
    thiArrayFree(&contacts->workers);
    thiArrayFree(&contacts->cells);
    thiArrayFree(&contacts->entryRow);
    thiArrayFree(&contacts->entryCell);
    thiArrayFree(&contacts->entryX);
    thiArrayFree(&contacts->entryY);
    thiArrayFree(&contacts->entryRadius);
    thiArrayFree(&contacts->chunkSizes);
    thiArrayFree(&contacts->chunkCounts);
    thiArrayFree(&contacts->partStart);
    thiArrayFree(&contacts->partCells);
    thiArrayFree(&contacts->pairs);
    thiArrayFree(&contacts->near);
    thiArrayFree(&contacts->touched);
    thiArrayFree(&contacts->current);
    thiArrayFree(&contacts->waiting);
    thiRelease(contacts->memory, contacts->nearCells, NEAR_BYTES);
    thiRelease(contacts->memory, contacts, sizeof *contacts);
}

// Nothing is kept from one step to the next, so nothing has to be copied. Without memory for more
// there is still what there was, for those who live already.
thResult thiContactsReserve(thContacts* contacts, int32_t capacity)
{
    if (capacity <= contacts->capacity)
        return th_resultOk;
    thContacts held = *contacts;
    bool complete = true;
#define X(type, name)                                                                              \
    contacts->name = thiAllocate(contacts->memory, (size_t)capacity * sizeof(type));               \
    complete = complete && contacts->name != NULL;
    COLUMNS(X)
#undef X
    contacts->capacity = capacity;
    freeColumns(complete ? &held : contacts);
    if (!complete)
        *contacts = held;
    return complete ? th_resultOk : th_resultNoMemory;
}

thResult thiSolveContacts(thContacts* contacts, const thContactTask* task, const thTasks* tasks,
                          thContactStats* stats)
{
    *stats = (thContactStats){0};
    TH_TRY(thiContactsReserve(contacts, task->rows->count));
    contacts->task = task;
    contacts->tasks = tasks;
    contacts->simd = thSimd_Resolve(task->simd);
    contacts->hasWalls = task->walls != NULL && thiWallGridWalls(task->walls)->count > 0;
    TH_TRY(thiContactCellsBuild(contacts));
    // Every cell can wait once.
    TH_TRY(thiReserveAmply(&contacts->waiting, contacts->cells.count));
    thiFindOverlaps(contacts);
    TH_TRY(thiContactRounds(contacts, stats));
    return thiContactCommit(contacts, stats);
}

void thiVisitContacts(const thContacts* contacts, thContactFcn* visit, void* context)
{
    const int32_t* touched = TH_ITEMS(contacts->touched, int32_t);
    for (int32_t i = 0; i < contacts->touched.count; ++i) {
        const thContactCell* cell = &TH_ITEMS(contacts->cells, thContactCell)[touched[i]];
        const thContactPair* pairs = TH_ITEMS(contacts->pairs, thContactPair) + cell->firstPair;
        for (int32_t k = 0; k < cell->pairCount; ++k)
            if (pairs[k].pushed)
                visit(context, pairs[k].a, pairs[k].b);
    }
}

float thiContactRelief(uint16_t pressure)
{
    // 0.8 to the power of half the pressure.
    static const float factors[TH_MAX_PRESSURE + 1] = {
        1.0f,      0.89442719f, 0.8f,       0.71554175f, 0.64f,      0.57243340f,
        0.512f,    0.45794672f, 0.4096f,    0.36635738f, 0.32768f,   0.29308590f,
        0.262144f, 0.23446872f, 0.2097152f, 0.18757498f, 0.16777216f};
    return factors[TH_MIN(pressure, TH_MAX_PRESSURE)];
}
