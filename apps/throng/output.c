// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Every file that a command writes, files that are read as a whole, and JSON.

#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

void appSayCannot(const char* verb, const char* path)
{
    appSay("cannot %s '%s': %s", verb, path, strerror(errno));
}

// --- Which files a command reads and writes ---

// `path` with a tail, to be freed. NULL, and said, when memory is out.
static char* join(const char* path, const char* tail)
{
    const size_t size = strlen(path) + strlen(tail) + 1;
    char* joined = malloc(size);
    if (joined == NULL)
        appSay("cannot write '%s': no memory", path);
    else
        snprintf(joined, size, "%s%s", path, tail);
    return joined;
}

// Descriptors that have a name: what is open there is to be written as it is.
static bool isDescriptor(const char* path)
{
    return strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/dev/fd/", 8) == 0;
}

// What links at the end of a path lead to, whether it is there or not; to be freed. NULL and errno
// where they lead nowhere.
static char* followLinks(const char* path)
{
    char to[4096];
    char* at = strdup(path);
    for (int links = 0; at != NULL && links < 40; ++links) {
        const ssize_t length = isDescriptor(at) ? -1 : readlink(at, to, sizeof to - 1);
        if (length < 0)
            return at;
        to[length] = '\0';
        const char* slash = strrchr(at, '/');
        const int folder = to[0] != '/' && slash != NULL ? (int)(slash + 1 - at) : 0;
        const size_t size = (size_t)folder + (size_t)length + 1;
        char* next = malloc(size);
        if (next != NULL)
            snprintf(next, size, "%.*s%s", folder, at, to);
        free(at);
        at = next;
    }
    errno = at != NULL ? ELOOP : ENOMEM;
    free(at);
    return NULL;
}

// The folder that a file is in, to be freed.
static char* folderOf(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + (slash == path));
}

