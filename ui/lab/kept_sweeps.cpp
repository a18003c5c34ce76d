// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/kept_sweeps.h"

#include "core/base/files.h"
#include "core/base/folders.h"
#include "core/base/hash.h"

#include <QByteArray>
#include <QString>
#include <QSysInfo>
#include <algorithm>

namespace tilewright::ui {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t largestSweep = 4 << 20; ///< bytes

fs::path sweepsFolder() { return cacheFolder() / "sweeps"; }

void addFrom(const fs::path& folder, bool isOfThisMachine, std::vector<KeptSweep>& sweeps)
{
    std::error_code problem;
    for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end; entry.increment(problem)) {
        if (entry->path().extension() != ".json")
            continue;
        const auto text = readFile(entry->path(), largestSweep);
        if (auto sweep = text ? sweepFrom(*text) : std::unexpected(text.error()))
            sweeps.push_back({std::move(*sweep), isOfThisMachine});
    }
}

} // namespace

std::string machineName()
{
    return sha256(QSysInfo::machineUniqueId().toStdString() + QSysInfo::machineHostName().toStdString())
        .hex()
        .substr(0, 16);
}

std::vector<KeptSweep> keptSweeps()
{
    std::vector<KeptSweep> sweeps;
    std::error_code problem;
    for (fs::directory_iterator entry(sweepsFolder(), problem), end; !problem && entry != end; entry.increment(problem))
        addFrom(entry->path(), entry->path().filename() == machineName(), sweeps);
    addFrom(sharedFolder() / "resources/lab", false, sweeps);
    std::ranges::stable_sort(sweeps, [](const KeptSweep& a, const KeptSweep& b) {
        return a.isOfThisMachine != b.isOfThisMachine ? a.isOfThisMachine : a.sweep.date > b.sweep.date;
    });
    return sweeps;
}

Result<void> keepSweep(const TileSweep& sweep)
{
    const fs::path folder = sweepsFolder() / machineName();
    std::error_code problem;
    fs::create_directories(folder, problem);
    if (problem)
        return fail("machine/folder", "the folder " + folder.string() + " cannot be made: " + problem.message());
    TileSweep key = sweep;
    key.cells.clear();
    key.date.clear();
    key.environment = nullptr;
    return saveFile(folder / (sha256(sweepJson(key)).hex().substr(0, 32) + ".json"), sweepJson(sweep));
}

} // namespace tilewright::ui
