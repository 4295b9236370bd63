// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "run/area.h"

#include <math.h>
#include <stdlib.h>

bool appReadArea(const char* text, thPlace* low, thPlace* high)
{
    double* const values[] = {&low->x, &low->y, &high->x, &high->y};
    const char* at = text;
    bool good = true;
    for (int i = 0; i < 4 && good; ++i) {
        char* end;
        *values[i] = strtod(at, &end);
        good = end != at && isfinite(*values[i]) && *end == (i < 3 ? ',' : '\0');
        at = end + 1;
    }
    if (good && low->x < high->x && low->y < high->y)
        return true;
    appSay("--area is '%s', expected X0,Y0,X1,Y1 with X0 < X1 and Y0 < Y1", text);
    return false;
}
