// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Marks: what methods add to an explanation is copied, and what makes no sense is refused.

#include "sim/sim_gear.h"
#include "throng/explain.h"

#define DT 0.1f

// A host's own method, with a mark of every kind; then some that are refused.

typedef struct Shown {
    thMarkKind kind;
    int32_t pointCount;
} Shown;

static const Shown shown[] = {
    {th_markHalfPlane, 2}, {th_markRegion, 4}, {th_markCone, 5},
    {th_markDisc, 1},      {th_markSample, 1}, {th_markArrow, 2},
    {th_markPath, 3},      {th_markPoint, 1},  {th_markText, 0},
};
enum { shownCount = sizeof shown / sizeof shown[0] };

static void showBad(thMark mark, thExplanation* to)
{
    (void)heard();
    thExplanation_Add(to, &mark);
    assert_int_equal(heard(), 1);
}

static void showAll(const thBatch* batch, int32_t lane, const void* params, const void* shared,
                    thExplanation* to)
{
    (void)params;
    (void)shared;
    thVec2 points[5];
    for (int32_t i = 0; i < 5; ++i)
        points[i] = (thVec2){batch->guideX[lane] + (float)i, (float)i};
    char label[16];
    thMark mark = thDefaultMark();
    for (int32_t i = 0; i < shownCount; ++i) {
        memcpy(label, "label ?", 8);
        label[6] = (char)('0' + i);
        mark = thDefaultMark();
        mark.kind = shown[i].kind;
        mark.space = i % 2 == 0 ? th_spaceVelocity : th_spacePlace;
        mark.meaning = th_meansForbidden;
        mark.cause = th_causeAgent;
        mark.whose = 7;
        mark.points = points;
        mark.pointCount = shown[i].pointCount;
        mark.radius = 2.0f;
        mark.value = INFINITY;
        mark.label = label;
        mark.by = th_methodAvoid; // the library knows better
        thExplanation_Add(to, &mark);
    }
    memset(label, 'x', sizeof label - 1); // what was added was copied
    mark = thDefaultMark();
    showBad(mark, to); // a text without a text
    mark.kind = th_markPoint;
    mark.pointCount = 1;
    showBad(mark, to);
    mark.points = points;
    mark.pointCount = 2;
    showBad(mark, to);
    mark.pointCount = 1;
    mark.value = NAN;
    showBad(mark, to);
    mark.value = 0.0f;
    mark.radius = -1.0f;
    showBad(mark, to);
    mark.radius = 0.0f;
    mark.size -= 8;
    showBad(mark, to);
    mark.size += 8;
    mark.kind = th_markKindCount;
    showBad(mark, to);
    mark.kind = th_markPoint;
    points[0].y = INFINITY;
    showBad(mark, to);
    (void)heard();
    thExplanation_Add(to, NULL);
    thExplanation_Add(NULL, &mark);
    assert_int_equal(heard(), 2);
}

static void testHostMethod(void** state)
{
    (void)state;
    listen();
    thWorld* world = createWorld();
    thMethod method = circleMethod;
    method.explain = showAll;
    assert_ok(thWorld_AddMethod(world, th_methodPlan, &method));
    thProfileDef profile = thDefaultProfileDef();
    profile.plan.name = "circle";
    thAgentDef def = thDefaultAgentDef();
    assert_ok(thCreateProfile(world, &profile, &def.profile, NULL));
    thAgentId id;
    assert_ok(thCreateAgent(world, &def, &id));
    thExplanation* explanation;
    assert_ok(thWorld_Explain(world, id, DT, &explanation));
    const thExplanationView view = thExplanation_GetView(explanation);
    assert_int_equal(view.markCount, shownCount);
    for (int32_t i = 0; i < view.markCount; ++i) {
        const thMark* mark = &view.marks[i];
        assert_int_equal(mark->kind, shown[i].kind);
        assert_int_equal(mark->pointCount, shown[i].pointCount);
        assert_int_equal(mark->by, th_methodPlan);
        assert_int_equal(mark->space, i % 2);
        assert_int_equal(mark->label[6], '0' + i);
        for (int32_t k = 0; k < mark->pointCount; ++k) {
            assert_same_bits(mark->points[k].x, view.wanted.x + (float)k);
            assert_same_bits(mark->points[k].y, (float)k);
        }
    }
    thDestroyExplanation(explanation);
    thDestroyWorld(world);
    thSetHooks(NULL);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testHostMethod)};
    return RUN_TESTS(tests, argc, argv);
}
