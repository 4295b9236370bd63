// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The command `path`: says which path a planner finds, for a question or a file of them.

#include "commands/commands.h"
#include "commands/path_search.h"
#include "load_scene.h"
#include "output.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- Queries ---

// Reads "X,Y". False, and it is said, if it is something else.
static bool readPlace(const char* option, const char* text, thPlace* place)
{
    char *comma, *end;
    place->x = strtod(text, &comma);
    place->y = *comma == ',' ? strtod(comma + 1, &end) : NAN;
    if (comma != text && *comma == ',' && end != comma + 1 && *end == '\0' && isfinite(place->x) &&
        isfinite(place->y))
        return true;
    appSay("--%s is '%s', expected X,Y such as 2.5,-3", option, text);
    return false;
}

// False, and said: no memory.
static bool addQuery(PathQueries* queries, const PathQuery* query)
{
    // Room doubles whenever it is used up: at powers of 2.
    if ((queries->count & (queries->count - 1)) == 0) {
        const size_t room = queries->count > 0 ? 2 * (size_t)queries->count : 1;
        PathQuery* items =
            queries->count < INT32_MAX / 2 ? realloc(queries->items, room * sizeof *items) : NULL;
        if (items == NULL) {
            appSay("no memory for the queries");
            return false;
        }
        queries->items = items;
    }
    queries->items[queries->count++] = *query;
    return true;
}

static void freeQueries(PathQueries* queries)
{
    free(queries->items);
    *queries = (PathQueries){0};
}

static const char* skipBlanks(const char* at)
{
    while (isspace((unsigned char)*at))
        ++at;
    return at;
}

// Reads numbers with blanks between them up to the end of a line; false if there are more, fewer or
// other things.
static bool readNumbers(const char* at, double* numbers, int count)
{
    for (int i = 0; i < count; ++i) {
        char* end;
        numbers[i] = strtod(at, &end);
        if (end == at || !isfinite(numbers[i]) || (*end != '\0' && !isspace((unsigned char)*end)))
            return false;
        at = end;
    }
    return *skipBlanks(at) == '\0';
}

static const char* skipWord(const char* at)
{
    while (*at != '\0' && !isspace((unsigned char)*at))
        ++at;
    return skipBlanks(at);
}

// Of `bucket map width height x y x y length`, after the first two.
static bool readScenario(const char* line, PathQuery* query)
{
    double n[7];
    if (!readNumbers(skipWord(skipWord(line)), n, 7))
        return false;
    *query = (PathQuery){
        .from = {n[2] + 0.5, n[3] + 0.5}, .to = {n[4] + 0.5, n[5] + 0.5}, .optimum = n[6]};
    return true;
}

static bool readPlain(const char* line, PathQuery* query)
{
    double n[4];
    if (!readNumbers(line, n, 4))
        return false;
    *query = (PathQuery){.from = {n[0], n[1]}, .to = {n[2], n[3]}, .optimum = NAN};
    return true;
}

// Empty lines, and those that begin with #, are nothing.
static ExitCode readQuery(const char* path, int number, const char* line, PathQueries* queries)
{
    PathQuery query;
    if (*line == '\0' || *line == '#')
        return exitDone;
    if (!(queries->haveOptima ? readScenario : readPlain)(line, &query)) {
        appSay("%s:%d: expected %s, found '%.60s'", path, number,
               queries->haveOptima ? "a scenario: bucket map width height x y x y length"
                                   : "four numbers: x1 y1 x2 y2",
               line);
        return exitUsage;
    }
    return addQuery(queries, &query) ? exitDone : exitEnvironment;
}

static ExitCode readLines(const char* path, char* text, PathQueries* queries)
{
    ExitCode code = exitDone;
    char* rest = text;
    for (int number = 1; rest != NULL && code == exitDone; ++number) {
        char* line = rest;
        rest = strchr(line, '\n');
        if (rest != NULL)
            *rest++ = '\0';
        line[strcspn(line, "\r")] = '\0';
        line = (char*)skipBlanks(line);
        if (number == 1 && strncmp(line, "version", 7) == 0)
            queries->haveOptima = true; // the first line of scenarios
        else
            code = readQuery(path, number, line, queries);
    }
    return code;
}

