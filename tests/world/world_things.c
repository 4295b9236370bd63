// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Profiles, goals and obstacles come and go.

#include "world/world_operations.h"

#include "world/world_senses.h"

#include <math.h>

#define UNITS ((double)THRONG_UNITS_PER_METRE)

// Profiles.

thProfileDef drawProfileDef(Play* play, ModelProfile* profile)
{
    static WatchParams params;
    thGenerator* g = play->g;
    *profile = (ModelProfile){.given = oneIn(g, 3),
                              .watches = !oneIn(g, 4),
                              .everybody = oneIn(g, 5),
                              .scale = oneIn(g, 2) ? 1.0f : drawFloat(g, 0.3f, 1.0f),
                              .tires = oneIn(g, 4) && !play->model.scarce,
                              .stops = oneIn(g, 4) && !play->model.scarce};
    profile->everybody = profile->everybody && profile->watches;
    thProfileDef def = thDefaultProfileDef();
    def.plan.name = profile->given ? "given" : oneIn(g, 2) ? "direct" : NULL;
    def.group.name = profile->tires ? "tires" : NULL;
    params = (WatchParams){profile->scale, profile->stops};
    if (profile->watches)
        def.avoid = (thMethodUse){profile->everybody ? "watch-all" : "watch", &params};
    def.neighborCount = oneIn(g, 3) ? drawInt(g, 0, 32) : drawInt(g, 1, 10);
    // Agents on the lattice stand exactly at the limit of some.
    def.neighborRadius = oneIn(g, 16)  ? 200.0f
                         : oneIn(g, 2) ? 0.5f * (float)drawInt(g, 1, 12)
                                       : drawFloat(g, 0.0f, 8.0f);
    def.wallCount = drawInt(g, 0, 12);
    def.wallRadius = oneIn(g, 16) ? 200.0f : drawFloat(g, 0.0f, 8.0f);
    def.fieldOfView = oneIn(g, 3) ? drawFloat(g, 0.0f, 6.2f) : def.fieldOfView;
    def.needsSight = oneIn(g, 4);
    def.arrivalDistance = oneIn(g, 6) ? 0.0f : drawFloat(g, 0.0f, 1.0f);
    def.arrival = (thArrival)drawInt(g, th_arrivalStop, th_arrivalAgain);
    def.radius = oneIn(g, 8) ? drawFloat(g, 1.0f, 3.0f) : drawFloat(g, 0.0f, 0.4f);
    def.prefSpeed = drawFloat(g, 0.0f, 4.0f);
    def.maxSpeed = drawFloat(g, 0.5f, 5.0f);
    def.maxAccel = drawFloat(g, 0.0f, 10.0f);
    def.yield = oneIn(g, 4) ? 0.0f : drawFloat(g, 0.0f, 3.0f);
    def.keep = th_keepNone; // the model knows nothing of jams
    def.patience = 0.0f;
    profile->def = def;
    return def;
}

Outcome createProfile(Play* play)
{
    int32_t free = 0;
    while (free < MODEL_PROFILES && play->model.profiles[free].id.value != 0)
        free += 1;
    if (free == MODEL_PROFILES)
        return out_skipped;
    ModelProfile profile;
    const thProfileDef def = drawProfileDef(play, &profile);
    thError error;
    CHECK_RESULT(play, thCreateProfile(play->world, &def, &profile.id, &error));
    if (modelFindProfile(&play->model, profile.id.value) >= 0)
        return wrong(play, "a profile's id came twice");
    play->model.profiles[free] = profile;
    return out_done;
}

Outcome destroyProfile(Play* play)
{
    const int32_t i = pickProfile(play);
    if (i < 0 || modelProfileInUse(&play->model, i))
        return out_skipped;
    CHECK_RESULT(play, thDestroyProfile(play->world, play->model.profiles[i].id));
    modelAddStale(&play->model, stale_profile, play->model.profiles[i].id.value);
    play->model.profiles[i] = (ModelProfile){.given = false};
    return out_done;
}

// Goals.

