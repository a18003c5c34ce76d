// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/fitness_data.h"

#include "core/model/measurement/roofline.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/session/settings.h"
#include "ui/theme/words.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// With its range where that is wider than what is written: "vendor 37.9× (31.6× to 39.1×)".
void addReference(FitnessData& data, const RepeatedFigure& figure, const QString& name, FitnessValue kind, bool below)
{
    const auto& [value, lo, hi] = figure.value;
    const QString least = fitnessWords(lo, kind), most = fitnessWords(hi, kind), middle = fitnessWords(value, kind);
    PlotReference reference{value, name.arg(middle), below};
    if (least != most) {
        reference.label = name.arg(tr("%1 (%2 to %3)").arg(middle, least, most));
        reference.band = std::pair(lo, hi);
    }
    data.references.append(reference);
    data.measured << counted(figure.times, tr("from %1 confirmation"),
        tr("median of %1 confirmations; stripe: their whole range with 95 % intervals"));
}

/// The baseline and the vendor's library, each where its own measurements say; none of them asks who is the best.
void addReferences(FitnessData& data, const RunState& run, FitnessValue kind, const QString& vendorName)
{
    const QString baseline = tr("baseline %1"),
                  vendor
        = vendorName.isEmpty() ? tr("vendor library %1") : tr("vendor library %1") + u" · "_s + vendorName;
    constexpr bool above = false, below = true;
    const auto addUnit = [&](const QString& name, bool side) {
        data.references.append({1.0, name.arg(fitnessWords(1, kind)), side});
        data.measured << tr("other values are relative to it");
    };
    const auto add = [&](const std::optional<RepeatedFigure>& figure, const QString& name, bool side) {
        if (figure)
            addReference(data, *figure, name, kind, side);
    };
    switch (kind) {
    case FitnessValue::Score:
        addUnit(baseline, below);
        add(vendorScore(run), vendor, above);
        break;
    case FitnessValue::VersusVendor:
        addUnit(vendor, above);
        add(baselineVersusVendor(run), baseline, below);
        break;
    case FitnessValue::Time:
        add(baselineTime(run), baseline, below);
        add(vendorTime(run), vendor, above);
        break;
    }
}

/// Times in the unit that the middle of their range, which may be wide, reads best in.
void chooseUnit(FitnessData& data)
{
    double least = 1e300, most = 0;
    for (const PlotSeries& series : data.series)
        for (const double value : series.y) {
            least = std::min(least, value);
            most = std::max(most, value);
        }
    const double middle = most > 0 ? std::sqrt(least * most) : 0;
    const std::pair<double, QString> units[] = {{1e6, u"ms"_s}, {1e3, u"µs"_s}, {1.0, u"ns"_s}};
    for (const auto& [unit, name] : units) {
        if (middle < unit && unit > 1)
            continue;
        data.unit = unit;
        data.valueName = tr("time (%1)").arg(name);
        break;
    }
    const auto divide = [&data](QVector<double>& values) {
        for (double& value : values)
            value /= data.unit;
    };
    for (PlotSeries& series : data.series)
        divide(series.y), divide(series.stepY);
    for (PlotReference& reference : data.references) {
        reference.y /= data.unit;
        if (reference.band)
            reference.band = std::pair(reference.band->first / data.unit, reference.band->second / data.unit);
    }
}

/// Whether a confirmed candidate has the value that the line ends at: one made there, a copy that came, or a guest.
bool isConfirmed(const RunState& run, const BestLine& line)
{
    return std::ranges::any_of(line.holders, [&run](CandidateId id) {
        const Candidate* candidate = run.candidate(id);
        return candidate && !isProvisional(*candidate);
    });
}

} // namespace

