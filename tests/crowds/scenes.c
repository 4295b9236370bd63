// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Scenes in code: who stands where, and wants what.

#include "scenes.h"

#include "throng/orca.h"
#include "throng/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void require(thResult code)
{
    if (code != th_resultOk)
        abort(); // a scene that cannot be built is a broken test
}

static thProfileId walkers(thWorld* world, const Scene* scene, const char* avoid, thArrival arrival)
{
    thOrcaDef orca = thDefaultOrcaDef();
    orca.timeHorizon = scene->radius > 0.4f ? 5.0f : 2.0f;
    thProfileDef def = thDefaultProfileDef();
    def.avoid.name = avoid;
    def.avoid.params = strcmp(avoid, "orca") == 0 ? &orca : NULL;
    def.neighborRadius = scene->radius > 0.4f ? 8.0f : 3.75f;
    def.prefSpeed = 1.4f;
    def.maxSpeed = 2.0f;
    def.radius = scene->radius;
    def.arrival = arrival;
    def.arrivalDistance = 0.5f;
    thProfileId id;
    require(thCreateProfile(world, &def, &id, NULL));
    return id;
}

static void addAgent(thWorld* world, thProfileId profile, float x, float y, thGoalId goal)
{
    thAgentDef agent = thDefaultAgentDef();
    agent.profile = profile;
    agent.position = (thVec2){x, y};
    agent.goal = goal;
    thAgentId id;
    require(thCreateAgent(world, &agent, &id));
}

static thGoalId pointGoal(thWorld* world, float x, float y)
{
    thGoalId id;
    require(thCreatePointGoal(world, (thVec2){x, y}, &id));
    return id;
}

static thGoalId segmentGoal(thWorld* world, thVec2 a, thVec2 b)
{
    const thVec2 ends[] = {a, b};
    thGoalDef def = thDefaultGoalDef();
    def.kind = th_goalSegment;
    def.points = ends;
    def.pointCount = 2;
    thGoalId id;
    require(thCreateGoal(world, &def, &id));
    return id;
}

static thGoalId severalGoals(thWorld* world, thGoalKind kind, const thGoalId* goals, int32_t count)
{
    thGoalDef def = thDefaultGoalDef();
    def.kind = kind;
    def.goals = goals;
    def.goalCount = count;
    thGoalId id;
    require(thCreateGoal(world, &def, &id));
    return id;
}

static void addWall(thWorld* world, thVec2 a, thVec2 b)
{
    const thVec2 ends[] = {a, b};
    thObstacleDef def = thDefaultObstacleDef();
    def.kind = th_obstacleWall;
    def.points = ends;
    def.pointCount = 2;
    thObstacleId id;
    require(thCreateObstacle(world, &def, &id));
}

// A number of agents on a circle, each to the opposite point. `size` is the circle's radius. A
// little noise by seed, but for the smallest, whose symmetry is the point.
static void buildCircle(thWorld* world, const Scene* self, const char* avoid, uint64_t seed)
{
    const thProfileId profile = walkers(world, self, avoid, th_arrivalStop);
    for (int32_t i = 0; i < self->count; ++i) {
        const uint64_t stream = thRandomStream(seed, (uint64_t)i, 0, 7);
        float sine, cosine;
        thSinCos(6.2831853f * (float)i / (float)self->count, &sine, &cosine);
        const float noise = self->count > 10 ? 0.02f : 0.0f;
        const float x = self->size * cosine + thRandomRange(stream, 0, -noise, noise);
        const float y = self->size * sine + thRandomRange(stream, 1, -noise, noise);
        addAgent(world, profile, x, y, pointGoal(world, -x, -y));
    }
}

// Two who meet, the second coming at an angle of `size` to the first.
static void buildMeeting(thWorld* world, const Scene* self, const char* avoid, uint64_t seed)
{
    const thProfileId profile = walkers(world, self, avoid, th_arrivalStop);
    // Every seed is an angle of its own, from one side round the front to the other.
    const float angle = self->size + ((float)(seed % 50) / 49.0f - 0.5f) * 5.2f;
    float sine, cosine;
    thSinCos(angle, &sine, &cosine);
    addAgent(world, profile, -6.0f, 0.0f, pointGoal(world, 6.0f, 0.0f));
    addAgent(world, profile, 6.0f * cosine, 6.0f * sine,
             pointGoal(world, -6.0f * cosine, -6.0f * sine));
}

