// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Bytes of a snapshot, one number after the other, little-endian on every machine.

#ifndef THRONG_SRC_SIM_STREAM_H
#define THRONG_SRC_SIM_STREAM_H

#include "base/core.h"
#include "throng/method.h"

// Counts all bytes, and keeps those that fit.
struct thWriter {
    uint8_t* data; // NULL: only counts
    size_t capacity;
    size_t size; // written so far; may be more than the capacity
};

// After a read beyond the end all further ones give zeros.
struct thReader {
    const uint8_t* data;
    size_t size;
    size_t at;
    bool failed;
};

void thiWriteU8(thWriter* writer, uint8_t value);
void thiWriteU32(thWriter* writer, uint32_t value);
void thiWriteI32(thWriter* writer, int32_t value);
void thiWriteU64(thWriter* writer, uint64_t value);
void thiWriteFloat(thWriter* writer, float value);
void thiWriteDouble(thWriter* writer, double value);
void thiWriteBytes(thWriter* writer, const void* data, size_t size);

uint8_t thiReadU8(thReader* reader);
uint32_t thiReadU32(thReader* reader);
int32_t thiReadI32(thReader* reader);
uint64_t thiReadU64(thReader* reader);
float thiReadFloat(thReader* reader);
double thiReadDouble(thReader* reader);
// Zeros when there are not enough.
void thiReadBytes(thReader* reader, void* data, size_t size);

static inline size_t thiBytesLeft(const thReader* reader)
{
    return reader->failed ? 0 : reader->size - reader->at;
}

#endif
