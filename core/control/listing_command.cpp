// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/control/listing_command.h"

#include "core/control/request.h"

namespace tilewright {
namespace {

nlohmann::json refusedListing(const Error& error)
{
    return {{"ok", false}, {"code", error.code}, {"text", error.text}, {"hint", error.hint}};
}

} // namespace

void answerListing(
    Engine& engine, const nlohmann::json& request, const std::function<void(const nlohmann::json&)>& answer)
{
    const auto names = request.find("candidates");
    const bool isOne = names != request.end() && names->is_array() && names->size() == 1 && names->front().is_string();
    const CandidateId candidate = isOne ? candidateFromName(names->front().get<std::string>()) : CandidateId{};
    if (!candidate)
        return answer(refusedListing(usageError("a listing takes one candidate, named as c-0012")));
    const std::string wanted = textAt(request, "form");
    const auto form = listingFormFromName(wanted);
    if (!form && !wanted.empty())
        return answer(refusedListing(usageError("there is no form '" + wanted + "': ptx, sass or assembly")));
    engine.ask(queries::ListingOf{candidate, form}, [answer](const QueryAnswer& answered) {
        const auto& made = std::get<ListingAnswer>(answered);
        answer(made.error.code.empty() ? nlohmann::json{{"ok", true}, {"listing", made.listing.json()}}
                                       : refusedListing(made.error));
    });
}

} // namespace tilewright
