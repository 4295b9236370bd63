// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `social-force`: forces against the derivatives of their potentials, which dual numbers
// give; every kernel against the call for one agent, to the bit; what forces promise of distances,
// directions, walls and sides; and what the method says about itself.

#include "avoid/avoid_world.h"
#include "avoid/orca/orca_sets.h"
#include "avoid/social_force/social_force.h"
#include "base/float_math.h"
#include "gear/property.h"
#include "throng/explain.h"
#include "throng/world.h"

#include <math.h>
#include <stdlib.h>

// An agent that is asked, of which sets of orca have all but the parameters.
typedef struct Sight {
    thSocialForceDef def;
    OrcaSet set;
} Sight;

static thVec2 solve(const Sight* sight, thSocialForceState* state, thSocialForceStatus* status)
{
    const OrcaSet* set = &sight->set;
    thVec2 velocity;
    assert_int_equal(thSocialForce_Solve(&sight->def, set->dt, &set->self, set->neighbors,
                                         set->neighborCount, set->walls, set->wallCount, state,
                                         &velocity, status),
                     th_resultOk);
    return velocity;
}

// Somebody who stands, wants nothing, bends for nobody, and feels all the same from everywhere.
static Sight makeStill(int32_t forces)
{
    Sight sight = {.def = thDefaultSocialForceDef(),
                   .set = {.dt = 0.002f, .self = {.radius = 0.25f, .maxSpeed = 1000.0f}}};
    sight.def.set = forces;
    sight.def.keep = th_keepNone;
    sight.def.behind = 1.0f;
    sight.def.most = 10000.0f;
    return sight;
}

// The acceleration that it has at once.
static thVec2 accelerationOf(const Sight* sight)
{
    thSocialForceStatus status;
    const thVec2 v = solve(sight, NULL, &status), before = sight->set.self.velocity;
    const float relaxation = sight->def.relaxation > 0.0f ? sight->def.relaxation : 0.5f;
    const float factor = 1.0f / sight->set.dt + 1.0f / relaxation; // of the implicit way
    const float drive = 1.0f / relaxation;
    return (thVec2){factor * (v.x - before.x) + drive * (before.x - sight->set.self.wanted.x),
                    factor * (v.y - before.y) + drive * (before.y - sight->set.self.wanted.y)};
}

// --- Potentials in dual numbers: a value and its derivatives by x and y of the agent ---

typedef struct Dual {
    double v, x, y;
} Dual;

static Dual plus(Dual a, Dual b)
{
    return (Dual){a.v + b.v, a.x + b.x, a.y + b.y};
}

static Dual times(Dual a, Dual b)
{
    return (Dual){a.v * b.v, a.v * b.x + a.x * b.v, a.v * b.y + a.y * b.v};
}

static Dual number(double v)
{
    return (Dual){v, 0.0, 0.0};
}

static Dual rootOf(Dual a)
{
    const double root = sqrt(a.v);
    return (Dual){root, 0.5 * a.x / root, 0.5 * a.y / root};
}

static Dual expOf(Dual a)
{
    const double e = exp(a.v);
    return (Dual){e, e * a.x, e * a.y};
}

// The distance of the agent, who stands at the origin, from a place.
static Dual distanceFrom(double x, double y)
{
    const Dual dx = {-x, 1.0, 0.0}, dy = {-y, 0.0, 1.0};
    return rootOf(plus(times(dx, dx), times(dy, dy)));
}

// A B exp((both − d) / B), and what bodies that overlap have.
static Dual circlePotential(const thForceModel* m, double x, double y, double both)
{
    const Dual d = distanceFrom(x, y);
    const Dual exponent = times(number(-1.0 / (double)m->range), plus(d, number(-both)));
    Dual sum = times(number((double)m->strength * (double)m->range), expOf(exponent));
    if (d.v < both) {
        const Dual depth = plus(number(both), times(number(-1.0), d));
        sum = plus(sum, times(number(0.5 * (double)m->body), times(depth, depth)));
    }
    return sum;
}

// Half the lesser axis of the ellipse: 2b = √((d + d')² − |stride|²), d' the distance from where
// the other one will be.
static Dual axisOf(double x, double y, double sx, double sy)
{
    const Dual sum = plus(distanceFrom(x, y), distanceFrom(x + sx, y + sy));
    return times(number(0.5), rootOf(plus(times(sum, sum), number(-sx * sx - sy * sy))));
}

