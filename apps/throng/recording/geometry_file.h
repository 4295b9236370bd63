// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Walls that recordings stand in: from a file beside them, or from text within them.

#ifndef THRONG_APPS_GEOMETRY_FILE_H
#define THRONG_APPS_GEOMETRY_FILE_H

#include "recording/recording.h"

#include <throng/shapes.h>

// Gives a recording the shapes of a file: WKT, GeoJSON, JuPedSim's `geometry` or the ETH data set's
// map, both XML. What fails is said.
ExitCode appTakeGeometryFile(Recording* recording, const char* path);

// Reads well-known text that stands in the recording's own file. NULL, and said, when it is wrong.
thShapeList* appReadWkt(const Recording* recording, const char* text, ExitCode* code);

// Gives a recording the shapes of such a text.
ExitCode appTakeWkt(Recording* recording, const char* text);

#endif
