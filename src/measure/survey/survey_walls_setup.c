// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "measure/survey/survey_grid.h"
#include "measure/survey/survey_walls.h"

// Outlines are entered into cells that are nearer than this part of an edge: where a place is put
// may be off by a rounding.
#define SLACK 1e-6

static bool isOutline(thRecordedShapeKind kind)
{
    return kind == th_shapeSolid || kind == th_shapeRoom || kind == th_shapeWall;
}

static thResult addSegments(thWallFloor* on, const thRecordedShape* shapes, int32_t index)
{
    const thRecordedShape* shape = &shapes[index];
    const int32_t count = shape->kind == th_shapeWall ? shape->pointCount - 1 : shape->pointCount;
    thWallSegment* segments = thiArrayAdd(&on->segments, count);
    if (segments == NULL)
        return th_resultNoMemory;
    for (int32_t i = 0; i < count; ++i) {
        const thPlace a = shape->points[i], b = shape->points[(i + 1) % shape->pointCount];
        segments[i] = (thWallSegment){a.x, a.y, b.x, b.y, index};
    }
    on->hasRooms |= shape->kind == th_shapeRoom;
    return th_resultOk;
}

// About eight cells for each segment, within reason.
static void layCells(thWallFloor* on)
{
    const thWallSegment* segments = on->segments.data;
    double highX = segments[0].ax, highY = segments[0].ay;
    on->lowX = highX;
    on->lowY = highY;
    for (int32_t i = 0; i < on->segments.count; ++i) {
        const thWallSegment* s = &segments[i];
        on->lowX = TH_MIN(on->lowX, TH_MIN(s->ax, s->bx));
        on->lowY = TH_MIN(on->lowY, TH_MIN(s->ay, s->by));
        highX = TH_MAX(highX, TH_MAX(s->ax, s->bx));
        highY = TH_MAX(highY, TH_MAX(s->ay, s->by));
    }
    const double width = highX - on->lowX, height = highY - on->lowY;
    const double most = TH_MIN(64.0 + 8.0 * (double)on->segments.count, 0x1p24);
    const double edge = TH_MAX(sqrt(width * height / most), TH_MAX(width, height) / most);
    on->edge = TH_MAX(edge, 0.5);
    on->cols = (int32_t)(width / on->edge) + 1;
    on->rows = (int32_t)(height / on->edge) + 1;
}

typedef struct Columns {
    int32_t first, last;
} Columns;

// The columns in which a segment is within a row.
static Columns columnsIn(const thWallFloor* on, const thWallSegment* s, int32_t row)
{
    const double slack = on->edge * SLACK;
    const double low = on->lowY + on->edge * row - slack;
    const double high = on->lowY + on->edge * (row + 1) + slack;
    const double dx = s->bx - s->ax, dy = s->by - s->ay;
    double from = 0.0, to = 1.0;
    if (fabs(dy) > slack) {
        const double a = (low - s->ay) / dy, b = (high - s->ay) / dy;
        from = TH_MIN(TH_MAX(TH_MIN(a, b), 0.0), 1.0);
        to = TH_MIN(TH_MAX(TH_MAX(a, b), 0.0), 1.0);
    }
    const double x0 = s->ax + from * dx, x1 = s->ax + to * dx;
    return (Columns){thiWallColumn(on, TH_MIN(x0, x1) - slack),
                     thiWallColumn(on, TH_MAX(x0, x1) + slack)};
}

typedef void CellFcn(thWallFloor* on, int32_t cell, int32_t item, void* context);

// Calls for each cell that a segment may touch.
static void forEachCell(thWallFloor* on, int32_t item, CellFcn* call, void* context)
{
    const thWallSegment* s = &TH_ITEMS(on->segments, thWallSegment)[item];
    const double slack = on->edge * SLACK;
    const int32_t first = thiWallRow(on, TH_MIN(s->ay, s->by) - slack);
    const int32_t last = thiWallRow(on, TH_MAX(s->ay, s->by) + slack);
    for (int32_t row = first; row <= last; ++row) {
        const Columns columns = columnsIn(on, s, row);
        for (int32_t column = columns.first; column <= columns.last; ++column)
            call(on, row * on->cols + column, item, context);
    }
}

