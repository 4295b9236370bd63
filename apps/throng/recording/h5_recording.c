// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Recordings in HDF5, in the layout of the Pedestrian Dynamics Data Archive: read and written.

#include "output.h"
#include "recording/frame_buffer.h"
#include "recording/geometry_file.h"
#include "recording/recording_kinds.h"
#include "recording/writing.h"

#include <errno.h>
#include <hdf5.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// --- What reading and writing have in common ---

// A row as it stands in files.
typedef struct H5Row {
    uint32_t frame, id;
    double x, y, z;
} H5Row;

// Its type; to be closed.
static hid_t rowType(void)
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

// What is wrong with a data set that should have one dimension and columns of numbers of the same
// names as in `type`: "has no column 'id' of numbers". NULL: nothing. Valid until the next call.
static const char* checkTable(hid_t table, hid_t type, hsize_t* count)
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

// Why a call failed before which errno was 0: what HDF5 says is about its own insides.
static const char* reasonOf(void)
{
    return errno != 0 ? strerror(errno) : "HDF5 failed";
}

// What fails is said by us. Files that could not be written are not to be closed again when the
// program ends, of which HDF5 crashes.
static void beginHdf5(void)
{
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

// --- Extras ---

// Extras in HDF5: the tables `people` and `shapes` in the group /throng.

static const char groupName[] = "throng";

static hid_t personType(void)
{
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(thRecordedPerson));
    H5Tinsert(type, "id", offsetof(thRecordedPerson, id), H5T_NATIVE_UINT32);
    H5Tinsert(type, "key", offsetof(thRecordedPerson, key), H5T_NATIVE_UINT64);
    H5Tinsert(type, "radius", offsetof(thRecordedPerson, radius), H5T_NATIVE_FLOAT);
    H5Tinsert(type, "speed", offsetof(thRecordedPerson, speed), H5T_NATIVE_FLOAT);
    H5Tinsert(type, "planned", offsetof(thRecordedPerson, planned), H5T_NATIVE_FLOAT);
    H5Tinsert(type, "level", offsetof(thRecordedPerson, level), H5T_NATIVE_INT32);
    H5Tinsert(type, "goal", offsetof(thRecordedPerson, goal), H5T_NATIVE_INT32);
    H5Tinsert(type, "group", offsetof(thRecordedPerson, group), H5T_NATIVE_INT32);
    H5Tinsert(type, "entry", offsetof(thRecordedPerson, entry), H5T_NATIVE_INT32);
    return type;
}

static hid_t cornerType(void)
{
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(CornerRow));
    H5Tinsert(type, "frame", offsetof(CornerRow, frame), H5T_NATIVE_INT64);
    H5Tinsert(type, "shape", offsetof(CornerRow, shape), H5T_NATIVE_INT32);
    H5Tinsert(type, "kind", offsetof(CornerRow, kind), H5T_NATIVE_INT32);
    H5Tinsert(type, "level", offsetof(CornerRow, level), H5T_NATIVE_INT32);
    H5Tinsert(type, "radius", offsetof(CornerRow, radius), H5T_NATIVE_FLOAT);
    H5Tinsert(type, "x", offsetof(CornerRow, x), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "y", offsetof(CornerRow, y), H5T_NATIVE_DOUBLE);
    return type;
}

static hid_t rangeType(void)
{
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(FrameRange));
    H5Tinsert(type, "first", offsetof(FrameRange, first), H5T_NATIVE_INT64);
    H5Tinsert(type, "last", offsetof(FrameRange, last), H5T_NATIVE_INT64);
    return type;
}

// --- Extras, written ---

// How something is created: without the time of it, so that one recording always gives one file. To
// be closed.
static hid_t untimed(hid_t kind)
{
    const hid_t how = H5Pcreate(kind);
    H5Pset_obj_track_times(how, false);
    return how;
}

