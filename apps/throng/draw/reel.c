// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What is to be drawn: a recording or a run that can be seen again, played, and how far it reaches.

#include "draw/reel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Reels ---

ExitCode appRewindReel(Reel* reel)
{
    appCloseSource(&reel->source);
    return appOpenSource(reel->name, &reel->def, &reel->source);
}

// Without folder and suffix.
static char* shorten(const char* path)
{
    const char* name = appFileName(path);
    const char* dot = strrchr(name, '.');
    return strndup(name, dot != NULL && dot > name ? (size_t)(dot - name) : strlen(name));
}

// The files of the ETH and UCY data sets all have one name; their folders tell them apart.
static char* titleOf(const char* path)
{
    if (strcmp(appFileName(path), "obsmat.txt") != 0)
        return shorten(path);
    char* whole = realpath(path, NULL);
    char* slash = whole != NULL ? strrchr(whole, '/') : NULL;
    if (slash != NULL)
        *slash = '\0';
    char* title = slash != NULL && slash > whole ? strdup(appFileName(whole)) : shorten(path);
    free(whole);
    return title;
}

ExitCode appOpenReel(Reel* reel, const char* name, const SourceDef* def)
{
    *reel = (Reel){.name = name, .def = *def, .title = titleOf(name)};
    if (reel->title == NULL) {
        appSay("cannot read '%s': no memory", name);
        return exitEnvironment;
    }
    const ExitCode code = appRewindReel(reel);
    if (code == exitDone)
        appBeginDoors(&reel->doors, reel->source.recording->head.scene);
    else
        appCloseReel(reel);
    return code;
}

void appCloseReel(Reel* reel)
{
    appCloseSource(&reel->source);
    appFreeDoors(&reel->doors);
    free(reel->title);
    *reel = (Reel){0};
}

// --- Playing ---

static const double sameTime = 1e-9; // [s]

static void showProgress(Progress* progress, const Player* player, double end)
{
    const double time = player->after.time;
    const double last =
        fmin(end, player->recording->endTime > 0.0 ? player->recording->endTime : INFINITY);
    if (appProgressIsDue(progress))
        appShowProgress(progress, isfinite(last) && last > 0.0 ? time / last : -1.0, time);
}

// One more frame.
static ExitCode playOn(Player* player, double end, Progress* progress)
{
    if (appWasInterrupted())
        return exitFailed;
    const Next next = appPlayFrame(player);
    if (next == nextFrame)
        showProgress(progress, player, end);
    return next == nextFailed ? exitEnvironment : exitDone;
}

ExitCode appPlayTo(Player* player, double time, double end, Progress* progress)
{
    ExitCode code = exitDone;
    while (code == exitDone && appMustRead(player, time))
        code = playOn(player, end, progress);
    return code == exitDone && appSeek(player, time) == nextFailed ? exitEnvironment : code;
}

static ExitCode playAll(Player* player, const PlayDef* def, Progress* progress)
{
    for (;;) {
        const ExitCode code = playOn(player, def->to, progress);
        if (code != exitDone || player->isOver || player->after.time > def->to + sameTime)
            return code;
        if (player->after.time >= def->from - sameTime && !def->see(def->context, player)) {
            appSay("no memory for what is to be drawn");
            return exitEnvironment;
        }
    }
}

ExitCode appPlayRange(Reel* reel, const PlayDef* def)
{
    Player player;
    Progress progress;
    appBeginPlayer(&player, reel->source.recording, &reel->doors, 0.0);
    appBeginProgress(&progress, reel->title, def->quiet, 0.0, 0.0);
    const ExitCode code = playAll(&player, def, &progress);
    appEndProgress(&progress);
    appEndPlayer(&player);
    return code;
}

// --- Extents ---

Extent appNoExtent(void)
{
    return (Extent){.bounds = appNoBounds(),
                    .first = INFINITY,
                    .last = -INFINITY,
                    .lastSeen = -INFINITY,
                    .shortestGap = INFINITY};
}

