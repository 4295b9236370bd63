// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Recordings in HDF5, in the layout of the Pedestrian Dynamics Data Archive. Rows that stand in the
// order of frames and ids are read piece by piece, others at once.

#include "recording/h5/h5_layout.h"
#include "recording/recording_kinds.h"
#include "recording/text/geometry_file.h"
#include "recording/text/row_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { rowsAtOnce = 1 << 16 };

typedef struct ReadRow {
    int64_t frame, id;
    double x, y;
} ReadRow;

typedef struct H5Recording {
    hid_t file, rows, type;
    hsize_t count; // of rows
    hsize_t at;    // the first row that is not in the piece
    int32_t used;  // rows of the piece that were taken
    int32_t inPiece;
    bool isSorted;
    int64_t step, lastFrame;
    RowTable table; // all rows, if they are not sorted; else only the frame that is read
    ReadRow piece[rowsAtOnce];
} H5Recording;

static ExitCode sayWrong(const Recording* recording, const char* what)
{
    appSay("'%s' is no HDF5 file of the Pedestrian Dynamics Data Archive: %s", recording->path,
           what);
    return exitUsage;
}

// Reads the next piece.
static bool readPiece(H5Recording* h5)
{
    const hsize_t left = h5->count - h5->at;
    const hsize_t count = left < rowsAtOnce ? left : rowsAtOnce;
    const hid_t space = H5Dget_space(h5->rows);
    const hid_t memory = H5Screate_simple(1, &count, NULL);
    const bool good =
        space >= 0 && memory >= 0 &&
        H5Sselect_hyperslab(space, H5S_SELECT_SET, &h5->at, NULL, &count, NULL) >= 0 &&
        H5Dread(h5->rows, h5->type, memory, space, H5P_DEFAULT, h5->piece) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    h5->at += count;
    h5->inPiece = good ? (int32_t)count : 0;
    h5->used = 0;
    return good;
}

static bool sayCannotRead(const Recording* recording)
{
    appSay("cannot read '%s': %s", recording->path, appH5Reason());
    return false;
}

static bool isRow(const Recording* recording, const ReadRow* row, hsize_t number)
{
    const double farthest = 1e9;
    const int64_t lastFrame = (int64_t)1 << 53;
    if (row->id >= 0 && row->id <= UINT32_MAX && row->frame >= -lastFrame &&
        row->frame <= lastFrame && fabs(row->x) <= farthest && fabs(row->y) <= farthest)
        return true;
    appSay("'%s': row %" PRIu64 " has id %" PRId64 ", frame %" PRId64
           " and place (%g, %g), which is out of range",
           recording->path, (uint64_t)number + 1, row->id, row->frame, row->x, row->y);
    return false;
}

// The next row; NULL at the end.
static const ReadRow* peekRow(H5Recording* h5, const Recording* recording, bool* failed)
{
    *failed = false;
    if (h5->used == h5->inPiece) {
        if (h5->at == h5->count)
            return NULL;
        if (!readPiece(h5)) {
            *failed = true;
            sayCannotRead(recording);
            return NULL;
        }
    }
    const ReadRow* row = &h5->piece[h5->used];
    *failed = !isRow(recording, row, h5->at - (hsize_t)(h5->inPiece - h5->used));
    return *failed ? NULL : row;
}

static void rewindRows(H5Recording* h5)
{
    h5->at = 0;
    h5->inPiece = h5->used = 0;
}

// Looks at all rows once: their order, the step of their frames, and the last frame.
static bool scan(H5Recording* h5, const Recording* recording)
{
    bool failed;
    int64_t frame = INT64_MIN, id = -1, step = 0;
    h5->isSorted = true;
    h5->lastFrame = INT64_MIN;
    for (const ReadRow* row; (row = peekRow(h5, recording, &failed)) != NULL; ++h5->used) {
        h5->isSorted =
            h5->isSorted && (row->frame > frame || (row->frame == frame && row->id > id));
        if (frame != INT64_MIN)
            step = appCommonStep(step, row->frame - frame);
        frame = row->frame;
        id = row->id;
        h5->lastFrame = frame > h5->lastFrame ? frame : h5->lastFrame;
    }
    rewindRows(h5);
    h5->step = step > 0 ? step : 1;
    return !failed;
}