static bool isSameOnDisk(const struct stat* a, const struct stat* b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool isInSameFolder(const char* a, const char* b)
{
    struct stat first, second;
    char *aFolder = folderOf(a), *bFolder = folderOf(b);
    const bool isSame = aFolder != NULL && bFolder != NULL && stat(aFolder, &first) == 0 &&
                        stat(bFolder, &second) == 0 && isSameOnDisk(&first, &second);
    free(aFolder);
    free(bFolder);
    return isSame;
}

// Whether two names are of one plain file, which may not be there yet.
static bool isSameFile(const char* path, const char* other)
{
    struct stat first, second;
    char *a = followLinks(path), *b = followLinks(other);
    bool isSame = false;
    if (a != NULL && b != NULL) {
        const bool hasFirst = stat(a, &first) == 0, hasSecond = stat(b, &second) == 0;
        if (hasFirst && hasSecond)
            isSame = S_ISREG(first.st_mode) && isSameOnDisk(&first, &second);
        else if (!hasFirst && !hasSecond)
            isSame = strcmp(appFileName(a), appFileName(b)) == 0 && isInSameFolder(a, b);
    }
    free(a);
    free(b);
    return isSame;
}

typedef struct NotedFile {
    char* as; // NULL: it was not said
    char* path;
    bool isWritten;
    bool isOpen;
} NotedFile;

// Of the command, which is one.
static NotedFile* noted;
static int notedCount;

// Whether writing `written` would change `other`; its part counts too.
static bool wouldChange(const char* written, const char* other)
{
    char* target = followLinks(written);
    char* part = target != NULL ? join(target, ".part") : NULL;
    const bool would = isSameFile(written, other) || (part != NULL && isSameFile(part, other));
    free(part);
    free(target);
    return would;
}

static bool isPair(const NotedFile* a, const NotedFile* b)
{
    return a->as != NULL && b->as != NULL && strcmp(a->as, "--resume") == 0 &&
           strcmp(b->as, "--snapshot") == 0;
}

static bool areApart(const NotedFile* a, const NotedFile* b)
{
    const bool bothPrint = strcmp(a->path, "-") == 0 && strcmp(b->path, "-") == 0;
    if ((!a->isWritten && !b->isWritten) || isPair(a, b) || isPair(b, a))
        return true;
    if (strcmp(a->path, "-") == 0 || strcmp(b->path, "-") == 0)
        return !(bothPrint && a->isWritten && b->isWritten);
    return !(a->isWritten && wouldChange(a->path, b->path)) &&
           !(b->isWritten && wouldChange(b->path, a->path));
}

static bool sayNotApart(const NotedFile* written, const NotedFile* other)
{
    const char *as = written->as != NULL ? written->as : "",
               *to = written->as != NULL ? " to " : "";
    if (!other->isWritten)
        appSay("cannot write %s%s'%s': it is what is read%s%s", as, to, written->path,
               other->as != NULL ? " as " : "", other->as != NULL ? other->as : "");
    else
        appSay("cannot write %s%s'%s': that is where %s goes", as, to, written->path,
               other->as != NULL ? other->as : other->path);
    return false;
}

// What the standard streams lead to is written by them.
static bool isRedirected(const NotedFile* file)
{
    struct stat status, stream;
    char* target = followLinks(file->path);
    const bool isPlain = target != NULL && !isDescriptor(target) && stat(target, &status) == 0 &&
                         S_ISREG(status.st_mode);
    free(target);
    if (!file->isWritten || !isPlain)
        return false;
    for (int number = STDOUT_FILENO; number <= STDERR_FILENO; ++number)
        if (fstat(number, &stream) == 0 && isSameOnDisk(&status, &stream)) {
            appSay("cannot write '%s': that is where the standard %s goes", file->path,
                   number == STDOUT_FILENO ? "output" : "error");
            return true;
        }
    return false;
}

static bool note(const NotedFile* file)
{
    if (isRedirected(file))
        return false;
    for (int i = 0; i < notedCount; ++i)
        if (!areApart(file, &noted[i]))
            return file->isWritten ? sayNotApart(file, &noted[i]) : sayNotApart(&noted[i], file);
    NotedFile* grown = realloc(noted, ((size_t)notedCount + 1) * sizeof *noted);
    if (grown != NULL)
        noted = grown;
    char* path = grown != NULL ? strdup(file->path) : NULL;
    char* as = path != NULL && file->as != NULL ? strdup(file->as) : NULL;
    if (path == NULL || (as == NULL && file->as != NULL)) {
        appSay("no memory");
        free(path);
        return false;
    }
    noted[notedCount++] = (NotedFile){.as = as, .path = path, .isWritten = file->isWritten};
    return true;
}

bool appNoteInput(const char* as, const char* path)
{
    const NotedFile file = {.as = (char*)as, .path = (char*)path};
    return note(&file);
}

bool appNoteOutput(const char* as, const char* path)
{
    const NotedFile file = {.as = (char*)as, .path = (char*)path, .isWritten = true};
    return note(&file);
}

static NotedFile* findOutput(const char* path)
{
    for (int i = 0; i < notedCount; ++i)
        if (noted[i].isWritten && strcmp(noted[i].path, path) == 0)
            return &noted[i];
    return NULL;
}

// A file is noted by who names it, or when it is opened.
static bool noteOpen(const char* path)
{
    if (findOutput(path) == NULL && !appNoteOutput(NULL, path))
        return false;
    if (!findOutput(path)->isOpen)
        return true;
    appSay("cannot write '%s' twice at once", path);
    return false;
}

// Devices may be open several times.
static void noteIsOpen(const OutFile* file, bool isOpen)
{
    NotedFile* found = findOutput(file->path);
    if (found != NULL)
        found->isOpen = isOpen && file->part != NULL;
}

// --- Writing ---

static void sayTaken(const char* path)
{
    appSay("cannot write '%s': another program is writing it; wait until that has ended", path);
}

bool appLockFile(int file, const char* path)
{
    // File systems that have no locks do without.
    if (flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return true;
    sayTaken(path);
    return false;
}

// Whether somebody writes to a file by its own name, as runs do to their logs.
static bool isTaken(const char* target, const char* path)
{
    const int file = open(target, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const bool taken = file >= 0 && flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (taken)
        sayTaken(path);
    if (file >= 0)
        close(file);
    return taken;
}

// Opens the part and locks it; `*isNew` if it was not there. -1, and said, when that fails.
static int openPart(const char* part, const char* path, bool* isNew)
{
    for (;;) {
        struct stat status, named;
        int file = open(part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        *isNew = file >= 0;
        if (file < 0 && errno == EEXIST)
            file = open(part, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (file < 0 && errno == ENOENT && access(part, F_OK) == 0)
            continue; // it came in between
        if (file < 0) {
            appSayCannot("write", path);
            return -1;
        }
        if (!appLockFile(file, path)) {
            close(file);
            return -1;
        }
        // Whoever had it until now may have given it its name: then it is theirs.
        if (fstat(file, &status) == 0 && stat(part, &named) == 0 && isSameOnDisk(&status, &named)) {
            if (S_ISREG(status.st_mode))
                return file;
            errno = EEXIST;
            appSayCannot("write", part);
            close(file);
            return -1;
        }
        close(file);
    }
}

// What is at the end of a path.
typedef enum TargetKind { targetPlain, targetDevice, targetBad } TargetKind;

// What there is to be written: `*target`, to be freed, with links followed. Says what is bad about
// it.
static TargetKind findTarget(const char* path, char** target, mode_t* mode)
{
    struct stat status;
    *target = followLinks(path);
    *mode = 0;
    if (*target != NULL && stat(*target, &status) == 0) {
        if (S_ISDIR(status.st_mode))
            errno = EISDIR;
        else if (access(*target, W_OK) != 0)
            ;
        else if (!S_ISREG(status.st_mode) || isDescriptor(*target))
            return targetDevice;
        else if (isTaken(*target, path))
            return targetBad;
        else {
            *mode = status.st_mode & 07777;
            return targetPlain;
        }
    } else if (*target != NULL && errno == ENOENT) {
        return targetPlain;
    }
    appSayCannot("write", path);
    return targetBad;
}

bool appCanWrite(const char* path)
{
    if (strcmp(path, "-") == 0)
        return true;
    char *target, *part = NULL;
    mode_t mode;
    bool isNew = false;
    const TargetKind kind = findTarget(path, &target, &mode);
    int file = -1;
    // An interruption is not to leave what is only tried.
    sigset_t signals, before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigprocmask(SIG_BLOCK, &signals, &before);
    if (kind == targetPlain && (part = join(target, ".part")) != NULL)
        file = openPart(part, path, &isNew);
    if (isNew)
        unlink(part);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (file >= 0)
        close(file);
    free(part);
    free(target);
    return kind == targetDevice || file >= 0;
}

static void clearOut(OutFile* file)
{
    free(file->part);
    free(file->target);
    file->part = file->target = NULL;
    file->stream = NULL;
}

static bool openPlain(OutFile* file, mode_t mode, bool keeps)
{
    bool isNew = false;
    int descriptor = -1;
    file->part = join(file->target, ".part");
    if (file->part != NULL)
        descriptor = openPart(file->part, file->path, &isNew);
    // What a killed program has left may still be written by one that it had started.
    while (descriptor >= 0 && !isNew && !keeps) {
        unlink(file->part);
        close(descriptor);
        descriptor = openPart(file->part, file->path, &isNew);
    }
    if (descriptor < 0)
        return false;
    if (mode != 0)
        fchmod(descriptor, mode); // as that which it replaces
    file->stream = fdopen(descriptor, "r+");
    if (file->stream != NULL)
        return true;
    appSayCannot("write", file->path);
    close(descriptor);
    return false;
}

static bool openNoted(OutFile* file, bool keeps)
{
    mode_t mode;
    switch (findTarget(file->path, &file->target, &mode)) {
    case targetPlain:
        return openPlain(file, mode, keeps);
    case targetDevice:
        free(file->target);
        file->target = NULL;
        file->stream = fopen(file->path, "a");
        if (file->stream == NULL)
            appSayCannot("write", file->path);
        return file->stream != NULL;
    default:
        return false;
    }
}

static bool openOut(OutFile* file, const char* path, bool keeps)
{
    *file = (OutFile){.path = path};
    if (strcmp(path, "-") == 0) {
        file->stream = stdout;
        return true;
    }
    if (!noteOpen(path))
        return false;
    if (openNoted(file, keeps)) {
        noteIsOpen(file, true);
        return true;
    }
    clearOut(file);
    return false;
}

bool appOpenOut(OutFile* file, const char* path)
{
    return openOut(file, path, false);
}

bool appReopenOut(OutFile* file, const char* path)
{
    return openOut(file, path, true);
}

bool appOpenPart(OutFile* file, const char* path)
{
    // A pipe is not even opened, which would wait for a reader.
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
        *file = (OutFile){.path = path};
        appSay("cannot write '%s': it is no plain file", path);
        return false;
    }
    return openOut(file, path, false);
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

// The new name too is to survive a loss of power. Some file systems cannot do this, and then
// nothing is to be done about it.
static void syncFolder(const char* path)
{
    char* folder = folderOf(path);
    const int file = folder != NULL ? open(folder, O_RDONLY | O_CLOEXEC) : -1;
    if (file >= 0) {
        fsync(file);
        close(file);
    }
    free(folder);
}

static bool giveName(OutFile* file)
{
    if (file->part == NULL)
        return true;
    if (rename(file->part, file->target) != 0)
        return false;
    syncFolder(file->target);
    free(file->part);
    free(file->target);
    file->part = file->target = NULL;
    return true;
}

bool appNameOut(OutFile* file)
{
    const bool good = giveName(file);
    if (!good)
        appSayCannot("write", file->path);
    return good;
}

bool appCloseOut(OutFile* file, bool isGood)
{
    if (file->stream == NULL)
        return isGood;
    if (file->stream == stdout) { // main looks after the standard output
        clearOut(file);
        return isGood;
    }
    appFlushOut(file);
    // On the disk before it has its name.
    if (isGood && file->reason == 0 && file->part != NULL && fsync(fileno(file->stream)) != 0)
        file->reason = errno;
    bool good = isGood && file->reason == 0;
    if (good && !giveName(file)) {
        file->reason = errno;
        good = false;
    }
    if (file->part != NULL) // still: while it is locked
        unlink(file->part);
    // Only of devices the reason may be known so late.
    if (fclose(file->stream) != 0 && file->reason == 0) {
        file->reason = errno;
        good = false;
    }
    if (isGood && file->reason != 0) {
        errno = file->reason;
        appSayCannot("write", file->path);
    }
    noteIsOpen(file, false);
    clearOut(file);
    return good;
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

bool appReplaceFile(const char* path, const void* data, size_t size)
{
    OutFile file;
    if (!appOpenOut(&file, path))
        return false;
    appWriteOut(&file, data, size);
    return appCloseOut(&file, true);
}

// --- Reading ---

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

void appJsonBool(JsonOut* out, const char* key, bool value)
{
    beginItem(out, key);
    fputs(value ? "true" : "false", out->stream);
}

void appJsonNull(JsonOut* out, const char* key)
{
    beginItem(out, key);
    fputs("null", out->stream);
}

// --- CSV ---

void appPutCsv(OutFile* file, const char* format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    appWriteOut(file, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
}

void appPutCsvNumber(OutFile* file, double number)
{
    if (!isnan(number))
        appPutCsv(file, "%.9g", number);
}

void appPutCsvName(OutFile* file, const char* name)
{
    if (strpbrk(name, ",\"\n\r") == NULL) {
        appWriteOut(file, name, strlen(name));
        return;
    }
    appPutCsv(file, "\"");
    for (const char* at = name; *at != '\0'; ++at) {
        appWriteOut(file, at, 1);
        if (*at == '"')
            appPutCsv(file, "\"");
    }
    appPutCsv(file, "\"");
}
