// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Static walls: cleaned segments in fixed point, and the searches for them that all parts use.

#ifndef THRONG_SRC_SPACE_WALLS_H
#define THRONG_SRC_SPACE_WALLS_H

#include "base/memory.h"
#include "geom/fixed.h"
#include "geom/segment.h"

typedef struct thWallGrid thWallGrid;

// A segment as it is handed in: part of a cleaned obstacle (geom/polygon.h).
typedef struct thWallSegment {
    int32_t ax, ay, bx, by; // units
    uint16_t level;
    uint8_t oneSided;
    int32_t obstacle; // slot
    uint8_t ofRoom;   // with oneSided: the polygon is a room, so the solid is outside of it
} thWallSegment;

thResult thiCreateWallGrid(thMemory* memory, thWallGrid** grid);
void thiDestroyWallGrid(thWallGrid* grid);

// Replaces all segments. Those longer than 1 km are cut (on the line to a unit, the pieces meet)
// and those of no length dropped. Segments that are the same (either way round, same level) become
// one, of the lowest obstacle; where they differ in one-sidedness or direction, both faces count
// and it is a thin wall. Thin walls run from the end with the lower x, then y. The order of the
// result depends on the segments alone, not on the order in which they come. th_resultNoMemory
// leaves the grid as it was.
thResult thiWallGridBuild(thWallGrid* grid, const thWallSegment* segments, int32_t count);

// The segments as methods see them. Valid until the next build.
const thWalls* thiWallGridWalls(const thWallGrid* grid);

// One wall near a point.
typedef struct thNearWall {
    float distanceSq; // m²
    int32_t segment;
} thNearWall;

// The segments of `level` near a point, in the order (distanceSq, segment): all of those within
// `reach` metres, and of the others the nearest `count` within `radius` metres. Writes at most
// `capacity` and returns how many there are in all. One-sided segments seen from behind count like
// others. Nothing is within a negative distance.
int32_t thiNearestWalls(const thWallGrid* grid, int32_t level, int32_t x, int32_t y, float radius,
                        float reach, int32_t count, thNearWall* out, int32_t capacity);

// How far a search looks for segments within a distance, with something to spare for rounding of
// squares; and the square to compare with. [m → units, m²]
int64_t thiWallSpan(float distance);
float thiWallSquare(float distance);

// Segments that are marked, one bit each, so that they come out ascending and once. Words of bits
// that have one are marked in turn.
typedef struct thWallMarks {
    uint64_t *bits, *words;
    int32_t low, high; // of `words`, those that may have marks
} thWallMarks;

// How many words all of them take, and marks on such room, which is made zero.
size_t thiWallMarkWords(const thWallGrid* grid);
thWallMarks thiWallMarks(const thWallGrid* grid, uint64_t* room);

// Marks the segments of `level` whose cells may be within `span` units of a box of places. There are
// at most as many as it returns.
int32_t thiMarkWallsNearBox(const thWallGrid* grid, int32_t level, thPoint low, thPoint high,
                            int64_t span, thWallMarks* marks);

// Takes off all marks, and writes those segments that had them and may be within `span` units of a
// box, ascending. Returns how many these are; `out` has room for all that are marked.
int32_t thiTakeWallMarks(const thWallGrid* grid, thPoint low, thPoint high, int64_t span,
                         thWallMarks* marks, int32_t* out);

// Whether a point off the walls is in solid: inside a solid polygon or, on a level that has rooms,
// outside all of them. Exact, however polygons overlap or share edges.
bool thiIsInSolid(const thWallGrid* grid, int32_t level, int32_t x, int32_t y);

// Whether a wall of `level` crosses or touches the segment between two points: exact.
bool thiWallsHide(const thWallGrid* grid, int32_t level, int32_t ax, int32_t ay, int32_t bx,
                  int32_t by);

// The first wall on the way from a to b: its segment, or −1, and the share of the way. Touching
// counts. Ties go to the lower segment. Which one is exact; without a wall `fraction` stays as it
// is.
int32_t thiWallsCastRay(const thWallGrid* grid, int32_t level, int32_t ax, int32_t ay, int32_t bx,
                        int32_t by, float* fraction);

// Where a wall is as an agent sees it.
typedef struct thWallEnds {
    thVec2 a, b; // relative to the agent [m]
} thWallEnds;

static inline thWallEnds thiWallEnds(const thFrame* frame, int32_t row, int32_t wall)
{
    const thWalls* walls = frame->walls;
    const int32_t x = frame->px[row], y = frame->py[row];
    return (thWallEnds){
        {thiMetresBetween(x, walls->ax[wall]), thiMetresBetween(y, walls->ay[wall])},
        {thiMetresBetween(x, walls->bx[wall]), thiMetresBetween(y, walls->by[wall])}};
}

#endif
