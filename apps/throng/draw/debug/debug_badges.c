// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "draw/debug/debug_badges.h"

#include "draw/debug/debug_sides.h"

#include <math.h>
#include <stdio.h>

enum { mostPlaces = 65 };

// Places that badges have been put to. None is to cover the chosen velocity, which is the first.
typedef struct Badges {
    thVec2 places[mostPlaces];
    int32_t count;
} Badges;

static double spaceAround(const Badges* badges, thVec2 place)
{
    double least = INFINITY;
    for (int32_t i = 0; i < badges->count; ++i)
        least = fmin(least, hypot(place.x - badges->places[i].x, place.y - badges->places[i].y));
    return least;
}

// A place for a badge: its space, which counts as far as badges need it, and how far it is from the
// chosen velocity, around which most borders meet.
typedef struct Spot {
    thVec2 place;
    double space, away;
} Spot;

static bool isBetter(const Spot* spot, const Spot* than)
{
    return spot->space > than->space || (spot->space == than->space && spot->away > than->away);
}

// Looks at places on a part of a border from its ends inwards.
static void lookAlong(const Panel* panel, const Side* side, const Badges* badges, Spot* best)
{
    const double enough = 21 * panel->unit * panel->reach / (0.5 * panel->side);
    for (int32_t i = 0; i < 12; ++i) {
        const double inward = 0.06 * (i / 2) * (side->high - side->low);
        const Corner at =
            appPlaceOnSide(side, i % 2 == 0 ? side->high - inward : side->low + inward);
        const thVec2 here = {(float)at.x, (float)at.y}, chosen = badges->places[0];
        const Spot spot = {here, fmin(spaceAround(badges, here), enough),
                           hypot(here.x - chosen.x, here.y - chosen.y)};
        if (isBetter(&spot, best) && !appIsCovered(panel, here))
            *best = spot;
    }
}

// A place on the border of a mark, far out, where no other badge is. False when the border is
// outside of the panel, or too near to its sides.
static bool findPlace(const Panel* panel, const thMark* mark, const Badges* badges, thVec2* place)
{
    const double badge = 11 * panel->unit / (0.5 * panel->side);
    const double radius = fmin(0.95, 1 - badge) * panel->reach;
    Spot best = {.space = -1};
    for (int32_t i = 0; i < appCountSides(mark); ++i) {
        Side side = appSideOf(mark, i);
        if (appCutSideByDisc(&side, (Corner){panel->middle.x, panel->middle.y}, radius))
            lookAlong(panel, &side, badges, &best);
    }
    *place = best.place;
    return best.space >= 0;
}

void appDrawBadges(const Panel* panel, const thExplanationView* view)
{
    Badges badges = {.places = {view->chosen}, .count = 1};
    for (int32_t i = 0; i < view->markCount && badges.count < mostPlaces; ++i) {
        const thMark* mark = &view->marks[i];
        const bool isShown = mark->cause == th_causeAgent && mark->space == th_spaceVelocity;
        const int32_t number = isShown ? appNeighborNumber(view, mark->whose) : 0;
        thVec2 place;
        if (number == 0 || !findPlace(panel, mark, &badges, &place))
            continue;
        char text[16];
        snprintf(text, sizeof text, "%d", (int)number);
        appDrawBadge(panel, place, appCauseColor(mark->cause), text);
        badges.places[badges.count++] = place;
    }
}
