// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Paths of `visibility` and of `flow` in random worlds, held against the shortest ones: gaps near
// the width of the body, places at corners, in gaps and outside of all walls; at rest and on the
// way. With THRONG_LONG many more worlds.

#include "plan/disc_oracle.h"
#include "plan/plan_gear.h"
#include "throng/flow.h"

#define MOST_WALLS 256
#define QUERIES 20
#define MOST_LEGS 128

// A world with its walls as the oracle sees them.
typedef struct Place {
    thWorld* world;
    DiscWall walls[MOST_WALLS];
    int32_t count;
    float radius, extent;
} Place;

// A multiple of 1/64 m, so that both sides see the same.
static float snap(float value)
{
    return roundf(value * 64.0f) / 64.0f;
}

// Whether an outline turns back on itself somewhere: such spikes are cut off.
static bool hasSpike(const thVec2* points, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        const thVec2 a = points[i], b = points[(i + 1) % count], c = points[(i + 2) % count];
        const float ux = b.x - a.x, uy = b.y - a.y, vx = c.x - b.x, vy = c.y - b.y;
        if (ux * vy == uy * vx && ux * vx + uy * vy < 0.0f)
            return true;
    }
    return false;
}

static bool addShape(Place* place, thObstacleKind kind, const thVec2* points, int32_t count)
{
    const int32_t edges = kind == th_obstacleWall ? count - 1 : count;
    thObstacleId id;
    if (place->count + edges > MOST_WALLS || (kind != th_obstacleWall && hasSpike(points, count)))
        return false;
    listen(); // those that cross themselves are refused
    const bool added = tryObstacle(place->world, kind, 0, points, count, &id);
    (void)heard();
    thSetHooks(NULL);
    for (int32_t i = 0; i < edges && added; ++i) {
        const thVec2 a = points[i], b = points[(i + 1) % count];
        place->walls[place->count++] =
            (DiscWall){(double)a.x, (double)a.y, (double)b.x, (double)b.y};
    }
    return added;
}

// A polygon with one vertex at a place, from where it reaches along a direction; a wall at times.
static void addAlong(Place* place, thGenerator* g, thVec2 at, float direction)
{
    thVec2 points[6];
    const bool wall = drawInt(g, 0, 4) == 0;
    const int32_t count = wall ? drawInt(g, 2, 3) : drawInt(g, 3, 6);
    const float size = drawFloat(g, 0.5f, 3.0f);
    points[0] = at;
    for (int32_t i = 1; i < count; ++i) { // in the order of angles about the place
        const float share = ((float)i - drawUnit(g)) / (float)(count - 1);
        const float angle = direction + (share - 0.5f) * drawFloat(g, 1.5f, 3.1f);
        const float reach = size * drawFloat(g, 0.3f, 1.0f);
        points[i] = (thVec2){snap(at.x + reach * cosf(angle)), snap(at.y + reach * sinf(angle))};
    }
    (void)addShape(place, wall ? th_obstacleWall : th_obstacleSolid, points, count);
}

static thVec2 drawPlace(thGenerator* g, float extent)
{
    return (thVec2){snap(drawFloat(g, -extent, extent)), snap(drawFloat(g, -extent, extent))};
}

static void addScattered(Place* place, thGenerator* g, int32_t size)
{
    for (int32_t i = 0; i < size; ++i)
        addAlong(place, g, drawPlace(g, place->extent), drawFloat(g, 0.0f, 6.28f));
}

// Each next to an earlier one, with a gap about as wide as the body.
static void addWithGaps(Place* place, thGenerator* g, int32_t size)
{
    for (int32_t i = 0; i < size; ++i) {
        const float direction = drawFloat(g, 0.0f, 6.28f);
        thVec2 at = drawPlace(g, place->extent);
        if (place->count > 0 && drawInt(g, 0, 4) > 0) {
            const DiscWall* wall = &place->walls[drawInt(g, 0, place->count - 1)];
            const float gap = place->radius * drawFloat(g, 1.95f, 3.2f);
            const float share = drawInt(g, 0, 2) > 0 ? 0.0f : drawUnit(g);
            at.x = snap((float)(wall->ax + (double)share * (wall->bx - wall->ax)) +
                        gap * cosf(direction));
            at.y = snap((float)(wall->ay + (double)share * (wall->by - wall->ay)) +
                        gap * sinf(direction));
        }
        addAlong(place, g, at, direction + drawFloat(g, -0.7f, 0.7f));
    }
}