// Agents on a jittered lattice within a box.
static void fillBox(thWorld* world, const Scene* self, thProfileId profile, thVec2 low, thVec2 high,
                    int32_t count, thGoalId goal, uint64_t seed)
{
    const float width = high.x - low.x, height = high.y - low.y;
    const float pitch = sqrtf(width * height / (float)count);
    int32_t columns = (int32_t)(width / pitch);
    columns = columns > 0 ? columns : 1;
    const int32_t rows = (count + columns - 1) / columns;
    const float stepX = width / (float)columns, stepY = height / (float)rows;
    const float free = fminf(stepX, stepY) - 2.0f * self->radius;
    const float jitter = free > 0.02f ? 0.45f * free : 0.0f;
    for (int32_t i = 0; i < count; ++i) {
        const uint64_t stream =
            thRandomStream(seed, (uint64_t)i, (uint64_t)(low.x * 8.0f + 4096.0f), 9);
        const float x = low.x + ((float)(i % columns) + 0.5f) * stepX;
        const float y = low.y + ((float)(i / columns) + 0.5f) * stepY;
        addAgent(world, profile, x + thRandomRange(stream, 0, -jitter, jitter),
                 y + thRandomRange(stream, 1, -jitter, jitter), goal);
    }
}

// Four streams along the diagonals of a square of side `size`: blocks ten wide and as long as it
// takes, each from its corner inwards, to the same place at the opposite corner.
static void buildStreams(thWorld* world, const Scene* self, const char* avoid, uint64_t seed)
{
    const thProfileId profile = walkers(world, self, avoid, th_arrivalStop);
    const float half = 0.5f * self->size, pitch = 0.9f, diagonal = 0.70710678f;
    for (int32_t corner = 0; corner < 4; ++corner) {
        const thVec2 at = {corner % 2 == 0 ? -half : half, corner < 2 ? -half : half};
        const thVec2 in = {at.x < 0.0f ? diagonal : -diagonal, at.y < 0.0f ? diagonal : -diagonal};
        for (int32_t i = 0; i < self->count; ++i) {
            const uint64_t stream = thRandomStream(seed, (uint64_t)i, (uint64_t)corner, 9);
            const float along = pitch * (float)(i / 10) + thRandomRange(stream, 0, -0.05f, 0.05f);
            const float aside =
                pitch * ((float)(i % 10) - 4.5f) + thRandomRange(stream, 1, -0.05f, 0.05f);
            const float x = at.x + along * in.x - aside * in.y;
            const float y = at.y + along * in.y + aside * in.x;
            addAgent(world, profile, x, y, pointGoal(world, x - 2.0f * at.x, y - 2.0f * at.y));
        }
    }
}

// Two streams that cross at right angles.
static void buildCrossing(thWorld* world, const Scene* self, const char* avoid, uint64_t seed)
{
    const thProfileId profile = walkers(world, self, avoid, th_arrivalLeave);
    fillBox(world, self, profile, (thVec2){-20.0f, -2.0f}, (thVec2){-5.0f, 2.0f}, self->count,
            segmentGoal(world, (thVec2){20.0f, -2.0f}, (thVec2){20.0f, 2.0f}), seed);
    fillBox(world, self, profile, (thVec2){-2.0f, -20.0f}, (thVec2){2.0f, -5.0f}, self->count,
            segmentGoal(world, (thVec2){-2.0f, 20.0f}, (thVec2){2.0f, 20.0f}), seed + 1000);
}

// Two groups against each other in a corridor of width `size`.
static void buildCorridor(thWorld* world, const Scene* self, const char* avoid, uint64_t seed)
{
    const thProfileId profile = walkers(world, self, avoid, th_arrivalLeave);
    const float half = 0.5f * self->size, inner = half - self->radius - 0.02f;
    addWall(world, (thVec2){-30.0f, -half}, (thVec2){30.0f, -half});
    addWall(world, (thVec2){-30.0f, half}, (thVec2){30.0f, half});
    fillBox(world, self, profile, (thVec2){-20.0f, -inner}, (thVec2){-1.0f, inner}, self->count,
            segmentGoal(world, (thVec2){20.0f, -inner}, (thVec2){20.0f, inner}), seed);
    fillBox(world, self, profile, (thVec2){1.0f, -inner}, (thVec2){20.0f, inner}, self->count,
            segmentGoal(world, (thVec2){-20.0f, -inner}, (thVec2){-20.0f, inner}), seed + 1000);
}

// A list: through a door, then on.
static thGoalId through(thWorld* world, thGoalId door, thGoalId beyond)
{
    const thGoalId list[] = {door, beyond};
    return severalGoals(world, th_goalList, list, 2);
}

// Doors lie in walls along y. Their goals are a little beyond: who has reached one is through, and
// no wall is in the way to the next.
#define BEYOND 0.55f

