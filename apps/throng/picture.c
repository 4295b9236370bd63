// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "picture.h"

#include "palette.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <throng/outline.h>

#define TAU 6.283185307179586

// Goals up to this number have colours of their own; beyond it agents are coloured by where they
// came from.
enum { maxGoals = 64 };

typedef struct Page {
    const thWorld* world;
    const Trails* trails;
    const PictureDef* def;
    cairo_t* cairo;
    thVec2 low, high;     // what is shown [m]
    thVec2 from, to;      // where agents started
    double scale;         // [pixels/m]
    double width, height; // [pixels]
    double margin, foot;  // [pixels]
    bool hasRoom;         // the outside is solid
    thGoalId goals[maxGoals];
    int32_t goalCount; // also those beyond the last
} Page;

static bool hasSuffix(const char* path, const char* suffix)
{
    const size_t length = strlen(path), end = strlen(suffix);
    return length > end && strcasecmp(path + length - end, suffix) == 0;
}

bool appIsPictureName(const char* path)
{
    return hasSuffix(path, ".png") || hasSuffix(path, ".svg") || hasSuffix(path, ".pdf");
}

static void include(thVec2* low, thVec2* high, thVec2 point, float radius)
{
    low->x = fminf(low->x, point.x - radius);
    low->y = fminf(low->y, point.y - radius);
    high->x = fmaxf(high->x, point.x + radius);
    high->y = fmaxf(high->y, point.y + radius);
}

static void measureObstacle(void* context, const thObstacleOutline* outline)
{
    Page* page = context;
    if (outline->level != page->def->level)
        return;
    page->hasRoom = page->hasRoom || outline->kind == th_obstacleRoom;
    for (int32_t i = 0; i < outline->pointCount; ++i)
        include(&page->low, &page->high, outline->points[i], outline->radius);
}

static void measureGoal(void* context, const thGoalOutline* outline)
{
    Page* page = context;
    if (page->goalCount < maxGoals)
        page->goals[page->goalCount] = outline->id;
    page->goalCount += 1;
    for (int32_t i = 0; i < outline->pointCount; ++i)
        include(&page->low, &page->high, outline->points[i], outline->radius);
}

static void measureAgents(Page* page)
{
    const thAgentView view = thWorld_GetAgentView(page->world);
    for (int32_t slot = 0; slot < view.slotCount; ++slot) {
        const thAgentRow* row = &view.rows[slot];
        if ((row->flags & th_agentAlive) == 0)
            continue;
        include(&page->low, &page->high, row->position, 0.5f);
        const thVec2 start = page->trails != NULL ? appGetStart(page->trails, slot) : row->position;
        include(&page->from, &page->to, start, 0.0f);
    }
}

// False when there is nothing to see.
static bool measurePage(Page* page)
{
    page->low = page->from = (thVec2){INFINITY, INFINITY};
    page->high = page->to = (thVec2){-INFINITY, -INFINITY};
    thWorld_VisitObstacles(page->world, measureObstacle, page);
    thWorld_VisitGoals(page->world, measureGoal, page);
    measureAgents(page);
    if (!(page->low.x <= page->high.x))
        return false;
    const float spread = fmaxf(page->high.x - page->low.x, page->high.y - page->low.y);
    const float space = fmaxf(0.02f * spread, 0.5f);
    include(&page->low, &page->high, page->low, space);
    include(&page->low, &page->high, page->high, space);
    page->width = page->def->width;
    page->margin = 0.02 * page->width;
    page->foot = 0.055 * page->width;
    page->scale = (page->width - 2 * page->margin) / (page->high.x - page->low.x);
    // Tall scenes are no wider than they need to be.
    const double tallest = 1.25 * page->width;
    page->scale = fmin(page->scale, tallest / (page->high.y - page->low.y));
    page->height = (page->high.y - page->low.y) * page->scale + 2 * page->margin + page->foot;
    return true;
}

