// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Nodes that are portals: everybody crosses them where it suits him. The disc can walk along a
// portal from end to end, and what its node is joined to can be walked to straight from the node's
// place; so whoever sees a part of a portal gets through.

#ifndef THRONG_SRC_PLAN_ROUTE_PORTAL_H
#define THRONG_SRC_PLAN_ROUTE_PORTAL_H

#include "plan/route/route_graph.h"
#include "plan/route/route_space.h"

static inline bool thiIsPortal(const thRouteNode* node)
{
    return !thiSamePoint(node->a, node->b);
}

// Where to cross a portal on the way from p to `after`: as near to the straight way as both can be
// seen from there. If there is no such point, one from where to go along the portal to its place.
// False if p sees none.
bool thiAimAtPortal(const thRouteSpace* space, const thRouteNode* portal, thPoint p, thPoint after,
                    float ease, thPoint* aim);

#endif
