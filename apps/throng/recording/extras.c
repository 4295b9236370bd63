// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// People and shapes beyond the layouts of others, as tables: gathered by writers, checked when
// read.

#include "recording/extras.h"

#include "recording/recording_kinds.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void freeSets(Extras* extras)
{
    for (int32_t i = 0; i < extras->setCount; ++i)
        free(extras->sets[i].shapes);
    free(extras->sets);
    extras->sets = NULL;
    extras->setCount = extras->setCapacity = 0;
}

void appFreeExtras(Extras* extras)
{
    freeSets(extras);
    free(extras->people);
    *extras = (Extras){0};
}

// --- Shapes ---

static bool isGoal(const thRecordedShape* shape)
{
    return shape->kind >= th_shapeGoalPoint;
}

static bool isStanding(const thRecordedShape* shape)
{
    return shape->kind == th_shapeSolid || shape->kind == th_shapeRoom ||
           shape->kind == th_shapeWall;
}

typedef bool IsOfKind(const thRecordedShape* shape);

static const thRecordedShape* nextOf(IsOfKind* isOfKind, const thRecordedShape* at,
                                     const thRecordedShape* end)
{
    while (at < end && !isOfKind(at))
        at += 1;
    return at;
}

static bool isSameShape(const thRecordedShape* a, const thRecordedShape* b)
{
    return a->kind == b->kind && a->level == b->level && a->radius == b->radius &&
           a->pointCount == b->pointCount &&
           memcmp(a->points, b->points, (size_t)a->pointCount * sizeof *a->points) == 0;
}

// How many of the first shapes of that kind are as in the set. `*all`: and neither has more.
static int32_t countSame(IsOfKind* isOfKind, const ShapeSet* set, const thRecordedShape* shapes,
                         int32_t count, bool* all)
{
    const thRecordedShape *a = set->shapes, *aEnd = a + set->count;
    const thRecordedShape *b = shapes, *bEnd = b + count;
    for (int32_t same = 0;; ++same, ++a, ++b) {
        a = nextOf(isOfKind, a, aEnd);
        b = nextOf(isOfKind, b, bEnd);
        *all = a == aEnd && b == bEnd;
        if (a == aEnd || b == bEnd || !isSameShape(a, b))
            return same;
    }
}

static bool growSets(Extras* extras)
{
    if (extras->setCount < extras->setCapacity)
        return true;
    const int32_t capacity = extras->setCapacity > 0 ? 2 * extras->setCapacity : 4;
    ShapeSet* grown = realloc(extras->sets, (size_t)capacity * sizeof *grown);
    if (grown == NULL)
        return false;
    extras->sets = grown;
    extras->setCapacity = capacity;
    return true;
}

static int32_t choose(IsOfKind* isOfKind, const thRecordedShape* shapes, int32_t count,
                      thRecordedShape* to)
{
    int32_t chosen = 0;
    for (int32_t i = 0; i < count; ++i)
        if (isOfKind(&shapes[i]))
            to[chosen++] = shapes[i];
    return chosen;
}

// So many goals nobody tells apart; they are then one for each person, or more.
enum { mostGoals = 10000 };

static int32_t countGoals(const thRecordedShape* shapes, int32_t count)
{
    int32_t goals = 0;
    for (int32_t i = 0; i < count; ++i)
        goals += isGoal(&shapes[i]);
    return goals;
}

// Goals are those of the first set: people refer to them by number.
static bool addSet(Extras* extras, int64_t frame, const thRecordedShape* shapes, int32_t count)
{
    if (!growSets(extras))
        return false;
    const ShapeSet given = {.shapes = (thRecordedShape*)shapes, .count = count};
    const ShapeSet* first = extras->setCount > 0 ? &extras->sets[0] : &given;
    thRecordedShape* all = malloc(((size_t)count + (size_t)first->count + 1) * sizeof *all);
    if (all == NULL)
        return false;
    int32_t chosen = choose(isStanding, shapes, count, all);
    if (countGoals(first->shapes, first->count) <= mostGoals)
        chosen += choose(isGoal, first->shapes, first->count, all + chosen);
    thRecordedShape* copies = appCopyShapes(all, chosen);
    free(all);
    if (copies == NULL)
        return false;
    extras->sets[extras->setCount++] = (ShapeSet){frame, copies, chosen};
    return true;
}

