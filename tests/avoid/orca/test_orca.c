// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Method `orca` as a function of one agent, against an oracle in double. Also against the
// definition of its half-planes, and what must hold between answers.

#include "avoid/orca/orca.h"
#include "avoid/orca/orca_oracle.h"
#include "gear/gear.h"

#include <float.h>
#include <stdlib.h>

#define PI 3.14159265358979

static int32_t casesOf(int32_t fast, int32_t withLong)
{
    return getenv("THRONG_LONG") != NULL ? withLong : fast;
}

// Says what is wrong only where one case is replayed: the search for a small one fails often.
static bool report(const OrcaSet* set, const char* reason)
{
    if (getenv("THRONG_PROPERTY") != NULL) {
        print_message("%s\n", reason);
        printSet(set);
    }
    return false;
}

// The answer, which must be there, be finite and keep the limits.
static bool answers(const OrcaSet* set, thVec2* v, thOrcaStatus* status)
{
    if (solveSet(set, v, status) != th_resultOk)
        return report(set, "refused");
    if (!isfinite(v->x) || !isfinite(v->y))
        return report(set, "not finite");
    if ((int32_t)*status < 0 || *status > th_orcaInfeasible)
        return report(set, "no status");
    const double speed = hypot((double)v->x, (double)v->y);
    // The square of a speed below 1e-18 m/s is not a normal float.
    if (speed > (double)set->self.maxSpeed * (1.0 + 1e-6) + 1e-18)
        return report(set, "too fast");
    return true;
}

// The program.

static int64_t verdicts[4], statuses[4];

static bool matchesOracle(thGenerator* g, int32_t size, void* context)
{
    OrcaSet set;
    thVec2 v;
    thOrcaStatus status;
    const char* reason = "";
    drawSet(g, *(const SetKind*)context, size, &set);
    if (!answers(&set, &v, &status))
        return false;
    const Verdict verdict = judge(&set, v, status, &reason);
    ++verdicts[verdict];
    ++statuses[status];
    if (verdict == verdict_wrong) {
        report(&set, reason);
        if (getenv("THRONG_PROPERTY") != NULL)
            print_message("answer %.9g %.9g, status %d\n", (double)v.x, (double)v.y, (int)status);
        return false;
    }
    return true;
}

static void testOracle(void** state)
{
    (void)state;
    for (SetKind kind = 0; kind < set_kindCount; ++kind) {
        memset(verdicts, 0, sizeof verdicts);
        memset(statuses, 0, sizeof statuses);
        const int32_t caseCount = casesOf(4000, 170000);
        assertProperty(&(thProperty){.name = setKindNames[kind],
                                     .seed = 1,
                                     .caseCount = caseCount,
                                     .maxSize = 14,
                                     .holds = matchesOracle,
                                     .context = &kind});
        print_message("%s: %lld right, %lld borderline, %lld open; "
                      "free %lld, constrained %lld, relaxed %lld, infeasible %lld\n",
                      setKindNames[kind], (long long)verdicts[0], (long long)verdicts[1],
                      (long long)verdicts[2], (long long)statuses[0], (long long)statuses[1],
                      (long long)statuses[2], (long long)statuses[3]);
        if (getenv("THRONG_PROPERTY") != NULL)
            continue;
        // An oracle that does not speak proves nothing.
        if (kind != set_coincident)
            assert_true(verdicts[verdict_right] > caseCount * 3 / 5);
        assert_true(verdicts[verdict_open] < caseCount * 2 / 5);
    }
}

// A velocity that is free is taken to the bit.
static bool takesWanted(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    OrcaSet set;
    thVec2 v;
    thOrcaStatus status;
    drawSet(g, set_plain, size, &set);
    set.def.sideBias = 0.0f;
    set.self.maxSpeed = 3.0f;
    if (!answers(&set, &v, &status))
        return false;
    return status != th_orcaFree ||
           (sameBits(v.x, set.self.wanted.x) && sameBits(v.y, set.self.wanted.y)) ||
           report(&set, "free, and not the wanted velocity");
}

static void testIdentity(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "takes-wanted",
                                 .seed = 2,
                                 .caseCount = casesOf(5000, 200000),
                                 .maxSize = 6,
                                 .holds = takesWanted});
}

// Half-planes, as the kernel writes them.

