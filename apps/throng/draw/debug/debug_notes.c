// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What is written below the two planes of an explained agent: its velocities, a legend of the
// marks, and what there is to say in words.

#include "draw/debug/debug_notes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LINE 25.0 // height of a line, in units
#define SIZE 15.0 // of letters

// Lines of the legend and of what is said at most, and letters of a line that is said: as many as
// there is room for.
enum { mostLines = 12, mostWords = 24, lineLetters = 66 };

// A column of lines, each in its place.
typedef struct Column {
    const Canvas* canvas;
    double left, width, top, unit; // [pixels]
    int32_t count;
} Column;

static double nextLine(Column* column)
{
    column->count += 1;
    return column->top + column->count * LINE * column->unit;
}

static void writeText(const Column* column, double x, double y, double anchor, const char* text)
{
    appSetColor(column->canvas, inkColor, 1.0);
    const double room = column->width - x, size = SIZE * column->unit;
    appDrawText(column->canvas, column->left + x, y,
                anchor == 0.0 ? appFitText(column->canvas, size, room, text) : size, anchor, text);
}

// A panel that is only there to draw a sign of the legend with: a strip of 40 × 16 units.
static Panel signAt(const Column* column, double y)
{
    const double side = 40 * column->unit;
    return (Panel){.canvas = column->canvas,
                   .left = column->left,
                   .top = y - 5 * column->unit - 0.5 * side,
                   .side = side,
                   .unit = column->unit,
                   .reach = 1.0};
}

static void addVelocity(Column* column, const char* name, thVec2 velocity, Color color,
                        double width)
{
    const double y = nextLine(column);
    const Panel sign = signAt(column, y);
    appDrawArrow(&sign, (thVec2){-0.9f, 0.0f}, (thVec2){0.9f, 0.0f}, color, width);
    writeText(column, 55 * column->unit, y, 0.0, name);
    const double values[3] = {velocity.x, velocity.y, hypot(velocity.x, velocity.y)};
    for (int32_t i = 0; i < 3; ++i) {
        char text[32];
        snprintf(text, sizeof text, "%.2f", fabs(values[i]) < 0.005 ? 0.0 : values[i]);
        writeText(column, (215 + 75 * i) * column->unit, y, 1.0, text);
    }
}

static void addVelocities(Column* column, const thExplanationView* view)
{
    const double y = nextLine(column);
    static const char* const heads[3] = {"x", "y", "speed [m/s]"};
    for (int32_t i = 0; i < 3; ++i)
        writeText(column, (215 + 75 * i + (i == 2 ? 45 : 0)) * column->unit, y, 1.0, heads[i]);
    const bool isSame = view->wanted.x == view->adapted.x && view->wanted.y == view->adapted.y;
    addVelocity(column, "current", view->current, debugCurrentColor, 2.0);
    addVelocity(column, "wanted", view->wanted, debugWantedColor, 2.0);
    if (!isSame)
        addVelocity(column, "adapted", view->adapted, debugAdaptedColor, 2.0);
    addVelocity(column, "chosen", view->chosen, debugChosenColor, 3.2);
}

static const char* nameOfCause(thMarkCause cause)
{
    static const char* const names[] = {"", " of an agent", " of a wall", " of a moving obstacle"};
    return names[cause];
}

static const char* nameOfKind(thMarkKind kind)
{
    static const char* const names[th_markKindCount] = {"half-plane", "region",          "cone",
                                                        "disc",       "sample, by cost", "arrow",
                                                        "path",       "point",           "text"};
    return names[kind];
}

// Marks that look alike and are called alike are explained once.
static bool isAlike(const thMark* a, const thMark* b)
{
    const char* labelA = a->label != NULL ? a->label : "";
    const char* labelB = b->label != NULL ? b->label : "";
    return a->kind == b->kind && a->cause == b->cause && strcmp(labelA, labelB) == 0;
}

static bool isFirst(const thExplanationView* view, int32_t index)
{
    for (int32_t i = 0; i < index; ++i)
        if (isAlike(&view->marks[i], &view->marks[index]))
            return false;
    return true;
}

