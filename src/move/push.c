// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How moving obstacles push bodies, in small steps of time. Bodies are looked at from the mover:
// its place and angle at a time between 0 and 1 are taken off the body's place, and its corners
// stay as they are at the beginning of the step.

#include "move/push.h"

#include "geom/fixed.h"
#include "geom/segment.h"
#include "move/slide.h"
#include "throng/math.h"

#include <math.h>

#define MAX_STEPS 65536  // of one body; who needs more is left behind, squeezed
#define PUSHES 8         // in each step
#define MAX_SQUEEZED 32  // steps in which it could not give way; then it is left where it is
#define SHORTEST 64.0    // a step may be that long, however small a body is [units]
#define MOST_EFFORT 16.0 // more against walls is no use: they hold the body
#define CLEARANCE 1.0    // pushed bodies are that far from the mover [units]

// Movers of a step that make a share of their motion.
typedef struct Pushers {
    const thMoverMotion* motion;
    const int32_t* list;
    int32_t count;
    double share;
    int32_t level;
} Pushers;

// How a mover is met: the way out of it and the distance in that direction, negative inside.
typedef struct Meeting {
    thOffset normal;
    double distance; // units
} Meeting;

static Meeting meetDisc(thOffset p, double radius)
{
    const double length = sqrt(p.x * p.x + p.y * p.y);
    const thOffset normal =
        length > 0.0 ? (thOffset){p.x / length, p.y / length} : (thOffset){1.0, 0.0};
    return (Meeting){normal, length - radius};
}

// Convex, counter-clockwise. Outside the nearest point of the outline counts, inside the nearest
// edge.
static Meeting meetPolygon(thOffset p, const thVec2* corners, int32_t count)
{
    Meeting edge = {{1.0, 0.0}, -DBL_MAX};
    double nearestSq = DBL_MAX;
    thOffset nearest = {0.0, 0.0};
    for (int32_t i = 0; i < count; ++i) {
        const thVec2 a = corners[i], b = corners[i + 1 < count ? i + 1 : 0];
        const double dx = ((double)b.x - (double)a.x) * THRONG_UNITS_PER_METRE;
        const double dy = ((double)b.y - (double)a.y) * THRONG_UNITS_PER_METRE;
        const double ax = (double)a.x * THRONG_UNITS_PER_METRE - p.x;
        const double ay = (double)a.y * THRONG_UNITS_PER_METRE - p.y;
        const double length = sqrt(dx * dx + dy * dy);
        if (length == 0.0)
            continue; // corners that became one by rounding
        const thOffset normal = {dy / length, -dx / length};
        const double height = -(ax * normal.x + ay * normal.y);
        if (height > edge.distance)
            edge = (Meeting){normal, height};
        const thOffset offset = thiNearestOffset(ax, ay, dx, dy);
        const double distanceSq = offset.x * offset.x + offset.y * offset.y;
        if (distanceSq < nearestSq) {
            nearestSq = distanceSq;
            nearest = offset;
        }
    }
    const double distance = sqrt(nearestSq);
    if (edge.distance <= 0.0 || distance == 0.0)
        return edge;
    return (Meeting){{-nearest.x / distance, -nearest.y / distance}, distance};
}

static thOffset rotate(thOffset v, double sine, double cosine)
{
    return (thOffset){cosine * v.x - sine * v.y, sine * v.x + cosine * v.y};
}

// A mover as it stands at the beginning of the step, `p` from its origin.
static Meeting meetAtRest(const thMovers* movers, int32_t mover, thOffset p)
{
    const int32_t first = movers->firstCorner[mover];
    const int32_t count = movers->firstCorner[mover + 1] - first;
    return count == 0 ? meetDisc(p, (double)movers->radius[mover] * THRONG_UNITS_PER_METRE)
                      : meetPolygon(p, &movers->corners[first], count);
}

