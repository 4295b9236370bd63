// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A picture of what one agent thinks: the place around it, and the plane of velocities.

#include "draw/debug/debug_picture.h"

#include "draw/agent_option.h"
#include "draw/debug/debug_marks.h"
#include "draw/debug/debug_notes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <throng/outline.h>

// --- The place ---

// The place an explained agent is at: walls, neighbours with their numbers and velocities, and
// the next leg of its path.

// How much of the place is to be seen. [m]
static double findPlaceReach(const thExplanationView* view)
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

// The next corner, or the leg to it as far as the panel goes.
static void drawWay(const Place* place)
{
    const Panel* panel = place->panel;
    cairo_t* cairo = panel->canvas->cairo;
    const thVec2 leg[2] = {{0.0f, 0.0f}, place->view->corner};
    if (leg[1].x == 0.0f && leg[1].y == 0.0f)
        return;
    const double dash[2] = {2 * panel->unit, 5 * panel->unit};
    appTracePoints(panel, leg, 2, false);
    appSetColor(panel->canvas, debugWantedColor, 1.0);
    cairo_set_line_width(cairo, 1.4 * panel->unit);
    cairo_set_dash(cairo, dash, 2, 0);
    cairo_stroke(cairo);
    cairo_set_dash(cairo, NULL, 0, 0);
    appTraceCircle(panel, leg[1], 4 * panel->unit * panel->reach / (0.5 * panel->side));
    cairo_fill(cairo);
}

static void drawPlace(const Panel* panel, const thWorld* world, const thExplanationView* view)
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

// --- The picture ---

static double speedOf(thVec2 velocity)
{
    return hypot(velocity.x, velocity.y);
}

// All that matters in the plane of velocities: the limits, and the velocities themselves.
static double findSpeedReach(const thExplanationView* view)
{
    double reach = fmax(fmax(speedOf(view->current), speedOf(view->wanted)),
                        fmax(speedOf(view->adapted), speedOf(view->chosen)));
    for (int32_t i = 0; i < view->markCount; ++i) {
        const thMark* mark = &view->marks[i];
        if (mark->space != th_spaceVelocity)
            continue;
        if (mark->kind == th_markDisc && mark->meaning == th_meansLimit)
            reach = fmax(reach, speedOf(mark->points[0]) + mark->radius);
        if (mark->kind == th_markSample || mark->kind == th_markPoint)
            reach = fmax(reach, speedOf(mark->points[0]));
    }
    reach = fmax(reach, view->maxSpeed);
    return reach > 0.0 ? 1.12 * reach : 1.0;
}

static void drawZero(const Panel* panel)
{
    cairo_t* cairo = panel->canvas->cairo;
    appSetColor(panel->canvas, solidColor, 1.0);
    cairo_set_line_width(cairo, panel->unit);
    cairo_move_to(cairo, panel->left, appPanelY(panel, 0));
    cairo_line_to(cairo, panel->left + panel->side, appPanelY(panel, 0));
    cairo_move_to(cairo, appPanelX(panel, 0), panel->top);
    cairo_line_to(cairo, appPanelX(panel, 0), panel->top + panel->side);
    cairo_stroke(cairo);
}

static bool isSame(thVec2 a, thVec2 b)
{
    return a.x == b.x && a.y == b.y;
}

static void drawVelocities(const Panel* panel, const thExplanationView* view)
{
    const thVec2 zero = {0.0f, 0.0f};
    appEnterPanel(panel);
    appPaintAllowed(panel, view);
    drawZero(panel);
    appDrawMarks(panel, view, th_spaceVelocity);
    appDrawArrow(panel, zero, view->current, debugCurrentColor, 2.0);
    if (!isSame(view->wanted, view->adapted))
        appDrawArrow(panel, zero, view->wanted, debugWantedColor, 2.0);
    appDrawArrow(panel, zero, view->adapted,
                 isSame(view->wanted, view->adapted) ? debugWantedColor : debugAdaptedColor, 2.0);
    appDrawArrow(panel, zero, view->chosen, debugChosenColor, 3.2);
    appLeavePanel(panel);
}

// The corner of a panel where a part of it is least missed: far from the velocities.
static void findCorner(const Panel* panel, const thExplanationView* view, double side, double* left,
                       double* top)
{
    double best = -1.0;
    for (int32_t i = 0; i < 4; ++i) {
        const double x = panel->left + (i % 2 == 0 ? 0.0 : panel->side - side);
        const double y = panel->top + (i / 2 == 0 ? 0.0 : panel->side - side);
        double space = INFINITY;
        const thVec2 velocities[4] = {view->current, view->wanted, view->adapted, view->chosen};
        for (int32_t k = 0; k < 4; ++k)
            space = fmin(space, hypot(appPanelX(panel, velocities[k].x) - x - 0.5 * side,
                                      appPanelY(panel, velocities[k].y) - y - 0.5 * side));
        if (space > best) {
            best = space;
            *left = x;
            *top = y;
        }
    }
}

enum { closeUpFactor = 10 };

