// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Asks planners for paths: agents that wait stand where paths begin, and each has a goal of its
// own.

#include "commands/path_search.h"

#include "load_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <throng/query.h>

// Queries that are asked at once. Planners keep something for each goal, and some refuse more than
// a few: who is refused is asked again among fewer.
enum { firstBlock = 64, secondBlock = 8 };

// Steps after which a search counts as one without end.
enum { mostSteps = 20000 };

// [s] Nobody moves, so it does not matter.
static const float stepLength = 0.1f;

typedef struct Session {
    const PathQueries* queries;
    PathAnswer* answers;
    thWorld* world;
    double originX, originY;
    thProfileId profile;
    float radius;
    int32_t level;
    // Of the block at work.
    int32_t count;
    int32_t query[firstBlock];
    thAgentId agents[firstBlock];
    thGoalId goals[firstBlock];
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

// The world does not move them, whatever happens beside them.
static thResult placeAgent(Session* session, int32_t i)
{
    const PathQuery* query = &session->queries->items[session->query[i]];
    const thVec2 to = toWorld(session, query->to);
    thGoalDef goal = thDefaultGoalDef();
    goal.points = &to;
    goal.pointCount = 1;
    const thResult result = thCreateGoal(session->world, &goal, &session->goals[i]);
    if (result != th_resultOk)
        return result;
    thAgentDef agent = thDefaultAgentDef();
    agent.profile = session->profile;
    agent.goal = session->goals[i];
    agent.position = toWorld(session, query->from);
    agent.radius = session->radius;
    agent.level = session->level;
    agent.flags = th_agentVelocityOnly | th_agentWaiting;
    return thCreateAgent(session->world, &agent, &session->agents[i]);
}

static thResult placeAgents(Session* session)
{
    for (int32_t i = 0; i < session->count; ++i) {
        const thResult result = placeAgent(session, i);
        if (result != th_resultOk)
            return result;
    }
    return th_resultOk;
}

static bool isPending(const Session* session)
{
    for (int32_t i = 0; i < session->count; ++i)
        if (thAgent_GetInfo(session->world, session->agents[i]).answer == th_planPending)
            return true;
    return false;
}

static thResult waitForAnswers(Session* session)
{
    for (int step = 0; step < mostSteps; ++step) {
        const thResult result = thWorld_Step(session->world, stepLength);
        if (result != th_resultOk)
            return result;
        if (!isPending(session))
            break;
    }
    return th_resultOk;
}

static thResult takePoints(const Session* session, thAgentId agent, PathAnswer* answer)
{
    const size_t count = answer->pointCount > 0 ? (size_t)answer->pointCount : 1;
    thVec2* points = malloc(count * sizeof *points);
    free(answer->points); // of the first time it was asked
    answer->points = malloc(count * sizeof *answer->points);
    thPath path;
    thResult result = points != NULL && answer->points != NULL ? th_resultOk : th_resultNoMemory;
    if (result == th_resultOk)
        result = thAgent_GetPath(session->world, agent, points, answer->pointCount, &path);
    for (int32_t i = 0; result == th_resultOk && i < answer->pointCount; ++i)
        answer->points[i] = (thPlace){(double)points[i].x + session->originX,
                                      (double)points[i].y + session->originY};
    free(points);
    return result;
}

static thResult takeAnswers(Session* session)
{
    for (int32_t i = 0; i < session->count; ++i) {
        PathAnswer* answer = &session->answers[session->query[i]];
        thPath path;
        thResult result = thAgent_GetPath(session->world, session->agents[i], NULL, 0, &path);
        if (result != th_resultOk)
            return result;
        answer->answer = path.answer;
        answer->why = path.why;
        answer->length = path.length;
        answer->pointCount = path.pointCount;
        result = takePoints(session, session->agents[i], answer);
        if (result != th_resultOk)
            return result;
    }
    return th_resultOk;
}

static void clearBlock(Session* session)
{
    for (int32_t i = 0; i < session->count; ++i) {
        if (session->agents[i].value != 0)
            (void)thDestroyAgent(session->world, session->agents[i]);
        if (session->goals[i].value != 0)
            (void)thDestroyGoal(session->world, session->goals[i]);
        session->agents[i] = (thAgentId){0};
        session->goals[i] = (thGoalId){0};
    }
    session->count = 0;
}

static ExitCode askBlock(Session* session)
{
    thResult result = placeAgents(session);
    if (result == th_resultOk)
        result = waitForAnswers(session);
    if (result == th_resultOk)
        result = takeAnswers(session);
    clearBlock(session);
    if (result == th_resultUnavailable) {
        appSay("this planner does not tell ways; see 'throng path --help'");
        return exitUsage;
    }
    return result == th_resultOk ? exitDone : sayResult("find ways", result);
}

// Whether it stands where it may; if not, that is its answer.
static bool canStand(const Session* session, int32_t index)
{
    const thVec2 at = toWorld(session, session->queries->items[index].from);
    PathAnswer* answer = &session->answers[index];
    if (thWorld_IsFree(session->world, at, session->radius, session->level))
        return true;
    answer->answer = th_planNone;
    answer->why = "it begins in a wall, or nearer to one than the radius";
    return false;
}

// Asks the queries that are still without a path.
static ExitCode askAll(Session* session, int32_t blockSize)
{
    ExitCode code = exitDone;
    for (int32_t i = 0; i < session->queries->count && code == exitDone; ++i) {
        if (session->answers[i].answer != th_planComplete && canStand(session, i))
            session->query[session->count++] = i;
        if (session->count == blockSize)
            code = askBlock(session);
    }
    return code == exitDone && session->count > 0 ? askBlock(session) : code;
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
    def->group = (thMethodUse){.name = "none"};
    def->avoid = (thMethodUse){.name = "none"};
    if (search->radius >= 0.0)
        def->radius = (float)search->radius;
}

static ExitCode createProfile(Session* session, const thProfileDef* def)
{
    thError error = {0};
    const thResult result = thCreateProfile(session->world, def, &session->profile, &error);
    if (result == th_resultOk)
        return exitDone;
    appSay("%s", error.text[0] != '\0' ? error.text : thResult_GetText(result));
    return appExitOf(result);
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
                       .radius = profile.radius,
                       .level = search->level};
    thWorld_GetOrigin(session.world, &session.originX, &session.originY);
    *planner = profile.plan.name;
    *radius = (double)profile.radius;
    for (int32_t i = 0; i < queries->count; ++i)
        answers[i] = (PathAnswer){.answer = th_planPending};
    if (!checkQueries(&session))
        code = exitUsage;
    if (code == exitDone)
        code = createProfile(&session, &profile);
    if (code == exitDone)
        code = askAll(&session, firstBlock);
    if (code == exitDone && queries->count > secondBlock)
        code = askAll(&session, secondBlock);
    thDestroyRun(run);
    return code;
}

void appFreeAnswers(PathAnswer* answers, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
        free(answers[i].points);
    free(answers);
}
