// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "draw/film_pipe.h"

#include "draw/canvas.h"
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

bool appHasFfmpeg(void)
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

// ffmpeg's name for the partial file: names with a colon would be taken for addresses.
static char* join(const char* head, const char* path, const char* tail)
{
    const size_t size = strlen(head) + strlen(path) + strlen(tail) + 1;
    char* joined = malloc(size);
    if (joined != NULL)
        snprintf(joined, size, "%s%s%s", head, path, tail);
    return joined;
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
    return spawn(words, input, fileno(film->sayings), &film->child);
}

static void freeFilm(FilmPipe* film)
{
    if (film->sayings != NULL)
        fclose(film->sayings);
    free(film->part);
    *film = (FilmPipe){.pipe = -1};
}

static bool start(FilmPipe* film, int32_t width, int32_t height, double fps)
{
    int ends[2];
    char* target = join("file:", film->part, "");
    if (target == NULL || film->sayings == NULL || pipe(ends) != 0) {
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

bool appBeginFilm(FilmPipe* film, const char* path, int32_t width, int32_t height, double fps)
{
    *film = (FilmPipe){.path = path, .part = join("", path, ".part"), .pipe = -1};
    film->sayings = tmpfile();
    if (film->part != NULL && start(film, width, height, fps))
        return true;
    freeFilm(film);
    return false;
}

bool appAddPicture(FilmPipe* film, const unsigned char* pixels, size_t size)
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
    rewind(film->sayings);
    if (fgets(line, sizeof line, film->sayings) != NULL)
        line[strcspn(line, "\n")] = '\0';
    appSay("cannot write '%s': ffmpeg failed%s%s", film->path, line[0] != '\0' ? ": " : "", line);
}

bool appEndFilm(FilmPipe* film, bool isGood)
{
    close(film->pipe);
    const bool ended = waitFor(film->child);
    if (!ended)
        sayWhy(film);
    bool good = isGood && ended;
    if (good && rename(film->part, film->path) != 0) {
        appSayCannot("write", film->path);
        good = false;
    }
    if (!good)
        unlink(film->part);
    freeFilm(film);
    return good;
}
