// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// When the last of several workers is done, from what each item costs.

#ifndef THRONG_BENCH_PAPER_MAKESPAN_H
#define THRONG_BENCH_PAPER_MAKESPAN_H

#include <stdint.h>

enum { thPaperMostWorkers = 64 };

// Each worker has an equal share of the items, which follow each other.
double thiStaticMakespan(const double* costs, int32_t count, int32_t workers);

// Items follow each other in tasks of so many; who is free takes the next task.
double thiDynamicMakespan(const double* costs, int32_t count, int32_t workers, int32_t taskItems);

// The same, tasks with the largest sum of `guess` first. `order` has room for all tasks.
double thiSortedMakespan(const double* costs, const double* guess, int32_t count, int32_t workers,
                         int32_t taskItems, int32_t* order);

#endif
