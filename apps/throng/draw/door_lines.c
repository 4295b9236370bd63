// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "draw/door_lines.h"

#include <math.h>

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

void appDrawDoors(const Map* map, const Scenery* scenery)
{
    for (int32_t i = 0; scenery->doors != NULL && i < scenery->doors->count; ++i) {
        const thRecordedShape* shape = scenery->doors->items[i];
        const bool isThere = appHasShape(scenery->shapes, scenery->shapeCount, shape);
        if (shape->level == scenery->level)
            drawDoor(map, shape, scenery->isOfSpan ? doorChanging : isThere ? doorShut : doorOpen);
    }
}

// --- Below the map ---

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

double appDrawDoorSigns(const Map* map, const Scenery* scenery, double x, double y, double size)
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
