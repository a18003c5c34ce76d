// SPDX-License-Identifier: Apache-2.0
// Bounds-checked views into a file that may be hostile: a compiled program must not lead its reader astray. Pure.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright {

class BoundedBytes
{
public:
    explicit BoundedBytes(std::string_view bytes)
        : m_bytes(bytes)
    {
    }

    /// Nothing where it does not lie inside whole.
    template <typename T> std::optional<T> read(std::uint64_t offset) const
    {
        T value;
        if (offset > m_bytes.size() || m_bytes.size() - offset < sizeof value)
            return std::nullopt;
        std::memcpy(&value, m_bytes.data() + offset, sizeof value);
        return value;
    }
    /// Empty where it does not lie inside whole.
    std::string_view part(std::uint64_t offset, std::uint64_t size) const
    {
        return offset > m_bytes.size() || size > m_bytes.size() - offset ? std::string_view()
                                                                         : m_bytes.substr(offset, size);
    }

private:
    std::string_view m_bytes;
};

/// One text of a table of texts that end in zeros; nothing behind its end.
inline std::optional<std::string> textAt(std::string_view strings, std::uint64_t offset)
{
    if (offset >= strings.size())
        return std::nullopt;
    strings = strings.substr(offset);
    return std::string(strings.substr(0, strings.find('\0')));
}

} // namespace tilewright
