// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Reading maps and scenarios of MovingAI, and worlds whose solids are runs of blocked cells.

#include "plan/grid_map.h"

#include "plan/plan_gear.h"

#include <stdio.h>
#include <stdlib.h>

const char* sharedData(void)
{
    FILE* file = fopen(THRONG_SHARED_DATA "INDEX.md", "r");
    if (file == NULL) {
        print_message("skipped: there is no " THRONG_SHARED_DATA "INDEX.md\n");
        return NULL;
    }
    fclose(file);
    return THRONG_SHARED_DATA;
}

static bool readHead(FILE* file, GridMap* map)
{
    char type[32];
    return fscanf(file, "type %31s height %d width %d map", type, &map->height, &map->width) == 3 &&
           map->height > 0 && map->height <= 4096 && map->width > 0 && map->width <= 4096;
}

bool readGridMap(const char* path, GridMap* map)
{
    FILE* file = fopen(path, "r");
    if (file == NULL)
        return false;
    assert_true(readHead(file, map));
    const size_t count = (size_t)map->width * (size_t)map->height;
    map->cells = malloc(count);
    assert_non_null(map->cells);
    for (size_t i = 0; i < count; ++i) {
        int c = ' ';
        while (c == ' ' || c == '\r' || c == '\n')
            c = fgetc(file);
        assert_int_not_equal(c, EOF);
        map->cells[i] = c == '.' || c == 'G' || c == 'S';
    }
    fclose(file);
    return true;
}

void freeGridMap(GridMap* map)
{
    free(map->cells);
    *map = (GridMap){0};
}

static void addCells(thWorld* world, int32_t lowX, int32_t lowY, int32_t highX, int32_t highY)
{
    addBox(world, (float)lowX, (float)lowY, (float)highX, (float)highY);
}

static bool isBlockedRun(const GridMap* map, int32_t y, int32_t begin, int32_t end)
{
    if (y >= map->height || (begin > 0 && !map->cells[y * map->width + begin - 1]) ||
        (end < map->width && !map->cells[y * map->width + end]))
        return false;
    for (int32_t x = begin; x < end; ++x)
        if (map->cells[y * map->width + x])
            return false;
    return true;
}

// Runs of blocked cells, and as many rows of the same run as follow.
void addGridMap(thWorld* world, const GridMap* map)
{
    for (int32_t y = 0; y < map->height; ++y)
        for (int32_t x = 0; x < map->width; ++x) {
            int32_t end = x;
            while (end < map->width && !map->cells[y * map->width + end])
                end += 1;
            if (end == x)
                continue;
            int32_t top = y + 1;
            if (y == 0 || !isBlockedRun(map, y - 1, x, end)) {
                while (isBlockedRun(map, top, x, end))
                    top += 1;
                addCells(world, x, y, end, top);
            }
            x = end;
        }
    addCells(world, -1, -1, map->width + 1, 0);
    addCells(world, -1, map->height, map->width + 1, map->height + 1);
    addCells(world, -1, 0, 0, map->height);
    addCells(world, map->width, 0, map->width + 1, map->height);
}

ExactLength* readExactLengths(const char* path, int32_t* count)
{
    FILE* file = fopen(path, "r");
    if (file == NULL)
        return NULL;
    int32_t room = 0;
    ExactLength* lines = NULL;
    char line[512];
    for (*count = 0; fgets(line, sizeof line, file) != NULL;) {
        ExactLength read;
        if (sscanf(line, "%*d,%d,%d,%d,%d,%*f,%*f,%lf", &read.startX, &read.startY, &read.goalX,
                   &read.goalY, &read.length) != 5)
            continue; // the heading
        if (*count == room) {
            room = 2 * room + 64;
            lines = realloc(lines, (size_t)room * sizeof *lines);
            assert_non_null(lines);
        }
        lines[(*count)++] = read;
    }
    fclose(file);
    return lines;
}
