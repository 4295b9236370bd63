// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Kernels: what is done to the pairs of cells: overlaps are found, pushed apart, and verified.
//
// No pairs are listed. An agent's candidates lie in two stretches, and a register of them at once
// is told from its place which of them overlap; mostly none does. These are looked at one by one,
// where they are by then:
//
//     north   . b b b b b b .      a against all b, 64 at a time
//     home    . a b b b b b .

#include "move/contact/contact_internal.h"

#include <math.h>

#define BLOCK 64
#define WORK 4096         // overlapping pairs an agent of a cell; only piles come near that
#define COINCIDENT 0.0625 // units
#define FAST_MARGIN 16    // units: more than rounding makes out on the way of fast pairs
#define VERIFIED 0.9915f  // of the radii: less may not be apart by contact_rules.h

typedef struct Columns {
    const int32_t *x, *y;
    const float* radius;
} Columns;

typedef struct Lanes {
    thI x, y;
    thF radius;
} Lanes;

static inline Columns columnsOf(const thContacts* contacts)
{
    return (Columns){TH_ITEMS(contacts->entryX, int32_t), TH_ITEMS(contacts->entryY, int32_t),
                     TH_ITEMS(contacts->entryRadius, float)};
}

static inline Lanes loadLanes(const Columns* columns, int32_t entry)
{
    return (Lanes){iLoad(columns->x + entry), iLoad(columns->y + entry),
                   fLoad(columns->radius + entry)};
}

// The same one in all lanes.
static inline Lanes spread(const Columns* columns, int32_t entry)
{
    return (Lanes){iSet(columns->x[entry]), iSet(columns->y[entry]), fSet(columns->radius[entry])};
}

// Whether they are nearer than that share of their radii.
static inline thM isNear(Lanes a, Lanes b, float share)
{
    const thF dx = fFromI(iSub(b.x, a.x)), dy = fFromI(iSub(b.y, a.y));
    const thF radii = (a.radius + b.radius) * fSet(share);
    return fLt(dx * dx + dy * dy, radii * radii);
}

// Which of at most 64 entries are nearer to `a`.
static inline uint64_t nearBits(const Columns* columns, int32_t a, int32_t begin, int32_t end,
                                float share)
{
    const Lanes lanes = spread(columns, a);
    const int32_t count = TH_MIN(end - begin, BLOCK);
    uint64_t bits = 0;
    for (int32_t i = 0; i < count; i += TH_WIDTH)
        bits |= (uint64_t)mBits(isNear(lanes, loadLanes(columns, begin + i), share)) << i;
    return bits & UINT64_MAX >> (BLOCK - count);
}

// Which of the lanes from `entry` to `last` − 1 overlap somebody; north of them are the entries
// from `north` on. Lanes also meet some who are not in their cell's neighbourhood, which saves
// asking:
//
//     north   . b b b b b b .      all lanes against one b after the other
//     home    . a a a a a a .      all lanes against those 1, 2, 3 … behind them
static inline uint32_t overlappingLanes(const Columns* columns, const int32_t* cell, int32_t entry,
                                        int32_t last, int32_t north, int32_t northEnd)
{
    const Lanes lanes = loadLanes(columns, entry);
    const thI behindEast = iAdd(iLoad(cell + entry), iSet(2));
    const thM all = mFirst(last - entry);
    thM far = all;
    for (int32_t b = entry + 1;; ++b) {
        const thM some = mAnd(far, iLt(iLoad(cell + b), behindEast));
        if (!mAny(some))
            break;
        far = mAndNot(far, mAnd(some, isNear(lanes, loadLanes(columns, b), 1.0f)));
    }
    for (int32_t b = north; b < northEnd; ++b)
        far = mAndNot(far, isNear(lanes, spread(columns, b), 1.0f));
    return mBits(mAndNot(all, far));
}

