// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The command `render`: pictures, charts and films of a recording, or of a scene that is run
// meanwhile.

#include "commands/commands.h"
#include "draw/agent_option.h"
#include "draw/canvas.h"
#include "draw/debug/debug_picture.h"
#include "draw/draw.h"
#include "output.h"
#include "recording/source.h"
#include "survey/survey_source.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct RenderOptions {
    const char* as;
    const char* colour;
    const char* debug;  // an agent [NULL: none]
    const char* planOf; // an agent [NULL: none]
    DrawDef draw;
    RecordingDef recording;
    SurveyOptions survey;
    TextList with;
    SceneUse use;
    int64_t width, level, moments; // as `draw` has them [width 0: as usual]
} RenderOptions;

#define AT(member) .offset = offsetof(RenderOptions, member)

// Times that were not given.
#define WHENEVER NAN

static const Option renderOptions[] = {
    {.name = "output",
     .kind = optionOutput,
     AT(draw.output),
     .value = "FILE",
     .about = "where the picture goes; its suffix says what it is: .png,\n"
              ".svg or .pdf, or a film: .mp4 or .gif (default a .png after\nFILE)"},
    {.name = "as",
     .kind = optionText,
     AT(as),
     .value = "WHAT",
     .about = "what to draw, see below (default frame)"},
    {.name = "width",
     .kind = optionWhole,
     AT(width),
     .value = "N",
     .about = "width in pixels or points (default 1600; of films 1280, of\n.gif 800)",
     .min = 100,
     .max = 20000},
    {.name = "quiet", .kind = optionFlag, AT(draw.quiet), .about = "no progress; errors only"},
    {.name = "at",
     .kind = optionNumber,
     AT(draw.at),
     .value = "T",
     .about = "the time of a frame, in seconds (default the end)",
     .min = -1e9,
     .max = 1e9,
     .heading = "what to show"},
    {.name = "from",
     .kind = optionNumber,
     AT(draw.from),
     .value = "T",
     .about = "where anything else begins, in seconds (default the\nbeginning)",
     .min = -1e9,
     .max = 1e9},
    {.name = "to",
     .kind = optionNumber,
     AT(draw.to),
     .value = "T",
     .about = "where it ends, in seconds (default the end)",
     .min = -1e9,
     .max = 1e9},
    {.name = "level",
     .kind = optionWhole,
     AT(level),
     .value = "N",
     .about = "the floor to show (default 0)",
     .min = 0,
     .max = 65535},
    {.name = "debug",
     .kind = optionText,
     AT(debug),
     .value = "AGENT",
     .about = "of a frame of a scene: what this agent thinks; its key, or\n"
              "X,Y for the one nearest to a place"},
    {.name = "plan-of",
     .kind = optionText,
     AT(planOf),
     .value = "AGENT",
     .about = "of a frame of a scene: what this agent plans with, and its\nway; as for --debug"},
    {.name = "line",
     .kind = optionTexts,
     AT(survey.lines),
     .value = "NAME=X1,Y1,X2,Y2",
     .about = "measure at this line, for counts and flow (default those of\n"
              "the scene); may be repeated"},
    {.name = "area",
     .kind = optionTexts,
     AT(survey.areas),
     .value = "NAME=X1,Y1,X2,Y2",
     .about = "measure in this box, for the diagram; more corners make a\n"
              "convex polygon (default those of the scene); may be repeated"},
    APP_GAUGE_SCENE_OPTION(RenderOptions, survey),
    {.name = "with",
     .kind = optionInputs,
     AT(with),
     .value = "FILE",
     .about = "for charts: another recording or scene in the same chart; may\nbe repeated"},
    {.name = "colour",
     .kind = optionText,
     AT(colour),
     .value = "BY",
     .about = "what colours of people tell: goal, agent, group or speed\n"
              "(default group where somebody is in one, else goal)",
     .heading = "how to show it"},
    {.name = "trails",
     .kind = optionNumber,
     AT(draw.trails),
     .value = "S",
     .about = "how long trails are, in seconds; 0 draws none (default 5)",
     .min = 0,
     .max = 1e6},
    {.name = "smooth",
     .kind = optionNumber,
     AT(draw.smooth),
     .value = "R",
     .about = "for density: everybody is a Gaussian of this standard\n"
              "deviation, in metres; 0 counts people in cells (default 0.4)",
     .min = 0,
     .max = 1000},
    {.name = "cell",
     .kind = optionNumber,
     AT(draw.cell),
     .value = "M",
     .about = "for density: edge of the cells, in metres (default by size)",
     .min = 0.001,
     .max = 1e6},
    {.name = "moments",
     .kind = optionWhole,
     AT(moments),
     .value = "N",
     .about = "for lapse: how many (default 6)",
     .min = 1,
     .max = 100},
    {.name = "fps",
     .kind = optionNumber,
     AT(draw.fps),
     .value = "N",
     .about = "for films: frames a second, whatever FILE has (default 25)",
     .min = 0.1,
     .max = 1000},
    {.name = "speed",
     .kind = optionNumber,
     AT(draw.speed),
     .value = "X",
     .about = "for films: times real time (default 1)",
     .min = 0.001,
     .max = 1e6},
    APP_SURVEY_OPTIONS(RenderOptions, survey),
    APP_RECORDING_OPTIONS(RenderOptions, recording),
    APP_SCENE_OPTIONS(RenderOptions, use),
    {0},
};

