// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Checks of whole objects of a scene: what no value can be checked for by itself.

#include "scene/read/scene_read.h"
#include "throng/roadmap.h"

#include <math.h>

void thiCheckMover(thSceneReader* reader, const thJson* object, void* target, bool good)
{
    (void)reader;
    (void)object;
    (void)good;
    thSceneMover* mover = target;
    mover->isDisc = mover->corners.count == 0;
    if (mover->path.count > 0)
        mover->at = mover->path.items[0];
}

// An agent that prefers to be faster than it can be is as fast as it likes. At the ends of two bell
// curves that is no harm, but where it holds for most of them it is not what was meant. The default
// gives way to any speed.
void thiCheckProfile(thSceneReader* reader, const thJson* object, void* target, bool good)
{
    const thSceneProfile* profile = target;
    const thJson* maxSpeed = thiJsonMember(object, "maxSpeed");
    const double speed = thiDrawMean(&profile->speed), most = thiDrawMean(&profile->maxSpeed);
    char speedText[TH_NUMBER_TEXT], mostText[TH_NUMBER_TEXT];
    if (good && maxSpeed != NULL && most < speed)
        thiSceneError(reader, maxSpeed, "%s m/s is below the preferred speed, %s m/s",
                      thiNumberText(most, mostText), thiNumberText(speed, speedText));
    else if (good && thiDrawLeast(&profile->maxSpeed) < thiDrawMost(&profile->speed))
        thiLog(th_logWarning,
               "profile '%s': maxSpeed may be %g m/s but speed %g m/s; the larger one is taken",
               object->key, thiDrawLeast(&profile->maxSpeed), thiDrawMost(&profile->speed));
}

static bool isInWorld(const thSceneReader* reader, double x, double y)
{
    const thCoord origin = reader->scene->origin;
    return !reader->originKnown ||
           (x >= origin.x - THRONG_MAX_COORDINATE && x <= origin.x + THRONG_MAX_COORDINATE &&
            y >= origin.y - THRONG_MAX_COORDINATE && y <= origin.y + THRONG_MAX_COORDINATE);
}

// Notes an error if a place is outside of the world.
static void requireInWorld(thSceneReader* reader, const thJson* object, double x, double y)
{
    char textX[TH_NUMBER_TEXT], textY[TH_NUMBER_TEXT];
    if (!isInWorld(reader, x, y))
        thiSceneError(reader, object,
                      "reaches to [%s, %s], expected at most %d m from the origin in x and y",
                      thiNumberText(x, textX), thiNumberText(y, textY), (int)THRONG_MAX_COORDINATE);
}

// Places nearer than this are one. [m]
#define LEAST_SPACING 0.001

void thiCheckGrid(thSceneReader* reader, const thJson* object, void* target, bool good)
{
    thScenePlace* place = target;
    place->count = (int64_t)place->columns * place->rows;
    if (!good)
        return;
    const bool sameX = place->columns > 1 && fabs(place->spacing[0]) < LEAST_SPACING;
    const bool sameY = place->rows > 1 && fabs(place->spacing[1]) < LEAST_SPACING;
    if (place->count > TH_SCENE_AGENTS)
        thiSceneError(reader, object, "has %lld places, expected at most %lld",
                      (long long)place->count, (long long)TH_SCENE_AGENTS);
    else if (sameX || sameY)
        thiSceneError(reader, thiJsonMember(object, "spacing"),
                      "is 0 in %s, so that places are the same", sameX ? "x" : "y");
    else
        requireInWorld(reader, object, place->from.x + (place->columns - 1) * place->spacing[0],
                       place->from.y + (place->rows - 1) * place->spacing[1]);
}

void thiCheckCircle(thSceneReader* reader, const thJson* object, void* target, bool good)
{
    const thScenePlace* place = target;
    const thCoord origin = reader->scene->origin;
    if (!good)
        return;
    // The corner of the box round it that is farthest from the origin.
    requireInWorld(reader, object,
                   place->center.x + (place->center.x < origin.x ? -1.0 : 1.0) * place->radius,
                   place->center.y + (place->center.y < origin.y ? -1.0 : 1.0) * place->radius);
}

// The value of that key, or the whole if it was misspelt.
static const thJson* memberOf(const thJson* object, const char* key)
{
    const thJson* member = thiJsonMember(object, key);
    return member != NULL ? member : object;
}

