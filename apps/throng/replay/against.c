// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A run beside a recording: both are looked at at the times of the recording. The run is shown to a
// survey as if it had been recorded at these.

#include "replay/against.h"

#include "recording/frame_filter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BINS 10    // of density
#define OUTER_SHARE 0.1 // of all places, that lies outside of the area in the middle at each side

// --- Numbers ---

static int byValue(const void* a, const void* b)
{
    const double left = *(const double*)a, right = *(const double*)b;
    return (left > right) - (left < right);
}

// As surveys do it.
static double quantile(const double* values, int32_t count, double share)
{
    return values[(int32_t)floor(share * (count - 1) + 0.5)];
}

Quantiles appQuantilesOf(double* values, int32_t count)
{
    const double none = (double)NAN;
    double sum = 0.0;
    if (count == 0)
        return (Quantiles){0, none, none, none, none, none, none, none, none};
    qsort(values, (size_t)count, sizeof *values, byValue);
    for (int32_t i = 0; i < count; ++i)
        sum += values[i];
    return (Quantiles){.count = count,
                       .mean = sum / count,
                       .p05 = quantile(values, count, 0.05),
                       .p25 = quantile(values, count, 0.25),
                       .median = quantile(values, count, 0.5),
                       .p75 = quantile(values, count, 0.75),
                       .p90 = quantile(values, count, 0.9),
                       .p95 = quantile(values, count, 0.95),
                       .greatest = values[count - 1]};
}

double appShareDistance(const double* a, int32_t countA, const double* b, int32_t countB)
{
    double greatest = 0.0;
    int32_t i = 0, k = 0;
    if (countA == 0 || countB == 0)
        return (double)NAN;
    while (i < countA && k < countB) {
        const double value = fmin(a[i], b[k]);
        while (i < countA && a[i] <= value)
            ++i;
        while (k < countB && b[k] <= value)
            ++k;
        greatest = fmax(greatest, fabs((double)i / countA - (double)k / countB));
    }
    return greatest;
}

// --- How far people are from each other ---

// Who walks straight and evenly from the first place to the last.
static thPlace straightAt(const Track* real, double time)
{
    const TrackPoint *first = &real->points[0], *last = &real->points[real->count - 1];
    const double length = last->time - first->time;
    const double share = length > 0.0 ? (time - first->time) / length : 0.0;
    return (thPlace){first->x + share * (last->x - first->x),
                     first->y + share * (last->y - first->y)};
}

// Before it comes and after it has left it counts where it first and last was.
static Displaced displace(const Track* real, const Track* run, double offset)
{
    Displaced person = {.id = real->id, .times = real->count};
    const double first = run->points[0].time, last = run->points[run->count - 1].time;
    int32_t present = 0;
    for (int32_t i = 0; i < real->count; ++i) {
        const TrackPoint* point = &real->points[i];
        const double time = point->time - offset; // of the run
        const thPlace there = {point->x, point->y};
        person.last = appDistance(appPlaceAt(run, time), there);
        person.mean += person.last / real->count;
        person.straight += appDistance(straightAt(real, point->time), there) / real->count;
        present += time >= first - 1e-9 && time <= last + 1e-9;
    }
    person.present = (double)present / real->count;
    return person;
}

// One number of each person, put in order.
static Quantiles quantilesOfPeople(const Against* against, size_t offset, double* scratch)
{
    for (int32_t i = 0; i < against->matched; ++i)
        memcpy(&scratch[i], (const char*)&against->people[i] + offset, sizeof *scratch);
    return appQuantilesOf(scratch, against->matched);
}

static bool displaceAll(const Tracks* run, const Tracks* real, double offset, Against* against)
{
    const size_t most = (size_t)real->count + 1;
    double* scratch = malloc(most * sizeof *scratch);
    double times = 0.0, present = 0.0;
    against->people = calloc(most, sizeof *against->people);
    against->runPeople = run->count;
    against->recordingPeople = real->count;
    for (int32_t i = 0; against->people != NULL && i < real->count; ++i) {
        const Track* track = appFindTrack(run, real->items[i].id);
        if (track == NULL)
            continue;
        Displaced* person = &against->people[against->matched++];
        *person = displace(&real->items[i], track, offset);
        times += person->times;
        present += person->present * person->times;
    }
    const bool good = scratch != NULL && against->people != NULL;
    if (good) {
        against->present = present / times;
        against->mean = quantilesOfPeople(against, offsetof(Displaced, mean), scratch);
        against->last = quantilesOfPeople(against, offsetof(Displaced, last), scratch);
        against->straight = quantilesOfPeople(against, offsetof(Displaced, straight), scratch);
    }
    free(scratch);
    return good;
}

