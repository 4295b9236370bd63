// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Films: moments at equal distances in time, given to the program ffmpeg through a pipe.

#include "draw/people.h"
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

// --- The pipe ---

typedef struct FilmPipe {
    const char* path;
    OutFile file;
    pid_t child;
    int pipe;       // to it
    FILE* messages; // what it says
} FilmPipe;

extern char** environ;

bool appIsFilmName(const char* path)
{
    return appHasSuffix(path, ".mp4") || appHasSuffix(path, ".gif");
}

// The child is in a process group of its own, so that Ctrl-C reaches this program alone, and minds
// broken pipes again, which this program ignores.
static int spawn(char* const* words, int input, int output, pid_t* child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t signals;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    const int reason = posix_spawnp(child, words[0], &actions, &attributes, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return reason;
}

static bool waitFor(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void sayNoFfmpeg(int reason)
{
    appSay("films need the program ffmpeg, which cannot be started: %s", strerror(reason));
}

// Whether ffmpeg is there; says so if not.
static bool hasFfmpeg(void)
{
    char* words[] = {"ffmpeg", "-version", NULL};
    pid_t child;
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0) {
        appSayCannot("write", "/dev/null");
        return false;
    }
    const int reason = spawn(words, nothing, nothing, &child);
    close(nothing);
    if (reason != 0)
        sayNoFfmpeg(reason);
    else if (!waitFor(child))
        appSay("films need the program ffmpeg, and 'ffmpeg -version' fails");
    else
        return true;
    return false;
}

// ffmpeg's name for a file: names with a colon would be taken for addresses.
static char* addressOf(const char* path)
{
    const size_t size = sizeof "file:" + strlen(path);
    char* address = malloc(size);
    if (address != NULL)
        snprintf(address, size, "file:%s", path);
    return address;
}

static int startFfmpeg(FilmPipe* film, const char* target, int32_t width, int32_t height,
                       double fps, int input)
{
    char size[32], rate[32];
    snprintf(size, sizeof size, "%dx%d", (int)width, (int)height);
    snprintf(rate, sizeof rate, "%.6g", fps);
    const bool isGif = appHasSuffix(film->path, ".gif");
    // The first picture is a card with all colours, of which the palette is made; a palette from
    // the film itself would keep all of it in memory.
    char* gifFilter = "split[a][b];[a]trim=end_frame=1,palettegen[p];"
                      "[b]trim=start_frame=1,setpts=PTS-STARTPTS[f];"
                      "[f][p]paletteuse=dither=none:diff_mode=rectangle";
    char* words[] = {"ffmpeg",
                     "-nostdin",
                     "-hide_banner",
                     "-loglevel",
                     "error",
                     "-y", //
                     "-f",
                     "rawvideo",
                     "-pixel_format",
                     "bgr0",
                     "-video_size",
                     size, //
                     "-framerate",
                     rate,
                     "-i",
                     "pipe:0",
                     "-an", //
                     "-vf",
                     isGif ? gifFilter : "format=yuv420p", //
                     "-preset",
                     "veryfast",
                     "-crf",
                     "20",
                     "-movflags",
                     "+faststart", //
                     "-f",
                     isGif ? "gif" : "mp4",
                     (char*)target,
                     NULL};
    return spawn(words, input, fileno(film->messages), &film->child);
}

static void freeFilm(FilmPipe* film)
{
    if (film->messages != NULL)
        fclose(film->messages);
    appCloseOut(&film->file, false);
    *film = (FilmPipe){.pipe = -1};
}

static bool startFilm(FilmPipe* film, int32_t width, int32_t height, double fps)
{
    int ends[2];
    char* target = addressOf(film->file.part);
    if (target == NULL || film->messages == NULL || pipe(ends) != 0) {
        appSay("cannot write '%s': %s", film->path, strerror(errno));
        free(target);
        return false;
    }
    // The child must not hold our end, or it would never see the end of the film.
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    const int reason = startFfmpeg(film, target, width, height, fps, ends[0]);
    close(ends[0]);
    free(target);
    if (reason == 0) {
        film->pipe = ends[1];
        return true;
    }
    close(ends[1]);
    sayNoFfmpeg(reason);
    return false;
}

// Begins a film of frames of that size, so many a second; `path` must outlive it. The first picture
// of a .gif is not shown: it has all colours that the film will need.
static bool beginFilm(FilmPipe* film, const char* path, int32_t width, int32_t height, double fps)
{
    *film = (FilmPipe){.path = path, .pipe = -1, .messages = tmpfile()};
    if (appOpenPart(&film->file, path) && startFilm(film, width, height, fps))
        return true;
    freeFilm(film);
    return false;
}

// Adds a frame: 4 bytes for each pixel, as cairo has them. What fails is said by endFilm.
static bool addPicture(FilmPipe* film, const unsigned char* pixels, size_t size)
{
    while (size > 0) {
        const ssize_t written = write(film->pipe, pixels, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        pixels += written;
        size -= (size_t)written;
    }
    return true;
}

// The first line of what ffmpeg said.
static void sayWhy(FilmPipe* film)
{
    char line[400] = "";
    rewind(film->messages);
    if (fgets(line, sizeof line, film->messages) != NULL)
        line[strcspn(line, "\n")] = '\0';
    appSay("cannot write '%s': ffmpeg failed%s%s", film->path, line[0] != '\0' ? ": " : "", line);
}

// Completes the file; if that fails, or `isGood` is false, there is none, and one that was there
// before stays.
static bool endFilm(FilmPipe* film, bool isGood)
{
    close(film->pipe);
    const bool ended = waitFor(film->child);
    if (!ended)
        sayWhy(film);
    const bool good = appCloseOut(&film->file, isGood && ended);
    freeFilm(film);
    return good;
}

// --- The film ---

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
    return addPicture(&film->pipe, cairo_image_surface_get_data(surface),
                      (size_t)cairo_image_surface_get_stride(surface) * (size_t)film->page.height);
}

// All colours, in blends with paper, as trails and smooth edges have them.
static bool sendColours(Film* film)
{
    enum { hues = 24, strengths = 8, columns = 3 * hues };
    const Color others[] = {inkColor, wallColor, solidColor, moverColor, gridColor, doorColor};
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

static ExitCode sendMoments(Film* film, Player* player, int64_t count)
{
    Progress progress;
    const Extent* extent = film->extent;
    ExitCode code = exitDone;
    appBeginProgress(&progress, film->reel->title, film->def->quiet, 0.0, extent->first);
    bool goesOn = !appHasSuffix(film->def->output, ".gif") || sendColours(film);
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
    if (!beginFilm(&film->pipe, def->output, (int32_t)film->page.width, (int32_t)film->page.height,
                   def->fps))
        return exitEnvironment;
    appBeginPlayer(&player, reel->source.recording, &reel->doors, def->trails);
    ExitCode code = sendMoments(film, &player, count);
    appEndPlayer(&player);
    if (!endFilm(&film->pipe, code == exitDone) && code == exitDone)
        code = exitEnvironment;
    return code;
}

ExitCode appDrawFilm(Reel* reel, const DrawDef* def)
{
    Extent extent;
    if (!hasFfmpeg())
        return exitEnvironment;
    ExitCode code = appFindExtent(reel, def->from, def->to, def->level, def->quiet, &extent);
    if (code != exitDone)
        return code;
    Film film = {.reel = reel, .def = def, .extent = &extent};
    film.page = appLayOutMap(&extent.bounds, def->width, def->colouring == colourBySpeed);
    if (!appBeginCanvas(&film.canvas, NULL, film.page.width, film.page.height))
        return exitEnvironment;
    film.map = appPlaceOnPage(&film.canvas, &film.page);
    film.style = appStyleOf(def, &extent, &film.page, reel->source.scene);
    const double span = extent.last - extent.first;
    const int64_t count = (int64_t)floor(span * def->fps / def->speed + 1e-6) + 1;
    code = makeFilm(&film, reel, count);
    appDropCanvas(&film.canvas);
    if (code == exitDone && !def->quiet)
        printf("%s: %lld frame%s of %s, from %.1f to %.1f s\n", def->output, (long long)count,
               count == 1 ? "" : "s", reel->title, extent.first, extent.last);
    return code;
}
