// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What reading and writing HDF5 have in common.

#ifndef THRONG_APPS_H5_LAYOUT_H
#define THRONG_APPS_H5_LAYOUT_H

#include <hdf5.h>
#include <stdint.h>

// A row as it stands in files.
typedef struct H5Row {
    uint32_t frame, id;
    double x, y, z;
} H5Row;

// Its type; to be closed.
hid_t appH5RowType(void);

// The library prints nothing from now on: what fails is said by us.
void appH5Quieten(void);

// Why the last call failed. Valid until the next one.
const char* appH5Reason(void);

#endif
