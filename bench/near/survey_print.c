// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Tables of searches, and who is the fastest from where on.

#include "survey.h"

#include <math.h>
#include <stdio.h>

double thiNearCrossing(const thNearSurvey* survey, int32_t method, int32_t other)
{
    double crossing = INFINITY, former = 0.0, formerSize = -1.0;
    for (int32_t i = 0; i < survey->sizeCount; ++i) {
        const thNearResult* result = survey->results[i];
        if (!result[method].measured || !result[other].measured)
            continue;
        // Both axes logarithmic: there times are almost straight lines.
        const double size = log((double)survey->sizes[i]);
        const double lead = log(result[other].time / result[method].time);
        if (lead <= 0.0)
            crossing = INFINITY;
        else if (formerSize < 0.0)
            crossing = 0.0;
        else if (former <= 0.0)
            crossing = exp(size - (size - formerSize) * lead / (lead - former));
        former = lead;
        formerSize = size;
    }
    return crossing;
}

typedef double ValueFcn(const thNearResult* result);

static double timeOf(const thNearResult* result)
{
    return result->time;
}

static double buildOf(const thNearResult* result)
{
    return result->build;
}

static double recallOf(const thNearResult* result)
{
    return 100.0 * result->recall;
}

static double bytesOf(const thNearResult* result)
{
    return result->bytes;
}

static void printTable(const thNearSurvey* survey, const char* title, int decimals, ValueFcn* value)
{
    printf("\n%s\n%8s", title, "agents");
    for (int32_t m = 0; m < thNearMethodCount; ++m)
        printf(" %12s", thiNearMethods[m]->name);
    printf("\n");
    for (int32_t i = 0; i < survey->sizeCount; ++i) {
        printf("%8d", (int)survey->sizes[i]);
        for (int32_t m = 0; m < thNearMethodCount; ++m)
            if (survey->results[i][m].measured)
                printf(" %12.*f", decimals, value(&survey->results[i][m]));
            else
                printf(" %12s", "-");
        printf("\n");
    }
}

static int32_t fastestOf(const thNearSurvey* survey, int32_t size)
{
    int32_t fastest = -1;
    for (int32_t m = 0; m < thNearMethodCount; ++m) {
        const thNearResult* results = survey->results[size];
        if (results[m].measured && (fastest < 0 || results[m].time < results[fastest].time))
            fastest = m;
    }
    return fastest;
}

static void printFastest(const thNearSurvey* survey)
{
    printf("\nfastest:");
    int32_t former = -1;
    for (int32_t i = 0; i < survey->sizeCount; ++i) {
        const int32_t fastest = fastestOf(survey, i);
        if (fastest == former)
            continue;
        printf("%s %s from %d agents on", former < 0 ? "" : ",", thiNearMethods[fastest]->name,
               (int)survey->sizes[i]);
        former = fastest;
    }
    printf("\n");
}

static void printCrossing(double crossing)
{
    if (crossing == INFINITY)
        printf(" %12s", "never");
    else if (crossing == 0.0)
        printf(" %12s", "always");
    else
        printf(" %12.0f", crossing);
}

static void printCrossings(const thNearSurvey* survey)
{
    printf("\nfaster than another, from about so many agents on\n%-12s", "");
    for (int32_t other = 0; other < thNearMethodCount; ++other)
        printf(" %12s", thiNearMethods[other]->name);
    printf("\n");
    for (int32_t method = 0; method < thNearMethodCount; ++method) {
        printf("%-12s", thiNearMethods[method]->name);
        for (int32_t other = 0; other < thNearMethodCount; ++other)
            if (other == method)
                printf(" %12s", "");
            else
                printCrossing(thiNearCrossing(survey, method, other));
        printf("\n");
    }
}

void thiNearPrint(const thNearSurvey* survey)
{
    printf("\n%g agents to a square metre, the %d nearest within %.2f m\n", (double)survey->density,
           thNearCount, (double)survey->radius);
    printTable(survey, "building and finding [ns for each agent]", 0, timeOf);
    printTable(survey, "of that, building", 0, buildOf);
    printTable(survey, "found of the true neighbours [%]", 1, recallOf);
    printTable(survey, "memory [bytes for each agent]", 0, bytesOf);
    printFastest(survey);
    printCrossings(survey);
}
