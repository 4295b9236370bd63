// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

/// @file
/// Surveys: what happened in a recording, our own or one of real people. A survey is shown one
/// frame after the other and adds up; it looks some frames ahead and behind for speeds.
/// docs/measures.md says how each figure is defined.

#ifndef THRONG_SURVEY_H
#define THRONG_SURVEY_H

#include "throng/record.h"
#include "throng/tasks.h"

/// A line across which people are counted.
typedef struct thSurveyLine {
    /// For reports.
    const char* name;
    /// One end. [m]
    thPlace a;
    /// The other end. [m]
    thPlace b;
    /// Floor.
    int32_t level;
} thSurveyLine;

/// An area in which density and speed are measured.
typedef struct thSurveyArea {
    /// For reports.
    const char* name;
    /// Corners of a convex polygon, in either direction. [m]
    const thPlace* points;
    /// Number of corners. [3 .. THRONG_AREA_CORNERS]
    int32_t pointCount;
    /// Floor.
    int32_t level;
} thSurveyArea;

/// Number of lines that a scene wants measured.
THRONG_API int32_t thScene_GetLineCount(const thScene* scene);

/// One of them, in the order of the file. Its name lives as long as the scene.
/// [index: 0 .. count − 1]
THRONG_API thSurveyLine thScene_GetLine(const thScene* scene, int32_t index);

/// The most corners an area has.
#define THRONG_AREA_CORNERS 64

/// The most lines of a scene or survey, and the most areas.
#define THRONG_MOST_GAUGES 256

/// Number of areas that a scene wants measured.
THRONG_API int32_t thScene_GetAreaCount(const thScene* scene);

/// One of them, in the order of the file; a disc as a regular polygon of the same size. Its corners
/// go to `corners`, its name lives as long as the scene. [index: 0 .. count − 1]
THRONG_API thSurveyArea thScene_GetArea(const thScene* scene, int32_t index,
                                        thPlace corners[THRONG_AREA_CORNERS]);

/// How a survey is made.
typedef struct thSurveyDef {
    /// Size of this struct. [bytes, set by thDefaultSurveyDef]
    uint32_t size;
    /// Frames in a second. [10⁻⁶ .. 10⁶, must be given]
    double rate;
    /// A speed is measured over this many frames before and after; fewer at the ends of a track.
    /// [0 .. 1000, default 0: as many as make 0.3 s, at least 1]
    int32_t speedFrames;
    /// Radius of people of whom none is known. [m, greater than 0, at most 100, default 0.2]
    float radius;
    /// Voronoi cells end at this distance from their person. [m, default 0: they do not]
    double cutOff;
    /// The cut-off circle is a regular polygon of so many corners. [8 .. 256, default 12]
    int32_t cutOffCorners;
    /// Walls and goals at the beginning; solids, rooms and walls bound Voronoi cells. What comes
    /// with frames takes their place.
    const thRecordedShape* shapes;
    /// Number of them. [default 0]
    int32_t shapeCount;
    /// 0: only lines and areas are measured, which is quicker; all other figures are 0.
    /// [0 or 1, default 1]
    int32_t figures;
    /// Where people are counted. [default NULL]
    const thSurveyLine* lines;
    /// Number of them. [0 .. THRONG_MOST_GAUGES, default 0]
    int32_t lineCount;
    /// Where density and speed are measured. [default NULL]
    const thSurveyArea* areas;
    /// Number of them. [0 .. THRONG_MOST_GAUGES, default 0]
    int32_t areaCount;
    /// Where memory comes from. [default thDefaultAllocator()]
    thAllocator allocator;
    /// Whose workers help to find Voronoi cells; results do not depend on it.
    /// [default NULL: everything runs on the calling thread]
    const thTasks* tasks;
} thSurveyDef;

/// A definition with every field at its default.
THRONG_API thSurveyDef thDefaultSurveyDef(void);

/// Watches a recording.
typedef struct thSurvey thSurvey;

/// Creates a survey; it keeps copies of what the definition points to. `*survey` is NULL when it
/// fails, and `error`, which may be NULL, says why.
THRONG_API thResult thCreateSurvey(const thSurveyDef* def, thSurvey** survey, thError* error);

/// Destroys a survey. NULL is allowed.
THRONG_API void thDestroySurvey(thSurvey* survey);

