// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Reading well-known text: rings of points, and the world that the library makes of the same file.

#include "plan/building.h"

#include "plan/plan_gear.h"

#include <stdio.h>
#include <stdlib.h>

static char* readText(const char* path)
{
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    rewind(file);
    char* text = malloc((size_t)size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), (size_t)size);
    text[size] = '\0';
    fclose(file);
    return text;
}

// Points of a ring, from behind its bracket to behind the closing one.
static char* readRing(char* at, Building* building)
{
    for (;;) {
        double* point = building->points[building->pointCount++];
        point[0] = strtod(at, &at);
        point[1] = strtod(at, &at);
        at += strspn(at, " \r\n");
        assert_true(*at == ',' || *at == ')');
        if (*at++ == ')')
            return at;
    }
}

// Every POLYGON of the text, however deep in collections.
static void readRings(char* text, Building* building)
{
    const size_t most = strlen(text); // a point has more than one character
    building->points = malloc(most * sizeof *building->points);
    building->ringStart = malloc(most * sizeof *building->ringStart);
    building->polygonOf = malloc(most * sizeof *building->polygonOf);
    assert_true(building->points != NULL && building->ringStart != NULL &&
                building->polygonOf != NULL);
    int32_t polygon = 0;
    for (char* at = strstr(text, "POLYGON"); at != NULL; at = strstr(at, "POLYGON"), ++polygon) {
        at = strchr(at, '(') + 1;
        for (at += strspn(at, " \r\n"); *at == '('; at += strspn(at, ", \r\n")) {
            building->polygonOf[building->ringCount] = polygon;
            building->ringStart[building->ringCount++] = building->pointCount;
            at = readRing(at + 1, building);
        }
    }
    building->ringStart[building->ringCount] = building->pointCount;
    assert_true(building->ringCount > 0);
}

// Whole metres near the first point.
static void moveToOrigin(Building* building, double origin[2])
{
    for (int32_t axis = 0; axis < 2; ++axis) {
        origin[axis] = floor(building->points[0][axis]);
        building->low[axis] = INFINITY;
        building->high[axis] = -INFINITY;
        for (int32_t i = 0; i < building->pointCount; ++i) {
            building->points[i][axis] -= origin[axis];
            building->low[axis] = fmin(building->low[axis], building->points[i][axis]);
            building->high[axis] = fmax(building->high[axis], building->points[i][axis]);
        }
    }
}

static void printError(void* context, const thError* error)
{
    (void)context;
    print_message("%s\n", error->text);
}

void openBuilding(const char* path, Building* building)
{
    *building = (Building){0};
    double origin[2];
    char* text = readText(path);
    readRings(text, building);
    free(text);
    moveToOrigin(building, origin);
    char scene[2048];
    thSceneDef def = thDefaultSceneDef();
    def.text = scene;
    def.textSize = (size_t)snprintf(scene, sizeof scene,
                                    "{\"throng\": 1, \"origin\": [%.0f, %.0f], \"contacts\": "
                                    "false, \"walls\": [{\"file\": \"%s\"}]}",
                                    origin[0], origin[1], path);
    def.report = printError;
    assert_ok(thLoadScene(&def, &building->scene));
    thRunDef run = thDefaultRunDef();
    run.withoutAgents = 1;
    run.report = printError;
    assert_ok(thCreateRun(building->scene, &run, &building->run));
    building->world = thRun_GetWorld(building->run);
}

void closeBuilding(Building* building)
{
    thDestroyRun(building->run);
    thDestroyScene(building->scene);
    free(building->points);
    free(building->ringStart);
    free(building->polygonOf);
}

// By the number of edges that a ray to the right crosses.
static bool isInRing(const Building* building, int32_t ring, double x, double y)
{
    bool inside = false;
    for (int32_t i = building->ringStart[ring] + 1; i < building->ringStart[ring + 1]; ++i) {
        const double *a = building->points[i - 1], *b = building->points[i];
        if ((a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) * (b[0] - a[0]) / (b[1] - a[1]))
            inside = !inside;
    }
    return inside;
}

bool isWalkable(const Building* building, double x, double y)
{
    for (int32_t ring = 0; ring < building->ringCount;) {
        const int32_t polygon = building->polygonOf[ring];
        bool inside = isInRing(building, ring, x, y);
        for (++ring; ring < building->ringCount && building->polygonOf[ring] == polygon; ++ring)
            inside = inside && !isInRing(building, ring, x, y);
        if (inside)
            return true;
    }
    return false;
}
