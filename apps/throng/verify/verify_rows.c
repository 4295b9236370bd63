// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Rows that are held against experiments: how each is measured, and when it holds.

#include "verify/verify.h"

#include <math.h>

// --- Measures ---

VerifyMean verifyAreaMean(const RunResult* run, int32_t area, double from, double to)
{
    const thAreaResult result = thSurvey_GetArea(run->survey, area);
    const double rate = appUsualRate(run->stepLength).rate;
    VerifyMean mean = {0};
    int32_t count = 0;
    for (int32_t i = 0; i < result.frameCount; ++i) {
        const thAreaFrame* frame = &result.frames[i];
        const double time = (double)frame->frame / rate;
        if (time < from || time > to || frame->people == 0)
            continue;
        mean.density += frame->density;
        mean.speed += frame->speed;
        mean.voronoiDensity += frame->voronoiDensity;
        mean.voronoiSpeed += frame->voronoiSpeed;
        count += 1;
    }
    const double share = count > 0 ? 1.0 / count : NAN;
    return (VerifyMean){mean.density * share, mean.speed * share, mean.voronoiDensity * share,
                        mean.voronoiSpeed * share};
}

bool verifySteady(const RunResult* run, int32_t line, double* from, double* to)
{
    enum { least = 20 };
    const thLineResult result = thSurvey_GetLine(run->survey, line);
    const int32_t tenth = result.crossingCount / 10;
    if (result.crossingCount < least)
        return false;
    *from = result.crossings[tenth].time;
    *to = result.crossings[result.crossingCount - 1 - tenth].time;
    return true;
}

double verifyFlow(const RunResult* run, int32_t line, double from, double to)
{
    const thLineResult result = thSurvey_GetLine(run->survey, line);
    int32_t count = 0;
    for (int32_t i = 0; i < result.crossingCount; ++i)
        count += result.crossings[i].time >= from && result.crossings[i].time < to;
    return count / (to - from);
}

double verifyFall(double before, double speed)
{
    const double standing = 0.05; // [m/s]
    return before < standing && speed < standing ? NAN : speed / before;
}

double verifyLastArrival(const RunResult* run)
{
    return run->tally.arrived == run->tally.agents && run->waiting == 0 ? run->tally.lastArrival
                                                                        : NAN;
}

// --- One-way corridors: speed by density ---

enum { corridorDensity, corridorSpeed, corridorFlow };
static const char* const corridorFigures[] = {"density [1/m²]", "speed [m/s]", "flow [1/(m s)]",
                                              NULL};

static void measureCorridor(const VerifyCase* self, const RunResult* run, double* figures)
{
    const double from = 10, to = 40;
    const VerifyMean mean = verifyAreaMean(run, 0, from, to);
    figures[corridorDensity] = mean.density;
    figures[corridorSpeed] = mean.speed;
    figures[corridorFlow] = verifyFlow(run, 0, from, to) / self->second;
}

static void judgeCorridor(const VerifyRow* self, const VerifyFigures* figures,
                          VerifyJudgement* judgement)
{
    double before = NAN, steepest = NAN, largest = NAN;
    for (int32_t i = 0; i < self->caseCount; ++i) {
        const double* own = figures->values[i];
        const double real = verifyCorridorSpeed(self->cases[i].x);
        if (isnan(own[corridorSpeed]))
            continue;
        verifyAdd(judgement, "m/s", real, 0.75 * real, 1.25 * real, own[corridorSpeed],
                  "speed at %s", self->cases[i].label);
        steepest = fmax(steepest, verifyFall(before, own[corridorSpeed]));
        largest = fmax(largest, own[corridorFlow]);
        before = own[corridorSpeed];
    }
    verifyAdd(judgement, "", NAN, NAN, 0.99, steepest,
              "largest ratio of a speed to the one before");
    verifyAdd(judgement, "1/(m s)", NAN, 1.2, 1.9, largest, "largest flow");
}

