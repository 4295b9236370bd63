// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Prints the tables of docs/methods/meso.md, of whole scenes with group method `meso` beside the
// same without, and holds what the page claims.
// usage: meso_tables FOLDER TABLE [CHANGE...]
// FOLDER is that of the scenes; CHANGE is as --set of the program takes it. The exit code is 1
// where a claim does not hold.

#include "meso_runs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { seedCount = 8 };

static const char* folder;
static char** changes;
static int32_t changeCount;
static bool isGood = true;

// Notes whether a claim holds.
static void claim(bool holds, const char* what)
{
    if (holds)
        return;
    printf("does not hold: %s\n", what);
    isGood = false;
}

static Staging stagingOf(const char* name)
{
    Staging staging = {.folder = folder, .name = name};
    for (int32_t i = 0; i < changeCount; ++i)
        addChange(&staging, changes[i]);
    return staging;
}

static void measure(const Staging* staging, const Methods* methods, Alone alone, Means* means)
{
    thScene* scene = loadStaging(staging);
    const bool ran = scene != NULL && runSeeds(scene, methods, alone, seedCount, means);
    claim(ran, "it runs");
    thDestroyScene(scene);
    if (!ran)
        memset(means, 0, sizeof *means);
}

// Without the method and with it.
typedef struct Pair {
    Means without, with;
    double ratio, best, worst; // of paths: of the means, of single seeds
} Pair;

static void compare(const Staging* staging, const char* plan, const char* avoid, Alone alone,
                    Pair* pair)
{
    measure(staging, &(Methods){plan, "none", avoid}, alone, &pair->without);
    measure(staging, &(Methods){plan, "meso", avoid}, alone, &pair->with);
    pair->ratio = pair->with.mean.path / pair->without.mean.path;
    pair->best = 1e9;
    pair->worst = 0.0;
    for (int32_t i = 0; i < seedCount; ++i) {
        pair->best = fmin(pair->best, pair->with.paths[i] / pair->without.paths[i]);
        pair->worst = fmax(pair->worst, pair->with.paths[i] / pair->without.paths[i]);
    }
}

static const char pathTitle[] = "| %s | path without [m] | with [m] | ratio | of single seeds | "
                                "last arrival without [s] | with "
                                "[s] |\n|---|---:|---:|---:|---|---:|---:|\n";

static void printPaths(const char* name, const Pair* pair)
{
    printf("| %s | %.1f | %.1f | %.3f | %.2f to %.2f | %.1f | %.1f |\n", name,
           pair->without.mean.path, pair->with.mean.path, pair->ratio, pair->best, pair->worst,
           pair->without.mean.last, pair->with.mean.last);
}

static const char pullTitle[] =
    "\n| %s | taken back without [m] | with [m] | for without [s] | with [s] | in seeds without | "
    "with | pushed apart without | with |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n";

static void printPulls(const char* name, const Pair* pair)
{
    const Means *a = &pair->without, *b = &pair->with;
    printf("| %s | %.1f | %.1f | %.1f | %.1f | %d | %d | %.2f | %.2f |\n", name, a->mean.backMetres,
           b->mean.backMetres, a->mean.back, b->mean.back, a->pulled, b->pulled, a->mean.contacts,
           b->mean.contacts);
}

// What holds of single people among groups, whatever their avoidance.
static void claimGain(const Pair* pair, int32_t alone)
{
    claim(pair->with.mean.there == alone, "all arrive");
    claim(pair->ratio < 1.0, "their paths are shorter");
    claim(pair->with.mean.last < pair->without.mean.last, "they arrive sooner");
    claim(pair->with.mean.backMetres < pair->without.mean.backMetres, "they are taken back less");
    claim(pair->with.mean.pairs <= pair->without.mean.pairs, "they overlap no more");
}

typedef struct Case {
    const char* name;
    int32_t alone;
    double paperWithout, paperRatio; // [m]
    double least, most;              // of the ratio
} Case;

static const Case paperCases[] = {{"meso-a", 1, 37.7, 0.769, 0.3, 0.85},
                                  {"meso-b", 6, 152.3, 0.901, 0.7, 0.93},
                                  {"meso-c", 3, 128.6, 0.876, 0.6, 0.92}};

// Table I of the paper.
static void paper(void)
{
    Pair pairs[3];
    char name[64];
    printf(pathTitle, "scene");
    for (int32_t i = 0; i < 3; ++i) {
        const Case* of = &paperCases[i];
        const Staging staging = stagingOf(of->name);
        compare(&staging, NULL, NULL, (Alone){0, of->alone}, &pairs[i]);
        snprintf(name, sizeof name, "`%s`", of->name);
        printPaths(name, &pairs[i]);
    }
    printf(pullTitle, "scene");
    for (int32_t i = 0; i < 3; ++i) {
        const Case* of = &paperCases[i];
        const Pair* pair = &pairs[i];
        snprintf(name, sizeof name, "`%s`", of->name);
        printPulls(name, pair);
        claimGain(pair, of->alone);
        claim(pair->ratio >= of->least && pair->ratio <= of->most, "the gain is as in the paper");
        claim(pair->with.mean.contacts <= pair->without.mean.contacts, "no more are pushed apart");
        claim(fabs(pair->without.mean.path / of->paperWithout - 1.0) <= 0.15,
              "without the method the path is within 15 % of the paper's");
    }
    claim(pairs[0].without.pulled == seedCount && pairs[0].without.mean.back > 5.0,
          "without the method the one is taken back for some seconds");
    claim(pairs[0].with.pulled == 0, "with the method the one is not taken back");
}

