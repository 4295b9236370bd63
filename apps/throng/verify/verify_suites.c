// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Rows of guidelines: tests of RiMEA 4.1.1, ISO 20414, NIST TN 1822 and IMO MSC.1/Circ.1533 that
// are about crowds, with their scenes and criteria.

#include "verify/verify.h"

#include <math.h>

// --- Times until all have left ---

// People who all want the same speed: the last one's time is then the crowd's, not that of the
// slowest.
static void writeEqualPeople(const VerifyScene* scene)
{
    fputs("  \"profiles\": {\n", scene->stream);
    verifyWriteProfile(scene, "person", "\"radius\": 0.2, \"speed\": 1.34, " VERIFY_PLAN, true);
    fputs("  },\n", scene->stream);
}

enum { timeTaken };
static const char* const timeFigures[] = {"time [s]", NULL};

static void measureTime(const VerifyCase* self, const RunResult* run, double* figures)
{
    (void)self;
    figures[timeTaken] = verifyLastArrival(run);
}

// A line for each case, without bounds.
static void addTimes(const VerifyRow* self, const VerifyFigures* figures,
                     VerifyJudgement* judgement)
{
    for (int32_t i = 0; i < self->caseCount; ++i)
        verifyAdd(judgement, "s", NAN, NAN, NAN, figures->values[i][timeTaken], "time, %s",
                  self->cases[i].label);
}

// --- RiMEA 4: speed by density ---

#define RIMEA_WIDTH 6.0 // of the corridor [m]

static void writeRimea4(const VerifyScene* scene, const VerifyCase* self)
{
    FILE* stream = scene->stream;
    verifyBeginScene(scene, "RiMEA 4: people at one density in a corridor 6 m wide.", 40, false);
    fputs("  \"walls\": [{\"polyline\": [[-2, 0], [250, 0]]}, {\"polyline\": [[-2, 6], [250, "
          "6]]}],\n"
          "  \"goals\": {\"end\": {\"segment\": [[249, 0.25], [249, 5.75]]}},\n",
          stream);
    verifyWritePeople(scene);
    fputs("  \"agents\": [\n", stream);
    verifyWriteCrowd(stream, 0, 160, RIMEA_WIDTH, self->x, "end");
    fputs("  ],\n  \"measure\": {\n    \"lines\": {\"middle\": [[91, 0], [91, 6]]},\n"
          "    \"areas\": {\n      \"main\": {\"box\": [[90, 1], [92, 3]]},\n"
          "      \"behind\": {\"box\": [[82, 1], [84, 3]]},\n"
          "      \"beside\": {\"box\": [[90, 3.5], [92, 5.5]]}\n    }\n  }\n}\n",
          stream);
}

enum { mainSpeed, mainDensity, crossFlow };
static const char* const speedFigures[] = {"speed [m/s]", "density [1/m²]", "flow [1/(m s)]", NULL};

static void measureRimea4(const VerifyCase* self, const RunResult* run, double* figures)
{
    enum { fields = 3 };
    double speed = 0.0, density = 0.0;
    (void)self;
    for (int32_t i = 0; i < fields; ++i) {
        const VerifyMean mean = verifyAreaMean(run, i, 10, 40);
        speed += mean.speed / fields;
        density += mean.density / fields;
    }
    figures[mainSpeed] = speed;
    figures[mainDensity] = density;
    figures[crossFlow] = verifyFlow(run, 0, 10, 40) / RIMEA_WIDTH;
}

// Speeds, at most so large, that each is less than the one before, and that a crowd is slow.
static void addFalling(const VerifyRow* self, const VerifyFigures* figures, double most,
                       double ratio, VerifyJudgement* judgement)
{
    double before = NAN, first = NAN, dense = NAN, steepest = NAN;
    for (int32_t i = 0; i < self->caseCount; ++i) {
        const double speed = figures->values[i][mainSpeed];
        if (isnan(speed))
            continue;
        verifyAdd(judgement, "m/s", NAN, NAN, most, speed, "speed at %s", self->cases[i].label);
        steepest = fmax(steepest, verifyFall(before, speed));
        first = isnan(first) ? speed : first;
        dense = self->cases[i].x == 4.0 ? speed : dense;
        before = speed;
    }
    verifyAdd(judgement, "", NAN, NAN, ratio, steepest,
              "largest ratio of a speed to the one before");
    verifyAdd(judgement, "", 0.12, NAN, 0.5, dense / first,
              "speed at 4 /m² / at the least density");
}

