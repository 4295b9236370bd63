// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The recorder: watches a run and tells of each frame what a recording has to know of it.
//
// Rows of a world lie where agents stand, frames are in the order of ids. Between them are seats,
// one for each slot: workers go through the rows and note in the seats what they find, then one
// goes through the ids and reads it there. So memory is jumped about in once.
//
//     shapes | rows ▶ seats | ids for newcomers | seats ▶ frame, people
//
// All that may fail comes before anything is told. What a failed call has noted is noted again.

#include "base/machine.h"
#include "geom/fixed.h"
#include "sim/ranges.h"
#include "sim/world_internal.h"
#include "throng/math.h"
#include "throng/record.h"

#include <stdlib.h>
#include <string.h>

#define SEAT_GRAIN 1024 // rows
#define LOOK_AHEAD 32   // rows

_Static_assert((int)th_shapeSolid == (int)th_obstacleSolid &&
                   (int)th_shapeMovingPolygon == (int)th_obstacleMovingPolygon &&
                   (int)th_shapeGoalPolygon - (int)th_shapeGoalPoint ==
                       (int)th_goalPolygon - (int)th_goalPoint,
               "kinds of shapes stand in the order of obstacles, then of goals");

typedef enum SeatBits {
    seatChanged = 1 << 0,     // what is told of the person may be out of date
    seatPlannedTold = 1 << 1, // the planned length is settled
    seatShapeKnown = 1 << 2,  // `shape` is that of `goal` and `goalIndex`, wherever it stands
    seatManyGoals = 1 << 3,   // it heads for several, one after the other
} SeatBits;

// What is known of the agent in a slot.
typedef struct Seat {
    _Alignas(TH_ALIGNMENT) uint64_t key;
    uint32_t id;
    int32_t known;   // 1 + its place among those who are known; 0: it was in no frame yet
    uint32_t seenAt; // the take that saw it last
    int32_t x, y;    // units
    float heading;
    float radius, speed;
    float planned; // what its planner says now; 0: nothing
    int32_t shape; // slot of the goal it heads for
    int32_t goal, goalIndex;
    int32_t group;
    uint16_t level;
    uint8_t bits;
} Seat;
_Static_assert(sizeof(Seat) == TH_ALIGNMENT, "a seat is one cache line");

// A seat in a list that is sorted.
typedef struct SeatRef {
    uint64_t order; // by id, or by key
    int32_t slot;
} SeatRef;

// What workers add up.
typedef struct SeatSums {
    _Alignas(TH_ALIGNMENT) int64_t unknown; // in the area, without an id
    int64_t changed;                        // with an id
} SeatSums;

// A mover among the shapes.
typedef struct MoverPose {
    int32_t slot;
    int32_t firstPoint;
    int32_t x, y; // where it was
    float angle;
} MoverPose;

typedef struct Shapes {
    thArray obstacleStamps, goalStamps; // uint32_t by slot: generations, as they were
    thArray shapes;                     // thRecordedShape: obstacles, then goals
    thArray points;                     // thPlace
    thArray movers;                     // MoverPose
    thArray indexOfGoal;                // int32_t by slot: among the goals
    uint64_t goalsRevision;             // of the world, as last seen
    int32_t firstGoalPoint;             // in `points`
    bool isBuilt;
    bool isNews;     // not told yet
    bool goalsMoved; // their indices may be others than people were told of
} Shapes;

struct thRecorder {
    thMemory memory; // everything but this struct itself
    const thRun* run;
    const thWorld* world;
    bool hasArea;
    thPlace low, high;
    bool withoutGoals;
    bool hasFrames;
    uint32_t takes;
    int64_t number; // of the last frame
    Shapes shapes;
    thArray seats;     // Seat, by slot
    thArray sums;      // SeatSums, by worker
    thArray present;   // SeatRef by id: those with an id who are in the world
    thArray newcomers; // SeatRef by key: those in the area who have none yet
    thArray known;     // thRecordedPerson as they came, and as they were told
    thKeyMap knownOf;  // key -> place in `known`
    uint32_t nextId;   // of whom the scene gives none: these come after those that it gives
    bool isDisordered; // somebody came whose id is less than that of one before
    thArray id, x, y, heading;
    thArray people; // thRecordedPerson: to be told
};

static thPlace toPlace(const thWorld* world, double x, double y)
{
    return (thPlace){world->originX + x / THRONG_UNITS_PER_METRE,
                     world->originY + y / THRONG_UNITS_PER_METRE};
}