static Meeting meetMover(const thMoverMotion* motion, int32_t mover, double time, thPoint p)
{
    const thMovers* movers = motion->movers;
    const thOffset rest = {(double)p.x - movers->px[mover] - time * motion->dx[mover],
                           (double)p.y - movers->py[mover] - time * motion->dy[mover]};
    const bool isDisc = movers->firstCorner[mover] == movers->firstCorner[mover + 1];
    if (isDisc || motion->turn[mover] == 0.0f)
        return meetAtRest(movers, mover, rest);
    float sine, cosine;
    thSinCos((float)((double)motion->turn[mover] * time), &sine, &cosine);
    Meeting meeting = meetAtRest(movers, mover, rotate(rest, -(double)sine, (double)cosine));
    meeting.normal = rotate(meeting.normal, (double)sine, (double)cosine);
    return meeting;
}

// The mover that is nearest to p at a time, or deepest round it. Without any, one that is nowhere
// near.
static Meeting meetNearest(const Pushers* pushers, double time, thPoint p)
{
    Meeting nearest = {{1.0, 0.0}, DBL_MAX};
    for (int32_t i = 0; i < pushers->count; ++i) {
        const int32_t mover = pushers->list[i];
        if (pushers->motion->movers->level[mover] != pushers->level)
            continue;
        const Meeting meeting = meetMover(pushers->motion, mover, time * pushers->share, p);
        if (meeting.distance < nearest.distance)
            nearest = meeting;
    }
    return nearest;
}

// The longest way any point of a mover goes in the step, in units.
static double longestMove(const thMoverMotion* motion, int32_t mover)
{
    const double dx = motion->dx[mover], dy = motion->dy[mover];
    const int32_t* first = &motion->movers->firstCorner[mover];
    const double turn = first[0] == first[1] ? 0.0 : fabs((double)motion->turn[mover]);
    return sqrt(dx * dx + dy * dy) +
           turn * (double)motion->movers->radius[mover] * THRONG_UNITS_PER_METRE;
}

// How far things may come towards each other in the whole step: the fastest mover and the body.
static double closingDistance(const Pushers* pushers, const thPushedBody* body)
{
    double longest = 0.0;
    for (int32_t i = 0; i < pushers->count; ++i)
        longest = TH_MAX(longest, longestMove(pushers->motion, pushers->list[i]) * pushers->share);
    const double dx = (double)body->to.x - body->from.x, dy = (double)body->to.y - body->from.y;
    return longest + sqrt(dx * dx + dy * dy);
}

// Whether the circle round a mover comes near a body that goes straight to its target.
static bool comesNear(const Pushers* pushers, int32_t mover, const thPushedBody* body)
{
    const thMoverMotion* motion = pushers->motion;
    const thMovers* movers = motion->movers;
    if (movers->level[mover] != pushers->level)
        return false;
    const double x = (double)movers->px[mover] - body->from.x;
    const double y = (double)movers->py[mover] - body->from.y;
    const thOffset offset = thiNearestOffset(
        x, y, pushers->share * motion->dx[mover] - ((double)body->to.x - body->from.x),
        pushers->share * motion->dy[mover] - ((double)body->to.y - body->from.y));
    const double reach =
        ((double)movers->radius[mover] + (double)body->radius) * THRONG_UNITS_PER_METRE;
    return offset.x * offset.x + offset.y * offset.y <= reach * reach;
}

static bool anyComesNear(const Pushers* pushers, const thPushedBody* body)
{
    for (int32_t i = 0; i < pushers->count; ++i)
        if (comesNear(pushers, pushers->list[i], body))
            return true;
    return false;
}

static thPoint moveBy(thPoint p, double dx, double dy)
{
    const double most = TH_MAX_UNITS;
    const double x = floor(p.x + dx + 0.5), y = floor(p.y + dy + 0.5);
    return (thPoint){(int32_t)TH_MIN(TH_MAX(x, -most), most),
                     (int32_t)TH_MIN(TH_MAX(y, -most), most)};
}

