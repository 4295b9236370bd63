// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Groups: how close they keep together, whether neighbours walk abreast or in a file, and how long
// it takes until all have left.
//
// The nearest fellow is found along the longer side of the box about a group, because a whole crowd
// may be one.

#include "measure/survey/survey_internal.h"

#include <math.h>
#include <string.h>

#define NOBODY (-1)
// Neighbours are within so far of each other. [m]
#define NEIGHBOUR 3.0
// Cosines of the angles to the way, up to which and from which on they are in a file and abreast.
#define COS_FILE 0.86602540378443865 // 30°
#define COS_ABREAST 0.5              // 60°

// A member of a group that is in the frame.
typedef struct Fellow {
    double x, y;     // [m]
    double vx, vy;   // [m/s]
    double place;    // along the longer side, from its low end [m]
    int32_t level;   // floor
    int32_t nearest; // fellow; NOBODY: there is none on its floor
} Fellow;

typedef struct thSurveyGroups {
    thArray members; // thKeyed: those of the frame who have a group, twice as many as there are
    thArray fellows; // Fellow: of one group, in the order of places
    int64_t lastFrame;
    double distance; // from the centre, sum over members and frames
    uint64_t distanceCount;
    thValues nearest;              // distances of fellows, of members and frames
    uint64_t pairs, abreast, file; // of neighbours
    thValues departures;
} thSurveyGroups;

static thResult createGroups(thSurvey* survey, thError* error)
{
    (void)error;
    thSurveyGroups* groups = survey->groupsPart = thiAllocateZero(&survey->memory, sizeof *groups);
    if (groups == NULL)
        return th_resultNoMemory;
    groups->members = thiArray(&survey->memory, sizeof(thKeyed));
    groups->fellows = thiArray(&survey->memory, sizeof(Fellow));
    groups->nearest = thiValues(&survey->memory);
    groups->departures = thiValues(&survey->memory);
    return th_resultOk;
}

static void destroyGroups(thSurvey* survey)
{
    thSurveyGroups* groups = survey->groupsPart;
    if (groups == NULL)
        return;
    thiArrayFree(&groups->members);
    thiArrayFree(&groups->fellows);
    thiValuesFree(&groups->nearest);
    thiValuesFree(&groups->departures);
    thiRelease(&survey->memory, groups, sizeof *groups);
}

// --- Members ---------------------------------------------------------------------------------

static thResult addMember(thArray* members, int32_t group, int64_t index)
{
    thKeyed* member = thiArrayAdd(members, 1);
    if (member == NULL)
        return th_resultNoMemory;
    *member = (thKeyed){(uint64_t)group, index};
    return th_resultOk;
}

// Puts them in the order of groups; there is room for as many behind them.
static thResult sortMembers(thArray* members)
{
    const int32_t count = members->count;
    if (count == 0)
        return th_resultOk;
    if (thiArrayAdd(members, count) == NULL)
        return th_resultNoMemory;
    members->count = count;
    thKeyed* keyed = members->data;
    thiSortKeyed(keyed, TH_BEHIND(keyed, count), count, 31);
    return th_resultOk;
}

// Where the group ends that begins at a member.
static int32_t endOfGroup(const thArray* members, int32_t begin)
{
    const thKeyed* keyed = members->data;
    int32_t end = begin + 1;
    while (end < members->count && keyed[end].key == keyed[begin].key)
        ++end;
    return end;
}

// --- Distances -------------------------------------------------------------------------------

static void addDispersion(thSurveyGroups* groups, const thSurveyFrame* frame,
                          const thKeyed* members, int32_t count)
{
    const int64_t first = members[0].index;
    double x = 0.0, y = 0.0; // of the centre, as seen from the first one
    for (int32_t k = 0; k < count; ++k) {
        x += frame->x[members[k].index] - frame->x[first];
        y += frame->y[members[k].index] - frame->y[first];
    }
    x = frame->x[first] + x / count;
    y = frame->y[first] + y / count;
    for (int32_t k = 0; k < count; ++k) {
        const double dx = frame->x[members[k].index] - x, dy = frame->y[members[k].index] - y;
        groups->distance += sqrt(dx * dx + dy * dy);
    }
    groups->distanceCount += (uint64_t)count;
}