static void judgeRimea4(const VerifyRow* self, const VerifyFigures* figures,
                        VerifyJudgement* judgement)
{
    addFalling(self, figures, NAN, 0.99, judgement);
    for (int32_t i = 0; i < self->caseCount; ++i)
        if (!isnan(figures->values[i][crossFlow]))
            verifyAdd(judgement, "1/(m s)", NAN, NAN, NAN, figures->values[i][crossFlow],
                      "flow at %s", self->cases[i].label);
}

static const VerifyCase rimea4Cases[] = {
    {"0.5", "0.5 /m²", 0.5, 0}, {"1", "1 /m²", 1, 0}, {"2", "2 /m²", 2, 0}, {"3", "3 /m²", 3, 0},
    {"4", "4 /m²", 4, 0},       {"5", "5 /m²", 5, 0}, {"6", "6 /m²", 6, 0},
};

const VerifyRow verifyRimea4 = {
    .name = "rimea-4",
    .title = "RiMEA 4, IMO 12: speed falls with density",
    .measured = "160 m of a corridor 6 m wide (in the guideline 1000 m by 10 m, or a ring) are "
                "filled at one density, and everybody walks on into an empty part. Mean of three "
                "fields of 2 m by 2 m, 82 m to 92 m from the end of the crowd, from 10 s to 40 s.",
    .criterion =
        "Speed falls from each density to the next, by 1 % or more while people move, and at "
        "4 /m² it is at most half of that at 0.5 /m².",
    .cases = rimea4Cases,
    .caseCount = sizeof rimea4Cases / sizeof rimea4Cases[0],
    .figures = speedFigures,
    .write = writeRimea4,
    .measure = measureRimea4,
    .judge = judgeRimea4,
};

// --- ISO 13: nobody is faster than people are when they are free ---

static void writeIso13(const VerifyScene* scene, const VerifyCase* self)
{
    FILE* stream = scene->stream;
    verifyBeginScene(scene, "ISO 13: people who want 1 m/s, at one density in a corridor.", 40,
                     false);
    fputs("  \"walls\": [{\"polyline\": [[-2, 0], [200, 0]]}, {\"polyline\": [[-2, 3], [200, "
          "3]]}],\n"
          "  \"goals\": {\"end\": {\"segment\": [[199, 0.25], [199, 2.75]]}},\n"
          "  \"profiles\": {\n",
          stream);
    verifyWriteProfile(scene, "person", "\"radius\": 0.2, \"speed\": 1, " VERIFY_PLAN, true);
    fputs("  },\n  \"agents\": [\n", stream);
    verifyWriteCrowd(stream, 0, 120, 3, self->x, "end");
    fputs("  ],\n  \"measure\": {\n    \"lines\": {\"middle\": [[70, 0], [70, 3]]},\n"
          "    \"areas\": {\"middle\": {\"box\": [[60, 0], [80, 3]]}}\n  }\n}\n",
          stream);
}

static void measureIso13(const VerifyCase* self, const RunResult* run, double* figures)
{
    (void)self;
    const VerifyMean mean = verifyAreaMean(run, 0, 10, 40);
    figures[mainSpeed] = mean.speed;
    figures[mainDensity] = mean.density;
    figures[crossFlow] = verifyFlow(run, 0, 10, 40) / 3.0;
}

static void judgeIso13(const VerifyRow* self, const VerifyFigures* figures,
                       VerifyJudgement* judgement)
{
    addFalling(self, figures, 1.05, 1.01, judgement);
}

