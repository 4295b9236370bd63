// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `continuum`: Continuum Crowds of Treuille, Cooper and Popović (2006). Down a potential
// that all who have the same goal share, as fast as the crowd ahead allows. See potential.h for
// what it is, and continuum_plans.h for which there are.

#include "base/core.h"
#include "geom/fixed.h"
#include "method/method_params.h"
#include "plan/continuum/continuum_sketch.h"
#include "plan/field/field_world.h"
#include "plan/plan_marks.h"
#include "plan/plan_methods.h"
#include "plan/route/route_aim.h"

#include <math.h>
#include <stdio.h>

// An agent that has arrived and stands this near stays where it is. [m]
#define STANDS_WITHIN 0.001f

// What is left of the path where none is known: more than any world is wide. [m]
#define NO_PATH 1.0e6f

// Points of a path turn by more than some 8 degrees: the square of the cosine.
#define STRAIGHT_COSINE_SQ 0.98

// clang-format off
#define CONTINUUM_PARAMS(X, T)                                                                     \
    X(T, cell, Float, 0.5, 0.05, 100, "m", "Side of the square cells.")                            \
    X(T, cells, Int, 1000000, 64, 100000000, "", "Most cells of a floor.")                         \
    X(T, fields, Int, 16, 1, 1024, "", "Most potentials: one for each goal and floor.")            \
    X(T, refresh, Int, 1, 1, 1000000, "", "Steps from one rebuilding to the next.")                \
    X(T, exponent, Float, 2, 1, 3, "", "How fast an agent's density falls with the distance.")     \
    X(T, freeDensity, Float, 1.5, 0, 100, "1/m²", "Density up to which people walk freely.")       \
    X(T, fullDensity, Float, 3, 0, 100, "1/m²", "Density at which they go along with the flow.") \
    X(T, speed, Float, 1.4, 0.01, 100, "m/s", "Speed without a crowd, as potentials count it.")    \
    X(T, leastSpeed, Float, 0.1, 0.001, 10, "m/s", "Speed that is left in any crowd.")             \
    X(T, lengthCost, Float, 1, 0, 1000, "", "What a metre costs.")                                 \
    X(T, timeCost, Float, 2, 0, 1000, "1/s", "What a second costs.")                               \
    X(T, discomfortCost, Float, 10, 0, 1000, "1/s", "What a second in discomfort of 1 costs.")     \
    X(T, moversAhead, Float, 2, 0, 60, "s", "How far ahead of moving obstacles it is uncomfortable.") \
    X(T, peopleAhead, Float, 0, 0, 60, "s", "How far ahead of people it is uncomfortable.")
// clang-format on

TH_METHOD_PARAMS("continuum", thContinuumDef, CONTINUUM_PARAMS);

thContinuumDef thDefaultContinuumDef(void)
{
    return defaults;
}

static thResult validate(const void* given, thError* error)
{
    TH_TRY(thiCheckParams(&checks, given, error));
    const thContinuumDef* def = given;
    if (def->freeDensity > def->fullDensity)
        return thiFail(error, th_resultBadArgument,
                       "continuum: freeDensity is %g, expected at most fullDensity, which is %g",
                       (double)def->freeDensity, (double)def->fullDensity);
    if (!(def->lengthCost + def->timeCost > 0.0f))
        return thiFail(error, th_resultBadArgument,
                       "continuum: lengthCost and timeCost are 0, expected one of them above 0");
    return th_resultOk;
}

static thResult create(const thMethodHost* host, const void* given, void** shared)
{
    return thiCreateContinuumPlans(host, given, (thContinuumPlans**)shared);
}

static void destroy(void* shared)
{
    thiDestroyContinuumPlans(shared);
}

static thResult prepare(void* shared, const thFrame* frame, const thTasks* tasks)
{
    return thiPrepareContinuumPlans(shared, frame, tasks);
}

static thPoint placeOf(const thFrame* frame, int32_t row)
{
    return (thPoint){frame->px[row], frame->py[row]};
}

// What is known of an agent's path.
typedef struct Finding {
    thPlanAnswer answer;
    const char* why;
    thContinuumAim aim; // found unless the answer is pending or none
} Finding;

static const thTooLarge sizes[] = {TH_TOO_LARGE("continuum")};

static Finding describeFailure(const thContinuumPlans* plans, const thContinuumPlan* plan)
{
    if (plan == NULL && plans->isShort)
        return (Finding){.answer = th_planNone,
                         .why = "there are as many potentials as 'fields' of plan 'continuum' "
                                "allows; raise 'fields', or take plan 'roadmap', which suits many "
                                "goals"};
    if (plan == NULL)
        return (Finding){.answer = th_planPending,
                         .why =
                             "its goal is new since the last step, in which potentials are made"};
    if (plan->floor->grid.tooLarge)
        return (Finding){.answer = th_planNone,
                         .why =
                             thiWhyTooLarge(sizes, TH_COUNT_OF(sizes), plan->floor->grid.needed)};
    if (plans->builtAt == 0 || plan->floor->grid.space == NULL)
        return (Finding){.answer = th_planPending, .why = "potentials are made in the next step"};
    return (Finding){.answer = th_planNone, .why = plan->whyNone};
}

