// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Avoidance without a world, for those who have one of their own: two people meet head-on, and each
// asks ClearPath how to go on.

#include <throng/throng.h>

#include <math.h>
#include <stdio.h>

typedef struct Walker {
    thVec2 position, velocity, goal;
} Walker;

static const float radius = 0.25f, speed = 1.4f, step = 0.1f;

static thVec2 minus(thVec2 a, thVec2 b)
{
    return (thVec2){a.x - b.x, a.y - b.y};
}

static float length(thVec2 v)
{
    return sqrtf(v.x * v.x + v.y * v.y);
}

// Straight to the goal, and slower where a step would lead past it.
static thVec2 wantedOf(const Walker* walker)
{
    const thVec2 way = minus(walker->goal, walker->position);
    const float scale = speed / fmaxf(length(way), speed * step);
    return (thVec2){scale * way.x, scale * way.y};
}

static thResult choose(const thClearpathDef* def, const Walker* walker, const Walker* other,
                       thVec2* velocity)
{
    const thAvoidSelf self = {.velocity = walker->velocity,
                              .wanted = wantedOf(walker),
                              .radius = radius,
                              .maxSpeed = 1.3f * speed,
                              .maxAccel = 5.0f};
    const thAvoidNeighbor neighbor = {.position = minus(other->position, walker->position),
                                      .velocity = other->velocity,
                                      .radius = radius,
                                      .share = 0.5f};
    thClearpathStatus status;
    return thClearpath_Solve(def, step, &self, &neighbor, 1, NULL, 0, velocity, &status);
}

int main(void)
{
    thClearpathDef def = thDefaultClearpathDef();
    def.keep = th_keepRight; // who is exactly even has to pass on one side
    Walker walkers[2] = {{{-5.0f, 0.0f}, {speed, 0.0f}, {5.0f, 0.0f}},
                         {{5.0f, 0.0f}, {-speed, 0.0f}, {-5.0f, 0.0f}}};
    float nearest = 10.0f, left = 10.0f;
    int32_t steps = 0;
    for (; left > 0.05f && steps < 200; ++steps) {
        thVec2 chosen[2]; // both choose by what they see now, then both go
        for (int i = 0; i < 2; ++i) {
            const thResult result = choose(&def, &walkers[i], &walkers[1 - i], &chosen[i]);
            if (result != th_resultOk) {
                fprintf(stderr, "avoid_alone: %s\n", thResult_GetText(result));
                return (int)result;
            }
        }
        left = 0.0f;
        for (int i = 0; i < 2; ++i) {
            Walker* walker = &walkers[i];
            walker->velocity = chosen[i];
            walker->position.x += step * chosen[i].x;
            walker->position.y += step * chosen[i].y;
            left = fmaxf(left, length(minus(walker->goal, walker->position)));
        }
        nearest = fminf(nearest, length(minus(walkers[0].position, walkers[1].position)));
    }
    printf("both %s after %.1f s, and came as near as %.3f m, radii are %.3f m\n",
           left <= 0.05f ? "arrive" : "are NOT there", (double)(step * (float)steps),
           (double)nearest, (double)(2.0f * radius));
    return left <= 0.05f && nearest >= 1.99f * radius ? 0 : 1;
}
