// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Lanes: who walks behind whom, and how much all turn about their middle.

#include "measure/survey/survey_internal.h"

#include <math.h>

// How far lanes are looked at, ahead and behind. [m]
#define SIGHT 5.0
// Of a cell's edge: so much more is searched, because where a place is put may be off by a
// rounding.
#define SLACK 0.001
// Rows of cells that a strip may reach into. Edges are at least 1 m and twice the largest radius,
// so that it is less than 2 (SIGHT + ½) and two more.
#define MOST_ROWS 16

// Where somebody is and goes.
typedef struct Pose {
    double x, y;   // [m]
    double ux, uy; // direction; NaN: it stands
} Pose;

typedef struct thSurveyLanes {
    thArray poses; // Pose, in the grid's order
    double order;  // sum over frames
    uint64_t orderFrames;
    double turning; // sum over frames
    uint64_t turningFrames;
} thSurveyLanes;

static thResult createLanes(thSurvey* survey, thError* error)
{
    (void)error;
    thSurveyLanes* lanes = survey->lanesPart = thiAllocateZero(&survey->memory, sizeof *lanes);
    if (lanes == NULL)
        return th_resultNoMemory;
    lanes->poses = thiArray(&survey->memory, sizeof(Pose));
    return th_resultOk;
}

static void destroyLanes(thSurvey* survey)
{
    thSurveyLanes* lanes = survey->lanesPart;
    if (lanes == NULL)
        return;
    thiArrayFree(&lanes->poses);
    thiRelease(&survey->memory, lanes, sizeof *lanes);
}

// --- Lanes -----------------------------------------------------------------------------------

static thResult findDirections(thSurveyLanes* lanes, const thSurveyFrame* frame)
{
    lanes->poses.count = 0;
    Pose* poses = thiArrayAdd(&lanes->poses, frame->count);
    if (poses == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < frame->count; ++i) {
        const int32_t who = frame->grid->order[i];
        const double vx = frame->vx[who], vy = frame->vy[who];
        const double speed = sqrt(vx * vx + vy * vy);
        const bool isWalking = speed >= TH_SURVEY_WALKING;
        poses[i] = (Pose){frame->x[who], frame->y[who], isWalking ? vx / speed : (double)NAN,
                          isWalking ? vy / speed : (double)NAN};
    }
    return th_resultOk;
}

// Somebody's strip: who is in its lane.
typedef struct Strip {
    double x, y;   // where it is
    double ux, uy; // along the strip
    double half;   // of its width
    double rise;   // 1 ÷ uy; 0 where it hardly rises
} Strip;

typedef struct Lane {
    int32_t same, opposite;
} Lane;

// Without branches, because who is in a strip is as good as random. Those who stand have directions
// that are no numbers, of which nothing is true.
static void countRange(const Pose* poses, const Strip* strip, thGridRange range, Lane* lane)
{
    for (const Pose* other = poses + range.begin; other < poses + range.end; ++other) {
        const double dx = other->x - strip->x, dy = other->y - strip->y;
        const double aside = dx * strip->uy - dy * strip->ux;
        const double ahead = dx * strip->ux + dy * strip->uy;
        const double along = strip->ux * other->ux + strip->uy * other->uy;
        const int isIn = (fabs(aside) <= strip->half) & (fabs(ahead) <= SIGHT);
        lane->same += isIn & (along > 0.0);
        lane->opposite += isIn & (along <= 0.0);
    }
}

// The people of a row in the columns that a strip covers there. `low` and `high` are where the row
// begins and ends, as seen from the strip's middle.
static thGridRange rangeIn(const thSurveyGrid* grid, const Strip* strip, uint64_t row, double low,
                           double high)
{
    double from = -SIGHT, to = SIGHT; // along the strip
    if (strip->rise != 0.0) {
        const double beside = strip->half * fabs(strip->ux);
        const double a = (low - beside) * strip->rise, b = (high + beside) * strip->rise;
        from = TH_MAX(from, TH_MIN(a, b));
        to = TH_MIN(to, TH_MAX(a, b));
    }
    const double beside = strip->half * fabs(strip->uy) + SLACK * grid->cell;
    const double a = from * strip->ux, b = to * strip->ux;
    return thiGridRange(grid, row, thiGridColumn(grid, strip->x + TH_MIN(a, b) - beside),
                        thiGridColumn(grid, strip->x + TH_MAX(a, b) + beside));
}

