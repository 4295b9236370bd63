// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Writes the scenes that are verified: plain scene files that anybody can run and change.

#include "verify/verify.h"

#include <math.h>

#define RADIUS 0.2      // of people [m]
#define MOST_RANDOM 2.0 // density up to which they stand at random [1/m²]

// --- What all have ---

void verifyBeginScene(const VerifyScene* scene, const char* about, double end, bool arrived)
{
    fprintf(scene->stream,
            "{\n  \"throng\": 1,\n  \"about\": \"%s\",\n"
            "  \"time\": {\"step\": 0.1, \"end\": {\"at\": %g%s}},\n",
            about, end, arrived ? ", \"arrived\": true" : "");
}

void verifyWriteProfile(const VerifyScene* scene, const char* name, const char* text, bool isLast)
{
    fprintf(scene->stream, "    \"%s\": {%s", name, text);
    if (scene->pace != NULL)
        fprintf(scene->stream, ", \"pace\": \"%s\"", scene->pace);
    if (scene->avoid != NULL)
        fprintf(scene->stream, ", \"avoid\": %s", scene->avoid);
    fprintf(scene->stream, "}%s\n", isLast ? "" : ",");
}

// Adults as Weidmann found them.
void verifyWritePeople(const VerifyScene* scene)
{
    fputs("  \"profiles\": {\n", scene->stream);
    verifyWriteProfile(scene, "person", VERIFY_ADULT ", " VERIFY_PLAN, true);
    fputs("  },\n", scene->stream);
}

// --- Crowds of a given density ---

// People at an even density in a box, in columns of which every other one is shifted by half a
// place, and moved at random as far as they do not touch.
typedef struct Lattice {
    int32_t rows;
    double dx, dy; // from column to column, from row to row [m]
    double jitter; // [m]
} Lattice;

static double nearest(double dx, double dy)
{
    return fmin(fmin(dy, 2.0 * dx), hypot(dx, 0.5 * dy));
}

// So many rows in a width. Who is moved at random neither touches others nor the walls.
static Lattice makeLattice(int32_t rows, double width, double density)
{
    enum { rounds = 20 };
    Lattice lattice = {.rows = rows, .dx = rows / (density * width)};
    for (int32_t i = 0; i < rounds; ++i) {
        lattice.dy = (width - 2.0 * (RADIUS + 0.01 + lattice.jitter)) / (rows - 0.5);
        lattice.jitter = fmax(0.0, 0.35 * (nearest(lattice.dx, lattice.dy) - 2.0 * RADIUS));
        lattice.jitter = fmin(lattice.jitter, 0.25 * (width - 2.0 * RADIUS));
    }
    return lattice;
}

// The number of rows at which neighbours are furthest from each other.
static Lattice findLattice(double width, double density)
{
    Lattice best = makeLattice(1, width, density);
    for (int32_t rows = 2; rows <= 100; ++rows) {
        const Lattice next = makeLattice(rows, width, density);
        if (nearest(next.dx, next.dy) > nearest(best.dx, best.dy))
            best = next;
    }
    return best;
}

void verifyWriteCrowd(FILE* stream, double x0, double x1, double width, double density,
                      const char* goal)
{
    if (density <= MOST_RANDOM) {
        fprintf(stream,
                "    {\"in\": {\"box\": [[%g, 0], [%g, %g]]}, \"count\": %d, \"goal\": \"%s\", "
                "\"arrive\": \"leave\"}\n",
                x0, x1, width, (int)round(density * (x1 - x0) * width), goal);
        return;
    }
    const Lattice lattice = findLattice(width, density);
    const int32_t columns = (int32_t)floor((x1 - x0) / lattice.dx);
    for (int32_t odd = 0; odd < 2; ++odd)
        fprintf(stream,
                "    {\"grid\": {\"from\": [%.4f, %.4f], \"columns\": %d, \"rows\": %d, "
                "\"spacing\": [%.4f, %.4f], \"jitter\": %.4f}, \"goal\": \"%s\", \"arrive\": "
                "\"leave\"}%s\n",
                x0 + (odd + 0.5) * lattice.dx,
                RADIUS + 0.01 + lattice.jitter + 0.5 * odd * lattice.dy,
                (int)((columns + 1 - odd) / 2), (int)lattice.rows, 2.0 * lattice.dx, lattice.dy,
                lattice.jitter, goal, odd == 0 ? "," : "");
}

