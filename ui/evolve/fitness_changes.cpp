// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/fitness_changes.h"

#include "core/model/islands/island_steering.h"
#include "core/model/measurement/dispute.h"
#include "ui/models/display_text.h"
#include "ui/theme/words.h"

#include <algorithm>
#include <set>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

QString firstWord(const std::string& words)
{
    const std::size_t end = words.find_first_of(" ,:;");
    return text(words.substr(0, end));
}

/// What was done to a candidate, in a word or two.
QString doneTo(const RunChange& change)
{
    switch (change.kind) {
    case ChangeKind::Ban:
        return change.isEnded ? tr("ban removed") : tr("banned");
    case ChangeKind::Pin:
        return change.isEnded ? tr("pin removed") : tr("pinned");
    case ChangeKind::Boost:
        return change.isEnded ? tr("boost removed") : tr("boosted");
    case ChangeKind::SteeringRequest:
        return change.isEnded ? tr("request cancelled") : tr("edits requested");
    case ChangeKind::Copy:
        return change.isEnded ? tr("copy undone") : tr("copied");
    case ChangeKind::Move:
        return tr("moved");
    case ChangeKind::Write:
        return change.isEnded ? tr("your version undone") : tr("by you");
    case ChangeKind::Rerun:
        if ((change.isEnded ? change.from : change.to) == quickResult)
            return change.isEnded ? tr("no quick result") : tr("quick result");
        return change.isEnded ? tr("re-run cancelled") : tr("re-run");
    case ChangeKind::Named:
    case ChangeKind::Became:
    case ChangeKind::Insights:
        break;
    }
    return {};
}

/// "c-0012 banned"; empty where it was done to no candidate.
QString candidateLabel(const RunChange& change)
{
    const QString done = doneTo(change);
    return done.isEmpty() ? QString() : nameOfCandidate(change.candidate) + u' ' + done;
}

QString subjectOf(const RunChange& change)
{
    switch (change.kind) {
    case ChangeKind::Named:
        return firstWord(change.what);
    case ChangeKind::Became:
        return change.to.starts_with(nameOf(Standing::Living)) ? tr("resumed") : firstWord(change.to);
    case ChangeKind::Insights:
        return u"insights"_s;
    default:
        return candidateLabel(change);
    }
}

bool isOfMarks(const RunChange& change)
{
    return change.kind == ChangeKind::Ban || change.kind == ChangeKind::Pin || change.kind == ChangeKind::Boost;
}

} // namespace

std::vector<bool> takenBack(const Chunked<RunChange>& changes)
{
    std::set<std::int64_t> gone;
    for (const RunChange& change : changes)
        if (change.takesBack)
            gone.insert(change.takesBack);
    std::vector<bool> all;
    for (const RunChange& change : changes)
        all.push_back(gone.contains(change.seq));
    return all;
}

QString changeLabel(const RunChange& change)
{
    const QString label = subjectOf(change);
    return change.island ? text(islandLetter(change.island)) + u' ' + label : label;
}

QString changeSentence(const RunChange& change)
{
    QString words = isOfMarks(change)
        ? tr("%1 (marks: %2 → %3)").arg(candidateLabel(change), text(change.from), text(change.to))
        : text(lineOf(change));
    return words.replace(u'\n', u' ');
}

FitnessChanges changesOf(
    const RunState& run, RunAxis axis, const Tokens& tokens, const std::function<bool(IslandId)>& isShown)
{
    std::vector<std::pair<double, std::size_t>> at;
    const RunPlaces places(run, axis);
    for (std::size_t i = 0; i < run.changes.size(); ++i) {
        const RunChange& change = run.changes[i];
        if (change.island && !isShown(change.island))
            continue;
        if (const double x = places.of(change.evaluations, change.runNs); x >= 0)
            at.emplace_back(x, i);
    }
    std::ranges::sort(at); // evaluations that were withdrawn do not count any more: a later change may stand before
    FitnessChanges shown;
    const std::vector<bool> gone = takenBack(run.changes);
    for (const auto& [x, i] : at) {
        const RunChange& change = run.changes[i];
        const Candidate* written = change.kind == ChangeKind::Write ? run.candidate(change.candidate) : nullptr;
        const bool isGone = gone[i] || (!change.isEnded && written && written->takenBack);
        const QColor ink = change.island ? islandColour(tokens, change.island) : tokens.secondary;
        shown.marks.append(isGone ? PlotMark{x, tr("%1, undone").arg(changeLabel(change)), tokens.tertiary}
                                  : PlotMark{x, changeLabel(change), ink});
        shown.changes.push_back(i);
    }
    return shown;
}

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
