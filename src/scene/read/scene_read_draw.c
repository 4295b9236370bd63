// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Numbers that are drawn for each agent, and intervals of time.

#include "scene/read/scene_read.h"

#include <string.h>

void thiDefaultDrawRange(const thField* range, double mean, double deviation, double* min,
                         double* max)
{
    *min = TH_MAX(mean - 3.0 * deviation, range->min);
    *max = TH_MIN(mean + 3.0 * deviation, range->max);
}

static bool readUniform(thSceneReader* reader, const thJson* value, const thField* range,
                        thDraw* draw)
{
    double ends[2];
    if (!thiReadNumbers(reader, value, range, "two numbers [from, to]", ends))
        return false;
    *draw = (thDraw){.kind = th_drawUniform, .a = ends[0], .b = ends[1]};
    return ends[0] <= ends[1] || thiSceneError(reader, value, "ends below where it begins");
}

// [mean, deviation]
static bool readBell(thSceneReader* reader, const thJson* value, const thField* range, thDraw* draw)
{
    if (value->kind != th_jsonArray || value->count != 2)
        return thiWrongType(reader, value, "two numbers [mean, deviation]");
    thField deviations = *range;
    deviations.min = 1e-6;
    deviations.max = range->max - range->min;
    const bool good = thiReadNumber(reader, value->first, range, &draw->a);
    return thiReadNumber(reader, value->first->next, &deviations, &draw->b) && good;
}

static bool readNormal(thSceneReader* reader, const thMembers* members, const thField* range,
                       thDraw* draw)
{
    const thJson* bell = members->of[thiFindField(&thiDrawRecord, "normal")];
    const thJson* min = members->of[thiFindField(&thiDrawRecord, "min")];
    const thJson* max = members->of[thiFindField(&thiDrawRecord, "max")];
    *draw = (thDraw){.kind = th_drawNormal};
    bool good = readBell(reader, bell, range, draw);
    if (good)
        thiDefaultDrawRange(range, draw->a, draw->b, &draw->min, &draw->max);
    if (min != NULL)
        good = thiReadNumber(reader, min, range, &draw->min) && good;
    if (max != NULL)
        good = thiReadNumber(reader, max, range, &draw->max) && good;
    if (!good)
        return false;
    char mean[TH_NUMBER_TEXT], least[TH_NUMBER_TEXT], most[TH_NUMBER_TEXT];
    thiNumberText(draw->a, mean);
    thiNumberText(draw->min, least);
    thiNumberText(draw->max, most);
    if (draw->min >= draw->max)
        return thiSceneError(reader, bell->parent, "min %s is not below max %s", least, most);
    // Far from the mean nearly every draw would be made again.
    if (draw->a < draw->min || draw->a > draw->max)
        return thiSceneError(reader, bell, "the mean %s is not between min %s and max %s", mean,
                             least, most);
    return true;
}

bool thiReadDraw(thSceneReader* reader, const thJson* value, const thField* range, thDraw* draw)
{
    if (value->kind == th_jsonNumber) {
        *draw = (thDraw){.kind = th_drawFixed};
        return thiReadNumber(reader, value, range, &draw->a);
    }
    if (value->kind != th_jsonObject)
        return thiWrongType(reader, value, "a number, or an object with uniform or normal");
    thMembers members;
    const bool good = thiReadMembers(reader, &thiDrawRecord, value, &members);
    const thJson* uniform = members.of[thiFindField(&thiDrawRecord, "uniform")];
    if (uniform != NULL)
        return readUniform(reader, uniform, range, draw) && good;
    if (members.of[thiFindField(&thiDrawRecord, "normal")] != NULL)
        return readNormal(reader, &members, range, draw) && good;
    return false;
}

bool thiReadIntervals(thSceneReader* reader, const thJson* value, const thField* range,
                      void* target)
{
    if (value->kind != th_jsonArray)
        return thiWrongType(reader, value, "an array of intervals [from, to]");
    double* ends = thiSceneAllocate(reader, value->count, 2 * sizeof *ends);
    if (ends == NULL)
        return false;
    bool good = true;
    const double* before = NULL; // the last interval, if it was good
    for (const thJson* item = value->first; item != NULL; item = item->next) {
        double* interval = &ends[2 * (size_t)item->index];
        bool fine = thiReadNumbers(reader, item, range, "an interval [from, to]", interval);
        if (fine && interval[0] >= interval[1])
            fine = thiSceneError(reader, item, "expected [from, to] with from before to");
        else if (fine && before != NULL && interval[0] <= before[1])
            fine = thiSceneError(reader, item, "begins before the one before it is over");
        before = fine ? interval : NULL;
        good = good && fine;
    }
    memcpy(target, &ends, sizeof ends);
    memcpy((char*)target + sizeof ends, &value->count, sizeof value->count);
    return good;
}
