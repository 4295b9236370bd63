// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Saves tallies and restores them.
//
//     magic, format version, size | what is counted, figures, tracks, pairs | checksum
//
// Tracks follow in the order of slots, which a restored world has too; a slot without one is a 0.

#include "base/hash.h"
#include "base/machine.h"
#include "measure/tally_internal.h"
#include "sim/ranges.h"
#include "sim/snapshot/stream.h"

#include <string.h>

#define FORMAT_VERSION 2u

// The last two bytes show when something has treated the file as text.
static const uint8_t magic[8] = {'t', 'h', 't', 'a', 'l', 'y', 0x1a, '\n'};

#define HEADER_SIZE (sizeof magic + sizeof(uint32_t) + sizeof(uint64_t))
#define CHECKSUM_SIZE sizeof(uint64_t)

// Saving.

static void saveHeader(thWriter* to, uint64_t size)
{
    thiWriteBytes(to, magic, sizeof magic);
    thiWriteU32(to, FORMAT_VERSION);
    thiWriteU64(to, size);
}

// What makes two tallies count the same.
static void saveSettings(const thTally* tally, thWriter* to)
{
    thiWriteU8(to, tally->countsCollisions);
    thiWriteU8(to, tally->checksWalls);
    thiWriteI32(to, tally->collisions.seen.limit);
}

static void saveFigures(const thFigures* figures, thWriter* to)
{
#define X(type, name)                                                                              \
    _Generic((type)0, uint64_t : thiWriteU64, double : thiWriteDouble)(to, figures->name);
    TH_FIGURES(X)
#undef X
    for (int32_t status = 0; status < THRONG_TALLY_STATUSES; ++status)
        thiWriteU64(to, figures->status[status]);
}

static void saveTrack(const thTallyState* state, int32_t slot, thWriter* to)
{
    const thTrack* track = &TH_ITEMS(state->tracks, thTrack)[slot];
    const thTrackNotes* notes = &TH_ITEMS(state->notes, thTrackNotes)[slot];
    thiWriteU64(to, track->key);
    thiWriteU64(to, track->goal);
    thiWriteDouble(to, track->length);
    thiWriteDouble(to, track->since);
    thiWriteI32(to, track->startX);
    thiWriteI32(to, track->startY);
    thiWriteI32(to, track->x);
    thiWriteI32(to, track->y);
    thiWriteI32(to, track->goalIndex);
    thiWriteU8(to, track->bits);
    thiWriteU8(to, track->noteCount);
    for (int64_t n = state->noteCount - track->noteCount; n < state->noteCount; ++n)
        thiWriteFloat(to, notes->remaining[n % TH_STUCK_NOTES]);
}

static void saveState(const thTallyState* state, thWriter* to)
{
    saveFigures(&state->figures, to);
    thiWriteU64(to, state->worldStep);
    thiWriteDouble(to, state->begin);
    thiWriteU64(to, (uint64_t)state->noteCount);
    thiWriteI32(to, state->tracks.count);
    for (int32_t slot = 0; slot < state->tracks.count; ++slot) {
        const thTrack* track = &TH_ITEMS(state->tracks, thTrack)[slot];
        if (track->key != 0 && track->seenAt == state->observations)
            saveTrack(state, slot, to);
        else
            thiWriteU64(to, 0);
    }
}

static void savePairs(const thPairSet* set, thWriter* to)
{
    thiWriteU8(to, set->exceeded);
    thiWriteI32(to, set->pairs.count);
    for (int32_t i = 0; i < set->pairs.count; ++i)
        thiWriteU64(to, TH_ITEMS(set->pairs, uint64_t)[i]);
}

thResult thTally_Save(const thTally* tally, void* buffer, size_t capacity, size_t* size)
{
    TH_REQUIRE(tally != NULL && size != NULL, th_resultBadArgument);
    thWriter writer = {.data = buffer, .capacity = capacity};
    saveHeader(&writer, 0);
    saveSettings(tally, &writer);
    saveState(&tally->state, &writer);
    savePairs(&tally->collisions.seen, &writer);
    *size = writer.size + CHECKSUM_SIZE;
    if (buffer == NULL)
        return th_resultOk;
    if (*size > capacity)
        return th_resultFull;
    thWriter header = {.data = buffer, .capacity = capacity};
    saveHeader(&header, *size);
    thiWriteU64(&writer, thiHashBytes(0, buffer, writer.size));
    return th_resultOk;
}

// Restoring. A checksum is no proof of good intentions, so every number is checked.

// Checks what surrounds the content, and leaves the reader in front of it.
static thResult openSaved(const void* data, size_t size, thReader* from, thError* error)
{
    *from = (thReader){.data = data, .size = size};
    uint8_t start[sizeof magic];
    thiReadBytes(from, start, sizeof start);
    if (memcmp(start, magic, sizeof magic) != 0)
        return thiFail(error, th_resultSyntax, "this is no saved tally");
    const uint32_t version = thiReadU32(from);
    if (!from->failed && version != FORMAT_VERSION)
        return thiFail(error, th_resultVersion, "the tally has format %u, this library reads %u",
                       (unsigned)version, FORMAT_VERSION);
    const uint64_t savedSize = thiReadU64(from);
    if (from->failed || savedSize != size || size < HEADER_SIZE + CHECKSUM_SIZE)
        return thiFail(error, th_resultDamaged, "the tally has %zu bytes, %llu were written", size,
                       (unsigned long long)savedSize);
    thReader end = {.data = data, .size = size, .at = size - CHECKSUM_SIZE};
    if (thiReadU64(&end) != thiHashBytes(0, data, size - CHECKSUM_SIZE))
        return thiFail(error, th_resultDamaged, "the tally's checksum does not hold");
    from->size -= CHECKSUM_SIZE;
    return th_resultOk;
}

