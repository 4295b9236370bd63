// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What only logs can tell.

#ifndef THRONG_APPS_LOG_RECORDING_H
#define THRONG_APPS_LOG_RECORDING_H

#include "recording/recording.h"

// What reads it, for a writer that is to go on after the frame read last.
const thLogReader* appGetLogReader(const Recording* recording);

#endif
