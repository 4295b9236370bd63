// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Deals items out to workers: equal shares, tasks to whoever is free, or the largest tasks first.

#include "makespan.h"

static double sumOf(const double* costs, int32_t begin, int32_t end)
{
    double sum = 0.0;
    for (int32_t i = begin; i < end; ++i)
        sum += costs[i];
    return sum;
}

static double sumOfTask(const double* costs, int32_t count, int32_t taskItems, int32_t task)
{
    const int32_t begin = task * taskItems, end = begin + taskItems;
    return sumOf(costs, begin, end < count ? end : count);
}

double thiStaticMakespan(const double* costs, int32_t count, int32_t workers)
{
    double latest = 0.0;
    for (int32_t w = 0; w < workers; ++w) {
        const int64_t begin = (int64_t)count * w / workers,
                      end = (int64_t)count * (w + 1) / workers;
        const double own = sumOf(costs, (int32_t)begin, (int32_t)end);
        latest = own > latest ? own : latest;
    }
    return latest;
}

// Workers and when each is free again.
typedef struct Clock {
    double free[thPaperMostWorkers];
    int32_t workers;
    double latest;
} Clock;

static void takeTask(Clock* clock, double cost)
{
    int32_t first = 0;
    for (int32_t w = 1; w < clock->workers; ++w)
        if (clock->free[w] < clock->free[first])
            first = w;
    clock->free[first] += cost;
    if (clock->free[first] > clock->latest)
        clock->latest = clock->free[first];
}

double thiDynamicMakespan(const double* costs, int32_t count, int32_t workers, int32_t taskItems)
{
    Clock clock = {.workers = workers};
    for (int32_t task = 0; task * taskItems < count; ++task)
        takeTask(&clock, sumOfTask(costs, count, taskItems, task));
    return clock.latest;
}

// Tasks by what they are guessed to cost, the dearest first; of equal ones, the first.
static int32_t sortTasks(const double* guess, int32_t count, int32_t taskItems, int32_t* order)
{
    int32_t tasks = 0;
    for (; tasks * taskItems < count; ++tasks) {
        const double own = sumOfTask(guess, count, taskItems, tasks);
        int32_t k = tasks;
        for (; k > 0 && sumOfTask(guess, count, taskItems, order[k - 1]) < own; --k)
            order[k] = order[k - 1];
        order[k] = tasks;
    }
    return tasks;
}

double thiSortedMakespan(const double* costs, const double* guess, int32_t count, int32_t workers,
                         int32_t taskItems, int32_t* order)
{
    Clock clock = {.workers = workers};
    const int32_t tasks = sortTasks(guess, count, taskItems, order);
    for (int32_t i = 0; i < tasks; ++i)
        takeTask(&clock, sumOfTask(costs, count, taskItems, order[i]));
    return clock.latest;
}
