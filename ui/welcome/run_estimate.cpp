// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/run_estimate.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/words.h"
#include "ui/widgets/room.h"

#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <set>

namespace tilewright::ui {
namespace {

using namespace Qt::StringLiterals;

/// Fewer evaluations tell of the seed and of starting more than of the run.
constexpr std::int64_t enoughToJudgeBy = 20;

bool asksModels(const SessionChoices& choices) { return choices.proposer == u"model"_s; }

QString inSessions(const EarnedRates& earned)
{
    return counted(earned.sessions, tr("%1 earlier session of this task on a device of this name"),
        tr("%1 earlier sessions of this task on a device of this name"));
}

QString dollarWords(double usd) { return u"$%1"_s.arg(usd, 0, 'f', usd >= 1 ? 2 : 4); }

QString secondsWords(double seconds)
{
    return seconds < 10 ? tr("%1 s").arg(seconds, 0, 'f', seconds < 1 ? 2 : 1)
                        : duration(static_cast<std::int64_t>(seconds * 1e9));
}

/// What stops the run, and after how many evaluations.
struct End {
    double evaluations;
    QString because;
};

/// The budgets whose worth in evaluations is known; the first of them stops the run.
std::vector<End> endsOf(const SessionChoices& choices, const EarnedRates& earned)
{
    std::vector<End> ends;
    if (choices.limitEvaluations)
        ends.push_back({static_cast<double>(choices.evaluations), tr("limited by the evaluation budget")});
    if (choices.limitWallTime && earned.secondsPerEvaluation > 0)
        ends.push_back({choices.wallMinutes * 60 / earned.secondsPerEvaluation, tr("limited by wall time")});
    if (asksModels(choices) && choices.limitTokens && earned.tokensPerEvaluation)
        ends.push_back({choices.millionTokens * 1e6 / *earned.tokensPerEvaluation, tr("limited by tokens")});
    if (asksModels(choices) && choices.limitCost && earned.usdPerEvaluation)
        ends.push_back({choices.costUsd / *earned.usdPerEvaluation, tr("limited by cost")});
    return ends;
}

EstimateLine paceLine(const EarnedRates& earned)
{
    if (!earned.sessions)
        return {tr("One evaluation"), tr("unknown"), tr("no comparable session yet")};
    return {tr("One evaluation"), u"≈ "_s + secondsWords(earned.secondsPerEvaluation),
        tr("%1, %2; including all waits")
            .arg(inSessions(earned), counted(earned.evaluations, tr("%1 evaluation"), tr("%1 evaluations")))};
}

EstimateLine fitLine(const SessionChoices& choices, const std::vector<End>& ends, const End* first)
{
    const bool isKnown = ends.size()
        == static_cast<std::size_t>(choices.limitEvaluations + choices.limitWallTime)
            + (asksModels(choices) ? static_cast<std::size_t>(choices.limitTokens + choices.limitCost) : 0);
    const QString name = tr("Evaluations");
    if (!first)
        return {name, isKnown ? tr("no limit") : tr("unknown"),
            isKnown ? tr("no budget is set: it runs until you stop it")
                    : tr("the number of evaluations within the budgets is unknown")};
    const QString count = grouped(std::max<std::int64_t>(std::llround(std::floor(first->evaluations)), 0));
    if (!isKnown || choices.limitNoGain)
        return {name, tr("at most %1").arg(count),
            choices.limitNoGain ? tr("early stopping after %1 without improvement").arg(choices.noGain)
                                : tr("another budget may stop the run earlier")};
    return {name, choices.limitEvaluations && first->evaluations == choices.evaluations ? count : u"≈ "_s + count,
        first->because};
}

EstimateLine timeLine(const SessionChoices& choices, const EarnedRates& earned, const End* first)
{
    const QString name = tr("Running time");
    const auto limit = static_cast<std::int64_t>(choices.wallMinutes) * 60'000'000'000;
    if (earned.sessions && first) {
        const double seconds = first->evaluations * earned.secondsPerEvaluation;
        return {name, u"≈ "_s + secondsWords(seconds),
            choices.limitWallTime ? tr("at most %1").arg(duration(limit)) : tr("no limit")};
    }
    if (choices.limitWallTime)
        return {name, tr("at most %1").arg(duration(limit)), tr("its budget")};
    return {name, tr("unknown"), earned.sessions ? tr("no budget limits it") : tr("no limit")};
}

EstimateLine diskLine(const EarnedRates& earned, const End* first)
{
    const QString name = tr("Disk");
    if (!earned.sessions || earned.bytesPerEvaluation <= 0)
        return {name, tr("unknown"), tr("the session file contains everything")};
    const QString rate
        = tr("%1 per evaluation: programs, logs, results and prompts").arg(bytes(earned.bytesPerEvaluation));
    if (!first)
        return {name, tr("no limit"), rate};
    return {name, u"≈ "_s + bytes(first->evaluations * earned.bytesPerEvaluation), rate};
}

/// The most that all requests together can cost: what the budgets leave, at the dearest price a token.
std::optional<std::pair<double, QString>> mostCost(const SessionChoices& choices)
{
    std::optional<std::pair<double, QString>> most;
    if (choices.limitCost)
        most = {choices.costUsd, tr("its budget, checked before each request")};
    if (!choices.limitTokens || !choices.unpriced.isEmpty() || choices.asked.empty())
        return most;
    double dearest = 0;
    for (const ModelSpec& model : choices.asked)
        if (model.price)
            dearest = std::max({dearest, model.price->input, model.price->output, model.price->cacheRead.value_or(0),
                model.price->cacheWrite.value_or(0)});
    const double byTokens = choices.millionTokens * dearest;
    if (!most || byTokens < most->first)
        most = {byTokens, tr("all tokens of the budget at the highest price")};
    return most;
}

void addCostLines(
    std::vector<EstimateLine>& lines, const SessionChoices& choices, const EarnedRates& earned, const End* first)
{
    if (!asksModels(choices)) {
        lines.push_back({tr("Model cost"), tr("none"), tr("no model is used")});
        return;
    }
    const auto most = mostCost(choices);
    const QString atMost = most ? tr("at most %1: %2").arg(dollarWords(most->first), most->second) : QString();
    if (!choices.unpriced.isEmpty())
        lines.push_back(
            {tr("Model cost"), tr("unknown"), tr("the price of %1 is unknown").arg(choices.unpriced.join(u", "_s))});
    else if (earned.usdPerEvaluation && first)
        lines.push_back({tr("Model cost"), u"≈ "_s + dollarWords(first->evaluations * *earned.usdPerEvaluation),
            atMost.isEmpty() ? tr("no limit: set a token or cost limit") : atMost});
    else if (most)
        lines.push_back({tr("Model cost"), tr("at most %1").arg(dollarWords(most->first)), most->second});
    else
        lines.push_back({tr("Model cost"), tr("no limit"), tr("set a token or cost limit")});
    const auto request = dearestRequest(choices);
    lines.push_back({tr("One request"), request ? tr("at most %1").arg(dollarWords(*request)) : tr("unknown"),
        request ? tr("most expensive model, full context and longest reply") : tr("a price or a context is unknown")});
}

} // namespace

EarnedRates earnedRates(const SessionChoices& choices, const std::vector<SessionSketch>& earlier)
{
    EarnedRates earned;
    if (!choices.pack)
        return earned;
    double seconds = 0, tokens = 0, usd = 0, size = 0;
    bool isPriced = true;
    const std::string shapes = listWords(shapesOf(choices));
    std::vector<SessionSketch> farthest = earlier; // of copies of one session the one that came farthest counts
    std::ranges::stable_sort(farthest, std::ranges::greater{}, &SessionSketch::evaluations);
    std::set<std::pair<std::string, std::string>> known;
    for (const SessionSketch& session : farthest) {
        if (!session.beganUtc.empty() && !known.emplace(session.host, session.beganUtc).second)
            continue;
        if (session.taskName != choices.pack->task.name || session.device != choices.deviceKind
            || session.devices != choices.devices || session.proposer != choices.proposer.toStdString()
            || session.shapes != shapes || session.evaluations < enoughToJudgeBy || session.runNs <= 0)
            continue;
        ++earned.sessions;
        earned.evaluations += session.evaluations;
        seconds += static_cast<double>(session.runNs) * 1e-9;
        tokens += static_cast<double>(session.tokens);
        usd += static_cast<double>(session.costMicroUsd.value_or(0)) * 1e-6;
        size += static_cast<double>(session.bytes);
        isPriced = isPriced && session.costMicroUsd;
    }
    if (!earned.sessions)
        return earned;
    const auto count = static_cast<double>(earned.evaluations);
    earned.secondsPerEvaluation = seconds / count;
    earned.bytesPerEvaluation = size / count;
    if (tokens > 0)
        earned.tokensPerEvaluation = tokens / count;
    if (tokens > 0 && isPriced && usd > 0)
        earned.usdPerEvaluation = usd / count;
    return earned;
}

std::optional<double> dearestRequest(const SessionChoices& choices)
{
    double dearest = 0;
    for (const ModelSpec& model : choices.asked) {
        if (!model.price || model.capabilities.contextTokens <= 0)
            return std::nullopt;
        const auto worst = worstCase(model.capabilities.contextTokens, model.maxOutputTokens, 1, model.price);
        dearest = std::max(dearest, worst.usd.value_or(0));
    }
    return choices.asked.empty() ? std::nullopt : std::optional(dearest);
}

std::vector<EstimateLine> estimateOf(const SessionChoices& choices, const std::vector<SessionSketch>& earlier)
{
    if (!choices.wrongNumbers.empty())
        return {};
    const EarnedRates earned = earnedRates(choices, earlier);
    const std::vector<End> ends = endsOf(choices, earned);
    const auto least = std::ranges::min_element(ends, {}, &End::evaluations);
    const End* first = least == ends.end() ? nullptr : &*least;
    std::vector<EstimateLine> lines{paceLine(earned), fitLine(choices, ends, first), timeLine(choices, earned, first)};
    addCostLines(lines, choices, earned, first);
    lines.push_back(diskLine(earned, first));
    return lines;
}

EstimateCard::EstimateCard(QWidget* parent)
    : Card(tr("Estimate"), tr("from earlier sessions, prices and budgets"), parent)
    , m_rows(new QWidget(this))
    , m_grid(new QGridLayout(m_rows))
    , m_unknown(new QLabel(tr("Not available while a number is invalid."), this))
{
    setObjectName(u"estimateCard"_s);
    m_grid->setHorizontalSpacing(px(12));
    m_grid->setVerticalSpacing(px(4));
    m_grid->setColumnStretch(2, 1);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_unknown->setObjectName(u"estimateUnknown"_s);
    m_unknown->setProperty("tone", u"secondary"_s);
    m_unknown->setWordWrap(true);
    m_unknown->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_unknown->hide();
    column()->addWidget(m_rows);
    column()->addWidget(m_unknown);
}

void EstimateCard::show(const std::vector<EstimateLine>& lines)
{
    if (lines == m_lines)
        return;
    m_lines = lines;
    if (lines.empty()) {
        m_unknown->setFixedHeight(m_rows->height());
        m_unknown->setMinimumWidth(m_rows->minimumSizeHint().width());
    }
    m_rows->setVisible(!lines.empty());
    m_unknown->setVisible(lines.empty());
    if (lines.empty())
        return;
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    int line = 0;
    for (const auto& [name, value, source] : lines) {
        auto* figure = new QLabel(value, m_rows);
        figure->setFont(fontOf(Type::Strong));
        figure->setAccessibleName(u"%1: %2, %3"_s.arg(name, value, source));
        auto* about = quietLabel(source, m_rows);
        about->setFont(fontOf(Type::Secondary));
        about->setWordWrap(true);
        m_grid->addWidget(new QLabel(name, m_rows), line, 0, Qt::AlignTop);
        m_grid->addWidget(figure, line, 1, Qt::AlignTop);
        m_grid->addWidget(about, line++, 2);
    }
}

} // namespace tilewright::ui
