// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What the files of the contact solver share: bodies, cells, pairs, and the order of its parts.
//
//   contact_cells.c      bodies, classes of how far they reach, and the cells of each class
//   contact_near_wide.c  kernel: the cells that need a look
//   contact_pairs.c      the cells that have to be looked at, and pairs within reach in them
//   contacts.c           rounds that push overlapping pairs apart; the order of all this, and
//   memory contact_commit.c     verifies, and finds places for those who cannot go
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

#define TH_CONTACT_CLASSES 16
#define TH_CONTACT_COLORS 6
#define TH_CONTACT_BINS 256
#define TH_NEAR_BITS 18
#define TH_CONTACT_ROOM 4096.0f                    // 1/16 m
#define TH_CONTACT_STRAY (TH_CONTACT_ROOM / 2 - 8) // half of it, and some units for rounding
#define TH_CONTACT_CHUNK 8192                      // rows, entries or cells a task at least
#define TH_CONTACT_PILE 16 // agents in a cell who are no pile, whatever is around

// An agent while it is pushed about, by row.
typedef struct thContactBody {
    float x, y;     // how far from where it stood; whole numbers until it is pushed [units]
    int32_t budget; // it goes no further [units; 0: it stays]
    int32_t radius; // rounded up [units]
} thContactBody;

// Where an agent who was pushed was when it was last decided which pairs of it are near.
typedef struct thPushAnchor {
    float x, y; // how far from where it stood before the step [units]
} thPushAnchor;

// The radius by which pairs are found that overlap at their targets. Who may be one of a fast pair
// is near everybody.
#define TH_QUICK_RADIUS 1.0e15f

static inline int64_t thiReachOf(const thContactBody* body)
{
    return (int64_t)body->radius + body->budget + 2;
}

#define TH_ROOMY_UNKNOWN 2

typedef struct thContactCell {
    uint64_t code;     // place: (floor · rows + row) · columns + column, with a free border
    int32_t first;     // entry; they end where those of the next cell begin
    atomic_int north;  // the first cell not before the one to the north-west; −1: not asked yet
    atomic_int south;  // likewise, to the south-west
    int32_t firstPair; // −1 as long as nobody needs them
    int32_t pairCount;
    int32_t nearCount; // of its pairs, those that may overlap
    uint8_t layer;
    uint8_t bucket;      // layer and colour, once it has pairs
    atomic_uchar listed; // waits for a visit
    atomic_uchar roomy; // whether its pairs are further apart than TH_CONTACT_ROOM at their targets
    atomic_uchar stale; // which of its pairs are near has to be found anew
} thContactCell;

typedef struct thContactLayer {
    int32_t class;
    uint32_t side, perSide;       // of a cell [units]; floor(2^32 / side)
    uint64_t columns, rows;       // with the border
    int32_t firstCell, cellCount; // behind the last one stands a cell with the largest code
    int32_t firstEntry;
} thContactLayer;

typedef struct thContactPair {
    int32_t a, b;           // rows; a stands in the home cell
    float beforeX, beforeY; // from a to b before the step
    float radii;
    uint8_t slot; // cell of b: 0 home, 1 east, 2 and up those from `north` on
    bool fast;
    bool pushed;
} thContactPair;

// A half-plane of moves: normal · move <= limit, limit >= 0.
typedef struct thMovePlane {
    double x, y, limit;
} thMovePlane;

// What all bodies stand within.
typedef struct thContactExtent {
    int32_t lowX, lowY, highX, highY, lowLevel, highLevel;
} thContactExtent;

typedef struct thContactWorker {
    thContactExtent extent;
    int64_t bins[TH_CONTACT_BINS]; // bodies by reach
    float worst;
    int64_t contacts;
    int64_t work;     // pairs visited
    thArray partners; // int32_t
    thArray planes;   // thMovePlane
    bool outOfMemory;
} thContactWorker;

// What is known of a row, bit by bit.
enum {
    th_bodyPushed = 1,
    th_bodyMoved = 2, // in this round, or ever if no walls are near
    th_bodyFixed = 4, // others do not push it
};

// Rows or cells in any order, added by any worker; room for all there are.
typedef struct thContactList {
    int32_t* items;
    atomic_int count;
} thContactList;

struct thContacts {
    thMemory* memory;
    int32_t capacity; // rows
    thArray workers;  // thContactWorker
    const thContactTask* task;
    const thTasks* tasks;
    thSimd simd;
    bool hasWalls;

    thContactBody* bodies; // by row
    thPushAnchor* anchors; // by row, of those who were pushed; the others are at their targets
    float* nearRadius;     // by row
    float* wallSq;         // by row, see thiContactWalls
    uint8_t* classes;      // by row
    uint8_t* flags;        // by row
    atomic_uchar* cut;     // by row
    thContactList moved;   // rows that may be near walls, in this round
    thContactList pushed;  // rows, ever
    float push;            // of this round, for each of both bodies, in shares of the depth
    thContactList cuts;    // rows
    int32_t firstCut;      // of them, whose partners are being told

    int64_t reach0; // of class 0
    thContactExtent extent;
    int32_t layerCount;
    thContactLayer layers[TH_CONTACT_CLASSES];
    thArray cells; // thContactCell, of all layers
    // Agents in cells, of all layers, cell after cell. Kernels may read TH_MAX_WIDTH beyond the
    // last.
    thArray entryRow;             // int32_t
    thArray entryCell;            // int32_t
    thArray entryX, entryY;       // int32_t: targets
    thArray entryRadius;          // float: near radii
    uint64_t* items[2];           // by row, while entries are sorted: code and row
    thArray chunkSizes;           // int32_t
    thArray chunkCounts;          // int32_t
    thArray partStart, partCells; // int32_t
    atomic_ullong* nearCells;     // hashed cells of a layer where one of its own class may be met

