// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What a scene becomes: every key of the full scene, defaults, changes, and what goes wrong
// outside of the text.

#include "gear/allocators.h"
#include "scene/read/scene_keys.h"
#include "scene/scene_gear.h"
#include "throng/orca.h"
#include "throng/roadmap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static thScene* loadFull(void)
{
    Errors errors;
    char* text = readFullScene();
    thScene* scene = loadText(text, &errors);
    printErrors(&errors);
    assert_non_null(scene);
    free(text);
    return scene;
}

static void assertCoord(thCoord point, double x, double y)
{
    assert_true(point.x == x && point.y == y);
}

static void assertDraw(const thDraw* draw, thDrawKind kind, double a, double b, double min,
                       double max)
{
    assert_int_equal(draw->kind, kind);
    assert_true(draw->a == a && draw->b == b);
    assert_near(draw->min, min, 1e-12);
    assert_near(draw->max, max, 1e-12);
}

static void testRoot(void** state)
{
    (void)state;
    thScene* scene = loadFull();
    assert_string_equal(scene->name, "test");
    assert_string_equal(scene->file, "test.json");
    assert_string_equal(scene->about, "Everything there is.");
    assert_true(scene->step == 0.05 && scene->endAt == 120.0);
    assert_int_equal(scene->endSteps, 5000);
    assert_true(scene->endArrived);
    assert_int_equal(scene->seed, 7);
    assertCoord(scene->origin, 500000, 5700000);
    assert_false(scene->contacts);
    assert_non_null(scene->root);

    const thSceneInfo info = thScene_GetInfo(scene);
    assert_string_equal(info.name, "test");
    assert_string_equal(info.about, "Everything there is.");
    assert_true(info.step == 0.05 && info.endTime == 120.0);
    assert_int_equal(info.endSteps, 5000);
    assert_int_equal(info.endsArrived, 1);
    assert_int_equal(info.seed, 7);
    assert_true(info.originX == 500000 && info.originY == 5700000);
    assert_int_equal(info.agents, 1 + 60 + 2 + 2 * 12 + 8);
    assert_int_equal(info.comingAgents, -1);
    assert_int_equal(info.goalCount, 8);
    assert_int_equal(info.profileCount, 2);
    thDestroyScene(scene);
}

static void testWallsAndDoors(void** state)
{
    (void)state;
    thScene* scene = loadFull();
    assert_int_equal(scene->wallCount, 5);
    const thSceneWall* walls = scene->walls;
    assert_int_equal(walls[0].kind, th_wallPolyline);
    assert_int_equal(walls[0].shape.points.count, 3);
    assertCoord(walls[0].shape.points.items[2], 500020, 5700004);
    assert_int_equal(walls[1].kind, th_wallPolygon);
    assert_int_equal(walls[1].shape.kind, th_shapePolygon);
    assert_int_equal(walls[1].shape.points.count, 3);
    assert_int_equal(walls[1].level, 1);
    assert_int_equal(walls[2].kind, th_wallRoom);
    assert_int_equal(walls[2].shape.kind, th_shapePolygon);
    assert_int_equal(walls[2].shape.points.count, 4);
    assert_int_equal(walls[3].kind, th_wallPolygon);
    assert_int_equal(walls[3].shape.kind, th_shapeBox);
    assert_int_equal(walls[3].shape.points.count, 2);
    assertCoord(walls[3].shape.points.items[1], 500044, 5700002);
    assert_true(walls[3].repeat.columns == 3 && walls[3].repeat.rows == 2);
    assert_true(walls[3].repeat.step[0] == 6.0 && walls[3].repeat.step[1] == -4.0);
    assertCoord(walls[3].repeat.around, 500040, 5700010);
    assert_int_equal(walls[3].repeat.count, 5);
    assert_true(walls[0].repeat.columns == 1 && walls[0].repeat.rows == 1);
    assert_int_equal(walls[0].repeat.count, 1);
    assert_int_equal(walls[4].kind, th_wallFile);
    assert_string_equal(walls[4].file, "hall.wkt");
    assert_true(walls[4].degrees[0] == 13.37 && walls[4].degrees[1] == 52.52);
    assert_true(isnan(walls[0].degrees[0]));
    assert_false(walls[4].walkable);
    assert_int_equal(walls[4].source->line, 14);

    assert_int_equal(scene->doorCount, 1);
    const thSceneDoor* door = scene->doors;
    assertCoord(door->a, 500020, 5700004);
    assertCoord(door->b, 500020, 5700006);
    assert_int_equal(door->openCount, 2);
    assert_true(door->open[0] == 0 && door->open[1] == 30 && door->open[2] == 60);
    assert_true(door->open[3] == 120);
    assert_string_equal(door->name, "exit");
    assert_int_equal(door->level, 2);
    assert_non_null(door->source);
    int32_t files = 0;
    for (int32_t i = 0; i < scene->wallCount; ++i)
        if (scene->walls[i].kind == th_wallFile)
            assert_string_equal(thScene_GetWallFile(scene, files++), scene->walls[i].file);
    assert_true(files > 0);
    assert_null(thScene_GetWallFile(scene, files));
    thDestroyScene(scene);
}

