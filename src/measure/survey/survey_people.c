// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What people went through, one by one: paths, effort, turning, jerk, standing still.

#include "measure/survey/survey_internal.h"
#include "throng/math.h"

#include <math.h>

// Effort of standing and of walking (Guy et al. 2010). [J/(kg s), J s/(kg m²)]
#define EFFORT_STANDING 2.23
#define EFFORT_WALKING 1.26
// Whoever came less far says nothing about detours. [m]
#define LEAST_CHORD 0.5
// Headings are those of pieces of a path that are as long at least, and take no longer. [m, s]
#define PIECE_LENGTH 0.1
#define PIECE_TIME 1.0
// Whoever stays as near to a place for as long is stuck. [m, s]
#define STUCK_LENGTH 0.5
#define STUCK_TIME 60.0
// Whoever is nearer to its goal than this and what it walks between two frames is there: people
// leave between frames. [m]
#define ARRIVAL_REACH 0.5

// The latest three places, the newest first.
typedef struct Past {
    int32_t count;
    int64_t step; // frames between them, which must be equal
    double x[3], y[3];
} Past;

// A path is cut into pieces: each ends where it is PIECE_LENGTH from where it began.
typedef struct Pieces {
    int64_t begin; // frame
    double x, y;
    bool hasLast;      // the piece before this one is known:
    int64_t lastBegin; // when it began
    double dx, dy;     // where it led
    double angle;      // sum of the angles between pieces [rad]
    double time;       // from the middle of one piece to that of the next, all together [s]
} Pieces;

// How somebody stands to the goal it heads for.
typedef struct Arrival {
    bool hasGoal; // it is known
    bool isThere; // within reach of it, since:
    int64_t frame;
    double length, effort; // of the path up to there
    double left;           // from there to the nearest point of the goal [m]
    double speed;          // [m/s]
} Arrival;

// What is known of a person so far.
typedef struct Track {
    double effort;
    Arrival arrival;
    Past past;
    double jerk;
    uint64_t jerkCount;
    Pieces pieces;
    int64_t standBegin; // since when it has been near one place
    double standX, standY;
    bool wasStuck;
} Track;

typedef struct thSurveyPeople {
    thArray tracks; // Track, by index of the person
} thSurveyPeople;

static thResult createPeople(thSurvey* survey, thError* error)
{
    (void)error;
    thSurveyPeople* people = survey->peoplePart = thiAllocateZero(&survey->memory, sizeof *people);
    if (people == NULL)
        return th_resultNoMemory;
    people->tracks = thiArray(&survey->memory, sizeof(Track));
    return th_resultOk;
}

static void destroyPeople(thSurvey* survey)
{
    thSurveyPeople* people = survey->peoplePart;
    if (people == NULL)
        return;
    thiArrayFree(&people->tracks);
    thiRelease(&survey->memory, people, sizeof *people);
}

static thResult addTracks(thSurveyPeople* people, int32_t count)
{
    const int32_t known = people->tracks.count;
    if (count > known && thiArrayAdd(&people->tracks, count - known) == NULL)
        return th_resultNoMemory;
    for (int32_t i = known; i < count; ++i)
        TH_ITEMS(people->tracks, Track)[i] = (Track){0};
    return th_resultOk;
}

// ∫(e_s + e_w v²) dt at an even speed.
static double effortOf(double length, double time)
{
    return time > 0.0 ? EFFORT_STANDING * time + EFFORT_WALKING * length * length / time : 0.0;
}

// `length` is that of its path up to this frame, `gap` the time since the frame before.
static void noteArrival(const thSurvey* survey, Track* track, const thSurveyFrame* frame, int32_t i,
                        double length, double gap)
{
    const thRecordedPerson* about =
        &TH_ITEMS(survey->persons, thSurveyPerson)[frame->person[i]].about;
    const thArray* goals = &survey->kept[th_keptGoals].shapes;
    Arrival* arrival = &track->arrival;
    const bool wasThere = arrival->isThere;
    arrival->hasGoal = about->goal >= 0 && about->goal < goals->count;
    arrival->isThere = false;
    if (!arrival->hasGoal)
        return;
    const double left =
        thiGoalDistance(&TH_ITEMS(*goals, thRecordedShape)[about->goal], frame->x[i], frame->y[i]);
    const double speed = sqrt(frame->vx[i] * frame->vx[i] + frame->vy[i] * frame->vy[i]);
    arrival->isThere = left <= ARRIVAL_REACH + speed * gap;
    if (!arrival->isThere || wasThere)
        return;
    arrival->frame = frame->number;
    arrival->length = length;
    arrival->effort = track->effort;
    arrival->left = left;
    arrival->speed = speed;
}

