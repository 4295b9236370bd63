// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `flow`: down a field that all who have the same goal share, straight to the furthest place
// on the path that is in sight. See flow_field.h for what a field is, and flow_plans.h for which
// there are.

#include "geom/fixed.h"
#include "method/method_params.h"
#include "plan/field/field_world.h"
#include "plan/flow/flow_plans.h"
#include "plan/plan_marks.h"
#include "plan/plan_methods.h"
#include "plan/route/route_aim.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

// An agent that has arrived and stands this near stays where it is. [m]
#define STANDS_WITHIN 0.001f

// A turn by more than 25 degrees is sharp: the square of its cosine.
#define SHARP_COSINE_SQ 0.82f

// What is left of the path where none is known: more than any world is wide. [m]
#define NO_PATH 1.0e6f

#define FLOW_PARAMS(X, T)                                                                          \
    X(T, cell, Float, 0.25, 0.01, 100, "m", "Distance of the nodes of the grid.")                  \
    X(T, cells, Int, 1000000, 64, 100000000, "", "Most nodes of the grid of a floor.")             \
    X(T, fields, Int, 16, 1, 1024, "", "Most fields: one for each goal, floor and size.")          \
    X(T, rate, Int, 20000, 1000, 1000000000, "", "Nodes that are worked on in a step.")            \
    X(T, crowding, Float, 0, 0, 100, "m²", "How much more a path costs in a crowd.")               \
    X(T, refresh, Int, 10, 1, 1000000, "", "Steps after which the crowd is counted anew.")

TH_METHOD_PARAMS("flow", thFlowDef, FLOW_PARAMS);

thFlowDef thDefaultFlowDef(void)
{
    return defaults;
}

// An agent's own bytes.
typedef struct FlowState {
    uint32_t plan; // the last one it went by, as its serial number; 0: none
    uint32_t
        waits; // the one that it goes by next, though its goal may be another when that is done
} FlowState;

static thResult validate(const void* given, thError* error)
{
    return thiCheckParams(&checks, given, error);
}

static thResult create(const thMethodHost* host, const void* given, void** shared)
{
    return thiCreateFlowPlans(host, given, (thFlowPlans**)shared);
}

static void destroy(void* shared)
{
    thiDestroyFlowPlans(shared);
}

static thResult prepare(void* shared, const thFrame* frame, const thTasks* tasks)
{
    (void)tasks;
    return thiPrepareFlowPlans(shared, frame);
}

static thPoint placeOf(const thFrame* frame, int32_t row)
{
    return (thPoint){frame->px[row], frame->py[row]};
}

// How the crowd slows a plan's paths; NULL if that is not known.
static const thSlowField* slowOf(const thFlowPlan* plan)
{
    return plan->slow[0].lengths != NULL ? &plan->slow[0] : NULL;
}

// What is known of an agent's path.
typedef struct Finding {
    thPlanAnswer answer;
    const char* why;
    const thFlowField* field; // NULL where the path is straight
    thFlowAim aim;            // found unless the answer is pending or none
} Finding;

static const thTooLarge sizes[] = {TH_TOO_LARGE("flow")};

static Finding describeFailure(const thFlowPlans* plans, const thFlowPlan* plan)
{
    if (plan == NULL && plans->plans.count < plans->def.fields)
        return (Finding){.answer = th_planPending,
                         .why = "its goal or its size is new since the last step, and fields are "
                                "begun in steps"};
    if (plan == NULL)
        return (Finding){.answer = th_planNone,
                         .why = "there are as many fields as 'fields' of plan 'flow' allows; raise "
                                "'fields', or take plan 'roadmap', which suits many goals"};
    if (plan->floor->grid.tooLarge)
        return (Finding){.answer = th_planNone,
                         .why =
                             thiWhyTooLarge(sizes, TH_COUNT_OF(sizes), plan->floor->grid.needed)};
    if (!plan->fields[0].done)
        return (Finding){.answer = th_planPending, .why = "the field of the goal is being built"};
    return (Finding){.answer = th_planNone, .why = plan->fields[0].whyNone};
}

