// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Joins the names of built-in methods.

#include "gear/method_names.h"

#include "gear/gear.h"

#include <string.h>

static char joined[1024];

static void append(const char* text)
{
    assert_true(strlen(joined) + strlen(text) < sizeof joined);
    strcat(joined, text);
}

const char* withMethodNames(const char* before, thMethodKind kind, const char* after)
{
    joined[0] = '\0';
    append(before);
    const thMethod* method;
    for (int32_t i = 0; (method = thGetBuiltInMethod(kind, i)) != NULL; ++i) {
        append(i > 0 ? ", " : "");
        append(method->name);
    }
    append(after);
    return joined;
}
