// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Draws numbers for agents from uniform and normal ones: by the inverse of the distribution where
// it is known, and by rejection for gamma. All of it is + − × ÷ and the functions of throng/math.h,
// so that every machine draws the same.

#include "scene/scene_draw.h"

#include "throng/math.h"
#include "throng/random.h"

#include <math.h>

// Draws of a number that must be between two others, before the nearest is taken; and of one that a
// distribution accepts, of which fewer than one in twenty is refused.
#define MOST_DRAWS 1000
#define MOST_REFUSED 32

// Random numbers that one draw may use: four each time, and a normal number takes the first two.
#define NUMBERS_OF_DRAW (4 * (MOST_REFUSED + 1))

// How far from the mean numbers are drawn. [deviations]
#define NORMAL_REACH 3.0
#define SKEWED_REACH 5.0
// The share of Weibull's distribution that is drawn, as ln of what is not.
#define WEIBULL_TAIL 6.907755278982137

const char* thiDrawName(thDrawKind kind)
{
    static const char* const names[] = {NULL,    "uniform", "normal", "lognormal",
                                        "gamma", "weibull", "table"};
    return names[kind];
}

// x^y for x > 0.
static double power(double x, double y)
{
    return (double)thExp((float)(y * (double)thLog((float)x)));
}

void thiDefaultDrawRange(const thDraw* draw, double least, double most, double* min, double* max)
{
    const thCoords table = draw->table;
    *min = least;
    *max = most;
    switch (draw->kind) {
    case th_drawUniform:
        *min = draw->a;
        *max = draw->b;
        break;
    case th_drawNormal:
        *min = TH_MAX(draw->a - NORMAL_REACH * draw->b, least);
        *max = TH_MIN(draw->a + NORMAL_REACH * draw->b, most);
        break;
    case th_drawLogNormal:
    case th_drawGamma:
        *max = TH_MIN(draw->a + SKEWED_REACH * draw->b, most);
        break;
    case th_drawWeibull:
        *max = TH_MIN(draw->a * power(WEIBULL_TAIL, 1.0 / draw->b), most);
        break;
    case th_drawTable:
        *min = table.items[0].x;
        *max = table.items[table.count - 1].x;
        break;
    default:
        break;
    }
}

// The number below which a share of all is. The table begins with share 0 and ends with 1.
static double tableAt(const thCoords* table, double share)
{
    int32_t i = 1;
    while (i + 1 < table->count && table->items[i].y <= share)
        i += 1;
    const thCoord a = table->items[i - 1], b = table->items[i];
    return b.y > a.y ? a.x + (b.x - a.x) * ((share - a.y) / (b.y - a.y)) : b.x;
}

// Of Weibull's distribution: scale (−ln (1 − share))^(1 / shape).
static double weibullAt(const thDraw* draw, double share)
{
    return draw->a * power(-(double)thLog((float)(1.0 - share)), 1.0 / draw->b);
}

double thiDrawMean(const thDraw* draw)
{
    enum { parts = 512 };
    double sum = 0.0;
    switch (draw->kind) {
    case th_drawUniform:
        return 0.5 * (draw->a + draw->b);
    case th_drawWeibull:
        for (int32_t i = 0; i < parts; ++i)
            sum += weibullAt(draw, (i + 0.5) / parts);
        return sum / parts;
    case th_drawTable:
        for (int32_t i = 1; i < draw->table.count; ++i) {
            const thCoord a = draw->table.items[i - 1], b = draw->table.items[i];
            sum += 0.5 * (a.x + b.x) * (b.y - a.y);
        }
        return sum;
    default:
        return draw->a;
    }
}

// exp of a normal number whose mean and deviation make those of the result.
static double drawLogNormal(const thDraw* draw, uint64_t stream, uint32_t index)
{
    const double share = draw->b / draw->a, square = share * share;
    // ln (1 + square), also where float would lose it.
    const double variance =
        square < 0.01 ? square * (1.0 - square * (0.5 - square * (1.0 / 3.0 - 0.25 * square)))
                      : (double)thLog((float)(1.0 + square));
    const double mean = (double)thLog((float)draw->a) - 0.5 * variance;
    return (double)thExp((float)(mean + sqrt(variance) * (double)thRandomNormal(stream, index)));
}

// The method of Marsaglia and Tsang: a cube of a normal number, which is accepted nearly always.
// With a shape below 1, one more is drawn and made smaller.
static double drawGamma(const thDraw* draw, uint64_t stream, uint32_t first)
{
    const double shape = (draw->a / draw->b) * (draw->a / draw->b), scale = draw->a / shape;
    const double d = (shape < 1.0 ? shape + 1.0 : shape) - 1.0 / 3.0;
    const double c = 1.0 / (3.0 * sqrt(d));
    double value = d;
    for (uint32_t i = 0; i < MOST_REFUSED; ++i) {
        const double x = (double)thRandomNormal(stream, (first + 4 * i) / 2), root = 1.0 + c * x;
        const double v = root * root * root;
        const double u = 1.0 - (double)thRandomUnit(stream, first + 4 * i + 2); // not 0
        if (root <= 0.0)
            continue;
        value = d * v;
        if ((double)thLog((float)u) < 0.5 * x * x + d - value + d * (double)thLog((float)v))
            break;
    }
    if (shape < 1.0) {
        const double u = 1.0 - (double)thRandomUnit(stream, first + 4 * MOST_REFUSED);
        value *= power(u, 1.0 / shape);
    }
    return scale * value;
}

// One number, whatever the bounds.
static double drawOnce(const thDraw* draw, uint64_t stream, uint32_t draws)
{
    switch (draw->kind) {
    case th_drawUniform:
        return draw->a + (draw->b - draw->a) * (double)thRandomUnit(stream, draws);
    case th_drawNormal:
        return draw->a + draw->b * (double)thRandomNormal(stream, draws);
    case th_drawLogNormal:
        return drawLogNormal(draw, stream, draws);
    case th_drawGamma:
        return drawGamma(draw, stream, draws * NUMBERS_OF_DRAW);
    case th_drawWeibull:
        return weibullAt(draw, (double)thRandomUnit(stream, draws));
    case th_drawTable:
        return tableAt(&draw->table, (double)thRandomUnit(stream, draws));
    default:
        return draw->a;
    }
}

double thiDrawNumber(const thDraw* draw, uint64_t stream)
{
    double value = draw->a;
    if (draw->kind == th_drawFixed)
        return value;
    for (uint32_t i = 0; i < MOST_DRAWS; ++i) {
        value = drawOnce(draw, stream, i);
        if (value >= draw->min && value <= draw->max)
            return value;
    }
    return value < draw->min ? draw->min : draw->max;
}