// `firstRow` is that of the floor. All ranges are found before people are looked at: how many there
// are in a range is as good as random, and what would follow could not be begun before it is known.
static Lane laneOf(const Pose* poses, const thSurveyGrid* grid, const Strip* strip,
                   uint64_t firstRow)
{
    const double slack = SLACK * grid->cell;
    const double reach = SIGHT * fabs(strip->uy) + strip->half * fabs(strip->ux) + slack;
    const uint64_t from = thiGridRow(grid, strip->y - reach);
    const uint64_t to = thiGridRow(grid, strip->y + reach);
    TH_ASSERT(to - from < MOST_ROWS);
    thGridRange ranges[MOST_ROWS];
    int32_t count = 0;
    for (uint64_t row = from; row <= to; ++row) {
        const double low =
            grid->lowY + ((double)(int64_t)row - TH_GRID_MARGIN) * grid->cell - strip->y;
        ranges[count++] =
            rangeIn(grid, strip, firstRow + row, low - slack, low + grid->cell + slack);
    }
    Lane lane = {-1, 0}; // it is in its own strip
    for (int32_t i = 0; i < count; ++i)
        countRange(poses, strip, ranges[i], &lane);
    return lane;
}

static void addOrder(thSurveyLanes* lanes, const thSurveyGrid* grid)
{
    const Pose* poses = lanes->poses.data;
    double sum = 0.0;
    int32_t count = 0;
    for (int32_t cell = 0; cell < grid->cellCount; ++cell) {
        const uint64_t row = grid->cells[cell] >> grid->colBits;
        for (int32_t i = grid->starts[cell]; i < grid->starts[cell + 1]; ++i) {
            const Pose* own = &poses[i];
            if (isnan(own->ux))
                continue;
            const double rise = fabs(own->uy) > 1e-6 ? 1.0 / own->uy : 0.0;
            const Strip strip = {own->x, own->y, own->ux, own->uy, grid->radius[i], rise};
            const Lane lane = laneOf(poses, grid, &strip, row - row % grid->rows);
            if (lane.same + lane.opposite == 0)
                continue;
            const double order =
                (double)(lane.same - lane.opposite) / (double)(lane.same + lane.opposite);
            sum += order * order;
            count += 1;
        }
    }
    if (count > 0) {
        lanes->order += sum / count;
        lanes->orderFrames += 1;
    }
}

// --- Turning about the middle ----------------------------------------------------------------

// The mean place of those who walk. Returns how many they are.
static int32_t findMiddle(const Pose* poses, int32_t count, double* x, double* y)
{
    int32_t walking = 0;
    *x = *y = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        if (isnan(poses[i].ux))
            continue;
        walking += 1;
        *x += (poses[i].x - *x) / walking;
        *y += (poses[i].y - *y) / walking;
    }
    return walking;
}

// Who walks straight to or from the middle, or is there, adds nothing.
static void addTurning(thSurveyLanes* lanes)
{
    const Pose* poses = lanes->poses.data;
    double x, y, sum = 0.0;
    const int32_t walking = findMiddle(poses, lanes->poses.count, &x, &y);
    if (walking < 2)
        return;
    for (int32_t i = 0; i < lanes->poses.count; ++i) {
        const double dx = poses[i].x - x, dy = poses[i].y - y;
        const double distance = sqrt(dx * dx + dy * dy);
        if (distance > 0.0 && !isnan(poses[i].ux))
            sum += (dx * poses[i].uy - dy * poses[i].ux) / distance;
    }
    lanes->turning += sum / walking;
    lanes->turningFrames += 1;
}

static thResult showFrame(thSurvey* survey, const thSurveyFrame* frame)
{
    thSurveyLanes* lanes = survey->lanesPart;
    TH_TRY(findDirections(lanes, frame));
    addOrder(lanes, frame->grid);
    addTurning(lanes);
    return th_resultOk;
}

static thResult endLanes(thSurvey* survey)
{
    const thSurveyLanes* lanes = survey->lanesPart;
    survey->result.laneOrder = thiShareOf(lanes->order, lanes->orderFrames);
    survey->result.angularMomentum = thiShareOf(lanes->turning, lanes->turningFrames);
    return th_resultOk;
}

const thSurveyPart thiLanesPart = {.isFigure = true,
                                   .create = createLanes,
                                   .destroy = destroyLanes,
                                   .showFrame = showFrame,
                                   .end = endLanes};
