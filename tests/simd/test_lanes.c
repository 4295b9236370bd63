// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Every width of the lane vocabulary gives the bits of the scalar one.

#include "lane_ops.h"

#include "base/hash.h"
#include "gear/gear.h"
#include "throng/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void everyWidthEqualsScalar(void** state)
{
    (void)state;
    static int32_t a[LANE_OPERANDS], b[LANE_OPERANDS], c[LANE_OPERANDS], expected[LANE_OPERANDS],
        found[LANE_OPERANDS];
    for (int32_t simd = th_simdScalar + 1; simd < th_simdCount; ++simd) {
        if (laneKernels[simd] == NULL || !thSimd_IsAvailable((thSimd)simd))
            continue;
        for (LaneOp op = 0; op < op_count; ++op) {
            fillLaneOperands(op, a, b, c);
            laneKernels[th_simdScalar](op, a, b, c, expected, LANE_OPERANDS);
            laneKernels[simd](op, a, b, c, found, LANE_OPERANDS);
            for (int32_t i = 0; i < LANE_OPERANDS; ++i)
                if (sameNan(op, found[i]) != sameNan(op, expected[i]))
                    fail_msg("%s of %08x %08x %08x: %s gives %08x, scalar %08x", laneOpName(op),
                             (unsigned)a[i], (unsigned)b[i], (unsigned)c[i],
                             thSimd_GetName((thSimd)simd), (unsigned)found[i],
                             (unsigned)expected[i]);
        }
        print_message("%s: %d primitives equal scalar\n", thSimd_GetName((thSimd)simd), op_count);
    }
}

// The definition itself, on values whose result is known.
static void scalarMeansWhatItSays(void** state)
{
    (void)state;
    const float nan = nanf("");
    const struct {
        LaneOp op;
        float a, b, expected;
    } cases[] = {
        {op_fMin, nan, 1.0f, 1.0f},
        {op_fMin, 1.0f, nan, nan},
        {op_fMin, 0.0f, -0.0f, -0.0f},
        {op_fMin, -0.0f, 0.0f, 0.0f},
        {op_fMax, nan, 1.0f, 1.0f},
        {op_fMax, 0.0f, -0.0f, -0.0f},
        {op_fFloor, -0.5f, 0.0f, -1.0f},
        {op_fFloor, 2.5f, 0.0f, 2.0f},
        {op_fFloor, 3e9f, 0.0f, 3e9f},
        {op_fFloor, -INFINITY, 0.0f, -INFINITY},
        {op_fAbs, -0.0f, 0.0f, 0.0f},
        {op_fNeg, 0.0f, 0.0f, -0.0f},
        {op_fSelect, 1.0f, 2.0f, 2.0f},
        {op_fSelect, nan, 2.0f, 7.0f},
        {op_squareRoot, 2.0f, 0.0f, 1.41421354f},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        int32_t a[16], b[16], c[16], out[16];
        for (int32_t lane = 0; lane < 16; ++lane) {
            a[lane] = (int32_t)thiFloatBits(cases[i].a);
            b[lane] = (int32_t)thiFloatBits(cases[i].b);
            c[lane] = (int32_t)thiFloatBits(7.0f);
        }
        laneKernels[th_simdScalar](cases[i].op, a, b, c, out, 16);
        assert_int_equal((uint32_t)out[0], thiFloatBits(cases[i].expected));
    }
}

static void choosesByNameAndMachine(void** state)
{
    (void)state;
    const thSimd best = thSimd_Resolve(th_simdAuto);
    assert_true(best != th_simdAuto);
    assert_true(thSimd_IsAvailable(best));
    for (int32_t i = 0; i < th_simdCount; ++i) {
        thSimd simd = th_simdCount;
        assert_int_equal(thSimd_FromName(thSimd_GetName((thSimd)i), &simd), th_resultOk);
        assert_int_equal(simd, i);
        const thSimd resolved = thSimd_Resolve((thSimd)i);
        assert_true(thSimd_IsAvailable(resolved));
        assert_true(thSimd_GetWidth(best) >= thSimd_GetWidth(resolved));
        if (i != th_simdAuto)
            assert_int_equal(resolved, thSimd_IsAvailable((thSimd)i) ? i : th_simdScalar);
    }
    thSimd simd = th_simdSse2;
    assert_int_equal(thSimd_FromName("mmx", &simd), th_resultUnavailable);
    assert_int_equal(simd, th_simdSse2);
    assert_null(thSimd_GetName((thSimd)99));
    assert_int_equal(thSimd_GetWidth((thSimd)-1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalarMeansWhatItSays),
        cmocka_unit_test(everyWidthEqualsScalar),
        cmocka_unit_test(choosesByNameAndMachine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
