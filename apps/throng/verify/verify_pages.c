// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Pages of rows and verdicts, as Markdown and as HTML that has its charts inside, and tables as
// CSV.

#include "output.h"
#include "verify/verify.h"
#if APP_CAIRO
#include "draw/chart.h"
#endif

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool verifyMakeFolder(const char* path)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return true;
    appSayCannot("make", path);
    return false;
}

// --- Charts ---

bool verifyHasData(const VerifyReport* report)
{
    for (int32_t i = 0; i < report->resultCount && report->data != NULL; ++i) {
        const VerifyChart* chart = report->results[i].row->chart;
        for (int32_t k = 0; chart != NULL && chart->files[k] != NULL; ++k) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", report->data, chart->files[k]);
            if (access(path, R_OK) != 0) {
                appSayCannot("read", path);
                return false;
            }
        }
    }
    return true;
}

#if APP_CAIRO

// Points of a file: x and y at the beginning of each line that is no comment.
static bool addFile(const VerifyReport* report, const VerifyChart* chart, const char* name,
                    Series* series)
{
    char path[4096];
    size_t size;
    snprintf(path, sizeof path, "%s/%s", report->data, name);
    char* text = appReadFile(path, &size);
    bool good = text != NULL;
    if (text != NULL)
        text[size] = '\0';
    char* rest = NULL;
    for (char* line = good ? strtok_r(text, "\n", &rest) : NULL; line != NULL && good;
         line = strtok_r(NULL, "\n", &rest)) {
        double x, y;
        if (line[0] != '#' && sscanf(line, "%lf %lf", &x, &y) == 2 && x > 0.0)
            good = appAddValue(series, x, chart->isByWidth ? y / x : y);
    }
    free(text);
    return good;
}

static bool addFiles(const VerifyReport* report, const VerifyChart* chart, Chart* to)
{
    const int32_t grey = 7; // of the eight colours that are told apart
    Series* series =
        report->data != NULL ? appAddSeries(to, seriesPoints, chart->filesName, grey) : NULL;
    bool good = report->data == NULL || series != NULL;
    for (int32_t i = 0; good && series != NULL && chart->files[i] != NULL; ++i)
        good = addFile(report, chart, chart->files[i], series);
    return good;
}

static bool addCurves(const VerifyChart* chart, Chart* to)
{
    const int32_t dashed = 8; // from here on the colours are used again
    bool good = true;
    for (int32_t i = 0; good && chart->curves[i].name != NULL; ++i) {
        const VerifyCurve* curve = &chart->curves[i];
        Series* series = appAddSeries(to, curve->isPoints ? seriesPoints : seriesLine, curve->name,
                                      i == 0 ? appReferenceLook : dashed + 2 + i);
        good = series != NULL;
        for (int32_t k = 0; good && k < curve->count; ++k)
            good = appAddValue(series, curve->points[k][0], curve->points[k][1]);
    }
    return good;
}

static bool addVariants(const VerifyReport* report, const VerifyResult* result, Chart* to)
{
    const VerifyChart* chart = result->row->chart;
    bool good = true;
    for (int32_t i = 0; good && i < report->variantCount; ++i) {
        Series* series = appAddSeries(to, seriesLine, report->variants[i].label, i);
        good = series != NULL;
        for (int32_t k = 0; good && k < result->row->caseCount; ++k) {
            const double x = chart->xFigure < 0 ? result->row->cases[k].x
                                                : verifyMean(report, result, i, k, chart->xFigure);
            const double y = verifyMean(report, result, i, k, chart->yFigure);
            if (!isnan(x) && !isnan(y))
                good = appAddValue(series, x, y);
        }
    }
    return good;
}

static bool drawChart(const VerifyReport* report, const VerifyResult* result, const char* path)
{
    enum { width = 900 };
    const VerifyChart* chart = result->row->chart;
    Chart drawn = {.title = result->row->title, .xLabel = chart->xLabel, .yLabel = chart->yLabel};
    bool good = addFiles(report, chart, &drawn) && addCurves(chart, &drawn) &&
                addVariants(report, result, &drawn);
    if (!good)
        appSay("no memory for the chart");
    good = good && appDrawChart(&drawn, path, width);
    appFreeChart(&drawn);
    return good;
}

static bool hasChart(const VerifyResult* result)
{
    return result->row->chart != NULL;
}