static bool writeTable(hid_t group, const char* name, hid_t type, const void* rows, hsize_t count)
{
    const hid_t packed = H5Tcopy(type); // without what lies between the members of structs
    const hid_t space = H5Screate_simple(1, &count, NULL);
    H5Tpack(packed);
    const hid_t creation = untimed(H5P_DATASET_CREATE);
    const hid_t table = H5Dcreate2(group, name, packed, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    const bool good = table >= 0 && (count == 0 || H5Dwrite(table, type, H5S_ALL, H5S_ALL,
                                                            H5P_DEFAULT, rows) >= 0);
    H5Dclose(table);
    H5Pclose(creation);
    H5Sclose(space);
    H5Tclose(packed);
    return good;
}

static bool writeCorners(hid_t group, const Extras* extras)
{
    size_t count;
    const hid_t type = cornerType();
    CornerRow* rows = appListCorners(extras, &count);
    const bool good = rows != NULL && writeTable(group, "shapes", type, rows, (hsize_t)count);
    free(rows);
    H5Tclose(type);
    return good;
}

// Extras are data sets in a group of their own. False when they cannot be written.
static bool writeExtras(hid_t file, const Extras* extras, const FrameRanges* nobody)
{
    const hid_t creation = untimed(H5P_GROUP_CREATE);
    const hid_t group = H5Gcreate2(file, groupName, H5P_DEFAULT, creation, H5P_DEFAULT);
    const hid_t type = personType(), range = rangeType();
    const bool good =
        group >= 0 &&
        writeTable(group, "people", type, extras->people, (hsize_t)extras->personCount) &&
        writeCorners(group, extras) &&
        writeTable(group, "nobody", range, nobody->items, (hsize_t)nobody->count);
    H5Tclose(range);
    H5Tclose(type);
    H5Gclose(group);
    H5Pclose(creation);
    return good;
}

// --- Extras, read ---

// All rows of a table, to be freed. NULL and `*wrong` when it is not as it should be.
static void* readTable(hid_t group, const char* name, hid_t type, hsize_t* count,
                       const char** wrong)
{
    void* rows = NULL;
    const hid_t table = H5Dopen2(group, name, H5P_DEFAULT);
    *wrong = table >= 0 ? checkTable(table, type, count) : "is no table";
    if (*wrong == NULL && *count > INT32_MAX)
        *wrong = "has too many rows";
    if (*wrong == NULL) {
        rows = calloc((size_t)*count + 1, H5Tget_size(type));
        if (rows == NULL)
            *wrong = "does not fit into memory";
        else if (H5Dread(table, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows) < 0)
            *wrong = "cannot be read";
    }
    H5Dclose(table);
    return rows;
}

static void readPeople(hid_t group, const char* path, Extras* extras)
{
    hsize_t count = 0;
    const char* wrong;
    const hid_t type = personType();
    thRecordedPerson* people = readTable(group, "people", type, &count, &wrong);
    if (wrong == NULL)
        wrong = appTakePeople(extras, people, (int32_t)count);
    if (wrong != NULL) {
        appSayPassedOver(path, "/throng/people", wrong);
        free(people);
    }
    H5Tclose(type);
}

static void readCorners(hid_t group, const char* path, Extras* extras)
{
    hsize_t count = 0;
    const char* wrong;
    const hid_t type = cornerType();
    CornerRow* rows = readTable(group, "shapes", type, &count, &wrong);
    if (wrong == NULL)
        wrong = appTakeCorners(extras, rows, (size_t)count);
    if (wrong != NULL)
        appSayPassedOver(path, "/throng/shapes", wrong);
    free(rows);
    H5Tclose(type);
}

static void readNobody(hid_t group, const char* path, FrameRanges* nobody)
{
    hsize_t count = 0;
    const char* wrong;
    const hid_t type = rangeType();
    FrameRanges ranges = {.items = readTable(group, "nobody", type, &count, &wrong)};
    ranges.count = ranges.capacity = (int32_t)count;
    if (wrong == NULL)
        wrong = appCheckNobody(&ranges);
    if (wrong == NULL) {
        *nobody = ranges;
    } else {
        appSayPassedOver(path, "/throng/nobody", wrong);
        free(ranges.items);
    }
    H5Tclose(type);
}

// Extras that are there and make sense; of others it is said that they are passed over.
static void readExtras(hid_t file, const char* path, bool withShapes, Extras* extras,
                       FrameRanges* nobody)
{
    if (H5Lexists(file, groupName, H5P_DEFAULT) <= 0)
        return;
    const hid_t group = H5Gopen2(file, groupName, H5P_DEFAULT);
    readPeople(group, path, extras);
    if (withShapes)
        readCorners(group, path, extras);
    if (H5Lexists(group, "nobody", H5P_DEFAULT) > 0)
        readNobody(group, path, nobody);
    H5Gclose(group);
}

// --- Reading ---

// Recordings in HDF5, in the layout of the Pedestrian Dynamics Data Archive. Rows that stand in the
// order of frames and ids are read piece by piece, others at once.

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
    appSay("cannot read '%s': its rows are damaged", recording->path);
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
static bool scanRows(H5Recording* h5, const Recording* recording)
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
    struct stat status;
    if (access(recording->path, R_OK) != 0 || stat(recording->path, &status) != 0) {
        appSayCannot("read", recording->path);
        return exitEnvironment;
    }
    if (S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        appSayCannot("read", recording->path);
        return exitEnvironment;
    }
    // What HDF5 says of a file that it cannot open is about its own insides.
    if (H5Fis_hdf5(recording->path) <= 0)
        return sayWrong(recording, "it does not begin like HDF5");
    h5->file = H5Fopen(recording->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (h5->file < 0)
        return sayWrong(recording, "it is damaged, or still being written");
    h5->rows = H5Dopen2(h5->file, "trajectory", H5P_DEFAULT);
    if (h5->rows < 0)
        return sayWrong(recording, "there is no data set 'trajectory'");
    h5->type = readRowType();
    const char* wrong = checkTable(h5->rows, h5->type, &h5->count);
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
    recording->head = (thRecordHead){.rate = rate, .title = appFileName(recording->path)};
    return exitDone;
}

// The shapes of our own files; of others the walkable area.
static ExitCode readShapes(H5Recording* h5, Recording* recording, const RecordingDef* def)
{
    const bool withShapes = def->geometry == NULL;
    Extras* extras = &h5->table.frame.extras;
    ExitCode code = exitDone;
    readExtras(h5->file, recording->path, withShapes, extras, &recording->nobody);
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
    if (code == exitDone && !scanRows(h5, recording))
        code = exitUsage;
    if (code == exitDone && !h5->isSorted && !loadRows(h5, recording))
        code = exitUsage;
    if (code != exitDone)
        return code;
    bool failed;
    const bool hasRows = h5->count > 0; // else nobody was there
    const ReadRow* sorted = hasRows && h5->isSorted ? peekRow(h5, recording, &failed) : NULL;
    const Row first = sorted != NULL ? (Row){.frame = sorted->frame, .x = sorted->x, .y = sorted->y}
                      : hasRows      ? h5->table.rows[0]
                                     : (Row){0};
    FrameRanges nobody = recording->nobody;
    h5->step = appTakeNobody(recording, &nobody, first.frame, hasRows ? h5->step : 0);
    h5->table.step = h5->step;
    recording->head.rate /= (double)h5->step;
    recording->head.origin = appOriginNear(first.x, first.y);
    appSetEnd(recording, h5->lastFrame);
    return exitDone;
}

ExitCode appOpenHdf5(Recording* recording, const RecordingDef* def)
{
    beginHdf5();
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

// --- Writing ---

// Writes recordings as HDF5 in the layout of the Pedestrian Dynamics Data Archive: the data set
// /trajectory with rows (frame, id, x, y, z), its attribute `fps`, and the attribute `wkt_geometry`
// of the root.

enum { rowsInChunk = 1 << 12, rowsInBuffer = 16 * rowsInChunk };

typedef struct H5Writer {
    OutFile out;
    hid_t file, rows, type;
    hsize_t written;
    int32_t used; // rows of the buffer
    bool failed;
    WrittenBounds bounds;
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

static bool failForH5(RecordingWriter* self)
{
    return failFor(self, reasonOf());
}

// A buffer is a number of whole chunks, which go to the file as they are, past the library's cache.
static hid_t createRows(hid_t file, hid_t type)
{
    const hsize_t none = 0, unlimited = H5S_UNLIMITED, chunk = rowsInChunk;
    const hid_t space = H5Screate_simple(1, &none, &unlimited);
    const hid_t layout = untimed(H5P_DATASET_CREATE), access = H5Pcreate(H5P_DATASET_ACCESS);
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
    errno = 0;
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
            return failForH5(self);
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

static bool completeFile(RecordingWriter* self)
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
                      writeExtras(h5->file, &h5->extras, &self->nobody);
    free(walkable);
    return good || failForH5(self);
}

static bool endH5(RecordingWriter* self)
{
    H5Writer* h5 = self->own;
    bool good = !h5->failed && !self->isAbandoned && completeFile(self);
    if (H5Dclose(h5->rows) < 0 && good)
        good = failForH5(self);
    H5Tclose(h5->type);
    if (H5Fclose(h5->file) < 0 && good)
        good = failForH5(self);
    good = appCloseOut(&h5->out, good);
    appFreeExtras(&h5->extras);
    free(h5);
    return good;
}

static const RecordingWriterKind h5WriterKind = {".h5", "HDF5 of the Jülich archive", addH5, endH5};

static bool createFile(H5Writer* h5, double rate)
{
    errno = 0;
    const hid_t creation = untimed(H5P_FILE_CREATE), access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_file_locking(access, false, true); // we have it locked ourselves
    h5->file = H5Fcreate(h5->out.part, H5F_ACC_TRUNC, creation, access);
    H5Pclose(access);
    H5Pclose(creation);
    if (h5->file < 0)
        return false;
    h5->type = rowType();
    h5->rows = createRows(h5->file, h5->type);
    return h5->rows >= 0 && writeRate(h5->rows, rate);
}

ExitCode appBeginHdf5(RecordingWriter* writer, const thRecordedShape* shapes, int32_t count)
{
    beginHdf5();
    H5Writer* h5 = calloc(1, sizeof *h5);
    if (h5 == NULL || !appBeginExtras(&h5->extras, shapes, count)) {
        appSay("cannot write '%s': no memory", writer->path);
        free(h5);
        return exitEnvironment;
    }
    if (!appOpenPart(&h5->out, writer->path)) {
        appFreeExtras(&h5->extras);
        free(h5);
        return exitEnvironment;
    }
    h5->rows = h5->type = H5I_INVALID_HID;
    writer->own = h5;
    writer->kind = &h5WriterKind;
    if (createFile(h5, writer->head.rate))
        return exitDone;
    failForH5(writer);
    endH5(writer);
    return exitEnvironment;
}
