// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "recording/part_file.h"

#include "output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char* appNamePart(const char* path)
{
    const size_t size = strlen(path) + sizeof ".part";
    char* part = malloc(size);
    if (part == NULL)
        appSay("cannot write '%s': no memory", path);
    else
        snprintf(part, size, "%s.part", path);
    return part;
}

bool appEndPart(char* part, const char* path, bool good)
{
    if (part != NULL && good && rename(part, path) != 0) {
        appSayCannot("write", path);
        good = false;
    }
    if (part != NULL && !good)
        unlink(part);
    free(part);
    return part != NULL && good;
}

const char* appFormatNumber(NumberText* buffer, double value)
{
    for (int digits = 15; digits <= 17; ++digits) {
        snprintf(buffer->text, sizeof buffer->text, "%.*g", digits, value);
        if (strtod(buffer->text, NULL) == value)
            break;
    }
    return buffer->text;
}

void appAddToBounds(Bounds* bounds, const double* x, const double* y, int32_t count)
{
    if (count > 0 && !bounds->isThere)
        *bounds = (Bounds){.low = {x[0], y[0]}, .high = {x[0], y[0]}, .isThere = true};
    for (int32_t i = 0; i < count; ++i) {
        bounds->low.x = x[i] < bounds->low.x ? x[i] : bounds->low.x;
        bounds->low.y = y[i] < bounds->low.y ? y[i] : bounds->low.y;
        bounds->high.x = x[i] > bounds->high.x ? x[i] : bounds->high.x;
        bounds->high.y = y[i] > bounds->high.y ? y[i] : bounds->high.y;
    }
}
