// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli blame: which candidate brought each line of a program.
#include "core/lineage/blame.h"
#include "app/cli/cli_options.h"
#include "app/cli/subcommands.h"
#include "core/base/text.h"
#include "core/model/measurement/dispute.h"
#include "core/store/session_reader.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

namespace tilewright::cli {
namespace {

const Synopsis blameSynopsis{"blame", " FILE CANDIDATE [--json]",
    "For each line of a candidate's program (c-0012, or best): the candidate that introduced it, the proposer or "
    "model, the\nprompt version, its cost, and the measured gain of that candidate over its parent.",
    {{"--json", Value::None, nullptr, "print one JSON object on standard output"}},
    {{Done, "shown"}, {Internal, "internal error"}, {Usage, "usage, not a session file, or no such candidate"},
        {Missing, "session file missing"}},
    2};

struct Blamed {
    Blame blame;
    std::string dispute; ///< of the candidate; "" for none
};

Result<Blamed> blameIn(const std::string& path, const std::string& name)
{
    auto reader = SessionReader::open(path);
    const auto state = reader ? (*reader)->load() : std::unexpected(reader.error());
    if (!state)
        return std::unexpected(state.error());
    const Candidate* candidate = name == "best" ? state->best() : state->candidate(candidateFromName(name));
    if (!candidate)
        return name == "best"
            ? fail("candidate/unknown", "the session has no confirmed best", "name a candidate: c-0012")
            : fail("candidate/unknown", "the session has no candidate " + oneLine(name, 80),
                "'show FILE --all' lists them");
    auto blame = blameOf(*state, candidate->id, [&](const Hash& hash) { return (*reader)->text(hash); });
    if (!blame)
        return std::unexpected(blame.error());
    return Blamed{std::move(*blame), disputeText(*state, *candidate)};
}

nlohmann::json candidateJson(const Blame& blame, const Provenance& each)
{
    using Json = nlohmann::json;
    const auto& gain = each.gain;
    return {{"title", blame.titles.at(each.candidate)}, {"proposer", each.proposer},
        {"model", each.author == each.proposer ? Json(nullptr) : Json(each.author)},
        {"prompt", each.prompt.empty() ? Json(nullptr) : Json(each.prompt)},
        {"prompt_version", each.promptVersion ? Json(*each.promptVersion) : Json(nullptr)},
        {"prompt_text", each.promptText.isNull() ? Json(nullptr) : Json(each.promptText.hex())},
        {"model_request", each.modelRequest ? Json(each.modelRequest.value) : Json(nullptr)},
        {"cost_usd", each.costMicroUsd ? Json(static_cast<double>(*each.costMicroUsd) * 1e-6) : Json(nullptr)},
        {"edits_of_the_reply", each.sharedBy > 0 ? Json(each.sharedBy) : Json(nullptr)},
        {"gain",
            gain ? Json{{"over", candidateName(gain->parent)}, {"ratio", gain->ratio.json()},
                {"within_noise", gain->isWithinNoise()}, {"paired", gain->paired}}
                 : Json(nullptr)}};
}

nlohmann::json blameJson(const std::string& path, const Blamed& blamed)
{
    const Blame& blame = blamed.blame;
    nlohmann::json lines = nlohmann::json::array(), candidates = nlohmann::json::object();
    const std::vector<std::string_view> texts = splitLines(blame.origins.text);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const LineOrigin& origin = blame.origins.lines[i];
        lines.push_back({{"line", i + 1}, {"candidate", candidateName(origin.candidate)},
            {"line_there", origin.line + 1}, {"text", printable(texts[i])}});
    }
    for (const auto& [id, each] : blame.provenance)
        candidates[candidateName(id)] = candidateJson(blame, each);
    return {{"session", path}, {"candidate", candidateName(blame.candidate)},
        {"disputed", blamed.dispute.empty() ? nlohmann::json(nullptr) : nlohmann::json(blamed.dispute)},
        {"lines", std::move(lines)}, {"candidates", std::move(candidates)}};
}

/// Width on a terminal of what these tables hold: one column a character.
std::size_t widthOf(std::string_view text)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width)
{
    return text + std::string(width - std::min(width, widthOf(text)), ' ');
}

std::string orDash(const std::string& text) { return text.empty() ? "–" : text; }

std::string blameText(const Blamed& blamed)
{
    const Blame& blame = blamed.blame;
    constexpr std::size_t columns = 5, longestCell = 32;
    using Row = std::array<std::string, columns>;
    const Row head{"candidate", "by", "prompt", "cost", "gain"};
    std::map<CandidateId, Row> rows;
    std::array<std::size_t, columns> widths{};
    const auto widen = [&](const Row& row) {
        for (std::size_t i = 0; i < columns; ++i)
            widths[i] = std::max(widths[i], widthOf(row[i]));
    };
    widen(head);
    for (const auto& [id, each] : blame.provenance) {
        const std::string gain = gainText(each.gain);
        rows[id] = {candidateName(id), oneLine(each.author, longestCell), orDash(promptText(each)),
            orDash(sharedCostText(each)), gain.empty() ? "–" : gain + " (" + candidateName(each.gain->parent) + ")"};
        widen(rows[id]);
    }
    const std::vector<std::string_view> texts = splitLines(blame.origins.text);
    const std::size_t numbers = std::max<std::size_t>(4, std::to_string(texts.size()).size());
    const auto lineOf = [&](const Row& row, const std::string& number, std::string_view text) {
        std::string line;
        for (std::size_t i = 0; i < columns; ++i)
            line += padded(row[i], widths[i]) + "  ";
        line += std::string(numbers - std::min(numbers, number.size()), ' ') + number + "  " + printable(text);
        return std::string(trimmedRight(line)) + "\n";
    };
    std::string all = (blamed.dispute.empty() ? "" : blamed.dispute + "\n\n") + lineOf(head, "line", "");
    for (std::size_t i = 0; i < texts.size(); ++i)
        all += lineOf(rows[blame.origins.lines[i].candidate], std::to_string(i + 1), texts[i]);
    return all;
}

} // namespace

int blame(const QStringList& arguments)
{
    const auto [options, code] = Options::parse(blameSynopsis, arguments);
    if (!options)
        return code;
    const std::string& path = options->positionals()[0];
    const auto blame = blameIn(path, options->positionals()[1]);
    if (!blame) {
        complain(blame.error());
        return exitCodeOf(blame.error().code);
    }
    if (options->has("--json"))
        printJson(blameJson(path, *blame));
    else
        std::fputs(blameText(*blame).c_str(), stdout);
    return Done;
}

} // namespace tilewright::cli
