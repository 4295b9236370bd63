// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Of every pixel of a raster the nearest and the second-nearest of many sites, and how far they
// are.

#ifndef THRONG_SRC_GEOM_TWO_NEAREST_H
#define THRONG_SRC_GEOM_TWO_NEAREST_H

#include "base/memory.h"
#include "throng/math.h"
#include "throng/simd.h"
#include "throng/tasks.h"

#include <stdbool.h>
#include <stdint.h>

// What a site is; distances are signed, so that insides are ordered too.
typedef enum thSiteKind {
    th_siteDisc,    // one point; |q − c| − radius
    th_siteSegment, // two points; the distance from it − radius
    th_sitePolygon, // three or more, simple, counter-clockwise; negative inside
} thSiteKind;

typedef struct thSite {
    thSiteKind kind;
    int32_t first, count; // of its points
    float radius;         // m
} thSite;

typedef struct thSites {
    const thSite* sites;
    const thVec2* points; // m from the raster's lower left corner
    int32_t count;
} thSites;

// Pixel (x, y) is entry y · width + x; its centre is ((x + ½) pixel, (y + ½) pixel).
typedef struct thTwoNearest {
    int32_t width, height;
    float pixel;             // side [m]
    int32_t *first, *second; // sites; ties go to the lower number. −1: there is none
    float *firstDistance, *secondDistance; // m; INFINITY if there is none
} thTwoNearest;

// The largest coordinate or radius of a site, the least and largest side of a pixel, and the most
// pixels to a side. [m]
#define TH_MOST_SITE_METRES 1e6f
#define TH_LEAST_PIXEL 1e-4f
#define TH_MOST_PIXEL 1e3f
#define TH_MOST_PIXELS 32768

// Room for the answer. th_resultNoMemory leaves nothing behind.
thResult thiCreateTwoNearest(thMemory* memory, int32_t width, int32_t height, float pixel,
                             thTwoNearest* field);
void thiFreeTwoNearest(thMemory* memory, thTwoNearest* field);

// The distance of a site: what all that is found goes by. Zero-length edges are points. [m]
float thiSiteDistance(const thSites* sites, int32_t site, thVec2 p);

static inline thVec2 thiPixelCentre(const thTwoNearest* field, int32_t x, int32_t y)
{
    return (thVec2){((float)x + 0.5f) * field->pixel, ((float)y + 0.5f) * field->pixel};
}

// Fills in the field, with the same bits as by asking thiSiteDistance of every site at every pixel.
// th_resultBadArgument: a site is beyond what is said above, or has too few points.
// Sites below `obstacleCount` are obstacles: where one is nearest nobody asks for the second, and
// there is none; 0 finds the second everywhere. Scratch memory comes from the arena, which the
// caller resets.
thResult thiFindTwoNearest(const thSites* sites, int32_t obstacleCount, thSimd simd,
                           const thTasks* tasks, thArena* arena, thTwoNearest* field);

// Takes pixels out of regions that are sampled too coarsely, in both label fields: lone pixels, and
// ends of threads that are one pixel wide, until there are none. Such a pixel goes to a neighbour's
// site, of which more neighbours are than of its own: to the nearest of these. Pixels that hold
// the centre of an agent (the mean of the points of a site from `obstacleCount` on) stay. Pieces of
// a label (joined by sides) never become more.
//
// A pixel that gets another first site has its former one as second, with the distances of both:
// the first is then the further one. In the second field no pixel gets its own first site.
thResult thiRepairTwoNearest(const thSites* sites, int32_t obstacleCount, thSimd simd,
                             const thTasks* tasks, thArena* arena, thTwoNearest* field);

#endif
