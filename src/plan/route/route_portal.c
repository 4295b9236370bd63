// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "plan/route/route_portal.h"

#include <math.h>

#define TRIES 8 // points between where the straight way crosses and the portal's place

static thPoint between(thPoint a, thPoint b, double share)
{
    return (thPoint){(int32_t)floor(a.x + share * ((double)b.x - a.x) + 0.5),
                     (int32_t)floor(a.y + share * ((double)b.y - a.y) + 0.5)};
}

// The point of a portal that is on the straight way from p to q, or nearest to it.
static thPoint crossingOf(const thRouteNode* portal, thPoint p, thPoint q)
{
    const double dx = (double)portal->b.x - portal->a.x, dy = (double)portal->b.y - portal->a.y;
    const double px = (double)p.x - portal->a.x, py = (double)p.y - portal->a.y;
    const double qx = (double)q.x - portal->a.x, qy = (double)q.y - portal->a.y;
    // On which sides of the portal's line they are, and where along it.
    const double sideP = dx * py - dy * px, sideQ = dx * qy - dy * qx;
    const double alongP = dx * px + dy * py, alongQ = dx * qx + dy * qy;
    const double apart = sideP - sideQ;
    // Both on one side, or on the line itself: the nearer one decides.
    const double share = (sideP > 0.0) != (sideQ > 0.0) ? sideP / apart
                         : fabs(sideP) <= fabs(sideQ)   ? 0.0
                                                        : 1.0;
    const double along = (alongP + share * (alongQ - alongP)) / (dx * dx + dy * dy);
    return between(portal->a, portal->b, TH_MIN(TH_MAX(along, 0.0), 1.0));
}

bool thiAimAtPortal(const thRouteSpace* space, const thRouteNode* portal, thPoint p, thPoint after,
                    float ease, thPoint* aim)
{
    const thPoint crossing = crossingOf(portal, p, after);
    bool sees = false;
    for (int32_t i = 0; i <= TRIES; ++i) {
        const thPoint point = between(crossing, portal->place, (double)i / TRIES);
        if (!thiIsClearWay(space, p, point, ease))
            continue;
        sees = true;
        *aim = point;
        if (thiIsClearWay(space, point, after, 0.0f))
            break;
    }
    return sees;
}
