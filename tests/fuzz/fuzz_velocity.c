// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Bytes are agents, what they see and parameters of a method, of any size: velocities are finite,
// and those of the scalar kernels.

#include "avoid/any_numbers.h"
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const char* wrong = judgeNumbers(data, size, NULL);
    if (wrong != NULL)
        fprintf(stderr, "%s\n", wrong);
    FUZZ_CHECK(wrong == NULL);
    return 0;
}
