// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// What every other header stands on: version, results and errors, memory, and the hooks through
/// which the library speaks. The library itself never prints, exits or aborts.

#ifndef THRONG_BASE_H
#define THRONG_BASE_H

#include <stddef.h>
#include <stdint.h>

/// Marks what the library exports. `THRONG_SHARED` is defined where the shared library is linked,
/// for systems that need import declarations; the CMake package does it.
#if defined(_WIN32) && defined(THRONG_BUILDING)
#define THRONG_EXPORT __declspec(dllexport)
#elif defined(_WIN32) && defined(THRONG_SHARED)
#define THRONG_EXPORT __declspec(dllimport)
#elif defined(__GNUC__)
#define THRONG_EXPORT __attribute__((visibility("default")))
#else
#define THRONG_EXPORT
#endif

/// Stands before every function of the library.
#ifdef __cplusplus
#define THRONG_API extern "C" THRONG_EXPORT
#else
#define THRONG_API THRONG_EXPORT
#endif

/// Version of these headers. Binaries built against one minor version run with any later library
/// of the same major version.
#define THRONG_VERSION_MAJOR 0
#define THRONG_VERSION_MINOR 1
#define THRONG_VERSION_PATCH 0

/// A version number, compared field by field.
typedef struct thVersion {
    /// Changes when binaries must be rebuilt.
    int32_t major;
    /// Changes when something was added.
    int32_t minor;
    /// Changes when something was repaired.
    int32_t patch;
} thVersion;

/// The version of the library that is linked, which may be newer than these headers.
THRONG_API thVersion thGetVersion(void);

/// How a call that depends on the world outside ended. The numbers are stable.
typedef enum thResult {
    /// All went well.
    th_resultOk = 0,
    /// An argument was out of range, not finite, of the wrong size or stale: a bug of the caller.
    th_resultBadArgument = 1,
    /// The allocator had no memory, or the byte limit that was set is reached.
    th_resultNoMemory = 2,
    /// A fixed capacity is used up.
    th_resultFull = 3,
    /// A file could not be opened, read or written.
    th_resultFile = 4,
    /// Text or data does not follow its format.
    th_resultSyntax = 5,
    /// Data is well formed but from another version.
    th_resultVersion = 6,
    /// Data is damaged: its checksum does not hold.
    th_resultDamaged = 7,
    /// What was asked for does not exist on this machine or in this build.
    th_resultUnavailable = 8,
    /// A body would stand in a wall.
    th_resultBlocked = 9,
} thResult;

/// A short English text for a result: "no memory". Never NULL, also for unknown numbers.
THRONG_API const char* thResult_GetText(thResult result);

/// Where and why something failed, filled by calls that read data. All text is terminated and cut
/// to fit; a call that succeeds leaves it as it was.
typedef struct thError {
    /// What went wrong. [default th_resultOk]
    thResult code;
    /// Line in the file. [1-based; 0 if not known]
    int32_t line;
    /// Column in the line, in bytes. [1-based; 0 if not known]
    int32_t column;
    /// Name of the file, empty if there is none.
    char file[256];
    /// Path of the value inside the file, such as `agents[3].goal`.
    char path[256];
    /// One sentence: what was found and what was expected.
    char text[512];
} thError;

/// Where memory comes from. Both functions may be called from several threads at once.
typedef struct thAllocator {
    /// Passed back to both functions.
    void* context;
    /// Returns `size` bytes aligned to `alignment` (a power of two), or NULL when there are none.
    void* (*allocate)(void* context, size_t size, size_t alignment);
    /// Takes back what `allocate` gave, with the same size and alignment. Never called with NULL.
    void (*release)(void* context, void* memory, size_t size, size_t alignment);
} thAllocator;

/// The allocator used where none is given: the C library's.
THRONG_API thAllocator thDefaultAllocator(void);

/// How important a message is.
typedef enum thLogLevel {
    /// For those who look into the library.
    th_logDebug = 0,
    /// Worth knowing, nothing is wrong.
    th_logInfo = 1,
    /// Something is likely not as intended.
    th_logWarning = 2,
} thLogLevel;

/// Receives a message. `text` is valid during the call only. May be called from any task.
typedef void thLogFcn(void* context, thLogLevel level, const char* text);

/// Hears of a caller's bug or of a broken invariant, before the call returns harmlessly. A test or
/// a debugger may stop the program here; `condition` is the C expression that did not hold, or says
/// which parameter is wrong and what was expected.
typedef void thAssertFcn(void* context, const char* condition, const char* file, int32_t line);

/// The functions through which the library speaks to its host.
typedef struct thHooks {
    /// Receives messages. [default NULL: silence]
    thLogFcn* log;
    /// Passed to `log`.
    void* logContext;
    /// Hears of failed assertions. [default NULL: they are silent, calls return harmlessly]
    thAssertFcn* assertion;
    /// Passed to `assertion`.
    void* assertionContext;
} thHooks;

/// Sets the hooks of the whole process. Call it before other threads use the library; NULL
/// restores the defaults.
THRONG_API void thSetHooks(const thHooks* hooks);

#endif
