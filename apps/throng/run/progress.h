// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How far a run is: a bar on a terminal, a line now and then elsewhere.

#ifndef THRONG_APPS_PROGRESS_H
#define THRONG_APPS_PROGRESS_H

#include <stdbool.h>

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
