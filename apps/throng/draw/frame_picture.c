// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A picture of one moment.

#include "draw/people.h"

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
    const Scenery scenery = {recording->shapes, recording->shapeCount, def->level, false, false,
                             &reel->doors};
    const PeopleStyle style = {def->colouring, def->level, appMiddle(&page.shown), extent.fastest,
                               reel->source.scene};
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
