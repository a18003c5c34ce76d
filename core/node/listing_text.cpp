// SPDX-License-Identifier: Apache-2.0
#include "core/node/listing_text.h"

#include "core/base/text.h"

#include <algorithm>
#include <map>
#include <set>

namespace tilewright {
namespace {

bool isLower(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }
bool isUpper(char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }
bool isHexDigit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

/// "name" of objdump's "0000000000001000 <name>:"; empty for other lines.
std::string_view functionOf(std::string_view line)
{
    const std::size_t open = line.find(" <");
    if (open == std::string_view::npos || open == 0 || !line.ends_with(">:")
        || !std::ranges::all_of(line.substr(0, open), isHexDigit))
        return {};
    return line.substr(open + 2, line.size() - open - 4);
}

/// What stands behind "  1040:\t" of objdump.
std::string_view instructionOfObjdump(std::string_view line)
{
    const std::string_view text = trimmed(line);
    const std::size_t colon = text.find(":\t");
    if (colon == std::string_view::npos || colon == 0 || !std::ranges::all_of(text.substr(0, colon), isHexDigit))
        return {};
    return trimmed(text.substr(colon + 2));
}

/// What stands behind the address of a line of SASS, "/*0040*/", and its predicate.
std::string_view instructionOfSass(std::string_view line)
{
    std::string_view text = trimmed(line);
    const std::size_t end = text.find("*/");
    if (!text.starts_with("/*") || end < 3 || end == std::string_view::npos
        || !std::ranges::all_of(text.substr(2, end - 2), isHexDigit))
        return {};
    text = trimmed(text.substr(end + 2));
    if (text.starts_with('{')) // issued together with the next
        text = trimmed(text.substr(1));
    if (text.starts_with('@'))
        text = trimmed(text.substr(std::min(text.find(' '), text.size())));
    return text;
}

std::string_view wordOf(std::string_view text, bool (*belongs)(char))
{
    return text.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(text, belongs) - text.begin()));
}

using Counts = std::map<std::string, std::int64_t, std::less<>>;

void countAssembly(std::string_view text, Counts& counts)
{
    static const std::set<std::string_view> prefixes{
        "bnd", "cs", "data16", "ds", "es", "fs", "gs", "lock", "notrack", "rep", "repnz", "repz", "ss"};
    for (const std::string_view line : splitLines(text)) {
        std::string_view rest = instructionOfObjdump(line);
        std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
        while (prefixes.contains(word) && word.size() < rest.size()) {
            rest = trimmed(rest.substr(word.size()));
            word = rest.substr(0, rest.find_first_of(" \t"));
        }
        if (!word.empty() && isLower(word.front()))
            ++counts[std::string(word)];
    }
}

void countSass(std::string_view text, Counts& counts)
{
    for (const std::string_view line : splitLines(text))
        if (const std::string_view word = wordOf(instructionOfSass(line), isUpper); !word.empty())
            ++counts[std::string(word)];
}

/// "ld.shared" of "ld.shared.v4.f32", "fma" of "fma.rn.f32"; empty where it is no instruction.
std::string kindOfPtx(std::string_view statement)
{
    statement = trimmed(statement);
    if (statement.starts_with('@'))
        statement = trimmed(statement.substr(std::min(statement.find_first_of(" \t"), statement.size())));
    const std::string_view name = wordOf(statement, isLower);
    if (name.empty() || (name.front() >= '0' && name.front() <= '9') || name.front() == '_')
        return {};
    const std::string_view rest = statement.substr(name.size());
    if (!rest.empty() && rest.front() != '.' && rest.front() != ' ' && rest.front() != '\t')
        return {};
    std::string kind(name);
    for (const std::string_view space : {"global", "shared", "local", "const", "param"})
        if (const std::size_t at = rest.find(space); at != std::string_view::npos && at > 0 && rest[at - 1] == '.'
            && at < rest.find_first_of(" \t") && (name == "ld" || name == "st" || name == "atom" || name == "red"))
            return kind + "." + std::string(space);
    return kind;
}

/// The text without its comments.
std::string withoutComments(std::string_view text)
{
    std::string plain;
    bool isOpen = false;
    for (std::string_view line : splitLines(text)) {
        while (!line.empty()) {
            if (isOpen) {
                const std::size_t end = line.find("*/");
                isOpen = end == std::string_view::npos;
                line = isOpen ? std::string_view() : line.substr(end + 2);
                continue;
            }
            const std::size_t at = std::min(line.find("//"), line.find("/*"));
            plain += line.substr(0, at);
            isOpen = at != std::string_view::npos && line[at + 1] == '*';
            line = isOpen ? line.substr(at + 2) : std::string_view();
        }
        plain += '\n';
    }
    return plain;
}

