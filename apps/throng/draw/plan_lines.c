// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "draw/plan_lines.h"

#include <math.h>
#include <stdio.h>

#define UNITS_PER_METRE ((double)THRONG_UNITS_PER_METRE)

// Arrow heads along a stream line. [pixels at a width of 1600]
#define HEAD_EVERY 130.0
#define HEAD_FIRST 26.0
#define HEAD_SIZE 8.0

// Nodes that would stand nearer to each other than this are not drawn. [pixels, likewise]
#define NODES_APART 9.0

static const Color wayColor = {0.84, 0.30, 0.00};
static const Color edgeColor = {0.62, 0.62, 0.63};

PlanLines appCountPlanLines(const thSketchView* view, double originX, double originY)
{
    PlanLines lines = {.view = view, .originX = originX, .originY = originY, .every = INFINITY};
    double last = 0.0; // lines are at multiples of one length
    for (int32_t i = 0; i < view->lineCount; ++i) {
        const thSketchLine* line = &view->lines[i];
        const double left = (double)line->left;
        lines.counts[line->layer] += 1;
        lines.longest = fmax(lines.longest, left);
        if (line->layer != th_sketchContour || left == last)
            continue;
        lines.every = fmin(lines.every, fmin(left, fabs(left - last)));
        last = left;
    }
    return lines;
}

thPlace appPlanPlace(const PlanLines* lines, thSketchPoint point)
{
    return (thPlace){lines->originX + point.x / UNITS_PER_METRE,
                     lines->originY + point.y / UNITS_PER_METRE};
}

// Pixels of a page 1600 wide, on the map.
static double unitsOf(const Map* map, double count)
{
    return appPixels(map, count * map->canvas->width / 1600);
}

static void trace(const Map* map, const PlanLines* lines, const thSketchLine* line)
{
    cairo_new_path(map->canvas->cairo);
    for (int32_t i = 0; i < line->count; ++i) {
        const thPlace place = appPlanPlace(lines, lines->view->points[line->first + i]);
        cairo_line_to(map->canvas->cairo, place.x, place.y);
    }
}

static Color shadeOf(const PlanLines* lines, double left)
{
    const double share = lines->longest > 0.0 ? left / lines->longest : 0.0;
    return appShade(appGoalShade + (1 - appGoalShade) * share);
}

typedef void DrawLine(const Map* map, const PlanLines* lines, const thSketchLine* line);

