// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lineage/commit_text.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/lineage/provenance.h"
#include "core/model/measurement/pair_ladder.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace tilewright {
namespace {

constexpr std::size_t longestName = 64, longestRationale = 4000, longestField = 200; ///< bytes

/// A score is a ratio to it: of its children a gain would say the same twice.
constexpr CandidateId baseline{1};

/// On one line, without what git reads as the end of a name.
std::string nameText(std::string_view text)
{
    std::string name = oneLine(text, longestName);
    std::erase_if(name, [](char c) { return c == '<' || c == '>'; });
    return std::string(trimmed(name));
}

/// Letters, digits and "._-" of a name in lower case; others become "-".
std::string mailboxOf(std::string_view name)
{
    std::string box = lowered(name);
    for (char& c : box)
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_'))
            c = '-';
    while (!box.empty() && (box.front() == '-' || box.front() == '.'))
        box.erase(box.begin());
    while (!box.empty() && (box.back() == '-' || box.back() == '.'))
        box.pop_back();
    return box.empty() ? "unknown" : box;
}

void addTrailer(std::string& text, const char* key, const std::string& value)
{
    if (!value.empty())
        text += std::string("Tilewright-") + key + ": " + oneLine(value, longestField) + "\n";
}

/// "1.923 [1.901, 1.944]": plain figures for scripts.
std::string plainFigure(const std::optional<Interval>& interval)
{
    if (!interval)
        return {};
    constexpr int digits = 5;
    return numberText(interval->value) == "0" ? std::string()
                                              : generalText(interval->value, digits) + " ["
            + generalText(interval->lo, digits) + ", " + generalText(interval->hi, digits) + "]";
}

std::string namesOf(const std::vector<CandidateId>& ids)
{
    std::vector<std::string> names;
    for (const CandidateId id : ids)
        names.push_back(candidateName(id));
    return joined(names, ", ");
}

/// Without lines that would be read as trailers, and without control characters.
std::string rationaleOf(const Proposal& proposal)
{
    std::string text = printable(withUnixLineEnds(proposal.reasoning));
    if (text.size() > longestRationale) {
        std::size_t end = longestRationale; // not inside of a character
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
            --end;
        text = text.substr(0, end) + "…";
    }
    std::string quoted;
    for (const std::string_view line : splitLines(text))
        quoted += std::string(line.starts_with("Tilewright-") ? "> " : "") + std::string(trimmedRight(line)) + "\n";
    return std::string(trimmed(quoted));
}

std::string messageOf(const RunState& state, const Candidate& candidate, const std::string& subject)
{
    std::string text = subject + "\n\n";
    const Proposal* proposal = state.proposal(candidate.proposal);
    if (proposal)
        if (const std::string rationale = rationaleOf(*proposal); !rationale.empty())
            text += rationale + "\n\n";
    if (proposal && !proposal->claim.empty())
        text += "Expected: " + oneLine(proposal->claim, longestRationale) + "\n\n";
    const Provenance provenance = provenanceOf(state, candidate);
    addTrailer(text, "Candidate", candidateName(candidate.id));
    addTrailer(text, "Island", islandLetter(candidate.island));
    addTrailer(text, "Parents", namesOf(candidate.parents));
    addTrailer(text, "Tuned-From", candidate.tunedFrom ? candidateName(candidate.tunedFrom) : "");
    addTrailer(text, "Proposer", provenance.proposer);
    addTrailer(text, "Model", provenance.author == provenance.proposer ? "" : provenance.author);
    addTrailer(text, "Focus", proposal ? nameOf(proposal->focus) : "");
    addTrailer(text, "Prompt", promptText(provenance));
    // Not how many edits shared it, which is known only once all of the reply was read: the request tells.
    addTrailer(text, "Request", provenance.modelRequest ? std::to_string(provenance.modelRequest.value) : "");
    addTrailer(text, "Cost", costText(provenance));
    return text;
}

std::string measurementLine(const RunState& state, const Evaluation& evaluation, const EvaluationTimes& times)
{
    const EvaluationResult& result = evaluation.result;
    const auto at = times.find(evaluation.id);
    std::string line = (at == times.end() ? "" : at->second.substr(0, 19) + "Z ") + nameOf(result.purpose) + ": ";
    std::vector<std::string> parts;
    if (result.outcome != Outcome::Ranked || !result.score)
        parts.push_back(nameOf(result.outcome) + (result.rule.empty() ? "" : " (" + result.rule + ")"));
    if (result.score)
        parts.push_back(timesText(*result.score) + " of the baseline");
    if (result.versusIncumbent && evaluation.against && evaluation.against != evaluation.candidate)
        parts.push_back(timesText(*result.versusIncumbent) + " of " + candidateName(originOf(state, evaluation.against))
            + ", " + nameOf(result.verdict));
    const Candidate* candidate = state.candidate(evaluation.candidate);
    if (result.vsVendor)
        parts.push_back(timesText(*result.vsVendor) + " of the vendor library");
    if (result.heldoutScore && candidate && candidate->confirmed) // held-out figures are told once it is confirmed
        parts.push_back(timesText(*result.heldoutScore) + " of the baseline on held-out shapes");
    if (!evaluation.device.empty())
        parts.push_back("on " + evaluation.device);
    return oneLine(line + joined(parts, "; "), longestRationale);
}

} // namespace

