// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Goals: shapes, lists of them, and sets of which the nearest is taken. A goal counts who uses it
// and lives at least as long.

#include "geom/polygon.h"
#include "sim/ranges.h"
#include "sim/world_internal.h"

#include <string.h>

#define LOOK_AHEAD 128 // rows whose aims are fetched beforehand: those of the next batch

thGoalDef thDefaultGoalDef(void)
{
    return (thGoalDef){.size = sizeof(thGoalDef), .kind = th_goalPoint};
}

bool thiIsGoalGroup(thGoalKind kind)
{
    return kind == th_goalList || kind == th_goalAlternatives;
}

static int32_t* childrenOf(const thGoals* goals, const thGoal* goal)
{
    return &TH_ITEMS(goals->children, int32_t)[goal->first];
}

bool thiGoalMayHold(thGoalKind outer, thGoalKind inner)
{
    if (outer == th_goalList)
        return inner != th_goalList;
    return outer == th_goalAlternatives && !thiIsGoalGroup(inner);
}

bool thiIsGoalShape(thGoalKind kind, int32_t pointCount, float radius)
{
    switch (kind) {
    case th_goalPoint:
        return pointCount == 1;
    case th_goalDisc:
        return pointCount == 1 && radius > 0.0f && radius <= (float)THRONG_MAX_COORDINATE;
    case th_goalSegment:
        return pointCount == 2;
    case th_goalPolygon:
        return pointCount >= 3;
    default:
        return false;
    }
}

static bool arePlaces(const thVec2* points, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
        if (!thiIsPlace(points[i]))
            return false;
    return true;
}

static bool areGoals(const thGoals* goals, const thGoalDef* def)
{
    if (def->goals == NULL || def->goalCount < 1)
        return false;
    for (int32_t i = 0; i < def->goalCount; ++i) {
        const int32_t slot = thiIdPoolFind(&goals->ids, def->goals[i].value);
        if (slot < 0 || !thiGoalMayHold(def->kind, thiGoalAt(goals, slot)->kind))
            return false;
    }
    return true;
}

static bool isShape(const thGoalDef* def)
{
    return def->points != NULL && thiIsGoalShape(def->kind, def->pointCount, def->radius) &&
           arePlaces(def->points, def->pointCount);
}

static thResult addPoints(thGoals* goals, const thGoalDef* def)
{
    // A goal is cleaned like a solid obstacle.
    if (def->kind == th_goalPolygon)
        return thiCleanOutline(def->points, def->pointCount, th_obstacleSolid, &goals->points);
    thPoint* points = thiArrayAdd(&goals->points, def->pointCount);
    if (points == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < def->pointCount; ++i)
        points[i] = thiPointOf(def->points[i]);
    return th_resultOk;
}

static thResult addChildren(thGoals* goals, const thGoalDef* def)
{
    int32_t* children = thiArrayAdd(&goals->children, def->goalCount);
    if (children == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < def->goalCount; ++i) {
        children[i] = thiIdPoolFind(&goals->ids, def->goals[i].value);
        thiGoalAt(goals, children[i])->users += 1;
    }
    return th_resultOk;
}

static thResult addGoal(thGoals* goals, const thGoalDef* def, thGoalId* id)
{
    TH_TRY(thiReserveSlot(&goals->ids, &goals->goals));
    const bool group = thiIsGoalGroup(def->kind);
    const thArray* items = group ? &goals->children : &goals->points;
    thGoal goal = {.kind = (uint32_t)def->kind & 7u,
                   .radius = def->kind == th_goalDisc ? def->radius : 0.0f};
    if (thiIsSinglePoint(def->kind)) {
        goal.point = thiPointOf(def->points[0]);
    } else {
        goal.first = items->count;
        TH_TRY(group ? addChildren(goals, def) : addPoints(goals, def));
        goal.count = items->count - goal.first;
    }
    id->value = thiIdPoolTake(&goals->ids);
    goals->goals.count = thiIdPoolSlotCount(&goals->ids);
    *thiGoalAt(goals, THRONG_SLOT(*id)) = goal;
    return th_resultOk;
}

