// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A map of the mean density over a time.

#include "draw/density_map.h"
#include "draw/draw.h"
#include "draw/people.h"

#include <math.h>
#include <stdio.h>

typedef struct Counting {
    DensityMap density; // from the first frame on: only then walls are known for certain
    const Bounds* bounds;
    double cell; // [m]
    int32_t level;
} Counting;

static bool countFrame(void* context, const Player* player)
{
    Counting* counting = context;
    const PeopleStyle style = {.level = counting->level};
    const Recording* recording = player->recording;
    const Scenery scenery = {
        recording->shapes, recording->shapeCount, counting->level, true, true, NULL};
    if (counting->density.values == NULL &&
        !appCreateDensity(&counting->density, counting->bounds, counting->cell, &scenery))
        return false;
    for (int32_t i = 0; i < player->after.count; ++i)
        if (appIsOnLevel(&style, player, &player->after.sights[i]))
            appCountPlace(&counting->density, player->after.sights[i].place);
    return true;
}

// Frames in which nobody was may be missing from a file.
static double framesOf(const Extent* extent)
{
    const double gap = extent->shortestGap;
    return isfinite(gap) && gap > 0.0 ? round((extent->last - extent->first) / gap) + 1.0 : 1.0;
}

static ExitCode chooseCell(const DrawDef* def, const Bounds* bounds, double* cell)
{
    *cell = def->cell > 0.0 ? def->cell : appChooseCell(bounds);
    // Counts in smaller cells are all 0 or 1, and finer cells show nothing of what is smoothed.
    if (def->cell == 0.0)
        *cell = fmax(*cell, def->smooth > 0.0 ? 0.25 * def->smooth : 0.5);
    if (appCountCells(bounds, *cell) <= appMostCells)
        return exitDone;
    appSay("--cell is %g m, which makes more than %d cells; expected at least %.2g m", def->cell,
           (int)appMostCells, appChooseCell(bounds));
    return exitUsage;
}

// Wide places have wide cells, and below one cell a Gaussian is no longer smooth. [m]
static double deviationOf(const DrawDef* def, double cell)
{
    return fmax(def->smooth, cell);
}

static ExitCode measure(Reel* reel, const DrawDef* def, const Extent* extent, Counting* counting)
{
    const PlayDef play = {def->from, def->to, def->quiet, countFrame, counting};
    DensityMap* density = &counting->density;
    const ExitCode code = appPlayRange(reel, &play);
    if (code != exitDone)
        return code;
    appScaleDensity(density, framesOf(extent));
    if (def->smooth == 0.0)
        appEndCounts(density);
    else if (!appSmoothDensity(density, deviationOf(def, counting->cell))) {
        appSay("no memory for the density");
        return exitEnvironment;
    }
    return exitDone;
}

// A pixel for each cell; where nobody was it is clear.
static cairo_surface_t* createImage(const DensityMap* density, double most)
{
    const Grid* grid = &density->ground.grid;
    cairo_surface_t* image =
        cairo_image_surface_create(CAIRO_FORMAT_ARGB32, grid->columns, grid->rows);
    if (cairo_surface_status(image) != CAIRO_STATUS_SUCCESS)
        return image;
    unsigned char* data = cairo_image_surface_get_data(image);
    const size_t stride = (size_t)cairo_image_surface_get_stride(image);
    for (int32_t row = 0; row < grid->rows; ++row) {
        uint32_t* pixels = (uint32_t*)(void*)(data + (size_t)row * stride);
        for (int32_t column = 0; column < grid->columns; ++column) {
            const double share = appDensityAt(density, column, row) / most;
            const Color color = appShade(share);
            const double alpha = 255.0 * fmin(share / 0.04, 1.0); // a soft border
            pixels[column] = (uint32_t)alpha << 24 | (uint32_t)(alpha * color.red) << 16 |
                             (uint32_t)(alpha * color.green) << 8 | (uint32_t)(alpha * color.blue);
        }
    }
    cairo_surface_mark_dirty(image);
    return image;
}

static void drawDensity(const Map* map, const DensityMap* density, double most, bool isSmooth)
{
    cairo_t* cairo = map->canvas->cairo;
    const Grid* grid = &density->ground.grid;
    cairo_surface_t* image = createImage(density, most);
    cairo_save(cairo);
    cairo_translate(cairo, grid->low.x, grid->low.y);
    cairo_scale(cairo, grid->cell, grid->cell);
    cairo_set_source_surface(cairo, image, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cairo),
                             isSmooth ? CAIRO_FILTER_BILINEAR : CAIRO_FILTER_NEAREST);
    cairo_paint(cairo);
    cairo_restore(cairo);
    cairo_surface_destroy(image);
}

// What the greatest density depends on.
static void describeCells(char* text, size_t size, const DrawDef* def, double cell)
{
    if (def->smooth > 0.0)
        snprintf(text, size, "smoothed over %.3g m", deviationOf(def, cell));
    else
        snprintf(text, size, "counted in cells of %.3g m", cell);
}

static ExitCode drawPage(const Reel* reel, const DrawDef* def, const Extent* extent,
                         const MapPage* page, const DensityMap* density)
{
    Canvas canvas;
    char text[256], how[64];
    const Recording* recording = reel->source.recording;
    if (!appBeginCanvas(&canvas, def->output, page->width, page->height))
        return exitEnvironment;
    const Map map = appPlaceOnPage(&canvas, page);
    const Scenery scenery = {recording->shapes, recording->shapeCount, def->level, true, true,
                             &reel->doors};
    const double greatest = appGreatestDensity(density);
    const double most = greatest > 0.0 ? greatest : 1.0;
    appEnterMap(&map);
    appDrawFloor(&map, &scenery);
    cairo_save(canvas.cairo);
    appClipToRooms(&map, &scenery);
    drawDensity(&map, density, most, def->smooth > 0.0);
    cairo_restore(canvas.cairo);
    appDrawOnFloor(&map, &scenery);
    appLeaveMap(&map);
    appDrawBar(&canvas, page, "mean density [1/m²]", most, 0.0, false);
    describeCells(how, sizeof how, def, density->ground.grid.cell);
    snprintf(text, sizeof text, "%.150s   t = %.1f to %.1f s   %s", reel->title, extent->first,
             extent->last, how);
    appDrawFoot(&map, page, &scenery, text);
    if (!appEndCanvas(&canvas))
        return exitEnvironment;
    if (!def->quiet)
        printf("%s: density in %s, at most %.3g to a square metre, %s, mean over %.1f s\n",
               def->output, reel->title, greatest, how, extent->last - extent->first);
    return exitDone;
}

ExitCode appDrawDensity(Reel* reel, const DrawDef* def)
{
    Extent extent;
    Counting counting = {.level = def->level};
    ExitCode code = appFindExtent(reel, def->from, def->to, def->level, def->quiet, &extent);
    if (code != exitDone)
        return code;
    const MapPage page = appLayOutMap(&extent.bounds, def->width, true);
    counting.bounds = &page.shown;
    code = chooseCell(def, &page.shown, &counting.cell);
    if (code == exitDone)
        code = measure(reel, def, &extent, &counting);
    if (code == exitDone)
        code = drawPage(reel, def, &extent, &page, &counting.density);
    appFreeDensity(&counting.density);
    return code;
}
