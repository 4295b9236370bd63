// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What the files of the contact solver share: bodies, cells, and the order of its parts.
//
//   contact_cells.c       bodies, classes of how far they reach, and the cells of each class
//   contact_rows_wide.c   kernels: how far rows reach, and the cells they stand in
//   contact_visit_wide.c  kernels: the cells with overlaps; pushing the pairs of cells apart; the
//                         pairs that have to be verified
//   contacts.c            rounds of pushing; the order of all this, and memory
//   contact_commit.c      verifies, and finds places for those who cannot go
//
// Reach is additive: i and j can meet in this step only if |p_i − p_j| <= reach_i + reach_j. Agents
// are classed by reach: class 0 holds at least 15 of 16, and each further one reaches up to twice
// as far, so that few far-reaching agents do not widen the cells of all. Each class in use has a
// *layer* of cells, twice as wide as its reach, in which its agents stand together with those of
// lower classes who are near enough to meet one of them:
//
//     layer 0:  class 0 with class 0            order in a cell: own class first, then by key
//     layer 2:  class 2 with classes 0, 1, 2    likewise, wider
//
// Who stands in a cell is an *entry*. Entries lie in columns, cell after cell and row of cells
// after row of cells, so those of a cell and its neighbour to the east are one stretch, and those
// of its three neighbours to the north another. A *body* is the entry of an agent in the layer of
// its own class; its entries in layers above are copies, which are brought up to date when they are
// needed.
//
// A pair belongs to the layer of its higher class and there to one of its cells, its home:
//
//     NW  N   NE       home is the one of both cells from which the other is in this half of the
//         home E       neighbourhood. Homes of one colour, (column mod 3, row mod 2), touch
//                      different agents, so they can be worked on at once.

#ifndef THRONG_SRC_MOVE_CONTACT_INTERNAL_H
#define THRONG_SRC_MOVE_CONTACT_INTERNAL_H

#include "base/memory.h"
#include "move/contact/contact_rules.h"
#include "move/contact/contacts.h"
#include "simd/dispatch.h"

#include <stdatomic.h>
#include <string.h>

#define TH_CONTACT_CLASSES 16
#define TH_CONTACT_COLORS 6
#define TH_CONTACT_BINS 256
#define TH_CONTACT_FIRST_BIN ((127 + 8) * 8) // of 2^8 units: nobody reaches less in a useful world
#define TH_NEAR_BITS 18
#define TH_CONTACT_CHUNK 8192 // rows, entries or cells a task at least
#define TH_CONTACT_BUFFER 62  // entries that a worker adds to a list at once
#define TH_CONTACT_PILE 16    // agents in a cell who are no pile, whatever is around

// In the first round all pairs are pushed that overlap, so that who touches never stands quite
// even; after that those that are deeper than this share of the sum of their radii. It is well
// below what contact_rules.h allows, so pairs that are left alone need no exact look.
#define TH_CONTACT_SLOP 0.0035f

// Where the sum of radii is less, a unit counts for more than these shares. [units]
#define TH_TINY_RADII 256

// The radius by which pairs are found that need a look wherever they stand: who may be one of a
// fast pair, or of a tiny one.
#define TH_QUICK_RADIUS 1.0e15f

// By entry, of bodies.
typedef struct thContactBody {
    int32_t fromX, fromY; // where it stood [units]
    int32_t budget, radius;
} thContactBody;

static inline int64_t thiReachOf(int32_t budget, int32_t radius)
{
    return (int64_t)radius + budget + 2;
}

typedef struct thContactCell {
    uint64_t code;    // place: (floor · rows + row) · columns + column, with a free border
    int32_t first;    // entry; they end where those of the next cell begin
    atomic_int north; // the first cell not before the one to the north-west; −1: not asked yet
    atomic_int south; // likewise, to the south-west
    int32_t work;     // overlaps that were seen in visits
    uint8_t layer;
    atomic_uchar color; // TH_CONTACT_COLORS: not asked yet
} thContactCell;

typedef struct thContactLayer {
    int32_t class;
    uint32_t side, perSide;       // of a cell [units]; floor(2^32 / side)
    uint64_t columns, rows;       // with the border
    int32_t firstCell, cellCount; // behind the last one stands a cell with the largest code
    int32_t firstEntry;
} thContactLayer;

// A half-plane of moves: normal · move <= limit, limit >= 0.
typedef struct thMovePlane {
    double x, y, limit;
} thMovePlane;

// What all bodies stand within.
typedef struct thContactExtent {
    int32_t lowX, lowY, highX, highY, lowLevel, highLevel;
} thContactExtent;