// A star about a centre: always simple, seldom convex, never with three corners on a line. Half of
// them run clockwise.
static int32_t drawStar(thGenerator* g, thVec2 center, thVec2* points)
{
    static const float directions[MODEL_POINTS][2] = {{1.0f, 0.0f},  {0.7f, 0.7f},  {0.0f, 1.0f},
                                                      {-0.7f, 0.7f}, {-1.0f, 0.0f}, {-0.7f, -0.7f},
                                                      {0.0f, -1.0f}, {0.7f, -0.7f}};
    const bool clockwise = oneIn(g, 2);
    for (int32_t i = 0; i < MODEL_POINTS; ++i) {
        const int32_t at = clockwise ? MODEL_POINTS - 1 - i : i;
        const float far = at % 2 == 0 ? drawFloat(g, 2.0f, 4.0f) : drawFloat(g, 0.5f, 1.0f);
        points[i] =
            (thVec2){center.x + far * directions[at][0], center.y + far * directions[at][1]};
    }
    return MODEL_POINTS;
}

static bool mayHold(thGoalKind outer, thGoalKind inner)
{
    return inner != th_goalList && (outer == th_goalList || inner != th_goalAlternatives);
}

static int32_t drawChildren(Play* play, ModelGoal* goal, thGoalId* ids)
{
    const int32_t wanted = drawInt(play->g, 1, 4);
    int32_t count = 0;
    for (int32_t tries = 0; tries < 12 && count < wanted; ++tries) {
        const int32_t child = pickGoal(play);
        if (child < 0 || !mayHold(goal->kind, play->model.goals[child].kind))
            continue;
        goal->goals[count] = child;
        ids[count++] = play->model.goals[child].id;
    }
    return count;
}

Outcome createGoal(Play* play)
{
    thGenerator* g = play->g;
    int32_t free = 0;
    while (free < MODEL_GOALS && play->model.goals[free].id.value != 0)
        free += 1;
    if (free == MODEL_GOALS)
        return out_skipped;
    ModelGoal goal = {.kind = oneIn(g, 4)
                                  ? th_goalList
                                  : (thGoalKind)drawInt(g, th_goalPoint, th_goalAlternatives)};
    thVec2 points[MODEL_POINTS];
    thGoalId ids[MODEL_POINTS];
    // Mostly within a few steps of everybody, so that many arrive.
    points[0] = oneIn(g, 3) ? drawPosition(g)
                            : (thVec2){drawFloat(g, -4.0f, 4.0f), drawFloat(g, -4.0f, 4.0f)};
    points[1] = (thVec2){points[0].x + drawFloat(g, -5.0f, 5.0f), points[0].y + 0.75f};
    thGoalDef def = thDefaultGoalDef();
    def.kind = goal.kind;
    def.points = points;
    def.goals = ids;
    goal.count = goal.kind == th_goalSegment ? 2 : 1;
    if (goal.kind == th_goalDisc)
        def.radius = goal.radius = drawFloat(g, 0.1f, 3.0f);
    if (goal.kind == th_goalPolygon)
        goal.count = drawStar(g, points[0], points);
    if (goal.kind == th_goalList || goal.kind == th_goalAlternatives) {
        goal.count = def.goalCount = drawChildren(play, &goal, ids);
        if (goal.count == 0)
            return out_skipped;
    } else {
        def.pointCount = goal.count;
        for (int32_t i = 0; i < goal.count; ++i)
            goal.points[i] = placeOf(points[i]);
    }
    CHECK_RESULT(play, goal.kind == th_goalPoint && oneIn(g, 2)
                           ? thCreatePointGoal(play->world, points[0], &goal.id)
                           : thCreateGoal(play->world, &def, &goal.id));
    if (modelFindGoal(&play->model, goal.id.value) >= 0)
        return wrong(play, "a goal's id came twice");
    play->model.goals[free] = goal;
    return out_done;
}

Outcome destroyGoal(Play* play)
{
    const int32_t i = pickGoal(play);
    if (i < 0 || modelGoalInUse(&play->model, i))
        return out_skipped;
    CHECK_RESULT(play, thDestroyGoal(play->world, play->model.goals[i].id));
    modelAddStale(&play->model, stale_goal, play->model.goals[i].id.value);
    play->model.goals[i] = (ModelGoal){.count = 0};
    return out_done;
}

