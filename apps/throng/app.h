// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What every part of the program uses: exit codes and messages.

#ifndef THRONG_APPS_APP_H
#define THRONG_APPS_APP_H

#include <stdbool.h>
#include <throng/base.h>

typedef enum ExitCode {
    exitDone = 0,
    exitFailed = 1,      // it ended, but something that was asked for failed
    exitUsage = 2,       // bad usage or a bad scene
    exitEnvironment = 3, // a file, memory
} ExitCode;

// Messages begin with this: "throng run". [default "throng"]
void appSetSpeaker(const char* command);

// A line on stderr: "throng run: cannot …".
void appSay(const char* format, ...) __attribute__((format(printf, 1, 2)));

// The exit code that belongs to a result of the library.
ExitCode appExitOf(thResult result);

// A figure for people: three digits and no exponent. Valid until the buffer is used again.
typedef struct FigureText {
    char text[32];
} FigureText;
const char* appFormatFigure(FigureText* buffer, double value);

// The nearest of several names to one that is none of them, or NULL if nothing is near. `next`
// gives one name after the other, and NULL at the end.
typedef const char* NextName(void* names);
const char* appDidYouMean(const char* name, NextName* next, void* names);

// Threads that may work at once here, one for each core. [1 .. appMostThreads]
int32_t appCountThreads(void);

enum { appMostThreads = APP_THREADS ? 64 : 1 };

// Columns of the terminal behind a file descriptor. [0: it is none]
int appTerminalWidth(int file);

// Whether text for that descriptor may be coloured: a terminal, and no NO_COLOR.
bool appUsesColour(int file);

#endif
