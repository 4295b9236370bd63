// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Recordings of any origin: picks a kind by the suffix, and keeps who and what was told of so far.

#include "recording/recording.h"

#include "recording/frame_buffer.h"
#include "recording/geometry_file.h"
#include "recording/recording_kinds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <throng/scene.h>

// --- Shapes ---

bool appBeginShape(ShapeBuilder* builder, thRecordedShapeKind kind)
{
    if (builder->count == builder->capacity) {
        const int32_t capacity = builder->capacity > 0 ? 2 * builder->capacity : 64;
        thRecordedShape* shapes = realloc(builder->shapes, (size_t)capacity * sizeof *shapes);
        if (shapes == NULL)
            return false;
        builder->shapes = shapes;
        builder->capacity = capacity;
    }
    builder->shapes[builder->count++] = (thRecordedShape){.kind = kind};
    return true;
}

bool appAddPoint(ShapeBuilder* builder, double x, double y)
{
    if (builder->pointCount == builder->pointCapacity) {
        const int32_t capacity = builder->pointCapacity > 0 ? 2 * builder->pointCapacity : 256;
        thPlace* points = realloc(builder->points, (size_t)capacity * sizeof *points);
        if (points == NULL)
            return false;
        builder->points = points;
        builder->pointCapacity = capacity;
    }
    builder->points[builder->pointCount++] = (thPlace){x, y};
    builder->shapes[builder->count - 1].pointCount += 1;
    return true;
}

void appFinishShapes(ShapeBuilder* builder)
{
    const thPlace* at = builder->points;
    for (int32_t i = 0; i < builder->count; ++i) {
        builder->shapes[i].points = at;
        if (builder->shapes[i].pointCount > 0)
            at += builder->shapes[i].pointCount;
    }
}

void appFreeShapes(ShapeBuilder* builder)
{
    free(builder->shapes);
    free(builder->points);
    *builder = (ShapeBuilder){0};
}

thRecordedShape* appCopyShapes(const thRecordedShape* shapes, int32_t count)
{
    size_t points = 0;
    for (int32_t i = 0; i < count; ++i)
        points += (size_t)shapes[i].pointCount;
    thRecordedShape* copies = malloc((size_t)count * sizeof *copies + points * sizeof(thPlace) + 1);
    if (copies == NULL)
        return NULL;
    thPlace* at = (thPlace*)(void*)(copies + count);
    for (int32_t i = 0; i < count; ++i) {
        copies[i] = shapes[i];
        copies[i].points = at;
        memcpy(at, shapes[i].points, (size_t)shapes[i].pointCount * sizeof *at);
        at += shapes[i].pointCount;
    }
    return copies;
}

// --- Frames that nobody is in ---

bool appAddNobody(FrameRanges* ranges, FrameRange range)
{
    FrameRange* last = ranges->count > 0 ? &ranges->items[ranges->count - 1] : NULL;
    if (last != NULL && last->last < INT64_MAX && last->last + 1 == range.first) {
        last->last = range.last;
        return true;
    }
    if (ranges->count == ranges->capacity) {
        const int32_t capacity = ranges->capacity > 0 ? 2 * ranges->capacity : 16;
        FrameRange* grown = ranges->capacity < INT32_MAX / 2
                                ? realloc(ranges->items, (size_t)capacity * sizeof *grown)
                                : NULL;
        if (grown == NULL)
            return false;
        ranges->items = grown;
        ranges->capacity = capacity;
    }
    ranges->items[ranges->count++] = range;
    return true;
}

const char* appCheckNobody(const FrameRanges* ranges)
{
    // More than anybody waits for: a file may claim what it likes.
    const int64_t mostFrames = (int64_t)1 << 24, farthest = (int64_t)1 << 53;
    int64_t frames = 0, before = -farthest - 1;
    for (int32_t i = 0; i < ranges->count; ++i) {
        const FrameRange* range = &ranges->items[i];
        if (range->first <= before || range->last < range->first || range->last > farthest)
            return "has frames that are not in order";
        frames += range->last - range->first + 1;
        before = range->last;
        if (frames > mostFrames)
            return "has too many frames";
    }
    return NULL;
}

int64_t appTakeNobody(Recording* recording, FrameRanges* ranges, int64_t frame, int64_t step)
{
    int64_t common = step;
    for (int32_t i = 0; i < ranges->count; ++i) {
        const FrameRange* range = &ranges->items[i];
        common = appCommonStep(common, range->first - (step > 0 ? frame : ranges->items[0].first));
        common = appCommonStep(common, range->last > range->first);
    }
    recording->nobody = *ranges;
    recording->step = common > 0 ? common : 1;
    *ranges = (FrameRanges){0};
    return recording->step;
}

