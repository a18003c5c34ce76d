// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli patch: a model's reply applied to a program, without a session.
#include "core/patch/patch.h"
#include "app/cli/cli_options.h"
#include "app/cli/subcommands.h"
#include "core/patch/proposals.h"
#include "core/patch/reply_text.h"

#include <cstdio>
#include <filesystem>

namespace tilewright::cli {
namespace {

const Synopsis patchSynopsis{"patch", " --source FILE --reply FILE [options]",
    "Apply a model's reply to a program: writes the new text to standard output, repairs to standard error.",
    {{"--source", Value::Text, "FILE", "the program; - for standard input"},
        {"--reply", Value::Text, "FILE", "the reply; - for standard input"},
        {"--name", Value::Text, "NAME", "name of the program's file in the reply (default: the name of --source)"},
        {"--prompt", Value::Text, "P",
            "kind of prompt: edit (default), or rewrite, whose reply may be only the lines of the block in a fence"},
        {"--proposal", Value::Count, "N",
            "number of the proposal in a reply with several (default 1 with <proposal> tags)"},
        {"--finish-reason", Value::Text, "R", "end reason reported by the provider: stop, length, …"},
        {"--json", Value::None, nullptr, "print one JSON object on standard output"}},
    {{Done, "applied"}, {Internal, "internal error"}, {Usage, "usage, or a file that cannot be read"},
        {PatchRefused, "refused: prints CODE: message on standard error"}, {Missing, "file missing"}},
    0};

nlohmann::json appliedJson(const PatchResult& result)
{
    const auto listed = [](const std::vector<Repair>& all) {
        nlohmann::json list = nlohmann::json::array();
        for (const Repair& one : all)
            list.push_back({{"code", one.code}, {"hunk", one.hunk}, {"text", one.text}});
        return list;
    };
    return {{"ok", true}, {"text", result.text}, {"diff", result.diff}, {"repairs", listed(result.repairs)},
        {"notes", listed(result.notes)}, {"reasoning", result.reasoning}, {"claim", result.claim}};
}

nlohmann::json refusedJson(const Refusal& refusal)
{
    return {{"ok", false}, {"code", refusal.code}, {"rule", ruleOfCode(refusal.code)}, {"message", refusal.text},
        {"hunk", refusal.hunk}, {"evidence", refusal.evidence}, {"repair_prompt", refusal.repairPrompt},
        {"reasoning", refusal.reasoning}, {"claim", refusal.claim}};
}

/// One line of any text.
std::string onOneLine(std::string text)
{
    for (char& c : text)
        c = c == '\n' || c == '\r' ? ' ' : c;
    return text;
}

/// What of a reply is applied: all of it, or one of the proposals that it holds, as a run takes them apart.
struct Chosen {
    std::string text;
    std::size_t number = 1, of = 1;
};

Result<Chosen> chosenProposal(const Options& options, const std::string& reply)
{
    const bool isTagged = tilewright::patch::Tags(reply).opening("proposal", 0).has_value();
    if (!options.has("--proposal") && !isTagged)
        return Chosen{reply};
    std::vector<std::string> proposals = proposalsIn(reply);
    const auto number = static_cast<std::size_t>(options.count("--proposal", 1));
    if (number < 1 || number > proposals.size())
        return fail("usage",
            "--proposal takes 1 to " + std::to_string(proposals.size()) + ", the number of proposals in the reply");
    return Chosen{std::move(proposals[number - 1]), number, proposals.size()};
}

nlohmann::json withProposal(nlohmann::json json, const Chosen& chosen)
{
    if (chosen.of > 1) {
        json["proposal"] = chosen.number;
        json["proposals"] = chosen.of;
    }
    return json;
}

} // namespace

int patch(const QStringList& arguments)
{
    const auto [options, code] = Options::parse(patchSynopsis, arguments);
    if (!options)
        return code;
    if (!options->has("--source") || !options->has("--reply")) {
        complain("patch needs --source and --reply (see tilewright-cli patch --help)");
        return Usage;
    }
    const std::string sourcePath = options->text("--source"), replyPath = options->text("--reply");
    if (sourcePath == "-" && replyPath == "-") {
        complain("only one of --source and --reply can be standard input");
        return Usage;
    }
    const auto source = readTextBytes(sourcePath), reply = readText(replyPath);
    if (!source || !reply) {
        const Error& error = source ? reply.error() : source.error();
        complain(error);
        return exitCodeOf(error.code);
    }
    const std::string prompt = options->text("--prompt", "edit");
    if (prompt != "edit" && prompt != "rewrite") {
        complain("--prompt takes edit or rewrite, not '" + prompt + "'");
        return Usage;
    }
    const auto chosen = chosenProposal(*options, *reply);
    if (!chosen) {
        complain(chosen.error().text);
        return Usage;
    }
    // Piped, the program has no name that a reply could miss.
    const std::string fileName = sourcePath == "-" ? "" : std::filesystem::path(sourcePath).filename().string();
    PatchOptions settings;
    settings.finishReason = options->text("--finish-reason");
    settings.prompt = prompt == "rewrite" ? Prompt::Rewrite : Prompt::Edit;
    const auto result = applyReply(*source, options->text("--name", fileName), chosen->text, settings);
    if (!result) {
        const Refusal& refusal = result.error();
        const std::string where = refusal.hunk > 0 ? "hunk " + std::to_string(refusal.hunk) + ": " : "";
        std::fprintf(stderr, "%s: %s%s\n", refusal.code.c_str(), where.c_str(), onOneLine(refusal.text).c_str());
        if (options->has("--json"))
            printJson(withProposal(refusedJson(refusal), *chosen));
        return PatchRefused;
    }
    if (chosen->of > 1) // behind the code of a refusal, which is the first line
        std::fprintf(stderr, "proposal: number %zu of %zu\n", chosen->number, chosen->of);
    for (const Repair& repair : result->repairs)
        std::fprintf(stderr, "%s: %s\n", repair.code.c_str(), onOneLine(repair.line()).c_str());
    for (const Repair& note : result->notes)
        std::fprintf(stderr, "note: %s: %s\n", note.code.c_str(), onOneLine(note.line()).c_str());
    if (options->has("--json"))
        printJson(withProposal(appliedJson(*result), *chosen));
    else
        std::fwrite(result->text.data(), 1, result->text.size(), stdout);
    return Done; // whether it could be written is judged for all commands
}

} // namespace tilewright::cli