#else

static bool drawChart(const VerifyReport* report, const VerifyResult* result, const char* path)
{
    (void)report;
    (void)result;
    (void)path;
    return true;
}

static bool hasChart(const VerifyResult* result)
{
    (void)result;
    return false;
}

#endif

static void nameChart(const char* folder, const VerifyResult* result, char* path, size_t size)
{
    snprintf(path, size, "%s/charts/%s.svg", folder, result->row->name);
}

// --- A page in either language ---

typedef struct Page {
    FILE* stream;
    bool isHtml;
} Page;

// What means something in HTML, or would end a cell of Markdown's tables, is written out.
static void writeText(const Page* page, const char* text)
{
    for (; *text != '\0'; ++text) {
        if (page->isHtml && *text == '<')
            fputs("&lt;", page->stream);
        else if (page->isHtml && *text == '&')
            fputs("&amp;", page->stream);
        else if (!page->isHtml && *text == '|')
            fputs("\\|", page->stream);
        else
            fputc(*text, page->stream);
    }
}

static void writeHeading(const Page* page, int depth, const char* text)
{
    if (page->isHtml) {
        fprintf(page->stream, "<h%d>", depth);
        writeText(page, text);
        fprintf(page->stream, "</h%d>\n", depth);
    } else {
        fprintf(page->stream, "%.*s %s\n\n", depth, "###", text);
    }
}

// A paragraph that begins with a word in bold. [may be NULL]
static void writeParagraph(const Page* page, const char* bold, const char* text)
{
    fputs(page->isHtml ? "<p>" : "", page->stream);
    if (bold != NULL)
        fprintf(page->stream, page->isHtml ? "<b>%s</b> " : "**%s** ", bold);
    writeText(page, text);
    fputs(page->isHtml ? "</p>\n" : "\n\n", page->stream);
}

static void beginCells(const Page* page)
{
    fputs(page->isHtml ? "<tr>" : "|", page->stream);
}

static void writeCell(const Page* page, const char* text, bool isHead, bool isMissed)
{
    if (page->isHtml) {
        fprintf(page->stream, isHead ? "<th>" : isMissed ? "<td class=\"missed\">" : "<td>");
        writeText(page, text);
        fputs(isHead ? "</th>" : "</td>", page->stream);
    } else {
        fputc(' ', page->stream);
        writeText(page, text);
        fputs(isMissed ? " ✗ |" : " |", page->stream);
    }
}

static void endCells(const Page* page)
{
    fputs(page->isHtml ? "</tr>\n" : "\n", page->stream);
}

// The head of a table: first columns, then one for each variant.
static void beginTable(const Page* page, const char* const* first, const VerifyReport* report)
{
    int32_t count = 0;
    fputs(page->isHtml ? "<table>\n" : "", page->stream);
    beginCells(page);
    for (; first[count] != NULL; ++count)
        writeCell(page, first[count], true, false);
    for (int32_t i = 0; i < report->variantCount; ++i)
        writeCell(page, report->variants[i].label, true, false);
    endCells(page);
    if (page->isHtml)
        return;
    fputc('|', page->stream);
    for (int32_t i = 0; i < count + report->variantCount; ++i)
        fputs("---|", page->stream);
    fputc('\n', page->stream);
}

static void endTable(const Page* page)
{
    fputs(page->isHtml ? "</table>\n" : "\n", page->stream);
}

// Bytes in letters that a page of HTML can have inside.
static void writeBase64(FILE* stream, const unsigned char* data, size_t size)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const uint32_t bits = (uint32_t)data[i] << 16 |
                              (left > 1 ? (uint32_t)data[i + 1] << 8 : 0) |
                              (left > 2 ? (uint32_t)data[i + 2] : 0);
        fputc(letters[bits >> 18], stream);
        fputc(letters[bits >> 12 & 63], stream);
        fputc(left > 1 ? letters[bits >> 6 & 63] : '=', stream);
        fputc(left > 2 ? letters[bits & 63] : '=', stream);
    }
}

