// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Room for the agents' columns, and the inert rows behind the last.

#include "space/rows.h"

#include <string.h>

static size_t columnBytes(int32_t capacity, size_t itemSize)
{
    return ((size_t)capacity + TH_MAX_WIDTH) * itemSize;
}

void thiRowsFree(thRows* rows, thMemory* memory)
{
#define X(type, name) thiRelease(memory, rows->name, columnBytes(rows->capacity, sizeof(type)));
    TH_ROW_COLUMNS(X)
#undef X
    *rows = (thRows){0};
}

thResult thiRowsReserve(thRows* rows, thMemory* memory, int32_t capacity)
{
    if (rows->capacity >= capacity)
        return th_resultOk;
    thRows grown = {.count = rows->count, .capacity = capacity};
    bool complete = true;
#define X(type, name)                                                                              \
    grown.name = thiAllocateZero(memory, columnBytes(capacity, sizeof(type)));                     \
    complete = complete && grown.name != NULL;
    TH_ROW_COLUMNS(X)
#undef X
    if (!complete) {
        thiRowsFree(&grown, memory);
        return th_resultNoMemory;
    }
    if (rows->count > 0) {
#define X(type, name) memcpy(grown.name, rows->name, (size_t)rows->count * sizeof(type));
        TH_ROW_COLUMNS(X)
#undef X
    }
    thiRowsFree(rows, memory);
    *rows = grown;
    return th_resultOk;
}

void thiRowsPad(thRows* rows)
{
#define X(type, name) memset(rows->name + rows->count, 0, TH_MAX_WIDTH * sizeof(type));
    TH_ROW_COLUMNS(X)
#undef X
}
