// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The groups that agents perceive, against a closure by brute force: every pair, again and again,
// until nothing changes.

#include "meso_gear.h"

#include "geom/fixed.h"

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

// The definition, in double and in other words.
static bool belong(const thFrame* frame, const thMesoDef* def, int32_t a, int32_t b)
{
    const double x = (double)(frame->px[b] - frame->px[a]) / THRONG_UNITS_PER_METRE;
    const double y = (double)(frame->py[b] - frame->py[a]) / THRONG_UNITS_PER_METRE;
    const double vx = (double)frame->vx[b] - (double)frame->vx[a];
    const double vy = (double)frame->vy[b] - (double)frame->vy[a];
    const double gap = sqrt(x * x + y * y) - (double)frame->radius[a] - (double)frame->radius[b];
    return gap < (double)def->near && sqrt(vx * vx + vy * vy) < (double)def->velocity &&
           frame->level[a] == frame->level[b] && frame->radius[a] <= 1.0f &&
           frame->radius[b] <= 1.0f;
}

static bool isWithin(const thFrame* frame, int32_t a, int32_t b, double distance)
{
    const double x = (double)(frame->px[b] - frame->px[a]),
                 y = (double)(frame->py[b] - frame->py[a]);
    return sqrt(x * x + y * y) <= distance * THRONG_UNITS_PER_METRE &&
           frame->level[a] == frame->level[b];
}

// By row: the lowest key of its group among those whom the agent sees; −1: it does not see it.
static void closeByForce(const thFrame* frame, const thMesoDef* def, int32_t row, int64_t* lowest)
{
    for (int32_t a = 0; a < frame->count; ++a)
        lowest[a] = a != row && isWithin(frame, row, a, (double)def->radius) &&
                            (frame->mask[row] & frame->layers[a]) != 0
                        ? (int64_t)frame->key[a]
                        : -1;
    for (bool changes = true; changes;) {
        changes = false;
        for (int32_t a = 0; a < frame->count; ++a)
            for (int32_t b = 0; b < frame->count; ++b)
                if (lowest[a] >= 0 && lowest[b] > lowest[a] && belong(frame, def, a, b)) {
                    lowest[b] = lowest[a];
                    changes = true;
                }
    }
}

// Clumps of people who walk alike, and some alone.
static void drawCrowd(thGenerator* g, int32_t size)
{
    crowd->frame.count = 0;
    const int32_t clumps = 1 + size / 12;
    for (int32_t i = 0; i < size; ++i) {
        thGenerator own = makeGenerator(77, (uint64_t)drawInt(g, 0, clumps));
        const thVec2 middle = {drawFloat(&own, -9.0f, 9.0f), drawFloat(&own, -9.0f, 9.0f)};
        const thVec2 velocity = {drawFloat(&own, -1.0f, 1.0f), drawFloat(&own, -1.0f, 1.0f)};
        const int32_t row = addPerson(
            crowd,
            (thVec2){middle.x + drawFloat(g, -3.0f, 3.0f), middle.y + drawFloat(g, -3.0f, 3.0f)},
            (thVec2){velocity.x + drawFloat(g, -0.4f, 0.4f),
                     velocity.y + drawFloat(g, -0.4f, 0.4f)},
            drawInt(g, 0, 20) == 0 ? 1.5f : drawFloat(g, 0.15f, 0.4f));
        crowd->key[row] = (uint64_t)((i * 61 + 7) % 127);
        crowd->layers[row] = drawInt(g, 0, 9) == 0 ? 2 : 1;
        crowd->mask[row] = drawInt(g, 0, 4) == 0 ? 1 : UINT32_MAX;
        crowd->level[row] = drawInt(g, 0, 12) == 0;
    }
}

