// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Where people were in the last seconds.

#ifndef THRONG_APPS_TRAILS_H
#define THRONG_APPS_TRAILS_H

#include <stdbool.h>
#include <stdint.h>
#include <throng/record.h>

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

// Begins to take note of everybody, if it is time to; NULL: it is not, or memory is out. People are
// to be put in by appMarkTrail. `personCount` is greater than every index of a person.
TrailMark* appBeginMark(Trails* trails, double time, int32_t personCount, bool* failed);
void appMarkTrail(const Trails* trails, TrailMark* mark, int32_t person, thPlace place);

// A person's trail up to a time, oldest point first, without gaps; returns how many points there
// are. [at most appTrailPoints]
int32_t appGetTrail(const Trails* trails, int32_t person, double time,
                    thPlace points[appTrailPoints]);

void appFreeTrails(Trails* trails);

#endif
