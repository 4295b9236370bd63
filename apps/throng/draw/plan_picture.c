// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The option `--plan-of`: a map of what an agent plans with, layer by layer.

#include "draw/draw.h"

#include "draw/agent_option.h"
#include "draw/map.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <throng/flow.h>
#include <throng/sketch.h>

// --- Lines ---

// A sketch in the coordinates of the map.
typedef struct PlanLines {
    const thSketchView* view;
    double originX, originY; // of the world [m]
    double longest;          // path that is left anywhere [m]
    double densest;          // of cells with people [1/m²]
    double every;            // from one contour line to the next [m; infinite: there are none]
    int32_t counts[th_sketchLayerCount];
    bool countsCrowd; // directions do, while lengths are those of paths without anybody
} PlanLines;

// The shade of no path left is not as pale as paper.
#define GOAL_SHADE 0.22

#define UNITS_PER_METRE ((double)THRONG_UNITS_PER_METRE)

// Arrow heads along a stream line. [pixels at a width of 1600]
#define HEAD_EVERY 130.0
#define HEAD_FIRST 26.0
#define HEAD_SIZE 8.0

// Nodes that would stand nearer to each other than this are not drawn. [pixels, likewise]
#define NODES_APART 9.0

static const Color pathColor = {0.84, 0.30, 0.00};
static const Color edgeColor = {0.62, 0.62, 0.63};
static const Color densityColor = {0.84, 0.45, 0.10};
static const Color flowColor = {0.55, 0.10, 0.35};

// Cells this dense have the whole colour. [1/m²]
#define FULL_DENSITY 5.0

static PlanLines countPlanLines(const thSketchView* view, double originX, double originY)
{
    PlanLines lines = {.view = view, .originX = originX, .originY = originY, .every = INFINITY};
    double last = 0.0; // lines are at multiples of one length
    for (int32_t i = 0; i < view->lineCount; ++i) {
        const thSketchLine* line = &view->lines[i];
        const double left = (double)line->left;
        lines.counts[line->layer] += 1;
        if (line->layer == th_sketchDensity)
            lines.densest = fmax(lines.densest, left);
        else if (line->layer != th_sketchFlow)
            lines.longest = fmax(lines.longest, left);
        if (line->layer != th_sketchContour || left == last)
            continue;
        lines.every = fmin(lines.every, fmin(left, fabs(left - last)));
        last = left;
    }
    return lines;
}

static thPlace planPlace(const PlanLines* lines, thSketchPoint point)
{
    return (thPlace){lines->originX + point.x / UNITS_PER_METRE,
                     lines->originY + point.y / UNITS_PER_METRE};
}

// Pixels of a page 1600 wide, on the map.
static double unitsOf(const Map* map, double count)
{
    return appPixels(map, count * map->canvas->width / 1600);
}

static void traceLine(const Map* map, const PlanLines* lines, const thSketchLine* line)
{
    cairo_new_path(map->canvas->cairo);
    for (int32_t i = 0; i < line->count; ++i) {
        const thPlace place = planPlace(lines, lines->view->points[line->first + i]);
        cairo_line_to(map->canvas->cairo, place.x, place.y);
    }
}

static Color shadeOf(const PlanLines* lines, double left)
{
    const double share = lines->longest > 0.0 ? left / lines->longest : 0.0;
    return appShade(GOAL_SHADE + (1 - GOAL_SHADE) * share);
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
    traceLine(map, lines, line);
    appSetColor(map->canvas, edgeColor, alpha);
    cairo_set_line_width(map->canvas->cairo, unitsOf(map, 0.8));
    cairo_stroke(map->canvas->cairo);
}

static void drawNode(const Map* map, const PlanLines* lines, const thSketchLine* line)
{
    appSetColor(map->canvas, appDarken(edgeColor, 0.25), 1.0);
    if (line->count == 1) {
        appTraceDisc(map, planPlace(lines, lines->view->points[line->first]), unitsOf(map, 1.8));
        cairo_fill(map->canvas->cairo);
        return;
    }
    traceLine(map, lines, line);
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
    traceLine(map, lines, line);
    appSetColor(map->canvas, shadeOf(lines, (double)line->left), 1.0);
    cairo_set_line_width(map->canvas->cairo, unitsOf(map, 1.6));
    cairo_stroke(map->canvas->cairo);
}