static const char* const openFiles[] = {
    "reference_tables/fd_points/3test_UO/uo-080-300-300.dat",
    "reference_tables/fd_points/3test_UO/uo-100-300-300.dat",
    "reference_tables/fd_points/3test_UO/uo-180-300-300.dat",
    "reference_tables/fd_points/3test_UO/uo-240-300-300.dat",
    "reference_tables/fd_points/3test_UO/uo-300-300-080.dat",
    "reference_tables/fd_points/3test_UO/uo-300-300-160.dat",
    "reference_tables/fd_points/3test_UO/uo-300-300-300.dat",
    NULL,
};

static const VerifyChart corridorChart = {
    .xLabel = "density [1/m²]",
    .yLabel = "speed [m/s]",
    .xFigure = corridorDensity,
    .yFigure = corridorSpeed,
    .curves = verifyCorridorCurves,
    .files = openFiles,
    .filesName = "Jülich, points of 3 m",
};

#define CORRIDOR_CASES(width)                                                                      \
    {                                                                                              \
        {"0.5", "0.5 /m²", 0.5, width}, {"1", "1 /m²", 1.0, width},                                \
            {"1.5", "1.5 /m²", 1.5, width}, {"2", "2 /m²", 2.0, width},                            \
            {"2.5", "2.5 /m²", 2.5, width}, {"3", "3 /m²", 3.0, width},                            \
            {"4", "4 /m²", 4.0, width}, {"5", "5 /m²", 5.0, width},                                \
    }
static const VerifyCase wideCases[] = CORRIDOR_CASES(3.0);
static const VerifyCase narrowCases[] = CORRIDOR_CASES(1.8);
enum { corridorCases = sizeof wideCases / sizeof wideCases[0] };

#define CORRIDOR_TEXTS                                                                             \
    .measured =                                                                                    \
        "160 m are filled at one density, and everybody walks on into 90 m that are empty. Means " \
        "of people per area and of their speed (over 0.6 s) in the 20 m from 80 m on, and people " \
        "over a line at 90 m, from 10 s to 40 s: people from behind the crowd, also the fastest, " \
        "and the gap before it have not come there yet.",                                          \
    .criterion = "Speed falls from each density to the next; up to 4 /m² it is within 25 % of "   \
                 "the mean of Weidmann's curve and Jülich's open corridors (at equal free "       \
                 "speed); the largest flow is 1.2 to 1.9 /(m s)."

static const VerifyRow corridorRow = {
    .name = "corridor",
    .title = "Speed by density, one-way corridor 3 m wide",
    CORRIDOR_TEXTS,
    .cases = wideCases,
    .caseCount = corridorCases,
    .quickCases = 0x6b, // 0.5, 1, 2, 3 and 4 /m²
    .figures = corridorFigures,
    .write = verifyWriteCorridor,
    .measure = measureCorridor,
    .judge = judgeCorridor,
    .chart = &corridorChart,
};

static const VerifyRow narrowRow = {
    .name = "corridor-1.8",
    .title = "Speed by density, one-way corridor 1.8 m wide",
    CORRIDOR_TEXTS,
    .cases = narrowCases,
    .caseCount = corridorCases,
    .figures = corridorFigures,
    .write = verifyWriteCorridor,
    .measure = measureCorridor,
    .judge = judgeCorridor,
    .chart = &corridorChart,
};

// --- Doors: flow by width ---

enum { doorFlow, doorArrived, doorDensity, doorSpeed };
static const char* const doorFigures[] = {"flow [1/(m s)]", "through [share]",
                                          "density in front [1/m²]", "speed in front [m/s]", NULL};