static bool writeChart(const Page* page, const char* folder, const VerifyResult* result)
{
    char path[4096];
    if (!page->isHtml) {
        fprintf(page->stream, "![%s](charts/%s.svg)\n\n", result->row->title, result->row->name);
        return true;
    }
    size_t size;
    nameChart(folder, result, path, sizeof path);
    unsigned char* data = appReadFile(path, &size);
    if (data == NULL)
        return false;
    fputs("<img alt=\"", page->stream);
    writeText(page, result->row->title);
    fputs("\" src=\"data:image/svg+xml;base64,", page->stream);
    writeBase64(page->stream, data, size);
    fputs("\">\n", page->stream);
    free(data);
    return true;
}

// --- What the page says ---

static void writeOverview(const Page* page, const VerifyReport* report)
{
    static const char* const first[] = {"row", "what", NULL};
    char text[256];
    VerifyText count;
    snprintf(text, sizeof text,
             "Lines that hold, of those with bounds; a row holds if all of them do. Means over %d "
             "seed%s. Each scene is in scenes/, for 'throng run', 'throng render' and 'throng "
             "measure'.",
             (int)report->seeds, report->seeds == 1 ? "" : "s");
    writeParagraph(page, NULL, text);
    beginTable(page, first, report);
    for (int32_t i = 0; i < report->resultCount; ++i) {
        const VerifyResult* result = &report->results[i];
        beginCells(page);
        writeCell(page, result->row->name, false, false);
        writeCell(page, result->row->title, false, false);
        for (int32_t k = 0; k < report->variantCount; ++k) {
            const VerifyVerdict verdict = verifyVerdict(&result->judgements[k]);
            writeCell(page, verifyShowCount(&count, &verdict), false, verdict.missed > 0);
        }
        endCells(page);
    }
    endTable(page);
}

static void writeLines(const Page* page, const VerifyReport* report, const VerifyResult* result)
{
    const char* const first[] = {"figure", "unit", report->suite->known, "bounds", NULL};
    VerifyText text;
    beginTable(page, first, report);
    for (int32_t i = 0; i < result->judgements[0].lineCount; ++i) {
        const VerifyLine* line = &result->judgements[0].lines[i];
        beginCells(page);
        writeCell(page, line->label, false, false);
        writeCell(page, line->unit, false, false);
        writeCell(page, verifyShowNumber(&text, line, line->real), false, false);
        writeCell(page, verifyShowBounds(&text, line), false, false);
        for (int32_t k = 0; k < report->variantCount; ++k) {
            const VerifyLine* own = &result->judgements[k].lines[i];
            writeCell(page, verifyShowNumber(&text, own, own->value), false, !verifyHolds(own));
        }
        endCells(page);
    }
    endTable(page);
}

static bool writeRow(const Page* page, const VerifyReport* report, const char* folder,
                     const VerifyResult* result)
{
    char title[160], label[64];
    VerifyText text;
    snprintf(title, sizeof title, "%s: %s", result->row->name, result->row->title);
    writeHeading(page, 2, title);
    writeParagraph(page, "Measured.", result->row->measured);
    writeParagraph(page, "Holds if:", result->row->criterion);
    const bool good = !hasChart(result) || writeChart(page, folder, result);
    writeLines(page, report, result);
    for (int32_t k = 0; k < report->variantCount; ++k) {
        const VerifyVerdict verdict = verifyVerdict(&result->judgements[k]);
        snprintf(label, sizeof label, "%s:", report->variants[k].label);
        writeParagraph(page, label, verifyShowVerdict(&text, &verdict));
    }
    return good;
}

static bool writePage(const Page* page, const VerifyReport* report, const char* folder)
{
    static const char head[] =
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<title>%s</title>\n<style>\n"
        "body { font-family: sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; "
        "color: #222; }\n"
        "table { border-collapse: collapse; margin: 1em 0; }\n"
        "th, td { border: 1px solid #ccc; padding: 0.25em 0.6em; text-align: left; }\n"
        "td.missed { background: #fbe3dc; }\n"
        "img { max-width: 100%%; }\n"
        "</style></head><body>\n";
    bool good = true;
    if (page->isHtml)
        fprintf(page->stream, head, report->suite->title);
    writeHeading(page, 1, report->suite->title);
    writeOverview(page, report);
    for (int32_t i = 0; i < report->resultCount && good; ++i)
        good = writeRow(page, report, folder, &report->results[i]);
    if (page->isHtml)
        fputs("</body></html>\n", page->stream);
    return good;
}

// --- CSV ---

