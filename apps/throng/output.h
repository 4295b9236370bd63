// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Every file that a command writes, files that are read as a whole, and JSON. Every failure is
// said, with the file's name and the reason.

#ifndef THRONG_APPS_OUTPUT_H
#define THRONG_APPS_OUTPUT_H

#include "app.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// --- Which files a command reads and writes ---

// Takes note of a file that is read, or is to be written. `as` says where it was named:
// "--summary"; NULL: nowhere. False, and it is said, if something would be written over what is
// read, or twice to one file; files are the same if they are on disk, whatever they are called. The
// pair --resume and
// --snapshot may be one file, which is read as a whole before it is replaced.
bool appNoteInput(const char* as, const char* path);
bool appNoteOutput(const char* as, const char* path);

// Whether it can be written, as far as one can tell before; nothing is changed. Says why not.
bool appCanWrite(const char* path);

// --- Writing ---

// A file that is written. What is written goes to a file beside it, FILE.part, which gets its name
// when it is complete: whoever looks at the file, also after the program was killed, finds the old
// content or the new. Two programs cannot write one file at a time; a part that a killed one has
// left is taken over. Links are followed. Pipes and devices are written as they are.
typedef struct OutFile {
    const char* path; // "-": the standard output
    char* target;     // what it is called in the end; NULL: it has its name, or is no plain file
    char* part;       // what it is called until then; NULL likewise
    FILE* stream;     // NULL: not open
    int reason;       // why writing failed first, as in errno; 0: it did not
} OutFile;

// Opens a file for writing. `path` must outlive it. Says why it cannot.
bool appOpenOut(OutFile* file, const char* path);

// The same, but a part that a killed program has left keeps its content.
bool appReopenOut(OutFile* file, const char* path);

// The same for those who write to the part by its name, which devices have none of.
bool appOpenPart(OutFile* file, const char* path);

// Failures are said when it is closed.
void appWriteOut(OutFile* file, const char* data, size_t size);
void appFlushOut(OutFile* file); // nothing happens to a file that is not open

// Gives the file its name already; what is written later is seen at once. Says why it cannot.
bool appNameOut(OutFile* file);

// Writes what is left and closes. The file gets its name if it `isGood` and all was written, else
// what was there before stays. False, and it is said, if it cannot be written; false also if it was
// not good. A file that is not open is neither.
bool appCloseOut(OutFile* file, bool isGood);

// Writes everything to a descriptor, whatever it takes. False and errno when it cannot.
bool appWriteAll(int file, const void* data, size_t size);

// Opens, writes and closes.
bool appReplaceFile(const char* path, const void* data, size_t size);

// Whether two programs would write to it at once. False, and it is said, if another one does;
// otherwise the lock is kept until the descriptor is closed.
bool appLockFile(int file, const char* path);

// --- Reading ---

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
void appJsonBool(JsonOut* out, const char* key, bool value);
void appJsonNull(JsonOut* out, const char* key);

// --- CSV ---

// At most 1023 bytes at once.
void appPutCsv(OutFile* file, const char* format, ...) __attribute__((format(printf, 2, 3)));
void appPutCsvNumber(OutFile* file, double number);  // NaN: nothing
void appPutCsvName(OutFile* file, const char* name); // in quotes if it holds what would end it

#endif
