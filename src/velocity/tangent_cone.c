// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Tangents are compared by a number that grows with the angle, without trigonometry, and cones are
// made from the outermost.

#include "velocity/tangent_cone.h"

#include "geom/fixed.h"
#include "geom/vec2.h"

#include <math.h>

// Grows with the angle from one direction to another, from −2 to 2.
static float turnOf(thVec2 ahead, thVec2 to)
{
    const float x = thiDot(ahead, to), y = thiDet(ahead, to);
    const float sum = (x < 0.0f ? -x : x) + (y < 0.0f ? -y : y);
    const float t = sum > 0.0f ? y / sum : 0.0f;
    return x >= 0.0f ? t : y >= 0.0f ? 2.0f - t : -2.0f - t;
}

// Both touch the disc; `leg` is how long they are.
static thVec2 leftTangent(thVec2 middle, float radius, float leg)
{
    return (thVec2){middle.x * leg - middle.y * radius, middle.x * radius + middle.y * leg};
}

static thVec2 rightTangent(thVec2 middle, float radius, float leg)
{
    return (thVec2){middle.x * leg + middle.y * radius, middle.y * leg - middle.x * radius};
}

thTangentSweep thiBeginSweep(thVec2 ahead)
{
    return (thTangentSweep){.ahead = ahead,
                            .leftTurn = -TH_FAR_OUTSIDE,
                            .rightTurn = TH_FAR_OUTSIDE,
                            .isAround = !(thiDot(ahead, ahead) > 0.0f)};
}

void thiSweepDisc(thTangentSweep* sweep, thVec2 middle, float radius)
{
    const float legSq = thiDot(middle, middle) - radius * radius;
    if (!(legSq > 0.0f)) {
        sweep->isAround = true;
        return;
    }
    const float leg = sqrtf(legSq), side = thiDet(sweep->ahead, middle);
    const thVec2 left = leftTangent(middle, radius, leg);
    const thVec2 right = rightTangent(middle, radius, leg);
    const float leftTurn = turnOf(sweep->ahead, left), rightTurn = turnOf(sweep->ahead, right);
    // Beyond what is straight behind.
    sweep->isAround =
        sweep->isAround || (side >= 0.0f && leftTurn < 0.0f) || (side <= 0.0f && rightTurn > 0.0f);
    if (leftTurn > sweep->leftTurn) {
        sweep->leftTurn = leftTurn;
        sweep->left = left;
    }
    if (rightTurn < sweep->rightTurn) {
        sweep->rightTurn = rightTurn;
        sweep->right = right;
    }
}

bool thiConeBetween(thVec2 leftMiddle, float leftRadius, thVec2 rightMiddle, float rightRadius,
                    thTangentCone* cone)
{
    const float leftLeg = sqrtf(thiDot(leftMiddle, leftMiddle) - leftRadius * leftRadius);
    const float rightLeg = sqrtf(thiDot(rightMiddle, rightMiddle) - rightRadius * rightRadius);
    const thTangentSweep sweep = {.left = leftTangent(leftMiddle, leftRadius, leftLeg),
                                  .right = rightTangent(rightMiddle, rightRadius, rightLeg)};
    return thiEndSweep(&sweep, cone);
}

bool thiEndSweep(const thTangentSweep* sweep, thTangentCone* cone)
{
    if (sweep->isAround)
        return false;
    cone->left = thiScale(1.0f / sqrtf(thiDot(sweep->left, sweep->left)), sweep->left);
    cone->right = thiScale(1.0f / sqrtf(thiDot(sweep->right, sweep->right)), sweep->right);
    return thiDet(cone->right, cone->left) > 0.0f;
}

thRegion thiConeRegion(const thTangentCone* cone, thVec2 velocity, float horizon)
{
    thRegion region = {.sides = 2};
    region.n[th_coneRight] = thiLeftOf(cone->right);
    region.n[th_coneLeft] = thiNegate(thiLeftOf(cone->left));
    region.o[th_coneRight] = thiDot(region.n[th_coneRight], velocity);
    region.o[th_coneLeft] = thiDot(region.n[th_coneLeft], velocity);
    if (horizon > 0.0f && cone->distance > 0.0f) {
        region.sides = 3;
        region.n[th_coneFront] = cone->front;
        region.o[th_coneFront] = thiDot(cone->front, velocity) + cone->distance / horizon;
    }
    return region;
}
