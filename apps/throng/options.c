// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Reads command lines by the tables of options, and the values that several commands share.

#include "options.h"

#include "commands/commands.h"
#include "output.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Option* findOption(const Command* command, const char* name, size_t length)
{
    for (const Option* option = command->options; option->name != NULL; ++option)
        if (strlen(option->name) == length && memcmp(option->name, name, length) == 0)
            return option;
    return NULL;
}

static const char* nextOption(void* names)
{
    const Option** option = names;
    return (*option)->name != NULL ? (*option)++->name : NULL;
}

static void sayUnknown(const Command* command, const char* name, size_t length)
{
    char word[64];
    const Option* names = command->options;
    const size_t dashes = strspn(name, "-");
    const size_t rest = length > dashes ? length - dashes : 0;
    const size_t kept = rest < sizeof word - 1 ? rest : sizeof word - 1;
    memcpy(word, name + dashes, kept);
    word[kept] = '\0';
    const char* near = appDidYouMean(word, nextOption, &names);
    if (near != NULL)
        appSay("'%.*s' is not an option; did you mean '--%s'?", (int)length, name, near);
    else
        appSay("'%.*s' is not an option; see 'throng %s --help'", (int)length, name, command->name);
}

// The word after the number must be its end; an empty text is no number.
static bool isWhole(const char* text, const char* end)
{
    return end != text && *end == '\0' && errno == 0;
}

static bool takeWhole(const Option* option, const char* text, void* place)
{
    char* end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (!isWhole(text, end) || (double)value < option->min || (double)value > option->max) {
        appSay("--%s is '%s', expected a whole number from %.0f to %.0f", option->name, text,
               option->min, option->max);
        return false;
    }
    *(int64_t*)place = value;
    return true;
}

static bool takeNumber(const Option* option, const char* text, void* place)
{
    char* end;
    errno = 0;
    const double value = strtod(text, &end);
    if (!isWhole(text, end) || !(value >= option->min && value <= option->max)) {
        appSay("--%s is '%s', expected a number from %g to %g", option->name, text, option->min,
               option->max);
        return false;
    }
    *(double*)place = value;
    return true;
}

// There are never more texts than words on the command line.
static bool takeOneOfTexts(const char* text, TextList* list, int argc)
{
    if (list->items == NULL)
        list->items = calloc((size_t)argc, sizeof *list->items);
    if (list->items == NULL) {
        appSay("no memory");
        return false;
    }
    list->items[list->count++] = text;
    return true;
}

