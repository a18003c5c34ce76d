// SPDX-License-Identifier: GPL-3.0-or-later
// Keys never reach a file, a log or the screen, not even where a server sends them back: every text passes here. Pure.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

class Redactor
{
public:
    /// From now on blotted out wherever it stands: as it is, escaped for JSON, percent-encoded. Shorter than 6
    /// characters it is no key but a word.
    void learn(std::string_view secret);
    /// The text with every known secret replaced by "[key]" and nothing else touched: for replies, whose bytes matter.
    std::string withoutSecrets(std::string_view text) const;
    /// Also what follows "Bearer ", "x-api-key:", "x-goog-api-key:", "?key=", "&key=" and the password of an address
    /// ("//user:…@"), known or not: for messages.
    std::string redacted(std::string_view text) const;
    /// Every text inside, member names too.
    nlohmann::json redactedJson(const nlohmann::json& json) const;

private:
    std::vector<std::string> m_forms; ///< longest first
};

/// Eight hexadecimal digits that tell two keys apart and say nothing about them.
std::string keyFingerprint(std::string_view key, std::string_view salt);

} // namespace tilewright
