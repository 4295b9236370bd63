// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// The program `throng`: picks a command, and looks after the standard streams.

#include "commands/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Files that are opened later must not take the place of a standard stream that was closed. The
// stand-ins are opened the wrong way round, so that writing to what was closed is still an error.
static void fillStandardStreams(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; ++file)
        if (fcntl(file, F_GETFD) == -1 &&
            open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY) == -1)
            return;
}

static ExitCode runCommand(int argc, char** argv)
{
    if (argc < 2) {
        appSay("a command is missing; see 'throng help'");
        return exitUsage;
    }
    if (strcmp(argv[1], "--version") == 0) {
        appPrintVersion();
        return exitDone;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return appHelpCommand.run(&appHelpCommand, 0, argv);
    const Command* command = appFindCommand(argv[1]);
    if (command == NULL)
        return exitUsage;
    appSetSpeaker(command->name);
    return command->run(command, argc - 2, argv + 2);
}

int main(int argc, char** argv)
{
    fillStandardStreams();
    // A reader that went away, or a file that may grow no more, is a failed write like any other.
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    const ExitCode code = runCommand(argc, argv);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return (int)code;
    if (errno != EPIPE) // it went away because it had seen enough
        appSay("cannot write the standard output: %s", strerror(errno));
    return exitEnvironment;
}