void verifyWriteBox(FILE* stream, double x0, double y0, double x1, double y1, int count,
                    const char* goal, bool isLast)
{
    fprintf(stream,
            "    {\"in\": {\"box\": [[%g, %g], [%g, %g]]}, \"count\": %d, \"gap\": 0.02, "
            "\"goal\": \"%s\", \"arrive\": \"leave\"}%s\n",
            x0, y0, x1, y1, count, goal, isLast ? "" : ",");
}

// --- A one-way corridor ---

void verifyWriteCorridor(const VerifyScene* scene, const VerifyCase* self)
{
    FILE* stream = scene->stream;
    const double density = self->x, width = self->second;
    verifyBeginScene(scene, "People at one density all along a one-way corridor of 160 m.", 40,
                     false);
    fprintf(stream,
            "  \"walls\": [{\"polyline\": [[-2, 0], [250, 0]]}, {\"polyline\": [[-2, %g], [250, "
            "%g]]}],\n"
            "  \"goals\": {\"end\": {\"segment\": [[249, 0.25], [249, %g]]}},\n",
            width, width, width - 0.25);
    verifyWritePeople(scene);
    fputs("  \"agents\": [\n", stream);
    verifyWriteCrowd(stream, 0, 160, width, density, "end");
    fprintf(stream,
            "  ],\n  \"measure\": {\n    \"lines\": {\"middle\": [[90, 0], [90, %g]]},\n"
            "    \"areas\": {\"middle\": {\"box\": [[80, 0], [100, %g]]}}\n  }\n}\n",
            width, width);
}

// --- A door ---

void verifyWriteDoor(const VerifyScene* scene, const VerifyCase* self)
{
    FILE* stream = scene->stream;
    const double half = 0.5 * self->x;
    verifyBeginScene(scene, "240 people leave a room by a door in a wall of 0.4 m.", 900, true);
    fprintf(stream,
            "  \"walls\": [\n"
            "    {\"room\": [[-5, -8], [5, -8], [5, -0.2], [%g, -0.2], [%g, 0.2], [5, 0.2], [5, "
            "8],\n"
            "              [-5, 8], [-5, 0.2], [%g, 0.2], [%g, -0.2], [-5, -0.2]]}\n  ],\n"
            "  \"goals\": {\"outside\": {\"segment\": [[-4, 7], [4, 7]]}},\n",
            half, half, -half, -half);
    verifyWritePeople(scene);
    fprintf(stream,
            "  \"agents\": [\n"
            "    {\"in\": {\"box\": [[-4.8, -7.8], [4.8, -0.4]]}, \"count\": 240, \"gap\": 0.02, "
            "\"goal\": \"outside\", \"arrive\": \"leave\"}\n  ],\n"
            "  \"measure\": {\n    \"lines\": {\"door\": [[%g, 0], [%g, 0]]},\n"
            "    \"areas\": {\"front\": {\"box\": [[-1, -2.2], [1, -0.2]]}}\n  }\n}\n",
            -half, half);
}

// --- The bottleneck ao-300 ---

void verifyWriteBottleneck(const VerifyScene* scene, const VerifyCase* self)
{
    FILE* stream = scene->stream;
    // Those who are not there at first come in where the camera's view ends.
    static const struct {
        double x0, y0, x1, y1, rate;
        int count;
    } sources[] = {
        {-2, -8, -2, -0.8, 4.5, 102}, {3.75, -8, 3.75, -0.8, 4, 73}, {-2, -8.2, 3.75, -8.2, 2, 25}};
    (void)self;
    verifyBeginScene(scene, "348 people pass a gap 3 m wide, as in the experiment ao-300.", 400,
                     true);
    fputs("  \"walls\": [\n"
          "    {\"room\": [[4, 8], [4, 0.53], [2.4, 0.53], [2.4, -0.53], [4, -0.53], [4, -8.5],\n"
          "              [-2.25, -8.5], [-2.25, -0.53], [-0.6, -0.53], [-0.6, 0.53], [-2.25, "
          "0.53], [-2.25, 8]]}\n  ],\n"
          "  \"goals\": {\"end\": {\"segment\": [[-1.9, 7.5], [3.65, 7.5]]}},\n",
          stream);
    verifyWritePeople(scene);
    fputs("  \"agents\": [\n"
          "    {\"in\": {\"box\": [[-2, -8.2], [3.75, -0.8]]}, \"count\": 148, \"gap\": 0.02, "
          "\"goal\": \"end\", \"arrive\": \"leave\"}",
          stream);
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; ++i)
        fprintf(stream,
                ",\n    {\"source\": {\"in\": {\"segment\": [[%g, %g], [%g, %g]]}, \"rate\": %g, "
                "\"count\": %d}, \"goal\": \"end\", \"arrive\": \"leave\"}",
                sources[i].x0, sources[i].y0, sources[i].x1, sources[i].y1, sources[i].rate,
                sources[i].count);
    fputs("\n  ],\n  \"measure\": {\n    \"lines\": {\"gap\": [[-0.6, 0], [2.4, 0]]},\n"
          "    \"areas\": {\n      \"gap\": {\"box\": [[-0.6, -0.53], [2.4, 0.53]]},\n"
          "      \"front\": {\"box\": [[-0.6, -2.53], [2.4, -0.53]]}\n    }\n  }\n}\n",
          stream);
}

