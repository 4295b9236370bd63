// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// All of throng.

#ifndef THRONG_THRONG_H
#define THRONG_THRONG_H

#include "throng/avoid.h"
#include "throng/base.h"
#include "throng/body_shape.h"
#include "throng/clearpath.h"
#include "throng/collision.h"
#include "throng/continuum.h"
#include "throng/explain.h"
#include "throng/flow.h"
#include "throng/gate.h"
#include "throng/id.h"
#include "throng/mark.h"
#include "throng/math.h"
#include "throng/measure.h"
#include "throng/method.h"
#include "throng/orca.h"
#include "throng/outline.h"
#include "throng/power_law.h"
#include "throng/preset.h"
#include "throng/query.h"
#include "throng/random.h"
#include "throng/record.h"
#include "throng/roadmap.h"
#include "throng/rvo.h"
#include "throng/scene.h"
#include "throng/shapes.h"
#include "throng/simd.h"
#include "throng/sketch.h"
#include "throng/social_force.h"
#include "throng/speed.h"
#include "throng/steer.h"
#include "throng/survey.h"
#include "throng/tasks.h"
#include "throng/visibility.h"
#include "throng/world.h"

#endif
