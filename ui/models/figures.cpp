// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/figures.h"

#include "core/model/measurement/pair_ladder.h"
#include "core/model/reviews/review_queue.h"
#include "ui/models/display_text.h"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace tilewright::ui {

std::vector<const Evaluation*> evaluationsOf(const RunState& run, CandidateId candidate)
{
    std::vector<const Evaluation*> found;
    const Candidate* of = run.candidate(candidate);
    for (const Evaluation* one = of ? run.evaluation(of->newest) : nullptr; one; one = run.evaluation(one->before))
        found.push_back(one);
    std::ranges::reverse(found);
    return found;
}

CandidateId childOf(const RunState& run, CandidateId candidate)
{
    const Candidate* chosen = nullptr;
    for (const Candidate& child : run.candidates) {
        if (std::ranges::find(child.parents, candidate) == child.parents.end())
            continue;
        const bool better
            = chosen && child.isRanked() && (!chosen->isRanked() || child.score->value > chosen->score->value);
        if (!chosen || better)
            chosen = &child;
    }
    return chosen ? chosen->id : CandidateId{};
}

QString stateWords(const RunState& run, const Candidate& candidate)
{
    if (isEditedByPerson(candidate))
        return text(wordsOfEdit(run, candidate));
    const bool isUnderWay = candidate.stage == Stage::Building || candidate.stage == Stage::Checking
        || candidate.stage == Stage::Screening || candidate.stage == Stage::Confirming;
    const bool halts = run.phase != events::Phase::Running && candidate.outcome == Outcome::None && isUnderWay;
    return halts ? tr("%1, halted").arg(stateWords(candidate)) : stateWords(candidate);
}

bool isFailure(const Candidate& candidate)
{
    return candidate.outcome == Outcome::Refused || candidate.outcome == Outcome::BuildFailed
        || candidate.outcome == Outcome::RunFailed || candidate.outcome == Outcome::Quarantined;
}

bool isEndedByPerson(const Candidate& candidate)
{
    return candidate.stage == Stage::Rejected && !isEditedByPerson(candidate);
}

QString copyWords(const RunState& run, const Candidate& candidate)
{
    return candidate.migrated ? QObject::tr("same program as %1").arg(nameOfCandidate(originOf(run, candidate.id)))
                              : QString();
}

QString howCopied(const RunState& run, const Candidate& candidate)
{
    if (!candidate.migrated || candidate.parents.empty())
        return {};
    const auto placed = std::ranges::find(run.placements, candidate.id, &Placement::copy);
    // Marks stand in the order of their copies; a table asks for each of its rows.
    const auto places = std::views::iota(std::size_t(0), run.migrations.size());
    const auto at = std::ranges::lower_bound(
        places, candidate.id, {}, [&run](std::size_t place) { return run.migrations[place].copy; });
    const bool isOrdered
        = at != places.end() && run.migrations[*at].copy == candidate.id && run.migrations[*at].byOrder;
    QString how = isOrdered ? QObject::tr("copied from %1") : QObject::tr("migrated from %1");
    if (placed != run.placements.end())
        how = (*placed).placing == Placing::Move ? QObject::tr("moved by you from %1")
                                                 : QObject::tr("copied by you from %1");
    const Candidate* from = run.candidate(candidate.parents.front());
    return how.arg(from ? text(islandLetter(from->island)) : u"–"_s);
}

QStringList changeLines(const RunState& run, const Candidate& candidate)
{
    QStringList lines;
    if (candidate.migrated)
        lines << copyWords(run, candidate);
    if (const auto change = versusParent(run, candidate)) {
        const QString parent = nameOfCandidate(change->parent);
        lines << (change->isWithinNoise()
                ? QObject::tr("within noise of parent %1").arg(parent)
                : QObject::tr("%1 over parent %2").arg(signedPercent(change->ratio.value), parent));
    }
    return lines;
}

bool isProvisional(const Candidate& candidate)
{
    return candidate.isRanked() && !candidate.confirmed && candidate.id != CandidateId{1};
}

QString bestWords(const Candidate& candidate) { return aboutSign(candidate) + times(candidate.score); }

QString aboutSign(const Candidate& candidate) { return isProvisional(candidate) ? QStringLiteral("≈ ") : QString(); }

double ScoreScale::shadeOf(double score) const
{
    const double end = std::max(top, lowest * 1.05);
    return std::clamp(std::log(std::max(score, lowest) / lowest) / std::log(end / lowest), 0.0, 1.0);
}

std::optional<ScoreScale> scoreScale(const RunState& run)
{
    constexpr CandidateId seed{1};
    const Candidate* best = run.best();
    if (best && best->score && best->id != seed)
        return ScoreScale{best->score->value};
    std::optional<ScoreScale> scale;
    for (const Island& island : run.islands)
        if (const Candidate* ahead = run.candidate(island.best); ahead && ahead->id != seed && ahead->isRanked())
            scale = ScoreScale{std::max({scale ? scale->top : 0.0, ahead->score->value, 1.0})};
    return scale;
}

double scoreShade(const RunState& run, double score)
{
    const auto scale = scoreScale(run);
    return scale ? scale->shadeOf(score) : 0.5;
}

} // namespace tilewright::ui