// The same mark where the legend has room for it.
static void drawSign(const Panel* sign, const thExplanationView* view, const thMark* mark)
{
    static const thVec2 half[2] = {{0.0f, -0.15f}, {0.0f, 1.0f}};
    static const thVec2 line[2] = {{-0.8f, 0.0f}, {0.8f, 0.0f}};
    static const thVec2 box[4] = {{-0.8f, -0.3f}, {0.8f, -0.3f}, {0.8f, 0.3f}, {-0.8f, 0.3f}};
    static const thVec2 cone[3] = {{-1.0f, 0.5f}, {0.0f, -0.3f}, {1.0f, 0.5f}};
    static const thVec2 dot = {0.0f, 0.0f};
    thMark small = *mark;
    small.space = th_spacePlace; // nothing binds here, and nothing has a number
    small.radius = 0.35f;
    small.points = mark->kind == th_markHalfPlane                            ? half
                   : mark->kind == th_markRegion                             ? box
                   : mark->kind == th_markCone                               ? cone
                   : mark->kind == th_markArrow || mark->kind == th_markPath ? line
                                                                             : &dot;
    small.pointCount = mark->kind == th_markRegion ? 4
                       : mark->kind == th_markCone ? 3
                       : small.points == &dot      ? 1
                                                   : 2;
    thExplanationView alone = *view;
    alone.marks = &small;
    alone.markCount = 1;
    cairo_t* cairo = sign->canvas->cairo;
    cairo_save(cairo);
    cairo_rectangle(cairo, sign->left, sign->top + 0.28 * sign->side, sign->side,
                    0.44 * sign->side);
    cairo_clip(cairo);
    appDrawMarks(sign, &alone, th_spacePlace);
    cairo_restore(cairo);
}

// Samples have a bar of colours.
static void drawCosts(const Column* column, double y, double least, double most)
{
    cairo_t* cairo = column->canvas->cairo;
    const double x = column->left + 290 * column->unit, length = 120 * column->unit;
    for (int32_t i = 0; i < 60; ++i) {
        appSetColor(column->canvas, appShade(i / 59.0), 1.0);
        cairo_rectangle(cairo, x + length * i / 60, y - 11 * column->unit, length / 60 + 0.5,
                        12 * column->unit);
        cairo_fill(cairo);
    }
    char text[32];
    snprintf(text, sizeof text, "%.3g", least);
    writeText(column, 282 * column->unit, y, 1.0, text);
    snprintf(text, sizeof text, "%.3g", most);
    writeText(column, 418 * column->unit, y, 0.0, text);
}

static void addLegend(Column* column, const thExplanationView* view)
{
    for (int32_t i = 0; i < view->markCount && column->count < mostLines; ++i) {
        const thMark* mark = &view->marks[i];
        if (mark->kind == th_markText || !isFirst(view, i))
            continue;
        const double y = nextLine(column);
        const Panel sign = signAt(column, y);
        drawSign(&sign, view, mark);
        char text[160];
        snprintf(text, sizeof text, "%.100s%s",
                 mark->label != NULL ? mark->label : nameOfKind(mark->kind),
                 nameOfCause(mark->cause));
        writeText(column, 55 * column->unit, y, 0.0, text);
        double least, most;
        if (mark->kind == th_markSample && appFindCosts(view, &least, &most))
            drawCosts(column, y, least, most);
    }
}

// What there is to say in words.
typedef struct Words {
    char lines[mostWords][4 * lineLetters + 1];
    int32_t count;
} Words;

// Bytes of a text that go into a line: up to the last space within it, if there is more.
static int32_t findBreak(const char* text, int32_t letters)
{
    int32_t count = 0, at = 0, space = 0;
    for (; text[at] != '\0' && count <= letters; ++at) {
        space = text[at] == ' ' && at > 0 ? at : space;
        count += (text[at] & 0xC0) != 0x80; // what follows in UTF-8 is of the same letter
    }
    while ((text[at] & 0xC0) == 0x80)
        ++at;
    return count <= letters || space == 0 ? at : space;
}

// In lines as long as there is room; those after the first are indented.
__attribute__((format(printf, 2, 3))) static void say(Words* words, const char* format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *rest = text, *indent = "";
    while (*rest != '\0' && words->count < mostWords) {
        const int32_t length = findBreak(rest, lineLetters - (int32_t)strlen(indent));
        snprintf(words->lines[words->count++], sizeof words->lines[0], "%s%.*s", indent,
                 (int)length, rest);
        rest += length;
        rest += *rest == ' ';
        indent = "    ";
    }
}

static void sayFlags(Words* words, uint32_t flags)
{
    if ((flags & th_agentExternal) != 0)
        say(words, "the host moves it; its methods are not asked");
    else if ((flags & th_agentHolds) != 0)
        say(words, "it holds its place; its methods are not asked");
    else if ((flags & th_agentWaiting) != 0)
        say(words, "it was told to wait");
    else if ((flags & th_agentArrived) != 0)
        say(words, "it has arrived");
}

// Appends to a text as far as there is room.
__attribute__((format(printf, 3, 4))) static void append(char* text, size_t room,
                                                         const char* format, ...)
{
    const size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, room - length, format, arguments);
    va_end(arguments);
}

