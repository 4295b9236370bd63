// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Messages, names that people may have meant, terminals, Ctrl-C, and bars of progress.

#include "app.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static const char* speaker;

void appSetSpeaker(const char* command)
{
    speaker = command;
}

void appSay(const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr); // a progress bar may stand there
    fputs("throng", stderr);
    if (speaker != NULL)
        fprintf(stderr, " %s", speaker);
    fputs(": ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

ExitCode appExitOf(thResult result)
{
    switch (result) {
    case th_resultOk:
        return exitDone;
    case th_resultNoMemory:
    case th_resultFull:
    case th_resultFile:
        return exitEnvironment;
    default:
        return exitUsage;
    }
}

const char* appFormatFigure(FigureText* buffer, double value)
{
    const char* format = fabs(value) >= 99.95 ? "%.0f" : "%.3g";
    snprintf(buffer->text, sizeof buffer->text, format, value);
    return buffer->text;
}

enum { longestName = 63 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

// How many letters must be added, removed, replaced or swapped with their neighbour to make one
// word of the other.
static int distance(const char* a, const char* b)
{
    const int aLength = (int)strlen(a), bLength = (int)strlen(b);
    if (aLength > longestName || bLength > longestName)
        return longestName;
    int table[longestName + 1][longestName + 1];
    for (int i = 0; i <= aLength; ++i)
        for (int j = 0; j <= bLength; ++j) {
            if (i == 0 || j == 0) {
                table[i][j] = i + j;
                continue;
            }
            const int change = a[i - 1] != b[j - 1];
            const int oneMore = 1 + least(table[i - 1][j], table[i][j - 1]);
            table[i][j] = least(oneMore, table[i - 1][j - 1] + change);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                table[i][j] = least(table[i][j], table[i - 2][j - 2] + 1);
        }
    return table[aLength][bLength];
}

const char* appDidYouMean(const char* name, NextName* next, void* names)
{
    const char* nearest = NULL;
    int shortest = 1 + (int)strlen(name) / 3; // beyond that it is a guess
    for (const char* candidate = next(names); candidate != NULL; candidate = next(names)) {
        const int away = distance(name, candidate);
        if (away < shortest + (nearest == NULL)) {
            nearest = candidate;
            shortest = away;
        }
    }
    return nearest;
}

const char* appFileName(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

bool appHasSuffix(const char* path, const char* suffix)
{
    const size_t length = strlen(path), end = strlen(suffix);
    return length > end && strcasecmp(path + length - end, suffix) == 0;
}

int32_t appCountThreads(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > appMostThreads ? appMostThreads : (int32_t)cores;
}

int appTerminalWidth(int file)
{
    struct winsize size = {0};
    if (!isatty(file))
        return 0;
    return ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

bool appUsesColour(int file)
{
    const char* refused = getenv("NO_COLOR");
    const char* terminal = getenv("TERM");
    return (refused == NULL || *refused == '\0') && isatty(file) &&
           (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

// --- Ctrl-C ---

static volatile sig_atomic_t interrupted;

static void takeNote(int number)
{
    (void)number;
    interrupted = 1;
    // The next one, of either kind, ends the program.
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
}

// A signal that is ignored stays so: shells start jobs in the background like that, because Ctrl-C
// is not meant for them.
static void watch(int number)
{
    struct sigaction before, action = {.sa_handler = takeNote, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

void appWatchInterrupts(void)
{
    watch(SIGINT);
    watch(SIGTERM);
}

bool appWasInterrupted(void)
{
    return interrupted != 0;
}

// --- Progress ---

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
