// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Numbers that are drawn for each agent: distributions, and what is drawn from them.

#ifndef THRONG_SRC_SCENE_SCENE_DRAW_H
#define THRONG_SRC_SCENE_SCENE_DRAW_H

#include "scene/scene_model.h"

// What a distribution is called in scene files; NULL of numbers that are not drawn.
const char* thiDrawName(thDrawKind kind);

// The bounds of a distribution that tells none, within those of the number that is drawn.
void thiDefaultDrawRange(const thDraw* draw, double least, double most, double* min, double* max);

// The mean without bounds, to a hundredth at least.
double thiDrawMean(const thDraw* draw);

// A number of a distribution; the stream decides which. Numbers beyond the bounds are drawn again,
// a thousand times at most: then the nearest bound is taken.
double thiDrawNumber(const thDraw* draw, uint64_t stream);

#endif
