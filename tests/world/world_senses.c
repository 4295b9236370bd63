// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Methods that write down what they sense, and the same by brute force over the model.

#include "world/world_senses.h"

#include "throng/math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNITS ((double)THRONG_UNITS_PER_METRE)
#define MAX_SLOTS 1024
// Bodies above this radius are large; at most so many of them are seen. [m]
#define LARGE_RADIUS 1.0f
#define MAX_LARGE 16
// By how much distances may be off. [m]
#define SLACK 0.001

// What a method was given about one agent.
typedef struct Seen {
    int32_t times; // 0: not seen in this step
    float vx, vy, radius, prefSpeed, maxSpeed, maxAccel, yield, heading;
    int32_t goalIndex, group;
    uint32_t flags;
    int32_t neighborCount;
    uint64_t keys[MODEL_AGENTS];
    float nx[MODEL_AGENTS], ny[MODEL_AGENTS], nvx[MODEL_AGENTS], nvy[MODEL_AGENTS];
    float radii[MODEL_AGENTS], shares[MODEL_AGENTS];
    int32_t wallCount;
    Place walls[MODEL_SEGMENTS][2];
    int32_t moverCount;
    int32_t movers[MODEL_OBSTACLES]; // slots
} Seen;

static struct {
    bool on;
    uint64_t step;
    float dt;
    int32_t tooMuch; // something did not fit
    Seen seen[MAX_SLOTS];
} record;

// Some of the agents, others in each step.
static bool isWatched(uint64_t key, uint64_t step)
{
    return (key + step) % 3 == 0;
}

static void writeDown(const thBatch* batch, int32_t lane)
{
    const thFrame* frame = batch->frame;
    const int32_t row = batch->row[lane];
    if (frame->slot[row] >= MAX_SLOTS || batch->neighborCount[lane] > MODEL_AGENTS ||
        batch->wallCount[lane] > MODEL_SEGMENTS || batch->moverCount[lane] > MODEL_OBSTACLES) {
        record.tooMuch = 1;
        return;
    }
    Seen* seen = &record.seen[frame->slot[row]];
    seen->times += 1;
    seen->vx = batch->vx[lane];
    seen->vy = batch->vy[lane];
    seen->radius = batch->radius[lane];
    seen->prefSpeed = batch->prefSpeed[lane];
    seen->maxSpeed = batch->maxSpeed[lane];
    seen->maxAccel = batch->maxAccel[lane];
    seen->yield = frame->yield[row];
    seen->heading = frame->heading[row];
    seen->goalIndex = frame->goalIndex[row];
    seen->group = frame->group[row];
    seen->flags = frame->flags[row];
    seen->neighborCount = batch->neighborCount[lane];
    for (int32_t k = 0; k < seen->neighborCount; ++k) {
        const int32_t at = k * batch->lanes + lane;
        seen->keys[k] = frame->key[batch->nrow[at]];
        seen->nx[k] = batch->nx[at];
        seen->ny[k] = batch->ny[at];
        seen->nvx[k] = batch->nvx[at];
        seen->nvy[k] = batch->nvy[at];
        seen->radii[k] = batch->nradius[at];
        seen->shares[k] = batch->nshare[at];
    }
    seen->wallCount = batch->wallCount[lane];
    for (int32_t k = 0; k < seen->wallCount; ++k) {
        const int32_t wall = batch->wall[k * batch->lanes + lane];
        seen->walls[k][0] = (Place){frame->walls->ax[wall], frame->walls->ay[wall]};
        seen->walls[k][1] = (Place){frame->walls->bx[wall], frame->walls->by[wall]};
    }
    seen->moverCount = batch->moverCount[lane];
    for (int32_t k = 0; k < seen->moverCount; ++k)
        seen->movers[k] = frame->movers->obstacle[batch->mover[k * batch->lanes + lane]];
}

// The methods.

typedef struct Shared {
    thAllocator allocator;
    uint64_t stepCount;
} Shared;