int32_t TH_WIDE(thiFindOverlaps)(const thContacts* contacts, int32_t begin, int32_t end,
                                 int32_t* overlapping)
{
    thContactCell* cells = thiContactCells(contacts);
    const Columns columns = columnsOf(contacts);
    const int32_t* cell = TH_ITEMS(contacts->entryCell, int32_t);
    const uint64_t width = contacts->layers[0].columns;
    const int32_t last = cells[end].first;
    int32_t north = thiNorthOf(contacts, begin), northEnd = north; // cells
    int32_t count = 0;
    for (int32_t entry = cells[begin].first; entry < last; entry += TH_WIDTH) {
        const uint64_t code = cells[cell[entry]].code;
        const uint64_t lastCode = cells[cell[TH_MIN(entry + TH_WIDTH, last) - 1]].code;
        // Of the last north only its three last cells can be north of what follows.
        north = thiCellsUpTo(cells, TH_MAX(north, northEnd - 3), code + width - 2);
        atomic_store_explicit(&cells[cell[entry]].north, north, memory_order_relaxed);
        northEnd = thiCellsUpTo(cells, TH_MAX(north, northEnd), lastCode + width + 1);
        uint32_t bits = overlappingLanes(&columns, cell, entry, last, cells[north].first,
                                         cells[northEnd].first);
        for (; bits != 0; bits &= bits - 1) {
            const int32_t at = cell[entry + __builtin_ctz(bits)];
            if (count == 0 || overlapping[count - 1] != at)
                overlapping[count++] = at;
        }
    }
    return count;
}

// A cell that is being visited.
typedef struct Visit {
    thContacts* contacts;
    thContactWorker* worker;
    int32_t cell, layer;
    thHalf half;
    const int32_t* body;
    const thContactBody* bodies;
    uint8_t* flags;
    int32_t *x, *y;
    int32_t overlaps; // that were seen
    bool unsure;      // whether pairs that nothing could be done about may not be apart
} Visit;

// Where a pair is nearest: at the end of the step, or on the way if it is fast.
typedef struct Closest {
    double x, y;   // from a to b [units]
    double moment; // share of the step, 0 .. 1
} Closest;

static inline Closest closestOf(const Visit* visit, int32_t a, int32_t b, bool fast)
{
    const double x = (double)visit->x[b] - visit->x[a], y = (double)visit->y[b] - visit->y[a];
    if (!fast)
        return (Closest){x, y, 1.0};
    const thContactBody *bodyA = &visit->bodies[visit->body[a]],
                        *bodyB = &visit->bodies[visit->body[b]];
    const double beforeX = (double)bodyB->fromX - bodyA->fromX;
    const double beforeY = (double)bodyB->fromY - bodyA->fromY;
    const double moveX = x - beforeX, moveY = y - beforeY;
    const double along = -(beforeX * moveX + beforeY * moveY);
    const double lengthSq = moveX * moveX + moveY * moveY;
    const double moment = along > 0.0 && along < lengthSq ? along / lengthSq : 1.0;
    return (Closest){beforeX + moment * moveX, beforeY + moment * moveY, moment};
}

// Unit vector from a to b at the nearest point of their moves.
static inline void directionOf(const Visit* visit, int32_t a, int32_t b, bool fast,
                               const Closest* closest, double distance, double* x, double* y)
{
    if (distance > COINCIDENT) {
        const double inverse = 1.0 / distance;
        *x = closest->x * inverse;
        *y = closest->y * inverse;
        return;
    }
    const thContactBody *bodyA = &visit->bodies[visit->body[a]],
                        *bodyB = &visit->bodies[visit->body[b]];
    const double moveX =
        ((double)visit->x[b] - bodyB->fromX) - ((double)visit->x[a] - bodyA->fromX);
    const double moveY =
        ((double)visit->y[b] - bodyB->fromY) - ((double)visit->y[a] - bodyA->fromY);
    const double length = sqrt(moveX * moveX + moveY * moveY);
    if (!fast || !(length > 1.0)) {
        thiDirectionByKeys(visit->contacts, a, b, x, y);
        return;
    }
    *x = moveY / length; // head-on: past each other, each to its right
    *y = -moveX / length;
}

static inline int32_t withinWorld(int32_t at)
{
    return TH_MIN(TH_MAX(at, -TH_MAX_UNITS), TH_MAX_UNITS);
}

