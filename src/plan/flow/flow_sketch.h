// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Fields, for those who draw them. Both need a field with nodes; what is not built yet is left out.

#ifndef THRONG_SRC_PLAN_FLOW_SKETCH_H
#define THRONG_SRC_PLAN_FLOW_SKETCH_H

#include "plan/flow/flow_field.h"
#include "throng/sketch.h"

// Lines along which agents would go, evenly spread. `slow`: how a crowd slows them; NULL: it does
// not.
thResult thiSketchStreams(const thFlowField* field, const thSlowField* slow, thSketch* to);

// Lines of places from which the way is equally long, every so many metres.
void thiSketchContours(const thFlowField* field, thSketch* to);

#endif