// --- Shapes: as long as nothing comes or goes, only movers are looked at again ---------------

static void initShapes(Shapes* shapes, thMemory* memory)
{
    *shapes = (Shapes){.obstacleStamps = thiArray(memory, sizeof(uint32_t)),
                       .goalStamps = thiArray(memory, sizeof(uint32_t)),
                       .shapes = thiArray(memory, sizeof(thRecordedShape)),
                       .points = thiArray(memory, sizeof(thPlace)),
                       .movers = thiArray(memory, sizeof(MoverPose)),
                       .indexOfGoal = thiArray(memory, sizeof(int32_t))};
}

static void freeShapes(Shapes* shapes)
{
    thiArrayFree(&shapes->obstacleStamps);
    thiArrayFree(&shapes->goalStamps);
    thiArrayFree(&shapes->shapes);
    thiArrayFree(&shapes->points);
    thiArrayFree(&shapes->movers);
    thiArrayFree(&shapes->indexOfGoal);
}

// Corners of a mover where it is now.
static void placeMover(const thWorld* world, const thObstacle* obstacle, thPlace* to)
{
    if (obstacle->def.kind == th_obstacleMovingDisc) {
        to[0] = toPlace(world, obstacle->x, obstacle->y);
        return;
    }
    float sine, cosine;
    thSinCos(obstacle->def.angle, &sine, &cosine);
    for (int32_t i = 0; i < obstacle->outline.count; ++i) {
        const double x = TH_ITEMS(obstacle->outline, thPoint)[i].x;
        const double y = TH_ITEMS(obstacle->outline, thPoint)[i].y;
        to[i] = toPlace(world, (double)obstacle->x + (double)cosine * x - (double)sine * y,
                        (double)obstacle->y + (double)sine * x + (double)cosine * y);
    }
}

// Corners of the shape that was added last. NULL: no memory.
static thPlace* addPoints(Shapes* shapes, thRecordedShape shape, int32_t count)
{
    thRecordedShape* item = thiArrayAdd(&shapes->shapes, 1);
    if (item == NULL)
        return NULL;
    *item = shape;
    item->pointCount = count;
    return thiArrayAdd(&shapes->points, count);
}

static void placePoints(const thWorld* world, const thPoint* points, int32_t count, thPlace* to)
{
    for (int32_t i = 0; i < count; ++i)
        to[i] = toPlace(world, points[i].x, points[i].y);
}

static MoverPose noteMover(const thObstacle* obstacle, int32_t slot, int32_t firstPoint)
{
    return (MoverPose){slot, firstPoint, obstacle->x, obstacle->y, obstacle->def.angle};
}

static thResult addObstacle(Shapes* shapes, const thWorld* world, int32_t slot)
{
    const thObstacle* obstacle = &thiObstacles(world)[slot];
    const bool isDisc = obstacle->def.kind == th_obstacleMovingDisc;
    const int32_t count = isDisc ? 1 : obstacle->outline.count;
    const thRecordedShape shape = {.kind = (thRecordedShapeKind)obstacle->def.kind,
                                   .level = obstacle->def.level,
                                   .radius = isDisc ? obstacle->def.radius : 0.0f};
    const int32_t firstPoint = shapes->points.count;
    thPlace* points = addPoints(shapes, shape, count);
    if (points == NULL)
        return th_resultNoMemory;
    if (!thiIsMoving(obstacle->def.kind)) {
        placePoints(world, TH_ITEMS(obstacle->outline, thPoint), count, points);
        return th_resultOk;
    }
    placeMover(world, obstacle, points);
    MoverPose* mover = thiArrayAdd(&shapes->movers, 1);
    if (mover == NULL)
        return th_resultNoMemory;
    *mover = noteMover(obstacle, slot, firstPoint);
    return th_resultOk;
}

static thResult addGoal(Shapes* shapes, const thWorld* world, int32_t slot)
{
    const thGoal* goal = thiGoalAt(&world->goals, slot);
    const thRecordedShape shape = {
        .kind = (thRecordedShapeKind)((int)th_shapeGoalPoint + (int)goal->kind),
        .radius = goal->radius};
    thPlace* points = addPoints(shapes, shape, thiGoalPointCount(goal));
    if (points == NULL)
        return th_resultNoMemory;
    placePoints(world, thiGoalPoints(&world->goals, goal), thiGoalPointCount(goal), points);
    return th_resultOk;
}

