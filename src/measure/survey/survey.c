// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "base/fp_environment.h"
#include "measure/survey/survey_internal.h"

#include <math.h>

// Frame numbers are exact as doubles, and so are their differences.
#define MAX_FRAME (INT64_C(1) << 52)

static thResult setUp(thSurvey* survey, const thSurveyDef* def, thError* error)
{
    TH_TRY(thiCopySurveyDef(survey, def));
    TH_TRY(
        thiWindowInit(&survey->window, &survey->memory, survey->def.rate, survey->def.speedFrames));
    if (def->figures == 1) {
        TH_TRY(thiCreateSurveyPeople(survey, &survey->peoplePart));
        TH_TRY(thiCreateSurveyContacts(survey, &survey->contactsPart));
        TH_TRY(thiCreateSurveyLanes(survey, &survey->lanesPart));
    }
    TH_TRY(thiCreateSurveyLines(survey, &survey->linesPart));
    return thiCreateSurveyAreas(survey, &survey->areasPart, error);
}

thResult thCreateSurvey(const thSurveyDef* given, thSurvey** result, thError* error)
{
    TH_REQUIRE(result != NULL, th_resultBadArgument);
    *result = NULL;
    thSurveyDef def = thDefaultSurveyDef();
    TH_REQUIRE(thiReadDef(&def, given, sizeof def, sizeof def), th_resultBadArgument);
    TH_REQUIRE((def.allocator.allocate == NULL) == (def.allocator.release == NULL),
               th_resultBadArgument);
    TH_TRY(thiCheckSurveyDef(&def, error));
    // The struct itself is not in the account, which is part of it.
    thMemory outside;
    thiMemoryInit(&outside, &def.allocator, 0);
    thSurvey* survey = thiAllocateZero(&outside, sizeof *survey);
    if (survey == NULL)
        return thiFail(error, th_resultNoMemory, "not enough memory");
    thiMemoryInit(&survey->memory, &def.allocator, 0);
    thiArenaInit(&survey->copies, &survey->memory);
    survey->persons = thiArray(&survey->memory, sizeof(thSurveyPerson));
    survey->personOf = thiKeyMap(&survey->memory);
    survey->early = thiArray(&survey->memory, sizeof(thRecordedPerson));
    survey->earlyOf = thiKeyMap(&survey->memory);
    for (int32_t kind = 0; kind < th_keptKindCount; ++kind)
        survey->kept[kind] = thiShapeSet(&survey->memory);
    survey->grid = thiSurveyGrid(&survey->memory);
    survey->speeds = thiValues(&survey->memory);
    const thFpEnvironment hostEnvironment = thiFpEnter();
    const thResult code = setUp(survey, &def, error);
    thiFpRestore(hostEnvironment);
    if (code != th_resultOk) {
        thDestroySurvey(survey);
        return code == th_resultNoMemory ? thiFail(error, code, "not enough memory") : code;
    }
    *result = survey;
    return th_resultOk;
}

static void destroyParts(thSurvey* survey)
{
    if (survey->peoplePart != NULL)
        thiDestroySurveyPeople(survey, survey->peoplePart);
    if (survey->contactsPart != NULL)
        thiDestroySurveyContacts(survey, survey->contactsPart);
    if (survey->lanesPart != NULL)
        thiDestroySurveyLanes(survey, survey->lanesPart);
    if (survey->linesPart != NULL)
        thiDestroySurveyLines(survey, survey->linesPart);
    if (survey->areasPart != NULL)
        thiDestroySurveyAreas(survey, survey->areasPart);
}

void thDestroySurvey(thSurvey* survey)
{
    if (survey == NULL)
        return;
    destroyParts(survey);
    if (survey->window.memory != NULL)
        thiWindowFree(&survey->window);
    thiSurveyGridFree(&survey->grid);
    thiValuesFree(&survey->speeds);
    thiArrayFree(&survey->persons);
    thiKeyMapFree(&survey->personOf);
    thiArrayFree(&survey->early);
    thiKeyMapFree(&survey->earlyOf);
    for (int32_t kind = 0; kind < th_keptKindCount; ++kind)
        thiShapeSetFree(&survey->kept[kind]);
    thiArenaFree(&survey->copies);
    TH_ASSERT(atomic_load(&survey->memory.bytes) == 0);
    const thAllocator allocator = survey->memory.allocator;
    allocator.release(allocator.context, survey, sizeof *survey, TH_ALIGNMENT);
}

