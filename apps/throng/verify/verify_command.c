// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The command `verify`: runs crowds for which there are figures of real people, with several ways
// to avoid each other, and says where they agree.

#include "commands/commands.h"
#include "load_scene.h"
#include "verify/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <throng/tasks.h>
#include <unistd.h>

// --- Options ---

typedef struct VerifyOptions {
    bool quick;
    TextList only, avoids;
    int64_t seeds; // [0: as many as usual]
    int64_t threads;
    const char* out;
    const char* data;
    bool quiet;
} VerifyOptions;

#define AT(member) .offset = offsetof(VerifyOptions, member)

static const Option verifyOptions[] = {
    {.heading = "what is run",
     .name = "quick",
     .kind = optionFlag,
     AT(quick),
     .about = "fewer rows, scenes and seeds: about two minutes"},
    {.name = "only",
     .kind = optionTexts,
     AT(only),
     .value = "ROW",
     .about = "only this row, see below; may be repeated"},
    {.name = "avoid",
     .kind = optionTexts,
     AT(avoids),
     .value = "METHOD",
     .about = "how people avoid each other; may be repeated (default\norca, clearpath and rvo)"},
    {.name = "seeds",
     .kind = optionWhole,
     AT(seeds),
     .value = "N",
     .about = "run each scene with the seeds 1 to N (default 3, with\n--quick 1)",
     .min = 1,
     .max = 100},
    {.heading = "how it is computed; results do not depend on it",
     .name = "threads",
     .kind = optionWhole,
     AT(threads),
     .value = "N",
     .about = "runs that go on at once (default one for each core)",
     .min = 1,
     .max = appMostThreads},
    {.heading = "what comes out",
     .name = "out",
     .kind = optionText,
     AT(out),
     .value = "DIR",
     .about = "write people.md, people.html, people.csv, runs.csv,\n"
              "charts and the scenes to this folder, which is made if\n"
              "need be"},
    {.name = "data",
     .kind = optionText,
     AT(data),
     .value = "DIR",
     .about = "also draw points of experiments, from a folder with\nreference_tables of Jülich"},
    {.name = "quiet", .kind = optionFlag, AT(quiet), .about = "show no progress"},
    {0},
};

// --- Variants ---

// The paces that people are given, by the key of profiles: the usual one first. [NULL: not set]
static const char* const paces[] = {"people", "none"};
enum { paceCount = sizeof paces / sizeof paces[0], mostAvoids = 16 };

static const char* const usualAvoids[] = {"orca", "clearpath", "rvo"};
enum { usualAvoidCount = sizeof usualAvoids / sizeof usualAvoids[0] };

static int32_t makeVariants(const TextList* avoids, VerifyVariant* variants)
{
    int32_t count = 0;
    for (int32_t pace = 0; pace < paceCount; ++pace)
        for (int32_t i = 0; i < avoids->count; ++i) {
            VerifyVariant* variant = &variants[count++];
            *variant = (VerifyVariant){.avoid = avoids->items[i], .pace = paces[pace]};
            if (pace == 0)
                snprintf(variant->label, sizeof variant->label, "%s", variant->avoid);
            else
                snprintf(variant->label, sizeof variant->label, "%s, pace %s", variant->avoid,
                         variant->pace);
        }
    return count;
}

// --- Scenes ---

// The text of a scene, to be freed. NULL when memory is out.
static char* makeScene(const VerifyRow* row, const VerifyCase* self, const char* pace, size_t* size)
{
    char* text = NULL;
    FILE* stream = open_memstream(&text, size);
    if (stream == NULL)
        return NULL;
    row->write(&(VerifyScene){.stream = stream, .pace = pace}, self);
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}

static ExitCode loadScene(const VerifyRow* row, const VerifyCase* self, const char* pace,
                          thScene** scene)
{
    char name[128];
    size_t size;
    char* text = makeScene(row, self, pace, &size);
    *scene = NULL;
    if (text == NULL) {
        appSay("no memory");
        return exitEnvironment;
    }
    snprintf(name, sizeof name, "%s-%s.json", row->name, self->name);
    SceneErrors errors = {.stream = stderr, .colour = appUsesColour(STDERR_FILENO)};
    thSceneDef def = thDefaultSceneDef();
    def.path = name;
    def.text = text;
    def.textSize = size;
    def.report = appPrintSceneError;
    def.reportContext = &errors;
    const thResult result = thLoadScene(&def, scene);
    if (result != th_resultOk)
        appSay("cannot read scene '%s': %s", name, thResult_GetText(result));
    free(text);
    return appExitOf(result);
}

