// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Problems of a crowd, laid out in lanes.

#include "batch.h"

#include "trial.h"

#include <stdlib.h>

static void* allocateAligned(size_t size)
{
    return aligned_alloc(64, (size + 63) / 64 * 64);
}

thPaperBatch* thiPaperMakeBatch(void)
{
    thPaperBatch* batch = allocateAligned(sizeof *batch);
    if (batch == NULL)
        return NULL;
    const size_t interval = thiOutsideKernelRoom(thPaperRegions, TH_BATCH_ROWS);
    const size_t paper = thiPaperKernelRoom(thPaperRegions, TH_BATCH_ROWS);
    batch->room = allocateAligned(interval > paper ? interval : paper);
    batch->points = allocateAligned(thiPaperTrialRoom(thPaperRegions));
    if (batch->room != NULL && batch->points != NULL)
        return batch;
    thiPaperFreeBatch(batch);
    return NULL;
}

void thiPaperFillBatch(thPaperBatch* batch, const thPaperCrowd* crowd, int32_t first)
{
    const int32_t left = crowd->count - first;
    batch->count = left < TH_BATCH_ROWS ? left : TH_BATCH_ROWS;
    batch->agents = crowd->agents + first;
    batch->task = (thOutsideTask){.lanes = TH_BATCH_ROWS,
                                  .regionMax = thPaperRegions,
                                  .nx = batch->sides[0],
                                  .ny = batch->sides[1],
                                  .o = batch->sides[2],
                                  .wantedX = batch->columns[0],
                                  .wantedY = batch->columns[1],
                                  .startX = batch->columns[2],
                                  .startY = batch->columns[3],
                                  .discX = {batch->columns[4], batch->columns[5]},
                                  .discY = {batch->columns[6], batch->columns[7]},
                                  .discRadius = {batch->columns[8], batch->columns[9]},
                                  .tolerance = batch->columns[10],
                                  .room = batch->room,
                                  .outX = batch->x,
                                  .outY = batch->y,
                                  .answer = batch->answers};
    for (int32_t lane = 0; lane < TH_BATCH_ROWS; ++lane)
        thiSetOutsideLane(&batch->task, lane,
                          lane < batch->count ? &batch->agents[lane].problem : NULL);
}

void thiPaperFreeBatch(thPaperBatch* batch)
{
    if (batch == NULL)
        return;
    free(batch->room);
    free(batch->points);
    free(batch);
}
