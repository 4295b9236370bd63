// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Files that are written or read as a whole, and JSON. Every failure is said, with the file's name
// and the reason.

#ifndef THRONG_APPS_OUTPUT_H
#define THRONG_APPS_OUTPUT_H

#include "app.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct OutFile {
    const char* path; // "-": the standard output
    FILE* stream;     // NULL: not open
    int reason;       // why writing failed first, as in errno; 0: it did not
} OutFile;

// Opens a file for writing; one that is there is emptied.
bool appOpenOut(OutFile* file, const char* path);

// Failures are said when it is closed.
void appWriteOut(OutFile* file, const char* data, size_t size);
void appFlushOut(OutFile* file); // nothing happens to a file that is not open

// Writes what is left and closes. True for a file that is not open.
bool appCloseOut(OutFile* file);

// Writes everything to a descriptor, whatever it takes. False and errno when it cannot.
bool appWriteAll(int file, const void* data, size_t size);

// Replaces a file as a whole: whoever looks at it, also after the program was killed, finds the old
// content or the new.
bool appReplaceFile(const char* path, const void* data, size_t size);

// The content of a file, to be freed; NULL if it cannot be read.
void* appReadFile(const char* path, size_t* size);

void appSayCannot(const char* verb, const char* path); // with the reason in errno

// --- JSON ---

// Writes JSON. Whether writing succeeded is the stream's business.

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
