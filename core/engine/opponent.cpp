// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/opponent.h"

namespace tilewright {

std::string contestantOf(const Error& error)
{
    return error.evidence.is_object() ? error.evidence.value("contestant", "candidate") : "candidate";
}

std::optional<Error> troubleOfOpponent(const Error& error)
{
    const std::string who = contestantOf(error);
    if (who == "candidate")
        return std::nullopt;
    return Error{"device/opponent",
        "the " + who + ", which candidates are measured against, failed: " + error.code + ", " + error.text,
        who == "vendor" ? "is the vendor library all right, and does the task fit it?"
                        : "its figures cannot be relied on: measure it again by itself",
        error.evidence};
}

} // namespace tilewright
