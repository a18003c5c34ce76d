// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text_file.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <cstdio>
#include <optional>

namespace tilewright {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view byteOrderMark = "\xef\xbb\xbf";

/// An encoding of wider units that the first bytes announce.
std::string_view announcedEncoding(std::string_view bytes)
{
    if (bytes.starts_with("\xff\xfe\0\0"sv))
        return "UTF-32 (little-endian)";
    if (bytes.starts_with("\0\0\xfe\xff"sv))
        return "UTF-32 (big-endian)";
    if (bytes.starts_with("\xff\xfe"sv))
        return "UTF-16 (little-endian)";
    if (bytes.starts_with("\xfe\xff"sv))
        return "UTF-16 (big-endian)";
    return {};
}

std::string inHex(unsigned char byte)
{
    char text[8];
    std::snprintf(text, sizeof text, "0x%02x", byte);
    return text;
}

/// What is wrong with the bytes at a place where no UTF-8 sequence begins.
std::string whatIsWrong(std::string_view bytes)
{
    const auto at = [&](std::size_t i) { return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u; };
    const bool isContinued = (at(1) & 0xc0) == 0x80;
    if (at(0) == 0xc0 || at(0) == 0xc1 || (isContinued && at(0) == 0xe0 && at(1) < 0xa0)
        || (isContinued && at(0) == 0xf0 && at(1) < 0x90))
        return "an overlong form";
    if (isContinued && at(0) == 0xed)
        return "half of a surrogate pair";
    if (at(0) > 0xf4)
        return "a byte that no UTF-8 text holds";
    if (isContinued && at(0) == 0xf4 && at(1) >= 0x90)
        return "beyond the last character of Unicode";
    if (at(0) >= 0xc2)
        return "a character that is cut short";
    return "a byte that begins no character";
}

struct Fault {
    std::size_t line = 1, offset = 0; ///< line from 1, offset in bytes from 0
    std::string what; ///< "the byte 0xe4 (a character that is cut short)"
    bool isBinary = false; ///< a zero byte
};

std::optional<Fault> firstFault(std::string_view bytes)
{
    Fault fault;
    while (fault.offset < bytes.size()) {
        const std::string_view rest = bytes.substr(fault.offset);
        const std::size_t length = sequenceLength(rest);
        if (length == 0 || rest[0] == '\0') {
            fault.isBinary = length != 0;
            fault.what = fault.isBinary
                ? "a zero byte"
                : "the byte " + inHex(static_cast<unsigned char>(rest[0])) + " (" + whatIsWrong(rest) + ")";
            return fault;
        }
        fault.line += rest[0] == '\n' || (rest[0] == '\r' && !rest.substr(1).starts_with('\n'));
        fault.offset += length;
    }
    return std::nullopt;
}

} // namespace

Result<void> checkText(std::string_view bytes, const std::string& name)
{
    const std::string shown = printable(name);
    if (const std::string_view encoding = announcedEncoding(bytes); !encoding.empty())
        return fail("file/not-text", shown + " is " + std::string(encoding) + ", not UTF-8 (line 1, byte offset 0)",
            "save it as UTF-8", {{"line", 1}, {"offset", 0}, {"encoding", encoding}});
    const auto fault = firstFault(bytes);
    if (!fault)
        return {};
    const nlohmann::json evidence{{"line", fault->line}, {"offset", fault->offset}, {"found", fault->what}};
    const std::string place
        = "line " + std::to_string(fault->line) + ", byte offset " + std::to_string(fault->offset) + ": ";
    if (fault->isBinary)
        return fail("file/not-text", shown + " is a binary file, not a text: " + place + fault->what,
            "choose a text file in UTF-8", evidence);
    return fail("file/not-text", shown + " is not UTF-8: " + place + fault->what,
        "save it as UTF-8, in the editor or with 'iconv -f ENCODING -t UTF-8'", evidence);
}

Result<std::string> textOf(std::string_view bytes, const std::string& name)
{
    if (auto checked = checkText(bytes, name); !checked)
        return std::unexpected(checked.error());
    if (bytes.starts_with(byteOrderMark))
        bytes.remove_prefix(byteOrderMark.size());
    return withUnixLineEnds(bytes);
}

Result<std::string> readTextFile(const std::filesystem::path& path, std::size_t largest)
{
    const auto bytes = readFile(path, largest);
    return bytes ? textOf(*bytes, path.string()) : std::unexpected(bytes.error());
}

} // namespace tilewright
