// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The choice among what groups forbid, against dense samples of all velocities, and seen in
// mirrors; which groups are no obstacle; and agents' turns.

#include "meso_gear.h"

#include "geom/vec2.h"
#include "group/group_methods.h"

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

// The distance from the wanted velocity of the best sample that is well outside of the first so
// many regions; 1e30: there is none.
static double bestSample(const thMesoObstacles* obstacles, int32_t count, thVec2 wanted)
{
    double best = 1e30;
    for (int32_t r = 0; r <= 40; ++r)
        for (int32_t k = 0; k < 120; ++k) {
            const float speed = SPEED_LIMIT * (float)r / 40.0f;
            const float angle = 6.2831853f * (float)k / 120.0f;
            const thVec2 v = {speed * cosf(angle), speed * sinf(angle)};
            bool isFree = true;
            for (int32_t i = 0; i < count && isFree; ++i)
                isFree = beyond(&obstacles->region[i], v) > 1e-4f;
            if (isFree)
                best = fmin(best, apartFrom(v, wanted));
        }
    return best;
}

static bool isOptimal(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    thMesoDef def = usualDef();
    def.horizon = drawInt(g, 0, 1) == 0 ? 0.0f : drawFloat(g, 2.0f, 12.0f);
    drawClumps(crowd, g, size);
    const thVec2 wanted = drawVelocity(g);
    thMesoObstacles obstacles;
    const thMesoView* view = look(crowd, &def, wanted, &obstacles);
    const thMesoQuery query = queryOf(crowd, &def, wanted);
    const thMesoChoice choice = thiMesoChoose(&query, view, &obstacles, 0, th_mesoNone);
    const thDisc limit = {{0.0f, 0.0f}, SPEED_LIMIT};
    const thVec2 nearest = thiNearestInDisc(wanted, &limit);
    float least = 1e30f;
    for (int32_t i = 0; i < choice.left; ++i) {
        least = fminf(least, beyond(&obstacles.region[i], nearest));
        if (!choice.isWanted && beyond(&obstacles.region[i], choice.velocity) < -1e-4f)
            return false; // inside
    }
    if (least > 0.0f)
        return choice.isWanted && sameBits(choice.velocity.x, wanted.x) &&
               sameBits(choice.velocity.y, wanted.y);
    // Groups are dropped only where all is forbidden.
    if (choice.left < obstacles.count && bestSample(&obstacles, choice.left + 1, wanted) < 1e29)
        return false;
    if (choice.isWanted)
        return least > -1e-4f;
    return apartFrom(choice.velocity, wanted) <=
               bestSample(&obstacles, choice.left, wanted) + 1e-3 &&
           hypot((double)choice.velocity.x, (double)choice.velocity.y) <=
               (double)SPEED_LIMIT + 1e-4;
}

static void choosesTheNearest(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "meso-nearest",
                                 .seed = 3,
                                 .caseCount = caseCount(400, 20000),
                                 .maxSize = 40,
                                 .holds = isOptimal});
}

// More groups never bring what is left nearer, and those that do not forbid what is chosen change
// nothing.
static bool isMonotone(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    const thMesoDef def = usualDef();
    drawClumps(crowd, g, size);
    const thVec2 wanted = thiScale(0.7f, drawVelocity(g));
    thMesoObstacles obstacles;
    const thMesoView* view = look(crowd, &def, wanted, &obstacles);
    const thMesoQuery query = queryOf(crowd, &def, wanted);
    double last = 0.0;
    thVec2 before = wanted;
    const int32_t all = obstacles.count;
    for (int32_t count = 0; count <= all; ++count) {
        obstacles.count = count;
        const thMesoChoice choice = thiMesoChoose(&query, view, &obstacles, 0, th_mesoNone);
        if (choice.left < count)
            break;
        const double apart = apartFrom(choice.velocity, wanted);
        if (apart < last - 1e-4)
            return false;
        if (count > 0 && beyond(&obstacles.region[count - 1], before) > 1e-3f &&
            apart > last + 1e-4)
            return false;
        last = apart;
        before = choice.velocity;
    }
    return true;
}

