// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What our files keep beyond the layouts of others, who pass over it: people and shapes.
// So it is known who people are and what stands around them, also thin walls and goals. Writers
// gather it, readers find it again.

#ifndef THRONG_APPS_EXTRAS_H
#define THRONG_APPS_EXTRAS_H

#include "recording/recording_kinds.h"

// What stands from a frame on: rooms, solids and walls, and the goals of the beginning. What moves
// is left out, and so are goals that come later: whoever heads for one has none here.
typedef struct ShapeSet {
    int64_t frame;
    thRecordedShape* shapes; // copies, in one block
    int32_t count;
} ShapeSet;

typedef struct Extras {
    thRecordedPerson* people; // by id, latest word
    int32_t personCount, personCapacity;
    ShapeSet* sets; // by frame
    int32_t setCount, setCapacity;
    int32_t setsGiven; // so many of them a reader has given
    int32_t goalsKept; // so many of the first goals still are as at the beginning
    bool hasFrames;    // a writer has gathered from a frame
} Extras;

// A corner of a shape, as a row of a table.
typedef struct CornerRow {
    int64_t frame; // of its set
    int32_t shape; // number within the set: 0, 1, 2 … [-1: the set is empty; nothing follows]
    int32_t kind, level; // as in thRecordedShape
    float radius;
    double x, y;
} CornerRow;

void appFreeExtras(Extras* extras);

// --- Writing ---

// False when memory is out, which is not said; also below.
bool appBeginExtras(Extras* extras, const thRecordedShape* shapes, int32_t count);
bool appGatherExtras(Extras* extras, const thRecording* frame);

// All corners of all sets, to be freed. NULL when memory is out.
CornerRow* appListCorners(const Extras* extras, size_t* count);

// --- Reading ---

// What is wrong with the table of people, or of corners: "has a number that is out of range". NULL:
// nothing, and it is taken; the array of people then is to the extras to free.
const char* appTakePeople(Extras* extras, thRecordedPerson* people, int32_t count);
const char* appTakeCorners(Extras* extras, const CornerRow* rows, size_t count);

// Says what is wrong with a table of a file, and that it is passed over.
void appSayPassedOver(const char* path, const char* table, const char* wrong);

// Whether there are shapes, which then stand from the beginning. False and `*code` when memory is
// out, which is said.
bool appGiveFirstShapes(Extras* extras, Recording* recording, ExitCode* code);

// Shapes that stand from this frame of the file on, if they are others than before.
void appGiveShapesOf(Extras* extras, int64_t frame, thRecording* latest);

// What is known of somebody. NULL: nothing.
const thRecordedPerson* appFindExtra(const Extras* extras, uint32_t id);

#endif
