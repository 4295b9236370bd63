// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Where agents stand at the beginning: first those whose places the scene tells, then those that
// are placed at random, so that these keep clear of them. All that are wrong are told.

#include "base/float_math.h"
#include "move/free_place.h"
#include "scene/run/placement.h"
#include "scene/run/scene_run.h"
#include "sim/ranges.h"
#include "throng/random.h"

#include <math.h>

// Errors of one entry that are told one by one.
#define TOLD_ERRORS 20

typedef struct Places {
    thRun* run;
    thCrowd* crowd;
    thRunErrors* errors;
} Places;

// Errors. They are told at the agent's own place in the file where it has one.

const thJson* thiPlaceSource(const thRun* run, int32_t entry, int32_t i)
{
    static const char* const keys[] = {"at", "in", "grid", "circle", "source"};
    const thSceneAgents* agents = &run->scene->agents[entry];
    const thJson* place =
        agents->source != NULL ? thiJsonMember(agents->source, keys[agents->place.kind]) : NULL;
    if (place == NULL)
        return agents->source;
    if (agents->place.kind != th_placeAt || place->first->kind != th_jsonArray)
        return place;
    const thJson* point = place->first;
    for (int32_t left = i % agents->place.at.count; left > 0; --left)
        point = point->next;
    return point;
}

double thiToldMetres(double metres)
{
    return floor(metres * 1000.0 + 0.5) / 1000.0;
}

bool thiIsTold(thRunErrors* errors)
{
    return errors->alike++ < TOLD_ERRORS;
}

void thiTellTheRest(const thRun* run, int32_t entry, thRunErrors* errors)
{
    if (errors->alike > TOLD_ERRORS)
        thiReportAt(&errors->sink, th_resultBlocked, run->scene->agents[entry].source,
                    "and %d more agents like these", (int)(errors->alike - TOLD_ERRORS));
    errors->alike = 0;
}

static void tellBlocked(Places* places, int32_t entry, int32_t i, thCoord at,
                        const thPlacedBody* body)
{
    if (!thiIsTold(places->errors))
        return;
    const bool inSolid =
        thiIsInSolid(places->run->world->walls.grid, body->level, body->at.x, body->at.y);
    thiReportAt(&places->errors->sink, th_resultBlocked, thiPlaceSource(places->run, entry, i),
                "agent %d, of radius %g m, at (%.10g, %.10g) stands in a wall%s", (int)i,
                (double)body->radius, thiToldMetres(at.x), thiToldMetres(at.y),
                inSolid ? " or outside of the room" : "");
}

static void tellTwin(Places* places, int32_t entry, int32_t i, thCoord at)
{
    if (thiIsTold(places->errors))
        thiReportAt(&places->errors->sink, th_resultBlocked, thiPlaceSource(places->run, entry, i),
                    "agent %d stands at (%.10g, %.10g), where another one stands already", (int)i,
                    thiToldMetres(at.x), thiToldMetres(at.y));
}

static void tellOutside(Places* places, int32_t entry, int32_t i, thCoord at)
{
    if (thiIsTold(places->errors))
        thiReportAt(&places->errors->sink, th_resultBlocked, thiPlaceSource(places->run, entry, i),
                    "agent %d would stand at (%.10g, %.10g), more than %d m from the origin",
                    (int)i, thiToldMetres(at.x), thiToldMetres(at.y), (int)THRONG_MAX_COORDINATE);
}

static void tellTooMany(Places* places, int32_t entry, const thPlacingFigures* figures)
{
    const int32_t count = (int32_t)places->run->scene->agents[entry].place.count;
    const thJson* source = thiPlaceSource(places->run, entry, 0);
    if (figures->freeArea > 0.0)
        thiReportAt(&places->errors->sink, th_resultBlocked, source,
                    "room was found for %d of %d agents: on %.3g m² of free ground these would be "
                    "%.3g per m², while at most about %.3g per m² of their size fit, fewer beside "
                    "walls and other agents",
                    (int)figures->placed, (int)count, figures->freeArea, count / figures->freeArea,
                    figures->mostPerArea);
    else
        thiReportAt(&places->errors->sink, th_resultBlocked, source,
                    "there is no free ground in the region");
}

// Places that the scene tells.

static thCoord placeInGrid(const thRun* run, const thScenePlace* place, int32_t i, uint64_t key)
{
    const uint64_t stream = thRandomStream(run->seed, key, 0, th_runJitter);
    const double x = 2.0 * (double)thRandomUnit(stream, 0) - 1.0;
    const double y = 2.0 * (double)thRandomUnit(stream, 1) - 1.0;
    return (thCoord){place->from.x + i % place->columns * place->spacing[0] + place->jitter * x,
                     place->from.y + i / place->columns * place->spacing[1] + place->jitter * y};
}

