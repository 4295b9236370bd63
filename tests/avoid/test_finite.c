// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Velocities are finite, whatever finite numbers methods are asked about; and every instruction set
// gives the same.

#include "avoid/any_numbers.h"
#include "gear/gear.h"
#include "gear/property.h"
#include "throng/orca.h"

static int64_t looked;

static bool isFinite(thGenerator* g, int32_t size, void* context)
{
    (void)context;
    uint8_t bytes[640];
    const size_t count = (size_t)size < sizeof bytes ? (size_t)size : sizeof bytes;
    for (size_t i = 0; i < count; ++i)
        bytes[i] = (uint8_t)drawU32(g);
    const char* wrong = judgeNumbers(bytes, count, &looked);
    if (wrong != NULL)
        print_message("%s\n", wrong);
    return wrong == NULL;
}

static void testAnyNumbers(void** state)
{
    (void)state;
    const thProperty property = {
        "velocities are finite", 19, caseCount(40000, 2000000), 640, isFinite, NULL};
    looked = 0;
    assertProperty(&property);
    assert_true(looked > caseCount(40000, 2000000));
}

// Two points on one side of a third, the one so near that its distance² is 0: there is no direction
// from which it comes.
static void testVanishingDistance(void** state)
{
    (void)state;
    const thOrcaDef def = thDefaultOrcaDef();
    const thAvoidSelf self = {.velocity = {0.0f, 0.0f}, .wanted = {1.0f, 0.0f}, .maxSpeed = 2.0f};
    const thAvoidNeighbor neighbors[2] = {{.position = {-1.3e-20f, 0.0f}, .share = 0.5f},
                                          {.position = {1.5e-6f, 0.0f}, .share = 0.5f}};
    for (int32_t count = 1; count <= 2; ++count) {
        thVec2 v = {NAN, NAN};
        thOrcaStatus status;
        assert_int_equal(thOrca_Solve(&def, 0.1f, &self, neighbors, count, NULL, 0, &v, &status),
                         th_resultOk);
        assert_true(isfinite(v.x) && isfinite(v.y));
        assert_true(v.x * v.x + v.y * v.y <= 4.0001f);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(testVanishingDistance),
                                       cmocka_unit_test(testAnyNumbers)};
    return RUN_TESTS(tests, argc, argv);
}
