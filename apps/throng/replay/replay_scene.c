// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Scenes of recordings: what is told of each person, and the scene as text. A world with the walls
// alone says where nobody can stand.

#include "replay/replay_scene.h"

#include "output.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <throng/query.h>

// How a track is read; docs/program.md tells of these.
#define SMOOTHING 1.0    // speeds are taken over this time [s]
#define STANDS_BELOW 0.2 // who is slower stands [m/s]
#define LEAST_PAUSE 2.0  // who stands for less walks on [s]

#define USUAL_RADIUS 0.2     // of people of whom none is recorded [m]
#define CLEARANCE 0.005      // of moved people from walls [m]
#define ARRIVAL_DISTANCE 0.1 // [m]
#define LONGEST_STEP 0.1     // [s]
#define SHORTEST_STEP 0.0333 // [s]
#define GREATEST_SPEED 20.0  // that a scene takes [m/s]

typedef struct Pause {
    double from, to; // [s]
} Pause;

// What the scene says of a person.
typedef struct Replayed {
    const Track* track;
    thPlace goal;
    double vx, vy; // at first [m/s]
    double speed;  // [m/s; 0: it never walked]
    int32_t firstPause, pauseCount;
    int32_t level, group;
} Replayed;

typedef struct Replay {
    const Recording* recording;
    const Tracks* tracks;
    const ReplayDef* def;
    Replayed* people;
    int32_t count;
    Pause* pauses;
    int32_t pauseCount, pauseCapacity;
    double shift; // of times, so that none is negative [s]
    double step;  // [s]
    double radius;
    thPlace origin;
    int32_t seenOnce, tooFast, startsMoved, goalsMoved;
    double farthestStart, farthestGoal; // that were moved [m]
    double leastRadius, greatestRadius; // that are recorded [m]
} Replay;

// --- People ---

// A whole part of the time from frame to frame, or a multiple: so frames fall on steps.
static double stepFor(double rate)
{
    const double interval = 1.0 / rate;
    if (interval > LONGEST_STEP)
        return interval / ceil(interval / LONGEST_STEP - 1e-9);
    return interval * ceil(SHORTEST_STEP / interval - 1e-9);
}