// Where several borders meet at the chosen velocity, what is around it is shown larger: in crowds
// little is allowed. False where that is not so.
static bool findCloseUp(const Panel* panel, const thExplanationView* view, Panel* part)
{
    int32_t binding = 0;
    for (int32_t i = 0; i < view->markCount; ++i)
        binding += appIsBinding(view, &view->marks[i]);
    if (binding < 2)
        return false;
    const double side = 0.34 * panel->side;
    *part = *panel;
    findCorner(panel, view, side, &part->left, &part->top);
    part->side = side;
    part->reach = side / panel->side * panel->reach / closeUpFactor;
    part->middle = view->chosen;
    part->cover = (Cover){part->left, part->top, side, 36 * panel->unit}; // its title
    return true;
}

static void drawCloseUp(const Panel* part, const thExplanationView* view)
{
    const double unit = part->unit;
    cairo_t* cairo = part->canvas->cairo;
    cairo_rectangle(cairo, part->left, part->top, part->side, part->side);
    appSetColor(part->canvas, paperColor, 1.0);
    cairo_fill(cairo);
    drawVelocities(part, view);
    appSetColor(part->canvas, inkColor, 1.0);
    cairo_set_line_width(cairo, unit);
    cairo_rectangle(cairo, part->left, part->top, part->side, part->side);
    cairo_stroke(cairo);
    char text[64];
    snprintf(text, sizeof text, "around the chosen, %d ×", closeUpFactor);
    cairo_rectangle(cairo, part->left, part->top, 180 * unit, 24 * unit);
    appSetColor(part->canvas, paperColor, 0.9);
    cairo_fill(cairo);
    appSetColor(part->canvas, inkColor, 1.0);
    appDrawText(part->canvas, part->left + 8 * unit, part->top + 17 * unit, 13 * unit, 0.0, text);
}

static void drawTitle(const Canvas* canvas, const thExplanationView* view,
                      const DebugPicture* picture, double unit)
{
    char text[900];
    snprintf(text, sizeof text, "%.150s   t = %.1f s   agent %llu at %.2f, %.2f m", picture->title,
             picture->time, (unsigned long long)view->key, picture->place.x, picture->place.y);
    const double room = canvas->width - 90 * unit;
    appSetColor(canvas, inkColor, 1.0);
    appDrawText(canvas, 60 * unit, 42 * unit, appFitText(canvas, 21 * unit, room, text), 0.0, text);
}

bool appDrawDebugged(const thWorld* world, const thExplanation* explanation,
                     const DebugPicture* picture)
{
    const thExplanationView view = thExplanation_GetView(explanation);
    const double unit = picture->width / 1600.0, side = 700 * unit, top = 100 * unit;
    const double notes = top + side + 70 * unit;
    Canvas canvas;
    if (!appBeginCanvas(&canvas, picture->path, picture->width,
                        notes + appNotesHeight(&view, unit)))
        return false;
    const Panel panel = {.canvas = &canvas, .top = top, .side = side, .unit = unit};
    Panel place = panel, plane = panel;
    place.left = 60 * unit;
    place.reach = findPlaceReach(&view);
    plane.left = 860 * unit;
    plane.reach = findSpeedReach(&view);
    Panel closeUp = panel;
    const bool hasCloseUp = findCloseUp(&plane, &view, &closeUp);
    const double badge = 11 * unit, covered = closeUp.side + 2 * badge;
    if (hasCloseUp)
        plane.cover = (Cover){closeUp.left - badge, closeUp.top - badge, covered, covered};
    drawTitle(&canvas, &view, picture, unit);
    drawPlace(&place, world, &view);
    appDrawAxes(&place, "The place, relative to the agent; arrows show one second", "m");
    drawVelocities(&plane, &view);
    if (hasCloseUp)
        drawCloseUp(&closeUp, &view);
    appDrawAxes(&plane, "Velocities: grey ones are forbidden, green ones allowed by all", "m/s");
    appDrawNotes(&canvas, &view, notes, unit);
    return appEndCanvas(&canvas);
}

// --- The option `--debug` ---

static ExitCode drawAgent(const Reel* reel, const DrawDef* def, thAgentId agent)
{
    const thRun* run = reel->source.run;
    const thSceneInfo info = thScene_GetInfo(reel->source.scene);
    const thWorld* world = thRun_GetWorld(run);
    thExplanation* explanation;
    const thResult result = thWorld_Explain(world, agent, (float)info.step, &explanation);
    if (result != th_resultOk) {
        appSay("cannot explain the agent: %s", thResult_GetText(result));
        return appExitOf(result);
    }
    const thExplanationView view = thExplanation_GetView(explanation);
    const thPlace place = {info.originX + (double)view.position.x,
                           info.originY + (double)view.position.y};
    const DebugPicture picture = {def->output, def->width, reel->title, thRun_GetTime(run), place};
    FloorText floor;
    const bool isDrawn = appDrawDebugged(world, explanation, &picture);
    if (isDrawn && !def->quiet)
        printf("%s: agent %llu of %s at t = %.1f s, at %.2f, %.2f m%s\n", def->output,
               (unsigned long long)view.key, reel->title, picture.time, place.x, place.y,
               appOtherFloor(def, view.level, &floor));
    thDestroyExplanation(explanation);
    return isDrawn ? exitDone : exitEnvironment;
}

ExitCode appDebugAgent(Reel* reel, const DrawDef* def, const char* text)
{
    const AgentOption option = {.option = "debug", .text = text, .what = "think"};
    thAgentId agent;
    const ExitCode code = appFindAgent(reel, def, &option, &agent);
    return code == exitDone ? drawAgent(reel, def, agent) : code;
}
