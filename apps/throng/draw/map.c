// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A place on a page, to scale: walls, doors, goals and what moves, and the rows below it.

#include "draw/map.h"

#include <math.h>
#include <stdio.h>

// --- Doors ---

// Doors on a map: shut ones are lines of their own colour, open ones and those that change in the
// time that is shown are dashed.

// How doors look.
typedef enum DoorLook { doorShut, doorOpen, doorChanging } DoorLook;

// Strokes the path that is there; a pixel of the page has that length.
static void strokeDoor(const Canvas* canvas, DoorLook look, double pixel, double least)
{
    const double width = fmax(look == doorOpen ? 0.4 * least : least,
                              (look == doorOpen ? 1.0 : 2.0) * canvas->width / 1600 * pixel);
    const double dash = fmax(1.6 * width, 6.0 * canvas->width / 1600 * pixel);
    appSetColor(canvas, doorColor, 1.0);
    cairo_set_line_width(canvas->cairo, width);
    if (look != doorShut)
        cairo_set_dash(canvas->cairo, &dash, 1, 0.5 * dash);
    cairo_set_line_cap(canvas->cairo, CAIRO_LINE_CAP_BUTT); // round ones would fill the gaps
    cairo_stroke(canvas->cairo);
    cairo_set_line_cap(canvas->cairo, CAIRO_LINE_CAP_ROUND);
    cairo_set_dash(canvas->cairo, NULL, 0, 0);
}

static void drawDoor(const Map* map, const thRecordedShape* shape, DoorLook look)
{
    const bool isWall = shape->kind == th_shapeWall;
    appTracePlaces(map, shape->points, shape->pointCount, !isWall);
    if (!isWall && look == doorShut) {
        appSetColor(map->canvas, appLighten(doorColor, 0.6), 1.0);
        cairo_fill_preserve(map->canvas->cairo);
    }
    strokeDoor(map->canvas, look, appPixels(map, 1.0), isWall ? 0.10 : 0.04);
}

// Within the map.
static void drawDoors(const Map* map, const Scenery* scenery)
{
    for (int32_t i = 0; scenery->doors != NULL && i < scenery->doors->count; ++i) {
        const thRecordedShape* shape = scenery->doors->items[i];
        const bool isThere = appHasShape(scenery->shapes, scenery->shapeCount, shape);
        if (shape->level == scenery->level)
            drawDoor(map, shape, scenery->isOfSpan ? doorChanging : isThere ? doorShut : doorOpen);
    }
}

// A short line and what it is; returns where that ends.
static double drawDoorSign(const Map* map, double x, double y, double size, DoorLook look,
                           const char* name)
{
    const Canvas* canvas = map->canvas;
    const double length = 2.2 * size;
    cairo_new_path(canvas->cairo);
    cairo_move_to(canvas->cairo, x, y - 0.35 * size);
    cairo_line_to(canvas->cairo, x + length, y - 0.35 * size);
    strokeDoor(canvas, look, 1.0, 0.25 * size);
    appSetColor(canvas, inkColor, 1.0);
    appDrawText(canvas, x + length + 0.5 * size, y, size, 0, name);
    return x + length + 0.5 * size + appTextWidth(canvas, size, name);
}

// If the floor has doors: how they look, from x on in a row of the page; y is where letters stand.
// Returns where that ends.
static double drawDoorSigns(const Map* map, const Scenery* scenery, double x, double y, double size)
{
    bool hasDoor = false;
    for (int32_t i = 0; scenery->doors != NULL && i < scenery->doors->count; ++i)
        hasDoor = hasDoor || scenery->doors->items[i]->level == scenery->level;
    if (!hasDoor)
        return x;
    if (scenery->isOfSpan)
        return drawDoorSign(map, x + 2 * size, y, size, doorChanging, "door");
    x = drawDoorSign(map, x + 2 * size, y, size, doorShut, "door");
    return drawDoorSign(map, x + size, y, size, doorOpen, "open");
}