static const VerifyCase iso13Cases[] = {
    {"0.5", "0.5 /m²", 0.5, 0}, {"1", "1 /m²", 1, 0}, {"2", "2 /m²", 2, 0},
    {"3", "3 /m²", 3, 0},       {"4", "4 /m²", 4, 0},
};

const VerifyRow verifyIso13 = {
    .name = "iso-13",
    .title = "ISO 13: flow, density and speed in a corridor",
    .measured = "As corridor, with 120 m of people who all want to walk at 1 m/s; the 20 m from "
                "60 m on, from 10 s to 40 s.",
    .criterion = "Nobody walks faster than when free (1 m/s, and 5 % more for how it is measured), "
                 "speed does not rise with density, and at 4 /m² it is at most half.",
    .cases = iso13Cases,
    .caseCount = sizeof iso13Cases / sizeof iso13Cases[0],
    .quickCases = 0x1a, // 1, 3 and 4 /m²
    .figures = speedFigures,
    .write = writeIso13,
    .measure = measureIso13,
    .judge = judgeIso13,
};

// --- RiMEA 9: half of the exits, twice the time ---

static void writeRimea9(const VerifyScene* scene, const VerifyCase* self)
{
    FILE* stream = scene->stream;
    const bool four = self->x > 3.0;
    verifyBeginScene(scene, "RiMEA 9: 1000 people leave a room of 30 m by 20 m by exits of 1 m.",
                     900, true);
    fputs("  \"walls\": [\n"
          "    {\"polyline\": [[7, 0], [0, 0], [0, 20], [7, 20]]},\n"
          "    {\"polyline\": [[8, 0], [22, 0]]},\n"
          "    {\"polyline\": [[23, 0], [30, 0], [30, 20], [23, 20]]},\n",
          stream);
    fprintf(stream, "    {\"polyline\": [%s]}\n  ],\n",
            four ? "[8, 20], [22, 20]" : "[7, 20], [23, 20]");
    fprintf(stream,
            "  \"goals\": {\n"
            "    \"a\": {\"segment\": [[6.5, -2], [8.5, -2]]},\n"
            "    \"b\": {\"segment\": [[21.5, -2], [23.5, -2]]},\n"
            "    \"c\": {\"segment\": [[6.5, 22], [8.5, 22]]},\n"
            "    \"d\": {\"segment\": [[21.5, 22], [23.5, 22]]},\n"
            "    \"out\": {\"nearest\": [\"a\", \"b\"%s]}\n  },\n",
            four ? ", \"c\", \"d\"" : "");
    writeEqualPeople(scene);
    fputs("  \"agents\": [\n", stream);
    verifyWriteBox(stream, 0.3, 0.3, 29.7, 19.7, 1000, "out", true);
    fputs("  ],\n  \"measure\": {\"lines\": {\"a\": [[7, 0], [8, 0]], \"b\": [[22, 0], [23, "
          "0]]}}\n}\n",
          stream);
}

static void judgeRimea9(const VerifyRow* self, const VerifyFigures* figures,
                        VerifyJudgement* judgement)
{
    addTimes(self, figures, judgement);
    verifyAdd(judgement, "", 2.0, 1.6, 2.4,
              figures->values[1][timeTaken] / figures->values[0][timeTaken],
              "time with 2 exits / with 4");
}

static const VerifyCase rimea9Cases[] = {{"4", "4 exits", 4, 0}, {"2", "2 exits", 2, 0}};

const VerifyRow verifyRimea9 = {
    .name = "rimea-9",
    .title = "RiMEA 9, IMO 9: half of the exits",
    .measured = "1000 people leave a room of 30 m by 20 m by exits of 1 m, two in each long side, "
                "then by those of one side. The time until the last is 2 m outside.",
    .criterion = "About twice the time: 1.6 to 2.4 times.",
    .cases = rimea9Cases,
    .caseCount = 2,
    .figures = timeFigures,
    .write = writeRimea9,
    .measure = measureTime,
    .judge = judgeRimea9,
};

// --- RiMEA 11: the nearer exit is preferred, but not by all ---