// Who is at its goal but has no field any more goes straight.
static thFlowAim aimStraight(const thFrame* frame, int32_t row)
{
    thVec2 point = {0.0f, 0.0f};
    (void)thFrame_NearestGoalPoint(frame, row, &point);
    const thPoint p = placeOf(frame, row);
    const double length = sqrt((double)point.x * point.x + (double)point.y * point.y);
    return (thFlowAim){.found = true,
                       .isGoal = true,
                       .to = {p.x + thiUnits(point.x), p.y + thiUnits(point.y)},
                       .next = -1,
                       .left = length * THRONG_UNITS_PER_METRE};
}

static Finding findPath(const thFlowPlans* plans, const thFrame* frame, int32_t row,
                        const thFlowPlan* plan, bool quickly)
{
    thFlowAim aim = {.found = false};
    if (plan == NULL && thiIsAtFieldGoal(frame, row))
        return (Finding){.answer = th_planComplete, .aim = aimStraight(frame, row)};
    const thFlowField* field = plan != NULL ? &plan->fields[0] : NULL;
    if (field != NULL && field->grid != NULL && !field->grid->tooLarge)
        aim = thiFlowAimAmong(field, slowOf(plan), placeOf(frame, row), quickly);
    if (!aim.found)
        return describeFailure(plans, plan);
    return (Finding){.answer = field->isTight ? th_planPartial : th_planComplete,
                     .why = field->isTight ? TH_TIGHT_GOAL : NULL,
                     .field = field,
                     .aim = aim};
}

// Whether the path turns so much at the next corner that overshooting it would be a detour.
static bool turnsSharply(const thFlowField* field, const thFlowAim* aim, float x, float y)
{
    int32_t next = aim->next;
    thPoint to = aim->to;
    if (!thiFlowNext(field, &next, &to))
        return true;
    const float nextX = thiMetresBetween(aim->to.x, to.x);
    const float nextY = thiMetresBetween(aim->to.y, to.y);
    const float along = x * nextX + y * nextY;
    return along <= 0.0f ||
           along * along < SHARP_COSINE_SQ * (x * x + y * y) * (nextX * nextX + nextY * nextY);
}

// Near the goal, or a corner at which the path turns sharply, the speed is what reaches it at the
// end of the step. So agents stop on their goals and take corners without detours.
static void steer(const thBatch* batch, int32_t lane, const Finding* finding)
{
    const thFrame* frame = batch->frame;
    const thFlowAim* aim = &finding->aim;
    const int32_t row = batch->row[lane];
    const thPoint p = placeOf(frame, row);
    const float x = thiMetresBetween(p.x, aim->to.x), y = thiMetresBetween(p.y, aim->to.y);
    const float distance = sqrtf(x * x + y * y), reaching = distance / frame->dt;
    const bool stands = (frame->flags[row] & th_agentArrived) != 0 && distance <= STANDS_WITHIN;
    float speed = batch->prefSpeed[lane];
    if (reaching < speed && (aim->isGoal || turnsSharply(finding->field, aim, x, y)))
        speed = reaching;
    const float share = distance > 0.0f && !stands ? speed / distance : 0.0f;
    batch->cornerX[lane] = x;
    batch->cornerY[lane] = y;
    batch->remaining[lane] = (float)(aim->left / THRONG_UNITS_PER_METRE);
    batch->guideX[lane] = x * share;
    batch->guideY[lane] = y * share;
}

// While a field is built agents keep going as they were, but not faster than they like.
static void goOn(const thBatch* batch, int32_t lane)
{
    const float vx = batch->vx[lane], vy = batch->vy[lane];
    const float speed = sqrtf(vx * vx + vy * vy), wanted = batch->prefSpeed[lane];
    const float share = speed > wanted ? wanted / speed : 1.0f;
    batch->guideX[lane] = vx * share;
    batch->guideY[lane] = vy * share;
}

// The plan stays for another step.
static void hold(thFlowPlan* plan, const thFrame* frame)
{
    if (plan != NULL)
        atomic_store_explicit(&plan->heldAt, frame->step + 1, memory_order_relaxed);
}