static bool agreesFor(const thMesoDef* def, int32_t row)
{
    int64_t lowest[crowdMost];
    const thFrame* frame = &crowd->frame;
    closeByForce(frame, def, row, lowest);
    const thMesoView* view = perceive(crowd, def, row);
    bool good = true, found[crowdMost] = {false};
    for (int32_t i = 0; i < view->agentCount; ++i) {
        const thMesoAgent* agent = &view->agents[i];
        found[agent->row] = true;
        good = good && (i == 0 || view->agents[i - 1].key < agent->key);
        good = good && lowest[agent->row] == (int64_t)view->groups[agent->group].key;
    }
    for (int32_t g = 0; g < view->groupCount; ++g) {
        int32_t count = 0;
        bool isOwn = false;
        double vx = 0.0, vy = 0.0;
        for (int32_t a = 0; a < frame->count; ++a) {
            if (lowest[a] != (int64_t)view->groups[g].key)
                continue;
            count += 1;
            isOwn = isOwn || belong(frame, def, row, a);
            vx += (double)frame->vx[a];
            vy += (double)frame->vy[a];
        }
        const thMesoGroup* group = &view->groups[g];
        good = good && group->count == count && group->isOwn == isOwn &&
               isNear((double)group->velocity.x, vx / count, 1e-5) &&
               isNear((double)group->velocity.y, vy / count, 1e-5);
    }
    // Who is left out is alone.
    for (int32_t a = 0; a < frame->count; ++a) {
        int32_t fellows = 0;
        for (int32_t b = 0; b < frame->count; ++b)
            fellows += lowest[a] >= 0 && lowest[b] == lowest[a];
        good = good && (found[a] || fellows <= 1);
    }
    return good;
}

// Of profiles with other thresholds each sees its own groups.
static bool isClosure(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    drawCrowd(g, size + 2);
    thMesoDef defs[2] = {usualDef(), usualDef()};
    defs[0].near = drawFloat(g, 0.1f, 1.5f);
    defs[0].velocity = drawFloat(g, 0.3f, 1.2f);
    defs[0].radius = drawFloat(g, 2.0f, 15.0f);
    defs[1].near = drawFloat(g, 0.1f, 2.5f);
    defs[1].velocity = drawFloat(g, 0.1f, 0.8f);
    prepareCrowd(crowd, defs, 2);
    bool good = true;
    for (int32_t row = 0; row < crowd->frame.count && good; row += 3)
        good = agreesFor(&defs[0], row) && agreesFor(&defs[1], row);
    return good;
}

static void findsTheClosure(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "meso-closure",
                                 .seed = 1,
                                 .caseCount = caseCount(150, 5000),
                                 .maxSize = 60,
                                 .holds = isClosure});
}

static int32_t countGroups(float near, float velocity)
{
    thMesoDef def = usualDef();
    def.near = near;
    def.velocity = velocity;
    prepareCrowd(crowd, &def, 1);
    const thMesoView* view = perceive(crowd, &def, 0);
    return view->groupCount + (crowd->frame.count - 1 - view->agentCount);
}

// Smaller thresholds only split groups; at zero everybody is alone, and at the end all are one.
static bool splitsOnly(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    drawCrowd(g, size + 2);
    for (int32_t row = 0; row < crowd->frame.count; ++row) {
        crowd->layers[row] = 1;
        crowd->level[row] = 0;
        crowd->radius[row] = 0.3f;
        crowd->px[row] /= 2; // all are within sight
        crowd->py[row] /= 2;
    }
    int32_t last = 1;
    for (int32_t i = 0; i <= 8; ++i) {
        const float share = (float)(8 - i) / 8.0f;
        const int32_t count = countGroups(10.0f * share * share, 10.0f * share * share);
        if (count < last)
            return false;
        last = count;
    }
    return last == crowd->frame.count - 1 && countGroups(100.0f, 100.0f) == 1;
}

static void splitsWithSmallerThresholds(void** state)
{
    (void)state;
    assertProperty(&(thProperty){.name = "meso-splits",
                                 .seed = 2,
                                 .caseCount = caseCount(100, 3000),
                                 .maxSize = 40,
                                 .holds = splitsOnly});
}