// --- What can be drawn ---

static ExitCode drawFrame(Reel* reel, const RenderOptions* options)
{
    if (options->debug != NULL)
        return appDebugAgent(reel, &options->draw, options->debug);
    if (options->planOf != NULL)
        return appDrawPlan(reel, &options->draw, options->planOf);
    return appIsFilmName(options->draw.output) ? appDrawFilm(reel, &options->draw)
                                               : appDrawFrame(reel, &options->draw);
}

static ExitCode drawPaths(Reel* reel, const RenderOptions* options)
{
    return appDrawPaths(reel, &options->draw);
}

static ExitCode drawDensity(Reel* reel, const RenderOptions* options)
{
    return appDrawDensity(reel, &options->draw);
}

static ExitCode drawLapse(Reel* reel, const RenderOptions* options)
{
    return appDrawLapse(reel, &options->draw);
}

static ChartDef chartOf(const RenderOptions* options)
{
    return (ChartDef){&options->draw, &options->survey, &options->with};
}

static ExitCode drawArrivals(Reel* reel, const RenderOptions* options)
{
    const ChartDef def = chartOf(options);
    return appDrawArrivals(reel, &def);
}

static ExitCode drawCounts(Reel* reel, const RenderOptions* options)
{
    const ChartDef def = chartOf(options);
    return appDrawCounts(reel, &def);
}

static ExitCode drawFlow(Reel* reel, const RenderOptions* options)
{
    const ChartDef def = chartOf(options);
    return appDrawFlow(reel, &def);
}

static ExitCode drawDiagram(Reel* reel, const RenderOptions* options)
{
    const ChartDef def = chartOf(options);
    return appDrawDiagram(reel, &def);
}

typedef struct Subject {
    const char* name;
    ExitCode (*draw)(Reel* reel, const RenderOptions* options);
    bool isChart;
} Subject;

static const Subject subjects[] = {
    {"frame", drawFrame, false},      {"paths", drawPaths, false},
    {"density", drawDensity, false},  {"lapse", drawLapse, false},
    {"counts", drawCounts, true},     {"flow", drawFlow, true},
    {"arrivals", drawArrivals, true}, {"diagram", drawDiagram, true},
};

static const char* const colours[] = {"goal", "agent", "group", "speed"}; // as in Colouring

enum {
    subjectCount = sizeof subjects / sizeof subjects[0],
    colourCount = sizeof colours / sizeof colours[0]
};

// --- What the options say ---