// All goals that have a shape, in the order of slots, as thWorld_VisitGoals shows them.
static thResult addGoals(Shapes* shapes, const thWorld* world)
{
    const thGoals* goals = &world->goals;
    shapes->indexOfGoal.count = 0;
    int32_t* indices = thiArrayAdd(&shapes->indexOfGoal, goals->goals.count);
    if (indices == NULL)
        return th_resultNoMemory;
    int32_t next = 0;
    for (int32_t slot = 0; slot < goals->goals.count; ++slot) {
        indices[slot] = -1;
        if (thiIdPoolIdOf(&goals->ids, slot) == 0 || thiIsGoalGroup(thiGoalAt(goals, slot)->kind))
            continue;
        TH_TRY(addGoal(shapes, world, slot));
        indices[slot] = next++;
    }
    return th_resultOk;
}

static void linkPoints(Shapes* shapes)
{
    const thPlace* points = TH_ITEMS(shapes->points, thPlace);
    thRecordedShape* items = TH_ITEMS(shapes->shapes, thRecordedShape);
    for (int32_t i = 0; i < shapes->shapes.count; ++i) {
        items[i].points = points;
        points += items[i].pointCount;
    }
}

static bool isStamped(const thArray* stamps, const thIdPool* ids)
{
    const thArray* now = &ids->generations;
    return stamps->count == now->count &&
           (now->count == 0 ||
            memcmp(stamps->data, now->data, (size_t)now->count * sizeof(uint32_t)) == 0);
}

static thResult stamp(thArray* stamps, const thIdPool* ids)
{
    const int32_t count = ids->generations.count;
    stamps->count = 0;
    if (thiArrayAdd(stamps, count) == NULL)
        return th_resultNoMemory;
    if (count > 0)
        memcpy(stamps->data, ids->generations.data, (size_t)count * sizeof(uint32_t));
    return th_resultOk;
}

static thResult rebuild(Shapes* shapes, const thWorld* world)
{
    shapes->isBuilt = false; // until all of it succeeds
    shapes->isNews = true;
    shapes->goalsMoved |= !isStamped(&shapes->goalStamps, &world->goals.ids);
    shapes->shapes.count = shapes->points.count = shapes->movers.count = 0;
    for (int32_t slot = 0; slot < world->obstacles.items.count; ++slot)
        if (thiIdPoolIdOf(&world->obstacles.ids, slot) != 0)
            TH_TRY(addObstacle(shapes, world, slot));
    shapes->firstGoalPoint = shapes->points.count;
    shapes->goalsRevision = world->goals.revision;
    TH_TRY(addGoals(shapes, world));
    linkPoints(shapes);
    TH_TRY(stamp(&shapes->obstacleStamps, &world->obstacles.ids));
    TH_TRY(stamp(&shapes->goalStamps, &world->goals.ids));
    shapes->isBuilt = true;
    return th_resultOk;
}

static void followMovers(Shapes* shapes, const thWorld* world)
{
    for (int32_t i = 0; i < shapes->movers.count; ++i) {
        MoverPose* mover = &TH_ITEMS(shapes->movers, MoverPose)[i];
        const thObstacle* obstacle = &thiObstacles(world)[mover->slot];
        if (obstacle->x == mover->x && obstacle->y == mover->y &&
            obstacle->def.angle == mover->angle)
            continue;
        *mover = noteMover(obstacle, mover->slot, mover->firstPoint);
        placeMover(world, obstacle, &TH_ITEMS(shapes->points, thPlace)[mover->firstPoint]);
        shapes->isNews = true;
    }
}

// Goals that were there before, in the same order.
static void followGoals(Shapes* shapes, const thWorld* world)
{
    const thGoals* goals = &world->goals;
    if (shapes->goalsRevision == goals->revision)
        return;
    shapes->goalsRevision = goals->revision;
    thPlace* to = &TH_ITEMS(shapes->points, thPlace)[shapes->firstGoalPoint];
    for (int32_t slot = 0; slot < goals->goals.count; ++slot) {
        const thGoal* goal = thiGoalAt(goals, slot);
        if (thiIdPoolIdOf(&goals->ids, slot) == 0 || thiIsGoalGroup(goal->kind))
            continue;
        const thPoint* points = thiGoalPoints(goals, goal);
        for (int32_t i = 0; i < thiGoalPointCount(goal); ++i, ++to) {
            const thPlace place = toPlace(world, points[i].x, points[i].y);
            shapes->isNews = shapes->isNews || place.x != to->x || place.y != to->y;
            *to = place;
        }
    }
}

