// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A film: moments at equal distances in time.

#include "app.h"
#include "draw/film_pipe.h"
#include "draw/people.h"

#include <math.h>
#include <stdio.h>

typedef struct Film {
    const Reel* reel;
    const DrawDef* def;
    const Extent* extent;
    MapPage page;
    Canvas canvas;
    Map map;
    PeopleStyle style;
    FilmPipe pipe;
} Film;

static bool sendCanvas(Film* film)
{
    cairo_surface_t* surface = film->canvas.surface;
    cairo_surface_flush(surface);
    return appAddPicture(&film->pipe, cairo_image_surface_get_data(surface),
                         (size_t)cairo_image_surface_get_stride(surface) *
                             (size_t)film->page.height);
}

// All colours, in blends with paper, as trails and smooth edges have them.
static bool sendCard(Film* film)
{
    enum { hues = 24, strengths = 8, columns = 3 * hues };
    static const Color others[] = {inkColor,   wallColor, solidColor,
                                   moverColor, gridColor, doorColor};
    const bool bySpeed = film->def->colouring == colourBySpeed;
    const double width = film->page.width / columns, height = film->page.height / strengths;
    appPaintPaper(&film->canvas);
    for (int column = 0; column < columns; ++column) {
        const int hue = column % hues;
        const Color people = bySpeed ? appShade((hue + 1.0) / hues) : appHue((double)hue / hues);
        const Color color = column < hues       ? people
                            : column < 2 * hues ? appColorOf(hue)
                                                : others[hue % 6];
        for (int row = 0; row < strengths; ++row) {
            appSetColor(&film->canvas, color, (row + 1.0) / strengths);
            cairo_rectangle(film->canvas.cairo, column * width, row * height, width, height);
            cairo_fill(film->canvas.cairo);
        }
    }
    return sendCanvas(film);
}

static bool drawNow(Film* film, const Player* player)
{
    char text[256];
    const Recording* recording = player->recording;
    const Scenery scenery = {
        recording->shapes, recording->shapeCount, film->def->level, false, false,
        &film->reel->doors};
    appPaintPaper(&film->canvas);
    appEnterMap(&film->map);
    appDrawScenery(&film->map, &scenery);
    const int32_t count = appDrawPeople(&film->map, &film->style, player);
    appLeaveMap(&film->map);
    if (film->page.bar > 0.0)
        appDrawSpeeds(&film->canvas, &film->page, film->extent);
    appFormatMoment(text, sizeof text, film->reel, player, count);
    appDrawFoot(&film->map, &film->page, &scenery, text);
    return sendCanvas(film);
}

static ExitCode shoot(Film* film, Player* player, int64_t count)
{
    Progress progress;
    const Extent* extent = film->extent;
    ExitCode code = exitDone;
    appBeginProgress(&progress, film->reel->title, film->def->quiet, 0.0, extent->first);
    bool goesOn = !appHasSuffix(film->def->output, ".gif") || sendCard(film);
    for (int64_t i = 0; code == exitDone && goesOn && i < count; ++i) {
        const double time = extent->first + (double)i * film->def->speed / film->def->fps;
        code = appPlayTo(player, time, extent->last, &progress);
        goesOn = code == exitDone && drawNow(film, player); // else ffmpeg ended, and is asked why
        if (appProgressIsDue(&progress))
            appShowProgress(&progress, (double)(i + 1) / (double)count, time);
        if (appWasInterrupted())
            code = exitFailed;
    }
    appEndProgress(&progress);
    return code;
}

static ExitCode makeFilm(Film* film, Reel* reel, int64_t count)
{
    Player player;
    const DrawDef* def = film->def;
    if (!appBeginFilm(&film->pipe, def->output, (int32_t)film->page.width,
                      (int32_t)film->page.height, def->fps))
        return exitEnvironment;
    appBeginPlayer(&player, reel->source.recording, &reel->doors, def->trails);
    ExitCode code = shoot(film, &player, count);
    appEndPlayer(&player);
    if (!appEndFilm(&film->pipe, code == exitDone) && code == exitDone)
        code = exitEnvironment;
    return code;
}

ExitCode appDrawFilm(Reel* reel, const DrawDef* def)
{
    Extent extent;
    if (!appHasFfmpeg())
        return exitEnvironment;
    ExitCode code = appFindExtent(reel, def->from, def->to, def->level, def->quiet, &extent);
    if (code != exitDone)
        return code;
    Film film = {.reel = reel, .def = def, .extent = &extent};
    film.page = appLayOutMap(&extent.bounds, def->width, def->colouring == colourBySpeed);
    if (!appBeginCanvas(&film.canvas, NULL, film.page.width, film.page.height))
        return exitEnvironment;
    film.map = appPlaceOnPage(&film.canvas, &film.page);
    film.style = (PeopleStyle){def->colouring, def->level, appMiddle(&film.page.shown),
                               extent.fastest, reel->source.scene};
    const double span = extent.last - extent.first;
    const int64_t count = (int64_t)floor(span * def->fps / def->speed + 1e-6) + 1;
    code = makeFilm(&film, reel, count);
    appDropCanvas(&film.canvas);
    if (code == exitDone && !def->quiet)
        printf("%s: %lld frame%s of %s, from %.1f to %.1f s\n", def->output, (long long)count,
               count == 1 ? "" : "s", reel->title, extent.first, extent.last);
    return code;
}