// The half-plane of the set's only neighbour or wall, by the scalar kernel.
static Line kernelLine(const OrcaSet* set)
{
    const thAvoidNeighbor* n = &set->neighbors[0];
    const thAvoidWall* w = &set->walls[0];
    const int32_t row = 1, nrow = 2;
    float line[3] = {0.0f}, pack[3][2 * TH_MAX_WIDTH], out[2];
    uint8_t status;
    const thSurroundings around = {.lanes = 1,
                                   .dt = set->dt,
                                   .vx = &set->self.velocity.x,
                                   .vy = &set->self.velocity.y,
                                   .radius = &set->self.radius,
                                   .maxSpeed = &set->self.maxSpeed,
                                   .maxAccel = &set->self.maxAccel,
                                   .guideX = &set->self.wanted.x,
                                   .guideY = &set->self.wanted.y,
                                   .row = &row,
                                   .neighborMax = set->neighborCount,
                                   .neighborCount = &set->neighborCount,
                                   .nx = &n->position.x,
                                   .ny = &n->position.y,
                                   .nvx = &n->velocity.x,
                                   .nvy = &n->velocity.y,
                                   .nradius = &n->radius,
                                   .nshare = &n->share,
                                   .nrow = &nrow,
                                   .wallMax = set->wallCount,
                                   .wallCount = &set->wallCount,
                                   .ax = &w->a.x,
                                   .ay = &w->a.y,
                                   .bx = &w->b.x,
                                   .by = &w->b.y,
                                   .wvx = &w->velocity.x,
                                   .wvy = &w->velocity.y,
                                   .wradius = &w->radius,
                                   .outVx = &out[0],
                                   .outVy = &out[1],
                                   .status = &status};
    const thOrcaTask task = {.around = around,
                             .timeHorizon = set->def.timeHorizon,
                             .wallHorizon = set->def.wallHorizon,
                             .separationTime = set->def.separationTime,
                             .biasCosine = 1.0f,
                             .lineX = &line[0],
                             .lineY = &line[1],
                             .lineO = &line[2],
                             .packX = pack[0],
                             .packY = pack[1],
                             .packO = pack[2]};
    thiOrca_scalar(&task);
    return (Line){{(double)line[0], (double)line[1]}, (double)line[2], 0.0};
}

// A set of one neighbour that is not touched, with all of the change on the agent's side.
static OrcaSet drawPair(thGenerator* g)
{
    OrcaSet set;
    drawSet(g, set_plain, 0, &set);
    set.self.radius = drawFloat(g, 0.0f, 1.0f);
    set.neighborCount = 1;
    set.wallCount = 0;
    set.neighbors[0] = (thAvoidNeighbor){.radius = drawFloat(g, 0.05f, 1.0f), .share = 1.0f};
    const float reach = set.self.radius + set.neighbors[0].radius;
    const float distance = reach * (1.001f + 4.0f * drawUnit(g) * drawUnit(g));
    const float angle = drawFloat(g, -3.14f, 3.14f);
    set.neighbors[0].position = (thVec2){distance * cosf(angle), distance * sinf(angle)};
    set.neighbors[0].velocity = (thVec2){drawFloat(g, -1.5f, 1.5f), drawFloat(g, -1.5f, 1.5f)};
    return set;
}

// Is w in VO^tau: do they touch within the horizon?
static bool isForbidden(const OrcaSet* set, DVec w, double stretch)
{
    const thAvoidNeighbor* n = &set->neighbors[0];
    const double reach = (double)set->self.radius + (double)n->radius;
    return timeToCollision(asDouble(n->position), w, reach * stretch) <=
           (double)set->def.timeHorizon * (1.0 + 1e-6);
}

// No forbidden velocity on the allowed side.
static bool coversCone(const OrcaSet* set, Line line, thGenerator* g)
{
    const thAvoidNeighbor* n = &set->neighbors[0];
    const double reach = (double)set->self.radius + (double)n->radius;
    const DVec vb = asDouble(n->velocity), p = asDouble(n->position);
    for (int32_t i = 0; i < 200; ++i) {
        const double t = (double)set->def.timeHorizon * (1.0 - (double)drawUnit(g) * 0.95);
        const double angle = 2.0 * PI * (double)drawUnit(g);
        const DVec v = {vb.x + (p.x + reach * cos(angle)) / t,
                        vb.y + (p.y + reach * sin(angle)) / t};
        const double speed = hypot(v.x, v.y);
        if (dotOf(line.n, v) > line.o + 3e-5 * (1.0 + speed))
            return report(set, "a forbidden velocity is allowed");
    }
    return true;
}

static bool linesAreTangent(thGenerator* g, int32_t size, void* context)
{
    (void)size;
    (void)context;
    const OrcaSet set = drawPair(g);
    const Line line = kernelLine(&set);
    const DVec va = asDouble(set.self.velocity), vb = asDouble(set.neighbors[0].velocity);
    const DVec w0 = {va.x - vb.x, va.y - vb.y};
    const double length = hypot(line.n.x, line.n.y);
    if (fabs(length - 1.0) > 1e-5)
        return report(&set, "the normal has not length 1");
    if (!coversCone(&set, line, g))
        return false;
    // The change that leads to the border: nothing nearer does. Discs a bit larger or smaller keep
    // rounding out of it.
    const double change = line.o - dotOf(line.n, va);
    const bool inside = isForbidden(&set, w0, 1.0);
    if (fabs(change) < 1e-4)
        return true;
    if (inside != (change > 0.0))
        return report(&set, "on the wrong side");
    for (int32_t i = 0; i < 64; ++i) {
        const double angle = 2.0 * PI * (i + 0.5) / 64.0, step = 0.999 * fabs(change) - 3e-5;
        const DVec w = {w0.x + step * cos(angle), w0.y + step * sin(angle)};
        if (step > 0.0 && isForbidden(&set, w, inside ? 1.0 + 1e-5 : 1.0 - 1e-5) != inside)
            return report(&set, "a smaller change would do");
    }
    const DVec touch = {w0.x + (change - 1e-3) * line.n.x, w0.y + (change - 1e-3) * line.n.y};
    return isForbidden(&set, touch, 1.0 + 1e-3) || report(&set, "more than is needed");
}

static void testHalfPlanes(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "tangent",
                                 .seed = 3,
                                 .caseCount = casesOf(4000, 200000),
                                 .maxSize = 1,
                                 .holds = linesAreTangent});
}

