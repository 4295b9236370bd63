// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "run/progress.h"

#include "app.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double secondsBetweenBars = 0.1;
static const double secondsBetweenLines = 5.0;

// Room is kept for figures of this width, so that the bar keeps its length while they change.
enum { shortestBar = 5, longestBar = 40, figuresWidth = 50 };

double appClock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void appBeginProgress(Progress* progress, const char* label, bool quiet, double share, double time)
{
    const double now = appClock();
    *progress = (Progress){.label = label,
                           .quiet = quiet,
                           .onTerminal = isatty(STDERR_FILENO),
                           .began = now,
                           .last = now,
                           .firstShare = share,
                           .firstTime = time};
}

bool appProgressIsDue(const Progress* progress)
{
    const double pause = progress->onTerminal ? secondsBetweenBars : secondsBetweenLines;
    return !progress->quiet && appClock() - progress->last >= pause;
}

// "1:02:03", "2:03"
static void formatDuration(char* text, size_t size, double seconds)
{
    const long whole = (long)fmin(ceil(seconds), 1e9);
    if (whole >= 3600)
        snprintf(text, size, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    else
        snprintf(text, size, "%ld:%02ld", whole / 60, whole % 60);
}

// The right half: how far, how fast, how long.
static void formatFigures(const Progress* progress, char* text, size_t size, double share,
                          double time)
{
    const double spent = fmax(appClock() - progress->began, 1e-9);
    const double factor = (time - progress->firstTime) / spent;
    const double done = share - progress->firstShare;
    char left[48] = "", percent[16] = "";
    FigureText times;
    if (share >= 0.0)
        snprintf(percent, sizeof percent, "%3.0f %%  ", 100.0 * share);
    if (share >= 0.0 && done > 0.0) {
        char duration[32];
        formatDuration(duration, sizeof duration, spent * (1.0 - share) / done);
        snprintf(left, sizeof left, "  %s left", duration);
    }
    snprintf(text, size, "%st = %.1f s  %s x real time%s", percent, time,
             appFormatFigure(&times, factor), left);
}

// Never wider than the terminal: what wraps cannot be erased.
static void drawBar(const Progress* progress, double share, const char* figures)
{
    char bar[longestBar + 3] = "";
    const int width = appTerminalWidth(STDERR_FILENO);
    const int room = width - (int)strlen(progress->label) - figuresWidth - 7;
    const int length = room < longestBar ? room : longestBar;
    if (share >= 0.0 && length >= shortestBar) {
        memset(bar, '.', (size_t)length + 2);
        memset(bar + 1, '#', (size_t)(share * length));
        bar[0] = '[';
        bar[length + 1] = ']';
    }
    char line[512];
    snprintf(line, sizeof line, "%s  %s  %s", progress->label, bar, figures);
    fprintf(stderr, "\r\033[K%.*s", width - 1, line);
}

void appShowProgress(Progress* progress, double share, double time)
{
    char figures[160];
    formatFigures(progress, figures, sizeof figures, fmin(share, 1.0), time);
    if (progress->onTerminal)
        drawBar(progress, fmin(share, 1.0), figures);
    else
        fprintf(stderr, "%s: %s\n", progress->label, figures);
    fflush(stderr);
    progress->drawn = progress->onTerminal;
    progress->last = appClock();
}

void appEndProgress(Progress* progress)
{
    if (progress->drawn)
        fputs("\r\033[K", stderr);
    progress->drawn = false;
}