static void drawLayer(const Map* map, const PlanLines* lines, thSketchLayer layer, DrawLine* draw)
{
    cairo_set_line_cap(map->canvas->cairo, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(map->canvas->cairo, CAIRO_LINE_JOIN_ROUND);
    for (int32_t i = 0; i < lines->view->lineCount; ++i)
        if (lines->view->lines[i].layer == layer)
            draw(map, lines, &lines->view->lines[i]);
    cairo_set_line_cap(map->canvas->cairo, CAIRO_LINE_CAP_BUTT);
    cairo_set_line_join(map->canvas->cairo, CAIRO_LINE_JOIN_MITER);
}

// Many edges are fainter, so that one still sees where there are more of them.
static void drawEdge(const Map* map, const PlanLines* lines, const thSketchLine* line)
{
    const double alpha = fmin(fmax(5000.0 / lines->counts[th_sketchEdge], 0.10), 0.9);
    trace(map, lines, line);
    appSetColor(map->canvas, edgeColor, alpha);
    cairo_set_line_width(map->canvas->cairo, unitsOf(map, 0.8));
    cairo_stroke(map->canvas->cairo);
}

static void drawNode(const Map* map, const PlanLines* lines, const thSketchLine* line)
{
    appSetColor(map->canvas, appDarken(edgeColor, 0.25), 1.0);
    if (line->count == 1) {
        appTraceDisc(map, appPlanPlace(lines, lines->view->points[line->first]), unitsOf(map, 1.8));
        cairo_fill(map->canvas->cairo);
        return;
    }
    trace(map, lines, line);
    cairo_set_line_width(map->canvas->cairo, unitsOf(map, 2.4));
    cairo_stroke(map->canvas->cairo);
}

static bool areNodesApart(const Map* map, const PlanLines* lines)
{
    const double area =
        (map->shown.high.x - map->shown.low.x) * (map->shown.high.y - map->shown.low.y);
    return sqrt(area / fmax(lines->counts[th_sketchNode], 1.0)) > unitsOf(map, NODES_APART);
}

static void drawTree(const Map* map, const PlanLines* lines, const thSketchLine* line)
{
    trace(map, lines, line);
    appSetColor(map->canvas, shadeOf(lines, (double)line->left), 1.0);
    cairo_set_line_width(map->canvas->cairo, unitsOf(map, 1.6));
    cairo_stroke(map->canvas->cairo);
}

static void drawContour(const Map* map, const PlanLines* lines, const thSketchLine* line)
{
    trace(map, lines, line);
    appSetColor(map->canvas, shadeOf(lines, (double)line->left), 1.0);
    cairo_set_line_width(map->canvas->cairo, unitsOf(map, 1.8));
    cairo_stroke(map->canvas->cairo);
}

// With its tip at a place, along a unit vector.
static void drawHead(const Map* map, thPlace tip, double x, double y)
{
    const double size = unitsOf(map, HEAD_SIZE), half = 0.36 * size;
    cairo_t* cairo = map->canvas->cairo;
    cairo_new_path(cairo);
    cairo_move_to(cairo, tip.x, tip.y);
    cairo_line_to(cairo, tip.x - size * x - half * y, tip.y - size * y + half * x);
    cairo_line_to(cairo, tip.x - size * x + half * y, tip.y - size * y - half * x);
    cairo_close_path(cairo);
    cairo_fill(cairo);
}

static void drawHeads(const Map* map, const PlanLines* lines, const thSketchLine* line)
{
    const thSketchPoint* points = &lines->view->points[line->first];
    double rest = unitsOf(map, HEAD_FIRST);
    for (int32_t i = 1; i < line->count; ++i) {
        const thPlace a = appPlanPlace(lines, points[i - 1]), b = appPlanPlace(lines, points[i]);
        const double length = hypot(b.x - a.x, b.y - a.y);
        for (; rest < length; rest += unitsOf(map, HEAD_EVERY)) {
            const double x = (b.x - a.x) / length, y = (b.y - a.y) / length;
            drawHead(map, (thPlace){a.x + rest * x, a.y + rest * y}, x, y);
        }
        rest -= length;
    }
}

static void drawStream(const Map* map, const PlanLines* lines, const thSketchLine* line)
{
    trace(map, lines, line);
    appSetColor(map->canvas, inkColor, 0.75);
    cairo_set_line_width(map->canvas->cairo, unitsOf(map, 0.9));
    cairo_stroke(map->canvas->cairo);
    drawHeads(map, lines, line);
}

void appDrawPlanLines(const Map* map, const PlanLines* lines)
{
    drawLayer(map, lines, th_sketchEdge, drawEdge);
    if (areNodesApart(map, lines))
        drawLayer(map, lines, th_sketchNode, drawNode);
    drawLayer(map, lines, th_sketchTree, drawTree);
    drawLayer(map, lines, th_sketchContour, drawContour);
    drawLayer(map, lines, th_sketchStream, drawStream);
}

// --- The way ---

static void drawWay(const Map* map, const PlanLines* lines, const thSketchLine* line)
{
    cairo_t* cairo = map->canvas->cairo;
    trace(map, lines, line);
    appSetColor(map->canvas, paperColor, 0.9);
    cairo_set_line_width(cairo, unitsOf(map, 8));
    cairo_stroke_preserve(cairo);
    appSetColor(map->canvas, wayColor, 1.0);
    cairo_set_line_width(cairo, unitsOf(map, 4.5));
    cairo_stroke(cairo);
    // Its end.
    const thPlace end = appPlanPlace(lines, lines->view->points[line->first + line->count - 1]);
    appTraceDisc(map, end, unitsOf(map, 9));
    appSetColor(map->canvas, paperColor, 1.0);
    cairo_fill_preserve(cairo);
    appSetColor(map->canvas, wayColor, 1.0);
    cairo_set_line_width(cairo, unitsOf(map, 3.5));
    cairo_stroke(cairo);
    appTraceDisc(map, end, unitsOf(map, 3.5));
    cairo_fill(cairo);
}

void appDrawPlanWay(const Map* map, const PlanLines* lines)
{
    cairo_t* cairo = map->canvas->cairo;
    drawLayer(map, lines, th_sketchWay, drawWay);
    const double radius = fmax((double)lines->view->radius, unitsOf(map, 8));
    appTraceDisc(map, appPlanPlace(lines, lines->view->place), radius);
    appSetColor(map->canvas, wayColor, 1.0);
    cairo_fill_preserve(cairo);
    appSetColor(map->canvas, paperColor, 1.0);
    cairo_set_line_width(cairo, unitsOf(map, 2));
    cairo_stroke(cairo);
}

// --- The legend ---

typedef struct Sign {
    thSketchLayer layer;
    const char* name;
    Color color;
    double width; // [pixels at 1600]
} Sign;

static double widthOfSign(const Canvas* canvas, const Sign* sign, double size)
{
    return 4.2 * size + appTextWidth(canvas, size, sign->name);
}

// Draws one, and returns where the next one begins.
static double drawSign(const Canvas* canvas, const Sign* sign, double x, double y, double size)
{
    cairo_t* cairo = canvas->cairo;
    const double length = 2.2 * size;
    cairo_new_path(cairo);
    cairo_move_to(cairo, x, y - 0.35 * size);
    cairo_line_to(cairo, x + length, y - 0.35 * size);
    appSetColor(canvas, sign->color, 1.0);
    cairo_set_line_width(cairo, sign->width * canvas->width / 1600);
    cairo_stroke(cairo);
    appSetColor(canvas, inkColor, 1.0);
    appDrawText(canvas, x + length + 0.5 * size, y, size, 0, sign->name);
    return x + widthOfSign(canvas, sign, size);
}

void appDrawPlanLegend(const Canvas* canvas, const PlanLines* lines, double x, double y,
                       double size)
{
    char contours[64];
    snprintf(contours, sizeof contours, "every %.3g m%s", lines->every,
             lines->countsCrowd ? ", without the crowd" : "");
    const Sign signs[] = {
        {th_sketchEdge, "graph", edgeColor, 1.2},
        {th_sketchTree, "shortest ways", appShade(0.6), 2.2},
        {th_sketchContour, contours, appShade(0.6), 2.2},
        {th_sketchStream, "direction", inkColor, 1.2},
        {th_sketchWay, "way", wayColor, 4.5},
    };
    const size_t count = sizeof signs / sizeof signs[0];
    double width = 0.0;
    for (size_t i = 0; i < count; ++i)
        if (lines->counts[signs[i].layer] > 0)
            width += widthOfSign(canvas, &signs[i], size);
    size *= fmin(1.0, (canvas->width - x) / width);
    for (size_t i = 0; i < count; ++i)
        if (lines->counts[signs[i].layer] > 0)
            x = drawSign(canvas, &signs[i], x, y, size);
}