static void setColor(const Page* page, Color color, double alpha)
{
    cairo_set_source_rgba(page->cairo, color.red, color.green, color.blue, alpha);
}

// From metres to the page: y goes up.
static void enterMetres(const Page* page)
{
    cairo_save(page->cairo);
    const double free = page->width - (page->high.x - page->low.x) * page->scale;
    cairo_translate(page->cairo, free / 2, page->height - page->margin - page->foot);
    cairo_scale(page->cairo, page->scale, -page->scale);
    cairo_translate(page->cairo, -page->low.x, -page->low.y);
}

static void tracePoints(const Page* page, const thVec2* points, int32_t count, bool isClosed)
{
    cairo_new_path(page->cairo);
    for (int32_t i = 0; i < count; ++i)
        cairo_line_to(page->cairo, points[i].x, points[i].y);
    if (isClosed)
        cairo_close_path(page->cairo);
}

static void traceDisc(const Page* page, thVec2 center, double radius)
{
    cairo_new_path(page->cairo);
    cairo_arc(page->cairo, center.x, center.y, radius, 0, TAU);
}

static double pixels(const Page* page, double count)
{
    return count / page->scale;
}

// Rooms first, so that what stands in them is drawn over them.
static void drawRoom(void* context, const thObstacleOutline* outline)
{
    const Page* page = context;
    if (outline->level != page->def->level || outline->kind != th_obstacleRoom)
        return;
    tracePoints(page, outline->points, outline->pointCount, true);
    setColor(page, paperColor, 1.0);
    cairo_fill_preserve(page->cairo);
    setColor(page, wallColor, 1.0);
    cairo_set_line_width(page->cairo, fmax(0.08, pixels(page, 2.0)));
    cairo_stroke(page->cairo);
}

static void drawObstacle(void* context, const thObstacleOutline* outline)
{
    const Page* page = context;
    if (outline->level != page->def->level || outline->kind == th_obstacleRoom)
        return;
    const bool moves =
        outline->kind == th_obstacleMovingDisc || outline->kind == th_obstacleMovingPolygon;
    if (outline->kind == th_obstacleMovingDisc)
        traceDisc(page, outline->points[0], outline->radius);
    else
        tracePoints(page, outline->points, outline->pointCount, outline->kind != th_obstacleWall);
    if (outline->kind != th_obstacleWall) {
        setColor(page, moves ? appLighten(moverColor, 0.45) : solidColor, 1.0);
        cairo_fill_preserve(page->cairo);
    }
    setColor(page, moves ? moverColor : wallColor, 1.0);
    cairo_set_line_width(page->cairo,
                         fmax(outline->kind == th_obstacleWall ? 0.10 : 0.04, pixels(page, 1.5)));
    cairo_stroke(page->cairo);
}

static int32_t goalIndexOf(const Page* page, thGoalId id)
{
    for (int32_t i = 0; i < page->goalCount && i < maxGoals; ++i)
        if (page->goals[i].value == id.value)
            return i;
    return -1;
}

static void drawGoal(void* context, const thGoalOutline* outline)
{
    const Page* page = context;
    const int32_t index = goalIndexOf(page, outline->id);
    const bool isOwn = page->goalCount <= maxGoals;
    const Color color = isOwn ? appColorOf(index) : inkColor;
    if (outline->kind == th_goalPoint) {
        const double size = isOwn ? fmax(0.12, pixels(page, 3.0)) : pixels(page, 1.2);
        traceDisc(page, outline->points[0], size);
        setColor(page, color, isOwn ? 0.75 : 0.25);
        cairo_fill(page->cairo);
        return;
    }
    if (outline->kind == th_goalDisc)
        traceDisc(page, outline->points[0], outline->radius);
    else
        tracePoints(page, outline->points, outline->pointCount, outline->kind == th_goalPolygon);
    if (outline->kind != th_goalSegment) {
        setColor(page, color, 0.14);
        cairo_fill_preserve(page->cairo);
    }
    const bool isLine = outline->kind == th_goalSegment;
    setColor(page, color, isLine ? 0.55 : 0.8);
    cairo_set_line_width(page->cairo, isLine ? fmax(0.2, pixels(page, 4)) : pixels(page, 1.5));
    cairo_stroke(page->cairo);
}