// Rows in another order, with the same keys, give the same bits.
static void ignoresTheOrderOfRows(void** state)
{
    (void)state;
    enum { count = 90 };
    thMesoGroup groups[2][TH_MESO_AGENTS];
    int32_t counts[2];
    const thMesoDef def = usualDef();
    for (int32_t pass = 0; pass < 2; ++pass) {
        thGenerator g = makeGenerator(3, 0);
        drawCrowd(&g, count);
        if (pass == 1)
            for (int32_t a = 0, b = count - 1; a < b; ++a, --b) {
#define SWAP(T, column)                                                                            \
    do {                                                                                           \
        const T swapped = crowd->column[a];                                                        \
        crowd->column[a] = crowd->column[b];                                                       \
        crowd->column[b] = swapped;                                                                \
    } while (0)
                SWAP(int32_t, px);
                SWAP(int32_t, py);
                SWAP(float, vx);
                SWAP(float, vy);
                SWAP(float, radius);
                SWAP(uint32_t, layers);
                SWAP(uint32_t, mask);
                SWAP(uint16_t, level);
                SWAP(uint64_t, key);
            }
        prepareCrowd(crowd, &def, 1);
        const thMesoView* view = perceive(crowd, &def, pass == 0 ? 5 : count - 1 - 5);
        counts[pass] = view->groupCount;
        memcpy(groups[pass], view->groups, (size_t)view->groupCount * sizeof(thMesoGroup));
    }
    assert_true(counts[0] > 2);
    assert_int_equal(counts[0], counts[1]);
    for (int32_t i = 0; i < counts[0]; ++i) {
        assert_int_equal(groups[0][i].key, groups[1][i].key);
        assert_int_equal(groups[0][i].count, groups[1][i].count);
        assert_same_bits(groups[0][i].velocity.x, groups[1][i].velocity.x);
        assert_same_bits(groups[0][i].middle.y, groups[1][i].middle.y);
        assert_same_bits(groups[0][i].gap, groups[1][i].gap);
        assert_same_bits(groups[0][i].distance, groups[1][i].distance);
    }
}

// Of a crowd that is too large the nearest are looked at, and of those equally far the lower keys.
static void looksAtTheNearest(void** state)
{
    (void)state;
    crowd->frame.count = 0;
    addPerson(crowd, (thVec2){0.0f, 0.0f}, (thVec2){1.0f, 0.0f}, 0.2f);
    // With one more, places that are equally far are not all among the nearest.
    addPerson(crowd, (thVec2){0.3f, 0.1f}, (thVec2){-1.0f, 0.0f}, 0.2f);
    for (int32_t i = 0; i < 600; ++i) {
        const float x = 0.5f * (float)(i % 30) - 7.25f, y = 0.5f * (float)(i / 30) - 4.75f;
        const int32_t row = addPerson(crowd, (thVec2){x, y}, (thVec2){-1.0f, 0.0f}, 0.2f);
        crowd->key[row] = 1000 - (uint64_t)row;
    }
    const thMesoDef def = usualDef();
    prepareCrowd(crowd, &def, 1);
    const thMesoView* view = perceive(crowd, &def, 0);
    assert_int_equal(view->agentCount, TH_MESO_AGENTS);
    bool kept[crowdMost] = {false};
    for (int32_t i = 0; i < view->agentCount; ++i)
        kept[view->agents[i].row] = true;
    for (int32_t a = 1; a <= 601; ++a)
        for (int32_t b = 1; b <= 601; ++b) {
            const int64_t ax = crowd->px[a], ay = crowd->py[a], bx = crowd->px[b],
                          by = crowd->py[b];
            const int64_t aSq = ax * ax + ay * ay, bSq = bx * bx + by * by;
            const bool before = aSq < bSq || (aSq == bSq && crowd->key[a] < crowd->key[b]);
            assert_false(kept[b] && !kept[a] && before);
        }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(findsTheClosure, createOne, destroyOne),
        cmocka_unit_test_setup_teardown(splitsWithSmallerThresholds, createOne, destroyOne),
        cmocka_unit_test_setup_teardown(ignoresTheOrderOfRows, createOne, destroyOne),
        cmocka_unit_test_setup_teardown(looksAtTheNearest, createOne, destroyOne),
    };
    return RUN_TESTS(tests, argc, argv);
}
