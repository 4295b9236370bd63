// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The command `convert`: a recording, or a part of it, in another format, or as a scene.

#include "commands/commands.h"
#include "output.h"
#include "recording/frame_filter.h"
#include "recording/source.h"
#include "replay/replay_scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct ConvertOptions {
    RecordingDef recording;
    double fps, from, to;
    const char* area;
    bool withoutPauses, quiet;
} ConvertOptions;

#define AT(member) .offset = offsetof(ConvertOptions, member)

static const Option convertOptions[] = {
    {.heading = "what is written",
     .name = "fps",
     .kind = optionNumber,
     AT(fps),
     .value = "N",
     .about = "so many frames a second; positions between frames are\n"
              "interpolated (default as recorded)",
     .min = 1e-6,
     .max = 1e6},
    {.name = "area",
     .kind = optionText,
     AT(area),
     .value = "X0,Y0,X1,Y1",
     .about = "only people within this box, in metres"},
    {.name = "from",
     .kind = optionNumber,
     AT(from),
     .value = "T",
     .about = "leave out what was before, in seconds",
     .min = -1e9,
     .max = 1e9},
    {.name = "to",
     .kind = optionNumber,
     AT(to),
     .value = "T",
     .about = "leave out what comes after, in seconds",
     .min = -1e9,
     .max = 1e9},
    {.name = "no-pauses",
     .kind = optionFlag,
     AT(withoutPauses),
     .about = "in a scene nobody pauses where people stood, as in a jam,\n"
              "where they stand because of others"},
    APP_RECORDING_OPTIONS(ConvertOptions, recording),
    {.heading = "else",
     .name = "quiet",
     .kind = optionFlag,
     AT(quiet),
     .about = "no progress, no last line; errors only"},
    {0},
};

static bool readFilter(const ConvertOptions* options, FrameFilterDef* def)
{
    *def = (FrameFilterDef){.rate = options->fps, .from = options->from, .to = options->to};
    if (options->from > options->to) {
        appSay("--from is %g, expected a time before --to, which is %g", options->from,
               options->to);
        return false;
    }
    def->hasArea = options->area != NULL;
    return !def->hasArea || appReadArea(options->area, &def->low, &def->high);
}

// What is being converted.
typedef struct Conversion {
    Recording* in;
    FrameFilter* filter;
    RecordingWriter* out;
    const char* path; // to which it is written
    thRecordHead head;
    double first, last; // times of frames to be written [s; last negative: not known]
    int64_t frames, rows;
    bool quiet;
} Conversion;

static double shareDone(const Conversion* conversion, double time)
{
    const double length = conversion->last - conversion->first;
    return conversion->last < 0.0 || length <= 0.0 ? -1.0
                                                   : fmin((time - conversion->first) / length, 1.0);
}

static bool addFrame(Conversion* conversion, const thRecording* frame)
{
    conversion->frames += 1;
    conversion->rows += frame->frame.count;
    return appAddFrame(conversion->out, frame);
}

// Writes all frames; the first one is read already.
static ExitCode copyFrames(Conversion* conversion, thRecording* frame)
{
    Progress progress;
    Next next = nextFrame;
    bool good = true;
    appBeginProgress(&progress, appFileName(conversion->in->path), conversion->quiet, 0.0,
                     conversion->first);
    while (next == nextFrame && good && !appWasInterrupted()) {
        const double time = (double)frame->frame.number / conversion->head.rate;
        good = addFrame(conversion, frame);
        if (appProgressIsDue(&progress))
            appShowProgress(&progress, shareDone(conversion, time), time);
        if (good)
            next = appNextFiltered(conversion->filter, frame);
    }
    appEndProgress(&progress);
    if (next == nextFailed || !good)
        return exitEnvironment;
    if (next == nextEnd)
        return exitDone;
    appSay("interrupted; '%s' was not written", conversion->path);
    return exitFailed;
}

// The first frame brings the shapes that the file begins with.
static ExitCode begin(Conversion* conversion, const FrameFilterDef* def, thRecording* frame)
{
    Recording* in = conversion->in;
    ExitCode code;
    const Next next = appNextFiltered(conversion->filter, frame);
    if (next == nextFailed)
        return exitEnvironment;
    if (next == nextEnd) {
        appSay("'%s' has no frame that is wanted", in->path);
        return exitUsage;
    }
    conversion->head = in->head;
    if (def->rate > 0.0)
        conversion->head.rate = def->rate;
    conversion->first = (double)frame->frame.number / conversion->head.rate;
    conversion->last = in->endTime >= 0.0 ? fmin(in->endTime, def->to) : -1.0;
    conversion->out =
        appCreateRecording(conversion->path, &conversion->head, in->shapes, in->shapeCount, &code);
    return code;
}

static void tell(const Conversion* conversion)
{
    FigureText rate;
    printf("%s: %" PRId64 " frames, %s a second, with %" PRId64 " positions%s\n", conversion->path,
           conversion->frames, appFormatFigure(&rate, conversion->head.rate), conversion->rows,
           conversion->rows == 0 ? "; nobody was in it" : "");
}

static ExitCode convert(Conversion* conversion, const FrameFilterDef* def)
{
    thRecording frame;
    conversion->filter = appCreateFilter(conversion->in, def);
    ExitCode code = conversion->filter != NULL ? begin(conversion, def, &frame) : exitEnvironment;
    if (code != exitDone)
        return code;
    code = copyFrames(conversion, &frame);
    if (code != exitDone)
        appAbandonRecording(conversion->out);
    else if (!appFinishRecording(conversion->out))
        code = exitEnvironment;
    else if (!conversion->quiet) {
        tell(conversion);
        appTellLosses(conversion->in, conversion->path);
    }
    return code;
}

