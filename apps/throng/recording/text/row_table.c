// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "recording/text/row_table.h"

#include <inttypes.h>
#include <stdlib.h>

void appFreeRows(RowTable* table)
{
    free(table->rows);
    appFreeFrame(&table->frame);
    *table = (RowTable){0};
}

bool appPutRow(RowTable* table, Row row)
{
    if (table->count == table->capacity) {
        const size_t capacity = table->capacity > 0 ? table->capacity + table->capacity / 2 : 4096;
        Row* rows = realloc(table->rows, capacity * sizeof *rows);
        if (rows == NULL)
            return false;
        table->rows = rows;
        table->capacity = capacity;
    }
    table->rows[table->count++] = row;
    return true;
}

static int compareRows(const void* left, const void* right)
{
    const Row *a = left, *b = right;
    if (a->frame != b->frame)
        return a->frame < b->frame ? -1 : 1;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

int64_t appCommonStep(int64_t step, int64_t difference)
{
    int64_t a = step, b = difference < 0 ? -difference : difference;
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

bool appSortRows(RowTable* table, const char* path, const char* word)
{
    int64_t step = 0;
    bool isSorted = true;
    for (size_t i = 1; i < table->count && isSorted; ++i)
        isSorted = compareRows(&table->rows[i - 1], &table->rows[i]) <= 0;
    if (!isSorted)
        qsort(table->rows, table->count, sizeof *table->rows, compareRows);
    for (size_t i = 1; i < table->count; ++i) {
        const Row *before = &table->rows[i - 1], *row = &table->rows[i];
        if (before->frame == row->frame && before->id == row->id) {
            appSay("%s:%" PRId32 ": person %" PRIu32 " is in frame %" PRId64
                   " already, in %s %" PRId32,
                   path, row->place, row->id, row->frame, word, before->place);
            return false;
        }
        step = appCommonStep(step, row->frame - before->frame);
    }
    table->step = step > 0 ? step : 1;
    return true;
}

Next appNextOfRows(RowTable* table, Recording* recording)
{
    if (table->at == table->count)
        return nextEnd;
    const int64_t frame = table->rows[table->at].frame;
    for (; table->at < table->count && table->rows[table->at].frame == frame; ++table->at) {
        const Row* row = &table->rows[table->at];
        const FrameRow person = {.id = row->id, .x = row->x, .y = row->y};
        if (!appAddRow(&table->frame, &person)) {
            appSayNoMemoryFor(recording);
            return nextFailed;
        }
    }
    if (appGiveFrame(&table->frame, recording, frame, table->step))
        return nextFrame;
    appSayNoMemoryFor(recording);
    return nextFailed;
}
