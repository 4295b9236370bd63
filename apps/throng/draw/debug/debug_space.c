// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "draw/debug/debug_space.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <throng/outline.h>

double appFindPlaceReach(const thExplanationView* view)
{
    double reach = 2.0;
    for (int32_t i = 0; i < view->agentCount; ++i) {
        const thSeenAgent* seen = &view->agents[i];
        const double x = fabs((double)seen->position.x), y = fabs((double)seen->position.y);
        reach = fmax(reach, fmax(x, y) + seen->radius);
    }
    return fmin(1.08 * reach, fmax(12.0, 4.0 * view->radius));
}

typedef struct Place {
    const Panel* panel;
    const thWorld* world;
    const thExplanationView* view;
    bool hasRoom; // the outside is solid
} Place;

static void findRoom(void* context, const thObstacleOutline* outline)
{
    Place* place = context;
    place->hasRoom = place->hasRoom ||
                     (outline->kind == th_obstacleRoom && outline->level == place->view->level);
}

static bool isMoving(const thObstacleOutline* outline)
{
    return outline->kind == th_obstacleMovingDisc || outline->kind == th_obstacleMovingPolygon;
}

static thVec2 relative(const thExplanationView* view, thVec2 point)
{
    return (thVec2){point.x - view->position.x, point.y - view->position.y};
}

static void traceOutline(const Place* place, const thObstacleOutline* outline)
{
    cairo_t* cairo = place->panel->canvas->cairo;
    if (outline->kind == th_obstacleMovingDisc) {
        appTraceCircle(place->panel, relative(place->view, outline->points[0]), outline->radius);
        return;
    }
    cairo_new_path(cairo);
    for (int32_t i = 0; i < outline->pointCount; ++i) {
        const thVec2 point = relative(place->view, outline->points[i]);
        cairo_line_to(cairo, appPanelX(place->panel, point.x), appPanelY(place->panel, point.y));
    }
    if (outline->kind != th_obstacleWall)
        cairo_close_path(cairo);
}

static void drawOutline(const Place* place, const thObstacleOutline* outline, Color fill)
{
    const Canvas* canvas = place->panel->canvas;
    traceOutline(place, outline);
    if (outline->kind != th_obstacleWall) {
        appSetColor(canvas, fill, 1.0);
        cairo_fill_preserve(canvas->cairo);
    }
    appSetColor(canvas, isMoving(outline) ? moverColor : wallColor, 0.55);
    cairo_set_line_width(canvas->cairo, 1.2 * place->panel->unit);
    cairo_stroke(canvas->cairo);
}

// Rooms first, so that what stands in them is drawn over them.
static void drawRoom(void* context, const thObstacleOutline* outline)
{
    const Place* place = context;
    if (outline->level == place->view->level && outline->kind == th_obstacleRoom)
        drawOutline(place, outline, paperColor);
}

static void drawObstacle(void* context, const thObstacleOutline* outline)
{
    const Place* place = context;
    if (outline->level == place->view->level && outline->kind != th_obstacleRoom)
        drawOutline(place, outline, isMoving(outline) ? appLighten(moverColor, 0.45) : solidColor);
}

static void drawGround(Place* place, const thWorld* world)
{
    const Panel* panel = place->panel;
    thWorld_VisitObstacles(world, findRoom, place);
    if (place->hasRoom) {
        appSetColor(panel->canvas, solidColor, 1.0);
        cairo_rectangle(panel->canvas->cairo, panel->left, panel->top, panel->side, panel->side);
        cairo_fill(panel->canvas->cairo);
        thWorld_VisitObstacles(world, drawRoom, place);
    }
    thWorld_VisitObstacles(world, drawObstacle, place);
}

// Somebody at a place relative to the agent: its shape as it stands, or a disc.
static void traceBody(const Place* place, uint64_t key, thVec2 at, double radius)
{
    const thAgentId id = thWorld_FindAgent(place->world, key);
    const thBodyShape shape = thAgent_GetInfo(place->world, id).body;
    const double heading = (double)thAgent_Get(place->world, id).heading;
    thVec2 corners[THRONG_SHAPE_CORNERS];
    if (shape.count == 0) {
        appTraceCircle(place->panel, at, radius);
        return;
    }
    const float x = (float)cos(heading), y = (float)sin(heading);
    for (int32_t i = 0; i < shape.count; ++i) {
        const thVec2 c = shape.corners[i];
        corners[i] = (thVec2){at.x + x * c.x - y * c.y, at.y + y * c.x + x * c.y};
    }
    appTracePoints(place->panel, corners, shape.count, true);
}

