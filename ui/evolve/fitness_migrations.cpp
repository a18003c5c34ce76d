// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/fitness_migrations.h"

#include "ui/models/format.h"
#include "ui/theme/words.h"

#include <algorithm>

namespace tilewright::ui {

namespace {

QColor colourOf(const RunState& run, const std::vector<std::size_t>& at, const Tokens& tokens)
{
    std::vector<IslandId> bests, all;
    for (const std::size_t i : at) {
        const MigrationMark& migration = run.migrations[i];
        all.push_back(migration.to);
        if (migration.isBest)
            bests.push_back(migration.to);
    }
    for (const auto& islands : {bests, all})
        if (islands.size() == 1)
            return islandColour(tokens, islands.front());
    return tokens.tertiary;
}

} // namespace

FitnessMigrations migrationsOf(
    const RunState& run, RunAxis axis, const Tokens& tokens, const std::function<bool(IslandId)>& isShown)
{
    std::vector<std::pair<double, std::size_t>> at;
    const RunPlaces places(run, axis);
    for (std::size_t i = 0; i < run.migrations.size(); ++i) {
        const MigrationMark& migration = run.migrations[i];
        const Candidate* copy = run.candidate(migration.copy);
        if (!isShown(migration.to) || (copy && copy->takenBack) || migration.byOrder)
            continue;
        if (const double x = places.of(migration.evaluations, migration.runNs); x >= 0)
            at.emplace_back(x, i);
    }
    std::ranges::sort(at); // evaluations that were withdrawn do not count any more: a later one may stand before
    FitnessMigrations shown;
    for (const auto& [x, i] : at) {
        if (shown.guides.isEmpty() || shown.guides.last().x != x) {
            shown.guides.append(PlotGuide{x, {}});
            shown.migrations.emplace_back();
        }
        shown.migrations.back().push_back(i);
    }
    for (qsizetype i = 0; i < shown.guides.size(); ++i)
        shown.guides[i].colour = colourOf(run, shown.migrations[static_cast<std::size_t>(i)], tokens);
    return shown;
}

QString migrationWords(const RunState& run, const MigrationMark& migration)
{
    const Candidate *from = run.candidate(migration.from), *copy = run.candidate(migration.copy);
    const QString way = tr("%1, %2 → %3")
                            .arg(nameOfCandidate(migration.from), from ? text(islandLetter(from->island)) : QString(),
                                text(islandLetter(migration.to)));
    return migration.isBest && copy && copy->score
        ? tr("%1: best of the island, %2").arg(way, times(copy->score->value))
        : way;
}

} // namespace tilewright::ui