// A B exp(−b / B).
static Dual ellipsePotential(const thForceModel* m, double x, double y, double sx, double sy)
{
    const Dual axis = axisOf(x, y, sx, sy);
    const Dual e = expOf(times(number(-1.0 / (double)m->range), axis));
    return times(number((double)m->strength * (double)m->range), e);
}

// The same numbers as the method's own table has.
static thForceModel modelOf(int32_t set)
{
    switch (set) {
    case th_socialForce1995:
        return (thForceModel){.strength = 7.0f, .range = 0.3f, .stride = 2.0f};
    case th_socialForce2000:
        return (thForceModel){.strength = 25.0f, .range = 0.08f, .body = 1500.0f};
    case th_socialForce2007:
        return (thForceModel){.strength = 0.11f, .range = 1.19f, .stride = 0.5f};
    default:
        return (thForceModel){.strength = 4.0f, .range = 0.25f};
    }
}

static bool isGradient(thGenerator* g, int32_t size, void* context)
{
    (void)size;
    (void)context;
    const int32_t set = drawInt(g, th_socialForceDefault, th_socialForce2007);
    const thForceModel model = modelOf(set);
    Sight sight = makeStill(set);
    thAvoidNeighbor* n = &sight.set.neighbors[0];
    sight.set.neighborCount = 1;
    const float angle = drawFloat(g, -TH_PI, TH_PI), far = drawFloat(g, 0.3f, 1.2f);
    *n = (thAvoidNeighbor){.position = {far * cosf(angle), far * sinf(angle)},
                           .velocity = {drawFloat(g, -1.0f, 1.0f), drawFloat(g, -1.0f, 1.0f)},
                           .radius = 0.2f,
                           .share = 0.5f};
    sight.def.friction = 0.0f;
    const double x = (double)n->position.x, y = (double)n->position.y;
    Dual potential;
    if (set == th_socialForceDefault || set == th_socialForce2000) {
        potential = circlePotential(&model, x, y, 0.45);
    } else { // who stands sees of both speeds that of the other one
        const double sx = (double)(model.stride * n->velocity.x);
        const double sy = (double)(model.stride * n->velocity.y);
        if (axisOf(x, y, sx, sy).v < 0.02)
            return true; // ellipses are not thinner than that
        potential = ellipsePotential(&model, x, y, sx, sy);
    }
    if (hypot(potential.x, potential.y) < 0.01 * (double)model.strength)
        return true; // beyond five ranges nothing is felt
    // Where the force is, in the middle of the step, is not quite where it began.
    const thVec2 a = accelerationOf(&sight);
    const double off = hypot((double)a.x + potential.x, (double)a.y + potential.y);
    if (getenv("THRONG_PROPERTY") != NULL)
        print_message("set %d: (%g, %g), by the potential (%g, %g)\n", set, (double)a.x,
                      (double)a.y, -potential.x, -potential.y);
    return off < 0.03 * hypot(potential.x, potential.y) + 0.02;
}

static void testPotentials(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "social-force-gradients",
                                 .seed = 1,
                                 .caseCount = caseCount(3000, 300000),
                                 .maxSize = 1,
                                 .holds = isGradient});
}

// --- Kernels ---

enum { lanes = 32 };

static thSocialForceFcn* const kernels[th_simdCount] = TH_KERNEL_TABLE(thiSocialForce);

// A model, from what the call for one agent makes of a definition: by trying both.
static void drawDef(thGenerator* g, thSocialForceDef* def)
{
    *def = thDefaultSocialForceDef();
    def->set = drawInt(g, th_socialForceDefault, th_socialForce2007);
    def->keep = drawInt(g, th_keepRight, th_keepNone);
    if (drawU32(g) % 2 == 0) {
        def->range = drawFloat(g, 0.0f, 1.0f);
        def->strength = drawFloat(g, 0.0f, 30.0f);
        def->attraction = drawFloat(g, 0.0f, 1.0f);
        def->body = drawFloat(g, 0.0f, 2000.0f);
        def->friction = drawFloat(g, 0.0f, 4000.0f);
    }
}