// Reads a file: lines `x1 y1 x2 y2`, or scenarios of MovingAI, whose cells become their centres.
// Errors are said with the line. The queries must be freed, also after an error.
static ExitCode readQueries(const char* path, PathQueries* queries)
{
    size_t size;
    char* bytes = appReadFile(path, &size);
    char* text = bytes != NULL ? realloc(bytes, size + 1) : NULL;
    if (text == NULL) {
        if (bytes != NULL)
            appSay("no memory for the queries");
        free(bytes);
        return exitEnvironment;
    }
    text[size] = '\0';
    ExitCode code = readLines(path, text, queries);
    free(text);
    if (code == exitDone && queries->count == 0) {
        appSay("%s: there are no queries", path);
        code = exitUsage;
    }
    return code;
}

// --- The command ---

typedef struct PathOptions {
    const char *from, *to, *file, *plan;
    double radius;
    int64_t level, threads;
    TextList changes;
    bool json;
} PathOptions;

#define AT(member) .offset = offsetof(PathOptions, member)

static const Option pathOptions[] = {
    {.heading = "what is asked",
     .name = "from",
     .kind = optionText,
     AT(from),
     .value = "X,Y",
     .about = "where the way begins, in coordinates of the scene"},
    {.name = "to", .kind = optionText, AT(to), .value = "X,Y", .about = "where it is to lead"},
    {.name = "queries",
     .kind = optionInput,
     AT(file),
     .value = "FILE",
     .about = "many at once: lines 'x1 y1 x2 y2', or a .scen file\nof MovingAI"},
    {.heading = "how it is found",
     .name = "plan",
     .kind = optionText,
     AT(plan),
     .value = "METHOD",
     .about = "the planner (default that of the scene's first profile)"},
    {.name = "radius",
     .kind = optionNumber,
     AT(radius),
     .value = "R",
     .about = "radius of who is to go there, in metres; 0 is a point\n"
              "(default that of the profile)",
     .min = 0,
     .max = 100},
    {.name = "level",
     .kind = optionWhole,
     AT(level),
     .value = "N",
     .about = "the floor (default 0)",
     .min = 0,
     .max = 65535},
    {.name = "set",
     .kind = optionTexts,
     AT(changes),
     .value = "PATH=VALUE",
     .about = "change the scene before, as in 'throng run';\nmay be repeated"},
    {.name = "threads",
     .kind = optionWhole,
     AT(threads),
     .value = "N",
     .about = "threads that work at once (default one for each core)",
     .min = 1,
     .max = appMostThreads},
    {.heading = "what comes out",
     .name = "json",
     .kind = optionFlag,
     AT(json),
     .about = "print JSON, with the corners of every way"},
    {0},
};

// What a planner says, in the order of thPlanAnswer.
static const char* const answerWords[] = {"complete", "partial", "pending", "none"};

static const char* whyOf(const PathAnswer* answer)
{
    if (answer->why != NULL || answer->answer == th_planComplete)
        return answer->why;
    return answer->answer == th_planPending ? "the planner was given up on" : "it does not say why";
}

// Whether a path is told, if only a part of one.
static bool isPath(const PathAnswer* answer)
{
    return answer->answer == th_planComplete || answer->answer == th_planPartial;
}

// One answer as lines.
static void printPath(const PathAnswer* answer, const char* planner, double radius)
{
    printf("answer   %s\n", answerWords[answer->answer]);
    if (whyOf(answer) != NULL)
        printf("because  %s\n", whyOf(answer));
    printf("planner  %s, radius %g m\n", planner, radius);
    if (!isPath(answer))
        return;
    printf("length   %.6f m\n", answer->length);
    for (int32_t i = 0; i < answer->pointCount; ++i)
        printf("%s %.4f %.4f\n", i == 0 ? "corners " : "        ", answer->points[i].x,
               answer->points[i].y);
}

