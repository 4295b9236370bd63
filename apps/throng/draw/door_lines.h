// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Doors on a map: shut ones are lines of their own colour, open ones and those that change in the
// time that is shown are dashed.

#ifndef THRONG_APPS_DOOR_LINES_H
#define THRONG_APPS_DOOR_LINES_H

#include "draw/map.h"

// Within the map.
void appDrawDoors(const Map* map, const Scenery* scenery);

// If the floor has doors: how they look, from x on in a row of the page; y is where letters stand.
// Returns where that ends.
double appDrawDoorSigns(const Map* map, const Scenery* scenery, double x, double y, double size);

#endif
