// SPDX-FileCopyrightText: 2026 The throng authors
// SPDX-License-Identifier: MIT

// What --version prints: the version, and what the program was built with.

#ifndef THRONG_APPS_VERSION_H
#define THRONG_APPS_VERSION_H

void appPrintVersion(void);

#endif
