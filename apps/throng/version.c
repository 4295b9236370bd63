// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "version.h"

#include <stdio.h>
#include <throng/simd.h>

void appPrintVersion(void)
{
    const thVersion version = thGetVersion();
    printf("throng %d.%d.%d\n", (int)version.major, (int)version.minor, (int)version.patch);
    printf("built with %s, %s, %s, %s, %s, %s\n", APP_COMPILER,
           APP_THREADS ? "threads" : "no threads",
           APP_CAIRO ? "cairo" : "no cairo (and so no command 'render')",
           APP_HDF5 ? "HDF5" : "no HDF5", APP_SQLITE ? "SQLite" : "no SQLite",
           APP_EXPAT ? "expat" : "no expat");
    fputs("instruction sets here:", stdout);
    for (int32_t simd = th_simdScalar; simd < th_simdCount; ++simd)
        if (thSimd_IsAvailable((thSimd)simd))
            printf(" %s", thSimd_GetName((thSimd)simd));
    putchar('\n');
}