// Other avoidance.
static void avoidance(void)
{
    enum { count = 2 };
    static const char* const avoids[count] = {"clearpath", "rvo"};
    Pair pairs[3][count];
    char name[64];
    printf(pathTitle, "scene, avoidance");
    for (int32_t i = 0; i < 3; ++i)
        for (int32_t k = 0; k < count; ++k) {
            const Staging staging = stagingOf(paperCases[i].name);
            compare(&staging, NULL, avoids[k], (Alone){0, paperCases[i].alone}, &pairs[i][k]);
            snprintf(name, sizeof name, "`%s`, `%s`", paperCases[i].name, avoids[k]);
            printPaths(name, &pairs[i][k]);
        }
    printf(pullTitle, "scene, avoidance");
    for (int32_t i = 0; i < 3; ++i)
        for (int32_t k = 0; k < count; ++k) {
            snprintf(name, sizeof name, "`%s`, `%s`", paperCases[i].name, avoids[k]);
            printPulls(name, &pairs[i][k]);
            claimGain(&pairs[i][k], paperCases[i].alone);
        }
}

// One meets a group of so many columns and rows, as in scene A, but begins anywhere within the
// distance of two members, so that he meets files and the gaps between them alike.
static void meetBlock(int32_t columns, int32_t rows, Pair* pair)
{
    char from[96], wide[64], high[64];
    Staging staging = stagingOf("meso-a");
    snprintf(from, sizeof from, "agents[1].grid.from=[%.3f, %.3f]", 6.0 - 0.8 * (columns - 1),
             -0.8 * (rows - 1));
    snprintf(wide, sizeof wide, "agents[1].grid.columns=%d", (int)columns);
    snprintf(high, sizeof high, "agents[1].grid.rows=%d", (int)rows);
    addChange(&staging, from);
    addChange(&staging, wide);
    addChange(&staging, high);
    addChange(&staging, "agents[0].grid.jitter=0.8");
    compare(&staging, NULL, NULL, (Alone){0, 1}, pair);
}

// The larger the group, the more there is to gain.
static void sizes(void)
{
    static const int32_t columns[] = {1, 1, 2, 3, 4, 5, 6, 7}, rows[] = {2, 3, 2, 3, 4, 5, 6, 7};
    double ratios[50];
    printf(pathTitle, "group");
    for (int32_t i = 0; i < 8; ++i) {
        const int32_t count = columns[i] * rows[i];
        Pair pair;
        char name[64];
        meetBlock(columns[i], rows[i], &pair);
        snprintf(name, sizeof name, "%d × %d", (int)columns[i], (int)rows[i]);
        printPaths(name, &pair);
        ratios[count] = pair.ratio;
        if (count <= 3)
            claim(fabs(pair.ratio - 1.0) <= 0.03, "small groups make no difference");
    }
    claim(1.0 > ratios[9] && ratios[9] > ratios[16] && ratios[16] > ratios[49],
          "larger groups make more of a difference");
}

// Groups against groups.
static void meeting(void)
{
    Pair pair;
    const Staging staging = stagingOf("meso-meeting");
    printf(pathTitle, "scene");
    compare(&staging, NULL, NULL, (Alone){0, 50}, &pair);
    printPaths("`meso-meeting`", &pair);
    printf(pullTitle, "scene");
    printPulls("`meso-meeting`", &pair);
    claim(fabs(pair.ratio - 1.0) <= 0.05, "the paths of groups against groups stay as they are");
    claim(pair.with.mean.contacts <= pair.without.mean.contacts, "no more are pushed apart");
}

// People who stay: a queue, and twelve who walk round it.
static void queue(void)
{
    enum { first = 30, count = 12 };
    static const char* const avoids[] = {"orca", "clearpath", "rvo"};
    const Staging staging = stagingOf("meso-queue");
    printf("| avoidance | never arrive without | with | path without [m] | with [m] | last arrival "
           "without [s] | with [s] |\n|---|---:|---:|---:|---:|---:|---:|\n");
    for (int32_t i = 0; i < 3; ++i) {
        Pair pair;
        compare(&staging, NULL, avoids[i], (Alone){first, count}, &pair);
        printf("| `%s` | %d | %d | %.1f | %.1f | %.1f | %.1f |\n", avoids[i], pair.without.missing,
               pair.with.missing, pair.without.mean.path, pair.with.mean.path,
               pair.without.mean.last, pair.with.mean.last);
        claim(pair.with.missing == 0, "all arrive");
        claim(pair.with.mean.last < pair.without.mean.last, "they arrive sooner");
    }
}