// The names that the standard output has.
static bool isStandardOutput(const char* path)
{
    static const char* const names[] = {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (strcmp(path, names[i]) == 0)
            return true;
    return false;
}

static bool takeValue(const Option* option, const char* text, void* options, int argc)
{
    void* place = (char*)options + option->offset;
    switch (option->kind) {
    case optionFlag:
        *(bool*)place = true;
        return true;
    case optionText:
    case optionInput:
    case optionOutput:
    case optionPrefix:
        if (*text == '\0') {
            appSay("--%s is empty, expected %s", option->name, option->value);
            return false;
        }
        *(const char**)place = option->kind == optionOutput && isStandardOutput(text) ? "-" : text;
        return true;
    case optionTexts:
    case optionInputs:
        return takeOneOfTexts(text, place, argc);
    case optionWhole:
        return takeWhole(option, text, place);
    default:
        return takeNumber(option, text, place);
    }
}

// Takes argv[*at], an option, and its value.
static bool takeOption(const Command* command, int argc, char** argv, int* at, void* options)
{
    const char* word = argv[*at];
    const size_t length = strcspn(word, "=");
    const char* inWord = word[length] == '=' ? word + length + 1 : NULL;
    const Option* option =
        strncmp(word, "--", 2) == 0 ? findOption(command, word + 2, length - 2) : NULL;
    if (option == NULL) {
        sayUnknown(command, word, length);
        return false;
    }
    if (option->value == NULL && inWord != NULL) {
        appSay("--%s takes no value, but '%s' was given", option->name, inWord);
        return false;
    }
    if (option->value != NULL && inWord == NULL && *at + 1 >= argc) {
        appSay("--%s needs a value: --%s %s", option->name, option->name, option->value);
        return false;
    }
    if (option->value != NULL && inWord == NULL)
        inWord = argv[++*at];
    return takeValue(option, inWord, options, argc);
}

// The word of "IN OUT" that stands at `index`; its length is 0 behind the last.
static const char* nameOperand(const Command* command, int index, int* length)
{
    const char* name = command->operand != NULL ? command->operand : "";
    for (; index > 0; --index) {
        name += strcspn(name, " ");
        name += strspn(name, " ");
    }
    *length = (int)strcspn(name, " ");
    return name;
}

static bool takeOperand(const Command* command, const char* word, int index, const char** operands)
{
    int length;
    nameOperand(command, index, &length);
    if (length > 0) {
        operands[index] = word;
        return true;
    }
    appSay("'%s' is unexpected; see 'throng %s --help'", word, command->name);
    return false;
}

static void clearOperands(const Command* command, const char** operands)
{
    int length;
    operands[0] = NULL;
    for (int i = 0; nameOperand(command, i, &length), length > 0; ++i)
        operands[i] = NULL;
}

// Whether there are as many as it takes.
static bool hasOperands(const Command* command, int count)
{
    int length;
    const char* name = nameOperand(command, count, &length);
    if (length == 0 || name[0] == '[')
        return true;
    const char* article = strchr(command->operand, ' ') == NULL ? "a " : "";
    appSay("%s%.*s is missing; see 'throng %s --help'", article, length, name, command->name);
    return false;
}

// --- Files ---

// Calls `use` for each file that an option names, and is written or read as asked. `as` is the
// option with its dashes. False as soon as that is.
typedef bool UseFile(const char* as, const char* path);

static bool forPrefix(const Option* option, const char* as, const char* prefix, UseFile* use)
{
    for (const char* const* ending = option->endings; *ending != NULL; ++ending) {
        char path[4096];
        snprintf(path, sizeof path, "%s%s", prefix, *ending);
        if (!use(as, path))
            return false;
    }
    return true;
}

static bool forFilesOf(const Option* option, const void* options, bool isWritten, UseFile* use)
{
    char as[64];
    const void* place = (const char*)options + option->offset;
    snprintf(as, sizeof as, "--%s", option->name);
    if (option->kind == optionInputs && !isWritten) {
        const TextList* list = place;
        for (int32_t i = 0; i < list->count; ++i)
            if (!use(as, list->items[i]))
                return false;
        return true;
    }
    const bool isFile = isWritten ? option->kind == optionOutput || option->kind == optionPrefix
                                  : option->kind == optionInput;
    const char* path = isFile ? *(const char* const*)place : NULL;
    if (path == NULL)
        return true;
    return option->kind == optionPrefix ? forPrefix(option, as, path, use) : use(as, path);
}

static bool forFiles(const Command* command, const void* options, bool areWritten, UseFile* use)
{
    for (const Option* option = command->options; option->name != NULL; ++option)
        if (!forFilesOf(option, options, areWritten, use))
            return false;
    return true;
}

static bool canWrite(const char* as, const char* path)
{
    (void)as;
    return appCanWrite(path);
}

// All are told apart before the first one is tried.
static Parsed noteFiles(const Command* command, const void* options)
{
    if (!forFiles(command, options, false, appNoteInput) ||
        !forFiles(command, options, true, appNoteOutput))
        return parsedBadly;
    return forFiles(command, options, true, canWrite) ? parsedWell : parsedUnwritable;
}

Parsed appParseOptions(const Command* command, int argc, char** argv, void* options,
                       const char** operands)
{
    bool onlyOperands = false;
    int count = 0;
    clearOperands(command, operands);
    for (int at = 0; at < argc; ++at) {
        const char* word = argv[at];
        if (!onlyOperands && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)) {
            appPrintHelp(command);
            return parsedHelp;
        }
        if (!onlyOperands && strcmp(word, "--") == 0)
            onlyOperands = true;
        else if (onlyOperands || word[0] != '-' || word[1] == '\0') {
            if (!takeOperand(command, word, count++, operands))
                return parsedBadly;
        } else if (!takeOption(command, argc, argv, &at, options))
            return parsedBadly;
    }
    return hasOperands(command, count) ? noteFiles(command, options) : parsedBadly;
}

ExitCode appExitOfParsed(Parsed parsed)
{
    return parsed == parsedBadly        ? exitUsage
           : parsed == parsedUnwritable ? exitEnvironment
                                        : exitDone;
}

void appFreeOptions(const Command* command, void* options)
{
    for (const Option* option = command->options; option->name != NULL; ++option)
        if (option->kind == optionTexts || option->kind == optionInputs)
            free(((TextList*)(void*)((char*)options + option->offset))->items);
}

// --- Values that several commands share ---

bool appReadArea(const char* text, thPlace* low, thPlace* high)
{
    double* const values[] = {&low->x, &low->y, &high->x, &high->y};
    const char* at = text;
    bool good = true;
    for (int i = 0; i < 4 && good; ++i) {
        char* end;
        *values[i] = strtod(at, &end);
        good = end != at && isfinite(*values[i]) && *end == (i < 3 ? ',' : '\0');
        at = end + 1;
    }
    if (good && low->x < high->x && low->y < high->y)
        return true;
    appSay("--area is '%s', expected X0,Y0,X1,Y1 with X0 < X1 and Y0 < Y1", text);
    return false;
}

bool appIsFloorOf(const int32_t* levels, int32_t count, int32_t level)
{
    char names[256] = "";
    const int32_t kept = count < appMostLevels ? count : appMostLevels;
    for (int32_t i = 0; i < kept; ++i) {
        const size_t length = strlen(names);
        if (levels[i] == level)
            return true;
        snprintf(names + length, sizeof names - length, "%s%d", i > 0 ? ", " : "", (int)levels[i]);
    }
    if (kept == 0 && level == 0)
        return true;
    appSay("--level is %d, expected a floor that something is on: %s%s", (int)level,
           kept > 0 ? names : "0", count > kept ? ", ..." : "");
    return false;
}

bool appIsFloor(const thScene* scene, int32_t level)
{
    int32_t levels[appMostLevels];
    return appIsFloorOf(levels, thScene_GetLevels(scene, levels, appMostLevels), level);
}