// Boxes that touch, share edges and leave gaps of whole metres, with corners on one line.
static void addBoxes(Place* place, thGenerator* g, int32_t size)
{
    for (int32_t i = 0; i < size; ++i) {
        const thVec2 at = drawPlace(g, place->extent);
        const float x = roundf(at.x), y = roundf(at.y);
        const float wide = (float)drawInt(g, 1, 4), high = (float)drawInt(g, 1, 4);
        const thVec2 points[] = {{x, y}, {x + wide, y}, {x + wide, y + high}, {x, y + high}};
        if (drawInt(g, 0, 3) == 0)
            (void)addShape(place, th_obstacleWall, points, drawInt(g, 2, 4));
        else
            (void)addShape(place, th_obstacleSolid, points, 4);
    }
}

// Walls across a corridor, from one side and from the other.
static void addChicane(Place* place, thGenerator* g, int32_t size)
{
    const float half = place->radius * drawFloat(g, 2.0f, 4.0f);
    float x = -place->extent;
    for (int32_t i = 0; i < size; ++i) {
        x += place->radius * drawFloat(g, 1.95f, 4.0f);
        const float side = drawInt(g, 0, 1) == 0 ? -1.0f : 1.0f;
        const float tip = side * (half - place->radius * drawFloat(g, 1.95f, 3.5f));
        const float slant = drawFloat(g, -1.0f, 1.0f);
        const thVec2 points[] = {{snap(x), snap(tip)},
                                 {snap(x + slant), snap(side * half * 2.0f)},
                                 {snap(x + slant + 0.5f), snap(side * half * 2.0f)}};
        (void)addShape(place, drawInt(g, 0, 1) == 0 ? th_obstacleWall : th_obstacleSolid, points,
                       drawInt(g, 2, 3));
    }
    for (int32_t i = -1; i < 2; i += 2) {
        const thVec2 wall[] = {{-place->extent, snap((float)i * half)},
                               {place->extent, snap((float)i * half)}};
        (void)addShape(place, th_obstacleWall, wall, 2);
    }
}

static void openWorld(Place* place)
{
    thWorldDef def = thDefaultWorldDef();
    def.workerCount = 1;
    def.contacts = 0; // whoever asks stays where it is
    assert_ok(thCreateWorld(&def, &place->world));
}

static Place drawWorld(thGenerator* g, int32_t size)
{
    Place place = {.extent = 3.0f + 0.5f * (float)size};
    openWorld(&place);
    place.radius =
        drawInt(g, 0, 3) > 0 ? (float)drawInt(g, 10, 64) / 64.0f : drawFloat(g, 0.125f, 1.0f);
    const int32_t kind = drawInt(g, 0, 6);
    if (kind == 6) {
        const float reach = place.extent + 2.0f;
        const thVec2 room[] = {{-reach, -reach}, {reach, -reach}, {reach, reach}, {-reach, reach}};
        (void)addShape(&place, th_obstacleRoom, room, 4);
    }
    if (kind == 0)
        addScattered(&place, g, size);
    else if (kind == 1)
        addBoxes(&place, g, size);
    else if (kind == 2)
        addChicane(&place, g, size);
    else
        addWithGaps(&place, g, size);
    return place;
}