static bool isTheSame(thGenerator* g, int32_t size, void* context)
{
    static OrcaSet sets[SET_LANES];
    static SetColumns columns;
    static int32_t isFellow[SET_NEIGHBORS * SET_LANES];
    static float room[4][SET_WALLS * TH_MAX_WIDTH];
    float firstX[lanes], firstY[lanes], endX[lanes], endY[lanes];
    thSocialForceState before[lanes];
    (void)context;
    thSocialForceDef def;
    drawDef(g, &def);
    for (int32_t lane = 0; lane < lanes; ++lane) {
        drawSet(g, (SetKind)(drawU32(g) % set_kindCount), size, &sets[lane]);
        sets[lane].dt = sets[0].dt;
        for (int32_t k = 0; k < sets[lane].neighborCount; ++k)
            sets[lane].neighbors[k].isFellow = (int32_t)(drawU32(g) % 2);
        const thVec2 last = {drawFloat(g, -1.0f, 1.0f), drawFloat(g, -1.0f, 1.0f)};
        before[lane] = (thSocialForceState){.last = last, .mean = {0.5f * last.x, 0.0f}};
    }
    layOutSets(g, sets, lanes, &columns);
    for (int32_t lane = 0; lane < lanes; ++lane) {
        const thVec2 v = sets[lane].self.velocity;
        firstX[lane] = before[lane].last.x + (v.x - before[lane].mean.x);
        firstY[lane] = before[lane].last.y + (v.y - before[lane].mean.y);
        for (int32_t k = 0; k < sets[lane].neighborCount; ++k)
            isFellow[k * lanes + lane] = sets[lane].neighbors[k].isFellow;
    }
    for (int32_t simd = 0; simd < th_simdCount; ++simd) {
        if (kernels[simd] == NULL || !thSimd_IsAvailable((thSimd)simd))
            continue;
        kernels[simd](&(thSocialForceTask){.around = columns.around,
                                           .model = thiSocialForceModel(&def, false),
                                           .isFellow = isFellow,
                                           .firstX = firstX,
                                           .firstY = firstY,
                                           .endX = endX,
                                           .endY = endY,
                                           .wallX = room[0],
                                           .wallY = room[1],
                                           .wallNear = room[2],
                                           .wallFelt = room[3]});
        for (int32_t lane = 0; lane < lanes; ++lane) {
            const Sight one = {def, sets[lane]};
            thSocialForceState after = before[lane];
            thSocialForceStatus status;
            const thVec2 right = solve(&one, &after, &status);
            if (!sameBits(right.x, columns.outVx[lane]) ||
                !sameBits(right.y, columns.outVy[lane]) || !sameBits(after.last.x, endX[lane]) ||
                !sameBits(after.last.y, endY[lane]) || columns.status[lane] != (uint8_t)status)
                return false;
        }
    }
    return true;
}

static void testLanes(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "social-force-lanes",
                                 .seed = 2,
                                 .caseCount = caseCount(300, 20000),
                                 .maxSize = SET_NEIGHBORS,
                                 .holds = isTheSame});
}

// --- What forces promise ---

static float pushAt(Sight* sight, thVec2 from)
{
    sight->set.neighborCount = 1;
    sight->set.neighbors[0] = (thAvoidNeighbor){.position = from, .radius = 0.25f, .share = 0.5f};
    const thVec2 a = accelerationOf(sight);
    return hypotf(a.x, a.y);
}

static void testDistancesAndDirections(void** state)
{
    (void)state;
    for (int32_t set = th_socialForceDefault; set <= th_socialForce2007; ++set) {
        Sight sight = makeStill(set);
        float before = INFINITY;
        for (float d = 0.55f; d < 1.4f; d += 0.05f) { // it falls with distance, all round alike
            const float push = pushAt(&sight, (thVec2){d, 0.0f});
            assert_true(push <= before);
            assert_near((double)pushAt(&sight, (thVec2){0.0f, -d}), (double)push,
                        1e-2 + 1e-2 * (double)push);
            before = push;
        }
        // Ahead all is felt, behind the share that is asked for.
        sight.def.behind = 0.25f;
        sight.set.self.wanted = (thVec2){0.001f, 0.0f};
        const float ahead = pushAt(&sight, (thVec2){0.6f, 0.0f});
        assert_near((double)(pushAt(&sight, (thVec2){-0.6f, 0.0f}) / ahead), 0.25, 0.02);
        if (set != th_socialForce1995)
            assert_near((double)(pushAt(&sight, (thVec2){0.0f, 0.6f}) / ahead), 0.625, 0.02);
    }
}

