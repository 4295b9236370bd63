// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Walls that come and go, as doors do. Pictures show them unlike those that stay: people walk where
// they stood before.

#ifndef THRONG_APPS_DOORS_H
#define THRONG_APPS_DOORS_H

#include <stdbool.h>
#include <stdint.h>
#include <throng/record.h>

typedef struct Doors {
    thRecordedShape** items; // each a copy, in an order of their own
    int32_t count, capacity;
    thRecordedShape* last; // shapes as they stood when they were looked at last, in one block
    int32_t lastCount;
    bool isBegun; // there is a last look
    // What is known comes from a scene: its walls must stand in the first frame, or else it is
    // another scene, and its doors are forgotten.
    bool isDoubted;
} Doors;

// Begins with the doors of a recording's scene, given as JSON. Where there is none, or it has no
// doors, those are found that come and go.
void appBeginDoors(Doors* doors, const char* sceneText);

// Compares shapes as they stand now with the last ones. False: no memory.
bool appNoteDoors(Doors* doors, const thRecordedShape* shapes, int32_t count);

bool appIsDoor(const Doors* doors, const thRecordedShape* shape);

// Whether one that looks the same is among shapes.
bool appHasShape(const thRecordedShape* shapes, int32_t count, const thRecordedShape* shape);

void appFreeDoors(Doors* doors);

#endif