// Who is at its goal but has no potential goes straight.
static thContinuumAim aimStraight(const thFrame* frame, int32_t row)
{
    thVec2 point = {0.0f, 0.0f};
    (void)thFrame_NearestGoalPoint(frame, row, &point);
    const thPoint p = placeOf(frame, row);
    const float length = sqrtf(point.x * point.x + point.y * point.y);
    const float share = length > 0.0f ? 1.0f / length : 0.0f;
    return (thContinuumAim){.found = true,
                            .isGoal = true,
                            .to = {p.x + thiUnits(point.x), p.y + thiUnits(point.y)},
                            .way = {point.x * share, point.y * share},
                            .left = length};
}

// Whether there is a potential to be asked.
static bool isReady(const thContinuumPlans* plans, const thContinuumPlan* plan)
{
    return plan != NULL && plans->builtAt > 0 && plan->floor->grid.space != NULL &&
           plan->potential.count > 0;
}

static Finding findPath(const thContinuumPlans* plans, const thFrame* frame, int32_t row,
                        const thContinuumPlan* plan)
{
    if (plan == NULL && thiIsAtFieldGoal(frame, row))
        return (Finding){.answer = th_planComplete, .aim = aimStraight(frame, row)};
    thContinuumAim aim = {.found = false};
    if (isReady(plans, plan))
        aim = thiContinuumAimFrom(plan, frame, placeOf(frame, row));
    if (!aim.found)
        return describeFailure(plans, plan);
    return (Finding){.answer = plan->isTight ? th_planPartial : th_planComplete,
                     .why = plan->isTight ? TH_TIGHT_GOAL : NULL,
                     .aim = aim};
}

// How fast an agent goes the way it has found.
static float speedOf(const thContinuumPlans* plans, const thFrame* frame, int32_t row,
                     const thContinuumPlan* plan, const thContinuumAim* aim, thCrowdAt* ahead)
{
    const float wanted = frame->prefSpeed[row];
    *ahead = (thCrowdAt){0.0f, {0.0f, 0.0f}};
    if (plan == NULL)
        return wanted;
    return thiContinuumSpeed(plans, plan->floor, placeOf(frame, row), aim->way, wanted, ahead);
}

static void steer(const thContinuumPlans* plans, const thBatch* batch, int32_t lane,
                  const thContinuumPlan* plan, const thContinuumAim* aim)
{
    const thFrame* frame = batch->frame;
    const int32_t row = batch->row[lane];
    const thPoint p = placeOf(frame, row);
    const float x = thiMetresBetween(p.x, aim->to.x), y = thiMetresBetween(p.y, aim->to.y);
    const float distance = sqrtf(x * x + y * y), reaching = distance / frame->dt;
    thCrowdAt ahead;
    float speed = speedOf(plans, frame, row, plan, aim, &ahead);
    if (aim->isGoal && reaching < speed)
        speed = reaching;
    if ((frame->flags[row] & th_agentArrived) != 0 && aim->isGoal && distance <= STANDS_WITHIN)
        speed = 0.0f;
    batch->cornerX[lane] = x;
    batch->cornerY[lane] = y;
    batch->remaining[lane] = aim->left;
    batch->guideX[lane] = aim->way.x * speed;
    batch->guideY[lane] = aim->way.y * speed;
}

static void planLane(const thContinuumPlans* plans, const thBatch* batch, int32_t lane,
                     const thContinuumPlan* plan)
{
    const int32_t row = batch->row[lane];
    const Finding finding = findPath(plans, batch->frame, row, plan);
    batch->answer[lane] = (uint8_t)finding.answer;
    batch->remaining[lane] = NO_PATH;
    if (finding.aim.found)
        steer(plans, batch, lane, plan, &finding.aim);
    if ((batch->frame->flags[row] & th_agentWaiting) != 0)
        batch->guideX[lane] = batch->guideY[lane] = 0.0f;
}

static void solve(const thBatch* batch, const void* given, const void* shared)
{
    (void)given;
    const thContinuumPlan* plan = NULL;
    thContinuumKey last = {-1, -1};
    uint8_t* isThere = thArena_Allocate(batch->scratch, (size_t)batch->lanes);
    if (isThere == NULL)
        return;
    thBatch_AreInGoals(batch, isThere);
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        thContinuumKey key;
        if (!thiContinuumKey(batch->frame, batch->row[lane], &key))
            continue;
        if (key.level != last.level || key.goal != last.goal)
            plan = thiFindContinuumPlan(shared, batch->frame, key);
        last = key;
        if (isThere[lane] == 0) // who is there needs no path
            planLane(shared, batch, lane, plan);
    }
}