/// Statements end with ';'; braces that begin one are blocks, others are part of it.
void countPtx(std::string_view text, Counts& counts)
{
    const std::string plain = withoutComments(text);
    std::string statement;
    int depth = 0;
    for (const char c : plain) {
        const bool begins = trimmed(statement).empty();
        if (c == '{' && (depth == 0 || begins)) {
            ++depth;
            statement.clear();
        } else if (c == '}' && begins && depth > 0) {
            --depth;
            statement.clear();
        } else if (c == ';') {
            if (depth > 0)
                if (const std::string kind = kindOfPtx(statement); !kind.empty())
                    ++counts[kind];
            statement.clear();
        } else if (c == '\n' && trimmed(statement).ends_with(':')) { // a label
            statement.clear();
        } else {
            statement += c;
        }
    }
}

} // namespace

Result<std::string> readObjdump(std::string_view output)
{
    std::string text;
    std::vector<std::string> leftOut;
    bool isShown = false;
    for (const std::string_view line : splitLines(output)) {
        if (line.starts_with("Disassembly of section ")) {
            isShown = false;
        } else if (const std::string_view name = functionOf(line); !name.empty()) {
            isShown = !name.starts_with("__") && name.find("@plt") == std::string_view::npos;
            if (!isShown)
                leftOut.emplace_back(name);
            else if (!text.empty())
                text += '\n';
        }
        if (isShown && !line.empty())
            (text += trimmedRight(line)) += '\n';
    }
    if (text.empty() && leftOut.empty())
        return fail("tool/output", "objdump shows no function of the program", "",
            {{"output", printable(output.substr(0, 1000))}});
    if (!leftOut.empty()) // a program might hide behind such a name
        text += "\n; Omitted, by name functions of the compiler's library or the linker: " + joined(leftOut, ", ")
            + ".\n";
    return printable(text);
}

Result<std::string> readSass(std::string_view output)
{
    std::string text;
    bool hasInstructions = false;
    for (const std::string_view line : splitLines(output)) {
        std::string_view kept = trimmedRight(line);
        const bool isInstruction = !instructionOfSass(line).empty();
        hasInstructions = hasInstructions || isInstruction;
        if (const std::size_t encoding = kept.rfind("/* 0x"); encoding != std::string_view::npos) {
            kept = trimmedRight(kept.substr(0, encoding));
            if (kept.empty())
                continue; // the encoding's second half
        }
        const bool isGap = kept.empty() && (text.empty() || text.ends_with("\n\n"));
        if (!isGap && !trimmed(kept).starts_with(".......")) // what cuobjdump draws between functions
            (text += kept) += '\n';
    }
    while (text.ends_with("\n\n"))
        text.pop_back();
    if (!hasInstructions)
        return fail("tool/output", "the disassembler shows no instruction", "",
            {{"output", printable(output.substr(0, 1000))}});
    return printable(text);
}

std::vector<std::pair<std::string, std::int64_t>> countInstructions(std::string_view text, ListingForm form)
{
    Counts counts;
    if (form == ListingForm::Ptx)
        countPtx(text, counts);
    else if (form == ListingForm::Sass)
        countSass(text, counts);
    else
        countAssembly(text, counts);
    std::vector<std::pair<std::string, std::int64_t>> list(counts.begin(), counts.end());
    std::ranges::stable_sort(list, std::ranges::greater{}, &std::pair<std::string, std::int64_t>::second);
    return list;
}

Listing listingOf(ListingForm form, const std::string& firstLine, std::string_view text, bool wasCut)
{
    const std::string mark = form == ListingForm::Assembly ? "; " : "// ";
    Listing listing;
    listing.form = form;
    if (!wasCut) // else nobody knows how many there are
        listing.instructions = countInstructions(text, form);
    std::string words = printable(firstLine);
    std::ranges::replace(words, '\n', ' ');
    listing.text = mark + words + "\n\n";
    listing.lines = 2;
    const std::vector<std::string_view> lines = splitLines(text);
    std::size_t taken = 0;
    while (taken < lines.size() && static_cast<std::size_t>(listing.lines) + 1 < mostListingLines
        && listing.text.size() + lines[taken].size() + 200 < mostListingBytes) {
        (listing.text += lines[taken++]) += '\n';
        ++listing.lines;
    }
    listing.leftOut = static_cast<std::int64_t>(lines.size() - taken);
    if (listing.leftOut > 0 || wasCut) {
        const std::string from = std::to_string(static_cast<std::size_t>(listing.lines) + 1);
        listing.text += mark
            + (wasCut ? "The lines from " + from + " on are omitted: the listing is too long."
                      : "Lines " + from + " to "
                        + std::to_string(static_cast<std::size_t>(listing.lines + listing.leftOut)) + ", the last "
                        + std::to_string(lines.size() - taken) + ", are omitted: the listing is too long.")
            + "\n";
        ++listing.lines;
    }
    return listing;
}

} // namespace tilewright
