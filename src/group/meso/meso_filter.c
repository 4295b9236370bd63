// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The clumps that a batch may see, laid out for lanes, so that each of its agents can tell at once
// which of them are in its way.

#include "group/meso/meso_filter.h"

#include "space/agents_near.h"

#include <math.h>
#include <string.h>

// Of so few nobody asks where they are.
#define FEW_CLUMPS 64

// Rows that are looked at in one go.
#define SURVEYED 256

// Takes room for that many. False when memory is out.
static bool makeRoom(thArena* scratch, int32_t capacity, thMesoDiscs* discs)
{
    if (capacity <= discs->capacity && discs->capacity > 0)
        return true;
    const int32_t padded = 2 * capacity + 1 + TH_MAX_WIDTH;
    float* floats = thArena_Allocate(scratch, (size_t)padded * 7 * sizeof *floats);
    int32_t* numbers = thArena_Allocate(scratch, (size_t)padded * 3 * sizeof *numbers);
    discs->capacity = 0;
    if (floats == NULL || numbers == NULL)
        return false;
    discs->capacity = 2 * capacity + 1;
    discs->half = floats;
    discs->largest = floats + padded;
    discs->meanX = floats + 2 * padded;
    discs->meanY = floats + 3 * padded;
    discs->middleX = floats + 4 * padded;
    discs->middleY = floats + 5 * padded;
    discs->spread = floats + 6 * padded;
    discs->x = numbers;
    discs->y = numbers + padded;
    discs->clump = numbers + 2 * padded;
    return true;
}

bool thiMesoStartDiscs(thArena* scratch, int32_t capacity, thMesoDiscs* discs)
{
    discs->count = 0;
    return makeRoom(scratch, capacity, discs);
}

void thiMesoAddDisc(const thMesoGraph* graph, int32_t number, bool isWhole, thMesoDiscs* discs)
{
    const thMesoClump* clump = &TH_ITEMS(graph->clumps, thMesoClump)[number];
    const int32_t i = discs->count++;
    discs->x[i] = clump->x;
    discs->y[i] = clump->y;
    discs->half[i] = clump->half;
    discs->largest[i] = clump->largest;
    discs->meanX[i] = clump->velocity.x;
    discs->meanY[i] = clump->velocity.y;
    discs->middleX[i] = isWhole ? clump->velocity.x : clump->middle.x;
    discs->middleY[i] = isWhole ? clump->velocity.y : clump->middle.y;
    discs->spread[i] = isWhole ? 0.0f : clump->spread;
    discs->clump[i] = number;
}

// Who is looked for by a batch.
typedef struct Survey {
    const thMesoGraph* graph;
    int32_t seen, count;
    uint64_t* marks; // by clump
    int32_t* clumps;
} Survey;

static void surveyRange(void* context, int32_t begin, int32_t end)
{
    Survey* survey = context;
    int32_t found[SURVEYED + TH_MAX_WIDTH];
    for (int32_t row = begin; row < end; row += SURVEYED) {
        const thMesoRange range = {row, TH_MIN(row + SURVEYED, end)};
        const int32_t count = survey->graph->kernels.listClumps(
            TH_ITEMS(survey->graph->clump, int32_t), range, found);
        survey->seen += count;
        for (int32_t i = 0; i < count; ++i) {
            const uint64_t mark = UINT64_C(1) << (found[i] & 63);
            const bool isNew = (survey->marks[found[i] >> 6] & mark) == 0;
            survey->marks[found[i] >> 6] |= mark;
            survey->clumps[survey->count] = found[i];
            survey->count += isNew;
        }
    }
}

static void visitAround(const thBatch* batch, float radius, int32_t level, Survey* survey)
{
    const thFrame* frame = batch->frame;
    const int64_t reach = (int64_t)((double)radius * (double)THRONG_UNITS_PER_METRE) + 1;
    int64_t lowX = INT32_MAX, lowY = INT32_MAX, highX = INT32_MIN, highY = INT32_MIN;
    for (int32_t lane = 0; lane < batch->count; ++lane) {
        const int64_t x = frame->px[batch->row[lane]], y = frame->py[batch->row[lane]];
        lowX = TH_MIN(lowX, x);
        lowY = TH_MIN(lowY, y);
        highX = TH_MAX(highX, x);
        highY = TH_MAX(highY, y);
    }
    thiVisitBox(frame, level, lowX - reach, lowY - reach, highX + reach, highY + reach, surveyRange,
                survey);
}

bool thiMesoSurvey(const thMesoGraph* graph, const thBatch* batch, const thMesoDef* def,
                   thMesoDiscs* discs)
{
    const int32_t count = graph->clumps.count;
    const thMesoClump* clumps = TH_ITEMS(graph->clumps, thMesoClump);
    Survey survey = {.graph = graph};
    if (count <= FEW_CLUMPS) {
        for (int32_t i = 0; i < count; ++i)
            survey.seen += clumps[i].count;
        survey.count = count;
    } else {
        const size_t words = (size_t)count / 64 + 1;
        survey.marks = thArena_Allocate(batch->scratch, words * sizeof *survey.marks);
        survey.clumps =
            thArena_Allocate(batch->scratch, ((size_t)count + 1) * sizeof *survey.clumps);
        if (survey.marks == NULL || survey.clumps == NULL)
            return false;
        memset(survey.marks, 0, words * sizeof *survey.marks);
        for (int32_t lane = 0; lane < batch->count; ++lane) {
            const int32_t level = batch->frame->level[batch->row[lane]];
            if (lane == 0 || level != batch->frame->level[batch->row[lane - 1]])
                visitAround(batch, def->radius, level, &survey);
        }
    }
    discs->allAreSeen = survey.seen <= TH_MESO_AGENTS;
    if (!thiMesoStartDiscs(batch->scratch, survey.count, discs))
        return false;
    for (int32_t i = 0; i < survey.count; ++i) {
        const int32_t number = survey.clumps != NULL ? survey.clumps[i] : i;
        if (clumps[number].count >= def->smallest)
            thiMesoAddDisc(graph, number, false, discs);
    }
    return true;
}
