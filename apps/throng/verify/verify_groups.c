// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The row of groups: test 14 of ISO 20414, which is 2.9 of NIST TN 1822, and two groups that meet,
// each with groups that keep together and with ones that do not.

#include "verify/verify.h"

#include <math.h>

// What a case is about.
enum { withFive, withFamily, withTwoGroups };

// --- Scenes ---

static const char* togetherOf(const VerifyCase* self)
{
    return self->second > 0.0 ? "people" : "none";
}

static void writeProfiles(const VerifyScene* scene, const VerifyCase* self)
{
    char text[160];
    snprintf(text, sizeof text,
             "\"radius\": 0.2, \"speed\": 1.25, " VERIFY_PLAN ", \"together\": \"%s\"",
             togetherOf(self));
    fputs("  \"profiles\": {\n", scene->stream);
    verifyWriteProfile(scene, "person", text, true);
    fputs("  },\n", scene->stream);
}

// Somebody of a group, who has a speed of its own, or the usual one.
static void writeMember(FILE* stream, const char* group, double x, double y, double speed,
                        const char* goal, bool isLast)
{
    fprintf(stream, "    {\"at\": [[%g, %g]], \"group\": \"%s\", ", x, y, group);
    if (speed > 0.0)
        fprintf(stream, "\"speed\": %g, ", speed);
    fprintf(stream, "\"goal\": \"%s\", \"arrive\": \"leave\"}%s\n", goal, isLast ? "" : ",");
}

// The others of the room, who are between the group and the exit.
static void writeOthers(FILE* stream)
{
    static const double families[][2] = {{5.0, 2.5}, {9.0, 8.0}};
    for (int32_t i = 0; i < 2; ++i)
        for (int32_t k = 0; k < 4; ++k)
            writeMember(stream, i == 0 ? "family 2" : "family 3", families[i][0] + 0.7 * (k % 2),
                        families[i][1] + 0.7 * (k / 2), k == 0 ? 0.9 : 0.0, "out", false);
    verifyWriteBox(stream, 3, 0.5, 14, 9.5, 20, "out", true);
}

// A room of 15 m by 10 m with an exit of 1 m. The slow one of the group is the furthest from it.
static void writeRoom(const VerifyScene* scene, const VerifyCase* self)
{
    FILE* stream = scene->stream;
    const bool isFive = (int)self->x == withFive;
    const int32_t fast = isFive ? 4 : 3;
    verifyBeginScene(scene, "ISO 14: a group with somebody slow leaves a room.", 240, true);
    fputs("  \"walls\": [\n"
          "    {\"polyline\": [[15, 4.5], [15, 0], [0, 0], [0, 10], [15, 10], [15, 5.5]]}\n  ],\n"
          "  \"goals\": {\"out\": {\"segment\": [[17, 4], [17, 6]]}},\n",
          stream);
    writeProfiles(scene, self);
    fputs("  \"agents\": [\n", stream);
    writeMember(stream, "family 1", 0.4, 5.0, 0.5, "out", false);
    for (int32_t k = 0; k < fast; ++k)
        writeMember(stream, "family 1", 1.1, 4.0 + 0.7 * k, 0.0, "out", !isFive && k == fast - 1);
    if (isFive)
        writeOthers(stream);
    fputs("  ]\n}\n", stream);
}

// Two groups of four side by side who meet head on, in the open.
static void writeMeeting(const VerifyScene* scene, const VerifyCase* self)
{
    FILE* stream = scene->stream;
    verifyBeginScene(scene, "Two groups of four meet head on.", 120, true);
    fputs("  \"goals\": {\n    \"east\": {\"segment\": [[20, -2], [20, 2]]},\n"
          "    \"west\": {\"segment\": [[-20, -2], [-20, 2]]}\n  },\n",
          stream);
    writeProfiles(scene, self);
    fputs("  \"agents\": [\n", stream);
    for (int32_t k = 0; k < 8; ++k)
        writeMember(stream, k < 4 ? "one" : "other", k < 4 ? -15 : 15, 0.7 * (k % 4) - 1.05, 0.0,
                    k < 4 ? "east" : "west", k == 7);
    fputs("  ]\n}\n", stream);
}

static void writeIso14(const VerifyScene* scene, const VerifyCase* self)
{
    if ((int)self->x == withTwoGroups)
        writeMeeting(scene, self);
    else
        writeRoom(scene, self);
}