static void drawContour(const Map* map, const PlanLines* lines, const thSketchLine* line)
{
    traceLine(map, lines, line);
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
        const thPlace a = planPlace(lines, points[i - 1]), b = planPlace(lines, points[i]);
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
    traceLine(map, lines, line);
    appSetColor(map->canvas, inkColor, 0.75);
    cairo_set_line_width(map->canvas->cairo, unitsOf(map, 0.9));
    cairo_stroke(map->canvas->cairo);
    drawHeads(map, lines, line);
}

static void drawDensity(const Map* map, const PlanLines* lines, const thSketchLine* line)
{
    const thPlace low = planPlace(lines, lines->view->points[line->first]);
    const thPlace high = planPlace(lines, lines->view->points[line->first + 1]);
    cairo_new_path(map->canvas->cairo);
    cairo_rectangle(map->canvas->cairo, low.x, low.y, high.x - low.x, high.y - low.y);
    appSetColor(map->canvas, densityColor, 0.9 * fmin((double)line->left / FULL_DENSITY, 1.0));
    cairo_fill(map->canvas->cairo);
}

static void drawFlow(const Map* map, const PlanLines* lines, const thSketchLine* line)
{
    traceLine(map, lines, line);
    appSetColor(map->canvas, flowColor, 0.9);
    cairo_set_line_width(map->canvas->cairo, unitsOf(map, 1.1));
    cairo_stroke(map->canvas->cairo);
}

// What lies below walls, and what lies above them. Within the map.
static void drawPlanLines(const Map* map, const PlanLines* lines)
{
    drawLayer(map, lines, th_sketchDensity, drawDensity);
    drawLayer(map, lines, th_sketchEdge, drawEdge);
    if (areNodesApart(map, lines))
        drawLayer(map, lines, th_sketchNode, drawNode);
    drawLayer(map, lines, th_sketchTree, drawTree);
    drawLayer(map, lines, th_sketchContour, drawContour);
    drawLayer(map, lines, th_sketchFlow, drawFlow);
    drawLayer(map, lines, th_sketchStream, drawStream);
}

// --- The path ---

static void drawPath(const Map* map, const PlanLines* lines, const thSketchLine* line)
{
    cairo_t* cairo = map->canvas->cairo;
    traceLine(map, lines, line);
    appSetColor(map->canvas, paperColor, 0.9);
    cairo_set_line_width(cairo, unitsOf(map, 8));
    cairo_stroke_preserve(cairo);
    appSetColor(map->canvas, pathColor, 1.0);
    cairo_set_line_width(cairo, unitsOf(map, 4.5));
    cairo_stroke(cairo);
    // Its end.
    const thPlace end = planPlace(lines, lines->view->points[line->first + line->count - 1]);
    appTraceDisc(map, end, unitsOf(map, 9));
    appSetColor(map->canvas, paperColor, 1.0);
    cairo_fill_preserve(cairo);
    appSetColor(map->canvas, pathColor, 1.0);
    cairo_set_line_width(cairo, unitsOf(map, 3.5));
    cairo_stroke(cairo);
    appTraceDisc(map, end, unitsOf(map, 3.5));
    cairo_fill(cairo);
}