static void testMovers(void** state)
{
    (void)state;
    thScene* scene = loadFull();
    assert_int_equal(scene->moverCount, 2);
    const thSceneMover* trolley = &scene->movers[0];
    assert_false(trolley->isDisc);
    assert_int_equal(trolley->corners.count, 4);
    assertCoord(trolley->corners.items[3], -0.6, 0.4);
    assert_int_equal(trolley->path.count, 2);
    assertCoord(trolley->path.items[1], 500018, 5700010);
    assertCoord(trolley->at, 500002, 5700010);
    assert_true(trolley->speed == 1.5 && trolley->loop && !trolley->yields);
    assert_true(trolley->angle == 0 && trolley->spin == 0);
    assert_int_equal(trolley->level, 3);
    const thSceneMover* robot = &scene->movers[1];
    assert_true(robot->isDisc && robot->radius == 0.5);
    assert_int_equal(robot->path.count, 0);
    assertCoord(robot->at, 500001, 5700012);
    assert_true(robot->velocity[0] == 0.5 && robot->velocity[1] == -0.25);
    assert_true(robot->spin == 90 && robot->angle == 45 && robot->yields && !robot->loop);
    assert_non_null(robot->source);
    thDestroyScene(scene);
}

static void testRoadmaps(void** state)
{
    (void)state;
    thScene* scene = loadFull();
    assert_int_equal(scene->roadmapCount, 5);
    const thSceneRoadmap* office = &scene->roadmaps[0];
    assert_string_equal(office->name, "office");
    assert_int_equal(office->kind, th_roadmapGiven);
    assert_int_equal(office->nodes.count, 2 * 3);
    assertCoord(office->nodes.items[0], 500002, 5700002);
    assertCoord(office->nodes.items[1], 500002, 5700002);
    assertCoord(office->nodes.items[3], 500004, 5700007);
    assert_int_equal(office->edgeCount, 2);
    assert_int_equal(office->edges[2], 2);
    assert_int_equal(office->edges[3], 1);
    assert_int_equal(office->level, 1);
    const thSceneRoadmap* streets = &scene->roadmaps[1];
    assert_int_equal(streets->kind, th_roadmapStreets);
    assertCoord(streets->from, 500000, 5700060);
    assert_int_equal(streets->columns, 4);
    assert_int_equal(streets->rows, 3);
    assert_true(streets->spacing[0] == 12 && streets->spacing[1] == 8.5);
    const thSceneRoadmap* cells = &scene->roadmaps[2];
    assert_int_equal(cells->kind, th_roadmapGrid);
    assertCoord(cells->box.points.items[1], 500020, 5700014);
    assert_true(cells->side == 0.5 && !cells->diagonals);
    const thSceneRoadmap* scatter = &scene->roadmaps[3];
    assert_int_equal(scatter->kind, th_roadmapRandom);
    assert_int_equal(scatter->count, 300);
    assert_int_equal(scatter->neighbours, 6);
    assert_true(scatter->reach == 15);
    assert_int_equal(scene->roadmaps[4].kind, th_roadmapMedial);
    assert_true(scene->roadmaps[4].side == 0.25);
    const thRoadmapUse* use = scene->profiles[1].methods[th_methodPlan].params;
    assert_string_equal(use->graph, "streets");
    assert_int_equal(use->lookEvery, 4);
    assert_int_equal(use->trees, 9);
    thDestroyScene(scene);
}