// Brings them up to date with the world.
static thResult updateShapes(Shapes* shapes, const thWorld* world)
{
    if (!shapes->isBuilt || !isStamped(&shapes->obstacleStamps, &world->obstacles.ids) ||
        !isStamped(&shapes->goalStamps, &world->goals.ids))
        return rebuild(shapes, world);
    followMovers(shapes, world);
    followGoals(shapes, world);
    return th_resultOk;
}

// --- People ----------------------------------------------------------------------------------
//
// Whether somebody is told of again depends only on what was told and on what is true now, not on
// what a recorder saw in between: one that goes on where another has ended tells the same.

// What the map of ids finds keys by.
static uint64_t keyOfKnown(const void* recorder, int32_t index)
{
    return TH_ITEMS(((const thRecorder*)recorder)->known, thRecordedPerson)[index].key;
}

// One take, as all workers see it.
typedef struct Pass {
    const thRecorder* recorder;
    const thWorld* world;
    const thRows* rows;
    Seat* seats;
} Pass;

static thPlace placeOf(const thRecorder* recorder, const Seat* seat)
{
    return toPlace(recorder->world, seat->x, seat->y);
}

static bool isInArea(const thRecorder* recorder, thPlace place)
{
    return !recorder->hasArea || (place.x >= recorder->low.x && place.x <= recorder->high.x &&
                                  place.y >= recorder->low.y && place.y <= recorder->high.y);
}

// From rows to seats.

static void noteGoal(const Pass* pass, Seat* seat, int32_t row)
{
    const thGoals* goals = &pass->world->goals;
    const int32_t goal = pass->rows->goal[row], index = pass->rows->goalIndex[row];
    // Goals are many and lie anywhere: to look at each every time takes longer than all the rest.
    if ((seat->bits & seatShapeKnown) != 0 && seat->goal == goal && seat->goalIndex == index &&
        !pass->recorder->shapes.goalsMoved)
        return;
    const int32_t shape = thiShapeOfGoal(goals, goal, index, seat->x, seat->y);
    if (shape != seat->shape)
        seat->bits |= seatChanged;
    seat->shape = shape;
    seat->goal = goal;
    seat->goalIndex = index;
    seat->bits &= (uint8_t) ~(seatShapeKnown | seatManyGoals);
    if (!thiDependsOnPlace(goals, goal, index))
        seat->bits |= seatShapeKnown;
    if (goal >= 0 && thiGoalLength(goals, goal) > 1)
        seat->bits |= seatManyGoals;
}

// The length that its planner sees before it, until that is told. Of those with several goals it
// sees only the path to the first, which says nothing about the whole.
static void notePlanned(const Pass* pass, Seat* seat, int32_t row)
{
    const bool isKnown = thiTold(pass->world, row).isKnown && (seat->bits & seatManyGoals) == 0;
    const float remaining = isKnown ? thiTold(pass->world, row).remaining : 0.0f;
    seat->planned = remaining > 0.0f && remaining <= FLT_MAX ? remaining : 0.0f;
    if (seat->planned > 0.0f)
        seat->bits |= seatChanged;
}

static void noteRow(const Pass* pass, Seat* seat, int32_t row)
{
    const thRows* rows = pass->rows;
    const uint32_t take = pass->recorder->takes;
    // Who was away has lost its place among those present, even if it comes back to its slot.
    if (seat->key != rows->key[row] || seat->seenAt != take - 1)
        *seat = (Seat){.key = rows->key[row], .shape = -1, .bits = seatChanged};
    seat->seenAt = take;
    seat->x = rows->px[row];
    seat->y = rows->py[row];
    seat->heading = rows->heading[row];
    if (seat->radius != rows->radius[row] || seat->speed != rows->prefSpeed[row] ||
        seat->level != rows->level[row] || seat->group != rows->group[row] ||
        pass->recorder->shapes.goalsMoved)
        seat->bits |= seatChanged;
    seat->radius = rows->radius[row];
    seat->speed = rows->prefSpeed[row];
    seat->level = rows->level[row];
    seat->group = rows->group[row];
    if (pass->recorder->withoutGoals)
        return;
    noteGoal(pass, seat, row);
    if ((seat->bits & seatPlannedTold) == 0)
        notePlanned(pass, seat, row);
}