static void groupsOnlyForbid(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "meso-monotone",
                                 .seed = 4,
                                 .caseCount = caseCount(300, 10000),
                                 .maxSize = 40,
                                 .holds = isMonotone});
}

static thMesoChoice chooseIn(const thMesoDef* def, thVec2 wanted, float maxSpeed)
{
    thMesoObstacles obstacles;
    const thMesoView* view = look(crowd, def, wanted, &obstacles);
    thMesoQuery query = queryOf(crowd, def, wanted);
    query.maxSpeed = maxSpeed;
    return thiMesoChoose(&query, view, &obstacles, 0, th_mesoNone);
}

static thVec2 turned(thVec2 v, thVec2 by)
{
    return (thVec2){by.x * v.x - by.y * v.y, by.y * v.x + by.x * v.y};
}

// Seen in a mirror, from a train, or by somebody who faces elsewhere, everybody chooses the same;
// unless two are as good.
static bool isTheSameSeenOtherwise(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    const thMesoDef def = usualDef();
    const uint64_t number = drawU64(g);
    const float angle = drawFloat(g, 0.0f, 6.28f);
    const thVec2 wanted = thiScale(0.7f, drawVelocity(g)), train = {0.75f, -0.5f};
    const thVec2 by = {cosf(angle), sinf(angle)};
    thMesoChoice choices[4];
    for (int32_t way = 0; way < 4; ++way) {
        thGenerator again = makeGenerator(9, number);
        drawClumps(crowd, &again, size);
        for (int32_t row = 0; row < crowd->frame.count; ++row) {
            const thVec2 place = {(float)crowd->px[row], (float)crowd->py[row]};
            const thVec2 velocity = {crowd->vx[row], crowd->vy[row]};
            const thVec2 places[] = {place, {place.x, -place.y}, place, turned(place, by)};
            const thVec2 velocities[] = {velocity,
                                         {velocity.x, -velocity.y},
                                         thiAddScaled(velocity, 1.0f, train),
                                         turned(velocity, by)};
            crowd->px[row] = (int32_t)lrintf(places[way].x);
            crowd->py[row] = (int32_t)lrintf(places[way].y);
            crowd->vx[row] = velocities[way].x;
            crowd->vy[row] = velocities[way].y;
        }
        const thVec2 wants[] = {
            wanted, {wanted.x, -wanted.y}, thiAddScaled(wanted, 1.0f, train), turned(wanted, by)};
        choices[way] = chooseIn(&def, wants[way], 30.0f);
    }
    const thVec2 seen = choices[0].velocity;
    const thVec2 back[] = {seen,
                           {choices[1].velocity.x, -choices[1].velocity.y},
                           thiSubtract(choices[2].velocity, train),
                           turned(choices[3].velocity, (thVec2){by.x, -by.y})};
    const double apart = apartFrom(seen, wanted), tolerance = 2e-3 * (1.0 + apart);
    for (int32_t way = 1; way < 4; ++way)
        if (!isNear(apartFrom(back[way], wanted), apart, tolerance))
            return false;
    // One group has two sides, which are as good only by chance.
    return apartFrom(back[1], seen) < 1.0 || apart < 1.5 || choices[0].side == th_mesoNone ||
           choices[1].side != choices[0].side;
}

static void seesTheSameInMirrors(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "meso-mirror",
                                 .seed = 5,
                                 .caseCount = caseCount(300, 10000),
                                 .maxSize = 40,
                                 .holds = isTheSameSeenOtherwise});
}

// A block of people, in rows and columns round a middle.
static void addBlock(thVec2 middle, int32_t columns, int32_t rows, float pitch, thVec2 velocity)
{
    for (int32_t i = 0; i < columns * rows; ++i)
        addPerson(crowd,
                  (thVec2){middle.x + pitch * ((float)(i % columns) - 0.5f * (float)(columns - 1)),
                           middle.y + pitch * ((float)(i / columns) - 0.5f * (float)(rows - 1))},
                  velocity, 0.25f);
}

static void startBlock(float x, float y, float pitch, thVec2 velocity)
{
    crowd->frame.count = 0;
    addPerson(crowd, (thVec2){0.0f, 0.0f}, (thVec2){1.0f, 0.0f}, 0.25f);
    addBlock((thVec2){x, y}, 3, 5, pitch, velocity);
}