// Copies of one thing at most, the first included.
#define MOST_COPIES 1000000

void thiCheckRepeat(thSceneReader* reader, const thJson* object, void* target, bool good)
{
    const thSceneRepeat* repeat = target;
    const bool sameX = repeat->columns > 1 && fabs(repeat->step[0]) < LEAST_SPACING;
    const bool sameY = repeat->rows > 1 && fabs(repeat->step[1]) < LEAST_SPACING;
    const int64_t copies = (int64_t)repeat->columns * repeat->rows * repeat->count;
    if (!good)
        return;
    if (object->first == NULL)
        thiSceneError(reader, object, "needs columns, rows or around");
    else if ((sameX || sameY) && thiJsonMember(object, "step") == NULL)
        thiSceneError(reader, object, "needs step");
    else if (sameX || sameY)
        thiSceneError(reader, thiJsonMember(object, "step"),
                      "is 0 in %s, so that copies are the same", sameX ? "x" : "y");
    else if (isnan(repeat->around.x) != (thiJsonMember(object, "count") == NULL))
        thiSceneError(reader, object, "needs %s", isnan(repeat->around.x) ? "around" : "count");
    else if (copies > MOST_COPIES)
        thiSceneError(reader, object, "makes %lld of one, expected at most %d", (long long)copies,
                      MOST_COPIES);
}

// How far the copies of a place are from their centre at most. [m]
static double reachOf(const thSceneRepeat* repeat, thCoord place)
{
    double most = 0.0;
    for (int32_t corner = 0; corner < 4; ++corner) {
        const int32_t column = corner % 2 * (repeat->columns - 1);
        const int32_t row = corner / 2 * (repeat->rows - 1);
        const double dx = place.x + column * repeat->step[0] - repeat->around.x;
        const double dy = place.y + row * repeat->step[1] - repeat->around.y;
        most = TH_MAX(most, dx * dx + dy * dy);
    }
    return sqrt(most);
}

// All copies of some places must be in the world; the places themselves are.
static void requireCopiesInWorld(thSceneReader* reader, const thJson* object,
                                 const thSceneRepeat* repeat, const thCoord* places, int32_t count)
{
    const int32_t errors = reader->sink.count;
    const thCoord origin = reader->scene->origin, around = repeat->around;
    for (int32_t i = 0; i < count && reader->sink.count == errors; ++i) {
        const double reach = reachOf(repeat, places[i]);
        if (repeat->count > 1)
            requireInWorld(reader, object, around.x + (around.x < origin.x ? -reach : reach),
                           around.y + (around.y < origin.y ? -reach : reach));
        else
            requireInWorld(reader, object, places[i].x + (repeat->columns - 1) * repeat->step[0],
                           places[i].y + (repeat->rows - 1) * repeat->step[1]);
    }
}

void thiCheckWall(thSceneReader* reader, const thJson* object, void* target, bool good)
{
    const thSceneWall* wall = target;
    const thJson* repeat = thiJsonMember(object, "repeat");
    if (!good || repeat == NULL)
        return;
    if (wall->kind == th_wallFile)
        thiSceneError(reader, repeat, "does not go with 'file'");
    else
        requireCopiesInWorld(reader, repeat, &wall->repeat, wall->shape.points.items,
                             wall->shape.points.count);
}

void thiCheckGoal(thSceneReader* reader, const thJson* object, void* target, bool good)
{
    const thSceneGoal* goal = target;
    const thJson* repeat = thiJsonMember(object, "repeat");
    if (!good || repeat == NULL)
        return;
    if (goal->kind != th_sceneGoalShape)
        thiSceneError(reader, repeat, "only goes with a shape");
    else
        requireCopiesInWorld(reader, repeat, &goal->repeat, goal->shape.points.items,
                             goal->shape.points.count);
}

void thiCheckSource(thSceneReader* reader, const thJson* object, void* target, bool good)
{
    (void)good;
    const thScenePlace* place = target;
    if (place->begin >= place->end)
        thiSceneError(reader, memberOf(object, "to"), "is not after 'from'");
}

