// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/fitness_changes.h"

#include "ui/models/format.h"
#include "ui/theme/words.h"

#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype longestWords = 90;

QString firstWord(const std::string& words)
{
    const std::size_t end = words.find_first_of(" ,:;");
    return text(words.substr(0, end));
}

/// What was done to a candidate, in a word or two.
QString doneTo(const RunChange& change)
{
    const QString to = text(change.to), what = text(change.what);
    if (to.endsWith(u"taken back"_s))
        return tr("undone");
    if (what.endsWith(u" measuring"_s))
        return tr("measured again");
    if (what.endsWith(u" your version"_s))
        return tr("by you");
    if (what.endsWith(u" parent of the next"_s))
        return tr("wished");
    return to.section(u',', 0, 0).section(u" to "_s, 0, 0); // "banned", "copied"
}

} // namespace

QString changeLabel(const RunChange& change)
{
    const QString subject = firstWord(change.what);
    QString label = subject;
    if (subject == u"island"_s || subject == u"run"_s || subject == u"population"_s)
        label = firstWord(change.to);
    else if (subject == u"your"_s)
        label = u"insights"_s;
    else if (candidateFromName(subject.toStdString()))
        label += u' ' + doneTo(change);
    return change.island ? text(islandLetter(change.island)) + u' ' + label : label;
}

QString changeWords(const RunChange& change)
{
    QString words = text(lineOf(change));
    words.replace(u'\n', u' ');
    return words.size() > longestWords ? words.left(longestWords - 1) + u'…' : words;
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
    for (const auto& [x, i] : at) {
        const RunChange& change = run.changes[i];
        shown.marks.append(
            {x, changeLabel(change), change.island ? islandColour(tokens, change.island) : tokens.secondary});
        shown.changes.push_back(i);
    }
    return shown;
}

} // namespace tilewright::ui