// Anywhere, at a corner, between two corners, or outside of all walls.
static thVec2 drawEnd(thGenerator* g, const Place* place)
{
    const int32_t kind = place->count > 0 ? drawInt(g, 0, 7) : 0;
    const DiscWall* wall = &place->walls[place->count > 0 ? drawInt(g, 0, place->count - 1) : 0];
    const DiscWall* other = &place->walls[place->count > 0 ? drawInt(g, 0, place->count - 1) : 0];
    const float angle = drawFloat(g, 0.0f, 6.28f);
    const float far = place->extent + drawFloat(g, 3.0f, 9.0f);
    switch (kind) {
    case 0:
    case 1:
        return drawPlace(g, place->extent + 3.0f);
    case 2:
        return (thVec2){far * cosf(angle) * 1.41f, far * sinf(angle) * 1.41f};
    case 3:
        return (thVec2){(float)(0.5 * (wall->ax + other->ax)),
                        (float)(0.5 * (wall->ay + other->ay))};
    default: {
        const float reach = place->radius * (1.0f + drawUnit(g) * drawUnit(g)) + 0.01f;
        return (thVec2){(float)wall->ax + reach * cosf(angle),
                        (float)wall->ay + reach * sinf(angle)};
    }
    }
}

#define PLANNERS 2
static const char* const planners[PLANNERS] = {"visibility", "flow"};

typedef struct Query {
    thVec2 from, to;
    thAgentId agent[PLANNERS];
} Query;

typedef struct Tally {
    int64_t asked, bent, none;
    double sum, most; // longer than the shortest path, in radii for each corner
    double nearest;   // by how much legs are nearer to walls than the radius [m]
    double remaining; // by how much agents say more than the path that is told [m]
} Tally;

static bool isSolid(Place* place, thVec2 p)
{
    const thFrame frame = frameOf(place->world);
    const thPoint at = pointAt((double)p.x, (double)p.y);
    return thFrame_IsSolid(&frame, 0, at.x, at.y);
}

static bool drawRoomy(thGenerator* g, Place* place, double room, thVec2* p)
{
    for (int32_t i = 0; i < 100; ++i) {
        *p = drawEnd(g, place);
        if (distanceOfLeg(place->walls, place->count, (double)p->x, (double)p->y, (double)p->x,
                          (double)p->y) >= room &&
            !isSolid(place, *p))
            return true;
    }
    return false;
}

static thAgentId addAsker(const Place* place, thProfileId profile, thVec2 from, thGoalId goal,
                          uint32_t flags)
{
    thAgentDef def = thDefaultAgentDef();
    def.profile = profile;
    def.position = from;
    def.flags = flags;
    def.goal = goal;
    def.radius = place->radius;
    thAgentId id;
    assert_ok(thCreateAgent(place->world, &def, &id));
    return id;
}

// Nodes of the grid of `flow` are so far apart; gaps that are half again as much wider than the
// body are found. [m]
#define CELL 0.125

// How much longer paths may be than the shortest ones. Those of `visibility` go round corners along
// polygons, those of `flow` from node to node.
static double toleranceOf(int32_t planner, double radius, const DiscPath* most)
{
    return planner == 0 ? 0.9 * radius * most->corners + 0.002
                        : 0.01 * most->length + 0.1 * radius * most->corners + 0.02;
}

static bool isSound(const Place* place, const Query* q, int32_t planner, const DiscPath* least,
                    const DiscPath* most, Tally* tally)
{
    const double radius = (double)place->radius;
    thVec2 points[MOST_LEGS];
    const thPath path = pathOf(place->world, q->agent[planner], points, MOST_LEGS);
    tally->asked += 1;
    if (path.answer != th_planComplete) {
        tally->none += 1;
        return most->length == INFINITY;
    }
    const double excess = path.length - most->length;
    if (most->length < INFINITY && most->corners > 0) {
        tally->bent += 1;
        tally->sum += excess / radius / most->corners;
        tally->most = fmax(tally->most, excess / radius / most->corners);
    }
    double nearest = INFINITY;
    for (int32_t i = 0; i + 1 < path.pointCount && i + 1 < MOST_LEGS; ++i)
        nearest = fmin(nearest, distanceOfLeg(place->walls, place->count, (double)points[i].x,
                                              (double)points[i].y, (double)points[i + 1].x,
                                              (double)points[i + 1].y));
    tally->nearest = fmax(tally->nearest, radius - nearest);
    const double remaining = (double)thAgent_GetInfo(place->world, q->agent[planner]).remaining;
    tally->remaining = fmax(tally->remaining, remaining - path.length);
    const bool good = nearest >= radius - 0.001 && excess <= toleranceOf(planner, radius, most) &&
                      path.length >= least->length - 0.0005 - 0.0002 * least->length;
    if (!good)
        print_message("%s, radius %.6f, from %.6f %.6f to %.6f %.6f: %.4f m, between %.4f and %.4f "
                      "round %d corners, %.4f from walls\n",
                      planners[planner], radius, (double)q->from.x, (double)q->from.y,
                      (double)q->to.x, (double)q->to.y, path.length, least->length, most->length,
                      most->corners, nearest);
    return good;
}