// Which point of a polygon is the first, only the world knows.
Outcome moveGoal(Play* play)
{
    const int32_t i = pickGoal(play);
    if (i < 0 || play->model.goals[i].kind > th_goalPolygon)
        return out_skipped;
    const thVec2 to = {drawFloat(play->g, -4.0f, 4.0f), drawFloat(play->g, -4.0f, 4.0f)};
    const thGoalId id = play->model.goals[i].id;
    thVec2 from;
    CHECK_RESULT(play, thGoal_GetPlace(play->world, id, &from));
    Place first = play->model.goals[i].points[0];
    for (int32_t k = 0; k < play->model.goals[i].count; ++k)
        if ((float)play->model.goals[i].points[k].x / THRONG_UNITS_PER_METRE == from.x &&
            (float)play->model.goals[i].points[k].y / THRONG_UNITS_PER_METRE == from.y)
            first = play->model.goals[i].points[k];
    CHECK_RESULT(play, thGoal_SetPlace(play->world, id, to));
    modelMoveGoal(&play->model, i, first, placeOf(to));
    return out_done;
}

// Obstacles.

// A box, a triangle or a zigzag on a lattice of quarters of a metre.
static int32_t drawOutline(thGenerator* g, thObstacleKind kind, thVec2* points)
{
    // Most rooms hold most agents: outside of rooms is solid.
    const bool isHall = kind == th_obstacleRoom && !oneIn(g, 4);
    const float x = isHall ? quarters(g, -160, -60) : quarters(g, -50, 50);
    const float y = isHall ? quarters(g, -160, -60) : quarters(g, -50, 50);
    const float w = isHall ? quarters(g, 120, 320) : quarters(g, 1, 24);
    const float h = isHall ? quarters(g, 120, 320) : quarters(g, 1, 24);
    if (kind == th_obstacleWall) {
        const int32_t count = drawInt(g, 2, 5);
        for (int32_t i = 0; i < count; ++i)
            points[i] = (thVec2){x + (float)i * w, i % 2 == 0 ? y : y + quarters(g, 1, 24)};
        return count;
    }
    points[0] = (thVec2){x, y};
    points[1] = (thVec2){x + w, y};
    points[2] = (thVec2){x + w, y + h};
    points[3] = (thVec2){x, y + h};
    return oneIn(g, 3) ? 3 : 4;
}

// The same outline, badly drawn: from either end, with points twice and points between corners.
static int32_t spoilOutline(thGenerator* g, const thVec2* points, int32_t count, bool closed,
                            thVec2* spoilt)
{
    const bool turned = oneIn(g, 2);
    int32_t total = 0;
    for (int32_t i = 0; i < count; ++i) {
        const thVec2 a = points[turned ? count - 1 - i : i];
        const thVec2 b = points[turned ? (2 * count - 2 - i) % count : (i + 1) % count];
        spoilt[total++] = a;
        if (oneIn(g, 4))
            spoilt[total++] = a;
        if (oneIn(g, 4) && (closed || i + 1 < count))
            spoilt[total++] = (thVec2){0.5f * (a.x + b.x), 0.5f * (a.y + b.y)};
    }
    return total;
}

static void drawMotion(thGenerator* g, thObstacleDef* def, ModelObstacle* obstacle, thVec2* path)
{
    def->position = drawPosition(g);
    def->angle = drawFloat(g, -9.0f, 9.0f);
    def->velocity = drawVelocity(g, 4.0f);
    def->spin = oneIn(g, 2) ? 0.0f : drawFloat(g, -2.0f, 2.0f);
    def->pathCount = oneIn(g, 2) ? 0 : drawInt(g, 1, 5);
    def->path = path;
    def->pathSpeed = drawFloat(g, 0.0f, 5.0f);
    def->pathLoops = oneIn(g, 2);
    const bool stands = oneIn(g, 8);
    for (int32_t i = 0; i < def->pathCount; ++i) {
        path[i] = stands ? (thVec2){1.0f, 2.0f} : (thVec2){quarters(g, -9, 9), quarters(g, -9, 9)};
        obstacle->path[i] = placeOf(path[i]);
    }
    const Place at = def->pathCount > 0 ? obstacle->path[0] : placeOf(def->position);
    obstacle->x = at.x;
    obstacle->y = at.y;
    obstacle->angle = (double)def->angle;
    obstacle->velocity = def->velocity;
    obstacle->spin = def->spin;
    obstacle->pathCount = def->pathCount;
    obstacle->pathAt = def->pathCount > 0;
    obstacle->pathSpeed = def->pathSpeed;
    obstacle->pathLoops = def->pathLoops != 0;
    modelPassPoints(obstacle);
}