// Third differences of places that are equally far apart in time.
static void addJerk(Track* track, double x, double y, int64_t step, double rate)
{
    Past* past = &track->past;
    if (past->count > 1 && step != past->step)
        past->count = 1;
    if (past->count == 3) {
        const double dx = x - 3.0 * past->x[0] + 3.0 * past->x[1] - past->x[2];
        const double dy = y - 3.0 * past->y[0] + 3.0 * past->y[1] - past->y[2];
        const double perSecond = rate / (double)step;
        track->jerk += sqrt(dx * dx + dy * dy) * perSecond * perSecond * perSecond;
        track->jerkCount += 1;
    }
    past->x[2] = past->x[1];
    past->y[2] = past->y[1];
    past->x[1] = past->x[0];
    past->y[1] = past->y[0];
    past->x[0] = x;
    past->y[0] = y;
    past->step = step;
    past->count = TH_MIN(past->count + 1, 3);
}

static void beginPiece(Pieces* pieces, int64_t frame, double x, double y)
{
    pieces->begin = frame;
    pieces->x = x;
    pieces->y = y;
}

static void addTurning(Pieces* pieces, int64_t frame, double x, double y, double rate)
{
    const double dx = x - pieces->x, dy = y - pieces->y;
    const bool isLong = dx * dx + dy * dy >= PIECE_LENGTH * PIECE_LENGTH;
    // Where frames are further apart than that, a piece may take one of them.
    const bool isSlow = (double)(frame - pieces->begin) > TH_MAX(PIECE_TIME * rate, 1.0);
    if (isSlow) { // stood: where it goes from here has nothing to do with how it came
        pieces->hasLast = false;
        beginPiece(pieces, frame, x, y);
    } else if (isLong) {
        if (pieces->hasLast) {
            const double cross = pieces->dx * dy - pieces->dy * dx;
            const double dot = pieces->dx * dx + pieces->dy * dy;
            pieces->angle += fabs((double)thAtan2((float)cross, (float)dot));
            pieces->time += 0.5 * (double)(frame - pieces->lastBegin) / rate;
        }
        pieces->hasLast = true;
        pieces->lastBegin = pieces->begin;
        pieces->dx = dx;
        pieces->dy = dy;
        beginPiece(pieces, frame, x, y);
    }
}

static void beginStanding(Track* track, int64_t frame, double x, double y)
{
    track->standBegin = frame;
    track->standX = x;
    track->standY = y;
}

static void addStanding(Track* track, int64_t frame, double x, double y, double rate)
{
    const double dx = x - track->standX, dy = y - track->standY;
    if (dx * dx + dy * dy >= STUCK_LENGTH * STUCK_LENGTH)
        beginStanding(track, frame, x, y);
    else if ((double)(frame - track->standBegin) >= STUCK_TIME * rate)
        track->wasStuck = true;
}

// Somebody comes into sight; what it did before is not known.
static void begin(Track* track, int64_t frame, double x, double y)
{
    track->past = (Past){.count = 1, .x = {x}, .y = {y}};
    track->pieces.hasLast = false;
    beginPiece(&track->pieces, frame, x, y);
    beginStanding(track, frame, x, y);
}

