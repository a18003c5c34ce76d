// SPDX-License-Identifier: GPL-3.0-or-later
// What was found in a program that failed, in words by which its author can find the place: the compiler's messages
// with the lines that they are about, and the element that was wrong. Pure.
#pragma once

#include "core/model/task/task.h"

#include <string>
#include <string_view>

namespace tilewright {

/// A compiler's message with the program's own file name in the place of the name that it was compiled under,
/// "candidate.cpp" or "candidate.cu", where the message begins with one.
std::string underItsName(std::string_view message, const std::string& fileName);

/// A compiler's log with the line of the program under each message that names one, each message as underItsName() has
/// it. Cut at a line after about 4 000 bytes.
std::string logWithLines(const std::string& log, const std::string& program, const std::string& fileName);

/// A check's evidence, a line each: the element with what was computed and what is right, what its shape is like, and
/// further figures. A shape that prompts do not show is told by classes of its sizes. Empty where there is none.
/// `rule`: "verify/norm".
std::string evidenceText(std::string_view rule, const nlohmann::json& evidence, const Task& task);

/// Whether what was computed is no sum of anything that was given: memory that was read before it was written.
bool looksUnwritten(std::string_view rule, const nlohmann::json& evidence);

} // namespace tilewright