static thResult validateWatch(const void* params, thError* error)
{
    const float scale = ((const WatchParams*)params)->scale;
    if (scale >= 0.0f && scale <= 1.0f)
        return th_resultOk;
    error->code = th_resultBadArgument;
    return th_resultBadArgument;
}

static thResult createWatch(const thMethodHost* host, const void* params, void** shared)
{
    (void)params;
    Shared* made = host->allocator.allocate(host->allocator.context, sizeof *made, 64);
    if (made == NULL)
        return th_resultNoMemory;
    *made = (Shared){.allocator = host->allocator};
    *shared = made;
    return th_resultOk;
}

static void destroyWatch(void* shared)
{
    const thAllocator allocator = ((Shared*)shared)->allocator;
    allocator.release(allocator.context, shared, sizeof(Shared), 64);
}

static thResult prepareWatch(void* shared, const thFrame* frame, const thTasks* tasks)
{
    (void)tasks;
    ((Shared*)shared)->stepCount += 1;
    if (record.on) {
        record.step = frame->step;
        record.dt = frame->dt;
    }
    return th_resultOk;
}

static void solveWatch(const thBatch* batch, const void* params, const void* shared)
{
    const WatchParams* watch = params;
    const bool stops = watch->stops != 0 && ((const Shared*)shared)->stepCount % 5 == 0;
    const float scale = stops ? 0.0f : watch->scale;
    for (int32_t lane = 0; lane < batch->lanes; ++lane) {
        const float x = batch->guideX[lane] * scale, y = batch->guideY[lane] * scale;
        const float speed = sqrtf(x * x + y * y);
        const float share = speed > batch->maxSpeed[lane] ? batch->maxSpeed[lane] / speed : 1.0f;
        batch->outVx[lane] = x * share;
        batch->outVy[lane] = y * share;
    }
    for (int32_t lane = 0; record.on && lane < batch->count; ++lane)
        if (isWatched(batch->frame->key[batch->row[lane]], batch->frame->step))
            writeDown(batch, lane);
}

static thResult saveWatch(const void* shared, thWriter* to)
{
    return thWriter_Write(to, &((const Shared*)shared)->stepCount, sizeof(uint64_t));
}

static thResult loadWatch(void* shared, thReader* from)
{
    return thReader_Read(from, &((Shared*)shared)->stepCount, sizeof(uint64_t));
}

static void solveTires(const thBatch* batch, const void* params, const void* shared)
{
    (void)params;
    (void)shared;
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        uint64_t* steps = batch->state[lane];
        if (*steps % 4 == 3)
            batch->guideX[lane] = batch->guideY[lane] = 0.0f;
        *steps += 1;
    }
}

thResult addWatchMethods(thWorld* world)
{
    static const WatchParams defaults = {.scale = 1.0f};
    thMethod watch = {.size = sizeof watch,
                      .name = "watch",
                      .version = 1,
                      .paramSize = sizeof(WatchParams),
                      .needs = th_needsNeighbors | th_needsWalls | th_needsMovers,
                      .defaults = &defaults,
                      .validate = validateWatch,
                      .create = createWatch,
                      .destroy = destroyWatch,
                      .prepare = prepareWatch,
                      .solve = solveWatch,
                      .save = saveWatch,
                      .load = loadWatch};
    thResult code = thWorld_AddMethod(world, th_methodAvoid, &watch);
    watch.name = "watch-all";
    watch.needs |= th_needsEverybody;
    if (code == th_resultOk)
        code = thWorld_AddMethod(world, th_methodAvoid, &watch);
    const thMethod tires = {.size = sizeof tires,
                            .name = "tires",
                            .version = 3,
                            .stateSize = sizeof(uint64_t),
                            .solve = solveTires};
    return code == th_resultOk ? thWorld_AddMethod(world, th_methodGroup, &tires) : code;
}