// Whether it is elsewhere now. Places are whole units, rounded towards where it stood.
static inline bool moveEntry(Visit* visit, int32_t entry, double x, double y)
{
    const int32_t body = visit->body[entry];
    const thContactBody* at = &visit->bodies[body];
    const uint8_t flags = visit->flags[body];
    if (at->budget == 0 || (flags & th_bodyFixed) != 0)
        return false;
    x += (double)visit->x[entry] - at->fromX;
    y += (double)visit->y[entry] - at->fromY;
    const double square = x * x + y * y, budget = at->budget;
    if (square > budget * budget) {
        const double factor = budget / sqrt(square);
        x *= factor;
        y *= factor;
    }
    const int32_t toX = withinWorld(at->fromX + (int32_t)x);
    const int32_t toY = withinWorld(at->fromY + (int32_t)y);
    if (toX == visit->x[entry] && toY == visit->y[entry])
        return false;
    if ((flags & th_bodyMoved) == 0)
        thiNoteMoved(visit->contacts, visit->worker, body);
    if ((flags & th_bodyStirred) == 0) {
        visit->flags[body] |= th_bodyStirred;
        thiListAdd(&visit->contacts->stirred, &visit->worker->stirred, body);
    }
    visit->x[entry] = visit->x[body] = toX;
    visit->y[entry] = visit->y[body] = toY;
    visit->worker->moves += 1;
    return true;
}

// Pushes a pair apart if it overlaps. `index` is b's place among the candidates of a.
static inline void meet(Visit* visit, int32_t a, int32_t b, int32_t index)
{
    const thContactBody *bodyA = &visit->bodies[visit->body[a]],
                        *bodyB = &visit->bodies[visit->body[b]];
    const int64_t sum = (int64_t)bodyA->radius + bodyB->radius;
    const bool fast = thiIsFastPair((int64_t)bodyA->budget + bodyB->budget, sum);
    const Closest closest = closestOf(visit, a, b, fast);
    const double square = closest.x * closest.x + closest.y * closest.y, radii = (double)sum;
    const double most = radii * (double)visit->contacts->share, wide = radii + FAST_MARGIN;
    const double least = radii * (double)(1.0f - TH_CONTACT_SLOP);
    const bool overlaps = square < most * most;
    const bool isRough = (fast || sum < TH_TINY_RADII) && square < wide * wide;
    if (!(overlaps || isRough) || !thiCanTouch(visit->contacts, a, b))
        return;
    visit->unsure |= isRough;
    if (!overlaps)
        return;
    visit->overlaps += 1;
    const double distance = sqrt(square);
    double x, y;
    directionOf(visit, a, b, fast, &closest, distance, &x, &y);
    // Shallow ones just touch then. Half-way through the step an end that is moved moves them half
    // as much.
    const bool isDeep = square < least * least;
    const double push = (isDeep ? (double)visit->contacts->push : 0.5) * (radii - distance) /
                        (fast ? TH_MAX(closest.moment, 0.25) : 1.0);
    const bool movesA = moveEntry(visit, a, -push * x, -push * y);
    const bool movesB = moveEntry(visit, b, push * x, push * y);
    visit->unsure |= isDeep && !movesA && !movesB;
    thiNoteContact(visit->contacts, visit->worker, a, b, index);
}

// Meets those of a stretch of entries that overlap `a`, block by block as they were before the
// block.
static inline void meetStretch(Visit* visit, const Columns* columns, int32_t a, int32_t begin,
                               int32_t end, int32_t firstIndex)
{
    for (int32_t block = begin; block < end; block += BLOCK) {
        uint64_t bits = nearBits(columns, a, block, end, visit->contacts->share);
        for (; bits != 0; bits &= bits - 1) {
            const int32_t b = block + __builtin_ctzll(bits);
            meet(visit, a, b, firstIndex + b - begin);
        }
    }
}

static inline void setUnsure(const thContacts* contacts, int32_t cell, bool isUnsure)
{
    atomic_ullong* word = thiCellWord(contacts, th_cellsUnsure, cell);
    const uint64_t bit = UINT64_C(1) << cell % 64;
    const bool was = (atomic_load_explicit(word, memory_order_relaxed) & bit) != 0;
    if (isUnsure && !was)
        atomic_fetch_or_explicit(word, bit, memory_order_relaxed);
    else if (!isUnsure && was)
        atomic_fetch_and_explicit(word, ~bit, memory_order_relaxed);
}