static bool lineMatches(const OrcaSet* set, const Choice* choice)
{
    const Line line = kernelLine(set);
    if (choice->undefined || (choice->count > 0 && choice->lines[0].slack > 0.01))
        return true;
    for (int32_t i = 0; i < choice->count; ++i) {
        // Compared where it matters: over the disc of velocities.
        const Line* want = &choice->lines[i];
        const double off =
            fabs(line.o - want->o) +
            (double)set->self.maxSpeed * hypot(line.n.x - want->n.x, line.n.y - want->n.y);
        if (off <= 4.0 * want->slack)
            return true;
    }
    if (getenv("THRONG_PROPERTY") != NULL) {
        print_message("line %.9g %.9g >= %.9g\n", line.n.x, line.n.y, line.o);
        for (int32_t i = 0; i < choice->count; ++i)
            print_message("oracle %.9g %.9g >= %.9g, slack %g\n", choice->lines[i].n.x,
                          choice->lines[i].n.y, choice->lines[i].o, choice->lines[i].slack);
    }
    return report(set, "another half-plane");
}

static bool linesMatch(thGenerator* g, int32_t size, void* context)
{
    (void)size;
    OrcaSet set;
    drawSet(g, *(const SetKind*)context, SET_NEIGHBORS, &set);
    for (int32_t i = 0; i < set.neighborCount; ++i) {
        OrcaSet one = set;
        one.neighbors[0] = set.neighbors[i];
        one.neighborCount = 1;
        one.wallCount = 0;
        const Choice choice = agentChoice(&one, &one.neighbors[0]);
        if (!lineMatches(&one, &choice))
            return false;
    }
    for (int32_t i = 0; i < set.wallCount; ++i) {
        OrcaSet one = set;
        one.walls[0] = set.walls[i];
        one.wallCount = 1;
        one.neighborCount = 0;
        const Choice choice = wallChoice(&one, &one.walls[0]);
        if (!lineMatches(&one, &choice))
            return false;
    }
    return true;
}

static void testLines(void** state)
{
    (void)state;
    for (SetKind kind = 0; kind < set_kindCount; ++kind) {
        char name[32] = "lines-";
        strcat(name, setKindNames[kind]);
        assertProperty(&(thProperty){.name = name,
                                     .seed = 4,
                                     .caseCount = casesOf(2000, 100000),
                                     .maxSize = 1,
                                     .holds = linesMatch,
                                     .context = &kind});
    }
}

// A wall's half-plane forbids every velocity that touches the wall within the horizon, whether it
// moves or not.
static bool wallsAreCovered(thGenerator* g, int32_t size, void* context)
{
    (void)size;
    (void)context;
    OrcaSet set;
    drawSet(g, set_plain, 0, &set);
    set.walls[0] = (thAvoidWall){.a = {drawFloat(g, -2.0f, 2.0f), drawFloat(g, -2.0f, 2.0f)},
                                 .b = {drawFloat(g, -2.0f, 2.0f), drawFloat(g, -2.0f, 2.0f)},
                                 .velocity = {drawUnit(g), drawUnit(g)},
                                 .radius = 0.2f * drawUnit(g)};
    set.wallCount = 1;
    const thAvoidWall* wall = &set.walls[0];
    const DVec a = asDouble(wall->a), b = asDouble(wall->b), vo = asDouble(wall->velocity);
    const double reach = (double)set.self.radius + (double)wall->radius;
    const double horizon = (double)set.def.wallHorizon;
    const Line line = kernelLine(&set);
    bool touches = false;
    for (int32_t i = 0; i <= 64; ++i) {
        const double s = i / 64.0;
        const DVec c = {a.x + s * (b.x - a.x), a.y + s * (b.y - a.y)};
        touches = touches || hypot(c.x, c.y) < 1.01 * reach;
    }
    for (int32_t i = 0; i < 200 && !touches; ++i) {
        const double s = (double)drawUnit(g), t = horizon * (1.0 - 0.95 * (double)drawUnit(g));
        const double angle = 2.0 * PI * (double)drawUnit(g);
        const DVec v = {vo.x + (a.x + s * (b.x - a.x) + reach * cos(angle)) / t,
                        vo.y + (a.y + s * (b.y - a.y) + reach * sin(angle)) / t};
        if (dotOf(line.n, v) > line.o + 3e-5 * (1.0 + hypot(v.x, v.y)))
            return report(&set, "a velocity into the wall is allowed");
    }
    return true;
}

static void testWalls(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "walls-covered",
                                 .seed = 5,
                                 .caseCount = casesOf(4000, 200000),
                                 .maxSize = 1,
                                 .holds = wallsAreCovered});
}

// Pairs.

// The same pair as the other one sees it.
static OrcaSet otherSide(const OrcaSet* set, thVec2 wanted, float maxSpeed)
{
    const thAvoidNeighbor* n = &set->neighbors[0];
    OrcaSet other = *set;
    other.self = (thAvoidSelf){
        .velocity = n->velocity, .wanted = wanted, .radius = n->radius, .maxSpeed = maxSpeed};
    other.neighbors[0] = (thAvoidNeighbor){.position = {-n->position.x, -n->position.y},
                                           .velocity = set->self.velocity,
                                           .radius = set->self.radius,
                                           .share = 1.0f - n->share};
    return other;
}

static int64_t safePairs;