void watchFor(bool on)
{
    record.on = on;
    for (int32_t slot = 0; on && slot < MAX_SLOTS; ++slot)
        record.seen[slot].times = 0;
}

// Neighbours by brute force.

typedef struct Neighbor {
    float order; // distance², or the gap of large bodies
    uint64_t key;
    int32_t agent;
} Neighbor;

static int inOrder(const void* left, const void* right)
{
    const Neighbor *a = left, *b = right;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    return a->key < b->key ? -1 : a->key > b->key;
}

static float metresBetween(int32_t from, int32_t to)
{
    return (float)((int64_t)to - from) / (float)THRONG_UNITS_PER_METRE;
}

// Whether one agent sees another, walls aside; nearness is decided in float, as nx and ny are.
static bool mayNotice(const ModelProfile* profile, const ModelAgent* self, const ModelAgent* other,
                      float* order)
{
    if (other->key == 0 || other == self || other->level != self->level ||
        (self->mask & other->layers) == 0)
        return false;
    const float dx = metresBetween(self->at.x, other->at.x);
    const float dy = metresBetween(self->at.y, other->at.y);
    const float distanceSq = dx * dx + dy * dy;
    float reach = profile->def.neighborRadius;
    *order = distanceSq;
    if (other->radius > LARGE_RADIUS) {
        *order = sqrtf(distanceSq) - self->radius - other->radius;
        if (*order > reach)
            return false;
    } else {
        if (self->radius > LARGE_RADIUS)
            reach = reach + self->radius + other->radius;
        if (distanceSq > reach * reach)
            return false;
    }
    if (profile->def.fieldOfView > 6.28f || distanceSq == 0.0f)
        return true;
    float sine, cosine, headingX, headingY;
    thSinCos(0.5f * profile->def.fieldOfView, &sine, &cosine);
    thSinCos(self->heading, &headingY, &headingX);
    return !(dx * headingX + dy * headingY < cosine * sqrtf(distanceSq));
}

static bool isHidden(const Model* model, Place a, Place b, int32_t level)
{
    Place walls[MODEL_SEGMENTS][2];
    int32_t owner[MODEL_SEGMENTS];
    const int32_t count = modelSegments(model, level, walls, owner);
    for (int32_t i = 0; i < count; ++i)
        if (segmentsTouch(a, b, walls[i][0], walls[i][1]))
            return true;
    return false;
}

static int32_t findNeighbors(const Model* model, const ModelAgent* self, bool large, Neighbor* out)
{
    const ModelProfile* profile = &model->profiles[self->profile];
    int32_t count = 0;
    for (int32_t i = 0; i < MODEL_AGENTS; ++i) {
        const ModelAgent* other = &model->agents[i];
        float order;
        if (!mayNotice(profile, self, other, &order) || (other->radius > LARGE_RADIUS) != large ||
            (profile->def.needsSight != 0 && isHidden(model, self->at, other->at, self->level)))
            continue;
        out[count++] = (Neighbor){order, other->key, i};
    }
    qsort(out, (size_t)count, sizeof *out, inOrder);
    return count;
}

static bool neighborsAreRight(Model* model, const ModelAgent* self, const Seen* seen)
{
    const ModelProfile* profile = &model->profiles[self->profile];
    Neighbor right[2 * MODEL_AGENTS];
    int32_t count = findNeighbors(model, self, false, right);
    if (!profile->everybody && count > profile->def.neighborCount)
        count = profile->def.neighborCount;
    const int32_t large = findNeighbors(model, self, true, right + count);
    count += large < MAX_LARGE ? large : MAX_LARGE;
    if (seen->neighborCount != count)
        return modelFail(model, "agent %llu sees %d others, expected %d",
                         (unsigned long long)self->key, seen->neighborCount, count);
    for (int32_t k = 0; k < count; ++k) {
        const ModelAgent* other = &model->agents[right[k].agent];
        if (seen->keys[k] != other->key)
            return modelFail(model, "neighbour %d of %llu is %llu, expected %llu", k,
                             (unsigned long long)self->key, (unsigned long long)seen->keys[k],
                             (unsigned long long)other->key);
        const float sum = self->yield + other->yield;
        const float share = sum > 0.0f ? self->yield / sum : 0.5f;
        if (seen->nx[k] != metresBetween(self->at.x, other->at.x) ||
            seen->ny[k] != metresBetween(self->at.y, other->at.y) ||
            seen->nvx[k] != other->velocity.x || seen->nvy[k] != other->velocity.y ||
            seen->radii[k] != other->radius || fabsf(seen->shares[k] - share) > 1e-6f)
            return modelFail(model, "agent %llu sees %llu wrongly", (unsigned long long)self->key,
                             (unsigned long long)other->key);
    }
    return true;
}