static void addPlanners(const Place* place, thProfileId* profiles)
{
    thFlowDef flow = thDefaultFlowDef();
    flow.cell = (float)CELL;
    flow.fields = QUERIES;
    flow.rate = 1000000000;
    profiles[0] = addPlanner(place->world, "visibility", NULL, "none");
    profiles[1] = addPlanner(place->world, "flow", &flow, "none");
}

// How near to walls `visibility` goes: radii are rounded up, and paths keep a little more.
static double roomFor(const Place* place)
{
    return ceil((double)place->radius * 64.0) / 64.0 + 0x1p-9;
}

// Agents of all planners at random places with room; in half of the worlds several share a goal.
static int32_t addQueries(thGenerator* g, Place* place, uint32_t flags, Query* queries)
{
    const bool shares = drawInt(g, 0, 1) == 0;
    const double room = roomFor(place);
    thProfileId profiles[PLANNERS];
    thVec2 goal = {0};
    thGoalId goalId = {0};
    int32_t count = 0;
    addPlanners(place, profiles);
    for (int32_t i = 0; i < QUERIES; ++i) {
        Query* q = &queries[count];
        if (i == 0 || !shares || i % 5 == 0) {
            if (!drawRoomy(g, place, room, &goal))
                continue;
            goalId = pointGoal(place->world, goal.x, goal.y);
        }
        q->to = goal;
        if (!drawRoomy(g, place, room, &q->from))
            continue;
        for (int32_t k = 0; k < PLANNERS; ++k)
            q->agent[k] = addAsker(place, profiles[k], q->from, goalId, flags);
        count += 1;
    }
    return count;
}

static bool holdsAtRest(thGenerator* g, int32_t size, void* context)
{
    Tally* tallies = context;
    Place place = drawWorld(g, size);
    Query queries[QUERIES];
    const int32_t count = addQueries(g, &place, th_agentWaiting, queries);
    stepWorld(place.world, 12);
    const double room = roomFor(&place);
    DiscOracle* lower = makeDiscOracle(place.walls, place.count, (double)place.radius, lowerBound);
    DiscOracle* upper = makeDiscOracle(place.walls, place.count, room, upperBound);
    DiscOracle* wide = makeDiscOracle(place.walls, place.count, room + 0.75 * CELL, upperBound);
    bool good = true;
    for (int32_t i = 0; i < count && good; ++i) {
        const Query* q = &queries[i];
        const DiscPath least = findDiscPath(lower, q->from, q->to);
        const DiscPath most = findDiscPath(upper, q->from, q->to);
        const DiscPath widest = findDiscPath(wide, q->from, q->to);
        good = isSound(&place, q, 0, &least, &most, &tallies[0]) &&
               isSound(&place, q, 1, &least, &widest, &tallies[1]);
    }
    freeDiscOracle(lower);
    freeDiscOracle(upper);
    freeDiscOracle(wide);
    thDestroyWorld(place.world);
    return good;
}

