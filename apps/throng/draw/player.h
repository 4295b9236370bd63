// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Plays a recording: who is where at any time, also between frames, and where they were before.

#ifndef THRONG_APPS_PLAYER_H
#define THRONG_APPS_PLAYER_H

#include "draw/doors.h"
#include "recording/recording.h"

#include <stdbool.h>
#include <stdint.h>
#include <throng/record.h>

// --- Trails ---

// Where people were in the last seconds.

enum { appTrailPoints = 64 };

// Everybody at one time, so that trails cost 8 bytes a point.
typedef struct TrailMark {
    double time; // [s]
    int32_t count, capacity;
    thVec2* places; // by person, from the origin; not a number: not there [m]
} TrailMark;

typedef struct Trails {
    double seconds;                  // how long trails are; 0: there are none
    thPlace origin;                  // [m]
    TrailMark marks[appTrailPoints]; // a ring
    int32_t count, next;
} Trails;

// A person's trail up to a time, oldest point first, without gaps; returns how many points there
// are. [at most appTrailPoints]
int32_t appGetTrail(const Trails* trails, int32_t person, double time,
                    thPlace points[appTrailPoints]);

// --- Players ---

// Somebody at a moment.
typedef struct Sight {
    uint32_t id;
    int32_t person; // index into the recording's people; -1: nothing is known
    thPlace place;  // [m]
    float heading;  // [rad; not a number: not known]
    float speed;    // [m/s; not a number: not known]
} Sight;

// Everybody at a moment, by ascending id.
typedef struct Moment {
    double time; // [s]
    Sight* sights;
    int32_t count, capacity;
} Moment;

typedef struct Player {
    Recording* recording;
    Doors* doors;         // takes note of walls that come and go; NULL: nobody does
    Moment before, after; // frames; the moment asked for lies between them
    int64_t frameCount;   // that were read
    double firstTime;     // of the first of them [s]
    double lastSeen;      // time of the latest frame with somebody in it [s; not a number: none]
    bool isOver;          // no frame follows `after`
    Moment now;           // what was asked for
    thPlace* starts;      // where people were first seen, by person [m]
    float* headings;      // the latest, by person [rad; not a number: not known]
    int32_t startCount, startCapacity;
    const thRecordedShape** goals; // among the shapes, by the number that people have
    int32_t goalCount, goalCapacity;
    Trails trails;
} Player;

// Begins to play; trails are so long [s], and `doors` may be NULL. The first frame is read by the
// first seek.
void appBeginPlayer(Player* player, Recording* recording, Doors* doors, double trailSeconds);
void appEndPlayer(Player* player);

// Reads one more frame into `after`.
Next appPlayFrame(Player* player);

// Whether somebody stands at the goal it heads for.
bool appIsAtGoal(const Player* player, const Sight* sight);

// Makes `now` the moment at that time, not before the one that was asked for last; beyond the end
// the last frame. Places between two frames are interpolated; who is in one of them only is seen
// at it and not between. nextEnd: there is no frame at all.
Next appSeek(Player* player, double time);

// Whether seeking stops short of that time because more must be read. The second frame always is:
// it tells how those of the first one move.
bool appMustRead(const Player* player, double time);

#endif