void TH_WIDE(thiVisitCells)(thContacts* contacts, const int32_t* cells, int32_t count,
                            thContactWorker* worker)
{
    const Columns columns = columnsOf(contacts);
    Visit visit = {.contacts = contacts,
                   .worker = worker,
                   .body = TH_ITEMS(contacts->entryBody, int32_t),
                   .bodies = thiBodies(contacts),
                   .flags = TH_ITEMS(contacts->flags, uint8_t),
                   .x = TH_ITEMS(contacts->entryX, int32_t),
                   .y = TH_ITEMS(contacts->entryY, int32_t)};
    for (int32_t i = 0; i < count; ++i) {
        thContactCell* cell = &thiContactCells(contacts)[cells[i]];
        const thHalf half = thiHalfOf(contacts, cells[i]);
        if (cell->work / WORK >= half.homeEnd - half.home) {
            setUnsure(contacts, cells[i], true);
            continue;
        }
        if (cell->layer > 0)
            thiRefreshCopies(contacts, half.home, half.eastEnd);
        if (cell->layer > 0)
            thiRefreshCopies(contacts, half.north, half.northEnd);
        visit.cell = cells[i];
        visit.layer = cell->layer;
        visit.half = half;
        visit.overlaps = 0;
        visit.unsure = false;
        for (int32_t a = half.home; a < half.homeEnd; ++a) {
            meetStretch(&visit, &columns, a, a + 1, half.eastEnd, 0);
            meetStretch(&visit, &columns, a, half.north, half.northEnd, half.eastEnd - a - 1);
        }
        cell->work += visit.overlaps;
        setUnsure(contacts, cells[i], visit.unsure);
    }
}

// The stretches of entries around a body of layer 0, whose own layer has no copies: in rows of
// cells to the south, in the middle, and to the north.
static inline void findStretches(const thContacts* contacts, int32_t cell, int32_t begin[3],
                                 int32_t end[3])
{
    const thContactCell* cells = thiContactCells(contacts);
    const uint64_t code = cells[cell].code, columns = contacts->layers[0].columns;
    const int32_t south = thiSouthOf(contacts, cell), north = thiNorthOf(contacts, cell);
    const bool hasWest = cell > contacts->layers[0].firstCell && cells[cell - 1].code == code - 1;
    begin[0] = cells[south].first;
    end[0] = cells[thiCellsUpTo(cells, south, code - columns + 1)].first;
    begin[1] = cells[hasWest ? cell - 1 : cell].first;
    end[1] = cells[thiCellsUpTo(cells, cell, code + 1)].first;
    begin[2] = cells[north].first;
    end[2] = cells[thiCellsUpTo(cells, north, code + columns + 1)].first;
}

void TH_WIDE(thiMarkOverlaps)(thContacts* contacts, const int32_t* bodies, int32_t count)
{
    const Columns columns = columnsOf(contacts);
    const int32_t* cell = TH_ITEMS(contacts->entryCell, int32_t);
    for (int32_t i = 0; i < count; ++i) {
        const int32_t body = bodies[i], own = cell[body];
        TH_ITEMS(contacts->flags, uint8_t)[body] &= (uint8_t)~th_bodyStirred;
        const int32_t first = thiContactCells(contacts)[own].first;
        int32_t begin[3], end[3];
        findStretches(contacts, own, begin, end);
        for (int32_t s = 0; s < 3; ++s)
            for (int32_t block = begin[s]; block < end[s]; block += BLOCK) {
                uint64_t bits = nearBits(&columns, body, block, end[s], contacts->share);
                for (; bits != 0; bits &= bits - 1) {
                    const int32_t other = block + __builtin_ctzll(bits);
                    if (other != body) // cells to the west and south are homes of their pairs
                        thiMarkCell(contacts, other < first ? cell[other] : own);
                }
            }
    }
}

void TH_WIDE(thiVerifyCells)(thContacts* contacts, const int32_t* cells, int32_t count)
{
    const Columns columns = columnsOf(contacts);
    for (int32_t i = 0; i < count; ++i) {
        const thHalf half = thiHalfOf(contacts, cells[i]);
        for (int32_t a = half.home; a < half.homeEnd; ++a) {
            const int32_t begins[2] = {a + 1, half.north}, ends[2] = {half.eastEnd, half.northEnd};
            for (int32_t s = 0; s < 2; ++s)
                for (int32_t block = begins[s]; block < ends[s]; block += BLOCK) {
                    uint64_t bits = nearBits(&columns, a, block, ends[s], VERIFIED);
                    for (; bits != 0; bits &= bits - 1)
                        thiVerifyPair(contacts, a, block + __builtin_ctzll(bits));
                }
        }
    }
}
