// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What tests of recordings share: logs in memory, random frames, and a scene to record.
//
// Everything happens in the scene that a recorder tells of.

#ifndef THRONG_TESTS_RECORD_RECORD_GEAR_H
#define THRONG_TESTS_RECORD_RECORD_GEAR_H

#include "gear/property.h"
#include "scene/run_gear.h"
#include "throng/record.h"

// A log as a file in memory.
typedef struct LogFile {
    uint8_t* data;
    size_t size, capacity;
    int32_t writes;   // calls so far
    size_t piece;     // the most that is read at once; 0: no limit
    bool cannotRead;  // reading fails
    bool cannotWrite; // writing fails
} LogFile;

thResult writeToFile(void* context, const void* data, size_t size);
int64_t readFromFile(void* context, uint64_t offset, void* data, size_t size);
void freeFile(LogFile* file);

thLogWriter* createWriter(LogFile* file, const thRecordHead* head);
// One that goes on where a reader has ended; the file is cut there.
thLogWriter* createWriterAfter(LogFile* file, const thLogReader* reader);
thLogReader* createReader(LogFile* file);

// A recording that owns what it points to.
enum { mostPeople = 64, mostShapes = 6, mostPoints = 5 };
typedef struct Sample {
    thRecording recording;
    uint32_t id[mostPeople];
    double x[mostPeople], y[mostPeople];
    float heading[mostPeople];
    thRecordedPerson people[mostPeople];
    thRecordedShape shapes[mostShapes];
    thPlace points[mostShapes][mostPoints];
} Sample;

// Frames of up to `size` people about an origin, on whole units; anything may be missing.
void drawSample(thGenerator* g, int32_t size, thPlace origin, int64_t number, Sample* sample);
// The same content, at another address.
void copySample(const thRecording* recording, Sample* sample);

// Everything is the same; headings to half a unit.
void assertSameRecording(const thRecording* a, const thRecording* b);

// Between the braces of a scene: walls, doors, movers, sources, lists, alternatives, delays, groups
// and two floors, about an origin that is far away.
extern const char busyScene[];
#define BUSY_X 500000.0
#define BUSY_Y 5700000.0

// The head of a log of a run.
thRecordHead headOfRun(const Stage* stage);

#endif
