// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A run beside a recording: for people, as JSON, and as CSV.

#include "replay/against_report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// A figure as people read it. [NaN: "-"]
static const char* figure(FigureText* text, double value)
{
    return isnan(value) ? "-" : appFormatFigure(text, value);
}

// --- For people ---

static void printDistances(const char* label, const Quantiles* q)
{
    FigureText mean, median, p90, greatest;
    printf("%-27s%8s %8s %8s %8s  m\n", label, figure(&mean, q->mean), figure(&median, q->median),
           figure(&p90, q->p90), figure(&greatest, q->greatest));
}

static void printSide(const char* label, const Quantiles* q)
{
    FigureText mean, p05, p25, median, p75, p95;
    printf("%-27s%8s %8s %8s %8s %8s %8s", label, figure(&mean, q->mean), figure(&p05, q->p05),
           figure(&p25, q->p25), figure(&median, q->median), figure(&p75, q->p75),
           figure(&p95, q->p95));
}

static void printTwo(const char* label, const TwoQuantiles* two, const char* unit)
{
    FigureText distance;
    printSide(label, &two->run);
    printf(" %8s  %s\n", figure(&distance, two->distance), unit);
    printSide("  recording", &two->recording);
    printf(" %8s  %s\n", "", unit);
}

static void printBin(const DensityBin* bin)
{
    char label[64];
    FigureText from, to, run, recording;
    snprintf(label, sizeof label, "  %s to %s 1/m²", appFormatFigure(&from, bin->from),
             appFormatFigure(&to, bin->to));
    // The ² takes two bytes and one column.
    printf("%-28s%8s %8s %8d %8d\n", label, figure(&run, bin->runSpeed),
           figure(&recording, bin->recordingSpeed), (int)bin->runFrames, (int)bin->recordingFrames);
}

void appPrintAgainst(const Against* against, const char* path)
{
    printf("\nagainst %s: %d of %d people matched", appFileName(path), (int)against->matched,
           (int)against->recordingPeople);
    if (against->runPeople > against->matched)
        printf(", %d of the run are not in it", (int)(against->runPeople - against->matched));
    printf("\n%27s%8s %8s %8s %8s\n", "", "mean", "median", "90 %", "most");
    printDistances("mean displacement, ADE", &against->mean);
    printDistances("final displacement, FDE", &against->last);
    printDistances("ADE of a straight walk", &against->straight);
    printf("%-27s%8.3g %%\n", "time both are there", 100.0 * against->present);
    printf("%27s%8s %8s %8s %8s %8s %8s %8s\n", "", "mean", "5 %", "25 %", "median", "75 %", "95 %",
           "KS");
    printTwo("speed", &against->speed, "m/s");
    printTwo("nearest other person", &against->nearest, "m");
    for (int32_t i = 0; i < against->binCount; ++i) {
        const DensityBin* bin = &against->bins[i];
        if (i == 0 || strcmp(bin->area, bin[-1].area) != 0)
            printf("speed by density, %s\n%27s%8s %8s %8s %8s\n", bin->area, "", "m/s", "rec.",
                   "frames", "rec.");
        printBin(bin);
    }
}

// --- JSON ---

static void writeQuantiles(JsonOut* out, const char* key, const Quantiles* q)
{
    if (q->count == 0) {
        appJsonNull(out, key);
        return;
    }
    appJsonBegin(out, key, '{', false);
    appJsonWhole(out, "count", q->count);
    appJsonNumber(out, "mean", q->mean);
    appJsonNumber(out, "p05", q->p05);
    appJsonNumber(out, "p25", q->p25);
    appJsonNumber(out, "median", q->median);
    appJsonNumber(out, "p75", q->p75);
    appJsonNumber(out, "p90", q->p90);
    appJsonNumber(out, "p95", q->p95);
    appJsonNumber(out, "greatest", q->greatest);
    appJsonEnd(out, '}');
}

static void writeTwo(JsonOut* out, const char* key, const TwoQuantiles* two)
{
    appJsonBegin(out, key, '{', true);
    writeQuantiles(out, "run", &two->run);
    writeQuantiles(out, "recording", &two->recording);
    appJsonNumber(out, "ks_distance", two->distance);
    appJsonEnd(out, '}');
}