static double ratioOf(const PathQuery* query, const PathAnswer* answer)
{
    return query->optimum > 0.0   ? answer->length / query->optimum
           : answer->length > 0.0 ? INFINITY
                                  : 1.0;
}

// Counts answers, and how far they are from what a file tells.
typedef struct Totals {
    int32_t of[th_planNone + 1];
    double leastRatio, mostRatio;
} Totals;

static Totals sumUp(const PathQueries* queries, const PathAnswer* answers)
{
    Totals totals = {.leastRatio = INFINITY, .mostRatio = 0.0};
    for (int32_t i = 0; i < queries->count; ++i) {
        totals.of[answers[i].answer] += 1;
        if (answers[i].answer != th_planComplete || !queries->haveOptima)
            continue;
        totals.leastRatio = fmin(totals.leastRatio, ratioOf(&queries->items[i], &answers[i]));
        totals.mostRatio = fmax(totals.mostRatio, ratioOf(&queries->items[i], &answers[i]));
    }
    return totals;
}

// A number of a table, a dash where there is none.
static void printColumn(int width, int digits, double number)
{
    if (isnan(number))
        printf("  %*s", width, "-");
    else
        printf("  %*.*f", width, digits, number);
}

// Many answers as a table, and how many of which there are.
static void printTable(const PathQueries* queries, const PathAnswer* answers, const char* planner,
                       double radius)
{
    printf("%8s  %-8s  %12s", "query", "answer", "length");
    if (queries->haveOptima)
        printf("  %12s  %10s", "given", "ratio");
    putchar('\n');
    for (int32_t i = 0; i < queries->count; ++i) {
        const PathQuery* query = &queries->items[i];
        const PathAnswer* answer = &answers[i];
        printf("%8d  %-8s", (int)i + 1, answerWords[answer->answer]);
        printColumn(12, 6, isPath(answer) ? answer->length : NAN);
        if (queries->haveOptima) {
            printColumn(12, 6, query->optimum);
            printColumn(10, 8, isPath(answer) ? ratioOf(query, answer) : NAN);
        }
        if (whyOf(answer) != NULL)
            printf("  %s", whyOf(answer));
        putchar('\n');
    }
    const Totals totals = sumUp(queries, answers);
    printf("%d queries, planner %s, radius %g m:", (int)queries->count, planner, radius);
    for (int i = 0; i <= th_planNone; ++i)
        if (totals.of[i] > 0 || i == th_planComplete)
            printf(" %d %s", (int)totals.of[i], answerWords[i]);
    if (totals.mostRatio > 0.0)
        printf(", length / given %.8f to %.8f", totals.leastRatio, totals.mostRatio);
    putchar('\n');
}

static void writePlace(JsonOut* json, const char* key, thPlace place)
{
    appJsonBegin(json, key, '[', false);
    appJsonNumber(json, NULL, place.x);
    appJsonNumber(json, NULL, place.y);
    appJsonEnd(json, ']');
}

static void writeAnswer(JsonOut* json, const PathQuery* query, const PathAnswer* answer)
{
    appJsonBegin(json, NULL, '{', false);
    writePlace(json, "from", query->from);
    writePlace(json, "to", query->to);
    appJsonText(json, "answer", answerWords[answer->answer]);
    if (whyOf(answer) != NULL)
        appJsonText(json, "why", whyOf(answer));
    else
        appJsonNull(json, "why");
    appJsonNumber(json, "length", isPath(answer) ? answer->length : NAN);
    if (isfinite(query->optimum)) {
        appJsonNumber(json, "given", query->optimum);
        appJsonNumber(json, "ratio", isPath(answer) ? ratioOf(query, answer) : NAN);
    }
    appJsonBegin(json, "corners", '[', false);
    for (int32_t i = 0; isPath(answer) && i < answer->pointCount; ++i)
        writePlace(json, NULL, answer->points[i]);
    appJsonEnd(json, ']');
    appJsonEnd(json, '}');
}