// Those whom the agent does not see.
static void drawOthers(const Place* place, const thWorld* world)
{
    const thExplanationView* view = place->view;
    const thAgentView agents = thWorld_GetAgentView(world);
    for (int32_t slot = 0; slot < agents.slotCount; ++slot) {
        const thAgentRow* row = &agents.rows[slot];
        if ((row->flags & th_agentAlive) == 0 || row->key == view->key ||
            appNeighborNumber(view, row->key) > 0)
            continue;
        const thAgentInfo info = thAgent_GetInfo(world, thWorld_FindAgent(world, row->key));
        if (info.level != view->level)
            continue;
        traceBody(place, row->key, relative(view, row->position), info.radius);
        appSetColor(place->panel->canvas, gridColor, 1.0);
        cairo_fill_preserve(place->panel->canvas->cairo);
        appSetColor(place->panel->canvas, solidColor, 1.0);
        cairo_set_line_width(place->panel->canvas->cairo, place->panel->unit);
        cairo_stroke(place->panel->canvas->cairo);
    }
}

static void drawSeenWalls(const Place* place)
{
    cairo_t* cairo = place->panel->canvas->cairo;
    for (int32_t i = 0; i < place->view->wallCount; ++i) {
        const thVec2 ends[2] = {place->view->walls[i].a, place->view->walls[i].b};
        appTracePoints(place->panel, ends, 2, false);
        appSetColor(place->panel->canvas, wallColor, 1.0);
        cairo_set_line_width(cairo, 3 * place->panel->unit);
        cairo_stroke(cairo);
    }
    for (int32_t i = 0; i < place->view->moverCount; ++i) {
        const thSeenMover* mover = &place->view->movers[i];
        const thVec2 to = {mover->position.x + mover->velocity.x,
                           mover->position.y + mover->velocity.y};
        appDrawArrow(place->panel, mover->position, to, moverColor, 1.6);
    }
}

static bool binds(const thExplanationView* view, uint64_t key)
{
    for (int32_t i = 0; i < view->markCount; ++i)
        if (view->marks[i].cause == th_causeAgent && view->marks[i].whose == key &&
            appIsBinding(view, &view->marks[i]))
            return true;
    return false;
}

static void drawBody(const Place* place, uint64_t key, thVec2 at, double radius, Color fill,
                     Color line)
{
    const Panel* panel = place->panel;
    traceBody(place, key, at, radius);
    appSetColor(panel->canvas, fill, 1.0);
    cairo_fill_preserve(panel->canvas->cairo);
    appSetColor(panel->canvas, line, 1.0);
    cairo_set_line_width(panel->canvas->cairo, 1.4 * panel->unit);
    cairo_stroke(panel->canvas->cairo);
}

// An arrow to where one second leads.
static void drawSecond(const Panel* panel, thVec2 from, thVec2 velocity, Color color, double width)
{
    appDrawArrow(panel, from, (thVec2){from.x + velocity.x, from.y + velocity.y}, color, width);
}

static void drawNeighbors(const Place* place)
{
    const thExplanationView* view = place->view;
    const Color color = appCauseColor(th_causeAgent);
    for (int32_t i = 0; i < view->agentCount; ++i) {
        const thSeenAgent* seen = &view->agents[i];
        drawBody(place, seen->key, seen->position, seen->radius,
                 appLighten(color, binds(view, seen->key) ? 0.35 : 0.8), color);
    }
    for (int32_t i = 0; i < view->agentCount; ++i)
        drawSecond(place->panel, view->agents[i].position, view->agents[i].velocity, color, 1.4);
    for (int32_t i = 0; i < view->agentCount; ++i) {
        char text[16];
        snprintf(text, sizeof text, "%d", (int)(i + 1));
        appDrawBadge(place->panel, view->agents[i].position, color, text);
    }
}

// The next corner, or the way to it as far as the panel goes.
static void drawWay(const Place* place)
{
    const Panel* panel = place->panel;
    cairo_t* cairo = panel->canvas->cairo;
    const thVec2 way[2] = {{0.0f, 0.0f}, place->view->corner};
    if (way[1].x == 0.0f && way[1].y == 0.0f)
        return;
    const double dash[2] = {2 * panel->unit, 5 * panel->unit};
    appTracePoints(panel, way, 2, false);
    appSetColor(panel->canvas, debugWantedColor, 1.0);
    cairo_set_line_width(cairo, 1.4 * panel->unit);
    cairo_set_dash(cairo, dash, 2, 0);
    cairo_stroke(cairo);
    cairo_set_dash(cairo, NULL, 0, 0);
    appTraceCircle(panel, way[1], 4 * panel->unit * panel->reach / (0.5 * panel->side));
    cairo_fill(cairo);
}

void appDrawPlace(const Panel* panel, const thWorld* world, const thExplanationView* view)
{
    Place place = {.panel = panel, .view = view, .world = world};
    const thVec2 here = {0.0f, 0.0f};
    appEnterPanel(panel);
    drawGround(&place, world);
    drawOthers(&place, world);
    drawSeenWalls(&place);
    drawWay(&place);
    drawNeighbors(&place);
    appDrawMarks(panel, view, th_spacePlace);
    drawBody(&place, view->key, here, view->radius, appLighten(debugChosenColor, 0.6),
             debugChosenColor);
    drawSecond(panel, here, view->current, debugCurrentColor, 1.8);
    drawSecond(panel, here, view->chosen, debugChosenColor, 2.6);
    appLeavePanel(panel);
}