typedef struct thEntryPair {
    int32_t a, b;
} thEntryPair;

// Entries in any order, added by any worker; room for all bodies.
typedef struct thContactList {
    int32_t* items;
    atomic_int count;
} thContactList;

// What a worker adds to a list, some at once: a count that all of them change for each would be
// waited for.
typedef struct thContactBuffer {
    int32_t count;
    int32_t items[TH_CONTACT_BUFFER];
} thContactBuffer;

typedef struct thContactWorker {
    thContactBuffer moved, pushed, stirred;
    thContactExtent extent;
    int64_t bins[TH_CONTACT_BINS]; // bodies by reach
    int64_t contacts;
    int64_t moves;    // of bodies, in this round
    thArray crowded;  // thEntryPair: contacts that thContacts.contactBits has no bits for
    thArray partners; // int32_t
    thArray planes;   // thMovePlane
    bool outOfMemory;
} thContactWorker;

// What is known of a body, bit by bit.
enum {
    th_bodyPushed = 1,
    th_bodyMoved = 2,    // in this round, or ever if no walls are near
    th_bodyFixed = 4,    // others do not push it
    th_bodyTold = 8,     // it has contacts, also of copies
    th_bodyStirred = 16, // moved, and cells not yet marked for that
};

// Cells as bits: those of each colour that wait for a visit, and those with a pair that overlapped
// when they were visited last.
enum { th_cellsUnsure = TH_CONTACT_COLORS, th_cellPlanes };

struct thContacts {
    thMemory* memory;
    int32_t capacity; // rows
    thArray workers;  // thContactWorker
    const thContactTask* task;
    const thTasks* tasks;
    thSimd simd;
    bool hasWalls;

    int32_t* budget;       // by row: it goes no further; 0: it stays [units]
    int32_t* radius;       // by row, rounded up [units]
    float* wallSq;         // by row, see thiContactWalls
    uint8_t* classes;      // by row
    uint8_t* fixed;        // by row
    int32_t* bodyOf;       // by row, in worlds of several classes: its entry in its own layer
    thContactList moved;   // bodies that may be near walls, in this round
    thContactList pushed;  // bodies, ever
    thContactList stirred; // bodies that were moved while cells of one colour were visited
    float push;            // of this round, for each of both bodies, in shares of the depth
    float share;           // of the radii: pairs that are nearer are pushed in this round
    thContactList cuts;    // bodies
    int32_t firstCut;      // of them, whose partners are being told

    int64_t reach0;  // of class 0
    bool hasClasses; // more than one
    thContactExtent extent;
    int32_t layerCount;
    thContactLayer layers[TH_CONTACT_CLASSES];
    thArray cells; // thContactCell, of all layers
    // Agents in cells, of all layers, cell after cell. Kernels may read TH_MAX_WIDTH beyond the
    // last.
    thArray entryRow;       // int32_t
    thArray entryCell;      // int32_t
    thArray entryBody;      // int32_t: itself, or what it is a copy of
    thArray entryX, entryY; // int32_t: where it is by now
    thArray entryRadius;    // float: its radius, or TH_QUICK_RADIUS
    // Likewise, of bodies.
    thArray bodies; // thContactBody
    thArray flags;  // uint8_t
    thArray cut;    // atomic_uchar
    thArray
        contactBits; // uint64_t, if told: with whom of its half neighbourhood it was pushed apart

    uint64_t* items[2];           // by row, while entries are sorted: code and row
    thArray chunkSizes;           // int32_t
    thArray chunkCounts;          // int32_t
    thArray partStart, partCells; // int32_t
    atomic_ullong* nearCells;     // hashed cells of a layer where one of its own class may be met

    thArray planes; // atomic_ullong: th_cellPlanes of planeWords each
    int32_t planeWords;
    thArray current; // int32_t: cells that are being visited
};

static inline thContactCell* thiContactCells(const thContacts* contacts)
{
    return TH_ITEMS(contacts->cells, thContactCell);
}

static inline thContactBody* thiBodies(const thContacts* contacts)
{
    return TH_ITEMS(contacts->bodies, thContactBody);
}

static inline void thiListFlush(thContactList* list, thContactBuffer* buffer)
{
    if (buffer->count == 0)
        return;
    const int32_t at = atomic_fetch_add_explicit(&list->count, buffer->count, memory_order_relaxed);
    memcpy(list->items + at, buffer->items, (size_t)buffer->count * sizeof *buffer->items);
    buffer->count = 0;
}