// --- Surveys at the times of the recording ---

// What is shown to a survey.
typedef struct Side {
    const Recording* recording; // who people are, and what stands around them
    const Tracks* tracks;
    double offset;  // of its times from those of the frames [s]
    double longest; // between two points between which it is there [s]
} Side;

typedef struct FrameRows {
    uint32_t* id;
    double *x, *y;
    int32_t* at; // of each track: a point that is not later than the frame, as far as there is one
} FrameRows;

// Everybody who is there at a time. Where there is no point for longer it is not.
static thRecordedFrame frameAt(const Side* side, int64_t number, double time, FrameRows* rows)
{
    thRecordedFrame frame = {.number = number, .id = rows->id, .x = rows->x, .y = rows->y};
    for (int32_t i = 0; i < side->tracks->count; ++i) {
        const Track* track = &side->tracks->items[i];
        const TrackPoint* points = track->points;
        int32_t* at = &rows->at[i];
        if (time < points[0].time - 1e-9 || time > points[track->count - 1].time + 1e-9)
            continue;
        while (*at + 1 < track->count && points[*at + 1].time <= time + 1e-9)
            *at += 1;
        const bool isAtPoint = fabs(points[*at].time - time) <= 1e-6;
        if (!isAtPoint && *at + 1 < track->count &&
            points[*at + 1].time - points[*at].time > side->longest)
            continue;
        const thPlace place = appPlaceAt(track, time);
        rows->id[frame.count] = track->id;
        rows->x[frame.count] = place.x;
        rows->y[frame.count++] = place.y;
    }
    return frame;
}

static thResult showFrames(thSurvey* survey, const Side* side, const Tracks* real, double rate,
                           FrameRows* rows)
{
    const int64_t first = (int64_t)floor(real->firstTime * rate + 0.5);
    const int64_t last = (int64_t)floor(real->lastTime * rate + 0.5);
    thResult result = th_resultOk;
    for (int64_t number = first; result == th_resultOk && number <= last; ++number) {
        thRecording recording = {
            .frame = frameAt(side, number, (double)number / rate + side->offset, rows)};
        if (number == first) {
            recording.people = side->recording->people;
            recording.personCount = side->recording->personCount;
        }
        result = thSurvey_Add(survey, &recording);
    }
    return result == th_resultOk ? thSurvey_End(survey) : result;
}

static ExitCode surveySide(const Side* side, const Tracks* real, const thSurveyDef* def,
                           thSurvey** survey)
{
    const size_t most = (size_t)side->tracks->count + 1;
    FrameRows rows = {.id = malloc(most * sizeof *rows.id),
                      .x = malloc(most * sizeof *rows.x),
                      .y = malloc(most * sizeof *rows.y),
                      .at = calloc(most, sizeof *rows.at)};
    thError error = {0};
    thResult result = th_resultNoMemory;
    if (rows.id != NULL && rows.x != NULL && rows.y != NULL && rows.at != NULL)
        result = thCreateSurvey(def, survey, &error);
    if (result == th_resultOk)
        result = showFrames(*survey, side, real, def->rate, &rows);
    free(rows.id);
    free(rows.x);
    free(rows.y);
    free(rows.at);
    if (result != th_resultOk)
        appSay("cannot compare: %s", error.text[0] != '\0' ? error.text : thResult_GetText(result));
    return result == th_resultOk ? exitDone : appExitOf(result);
}

// --- Distributions ---

static double* copyValues(const thSurvey* survey, thSurveyValues of, int32_t* count)
{
    const double* values = thSurvey_GetValues(survey, of, count);
    double* copy = malloc(((size_t)*count + 1) * sizeof *copy);
    if (copy != NULL && *count > 0)
        memcpy(copy, values, (size_t)*count * sizeof *copy);
    return copy;
}

static bool compareValues(const thSurvey* run, const thSurvey* real, thSurveyValues of,
                          TwoQuantiles* two)
{
    int32_t runCount, realCount;
    double* a = copyValues(run, of, &runCount);
    double* b = copyValues(real, of, &realCount);
    const bool good = a != NULL && b != NULL;
    if (good) {
        two->run = appQuantilesOf(a, runCount);
        two->recording = appQuantilesOf(b, realCount);
        two->distance = appShareDistance(a, runCount, b, realCount);
    }
    free(a);
    free(b);
    return good;
}

// --- Speed at a density ---

// Frames with somebody in the area, as charts show them. Our own area is large and may be in the
// open, where cells have no bounds: there people are counted.
static bool lookAt(const thAreaFrame* frame, bool isOwn, double* density, double* speed)
{
    *density = isOwn ? frame->density : frame->voronoiDensity;
    *speed = isOwn ? frame->speed : frame->voronoiSpeed;
    return frame->people > 0 && *density > 0.0;
}

