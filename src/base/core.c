// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The host's hooks for logs and assertions, texts of errors and results, and how defs are read.

#include "base/core.h"

#include <stdio.h>
#include <string.h>

static thHooks hooks;

void thSetHooks(const thHooks* newHooks)
{
    hooks = newHooks != NULL ? *newHooks : (thHooks){0};
}

void thiAssertFailed(const char* condition, const char* file, int32_t line)
{
    if (hooks.assertion != NULL)
        hooks.assertion(hooks.assertionContext, condition, file, line);
}

void thiLog(thLogLevel level, const char* format, ...)
{
    if (hooks.log == NULL)
        return;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    hooks.log(hooks.logContext, level, text);
}

thResult thiFail(thError* error, thResult code, const char* format, ...)
{
    if (error != NULL) {
        error->code = code;
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return code;
}

bool thiReadDef(void* full, const void* given, uint32_t firstSize, uint32_t fullSize)
{
    if (given == NULL)
        return false;
    uint32_t size;
    memcpy(&size, given, sizeof size);
    if (size < firstSize || size > fullSize)
        return false;
    memcpy(full, given, size);
    memcpy(full, &fullSize, sizeof fullSize);
    return true;
}

thVersion thGetVersion(void)
{
    return (thVersion){THRONG_VERSION_MAJOR, THRONG_VERSION_MINOR, THRONG_VERSION_PATCH};
}

const char* thResult_GetText(thResult result)
{
    switch (result) {
    case th_resultOk:
        return "ok";
    case th_resultBadArgument:
        return "bad argument";
    case th_resultNoMemory:
        return "no memory";
    case th_resultFull:
        return "capacity used up";
    case th_resultFile:
        return "file error";
    case th_resultSyntax:
        return "syntax error";
    case th_resultVersion:
        return "other version";
    case th_resultDamaged:
        return "damaged data";
    case th_resultUnavailable:
        return "not available";
    case th_resultBlocked:
        return "blocked by a wall";
    }
    return "unknown result";
}
