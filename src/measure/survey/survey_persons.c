// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "measure/survey/survey_internal.h"
#include "sim/ranges.h"

#include <math.h>

// Whether it is what it should be; NaN is not.
bool thiIsRecordedPerson(const thRecordedPerson* person)
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

// `earlier` of those told of early were so before this frame.
static thResult addPerson(thSurvey* survey, thWindowFrame* frame, uint32_t id, int32_t earlier,
                          int32_t* index)
{
    TH_TRY(thiKeyMapReserve(&survey->personOf, survey->persons.count + 1, idOfPerson, survey));
    thSurveyPerson* person = thiArrayAdd(&survey->persons, 1);
    if (person == NULL)
        return th_resultNoMemory;
    *person = (thSurveyPerson){.about = {.id = id,
                                         .key = id,
                                         .radius = survey->def.radius,
                                         .goal = -1,
                                         .group = -1,
                                         .entry = -1},
                               .first = INT64_MIN};
    *index = survey->persons.count - 1;
    thiKeyMapAdd(&survey->personOf, id, *index);
    const int32_t early = thiKeyMapFind(&survey->earlyOf, id, idOfEarly, survey);
    person->cameBefore = early >= 0 && early < earlier;
    return early < 0 ? th_resultOk
                     : tellWith(frame, &TH_ITEMS(survey->early, thRecordedPerson)[early]);
}

thResult thiNamePersons(thSurvey* survey, const thRecordedPerson* told, int32_t toldCount)
{
    const thWindow* window = &survey->window;
    thWindowFrame* frame = thiWindowFrameAt(window, window->count - 1);
    const thWindowFrame* before =
        window->count > 1 ? thiWindowFrameAt(window, window->count - 2) : NULL;
    const int32_t earlier = survey->early.count;
    for (int32_t i = 0; i < toldCount; ++i)
        TH_TRY(findPerson(survey, told[i].id) >= 0 ? tellWith(frame, &told[i])
                                                   : keepEarly(survey, &told[i]));
    const uint32_t* id = frame->id.data;
    int32_t* person = frame->person.data;
    int32_t at = 0;
    for (int32_t i = 0; i < frame->count; ++i) {
        // Nearly all were in the frame before; only the others are looked up.
        while (before != NULL && at < before->count && TH_ITEMS(before->id, uint32_t)[at] < id[i])
            ++at;
        if (before != NULL && at < before->count && TH_ITEMS(before->id, uint32_t)[at] == id[i])
            person[i] = TH_ITEMS(before->person, int32_t)[at];
        else if ((person[i] = findPerson(survey, id[i])) < 0)
            TH_TRY(addPerson(survey, frame, id[i], earlier, &person[i]));
    }
    return th_resultOk;
}

void thiMeetPersons(thSurvey* survey, const thWindowFrame* frame)
{
    thSurveyPerson* persons = survey->persons.data;
    for (int32_t i = 0; i < frame->told.count; ++i) {
        const thRecordedPerson* told = &TH_ITEMS(frame->told, thRecordedPerson)[i];
        thSurveyPerson* person = &persons[findPerson(survey, told->id)];
        person->about = *told;
        person->about.radius = told->radius > 0.0f ? told->radius : survey->def.radius;
        person->about.planned = person->cameBefore ? 0.0f : told->planned;
    }
    for (int32_t i = 0; i < frame->count; ++i) {
        thSurveyPerson* person = &persons[TH_ITEMS(frame->person, int32_t)[i]];
        if (person->first != INT64_MIN)
            continue;
        person->first = person->last = frame->number;
        person->firstX = person->lastX = TH_ITEMS(frame->x, double)[i];
        person->firstY = person->lastY = TH_ITEMS(frame->y, double)[i];
    }
}

void thiFollowPersons(thSurvey* survey, const thSurveyFrame* frame)
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
