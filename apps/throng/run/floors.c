// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "run/floors.h"

#include <stdio.h>
#include <string.h>

bool appIsFloorOf(const int32_t* levels, int32_t count, int32_t level)
{
    char names[256] = "";
    const int32_t kept = count < appMostLevels ? count : appMostLevels;
    for (int32_t i = 0; i < kept; ++i) {
        const size_t length = strlen(names);
        if (levels[i] == level)
            return true;
        snprintf(names + length, sizeof names - length, "%s%d", i > 0 ? ", " : "", (int)levels[i]);
    }
    if (kept == 0 && level == 0)
        return true;
    appSay("--level is %d, expected a floor that something is on: %s%s", (int)level,
           kept > 0 ? names : "0", count > kept ? ", ..." : "");
    return false;
}

bool appIsFloor(const thScene* scene, int32_t level)
{
    int32_t levels[appMostLevels];
    return appIsFloorOf(levels, thScene_GetLevels(scene, levels, appMostLevels), level);
}