static bool pairsAreSafe(thGenerator* g, int32_t size, void* context)
{
    (void)size;
    (void)context;
    OrcaSet set = drawPair(g);
    set.neighbors[0].share = drawU32(g) % 2 == 0 ? 0.5f : 0.0625f * (float)drawInt(g, 0, 16);
    if (drawU32(g) % 4 == 0) // head-on
        set.neighbors[0].velocity = (thVec2){-set.self.velocity.x, -set.self.velocity.y};
    set.self.wanted = (thVec2){drawFloat(g, -2.0f, 2.0f), drawFloat(g, -2.0f, 2.0f)};
    const thVec2 wanted = {drawFloat(g, -2.0f, 2.0f), drawFloat(g, -2.0f, 2.0f)};
    const OrcaSet other = otherSide(&set, wanted, drawFloat(g, 0.5f, 3.0f));
    thVec2 va, vb;
    thOrcaStatus statusA, statusB;
    if (!answers(&set, &va, &statusA) || !answers(&other, &vb, &statusB))
        return false;
    if (statusA > th_orcaConstrained || statusB > th_orcaConstrained)
        return true;
    ++safePairs;
    const DVec p = asDouble(set.neighbors[0].position);
    const DVec w = {(double)va.x - (double)vb.x, (double)va.y - (double)vb.y};
    const double square = dotOf(w, w), horizon = (double)set.def.timeHorizon;
    const double t = square > 0.0 ? fmin(horizon, fmax(0.0, dotOf(p, w) / square)) : 0.0;
    const double reach = (double)set.self.radius + (double)set.neighbors[0].radius;
    if (hypot(p.x - t * w.x, p.y - t * w.y) >= reach - 1e-4)
        return true;
    report(&other, "the other side");
    return report(&set, "they collide");
}

static void testPairs(void** state)
{
    (void)state;
    const int32_t caseCount = casesOf(50000, 1000000);
    safePairs = 0;
    assertProperty(&(thProperty){
        .name = "pairs", .seed = 6, .caseCount = caseCount, .maxSize = 1, .holds = pairsAreSafe});
    assert_true(safePairs > caseCount / 2);
}

// Symmetries.

typedef struct Motion {
    double cosine, sine, mirror;
    DVec boost;
} Motion;

static thVec2 turn(const Motion* m, thVec2 v)
{
    const double x = (double)v.x, y = m->mirror * (double)v.y;
    return (thVec2){(float)(m->cosine * x - m->sine * y), (float)(m->sine * x + m->cosine * y)};
}

static thVec2 turnVelocity(const Motion* m, thVec2 v)
{
    const thVec2 w = turn(m, v);
    return (thVec2){(float)((double)w.x + m->boost.x), (float)((double)w.y + m->boost.y)};
}

static thVec2 turnBack(const Motion* m, thVec2 v)
{
    const double x = (double)v.x - m->boost.x, y = (double)v.y - m->boost.y;
    return (thVec2){(float)(m->cosine * x + m->sine * y),
                    (float)(m->mirror * (m->cosine * y - m->sine * x))};
}

static OrcaSet moveSet(const Motion* m, const OrcaSet* set)
{
    OrcaSet moved = *set;
    moved.def.sideBias = (float)m->mirror * set->def.sideBias;
    moved.self.velocity = turnVelocity(m, set->self.velocity);
    moved.self.wanted = turnVelocity(m, set->self.wanted);
    for (int32_t i = 0; i < set->neighborCount; ++i) {
        moved.neighbors[i].position = turn(m, set->neighbors[i].position);
        moved.neighbors[i].velocity = turnVelocity(m, set->neighbors[i].velocity);
    }
    for (int32_t i = 0; i < set->wallCount; ++i) {
        moved.walls[i].a = turn(m, set->walls[i].a);
        moved.walls[i].b = turn(m, set->walls[i].b);
        moved.walls[i].velocity = turnVelocity(m, set->walls[i].velocity);
    }
    return moved;
}

// Two answers to what is the same question: both must pass the same judge, who knows the original
// only, and where there is no solution both must say so. The points themselves are not compared:
// where borders are nearly parallel they may be far apart, and both right.
static bool agree(const OrcaSet* set, thVec2 a, thOrcaStatus statusA, thVec2 b,
                  thOrcaStatus statusB)
{
    const char* reason = "";
    // Borderline and open cases decide nothing.
    if (judge(set, a, statusA, &reason) != verdict_right)
        return true;
    if (judge(set, b, statusB, &reason) == verdict_wrong)
        return report(set, reason);
    if (statusA != statusB && statusA > th_orcaConstrained)
        return report(set, "another status");
    return true;
}

static bool movesAlong(thGenerator* g, int32_t size, void* context)
{
    OrcaSet set;
    thVec2 v, w;
    thOrcaStatus before, after;
    Motion m = {.cosine = 1.0, .mirror = 1.0};
    drawSet(g, drawU32(g) % 2 == 0 ? set_plain : set_crowd, size, &set);
    const double angle = 2.0 * PI * (double)drawUnit(g);
    switch (*(const int32_t*)context) {
    case 0: // rotation
        m.cosine = cos(angle);
        m.sine = sin(angle);
        break;
    case 1: // mirror image in a line
        m.cosine = cos(angle);
        m.sine = sin(angle);
        m.mirror = -1.0;
        break;
    default: // a moving observer; the bias turns about rest, and so does the limit of speed
        m.boost = (DVec){(double)drawFloat(g, -1.0f, 1.0f), (double)drawFloat(g, -1.0f, 1.0f)};
        set.def.sideBias = 0.0f;
        set.self.maxSpeed = 50.0f;
        break;
    }
    const OrcaSet moved = moveSet(&m, &set);
    if (!answers(&set, &v, &before) || !answers(&moved, &w, &after))
        return false;
    if (m.boost.x != 0.0 && before > th_orcaConstrained)
        return true; // the least violation may lie on the circle of speeds
    return agree(&set, v, before, turnBack(&m, w), after);
}

