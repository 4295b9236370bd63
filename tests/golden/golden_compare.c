// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Finds a wrong bit: runs a reference and candidates, compares the hash of every stage of every
// step, and on a difference asks both for the rows of the first stage that differs, to name the
// agent and the field.

#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: golden_compare --reference COMMAND --candidate COMMAND [options]\n"
    "A command starts the golden program, such as build/tests/golden/golden, or\n"
    "'node run_wasm.mjs golden.wasm'. The reference runs scalar on one thread; the candidate runs\n"
    "every width it has with every thread count.\n"
    "  --threads LIST      thread counts of the candidate, such as 1,2,3,8 (default 1)\n"
    "  --widest            only the widest kernels of the candidate\n"
    "  --each              the other kernels with the first thread count only\n"
    "  --subject NAME      only this subject (default all)\n"
    "  --table FILE        also compare the last hash of each subject with this table\n"
    "  --update            write the table instead\n"
    "Exit code: 0 all the same, 1 a difference, 2 bad usage, 3 a command failed.\n";

// All that a command printed.
typedef struct Text {
    char* data;
    size_t size;
} Text;

static Text runCommand(const char* command)
{
    Text text = {NULL, 0};
    fflush(stdout);
    FILE* pipe = popen(command, "r");
    if (pipe == NULL) {
        fprintf(stderr, "golden_compare: cannot start: %s\n", command);
        exit(3);
    }
    size_t capacity = 0;
    for (;;) {
        if (text.size + 4096 > capacity) {
            capacity = 2 * capacity + 65536;
            text.data = realloc(text.data, capacity);
            if (text.data == NULL)
                exit(3);
        }
        const size_t got = fread(text.data + text.size, 1, capacity - text.size - 1, pipe);
        if (got == 0)
            break;
        text.size += got;
    }
    text.data[text.size] = '\0';
    if (pclose(pipe) != 0) {
        fprintf(stderr, "golden_compare: failed: %s\n", command);
        exit(3);
    }
    return text;
}

// One line of both texts at a time.
static char* nextLine(char** at)
{
    char* line = *at;
    if (*line == '\0')
        return NULL;
    char* end = strchr(line, '\n');
    if (end == NULL) {
        *at = line + strlen(line);
    } else {
        *end = '\0';
        *at = end + 1;
    }
    return line;
}

static const char* lastLine(const char* text)
{
    const char* last = text;
    for (const char* end; (end = strchr(last, '\n')) != NULL && end[1] != '\0';)
        last = end + 1;
    return last;
}

typedef struct Row {
    uint64_t key;
    char field[64];
    char bits[32];
} Row;

static bool readRow(char* line, Row* row)
{
    return line != NULL &&
           sscanf(line, "%" SCNu64 " %63s %31s", &row->key, row->field, row->bits) == 3;
}

static void printValue(const Row* row)
{
    printf("%s", row->bits);
    if (strlen(row->bits) == 8) {
        const uint32_t bits = (uint32_t)strtoul(row->bits, NULL, 16);
        float value;
        memcpy(&value, &bits, sizeof value);
        printf(" (%.9g)", (double)value);
    }
}

// Names the first row that differs; both dumps are in key order.
static void nameDifference(const char* reference, const char* candidate, const char* subject,
                           const char* step, const char* stage)
{
    char command[2048];
    snprintf(command, sizeof command, "%s dump %s %s %s", reference, subject, step, stage);
    Text left = runCommand(command);
    snprintf(command, sizeof command, "%s dump %s %s %s", candidate, subject, step, stage);
    Text right = runCommand(command);
    char *atLeft = left.data, *atRight = right.data;
    Row expected, found;
    int64_t different = 0, rows = 0;
    for (;;) {
        const bool hasExpected = readRow(nextLine(&atLeft), &expected);
        const bool hasFound = readRow(nextLine(&atRight), &found);
        if (!hasExpected && !hasFound)
            break;
        rows += 1;
        if (hasExpected != hasFound || expected.key != found.key ||
            strcmp(expected.field, found.field) != 0) {
            printf("  the sets of agents or fields differ from row %" PRId64 " on\n", rows);
            break;
        }
        if (strcmp(expected.bits, found.bits) == 0)
            continue;
        different += 1;
        if (different > 1)
            continue;
        printf("  first: step %s, stage %s, agent %" PRIu64 ", field %s: ", step, stage, found.key,
               found.field);
        printValue(&found);
        printf(" instead of ");
        printValue(&expected);
        printf("\n");
    }
    printf("  %" PRId64 " of %" PRId64 " values of this stage differ\n", different, rows);
    free(left.data);
    free(right.data);
}

// Compares every line with what the reference printed; the last hash of the candidate goes to
// `lastHash`.
static bool compareRuns(const char* reference, const char* expectedText, const char* candidate,
                        const char* subject, char lastHash[32])
{
    char command[2048];
    snprintf(command, sizeof command, "%s run %s", candidate, subject);
    Text right = runCommand(command);
    char* left = strdup(expectedText); // lines are cut out of it
    char *atLeft = left, *atRight = right.data;
    bool same = true;
    int64_t lines = 0;
    for (;; ++lines) {
        const char* expected = nextLine(&atLeft);
        const char* found = nextLine(&atRight);
        if (expected == NULL && found == NULL)
            break;
        if (found != NULL)
            sscanf(found, "%*s %*s %31s", lastHash);
        if (expected != NULL && found != NULL && strcmp(expected, found) == 0)
            continue;
        same = false;
        printf("%s: %s differs from %s\n", subject, candidate, reference);
        char step[32] = "?", stage[64] = "?";
        if (expected == NULL || found == NULL)
            printf("  one run ends after %" PRId64 " stages\n", lines);
        else if (sscanf(found, "%31s %63s", step, stage) == 2)
            nameDifference(reference, candidate, subject, step, stage);
        break;
    }
    if (lines == 0) {
        printf("%s: %s printed nothing\n", subject, candidate);
        same = false;
    }
    free(left);
    free(right.data);
    return same;
}