static bool loadRows(H5Recording* h5, const Recording* recording)
{
    bool failed;
    int32_t place = 0;
    for (const ReadRow* row; (row = peekRow(h5, recording, &failed)) != NULL; ++h5->used) {
        const Row kept = {.frame = row->frame,
                          .x = row->x,
                          .y = row->y,
                          .id = (uint32_t)row->id,
                          .place = place < INT32_MAX ? ++place : INT32_MAX};
        if (!appPutRow(&h5->table, kept)) {
            appSayNoMemoryFor(recording);
            return false;
        }
    }
    return !failed && appSortRows(&h5->table, recording->path, "row");
}

static Next nextOfH5(Recording* self)
{
    H5Recording* h5 = self->own;
    if (!h5->isSorted)
        return appNextOfRows(&h5->table, self);
    bool failed;
    const ReadRow* row = peekRow(h5, self, &failed);
    if (row == NULL)
        return failed ? nextFailed : nextEnd;
    const int64_t number = row->frame;
    for (; row != NULL && row->frame == number; row = peekRow(h5, self, &failed)) {
        const FrameRow person = {.id = (uint32_t)row->id, .x = row->x, .y = row->y};
        if (!appAddRow(&h5->table.frame, &person)) {
            appSayNoMemoryFor(self);
            return nextFailed;
        }
        h5->used += 1;
    }
    if (failed)
        return nextFailed;
    if (appGiveFrame(&h5->table.frame, self, number, h5->step))
        return nextFrame;
    appSayNoMemoryFor(self);
    return nextFailed;
}

static void freeH5(H5Recording* h5)
{
    H5Tclose(h5->type);
    H5Dclose(h5->rows);
    H5Fclose(h5->file);
    appFreeRows(&h5->table);
    free(h5);
}

static void closeH5(Recording* self)
{
    freeH5(self->own);
}

static const RecordingKind h5Kind = {".h5", "HDF5 of the Jülich archive", nextOfH5, closeH5};

// --- Opening ---

static bool readRate(hid_t place, double* rate)
{
    if (H5Aexists(place, "fps") <= 0)
        return false;
    const hid_t attribute = H5Aopen(place, "fps", H5P_DEFAULT);
    const hid_t space = H5Aget_space(attribute);
    const bool good = H5Sget_simple_extent_npoints(space) == 1 &&
                      H5Aread(attribute, H5T_NATIVE_DOUBLE, rate) >= 0;
    H5Sclose(space);
    H5Aclose(attribute);
    return good;
}

static char* readVariable(hid_t attribute, hid_t type)
{
    char *text = NULL, *copy = NULL;
    if (H5Aread(attribute, type, &text) >= 0 && text != NULL) {
        copy = strdup(text);
        H5free_memory(text);
    }
    return copy;
}

static char* readFixed(hid_t attribute, hid_t type)
{
    const size_t size = H5Tget_size(type);
    char* text = malloc(size + 1);
    if (text != NULL && H5Aread(attribute, type, text) >= 0) {
        text[size] = '\0';
        return text;
    }
    free(text);
    return NULL;
}

// A text attribute, to be freed; NULL if it is not there or no text.
static char* readText(hid_t place, const char* name)
{
    if (H5Aexists(place, name) <= 0)
        return NULL;
    const hid_t attribute = H5Aopen(place, name, H5P_DEFAULT);
    const hid_t type = H5Aget_type(attribute);
    const hid_t space = H5Aget_space(attribute);
    char* text = NULL;
    if (H5Tget_class(type) == H5T_STRING && H5Sget_simple_extent_npoints(space) == 1)
        text = H5Tis_variable_str(type) > 0 ? readVariable(attribute, type)
                                            : readFixed(attribute, type);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return text;
}

