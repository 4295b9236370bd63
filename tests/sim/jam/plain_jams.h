// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The rules of jams for one agent after the other, as they read, to compare the kernels with.

#ifndef THRONG_TESTS_SIM_PLAIN_JAMS_H
#define THRONG_TESTS_SIM_PLAIN_JAMS_H

#include "sim/jam/jams.h"

// thiUnjam and thiOverlook.
void plainUnjam(const thJams* jams, const thProfileDef* def, const thBatch* batch,
                const uint16_t* pressures, thJamCounts* counts);
void plainOverlook(const thJams* jams, const thBatch* batch);

#endif