static void testGoals(void** state)
{
    (void)state;
    thScene* scene = loadFull();
    const thSceneGoal* goals = scene->goals;
    assert_int_equal(scene->goalCount, 8 + 6);
    assert_string_equal(goals[0].name, "middle");
    assert_int_equal(goals[0].shape.kind, th_shapePoint);
    assertCoord(goals[0].shape.points.items[0], 500010, 5700007);
    assert_int_equal(goals[1].shape.kind, th_shapeDisc);
    assert_true(goals[1].shape.radius == 1);
    assertCoord(goals[1].shape.points.items[0], 500000.5, 5700012);
    assert_int_equal(goals[2].shape.kind, th_shapeSegment);
    assertCoord(goals[2].shape.points.items[1], 500021, 5700006);
    assert_int_equal(goals[3].shape.kind, th_shapePolygon);
    assert_int_equal(goals[3].shape.points.count, 3);
    assert_int_equal(goals[4].shape.kind, th_shapeBox);
    for (int32_t i = 0; i < 5; ++i)
        assert_int_equal(goals[i].kind, th_sceneGoalShape);
    assert_int_equal(goals[5].kind, th_sceneGoalNearest);
    assert_int_equal(goals[5].goalCount, 2);
    assert_true(goals[5].goals[0] == 2 && goals[5].goals[1] == 1);
    assert_int_equal(goals[6].kind, th_sceneGoalList);
    assert_int_equal(goals[6].goalCount, 3);
    assert_true(goals[6].goals[0] == 0 && goals[6].goals[1] == 5 && goals[6].goals[2] == 3);
    assert_int_equal(goals[7].kind, th_sceneGoalOffset);
    assert_true(goals[7].offset[0] == 12 && goals[7].offset[1] == -3);

    const thSceneAgents* agents = scene->agents;
    assert_int_equal(agents[0].goal, 2);
    assert_int_equal(agents[1].goal, -1);
    const thSceneGoalKind kinds[] = {th_sceneGoalNearest, th_sceneGoalList,   th_sceneGoalOpposite,
                                     th_sceneGoalRandom,  th_sceneGoalOffset, th_sceneGoalShape};
    for (int32_t i = 0; i < 6; ++i) {
        assert_int_equal(agents[i + 2].goal, 8 + i);
        assert_int_equal(goals[8 + i].kind, kinds[i]);
        assert_null(goals[8 + i].name);
        assert_non_null(goals[8 + i].source);
    }
    assert_int_equal(goals[8].goalCount, 2);
    assert_true(goals[9].goals[0] == 3 && goals[9].goals[1] == 5);
    assert_int_equal(goals[11].count, 3);
    assert_int_equal(goals[11].shape.kind, th_shapeDisc);
    assert_true(goals[11].shape.radius == 5);
    assert_true(goals[12].offset[1] == 20);
    assert_true(goals[13].shape.radius == 1.5);
    thDestroyScene(scene);
}

