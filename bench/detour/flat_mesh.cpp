// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A navigation mesh for DetourCrowd: squares without obstacles.

#include "flat_mesh.h"

#include <DetourNavMeshBuilder.h>

// The data of a tile that is one square, or null.
static unsigned char* createTile(thVec2 low, float side, int* size)
{
    // In units of the whole side; clockwise where x is to the right and z up.
    static const unsigned short corners[] = {0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0};
    static const unsigned short noNeighbour = 0xffff;
    static const unsigned short square[] = {0,           1,           2,           3,
                                            noNeighbour, noNeighbour, noNeighbour, noNeighbour};
    static const unsigned short flags[] = {1};
    static const unsigned char areas[] = {0};
    dtNavMeshCreateParams params = {};
    params.verts = corners;
    params.vertCount = 4;
    params.polys = square;
    params.polyFlags = flags;
    params.polyAreas = areas;
    params.polyCount = 1;
    params.nvp = 4;
    params.bmin[0] = low.x;
    params.bmin[2] = low.y;
    params.bmax[0] = low.x + side;
    params.bmax[1] = 1.0f;
    params.bmax[2] = low.y + side;
    params.walkableHeight = 2.0f;
    params.walkableClimb = 0.5f;
    params.cs = side;
    params.ch = 1.0f;
    unsigned char* data = nullptr;
    return dtCreateNavMeshData(&params, &data, size) ? data : nullptr;
}

// The only polygon of the only tile.
static dtPolyRef groundOf(const dtNavMesh& mesh)
{
    return mesh.getPolyRefBase(mesh.getTile(0));
}

FlatMesh createFlatMesh(thVec2 low, float side)
{
    int size = 0;
    unsigned char* data = createTile(low, side, &size);
    dtNavMesh* mesh = data != nullptr ? dtAllocNavMesh() : nullptr;
    if (mesh != nullptr && dtStatusSucceed(mesh->init(data, size, DT_TILE_FREE_DATA)))
        return {mesh, groundOf(*mesh)};
    dtFreeNavMesh(mesh);
    dtFree(data);
    return {nullptr, 0};
}
