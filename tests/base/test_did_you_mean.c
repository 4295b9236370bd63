// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Which name was meant where one is misspelt.

#include "base/json/json.h"
#include "gear/gear.h"

static void testNames(void** state)
{
    (void)state;
    const char* const names[] = {"goal",     "goals", "group",    "radius",   "at",
                                 "maxSpeed", "speed", "velocity", "priority", "x"};
    const struct {
        const char *name, *meant;
    } cases[] = {
        {"gaol", "goal"},
        {"Goal", "goal"},
        {"goall", "goal"},
        {"gaols", "goals"},
        {"gruop", "group"},
        {"raduis", "radius"},
        {"radios", "radius"},
        {"max_speed", "maxSpeed"},
        {"MAXSPEED", "maxSpeed"},
        {"sped", "speed"},
        {"velocty", "velocity"},
        {"elocitx", "velocity"},
        {"prio", NULL},
        {"prior", "priority"},
        {"priorityOfAll", "priority"},
        {"it", NULL},
        {"X", "x"},
        {"y", NULL},
        {"", NULL},
        {"something else", NULL},
        // What means the same, if it is there.
        {"target", "goal"},
        {"position", "at"},
        {"circle", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const char* meant = thiDidYouMean(cases[i].name, names, 10);
        if (meant == NULL || cases[i].meant == NULL)
            assert_ptr_equal(meant, cases[i].meant);
        else
            assert_string_equal(meant, cases[i].meant);
    }
    assert_null(thiDidYouMean("goal", names, 0));
    // Of several as near, the first.
    assert_string_equal(thiDidYouMean("bcd", (const char* const[]){"abcd", "bcde"}, 2), "abcd");
    assert_string_equal(thiDidYouMean("bcd", (const char* const[]){"bcde", "abcd"}, 2), "bcde");
}

static void testLongNames(void** state)
{
    (void)state;
    char name[100];
    memset(name, 'a', sizeof name);
    const char* const names[] = {name};
    name[63] = '\0';
    assert_ptr_equal(thiDidYouMean(name, names, 1), name);
    name[63] = 'a';
    name[64] = '\0';
    assert_null(thiDidYouMean(name, names, 1));
    assert_null(thiDidYouMean("a", names, 1));
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testNames),
        cmocka_unit_test(testLongNames),
    };
    return RUN_TESTS(tests, argc, argv);
}
