// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/kept_crossovers.h"

#include "core/base/files.h"
#include "core/base/folders.h"
#include "core/base/hash.h"
#include "ui/lab/kept_sweeps.h"

#include <algorithm>

namespace tilewright::ui {

namespace {

constexpr std::size_t largestCrossover = 1 << 20; ///< bytes

std::filesystem::path crossoversFolder() { return dataFolder() / "crossovers"; }

void addCrossovers(const std::filesystem::path& folder, bool isOfThisMachine, std::vector<KeptCrossover>& crossovers)
{
    std::error_code problem;
    for (std::filesystem::directory_iterator entry(folder, problem), end; !problem && entry != end;
         entry.increment(problem)) {
        if (entry->path().extension() != ".json")
            continue;
        const auto text = readFile(entry->path(), largestCrossover);
        if (auto sweep = text ? crossoverFrom(*text) : std::unexpected(text.error()))
            crossovers.push_back({std::move(*sweep), isOfThisMachine});
    }
}

} // namespace

std::vector<KeptCrossover> keptCrossovers()
{
    std::vector<KeptCrossover> crossovers;
    std::error_code problem;
    for (std::filesystem::directory_iterator entry(crossoversFolder(), problem), end; !problem && entry != end;
         entry.increment(problem))
        addCrossovers(entry->path(), entry->path().filename() == machineName(), crossovers);
    addCrossovers(sharedFolder() / "resources/lab", false, crossovers);
    std::ranges::stable_sort(crossovers, [](const KeptCrossover& a, const KeptCrossover& b) {
        return a.isOfThisMachine != b.isOfThisMachine ? a.isOfThisMachine : a.sweep.date > b.sweep.date;
    });
    return crossovers;
}

Result<void> keepCrossover(const CrossoverSweep& sweep)
{
    const std::filesystem::path folder = crossoversFolder() / machineName();
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (problem)
        return fail("machine/folder", "the folder " + folder.string() + " cannot be made: " + problem.message());
    CrossoverSweep key = sweep;
    key.cells.clear();
    key.date.clear();
    key.environment = nullptr;
    return saveFile(folder / (sha256(crossoverJson(key)).hex().substr(0, 32) + ".json"), crossoverJson(sweep));
}

} // namespace tilewright::ui
