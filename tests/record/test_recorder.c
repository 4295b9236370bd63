// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A recorder against a plain one that asks the world about everybody, one by one.

#include "record/record_gear.h"
#include "sim/world_internal.h"

#include "sim/sim_gear.h"
#include "throng/outline.h"

#include <stdlib.h>

enum { most = 2000, mostGoals = 2000 };

// What is known so far, and the frame that is expected.
typedef struct Oracle {
    const Stage* stage;
    bool hasArea;
    thPlace low, high;
    bool withoutGoals;
    thRecordedPerson told[most]; // by id − 1
    int32_t toldCount;
    uint32_t id[most];
    double x[most], y[most];
    float heading[most];
    int32_t count;
    thRecordedPerson people[most];
    int32_t personCount;
    thGoalId goals[mostGoals];
    int32_t goalCount;
    uint64_t shapesHash, lastShapesHash; // of the outlines
    int32_t shapeCount;
} Oracle;

static void addToHash(Oracle* oracle, uint64_t id, const thVec2* points, int32_t count)
{
    uint64_t hash = oracle->shapesHash * 31 + id;
    for (int32_t i = 0; i < count; ++i) {
        uint64_t bits;
        memcpy(&bits, &points[i], sizeof bits);
        hash = (hash ^ bits) * 0x9e3779b97f4a7c15u + (hash >> 7);
    }
    oracle->shapesHash = hash;
    oracle->shapeCount += 1;
}

static void noteObstacle(void* context, const thObstacleOutline* outline)
{
    addToHash(context, outline->id.value, outline->points, outline->pointCount);
}

static void noteGoal(void* context, const thGoalOutline* outline)
{
    Oracle* oracle = context;
    assert_true(oracle->goalCount < mostGoals);
    oracle->goals[oracle->goalCount++] = outline->id;
    addToHash(oracle, outline->id.value, outline->points, outline->pointCount);
}

static void lookAtShapes(Oracle* oracle)
{
    oracle->lastShapesHash = oracle->shapesHash;
    oracle->shapesHash = 1;
    oracle->goalCount = oracle->shapeCount = 0;
    assert_ok(thWorld_VisitObstacles(oracle->stage->world, noteObstacle, oracle));
    assert_ok(thWorld_VisitGoals(oracle->stage->world, noteGoal, oracle));
}

static thPlace placeOf(const Oracle* oracle, thAgentId agent)
{
    int32_t x, y;
    assert_ok(thAgent_GetUnits(oracle->stage->world, agent, &x, &y));
    return (thPlace){BUSY_X + (double)x / THRONG_UNITS_PER_METRE,
                     BUSY_Y + (double)y / THRONG_UNITS_PER_METRE};
}

static bool isInArea(const Oracle* oracle, thPlace p)
{
    return !oracle->hasArea || (p.x >= oracle->low.x && p.x <= oracle->high.x &&
                                p.y >= oracle->low.y && p.y <= oracle->high.y);
}

static int32_t indexOfKey(const Oracle* oracle, uint64_t key)
{
    for (int32_t i = 0; i < oracle->toldCount; ++i)
        if (oracle->told[i].key == key)
            return i;
    return -1;
}

static int byKey(const void* a, const void* b)
{
    const uint64_t left = *(const uint64_t*)a, right = *(const uint64_t*)b;
    return (left > right) - (left < right);
}

// Those who are new get the next ids, in the order of keys.
static void numberNewcomers(Oracle* oracle)
{
    const thAgentView view = thWorld_GetAgentView(oracle->stage->world);
    uint64_t keys[most];
    int32_t count = 0;
    for (int32_t slot = 0; slot < view.slotCount; ++slot) {
        const thAgentRow* row = &view.rows[slot];
        if (row->flags != 0 && indexOfKey(oracle, row->key) < 0 &&
            isInArea(oracle, placeOf(oracle, thWorld_FindAgent(oracle->stage->world, row->key))))
            keys[count++] = row->key;
    }
    qsort(keys, (size_t)count, sizeof *keys, byKey);
    for (int32_t i = 0; i < count; ++i) {
        assert_true(oracle->toldCount < most);
        oracle->told[oracle->toldCount++] = (thRecordedPerson){.key = keys[i]};
    }
}

