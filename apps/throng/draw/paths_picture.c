// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Everybody's path, as a line.

#include "draw/people.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Where somebody was, at distances that can be seen.
typedef struct PathPoint {
    float x, y;  // from the low corner of the map [m]
    float shade; // of the speed of the move there [0 .. 1; not a number: it was away before]
} PathPoint;

typedef struct Path {
    PathPoint* points;
    int32_t count, capacity;
    double time; // of the last point [s]
    double seen; // last [s]
    Color color; // by whatever but speed
} Path;

typedef struct Paths {
    const DrawDef* def;
    const Map* map;
    const Extent* extent;
    PeopleStyle style;
    Path* items; // by person
    int32_t count, capacity;
    int32_t drawn; // people of the floor
} Paths;

static bool growPaths(Paths* paths, int32_t count)
{
    if (count > paths->capacity) {
        const int32_t capacity = count + count / 4;
        Path* grown = realloc(paths->items, (size_t)capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        paths->items = grown;
        paths->capacity = capacity;
    }
    for (; paths->count < count; ++paths->count)
        paths->items[paths->count] = (Path){0};
    return true;
}

static bool addPoint(Path* path, PathPoint point)
{
    if (path->count == path->capacity) {
        const int32_t capacity = path->capacity > 0 ? 2 * path->capacity : 16;
        PathPoint* grown = realloc(path->points, (size_t)capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        path->points = grown;
        path->capacity = capacity;
    }
    path->points[path->count++] = point;
    return true;
}

// Points nearer than this to the one before are left out. [pixels]
static const double leastStep = 0.7;

static bool seePerson(Paths* paths, const Player* player, const Sight* sight)
{
    Path* path = &paths->items[sight->person];
    const Bounds* shown = &paths->map->shown;
    const double time = player->after.time;
    PathPoint point = {(float)(sight->place.x - shown->low.x),
                       (float)(sight->place.y - shown->low.y), NAN};
    const bool wasThere = path->count > 0 && path->seen >= player->before.time - 1e-9;
    if (path->count == 0) {
        path->color = appColorOfSight(&paths->style, player, sight);
        paths->drawn += 1;
    }
    path->seen = time;
    if (wasThere) {
        const PathPoint* last = &path->points[path->count - 1];
        const double moved = hypot((double)(point.x - last->x), (double)(point.y - last->y));
        if (moved * paths->map->scale < leastStep)
            return true;
        point.shade = (float)(appSlowShade + (1 - appSlowShade) * moved / (time - path->time) /
                                                 paths->style.fastest);
    }
    path->time = time;
    return addPoint(path, point);
}

static bool seeFrame(void* context, const Player* player)
{
    Paths* paths = context;
    if (!growPaths(paths, player->recording->personCount))
        return false;
    for (int32_t i = 0; i < player->after.count; ++i) {
        const Sight* sight = &player->after.sights[i];
        if (sight->person >= 0 && appIsOnLevel(&paths->style, player, sight) &&
            !seePerson(paths, player, sight))
            return false;
    }
    return true;
}

// Neighbours of about the same speed are one stroke.
static int32_t shadeStep(const PathPoint* point)
{
    enum { steps = 24 };
    return isnan(point->shade) ? -1 : (int32_t)(fmin((double)point->shade, 1.0) * steps);
}

static void drawPath(const Paths* paths, const Path* path, double alpha)
{
    cairo_t* cairo = paths->map->canvas->cairo;
    const thPlace low = paths->map->shown.low;
    const bool bySpeed = paths->def->colouring == colourBySpeed;
    for (int32_t i = 1; i < path->count;) {
        const PathPoint* from = &path->points[i - 1];
        const int32_t step = shadeStep(&path->points[i]);
        cairo_new_path(cairo);
        cairo_move_to(cairo, low.x + (double)from->x, low.y + (double)from->y);
        const int32_t first = i;
        while (i < path->count && !isnan(path->points[i].shade) &&
               (!bySpeed || shadeStep(&path->points[i]) == step)) {
            cairo_line_to(cairo, low.x + (double)path->points[i].x,
                          low.y + (double)path->points[i].y);
            ++i;
        }
        if (i == first) { // it was away: no line leads here
            ++i;
            continue;
        }
        appSetColor(paths->map->canvas,
                    bySpeed ? appShade((double)path->points[first].shade) : path->color, alpha);
        cairo_stroke(cairo);
    }
}

static void drawEnd(const Paths* paths, const Path* path)
{
    const PathPoint* last = &path->points[path->count - 1];
    const thPlace low = paths->map->shown.low;
    const bool bySpeed = paths->def->colouring == colourBySpeed;
    appTraceDisc(paths->map, (thPlace){low.x + (double)last->x, low.y + (double)last->y},
                 appPixels(paths->map, paths->map->canvas->width / 640));
    appSetColor(paths->map->canvas, bySpeed ? inkColor : path->color, 1.0);
    cairo_fill(paths->map->canvas->cairo);
}

static void drawPaths(const Paths* paths)
{
    const double few = 60, width = paths->map->canvas->width;
    const double alpha = fmin(0.9, fmax(0.9 * sqrt(few / fmax(paths->drawn, 1)), 0.12));
    cairo_set_line_width(paths->map->canvas->cairo, appPixels(paths->map, width / 1000));
    for (int32_t i = 0; i < paths->count; ++i)
        drawPath(paths, &paths->items[i], alpha);
    // Where paths end tells their direction, unless there are too many to see it.
    for (int32_t i = 0; paths->drawn <= 500 && i < paths->count; ++i)
        if (paths->items[i].count > 0)
            drawEnd(paths, &paths->items[i]);
}

static void freePaths(Paths* paths)
{
    for (int32_t i = 0; i < paths->count; ++i)
        free(paths->items[i].points);
    free(paths->items);
}

static void drawPage(const Reel* reel, const Paths* paths, const MapPage* page)
{
    char text[256];
    const Recording* recording = reel->source.recording;
    const Scenery scenery = {
        recording->shapes, recording->shapeCount, paths->def->level, true, true, &reel->doors};
    appEnterMap(paths->map);
    appDrawScenery(paths->map, &scenery);
    drawPaths(paths);
    appLeaveMap(paths->map);
    if (paths->def->colouring == colourBySpeed)
        appDrawSpeeds(paths->map->canvas, page, paths->extent);
    snprintf(text, sizeof text, "%.150s   t = %.1f to %.1f s   %d path%s", reel->title,
             paths->extent->first, paths->extent->last, (int)paths->drawn,
             paths->drawn == 1 ? "" : "s");
    appDrawFoot(paths->map, page, &scenery, text);
}

ExitCode appDrawPaths(Reel* reel, const DrawDef* def)
{
    Extent extent;
    Canvas canvas;
    ExitCode code = appFindExtent(reel, def->from, def->to, def->level, def->quiet, &extent);
    if (code != exitDone)
        return code;
    const MapPage page = appLayOutMap(&extent.bounds, def->width, def->colouring == colourBySpeed);
    if (!appBeginCanvas(&canvas, def->output, page.width, page.height))
        return exitEnvironment;
    const Map map = appPlaceOnPage(&canvas, &page);
    Paths paths = {.def = def, .map = &map, .extent = &extent};
    paths.style = appStyleOf(def, &extent, &page, NULL);
    const PlayDef play = {def->from, def->to, def->quiet, seeFrame, &paths};
    code = appPlayRange(reel, &play);
    if (code == exitDone) {
        drawPage(reel, &paths, &page);
        code = appEndCanvas(&canvas) ? exitDone : exitEnvironment;
    }
    if (code == exitDone && !def->quiet)
        printf("%s: paths of %d in %s\n", def->output, (int)paths.drawn, reel->title);
    appDropCanvas(&canvas);
    freePaths(&paths);
    return code;
}