static void measureDoor(const VerifyCase* self, const RunResult* run, double* figures)
{
    const thLineResult line = thSurvey_GetLine(run->survey, 0);
    double from, to;
    figures[doorFlow] = line.steadyFlow / self->x;
    figures[doorArrived] = (double)line.crossingCount / (double)run->tally.agents;
    if (!verifySteady(run, 0, &from, &to))
        return;
    const VerifyMean mean = verifyAreaMean(run, 0, from, to);
    figures[doorDensity] = mean.voronoiDensity;
    figures[doorSpeed] = mean.voronoiSpeed;
}

static void judgeDoors(const VerifyRow* self, const VerifyFigures* figures,
                       VerifyJudgement* judgement)
{
    double before = NAN, least = NAN, through = NAN;
    for (int32_t i = 0; i < self->caseCount; ++i) {
        const VerifyCase* at = &self->cases[i];
        const double* own = figures->values[i];
        if (isnan(own[doorFlow]))
            continue;
        const bool isBound = at->x > 0.85;
        verifyAdd(judgement, "1/(m s)", verifyDoorFlow(at->x), isBound ? 1.5 : NAN,
                  isBound ? 2.2 : NAN, own[doorFlow], "flow at %s", at->label);
        least = fmin(least, own[doorFlow] * at->x / before);
        through = fmin(through, own[doorArrived]);
        before = own[doorFlow] * at->x;
    }
    verifyAdd(judgement, "", NAN, 1.0, NAN, least, "least ratio of people/s to the door before");
    verifyAdd(judgement, "", NAN, 0.999, NAN, through, "least share that gets through");
}

static const char* const doorFiles[] = {
    "reference_tables/bottleneck_flow/1981Mueller.txt",
    "reference_tables/bottleneck_flow/2006EG.txt",
    "reference_tables/bottleneck_flow/2006Nagai.txt",
    "reference_tables/bottleneck_flow/2009Seyfried.txt",
    NULL,
};

static const VerifyChart doorChart = {
    .xLabel = "width [m]",
    .yLabel = "flow [1/(m s)]",
    .xFigure = -1,
    .yFigure = doorFlow,
    .curves = verifyDoorCurves,
    .files = doorFiles,
    .filesName = "experiments, files",
    .isByWidth = true,
};

static const VerifyCase doorCases[] = {
    {"0.7", "0.7 m", 0.7, 0}, {"0.8", "0.8 m", 0.8, 0}, {"0.9", "0.9 m", 0.9, 0},
    {"1.0", "1.0 m", 1.0, 0}, {"1.2", "1.2 m", 1.2, 0}, {"1.6", "1.6 m", 1.6, 0},
    {"2.0", "2.0 m", 2.0, 0}, {"2.5", "2.5 m", 2.5, 0},
};

static const VerifyRow doorRow = {
    .name = "door",
    .title = "Flow through doors",
    .measured = "240 people in a room of 10 m by 8 m leave by a door in a wall 0.4 m thick. Flow "
                "over the line in the middle of the door, of all but the first and the last "
                "tenth, ÷ width; Voronoi density and speed in 2 m by 2 m in front of it in the "
                "same time.",
    .criterion = "From 0.9 m to 2.5 m the specific flow is 1.5 to 2.2 /(m s); a wider door lets "
                 "more people through in a second; everybody gets through.",
    .cases = doorCases,
    .caseCount = sizeof doorCases / sizeof doorCases[0],
    .quickCases = 0x58, // 1.0, 1.2 and 2.0 m
    .figures = doorFigures,
    .write = verifyWriteDoor,
    .measure = measureDoor,
    .judge = judgeDoors,
    .chart = &doorChart,
};

// --- One scene for each experiment ---

static const VerifyCase onlyCase[] = {{"run", "run", 0, 0}};

#define ONE_SCENE .cases = onlyCase, .caseCount = 1, .quickCases = 1

// Adds a line that holds within a share of the real figure.
static void addNear(VerifyJudgement* judgement, const char* unit, double real, double share,
                    double value, const char* label)
{
    verifyAdd(judgement, unit, real, (1.0 - share) * real, (1.0 + share) * real, value, "%s",
              label);
}

