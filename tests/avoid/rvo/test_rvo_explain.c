// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What `rvo` says about itself: the cheapest of its samples is what it has chosen. Samples in
// nobody's cone cost no more than what lies between them and the wanted velocity.

#include "avoid/avoid_world.h"
#include "throng/explain.h"
#include "throng/rvo.h"

#define DT 0.1f
#define SAMPLES 80

// What the marks come to.
typedef struct Story {
    const thMark *samples[SAMPLES], *cones[64];
    int32_t sampleCount, coneCount, discCount;
    const char* status;
} Story;

static Story readMarks(const thExplanationView* view)
{
    Story story = {.status = ""};
    for (int32_t i = 0; i < view->markCount; ++i) {
        const thMark* mark = &view->marks[i];
        if (mark->by != th_methodAvoid)
            continue;
        assert_int_equal(mark->space, th_spaceVelocity);
        if (mark->kind == th_markSample)
            story.samples[story.sampleCount++] = mark;
        else if (mark->kind == th_markCone || mark->kind == th_markHalfPlane)
            story.cones[story.coneCount++] = mark;
        else if (mark->kind == th_markDisc)
            story.discCount += 1;
        else
            story.status = mark->label;
    }
    return story;
}

static double cross(thVec2 a, double x, double y)
{
    return (double)a.x * y - (double)a.y * x;
}

// How far inside of a cone, between its left and its right leg, or of a half-plane.
static double depthOf(const thMark* mark, thVec2 v)
{
    const thVec2* points = mark->points;
    if (mark->kind == th_markHalfPlane)
        return (double)points[1].x * (double)(points[0].x - v.x) +
               (double)points[1].y * (double)(points[0].y - v.y);
    const double x = (double)(v.x - points[1].x), y = (double)(v.y - points[1].y);
    return fmin(-cross(points[0], x, y), cross(points[2], x, y));
}

static void checkSamples(const Story* story, const thExplanationView* view)
{
    const thMark* best = story->samples[0];
    for (int32_t i = 0; i < story->sampleCount; ++i) {
        const thMark* sample = story->samples[i];
        best = sample->value < best->value ? sample : best;
        const double missed = hypot((double)(sample->points[0].x - view->adapted.x),
                                    (double)(sample->points[0].y - view->adapted.y));
        bool in = false, out = view->wallCount == 0 && view->moverCount == 0;
        for (int32_t k = 0; k < story->coneCount; ++k) {
            in = in || depthOf(story->cones[k], sample->points[0]) > 1.0e-4;
            out = out && depthOf(story->cones[k], sample->points[0]) < -1.0e-4;
        }
        if (view->status != th_rvoParting && in)
            assert_true((double)sample->value > missed + 1.0e-6);
        if (view->status != th_rvoParting && out)
            assert_near((double)sample->value, missed, 1.0e-5);
    }
    if (view->status == th_rvoFree)
        best = story->samples[0];
    assert_same_bits(best->points[0].x, view->chosen.x);
    assert_same_bits(best->points[0].y, view->chosen.y);
}

static void checkAgent(const thWorld* world, thAgentId id, int32_t statuses[4])
{
    static const char* const words[] = {"free", "avoiding", "colliding", "parting"};
    thExplanation* explanation;
    assertOk(thWorld_Explain(world, id, DT, &explanation));
    const thExplanationView view = thExplanation_GetView(explanation);
    const Story story = readMarks(&view);
    assert_int_equal(story.sampleCount, SAMPLES);
    assert_int_equal(story.discCount, view.maxAccel > 0.0f ? 2 : 1);
    assert_true(story.coneCount <= view.agentCount);
    assert_true(view.status == th_rvoParting || view.agentCount == story.coneCount);
    for (int32_t k = 0; k < story.coneCount && view.status != th_rvoParting; ++k)
        assert_true(story.cones[k]->whose == view.agents[k].key);
    assert_true(strncmp(story.status, words[view.status], strlen(words[view.status])) == 0);
    checkSamples(&story, &view);
    statuses[view.status] += 1;
    thDestroyExplanation(explanation);
}

static thWorld* createRoom(float size, int32_t count, bool hasWalls, thAgentId* ids)
{
    thRvoDef params = thDefaultRvoDef();
    params.samples = 50;
    params.refinements = 1;
    params.refinementSamples = SAMPLES - 50;
    params.cutoff = 0.0f; // every collision counts
    thWorld* world = hasWalls ? openRoom(size) : openWorld(0, th_simdAuto, 0);
    addRoomCrowd(world, "rvo", &params, size, count, ids);
    return world;
}

static void testMarks(void** state)
{
    (void)state;
    static const float sizes[] = {6.0f, 3.0f, 2.0f, 30.0f};
    int32_t statuses[4] = {0};
    for (int32_t i = 0; i < 8; ++i) {
        thAgentId ids[30];
        thWorld* world = createRoom(sizes[i / 2], 30, i % 2 == 0, ids);
        for (int32_t step = 0; step < 4; ++step) {
            for (int32_t k = 0; k < 30; ++k)
                checkAgent(world, ids[k], statuses);
            assertOk(thWorld_Step(world, DT));
        }
        thDestroyWorld(world);
    }
    for (int32_t status = 0; status < 4; ++status)
        assert_true(statuses[status] > 0); // every case was there
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testMarks)};
    return RUN_TESTS(tests, argc, argv);
}
