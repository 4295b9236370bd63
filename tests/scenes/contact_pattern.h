// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Contacts are dealt with cell by cell, in the order of colours. The cells stand still in the
// world; after so many units, along x and along y, their pattern begins again.

#ifndef THRONG_TESTS_SCENES_CONTACT_PATTERN_H
#define THRONG_TESTS_SCENES_CONTACT_PATTERN_H

#include "move/contacts.h"

// As of the last step; 0 if not all agents reach about equally far.
uint32_t contactPattern(const thContacts* contacts);

#endif
