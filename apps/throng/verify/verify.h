// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Crowds beside real people, and beside what models are known for: suites of rows of scenes that
// are run, measured and held against figures. verify_scenes.c writes the scenes of people,
// verify_rows.c, verify_suites.c and verify_groups.c measure and judge them, verify_references.c
// knows the real figures. verify_models.c has the scenes and rows of models, verify_patterns.c
// their measures. verify_report.c prints tables, verify_pages.c writes pages and charts.

#ifndef THRONG_APPS_VERIFY_H
#define THRONG_APPS_VERIFY_H

#include "run/run.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// --- Rows ---

enum { verifyMostFigures = 8, verifyMostCases = 12, verifyMostLines = 48 };

typedef struct VerifyScene VerifyScene;

// One scene of a row.
typedef struct VerifyCase {
    const char* name;  // "1.5": of its scene ROW-NAME
    const char* label; // "1.5 /m²"
    double x;          // what the row varies: density, width …
    double second;     // a second number that the scene needs
} VerifyCase;

// A line of a row's table: a figure, what it is with real people, and within which bounds it holds.
// One that has no bounds is only told.
typedef struct VerifyLine {
    char label[64]; // "speed at 1.5 /m²"
    const char* unit;
    double real;      // [NaN: not known, or a range that the bounds are]
    double low, high; // [NaN: no bound]
    double value;
} VerifyLine;

// What a variant comes to in a row.
typedef struct VerifyJudgement {
    int32_t lineCount;
    VerifyLine lines[verifyMostLines];
} VerifyJudgement;

// Adds a line; low and high may be NAN. The label is made as by printf.
void verifyAdd(VerifyJudgement* judgement, const char* unit, double real, double low, double high,
               double value, const char* label, ...) __attribute__((format(printf, 7, 8)));

// Whether a line holds: true without bounds, false where there is no value.
bool verifyHolds(const VerifyLine* line);

// Figures of a variant: means over seeds, by case. NaN where there is none.
typedef struct VerifyFigures {
    double values[verifyMostCases][verifyMostFigures];
} VerifyFigures;

// A chart of a row: a figure over another or over what the cases vary.
typedef struct VerifyChart {
    const char *xLabel, *yLabel;
    int32_t xFigure; // [-1: x of the case]
    int32_t yFigure;
    const struct VerifyCurve* curves; // real ones; end with a nameless one
    const char* const* files;         // of the archive, with x and y in columns; end with NULL
    const char* filesName;
    bool isByWidth; // y of files is a flow, to be divided by the width x
} VerifyChart;

typedef struct VerifyRow {
    const char* name;
    const char* title;
    const char* measured;  // how
    const char* criterion; // in words
    const VerifyCase* cases;
    int32_t caseCount;
    uint32_t quickCases;        // bits of those that --quick runs [0: none]
    const char* const* figures; // names, with units in brackets; end with NULL
    void (*write)(const VerifyScene* scene, const VerifyCase* self);
    void (*measure)(const VerifyCase* self, const RunResult* run, double* figures);
    // Cases that were not run have NaN.
    void (*judge)(const struct VerifyRow* self, const VerifyFigures* figures,
                  VerifyJudgement* judgement);
    const VerifyChart* chart; // NULL: none
    bool needsFigures;        // of surveys, beside lines and areas
    bool needsTracks;         // who was where
} VerifyRow;

// Rows that are run together.
typedef struct VerifySuite {
    const char* name;             // "people": of the command line and of files
    const char* title;            // of pages
    const char* known;            // what the column of figures is called that are known
    const char* bareSuffix;       // of the label of a method without the pace of people
    const VerifyRow* const* rows; // end with NULL
    const char* const* avoids;    // that are run when none are asked for; end with NULL
} VerifySuite;

extern const VerifySuite verifyPeople, verifyModels;

// Rows of guidelines and of groups, which verify_rows.c enters.

extern const VerifyRow verifyRimea4, verifyRimea9, verifyRimea11, verifyRimea12a, verifyRimea15;
extern const VerifyRow verifyIso7, verifyIso13, verifyIso14, verifyCapacity;

// --- Scenes ---

// A scene that is written.
struct VerifyScene {
    FILE* stream;
    const char* pace;  // of all profiles [NULL: the usual one]
    const char* avoid; // of all profiles, as JSON [NULL: left out]
};