static bool gatherStanding(Extras* extras, const thRecording* frame)
{
    bool isSame;
    const ShapeSet* last = &extras->sets[extras->setCount - 1];
    countSame(isStanding, last, frame->shapes, frame->shapeCount, &isSame);
    if (isSame)
        return true;
    if (last->frame == frame->frame.number) // the first one: nothing was seen of those before
        freeSets(extras);
    return addSet(extras, frame->frame.number, frame->shapes, frame->shapeCount);
}

static bool gatherShapes(Extras* extras, const thRecording* frame)
{
    bool isSame;
    if (!extras->hasFrames)
        extras->sets[0].frame = frame->frame.number;
    extras->hasFrames = true;
    if (frame->shapes == NULL)
        return true;
    if (!gatherStanding(extras, frame))
        return false;
    extras->goalsKept =
        countSame(isGoal, &extras->sets[0], frame->shapes, frame->shapeCount, &isSame);
    return true;
}

// --- People ---

// Where somebody is among people, or would be.
static int32_t findPlace(const Extras* extras, uint32_t id)
{
    int32_t low = 0, high = extras->personCount;
    if (high > 0 && extras->people[high - 1].id < id) // as newcomers of ours are
        return high;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (extras->people[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const thRecordedPerson* appFindExtra(const Extras* extras, uint32_t id)
{
    const int32_t place = findPlace(extras, id);
    return place < extras->personCount && extras->people[place].id == id ? &extras->people[place]
                                                                         : NULL;
}

static bool growPeople(Extras* extras)
{
    if (extras->personCount < extras->personCapacity)
        return true;
    if (extras->personCapacity > INT32_MAX / 2)
        return false;
    const int32_t capacity = extras->personCapacity > 0 ? 2 * extras->personCapacity : 64;
    thRecordedPerson* people = realloc(extras->people, (size_t)capacity * sizeof *people);
    if (people == NULL)
        return false;
    extras->people = people;
    extras->personCapacity = capacity;
    return true;
}

static bool keepPerson(Extras* extras, const thRecordedPerson* person)
{
    const int32_t place = findPlace(extras, person->id);
    if (place == extras->personCount || extras->people[place].id != person->id) {
        if (!growPeople(extras))
            return false;
        thRecordedPerson* gap = extras->people + place;
        memmove(gap + 1, gap, (size_t)(extras->personCount - place) * sizeof *gap);
        extras->personCount += 1;
    }
    thRecordedPerson* at = extras->people + place;
    *at = *person;
    at->goal = person->goal < extras->goalsKept ? person->goal : -1;
    return true;
}

// --- Writing ---

bool appBeginExtras(Extras* extras, const thRecordedShape* shapes, int32_t count)
{
    *extras = (Extras){0};
    if (!addSet(extras, 0, shapes, count))
        return false;
    extras->goalsKept = countGoals(extras->sets[0].shapes, extras->sets[0].count);
    return true;
}

bool appGatherExtras(Extras* extras, const thRecording* frame)
{
    if (!gatherShapes(extras, frame))
        return false;
    for (int32_t i = 0; i < frame->personCount; ++i)
        if (!keepPerson(extras, &frame->people[i]))
            return false;
    return true;
}

static CornerRow* listCornersOf(const ShapeSet* set, CornerRow* to)
{
    for (int32_t i = 0; i < set->count; ++i) {
        const thRecordedShape* shape = &set->shapes[i];
        for (int32_t k = 0; k < shape->pointCount; ++k)
            *to++ = (CornerRow){set->frame,           i,
                                (int32_t)shape->kind, shape->level,
                                shape->radius,        shape->points[k].x,
                                shape->points[k].y};
    }
    if (set->count == 0)
        *to++ = (CornerRow){.frame = set->frame, .shape = -1};
    return to;
}

CornerRow* appListCorners(const Extras* extras, size_t* count)
{
    size_t most = 0;
    for (int32_t i = 0; i < extras->setCount; ++i) {
        most += 1;
        for (int32_t k = 0; k < extras->sets[i].count; ++k)
            most += (size_t)extras->sets[i].shapes[k].pointCount;
    }
    CornerRow* rows = calloc(most + 1, sizeof *rows);
    CornerRow* at = rows;
    for (int32_t i = 0; i < extras->setCount && rows != NULL; ++i)
        at = listCornersOf(&extras->sets[i], at);
    *count = (size_t)(at - rows);
    return rows;
}

// --- Reading ---

static bool isLength(float value)
{
    return value >= 0.0f && value <= FLT_MAX;
}

static bool isPerson(const thRecordedPerson* person)
{
    return isLength(person->radius) && isLength(person->speed) && isLength(person->planned) &&
           person->goal >= -1 && person->group >= -1 && person->entry >= -1;
}

const char* appTakePeople(Extras* extras, thRecordedPerson* people, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        if (!isPerson(&people[i]))
            return "has a number that is out of range";
        if (i > 0 && people[i].id <= people[i - 1].id)
            return "is not in the order of ids";
    }
    extras->people = people;
    extras->personCount = extras->personCapacity = count;
    return NULL;
}

static bool isCorner(const CornerRow* row)
{
    const double farthest = 1e9;
    const thRecordedShape shape = {.kind = (thRecordedShapeKind)row->kind};
    return row->kind >= 0 && row->kind < th_shapeKindCount &&
           (isStanding(&shape) || isGoal(&shape)) && isLength(row->radius) &&
           fabs(row->x) <= farthest && fabs(row->y) <= farthest;
}

// Adds the corner at `row`, which follows another of its set unless that is empty so far.
static const char* takeCorner(ShapeBuilder* builder, const CornerRow* row)
{
    if (!isCorner(row))
        return "has a number that is out of range";
    if (row->shape == builder->count) {
        if (!appBeginShape(builder, (thRecordedShapeKind)row->kind))
            return "does not fit into memory";
        builder->shapes[row->shape].level = row->level;
        builder->shapes[row->shape].radius = row->radius;
    }
    if (row->shape != builder->count - 1)
        return "is not in the order of shapes";
    return appAddPoint(builder, row->x, row->y) ? NULL : "does not fit into memory";
}

// The set that begins with `row`; `*next` is where the next one begins.
static const char* takeSet(Extras* extras, const CornerRow* row, const CornerRow* end,
                           const CornerRow** next)
{
    ShapeBuilder builder = {0};
    const int64_t frame = row->frame;
    const char* wrong = NULL;
    if (extras->setCount > 0 && frame <= extras->sets[extras->setCount - 1].frame)
        return "is not in the order of frames";
    if (row->shape == -1)
        row += 1;
    else
        for (; row < end && row->frame == frame && wrong == NULL; ++row)
            wrong = takeCorner(&builder, row);
    *next = row;
    appFinishShapes(&builder);
    if (wrong == NULL) {
        thRecordedShape* copies =
            growSets(extras) ? appCopyShapes(builder.shapes, builder.count) : NULL;
        if (copies != NULL)
            extras->sets[extras->setCount++] = (ShapeSet){frame, copies, builder.count};
        wrong = copies != NULL ? NULL : "does not fit into memory";
    }
    appFreeShapes(&builder);
    return wrong;
}

const char* appTakeCorners(Extras* extras, const CornerRow* rows, size_t count)
{
    const char* wrong = NULL;
    for (const CornerRow *row = rows, *end = rows + count; row < end && wrong == NULL;)
        wrong = takeSet(extras, row, end, &row);
    if (wrong != NULL)
        freeSets(extras);
    return wrong;
}

void appSayPassedOver(const char* path, const char* table, const char* wrong)
{
    appSay("'%s': %s %s, and is passed over", path, table, wrong);
}

bool appGiveFirstShapes(Extras* extras, Recording* recording, ExitCode* code)
{
    *code = exitDone;
    if (extras->setCount == 0)
        return false;
    extras->setsGiven = 1;
    if (appSetShapes(recording, extras->sets[0].shapes, extras->sets[0].count))
        return true;
    *code = exitEnvironment;
    return false;
}

void appGiveShapesOf(Extras* extras, int64_t frame, thRecording* latest)
{
    int32_t last = extras->setsGiven;
    while (last < extras->setCount && extras->sets[last].frame <= frame)
        last += 1;
    if (last == extras->setsGiven)
        return;
    extras->setsGiven = last;
    latest->shapes = extras->sets[last - 1].shapes;
    latest->shapeCount = extras->sets[last - 1].count;
}
