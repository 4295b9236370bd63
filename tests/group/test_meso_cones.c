// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What groups forbid, against rays that are held against the whole hull of discs, and against the
// velocity obstacles of their members.

#include "meso_gear.h"

#include "geom/vec2.h"

static Crowd* crowd;

static int createOne(void** state)
{
    (void)state;
    crowd = createCrowd();
    return 0;
}

static int destroyOne(void** state)
{
    (void)state;
    destroyCrowd(crowd);
    return 0;
}

// When a ray along w first meets the hull of the discs of a group, and where; negative: never. The
// hull is held against its extent in many directions.
static double timeToHull(const thMesoView* view, int32_t group, double wx, double wy)
{
    enum { directions = 1440 };
    double low = 0.0, high = 1e30;
    for (int32_t k = 0; k < directions; ++k) {
        const double angle = 6.283185307179586 * k / directions, nx = cos(angle), ny = sin(angle);
        double extent = -1e30;
        for (int32_t i = 0; i < view->agentCount; ++i) {
            const thMesoAgent* a = &view->agents[i];
            if (a->group == group)
                extent = fmax(extent,
                              nx * (double)a->place.x + ny * (double)a->place.y + (double)a->reach);
        }
        const double along = nx * wx + ny * wy;
        if (along > 1e-12)
            high = fmin(high, extent / along);
        else if (along < -1e-12)
            low = fmax(low, extent / along);
        else if (extent < 0.0)
            return -1.0;
    }
    return low <= high && high > 0.0 ? low : -1.0;
}

static bool conesAreHulls(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    thMesoDef def = usualDef();
    def.horizon = drawInt(g, 0, 1) == 0 ? 0.0f : drawFloat(g, 1.0f, 12.0f);
    drawClumps(crowd, g, size);
    thMesoObstacles obstacles;
    const thMesoView* view = look(crowd, &def, (thVec2){1.0f, 0.0f}, &obstacles);
    for (int32_t i = 0; i < obstacles.count; ++i) {
        const int32_t group = obstacles.group[i];
        const thRegion* region = &obstacles.region[i];
        thRegion endless = *region;
        endless.sides = 2;
        for (int32_t n = 0; n < 40; ++n) {
            const thVec2 v = drawVelocity(g);
            const double wx = (double)v.x - (double)view->groups[group].velocity.x;
            const double wy = (double)v.y - (double)view->groups[group].velocity.y;
            const double speed = sqrt(wx * wx + wy * wy);
            if (speed < 0.05)
                continue;
            const double time = timeToHull(view, group, wx, wy);
            const double apart = (double)beyond(&endless, v) / speed; // a sine
            if (fabs(apart) > 2e-3 && (time >= 0.0) != (apart < 0.0))
                return false;
            // Nobody who is allowed gets there within the horizon.
            if (beyond(region, v) > 2e-3f && time >= 0.0 && def.horizon > 0.0f &&
                time < 0.99 * (double)def.horizon)
                return false;
        }
    }
    return true;
}

static void conesAreThoseOfHulls(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "meso-cones",
                                 .seed = 1,
                                 .caseCount = caseCount(200, 10000),
                                 .maxSize = 40,
                                 .holds = conesAreHulls});
}

static double leastAlong(const thMesoView* view, int32_t group, double x, double y)
{
    double least = 1e30;
    for (int32_t i = 0; i < view->agentCount; ++i) {
        const thMesoAgent* a = &view->agents[i];
        if (a->group == group)
            least = fmin(least, x * (double)a->place.x + y * (double)a->place.y - (double)a->reach);
    }
    return least;
}

// It is as far as it says, and no nearer than across the middle of the cone or towards the nearest.
static bool hasGoodFront(const thMesoView* view, int32_t group, const thTangentCone* cone)
{
    const double mx = (double)cone->left.x + (double)cone->right.x;
    const double my = (double)cone->left.y + (double)cone->right.y;
    double nearest = 1e30, nx = 0.0, ny = 0.0;
    for (int32_t i = 0; i < view->agentCount; ++i) {
        const thMesoAgent* a = &view->agents[i];
        const double distance = hypot((double)a->place.x, (double)a->place.y);
        if (a->group == group && distance - (double)a->reach < nearest) {
            nearest = distance - (double)a->reach;
            nx = (double)a->place.x / distance;
            ny = (double)a->place.y / distance;
        }
    }
    const double own = leastAlong(view, group, (double)cone->front.x, (double)cone->front.y);
    const double middle = leastAlong(view, group, mx / hypot(mx, my), my / hypot(mx, my));
    return isNear((double)cone->distance, own, 1e-4) &&
           own >= leastAlong(view, group, nx, ny) - 1e-4 &&
           (hypot(mx, my) < 0.2 || own >= middle - 1e-4);
}

// Those of each member lie within the group's, and that of one alone is the velocity obstacle of a
// pair.
static bool membersAreInside(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    const thMesoDef def = usualDef();
    drawClumps(crowd, g, size);
    thMesoObstacles obstacles;
    thMesoView* view = look(crowd, &def, (thVec2){1.0f, 0.0f}, &obstacles);
    const thVec2 here = {0.0f, 0.0f};
    for (int32_t i = 0; i < view->agentCount; ++i) {
        thTangentCone all, one;
        const int32_t group = view->agents[i].group;
        const bool isOutside = thiMesoFindCone(view, group, here, &all);
        if (isOutside && !hasGoodFront(view, group, &all))
            return false;
        thMesoGroup alone = {.middle = view->agents[i].place};
        thMesoAgent member = view->agents[i];
        member.group = 0;
        const thMesoView single = {1, 1, &member, &alone};
        if (!thiMesoFindCone(&single, 0, here, &one)) {
            if (isOutside)
                return false;
            continue;
        }
        const double distance = hypot((double)member.place.x, (double)member.place.y);
        const double angle = atan2((double)member.place.y, (double)member.place.x);
        const double half = asin((double)member.reach / distance);
        if (!isNear((double)one.left.x, cos(angle + half), 1e-4) ||
            !isNear((double)one.left.y, sin(angle + half), 1e-4) ||
            !isNear((double)one.right.x, cos(angle - half), 1e-4) ||
            !isNear((double)one.right.y, sin(angle - half), 1e-4) ||
            !isNear((double)one.distance, distance - (double)member.reach, 1e-4))
            return false;
        if (isOutside &&
            (thiDet(one.left, all.left) < -1e-5f || thiDet(all.right, one.right) < -1e-5f))
            return false;
    }
    return true;
}

static void conesHoldThoseOfMembers(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "meso-members",
                                 .seed = 2,
                                 .caseCount = caseCount(300, 10000),
                                 .maxSize = 40,
                                 .holds = membersAreInside});
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(conesAreThoseOfHulls, createOne, destroyOne),
        cmocka_unit_test_setup_teardown(conesHoldThoseOfMembers, createOne, destroyOne),
    };
    return RUN_TESTS(tests, argc, argv);
}
