// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Writes recordings as HDF5 in the layout of the Pedestrian Dynamics Data Archive: the data set
// /trajectory with rows (frame, id, x, y, z), its attribute `fps`, and the attribute `wkt_geometry`
// of the root.

#include "recording/h5/h5_layout.h"
#include "recording/part_file.h"
#include "recording/recording_kinds.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { rowsInChunk = 1 << 12, rowsInBuffer = 16 * rowsInChunk };

typedef struct H5Writer {
    char* part;
    hid_t file, rows, type;
    hsize_t written;
    int32_t used; // rows of the buffer
    bool failed;
    Bounds bounds;
    Extras extras;
    H5Row buffer[rowsInBuffer];
} H5Writer;

static bool failFor(RecordingWriter* self, const char* reason)
{
    H5Writer* h5 = self->own;
    if (!h5->failed)
        appSay("cannot write '%s': %s", self->path, reason);
    h5->failed = true;
    return false;
}

static bool fail(RecordingWriter* self)
{
    return failFor(self, appH5Reason());
}

// A buffer is a number of whole chunks, which go to the file as they are, past the library's cache.
static hid_t createRows(hid_t file, hid_t type)
{
    const hsize_t none = 0, unlimited = H5S_UNLIMITED, chunk = rowsInChunk;
    const hid_t space = H5Screate_simple(1, &none, &unlimited);
    const hid_t layout = H5Pcreate(H5P_DATASET_CREATE), access = H5Pcreate(H5P_DATASET_ACCESS);
    hid_t rows = H5I_INVALID_HID;
    if (space >= 0 && layout >= 0 && H5Pset_chunk(layout, 1, &chunk) >= 0 &&
        H5Pset_fill_time(layout, H5D_FILL_TIME_NEVER) >= 0 &&
        H5Pset_chunk_cache(access, 0, 0, 1.0) >= 0)
        rows = H5Dcreate2(file, "trajectory", type, space, H5P_DEFAULT, layout, access);
    H5Pclose(access);
    H5Pclose(layout);
    H5Sclose(space);
    return rows;
}

static bool writeBuffer(H5Writer* h5)
{
    const hsize_t count = (hsize_t)h5->used, size = h5->written + count;
    if (count == 0)
        return true;
    if (H5Dset_extent(h5->rows, &size) < 0)
        return false;
    const hid_t space = H5Dget_space(h5->rows);
    const hid_t memory = H5Screate_simple(1, &count, NULL);
    const bool good =
        space >= 0 && memory >= 0 &&
        H5Sselect_hyperslab(space, H5S_SELECT_SET, &h5->written, NULL, &count, NULL) >= 0 &&
        H5Dwrite(h5->rows, h5->type, memory, space, H5P_DEFAULT, h5->buffer) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    h5->written = size;
    h5->used = 0;
    return good;
}

static bool addH5(RecordingWriter* self, const thRecording* recording)
{
    H5Writer* h5 = self->own;
    const thRecordedFrame* frame = &recording->frame;
    if (frame->number < 0 || frame->number > UINT32_MAX) {
        appSay(
            "cannot write '%s': its frames are numbered from 0 to 4294967295, this one is %" PRId64,
            self->path, frame->number);
        h5->failed = true;
        return false;
    }
    if (!appGatherExtras(&h5->extras, recording))
        return failFor(self, "no memory");
    for (int32_t i = 0; i < frame->count; ++i) {
        if (h5->used == rowsInBuffer && !writeBuffer(h5))
            return fail(self);
        h5->buffer[h5->used++] = (H5Row){.frame = (uint32_t)frame->number,
                                         .id = frame->id[i],
                                         .x = frame->x[i],
                                         .y = frame->y[i]};
    }
    appAddToBounds(&h5->bounds, frame->x, frame->y, frame->count);
    return true;
}

static bool writeRate(hid_t rows, double rate)
{
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute =
        H5Acreate2(rows, "fps", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool good = attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_DOUBLE, &rate) >= 0;
    H5Aclose(attribute);
    H5Sclose(space);
    return good;
}

// Of variable length and UTF-8, which h5py gives as a str.
static bool writeText(hid_t place, const char* name, const char* text)
{
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t type = H5Tcopy(H5T_C_S1);
    bool good = H5Tset_size(type, H5T_VARIABLE) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0;
    const hid_t attribute = H5Acreate2(place, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    good = good && attribute >= 0 && H5Awrite(attribute, type, &text) >= 0;
    H5Aclose(attribute);
    H5Tclose(type);
    H5Sclose(space);
    return good;
}

static bool complete(RecordingWriter* self)
{
    H5Writer* h5 = self->own;
    const ShapeSet* first = &h5->extras.sets[0];
    char* walkable = appDescribeWalkable(self->path, first->shapes, first->count, &h5->bounds);
    if (walkable == NULL) {
        h5->failed = true;
        return false;
    }
    const bool good = writeBuffer(h5) && writeText(h5->file, "wkt_geometry", walkable) &&
                      writeText(h5->file, "file_version", "1.0.0") &&
                      appH5WriteExtras(h5->file, &h5->extras);
    free(walkable);
    return good || fail(self);
}

static bool closeH5(RecordingWriter* self)
{
    H5Writer* h5 = self->own;
    bool good = !h5->failed && !self->isAbandoned && complete(self);
    H5Dclose(h5->rows);
    H5Tclose(h5->type);
    if (H5Fclose(h5->file) < 0 && good)
        good = fail(self);
    good = appEndPart(h5->part, self->path, good);
    appFreeExtras(&h5->extras);
    free(h5);
    return good;
}

static const RecordingWriterKind h5Kind = {".h5", "HDF5 of the Jülich archive", addH5, closeH5};

static bool createFile(H5Writer* h5, double rate)
{
    h5->file = H5Fcreate(h5->part, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (h5->file < 0)
        return false;
    h5->type = appH5RowType();
    h5->rows = createRows(h5->file, h5->type);
    return h5->rows >= 0 && writeRate(h5->rows, rate);
}

ExitCode appBeginHdf5(RecordingWriter* writer, const thRecordedShape* shapes, int32_t count)
{
    appH5Quieten();
    H5Writer* h5 = calloc(1, sizeof *h5);
    char* part = appNamePart(writer->path);
    if (h5 == NULL || part == NULL || !appBeginExtras(&h5->extras, shapes, count)) {
        if (part != NULL)
            appSay("cannot write '%s': no memory", writer->path);
        if (h5 != NULL)
            appFreeExtras(&h5->extras);
        free(h5);
        free(part);
        return exitEnvironment;
    }
    h5->part = part;
    h5->rows = h5->type = H5I_INVALID_HID;
    writer->own = h5;
    writer->kind = &h5Kind;
    if (createFile(h5, writer->head.rate))
        return exitDone;
    fail(writer);
    closeH5(writer);
    return exitEnvironment;
}