// Nothing public tells what kind a goal is.
static bool isList(const thWorld* world, thGoalId goal)
{
    return goal.value != 0 && thiGoalAt(&world->goals, THRONG_SLOT(goal))->kind == th_goalList;
}

static thRecordedPerson personOf(const Oracle* oracle, thAgentId agent, int32_t index)
{
    const thWorld* world = oracle->stage->world;
    const thAgentInfo info = thAgent_GetInfo(world, agent);
    thRecordedPerson person = {.id = (uint32_t)index + 1,
                               .key = thAgent_Get(world, agent).key,
                               .radius = info.radius,
                               .speed = info.prefSpeed,
                               .planned = oracle->told[index].planned,
                               .level = info.level,
                               .goal = -1,
                               .group = info.group,
                               .entry = thRun_GetEntry(oracle->stage->run, agent)};
    if (oracle->withoutGoals)
        return person;
    if (person.planned == 0.0f && !isList(world, info.goal))
        person.planned = info.remaining;
    for (int32_t i = 0; i < oracle->goalCount; ++i)
        if (info.shape.value == oracle->goals[i].value)
            person.goal = i;
    return person;
}

static bool samePerson(const thRecordedPerson* a, const thRecordedPerson* b)
{
    return a->id == b->id && a->key == b->key && a->radius == b->radius && a->speed == b->speed &&
           a->planned == b->planned && a->level == b->level && a->goal == b->goal &&
           a->group == b->group && a->entry == b->entry;
}

static void expectFrame(Oracle* oracle)
{
    thWorld* world = oracle->stage->world;
    lookAtShapes(oracle);
    numberNewcomers(oracle);
    oracle->count = oracle->personCount = 0;
    for (int32_t i = 0; i < oracle->toldCount; ++i) {
        const thAgentId agent = thWorld_FindAgent(world, oracle->told[i].key);
        if (agent.value == 0 || !isInArea(oracle, placeOf(oracle, agent)))
            continue;
        oracle->id[oracle->count] = (uint32_t)i + 1;
        oracle->x[oracle->count] = placeOf(oracle, agent).x;
        oracle->y[oracle->count] = placeOf(oracle, agent).y;
        oracle->heading[oracle->count++] = thAgent_Get(world, agent).heading;
        const thRecordedPerson person = personOf(oracle, agent, i);
        if (!samePerson(&person, &oracle->told[i]))
            oracle->people[oracle->personCount++] = oracle->told[i] = person;
    }
}

static void assertExpected(const Oracle* oracle, const thRecording* recording, bool isFirst)
{
    const thRecordedFrame* frame = &recording->frame;
    assert_int_equal(frame->count, oracle->count);
    for (int32_t i = 0; i < frame->count; ++i) {
        assert_int_equal(frame->id[i], oracle->id[i]);
        assert_true(frame->x[i] == oracle->x[i] && frame->y[i] == oracle->y[i]);
        assert_same_bits(frame->heading[i], oracle->heading[i]);
    }
    assert_int_equal(recording->personCount, oracle->personCount);
    for (int32_t i = 0; i < recording->personCount; ++i)
        assert_true(samePerson(&recording->people[i], &oracle->people[i]));
    assert_int_equal(recording->shapes != NULL,
                     isFirst || oracle->shapesHash != oracle->lastShapesHash);
    if (recording->shapes != NULL)
        assert_int_equal(recording->shapeCount, oracle->shapeCount);
}

// Shapes, one after the other.
typedef struct ShapeWalk {
    const thRecording* recording;
    int32_t next;
} ShapeWalk;

static void assertPoints(const thRecordedShape* shape, const thVec2* points, int32_t count)
{
    assert_int_equal(shape->pointCount, count);
    for (int32_t i = 0; i < count; ++i) {
        assert_near(shape->points[i].x - BUSY_X, (double)points[i].x, 1e-5);
        assert_near(shape->points[i].y - BUSY_Y, (double)points[i].y, 1e-5);
    }
}