// A body on its way.
typedef struct Journey {
    const Pushers* pushers;
    const thWallGrid* walls;
    const thPushedBody* body;
    double radius; // units
    thPoint p;
    double restX, restY; // of the way so far: what rounding left over [units]
    bool isPushed;
    double worst; // depth that was left after pushing [units]
    int32_t slides;
} Journey;

// The body's own motion for a share of the step.
static void goOn(Journey* journey, double share)
{
    const thPushedBody* body = journey->body;
    const double dx = journey->restX + share * ((double)body->to.x - body->from.x);
    const double dy = journey->restY + share * ((double)body->to.y - body->from.y);
    const thPoint target = moveBy(journey->p, dx, dy);
    journey->restX = dx - ((double)target.x - journey->p.x);
    journey->restY = dy - ((double)target.y - journey->p.y);
    journey->p = thiSlide(journey->walls, body->level, journey->p, target, body->radius);
    journey->slides += 1;
}

// Pushes the body along `normal` and returns how far it came in that direction.
static double pushBody(Journey* journey, thOffset normal, double push)
{
    const thPoint p = journey->p, target = moveBy(p, push * normal.x, push * normal.y);
    journey->p = thiSlide(journey->walls, journey->body->level, p, target, journey->body->radius);
    journey->isPushed = true;
    journey->slides += 1;
    return ((double)journey->p.x - p.x) * normal.x + ((double)journey->p.y - p.y) * normal.y;
}

// Pushes the body out of the movers as they stand at a time; returns the gap that is left. A wall
// takes its part of a push away, so the next one has to be so much longer.
static double giveWay(Journey* journey, double time)
{
    Meeting meeting = meetNearest(journey->pushers, time, journey->p);
    double effort = 1.0;
    for (int32_t i = 0; i < PUSHES && meeting.distance < journey->radius; ++i) {
        const double push = effort * (journey->radius - meeting.distance + CLEARANCE);
        const double gain = pushBody(journey, meeting.normal, push);
        if (gain <= 0.0)
            break;
        effort = TH_MIN(push / gain, MOST_EFFORT);
        meeting = meetNearest(journey->pushers, time, journey->p);
    }
    journey->worst = TH_MAX(journey->worst, journey->radius - meeting.distance);
    return meeting.distance - journey->radius;
}

// Takes the body through the step and says how deep movers are in it at the end. It ends where
// movers are deeper in it than `enough`: nothing that follows makes that good.
static double travel(Journey* journey, double enough)
{
    const double way = closingDistance(journey->pushers, journey->body);
    double gap = giveWay(journey, 0.0);
    double time = 0.0;
    int32_t squeezed = 0;
    for (int32_t i = 0; time < 1.0 && i < MAX_STEPS && squeezed < MAX_SQUEEZED; ++i) {
        if (journey->worst > enough)
            return -gap;
        const double least = TH_MAX(0.5 * journey->radius, SHORTEST);
        const double next = TH_MIN(time + TH_MAX(gap, least) / TH_MAX(way, 1.0), 1.0);
        goOn(journey, next - time);
        time = next;
        gap = giveWay(journey, time);
        squeezed += gap < -TH_SQUEEZE_DEPTH;
    }
    if (time < 1.0)
        journey->worst = DBL_MAX;
    return -gap;
}

static Journey beginJourney(const Pushers* pushers, const thWallGrid* walls,
                            const thPushedBody* body)
{
    return (Journey){.pushers = pushers,
                     .walls = walls,
                     .body = body,
                     .radius = (double)body->radius * THRONG_UNITS_PER_METRE,
                     .p = body->from};
}

// How deep a body may be without being worse off than at the beginning.
static double tolerated(const Pushers* pushers, const thPushedBody* body)
{
    const double radius = (double)body->radius * THRONG_UNITS_PER_METRE;
    return TH_MAX(radius - meetNearest(pushers, 0.0, body->from).distance, 0.0) + TH_SQUEEZE_DEPTH;
}

