// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What method `meso` thinks of an agent: the groups that it perceives and what becomes of each, the
// velocities that are forbidden, and the choice. In steps between choices these are the groups as
// they are now.

#include "geom/vec2.h"
#include "group/meso/meso.h"
#include "method/method_marks.h"

#include <math.h>
#include <stdio.h>

// Directions in which hulls are looked at.
#define HULL_POINTS 48

static const char* const fateNames[] = {
    [th_mesoObstacle] = "group",          [th_mesoSingle] = "too few",
    [th_mesoOwn] = "own group",           [th_mesoLoose] = "loose group",
    [th_mesoAround] = "group all around", [th_mesoGoal] = "group at the goal",
    [th_mesoFurther] = "further group"};

// The hull of the bodies: the furthest point in each direction.
static void addHull(const thMesoView* view, int32_t group, float ownRadius, thExplanation* to)
{
    thVec2 points[HULL_POINTS];
    for (int32_t k = 0; k < HULL_POINTS; ++k) {
        thVec2 out;
        thSinCos(6.2831853f * (float)k / (float)HULL_POINTS, &out.y, &out.x);
        float furthest = -TH_FAR_OUTSIDE;
        for (int32_t i = 0; i < view->agentCount; ++i) {
            const thMesoAgent* agent = &view->agents[i];
            const float by = thiDot(out, agent->place) + (agent->reach - ownRadius);
            if (agent->group != group || !(by > furthest))
                continue;
            furthest = by;
            points[k] = thiAddScaled(agent->place, agent->reach - ownRadius, out);
        }
    }
    thMark mark = thDefaultMark();
    mark.kind = th_markRegion;
    mark.space = th_spacePlace;
    mark.cause = th_causeAgent;
    mark.whose = view->groups[group].key;
    mark.points = points;
    mark.pointCount = HULL_POINTS;
    mark.label = fateNames[view->groups[group].fate];
    thExplanation_Add(to, &mark);
}

// Where the borders of two sides cross.
static thVec2 crossingOf(const thRegion* region, int32_t a, int32_t b)
{
    const float det = thiDet(region->n[a], region->n[b]);
    return (thVec2){(region->o[a] * region->n[b].y - region->o[b] * region->n[a].y) / det,
                    (region->o[b] * region->n[a].x - region->o[a] * region->n[b].x) / det};
}

static void addCone(const thRegion* region, thVec2 apex, uint64_t key, thExplanation* to)
{
    thVec2 points[4];
    int32_t count = 0;
    points[count++] = thiLeftOf(region->n[1]);
    if (region->sides < 3) {
        points[count++] = apex;
    } else {
        points[count++] = crossingOf(region, 1, 2);
        points[count++] = crossingOf(region, 0, 2);
    }
    points[count++] = thiNegate(thiLeftOf(region->n[0]));
    thMark mark = thDefaultMark();
    mark.kind = th_markCone;
    mark.meaning = th_meansForbidden;
    mark.cause = th_causeAgent;
    mark.whose = key;
    mark.points = points;
    mark.pointCount = count;
    mark.label = "leads into a group";
    bool finite = true;
    for (int32_t i = 0; i < count; ++i)
        finite = finite && isfinite(points[i].x) && isfinite(points[i].y);
    if (finite)
        thExplanation_Add(to, &mark);
}

static void addAnswer(const thMesoView* view, const thMesoObstacles* obstacles,
                      const thMesoState* state, thExplanation* to)
{
    if (state->isTurned == 0) {
        thiMarkText(obstacles->count == 0 ? "meso: no group is in the way"
                                          : "meso: keeps to the wanted velocity",
                    to);
        return;
    }
    int32_t count = 0;
    for (int32_t i = 0; i < view->agentCount; ++i)
        if (view->agents[i].key == state->key)
            count = view->groups[view->agents[i].group].count;
    char text[128];
    if (count > 0 && state->side != th_mesoNone)
        snprintf(text, sizeof text, "meso: passes a group of %d on the %s of it", (int)count,
                 state->side == th_mesoLeft ? "left" : "right");
    else
        snprintf(text, sizeof text, "meso: turns away from groups");
    thiMarkText(text, to);
}

void thiMesoExplain(const thBatch* batch, int32_t lane, const void* params, const void* shared,
                    thExplanation* to)
{
    const thMesoDef* def = params;
    const thMesoState* state = batch->state[lane];
    thMesoRoom room;
    if (!thiMesoIsOn(def)) {
        thiMarkText("meso: off", to);
        return;
    }
    if (!thiMesoMakeRoom(batch->scratch, &room) ||
        !thiMesoPerceive(shared, batch->frame, def, batch->row[lane], &room))
        return;
    const thVec2 wanted = {state->wantedX, state->wantedY};
    const thMesoQuery query = thiMesoQueryOf(batch, def, lane, wanted);
    thMesoObstacles obstacles;
    thiMesoFindObstacles(&query, &room.view, &obstacles);
    for (int32_t i = 0; i < room.view.groupCount; ++i)
        if (room.view.groups[i].fate != th_mesoSingle)
            addHull(&room.view, i, query.radius, to);
    for (int32_t i = 0; i < obstacles.count; ++i) {
        const thMesoGroup* group = &room.view.groups[obstacles.group[i]];
        addCone(&obstacles.region[i], group->velocity, group->key, to);
    }
    thiMarkSpeedLimit(batch, lane, to);
    thiMarkVelocity(wanted, "wanted of the planner", to);
    addAnswer(&room.view, &obstacles, state, to);
}