static const thVec2 east = {1.0f, 0.0f};

static void passesOnTheNearerSide(void** state)
{
    (void)state;
    thMesoDef def = usualDef();
    startBlock(8.0f, 0.3f, 1.0f, (thVec2){-1.0f, 0.0f});
    const thMesoChoice choice = chooseIn(&def, east, SPEED_LIMIT);
    assert_int_equal(choice.side, th_mesoRight);
    assert_int_equal(choice.key, 1);
    assert_true(choice.velocity.y < -0.1f);
    startBlock(8.0f, -0.3f, 1.0f, (thVec2){-1.0f, 0.0f});
    assert_int_equal(chooseIn(&def, east, SPEED_LIMIT).side, th_mesoLeft);
}

// The side of before is kept as long as it is not much worse, whatever of its members is
// remembered.
static void keepsTheSide(void** state)
{
    (void)state;
    const thMesoDef def = usualDef();
    bool wasKept = false, wasGiven = false;
    for (int32_t i = 1; i <= 20; ++i) {
        startBlock(8.0f, 0.1f * (float)i, 1.0f, (thVec2){-1.0f, 0.0f});
        thMesoObstacles obstacles;
        const thMesoView* view = look(crowd, &def, east, &obstacles);
        const thMesoQuery query = queryOf(crowd, &def, east);
        const thMesoChoice fresh = thiMesoChoose(&query, view, &obstacles, 0, th_mesoNone);
        const thMesoChoice kept = thiMesoChoose(&query, view, &obstacles, 12, th_mesoLeft);
        const thMesoChoice other = thiMesoChoose(&query, view, &obstacles, 999, th_mesoLeft);
        assert_int_equal(fresh.side, th_mesoRight);
        assert_int_equal(other.side, th_mesoRight);
        const double worse = apartFrom(kept.velocity, east) - apartFrom(fresh.velocity, east);
        if (kept.side == th_mesoLeft) {
            assert_false(wasGiven); // further off it is worse
            assert_true(worse <= 0.1 * 1.3 + 1e-5);
            wasKept = true;
        } else {
            assert_true(worse == 0.0);
            wasGiven = true;
        }
    }
    assert_true(wasKept && wasGiven);
}

// A group that walks alone hinders none of its members.
static void leavesOwnGroupsAlone(void** state)
{
    (void)state;
    const thMesoDef def = usualDef();
    crowd->frame.count = 0;
    addBlock((thVec2){0.0f, 0.0f}, 4, 4, 1.2f, (thVec2){1.3f, 0.0f});
    prepareCrowd(crowd, &def, 1);
    for (int32_t row = 0; row < 16; ++row) {
        thMesoView* view = perceive(crowd, &def, row);
        const thMesoQuery query = queryOf(crowd, &def, (thVec2){0.0f, -1.0f});
        thMesoObstacles obstacles;
        thiMesoFindObstacles(&query, view, &obstacles);
        assert_int_equal(view->groupCount, 1);
        assert_int_equal(view->groups[0].fate, th_mesoOwn);
        assert_int_equal(obstacles.count, 0);
        assert_true(thiMesoChoose(&query, view, &obstacles, 0, th_mesoNone).isWanted);
    }
}

static thMesoFate fateFor(const thMesoDef* def, thVec2 corner)
{
    prepareCrowd(crowd, def, 1);
    thMesoView* view = perceive(crowd, def, 0);
    thMesoQuery query = queryOf(crowd, def, east);
    query.corner = corner;
    thMesoObstacles obstacles;
    thiMesoFindObstacles(&query, view, &obstacles);
    return view->groups[0].fate;
}