static void testSymmetries(void** state)
{
    (void)state;
    static const char* const names[] = {"rotated", "mirrored", "boosted"};
    for (int32_t i = 0; i < 3; ++i)
        assertProperty(&(thProperty){.name = names[i],
                                     .seed = 7,
                                     .caseCount = casesOf(2000, 100000),
                                     .maxSize = 10,
                                     .holds = movesAlong,
                                     .context = &i});
}

static bool ignoresOrder(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    OrcaSet set;
    thVec2 v, w;
    thOrcaStatus before, after;
    drawSet(g, drawU32(g) % 2 == 0 ? set_plain : set_crowd, size, &set);
    OrcaSet shuffled = set;
    for (int32_t i = set.neighborCount - 1; i > 0; --i) {
        const int32_t k = drawInt(g, 0, i);
        const thAvoidNeighbor held = shuffled.neighbors[i];
        shuffled.neighbors[i] = shuffled.neighbors[k];
        shuffled.neighbors[k] = held;
    }
    if (!answers(&set, &v, &before) || !answers(&shuffled, &w, &after))
        return false;
    return agree(&set, v, before, w, after);
}

static void testOrder(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "order",
                                 .seed = 8,
                                 .caseCount = casesOf(3000, 100000),
                                 .maxSize = 12,
                                 .holds = ignoresOrder});
}

// Two who are each other's point reflection stay so, to the bit: negation is exact.
static bool reflects(thGenerator* g, int32_t size, void* context)
{
    (void)size;
    (void)context;
    OrcaSet set = drawPair(g);
    set.neighbors[0].share = 0.5f;
    set.neighbors[0].radius = set.self.radius;
    set.neighbors[0].velocity = (thVec2){-set.self.velocity.x, -set.self.velocity.y};
    if (drawU32(g) % 2 == 0) { // head-on, and overlapping at times
        set.neighbors[0].position = (thVec2){drawFloat(g, 0.01f, 3.0f), 0.0f};
        set.self.velocity = (thVec2){1.0f, 0.0f};
        set.neighbors[0].velocity = (thVec2){-1.0f, 0.0f};
        set.self.wanted = (thVec2){1.25f, 0.0f};
    }
    const thVec2 wanted = {-set.self.wanted.x, -set.self.wanted.y};
    const OrcaSet other = otherSide(&set, wanted, set.self.maxSpeed);
    thVec2 v, w;
    thOrcaStatus statusA, statusB;
    if (!answers(&set, &v, &statusA) || !answers(&other, &w, &statusB))
        return false;
    // +0 and -0 are the same velocity.
    return (statusA == statusB && v.x == -w.x && v.y == -w.y) || report(&set, "not reflected");
}

static void testReflection(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "reflection",
                                 .seed = 9,
                                 .caseCount = casesOf(5000, 200000),
                                 .maxSize = 1,
                                 .holds = reflects});
}

// Limits.

static bool keepsLimits(thGenerator* g, int32_t size, void* context)
{
    OrcaSet set;
    thVec2 v;
    thOrcaStatus status;
    drawSet(g, *(const SetKind*)context, size, &set);
    set.self.maxAccel = drawU32(g) % 2 == 0 ? 10.0f * drawUnit(g) : 0.01f;
    // One that is too fast already cannot keep both limits.
    const float speed = hypotf(set.self.velocity.x, set.self.velocity.y);
    if (speed > set.self.maxSpeed) {
        const float k = 0.999f * set.self.maxSpeed / speed;
        set.self.velocity = (thVec2){k * set.self.velocity.x, k * set.self.velocity.y};
    }
    if (!answers(&set, &v, &status))
        return false;
    const double change =
        hypot((double)v.x - (double)set.self.velocity.x, (double)v.y - (double)set.self.velocity.y);
    if (change > (double)set.self.maxAccel * (double)set.dt + 1e-6 * (1.0 + (double)speed))
        return report(&set, "too much acceleration");
    // The answer may take the place of the velocity.
    OrcaSet own = set;
    return (solveSet(&own, &own.self.velocity, &status) == th_resultOk &&
            sameBits(own.self.velocity.x, v.x) && sameBits(own.self.velocity.y, v.y)) ||
           report(&set, "another answer in its place");
}

static void testLimits(void** state)
{
    (void)state;
    for (SetKind kind = 0; kind < set_kindCount; ++kind) {
        char name[32] = "limits-";
        strcat(name, setKindNames[kind]);
        assertProperty(&(thProperty){.name = name,
                                     .seed = 10,
                                     .caseCount = casesOf(1000, 50000),
                                     .maxSize = 12,
                                     .holds = keepsLimits,
                                     .context = &kind});
    }
}

