// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Every key of profiles and agents has an effect: a run with another value than the default is
// another one; and so has every key of lines. Keys that were read and used nowhere would pass all
// other tests.

#include "base/hash.h"
#include "scene/read/scene_keys.h"
#include "scene/run_gear.h"

#include <stdio.h>
#include <stdlib.h>

// Two rows of people meet in a room round a pillar. %s: what the profile of the first has besides,
// and where they stand.
#define SCENE                                                                                      \
    "{\"throng\": 1, \"walls\": [{\"room\": [[0, 0], [20, 0], [20, 8], [0, 8]]}, "                 \
    "{\"box\": [[9, 3], [10, 4.5]]}], "                                                            \
    "\"goals\": {\"e\": {\"point\": [18, 4]}, \"w\": {\"disc\": [2, 4], \"radius\": 0.5}}, "       \
    "\"profiles\": {\"p\": {\"plan\": \"visibility\"%s}, \"q\": {\"speed\": 0.7}, "                \
    "\"o\": {\"plan\": \"visibility\"}}, "                                                         \
    "\"agents\": [{\"profile\": \"p\", \"goal\": \"e\", %s}, "                                     \
    "{\"profile\": \"o\", \"goal\": \"w\", \"mask\": 1, "                                          \
    "\"grid\": {\"from\": [13, 2.5], \"columns\": 3, \"rows\": 4, \"spacing\": 1}}]}"

#define GRID "\"grid\": {\"from\": [4, 2.5], \"columns\": 3, \"rows\": 4, \"spacing\": 1}"
#define IN "\"in\": {\"box\": [[3, 2], [6, 6]]}, \"count\": 9"
#define SOURCE "\"source\": {\"in\": {\"box\": [[3, 2], [6, 6]]}, \"rate\": 2}"
#define REPEAT GRID ", \"repeat\": {\"columns\": 2, \"rows\": 2, \"step\": [0.3, 0.13]}"
#define AROUND GRID ", \"repeat\": {\"around\": [5.2, 4.3], \"count\": 2}"
#define GROUP GRID ", \"group\": \"family\""
#define TOGETHER ", \"together\": {\"abreast\": 3}"
#define CLEARPATH ", \"avoid\": \"clearpath\""

// A key, and a value that must make a difference to the scene above.
typedef struct KeyCase {
    const char* key;
    const char* value;   // NULL: it is excused
    const char* profile; // what the profile has besides
    const char* place;   // where the first row is, without a change and with it; NULL: GRID
    const char* other;
} KeyCase;

// Why: there is no other built-in method yet; only recordings tell ids.
static const KeyCase excused[] = {{.key = "profile.group"}, {.key = "agents.id"}};

