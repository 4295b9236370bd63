// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Rows of what models of crowds are known for, with their scenes. Faster is slower, clogging,
// lanes, oscillation at a door, stripes where streams cross, flow through a door. A method is run
// as people have it, and bare: without pace, and without what the world does about jams.

#include "verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- Scenes ---

static void beginScene(const VerifyScene* scene, const char* about, double step, double end,
                       bool arrived)
{
    fprintf(scene->stream,
            "{\n  \"throng\": 1,\n  \"about\": \"%s\",\n"
            "  \"time\": {\"step\": %g, \"end\": {\"at\": %g%s}},\n",
            about, step, end, arrived ? ", \"arrived\": true" : "");
}

// The only profile. Bare ones have no pace, keep no side and do nothing about jams.
static void writePeople(const VerifyScene* scene, const char* text)
{
    const bool isBare = scene->pace != NULL && strcmp(scene->pace, "none") == 0;
    char all[256];
    snprintf(all, sizeof all, "%s, " VERIFY_PLAN "%s", text,
             isBare ? ", \"keep\": \"none\", \"patience\": 0, \"turnAside\": 0" : "");
    fputs("  \"profiles\": {\n", scene->stream);
    verifyWriteProfile(scene, "person", all, true);
    fputs("  },\n", scene->stream);
}

// A square room that people leave downwards by a door in the middle of a wall of 0.4 m; the door's
// line is the only one.
static void writeRoom(const VerifyScene* scene, double side, double door, int count)
{
    FILE* stream = scene->stream;
    const double a = 0.5 * side, b = 0.5 * door;
    fprintf(stream,
            "  \"walls\": [\n"
            "    {\"room\": [[%g, %g], [%g, %g], [%g, -0.2], [%g, -0.2], [%g, 0.2], [%g, 0.2], "
            "[%g, 8],\n"
            "              [%g, 8], [%g, 0.2], [%g, 0.2], [%g, -0.2], [%g, -0.2]]}\n  ],\n"
            "  \"goals\": {\"outside\": {\"segment\": [[%g, 7], [%g, 7]]}},\n",
            -a, -side, a, -side, a, b, b, a, a, -a, -a, -b, -b, -a, 1.0 - a, a - 1.0);
    fputs("  \"agents\": [\n", stream);
    verifyWriteBox(stream, 0.4 - a, 0.4 - side, a - 0.4, -0.6, count, "outside", true);
    fprintf(stream, "  ],\n  \"measure\": {\"lines\": {\"door\": [[%g, 0], [%g, 0]]}}\n}\n", -b, b);
}

// --- Faster is slower ---

// People as in the paper: 0.5 m to 0.7 m broad.
static void writePanic(const VerifyScene* scene, const VerifyCase* self)
{
    char text[128];
    beginScene(scene, "People who want to leave a room by a door of 1 m, at one speed.", 0.05, 600,
               true);
    snprintf(text, sizeof text, "\"radius\": {\"uniform\": [0.25, 0.35]}, \"speed\": %g", self->x);
    writePeople(scene, text);
    writeRoom(scene, 15, 1, (int)self->second);
}

// When a share of all people were over the first line. [s; NaN: never so many]
static double timeOf(const RunResult* run, double share)
{
    const thLineResult line = thSurvey_GetLine(run->survey, 0);
    const int32_t at = (int32_t)ceil(share * (double)run->tally.agents) - 1;
    return at >= 0 && at < line.crossingCount ? line.crossings[at].time : NAN;
}

static double shareThrough(const RunResult* run)
{
    const thLineResult line = thSurvey_GetLine(run->survey, 0);
    return line.crossingCount / ((double)run->tally.agents + (double)run->waiting);
}

enum { leaveTime, leaveShare };
static const char* const leaveFigures[] = {"time of 95 % [s]", "through [share]", NULL};

static void measureFaster(const VerifyCase* self, const RunResult* run, double* figures)
{
    (void)self;
    figures[leaveTime] = timeOf(run, 0.95);
    figures[leaveShare] = shareThrough(run);
}

