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
    /// From now on redacted wherever it stands: as it is, escaped for JSON, percent-encoded. Shorter than 6
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

// Where keys hide: names that announce one, and texts that look like one. Used to refuse what a user wrote before it
// gets into a file; what is refused is never repeated. Pure.

/// The name of a header, or of a query's parameter, that carries a credential: "x-api-key", "api-key", "apiKey",
/// "access_token", "Authorization", "Cookie", "sig" … The words count, in any case: "max_tokens" and "monkey" do not.
bool namesACredential(std::string_view name);

/// The text begins as providers' keys do ("sk-", "AIza" …), or holds a run of letters and digits that nobody chose.
bool looksLikeAKey(std::string_view text);

/// Whether any parameter of a URL's query or fragment carries a credential, by its name or by its value.
bool carriesACredential(const std::string& url);

/// Why a header must not be set by hand; empty if it may be. The value is never repeated, the name only where it is a
/// known one.
std::string objectionToHeader(const std::string& name, const std::string& value);

} // namespace tilewright
