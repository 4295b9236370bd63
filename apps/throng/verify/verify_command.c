// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The command `verify`: runs crowds by several ways to avoid each other, and says where they are
// as real people are, or as models are known to be.

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
    TextList only, avoids, changes;
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
     .about = "how people avoid each other: a name, or JSON as in\n"
              "scenes, '{\"speed\": {\"timeGap\": 0.6}}'; may be repeated\n"
              "(default orca, clearpath and rvo, of models speed too)"},
    {.name = "set",
     .kind = optionTexts,
     AT(changes),
     .value = "PATH=VALUE",
     .about = "change all scenes, as in 'throng run'; may be repeated"},
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
              "need be; of models models.md and so on"},
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

// "speed timeGap=0.6" of JSON.
static void labelJson(const char* json, char* label, size_t size)
{
    bool isFirst = true;
    size_t length = 0;
    for (; *json != '\0' && length + 1 < size; ++json)
        if (*json == ':') {
            label[length++] = isFirst ? ' ' : '=';
            isFirst = false;
        } else if (strchr("{}\" \n\t", *json) == NULL) {
            label[length++] = *json;
        }
    label[length] = '\0';
}

static int32_t makeVariants(const VerifySuite* suite, const TextList* avoids,
                            VerifyVariant* variants)
{
    int32_t count = 0;
    for (int32_t pace = 0; pace < paceCount; ++pace)
        for (int32_t i = 0; i < avoids->count; ++i) {
            VerifyVariant* variant = &variants[count++];
            const char* avoid = avoids->items[i];
            *variant = (VerifyVariant){
                .avoid = avoid, .hasParameters = avoid[0] == '{', .pace = paces[pace]};
            if (variant->hasParameters)
                labelJson(avoid, variant->label, sizeof variant->label);
            else
                snprintf(variant->label, sizeof variant->label, "%s", avoid);
            const size_t length = strlen(variant->label);
            if (pace > 0)
                snprintf(variant->label + length, sizeof variant->label - length, "%s",
                         suite->bareSuffix);
        }
    return count;
}

// --- Scenes ---

// The text of a scene, to be freed. NULL when memory is out. Without a variant it is as it is
// written, for everybody to run.
static char* makeScene(const VerifyRow* row, const VerifyCase* self, const VerifyVariant* variant,
                       size_t* size)
{
    char* text = NULL;
    FILE* stream = open_memstream(&text, size);
    if (stream == NULL)
        return NULL;
    VerifyScene scene = {.stream = stream};
    if (variant != NULL) {
        scene.pace = variant->pace;
        scene.avoid = variant->hasParameters ? variant->avoid : NULL;
    }
    row->write(&scene, self);
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}

