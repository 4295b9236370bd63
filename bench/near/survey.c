// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Measuring searches: they take turns, and of each the fastest sample counts. So what slows the
// machine down hits all of them.

#include "survey.h"

#include "base/machine.h"

#include <stdlib.h>

#define MOST_NAIVE 20000 // beyond, everybody looking at everybody takes too long
#define CHECKED 1000     // agents whose lists are compared
// Branches of a small crowd are learned by heart if it is seen only few times.
#define LEAST_PLACES 16384
#define MOST_TIME 1000000000 // after which a method gives up its further turns [ns]

const thNearMethod* const thiNearMethods[thNearMethodCount] = {
    &thiNearNaive,  &thiNearSampled40,  &thiNearSampled160,
    &thiNearKdTree, &thiNearGridScalar, &thiNearGrid};

static volatile int64_t sink; // keeps what was found alive

// A method at work on one crowd.
typedef struct Course {
    const thNearMethod* method;
    thNearResult* result;
    thMemory memory;
    void* state;
    const thNearCrowd* crowd;
    int64_t rounds;    // that fill a sample
    int64_t allRounds; // so far
    int64_t spent;     // on measuring [ns]
} Course;

// The moment of a round: there and back again.
static int32_t momentOf(const thNearCrowd* crowd, int64_t round)
{
    const int32_t turn = crowd->moments - 1;
    const int32_t at = (int32_t)(round % (2 * turn));
    return at <= turn ? at : 2 * turn - at;
}

// Processor time of so many rounds, with or without finding. [ns]
static thResult timeRounds(Course* course, bool finds, int64_t* time)
{
    const int64_t start = thiProcessTime();
    for (int64_t i = 0; i < course->rounds; ++i) {
        TH_TRY(course->method->build(course->state, momentOf(course->crowd, course->allRounds++)));
        if (!finds)
            continue;
        sink = course->method->find(course->state, NULL);
        if (sink < 0)
            return th_resultNoMemory;
    }
    *time = TH_MAX(thiProcessTime() - start, 1);
    course->spent += *time;
    return th_resultOk;
}

static void keepLeast(const Course* course, int64_t time, double* least)
{
    const double each = (double)time / ((double)course->rounds * (double)course->crowd->count);
    *least = *least > 0.0 ? TH_MIN(*least, each) : each;
}

static thResult takeSample(Course* course, int64_t* time)
{
    int64_t build;
    TH_TRY(timeRounds(course, true, time));
    TH_TRY(timeRounds(course, false, &build));
    keepLeast(course, *time, &course->result->time);
    keepLeast(course, build, &course->result->build);
    return th_resultOk;
}

// Finds how many rounds fill a sample, and takes the first one.
static thResult calibrate(Course* course, int64_t sampleTime)
{
    for (course->rounds = 1;; course->rounds *= 2) {
        int64_t time;
        course->result->time = course->result->build = 0.0;
        TH_TRY(takeSample(course, &time));
        if (time >= sampleTime)
            return th_resultOk;
    }
}

static int32_t countShared(const thNearList* truth, const int32_t* found)
{
    int32_t shared = 0;
    for (int32_t i = 0; i < truth->count; ++i)
        for (int32_t k = 0; k < thNearCount; ++k)
            shared += found[k] == truth->items[i].row;
    return shared;
}

static bool isSame(const thNearList* truth, const int32_t* found)
{
    for (int32_t k = 0; k < thNearCount; ++k)
        if (found[k] != (k < truth->count ? truth->items[k].row : -1))
            return false;
    return true;
}

// Compares the lists of some agents, evenly chosen, with what is true.
static void compare(const Course* course, const thNearCrowd* crowd, int32_t moment,
                    const int32_t* lists)
{
    const int32_t checked = TH_MIN(crowd->count, CHECKED);
    int64_t all = 0, found = 0;
    for (int32_t i = 0; i < checked; ++i) {
        const int32_t agent = (int32_t)((int64_t)i * crowd->count / checked);
        const int32_t* list = lists + (ptrdiff_t)agent * thNearCount;
        thNearList truth;
        thiNearNaiveList(crowd, moment, agent, &truth);
        all += truth.count;
        found += countShared(&truth, list);
        if (course->method->exact && !isSame(&truth, list))
            course->result->wrong = true;
    }
    course->result->recall = all > 0 ? (double)found / (double)all : 1.0;
}

static thResult check(Course* course, const thNearCrowd* crowd)
{
    int32_t* lists = malloc((size_t)crowd->count * thNearCount * sizeof *lists);
    if (lists == NULL)
        return th_resultNoMemory;
    const int32_t moment = 1;
    thResult code = course->method->build(course->state, moment);
    if (code == th_resultOk && course->method->find(course->state, lists) < 0)
        code = th_resultNoMemory;
    if (code == th_resultOk)
        compare(course, crowd, moment, lists);
    free(lists);
    return code;
}

static thResult run(Course* courses, int32_t count, const thNearCrowd* crowd,
                    const thNearEffort* effort)
{
    for (int32_t i = 0; i < count; ++i) {
        TH_TRY(check(&courses[i], crowd)); // touches memory for the first time
        TH_TRY(calibrate(&courses[i], effort->sampleTime));
    }
    int64_t time;
    for (int32_t repeat = 1; repeat < effort->repeats; ++repeat)
        for (int32_t i = 0; i < count; ++i)
            if (courses[i].spent < MOST_TIME)
                TH_TRY(takeSample(&courses[i], &time));
    for (int32_t i = 0; i < count; ++i) {
        courses[i].result->bytes = (double)courses[i].memory.bytes / (double)crowd->count;
        courses[i].result->measured = true;
    }
    return th_resultOk;
}

static thResult measureCrowd(thNearSurvey* survey, int32_t size, const thNearCrowd* crowd,
                             const thNearEffort* effort)
{
    Course courses[thNearMethodCount];
    int32_t count = 0;
    thResult code = th_resultOk;
    for (int32_t i = 0; i < thNearMethodCount && code == th_resultOk; ++i) {
        if (thiNearMethods[i] == &thiNearNaive && crowd->count > MOST_NAIVE)
            continue;
        Course* course = &courses[count];
        *course = (Course){
            .method = thiNearMethods[i], .result = &survey->results[size][i], .crowd = crowd};
        thiMemoryInit(&course->memory, NULL, 0);
        code = course->method->open(course->method, crowd, &course->memory, &course->state);
        count += code == th_resultOk;
    }
    if (code == th_resultOk)
        code = run(courses, count, crowd, effort);
    for (int32_t i = 0; i < count; ++i)
        courses[i].method->close(courses[i].state);
    return code;
}

thResult thiNearMeasure(thNearSurvey* survey, int32_t size, const thNearEffort* effort)
{
    thMemory memory;
    thiMemoryInit(&memory, NULL, 0);
    thNearCrowd crowd;
    const int32_t count = survey->sizes[size];
    TH_TRY(thiNearCrowdInit(&crowd, &memory, count, TH_MAX(LEAST_PLACES / count, 2)));
    thiNearCrowdScatter(&crowd, survey->density);
    crowd.radius = survey->radius;
    const thResult code = measureCrowd(survey, size, &crowd, effort);
    thiNearCrowdFree(&crowd, &memory);
    return code;
}