static void writeRimea11(const VerifyScene* scene, const VerifyCase* self)
{
    FILE* stream = scene->stream;
    (void)self;
    verifyBeginScene(scene, "RiMEA 11: 1000 people choose between a near exit and a far one.", 900,
                     true);
    fputs("  \"walls\": [\n"
          "    {\"polyline\": [[7, 0], [0, 0], [0, 20], [30, 20], [30, 0], [23, 0]]},\n"
          "    {\"polyline\": [[8, 0], [22, 0]]}\n  ],\n"
          "  \"goals\": {\n"
          "    \"near\": {\"segment\": [[6.5, -2], [8.5, -2]]},\n"
          "    \"far\": {\"segment\": [[21.5, -2], [23.5, -2]]},\n"
          "    \"out\": {\"nearest\": [\"near\", \"far\"]}\n  },\n"
          "  \"profiles\": {\n",
          stream);
    verifyWriteProfile(scene, "person",
                       VERIFY_ADULT ", \"plan\": {\"visibility\": {\"crowding\": 1}}", true);
    fputs("  },\n", stream);
    fputs("  \"agents\": [\n", stream);
    verifyWriteBox(stream, 0.3, 0.3, 15, 19.7, 1000, "out", true);
    fputs("  ],\n  \"measure\": {\"lines\": {\"near\": [[7, 0], [8, 0]], \"far\": [[22, 0], [23, "
          "0]]}}\n}\n",
          stream);
}

enum { nearCount, farCount };
static const char* const exitFigures[] = {"by the near exit [people]", "by the far exit [people]",
                                          NULL};

static void measureRimea11(const VerifyCase* self, const RunResult* run, double* figures)
{
    (void)self;
    figures[nearCount] = thSurvey_GetLine(run->survey, 0).crossingCount;
    figures[farCount] = thSurvey_GetLine(run->survey, 1).crossingCount;
}

static void judgeRimea11(const VerifyRow* self, const VerifyFigures* figures,
                         VerifyJudgement* judgement)
{
    const double* own = figures->values[0];
    (void)self;
    verifyAdd(judgement, "", NAN, NAN, NAN, own[nearCount], "people by the near exit");
    verifyAdd(judgement, "", NAN, 1.0, NAN, own[farCount], "people by the far exit");
    verifyAdd(judgement, "", NAN, 1.001, NAN, own[nearCount] / fmax(own[farCount], 1.0),
              "near / far");
    verifyAdd(judgement, "", NAN, 1000.0, NAN, own[nearCount] + own[farCount], "people who leave");
}

static const VerifyCase oneCase[] = {{"run", "run", 0, 0}};

const VerifyRow verifyRimea11 = {
    .name = "rimea-11",
    .title = "RiMEA 11: choice of an exit",
    .measured = "1000 people in the left half of a room of 30 m by 20 m leave by two exits of 1 m "
                "in one long side, of which all are nearer to one. They plan by visibility with a "
                "crowding of 1, so that a queue makes a way longer. People who cross each exit's "
                "line.",
    .criterion = "More people take the near exit than the far one, and some take the far one.",
    .cases = oneCase,
    .caseCount = 1,
    .figures = exitFigures,
    .write = writeRimea11,
    .measure = measureRimea11,
    .judge = judgeRimea11,
};

// --- RiMEA 12a: how far the goal is behind an opening ---

static void writeRimea12a(const VerifyScene* scene, const VerifyCase* self)
{
    FILE* stream = scene->stream;
    verifyBeginScene(scene, "RiMEA 12a: 150 people pass an opening to a goal behind it.", 600,
                     true);
    fprintf(stream,
            "  \"walls\": [\n"
            "    {\"room\": [[-5, -10], [5, -10], [5, -0.1], [0.5, -0.1], [0.5, 0.1], [5, 0.1], "
            "[5, 11],\n"
            "              [-5, 11], [-5, 0.1], [-0.5, 0.1], [-0.5, -0.1], [-5, -0.1]]}\n  ],\n"
            "  \"goals\": {\"goal\": {\"segment\": [[-0.25, %g], [0.25, %g]]}},\n",
            self->x, self->x);
    writeEqualPeople(scene);
    fputs("  \"agents\": [\n", stream);
    verifyWriteBox(stream, -4.8, -9.8, 4.8, -0.3, 150, "goal", true);
    fputs("  ],\n  \"measure\": {\"lines\": {\"opening\": [[-0.5, 0], [0.5, 0]]}}\n}\n", stream);
}