static void knowsWhatIsNoObstacle(void** state)
{
    (void)state;
    thMesoDef def = usualDef();
    const thVec2 far = {30.0f, 0.0f}, among = {8.0f, 0.0f}, before = {4.0f, 0.0f};
    const thVec2 west = {-1.0f, 0.0f}, still = {0.0f, 0.0f};
    startBlock(8.0f, 0.0f, 1.0f, west);
    assert_int_equal(fateFor(&def, far), th_mesoObstacle);
    assert_int_equal(fateFor(&def, among), th_mesoObstacle); // they come here
    def.smallest = 16;
    assert_int_equal(fateFor(&def, far), th_mesoSingle);
    def.smallest = 15;
    assert_int_equal(fateFor(&def, far), th_mesoObstacle);
    // People who stand are walked round, but not by those who are going to them.
    startBlock(8.0f, 0.0f, 1.0f, still);
    assert_int_equal(fateFor(&def, far), th_mesoObstacle);
    assert_int_equal(fateFor(&def, among), th_mesoGoal);
    assert_int_equal(fateFor(&def, before), th_mesoGoal);
    assert_int_equal(fateFor(&def, (thVec2){0.0f, 0.0f}), th_mesoObstacle); // not known
    startBlock(0.5f, 0.4f, 1.0f, west);
    assert_int_equal(fateFor(&def, far), th_mesoAround);
    // A gap of one width and a half.
    startBlock(8.0f, 0.0f, 1.25f, west);
    def.passable = 1.51f;
    assert_int_equal(fateFor(&def, far), th_mesoObstacle);
    def.passable = 1.49f;
    assert_int_equal(fateFor(&def, far), th_mesoLoose);
}

// People who hold their places, and not those who stand for a moment or have arrived, are nobody's
// own, and are walked round as fast as one wants.
static void walksRoundThoseWhoStay(void** state)
{
    (void)state;
    const thMesoDef def = usualDef();
    const uint32_t reasons[] = {0, th_agentHolds, th_agentArrived};
    for (int32_t held = 8; held <= 9; ++held) // of sixteen
        for (int32_t n = 0; n < 3; ++n) {
            startBlock(1.8f, 0.3f, 1.0f, (thVec2){0.0f, 0.0f});
            addPerson(crowd, (thVec2){2.3f, 0.8f}, (thVec2){0.0f, 0.0f}, 0.25f);
            for (int32_t row = 1; row <= held; ++row)
                crowd->flags[row] |= reasons[n];
            const bool stays = held == 9 && reasons[n] == th_agentHolds;
            thMesoObstacles obstacles;
            thMesoView* view = look(crowd, &def, east, &obstacles);
            thMesoQuery query = queryOf(crowd, &def, east);
            query.frame = &crowd->frame;
            thiMesoFindObstacles(&query, view, &obstacles);
            assert_int_equal(view->groups[0].fate, th_mesoObstacle);
            const thMesoChoice choice = thiMesoChoose(&query, view, &obstacles, 0, th_mesoNone);
            assert_int_equal(choice.side, th_mesoRight);
            thTangentCone cone;
            assert_true(thiMesoFindCone(view, 0, (thVec2){0.0f, 0.0f}, &cone));
            const double speed = apartFrom(choice.velocity, (thVec2){0.0f, 0.0f});
            assert_near(speed, stays ? 1.0 : (double)cone.right.x, 1e-4);
            assert_near((double)choice.velocity.x, speed * (double)cone.right.x, 1e-4);
            assert_near((double)choice.velocity.y, speed * (double)cone.right.y, 1e-4);
            query.maxSpeed = 0.1f;
            const thMesoChoice tired = thiMesoChoose(&query, view, &obstacles, 0, th_mesoNone);
            assert_true(apartFrom(tired.velocity, (thVec2){0.0f, 0.0f}) < 0.1001);
            query.maxSpeed = SPEED_LIMIT;
            // Who has come to stand beside them is not one of them.
            crowd->vx[0] = 0.1f;
            view = look(crowd, &def, east, &obstacles);
            thiMesoFindObstacles(&query, view, &obstacles);
            assert_int_equal(view->groups[0].fate, stays ? th_mesoObstacle : th_mesoOwn);
            query.frame = NULL; // not known
            thiMesoFindObstacles(&query, view, &obstacles);
            assert_int_equal(view->groups[0].fate, th_mesoOwn);
            // Where the edge leads into a wall, one is as slow as without.
            query.frame = &crowd->frame;
            crowd->vx[0] = 1.0f;
            view = look(crowd, &def, east, &obstacles);
            thiMesoFindObstacles(&query, view, &obstacles);
            query.wallCount = 1;
            query.wallA[0] = (thVec2){-5.0f, -1.1f};
            query.wallB[0] = (thVec2){5.0f, -1.1f};
            const thMesoChoice slow = thiMesoChoose(&query, view, &obstacles, 0, th_mesoNone);
            assert_near((double)slow.velocity.x, (double)(cone.right.x * cone.right.x), 1e-4);
            if (!stays)
                continue;
            // One of them walks, so that their edge moves a little.
            crowd->vx[16] = -0.5f;
            view = look(crowd, &def, east, &obstacles);
            thiMesoFindObstacles(&query, view, &obstacles);
            query.wallCount = 0;
            const thMesoChoice moving = thiMesoChoose(&query, view, &obstacles, 0, th_mesoNone);
            assert_near(apartFrom(moving.velocity, (thVec2){0.0f, 0.0f}), 1.0, 1e-5);
        }
}