static void testProfiles(void** state)
{
    (void)state;
    thScene* scene = loadFull();
    assert_int_equal(scene->profileCount, 2);
    const thSceneProfile* adult = &scene->profiles[0];
    assert_string_equal(adult->name, "adult");
    assertDraw(&adult->radius, th_drawFixed, 0.22, 0, 0, 0);
    assertDraw(&adult->speed, th_drawNormal, 1.34, 0.26, 0.6, 2);
    assertDraw(&adult->maxSpeed, th_drawUniform, 2, 2.5, 2, 2.5);
    assert_true(adult->maxAcceleration == 5 && adult->yield == 0.5);
    assert_true(adult->arrivalDistance == 0.4);
    assert_string_equal(adult->methods[th_methodPlan].name, "given");
    assert_string_equal(adult->methods[th_methodGroup].name, "none");
    assert_string_equal(adult->methods[th_methodAvoid].name, "orca");
    assert_null(adult->methods[th_methodPlan].params);
    const thOrcaDef* orca = adult->methods[th_methodAvoid].params;
    assert_int_equal(orca->size, sizeof *orca);
    assert_true(orca->timeHorizon == 3.0f && orca->wallHorizon == 0.25f);
    assert_true(orca->separationTime == 0.2f && orca->sideBias == -0.02f);
    assert_int_equal(adult->neighbours, 12);
    assert_int_equal(adult->walls, 4);
    assert_true(adult->neighbourRadius == 8 && adult->wallRadius == 3 && adult->viewAngle == 200);
    assert_false(adult->seesThroughWalls);
    assert_int_equal(adult->body.points.count, 4);
    assert_int_equal(adult->body.shape.count, 3); // the hull
    thBodyShape shape;
    assert_int_equal(thScene_GetBody(scene, 0, &shape), th_resultOk);
    assert_memory_equal(&shape, &adult->body.shape, sizeof shape);
    assert_int_equal(thScene_GetBody(scene, 1, &shape), th_resultOk);
    assert_int_equal(shape.count, 0);
    assert_int_equal(thScene_GetBody(scene, scene->agentsCount, &shape), th_resultBadArgument);
    const thSceneProfile* child = &scene->profiles[1];
    assertDraw(&child->speed, th_drawNormal, 1, 0.1, 0.7, 1.3);
    assertDraw(&child->radius, th_drawTable, 0, 0, 0.1, 0.2);
    assert_int_equal(child->radius.table.count, 3);
    assertCoord(child->radius.table.items[1], 0.15, 0.4);
    assertDraw(&child->maxSpeed, th_drawWeibull, 2, 8, 0, child->maxSpeed.max);
    assert_near(child->maxSpeed.max, 2.0 * pow(log(1000.0), 1.0 / 8.0), 1e-5);
    assert_string_equal(child->methods[th_methodAvoid].name, "none");
    assert_non_null(child->source);
    thDestroyScene(scene);
}

static void testAgents(void** state)
{
    (void)state;
    thScene* scene = loadFull();
    assert_int_equal(scene->agentsCount, 8);
    const thSceneAgents* agents = scene->agents;
    assert_int_equal(agents[0].profile, 0);
    assert_int_equal(agents[0].place.kind, th_placeAt);
    assert_int_equal(agents[0].place.count, 2);
    assertCoord(agents[0].place.at.items[1], 500010.6, 5700007);
    assert_int_equal(agents[0].arrive, th_arrivalLeave);
    assert_string_equal(agents[0].group, "couple");
    assert_true(agents[0].appear == 12.5 && isnan(agents[1].appear));
    assert_true(agents[0].id == 7 && agents[1].id == -1);
    assertDraw(&agents[0].speed, th_drawNormal, 1.2, 0.1, 0.9, 1.5);
    assert_true(agents[1].speed.a == TH_SCENE_OWN_SPEED);
    assertDraw(&agents[0].delay, th_drawUniform, 0, 5, 0, 5);
    assert_true(agents[0].pauseCount == 2 && agents[0].pauses[1] == 24.5);
    assert_true(agents[0].velocity[0] == 1 && agents[0].velocity[1] == 0.5);
    assert_true(agents[0].heading == 30 && agents[0].priority == 2);
    assert_true(agents[0].layers == 3 && agents[0].mask == 5);
    assert_int_equal(agents[0].level, 1);
    assert_int_equal(agents[1].profile, 1);
    assert_int_equal(agents[1].place.count, 1);
    assertCoord(agents[1].place.at.items[0], 500011, 5700009);
    assert_int_equal(agents[2].place.kind, th_placeIn);
    assert_int_equal(agents[2].place.count, 60);
    assert_int_equal(agents[2].place.region.kind, th_shapePolygon);
    assert_true(agents[2].place.gap == 0.1 && agents[3].place.gap == 0.05);
    assert_int_equal(agents[2].arrive, th_arrivalAgain);
    const thScenePlace* grid = &agents[4].place;
    assert_int_equal(grid->kind, th_placeGrid);
    assertCoord(grid->from, 500001, 5700020);
    assert_true(grid->columns == 4 && grid->rows == 3 && grid->count == 12);
    assert_true(grid->spacing[0] == 1 && grid->spacing[1] == 1.5 && grid->jitter == 0.1);
    const thScenePlace* circle = &agents[5].place;
    assert_int_equal(circle->kind, th_placeCircle);
    assertCoord(circle->center, 500010, 5700040);
    assert_true(circle->radius == 6 && circle->count == 8);
    const thScenePlace* source = &agents[6].place;
    assert_int_equal(source->kind, th_placeSource);
    assert_int_equal(source->region.kind, th_shapeSegment);
    assert_true(source->rate == 1.5 && source->begin == 10 && source->end == 60);
    assert_int_equal(source->count, 40);
    assertDraw(&agents[6].delay, th_drawLogNormal, 20, 10, 0, 70);
    assertDraw(&agents[7].delay, th_drawGamma, 30, 20, 0, 100);
    assert_int_equal(agents[7].place.count, -1);
    assert_true(isinf(agents[7].place.end) && agents[7].place.begin == 0);
    assert_int_equal(agents[7].place.region.kind, th_shapeDisc);
    assert_non_null(agents[7].source);
    thDestroyScene(scene);
}

