// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A picture of one moment.

#include "people.h"

#include <math.h>
#include <stdio.h>

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
    const Scenery scenery = {recording->shapes, recording->shapeCount, def->level, false};
    const PeopleStyle style = {def->colouring, def->level, appMiddle(&page.shown), extent.fastest};
    appEnterMap(&map);
    appDrawScenery(&map, &scenery);
    const int32_t count = appDrawPeople(&map, &style, player);
    appLeaveMap(&map);
    if (hasBar)
        appDrawBar(&canvas, &page, "speed [m/s]", extent.fastest, appSlowShade);
    appFormatMoment(text, sizeof text, reel, player, count);
    appDrawFoot(&map, &page, text);
    if (!appEndCanvas(&canvas))
        return exitEnvironment;
    if (!def->quiet)
        printf("%s: %s at t = %.1f s\n", def->output, reel->title, player->now.time);
    return exitDone;
}

ExitCode appDrawFrame(Reel* reel, const DrawDef* def)
{
    Player player;
    Progress progress;
    appBeginPlayer(&player, reel->source.recording, def->trails);
    appBeginProgress(&progress, reel->title, def->quiet, isinf(def->at) ? -1.0 : 0.0, 0.0);
    ExitCode code = appPlayTo(&player, def->at, def->at, &progress);
    appEndProgress(&progress);
    if (code == exitDone)
        code = player.frameCount > 0 ? drawNow(reel, def, &player) : appSayNothing(reel);
    appEndPlayer(&player);
    return code;
}