// --- The place ---

#define TAU 6.283185307179586

Bounds appNoBounds(void)
{
    return (Bounds){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
}

bool appIsEmpty(const Bounds* bounds)
{
    return !(bounds->low.x <= bounds->high.x);
}

void appInclude(Bounds* bounds, thPlace place, double radius)
{
    bounds->low.x = fmin(bounds->low.x, place.x - radius);
    bounds->low.y = fmin(bounds->low.y, place.y - radius);
    bounds->high.x = fmax(bounds->high.x, place.x + radius);
    bounds->high.y = fmax(bounds->high.y, place.y + radius);
}

thPlace appMiddle(const Bounds* bounds)
{
    return (thPlace){0.5 * (bounds->low.x + bounds->high.x),
                     0.5 * (bounds->low.y + bounds->high.y)};
}

bool appIsGoal(const thRecordedShape* shape)
{
    return shape->kind >= th_shapeGoalPoint && shape->kind <= th_shapeGoalPolygon;
}

static int32_t countGoals(const Scenery* scenery)
{
    int32_t count = 0;
    for (int32_t i = 0; i < scenery->shapeCount; ++i)
        count += appIsGoal(&scenery->shapes[i]);
    return count;
}

static bool isShown(const Scenery* scenery, const thRecordedShape* shape)
{
    return appIsGoal(shape) || shape->level == scenery->level;
}

void appIncludeScenery(Bounds* bounds, const Scenery* scenery)
{
    for (int32_t i = 0; i < scenery->shapeCount; ++i) {
        const thRecordedShape* shape = &scenery->shapes[i];
        for (int32_t k = 0; isShown(scenery, shape) && k < shape->pointCount; ++k)
            appInclude(bounds, shape->points[k], shape->radius);
    }
}

// --- Where it is on the page ---

// Adds the space around that makes a map of bounds look good.
static Bounds widen(const Bounds* content)
{
    Bounds wide = *content;
    const double spread = fmax(wide.high.x - wide.low.x, wide.high.y - wide.low.y);
    const double space = fmax(0.02 * spread, 0.5);
    appInclude(&wide, content->low, space);
    appInclude(&wide, content->high, space);
    return wide;
}

MapPage appLayOutMap(const Bounds* content, int32_t width, bool hasBar)
{
    MapPage page = {.shown = widen(content), .width = width + width % 2};
    page.margin = 0.02 * page.width;
    page.foot = 0.055 * page.width;
    page.bar = hasBar ? 0.06 * page.width : 0.0;
    const double wide = page.shown.high.x - page.shown.low.x;
    const double tall = page.shown.high.y - page.shown.low.y;
    // Tall places are narrower than the page rather than taller than a sheet.
    const double scale = fmin((page.width - 2 * page.margin) / wide, 1.25 * page.width / tall);
    page.height = 2 * ceil(0.5 * (tall * scale + 2 * page.margin + page.bar + page.foot));
    return page;
}

Map appPlaceMap(const Canvas* canvas, const Bounds* shown, double x, double y, double width,
                double height)
{
    const double wide = shown->high.x - shown->low.x, tall = shown->high.y - shown->low.y;
    const double scale = fmin(width / wide, height / tall);
    return (Map){canvas, *shown, scale, x + 0.5 * (width - wide * scale),
                 y + 0.5 * (height + tall * scale)};
}

Map appPlaceOnPage(const Canvas* canvas, const MapPage* page)
{
    return appPlaceMap(canvas, &page->shown, page->margin, page->margin,
                       page->width - 2 * page->margin,
                       page->height - 2 * page->margin - page->bar - page->foot);
}

void appEnterMap(const Map* map)
{
    cairo_t* cairo = map->canvas->cairo;
    cairo_save(cairo);
    cairo_translate(cairo, map->left, map->bottom);
    cairo_scale(cairo, map->scale, -map->scale);
    cairo_translate(cairo, -map->shown.low.x, -map->shown.low.y);
    cairo_rectangle(cairo, map->shown.low.x, map->shown.low.y, map->shown.high.x - map->shown.low.x,
                    map->shown.high.y - map->shown.low.y);
    cairo_clip(cairo);
}

void appLeaveMap(const Map* map)
{
    cairo_restore(map->canvas->cairo);
}

void appFrameMap(const Map* map)
{
    cairo_rectangle(map->canvas->cairo, map->left, map->bottom,
                    map->scale * (map->shown.high.x - map->shown.low.x),
                    -map->scale * (map->shown.high.y - map->shown.low.y));
    appSetColor(map->canvas, gridColor, 1.0);
    cairo_set_line_width(map->canvas->cairo, fmax(1.0, map->canvas->width / 1600));
    cairo_stroke(map->canvas->cairo);
}

double appPixels(const Map* map, double count)
{
    return count / map->scale;
}

// --- Shapes ---

void appTracePlaces(const Map* map, const thPlace* places, int32_t count, bool isClosed)
{
    cairo_new_path(map->canvas->cairo);
    for (int32_t i = 0; i < count; ++i)
        cairo_line_to(map->canvas->cairo, places[i].x, places[i].y);
    if (isClosed)
        cairo_close_path(map->canvas->cairo);
}

void appTraceDisc(const Map* map, thPlace center, double radius)
{
    cairo_new_path(map->canvas->cairo);
    cairo_arc(map->canvas->cairo, center.x, center.y, radius, 0, TAU);
}

static bool isRoom(const Scenery* scenery, const thRecordedShape* shape)
{
    return shape->kind == th_shapeRoom && shape->level == scenery->level;
}

static void drawGoal(const Map* map, const thRecordedShape* shape, int32_t index, bool isOwn)
{
    cairo_t* cairo = map->canvas->cairo;
    const Color color = isOwn ? appColorOf(index) : inkColor;
    if (shape->kind == th_shapeGoalPoint) {
        const double size = isOwn ? fmax(0.12, appPixels(map, 3.0)) : appPixels(map, 1.2);
        appTraceDisc(map, shape->points[0], size);
        appSetColor(map->canvas, color, isOwn ? 0.75 : 0.25);
        cairo_fill(cairo);
        return;
    }
    if (shape->kind == th_shapeGoalDisc)
        appTraceDisc(map, shape->points[0], shape->radius);
    else
        appTracePlaces(map, shape->points, shape->pointCount, shape->kind == th_shapeGoalPolygon);
    const bool isLine = shape->kind == th_shapeGoalSegment;
    if (!isLine) {
        appSetColor(map->canvas, color, 0.14);
        cairo_fill_preserve(cairo);
    }
    appSetColor(map->canvas, color, isLine ? 0.55 : 0.8);
    cairo_set_line_width(cairo, isLine ? fmax(0.2, appPixels(map, 4)) : appPixels(map, 1.5));
    cairo_stroke(cairo);
}

static bool isMover(const thRecordedShape* shape)
{
    return shape->kind == th_shapeMovingDisc || shape->kind == th_shapeMovingPolygon;
}

static void drawObstacle(const Map* map, const thRecordedShape* shape)
{
    cairo_t* cairo = map->canvas->cairo;
    const bool isWall = shape->kind == th_shapeWall;
    const bool moves = isMover(shape);
    if (shape->kind == th_shapeMovingDisc)
        appTraceDisc(map, shape->points[0], shape->radius);
    else
        appTracePlaces(map, shape->points, shape->pointCount, !isWall);
    if (!isWall) {
        appSetColor(map->canvas, moves ? appLighten(moverColor, 0.45) : solidColor, 1.0);
        cairo_fill_preserve(cairo);
    }
    appSetColor(map->canvas, moves ? moverColor : wallColor, 1.0);
    cairo_set_line_width(cairo, fmax(isWall ? 0.10 : 0.04, appPixels(map, 1.5)));
    cairo_stroke(cairo);
}

void appDrawFloor(const Map* map, const Scenery* scenery)
{
    bool isFirst = true;
    for (int32_t i = 0; i < scenery->shapeCount; ++i) {
        const thRecordedShape* shape = &scenery->shapes[i];
        if (!isRoom(scenery, shape))
            continue;
        if (isFirst) { // outside of rooms everything is solid
            appSetColor(map->canvas, solidColor, 1.0);
            cairo_paint(map->canvas->cairo);
        }
        isFirst = false;
        appTracePlaces(map, shape->points, shape->pointCount, true);
        appSetColor(map->canvas, paperColor, 1.0);
        cairo_fill(map->canvas->cairo);
    }
}

static void drawOutlines(const Map* map, const Scenery* scenery)
{
    appSetColor(map->canvas, wallColor, 1.0);
    cairo_set_line_width(map->canvas->cairo, fmax(0.08, appPixels(map, 2.0)));
    for (int32_t i = 0; i < scenery->shapeCount; ++i) {
        const thRecordedShape* shape = &scenery->shapes[i];
        if (!isRoom(scenery, shape))
            continue;
        appTracePlaces(map, shape->points, shape->pointCount, true);
        cairo_stroke(map->canvas->cairo);
    }
}

static double signedArea(const thRecordedShape* shape)
{
    double sum = 0.0;
    const thPlace* points = shape->points;
    for (int32_t i = 1; i + 1 < shape->pointCount; ++i)
        sum += (points[i].x - points[0].x) * (points[i + 1].y - points[0].y) -
               (points[i].y - points[0].y) * (points[i + 1].x - points[0].x);
    return 0.5 * sum;
}

// All rooms the same way round, so that where two overlap is inside.
void appClipToRooms(const Map* map, const Scenery* scenery)
{
    cairo_t* cairo = map->canvas->cairo;
    bool hasRoom = false;
    cairo_new_path(cairo);
    for (int32_t i = 0; i < scenery->shapeCount; ++i) {
        const thRecordedShape* shape = &scenery->shapes[i];
        if (!isRoom(scenery, shape))
            continue;
        const bool isBackwards = signedArea(shape) < 0.0;
        hasRoom = true;
        for (int32_t k = 0; k < shape->pointCount; ++k) {
            const thPlace* point = &shape->points[isBackwards ? shape->pointCount - 1 - k : k];
            cairo_line_to(cairo, point->x, point->y);
        }
        cairo_close_path(cairo);
        cairo_new_sub_path(cairo);
    }
    if (hasRoom)
        cairo_clip(cairo);
    cairo_new_path(cairo);
}

static void drawGoals(const Map* map, const Scenery* scenery)
{
    const bool areOwn = countGoals(scenery) <= appMostGoals;
    int32_t index = 0;
    if (!areOwn && scenery->isLasting)
        return; // so many dots would hide what is shown of a time
    for (int32_t i = 0; i < scenery->shapeCount; ++i)
        if (appIsGoal(&scenery->shapes[i]))
            drawGoal(map, &scenery->shapes[i], index++, areOwn);
}

static void drawWalls(const Map* map, const Scenery* scenery)
{
    for (int32_t i = 0; i < scenery->shapeCount; ++i) {
        const thRecordedShape* shape = &scenery->shapes[i];
        if (!appIsGoal(shape) && shape->kind != th_shapeRoom && shape->level == scenery->level &&
            !(scenery->isLasting && isMover(shape)) &&
            !(scenery->doors != NULL && appIsDoor(scenery->doors, shape)))
            drawObstacle(map, shape);
    }
}

void appDrawOnFloor(const Map* map, const Scenery* scenery)
{
    drawOutlines(map, scenery);
    drawGoals(map, scenery);
    drawWalls(map, scenery);
    drawDoors(map, scenery);
}

void appDrawScenery(const Map* map, const Scenery* scenery)
{
    appDrawFloor(map, scenery);
    appDrawOnFloor(map, scenery);
}

// --- Below the map ---

// About a sixth of the page; returns where it ends.
static double drawScaleBar(const Map* map, double x, double y, double size)
{
    cairo_t* cairo = map->canvas->cairo;
    const double length = appRoundDown(map->canvas->width / map->scale / 6);
    const double end = x + length * map->scale;
    appSetColor(map->canvas, inkColor, 1.0);
    cairo_set_line_width(cairo, fmax(1.0, map->canvas->width / 1000));
    cairo_new_path(cairo);
    cairo_move_to(cairo, x, y - 0.35 * size);
    cairo_line_to(cairo, x, y);
    cairo_line_to(cairo, end, y);
    cairo_line_to(cairo, end, y - 0.35 * size);
    cairo_stroke(cairo);
    char text[32];
    snprintf(text, sizeof text, "%g m", length);
    appDrawText(map->canvas, end + 0.6 * size, y, size, 0, text);
    return end + 0.6 * size + appTextWidth(map->canvas, size, text);
}

void appDrawFoot(const Map* map, const MapPage* page, const Scenery* scenery, const char* text)
{
    const double size = 0.016 * page->width, y = page->height - 0.45 * page->foot;
    const double end =
        drawDoorSigns(map, scenery, drawScaleBar(map, page->margin, y, size), y, size);
    const double right = page->width - page->margin;
    appDrawText(map->canvas, right, y, appFitText(map->canvas, size, right - end - 2 * size, text),
                1, text);
}

// A number below the bar, whose row of ticks begins at y.
static void drawBarTick(const Canvas* canvas, const MapPage* page, double x, double y,
                        double anchor, const char* text)
{
    const double size = 0.014 * page->width;
    cairo_set_line_width(canvas->cairo, fmax(1.0, page->width / 1600));
    cairo_move_to(canvas->cairo, x, y);
    cairo_line_to(canvas->cairo, x, y + 0.3 * size);
    cairo_stroke(canvas->cairo);
    appDrawText(canvas, x, y + 1.5 * size, size, anchor, text);
}

void appDrawBar(const Canvas* canvas, const MapPage* page, const char* label, double most,
                double firstShade, bool isCut)
{
    enum { steps = 256 };
    char text[32];
    const double size = 0.014 * page->width, thick = 0.014 * page->width;
    const double y = page->height - page->foot - page->bar + 0.012 * page->width;
    const double x = page->margin, width = 0.42 * page->width;
    cairo_set_antialias(canvas->cairo, CAIRO_ANTIALIAS_NONE); // no seams between the steps
    for (int i = 0; i < steps; ++i) {
        appSetColor(canvas, appShade(firstShade + (1 - firstShade) * i / (steps - 1)), 1.0);
        cairo_rectangle(canvas->cairo, x + width * i / steps, y, width / steps + 0.5, thick);
        cairo_fill(canvas->cairo);
    }
    cairo_set_antialias(canvas->cairo, CAIRO_ANTIALIAS_DEFAULT);
    appSetColor(canvas, inkColor, 1.0);
    const Ticks ticks = appFindTicks(0, most, 7);
    for (int32_t i = 0; i < ticks.count; ++i) {
        const double share = appTickAt(&ticks, i) / most;
        appFormatTick(&ticks, i, text, sizeof text);
        if (!isCut || share < 0.87) // else the last number stands there
            drawBarTick(canvas, page, x + width * share, y + thick, i == 0 ? 0 : 0.5, text);
    }
    snprintf(text, sizeof text, "≥ %g", most);
    if (isCut)
        drawBarTick(canvas, page, x + width, y + thick, 0.5, text);
    appDrawText(canvas, x + width + 1.2 * size, y + 0.9 * thick, size, 0, label);
}