// Everybody gets through: the share of those who cross the first line, of all.
static double shareThrough(const RunResult* run)
{
    const thLineResult line = thSurvey_GetLine(run->survey, 0);
    return (double)line.crossingCount / ((double)run->tally.agents + (double)run->waiting);
}

static void addThrough(VerifyJudgement* judgement, double share)
{
    verifyAdd(judgement, "", NAN, 0.99, NAN, share, "share that gets through");
}

// The bottleneck ao-300.

enum { gapFlow, gapDensity, gapSpeed, frontDensity, frontSpeed, gapThrough };
static const char* const gapFigures[] = {"flow [1/s]",
                                         "density in the gap [1/m²]",
                                         "speed in the gap [m/s]",
                                         "density in front [1/m²]",
                                         "speed in front [m/s]",
                                         "through [share]",
                                         NULL};

static void measureBottleneck(const VerifyCase* self, const RunResult* run, double* figures)
{
    (void)self;
    const VerifyMean gap = verifyAreaMean(run, 0, -INFINITY, INFINITY);
    const VerifyMean front = verifyAreaMean(run, 1, -INFINITY, INFINITY);
    figures[gapFlow] = thSurvey_GetLine(run->survey, 0).flow;
    figures[gapDensity] = gap.voronoiDensity;
    figures[gapSpeed] = gap.voronoiSpeed;
    figures[frontDensity] = front.voronoiDensity;
    figures[frontSpeed] = front.voronoiSpeed;
    figures[gapThrough] = shareThrough(run);
}

static void judgeBottleneck(const VerifyRow* self, const VerifyFigures* figures,
                            VerifyJudgement* judgement)
{
    (void)self;
    const double* own = figures->values[0];
    const VerifyGap* real = &verifyGap;
    addNear(judgement, "1/s", real->flow, 0.2, own[gapFlow], "flow");
    addNear(judgement, "1/m²", real->density, 0.25, own[gapDensity], "density in the gap");
    verifyAdd(judgement, "m/s", real->speed, NAN, NAN, own[gapSpeed], "speed in the gap");
    verifyAdd(judgement, "1/m²", real->frontDensity, NAN, NAN, own[frontDensity],
              "density in front");
    verifyAdd(judgement, "m/s", real->frontSpeed, NAN, NAN, own[frontSpeed], "speed in front");
    addThrough(judgement, own[gapThrough]);
}

static const VerifyRow bottleneckRow = {
    .name = "bottleneck",
    .title = "Wide bottleneck, ao-300",
    .measured = "The room of the experiment and its 348 people, of whom 148 are there at first "
                "and the others come in where the camera's view ends. Flow of all over the line "
                "in the middle of the gap of 3 m; Voronoi density and speed in the gap and in 2 m "
                "before it, over all frames with somebody there, as of the recording.",
    .criterion = "Flow within 20 %, density in the gap within 25 % of the recording.",
    ONE_SCENE,
    .figures = gapFigures,
    .write = verifyWriteBottleneck,
    .measure = measureBottleneck,
    .judge = judgeBottleneck,
};

// Corner and junction: flow behind them, and density and speed before and after.

enum { turnFlow, beforeDensity, beforeSpeed, afterDensity, afterSpeed, turnThrough };
static const char* const turnFigures[] = {"flow [1/(m s)]",
                                          "density before [1/m²]",
                                          "speed before [m/s]",
                                          "density after [1/m²]",
                                          "speed after [m/s]",
                                          "through [share]",
                                          NULL};