// While its field is built an agent goes by the last one it had, if it has the size for that. It
// may get goal after goal before the field of any is done; so it waits for the first, whichever
// goal it has by then, and after that for the next.
static void goByFormer(const thFlowPlans* plans, const thBatch* batch, int32_t lane,
                       const thFlowPlan* plan)
{
    const thFrame* frame = batch->frame;
    const int32_t row = batch->row[lane];
    FlowState* state = batch->state[lane];
    thFlowPlan* waits = thiFindFlowPlanBySerial(plans, state->waits);
    if (waits != NULL && waits->fields[0].done)
        state->plan = state->waits;
    if (waits == NULL || waits->fields[0].done) {
        const bool isBegun = plan != NULL && plan->fields[0].grid != NULL;
        waits = isBegun ? thiFindFlowPlanBySerial(plans, plan->serial) : NULL;
        state->waits = waits != NULL ? waits->serial : 0;
    }
    hold(waits, frame);
    thFlowPlan* former = thiFindFlowPlanBySerial(plans, state->plan);
    hold(former, frame);
    Finding finding = {.answer = th_planPending};
    if (former != NULL && former->fields[0].done && former->floor->level == frame->level[row] &&
        (float)former->floor->size * TH_FLOW_SIZE >= frame->radius[row])
        finding = findPath(plans, frame, row, former, true);
    if (finding.aim.found)
        steer(batch, lane, &finding);
    else
        goOn(batch, lane);
    batch->remaining[lane] = NO_PATH;
}

static void planLane(const thFlowPlans* plans, const thBatch* batch, int32_t lane,
                     const thFlowPlan* plan)
{
    const int32_t row = batch->row[lane];
    const Finding finding = findPath(plans, batch->frame, row, plan, true);
    batch->answer[lane] = (uint8_t)finding.answer;
    batch->remaining[lane] = NO_PATH;
    if (finding.aim.found)
        steer(batch, lane, &finding);
    if (finding.answer == th_planPending)
        goByFormer(plans, batch, lane, plan);
    else
        *(FlowState*)batch->state[lane] = (FlowState){plan != NULL ? plan->serial : 0, 0};
    if ((batch->frame->flags[row] & th_agentWaiting) != 0)
        batch->guideX[lane] = batch->guideY[lane] = 0.0f;
}

static void solve(const thBatch* batch, const void* given, const void* shared)
{
    (void)given;
    const thFlowPlan* plan = NULL;
    thFlowKey last = {0, 0, -1};
    uint8_t* isThere = thArena_Allocate(batch->scratch, (size_t)batch->lanes);
    if (isThere == NULL)
        return;
    thBatch_AreInGoals(batch, isThere);
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        thFlowKey key;
        if (!thiFlowKey(shared, batch->frame, batch->row[lane], &key))
            continue;
        if (key.level != last.level || key.size != last.size || key.goal != last.goal)
            plan = thiFindFlowPlan(shared, key);
        last = key;
        if (isThere[lane] == 0) // who is there needs no field
            planLane(shared, batch, lane, plan);
    }
}

static void addPoint(thPathOut* out, thPoint from, thPoint to)
{
    const double dx = (double)to.x - from.x, dy = (double)to.y - from.y;
    thPathOut_Add(out, to.x, to.y);
    out->length += sqrt(dx * dx + dy * dy) / THRONG_UNITS_PER_METRE;
}

// From anchor to anchor, but without those that can be left aside: where a disc goes round a corner
// there are more than one cares to know.
static void addPoints(const thFlowField* field, thPoint from, const thFlowAim* aim, thPathOut* out)
{
    const thRouteSpace* space = field->grid->space;
    thPoint at = aim->to;
    int32_t next = aim->next;
    for (thPoint after = at; thiFlowNext(field, &next, &after); at = after) {
        if (thiIsClearLeg(space, from, after, TH_ROUTE_SLACK))
            continue;
        addPoint(out, from, at);
        from = at;
    }
    addPoint(out, from, at);
}

