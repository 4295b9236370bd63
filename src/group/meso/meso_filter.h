// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The clumps that a batch may see, laid out for lanes, so that each of its agents can tell at once
// which of them are in its way.

#ifndef THRONG_SRC_GROUP_MESO_MESO_FILTER_H
#define THRONG_SRC_GROUP_MESO_MESO_FILTER_H

#include "geom/fixed.h"
#include "group/meso/meso.h"

// Room for at least so many, and none yet. False when memory is out.
bool thiMesoStartDiscs(thArena* scratch, int32_t capacity, thMesoDiscs* discs);

// Adds the disc round a clump. [isWhole: its velocity is known to be the mean]
void thiMesoAddDisc(const thMesoGraph* graph, int32_t number, bool isWhole, thMesoDiscs* discs);

// The discs of all that somebody of a batch may see and that are no smaller than groups. False when
// memory is out.
bool thiMesoSurvey(const thMesoGraph* graph, const thBatch* batch, const thMesoDef* def,
                   thMesoDiscs* discs);

#endif