static void judgeFaster(const VerifyRow* self, const VerifyFigures* figures,
                        VerifyJudgement* judgement)
{
    double least = NAN, best = NAN, through = NAN, last = NAN;
    for (int32_t i = 0; i < self->caseCount; ++i) {
        const double* own = figures->values[i];
        if (isnan(own[leaveShare]))
            continue;
        verifyAdd(judgement, "s", NAN, NAN, NAN, own[leaveTime], "time at %s",
                  self->cases[i].label);
        if (!isnan(own[leaveTime]) && !(own[leaveTime] >= least)) {
            least = own[leaveTime];
            best = self->cases[i].x;
        }
        last = own[leaveTime];
        through = fmin(through, own[leaveShare]);
    }
    verifyAdd(judgement, "m/s", NAN, NAN, NAN, best, "speed at which it is least");
    verifyAdd(judgement, "", NAN, 1.1, NAN, last / least, "time at the greatest speed / least");
    verifyAdd(judgement, "", NAN, NAN, NAN, through, "least share that gets through");
}

static const VerifyCurve noCurves[] = {{0}};
static const char* const noFiles[] = {NULL};

static const VerifyChart fasterChart = {
    .xLabel = "wanted speed [m/s]",
    .yLabel = "time until 95 % are through [s]",
    .xFigure = -1,
    .yFigure = leaveTime,
    .curves = noCurves,
    .files = noFiles,
};

static const VerifyCase fasterCases[] = {
    {"1", "1 m/s", 1, 200}, {"1.5", "1.5 m/s", 1.5, 200}, {"2", "2 m/s", 2, 200},
    {"3", "3 m/s", 3, 200}, {"4", "4 m/s", 4, 200},       {"5", "5 m/s", 5, 200},
};

static const VerifyRow fasterRow = {
    .name = "faster",
    .title = "Faster is slower, at a door of 1 m",
    .measured = "200 people 0.5 m to 0.7 m broad leave a room of 15 m by 15 m by a door of 1 m, "
                "and all want the same speed. The time until 95 % of them are through.",
    .criterion = "At the greatest speed it takes at least 1.1 times as long as at the best one.",
    .cases = fasterCases,
    .caseCount = sizeof fasterCases / sizeof fasterCases[0],
    .quickCases = 0x29, // 1, 3 and 5 m/s
    .figures = leaveFigures,
    .write = writePanic,
    .measure = measureFaster,
    .judge = judgeFaster,
    .chart = &fasterChart,
};

// --- Clogging ---

enum { gapMedian, gapVariation, gapLong, gapLonger, gapExponent, gapPreference, gapShare };
static const char* const gapFigures[] = {"median gap [s]",
                                         "deviation / mean",
                                         "gaps above 3 medians [share]",
                                         "gaps above 10 medians [share]",
                                         "exponent of the tail",
                                         "power law before exponential [deviations]",
                                         "through [share]",
                                         NULL};

// Gaps between one person and the next, of all but the first and the last tenth.
static void measureClogging(const VerifyCase* self, const RunResult* run, double* figures)
{
    const thLineResult line = thSurvey_GetLine(run->survey, 0);
    const int32_t tenth = line.crossingCount / 10;
    const int32_t count = line.crossingCount - 1 - 2 * tenth;
    double* gaps = count > 1 ? malloc((size_t)count * sizeof *gaps) : NULL;
    double sum = 0.0, squares = 0.0;
    int32_t longOnes = 0, longerOnes = 0;
    (void)self;
    figures[gapShare] = shareThrough(run);
    if (gaps == NULL)
        return;
    for (int32_t i = 0; i < count; ++i) {
        gaps[i] = line.crossings[tenth + i + 1].time - line.crossings[tenth + i].time;
        sum += gaps[i];
        squares += gaps[i] * gaps[i];
    }
    const VerifyTail tail = verifyTail(gaps, count);
    figures[gapMedian] = verifyQuantile(gaps, count, 0.5);
    for (int32_t i = 0; i < count; ++i) {
        longOnes += gaps[i] > 3.0 * figures[gapMedian];
        longerOnes += gaps[i] > 10.0 * figures[gapMedian];
    }
    figures[gapVariation] = sqrt(fmax(0.0, squares * count / (sum * sum) - 1.0));
    figures[gapLong] = (double)longOnes / count;
    figures[gapLonger] = (double)longerOnes / count;
    figures[gapExponent] = tail.exponent;
    figures[gapPreference] = tail.preference;
    free(gaps);
}

