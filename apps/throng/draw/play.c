// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "draw/play.h"

#include "app.h"

#include <math.h>

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