static void compareObstacle(void* context, const thObstacleOutline* outline)
{
    ShapeWalk* walk = context;
    const thRecordedShape* shape = &walk->recording->shapes[walk->next++];
    assert_int_equal(shape->kind, outline->kind);
    assert_int_equal(shape->level, outline->level);
    assert_same_bits(shape->radius, outline->radius);
    assertPoints(shape, outline->points, outline->pointCount);
}

static void compareGoal(void* context, const thGoalOutline* outline)
{
    ShapeWalk* walk = context;
    const thRecordedShape* shape = &walk->recording->shapes[walk->next++];
    assert_int_equal(shape->kind, (int)th_shapeGoalPoint + (int)outline->kind);
    assert_same_bits(shape->radius, outline->radius);
    assertPoints(shape, outline->points, outline->pointCount);
}

static void assertShapes(const thWorld* world, const thRecording* recording)
{
    if (recording->shapes == NULL)
        return;
    ShapeWalk walk = {.recording = recording};
    assert_ok(thWorld_VisitObstacles(world, compareObstacle, &walk));
    assert_ok(thWorld_VisitGoals(world, compareGoal, &walk));
    assert_int_equal(walk.next, recording->shapeCount);
}

// What a host may do between steps.
typedef struct Host {
    uint64_t gone[most]; // keys of agents that were removed
    int32_t goneCount;
} Host;

static thAgentId anyAgent(thGenerator* g, const thWorld* world)
{
    const thAgentView view = thWorld_GetAgentView(world);
    for (int32_t tries = 0; tries < 50; ++tries) {
        const thAgentRow* row = &view.rows[drawInt(g, 0, view.slotCount - 1)];
        if (row->flags != 0)
            return thWorld_FindAgent(world, row->key);
    }
    return (thAgentId){0};
}

static void removeOne(thGenerator* g, thWorld* world, Host* host)
{
    const thAgentId agent = anyAgent(g, world);
    if (agent.value == 0)
        return;
    host->gone[host->goneCount++] = thAgent_Get(world, agent).key;
    assert_ok(thDestroyAgent(world, agent));
}

// Somebody who is back, perhaps in another slot.
static void bringBack(thGenerator* g, thWorld* world, Host* host)
{
    if (host->goneCount == 0)
        return;
    const thAgentId any = anyAgent(g, world);
    const int32_t index = drawInt(g, 0, host->goneCount - 1);
    thAgentDef def = thDefaultAgentDef();
    def.profile = thAgent_GetInfo(world, any).profile;
    def.goal = thAgent_GetInfo(world, any).goal;
    def.key = host->gone[index];
    def.position = (thVec2){drawFloat(g, 2.0f, 12.0f), drawFloat(g, 6.0f, 18.0f)};
    thAgentId agent;
    if (thCreateAgent(world, &def, &agent) == th_resultOk)
        host->gone[index] = host->gone[--host->goneCount];
}

static void disturb(thGenerator* g, thWorld* world, Host* host)
{
    const thAgentId one = anyAgent(g, world), other = anyAgent(g, world);
    if (one.value == 0 || other.value == 0)
        return;
    switch (drawInt(g, 0, 9)) {
    case 0:
    case 1:
        removeOne(g, world, host);
        break;
    case 2:
    case 3:
        bringBack(g, world, host);
        break;
    case 4:
        assert_ok(thAgent_SetGoal(world, one, thAgent_GetInfo(world, other).goal));
        break;
    case 5:
        assert_ok(thAgent_SetSpeeds(world, one, drawFloat(g, 0.5f, 2.0f), 3.0f));
        break;
    case 6:
        (void)thAgent_SetLevel(world, one, drawInt(g, 0, 1));
        break;
    case 7:
        assert_ok(thAgent_SetGroup(world, one, drawInt(g, -1, 3)));
        break;
    default:
        break;
    }
}