static bool checkTable(const char* table, const char* subject, const char* hash)
{
    FILE* file = fopen(table, "r");
    if (file == NULL) {
        printf("%s: cannot be opened\n", table);
        return false;
    }
    char line[256], name[128], value[32];
    bool found = false, same = false;
    while (fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "%127s %31s", name, value) == 2 && strcmp(name, subject) == 0) {
            found = true;
            same = strcmp(value, hash) == 0;
            if (!same)
                printf("%s: the table says %s, the run %s\n", subject, value, hash);
        }
    fclose(file);
    if (!found)
        printf("%s: not in %s; its hash is %s\n", subject, table, hash);
    return found && same;
}

typedef struct Options {
    const char* reference;
    const char* candidate;
    const char* threads;
    const char* table;
    const char* subject;
    bool update, widest, each;
} Options;

// All widths and thread counts of one subject.
static bool compareSubject(const Options* options, const char* subject, const char* widths,
                           char lastHash[32])
{
    char reference[1024], candidate[1024];
    snprintf(reference, sizeof reference, "%s --simd scalar --threads 1", options->reference);
    char command[2048];
    snprintf(command, sizeof command, "%s run %s", reference, subject);
    Text expected = runCommand(command);
    bool same = true;
    int32_t runs = 0;
    char* widthList = strdup(widths);
    char* atWidth = widthList;
    for (char* width; (width = nextLine(&atWidth)) != NULL;) {
        char* threadList = strdup(options->threads);
        const bool isWidest = *atWidth == '\0';
        if (options->each && !isWidest)
            threadList[strcspn(threadList, ",")] = '\0';
        char* rest = NULL;
        for (char* count = strtok_r(threadList, ",", &rest); count != NULL;
             count = strtok_r(NULL, ",", &rest)) {
            snprintf(candidate, sizeof candidate, "%s --simd %s --threads %s", options->candidate,
                     width, count);
            same = compareRuns(reference, expected.data, candidate, subject, lastHash) && same;
            runs += 1;
        }
        free(threadList);
    }
    free(widthList);
    free(expected.data);
    printf("%s: %d runs, %s\n", subject, runs, same ? "all the same" : "NOT the same");
    return same && runs > 0;
}

static bool compareAll(const Options* options)
{
    char command[1024];
    snprintf(command, sizeof command, "%s list", options->reference);
    Text subjects = runCommand(command);
    snprintf(command, sizeof command, "%s widths", options->candidate);
    Text widths = runCommand(command);
    const char* chosen = options->widest ? lastLine(widths.data) : widths.data;
    FILE* table = NULL;
    if (options->update && (table = fopen(options->table, "w")) == NULL) {
        fprintf(stderr, "golden_compare: %s cannot be written\n", options->table);
        exit(3);
    }
    bool same = true;
    char* at = subjects.data;
    int32_t subjectCount = 0;
    for (char* subject; (subject = nextLine(&at)) != NULL;) {
        if (options->subject != NULL && strcmp(options->subject, subject) != 0)
            continue;
        char hash[32] = "";
        subjectCount += 1;
        same = compareSubject(options, subject, chosen, hash) && same;
        if (table != NULL)
            fprintf(table, "%s %s\n", subject, hash);
        else if (options->table != NULL)
            same = checkTable(options->table, subject, hash) && same;
    }
    if (table != NULL)
        fclose(table);
    if (subjectCount == 0) {
        fprintf(stderr, "golden_compare: there is no subject %s\n", options->subject);
        exit(2);
    }
    free(subjects.data);
    free(widths.data);
    return same;
}

int main(int argc, char** argv)
{
    Options options = {.threads = "1"};
    bool good = true;
    for (int i = 1; i < argc && good; ++i) {
        const char** value = strcmp(argv[i], "--reference") == 0   ? &options.reference
                             : strcmp(argv[i], "--candidate") == 0 ? &options.candidate
                             : strcmp(argv[i], "--threads") == 0   ? &options.threads
                             : strcmp(argv[i], "--table") == 0     ? &options.table
                             : strcmp(argv[i], "--subject") == 0   ? &options.subject
                                                                   : NULL;
        if (strcmp(argv[i], "--update") == 0)
            options.update = true;
        else if (strcmp(argv[i], "--widest") == 0)
            options.widest = true;
        else if (strcmp(argv[i], "--each") == 0)
            options.each = true;
        else if (value != NULL && i + 1 < argc)
            *value = argv[++i];
        else
            good = false;
    }
    if (!good || options.reference == NULL || options.candidate == NULL ||
        (options.update && (options.table == NULL || options.subject != NULL))) {
        fputs(usage, stderr);
        return 2;
    }
    return compareAll(&options) ? 0 : 1;
}
