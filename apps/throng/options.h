// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Commands and their options, from tables: one table says how options are read and what --help
// prints. Tests hold completions and the manual against --help.

#ifndef THRONG_APPS_OPTIONS_H
#define THRONG_APPS_OPTIONS_H

#include "app.h"

#include <stddef.h>
#include <stdint.h>
#include <throng/record.h>
#include <throng/scene.h>

typedef enum OptionKind {
    optionFlag,   // bool
    optionText,   // const char*
    optionInput,  // const char*, a file that is read
    optionInputs, // TextList of them
    optionOutput, // const char*, a file that is written; "-" where it is the standard output
    optionPrefix, // const char*, how names of files begin that are written
    optionTexts,  // TextList; the option may be given several times
    optionWhole,  // int64_t, within min .. max
    optionNumber, // double, within min .. max
} OptionKind;

typedef struct TextList {
    const char** items;
    int32_t count;
} TextList;

typedef struct Option {
    const char* name; // without dashes
    OptionKind kind;
    size_t offset;     // where its value goes, in the struct of the command's options
    const char* value; // what its value is called; NULL: it takes none
    const char* about; // for --help; a line feed begins another line
    double min, max;   // of numbers
    // Of prefixes: what they are followed by in names of files; ends with NULL.
    const char* const* endings;
    const char* heading; // a group of options begins here
} Option;

typedef struct Command Command;
struct Command {
    const char* name;
    const char* operand;   // "SCENE", "IN OUT", "[COMMAND]"; NULL: it takes none
    const char* about;     // one line
    const char* details;   // what else --help says; may be NULL
    const Option* options; // ends with a nameless one
    ExitCode (*run)(const Command* self, int argc, char** argv);
};

typedef enum Parsed {
    parsedWell,
    parsedHelp,      // --help was given and answered
    parsedBadly,     // and it was said why
    parsedUnwritable // a file cannot be written; likewise
} Parsed;

// Reads what follows the command's name, in any order, and takes note of the files that options
// name (output.h): those that are written can be, and are not what is read. `options` is the
// command's struct, with defaults. `operands` become the command's operands, as many as it names;
// NULL for one that is not there.
Parsed appParseOptions(const Command* command, int argc, char** argv, void* options,
                       const char** operands);

// The exit code of a command line that was not parsedWell.
ExitCode appExitOfParsed(Parsed parsed);

// Frees what texts were gathered in.
void appFreeOptions(const Command* command, void* options);

// --- Values that several commands share ---

// Reads the value of --area, "X0,Y0,X1,Y1" [m]. False, and it is said, if it is something else.
bool appReadArea(const char* text, thPlace* low, thPlace* high);

// Floors that are told apart by name.
enum { appMostLevels = 32 };

// Whether a floor is one of these, which are in ascending order; `count` of them, of which the
// first appMostLevels are there at most. Says so if not.
bool appIsFloorOf(const int32_t* levels, int32_t count, int32_t level);

// The same for the floors of a scene.
bool appIsFloor(const thScene* scene, int32_t level);

#endif