static void testGauges(void** state)
{
    (void)state;
    thScene* scene = loadFull();
    assert_int_equal(scene->gaugeCount, 4);
    assert_true(scene->gauges[0].isLine && scene->gauges[1].isLine && !scene->gauges[2].isLine &&
                !scene->gauges[3].isLine);
    assert_string_equal(scene->gauges[0].name, "door");
    assert_int_equal(scene->gauges[0].shape.kind, th_shapeSegment);
    assert_true(isinf(scene->gauges[0].capacity) && scene->gauges[0].level == 0);
    assert_string_equal(scene->gauges[1].name, "gate");
    assert_int_equal(scene->gauges[1].shape.kind, th_shapeSegment);
    assert_true(scene->gauges[1].capacity == 1.33 && scene->gauges[1].level == 1);
    assert_string_equal(scene->gauges[2].name, "front");
    assert_int_equal(scene->gauges[2].shape.kind, th_shapeBox);
    assert_string_equal(scene->gauges[3].name, "round");
    assert_true(scene->gauges[3].shape.radius == 6);
    assert_non_null(scene->gauges[3].source);
    thDestroyScene(scene);
}

static void testDefaults(void** state)
{
    (void)state;
    Errors errors;
    thScene* scene = loadText("{\"throng\": 1, \"agents\": [{\"at\": [1, 2]}, {\"source\": "
                              "{\"in\": {\"box\": [[0, 0], [1, 1]]}, \"rate\": 1, \"count\": 3}}], "
                              "\"walls\": [{\"file\": \"a.wkt\"}]}",
                              &errors);
    printErrors(&errors);
    assert_non_null(scene);
    assert_string_equal(scene->about, "");
    assert_true(scene->step == 0.1 && scene->endAt == 600 && scene->endArrived);
    assert_int_equal(scene->endSteps, -1);
    assert_int_equal(scene->seed, 1);
    assertCoord(scene->origin, 0, 0);
    assert_true(scene->contacts && scene->walls[0].walkable);
    assert_int_equal(scene->goalCount, 0);
    assert_int_equal(scene->profileCount, 1);
    const thSceneProfile* person = scene->profiles;
    assert_string_equal(person->name, "person");
    assertDraw(&person->radius, th_drawFixed, 0.25, 0, 0, 0);
    assertDraw(&person->speed, th_drawFixed, 1.34, 0, 0, 0);
    assertDraw(&person->maxSpeed, th_drawFixed, TH_SCENE_OWN_SPEED, 0, 0, 0);
    assert_true(person->maxAcceleration == 0 && person->yield == 1);
    assert_true(person->arrivalDistance == 0.3);
    assert_string_equal(person->methods[th_methodPlan].name, "direct");
    assert_string_equal(person->methods[th_methodGroup].name, "none");
    assert_string_equal(person->methods[th_methodAvoid].name, "orca");
    assert_true(person->neighbours == 10 && person->walls == 8 && person->seesThroughWalls);
    assert_true(person->neighbourRadius == 5 && person->wallRadius == 5);
    assert_true(person->viewAngle == 360);
    const thSceneAgents* agents = scene->agents;
    assert_true(agents->profile == 0 && agents->goal == -1 && agents->group == NULL);
    assert_int_equal(agents->arrive, th_arrivalStop);
    assertDraw(&agents->delay, th_drawFixed, 0, 0, 0, 0);
    assert_true(isnan(agents->heading) && agents->priority == 1 && agents->layers == 1);
    assert_true(agents->mask == UINT32_MAX && agents->level == 0);
    const thSceneInfo info = thScene_GetInfo(scene);
    assert_int_equal(info.agents, 1);
    assert_int_equal(info.comingAgents, 3);
    thDestroyScene(scene);

    scene = loadChanged("{\"throng\": 1, \"agents\": [{\"source\": {\"in\": {\"box\": [[0, 0], "
                        "[1, 1]]}, \"rate\": 0.5, \"from\": 10}}]}",
                        "agents[0].source.to=15"); // at 10, 12 and 14
    assert_int_equal(thScene_GetInfo(scene).comingAgents, 3);
    thDestroyScene(scene);
    scene = loadChanged("{\"throng\": 1}", "time.end={}"); // goes on for ever
    assert_true(isinf(scene->endAt) && scene->endSteps == -1 && !scene->endArrived);
    thDestroyScene(scene);
    scene = loadChanged("{\"throng\": 1}", "profiles.person.speed={\"normal\": [1, 1]}");
    assertDraw(&scene->profiles->speed, th_drawNormal, 1, 1, 0, 4); // cut to the range
    thDestroyScene(scene);
    // Parameters that are the method's own are none.
    scene = loadChanged("{\"throng\": 1}", "profiles.person.avoid.orca.horizon=2");
    assert_null(scene->profiles->methods[th_methodAvoid].params);
    thDestroyScene(scene);
    scene = loadChanged("{\"throng\": 1, \"profiles\": {}}", "agents=[]");
    assert_string_equal(scene->profiles->name, "person");
    thDestroyScene(scene);
}

