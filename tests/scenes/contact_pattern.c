// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "scenes/contact_pattern.h"

#include "move/contact_internal.h"

// 3 × 2 colours.
uint32_t contactPattern(const thContacts* contacts)
{
    return contacts->layerCount == 1 ? 3 * 2 * contacts->layers[0].side : 0;
}
