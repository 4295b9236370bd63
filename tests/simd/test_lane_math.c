// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The lane twins against the functions they repeat, bit for bit at every width, NaN included.

#include "test_lane_math.h"

#include "base/hash.h"
#include "gear/gear.h"
#include "throng/math.h"
#include "throng/random.h"

#include <stdio.h>

#define COUNT 65536

static LaneMathFcn* const kernels[th_simdCount] = TH_KERNEL_TABLE(thiLaneMath);

static const char* const names[function_count] = {
    [function_sine] = "fSinCos sine",
    [function_cosine] = "fSinCos cosine",
    [function_atan2] = "fAtan2",
    [function_exp] = "fExp",
    [function_log] = "fLog",
    [function_randomBits] = "iRandomBits",
    [function_randomUnit] = "fRandomUnit",
};

// Zeros, ones, extremes, denormals, infinities, NaN; π/4, π/2 and π; the ends of the ranges of
// thSinCos and thExp and the floats beyond them; where thLog's reduction changes.
static const uint32_t specials[] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f7fffff, 0xff7fffff, 0x00800000, 0x80800000,
    0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000,
    0x7f800001, 0xffffffff, 0x3f490fdb, 0x3fc90fdb, 0x40490fdb, 0xc0490fdb, 0x46000000, 0xc6000000,
    0x46000001, 0xc2aeac4f, 0xc2aeac50, 0x42b17217, 0x42b17218, 0x3f2aaaaa, 0x3f2aaaab, 0x3faaaaab,
};
#define SPECIAL_COUNT ((int32_t)(sizeof specials / sizeof specials[0]))

static int32_t a[COUNT], b[COUNT], c[COUNT];

// All pairs of special values; then any bits, angles in range, exponents in range, and vectors of
// ordinary size in turn.
static void fill(void)
{
    const uint64_t stream = thRandomStream(2, 0, 0, 0);
    for (int32_t i = 0; i < COUNT; ++i) {
        const uint32_t index = 3 * (uint32_t)i;
        a[i] = (int32_t)thRandomBits(stream, index);
        b[i] = (int32_t)thRandomBits(stream, index + 1);
        c[i] = (int32_t)thRandomBits(stream, index + 2);
        const float reach[] = {0.0f, 8192.0f, 110.0f, 4.0f};
        if (i < SPECIAL_COUNT * SPECIAL_COUNT) {
            a[i] = (int32_t)specials[i / SPECIAL_COUNT];
            b[i] = (int32_t)specials[i % SPECIAL_COUNT];
        } else if (i % 4 != 0) {
            const float limit = reach[i % 4];
            a[i] = (int32_t)thiFloatBits(thRandomRange(stream, index, -limit, limit));
            b[i] = (int32_t)thiFloatBits(thRandomRange(stream, index + 1, -limit, limit));
        }
    }
}

static uint32_t expected(LaneFunction function, int32_t i)
{
    const float x = thiFloatFromBits((uint32_t)a[i]);
    const uint64_t stream = (uint64_t)(uint32_t)b[i] << 32 | (uint32_t)a[i];
    float sine, cosine;
    thSinCos(x, &sine, &cosine);
    switch (function) {
    case function_sine:
        return thiFloatBits(sine);
    case function_cosine:
        return thiFloatBits(cosine);
    case function_atan2:
        return thiFloatBits(thAtan2(x, thiFloatFromBits((uint32_t)b[i])));
    case function_exp:
        return thiFloatBits(thExp(x));
    case function_log:
        return thiFloatBits(thLog(x));
    case function_randomBits:
        return thRandomBits(stream, (uint32_t)c[i]);
    default:
        return thiFloatBits(thRandomUnit(stream, (uint32_t)c[i]));
    }
}

static void testEveryWidthEqualsBase(void** state)
{
    (void)state;
    static int32_t found[COUNT];
    fill();
    for (int32_t simd = th_simdScalar; simd < th_simdCount; ++simd) {
        if (kernels[simd] == NULL || !thSimd_IsAvailable((thSimd)simd))
            continue;
        const char* set = thSimd_GetName((thSimd)simd);
        for (LaneFunction function = 0; function < function_count; ++function) {
            kernels[simd](function, a, b, c, found, COUNT);
            for (int32_t i = 0; i < COUNT; ++i)
                if ((uint32_t)found[i] != expected(function, i))
                    fail_msg("%s of %08x %08x %08x: %s gives %08x, base %08x", names[function],
                             (unsigned)a[i], (unsigned)b[i], (unsigned)c[i], set,
                             (unsigned)found[i], (unsigned)expected(function, i));
        }
        print_message("%s: %d functions equal base\n", set, function_count);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testEveryWidthEqualsBase),
    };
    return RUN_TESTS(tests, argc, argv);
}
