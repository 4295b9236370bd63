// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// Scenes: descriptions of a place, its people and what they want, read from JSON, and runs of
/// them. docs/scenes.md explains the format.

#ifndef THRONG_SCENE_H
#define THRONG_SCENE_H

#include "throng/world.h"

/// A scene that was read and checked. It does not change.
typedef struct thScene thScene;

/// Hears of one error; valid during the call only.
typedef void thSceneErrorFcn(void* context, const thError* error);

/// A method of the host's own, for scenes that name it.
typedef struct thAddedMethod {
    /// What it does.
    thMethodKind kind;
    /// The method, as thWorld_AddMethod takes it, with the parameters that scenes may set. No
    /// built-in one has its name. The struct is copied; what it points to must live as long as the
    /// scene and its runs. [words of a parameter: at most 8, with 63 bytes in all]
    const thMethod* method;
} thAddedMethod;

/// Where a scene comes from.
typedef struct thSceneDef {
    /// Size of this struct. [bytes, set by thDefaultSceneDef]
    uint32_t size;
    /// The file to read: JSON, or a map of cells if its suffix is .map; also where files it names
    /// are looked for. [NULL: only `text`]
    const char* path;
    /// The text, always JSON, instead of the file's content. [default NULL]
    const char* text;
    /// Length of the text. [bytes, default 0]
    size_t textSize;
    /// Changes to what was read, `path=value` each, such as `time.step=0.05`. [default NULL]
    const char* const* changes;
    /// Number of changes. [default 0]
    int32_t changeCount;
    /// Hears of every error that is found. [default NULL]
    thSceneErrorFcn* report;
    /// Passed to `report`.
    void* reportContext;
    /// Where memory comes from. [default thDefaultAllocator()]
    thAllocator allocator;
    /// Bytes the scene may hold. [default 0: no limit]
    uint64_t maxBytes;
    /// Methods that profiles may name beside the built-in ones. Every run of the scene adds them to
    /// its world. [default NULL]
    const thAddedMethod* methods;
    /// Number of methods. [default 0]
    int32_t methodCount;
} thSceneDef;

/// A definition with every field at its default.
THRONG_API thSceneDef thDefaultSceneDef(void);

/// Reads and checks a scene. All errors are reported, in the order of the file; `*scene` is then
/// NULL and the result that of the first.
THRONG_API thResult thLoadScene(const thSceneDef* def, thScene** scene);

/// Destroys a scene; its runs must be gone. NULL is allowed.
THRONG_API void thDestroyScene(thScene* scene);

/// What a scene says of itself.
typedef struct thSceneInfo {
    /// Name of the file without folder and suffix, or "scene".
    const char* name;
    /// One line about it; empty if there is none.
    const char* about;
    /// Length of a step. [s]
    double step;
    /// It ends at this time. [s; infinite: not by time]
    double endTime;
    /// It ends after so many steps. [−1: not by steps]
    int64_t endSteps;
    /// 1: it ends when everybody has arrived or left and nobody is to come.
    int32_t endsArrived;
    /// Seed of all random numbers.
    uint64_t seed;
    /// Where the world's origin lies in the coordinates of the file. [m]
    double originX;
    /// See `originX`. [m]
    double originY;
    /// Agents at the beginning.
    int64_t agents;
    /// Agents that sources may add or that appear later. [−1: no limit]
    int64_t comingAgents;
    /// Number of goals that have a name.
    int32_t goalCount;
    /// Number of profiles.
    int32_t profileCount;
} thSceneInfo;

/// What a scene says of itself. Texts live as long as the scene.
THRONG_API thSceneInfo thScene_GetInfo(const thScene* scene);

/// The method that agents of a profile use, by name. NULL for profiles that are not there.
/// [profile: 0 .. profileCount − 1]
THRONG_API const char* thScene_GetMethod(const thScene* scene, int32_t profile, thMethodKind kind);

/// Whether somebody has a profile: an agent of the scene, or one that a source adds. 0 for profiles
/// that are not there. [profile: 0 .. profileCount − 1]
THRONG_API int32_t thScene_IsProfileUsed(const thScene* scene, int32_t profile);

/// The name of a file of walls that the scene names, as written there: from the folder of the
/// scene's own file on, unless it is absolute. NULL behind the last. [index: >= 0]
THRONG_API const char* thScene_GetWallFile(const thScene* scene, int32_t index);

/// What a profile of the scene is for a world: what differs between its agents at the mean. The
/// definition is valid as long as the scene. th_resultBadArgument for profiles that are not there.
/// [profile: 0 .. profileCount − 1]
THRONG_API thResult thScene_GetProfile(const thScene* scene, int32_t profile, thProfileDef* def);

/// The shape of bodies of those who come from an entry of the scene's agents; no corners if they
/// are discs. th_resultBadArgument for entries that are not there.
THRONG_API thResult thScene_GetBody(const thScene* scene, int32_t entry, thBodyShape* shape);

