// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The command `list`: the scenes that come with the program, the methods there are, and presets.

#include "commands/commands.h"
#include "load_scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/preset.h>
#include <throng/scene.h>
#include <unistd.h>

typedef struct ListOptions {
    bool names;
    bool presets;
    const char* methods;
} ListOptions;

static const Option listOptions[] = {
    {.name = "names",
     .kind = optionFlag,
     .offset = offsetof(ListOptions, names),
     .about = "print only the names, one on a line"},
    {.name = "presets",
     .kind = optionFlag,
     .offset = offsetof(ListOptions, presets),
     .about = "print the presets of profiles instead: speeds and radii of\n"
              "people, and where they are from"},
    {.name = "methods",
     .kind = optionText,
     .offset = offsetof(ListOptions, methods),
     .value = "KIND",
     .about = "print the names of methods instead: those that --avoid,\n"
              "--plan or --group takes; KIND is avoid, plan or group"},
    {0},
};

// Whether a file has the word "throng" in it, as every scene has. Other JSON files may lie beside
// scenes; a scene that is broken is to be seen.
static bool looksLikeScene(const char* path)
{
    FILE* stream = fopen(path, "r");
    char* text = NULL;
    size_t size = 0;
    bool found = stream == NULL; // what cannot be read is not hidden
    while (!found && getdelim(&text, &size, '"', stream) > 0)
        found = strcmp(text, "throng\"") == 0;
    free(text);
    if (stream != NULL)
        fclose(stream);
    return found;
}

static void dropOthers(SceneFiles* files)
{
    int kept = 0;
    for (int i = 0; i < files->count; ++i) {
        if (looksLikeScene(files->items[i].path)) {
            files->items[kept++] = files->items[i];
        } else {
            free(files->items[i].name);
            free(files->items[i].path);
        }
    }
    files->count = kept;
}

// What the list says of a scene.
typedef struct Line {
    const char* name;
    char agents[32];
    char* about;
} Line;

// "60", or "60+" when more are to come.
static bool describe(const SceneFile* file, Line* line)
{
    thSceneDef def = thDefaultSceneDef();
    def.path = file->path;
    thScene* scene;
    const thResult result = thLoadScene(&def, &scene);
    *line = (Line){.name = file->name, .agents = "-"};
    if (result == th_resultOk) {
        const thSceneInfo info = thScene_GetInfo(scene);
        snprintf(line->agents, sizeof line->agents, "%" PRId64 "%s", info.agents,
                 info.comingAgents != 0 ? "+" : "");
        line->about = strdup(info.about);
    } else {
        line->about = strdup("cannot be read; 'throng check' says why");
    }
    thDestroyScene(scene);
    return line->about != NULL;
}

// Words of `text`, from a column on; as many on a line as the width allows. [0: all]
static void printWrapped(const char* text, int column, int width)
{
    int at = column;
    for (const char* word = text; *word != '\0';) {
        const int length = (int)strcspn(word, " ");
        if (width > column + 20 && at > column && at + 1 + length > width) {
            printf("\n%*s", column, "");
            at = column;
        } else if (at > column) {
            putchar(' ');
            at += 1;
        }
        printf("%.*s", length, word);
        at += length;
        word += length;
        word += strspn(word, " ");
    }
    putchar('\n');
}

static void printLines(const Line* lines, int count)
{
    int nameWidth = (int)strlen("scene"), agentsWidth = (int)strlen("agents");
    for (int i = 0; i < count; ++i) {
        const int name = (int)strlen(lines[i].name), agents = (int)strlen(lines[i].agents);
        nameWidth = name > nameWidth ? name : nameWidth;
        agentsWidth = agents > agentsWidth ? agents : agentsWidth;
    }
    const int width = appTerminalWidth(STDOUT_FILENO);
    printf("%-*s  %*s  about\n", nameWidth, "scene", agentsWidth, "agents");
    for (int i = 0; i < count; ++i) {
        printf("%-*s  %*s  ", nameWidth, lines[i].name, agentsWidth, lines[i].agents);
        printWrapped(lines[i].about, nameWidth + agentsWidth + 4, width);
    }
}

static ExitCode printTable(const SceneFiles* files)
{
    Line* lines = calloc((size_t)files->count + 1, sizeof *lines);
    bool good = lines != NULL;
    for (int i = 0; i < files->count && good; ++i)
        good = describe(&files->items[i], &lines[i]);
    if (good)
        printLines(lines, files->count);
    else
        appSay("no memory");
    for (int i = 0; i < files->count && lines != NULL; ++i)
        free(lines[i].about);
    free(lines);
    return good ? exitDone : exitEnvironment;
}

// "1.34 ± 0.26", "0.58 to 1.61"
static void describeSpeed(const thPreset* preset, char* text, size_t size)
{
    if (preset->speeds == th_presetFixed)
        snprintf(text, size, "%g", (double)preset->mean);
    else if (preset->speeds == th_presetNormal)
        snprintf(text, size, "%g ± %g", (double)preset->mean, (double)preset->deviation);
    else
        snprintf(text, size, "%g to %g", (double)preset->min, (double)preset->max);
}

static void printPresets(bool namesOnly)
{
    const int width = appTerminalWidth(STDOUT_FILENO), nameWidth = 21, about = nameWidth + 25;
    thPreset preset;
    if (!namesOnly)
        printf("%-*s  %-12s  %7s  about\n", nameWidth, "preset", "speed [m/s]", "radius");
    for (int32_t i = 0; thGetPreset(i, &preset) != 0; ++i) {
        char speed[32], radius[16] = "-";
        if (namesOnly) {
            puts(preset.name);
            continue;
        }
        describeSpeed(&preset, speed, sizeof speed);
        if (preset.radius > 0.0f)
            snprintf(radius, sizeof radius, "%g m", (double)preset.radius);
        // The sign ± has two bytes.
        const int column = preset.speeds == th_presetNormal ? 13 : 12;
        printf("%-*s  %-*s  %7s  ", nameWidth, preset.name, column, speed, radius);
        printWrapped(preset.about, about, width);
    }
}

static ExitCode runList(const Command* self, int argc, char** argv)
{
    ListOptions options = {0};
    const char* operand;
    const Parsed parsed = appParseOptions(self, argc, argv, &options, &operand);
    if (parsed != parsedWell)
        return appExitOfParsed(parsed);
    if (options.methods != NULL)
        return appPrintMethods(options.methods);
    if (options.presets) {
        printPresets(options.names);
        return exitDone;
    }
    SceneFiles files;
    if (!appListSceneFiles(&files))
        return exitEnvironment;
    dropOthers(&files);
    ExitCode code = exitDone;
    if (options.names)
        for (int i = 0; i < files.count; ++i)
            puts(files.items[i].name);
    else
        code = printTable(&files);
    appFreeSceneFiles(&files);
    return code;
}

const Command appListCommand = {
    .name = "list",
    .about = "list the scenes that come with the program",
    .details =
        "They lie in the folders of $THRONG_SCENES (separated by colons) and in those of the\n"
        "program. 'throng run NAME' runs one.\n",
    .options = listOptions,
    .run = runList,
};
