// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The survey: takes in frame after frame and shows each to the parts that measure.

#include "base/machine.h"
#include "measure/survey/survey_internal.h"
#include "sim/ranges.h"

#include <math.h>

// Frame numbers are exact as doubles, and so are their differences.
#define MAX_FRAME (INT64_C(1) << 52)

// Everything that measures, in the order in which frames are shown.
static const thSurveyPart* const parts[] = {&thiPeoplePart, &thiContactsPart, &thiLanesPart,
                                            &thiGroupsPart, &thiLinesPart,    &thiAreasPart};
enum { partCount = sizeof parts / sizeof parts[0] };

static bool isUsed(const thSurvey* survey, const thSurveyPart* part)
{
    return survey->def.figures == 1 || !part->isFigure;
}

// --- Life ------------------------------------------------------------------------------------

static thResult setUp(thSurvey* survey, const thSurveyDef* def, thError* error)
{
    TH_TRY(thiCopySurveyDef(survey, def));
    TH_TRY(
        thiWindowInit(&survey->window, &survey->memory, survey->def.rate, survey->def.speedFrames));
    for (int32_t i = 0; i < partCount; ++i)
        if (isUsed(survey, parts[i]))
            TH_TRY(parts[i]->create(survey, error));
    return th_resultOk;
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
    survey->levels = thiArray(&survey->memory, sizeof(int32_t));
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

void thDestroySurvey(thSurvey* survey)
{
    if (survey == NULL)
        return;
    for (int32_t i = 0; i < partCount; ++i)
        parts[i]->destroy(survey);
    if (survey->window.memory != NULL)
        thiWindowFree(&survey->window);
    thiSurveyGridFree(&survey->grid);
    thiValuesFree(&survey->speeds);
    thiArrayFree(&survey->persons);
    thiArrayFree(&survey->levels);
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

// --- Who people are --------------------------------------------------------------------------

// Whether it is what it should be; NaN is not.
static bool isPerson(const thRecordedPerson* person)
{
    return thiIsBetween(person->radius, 0.0f, TH_SURVEY_RADIUS) &&
           thiIsBetween(person->speed, 0.0f, (float)TH_SURVEY_REACH) &&
           thiIsBetween(person->planned, 0.0f, (float)TH_SURVEY_REACH) && thiIsLevel(person->level);
}

static uint64_t idOfPerson(const void* survey, int32_t index)
{
    return TH_ITEMS(((const thSurvey*)survey)->persons, thSurveyPerson)[index].about.id;
}

static uint64_t idOfEarly(const void* survey, int32_t index)
{
    return TH_ITEMS(((const thSurvey*)survey)->early, thRecordedPerson)[index].id;
}

static int32_t findPerson(const thSurvey* survey, uint32_t id)
{
    return thiKeyMapFind(&survey->personOf, id, idOfPerson, survey);
}

static thResult tellWith(thWindowFrame* frame, const thRecordedPerson* about)
{
    thRecordedPerson* told = thiArrayAdd(&frame->told, 1);
    if (told == NULL)
        return th_resultNoMemory;
    *told = *about;
    return th_resultOk;
}

// Of somebody who is in no frame yet.
static thResult keepEarly(thSurvey* survey, const thRecordedPerson* about)
{
    const int32_t known = thiKeyMapFind(&survey->earlyOf, about->id, idOfEarly, survey);
    if (known >= 0) {
        TH_ITEMS(survey->early, thRecordedPerson)[known] = *about;
        return th_resultOk;
    }
    TH_TRY(thiKeyMapReserve(&survey->earlyOf, survey->early.count + 1, idOfEarly, survey));
    thRecordedPerson* early = thiArrayAdd(&survey->early, 1);
    if (early == NULL)
        return th_resultNoMemory;
    *early = *about;
    thiKeyMapAdd(&survey->earlyOf, about->id, survey->early.count - 1);
    return th_resultOk;
}

// Of the one at `place` in a frame; `earlier` of those told of early were so before this frame.
static thResult addPerson(thSurvey* survey, thWindowFrame* frame, int32_t place, int32_t earlier)
{
    const uint32_t id = TH_ITEMS(frame->id, uint32_t)[place];
    TH_TRY(thiKeyMapReserve(&survey->personOf, survey->persons.count + 1, idOfPerson, survey));
    thSurveyPerson* person = thiArrayAdd(&survey->persons, 1);
    int32_t* level = thiArrayAdd(&survey->levels, 1);
    int32_t* fresh = thiArrayAdd(&frame->fresh, 1);
    if (person == NULL || level == NULL || fresh == NULL)
        return th_resultNoMemory;
    *level = 0;
    *fresh = place;
    *person = (thSurveyPerson){.about = {.id = id,
                                         .key = id,
                                         .radius = survey->def.radius,
                                         .goal = -1,
                                         .group = -1,
                                         .entry = -1},
                               .first = INT64_MIN};
    const int32_t index = survey->persons.count - 1;
    TH_ITEMS(frame->person, int32_t)[place] = index;
    thiKeyMapAdd(&survey->personOf, id, index);
    const int32_t early = thiKeyMapFind(&survey->earlyOf, id, idOfEarly, survey);
    person->cameBefore = early >= 0 && early < earlier;
    return early < 0 ? th_resultOk
                     : tellWith(frame, &TH_ITEMS(survey->early, thRecordedPerson)[early]);
}

// Gives everybody in the window's newest frame an index. What was told of them waits in that frame,
// because the parts are not there yet.
static thResult indexPersons(thSurvey* survey, const thRecordedPerson* told, int32_t toldCount)
{
    const thWindow* window = &survey->window;
    thWindowFrame* frame = thiWindowFrameAt(window, window->count - 1);
    const int32_t earlier = survey->early.count;
    for (int32_t i = 0; i < toldCount; ++i)
        TH_TRY(findPerson(survey, told[i].id) >= 0 ? tellWith(frame, &told[i])
                                                   : keepEarly(survey, &told[i]));
    int32_t* person = frame->person.data;
    for (int32_t i = 0; i < frame->count; ++i) {
        if (person[i] >= 0)
            continue;
        person[i] = findPerson(survey, TH_ITEMS(frame->id, uint32_t)[i]);
        if (person[i] < 0)
            TH_TRY(addPerson(survey, frame, i, earlier));
    }
    return th_resultOk;
}

// What was told with this frame becomes true, and new people begin.
static void updatePersons(thSurvey* survey, const thWindowFrame* frame)
{
    thSurveyPerson* persons = survey->persons.data;
    for (int32_t i = 0; i < frame->told.count; ++i) {
        const thRecordedPerson* told = &TH_ITEMS(frame->told, thRecordedPerson)[i];
        const int32_t index = findPerson(survey, told->id);
        thSurveyPerson* person = &persons[index];
        TH_ITEMS(survey->levels, int32_t)[index] = told->level;
        person->about = *told;
        person->about.radius = told->radius > 0.0f ? told->radius : survey->def.radius;
        person->about.planned = person->cameBefore ? 0.0f : told->planned;
    }
    for (int32_t i = 0; i < frame->fresh.count; ++i) {
        const int32_t place = TH_ITEMS(frame->fresh, int32_t)[i];
        thSurveyPerson* person = &persons[TH_ITEMS(frame->person, int32_t)[place]];
        person->first = person->last = frame->number;
        person->firstX = person->lastX = TH_ITEMS(frame->x, double)[place];
        person->firstY = person->lastY = TH_ITEMS(frame->y, double)[place];
    }
}

// Where people were last who are in the frame before and not in this one. There are few.
static void noteGone(thSurvey* survey, const thWindowFrame* frame, const thWindowFrame* before)
{
    const int32_t* places = frame->before.data;
    int32_t at = 0;
    for (int32_t i = 0; i < before->count; ++i) {
        while (at < frame->count && places[at] < i) // who is new has −1
            ++at;
        if (at < frame->count && places[at] == i)
            continue;
        const int32_t index = TH_ITEMS(before->person, int32_t)[i];
        thSurveyPerson* person = &TH_ITEMS(survey->persons, thSurveyPerson)[index];
        const thPlace place = thiWindowPlace(before, i);
        person->last = before->number;
        person->lastX = place.x;
        person->lastY = place.y;
    }
}

// The frame was shown: everybody's last place is there.
static void followPersons(thSurvey* survey, const thSurveyFrame* frame)
{
    for (int32_t i = 0; i < frame->count; ++i) {
        thSurveyPerson* person = &TH_ITEMS(survey->persons, thSurveyPerson)[frame->person[i]];
        const double dx = frame->x[i] - person->lastX, dy = frame->y[i] - person->lastY;
        person->length += sqrt(dx * dx + dy * dy);
        person->last = frame->number;
        person->lastX = frame->x[i];
        person->lastY = frame->y[i];
    }
}

// --- Frames ----------------------------------------------------------------------------------

static bool isFrame(const thRecordedFrame* frame)
{
    if (frame->number < -MAX_FRAME || frame->number > MAX_FRAME || frame->count < 0)
        return false;
    if (frame->count > 0 && (frame->id == NULL || frame->x == NULL || frame->y == NULL))
        return false;
    bool isGood = true;
    for (int32_t i = 1; i < frame->count; ++i)
        isGood &= frame->id[i] > frame->id[i - 1];
    for (int32_t i = 0; i < frame->count; ++i) {
        isGood &= thiIsSurveyed(frame->x[i]);
        isGood &= thiIsSurveyed(frame->y[i]);
    }
    return isGood;
}

static bool arePeople(const thRecordedPerson* people, int32_t count)
{
    if (count < 0 || (count > 0 && people == NULL))
        return false;
    for (int32_t i = 0; i < count; ++i)
        if (!isPerson(&people[i]))
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
    }
    for (int32_t i = 0; i < partCount; ++i)
        if (isUsed(survey, parts[i]))
            TH_TRY(parts[i]->showFrame(survey, frame));
    return th_resultOk;
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
    for (int32_t i = 0; i < partCount && otherWalls; ++i)
        if (isUsed(survey, parts[i]) && parts[i]->changeWalls != NULL)
            TH_TRY(parts[i]->changeWalls(survey));
    return th_resultOk;
}

// Shows all frames of which enough is known.
static thResult showReady(thSurvey* survey, bool ended)
{
    thWindow* window = &survey->window;
    while (thiWindowIsReady(window, ended)) {
        thWindowFrame* next = thiWindowFrameAt(window, window->next);
        const thWindowFrame* before = thiWindowFrameBefore(window);
        const bool figures = survey->def.figures == 1;
        if (figures)
            TH_TRY(thiWindowMeasure(window));
        else if (before != NULL)
            noteGone(survey, next, before);
        TH_TRY(meetShapes(survey, next));
        updatePersons(survey, next);
        const thSurveyFrame frame = {.number = next->number,
                                     .count = next->count,
                                     .person = next->person.data,
                                     .x = next->x.data,
                                     .y = next->y.data,
                                     .before = next->before.data,
                                     .window = window,
                                     .vx = window->vx.data,
                                     .vy = window->vy.data,
                                     .since = next->since.data,
                                     .grid = &survey->grid};
        TH_TRY(showParts(survey, &frame));
        if (figures)
            followPersons(survey, &frame);
        thiWindowAdvance(window);
    }
    return th_resultOk;
}

static thResult add(thSurvey* survey, const thRecording* recording)
{
    TH_TRY(thiWindowPush(&survey->window, &recording->frame));
    TH_TRY(takeShapes(survey, recording));
    TH_TRY(indexPersons(survey, recording->people, recording->personCount));
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

static thResult end(thSurvey* survey)
{
    TH_TRY(showReady(survey, true));
    for (int32_t i = 0; i < partCount; ++i)
        if (isUsed(survey, parts[i]))
            TH_TRY(parts[i]->end(survey));
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

const double* thSurvey_GetValues(const thSurvey* survey, thSurveyValues of, int32_t* count)
{
    TH_REQUIRE(count != NULL, NULL);
    *count = 0;
    TH_REQUIRE(survey != NULL && survey->ended, NULL);
    TH_REQUIRE(of == th_valuesSpeed || of == th_valuesNearest, NULL);
    const thValues* values = of == th_valuesSpeed ? &survey->speeds : thiNearestValues(survey);
    if (values == NULL || values->items.count == 0)
        return NULL;
    *count = values->items.count;
    return values->items.data;
}

thSurveyResult thSurvey_GetResult(const thSurvey* survey)
{
    TH_REQUIRE(survey != NULL && survey->ended, (thSurveyResult){0});
    thSurveyResult result = survey->result;
    result.bytes = sizeof *survey + atomic_load(&survey->memory.bytes);
    return result;
}