// The number of the next frame of these; false if there is none.
static bool peekNobody(const Recording* recording, int64_t* number)
{
    if (recording->nobodyAt >= recording->nobody.count)
        return false;
    const FrameRange* range = &recording->nobody.items[recording->nobodyAt];
    *number = appNumberOf(range->first + recording->nobodyGiven, recording->step);
    return true;
}

static void passNobody(Recording* recording)
{
    const FrameRange* range = &recording->nobody.items[recording->nobodyAt];
    recording->nobodyGiven += 1;
    if (recording->nobodyGiven > range->last - range->first) {
        recording->nobodyAt += 1;
        recording->nobodyGiven = 0;
    }
}

// The next frame of the file or between its frames, as `latest`.
static Next nextOfAll(Recording* recording)
{
    int64_t number;
    if (!recording->isHeld && !recording->hasEnded) {
        recording->latest = (thRecording){0};
        const Next next = recording->kind->next(recording);
        if (next == nextFailed)
            return next;
        recording->held = recording->latest;
        recording->isHeld = next == nextFrame;
        recording->hasEnded = next == nextEnd;
    }
    while (peekNobody(recording, &number) &&
           (!recording->isHeld || number <= recording->held.frame.number)) {
        passNobody(recording);
        if (recording->isHeld && number == recording->held.frame.number)
            continue; // somebody is in it after all
        recording->latest = (thRecording){.frame = {.number = number}};
        return nextFrame;
    }
    recording->latest = recording->held;
    const bool isHeld = recording->isHeld;
    recording->isHeld = false;
    return isHeld ? nextFrame : nextEnd;
}

// --- Formats ---

// A format of files.
typedef struct Format {
    const char* suffix;
    ExitCode (*open)(Recording* recording, const RecordingDef* def);
    // NULL: it is only read.
    ExitCode (*begin)(RecordingWriter* writer, const thRecordedShape* shapes, int32_t count);
    const char* missing; // library that the program was built without; NULL: nothing is missing
} Format;

static const Format formats[] = {
    {".thlog", appOpenLog, appBeginLog, NULL},
    {".txt", appOpenText, appBeginText, NULL}, // as the field's tools write it
    {".csv", appOpenText, NULL, NULL},
#if APP_HDF5
    {".h5", appOpenHdf5, appBeginHdf5, NULL},
#else
    {".h5", NULL, NULL, "HDF5"},
#endif
#if APP_SQLITE
    {".sqlite", appOpenSqlite, appBeginSqlite, NULL},
#else
    {".sqlite", NULL, NULL, "SQLite"},
#endif
};

enum { formatCount = sizeof formats / sizeof formats[0] };

static const Format* findFormat(const char* path)
{
    for (int i = 0; i < formatCount; ++i)
        if (appHasSuffix(path, formats[i].suffix))
            return &formats[i];
    return NULL;
}

bool appIsRecordingName(const char* path)
{
    return findFormat(path) != NULL;
}

static void saySuffix(const char* path, bool isWritten)
{
    char suffixes[128] = "";
    for (int i = 0; i < formatCount; ++i) {
        const size_t length = strlen(suffixes);
        if (!isWritten || formats[i].begin != NULL || formats[i].missing != NULL)
            snprintf(suffixes + length, sizeof suffixes - length, "%s%s", length > 0 ? ", " : "",
                     formats[i].suffix);
    }
    appSay("'%s' is no name of a recording%s: expected one that ends in one of %s", path,
           isWritten ? " that can be written" : "", suffixes);
}

static ExitCode checkFormat(const char* path, const Format* format, bool isWritten)
{
    if (format == NULL || (isWritten && format->missing == NULL && format->begin == NULL)) {
        saySuffix(path, isWritten);
        return exitUsage;
    }
    if (format->missing != NULL) {
        appSay("cannot %s '%s': this program was built without %s", isWritten ? "write" : "read",
               path, format->missing);
        return exitEnvironment;
    }
    return exitDone;
}

// --- Reading ---

static ExitCode openAs(Recording* recording, const char* path, const Format* format,
                       const RecordingDef* def)
{
    recording->endTime = -1.0;
    recording->path = strdup(path);
    if (recording->path == NULL) {
        appSay("cannot read '%s': no memory", path);
        return exitEnvironment;
    }
    return format->open(recording, def);
}

