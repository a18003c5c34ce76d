// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/redactor.h"

#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/llm/json_access.h"

#include <QByteArray>
#include <QUrl>
#include <QUrlQuery>
#include <algorithm>
#include <array>
#include <vector>

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

namespace {

bool isLower(char c) { return c >= 'a' && c <= 'z'; }
bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isHex(char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool isNameCharacter(char c) { return isLower(c) || isUpper(c) || isDigit(c); }

/// "x-apiKey" → "x", "api", "key".
std::vector<std::string> wordsOf(std::string_view name)
{
    std::vector<std::string> words;
    bool isOpen = false;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool begins = isUpper(name[i]) && i > 0 && isLower(name[i - 1]);
        if (!isNameCharacter(name[i])) {
            isOpen = false;
            continue;
        }
        if (!isOpen || begins)
            words.emplace_back();
        isOpen = true;
        words.back() += lowered(name[i]);
    }
    return words;
}

/// Length of the longest run of characters that are in `belongs`, and what kinds it holds.
template <typename Belongs> std::string_view longestRun(std::string_view text, Belongs belongs)
{
    std::string_view longest;
    for (std::size_t from = 0; from < text.size();) {
        std::size_t end = from;
        while (end < text.size() && belongs(text[end]))
            ++end;
        if (end - from > longest.size())
            longest = text.substr(from, end - from);
        from = end + 1;
    }
    return longest;
}

/// What HTTP itself sets, or what would change how a request is read.
constexpr std::array<std::string_view, 15> ofTheConnection{"accept-encoding", "connection", "content-encoding",
    "content-length", "content-type", "date", "expect", "host", "keep-alive", "proxy-connection", "te", "trailer",
    "transfer-encoding", "upgrade", "via"};

} // namespace

bool namesACredential(std::string_view name)
{
    static constexpr std::array<std::string_view, 17> telling{"apikey", "auth", "authorization", "bearer", "cookie",
        "credential", "credentials", "jwt", "key", "pass", "passwd", "password", "pwd", "secret", "sig", "signature",
        "token"};
    static constexpr std::array<std::string_view, 7> joined{
        "accesskey", "accesstoken", "apitoken", "authkey", "authtoken", "secretkey", "subscriptionkey"};
    return std::ranges::any_of(wordsOf(name), [](const std::string& word) {
        return std::ranges::find(telling, word) != telling.end() || word.ends_with("apikey")
            || std::ranges::any_of(joined, [&word](std::string_view end) { return word.ends_with(end); });
    });
}

bool looksLikeAKey(std::string_view text)
{
    constexpr std::size_t shortestAfterDash = 12, shortest = 20, shortestHex = 32;
    if (text.size() >= shortestAfterDash && text.starts_with("sk-"))
        return true;
    for (const std::string_view beginning :
        {"sk_", "pk_", "rk_", "AIza", "gsk_", "xai-", "hf_", "pplx-", "nvapi-", "ghp_", "github_pat_", "r8_", "eyJ"})
        if (text.size() >= shortest && text.starts_with(beginning))
            return true;
    const std::string_view run = longestRun(text, isNameCharacter);
    const bool isMixed
        = std::ranges::any_of(run, isLower) && std::ranges::any_of(run, isUpper) && std::ranges::any_of(run, isDigit);
    const std::string_view hex = longestRun(text, isHex);
    return (isMixed && run.size() >= shortest) || (hex.size() >= shortestHex && std::ranges::any_of(hex, isDigit));
}

bool carriesACredential(const std::string& url)
{
    const QUrl parts(QString::fromStdString(url).trimmed());
    for (const QString& part : {parts.query(QUrl::FullyDecoded), parts.fragment(QUrl::FullyDecoded)})
        for (const auto& [name, value] : QUrlQuery(part).queryItems(QUrl::FullyDecoded))
            if (namesACredential(name.toStdString()) || looksLikeAKey(name.toStdString())
                || looksLikeAKey(value.toStdString()))
                return true;
    return false;
}

std::string objectionToHeader(const std::string& name, const std::string& value)
{
    constexpr std::string_view besideLetters = "!#$%&'*+-.^_`|~"; // RFC 9110, token
    const bool isName = !name.empty() && std::ranges::all_of(name, [besideLetters](char c) {
        return isNameCharacter(c) || besideLetters.find(c) != std::string_view::npos;
    });
    if (!isName)
        return "contains a name that no header can have";
    if (namesACredential(name) || looksLikeAKey(name) || looksLikeAKey(value))
        return "must not contain a key: set the name of the key in \"key\"";
    if (const std::string low = lowered(name);
        std::ranges::find(ofTheConnection, std::string_view(low)) != ofTheConnection.end())
        return "'" + low + "' is set by the connection itself";
    const bool isText
        = std::ranges::all_of(value, [](unsigned char c) { return c == '\t' || (c >= 0x20 && c != 0x7f); });
    return isText ? std::string() : "a value contains a line break or another control character";
}

} // namespace tilewright
