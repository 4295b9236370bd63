// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What the files that read a scene share. Errors are collected and reading goes on; functions that
// return bool have noted an error, or that memory is out, when it is false. What an error leaves
// unknown is not checked any further, so that each is told once.

#ifndef THRONG_SRC_SCENE_READ_SCENE_READ_H
#define THRONG_SRC_SCENE_READ_SCENE_READ_H

#include "base/memory.h"
#include "scene/read/scene_keys.h"

typedef struct thSceneReader {
    thScene* scene;
    thErrorSink sink;
    thArray errors; // FoundError of scene_load.c, as they were found
    bool noMemory;
    bool originKnown;       // else coordinates have no range
    const thJson* goals;    // where names of goals are looked up; NULL: there are none
    const thJson* profiles; // the same for profiles
    bool goalsKnown;        // false: `goals` could not be read, so any name may be one
    bool profilesKnown;
    const thJson* roadmaps;
    bool roadmapsKnown;
    thArray allGoals; // thSceneGoal: those with names, then those in place
} thSceneReader;

// A file with more errors is something else than a scene, and to tell them all takes long.
#define TH_MOST_ERRORS 10000

// The values of an object in the order of its table; NULL where there is none.
typedef struct thMembers {
    const thJson* of[TH_MOST_KEYS];
    bool unexplained; // there are keys that nobody knows: what is missing may be there
} thMembers;

// scene_error.c. Notes an error about a value; returns false.
bool thiSceneError(thSceneReader* reader, const thJson* value, const char* format, ...)
    TH_PRINTF(3, 4);
// The same about a member's key.
bool thiSceneKeyError(thSceneReader* reader, const thJson* member, const char* format, ...)
    TH_PRINTF(3, 4);
// "expected a number, found "fast""
bool thiWrongType(thSceneReader* reader, const thJson* value, const char* expected);
// "no profile 'adlut'; did you mean 'adult'?", or which there are. The name is the value or its
// key.
bool thiUnknownName(thSceneReader* reader, const thJson* value, bool byKey, const char* what,
                    const char* const* names, int32_t count);
// The same for a value that names a member of an object, which may be NULL.
bool thiUnknownMember(thSceneReader* reader, const thJson* value, const char* what,
                      const thJson* object);
// "unknown key 'stepp'; did you mean 'step'?", or which may be given. Returns the one that is
// meant.
const char* thiUnknownKey(thSceneReader* reader, const thJson* member, const char* const* names,
                          int32_t count);
// A number as in messages.
#define TH_NUMBER_TEXT 32
const char* thiNumberText(double number, char text[TH_NUMBER_TEXT]);
// Memory of the scene, cleared; NULL, and noted, if there is none. Never NULL for a size of 0.
void* thiSceneAllocate(thSceneReader* reader, int64_t count, size_t size);

// scene_read.c. Sorts the members of an object by its table and tells of those that are unknown,
// missing or too many.
bool thiReadMembers(thSceneReader* reader, const thKeyTable* table, const thJson* object,
                    thMembers* members);
// Reads an object by its table into a struct, defaults included.
bool thiReadObject(thSceneReader* reader, const thKeyTable* table, const thJson* object,
                   void* target);
// What a struct is when its object is empty.
void thiSetDefaults(const thKeyTable* table, void* target);
// Which key of a table has that name; −1: none.
int32_t thiFindKey(const thKeyTable* table, const char* name);
// The value of one key.
bool thiReadValue(thSceneReader* reader, const thSceneKey* key, const thJson* value, void* target);
bool thiReadNumber(thSceneReader* reader, const thJson* value, const thSceneKey* range, double* to);
bool thiReadNumbers(thSceneReader* reader, const thJson* value, const thSceneKey* range,
                    const char* expected, double to[2]);
// A name: 1 .. TH_SCENE_NAME bytes.
bool thiCheckName(thSceneReader* reader, const thJson* value, const char* name, bool isKey);
// Reads the root.
void thiReadScene(thSceneReader* reader, const thJson* root);

// scene_read_shapes.c. The value of a key that is a place, a shape, a drawn number or intervals.
bool thiReadShapeKind(thSceneReader* reader, const thSceneKey* key, const thJson* value,
                      void* target);
// Notes an error about an object that reaches to a place outside of the world.
void thiRequireInWorld(thSceneReader* reader, const thJson* object, double x, double y);
// The same for all copies of some places, which are in the world themselves.
void thiRequireCopiesInWorld(thSceneReader* reader, const thJson* object,
                             const thSceneRepeat* repeat, const thCoord* places, int32_t count);
// Whether surveys can measure in it: what is a polygon is convex and has few corners.
bool thiCheckArea(thSceneReader* reader, const thJson* value, const thShape* shape);

// scene_read_names.c. The value of a key that gives names to objects, or refers to such.
bool thiReadNameKind(thSceneReader* reader, const thSceneKey* key, const thJson* value,
                     void* target);
// `value` is the name in an entry of agents, NULL if it is left out.
bool thiReadProfileName(thSceneReader* reader, const thJson* entry, const thJson* value,
                        int32_t* profile);
// When all is read: goals move into the scene; the profile that exists when none is described.
void thiFinishNames(thSceneReader* reader);

// scene_read_method.c.
bool thiReadMethod(thSceneReader* reader, const thSceneKey* key, const thJson* value,
                   thSceneMethod* method);
// A method by its name, built-in or of the host's own; NULL if there is none.
const thMethod* thiSceneMethodOf(const thScene* scene, thMethodKind kind, const char* name);
// Whether a host's methods are what they say; the assertion hook is told if not.
bool thiAreAddedMethods(const thAddedMethod* methods, int32_t count);
// Copies them into the scene. Names that are taken are noted as errors.
bool thiAddMethods(thSceneReader* reader, const thAddedMethod* methods, int32_t count);
// Bytes of a parameter.
size_t thiParamSize(thParamKind kind);

// The words of a parameter, with NULL at the end.
#define TH_PARAM_WORDS 8
typedef struct thParamWords {
    char text[64];
    const char* words[TH_PARAM_WORDS + 1];
} thParamWords;

void thiSplitParamWords(const thParam* param, thParamWords* words);

#endif