static void measureTurn(const VerifyCase* self, const RunResult* run, double* figures)
{
    (void)self;
    const double width = 2.4;
    double from, to;
    figures[turnThrough] = shareThrough(run);
    if (!verifySteady(run, 0, &from, &to))
        return;
    const VerifyMean before = verifyAreaMean(run, 0, from, to);
    const VerifyMean after = verifyAreaMean(run, 1, from, to);
    figures[turnFlow] = thSurvey_GetLine(run->survey, 0).steadyFlow / width;
    figures[beforeDensity] = before.voronoiDensity;
    figures[beforeSpeed] = before.voronoiSpeed;
    figures[afterDensity] = after.voronoiDensity;
    figures[afterSpeed] = after.voronoiSpeed;
}

static void judgeTurn(const VerifyFigures* figures, const VerifyTurn* real, double low, double high,
                      VerifyJudgement* judgement)
{
    const double* own = figures->values[0];
    verifyAdd(judgement, "1/(m s)", real->flow, low, high, own[turnFlow], "flow");
    verifyAdd(judgement, "1/m²", real->beforeDensity, NAN, NAN, own[beforeDensity],
              "density before");
    verifyAdd(judgement, "m/s", real->beforeSpeed, NAN, NAN, own[beforeSpeed], "speed before");
    verifyAdd(judgement, "1/m²", real->afterDensity, NAN, NAN, own[afterDensity], "density after");
    verifyAdd(judgement, "m/s", real->afterSpeed, NAN, NAN, own[afterSpeed], "speed after");
    addThrough(judgement, own[turnThrough]);
}

static void judgeCorner(const VerifyRow* self, const VerifyFigures* figures,
                        VerifyJudgement* judgement)
{
    (void)self;
    judgeTurn(figures, &verifyCorner, 1.1, 1.9, judgement);
}

static void judgeJunction(const VerifyRow* self, const VerifyFigures* figures,
                          VerifyJudgement* judgement)
{
    (void)self;
    judgeTurn(figures, &verifyJunction, 0.75 * verifyJunction.flow, 1.25 * verifyJunction.flow,
              judgement);
}

static const VerifyRow cornerRow = {
    .name = "corner",
    .title = "Corridor of 2.4 m round a corner, eo-240-240-240",
    .measured = "200 people leave a room of 10 m by 10 m by a corridor, which turns left after 8 "
                "m. Flow over a line 3.6 m behind the corner, of all but the first and the last "
                "tenth; Voronoi density and speed in 2 m of the corridor, 2 m before and behind "
                "the corner, in the same time.",
    .criterion = "Specific flow 1.1 to 1.9 /(m s).",
    ONE_SCENE,
    .figures = turnFigures,
    .write = verifyWriteCorner,
    .measure = measureTurn,
    .judge = judgeCorner,
};

static const VerifyRow junctionRow = {
    .name = "junction",
    .title = "Two streams become one, T-junction of 2.4 m, ko-240-240-240",
    .measured = "120 people each leave two rooms by corridors that meet, and go on by a third "
                "one. Flow over a line 3.6 m into it, of all but the first and the last tenth; "
                "Voronoi density and speed in 2 m of an arm and of the stem in the same time.",
    .criterion = "Specific flow in the stem within 25 % of the experiment's.",
    ONE_SCENE,
    .figures = turnFigures,
    .write = verifyWriteJunction,
    .measure = measureTurn,
    .judge = judgeJunction,
};

// Two-way corridor and jam: density and speed in an area.

enum { placeDensity, placeSpeed, placeFlow, placeThrough };
static const char* const placeFigures[] = {"density [1/m²]", "speed [m/s]", "flow [1/s]",
                                           "through [share]", NULL};

static void measurePlace(const VerifyCase* self, const RunResult* run, double* figures)
{
    (void)self;
    double from, to;
    figures[placeThrough] = shareThrough(run);
    if (!verifySteady(run, 0, &from, &to))
        return;
    const VerifyMean mean = verifyAreaMean(run, 0, from, to);
    figures[placeDensity] = mean.density;
    figures[placeSpeed] = mean.speed;
    figures[placeFlow] = thSurvey_GetLine(run->survey, 0).steadyFlow;
}