static thResult showFrame(thSurvey* survey, const thSurveyFrame* frame)
{
    TH_TRY(addTracks(survey->peoplePart, survey->persons.count));
    const thSurveyPerson* persons = survey->persons.data;
    const double rate = survey->def.rate;
    for (int32_t i = 0; i < frame->count; ++i) {
        const thSurveyPerson* person = &persons[frame->person[i]];
        Track* track = &TH_ITEMS(survey->peoplePart->tracks, Track)[frame->person[i]];
        const double x = frame->x[i], y = frame->y[i];
        const double dx = x - person->lastX, dy = y - person->lastY;
        const double length = sqrt(dx * dx + dy * dy);
        const int64_t step = frame->number - person->last;
        track->effort += effortOf(length, (double)step / rate);
        noteArrival(survey, track, frame, i, person->length + length,
                    (double)TH_MAX(step, 1) / rate);
        if (frame->since[i] == frame->number) {
            begin(track, frame->number, x, y);
            continue;
        }
        addJerk(track, x, y, step, rate);
        addTurning(&track->pieces, frame->number, x, y, rate);
        addStanding(track, frame->number, x, y, rate);
    }
    return th_resultOk;
}

static double timeOf(const thSurvey* survey, const thSurveyPerson* person)
{
    return (double)(person->last - person->first) / survey->def.rate;
}

static double chordOf(const thSurveyPerson* person)
{
    const double dx = person->lastX - person->firstX, dy = person->lastY - person->firstY;
    return sqrt(dx * dx + dy * dy);
}

// A person's whole path to the nearest point of its goal.
typedef struct Path {
    double length, time, effort;
} Path;

// False: it did not get there, or nothing is known of what was planned.
static bool findPath(const thSurvey* survey, int32_t index, Path* path)
{
    const thSurveyPerson* person = &TH_ITEMS(survey->persons, thSurveyPerson)[index];
    const Arrival* arrival = &TH_ITEMS(survey->peoplePart->tracks, Track)[index].arrival;
    if (!arrival->isThere || !(person->about.planned > 0.0f))
        return false;
    const double time = (double)(arrival->frame - person->first) / survey->def.rate;
    // Who creeps at the end would take for ever.
    const double speed = TH_MAX(arrival->speed, time > 0.0 ? arrival->length / time : 0.0);
    if (!(speed > 0.0))
        return false;
    const double rest = arrival->left / speed;
    *path = (Path){arrival->length + arrival->left, time + rest,
                   arrival->effort + effortOf(arrival->left, rest)};
    return true;
}

static thPersonResult resultOf(const thSurvey* survey, int32_t index)
{
    const thSurveyPerson* person = &TH_ITEMS(survey->persons, thSurveyPerson)[index];
    const Track* track = &TH_ITEMS(survey->peoplePart->tracks, Track)[index];
    const double time = timeOf(survey, person);
    const double planned = (double)person->about.planned, speed = (double)person->about.speed;
    Path path;
    const bool hasPath = findPath(survey, index, &path);
    return (thPersonResult){.id = person->about.id,
                            .first = person->first,
                            .last = person->last,
                            .length = person->length,
                            .speed = time > 0.0 ? person->length / time : 0.0,
                            .effort = track->effort,
                            .pathRatio = hasPath ? path.length / planned : 0.0,
                            .timeRatio = hasPath ? path.time * speed / planned : 0.0};
}

// Effort ÷ the least for the planned path. Of those of whom no such path is known, for the straight
// one if they came far enough. [0: not known]
static double effortRatioOf(const thSurvey* survey, int32_t index)
{
    const thSurveyPerson* person = &TH_ITEMS(survey->persons, thSurveyPerson)[index];
    const Track* track = &TH_ITEMS(survey->peoplePart->tracks, Track)[index];
    const double perMetre = 2.0 * sqrt(EFFORT_STANDING * EFFORT_WALKING);
    Path path;
    if (findPath(survey, index, &path))
        return path.effort / (perMetre * (double)person->about.planned);
    const double chord = chordOf(person);
    const bool isUnderway = track->arrival.hasGoal && person->about.planned > 0.0f;
    return isUnderway || chord < LEAST_CHORD ? 0.0 : track->effort / (perMetre * chord);
}

typedef struct Spreads {
    thValues presence, chordRatio, pathRatio, timeRatio, effort, effortRatio, turning, jerk;
} Spreads;

