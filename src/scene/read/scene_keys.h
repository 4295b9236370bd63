// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The format of scene files as tables of keys: what each holds, its range and default, and where it
// goes in the model. Reading, checking, writing, the JSON Schema and the reference page all follow
// these tables.

#ifndef THRONG_SRC_SCENE_READ_SCENE_KEYS_H
#define THRONG_SRC_SCENE_READ_SCENE_KEYS_H

#include "scene/scene_model.h"

// What a value is, and what it is read into.
typedef enum thKeyKind {
    th_keyVersion,    // the number 1; into nothing
    th_keyNumber,     // double
    th_keyWhole,      // int32_t
    th_keyCount,      // int64_t or uint64_t
    th_keyBits,       // uint32_t
    th_keyBool,       // bool
    th_keyText,       // const char*
    th_keyName,       // const char*: 1 .. TH_SCENE_NAME bytes
    th_keyFile,       // const char*: the name of a file of walls
    th_keyWord,       // int32_t: which of several words
    th_keyTwoWords,   // bool: which of two words
    th_keyDraw,       // thDraw: a number for each agent
    th_keyPreset,     // of thSceneProfile: the name of a preset
    th_keyVector,     // double[2]: a difference, not a place
    th_keySpacing,    // double[2]: one number for both, or two
    th_keyPoint,      // thCoord
    th_keyPlaces,     // thCoords: a point or several
    th_keyPath,       // thCoords: at least 2 points
    th_keyCorners,    // thCoords: at least 3 points, relative
    th_keyBody,       // thSceneBody: at least 3 points, relative
    th_keySegment,    // thCoord[2]
    th_keyShapePoint, // thShape, here and below, in the order of thShapeKind
    th_keyShapeDisc,  // its centre
    th_keyShapeSegment,
    th_keyShapePolygon,
    th_keyShapeBox,
    th_keyIntervals,  // const double*, int32_t: pairs
    th_keyNodes,      // thCoords: two for each, the same twice for a point
    th_keyPairs,      // const int32_t*, int32_t: pairs
    th_keyObject,     // a struct: an object by its own table
    th_keyEnd,        // the same, and leaving it out is not the same as leaving out all in it
    th_keyObjects,    // pointer, int32_t: an array of objects
    th_keyGoals,      // of thScene: an object of named goals
    th_keyRoadmaps,   // of thScene: an object of named roadmaps
    th_keyProfiles,   // of thScene: an object of named profiles
    th_keyLines,      // of thScene: an object of named segments, or of objects
    th_keyAreas,      // of thScene: an object of named regions
    th_keyMethod,     // thSceneMethod
    th_keyPeople,     // as people do, not at all, or an object by its own table; the number at its
                      // beginning is 0 for not at all
    th_keyProfile,    // int32_t: name of a profile
    th_keyGoal,       // int32_t: name of a goal, or a goal in place
    th_keyReferences, // pointer, int32_t: names of goals
} thKeyKind;

// Bytes of a name at most: what the world keeps of profiles' names.
#define TH_SCENE_NAME 31

// Corners of a polygon at most: comparing all edges of more takes long.
#define TH_SCENE_CORNERS 65536

// How far from the equator degrees are taken for metres.
#define TH_MOST_LATITUDE 85.0

// Agents at the beginning at most: half of what the world takes, so that sources may add as many.
#define TH_SCENE_AGENTS ((int64_t)1 << 27)

typedef struct thKeyTable thKeyTable;

// One key of an object.
typedef struct thSceneKey {
    const char* name;
    thKeyKind kind;
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
    const thKeyTable* table;  // of what is read by its own table
    const char* about;        // one sentence
} thSceneKey;

struct thSceneReader;

// What no key can check by itself. `good` is whether all keys are; one that is not is at its
// default.
typedef void thObjectCheckFcn(struct thSceneReader* reader, const thJson* object, void* target,
                              bool good);

// A kind of object: the keys it may have.
struct thKeyTable {
    const char* name;  // in the schema and on the reference page
    const char* about; // one sentence
    const thSceneKey* keys;
    int32_t keyCount;
    size_t size;          // of the struct; if it is read by name, that is its first member
    int32_t choiceOffset; // of the struct's `kind`; TH_NOWHERE: it has none
    int32_t sourceOffset; // of its `source`
    thObjectCheckFcn* check;
};

#define TH_NOWHERE (-1)

// Keys of an object at most.
#define TH_MOST_KEYS 32

// The whole file; all other tables hang from it.
extern const thKeyTable thiSceneTable;

// What other code reads or writes by name.
extern const thKeyTable thiRepeatTable;
extern const thKeyTable thiRegionTable;      // disc, polygon, box
extern const thKeyTable thiDrawTable;        // of a number for each agent
extern const thKeyTable thiGoalTable;        // with a name
extern const thKeyTable thiGoalInPlaceTable; // where it is used
extern const thKeyTable thiRoadmapTable;
extern const thKeyTable thiProfileTable;
extern const thKeyTable thiAgentsTable;
extern const thKeyTable thiLineTable;

// Goals that are no objects.
#define TH_GOAL_OPPOSITE "opposite"

// The profile that exists when none is described.
#define TH_DEFAULT_PROFILE "person"

// The end of a scene that names none. [s]
#define TH_DEFAULT_END 600.0

#endif
