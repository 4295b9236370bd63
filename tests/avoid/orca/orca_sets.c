// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Random sets of neighbours and walls, ordinary ones and degenerate ones.

#include "avoid/orca/orca_sets.h"

#include "gear/gear.h"

const char* const setKindNames[set_kindCount] = {"plain",  "crowd",      "lattice", "copies",
                                                 "pieces", "coincident", "extremes"};

// One of `count` values.
static float pick(thGenerator* g, const float* values, int32_t count)
{
    return values[drawInt(g, 0, count - 1)];
}

static float drawQuarters(thGenerator* g, int32_t low, int32_t high)
{
    return 0.25f * (float)drawInt(g, low, high);
}

static thVec2 drawVec(thGenerator* g, SetKind kind, float size)
{
    if (kind == set_lattice) {
        const int32_t most = (int32_t)(4.0f * size);
        const float x = drawQuarters(g, -most, most), y = drawQuarters(g, -most, most);
        return (thVec2){x, y};
    }
    const float x = drawFloat(g, -size, size), y = drawFloat(g, -size, size);
    return (thVec2){x, y};
}

static void drawDef(thGenerator* g, SetKind kind, OrcaSet* set)
{
    static const float horizons[] = {0.01f, 0.02f, 0.5f, 2.0f, 10.0f, 100.0f};
    static const float separations[] = {0.0f, 0.01f, 0.5f, 100.0f};
    set->def = thDefaultOrcaDef();
    set->dt = 0.05f;
    set->def.sideBias = drawU32(g) % 2 == 0 ? 0.0f : drawFloat(g, -0.5f, 0.5f);
    if (kind == set_extremes) {
        set->def.timeHorizon = pick(g, horizons, 6);
        set->def.wallHorizon = pick(g, horizons, 6);
        set->def.separationTime = pick(g, separations, 4);
        set->dt = drawU32(g) % 2 == 0 ? 0.01f : 1.0f;
    } else if (kind != set_lattice) {
        set->def.timeHorizon = drawFloat(g, 0.5f, 8.0f);
        set->def.wallHorizon = drawFloat(g, 0.25f, 3.0f);
    } else {
        set->def.sideBias = 0.0f;
    }
}

static void drawSelf(thGenerator* g, SetKind kind, thAvoidSelf* self)
{
    *self = (thAvoidSelf){.velocity = drawVec(g, kind, 1.5f),
                          .wanted = drawVec(g, kind, 1.5f),
                          .radius = 0.25f,
                          .maxSpeed = 2.0f};
    if (kind == set_lattice)
        self->maxSpeed = drawQuarters(g, 1, 10);
    if (kind != set_extremes)
        return;
    static const float speeds[] = {0.0f, 0.01f, 2.0f, 100.0f};
    self->radius = drawU32(g) % 2 == 0 ? 0.0f : drawUnit(g);
    self->maxSpeed = pick(g, speeds, 4);
    if (drawU32(g) % 4 == 0)
        self->wanted = (thVec2){0.0f, 0.0f};
    if (drawU32(g) % 4 == 0)
        self->velocity = (thVec2){0.0f, 0.0f};
}

static thAvoidNeighbor drawNeighbor(thGenerator* g, SetKind kind)
{
    static const float shares[] = {0.0f, 0.5f, 1.0f};
    thAvoidNeighbor n = {.position = drawVec(g, kind, kind == set_crowd ? 0.8f : 4.0f),
                         .velocity = drawVec(g, kind, 1.5f),
                         .radius = 0.25f,
                         .share = 0.5f};
    if (kind == set_lattice) {
        // Sums of radii that legs of whole-number triangles meet: 0.5, 1.25 (0.75, 1).
        n.radius = drawU32(g) % 2 == 0 ? 0.25f : 1.0f;
        n.share = pick(g, shares, 3);
    } else if (kind == set_coincident && drawU32(g) % 2 == 0) {
        const float spread = drawU32(g) % 2 == 0 ? 0.0f : 0.001f;
        n.position = (thVec2){spread * n.position.x, spread * n.position.y};
    } else if (kind == set_extremes) {
        n.radius = drawU32(g) % 2 == 0 ? 0.0f : 2.0f * drawUnit(g);
        n.share = drawU32(g) % 2 == 0 ? pick(g, shares, 3) : drawUnit(g);
    } else if (drawU32(g) % 4 == 0) {
        n.share = drawUnit(g);
    }
    return n;
}