// Among a crowd the path is found by going it, a few nodes at a time. Returns where that has led,
// and what comes then.
static thPoint goAlong(const thFlowField* field, const thSlowField* slow, thPoint p, thFlowAim* aim,
                       thPathOut* out)
{
    const thNodeGrid* nodes = &field->grid->nodes;
    for (int32_t i = 2 * (nodes->columns + nodes->rows); i > 0 && !aim->isGoal; --i) {
        const double dx = (double)aim->to.x - p.x, dy = (double)aim->to.y - p.y;
        const double share = TH_MIN(2.0 * nodes->side / sqrt(dx * dx + dy * dy), 1.0);
        const thPoint to = {p.x + (int32_t)lrint(dx * share), p.y + (int32_t)lrint(dy * share)};
        const thFlowAim next = thiFlowAimAmong(field, slow, to, false);
        if (!next.found)
            break;
        addPoint(out, p, to);
        p = to;
        *aim = next;
    }
    return p;
}

static void tellPath(const thFrame* frame, int32_t row, const void* given, const void* shared,
                     const void* state, thPathOut* out)
{
    (void)given;
    (void)state;
    thPoint p = placeOf(frame, row);
    thFlowKey key;
    thPathOut_Add(out, p.x, p.y);
    if (!thiFlowKey(shared, frame, row, &key) || thFrame_IsInGoal(frame, row))
        return;
    const thFlowPlan* plan = thiFindFlowPlan(shared, key);
    Finding finding = findPath(shared, frame, row, plan, false);
    out->answer = finding.answer;
    out->why = finding.why;
    if (!finding.aim.found)
        return;
    if (finding.field == NULL) {
        addPoint(out, p, finding.aim.to);
        return;
    }
    const thSlowField* slow = slowOf(plan);
    if (slow != NULL)
        p = goAlong(finding.field, slow, p, &finding.aim, out);
    addPoints(finding.field, p, &finding.aim, out);
}

static thResult sketch(const thFrame* frame, int32_t row, const void* given, const void* shared,
                       const void* state, thSketch* to)
{
    (void)given;
    (void)state;
    thFlowKey key;
    const thFlowPlan* plan =
        thiFlowKey(shared, frame, row, &key) ? thiFindFlowPlan(shared, key) : NULL;
    const thFlowField* field = plan != NULL ? &plan->fields[0] : NULL;
    // On a floor without walls there are no nodes.
    if (field == NULL || field->grid == NULL || field->grid->nodes.open == NULL)
        return th_resultOk;
    return thiSketchFlowField(field, slowOf(plan), to);
}

static void explain(const thBatch* batch, int32_t lane, const void* given, const void* shared,
                    thExplanation* to)
{
    thiMarkPlan(batch, lane, tellPath, given, shared, to);
}

// --- Saving and loading ----------------------------------------------------------------------
//
// Which fields there are and how far they have come, in little-endian words; what is in them
// follows from that.

static thResult writeWord(thWriter* to, uint64_t word)
{
    uint8_t bytes[8];
    for (int32_t i = 0; i < 8; ++i)
        bytes[i] = (uint8_t)(word >> 8 * i);
    return thWriter_Write(to, bytes, sizeof bytes);
}

static thResult readWord(thReader* from, uint64_t* word)
{
    uint8_t bytes[8] = {0};
    TH_TRY(thReader_Read(from, bytes, sizeof bytes));
    *word = 0;
    for (int32_t i = 0; i < 8; ++i)
        *word |= (uint64_t)bytes[i] << 8 * i;
    return th_resultOk;
}

// A whole number from 0 to `most`.
static thResult readCount(thReader* from, int64_t most, int64_t* count)
{
    uint64_t word;
    TH_TRY(readWord(from, &word));
    if (word > (uint64_t)most)
        return th_resultDamaged;
    *count = (int64_t)word;
    return th_resultOk;
}

static int64_t nodesOf(const thFlowPlan* plan, int32_t which)
{
    const thFlowField* field = &plan->fields[which];
    if (field->grid == NULL)
        return plan->origins[which].nodes;
    return field->done ? TH_FLOW_ALL_NODES : field->lengths.settled;
}

