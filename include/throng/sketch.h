// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// What an agent plans with, for those who draw it: the graph its planner has of the floor, the
/// tree of shortest paths to its goal, the lines along which a field leads there, and its own path.
/// A planner that has a function `sketch` adds lines to the sketch that is handed to it; programs
/// draw them by layer, without knowing the planner.

#ifndef THRONG_SKETCH_H
#define THRONG_SKETCH_H

#include "throng/method.h"
#include "throng/world.h"

/// What a line is.
typedef enum thSketchLayer {
    /// A node of a graph. One point; of a portal its two ends.
    th_sketchNode = 0,
    /// An edge of a graph. Two points.
    th_sketchEdge = 1,
    /// From a node along the shortest path to the goal: to the node that comes next, or to the goal
    /// itself. Two points.
    th_sketchTree = 2,
    /// A line along which a field leads, 2 points or more: to the goal, or to where it comes near
    /// to an earlier one.
    th_sketchStream = 3,
    /// A piece of a line of places from which the path is equally long. Two points.
    th_sketchContour = 4,
    /// The agent's own path, as of `thAgent_GetPath`. Two points or more.
    th_sketchWay = 5,
    /// A square cell in which there are people. Two opposite corners; `left` is how many they are.
    /// [1/m²]
    th_sketchDensity = 6,
    /// Where the people about a place get to within a second, as they go on average. Two points;
    /// `left` is how fast they are. [m/s]
    th_sketchFlow = 7,
    /// How many layers there are.
    th_sketchLayerCount = 8,
} thSketchLayer;

/// A place about the world's origin.
typedef struct thSketchPoint {
    /// Position. [2⁻¹⁶ m]
    int32_t x;
    /// Position. [2⁻¹⁶ m]
    int32_t y;
} thSketchPoint;

/// A line, or a point.
typedef struct thSketchLine {
    /// What it is.
    thSketchLayer layer;
    /// Its first point, as an index into `thSketchView.points`.
    int32_t first;
    /// Number of its points.
    int32_t count;
    /// Length of the path to the goal that is left at the first point; 0 for nodes and edges, which
    /// lead to no goal; density and speed where that is what is shown. [m]
    float left;
} thSketchLine;

/// What an agent plans with, at one moment.
typedef struct thSketchView {
    /// Key of the agent.
    uint64_t key;
    /// Its floor.
    int32_t level;
    /// Its radius. [m]
    float radius;
    /// Where it is.
    thSketchPoint place;
    /// Name of its planner; lives as long as the world.
    const char* method;
    /// What its planner says.
    thPlanAnswer answer;
    /// Length of its path as the planner counts it. [m]
    double length;
    /// Why the path does not lead to the goal: a sentence. [NULL: it does]
    const char* why;
    /// Lines, in the order in which the planner told them; the path is the last.
    const thSketchLine* lines;
    /// Number of them.
    int32_t lineCount;
    /// The points of all lines.
    const thSketchPoint* points;
    /// Number of them.
    int32_t pointCount;
    /// Lines of each layer for which there was no room.
    int64_t leftOut[th_sketchLayerCount];
} thSketchView;

/// Sketches what an agent plans with, from what the last step has left; nothing changes. At most
/// `most` lines of each layer are kept; of graphs the longest edges are left out. `*sketch` is NULL
/// when it fails: th_resultUnavailable when the planner has nothing to tell. [1 .. 10,000,000]
THRONG_API thResult thAgent_SketchPlan(const thWorld* world, thAgentId agent, int32_t most,
                                       thSketch** sketch);

/// What it shows. Pointers live as long as the sketch.
THRONG_API thSketchView thSketch_GetView(const thSketch* sketch);

/// Destroys a sketch. NULL is allowed.
THRONG_API void thDestroySketch(thSketch* sketch);

/// Adds a line; one for which there is no room is counted only. Called from a planner's `sketch`
/// only, as are the next two.
THRONG_API void thSketch_Add(thSketch* to, thSketchLayer layer, float left,
                             const thSketchPoint* points, int32_t count);

/// Counts lines that the planner itself leaves out. [>= 0]
THRONG_API void thSketch_LeaveOut(thSketch* to, thSketchLayer layer, int64_t count);

/// How many lines of a layer are kept.
THRONG_API int32_t thSketch_GetMost(const thSketch* sketch);

#endif