// Agents on their way: what they say is left is not more than the path from where they are.
static bool holdsOnTheWay(thGenerator* g, int32_t size, void* context)
{
    int64_t* looked = context;
    Place place = drawWorld(g, size);
    Query queries[QUERIES];
    const int32_t count = addQueries(g, &place, 0, queries);
    const double room = roomFor(&place);
    DiscOracle* upper = makeDiscOracle(place.walls, place.count, room, upperBound);
    DiscOracle* wide = makeDiscOracle(place.walls, place.count, room + 0.75 * CELL, upperBound);
    bool good = true;
    for (int32_t step = 0; step < 60 && good; step += 4) {
        thVec2 before[QUERIES][PLANNERS]; // what is left is as of the beginning of a step
        stepWorld(place.world, step == 0 ? 12 : 3);
        for (int32_t i = 0; i < count * PLANNERS; ++i)
            (void)pathOf(place.world, queries[i / PLANNERS].agent[i % PLANNERS],
                         &before[i / PLANNERS][i % PLANNERS], 1);
        stepWorld(place.world, 1);
        for (int32_t i = 0; i < count * PLANNERS && good; ++i) {
            const int32_t planner = i % PLANNERS;
            const Query* q = &queries[i / PLANNERS];
            if (hasArrived(place.world, q->agent[planner]))
                continue;
            const DiscPath most =
                findDiscPath(planner == 0 ? upper : wide, before[i / PLANNERS][planner], q->to);
            // From one look to the next an agent may pass a corner.
            good = (double)thAgent_GetInfo(place.world, q->agent[planner]).remaining <=
                   most.length + toleranceOf(planner, (double)place.radius, &most) +
                       0.9 * (double)place.radius;
            *looked += 1;
            if (!good)
                print_message(
                    "%s, radius %.6f, at %.6f %.6f to %.6f %.6f: %.4f m of %.4f\n",
                    planners[planner], (double)place.radius,
                    (double)before[i / PLANNERS][planner].x,
                    (double)before[i / PLANNERS][planner].y, (double)q->to.x, (double)q->to.y,
                    (double)thAgent_GetInfo(place.world, q->agent[planner]).remaining, most.length);
        }
    }
    freeDiscOracle(upper);
    freeDiscOracle(wide);
    thDestroyWorld(place.world);
    return good;
}

#define OFF_WALL 0.005 // a little off the wall there is room for every planner [m]

// A place where the body touches a wall, and one a little off it.
static bool drawTouching(thGenerator* g, Place* place, thVec2* p, thVec2* off)
{
    for (int32_t i = 0; i < 20 && place->count > 0; ++i) {
        const DiscWall* wall = &place->walls[drawInt(g, 0, place->count - 1)];
        const double dx = wall->bx - wall->ax, dy = wall->by - wall->ay, length = hypot(dx, dy);
        const double side = drawInt(g, 0, 1) == 0 ? 1.0 : -1.0;
        const double along = length * (double)drawUnit(g) * (double)drawUnit(g); // near its end
        const double nx = -side * dy / length, ny = side * dx / length;
        const double x = wall->ax + along * dx / length, y = wall->ay + along * dy / length;
        const double reach = (double)place->radius, further = roomFor(place) + OFF_WALL;
        *p = (thVec2){(float)(x + reach * nx), (float)(y + reach * ny)};
        *off = (thVec2){(float)(x + further * nx), (float)(y + further * ny)};
        if (distanceOfLeg(place->walls, place->count, (double)p->x, (double)p->y, (double)off->x,
                          (double)off->y) >= reach - 1e-5 &&
            distanceOfLeg(place->walls, place->count, (double)off->x, (double)off->y,
                          (double)off->x, (double)off->y) >= roomFor(place) &&
            thWorld_IsFree(place->world, *p, place->radius, 0))
            return true;
    }
    return false;
}

