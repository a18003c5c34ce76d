// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli tasks: the task packs that are found, or one pack checked.
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/pack_check.h"

#include "core/base/files.h"

#include <algorithm>
#include <cstdio>

namespace tilewright::cli {
namespace {

const Synopsis tasksSynopsis{"tasks", " [--check DIR] [--json]", "List the task packs that are found, or check one.",
    {{"--check", Value::Text, "DIR", "check the pack in this folder: every field, file and move, and that it compiles"},
        {"--json", Value::None, nullptr, "print one JSON object on standard output"}},
    {{Done, "listed, or the pack is good"}, {Internal, "internal error"}, {Usage, "usage, or the pack is broken"},
        {Missing, "no such folder, or no compiler to check the pack with"}},
    0};

nlohmann::json summary(const std::filesystem::path& folder, const Result<TaskPack>& pack)
{
    if (!pack)
        return {{"folder", folder.string()}, {"ok", false}, {"error", pack.error().text},
            {"file", pack.error().evidence.is_object() ? pack.error().evidence.value("file", "") : ""},
            {"field", pack.error().evidence.is_object() ? pack.error().evidence.value("field", "") : ""},
            {"reason",
                pack.error().evidence.is_object() ? pack.error().evidence.value("reason", "") : pack.error().text}};
    const Task& task = pack->task;
    return {{"folder", folder.string()}, {"ok", true}, {"name", task.name}, {"title", task.title},
        {"target", nameOf(task.target)}, {"train", task.train.size()}, {"heldout", task.heldout.size()},
        {"moves", pack->moves.size()}, {"vendor", task.vendor}};
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
        std::printf("%-18s not used: %s comes first; give '--task %s' to take this one\n", folder.filename().c_str(),
            shadow.c_str(), folder.c_str());
    if (!pack) {
        std::printf("%-18s broken: %s\n", folder.filename().c_str(), pack.error().line().c_str());
        return;
    }
    if (!shadow.empty())
        return;
    const Task& task = pack->task;
    std::printf("%-18s %s; %zu train and %zu held-out shapes, %zu moves%s%s\n", task.name.c_str(), task.title.c_str(),
        task.train.size(), task.heldout.size(), pack->moves.size(), task.vendor.empty() ? "" : ", vendor ",
        task.vendor.c_str());
}

int checkFolder(const std::string& folder, bool json)
{
    std::error_code problem;
    if (!std::filesystem::is_directory(folder, problem)) {
        complain(Error{"task/unknown", "there is no folder " + folder, "", nullptr});
        return Missing;
    }
    const auto pack = checkedPack(folder);
    if (json)
        printJson(summary(folder, pack));
    if (!pack) {
        complain(pack.error());
        return exitCodeOf(pack.error().code) == Missing ? Missing : Usage;
    }
    if (!json)
        std::printf(
            "%s: the pack is good: %zu train, %zu held-out, %zu verify shapes, %zu moves; seed and reference "
            "compile\nThat the seed computes what the reference says is checked by 'tilewright-cli evaluate'.\n",
            pack->task.name.c_str(), pack->task.train.size(), pack->task.heldout.size(), pack->task.verify.size(),
            pack->moves.size());
    return Done;
}

} // namespace

int tasks(const QStringList& arguments)
{
    const auto [options, code] = Options::parse(tasksSynopsis, arguments);
    if (!options)
        return code;
    const bool json = options->has("--json");
    if (options->has("--check"))
        return checkFolder(options->text("--check"), json);
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