// What all scenes begin with, and those who are in most of them.
void verifyBeginScene(const VerifyScene* scene, const char* about, double end, bool arrived);
#define VERIFY_ADULT "\"radius\": 0.2, \"speed\": {\"normal\": [1.34, 0.26]}" // Weidmann's
#define VERIFY_PLAN "\"plan\": \"visibility\""
void verifyWriteProfile(const VerifyScene* scene, const char* name, const char* text, bool isLast);
void verifyWritePeople(const VerifyScene* scene);

// Entries of `agents` between x0 and x1 in a corridor from y = 0 to `width`: at random where there
// is room for that, else in a lattice.
void verifyWriteCrowd(FILE* stream, double x0, double x1, double width, double density,
                      const char* goal);

// So many people in a box.
void verifyWriteBox(FILE* stream, double x0, double y0, double x1, double y1, int count,
                    const char* goal, bool isLast);

void verifyWriteCorridor(const VerifyScene* scene, const VerifyCase* self);
void verifyWriteDoor(const VerifyScene* scene, const VerifyCase* self);
void verifyWriteBottleneck(const VerifyScene* scene, const VerifyCase* self);
void verifyWriteCorner(const VerifyScene* scene, const VerifyCase* self);
void verifyWriteJunction(const VerifyScene* scene, const VerifyCase* self);
void verifyWriteTwoWay(const VerifyScene* scene, const VerifyCase* self);
void verifyWriteJam(const VerifyScene* scene, const VerifyCase* self);
void verifyWriteSingleFile(const VerifyScene* scene, const VerifyCase* self);

// --- Measures ---

// Means in an area over the frames from one time to another that have somebody in it. [NaN: none]
typedef struct VerifyMean {
    double density, speed;               // classical
    double voronoiDensity, voronoiSpeed; // Voronoi
} VerifyMean;
VerifyMean verifyAreaMean(const RunResult* run, int32_t area, double from, double to);

// When the first and the last tenth of those who cross a line have done so: its steady part.
// False if fewer than 20 do.
bool verifySteady(const RunResult* run, int32_t line, double* from, double* to);

// People over a line in a time. [1/s]
double verifyFlow(const RunResult* run, int32_t line, double from, double to);

// A speed ÷ that at the density before. [NaN: nobody moves at either]
double verifyFall(double before, double speed);

// When the last one arrived. [s; NaN: not all did]
double verifyLastArrival(const RunResult* run);

// --- Patterns ---

// So many of a sequence of directions (above 0, or not) are from times when both were still to
// come: up to the last one of that which ends first.
int32_t verifyBothWays(const int32_t* directions, int32_t count);

// Runs of equal directions, beside those of a sequence of as many of either in any order (Wald and
// Wolfowitz 1940).
typedef struct VerifyRuns {
    int32_t runs;
    double expected;
    double z;      // deviations from what is expected: below 0 there are fewer runs [NaN: one way]
    double length; // mean
} VerifyRuns;
VerifyRuns verifyRuns(const int32_t* directions, int32_t count);

// The value that a share of them does not exceed. [NaN: none]
double verifyQuantile(const double* sorted, int32_t count, double share);

// The tail of a distribution: a power law from where on the values are nearest to one (Clauset,
// Shalizi and Newman 2009), with 20 values or more.
typedef struct VerifyTail {
    double from; // [NaN: too few values]
    int32_t count;
    double exponent;   // of the density
    double preference; // for it, before an exponential tail, in deviations (Vuong 1989)
} VerifyTail;
VerifyTail verifyTail(double* values, int32_t count); // sorts them

// Where and when people are looked at, of two streams: to the second belong those who were first
// seen at a place with sideX x + sideY y > 0.
typedef struct VerifyField {
    double x0, y0, x1, y1;
    double from, to, every; // [s]
    double sideX, sideY;
} VerifyField;

enum { verifyMostWalkers = 1024 };
typedef struct VerifyWalker {
    double x, y;
    bool isSecond;
} VerifyWalker;
int32_t verifyPeopleAt(const Tracks* tracks, const VerifyField* field, double time,
                       VerifyWalker* walkers);

// Lane order of streams along x, and what it is when streams are dealt by lot to the same places.
// [NaN: nobody is in another one's lane]
typedef struct VerifyLanes {
    double order, mixed;
} VerifyLanes;
VerifyLanes verifyLanes(const Tracks* tracks, const VerifyField* field, double radius);

// Stripes: the angle of the axis along which pairs within reach are of one stream most [° from x,
// 0 .. 180], and how much so: 0 mixed. [NaN: there are no pairs]
typedef struct VerifyStripes {
    double angle, order;
} VerifyStripes;
VerifyStripes verifyStripes(const Tracks* tracks, const VerifyField* field, double reach);

