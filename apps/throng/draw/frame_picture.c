// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Pictures of one moment, and of several beside each other.

#include "draw/people.h"

#include <math.h>
#include <stdio.h>

// --- One moment ---

static ExitCode drawNow(Reel* reel, const DrawDef* def, const Player* player)
{
    Canvas canvas;
    char text[256];
    const Recording* recording = player->recording;
    Extent extent = appNoExtent();
    appExtend(&extent, player, &player->now, def->level);
    appEndExtent(&extent);
    const ExitCode code = appCheckExtent(reel, &extent, def->level);
    if (code != exitDone)
        return code;
    const bool hasBar = def->colouring == colourBySpeed;
    const MapPage page = appLayOutMap(&extent.bounds, def->width, hasBar);
    if (!appBeginCanvas(&canvas, def->output, page.width, page.height))
        return exitEnvironment;
    const Map map = appPlaceOnPage(&canvas, &page);
    const Scenery scenery = {recording->shapes, recording->shapeCount, def->level, false, false,
                             &reel->doors};
    const PeopleStyle style = appStyleOf(def, &extent, &page, reel->source.scene);
    appEnterMap(&map);
    appDrawScenery(&map, &scenery);
    const int32_t count = appDrawPeople(&map, &style, player);
    appLeaveMap(&map);
    if (hasBar)
        appDrawSpeeds(&canvas, &page, &extent);
    appFormatMoment(text, sizeof text, reel, player, count);
    appDrawFoot(&map, &page, &scenery, text);
    if (!appEndCanvas(&canvas))
        return exitEnvironment;
    if (!def->quiet)
        printf("%s: %s at t = %.1f s\n", def->output, reel->title, player->now.time);
    return exitDone;
}

static ExitCode playTo(Reel* reel, const DrawDef* def, double at, Player* player)
{
    Progress progress;
    appBeginPlayer(player, reel->source.recording, &reel->doors, def->trails);
    appBeginProgress(&progress, reel->title, def->quiet, isinf(at) ? -1.0 : 0.0, 0.0);
    const ExitCode code = appPlayTo(player, at, at, &progress);
    appEndProgress(&progress);
    return code;
}

// To the end, or if nobody is left then, to the last moment with somebody there: once more.
static ExitCode playToEnd(Reel* reel, const DrawDef* def, Player* player)
{
    ExitCode code = playTo(reel, def, INFINITY, player);
    if (code != exitDone || player->now.count > 0 || isnan(player->lastSeen))
        return code;
    const double last = player->lastSeen;
    appEndPlayer(player);
    code = appRewindReel(reel);
    if (code != exitDone) {
        *player = (Player){0};
        return code;
    }
    return playTo(reel, def, last, player);
}

// A time is wanted that is there. When it is before the first frame, all are read to say the span.
static ExitCode checkTime(Reel* reel, const DrawDef* def, Player* player)
{
    const double hair = 1e-6;
    const bool isEarly = def->at < player->firstTime - hair;
    if (player->frameCount == 0 || (!isEarly && def->at <= player->after.time + hair))
        return exitDone;
    Progress progress;
    appBeginProgress(&progress, reel->title, def->quiet, -1.0, 0.0);
    const ExitCode code = appPlayTo(player, INFINITY, INFINITY, &progress);
    appEndProgress(&progress);
    return code == exitDone ? appSayOutside(reel, def->at, player->firstTime, player->after.time)
                            : code;
}

ExitCode appDrawFrame(Reel* reel, const DrawDef* def)
{
    Player player;
    ExitCode code =
        isinf(def->at) ? playToEnd(reel, def, &player) : playTo(reel, def, def->at, &player);
    if (code == exitDone && isfinite(def->at))
        code = checkTime(reel, def, &player);
    if (code == exitDone)
        code = player.frameCount > 0 ? drawNow(reel, def, &player) : appSayNothing(reel);
    appEndPlayer(&player);
    return code;
}

// --- Several moments ---

// Where the small maps are. [pixels or points]
typedef struct Panels {
    int32_t columns, rows;
    double width, height; // of each map
    double head;          // the line above it
    double gap;
    double margin;
} Panels;

static double pageHeight(const Panels* panels, double foot)
{
    return 2 * panels->margin + panels->rows * (panels->height + panels->head) +
           (panels->rows - 1) * panels->gap + foot;
}

static Panels panelsOf(int32_t columns, int32_t moments, double width, const Bounds* shown)
{
    Panels panels = {.columns = columns, .rows = (moments + columns - 1) / columns};
    panels.margin = 0.02 * width;
    panels.gap = 0.02 * width;
    panels.head = 0.025 * width;
    panels.width = (width - 2 * panels.margin - (columns - 1) * panels.gap) / columns;
    panels.height = panels.width * (shown->high.y - shown->low.y) / (shown->high.x - shown->low.x);
    return panels;
}

