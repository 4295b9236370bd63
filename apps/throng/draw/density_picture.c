// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A map of the mean density over a time.

#include "density_map.h"
#include "draw.h"
#include "people.h"

#include <math.h>
#include <stdio.h>

typedef struct Counting {
    DensityMap density;
    int32_t level;
} Counting;

static bool countFrame(void* context, const Player* player)
{
    Counting* counting = context;
    const PeopleStyle style = {.level = counting->level};
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
    if (def->cell == 0.0 && def->smooth == 0.0)
        *cell = fmax(*cell, 0.5); // counts in smaller cells are all 0 or 1
    if (appCountCells(bounds, *cell) <= appMostCells)
        return exitDone;
    appSay("--cell is %g m, which makes more than %d cells; expected at least %.2g m", def->cell,
           (int)appMostCells, appChooseCell(bounds));
    return exitUsage;
}

static ExitCode measure(Reel* reel, const DrawDef* def, const Extent* extent, Counting* counting)
{
    const PlayDef play = {def->from, def->to, def->quiet, countFrame, counting};
    ExitCode code = appPlayRange(reel, &play);
    appScaleDensity(&counting->density, framesOf(extent));
    // Wide places have wide cells, and below one cell a Gaussian is no longer smooth.
    const double deviation = fmax(def->smooth, counting->density.cell);
    if (code == exitDone && def->smooth > 0.0 && !appSmoothDensity(&counting->density, deviation)) {
        appSay("no memory for the density");
        code = exitEnvironment;
    }
    return code;
}

// A pixel for each cell; where nobody was it is clear.
static cairo_surface_t* createImage(const DensityMap* density, double most)
{
    cairo_surface_t* image =
        cairo_image_surface_create(CAIRO_FORMAT_ARGB32, density->columns, density->rows);
    if (cairo_surface_status(image) != CAIRO_STATUS_SUCCESS)
        return image;
    unsigned char* data = cairo_image_surface_get_data(image);
    const size_t stride = (size_t)cairo_image_surface_get_stride(image);
    for (int32_t row = 0; row < density->rows; ++row) {
        uint32_t* pixels = (uint32_t*)(void*)(data + (size_t)row * stride);
        for (int32_t column = 0; column < density->columns; ++column) {
            const double share =
                (double)density->values[(size_t)row * (size_t)density->columns + (size_t)column] /
                most;
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
    cairo_surface_t* image = createImage(density, most);
    cairo_save(cairo);
    cairo_translate(cairo, density->low.x, density->low.y);
    cairo_scale(cairo, density->cell, density->cell);
    cairo_set_source_surface(cairo, image, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cairo),
                             isSmooth ? CAIRO_FILTER_BILINEAR : CAIRO_FILTER_NEAREST);
    cairo_paint(cairo);
    cairo_restore(cairo);
    cairo_surface_destroy(image);
}

static ExitCode drawPage(const Reel* reel, const DrawDef* def, const Extent* extent,
                         const MapPage* page, const DensityMap* density)
{
    Canvas canvas;
    char text[256];
    const Recording* recording = reel->source.recording;
    if (!appBeginCanvas(&canvas, def->output, page->width, page->height))
        return exitEnvironment;
    const Map map = appPlaceOnPage(&canvas, page);
    const Scenery scenery = {recording->shapes, recording->shapeCount, def->level, true};
    const double greatest = appGreatestDensity(density);
    const double most = greatest > 0.0 ? greatest : 1.0;
    appEnterMap(&map);
    appDrawScenery(&map, &scenery);
    appClipToRooms(&map, &scenery);
    drawDensity(&map, density, most, def->smooth > 0.0);
    appDrawWalls(&map, &scenery);
    appLeaveMap(&map);
    appDrawBar(&canvas, page, "mean density [1/m²]", most, 0.0);
    snprintf(text, sizeof text, "%.150s   t = %.1f to %.1f s", reel->title, extent->first,
             extent->last);
    appDrawFoot(&map, page, text);
    if (!appEndCanvas(&canvas))
        return exitEnvironment;
    if (!def->quiet)
        printf("%s: density in %s, at most %.3g to a square metre\n", def->output, reel->title,
               greatest);
    return exitDone;
}

ExitCode appDrawDensity(Reel* reel, const DrawDef* def)
{
    Extent extent;
    Counting counting = {.level = def->level};
    double cell;
    ExitCode code = appFindExtent(reel, def->from, def->to, def->level, def->quiet, &extent);
    if (code != exitDone)
        return code;
    const MapPage page = appLayOutMap(&extent.bounds, def->width, true);
    code = chooseCell(def, &page.shown, &cell);
    if (code != exitDone)
        return code;
    if (!appCreateDensity(&counting.density, &page.shown, cell)) {
        appSay("no memory for the density");
        return exitEnvironment;
    }
    code = measure(reel, def, &extent, &counting);
    if (code == exitDone)
        code = drawPage(reel, def, &extent, &page, &counting.density);
    appFreeDensity(&counting.density);
    return code;
}