static void testChanges(void** state)
{
    (void)state;
    char* text = readFullScene();
    thScene* scene = loadChanged(text, "time.step=0.025");
    assert_true(scene->step == 0.025);
    thDestroyScene(scene);
    scene = loadChanged(text, "agents[2].count=7");
    assert_int_equal(scene->agents[2].place.count, 7);
    thDestroyScene(scene);
    scene = loadChanged(text, "agents[0].goal=yard");
    assert_int_equal(scene->agents[0].goal, 3);
    thDestroyScene(scene);
    scene = loadChanged(text, "profiles.child.radius=0.15");
    assert_true(scene->profiles[1].radius.a == 0.15);
    thDestroyScene(scene);
    free(text);
}

static void testBadArguments(void** state)
{
    (void)state;
    thScene* scene;
    thSceneDef def = thDefaultSceneDef();
    assert_int_equal(def.size, sizeof def);
    assert_int_equal(thLoadScene(&def, &scene), th_resultBadArgument); // neither file nor text
    assert_null(scene);
    assert_int_equal(thLoadScene(NULL, &scene), th_resultBadArgument);
    assert_int_equal(thLoadScene(&def, NULL), th_resultBadArgument);
    def.text = "{\"throng\": 1}";
    def.textSize = strlen(def.text);
    def.changeCount = 1;
    assert_int_equal(thLoadScene(&def, &scene), th_resultBadArgument);
    def.changeCount = 0;
    def.size += 8;
    assert_int_equal(thLoadScene(&def, &scene), th_resultBadArgument);
    def.size -= 8;
    assert_int_equal(thLoadScene(&def, &scene), th_resultOk);
    assert_string_equal(thScene_GetInfo(scene).name, "scene");
    assert_null(scene->file);
    thDestroyScene(scene);
    thDestroyScene(NULL);
    assert_null(thScene_GetInfo(NULL).name);
}

