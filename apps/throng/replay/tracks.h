// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Whole tracks of people, gathered from the frames of a recording: where each was, time by time.

#ifndef THRONG_APPS_TRACKS_H
#define THRONG_APPS_TRACKS_H

#include "recording/recording.h"

typedef struct TrackPoint {
    double time; // [s]
    double x, y; // [m]
} TrackPoint;

typedef struct Track {
    uint32_t id;
    const TrackPoint* points; // in the order of time
    int32_t count;            // at least 1
} Track;

// One row of a frame, until tracks are made.
typedef struct TrackRow {
    uint32_t id;
    TrackPoint point;
} TrackRow;

// All zero: of nobody.
typedef struct Tracks {
    TrackRow* rows;
    size_t rowCount, rowCapacity;
    Track* items; // in the order of ids
    int32_t count;
    TrackPoint* points;
    int64_t frames;             // that were gathered, also those that nobody was in
    double firstTime, lastTime; // of these [s]
} Tracks;

// Adds a frame, which is later than all before. False when memory is out, which is not said.
bool appGatherFrame(Tracks* tracks, const thRecordedFrame* frame, double rate);

// Makes tracks of what was gathered; the rows are gone then. False likewise.
bool appMakeTracks(Tracks* tracks);

void appFreeTracks(Tracks* tracks);

// NULL: nobody has that id.
const Track* appFindTrack(const Tracks* tracks, uint32_t id);

// Where somebody was at a time: between two points on the straight line, before the first and after
// the last at these.
thPlace appPlaceAt(const Track* track, double time);

// How far two places are from each other. [m]
double appDistance(thPlace a, thPlace b);

// How fast somebody was at a time: the distance between where it was half of the window before and
// after, over the time between; at the ends of the track as much of the window as there is. [m/s]
double appSpeedAt(const Track* track, double time, double window);

#endif