static void judgeRimea12a(const VerifyRow* self, const VerifyFigures* figures,
                          VerifyJudgement* judgement)
{
    const int32_t last = self->caseCount - 1;
    double slowest = 0.0;
    addTimes(self, figures, judgement);
    for (int32_t i = 0; i < last; ++i)
        slowest = fmax(slowest, figures->values[i][timeTaken]);
    for (int32_t i = 0; i < last; ++i)
        if (isnan(figures->values[i][timeTaken]))
            slowest = NAN;
    verifyAdd(judgement, "", NAN, NAN, 1.05, slowest / figures->values[last][timeTaken],
              "slowest of the nearer ones / 10 m");
}

static const VerifyCase rimea12aCases[] = {
    {"0", "goal at 0 m", 0, 0},
    {"2", "goal at 2 m", 2, 0},
    {"5", "goal at 5 m", 5, 0},
    {"10", "goal at 10 m", 10, 0},
};

const VerifyRow verifyRimea12a = {
    .name = "rimea-12a",
    .title = "RiMEA 12a: how near the goal is behind an opening",
    .measured = "150 people in a room of 10 m by 10 m pass an opening of 1 m to a goal 0 m, 2 m, "
                "5 m or 10 m behind it, where they leave. The time until the last is there.",
    .criterion = "A nearer goal does not take longer than one at 10 m, by more than 5 %.",
    .cases = rimea12aCases,
    .caseCount = sizeof rimea12aCases / sizeof rimea12aCases[0],
    .quickCases = 0xf,
    .figures = timeFigures,
    .write = writeRimea12a,
    .measure = measureTime,
    .judge = judgeRimea12a,
};

// --- RiMEA 15: a crowd round a corner ---

// Corridors 5 m wide: straight ones whose length is that of the corner's inner and outer side, and
// the corner.
static void writeRimea15(const VerifyScene* scene, const VerifyCase* self)
{
    FILE* stream = scene->stream;
    verifyBeginScene(scene,
                     "RiMEA 15: 500 people in a corridor 5 m wide, straight or round a "
                     "corner.",
                     600, true);
    if (self->x > 0.0)
        fprintf(stream,
                "  \"walls\": [{\"room\": [[-41, 0], [%g, 0], [%g, 5], [-41, 5]]}],\n"
                "  \"goals\": {\"end\": {\"segment\": [[%g, 0.25], [%g, 4.75]]}},\n",
                self->x + 1, self->x + 1, self->x, self->x);
    else
        fputs("  \"walls\": [{\"room\": [[-41, 0], [5, 0], [5, 26], [0, 26], [0, 5], [-41, "
              "5]]}],\n"
              "  \"goals\": {\"end\": {\"segment\": [[0.25, 25], [4.75, 25]]}},\n",
              stream);
    writeEqualPeople(scene);
    fputs("  \"agents\": [\n", stream);
    verifyWriteBox(stream, -40.8, 0.2, -5, 4.8, 500, "end", true);
    fprintf(stream, "  ],\n  \"measure\": {\"lines\": {\"end\": [[%g, %g], [%g, %g]]}}\n}\n",
            self->x > 0 ? self->x - 1 : 0.0, self->x > 0 ? 0.0 : 24.0,
            self->x > 0 ? self->x - 1 : 5.0, self->x > 0 ? 5.0 : 24.0);
}

static void judgeRimea15(const VerifyRow* self, const VerifyFigures* figures,
                         VerifyJudgement* judgement)
{
    const double inner = figures->values[0][timeTaken], corner = figures->values[1][timeTaken],
                 outer = figures->values[2][timeTaken];
    addTimes(self, figures, judgement);
    verifyAdd(judgement, "", NAN, 0.98, NAN, corner / inner, "corner / straight as inside");
    verifyAdd(judgement, "", NAN, NAN, 1.02, corner / outer, "corner / straight as outside");
}

