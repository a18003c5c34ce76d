// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli show: what a session holds. Read-only; works while another process writes.
#include "app/cli/cli_options.h"
#include "app/cli/outside_report.h"
#include "app/cli/report.h"
#include "app/cli/subcommands.h"
#include "core/base/text.h"
#include "core/control/address.h"
#include "core/model/measurement/dispute.h"
#include "core/model/measurement/evidence.h"
#include "core/store/session_reader.h"

#include <cstdio>

namespace tilewright::cli {
namespace {

const Synopsis showSynopsis{"show", " FILE [--json] [--trace] [--top N | --all] [--evidence C]",
    "Show the content of a session.",
    {{"--json", Value::None, nullptr,
         "print one JSON object on standard output; its trace, the best's score by evaluations, can decrease: the "
         "winner of a direct comparison becomes the best, and its own score is measured again"},
        {"--trace", Value::None, nullptr,
            "history of the best: after 1, 10, 30, 100, 300, 900, ... evaluations, with the transforms and constants "
            "that were new; JSON always contains it, as best_after, and each best as bests"},
        {"--top", Value::Count, "N", "number of candidates to list, best first (default 10)"},
        {"--evidence", Value::Text, "C",
            "evidence for a candidate (c-0012, or best): each check with its measured value and limit, results by "
            "shape with intervals, the vendor library"},
        {"--all", Value::None, nullptr, "list all candidates by number, including migrated copies"}},
    {{Done, "shown"}, {Internal, "internal error"}, {Usage, "usage, or not a session file"},
        {Missing, "session file missing"}},
    1};

/// By model: what its server told the program that runs the session of its limits, as far as that holds now; empty
/// where nobody answers.
nlohmann::json limitsNow(const std::string& path)
{
    constexpr std::chrono::seconds patience{2};
    nlohmann::json limits = nlohmann::json::object();
    const auto answer = tellSession(path, {{"do", "status"}}, patience);
    if (!answer)
        return limits;
    for (const nlohmann::json& model : answer->value("models", nlohmann::json::array()))
        if (!model.at("limits").empty())
            limits[model.at("name").get<std::string>()] = model.at("limits");
    return limits;
}

int showEvidence(SessionReader& reader, const RunState& state, const std::string& name, bool json)
{
    const Candidate* candidate = name == "best" ? state.best() : state.candidate(candidateFromName(name));
    if (!candidate) {
        complain(Error{"usage",
            name == "best" ? "the session has no confirmed best" : "the session has no candidate " + printable(name),
            "'show FILE --all' lists them", nullptr});
        return Usage;
    }
    const auto pack = reader.pack(state);
    const Evidence evidence = evidenceOf(state, *candidate, pack ? &pack->task : nullptr);
    const std::string dispute = disputeText(state, *candidate);
    if (json) {
        nlohmann::json object = toJson(evidence);
        object["candidate"] = candidateName(candidate->id);
        object["disputed"] = dispute.empty() ? nlohmann::json(nullptr) : nlohmann::json(dispute);
        printJson(object);
    } else {
        if (!dispute.empty())
            std::fputs((dispute + "\n\n").c_str(), stdout);
        std::fputs(evidenceText(evidence, candidateName(candidate->id)).c_str(), stdout);
    }
    return Done;
}

} // namespace

int show(const QStringList& arguments)
{
    const auto [options, code] = Options::parse(showSynopsis, arguments);
    if (!options)
        return code;
    const std::string& path = options->positionals().front();
    auto reader = SessionReader::open(path);
    auto state = reader ? (*reader)->load() : std::unexpected(reader.error());
    if (!state) {
        complain(state.error());
        return exitCodeOf(state.error().code);
    }
    if (state->phase == events::Phase::Running && !(*reader)->isBeingWritten()) {
        state->phase = events::Phase::Paused; // as 'resume' and the window find it
        state->phaseReason = "interrupted";
    }
    if (options->has("--evidence"))
        return showEvidence(**reader, *state, options->text("--evidence"), options->has("--json"));
    const std::vector<const Candidate*> listed
        = options->has("--all") ? allOf(*state) : topOf(*state, static_cast<std::size_t>(options->count("--top", 10)));
    const nlohmann::json live = (*reader)->isBeingWritten() ? limitsNow(path) : nlohmann::json::object();
    if (options->has("--json")) {
        nlohmann::json json = showJson(
            path, *state, listed, [&](const Hash& hash) { return (*reader)->text(hash).value_or(std::string()); });
        for (const auto& [model, limits] : live.items())
            json["models"][model]["server_limits"] = limits;
        json["best_after"] = traceJson(*state, milestonesOf(*state));
        json["bests"] = traceJson(*state, bestsOf(*state));
        printJson(json);
    } else if (options->has("--trace")) {
        std::fputs((runText(path, *state) + "\n" + traceText(*state, milestonesOf(*state))).c_str(), stdout);
    } else {
        std::string text = showText(path, *state, listed);
        for (const auto& [model, limits] : live.items())
            for (const nlohmann::json& limit : limits)
                text += "server of " + model + ": " + limit.value("words", "") + "\n";
        std::fputs(text.c_str(), stdout);
    }
    return Done;
}

} // namespace tilewright::cli
