// SPDX-License-Identifier: GPL-3.0-or-later
// What the fitness plot shows of a run, as plain values: dots, best-so-far steps, failures. Pure.
#pragma once

#include "ui/models/run_axis.h"
#include "ui/theme/tokens.h"
#include "ui/widgets/plot/plot_view.h"

#include <QByteArray>
#include <QVector>
#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

namespace tilewright::ui {

// How a user looks at the fitness plot of a session: both axes, the scale, the chosen stretch. Kept as JSON between
// starts, one for each session, but for the stretch: it hides candidates, and nobody remembers having drawn it. Pure.

/// What stands upwards: the speedup over the baseline, the time itself, the speedup over the vendor's library.
enum class FitnessValue { Score, Time, VersusVendor };
constexpr int fitnessValues = 3;

struct FitnessLook {
    RunAxis axis = RunAxis::Evaluation;
    FitnessValue value = FitnessValue::Score;
    std::optional<bool> logarithmic; ///< none: as the values ask for
    std::optional<RunRange> range;
    bool migrations = true; ///< dotted lines where elites went to other islands

    bool operator==(const FitnessLook&) const = default;
};

QString nameOf(FitnessValue value); ///< "Score"
QByteArray toJson(const FitnessLook& look);
/// What cannot be read is as it is at first.
FitnessLook fitnessLookFrom(const QByteArray& json);
/// The name under which the settings keep the look of that session.
QString fitnessLookName(const QString& sessionPath);

struct FitnessData {
    QVector<PlotSeries> series; ///< one an island that is shown
    std::vector<IslandId> islands; ///< of each series
    QVector<PlotReference> references; ///< baseline and vendor, where they are known
    QStringList measured; ///< how each of them is known
    QString valueName; ///< of the left axis, with its unit
    std::vector<std::vector<CandidateId>> candidates; ///< of each dot
    QVector<PlotTick> failures;
    qsizetype failed = 0; ///< those without a place on the axis as well
    /// What a logarithmic axis shows at first: from the worst twentieth, or the seed if that is worse, to the best.
    std::optional<std::pair<double, double>> bulk;
    double unit = 1; ///< of the left axis, in nanoseconds where it has times
};

/// How its line is drawn: eight islands have a colour of their own; beyond them the line tells them apart.
Qt::PenStyle islandLine(IslandId island);
/// What a ranked candidate has of that value, times in nanoseconds as the geometric mean over the training shapes; none
/// where it was not measured.
std::optional<double> fitnessOf(const RunState& run, const Candidate& candidate, FitnessValue value);
/// Nanoseconds, or a factor, as a user reads them.
QString fitnessWords(double value, FitnessValue kind);
/// `vendor`: the vendor's library by its name, for its line.
FitnessData fitnessOf(const RunState& run, const FitnessLook& look, const Tokens& tokens, const QString& vendor,
    const std::function<bool(IslandId)>& isShown);
/// Where a value stands on the left axis of that data.
double heightOf(double value, const FitnessData& data);

// The line of an island's bests along a run: what was known when. It rises with who is better, falls where a ban or a
// reset takes the best away, and keeps what was drawn until then. Pure.

/// One that may be the best of its island, from a place of the axis on.
struct BestClaim {
    double x = 0, y = 0;
    CandidateId id;
};

struct BestLine {
    QVector<double> x, y; ///< in order of x: from each on the best is that
    bool isHeld = true; ///< somebody is the best at its end
    std::vector<CandidateId> holders; ///< whoever has the value of its end, there
};

/// Made once for all islands of one state of the run.
class BestLines
{
public:
    /// `run` and `places` must outlive it.
    BestLines(const RunState& run, const RunPlaces& places, FitnessValue value);

    /// Where a copy came to its island; noPlace for all others, and for one that was taken back.
    double placeOf(const Candidate& copy) const;
    /// `claims`: of all who are or were there, in any order. Up to `lastX`, or where the last thing happened.
    BestLine of(const Island& island, std::vector<BestClaim> claims, double lastX) const;

private:
    std::vector<BestClaim> guestsOf(const Island& island) const;
    bool isGone(const Island& island, const BestClaim& claim) const;
    void endAtTheBest(const Island& island, std::vector<BestClaim>& claims, double lastX) const;

    const RunState& m_run;
    const RunPlaces& m_places;
    FitnessValue m_value;
    std::unordered_map<std::int64_t, CandidateId> m_ofResult; ///< by the number of the result
    std::map<CandidateId, double> m_cameAt; ///< of copies
    std::map<IslandId, double> m_addedAt; ///< of islands that came while the run went on
    std::vector<std::pair<double, const BanMark*>> m_bans; ///< in their order
    std::vector<std::pair<double, const IslandChange*>> m_resets; ///< those that hold, in their order
};

} // namespace tilewright::ui
