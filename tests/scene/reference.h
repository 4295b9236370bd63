// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The JSON Schema of scenes and the tables of the reference page, made from the tables that the
// reader follows.

#ifndef THRONG_TESTS_SCENE_REFERENCE_H
#define THRONG_TESTS_SCENE_REFERENCE_H

#include "scene/read/scene_keys.h"

// All kinds of objects, outer ones first; NULL at the end.
const thKeyTable* const* listTables(void);

// The first key of a table that is no key of a smaller one which shares its keys.
int32_t firstOwnKey(const thKeyTable* table);

// The schema as text. The caller frees it.
char* makeSchema(void);

// The page with its tables made anew: each stands after a line `<!-- keys of NAME -->`, or
// `<!-- parameters of METHOD -->`, and ends where lines begin no more with a bar. The caller frees
// it.
char* renewPage(const char* page);

// The line before the table of a kind of object or a method. The caller frees it.
char* tableMark(const thKeyTable* table);
char* methodMark(const thMethod* method);

#endif