static thResult checkSettings(const thTally* tally, thReader* from, thError* error)
{
    const uint8_t collisions = thiReadU8(from), walls = thiReadU8(from);
    const int32_t limit = thiReadI32(from);
    const bool same = collisions == tally->countsCollisions && walls == tally->checksWalls &&
                      limit == tally->collisions.seen.limit;
    return same ? th_resultOk
                : thiFail(error, th_resultBadArgument, "the saved tally counts other things");
}

static bool loadFigures(thFigures* figures, thReader* from)
{
    bool possible = true;
#define X(type, name)                                                                              \
    figures->name = _Generic((type)0, uint64_t : thiReadU64, double : thiReadDouble)(from);        \
    possible = possible && thiIsFiniteDouble((double)figures->name);
    TH_FIGURES(X)
#undef X
    for (int32_t status = 0; status < THRONG_TALLY_STATUSES; ++status)
        figures->status[status] = thiReadU64(from);
    return possible;
}

static bool loadTrack(thTallyState* state, int32_t slot, thReader* from)
{
    thTrack* track = &TH_ITEMS(state->tracks, thTrack)[slot];
    thTrackNotes* notes = &TH_ITEMS(state->notes, thTrackNotes)[slot];
    *track = (thTrack){.key = thiReadU64(from)};
    if (track->key == 0)
        return true;
    track->seenAt = 1;
    track->goal = thiReadU64(from);
    track->length = thiReadDouble(from);
    track->since = thiReadDouble(from);
    track->startX = thiReadI32(from);
    track->startY = thiReadI32(from);
    track->x = thiReadI32(from);
    track->y = thiReadI32(from);
    track->goalIndex = thiReadI32(from);
    track->bits = thiReadU8(from);
    track->noteCount = thiReadU8(from);
    if (track->noteCount > TH_STUCK_NOTES || track->noteCount > state->noteCount)
        return false;
    for (int64_t n = state->noteCount - track->noteCount; n < state->noteCount; ++n)
        notes->remaining[n % TH_STUCK_NOTES] = thiReadFloat(from);
    return thiIsFiniteDouble(track->length) && thiIsFiniteDouble(track->since) &&
           track->bits <= th_trackAllBits;
}

static thResult loadState(thTallyState* state, thReader* from)
{
    bool possible = loadFigures(&state->figures, from);
    state->worldStep = thiReadU64(from);
    state->begin = thiReadDouble(from);
    state->noteCount = (int64_t)thiReadU64(from);
    state->observations = 1;
    const int32_t slotCount = thiReadI32(from);
    possible = possible && thiIsFiniteDouble(state->begin) && state->begin <= state->figures.time &&
               state->noteCount >= 0 && slotCount >= 0 &&
               (size_t)slotCount <= thiBytesLeft(from) / sizeof(uint64_t);
    if (!possible)
        return th_resultDamaged;
    TH_TRY(thiReserveTracks(state, slotCount));
    uint64_t tracks = 0;
    for (int32_t slot = 0; slot < slotCount && possible; ++slot) {
        possible = loadTrack(state, slot, from);
        tracks += TH_ITEMS(state->tracks, thTrack)[slot].key != 0;
    }
    return possible && tracks <= state->figures.agents ? th_resultOk : th_resultDamaged;
}

static thResult loadPairs(thPairSet* set, thReader* from)
{
    const uint8_t exceeded = thiReadU8(from);
    const int32_t count = thiReadI32(from);
    if (exceeded > 1 || count < 0 || count > (exceeded == 1 ? 0 : set->limit) ||
        (size_t)count != thiBytesLeft(from) / sizeof(uint64_t))
        return th_resultDamaged;
    TH_TRY(thiPairSetReserve(set, count));
    for (int32_t i = 0; i < count; ++i) {
        uint64_t pair = thiReadU64(from);
        thiPairSetAdd(set, &pair, 1);
    }
    set->exceeded = exceeded == 1;
    return th_resultOk;
}

static thResult restore(thTally* tally, thReader* from, thError* error)
{
    TH_TRY(checkSettings(tally, from, error));
    thTallyState state = thiTallyState(&tally->memory);
    thPairSet seen = thiPairSet(&tally->memory, tally->collisions.seen.limit);
    thResult code = loadState(&state, from);
    if (code == th_resultOk)
        code = loadPairs(&seen, from);
    if (code == th_resultOk && (from->failed || thiBytesLeft(from) > 0))
        code = th_resultDamaged;
    if (code != th_resultOk) {
        thiTallyStateFree(&state);
        thiPairSetFree(&seen);
        return thiFail(error, code,
                       code == th_resultNoMemory ? "no memory for the tally"
                                                 : "the tally holds what cannot be");
    }
    thiTallyStateFree(&tally->state);
    thiPairSetFree(&tally->collisions.seen);
    tally->state = state;
    tally->collisions.seen = seen;
    return th_resultOk;
}

thResult thTally_Restore(thTally* tally, const void* data, size_t size, thError* error)
{
    TH_REQUIRE(tally != NULL && data != NULL, th_resultBadArgument);
    thReader from;
    TH_TRY(openSaved(data, size, &from, error));
    const thFpEnvironment hostEnvironment = thiFpEnter();
    const thResult code = restore(tally, &from, error);
    thiFpRestore(hostEnvironment);
    return code;
}
