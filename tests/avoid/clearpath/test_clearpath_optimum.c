// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The velocity that `clearpath` chooses in mode 2, held against velocities all round the wanted
// one. Neighbours may overlap or stand on one point, there are walls, and what is forbidden is
// worked out once more in double.

#include "avoid/clearpath/clearpath_scene.h"
#include "gear/gear.h"
#include "velocity/region_oracle.h"

// By how much regions are made smaller, with what rounding does. [m/s]
#define ROUNDING 1.0e-4

// Where a distance is as good as a limit, it is not asked on which side it is. [m]
#define UNDECIDED 2.0e-6

#define SIDES 3

// Forbidden: the velocities with n · v > o for all sides.
typedef struct Forbidden {
    int32_t sides;
    double x[SIDES], y[SIDES], o[SIDES];
} Forbidden;

typedef struct Disc {
    double x, y, radius;
} Disc;

typedef struct Oracle {
    int32_t count;
    Forbidden items[RVO_NEIGHBORS + RVO_WALLS];
    Disc discs[2];
    bool undecided;
} Oracle;

static void addSide(Forbidden* item, double angle, double throughX, double throughY, double beyond)
{
    const int32_t k = item->sides++;
    item->x[k] = cos(angle);
    item->y[k] = sin(angle);
    item->o[k] = item->x[k] * throughX + item->y[k] * throughY + beyond;
}

// Directions are angles here, and legs are turned from the middle.
static void addNeighbor(const Scene* scene, const thAvoidNeighbor* n, double horizon,
                        Oracle* oracle)
{
    const thAvoidSelf* self = &scene->self;
    const double x = (double)n->position.x, y = (double)n->position.y, share = (double)n->share;
    const double both = (double)(self->radius + n->radius), distance = hypot(x, y);
    const double apexX = (double)self->velocity.x * (1.0 - share) + (double)n->velocity.x * share;
    const double apexY = (double)self->velocity.y * (1.0 - share) + (double)n->velocity.y * share;
    Forbidden item = {0};
    if (share < 0.01)
        return;
    oracle->undecided = oracle->undecided || fabs(distance - both) < UNDECIDED ||
                        fabs(distance - 1.0e-6) < 1.0e-7 || fabs(share - 0.01) < 1.0e-6;
    const double towards = distance < 1.0e-6 ? 0.0 : atan2(y, x);
    if (distance > both && distance > 1.0e-6) {
        const double half = asin(both / distance);
        addSide(&item, towards + half - 1.57079632679489662, apexX, apexY, 0.0);
        addSide(&item, towards - half + 1.57079632679489662, apexX, apexY, 0.0);
        addSide(&item, towards, apexX, apexY, share * (distance - both) / horizon);
    } else {
        const double needed = share * (both - distance) / (double)SCENE_DT;
        const double reach = fmin(oracle->discs[1].radius, (double)self->maxSpeed);
        addSide(&item, towards, apexX, apexY, -fmin(needed, reach));
    }
    oracle->items[oracle->count++] = item;
}

// An angle from another, −π to π.
static double turn(double from, double to)
{
    return remainder(to - from, 6.28318530717958648);
}

static void addWall(const Scene* scene, const thAvoidWall* w, double horizon, Oracle* oracle)
{
    const double ax = (double)w->a.x, ay = (double)w->a.y, bx = (double)w->b.x, by = (double)w->b.y;
    const double both = fmax((double)scene->self.radius - 0x1p-12, 0.0);
    const double lengthSq = (bx - ax) * (bx - ax) + (by - ay) * (by - ay);
    const double along =
        lengthSq > 0.0 ? fmin(fmax(-(ax * (bx - ax) + ay * (by - ay)) / lengthSq, 0.0), 1.0) : 0.0;
    const double x = ax + along * (bx - ax), y = ay + along * (by - ay), distance = hypot(x, y);
    Forbidden item = {0};
    // Of a wall through the centre, rounding decides in which direction it is.
    oracle->undecided = oracle->undecided || fabs(distance - both) < UNDECIDED || distance < 0.01;
    const double towards = atan2(y, x);
    if (distance > both) {
        const double a = turn(towards, atan2(ay, ax)), b = turn(towards, atan2(by, bx));
        const double halfA = asin(both / hypot(ax, ay)), halfB = asin(both / hypot(bx, by));
        const double left = fmax(a + halfA, b + halfB), right = fmin(a - halfA, b - halfB);
        addSide(&item, towards + right + 1.57079632679489662, 0.0, 0.0, 0.0);
        addSide(&item, towards + left - 1.57079632679489662, 0.0, 0.0, 0.0);
        addSide(&item, towards, 0.0, 0.0, (distance - both) / horizon);
        oracle->undecided = oracle->undecided || left - right > 3.14; // it goes all round
    } else {
        addSide(&item, towards, 0.0, 0.0, 0.0);
    }
    oracle->items[oracle->count++] = item;
}