// --- Corners and junctions, corridors 2.4 m wide ---

void verifyWriteCorner(const VerifyScene* scene, const VerifyCase* self)
{
    FILE* stream = scene->stream;
    (void)self;
    verifyBeginScene(scene, "200 people leave a room by a corridor of 2.4 m that turns left.", 600,
                     true);
    fputs("  \"walls\": [\n"
          "    {\"room\": [[-18, -3.8], [-8, -3.8], [-8, 0], [2.4, 0], [2.4, 14], [0, 14], [0, "
          "2.4],\n"
          "              [-8, 2.4], [-8, 6.2], [-18, 6.2]]}\n  ],\n"
          "  \"goals\": {\"end\": {\"segment\": [[0.25, 13.5], [2.15, 13.5]]}},\n",
          stream);
    verifyWritePeople(scene);
    fputs("  \"agents\": [\n", stream);
    verifyWriteBox(stream, -17.8, -3.6, -8.2, 6, 200, "end", true);
    fputs("  ],\n  \"measure\": {\n    \"lines\": {\"after\": [[0, 6], [2.4, 6]]},\n"
          "    \"areas\": {\n      \"before\": {\"box\": [[-4, 0], [-2, 2.4]]},\n"
          "      \"after\": {\"box\": [[0, 4.4], [2.4, 6.4]]}\n    }\n  }\n}\n",
          stream);
}

void verifyWriteJunction(const VerifyScene* scene, const VerifyCase* self)
{
    FILE* stream = scene->stream;
    (void)self;
    verifyBeginScene(scene, "Two streams of 120 people meet and leave by one corridor of 2.4 m.",
                     240, true);
    fputs("  \"walls\": [\n"
          "    {\"room\": [[-16, -2.8], [-8, -2.8], [-8, 0], [8, 0], [8, -2.8], [16, -2.8], [16, "
          "5.2],\n"
          "              [8, 5.2], [8, 2.4], [1.2, 2.4], [1.2, 14], [-1.2, 14], [-1.2, 2.4], [-8, "
          "2.4], [-8, 5.2], [-16, 5.2]]}\n  ],\n"
          "  \"goals\": {\"end\": {\"segment\": [[-0.95, 13.5], [0.95, 13.5]]}},\n",
          stream);
    verifyWritePeople(scene);
    fputs("  \"agents\": [\n", stream);
    verifyWriteBox(stream, -15.8, -2.6, -8.2, 5, 120, "end", false);
    verifyWriteBox(stream, 8.2, -2.6, 15.8, 5, 120, "end", true);
    fputs("  ],\n  \"measure\": {\n    \"lines\": {\"stem\": [[-1.2, 6], [1.2, 6]]},\n"
          "    \"areas\": {\n      \"arm\": {\"box\": [[-4, 0], [-2, 2.4]]},\n"
          "      \"stem\": {\"box\": [[-1.2, 4.4], [1.2, 6.4]]}\n    }\n  }\n}\n",
          stream);
}

// --- A two-way corridor, bot-360-120-120 ---