static void drawPlanPath(const Map* map, const PlanLines* lines)
{
    cairo_t* cairo = map->canvas->cairo;
    drawLayer(map, lines, th_sketchWay, drawPath);
    const double radius = fmax((double)lines->view->radius, unitsOf(map, 8));
    appTraceDisc(map, planPlace(lines, lines->view->place), radius);
    appSetColor(map->canvas, pathColor, 1.0);
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

// What the lines are, from x on in a row of the page; y is where letters stand.
static void drawPlanLegend(const Canvas* canvas, const PlanLines* lines, double x, double y,
                           double size)
{
    char contours[64], density[64];
    snprintf(density, sizeof density, "up to %.1f/m²", lines->densest);
    snprintf(contours, sizeof contours, "every %.3g m%s", lines->every,
             lines->countsCrowd ? ", without the crowd" : "");
    const Sign signs[] = {
        {th_sketchEdge, "graph", edgeColor, 1.2},
        {th_sketchTree, "shortest ways", appShade(0.6), 2.2},
        {th_sketchContour, contours, appShade(0.6), 2.2},
        {th_sketchDensity, density, densityColor, 8.0},
        {th_sketchFlow, "flow in 1 s", flowColor, 1.6},
        {th_sketchStream, "direction", inkColor, 1.2},
        {th_sketchWay, "way", pathColor, 4.5},
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

// --- The picture ---

// Lines of each layer that can be drawn within seconds.
enum { mostLines = 200000 };

static bool hasShades(const PlanLines* lines)
{
    return lines->longest > 0.0 &&
           (lines->counts[th_sketchTree] > 0 || lines->counts[th_sketchContour] > 0 ||
            lines->counts[th_sketchStream] > 0);
}

// How long the path is, or why there is none; or both, where it leads only near the goal.
static void formatPath(char* text, size_t size, const thSketchView* view)
{
    const bool isThere = view->answer == th_planComplete || view->answer == th_planPartial;
    int length = isThere ? snprintf(text, size, "%.1f m", view->length) : 0;
    if (view->why != NULL)
        snprintf(text + length, size - (size_t)length, "%s%s", isThere ? ": " : "", view->why);
}

// What is not shown, because it would be too much.
static void formatLeftOut(char* text, size_t size, const PlanLines* lines)
{
    static const struct {
        thSketchLayer layer;
        const char *which, *name;
    } kinds[] = {{th_sketchEdge, "the longest ", "edges"},
                 {th_sketchTree, "", "legs of the tree"},
                 {th_sketchContour, "", "pieces of lines"}};
    text[0] = '\0';
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        const long long out = lines->view->leftOut[kinds[i].layer];
        const size_t length = strlen(text);
        if (out > 0)
            snprintf(text + length, size - length, "   without %s%lld of %lld %s", kinds[i].which,
                     out, out + lines->counts[kinds[i].layer], kinds[i].name);
    }
}

// Whether there is more to explain than the path.
static bool hasLegend(const PlanLines* lines)
{
    return lines->view->lineCount > lines->counts[th_sketchWay];
}

static Bounds findBounds(const PlanLines* lines, const Scenery* scenery)
{
    Bounds bounds = appNoBounds();
    const thSketchView* view = lines->view;
    appIncludeScenery(&bounds, scenery);
    appInclude(&bounds, planPlace(lines, view->place), (double)view->radius);
    for (int32_t i = 0; i < view->pointCount; ++i)
        appInclude(&bounds, planPlace(lines, view->points[i]), 0.0);
    return bounds;
}

// Whether fields of the scene lead round crowds.
static bool countsCrowd(const thScene* scene)
{
    bool counts = false;
    const int32_t count = thScene_GetInfo(scene).profileCount;
    for (int32_t i = 0; i < count; ++i) {
        thProfileDef def;
        const char* method = thScene_GetMethod(scene, i, th_methodPlan);
        if (strcmp(method, "flow") != 0 || thScene_GetProfile(scene, i, &def) != th_resultOk)
            continue;
        const thFlowDef* flow = def.plan.params;
        counts = counts || (flow != NULL && flow->crowding > 0.0f);
    }
    return counts;
}

// Everybody else on the floor, lightly: what fields that count a crowd lead round. Bodies that are
// too small to be seen would only be dust.
static void drawCrowd(const Map* map, const PlanLines* lines, const Recording* recording)
{
    const thRecordedFrame* frame = &recording->latest.frame;
    appSetColor(map->canvas, solidColor, 0.8);
    for (int32_t i = 0; i < frame->count; ++i) {
        const thRecordedPerson* person = appFindPerson(recording, frame->id[i]);
        if (person == NULL || person->level != lines->view->level ||
            (double)person->radius < appPixels(map, 1.0))
            continue;
        const thPlace place = {frame->x[i], frame->y[i]};
        appTraceDisc(map, place, (double)person->radius);
        cairo_fill(map->canvas->cairo);
    }
}

static void drawFoot(const Map* map, const MapPage* page, const PlanLines* lines, const Reel* reel,
                     const Scenery* scenery)
{
    char text[900], path[300], leftOut[300];
    const thSketchView* view = lines->view;
    formatPath(path, sizeof path, view);
    formatLeftOut(leftOut, sizeof leftOut, lines);
    snprintf(text, sizeof text, "%.150s   t = %.1f s   agent %llu   plan %s   %s%s", reel->title,
             thRun_GetTime(reel->source.run), (unsigned long long)view->key, view->method, path,
             leftOut);
    appDrawFoot(map, page, scenery, text);
}

static bool drawPage(const Reel* reel, const DrawDef* def, const PlanLines* lines)
{
    const Recording* recording = reel->source.recording;
    // Without what moves, which nobody plans for.
    const Scenery scenery = {
        recording->shapes, recording->shapeCount, lines->view->level, true, false, &reel->doors};
    const Bounds bounds = findBounds(lines, &scenery);
    const MapPage page = appLayOutMap(&bounds, def->width, hasLegend(lines));
    Canvas canvas;
    if (!appBeginCanvas(&canvas, def->output, page.width, page.height))
        return false;
    const Map map = appPlaceOnPage(&canvas, &page);
    appEnterMap(&map);
    appDrawFloor(&map, &scenery);
    drawCrowd(&map, lines, recording);
    drawPlanLines(&map, lines);
    appDrawOnFloor(&map, &scenery);
    drawPlanPath(&map, lines);
    appLeaveMap(&map);
    if (hasShades(lines))
        appDrawBar(&canvas, &page, "way left [m]", lines->longest, GOAL_SHADE, false);
    if (hasLegend(lines))
        drawPlanLegend(&canvas, lines, page.margin + (hasShades(lines) ? 0.54 : 0) * page.width,
                       page.height - page.foot - page.bar + 0.0246 * page.width,
                       0.014 * page.width);
    drawFoot(&map, &page, lines, reel, &scenery);
    return appEndCanvas(&canvas);
}

// The first frame of a run is the state it is in, and brings people, walls and goals.
static bool readState(Reel* reel)
{
    Recording* recording = reel->source.recording;
    return appNextFrame(recording) == nextFrame &&
           appNoteDoors(&reel->doors, recording->shapes, recording->shapeCount);
}

static ExitCode drawSketch(Reel* reel, const DrawDef* def, const thSketch* sketch)
{
    const thSceneInfo info = thScene_GetInfo(reel->source.scene);
    const thSketchView view = thSketch_GetView(sketch);
    PlanLines lines = countPlanLines(&view, info.originX, info.originY);
    lines.countsCrowd = countsCrowd(reel->source.scene);
    if (!readState(reel) || !drawPage(reel, def, &lines))
        return exitEnvironment;
    const thPlace place = planPlace(&lines, view.place);
    FloorText floor;
    if (!def->quiet)
        printf("%s: plan of agent %llu of %s at t = %.1f s, at %.2f, %.2f m%s\n", def->output,
               (unsigned long long)view.key, reel->title, thRun_GetTime(reel->source.run), place.x,
               place.y, appOtherFloor(def, view.level, &floor));
    return exitDone;
}

ExitCode appDrawPlan(Reel* reel, const DrawDef* def, const char* text)
{
    // Before the first step nobody has a plan.
    const AgentOption option = {
        .option = "plan-of", .text = text, .what = "plan with", .leastSteps = 1};
    thAgentId agent;
    ExitCode code = appFindAgent(reel, def, &option, &agent);
    if (code != exitDone)
        return code;
    thSketch* sketch;
    const thWorld* world = thRun_GetWorld(reel->source.run);
    const thResult result = thAgent_SketchPlan(world, agent, mostLines, &sketch);
    if (result == th_resultUnavailable)
        appSay("the planner of the agent has nothing to show; those of the library but 'given' do");
    else if (result != th_resultOk)
        appSay("cannot sketch the plan: %s", thResult_GetText(result));
    code = result == th_resultOk            ? drawSketch(reel, def, sketch)
           : result == th_resultUnavailable ? exitUsage
                                            : appExitOf(result);
    thDestroySketch(sketch);
    return code;
}