static hid_t readRowType(void)
{
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(ReadRow));
    H5Tinsert(type, "frame", offsetof(ReadRow, frame), H5T_NATIVE_INT64);
    H5Tinsert(type, "id", offsetof(ReadRow, id), H5T_NATIVE_INT64);
    H5Tinsert(type, "x", offsetof(ReadRow, x), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "y", offsetof(ReadRow, y), H5T_NATIVE_DOUBLE);
    return type;
}

static ExitCode openRows(H5Recording* h5, Recording* recording)
{
    h5->file = H5Fopen(recording->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (h5->file < 0) {
        sayCannotRead(recording);
        return exitEnvironment;
    }
    h5->rows = H5Dopen2(h5->file, "trajectory", H5P_DEFAULT);
    if (h5->rows < 0)
        return sayWrong(recording, "there is no data set 'trajectory'");
    h5->type = readRowType();
    const char* wrong = appH5CheckTable(h5->rows, h5->type, &h5->count);
    if (wrong == NULL)
        return exitDone;
    char what[128];
    snprintf(what, sizeof what, "'trajectory' %s", wrong);
    return sayWrong(recording, what);
}

static ExitCode readHead(H5Recording* h5, Recording* recording, const RecordingDef* def)
{
    double rate = def->rate;
    if (!(rate > 0.0) && !readRate(h5->rows, &rate) && !readRate(h5->file, &rate))
        return sayWrong(recording, "'trajectory' has no attribute 'fps'; give it with --rate");
    if (!(rate > 0.0 && rate <= 1e6))
        return sayWrong(recording, "the attribute 'fps' is no rate; give it with --rate");
    recording->head = (thRecordHead){.rate = rate, .title = appTitleOf(recording->path)};
    return exitDone;
}

// The shapes of our own files; of others the walkable area.
static ExitCode readShapes(H5Recording* h5, Recording* recording, const RecordingDef* def)
{
    const bool withShapes = def->geometry == NULL;
    Extras* extras = &h5->table.frame.extras;
    ExitCode code = exitDone;
    appH5ReadExtras(h5->file, recording->path, withShapes, extras);
    if (!withShapes || appGiveFirstShapes(extras, recording, &code) || code != exitDone)
        return code;
    char* walkable = readText(h5->file, "wkt_geometry");
    if (walkable != NULL)
        code = appTakeWkt(recording, walkable);
    free(walkable);
    return code;
}

static ExitCode openH5(H5Recording* h5, Recording* recording, const RecordingDef* def)
{
    ExitCode code = openRows(h5, recording);
    if (code == exitDone)
        code = readHead(h5, recording, def);
    if (code == exitDone)
        code = readShapes(h5, recording, def);
    if (code == exitDone && !scan(h5, recording))
        code = exitUsage;
    if (code == exitDone && !h5->isSorted && !loadRows(h5, recording))
        code = exitUsage;
    if (code != exitDone)
        return code;
    recording->head.rate /= (double)h5->step;
    if (h5->count == 0) // nobody was there
        return exitDone;
    bool failed;
    const ReadRow* first = peekRow(h5, recording, &failed);
    if (h5->isSorted)
        recording->head.origin = appOriginNear(first->x, first->y);
    else
        recording->head.origin = appOriginNear(h5->table.rows[0].x, h5->table.rows[0].y);
    recording->endTime = (double)appNumberOf(h5->lastFrame, h5->step) / recording->head.rate;
    return exitDone;
}

ExitCode appOpenHdf5(Recording* recording, const RecordingDef* def)
{
    appH5Quieten();
    H5Recording* h5 = calloc(1, sizeof *h5);
    if (h5 == NULL)
        return appSayNoMemoryFor(recording);
    h5->file = h5->rows = h5->type = H5I_INVALID_HID;
    const ExitCode code = openH5(h5, recording, def);
    if (code != exitDone) {
        freeH5(h5);
        return code;
    }
    recording->kind = &h5Kind;
    recording->own = h5;
    return exitDone;
}
