// SPDX-License-Identifier: GPL-3.0-or-later
// What a subcommand of tilewright-cli is: a name, a line for --help and a function. The table of all stands in
// main.cpp.
#pragma once

#include "core/base/result.h"

#include <QStringList>
#include <string>
#include <vector>

namespace tilewright::cli {

/// CONTRACT §7.
enum ExitCode {
    Done = 0,
    Internal = 1,
    Usage = 2,
    PatchRefused = 3,
    RefusedByRule = 4,
    BuildOrRunFailed = 5,
    Missing = 6,
    Locked = 7,
    Interrupted = 130,
};

struct Subcommand {
    const char* name;
    const char* summary;
    /// Arguments after the command's name; the exit code.
    int (*run)(const QStringList& arguments);
};

/// One clear line on standard error, the hint included.
void complain(const Error& error);
void complain(const std::string& text);

/// The exit code that fits an error's code ("session/locked" → 7).
int exitCodeOf(const std::string& errorCode);
/// One JSON object and a line end on standard output.
void printJson(const nlohmann::json& json);

} // namespace tilewright::cli
