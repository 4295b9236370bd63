// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// A survey from inside: people, frames, values and the parts that measure.
//
// Frames that come in wait in a window until those after them are known that
// speeds need; then each part is shown the frame:
//
//     frames in ▶ window ▶ people ▶ contacts ▶ lanes ▶ groups ▶ lines ▶ areas
//
// Everything is added up on the calling thread, in an order that the recording alone decides.

#ifndef THRONG_SRC_MEASURE_SURVEY_INTERNAL_H
#define THRONG_SRC_MEASURE_SURVEY_INTERNAL_H

#include "base/memory.h"
#include "measure/survey/survey_grid.h"
#include "measure/survey/survey_window.h"
#include "sim/key_map.h"
#include "throng/survey.h"

#include <math.h>

// A person, by its index in order of first appearance.
typedef struct thSurveyPerson {
    thRecordedPerson about; // radius filled in
    int64_t first, last;    // frames, of those that were shown to the parts
    double firstX, firstY;  // [m]
    double lastX, lastY;    // where it was in frame `last`; in the first frame the same as first
    double length;          // of the path so far [m]
    bool cameBefore;        // it was told of before it was seen: how its path began is not known
} thSurveyPerson;

// A frame with everything that parts may want to know of it.
typedef struct thSurveyFrame {
    int64_t number;
    int32_t count;
    const int32_t* person; // index of each
    const double* x;       // [m]
    const double* y;       // [m]
    const int32_t* before; // where each is in the frame that was shown before; −1: not there
    const thWindow* window;
    const double* vx; // displacement in the window ÷ its time; with `figures` only [m/s]
    const double* vy; // [m/s]
    // The frame since which each has been there without a break; `number` for those who were not
    // there in the frame before, or when more than a second lies between.
    const int64_t* since;
    const thSurveyGrid* grid; // everybody of this frame by place; with `figures` only
} thSurveyFrame;

// Values of which a distribution is told at the end. Quantiles are exact: sorted values at index
// round(q · (count − 1)), as long as there are at most 2²⁴ values; beyond that half of those that
// are kept are dropped, again and again, and as many of the later ones, by lot.
typedef struct thValues {
    thArray items; // double
    uint64_t count;
    uint64_t oneOf; // so many are kept on average: a power of two
    double first;   // sums are of differences to this one, so that little is lost
    double sum, squares;
    double least, greatest;
} thValues;

thValues thiValues(thMemory* memory);
void thiValuesFree(thValues* values);
thResult thiAddValue(thValues* values, double value);
thSpread thiSpreadOf(thValues* values); // puts them in another order

// A part measures one thing. It keeps what it knows in a struct of its own that `survey` points to,
// and sees everybody of thSurvey.persons by index, whose `last`, `lastX`, `lastY` are those of the
// frame before the one that is shown (last == frame->number for someone who is new). Without
// `figures` they are so only of people who are not in the frame before, and `length` is 0.
typedef struct thSurveyPart {
    bool isFigure; // without `figures` it is left out
    // `error` says what is wrong with the definition; without memory it need not.
    thResult (*create)(thSurvey* survey, thError* error);
    void (*destroy)(thSurvey* survey);         // also what was created in part or not at all
    thResult (*changeWalls)(thSurvey* survey); // walls are others from here on; NULL: of no concern
    thResult (*showFrame)(thSurvey* survey, const thSurveyFrame* frame);
    thResult (*end)(thSurvey* survey); // fills in its results
} thSurveyPart;

// Distances to the nearest other one. NULL without `figures`.
const thValues* thiNearestValues(const thSurvey* survey);

extern const thSurveyPart thiPeoplePart;   // paths, effort, smoothness, stuck
extern const thSurveyPart thiContactsPart; // pairs, nearest, walls
extern const thSurveyPart thiLanesPart;    // lane order, turning about the middle
extern const thSurveyPart thiGroupsPart;   // how close groups keep together
extern const thSurveyPart thiLinesPart;    // crossings and flow
extern const thSurveyPart thiAreasPart;    // density and speed, classic and Voronoi

struct thSurvey {
    thMemory memory;
    thSurveyDef def; // pointers are to copies
    thArena copies;  // what `def` points to, but for shapes, which it has none of
    // Shapes as they stand in the frame that is shown.
    thShapeSet kept[th_keptKindCount];
    thArray persons;   // thSurveyPerson; also those who are in the window but not shown yet
    thArray levels;    // int32_t: their floors
    thKeyMap personOf; // id -> index
    thArray early;     // thRecordedPerson: told of before they are in a frame
    thKeyMap earlyOf;  // id -> index in `early`
    thWindow window;
    thSurveyGrid grid;
    thValues speeds;
    uint64_t present; // people in all frames
    int64_t firstFrame, lastFrame;
    struct thSurveyPeople* peoplePart;
    struct thSurveyContacts* contactsPart;
    struct thSurveyLanes* lanesPart;
    struct thSurveyGroups* groupsPart;
    struct thSurveyLines* linesPart;
    struct thSurveyAreas* areasPart;
    thSurveyResult result;
    bool ended;
    bool failed; // memory was out: nothing more can be added
};

static inline int32_t thiLevelOf(const thSurvey* survey, int32_t person)
{
    return TH_ITEMS(survey->levels, int32_t)[person];
}

// Greatest distance of anything from zero, so that arithmetic stays far from its limits. [m]
#define TH_SURVEY_REACH 1e9
// Whoever is slower has no direction. [m/s]
#define TH_SURVEY_WALKING 0.1
// Largest body. [m]
#define TH_SURVEY_RADIUS 100.0f

static inline bool thiIsSurveyed(double coordinate)
{
    return (coordinate >= -TH_SURVEY_REACH) & (coordinate <= TH_SURVEY_REACH); // no NaN
}

// A mean or share; NaN of nothing.
static inline double thiShareOf(double sum, uint64_t count)
{
    return count > 0 ? sum / (double)count : (double)NAN;
}

// Checks a definition, and copies all it points to.
thResult thiCheckSurveyDef(const thSurveyDef* def, thError* error);
thResult thiCheckShapes(const thRecordedShape* shapes, int32_t count, thError* error);
thResult thiCopySurveyDef(thSurvey* survey, const thSurveyDef* def);

// What errors call a line or area: "line 'door'", or "line 3" if it has no name.
typedef struct thGaugeName {
    char text[96];
} thGaugeName;
const char* thiNameGauge(thGaugeName* buffer, const char* kind, const char* name, int32_t index);

#endif