// --- A scene of it ---

static bool isSceneName(const char* path)
{
    return appHasSuffix(path, ".json");
}

// What a scene is made of: tracks, and shapes as they stand in the first frame that is wanted.
typedef struct SceneStuff {
    Tracks tracks;
    thRecordedShape* shapes;
    int32_t shapeCount;
} SceneStuff;

static bool takeFrame(Conversion* conversion, const thRecording* frame, SceneStuff* stuff)
{
    const Recording* in = conversion->in;
    if (stuff->shapes == NULL) {
        stuff->shapes = appCopyShapes(in->shapes, in->shapeCount);
        stuff->shapeCount = in->shapeCount;
    }
    return stuff->shapes != NULL &&
           appGatherFrame(&stuff->tracks, &frame->frame, conversion->head.rate);
}

static ExitCode gatherFrames(Conversion* conversion, SceneStuff* stuff)
{
    const Tracks* tracks = &stuff->tracks;
    Progress progress;
    thRecording frame;
    Next next = nextFrame;
    bool good = true;
    appBeginProgress(&progress, appFileName(conversion->in->path), conversion->quiet, 0.0, 0.0);
    while (good && !appWasInterrupted() &&
           (next = appNextFiltered(conversion->filter, &frame)) == nextFrame) {
        good = takeFrame(conversion, &frame, stuff);
        if (appProgressIsDue(&progress))
            appShowProgress(&progress, shareDone(conversion, tracks->lastTime), tracks->lastTime);
    }
    appEndProgress(&progress);
    if (next == nextFailed)
        return exitEnvironment;
    if (good && next == nextFrame) {
        appSay("interrupted; '%s' was not written", conversion->path);
        return exitFailed;
    }
    good = good && appMakeTracks(&stuff->tracks);
    if (!good)
        appSay("no memory");
    return good ? exitDone : exitEnvironment;
}

static ExitCode convertToScene(Conversion* conversion, const FrameFilterDef* def,
                               bool withoutPauses)
{
    Recording* in = conversion->in;
    SceneStuff stuff = {0};
    conversion->filter = appCreateFilter(in, def);
    if (conversion->filter == NULL)
        return exitEnvironment;
    conversion->head = in->head;
    if (def->rate > 0.0)
        conversion->head.rate = def->rate;
    conversion->last = in->endTime >= 0.0 ? fmin(in->endTime, def->to) : -1.0;
    ExitCode code = gatherFrames(conversion, &stuff);
    if (code == exitDone) {
        const ReplayDef replay = {.path = conversion->path,
                                  .rate = conversion->head.rate,
                                  .withoutPauses = withoutPauses,
                                  .quiet = conversion->quiet,
                                  .shapes = stuff.shapes,
                                  .shapeCount = stuff.shapeCount};
        code = appWriteReplay(in, &stuff.tracks, &replay);
    }
    appFreeTracks(&stuff.tracks);
    free(stuff.shapes);
    return code;
}

// --- The command ---

static ExitCode convertFiles(const char* from, const char* to, const ConvertOptions* options)
{
    FrameFilterDef def;
    if (!readFilter(options, &def))
        return exitUsage;
    if (!appNoteInput("IN", from) || !appNoteOutput("OUT", to))
        return exitUsage;
    ExitCode code = isSceneName(to) ? exitDone : appCheckRecordingName(to);
    if (code != exitDone)
        return code;
    if (options->withoutPauses && !isSceneName(to)) {
        appSay("--no-pauses is about scenes, but '%s' is a recording", to);
        return exitUsage;
    }
    appWatchInterrupts();
    if (!appCanWrite(to))
        return exitEnvironment;
    Conversion conversion = {.path = to, .quiet = options->quiet};
    conversion.in = appOpenRecording(from, &options->recording, &code);
    if (conversion.in == NULL)
        return code;
    code = isSceneName(to) ? convertToScene(&conversion, &def, options->withoutPauses)
                           : convert(&conversion, &def);
    appFreeFilter(conversion.filter);
    appCloseRecording(conversion.in);
    return code;
}

static ExitCode runConvert(const Command* self, int argc, char** argv)
{
    ConvertOptions options = {.from = -INFINITY, .to = INFINITY};
    const char* files[2];
    const Parsed parsed = appParseOptions(self, argc, argv, &options, files);
    const ExitCode code =
        parsed == parsedWell ? convertFiles(files[0], files[1], &options) : appExitOfParsed(parsed);
    appFreeOptions(self, &options);
    return code;
}

const Command appConvertCommand = {
    .name = "convert",
    .operand = "IN OUT",
    .about = "write a recording in another format, or as a scene",
    .details = "Both are told by their suffixes: .thlog is our log, .h5 HDF5 of the Pedestrian\n"
               "Dynamics Data Archive, .sqlite that of JuPedSim, .txt text as PedPy reads it.\n"
               "IN may also be an obsmat.txt of the ETH and UCY data, or a .csv with columns id,\n"
               "frame, x and y. An OUT that ends in .json is a scene: everybody appears when and\n"
               "where it did, walks as fast, pauses as often, and leaves where it was last.\n"
               "OUT gets its name when it is complete.\n"
               "Exit code: 0 done, 1 interrupted, 2 bad usage or a bad file, 3 a file or memory.\n",
    .options = convertOptions,
    .run = runConvert,
};