// --- References ---

// A curve or points of real people.
typedef struct VerifyCurve {
    const char* name;
    bool isPoints;
    int32_t count;
    const double (*points)[2];
} VerifyCurve;

double verifyWeidmann(double density); // speed [m/s]

// The mean of both, at a free speed of 1.34 m/s. [NaN beyond 4 /m²]
double verifyCorridorSpeed(double density);

extern const VerifyCurve verifyCorridorCurves[];
extern const VerifyCurve verifyDoorCurves[];

// Mean specific flow of experiments at doors of that width. [1/(m s); NaN: there are none]
double verifyDoorFlow(double width);

// A gap: flow [1/s], and Voronoi density and speed in it and in front of it.
typedef struct VerifyGap {
    double flow, density, speed, frontDensity, frontSpeed;
} VerifyGap;
extern const VerifyGap verifyGap;

// A turn: flow behind it [1/(m s)], and Voronoi density and speed before and after it.
typedef struct VerifyTurn {
    double flow, beforeDensity, beforeSpeed, afterDensity, afterSpeed;
} VerifyTurn;
extern const VerifyTurn verifyCorner, verifyJunction;

// Density and speed at a place, and flow over the line. [1/s]
typedef struct VerifyPlace {
    double density, speed, flow;
} VerifyPlace;
extern const VerifyPlace verifyTwoWay, verifyJam;

// Speeds in single file that 10 %, 50 % and 90 % of people do not exceed [m/s], at a density [1/m].
typedef struct VerifyEnvelope {
    double low, median, high;
} VerifyEnvelope;
VerifyEnvelope verifySingleFile(double density);
extern const VerifyCurve verifySingleFileCurves[];

// --- Reports ---

// A variant: how people avoid each other, and their pace.
typedef struct VerifyVariant {
    const char* avoid;  // name of the method, or JSON with its parameters
    bool hasParameters; // it is JSON
    const char* pace;   // [NULL: the usual one]
    char label[48];
} VerifyVariant;

// All values of a row that was run.
typedef struct VerifyResult {
    const VerifyRow* row;
    uint32_t cases;              // bits of those that were run
    double* values;              // [variant][case][seed][figure]
    VerifyJudgement* judgements; // of variants
} VerifyResult;

typedef struct VerifyReport {
    const VerifySuite* suite;
    const VerifyVariant* variants;
    int32_t variantCount;
    int32_t seeds;
    const VerifyResult* results;
    int32_t resultCount;
    const char* data; // folder of real data [NULL: none]
} VerifyReport;

// How well a variant does: counts lines with bounds and those that do not hold, and finds the one
// that misses its bound by the largest share. [NULL: all hold]
typedef struct VerifyVerdict {
    int32_t checked, missed;
    const VerifyLine* worst;
    double by; // how far it is beyond its bound, as a share of it
} VerifyVerdict;
VerifyVerdict verifyVerdict(const VerifyJudgement* judgement);

double verifyValue(const VerifyReport* report, const VerifyResult* result, int32_t variant,
                   int32_t oneCase, int32_t seed, int32_t figure);

// The mean of that over seeds.
double verifyMean(const VerifyReport* report, const VerifyResult* result, int32_t variant,
                  int32_t oneCase, int32_t figure);

// Texts of a line and a verdict, valid until the buffer is used again: a number with as many digits
// as the line's unit needs; "0.97 to 1.62"; "holds", or what is missed most; "7 of 9" that hold.
typedef struct VerifyText {
    char text[256];
} VerifyText;
const char* verifyShowNumber(VerifyText* text, const VerifyLine* line, double value);
const char* verifyShowBounds(VerifyText* text, const VerifyLine* line);
const char* verifyShowVerdict(VerifyText* text, const VerifyVerdict* verdict);
const char* verifyShowCount(VerifyText* text, const VerifyVerdict* verdict);

// A row, as soon as it was run, and all verdicts at the end.
void verifyPrintRow(const VerifyReport* report, const VerifyResult* result);
void verifyPrintVerdicts(const VerifyReport* report);

// --- Pages ---

// Whether the files of real data that charts of these rows draw can be read. Says which cannot.
bool verifyHasData(const VerifyReport* report);

// SUITE.md, SUITE.html, SUITE.csv, runs.csv and charts/. False, and it is said, if one cannot be
// written.
bool verifyWriteReport(const VerifyReport* report, const char* folder);

// A folder, unless it is there. Says why it cannot be made.
bool verifyMakeFolder(const char* path);

#endif
