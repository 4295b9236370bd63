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
    thRecordedShape** items; // each a copy; in the order in which they were noticed
    int32_t count, capacity;
    thRecordedShape* last; // shapes as they stood when they were looked at last, in one block
    int32_t lastCount;
    bool isBegun;   // there is a last look
    bool isDoubted; // that look is what a scene says, and the first frame has to agree
} Doors;

// Begins with what stands when all doors are open, as the scene of a recording says, so that those
// which are shut at first are noticed at once. Where there is no scene, or it has no doors, it
// waits for what comes and goes.
void appBeginDoors(Doors* doors, const char* sceneText);

// Compares shapes as they stand now with the last ones. False: no memory.
bool appNoteDoors(Doors* doors, const thRecordedShape* shapes, int32_t count);

// Begins from given shapes as from those of a scene. False: no memory.
bool appExpectShapes(Doors* doors, const thRecordedShape* shapes, int32_t count);

bool appIsDoor(const Doors* doors, const thRecordedShape* shape);

// Whether one that looks the same is among shapes.
bool appHasShape(const thRecordedShape* shapes, int32_t count, const thRecordedShape* shape);

void appFreeDoors(Doors* doors);

#endif
