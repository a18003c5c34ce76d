// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"

#include <algorithm>

namespace tilewright {
namespace {

constexpr bool isBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

} // namespace

std::vector<std::string_view> splitLines(std::string_view text)
{
    std::vector<std::string_view> lines;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = text.find('\n', start);
        lines.push_back(text.substr(start, end == std::string_view::npos ? end : end - start));
        if (end == std::string_view::npos)
            break;
        start = end + 1;
    }
    return lines;
}

std::string_view trimmedRight(std::string_view text)
{
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    return trimmedRight(text);
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator)
{
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0)
            text += separator;
        text += parts[i];
    }
    return text;
}

std::string counted(std::int64_t count, std::string_view one, std::string_view many)
{
    return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

std::string lowered(std::string_view text)
{
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](char c) { return lowered(c); });
    return result;
}

std::string uppered(std::string_view text)
{
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](char c) { return uppered(c); });
    return result;
}

std::string withUnixLineEnds(std::string_view text)
{
    std::string unixText;
    unixText.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\r')
            unixText += text[i];
        else if (i + 1 >= text.size() || text[i + 1] != '\n')
            unixText += '\n';
    }
    return unixText;
}

std::size_t sequenceLength(std::string_view bytes)
{
    if (bytes.empty())
        return 0;
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const unsigned char lead = at(0);
    if (lead < 0x80)
        return 1;
    const std::size_t length = lead >= 0xf0 && lead < 0xf5 ? 4
        : lead >= 0xe0 && lead < 0xf0                      ? 3
        : lead >= 0xc2 && lead < 0xe0                      ? 2
                                                           : 0;
    if (length == 0 || bytes.size() < length)
        return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((at(i) & 0xc0) != 0x80)
            return 0;
    const bool overlong = (lead == 0xe0 && at(1) < 0xa0) || (lead == 0xf0 && at(1) < 0x90);
    const bool surrogate = lead == 0xed && at(1) >= 0xa0;
    const bool tooLarge = lead == 0xf4 && at(1) >= 0x90;
    return overlong || surrogate || tooLarge ? 0 : length;
}

std::string printable(std::string_view bytes)
{
    std::string text;
    text.reserve(bytes.size());
    while (!bytes.empty()) {
        const std::size_t length = sequenceLength(bytes);
        const unsigned char lead = static_cast<unsigned char>(bytes[0]);
        if (length == 0)
            text += "\xef\xbf\xbd";
        else if (length == 1 && (lead < 0x20 || lead == 0x7f) && lead != '\t' && lead != '\n')
            text += ' ';
        else
            text.append(bytes.substr(0, length));
        bytes.remove_prefix(length == 0 ? 1 : length);
    }
    return text;
}

namespace {

/// C1, the marks and the embeddings of directions, line and paragraph separators, the byte order mark.
bool isUnseen(std::string_view sequence)
{
    const auto at = [sequence](std::size_t i) { return static_cast<unsigned char>(sequence[i]); };
    if (sequence.size() == 2)
        return at(0) == 0xc2 && at(1) < 0xa0;
    if (sequence.size() != 3)
        return false;
    const bool isGeneral
        = at(0) == 0xe2 && at(1) == 0x80 && (at(2) == 0x8e || at(2) == 0x8f || (at(2) >= 0xa8 && at(2) <= 0xae));
    const bool isIsolate = at(0) == 0xe2 && at(1) == 0x81 && at(2) >= 0xa6 && at(2) <= 0xa9;
    return isGeneral || isIsolate || sequence == "\xef\xbb\xbf";
}

} // namespace

std::string oneLine(std::string_view bytes, std::size_t most)
{
    std::string text;
    bool isApart = false;
    while (!bytes.empty()) {
        const std::size_t length = std::max<std::size_t>(sequenceLength(bytes), 1);
        const std::string one = printable(bytes.substr(0, length));
        bytes.remove_prefix(length);
        if (one == " " || one == "\t" || one == "\n" || isUnseen(one)) {
            isApart = !text.empty();
            continue;
        }
        if (text.size() + one.size() + (isApart ? 1 : 0) > most)
            return text + "…";
        text += (isApart ? " " : "") + one;
        isApart = false;
    }
    return text;
}

std::string shellQuoted(std::string_view word)
{
    constexpr std::string_view plainSigns = "-_./:=+,@%";
    const bool isPlain = !word.empty() && std::ranges::all_of(word, [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
            || plainSigns.find(c) != std::string_view::npos;
    });
    if (isPlain)
        return std::string(word);
    std::string quoted = "'";
    for (const char c : word)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

} // namespace tilewright
