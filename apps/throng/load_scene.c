// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Finds scenes by name, reads them, builds their worlds, and prints what is wrong with them.

#include "load_scene.h"

#include "output.h"
#include "recording/recording.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --- Scenes by name ---

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

static char* findScene(const char* nameOrFile, ExitCode* code)
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

bool appBeginsLikeScene(const char* path)
{
    FILE* file = fopen(path, "r");
    if (file == NULL)
        return true;
    int c;
    do
        c = getc(file);
    while (c != EOF && strchr(" \t\r\n\xef\xbb\xbf", c) != NULL);
    fclose(file);
    return c == '{';
}

char* appFindScene(const char* nameOrFile, ExitCode* code)
{
    char* path = findScene(nameOrFile, code);
    if (path == NULL)
        return NULL;
    *code = exitUsage;
    if (appIsRecordingName(path) && !appBeginsLikeScene(path))
        appSay("'%s' is a recording, expected a scene; see it with 'throng render %s', and what "
               "happened in it with 'throng measure %s'",
               path, path, path);
    else if (appNoteInput("the scene", path))
        return path;
    free(path);
    return NULL;
}

// --- What is wrong with scenes ---

static void writeJson(JsonOut* out, const thError* error)
{
    appJsonBegin(out, NULL, '{', false);
    appJsonText(out, "file", error->file);
    appJsonWhole(out, "line", error->line);
    appJsonWhole(out, "column", error->column);
    appJsonText(out, "path", error->path);
    appJsonText(out, "text", error->text);
    appJsonEnd(out, '}');
}

static void writeLine(FILE* stream, bool colour, const thError* error, const char* kind)
{
    const char* bold = colour ? "\033[1m" : "";
    const char* red = colour ? "\033[31m" : "";
    const char* plain = colour ? "\033[0m" : "";
    const bool hasPath = error->path[0] != '\0';
    // What has a path but no line was not in the file.
    fprintf(stream, "%s%s", bold, hasPath && error->line == 0 ? "--set" : error->file);
    if (error->line > 0)
        fprintf(stream, ":%d:%d", (int)error->line, (int)error->column);
    fprintf(stream, "%s%s ", hasPath && error->line == 0 ? "" : ":", plain);
    if (hasPath)
        fprintf(stream, "%s%s:%s ", red, error->path, plain);
    fprintf(stream, "%s%s\n", kind, error->text);
}

void appPrintSceneError(void* context, const thError* error)
{
    SceneErrors* errors = context;
    errors->count += 1;
    if (errors->json != NULL)
        writeJson(errors->json, error);
    else if (errors->stream != NULL)
        writeLine(errors->stream, errors->colour, error, "");
}

void appKeepSceneNote(void* context, const thError* note)
{
    SceneNotes* notes = context;
    thError* items = realloc(notes->items, (size_t)(notes->count + 1) * sizeof *items);
    notes->noMemory = notes->noMemory || items == NULL;
    if (items == NULL)
        return;
    notes->items = items;
    items[notes->count++] = *note;
}

void appPrintSceneNotes(const SceneErrors* errors, const SceneNotes* notes)
{
    for (int i = 0; i < notes->count; ++i) {
        if (errors->json != NULL)
            writeJson(errors->json, &notes->items[i]);
        else
            writeLine(errors->stream, errors->colour, &notes->items[i], "note: ");
    }
}

void appFreeSceneNotes(SceneNotes* notes)
{
    free(notes->items);
    *notes = (SceneNotes){0};
}

// --- Reading and building ---

// Options that name methods.
static const char* const methodOptions[] = {
    [th_methodPlan] = "--plan", [th_methodGroup] = "--group", [th_methodAvoid] = "--avoid"};

// Uses a method on an empty scene, which knows the methods that all others know.
static thResult tryMethod(thMethodKind kind, const char* name, thSceneErrorFcn* report,
                          void* context)
{
    static const char empty[] = "{\"throng\": 1}";
    thSceneDef sceneDef = thDefaultSceneDef();
    sceneDef.path = methodOptions[kind]; // what errors are about
    sceneDef.text = empty;
    sceneDef.textSize = sizeof empty - 1;
    thRunDef runDef = thDefaultRunDef();
    runDef.methods[kind] = name;
    runDef.report = report;
    runDef.reportContext = context;
    thScene* scene;
    thRun* run = NULL;
    thResult result = thLoadScene(&sceneDef, &scene);
    if (result == th_resultOk)
        result = thCreateRun(scene, &runDef, &run);
    thDestroyRun(run);
    thDestroyScene(scene);
    return result;
}