// Walls by brute force.

static double distanceTo(Place p, const Place wall[2])
{
    const Offset offset = offsetToSegment(p, wall[0], wall[1]);
    return sqrt(offset.x * offset.x + offset.y * offset.y);
}

static bool isSameWall(const Place a[2], const Place b[2])
{
    return (a[0].x == b[0].x && a[0].y == b[0].y && a[1].x == b[1].x && a[1].y == b[1].y) ||
           (a[0].x == b[1].x && a[0].y == b[1].y && a[1].x == b[0].x && a[1].y == b[0].y);
}

// The walls of a floor; of several that are the same only one.
static int32_t differentWalls(const Model* model, int32_t level, Place walls[][2])
{
    int32_t owner[MODEL_SEGMENTS];
    const int32_t all = modelSegments(model, level, walls, owner);
    int32_t count = 0;
    for (int32_t i = 0; i < all; ++i) {
        int32_t k = 0;
        while (k < count && !isSameWall(walls[k], walls[i]))
            k += 1;
        if (k < count)
            continue;
        walls[count][0] = walls[i][0];
        walls[count++][1] = walls[i][1];
    }
    return count;
}

// How many walls must be seen if a step reaches that far and sight that far.
static int32_t wantedWalls(const double* distances, int32_t count, double reach, double sight,
                           int32_t most)
{
    int32_t inReach = 0, others = 0;
    for (int32_t i = 0; i < count; ++i) {
        inReach += distances[i] <= reach;
        others += distances[i] > reach && distances[i] <= sight;
    }
    return inReach + (others < most ? others : most);
}

static bool wallsAreRight(Model* model, const ModelAgent* self, const Seen* seen, float dt)
{
    const thProfileDef* def = &model->profiles[self->profile].def;
    Place walls[MODEL_SEGMENTS][2];
    double distances[MODEL_SEGMENTS];
    const int32_t count = differentWalls(model, self->level, walls);
    for (int32_t i = 0; i < count; ++i)
        distances[i] = distanceTo(self->at, walls[i]);
    const double reach = (double)self->radius + (double)self->maxSpeed * (double)dt;
    const int32_t fewest = wantedWalls(distances, count, reach - SLACK,
                                       (double)def->wallRadius - SLACK, def->wallCount);
    const int32_t most = wantedWalls(distances, count, reach + SLACK,
                                     (double)def->wallRadius + SLACK, def->wallCount);
    if (seen->wallCount < fewest || seen->wallCount > most)
        return modelFail(model, "agent %llu sees %d walls, expected %d to %d",
                         (unsigned long long)self->key, seen->wallCount, fewest, most);
    bool isSeen[MODEL_SEGMENTS] = {false};
    double last = 0.0;
    for (int32_t k = 0; k < seen->wallCount; ++k) {
        int32_t i = 0;
        while (i < count && (isSeen[i] || !isSameWall(walls[i], seen->walls[k])))
            i += 1;
        if (i == count || distances[i] < last - SLACK)
            return modelFail(model, "wall %d of agent %llu is wrong", k,
                             (unsigned long long)self->key);
        isSeen[i] = true;
        last = distances[i];
    }
    for (int32_t i = 0; i < count; ++i)
        if (!isSeen[i] && seen->wallCount > 0 && distances[i] < last - SLACK)
            return modelFail(model, "agent %llu does not see a near wall",
                             (unsigned long long)self->key);
    return true;
}