static thResult writeDouble(thWriter* to, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return writeWord(to, bits);
}

static thResult savePoint(thPoint p, thWriter* to)
{
    return writeWord(to, (uint64_t)(uint32_t)p.x << 32 | (uint32_t)p.y);
}

// How far a field has come, and where it was begun.
static thResult saveField(const thFlowPlan* plan, int32_t which, thWriter* to)
{
    const thFlowField* field = &plan->fields[which];
    const thFlowSources* owed = &plan->origins[which].at;
    const bool isOwed = field->grid == NULL;
    const int64_t nodes = nodesOf(plan, which);
    TH_TRY(writeWord(to, (uint64_t)(nodes + 1)));
    if (nodes < 0)
        return th_resultOk;
    const thAnchor* anchors = TH_ITEMS(isOwed ? owed->anchors : field->lengths.anchors, thAnchor);
    const int32_t count = isOwed ? owed->anchors.count : field->sourceCount;
    TH_TRY(writeWord(to, plan->origins[which].shapes));
    TH_TRY(writeWord(to, isOwed ? owed->isTight : field->isTight));
    TH_TRY(writeWord(to, (uint64_t)count));
    for (int32_t i = 0; i < count; ++i) {
        TH_TRY(savePoint(anchors[i].a, to));
        TH_TRY(savePoint(anchors[i].b, to));
        TH_TRY(writeDouble(to, anchors[i].radius));
        TH_TRY(writeDouble(to, anchors[i].left));
    }
    return th_resultOk;
}

static int32_t floorOf(const thFlowPlans* plans, const thFlowPlan* plan)
{
    int32_t index = 0;
    while (TH_ITEMS(plans->floors, thFlowFloor*)[index] != plan->floor)
        index += 1;
    return index;
}

static int64_t nodesOfCrowd(const thFlowPlan* plan, int32_t which)
{
    const thSlowField* slow = &plan->slow[which];
    if (slow->lengths == NULL)
        return plan->crowdOwed[which].nodes;
    return slow->done ? TH_FLOW_ALL_NODES : slow->settled;
}

static thResult saveCounts(const thFlowPlan* plan, int32_t which, thWriter* to)
{
    const thSlowField* slow = &plan->slow[which];
    const thArray* owed = &plan->crowdOwed[which].counts;
    int64_t count = owed->count;
    for (int32_t i = 0; slow->lengths != NULL && i < thiBlockCount(slow); ++i)
        count += slow->counts[i] != 0;
    TH_TRY(writeWord(to, (uint64_t)count));
    for (int32_t i = 0; i < owed->count; ++i) {
        const thBlockCount item = TH_ITEMS(*owed, thBlockCount)[i];
        TH_TRY(writeWord(to, (uint64_t)(uint32_t)item.block << 32 | (uint32_t)item.count));
    }
    for (int32_t i = 0; slow->lengths != NULL && i < thiBlockCount(slow); ++i)
        if (slow->counts[i] != 0)
            TH_TRY(writeWord(to, (uint64_t)(uint32_t)i << 32 | (uint32_t)slow->counts[i]));
    return th_resultOk;
}

static thResult saveCrowd(const thFlowPlan* plan, int32_t which, thWriter* to)
{
    const int64_t nodes = nodesOfCrowd(plan, which);
    TH_TRY(writeWord(to, (uint64_t)(nodes + 1)));
    return nodes >= 0 ? saveCounts(plan, which, to) : th_resultOk;
}