static const KeyCase cases[] = {
    {.key = "profile.preset", .value = "\"imo-female-30-50\""},
    {.key = "profile.radius", .value = "0.35"},
    {.key = "profile.shape",
     .value = "[[0.5, 0], [-0.2, 0.2], [-0.2, -0.2]]",
     .profile = CLEARPATH},
    {.key = "profile.speed", .value = "1"},
    {.key = "profile.maxSpeed", .value = "1.4"},
    {.key = "profile.maxAcceleration", .value = "1"},
    {.key = "profile.yield", .value = "0.1"},
    {.key = "profile.arrivalDistance", .value = "2"},
    {.key = "profile.keep", .value = "\"left\""},
    {.key = "profile.patience", .value = "0"},
    {.key = "profile.slowness", .value = "0.9"},
    {.key = "profile.turnAside", .value = "80"},
    {.key = "profile.pace", .value = "\"none\""},
    {.key = "profile.pace.gap", .value = "0.5"},
    {.key = "profile.pace.spread", .value = "0.5"},
    {.key = "profile.pace.follow", .value = "0.1"},
    {.key = "profile.pace.width", .value = "0.2"},
    {.key = "profile.together", .value = "\"people\"", .place = GROUP},
    {.key = "profile.together.reach", .value = "0.3", .place = GROUP, .profile = TOGETHER},
    {.key = "profile.together.gap", .value = "0.5", .place = GROUP, .profile = TOGETHER},
    {.key = "profile.together.abreast", .value = "1", .place = GROUP, .profile = TOGETHER},
    {.key = "profile.plan", .value = "\"direct\""},
    {.key = "profile.avoid", .value = "\"clearpath\""},
    {.key = "profile.sees.neighbours", .value = "1"},
    {.key = "profile.sees.radius", .value = "0.8"},
    {.key = "profile.sees.walls", .value = "0"},
    {.key = "profile.sees.wallRadius", .value = "0.1"},
    {.key = "profile.sees.angle", .value = "60"},
    {.key = "profile.sees.throughWalls", .value = "false"},
    {.key = "agents.profile", .value = "\"q\""},
    {.key = "agents.at", .place = GRID, .other = "\"at\": [[4, 3], [5, 5]]"},
    {.key = "agents.appear", .value = "2", .place = "\"at\": [[4, 3], [5, 5]]"},
    {.key = "agents.in", .place = GRID, .other = IN},
    {.key = "agents.in.disc",
     .place = IN,
     .other = "\"in\": {\"disc\": [5, 4], \"radius\": 2}, \"count\": 9"},
    {.key = "agents.in.radius",
     .value = "2",
     .place = "\"in\": {\"disc\": [5, 4], \"radius\": 1.9}, \"count\": 9"},
    {.key = "agents.in.polygon",
     .place = IN,
     .other = "\"in\": {\"polygon\": [[3, 2], [6, 2], [6, 6]]}, \"count\": 9"},
    {.key = "agents.in.box", .value = "[[3, 2], [6, 6.5]]", .place = IN},
    {.key = "agents.count", .value = "8", .place = IN},
    {.key = "agents.gap", .value = "0.4", .place = IN},
    {.key = "agents.grid", .place = IN, .other = GRID},
    {.key = "agents.grid.from", .value = "[4.1, 2.5]"},
    {.key = "agents.grid.columns", .value = "2"},
    {.key = "agents.grid.rows", .value = "3"},
    {.key = "agents.grid.spacing", .value = "0.9"},
    {.key = "agents.grid.jitter", .value = "0.1"},
    {.key = "agents.circle",
     .place = GRID,
     .other = "\"circle\": {\"center\": [5, 4], \"radius\": 1.5, \"count\": 9}"},
    {.key = "agents.circle.center",
     .value = "[5, 4.1]",
     .place = "\"circle\": {\"center\": [5, 4], \"radius\": 1.5, \"count\": 9}"},
    {.key = "agents.circle.radius",
     .value = "1.6",
     .place = "\"circle\": {\"center\": [5, 4], \"radius\": 1.5, \"count\": 9}"},
    {.key = "agents.circle.count",
     .value = "8",
     .place = "\"circle\": {\"center\": [5, 4], \"radius\": 1.5, \"count\": 9}"},
    {.key = "agents.source", .place = GRID, .other = SOURCE},
    {.key = "agents.source.in", .value = "{\"disc\": [5, 4], \"radius\": 2}", .place = SOURCE},
    {.key = "agents.source.in.disc",
     .value = "[5, 4.5]",
     .place = "\"source\": {\"in\": {\"disc\": [5, 4], \"radius\": 2}, \"rate\": 2}"},
    {.key = "agents.source.in.radius",
     .value = "1",
     .place = "\"source\": {\"in\": {\"disc\": [5, 4], \"radius\": 2}, \"rate\": 2}"},
    {.key = "agents.source.in.polygon",
     .place = SOURCE,
     .other = "\"source\": {\"in\": {\"polygon\": [[3, 2], [6, 2], [6, 6]]}, \"rate\": 2}"},
    {.key = "agents.source.in.box", .value = "[[3, 2], [6, 6.5]]", .place = SOURCE},
    {.key = "agents.source.in.segment",
     .place = SOURCE,
     .other = "\"source\": {\"in\": {\"segment\": [[3, 2], [3, 6]]}, \"rate\": 2}"},
    {.key = "agents.source.rate", .value = "1", .place = SOURCE},
    {.key = "agents.source.from", .value = "2", .place = SOURCE},
    {.key = "agents.source.to", .value = "2", .place = SOURCE},
    {.key = "agents.source.count", .value = "3", .place = SOURCE},
    {.key = "agents.repeat", .place = GRID, .other = REPEAT},
    {.key = "agents.repeat.columns", .value = "3", .place = REPEAT},
    {.key = "agents.repeat.rows", .value = "3", .place = REPEAT},
    {.key = "agents.repeat.step", .value = "[0.3, 0.17]", .place = REPEAT},
    {.key = "agents.repeat.around", .value = "[5.2, 4.4]", .place = AROUND},
    {.key = "agents.repeat.count", .value = "3", .place = AROUND},
    {.key = "agents.goal", .value = "\"w\""},
    {.key = "agents.arrive", .value = "\"leave\""},
    {.key = "agents.group", .value = "\"family\""},
    {.key = "agents.speed", .value = "1"},
    {.key = "agents.delay", .value = "3"},
    {.key = "agents.pauses", .value = "[[3, 5]]"},
    {.key = "agents.hold", .value = "true"},
    {.key = "agents.velocity", .value = "[1, 0.5]", .profile = ", \"maxAcceleration\": 2"},
    {.key = "agents.heading", .value = "90"},
    {.key = "agents.priority", .value = "5"},
    {.key = "agents.layers", .value = "2"},
    {.key = "agents.mask", .value = "0"},
    {.key = "agents.level", .value = "1"},
};

#define STEPS 200