static void noteLevel(Extent* extent, int32_t level)
{
    const int32_t kept = extent->levelCount < appMostLevels ? extent->levelCount : appMostLevels;
    int32_t at = kept;
    while (at > 0 && extent->levels[at - 1] >= level)
        at -= 1;
    if (at < kept && extent->levels[at] == level)
        return;
    extent->levelCount += 1;
    for (int32_t i = kept < appMostLevels ? kept : appMostLevels - 1; i > at; --i)
        extent->levels[i] = extent->levels[i - 1];
    if (at < appMostLevels)
        extent->levels[at] = level;
}

static void noteShapes(Extent* extent, const Recording* recording, int32_t level)
{
    const Scenery scenery = {recording->shapes, recording->shapeCount, level, false, false, NULL};
    appIncludeScenery(&extent->bounds, &scenery);
    for (int32_t i = 0; i < recording->shapeCount; ++i)
        if (!appIsGoal(&recording->shapes[i]))
            noteLevel(extent, recording->shapes[i].level);
}

static void notePerson(Extent* extent, const Sight* sight)
{
    appInclude(&extent->bounds, sight->place, 0.5);
    if (isnan(sight->speed))
        return;
    extent->speedSum += (double)sight->speed;
    extent->speedSquares += (double)sight->speed * (double)sight->speed;
    extent->speedCount += 1.0;
    extent->greatest = fmax(extent->greatest, (double)sight->speed);
}

void appExtend(Extent* extent, const Player* player, const Moment* moment, int32_t level)
{
    const Recording* recording = player->recording;
    if (extent->frameCount > 0)
        extent->shortestGap = fmin(extent->shortestGap, moment->time - extent->last);
    if (extent->frameCount == 0 || recording->latest.shapes != NULL)
        noteShapes(extent, recording, level);
    extent->first = fmin(extent->first, moment->time);
    extent->last = moment->time;
    extent->frameCount += 1;
    int32_t count = 0;
    for (int32_t i = 0; i < moment->count; ++i) {
        const Sight* sight = &moment->sights[i];
        const int32_t on = sight->person >= 0 ? recording->people[sight->person].level : 0;
        noteLevel(extent, on);
        if (on != level)
            continue;
        notePerson(extent, sight);
        extent->hasGroups |= sight->person >= 0 && recording->people[sight->person].group >= 0;
        count += 1;
    }
    extent->mostPeople = count > extent->mostPeople ? count : extent->mostPeople;
    if (count > 0)
        extent->lastSeen = moment->time;
}

void appEndExtent(Extent* extent)
{
    const double count = fmax(extent->speedCount, 1.0);
    const double mean = extent->speedSum / count;
    const double spread = sqrt(fmax(extent->speedSquares / count - mean * mean, 0.0));
    extent->fastest = fmax(0.25 * ceil((mean + 1.5 * spread) / 0.25), 0.25);
}

ExitCode appSayOutside(const Reel* reel, double at, double first, double last)
{
    appSay("--at is %g s, but '%s' goes from %.6g to %.6g s", at, reel->name, first, last);
    return exitUsage;
}

ExitCode appSayNothing(const Reel* reel)
{
    appSay("there is nothing to draw in '%s'", reel->name);
    return exitEnvironment;
}

ExitCode appCheckExtent(const Reel* reel, const Extent* extent, int32_t level)
{
    // A scene says which floors there are, also those that are empty for a time.
    Extent floors = *extent;
    if (reel->source.scene != NULL)
        floors.levelCount = thScene_GetLevels(reel->source.scene, floors.levels, appMostLevels);
    if (!appIsFloorOf(floors.levels, floors.levelCount, level))
        return exitUsage;
    return extent->frameCount == 0 || appIsEmpty(&extent->bounds) ? appSayNothing(reel) : exitDone;
}

typedef struct Looking {
    Extent* extent;
    int32_t level;
} Looking;

static bool lookAtFrame(void* context, const Player* player)
{
    const Looking* looking = context;
    appExtend(looking->extent, player, &player->after, looking->level);
    return true;
}

ExitCode appFindExtent(Reel* reel, double from, double to, int32_t level, bool quiet,
                       Extent* extent)
{
    Looking looking = {extent, level};
    *extent = appNoExtent();
    const PlayDef play = {from, to, quiet, lookAtFrame, &looking};
    ExitCode code = appPlayRange(reel, &play);
    appEndExtent(extent);
    if (code == exitDone)
        code = appCheckExtent(reel, extent, level);
    return code == exitDone ? appRewindReel(reel) : code;
}