// Sorts the members of a group by where they are along the longer side of the box about them.
static void sortByPlace(const thSurveyFrame* frame, thKeyed* members, thKeyed* scratch,
                        int32_t count, const double** side, double* from)
{
    double lowX = INFINITY, highX = -INFINITY, lowY = INFINITY, highY = -INFINITY;
    for (int32_t k = 0; k < count; ++k) {
        const double x = frame->x[members[k].index], y = frame->y[members[k].index];
        lowX = TH_MIN(lowX, x);
        highX = TH_MAX(highX, x);
        lowY = TH_MIN(lowY, y);
        highY = TH_MAX(highY, y);
    }
    const bool isWide = highX - lowX >= highY - lowY;
    *side = isWide ? frame->x : frame->y;
    *from = isWide ? lowX : lowY;
    for (int32_t k = 0; k < count; ++k) {
        // What is not negative has bits in the same order.
        const double place = (*side)[members[k].index] - *from;
        memcpy(&members[k].key, &place, sizeof place);
    }
    thiSortKeyed(members, scratch, count, 63);
}

static thResult findFellows(thSurvey* survey, const thSurveyFrame* frame, thKeyed* members,
                            thKeyed* scratch, int32_t count)
{
    thArray* array = &survey->groupsPart->fellows;
    array->count = 0;
    Fellow* fellows = thiArrayAdd(array, count);
    if (fellows == NULL)
        return th_resultNoMemory;
    const double* side;
    double from;
    sortByPlace(frame, members, scratch, count, &side, &from);
    for (int32_t k = 0; k < count; ++k) {
        const int64_t i = members[k].index;
        fellows[k] = (Fellow){frame->x[i],  frame->y[i],    frame->vx[i],
                              frame->vy[i], side[i] - from, thiLevelOf(survey, frame->person[i]),
                              NOBODY};
    }
    return th_resultOk;
}

static double distanceSq(const Fellow* a, const Fellow* b)
{
    const double dx = b->x - a->x, dy = b->y - a->y;
    return dx * dx + dy * dy;
}

// Looks one way, for who is nearer than what is known.
static void lookAlong(const Fellow* fellows, int32_t count, int32_t own, int32_t step,
                      int32_t* nearest, double* least)
{
    for (int32_t i = own + step; i >= 0 && i < count; i += step) {
        const double along = fellows[i].place - fellows[own].place;
        if (along * along >= *least)
            return;
        const double square = distanceSq(&fellows[own], &fellows[i]);
        if (fellows[i].level != fellows[own].level || square >= *least)
            continue;
        *least = square;
        *nearest = i;
    }
}

static thResult findNearest(thSurveyGroups* groups)
{
    Fellow* fellows = groups->fellows.data;
    const int32_t count = groups->fellows.count;
    for (int32_t i = 0; i < count; ++i) {
        double least = INFINITY;
        lookAlong(fellows, count, i, -1, &fellows[i].nearest, &least);
        lookAlong(fellows, count, i, 1, &fellows[i].nearest, &least);
        if (fellows[i].nearest != NOBODY)
            TH_TRY(thiAddValue(&groups->nearest, sqrt(least)));
    }
    return th_resultOk;
}

// --- Formations ------------------------------------------------------------------------------

// Two who walk the same way, near each other but not in one place.
static void addPair(thSurveyGroups* groups, const Fellow* a, const Fellow* b)
{
    const double distance = sqrt(distanceSq(a, b));
    const double speedA = sqrt(a->vx * a->vx + a->vy * a->vy);
    const double speedB = sqrt(b->vx * b->vx + b->vy * b->vy);
    if (!(distance > 0.0) || distance > NEIGHBOUR || speedA < TH_SURVEY_WALKING ||
        speedB < TH_SURVEY_WALKING || a->vx * b->vx + a->vy * b->vy <= 0.0)
        return;
    const double x = a->vx / speedA + b->vx / speedB, y = a->vy / speedA + b->vy / speedB;
    const double along = (b->x - a->x) * x + (b->y - a->y) * y;
    const double cosine = fabs(along) / (distance * sqrt(x * x + y * y));
    groups->pairs += 1;
    groups->abreast += cosine < COS_ABREAST;
    groups->file += cosine > COS_FILE;
}