// The names of a table, one after the other.
typedef struct Names {
    const char* (*name)(int index);
    int count, next;
} Names;

static const char* nameOfSubject(int index)
{
    return subjects[index].name;
}

static const char* nameOfColour(int index)
{
    return colours[index];
}

static const char* nextName(void* context)
{
    Names* names = context;
    return names->next < names->count ? names->name(names->next++) : NULL;
}

// The index of a value of an option; says which there are, and returns -1, if it is none.
static int findName(const char* option, const char* value, Names names)
{
    char all[160] = "";
    for (int i = 0; i < names.count; ++i) {
        const size_t length = strlen(all);
        if (strcmp(names.name(i), value) == 0)
            return i;
        snprintf(all + length, sizeof all - length, "%s%s",
                 i == 0                 ? ""
                 : i == names.count - 1 ? " or "
                                        : ", ",
                 names.name(i));
    }
    const char* near = appDidYouMean(value, nextName, &names);
    appSay("--%s is '%s', expected %s%s%s%s", option, value, all,
           near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
           near != NULL ? "'?" : "");
    return -1;
}

static bool checkTimes(const DrawDef* draw, bool isFrame)
{
    if (!isnan(draw->at) && !isFrame)
        appSay("--at is the time of one frame; this takes --from and --to");
    else if (isFrame && !(isnan(draw->from) && isnan(draw->to)))
        appSay("--from and --to are for films and what shows a time; a frame takes --at");
    else if (draw->from > draw->to)
        appSay("--from is %g, expected a time before --to, which is %g", draw->from, draw->to);
    else
        return true;
    return false;
}

// Of an option that names an agent.
static bool checkAgent(const char* option, const char* value, bool isFrame)
{
    if (value != NULL && !isFrame)
        appSay("--%s shows an agent at one time: it takes a picture, --at, and no --as", option);
    return value == NULL || (isFrame && appIsAgentText(option, value));
}

static bool checkAgents(const RenderOptions* options, bool isFrame)
{
    if (options->debug != NULL && options->planOf != NULL) {
        appSay("--debug and --plan-of are two pictures; expected one of them");
        return false;
    }
    return checkAgent("debug", options->debug, isFrame) &&
           checkAgent("plan-of", options->planOf, isFrame);
}

static bool checkWith(const TextList* with, const Subject* subject)
{
    if (with->count > 0 && !subject->isChart)
        appSay("--with is for charts (counts, flow, arrivals and diagram), not for --as %s",
               subject->name);
    return with->count == 0 || subject->isChart;
}

static bool checkOutput(const char* output, const Subject* subject)
{
    if (output == NULL || appIsPictureName(output))
        return true;
    if (!appIsFilmName(output))
        appSay("--output is '%s', expected a name that ends in .png, .svg, .pdf, .mp4 or .gif",
               output);
    else if (subject->draw != drawFrame)
        appSay("--output is '%s', a film, but --as %s makes no film: expected a name that ends in "
               ".png, .svg or .pdf",
               output, subject->name);
    else
        return true;
    return false;
}

// Completes the options. NULL, and it is said, when they make no sense.
static const Subject* readOptions(RenderOptions* options)
{
    DrawDef* draw = &options->draw;
    const int subject =
        findName("as", options->as, (Names){.name = nameOfSubject, .count = subjectCount});
    const int colour = options->colour == NULL
                           ? (int)colourByGroupOrGoal
                           : findName("colour", options->colour,
                                      (Names){.name = nameOfColour, .count = colourCount});
    if (subject < 0 || colour < 0 || !checkOutput(draw->output, &subjects[subject]))
        return NULL;
    const bool isFilm = draw->output != NULL && appIsFilmName(draw->output);
    const bool isFrame = subjects[subject].draw == drawFrame && !isFilm;
    if (!checkTimes(draw, isFrame) || !checkAgents(options, isFrame) ||
        !checkWith(&options->with, &subjects[subject]))
        return NULL;
    draw->at = isnan(draw->at) ? INFINITY : draw->at;
    draw->from = isnan(draw->from) ? -INFINITY : draw->from;
    draw->to = isnan(draw->to) ? INFINITY : draw->to;
    draw->colouring = (Colouring)colour;
    draw->level = (int32_t)options->level;
    draw->moments = (int32_t)options->moments;
    const int32_t usual = !isFilm ? 1600 : appHasSuffix(draw->output, ".gif") ? 800 : 1280;
    draw->width = options->width > 0 ? (int32_t)options->width : usual;
    return &subjects[subject];
}

