// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Random regions, and the nearest point outside of them by trying all.

#include "velocity/region_oracle.h"

#include "gear/gear.h"

#define CURVES (3 * REGIONS + REGIONS + 2)

// A line n · v = o, or a circle.
typedef struct Curve {
    bool isCircle;
    double x, y, o; // normal and offset, or center and radius
} Curve;

typedef struct Oracle {
    const thOutsideProblem* problem;
    double grow, best;
} Oracle;

static double depthInRegion(const thRegion* region, double x, double y, double grow)
{
    double depth = 1.0e30;
    for (int32_t k = 0; k < region->sides; ++k)
        depth = fmin(depth, (double)region->n[k].x * x + (double)region->n[k].y * y -
                                (double)region->o[k] + grow);
    const double radius = (double)region->cap.radius + grow;
    if (region->cap.radius > 0.0f && radius > 0.0)
        depth = fmax(depth, radius - hypot(x - (double)region->cap.center.x,
                                           y - (double)region->cap.center.y));
    return depth;
}

double depthIn(const thOutsideProblem* problem, double x, double y)
{
    double depth = 0.0;
    for (int32_t i = 0; i < problem->regionCount; ++i)
        depth = fmax(depth, depthInRegion(&problem->regions[i], x, y, 0.0));
    return depth;
}

double beyondDiscs(const thOutsideProblem* problem, double x, double y)
{
    double beyond = 0.0;
    for (int32_t i = 0; i < 2; ++i) {
        const thDisc* disc = &problem->discs[i];
        beyond = fmax(beyond, hypot(x - (double)disc->center.x, y - (double)disc->center.y) -
                                  (double)disc->radius);
    }
    return beyond;
}

static void tryPoint(Oracle* oracle, double x, double y)
{
    const thOutsideProblem* problem = oracle->problem;
    const double distance = hypot(x - (double)problem->wanted.x, y - (double)problem->wanted.y);
    if (!(distance < oracle->best))
        return;
    for (int32_t i = 0; i < 2; ++i) {
        const thDisc* disc = &problem->discs[i];
        if (hypot(x - (double)disc->center.x, y - (double)disc->center.y) >
            (double)disc->radius - oracle->grow + 1.0e-9)
            return;
    }
    for (int32_t i = 0; i < problem->regionCount; ++i)
        if (depthInRegion(&problem->regions[i], x, y, oracle->grow) > 1.0e-9)
            return;
    oracle->best = distance;
}

static int32_t listCurves(const Oracle* oracle, Curve* curves)
{
    const thOutsideProblem* problem = oracle->problem;
    int32_t count = 0;
    for (int32_t i = 0; i < problem->regionCount; ++i) {
        const thRegion* region = &problem->regions[i];
        for (int32_t k = 0; k < region->sides; ++k) {
            const double x = (double)region->n[k].x, y = (double)region->n[k].y;
            const double length = hypot(x, y);
            curves[count++] = (Curve){false, x / length, y / length,
                                      ((double)region->o[k] - oracle->grow) / length};
        }
        if (region->cap.radius > 0.0f)
            curves[count++] =
                (Curve){true, (double)region->cap.center.x, (double)region->cap.center.y,
                        (double)region->cap.radius + oracle->grow};
    }
    for (int32_t i = 0; i < 2; ++i)
        curves[count++] =
            (Curve){true, (double)problem->discs[i].center.x, (double)problem->discs[i].center.y,
                    (double)problem->discs[i].radius - oracle->grow};
    return count;
}

static void tryProjection(Oracle* oracle, const Curve* curve)
{
    const double x = (double)oracle->problem->wanted.x, y = (double)oracle->problem->wanted.y;
    if (!curve->isCircle) {
        const double lack = curve->o - curve->x * x - curve->y * y;
        tryPoint(oracle, x + lack * curve->x, y + lack * curve->y);
        return;
    }
    const double fromX = x - curve->x, fromY = y - curve->y, length = hypot(fromX, fromY);
    const double factor = length > 0.0 ? curve->o / length : 0.0;
    tryPoint(oracle, curve->x + factor * fromX, curve->y + factor * fromY);
}

// Both places at (x, y) plus or minus t along (dx, dy).
static void tryBoth(Oracle* oracle, double x, double y, double t, double dx, double dy)
{
    tryPoint(oracle, x + t * dx, y + t * dy);
    tryPoint(oracle, x - t * dx, y - t * dy);
}

