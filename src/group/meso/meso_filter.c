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
    const float x = thiMetresBetween(clump->lowX, clump->highX);
    const float y = thiMetresBetween(clump->lowY, clump->highY);
    const float vx = 0.5f * (clump->fastest.x - clump->slowest.x);
    const float vy = 0.5f * (clump->fastest.y - clump->slowest.y);
    discs->x[i] = (int32_t)(((int64_t)clump->lowX + clump->highX) / 2);
    discs->y[i] = (int32_t)(((int64_t)clump->lowY + clump->highY) / 2);
    discs->half[i] = 0.5f * sqrtf(x * x + y * y) + TH_MESO_SLACK;
    discs->largest[i] = clump->largest;
    discs->meanX[i] = clump->velocity.x;
    discs->meanY[i] = clump->velocity.y;
    discs->middleX[i] = isWhole ? clump->velocity.x : clump->slowest.x + vx;
    discs->middleY[i] = isWhole ? clump->velocity.y : clump->slowest.y + vy;
    discs->spread[i] = isWhole ? 0.0f : sqrtf(vx * vx + vy * vy);
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
    const int32_t* clump = TH_ITEMS(survey->graph->clump, int32_t);
    for (int32_t row = begin; row < end; ++row) {
        const int32_t its = clump[row];
        if (its < 0)
            continue;
        survey->seen += 1;
        if ((survey->marks[its >> 6] >> (its & 63) & 1) != 0)
            continue;
        survey->marks[its >> 6] |= UINT64_C(1) << (its & 63);
        survey->clumps[survey->count++] = its;
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
        survey.clumps = thArena_Allocate(batch->scratch, (size_t)count * sizeof *survey.clumps);
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