static void testFiles(void** state)
{
    (void)state;
    thScene* scene;
    Errors errors = {.count = 0};
    thSceneDef def = thDefaultSceneDef();
    def.report = keepError;
    def.reportContext = &errors;
    def.path = "no/such/file.json";
    assert_int_equal(thLoadScene(&def, &scene), th_resultFile);
    assert_null(scene);
    assert_int_equal(errors.count, 1);
    assert_string_equal(errors.items[0].file, "no/such/file.json");
    assert_string_equal(errors.items[0].text, "cannot read the file: No such file or directory");
    def.path = THRONG_TREE "/tests";
    assert_int_equal(thLoadScene(&def, &scene), th_resultFile);
    assert_string_equal(errors.items[1].text, "cannot read the file: Is a directory");
    def.path = THRONG_TREE "/tests/scene/full.json";
    assert_int_equal(thLoadScene(&def, &scene), th_resultOk);
    assert_string_equal(scene->name, "full");
    assert_string_equal(scene->file, THRONG_TREE "/tests/scene/full.json");
    thDestroyScene(scene);
    def.report = NULL; // nobody listens
    def.path = "/dev/null";
    assert_int_equal(thLoadScene(&def, &scene), th_resultSyntax);
    def.path = "/dev/zero"; // more than anybody may write
    assert_int_equal(thLoadScene(&def, &scene), th_resultFull);
}

static thResult loadWith(const thAllocator* allocator, void* context)
{
    thSceneDef def = thDefaultSceneDef();
    const char* change = "seed=8";
    def.allocator = *allocator;
    def.path = context;
    def.changes = &change;
    def.changeCount = 1;
    thScene* scene;
    const thResult code = thLoadScene(&def, &scene);
    assert_true((code == th_resultOk) == (scene != NULL));
    thDestroyScene(scene);
    return code;
}

static void testNoMemory(void** state)
{
    (void)state;
    assert_true(failEachAllocation(loadWith, THRONG_TREE "/tests/scene/full.json") > 5);
    thSceneDef def = thDefaultSceneDef();
    Errors errors = {.count = 0};
    def.path = THRONG_TREE "/tests/scene/full.json";
    def.report = keepError;
    def.reportContext = &errors;
    thScene* scene;
    for (uint64_t limit = 1; limit < 100000; limit += limit / 3 + 1) {
        errors.count = 0;
        def.maxBytes = limit;
        assert_int_equal(thLoadScene(&def, &scene), th_resultNoMemory);
        assert_int_equal(errors.count, 1);
        assert_int_equal(errors.items[0].code, th_resultNoMemory);
        assert_string_equal(errors.items[0].text, "no memory to read this scene");
    }
    def.maxBytes = 10000000;
    assert_int_equal(thLoadScene(&def, &scene), th_resultOk);
    thDestroyScene(scene);
}

// The full scene has every key there is, else tests by it would leave something out.
static void countKeys(const thJson* value, const thKeyTable* table, bool* found)
{
    if (value->key != NULL)
        for (int32_t i = 0; i < table->keyCount; ++i)
            if (strcmp(table->keys[i].name, value->key) == 0)
                found[i] = true;
    for (const thJson* child = value->first; child != NULL; child = child->next)
        countKeys(child, table, found);
}

static void assertAllKeys(const thKeyTable* table, const thJson* root)
{
    bool found[TH_MOST_KEYS] = {false};
    assert_true(table->keyCount <= TH_MOST_KEYS);
    countKeys(root, table, found);
    for (int32_t i = 0; i < table->keyCount; ++i) {
        if (!found[i])
            fail_msg("full.json has no '%s' of %s", table->keys[i].name, table->name);
        if (table->keys[i].table != NULL)
            assertAllKeys(table->keys[i].table, root);
    }
}

static void testFullIsFull(void** state)
{
    (void)state;
    thScene* scene = loadFull();
    assertAllKeys(&thiSceneTable, scene->root);
    assertAllKeys(&thiDrawTable, scene->root);
    thDestroyScene(scene);
}