static Color colorOf(const Page* page, int32_t slot, const thAgentRow* row, thGoalId goal)
{
    if (page->goalCount == 0)
        return appColorOf(0);
    if (page->goalCount <= maxGoals)
        return appColorOf(goalIndexOf(page, goal));
    const thVec2 start = page->trails != NULL ? appGetStart(page->trails, slot) : row->position;
    return appHue(atan2(start.y - 0.5 * (page->from.y + page->to.y),
                        start.x - 0.5 * (page->from.x + page->to.x)) /
                  TAU);
}

static void drawTrail(const Page* page, int32_t slot, Color color, double radius)
{
    thVec2 points[appTrailPoints];
    const int32_t count = appGetTrail(page->trails, slot, points, appTrailPoints);
    cairo_set_line_width(page->cairo, fmax(0.35 * radius, pixels(page, 0.8)));
    // In pieces that become fainter into the past.
    enum { piece = 8 };
    for (int32_t i = count - 1; i > 0; i -= piece) {
        const int32_t first = i - piece > 0 ? i - piece : 0;
        tracePoints(page, points + first, i - first + 1, false);
        setColor(page, color, 0.42 * (double)(i + 1) / appTrailPoints);
        cairo_stroke(page->cairo);
    }
}

static void drawAgent(const Page* page, const thAgentRow* row, Color color, double radius)
{
    const bool isThere = (row->flags & th_agentArrived) != 0;
    const double visible = fmax(radius, pixels(page, 1.2));
    traceDisc(page, row->position, visible);
    setColor(page, isThere ? appLighten(color, 0.45) : color, 1.0);
    cairo_fill(page->cairo);
    if (visible * page->scale < 3.0)
        return; // too small to show where it faces
    const double x = cos(row->heading), y = sin(row->heading);
    cairo_new_path(page->cairo);
    cairo_move_to(page->cairo, row->position.x + 0.85 * visible * x,
                  row->position.y + 0.85 * visible * y);
    cairo_line_to(page->cairo, row->position.x - visible * (0.3 * x + 0.45 * y),
                  row->position.y - visible * (0.3 * y - 0.45 * x));
    cairo_line_to(page->cairo, row->position.x - visible * (0.3 * x - 0.45 * y),
                  row->position.y - visible * (0.3 * y + 0.45 * x));
    cairo_close_path(page->cairo);
    setColor(page, paperColor, 0.85);
    cairo_fill(page->cairo);
}

// All trails lie below all agents.
static void drawAgents(const Page* page)
{
    const thAgentView view = thWorld_GetAgentView(page->world);
    for (int32_t pass = page->trails != NULL ? 0 : 1; pass < 2; ++pass) {
        for (int32_t slot = 0; slot < view.slotCount; ++slot) {
            const thAgentRow* row = &view.rows[slot];
            if ((row->flags & th_agentAlive) == 0)
                continue;
            const thAgentInfo info =
                thAgent_GetInfo(page->world, thWorld_FindAgent(page->world, row->key));
            if (info.level != page->def->level)
                continue;
            const Color color = colorOf(page, slot, row, info.shape);
            if (pass == 0)
                drawTrail(page, slot, color, info.radius);
            else
                drawAgent(page, row, color, info.radius);
        }
    }
}

// 1, 2 or 5 times a power of ten, about a sixth of the page.
static double scaleLength(const Page* page)
{
    const double wanted = page->width / page->scale / 6;
    const double power = pow(10, floor(log10(wanted)));
    const double rest = wanted / power;
    return power * (rest >= 5 ? 5 : rest >= 2 ? 2 : 1);
}

