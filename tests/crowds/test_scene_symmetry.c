// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Scenes with orca in another place, turned, mirrored, and with agents in another order. Where
// nothing has to be rounded differently the same bits come out; elsewhere what is near stays near
// for a while, and the whole scene goes the same way on the average.

#include "avoid/orca/orca_sets.h"
#include "crowds/layout.h"
#include "gear/gear.h"
#include "sim/world_internal.h"

#include <stdlib.h>

#define TIME_STEP 0.1f
#define ANGLE 1.234 // any

static Layout layout;

static bool isLong(void)
{
    return getenv("THRONG_LONG") != NULL;
}

static void layOut(const char* scene, uint64_t seed)
{
    if (strcmp(scene, "mixed") == 0)
        layOutMixed(&layout, seed);
    else
        layOutScene(&layout, scene, seed);
}

static Placing turnedBy(double cosine, double sine, bool mirrored)
{
    Placing placing = plainPlacing();
    placing.cosine = cosine;
    placing.sine = sine;
    placing.mirrored = mirrored;
    return placing;
}

// Turns that need no rounding, and one that does.
#define TURNS 6
#define EXACT_TURNS 5

static Placing turn(int32_t number)
{
    const Placing turns[TURNS] = {
        turnedBy(0.0, 1.0, false),  turnedBy(-1.0, 0.0, false),
        turnedBy(0.0, -1.0, false), turnedBy(1.0, 0.0, true),
        turnedBy(0.0, 1.0, true),   turnedBy(cos(ANGLE), sin(ANGLE), false),
    };
    return turns[number];
}

static const char* const turnNames[TURNS] = {
    "a quarter", "a half", "three quarters", "mirrored", "mirrored and a quarter", "any angle"};

static double distanceOf(thVec2 a, thVec2 b)
{
    return hypot((double)a.x - (double)b.x, (double)a.y - (double)b.y);
}

// The call for a single agent.

static OrcaSet placeSet(const OrcaSet* set, const Placing* placing)
{
    OrcaSet placed = *set;
    placed.def.sideBias = placing->mirrored ? -set->def.sideBias : set->def.sideBias;
    placed.self.velocity = placeVector(placing, set->self.velocity);
    placed.self.wanted = placeVector(placing, set->self.wanted);
    for (int32_t i = 0; i < set->neighborCount; ++i) {
        placed.neighbors[i].position = placeVector(placing, set->neighbors[i].position);
        placed.neighbors[i].velocity = placeVector(placing, set->neighbors[i].velocity);
    }
    for (int32_t i = 0; i < set->wallCount; ++i) {
        placed.walls[i].a = placeVector(placing, set->walls[i].a);
        placed.walls[i].b = placeVector(placing, set->walls[i].b);
        placed.walls[i].velocity = placeVector(placing, set->walls[i].velocity);
    }
    return placed;
}

// Those on one point part along x, whichever way the scene is turned.
static bool hasCoincident(const OrcaSet* set)
{
    for (int32_t i = 0; i < set->neighborCount; ++i)
        if (set->neighbors[i].position.x == 0.0f && set->neighbors[i].position.y == 0.0f)
            return true;
    return false;
}

// How far the answer is from the turned answer; for other sets than those it says nothing about, 0.
static double solveTurned(SetKind kind, int32_t number, const Placing* placing)
{
    thGenerator g = makeGenerator(77 + (uint64_t)kind, (uint64_t)number);
    OrcaSet set;
    drawSet(&g, kind, number % (SET_NEIGHBORS + 1), &set);
    if (hasCoincident(&set))
        return 0.0;
    const OrcaSet placed = placeSet(&set, placing);
    thVec2 plain, other;
    thOrcaStatus plainStatus, otherStatus;
    assert_int_equal(solveSet(&set, &plain, &plainStatus), th_resultOk);
    assert_int_equal(solveSet(&placed, &other, &otherStatus), th_resultOk);
    const double distance = distanceOf(placeVector(placing, plain), other);
    return plainStatus == otherStatus ? distance : 1000.0;
}

