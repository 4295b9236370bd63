// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "draw/reel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ExitCode appRewindReel(Reel* reel)
{
    appCloseSource(&reel->source);
    return appOpenSource(reel->name, &reel->def, &reel->source);
}

static const char* nameOf(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

// Without folder and suffix.
static char* shorten(const char* path)
{
    const char* name = nameOf(path);
    const char* dot = strrchr(name, '.');
    return strndup(name, dot != NULL && dot > name ? (size_t)(dot - name) : strlen(name));
}

// The files of the ETH and UCY data sets all have one name; their folders tell them apart.
static char* titleOf(const char* path)
{
    if (strcmp(nameOf(path), "obsmat.txt") != 0)
        return shorten(path);
    char* whole = realpath(path, NULL);
    char* slash = whole != NULL ? strrchr(whole, '/') : NULL;
    if (slash != NULL)
        *slash = '\0';
    char* title = slash != NULL && slash > whole ? strdup(nameOf(whole)) : shorten(path);
    free(whole);
    return title;
}

ExitCode appOpenReel(Reel* reel, const char* name, const SourceDef* def)
{
    *reel = (Reel){.name = name, .def = *def, .title = titleOf(name)};
    if (reel->title == NULL) {
        appSay("cannot read '%s': no memory", name);
        return exitEnvironment;
    }
    const ExitCode code = appRewindReel(reel);
    if (code == exitDone)
        appBeginDoors(&reel->doors, reel->source.recording->head.scene);
    else
        appCloseReel(reel);
    return code;
}

void appCloseReel(Reel* reel)
{
    appCloseSource(&reel->source);
    appFreeDoors(&reel->doors);
    free(reel->title);
    *reel = (Reel){0};
}

ExitCode appOpenReels(Reels* reels, Reel* first, const TextList* others)
{
    static const SourceDef asItSays = {.live.until = INFINITY, .use.seed = -1};
    const size_t most = (size_t)others->count + 1;
    ExitCode code = exitDone;
    *reels = (Reels){.items = calloc(most, sizeof *reels->items),
                     .own = calloc(most, sizeof *reels->own)};
    if (reels->items == NULL || reels->own == NULL) {
        appSay("no memory");
        return exitEnvironment;
    }
    reels->items[reels->count++] = first;
    for (int32_t i = 0; code == exitDone && i < others->count; ++i) {
        code = appOpenReel(&reels->own[i], others->items[i], &asItSays);
        if (code == exitDone)
            reels->items[reels->count++] = &reels->own[i];
    }
    return code;
}

void appCloseReels(Reels* reels)
{
    for (int32_t i = 1; i < reels->count; ++i)
        appCloseReel(reels->items[i]);
    free(reels->items);
    free(reels->own);
    *reels = (Reels){0};
}

const char* appLabelOf(const Reels* reels, int32_t index)
{
    const Reel* reel = reels->items[index];
    for (int32_t i = 0; i < reels->count; ++i)
        if (i != index && strcmp(reels->items[i]->title, reel->title) == 0)
            return reel->name;
    return reel->title;
}

void appFormatReels(char* text, size_t size, const Reels* reels)
{
    const char* first = reels->items[0]->title;
    if (reels->count == 1)
        snprintf(text, size, "%.150s", first);
    else if (reels->count == 2)
        snprintf(text, size, "%.75s and %.75s", first, reels->items[1]->title);
    else
        snprintf(text, size, "%.130s and %d others", first, (int)reels->count - 1);
}
