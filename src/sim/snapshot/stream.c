// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Numbers to bytes and back, little-endian, and what methods save and load through.

#include "sim/snapshot/stream.h"

#include "base/hash.h"

#include <string.h>

void thiWriteBytes(thWriter* writer, const void* data, size_t size)
{
    if (writer->data != NULL && size > 0 && writer->size <= writer->capacity &&
        size <= writer->capacity - writer->size)
        memcpy(writer->data + writer->size, data, size);
    writer->size += size;
}

static void writeLittle(thWriter* writer, uint64_t value, size_t size)
{
    uint8_t bytes[8];
    for (size_t i = 0; i < size; ++i)
        bytes[i] = (uint8_t)(value >> (8 * i));
    thiWriteBytes(writer, bytes, size);
}

void thiWriteU8(thWriter* writer, uint8_t value)
{
    writeLittle(writer, value, 1);
}

void thiWriteU32(thWriter* writer, uint32_t value)
{
    writeLittle(writer, value, 4);
}

void thiWriteI32(thWriter* writer, int32_t value)
{
    writeLittle(writer, (uint32_t)value, 4);
}

void thiWriteU64(thWriter* writer, uint64_t value)
{
    writeLittle(writer, value, 8);
}

void thiWriteFloat(thWriter* writer, float value)
{
    writeLittle(writer, thiFloatBits(value), 4);
}

void thiWriteDouble(thWriter* writer, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    writeLittle(writer, bits, 8);
}

void thiReadBytes(thReader* reader, void* data, size_t size)
{
    if (size > thiBytesLeft(reader)) {
        reader->failed = true;
        memset(data, 0, size);
        return;
    }
    if (size > 0)
        memcpy(data, reader->data + reader->at, size);
    reader->at += size;
}

static uint64_t readLittle(thReader* reader, size_t size)
{
    uint8_t bytes[8];
    thiReadBytes(reader, bytes, size);
    uint64_t value = 0;
    for (size_t i = 0; i < size; ++i)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

uint8_t thiReadU8(thReader* reader)
{
    return (uint8_t)readLittle(reader, 1);
}

uint32_t thiReadU32(thReader* reader)
{
    return (uint32_t)readLittle(reader, 4);
}

int32_t thiReadI32(thReader* reader)
{
    const uint32_t bits = thiReadU32(reader);
    int32_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

uint64_t thiReadU64(thReader* reader)
{
    return readLittle(reader, 8);
}

float thiReadFloat(thReader* reader)
{
    return thiFloatFromBits(thiReadU32(reader));
}

double thiReadDouble(thReader* reader)
{
    const uint64_t bits = thiReadU64(reader);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

thResult thWriter_Write(thWriter* writer, const void* data, size_t size)
{
    TH_REQUIRE(writer != NULL && (data != NULL || size == 0), th_resultBadArgument);
    thiWriteBytes(writer, data, size);
    return th_resultOk;
}

thResult thReader_Read(thReader* reader, void* data, size_t size)
{
    TH_REQUIRE(reader != NULL && (data != NULL || size == 0), th_resultBadArgument);
    if (size > thiBytesLeft(reader)) {
        reader->failed = true;
        return th_resultDamaged;
    }
    thiReadBytes(reader, data, size);
    return th_resultOk;
}