static void writeJson(const PathQueries* queries, const PathAnswer* answers, const char* planner,
                      double radius)
{
    JsonOut json = {.stream = stdout};
    appJsonBegin(&json, NULL, '{', true);
    appJsonText(&json, "planner", planner);
    appJsonNumber(&json, "radius", radius);
    appJsonBegin(&json, "paths", '[', true);
    for (int32_t i = 0; i < queries->count; ++i)
        writeAnswer(&json, &queries->items[i], &answers[i]);
    appJsonEnd(&json, ']');
    appJsonEnd(&json, '}');
}

static ExitCode answerAll(const PathOptions* options, const thScene* scene,
                          const PathQueries* queries)
{
    PathAnswer* answers = calloc((size_t)queries->count, sizeof *answers);
    if (answers == NULL) {
        appSay("no memory for the answers");
        return exitEnvironment;
    }
    const PathSearch search = {.scene = scene,
                               .plan = options->plan,
                               .radius = options->radius,
                               .level = (int32_t)options->level,
                               .threads = (int32_t)options->threads};
    const char* planner;
    double radius;
    ExitCode code = appSearchPaths(&search, queries, answers, &planner, &radius);
    if (code == exitDone) {
        if (options->json)
            writeJson(queries, answers, planner, radius);
        else if (options->file != NULL)
            printTable(queries, answers, planner, radius);
        else
            printPath(answers, planner, radius);
        if (sumUp(queries, answers).of[th_planComplete] < queries->count)
            code = exitFailed;
    }
    appFreeAnswers(answers, queries->count);
    return code;
}

// One query from the command line, or those of a file.
static ExitCode gatherQueries(const PathOptions* options, PathQueries* queries)
{
    PathQuery query = {.optimum = NAN};
    if (options->file != NULL && options->from == NULL && options->to == NULL)
        return readQueries(options->file, queries);
    if (options->file != NULL || options->from == NULL || options->to == NULL) {
        appSay("expected --from and --to, or --queries; see 'throng path --help'");
        return exitUsage;
    }
    if (!readPlace("from", options->from, &query.from) || !readPlace("to", options->to, &query.to))
        return exitUsage;
    return addQuery(queries, &query) ? exitDone : exitEnvironment;
}

static ExitCode findPaths(const char* name, const PathOptions* options)
{
    PathQueries queries = {0};
    ExitCode code = gatherQueries(options, &queries);
    if (code == exitDone) {
        char* path = appFindScene(name, &code);
        thScene* scene = NULL;
        if (path != NULL)
            code = appLoadScene(path, &options->changes, &scene);
        if (scene != NULL)
            code = appIsFloor(scene, (int32_t)options->level) ? answerAll(options, scene, &queries)
                                                              : exitUsage;
        thDestroyScene(scene);
        free(path);
    }
    freeQueries(&queries);
    return code;
}

static ExitCode runPath(const Command* self, int argc, char** argv)
{
    PathOptions options = {.radius = -1.0, .threads = appCountThreads()};
    const char* name;
    const Parsed parsed = appParseOptions(self, argc, argv, &options, &name);
    ExitCode code = appExitOfParsed(parsed);
    if (parsed == parsedWell)
        code = findPaths(name, &options);
    appFreeOptions(self, &options);
    return code;
}

const Command appPathCommand = {
    .name = "path",
    .operand = "SCENE",
    .about = "say which way a planner finds in a scene",
    .details =
        "SCENE is a file, also a .map of MovingAI, or the name of a scene that comes with the\n"
        "program. Nobody of the scene is there; doors are as at its beginning.\n"
        "The answer is complete, partial, pending or none, with the reason.\n"
        "Exit code: 0 all ways are complete, 1 some are not, 2 the command line or the scene,\n"
        "3 a file or memory.\n",
    .options = pathOptions,
    .run = runPath,
};