static ExitCode checkDef(const char* path, const Format* format, const RecordingDef* def)
{
    if (def->unit == NULL)
        return exitDone;
    if (strcmp(def->unit, "m") != 0 && strcmp(def->unit, "cm") != 0)
        appSay("--unit is '%s', expected m or cm", def->unit);
    else if (format->open != appOpenText)
        appSay("--unit is about text; '%s' is in metres", path);
    else
        return exitDone;
    return exitUsage;
}

static ExitCode takeGeometry(Recording* recording, const char* path)
{
    recording->hasGivenShapes = path != NULL;
    return path != NULL ? appTakeGeometryFile(recording, path) : exitDone;
}

Recording* appOpenRecording(const char* path, const RecordingDef* def, ExitCode* code)
{
    static const RecordingDef asTheFileSays = {0};
    const Format* format = findFormat(path);
    def = def != NULL ? def : &asTheFileSays;
    *code = checkFormat(path, format, false);
    if (*code == exitDone)
        *code = checkDef(path, format, def);
    if (*code != exitDone)
        return NULL;
    Recording* recording = calloc(1, sizeof *recording);
    if (recording == NULL) {
        appSay("cannot read '%s': no memory", path);
        *code = exitEnvironment;
        return NULL;
    }
    *code = openAs(recording, path, format, def);
    if (*code != exitDone)
        recording->kind = NULL; // it has freed its own already
    else
        *code = takeGeometry(recording, def->geometry);
    if (*code == exitDone)
        return recording;
    appCloseRecording(recording);
    return NULL;
}

static bool sayNoMemory(const Recording* recording)
{
    appSay("cannot read '%s': no memory", recording->path);
    return false;
}

// Where the index of a person is or would be in the hash table.
static int32_t* findPlace(const Recording* recording, uint32_t id)
{
    const uint32_t mask = (uint32_t)recording->placeCapacity - 1;
    uint32_t at = (id * 2654435761u) & mask; // Fibonacci hashing spreads ids that lie together
    while (recording->places[at] != 0 && recording->people[recording->places[at] - 1].id != id)
        at = (at + 1) & mask;
    return &recording->places[at];
}

static bool growPeople(Recording* recording)
{
    if (recording->personCapacity > INT32_MAX / 4)
        return sayNoMemory(recording);
    const int32_t capacity = recording->personCapacity > 0 ? 2 * recording->personCapacity : 64;
    const int32_t placeCapacity = 2 * capacity;
    thRecordedPerson* people =
        realloc(recording->people, (size_t)capacity * sizeof *recording->people);
    if (people == NULL)
        return sayNoMemory(recording);
    recording->people = people;
    int32_t* places = calloc((size_t)placeCapacity, sizeof *places);
    if (places == NULL)
        return sayNoMemory(recording);
    free(recording->places);
    recording->places = places;
    recording->personCapacity = capacity;
    recording->placeCapacity = placeCapacity;
    for (int32_t i = 0; i < recording->personCount; ++i)
        *findPlace(recording, people[i].id) = i + 1;
    return true;
}

static bool addPerson(Recording* recording, const thRecordedPerson* person)
{
    if (recording->personCount == recording->personCapacity && !growPeople(recording))
        return false;
    int32_t* place = findPlace(recording, person->id);
    if (*place == 0) {
        recording->personCount += 1;
        *place = recording->personCount;
    }
    recording->people[*place - 1] = *person;
    return true;
}

bool appSetShapes(Recording* recording, const thRecordedShape* shapes, int32_t count)
{
    thRecordedShape* copies = appCopyShapes(shapes, count);
    if (copies == NULL)
        return sayNoMemory(recording);
    free(recording->shapes);
    recording->shapes = copies;
    recording->shapeCount = count;
    return true;
}

Next appNextFrame(Recording* recording)
{
    thRecording* latest = &recording->latest;
    const Next next = nextOfAll(recording);
    if (next != nextFrame)
        return next;
    if (recording->hasGivenShapes) {
        latest->shapes = NULL;
        latest->shapeCount = 0;
    }
    for (int32_t i = 0; i < latest->personCount; ++i)
        if (!addPerson(recording, &latest->people[i]))
            return nextFailed;
    if (latest->shapes != NULL && !appSetShapes(recording, latest->shapes, latest->shapeCount))
        return nextFailed;
    return nextFrame;
}

