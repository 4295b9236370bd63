// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Figures of real people that crowds are held against, each with its source.

#include "verify/verify.h"

#include <math.h>

// The line from point to point at x. [NaN: beyond its ends]
static double interpolate(const double (*points)[2], int32_t count, double x)
{
    for (int32_t i = 1; i < count; ++i) {
        const double *a = points[i - 1], *b = points[i];
        if (x >= a[0] && x <= b[0])
            return a[1] + (b[1] - a[1]) * (x - a[0]) / (b[0] - a[0]);
    }
    return NAN;
}

// --- Speed by density ---

// U. Weidmann, Transporttechnik der Fussgänger, ETH Zürich 1993.
double verifyWeidmann(double density)
{
    return 1.34 * (1.0 - exp(-1.913 * (1.0 / density - 1.0 / 5.4)));
}

// One-way corridors with open ends, HERMES 2009 (Pedestrian Dynamics Data Archive, Jülich, CC BY
// 4.0, doi 10.34735/ped.2009.14): means of speed along the corridor by density of people in 2 m of
// it, read at round densities from bins of 0.1 /m².
static const double openCorridor[][2] = {{0.15, 1.53}, {0.5, 1.45}, {1.0, 1.31},
                                         {1.5, 1.07},  {2.0, 0.72}, {2.5, 0.48},
                                         {3.0, 0.31},  {3.5, 0.20}, {4.0, 0.16}};
enum { openCount = sizeof openCorridor / sizeof openCorridor[0] };
#define OPEN_FREE_SPEED 1.5 // of these people [m/s]
#define FREE_SPEED 1.34     // of Weidmann's and ours [m/s]

double verifyCorridorSpeed(double density)
{
    return 0.5 * (verifyWeidmann(density) +
                  interpolate(openCorridor, openCount, density) * FREE_SPEED / OPEN_FREE_SPEED);
}

static const double weidmann[][2] = {{0.3, 1.337}, {0.5, 1.298}, {0.75, 1.191}, {1.0, 1.058},
                                     {1.5, 0.807}, {2.0, 0.606}, {2.5, 0.452},  {3.0, 0.331},
                                     {3.5, 0.234}, {4.0, 0.156}, {4.5, 0.092},  {5.0, 0.037},
                                     {5.4, 0.0}};

const VerifyCurve verifyCorridorCurves[] = {
    {"Weidmann 1993", false, sizeof weidmann / sizeof weidmann[0], weidmann},
    {"Jülich, open corridor", true, openCount, openCorridor},
    {0},
};

// --- Flow through doors ---

// Specific flows by width. [1/(m s)] H. Müller 1981; R. Nagai, M. Fukamachi and T. Nagatani 2006;
// A. Seyfried et al. 2009 (doi 10.1287/trsc.1090.0263); laboratory of Jülich 2006; T. Kretz, A.
// Grünebohm and M. Schreckenberg 2006 (doi 10.1088/1742-5468/2006/10/P10014): read from their
// tables and figures, as means where there are several runs.
static const double doors[][2] = {
    {0.6, 2.47}, {0.9, 2.52}, {1.2, 2.29}, {1.5, 2.38}, {1.8, 2.12},              // Müller
    {0.8, 2.17}, {1.2, 2.15}, {1.6, 2.04}, {2.0, 1.94},                           // Nagai
    {0.8, 1.61}, {0.9, 1.86}, {1.0, 1.90}, {1.1, 1.93}, {1.2, 1.97},              // Seyfried
    {0.9, 1.77}, {1.0, 1.83}, {1.2, 1.93}, {1.6, 1.78}, {2.0, 1.77}, {2.5, 2.05}, // Jülich
    {0.6, 1.87}, {0.8, 1.78}, {0.9, 1.76}, {1.0, 1.86}, {1.2, 1.80},              // Kretz
};
enum { doorCount = sizeof doors / sizeof doors[0] };

const VerifyCurve verifyDoorCurves[] = {{"experiments", true, doorCount, doors}, {0}};