static void follow(const char* scene, const thRecorderDef* def, uint64_t seed)
{
    Stage stage = mustOpen(scene, NULL);
    Oracle* oracle = calloc(1, sizeof *oracle);
    Host* host = calloc(1, sizeof *host);
    assert_true(oracle != NULL && host != NULL);
    oracle->stage = &stage;
    oracle->hasArea = def->hasArea == 1;
    oracle->low = def->low;
    oracle->high = def->high;
    oracle->withoutGoals = def->withoutGoals == 1;
    thRecorder* recorder;
    assert_ok(thCreateRecorder(def, stage.run, &recorder));
    int32_t without = 0, planned = 0;
    for (int32_t step = 0; step < 250; ++step) {
        thGenerator g = makeGenerator(seed, (uint64_t)step);
        thRecording recording;
        disturb(&g, stage.world, host);
        disturb(&g, stage.world, host);
        expectFrame(oracle);
        assert_ok(thRecorder_Take(recorder, step, &recording));
        assert_true(recording.frame.number == step);
        assertExpected(oracle, &recording, step == 0);
        assertShapes(stage.world, &recording);
        without += recording.shapes == NULL;
        for (int32_t i = 0; i < recording.personCount; ++i)
            planned += recording.people[i].planned > 0.0f;
        stepTimes(&stage, 1);
    }
    assert_true(oracle->toldCount > 60 && (def->withoutGoals == 1 ? planned == 0 : planned > 60));
    assert_true(strstr(scene, "movers") != NULL || without > 100);
    thDestroyRecorder(recorder);
    free(oracle);
    free(host);
    closeStage(&stage);
}

static void testFollows(void** state)
{
    (void)state;
    const thRecorderDef def = thDefaultRecorderDef();
    follow(busyScene, &def, 1);
    follow(busyScene, &def, 2);
}

static void testArea(void** state)
{
    (void)state;
    thRecorderDef def = thDefaultRecorderDef();
    def.hasArea = 1;
    def.low = (thPlace){BUSY_X + 4.0, BUSY_Y + 3.0};
    def.high = (thPlace){BUSY_X + 26.0, BUSY_Y + 14.0};
    follow(busyScene, &def, 3);
}

static void testWithoutGoals(void** state)
{
    (void)state;
    thRecorderDef def = thDefaultRecorderDef();
    def.withoutGoals = 1;
    follow(busyScene, &def, 5);
}

// Without anything that moves, shapes are told when a door opens or shuts, and else not at all.
static void testStillShapes(void** state)
{
    (void)state;
    const thRecorderDef def = thDefaultRecorderDef();
    follow("\"origin\": [500000, 5700000], \"walls\": [{\"room\": [[500000, 5700000], [500030, "
           "5700000], [500030, 5700020], [500000, 5700020]]}], \"doors\": [{\"segment\": "
           "[[500015, 5700019], [500015, 5700020]], \"open\": [[1, 4], [6, 7]]}], \"profiles\": "
           "{\"p\": {}}, \"agents\": [{\"in\": {\"box\": [[500002, 5700002], [500010, "
           "5700015]]}, \"count\": 70, \"goal\": {\"point\": [500025, 5700010]}, \"arrive\": "
           "\"leave\"}]",
           &def, 4);
}

// Nobody, and nothing at all.
static void testNothing(void** state)
{
    (void)state;
    Stage stage = mustOpen("\"profiles\": {\"p\": {}}, \"agents\": []", NULL);
    const thRecorderDef def = thDefaultRecorderDef();
    thRecorder* recorder;
    thRecording recording;
    assert_ok(thCreateRecorder(&def, stage.run, &recorder));
    for (int64_t number = -1; number < 3; ++number) {
        assert_ok(thRecorder_Take(recorder, number, &recording));
        assert_true(recording.frame.number == number);
        assert_int_equal(recording.frame.count + recording.personCount + recording.shapeCount, 0);
        stepTimes(&stage, 1);
    }
    thDestroyRecorder(recorder);
    closeStage(&stage);
}

