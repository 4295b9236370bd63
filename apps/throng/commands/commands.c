// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The table of commands: one more is a file, a line in commands.h and a line here.

#include "commands/commands.h"

#include <string.h>

const Command* const appCommands[] = {
    &appRunCommand,     &appCheckCommand,   &appListCommand,
#if APP_CAIRO
    &appRenderCommand,
#endif
    &appMeasureCommand, &appConvertCommand, &appPathCommand,
    &appBenchCommand,   &appHelpCommand,    NULL,
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
