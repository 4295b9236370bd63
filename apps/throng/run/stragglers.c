// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "run/stragglers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// What the planner says of those without a complete way, in the order of thPlanAnswer.
static const char* const one[] = {"", "gets nearer only", "has no way yet", "has no way"};
static const char* const several[] = {"", "get nearer only", "have no way yet", "have no way"};

// Counts one more with the same answer and reason; those of further reasons are not told.
static void countReason(RunResult* result, thPlanAnswer answer, const char* why)
{
    int at = 0;
    while (at < result->reasonCount &&
           (result->reasons[at].answer != answer || strcmp(result->reasons[at].why, why) != 0))
        ++at;
    if (at == shownReasons)
        return;
    if (at == result->reasonCount)
        result->reasons[result->reasonCount++] = (Reason){.answer = answer, .why = why};
    result->reasons[at].count += 1;
}

// Asks the planners of all who are not there.
static void countReasons(const thWorld* world, RunResult* result)
{
    const thAgentView view = thWorld_GetAgentView(world);
    for (int32_t slot = 0; slot < view.slotCount; ++slot) {
        const thAgentRow* row = &view.rows[slot];
        if (row->flags == 0 || (row->flags & th_agentArrived) != 0)
            continue;
        const thAgentId agent = thWorld_FindAgent(world, row->key);
        const thAgentInfo info = thAgent_GetInfo(world, agent);
        thPath path;
        if (info.goal.value != 0 && info.answer != th_planComplete &&
            thAgent_GetPath(world, agent, NULL, 0, &path) == th_resultOk &&
            path.answer == info.answer && path.why != NULL)
            countReason(result, path.answer, path.why);
    }
}

static void describe(const thRun* run, const thSceneInfo* info, thAgentId agent, Straggler* to)
{
    const thAgentRow row = thAgent_Get(thRun_GetWorld(run), agent);
    *to = (Straggler){.key = row.key,
                      .entry = thRun_GetEntry(run, agent),
                      .x = info->originX + (double)row.position.x,
                      .y = info->originY + (double)row.position.y};
}

void appFindStragglers(const thRun* run, const thSceneInfo* info, RunResult* result)
{
    thAgentId agents[shownStragglers];
    result->underway = thRun_GetUnderway(run, agents, shownStragglers);
    for (int i = 0; i < result->underway && i < shownStragglers; ++i)
        describe(run, info, agents[i], &result->stragglers[i]);
    if (result->underway > 0)
        countReasons(thRun_GetWorld(run), result);
}

void appPrintStragglers(const RunResult* result)
{
    if (result->underway == 0)
        return;
    printf("underway    %d:", (int)result->underway);
    for (int i = 0; i < result->underway && i < shownStragglers; ++i) {
        const Straggler* straggler = &result->stragglers[i];
        printf("%s key %" PRIu64 " (agents[%d]) at (%.1f, %.1f)", i > 0 ? "," : "", straggler->key,
               (int)straggler->entry, straggler->x, straggler->y);
    }
    puts(result->underway > shownStragglers ? ", ..." : "");
    for (int i = 0; i < result->reasonCount; ++i) {
        const Reason* reason = &result->reasons[i];
        printf("            %d %s: %s\n", (int)reason->count,
               (reason->count == 1 ? one : several)[reason->answer], reason->why);
    }
}