// --- Measures ---

enum { ownDeparture, longestDeparture, lastTime, dispersion, totalPath };
static const char* const groupFigures[] = {
    "first to last of the group [s]", "longest of all groups [s]", "time [s]",
    "distance from the centre [m]",   "length of all ways [m]",    NULL};

static int32_t membersOf(const VerifyCase* self)
{
    const int32_t counts[] = {[withFive] = 5, [withFamily] = 4, [withTwoGroups] = 4};
    return counts[(int)self->x];
}

// The time from the first to the last leaving of the group with somebody slow, which is the first
// of the scene.
static double departureOf(const VerifyCase* self, const RunResult* run)
{
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (int32_t i = 0; i < thSurvey_GetPersonCount(run->survey); ++i) {
        const thPersonResult person = thSurvey_GetPerson(run->survey, i);
        if (person.id > (uint32_t)membersOf(self))
            continue;
        first = person.last < first ? person.last : first;
        last = person.last > last ? person.last : last;
    }
    return (double)(last - first) / appUsualRate(run->stepLength).rate;
}

static void measureIso14(const VerifyCase* self, const RunResult* run, double* figures)
{
    const thSurveyResult result = thSurvey_GetResult(run->survey);
    double length = 0.0;
    for (int32_t i = 0; i < thSurvey_GetPersonCount(run->survey); ++i)
        length += thSurvey_GetPerson(run->survey, i).length;
    figures[lastTime] = verifyLastArrival(run);
    figures[dispersion] = result.groupDispersion;
    figures[totalPath] = length;
    if (isnan(figures[lastTime]))
        return; // not all have left
    figures[ownDeparture] = departureOf(self, run);
    figures[longestDeparture] = result.groupDeparture.greatest;
}

static void judgeIso14(const VerifyRow* self, const VerifyFigures* figures,
                       VerifyJudgement* judgement)
{
    for (int32_t i = 0; i < self->caseCount; ++i) {
        const VerifyCase* at = &self->cases[i];
        const double* own = figures->values[i];
        const bool isTogether = at->second > 0.0;
        if ((int)at->x == withTwoGroups)
            verifyAdd(judgement, "m", NAN, NAN, NAN, own[totalPath], "all ways, %s", at->label);
        else
            verifyAdd(judgement, "s", NAN, NAN, isTogether ? 10.0 : NAN, own[ownDeparture],
                      "first to last, %s", at->label);
        if ((int)at->x == withFive)
            verifyAdd(judgement, "s", NAN, NAN, NAN, own[longestDeparture], "longest of three, %s",
                      at->label);
        if ((int)at->x != withTwoGroups)
            verifyAdd(judgement, "s", NAN, NAN, NAN, own[lastTime], "time, %s", at->label);
        verifyAdd(judgement, "m", NAN, NAN, NAN, own[dispersion], "from the centre, %s", at->label);
    }
}

static const VerifyCase iso14Cases[] = {
    {"five", "five of a group", withFive, 1},
    {"five-none", "five, not together", withFive, 0},
    {"family", "a family of four", withFamily, 1},
    {"family-none", "four, not together", withFamily, 0},
    {"meet", "two groups that meet", withTwoGroups, 1},
    {"meet-none", "two, not together", withTwoGroups, 0},
};

const VerifyRow verifyIso14 = {
    .name = "iso-14",
    .title = "ISO 14, NIST 2.9: a group keeps together",
    .measured =
        "A group of five, of whom one wants 0.5 m/s and the others 1.25 m/s, leaves a room of 15 m "
        "by 10 m by an exit of 1 m at the other end, behind 20 people on their own and two "
        "families; a family of four likewise, alone; and two groups of four meet head on. The time "
        "from the first of the group to leave until the last, and the longest such time of all "
        "three; how far members are from the centre of their groups; and how long all ways are. "
        "Each with groups that keep together and with ones that do not.",
    .criterion =
        "Everybody leaves, and those of the group with somebody slow, if it keeps together, "
        "within 10 s.",
    .cases = iso14Cases,
    .caseCount = sizeof iso14Cases / sizeof iso14Cases[0],
    .quickCases = 0x3f,
    .figures = groupFigures,
    .write = writeIso14,
    .measure = measureIso14,
    .judge = judgeIso14,
    .needsFigures = true,
};
