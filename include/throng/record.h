// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// Recordings: who was where, frame by frame, among which shapes. A recorder takes frames from a
/// run; a log keeps them so that what was written survives whatever happens next. People of other
/// recordings, also real ones, come in the same structs. docs/records.md explains the log's format.

#ifndef THRONG_RECORD_H
#define THRONG_RECORD_H

#include "throng/scene.h"

/// One frame: where everybody is. Its time is `number` ÷ the recording's rate.
typedef struct thRecordedFrame {
    /// Number of the frame; each is greater than the one before.
    int64_t number;
    /// Number of people in it.
    int32_t count;
    /// Who: ascending, each once.
    const uint32_t* id;
    /// Where, in the coordinates of the scene's file. [m]
    const double* x;
    /// Where. [m]
    const double* y;
    /// Direction each one faces. [rad; NULL: not known]
    const float* heading;
} thRecordedFrame;

/// One of the people of a recording. Whoever is in a frame is told of before it; when something of
/// this changes, all of it is told again.
typedef struct thRecordedPerson {
    /// Number within the recording: in our own ones that which the scene gives, and for others the
    /// next ones above these in the order of first appearance: 1, 2, 3 … where it gives none.
    uint32_t id;
    /// Key of the agent; of other recordings the id.
    uint64_t key;
    /// Radius of the body. [m; 0: not known]
    float radius;
    /// Speed it likes. [m/s; 0: not known]
    float speed;
    /// Length of the path that its planner saw before it, when it was first seen; not known of
    /// those who head for several goals, one after the other. [m; 0: not known]
    float planned;
    /// Floor.
    int32_t level;
    /// Goal it heads for: an index into the goals among the shapes. [−1: none or not known]
    int32_t goal;
    /// Which of the groups of people it is in. [−1: none]
    int32_t group;
    /// Which entry of the scene's agents it came from. [−1: not known]
    int32_t entry;
} thRecordedPerson;

/// What a shape is.
typedef enum thRecordedShapeKind {
    /// A closed polygon, solid inside.
    th_shapeSolid = 0,
    /// A closed polygon, free inside and solid outside.
    th_shapeRoom = 1,
    /// A polyline: thin walls.
    th_shapeWall = 2,
    /// A disc that moves.
    th_shapeMovingDisc = 3,
    /// A convex polygon that moves.
    th_shapeMovingPolygon = 4,
    /// A goal: one point.
    th_shapeGoalPoint = 5,
    /// A goal: a point and all within a radius.
    th_shapeGoalDisc = 6,
    /// A goal: a segment.
    th_shapeGoalSegment = 7,
    /// A goal: a polygon.
    th_shapeGoalPolygon = 8,
    /// How many kinds there are.
    th_shapeKindCount = 9,
} thRecordedShapeKind;

/// A point in the coordinates of a scene's file, which may be far from zero. [m]
typedef struct thPlace {
    /// East. [m]
    double x;
    /// North. [m]
    double y;
} thPlace;

/// A shape where it stands now.
typedef struct thRecordedShape {
    /// What it is.
    thRecordedShapeKind kind;
    /// Floor; of goals 0.
    int32_t level;
    /// Corners; the first one is not repeated. [m]
    const thPlace* points;
    /// Number of corners. [at least 1]
    int32_t pointCount;
    /// Radius of a disc. [m]
    float radius;
} thRecordedShape;

/// What a recording says of itself.
typedef struct thRecordHead {
    /// Frames in a second. [greater than 0]
    double rate;
    /// The place positions are counted from, so that small numbers can be kept. [m]
    thPlace origin;
    /// What was recorded: the name of the scene.
    const char* title;
    /// The scene as JSON. [NULL: none]
    const char* scene;
} thRecordHead;

// --- From a run -----------------------------------------------------------------------------

/// Takes frames from a run.
typedef struct thRecorder thRecorder;

/// How a recorder is created.
typedef struct thRecorderDef {
    /// Size of this struct. [bytes, set by thDefaultRecorderDef]
    uint32_t size;
    /// 1: only people within `low` and `high` are recorded. [0 or 1, default 0]
    int32_t hasArea;
    /// Low corner of the area. [m]
    thPlace low;
    /// High corner of the area. [m]
    thPlace high;
    /// 1: where people want to go is not told, neither goals nor planned lengths, which is quicker:
    /// enough for lines and areas. [0 or 1, default 0]
    int32_t withoutGoals;
    /// Where memory comes from. [default thDefaultAllocator()]
    thAllocator allocator;
} thRecorderDef;

/// A definition with every field at its default.
THRONG_API thRecorderDef thDefaultRecorderDef(void);

/// Creates a recorder. The run must outlive it. `*recorder` is NULL when it fails.
THRONG_API thResult thCreateRecorder(const thRecorderDef* def, const thRun* run,
                                     thRecorder** recorder);

/// Destroys a recorder. NULL is allowed.
THRONG_API void thDestroyRecorder(thRecorder* recorder);