// Of more groups than are looked at, those further away do not count.
static void takesTheNearestGroups(void** state)
{
    (void)state;
    enum { count = 40 };
    const thMesoDef def = usualDef();
    crowd->frame.count = 0;
    addPerson(crowd, (thVec2){0.0f, 0.0f}, (thVec2){0.0f, 5.0f}, 0.25f);
    for (int32_t i = 0; i < count; ++i) {
        const float angle = 6.2831853f * (float)(i * 7 % count) / (float)count;
        const float distance = 5.0f + 0.2f * (float)(i * 11 % count);
        addBlock((thVec2){distance * cosf(angle), distance * sinf(angle)}, 2, 1, 0.6f,
                 (thVec2){2.0f * (float)(i % 7), 2.0f * (float)(i / 7)});
    }
    thMesoObstacles obstacles;
    const thMesoView* view = look(crowd, &def, east, &obstacles);
    assert_int_equal(view->groupCount, count);
    assert_int_equal(obstacles.count, TH_MESO_GROUPS);
    const float last = view->groups[obstacles.group[TH_MESO_GROUPS - 1]].distance;
    for (int32_t i = 1; i < TH_MESO_GROUPS; ++i)
        assert_true(view->groups[obstacles.group[i - 1]].distance <=
                    view->groups[obstacles.group[i]].distance);
    for (int32_t i = 0; i < count; ++i) {
        const thMesoGroup* group = &view->groups[i];
        int32_t times = 0;
        for (int32_t k = 0; k < TH_MESO_GROUPS; ++k)
            times += obstacles.group[k] == i;
        assert_int_equal(times, group->fate == th_mesoObstacle);
        assert_int_equal(group->fate, times == 1 ? th_mesoObstacle : th_mesoFurther);
        assert_true(times == 1 || group->distance >= last);
    }
    // Each has its own region: the apex of its cone is the velocity of the group.
    for (int32_t k = 0; k < TH_MESO_GROUPS; ++k)
        assert_near((double)beyond(&obstacles.region[k], view->groups[obstacles.group[k]].velocity),
                    0.0, 1e-4);
}

// The nearer side is walled up, so the other one is taken; unless what is wanted leads there
// anyway.
static void looksAtWalls(void** state)
{
    (void)state;
    const thMesoDef def = usualDef();
    startBlock(8.0f, 0.3f, 1.0f, (thVec2){-1.0f, 0.0f});
    thMesoObstacles obstacles;
    const thMesoView* view = look(crowd, &def, east, &obstacles);
    thMesoQuery query = queryOf(crowd, &def, east);
    query.wallCount = 1;
    query.wallA[0] = (thVec2){-5.0f, -0.4f};
    query.wallB[0] = (thVec2){20.0f, -0.4f};
    const thMesoChoice choice = thiMesoChoose(&query, view, &obstacles, 0, th_mesoNone);
    assert_int_equal(choice.side, th_mesoLeft);
    query.wallA[0].y = query.wallB[0].y = -0.2f; // it touches the agent
    assert_int_equal(thiMesoChoose(&query, view, &obstacles, 0, th_mesoNone).side, th_mesoLeft);
    query.wallA[0] = (thVec2){0.5f, -3.0f}; // across
    query.wallB[0] = (thVec2){0.5f, 3.0f};
    const thMesoChoice through = thiMesoChoose(&query, view, &obstacles, 0, th_mesoNone);
    query.wallCount = 0;
    const thMesoChoice without = thiMesoChoose(&query, view, &obstacles, 0, th_mesoNone);
    assert_int_equal(through.side, th_mesoRight);
    assert_same_bits(through.velocity.x, without.velocity.x);
    assert_same_bits(through.velocity.y, without.velocity.y);
}

