// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Writes JSON. Whether writing succeeded is the stream's business.

#ifndef THRONG_APPS_JSON_OUT_H
#define THRONG_APPS_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct JsonOut {
    FILE* stream;
    int depth;     // of containers that are spread over lines
    int inlined;   // containers inside one that is not
    bool hasItems; // in the container that is open
} JsonOut;

// Keys are NULL in arrays and for the outermost value.
void appJsonBegin(JsonOut* out, const char* key, char bracket, bool spread); // '{' or '['
void appJsonEnd(JsonOut* out, char bracket);                                 // '}' or ']'
void appJsonText(JsonOut* out, const char* key, const char* text);
void appJsonNumber(JsonOut* out, const char* key, double number); // 12 digits; not finite: null
void appJsonWhole(JsonOut* out, const char* key, int64_t number);
void appJsonNull(JsonOut* out, const char* key);

#endif
