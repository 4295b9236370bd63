// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Files that are written or read as a whole, and JSON.

#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void appSayCannot(const char* verb, const char* path)
{
    appSay("cannot %s '%s': %s", verb, path, strerror(errno));
}

bool appOpenOut(OutFile* file, const char* path)
{
    *file = (OutFile){path, strcmp(path, "-") == 0 ? stdout : fopen(path, "w"), 0};
    if (file->stream == NULL)
        appSayCannot("write", path);
    return file->stream != NULL;
}

void appWriteOut(OutFile* file, const char* data, size_t size)
{
    if (fwrite(data, 1, size, file->stream) < size && file->reason == 0)
        file->reason = errno;
}

void appFlushOut(OutFile* file)
{
    if (file->stream != NULL && fflush(file->stream) != 0 && file->reason == 0)
        file->reason = errno;
}

bool appCloseOut(OutFile* file)
{
    FILE* stream = file->stream;
    file->stream = NULL;
    if (stream == NULL || stream == stdout) // main looks after the standard output
        return true;
    const bool closed = fclose(stream) == 0;
    if (closed && file->reason == 0)
        return true;
    if (file->reason != 0)
        errno = file->reason;
    appSayCannot("write", file->path);
    return false;
}

bool appWriteAll(int file, const void* data, size_t size)
{
    const char* at = data;
    while (size > 0) {
        const ssize_t written = write(file, at, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        at += written;
        size -= (size_t)written;
    }
    return true;
}

// Writes to disk under another name.
static bool writeNew(const char* path, const void* data, size_t size)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0)
        return false;
    const bool good = appWriteAll(file, data, size) && fsync(file) == 0;
    const int reason = errno;
    if (close(file) == 0 && good)
        return true;
    if (!good)
        errno = reason;
    return false;
}

// The new name too is to survive a loss of power. Some file systems cannot do this, and then
// nothing is to be done about it.
static void syncFolder(const char* path)
{
    char* folder = strdup(path);
    char* slash = folder != NULL ? strrchr(folder, '/') : NULL;
    if (slash != NULL)
        slash[slash == folder] = '\0';
    const int file = open(slash != NULL ? folder : ".", O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        fsync(file);
        close(file);
    }
    free(folder);
}

bool appReplaceFile(const char* path, const void* data, size_t size)
{
    // Always the same name: a run that was killed leaves one such file at most, and the next one
    // takes it over.
    const size_t nameSize = strlen(path) + sizeof ".part";
    char* part = malloc(nameSize);
    if (part == NULL) {
        appSay("cannot write '%s': no memory", path);
        return false;
    }
    snprintf(part, nameSize, "%s.part", path);
    const bool good = writeNew(part, data, size) && rename(part, path) == 0;
    if (good) {
        syncFolder(path);
    } else {
        appSayCannot("write", path);
        unlink(part);
    }
    free(part);
    return good;
}

static bool readAll(int file, char* data, size_t size)
{
    while (size > 0) {
        const ssize_t got = read(file, data, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return false;
        if (got == 0) {
            errno = EIO; // it became shorter while it was read
            return false;
        }
        data += got;
        size -= (size_t)got;
    }
    return true;
}

void* appReadFile(const char* path, size_t* size)
{
    struct stat status;
    char* data = NULL;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    bool good = file >= 0 && fstat(file, &status) == 0;
    if (good && !S_ISREG(status.st_mode)) {
        errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
        good = false;
    }
    if (good) {
        *size = (size_t)status.st_size;
        data = malloc(*size + 1);
        good = data != NULL && readAll(file, data, *size);
    }
    if (!good) {
        appSayCannot("read", path);
        free(data);
        data = NULL;
    }
    if (file >= 0)
        close(file);
    return data;
}

// --- JSON ---

static void writeText(FILE* stream, const char* text)
{
    fputc('"', stream);
    for (const char* at = text; *at != '\0'; ++at) {
        const unsigned char letter = (unsigned char)*at;
        if (letter == '"' || letter == '\\')
            fprintf(stream, "\\%c", letter);
        else if (letter < 0x20)
            fprintf(stream, "\\u%04x", letter);
        else
            fputc(letter, stream);
    }
    fputc('"', stream);
}

static void beginItem(JsonOut* out, const char* key)
{
    if (out->hasItems)
        fputs(out->inlined > 0 ? ", " : ",", out->stream);
    if (out->inlined == 0 && out->depth > 0)
        fprintf(out->stream, "\n%*s", 2 * out->depth, "");
    out->hasItems = true;
    if (key == NULL)
        return;
    writeText(out->stream, key);
    fputs(": ", out->stream);
}

void appJsonBegin(JsonOut* out, const char* key, char bracket, bool spread)
{
    beginItem(out, key);
    fputc(bracket, out->stream);
    if (spread && out->inlined == 0)
        out->depth += 1;
    else
        out->inlined += 1;
    out->hasItems = false;
}

void appJsonEnd(JsonOut* out, char bracket)
{
    if (out->inlined > 0) {
        out->inlined -= 1;
    } else {
        out->depth -= 1;
        if (out->hasItems)
            fprintf(out->stream, "\n%*s", 2 * out->depth, "");
    }
    fputc(bracket, out->stream);
    out->hasItems = true; // the container itself, in the one around it
    if (out->depth == 0 && out->inlined == 0)
        fputc('\n', out->stream);
}

void appJsonText(JsonOut* out, const char* key, const char* text)
{
    beginItem(out, key);
    writeText(out->stream, text);
}

void appJsonNumber(JsonOut* out, const char* key, double number)
{
    beginItem(out, key);
    if (isfinite(number))
        fprintf(out->stream, "%.12g", number);
    else
        fputs("null", out->stream);
}

void appJsonWhole(JsonOut* out, const char* key, int64_t number)
{
    beginItem(out, key);
    fprintf(out->stream, "%" PRId64, number);
}

void appJsonNull(JsonOut* out, const char* key)
{
    beginItem(out, key);
    fputs("null", out->stream);
}