thResult thCreateGoal(thWorld* world, const thGoalDef* given, thGoalId* id)
{
    TH_REQUIRE(id != NULL, th_resultBadArgument);
    *id = (thGoalId){0};
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    thGoalDef def = thDefaultGoalDef();
    TH_REQUIRE(thiReadDef(&def, given, sizeof def, sizeof def), th_resultBadArgument);
    TH_REQUIRE(thiIsGoalGroup(def.kind) ? areGoals(&world->goals, &def) : isShape(&def),
               th_resultBadArgument);
    const thResult code = addGoal(&world->goals, &def, id);
    world->goals.revision += 1;
    TH_REQUIRE(code != th_resultBadArgument, code); // a polygon that is none
    return code;
}

thResult thCreatePointGoal(thWorld* world, thVec2 point, thGoalId* id)
{
    thGoalDef def = thDefaultGoalDef();
    def.points = &point;
    def.pointCount = 1;
    return thCreateGoal(world, &def, id);
}

// Closes the gap that a goal's points or children leave.
static void removeItems(thGoals* goals, const thGoal* gone)
{
    const bool group = thiIsGoalGroup(gone->kind);
    thArray* items = group ? &goals->children : &goals->points;
    const size_t itemSize = (size_t)items->itemSize;
    char* gap = (char*)items->data + (size_t)gone->first * itemSize;
    const int32_t behind = items->count - gone->first - gone->count;
    memmove(gap, gap + (size_t)gone->count * itemSize, (size_t)behind * itemSize);
    items->count -= gone->count;
    for (int32_t slot = 0; slot < goals->goals.count; ++slot) {
        thGoal* goal = thiGoalAt(goals, slot);
        if (!thiIsSinglePoint((thGoalKind)goal->kind) && thiIsGoalGroup(goal->kind) == group &&
            goal->first > gone->first)
            goal->first -= gone->count;
    }
}

thResult thDestroyGoal(thWorld* world, thGoalId id)
{
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    thGoals* goals = &world->goals;
    const int32_t slot = thiIdPoolFind(&goals->ids, id.value);
    TH_REQUIRE(slot >= 0, th_resultBadArgument);
    const thGoal goal = *thiGoalAt(goals, slot);
    TH_REQUIRE(goal.users == 0, th_resultBadArgument);
    if (thiIsGoalGroup(goal.kind))
        for (int32_t i = 0; i < goal.count; ++i)
            thiGoalAt(goals, childrenOf(goals, &goal)[i])->users -= 1;
    if (!thiIsSinglePoint((thGoalKind)goal.kind))
        removeItems(goals, &goal);
    world->goals.revision += 1;
    *thiGoalAt(goals, slot) = (thGoal){.kind = TH_NO_GOAL};
    thiIdPoolGiveBack(&goals->ids, id.value);
    return th_resultOk;
}

// Whether all points of a goal are in the world after it was moved by so much. [units]
static bool staysInWorld(const thGoals* goals, const thGoal* goal, int64_t dx, int64_t dy)
{
    const thPoint* points = thiGoalPoints(goals, goal);
    const int64_t most = TH_MAX_UNITS;
    for (int32_t i = 0; i < thiGoalPointCount(goal); ++i) {
        const int64_t x = points[i].x + dx, y = points[i].y + dy;
        if (x < -most || x > most || y < -most || y > most)
            return false;
    }
    return true;
}

bool thiMoveGoal(thGoals* goals, int32_t slot, thVec2 position)
{
    const thGoal* goal = thiGoalAt(goals, slot);
    if (thiIsGoalGroup(goal->kind))
        return false;
    thPoint* points = (thPoint*)thiGoalPoints(goals, goal);
    const thPoint to = thiPointOf(position);
    const int64_t dx = (int64_t)to.x - points[0].x, dy = (int64_t)to.y - points[0].y;
    if (!staysInWorld(goals, goal, dx, dy))
        return false;
    for (int32_t i = 0; i < thiGoalPointCount(goal); ++i)
        points[i] = (thPoint){(int32_t)(points[i].x + dx), (int32_t)(points[i].y + dy)};
    if (dx != 0 || dy != 0) {
        goals->revision += 1;
        goals->moves += 1;
    }
    return true;
}