static void tryCrossing(Oracle* oracle, const Curve* a, const Curve* b)
{
    if (!a->isCircle && !b->isCircle) {
        const double det = a->x * b->y - a->y * b->x;
        if (fabs(det) > 1.0e-12)
            tryPoint(oracle, (a->o * b->y - b->o * a->y) / det, (b->o * a->x - a->o * b->x) / det);
    } else if (a->isCircle && b->isCircle) {
        const double dx = b->x - a->x, dy = b->y - a->y, lengthSq = dx * dx + dy * dy;
        const double along = 0.5 * (lengthSq + a->o * a->o - b->o * b->o) / lengthSq;
        const double acrossSq = a->o * a->o / lengthSq - along * along;
        if (lengthSq > 0.0 && acrossSq >= 0.0)
            tryBoth(oracle, a->x + along * dx, a->y + along * dy, sqrt(acrossSq), -dy, dx);
    } else {
        const Curve *line = a->isCircle ? b : a, *circle = a->isCircle ? a : b;
        const double lack = line->o - line->x * circle->x - line->y * circle->y;
        const double rest = circle->o * circle->o - lack * lack;
        if (circle->o >= 0.0 && rest >= 0.0)
            tryBoth(oracle, circle->x + lack * line->x, circle->y + lack * line->y, sqrt(rest),
                    -line->y, line->x);
    }
}

double oracleDistance(const thOutsideProblem* problem, double grow)
{
    static Curve curves[CURVES];
    Oracle oracle = {problem, grow, INFINITY};
    const int32_t count = listCurves(&oracle, curves);
    tryPoint(&oracle, (double)problem->wanted.x, (double)problem->wanted.y);
    for (int32_t i = 0; i < count; ++i) {
        tryProjection(&oracle, &curves[i]);
        for (int32_t j = 0; j < i; ++j)
            tryCrossing(&oracle, &curves[i], &curves[j]);
    }
    return oracle.best;
}

thRegion coneOf(thVec2 p, float both, thVec2 apex, float share, float horizon, bool round)
{
    const double x = (double)p.x, y = (double)p.y, r = (double)both, s = (double)share;
    const double d = hypot(x, y), leg = sqrt(fmax(d * d - r * r, 0.0)), d2 = d * d;
    const double lx = (x * leg - y * r) / d2, ly = (x * r + y * leg) / d2;
    const double rx = (x * leg + y * r) / d2, ry = (y * leg - x * r) / d2;
    const double ax = (double)apex.x, ay = (double)apex.y, per = s / (double)horizon;
    const double cap = round ? per * (d2 - r * r) / d : per * (d - r);
    const double n[3][2] = {{-ry, rx}, {ly, -lx}, {x / d, y / d}};
    thRegion region = {.sides = 3};
    for (int32_t k = 0; k < 3; ++k) {
        region.n[k] = (thVec2){(float)n[k][0], (float)n[k][1]};
        region.o[k] = (float)(n[k][0] * ax + n[k][1] * ay + (k == 2 ? cap : 0.0));
    }
    if (round)
        region.cap = (thDisc){{(float)(ax + per * x), (float)(ay + per * y)}, (float)(per * r)};
    return region;
}

static thVec2 drawVec(thGenerator* g, RegionKind kind, float size)
{
    if (kind == region_lattice) {
        const int32_t most = (int32_t)(4.0f * size);
        const float x = 0.25f * (float)drawInt(g, -most, most);
        return (thVec2){x, 0.25f * (float)drawInt(g, -most, most)};
    }
    const float x = drawFloat(g, -size, size);
    return (thVec2){x, drawFloat(g, -size, size)};
}

// A half-plane that forbids what is more than `apart` that way.
static thRegion halfPlane(thVec2 towards, thVec2 from, float apart)
{
    const float length = hypotf(towards.x, towards.y);
    const thVec2 n =
        length > 0.0f ? (thVec2){towards.x / length, towards.y / length} : (thVec2){1.0f, 0.0f};
    return (thRegion){.sides = 1, .n = {n}, .o = {n.x * from.x + n.y * from.y + apart}};
}

// Somebody who is met within 0.01 to 0.1 s, or is not met only just.
static thRegion drawSoon(thGenerator* g, bool round)
{
    const float both = drawFloat(g, 0.1f, 1.0f), horizon = drawFloat(g, 0.01f, 0.1f);
    const float share = drawU32(g) % 4 == 0 ? 1.0f : 0.5f, angle = drawFloat(g, 0.0f, 6.2831853f);
    const float distance = both + horizon / share * drawFloat(g, 0.0f, 4.0f);
    const thVec2 p = {distance * cosf(angle), distance * sinf(angle)};
    const thVec2 apex = {drawFloat(g, -2.0f, 2.0f), drawFloat(g, -2.0f, 2.0f)};
    return coneOf(p, both, apex, share, horizon, round);
}