static void judgeClogging(const VerifyRow* self, const VerifyFigures* figures,
                          VerifyJudgement* judgement)
{
    for (int32_t i = 0; i < self->caseCount; ++i) {
        const double* own = figures->values[i];
        const char* label = self->cases[i].label;
        const bool isPressed = self->cases[i].x > 4.0;
        if (isnan(own[gapShare]))
            continue;
        verifyAdd(judgement, "s", NAN, NAN, NAN, own[gapMedian], "median gap at %s", label);
        verifyAdd(judgement, "", NAN, isPressed ? 1.0 : NAN, NAN, own[gapVariation],
                  "deviation / mean at %s", label);
        verifyAdd(judgement, "", NAN, NAN, NAN, own[gapLong], "share above 3 medians at %s", label);
        verifyAdd(judgement, "", NAN, NAN, NAN, own[gapLonger], "share above 10 medians at %s",
                  label);
        verifyAdd(judgement, "", NAN, NAN, NAN, own[gapExponent], "exponent of the tail at %s",
                  label);
        verifyAdd(judgement, "", NAN, isPressed ? 0.0 : NAN, NAN, own[gapPreference],
                  "power law before exponential at %s", label);
        verifyAdd(judgement, "", NAN, NAN, NAN, own[gapShare], "share through at %s", label);
    }
}

static const VerifyCase cloggingCases[] = {{"1", "1 m/s", 1, 400}, {"5", "5 m/s", 5, 400}};

static const VerifyRow cloggingRow = {
    .name = "clogging",
    .title = "Clogging: gaps between people who press through a door of 1 m",
    .measured = "As faster, with 400 people. Gaps between one person and the next at the door, of "
                "all but the first and the last tenth: how they vary, shares of long ones, and "
                "the tail from where on it is nearest to a power law: its exponent, and how much "
                "likelier it is than an exponential one.",
    .criterion = "At 5 m/s the deviation of gaps is at least their mean (they come in bursts), and "
                 "the tail is rather a power law than exponential.",
    .cases = cloggingCases,
    .caseCount = sizeof cloggingCases / sizeof cloggingCases[0],
    .figures = gapFigures,
    .write = writePanic,
    .measure = measureClogging,
    .judge = judgeClogging,
};

// --- Lanes ---

// People come in at both ends of a corridor 4 m wide, so many a second.
static void writeLanes(const VerifyScene* scene, const VerifyCase* self)
{
    FILE* stream = scene->stream;
    beginScene(scene, "Two streams come against each other in a corridor 4 m wide.", 0.1, 120,
               false);
    fputs("  \"walls\": [{\"polyline\": [[-25, 0], [25, 0]]}, {\"polyline\": [[-25, 4], [25, "
          "4]]}],\n"
          "  \"goals\": {\n    \"east\": {\"segment\": [[24, 0.25], [24, 3.75]]},\n"
          "    \"west\": {\"segment\": [[-24, 0.25], [-24, 3.75]]}\n  },\n",
          stream);
    writePeople(scene, VERIFY_ADULT);
    fprintf(stream,
            "  \"agents\": [\n"
            "    {\"source\": {\"in\": {\"segment\": [[-22, 0.3], [-22, 3.7]]}, \"rate\": %g}, "
            "\"goal\": \"east\", \"arrive\": \"leave\"},\n"
            "    {\"source\": {\"in\": {\"segment\": [[22, 0.3], [22, 3.7]]}, \"rate\": %g}, "
            "\"goal\": \"west\", \"arrive\": \"leave\"}\n"
            "  ],\n  \"measure\": {\"lines\": {\"middle\": [[0, 0], [0, 4]]}}\n}\n",
            self->x, self->x);
}

enum { laneOrder, laneMixed, laneFlow };
static const char* const laneFigures[] = {"lane order", "lane order if dealt by lot",
                                          "flow [1/(m s)]", NULL};

static void measureLanes(const VerifyCase* self, const RunResult* run, double* figures)
{
    (void)self;
    const double width = 4.0;
    const VerifyField field = {
        .x0 = -10, .y0 = 0, .x1 = 10, .y1 = width, .from = 40, .to = 120, .every = 1, .sideX = 1};
    const VerifyLanes lanes = verifyLanes(run->tracks, &field, 0.2);
    figures[laneOrder] = lanes.order;
    figures[laneMixed] = lanes.mixed;
    figures[laneFlow] = verifyFlow(run, 0, field.from, field.to) / width;
}