thResult thGoal_SetPlace(thWorld* world, thGoalId id, thVec2 position)
{
    TH_REQUIRE(world != NULL && !world->stepping, th_resultBadArgument);
    const int32_t slot = thiIdPoolFind(&world->goals.ids, id.value);
    TH_REQUIRE(slot >= 0 && thiIsPlace(position), th_resultBadArgument);
    TH_REQUIRE(thiMoveGoal(&world->goals, slot, position), th_resultBadArgument);
    return th_resultOk;
}

thResult thGoal_GetPlace(const thWorld* world, thGoalId id, thVec2* position)
{
    TH_REQUIRE(position != NULL, th_resultBadArgument);
    *position = (thVec2){0.0f, 0.0f};
    TH_REQUIRE(world != NULL, th_resultBadArgument);
    const int32_t slot = thiIdPoolFind(&world->goals.ids, id.value);
    TH_REQUIRE(slot >= 0, th_resultBadArgument);
    const thGoal* goal = thiGoalAt(&world->goals, slot);
    TH_REQUIRE(!thiIsGoalGroup(goal->kind), th_resultBadArgument);
    const thPoint first = thiGoalPoints(&world->goals, goal)[0];
    *position = (thVec2){thiMetres(first.x), thiMetres(first.y)};
    return th_resultOk;
}

static thVec2 toShape(const thGoals* goals, const thGoal* goal, thPoint p)
{
    const thPoint* points = thiGoalPoints(goals, goal);
    switch ((thGoalKind)goal->kind) {
    case th_goalDisc:
        return thiToDisc(p, points[0], goal->radius);
    case th_goalSegment:
        return thiToSegment(p, points[0], points[1]);
    case th_goalPolygon:
        return thiToPolygon(p, points, goal->count);
    default:
        return thiToPoint(p, points[0]);
    }
}

// The first of those that are equally near.
static thVec2 toNearest(const thGoals* goals, const thGoal* alternatives, thPoint p, int32_t* slot)
{
    const int32_t* children = childrenOf(goals, alternatives);
    thVec2 nearest = {0.0f, 0.0f};
    float nearestSq = 0.0f;
    for (int32_t i = 0; i < alternatives->count; ++i) {
        const thVec2 to = toShape(goals, thiGoalAt(goals, children[i]), p);
        const float distanceSq = to.x * to.x + to.y * to.y;
        if (i == 0 || distanceSq < nearestSq) {
            nearest = to;
            nearestSq = distanceSq;
            *slot = children[i];
        }
    }
    return nearest;
}

bool thiDependsOnPlace(const thGoals* goals, int32_t slot, int32_t index)
{
    if (slot >= 0 && thiGoalAt(goals, slot)->kind == th_goalList)
        slot = childrenOf(goals, thiGoalAt(goals, slot))[index];
    return slot >= 0 && thiGoalAt(goals, slot)->kind == th_goalAlternatives;
}

int32_t thiShapeOfGoal(const thGoals* goals, int32_t slot, int32_t index, int32_t x, int32_t y)
{
    if (slot >= 0 && thiGoalAt(goals, slot)->kind == th_goalList)
        slot = childrenOf(goals, thiGoalAt(goals, slot))[index];
    if (slot >= 0 && thiGoalAt(goals, slot)->kind == th_goalAlternatives)
        (void)toNearest(goals, thiGoalAt(goals, slot), (thPoint){x, y}, &slot);
    return slot;
}