const thRecordedPerson* appFindPerson(const Recording* recording, uint32_t id)
{
    if (recording->personCount == 0)
        return NULL;
    const int32_t place = *findPlace(recording, id);
    return place > 0 ? &recording->people[place - 1] : NULL;
}

void appCloseRecording(Recording* recording)
{
    if (recording == NULL)
        return;
    if (recording->kind != NULL)
        recording->kind->close(recording);
    free(recording->people);
    free(recording->places);
    free(recording->shapes);
    free(recording->nobody.items);
    free(recording->path);
    free(recording);
}

// --- Writing ---

ExitCode appCheckRecordingName(const char* path)
{
    return checkFormat(path, findFormat(path), true);
}

RecordingWriter* appCreateRecording(const char* path, const thRecordHead* head,
                                    const thRecordedShape* shapes, int32_t shapeCount,
                                    ExitCode* code)
{
    *code = appCheckRecordingName(path);
    if (*code != exitDone)
        return NULL;
    RecordingWriter* writer = calloc(1, sizeof *writer);
    char* copy = strdup(path);
    if (writer == NULL || copy == NULL) {
        appSay("cannot write '%s': no memory", path);
        *code = exitEnvironment;
    } else {
        *writer = (RecordingWriter){.path = copy, .head = *head};
        *code = findFormat(path)->begin(writer, shapes, shapeCount);
    }
    if (*code == exitDone)
        return writer;
    free(copy);
    free(writer);
    return NULL;
}

bool appAddFrame(RecordingWriter* writer, const thRecording* frame)
{
    const FrameRange one = {frame->frame.number, frame->frame.number};
    if (frame->frame.count == 0 && !appAddNobody(&writer->nobody, one)) {
        appSay("cannot write '%s': no memory", writer->path);
        return false;
    }
    return writer->kind->add(writer, frame);
}

bool appFinishRecording(RecordingWriter* writer)
{
    if (writer == NULL)
        return false;
    const bool good = writer->kind->close(writer);
    free(writer->nobody.items);
    free(writer->path);
    free(writer);
    return good;
}

void appAbandonRecording(RecordingWriter* writer)
{
    if (writer == NULL)
        return;
    writer->isAbandoned = true;
    appFinishRecording(writer);
}

static bool hasWalls(const Recording* recording)
{
    for (int32_t i = 0; i < recording->shapeCount; ++i)
        if (recording->shapes[i].kind < th_shapeGoalPoint)
            return true;
    return false;
}

static bool hasSeveralRadii(const Recording* recording)
{
    for (int32_t i = 1; i < recording->personCount; ++i)
        if (recording->people[i].radius != recording->people[0].radius)
            return true;
    return false;
}

static bool keepsHeadings(const Format* format)
{
    return strcmp(format->suffix, ".sqlite") == 0;
}

// Whether the scene that was recorded has bodies that are no discs.
static bool hasBodyShapes(const Recording* recording)
{
    thScene* scene = NULL;
    thSceneDef def = thDefaultSceneDef();
    def.text = recording->head.scene;
    def.textSize = def.text != NULL ? strlen(def.text) : 0;
    if (def.text == NULL || thLoadScene(&def, &scene) != th_resultOk)
        return false;
    bool found = false;
    thProfileDef profile;
    for (int32_t i = 0; i < thScene_GetInfo(scene).profileCount && !found; ++i)
        found = thScene_GetProfile(scene, i, &profile) == th_resultOk && profile.shapeCount > 0;
    thDestroyScene(scene);
    return found;
}

void appTellLosses(const Recording* from, const char* path)
{
    const Format* format = findFormat(path);
    if (format == NULL || format->begin == appBeginLog)
        return;
    const bool isText = format->begin == appBeginText;
    const bool bodies = hasBodyShapes(from);
    const struct {
        bool isLost;
        const char* what;
    } parts[] = {{isText && hasWalls(from), "walls"},
                 {isText && hasSeveralRadii(from), "radii"},
                 {bodies, "shapes of bodies"},
                 {bodies && !keepsHeadings(format), "headings"}};
    char lost[64] = "";
    for (size_t i = 0, length = 0; i < sizeof parts / sizeof parts[0]; ++i)
        if (parts[i].isLost)
            length += (size_t)snprintf(lost + length, sizeof lost - length, "%s%s",
                                       length > 0 ? " and " : "", parts[i].what);
    if (lost[0] != '\0')
        appSay("%s are not kept in %s", lost, format->suffix);
}
