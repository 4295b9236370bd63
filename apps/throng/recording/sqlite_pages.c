// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Fills a table of a SQLite file and its index by writing pages, from the leaves to the roots.

#include "recording/sqlite_pages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A tree of more levels would have more rows than there are numbers for.
enum { mostLevels = 24, leafHead = 8, interiorHead = 12, largestCell = 96, pagesAtOnce = 256 };

enum { tableLeaf = 0x0d, tableInterior = 0x05, indexLeaf = 0x0a, indexInterior = 0x02 };

// SQLite locks bytes from here on, and no page lies over them.
static const uint64_t lockedByte = 0x40000000;

static const uint32_t pageCountPlace = 28; // of the number of pages, in the file's head

// A page that is being filled: pointers to cells grow from the head, cells from the end.
typedef struct Page {
    uint8_t* bytes; // NULL: there is no such level yet
    uint32_t cells;
    uint32_t content; // where cells begin
} Page;

typedef struct Tree {
    uint8_t leafKind, interiorKind;
    uint32_t root;
    Page levels[mostLevels]; // 0 is the leaf
} Tree;

struct SqlitePages {
    int file;
    uint32_t pageSize;
    uint32_t nextPage; // number of the next page that is appended
    uint8_t* waiting;  // pages that are appended but not written
    uint32_t waitingCount;
    int64_t rows;
    Tree table, index;
};

// --- Bytes ---

static uint8_t* putBig(uint8_t* at, uint64_t value, int size)
{
    for (int i = size - 1; i >= 0; --i) {
        at[i] = (uint8_t)value;
        value >>= 8;
    }
    return at + size;
}

static uint8_t* putReal(uint8_t* at, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return putBig(at, bits, 8);
}

// Seven bits in each byte, the highest first; all but the last have the eighth set. Numbers here
// are below 2⁵⁶, so that the special form of nine bytes is not needed.
static uint8_t* putVarint(uint8_t* at, uint64_t value)
{
    int bytes = 1;
    while (value >> (7 * bytes) != 0)
        bytes += 1;
    for (int i = bytes - 1; i >= 0; --i)
        *at++ = (uint8_t)((value >> (7 * i) & 0x7f) | (i > 0 ? 0x80 : 0));
    return at;
}

// How many bytes a whole number takes: one of the sizes that a record can have.
static int sizeOfWhole(int64_t value)
{
    static const int sizes[] = {1, 2, 3, 4, 6};
    for (int i = 0; i < 5; ++i) {
        const int64_t most = ((int64_t)1 << (8 * sizes[i] - 1)) - 1;
        if (value >= -most - 1 && value <= most)
            return sizes[i];
    }
    return 8;
}

// The serial type of a whole number of that size.
static uint8_t typeOfSize(int size)
{
    return (uint8_t)(size <= 4 ? size : size == 6 ? 5 : 6);
}

// --- Pages ---

