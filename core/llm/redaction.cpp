// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/redaction.h"

#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/llm/json_access.h"

#include <QByteArray>
#include <algorithm>

namespace tilewright {
namespace {

constexpr std::string_view blot = "[key]";
constexpr std::size_t shortestSecret = 6;

bool endsToken(char c)
{
    return static_cast<unsigned char>(c) <= ' ' || std::string_view("\"'<>&,;\\`").find(c) != std::string_view::npos;
}

std::size_t findWithoutCase(std::string_view text, std::string_view words, std::size_t from)
{
    const auto found = std::search(text.begin() + static_cast<std::ptrdiff_t>(std::min(from, text.size())), text.end(),
        words.begin(), words.end(), [](char a, char b) { return lowered(a) == b; });
    return found == text.end() ? std::string_view::npos : static_cast<std::size_t>(found - text.begin());
}

/// Blots the token that follows each occurrence of `words`.
void blotAfter(std::string& text, std::string_view words)
{
    std::size_t from = 0;
    while ((from = findWithoutCase(text, words, from)) != std::string::npos) {
        std::size_t begin = from + words.size();
        while (begin < text.size() && (text[begin] == ' ' || text[begin] == '"'))
            ++begin;
        std::size_t end = begin;
        while (end < text.size() && !endsToken(text[end]))
            ++end;
        if (end - begin >= shortestSecret)
            text.replace(begin, end - begin, blot);
        from = begin;
    }
}

/// "//user:password@host" → "//user:[key]@host".
void blotPasswords(std::string& text)
{
    for (std::size_t from = 0; (from = text.find("//", from)) != std::string::npos; from += 2) {
        const std::size_t end = text.find_first_of("/ \t\r\n\"'<>", from + 2);
        const std::string_view authority = std::string_view(text).substr(
            from + 2, end == std::string::npos ? std::string_view::npos : end - from - 2);
        const std::size_t at = authority.rfind('@'), colon = authority.find(':');
        if (at == std::string_view::npos || colon == std::string_view::npos || colon > at)
            continue;
        text.replace(from + 2 + colon + 1, at - colon - 1, blot);
    }
}

} // namespace

void Redactor::learn(std::string_view secret)
{
    if (secret.size() < shortestSecret)
        return;
    const std::string plain(secret);
    const std::string quoted = dumped(nlohmann::json(plain));
    std::string slashed;
    for (const char c : quoted.substr(1, quoted.size() - 2))
        slashed += c == '/' ? std::string("\\/") : std::string(1, c);
    const QByteArray percent = QByteArray::fromStdString(plain).toPercentEncoding();
    for (const std::string& form : {plain, quoted.substr(1, quoted.size() - 2), slashed, percent.toStdString()})
        if (std::ranges::find(m_forms, form) == m_forms.end())
            m_forms.push_back(form);
    std::ranges::stable_sort(m_forms, [](const auto& a, const auto& b) { return a.size() > b.size(); });
}

std::string Redactor::withoutSecrets(std::string_view text) const
{
    std::string clean(text);
    for (const std::string& form : m_forms)
        for (std::size_t at = 0; (at = clean.find(form, at)) != std::string::npos; at += blot.size())
            clean.replace(at, form.size(), blot);
    return clean;
}

std::string Redactor::redacted(std::string_view text) const
{
    std::string clean = withoutSecrets(text);
    for (const std::string_view words : {"bearer ", "x-api-key:", "x-goog-api-key:", "?key=", "&key="})
        blotAfter(clean, words);
    blotPasswords(clean);
    return clean;
}

nlohmann::json Redactor::redactedJson(const nlohmann::json& json) const
{
    if (json.is_string())
        return redacted(json.get<std::string>());
    if (json.is_array()) {
        nlohmann::json list = nlohmann::json::array();
        for (const nlohmann::json& item : json)
            list.push_back(redactedJson(item));
        return list;
    }
    if (json.is_object()) {
        nlohmann::json object = nlohmann::json::object();
        for (const auto& [key, value] : json.items())
            object[redacted(key)] = redactedJson(value);
        return object;
    }
    return json;
}

std::string keyFingerprint(std::string_view key, std::string_view salt)
{
    return hmacSha256(salt, key).hex().substr(0, 8);
}

} // namespace tilewright
