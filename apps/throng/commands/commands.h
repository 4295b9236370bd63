// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The commands, each in a file of its own, and what is said about them.

#ifndef THRONG_APPS_COMMANDS_H
#define THRONG_APPS_COMMANDS_H

#include "options.h"

extern const Command appRunCommand;
extern const Command appCheckCommand;
extern const Command appListCommand;
extern const Command appRenderCommand;
extern const Command appConvertCommand;
extern const Command appMeasureCommand;
extern const Command appPathCommand;
extern const Command appBenchCommand;
extern const Command appVerifyCommand;
extern const Command appHelpCommand;

// All of them; ends with NULL.
extern const Command* const appCommands[];

// The command of that name; says that there is none, and returns NULL, if so.
const Command* appFindCommand(const char* name);

void appPrintHelp(const Command* command);

// What --version prints: the version, and what the program was built with.
void appPrintVersion(void);

#endif