static thResult addRatios(const thSurvey* survey, Spreads* spreads, int32_t index)
{
    const thSurveyPerson* person = &TH_ITEMS(survey->persons, thSurveyPerson)[index];
    const thPersonResult result = resultOf(survey, index);
    const double chord = chordOf(person), effortRatio = effortRatioOf(survey, index);
    if (chord >= LEAST_CHORD)
        TH_TRY(thiAddValue(&spreads->chordRatio, person->length / chord));
    if (result.pathRatio > 0.0)
        TH_TRY(thiAddValue(&spreads->pathRatio, result.pathRatio));
    if (result.timeRatio > 0.0)
        TH_TRY(thiAddValue(&spreads->timeRatio, result.timeRatio));
    if (effortRatio > 0.0)
        TH_TRY(thiAddValue(&spreads->effortRatio, effortRatio));
    return th_resultOk;
}

static thResult addPerson(const thSurvey* survey, Spreads* spreads, int32_t index)
{
    const thSurveyPerson* person = &TH_ITEMS(survey->persons, thSurveyPerson)[index];
    const Track* track = &TH_ITEMS(survey->peoplePart->tracks, Track)[index];
    TH_TRY(thiAddValue(&spreads->presence, timeOf(survey, person)));
    TH_TRY(thiAddValue(&spreads->effort, track->effort));
    if (track->pieces.time > 0.0)
        TH_TRY(thiAddValue(&spreads->turning, track->pieces.angle / track->pieces.time));
    if (track->jerkCount > 0)
        TH_TRY(thiAddValue(&spreads->jerk, track->jerk / (double)track->jerkCount));
    return addRatios(survey, spreads, index);
}

static thResult addPeople(thSurvey* survey, Spreads* spreads)
{
    const int32_t count = survey->persons.count;
    uint64_t stuck = 0;
    for (int32_t i = 0; i < count; ++i) {
        TH_TRY(addPerson(survey, spreads, i));
        stuck += TH_ITEMS(survey->peoplePart->tracks, Track)[i].wasStuck;
    }
    thSurveyResult* result = &survey->result;
    result->stuckShare = thiShareOf((double)stuck, (uint64_t)count);
    result->presence = thiSpreadOf(&spreads->presence);
    result->chordRatio = thiSpreadOf(&spreads->chordRatio);
    result->pathRatio = thiSpreadOf(&spreads->pathRatio);
    result->timeRatio = thiSpreadOf(&spreads->timeRatio);
    result->effort = thiSpreadOf(&spreads->effort);
    result->effortRatio = thiSpreadOf(&spreads->effortRatio);
    result->turning = thiSpreadOf(&spreads->turning);
    result->jerk = thiSpreadOf(&spreads->jerk);
    return th_resultOk;
}

static thResult endPeople(thSurvey* survey)
{
    thMemory* memory = &survey->memory;
    Spreads spreads = {thiValues(memory), thiValues(memory), thiValues(memory), thiValues(memory),
                       thiValues(memory), thiValues(memory), thiValues(memory), thiValues(memory)};
    const thResult code = addPeople(survey, &spreads);
    thiValuesFree(&spreads.presence);
    thiValuesFree(&spreads.chordRatio);
    thiValuesFree(&spreads.pathRatio);
    thiValuesFree(&spreads.timeRatio);
    thiValuesFree(&spreads.effort);
    thiValuesFree(&spreads.effortRatio);
    thiValuesFree(&spreads.turning);
    thiValuesFree(&spreads.jerk);
    return code;
}

const thSurveyPart thiPeoplePart = {.isFigure = true,
                                    .create = createPeople,
                                    .destroy = destroyPeople,
                                    .showFrame = showFrame,
                                    .end = endPeople};

int32_t thSurvey_GetPersonCount(const thSurvey* survey)
{
    TH_REQUIRE(survey != NULL && survey->ended, 0);
    return survey->def.figures == 1 ? survey->persons.count : 0;
}

thPersonResult thSurvey_GetPerson(const thSurvey* survey, int32_t index)
{
    TH_REQUIRE(survey != NULL && survey->ended, (thPersonResult){0});
    TH_REQUIRE(index >= 0 && index < thSurvey_GetPersonCount(survey), (thPersonResult){0});
    return resultOf(survey, index);
}
