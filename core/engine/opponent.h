// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that a candidate is timed beside: what fails of them is no fault of the candidate. Pure.
#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>

namespace tilewright {

/// Which of the programs that were timed together an error is about: "candidate", "incumbent", "baseline", "vendor", …
std::string contestantOf(const Error& error);

/// device/opponent for an error of a program other than the candidate; nothing for one of the candidate.
std::optional<Error> troubleOfOpponent(const Error& error);

} // namespace tilewright