// What one can see of a run: who is where, facing which way, in which group, and has arrived.
static uint64_t watch(const char* text, const char* change)
{
    thScene* scene = loadChanged(text, change);
    if (scene == NULL)
        fail_msg("%s\nwith %s", text, change);
    thRunDef def = thDefaultRunDef();
    thRun* run;
    const thResult code = thCreateRun(scene, &def, &run);
    if (code != th_resultOk)
        fail_msg("%s\nwith %s: %d", text, change, (int)code);
    thWorld* world = thRun_GetWorld(run);
    uint64_t hash = 0;
    for (int32_t step = 0; step <= STEPS; ++step) {
        const thAgentView view = thWorld_GetAgentView(world);
        for (int32_t i = 0; i < view.slotCount; ++i) {
            const thAgentRow* row = &view.rows[i];
            if (row->flags == 0)
                continue;
            const thAgentId agent = thWorld_FindAgent(world, row->key);
            const thAgentInfo info = thAgent_GetInfo(world, agent);
            const float seen[] = {row->position.x, row->position.y, row->heading,
                                  (float)info.level};
            hash = thiHashBytes(hash, seen, sizeof seen);
            hash = thiHashWord(hash, (uint64_t)info.group);
            hash = thiHashWord(hash, row->flags);
        }
        assert_ok(thRun_Step(run));
    }
    thDestroyRun(run);
    thDestroyScene(scene);
    return hash;
}

static const KeyCase* findCase(const KeyCase* list, size_t count, const char* key)
{
    for (size_t i = 0; i < count; ++i)
        if (strcmp(list[i].key, key) == 0)
            return &list[i];
    return NULL;
}

static bool hasEffect(const KeyCase* item)
{
    char base[2048], changed[2048], change[256] = "seed=1";
    const char* profile = item->profile != NULL ? item->profile : "";
    const char* place = item->place != NULL ? item->place : GRID;
    const char* other = item->other != NULL ? item->other : place;
    const bool isOfProfile = strncmp(item->key, "profile.", 8) == 0;
    snprintf(base, sizeof base, SCENE, profile, place);
    snprintf(changed, sizeof changed, SCENE, profile, other);
    if (item->value != NULL)
        snprintf(change, sizeof change, "%s.%s=%s", isOfProfile ? "profiles.p" : "agents[0]",
                 strchr(item->key, '.') + 1, item->value);
    return watch(base, "seed=1") != watch(changed, change);
}

static void walkTable(const thKeyTable* table, const char* prefix)
{
    for (int32_t i = 0; i < table->keyCount; ++i) {
        const thSceneKey* key = &table->keys[i];
        char path[128];
        snprintf(path, sizeof path, "%s.%s", prefix, key->name);
        const KeyCase* item = findCase(cases, sizeof cases / sizeof cases[0], path);
        const bool isObject = key->kind == th_keyObject;
        if (findCase(excused, sizeof excused / sizeof excused[0], path) != NULL)
            continue;
        if (item == NULL && !isObject)
            fail_msg("no value of %s is tried; give one, or excuse it with the reason", path);
        if (item != NULL && !hasEffect(item))
            fail_msg("%s has no effect", path);
        if (isObject)
            walkTable(key->table, path);
    }
}

static void testProfiles(void** state)
{
    (void)state;
    walkTable(&thiProfileTable, "profile");
}

static void testAgents(void** state)
{
    (void)state;
    walkTable(&thiAgentsTable, "agents");
}

// Ten people walk along x over the line x = 5, and this line has keys besides its segment. Returns
// how many are beyond it after 20 s.
static int32_t countBeyond(const char* line)
{
    char text[512];
    snprintf(text, sizeof text,
             "\"profiles\": {\"p\": {\"avoid\": \"none\"}}, \"agents\": [{\"goal\": "
             "{\"offset\": [30, 0]}, \"grid\": {\"from\": [0, 0.5], \"columns\": 1, \"rows\": 10, "
             "\"spacing\": 1}}], \"measure\": {\"lines\": {\"a\": %s}}",
             line);
    Stage stage = mustOpen(text, NULL);
    stepTimes(&stage, 200);
    const thAgentView view = thWorld_GetAgentView(stage.world);
    int32_t count = 0;
    for (int32_t slot = 0; slot < view.slotCount; ++slot)
        count += view.rows[slot].position.x > 5.0f;
    closeStage(&stage);
    return count;
}

static void testLines(void** state)
{
    (void)state;
    assert_int_equal(countBeyond("[[5, 0], [5, 10]]"), 10);
    assert_int_equal(countBeyond("{\"segment\": [[5, 0], [5, 10]]}"), 10);
    assert_int_equal(countBeyond("{\"segment\": [[5, 0], [5, 10]], \"capacity\": 0}"), 0);
    assert_int_equal(countBeyond("{\"segment\": [[5, 0], [5, 5]], \"capacity\": 0}"), 5);
    // From 3.7 s on 0.2 a second, and one at once.
    assert_in_range(countBeyond("{\"segment\": [[5, 0], [5, 10]], \"capacity\": 0.02}"), 4, 5);
    assert_int_equal(countBeyond("{\"segment\": [[5, 0], [5, 10]], \"capacity\": 0, \"level\": 1}"),
                     10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testProfiles), cmocka_unit_test(testAgents),
                                       cmocka_unit_test(testLines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
