// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Asks a planner for paths, one after the other.

#include "commands/path_search.h"

#include "load_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <throng/query.h>

typedef struct Session {
    const PathQueries* queries;
    PathAnswer* answers;
    thWorld* world;
    double originX, originY;
    thPathQuery query; // all but where it begins and ends
} Session;

static ExitCode sayResult(const char* what, thResult result)
{
    appSay("cannot %s: %s", what, thResult_GetText(result));
    return appExitOf(result);
}

static thVec2 toWorld(const Session* session, thPlace place)
{
    return (thVec2){(float)(place.x - session->originX), (float)(place.y - session->originY)};
}

static bool isInWorld(const Session* session, thPlace place)
{
    return fabs(place.x - session->originX) <= THRONG_MAX_COORDINATE &&
           fabs(place.y - session->originY) <= THRONG_MAX_COORDINATE;
}

// A query's places are checked before any is answered.
static bool checkQueries(const Session* session)
{
    for (int32_t i = 0; i < session->queries->count; ++i) {
        const PathQuery* query = &session->queries->items[i];
        const bool begins = isInWorld(session, query->from);
        const thPlace outside = begins ? query->to : query->from;
        if (begins && isInWorld(session, query->to))
            continue;
        appSay("query %d %s at (%g, %g), more than %g m from the origin (%g, %g) of the scene",
               (int)i + 1, begins ? "ends" : "begins", outside.x, outside.y, THRONG_MAX_COORDINATE,
               session->originX, session->originY);
        return false;
    }
    return true;
}

// Whether it stands where it may; if not, that is its answer.
static bool canStand(const Session* session, const thPathQuery* query, PathAnswer* answer)
{
    if (thWorld_IsFree(session->world, query->from, query->radius, query->level))
        return true;
    answer->answer = th_planNone;
    answer->why = "it begins in a wall, or nearer to one than the radius";
    return false;
}

// Points that most paths have at most; for one with more the planner is asked again.
enum { firstPoints = 256 };

static thResult findPoints(Session* session, const thPathQuery* query, int32_t capacity,
                           PathAnswer* answer, thError* error)
{
    thPath path = {.answer = th_planPending};
    thVec2* points = malloc((size_t)capacity * sizeof *points);
    free(answer->points);
    answer->points = malloc((size_t)capacity * sizeof *answer->points);
    thResult result = points != NULL && answer->points != NULL ? th_resultOk : th_resultNoMemory;
    if (result == th_resultOk)
        result = thWorld_FindPath(session->world, query, points, capacity, &path, error);
    answer->answer = path.answer;
    answer->why = path.why;
    answer->length = path.length;
    answer->pointCount = path.pointCount;
    for (int32_t i = 0; i < path.pointCount && i < capacity; ++i)
        answer->points[i] = (thPlace){(double)points[i].x + session->originX,
                                      (double)points[i].y + session->originY};
    free(points);
    return result;
}

static thResult findPath(Session* session, const thPathQuery* query, PathAnswer* answer,
                         thError* error)
{
    const thResult result = findPoints(session, query, firstPoints, answer, error);
    return result == th_resultOk && answer->pointCount > firstPoints
               ? findPoints(session, query, answer->pointCount, answer, error)
               : result;
}

static ExitCode askAll(Session* session)
{
    for (int32_t i = 0; i < session->queries->count; ++i) {
        thPathQuery query = session->query;
        query.from = toWorld(session, session->queries->items[i].from);
        query.to = toWorld(session, session->queries->items[i].to);
        thError error = {0};
        const thResult result = canStand(session, &query, &session->answers[i])
                                    ? findPath(session, &query, &session->answers[i], &error)
                                    : th_resultOk;
        if (result != th_resultOk && error.text[0] == '\0')
            return sayResult("find ways", result);
        if (result != th_resultOk) {
            appSay("%s; see 'throng path --help'", error.text);
            return exitUsage;
        }
    }
    return exitDone;
}

// The first profile that plans so; else the first of all, which is told to.
static void chooseProfile(const PathSearch* search, thProfileDef* def)
{
    const int32_t count = thScene_GetInfo(search->scene).profileCount;
    int32_t chosen = 0;
    for (int32_t i = count - 1; i >= 0 && search->plan != NULL; --i)
        if (strcmp(thScene_GetMethod(search->scene, i, th_methodPlan), search->plan) == 0)
            chosen = i;
    (void)thScene_GetProfile(search->scene, chosen, def);
    if (search->plan != NULL && strcmp(def->plan.name, search->plan) != 0)
        def->plan = (thMethodUse){.name = search->plan};
    if (search->radius >= 0.0)
        def->radius = (float)search->radius;
}

ExitCode appSearchPaths(const PathSearch* search, const PathQueries* queries, PathAnswer* answers,
                        const char** planner, double* radius)
{
    thRunDef runDef = thDefaultRunDef();
    runDef.world.workerCount = search->threads;
    runDef.withoutAgents = 1;
    thRun* run;
    ExitCode code = appCreateRun(search->scene, &runDef, &run);
    if (code != exitDone)
        return code;
    thProfileDef profile;
    chooseProfile(search, &profile);
    Session session = {.queries = queries,
                       .answers = answers,
                       .world = thRun_GetWorld(run),
                       .query = thDefaultPathQuery()};
    session.query.plan = profile.plan;
    session.query.radius = profile.radius;
    session.query.level = search->level;
    thWorld_GetOrigin(session.world, &session.originX, &session.originY);
    *planner = profile.plan.name;
    *radius = (double)profile.radius;
    for (int32_t i = 0; i < queries->count; ++i)
        answers[i] = (PathAnswer){.answer = th_planPending};
    if (!checkQueries(&session))
        code = exitUsage;
    if (code == exitDone)
        code = askAll(&session);
    thDestroyRun(run);
    return code;
}

void appFreeAnswers(PathAnswer* answers, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
        free(answers[i].points);
    free(answers);
}
