// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What values from outside may be. NaN is in no range.

#ifndef THRONG_SRC_SIM_RANGES_H
#define THRONG_SRC_SIM_RANGES_H

#include "base/float_math.h"
#include "geom/fixed.h"
#include "geom/segment.h"

// Of velocities that are set, in x and in y. [m/s]
#define TH_MAX_VELOCITY 1000.0f
// Of paths that planners know. [m]
#define TH_LONGEST_PATH 1.0e9f
// Of turning. [rad/s]
#define TH_MAX_SPIN 100.0f

static inline bool thiIsBetween(float value, float low, float high)
{
    return value >= low && value <= high;
}

static inline bool thiIsPlace(thVec2 position)
{
    return thiIsCoordinate(position.x) && thiIsCoordinate(position.y);
}

static inline bool thiIsVelocity(thVec2 velocity)
{
    return thiIsBetween(velocity.x, -TH_MAX_VELOCITY, TH_MAX_VELOCITY) &&
           thiIsBetween(velocity.y, -TH_MAX_VELOCITY, TH_MAX_VELOCITY);
}

static inline bool thiIsFiniteDouble(double value)
{
    return value >= -DBL_MAX && value <= DBL_MAX;
}

// A speed limit that is not given follows the preferred speed, so that nobody is carried along
// faster than he can walk.
static inline float thiMaxSpeed(float given, float prefSpeed)
{
    return given < 0.0f ? TH_MIN(1.3f * prefSpeed, 100.0f) : given;
}

static inline bool thiIsWithinWorld(thPoint point)
{
    return point.x >= -TH_MAX_UNITS && point.x <= TH_MAX_UNITS && point.y >= -TH_MAX_UNITS &&
           point.y <= TH_MAX_UNITS;
}

// Angles as thSinCos takes them.
static inline bool thiIsAngle(float angle)
{
    return thiIsBetween(angle, -TH_SINCOS_LIMIT, TH_SINCOS_LIMIT);
}

static inline bool thiIsLevel(int32_t level)
{
    return level >= 0 && level <= UINT16_MAX;
}

// −1 is none.
static inline bool thiIsGroup(int32_t group)
{
    return group >= -1;
}

// The same angle in −π .. π; one that is there already keeps its bits.
static inline float thiWrapAngle(float angle)
{
    if (thiIsBetween(angle, -TH_PI, TH_PI))
        return angle;
    const double turn = 0x1.921fb54442d18p+2; // 2π
    const double turns = (double)angle / turn;
    if (!(turns > -0x1p31 && turns < 0x1p31)) // it says nothing about where it points
        return 0.0f;
    const int32_t whole = (int32_t)(turns + (turns < 0.0 ? -0.5 : 0.5));
    const float wrapped = (float)((double)angle - whole * turn);
    return wrapped > TH_PI ? TH_PI : wrapped < -TH_PI ? -TH_PI : wrapped;
}

static inline thPoint thiPointOf(thVec2 position)
{
    return (thPoint){thiUnits(position.x), thiUnits(position.y)};
}

#endif