static void writeWaiting(SqlitePages* pages, bool* good)
{
    const uint64_t size = (uint64_t)pages->waitingCount * pages->pageSize;
    uint64_t offset = (uint64_t)(pages->nextPage - 1) * pages->pageSize - size;
    const uint8_t* at = pages->waiting;
    for (uint64_t left = size; left > 0 && *good;) {
        const ssize_t written = pwrite(pages->file, at, (size_t)left, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        *good = written > 0;
        if (*good) {
            at += written;
            offset += (uint64_t)written;
            left -= (uint64_t)written;
        }
    }
    pages->waitingCount = 0;
}

// Appends a page; 0 when that fails.
static uint32_t appendPage(SqlitePages* pages, const uint8_t* bytes)
{
    bool good = true;
    if (pages->waitingCount == pagesAtOnce)
        writeWaiting(pages, &good);
    uint8_t* place = pages->waiting + (size_t)pages->waitingCount * pages->pageSize;
    if (bytes != NULL)
        memcpy(place, bytes, pages->pageSize);
    else
        memset(place, 0, pages->pageSize);
    pages->waitingCount += 1;
    pages->nextPage += 1;
    if (pages->nextPage == UINT32_MAX) {
        errno = EFBIG;
        good = false;
    }
    return good ? pages->nextPage - 1 : 0;
}

static uint32_t appendTreePage(SqlitePages* pages, const uint8_t* bytes)
{
    if (pages->nextPage == lockedByte / pages->pageSize + 1 && appendPage(pages, NULL) == 0)
        return 0;
    return appendPage(pages, bytes);
}

static uint32_t headOf(int level)
{
    return level == 0 ? leafHead : interiorHead;
}

static void clearPage(const SqlitePages* pages, Page* page)
{
    memset(page->bytes, 0, pages->pageSize);
    page->cells = 0;
    page->content = pages->pageSize;
}

// Writes the head: what the page is, and where its cells are. The rightmost child of a leaf is 0.
static void finishPage(const Tree* tree, int level, uint32_t rightmost)
{
    const Page* page = &tree->levels[level];
    page->bytes[0] = level == 0 ? tree->leafKind : tree->interiorKind;
    putBig(page->bytes + 3, page->cells, 2);
    putBig(page->bytes + 5, page->content, 2); // 65536 becomes 0, as it should
    if (level > 0)
        putBig(page->bytes + 8, rightmost, 4);
}

static bool fits(const Page* page, int level, uint32_t size)
{
    return headOf(level) + 2 * (page->cells + 1) + size <= page->content;
}

static void putCell(Page* page, int level, const uint8_t* cell, uint32_t size)
{
    page->content -= size;
    memcpy(page->bytes + page->content, cell, size);
    putBig(page->bytes + headOf(level) + 2 * page->cells, page->content, 2);
    page->cells += 1;
}

// Takes the last cell off a page; returns its size.
static uint32_t popCell(const SqlitePages* pages, Page* page, int level, uint8_t* cell)
{
    uint8_t* pointer = page->bytes + headOf(level) + 2 * (page->cells - 1);
    const uint32_t before =
        page->cells > 1 ? (uint32_t)pointer[-2] << 8 | pointer[-1] : pages->pageSize;
    const uint32_t size = before - page->content;
    memcpy(cell, page->bytes + page->content, size);
    memset(page->bytes + page->content, 0, size);
    memset(pointer, 0, 2);
    page->content += size;
    page->cells -= 1;
    return size;
}

// --- Trees ---

static bool makeLevel(SqlitePages* pages, Page* page)
{
    if (page->bytes != NULL)
        return true;
    page->bytes = malloc(pages->pageSize);
    if (page->bytes != NULL)
        clearPage(pages, page);
    return page->bytes != NULL;
}

static void putChild(Page* page, int level, uint32_t child, const uint8_t* divider, uint32_t size)
{
    uint8_t cell[largestCell];
    memcpy(putBig(cell, child, 4), divider, size);
    putCell(page, level, cell, size + 4);
}

// A child is complete: its parent gets a cell with its number, and with the divider between it and
// what follows. A parent that is full ends with the child of its last cell, and that cell's divider
// goes up with it.
static bool addChild(SqlitePages* pages, Tree* tree, int level, uint32_t child,
                     const uint8_t* divider, uint32_t size)
{
    Page* page = &tree->levels[level];
    if (child == 0 || level >= mostLevels || !makeLevel(pages, page))
        return false;
    if (fits(page, level, size + 4)) {
        putChild(page, level, child, divider, size);
        return true;
    }
    uint8_t last[largestCell];
    const uint32_t lastSize = popCell(pages, page, level, last);
    const uint32_t rightmost =
        (uint32_t)last[0] << 24 | (uint32_t)last[1] << 16 | (uint32_t)last[2] << 8 | last[3];
    finishPage(tree, level, rightmost);
    const uint32_t number = appendTreePage(pages, page->bytes);
    clearPage(pages, page);
    putChild(page, level, child, divider, size);
    return addChild(pages, tree, level + 1, number, last + 4, lastSize - 4);
}

static bool writeAt(SqlitePages* pages, uint64_t offset, const void* data, size_t size)
{
    const ssize_t written = pwrite(pages->file, data, size, (off_t)offset);
    if (written >= 0 && (size_t)written < size)
        errno = ENOSPC;
    return written >= 0 && (size_t)written == size;
}

// What is left on each level is completed from below; the uppermost takes the root's place.
static bool finishTree(SqlitePages* pages, Tree* tree)
{
    uint32_t child = 0;
    int level = 0;
    for (; level + 1 < mostLevels && tree->levels[level + 1].bytes != NULL; ++level) {
        finishPage(tree, level, child);
        child = appendTreePage(pages, tree->levels[level].bytes);
        if (child == 0)
            return false;
    }
    finishPage(tree, level, child);
    return writeAt(pages, (uint64_t)(tree->root - 1) * pages->pageSize, tree->levels[level].bytes,
                   pages->pageSize);
}

// --- Rows ---

// A full leaf of the table is told from the next by its last row's number.
static bool addToTable(SqlitePages* pages, const uint8_t* cell, uint32_t size)
{
    Tree* tree = &pages->table;
    Page* leaf = &tree->levels[0];
    bool good = true;
    if (!fits(leaf, 0, size)) {
        uint8_t divider[10];
        const uint32_t dividerSize =
            (uint32_t)(putVarint(divider, (uint64_t)pages->rows - 1) - divider);
        finishPage(tree, 0, 0);
        const uint32_t number = appendTreePage(pages, leaf->bytes);
        clearPage(pages, leaf);
        good = addChild(pages, tree, 1, number, divider, dividerSize);
    }
    putCell(leaf, 0, cell, size);
    return good;
}

// An entry of an index stands either in a leaf or as a divider: the last one of a full leaf goes
// up.
static bool addToIndex(SqlitePages* pages, const uint8_t* cell, uint32_t size)
{
    Tree* tree = &pages->index;
    Page* leaf = &tree->levels[0];
    bool good = true;
    if (!fits(leaf, 0, size)) {
        uint8_t divider[largestCell];
        const uint32_t dividerSize = popCell(pages, leaf, 0, divider);
        finishPage(tree, 0, 0);
        const uint32_t number = appendTreePage(pages, leaf->bytes);
        clearPage(pages, leaf);
        good = addChild(pages, tree, 1, number, divider, dividerSize);
    }
    putCell(leaf, 0, cell, size);
    return good;
}

bool appAddPageRow(SqlitePages* pages, const SqliteRow* row)
{
    enum { realType = 7, reals = 4 };
    uint8_t cell[largestCell];
    pages->rows += 1;
    const int frameSize = sizeOfWhole(row->frame), idSize = sizeOfWhole(row->id);
    const int rowSize = sizeOfWhole(pages->rows);
    uint8_t* at = putVarint(cell, (uint64_t)(3 + reals + frameSize + idSize + 8 * reals));
    at = putVarint(at, (uint64_t)pages->rows);
    *at++ = 3 + reals; // size of the record's head: this byte and the types
    *at++ = typeOfSize(frameSize);
    *at++ = typeOfSize(idSize);
    memset(at, realType, reals);
    at = putBig(at + reals, (uint64_t)row->frame, frameSize);
    at = putBig(at, (uint64_t)row->id, idSize);
    at = putReal(putReal(at, row->x), row->y);
    at = putReal(putReal(at, row->eastward), row->northward);
    if (!addToTable(pages, cell, (uint32_t)(at - cell)))
        return false;
    at = putVarint(cell, (uint64_t)(4 + frameSize + idSize + rowSize));
    *at++ = 4;
    *at++ = typeOfSize(frameSize);
    *at++ = typeOfSize(idSize);
    *at++ = typeOfSize(rowSize);
    at = putBig(at, (uint64_t)row->frame, frameSize);
    at = putBig(at, (uint64_t)row->id, idSize);
    at = putBig(at, (uint64_t)pages->rows, rowSize);
    return addToIndex(pages, cell, (uint32_t)(at - cell));
}

// --- Opening and closing ---

static void freePages(SqlitePages* pages)
{
    for (int i = 0; i < mostLevels; ++i) {
        free(pages->table.levels[i].bytes);
        free(pages->index.levels[i].bytes);
    }
    free(pages->waiting);
    free(pages);
}

SqlitePages* appOpenPages(const SqlitePagesDef* def)
{
    SqlitePages* pages = calloc(1, sizeof *pages);
    if (pages == NULL)
        return NULL;
    pages->pageSize = def->pageSize;
    pages->nextPage = def->pageCount + 1;
    pages->table = (Tree){tableLeaf, tableInterior, def->tableRoot, {{0}}};
    pages->index = (Tree){indexLeaf, indexInterior, def->indexRoot, {{0}}};
    pages->waiting = malloc((size_t)pagesAtOnce * def->pageSize);
    pages->file = -1;
    if (pages->waiting != NULL && makeLevel(pages, &pages->table.levels[0]) &&
        makeLevel(pages, &pages->index.levels[0]))
        pages->file = open(def->path, O_WRONLY | O_CLOEXEC);
    if (pages->file >= 0)
        return pages;
    freePages(pages);
    return NULL;
}

bool appClosePages(SqlitePages* pages)
{
    uint8_t count[4];
    bool good = finishTree(pages, &pages->table) && finishTree(pages, &pages->index);
    if (good)
        writeWaiting(pages, &good);
    putBig(count, pages->nextPage - 1, 4);
    good = good && writeAt(pages, pageCountPlace, count, sizeof count);
    const int reason = errno;
    good = close(pages->file) == 0 && good;
    if (!good)
        errno = reason;
    freePages(pages);
    return good;
}
