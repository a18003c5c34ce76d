// SPDX-License-Identifier: GPL-3.0-or-later
// The malformations of replies that are mended, and those that must be refused, as changes to good replies; each with
// how many inputs a test must make of it and how many of them must apply.
#pragma once

#include "tests/patch/random_edits.h"

#include <functional>

namespace tilewright::testing {

/// SEARCH/REPLACE blocks have no signs that could be wrong.
enum class Forms { All, WithSigns };

struct Malformation {
    const char* name;
    /// The diff spoiled; as it was where there is nothing in it to spoil. Empty: the diff stays.
    std::function<Lines(Lines diff, CounterRandom& random)> spoil;
    /// The finished reply spoiled. Empty: it stays.
    std::function<std::string(const std::string& reply)> wrap;
    int leastInputs = 100; ///< spoiled replies that must be made of it
    int leastApplied = 90; ///< percent of them that must apply
    int mostApplied = 100; ///< 0: every one must be refused
    Forms forms = Forms::All;
};

/// In an order in which two of them can be made one after the other: of what changes, of context, of lines, of hunks,
/// of signs, of what stands around.
const std::vector<Malformation>& malformations();

} // namespace tilewright::testing
