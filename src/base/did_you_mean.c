// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Suggestions for names that are misspelt: which was meant, and how that is said.

#include "base/json/json.h"

#include <stdio.h>
#include <string.h>

// Longer names are near nothing, which bounds the time.
#define LONGEST_NAME 63

static char toLower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

static bool isSwapped(const char* a, const char* b)
{
    return toLower(a[0]) == toLower(b[-1]) && toLower(a[-1]) == toLower(b[0]);
}

// How many letters must be added, left out, replaced or swapped with the next to make a of b. Upper
// and lower case are the same.
static int32_t editDistance(const char* a, int32_t sizeA, const char* b, int32_t sizeB)
{
    int32_t rows[3][LONGEST_NAME + 1];
    int32_t *beforeLast = rows[0], *last = rows[1], *row = rows[2];
    for (int32_t k = 0; k <= sizeB; ++k)
        row[k] = k;
    for (int32_t i = 1; i <= sizeA; ++i) {
        int32_t* oldest = beforeLast;
        beforeLast = last;
        last = row;
        row = oldest;
        row[0] = i;
        for (int32_t k = 1; k <= sizeB; ++k) {
            const int32_t replaced = last[k - 1] + (toLower(a[i - 1]) != toLower(b[k - 1]));
            row[k] = TH_MIN(replaced, TH_MIN(last[k], row[k - 1]) + 1);
            if (i > 1 && k > 1 && isSwapped(a + i - 1, b + k - 1))
                row[k] = TH_MIN(row[k], beforeLast[k - 2] + 1);
        }
    }
    return row[sizeB];
}

// What other programs and formats call what is called differently here.
static const struct {
    const char *said, *meant;
} synonyms[] = {
    {"circle", "disc"},       {"center", "disc"},   {"rectangle", "box"},
    {"rect", "box"},          {"square", "box"},    {"line", "segment"},
    {"obstacles", "walls"},   {"people", "agents"}, {"pedestrians", "agents"},
    {"exits", "goals"},       {"targets", "goals"}, {"target", "goal"},
    {"destination", "goal"},  {"position", "at"},   {"dt", "step"},
    {"description", "about"},
};

static const char* findSynonym(const char* name, const char* const* names, int32_t count)
{
    for (size_t i = 0; i < sizeof synonyms / sizeof synonyms[0]; ++i) {
        if (strcmp(synonyms[i].said, name) != 0)
            continue;
        for (int32_t k = 0; k < count; ++k)
            if (strcmp(synonyms[i].meant, names[k]) == 0)
                return names[k];
    }
    return NULL;
}

// The first name that begins with the other, or the other way round, and is not twice as long.
static const char* findBeginning(const char* name, const char* const* names, int32_t count)
{
    const size_t size = strlen(name);
    for (int32_t i = 0; i < count && size <= LONGEST_NAME; ++i) {
        const size_t otherSize = strlen(names[i]), common = TH_MIN(size, otherSize);
        if (2 * common > TH_MAX(size, otherSize) && strncmp(name, names[i], common) == 0)
            return names[i];
    }
    return NULL;
}

const char* thiDidYouMean(const char* name, const char* const* names, int32_t count)
{
    const char* nearest = NULL;
    int32_t smallest = LONGEST_NAME;
    const size_t size = strlen(name);
    for (int32_t i = 0; i < count && size <= LONGEST_NAME; ++i) {
        const size_t otherSize = strlen(names[i]);
        if (otherSize > LONGEST_NAME)
            continue;
        const int32_t distance = editDistance(name, (int32_t)size, names[i], (int32_t)otherSize);
        // One letter in three may be wrong.
        if (distance < smallest && 3 * distance <= (int32_t)TH_MAX(size, otherSize)) {
            smallest = distance;
            nearest = names[i];
        }
    }
    if (nearest == NULL)
        nearest = findSynonym(name, names, count);
    return nearest != NULL ? nearest : findBeginning(name, names, count);
}

const char* thiShorten(const char* text, char shortText[TH_SHORT_TEXT])
{
    size_t length = strlen(text);
    if (length < TH_SHORT_TEXT)
        return text;
    length = TH_SHORT_TEXT - 4;
    while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
        --length;
    snprintf(shortText, TH_SHORT_TEXT, "%.*s...", (int)length, text);
    return shortText;
}

const char* thiJoinNames(const char* const* names, int32_t count, char* text, size_t size)
{
    const size_t rest = strlen(", ") + strlen(", ...");
    size_t length = 0;
    text[0] = '\0';
    for (int32_t i = 0; i < count; ++i) {
        if (length + strlen(names[i]) + rest >= size) {
            snprintf(text + length, size - length, ", ...");
            break;
        }
        length +=
            (size_t)snprintf(text + length, size - length, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    return text;
}

void thiTellUnknown(const char* what, const char* name, const char* const* names, int32_t count,
                    char* text, size_t size)
{
    char shortName[TH_SHORT_TEXT], there[256];
    const char* shown = thiShorten(name, shortName);
    const char* meant = thiDidYouMean(name, names, count);
    if (meant != NULL)
        snprintf(text, size, "no %s '%s'; did you mean '%s'?", what, shown, meant);
    else if (count == 0)
        snprintf(text, size, "no %s '%s'; there are none", what, shown);
    else
        snprintf(text, size, "no %s '%s'; there are: %s", what, shown,
                 thiJoinNames(names, count, there, sizeof there));
}
