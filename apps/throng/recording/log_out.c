// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "recording/log_out.h"

#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

// Devices cannot be cut, and need not be.
static bool cut(const LogOut* out)
{
    const off_t end = (off_t)out->size;
    return (ftruncate(out->file, end) == 0 || errno == EINVAL) &&
           (lseek(out->file, end, SEEK_SET) == end || errno == ESPIPE);
}

bool appOpenLogOut(LogOut* out, const char* path, uint64_t size)
{
    *out = (LogOut){.path = path, .size = size};
    out->file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    out->isOpen = out->file >= 0;
    if (out->isOpen && cut(out))
        return true;
    appSayCannot("write", path);
    if (out->isOpen)
        close(out->file);
    out->isOpen = false;
    return false;
}

thResult appWriteLog(void* out, const void* data, size_t size)
{
    LogOut* log = out;
    if (appWriteAll(log->file, data, size)) {
        log->size += size;
        return th_resultOk;
    }
    appSayCannot("write", log->path);
    cut(log); // where even this fails, readers find the end of what is complete
    return th_resultFile;
}

void appSyncLog(LogOut* out)
{
    if (out->isOpen)
        fsync(out->file);
}

bool appCloseLogOut(LogOut* out)
{
    const bool good = !out->isOpen || close(out->file) == 0;
    out->isOpen = false;
    if (!good)
        appSayCannot("write", out->path);
    return good;
}