// Fellows attract each other alike; who is touched does not attract.
static void testFellows(void** state)
{
    (void)state;
    Sight sight = makeStill(th_socialForceDefault);
    sight.def.strength = 0.0f;
    sight.def.attraction = 0.4f;
    sight.set.neighborCount = 1;
    for (float x = -3.5f; x <= 3.5f; x += 0.1f) {
        sight.set.neighbors[0] =
            (thAvoidNeighbor){.position = {x, 0.0f}, .radius = 0.25f, .isFellow = 1};
        const thVec2 a = accelerationOf(&sight);
        const bool isDrawn = fabsf(x) > 0.51f && fabsf(x) < 2.99f;
        if (isDrawn)
            assert_near((double)a.x, x > 0.0f ? 0.4 : -0.4, 1e-3);
        else if (fabsf(x) < 0.49f || fabsf(x) > 3.01f)
            assert_near((double)a.x, 0.0, 1e-3);
    }
}

// A wall in pieces is as one, a corner has two, and both sides of a corridor cancel each other out.
static void testWalls(void** state)
{
    (void)state;
    Sight sight = makeStill(th_socialForceDefault);
    sight.set.wallCount = 1;
    sight.set.walls[0] = (thAvoidWall){.a = {-5.0f, -0.35f}, .b = {5.0f, -0.35f}};
    const thVec2 whole = accelerationOf(&sight);
    assert_near((double)whole.y, 5.0 * exp(-1.0), 0.03);
    for (float cut = -0.5f; cut <= 0.5f; cut += 0.05f) {
        sight.set.wallCount = 2;
        sight.set.walls[0].b.x = cut;
        sight.set.walls[1] = (thAvoidWall){.a = {cut, -0.35f}, .b = {5.0f, -0.35f}};
        const thVec2 cutUp = accelerationOf(&sight);
        assert_true(cutUp.y > 0.8f * whole.y && cutUp.y < 1.02f * whole.y);
        assert_true(fabsf(cutUp.x) < 0.1f * whole.y);
    }
    sight.set.walls[0].b.x = 5.0f;
    sight.set.walls[1] = (thAvoidWall){.a = {-0.35f, -5.0f}, .b = {-0.35f, 5.0f}};
    const thVec2 corner = accelerationOf(&sight);
    assert_near((double)corner.x, (double)whole.y, 0.02);
    assert_near((double)corner.y, (double)whole.y, 0.02);
    sight.set.walls[1] = (thAvoidWall){.a = {-5.0f, 0.35f}, .b = {5.0f, 0.35f}};
    assert_near((double)accelerationOf(&sight).y, 0.0, 1e-4);
}

// Cars are felt more in front of them.
static void testMovers(void** state)
{
    (void)state;
    Sight sight = makeStill(th_socialForceDefault);
    sight.def.moverBehind = 0.2f;
    sight.set.wallCount = 1;
    thAvoidWall* car = &sight.set.walls[0];
    *car = (thAvoidWall){.a = {-1.0f, 0.0f}, .b = {-1.0f, 0.0f}, .radius = 0.6f};
    const float still = accelerationOf(&sight).x;
    car->velocity = (thVec2){0.01f, 0.0f};
    assert_near((double)(accelerationOf(&sight).x / still), 1.0, 1e-2);
    car->velocity = (thVec2){-0.01f, 0.0f};
    assert_near((double)(accelerationOf(&sight).x / still), 0.2, 1e-2);
    car->velocity = (thVec2){0.0f, 0.01f};
    assert_near((double)(accelerationOf(&sight).x / still), 0.6, 1e-2);
}

// Nothing leads into walls that are touched; along them nothing is lost.
static bool leavesWalls(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Sight sight;
    sight.def = thDefaultSocialForceDef();
    drawSet(g, set_plain, size, &sight.set);
    OrcaSet* set = &sight.set;
    const float angle = drawFloat(g, -TH_PI, TH_PI);
    const thVec2 n = {cosf(angle), sinf(angle)}, along = {-n.y, n.x};
    set->wallCount = 1;
    set->walls[0] =
        (thAvoidWall){.a = {-0.2f * n.x - 5.0f * along.x, -0.2f * n.y - 5.0f * along.y},
                      .b = {-0.2f * n.x + 5.0f * along.x, -0.2f * n.y + 5.0f * along.y}};
    set->self.radius = 0.25f;
    thSocialForceStatus status;
    const thVec2 v = solve(&sight, NULL, &status);
    if (v.x * n.x + v.y * n.y < -1e-4f || status != th_socialForceTouches)
        return false;
    set->neighborCount = 0; // alone, along the wall as if there were none
    set->self.velocity = set->self.wanted = (thVec2){1.2f * along.x, 1.2f * along.y};
    sight.def.wallStrength = 0.0f;
    const thVec2 slides = solve(&sight, NULL, &status);
    return hypotf(slides.x - 1.2f * along.x, slides.y - 1.2f * along.y) < 1e-3f;
}