// Each pair counts once, also if each is the nearest of the other.
static void addPairs(thSurveyGroups* groups)
{
    const Fellow* fellows = groups->fellows.data;
    for (int32_t i = 0; i < groups->fellows.count; ++i) {
        const int32_t nearest = fellows[i].nearest;
        if (nearest > i || (nearest != NOBODY && fellows[nearest].nearest != i))
            addPair(groups, &fellows[i], &fellows[nearest]);
    }
}

// --- Frames ----------------------------------------------------------------------------------

static thResult showFrame(thSurvey* survey, const thSurveyFrame* frame)
{
    thSurveyGroups* groups = survey->groupsPart;
    thArray* members = &groups->members;
    groups->lastFrame = frame->number;
    members->count = 0;
    for (int32_t i = 0; i < frame->count; ++i) {
        const int32_t group =
            TH_ITEMS(survey->persons, thSurveyPerson)[frame->person[i]].about.group;
        if (group >= 0)
            TH_TRY(addMember(members, group, i));
    }
    TH_TRY(sortMembers(members));
    int32_t end = 0;
    for (int32_t begin = 0; begin < members->count; begin = end) {
        end = endOfGroup(members, begin);
        if (end - begin < 2)
            continue;
        thKeyed* keyed = members->data;
        addDispersion(groups, frame, &keyed[begin], end - begin);
        TH_TRY(findFellows(survey, frame, &keyed[begin], TH_BEHIND(keyed, members->count),
                           end - begin));
        TH_TRY(findNearest(groups));
        addPairs(groups);
    }
    return th_resultOk;
}

// --- Leaving ---------------------------------------------------------------------------------

// Who is there in the last frame has not left, and nobody knows when the group will have done so.
static thResult addDeparture(thSurvey* survey, const thKeyed* members, int32_t count)
{
    thSurveyGroups* groups = survey->groupsPart;
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (int32_t k = 0; k < count; ++k) {
        const int64_t left = TH_ITEMS(survey->persons, thSurveyPerson)[members[k].index].last;
        first = TH_MIN(first, left);
        last = TH_MAX(last, left);
    }
    if (count < 2 || last == groups->lastFrame)
        return th_resultOk;
    return thiAddValue(&groups->departures, (double)(last - first) / survey->def.rate);
}

static thResult findDepartures(thSurvey* survey)
{
    thArray* members = &survey->groupsPart->members;
    members->count = 0;
    for (int32_t i = 0; i < survey->persons.count; ++i) {
        const int32_t group = TH_ITEMS(survey->persons, thSurveyPerson)[i].about.group;
        if (group >= 0)
            TH_TRY(addMember(members, group, i));
    }
    TH_TRY(sortMembers(members));
    int32_t end = 0;
    for (int32_t begin = 0; begin < members->count; begin = end) {
        end = endOfGroup(members, begin);
        TH_TRY(addDeparture(survey, TH_BEHIND((thKeyed*)members->data, begin), end - begin));
    }
    return th_resultOk;
}

static thResult endGroups(thSurvey* survey)
{
    thSurveyGroups* groups = survey->groupsPart;
    thSurveyResult* result = &survey->result;
    TH_TRY(findDepartures(survey));
    result->groupDispersion = thiShareOf(groups->distance, groups->distanceCount);
    result->groupNearest = thiSpreadOf(&groups->nearest);
    result->groupAbreast = thiShareOf((double)groups->abreast, groups->pairs);
    result->groupFile = thiShareOf((double)groups->file, groups->pairs);
    result->groupDeparture = thiSpreadOf(&groups->departures);
    return th_resultOk;
}

const thSurveyPart thiGroupsPart = {.isFigure = true,
                                    .create = createGroups,
                                    .destroy = destroyGroups,
                                    .showFrame = showFrame,
                                    .end = endGroups};
