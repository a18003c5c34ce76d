// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli patch: a model's reply applied to a program, without a session.
#include "app/cli/commands.h"
#include "app/cli/input.h"
#include "app/cli/options.h"

#include "core/patch/patch.h"

#include <cstdio>
#include <filesystem>

namespace tilewright::cli {
namespace {

const Synopsis synopsis{"patch", " --source FILE --reply FILE [options]",
    "Apply a model's reply to a program: the new text on standard output, repairs on standard error.",
    {{"--source", Value::Text, "FILE", "the program; - for standard input"},
        {"--reply", Value::Text, "FILE", "the reply; - for standard input"},
        {"--name", Value::Text, "NAME", "the program's file name in the reply (default: the name of --source)"},
        {"--finish-reason", Value::Text, "R", "how the provider said that the reply ended: stop, length, …"},
        {"--json", Value::None, nullptr, "print one JSON object on standard output"}},
    {{Done, "applied"}, {Usage, "usage, or a file that cannot be read"},
        {PatchRefused, "refused: a line CODE: message on standard error"}, {Missing, "file missing"}},
    0};

nlohmann::json appliedJson(const PatchResult& result)
{
    nlohmann::json repairs = nlohmann::json::array();
    for (const Repair& repair : result.repairs)
        repairs.push_back({{"code", repair.code}, {"hunk", repair.hunk}, {"text", repair.text}});
    return {{"ok", true}, {"text", result.text}, {"diff", result.diff}, {"repairs", repairs},
        {"reasoning", result.reasoning}, {"claim", result.claim}};
}

nlohmann::json refusedJson(const Refusal& refusal)
{
    return {{"ok", false}, {"code", refusal.code}, {"rule", ruleOfCode(refusal.code)}, {"message", refusal.text},
        {"hunk", refusal.hunk}, {"evidence", refusal.evidence}, {"repair_prompt", refusal.repairPrompt},
        {"reasoning", refusal.reasoning}, {"claim", refusal.claim}};
}

/// One line of any text.
std::string oneLine(std::string text)
{
    for (char& c : text)
        c = c == '\n' || c == '\r' ? ' ' : c;
    return text;
}

} // namespace

int patch(const QStringList& arguments)
{
    const auto [options, code] = Options::parse(synopsis, arguments);
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
    const auto source = readInput(sourcePath), reply = readInput(replyPath);
    if (!source || !reply) {
        const Error& error = source ? reply.error() : source.error();
        complain(error);
        return exitCodeOf(error.code);
    }
    // Piped, the program has no name that a reply could miss.
    const std::string fileName = sourcePath == "-" ? "" : std::filesystem::path(sourcePath).filename().string();
    PatchOptions settings;
    settings.finishReason = options->text("--finish-reason");
    const auto result = applyReply(*source, options->text("--name", fileName), *reply, settings);
    if (!result) {
        const Refusal& refusal = result.error();
        const std::string where = refusal.hunk > 0 ? "hunk " + std::to_string(refusal.hunk) + ": " : "";
        std::fprintf(stderr, "%s: %s%s\n", refusal.code.c_str(), where.c_str(), oneLine(refusal.text).c_str());
        if (options->has("--json"))
            printJson(refusedJson(refusal));
        return PatchRefused;
    }
    for (const Repair& repair : result->repairs)
        std::fprintf(stderr, "%s: %s\n", repair.code.c_str(), oneLine(repair.line()).c_str());
    if (options->has("--json"))
        printJson(appliedJson(*result));
    else
        std::fwrite(result->text.data(), 1, result->text.size(), stdout);
    return Done; // whether it could be written is judged for all commands
}

} // namespace tilewright::cli