static void noteRange(void* context, int32_t begin, int32_t end, int32_t workerIndex)
{
    const Pass* pass = context;
    const thRows* rows = pass->rows;
    SeatSums* sums = &TH_ITEMS(pass->recorder->sums, SeatSums)[workerIndex];
    for (int32_t row = begin; row < end; ++row) {
        // Slots lie anywhere, and the processor cannot guess where.
        if (row + LOOK_AHEAD < end)
            __builtin_prefetch(&pass->seats[rows->slot[row + LOOK_AHEAD]], 1);
        if (rows->flags[row] == 0)
            continue;
        Seat* seat = &pass->seats[rows->slot[row]];
        noteRow(pass, seat, row);
        if (seat->known != 0)
            sums->changed += (seat->bits & seatChanged) != 0;
        else
            sums->unknown += isInArea(pass->recorder, placeOf(pass->recorder, seat));
    }
}

static thResult makeSeats(thArray* seats, int32_t slotCount)
{
    const int32_t more = slotCount - seats->count;
    if (more <= 0)
        return th_resultOk;
    Seat* first = thiArrayAdd(seats, more);
    if (first == NULL)
        return th_resultNoMemory;
    memset(first, 0, (size_t)more * sizeof *first);
    return th_resultOk;
}

// Notes everybody's state in the seats.
static thResult noteAgents(thRecorder* recorder)
{
    const thWorld* world = recorder->world;
    TH_TRY(makeSeats(&recorder->seats, world->agents.view.count));
    recorder->takes += 1;
    memset(recorder->sums.data, 0, (size_t)recorder->sums.count * sizeof(SeatSums));
    Pass pass = {.recorder = recorder,
                 .world = world,
                 .rows = thiRows(world),
                 .seats = TH_ITEMS(recorder->seats, Seat)};
    thTasks_ParallelFor(world->tasks, pass.rows->count, SEAT_GRAIN, noteRange, &pass);
    recorder->shapes.goalsMoved = false; // it is in the seats now
    return th_resultOk;
}

// Ids.

static thResult reserveMore(thArray* array, int64_t more)
{
    const int64_t needed = array->count + more;
    if (needed > INT32_MAX)
        return th_resultNoMemory;
    if (needed <= array->capacity)
        return th_resultOk;
    // Where some come, more will.
    const int64_t ample = array->count == 0 ? needed : TH_MIN(needed + needed / 2, INT32_MAX);
    if (thiArrayReserve(array, (int32_t)ample) == th_resultOk)
        return th_resultOk;
    return thiArrayReserve(array, (int32_t)needed);
}

// Room for everything that follows, whoever of the unknown may turn out to be known.
static thResult makeRoom(thRecorder* recorder, int64_t unknown, int64_t changed)
{
    TH_TRY(reserveMore(&recorder->present, unknown));
    TH_TRY(reserveMore(&recorder->known, unknown));
    recorder->newcomers.count = recorder->people.count = 0;
    TH_TRY(reserveMore(&recorder->newcomers, unknown));
    TH_TRY(reserveMore(&recorder->people, unknown + changed));
    const int64_t knownCount = recorder->known.count + unknown;
    if (unknown > 0)
        TH_TRY(thiKeyMapReserve(&recorder->knownOf, (int32_t)knownCount, keyOfKnown, recorder));
    thArray* columns[] = {&recorder->id, &recorder->x, &recorder->y, &recorder->heading};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; ++i) {
        columns[i]->count = 0;
        TH_TRY(reserveMore(columns[i], recorder->present.count + unknown));
    }
    return th_resultOk;
}

static int byOrder(const void* a, const void* b)
{
    const uint64_t left = ((const SeatRef*)a)->order, right = ((const SeatRef*)b)->order;
    return (left > right) - (left < right);
}

static void sort(thArray* seats)
{
    if (seats->count > 1)
        qsort(seats->data, (size_t)seats->count, sizeof(SeatRef), byOrder);
}