thPushResult thiPush(const thMoverMotion* motion, const int32_t* list, int32_t count,
                     const thWallGrid* walls, const thPushedBody* body)
{
    const Pushers pushers = {motion, list, count, 1.0, body->level};
    thPushResult pushed = {.to = body->to};
    if (!anyComesNear(&pushers, body))
        return pushed;
    Journey journey = beginJourney(&pushers, walls, body);
    const double depth = travel(&journey, DBL_MAX);
    pushed.slides = journey.slides;
    if (!journey.isPushed)
        return pushed;
    pushed.to = journey.p;
    pushed.isPushed = true;
    pushed.squeezed = depth > TH_SQUEEZE_DEPTH || journey.worst > tolerated(&pushers, body);
    return pushed;
}

bool thiIsUnderMover(const thMoverMotion* motion, const int32_t* list, int32_t count, thPoint p,
                     float radius, int32_t level)
{
    const Pushers pushers = {motion, list, count, 1.0, level};
    const double depth =
        (double)radius * THRONG_UNITS_PER_METRE - meetNearest(&pushers, 1.0, p).distance;
    return depth > TH_SQUEEZE_DEPTH;
}

bool thiIsPassedOver(const thMoverMotion* motion, const int32_t* list, int32_t count,
                     const thPushedBody* body)
{
    const Pushers pushers = {motion, list, count, 1.0, body->level};
    const double way = closingDistance(&pushers, body);
    if (meetNearest(&pushers, 0.0, body->from).distance < 0.0)
        return false;
    double time = 0.0;
    for (int32_t i = 0; time < 1.0 && i < MAX_STEPS; ++i) {
        const thPoint p = moveBy(body->from, time * ((double)body->to.x - body->from.x),
                                 time * ((double)body->to.y - body->from.y));
        const double distance = meetNearest(&pushers, time, p).distance;
        if (distance < 0.0)
            return true;
        time += TH_MAX(distance, SHORTEST) / TH_MAX(way, 1.0);
    }
    return false;
}

double thiMoverDistance(const thMovers* movers, int32_t mover, thPoint p)
{
    const thOffset offset = {(double)p.x - movers->px[mover], (double)p.y - movers->py[mover]};
    return meetAtRest(movers, mover, offset).distance;
}

static bool squeezes(const Pushers* pushers, const thWallGrid* walls, const thPushedBody* body)
{
    if (!anyComesNear(pushers, body))
        return false;
    Journey journey = beginJourney(pushers, walls, body);
    const double enough = tolerated(pushers, body);
    (void)travel(&journey, enough);
    return journey.worst > enough;
}

float thiYieldingShare(const thMoverMotion* motion, int32_t mover, const thWallGrid* walls,
                       const thPushedBody* bodies, int32_t count)
{
    for (float share = 1.0f; share >= 0x1p-5f; share *= 0.5f) {
        int32_t i = 0;
        for (; i < count; ++i) {
            const Pushers pushers = {motion, &mover, 1, (double)share, bodies[i].level};
            if (squeezes(&pushers, walls, &bodies[i]))
                break;
        }
        if (i == count)
            return share;
    }
    return 0.0f;
}

int32_t thiFindPushers(const thMoverMotion* motion, thPoint low, thPoint high, int32_t* out)
{
    const thMovers* movers = motion->movers;
    int32_t count = 0;
    for (int32_t m = 0; m < movers->count; ++m) {
        const int64_t reach = (int64_t)((double)movers->radius[m] * THRONG_UNITS_PER_METRE) + 1;
        const int64_t x = movers->px[m], y = movers->py[m];
        const int64_t dx = motion->dx[m], dy = motion->dy[m];
        if (TH_MAX(x, x + dx) + reach >= low.x && TH_MIN(x, x + dx) - reach <= high.x &&
            TH_MAX(y, y + dy) + reach >= low.y && TH_MIN(y, y + dy) - reach <= high.y)
            out[count++] = m;
    }
    return count;
}