// The scene's ids are kept, and others come after these; also when the recording goes on later.
static void testGivenIds(void** state)
{
    (void)state;
    Stage stage =
        mustOpen("\"time\": {\"step\": 0.1}, \"agents\": [{\"at\": [0, 0]}, {\"at\": [[0, 5], "
                 "[0, 9]], \"id\": 40}, {\"at\": [0, 12], \"id\": 0}, {\"at\": [0, 15], "
                 "\"appear\": 0.1, \"id\": 7}, {\"at\": [0, 18], \"appear\": 0.2}]",
                 NULL);
    thRecorderDef def = thDefaultRecorderDef();
    thRecorder* recorder;
    thRecording recording;
    static const uint32_t expected[][6] = {
        {0, 40, 41, 42}, {0, 7, 40, 41, 42}, {0, 7, 40, 41, 42, 43}};
    thRecordedPerson people[6];
    int32_t known = 0;
    assert_ok(thCreateRecorder(&def, stage.run, &recorder));
    for (int32_t frame = 0; frame < 3; ++frame) {
        assert_ok(thRecorder_Take(recorder, frame, &recording));
        assert_int_equal(recording.frame.count, 4 + frame);
        for (int32_t i = 0; i < 4 + frame; ++i)
            assert_int_equal(recording.frame.id[i], expected[frame][i]);
        assert_int_equal(recording.personCount, frame == 0 ? 4 : 1);
        // Those who went on with it meanwhile are told of in the order in which they came.
        if (frame == 0) {
            static const int32_t order[] = {3, 1, 2, 0}; // by key
            for (int32_t i = 0; i < 4; ++i)
                people[known++] = recording.people[order[i]];
        } else {
            people[known++] = recording.people[0];
        }
        if (frame == 1) { // another one goes on from here
            thDestroyRecorder(recorder);
            assert_ok(thCreateRecorder(&def, stage.run, &recorder));
            assert_ok(thRecorder_Know(recorder, people, known));
        }
        stepTimes(&stage, 1);
    }
    thDestroyRecorder(recorder);
    closeStage(&stage);
}

static void testBadCalls(void** state)
{
    (void)state;
    Stage stage = mustOpen(busyScene, NULL);
    thRecorderDef def = thDefaultRecorderDef();
    thRecorder* recorder;
    thRecording recording;
    listen();
    assert_int_equal(thCreateRecorder(&def, NULL, &recorder), th_resultBadArgument);
    def.hasArea = 1;
    def.low.x = 1.0;
    assert_int_equal(thCreateRecorder(&def, stage.run, &recorder), th_resultBadArgument);
    def.high = (thPlace){2.0, NAN};
    assert_int_equal(thCreateRecorder(&def, stage.run, &recorder), th_resultBadArgument);
    def.hasArea = 0;
    assert_ok(thCreateRecorder(&def, stage.run, &recorder));
    const thRecordedPerson wrong[] = {{.id = 1, .key = 700000}, {.id = 3, .key = 8}};
    const thRecordedPerson twice[] = {{.id = 1, .key = 7}, {.id = 2, .key = 7}};
    assert_int_equal(heard(), 3);
    assert_int_equal(thRecorder_Know(recorder, wrong, 2), th_resultBadArgument);
    assert_int_equal(thRecorder_Know(recorder, twice, 2), th_resultBadArgument);
    assert_ok(thRecorder_Know(recorder, wrong, 1));
    assert_ok(thRecorder_Take(recorder, 5, &recording));
    assert_int_equal(recording.frame.id[0], 2); // the first was somebody else
    assert_int_equal(thRecorder_Take(recorder, 5, &recording), th_resultBadArgument);
    assert_int_equal(thRecorder_Know(recorder, wrong, 1), th_resultBadArgument);
    assert_int_equal(heard(), 2);
    thDestroyRecorder(recorder);
    thDestroyRecorder(NULL);
    closeStage(&stage);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testFollows),      cmocka_unit_test(testArea),
        cmocka_unit_test(testWithoutGoals), cmocka_unit_test(testStillShapes),
        cmocka_unit_test(testNothing),      cmocka_unit_test(testGivenIds),
        cmocka_unit_test(testBadCalls),
    };
    return RUN_TESTS(tests, argc, argv);
}
