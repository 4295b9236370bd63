// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Scenes from text with errors kept, and models that are compared member by member.

#include "scene/scene_gear.h"

#include "scene/read/scene_read.h"

#include <stdio.h>
#include <stdlib.h>

void keepError(void* context, const thError* error)
{
    Errors* errors = context;
    if (errors->count < MOST_ERRORS)
        errors->items[errors->count] = *error;
    errors->count += 1;
}

void printErrors(const Errors* errors)
{
    for (int32_t i = 0; i < errors->count && i < MOST_ERRORS; ++i) {
        const thError* error = &errors->items[i];
        print_error("%s:%d:%d: %s: %s\n", error->file, (int)error->line, (int)error->column,
                    error->path, error->text);
    }
}

thSceneDef textDef(const char* text, Errors* errors)
{
    *errors = (Errors){.count = 0};
    thSceneDef def = thDefaultSceneDef();
    def.path = "test.json";
    def.text = text;
    def.textSize = strlen(text);
    def.report = keepError;
    def.reportContext = errors;
    return def;
}

static thScene* load(const char* text, const char* change, Errors* errors)
{
    thSceneDef def = textDef(text, errors);
    def.changes = &change;
    def.changeCount = change != NULL;
    thScene* scene;
    const thResult code = thLoadScene(&def, &scene);
    assert_int_equal(code, errors->count > 0 ? errors->items[0].code : th_resultOk);
    assert_true((scene != NULL) == (errors->count == 0));
    return scene;
}

thScene* loadText(const char* text, Errors* errors)
{
    return load(text, NULL, errors);
}

thScene* loadChanged(const char* text, const char* change)
{
    Errors errors;
    thScene* scene = load(text, change, &errors);
    printErrors(&errors);
    assert_non_null(scene);
    return scene;
}

void assertError(const char* text, const char* path, const char* says)
{
    Errors errors;
    thDestroyScene(loadText(text, &errors));
    const bool good = errors.count == 1 && strcmp(errors.items[0].path, path) == 0 &&
                      strcmp(errors.items[0].text, says) == 0;
    if (good)
        return;
    printErrors(&errors);
    fail_msg("expected one error: %s: %s\nin %s", path, says, text);
}

char* readTreeFile(const char* path, size_t* size)
{
    char name[1024];
    snprintf(name, sizeof name, "%s/%s", THRONG_TREE, path);
    FILE* file = fopen(name, "rb");
    if (file == NULL)
        fail_msg("cannot open %s", name);
    fseek(file, 0, SEEK_END);
    const long length = ftell(file);
    rewind(file);
    char* text = malloc((size_t)length + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)length, file), length);
    fclose(file);
    text[length] = '\0';
    if (size != NULL)
        *size = (size_t)length;
    return text;
}

char* readFullScene(void)
{
    return readTreeFile("tests/scene/full.json", NULL);
}

char* writeScene(const thScene* scene)
{
    size_t size = 0;
    assert_int_equal(thScene_Write(scene, NULL, 0, &size), th_resultOk);
    char* text = malloc(size + 1);
    assert_non_null(text);
    assert_int_equal(thScene_Write(scene, text, size + 1, &size), th_resultOk);
    assert_int_equal(strlen(text), size);
    return text;
}

// Models. The macros name what differs.

#define SAME(member) assert_true(a->member == b->member)
#define SAME_NUMBER(member)                                                                        \
    assert_true(a->member == b->member || (isnan(a->member) && isnan(b->member)))
#define SAME_TEXT(member) assertSameText(a->member, b->member)

static void assertSameText(const char* a, const char* b)
{
    assert_true((a == NULL) == (b == NULL));
    if (a != NULL)
        assert_string_equal(a, b);
}

static void assertSameCoords(thCoords a, thCoords b)
{
    assert_int_equal(a.count, b.count);
    for (int32_t i = 0; i < a.count; ++i)
        assert_true(a.items[i].x == b.items[i].x && a.items[i].y == b.items[i].y);
}

static void assertSameShape(const thShape* a, const thShape* b)
{
    SAME(kind);
    SAME(radius);
    assertSameCoords(a->points, b->points);
}

static void assertSameDraw(const thDraw* a, const thDraw* b)
{
    SAME(kind);
    SAME(a);
    SAME(b);
    SAME(min);
    SAME(max);
    assertSameCoords(a->table, b->table);
}

static void assertSameRepeat(const thSceneRepeat* a, const thSceneRepeat* b)
{
    SAME(columns);
    SAME(rows);
    SAME(step[0]);
    SAME(step[1]);
    SAME_NUMBER(around.x);
    SAME_NUMBER(around.y);
    SAME(count);
}

static void assertSameWall(const thSceneWall* a, const thSceneWall* b)
{
    SAME(kind);
    SAME(walkable);
    SAME(level);
    SAME_TEXT(file);
    assertSameRepeat(&a->repeat, &b->repeat);
    assertSameShape(&a->shape, &b->shape);
}

static void assertSameDoor(const thSceneDoor* a, const thSceneDoor* b)
{
    SAME_TEXT(name);
    SAME(a.x);
    SAME(a.y);
    SAME(b.x);
    SAME(b.y);
    SAME(openCount);
    SAME(level);
    for (int32_t i = 0; i < 2 * a->openCount; ++i)
        SAME(open[i]);
}

