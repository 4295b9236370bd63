// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// How a method shows what it thinks of an agent: marks in the plane, which programs draw without
/// knowing the method. A method that has a function `explain` adds them to the explanation that is
/// handed to it; `throng/explain.h` is for those who ask.
///
/// A mark lies in the plane of velocities, in m/s, or in the plane of places, in m relative to the
/// agent.

#ifndef THRONG_MARK_H
#define THRONG_MARK_H

#include "throng/method.h"

/// What a mark is, and what its points are.
typedef enum thMarkKind {
    /// A half-plane. Two points: one on its border, and the unit vector across the border into what
    /// is allowed.
    th_markHalfPlane = 0,
    /// A polygon with its inside. Its corners, 3 or more.
    th_markRegion = 1,
    /// A region without end, such as a velocity obstacle. Its border, 3 points or more: first the
    /// direction in which it comes from infinity, as seen from the next point; then corners; last
    /// the direction in which it goes back there. The region is convex: what is to the left of all
    /// pieces of the path along it.
    th_markCone = 2,
    /// A disc. Its centre; the radius is `radius`.
    th_markDisc = 3,
    /// Something tried out. Where it is; `value` is what it costs.
    th_markSample = 4,
    /// An arrow: a force, a field's direction, a velocity. From where and to where.
    th_markArrow = 5,
    /// A line through points, 2 or more: a path, or pieces of a border.
    th_markPath = 6,
    /// A point.
    th_markPoint = 7,
    /// A line of text, which is the label. No points.
    th_markText = 8,
    /// How many kinds there are.
    th_markKindCount = 9,
} thMarkKind;

/// The plane a mark lies in.
typedef enum thMarkSpace {
    /// Velocities. [m/s]
    th_spaceVelocity = 0,
    /// Places relative to the agent. [m]
    th_spacePlace = 1,
} thMarkSpace;

/// What a region, cone or disc says.
typedef enum thMarkMeaning {
    /// Nothing; it is only shown.
    th_meansNothing = 0,
    /// Its inside is forbidden.
    th_meansForbidden = 1,
    /// Its outside is forbidden.
    th_meansLimit = 2,
} thMarkMeaning;

/// Whom a mark is there for.
typedef enum thMarkCause {
    /// The agent itself, or nobody.
    th_causeNone = 0,
    /// Another agent; `whose` is its key.
    th_causeAgent = 1,
    /// A wall; `whose` is the slot of the obstacle + 1.
    th_causeWall = 2,
    /// A moving obstacle; `whose` is the slot of the obstacle + 1.
    th_causeMover = 3,
} thMarkCause;

/// One mark.
typedef struct thMark {
    /// Size of this struct. [bytes, set by thDefaultMark]
    uint32_t size;
    /// What it is. [default th_markText]
    thMarkKind kind;
    /// The plane it lies in. [default th_spaceVelocity]
    thMarkSpace space;
    /// What it says. [default th_meansNothing]
    thMarkMeaning meaning;
    /// Whom it is there for. [default th_causeNone]
    thMarkCause cause;
    /// The kind of method that made it; the library sets it.
    thMethodKind by;
    /// Who exactly, see `thMarkCause`. [default 0: not known]
    uint64_t whose;
    /// Its points, see `thMarkKind`; copied. [finite]
    const thVec2* points;
    /// Number of them.
    int32_t pointCount;
    /// Radius of a disc. [finite, >= 0]
    float radius;
    /// What a sample costs. [not NaN; the lower the better]
    float value;
    /// A word for the legend, or the text; copied. Marks of one label are explained once.
    /// [default NULL: none]
    const char* label;
} thMark;

/// A mark with every field at its default.
THRONG_API thMark thDefaultMark(void);

/// Adds a mark. One that is not as described is refused: it tells the assertion hook and is left
/// out. Called from a method's `explain` only.
THRONG_API void thExplanation_Add(thExplanation* to, const thMark* mark);

#endif
