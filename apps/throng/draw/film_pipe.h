// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Films are made by the program ffmpeg, which is given one frame after the other through a pipe.

#ifndef THRONG_APPS_FILM_PIPE_H
#define THRONG_APPS_FILM_PIPE_H

#include "app.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct FilmPipe {
    const char* path;
    char* part; // what is written until the film is complete
    pid_t child;
    int pipe;      // to it
    FILE* sayings; // what it says
} FilmPipe;

// Whether the suffix is .mp4 or .gif.
bool appIsFilmName(const char* path);

// Whether ffmpeg is there; says so if not.
bool appHasFfmpeg(void);

// Begins a film of frames of that size, so many a second; `path` must outlive it. The first picture
// of a .gif is not shown: it has all colours that the film will need.
bool appBeginFilm(FilmPipe* film, const char* path, int32_t width, int32_t height, double fps);

// Adds a frame: 4 bytes for each pixel, as cairo has them. What fails is said by appEndFilm.
bool appAddPicture(FilmPipe* film, const unsigned char* pixels, size_t size);

// Completes the file; if that fails, or `isGood` is false, there is none, and one that was there
// before stays.
bool appEndFilm(FilmPipe* film, bool isGood);

#endif