static thGoalId doorAt(thWorld* world, float x, float y, float halfWidth)
{
    return segmentGoal(world, (thVec2){x, y - halfWidth}, (thVec2){x, y + halfWidth});
}

// Two groups on both sides of a wall with a door of width `size`.
static void buildDoorway(thWorld* world, const Scene* self, const char* avoid, uint64_t seed)
{
    const thProfileId profile = walkers(world, self, avoid, th_arrivalLeave);
    const float half = 0.5f * self->size, inner = half - self->radius;
    addWall(world, (thVec2){0.0f, -15.0f}, (thVec2){0.0f, -half});
    addWall(world, (thVec2){0.0f, half}, (thVec2){0.0f, 15.0f});
    const thGoalId right = segmentGoal(world, (thVec2){12.0f, -6.0f}, (thVec2){12.0f, 6.0f});
    const thGoalId left = segmentGoal(world, (thVec2){-12.0f, -6.0f}, (thVec2){-12.0f, 6.0f});
    fillBox(world, self, profile, (thVec2){-10.0f, -5.0f}, (thVec2){-2.0f, 5.0f}, self->count,
            through(world, doorAt(world, BEYOND, 0.0f, inner), right), seed);
    fillBox(world, self, profile, (thVec2){2.0f, -5.0f}, (thVec2){10.0f, 5.0f}, self->count,
            through(world, doorAt(world, -BEYOND, 0.0f, inner), left), seed + 1000);
}

// A room of 40 × 30 m with two doors of width `size` in its eastern wall.
static void buildEvacuation(thWorld* world, const Scene* self, const char* avoid, uint64_t seed)
{
    const thProfileId profile = walkers(world, self, avoid, th_arrivalLeave);
    const float half = 0.5f * self->size, inner = half - self->radius;
    const thVec2 outline[] = {{20.0f, 15.0f}, {-20.0f, 15.0f}, {-20.0f, -15.0f}, {20.0f, -15.0f}};
    for (int32_t i = 0; i < 3; ++i)
        addWall(world, outline[i], outline[i + 1]);
    addWall(world, (thVec2){20.0f, -15.0f}, (thVec2){20.0f, -7.0f - half});
    addWall(world, (thVec2){20.0f, -7.0f + half}, (thVec2){20.0f, 7.0f - half});
    addWall(world, (thVec2){20.0f, 7.0f + half}, (thVec2){20.0f, 15.0f});
    thGoalId doors[2];
    for (int32_t i = 0; i < 2; ++i) {
        const float y = i == 0 ? -7.0f : 7.0f;
        doors[i] = doorAt(world, 20.0f + BEYOND, y, inner);
    }
    const thGoalId door = severalGoals(world, th_goalAlternatives, doors, 2);
    const thGoalId beyond = segmentGoal(world, (thVec2){24.0f, -12.0f}, (thVec2){24.0f, 12.0f});
    fillBox(world, self, profile, (thVec2){-19.5f, -14.5f}, (thVec2){18.0f, 14.5f}, self->count,
            through(world, door, beyond), seed);
}

const Scene scenes[] = {
    {"circle-2", buildCircle, 2, 5.0f, 0.25f, 20.0f, false},
    {"circle-3", buildCircle, 3, 5.0f, 0.25f, 20.0f, false},
    {"circle-10", buildCircle, 10, 5.0f, 0.25f, 30.0f, false},
    {"circle-50", buildCircle, 50, 8.0f, 0.25f, 60.0f, false},
    {"circle-250", buildCircle, 250, 30.0f, 0.25f, 150.0f, false},
    {"circle-1k", buildCircle, 1000, 119.4f, 0.25f, 340.0f, false},
    {"circle-1k-large", buildCircle, 1000, 175.0f, 0.5f, 0.0f, true},
    {"meeting", buildMeeting, 2, 0.0f, 0.25f, 30.0f, false},
    {"crossing", buildCrossing, 50, 0.0f, 0.25f, 120.0f, false},
    {"streams-4", buildStreams, 500, 80.0f, 0.25f, 800.0f, true},
    {"corridor", buildCorridor, 100, 3.0f, 0.25f, 0.0f, true},
    {"doorway", buildDoorway, 50, 1.2f, 0.25f, 0.0f, true},
    {"evacuation", buildEvacuation, 1000, 2.0f, 0.25f, 175.0f, false},
    {0},
};

const Scene* findScene(const char* name)
{
    for (const Scene* scene = scenes; scene->name != NULL; ++scene)
        if (strcmp(scene->name, name) == 0)
            return scene;
    return NULL;
}