// What is added is in the list when the worker flushes its buffer.
static inline void thiListAdd(thContactList* list, thContactBuffer* buffer, int32_t item)
{
    buffer->items[buffer->count++] = item;
    if (buffer->count == TH_CONTACT_BUFFER)
        thiListFlush(list, buffer);
}

static inline atomic_ullong* thiCellWord(const thContacts* contacts, int32_t plane, int32_t cell)
{
    return TH_ITEMS(contacts->planes, atomic_ullong) +
           (size_t)plane * (size_t)contacts->planeWords + cell / 64;
}

// Behind the last of the cells from `cell` on whose code is not above `code`: few are.
static inline int32_t thiCellsUpTo(const thContactCell* cells, int32_t cell, uint64_t code)
{
    while (cells[cell].code <= code)
        ++cell;
    return cell;
}

// Makes bodies for the task, classes them, and makes layers and cells of the classes in use.
thResult thiContactCellsBuild(thContacts* contacts);

// Cells are counted from the lowest coordinate of all agents, so nothing depends on where in the
// world a crowd stands.
static inline uint32_t thiContactCellAlong(const thContactLayer* layer, int32_t at, int32_t low)
{
    const uint32_t offset = (uint32_t)at - (uint32_t)low;
    const uint32_t cell = (uint32_t)((uint64_t)offset * layer->perSide >> 32);
    return cell + (offset - cell * layer->side >= layer->side); // the inverse is rounded down
}

// Code of the cell of a layer in which a row stands, whether or not there is such a cell.
static inline uint64_t thiContactCode(const thContactLayer* layer, const thContacts* contacts,
                                      int32_t row)
{
    const thRows* rows = contacts->task->rows;
    const uint64_t floor = (uint64_t)(rows->level[row] - contacts->extent.lowLevel);
    const uint64_t y = thiContactCellAlong(layer, rows->py[row], contacts->extent.lowY);
    const uint64_t x = thiContactCellAlong(layer, rows->px[row], contacts->extent.lowX);
    return (floor * layer->rows + y + 1) * layer->columns + x + 1;
}

// The first cell of a layer whose code is not below.
int32_t thiLowerContactCell(const thContacts* contacts, const thContactLayer* layer, uint64_t code);

// The first cell not before the one to the north-west, or to the south-west; looked for when they
// are first asked for.
int32_t thiFindNorthOf(const thContacts* contacts, int32_t cell);
int32_t thiFindSouthOf(const thContacts* contacts, int32_t cell);

static inline int32_t thiNorthOf(const thContacts* contacts, int32_t cell)
{
    const int32_t known =
        atomic_load_explicit(&thiContactCells(contacts)[cell].north, memory_order_relaxed);
    return known >= 0 ? known : thiFindNorthOf(contacts, cell);
}

static inline int32_t thiSouthOf(const thContacts* contacts, int32_t cell)
{
    const int32_t known =
        atomic_load_explicit(&thiContactCells(contacts)[cell].south, memory_order_relaxed);
    return known >= 0 ? known : thiFindSouthOf(contacts, cell);
}

// The entries of a home's half of the neighbourhood: two stretches.
typedef struct thHalf {
    int32_t home, homeEnd, eastEnd; // entries; those to the east begin where those of home end
    int32_t north, northEnd;
} thHalf;

static inline thHalf thiHalfOf(const thContacts* contacts, int32_t cell)
{
    const thContactCell* cells = thiContactCells(contacts);
    const uint64_t code = cells[cell].code;
    const int32_t north = thiNorthOf(contacts, cell), homeEnd = cells[cell + 1].first;
    const uint64_t northEast = code + contacts->layers[cells[cell].layer].columns + 1;
    return (thHalf){cells[cell].first, homeEnd,
                    cells[cell + 1].code == code + 1 ? cells[cell + 2].first : homeEnd,
                    cells[north].first, cells[thiCellsUpTo(cells, north, northEast)].first};
}

// Kernel: budgets and radii of rows, whose reaches it counts and whom the worker's extent takes in.
// Rows that are not plain, which may not be pushed, do not move by themselves, go further than
// others could push them, or are dead, it names in `odd` and leaves to the caller. Returns how
// many.
typedef int32_t thSizeRowsFcn(const thContacts* contacts, int32_t begin, int32_t end, int32_t* odd,
                              thContactWorker* worker);
TH_KERNEL_DECLARE(thiSizeRows, int32_t,
                  (const thContacts* contacts, int32_t begin, int32_t end, int32_t* odd,
                   thContactWorker* worker));

// Kernel: codes of the cells in which rows stand, for layers of one floor that are not too large.
// Those of dead rows mean nothing. `codes` has room for TH_MAX_WIDTH more.
typedef void thCodeRowsFcn(const thContacts* contacts, const thContactLayer* layer, int32_t begin,
                           int32_t end, int32_t* codes);