static void testContacts(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "social-force-walls",
                                 .seed = 3,
                                 .caseCount = caseCount(1000, 50000),
                                 .maxSize = SET_NEIGHBORS,
                                 .holds = leavesWalls});
    // Between walls that come together there is no way.
    Sight sight = makeStill(th_socialForceDefault);
    sight.set.self.wanted = sight.set.self.velocity = (thVec2){0.0f, 1.0f};
    sight.set.wallCount = 2;
    sight.set.walls[0] =
        (thAvoidWall){.a = {-0.2f, -5.0f}, .b = {-0.2f, 5.0f}, .velocity = {0.1f, 0.0f}};
    sight.set.walls[1] =
        (thAvoidWall){.a = {0.2f, -5.0f}, .b = {0.2f, 5.0f}, .velocity = {-0.1f, 0.0f}};
    thSocialForceStatus status;
    const thVec2 v = solve(&sight, NULL, &status);
    assert_true(v.x == 0.0f && v.y == 0.0f);
}

static thVec2 mirrored(thVec2 v)
{
    return (thVec2){v.x, -v.y};
}

static thVec2 turned(thVec2 v)
{
    return (thVec2){-v.y, v.x};
}

// What a mirror (with the other side kept) or a quarter turn does to what is seen, it does to the
// velocity.
static bool followsFrames(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Sight sight;
    drawDef(g, &sight.def);
    sight.def.body = sight.def.friction = 0.0f; // deep bodies throw people about
    drawSet(g, set_plain, size, &sight.set);
    thSocialForceStatus status;
    const thVec2 v = solve(&sight, NULL, &status);
    for (int32_t kind = 0; kind < 2; ++kind) {
        thVec2 (*map)(thVec2) = kind == 0 ? mirrored : turned;
        Sight other = sight;
        OrcaSet* set = &other.set;
        if (kind == 0 && other.def.keep != th_keepNone)
            other.def.keep = other.def.keep == th_keepRight ? th_keepLeft : th_keepRight;
        set->self.velocity = map(set->self.velocity);
        set->self.wanted = map(set->self.wanted);
        for (int32_t i = 0; i < set->neighborCount; ++i) {
            set->neighbors[i].position = map(set->neighbors[i].position);
            set->neighbors[i].velocity = map(set->neighbors[i].velocity);
        }
        for (int32_t i = 0; i < set->wallCount; ++i) {
            set->walls[i].a = map(set->walls[i].a);
            set->walls[i].b = map(set->walls[i].b);
            set->walls[i].velocity = map(set->walls[i].velocity);
        }
        const thVec2 found = solve(&other, NULL, &status), right = map(v);
        if (hypotf(found.x - right.x, found.y - right.y) > 1e-3f)
            return false;
    }
    return true;
}

static bool keepsLimits(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    Sight sight;
    drawDef(g, &sight.def);
    drawSet(g, (SetKind)(drawU32(g) % set_kindCount), size, &sight.set);
    const thAvoidSelf* self = &sight.set.self;
    thSocialForceState state = {{0.0f, 0.0f}, {1.0f, 0.0f}, {0.5f, 0.0f}};
    thSocialForceStatus status;
    const thVec2 v = solve(&sight, &state, &status);
    return hypot((double)v.x, (double)v.y) <= (double)self->maxSpeed * (1.0 + 1e-5) &&
           hypot((double)state.last.x, (double)state.last.y) <=
               (double)self->maxSpeed * (1.0 + 1e-5) &&
           state.mean.x == v.x && state.mean.y == v.y;
}

static void testProperties(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "social-force-frames",
                                 .seed = 4,
                                 .caseCount = caseCount(1000, 50000),
                                 .maxSize = SET_NEIGHBORS,
                                 .holds = followsFrames});
    assertProperty(&(thProperty){.name = "social-force-limits",
                                 .seed = 5,
                                 .caseCount = caseCount(1000, 50000),
                                 .maxSize = SET_NEIGHBORS,
                                 .holds = keepsLimits});
}