static double outerRadius(const Place* points, int32_t count)
{
    double largest = 0.0;
    for (int32_t i = 0; i < count; ++i)
        largest = fmax(largest, hypot((double)points[i].x, (double)points[i].y));
    return largest / UNITS;
}

Outcome createObstacle(Play* play)
{
    thGenerator* g = play->g;
    int32_t free = 0;
    while (free < MODEL_OBSTACLES && play->model.obstacles[free].id.value != 0)
        free += 1;
    if (free == MODEL_OBSTACLES)
        return out_skipped;
    thVec2 outline[MODEL_POINTS], spoilt[3 * MODEL_POINTS], path[MODEL_POINTS];
    ModelObstacle obstacle = {
        .kind = (thObstacleKind)drawInt(g, th_obstacleSolid, th_obstacleMovingPolygon),
        .level = drawLevel(g)};
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = obstacle.kind;
    def.level = obstacle.level;
    if (obstacle.kind != th_obstacleMovingDisc) {
        obstacle.count = drawOutline(g, obstacle.kind, outline);
        def.points = spoilt;
        def.pointCount =
            spoilOutline(g, outline, obstacle.count, obstacle.kind != th_obstacleWall, spoilt);
        for (int32_t i = 0; i < obstacle.count; ++i)
            obstacle.points[i] = placeOf(outline[i]);
        obstacle.radius = outerRadius(obstacle.points, obstacle.count);
    } else {
        def.radius = drawFloat(g, 0.1f, 3.0f);
        obstacle.radius = (double)def.radius;
    }
    if (modelIsMover(&obstacle))
        drawMotion(g, &def, &obstacle, path);
    CHECK_RESULT(play, thCreateObstacle(play->world, &def, &obstacle.id));
    if (modelFindObstacle(&play->model, obstacle.id.value) >= 0)
        return wrong(play, "an obstacle's id came twice");
    play->model.obstacles[free] = obstacle;
    return out_done;
}

Outcome destroyObstacle(Play* play)
{
    const int32_t i = pickObstacle(play);
    if (i < 0)
        return out_skipped;
    CHECK_RESULT(play, thDestroyObstacle(play->world, play->model.obstacles[i].id));
    modelAddStale(&play->model, stale_obstacle, play->model.obstacles[i].id.value);
    play->model.obstacles[i] = (ModelObstacle){.count = 0};
    return out_done;
}

Outcome changeObstacle(Play* play)
{
    thGenerator* g = play->g;
    const int32_t i = pickObstacle(play);
    if (i < 0 || !modelIsMover(&play->model.obstacles[i]))
        return out_skipped;
    ModelObstacle* mover = &play->model.obstacles[i];
    if (oneIn(g, 2)) {
        const thVec2 velocity = drawVelocity(g, 5.0f);
        const float spin = drawFloat(g, -2.0f, 2.0f);
        CHECK_RESULT(play, thObstacle_SetMotion(play->world, mover->id, velocity, spin));
        mover->velocity = velocity;
        mover->spin = spin;
        mover->pathCount = mover->pathAt = 0;
        return out_done;
    }
    const thVec2 position = drawPosition(g);
    const float angle = drawFloat(g, -20.0f, 20.0f);
    CHECK_RESULT(play, thObstacle_SetPlace(play->world, mover->id, position, angle));
    mover->x = placeOf(position).x;
    mover->y = placeOf(position).y;
    mover->angle = (double)angle;
    modelPassPoints(mover);
    return out_done;
}