// Who cannot get round in time slows down before the group, on the side where he is.
static void slowsDownOnASide(void** state)
{
    (void)state;
    thMesoDef def = usualDef();
    def.horizon = 5.0f;
    for (int32_t i = -1; i <= 1; i += 2) {
        crowd->frame.count = 0;
        addPerson(crowd, (thVec2){0.0f, 0.0f}, (thVec2){0.0f, 5.0f}, 0.25f);
        addBlock((thVec2){8.0f, 0.4f * (float)i}, 2, 11, 1.0f, (thVec2){-1.0f, 0.0f});
        const thMesoChoice choice = chooseIn(&def, east, SPEED_LIMIT);
        assert_near((double)choice.velocity.y, 0.0, 0.05);
        assert_near((double)choice.velocity.x, (8.0 - 0.5 - 0.5) / 5.0 - 1.0, 0.05);
        assert_int_equal(choice.side, i > 0 ? th_mesoRight : th_mesoLeft);
    }
}

// A group in an arc round the agent can be passed as long as the arc, with the bodies at its ends,
// is less than half a circle.
static void isAmongThoseAllAround(void** state)
{
    (void)state;
    enum { count = 24 };
    const thMesoDef def = usualDef();
    const float distance = 4.0f, half = asinf(0.5f / distance);
    for (int32_t n = 0; n < 400; ++n) {
        thGenerator g = makeGenerator(6, (uint64_t)n);
        const float width = drawFloat(&g, 0.2f, 6.28f), first = drawFloat(&g, 0.0f, 6.28f);
        crowd->frame.count = 0;
        addPerson(crowd, (thVec2){0.0f, 0.0f}, (thVec2){0.0f, 5.0f}, 0.25f);
        for (int32_t i = 0; i < count; ++i) {
            const float angle = first + width * (float)i / (float)(count - 1);
            addPerson(crowd, (thVec2){distance * cosf(angle), distance * sinf(angle)}, east, 0.25f);
        }
        const float span = width + 2.0f * half;
        if (fabsf(span - 3.14159f) < 0.01f)
            continue;
        assert_int_equal(fateFor(&def, (thVec2){0.0f, 0.0f}),
                         span < 3.14159f ? th_mesoObstacle : th_mesoAround);
    }
}

// A batch of the first rows, all of which want to go east.
enum { laneCount = 16 };

typedef struct Lanes {
    thBatch batch;
    int32_t row[laneCount], wallCount[laneCount];
    float radius[laneCount], speed[laneCount], limit[laneCount], zero[laneCount];
    float guideX[laneCount], guideY[laneCount];
    thMesoState states[laneCount];
    void* state[laneCount];
} Lanes;

static void setLanes(Lanes* lanes, int32_t count)
{
    lanes->batch = (thBatch){.frame = &crowd->frame,
                             .count = count,
                             .lanes = laneCount,
                             .row = lanes->row,
                             .radius = lanes->radius,
                             .prefSpeed = lanes->speed,
                             .maxSpeed = lanes->limit,
                             .cornerX = lanes->zero,
                             .cornerY = lanes->zero,
                             .guideX = lanes->guideX,
                             .guideY = lanes->guideY,
                             .wallCount = lanes->wallCount,
                             .state = lanes->state,
                             .scratch = &crowd->scratch};
    for (int32_t i = 0; i < laneCount; ++i) {
        lanes->row[i] = i < count ? i : 0;
        lanes->radius[i] = 0.25f;
        lanes->speed[i] = 1.3f;
        lanes->limit[i] = SPEED_LIMIT;
        lanes->guideX[i] = 1.0f;
        lanes->guideY[i] = 0.0f;
        lanes->state[i] = &lanes->states[i];
    }
}

