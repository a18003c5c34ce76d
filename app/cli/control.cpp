// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli control: commands to the program that runs a session, headless or in the window.
#include "app/cli/cli_options.h"
#include "app/cli/subcommands.h"
#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/control/address.h"
#include "core/control/command_form.h"
#include "core/control/control_commands.h"
#include "core/control/edit_command.h"
#include "core/engine/proposals/proposing.h"
#include "core/model/islands/island_steering.h"
#include "core/prompt/examples.h"
#include "core/prompt/template_files.h"
#include "core/store/session_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>

namespace tilewright::cli {
namespace {

constexpr std::size_t mostNames = 1000;
constexpr std::int64_t mostCounted = 1'000'000;
constexpr std::size_t largestSource = std::size_t(16) << 20; // of any task; the run's own says how much it allows
constexpr std::chrono::seconds patience{30};
constexpr std::chrono::minutes editPatience{5}; // a user's text is built before it is approved

const Synopsis& synopsis()
{
    static const std::string summary = [] {
        std::string text = "Control the program that runs a session. Commands:\n";
        for (const ControlCommand& command : controlCommands()) {
            std::string what = std::string(command.name) + (*command.arguments ? " " : "") + command.arguments;
            what.resize(std::max<std::size_t>(what.size(), 22), ' ');
            text += "    " + what + " " + command.summary + "\n";
        }
        text.pop_back();
        return text;
    }();
    static const Synopsis table{"control", " FILE COMMAND [WORDS] [options]", summary.c_str(),
        {{"--reason", Value::Text, "TEXT",
             "reason, for approve, edit, reject, defer, inject, template and template-reset"},
            {"--source", Value::Text, "FILE",
                "program that edit or approve uses in place of the candidate's, or that inject adds; for template the "
                "template, for send the template used once; - reads standard input"},
            {"--island", Value::Text, "B",
                "island for policy, hint, template or template-reset (default: all); for copy, move, inject or send: "
                "the target island"},
            {"--evaluations", Value::More, "N", "for budget; +N: N more than have started"},
            {"--wall-time", Value::Seconds, "S", "for budget"},
            {"--no-gain", Value::Evaluations, "N", "for budget: early stopping, evaluations without improvement"},
            {"--replies", Value::Count, "N", "for budget: replies of models or manual replies, repairs included"},
            {"--tokens", Value::Count, "N", "for budget"}, {"--cost-usd", Value::Dollars, "X", "for budget"},
            {"--interval", Value::Count, "N", "for migration: new members of an island between two migrations"},
            {"--text", Value::Text, "TEXT", "for note and idea"}, {"--tag", Value::Text, "WORD", "for tag and untag"},
            {"--weight", Value::Text, "W", "for boost: a number above 0"},
            {"--count", Value::Count, "N", "for more and idea: number of edits (default 1)"},
            {"--repeats", Value::Count, "N", "for rerun: samples, as a multiple of a confirmation's (default 1)"},
            {"--against", Value::Text, "CANDIDATE", "for rerun: candidate to time against (default: the incumbent)"},
            {"--shapes", Value::Text, "WORDS",
                "for rerun: all, train, heldout, or sizes: 777x1023x511,64x64x64 or 'M=777 N=1023 K=511'"},
            {"--device", Value::Text, "D", "for rerun: another device of the run's machine, such as cuda:1"},
            {"--models", Value::Text, "FILE", "for proposer model: the models file"},
            {"--cancel", Value::None, nullptr, "for pause: cancel in-flight work instead of finishing it"},
            {"--proposer", Value::Text, "KIND",
                "for policy: kind of proposer (default: all): mutator, tuner, random, model, manual, replay"},
            {"--event", Value::Count, "N", "for undo: event number of the command, as listed by history"},
            {"--from-now-on", Value::None, nullptr, "for policy: pending reviews stay pending"},
            {"--json", Value::None, nullptr, "print the answer as one JSON object on standard output"}},
        {{Done, "command executed"}, {Internal, "internal error"},
            {Usage, "usage, an invalid value, not a session file, or no such candidate or island"},
            {PatchRefused, "the edit does not apply"},
            {RefusedByRule,
                "not possible now: the candidate is not pending or is already measured, or a step was requested while "
                "the run is running"},
            {Missing, "no program runs the session, or a named file is missing"}},
        2, mostNames};
    return table;
}

/// Of a command that nobody knows the program that runs the session says so.
Result<void> checkCall(const Options& options, const std::string& command, const std::vector<std::string>& words)
{
    std::vector<std::string> given;
    for (const Option& option : synopsis().options)
        if (options.has(option.name) && option.name != std::string_view("--json"))
            given.push_back(option.name);
    const auto known = std::ranges::find(controlCommands(), command, &ControlCommand::name);
    return known == controlCommands().end() ? Result<void>() : checkForm(*known, words, given);
}

/// Words of the command line by what they mean to the command.
Result<nlohmann::json> requestOf(const Options& options)
{
    const std::string& command = options.positionals()[1];
    const std::vector<std::string> words(options.positionals().begin() + 2, options.positionals().end());
    if (auto formed = checkCall(options, command, words); !formed)
        return std::unexpected(formed.error());
    nlohmann::json request{{"do", command}};
    const auto form = std::ranges::find(controlCommands(), command, &ControlCommand::name);
    const bool takesText = form != controlCommands().end() && std::string_view(form->arguments) == "TEXT";
    const bool takesModel = command == "resume-model";
    const bool takesName = takesModel || command == "template" || command == "template-reset";
    if (command == "policy" || takesText || takesName) {
        if (words.size() != 1)
            return fail("usage",
                command
                    + (takesText         ? " takes one text"
                            : takesModel ? " takes the name of one model"
                            : takesName  ? " takes the name of one template"
                                         : " takes automatic, risky or every"));
        request[takesText ? "text" : takesName ? "name" : "policy"] = words.front();
    } else if (command == "review-limit") {
        std::int64_t limit = -1;
        const std::string typed = words.size() == 1 ? words.front() : std::string();
        const auto [end, problem] = std::from_chars(typed.data(), typed.data() + typed.size(), limit);
        if (typed.empty() || problem != std::errc{} || end != typed.data() + typed.size() || limit < 0
            || limit > maxReviewLimit)
            return fail("usage",
                "review-limit takes one number from 0 to " + std::to_string(maxReviewLimit)
                    + (typed.empty() ? "" : ", not '" + typed + "'"),
                "maximum number of pending reviews per island; 0: no limit");
        request["limit"] = limit;
    } else if (command == "proposer") {
        if (words.size() != 1)
            return fail("usage", "proposer takes one of mutator, tuner, model, model:FILE, manual, manual:DIR");
        const bool isNamed = words.front() == "model" && options.has("--models");
        if (options.has("--models") && !isNamed)
            return fail("usage", "--models FILE requires the proposer model");
        request["proposer"] = anchoredProposer(isNamed ? "model:" + options.text("--models") : words.front());
    } else if (command == "island" || command == "migration") {
        request["words"] = words;
    } else if (command == "send") {
        if (words.empty() || words.size() > 2)
            return fail("usage", "send takes the name of a template, and optionally a candidate");
        request["name"] = words.front();
        request["candidates"] = std::vector<std::string>(words.begin() + 1, words.end());
    } else {
        request["candidates"] = words;
    }
    if (options.has("--cancel"))
        request["cancel"] = true;
    if (options.has("--event"))
        request["event"] = options.count("--event", 0);
    if (options.has("--from-now-on"))
        request["from_now_on"] = true;
    if (options.has("--proposer"))
        request["proposer"] = options.text("--proposer");
    if (options.has("--interval"))
        request["interval"] = options.count("--interval", 0);
    if (options.has("--reason"))
        request["reason"] = options.text("--reason");
    if (options.has("--island"))
        request["island"] = options.text("--island");
    if (options.has("--source")) {
        const bool isTemplate = command == "template" || command == "send";
        auto text = readText(options.text("--source"), isTemplate ? largestTemplate : largestSource);
        if (!text)
            return std::unexpected(text.error());
        request["text"] = std::move(*text);
    }
    for (const auto& [option, field] : {std::pair("--text", "text"), std::pair("--tag", "tag"),
             std::pair("--against", "against"), std::pair("--shapes", "shapes"), std::pair("--device", "device")})
        if (options.has(option))
            request[field] = options.text(option);
    for (const auto& [option, field] : {std::pair("--count", "count"), std::pair("--repeats", "repeats")})
        if (options.has(option))
            request[field] = std::min<std::int64_t>(options.count(option, 1), mostCounted);
    if (options.has("--weight")) {
        const std::string typed = options.text("--weight");
        double weight = 0;
        const auto [end, problem] = std::from_chars(typed.data(), typed.data() + typed.size(), weight);
        if (problem != std::errc{} || end != typed.data() + typed.size() || !std::isfinite(weight))
            return fail("usage", "--weight takes a number above 0, not '" + typed + "'");
        request["weight"] = weight;
    }
    if (options.has("--evaluations"))
        request["budget"][options.text("--evaluations").starts_with('+') ? "more_evaluations" : "evaluations"]
            = options.countFrom("--evaluations", 0, 0);
    if (options.has("--wall-time"))
        request["budget"]["wall_s"] = options.seconds("--wall-time", 0);
    if (options.has("--tokens"))
        request["budget"]["tokens"] = options.count("--tokens", 0);
    if (options.has("--cost-usd"))
        request["budget"]["cost_micro_usd"] = options.microUsd("--cost-usd", 0);
    if (options.has("--no-gain"))
        request["budget"]["no_gain"] = options.count("--no-gain", 0);
    if (options.has("--replies"))
        request["budget"]["replies"] = options.count("--replies", 0);
    return request;
}

void printReviews(const nlohmann::json& reviews)
{
    if (reviews.empty())
        std::puts("No pending reviews.");
    for (const nlohmann::json& review : reviews) {
        std::printf("%s  island %s  %s\n", review.value("candidate", "").c_str(), review.value("island", "").c_str(),
            review.value("decision", "").c_str());
        for (const auto& risk : review.value("risks", std::vector<std::string>{}))
            std::printf("    risk: %s\n", risk.c_str());
        if (const std::string said = firstSentence(review.value("reasoning", "")); !said.empty())
            std::printf("    says: %s\n", said.c_str());
        if (review.contains("judgement") && review.at("judgement").is_string())
            std::printf("    %s\n", review.at("judgement").get<std::string>().c_str());
    }
}

void printHistory(const nlohmann::json& history)
{
    if (history.empty())
        std::puts("No command can be undone.");
    for (const nlohmann::json& entry : history) {
        const std::string blocked = entry.value("blocked", "");
        std::printf("%lld  %s%s\n", entry.value("event", 0ll), entry.value("description", "").c_str(),
            blocked.empty() ? "" : ("  (blocked: " + blocked + ")").c_str());
    }
}

void printIslands(const nlohmann::json& answer)
{
    for (const nlohmann::json& island : answer.at("islands")) {
        std::string standing = island.value("standing", "");
        if (island.contains("merged_into"))
            standing = "merged into " + island.value("merged_into", "");
        std::string line = island.value("id", "") + "  " + island.value("name", "") + "  " + standing + ", "
            + island.value("aim", "") + ", " + counted(island.value("members", 0), "member", "members");
        const nlohmann::json& steering = island.at("steering");
        if (steering.contains("selection"))
            line += ", selection " + dumped(steering.at("selection"));
        if (steering.contains("temperature"))
            line += ", temperature " + dumped(steering.at("temperature"));
        for (const SteeredCount& count : steeredCounts)
            if (const auto found = steering.find(count.key); found != steering.end())
                line += ", " + std::string(count.name) + " " + dumped(*found);
        if (steering.contains("proposers"))
            line += ", proposers " + wordsOf(steering.at("proposers").get<ProposerMix>());
        if (island.at("best").is_string() && island.at("score").is_number())
            line += ", best " + island.value("best", "") + " " + fixedText(island.at("score").get<double>(), 3) + "×";
        if (const std::string policy = island.value("review_policy", ""); !policy.empty() && policy != "automatic")
            line += ", review " + policy;
        if (island.contains("waits"))
            line += ", " + island.value("waits", "");
        std::puts(line.c_str());
    }
    std::printf("migration: %s\n", answer.at("migration").value("words", "").c_str());
}

void printStatus(const nlohmann::json& status)
{
    const long long done = status.value("evaluations", 0ll), open = status.value("evaluations_begun", done) - done;
    const std::string begun = open > 0 ? " (" + std::to_string(open) + " more in progress)" : std::string();
    const long long budget = status.value("evaluations_budget", 0ll); // 0: no limit
    const std::string progress = budget > 0
        ? std::to_string(done) + " of " + counted(budget, "evaluation", "evaluations")
        : counted(done, "evaluation", "evaluations");
    const std::string phase = status.value("pausing", false)
        ? "pausing after in-flight work"
        : status.value("activity", nlohmann::json::object()).value("text", status.value("phase", ""));
    std::printf("%s, %s%s, %lld pending reviews\n", phase.c_str(), progress.c_str(), begun.c_str(),
        status.value("reviews_waiting", 0ll));
    for (const char* key : {"waiting", "trouble"})
        if (const std::string text = status.value(key, ""); !text.empty())
            std::printf("%s\n", text.c_str());
    const nlohmann::json troubled = status.value("island_trouble", nlohmann::json::object());
    for (const auto& [island, words] : troubled.items())
        std::printf("island %s: %s\n", island.c_str(), words.get<std::string>().c_str());
    if (status.at("best").is_string() && status.at("score").is_object())
        std::printf("best %s: %s× baseline\n", status.at("best").get<std::string>().c_str(),
            fixedText(status.at("score").value("value", 0.0), 3).c_str());
    for (const nlohmann::json& model : status.value("models", nlohmann::json::array())) {
        const std::string text = model.value("text", ""), name = model.value("name", "");
        std::printf("model %s: %s\n", name.c_str(), text.empty() ? model.value("condition", "").c_str() : text.c_str());
        for (const nlohmann::json& limit : model.at("limits"))
            std::printf("    server limit: %s\n", limit.value("words", "").c_str());
    }
}

/// A file that is no session is run by nobody, ever.
Error whyNobodyAnswers(const std::string& file, const Error& nobody)
{
    const auto reader = SessionReader::open(file);
    return reader ? nobody : reader.error();
}

} // namespace

int control(const QStringList& arguments)
{
    const auto [options, code] = Options::parse(synopsis(), arguments);
    if (!options)
        return code;
    const std::string& file = options->positionals().front();
    std::error_code problem;
    if (!std::filesystem::exists(file, problem)) {
        complain(Error{"session/missing", "there is no session file " + file, "check the path", nullptr});
        return Missing;
    }
    const auto request = requestOf(*options);
    if (!request) {
        complain(request.error());
        return exitCodeOf(request.error().code);
    }
    const auto answer = tellSession(file, *request, isEdit(*request) ? editPatience : patience);
    if (!answer) {
        const Error why
            = answer.error().code == "control/nobody" ? whyNobodyAnswers(file, answer.error()) : answer.error();
        complain(why);
        return exitCodeOf(why.code);
    }
    if (options->has("--json"))
        printJson(*answer);
    else if (answer->contains("reviews"))
        printReviews(answer->at("reviews"));
    else if (answer->contains("phase"))
        printStatus(*answer);
    else if (answer->contains("islands"))
        printIslands(*answer);
    else if (answer->contains("history"))
        printHistory(answer->at("history"));
    else if (answer->contains("undone"))
        std::printf("Undone: %s\n", answer->value("undone", "").c_str());
    if (const std::string note = answer->value("note", ""); !note.empty())
        std::fprintf(stderr, "%s\n", note.c_str());
    if (!answer->value("ok", false)) {
        const Error said{answer->value("code", ""), answer->value("text", ""), answer->value("hint", ""), nullptr};
        complain(said);
        for (const nlohmann::json& each : answer->value("failed", nlohmann::json::array()))
            if (answer->at("failed").size() > 1)
                complain(dumped(each.at("candidate")) + ": " + each.value("text", ""));
    }
    return answer->value("ok", false) ? int(Done) : exitCodeOf(answer->value("code", ""));
}

} // namespace tilewright::cli