static bool isFrame(const thRecordedFrame* frame)
{
    if (frame->number < -MAX_FRAME || frame->number > MAX_FRAME || frame->count < 0)
        return false;
    if (frame->count > 0 && (frame->id == NULL || frame->x == NULL || frame->y == NULL))
        return false;
    for (int32_t i = 0; i < frame->count; ++i) {
        if (i > 0 && frame->id[i] <= frame->id[i - 1])
            return false;
        if (!thiIsSurveyed(frame->x[i]) || !thiIsSurveyed(frame->y[i]))
            return false;
    }
    return true;
}

static bool arePeople(const thRecordedPerson* people, int32_t count)
{
    if (count < 0 || (count > 0 && people == NULL))
        return false;
    for (int32_t i = 0; i < count; ++i)
        if (!thiIsRecordedPerson(&people[i]))
            return false;
    return true;
}

static bool isLater(const thSurvey* survey, int64_t number)
{
    const thWindow* window = &survey->window;
    return window->count == 0 || number > thiWindowFrameAt(window, window->count - 1)->number;
}

// What is known of the frame as a whole.
static thResult noteFrame(thSurvey* survey, const thSurveyFrame* frame)
{
    if (frame->count == 0)
        return th_resultOk;
    thSurveyResult* result = &survey->result;
    if (result->frames == 0)
        survey->firstFrame = frame->number;
    survey->lastFrame = frame->number;
    survey->present += (uint64_t)frame->count;
    result->frames += 1;
    result->mostAtOnce = TH_MAX(result->mostAtOnce, (uint64_t)frame->count);
    for (int32_t i = 0; i < frame->count; ++i)
        TH_TRY(thiAddValue(&survey->speeds,
                           sqrt(frame->vx[i] * frame->vx[i] + frame->vy[i] * frame->vy[i])));
    return th_resultOk;
}

static thResult showParts(thSurvey* survey, const thSurveyFrame* frame)
{
    if (survey->def.figures == 1) {
        TH_TRY(noteFrame(survey, frame));
        TH_TRY(thiSurveyGridBuild(&survey->grid, survey->persons.data, frame));
        TH_TRY(thiSurveyPeopleFrame(survey, frame));
        TH_TRY(thiSurveyContactsFrame(survey, frame));
        TH_TRY(thiSurveyLanesFrame(survey, frame));
    }
    TH_TRY(thiSurveyLinesFrame(survey, frame));
    return thiSurveyAreasFrame(survey, frame);
}

// What was told last of one kind of shapes: with a frame that waits, or long ago.
static const thShapeSet* latestShapes(const thSurvey* survey, int32_t kind)
{
    const thWindow* window = &survey->window;
    for (int32_t i = window->count - 1; i >= window->next; --i)
        if (thiWindowFrameAt(window, i)->kept[kind].isNews)
            return &thiWindowFrameAt(window, i)->kept[kind];
    return &survey->kept[kind];
}

// Shapes that came with the newest frame wait in it where they are others than before. Recordings
// with shapes that move tell of all shapes in every frame.
static thResult takeShapes(thSurvey* survey, const thRecording* recording)
{
    const thWindow* window = &survey->window;
    thWindowFrame* newest = thiWindowFrameAt(window, window->count - 1);
    for (int32_t kind = 0; kind < th_keptKindCount && recording->shapes != NULL; ++kind) {
        if (thiAreShapesKept(latestShapes(survey, kind), (thKeptKind)kind, recording->shapes,
                             recording->shapeCount))
            continue;
        TH_TRY(thiKeepShapes(&newest->kept[kind], (thKeptKind)kind, recording->shapes,
                             recording->shapeCount));
        newest->kept[kind].isNews = true;
    }
    return th_resultOk;
}

// The shapes that came with a frame become true.
static thResult meetShapes(thSurvey* survey, thWindowFrame* frame)
{
    const bool otherWalls = frame->kept[th_keptWalls].isNews;
    for (int32_t kind = 0; kind < th_keptKindCount; ++kind) {
        if (!frame->kept[kind].isNews)
            continue;
        const thShapeSet old = survey->kept[kind];
        survey->kept[kind] = frame->kept[kind];
        frame->kept[kind] = old;
        frame->kept[kind].isNews = false;
    }
    if (!otherWalls)
        return th_resultOk;
    if (survey->def.figures == 1)
        TH_TRY(thiSurveyContactsWalls(survey));
    return thiSurveyAreasWalls(survey);
}

