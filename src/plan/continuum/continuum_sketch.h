// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How potentials are drawn: contour lines, the lines along which agents would go, and the crowd.

#ifndef THRONG_SRC_PLAN_CONTINUUM_SKETCH_H
#define THRONG_SRC_PLAN_CONTINUUM_SKETCH_H

#include "plan/continuum/continuum_aim.h"
#include "throng/sketch.h"

// The plan must have a potential.
thResult thiSketchContinuum(const thContinuumPlans* plans, const thContinuumPlan* plan,
                            const thFrame* frame, thSketch* to);

#endif
