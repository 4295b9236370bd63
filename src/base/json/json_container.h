// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// How a container holds its values: as a list, and the members of an object also by their keys, in
// a Patricia tree. To find or add a key takes time for its bits, whatever the other keys are, so
// that no text can make reading slow.

#ifndef THRONG_SRC_BASE_JSON_CONTAINER_H
#define THRONG_SRC_BASE_JSON_CONTAINER_H

#include "base/json/json.h"

// One for each member. It branches by one bit of the key; bits grow on the way down. A child whose
// bit is not greater than its parent's is the end of the way: its member has the key, or no one.
struct thJsonKey {
    thJson* member;
    size_t bit;
    thJsonKey* children[2];
};

// Makes a value the last of an array.
void thiAppendItem(thJson* array, thJson* item);

// Makes a member the last of its object, which has no other of this key. The tree keeps `room`.
void thiAppendMember(thJson* object, thJson* member, thJsonKey* room);

#endif