static void takeSeat(thRecorder* recorder, int32_t slot, int32_t index)
{
    Seat* taken = &TH_ITEMS(recorder->seats, Seat)[slot];
    const int32_t before = recorder->present.count - 1;
    taken->id = TH_ITEMS(recorder->known, thRecordedPerson)[index].id;
    taken->known = index + 1;
    if (TH_ITEMS(recorder->known, thRecordedPerson)[index].planned > 0.0f)
        taken->bits |= seatPlannedTold;
    if (before >= 0 && TH_ITEMS(recorder->present, SeatRef)[before].order > taken->id)
        recorder->isDisordered = true;
    *(SeatRef*)thiArrayAdd(&recorder->present, 1) = (SeatRef){taken->id, slot};
}

// Those who have an id from before take it; the others become newcomers.
static void seatKnown(thRecorder* recorder)
{
    const Seat* seats = TH_ITEMS(recorder->seats, Seat);
    for (int32_t slot = 0; slot < recorder->seats.count; ++slot) {
        if (seats[slot].known != 0 || seats[slot].seenAt != recorder->takes ||
            !isInArea(recorder, placeOf(recorder, &seats[slot])))
            continue;
        const uint64_t key = seats[slot].key;
        const int32_t index = thiKeyMapFind(&recorder->knownOf, key, keyOfKnown, recorder);
        if (index >= 0)
            takeSeat(recorder, slot, index);
        else
            *(SeatRef*)thiArrayAdd(&recorder->newcomers, 1) = (SeatRef){key, slot};
    }
}

static thRecordedPerson personOf(const thRecorder* recorder, int32_t slot)
{
    const Seat* taken = &TH_ITEMS(recorder->seats, Seat)[slot];
    const thRecordedPerson* told = &TH_ITEMS(recorder->known, thRecordedPerson)[taken->known - 1];
    const int32_t shape = taken->shape;
    return (thRecordedPerson){
        .id = taken->id,
        .key = taken->key,
        .radius = taken->radius,
        .speed = taken->speed,
        .planned = told->planned > 0.0f ? told->planned : taken->planned,
        .level = taken->level,
        .goal = shape >= 0 ? TH_ITEMS(recorder->shapes.indexOfGoal, int32_t)[shape] : -1,
        .group = taken->group,
        .entry = told->entry};
}

// What the scene says of somebody who is new; the rest is told like any change.
static void introduce(thRecorder* recorder, SeatRef newcomer)
{
    const thAgentId agent = {thiIdPoolIdOf(&recorder->world->agents.ids, newcomer.slot)};
    const int32_t index = recorder->known.count;
    const int64_t given = thRun_GetRecordId(recorder->run, agent);
    *(thRecordedPerson*)thiArrayAdd(&recorder->known, 1) =
        (thRecordedPerson){.id = given >= 0 ? (uint32_t)given : recorder->nextId++,
                           .key = newcomer.order,
                           .level = -1, // it was not told of yet
                           .goal = -1,
                           .group = -1,
                           .entry = thRun_GetEntry(recorder->run, agent)};
    thiKeyMapAdd(&recorder->knownOf, newcomer.order, index);
    takeSeat(recorder, newcomer.slot, index);
}

// Gives ids to those who are new in the area. It fails before it changes anything.
static thResult giveIds(thRecorder* recorder)
{
    int64_t unknown = 0, changed = 0;
    for (int32_t i = 0; i < recorder->sums.count; ++i) {
        unknown += TH_ITEMS(recorder->sums, SeatSums)[i].unknown;
        changed += TH_ITEMS(recorder->sums, SeatSums)[i].changed;
    }
    TH_TRY(makeRoom(recorder, unknown, changed));
    if (unknown == 0)
        return th_resultOk;
    seatKnown(recorder);
    sort(&recorder->newcomers);
    for (int32_t i = 0; i < recorder->newcomers.count; ++i)
        introduce(recorder, TH_ITEMS(recorder->newcomers, SeatRef)[i]);
    if (recorder->isDisordered)
        sort(&recorder->present);
    recorder->isDisordered = false;
    return th_resultOk;
}

// From seats to the frame.

static bool samePerson(const thRecordedPerson* a, const thRecordedPerson* b)
{
    return a->id == b->id && a->radius == b->radius && a->speed == b->speed &&
           a->planned == b->planned && a->level == b->level && a->goal == b->goal &&
           a->group == b->group;
}

static void tellIfChanged(thRecorder* recorder, Seat* taken, int32_t slot)
{
    thRecordedPerson* told = &TH_ITEMS(recorder->known, thRecordedPerson)[taken->known - 1];
    const thRecordedPerson person = personOf(recorder, slot);
    taken->bits &= (uint8_t)~seatChanged;
    if (person.planned > 0.0f)
        taken->bits |= seatPlannedTold;
    if (samePerson(told, &person))
        return;
    *told = person;
    *(thRecordedPerson*)thiArrayAdd(&recorder->people, 1) = person;
}

