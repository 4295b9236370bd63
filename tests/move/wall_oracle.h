// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Judges moves among walls. It shares no code with move/ and geom/: crossings are decided in
// 128-bit integers, distances in long double.

#ifndef THRONG_TESTS_MOVE_WALL_ORACLE_H
#define THRONG_TESTS_MOVE_WALL_ORACLE_H

#include "geom/segment.h"
#include "throng/method.h"

// Whether the segments a b and c d have a point in common.
bool oracleTouches(thPoint a, thPoint b, thPoint c, thPoint d);

// Distance of a point from a segment. [units]
long double oracleDistance(thPoint p, thPoint a, thPoint b);

// What is wrong with a straight leg of a disc, NULL if nothing. `startDistance` are the distances
// of each wall when the disc was created: it may be as near later, but no nearer, or as near as the
// slop allows. Centres that began on a wall are not judged by it.
const char* oracleJudge(const thWalls* walls, int32_t level, thPoint from, thPoint to, float radius,
                        const long double* startDistance);

// Distances of all walls, for the above.
void oracleMeasure(const thWalls* walls, thPoint p, long double* distance);

#endif