static void testLevels(void** state)
{
    (void)state;
    Errors errors;
    int32_t levels[4] = {-1, -1, -1, -1};
    thScene* scene = loadText("{\"throng\": 1}", &errors);
    assert_int_equal(thScene_GetLevels(scene, levels, 4), 1);
    assert_int_equal(levels[0], 0);
    thDestroyScene(scene);
    scene =
        loadText("{\"throng\": 1, \"walls\": [{\"box\": [[0, 0], [1, 1]], \"level\": 65535}], "
                 "\"doors\": [{\"segment\": [[0, 0], [1, 0]], \"level\": 31}], \"movers\": "
                 "[{\"disc\": 1, \"at\": [9, 9], \"level\": 32}], \"agents\": [{\"at\": [5, 5], "
                 "\"level\": 31}]}",
                 &errors);
    assert_int_equal(thScene_GetLevels(scene, NULL, 0), 3);
    assert_int_equal(thScene_GetLevels(scene, levels, 2), 3);
    assert_int_equal(levels[0], 31);
    assert_int_equal(levels[1], 32);
    assert_int_equal(levels[2], -1);
    thDestroyScene(scene);
}

// What is written as the bound of a parameter is within, in scenes and in C, and what is beyond is
// not.
static void checkBound(thMethodKind kind, const thMethod* method, const thParam* param, bool isMax)
{
    static const char* const names[] = {"plan", "group", "avoid"};
    const double bound = isMax ? param->max : param->min;
    const double beyond = bound + (isMax ? 1.0 : -1.0) * (fabs(bound) * 1e-3 + 1e-9);
    for (int32_t i = 0; i < 2; ++i) {
        char text[512];
        snprintf(text, sizeof text,
                 "{\"throng\": 1, \"roadmaps\": {\"r\": {\"nodes\": [[0, 0], [1, 1]]}}, "
                 "\"profiles\": {\"p\": {\"%s\": {\"%s\": {\"%s\": %.15g}}}}}",
                 names[kind], method->name, param->name, i == 0 ? bound : beyond);
        Errors errors = {0};
        thScene* scene = loadText(text, &errors);
        // Some need others beside them.
        const bool isOut = strstr(errors.items[0].text, "is out of range") != NULL ||
                           strstr(errors.items[0].text, "whole number") != NULL;
        if (isOut != (i == 1))
            printf("%s\n", text);
        assert_int_equal(isOut, i == 1);
        thDestroyScene(scene);
    }
    uint8_t params[65536];
    memcpy(params, method->defaults, method->paramSize);
    if (param->kind == th_paramFloat)
        memcpy(params + param->offset, &(float){(float)bound}, sizeof(float));
    else
        memcpy(params + param->offset, &(int32_t){(int32_t)bound}, sizeof(int32_t));
    thError error = {0};
    (void)method->validate(params, &error);
    char range[64];
    snprintf(range, sizeof range, "expected %g to", (double)(float)param->min);
    assert_null(strstr(error.text, range));
}

static void testBoundsOfParams(void** state)
{
    (void)state;
    int32_t count = 0;
    for (int32_t kind = 0; kind < th_methodKindCount; ++kind) {
        const thMethod* method;
        for (int32_t i = 0; (method = thGetBuiltInMethod((thMethodKind)kind, i)) != NULL; ++i)
            for (int32_t k = 0; k < method->paramCount; ++k) {
                const thParam* param = &method->params[k];
                if (param->kind != th_paramFloat && param->kind != th_paramInt)
                    continue;
                checkBound((thMethodKind)kind, method, param, false);
                checkBound((thMethodKind)kind, method, param, true);
                count += 1;
            }
    }
    assert_true(count > 20);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testBoundsOfParams), cmocka_unit_test(testLevels),
        cmocka_unit_test(testRoot),           cmocka_unit_test(testWallsAndDoors),
        cmocka_unit_test(testMovers),         cmocka_unit_test(testRoadmaps),
        cmocka_unit_test(testGoals),          cmocka_unit_test(testProfiles),
        cmocka_unit_test(testAgents),         cmocka_unit_test(testGauges),
        cmocka_unit_test(testDefaults),       cmocka_unit_test(testChanges),
        cmocka_unit_test(testBadArguments),   cmocka_unit_test(testFiles),
        cmocka_unit_test(testNoMemory),       cmocka_unit_test(testFullIsFull),
    };
    return RUN_TESTS(tests, argc, argv);
}
