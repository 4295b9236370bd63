// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "reel.h"

#include <stdlib.h>
#include <string.h>

ExitCode appRewindReel(Reel* reel)
{
    appCloseSource(&reel->source);
    return appOpenSource(reel->name, &reel->def, &reel->source);
}

// Without folder and suffix.
static char* titleOf(const char* path)
{
    const char* slash = strrchr(path, '/');
    const char* name = slash != NULL ? slash + 1 : path;
    const char* dot = strrchr(name, '.');
    return strndup(name, dot != NULL && dot > name ? (size_t)(dot - name) : strlen(name));
}

ExitCode appOpenReel(Reel* reel, const char* name, const SourceDef* def)
{
    *reel = (Reel){.name = name, .def = *def, .title = titleOf(name)};
    if (reel->title == NULL) {
        appSay("cannot read '%s': no memory", name);
        return exitEnvironment;
    }
    const ExitCode code = appRewindReel(reel);
    if (code != exitDone)
        appCloseReel(reel);
    return code;
}

void appCloseReel(Reel* reel)
{
    appCloseSource(&reel->source);
    free(reel->title);
    *reel = (Reel){0};
}
