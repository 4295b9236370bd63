// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// People at lines: who crosses them when and how fast, flows and time gaps.

#include "measure/survey/survey_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// More than roundings make of a place. [m]
#define SLACK 1e-3

typedef struct Line {
    thSurveyLine def;
    thArray crossings; // thCrossing: the first of each person
    thArray crossed;   // uint8_t by person: 1 if it has
    uint64_t allCrossings;
    thLineResult result;
} Line;

typedef struct thSurveyLines {
    int32_t count;
    Line lines[];
} thSurveyLines;

static size_t sizeFor(int32_t count)
{
    return sizeof(thSurveyLines) + (size_t)count * sizeof(Line);
}

static thResult createLines(thSurvey* survey, thError* error)
{
    (void)error;
    const int32_t count = survey->def.lineCount;
    thSurveyLines* lines = survey->linesPart = thiAllocateZero(&survey->memory, sizeFor(count));
    if (lines == NULL)
        return th_resultNoMemory;
    lines->count = count;
    for (int32_t i = 0; i < count; ++i) {
        lines->lines[i].def = survey->def.lines[i];
        lines->lines[i].crossings = thiArray(&survey->memory, sizeof(thCrossing));
        lines->lines[i].crossed = thiArray(&survey->memory, sizeof(uint8_t));
    }
    return th_resultOk;
}

static void destroyLines(thSurvey* survey)
{
    thSurveyLines* lines = survey->linesPart;
    if (lines == NULL)
        return;
    for (int32_t i = 0; i < lines->count; ++i) {
        thiArrayFree(&lines->lines[i].crossings);
        thiArrayFree(&lines->lines[i].crossed);
    }
    thiRelease(&survey->memory, lines, sizeFor(lines->count));
}

// Left of a → b is positive.
static double sideOf(const thSurveyLine* line, thPlace place)
{
    return (line->b.x - line->a.x) * (place.y - line->a.y) -
           (line->b.y - line->a.y) * (place.x - line->a.x);
}

// How far along a → b a place is, times the length. [m²]
static double alongLine(const thSurveyLine* line, thPlace place)
{
    return (place.x - line->a.x) * (line->b.x - line->a.x) +
           (place.y - line->a.y) * (line->b.y - line->a.y);
}

// The line itself belongs to its right side: whoever stands on it has come over from the left, or
// goes over to the left with the next step away from it, so nobody is counted twice or not at all.
// 0: not crossed, otherwise the direction; `*share` is how much of the move lies before the line.
static int32_t crossLine(const thSurveyLine* line, thPlace from, thPlace to, double* share)
{
    const double before = sideOf(line, from), after = sideOf(line, to);
    if ((before > 0.0) == (after > 0.0))
        return 0;
    // The place of the crossing, without a division that would round ends away.
    const int32_t direction = before > 0.0 ? 1 : -1;
    const double whole = direction * (before - after);
    const double along = direction * (alongLine(line, to) * before - alongLine(line, from) * after);
    if (along < 0.0 || along > alongLine(line, line->b) * whole)
        return 0;
    *share = before / (before - after);
    return direction;
}

// Room in `crossed` for everybody known.
static thResult growCrossed(Line* line, int32_t people)
{
    const int32_t added = people - line->crossed.count;
    if (added <= 0)
        return th_resultOk;
    uint8_t* crossed = thiArrayAdd(&line->crossed, added);
    if (crossed == NULL)
        return th_resultNoMemory;
    memset(crossed, 0, (size_t)added);
    return th_resultOk;
}

static thResult noteCrossing(Line* line, int32_t person, const thCrossing* crossing)
{
    line->allCrossings += 1;
    uint8_t* crossed = &TH_ITEMS(line->crossed, uint8_t)[person];
    if (*crossed == 1)
        return th_resultOk;
    thCrossing* added = thiArrayAdd(&line->crossings, 1);
    if (added == NULL)
        return th_resultNoMemory;
    *added = *crossing;
    *crossed = 1;
    return th_resultOk;
}

// Somebody who may have crossed since it was seen last, in frame `last`.
static thResult watchPerson(thSurvey* survey, Line* line, const thSurveyFrame* frame, int32_t i,
                            int64_t last, thPlace from)
{
    const thPlace to = {frame->x[i], frame->y[i]};
    double share;
    const int32_t direction = crossLine(&line->def, from, to, &share);
    if (direction == 0 || thiLevelOf(survey, frame->person[i]) != line->def.level)
        return th_resultOk;
    const thSurveyPerson* person = &TH_ITEMS(survey->persons, thSurveyPerson)[frame->person[i]];
    const double frames = (double)(frame->number - last);
    const thCrossing crossing = {.time = ((double)last + share * frames) / survey->def.rate,
                                 .frame = frame->number,
                                 .id = person->about.id,
                                 .direction = direction,
                                 .speed = thiWindowSpeed(frame->window, i)};
    return noteCrossing(line, frame->person[i], &crossing);
}