// Moving obstacles by brute force.

static double gapTo(const ModelAgent* self, const ModelObstacle* mover)
{
    const double dx = (mover->x - self->at.x) / UNITS, dy = (mover->y - self->at.y) / UNITS;
    return sqrt(dx * dx + dy * dy) - mover->radius - (double)self->radius;
}

static bool moversAreRight(Model* model, const ModelAgent* self, const Seen* seen)
{
    const double sight = (double)model->profiles[self->profile].def.wallRadius;
    int32_t fewest = 0, most = 0;
    for (int32_t i = 0; i < MODEL_OBSTACLES; ++i) {
        const ModelObstacle* mover = &model->obstacles[i];
        if (mover->id.value == 0 || !modelIsMover(mover) || mover->level != self->level)
            continue;
        const double gap = gapTo(self, mover);
        fewest += gap <= sight - SLACK;
        most += gap <= sight + SLACK;
    }
    if (seen->moverCount < fewest || seen->moverCount > most)
        return modelFail(model, "agent %llu sees %d movers, expected %d to %d",
                         (unsigned long long)self->key, seen->moverCount, fewest, most);
    double last = -1000.0;
    bool isSeen[MODEL_OBSTACLES] = {false};
    for (int32_t k = 0; k < seen->moverCount; ++k) {
        int32_t i = 0;
        while (i < MODEL_OBSTACLES && (model->obstacles[i].id.value == 0 ||
                                       THRONG_SLOT(model->obstacles[i].id) != seen->movers[k]))
            i += 1;
        if (i == MODEL_OBSTACLES || isSeen[i] || gapTo(self, &model->obstacles[i]) < last - SLACK)
            return modelFail(model, "mover %d of agent %llu is wrong", k,
                             (unsigned long long)self->key);
        isSeen[i] = true;
        last = gapTo(self, &model->obstacles[i]);
    }
    return true;
}

static bool ownIsRight(Model* model, const ModelAgent* self, const Seen* seen)
{
    if (seen->times != 1)
        return modelFail(model, "agent %llu was solved %d times", (unsigned long long)self->key,
                         seen->times);
    if (seen->vx != self->velocity.x || seen->vy != self->velocity.y ||
        seen->radius != self->radius || seen->prefSpeed != self->prefSpeed ||
        seen->maxSpeed != self->maxSpeed || seen->maxAccel != self->maxAccel ||
        seen->yield != self->yield || seen->heading != self->heading ||
        seen->goalIndex != self->goalIndex || seen->flags != self->flags ||
        seen->group != self->group)
        return modelFail(model, "agent %llu is not itself", (unsigned long long)self->key);
    return true;
}

bool sensesAreRight(Model* model, const thWorld* world, float dt)
{
    if (record.tooMuch != 0)
        return modelFail(model, "more was seen than there is");
    for (int32_t i = 0; i < MODEL_AGENTS; ++i) {
        const ModelAgent* self = &model->agents[i];
        if (self->key == 0 || !model->profiles[self->profile].watches ||
            (self->flags & th_agentExternal) != 0 || !isWatched(self->key, model->steps))
            continue;
        if (record.step != model->steps || record.dt != dt)
            return modelFail(model, "the frame is of another step");
        // One that a command has just created and that has left again has no slot to look up.
        const thAgentId id = self->id.value != 0 ? self->id : thWorld_FindAgent(world, self->key);
        if (id.value == 0)
            continue;
        const Seen* seen = &record.seen[THRONG_SLOT(id)];
        if (!ownIsRight(model, self, seen) || !neighborsAreRight(model, self, seen) ||
            !wallsAreRight(model, self, seen, dt) || !moversAreRight(model, self, seen))
            return false;
    }
    return true;
}