static void noteGroups(const Reel* reel, const RenderOptions* options, const Subject* subject)
{
    const Recording* recording = reel->source.recording;
    bool isAny = options->draw.quiet || options->draw.colouring != colourByGroup ||
                 subject->isChart || subject->draw == drawDensity;
    for (int32_t i = 0; !isAny && i < recording->personCount; ++i)
        isAny = recording->people[i].group >= 0;
    if (!isAny)
        appSay("note: nobody in '%s' is in a group, so that --colour group shows one colour",
               reel->name);
}

static ExitCode render(const char* name, const Subject* subject, RenderOptions* options)
{
    Reel reel;
    char path[4096];
    const SourceDef def = {
        .recording = options->recording, .live = {.until = INFINITY}, .use = options->use};
    appWatchInterrupts();
    ExitCode code = appOpenReel(&reel, name, &def);
    if (code != exitDone)
        return code;
    const bool isFrame = subject->draw == drawFrame;
    snprintf(path, sizeof path, "%s%s%s.png", reel.title, isFrame ? "" : "-",
             isFrame ? "" : subject->name);
    if (options->draw.output == NULL) {
        options->draw.output = path;
        code = !appNoteOutput("--output", path) ? exitUsage
               : !appCanWrite(path)             ? exitEnvironment
                                                : exitDone;
    }
    if (code == exitDone)
        code = subject->draw(&reel, options);
    if (code == exitDone)
        noteGroups(&reel, options, subject);
    appCloseReel(&reel);
    return code;
}

static ExitCode runRender(const Command* self, int argc, char** argv)
{
    RenderOptions options = {
        .as = "frame",
        .draw = {.at = WHENEVER,
                 .from = WHENEVER,
                 .to = WHENEVER,
                 .trails = 5.0,
                 .smooth = 0.4,
                 .fps = 25.0,
                 .speed = 1.0},
        .moments = 6,
        .use.seed = -1,
    };
    const char* name;
    const Parsed parsed = appParseOptions(self, argc, argv, &options, &name);
    ExitCode code = appExitOfParsed(parsed);
    if (parsed == parsedWell) {
        const Subject* subject = readOptions(&options);
        code = subject != NULL ? render(name, subject, &options) : exitUsage;
    }
    appFreeOptions(self, &options);
    return code;
}

const Command appRenderCommand = {
    .name = "render",
    .operand = "FILE",
    .about = "draw a recording or a scene: pictures, charts, films",
    .details =
        "FILE is a recording, or a scene: a file, or the name of one that comes with the\n"
        "program ('throng list'), which is run meanwhile. WHAT is one of\n"
        "  frame     everybody at a time; as .mp4 or .gif a film\n"
        "  paths     everybody's way\n"
        "  density   a map of the mean density\n"
        "  lapse     several moments side by side\n"
        "  counts    how many have crossed each line, over time\n"
        "  flow      people a second across each line, over time\n"
        "  arrivals  the share that has arrived or left, over time\n"
        "  diagram   speed over density in each area, beside Weidmann's curve\n"
        "People have the colour of their group where somebody is in one, else of the goal\n"
        "they head for; where there are none or many, a colour that tells where they\n"
        "started. Those who have arrived are paler.\n"
        "Exit code: 0 done, 1 interrupted, 2 bad usage or a bad scene, 3 a file, memory or no\n"
        "ffmpeg, which films need.\n",
    .options = renderOptions,
    .run = runRender,
};
