// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "h5_layout.h"

#include <stdio.h>

hid_t appH5RowType(void)
{
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(H5Row));
    H5Tinsert(type, "frame", offsetof(H5Row, frame), H5T_NATIVE_UINT32);
    H5Tinsert(type, "id", offsetof(H5Row, id), H5T_NATIVE_UINT32);
    H5Tinsert(type, "x", offsetof(H5Row, x), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "y", offsetof(H5Row, y), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "z", offsetof(H5Row, z), H5T_NATIVE_DOUBLE);
    return type;
}

void appH5Quieten(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

// The innermost message says most.
static herr_t takeMessage(unsigned depth, const H5E_error2_t* error, void* context)
{
    (void)depth;
    snprintf(context, 256, "%s", error->desc != NULL ? error->desc : "");
    return 1;
}

const char* appH5Reason(void)
{
    static char reason[256];
    reason[0] = '\0';
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, takeMessage, reason);
    return reason[0] != '\0' ? reason : "HDF5 does not say why";
}