static void judgeLanes(const VerifyRow* self, const VerifyFigures* figures,
                       VerifyJudgement* judgement)
{
    for (int32_t i = 0; i < self->caseCount; ++i) {
        const double* own = figures->values[i];
        const char* label = self->cases[i].label;
        if (isnan(own[laneFlow]))
            continue;
        verifyAdd(judgement, "", NAN, 0.6, NAN, own[laneOrder], "lane order at %s", label);
        verifyAdd(judgement, "", NAN, NAN, NAN, own[laneMixed], "the same dealt by lot at %s",
                  label);
        verifyAdd(judgement, "", NAN, 0.5, NAN,
                  (own[laneOrder] - own[laneMixed]) / (1.0 - own[laneMixed]),
                  "share of the way to order at %s", label);
        verifyAdd(judgement, "1/(m s)", 2.0 * self->cases[i].x / 4.0, NAN, NAN, own[laneFlow],
                  "flow at %s", label);
    }
}

static const VerifyCase laneCases[] = {{"1", "2 × 1 /s", 1, 0}, {"2", "2 × 2 /s", 2, 0}};

static const VerifyRow lanesRow = {
    .name = "lanes",
    .title = "Lanes in counter-flow",
    .measured = "1 or 2 people a second come in at either end of a corridor 4 m wide and 44 m "
                "long. Lane order, by streams, in the middle 20 m from 40 s to 120 s, beside what "
                "it is if those who are there are dealt to streams by lot; flow over the middle, "
                "beside what comes in.",
    .criterion = "The lane order is at least 0.6, and at least half-way from that by lot to 1: few "
                 "people are in order by chance.",
    .cases = laneCases,
    .caseCount = sizeof laneCases / sizeof laneCases[0],
    .quickCases = 3,
    .figures = laneFigures,
    .write = writeLanes,
    .measure = measureLanes,
    .judge = judgeLanes,
    .needsTracks = true,
};

// --- Oscillation ---

static void writeOscillation(const VerifyScene* scene, const VerifyCase* self)
{
    FILE* stream = scene->stream;
    const double half = 0.5 * self->x;
    beginScene(scene, "Eighty people on each side of a wall want through the same door.", 0.1, 400,
               true);
    fprintf(stream,
            "  \"walls\": [\n"
            "    {\"room\": [[-12, -5], [-0.1, -5], [-0.1, %g], [0.1, %g], [0.1, -5], [12, -5],\n"
            "              [12, 5], [0.1, 5], [0.1, %g], [-0.1, %g], [-0.1, 5], [-12, 5]]}\n  ],\n"
            "  \"goals\": {\n    \"east\": {\"segment\": [[11, -4], [11, 4]]},\n"
            "    \"west\": {\"segment\": [[-11, -4], [-11, 4]]}\n  },\n",
            -half, -half, half, half);
    writePeople(scene, VERIFY_ADULT);
    fputs("  \"agents\": [\n", stream);
    verifyWriteBox(stream, -10, -4.6, -1, 4.6, 80, "east", false);
    verifyWriteBox(stream, 1, -4.6, 10, 4.6, 80, "west", true);
    fprintf(stream, "  ],\n  \"measure\": {\"lines\": {\"door\": [[0, %g], [0, %g]]}}\n}\n", -half,
            half);
}

enum { runsZ, runsLength, runsExpected, runsCount, runsShare };
static const char* const runsFigures[] = {"runs beside chance [deviations]",
                                          "mean length of runs",
                                          "mean length by chance",
                                          "runs",
                                          "through [share]",
                                          NULL};

static void measureOscillation(const VerifyCase* self, const RunResult* run, double* figures)
{
    const thLineResult line = thSurvey_GetLine(run->survey, 0);
    int32_t* ways = malloc((size_t)(line.crossingCount + 1) * sizeof *ways);
    (void)self;
    figures[runsShare] = shareThrough(run);
    if (ways == NULL)
        return;
    for (int32_t i = 0; i < line.crossingCount; ++i)
        ways[i] = line.crossings[i].direction;
    const int32_t count = verifyBothWays(ways, line.crossingCount);
    const VerifyRuns runs = verifyRuns(ways, count);
    figures[runsCount] = runs.runs;
    if (runs.runs > 0) {
        figures[runsZ] = runs.z;
        figures[runsLength] = runs.length;
        figures[runsExpected] = count / runs.expected;
    }
    free(ways);
}

