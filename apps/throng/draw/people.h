// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// People on a map: bodies with headings, and trails.

#ifndef THRONG_APPS_PEOPLE_H
#define THRONG_APPS_PEOPLE_H

#include "draw/draw.h"

#include <throng/scene.h>

// What their colours depend on.
typedef struct PeopleStyle {
    Colouring colouring;
    int32_t level;
    thPlace center;       // of the map: hues tell in which direction of it people started [m]
    double fastest;       // speed of the darkest shade [m/s]
    const thScene* scene; // says who is no disc; NULL: nobody knows
} PeopleStyle;

// The shade of speed 0 is not as pale as paper.
#define appSlowShade 0.18

// That of pictures on a page, as they were asked for.
PeopleStyle appStyleOf(const DrawDef* def, const Extent* extent, const MapPage* page,
                       const thScene* scene);
Color appColorOfSight(const PeopleStyle* style, const Player* player, const Sight* sight);
bool appIsOnLevel(const PeopleStyle* style, const Player* player, const Sight* sight);

// The shades of speeds, for the row above the foot.
void appDrawSpeeds(const Canvas* canvas, const MapPage* page, const Extent* extent);

// Everybody as they are now; returns how many. Within the map.
int32_t appDrawPeople(const Map* map, const PeopleStyle* style, const Player* player);

// "name   t = 1.0 s   5 agents"
void appFormatMoment(char* text, size_t size, const Reel* reel, const Player* player,
                     int32_t count);

#endif