/// Shows it the next frame, with the people that are new in it, and, if they are not NULL, with all
/// shapes as they stand from this frame on. Of people who are in no frame yet may be told as well.
/// th_resultBadArgument, and nothing has changed, for frames and ids that do not ascend and for
/// numbers out of range [places within 10⁹ m of zero, radii up to 100 m, floors 0 .. 65535]. After
/// th_resultNoMemory it can only be destroyed.
THRONG_API thResult thSurvey_Add(thSurvey* survey, const thRecording* recording);

/// No frame follows: the last ones are measured too. Called once, before results are read.
THRONG_API thResult thSurvey_End(thSurvey* survey);

/// A distribution, from all values of all people and frames.
typedef struct thSpread {
    /// Number of values.
    uint64_t count;
    /// Mean; 0 of nothing, as all others.
    double mean;
    /// Standard deviation.
    double deviation;
    /// Least value.
    double least;
    /// 1 % of the values are not greater.
    double p01;
    /// 5 %
    double p05;
    /// 10 %
    double p10;
    /// Half of the values are not greater.
    double median;
    /// 90 %
    double p90;
    /// 95 %
    double p95;
    /// 99 %
    double p99;
    /// Greatest value.
    double greatest;
} thSpread;

/// What happened, over all frames. Where there was nothing to measure a figure is NaN.
typedef struct thSurveyResult {
    /// Frames that had somebody in them.
    uint64_t frames;
    /// Time from the first frame to the last. [s]
    double duration;
    /// People.
    uint64_t people;
    /// Most people in one frame, and the mean.
    uint64_t mostAtOnce;
    /// Mean number of people in a frame.
    double meanAtOnce;
    /// Speed. [m/s]
    thSpread speed;
    /// Distance to the nearest other person, centre to centre. [m]
    thSpread nearest;
    /// Time from first to last frame, of people. [s]
    thSpread presence;
    /// Length of the path walked ÷ straight distance, of people who came at least 0.5 m far.
    thSpread chordRatio;
    /// Length of the path walked ÷ planned length, of people of whom that is known and who got to
    /// their goal.
    thSpread pathRatio;
    /// Time ÷ (planned length ÷ preferred speed), of these people if that is known too.
    thSpread timeRatio;
    /// Effort of walking, of people. [J/kg]
    thSpread effort;
    /// Effort ÷ the least effort for the planned length, of people who got to their goal; of those
    /// of whom no planned length or no goal is known, for the straight distance.
    thSpread effortRatio;
    /// How much the direction of walking changes, of people. [rad/s]
    thSpread turning;
    /// Mean length of the third derivative of the position, of people. [m/s³]
    thSpread jerk;
    /// Pairs that overlap by more than 1 % of the sum of their radii, mean over frames. [NaN: no
    /// people]
    double pairsPerFrame;
    /// Contacts: spans of frames in which one pair does so without a break.
    uint64_t contacts;
    /// How long they last. [s]
    thSpread contactTime;
    /// Greatest depth of each contact ÷ sum of radii.
    thSpread contactDepth;
    /// Deepest disc in a wall. [m; NaN: there are no walls]
    double maxWallDepth;
    /// Share of frames of people with a disc deeper than 1 cm in a wall. [0 .. 1; NaN: there are
    /// no walls]
    double inWallShare;
    /// People who at some time moved less than 0.5 m in 60 s, as a share. [0 .. 1; NaN: no people]
    double stuckShare;
    /// Lane order, mean over frames. [0 mixed .. 1 laned; NaN: nobody is in another one's lane]
    double laneOrder;
    /// How much those who walk turn about their middle, mean over frames. [−1 all clockwise .. 1
    /// all counter-clockwise; NaN: never two walk at once]
    double angularMomentum;
    /// Mean distance of members of a group from its centre. [m; NaN: no groups]
    double groupDispersion;
    /// Bytes it holds now.
    uint64_t bytes;
    /// Distance of members of a group to the nearest of their fellows, on one floor. [m]
    thSpread groupNearest;
    /// Share of neighbours of a group who walk abreast: within 30° of side by side. [0 .. 1; NaN:
    /// none walk]
    double groupAbreast;
    /// Share of neighbours of a group who walk in a file: within 30° of one behind the other; the
    /// rest do neither. [0 .. 1; NaN: none walk]
    double groupFile;
    /// Time from the first to the last member's leaving, of groups all of whom have left. [s]
    thSpread groupDeparture;
} thSurveyResult;

