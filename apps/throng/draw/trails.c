// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "draw/trails.h"

#include <math.h>
#include <stdlib.h>

static bool makeRoom(TrailMark* mark, int32_t count)
{
    if (count <= mark->capacity)
        return true;
    const int32_t capacity = count + count / 4;
    thVec2* grown = realloc(mark->places, (size_t)capacity * sizeof *grown);
    if (grown == NULL)
        return false;
    mark->places = grown;
    mark->capacity = capacity;
    return true;
}

static const TrailMark* markBefore(const Trails* trails, int32_t back)
{
    return &trails->marks[(trails->next + 2 * appTrailPoints - back) % appTrailPoints];
}

TrailMark* appBeginMark(Trails* trails, double time, int32_t personCount, bool* failed)
{
    *failed = false;
    if (!(trails->seconds > 0.0))
        return NULL;
    if (trails->count > 0 &&
        time < markBefore(trails, 1)->time + 0.999 * trails->seconds / appTrailPoints)
        return NULL;
    TrailMark* mark = &trails->marks[trails->next];
    if (!makeRoom(mark, personCount)) {
        *failed = true;
        return NULL;
    }
    mark->time = time;
    mark->count = personCount;
    for (int32_t i = 0; i < personCount; ++i)
        mark->places[i] = (thVec2){NAN, NAN};
    trails->next = (trails->next + 1) % appTrailPoints;
    trails->count += trails->count < appTrailPoints;
    return mark;
}

void appMarkTrail(const Trails* trails, TrailMark* mark, int32_t person, thPlace place)
{
    mark->places[person] =
        (thVec2){(float)(place.x - trails->origin.x), (float)(place.y - trails->origin.y)};
}

int32_t appGetTrail(const Trails* trails, int32_t person, double time,
                    thPlace points[appTrailPoints])
{
    int32_t count = 0;
    for (int32_t back = trails->count; back > 0; --back) {
        const TrailMark* mark = markBefore(trails, back);
        if (mark->time < time - trails->seconds || mark->time > time)
            continue;
        const thVec2 place = person < mark->count ? mark->places[person] : (thVec2){NAN, NAN};
        if (isnan(place.x))
            count = 0; // it was away: the trail begins anew
        else
            points[count++] =
                (thPlace){trails->origin.x + (double)place.x, trails->origin.y + (double)place.y};
    }
    return count;
}

void appFreeTrails(Trails* trails)
{
    for (int32_t i = 0; i < appTrailPoints; ++i)
        free(trails->marks[i].places);
    *trails = (Trails){0};
}
