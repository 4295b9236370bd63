// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "recording/text/eth_groups.h"

#include "output.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool addMember(EthGroups* groups, uint32_t id, int32_t group)
{
    if (groups->count == groups->capacity) {
        const int32_t capacity = groups->capacity > 0 ? 2 * groups->capacity : 64;
        EthMember* members = realloc(groups->members, (size_t)capacity * sizeof *members);
        if (members == NULL)
            return false;
        groups->members = members;
        groups->capacity = capacity;
    }
    groups->members[groups->count++] = (EthMember){id, group};
    return true;
}

static ExitCode readGroup(EthGroups* groups, const char* path, int32_t line, char* text,
                          int32_t group)
{
    const int32_t first = groups->count;
    char* rest = NULL;
    for (char* word = strtok_r(text, " \t\r", &rest); word != NULL;
         word = strtok_r(NULL, " \t\r", &rest)) {
        char* end;
        const double id = strtod(word, &end);
        if (*end != '\0' || !(id >= 0.0 && id <= UINT32_MAX) || id != (double)(uint32_t)id) {
            appSay("%s:%d: '%.40s' is no id of a person", path, (int)line, word);
            return exitUsage;
        }
        if (!addMember(groups, (uint32_t)id, group)) {
            appSay("cannot read '%s': no memory", path);
            return exitEnvironment;
        }
    }
    if (groups->count - first < 2)
        groups->count = first;
    return exitDone;
}

static int compareMembers(const void* left, const void* right)
{
    const EthMember *a = left, *b = right;
    return (a->id > b->id) - (a->id < b->id);
}

static ExitCode readLines(EthGroups* groups, const char* path, char* text)
{
    int32_t line = 0, group = 0;
    for (char* at = text; at != NULL;) {
        char* feed = strchr(at, '\n');
        const int32_t before = groups->count;
        if (feed != NULL)
            *feed = '\0';
        const ExitCode code = readGroup(groups, path, ++line, at, group);
        if (code != exitDone)
            return code;
        group += groups->count > before;
        at = feed != NULL ? feed + 1 : NULL;
    }
    if (groups->count > 0)
        qsort(groups->members, (size_t)groups->count, sizeof *groups->members, compareMembers);
    return exitDone;
}

ExitCode appReadEthGroups(const char* recording, EthGroups* groups)
{
    static const char name[] = "groups.txt";
    const char* slash = strrchr(recording, '/');
    const size_t folder = slash != NULL ? (size_t)(slash - recording) + 1 : 0;
    char* path = malloc(folder + sizeof name);
    ExitCode code = exitDone;
    if (path == NULL) {
        appSay("cannot read '%s': no memory", recording);
        return exitEnvironment;
    }
    memcpy(path, recording, folder);
    memcpy(path + folder, name, sizeof name);
    if (access(path, F_OK) == 0) {
        size_t size;
        char* text = appReadFile(path, &size);
        code = exitEnvironment;
        if (text != NULL) {
            text[size] = '\0';
            code = readLines(groups, path, text);
        }
        free(text);
    }
    free(path);
    return code;
}

void appSetGroups(const EthGroups* groups, thRecordedPerson* people, int32_t count)
{
    for (int32_t i = 0; i < count && groups->count > 0; ++i) {
        const EthMember wanted = {.id = people[i].id};
        const EthMember* member = bsearch(&wanted, groups->members, (size_t)groups->count,
                                          sizeof *groups->members, compareMembers);
        people[i].group = member != NULL ? member->group : -1;
    }
}

void appFreeEthGroups(EthGroups* groups)
{
    free(groups->members);
    *groups = (EthGroups){0};
}