// Any numbers that are taken: the answer is finite and keeps the limit of speed.
static bool standsAnything(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    OrcaSet set;
    thVec2 v;
    thOrcaStatus status;
    drawSet(g, (SetKind)(drawU32(g) % set_kindCount), size, &set);
    float* const places[] = {&set.neighbors[0].position.x,
                             &set.neighbors[0].velocity.y,
                             &set.neighbors[0].radius,
                             &set.self.velocity.x,
                             &set.self.wanted.y,
                             &set.self.radius,
                             &set.walls[0].a.x,
                             &set.walls[0].b.y,
                             &set.walls[0].velocity.x,
                             &set.walls[0].radius,
                             &set.neighbors[1].position.y,
                             &set.self.maxSpeed};
    for (int32_t i = 0; i < 3; ++i) {
        const int32_t at = drawInt(g, 0, (int32_t)(sizeof places / sizeof *places) - 1);
        const float value = drawSpecialFloat(g);
        if (fabsf(value) <= 1e6f)
            *places[at] = at == 2 || at == 5 || at == 9 || at == 11 ? fabsf(value) : value;
    }
    return answers(&set, &v, &status);
}

static void testAnything(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "anything",
                                 .seed = 11,
                                 .caseCount = casesOf(20000, 500000),
                                 .maxSize = 6,
                                 .holds = standsAnything});
}

// What is refused.

static int32_t heardCount;

static void hear(void* context, const char* condition, const char* file, int32_t line)
{
    (void)context;
    (void)condition;
    (void)file;
    (void)line;
    ++heardCount;
}

static OrcaSet goodSet(void)
{
    OrcaSet set;
    memset(&set, 0, sizeof set);
    set.def = thDefaultOrcaDef();
    set.def.separationTime = 0.5f;
    set.dt = 0.1f;
    set.self = (thAvoidSelf){
        .velocity = {1.0f, 0.0f}, .wanted = {1.0f, 0.0f}, .radius = 0.25f, .maxSpeed = 2.0f};
    set.neighbors[0] = (thAvoidNeighbor){
        .position = {2.0f, 0.0f}, .velocity = {-1.0f, 0.0f}, .radius = 0.25f, .share = 0.5f};
    set.walls[0] = (thAvoidWall){.a = {-1.0f, 2.0f}, .b = {1.0f, 2.0f}};
    set.neighborCount = set.wallCount = 1;
    return set;
}

static void assertRefused(const OrcaSet* set)
{
    thVec2 v = {7.0f, 8.0f};
    thOrcaStatus status = th_orcaRelaxed;
    heardCount = 0;
    assert_int_equal(solveSet(set, &v, &status), th_resultBadArgument);
    assert_int_equal(heardCount, 1);
}

static void assertTaken(const OrcaSet* set)
{
    thVec2 v;
    thOrcaStatus status;
    heardCount = 0;
    assert_int_equal(solveSet(set, &v, &status), th_resultOk);
    assert_int_equal(heardCount, 0);
    assert_true(isfinite(v.x) && isfinite(v.y));
}

static void testNotFinite(void** state)
{
    (void)state;
    const thHooks hooks = {.assertion = hear};
    thSetHooks(&hooks);
    OrcaSet set = goodSet();
    float* const places[] = {
        &set.dt,
        &set.def.timeHorizon,
        &set.def.wallHorizon,
        &set.def.separationTime,
        &set.def.sideBias,
        &set.self.velocity.x,
        &set.self.velocity.y,
        &set.self.wanted.x,
        &set.self.wanted.y,
        &set.self.radius,
        &set.self.maxSpeed,
        &set.self.maxAccel,
        &set.neighbors[0].position.x,
        &set.neighbors[0].position.y,
        &set.neighbors[0].velocity.x,
        &set.neighbors[0].velocity.y,
        &set.neighbors[0].radius,
        &set.neighbors[0].share,
        &set.walls[0].a.x,
        &set.walls[0].a.y,
        &set.walls[0].b.x,
        &set.walls[0].b.y,
        &set.walls[0].velocity.x,
        &set.walls[0].velocity.y,
        &set.walls[0].radius,
    };
    assertTaken(&set);
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
        const float held = *places[i];
        const float bad[] = {NAN, INFINITY, -INFINITY, 1.1e6f, -FLT_MAX};
        for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
            *places[i] = bad[k];
            assertRefused(&set);
        }
        *places[i] = held;
    }
    assertTaken(&set);
    thSetHooks(NULL);
}

static void testRanges(void** state)
{
    (void)state;
    const thHooks hooks = {.assertion = hear};
    thSetHooks(&hooks);
    OrcaSet set = goodSet();
    const struct {
        float* place;
        float low, high, below, above; // what is taken, what is not
    } ranges[] = {
        {&set.def.timeHorizon, 0.01f, 100.0f, 0.0f, 100.1f},
        {&set.def.wallHorizon, 0.01f, 100.0f, 0.0f, 100.1f},
        {&set.def.separationTime, 0.0f, 100.0f, -0.1f, 100.1f},
        {&set.def.sideBias, -0.5f, 0.5f, -0.51f, 0.51f},
        {&set.self.radius, 0.0f, 1.0f, -0.1f, -FLT_MIN},
        {&set.self.maxSpeed, 0.0f, 1.0f, -0.1f, -FLT_MIN},
        {&set.self.maxAccel, 0.0f, 1.0f, -0.1f, -FLT_MIN},
        {&set.neighbors[0].radius, 0.0f, 1.0f, -0.1f, -FLT_MIN},
        {&set.neighbors[0].share, 0.0f, 1.0f, -0.1f, 1.1f},
        {&set.walls[0].radius, 0.0f, 1.0f, -0.1f, -FLT_MIN},
        {&set.dt, 0.001f, 10.0f, 0.0f, -1.0f},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; ++i) {
        const float held = *ranges[i].place;
        *ranges[i].place = ranges[i].low;
        assertTaken(&set);
        *ranges[i].place = ranges[i].high;
        assertTaken(&set);
        *ranges[i].place = ranges[i].below;
        assertRefused(&set);
        *ranges[i].place = ranges[i].above;
        assertRefused(&set);
        *ranges[i].place = held;
    }
    set.def.size = 4;
    assertRefused(&set);
    thSetHooks(NULL);
}