/// The floors that something is on, in ascending order; only floor 0 if nothing is on any. Returns
/// how many there are; as many as fit are written.
THRONG_API int32_t thScene_GetLevels(const thScene* scene, int32_t* levels, int32_t capacity);

/// Writes a scene as JSON that reads back as the same scene. With a NULL buffer only `*size` is
/// set, to the length without the terminating zero. th_resultFull when `capacity` is too small.
THRONG_API thResult thScene_Write(const thScene* scene, char* buffer, size_t capacity,
                                  size_t* size);

/// A scene being run: its world, and what happens in it by the clock: sources, doors, delays.
typedef struct thRun thRun;

/// For thRunDef.seed: the scene's own. No scene has this one.
#define THRONG_SCENE_SEED UINT64_MAX

/// How a run is created.
typedef struct thRunDef {
    /// Size of this struct. [bytes, set by thDefaultRunDef]
    uint32_t size;
    /// How the world is created. Seed, origin and contacts are the scene's.
    thWorldDef world;
    /// The seed, instead of the scene's. [default THRONG_SCENE_SEED: the scene's]
    uint64_t seed;
    /// Methods that every profile uses instead of its own, by name. [default NULL: its own]
    const char* methods[th_methodKindCount];
    /// Hears of every error that is found, such as agents in walls or a region that is too small.
    /// [default NULL]
    thSceneErrorFcn* report;
    /// Passed to `report`.
    void* reportContext;
    /// Hears of what is likely not meant although the run can be made: people who stand in each
    /// other at the beginning, goals that are all in solid, people who find no way to theirs (which
    /// builds a second world for a while). [default NULL: nobody looks for them]
    thSceneErrorFcn* note;
    /// Passed to `note`.
    void* noteContext;
    /// 1: there are neither agents, nor sources, nor profiles; the host brings its own. [default 0]
    int32_t withoutAgents;
} thRunDef;

/// A definition with every field at its default.
THRONG_API thRunDef thDefaultRunDef(void);

/// Creates the world of a scene and places everybody. The scene must outlive it.
THRONG_API thResult thCreateRun(const thScene* scene, const thRunDef* def, thRun** run);

/// Destroys a run and its world. NULL is allowed.
THRONG_API void thDestroyRun(thRun* run);

/// The world. Step it through the run only.
THRONG_API thWorld* thRun_GetWorld(const thRun* run);

/// Does what the clock says, then steps the world.
THRONG_API thResult thRun_Step(thRun* run);

/// The time so far: steps made times their length. [s]
THRONG_API double thRun_GetTime(const thRun* run);

/// Whether the scene's end is reached.
THRONG_API int32_t thRun_IsOver(const thRun* run);

/// People who should have appeared by now, but whose source had no free place for them so far. They
/// wait, and appear as soon as there is room.
THRONG_API int64_t thRun_CountWaiting(const thRun* run);

/// A time at which a door was to shut.
typedef struct thDoorClosing {
    /// Which of the scene's doors. [index]
    int32_t door;
    /// Its name, which lives as long as the scene. [NULL: none]
    const char* name;
    /// When it was to shut: the end of an interval in which it was open. [s]
    double due;
    /// When it did, which is later if somebody stood in it. [s; −1: it has not]
    double shut;
    /// People who went through it in between.
    int64_t late;
    /// People who stood in it and were pushed aside: doors that shut "at once".
    int64_t pushed;
} thDoorClosing;

/// When doors were to shut so far, and did, in the order of doors and of time. Returns how many
/// there are; as many as fit are written.
THRONG_API int32_t thRun_GetClosings(const thRun* run, thDoorClosing* closings, int32_t capacity);

/// Agents that are still on their way, in the order of keys: they have a goal, have not arrived,
/// and do not start again and again. Returns how many there are; as many as fit are written. Takes
/// time for each that is written, so it is meant for a few.
THRONG_API int32_t thRun_GetUnderway(const thRun* run, thAgentId* agents, int32_t capacity);

/// Which entry of the scene's goals an agent had at its beginning, by name, for colours and
/// reports. [index among all goals of the scene; −1: none]
THRONG_API int32_t thRun_GetGoal(const thRun* run, thAgentId agent);

/// Which entry of the scene's agents an agent came from. [−1: it is no agent of the run]
THRONG_API int32_t thRun_GetEntry(const thRun* run, thAgentId agent);

/// The id that the scene gives an agent in recordings. [−1: none]
THRONG_API int64_t thRun_GetRecordId(const thRun* run, thAgentId agent);

/// The greatest of these ids, whoever has it. [−1: there is none]
THRONG_API int64_t thRun_GetLastRecordId(const thRun* run);

/// Writes everything that decides the future, world included, as thWorld_Save does.
THRONG_API thResult thRun_Save(const thRun* run, void* buffer, size_t capacity, size_t* size);

/// Goes on from what was saved by a run of the same scene.
THRONG_API thResult thRun_Restore(thRun* run, const void* data, size_t size, thError* error);

#endif