GitPerson authorPerson(const RunState& state, const Candidate& candidate)
{
    const Provenance provenance = provenanceOf(state, candidate);
    std::string name = nameText(provenance.author);
    if (name.empty())
        name = "unknown";
    return {name, mailboxOf(name) + "@tilewright.invalid"}; // RFC 2606: a domain that nobody can have
}

GitPerson committerPerson() { return {"Tilewright", "tilewright@tilewright.invalid"}; }

std::string programFileName(const Task& task)
{
    if (task.target == Target::Cpp)
        return "program.cpp";
    if (task.target == Target::Cuda)
        return "program.cu";
    std::string extension
        = task.sources.empty() ? "" : std::filesystem::path(task.sources.front()).extension().string();
    std::erase_if(extension, [](char c) {
        const char l = lowered(c);
        return !((l >= 'a' && l <= 'z') || (c >= '0' && c <= '9') || c == '.');
    });
    return "program" + (extension.size() > 1 ? extension : ".txt");
}

std::int64_t secondsOf(const std::string& atUtc)
{
    constexpr std::size_t length = sizeof "2026-11-23T23:00:25" - 1;
    if (atUtc.size() < length)
        return 0;
    bool isDigits = true;
    const auto number = [&](std::size_t at, std::size_t digits) {
        int value = 0;
        for (std::size_t i = at; i < at + digits; ++i) {
            isDigits = isDigits && atUtc[i] >= '0' && atUtc[i] <= '9';
            value = value * 10 + (atUtc[i] - '0');
        }
        return value;
    };
    using namespace std::chrono;
    const year_month_day date{
        year{number(0, 4)}, month{static_cast<unsigned>(number(5, 2))}, day{static_cast<unsigned>(number(8, 2))}};
    const seconds time = hours{number(11, 2)} + minutes{number(14, 2)} + seconds{number(17, 2)};
    return isDigits && date.ok() ? duration_cast<seconds>(sys_days(date).time_since_epoch() + time).count() : 0;
}

std::string admittedMessage(const RunState& state, const Candidate& candidate)
{
    std::vector<std::string> figures;
    if (candidate.score)
        figures.push_back(ratioText(candidate.score->value));
    const auto gain = versusParent(state, candidate);
    if (gain && gain->parent != baseline)
        figures.push_back(gainText(gain) + (gain->isWithinNoise() ? " of " : " vs ") + candidateName(gain->parent));
    std::string text = messageOf(state, candidate,
        candidateName(candidate.id) + " " + titleOf(state, candidate)
            + (figures.empty() ? "" : " (" + joined(figures, ", ") + ")"));
    addTrailer(text, "Outcome", nameOf(candidate.outcome));
    addTrailer(text, "Score", plainFigure(candidate.score));
    addTrailer(text, "Gain", gain ? plainFigure(gain->ratio) + " over " + candidateName(gain->parent) : "");
    return text;
}

std::string keptMessage(const RunState& state, const Candidate& candidate)
{
    return messageOf(
        state, candidate, candidateName(candidate.id) + " " + titleOf(state, candidate) + " (not admitted)");
}

std::string noteText(const RunState& state, const Candidate& candidate, const EvaluationTimes& times)
{
    std::vector<const Evaluation*> evaluations;
    for (const Evaluation* at = state.evaluation(candidate.newest); at; at = state.evaluation(at->before))
        evaluations.push_back(at);
    const bool isRejected = candidate.stage == Stage::Rejected;
    if (evaluations.empty() && !isRejected)
        return {};
    std::ranges::reverse(evaluations);
    std::string text;
    for (const Evaluation* evaluation : evaluations)
        text += measurementLine(state, *evaluation, times) + "\n";
    if (isRejected)
        text += "rejected" + (candidate.text.empty() ? "" : ": " + oneLine(candidate.text, longestRationale)) + "\n";
    text += "\n";
    addTrailer(text, "Outcome", nameOf(candidate.outcome) + (candidate.rule.empty() ? "" : " " + candidate.rule));
    addTrailer(text, "Score", candidate.isRanked() ? plainFigure(candidate.score) : "");
    addTrailer(text, "Confirmed", candidate.confirmed ? "yes" : "no");
    addTrailer(text, "Disputed", candidate.disputed ? "yes" : "");
    return text;
}

std::string islandBranch(IslandId island) { return "island-" + islandLetter(island); }

std::string bestTag(std::size_t number, CandidateId candidate)
{
    constexpr std::size_t digits = 3;
    const std::string text = std::to_string(number);
    return "best-" + std::string(digits - std::min(digits, text.size()), '0') + text + "-" + candidateName(candidate);
}

} // namespace tilewright