Qt::PenStyle islandLine(IslandId island)
{
    constexpr Qt::PenStyle lines[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    return lines[static_cast<std::size_t>(std::max<std::int64_t>(island.value - 1, 0)) / 8 % std::size(lines)];
}

std::optional<double> fitnessOf(const RunState& run, const Candidate& candidate, FitnessValue value)
{
    if (!candidate.isRanked() || candidate.score->value <= 0)
        return std::nullopt;
    switch (value) {
    case FitnessValue::Score:
        return candidate.score->value;
    case FitnessValue::VersusVendor:
        return candidate.vsVendor && candidate.vsVendor->value > 0 ? std::optional(candidate.vsVendor->value)
                                                                   : std::nullopt;
    case FitnessValue::Time:
        break;
    }
    const Evaluation* evaluation = run.evaluation(candidate.latest);
    return evaluation
        ? meanTime(evaluation->result, [](const ShapeResult& shape) { return std::optional(shape.candidateNs); })
        : std::nullopt;
}

QString fitnessWords(double value, FitnessValue kind)
{
    return kind == FitnessValue::Time ? shortTime(value) : times(value);
}

double heightOf(double value, const FitnessData& data) { return value / data.unit; }

namespace {

/// None where nothing was measured.
std::optional<std::pair<double, double>> bulkOf(const FitnessData& data, const RunState& run, FitnessValue value)
{
    std::vector<double> all;
    for (const PlotSeries& series : data.series)
        all.insert(all.end(), series.y.begin(), series.y.end());
    if (all.empty())
        return std::nullopt;
    const auto [least, most] = std::ranges::minmax(all);
    const auto few = static_cast<std::ptrdiff_t>(all.size() / 20);
    const Candidate* first = run.candidate(CandidateId{1});
    const std::optional<double> seed = first ? fitnessOf(run, *first, value) : std::nullopt;
    if (value == FitnessValue::Time) {
        std::ranges::nth_element(all, all.end() - 1 - few);
        const double worst = *(all.end() - 1 - few);
        return std::pair(least, std::max(worst, seed ? heightOf(*seed, data) : worst));
    }
    std::ranges::nth_element(all, all.begin() + few);
    const double worst = *(all.begin() + few);
    return std::pair(std::min(worst, seed.value_or(worst)), most);
}

} // namespace

FitnessData fitnessOf(const RunState& run, const FitnessLook& look, const Tokens& tokens, const QString& vendor,
    const std::function<bool(IslandId)>& isShown)
{
    FitnessData data;
    data.valueName
        = look.value == FitnessValue::Score ? tr("speedup vs baseline (×)") : tr("speedup vs vendor library (×)");
    addReferences(data, run, look.value, vendor);
    std::vector<std::vector<BestClaim>> dots(run.islands.size()), copies(run.islands.size());
    const RunPlaces places(run, look.axis);
    const BestLines bests(run, places, look.value);
    double lastX = look.axis == RunAxis::Evaluation ? static_cast<double>(run.resultsEver) : 0;
    for (const Candidate& candidate : run.candidates) {
        const double x = candidate.migrated ? bests.placeOf(candidate) : places.of(candidate);
        const auto island = static_cast<std::size_t>(candidate.island.value - 1);
        if (candidate.island.value < 1 || island >= dots.size() || !isShown(candidate.island))
            continue;
        data.failed += isFailure(candidate) && candidate.resultNumber > 0 ? 1 : 0;
        if (x < 0)
            continue; // it has no place on this axis
        if (isFailure(candidate))
            data.failures.append({x, islandColour(tokens, candidate.island)});
        else if (const auto y = fitnessOf(run, candidate, look.value))
            (candidate.migrated ? copies : dots)[island].push_back({x, *y, candidate.id});
        if (!candidate.migrated)
            lastX = std::max(lastX, x);
    }
    for (std::size_t i = 0; i < dots.size(); ++i) {
        const Island& island = run.islands[i];
        if (!isShown(island.id))
            continue;
        std::ranges::stable_sort(dots[i], {}, &BestClaim::x);
        PlotSeries series;
        series.colour = islandColour(tokens, island.id);
        series.line = islandLine(island.id);
        std::vector<CandidateId> ids;
        for (const BestClaim& dot : dots[i]) {
            series.x.append(dot.x);
            series.y.append(dot.y);
            ids.push_back(dot.id);
        }
        std::vector<BestClaim> claims = dots[i];
        if (!island.unmade)
            claims.insert(claims.end(), copies[i].begin(), copies[i].end());
        const BestLine line = bests.of(island, std::move(claims), lastX);
        series.stepX = line.x;
        series.stepY = line.y;
        series.label = text(islandLetter(island.id));
        if (!series.stepY.isEmpty() && line.isHeld)
            series.label
                += (isConfirmed(run, line) ? u" "_s : u" ≈ "_s) + fitnessWords(series.stepY.last(), look.value);
        data.series.append(series);
        data.islands.push_back(island.id);
        data.candidates.push_back(std::move(ids));
    }
    if (look.value == FitnessValue::Time)
        chooseUnit(data);
    data.bulk = bulkOf(data, run, look.value);
    return data;
}

namespace {

const QString axisKey = u"axis"_s, valueKey = u"value"_s, logarithmicKey = u"logarithmic"_s,
              migrationsKey = u"migrations"_s;

template <typename T> T choiceOf(const QJsonValue& json, int choices, T otherwise)
{
    const int choice = json.toInt(-1);
    return choice >= 0 && choice < choices ? static_cast<T>(choice) : otherwise;
}

} // namespace

QString nameOf(FitnessValue value)
{
    switch (value) {
    case FitnessValue::Score:
        return tr("Score");
    case FitnessValue::Time:
        return tr("Time");
    case FitnessValue::VersusVendor:
        break;
    }
    return tr("Versus vendor");
}

QByteArray toJson(const FitnessLook& look)
{
    QJsonObject json{{axisKey, static_cast<int>(look.axis)}, {valueKey, static_cast<int>(look.value)}};
    if (look.logarithmic)
        json[logarithmicKey] = *look.logarithmic;
    if (!look.migrations)
        json[migrationsKey] = false;
    return QJsonDocument(json).toJson(QJsonDocument::Compact);
}

FitnessLook fitnessLookFrom(const QByteArray& json)
{
    const QJsonObject read = QJsonDocument::fromJson(json).object();
    FitnessLook look;
    look.axis = choiceOf(read[axisKey], runAxes, look.axis);
    look.value = choiceOf(read[valueKey], fitnessValues, look.value);
    if (read[logarithmicKey].isBool())
        look.logarithmic = read[logarithmicKey].toBool();
    look.migrations = read[migrationsKey].toBool(true);
    return look;
}

QString fitnessLookName(const QString& sessionPath) { return layoutOf(u"fitness"_s, sessionPath); }

namespace {

/// One who may be the best, and what holds of it so far.
struct Claimant {
    BestClaim claim;
    int bans = 0;
    bool isThere = false;

    bool counts() const { return isThere && bans == 0; }
};

/// From there on the best is that, or nobody.
void goOn(BestLine& line, double x, const std::optional<double>& best)
{
    line.isHeld = best.has_value();
    if (line.x.isEmpty() ? !best : best && line.y.last() == *best)
        return;
    line.x.append(x);
    line.y.append(best.value_or(line.y.isEmpty() ? 0 : line.y.last()));
}

bool isBetter(FitnessValue value, double one, double other)
{
    return value == FitnessValue::Time ? one < other : one > other;
}

/// A ban that ended before anything came is no fall.
void forgetFall(BestLine& line, FitnessValue value)
{
    const qsizetype size = line.x.size();
    if (size < 3 || line.x[size - 2] != line.x[size - 1] || line.y[size - 3] != line.y[size - 1]
        || !isBetter(value, line.y[size - 1], line.y[size - 2]))
        return;
    line.x.resize(size - 2);
    line.y.resize(size - 2);
}

bool stays(const IslandChange& reset, CandidateId id) { return std::ranges::find(reset.kept, id) != reset.kept.end(); }

} // namespace

BestLines::BestLines(const RunState& run, const RunPlaces& places, FitnessValue value)
    : m_run(run)
    , m_places(places)
    , m_value(value)
{
    for (const Candidate& candidate : run.candidates)
        if (candidate.resultNumber > 0)
            m_ofResult.emplace(candidate.resultNumber, candidate.id);
    for (const MigrationMark& came : run.migrations)
        m_cameAt[came.copy] = places.of(came.evaluations, came.runNs);
    std::map<std::int64_t, double> changedAt; // by the number of the event
    for (const RunChange& change : run.changes)
        changedAt[change.seq] = places.of(change.evaluations, change.runNs);
    const auto placeOfEvent = [&changedAt](std::int64_t seq) {
        const auto found = changedAt.find(seq);
        return found == changedAt.end() ? noPlace : found->second;
    };
    for (const Placement& placed : run.placements)
        if (const Candidate* copy = run.candidate(placed.copy))
            m_cameAt[placed.copy] = placeOfEvent(copy->seq);
    for (const BanMark& ban : run.bans)
        if (const double x = places.of(ban.evaluations, ban.runNs); x >= 0)
            m_bans.emplace_back(x, &ban);
    for (const IslandChange& islandChange : run.islandChanges)
        if (const double x = placeOfEvent(islandChange.seq); islandChange.kind == IslandChangeKind::Added)
            m_addedAt[islandChange.before.id] = x;
        else if (islandChange.kind == IslandChangeKind::Reset && !islandChange.undone && x >= 0)
            m_resets.emplace_back(x, &islandChange);
}

double BestLines::placeOf(const Candidate& copy) const
{
    const auto came = m_cameAt.find(copy.id);
    if (copy.takenBack || came == m_cameAt.end())
        return noPlace;
    return m_places.axis() == RunAxis::Generation ? copy.generation : came->second;
}

bool BestLines::isGone(const Island& island, const BestClaim& claim) const
{
    return isBanned(m_run, claim.id) || std::ranges::any_of(m_resets, [&](const auto& reset) {
        return reset.second->before.id == island.id && claim.x <= reset.first && !stays(*reset.second, claim.id);
    });
}

/// The line ends at what the island's best is worth today: what a screening told of it, or of others before it, and a
/// confirmation took back is a dot, and no step.
void BestLines::endAtTheBest(const Island& island, std::vector<BestClaim>& claims, double lastX) const
{
    const Candidate* best = m_run.candidate(island.best);
    const auto now = best ? fitnessOf(m_run, *best, FitnessValue::Score) : std::nullopt;
    if (!now || claims.empty())
        return;
    std::erase_if(claims, [&](const BestClaim& claim) { return claim.y > *now && !isGone(island, claim); });
    if (std::ranges::none_of(claims, [&](const BestClaim& claim) { return claim.y == *now && !isGone(island, claim); }))
        claims.push_back({lastX, *now, best->id});
}

/// Who lives or was the best there without a copy: the seed, which founds all islands that are there at the start, and
/// what comes late of an island that was merged into this one.
std::vector<BestClaim> BestLines::guestsOf(const Island& island) const
{
    std::set<CandidateId> guests(island.members.begin(), island.members.end());
    for (const auto& [results, best] : island.bestTrace) {
        const auto came = m_ofResult.find(results);
        const Candidate* candidate = came == m_ofResult.end() ? nullptr : m_run.candidate(came->second);
        const bool isCopied = std::ranges::any_of(m_run.migrations,
            [&, number = results](const auto& copy) { return copy.to == island.id && copy.evaluations == number; });
        if (candidate && candidate->score && candidate->score->value == best && !isCopied)
            guests.insert(candidate->id);
    }
    std::vector<BestClaim> claims;
    for (const CandidateId id : guests) {
        const Candidate* guest = m_run.candidate(id);
        if (!guest || guest->island == island.id || guest->migrated)
            continue;
        const auto added = m_addedAt.find(island.id);
        const double x = m_places.of(*guest), since = added == m_addedAt.end() ? x : std::max(x, added->second);
        if (const auto y = fitnessOf(m_run, *guest, m_value); y && x >= 0)
            claims.push_back({since, *y, id});
    }
    return claims;
}

BestLine BestLines::of(const Island& island, std::vector<BestClaim> claims, double lastX) const
{
    if (!island.unmade)
        std::ranges::copy(guestsOf(island), std::back_inserter(claims));
    if (m_value == FitnessValue::Score && !island.unmade)
        endAtTheBest(island, claims, lastX);
    if (m_places.axis() == RunAxis::Generation) // where a ban has no place
        std::erase_if(claims, [this](const BestClaim& claim) { return isBanned(m_run, claim.id); });
    std::ranges::stable_sort(claims, {}, &BestClaim::x);
    std::vector<Claimant> all;
    for (const BestClaim& claim : claims)
        all.push_back({claim});
    // Whatever happened, in order of its place: who came first, then bans and resets.
    struct Turn {
        double x = 0;
        Claimant* comes = nullptr;
        const BanMark* ban = nullptr;
        const IslandChange* reset = nullptr;
    };
    std::vector<Turn> turns;
    for (Claimant& one : all)
        turns.push_back({one.claim.x, &one, nullptr, nullptr});
    for (const auto& [x, ban] : m_bans)
        turns.push_back({x, nullptr, ban, nullptr});
    for (const auto& [x, reset] : m_resets)
        if (reset->before.id == island.id)
            turns.push_back({x, nullptr, nullptr, reset});
    std::ranges::stable_sort(turns, {}, &Turn::x);

    BestLine line;
    std::optional<double> best;
    const auto offer = [&](const Claimant& one) {
        if (one.counts() && (!best || isBetter(m_value, one.claim.y, *best)))
            best = one.claim.y;
    };
    for (const Turn& turn : turns) {
        if (turn.comes) {
            turn.comes->isThere = true;
            offer(*turn.comes);
        } else {
            for (Claimant& one : all)
                if (turn.reset)
                    one.isThere = one.isThere && stays(*turn.reset, one.claim.id);
                else if (isCopyOf(m_run, one.claim.id, turn.ban->candidate))
                    one.bans += turn.ban->isLifted ? -1 : 1;
            best.reset();
            for (const Claimant& one : all)
                offer(one);
        }
        goOn(line, turn.x, best);
        if (turn.ban && turn.ban->isLifted)
            forgetFall(line, m_value);
    }
    for (const Claimant& one : all)
        if (one.counts() && best && one.claim.y == *best)
            line.holders.push_back(one.claim.id);
    if (line.isHeld && !line.x.isEmpty() && line.x.last() < lastX) {
        line.x.append(lastX);
        line.y.append(line.y.last());
    }
    return line;
}

} // namespace tilewright::ui
