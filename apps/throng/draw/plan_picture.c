// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "draw/plan_picture.h"

#include "draw/debug/agent_wish.h"
#include "draw/plan_lines.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <throng/flow.h>

// Lines of each layer that can be drawn within seconds.
enum { mostLines = 200000 };

static bool hasShades(const PlanLines* lines)
{
    return lines->longest > 0.0 &&
           (lines->counts[th_sketchTree] > 0 || lines->counts[th_sketchContour] > 0 ||
            lines->counts[th_sketchStream] > 0);
}

// How long the way is, or why there is none; or both, where it leads only near the goal.
static void formatWay(char* text, size_t size, const thSketchView* view)
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

// Whether there is more to explain than the way.
static bool hasLegend(const PlanLines* lines)
{
    return lines->view->lineCount > lines->counts[th_sketchWay];
}

static Bounds findBounds(const PlanLines* lines, const Scenery* scenery)
{
    Bounds bounds = appNoBounds();
    const thSketchView* view = lines->view;
    appIncludeScenery(&bounds, scenery);
    appInclude(&bounds, appPlanPlace(lines, view->place), (double)view->radius);
    for (int32_t i = 0; i < view->pointCount; ++i)
        appInclude(&bounds, appPlanPlace(lines, view->points[i]), 0.0);
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
    char text[900], way[300], leftOut[300];
    const thSketchView* view = lines->view;
    formatWay(way, sizeof way, view);
    formatLeftOut(leftOut, sizeof leftOut, lines);
    snprintf(text, sizeof text, "%.150s   t = %.1f s   agent %llu   plan %s   %s%s", reel->title,
             thRun_GetTime(reel->source.run), (unsigned long long)view->key, view->method, way,
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
    appDrawPlanLines(&map, lines);
    appDrawOnFloor(&map, &scenery);
    appDrawPlanWay(&map, lines);
    appLeaveMap(&map);
    if (hasShades(lines))
        appDrawBar(&canvas, &page, "way left [m]", lines->longest, appGoalShade, false);
    if (hasLegend(lines))
        appDrawPlanLegend(&canvas, lines, page.margin + (hasShades(lines) ? 0.54 : 0) * page.width,
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
    PlanLines lines = appCountPlanLines(&view, info.originX, info.originY);
    lines.countsCrowd = countsCrowd(reel->source.scene);
    if (!readState(reel) || !drawPage(reel, def, &lines))
        return exitEnvironment;
    const thPlace place = appPlanPlace(&lines, view.place);
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
    const AgentWish wish = {
        .option = "plan-of", .text = text, .what = "plan with", .leastSteps = 1};
    thAgentId agent;
    ExitCode code = appFindWish(reel, def, &wish, &agent);
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
