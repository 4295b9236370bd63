// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "recording/h5/h5_layout.h"

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

static bool isColumn(hid_t type, const char* name)
{
    const int index = H5Tget_member_index(type, name);
    const H5T_class_t kind = index >= 0 ? H5Tget_member_class(type, (unsigned)index) : H5T_NO_CLASS;
    return kind == H5T_INTEGER || kind == H5T_FLOAT;
}

static const char* checkColumns(hid_t found, hid_t wanted)
{
    static char what[96];
    if (H5Tget_class(found) != H5T_COMPOUND)
        return "has no columns";
    const int count = H5Tget_nmembers(wanted);
    for (int i = 0; i < count; ++i) {
        char* name = H5Tget_member_name(wanted, (unsigned)i);
        const bool isThere = isColumn(found, name);
        snprintf(what, sizeof what, "has no column '%s' of numbers", name);
        H5free_memory(name);
        if (!isThere)
            return what;
    }
    return NULL;
}

const char* appH5CheckTable(hid_t table, hid_t type, hsize_t* count)
{
    const hid_t space = H5Dget_space(table), found = H5Dget_type(table);
    const hssize_t rows = H5Sget_simple_extent_npoints(space);
    const int dimensions = H5Sget_simple_extent_ndims(space);
    const char* wrong = checkColumns(found, type);
    H5Tclose(found);
    H5Sclose(space);
    if (wrong != NULL)
        return wrong;
    if (dimensions != 1 || rows < 0)
        return "is no list of rows";
    // A file may claim more than it has: packed best, a row takes a thousandth of its bytes.
    if ((double)rows > 100.0 * (double)H5Dget_storage_size(table))
        return "has more rows than content";
    *count = (hsize_t)rows;
    return NULL;
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