// --- Runs ---

// All runs of a row: variants, cases and seeds.
typedef struct Batch {
    const VerifyOptions* options;
    const VerifyVariant* variants;
    int32_t variantCount, seeds, caseCount; // of cases that are run
    int32_t cases[verifyMostCases];
    VerifyResult* result;
    Progress progress;
    int32_t done;
    int64_t simulated; // in all runs so far [ms]
    ExitCode code;     // of a run that failed
} Batch;

static ExitCode runOne(Batch* batch, const VerifyVariant* variant, const VerifyCase* self,
                       int32_t seed, double* figures)
{
    const VerifyRow* row = batch->result->row;
    const SurveyOptions all = {0};
    Gauges gauges = {0};
    thScene* scene;
    ExitCode code = loadScene(row, self, variant->pace, &scene);
    RunOptions options = {.steps = -1, .until = -1.0, .threads = 1, .quiet = true};
    options.methods[th_methodAvoid] = variant->avoid;
    RunJob job = {.scene = scene,
                  .options = &options,
                  .simd = th_simdAuto,
                  .gauges = &gauges,
                  .figures = row->needsFigures};
    job.methods[th_methodAvoid] = variant->avoid;
    RunResult run = {0};
    if (code == exitDone)
        code = appReadGauges(&all, scene, &gauges);
    if (code == exitDone)
        code = appRunOnce(&job, (uint64_t)(seed + 1), "", &run);
    if (code == exitDone && run.survey != NULL && !run.interrupted)
        row->measure(self, &run, figures);
    __atomic_add_fetch(&batch->simulated, (int64_t)(1e3 * run.time), __ATOMIC_RELAXED);
    thDestroySurvey(run.survey);
    free(run.closings);
    appFreeGauges(&gauges);
    thDestroyScene(scene);
    return code;
}

// A thRangeFcn: one run each.
static void runRange(void* context, int32_t begin, int32_t end, int32_t worker)
{
    Batch* batch = context;
    for (int32_t i = begin; i < end; ++i) {
        if (appWasInterrupted() || __atomic_load_n(&batch->code, __ATOMIC_RELAXED) != exitDone)
            return;
        const int32_t seed = i % batch->seeds, rest = i / batch->seeds;
        const int32_t at = batch->cases[rest % batch->caseCount];
        const int32_t variant = rest / batch->caseCount;
        double* figures =
            &batch->result->values[((variant * verifyMostCases + at) * batch->seeds + seed) *
                                   verifyMostFigures];
        const ExitCode code =
            runOne(batch, &batch->variants[variant], &batch->result->row->cases[at], seed, figures);
        if (code != exitDone)
            __atomic_store_n(&batch->code, code, __ATOMIC_RELAXED);
        const int32_t done = __atomic_add_fetch(&batch->done, 1, __ATOMIC_RELAXED);
        const int32_t all = batch->variantCount * batch->caseCount * batch->seeds;
        if (worker == 0 && appProgressIsDue(&batch->progress))
            appShowProgress(&batch->progress, (double)done / all,
                            1e-3 * (double)__atomic_load_n(&batch->simulated, __ATOMIC_RELAXED));
    }
}

static void judge(const Batch* batch)
{
    const VerifyReport report = {.seeds = batch->seeds};
    for (int32_t variant = 0; variant < batch->variantCount; ++variant) {
        VerifyFigures figures;
        for (int32_t at = 0; at < verifyMostCases; ++at)
            for (int32_t figure = 0; figure < verifyMostFigures; ++figure)
                figures.values[at][figure] =
                    verifyMean(&report, batch->result, variant, at, figure);
        batch->result->row->judge(batch->result->row, &figures,
                                  &batch->result->judgements[variant]);
    }
}

