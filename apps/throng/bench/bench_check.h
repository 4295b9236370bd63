// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What `throng bench` was asked to measure, looked at before it begins: what is wrong would
// otherwise end it after minutes.

#ifndef THRONG_APPS_BENCH_CHECK_H
#define THRONG_APPS_BENCH_CHECK_H

#include "options.h"

// exitDone if all scenes can be read and all methods and instruction sets are there; what is not is
// said.
ExitCode appCheckBench(const TextList* scenes, const TextList* changes, const TextList* avoids,
                       const char* plan, const TextList* simds);

#endif