/// The figures, after the end.
THRONG_API thSurveyResult thSurvey_GetResult(const thSurvey* survey);

/// What all values are told of.
typedef enum thSurveyValues {
    /// Speeds: thSurveyResult.speed. [m/s]
    th_valuesSpeed = 0,
    /// Distances to the nearest other person: thSurveyResult.nearest. [m]
    th_valuesNearest = 1,
} thSurveyValues;

/// The values that a distribution is of, after the end, in no order; of more than 2²⁴ a part, by
/// lot. Valid as long as the survey. NULL and `*count` 0 if there are none.
THRONG_API const double* thSurvey_GetValues(const thSurvey* survey, thSurveyValues of,
                                            int32_t* count);

/// One person on its way over a line.
typedef struct thCrossing {
    /// When: between two frames, by how far the way before the line is of the whole. [s]
    double time;
    /// The first frame on the other side.
    int64_t frame;
    /// Who.
    uint32_t id;
    /// 1: from the left of a → b to its right, −1: the other way.
    int32_t direction;
    /// How fast, at that frame. [m/s]
    double speed;
} thCrossing;

/// What happened at a line.
typedef struct thLineResult {
    /// The first crossing of each person, in the order of time, then id. N(t) counts them.
    const thCrossing* crossings;
    /// Number of them.
    int32_t crossingCount;
    /// All crossings, also those of people who come back.
    uint64_t allCrossings;
    /// (People − 1) ÷ (time of the last − time of the first). [1/s; 0 with less than two]
    double flow;
    /// The same of the middle 80 % of the people: without the first and last tenth. [1/s]
    double steadyFlow;
    /// Flow ÷ length of the line. [1/(m s)]
    double specificFlow;
    /// Time between one person and the next. [s]
    thSpread timeGap;
} thLineResult;

/// What happened at a line. [index: 0 .. lineCount − 1] Valid as long as the survey.
THRONG_API thLineResult thSurvey_GetLine(const thSurvey* survey, int32_t index);

/// An area in one frame.
typedef struct thAreaFrame {
    /// Number of the frame.
    int64_t frame;
    /// People in it.
    int32_t people;
    /// People ÷ area. [1/m²]
    double density;
    /// Mean speed of these people. [m/s; 0: nobody]
    double speed;
    /// Mean over the area of 1 ÷ size of the Voronoi cell. [1/m²]
    double voronoiDensity;
    /// Mean over the area of the speed of the cell's owner. [m/s]
    double voronoiSpeed;
} thAreaFrame;

/// What happened in an area.
typedef struct thAreaResult {
    /// One for each frame.
    const thAreaFrame* frames;
    /// Number of them.
    int32_t frameCount;
    /// Size. [m²]
    double size;
    /// Means over frames with somebody in the area; `frame` is how many these are, `people` is
    /// rounded. [the others NaN: nobody ever]
    thAreaFrame mean;
} thAreaResult;

/// What happened in an area. [index: 0 .. areaCount − 1] Valid as long as the survey.
THRONG_API thAreaResult thSurvey_GetArea(const thSurvey* survey, int32_t index);

/// A person's whole path.
typedef struct thPersonResult {
    /// Who.
    uint32_t id;
    /// First frame.
    int64_t first;
    /// Last frame.
    int64_t last;
    /// Length of the path. [m]
    double length;
    /// Mean speed: length ÷ time. [m/s]
    double speed;
    /// Effort. [J/kg]
    double effort;
    /// Length ÷ planned length. [0: not known, or it did not get to its goal]
    double pathRatio;
    /// Time ÷ (planned length ÷ preferred speed). [0: not known, or it did not get to its goal]
    double timeRatio;
} thPersonResult;

/// Number of people.
THRONG_API int32_t thSurvey_GetPersonCount(const thSurvey* survey);

/// One of them, in the order of first appearance, then id. [index: 0 .. count − 1]
THRONG_API thPersonResult thSurvey_GetPerson(const thSurvey* survey, int32_t index);

#endif
