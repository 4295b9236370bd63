// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// Extras in HDF5: the tables `people` and `shapes` in the group /throng.

#include "recording/h5/h5_layout.h"

#include <stdlib.h>

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

// --- Writing ---

static bool writeTable(hid_t group, const char* name, hid_t type, const void* rows, hsize_t count)
{
    const hid_t packed = H5Tcopy(type); // without what lies between the members of structs
    const hid_t space = H5Screate_simple(1, &count, NULL);
    H5Tpack(packed);
    const hid_t table =
        H5Dcreate2(group, name, packed, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const bool good = table >= 0 && (count == 0 || H5Dwrite(table, type, H5S_ALL, H5S_ALL,
                                                            H5P_DEFAULT, rows) >= 0);
    H5Dclose(table);
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

bool appH5WriteExtras(hid_t file, const Extras* extras)
{
    const hid_t group = H5Gcreate2(file, groupName, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t type = personType();
    const bool good =
        group >= 0 &&
        writeTable(group, "people", type, extras->people, (hsize_t)extras->personCount) &&
        writeCorners(group, extras);
    H5Tclose(type);
    H5Gclose(group);
    return good;
}

// --- Reading ---

// All rows of a table, to be freed. NULL and `*wrong` when it is not as it should be.
static void* readTable(hid_t group, const char* name, hid_t type, hsize_t* count,
                       const char** wrong)
{
    void* rows = NULL;
    const hid_t table = H5Dopen2(group, name, H5P_DEFAULT);
    *wrong = table >= 0 ? appH5CheckTable(table, type, count) : "is no table";
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

void appH5ReadExtras(hid_t file, const char* path, bool withShapes, Extras* extras)
{
    if (H5Lexists(file, groupName, H5P_DEFAULT) <= 0)
        return;
    const hid_t group = H5Gopen2(file, groupName, H5P_DEFAULT);
    readPeople(group, path, extras);
    if (withShapes)
        readCorners(group, path, extras);
    H5Gclose(group);
}
