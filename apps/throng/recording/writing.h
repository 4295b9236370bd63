// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What writers of other people's formats share: numbers, and the area.

#ifndef THRONG_APPS_WRITING_H
#define THRONG_APPS_WRITING_H

#include "recording/recording.h"

// A number for files of others: the fewest digits that give it back.
typedef struct NumberText {
    char text[32];
} NumberText;
const char* appFormatNumber(NumberText* buffer, double value);

// The bounds of all positions that were written.
typedef struct WrittenBounds {
    thPlace low, high;
    bool isThere; // there is something within
} WrittenBounds;

void appAddToBounds(WrittenBounds* bounds, const double* x, const double* y, int32_t count);

// The walkable area, as appWriteWalkable; without rooms it goes as far as people do. NULL, and said
// with the name of the file, when memory is out.
char* appDescribeWalkable(const char* path, const thRecordedShape* shapes, int32_t count,
                          const WrittenBounds* bounds);

#endif