// Who touches a wall has no longer path than a little off it.
static bool holdsTouching(thGenerator* g, int32_t size, void* context)
{
    int64_t* looked = context;
    Place place = drawWorld(g, size);
    const double room = roomFor(&place);
    Query queries[QUERIES];
    thVec2 off[QUERIES];
    int32_t count = 0;
    thProfileId profiles[PLANNERS];
    addPlanners(&place, profiles);
    for (int32_t i = 0; i < QUERIES; ++i) {
        Query* q = &queries[count];
        if (!drawRoomy(g, &place, room, &q->to) || !drawTouching(g, &place, &q->from, &off[count]))
            continue;
        q->agent[0] = addAsker(&place, profiles[0], q->from,
                               pointGoal(place.world, q->to.x, q->to.y), th_agentWaiting);
        count += 1;
    }
    stepWorld(place.world, 12);
    DiscOracle* upper = makeDiscOracle(place.walls, place.count, room, upperBound);
    bool good = true;
    for (int32_t i = 0; i < count && good; ++i) {
        const DiscPath most = findDiscPath(upper, off[i], queries[i].to);
        const thPath path = pathOf(place.world, queries[i].agent[0], NULL, 0);
        *looked += most.length < INFINITY;
        good = most.length == INFINITY ||
               path.length <= most.length + toleranceOf(0, (double)place.radius, &most) +
                                  (room - (double)place.radius) + OFF_WALL;
        if (!good)
            print_message("radius %.6f, from %.6f %.6f to %.6f %.6f: %.4f m of %.4f\n",
                          (double)place.radius, (double)queries[i].from.x,
                          (double)queries[i].from.y, (double)queries[i].to.x,
                          (double)queries[i].to.y, path.length, most.length);
    }
    freeDiscOracle(upper);
    thDestroyWorld(place.world);
    return good;
}

static void testTouching(void** state)
{
    (void)state;
    int64_t looked = 0;
    assertProperty(&(thProperty){.name = "pathsOfThoseWhoTouchWalls",
                                 .seed = 73,
                                 .caseCount = caseCount(100, 6000),
                                 .maxSize = 14,
                                 .holds = holdsTouching,
                                 .context = &looked});
    print_message("%lld places beside walls\n", (long long)looked);
    assert_true(looked > 100);
}

static void testAtRest(void** state)
{
    (void)state;
    Tally tallies[PLANNERS] = {0};
    assertProperty(&(thProperty){.name = "pathsAtRest",
                                 .seed = 71,
                                 .caseCount = caseCount(100, 6000),
                                 .maxSize = 14,
                                 .holds = holdsAtRest,
                                 .context = tallies});
    for (int32_t i = 0; i < PLANNERS; ++i) {
        const Tally* t = &tallies[i];
        print_message(
            "%s: %lld paths, of which %lld bend, %lld without; for each corner %.3f radii "
            "more than the shortest on average, %.3f at most; %.2f mm nearer to walls "
            "than the radius, and %.0f mm more remain than are told, at most\n",
            planners[i], (long long)t->asked, (long long)t->bent, (long long)t->none,
            t->sum / (double)t->bent, t->most, 1000.0 * t->nearest, 1000.0 * t->remaining);
        assert_true(t->bent > t->asked / 8);
    }
}

static void testOnTheWay(void** state)
{
    (void)state;
    int64_t looked = 0;
    assertProperty(&(thProperty){.name = "pathsOnTheWay",
                                 .seed = 72,
                                 .caseCount = caseCount(20, 1000),
                                 .maxSize = 14,
                                 .holds = holdsOnTheWay,
                                 .context = &looked});
    print_message("%lld places on the way\n", (long long)looked);
}

static Place makePlace(float radius)
{
    Place place = {.radius = radius, .extent = 10.0f};
    openWorld(&place);
    return place;
}

// What both planners answer.
static void ask(Place* place, thVec2 from, thVec2 to, thPath* paths)
{
    thProfileId profiles[PLANNERS];
    addPlanners(place, profiles);
    const thGoalId goal = pointGoal(place->world, to.x, to.y);
    for (int32_t i = 0; i < PLANNERS; ++i) {
        const thAgentId agent = addAsker(place, profiles[i], from, goal, th_agentWaiting);
        stepWorld(place->world, 12);
        paths[i] = pathOf(place->world, agent, NULL, 0);
    }
}