static const VerifyCase rimea15Cases[] = {
    {"inside", "straight, as long as inside", 20, 0},
    {"corner", "round the corner", 0, 0},
    {"outside", "straight, as long as outside", 30, 0},
};

const VerifyRow verifyRimea15 = {
    .name = "rimea-15",
    .title = "RiMEA 15: a large crowd round a corner",
    .measured = "500 people on the first 36 m of a corridor 5 m wide walk on for 25 m along its "
                "inner side, or 35 m along its outer side, round a corner or straight on. The time "
                "until the last is there.",
    .criterion = "The corner takes no less than the straight corridor as long as its inner side, "
                 "and no more than the one as long as its outer side, within 2 %.",
    .cases = rimea15Cases,
    .caseCount = 3,
    .quickCases = 7,
    .figures = timeFigures,
    .write = writeRimea15,
    .measure = measureTime,
    .judge = judgeRimea15,
};

// --- ISO 7: somebody who is slow ---

static void writeIso7(const VerifyScene* scene, const VerifyCase* self)
{
    FILE* stream = scene->stream;
    verifyBeginScene(scene, "ISO 7: 24 people behind somebody who is slow and broad.", 300, true);
    fputs("  \"walls\": [\n"
          "    {\"room\": [[0, 0], [4, 0], [4, 1.75], [20, 1.75], [20, 3.25], [4, 3.25], [4, 5], "
          "[0, 5]]}\n  ],\n"
          "  \"goals\": {\"end\": {\"segment\": [[19, 2], [19, 3]]}},\n  \"profiles\": {\n",
          stream);
    verifyWriteProfile(scene, "person", "\"radius\": 0.2, \"speed\": 1.25, " VERIFY_PLAN, false);
    verifyWriteProfile(scene, "slow", "\"radius\": 0.4, \"speed\": 0.8, " VERIFY_PLAN, true);
    fprintf(stream,
            "  },\n  \"agents\": [\n    {\"profile\": \"%s\", \"at\": [[4.6, 2.5]], \"goal\": "
            "\"end\", \"arrive\": \"leave\"},\n"
            "    {\"profile\": \"person\", \"in\": {\"box\": [[0.2, 0.2], [3.8, 4.8]]}, "
            "\"count\": 24, \"goal\": \"end\", \"arrive\": \"leave\"}\n  ],\n"
            "  \"measure\": {\"lines\": {\"from\": [[6, 1.75], [6, 3.25]], \"to\": [[16, 1.75], "
            "[16, 3.25]]}}\n}\n",
            self->x > 0.0 ? "slow" : "person");
}

enum { slowTime, slowSpeed };
static const char* const slowFigures[] = {"time [s]", "speed of the first [m/s]", NULL};

// When the first person of the scene crossed a line. [s; NaN: never]
static double crossingOfFirst(const RunResult* run, int32_t line)
{
    const thLineResult result = thSurvey_GetLine(run->survey, line);
    for (int32_t i = 0; i < result.crossingCount; ++i)
        if (result.crossings[i].id == 1)
            return result.crossings[i].time;
    return NAN;
}

static void measureIso7(const VerifyCase* self, const RunResult* run, double* figures)
{
    (void)self;
    figures[slowTime] = verifyLastArrival(run);
    figures[slowSpeed] = 10.0 / (crossingOfFirst(run, 1) - crossingOfFirst(run, 0));
}

static void judgeIso7(const VerifyRow* self, const VerifyFigures* figures,
                      VerifyJudgement* judgement)
{
    const double* without = figures->values[0];
    const double* with = figures->values[1];
    addTimes(self, figures, judgement);
    verifyAdd(judgement, "", NAN, 1.02, NAN, with[slowTime] / without[slowTime],
              "time with / without");
    verifyAdd(judgement, "m/s", 0.8, NAN, 0.84, with[slowSpeed], "speed of the slow one");
}

