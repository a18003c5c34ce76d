// SPDX-License-Identifier: Apache-2.0
#include "core/model/measurement/listing.h"

#include "core/base/names.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tilewright {
namespace {

constexpr NameTable<ListingForm, 3> listingFormNames{
    {{ListingForm::Ptx, "ptx"}, {ListingForm::Sass, "sass"}, {ListingForm::Assembly, "assembly"}}};

bool isHex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

std::size_t hexDigits(std::string_view text)
{
    return static_cast<std::size_t>(std::ranges::find_if_not(text, isHex) - text.begin());
}

/// "  1044:\tjne    1070 <run+0x70>" of objdump and "  /*0040*/  IMAD R1, R2;" of the disassemblers of SASS begin with
/// an address; "0000000000001040 <run>:" as well.
std::string_view withoutLeadingAddress(std::string_view line)
{
    const std::size_t blanks = std::min(line.find_first_not_of(" \t"), line.size());
    std::string_view rest = line.substr(blanks);
    if (rest.starts_with("/*")) {
        const std::size_t digits = hexDigits(rest.substr(2));
        return digits > 0 && rest.substr(2 + digits).starts_with("*/") ? rest.substr(4 + digits) : line;
    }
    const std::size_t digits = hexDigits(rest);
    if (digits == 0)
        return line;
    rest.remove_prefix(digits);
    return rest.starts_with(":") ? rest.substr(1) : rest.starts_with(" <") ? rest.substr(1) : line;
}

/// "jne 1070 <run+0x70>" becomes "jne <run>", "[rip+0x2fd1]" "[rip]".
std::string withoutTargets(std::string_view line)
{
    std::string text;
    while (!line.empty()) {
        const std::size_t name = line.find(" <"), data = line.find("[rip");
        const std::size_t at = std::min({name, data, line.size()});
        std::string_view before = line.substr(0, at);
        line.remove_prefix(at);
        if (at == data) {
            (text += before) += "[rip";
            line.remove_prefix(std::min(line.find(']'), line.size()));
        } else if (at == name) {
            const std::size_t end = std::min(line.rfind('>'), line.size()); // names of templates hold others
            while (!before.empty() && isHex(before.back()))
                before.remove_suffix(1);
            (text += before) += line.substr(1, std::min(line.rfind("+0x", end), end) - 1);
            line.remove_prefix(end);
        } else {
            text += before;
        }
    }
    return text;
}

/// "@P0 BRA 0x1a0 ;" becomes "@P0 BRA ;".
std::string withoutBranchTarget(std::string_view line)
{
    const std::size_t at = line.rfind(" 0x");
    const bool isBranch = std::ranges::any_of(std::array{"BRA", "BSSY", "BSYNC", "CALL", "JMP"},
        [line](const char* name) { return line.find(name) != std::string_view::npos; });
    if (!isBranch || at == std::string_view::npos)
        return std::string(line);
    const std::string_view end = line.substr(at + 3);
    return std::string(line.substr(0, at)) + std::string(end.substr(hexDigits(end)));
}

std::string comparableLine(std::string_view line, ListingForm form)
{
    if (form == ListingForm::Ptx)
        return std::string(line);
    line = withoutLeadingAddress(line);
    return form == ListingForm::Sass ? withoutBranchTarget(line) : withoutTargets(line);
}

} // namespace

std::string comparableText(const Listing& listing)
{
    std::string text;
    bool isFirst = true;
    for (const std::string_view line : splitLines(listing.text)) {
        const bool isBlankAtFirst = text.empty() && trimmed(line).empty();
        if (!std::exchange(isFirst, false) && !isBlankAtFirst)
            text += comparableLine(line, listing.form) + '\n';
    }
    return text;
}

std::string nameOf(ListingForm form) { return nameIn(listingFormNames, form); }
std::optional<ListingForm> listingFormFromName(std::string_view name) { return valueIn(listingFormNames, name); }

const std::vector<ListingForm>& listingFormsOf(Target target)
{
    static const std::vector<ListingForm> none, cpu{ListingForm::Assembly}, gpu{ListingForm::Ptx, ListingForm::Sass};
    return target == Target::Cpp ? cpu : target == Target::Cuda ? gpu : none;
}

std::string titleOf(ListingForm form)
{
    return form == ListingForm::Ptx ? "PTX" : form == ListingForm::Sass ? "SASS" : "assembly";
}

nlohmann::json Listing::json() const
{
    const bool isKnown = code != ListedCode::Unknown;
    return {{"form", nameOf(form)},
        {"is_as_built", isKnown ? nlohmann::json(code == ListedCode::AsBuilt) : nlohmann::json(nullptr)},
        {"text", text}, {"instructions", instructions}, {"lines", lines}, {"left_out", leftOut}, {"tool", tool},
        {"compiler", compiler}};
}

Listing Listing::fromJson(const nlohmann::json& json)
{
    Listing listing;
    listing.form = listingFormFromName(json.at("form").get<std::string>()).value_or(ListingForm::Assembly);
    // What is not known to be the measured code is not called that.
    if (const auto found = json.find("is_as_built"); found != json.end() && found->is_boolean())
        listing.code = found->get<bool>() ? ListedCode::AsBuilt : ListedCode::Other;
    listing.text = json.at("text").get<std::string>();
    listing.instructions = json.value("instructions", std::vector<std::pair<std::string, std::int64_t>>{});
    listing.lines = json.value("lines", std::int64_t(0));
    listing.leftOut = json.value("left_out", std::int64_t(0));
    listing.tool = json.value("tool", "");
    listing.compiler = json.value("compiler", "");
    return listing;
}

std::string instructionWords(const Listing& listing, std::size_t most)
{
    std::string words;
    std::int64_t others = 0;
    for (std::size_t i = 0; i < listing.instructions.size(); ++i) {
        const auto& [kind, count] = listing.instructions[i];
        if (i >= most)
            others += count;
        else
            words += (i == 0 ? "" : ", ") + kind + " " + std::to_string(count);
    }
    if (others > 0)
        words += ", others " + std::to_string(others);
    return words;
}

} // namespace tilewright