// An empty field for what is no number.
static void writeNumber(FILE* stream, double value)
{
    fputc(',', stream);
    if (!isnan(value))
        fprintf(stream, "%.6g", value);
}

// A text of CSV, quoted where it has to be.
static void writeField(FILE* stream, const char* text)
{
    if (strpbrk(text, ",\"\n") == NULL) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text != '\0'; ++text) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

// The name of a variant's pace; one that is not set is what profiles have.
static const char* paceOf(const VerifyVariant* variant)
{
    return variant->pace != NULL ? variant->pace : "";
}

// What the tables show.
static void writeLinesCsv(FILE* stream, const VerifyReport* report)
{
    fprintf(stream, "row,avoid,pace,figure,unit,%s,low,high,value,holds\n", report->suite->known);
    for (int32_t i = 0; i < report->resultCount; ++i)
        for (int32_t k = 0; k < report->variantCount; ++k) {
            const VerifyJudgement* judgement = &report->results[i].judgements[k];
            for (int32_t j = 0; j < judgement->lineCount; ++j) {
                const VerifyLine* line = &judgement->lines[j];
                fprintf(stream, "%s,", report->results[i].row->name);
                writeField(stream, report->variants[k].avoid);
                fprintf(stream, ",%s,\"%s\",%s", paceOf(&report->variants[k]), line->label,
                        line->unit);
                writeNumber(stream, line->real);
                writeNumber(stream, line->low);
                writeNumber(stream, line->high);
                writeNumber(stream, line->value);
                fprintf(stream, ",%s\n",
                        isnan(line->low) && isnan(line->high) ? ""
                        : verifyHolds(line)                   ? "yes"
                                                              : "no");
            }
        }
}

// Every figure of every run.
static void writeRunsOf(FILE* stream, const VerifyReport* report, const VerifyResult* result,
                        int32_t variant)
{
    const VerifyRow* row = result->row;
    for (int32_t at = 0; at < row->caseCount; ++at)
        for (int32_t seed = 0; seed < report->seeds && (result->cases >> at & 1) != 0; ++seed)
            for (int32_t figure = 0; row->figures[figure] != NULL; ++figure) {
                fprintf(stream, "%s,%s-%s,", row->name, row->name, row->cases[at].name);
                writeField(stream, report->variants[variant].avoid);
                fprintf(stream, ",%s,%d,%s", paceOf(&report->variants[variant]), (int)seed + 1,
                        row->figures[figure]);
                writeNumber(stream, verifyValue(report, result, variant, at, seed, figure));
                fputc('\n', stream);
            }
}

static void writeRunsCsv(FILE* stream, const VerifyReport* report)
{
    fputs("row,scene,avoid,pace,seed,figure,value\n", stream);
    for (int32_t i = 0; i < report->resultCount; ++i)
        for (int32_t k = 0; k < report->variantCount; ++k)
            writeRunsOf(stream, report, &report->results[i], k);
}

// --- All files ---

typedef enum Kind { kindMarkdown, kindHtml, kindLines, kindRuns, kindCount } Kind;

static bool writeFile(const VerifyReport* report, const char* folder, Kind kind)
{
    static const char* const endings[kindCount] = {".md", ".html", ".csv", ".csv"};
    char path[4096];
    snprintf(path, sizeof path, "%s/%s%s", folder, kind == kindRuns ? "runs" : report->suite->name,
             endings[kind]);
    OutFile file = {0};
    if (!appOpenOut(&file, path))
        return false;
    bool good = true;
    if (kind == kindLines)
        writeLinesCsv(file.stream, report);
    else if (kind == kindRuns)
        writeRunsCsv(file.stream, report);
    else
        good =
            writePage(&(Page){.stream = file.stream, .isHtml = kind == kindHtml}, report, folder);
    if (ferror(file.stream))
        file.reason = errno;
    return appCloseOut(&file, good);
}

bool verifyWriteReport(const VerifyReport* report, const char* folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/charts", folder);
    bool good = !APP_CAIRO || verifyMakeFolder(path);
    for (int32_t i = 0; i < report->resultCount && good; ++i) {
        nameChart(folder, &report->results[i], path, sizeof path);
        good = !hasChart(&report->results[i]) || drawChart(report, &report->results[i], path);
    }
    for (int32_t kind = 0; kind < kindCount && good; ++kind)
        good = writeFile(report, folder, (Kind)kind);
    return good;
}
