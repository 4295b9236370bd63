// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Scenes of sites and their two nearest per pixel, by looking at all sites for each.

#ifndef THRONG_TESTS_PLAN_MANG_GEAR_H
#define THRONG_TESTS_PLAN_MANG_GEAR_H

#include "gear/property.h"
#include "plan/mang/mang_path.h"

#define MOST_SITES 256
#define MOST_POINTS 1024

typedef struct MangScene {
    int32_t width, height;
    float pixel;
    thSite sites[MOST_SITES];
    thVec2 points[MOST_POINTS];
    int32_t siteCount, pointCount, obstacleCount;
} MangScene;

void addSite(MangScene* scene, thSiteKind kind, const thVec2* points, int32_t count, float radius);
void addDisc(MangScene* scene, float x, float y, float radius);
// The sides of the raster, as segments.
void addWalls(MangScene* scene);
// Where the agents begin: all sites so far are obstacles.
void beginAgents(MangScene* scene);
// Walls or none, some obstacles of each kind, and agents. Places are on multiples of 1/64 pixel.
void drawMangScene(thGenerator* g, int32_t size, bool isEnclosed, MangScene* scene);
// Agents as many as wanted that keep apart from everything by `gap`, as far as there is room.
void drawAgents(thGenerator* g, int32_t count, float radius, float gap, MangScene* scene);

double siteDistance(const MangScene* scene, int32_t site, thVec2 place);

// Of all sites, or of all but one (−1: none is left out); without the second-nearest of obstacles.
// Freed by freeFields.
thTwoNearest makeFields(const MangScene* scene, int32_t without);
// Labels only, for a hand to fill in.
thTwoNearest emptyFields(int32_t width, int32_t height, float pixel);
void freeFields(thTwoNearest* fields);

thVec2 agentPlace(const MangScene* scene, int32_t site);

#endif