static const thContinuumPlan* planOf(const thContinuumPlans* plans, const thFrame* frame,
                                     int32_t row)
{
    thContinuumKey key;
    return thiContinuumKey(frame, row, &key) ? thiFindContinuumPlan(plans, frame, key) : NULL;
}

// Whether a path goes on from b to c as it came from a.
static bool isStraight(thPoint a, thPoint b, thPoint c)
{
    const double x = (double)b.x - a.x, y = (double)b.y - a.y;
    const double nextX = (double)c.x - b.x, nextY = (double)c.y - b.y;
    const double along = x * nextX + y * nextY;
    return along > 0.0 &&
           along * along >= STRAIGHT_COSINE_SQ * (x * x + y * y) * (nextX * nextX + nextY * nextY);
}

static void addPoint(thPathOut* out, thPoint from, thPoint to)
{
    const double dx = (double)to.x - from.x, dy = (double)to.y - from.y;
    thPathOut_Add(out, to.x, to.y);
    out->length += sqrt(dx * dx + dy * dy) / THRONG_UNITS_PER_METRE;
}

// The path is found by going it. It is straightened where it hardly turns.
static void goAlong(const thContinuumPlan* plan, const thFrame* frame, thPoint p, thPathOut* out)
{
    const thNodeGrid* nodes = plan->potential.nodes;
    const thRouteSpace* space = plan->floor->grid.space;
    thPoint told = p, last = p;
    for (int32_t i = 8 * (nodes->columns + nodes->rows); i > 0; --i) {
        thPoint next = last;
        if (!thiContinuumFollow(plan, frame, &next))
            break;
        if (!thiSamePoint(told, last) &&
            (!isStraight(told, last, next) || !thiIsClearLeg(space, told, next, TH_ROUTE_SLACK))) {
            addPoint(out, told, last);
            told = last;
        }
        last = next;
    }
    if (!thiSamePoint(told, last))
        addPoint(out, told, last);
}

static void tellPath(const thFrame* frame, int32_t row, const void* given, const void* shared,
                     const void* state, thPathOut* out)
{
    (void)given;
    (void)state;
    const thPoint p = placeOf(frame, row);
    thContinuumKey key;
    thPathOut_Add(out, p.x, p.y);
    if (!thiContinuumKey(frame, row, &key) || thFrame_IsInGoal(frame, row))
        return;
    const thContinuumPlan* plan = thiFindContinuumPlan(shared, frame, key);
    const Finding finding = findPath(shared, frame, row, plan);
    out->answer = finding.answer;
    out->why = finding.why;
    if (finding.aim.found && plan == NULL)
        addPoint(out, p, finding.aim.to);
    else if (finding.aim.found)
        goAlong(plan, frame, p, out);
}

static thResult sketch(const thFrame* frame, int32_t row, const void* given, const void* shared,
                       const void* state, thSketch* to)
{
    (void)given;
    (void)state;
    const thContinuumPlan* plan = planOf(shared, frame, row);
    return isReady(shared, plan) ? thiSketchContinuum(shared, plan, frame, to) : th_resultOk;
}

static void explain(const thBatch* batch, int32_t lane, const void* given, const void* shared,
                    thExplanation* to)
{
    const thFrame* frame = batch->frame;
    const int32_t row = batch->row[lane];
    const thContinuumPlan* plan = planOf(shared, frame, row);
    thiMarkPlan(batch, lane, tellPath, given, shared, to);
    const Finding finding = findPath(shared, frame, row, plan);
    if (!finding.aim.found || plan == NULL || thFrame_IsInGoal(frame, row))
        return;
    thCrowdAt ahead;
    char text[128];
    const float speed = speedOf(shared, frame, row, plan, &finding.aim, &ahead);
    const double flow =
        (double)(ahead.velocity.x * finding.aim.way.x + ahead.velocity.y * finding.aim.way.y);
    snprintf(text, sizeof text, "plan: %.2f/m² ahead, flowing at %.2f m/s: %.2f m/s",
             (double)ahead.density, flow, (double)speed);
    thMark mark = thDefaultMark();
    mark.label = text;
    thExplanation_Add(to, &mark);
}

static thResult save(const void* shared, thWriter* to)
{
    return thiSaveContinuumPlans(shared, to);
}

static thResult load(void* shared, thReader* from)
{
    return thiLoadContinuumPlans(shared, from);
}

const thMethod thiPlanContinuum = {.size = sizeof(thMethod),
                                   .name = "continuum",
                                   .version = 1,
                                   .needs = th_needsNoneAtRest,
                                   .paramSize = sizeof(thContinuumDef),
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