static bool addPause(Replay* replay, Replayed* person, Pause pause)
{
    if (replay->pauseCount == replay->pauseCapacity) {
        const int32_t capacity = 2 * replay->pauseCapacity + 64;
        Pause* grown = realloc(replay->pauses, (size_t)capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        replay->pauses = grown;
        replay->pauseCapacity = capacity;
    }
    replay->pauses[replay->pauseCount++] = pause;
    person->pauseCount += 1;
    return true;
}

// The mean of speeds above STANDS_BELOW at times that are far from pauses. [0: there are none]
static double meanWalking(const Replay* replay, const Replayed* person, const double* speeds)
{
    double sum = 0.0;
    int32_t count = 0;
    for (int32_t i = 0; i < person->track->count; ++i) {
        const double time = person->track->points[i].time;
        bool isFar = speeds[i] >= STANDS_BELOW;
        for (int32_t k = 0; k < person->pauseCount && isFar; ++k) {
            const Pause* pause = &replay->pauses[person->firstPause + k];
            isFar = time < pause->from - 0.5 * SMOOTHING || time > pause->to + 0.5 * SMOOTHING;
        }
        if (isFar) {
            sum += speeds[i];
            count += 1;
        }
    }
    return count > 0 ? sum / count : 0.0;
}

// Who stands does so from where its speed falls below half of what it walks at to where it rises
// above that again: smoothed speeds are halfway down when it stops.
static bool findPauses(Replay* replay, Replayed* person, const double* speeds, double half)
{
    const Track* track = person->track;
    for (int32_t i = 0; i < track->count; ++i) {
        if (speeds[i] >= STANDS_BELOW)
            continue;
        int32_t first = i, last = i;
        while (first > 0 && speeds[first - 1] < half)
            --first;
        while (last + 1 < track->count && speeds[last + 1] < half)
            ++last;
        const Pause pause = {track->points[first].time, track->points[last].time};
        if (pause.to - pause.from >= LEAST_PAUSE - 1e-9 && !addPause(replay, person, pause))
            return false;
        i = last;
    }
    return true;
}

// The speed at which it walks, and the times at which it stands.
static bool readTrack(Replay* replay, Replayed* person)
{
    const Track* track = person->track;
    double* speeds = malloc((size_t)track->count * sizeof *speeds);
    if (speeds == NULL)
        return false;
    for (int32_t i = 0; i < track->count; ++i)
        speeds[i] = appSpeedAt(track, track->points[i].time, SMOOTHING);
    person->firstPause = replay->pauseCount;
    const double roughly = meanWalking(replay, person, speeds);
    const bool good = findPauses(replay, person, speeds, fmax(0.5 * roughly, STANDS_BELOW));
    const double walking = meanWalking(replay, person, speeds);
    person->speed = walking > 0.0 ? walking : roughly;
    replay->tooFast += person->speed > GREATEST_SPEED;
    person->speed = fmin(person->speed, GREATEST_SPEED);
    if (replay->def->withoutPauses) {
        replay->pauseCount = person->firstPause;
        person->pauseCount = 0;
    }
    free(speeds);
    return good;
}

static double speedOf(const Replayed* person) // at first [m/s]
{
    return sqrt(person->vx * person->vx + person->vy * person->vy);
}

static void readBeginning(Replayed* person)
{
    const TrackPoint* first = &person->track->points[0];
    const TrackPoint* last = &person->track->points[person->track->count - 1];
    const double until = fmin(first->time + 0.5 * SMOOTHING, last->time);
    const thPlace next = appPlaceAt(person->track, until);
    person->vx = (next.x - first->x) / (until - first->time);
    person->vy = (next.y - first->y) / (until - first->time);
    if (speedOf(person) > GREATEST_SPEED)
        person->vx = person->vy = 0.0;
    person->goal = (thPlace){last->x, last->y};
}

static int byValue(const void* a, const void* b)
{
    const double left = *(const double*)a, right = *(const double*)b;
    return (left > right) - (left < right);
}

// The median of what is recorded.
static bool findRadius(Replay* replay)
{
    double* radii = malloc(((size_t)replay->count + 1) * sizeof *radii);
    int32_t count = 0;
    if (radii == NULL)
        return false;
    for (int32_t i = 0; i < replay->count; ++i) {
        const thRecordedPerson* about =
            appFindPerson(replay->recording, replay->people[i].track->id);
        if (about != NULL && about->radius > 0.0f)
            radii[count++] = (double)about->radius;
    }
    qsort(radii, (size_t)count, sizeof *radii, byValue);
    replay->radius = count > 0 ? fmin(fmax(radii[count / 2], 0.05), 10.0) : USUAL_RADIUS;
    replay->leastRadius = count > 0 ? radii[0] : USUAL_RADIUS;
    replay->greatestRadius = count > 0 ? radii[count - 1] : USUAL_RADIUS;
    free(radii);
    return true;
}

static bool readPeople(Replay* replay)
{
    replay->people = calloc((size_t)replay->tracks->count + 1, sizeof *replay->people);
    if (replay->people == NULL)
        return false;
    double first = INFINITY;
    for (int32_t i = 0; i < replay->tracks->count; ++i) {
        const Track* track = &replay->tracks->items[i];
        const thRecordedPerson* about = appFindPerson(replay->recording, track->id);
        Replayed* person = &replay->people[replay->count];
        if (track->count < 2) {
            replay->seenOnce += 1;
            continue;
        }
        *person = (Replayed){.track = track,
                             .level = about != NULL ? about->level : 0,
                             .group = about != NULL ? about->group : -1};
        if (!readTrack(replay, person))
            return false;
        readBeginning(person);
        first = fmin(first, track->points[0].time);
        replay->count += 1;
    }
    replay->shift = first < 0.0 ? -first : 0.0;
    return findRadius(replay);
}

// --- The scene as text ---

// Tenths of a millimetre are enough.
static double rounded(double number, double steps)
{
    return floor(number * steps + 0.5) / steps;
}

static void writePlace(JsonOut* out, const char* key, double x, double y)
{
    appJsonBegin(out, key, '[', false);
    appJsonNumber(out, NULL, rounded(x, 1e4));
    appJsonNumber(out, NULL, rounded(y, 1e4));
    appJsonEnd(out, ']');
}

static bool isWall(const thRecordedShape* shape)
{
    return (shape->kind == th_shapeSolid && shape->pointCount >= 3) ||
           (shape->kind == th_shapeRoom && shape->pointCount >= 3) ||
           (shape->kind == th_shapeWall && shape->pointCount >= 2);
}

// Several rooms on a floor are rings of thin walls: outside of one may be inside of another.
static bool isOnlyRoom(const Replay* replay, int32_t index)
{
    const thRecordedShape* shapes = replay->def->shapes;
    for (int32_t i = 0; i < replay->def->shapeCount; ++i)
        if (i != index && shapes[i].kind == th_shapeRoom && shapes[i].level == shapes[index].level)
            return false;
    return true;
}

static void writeWall(JsonOut* out, const Replay* replay, int32_t index)
{
    const thRecordedShape* shape = &replay->def->shapes[index];
    const bool isRing = shape->kind == th_shapeRoom && !isOnlyRoom(replay, index);
    const char* key = shape->kind == th_shapeSolid             ? "polygon"
                      : shape->kind == th_shapeRoom && !isRing ? "room"
                                                               : "polyline";
    appJsonBegin(out, NULL, '{', false);
    appJsonBegin(out, key, '[', false);
    for (int32_t i = 0; i < shape->pointCount + isRing; ++i) {
        const thPlace* point = &shape->points[i % shape->pointCount];
        writePlace(out, NULL, point->x, point->y);
    }
    appJsonEnd(out, ']');
    if (shape->level != 0)
        appJsonWhole(out, "level", shape->level);
    appJsonEnd(out, '}');
}

static int32_t countWalls(const Replay* replay)
{
    int32_t count = 0;
    for (int32_t i = 0; i < replay->def->shapeCount; ++i)
        count += isWall(&replay->def->shapes[i]);
    return count;
}

static void writePauses(JsonOut* out, const Replay* replay, const Replayed* person)
{
    appJsonBegin(out, "pauses", '[', false);
    for (int32_t i = 0; i < person->pauseCount; ++i) {
        const Pause* pause = &replay->pauses[person->firstPause + i];
        appJsonBegin(out, NULL, '[', false);
        appJsonNumber(out, NULL, rounded(pause->from + replay->shift, 1e6));
        appJsonNumber(out, NULL, rounded(pause->to + replay->shift, 1e6));
        appJsonEnd(out, ']');
    }
    appJsonEnd(out, ']');
}

static void writePerson(JsonOut* out, const Replay* replay, const Replayed* person)
{
    const TrackPoint* first = &person->track->points[0];
    appJsonBegin(out, NULL, '{', false);
    writePlace(out, "at", first->x, first->y);
    appJsonWhole(out, "id", person->track->id);
    appJsonNumber(out, "appear", rounded(first->time + replay->shift, 1e6));
    if (speedOf(person) >= 1e-3)
        writePlace(out, "velocity", person->vx, person->vy);
    if (person->speed > 0.0)
        appJsonNumber(out, "speed", rounded(person->speed, 1e4));
    appJsonBegin(out, "goal", '{', false);
    writePlace(out, "point", person->goal.x, person->goal.y);
    appJsonEnd(out, '}');
    appJsonText(out, "arrive", "leave");
    if (person->pauseCount > 0)
        writePauses(out, replay, person);
    if (person->group >= 0) {
        char name[32];
        snprintf(name, sizeof name, "group %d", (int)person->group);
        appJsonText(out, "group", name);
    }
    if (person->level != 0)
        appJsonWhole(out, "level", person->level);
    appJsonEnd(out, '}');
}

static void writeScene(JsonOut* out, const Replay* replay, bool withPeople)
{
    char about[512];
    snprintf(about, sizeof about,
             "%.300s again: %d people appear when and where they did and head for where they got.",
             appFileName(replay->recording->path), (int)replay->count);
    appJsonBegin(out, NULL, '{', true);
    appJsonWhole(out, "throng", 1);
    appJsonText(out, "about", about);
    appJsonBegin(out, "time", '{', false);
    appJsonNumber(out, "step", replay->step);
    appJsonBegin(out, "end", '{', false);
    appJsonBool(out, "arrived", true);
    appJsonNumber(out, "at", rounded(replay->tracks->lastTime + replay->shift, 1e6));
    appJsonEnd(out, '}');
    appJsonEnd(out, '}');
    if (replay->origin.x != 0.0 || replay->origin.y != 0.0)
        writePlace(out, "origin", replay->origin.x, replay->origin.y);
    if (countWalls(replay) > 0) {
        appJsonBegin(out, "walls", '[', true);
        for (int32_t i = 0; i < replay->def->shapeCount; ++i)
            if (isWall(&replay->def->shapes[i]))
                writeWall(out, replay, i);
        appJsonEnd(out, ']');
    }
    appJsonBegin(out, "profiles", '{', true);
    appJsonBegin(out, "person", '{', false);
    appJsonNumber(out, "radius", rounded(replay->radius, 1e4));
    appJsonNumber(out, "arrivalDistance", ARRIVAL_DISTANCE);
    appJsonText(out, "pace", "none"); // their speeds are those that they had in the crowd
    if (countWalls(replay) > 0)
        appJsonText(out, "plan", "visibility");
    appJsonEnd(out, '}');
    appJsonEnd(out, '}');
    appJsonBegin(out, "agents", '[', true);
    for (int32_t i = 0; withPeople && i < replay->count; ++i)
        writePerson(out, replay, &replay->people[i]);
    appJsonEnd(out, ']');
    appJsonEnd(out, '}');
}

// To be freed; NULL, and said, when memory is out.
static char* makeText(const Replay* replay, bool withPeople, size_t* size)
{
    char* text = NULL;
    JsonOut json = {.stream = open_memstream(&text, size)};
    if (json.stream != NULL) {
        writeScene(&json, replay, withPeople);
        if (fclose(json.stream) == 0)
            return text;
    }
    free(text);
    appSay("no memory");
    return NULL;
}

// --- Where nobody can stand ---

static void keepFirst(void* context, const thError* error)
{
    thError* first = context;
    if (first->text[0] == '\0')
        *first = *error;
}

// Whether what was written is a scene, whose run is made without agents. [NULL: it is not, which is
// said]
static thScene* loadText(const Replay* replay, const char* text, size_t size)
{
    thScene* scene = NULL;
    thError error = {0};
    thSceneDef def = thDefaultSceneDef();
    def.text = text;
    def.textSize = size;
    def.report = keepFirst;
    def.reportContext = &error;
    if (thLoadScene(&def, &scene) != th_resultOk)
        appSay("'%s' makes no scene: %s: %s", replay->recording->path, error.path, error.text);
    return scene;
}

// Puts somebody at the nearest place where it can stand; returns how far that is. [m]
static double findStand(thWorld* world, thProfileId profile, const Replay* replay, int32_t level,
                        thPlace* place)
{
    thAgentDef def = thDefaultAgentDef();
    thAgentId agent;
    def.profile = profile;
    def.position =
        (thVec2){(float)(place->x - replay->origin.x), (float)(place->y - replay->origin.y)};
    def.radius = (float)(replay->radius + CLEARANCE); // places are rounded when they are written
    def.level = level;
    def.placement = th_placementNearest;
    if (thWorld_IsFree(world, def.position, def.radius, level) ||
        thCreateAgent(world, &def, &agent) != th_resultOk)
        return 0.0;
    const thVec2 found = thAgent_Get(world, agent).position;
    const thPlace before = *place;
    (void)thDestroyAgent(world, agent);
    *place = (thPlace){(double)found.x + replay->origin.x, (double)found.y + replay->origin.y};
    return appDistance(before, *place);
}

// Beginnings are told as they were, because the run finds such a place itself; goals are moved.
static ExitCode movePeople(Replay* replay, thWorld* world)
{
    thProfileDef def = thDefaultProfileDef();
    thProfileId profile;
    thResult result = thCreateProfile(world, &def, &profile, NULL);
    for (int32_t i = 0; result == th_resultOk && i < replay->count; ++i) {
        Replayed* person = &replay->people[i];
        thPlace start = {person->track->points[0].x, person->track->points[0].y};
        const double startMoved = findStand(world, profile, replay, person->level, &start);
        const double goalMoved = findStand(world, profile, replay, person->level, &person->goal);
        replay->startsMoved += startMoved > 0.0;
        replay->goalsMoved += goalMoved > 0.0;
        replay->farthestStart = fmax(replay->farthestStart, startMoved);
        replay->farthestGoal = fmax(replay->farthestGoal, goalMoved);
    }
    if (result != th_resultOk)
        appSay("cannot build the walls: %s", thResult_GetText(result));
    return result == th_resultOk ? exitDone : appExitOf(result);
}

static ExitCode moveOffWalls(Replay* replay)
{
    size_t size;
    thError error = {0};
    thRun* run = NULL;
    if (countWalls(replay) == 0)
        return exitDone;
    char* text = makeText(replay, false, &size);
    thScene* scene = text != NULL ? loadText(replay, text, size) : NULL;
    ExitCode code = text == NULL ? exitEnvironment : scene == NULL ? exitUsage : exitDone;
    if (code == exitDone) {
        thRunDef def = thDefaultRunDef();
        def.withoutAgents = 1;
        def.report = keepFirst;
        def.reportContext = &error;
        const thResult result = thCreateRun(scene, &def, &run);
        if (result != th_resultOk) {
            appSay("the walls of '%s' make no scene: %s", replay->recording->path, error.text);
            code = appExitOf(result);
        } else {
            code = movePeople(replay, thRun_GetWorld(run));
        }
    }
    thDestroyRun(run);
    thDestroyScene(scene);
    free(text);
    return code;
}

// --- What is said ---

static int32_t countPausing(const Replay* replay)
{
    int32_t pausing = 0;
    for (int32_t i = 0; i < replay->count; ++i)
        pausing += replay->people[i].pauseCount > 0;
    return pausing;
}

static void tell(const Replay* replay)
{
    printf("%s: %d people in %.6g s, steps of %.3g s, %d walls; %d people pause, %d times\n",
           replay->def->path, (int)replay->count,
           replay->tracks->lastTime - replay->tracks->firstTime, replay->step,
           (int)countWalls(replay), (int)countPausing(replay), (int)replay->pauseCount);
}

static bool isSameShape(const thRecordedShape* a, const thRecordedShape* b)
{
    return a->kind == b->kind && a->level == b->level && a->pointCount == b->pointCount &&
           memcmp(a->points, b->points, (size_t)a->pointCount * sizeof *a->points) == 0;
}

// Whether the walls at the end of the recording are those of its beginning.
static bool hasSameWalls(const Replay* replay)
{
    const Recording* end = replay->recording;
    int32_t i = 0, k = 0;
    for (;;) {
        while (i < replay->def->shapeCount && !isWall(&replay->def->shapes[i]))
            ++i;
        while (k < end->shapeCount && !isWall(&end->shapes[k]))
            ++k;
        if (i == replay->def->shapeCount || k == end->shapeCount)
            return i == replay->def->shapeCount && k == end->shapeCount;
        if (!isSameShape(&replay->def->shapes[i++], &end->shapes[k++]))
            return false;
    }
}

static void tellNotes(const Replay* replay)
{
    int32_t moving = 0;
    for (int32_t i = 0; i < replay->def->shapeCount; ++i)
        moving += replay->def->shapes[i].kind == th_shapeMovingDisc ||
                  replay->def->shapes[i].kind == th_shapeMovingPolygon;
    if (replay->seenOnce > 0)
        appSay("note: %d people are in one frame only, and left out", (int)replay->seenOnce);
    if (replay->startsMoved > 0)
        appSay("note: %d people begin where walls leave no room for a radius of %.3g m; they will "
               "appear at the nearest free place, up to %.3g m away",
               (int)replay->startsMoved, replay->radius, replay->farthestStart);
    if (replay->goalsMoved > 0)
        appSay("note: %d people end where walls leave no room; their goals are at the nearest free "
               "place, up to %.3g m away",
               (int)replay->goalsMoved, replay->farthestGoal);
    if (countPausing(replay) > replay->count / 2)
        appSay("note: most people pause; if they stand because of others, as in a jam, leave that "
               "to the method: --no-pauses");
    if (!hasSameWalls(replay))
        appSay("note: walls come or go in the recording; the scene has those of its beginning");
    if (moving > 0)
        appSay("note: %d obstacles move, and are left out", (int)moving);
    if (replay->greatestRadius - replay->leastRadius > 1e-3)
        appSay("note: recorded radii are %.3g .. %.3g m; in the scene all are %.3g m",
               replay->leastRadius, replay->greatestRadius, replay->radius);
    if (replay->tooFast > 0)
        appSay("note: %d people are faster than %g m/s; unit or frame rate may be wrong, see "
               "--unit and --rate",
               (int)replay->tooFast, GREATEST_SPEED);
    if (replay->shift > 0.0)
        appSay("note: times of the scene are %.6g s later than those of the recording; 'throng "
               "measure' needs --offset %.6g to compare with it",
               replay->shift, -replay->shift);
}

static ExitCode writeReplay(Replay* replay)
{
    size_t size;
    ExitCode code = moveOffWalls(replay);
    if (code != exitDone)
        return code;
    char* text = makeText(replay, true, &size);
    thScene* scene = text != NULL ? loadText(replay, text, size) : NULL;
    if (text == NULL)
        code = exitEnvironment;
    else if (scene == NULL)
        code = exitUsage;
    else if (!appReplaceFile(replay->def->path, text, size))
        code = exitEnvironment;
    thDestroyScene(scene);
    free(text);
    return code;
}

// What cannot be said in a scene.
static ExitCode checkPeople(const Replay* replay)
{
    const Tracks* tracks = replay->tracks;
    const char* path = replay->recording->path;
    if (tracks->count == 0)
        appSay("'%s' has no people, of whom a scene could be made", path);
    else if (replay->count == 0)
        appSay("'%s' has everybody in one frame only, expected people who are seen for a while",
               path);
    else if (tracks->items[tracks->count - 1].id > INT32_MAX)
        appSay("'%s' has a person %" PRIu32 ", but ids in scenes are at most %" PRId32, path,
               tracks->items[tracks->count - 1].id, INT32_MAX);
    else
        return exitDone;
    return exitUsage;
}

ExitCode appWriteReplay(const Recording* recording, const Tracks* tracks, const ReplayDef* def)
{
    Replay replay = {.recording = recording,
                     .tracks = tracks,
                     .def = def,
                     .step = stepFor(def->rate),
                     .origin = recording->head.origin};
    ExitCode code = exitDone;
    if (!readPeople(&replay)) {
        appSay("no memory");
        code = exitEnvironment;
    } else {
        code = checkPeople(&replay);
    }
    if (code == exitDone)
        code = writeReplay(&replay);
    if (code == exitDone && !def->quiet) {
        tell(&replay);
        tellNotes(&replay);
    }
    free(replay.people);
    free(replay.pauses);
    return code;
}
