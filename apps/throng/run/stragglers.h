// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Who has not arrived when a run ends, and why, as far as planners know.

#ifndef THRONG_APPS_STRAGGLERS_H
#define THRONG_APPS_STRAGGLERS_H

#include "run/run_result.h"

// Fills in what a result tells of those who are underway.
void appFindStragglers(const thRun* run, const thSceneInfo* info, RunResult* result);

// For people: nothing if everybody has arrived.
void appPrintStragglers(const RunResult* result);

#endif