    thArray pairs;    // thContactPair
    thArray near;     // int32_t: where a cell's pairs begin, which of them are near, in order
    thArray touched;  // int32_t: cells with pairs
    int32_t firstNew; // of them, whose pairs are being made
    thArray current;  // int32_t: cells to visit in this round, by layer and colour
    thArray waiting;  // int32_t: cells to visit in the next one
    atomic_int waitingCount;
    int32_t bucketFirst; // where the cells of the colour that is being worked on begin
    int32_t bucketStart[TH_CONTACT_CLASSES * TH_CONTACT_COLORS + 1];
};

static inline thContactCell* thiContactCells(const thContacts* contacts)
{
    return TH_ITEMS(contacts->cells, thContactCell);
}

static inline void thiListAdd(thContactList* list, int32_t item)
{
    list->items[atomic_fetch_add_explicit(&list->count, 1, memory_order_relaxed)] = item;
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

// The first cell not before the one to the north-west, or to the south-west.
int32_t thiNorthOf(const thContacts* contacts, int32_t cell);
int32_t thiSouthOf(const thContacts* contacts, int32_t cell);

// The rows of a cell in order: the layer's own class first, then by key. Only piles lie in it, as
// few cells are ever asked: others are brought into it in `room`, for TH_CONTACT_PILE rows.
const int32_t* thiOrderedRows(const thContacts* contacts, const thContactCell* cell, int32_t* room);

// Kernel: which cells need a look. Most pairs of a crowd are far apart at their targets, and a
// register of agents at once is told so. No cell with an overlapping pair is left out; which others
// are named may depend on the width: whoever looks at them finds nothing.
typedef struct thNearTask {
    thContactCell* cells; // of some of them, `north` is set
    const thContactLayer* layer;
    const int32_t* cell; // columns of entries
    const int32_t *x, *y;
    const float* radius;
    int32_t begin, end; // cells of the layer
    int32_t north;      // of the first of them
    int32_t* near;      // room for all of them
} thNearTask;

// Writes the cells with pairs that may overlap at, or on the way to, their targets, and returns how
// many there are.
typedef int32_t thFindNearFcn(const thNearTask* task);
TH_KERNEL_DECLARE(thiFindNear, int32_t, (const thNearTask* task));

// Lists all cells with a pair that would overlap at its targets.
void thiFindOverlaps(thContacts* contacts);

// Moves the waiting cells to `current`, by layer and colour, and makes their pairs.
thResult thiTakeWaiting(thContacts* contacts);

// Of the pairs of a cell, finds those that can overlap before one of them strays.
void thiFindNearPairs(const thContacts* contacts, thContactCell* cell);

// Lists all cells that have pairs with agents of this one, or with a row, for a visit. If the agent
// has strayed, other pairs of it may be near now; otherwise roomy cells stay as they are.
void thiListAround(thContacts* contacts, int32_t cell, bool strayed);
void thiListCellsOf(thContacts* contacts, int32_t row, bool strayed, int32_t exceptLayer);

// Whether a body that was pushed is so far from its anchor that pairs which were not near may
// overlap. Then its anchor is brought to it.
static inline bool thiStrays(thContacts* contacts, int32_t row)
{
    const thContactBody* body = &contacts->bodies[row];
    thPushAnchor* anchor = &contacts->anchors[row];
    const float x = body->x - anchor->x, y = body->y - anchor->y;
    if (x * x + y * y <= TH_CONTACT_STRAY * TH_CONTACT_STRAY)
        return false;
    *anchor = (thPushAnchor){body->x, body->y};
    return true;
}

// Calls `visit` for everybody within reach of a row, in the order of layers, cells and keys.
typedef void thPartnerFcn(void* context, int32_t row, int32_t other);
void thiVisitPartners(const thContacts* contacts, int32_t row, thPartnerFcn* visit, void* context);

// Where a pair is nearest: at the end of the step, or on the way if it is fast.
typedef struct thClosest {
    float x, y;   // from a to b [units]
    float moment; // share of the step, 0 .. 1
} thClosest;

// A pair that is not fast is near or not by its distance at the end alone: exact to 2^-22 of it. In
// double for fast pairs, because their moves may be long against their radii.
static inline thClosest thiClosest(float beforeX, float beforeY, float moveX, float moveY,
                                   bool fast)
{
    if (!fast)
        return (thClosest){beforeX + moveX, beforeY + moveY, 1.0f};
    const double px = beforeX, py = beforeY, x = moveX, y = moveY;
    const double along = -(px * x + py * y), lengthSq = x * x + y * y;
    const double moment = along > 0.0 && along < lengthSq ? along / lengthSq : 1.0;
    return (thClosest){(float)(px + moment * x), (float)(py + moment * y), (float)moment};
}

// Largest depth the workers have seen since it was last asked; a maximum depends on no order.
float thiTakeWorst(thContacts* contacts);

// Where a pushed body comes to, walls considered.
thPoint thiSlidePushed(thContacts* contacts, int32_t row);

// Verifies where the rounds ended and writes where agents go.
thResult thiContactCommit(thContacts* contacts, thContactStats* stats);

#endif
