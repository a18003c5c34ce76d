// SPDX-License-Identifier: Apache-2.0
// Task packs: a task with its texts, from a folder or from a blob.
#include "core/base/block_markers.h"
#include "core/base/files.h"
#include "core/base/folders.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/model/task/pack_rules.h"
#include "core/model/task/task.h"

#include <algorithm>

namespace tilewright {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t largestPackFile = 4 << 20;

Error packError(const std::string& file, const std::string& field, const std::string& reason)
{
    return {"task/file", file + ": " + reason, "see kernels/README.md for the format",
        {{"file", file}, {"field", field}, {"reason", reason}}};
}

/// "# title: …" lines before the diff.
Result<Move> parseMove(const std::string& name, const std::string& text)
{
    Move move;
    move.name = name;
    const std::size_t start = text.starts_with("--- ") ? 0 : text.find("\n--- ");
    if (start == std::string::npos)
        return std::unexpected(
            packError("moves/" + name + ".patch", "", "contains no unified diff (no line that begins with '--- ')"));
    move.diff = text.substr(start == 0 ? 0 : start + 1);
    std::string* open = nullptr; // a line that does not name a part continues the one before
    for (const std::string_view line : splitLines(std::string_view(text).substr(0, start))) {
        if (!line.starts_with('#'))
            continue;
        const std::string_view content = trimmed(line.substr(1));
        const auto begins = [&](std::string_view key, std::string& part) {
            if (!content.starts_with(key))
                return false;
            part = trimmed(content.substr(key.size()));
            open = &part;
            return true;
        };
        if (begins("title:", move.title) || begins("reasoning:", move.reasoning) || begins("expects:", move.expects))
            continue;
        if (open && !content.empty())
            (*open += ' ') += content;
    }
    if (move.title.empty())
        return std::unexpected(packError("moves/" + name + ".patch", "title", "has no '# title: …' line"));
    return move;
}

Result<std::vector<Move>> readMoves(const fs::path& folder, const std::string& named)
{
    std::vector<Move> moves;
    std::error_code problem;
    if (!fs::is_directory(folder, problem))
        return std::unexpected(packError("task.json", "moves", "'" + named + "' is not a folder"));
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, problem)) {
        if (entry.path().extension() != ".patch")
            continue;
        const auto text = readTextFile(entry.path(), largestPackFile);
        if (!text)
            return std::unexpected(text.error());
        auto move = parseMove(printable(entry.path().stem().string()), *text);
        if (!move)
            return std::unexpected(move.error());
        moves.push_back(std::move(*move));
    }
    std::ranges::sort(moves, {}, &Move::name);
    return moves;
}

} // namespace

std::string TaskPack::blob() const
{
    nlohmann::json list = nlohmann::json::array();
    for (const Move& move : moves)
        list.push_back({{"name", move.name}, {"title", move.title}, {"reasoning", move.reasoning},
            {"expects", move.expects}, {"diff", move.diff}});
    return dumped(nlohmann::json{{"task", json}, {"files", files}, {"moves", list}});
}

Result<TaskPack> TaskPack::fromBlob(std::string_view blob)
{
    try {
        const nlohmann::json json = parsedJson(blob);
        TaskPack pack;
        pack.json = json.at("task").get<std::string>();
        auto task = parseTask(pack.json);
        if (!task)
            return std::unexpected(task.error());
        pack.task = std::move(*task);
        pack.files = json.at("files").get<std::map<std::string, std::string>>();
        for (const nlohmann::json& move : json.at("moves"))
            pack.moves.push_back(
                {move.at("name"), move.at("title"), move.at("reasoning"), move.at("expects"), move.at("diff")});
        if (!pack.files.contains(pack.task.sources.front()) || !pack.files.contains(pack.task.reference))
            return fail("task/blob", "the stored task lacks its source or its reference");
        return pack;
    } catch (const nlohmann::json::exception& problem) {
        return fail("task/blob", std::string("the stored task cannot be read: ") + problem.what());
    }
}

