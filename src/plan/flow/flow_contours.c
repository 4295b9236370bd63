// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Contour lines by marching squares: where the sides of a square of nodes pass a length, the line
// enters or leaves it.

#include "plan/flow/flow_sketch.h"

// About how many lengths have a line.
#define LENGTHS 24.0f

static bool isWhole(const thFlowField* field, int32_t node)
{
    const thNodeGrid* nodes = &field->grid->nodes;
    const uint8_t here = th_openEast | th_openNorth, there = th_openWest | th_openSouth;
    const int32_t above = node + nodes->columns;
    return (nodes->open[node] & here) == here && (nodes->open[above + 1] & there) == there &&
           thiIsSettled(&field->ways, node) && thiIsSettled(&field->ways, node + 1) &&
           thiIsSettled(&field->ways, above) && thiIsSettled(&field->ways, above + 1);
}

static float longestWay(const thFlowField* field)
{
    float longest = 0.0f;
    for (int32_t i = 0; i < thiNodeCount(&field->grid->nodes); ++i)
        if (thiIsSettled(&field->ways, i) && field->ways.left[i] > longest)
            longest = field->ways.left[i];
    return longest;
}

// The least of 0.01, 0.02, 0.05, 0.1 ... that is not less. [m]
static float roundUp(float length)
{
    static const float factors[3] = {2.0f, 2.5f, 2.0f};
    float result = 1.0f;
    for (int32_t i = 0; result < length; ++i)
        result *= factors[i % 3];
    for (int32_t i = 0; i < 6 && result / factors[i % 3] >= length; ++i)
        result /= factors[i % 3];
    return result;
}

// Where the side from one node to another passes a length.
static thSketchPoint pointBetween(thPoint a, thPoint b, float fromA, float fromB, float length)
{
    const float share = (length - fromA) / (fromB - fromA);
    return (thSketchPoint){a.x + (int32_t)((float)(b.x - a.x) * share),
                           a.y + (int32_t)((float)(b.y - a.y) * share)};
}

// The line of one length through a square, whose corners go round.
static void crossSquare(const thPoint* corners, const float* lefts, float length, thSketch* to)
{
    thSketchPoint ends[4];
    int32_t count = 0;
    for (int32_t i = 0, k = 1; i < 4; ++i, k = (k + 1) % 4)
        if ((lefts[i] < length) != (lefts[k] < length))
            ends[count++] = pointBetween(corners[i], corners[k], lefts[i], lefts[k], length);
    for (int32_t i = 0; i < count; i += 2)
        thSketch_Add(to, th_sketchContour, length, &ends[i], 2);
}

static void sketchSquare(const thFlowField* field, int32_t node, float every, thSketch* to)
{
    const thNodeGrid* nodes = &field->grid->nodes;
    const int32_t round[4] = {node, node + 1, node + nodes->columns + 1, node + nodes->columns};
    thPoint corners[4];
    float lefts[4], least = FLT_MAX, most = 0.0f;
    for (int32_t i = 0; i < 4; ++i) {
        corners[i] = thiNodePlace(nodes, round[i]);
        lefts[i] = field->ways.left[round[i]];
        least = TH_MIN(least, lefts[i]);
        most = TH_MAX(most, lefts[i]);
    }
    for (int32_t i = TH_MAX((int32_t)(least / every), 1); (float)i * every <= most; ++i)
        crossSquare(corners, lefts, (float)i * every, to);
}

void thiSketchContours(const thFlowField* field, thSketch* to)
{
    const thNodeGrid* nodes = &field->grid->nodes;
    const float every = roundUp(longestWay(field) / LENGTHS);
    // The outermost nodes are never open.
    for (int32_t row = 1; row + 2 < nodes->rows; ++row)
        for (int32_t column = 1; column + 2 < nodes->columns; ++column)
            if (isWhole(field, row * nodes->columns + column))
                sketchSquare(field, row * nodes->columns + column, every, to);
}