static void countItem(thWallFloor* on, int32_t cell, int32_t item, void* total)
{
    (void)item;
    *(int64_t*)total += 1;
    TH_ITEMS(on->starts, int32_t)[cell] += *(int64_t*)total <= INT32_MAX;
}

// From the end of each cell downwards, so that starts are right when all are in.
static void putItem(thWallFloor* on, int32_t cell, int32_t item, void* context)
{
    (void)context;
    TH_ITEMS(on->items, int32_t)[--TH_ITEMS(on->starts, int32_t)[cell]] = item;
}

static thResult listItems(thWallFloor* on)
{
    const int32_t cellCount = on->cols * on->rows;
    int32_t* starts = thiArrayAdd(&on->starts, cellCount + 1);
    if (starts == NULL)
        return th_resultNoMemory;
    for (int32_t cell = 0; cell <= cellCount; ++cell)
        starts[cell] = 0;
    int64_t total = 0;
    for (int32_t item = 0; item < on->segments.count; ++item)
        forEachCell(on, item, countItem, &total);
    if (total > INT32_MAX || thiArrayAdd(&on->items, (int32_t)total) == NULL)
        return th_resultNoMemory;
    for (int32_t cell = 1; cell <= cellCount; ++cell)
        starts[cell] += starts[cell - 1];
    for (int32_t item = on->segments.count - 1; item >= 0; --item)
        forEachCell(on, item, putItem, NULL);
    return th_resultOk;
}

static void stampCell(thWallFloor* on, int32_t cell, int32_t item, void* stamps)
{
    ((int32_t*)stamps)[cell] = TH_ITEMS(on->segments, thWallSegment)[item].shape;
}

// Marks the cells of a row that are wholly inside a shape. Of neighbours without its outline both
// are inside or none is.
static void markRow(thWallFloor* on, const thRecordedShape* shape, int32_t index, int32_t row,
                    const int32_t* stamps)
{
    uint8_t* inside = on->inside.data;
    bool isKnown = false, isInside = false;
    for (int32_t column = 0; column < on->cols; ++column) {
        const int32_t cell = row * on->cols + column;
        if (stamps[cell] == index) {
            isKnown = false;
            continue;
        }
        if (!isKnown)
            isInside = thiIsInsideShape(shape, on->lowX + on->edge * (column + 0.5),
                                        on->lowY + on->edge * (row + 0.5));
        isKnown = true;
        if (isInside)
            inside[cell] |= shape->kind == th_shapeRoom ? th_cellInRoom : th_cellInSolid;
    }
}

// Segments first .. end − 1 are those of one shape.
static void markShape(thWallFloor* on, const thRecordedShape* shapes, int32_t first, int32_t end,
                      int32_t* stamps)
{
    const thWallSegment* segments = on->segments.data;
    const int32_t index = segments[first].shape;
    double low = segments[first].ay, high = low;
    for (int32_t i = first; i < end; ++i) {
        forEachCell(on, i, stampCell, stamps);
        low = TH_MIN(low, segments[i].ay);
        high = TH_MAX(high, segments[i].ay);
    }
    for (int32_t row = thiWallRow(on, low); row <= thiWallRow(on, high); ++row)
        markRow(on, &shapes[index], index, row, stamps);
}

static thResult markInside(thWallFloor* on, thMemory* memory, const thRecordedShape* shapes)
{
    const int32_t cellCount = on->cols * on->rows;
    uint8_t* inside = thiArrayAdd(&on->inside, cellCount);
    const size_t size = (size_t)cellCount * sizeof(int32_t);
    int32_t* stamps = inside != NULL ? thiAllocate(memory, size) : NULL;
    if (stamps == NULL)
        return th_resultNoMemory;
    for (int32_t cell = 0; cell < cellCount; ++cell) {
        inside[cell] = 0;
        stamps[cell] = -1;
    }
    const thWallSegment* segments = on->segments.data;
    int32_t end = 0;
    for (int32_t first = 0; first < on->segments.count; first = end) {
        while (end < on->segments.count && segments[end].shape == segments[first].shape)
            ++end;
        if (shapes[segments[first].shape].kind != th_shapeWall)
            markShape(on, shapes, first, end, stamps);
    }
    thiRelease(memory, stamps, size);
    return th_resultOk;
}