static thRegion drawRegion(thGenerator* g, RegionKind kind, bool round)
{
    if (kind == region_soon)
        return drawSoon(g, round);
    const thVec2 p = drawVec(g, kind, kind == region_crowd ? 1.0f : 4.0f);
    const thVec2 apex = drawVec(g, kind, 1.0f);
    const float both = kind == region_lattice ? 0.5f : drawFloat(g, 0.0f, 0.8f);
    const float distance = hypotf(p.x, p.y);
    if (distance <= both)
        return halfPlane(p, apex, -0.5f * (both - distance) * 5.0f);
    const float share = drawU32(g) % 4 == 0 ? 1.0f : 0.5f;
    const float horizon = kind == region_lattice ? 2.0f : drawFloat(g, 0.2f, 4.0f);
    thRegion region = coneOf(p, both, apex, share, horizon, round && drawU32(g) % 2 == 0);
    if (drawU32(g) % 8 == 0) { // sides with a common apex only
        region.sides = 2;
        region.cap.radius = 0.0f;
    }
    return region;
}

void drawRegions(thGenerator* g, RegionKind kind, int32_t size, bool round, RegionSet* set)
{
    const int32_t walls = size > 2 && drawU32(g) % 2 == 0 ? drawInt(g, 0, 3) : 0;
    const int32_t count = drawInt(g, 0, size < REGIONS - 3 ? size : REGIONS - 3);
    const thVec2 own = drawVec(g, kind, 1.0f);
    const bool accel = drawU32(g) % 2 == 0;
    set->problem = (thOutsideProblem){
        .wanted = drawVec(g, kind, 1.5f),
        .discs = {{{0.0f, 0.0f}, 2.0f}, {own, accel ? drawFloat(g, 0.05f, 2.0f) : TH_NO_LIMIT}},
        .tolerance = 2.0e-5f,
        .regionCount = count + walls,
        .regions = set->regions};
    for (int32_t i = 0; i < count; ++i) {
        set->regions[i] = drawRegion(g, kind, round);
        if (kind == region_pile && i > 0 && drawU32(g) % 2 == 0) {
            set->regions[i] = set->regions[i - 1];
            set->regions[i].o[0] += drawU32(g) % 2 == 0 ? 0.0f : 1.0e-6f;
        }
    }
    for (int32_t i = count; i < count + walls; ++i)
        set->regions[i] = halfPlane(drawVec(g, kind, 1.0f), (thVec2){0.0f, 0.0f},
                                    kind == region_lattice ? 0.25f : drawFloat(g, 0.0f, 1.0f));
}

thOutsideTask makeOutsideTask(TaskColumns* columns, int32_t lanes, int32_t regionMax, void* room)
{
    float(*const lane)[TASK_LANES] = columns->lanes;
    return (thOutsideTask){.lanes = lanes,
                           .regionMax = regionMax,
                           .nx = columns->sides[0],
                           .ny = columns->sides[1],
                           .o = columns->sides[2],
                           .wantedX = lane[0],
                           .wantedY = lane[1],
                           .startX = lane[2],
                           .startY = lane[3],
                           .discX = {lane[4], lane[5]},
                           .discY = {lane[6], lane[7]},
                           .discRadius = {lane[8], lane[9]},
                           .tolerance = lane[10],
                           .room = room,
                           .outX = lane[11],
                           .outY = lane[12],
                           .answer = columns->answers};
}

bool kernelAgrees(thOutsideFcn* kernel, thSimd simd, thOutsideTask* task, int32_t count,
                  AnswersAgreeFcn* answersAgree, int64_t* looks)
{
    for (int32_t keeps = 0; keeps < 2; ++keeps) {
        thOutsideUse use = {0};
        task->keepsLanes = keeps != 0;
        task->use = &use;
        kernel(task);
        *looks = *looks < 0 ? use.lanes : *looks;
        if (!answersAgree(task, count, thSimd_GetName(simd)) || use.lanes != *looks ||
            use.lanes > use.rounds * thSimd_GetWidth(simd) ||
            use.regions > use.rounds * task->regionMax)
            return false;
    }
    return true;
}

void assertAllSeen(const AnswerCounts* counts)
{
    const int64_t* seen = counts->seen;
    print_message("%lld compared: %lld free, %lld on a border, %lld without an answer\n",
                  (long long)counts->asked, (long long)seen[0], (long long)seen[1],
                  (long long)seen[2]);
    for (int32_t i = 0; i < 3; ++i)
        assert_true(seen[i] > counts->asked / 50);
}

RegionKind drawKind(thGenerator* g, uint32_t kind)
{
    return (RegionKind)(kind == region_kindCount ? drawU32(g) % region_kindCount : kind);
}
