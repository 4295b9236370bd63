// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// Planning method `flow`: a field for each goal, from the eikonal equation on a grid, that all who
/// go there share.

#ifndef THRONG_FLOW_H
#define THRONG_FLOW_H

#include "throng/base.h"

/// Parameters of method `flow`; the params of a profile's `plan`.
typedef struct thFlowDef {
    /// Size of this struct. [bytes, set by thDefaultFlowDef]
    uint32_t size;
    /// Distance of the grid's nodes. Gaps that are this much wider than a body are found. [m, 0.01
    /// .. 100, default 0.25]
    float cell;
    /// Most nodes of the grid of a floor; each takes 1 byte, and 8 more in each field. [64 ..
    /// 100,000,000, default 1,000,000]
    int32_t cells;
    /// Most fields: one for each goal, floor and size of bodies. Where there would be more, sizes
    /// share them; where there still are, some people wait for one. [1 .. 1024, default 16]
    int32_t fields;
    /// Nodes that are worked on in a step. [1000 .. 1,000,000,000, default 20,000]
    int32_t rate;
    /// How much a crowd slows down: what a metre of path costs more for each agent in a square
    /// metre. Then each field takes up to 9 bytes more for each node. [m², 0 .. 100, default 0]
    float crowding;
    /// Steps after which the crowd is counted anew, if the rate allows. [1 .. 1,000,000, default
    /// 10]
    int32_t refresh;
} thFlowDef;

/// Parameters with every field at its default.
THRONG_API thFlowDef thDefaultFlowDef(void);

#endif