static Oracle makeOracle(const thClearpathDef* def, const Scene* scene)
{
    const thAvoidSelf* self = &scene->self;
    const double vx = (double)self->velocity.x, vy = (double)self->velocity.y;
    const double limit = (double)self->maxSpeed, speed = hypot(vx, vy);
    const double shed = speed > limit ? limit / speed : 1.0;
    Oracle oracle = {.discs = {{0.0, 0.0, limit}, {shed * vx, shed * vy, 1.0e15}}};
    if (self->maxAccel > 0.0f)
        oracle.discs[1].radius = (double)(self->maxAccel * SCENE_DT);
    for (int32_t i = 0; i < scene->neighborCount; ++i)
        addNeighbor(scene, &scene->neighbors[i], (double)def->horizon, &oracle);
    for (int32_t i = 0; i < scene->wallCount; ++i)
        addWall(scene, &scene->walls[i], fmax((double)def->wallHorizon, (double)SCENE_DT), &oracle);
    return oracle;
}

static double insideOf(const Forbidden* item, int32_t side, double x, double y)
{
    return item->x[side] * x + item->y[side] * y - item->o[side];
}

// How deep a velocity is in what is forbidden, or beyond the limits; negative: by how much it
// could be.
static double depthOf(const Oracle* oracle, double x, double y)
{
    double deepest = -1.0e30;
    for (int32_t i = 0; i < 2; ++i)
        deepest = fmax(deepest, hypot(x - oracle->discs[i].x, y - oracle->discs[i].y) -
                                    oracle->discs[i].radius);
    for (int32_t i = 0; i < oracle->count; ++i) {
        double depth = 1.0e30;
        for (int32_t k = 0; k < oracle->items[i].sides; ++k)
            depth = fmin(depth, insideOf(&oracle->items[i], k, x, y));
        deepest = fmax(deepest, depth);
    }
    return deepest;
}

// A border that a velocity is on: the direction across it.
typedef struct Border {
    int32_t count;
    double x, y; // of the last one
} Border;

static Border bordersAt(const Oracle* oracle, double x, double y)
{
    const double near = 2.0 * ROUNDING;
    Border border = {0};
    for (int32_t i = 0; i < oracle->count; ++i) {
        const Forbidden* item = &oracle->items[i];
        for (int32_t k = 0; k < item->sides; ++k) {
            bool isOn = fabs(insideOf(item, k, x, y)) < near;
            for (int32_t j = 0; j < item->sides; ++j)
                isOn = isOn && insideOf(item, j, x, y) > -near;
            if (isOn)
                border = (Border){border.count + 1, item->x[k], item->y[k]};
        }
    }
    for (int32_t i = 0; i < 2; ++i) {
        const Disc* disc = &oracle->discs[i];
        const double fromX = x - disc->x, fromY = y - disc->y, length = hypot(fromX, fromY);
        if (fabs(length - disc->radius) < near)
            border = (Border){border.count + 1, length > 0.0 ? fromX / length : 0.0,
                              length > 0.0 ? fromY / length : 0.0};
    }
    return border;
}

static int64_t freeOnes, projections, crossings, hopeless, undecided;

// Who is not free is where the wanted velocity projects to on a border, or where borders cross. A
// little deeper in a region may be nearer some way beside the projection, too.
static bool isOnBorder(const Oracle* oracle, const Scene* scene, thVec2 v)
{
    const double x = (double)v.x, y = (double)v.y;
    const double toX = x - (double)scene->self.wanted.x, toY = y - (double)scene->self.wanted.y;
    const Border border = bordersAt(oracle, x, y);
    crossings += border.count > 1;
    projections += border.count == 1;
    if (border.count != 1)
        return border.count > 1 || hypot(toX, toY) < 4.0 * ROUNDING;
    const double beside = sqrt(2.0 * hypot(toX, toY) * ROUNDING);
    return fabs(toX * border.y - toY * border.x) < 1.0e-3 + beside;
}

// Whether any of so many velocities is allowed and nearer than that. Half of them are next to the
// answer.
static bool isBeaten(thGenerator* g, const Oracle* oracle, const Scene* scene, thVec2 v,
                     double distance, int32_t samples)
{
    const double wantedX = (double)scene->self.wanted.x, wantedY = (double)scene->self.wanted.y;
    for (int32_t i = 0; i < samples; ++i) {
        const bool isNext = i % 2 == 0 && distance < 4.0;
        const double most = isNext ? fmin(0.05, distance) : fmin(1.2 * distance, 5.0);
        const double radius = most * sqrt((double)drawUnit(g));
        const double angle = 6.28318530717958648 * (double)drawUnit(g);
        const double x = (isNext ? (double)v.x : wantedX) + radius * cos(angle);
        const double y = (isNext ? (double)v.y : wantedY) + radius * sin(angle);
        if (hypot(x - wantedX, y - wantedY) < distance - ROUNDING &&
            depthOf(oracle, x, y) < -ROUNDING)
            return true;
    }
    return false;
}