/// Tells a recorder of the people that an earlier part of the same recording had, as they were told
/// of last, so that they keep their numbers. Before the first frame is taken. [ids in this order as
/// it gave them: those of the scene anywhere, others 1, 2, 3 … above these]
THRONG_API thResult thRecorder_Know(thRecorder* recorder, const thRecordedPerson* people,
                                    int32_t count);

/// What a recorder found in a run. Pointers are valid until the recorder is next used.
typedef struct thRecording {
    /// Where everybody is.
    thRecordedFrame frame;
    /// People who are new in this frame, or of whom something changed.
    const thRecordedPerson* people;
    /// Number of them.
    int32_t personCount;
    /// All shapes as they stand now, when one of them is not as it was in the frame before; also
    /// in the first frame. [else NULL]
    const thRecordedShape* shapes;
    /// Number of them.
    int32_t shapeCount;
} thRecording;

/// Takes the frame `number` from the run as it is now. A run that was restored meanwhile needs a
/// new recorder.
THRONG_API thResult thRecorder_Take(thRecorder* recorder, int64_t number, thRecording* recording);

// --- Logs -----------------------------------------------------------------------------------

/// Takes bytes that a log is to consist of. Anything but th_resultOk ends the writing.
typedef thResult thLogWriteFcn(void* context, const void* data, size_t size);

/// Writes a log: append only, in blocks with checksums.
typedef struct thLogWriter thLogWriter;

/// Reads a log.
typedef struct thLogReader thLogReader;

/// How a log is written.
typedef struct thLogWriterDef {
    /// Size of this struct. [bytes, set by thDefaultLogWriterDef]
    uint32_t size;
    /// What the log says of itself.
    thRecordHead head;
    /// Where bytes go; called once for each frame, with all of it.
    thLogWriteFcn* write;
    /// Passed to `write`.
    void* writeContext;
    /// The log is there already, and this has read all frames of it that are kept; the file ends at
    /// thLogReader_GetOffset. Nothing but further frames is written, and `head` is not looked at.
    /// [default NULL: a new log]
    const thLogReader* after;
    /// Where memory comes from. [default thDefaultAllocator()]
    thAllocator allocator;
} thLogWriterDef;

/// A definition with every field at its default.
THRONG_API thLogWriterDef thDefaultLogWriterDef(void);

/// Creates a writer and writes the head. `*writer` is NULL when it fails.
THRONG_API thResult thCreateLogWriter(const thLogWriterDef* def, thLogWriter** writer);

/// Destroys a writer; what it was given is written already. NULL is allowed.
THRONG_API void thDestroyLogWriter(thLogWriter* writer);

/// Writes shapes, people and frame, in one piece; shapes only where they are not those written
/// last. th_resultBadArgument for positions further from the origin than THRONG_MAX_COORDINATE, for
/// frames and ids that do not ascend, and for what is no number; nothing is written then.
THRONG_API thResult thLogWriter_Add(thLogWriter* writer, const thRecording* recording);

/// Gives up to `size` bytes of a log from `offset` on; returns how many, 0 at the end, negative
/// when they cannot be read.
typedef int64_t thLogReadFcn(void* context, uint64_t offset, void* data, size_t size);

/// How a log is read.
typedef struct thLogReaderDef {
    /// Size of this struct. [bytes, set by thDefaultLogReaderDef]
    uint32_t size;
    /// Where bytes come from.
    thLogReadFcn* read;
    /// Passed to `read`.
    void* readContext;
    /// Where memory comes from. [default thDefaultAllocator()]
    thAllocator allocator;
} thLogReaderDef;

/// A definition with every field at its default.
THRONG_API thLogReaderDef thDefaultLogReaderDef(void);

/// Begins to read a log. `*reader` is NULL when it fails, and `error`, which may be NULL, says why.
THRONG_API thResult thCreateLogReader(const thLogReaderDef* def, thLogReader** reader,
                                      thError* error);

/// Destroys a reader. NULL is allowed.
THRONG_API void thDestroyLogReader(thLogReader* reader);

/// What the log says of itself. Texts live as long as the reader.
THRONG_API thRecordHead thLogReader_GetHead(const thLogReader* reader);

/// How reading went on.
typedef enum thLogNext {
    /// There is a frame.
    th_logFrame = 0,
    /// The log ends after a complete frame.
    th_logEnd = 1,
    /// The log ends in the middle of a block, as it does when the writer was killed.
    th_logCut = 2,
    /// A block is damaged: its checksum does not hold, or it says what cannot be. Nothing is read
    /// beyond it.
    th_logDamaged = 3,
    /// Bytes cannot be read, or memory is out.
    th_logFailed = 4,
} thLogNext;

/// Reads the next frame, with the people and shapes that come with it. Pointers are valid until
/// the reader is next used. After the end, a cut or a failure it may be called again: the log may
/// have grown.
THRONG_API thLogNext thLogReader_Next(thLogReader* reader, thRecording* recording);

/// Where the last complete frame ends: what is kept when the log is to go on. [bytes]
THRONG_API uint64_t thLogReader_GetOffset(const thLogReader* reader);

#endif