// Shows all frames of which enough is known.
static thResult showReady(thSurvey* survey, bool ended)
{
    thWindow* window = &survey->window;
    while (thiWindowIsReady(window, ended)) {
        thWindowFrame* next = thiWindowFrameAt(window, window->next);
        TH_TRY(thiWindowMeasure(window));
        TH_TRY(meetShapes(survey, next));
        thiMeetPersons(survey, next);
        const thSurveyFrame frame = {.number = next->number,
                                     .count = next->count,
                                     .person = next->person.data,
                                     .x = next->x.data,
                                     .y = next->y.data,
                                     .vx = window->vx.data,
                                     .vy = window->vy.data,
                                     .since = next->since.data,
                                     .grid = &survey->grid};
        TH_TRY(showParts(survey, &frame));
        thiFollowPersons(survey, &frame);
        thiWindowAdvance(window);
    }
    return th_resultOk;
}

static thResult add(thSurvey* survey, const thRecording* recording)
{
    TH_TRY(thiWindowPush(&survey->window, &recording->frame));
    TH_TRY(takeShapes(survey, recording));
    TH_TRY(thiNamePersons(survey, recording->people, recording->personCount));
    return showReady(survey, false);
}

thResult thSurvey_Add(thSurvey* survey, const thRecording* recording)
{
    TH_REQUIRE(survey != NULL && recording != NULL && !survey->ended, th_resultBadArgument);
    TH_REQUIRE(isFrame(&recording->frame) && isLater(survey, recording->frame.number),
               th_resultBadArgument);
    TH_REQUIRE(arePeople(recording->people, recording->personCount), th_resultBadArgument);
    TH_REQUIRE(recording->shapes == NULL ||
                   thiCheckShapes(recording->shapes, recording->shapeCount, NULL) == th_resultOk,
               th_resultBadArgument);
    if (survey->failed)
        return th_resultNoMemory;
    const thFpEnvironment hostEnvironment = thiFpEnter();
    const thResult code = add(survey, recording);
    thiFpRestore(hostEnvironment);
    survey->failed = code != th_resultOk;
    return code;
}

static thResult endParts(thSurvey* survey)
{
    if (survey->def.figures == 1) {
        TH_TRY(thiSurveyPeopleEnd(survey));
        TH_TRY(thiSurveyContactsEnd(survey));
        TH_TRY(thiSurveyLanesEnd(survey));
    }
    TH_TRY(thiSurveyLinesEnd(survey));
    return thiSurveyAreasEnd(survey);
}

static thResult end(thSurvey* survey)
{
    TH_TRY(showReady(survey, true));
    TH_TRY(endParts(survey));
    if (survey->def.figures == 0)
        return th_resultOk;
    thSurveyResult* result = &survey->result;
    result->people = (uint64_t)survey->persons.count;
    result->duration = (double)(survey->lastFrame - survey->firstFrame) / survey->def.rate;
    if (result->frames > 0)
        result->meanAtOnce = (double)survey->present / (double)result->frames;
    result->speed = thiSpreadOf(&survey->speeds);
    return th_resultOk;
}

thResult thSurvey_End(thSurvey* survey)
{
    TH_REQUIRE(survey != NULL && !survey->ended, th_resultBadArgument);
    if (survey->failed)
        return th_resultNoMemory;
    const thFpEnvironment hostEnvironment = thiFpEnter();
    const thResult code = end(survey);
    thiFpRestore(hostEnvironment);
    survey->failed = code != th_resultOk;
    survey->ended = code == th_resultOk;
    return code;
}

thSurveyResult thSurvey_GetResult(const thSurvey* survey)
{
    TH_REQUIRE(survey != NULL && survey->ended, (thSurveyResult){0});
    thSurveyResult result = survey->result;
    result.bytes = sizeof *survey + atomic_load(&survey->memory.bytes);
    return result;
}

int32_t thSurvey_GetPersonCount(const thSurvey* survey)
{
    TH_REQUIRE(survey != NULL && survey->ended, 0);
    return survey->def.figures == 1 ? survey->persons.count : 0;
}

thPersonResult thSurvey_GetPerson(const thSurvey* survey, int32_t index)
{
    TH_REQUIRE(survey != NULL && survey->ended, (thPersonResult){0});
    TH_REQUIRE(index >= 0 && index < thSurvey_GetPersonCount(survey), (thPersonResult){0});
    return thiPersonResult(survey, index);
}
