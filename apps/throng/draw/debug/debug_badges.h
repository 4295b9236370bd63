// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The numbers of neighbours on the borders of what is there for them.

#ifndef THRONG_APPS_DEBUG_BADGES_H
#define THRONG_APPS_DEBUG_BADGES_H

#include "draw/debug/debug_marks.h"

void appDrawBadges(const Panel* panel, const thExplanationView* view);

#endif