// To the bit for quarters. A mirror exchanges left and right, and who has no reason for either
// takes the same in both; so lattices and copies, which are full of such cases, are left out. With
// any angle so are those where rounding decides between all and nothing; of the others a few have
// lines that are nearly parallel.
static void testSolve(void** state)
{
    (void)state;
    const int32_t count = isLong() ? 200000 : 5000;
    for (SetKind kind = 0; kind < set_kindCount; ++kind)
        for (int32_t t = 0; t < TURNS; ++t) {
            const Placing placing = turn(t);
            const bool hasTies = kind == set_lattice || kind == set_copies;
            const bool isTouchy = hasTies || kind == set_pieces || kind == set_extremes;
            if ((placing.mirrored && hasTies) || (t >= EXACT_TURNS && isTouchy))
                continue;
            int32_t far = 0;
            for (int32_t i = 0; i < count; ++i) {
                const double distance = solveTurned(kind, i, &placing);
                far += distance > (t < EXACT_TURNS ? 0.0 : 1e-4);
                if (far > (t < EXACT_TURNS ? 0 : count / 5000) || distance > 0.01)
                    fail_msg("%s, set %d, %s: %g m/s", setKindNames[kind], i, turnNames[t],
                             distance);
            }
        }
}

// Worlds.

// The scene as it stands, and otherwise.
typedef struct Twins {
    const char* scene;
    const char* how;
    uint64_t seed;
    Placing placing;
    thWorld *plain, *other;
    thAgentId plainIds[LAYOUT_AGENTS], otherIds[LAYOUT_AGENTS];
    int32_t step;
} Twins;

static void openTwins(Twins* twins, const char* scene, uint64_t seed, const char* how,
                      const Placing* placing)
{
    Placing plain = plainPlacing();
    plain.contacts = placing->contacts;
    twins->scene = scene;
    twins->how = how;
    twins->seed = seed;
    twins->placing = *placing;
    twins->plain = placeLayout(&layout, &plain, twins->plainIds);
    twins->other = placeLayout(&layout, placing, twins->otherIds);
    twins->step = 0;
}

static void closeTwins(Twins* twins)
{
    thDestroyWorld(twins->plain);
    thDestroyWorld(twins->other);
}

static void stepTwins(Twins* twins)
{
    assert_int_equal(thWorld_Step(twins->plain, TIME_STEP), th_resultOk);
    assert_int_equal(thWorld_Step(twins->other, TIME_STEP), th_resultOk);
    twins->step += 1;
}

static void failTwins(const Twins* twins, int32_t agent, double difference)
{
    fail_msg("%s, seed %d, contacts %s, %s: step %d, agent %d differs by %g", twins->scene,
             (int)twins->seed, twins->placing.contacts ? "on" : "off", twins->how, (int)twins->step,
             (int)agent, difference);
}

// Whether both live, or neither.
static bool bothLive(const Twins* twins, int32_t agent)
{
    const bool lives = thAgent_IsValid(twins->plain, twins->plainIds[agent]) != 0;
    if (lives != (thAgent_IsValid(twins->other, twins->otherIds[agent]) != 0))
        failTwins(twins, agent, INFINITY);
    return lives;
}

// After a step of worlds that are moved, but not turned.
static bool isSame(const Twins* twins, int32_t agent)
{
    int32_t x, y, otherX, otherY;
    thAgent_GetUnits(twins->plain, twins->plainIds[agent], &x, &y);
    thAgent_GetUnits(twins->other, twins->otherIds[agent], &otherX, &otherY);
    otherX -= (int32_t)(twins->placing.shift.x * (float)THRONG_UNITS_PER_METRE);
    otherY -= (int32_t)(twins->placing.shift.y * (float)THRONG_UNITS_PER_METRE);
    const thAgentRow plain = thAgent_Get(twins->plain, twins->plainIds[agent]);
    const thAgentRow other = thAgent_Get(twins->other, twins->otherIds[agent]);
    return x == otherX && y == otherY && sameBits(plain.velocity.x, other.velocity.x) &&
           sameBits(plain.velocity.y, other.velocity.y) && sameBits(plain.heading, other.heading) &&
           plain.flags == other.flags;
}