static thCoord placeOnCircle(const thScenePlace* place, int32_t i)
{
    float sine, cosine;
    thSinCos(2.0f * TH_PI * (float)i / (float)place->count, &sine, &cosine);
    return (thCoord){place->center.x + place->radius * (double)cosine,
                     place->center.y + place->radius * (double)sine};
}

static thCoord placeOf(const thRun* run, int32_t entry, int32_t i)
{
    const thScenePlace* place = &run->scene->agents[entry].place;
    const thCopy copy = thiCopyOf(&run->scene->agents[entry].repeat, (int32_t)(i / place->count));
    const int32_t ordinal = (int32_t)(i % place->count);
    const uint64_t key = run->firstKeys[entry] + (uint64_t)i;
    return thiInCopy(&copy, place->kind == th_placeAt     ? place->at.items[ordinal]
                            : place->kind == th_placeGrid ? placeInGrid(run, place, ordinal, key)
                                                          : placeOnCircle(place, ordinal));
}

// Bodies may overlap where the scene says so, but not stand at the same place: nothing would tell
// which way they part.
static void placeListed(Places* places, int32_t entry)
{
    const thRun* run = places->run;
    const thSceneAgents* agents = &run->scene->agents[entry];
    const int32_t first = thiEntryFirst(run, entry);
    for (int32_t i = 0; i < thiEntryCount(run, entry); ++i) {
        const thCoord at = placeOf(run, entry, i);
        thVec2 place;
        if (!thiToWorld(at, run->scene->origin, &place)) {
            tellOutside(places, entry, i, at);
            continue;
        }
        const thPlacedBody body = {thiPointOf(place), places->crowd->radii[first + i],
                                   agents->level};
        if (!thiIsFreePlace(run->world->walls.grid, body.level, body.at, body.radius))
            tellBlocked(places, entry, i, at, &body);
        else if (thiFindTwin(&places->crowd->bodies, body, first + i) >= 0)
            tellTwin(places, entry, i, at);
        thiAddBody(&places->crowd->bodies, first + i, body);
    }
    thiTellTheRest(run, entry, places->errors);
}

static thResult placeAtRandom(Places* places, int32_t entry, int32_t number)
{
    thRun* run = places->run;
    const thSceneAgents* agents = &run->scene->agents[entry];
    const int32_t count = (int32_t)agents->place.count;
    const int32_t first = thiEntryFirst(run, entry) + number * count;
    const thCopy copy = thiCopyOf(&agents->repeat, number);
    thRegion region;
    TH_TRY(thiMakeRegion(&agents->place.region, &copy, run->scene->origin, &run->arena, &region));
    const thPlacing placing = {.walls = run->world->walls.grid,
                               .bodies = &places->crowd->bodies,
                               .region = &region,
                               .gap = agents->place.gap,
                               .first = first,
                               .count = count,
                               .radii = &places->crowd->radii[first],
                               .level = agents->level,
                               .seed = run->seed};
    thPlacingFigures figures = {0};
    const thResult code = thiPlaceAtRandom(&placing, &figures);
    if (code != th_resultFull)
        return code;
    tellTooMany(places, entry, &figures);
    return th_resultOk;
}

static thResult placeCopies(Places* places, int32_t entry)
{
    const int32_t errorsBefore = places->errors->sink.count;
    const int32_t count = thiCopyCount(&places->run->scene->agents[entry].repeat);
    for (int32_t i = 0; i < count && places->errors->sink.count == errorsBefore; ++i)
        TH_TRY(placeAtRandom(places, entry, i));
    return th_resultOk;
}

thResult thiPlaceCrowd(thRun* run, thCrowd* crowd, thRunErrors* errors)
{
    Places places = {run, crowd, errors};
    const thScene* scene = run->scene;
    for (int32_t i = 0; i < scene->agentsCount; ++i) {
        const thPlaceKind kind = scene->agents[i].place.kind;
        if (kind != th_placeIn && kind != th_placeSource)
            placeListed(&places, i);
    }
    for (int32_t i = 0; i < scene->agentsCount; ++i)
        if (scene->agents[i].place.kind == th_placeIn && thiEntryCount(run, i) > 0)
            TH_TRY(placeCopies(&places, i));
    return th_resultOk;
}
