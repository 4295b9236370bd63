// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "app.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
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