// The columns of the frame, and the people who are to be told of. There is room.
static void fillFrame(thRecorder* recorder)
{
    Seat* seats = TH_ITEMS(recorder->seats, Seat);
    SeatRef* present = TH_ITEMS(recorder->present, SeatRef);
    uint32_t* id = TH_ITEMS(recorder->id, uint32_t);
    double *x = TH_ITEMS(recorder->x, double), *y = TH_ITEMS(recorder->y, double);
    float* heading = TH_ITEMS(recorder->heading, float);
    int32_t kept = 0, count = 0;
    for (int32_t i = 0; i < recorder->present.count; ++i) {
        const int32_t slot = present[i].slot;
        Seat* taken = &seats[slot];
        if (taken->seenAt != recorder->takes || taken->known == 0 || taken->id != present[i].order)
            continue; // it is gone
        if (kept > 0 && present[kept - 1].order == present[i].order)
            continue; // it was gone when a take failed, and is back in its slot
        present[kept++] = present[i];
        const thPlace place = placeOf(recorder, taken);
        if (!isInArea(recorder, place))
            continue;
        id[count] = taken->id;
        x[count] = place.x;
        y[count] = place.y;
        heading[count++] = taken->heading;
        if ((taken->bits & seatChanged) != 0)
            tellIfChanged(recorder, taken, slot);
    }
    recorder->present.count = kept;
    recorder->id.count = recorder->x.count = recorder->y.count = recorder->heading.count = count;
}

// --- A recorder's life -----------------------------------------------------------------------

thRecorderDef thDefaultRecorderDef(void)
{
    return (thRecorderDef){.size = sizeof(thRecorderDef), .allocator = thDefaultAllocator()};
}

static void setUp(thRecorder* recorder)
{
    thMemory* memory = &recorder->memory;
    initShapes(&recorder->shapes, memory);
    recorder->seats = thiArray(memory, sizeof(Seat));
    recorder->sums = thiArray(memory, sizeof(SeatSums));
    recorder->present = thiArray(memory, sizeof(SeatRef));
    recorder->newcomers = thiArray(memory, sizeof(SeatRef));
    recorder->known = thiArray(memory, sizeof(thRecordedPerson));
    recorder->knownOf = thiKeyMap(memory);
    recorder->id = thiArray(memory, sizeof(uint32_t));
    recorder->x = thiArray(memory, sizeof(double));
    recorder->y = thiArray(memory, sizeof(double));
    recorder->heading = thiArray(memory, sizeof(float));
    recorder->people = thiArray(memory, sizeof(thRecordedPerson));
}

static bool isArea(thPlace low, thPlace high)
{
    return thiIsFiniteDouble(low.x) && thiIsFiniteDouble(low.y) && thiIsFiniteDouble(high.x) &&
           thiIsFiniteDouble(high.y) && low.x <= high.x && low.y <= high.y;
}

thResult thCreateRecorder(const thRecorderDef* given, const thRun* run, thRecorder** result)
{
    TH_REQUIRE(result != NULL, th_resultBadArgument);
    *result = NULL;
    thRecorderDef def = thDefaultRecorderDef();
    TH_REQUIRE(run != NULL && thiReadDef(&def, given, sizeof def, sizeof def),
               th_resultBadArgument);
    TH_REQUIRE(def.hasArea == 0 || (def.hasArea == 1 && isArea(def.low, def.high)),
               th_resultBadArgument);
    TH_REQUIRE(def.withoutGoals == 0 || def.withoutGoals == 1, th_resultBadArgument);
    TH_REQUIRE((def.allocator.allocate == NULL) == (def.allocator.release == NULL),
               th_resultBadArgument);
    // The struct itself is not in the account, which is part of it.
    thMemory outside;
    thiMemoryInit(&outside, &def.allocator, 0);
    thRecorder* recorder = thiAllocateZero(&outside, sizeof *recorder);
    if (recorder == NULL)
        return th_resultNoMemory;
    thiMemoryInit(&recorder->memory, &def.allocator, 0);
    recorder->run = run;
    recorder->world = thRun_GetWorld(run);
    recorder->hasArea = def.hasArea == 1;
    recorder->low = def.low;
    recorder->high = def.high;
    recorder->withoutGoals = def.withoutGoals == 1;
    recorder->nextId = (uint32_t)TH_MAX(thRun_GetLastRecordId(run) + 1, 1);
    setUp(recorder);
    if (thiArrayAdd(&recorder->sums, thTasks_GetWorkerCount(recorder->world->tasks)) == NULL) {
        thDestroyRecorder(recorder);
        return th_resultNoMemory;
    }
    *result = recorder;
    return th_resultOk;
}

