// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A user of the installed library. Written in what C17 and C++17 share, since it is built as both.
// Prints the library's version.

#include <throng/throng.h>

#include <stdio.h>

enum { itemCount = 1000 };

static void square(void* context, int32_t begin, int32_t end, int32_t worker)
{
    (void)worker;
    int32_t* squares = (int32_t*)context;
    for (int32_t i = begin; i < end; ++i)
        squares[i] = i * i;
}

int main(void)
{
    thTasksDef def = thDefaultTasksDef();
    def.workerCount = 4;
    thTasks* tasks;
    thResult result = thCreateTasks(&def, &tasks);
    if (result == th_resultUnavailable) { // a library built without threads
        def.workerCount = 1;
        result = thCreateTasks(&def, &tasks);
    }
    if (result != th_resultOk) {
        fprintf(stderr, "no scheduler: %s\n", thResult_GetText(result));
        return 1;
    }
    int32_t squares[itemCount] = {0};
    thTasks_ParallelFor(tasks, itemCount, 16, square, squares);
    thDestroyTasks(tasks);
    for (int32_t i = 0; i < itemCount; ++i) {
        if (squares[i] != i * i) {
            fprintf(stderr, "item %d is %d\n", (int)i, (int)squares[i]);
            return 1;
        }
    }
    const thVersion version = thGetVersion();
    printf("%d.%d.%d\n", (int)version.major, (int)version.minor, (int)version.patch);
    return 0;
}