static bool isOptimal(thGenerator* g, int32_t size, void* context)
{
    const int32_t samples = *(const int32_t*)context;
    const Scene scene = drawScene(g, (RvoKind)(drawU32(g) % rvo_kindCount), size);
    thClearpathDef def = thDefaultClearpathDef();
    def.keep = drawInt(g, 0, 2);
    const Oracle oracle = makeOracle(&def, &scene);
    const SceneAnswer answer = ask(&def, &scene);
    if (oracle.undecided) {
        undecided += 1;
        return true;
    }
    const thVec2 wanted = scene.self.wanted;
    if (depthOf(&oracle, (double)wanted.x, (double)wanted.y) < -ROUNDING) {
        freeOnes += 1;
        return sameBits(answer.v.x, wanted.x) && sameBits(answer.v.y, wanted.y) &&
               (answer.status == th_clearpathFree || answer.status == th_clearpathOverlapping);
    }
    if (answer.status == th_clearpathConstrained || answer.status == th_clearpathFree) {
        if (depthOf(&oracle, (double)answer.v.x, (double)answer.v.y) > ROUNDING ||
            !isOnBorder(&oracle, &scene, answer.v))
            return false;
    }
    const bool isAllowed = depthOf(&oracle, (double)answer.v.x, (double)answer.v.y) <= ROUNDING;
    hopeless += !isAllowed;
    return !isBeaten(g, &oracle, &scene, answer.v,
                     isAllowed ? distanceOf(&scene, answer.v) : 1000.0, samples);
}

static void testOptimum(void** state)
{
    (void)state;
    int32_t samples = caseCount(40, 10000);
    assertProperty(&(thProperty){.name = "optimum",
                                 .seed = 1,
                                 .caseCount = 100000,
                                 .maxSize = RVO_NEIGHBORS,
                                 .holds = isOptimal,
                                 .context = &samples});
    print_message("%lld free, %lld projections, %lld crossings, %lld with nothing allowed, %lld "
                  "undecided; %lld at every width\n",
                  (long long)freeOnes, (long long)projections, (long long)crossings,
                  (long long)hopeless, (long long)undecided, (long long)comparedAnswers());
    assert_true(freeOnes > 5000 && projections > 5000 && crossings > 2000 && hopeless > 5000);
    assert_true(undecided < 10000);
}

// Without walls and without overlaps the distance is known exactly, from all places where it could
// be.
#define EXACT_ROUNDING 3.0e-5

static bool setProblem(const Scene* scene, float horizon, RegionSet* set)
{
    const thAvoidSelf* self = &scene->self;
    set->problem = (thOutsideProblem){
        .wanted = self->wanted,
        .tolerance = 1.0e-5f * self->maxSpeed,
        .regions = set->regions,
        .discs = {{{0.0f, 0.0f}, self->maxSpeed}, {self->velocity, TH_NO_LIMIT}}};
    if (self->maxAccel > 0.0f)
        set->problem.discs[1].radius = self->maxAccel * SCENE_DT;
    if (hypotf(self->velocity.x, self->velocity.y) > self->maxSpeed || scene->wallCount > 0)
        return false;
    for (int32_t i = 0; i < scene->neighborCount; ++i) {
        const thAvoidNeighbor* n = &scene->neighbors[i];
        const float both = self->radius + n->radius, s = n->share;
        if (hypotf(n->position.x, n->position.y) < 1.02f * both)
            return false;
        if (s < 0.01f)
            continue;
        const thVec2 apex = {(1.0f - s) * self->velocity.x + s * n->velocity.x,
                             (1.0f - s) * self->velocity.y + s * n->velocity.y};
        set->regions[set->problem.regionCount++] =
            coneOf(n->position, both, apex, s, horizon, false);
    }
    return true;
}

static int64_t known, statuses[6];

static bool isExact(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    static RegionSet set;
    Scene scene = drawScene(g, drawU32(g) % 2 == 0 ? rvo_plain : rvo_crowd, size);
    scene.wallCount = 0;
    const thClearpathDef def = thDefaultClearpathDef();
    if (!setProblem(&scene, def.horizon, &set))
        return true;
    known += 1;
    const SceneAnswer answer = ask(&def, &scene);
    statuses[answer.status] += 1;
    const double nearest = oracleDistance(&set.problem, -2.0e-5 - EXACT_ROUNDING);
    const double farthest = oracleDistance(&set.problem, EXACT_ROUNDING);
    if (answer.status == th_clearpathRelaxed)
        return farthest == INFINITY;
    const double distance = distanceOf(&scene, answer.v);
    return distance >= nearest - EXACT_ROUNDING && distance <= farthest + EXACT_ROUNDING;
}

static void testExactOptimum(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "exact",
                                 .seed = 2,
                                 .caseCount = caseCount(40000, 400000),
                                 .maxSize = RVO_NEIGHBORS,
                                 .holds = isExact});
    print_message("%lld compared: %lld free, %lld constrained, %lld relaxed\n", (long long)known,
                  (long long)statuses[0], (long long)statuses[1], (long long)statuses[2]);
    assert_true(statuses[0] > 100 && statuses[1] > 100 && statuses[2] > 10);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(testOptimum, compareAsked),
                                       cmocka_unit_test_teardown(testExactOptimum, compareAsked)};
    return RUN_TESTS(tests, argc, argv);
}
