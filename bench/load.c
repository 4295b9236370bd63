// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What else the machine does. Linux tells in /proc; elsewhere the load is "not known" and no bound
// is judged.

#define _POSIX_C_SOURCE 200809L

#include "base/machine.h"
#include "bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// The first line of /proc/stat sums the ticks of all cores: user, nice, system, idle, waiting for
// a disk, interrupts, soft interrupts, stolen by the hypervisor. Idle and waiting are free time.
static int64_t readBusyTime(void)
{
    FILE* file = fopen("/proc/stat", "r");
    if (file == NULL)
        return -1;
    int64_t user, nice, system, interrupts, softInterrupts, stolen;
    const int found = fscanf(
        file, "cpu %" SCNd64 " %" SCNd64 " %" SCNd64 " %*d %*d %" SCNd64 " %" SCNd64 " %" SCNd64,
        &user, &nice, &system, &interrupts, &softInterrupts, &stolen);
    fclose(file);
    const long ticksPerSecond = sysconf(_SC_CLK_TCK);
    if (found != 6 || ticksPerSecond <= 0)
        return -1;
    const int64_t ticks = user + nice + system + interrupts + softInterrupts + stolen;
    return ticks * (1000000000 / ticksPerSecond);
}

thBenchMoment thiBenchMoment(void)
{
    return (thBenchMoment){thiNow(), thiProcessTime(), readBusyTime()};
}

double thiBenchOthers(const thBenchMoment* from, const thBenchMoment* to)
{
    if (from->busy < 0 || to->busy < 0 || to->wall <= from->wall)
        return -1.0;
    const int64_t others = (to->busy - from->busy) - (to->own - from->own);
    // The system counts in ticks, our own time is exact: the difference may fall below zero.
    return others > 0 ? (double)others / (double)(to->wall - from->wall) : 0.0;
}

double thiBenchOthersNow(void)
{
    const thBenchMoment from = thiBenchMoment();
    const struct timespec pause = {0, 200000000};
    nanosleep(&pause, NULL);
    const thBenchMoment to = thiBenchMoment();
    return thiBenchOthers(&from, &to);
}

double thiBenchBusyLimit(int32_t threads)
{
    return 0.15 * threads;
}

int32_t thiBenchCoreCount(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int32_t)count : 1;
}

// Copies what follows the prefix in the first line that starts with it.
static void readLine(const char* path, const char* prefix, char* text, int32_t size)
{
    snprintf(text, (size_t)size, "unknown");
    FILE* file = fopen(path, "r");
    if (file == NULL)
        return;
    char line[512];
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, prefix, strlen(prefix)) != 0)
            continue;
        const char* value = line + strlen(prefix);
        value += strspn(value, " \t:");
        snprintf(text, (size_t)size, "%.*s", (int)strcspn(value, "\n"), value);
        break;
    }
    fclose(file);
}

void thiBenchMachine(char* text, int32_t size)
{
    readLine("/proc/cpuinfo", "model name", text, size);
}

void thiBenchLoadAverage(char* text, int32_t size)
{
    char line[64];
    readLine("/proc/loadavg", "", line, sizeof line);
    // Three averages come first; the process numbers after them tell nothing.
    int32_t length = 0;
    for (int32_t words = 0; line[length] != '\0'; ++length)
        if (line[length] == ' ' && ++words == 3)
            break;
    snprintf(text, (size_t)size, "%.*s", (int)length, line);
}