static ExitCode runRow(Batch* batch, const thTasks* tasks)
{
    VerifyResult* result = batch->result;
    const VerifyRow* row = result->row;
    const size_t values =
        (size_t)(batch->variantCount * batch->seeds) * verifyMostCases * verifyMostFigures;
    result->values = malloc(values * sizeof *result->values);
    result->judgements = calloc((size_t)batch->variantCount, sizeof *result->judgements);
    if (result->values == NULL || result->judgements == NULL) {
        appSay("no memory");
        return exitEnvironment;
    }
    for (size_t i = 0; i < values; ++i)
        result->values[i] = NAN;
    batch->caseCount = 0;
    for (int32_t i = 0; i < row->caseCount; ++i)
        if ((result->cases >> i & 1) != 0)
            batch->cases[batch->caseCount++] = i;
    batch->done = 0;
    batch->simulated = 0;
    batch->code = exitDone;
    appBeginProgress(&batch->progress, row->name, batch->options->quiet, 0.0, 0.0);
    thTasks_ParallelFor(tasks, batch->variantCount * batch->caseCount * batch->seeds, 1, runRange,
                        batch);
    appEndProgress(&batch->progress);
    if (batch->code == exitDone && appWasInterrupted())
        batch->code = exitFailed;
    if (batch->code != exitDone)
        return batch->code;
    judge(batch);
    return exitDone;
}

// --- Which rows ---

static bool isNamed(const TextList* names, const char* name)
{
    for (int32_t i = 0; i < names->count; ++i)
        if (strcmp(names->items[i], name) == 0)
            return true;
    return false;
}

static const char* nextRow(void* names)
{
    int32_t* at = names;
    return verifyRows[*at] != NULL ? verifyRows[(*at)++]->name : NULL;
}

static ExitCode checkOnly(const TextList* only)
{
    for (int32_t i = 0; i < only->count; ++i) {
        bool isThere = false;
        for (int32_t k = 0; verifyRows[k] != NULL; ++k)
            isThere = isThere || strcmp(verifyRows[k]->name, only->items[i]) == 0;
        if (isThere)
            continue;
        int32_t at = 0;
        const char* meant = appDidYouMean(only->items[i], nextRow, &at);
        appSay("--only: no row '%s'%s%s%s; 'throng verify --help' lists them", only->items[i],
               meant != NULL ? ", did you mean '" : "", meant != NULL ? meant : "",
               meant != NULL ? "'?" : "");
        return exitUsage;
    }
    return exitDone;
}

// Rows that are run, with their cases. A row that is named is run, also by --quick.
static int32_t chooseRows(const VerifyOptions* options, VerifyResult* results)
{
    int32_t count = 0;
    for (int32_t i = 0; verifyRows[i] != NULL; ++i) {
        const VerifyRow* row = verifyRows[i];
        const uint32_t all = (1u << row->caseCount) - 1;
        uint32_t cases = options->quick ? row->quickCases : all;
        if (options->only.count > 0)
            cases = !isNamed(&options->only, row->name) ? 0 : cases != 0 ? cases : all;
        if (cases != 0)
            results[count++] = (VerifyResult){.row = row, .cases = cases};
    }
    return count;
}

// --- The folder ---

// Makes the folder and writes the scenes, before anything is run.
static ExitCode writeScenes(const char* folder, const VerifyResult* results, int32_t count)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/scenes", folder);
    if (!verifyMakeFolder(folder) || !verifyMakeFolder(path))
        return exitEnvironment;
    for (int32_t i = 0; i < count; ++i)
        for (int32_t at = 0; at < results[i].row->caseCount; ++at) {
            const VerifyRow* row = results[i].row;
            size_t size;
            char* text = makeScene(row, &row->cases[at], NULL, &size);
            snprintf(path, sizeof path, "%s/scenes/%s-%s.json", folder, row->name,
                     row->cases[at].name);
            const bool good = text != NULL && appReplaceFile(path, text, size);
            if (text == NULL)
                appSay("no memory");
            free(text);
            if (!good)
                return exitEnvironment;
        }
    return exitDone;
}

// --- The command ---

enum { mostRows = 32 };

static ExitCode runRows(const VerifyOptions* options, VerifyReport* report, VerifyResult* results)
{
    thTasksDef def = thDefaultTasksDef();
    def.workerCount = (int32_t)options->threads;
    thTasks* tasks;
    const thResult result = thCreateTasks(&def, &tasks);
    if (result != th_resultOk) {
        appSay("cannot start threads: %s", thResult_GetText(result));
        return appExitOf(result);
    }
    Batch batch = {.options = options,
                   .variants = report->variants,
                   .variantCount = report->variantCount,
                   .seeds = report->seeds};
    ExitCode code = exitDone;
    for (int32_t i = 0; i < report->resultCount && code == exitDone; ++i) {
        batch.result = &results[i];
        code = runRow(&batch, tasks);
        if (code == exitDone)
            verifyPrintRow(report, &results[i]);
    }
    thDestroyTasks(tasks);
    return code;
}