// Somebody who was not in the frame before: it is new, or was away.
static thResult watchReturn(thSurvey* survey, Line* line, const thSurveyFrame* frame, int32_t i)
{
    const thSurveyPerson* person = &TH_ITEMS(survey->persons, thSurveyPerson)[frame->person[i]];
    if (person->last >= frame->number)
        return th_resultOk;
    return watchPerson(survey, line, frame, i, person->last,
                       (thPlace){person->lastX, person->lastY});
}

static thResult watchLine(thSurvey* survey, Line* line, const thSurveyFrame* frame)
{
    TH_TRY(growCrossed(line, survey->persons.count));
    const thWindowFrame* old = thiWindowFrameBefore(frame->window);
    const double* oldX = old != NULL ? old->x.data : NULL;
    const double* oldY = old != NULL ? old->y.data : NULL;
    const thSurveyLine* def = &line->def;
    const double left = TH_MIN(def->a.x, def->b.x) - SLACK,
                 right = TH_MAX(def->a.x, def->b.x) + SLACK;
    const double low = TH_MIN(def->a.y, def->b.y) - SLACK,
                 high = TH_MAX(def->a.y, def->b.y) + SLACK;
    for (int32_t i = 0; i < frame->count; ++i) {
        const int32_t before = frame->before[i];
        if (before < 0) {
            TH_TRY(watchReturn(survey, line, frame, i));
            continue;
        }
        const double x = frame->x[i], y = frame->y[i];
        // Most are on one side of the whole line, and were.
        if ((x < left && oldX[before] < left) || (x > right && oldX[before] > right) ||
            (y < low && oldY[before] < low) || (y > high && oldY[before] > high))
            continue;
        TH_TRY(watchPerson(survey, line, frame, i, old->number,
                           (thPlace){oldX[before], oldY[before]}));
    }
    return th_resultOk;
}

static thResult showFrame(thSurvey* survey, const thSurveyFrame* frame)
{
    for (int32_t i = 0; i < survey->linesPart->count; ++i)
        TH_TRY(watchLine(survey, &survey->linesPart->lines[i], frame));
    return th_resultOk;
}

static int compareCrossings(const void* left, const void* right)
{
    const thCrossing *a = left, *b = right;
    const int byTime = (a->time > b->time) - (a->time < b->time);
    return byTime != 0 ? byTime : (a->id > b->id) - (a->id < b->id);
}

static double flowOf(const thCrossing* crossings, int32_t count)
{
    if (count < 2 || !(crossings[count - 1].time > crossings[0].time))
        return 0.0;
    return (double)(count - 1) / (crossings[count - 1].time - crossings[0].time);
}

static thResult measureGaps(Line* line, thMemory* memory)
{
    const thCrossing* crossings = line->crossings.data;
    thValues gaps = thiValues(memory);
    thResult code = th_resultOk;
    for (int32_t i = 1; i < line->crossings.count && code == th_resultOk; ++i)
        code = thiAddValue(&gaps, crossings[i].time - crossings[i - 1].time);
    if (code == th_resultOk)
        line->result.timeGap = thiSpreadOf(&gaps);
    thiValuesFree(&gaps);
    return code;
}

static thResult endLine(Line* line, thMemory* memory)
{
    thCrossing* crossings = line->crossings.data;
    const int32_t count = line->crossings.count;
    if (count > 0)
        qsort(crossings, (size_t)count, sizeof *crossings, compareCrossings);
    const int32_t tenth = (count + 5) / 10;
    const double dx = line->def.b.x - line->def.a.x, dy = line->def.b.y - line->def.a.y;
    const double length = sqrt(dx * dx + dy * dy);
    line->result =
        (thLineResult){.crossings = crossings,
                       .crossingCount = count,
                       .allCrossings = line->allCrossings,
                       .flow = flowOf(crossings, count),
                       .steadyFlow = flowOf(TH_BEHIND(crossings, tenth), count - 2 * tenth)};
    line->result.specificFlow = length > 0.0 ? line->result.flow / length : 0.0;
    return measureGaps(line, memory);
}

static thResult endLines(thSurvey* survey)
{
    for (int32_t i = 0; i < survey->linesPart->count; ++i)
        TH_TRY(endLine(&survey->linesPart->lines[i], &survey->memory));
    return th_resultOk;
}

const thSurveyPart thiLinesPart = {
    .create = createLines, .destroy = destroyLines, .showFrame = showFrame, .end = endLines};

thLineResult thSurvey_GetLine(const thSurvey* survey, int32_t index)
{
    TH_REQUIRE(survey != NULL && survey->ended, (thLineResult){0});
    TH_REQUIRE(index >= 0 && index < survey->linesPart->count, (thLineResult){0});
    return survey->linesPart->lines[index].result;
}
