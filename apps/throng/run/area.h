// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Areas on the command line.

#ifndef THRONG_APPS_AREA_H
#define THRONG_APPS_AREA_H

#include "app.h"

#include <throng/record.h>

// Reads the value of --area, "X0,Y0,X1,Y1" [m]. False, and it is said, if it is something else.
bool appReadArea(const char* text, thPlace* low, thPlace* high);

#endif