double verifyDoorFlow(double width)
{
    double sum = 0.0;
    int32_t count = 0;
    for (int32_t i = 0; i < doorCount; ++i)
        if (fabs(doors[i][0] - width) < 0.05) {
            sum += doors[i][1];
            count += 1;
        }
    return count > 0 ? sum / count : NAN;
}

// --- Recordings of Jülich ---

// HERMES 2009, Pedestrian Dynamics Data Archive (CC BY 4.0).

// ao-300, doi 10.34735/ped.2009.6: measured by `throng measure` from the recording.
const VerifyGap verifyGap = {
    .flow = 6.7, .density = 2.8, .speed = 0.77, .frontDensity = 4.25, .frontSpeed = 0.43};

// eo-240-240-240 (corner) and ko-240-240-240 (T-junction): means of Voronoi densities and speeds of
// the archive's analysis; flow is the mean of their products, of the corner behind it.
const VerifyTurn verifyCorner = {.flow = 1.40,
                                 .beforeDensity = 2.02,
                                 .beforeSpeed = 0.75,
                                 .afterDensity = 1.55,
                                 .afterSpeed = 0.91};
const VerifyTurn verifyJunction = {.flow = 1.66,
                                   .beforeDensity = 2.87,
                                   .beforeSpeed = 0.33,
                                   .afterDensity = 2.35,
                                   .afterSpeed = 0.71};

// bot-360-120-120 and uo-180-180-070, doi 10.34735/ped.2009.14: people per area in the middle of
// the corridor and their speed in the steady part.
const VerifyPlace verifyTwoWay = {.density = 1.47, .speed = 0.91, .flow = 4.7};
const VerifyPlace verifyJam = {.density = 2.89, .speed = 0.36, .flow = 1.62};

// --- Single file ---

// Speeds that 10 %, 50 % and 90 % of people do not exceed, by density. RiMEA guideline 4.1.1, test
// 16.
static const double lowSpeeds[][2] = {{0.5, 0.71}, {0.9, 0.45}, {1.1, 0.32},
                                      {1.3, 0.19}, {1.5, 0.11}, {1.7, 0.07},
                                      {1.9, 0.05}, {2.1, 0.03}, {2.5, 0.02}};
static const double medianSpeeds[][2] = {{0.5, 1.09}, {0.9, 0.75}, {1.1, 0.52},
                                         {1.3, 0.39}, {1.5, 0.27}, {1.7, 0.20},
                                         {1.9, 0.16}, {2.1, 0.13}, {2.5, 0.10}};
static const double highSpeeds[][2] = {{0.5, 1.39}, {0.9, 1.10}, {1.1, 0.84},
                                       {1.3, 0.61}, {1.5, 0.49}, {1.7, 0.38},
                                       {1.9, 0.31}, {2.1, 0.27}, {2.5, 0.22}};
enum { fileCount = sizeof lowSpeeds / sizeof lowSpeeds[0] };

VerifyEnvelope verifySingleFile(double density)
{
    const double x = fmin(fmax(density, lowSpeeds[0][0]), lowSpeeds[fileCount - 1][0]);
    return (VerifyEnvelope){.low = interpolate(lowSpeeds, fileCount, x),
                            .median = interpolate(medianSpeeds, fileCount, x),
                            .high = interpolate(highSpeeds, fileCount, x)};
}

// Headways of h = 0.36 m + 1.06 s · v: A. Seyfried, B. Steffen, W. Klingsch and M. Boltes 2005 (doi
// 10.1088/1742-5468/2005/10/P10002).
static const double headways[][2] = {{0.7, 1.008}, {0.8, 0.840}, {0.9, 0.709}, {1.0, 0.604},
                                     {1.2, 0.447}, {1.4, 0.334}, {1.6, 0.250}, {1.8, 0.185},
                                     {2.0, 0.132}, {2.2, 0.089}, {2.4, 0.053}, {2.7, 0.0}};

const VerifyCurve verifySingleFileCurves[] = {
    {"Seyfried 2005", false, sizeof headways / sizeof headways[0], headways},
    {"RiMEA 16, 10 %", false, fileCount, lowSpeeds},
    {"RiMEA 16, 90 %", false, fileCount, highSpeeds},
    {0},
};