// Agents choose in turn, by key and step, and in between what they have chosen turns with what they
// want, and is no faster than they can go.
static void choosesInTurn(void** state)
{
    (void)state;
    enum { lone = 6 };
    static Lanes lanes;
    memset(&lanes, 0, sizeof lanes);
    thMesoDef def = usualDef();
    def.every = 3;
    crowd->frame.count = 0;
    for (int32_t i = 0; i < lone; ++i)
        addPerson(crowd, (thVec2){-0.6f * (float)i, 0.0f}, (thVec2){0.0f, 3.0f + (float)i}, 0.25f);
    addBlock((thVec2){6.0f, 0.3f}, 3, 5, 1.0f, (thVec2){-1.0f, 0.0f});
    prepareCrowd(crowd, &def, 1);
    for (uint64_t step = 0; step < 3; ++step) {
        crowd->frame.step = step;
        setLanes(&lanes, lone);
        thiArenaReset(&crowd->scratch);
        thiGroupMeso.solve(&lanes.batch, &def, crowd->graph);
        for (uint64_t i = 0; i < lone; ++i) {
            const bool hasChosen = step >= (3 - i % 3) % 3;
            assert_int_equal(lanes.states[i].isTurned, hasChosen);
            assert_true((lanes.guideY[i] < -0.1f) == hasChosen);
        }
    }
    const thVec2 before = {lanes.guideX[0], lanes.guideY[0]};
    setLanes(&lanes, 2);
    lanes.guideX[0] = 0.0f;
    lanes.guideY[0] = 1.0f;
    lanes.states[1].turnX = 3.0f;
    lanes.states[1].turnY = 4.0f;
    crowd->frame.step = 6; // not the turn of key 1
    lanes.row[0] = 1;
    lanes.states[0].isTurned = 1;
    thiGroupMeso.solve(&lanes.batch, &def, crowd->graph);
    assert_near((double)lanes.guideX[0], (double)-before.y, 1e-5);
    assert_near((double)lanes.guideY[0], (double)before.x, 1e-5);
    assert_near((double)lanes.guideX[1], 0.6 * (double)SPEED_LIMIT, 1e-5);
    assert_near((double)lanes.guideY[1], 0.8 * (double)SPEED_LIMIT, 1e-5);
    // Who wants to stand stands, and forgets.
    setLanes(&lanes, 2);
    lanes.guideX[1] = 0.0f;
    thiGroupMeso.solve(&lanes.batch, &def, crowd->graph);
    assert_int_equal(lanes.states[1].isTurned, 0);
    assert_same_bits(lanes.guideX[1], 0.0f);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(choosesTheNearest, createOne, destroyOne),
        cmocka_unit_test_setup_teardown(groupsOnlyForbid, createOne, destroyOne),
        cmocka_unit_test_setup_teardown(seesTheSameInMirrors, createOne, destroyOne),
        cmocka_unit_test_setup_teardown(passesOnTheNearerSide, createOne, destroyOne),
        cmocka_unit_test_setup_teardown(keepsTheSide, createOne, destroyOne),
        cmocka_unit_test_setup_teardown(leavesOwnGroupsAlone, createOne, destroyOne),
        cmocka_unit_test_setup_teardown(knowsWhatIsNoObstacle, createOne, destroyOne),
        cmocka_unit_test_setup_teardown(walksRoundThoseWhoStay, createOne, destroyOne),
        cmocka_unit_test_setup_teardown(takesTheNearestGroups, createOne, destroyOne),
        cmocka_unit_test_setup_teardown(looksAtWalls, createOne, destroyOne),
        cmocka_unit_test_setup_teardown(slowsDownOnASide, createOne, destroyOne),
        cmocka_unit_test_setup_teardown(isAmongThoseAllAround, createOne, destroyOne),
        cmocka_unit_test_setup_teardown(choosesInTurn, createOne, destroyOne),
    };
    return RUN_TESTS(tests, argc, argv);
}
