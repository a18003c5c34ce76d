// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/control/edit_command.h"

#include "core/control/command_form.h"
#include "core/control/control_commands.h"

#include <QPointer>

namespace tilewright {
namespace {

/// The one candidate that the request names; none where it names several, or no text.
CandidateId editedIn(const nlohmann::json& request)
{
    const auto names = request.find("candidates");
    const bool isOne = names != request.end() && names->is_array() && names->size() == 1 && names->front().is_string();
    return isOne && !textAt(request, "text").empty() ? candidateFromName(names->front().get<std::string>())
                                                     : CandidateId{};
}

nlohmann::json notApproved(const EditCheck& check, const std::string& command)
{
    const bool isBroken = check.end == EditCheckEnd::Broken;
    const std::string hint
        = isBroken ? "correct it and repeat '" + command + "': no decision was made" : check.why.hint;
    return {{"ok", false}, {"code", check.why.code},
        {"text", isBroken ? "the text does not build: " + check.why.text : check.why.text}, {"hint", hint},
        {"line", check.line}};
}

} // namespace

bool isEdit(const nlohmann::json& request)
{
    const std::string command = request.is_object() ? textAt(request, "do") : std::string();
    return command == "edit" || (command == "approve" && request.contains("text"));
}

void answerEdit(Engine& engine, const nlohmann::json& request, const std::function<void(const nlohmann::json&)>& answer)
{
    const CandidateId candidate = editedIn(request);
    if (!candidate)
        return answer(obey(engine, request)); // which says what is wrong with it
    const queries::CheckEdit query{candidate, textAt(request, "text"), EditAs::Replacement};
    engine.ask(query, [engine = QPointer(&engine), request, answer](const QueryAnswer& made) {
        if (!engine)
            return;
        const auto& check = std::get<EditCheck>(made);
        if (!check.isGood())
            return answer(notApproved(check, textAt(request, "do")));
        nlohmann::json said = obey(*engine, request);
        if (check.end == EditCheckEnd::Untried && said.value("ok", false))
            said["unbuilt"] = check.why.text;
        answer(said);
    });
}

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
        return answer(refusedListing(usageError("unknown form '" + wanted + "'; use ptx, sass or assembly")));
    engine.ask(queries::ListingOf{candidate, form}, [answer](const QueryAnswer& answered) {
        const auto& made = std::get<ListingAnswer>(answered);
        answer(made.error.code.empty() ? nlohmann::json{{"ok", true}, {"listing", made.listing.json()}}
                                       : refusedListing(made.error));
    });
}

} // namespace tilewright
