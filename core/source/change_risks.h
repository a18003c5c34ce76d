// SPDX-License-Identifier: GPL-3.0-or-later
// What about an edit a user should look at before it is measured, read from the two texts alone. Pure.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// Changed lines above which an edit counts as a large one: a replaced line is one.
constexpr int largeChange = 40;

/// What the risk of a large change ends with, after their number.
constexpr std::string_view linesOfCode = " changed lines of code";

/// Each kind of risk once, in words for a user: "changes types: float → half", "57 changed lines". Empty for an edit
/// that has none. Reads C++ and CUDA; comments and indentation do not
/// count.
std::vector<std::string> changeRisks(std::string_view before, std::string_view after);

/// Parts of the hardware that a program asks for by name: "wgmma", "tensor memory accelerator", "thread block
/// clusters", "cooperative launch".
std::set<std::string> hardwareFeatures(std::string_view program);

} // namespace tilewright