static const VerifyCase iso7Cases[] = {{"without", "all at 1.25 m/s", 0, 0},
                                       {"with", "one at 0.8 m/s", 1, 0}};

const VerifyRow verifyIso7 = {
    .name = "iso-7",
    .title = "ISO 7, NIST 2.10: a slow person",
    .measured = "24 people at 1.25 m/s leave a room of 4 m by 5 m by a corridor of 1.5 m behind "
                "one more who is like them, or walks at 0.8 m/s and takes up half of it. The time "
                "until the last is 15 m into the corridor, and the speed of the first over 10 m.",
    .criterion = "It takes longer with the slow one, who is not carried along: at most 5 % faster "
                 "than he wants.",
    .cases = iso7Cases,
    .caseCount = 2,
    .quickCases = 3,
    .figures = slowFigures,
    .write = writeIso7,
    .measure = measureIso7,
    .judge = judgeIso7,
};

// --- ISO 11, NIST 5.2, IMO 4: the largest flow through a door ---

static void writeCapacity(const VerifyScene* scene, const VerifyCase* self)
{
    FILE* stream = scene->stream;
    verifyBeginScene(scene, "IMO 4: 100 people leave a room of 8 m by 5 m by a door of 1 m.", 300,
                     true);
    fputs("  \"walls\": [\n"
          "    {\"room\": [[-4, -5], [4, -5], [4, -0.1], [0.5, -0.1], [0.5, 0.1], [4, 0.1], [4, "
          "6],\n"
          "              [-4, 6], [-4, 0.1], [-0.5, 0.1], [-0.5, -0.1], [-4, -0.1]]}\n  ],\n"
          "  \"goals\": {\"outside\": {\"segment\": [[-3, 5], [3, 5]]}},\n",
          stream);
    verifyWritePeople(scene);
    fputs("  \"agents\": [\n", stream);
    verifyWriteBox(stream, -3.8, -4.8, 3.8, -0.3, 100, "outside", true);
    fputs("  ],\n  \"measure\": {\"lines\": {\"door\": ", stream);
    if (self->x > 0.0)
        fprintf(stream, "{\"segment\": [[-0.5, 0], [0.5, 0]], \"capacity\": %g}", self->x);
    else
        fputs("[[-0.5, 0], [0.5, 0]]", stream);
    fputs("}}\n}\n", stream);
}

enum { limitFlow };
static const char* const limitFigures[] = {"flow [1/(m s)]", NULL};

static void measureCapacity(const VerifyCase* self, const RunResult* run, double* figures)
{
    (void)self;
    figures[limitFlow] = thSurvey_GetLine(run->survey, 0).steadyFlow;
}

static void judgeCapacity(const VerifyRow* self, const VerifyFigures* figures,
                          VerifyJudgement* judgement)
{
    for (int32_t i = 0; i < self->caseCount; ++i) {
        const double limit = self->cases[i].x > 0.0 ? self->cases[i].x : NAN;
        verifyAdd(judgement, "1/(m s)", NAN, NAN, limit, figures->values[i][limitFlow], "flow, %s",
                  self->cases[i].label);
    }
}

// The second case is for lines that have a capacity.
static const VerifyCase capacityCases[] = {{"free", "no capacity set", 0, 0},
                                           {"1.33", "capacity 1.33 /(m s)", 1.33, 0}};

const VerifyRow verifyCapacity = {
    .name = "capacity",
    .title = "ISO 11, NIST 5.2, IMO 4: largest flow through a door",
    .measured = "100 people leave a room of 8 m by 5 m by a door of 1 m, whose line lets through "
                "no more than its capacity. Flow over the line, of all but the first and the last "
                "tenth.",
    .criterion = "At most 1.33 /(m s), the capacity that is set.",
    .cases = capacityCases,
    .caseCount = 2,
    .quickCases = 3,
    .figures = limitFigures,
    .write = writeCapacity,
    .measure = measureCapacity,
    .judge = judgeCapacity,
};