static double greatestDensity(const thAreaResult* area, bool isOwn)
{
    double greatest = 0.0, density, speed;
    for (int32_t i = 0; i < area->frameCount; ++i)
        if (lookAt(&area->frames[i], isOwn, &density, &speed))
            greatest = fmax(greatest, density);
    return greatest;
}

// A round width, of which at most MOST_BINS reach to the greatest density.
static double binWidth(double greatest)
{
    static const double steps[] = {1.0, 2.0, 5.0};
    for (double decade = 0.01;; decade *= 10.0)
        for (int32_t i = 0; i < 3; ++i)
            if (greatest <= decade * steps[i] * MOST_BINS)
                return decade * steps[i];
}

// Frames of an area, by density.
typedef struct Bins {
    int32_t frames[MOST_BINS + 1];
    double sums[MOST_BINS + 1]; // of speeds [m/s]
} Bins;

static Bins fillBins(const thAreaResult* area, bool isOwn, double width)
{
    Bins bins = {0};
    double density, speed;
    for (int32_t i = 0; i < area->frameCount; ++i) {
        if (!lookAt(&area->frames[i], isOwn, &density, &speed))
            continue;
        const int32_t bin = (int32_t)fmin(density / width, MOST_BINS);
        bins.frames[bin] += 1;
        bins.sums[bin] += speed;
    }
    return bins;
}

static double meanOf(const Bins* bins, int32_t bin)
{
    return bins->frames[bin] > 0 ? bins->sums[bin] / bins->frames[bin] : (double)NAN;
}

static void binArea(const thSurvey* run, const thSurvey* real, const Gauges* gauges, int32_t index,
                    Against* against)
{
    const bool isOwn = gauges == &against->own;
    const thAreaResult ours = thSurvey_GetArea(run, index);
    const thAreaResult theirs = thSurvey_GetArea(real, index);
    const double width =
        binWidth(fmax(greatestDensity(&ours, isOwn), greatestDensity(&theirs, isOwn)));
    const Bins a = fillBins(&ours, isOwn, width), b = fillBins(&theirs, isOwn, width);
    for (int32_t i = 0; i <= MOST_BINS; ++i)
        if (a.frames[i] + b.frames[i] > 0)
            against->bins[against->binCount++] = (DensityBin){.area = gauges->areas[index].name,
                                                              .from = i * width,
                                                              .to = (i + 1) * width,
                                                              .runFrames = a.frames[i],
                                                              .recordingFrames = b.frames[i],
                                                              .runSpeed = meanOf(&a, i),
                                                              .recordingSpeed = meanOf(&b, i)};
}

// The box that leaves out a tenth of all places of the recording at each side. False when memory is
// out.
static bool makeMiddle(const Tracks* real, Gauges* gauges)
{
    int32_t count = 0;
    for (int32_t i = 0; i < real->count; ++i)
        count += real->items[i].count;
    double* x = malloc(((size_t)count + 1) * sizeof *x);
    double* y = malloc(((size_t)count + 1) * sizeof *y);
    gauges->areas = calloc(1, sizeof *gauges->areas);
    gauges->corners = calloc(1, sizeof *gauges->corners);
    const bool good = x != NULL && y != NULL && gauges->areas != NULL && gauges->corners != NULL;
    if (good) {
        for (int32_t i = 0; i < count; ++i) {
            x[i] = real->points[i].x;
            y[i] = real->points[i].y;
        }
        qsort(x, (size_t)count, sizeof *x, byValue);
        qsort(y, (size_t)count, sizeof *y, byValue);
        const double west = quantile(x, count, OUTER_SHARE);
        const double east = fmax(quantile(x, count, 1.0 - OUTER_SHARE), west + 1.0);
        const double south = quantile(y, count, OUTER_SHARE);
        const double north = fmax(quantile(y, count, 1.0 - OUTER_SHARE), south + 1.0);
        const thPlace box[] = {{west, south}, {east, south}, {east, north}, {west, north}};
        memcpy(gauges->corners[0], box, sizeof box);
        gauges->areas[0] =
            (thSurveyArea){.name = "middle", .points = gauges->corners[0], .pointCount = 4};
        gauges->areaCount = 1;
    }
    free(x);
    free(y);
    return good;
}

// --- All of it ---

static bool hasWalls(const Recording* recording)
{
    for (int32_t i = 0; i < recording->shapeCount; ++i)
        if (recording->shapes[i].kind <= th_shapeWall)
            return true;
    return false;
}

