// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Whole recordings in memory, made up, written and read, for tests of their formats.

#ifndef THRONG_TESTS_APPS_FORMATS_GEAR_H
#define THRONG_TESTS_APPS_FORMATS_GEAR_H

#include "gear/gear.h"

#include "recording/frame_filter.h"
#include "recording/recording_kinds.h"

// A person in a frame.
typedef struct Sample {
    int64_t frame;
    uint32_t id;
    double x, y;
    float heading; // NAN: not known
} Sample;

typedef struct Track {
    Sample* samples; // by frame, then id
    int32_t count, capacity;
    double rate;
    int32_t people, frames;
    double duration; // from the first frame to the last [s]
} Track;

void addSample(Track* track, Sample sample);
void freeTrack(Track* track);

// The id of one of the people that are made up: they are far apart and in no order.
uint32_t idOf(int32_t person);

// People come and go at random. With headings, or without.
Track makeTrack(uint64_t seed, int32_t frames, int32_t mostAtOnce, bool hasHeading);

// A file in a folder that is removed when the program ends.
const char* nameFile(const char* name);

void writeTrack(const char* path, const Track* track, const thRecordedShape* shapes,
                int32_t shapeCount);
Track readTrack(const char* path, const RecordingDef* def);

// All that a recording has left, through a filter.
Track readFiltered(Recording* recording, const FrameFilterDef* def);

// The same people in the same frames, and no further apart than that; headings too, where both
// have them.
void assertSameTrack(const Track* a, const Track* b, double tolerance);

void writeFile(const char* path, const char* text);

#endif