// A room round a scene, because the grid of `flow` is as large as the box of the walls.
static void addRoom(Staging* staging, int32_t of)
{
    static const char* const rooms[] = {
        "walls=[{\"room\": [[-32, -20], [32, -20], [32, 20], [-32, 20]]}]",
        "walls=[{\"room\": [[-16, -16], [16, -16], [16, 16], [-16, 16]]}]",
        // Its obstacles again.
        "walls=[{\"room\": [[-24, -24], [24, -24], [24, 24], [-24, 24]]}, {\"polygon\": "
        "[[-8.5, 0], [-9.25, 1.299], [-10.75, 1.299], [-11.5, 0], [-10.75, -1.299], "
        "[-9.25, -1.299]]}, {\"polygon\": [[10.5, -6], [9.75, -4.701], [8.25, -4.701], [7.5, -6], "
        "[8.25, -7.299], [9.75, -7.299]]}, {\"polygon\": [[1.4, 4], [0.8, 5.039], [-0.4, 5.039], "
        "[-1, 4], [-0.4, 2.961], [0.8, 2.961]]}]"};
    addChange(staging, rooms[of]);
}

// Other planners.
static void planners(void)
{
    static const char* const plans[] = {"visibility", "flow", "direct"};
    printf(pathTitle, "scene, planner");
    for (int32_t i = 0; i < 3; ++i)
        for (int32_t k = 0; k < 3; ++k) {
            Pair pair;
            char name[64];
            Staging staging = stagingOf(paperCases[i].name);
            // Each of a group has a goal of its own.
            if (k == 1) {
                addRoom(&staging, i);
                addChange(&staging, "profiles.walker.plan={\"flow\": {\"fields\": 64, \"rate\": "
                                    "1e7, \"cell\": 0.5}}");
            }
            if (i == 2 && k == 2)
                continue; // there are obstacles
            compare(&staging, plans[k], NULL, (Alone){0, paperCases[i].alone}, &pair);
            snprintf(name, sizeof name, "`%s`, `%s`", paperCases[i].name, plans[k]);
            printPaths(name, &pair);
            claimGain(&pair, paperCases[i].alone);
        }
}

// Those alone plan by `flow`, so that crowds cost them, and the others as they do. What the changes
// say is kept in `texts`.
static Staging stageRouting(int32_t of, const char* crowding, char texts[16][512])
{
    static const int32_t entries[] = {2, 11, 6};
    Staging staging = stagingOf(paperCases[of].name);
    snprintf(
        texts[15], sizeof texts[15],
        "profiles.alone={\"pace\": \"none\", \"radius\": 0.5, \"speed\": 1, \"maxSpeed\": 1.5, "
        "\"arrivalDistance\": 0.3, \"sees\": {\"radius\": 5, \"neighbours\": 10}, \"plan\": "
        "{\"flow\": {\"crowding\": %s, \"cell\": 0.5}}, \"group\": {\"meso\": {}}, \"avoid\": "
        "{\"orca\": {\"horizon\": %d}}}",
        crowding, of == 0 ? 3 : 5);
    addChange(&staging, texts[15]);
    addRoom(&staging, of);
    for (int32_t n = 0; n < entries[of]; ++n) {
        snprintf(texts[n], sizeof texts[n], "agents[%d].profile=%s", (int)n,
                 n < paperCases[of].alone ? "alone" : "walker");
        addChange(&staging, texts[n]);
    }
    return staging;
}

// Routing by density beside the method.
static void routing(void)
{
    static const char* const crowding[] = {"0", "0.5", "2", "8"};
    printf("| scene | `crowding` | path without [m] | with [m] | last arrival without [s] | with "
           "[s] |\n"
           "|---|---:|---:|---:|---:|---:|\n");
    for (int32_t i = 0; i < 3; ++i) {
        double alone = 0.0;
        for (int32_t k = 0; k < 4; ++k) {
            static char texts[16][512];
            Pair pair;
            const Staging staging = stageRouting(i, crowding[k], texts);
            compare(&staging, NULL, NULL, (Alone){0, paperCases[i].alone}, &pair);
            printf("| `%s` | %s | %.1f | %.1f | %.1f | %.1f |\n", paperCases[i].name, crowding[k],
                   pair.without.mean.path, pair.with.mean.path, pair.without.mean.last,
                   pair.with.mean.last);
            alone = k == 0 ? pair.with.mean.path : alone;
            claim(alone < pair.without.mean.path, "the method gains more than routing does");
        }
    }
}

typedef struct Table {
    const char* name;
    void (*print)(void);
} Table;

int main(int argc, char** argv)
{
    static const Table tables[] = {
        {"paper", paper}, {"avoidance", avoidance}, {"sizes", sizes},    {"meeting", meeting},
        {"queue", queue}, {"planners", planners},   {"routing", routing}};
    if (argc < 3)
        return 2;
    folder = argv[1];
    changes = argv + 3;
    changeCount = argc - 3;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; ++i)
        if (strcmp(tables[i].name, argv[2]) == 0) {
            tables[i].print();
            return isGood ? 0 : 1;
        }
    return 2;
}