static thAvoidWall drawWall(thGenerator* g, SetKind kind)
{
    thAvoidWall w = {.a = drawVec(g, kind, kind == set_crowd ? 1.0f : 3.0f)};
    const thVec2 span = drawVec(g, kind, 3.0f);
    w.b = (thVec2){w.a.x + span.x, w.a.y + span.y};
    if (drawU32(g) % 3 == 0) { // moves, and is a disc or has thickness
        w.velocity = drawVec(g, kind, 1.0f);
        w.radius = kind == set_lattice ? 0.25f : 0.5f * drawUnit(g);
        if (drawU32(g) % 2 == 0)
            w.b = w.a;
    }
    return w;
}

// Some of the entries become copies of the first, or its mirror image in velocity.
static void copySome(thGenerator* g, OrcaSet* set)
{
    for (int32_t i = 1; i < set->neighborCount; ++i) {
        const uint32_t choice = drawU32(g) % 4;
        if (choice == 0)
            continue;
        set->neighbors[i] = set->neighbors[0];
        if (choice == 2)
            set->neighbors[i].position =
                (thVec2){-set->neighbors[0].position.x, -set->neighbors[0].position.y};
        if (choice == 3) { // a line that is nearly the same
            static const float steps[] = {1e-7f, 1e-6f, 1e-5f, 1e-4f, 1e-3f};
            set->neighbors[i].position.x += pick(g, steps, 5) * drawUnit(g);
        }
    }
    for (int32_t i = 1; i < set->wallCount; ++i) {
        set->walls[i] = set->walls[0];
        if (drawU32(g) % 2 == 0) {
            set->walls[i].a = set->walls[0].b;
            set->walls[i].b = set->walls[0].a;
        }
    }
}

