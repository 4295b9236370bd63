// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Prints the kind and the name of every built-in method, a line each, for check_methods.sh.

#include "sim/world_internal.h"

#include <stdio.h>

int main(void)
{
    static const char* const kinds[th_methodKindCount] = {"plan", "group", "avoid"};
    for (int32_t kind = 0; kind < th_methodKindCount; ++kind)
        for (const thMethod* const* method = thiBuiltInMethods((thMethodKind)kind); *method != NULL;
             ++method)
            printf("%s %s\n", kinds[kind], (*method)->name);
    return 0;
}