static void testPointers(void** state)
{
    (void)state;
    const thHooks hooks = {.assertion = hear};
    thSetHooks(&hooks);
    const OrcaSet set = goodSet();
    static thAvoidNeighbor neighbors[THRONG_AVOID_MOST + 1];
    static thAvoidWall walls[THRONG_AVOID_MOST + 1];
    for (int32_t i = 0; i <= THRONG_AVOID_MOST; ++i) {
        neighbors[i] = set.neighbors[0];
        walls[i] = set.walls[0];
    }
    const int32_t most = THRONG_AVOID_MOST;
    thVec2 v;
    thOrcaStatus status;
    const thOrcaDef* def = &set.def;
    const thAvoidSelf* self = &set.self;
    heardCount = 0;
    const thResult bad = th_resultBadArgument;
    assert_int_equal(thOrca_Solve(def, 0.1f, self, neighbors, most, walls, most, &v, &status),
                     th_resultOk);
    assert_int_equal(thOrca_Solve(def, 0.1f, self, NULL, 0, NULL, 0, &v, &status), th_resultOk);
    assert_int_equal(heardCount, 0);
    assert_int_equal(thOrca_Solve(NULL, 0.1f, self, NULL, 0, NULL, 0, &v, &status), bad);
    assert_int_equal(thOrca_Solve(def, 0.1f, NULL, NULL, 0, NULL, 0, &v, &status), bad);
    assert_int_equal(thOrca_Solve(def, 0.1f, self, NULL, 1, NULL, 0, &v, &status), bad);
    assert_int_equal(thOrca_Solve(def, 0.1f, self, NULL, 0, NULL, 1, &v, &status), bad);
    assert_int_equal(thOrca_Solve(def, 0.1f, self, neighbors, -1, NULL, 0, &v, &status), bad);
    assert_int_equal(thOrca_Solve(def, 0.1f, self, NULL, 0, walls, -1, &v, &status), bad);
    assert_int_equal(thOrca_Solve(def, 0.1f, self, neighbors, most + 1, NULL, 0, &v, &status), bad);
    assert_int_equal(thOrca_Solve(def, 0.1f, self, NULL, 0, walls, most + 1, &v, &status), bad);
    assert_int_equal(thOrca_Solve(def, 0.1f, self, NULL, 0, NULL, 0, NULL, &status), bad);
    assert_int_equal(heardCount, 9);
    thSetHooks(NULL);
}

// Cases that can be worked out by hand.
static void testKnown(void** state)
{
    (void)state;
    thVec2 v;
    thOrcaStatus status;
    OrcaSet set = goodSet();
    set.def.sideBias = 0.0f;
    set.wallCount = 0;
    // Overlapping by 0.1 m and at rest: both leave at half of 0.1 m / 0.5 s.
    set.self.velocity = set.self.wanted = (thVec2){0.0f, 0.0f};
    set.neighbors[0].position = (thVec2){0.4f, 0.0f};
    set.neighbors[0].velocity = (thVec2){0.0f, 0.0f};
    assert_int_equal(solveSet(&set, &v, &status), th_resultOk);
    assert_int_equal(status, th_orcaConstrained);
    assert_near((double)v.x, -0.1, 1e-6);
    assert_near((double)v.y, 0.0, 1e-6);
    // The step is longer than the separation time.
    set.dt = 1.0f;
    assert_int_equal(solveSet(&set, &v, &status), th_resultOk);
    assert_near((double)v.x, -0.05, 1e-6);
    // The other does not give way.
    set.neighbors[0].share = 1.0f;
    assert_int_equal(solveSet(&set, &v, &status), th_resultOk);
    assert_near((double)v.x, -0.1, 1e-6);
    // A wall 1 m ahead of the surface and a horizon of 0.5 s: 2 m/s towards it and no more.
    set = goodSet();
    set.def.sideBias = 0.0f;
    set.neighborCount = 0;
    set.self.maxSpeed = 9.0f;
    set.self.wanted = (thVec2){5.0f, 0.5f};
    set.walls[0] = (thAvoidWall){.a = {1.25f, -9.0f}, .b = {1.25f, 9.0f}};
    assert_int_equal(solveSet(&set, &v, &status), th_resultOk);
    assert_int_equal(status, th_orcaConstrained);
    assert_near((double)v.x, 2.0, 1e-5);
    assert_near((double)v.y, 0.5, 1e-5);
    // In contact, and deeper: no nearer, but also not thrown back.
    set.walls[0].a.x = set.walls[0].b.x = 0.125f;
    assert_int_equal(solveSet(&set, &v, &status), th_resultOk);
    assert_near((double)v.x, 0.0, 1e-6);
    assert_near((double)v.y, 0.5, 1e-6);
    // The wall comes nearer: it is given way to.
    set.walls[0].velocity = (thVec2){-1.0f, 0.0f};
    assert_int_equal(solveSet(&set, &v, &status), th_resultOk);
    assert_near((double)v.x, -1.0, 1e-6);
    // Squeezed by two of them: no way out, it stands.
    set.walls[1] = set.walls[0];
    set.walls[1].a.x = set.walls[1].b.x = -0.125f;
    set.walls[1].velocity = (thVec2){1.0f, 0.0f};
    set.wallCount = 2;
    assert_int_equal(solveSet(&set, &v, &status), th_resultOk);
    assert_int_equal(status, th_orcaInfeasible);
    assert_near((double)v.x, 0.0, 0.0);
    assert_near((double)v.y, 0.0, 0.0);
    // The bias turns clockwise: who goes east and meets somebody passes on the south side.
    set = goodSet();
    set.wallCount = 0;
    set.neighbors[0].velocity = (thVec2){-1.0f, 0.0f};
    assert_int_equal(solveSet(&set, &v, &status), th_resultOk);
    assert_true(v.y < -0.01f);
}