bool thiNearestGoalPoint(const thGoals* goals, int32_t slot, int32_t index, int32_t x, int32_t y,
                         thVec2* relative)
{
    *relative = (thVec2){0.0f, 0.0f};
    if (slot < 0)
        return false;
    const thGoal* goal = thiGoalAt(goals, slot);
    if (goal->kind == th_goalList) {
        TH_ASSERT(index >= 0 && index < goal->count);
        goal = thiGoalAt(goals, childrenOf(goals, goal)[index]);
    }
    const thPoint p = {x, y};
    if (goal->kind == th_goalPoint) // the most common first
        *relative = thiToPoint(p, goal->point);
    else
        *relative = goal->kind == th_goalAlternatives ? toNearest(goals, goal, p, &slot)
                                                      : toShape(goals, goal, p);
    return true;
}

thPoint thiAimOfGoal(const thGoals* goals, int32_t slot, int32_t index)
{
    if (slot >= 0 && thiGoalAt(goals, slot)->kind == th_goalList)
        slot = childrenOf(goals, thiGoalAt(goals, slot))[index];
    return slot >= 0 && thiGoalAt(goals, slot)->kind == th_goalPoint ? thiGoalAt(goals, slot)->point
                                                                     : (thPoint){TH_NO_AIM, 0};
}

int32_t thiGoalLength(const thGoals* goals, int32_t slot)
{
    const thGoal* goal = thiGoalAt(goals, slot);
    return goal->kind == th_goalList ? goal->count : 1;
}

int32_t thFrame_NearestGoalPoint(const thFrame* frame, int32_t row, thVec2* point)
{
    TH_REQUIRE(frame != NULL && point != NULL, 0);
    *point = (thVec2){0.0f, 0.0f};
    TH_REQUIRE(row >= 0 && row < frame->count, 0);
    return thiNearestGoalPoint(frame->goals, frame->goal[row], frame->goalIndex[row],
                               frame->px[row], frame->py[row], point);
}

static bool isInShape(const thGoals* goals, const thGoal* goal, thPoint p)
{
    const thPoint* points = thiGoalPoints(goals, goal);
    if (goal->kind == th_goalPoint)
        return thiSamePoint(p, points[0]);
    if (goal->kind == th_goalSegment) {
        const thPoint a = points[0], b = points[1];
        if (p.x < TH_MIN(a.x, b.x) || p.x > TH_MAX(a.x, b.x) || p.y < TH_MIN(a.y, b.y) ||
            p.y > TH_MAX(a.y, b.y))
            return false;
    }
    const thVec2 to = toShape(goals, goal, p);
    return to.x == 0.0f && to.y == 0.0f;
}

int32_t thFrame_IsInGoal(const thFrame* frame, int32_t row)
{
    const int32_t slot = thFrame_CurrentGoal(frame, row);
    if (slot < 0)
        return 0;
    const thGoals* goals = frame->goals;
    const thGoal* goal = thiGoalAt(goals, slot);
    const thPoint p = {frame->px[row], frame->py[row]};
    if (goal->kind != th_goalAlternatives)
        return isInShape(goals, goal, p);
    for (int32_t i = 0; i < goal->count; ++i)
        if (isInShape(goals, thiGoalAt(goals, childrenOf(goals, goal)[i]), p))
            return 1;
    return 0;
}

// From an agent to the nearest point of its goal, and whether it has one.
static thVec2 toGoal(const thFrame* frame, int32_t row, thPoint aim)
{
    const thPoint place = {frame->px[row], frame->py[row]};
    thVec2 to = thiToPoint(place, aim);
    if (aim.x == TH_NO_AIM)
        (void)thiNearestGoalPoint(frame->goals, frame->goal[row], frame->goalIndex[row], place.x,
                                  place.y, &to);
    return to;
}

