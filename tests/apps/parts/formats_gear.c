// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Whole recordings in memory: made up, written, read back, and compared.

#include "formats_gear.h"

#include "throng/random.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void addSample(Track* track, Sample sample)
{
    if (track->count == track->capacity) {
        track->capacity = track->capacity > 0 ? 2 * track->capacity : 1024;
        track->samples = realloc(track->samples, (size_t)track->capacity * sizeof sample);
        assert_non_null(track->samples);
    }
    track->samples[track->count++] = sample;
}

void freeTrack(Track* track)
{
    free(track->samples);
    *track = (Track){0};
}

uint32_t idOf(int32_t person)
{
    return (uint32_t)person * 2654435761u;
}

Track makeTrack(uint64_t seed, int32_t frames, int32_t mostAtOnce, bool hasHeading)
{
    Track track = {.rate = 12.5, .frames = frames};
    for (int32_t frame = 0; frame < frames; ++frame) {
        const uint64_t stream = thRandomStream(seed, (uint64_t)frame, 0, 0);
        uint32_t at = 0;
        for (int32_t i = 0; i < mostAtOnce; ++i) {
            // Nobody may be alone in the first frame or the last, lest these are lost.
            const bool isThere =
                i == 0 ||
                thRandomBits(thRandomStream(seed, (uint64_t)frame / 7, 1, 0), (uint32_t)i) % 3 > 0;
            const double x = thRandomUnit(stream, at++), y = thRandomUnit(stream, at++);
            const float heading = 6.0f * thRandomUnit(stream, at++) - 3.0f;
            if (isThere)
                addSample(&track, (Sample){.frame = frame,
                                           .id = idOf(i),
                                           .x = 100.0 * x - 50.0,
                                           .y = 80.0 * y - 40.0,
                                           .heading = hasHeading ? heading : NAN});
        }
    }
    return track;
}

static char folder[] = "/tmp/throng-test-XXXXXX";

static void removeFolder(void)
{
    DIR* directory = opendir(folder);
    for (struct dirent* entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    if (directory != NULL)
        closedir(directory);
    rmdir(folder);
}

const char* nameFile(const char* name)
{
    static char paths[8][256];
    static int next;
    static bool isMade;
    if (!isMade) {
        assert_non_null(mkdtemp(folder));
        atexit(removeFolder);
        isMade = true;
    }
    next = (next + 1) % 8;
    snprintf(paths[next], sizeof paths[next], "%s/%s", folder, name);
    return paths[next];
}

static int compareSamples(const void* left, const void* right)
{
    const Sample *a = left, *b = right;
    if (a->frame != b->frame)
        return a->frame < b->frame ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

// One frame of a track, from sample `at` on; returns where the next one begins.
static int32_t writeFrame(RecordingWriter* writer, const Track* track, int32_t at, uint32_t* ids,
                          double* x, double* y, float* headings)
{
    static thRecordedPerson people[4096];
    const int64_t number = track->samples[at].frame;
    int32_t count = 0;
    bool hasHeading = true;
    for (; at < track->count && track->samples[at].frame == number; ++at, ++count) {
        const Sample* sample = &track->samples[at];
        ids[count] = sample->id;
        x[count] = sample->x;
        y[count] = sample->y;
        headings[count] = sample->heading;
        hasHeading = hasHeading && !isnan(sample->heading);
        people[count] = (thRecordedPerson){
            .id = sample->id, .key = sample->id, .goal = -1, .group = -1, .entry = -1};
    }
    const thRecording frame = {.frame = {.number = number,
                                         .count = count,
                                         .id = ids,
                                         .x = x,
                                         .y = y,
                                         .heading = hasHeading ? headings : NULL},
                               .people = people,
                               .personCount = count};
    assert_true(appAddFrame(writer, &frame));
    return at;
}

void writeTrack(const char* path, const Track* track, const thRecordedShape* shapes,
                int32_t shapeCount)
{
    static uint32_t ids[4096];
    static double x[4096], y[4096];
    static float headings[4096];
    const thRecordHead head = {.rate = track->rate, .title = "made up"};
    ExitCode code;
    qsort(track->samples, (size_t)track->count, sizeof *track->samples, compareSamples);
    RecordingWriter* writer = appCreateRecording(path, &head, shapes, shapeCount, &code);
    assert_non_null(writer);
    for (int32_t at = 0; at < track->count;)
        at = writeFrame(writer, track, at, ids, x, y, headings);
    assert_true(appFinishRecording(writer));
}

Track readFiltered(Recording* recording, const FrameFilterDef* def)
{
    Track track = {.rate = def->rate > 0.0 ? def->rate : recording->head.rate};
    FrameFilter* filter = appCreateFilter(recording, def);
    thRecording frame;
    Next next;
    int64_t first = 0, last = 0;
    bool told[4096] = {0}; // by index of people
    assert_non_null(filter);
    while ((next = appNextFiltered(filter, &frame)) == nextFrame) {
        for (int32_t i = 0; i < frame.personCount; ++i)
            told[appFindPerson(recording, frame.people[i].id) - recording->people] = true;
        for (int32_t i = 0; i < frame.frame.count; ++i) {
            const thRecordedFrame* all = &frame.frame;
            assert_true(i == 0 || all->id[i - 1] < all->id[i]);
            assert_true(told[appFindPerson(recording, all->id[i]) - recording->people]);
            addSample(&track, (Sample){all->number, all->id[i], all->x[i], all->y[i],
                                       all->heading != NULL ? all->heading[i] : NAN});
        }
        assert_true(track.frames == 0 || frame.frame.number > last);
        first = track.frames++ == 0 ? frame.frame.number : first;
        last = frame.frame.number;
    }
    assert_int_equal(next, nextEnd);
    appFreeFilter(filter);
    track.people = recording->personCount;
    track.duration = (double)(last - first) / track.rate;
    return track;
}

Track readTrack(const char* path, const RecordingDef* def)
{
    const FrameFilterDef all = {.from = -INFINITY, .to = INFINITY};
    ExitCode code;
    Recording* recording = appOpenRecording(path, def, &code);
    if (recording == NULL)
        fail_msg("%s cannot be read", path);
    const double end = recording->endTime;
    const Track track = readFiltered(recording, &all);
    if (end >= 0.0 && track.count > 0)
        assert_near(end, (double)track.samples[track.count - 1].frame / track.rate, 1e-9);
    appCloseRecording(recording);
    return track;
}

void assertSameTrack(const Track* a, const Track* b, double tolerance)
{
    assert_near(a->rate, b->rate, 1e-12);
    assert_int_equal(a->count, b->count);
    for (int32_t i = 0; i < a->count; ++i) {
        const Sample *left = &a->samples[i], *right = &b->samples[i];
        assert_int_equal(left->frame, right->frame);
        assert_int_equal(left->id, right->id);
        assert_near(left->x, right->x, tolerance);
        assert_near(left->y, right->y, tolerance);
        if (!isnan(left->heading) && !isnan(right->heading))
            assert_near(left->heading, right->heading, 0.01);
    }
}

void writeFile(const char* path, const char* text)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}
