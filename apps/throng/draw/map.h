// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A place on a page: walls, goals and what moves, to scale, with a scale bar.

#ifndef THRONG_APPS_MAP_H
#define THRONG_APPS_MAP_H

#include "draw/canvas.h"
#include "draw/doors.h"

#include <throng/record.h>

typedef struct Bounds {
    thPlace low, high; // nothing is within until something is included [m]
} Bounds;

Bounds appNoBounds(void);
bool appIsEmpty(const Bounds* bounds);
void appInclude(Bounds* bounds, thPlace place, double radius);
thPlace appMiddle(const Bounds* bounds);

// The shapes of a floor. Goals are on every floor.
typedef struct Scenery {
    const thRecordedShape* shapes;
    int32_t shapeCount;
    int32_t level;
    bool isLasting;     // without what moves
    bool isOfSpan;      // of a time rather than of a moment: doors are neither open nor shut
    const Doors* doors; // NULL: all walls stay
} Scenery;

bool appIsGoal(const thRecordedShape* shape);
void appIncludeScenery(Bounds* bounds, const Scenery* scenery);

// Goals up to this number have colours of their own.
enum { appMostGoals = 64 };

// How a page with one map is divided. [pixels or points]
typedef struct MapPage {
    Bounds shown;         // with some space around [m]
    double width, height; // even numbers, as films need them
    double margin;
    double bar;  // height of the row for a colour bar; 0: none
    double foot; // of the last row
} MapPage;

MapPage appLayOutMap(const Bounds* content, int32_t width, bool hasBar);

typedef struct Map {
    const Canvas* canvas;
    Bounds shown;        // [m]
    double scale;        // [pixels/m]
    double left, bottom; // where the low corner is
} Map;

// The map in the middle of a rectangle, as large as it can be.
Map appPlaceMap(const Canvas* canvas, const Bounds* shown, double x, double y, double width,
                double height);
Map appPlaceOnPage(const Canvas* canvas, const MapPage* page);

// From here on coordinates are metres, y goes up, and nothing is drawn outside the map.
void appEnterMap(const Map* map);
void appLeaveMap(const Map* map);

// A thin line around it.
void appFrameMap(const Map* map);

// So many pixels in metres.
double appPixels(const Map* map, double count);

// Within the map: the floor, and what stands on it: goals, then walls. Both lie below people.
void appDrawScenery(const Map* map, const Scenery* scenery);
// The two of them, for what lies in between.
void appDrawFloor(const Map* map, const Scenery* scenery);
void appDrawOnFloor(const Map* map, const Scenery* scenery);
// From here on nothing is drawn outside of rooms, if there are any; until cairo is restored.
void appClipToRooms(const Map* map, const Scenery* scenery);

void appTracePlaces(const Map* map, const thPlace* places, int32_t count, bool isClosed);
void appTraceDisc(const Map* map, thPlace center, double radius);

// The last row of the page: a scale bar, what doors look like if there are any, and a text at the
// right.
void appDrawFoot(const Map* map, const MapPage* page, const Scenery* scenery, const char* text);

// The row above it: a quantity from 0 to `most` in shades from `firstShade` on. `isCut`: there are
// greater values, which have the last shade too.
void appDrawBar(const Canvas* canvas, const MapPage* page, const char* label, double most,
                double firstShade, bool isCut);

#endif
