// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A run beside a recording: for people, as JSON, and as CSV.

#ifndef THRONG_APPS_AGAINST_REPORT_H
#define THRONG_APPS_AGAINST_REPORT_H

#include "output.h"
#include "replay/against.h"

void appPrintAgainst(const Against* against, const char* path);

// The key "against" of an object that is open.
void appWriteAgainst(JsonOut* out, const Against* against, const char* path);

// Three tables: figures, people, and speeds at densities.
void appWriteAgainstCsv(OutFile* figures, OutFile* people, OutFile* diagram,
                        const Against* against);

#endif
