// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Files of commands: every option that names a file is known as one, and what is written to a part
// gets its name or leaves what was there.

#include "commands/commands.h"
#include "gear/gear.h"
#include "output.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// Whoever reads tables of options must know of files: they are told apart, and tried, by their
// kind. Scenes are noted when they are found, by whatever name.
static void testTables(void** state)
{
    (void)state;
    int files = 0;
    for (const Command* const* at = appCommands; *at != NULL; ++at) {
        for (const Option* option = (*at)->options; option->name != NULL; ++option) {
            const bool isFile = option->kind == optionInput || option->kind == optionInputs ||
                                option->kind == optionOutput;
            const char* value = option->value != NULL ? option->value : "";
            if (isFile != (strcmp(value, "FILE") == 0) ||
                (option->kind == optionPrefix) != (strcmp(value, "PREFIX") == 0) ||
                (option->kind == optionPrefix) != (option->endings != NULL))
                fail_msg("%s --%s %s: its kind does not say which files it names", (*at)->name,
                         option->name, value);
            files += isFile;
        }
    }
    assert_true(files >= 12);
}

typedef struct Place {
    char folder[64];
} Place;

static const char* in(const Place* place, const char* name)
{
    static char paths[64][128];
    static int next;
    char* path = paths[next++ % 64];
    snprintf(path, sizeof paths[0], "%s/%s", place->folder, name);
    return path;
}

static Place makePlace(void)
{
    Place place = {"/tmp/throng-test-XXXXXX"};
    assert_non_null(mkdtemp(place.folder));
    return place;
}

static void put(const char* path, const char* text)
{
    FILE* stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

static bool holds(const char* path, const char* text)
{
    char found[64] = "";
    FILE* stream = fopen(path, "r");
    if (stream == NULL)
        return false;
    found[fread(found, 1, sizeof found - 1, stream)] = '\0';
    fclose(stream);
    return strcmp(found, text) == 0;
}

static void testParts(void** state)
{
    (void)state;
    OutFile file;
    const Place place = makePlace();
    const char *path = in(&place, "x"), *part = in(&place, "x.part");
    put(path, "before");
    assert_true(appCanWrite(path));
    assert_int_not_equal(access(part, F_OK), 0);
    for (int isGood = 0; isGood < 2; ++isGood) {
        assert_true(appOpenOut(&file, path));
        appWriteOut(&file, "after", 5);
        appFlushOut(&file);
        assert_true(holds(path, "before"));
        assert_true(holds(part, "after"));
        assert_int_equal(appCloseOut(&file, isGood), isGood);
        assert_int_not_equal(access(part, F_OK), 0);
    }
    assert_true(holds(path, "after"));
    assert_true(appCloseOut(&file, true)); // it is not open any more
    // A file that has its name already is seen as it is written.
    assert_true(appOpenOut(&file, path));
    appWriteOut(&file, "1", 1);
    assert_true(appNameOut(&file));
    appWriteOut(&file, "2", 1);
    appFlushOut(&file);
    assert_true(holds(path, "12"));
    assert_false(appCloseOut(&file, false));
    assert_true(holds(path, "12"));
    // What a killed program has left is taken over, or kept for those who ask.
    put(part, "left");
    assert_true(appCanWrite(path));
    assert_true(holds(part, "left"));
    assert_true(appReopenOut(&file, path));
    assert_true(holds(part, "left"));
    assert_false(appCloseOut(&file, false));
    put(part, "left over");
    assert_true(appReplaceFile(path, "new", 3));
    assert_true(holds(path, "new"));
    unlink(path);
    assert_int_equal(rmdir(place.folder), 0);
}

// Another program that writes, by a part or, as runs do with logs, by the name itself.
static void testLocks(void** state)
{
    (void)state;
    OutFile file;
    const Place place = makePlace();
    const char* path = in(&place, "x");
    put(path, "before");
    const char* const names[] = {path, in(&place, "x.part")};
    for (int i = 0; i < 2; ++i) {
        const int other = open(names[i], O_RDWR | O_CREAT, 0666);
        assert_int_equal(flock(other, LOCK_EX | LOCK_NB), 0);
        assert_false(appCanWrite(path));
        assert_false(appOpenOut(&file, path));
        assert_int_equal(access(names[i], F_OK), 0);
        close(other);
        assert_true(appCanWrite(path));
    }
    assert_true(holds(path, "before"));
    unlink(names[1]);
    unlink(path);
    assert_int_equal(rmdir(place.folder), 0);
}

static void testNotes(void** state)
{
    (void)state;
    const Place place = makePlace();
    const char *read = in(&place, "read"), *written = in(&place, "written");
    put(read, "input");
    assert_int_equal(link(read, in(&place, "hard")), 0);
    assert_int_equal(symlink("written", in(&place, "soft")), 0);
    assert_true(appNoteInput("IN", read));
    assert_true(appNoteInput("--with", read)); // reading twice is no harm
    assert_true(appNoteOutput("--summary", written));
    static const char* const same[] = {"read",    "hard", ".//read",
                                       "written", "soft", "written.part"};
    for (size_t i = 0; i < sizeof same / sizeof same[0]; ++i)
        assert_false(appNoteOutput("--hashes", in(&place, same[i])));
    assert_true(appNoteOutput("--hashes", in(&place, "other")));
    assert_false(appNoteInput("--geometry", in(&place, "other"))); // in whichever order
    assert_false(appNoteInput("--geometry", in(&place, "other.part")));
    assert_true(appNoteOutput("--a", "/dev/null"));
    assert_true(appNoteOutput("--b", "/dev/null"));
    assert_true(appNoteOutput("--a", "-"));
    assert_false(appNoteOutput("--b", "-"));
    assert_true(appNoteInput("--resume", in(&place, "hard")));
    unlink(in(&place, "soft"));
    unlink(in(&place, "hard"));
    unlink(read);
    assert_int_equal(rmdir(place.folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testTables),
        cmocka_unit_test(testParts),
        cmocka_unit_test(testLocks),
        cmocka_unit_test(testNotes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
