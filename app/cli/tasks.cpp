// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli tasks: the task packs that are found, or one pack checked.
#include "app/cli/commands.h"
#include "app/cli/options.h"

#include "core/base/files.h"
#include "core/node/gates.h"
#include "core/patch/patch.h"
#include "core/source/program_text.h"

#include <cstdio>

namespace tilewright::cli {
namespace {

const Synopsis synopsis{"tasks", " [--check DIR] [--json]", "List the task packs that are found, or check one.",
    {{"--check", Value::Text, "DIR", "check the pack in this folder: every field, file and move"},
        {"--json", Value::None, nullptr, "print one JSON object on standard output"}},
    {{Done, "listed, or the pack is good"}, {Usage, "usage, or the pack is broken"}}, 0};

/// What loading alone does not see: moves that fit nothing, tunables whose constraints do not hold.
Result<void> checkTexts(const TaskPack& pack)
{
    const auto broken = brokenConstraint(pack.seed(), {});
    if (!broken)
        return std::unexpected(broken.error());
    if (!broken->empty())
        return fail("task/file", pack.task.sources.front() + ": the seed breaks its own constraint '" + *broken + "'");
    if (auto blocks = evolveBlocks(pack.seed()); !blocks)
        return fail("task/file", pack.task.sources.front() + ": " + blocks.error().text);
    // A move must fit the seed, or the seed after some of the other moves.
    std::string text = pack.seed();
    std::vector<const Move*> open;
    for (const Move& move : pack.moves)
        open.push_back(&move);
    for (bool progress = true; progress && !open.empty();) {
        progress = false;
        for (std::size_t i = 0; i < open.size(); ++i) {
            auto patched = applyDiff(text, open[i]->diff);
            if (!patched && !applyDiff(pack.seed(), open[i]->diff))
                continue;
            if (patched)
                text = patched->text;
            open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
            progress = true;
            break;
        }
    }
    if (open.empty())
        return {};
    const auto why = applyDiff(text, open.front()->diff);
    return fail("task/file",
        "moves/" + open.front()->name
            + ".patch: fits neither the seed nor the seed after the other moves: " + (why ? "" : why.error().text),
        "",
        {{"file", "moves/" + open.front()->name + ".patch"}, {"field", ""}, {"reason", why ? "" : why.error().text}});
}

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

void printLine(const std::filesystem::path& folder, const Result<TaskPack>& pack)
{
    if (!pack) {
        std::printf("%-18s broken: %s\n", folder.filename().c_str(), pack.error().line().c_str());
        return;
    }
    const Task& task = pack->task;
    std::printf("%-18s %s; %zu train and %zu held-out shapes, %zu moves%s%s\n", task.name.c_str(), task.title.c_str(),
        task.train.size(), task.heldout.size(), pack->moves.size(), task.vendor.empty() ? "" : ", vendor ",
        task.vendor.c_str());
}

int checkFolder(const std::string& folder, bool json)
{
    auto pack = loadTaskPack(folder);
    if (pack)
        if (auto texts = checkTexts(*pack); !texts)
            pack = std::unexpected(texts.error());
    if (pack)
        if (auto product = checkIsProduct(pack->task); !product)
            pack = std::unexpected(product.error());
    if (pack) // the gates must catch the built-in cheats
        if (auto strict = calibrateGates(pack->task); !strict)
            pack = std::unexpected(strict.error());
    if (json)
        printJson(summary(folder, pack));
    if (!pack) {
        complain(pack.error());
        return Usage;
    }
    if (!json)
        std::printf("%s: the pack is good: %zu train, %zu held-out, %zu verify shapes, %zu moves\n",
            pack->task.name.c_str(), pack->task.train.size(), pack->task.heldout.size(), pack->task.verify.size(),
            pack->moves.size());
    return Done;
}

} // namespace

int tasks(const QStringList& arguments)
{
    const auto [options, code] = Options::parse(synopsis, arguments);
    if (!options)
        return code;
    const bool json = options->has("--json");
    if (options->has("--check"))
        return checkFolder(options->text("--check"), json);
    const auto packs = findTaskPacks();
    nlohmann::json list = nlohmann::json::array();
    for (const auto& [folder, pack] : packs) {
        if (json)
            list.push_back(summary(folder, pack));
        else
            printLine(folder, pack);
    }
    if (json)
        printJson({{"tasks", list}});
    else if (packs.empty())
        std::printf(
            "No task packs in %s or %s.\n", (sharedFolder() / "kernels").c_str(), (dataFolder() / "kernels").c_str());
    return Done;
}

} // namespace tilewright::cli
