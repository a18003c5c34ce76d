// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llm/mended_json.h"

#include "core/base/format.h"
#include "core/base/text.h"

#include <charconv>
#include <optional>

namespace tilewright {
namespace {

constexpr std::string_view replacement = "\\ufffd";

/// The code unit of "\uXXXX" at this place.
std::optional<unsigned> unitAt(std::string_view text, std::size_t at)
{
    if (text.substr(at, 2) != "\\u" || at + 6 > text.size())
        return std::nullopt;
    unsigned unit = 0;
    const char* const end = text.data() + at + 6;
    const auto [stop, problem] = std::from_chars(text.data() + at + 2, end, unit, 16);
    return problem == std::errc() && stop == end ? std::optional(unit) : std::nullopt;
}

bool isHigh(unsigned unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool isLow(unsigned unit) { return unit >= 0xdc00 && unit < 0xe000; }

class Mender
{
public:
    explicit Mender(std::string_view text)
        : m_text(text)
    {
    }

    std::string mended()
    {
        m_result.reserve(m_text.size());
        while (m_at < m_text.size()) {
            if (m_text[m_at] == '"')
                takeString();
            else if (isWordPart(m_text[m_at]))
                takeWord();
            else
                m_result += m_text[m_at++];
        }
        return std::move(m_result);
    }

private:
    static bool isWordPart(char c)
    {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '-'
            || c == '.' || c == '_';
    }

    void takeString()
    {
        m_result += m_text[m_at++];
        while (m_at < m_text.size() && m_text[m_at] != '"') {
            if (m_text[m_at] == '\\')
                takeEscape();
            else
                takeCharacter();
        }
        if (m_at < m_text.size())
            m_result += m_text[m_at++];
    }

    void takeEscape()
    {
        const auto unit = unitAt(m_text, m_at);
        if (!unit) {
            const char escaped = m_at + 1 < m_text.size() ? m_text[m_at + 1] : '\0';
            const bool isKnown = std::string_view("\"\\/bfnrt").find(escaped) != std::string_view::npos;
            if (!isKnown || escaped == '\0') {
                m_result += "\\\\"; // "\d" of somebody who escapes by hand
                ++m_at;
                return;
            }
            m_result += m_text.substr(m_at, 2);
            m_at += 2;
            return;
        }
        const auto next = isHigh(*unit) ? unitAt(m_text, m_at + 6) : std::nullopt;
        if (next && isLow(*next)) {
            m_result += m_text.substr(m_at, 12);
            m_at += 12;
            return;
        }
        m_result += isHigh(*unit) || isLow(*unit) ? replacement : m_text.substr(m_at, 6);
        m_at += 6;
    }

    void takeCharacter()
    {
        const std::size_t length = sequenceLength(m_text.substr(m_at));
        const auto byte = static_cast<unsigned char>(m_text[m_at]);
        if (length == 0) {
            m_result += replacement;
        } else if (byte < 0x20) {
            constexpr std::string_view digits = "0123456789abcdef";
            m_result.append("\\u00") += digits[byte >> 4];
            m_result += digits[byte & 15];
        } else {
            m_result += m_text.substr(m_at, length);
        }
        m_at += length == 0 ? 1 : length;
    }

    void takeWord()
    {
        std::size_t end = m_at;
        while (end < m_text.size() && isWordPart(m_text[end]))
            ++end;
        const std::string_view word = m_text.substr(m_at, end - m_at);
        m_at = end;
        const bool isNumber = !word.starts_with('+') && decimalOf(word).has_value();
        if (word == "true" || word == "false" || word == "null" || isNumber)
            m_result += word;
        else if (word == "True" || word == "False")
            m_result += lowered(word);
        else
            m_result += "null";
    }

    std::string_view m_text;
    std::string m_result;
    std::size_t m_at = 0;
};

} // namespace

std::string mendedJson(std::string_view text) { return Mender(text).mended(); }

} // namespace tilewright
