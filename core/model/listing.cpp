// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/listing.h"

#include "core/base/names.h"

namespace tilewright {
namespace {

constexpr NameTable<ListingForm, 3> listingFormNames{
    {{ListingForm::Ptx, "ptx"}, {ListingForm::Sass, "sass"}, {ListingForm::Assembly, "assembly"}}};

} // namespace

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
        {"is_measured", isKnown ? nlohmann::json(code == ListedCode::Measured) : nlohmann::json(nullptr)},
        {"text", text}, {"instructions", instructions}, {"lines", lines}, {"left_out", leftOut}, {"tool", tool},
        {"compiler", compiler}};
}

Listing Listing::fromJson(const nlohmann::json& json)
{
    Listing listing;
    listing.form = listingFormFromName(json.at("form").get<std::string>()).value_or(ListingForm::Assembly);
    // What is not known to be the measured code is not called that.
    if (const auto found = json.find("is_measured"); found != json.end() && found->is_boolean())
        listing.code = found->get<bool>() ? ListedCode::Measured : ListedCode::Other;
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