static void judgeOscillation(const VerifyRow* self, const VerifyFigures* figures,
                             VerifyJudgement* judgement)
{
    for (int32_t i = 0; i < self->caseCount; ++i) {
        const double* own = figures->values[i];
        const char* label = self->cases[i].label;
        const bool isNarrow = self->cases[i].x < 0.9;
        if (isnan(own[runsShare]))
            continue;
        verifyAdd(judgement, "", NAN, NAN, isNarrow ? -1.96 : NAN, own[runsZ],
                  "runs beside chance at %s", label);
        verifyAdd(judgement, "", NAN, isNarrow ? 4.0 : NAN, NAN, own[runsCount], "runs at %s",
                  label);
        verifyAdd(judgement, "", NAN, NAN, NAN, own[runsLength], "mean length of runs at %s",
                  label);
        verifyAdd(judgement, "", NAN, NAN, NAN, own[runsExpected], "the same by chance at %s",
                  label);
        verifyAdd(judgement, "", NAN, NAN, NAN, own[runsShare], "share through at %s", label);
    }
}

static const VerifyCase oscillationCases[] = {{"0.8", "0.8 m", 0.8, 0}, {"1.2", "1.2 m", 1.2, 0}};

static const VerifyRow oscillationRow = {
    .name = "oscillation",
    .title = "Oscillation of the passing direction at a door between two crowds",
    .measured = "80 people on either side of a wall of 0.2 m want through a door of 0.8 m, where "
                "one gets through at a time, or 1.2 m. The sequence of directions in which people "
                "pass it first, as long as both are still to come: its runs of one direction, "
                "beside those of a sequence by chance, in standard deviations.",
    .criterion = "At 0.8 m there are fewer runs than by chance, by 1.96 deviations or more, but "
                 "four at least: the direction changes.",
    .cases = oscillationCases,
    .caseCount = sizeof oscillationCases / sizeof oscillationCases[0],
    .quickCases = 1,
    .figures = runsFigures,
    .write = writeOscillation,
    .measure = measureOscillation,
    .judge = judgeOscillation,
};

// --- Stripes ---

#define CROSSING 8.0 // breadth of streams [m]

static void writeStripes(const VerifyScene* scene, const VerifyCase* self)
{
    FILE* stream = scene->stream;
    const double half = 0.5 * CROSSING, rate = self->x * CROSSING * 1.34;
    beginScene(scene, "Two broad streams cross at right angles in the open.", 0.1, 80, false);
    fprintf(stream,
            "  \"goals\": {\n    \"east\": {\"segment\": [[18, %g], [18, %g]]},\n"
            "    \"north\": {\"segment\": [[%g, 18], [%g, 18]]}\n  },\n",
            -half, half, -half, half);
    writePeople(scene, VERIFY_ADULT);
    fprintf(stream,
            "  \"agents\": [\n"
            "    {\"source\": {\"in\": {\"segment\": [[-14, %g], [-14, %g]]}, \"rate\": %.3f}, "
            "\"goal\": \"east\", \"arrive\": \"leave\"},\n"
            "    {\"source\": {\"in\": {\"segment\": [[%g, -14], [%g, -14]]}, \"rate\": %.3f}, "
            "\"goal\": \"north\", \"arrive\": \"leave\"}\n"
            "  ],\n  \"measure\": {\"lines\": {\"east\": [[12, %g], [12, %g]]}}\n}\n",
            -half, half, rate, -half, half, rate, -half, half);
}

enum { stripeAngle, stripeOrder, stripeFlow };
static const char* const stripeFigures[] = {"angle of stripes [°]", "order of stripes",
                                            "flow of one stream [1/(m s)]", NULL};

static void measureStripes(const VerifyCase* self, const RunResult* run, double* figures)
{
    (void)self;
    const double half = 0.5 * CROSSING, reach = 2.0;
    const VerifyField field = {.x0 = -half,
                               .y0 = -half,
                               .x1 = half,
                               .y1 = half,
                               .from = 30,
                               .to = 80,
                               .every = 0.5,
                               .sideX = 1,
                               .sideY = -1};
    const VerifyStripes stripes = verifyStripes(run->tracks, &field, reach);
    figures[stripeAngle] = stripes.angle;
    figures[stripeOrder] = stripes.order;
    figures[stripeFlow] = verifyFlow(run, 0, field.from, field.to) / CROSSING;
}

