// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The format of scene files as tables: which keys an object may have, what they hold, in what
// range, with what default, and where they go in the model. Reading, checking, writing, the JSON
// Schema and the reference page all follow these tables.

#ifndef THRONG_SRC_SCENE_SCENE_FIELDS_H
#define THRONG_SRC_SCENE_SCENE_FIELDS_H

#include "scene/scene_model.h"

// What a value is, and what it is read into.
typedef enum thFieldKind {
    th_fieldVersion,    // the number 1; into nothing
    th_fieldNumber,     // double
    th_fieldWhole,      // int32_t
    th_fieldCount,      // int64_t or uint64_t
    th_fieldBits,       // uint32_t
    th_fieldBool,       // bool
    th_fieldText,       // const char*
    th_fieldName,       // const char*: 1 .. TH_SCENE_NAME bytes
    th_fieldFile,       // const char*: the name of a file of walls
    th_fieldWord,       // int32_t: which of several words
    th_fieldTwoWords,   // bool: which of two words
    th_fieldDraw,       // thDraw: a number for each agent
    th_fieldVector,     // double[2]: a difference, not a place
    th_fieldSpacing,    // double[2]: one number for both, or two
    th_fieldPoint,      // thCoord
    th_fieldPlaces,     // thCoords: a point or several
    th_fieldPath,       // thCoords: at least 2 points
    th_fieldCorners,    // thCoords: at least 3 points, relative
    th_fieldBody,       // thSceneBody: at least 3 points, relative
    th_fieldSegment,    // thCoord[2]
    th_fieldShapePoint, // thShape, here and below, in the order of thShapeKind
    th_fieldShapeDisc,  // its centre
    th_fieldShapeSegment,
    th_fieldShapePolygon,
    th_fieldShapeBox,
    th_fieldIntervals,  // const double*, int32_t: pairs
    th_fieldNodes,      // thCoords: two for each, the same twice for a point
    th_fieldPairs,      // const int32_t*, int32_t: pairs
    th_fieldRecord,     // a struct: an object by its own table
    th_fieldEnd,        // the same, and leaving it out is not the same as leaving out all in it
    th_fieldRecords,    // pointer, int32_t: an array of objects
    th_fieldGoals,      // of thScene: an object of named goals
    th_fieldRoadmaps,   // of thScene: an object of named roadmaps
    th_fieldProfiles,   // of thScene: an object of named profiles
    th_fieldLines,      // of thScene: an object of named segments
    th_fieldAreas,      // of thScene: an object of named regions
    th_fieldMethod,     // thSceneMethod
    th_fieldProfile,    // int32_t: name of a profile
    th_fieldGoal,       // int32_t: name of a goal, or a goal in place
    th_fieldReferences, // pointer, int32_t: names of goals
} thFieldKind;

// Bytes of a name at most: what the world keeps of profiles' names.
#define TH_SCENE_NAME 31

// Corners of a polygon at most: comparing all edges of more takes long.
#define TH_SCENE_CORNERS 65536

// Agents at the beginning at most: half of what the world takes, so that sources may add as many.
#define TH_SCENE_AGENTS ((int64_t)1 << 27)

typedef struct thRecord thRecord;

typedef struct thField {
    const char* key;
    thFieldKind kind;
    int32_t offset;   // in the struct that the object is read into
    bool required;    // if `with` is NULL or given
    int32_t group;    // of these keys exactly one is given; 0: of no group
    int32_t choice;   // of a group: the value of the struct's `kind`; of methods: their kind
    const char* with; // only given together with this key; NULL: at any time
    double min, max;  // of numbers
    double fallback;  // of numbers, switches and words when they are left out
    const char* fallbackText; // says the same where a number does not; of methods: the name
    const char* unit;
    const char* const* words; // NULL at the end
    const thRecord* record;   // of what is read by its own table
    const char* about;        // one sentence
} thField;

struct thSceneReader;

// What no field can check by itself. `good` is whether all fields are; one that is not is at its
// default.
typedef void thRecordCheckFcn(struct thSceneReader* reader, const thJson* object, void* target,
                              bool good);

// A kind of object.
struct thRecord {
    const char* name;  // in the schema and on the reference page
    const char* about; // one sentence
    const thField* fields;
    int32_t fieldCount;
    size_t size;          // of the struct; if it is read by name, that is its first member
    int32_t choiceOffset; // of the struct's `kind`; TH_NOWHERE: it has none
    int32_t sourceOffset; // of its `source`
    thRecordCheckFcn* check;
};

#define TH_NOWHERE (-1)

// Keys of an object at most.
#define TH_MOST_FIELDS 24

// The whole file; all other records hang from it.
extern const thRecord thiSceneRecord;

// What other code reads or writes by name.
extern const thRecord thiRepeatRecord;
extern const thRecord thiRegionRecord;      // disc, polygon, box
extern const thRecord thiEntranceRecord;    // the same, or a segment
extern const thRecord thiDrawRecord;        // of a number for each agent
extern const thRecord thiGoalRecord;        // with a name
extern const thRecord thiGoalInPlaceRecord; // where it is used
extern const thRecord thiRoadmapRecord;
extern const thRecord thiProfileRecord;
extern const thRecord thiAgentsRecord;

// Goals that are no objects.
#define TH_GOAL_OPPOSITE "opposite"

// The profile that exists when none is described.
#define TH_DEFAULT_PROFILE "person"

// The end of a scene that names none. [s]
#define TH_DEFAULT_END 600.0

#endif
