// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// Roadmaps: graphs of places that the planner `roadmap` leads agents along. They are given, node
/// by node, or by a rule; what a rule makes depends on walls and on how large agents are, so it is
/// made by the planner, and made again when walls come or go. Edges that a body cannot walk along
/// straight are not used.

#ifndef THRONG_ROADMAP_H
#define THRONG_ROADMAP_H

#include "throng/world.h"

/// Nodes, cells or samples of a roadmap at most.
#define THRONG_ROADMAP_NODES 4194304

/// Nodes at most where edges are not given: every two are looked at.
#define THRONG_ROADMAP_SIGHTS 4096

/// How a roadmap is created.
typedef struct thRoadmapDef {
    /// Size of this struct. [bytes, set by thDefaultRoadmapDef]
    uint32_t size;
    /// Its name, which no other roadmap of the world has. [1 .. 31 bytes; must be given]
    const char* name;
    /// How nodes and edges come about. [default th_roadmapGiven]
    thRoadmapKind kind;
    /// Floor. [0 .. 65535, default 0]
    int32_t level;
    /// Of given ones: the places; copied. [m]
    const thVec2* nodes;
    /// The other ends of portals, one for each node: such a node is passed anywhere between its two
    /// ends. A node whose ends are the same is a place. [m, default NULL: all are places]
    const thVec2* ends;
    /// Number of nodes. [default 0, at most THRONG_ROADMAP_NODES]
    int32_t nodeCount;
    /// Pairs of different nodes, counted from 0; copied. [default NULL: an edge wherever one can
    /// walk straight, for at most THRONG_ROADMAP_SIGHTS nodes]
    const int32_t* edges;
    /// Number of pairs. [default 0]
    int32_t edgeCount;
    /// Of streets: the first crossing. [m]
    thVec2 from;
    /// Of streets: from one crossing to the next. [m, > 0]
    thVec2 spacing;
    /// Of streets: number of columns. [>= 1]
    int32_t columns;
    /// Of streets: number of rows. [>= 1]
    int32_t rows;
    /// Of grids, random places and medial axes: a corner of the box they are in, that with the
    /// lower coordinates. Cells are counted from there. [m, default 0, as `high`: the box of the
    /// floor's walls]
    thVec2 low;
    /// The opposite corner. [m, default 0]
    thVec2 high;
    /// Side of a cell, of grids and medial axes. [m, 0.01 .. 1000, default 1]
    float side;
    /// Number of random places. [1 .. THRONG_ROADMAP_NODES, default 1000]
    int32_t count;
    /// Of grids: 4, or 8 with diagonals, which are walked where all four cells are free. Of random
    /// places: how many of the nearest are looked at. [1 .. 64, default 8]
    int32_t neighbors;
    /// How far a random place looks. [m, 0 .. 60000, default 0: any distance]
    float reach;
} thRoadmapDef;

/// A definition with every field at its default.
THRONG_API thRoadmapDef thDefaultRoadmapDef(void);

/// Creates a roadmap. Edges that are given twice count once.
THRONG_API thResult thCreateRoadmap(thWorld* world, const thRoadmapDef* def, thRoadmapId* id);

/// Destroys a roadmap. Agents that are led along it find no path any more.
THRONG_API thResult thDestroyRoadmap(thWorld* world, thRoadmapId id);

/// Parameters of the planning method `roadmap`; the params of a profile's `plan`.
typedef struct thRoadmapUse {
    /// Size of this struct. [bytes, set by thDefaultRoadmapUse]
    uint32_t size;
    /// Steps from one look of an agent along its path to the next. [1 .. 1000, default 16]
    int32_t lookEvery;
    /// Most trees of shortest paths: one for each goal, floor and size of bodies with at least four
    /// agents. For goals beyond, every agent searches for itself. [0 .. 4096, default 64]
    int32_t trees;
    /// How much a crowd slows down: what a metre of path costs more for each agent in a square
    /// metre. So of several exits, and of several paths, that with the shorter queue is taken. [m²,
    /// 0 .. 100, default 0]
    float crowding;
    /// Steps after which the crowd is counted anew, if agents' turns to plan allow. [1 ..
    /// 1,000,000, default 10]
    int32_t refresh;
    /// Name of the roadmap, padded with zeros. [default empty: the only one there is]
    char graph[THRONG_NAME_SIZE];
} thRoadmapUse;

/// Parameters with every field at its default.
THRONG_API thRoadmapUse thDefaultRoadmapUse(void);

/// The roadmap of that name, or the null id.
THRONG_API thRoadmapId thWorld_FindRoadmap(const thWorld* world, const char* name);

#endif