static thResult finishFloor(thSurveyWalls* walls, thMemory* memory)
{
    if (walls->floors.count == 0)
        return th_resultOk;
    thWallFloor* on = &TH_ITEMS(walls->floors, thWallFloor)[walls->floors.count - 1];
    layCells(on);
    TH_TRY(listItems(on));
    return markInside(on, memory, walls->shapes);
}

static thResult beginFloor(thSurveyWalls* walls, thMemory* memory, int32_t level)
{
    thWallFloor* on = thiArrayAdd(&walls->floors, 1);
    if (on == NULL)
        return th_resultNoMemory;
    *on = (thWallFloor){.level = level,
                        .segments = thiArray(memory, sizeof(thWallSegment)),
                        .starts = thiArray(memory, sizeof(int32_t)),
                        .items = thiArray(memory, sizeof(int32_t)),
                        .inside = thiArray(memory, sizeof(uint8_t))};
    return th_resultOk;
}

// `keyed`: outlines by floor.
static thResult addFloors(thSurveyWalls* walls, thMemory* memory, const thKeyed* keyed,
                          int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        if (i == 0 || keyed[i].key != keyed[i - 1].key) {
            TH_TRY(finishFloor(walls, memory));
            TH_TRY(beginFloor(walls, memory, (int32_t)keyed[i].key));
        }
        thWallFloor* on = &TH_ITEMS(walls->floors, thWallFloor)[walls->floors.count - 1];
        TH_TRY(addSegments(on, walls->shapes, (int32_t)keyed[i].index));
    }
    return finishFloor(walls, memory);
}

static thResult addShapes(thSurveyWalls* walls, thMemory* memory, int32_t count)
{
    const size_t size = 2 * (size_t)count * sizeof(thKeyed);
    thKeyed* keyed = thiAllocate(memory, size);
    if (keyed == NULL)
        return th_resultNoMemory;
    int32_t outlines = 0;
    for (int32_t i = 0; i < count; ++i)
        if (isOutline(walls->shapes[i].kind))
            keyed[outlines++] = (thKeyed){(uint64_t)walls->shapes[i].level, i};
    thiSortKeyed(keyed, keyed + count, outlines, 16);
    const thResult code = addFloors(walls, memory, keyed, outlines);
    thiRelease(memory, keyed, size);
    return code;
}

thResult thiCreateSurveyWalls(thMemory* memory, const thRecordedShape* shapes, int32_t count,
                              thSurveyWalls** result)
{
    thSurveyWalls* walls = *result = thiAllocateZero(memory, sizeof *walls);
    if (walls == NULL)
        return th_resultNoMemory;
    walls->shapes = shapes;
    walls->floors = thiArray(memory, sizeof(thWallFloor));
    const thResult code = count > 0 ? addShapes(walls, memory, count) : th_resultOk;
    if (code != th_resultOk) {
        thiDestroySurveyWalls(memory, walls);
        *result = NULL;
    }
    return code;
}

void thiDestroySurveyWalls(thMemory* memory, thSurveyWalls* walls)
{
    for (int32_t i = 0; i < walls->floors.count; ++i) {
        thWallFloor* on = &TH_ITEMS(walls->floors, thWallFloor)[i];
        thiArrayFree(&on->segments);
        thiArrayFree(&on->starts);
        thiArrayFree(&on->items);
        thiArrayFree(&on->inside);
    }
    thiArrayFree(&walls->floors);
    thiRelease(memory, walls, sizeof *walls);
}
