// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli tasks: the task packs that are found, or one pack checked.
#include "app/cli/cli_options.h"
#include "app/cli/pack_check.h"
#include "app/cli/subcommands.h"
#include "core/base/folders.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/pack/pack_writer.h"

#include <algorithm>
#include <cstdio>

namespace tilewright::cli {
namespace {

const Synopsis tasksSynopsis{"tasks", " [--check DIR [--run] [--progress]] [--json]",
    "List the task packs, or check one.",
    {{"--check", Value::Text, "DIR", "check the pack in this folder: every field, file and move, and that it compiles"},
        {"--run", Value::None, nullptr,
            "with --check: also run the seed on every shape; always done for tasks other than products"},
        {"--progress", Value::None, nullptr, "with --check: a line on standard error for each step"},
        {"--json", Value::None, nullptr, "print one JSON object on standard output"}},
    {{Done, "listed, or the pack is valid"}, {Internal, "internal error"}, {Usage, "usage, or the pack is invalid"},
        {RefusedByRule, "the seed does not match the reference, or a cheating kernel would pass"},
        {BuildOrRunFailed, "the seed does not run"},
        {Missing, "no such folder, or no compiler, node or device for the check"}},
    0};

std::string fieldOf(const Error& error, const char* key, const std::string& otherwise = {})
{
    const nlohmann::json& evidence = error.evidence;
    return evidence.is_object() && evidence.contains(key) && evidence[key].is_string()
        ? evidence[key].get<std::string>()
        : otherwise;
}

nlohmann::json summary(const std::filesystem::path& folder, const Result<TaskPack>& pack)
{
    if (!pack)
        return {{"folder", folder.string()}, {"ok", false}, {"error", pack.error().text}, {"code", pack.error().code},
            {"hint", plainRemedy(pack.error())}, {"evidence", pack.error().evidence},
            {"file", fieldOf(pack.error(), "file")}, {"field", fieldOf(pack.error(), "field")},
            {"reason", fieldOf(pack.error(), "reason", pack.error().evidence.is_object() ? "" : pack.error().text)}};
    const Task& task = pack->task;
    return {{"folder", folder.string()}, {"ok", true}, {"name", task.name}, {"title", task.title},
        {"target", nameOf(task.target)}, {"train", task.train.size()}, {"heldout", task.heldout.size()},
        {"moves", pack->moves.size()}, {"vendor", task.vendor}, {"unchecked", isPackUnchecked(folder)}};
}

using Packs = std::vector<std::pair<std::filesystem::path, Result<TaskPack>>>;

/// The folder whose pack `--task NAME` takes in place of this one, empty if this one counts.
std::filesystem::path shadowOf(const Packs& packs, const std::filesystem::path& folder)
{
    const auto first
        = std::ranges::find(packs, folder.filename(), [](const auto& found) { return found.first.filename(); });
    return first == packs.end() || first->first == folder ? std::filesystem::path() : first->first;
}

void printLine(const std::filesystem::path& folder, const Result<TaskPack>& pack, const std::filesystem::path& shadow)
{
    if (!shadow.empty())
        std::printf("%-18s not used: %s comes first; use --task %s for this one\n", folder.filename().c_str(),
            shadow.c_str(), shellQuoted(folder.string()).c_str());
    if (!pack) {
        std::printf("%-18s broken: %s\n", folder.filename().c_str(), pack.error().line().c_str());
        return;
    }
    if (!shadow.empty())
        return;
    const Task& task = pack->task;
    std::printf("%-18s %s; %zu train and %zu held-out shapes, %zu moves%s%s%s\n", task.name.c_str(), task.title.c_str(),
        task.train.size(), task.heldout.size(), pack->moves.size(), task.vendor.empty() ? "" : ", vendor ",
        task.vendor.c_str(), isPackUnchecked(folder) ? "; has not passed its check" : "");
}

int checkFolder(const std::string& folder, SeedIs wanted, bool progress, bool json)
{
    std::error_code problem;
    if (!std::filesystem::is_directory(folder, problem)) {
        complain(Error{"task/unknown", "there is no folder " + folder, "", nullptr});
        return Missing;
    }
    const auto verdict = checkAndMark(folder, wanted, progress ? printProgress : quietly);
    if (json)
        printJson(verdictJson(folder, verdict));
    if (!verdict) {
        complain(Error{verdict.error().code, verdict.error().text, plainRemedy(verdict.error()), nullptr});
        return exitCodeOfCheck(verdict.error());
    }
    if (!json)
        printVerdict(*verdict);
    return Done;
}

} // namespace

void quietly(const std::string&, double, double) { }

void printProgress(const std::string& stage, double done, double of)
{
    if (of > 0)
        std::fprintf(stderr, "%s %s/%s\n", stage.c_str(), fixedText(done, 0).c_str(), fixedText(of, 0).c_str());
    else
        std::fprintf(stderr, "%s\n", stage.c_str());
}

Result<PackVerdict> checkAndMark(const std::filesystem::path& folder, SeedIs wanted, const PackProgress& progress)
{
    auto verdict = checkedPack(folder, wanted, progress);
    if (!isPackUnchecked(folder))
        return verdict;
    if (verdict)
        markPackChecked(folder);
    else
        markPackUnchecked(folder, verdict.error().text + "\n" + plainRemedy(verdict.error()));
    return verdict;
}

int exitCodeOfCheck(const Error& error)
{
    if (error.code.starts_with("verify/") || error.code == "task/loose" || error.code == "task/tight")
        return error.evidence.is_object() && error.evidence.value("field", "") == "numeric.tau" ? Usage : RefusedByRule;
    const int code = exitCodeOf(error.code);
    return code == Missing || code == BuildOrRunFailed ? code : Usage;
}

nlohmann::json verdictJson(const std::filesystem::path& folder, const Result<PackVerdict>& verdict)
{
    if (!verdict)
        return summary(folder, std::unexpected(verdict.error()));
    nlohmann::json json = summary(folder, verdict->pack);
    json["passed"] = verdict->passed;
    json["not_judged"] = verdict->notJudged;
    json["compiled_for"] = verdict->compiledFor;
    return json;
}

void printVerdict(const PackVerdict& verdict)
{
    const Task& task = verdict.pack.task;
    const bool isWhole = verdict.notJudged.empty();
    std::printf("%s: the pack is valid%s: %zu train, %zu held-out, %zu verify shapes, %zu moves; seed and reference "
                "compile%s\n",
        task.name.c_str(), isWhole ? "" : " as far as it was checked", task.train.size(), task.heldout.size(),
        task.verify.size(), verdict.pack.moves.size(),
        verdict.compiledFor.empty() ? "" : (" for " + verdict.compiledFor).c_str());
    if (isWhole)
        std::printf("The seed matches the reference on every shape, and the built-in cheating kernels are refused.\n");
    else
        std::printf("Not checked%s: %s. Use --run or 'tilewright-cli evaluate'%s.\n",
            verdict.compiledFor.empty() ? "" : ", because no NVIDIA GPU is usable on this machine",
            joined(verdict.notJudged, ", and ").c_str(), verdict.compiledFor.empty() ? "" : ", on a machine with one");
}

int tasks(const QStringList& arguments)
{
    const auto [options, code] = Options::parse(tasksSynopsis, arguments);
    if (!options)
        return code;
    const bool json = options->has("--json");
    if (options->has("--check"))
        return checkFolder(options->text("--check"), options->has("--run") ? SeedIs::Run : SeedIs::Compiled,
            options->has("--progress"), json);
    const auto packs = findTaskPacks();
    nlohmann::json list = nlohmann::json::array();
    for (const auto& [folder, pack] : packs) {
        const std::filesystem::path shadow = shadowOf(packs, folder);
        if (json) {
            list.push_back(summary(folder, pack));
            list.back()["shadowed_by"] = shadow.empty() ? nlohmann::json(nullptr) : nlohmann::json(shadow.string());
        } else {
            printLine(folder, pack, shadow);
        }
    }
    if (json)
        printJson({{"tasks", list}});
    else if (packs.empty())
        std::printf(
            "No task packs in %s or %s.\n", (sharedFolder() / "kernels").c_str(), (dataFolder() / "kernels").c_str());
    return Done;
}

} // namespace tilewright::cli
