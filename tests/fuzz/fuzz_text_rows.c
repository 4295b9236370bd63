// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Bytes are a recording as text, with columns by names if the first one is odd. Rows that are read
// are in order and finite; otherwise one line says what is wrong.

#include "fuzz/fuzz.h"

#include "recording/text_recording.h"

#include <math.h>
#include <string.h>

// Reads, and counts the lines that the program says meanwhile.
static ExitCode readRows(const char* text, size_t size, bool isCsv, TextRows* rows, int* said)
{
    char* heard = NULL;
    size_t length = 0;
    FILE* stream = open_memstream(&heard, &length);
    FILE* outside = stderr;
    FUZZ_CHECK(stream != NULL);
    stderr = stream;
    const ExitCode code = appReadTextRows("x", text, size, isCsv, rows);
    stderr = outside;
    FUZZ_CHECK(fclose(stream) == 0);
    *said = 0;
    for (size_t i = 0; i < length; ++i)
        *said += heard[i] == '\n';
    free(heard);
    return code;
}

static void checkRows(const RowTable* table)
{
    FUZZ_CHECK(table->count > 0 && table->step >= 1);
    for (size_t i = 0; i < table->count; ++i) {
        const Row* row = &table->rows[i];
        FUZZ_CHECK(fabs(row->x) <= 1e9 && fabs(row->y) <= 1e9 && row->place >= 1);
        if (i == 0)
            continue;
        FUZZ_CHECK(row[-1].frame < row->frame ||
                   (row[-1].frame == row->frame && row[-1].id < row->id));
        FUZZ_CHECK((row->frame - row[-1].frame) % table->step == 0);
        FUZZ_CHECK(appNumberOf(row->frame, table->step) - appNumberOf(row[-1].frame, table->step) ==
                   (row->frame - row[-1].frame) / table->step);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size < 1)
        return 0;
    char* text = malloc(size);
    FUZZ_CHECK(text != NULL);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    TextRows rows;
    int said;
    if (readRows(text, size - 1, (data[0] & 1) != 0, &rows, &said) == exitDone) {
        FUZZ_CHECK(said == 0);
        FUZZ_CHECK(rows.rate >= 0.0 && rows.rate <= 1e6);
        FUZZ_CHECK(rows.unit == 0.0 || rows.unit == 1.0 || rows.unit == 0.01);
        checkRows(&rows.table);
    } else {
        FUZZ_CHECK(said == 1);
    }
    appFreeRows(&rows.table);
    free(text);
    return 0;
}