// Large maps in full rows, on a page that is no taller than a sheet; where none is low enough, one
// row.
static Panels choosePanels(int32_t moments, double width, const Bounds* shown, double foot)
{
    Panels best = panelsOf(moments, moments, width, shown);
    best.height = fmin(best.height, 1.2 * width); // tall places are narrower than they could be
    double most = 0.0;
    for (int32_t columns = 1; columns <= moments; ++columns) {
        const Panels panels = panelsOf(columns, moments, width, shown);
        const double full = (double)moments / (panels.columns * panels.rows);
        const double worth = panels.width * panels.width * full * full * full;
        if (pageHeight(&panels, foot) > 1.3 * width || worth <= most)
            continue;
        most = worth;
        best = panels;
    }
    return best;
}

// The last moment: the end that was asked for, else the last with somebody there.
static double endOf(const DrawDef* def, const Extent* extent)
{
    return isfinite(def->to) || extent->lastSeen < extent->first ? extent->last : extent->lastSeen;
}

static double timeOf(const DrawDef* def, const Extent* extent, int32_t index)
{
    const double end = endOf(def, extent);
    return def->moments == 1
               ? end
               : extent->first + (end - extent->first) * index / (double)(def->moments - 1);
}

static Map drawPanel(const Canvas* canvas, const Panels* panels, int32_t index,
                     const PeopleStyle* style, const Bounds* shown, const Player* player)
{
    char text[64];
    const Recording* recording = player->recording;
    const Scenery scenery = {recording->shapes, recording->shapeCount, style->level, false, false,
                             player->doors};
    const double x = panels->margin + index % panels->columns * (panels->width + panels->gap);
    const double y =
        panels->margin + index / panels->columns * (panels->height + panels->head + panels->gap);
    const Map map = appPlaceMap(canvas, shown, x, y + panels->head, panels->width, panels->height);
    snprintf(text, sizeof text, "t = %.1f s", player->now.time);
    appSetColor(canvas, inkColor, 1.0);
    appDrawText(canvas, map.left, y + 0.65 * panels->head, 0.015 * canvas->width, 0, text);
    appEnterMap(&map);
    appDrawScenery(&map, &scenery);
    appDrawPeople(&map, style, player);
    appLeaveMap(&map);
    appFrameMap(&map);
    return map;
}

static void drawFoot(const Reel* reel, const Map* map, const MapPage* page, int32_t level)
{
    const Recording* recording = reel->source.recording;
    const Scenery scenery = {recording->shapes, recording->shapeCount, level, false, false,
                             &reel->doors};
    appDrawFoot(map, page, &scenery, reel->title);
}

static ExitCode drawPanels(Reel* reel, const DrawDef* def, const Extent* extent,
                           const MapPage* page, const Panels* panels, const Canvas* canvas)
{
    Player player;
    Progress progress;
    ExitCode code = exitDone;
    Map map = {0};
    const PeopleStyle style = appStyleOf(def, extent, page, reel->source.scene);
    appBeginPlayer(&player, reel->source.recording, &reel->doors, def->trails);
    appBeginProgress(&progress, reel->title, def->quiet, 0.0, 0.0);
    for (int32_t i = 0; code == exitDone && i < def->moments; ++i) {
        code = appPlayTo(&player, timeOf(def, extent, i), extent->last, &progress);
        if (code == exitDone)
            map = drawPanel(canvas, panels, i, &style, &page->shown, &player);
    }
    appEndProgress(&progress);
    appEndPlayer(&player);
    if (code != exitDone)
        return code;
    if (def->colouring == colourBySpeed)
        appDrawSpeeds(canvas, page, extent);
    drawFoot(reel, &map, page, def->level);
    return exitDone;
}

ExitCode appDrawLapse(Reel* reel, const DrawDef* def)
{
    Extent extent;
    Canvas canvas;
    ExitCode code = appFindExtent(reel, def->from, def->to, def->level, def->quiet, &extent);
    if (code != exitDone)
        return code;
    MapPage page = appLayOutMap(&extent.bounds, def->width, def->colouring == colourBySpeed);
    const Panels panels = choosePanels(def->moments, page.width, &page.shown, page.bar + page.foot);
    page.height = 2 * ceil(0.5 * pageHeight(&panels, page.bar + page.foot));
    if (!appBeginCanvas(&canvas, def->output, page.width, page.height))
        return exitEnvironment;
    code = drawPanels(reel, def, &extent, &page, &panels, &canvas);
    if (code != exitDone)
        appDropCanvas(&canvas);
    else if (!appEndCanvas(&canvas))
        code = exitEnvironment;
    if (code == exitDone && !def->quiet)
        printf("%s: %s at %d times from %.1f to %.1f s\n", def->output, reel->title,
               (int)def->moments, extent.first, endOf(def, &extent));
    return code;
}