void verifyWriteTwoWay(const VerifyScene* scene, const VerifyCase* self)
{
    FILE* stream = scene->stream;
    (void)self;
    verifyBeginScene(scene, "Two streams meet in a corridor 3.6 m wide, as in bot-360-120-120.",
                     150, true);
    fputs("  \"walls\": [\n"
          "    {\"polyline\": [[-4, -4], [0, -4], [0, 4], [-4, 4]]},\n"
          "    {\"polyline\": [[7.6, -4], [3.6, -4], [3.6, 4], [7.6, 4]]}\n  ],\n"
          "  \"goals\": {\n"
          "    \"north-west\": {\"segment\": [[-1.5, 5], [-1.5, 7]]},\n"
          "    \"north-east\": {\"segment\": [[5.1, 5], [5.1, 7]]},\n"
          "    \"south-west\": {\"segment\": [[-1.5, -7], [-1.5, -5]]},\n"
          "    \"south-east\": {\"segment\": [[5.1, -7], [5.1, -5]]},\n"
          "    \"north\": {\"nearest\": [\"north-west\", \"north-east\"]},\n"
          "    \"south\": {\"nearest\": [\"south-west\", \"south-east\"]}\n  },\n",
          stream);
    verifyWritePeople(scene);
    fputs("  \"agents\": [\n"
          "    {\"source\": {\"in\": {\"segment\": [[1.2, 7], [2.4, 7]]}, \"rate\": 2.6, "
          "\"count\": 115}, \"goal\": \"south\", \"arrive\": \"leave\"},\n"
          "    {\"source\": {\"in\": {\"segment\": [[1.2, -7], [2.4, -7]]}, \"rate\": 2.6, "
          "\"count\": 106}, \"goal\": \"north\", \"arrive\": \"leave\"}\n"
          "  ],\n  \"measure\": {\n    \"lines\": {\"middle\": [[0, 0], [3.6, 0]]},\n"
          "    \"areas\": {\"middle\": {\"box\": [[0, -2], [3.6, 2]]}}\n  }\n}\n",
          stream);
}

// --- A jam before a narrow exit, uo-180-180-070 ---

void verifyWriteJam(const VerifyScene* scene, const VerifyCase* self)
{
    FILE* stream = scene->stream;
    (void)self;
    verifyBeginScene(scene,
                     "148 people in a corridor of 1.8 m that ends in a gap of 0.7 m, as in "
                     "uo-180-180-070.",
                     600, true);
    fputs("  \"walls\": [\n"
          "    {\"room\": [[0, 9], [0, -4], [0.55, -4], [0.55, -4.1], [-2, -4.1], [-2, -9], [4, "
          "-9], [4, -4.1],\n"
          "              [1.25, -4.1], [1.25, -4], [1.8, -4], [1.8, 9]]}\n  ],\n"
          "  \"goals\": {\"end\": {\"segment\": [[-1, -8], [3, -8]]}},\n",
          stream);
    verifyWritePeople(scene);
    fputs("  \"agents\": [\n"
          "    {\"source\": {\"in\": {\"segment\": [[0.25, 8.5], [1.55, 8.5]]}, \"rate\": 4, "
          "\"count\": 148}, \"goal\": \"end\", \"arrive\": \"leave\"}\n",
          stream);
    fputs("  ],\n  \"measure\": {\n    \"lines\": {\"exit\": [[0.55, -4.05], [1.25, -4.05]]},\n"
          "    \"areas\": {\"corridor\": {\"box\": [[0, -1.005], [1.8, 0.995]]}}\n  }\n}\n",
          stream);
}

// --- Single file ---

void verifyWriteSingleFile(const VerifyScene* scene, const VerifyCase* self)
{
    FILE* stream = scene->stream;
    const double density = self->x, width = 0.6;
    const double gap = 1.0 / density;
    verifyBeginScene(scene, "People one behind the other in a corridor in which nobody can pass.",
                     40, false);
    fprintf(stream,
            "  \"walls\": [{\"polyline\": [[-2, 0], [250, 0]]}, {\"polyline\": [[-2, %g], [250, "
            "%g]]}],\n"
            "  \"goals\": {\"end\": {\"point\": [249, %g]}},\n",
            width, width, 0.5 * width);
    verifyWritePeople(scene);
    fprintf(stream,
            "  \"agents\": [\n    {\"grid\": {\"from\": [%.4f, %g], \"columns\": %d, \"rows\": 1, "
            "\"spacing\": %.4f, \"jitter\": %.4f}, \"goal\": \"end\", \"arrive\": \"leave\"}\n"
            "  ],\n  \"measure\": {\n    \"lines\": {\"middle\": [[90, 0], [90, %g]]},\n"
            "    \"areas\": {\"middle\": {\"box\": [[80, 0], [100, %g]]}}\n  }\n}\n",
            0.5 * gap, 0.5 * width, (int)floor(160.0 * density), gap,
            fmin(0.4 * (gap - 2.0 * RADIUS), 0.08), width, width);
}
