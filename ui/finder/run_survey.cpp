// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/finder/run_survey.h"

#include "ui/finder/finder_query.h"
#include "ui/models/best_words.h"
#include "ui/models/candidate_model.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

QString ofFinder(const char* words) { return QCoreApplication::translate("tilewright::ui::Finder", words); }

void emphasise(Found& found, const QString& wanted)
{
    const qsizetype at = found.text.indexOf(wanted, 0, Qt::CaseInsensitive);
    found.start = static_cast<int>(std::max<qsizetype>(at, 0));
    found.length = at < 0 ? 0 : static_cast<int>(wanted.size());
}

/// How well a candidate matches, the best first.
enum class Match { Named, Name, Marks, Change, Island, None };

/// The best first; of equals the older one, and what was taken back after all others.
void surveyCandidates(const RunState& run, const QString& wanted, const std::atomic<bool>& cancelled, Survey& into)
{
    using Matches = std::array<std::vector<Found>, static_cast<std::size_t>(Match::None)>;
    Matches matches, takenBack;
    std::map<IslandId, bool> islandMatches;
    for (const Island& island : run.islands)
        islandMatches[island.id]
            = ofFinder("island %1").arg(text(islandLetter(island.id))).contains(wanted, Qt::CaseInsensitive)
            || text(island.name).contains(wanted, Qt::CaseInsensitive);
    const CandidateId named = namedBy(run, wanted);
    const auto has = [&](const QString& words) { return words.contains(wanted, Qt::CaseInsensitive); };
    const auto matchOf = [&](const Candidate& candidate) {
        return candidate.id == named                                                      ? Match::Named
            : has(nameOfCandidate(candidate.id))                                          ? Match::Name
            : has(markWords(run, candidate)) || has(text(run.marksOf(candidate.id).note)) ? Match::Marks
            : has(changeWords(run, candidate))                                            ? Match::Change
            : islandMatches[candidate.island]                                             ? Match::Island
                                                                                          : Match::None;
    };
    for (const Candidate& candidate : run.candidates) {
        if (cancelled)
            return;
        const Match match = matchOf(candidate);
        if (match == Match::None)
            continue;
        Matches& among = candidate.takenBack && match != Match::Named ? takenBack : matches;
        std::vector<Found>& alike = among[static_cast<std::size_t>(match)];
        if (std::ssize(alike) <= mostCandidates) // one more than is shown: then it is known that there are more
            alike.push_back(foundCandidate(run, candidate, wanted));
    }
    for (const Matches* each : {&matches, &takenBack})
        for (const std::vector<Found>& alike : *each)
            into.found.insert(into.found.end(), alike.begin(), alike.end());
    if (std::ssize(into.found) > mostCandidates) {
        into.found.resize(mostCandidates);
        into.moreCandidates = true;
    }
}

void surveyEvents(const RunState& run, const FinderQuery& query, const std::atomic<bool>& cancelled, Survey& into)
{
    int told = 0;
    for (std::size_t i = run.log.size(); i-- > 0 && !cancelled;) { // the newest are wanted first
        const LogLine& line = run.log[i];
        const QString words = text(line.text);
        const QRegularExpressionMatch match = query.pattern.match(words);
        if (!match.hasMatch())
            continue;
        if (++told > mostEvents) {
            into.moreEvents = true;
            return;
        }
        const TextMatch shown = excerpt(words, static_cast<int>(i), match.capturedStart(), match.capturedLength());
        const Candidate* candidate = run.candidate(line.candidate);
        Found found{.kind = Found::Kind::Event,
            .text = shown.text,
            .start = shown.start,
            .length = shown.length,
            .aside = clockTime(line.atUtc)};
        found.candidate = line.candidate;
        found.island = candidate ? candidate->island : IslandId{};
        found.line = static_cast<int>(i);
        into.found.push_back(std::move(found));
    }
}

class TextsToRead
{
public:
    explicit TextsToRead(std::vector<SoughtText>& texts)
        : m_texts(texts)
    {
    }
    void add(const Hash& hash, Found::Kind kind, const Candidate& candidate)
    {
        if (hash.isNull())
            return;
        const auto [at, isNew] = m_known.try_emplace({hash, kind}, m_texts.size());
        if (isNew)
            m_texts.push_back({.hash = hash, .kind = kind, .candidate = candidate.id, .island = candidate.island});
        else
            ++m_texts[at->second].others;
    }

private:
    std::vector<SoughtText>& m_texts;
    std::map<std::pair<Hash, Found::Kind>, std::size_t> m_known;
};

void surveyTexts(const RunState& run, const FinderQuery& query, const std::atomic<bool>& cancelled, Survey& into)
{
    std::unordered_map<std::int64_t, Hash> logs; // the one that the inspector shows: the newest
    if (query.searchesLogs())
        for (const Evaluation& evaluation : run.evaluations)
            if (!evaluation.result.log.isNull())
                logs[evaluation.candidate.value] = evaluation.result.log;
    TextsToRead texts(into.texts);
    for (std::size_t i = run.candidates.size(); i-- > 0 && !cancelled;) {
        const Candidate& candidate = run.candidates[i];
        if (query.searchesCode())
            texts.add(candidate.source, Found::Kind::Code, candidate);
        if (const auto log = logs.find(candidate.id.value); log != logs.end())
            texts.add(log->second, Found::Kind::BuildLog, candidate);
    }
}

} // namespace

CandidateId namedBy(const RunState& run, const QString& words)
{
    const Candidate* best = words.compare(ofFinder("best"), Qt::CaseInsensitive) == 0 ? run.best() : nullptr;
    return best ? best->id : candidateFromName(words.toStdString());
}

Found foundCandidate(const RunState& run, const Candidate& candidate, const QString& wanted)
{
    QStringList words{nameOfCandidate(candidate.id)};
    for (QString more :
        {changeWords(run, candidate), markWords(run, candidate), text(run.marksOf(candidate.id).note).simplified()})
        if (!more.isEmpty() && more != u"–"_s)
            words << more;
    Found found{.kind = Found::Kind::Candidate,
        .text = words.join(u" · "_s),
        .aside = candidate.isRanked() ? bestWords(candidate) : stateWords(candidate)};
    found.candidate = candidate.id;
    found.island = candidate.island;
    emphasise(found, wanted);
    return found;
}

Survey survey(const RunState& run, const FinderQuery& query, const std::atomic<bool>& cancelled)
{
    Survey all;
    if (!query.problem.isEmpty() || query.wanted.isEmpty())
        return all;
    if (!query.isRegular())
        surveyCandidates(run, query.wanted, cancelled, all);
    if (query.searchesLogs())
        surveyEvents(run, query, cancelled, all);
    if (query.searchesTexts())
        surveyTexts(run, query, cancelled, all);
    return all;
}

} // namespace tilewright::ui
