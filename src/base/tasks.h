// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The scheduler as the library creates it for itself: with the memory account of its owner.

#ifndef THRONG_SRC_BASE_TASKS_H
#define THRONG_SRC_BASE_TASKS_H

#include "base/memory.h"
#include "throng/tasks.h"

#define TH_MAX_WORKERS 64

// `def->allocator` is not used; `memory` is charged and must outlive the tasks.
thResult thiCreateTasks(thMemory* memory, const thTasksDef* def, thTasks** tasks);

#endif
