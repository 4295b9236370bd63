// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// Walls of recordings from files of others: well-known text and GeoJSON. Polygons are where people
/// may walk, so that their outer rings are rooms and their holes solids; lines are walls. Polygons
/// that touch or overlap are one room.

#ifndef THRONG_SHAPES_H
#define THRONG_SHAPES_H

#include "throng/record.h"

/// Shapes that were read.
typedef struct thShapeList thShapeList;

/// Where shapes come from.
typedef struct thShapeListDef {
    /// Size of this struct. [bytes, set by thDefaultShapeListDef]
    uint32_t size;
    /// The file to read: its suffix is .wkt, .geojson, .json or .map. [default NULL: only `text`]
    const char* path;
    /// Well-known text, instead of a file. [default NULL]
    const char* text;
    /// Length of the text. [bytes, default 0]
    size_t textSize;
    /// Where memory comes from. [default thDefaultAllocator()]
    thAllocator allocator;
} thShapeListDef;

/// A definition with every field at its default.
THRONG_API thShapeListDef thDefaultShapeListDef(void);

/// Reads shapes; coordinates may be far from zero. `*list` is NULL when it fails, and `error`,
/// which may be NULL, says why.
THRONG_API thResult thReadShapes(const thShapeListDef* def, thShapeList** list, thError* error);

/// Destroys a list. NULL is allowed.
THRONG_API void thDestroyShapeList(thShapeList* list);

/// The shapes, in the order of the file, but lines before rooms where polygons were put together.
/// They live as long as the list.
THRONG_API const thRecordedShape* thShapeList_GetShapes(const thShapeList* list, int32_t* count);

#endif
