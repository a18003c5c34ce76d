// SPDX-License-Identifier: GPL-3.0-or-later
// tilewright-cli tensor task: a scheme as a task of its own, which evaluate and evolve take as any other.
#include "app/cli/tensor_commands.h"

#include "core/base/text.h"
#include "core/node/gates.h"
#include "core/pack/scheme_task.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace tilewright::cli {

int writeSchemeTask(const std::vector<std::string>& words, const Options& options)
{
    if (!options.has("--out"))
        return refuseTensor({"usage", "tensor task needs --out FOLDER, which is named as the task", {}, nullptr});
    const auto imported = schemeNamed(words[0], options);
    if (!imported)
        return refuseTensor(imported.error());
    auto code = codeOptionsOf(options);
    if (!code)
        return refuseTensor(code.error());
    const auto from = findTaskPack(options.has("--from") ? options.text("--from") : "gemm-fp32-cpu");
    if (!from)
        return refuseTensor(from.error());
    const std::string folder = options.text("--out");
    const std::filesystem::path whole = std::filesystem::path(folder + "/").lexically_normal().parent_path();
    const auto pack = schemeTask(imported->scheme, *from, {whole.filename().string(), std::move(*code), {}});
    if (!pack)
        return refuseTensor(pack.error());
    // A node refuses it as well, but only when it is used.
    if (const auto strict = calibrateGates(pack->task); !strict)
        return refuseTensor(strict.error());
    if (const auto written = writeTaskFolder(*pack, whole); !written)
        return refuseTensor(written.error());
    const TaskScheme& scheme = *pack->task.numeric.scheme;
    double largest = 1;
    for (const Shape& shape : pack->task.train)
        largest = std::max(largest, pack->task.numeric.growthOf(shape[2]));
    if (options.has("--json"))
        printJson({{"task", pack->task.name}, {"folder", whole.string()}, {"levels", scheme.levels},
            {"rank", scheme.rank()}, {"rounding_factor", largest}, {"work_share", leastWorkShare(scheme)},
            {"train", pack->task.train}, {"workspace_bytes", pack->task.limits.workspaceBytes}});
    else
        std::printf("%s: %s\nrounding allowed: up to %s times that of the definition; operations: at least %s of its\n",
            printable(whole.string()).c_str(), printable(pack->task.title).c_str(), threeDigits(largest).c_str(),
            threeDigits(leastWorkShare(scheme)).c_str());
    return Done;
}

} // namespace tilewright::cli
