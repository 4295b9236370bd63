// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The parameters of a method, described once: defaults, names and checks are made from one list.
//
// A list is a macro with a row for each parameter of the struct T:
//
//     X(T, field, kind, preset, min, max, unit, about)
//     X##_AS(T, name, field, kind, preset, min, max, unit, about)
//
// The name is that of scene files, where it is not the field's; the kind one of Float, Int, Bool,
// Word, Roadmap and Path, as in thParamKind; the preset is the default. Names of roadmaps are empty
// by default, and have no range.

#ifndef THRONG_SRC_METHOD_METHOD_PARAMS_H
#define THRONG_SRC_METHOD_METHOD_PARAMS_H

#include "throng/method.h"

#include <stddef.h>

// What becomes of a row: an initializer of the default struct, an entry of the method's parameters,
// and the name of the field.
#define TH_PARAM_PRESET(T, field, kind, preset, min, max, unit, about)                             \
    .field = TH_PRESET_##kind(preset),
#define TH_PARAM_ENTRY(T, field, kind, preset, min, max, unit, about)                              \
    TH_PARAM_ENTRY_AS(T, #field, field, kind, preset, min, max, unit, about)
#define TH_PARAM_FIELD(T, field, kind, preset, min, max, unit, about) #field,

#define TH_PARAM_PRESET_AS(T, name, field, kind, preset, min, max, unit, about)                    \
    .field = TH_PRESET_##kind(preset),
#define TH_PARAM_ENTRY_AS(T, name, field, kind, preset, min, max, unit, about)                     \
    {name, th_param##kind, offsetof(T, field), min, max, unit, about, preset},
#define TH_PARAM_FIELD_AS(T, name, field, kind, preset, min, max, unit, about) #field,

#define TH_PRESET_Float(preset) (float)(preset)
#define TH_PRESET_Int(preset) (int32_t)(preset)
#define TH_PRESET_Bool(preset) (int32_t)(preset)
#define TH_PRESET_Word(preset) (int32_t)(preset)
#define TH_PRESET_Roadmap(preset)                                                                  \
    {                                                                                              \
        (char)(preset)                                                                             \
    }
#define TH_PRESET_Path(preset) TH_PRESET_Roadmap(preset)

// What is needed to check a struct that begins with its size.
typedef struct thParamChecks {
    const char* method; // as messages call it
    uint32_t size;      // of the struct
    int32_t count;
    const thParam* entries;
    const char* const* fields; // as messages call them
} thParamChecks;

// Defines what a method makes of its list: `defaults`, `parameters` and `checks`.
#define TH_METHOD_PARAMS(method, T, LIST)                                                          \
    static const T defaults = {.size = sizeof(T), LIST(TH_PARAM_PRESET, T)};                       \
    static const thParam parameters[] = {LIST(TH_PARAM_ENTRY, T)};                                 \
    static const char* const fields[] = {LIST(TH_PARAM_FIELD, T)};                                 \
    static const thParamChecks checks = {method, sizeof(T), TH_COUNT_OF(fields), parameters, fields}

#define TH_COUNT_OF(array) ((int32_t)(sizeof(array) / sizeof(array)[0]))

// Refuses a struct of another size and values out of their range, with a message that names method
// and field.
thResult thiCheckParams(const thParamChecks* checks, const void* params, thError* error);

// For lists of methods: what declares one, and its entry in a table.
#define TH_METHOD_DECLARE(name) extern const thMethod name;
#define TH_METHOD_ADDRESS(name) &name,

#endif