TH_KERNEL_DECLARE(thiCodeRows, void,
                  (const thContacts* contacts, const thContactLayer* layer, int32_t begin,
                   int32_t end, int32_t* codes));

// A cell waits for a visit; or all cells that have pairs with a body, in layers from one on.
void thiMarkCell(thContacts* contacts, int32_t cell);
void thiMarkAroundBody(thContacts* contacts, int32_t body, int32_t firstLayer);

// Brings copies among a stretch of entries up to date.
void thiRefreshCopies(const thContacts* contacts, int32_t begin, int32_t end);

// Kernel: names the cells of layer 0 from `begin` to `end` − 1 with pairs that overlap at, or on
// the way to, their targets, and returns how many there are. `cells` has room for all of them. A
// register of agents at once is told that they are far apart. No cell with an overlapping pair is
// left out; which others are named may depend on the width: who visits them finds nothing.
typedef int32_t thFindOverlapsFcn(const thContacts* contacts, int32_t begin, int32_t end,
                                  int32_t* cells);
TH_KERNEL_DECLARE(thiFindOverlaps, int32_t,
                  (const thContacts* contacts, int32_t begin, int32_t end, int32_t* cells));

// Kernel: visits cells. Each of their pairs that overlap is pushed apart, one after the other.
typedef void thVisitCellsFcn(thContacts* contacts, const int32_t* cells, int32_t count,
                             thContactWorker* worker);
TH_KERNEL_DECLARE(thiVisitCells, void,
                  (thContacts * contacts, const int32_t* cells, int32_t count,
                   thContactWorker* worker));

// Kernel: after bodies of layer 0 were moved, marks the cells of that layer with pairs of them that
// overlap.
typedef void thMarkOverlapsFcn(thContacts* contacts, const int32_t* bodies, int32_t count);
TH_KERNEL_DECLARE(thiMarkOverlaps, void,
                  (thContacts * contacts, const int32_t* bodies, int32_t count));

// Kernel: calls thiVerifyPair for all pairs of cells that may not be apart.
typedef void thVerifyCellsFcn(thContacts* contacts, const int32_t* cells, int32_t count);
TH_KERNEL_DECLARE(thiVerifyCells, void,
                  (thContacts * contacts, const int32_t* cells, int32_t count));
void thiVerifyPair(thContacts* contacts, int32_t a, int32_t b);

// Whether two entries of a layer are a pair of it, if they are within reach of each other: one can
// move, they touch each other at all, and one is of the layer's own class.
static inline bool thiCanTouch(const thContacts* contacts, int32_t a, int32_t b)
{
    const int32_t* body = TH_ITEMS(contacts->entryBody, int32_t);
    const int32_t* row = TH_ITEMS(contacts->entryRow, int32_t);
    const thContactBody *bodyA = &thiBodies(contacts)[body[a]],
                        *bodyB = &thiBodies(contacts)[body[b]];
    const thRows* rows = contacts->task->rows;
    return (bodyA->budget | bodyB->budget) != 0 && (bodyA->radius | bodyB->radius) != 0 &&
           ((rows->mask[row[a]] & rows->layers[row[b]]) |
            (rows->mask[row[b]] & rows->layers[row[a]])) != 0 &&
           (body[a] == a || body[b] == b);
}

// A direction for bodies at one place: from the lower key to the higher, so that both agree.
void thiDirectionByKeys(const thContacts* contacts, int32_t a, int32_t b, double* x, double* y);

// Before a body is moved the first time in a round, or ever if there are no walls.
void thiNoteMoved(thContacts* contacts, thContactWorker* worker, int32_t body);

// Notes that a pair was pushed apart, the `index`th of a's candidates.
void thiNoteContact(thContacts* contacts, thContactWorker* worker, int32_t a, int32_t b,
                    int32_t index);

// Gathers the cells from `begin` to `end` − 1 that are marked in one of some planes in `current`,
// and unmarks them.
void thiTakeCells(thContacts* contacts, int32_t firstPlane, int32_t endPlane, int32_t begin,
                  int32_t end);

// Where a body comes to that wants to go to a place, walls and gates considered; and one that was
// pushed, to where it was.
thPoint thiSlideBody(const thContacts* contacts, int32_t body, thPoint to);
thPoint thiSlidePushed(thContacts* contacts, int32_t body);

// Verifies where the rounds ended and writes where agents go.
thResult thiContactCommit(thContacts* contacts, thContactStats* stats);

#endif
