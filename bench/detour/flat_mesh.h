// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The ground that DetourCrowd walks on.

#ifndef THRONG_BENCH_FLAT_MESH_H
#define THRONG_BENCH_FLAT_MESH_H

#include <DetourNavMesh.h>
#include <throng/math.h>

struct FlatMesh {
    dtNavMesh* mesh;
    dtPolyRef ground;
};

// One square at height 0, from `low` to the right and up. The mesh is null when memory is out, and
// to be freed with dtFreeNavMesh.
FlatMesh createFlatMesh(thVec2 low, float side);

#endif
