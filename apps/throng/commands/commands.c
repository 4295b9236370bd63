// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The table of commands, help texts from their tables of options, and the version. One more command
// is a file, a line in commands.h and a line here.

#include "commands/commands.h"

#include <stdio.h>
#include <string.h>
#include <throng/simd.h>

const Command* const appCommands[] = {
    &appRunCommand,
    &appCheckCommand,
    &appListCommand,
#if APP_CAIRO
    &appRenderCommand,
#endif
    &appMeasureCommand,
    &appConvertCommand,
    &appPathCommand,
    &appBenchCommand,
    &appVerifyCommand,
    &appHelpCommand,
    NULL,
};

static const char* nextCommand(void* names)
{
    const Command* const** at = names;
    return **at != NULL ? (*(*at)++)->name : NULL;
}

const Command* appFindCommand(const char* name)
{
    for (const Command* const* at = appCommands; *at != NULL; ++at)
        if (strcmp((*at)->name, name) == 0)
            return *at;
    const Command* const* names = appCommands;
    const char* near = appDidYouMean(name, nextCommand, &names);
    if (strcmp(name, "explain") == 0) // what methods call it
        appSay("'explain' is not a command; did you mean 'render SCENE --at T --debug AGENT'?");
    else if (near != NULL)
        appSay("'%s' is not a command; did you mean '%s'?", name, near);
    else
        appSay("'%s' is not a command; see 'throng help'", name);
    return NULL;
}

// --- Help ---

enum { leftColumn = 22 };

// `text` from the right column on; its further lines too.
static void printRight(const char* text)
{
    for (;;) {
        const size_t length = strcspn(text, "\n");
        printf("%.*s\n", (int)length, text);
        if (text[length] == '\0')
            return;
        text += length + 1;
        printf("%*s", leftColumn + 4, "");
    }
}

static void printOption(const char* name, const char* value, const char* about)
{
    char left[64];
    snprintf(left, sizeof left, "--%s%s%s", name, value != NULL ? " " : "",
             value != NULL ? value : "");
    printf("  %-*s  ", leftColumn, left);
    printRight(about);
}

void appPrintHelp(const Command* command)
{
    printf("usage: throng %s%s%s [options]\n\n%s\n", command->name,
           command->operand != NULL ? " " : "", command->operand != NULL ? command->operand : "",
           command->about);
    if (command->options->heading == NULL)
        putchar('\n');
    for (const Option* option = command->options; option->name != NULL; ++option) {
        if (option->heading != NULL)
            printf("\n%s:\n", option->heading);
        printOption(option->name, option->value, option->about);
    }
    printOption("help", NULL, "print this and stop");
    if (command->details != NULL)
        printf("\n%s", command->details);
}

static void printOverview(void)
{
    puts("usage: throng COMMAND [options]\n\nMoves crowds.\n\ncommands:");
    for (const Command* const* at = appCommands; *at != NULL; ++at) {
        const Command* command = *at;
        char left[64];
        snprintf(left, sizeof left, "%s%s%s", command->name, command->operand != NULL ? " " : "",
                 command->operand != NULL ? command->operand : "");
        printf("  %-*s  %s\n", leftColumn, left, command->about);
    }
    puts("\noptions:");
    printOption("help", NULL, "print this and stop");
    printOption("version", NULL, "say what this is and what it was built with, and stop");
    puts("\n'throng COMMAND --help' says more about a command.\n"
         "Exit code: 0 done, 1 it ended but something asked for failed, 2 bad usage or a bad\n"
         "scene, 3 a file or memory.");
}

static ExitCode runHelp(const Command* self, int argc, char** argv)
{
    const char* name;
    const Parsed parsed = appParseOptions(self, argc, argv, NULL, &name);
    if (parsed != parsedWell)
        return appExitOfParsed(parsed);
    if (name == NULL) {
        printOverview();
        return exitDone;
    }
    const Command* command = appFindCommand(name);
    if (command == NULL)
        return exitUsage;
    appPrintHelp(command);
    return exitDone;
}

static const Option noOptions[] = {{0}};

const Command appHelpCommand = {
    .name = "help",
    .operand = "[COMMAND]",
    .about = "say what the program, or one of its commands, does",
    .options = noOptions,
    .run = runHelp,
};

// --- The version ---

void appPrintVersion(void)
{
    const thVersion version = thGetVersion();
    printf("throng %d.%d.%d\n", (int)version.major, (int)version.minor, (int)version.patch);
    printf("built with %s, %s, %s, %s, %s, %s\n", APP_COMPILER,
           APP_THREADS ? "threads" : "no threads",
           APP_CAIRO ? "cairo" : "no cairo (and so no command 'render')",
           APP_HDF5 ? "HDF5" : "no HDF5", APP_SQLITE ? "SQLite" : "no SQLite",
           APP_EXPAT ? "expat" : "no expat");
    fputs("instruction sets here:", stdout);
    for (int32_t simd = th_simdScalar; simd < th_simdCount; ++simd)
        if (thSimd_IsAvailable((thSimd)simd))
            printf(" %s", thSimd_GetName((thSimd)simd));
    putchar('\n');
}
