// SPDX-License-Identifier: GPL-3.0-or-later
// What the driver without libFuzzer starts from, one set for each fuzz target.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern const std::vector<std::string> builtInTexts; ///< without the first byte, which is drawn
extern const std::vector<std::string> insertedPieces;