// Where the recording has no walls, those of the run stand there too.
static thSurveyDef defOf(const Recording* recording, const Recording* other,
                         const SurveyOptions* options, const Gauges* gauges, double rate)
{
    thSurveyDef def = thDefaultSurveyDef();
    const Recording* walls = hasWalls(recording) ? recording : other;
    def.rate = rate;
    def.speedFrames = (int32_t)options->speedFrames;
    if (options->radius > 0.0)
        def.radius = (float)options->radius;
    def.cutOff = options->cutOff;
    def.shapes = walls->shapes;
    def.shapeCount = walls->shapeCount;
    def.areas = gauges->areas;
    def.areaCount = gauges->areaCount;
    return def;
}

static ExitCode compareSurveys(const Side* run, const Side* real, const SurveyOptions* options,
                               const Gauges* gauges, Against* against)
{
    const double rate = real->recording->head.rate;
    const thSurveyDef runDef = defOf(run->recording, real->recording, options, gauges, rate);
    const thSurveyDef realDef = defOf(real->recording, run->recording, options, gauges, rate);
    thSurvey *ours = NULL, *theirs = NULL;
    ExitCode code = surveySide(run, real->tracks, &runDef, &ours);
    if (code == exitDone)
        code = surveySide(real, real->tracks, &realDef, &theirs);
    against->bins = calloc((size_t)gauges->areaCount * (MOST_BINS + 1) + 1, sizeof *against->bins);
    if (code == exitDone &&
        (against->bins == NULL || !compareValues(ours, theirs, th_valuesSpeed, &against->speed) ||
         !compareValues(ours, theirs, th_valuesNearest, &against->nearest))) {
        appSay("no memory");
        code = exitEnvironment;
    }
    for (int32_t i = 0; code == exitDone && i < gauges->areaCount; ++i)
        binArea(ours, theirs, gauges, i, against);
    thDestroySurvey(ours);
    thDestroySurvey(theirs);
    return code;
}

static ExitCode readTracks(Recording* recording, const SurveyOptions* options, double offset,
                           Tracks* tracks)
{
    const FrameFilterDef def = {.from = options->from + offset, .to = options->to + offset};
    FrameFilter* filter = appCreateFilter(recording, &def);
    thRecording frame;
    Next next = nextFrame;
    bool good = filter != NULL;
    if (!good)
        return exitEnvironment; // and it was said
    while (good && !appWasInterrupted() && (next = appNextFiltered(filter, &frame)) == nextFrame)
        good = appGatherFrame(tracks, &frame.frame, recording->head.rate);
    appFreeFilter(filter);
    if (next == nextFailed)
        return exitEnvironment;
    if (good && next == nextFrame)
        return exitFailed;
    if (!good || !appMakeTracks(tracks)) {
        appSay("no memory");
        return exitEnvironment;
    }
    return exitDone;
}

static ExitCode compareTracks(const Side* run, const Side* real, const SurveyOptions* options,
                              const Gauges* gauges, Against* against)
{
    bool good = displaceAll(run->tracks, real->tracks, -run->offset, against);
    if (good && against->matched == 0) {
        appSay("nobody of the %d people of '%s' has an id of the %d of '%s'; expected a run of a "
               "scene that 'throng convert' made of it",
               (int)run->tracks->count, run->recording->path, (int)real->tracks->count,
               real->recording->path);
        return exitUsage;
    }
    if (good && gauges->areaCount == 0) {
        good = makeMiddle(real->tracks, &against->own);
        gauges = &against->own;
    }
    if (!good) {
        appSay("no memory");
        return exitEnvironment;
    }
    return compareSurveys(run, real, options, gauges, against);
}

ExitCode appCompare(const Recording* run, const Tracks* tracks, const SurveyOptions* options,
                    const Gauges* gauges, const AgainstDef* def, Against* against)
{
    ExitCode code;
    Tracks theirs = {0};
    *against = (Against){0};
    Recording* recording = appOpenRecording(def->path, &def->recording, &code);
    if (recording == NULL)
        return code;
    code = readTracks(recording, options, def->offset, &theirs);
    if (code == exitDone && theirs.count == 0) {
        appSay("'%s' has no people at the times that are wanted", recording->path);
        code = exitUsage;
    }
    if (code == exitDone) {
        const Side ours = {.recording = run,
                           .tracks = tracks,
                           .offset = -def->offset,
                           .longest = fmax(1.5 / run->head.rate, 1.0)};
        const Side real = {
            .recording = recording, .tracks = &theirs, .longest = 1.5 / recording->head.rate};
        code = compareTracks(&ours, &real, options, gauges, against);
    }
    appFreeTracks(&theirs);
    appCloseRecording(recording);
    return code;
}

void appFreeAgainst(Against* against)
{
    free(against->people);
    free(against->bins);
    appFreeGauges(&against->own);
    *against = (Against){0};
}