static void writeBin(JsonOut* out, const DensityBin* bin)
{
    appJsonBegin(out, NULL, '{', false);
    appJsonText(out, "area", bin->area);
    appJsonNumber(out, "from", bin->from);
    appJsonNumber(out, "to", bin->to);
    appJsonWhole(out, "run_frames", bin->runFrames);
    appJsonNumber(out, "run_speed", bin->runSpeed);
    appJsonWhole(out, "recording_frames", bin->recordingFrames);
    appJsonNumber(out, "recording_speed", bin->recordingSpeed);
    appJsonEnd(out, '}');
}

void appWriteAgainst(JsonOut* out, const Against* against, const char* path)
{
    appJsonBegin(out, "against", '{', true);
    appJsonText(out, "recording", path);
    appJsonWhole(out, "people", against->recordingPeople);
    appJsonWhole(out, "matched", against->matched);
    appJsonNumber(out, "matched_share", (double)against->matched / against->recordingPeople);
    appJsonNumber(out, "present_share", against->present);
    writeQuantiles(out, "ade", &against->mean);
    writeQuantiles(out, "fde", &against->last);
    writeQuantiles(out, "straight_ade", &against->straight);
    writeTwo(out, "speed", &against->speed);
    writeTwo(out, "nearest", &against->nearest);
    appJsonBegin(out, "diagram", '[', true);
    for (int32_t i = 0; i < against->binCount; ++i)
        writeBin(out, &against->bins[i]);
    appJsonEnd(out, ']');
    appJsonEnd(out, '}');
}

// --- CSV ---

static void putQuantiles(OutFile* file, const char* key, const char* of, const char* unit,
                         const Quantiles* q)
{
    appPutCsv(file, "%s,%s,%s,%" PRId64, key, of, unit, q->count);
    const double numbers[] = {q->mean, q->p05, q->p25, q->median,
                              q->p75,  q->p90, q->p95, q->greatest};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        appPutCsv(file, ",");
        appPutCsvNumber(file, numbers[i]);
    }
    appPutCsv(file, "\n");
}

static void putFigures(OutFile* file, const Against* against)
{
    appPutCsv(file, "figure,of,unit,count,mean,p05,p25,median,p75,p90,p95,greatest\n");
    putQuantiles(file, "ade", "run", "m", &against->mean);
    putQuantiles(file, "fde", "run", "m", &against->last);
    putQuantiles(file, "ade", "straight walk", "m", &against->straight);
    putQuantiles(file, "speed", "run", "m/s", &against->speed.run);
    putQuantiles(file, "speed", "recording", "m/s", &against->speed.recording);
    putQuantiles(file, "nearest", "run", "m", &against->nearest.run);
    putQuantiles(file, "nearest", "recording", "m", &against->nearest.recording);
}

void appWriteAgainstCsv(OutFile* figures, OutFile* people, OutFile* diagram, const Against* against)
{
    putFigures(figures, against);
    appPutCsv(people, "id,times,present,ADE [m],FDE [m],straight ADE [m]\n");
    for (int32_t i = 0; i < against->matched; ++i) {
        const Displaced* person = &against->people[i];
        appPutCsv(people, "%" PRIu32 ",%d,%.9g,%.9g,%.9g,%.9g\n", person->id, (int)person->times,
                  person->present, person->mean, person->last, person->straight);
    }
    appPutCsv(diagram, "area,from [1/m²],to [1/m²],run frames,run speed [m/s],recording frames,"
                       "recording speed [m/s]\n");
    for (int32_t i = 0; i < against->binCount; ++i) {
        const DensityBin* bin = &against->bins[i];
        appPutCsvName(diagram, bin->area);
        appPutCsv(diagram, ",%.9g,%.9g,%d,", bin->from, bin->to, (int)bin->runFrames);
        appPutCsvNumber(diagram, bin->runSpeed);
        appPutCsv(diagram, ",%d,", (int)bin->recordingFrames);
        appPutCsvNumber(diagram, bin->recordingSpeed);
        appPutCsv(diagram, "\n");
    }
}
