// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A piece of work that stays the same, by which machines are compared.

#ifndef THRONG_APPS_BENCH_YARDSTICK_H
#define THRONG_APPS_BENCH_YARDSTICK_H

// What the yardstick takes on the machine that bounds are given for: one where RVO2 takes 1,235 ns
// for an agent and step of random-100k, if its agents lie in memory as they do in space. (Where the
// yardstick takes 787 ns, its algorithm written again takes 1,618.) [ns for each agent]
#define YARDSTICK_THERE 600.0

// What it takes here, at best of some tries; a tenth of a second. Negative without memory. [ns]
double appMeasureYardstick(void);

#endif
