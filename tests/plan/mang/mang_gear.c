// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Scenes of sites and their two nearest per pixel, by looking at all sites for each.

#include "mang_gear.h"

#include <stdlib.h>

void addSite(MangScene* scene, thSiteKind kind, const thVec2* points, int32_t count, float radius)
{
    scene->sites[scene->siteCount++] = (thSite){kind, scene->pointCount, count, radius};
    for (int32_t i = 0; i < count; ++i)
        scene->points[scene->pointCount++] = points[i];
}

void addDisc(MangScene* scene, float x, float y, float radius)
{
    addSite(scene, th_siteDisc, &(thVec2){x, y}, 1, radius);
}

void addWalls(MangScene* scene)
{
    const float x = (float)scene->width * scene->pixel, y = (float)scene->height * scene->pixel;
    const thVec2 corners[5] = {{0, 0}, {x, 0}, {x, y}, {0, y}, {0, 0}};
    for (int32_t i = 0; i < 4; ++i)
        addSite(scene, th_siteSegment, &corners[i], 2, 0.0f);
}

void beginAgents(MangScene* scene)
{
    scene->obstacleCount = scene->siteCount;
}

static double distanceOf(thVec2 a, thVec2 b, thVec2 q)
{
    const double dx = (double)b.x - (double)a.x, dy = (double)b.y - (double)a.y;
    const double px = (double)q.x - (double)a.x, py = (double)q.y - (double)a.y;
    const double square = dx * dx + dy * dy;
    const double t = square > 0.0 ? fmin(fmax((px * dx + py * dy) / square, 0.0), 1.0) : 0.0;
    const double x = px - t * dx, y = py - t * dy;
    return sqrt(x * x + y * y);
}

double siteDistance(const MangScene* scene, int32_t site, thVec2 place)
{
    const thSite* s = &scene->sites[site];
    const thVec2* points = &scene->points[s->first];
    const int32_t sides = s->kind == th_sitePolygon ? s->count : 1;
    double least = INFINITY;
    bool isInside = false;
    for (int32_t i = 0; i < sides; ++i) {
        const thVec2 a = points[i], b = points[(i + 1) % s->count];
        least = fmin(least, distanceOf(a, b, place));
        if ((a.y > place.y) != (b.y > place.y) &&
            (double)place.x < (double)a.x + ((double)b.x - (double)a.x) *
                                                ((double)place.y - (double)a.y) /
                                                ((double)b.y - (double)a.y))
            isInside = !isInside;
    }
    return (s->kind == th_sitePolygon && isInside ? -least : least) - (double)s->radius;
}

thTwoNearest emptyFields(int32_t width, int32_t height, float pixel)
{
    const size_t count = (size_t)width * (size_t)height;
    thTwoNearest f = {.width = width, .height = height, .pixel = pixel};
    f.first = malloc(count * sizeof *f.first);
    f.second = malloc(count * sizeof *f.second);
    f.firstDistance = malloc(count * sizeof *f.firstDistance);
    f.secondDistance = malloc(count * sizeof *f.secondDistance);
    if (f.first == NULL || f.second == NULL || f.firstDistance == NULL || f.secondDistance == NULL)
        abort();
    for (size_t i = 0; i < count; ++i) {
        f.first[i] = f.second[i] = -1;
        f.firstDistance[i] = f.secondDistance[i] = INFINITY;
    }
    return f;
}

thTwoNearest makeFields(const MangScene* scene, int32_t without)
{
    thTwoNearest f = emptyFields(scene->width, scene->height, scene->pixel);
    for (int32_t i = 0; i < f.width * f.height; ++i) {
        const thVec2 centre = {((float)(i % f.width) + 0.5f) * f.pixel,
                               ((float)(i / f.width) + 0.5f) * f.pixel};
        for (int32_t site = 0; site < scene->siteCount; ++site) {
            const float distance = (float)siteDistance(scene, site, centre);
            if (site == without || !(distance < f.secondDistance[i]))
                continue;
            const bool isFirst = distance < f.firstDistance[i];
            f.second[i] = isFirst ? f.first[i] : site;
            f.secondDistance[i] = isFirst ? f.firstDistance[i] : distance;
            if (isFirst) {
                f.first[i] = site;
                f.firstDistance[i] = distance;
            }
        }
        if (f.first[i] < scene->obstacleCount) { // where nobody asks for it
            f.second[i] = -1;
            f.secondDistance[i] = INFINITY;
        }
    }
    return f;
}

void freeFields(thTwoNearest* fields)
{
    free(fields->first);
    free(fields->second);
    free(fields->firstDistance);
    free(fields->secondDistance);
}

thVec2 agentPlace(const MangScene* scene, int32_t site)
{
    return scene->points[scene->sites[site].first];
}

static float drawPlace(thGenerator* g, const MangScene* scene, int32_t extent)
{
    return (float)drawInt(g, 0, 64 * extent) / 64.0f * scene->pixel;
}

void drawAgents(thGenerator* g, int32_t count, float radius, float gap, MangScene* scene)
{
    for (int32_t tries = 0; tries < 50 * count && count > 0 && scene->siteCount < MOST_SITES;
         ++tries) {
        const thVec2 at = {drawPlace(g, scene, scene->width), drawPlace(g, scene, scene->height)};
        bool isFree = true;
        for (int32_t i = 0; i < scene->siteCount; ++i)
            isFree = isFree && siteDistance(scene, i, at) >= (double)(radius + gap);
        if (!isFree)
            continue;
        addDisc(scene, at.x, at.y, radius);
        --count;
    }
}

void drawMangScene(thGenerator* g, int32_t size, bool isEnclosed, MangScene* scene)
{
    *scene = (MangScene){.width = drawInt(g, 16, 64), .height = drawInt(g, 16, 64), .pixel = 0.25f};
    if (isEnclosed)
        addWalls(scene);
    const int32_t obstacles = drawInt(g, 0, TH_MIN(1 + size / 4, 6));
    for (int32_t i = 0; i < obstacles; ++i) {
        const float x = drawPlace(g, scene, scene->width), y = drawPlace(g, scene, scene->height);
        const float a = drawFloat(g, 0.5f, 3.0f), b = drawFloat(g, 0.5f, 3.0f);
        const thVec2 box[4] = {{x, y}, {x + a, y}, {x + a, y + b}, {x, y + b}};
        const int32_t kind = drawInt(g, 0, 3);
        if (kind == 0)
            addDisc(scene, x, y, 0.5f * a);
        else if (kind == 1)
            addSite(scene, th_siteSegment, (const thVec2[2]){{x, y}, {x + a, y - b}}, 2, 0.1f);
        else
            addSite(scene, th_sitePolygon, box, kind == 2 ? 4 : 3, 0.0f);
    }
    beginAgents(scene);
    drawAgents(g, drawInt(g, 0, TH_MIN(size + 1, 30)), drawInt(g, 0, 1) == 0 ? 0.0f : 0.25f, 0.0f,
               scene);
}