// --- Two who meet, by the call for one agent ---

typedef struct Walker {
    thVec2 position, velocity, wanted;
    thSocialForceState state;
} Walker;

static void walk(const thSocialForceDef* def, float dt, Walker* walkers, float* nearest)
{
    thVec2 chosen[2];
    for (int32_t i = 0; i < 2; ++i) {
        Walker *own = &walkers[i], *other = &walkers[1 - i];
        Sight sight = {.def = *def,
                       .set = {.dt = dt,
                               .self = {.velocity = own->velocity,
                                        .wanted = own->wanted,
                                        .radius = 0.25f,
                                        .maxSpeed = 1.75f},
                               .neighborCount = 1}};
        sight.set.neighbors[0] = (thAvoidNeighbor){
            .position = {other->position.x - own->position.x, other->position.y - own->position.y},
            .velocity = other->velocity,
            .radius = 0.25f,
            .share = 0.5f};
        thSocialForceStatus status;
        chosen[i] = solve(&sight, &own->state, &status);
    }
    for (int32_t i = 0; i < 2; ++i) {
        walkers[i].velocity = chosen[i];
        walkers[i].position.x += dt * chosen[i].x;
        walkers[i].position.y += dt * chosen[i].y;
    }
    const thVec2 a = walkers[0].position, b = walkers[1].position;
    *nearest = fminf(*nearest, hypotf(a.x - b.x, a.y - b.y));
}

// Two meet head-on: how far the first has gone aside when they pass.
static float meet(const thSocialForceDef* def, float dt, float offset, float* nearest)
{
    Walker walkers[2] = {
        {.position = {-4.0f, 0.0f}, .velocity = {1.3f, 0.0f}, .wanted = {1.3f, 0.0f}},
        {.position = {4.0f, offset}, .velocity = {-1.3f, 0.0f}, .wanted = {-1.3f, 0.0f}}};
    *nearest = INFINITY;
    for (float t = 0.0f; t < 8.0f && walkers[0].position.x < walkers[1].position.x; t += dt)
        walk(def, dt, walkers, nearest);
    return walkers[0].position.y - walkers[1].position.y;
}

static void testSides(void** state)
{
    (void)state;
    thSocialForceDef def = thDefaultSocialForceDef();
    float nearest;
    for (float offset = -0.1f; offset <= 0.1f; offset += 0.1f) {
        def.keep = th_keepRight; // who goes along +x passes below
        assert_true(meet(&def, 0.1f, offset, &nearest) < -0.4f && nearest > 0.45f);
        def.keep = th_keepLeft;
        assert_true(meet(&def, 0.1f, offset, &nearest) > 0.4f && nearest > 0.45f);
    }
}

// Steps of 0.1 s are about as good as short ones, with forces of 8 cm too.
static void testParts(void** state)
{
    (void)state;
    for (int32_t set = th_socialForceDefault; set <= th_socialForce2007; ++set) {
        thSocialForceDef def = thDefaultSocialForceDef();
        def.set = set;
        float coarse, fine;
        const float aside = meet(&def, 0.1f, 0.05f, &coarse);
        const float right = meet(&def, 0.005f, 0.05f, &fine);
        assert_near((double)aside, (double)right, 0.12);
        assert_near((double)coarse, (double)fine, 0.08);
    }
}

// Who is slow gets through a door that it fits through, although both posts push back.
static void testDoors(void** state)
{
    (void)state;
    for (float slack = 0.1f; slack < 1.0f; slack += 0.1f) {
        const float half = 0.2f + 0.5f * slack;
        Sight sight = {.def = thDefaultSocialForceDef(),
                       .set = {.dt = 0.1f,
                               .self = {.wanted = {0.5f, 0.0f}, .radius = 0.2f, .maxSpeed = 0.65f},
                               .wallCount = 2}};
        thSocialForceState carried = {0};
        float x = -2.0f;
        for (int32_t step = 0; step < 100; ++step) {
            sight.set.walls[0] = (thAvoidWall){.a = {-x, half}, .b = {-x, 5.0f}};
            sight.set.walls[1] = (thAvoidWall){.a = {-x, -half}, .b = {-x, -5.0f}};
            thSocialForceStatus status;
            sight.set.self.velocity = solve(&sight, &carried, &status);
            x += 0.1f * sight.set.self.velocity.x;
        }
        assert_true(x > 1.0f);
    }
}

