// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// People on a map: bodies with headings, and trails.

#include "draw/people.h"

#include <math.h>
#include <stdio.h>

#define TAU 6.283185307179586

// Radius to draw somebody with. [m]
static double radiusOf(const Player* player, const Sight* sight)
{
    const double usual = 0.2;
    const float radius =
        sight->person >= 0 ? player->recording->people[sight->person].radius : 0.0f;
    return radius > 0.0f ? (double)radius : usual;
}

bool appIsOnLevel(const PeopleStyle* style, const Player* player, const Sight* sight)
{
    return style->level ==
           (sight->person >= 0 ? player->recording->people[sight->person].level : 0);
}

// By the goal; where that says little, because there are none or very many, by the start.
static Color colorOfGoal(const PeopleStyle* style, const Player* player, int32_t person)
{
    if (player->goalCount > 0 && player->goalCount <= appMostGoals)
        return appColorOf(player->recording->people[person].goal);
    const thPlace start = player->starts[person];
    return appHue(atan2(start.y - style->center.y, start.x - style->center.x) / TAU);
}

static Color unknownColor(void)
{
    return appLighten(inkColor, 0.45);
}

void appDrawSpeeds(const Canvas* canvas, const MapPage* page, const Extent* extent)
{
    appDrawBar(canvas, page, "speed [m/s]", extent->fastest, appSlowShade,
               extent->greatest > extent->fastest);
}

PeopleStyle appStyleOf(const DrawDef* def, const Extent* extent, const MapPage* page,
                       const thScene* scene)
{
    const Colouring usual = extent->hasGroups ? colourByGroup : colourByGoal;
    return (PeopleStyle){.colouring =
                             def->colouring == colourByGroupOrGoal ? usual : def->colouring,
                         .level = def->level,
                         .center = appMiddle(&page->shown),
                         .fastest = extent->fastest,
                         .scene = scene};
}

Color appColorOfSight(const PeopleStyle* style, const Player* player, const Sight* sight)
{
    if (style->colouring == colourBySpeed && !isnan(sight->speed))
        return appShade(appSlowShade + (1 - appSlowShade) * (double)sight->speed / style->fastest);
    if (sight->person < 0)
        return inkColor;
    const int32_t group = player->recording->people[sight->person].group;
    switch (style->colouring) {
    case colourByAgent:
        return appColorOf(sight->person);
    case colourByGroup:
        return group >= 0 ? appColorOf(group) : unknownColor();
    case colourBySpeed:
        return unknownColor();
    default:
        return colorOfGoal(style, player, sight->person);
    }
}

static void drawTrail(const Map* map, const Player* player, const Sight* sight, Color color)
{
    cairo_t* cairo = map->canvas->cairo;
    thPlace points[appTrailPoints + 1];
    int32_t count = appGetTrail(&player->trails, sight->person, player->now.time, points);
    points[count++] = sight->place;
    cairo_set_line_width(cairo, fmax(0.35 * radiusOf(player, sight), appPixels(map, 0.8)));
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_BUTT); // round ones would overlap, and show as dots
    // In pieces that become fainter into the past.
    enum { piece = 8 };
    for (int32_t i = count - 1; i > 0; i -= piece) {
        const int32_t first = i - piece > 0 ? i - piece : 0;
        appTracePlaces(map, points + first, i - first + 1, false);
        appSetColor(map->canvas, color,
                    0.42 * (double)(appTrailPoints - count + 2 + i) / (appTrailPoints + 1));
        cairo_stroke(cairo);
    }
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
}

static void drawHeading(const Map* map, const Sight* sight, double radius)
{
    cairo_t* cairo = map->canvas->cairo;
    const double x = cos((double)sight->heading), y = sin((double)sight->heading);
    const thPlace corners[] = {
        {sight->place.x + 0.85 * radius * x, sight->place.y + 0.85 * radius * y},
        {sight->place.x - radius * (0.3 * x + 0.45 * y),
         sight->place.y - radius * (0.3 * y - 0.45 * x)},
        {sight->place.x - radius * (0.3 * x - 0.45 * y),
         sight->place.y - radius * (0.3 * y + 0.45 * x)},
    };
    appTracePlaces(map, corners, 3, true);
    appSetColor(map->canvas, paperColor, 0.85);
    cairo_fill(cairo);
}

// Somebody's shape as it stands; false for discs.
static bool traceShape(const Map* map, const PeopleStyle* style, const Player* player,
                       const Sight* sight)
{
    thBodyShape shape;
    thPlace corners[THRONG_SHAPE_CORNERS];
    const int32_t entry = sight->person >= 0 ? player->recording->people[sight->person].entry : -1;
    if (style->scene == NULL || entry < 0 || isnan(sight->heading) ||
        thScene_GetBody(style->scene, entry, &shape) != th_resultOk || shape.count == 0)
        return false;
    const double x = cos((double)sight->heading), y = sin((double)sight->heading);
    for (int32_t i = 0; i < shape.count; ++i) {
        const double ahead = (double)shape.corners[i].x, left = (double)shape.corners[i].y;
        corners[i] =
            (thPlace){sight->place.x + x * ahead - y * left, sight->place.y + y * ahead + x * left};
    }
    appTracePlaces(map, corners, shape.count, true);
    return true;
}

static void drawBody(const Map* map, const PeopleStyle* style, const Player* player,
                     const Sight* sight, Color color)
{
    const double visible = fmax(radiusOf(player, sight), appPixels(map, 1.2));
    if (!traceShape(map, style, player, sight))
        appTraceDisc(map, sight->place, visible);
    const Color own = appIsAtGoal(player, sight) ? appLighten(color, 0.45) : color;
    appSetColor(map->canvas, own, 1.0);
    if (visible * map->scale >= 4.5) { // a thin line, so that people who touch do not merge
        cairo_fill_preserve(map->canvas->cairo);
        appSetColor(map->canvas, appDarken(own, 0.35), 1.0);
        cairo_set_line_width(map->canvas->cairo, appPixels(map, map->canvas->width / 1600));
        cairo_stroke(map->canvas->cairo);
    } else {
        cairo_fill(map->canvas->cairo);
    }
    if (visible * map->scale >= 3.0 && !isnan(sight->heading)) // else too small to show it
        drawHeading(map, sight, visible);
}

// All trails lie below all bodies.
int32_t appDrawPeople(const Map* map, const PeopleStyle* style, const Player* player)
{
    const bool hasTrails = player->trails.seconds > 0.0;
    int32_t count = 0;
    for (int32_t pass = hasTrails ? 0 : 1; pass < 2; ++pass) {
        for (int32_t i = 0; i < player->now.count; ++i) {
            const Sight* sight = &player->now.sights[i];
            if (!appIsOnLevel(style, player, sight))
                continue;
            const Color color = appColorOfSight(style, player, sight);
            if (pass == 1)
                drawBody(map, style, player, sight, color);
            else if (sight->person >= 0)
                drawTrail(map, player, sight, color);
            count += pass;
        }
    }
    return count;
}

void appFormatMoment(char* text, size_t size, const Reel* reel, const Player* player, int32_t count)
{
    const bool isOurs = reel->source.recording->head.scene != NULL || reel->source.run != NULL;
    const char* one = isOurs ? "agent" : "person";
    const char* many = isOurs ? "agents" : "people";
    snprintf(text, size, "%.150s   t = %.1f s   %d %s", reel->title, player->now.time, (int)count,
             count == 1 ? one : many);
}
