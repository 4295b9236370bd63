// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "path/path_queries.h"

#include "out_file.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool appReadPlace(const char* option, const char* text, thPlace* place)
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

bool appAddQuery(PathQueries* queries, const PathQuery* query)
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

void appFreeQueries(PathQueries* queries)
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
    return appAddQuery(queries, &query) ? exitDone : exitEnvironment;
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

ExitCode appReadQueries(const char* path, PathQueries* queries)
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
