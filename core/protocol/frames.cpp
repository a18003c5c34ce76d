// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/frames.h"

#include "core/base/json_text.h"

#include <cstdint>

namespace tilewright {

std::string encodeFrame(const nlohmann::json& json)
{
    const std::string text = dumped(json);
    std::string frame;
    frame.reserve(text.size() + 4);
    for (int shift = 0; shift < 32; shift += 8)
        frame += static_cast<char>(text.size() >> shift & 0xff);
    return frame += text;
}

std::string encodeBlob(const Hash& hash, std::string_view bytes)
{
    return encodeFrame({{"op", "blob"}, {"hash", hash.hex()}, {"bytes", bytes.size()}}).append(bytes);
}

Result<std::optional<Frame>> FrameReader::next()
{
    const std::string_view pending = std::string_view(m_pending).substr(m_read);
    if (pending.size() < 4)
        return std::nullopt;
    std::size_t length = 0;
    for (std::size_t i = 0; i < 4; ++i)
        length |= std::size_t(static_cast<unsigned char>(pending[i])) << (8 * i);
    if (length > m_largest)
        return fail("protocol/too-long", "a frame announces " + std::to_string(length) + " bytes");
    if (pending.size() < 4 + length)
        return std::nullopt;
    Frame frame;
    frame.json = parsedJson(pending.substr(4, length));
    if (!frame.json.is_object())
        return fail("protocol/json", "a frame holds no JSON object");
    std::size_t whole = 4 + length;
    if (frame.json.value("op", nlohmann::json()) == "blob") {
        const nlohmann::json announced = frame.json.value("bytes", nlohmann::json());
        if (!announced.is_number_unsigned() || announced.get<std::size_t>() > m_largest)
            return fail("protocol/too-long", "a blob frame announces an invalid size");
        const auto bytes = announced.get<std::size_t>();
        if (pending.size() < whole + bytes)
            return std::nullopt;
        frame.blob = pending.substr(whole, bytes);
        whole += bytes;
        if (sha256(frame.blob).hex() != frame.json.value("hash", ""))
            return fail("protocol/blob-hash", "a blob does not have the announced hash");
    }
    m_read += whole;
    if (m_read > m_pending.size() / 2) {
        m_pending.erase(0, m_read);
        m_read = 0;
    }
    return frame;
}

} // namespace tilewright