Result<TaskPack> loadTaskPack(const fs::path& folder)
{
    const auto json = readTextFile(folder / "task.json", largestPackFile);
    if (!json)
        return std::unexpected(packError("task.json", "", json.error().text));
    auto task = parseTask(*json);
    if (!task)
        return std::unexpected(task.error());
    if (auto complete = checkComplete(*json); !complete)
        return std::unexpected(complete.error());
    if (auto named = checkName(folder, *task); !named)
        return std::unexpected(named.error());
    TaskPack pack;
    pack.json = *json;
    pack.task = std::move(*task);
    for (const auto& [field, name] : {std::pair<std::string, std::string>{"source", pack.task.sources.front()},
             {"reference", pack.task.reference}}) {
        auto text = readTextFile(folder / name, largestPackFile);
        if (!text)
            return std::unexpected(packError("task.json", field, text.error().text));
        pack.files[name] = std::move(*text);
    }
    if (pack.seed().size() > static_cast<std::size_t>(pack.task.limits.sourceBytes))
        return std::unexpected(
            packError(pack.task.sources.front(), "limits.source_bytes", "the seed is larger than limits.source_bytes"));
    const auto blocks = evolveBlocks(pack.seed());
    if (!blocks)
        return std::unexpected(packError(pack.task.sources.front(), "source", blocks.error().text));
    if (blocks->empty())
        return std::unexpected(
            packError(pack.task.sources.front(), "source", "has no EVOLVE-BLOCK: no line can be changed"));
    if (!pack.task.moves.empty()) {
        auto moves = readMoves(folder / pack.task.moves, pack.task.moves);
        if (!moves)
            return std::unexpected(moves.error());
        pack.moves = std::move(*moves);
    }
    if (auto niches = checkNiches(pack); !niches)
        return std::unexpected(niches.error());
    if (std::error_code problem; fs::exists(folder / uncheckedFile, problem))
        pack.uncheckedIn = fs::absolute(folder, problem).lexically_normal().string();
    return pack;
}

Error uncheckedPack(const TaskPack& pack)
{
    if (pack.uncheckedIn.empty())
        return {};
    return {"task/unchecked",
        "the task " + pack.task.name
            + " has not passed its check: its reference may be wrong, or accept wrong programs",
        "check it: tilewright-cli tasks --check " + shellQuoted(pack.uncheckedIn) + " --run", nullptr};
}

std::vector<std::pair<fs::path, Result<TaskPack>>> findTaskPacks()
{
    std::vector<std::pair<fs::path, Result<TaskPack>>> packs;
    for (const fs::path& root : {sharedFolder() / "kernels", dataFolder() / "kernels"}) {
        std::error_code problem;
        std::vector<fs::path> folders;
        for (const fs::directory_entry& entry : fs::directory_iterator(root, problem))
            if (fs::exists(entry.path() / "task.json", problem))
                folders.push_back(entry.path());
        std::ranges::sort(folders);
        for (const fs::path& folder : folders)
            packs.emplace_back(folder, loadTaskPack(folder));
    }
    return packs;
}

Result<TaskPack> findTaskPack(const std::string& nameOrPath)
{
    std::error_code problem;
    if (nameOrPath.find('/') != std::string::npos || fs::exists(fs::path(nameOrPath) / "task.json", problem))
        return loadTaskPack(nameOrPath);
    std::string known;
    for (auto& [folder, pack] : findTaskPacks()) {
        if ((pack && pack->task.name == nameOrPath) || folder.filename() == nameOrPath)
            return std::move(pack);
        if (pack)
            known += (known.empty() ? "" : ", ") + pack->task.name;
    }
    return fail("task/unknown", "there is no task '" + nameOrPath + "'",
        known.empty() ? "no task packs were found" : "known tasks: " + known + "; or give the path of a pack's folder");
}

} // namespace tilewright
