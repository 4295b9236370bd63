// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Explanations of plans: the path as a line, its next corner as a point, and a sentence.

#include "plan/plan_marks.h"

#include "geom/fixed.h"

#include <stdio.h>

// Points of a path that are shown; those beyond are further than one looks.
#define MOST_POINTS 1024

static void markPath(const thBatch* batch, int32_t row, const thPathOut* out, thExplanation* to)
{
    const thFrame* frame = batch->frame;
    const int32_t count = TH_MIN(out->count, out->capacity);
    thVec2* points = thArena_Allocate(batch->scratch, MOST_POINTS * sizeof *points);
    if (points == NULL || count < 2 || out->length == 0.0)
        return;
    for (int32_t i = 0; i < count; ++i)
        points[i] = (thVec2){thiMetresBetween(frame->px[row], out->x[i]),
                             thiMetresBetween(frame->py[row], out->y[i])};
    thMark mark = thDefaultMark();
    mark.kind = th_markPath;
    mark.space = th_spacePlace;
    mark.points = points;
    mark.pointCount = count;
    mark.label = "its way";
    thExplanation_Add(to, &mark);
}

static void markCorner(thVec2 corner, thExplanation* to)
{
    if (corner.x == 0.0f && corner.y == 0.0f)
        return;
    thMark mark = thDefaultMark();
    mark.kind = th_markPoint;
    mark.space = th_spacePlace;
    mark.points = &corner;
    mark.pointCount = 1;
    mark.label = "next corner";
    thExplanation_Add(to, &mark);
}

static void say(const thPathOut* out, bool hasGoal, thExplanation* to)
{
    static const char* const answers[] = {"a way to the goal", "a part of the way", "no way yet",
                                          "no way"};
    char text[256];
    if (!hasGoal)
        snprintf(text, sizeof text, "plan: it has no goal");
    else if (out->why != NULL)
        snprintf(text, sizeof text, "plan: %s: %s", answers[out->answer], out->why);
    else if (out->length == 0.0)
        snprintf(text, sizeof text, "plan: it is at its goal");
    else
        snprintf(text, sizeof text, "plan: %s, %d leg%s, %.1f m", answers[out->answer],
                 (int)(out->count - 1), out->count == 2 ? "" : "s", out->length);
    thMark mark = thDefaultMark();
    mark.label = text;
    thExplanation_Add(to, &mark);
}

void thiMarkPlan(const thBatch* batch, int32_t lane, thPlanPathFcn* path, const void* params,
                 const void* shared, thExplanation* to)
{
    const int32_t row = batch->row[lane];
    thPathOut out = {.x = thArena_Allocate(batch->scratch, MOST_POINTS * sizeof(int32_t)),
                     .y = thArena_Allocate(batch->scratch, MOST_POINTS * sizeof(int32_t)),
                     .capacity = MOST_POINTS};
    if (out.x == NULL || out.y == NULL)
        return;
    path(batch->frame, row, params, shared, batch->state != NULL ? batch->state[lane] : NULL, &out);
    markPath(batch, row, &out, to);
    markCorner((thVec2){batch->cornerX[lane], batch->cornerY[lane]}, to);
    say(&out, thFrame_CurrentGoal(batch->frame, row) >= 0, to);
}