static double distanceOfTwins(const Twins* twins, int32_t agent)
{
    const thVec2 plain = thAgent_Get(twins->plain, twins->plainIds[agent]).position;
    const thVec2 other = thAgent_Get(twins->other, twins->otherIds[agent]).position;
    return distanceOf(plain,
                      (thVec2){other.x - twins->placing.shift.x, other.y - twins->placing.shift.y});
}

static void runSame(const char* scene, uint64_t seed, const char* how, const Placing* placing,
                    int32_t steps)
{
    static Twins twins;
    layOut(scene, seed);
    openTwins(&twins, scene, seed, how, placing);
    for (int32_t i = 0; i < steps; ++i) {
        stepTwins(&twins);
        for (int32_t agent = 0; agent < layout.agentCount; ++agent)
            if (bothLive(&twins, agent) && !isSame(&twins, agent))
                failTwins(&twins, agent, distanceOfTwins(&twins, agent));
    }
    closeTwins(&twins);
}

static const char* const sceneNames[] = {"circle-10", "circle-50", "circle-250", "crossing",
                                         "corridor",  "doorway",   "evacuation", "mixed"};
#define SCENES ((int32_t)(sizeof sceneNames / sizeof sceneNames[0]))

// Elsewhere: as long as floats can say where, which is up to 16 km, to the bit.
static void testMoved(void** state)
{
    (void)state;
    static const thVec2 shifts[] = {{LAYOUT_GRAIN, 0.0f},
                                    {-77.0f - 3.0f * LAYOUT_GRAIN, 1234.5f},
                                    {16000.0f + LAYOUT_GRAIN, -15999.75f}};
    for (uint64_t seed = 1; seed <= (isLong() ? 10 : 1); ++seed)
        for (int32_t s = 0; s < 2 * SCENES; ++s)
            for (int32_t i = 0; i < 3; ++i) {
                Placing placing = plainPlacing();
                placing.contacts = s % 2 != 0;
                placing.shift = shifts[i];
                runSame(sceneNames[s / 2], seed, "moved", &placing, isLong() ? 600 : 120);
            }
}

// Agents and obstacles created in another order, and more threads: with the same keys, nothing
// changes.
static void testOrder(void** state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= (isLong() ? 10 : 1); ++seed)
        for (int32_t s = 0; s < 2 * SCENES; ++s)
            for (uint64_t order = 1; order <= 2; ++order) {
                Placing placing = plainPlacing();
                placing.contacts = s % 2 != 0;
                placing.order = order;
                placing.workers = 2 * (int32_t)order - 1;
                runSame(sceneNames[s / 2], seed, "other order", &placing, isLong() ? 600 : 120);
            }
}

// Whether an agent has two neighbours at the same distance, as floats say.
static bool hasEqualNeighbors(const thWorld* world, const thAgentId* ids, int32_t agent)
{
    float squares[LAYOUT_AGENTS];
    int32_t count = 0, x, y, otherX, otherY;
    if (thAgent_GetUnits(world, ids[agent], &x, &y) != th_resultOk)
        return false;
    for (int32_t i = 0; i < layout.agentCount; ++i) {
        if (i == agent || thAgent_GetUnits(world, ids[i], &otherX, &otherY) != th_resultOk)
            continue;
        const float dx = (float)(otherX - x) / THRONG_UNITS_PER_METRE;
        const float dy = (float)(otherY - y) / THRONG_UNITS_PER_METRE;
        squares[count] = dx * dx + dy * dy;
        if (squares[count] > layout.profile.neighborRadius * layout.profile.neighborRadius)
            continue;
        for (int32_t k = 0; k < count; ++k)
            if (squares[k] == squares[count])
                return true;
        count += 1;
    }
    return false;
}

