// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What reading and writing HDF5 have in common.

#ifndef THRONG_APPS_H5_LAYOUT_H
#define THRONG_APPS_H5_LAYOUT_H

#include "recording/extras.h"

#include <hdf5.h>

// A row as it stands in files.
typedef struct H5Row {
    uint32_t frame, id;
    double x, y, z;
} H5Row;

// Its type; to be closed.
hid_t appH5RowType(void);

// What is wrong with a data set that should have one dimension and columns of numbers of the same
// names as in `type`: "has no column 'id' of numbers". NULL: nothing. Valid until the next call.
const char* appH5CheckTable(hid_t table, hid_t type, hsize_t* count);

// Extras are data sets in a group of their own. False when they cannot be written.
bool appH5WriteExtras(hid_t file, const Extras* extras);

// Extras that are there and make sense; of others it is said that they are passed over.
void appH5ReadExtras(hid_t file, const char* path, bool withShapes, Extras* extras);

// The library prints nothing from now on: what fails is said by us.
void appH5Quieten(void);

// Why the last call failed. Valid until the next one.
const char* appH5Reason(void);

#endif