static void judgeStripes(const VerifyRow* self, const VerifyFigures* figures,
                         VerifyJudgement* judgement)
{
    for (int32_t i = 0; i < self->caseCount; ++i) {
        const double* own = figures->values[i];
        const char* label = self->cases[i].label;
        if (isnan(own[stripeFlow]))
            continue;
        verifyAdd(judgement, "°", 135.0, 120.0, 150.0, own[stripeAngle], "angle of stripes at %s",
                  label);
        verifyAdd(judgement, "", NAN, 0.05, NAN, own[stripeOrder], "order of stripes at %s", label);
        verifyAdd(judgement, "1/(m s)", 1.34 * self->cases[i].x, NAN, NAN, own[stripeFlow],
                  "flow of one stream at %s", label);
    }
}

static const VerifyCase stripeCases[] = {{"0.3", "2 × 0.3 /m²", 0.3, 0},
                                         {"0.5", "2 × 0.5 /m²", 0.5, 0}};

static const VerifyRow stripesRow = {
    .name = "stripes",
    .title = "Stripes where two streams cross at right angles",
    .measured = "Two streams 8 m broad of 0.3 or 0.5 people/m² walk east and north and cross in "
                "the open. Of all pairs within 2 m in the 8 m by 8 m where they cross, from 30 s "
                "to 80 s, the axis along which they are of one stream most [° from east], and how "
                "much so; flow of the stream to the east behind the crossing, beside what comes "
                "in.",
    .criterion = "Stripes are across the sum of both directions, 135°, by 15° at most, and their "
                 "order is at least 0.05.",
    .cases = stripeCases,
    .caseCount = sizeof stripeCases / sizeof stripeCases[0],
    .quickCases = 3,
    .figures = stripeFigures,
    .write = writeStripes,
    .measure = measureStripes,
    .judge = judgeStripes,
    .needsTracks = true,
};

// --- Flow through a door ---

static void writeDoor12(const VerifyScene* scene, const VerifyCase* self)
{
    char text[128];
    beginScene(scene, "150 people leave a room by a door of 1.2 m.", 0.1, 400, true);
    snprintf(text, sizeof text, "\"radius\": %g, \"speed\": {\"normal\": [1.34, 0.26]}", self->x);
    writePeople(scene, text);
    writeRoom(scene, 10, 1.2, 150);
}

enum { doorFlow, doorShare };
static const char* const doorFigures[] = {"flow [1/(m s)]", "through [share]", NULL};

static void measureDoor12(const VerifyCase* self, const RunResult* run, double* figures)
{
    (void)self;
    figures[doorFlow] = thSurvey_GetLine(run->survey, 0).steadyFlow / 1.2;
    figures[doorShare] = shareThrough(run);
}

static void judgeDoor12(const VerifyRow* self, const VerifyFigures* figures,
                        VerifyJudgement* judgement)
{
    for (int32_t i = 0; i < self->caseCount; ++i) {
        const double* own = figures->values[i];
        if (isnan(own[doorShare]))
            continue;
        verifyAdd(judgement, "1/(m s)", verifyDoorFlow(1.2), 1.2, 2.2, own[doorFlow], "flow of %s",
                  self->cases[i].label);
        verifyAdd(judgement, "", NAN, NAN, NAN, own[doorShare], "share of %s that gets through",
                  self->cases[i].label);
    }
}

static const VerifyCase door12Cases[] = {{"0.4", "people 0.4 m broad", 0.2, 0},
                                         {"0.3", "people 0.3 m broad", 0.15, 0}};

static const VerifyRow door12Row = {
    .name = "door-1.2",
    .title = "Flow through a door of 1.2 m",
    .measured = "150 people 0.4 m or 0.3 m broad leave a room of 10 m by 10 m by a door of 1.2 m. "
                "Flow of all but the first and the last tenth, ÷ width.",
    .criterion = "The specific flow is 1.2 to 2.2 /(m s).",
    .cases = door12Cases,
    .caseCount = sizeof door12Cases / sizeof door12Cases[0],
    .quickCases = 3,
    .figures = doorFigures,
    .write = writeDoor12,
    .measure = measureDoor12,
    .judge = judgeDoor12,
};

// --- All rows ---

static const VerifyRow* const rows[] = {&fasterRow,  &cloggingRow, &lanesRow, &oscillationRow,
                                        &stripesRow, &door12Row,   NULL};

static const char* const avoids[] = {"orca", "clearpath", "rvo", "speed", NULL};

const VerifySuite verifyModels = {
    .name = "models",
    .title = "Crowds beside what models are known for",
    .known = "known",
    .bareSuffix = ", bare",
    .rows = rows,
    .avoids = avoids,
};