// Walls whose half-planes have much in common: the same border, or one point of it.
static void drawPieces(thGenerator* g, OrcaSet* set)
{
    const thVec2 at = drawVec(g, set_plain, 2.0f), span = drawVec(g, set_plain, 2.0f);
    const thVec2 velocity = drawVec(g, set_plain, 1.0f);
    const float turn = drawFloat(g, -3.0f, 3.0f), c = cosf(turn), s = sinf(turn);
    const bool isBox = drawU32(g) % 2 == 0;
    static const float corners[5][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
    thVec2 points[5];
    for (int32_t i = 0; i < 5; ++i) {
        const float x = corners[i][0] * span.x, y = corners[i][1] * span.y;
        points[i] = isBox ? (thVec2){at.x + c * x - s * y, at.y + s * x + c * y}
                          : (thVec2){at.x + (float)i * span.x, at.y + (float)i * span.y};
    }
    set->wallCount = isBox ? 4 : drawInt(g, 2, 4);
    for (int32_t i = 0; i < set->wallCount; ++i)
        set->walls[i] = (thAvoidWall){.a = points[i],
                                      .b = points[i + 1],
                                      .velocity = isBox ? velocity : (thVec2){0.0f, 0.0f}};
}

void drawSet(thGenerator* g, SetKind kind, int32_t size, OrcaSet* set)
{
    memset(set, 0, sizeof *set);
    const int32_t most = size < SET_NEIGHBORS ? size : SET_NEIGHBORS;
    set->neighborCount = drawInt(g, 0, most);
    // Walls alone often leave nothing, and then neighbours are not looked at.
    set->wallCount = drawU32(g) % 2 == 0 ? 0 : drawInt(g, 0, most < 4 ? most : 4);
    drawDef(g, kind, set);
    drawSelf(g, kind, &set->self);
    for (int32_t i = 0; i < set->neighborCount; ++i)
        set->neighbors[i] = drawNeighbor(g, kind);
    for (int32_t i = 0; i < set->wallCount; ++i)
        set->walls[i] = drawWall(g, kind);
    if (kind == set_copies)
        copySome(g, set);
    if (kind == set_pieces)
        drawPieces(g, set);
}

thResult solveSet(const OrcaSet* set, thVec2* velocity, thOrcaStatus* status)
{
    return thOrca_Solve(&set->def, set->dt, &set->self, set->neighbors, set->neighborCount,
                        set->walls, set->wallCount, velocity, status);
}

static void printVec(const char* name, thVec2 v)
{
    print_message(".%s = {%a, %a}, ", name, (double)v.x, (double)v.y);
}

void printSet(const OrcaSet* set)
{
    print_message("def: horizon %a, wall %a, separation %a, bias %a, dt %a\n",
                  (double)set->def.timeHorizon, (double)set->def.wallHorizon,
                  (double)set->def.separationTime, (double)set->def.sideBias, (double)set->dt);
    print_message("self: ");
    printVec("velocity", set->self.velocity);
    printVec("wanted", set->self.wanted);
    print_message(".radius = %a, .maxSpeed = %a, .maxAccel = %a\n", (double)set->self.radius,
                  (double)set->self.maxSpeed, (double)set->self.maxAccel);
    for (int32_t i = 0; i < set->neighborCount; ++i) {
        const thAvoidNeighbor* n = &set->neighbors[i];
        print_message("neighbor: ");
        printVec("position", n->position);
        printVec("velocity", n->velocity);
        print_message(".radius = %a, .share = %a\n", (double)n->radius, (double)n->share);
    }
    for (int32_t i = 0; i < set->wallCount; ++i) {
        const thAvoidWall* w = &set->walls[i];
        print_message("wall: ");
        printVec("a", w->a);
        printVec("b", w->b);
        printVec("velocity", w->velocity);
        print_message(".radius = %a\n", (double)w->radius);
    }
}

static void putNeighbor(SetColumns* c, int32_t at, const thAvoidNeighbor* n, int32_t row)
{
    c->nx[at] = n->position.x;
    c->ny[at] = n->position.y;
    c->nvx[at] = n->velocity.x;
    c->nvy[at] = n->velocity.y;
    c->nradius[at] = n->radius;
    c->nshare[at] = n->share;
    c->nrow[at] = row;
}

static void putWall(SetColumns* c, int32_t at, const thAvoidWall* w)
{
    c->ax[at] = w->a.x;
    c->ay[at] = w->a.y;
    c->bx[at] = w->b.x;
    c->by[at] = w->b.y;
    c->wvx[at] = w->velocity.x;
    c->wvy[at] = w->velocity.y;
    c->wradius[at] = w->radius;
}

static int32_t mostOf(const int32_t* counts, int32_t lanes)
{
    int32_t most = 0;
    for (int32_t i = 0; i < lanes; ++i)
        most = counts[i] > most ? counts[i] : most;
    return most;
}

void layOutSets(thGenerator* g, const OrcaSet* sets, int32_t lanes, SetColumns* c)
{
    for (int32_t at = 0; at < SET_NEIGHBORS * SET_LANES; ++at) {
        const float x = drawSpecialFloat(g);
        const thAvoidNeighbor spoilt = {
            .position = {x, x}, .velocity = {x, x}, .radius = x, .share = x};
        putNeighbor(c, at, &spoilt, 0);
    }
    for (int32_t at = 0; at < SET_WALLS * SET_LANES; ++at) {
        const float x = drawSpecialFloat(g);
        putWall(c, at, &(thAvoidWall){{x, x}, {x, x}, {x, x}, x});
    }
    for (int32_t lane = 0; lane < lanes; ++lane) {
        const OrcaSet* set = &sets[lane];
        c->row[lane] = 0;
        c->neighborCount[lane] = set->neighborCount;
        c->wallCount[lane] = set->wallCount;
        c->vx[lane] = set->self.velocity.x;
        c->vy[lane] = set->self.velocity.y;
        c->radius[lane] = set->self.radius;
        c->maxSpeed[lane] = set->self.maxSpeed;
        c->maxAccel[lane] = set->self.maxAccel;
        c->guideX[lane] = set->self.wanted.x;
        c->guideY[lane] = set->self.wanted.y;
        for (int32_t k = 0; k < set->neighborCount; ++k)
            putNeighbor(c, k * lanes + lane, &set->neighbors[k], k + 1);
        for (int32_t k = 0; k < set->wallCount; ++k)
            putWall(c, k * lanes + lane, &set->walls[k]);
    }
    c->around = (thSurroundings){.lanes = lanes,
                                 .dt = sets[0].dt,
                                 .vx = c->vx,
                                 .vy = c->vy,
                                 .radius = c->radius,
                                 .maxSpeed = c->maxSpeed,
                                 .maxAccel = c->maxAccel,
                                 .guideX = c->guideX,
                                 .guideY = c->guideY,
                                 .row = c->row,
                                 .neighborMax = mostOf(c->neighborCount, lanes),
                                 .neighborCount = c->neighborCount,
                                 .nx = c->nx,
                                 .ny = c->ny,
                                 .nvx = c->nvx,
                                 .nvy = c->nvy,
                                 .nradius = c->nradius,
                                 .nshare = c->nshare,
                                 .nrow = c->nrow,
                                 .wallMax = mostOf(c->wallCount, lanes),
                                 .wallCount = c->wallCount,
                                 .ax = c->ax,
                                 .ay = c->ay,
                                 .bx = c->bx,
                                 .by = c->by,
                                 .wvx = c->wvx,
                                 .wvy = c->wvy,
                                 .wradius = c->wradius,
                                 .outVx = c->outVx,
                                 .outVy = c->outVy,
                                 .status = c->status};
}