ExitCode appCheckMethods(const char* const methods[th_methodKindCount])
{
    SceneErrors errors = {.stream = stderr, .colour = appUsesColour(STDERR_FILENO)};
    thResult result = th_resultOk;
    for (int kind = 0; kind < th_methodKindCount && result == th_resultOk; ++kind)
        if (methods[kind] != NULL)
            result = tryMethod((thMethodKind)kind, methods[kind], appPrintSceneError, &errors);
    return appExitOf(result);
}

ExitCode appPrintMethods(const char* kindName)
{
    for (int kind = 0; kind < th_methodKindCount; ++kind)
        if (strcmp(methodOptions[kind] + strlen("--"), kindName) == 0) {
            const thMethod* method;
            for (int32_t i = 0; (method = thGetBuiltInMethod((thMethodKind)kind, i)) != NULL; ++i)
                puts(method->name);
            return exitDone;
        }
    appSay("--methods is '%s', expected avoid, plan or group", kindName);
    return exitUsage;
}

static bool isUsed(const thScene* scene, int32_t profile, bool anyUsed)
{
    return !anyUsed || thScene_IsProfileUsed(scene, profile) != 0;
}

const char* appNameMethods(const thScene* scene, thMethodKind kind, MethodNames* names)
{
    const int32_t profiles = thScene_GetInfo(scene).profileCount;
    bool anyUsed = false;
    names->text[0] = '\0';
    for (int32_t i = 0; i < profiles && !anyUsed; ++i)
        anyUsed = thScene_IsProfileUsed(scene, i) != 0;
    for (int32_t i = 0; i < profiles; ++i) {
        const char* name = thScene_GetMethod(scene, i, kind);
        bool isNew = isUsed(scene, i, anyUsed);
        for (int32_t j = 0; j < i && isNew; ++j)
            isNew =
                !isUsed(scene, j, anyUsed) || strcmp(thScene_GetMethod(scene, j, kind), name) != 0;
        const size_t length = strlen(names->text);
        if (isNew)
            snprintf(names->text + length, sizeof names->text - length, "%s%s",
                     length > 0 ? "+" : "", name);
    }
    return names->text;
}

// Files that a scene names are read too.
static bool noteWallFiles(const char* path, const thScene* scene)
{
    const char* slash = strrchr(path, '/');
    const char* name;
    for (int32_t i = 0; (name = thScene_GetWallFile(scene, i)) != NULL; ++i) {
        char file[4096];
        const int folder = slash != NULL && name[0] != '/' ? (int)(slash + 1 - path) : 0;
        snprintf(file, sizeof file, "%.*s%s", folder, path, name);
        if (!appNoteInput("walls of the scene", file))
            return false;
    }
    return true;
}

ExitCode appLoadScene(const char* path, const TextList* changes, thScene** scene)
{
    SceneErrors errors = {.stream = stderr, .colour = appUsesColour(STDERR_FILENO)};
    thSceneDef def = thDefaultSceneDef();
    def.path = path;
    def.changes = changes->items;
    def.changeCount = changes->count;
    def.report = appPrintSceneError;
    def.reportContext = &errors;
    const thResult result = thLoadScene(&def, scene);
    if (result != th_resultOk && errors.count == 0)
        appSay("cannot read '%s': %s", path, thResult_GetText(result));
    else if (result != th_resultOk)
        appSay("scene '%s' has %d error%s", path, errors.count, errors.count == 1 ? "" : "s");
    if (result != th_resultOk || noteWallFiles(path, *scene))
        return appExitOf(result);
    thDestroyScene(*scene);
    *scene = NULL;
    return exitUsage;
}

ExitCode appExitOfBuild(thResult result)
{
    return result == th_resultFile ? exitUsage : appExitOf(result);
}

ExitCode appCreateRun(const thScene* scene, thRunDef* def, thRun** run)
{
    SceneErrors errors = {.stream = stderr, .colour = appUsesColour(STDERR_FILENO)};
    def->report = appPrintSceneError;
    def->reportContext = &errors;
    const thResult result = thCreateRun(scene, def, run);
    if (result != th_resultOk)
        appSay("cannot build scene '%s': %s", thScene_GetInfo(scene).name,
               errors.count > 0 ? "see above" : thResult_GetText(result));
    return appExitOfBuild(result);
}