static void checkAgentCopies(thSceneReader* reader, const thJson* repeat,
                             const thSceneAgents* agents)
{
    const thScenePlace* place = &agents->place;
    const thCoord center = place->center;
    const double width = (place->columns - 1) * place->spacing[0];
    const double height = (place->rows - 1) * place->spacing[1];
    const thCoord grid[] = {place->from,
                            {place->from.x + width, place->from.y},
                            {place->from.x, place->from.y + height},
                            {place->from.x + width, place->from.y + height}};
    const thCoord circle[] = {{center.x - place->radius, center.y - place->radius},
                              {center.x + place->radius, center.y - place->radius},
                              {center.x - place->radius, center.y + place->radius},
                              {center.x + place->radius, center.y + place->radius}};
    if (place->kind == th_placeGrid)
        requireCopiesInWorld(reader, repeat, &agents->repeat, grid, 4);
    else if (place->kind == th_placeCircle)
        requireCopiesInWorld(reader, repeat, &agents->repeat, circle, 4);
    else if (place->kind == th_placeAt)
        requireCopiesInWorld(reader, repeat, &agents->repeat, place->at.items, place->at.count);
    else
        requireCopiesInWorld(reader, repeat, &agents->repeat, place->region.points.items,
                             place->region.points.count);
}

void thiCheckAgents(thSceneReader* reader, const thJson* object, void* target, bool good)
{
    thSceneAgents* agents = target;
    const thJson* repeat = thiJsonMember(object, "repeat");
    if (good && repeat != NULL)
        checkAgentCopies(reader, repeat, agents);
    if (agents->place.kind != th_placeAt)
        return;
    agents->place.count = agents->place.at.count;
    const bool isOpposite =
        agents->goal >= 0 && agents->goal < reader->allGoals.count &&
        TH_ITEMS(reader->allGoals, thSceneGoal)[agents->goal].kind == th_sceneGoalOpposite;
    if (isOpposite && thiJsonMember(object, "at") != NULL)
        thiSceneError(reader, memberOf(object, "goal"),
                      "\"opposite\" needs 'in', 'grid', 'circle' or 'source', not 'at'");
}

void thiCheckRoadmap(thSceneReader* reader, const thJson* object, void* target, bool good)
{
    const thSceneRoadmap* roadmap = target;
    const thJson* edges = thiJsonMember(object, "edges");
    const int32_t count = roadmap->nodes.count / 2;
    if (good && edges == NULL && count > THRONG_ROADMAP_SIGHTS)
        thiSceneError(reader, object, "needs 'edges', because it has more than %d nodes",
                      THRONG_ROADMAP_SIGHTS);
    if (!good || edges == NULL)
        return;
    for (const thJson* item = edges->first; item != NULL; item = item->next) {
        const int32_t a = roadmap->edges[2 * item->index], b = roadmap->edges[2 * item->index + 1];
        if (a >= count || b >= count)
            thiSceneError(reader, item, "there is no node %d, expected 0 .. %d", (int)TH_MAX(a, b),
                          (int)count - 1);
        else if (a == b)
            thiSceneError(reader, item, "joins node %d to itself", (int)a);
    }
}

void thiCheckStreets(thSceneReader* reader, const thJson* object, void* target, bool good)
{
    const thSceneRoadmap* roadmap = target;
    const int64_t count = (int64_t)roadmap->columns * roadmap->rows;
    if (!good)
        return;
    if (count > THRONG_ROADMAP_NODES)
        thiSceneError(reader, object, "has %lld crossings, expected at most %d", (long long)count,
                      THRONG_ROADMAP_NODES);
    else
        requireInWorld(reader, object,
                       roadmap->from.x + (roadmap->columns - 1) * roadmap->spacing[0],
                       roadmap->from.y + (roadmap->rows - 1) * roadmap->spacing[1]);
}

void thiCheckCells(thSceneReader* reader, const thJson* object, void* target, bool good)
{
    const thSceneRoadmap* roadmap = target;
    const thCoord* corners = roadmap->box.points.items;
    if (!good || roadmap->box.points.count == 0)
        return;
    // As the world counts them, with room for what it rounds.
    const double columns = fabs(corners[1].x - corners[0].x) / roadmap->side + 2.0;
    const double rows = fabs(corners[1].y - corners[0].y) / roadmap->side + 2.0;
    if (columns * rows > THRONG_ROADMAP_NODES)
        thiSceneError(reader, object, "has %.0f cells, expected at most %d", columns * rows,
                      THRONG_ROADMAP_NODES);
}