static ExitCode verify(const VerifyOptions* options)
{
    const TextList avoids = options->avoids.count > 0
                                ? options->avoids
                                : (TextList){(const char**)usualAvoids, usualAvoidCount};
    VerifyVariant variants[mostAvoids * paceCount];
    VerifyResult results[mostRows] = {0};
    if (avoids.count > mostAvoids) {
        appSay("--avoid: %d methods, expected at most %d", (int)avoids.count, mostAvoids);
        return exitUsage;
    }
    ExitCode code = checkOnly(&options->only);
    for (int32_t i = 0; i < avoids.count && code == exitDone; ++i)
        code =
            appCheckMethods((const char* [th_methodKindCount]){[th_methodAvoid] = avoids.items[i]});
    if (code != exitDone)
        return code;
    VerifyReport report = {.variants = variants,
                           .variantCount = makeVariants(&avoids, variants),
                           .seeds = (int32_t)(options->seeds > 0 ? options->seeds
                                              : options->quick   ? 1
                                                                 : 3),
                           .results = results,
                           .resultCount = chooseRows(options, results),
                           .data = options->data};
    if (options->data != NULL && options->out == NULL) {
        appSay("--data is drawn into charts, which need --out");
        return exitUsage;
    }
    if (!verifyHasData(&report))
        return exitEnvironment;
    appWatchInterrupts();
    if (options->out != NULL)
        code = writeScenes(options->out, results, report.resultCount);
    if (code == exitDone)
        code = runRows(options, &report, results);
    if (code == exitDone && report.resultCount > 1)
        verifyPrintVerdicts(&report);
    if (code == exitDone && options->out != NULL && !verifyWriteReport(&report, options->out))
        code = exitEnvironment;
    for (int32_t i = 0; i < report.resultCount; ++i) {
        free(results[i].values);
        free(results[i].judgements);
    }
    return code;
}

static ExitCode runVerify(const Command* self, int argc, char** argv)
{
    VerifyOptions options = {.threads = appCountThreads()};
    const char* what;
    const Parsed parsed = appParseOptions(self, argc, argv, &options, &what);
    ExitCode code = appExitOfParsed(parsed);
    if (parsed == parsedWell && strcmp(what, "people") != 0) {
        appSay("'%s' cannot be verified, expected people", what);
        code = exitUsage;
    } else if (parsed == parsedWell) {
        code = verify(&options);
    }
    appFreeOptions(self, &options);
    return code;
}

const Command appVerifyCommand = {
    .name = "verify",
    .operand = "WHAT",
    .about = "hold crowds against real people",
    .details =
        "WHAT is people: scenes for which there are figures of real people, or criteria of a\n"
        "guideline, are run and measured. See docs/people.md. Rows:\n"
        "  corridor, corridor-1.8  speed by density, one way, 3 m and 1.8 m wide\n"
        "  single-file             the same one behind the other (RiMEA 16)\n"
        "  door                    flow through doors of 0.7 m to 2.5 m\n"
        "  bottleneck              a gap of 3 m (ao-300 of Jülich)\n"
        "  corner, junction        corridors of 2.4 m that turn, or become one (eo, ko)\n"
        "  two-way                 two streams in a corridor (bot-360-120-120)\n"
        "  jam                     a corridor that ends in a gap (uo-180-180-070)\n"
        "  rimea-4, rimea-9, rimea-11, rimea-12a, rimea-15, iso-7, iso-13\n"
        "                          tests of these guidelines\n"
        "  iso-14                  groups keep together (ISO 14, NIST 2.9)\n"
        "  capacity                the largest flow of a door (ISO 11, NIST 5.2, IMO 4)\n"
        "\n"
        "Exit code: 0 all was run, whatever came of it, 1 interrupted, 2 bad usage, 3 a file\n"
        "or memory.\n",
    .options = verifyOptions,
    .run = runVerify,
};
