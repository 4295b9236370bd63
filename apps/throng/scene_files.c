// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "scene_files.h"

#include "out_file.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char suffix[] = ".json";

static bool endsWith(const char* text, const char* end)
{
    const size_t length = strlen(text), endLength = strlen(end);
    return length > endLength && strcmp(text + length - endLength, end) == 0;
}

// `folder/name`, or NULL when memory is out.
static char* join(const char* folder, const char* name)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    char* path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%s/%s", folder, name);
    return path;
}

static bool hasName(const SceneFiles* files, const char* name, size_t length)
{
    for (int i = 0; i < files->count; ++i)
        if (strlen(files->items[i].name) == length &&
            memcmp(files->items[i].name, name, length) == 0)
            return true;
    return false;
}

static bool addFile(SceneFiles* files, const char* folder, const char* fileName)
{
    const size_t length = strlen(fileName) - strlen(suffix);
    if (hasName(files, fileName, length))
        return true;
    SceneFile* items = realloc(files->items, (size_t)(files->count + 1) * sizeof *items);
    if (items == NULL)
        return false;
    files->items = items;
    const SceneFile file = {strndup(fileName, length), join(folder, fileName)};
    items[files->count++] = file;
    return file.name != NULL && file.path != NULL;
}

// A folder that is not there has no scenes.
static bool addFolder(SceneFiles* files, const char* path)
{
    bool good = true;
    // Errors in scenes are to name the folder itself, not a link to it.
    char* folder = realpath(path, NULL);
    DIR* open = folder != NULL ? opendir(folder) : NULL;
    if (open != NULL) {
        for (struct dirent* entry = readdir(open); entry != NULL && good; entry = readdir(open))
            if (endsWith(entry->d_name, suffix) && entry->d_name[0] != '.')
                good = addFile(files, folder, entry->d_name);
        closedir(open);
    }
    free(folder);
    return good;
}

static bool addFoldersOfUser(SceneFiles* files)
{
    const char* given = getenv("THRONG_SCENES");
    if (given == NULL)
        return true;
    char* folders = strdup(given);
    char* rest = NULL;
    bool good = folders != NULL;
    for (char* folder = good ? strtok_r(folders, ":", &rest) : NULL; folder != NULL && good;
         folder = strtok_r(NULL, ":", &rest))
        good = addFolder(files, folder);
    free(folders);
    return good;
}

// Where the program was built its scenes are beside it, where it was installed they are where the
// installation put them, seen from the program: an installed tree may be moved.
static bool addFoldersOfProgram(SceneFiles* files)
{
    static const char* const places[] = {APP_BUILT_SCENES, APP_INSTALLED_SCENES};
    char program[4096];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return true;
    program[length] = '\0';
    *strrchr(program, '/') = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; ++i) {
        char* folder = join(program, places[i]);
        const bool good = folder != NULL && addFolder(files, folder);
        free(folder);
        if (!good)
            return false;
    }
    return true;
}

// A number at the beginning of a text, with 10k and 1m as in names of scenes.
static double leadingNumber(const char** text)
{
    double value = 0.0;
    for (; isdigit((unsigned char)**text); ++*text)
        value = 10.0 * value + (**text - '0');
    const double scale = **text == 'k' ? 1e3 : **text == 'm' ? 1e6 : 1.0;
    return value * scale;
}

// By letters, and by numbers where numbers stand: circle-3, circle-50, circle-1k.
static int byName(const void* left, const void* right)
{
    const char* a = ((const SceneFile*)left)->name;
    const char* b = ((const SceneFile*)right)->name;
    while (*a != '\0' && *b != '\0') {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            const double first = leadingNumber(&a), second = leadingNumber(&b);
            if (first != second)
                return first < second ? -1 : 1;
        } else if (*a != *b) {
            break;
        } else {
            ++a;
            ++b;
        }
    }
    return (unsigned char)*a - (unsigned char)*b;
}

bool appListSceneFiles(SceneFiles* files)
{
    *files = (SceneFiles){0};
    if (addFoldersOfUser(files) && addFoldersOfProgram(files)) {
        if (files->count > 0)
            qsort(files->items, (size_t)files->count, sizeof *files->items, byName);
        return true;
    }
    appFreeSceneFiles(files);
    appSay("no memory");
    return false;
}

void appFreeSceneFiles(SceneFiles* files)
{
    for (int i = 0; i < files->count; ++i) {
        free(files->items[i].name);
        free(files->items[i].path);
    }
    free(files->items);
    *files = (SceneFiles){0};
}

typedef struct NameCursor {
    const SceneFiles* files;
    int at;
} NameCursor;

static const char* nextName(void* names)
{
    NameCursor* cursor = names;
    return cursor->at < cursor->files->count ? cursor->files->items[cursor->at++].name : NULL;
}

enum { mostSuggestions = 6 };

// "'circle-2', 'circle-3', ...": scenes whose names begin like that. False if there are none.
static bool listLonger(const char* name, const SceneFiles* files, char* list, size_t size)
{
    int found = 0;
    list[0] = '\0';
    for (int i = 0; i < files->count && found <= mostSuggestions; ++i) {
        const size_t length = strlen(list);
        if (strncmp(files->items[i].name, name, strlen(name)) != 0)
            continue;
        if (found == mostSuggestions)
            snprintf(list + length, size - length, ", ...");
        else
            snprintf(list + length, size - length, "%s'%s'", found > 0 ? ", " : "",
                     files->items[i].name);
        ++found;
    }
    return found > 0;
}

static void sayNoScene(const char* name, const SceneFiles* files)
{
    NameCursor names = {files, 0};
    const char* near = appDidYouMean(name, nextName, &names);
    char file[4096], longer[1024];
    snprintf(file, sizeof file, "%s%s", name, suffix);
    if (access(file, F_OK) == 0)
        appSay("there is no scene '%s'; did you mean the file '%s'?", name, file);
    else if (name[0] != '\0' && listLonger(name, files, longer, sizeof longer))
        appSay("there is no scene '%s'; did you mean %s?", name, longer);
    else if (near != NULL)
        appSay("there is no scene '%s'; did you mean '%s'?", name, near);
    else
        appSay("there is no scene '%s', neither as a file nor in 'throng list'", name);
}

static char* findByName(const char* name, ExitCode* code)
{
    SceneFiles files;
    if (!appListSceneFiles(&files)) {
        *code = exitEnvironment;
        return NULL;
    }
    char* path = NULL;
    for (int i = 0; i < files.count && path == NULL; ++i)
        if (strcmp(files.items[i].name, name) == 0)
            path = strdup(files.items[i].path);
    if (path == NULL && access(name, F_OK) == 0)
        path = strdup(name);
    if (path == NULL)
        sayNoScene(name, &files);
    *code = exitUsage;
    appFreeSceneFiles(&files);
    return path;
}

char* appFindScene(const char* nameOrFile, ExitCode* code)
{
    if (strchr(nameOrFile, '/') == NULL && !endsWith(nameOrFile, suffix) &&
        !endsWith(nameOrFile, ".map"))
        return findByName(nameOrFile, code);
    *code = exitEnvironment;
    if (access(nameOrFile, R_OK) != 0) {
        appSayCannot("read", nameOrFile);
        return NULL;
    }
    char* path = strdup(nameOrFile);
    if (path == NULL)
        appSay("no memory");
    return path;
}