static void judgePlace(const VerifyFigures* figures, const VerifyPlace* real,
                       VerifyJudgement* judgement)
{
    const double* own = figures->values[0];
    addNear(judgement, "1/m²", real->density, 0.25, own[placeDensity], "density");
    addNear(judgement, "m/s", real->speed, 0.25, own[placeSpeed], "speed");
    verifyAdd(judgement, "1/s", real->flow, NAN, NAN, own[placeFlow], "flow");
    addThrough(judgement, own[placeThrough]);
}

static void judgeTwoWay(const VerifyRow* self, const VerifyFigures* figures,
                        VerifyJudgement* judgement)
{
    (void)self;
    judgePlace(figures, &verifyTwoWay, judgement);
}

static void judgeJam(const VerifyRow* self, const VerifyFigures* figures,
                     VerifyJudgement* judgement)
{
    (void)self;
    judgePlace(figures, &verifyJam, judgement);
}

static const VerifyRow twoWayRow = {
    .name = "two-way",
    .title = "Two-way corridor, bot-360-120-120",
    .measured = "115 and 106 people come in at both ends through 1.2 m at the experiment's 2.6 "
                "/s, pass 8 m of a corridor 3.6 m wide, and leave to both sides. People per area "
                "and their speed in the middle 4 m, while all but the first and the last tenth "
                "pass the middle.",
    .criterion = "Density and speed within 25 % of the recording.",
    ONE_SCENE,
    .figures = placeFigures,
    .write = verifyWriteTwoWay,
    .measure = measurePlace,
    .judge = judgeTwoWay,
};

static const VerifyRow jamRow = {
    .name = "jam",
    .title = "Jam before a narrow exit, uo-180-180-070",
    .measured = "148 people come into a corridor of 1.8 m that ends in a gap of 0.7 m, 4 a second "
                "as in the experiment, or as many as find room. "
                "People per area and their speed in 2 m of the corridor, 3 m to 5 m before the "
                "gap, while all but the first and the last tenth pass the gap.",
    .criterion = "Density and speed within 25 % of the recording.",
    ONE_SCENE,
    .figures = placeFigures,
    .write = verifyWriteJam,
    .measure = measurePlace,
    .judge = judgeJam,
};

// --- Single file ---

enum { fileDensity, fileSpeed };
static const char* const fileFigures[] = {"density [1/m]", "speed [m/s]", NULL};

static void measureSingleFile(const VerifyCase* self, const RunResult* run, double* figures)
{
    (void)self;
    const double width = 0.6;
    const VerifyMean mean = verifyAreaMean(run, 0, 10, 40);
    figures[fileDensity] = mean.density * width;
    figures[fileSpeed] = mean.speed;
}

// The line v = (h − l) ÷ T through headways h = 1 ÷ density of the cases from 1 /m on.
static void fitHeadways(const VerifyRow* self, const VerifyFigures* figures, double* gap,
                        double* length)
{
    double n = 0, h = 0, v = 0, hh = 0, hv = 0;
    for (int32_t i = 0; i < self->caseCount; ++i) {
        const double x = 1.0 / figures->values[i][fileDensity], y = figures->values[i][fileSpeed];
        if (isnan(y) || self->cases[i].x < 0.95)
            continue;
        n += 1;
        h += x;
        v += y;
        hh += x * x;
        hv += x * y;
    }
    const double slope = (n * hv - h * v) / (n * hh - h * h);
    *gap = 1.0 / slope;
    *length = h / n - v / n / slope;
}

