// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Cases of plan/continuum: the crowd of a hundred metres by as many in cells of half a metre, of
// few people and of many, and a potential over it.

#include "bench.h"

#include "geom/fixed.h"
#include "plan/continuum/potential.h"
#include "sim/step/step.h"
#include "sim/world_internal.h"
#include "throng/random.h"

#include <stdlib.h>

#define SIDE 100.0f
#define CELL 0.5f

typedef struct State {
    thMemory memory;
    thWorld* world;
    thFrame frame;
    thContinuumDef def;
    thFieldGrid grid;
    thCrowdCells cells;
    thPotential potential;
    float* costs;
} State;

static thResult fillWorld(State* state, int32_t people)
{
    thProfileDef profile = thDefaultProfileDef();
    profile.plan.name = "continuum";
    thAgentDef agent = thDefaultAgentDef();
    TH_TRY(thCreateProfile(state->world, &profile, &agent.profile, NULL));
    for (int32_t i = 0; i < people; ++i) {
        const uint64_t stream = thRandomStream(1, (uint64_t)i, 0, 0);
        thAgentId id;
        agent.position =
            (thVec2){thRandomRange(stream, 0, 0.0f, SIDE), thRandomRange(stream, 1, 0.0f, SIDE)};
        agent.velocity =
            (thVec2){thRandomRange(stream, 2, -1.4f, 1.4f), thRandomRange(stream, 3, -1.4f, 1.4f)};
        TH_TRY(thCreateAgent(state->world, &agent, &id));
    }
    return thiPrepareObstacles(state->world);
}

static const char* setUp(const thBenchCase* self, void** given)
{
    const thFieldBox box = {0, 0, thiUnits(SIDE), thiUnits(SIDE)};
    const thWorldDef world = thDefaultWorldDef();
    int64_t all = INT64_MAX;
    State* state = calloc(1, sizeof *state);
    if (state == NULL)
        return "no memory";
    *given = state;
    thiMemoryInit(&state->memory, NULL, 0);
    state->def = thDefaultContinuumDef();
    if (thCreateWorld(&world, &state->world) != th_resultOk ||
        fillWorld(state, *(const int32_t*)self->context) != th_resultOk)
        return "no memory";
    state->frame = thiMakeFrame(state->world, 0.1f);
    if (thiFieldGridBegin(&state->memory, &state->frame, 0, 0.25f, CELL, 1000000, &box,
                          &state->grid) != th_resultOk)
        return "no memory";
    thiFieldGridBuild(&state->grid, &state->frame, 0, &all);
    const size_t count = (size_t)thiNodeCount(&state->grid.nodes);
    state->costs = thiAllocate(&state->memory, th_faceCount * count * sizeof(float));
    if (state->costs == NULL ||
        thiCrowdCellsCreate(&state->memory, &state->grid.nodes, &state->def, &state->cells) !=
            th_resultOk ||
        thiPotentialCreate(&state->memory, &state->grid.nodes, &state->potential) != th_resultOk)
        return "no memory";
    thiCrowdCellsFill(&state->cells, &state->frame, 0);
    thiFillCosts(&state->cells, 0, state->grid.nodes.rows, state->costs);
    return NULL;
}

static uint64_t runCells(void* given)
{
    State* state = given;
    thiCrowdCellsFill(&state->cells, &state->frame, 0);
    return (uint64_t)state->cells.density[state->cells.count / 2];
}

static uint64_t runCosts(void* given)
{
    State* state = given;
    thiFillCosts(&state->cells, 0, state->grid.nodes.rows, state->costs);
    return (uint64_t)state->costs[state->cells.count / 2];
}

static uint64_t runPotential(void* given)
{
    State* state = given;
    const thPotentialSeed seed = {3 * state->grid.nodes.columns + 3, 0.0f};
    (void)thiPotentialSolve(&state->potential, state->costs, 1.0f, &seed, 1);
    return (uint64_t)state->potential.cost[state->cells.count / 2];
}

static void tearDown(void* given)
{
    State* state = given;
    const size_t count = (size_t)state->cells.count;
    thiPotentialFree(&state->potential);
    thiRelease(&state->memory, state->costs, th_faceCount * count * sizeof(float));
    thiCrowdCellsFree(&state->cells);
    thiFieldGridFree(&state->grid);
    thDestroyWorld(state->world);
    free(state);
}

static const int32_t few = 1000, many = 40000;

#define CELLS .item = "cell", .items = 200 * 200, .setUp = setUp, .tearDown = tearDown

// A potential costs the same with any number of people, and at most 250 ns for a cell; a person
// costs some 30 ns.
static const thBenchCase cases[] = {
    {.name = "continuum/cells/1k", CELLS, .context = &few, .run = runCells},
    {.name = "continuum/cells/40k", CELLS, .context = &many, .run = runCells, .maxTime = 150.0},
    {.name = "continuum/costs", CELLS, .context = &many, .run = runCosts, .maxTime = 100.0},
    {.name = "continuum/potential/1k", CELLS, .context = &few, .run = runPotential},
    {.name = "continuum/potential/40k",
     CELLS,
     .context = &many,
     .run = runPotential,
     .baseline = "continuum/potential/1k",
     .minRatio = 1 / 1.5,
     .maxTime = 250.0},
};

const thBenchGroup thiBenchContinuum = {cases, sizeof cases / sizeof cases[0]};