void thBatch_NearestGoalPoints(const thBatch* batch, float* x, float* y, uint8_t* has)
{
    TH_REQUIRE_VOID(batch != NULL && x != NULL && y != NULL && has != NULL);
    const thFrame* frame = batch->frame;
    const int32_t last = frame->count - 1;
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        const int32_t row = batch->row[lane];
        thPoint aim = {TH_NO_AIM, 0};
        if (frame->aims != NULL) {
            aim = frame->aims[frame->slot[row]];
            __builtin_prefetch(&frame->aims[frame->slot[TH_MIN(row + LOOK_AHEAD, last)]]);
        }
        const thVec2 to = toGoal(frame, row, aim);
        x[lane] = to.x;
        y[lane] = to.y;
        has[lane] = frame->goal[row] >= 0;
    }
    for (int32_t lane = batch->count; lane < batch->lanes; ++lane) {
        x[lane] = y[lane] = 0.0f;
        has[lane] = 0;
    }
}

int32_t thFrame_CurrentGoal(const thFrame* frame, int32_t row)
{
    TH_REQUIRE(frame != NULL && row >= 0 && row < frame->count, -1);
    const int32_t slot = frame->goal[row];
    if (slot < 0 || thiGoalAt(frame->goals, slot)->kind != th_goalList)
        return slot;
    return childrenOf(frame->goals, thiGoalAt(frame->goals, slot))[frame->goalIndex[row]];
}

uint64_t thFrame_GetGoalId(const thFrame* frame, int32_t goal)
{
    TH_REQUIRE(frame != NULL, 0);
    const bool isSlot = goal >= 0 && goal < thiIdPoolSlotCount(&frame->goals->ids);
    return isSlot ? thiIdPoolIdOf(&frame->goals->ids, goal) : 0;
}

static thGoalShape shapeAt(const thGoals* goals, int32_t slot)
{
    const thGoal* goal = thiGoalAt(goals, slot);
    return (thGoalShape){.kind = (thGoalKind)goal->kind,
                         .count = thiGoalPointCount(goal),
                         .radius = goal->radius,
                         .goal = slot};
}

int32_t thFrame_GetGoalShapes(const thFrame* frame, int32_t slot, thGoalShape* shapes,
                              int32_t capacity)
{
    TH_REQUIRE(frame != NULL && capacity >= 0 && (capacity == 0 || shapes != NULL), 0);
    const thGoals* goals = frame->goals;
    if (slot < 0 || slot >= goals->goals.count)
        return 0;
    const thGoal* goal = thiGoalAt(goals, slot);
    if (goal->kind == th_goalList || goal->kind == TH_NO_GOAL)
        return 0;
    if (goal->kind != th_goalAlternatives) {
        if (capacity > 0)
            shapes[0] = shapeAt(goals, slot);
        return 1;
    }
    for (int32_t i = 0; i < TH_MIN(goal->count, capacity); ++i)
        shapes[i] = shapeAt(goals, childrenOf(goals, goal)[i]);
    return goal->count;
}

static const thGoal* goalOf(const thFrame* frame, const thGoalShape* shape)
{
    if (frame == NULL || shape == NULL || shape->goal < 0 ||
        shape->goal >= frame->goals->goals.count)
        return NULL;
    const thGoal* goal = thiGoalAt(frame->goals, shape->goal);
    return thiIsGoalGroup(goal->kind) ? NULL : goal;
}

void thFrame_GetShapePoint(const thFrame* frame, const thGoalShape* shape, int32_t index,
                           int32_t* x, int32_t* y)
{
    const thGoal* goal = goalOf(frame, shape);
    TH_REQUIRE_VOID(goal != NULL && x != NULL && y != NULL);
    TH_REQUIRE_VOID(index >= 0 && index < thiGoalPointCount(goal));
    const thPoint point = thiGoalPoints(frame->goals, goal)[index];
    *x = point.x;
    *y = point.y;
}

void thFrame_NearestShapePoint(const thFrame* frame, const thGoalShape* shape, int32_t x, int32_t y,
                               int32_t* nearX, int32_t* nearY)
{
    const thGoal* goal = goalOf(frame, shape);
    TH_REQUIRE_VOID(goal != NULL && nearX != NULL && nearY != NULL);
    const thVec2 to = toShape(frame->goals, goal, (thPoint){x, y});
    *nearX = x + thiUnits(to.x);
    *nearY = y + thiUnits(to.y);
}