static void drawFoot(const Page* page)
{
    cairo_t* cairo = page->cairo;
    const double length = scaleLength(page), size = 0.016 * page->width;
    const double y = page->height - 0.45 * page->foot, x = page->margin;
    setColor(page, inkColor, 1.0);
    cairo_set_line_width(cairo, fmax(1.0, page->width / 1000));
    cairo_new_path(cairo);
    cairo_move_to(cairo, x, y - 0.35 * size);
    cairo_line_to(cairo, x, y);
    cairo_line_to(cairo, x + length * page->scale, y);
    cairo_line_to(cairo, x + length * page->scale, y - 0.35 * size);
    cairo_stroke(cairo);
    cairo_select_font_face(cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, size);
    char text[256];
    snprintf(text, sizeof text, "%g m", length);
    cairo_move_to(cairo, x + length * page->scale + 0.6 * size, y);
    cairo_show_text(cairo, text);
    const int32_t agents = thWorld_GetAgentView(page->world).agentCount;
    snprintf(text, sizeof text, "%.150s   t = %.1f s   %d agent%s", page->def->title,
             page->def->time, (int)agents, agents == 1 ? "" : "s");
    cairo_text_extents_t extents;
    cairo_text_extents(cairo, text, &extents);
    cairo_move_to(cairo, page->width - page->margin - extents.x_advance, y);
    cairo_show_text(cairo, text);
}

static void drawPage(Page* page)
{
    cairo_set_line_join(page->cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(page->cairo, CAIRO_LINE_CAP_ROUND);
    setColor(page, paperColor, 1.0);
    cairo_paint(page->cairo);
    enterMetres(page);
    if (page->hasRoom) {
        setColor(page, solidColor, 1.0);
        cairo_rectangle(page->cairo, page->low.x, page->low.y, page->high.x - page->low.x,
                        page->high.y - page->low.y);
        cairo_fill(page->cairo);
        thWorld_VisitObstacles(page->world, drawRoom, page);
    }
    thWorld_VisitGoals(page->world, drawGoal, page);
    thWorld_VisitObstacles(page->world, drawObstacle, page);
    drawAgents(page);
    cairo_restore(page->cairo);
    drawFoot(page);
}

static cairo_surface_t* createSurface(const Page* page)
{
    const char* path = page->def->path;
    if (hasSuffix(path, ".svg"))
        return cairo_svg_surface_create(path, page->width, page->height);
    if (hasSuffix(path, ".pdf"))
        return cairo_pdf_surface_create(path, page->width, page->height);
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)page->width, (int)page->height);
}

bool appDrawPicture(const thWorld* world, const Trails* trails, const PictureDef* def, char* reason,
                    size_t reasonSize)
{
    Page page = {.world = world, .trails = trails, .def = def};
    FILE* file = fopen(def->path, "ab"); // cairo would not say why it cannot be written
    if (file == NULL) {
        snprintf(reason, reasonSize, "cannot write '%.400s': %s", def->path, strerror(errno));
        return false;
    }
    fclose(file);
    if (!measurePage(&page)) {
        snprintf(reason, reasonSize, "there is nothing to draw");
        return false;
    }
    cairo_surface_t* surface = createSurface(&page);
    page.cairo = cairo_create(surface);
    drawPage(&page);
    cairo_status_t status = cairo_status(page.cairo);
    if (status == CAIRO_STATUS_SUCCESS && hasSuffix(def->path, ".png"))
        status = cairo_surface_write_to_png(surface, def->path);
    cairo_destroy(page.cairo);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    if (status != CAIRO_STATUS_SUCCESS)
        snprintf(reason, reasonSize, "cannot write '%.400s': %s", def->path,
                 cairo_status_to_string(status));
    return status == CAIRO_STATUS_SUCCESS;
}