// Two lines that say the same, to the bit or nearly, are no contradiction. Each of these once was,
// by rounding: the agent jumped to the other side of what it may do, or stood in a moving wall's
// way.
static void assertConstrained(const OrcaSet* set, double x, double y)
{
    thVec2 v;
    thOrcaStatus status;
    assert_int_equal(solveSet(set, &v, &status), th_resultOk);
    assert_int_equal(status, th_orcaConstrained);
    assert_near((double)v.x, x, 2e-5);
    assert_near((double)v.y, y, 2e-5);
}

static void testSameLines(void** state)
{
    (void)state;
    OrcaSet set;
    memset(&set, 0, sizeof set);
    set.def = thDefaultOrcaDef();
    set.def.sideBias = 0.0f;
    set.dt = 0.05f;
    set.self.radius = 0.25f;
    set.self.maxSpeed = 2.0f;
    // Two neighbours on one point.
    set.def.timeHorizon = 0x1.4ddd5p+2f;
    set.self.velocity = (thVec2){0x1.0cdb88p+0f, 0x1.4401ap-2f};
    set.self.wanted = (thVec2){-0x1.6daf7p-2f, 0x1.2e6fap-2f};
    set.neighbors[0] = (thAvoidNeighbor){.position = {-0x1.7e3cf8p+1f, -0x1.7cbb8p+0f},
                                         .velocity = {-0x1.09d7c4p+0f, 0x1.542128p+0f},
                                         .radius = 0.25f,
                                         .share = 0.5f};
    set.neighbors[1] = set.neighbors[0];
    set.neighborCount = 2;
    assertConstrained(&set, -0.337233574, 0.289915416);
    // The same wall twice.
    set.neighborCount = 0;
    set.def.wallHorizon = 0x1.d7afb4p-2f;
    set.self.velocity = (thVec2){-0x1.00618p-2f, 0x1.bd4ddp-1f};
    set.self.wanted = (thVec2){-0x1.d33e44p-1f, 0x1.6a36p-1f};
    set.walls[0] = (thAvoidWall){.a = {-0x1.61230ep+0f, 0x1.222d1cp+1f},
                                 .b = {0x1.2e0ec8p-2f, -0x1.0f4cdp-1f},
                                 .velocity = {0x1.703e1cp-1f, -0x1.82ec5cp-1f},
                                 .radius = 0x1.21c7ep-6f};
    set.walls[1] = set.walls[0];
    set.wallCount = 2;
    assertConstrained(&set, -0.356155607, 1.04056218);
    // Two edges of a moving box, whose tangents go to the corner they share.
    set.def.wallHorizon = 0x1.52fcf2p+1f;
    set.self.velocity = (thVec2){0x1.97db8p-1f, 0x1.f5008p-2f};
    set.self.wanted = (thVec2){-0x1.3310f4p+0f, -0x1.1b0fc4p+0f};
    set.walls[0] = (thAvoidWall){.a = {-0x1.08a3e4p-2f, -0x1.55fcd2p+1f},
                                 .b = {0x1.261a0ap-2f, -0x1.867886p+0f},
                                 .velocity = {-0x1.d07cap-2f, 0x1.4d618p-5f}};
    set.walls[1] = (thAvoidWall){.a = set.walls[0].b,
                                 .b = {-0x1.7ed64p-1f, -0x1.0860bep+0f},
                                 .velocity = set.walls[0].velocity};
    assertConstrained(&set, -0.172871024, -0.73341128);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testKnown),      cmocka_unit_test(testLines),
        cmocka_unit_test(testOracle),     cmocka_unit_test(testIdentity),
        cmocka_unit_test(testHalfPlanes), cmocka_unit_test(testWalls),
        cmocka_unit_test(testPairs),      cmocka_unit_test(testSymmetries),
        cmocka_unit_test(testOrder),      cmocka_unit_test(testReflection),
        cmocka_unit_test(testLimits),     cmocka_unit_test(testAnything),
        cmocka_unit_test(testNotFinite),  cmocka_unit_test(testRanges),
        cmocka_unit_test(testPointers),   cmocka_unit_test(testSameLines),
    };
    return RUN_TESTS(tests, argc, argv);
}