static void judgeSingleFile(const VerifyRow* self, const VerifyFigures* figures,
                            VerifyJudgement* judgement)
{
    int32_t count = 0, inside = 0;
    for (int32_t i = 0; i < self->caseCount; ++i) {
        const double speed = figures->values[i][fileSpeed];
        if (isnan(speed))
            continue;
        // Gaps open before those who are slow: the density there may be another one by then.
        const VerifyEnvelope real = verifySingleFile(figures->values[i][fileDensity]);
        count += 1;
        inside += speed >= real.low && speed <= real.high;
        verifyAdd(judgement, "m/s", verifySingleFile(self->cases[i].x).median, NAN, NAN, speed,
                  "speed at %s", self->cases[i].label);
    }
    double gap, length;
    fitHeadways(self, figures, &gap, &length);
    verifyAdd(judgement, "", NAN, 0.75, NAN, count > 0 ? (double)inside / count : NAN,
              "share of speeds within 10 %% to 90 %%");
    verifyAdd(judgement, "s", 1.06, NAN, NAN, gap, "time gap T of v = (h - l)/T");
    verifyAdd(judgement, "m", 0.36, NAN, NAN, length, "length l of v = (h - l)/T");
}

static const char* const singleFiles[] = {"reference_tables/fd_points/1test_1D/n14.dat",
                                          "reference_tables/fd_points/1test_1D/n20.dat",
                                          "reference_tables/fd_points/1test_1D/n22.dat",
                                          "reference_tables/fd_points/1test_1D/n25.dat",
                                          "reference_tables/fd_points/1test_1D/n34.dat",
                                          "reference_tables/fd_points/1test_1D/n39.dat",
                                          "reference_tables/fd_points/1test_1D/n45.dat",
                                          "reference_tables/fd_points/1test_1D/n70.dat",
                                          NULL};

static const VerifyChart singleFileChart = {
    .xLabel = "density [1/m]",
    .yLabel = "speed [m/s]",
    .xFigure = fileDensity,
    .yFigure = fileSpeed,
    .curves = verifySingleFileCurves,
    .files = singleFiles,
    .filesName = "Jülich, points",
};

static const VerifyCase singleFileCases[] = {
    {"0.5", "0.5 /m", 0.5, 0}, {"0.9", "0.9 /m", 0.9, 0}, {"1.1", "1.1 /m", 1.1, 0},
    {"1.3", "1.3 /m", 1.3, 0}, {"1.5", "1.5 /m", 1.5, 0}, {"1.7", "1.7 /m", 1.7, 0},
    {"1.9", "1.9 /m", 1.9, 0}, {"2.1", "2.1 /m", 2.1, 0},
};

static const VerifyRow singleFileRow = {
    .name = "single-file",
    .title = "Single file, RiMEA 16",
    .measured = "People one behind the other on 160 m of a corridor 0.6 m wide, in which nobody "
                "can pass another, walk on into an empty part. People per length and their speed "
                "in the 20 m from 80 m on, from 10 s to 40 s. Real speeds are medians.",
    .criterion = "At 75 % of the densities or more, speed is between those that 10 % and 90 % of "
                 "real people do not exceed.",
    .cases = singleFileCases,
    .caseCount = sizeof singleFileCases / sizeof singleFileCases[0],
    .quickCases = 0x55, // 0.5, 1.1, 1.5 and 1.9 /m
    .figures = fileFigures,
    .write = verifyWriteSingleFile,
    .measure = measureSingleFile,
    .judge = judgeSingleFile,
    .chart = &singleFileChart,
};

// --- All rows ---

static const VerifyRow* const rows[] = {
    &corridorRow,  &narrowRow,     &singleFileRow,  &doorRow,       &bottleneckRow,
    &cornerRow,    &junctionRow,   &twoWayRow,      &jamRow,        &verifyRimea4,
    &verifyRimea9, &verifyRimea11, &verifyRimea12a, &verifyRimea15, &verifyIso7,
    &verifyIso13,  &verifyIso14,   &verifyCapacity, NULL,
};

static const char* const avoids[] = {"orca", "clearpath", "rvo", NULL};

const VerifySuite verifyPeople = {
    .name = "people",
    .title = "Crowds beside real people",
    .known = "real",
    .bareSuffix = ", pace none",
    .rows = rows,
    .avoids = avoids,
};
