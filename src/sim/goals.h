// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Goals: points, discs and polygons that agents head for, and lists and alternatives of them.

#ifndef THRONG_SRC_SIM_GOALS_H
#define THRONG_SRC_SIM_GOALS_H

#include "base/id_pool.h"
#include "base/memory.h"
#include "geom/segment.h"
#include "throng/world.h"

#define TH_NO_GOAL 7u

// Small, because planners look up one for each agent, and these are all over memory.
typedef struct thGoal {
    uint32_t kind : 3;   // thGoalKind; TH_NO_GOAL: there is none in its slot
    uint32_t users : 29; // agents and goals that refer to it
    float radius;
    union {
        thPoint point; // of a point or disc [units]
        struct {       // of others: their points (units) or goals (slots) in the arrays of thGoals
            int32_t first, count;
        };
    };
} thGoal;
_Static_assert(sizeof(thGoal) == 16, "four in a line of the cache");

// Goals as planners see them: by slot.
struct thGoals {
    thIdPool ids;
    thArray goals;     // thGoal by slot
    thArray points;    // thPoint of segments and polygons; a destroyed goal's part is closed up
    thArray children;  // int32_t slots; likewise
    uint64_t revision; // counted up by changes, never set back
    uint64_t moves;    // changes of goals that were there already
};

// The goal of that slot.
static inline thGoal* thiGoalAt(const thGoals* goals, int32_t slot)
{
    return &TH_ITEMS(goals->goals, thGoal)[slot];
}

static inline bool thiIsSinglePoint(thGoalKind kind)
{
    return kind == th_goalPoint || kind == th_goalDisc;
}

// The points of a shape, and how many these are.
static inline const thPoint* thiGoalPoints(const thGoals* goals, const thGoal* goal)
{
    return thiIsSinglePoint((thGoalKind)goal->kind)
               ? &goal->point
               : &TH_ITEMS(goals->points, thPoint)[goal->first];
}

static inline int32_t thiGoalPointCount(const thGoal* goal)
{
    return thiIsSinglePoint((thGoalKind)goal->kind) ? 1 : goal->count;
}

// The shape that is headed for from a place: of a list the current one, of alternatives the
// nearest. −1 for no goal.
int32_t thiShapeOfGoal(const thGoals* goals, int32_t slot, int32_t index, int32_t x, int32_t y);
// Whether that depends on where the agent stands.
bool thiDependsOnPlace(const thGoals* goals, int32_t slot, int32_t index);
// The point of a goal nearest to (x, y), relative to it in metres, and whether there is one.
// `index` picks from a list. Zero when the point is inside.
bool thiNearestGoalPoint(const thGoals* goals, int32_t goal, int32_t index, int32_t x, int32_t y,
                         thVec2* relative);
// The point that a goal is, or the current one of a list; x is TH_NO_AIM if it is none.
#define TH_NO_AIM INT32_MIN
thPoint thiAimOfGoal(const thGoals* goals, int32_t goal, int32_t index);
// How many goals a list has; 1 for others.
int32_t thiGoalLength(const thGoals* goals, int32_t goal);
// Whether a goal of that kind holds goals, not points.
bool thiIsGoalGroup(thGoalKind kind);
// Whether goals of one kind may hold goals of another.
bool thiGoalMayHold(thGoalKind outer, thGoalKind inner);
// Whether that many points make a shape of that kind.
bool thiIsGoalShape(thGoalKind kind, int32_t pointCount, float radius);

// Moves a shape, its first point to a place in the world. False: it is none, or would leave the
// world.
bool thiMoveGoal(thGoals* goals, int32_t slot, thVec2 position);

#endif
