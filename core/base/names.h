// SPDX-License-Identifier: Apache-2.0
// One table for the names of an enumeration, read in both directions.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tilewright {

template <typename Enum, std::size_t N> using NameTable = std::array<std::pair<Enum, std::string_view>, N>;

template <typename Enum, std::size_t N> std::string nameIn(const NameTable<Enum, N>& table, Enum value)
{
    for (const auto& [known, name] : table)
        if (known == value)
            return std::string(name);
    return "unknown";
}

template <typename Enum, std::size_t N>
std::optional<Enum> valueIn(const NameTable<Enum, N>& table, std::string_view name)
{
    for (const auto& [value, known] : table)
        if (known == name)
            return value;
    return std::nullopt;
}

} // namespace tilewright