// Without keys of their own agents have others in another order. Without contacts only neighbours
// at the same distance stand in the order of keys, so the first who differ have such neighbours.
static void runOtherKeys(Twins* twins, int32_t steps)
{
    bool isTie[LAYOUT_AGENTS];
    bool isDone = false;
    for (int32_t i = 0; i < steps && !isDone; ++i) {
        for (int32_t agent = 0; agent < layout.agentCount; ++agent)
            isTie[agent] = hasEqualNeighbors(twins->plain, twins->plainIds, agent);
        stepTwins(twins);
        for (int32_t agent = 0; agent < layout.agentCount; ++agent) {
            if (!bothLive(twins, agent) || isSame(twins, agent))
                continue;
            isDone = true;
            if (!isTie[agent])
                failTwins(twins, agent, distanceOfTwins(twins, agent));
        }
    }
}

static void testOtherKeys(void** state)
{
    (void)state;
    static Twins twins;
    for (uint64_t seed = 1; seed <= (isLong() ? 10 : 1); ++seed)
        for (int32_t s = 0; s < SCENES; ++s) {
            Placing placing = plainPlacing();
            placing.contacts = false;
            placing.ownKeys = false;
            placing.order = seed;
            layOut(sceneNames[s], seed);
            openTwins(&twins, sceneNames[s], seed, "other keys", &placing);
            runOtherKeys(&twins, isLong() ? 600 : 120);
            closeTwins(&twins);
        }
}

// How far apart agents are, in place and velocity.
typedef struct Difference {
    double place, velocity;
} Difference;

static Difference differenceOf(const Twins* twins, int32_t agent)
{
    const thAgentRow plain = thAgent_Get(twins->plain, twins->plainIds[agent]);
    const thAgentRow other = thAgent_Get(twins->other, twins->otherIds[agent]);
    return (Difference){distanceOf(placeVector(&twins->placing, plain.position), other.position),
                        distanceOf(placeVector(&twins->placing, plain.velocity), other.velocity)};
}

static void markTouched(const thWorld* world, bool* touched)
{
    int32_t count;
    const thEvent* events = thWorld_GetEvents(world, &count);
    for (int32_t i = 0; i < count; ++i)
        if (events[i].kind == th_eventContact)
            touched[events[i].key - 1] = touched[events[i].other - 1] = true;
}

// How much the velocity of each agent changes when everybody stands up to a unit elsewhere, which
// is what rounding does.
static void measureNoise(const Placing* placing, double* noise)
{
    static Layout shaken;
    static thAgentId ids[LAYOUT_AGENTS];
    static thVec2 velocities[LAYOUT_AGENTS];
    for (uint64_t draw = 0; draw <= 8; ++draw) {
        thGenerator g = makeGenerator(6, draw);
        shaken = layout;
        for (int32_t i = 0; i < shaken.agentCount && draw > 0; ++i) {
            thVec2* position = &shaken.agents[i].def.position;
            position->x += (float)drawInt(&g, -1, 1) / THRONG_UNITS_PER_METRE;
            position->y += (float)drawInt(&g, -1, 1) / THRONG_UNITS_PER_METRE;
        }
        thWorld* world = placeLayout(&shaken, placing, ids);
        assert_int_equal(thWorld_Step(world, TIME_STEP), th_resultOk);
        for (int32_t i = 0; i < shaken.agentCount; ++i) {
            const thVec2 velocity = thAgent_Get(world, ids[i]).velocity;
            if (draw == 0)
                velocities[i] = velocity;
            noise[i] = draw == 0 ? 0.0 : fmax(noise[i], distanceOf(velocity, velocities[i]));
        }
        thDestroyWorld(world);
    }
}

// A row along a wall has many velocities that violate its lines least; which of them is taken is a
// matter of left and right.
static bool hasTie(const Twins* twins, int32_t agent)
{
    return twins->placing.mirrored &&
           thAgent_GetInfo(twins->plain, twins->plainIds[agent]).status == th_orcaRelaxed;
}

