// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "scene/read/scene_repeat.h"

#include "base/float_math.h"

// Sine and cosine of a share of a full turn. Quarters are exact, so that what is repeated four
// times stays in line with the axes.
static void turnBy(int32_t part, int32_t whole, thCopy* copy)
{
    const int64_t quarters = 4 * (int64_t)part;
    float sine = 0.0f, cosine = 1.0f;
    if (quarters % whole != 0)
        thSinCos(0.5f * TH_PI * ((float)(quarters % whole) / (float)whole), &sine, &cosine);
    const double x = (double)cosine, y = (double)sine;
    const int64_t quarter = quarters / whole;
    copy->cosine = quarter == 0 ? x : quarter == 1 ? -y : quarter == 2 ? -x : y;
    copy->sine = quarter == 0 ? y : quarter == 1 ? x : quarter == 2 ? -y : -x;
}

thCopy thiCopyOf(const thSceneRepeat* repeat, int32_t number)
{
    const int32_t cells = repeat->columns * repeat->rows;
    const int32_t column = number % repeat->columns;
    const int32_t row = number / repeat->columns % repeat->rows;
    thCopy copy = {.moved = {column * repeat->step[0], row * repeat->step[1]},
                   .center = repeat->around,
                   .isTurned = number >= cells};
    if (copy.isTurned)
        turnBy(number / cells, repeat->count, &copy);
    return copy;
}

thCoord thiInCopy(const thCopy* copy, thCoord place)
{
    const thCoord moved = {place.x + copy->moved.x, place.y + copy->moved.y};
    if (!copy->isTurned)
        return moved;
    const double dx = moved.x - copy->center.x, dy = moved.y - copy->center.y;
    return (thCoord){copy->center.x + copy->cosine * dx - copy->sine * dy,
                     copy->center.y + copy->sine * dx + copy->cosine * dy};
}
