// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Recordings that are text.

#include "output.h"
#include "recording/recording_kinds.h"
#include "recording/text/eth_groups.h"
#include "recording/text/text_rows.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct TextRecording {
    TextRows rows;
    EthGroups groups;
} TextRecording;

// Frames in a second of the data sets that do not say it.
static const double ethRate = 25.0;

static bool endsIn(const char* path, const char* suffix)
{
    const size_t length = strlen(path), end = strlen(suffix);
    return length > end && strcasecmp(path + length - end, suffix) == 0;
}

static ExitCode chooseRate(const Recording* recording, const RecordingDef* def, TextRows* rows)
{
    if (def->rate > 0.0)
        rows->rate = def->rate;
    else if (rows->rate == 0.0 && rows->isEth)
        rows->rate = ethRate;
    if (rows->rate > 0.0)
        return exitDone;
    appSay("'%s' does not say how many frames a second has (a line '# framerate: 16'); give it "
           "with --rate",
           recording->path);
    return exitUsage;
}

static ExitCode chooseUnit(const Recording* recording, const RecordingDef* def, TextRows* rows)
{
    if (def->unit != NULL)
        rows->unit = strcmp(def->unit, "m") == 0 ? 1.0 : 0.01;
    if (rows->unit > 0.0)
        return exitDone;
    appSay(
        "'%s' does not say its unit (a line '# id frame x/m y/m z/m'), nor do heights z; give it "
        "with --unit m or --unit cm",
        recording->path);
    return exitUsage;
}

static void toMetres(TextRows* rows)
{
    if (rows->unit == 1.0)
        return;
    for (size_t i = 0; i < rows->table.count; ++i) {
        rows->table.rows[i].x /= 100.0;
        rows->table.rows[i].y /= 100.0;
    }
}

static ExitCode load(Recording* recording, const RecordingDef* def, TextRecording* text)
{
    size_t size;
    char* content = appReadFile(recording->path, &size);
    if (content == NULL)
        return exitEnvironment;
    content[size] = '\0';
    TextRows* rows = &text->rows;
    ExitCode code =
        appReadTextRows(recording->path, content, size, endsIn(recording->path, ".csv"), rows);
    free(content);
    if (code == exitDone)
        code = chooseRate(recording, def, rows);
    if (code == exitDone)
        code = chooseUnit(recording, def, rows);
    if (code == exitDone && rows->isEth)
        code = appReadEthGroups(recording->path, &text->groups);
    return code;
}

static Next nextOfText(Recording* self)
{
    TextRecording* text = self->own;
    const Next next = appNextOfRows(&text->rows.table, self);
    if (next != nextFrame)
        return next;
    thRecordedPerson* people = text->rows.table.frame.people;
    appSetGroups(&text->groups, people, self->latest.personCount);
    for (int32_t i = 0; i < self->latest.personCount; ++i)
        people[i].radius = text->rows.radius;
    return nextFrame;
}

static void freeText(TextRecording* text)
{
    appFreeRows(&text->rows.table);
    appFreeEthGroups(&text->groups);
    free(text);
}

static void closeText(Recording* self)
{
    freeText(self->own);
}

static const RecordingKind textKind = {".txt", "text", nextOfText, closeText};

ExitCode appOpenText(Recording* recording, const RecordingDef* def)
{
    TextRecording* text = calloc(1, sizeof *text);
    if (text == NULL)
        return appSayNoMemoryFor(recording);
    const ExitCode code = load(recording, def, text);
    if (code != exitDone) {
        freeText(text);
        return code;
    }
    toMetres(&text->rows);
    const RowTable* table = &text->rows.table;
    recording->kind = &textKind;
    recording->own = text;
    recording->head = (thRecordHead){.rate = text->rows.rate / (double)table->step,
                                     .title = appTitleOf(recording->path)};
    if (table->count == 0)
        return exitDone;
    recording->head.origin = appOriginNear(table->rows[0].x, table->rows[0].y);
    recording->endTime = (double)appNumberOf(table->rows[table->count - 1].frame, table->step) /
                         recording->head.rate;
    return exitDone;
}