static thResult save(const void* shared, thWriter* to)
{
    const thFlowPlans* plans = shared;
    TH_TRY(writeWord(to, (uint64_t)plans->sizes.width));
    TH_TRY(writeWord(to, (uint64_t)plans->sizes.largest));
    TH_TRY(writeWord(to, plans->serial));
    TH_TRY(writeWord(to, (uint64_t)plans->floors.count));
    for (int32_t i = 0; i < plans->floors.count; ++i) {
        const thFlowFloor* floor = TH_ITEMS(plans->floors, thFlowFloor*)[i];
        TH_TRY(writeWord(to, (uint64_t)floor->level));
        TH_TRY(writeWord(to, (uint64_t)floor->size));
        TH_TRY(writeWord(to, floor->walls));
        TH_TRY(writeWord(to, (uint64_t)TH_MAX(floor->rowsOwed, floor->grid.rowsDone)));
    }
    TH_TRY(writeWord(to, (uint64_t)plans->plans.count));
    for (int32_t i = 0; i < plans->plans.count; ++i) {
        const thFlowPlan* plan = TH_ITEMS(plans->plans, thFlowPlan*)[i];
        TH_TRY(writeWord(to, (uint64_t)floorOf(plans, plan)));
        TH_TRY(writeWord(to, (uint64_t)plan->goal));
        TH_TRY(writeWord(to, plan->goalId));
        TH_TRY(writeWord(to, plan->shapes));
        TH_TRY(writeWord(to, plan->serial));
        TH_TRY(writeWord(to, plan->heldAt));
        TH_TRY(writeWord(to, plan->begunAt));
        TH_TRY(saveField(plan, 0, to));
        TH_TRY(saveField(plan, 1, to));
        TH_TRY(writeWord(to, plan->countedAt));
        TH_TRY(saveCrowd(plan, 0, to));
        TH_TRY(saveCrowd(plan, 1, to));
    }
    return th_resultOk;
}

static thResult loadFloor(thFlowPlans* plans, thReader* from)
{
    int64_t level, size, rows;
    uint64_t walls;
    TH_TRY(readCount(from, UINT16_MAX, &level));
    TH_TRY(readCount(from, INT16_MAX, &size));
    TH_TRY(readWord(from, &walls));
    TH_TRY(readCount(from, INT32_MAX, &rows));
    thFlowFloor* floor = thiAllocateZero(&plans->memory, sizeof *floor);
    if (floor == NULL)
        return th_resultNoMemory;
    floor->level = (int32_t)level;
    floor->size = (int32_t)size;
    floor->walls = walls;
    floor->rowsOwed = (int32_t)rows;
    *(thFlowFloor**)thiArrayAdd(&plans->floors, 1) = floor;
    return th_resultOk;
}

static thResult loadCrowd(thOwedCrowd* owed, thReader* from)
{
    int64_t nodes, count;
    TH_TRY(readCount(from, TH_FLOW_ALL_NODES + 1, &nodes));
    owed->nodes = nodes - 1;
    if (owed->nodes < 0)
        return th_resultOk;
    TH_TRY(readCount(from, INT32_MAX, &count));
    // One after the other: a number that lies ends with the bytes.
    for (int64_t i = 0; i < count; ++i) {
        uint64_t word;
        TH_TRY(readWord(from, &word));
        const thBlockCount item = {(int32_t)(word >> 32), (int32_t)(uint32_t)word};
        thBlockCount* added = thiArrayAdd(&owed->counts, 1);
        if (added == NULL)
            return th_resultNoMemory;
        if (item.block < 0 || item.count <= 0)
            return th_resultDamaged;
        *added = item;
    }
    return th_resultOk;
}

// A place in the world.
static thResult loadPoint(thReader* from, thPoint* p)
{
    uint64_t word;
    TH_TRY(readWord(from, &word));
    *p = (thPoint){(int32_t)(uint32_t)(word >> 32), (int32_t)(uint32_t)word};
    const int32_t most = TH_MAX_UNITS;
    return p->x >= -most && p->x <= most && p->y >= -most && p->y <= most ? th_resultOk
                                                                          : th_resultDamaged;
}

// A length within the world. [units]
static thResult loadLength(thReader* from, double* length)
{
    uint64_t word;
    TH_TRY(readWord(from, &word));
    memcpy(length, &word, sizeof *length);
    return *length >= 0.0 && *length <= 4.0 * TH_MAX_UNITS ? th_resultOk : th_resultDamaged;
}

