// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What rows come to: lines with bounds, verdicts, and tables as text.

#include "verify/verify.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// --- Lines and verdicts ---

void verifyAdd(VerifyJudgement* judgement, const char* unit, double real, double low, double high,
               double value, const char* label, ...)
{
    if (judgement->lineCount == verifyMostLines)
        return;
    VerifyLine* line = &judgement->lines[judgement->lineCount++];
    *line = (VerifyLine){.unit = unit, .real = real, .low = low, .high = high, .value = value};
    va_list list;
    va_start(list, label);
    vsnprintf(line->label, sizeof line->label, label, list);
    va_end(list);
}

static bool isChecked(const VerifyLine* line)
{
    return !isnan(line->low) || !isnan(line->high);
}

bool verifyHolds(const VerifyLine* line)
{
    return !isChecked(line) ||
           (!isnan(line->value) && !(line->value < line->low) && !(line->value > line->high));
}

// How far it is beyond its bound, as a share of the bound; what is no number is worst.
static double missOf(const VerifyLine* line)
{
    if (verifyHolds(line))
        return 0.0;
    if (isnan(line->value))
        return INFINITY;
    const double bound = line->value < line->low ? line->low : line->high;
    return fabs(line->value - bound) / fmax(fabs(bound), 1e-9);
}

VerifyVerdict verifyVerdict(const VerifyJudgement* judgement)
{
    VerifyVerdict verdict = {0};
    for (int32_t i = 0; i < judgement->lineCount; ++i) {
        const VerifyLine* line = &judgement->lines[i];
        verdict.checked += isChecked(line);
        if (verifyHolds(line))
            continue;
        verdict.missed += 1;
        if (verdict.worst == NULL || missOf(line) > verdict.by) {
            verdict.worst = line;
            verdict.by = missOf(line);
        }
    }
    return verdict;
}

double verifyValue(const VerifyReport* report, const VerifyResult* result, int32_t variant,
                   int32_t oneCase, int32_t seed, int32_t figure)
{
    return result->values[((variant * verifyMostCases + oneCase) * report->seeds + seed) *
                              verifyMostFigures +
                          figure];
}

double verifyMean(const VerifyReport* report, const VerifyResult* result, int32_t variant,
                  int32_t oneCase, int32_t figure)
{
    double sum = 0.0;
    for (int32_t seed = 0; seed < report->seeds; ++seed)
        sum += verifyValue(report, result, variant, oneCase, seed, figure);
    return sum / report->seeds;
}

// --- Numbers ---

const char* verifyShowNumber(VerifyText* text, const VerifyLine* line, double value)
{
    const bool isRatio = line->unit[0] == '\0';
    if (isnan(value))
        snprintf(text->text, sizeof text->text, "-");
    else
        snprintf(text->text, sizeof text->text, "%.*f",
                 fabs(value) >= 99.95   ? 0
                 : fabs(value) >= 9.995 ? 1
                 : isRatio              ? 3
                                        : 2,
                 value);
    return text->text;
}

const char* verifyShowBounds(VerifyText* text, const VerifyLine* line)
{
    VerifyText low, high;
    if (!isChecked(line))
        snprintf(text->text, sizeof text->text, "-");
    else if (isnan(line->low))
        snprintf(text->text, sizeof text->text, "at most %.16s",
                 verifyShowNumber(&high, line, line->high));
    else if (isnan(line->high))
        snprintf(text->text, sizeof text->text, "at least %.16s",
                 verifyShowNumber(&low, line, line->low));
    else
        snprintf(text->text, sizeof text->text, "%.16s to %.16s",
                 verifyShowNumber(&low, line, line->low),
                 verifyShowNumber(&high, line, line->high));
    return text->text;
}