// Two on one point who go the same way part, whatever the set.
static void testOnePoint(void** state)
{
    (void)state;
    for (int32_t set = th_socialForceDefault; set <= th_socialForce2007; ++set) {
        Sight sight = makeStill(set);
        sight.set.neighborCount = 1;
        sight.set.neighbors[0] = (thAvoidNeighbor){.radius = 0.25f};
        assert_true(accelerationOf(&sight).x < -0.01f); // the lower row to the left
    }
}

static void testRefusals(void** state)
{
    (void)state;
    Sight sight = makeStill(th_socialForceDefault);
    thVec2 v;
    thSocialForceStatus status;
    thSocialForceState bad = {.last = {NAN, 0.0f}};
    const OrcaSet* set = &sight.set;
    assert_int_equal(
        thSocialForce_Solve(&sight.def, 0.1f, &set->self, NULL, 0, NULL, 0, &bad, &v, &status),
        th_resultBadArgument);
    assert_int_equal(
        thSocialForce_Solve(&sight.def, 0.1f, &set->self, NULL, 1, NULL, 0, NULL, &v, &status),
        th_resultBadArgument);
    sight.def.set = 4;
    assert_int_equal(
        thSocialForce_Solve(&sight.def, 0.1f, &set->self, NULL, 0, NULL, 0, NULL, &v, &status),
        th_resultBadArgument);
}

// --- In a world ---

// Arrows are what accelerates: with the drive they sum up to what the first part does.
static void testExplanation(void** state)
{
    (void)state;
    thWorldDef worldDef = thDefaultWorldDef();
    thWorld* world;
    assert_int_equal(thCreateWorld(&worldDef, &world), th_resultOk);
    thSocialForceDef force = thDefaultSocialForceDef();
    force.most = 1000.0f;
    thProfileDef def = thDefaultProfileDef();
    def.avoid = (thMethodUse){"social-force", &force};
    thProfileId profile;
    assert_int_equal(thCreateProfile(world, &def, &profile, NULL), th_resultOk);
    thAgentId ids[3];
    for (int32_t i = 0; i < 3; ++i) {
        thAgentDef agent = thDefaultAgentDef();
        agent.profile = profile;
        agent.position = (thVec2){0.7f * (float)i, 0.2f * (float)i};
        assert_int_equal(
            thCreatePointGoal(world, (thVec2){i == 0 ? 20.0f : -20.0f, 0.0f}, &agent.goal),
            th_resultOk);
        assert_int_equal(thCreateAgent(world, &agent, &ids[i]), th_resultOk);
    }
    for (int32_t step = 0; step < 3; ++step)
        assert_int_equal(thWorld_Step(world, 0.01f), th_resultOk);
    thExplanation* explanation;
    assert_int_equal(thWorld_Explain(world, ids[0], 0.01f, &explanation), th_resultOk);
    const thExplanationView view = thExplanation_GetView(explanation);
    thVec2 sum = {0.0f, 0.0f};
    int32_t arrows = 0;
    for (int32_t i = 0; i < view.markCount; ++i) {
        const thMark* mark = &view.marks[i];
        if (mark->by != th_methodAvoid || mark->kind != th_markArrow)
            continue;
        sum.x += mark->points[1].x;
        sum.y += mark->points[1].y;
        arrows += 1;
    }
    assert_int_equal(arrows, 3); // the drive and two who push
    const float factor = 1.0f / 0.01f + 1.0f / 0.5f;
    assert_near((double)(factor * (view.avoided.x - view.current.x)), (double)sum.x, 0.05);
    assert_near((double)(factor * (view.avoided.y - view.current.y)), (double)sum.y, 0.05);
    thDestroyExplanation(explanation);
    thDestroyWorld(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testPotentials),
        cmocka_unit_test(testLanes),
        cmocka_unit_test(testDistancesAndDirections),
        cmocka_unit_test(testFellows),
        cmocka_unit_test(testWalls),
        cmocka_unit_test(testMovers),
        cmocka_unit_test(testContacts),
        cmocka_unit_test(testProperties),
        cmocka_unit_test(testSides),
        cmocka_unit_test(testParts),
        cmocka_unit_test(testDoors),
        cmocka_unit_test(testOnePoint),
        cmocka_unit_test(testRefusals),
        cmocka_unit_test(testExplanation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