// A single step from states in the middle of scenes, the same but for what `noise` says. Velocities
// of those whom walls or movers lead elsewhere are ways in whole units. In what order bodies are
// pushed depends on cells, so those who touch come out elsewhere by a part of what they can go; the
// mixed crowd, which begins in overlaps, by anything.
static void checkStep(Twins* twins, const double* noise)
{
    bool touched[LAYOUT_AGENTS] = {false};
    stepTwins(twins);
    markTouched(twins->plain, touched);
    markTouched(twins->other, touched);
    const bool overlaps = strcmp(twins->scene, "mixed") == 0;
    const double unit = 1.0 / ((double)TIME_STEP * THRONG_UNITS_PER_METRE);
    const double mostVelocity = 1e-4 + (layout.obstacleCount > 0 ? unit : 0.0);
    for (int32_t i = 0; i < layout.agentCount; ++i) {
        if (!bothLive(twins, i) || hasTie(twins, i))
            continue;
        const Difference difference = differenceOf(twins, i);
        if (touched[i] && !overlaps && difference.place > 0.1)
            failTwins(twins, i, difference.place);
        if (!touched[i] &&
            difference.velocity > mostVelocity + (noise != NULL ? 3.0 * noise[i] : 0.0))
            failTwins(twins, i, difference.velocity);
    }
}

static void testTurnedSteps(void** state)
{
    (void)state;
    static Twins twins;
    const int32_t moments = isLong() ? 12 : 3;
    for (int32_t s = 0; s < 2 * SCENES; ++s)
        for (int32_t moment = 0; moment < moments; ++moment) {
            layOut(sceneNames[s / 2], 1);
            Placing plain = plainPlacing();
            plain.contacts = s % 2 != 0;
            static thAgentId ids[LAYOUT_AGENTS];
            thWorld* world = placeLayout(&layout, &plain, ids);
            for (int32_t i = 0; i < 45 * moment; ++i)
                assert_int_equal(thWorld_Step(world, TIME_STEP), th_resultOk);
            captureAgents(&layout, world, ids);
            thDestroyWorld(world);
            // Who leans against a wall might stand in it if both were rounded.
            const bool canBeRounded = layout.obstacleCount == 0 || moment == 0;
            static double noise[LAYOUT_AGENTS];
            if (canBeRounded)
                measureNoise(&plain, noise);
            for (int32_t t = 0; t < (canBeRounded ? TURNS : EXACT_TURNS); ++t) {
                Placing placing = turn(t);
                placing.contacts = plain.contacts;
                openTwins(&twins, sceneNames[s / 2], 1, turnNames[t], &placing);
                twins.step = 45 * moment;
                checkStep(&twins, t < EXACT_TURNS ? NULL : noise);
                closeTwins(&twins);
            }
        }
}

// The first 20 steps, with contacts until the first of them.
static void checkStart(Twins* twins, int32_t mostFar)
{
    for (int32_t i = 0; i < 20; ++i) {
        stepTwins(twins);
        if (thWorld_GetCounters(twins->plain).contacts > 0 ||
            thWorld_GetCounters(twins->other).contacts > 0)
            return;
        int32_t far = 0;
        for (int32_t agent = 0; agent < layout.agentCount; ++agent) {
            const double place = bothLive(twins, agent) ? differenceOf(twins, agent).place : 0.0;
            far += place > 1e-3;
            if (far > mostFar)
                failTwins(twins, agent, place);
        }
    }
}

// An angle shakes everybody a little. In crowds that grows, as it does without an angle: then it is
// most agents that stay near.
static void testTurnedStarts(void** state)
{
    (void)state;
    static Twins twins;
    for (uint64_t seed = 1; seed <= (isLong() ? 10 : 1); ++seed)
        for (int32_t s = 0; s < 2 * SCENES; ++s) {
            layOut(sceneNames[s / 2], seed);
            for (int32_t t = 0; t < TURNS; ++t) {
                Placing placing = turn(t);
                placing.contacts = s % 2 != 0;
                openTwins(&twins, sceneNames[s / 2], seed, turnNames[t], &placing);
                checkStart(&twins, t < EXACT_TURNS ? 0 : layout.agentCount / 3);
                closeTwins(&twins);
            }
        }
}

