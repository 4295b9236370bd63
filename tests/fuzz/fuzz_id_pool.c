// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Bytes are operations on an id pool, which is compared with a model after each.

#include "base/id_pool_model.h"
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const char* wrong = runIdPoolModel(data, size);
    if (wrong != NULL)
        fprintf(stderr, "%s\n", wrong);
    FUZZ_CHECK(wrong == NULL);
    return 0;
}
