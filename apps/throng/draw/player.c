// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Plays a recording: who is where at any time, also between frames, and where they were before.

#include "draw/player.h"

#include <math.h>
#include <stdlib.h>

// --- Trails ---

static bool growMark(TrailMark* mark, int32_t count)
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

// Begins to take note of everybody, if it is time to; NULL: it is not, or memory is out. People are
// to be put in by who calls it. `personCount` is greater than every index of a person.
static TrailMark* beginMark(Trails* trails, double time, int32_t personCount, bool* failed)
{
    *failed = false;
    if (!(trails->seconds > 0.0))
        return NULL;
    if (trails->count > 0 &&
        time < markBefore(trails, 1)->time + 0.999 * trails->seconds / appTrailPoints)
        return NULL;
    TrailMark* mark = &trails->marks[trails->next];
    if (!growMark(mark, personCount)) {
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

static void markTrail(const Trails* trails, TrailMark* mark, int32_t person, thPlace place)
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

static void freeTrails(Trails* trails)
{
    for (int32_t i = 0; i < appTrailPoints; ++i)
        free(trails->marks[i].places);
    *trails = (Trails){0};
}

// --- Players ---

// Frames this near to the time asked for are at it. [s]
static const double sameTime = 1e-9;

void appBeginPlayer(Player* player, Recording* recording, Doors* doors, double trailSeconds)
{
    *player = (Player){
        .recording = recording, .doors = doors, .trails.seconds = trailSeconds, .lastSeen = NAN};
}

void appEndPlayer(Player* player)
{
    free(player->before.sights);
    free(player->after.sights);
    free(player->now.sights);
    free(player->starts);
    free(player->headings);
    free(player->goals);
    freeTrails(&player->trails);
}

static Next sayNoMemory(void)
{
    appSay("no memory for what is to be drawn");
    return nextFailed;
}

static bool growMoment(Moment* moment, int32_t count)
{
    if (count <= moment->capacity)
        return true;
    const int32_t capacity = count + count / 4;
    Sight* grown = realloc(moment->sights, (size_t)capacity * sizeof *grown);
    if (grown == NULL)
        return false;
    moment->sights = grown;
    moment->capacity = capacity;
    return true;
}

// People who are told of for the first time were not seen before.
static bool growPeople(Player* player)
{
    const int32_t count = player->recording->personCount;
    if (count > player->startCapacity) {
        const size_t capacity = (size_t)count + (size_t)count / 4;
        thPlace* starts = realloc(player->starts, capacity * sizeof *starts);
        if (starts != NULL)
            player->starts = starts;
        float* headings = realloc(player->headings, capacity * sizeof *headings);
        if (headings != NULL)
            player->headings = headings;
        if (starts == NULL || headings == NULL)
            return false;
        player->startCapacity = (int32_t)capacity;
    }
    for (; player->startCount < count; ++player->startCount) {
        player->starts[player->startCount] = (thPlace){NAN, NAN};
        player->headings[player->startCount] = NAN;
    }
    return true;
}

static bool noteTrails(Player* player, const Moment* frame)
{
    bool failed;
    if (player->trails.count == 0 && frame->count > 0)
        player->trails.origin = frame->sights[0].place;
    TrailMark* mark = beginMark(&player->trails, frame->time, player->startCount, &failed);
    for (int32_t i = 0; mark != NULL && i < frame->count; ++i)
        if (frame->sights[i].person >= 0)
            markTrail(&player->trails, mark, frame->sights[i].person, frame->sights[i].place);
    return !failed;
}

// Who was not there before moves as it then does.
static void moveAsNext(Sight* sight, const Sight* next)
{
    if (isnan(sight->speed))
        sight->speed = next->speed;
    if (isnan(sight->heading))
        sight->heading = next->heading;
}

// Speeds, and headings where the recording has none, from the frame before; both by ascending id.
static void noteMotion(Player* player, Moment* before, Moment* after)
{
    const double span = after->time - before->time;
    for (int32_t i = 0, k = 0; i < after->count; ++i) {
        Sight* sight = &after->sights[i];
        while (k < before->count && before->sights[k].id < sight->id)
            ++k;
        const bool wasThere = k < before->count && before->sights[k].id == sight->id;
        if (wasThere && span > 0.0) {
            const double x = sight->place.x - before->sights[k].place.x;
            const double y = sight->place.y - before->sights[k].place.y;
            sight->speed = (float)(hypot(x, y) / span);
            if (isnan(sight->heading) && sight->speed > 0.05f)
                sight->heading = (float)atan2(y, x);
            moveAsNext(&before->sights[k], sight);
        }
        if (sight->person < 0)
            continue;
        if (isnan(sight->heading))
            sight->heading = player->headings[sight->person];
        player->headings[sight->person] = sight->heading;
        if (isnan(player->starts[sight->person].x))
            player->starts[sight->person] = sight->place;
    }
}

static bool noteGoals(Player* player)
{
    const Recording* recording = player->recording;
    if (recording->shapeCount > player->goalCapacity) {
        const thRecordedShape** grown =
            realloc(player->goals, (size_t)recording->shapeCount * sizeof *grown);
        if (grown == NULL)
            return false;
        player->goals = grown;
        player->goalCapacity = recording->shapeCount;
    }
    player->goalCount = 0;
    for (int32_t i = 0; i < recording->shapeCount; ++i)
        if (recording->shapes[i].kind >= th_shapeGoalPoint)
            player->goals[player->goalCount++] = &recording->shapes[i];
    return true;
}

// Shapes are others in each frame in which one of them moves.
static bool noteShapes(Player* player)
{
    const Recording* recording = player->recording;
    if (player->frameCount > 0 && recording->latest.shapes == NULL)
        return true;
    return noteGoals(player) &&
           (player->doors == NULL ||
            appNoteDoors(player->doors, recording->shapes, recording->shapeCount));
}

static void copyFrame(Moment* moment, const Recording* recording)
{
    const thRecordedFrame* frame = &recording->latest.frame;
    moment->time = (double)frame->number / recording->head.rate;
    moment->count = frame->count;
    for (int32_t i = 0; i < frame->count; ++i) {
        const thRecordedPerson* person = appFindPerson(recording, frame->id[i]);
        moment->sights[i] =
            (Sight){.id = frame->id[i],
                    .person = person != NULL ? (int32_t)(person - recording->people) : -1,
                    .place = {frame->x[i], frame->y[i]},
                    .heading = frame->heading != NULL ? frame->heading[i] : NAN,
                    .speed = NAN};
    }
}

Next appPlayFrame(Player* player)
{
    const Next next = player->isOver ? nextEnd : appNextFrame(player->recording);
    player->isOver = next == nextEnd;
    if (next != nextFrame)
        return next;
    const Moment oldest = player->before;
    player->before = player->after;
    player->after = oldest;
    if (!growMoment(&player->after, player->recording->latest.frame.count) || !growPeople(player) ||
        !noteShapes(player))
        return sayNoMemory();
    copyFrame(&player->after, player->recording);
    player->frameCount += 1;
    if (player->frameCount == 1)
        player->firstTime = player->after.time;
    if (player->after.count > 0)
        player->lastSeen = player->after.time;
    noteMotion(player, &player->before, &player->after);
    return noteTrails(player, &player->after) ? nextFrame : sayNoMemory();
}

static double distanceToSegment(thPlace point, thPlace a, thPlace b)
{
    const double x = b.x - a.x, y = b.y - a.y, length = x * x + y * y;
    const double along = length > 0.0 ? ((point.x - a.x) * x + (point.y - a.y) * y) / length : 0.0;
    const double share = fmin(fmax(along, 0.0), 1.0);
    return hypot(point.x - a.x - share * x, point.y - a.y - share * y);
}

// From the outline or within it.
static double distanceToGoal(thPlace point, const thRecordedShape* goal)
{
    double least = INFINITY;
    bool isInside = false;
    for (int32_t i = 0, k = goal->pointCount - 1; i < goal->pointCount; k = i++) {
        const thPlace a = goal->points[k], b = goal->points[i];
        least = fmin(least, distanceToSegment(point, a, b));
        if ((a.y > point.y) != (b.y > point.y) &&
            point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x))
            isInside = !isInside;
    }
    return isInside ? 0.0 : least - (double)goal->radius;
}

bool appIsAtGoal(const Player* player, const Sight* sight)
{
    const double near = 0.31; // what scenes call arrived unless they say otherwise [m]
    if (sight->person < 0)
        return false;
    const int32_t goal = player->recording->people[sight->person].goal;
    return goal >= 0 && goal < player->goalCount &&
           distanceToGoal(sight->place, player->goals[goal]) <= near;
}

static void copyMoment(Moment* moment, const Moment* frame)
{
    for (int32_t i = 0; i < frame->count; ++i)
        moment->sights[i] = frame->sights[i];
    moment->count = frame->count;
    moment->time = frame->time;
}

static float turnTowards(float from, float to, double share)
{
    const double tau = 6.283185307179586;
    return isnan(from) || isnan(to)
               ? to
               : (float)((double)from + share * remainder((double)to - (double)from, tau));
}

// Who is in both frames, on the way from one to the other.
static void interpolate(Player* player, double time)
{
    const Moment *before = &player->before, *after = &player->after;
    const double share = (time - before->time) / (after->time - before->time);
    int32_t count = 0;
    for (int32_t i = 0, k = 0; i < after->count; ++i) {
        const Sight* to = &after->sights[i];
        while (k < before->count && before->sights[k].id < to->id)
            ++k;
        if (k == before->count || before->sights[k].id != to->id)
            continue;
        const Sight* from = &before->sights[k];
        Sight* sight = &player->now.sights[count++];
        *sight = *to;
        sight->place.x = from->place.x + share * (to->place.x - from->place.x);
        sight->place.y = from->place.y + share * (to->place.y - from->place.y);
        sight->heading = turnTowards(from->heading, to->heading, share);
    }
    player->now.count = count;
    player->now.time = time;
}

bool appMustRead(const Player* player, double time)
{
    return !player->isOver && (player->frameCount < 2 || player->after.time < time - sameTime);
}

Next appSeek(Player* player, double time)
{
    Next next = nextFrame;
    while (next == nextFrame && appMustRead(player, time))
        next = appPlayFrame(player);
    if (next == nextFailed)
        return nextFailed;
    if (player->frameCount == 0)
        return nextEnd;
    const int32_t most =
        player->after.count > player->before.count ? player->after.count : player->before.count;
    if (!growMoment(&player->now, most + 1))
        return sayNoMemory();
    if (time >= player->after.time - sameTime || player->frameCount == 1)
        copyMoment(&player->now, &player->after);
    else if (time <= player->before.time + sameTime)
        copyMoment(&player->now, &player->before);
    else
        interpolate(player, time);
    return nextFrame;
}