const char* verifyShowVerdict(VerifyText* text, const VerifyVerdict* verdict)
{
    VerifyText value, bounds;
    if (verdict->checked == 0)
        snprintf(text->text, sizeof text->text, "nothing to hold");
    else if (verdict->missed == 0)
        snprintf(text->text, sizeof text->text, "holds");
    else
        snprintf(text->text, sizeof text->text,
                 "does not hold: %d of %d missed, worst: %s is %.16s, expected %.48s",
                 (int)verdict->missed, (int)verdict->checked, verdict->worst->label,
                 verifyShowNumber(&value, verdict->worst, verdict->worst->value),
                 verifyShowBounds(&bounds, verdict->worst));
    return text->text;
}

const char* verifyShowCount(VerifyText* text, const VerifyVerdict* verdict)
{
    if (verdict->checked == 0)
        snprintf(text->text, sizeof text->text, "-");
    else
        snprintf(text->text, sizeof text->text, "%d of %d",
                 (int)(verdict->checked - verdict->missed), (int)verdict->checked);
    return text->text;
}

// --- Text ---

// Text and blanks up to a number of letters, however many bytes those have.
static void printPadded(const char* text, int width)
{
    int letters = 0;
    for (const char* at = text; *at != '\0'; ++at)
        letters += (*at & 0xc0) != 0x80;
    printf("%s%*s", text, letters < width ? width - letters : 0, "");
}

// Width of a variant's column.
static int widthOf(const VerifyVariant* variant)
{
    const int length = (int)strlen(variant->label);
    return length > 9 ? length : 9;
}

// "speed at 1 /m² [m/s]".
static const char* showLabel(VerifyText* text, const VerifyLine* line)
{
    const bool hasUnit = line->unit[0] != '\0';
    snprintf(text->text, sizeof text->text, "%s%s%s%s", line->label, hasUnit ? " [" : "",
             line->unit, hasUnit ? "]" : "");
    return text->text;
}

static void printHead(const VerifyReport* report)
{
    for (int32_t i = 0; i < report->variantCount; ++i)
        printf(" %*s ", widthOf(&report->variants[i]), report->variants[i].label);
    putchar('\n');
}

void verifyPrintRow(const VerifyReport* report, const VerifyResult* result)
{
    const VerifyJudgement* judgements = result->judgements;
    VerifyText text;
    printf("%s: %s\n", result->row->name, result->row->title);
    printf("  %-44s %8s %16s ", "", report->suite->known, "bounds");
    printHead(report);
    for (int32_t i = 0; i < judgements[0].lineCount; ++i) {
        const VerifyLine* line = &judgements[0].lines[i];
        fputs("  ", stdout);
        printPadded(showLabel(&text, line), 44);
        printf(" %8s ", verifyShowNumber(&text, line, line->real));
        printf("%16s ", verifyShowBounds(&text, line));
        for (int32_t k = 0; k < report->variantCount; ++k) {
            const VerifyLine* own = &judgements[k].lines[i];
            printf(" %*s%c", widthOf(&report->variants[k]),
                   verifyShowNumber(&text, own, own->value), verifyHolds(own) ? ' ' : '!');
        }
        putchar('\n');
    }
    for (int32_t k = 0; k < report->variantCount; ++k) {
        const VerifyVerdict verdict = verifyVerdict(&judgements[k]);
        printf("  %s: %s\n", report->variants[k].label, verifyShowVerdict(&text, &verdict));
    }
    putchar('\n');
    fflush(stdout);
}

void verifyPrintVerdicts(const VerifyReport* report)
{
    VerifyText text;
    puts("verdicts: lines that hold, of those with bounds; ! is a row that does not hold");
    printf("  %-16s", "");
    printHead(report);
    for (int32_t i = 0; i < report->resultCount; ++i) {
        printf("  %-16s", report->results[i].row->name);
        for (int32_t k = 0; k < report->variantCount; ++k) {
            const VerifyVerdict verdict = verifyVerdict(&report->results[i].judgements[k]);
            printf(" %*s%c", widthOf(&report->variants[k]), verifyShowCount(&text, &verdict),
                   verdict.missed == 0 ? ' ' : '!');
        }
        putchar('\n');
    }
}
