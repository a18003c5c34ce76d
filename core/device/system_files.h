// SPDX-License-Identifier: GPL-3.0-or-later
// Small files of sysfs, procfs and cgroupfs: read whole, or as one number.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

namespace tilewright {

/// Empty where the file cannot be read.
inline std::string contentOf(const std::filesystem::path& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The whole number that a file begins with.
inline std::optional<std::int64_t> numberIn(const std::filesystem::path& path)
{
    std::int64_t number = 0;
    return std::ifstream(path) >> number ? std::optional(number) : std::nullopt;
}

} // namespace tilewright
