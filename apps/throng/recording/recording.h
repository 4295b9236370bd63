// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Recordings of any origin, read frame by frame in one way: files, and runs while they happen.
// What fails is said.

#ifndef THRONG_APPS_RECORDING_H
#define THRONG_APPS_RECORDING_H

#include "options.h"

#include <throng/record.h>

typedef enum Next { nextFrame, nextEnd, nextFailed } Next;

// Frames that nobody is in, ascending; layouts that are lists of rows have no place for these.
typedef struct FrameRange {
    int64_t first, last;
} FrameRange;

typedef struct FrameRanges {
    FrameRange* items;
    int32_t count, capacity;
} FrameRanges;

// What is open.
typedef struct Recording Recording;

// How a kind of recording is read; one table for each.
typedef struct RecordingKind {
    const char* suffix; // of files: ".thlog"; NULL: no file
    const char* about;  // "our own log"
    Next (*next)(Recording* self);
    void (*close)(Recording* self); // frees `own`
} RecordingKind;

struct Recording {
    const RecordingKind* kind;
    char* path;
    thRecordHead head;
    double endTime;     // of the last frame, for progress [s; negative: not known]
    thRecording latest; // the frame read last, with whom and what came with it
    // Everybody told of so far, latest word; by order of first appearance.
    thRecordedPerson* people;
    int32_t personCount, personCapacity;
    // Where people are in that table, by their ids: a hash table of 1 + index, 0 for none.
    int32_t* places;
    int32_t placeCapacity; // a power of two, at least twice personCapacity
    // Shapes as they stand in the latest frame; before the first one too, if the file has any.
    // Copies, in one block.
    thRecordedShape* shapes;
    int32_t shapeCount;
    FrameRanges nobody;    // frames without rows, as the file numbers them
    int64_t step;          // by which numbers of the file are divided [0: they are not]
    int32_t nobodyAt;      // the range of the next of these
    int64_t nobodyGiven;   // so many frames of that range were given
    thRecording held;      // a frame that comes after one without rows
    bool isHeld, hasEnded; // there is such a frame; nothing more is to be read
    bool hasGivenShapes;   // by --geometry: the file's own do not count
    bool wasCut;           // the end of the file was lost; said already
    void* own;             // of the kind
};

// How files that do not say it themselves are to be read.
typedef struct RecordingDef {
    double rate;          // [frames/s; 0: as the file says]
    const char* geometry; // a file with walls: WKT, GeoJSON or XML; NULL: as the file says
    const char* unit;     // "m" or "cm"; NULL: as the file says
    bool isFallback;      // of text: rate and unit hold only where the file does not say them
} RecordingDef;

// Whether the name ends like that of a recording.
bool appIsRecordingName(const char* path);

// Opens a file; its suffix, and for text its content, says what it is. NULL and `*code` when it
// cannot be read.
Recording* appOpenRecording(const char* path, const RecordingDef* def, ExitCode* code);

// Reads the next frame into `latest`, and brings `people` and `shapes` up to date.
Next appNextFrame(Recording* recording);

// What is known of a person. NULL: nothing.
const thRecordedPerson* appFindPerson(const Recording* recording, uint32_t id);

void appCloseRecording(Recording* recording); // NULL is allowed

// Copies of shapes with their points in one block, to be freed; NULL when memory is out.
thRecordedShape* appCopyShapes(const thRecordedShape* shapes, int32_t count);

// --- Writing ---

typedef struct RecordingWriter RecordingWriter;

typedef struct RecordingWriterKind {
    const char* suffix;
    const char* about;
    bool (*add)(RecordingWriter* self, const thRecording* frame);
    bool (*close)(RecordingWriter* self); // completes the file and frees `own`
} RecordingWriterKind;

struct RecordingWriter {
    const RecordingWriterKind* kind;
    char* path;
    thRecordHead head;
    FrameRanges nobody; // frames without rows so far
    bool isAbandoned;   // `close` leaves what was there before, where it can
    void* own;
};

// Whether files of that name can be written: exitDone, or what it says is wrong.
ExitCode appCheckRecordingName(const char* path);

// Creates a file in the format its suffix names: .thlog, .h5, .sqlite, .txt. `shapes` are those at
// the beginning. The texts of the head must outlive it. NULL and `*code` when it cannot be.
RecordingWriter* appCreateRecording(const char* path, const thRecordHead* head,
                                    const thRecordedShape* shapes, int32_t shapeCount,
                                    ExitCode* code);
bool appAddFrame(RecordingWriter* writer, const thRecording* frame);
// False when something could not be written; that was said. NULL is allowed, and is false.
bool appFinishRecording(RecordingWriter* writer);
// What there is of it is not worth keeping. NULL is allowed.
void appAbandonRecording(RecordingWriter* writer);

// Says what of a recording that was read to its end a file of that name has no place for.
void appTellLosses(const Recording* from, const char* path);

// The walkable area as WKT: rooms (else the bounds of everything), with solids as holes. To be
// freed; NULL when memory is out.
char* appWriteWalkable(const thRecordedShape* shapes, int32_t shapeCount);

#endif
