// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What is written below the two planes of an explained agent: velocities, marks, and words.

#ifndef THRONG_APPS_DEBUG_NOTES_H
#define THRONG_APPS_DEBUG_NOTES_H

#include "draw/debug/debug_marks.h"

double appNotesHeight(const thExplanationView* view, double unit);
void appDrawNotes(const Canvas* canvas, const thExplanationView* view, double top, double unit);

#endif
