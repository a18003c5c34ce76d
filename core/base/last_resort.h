// SPDX-License-Identifier: Apache-2.0
// What happens to an exception that nothing else catches: the program says what failed and ends with an exit code,
// instead of an abort without a word.
#pragma once

#include <exception>
#include <string>

namespace tilewright {

/// What the exception says about itself; "an exception of an unknown type" where it says nothing.
std::string whatFailed(const std::exception_ptr& exception);
/// One line about it for a terminal.
std::string lastResortLine(const std::string& program, const std::exception_ptr& exception);

/// From now on an exception that leaves main(), a thread or a noexcept function prints that line to standard error and
/// ends the process with this exit code.
void installLastResort(const char* program, int exitCode);

// Who gets the processor first. Any thread.

/// From now on this thread gets the processor after those that a user waits for; it cannot be undone. Where a
/// processor is free nothing changes.
void giveWay();

} // namespace tilewright
