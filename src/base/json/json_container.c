// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "base/json/json_container.h"

#include <string.h>

// Bit 0 is always 0: the tree's root branches by it, as a single key has nothing to differ in. Bits
// behind the end are 0 as well, like those of the terminating byte.
static size_t bitOf(const char* key, size_t size, size_t bit)
{
    const size_t byte = (bit - 1) / 8;
    return bit > 0 && byte < size ? (size_t)(unsigned char)key[byte] >> (7 - (bit - 1) % 8) & 1 : 0;
}

// The entry whose key has the same bits wherever the tree branches.
static const thJsonKey* findLikely(const thJsonKey* entry, const char* key, size_t size)
{
    size_t bit;
    do {
        bit = entry->bit;
        entry = entry->children[bitOf(key, size, bit)];
    } while (entry->bit > bit);
    return entry;
}

thJson* thiJsonMember(const thJson* object, const char* key)
{
    if (object->keys == NULL)
        return NULL;
    thJson* likely = findLikely(object->keys, key, strlen(key))->member;
    return strcmp(likely->key, key) == 0 ? likely : NULL;
}

static size_t firstDifference(const char* a, const char* b)
{
    size_t byte = 0;
    while (a[byte] == b[byte])
        ++byte;
    const unsigned difference = (unsigned char)(a[byte] ^ b[byte]);
    size_t bit = 8 * byte + 1;
    for (unsigned mask = 0x80; (difference & mask) == 0; mask >>= 1)
        ++bit;
    return bit;
}

static void append(thJson* container, thJson* value)
{
    value->parent = container;
    value->index = container->count;
    container->count += 1;
    if (container->last != NULL)
        container->last->next = value;
    else
        container->first = value;
    container->last = value;
}

void thiAppendItem(thJson* array, thJson* item)
{
    append(array, item);
}

static void addKey(thJson* object, thJson* member, thJsonKey* room)
{
    if (object->keys == NULL) {
        *room = (thJsonKey){member, 0, {room, room}};
        object->keys = room;
        return;
    }
    const char* key = member->key;
    const size_t size = strlen(key);
    const size_t bit = firstDifference(key, findLikely(object->keys, key, size)->member->key);
    // The new entry goes between the last that branches earlier and what follows there.
    thJsonKey* parent = object->keys;
    thJsonKey** link = &parent->children[0];
    while ((*link)->bit > parent->bit && (*link)->bit < bit) {
        parent = *link;
        link = &parent->children[bitOf(key, size, parent->bit)];
    }
    *room = (thJsonKey){member, bit, {*link, *link}};
    room->children[bitOf(key, size, bit)] = room;
    *link = room;
}

void thiAppendMember(thJson* object, thJson* member, thJsonKey* room)
{
    append(object, member);
    addKey(object, member, room);
}