void thDestroyRecorder(thRecorder* recorder)
{
    if (recorder == NULL)
        return;
    freeShapes(&recorder->shapes);
    thiKeyMapFree(&recorder->knownOf);
    thArray* arrays[] = {&recorder->seats,  &recorder->sums,   &recorder->present,
                         &recorder->known,  &recorder->people, &recorder->newcomers,
                         &recorder->id,     &recorder->x,      &recorder->y,
                         &recorder->heading};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
        thiArrayFree(arrays[i]);
    TH_ASSERT(atomic_load(&recorder->memory.bytes) == 0);
    thMemory outside;
    thiMemoryInit(&outside, &recorder->memory.allocator, 0);
    thiRelease(&outside, recorder, sizeof *recorder);
}

thResult thRecorder_Know(thRecorder* recorder, const thRecordedPerson* people, int32_t count)
{
    TH_REQUIRE(recorder != NULL && (people != NULL || count == 0), th_resultBadArgument);
    TH_REQUIRE(count >= 0 && recorder->takes == 0 && recorder->known.count == 0,
               th_resultBadArgument);
    TH_TRY(thiArrayReserve(&recorder->known, count));
    TH_TRY(thiKeyMapReserve(&recorder->knownOf, count, keyOfKnown, recorder));
    const bool areGiven = thRun_GetLastRecordId(recorder->run) >= 0;
    const uint32_t first = recorder->nextId;
    for (int32_t i = 0; i < count; ++i) {
        const uint64_t key = people[i].key;
        const bool isGiven = areGiven && people[i].id < first;
        if ((!isGiven && people[i].id != recorder->nextId) ||
            thiKeyMapFind(&recorder->knownOf, key, keyOfKnown, recorder) >= 0) {
            thiKeyMapFree(&recorder->knownOf);
            recorder->known.count = 0;
            recorder->nextId = first;
            return th_resultBadArgument;
        }
        recorder->nextId += !isGiven;
        *(thRecordedPerson*)thiArrayAdd(&recorder->known, 1) = people[i];
        thiKeyMapAdd(&recorder->knownOf, key, i);
    }
    return th_resultOk;
}

static thRecording tell(thRecorder* recorder, int64_t number)
{
    thRecording recording = {.frame = {.number = number,
                                       .count = recorder->id.count,
                                       .id = TH_ITEMS(recorder->id, uint32_t),
                                       .x = TH_ITEMS(recorder->x, double),
                                       .y = TH_ITEMS(recorder->y, double),
                                       .heading = TH_ITEMS(recorder->heading, float)},
                             .people = TH_ITEMS(recorder->people, thRecordedPerson),
                             .personCount = recorder->people.count};
    if (recorder->shapes.isNews) {
        recording.shapes = TH_ITEMS(recorder->shapes.shapes, thRecordedShape);
        recording.shapeCount = recorder->shapes.shapes.count;
    }
    recorder->shapes.isNews = false;
    recorder->number = number;
    recorder->hasFrames = true;
    return recording;
}

// All that may fail.
static thResult prepare(thRecorder* recorder)
{
    TH_TRY(updateShapes(&recorder->shapes, recorder->world));
    TH_TRY(noteAgents(recorder));
    return giveIds(recorder);
}

thResult thRecorder_Take(thRecorder* recorder, int64_t number, thRecording* recording)
{
    TH_REQUIRE(recorder != NULL && recording != NULL, th_resultBadArgument);
    TH_REQUIRE(!recorder->world->stepping, th_resultBadArgument);
    TH_REQUIRE(!recorder->hasFrames || number > recorder->number, th_resultBadArgument);
    const thFpEnvironment hostEnvironment = thiFpEnter();
    const thResult code = prepare(recorder);
    if (code == th_resultOk) {
        fillFrame(recorder);
        *recording = tell(recorder, number);
    }
    thiFpRestore(hostEnvironment);
    return code;
}
