// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "plan/visibility/visibility_lines.h"

#include <stdlib.h>

thRouteLines thiRouteLines(thMemory* memory)
{
    return (thRouteLines){thiArray(memory, sizeof(thNextOnLine))};
}

void thiRouteLinesFree(thRouteLines* lines)
{
    thiArrayFree(&lines->next);
}

// A node on a line: which one that is, and where on it.
typedef struct Bead {
    double line, along;
    int32_t node;
} Bead;

static int byLine(const void* left, const void* right)
{
    const Bead *a = left, *b = right;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    if (a->along != b->along)
        return a->along < b->along ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

// Of several nodes at one place the first found is next to others.
static void linkBeads(const Bead* beads, int32_t count, thNextOnLine* next, bool upright)
{
    for (int32_t i = 0, before = -1, begin = 0; i < count; ++i) {
        const bool sameLine = i > 0 && beads[i].line == beads[i - 1].line;
        if (!sameLine || beads[i].along != beads[i - 1].along) {
            before = sameLine ? begin : -1;
            begin = i;
        }
        int32_t after = i + 1;
        while (after < count && beads[after].line == beads[i].line &&
               beads[after].along == beads[i].along)
            after += 1;
        const int32_t low = before >= 0 ? beads[before].node : -1;
        const bool ends = after == count || beads[after].line != beads[i].line;
        const int32_t high = ends ? -1 : beads[after].node;
        thNextOnLine* own = &next[beads[i].node];
        *(upright ? &own->below : &own->left) = low;
        *(upright ? &own->above : &own->right) = high;
    }
}

thResult thiFindLines(thRouteLines* lines, const thRouteGraph* graph)
{
    const int32_t count = graph->nodes.count;
    const thRouteNode* nodes = TH_ITEMS(graph->nodes, thRouteNode);
    lines->next.count = 0;
    thNextOnLine* next = thiArrayAdd(&lines->next, count);
    const size_t size = (size_t)TH_MAX(count, 1) * sizeof(Bead);
    Bead* beads = thiAllocate(lines->next.memory, size);
    const bool good = next != NULL && beads != NULL;
    for (int32_t upright = 0; upright < 2 && good; ++upright) {
        for (int32_t i = 0; i < count; ++i)
            beads[i] =
                upright ? (Bead){nodes[i].x, nodes[i].y, i} : (Bead){nodes[i].y, nodes[i].x, i};
        qsort(beads, (size_t)count, sizeof *beads, byLine);
        linkBeads(beads, count, next, upright != 0);
    }
    thiRelease(lines->next.memory, beads, size);
    return good ? th_resultOk : th_resultNoMemory;
}

int32_t thiNodeBetween(const thRouteLines* lines, const thRouteGraph* graph, int32_t from,
                       int32_t to)
{
    const thRouteNode* nodes = TH_ITEMS(graph->nodes, thRouteNode);
    const thRouteNode *a = &nodes[from], *c = &nodes[to];
    if ((a->x == c->x) == (a->y == c->y))
        return -1;
    const thNextOnLine* next = &TH_ITEMS(lines->next, thNextOnLine)[from];
    const int32_t between = a->x == c->x ? (c->y > a->y ? next->above : next->below)
                                         : (c->x > a->x ? next->right : next->left);
    // There is one, as `to` is on the line; it may be at the same place as that.
    const thRouteNode* b = &nodes[between];
    return b->x == c->x && b->y == c->y ? -1 : between;
}
