// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The id pool against a simple model: a list of slots and a queue, moved where the pool links.
// Shared by test_id_pool and fuzz_id_pool.

#ifndef THRONG_TESTS_BASE_ID_POOL_MODEL_H
#define THRONG_TESTS_BASE_ID_POOL_MODEL_H

#include <stddef.h>
#include <stdint.h>

// Any bytes are a list of operations, two bytes each: what to do, and with which id. Returns what
// the pool did otherwise than the model, NULL if nothing.
const char* runIdPoolModel(const uint8_t* bytes, size_t size);

#endif
