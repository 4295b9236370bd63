// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Commands and their options, from tables: one table says how options are read and what --help
// prints. Tests hold completions and the manual against --help.

#ifndef THRONG_APPS_OPTIONS_H
#define THRONG_APPS_OPTIONS_H

#include "app.h"

#include <stddef.h>
#include <stdint.h>

typedef enum OptionKind {
    optionFlag,   // bool
    optionText,   // const char*
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
    size_t offset;       // where its value goes, in the struct of the command's options
    const char* value;   // what its value is called; NULL: it takes none
    const char* about;   // for --help; a line feed begins another line
    double min, max;     // of numbers
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

// All commands, ended by NULL.
extern const Command* const appCommands[];

// The command of that name; says that there is none, and returns NULL, if so.
const Command* appFindCommand(const char* name);

typedef enum Parsed {
    parsedWell,
    parsedHelp, // --help was given and answered
    parsedBadly // and it was said why
} Parsed;

// Reads what follows the command's name, in any order. `options` is the command's struct, with
// defaults. `operands` become the command's operands, as many as it names; NULL for one that is not
// there.
Parsed appParseOptions(const Command* command, int argc, char** argv, void* options,
                       const char** operands);

// The exit code of a command line that was not parsedWell.
ExitCode appExitOfParsed(Parsed parsed);

// Frees what texts were gathered in.
void appFreeOptions(const Command* command, void* options);

void appPrintHelp(const Command* command);

#endif