// Between two triangles, from one place to another: how much longer than the shortest path is that
// of `visibility`? [radii]
static double excessBetween(float radius, const thVec2* one, const thVec2* other, thVec2 from,
                            thVec2 to)
{
    Place place = makePlace(radius);
    assert_true(addShape(&place, th_obstacleSolid, one, 3));
    assert_true(addShape(&place, th_obstacleSolid, other, 3));
    thPath paths[PLANNERS];
    ask(&place, from, to, paths);
    DiscOracle* upper = makeDiscOracle(place.walls, place.count, roomFor(&place), upperBound);
    const double most = findDiscPath(upper, from, to).length;
    freeDiscOracle(upper);
    thDestroyWorld(place.world);
    assert_int_equal(paths[0].answer, th_planComplete);
    return (paths[0].length - most) / (double)radius;
}

static void testGaps(void** state)
{
    (void)state;
    // Nodes on both sides of a gap reach into each other.
    const thVec2 right[] = {{-3.859375f, 0.21875f}, {-2.5f, 0.921875f}, {-3.921875f, 1.734375f}};
    const thVec2 left[] = {{-5.984375f, -0.453125f}, {-5.453125f, -0.109375f}, {-5.6875f, 0.5f}};
    const thVec2 from = {-5.621919f, 4.199934f}, to = {-2.609375f, -1.804688f};
    assert_true(excessBetween(0.796875f, right, left, from, to) < 0.9);
    // A leg cuts off the node of one corner, and bends away from that of the other.
    const thVec2 above[] = {{-0.796875f, 1.734375f}, {-0.515625f, 1.125f}, {-0.109375f, 1.578125f}};
    const thVec2 below[] = {{-0.453125f, -0.0625f}, {-1.09375f, -2.015625f}, {1.0625f, -0.46875f}};
    const thVec2 west = {-12.767708f, -4.033068f}, east = {7.296875f, 1.9375f};
    assert_true(excessBetween(0.527574f, above, below, west, east) < 0.9);
}

// A goal or a start between the arc round a corner and its node: paths do not go out to that.
static void testBetweenArcAndNode(void** state)
{
    (void)state;
    const thVec2 corner[] = {{0.0f, 0.0f}, {-4.0f, 0.0f}, {0.0f, -4.0f}};
    const thVec2 far[] = {{0.0f, 20.0f}, {1.0f, 20.0f}, {0.0f, 21.0f}};
    const thVec2 beside = {-3.0f, 0.8f}, tip = {0.54f, 0.54f}, below = {0.8f, -3.0f};
    assert_true(excessBetween(0.75f, corner, far, beside, tip) < 0.2);
    assert_true(excessBetween(0.75f, corner, far, tip, beside) < 0.2);
    assert_true(excessBetween(0.75f, corner, far, tip, below) < 0.2);
    assert_true(excessBetween(0.75f, corner, far, beside, below) < 0.45);
}

// A point goal nearer to a wall than the body can come: all planners say so.
static void testGoalWithoutRoom(void** state)
{
    (void)state;
    const float distances[] = {0.1f, 0.24f, 0.2505f, 0.252f, 0.3f};
    for (int32_t i = 0; i < 5; ++i) {
        Place place = makePlace(0.25f);
        const thVec2 wall[] = {{-3.0f, 0.0f}, {3.0f, 0.0f}};
        assert_true(addShape(&place, th_obstacleWall, wall, 2));
        thPath paths[PLANNERS];
        ask(&place, (thVec2){-1.0f, 3.0f}, (thVec2){1.0f, distances[i]}, paths);
        for (int32_t k = 0; k < PLANNERS; ++k) {
            assert_int_equal(paths[k].answer, i < 3 ? th_planPartial : th_planComplete);
            assert_true((paths[k].why != NULL) == (i < 3));
        }
        thDestroyWorld(place.world);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testAtRest),
        cmocka_unit_test(testTouching),
        cmocka_unit_test(testOnTheWay),
        cmocka_unit_test(testGaps),
        cmocka_unit_test(testBetweenArcAndNode),
        cmocka_unit_test(testGoalWithoutRoom),
    };
    return RUN_TESTS(tests, argc, argv);
}
