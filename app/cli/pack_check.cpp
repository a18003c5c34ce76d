// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/pack_check.h"

#include "app/cli/pack_build.h"

#include "core/node/gates.h"
#include "core/patch/patch.h"
#include "core/proposer/variation.h"
#include "core/source/program_text.h"

#include <algorithm>

namespace tilewright::cli {
namespace {

/// What loading alone does not see: moves that fit nothing, tunables whose constraints do not hold.
Result<void> checkTexts(const TaskPack& pack)
{
    const auto broken = Constraints(pack.seed()).broken();
    if (!broken)
        return std::unexpected(broken.error());
    if (!broken->empty())
        return fail("task/file", pack.task.sources.front() + ": the seed breaks its own constraint '" + *broken + "'");
    if (auto blocks = evolveBlocks(pack.seed()); !blocks)
        return fail("task/file", pack.task.sources.front() + ": " + blocks.error().text);
    // A move must fit the seed, or the seed after some of the other moves.
    std::string text = pack.seed();
    const std::vector<const Move*> ladder = ladderOf(pack);
    for (const Move* move : ladder) {
        text = applyDiff(text, move->diff)->text;
        if (const auto readable = Constraints(text).broken(); !readable)
            return fail("task/file", "moves/" + move->name + ".patch: " + readable.error().text);
    }
    for (const Move& move : pack.moves) {
        if (std::ranges::find(ladder, &move) != ladder.end() || applyDiff(pack.seed(), move.diff))
            continue;
        const auto why = applyDiff(text, move.diff);
        const std::string file = "moves/" + move.name + ".patch", reason = why ? "" : why.error().text;
        return fail("task/file", file + ": fits neither the seed nor the seed after the other moves: " + reason, "",
            {{"file", file}, {"field", ""}, {"reason", reason}});
    }
    return {};
}

/// A remedy hangs on the tolerance that is in use.
Error withTolerance(Error error, const Task& task)
{
    if (error.code != "verify/norm" && error.code != "verify/elementwise")
        return error;
    if (!error.evidence.is_object())
        error.evidence = nlohmann::json::object();
    error.evidence["tolerance"] = {{"tau", task.numeric.tau}, {"reduction", task.numeric.reduction}};
    return error;
}

} // namespace

Result<PackVerdict> checkedPack(const std::filesystem::path& folder, SeedIs wanted, const PackProgress& progress)
{
    progress("reading", 0, 0);
    auto pack = loadTaskPack(folder);
    if (!pack)
        return std::unexpected(pack.error());
    if (auto texts = checkTexts(*pack); !texts)
        return std::unexpected(texts.error());
    if (auto possible = checkCanBeEvaluated(pack->task); !possible)
        return std::unexpected(possible.error());
    const bool product = isProduct(pack->task);
    if (product)
        if (auto strict = calibrateGates(pack->task); !strict)
            return std::unexpected(strict.error());
    progress("compiling", 0, 0);
    const auto compiled = checkCompiles(*pack);
    if (!compiled)
        return std::unexpected(compiled.error());
    PackVerdict verdict{std::move(*pack), {}, {}, *compiled};
    // What only the reference knows, the cheats are computed with: after the seed has shown that it can be run.
    if (product && wanted == SeedIs::Compiled) {
        verdict.notJudged = {"whether the seed runs and computes what the reference says on every shape",
            "whether the reference runs and gives finite numbers"};
        return verdict;
    }
    progress("running", 0, 0);
    auto passed = runSeed(verdict.pack, progress);
    if (!passed)
        return std::unexpected(withTolerance(passed.error(), verdict.pack.task));
    verdict.passed = std::move(*passed);
    return verdict;
}

} // namespace tilewright::cli
