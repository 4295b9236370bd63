// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

#include "run/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t interrupted;

static void takeNote(int number)
{
    (void)number;
    interrupted = 1;
    // The next one, of either kind, ends the program.
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
}

// A signal that is ignored stays so: shells start jobs in the background like that, because Ctrl-C
// is not meant for them.
static void watch(int number)
{
    struct sigaction before, action = {.sa_handler = takeNote, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

void appWatchInterrupts(void)
{
    watch(SIGINT);
    watch(SIGTERM);
}

bool appWasInterrupted(void)
{
    return interrupted != 0;
}