static ExitCode loadScene(const VerifyRow* row, const VerifyCase* self,
                          const VerifyVariant* variant, const TextList* changes, thScene** scene)
{
    char name[128];
    size_t size;
    char* text = makeScene(row, self, variant, &size);
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
    def.changes = changes->items;
    def.changeCount = changes->count;
    def.report = appPrintSceneError;
    def.reportContext = &errors;
    const thResult result = thLoadScene(&def, scene);
    if (result != th_resultOk && errors.count == 0) // what is wrong with a scene was told
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
    Tracks tracks = {0};
    thScene* scene;
    ExitCode code = loadScene(row, self, variant, &batch->options->changes, &scene);
    RunOptions options = {.steps = -1, .until = -1.0, .threads = 1, .quiet = true};
    options.methods[th_methodAvoid] = variant->hasParameters ? NULL : variant->avoid;
    RunJob job = {.scene = scene,
                  .options = &options,
                  .simd = th_simdAuto,
                  .gauges = &gauges,
                  .figures = row->needsFigures,
                  .tracks = row->needsTracks ? &tracks : NULL};
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
    appFreeTracks(&tracks);
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

// The names of a suite's rows that were not told yet.
typedef struct RowNames {
    const VerifySuite* suite;
    int32_t at;
} RowNames;

static const char* nextRow(void* context)
{
    RowNames* names = context;
    const VerifyRow* row = names->suite->rows[names->at];
    names->at += row != NULL;
    return row != NULL ? row->name : NULL;
}

static ExitCode checkOnly(const VerifySuite* suite, const TextList* only)
{
    for (int32_t i = 0; i < only->count; ++i) {
        bool isThere = false;
        for (int32_t k = 0; suite->rows[k] != NULL; ++k)
            isThere = isThere || strcmp(suite->rows[k]->name, only->items[i]) == 0;
        if (isThere)
            continue;
        RowNames names = {.suite = suite};
        const char* meant = appDidYouMean(only->items[i], nextRow, &names);
        appSay("--only: no row '%s'%s%s%s; 'throng verify --help' lists them", only->items[i],
               meant != NULL ? ", did you mean '" : "", meant != NULL ? meant : "",
               meant != NULL ? "'?" : "");
        return exitUsage;
    }
    return exitDone;
}

// Rows that are run, with their cases. A row that is named is run, also by --quick.
static int32_t chooseRows(const VerifySuite* suite, const VerifyOptions* options,
                          VerifyResult* results)
{
    int32_t count = 0;
    for (int32_t i = 0; suite->rows[i] != NULL; ++i) {
        const VerifyRow* row = suite->rows[i];
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

// Whether a method and its parameters are there: an empty scene is tried with it.
static ExitCode checkAvoid(const char* avoid)
{
    static const char empty[] = "{\"throng\": 1, \"profiles\": {\"person\": {}}}";
    char* change = NULL;
    size_t size;
    if (avoid[0] != '{')
        return appCheckMethods((const char* [th_methodKindCount]){[th_methodAvoid] = avoid});
    FILE* stream = open_memstream(&change, &size);
    if (stream == NULL || fprintf(stream, "profiles.person.avoid=%s", avoid) < 0 ||
        fclose(stream) != 0) {
        appSay("no memory");
        return exitEnvironment;
    }
    SceneErrors errors = {.stream = stderr, .colour = appUsesColour(STDERR_FILENO)};
    thSceneDef def = thDefaultSceneDef();
    thScene* scene;
    def.path = "--avoid"; // what errors are about
    def.text = empty;
    def.textSize = sizeof empty - 1;
    def.changes = (const char* const*)&change;
    def.changeCount = 1;
    def.report = appPrintSceneError;
    def.reportContext = &errors;
    const thResult result = thLoadScene(&def, &scene);
    thDestroyScene(scene);
    free(change);
    return appExitOf(result);
}

// The methods that are asked for, or the usual ones of the suite, and theirs without a pace.
static ExitCode readVariants(const VerifySuite* suite, const TextList* asked,
                             VerifyVariant* variants, int32_t* count)
{
    TextList avoids = *asked;
    if (avoids.count == 0) {
        avoids.items = (const char**)suite->avoids;
        while (avoids.items[avoids.count] != NULL)
            ++avoids.count;
    }
    if (avoids.count > mostAvoids) {
        appSay("--avoid: %d methods, expected at most %d", (int)avoids.count, mostAvoids);
        return exitUsage;
    }
    for (int32_t i = 0; i < avoids.count; ++i) {
        const ExitCode code = checkAvoid(avoids.items[i]);
        if (code != exitDone)
            return code;
    }
    *count = makeVariants(suite, &avoids, variants);
    return exitDone;
}

// Whether a scene of each row can be read with what --set changes, before many are at once.
static ExitCode checkScenes(const VerifyReport* report, const VerifyOptions* options)
{
    ExitCode code = exitDone;
    for (int32_t i = 0; i < report->resultCount && code == exitDone; ++i) {
        const VerifyRow* row = report->results[i].row;
        thScene* scene;
        code = loadScene(row, &row->cases[0], &report->variants[0], &options->changes, &scene);
        thDestroyScene(scene);
    }
    return code;
}

static ExitCode verify(const VerifySuite* suite, const VerifyOptions* options)
{
    VerifyVariant variants[mostAvoids * paceCount];
    VerifyResult results[mostRows] = {0};
    VerifyReport report = {.suite = suite,
                           .variants = variants,
                           .seeds = (int32_t)(options->seeds > 0 ? options->seeds
                                              : options->quick   ? 1
                                                                 : 3),
                           .results = results,
                           .resultCount = chooseRows(suite, options, results),
                           .data = options->data};
    ExitCode code = checkOnly(suite, &options->only);
    if (code == exitDone)
        code = readVariants(suite, &options->avoids, variants, &report.variantCount);
    if (code != exitDone)
        return code;
    if (options->data != NULL && options->out == NULL) {
        appSay("--data is drawn into charts, which need --out");
        return exitUsage;
    }
    if (!verifyHasData(&report))
        return exitEnvironment;
    appWatchInterrupts();
    if (options->changes.count > 0)
        code = checkScenes(&report, options);
    if (code == exitDone && options->out != NULL)
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
    const VerifySuite* suite = NULL;
    if (parsed == parsedWell && strcmp(what, verifyPeople.name) == 0)
        suite = &verifyPeople;
    else if (parsed == parsedWell && strcmp(what, verifyModels.name) == 0)
        suite = &verifyModels;
    if (suite != NULL) {
        code = verify(suite, &options);
    } else if (parsed == parsedWell) {
        appSay("'%s' cannot be verified, expected people or models", what);
        code = exitUsage;
    }
    appFreeOptions(self, &options);
    return code;
}

const Command appVerifyCommand = {
    .name = "verify",
    .operand = "WHAT",
    .about = "hold crowds against real people and known patterns",
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
        "WHAT is models: patterns that models of crowds are known for. See docs/models.md. Rows:\n"
        "  faster                  faster is slower, at a door of 1 m, from 1 to 5 m/s\n"
        "  clogging                gaps between people who press through it, and their tail\n"
        "  lanes                   lane order of two streams that come against each other\n"
        "  oscillation             runs of one direction at a door between two crowds\n"
        "  stripes                 where two streams cross: the angle of stripes\n"
        "  door-1.2                flow through a door of 1.2 m\n"
        "\n"
        "Exit code: 0 all was run, whatever came of it, 1 interrupted, 2 bad usage, 3 a file\n"
        "or memory.\n",
    .options = verifyOptions,
    .run = runVerify,
};