// Whose marks of a kind bind: neighbours by their numbers, then walls and moving obstacles.
static void listBinding(const thExplanationView* view, thMarkKind kind, char* text, size_t room)
{
    int32_t last = 0, counts[4] = {0};
    text[0] = '\0';
    for (int32_t i = 0; i < view->markCount; ++i) {
        const thMark* mark = &view->marks[i];
        if (mark->kind != kind || !appIsBinding(view, mark))
            continue;
        counts[mark->cause] += 1;
        const int32_t number =
            mark->cause == th_causeAgent ? appNeighborNumber(view, mark->whose) : 0;
        if (number > 0 && number != last)
            append(text, room, "%s%d", last == 0 ? "neighbours " : ", ", (int)number);
        last = number > 0 ? number : last;
    }
    static const char* const names[4] = {
        [th_causeWall] = "walls", [th_causeMover] = "moving obstacles"};
    for (int32_t cause = th_causeWall; cause <= th_causeMover; ++cause)
        if (counts[cause] > 0)
            append(text, room, "%s%s", text[0] != '\0' ? ", " : "", names[cause]);
    if (text[0] == '\0')
        append(text, room, "none");
}

static void sayBorders(Words* words, const thExplanationView* view, thMarkKind kind,
                       const char* where)
{
    int32_t count = 0;
    for (int32_t i = 0; i < view->markCount; ++i)
        count += view->marks[i].kind == kind && view->marks[i].space == th_spaceVelocity;
    if (count == 0)
        return;
    char binding[256];
    listBinding(view, kind, binding, sizeof binding);
    say(words, "%ss: %d; %s (thick): %s", nameOfKind(kind), (int)count, where, binding);
}

static void sayMarks(Words* words, const thExplanationView* view)
{
    for (int32_t i = 0; i < view->markCount; ++i)
        if (view->marks[i].kind == th_markText)
            say(words, "%s", view->marks[i].label);
    sayBorders(words, view, th_markHalfPlane, "at or beyond");
    sayBorders(words, view, th_markCone, "on the border");
}

static void sayPace(Words* words, const thExplanationView* view)
{
    const double before = hypot((double)view->avoided.x, (double)view->avoided.y);
    const double after = hypot((double)view->chosen.x, (double)view->chosen.y);
    if (after < before - 0.005)
        say(words, "pace: %.2f of %.2f m/s, behind somebody who wants the same way", after, before);
}

static Words findWords(const thExplanationView* view)
{
    Words words = {.count = 0};
    say(&words, "plan %s, group %s, avoid %s (status %d)", view->methods[th_methodPlan],
        view->methods[th_methodGroup], view->methods[th_methodAvoid], (int)view->status);
    sayFlags(&words, view->flags);
    sayMarks(&words, view);
    say(&words, "sees: agents %d, pieces of wall %d, moving obstacles %d", (int)view->agentCount,
        (int)view->wallCount, (int)view->moverCount);
    sayPace(&words, view);
    if (view->waited > 0.0f)
        say(&words, "held up for %.1f s%s%s", (double)view->waited,
            view->shuffles ? ", shuffles past others who are" : "",
            view->claim > 0.0f && !view->stepsBack ? ", claims its way" : "");
    if (view->stepsBack)
        say(&words, "steps back for somebody who claims the way");
    if (view->backsOff)
        say(&words, "stands, and backs off from somebody who wants the same");
    if (view->relief < 1.0f)
        say(&words, "contacts leave it %.0f %% of what it wants", 100.0 * (double)view->relief);
    if (view->remaining < 1e9f) // planners say so much while they know no path
        say(&words, "way that is left: %.1f m", (double)view->remaining);
    return words;
}

static int32_t countLegend(const thExplanationView* view)
{
    int32_t count = 0;
    for (int32_t i = 0; i < view->markCount && count < mostLines; ++i)
        count += view->marks[i].kind != th_markText && isFirst(view, i);
    return count;
}

double appNotesHeight(const thExplanationView* view, double unit)
{
    const int32_t velocities = 5, words = findWords(view).count, legend = countLegend(view);
    const int32_t most = words > legend ? words : legend;
    return ((most > velocities ? most : velocities) + 1.5) * LINE * unit;
}

void appDrawNotes(const Canvas* canvas, const thExplanationView* view, double top, double unit)
{
    Column velocities = {canvas, 60 * unit, 440 * unit, top, unit, 0};
    Column legend = {canvas, 520 * unit, 500 * unit, top, unit, 0};
    Column spoken = {canvas, 1040 * unit, 530 * unit, top, unit, 0};
    const Words words = findWords(view);
    addVelocities(&velocities, view);
    addLegend(&legend, view);
    for (int32_t i = 0; i < words.count; ++i)
        writeText(&spoken, 0.0, nextLine(&spoken), 0.0, words.lines[i]);
}