// How scenes go on the whole.

typedef struct Course {
    int32_t arrived;
    double meanTime; // of arrival [s]
} Course;

static const char* placeName(int32_t number)
{
    return number < TURNS ? turnNames[number] : number == TURNS ? "moved" : "as it stands";
}

static Course runCourse(const Placing* placing, int32_t steps)
{
    static thAgentId ids[LAYOUT_AGENTS];
    static double times[LAYOUT_AGENTS]; // of the last arrival; 0: none
    memset(times, 0, sizeof times);
    thWorld* world = placeLayout(&layout, placing, ids);
    for (int32_t i = 1; i <= steps; ++i) {
        assert_int_equal(thWorld_Step(world, TIME_STEP), th_resultOk);
        int32_t count;
        const thEvent* events = thWorld_GetEvents(world, &count);
        for (int32_t k = 0; k < count; ++k)
            if (events[k].kind == th_eventArrived)
                times[events[k].key - 1] = i * (double)TIME_STEP;
    }
    thDestroyWorld(world);
    Course course = {0, 0.0};
    for (int32_t i = 0; i < layout.agentCount; ++i) {
        course.arrived += times[i] > 0.0;
        course.meanTime += times[i] / layout.agentCount;
    }
    return course;
}

// Everybody arrives, and the mean over some seeds of when they do is the same within a share.
static void compareCourses(const char* scene, bool contacts, int32_t steps, uint64_t seeds,
                           double share)
{
    double means[TURNS + 2] = {0.0};
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
        layOut(scene, seed);
        for (int32_t t = 0; t < TURNS + 2; ++t) {
            Placing placing = t < TURNS ? turn(t) : plainPlacing();
            placing.contacts = contacts;
            if (t == TURNS)
                placing.shift = (thVec2){8192.25f, -1234.5f};
            const Course course = runCourse(&placing, steps);
            if (course.arrived < layout.agentCount)
                fail_msg("%s, seed %d, contacts %s, %s: %d of %d arrived", scene, (int)seed,
                         contacts ? "on" : "off", placeName(t), (int)course.arrived,
                         (int)layout.agentCount);
            means[t] += course.meanTime / (double)seeds;
        }
    }
    double worst = 0.0;
    for (int32_t t = 0; t <= TURNS; ++t) {
        const double off = fabs(means[t] / means[TURNS + 1] - 1.0);
        worst = fmax(worst, off);
        if (off > share)
            fail_msg("%s, contacts %s, %s: arrive after %.2f s instead of %.2f s", scene,
                     contacts ? "on" : "off", placeName(t), means[t], means[TURNS + 1]);
    }
    print_message("%s, contacts %s: arrive after %.2f s, others within %.1f %%\n", scene,
                  contacts ? "on" : "off", means[TURNS + 1], 100.0 * worst);
}

static void testCourses(void** state)
{
    (void)state;
    for (int32_t contacts = 0; contacts < 2; ++contacts)
        if (isLong()) {
            // One of these 256 runs takes 53 s: somebody is carried along by the other stream.
            compareCourses("crossing", contacts != 0, 700, 16, 0.01);
            compareCourses("circle-250", contacts != 0, 1500, 16, 0.05);
            compareCourses("evacuation", contacts != 0, 1200, 16, 0.03);
        } else {
            compareCourses("crossing", contacts != 0, 500, 2, 0.01);
            compareCourses("circle-250", contacts != 0, 1500, 2, 0.15);
            compareCourses("evacuation", contacts != 0, 1200, 1, 0.08);
        }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testSolve),       cmocka_unit_test(testMoved),
        cmocka_unit_test(testOrder),       cmocka_unit_test(testOtherKeys),
        cmocka_unit_test(testTurnedSteps), cmocka_unit_test(testTurnedStarts),
        cmocka_unit_test(testCourses),
    };
    return RUN_TESTS(tests, argc, argv);
}
