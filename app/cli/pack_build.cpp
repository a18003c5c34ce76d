// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/pack_build.h"

#include "core/base/files.h"
#include "core/node/builder.h"

namespace tilewright::cli {
namespace {

std::unexpected<Error> broken(const std::string& file, const std::string& reason)
{
    return fail("task/file", file + ": " + reason, "see kernels/README.md for what a program and a reference are",
        {{"file", file}, {"field", ""}, {"reason", reason}});
}

} // namespace

Result<void> checkCompiles(const TaskPack& pack)
{
    const Sandbox sandbox(programFolder() / "tilewright-worker");
    const Builder builder(sandbox, cacheFolder() / "build", {});
    if (builder.compiler().empty())
        return fail("build/no-compiler", "there is no g++ on this machine: whether the pack compiles is not known",
            "install g++, then check again");
    const BuildOutcome seed = builder.buildCandidate(pack.task, pack.seed());
    if (!seed.ok)
        return broken(pack.task.sources.front(), seed.rule + ": " + seed.text);
    if (const auto reference = builder.buildReference(pack); !reference)
        return broken(pack.task.reference, reference.error().text);
    return {};
}

} // namespace tilewright::cli
