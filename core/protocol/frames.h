// SPDX-License-Identifier: Apache-2.0
// Frames on a byte stream: 4-byte little-endian length, then UTF-8 JSON. A blob is a JSON frame
// {"op":"blob","hash":…,"bytes":N} followed by N raw bytes. Pure: bytes in, frames out.
#pragma once

#include "core/base/hash.h"
#include "core/base/result.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright {

constexpr std::size_t largestFrame = std::size_t(64) << 20;

std::string encodeFrame(const nlohmann::json& json);
std::string encodeBlob(const Hash& hash, std::string_view bytes);

struct Frame {
    nlohmann::json json;
    std::string blob; ///< raw bytes, for op "blob" only; their hash was checked
};

/// Collects bytes and hands out whole frames.
class FrameReader
{
public:
    /// A stream that needs only small frames may say so: what announces more is refused before it is collected.
    explicit FrameReader(std::size_t largest = largestFrame)
        : m_largest(largest)
    {
    }
    void append(std::string_view bytes) { m_pending.append(bytes); }
    /// The next whole frame, nothing if more bytes are needed. Errors: protocol/too-long, protocol/json,
    /// protocol/blob-hash; after an error the stream is unusable.
    Result<std::optional<Frame>> next();

private:
    std::size_t m_largest;
    std::string m_pending;
    std::size_t m_read = 0;
};

// Content addresses in frames: hexadecimal digits, "" for none.

inline std::string hexOf(const Hash& hash) { return hash.isNull() ? std::string() : hash.hex(); }
/// A frame without this key is malformed: throws what nlohmann::json throws. (Events have a hashAt of their own, which
/// does not.)
inline Hash requiredHashAt(const nlohmann::json& json, const char* key)
{
    return Hash::fromHex(json.at(key).get<std::string>());
}
/// Null where the key is absent.
inline Hash hashIn(const nlohmann::json& json, const char* key) { return Hash::fromHex(json.value(key, "")); }

} // namespace tilewright