static thResult loadField(thFlowOrigin* origin, thReader* from)
{
    int64_t nodes, isTight, count;
    TH_TRY(readCount(from, TH_FLOW_ALL_NODES + 1, &nodes));
    origin->nodes = nodes - 1;
    if (origin->nodes < 0)
        return th_resultOk;
    TH_TRY(readWord(from, &origin->shapes));
    TH_TRY(readCount(from, 1, &isTight));
    TH_TRY(readCount(from, INT32_MAX, &count));
    origin->at.isTight = isTight == 1;
    // One after the other, as below.
    for (int64_t i = 0; i < count; ++i) {
        thAnchor anchor = {.next = -1};
        TH_TRY(loadPoint(from, &anchor.a));
        TH_TRY(loadPoint(from, &anchor.b));
        TH_TRY(loadLength(from, &anchor.radius));
        TH_TRY(loadLength(from, &anchor.left));
        thAnchor* added = thiArrayAdd(&origin->at.anchors, 1);
        if (added == NULL)
            return th_resultNoMemory;
        *added = anchor;
    }
    return th_resultOk;
}

static thResult loadPlan(thFlowPlans* plans, thReader* from)
{
    int64_t floor, goal, serial;
    uint64_t heldAt;
    thFlowPlan* plan = thiCreateFlowPlan(&plans->memory);
    if (plan == NULL)
        return th_resultNoMemory;
    *(thFlowPlan**)thiArrayAdd(&plans->plans, 1) = plan;
    TH_TRY(readCount(from, (int64_t)plans->floors.count - 1, &floor));
    TH_TRY(readCount(from, INT32_MAX, &goal));
    TH_TRY(readWord(from, &plan->goalId));
    TH_TRY(readWord(from, &plan->shapes));
    TH_TRY(readCount(from, UINT32_MAX, &serial));
    TH_TRY(readWord(from, &heldAt));
    TH_TRY(readWord(from, &plan->begunAt));
    plan->serial = (uint32_t)serial;
    plan->heldAt = heldAt;
    plan->floor = TH_ITEMS(plans->floors, thFlowFloor*)[floor];
    plan->goal = (int32_t)goal;
    TH_TRY(loadField(&plan->origins[0], from));
    TH_TRY(loadField(&plan->origins[1], from));
    TH_TRY(readWord(from, &plan->countedAt));
    TH_TRY(loadCrowd(&plan->crowdOwed[0], from));
    return loadCrowd(&plan->crowdOwed[1], from);
}

static thResult load(void* shared, thReader* from)
{
    thFlowPlans* plans = shared;
    int64_t count, width, largest, serial;
    TH_TRY(readCount(from, TH_FLOW_ALL_SIZES, &width));
    TH_TRY(readCount(from, TH_FLOW_ALL_SIZES, &largest));
    TH_TRY(readCount(from, UINT32_MAX, &serial));
    plans->serial = (uint32_t)serial;
    if (width == 0 || (width & (width - 1)) != 0)
        return th_resultDamaged;
    plans->sizes = (thFlowSizes){(int32_t)width, (int32_t)largest};
    TH_TRY(readCount(from, 2 * (int64_t)plans->def.fields + 1, &count)); // some wait for plans
    TH_TRY(thiArrayReserve(&plans->floors, (int32_t)count));
    for (int64_t i = 0; i < count; ++i)
        TH_TRY(loadFloor(plans, from));
    TH_TRY(readCount(from, plans->floors.count > 0 ? plans->def.fields : 0, &count));
    TH_TRY(thiArrayReserve(&plans->plans, (int32_t)count));
    for (int64_t i = 0; i < count; ++i)
        TH_TRY(loadPlan(plans, from));
    return th_resultOk;
}

const thMethod thiPlanFlow = {.size = sizeof(thMethod),
                              .name = "flow",
                              .version = 4,
                              .stateSize = sizeof(FlowState),
                              .needs = th_needsNoneAtRest,
                              .paramSize = sizeof(thFlowDef),
                              .defaults = &defaults,
                              .validate = validate,
                              .create = create,
                              .destroy = destroy,
                              .prepare = prepare,
                              .solve = solve,
                              .save = save,
                              .load = load,
                              .params = parameters,
                              .paramCount = TH_COUNT_OF(parameters),
                              .explain = explain,
                              .path = tellPath,
                              .sketch = sketch};
