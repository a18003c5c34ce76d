// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/control/candidate_requests.h"

#include "core/control/command_form.h"

#include <algorithm>

namespace tilewright {
namespace {

using Json = nlohmann::json;

/// The command that sets the candidate's marks to what `change` makes of them.
template <typename Change> CandidateCommand changed(const RunState& run, CandidateId candidate, const Change& change)
{
    Marks marks = run.marksOf(candidate);
    change(marks);
    return commands::SetMarks{candidate, std::move(marks)};
}

Result<CandidateCommand> star(const Json&, const RunState& run, CandidateId candidate)
{
    return changed(run, candidate, [](Marks& marks) { marks.starred = true; });
}

Result<CandidateCommand> unstar(const Json&, const RunState& run, CandidateId candidate)
{
    return changed(run, candidate, [](Marks& marks) { marks.starred = false; });
}

Result<CandidateCommand> pin(const Json&, const RunState& run, CandidateId candidate)
{
    return changed(run, candidate, [](Marks& marks) { marks.pinned = true; });
}

Result<CandidateCommand> unpin(const Json&, const RunState& run, CandidateId candidate)
{
    return changed(run, candidate, [](Marks& marks) { marks.pinned = false; });
}

Result<CandidateCommand> ban(const Json&, const RunState& run, CandidateId candidate)
{
    return changed(run, candidate, [](Marks& marks) { marks.banned = true; });
}

Result<CandidateCommand> unban(const Json&, const RunState& run, CandidateId candidate)
{
    return changed(run, candidate, [](Marks& marks) { marks.banned = false; });
}

Result<CandidateCommand> tag(const Json& request, const RunState& run, CandidateId candidate)
{
    const std::string word = textAt(request, "tag");
    if (word.empty())
        return std::unexpected(usageError("no tag given; use --tag WORD"));
    return changed(run, candidate, [&](Marks& marks) { marks.tags.push_back(word); });
}

Result<CandidateCommand> untag(const Json& request, const RunState& run, CandidateId candidate)
{
    const std::string word = textAt(request, "tag");
    if (word.empty())
        return std::unexpected(usageError("no tag given; use --tag WORD"));
    const auto& tags = run.marksOf(candidate).tags;
    if (candidate && run.candidate(candidate) && std::ranges::find(tags, word) == tags.end())
        return fail("mark/none", candidateName(candidate) + " has no tag '" + word + "'");
    return changed(run, candidate, [&](Marks& marks) { std::erase(marks.tags, word); });
}

Result<CandidateCommand> note(const Json& request, const RunState& run, CandidateId candidate)
{
    const std::string text = textAt(request, "text");
    if (text.empty())
        return std::unexpected(usageError("the note is empty: use --text TEXT, or remove the note with unnote"));
    return changed(run, candidate, [&](Marks& marks) { marks.note = text; });
}

Result<CandidateCommand> unnote(const Json&, const RunState& run, CandidateId candidate)
{
    return changed(run, candidate, [](Marks& marks) { marks.note.clear(); });
}

Result<CandidateCommand> boost(const Json& request, const RunState& run, CandidateId candidate)
{
    if (!request.contains("weight") || !request.at("weight").is_number())
        return std::unexpected(
            usageError("no weight given; use --weight W: above 1 more often, below 1 less often, 1 = default"));
    const double weight = request.at("weight").get<double>();
    return changed(run, candidate, [&](Marks& marks) { marks.boost = weight; });
}

Result<CandidateCommand> unmark(const Json&, const RunState&, CandidateId candidate)
{
    return commands::UndoMarks{candidate};
}

Result<CandidateCommand> more(const Json& request, const RunState&, CandidateId candidate)
{
    return commands::RequestEdits{candidate, request.value("count", 1), {}};
}

Result<CandidateCommand> idea(const Json& request, const RunState&, CandidateId candidate)
{
    const std::string text = textAt(request, "text");
    if (text.empty())
        return std::unexpected(usageError("no idea given; use --text TEXT"));
    return commands::RequestEdits{candidate, request.value("count", 1), text};
}

Result<CandidateCommand> translate(const Json&, const RunState&, CandidateId candidate)
{
    SteeringPrompt prompt;
    prompt.templateName = "translate";
    return commands::RequestEdits{candidate, 1, {}, std::move(prompt)};
}

Result<CandidateCommand> judge(const Json&, const RunState&, CandidateId candidate)
{
    return commands::RequestJudgement{candidate};
}

Result<CandidateCommand> cancelRequest(const Json&, const RunState&, CandidateId candidate)
{
    return commands::CancelRequests{candidate};
}

Result<IslandId> islandNamed(const Json& request, const RunState& run);

Result<CandidateCommand> sentOnce(const Json& request, const RunState& run, CandidateId parent)
{
    const auto island = islandNamed(request, run);
    if (!island)
        return std::unexpected(island.error());
    const std::string name = textAt(request, "name");
    if (name.empty())
        return std::unexpected(
            usageError("no prompt given; name a template: exploit, explore, crossover, translate …"));
    if (request.contains("text") && textAt(request, "text").empty())
        return std::unexpected(usageError("the template is read from --source FILE, which is empty"));
    // Without a text it is the one that holds; an empty one would be another text.
    const std::optional<std::string> text
        = request.contains("text") ? std::optional(textAt(request, "text")) : std::nullopt;
    return commands::SendPrompt{{*island, name, text, parent}};
}

Result<IslandId> islandNamed(const Json& request, const RunState& run)
{
    const std::string letter = textAt(request, "island");
    for (const Island& island : run.islands)
        if (islandLetter(island.id) == letter)
            return island.id;
    if (letter.empty())
        return IslandId{};
    return fail("island/unknown", "the run has no island " + letter);
}

Result<CandidateCommand> placed(const Json& request, const RunState& run, CandidateId candidate, Placing placing)
{
    const auto island = islandNamed(request, run);
    if (!island)
        return std::unexpected(island.error());
    if (!*island)
        return std::unexpected(usageError("no island given; use --island B"));
    return commands::Place{candidate, *island, placing};
}

Result<CandidateCommand> copyTo(const Json& request, const RunState& run, CandidateId candidate)
{
    return placed(request, run, candidate, Placing::Copy);
}

Result<CandidateCommand> moveTo(const Json& request, const RunState& run, CandidateId candidate)
{
    return placed(request, run, candidate, Placing::Move);
}

Result<CandidateCommand> unplace(const Json&, const RunState&, CandidateId candidate)
{
    return commands::UndoPlacement{candidate};
}

Result<CandidateCommand> inject(const Json& request, const RunState& run, CandidateId parent)
{
    const auto island = islandNamed(request, run);
    if (!island)
        return std::unexpected(island.error());
    if (!request.contains("text"))
        return std::unexpected(usageError("no program given; use --source FILE"));
    return commands::Inject{parent, *island, textAt(request, "text"), textAt(request, "reason")};
}

Result<CandidateCommand> withdraw(const Json&, const RunState&, CandidateId candidate)
{
    return commands::Withdraw{candidate};
}

Result<CandidateCommand> rerun(const Json& request, const RunState&, CandidateId candidate)
{
    const std::string name = textAt(request, "against");
    const CandidateId against = candidateFromName(name);
    if (!name.empty() && !against)
        return fail("candidate/unknown", "'" + name + "' is not a candidate's name", "candidates are named as c-0012");
    return commands::Rerun{
        candidate, request.value("repeats", 1), against, textAt(request, "shapes"), textAt(request, "device")};
}

Result<CandidateCommand> unrun(const Json&, const RunState&, CandidateId candidate)
{
    return commands::CancelReruns{candidate};
}

} // namespace

const std::vector<CandidateRequest>& candidateRequests()
{
    static const std::vector<CandidateRequest> table{
        {{"star", "CANDIDATE...", "star them; unstar removes the star"}, star},
        {{"unstar", "CANDIDATE...", "remove the star"}, unstar},
        {{"tag", "CANDIDATE...", "add --tag WORD; untag removes it", "--tag"}, tag},
        {{"untag", "CANDIDATE...", "remove --tag WORD", "--tag"}, untag},
        {{"note", "CANDIDATE...", "set --text TEXT as note; unnote removes it", "--text"}, note},
        {{"unnote", "CANDIDATE...", "remove the note"}, unnote},
        {{"pin", "CANDIDATE...", "keep them in their island's population, as parents; unpin ends this"}, pin},
        {{"unpin", "CANDIDATE...", "allow them to leave their island's population again"}, unpin},
        {{"ban", "CANDIDATE...", "exclude them as parents, inspirations, migrants and partners; unban ends this"}, ban},
        {{"unban", "CANDIDATE...", "end the ban"}, unban},
        {{"boost", "CANDIDATE...", "multiply their lineages' chance to be parents by --weight W (1 = default)",
             "--weight"},
            boost},
        {{"unmark", "CANDIDATE...", "undo the last change of their marks"}, unmark},
        {{"more", "CANDIDATE...", "request an edit of it next; --count N for several", "--count"}, more},
        {{"idea", "CANDIDATE...", "add --text TEXT as an idea to the next prompt about it", "--text --count"}, idea},
        {{"translate", "CANDIDATE...", "request a program written anew from the task's reference, once"}, translate},
        {{"judge", "CANDIDATE...", "request a model's opinion of the edit; it decides nothing"}, judge},
        {{"send", "TEMPLATE [CANDIDATE]", "send this prompt about it, or the best, once; --source FILE for its text",
             "--source --island"},
            sentOnce, false},
        {{"cancel-request", "CANDIDATE...", "cancel requested edits that were not sent yet"}, cancelRequest},
        {{"copy", "CANDIDATE...", "add a copy to --island B", "--island"}, copyTo},
        {{"move", "CANDIDATE...", "move it to --island B", "--island"}, moveTo},
        {{"unplace", "COPY...", "undo a copy or move; use the name of the copy"}, unplace},
        {{"inject", "[PARENT]", "add --source FILE as a candidate, as an edit of PARENT or the seed",
             "--source --island --reason"},
            inject, false},
        {{"withdraw", "CANDIDATE...", "undo an added candidate, until its measurement starts"}, withdraw},
        {{"rerun", "CANDIDATE...",
             "measure it again, or get a quick result while it is pending review; --repeats N times the samples, "
             "--against C, --shapes WORDS, --device D",
             "--repeats --against --shapes --device"},
            rerun},
        {{"profile", "CANDIDATE...", "measure it again; on a GPU with profiler counters",
             "--repeats --against --shapes --device"},
            rerun},
        {{"unrun", "CANDIDATE...", "cancel its pending measurements"}, unrun},
    };
    return table;
}

} // namespace tilewright