static void assertSameMover(const thSceneMover* a, const thSceneMover* b)
{
    SAME(isDisc);
    SAME(radius);
    SAME(at.x);
    SAME(at.y);
    SAME(angle);
    SAME(velocity[0]);
    SAME(velocity[1]);
    SAME(spin);
    SAME(speed);
    SAME(loop);
    SAME(yields);
    SAME(level);
    assertSameCoords(a->corners, b->corners);
    assertSameCoords(a->path, b->path);
}

static void assertSameGoal(const thSceneGoal* a, const thSceneGoal* b)
{
    SAME_TEXT(name);
    SAME(kind);
    SAME(goalCount);
    SAME(offset[0]);
    SAME(offset[1]);
    SAME(count);
    assertSameRepeat(&a->repeat, &b->repeat);
    assertSameShape(&a->shape, &b->shape);
    for (int32_t i = 0; i < a->goalCount; ++i)
        SAME(goals[i]);
}

static void assertSameProfile(const thScene* scene, const thSceneProfile* a,
                              const thSceneProfile* b)
{
    SAME_TEXT(name);
    SAME(preset);
    for (int32_t kind = 0; kind < th_methodKindCount; ++kind) {
        SAME_TEXT(methods[kind].name);
        const thMethod* method = thiSceneMethodOf(scene, (thMethodKind)kind, a->methods[kind].name);
        assert_true((a->methods[kind].params == NULL) == (b->methods[kind].params == NULL));
        if (a->methods[kind].params != NULL)
            assert_memory_equal(a->methods[kind].params, b->methods[kind].params,
                                method->paramSize);
    }
    assertSameDraw(&a->radius, &b->radius);
    assertSameDraw(&a->speed, &b->speed);
    assertSameDraw(&a->maxSpeed, &b->maxSpeed);
    SAME(maxAcceleration);
    SAME(yield);
    SAME(arrivalDistance);
    SAME(neighbours);
    SAME(walls);
    SAME(neighbourRadius);
    SAME(wallRadius);
    SAME(viewAngle);
    SAME(seesThroughWalls);
}

static void assertSameRoadmap(const thSceneRoadmap* a, const thSceneRoadmap* b)
{
    SAME_TEXT(name);
    SAME(kind);
    assertSameCoords(a->nodes, b->nodes);
    SAME(edgeCount);
    for (int32_t i = 0; i < 2 * a->edgeCount; ++i)
        SAME(edges[i]);
    SAME(from.x);
    SAME(from.y);
    SAME(columns);
    SAME(rows);
    SAME(spacing[0]);
    SAME(spacing[1]);
    assertSameShape(&a->box, &b->box);
    SAME(side);
    SAME(diagonals);
    SAME(count);
    SAME(neighbours);
    SAME(reach);
    SAME(level);
}

static void assertSamePlace(const thScenePlace* a, const thScenePlace* b)
{
    SAME(kind);
    SAME(count);
    SAME(gap);
    SAME(from.x);
    SAME(from.y);
    SAME(columns);
    SAME(rows);
    SAME(spacing[0]);
    SAME(spacing[1]);
    SAME(jitter);
    SAME(center.x);
    SAME(center.y);
    SAME(radius);
    SAME(rate);
    SAME(begin);
    SAME(end);
    assertSameCoords(a->at, b->at);
    assertSameShape(&a->region, &b->region);
}

static void assertSameAgents(const thSceneAgents* a, const thSceneAgents* b)
{
    SAME(profile);
    SAME(goal);
    SAME(arrive);
    SAME_TEXT(group);
    SAME(velocity[0]);
    SAME(velocity[1]);
    SAME_NUMBER(heading);
    SAME(priority);
    SAME(layers);
    SAME(mask);
    SAME(level);
    assertSameDraw(&a->delay, &b->delay);
    assertSamePlace(&a->place, &b->place);
    assertSameRepeat(&a->repeat, &b->repeat);
}

static void assertSameGauge(const thSceneGauge* a, const thSceneGauge* b)
{
    SAME_TEXT(name);
    SAME(isLine);
    SAME(level);
    assert_true(a->capacity == b->capacity);
    assertSameShape(&a->shape, &b->shape);
}

#define SAME_ITEMS(items, count, assertSame)                                                       \
    do {                                                                                           \
        SAME(count);                                                                               \
        for (int32_t i = 0; i < a->count; ++i)                                                     \
            assertSame(&a->items[i], &b->items[i]);                                                \
    } while (0)

void assertSameScene(const thScene* a, const thScene* b)
{
    SAME_TEXT(about);
    SAME_TEXT(schema);
    SAME(step);
    SAME(endAt);
    SAME(endSteps);
    SAME(endArrived);
    SAME(seed);
    SAME(origin.x);
    SAME(origin.y);
    SAME(contacts);
    SAME_ITEMS(walls, wallCount, assertSameWall);
    SAME_ITEMS(doors, doorCount, assertSameDoor);
    SAME_ITEMS(movers, moverCount, assertSameMover);
    SAME_ITEMS(goals, goalCount, assertSameGoal);
    SAME_ITEMS(roadmaps, roadmapCount, assertSameRoadmap);
    SAME(profileCount);
    for (int32_t i = 0; i < a->profileCount; ++i)
        assertSameProfile(a, &a->profiles[i], &b->profiles[i]);
    SAME_ITEMS(agents, agentsCount, assertSameAgents);
    SAME_ITEMS(gauges, gaugeCount, assertSameGauge);
}
