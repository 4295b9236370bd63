// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What every part of the program uses: exit codes, messages, interrupts and progress.

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

// The name of a file without its folder.
const char* appFileName(const char* path);

// Whether a name ends so, in whatever case.
bool appHasSuffix(const char* path, const char* suffix);

// Threads that may work at once here, one for each core. [1 .. appMostThreads]
int32_t appCountThreads(void);

enum { appMostThreads = APP_THREADS ? 64 : 1 };

// Columns of the terminal behind a file descriptor. [0: it is none]
int appTerminalWidth(int file);

// Whether text for that descriptor may be coloured: a terminal, and no NO_COLOR.
bool appUsesColour(int file);

// --- Ctrl-C ---

// Ctrl-C: the first one asks for an end, the second one is one.

// From now on the first SIGINT or SIGTERM is only taken note of.
void appWatchInterrupts(void);

bool appWasInterrupted(void);

// --- Progress ---

// How far a run is: a bar on a terminal, a line now and then elsewhere.

typedef struct Progress {
    const char* label;
    bool quiet, onTerminal;
    bool drawn;         // a bar stands on the terminal
    double began, last; // when it began and was last shown [s]
    double firstShare;  // of the run that was done when it began
    double firstTime;   // simulated until then [s]
} Progress;

// Seconds of some clock that never goes back.
double appClock(void);

// `share` of the run is done [0 .. 1; negative: unknown], at the simulated `time` [s].
void appBeginProgress(Progress* progress, const char* label, bool quiet, double share, double time);

// Whether it is time to show something; ask after every step.
bool appProgressIsDue(const Progress* progress);
void appShowProgress(Progress* progress, double share, double time);

// Leaves no trace on a terminal.
void appEndProgress(Progress* progress);

#endif
