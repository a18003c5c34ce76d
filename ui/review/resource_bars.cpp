// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/resource_bars.h"

#include "core/model/claim.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/models/rule_words.h"
#include "ui/shapes/shape_claims.h"
#include "ui/shapes/shapes_table.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QFontMetricsF>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <algorithm>
#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double rowHeight = 40, lineHeight = 18; ///< a row has one line of words, and where it is narrow more
constexpr double barSide = 12, captionGap = 8;
constexpr double mostRegisters = 255; ///< a thread, all NVIDIA architectures since Kepler (CUDA C++ Programming Guide)

QString figure(const ResourceBar& bar, double value)
{
    if (bar.unit == u"%"_s)
        return percent(value);
    if (bar.unit == u"B"_s)
        return bytes(value);
    return grouped(std::llround(value));
}

/// As the hardware deals them out, to whole warps.
std::optional<std::int64_t> registersOfBlock(const ResourceFigures& figures)
{
    constexpr int warp = 32;
    if (!figures.registers || figures.threads <= 0)
        return {};
    return *figures.registers * ((figures.threads + warp - 1) / warp) * warp;
}

/// "40.5" of "40.5 KiB", where the other figure ends with the same unit.
QString withoutUnitOf(const QString& other, const QString& figure)
{
    const QString unit = figure.section(u' ', 1);
    return !unit.isEmpty() && unit == other.section(u' ', 1) ? figure.section(u' ', 0, 0) : figure;
}

/// What stays in one piece.
struct BarPiece {
    QString text;
    Type type = Type::Body;
    bool isQuiet = false;
};
using BarPieces = std::vector<BarPiece>;

double widthOfPieces(const BarPieces& pieces)
{
    double width = 0;
    for (const BarPiece& each : pieces)
        width += QFontMetricsF(fontOf(each.type)).horizontalAdvance(each.text);
    return width;
}

/// As few lines as hold them.
std::vector<BarPieces> inLines(const BarPieces& pieces, double room)
{
    std::vector<BarPieces> lines(1);
    for (const BarPiece& each : pieces) {
        lines.back().push_back(each);
        if (lines.back().size() > 1 && widthOfPieces(lines.back()) > room) {
            lines.back().pop_back();
            lines.push_back({each});
        }
    }
    return lines;
}

struct BarLine {
    QString caption;
    BarPieces figures;
};

/// The caption, and at the right of it or below it the figures: none of them is ever shortened.
std::vector<BarLine> linesOf(const ResourceBar& bar, double room)
{
    BarPieces figures;
    const QString now = figure(bar, bar.own);
    if (bar.parent)
        figures.push_back({withoutUnitOf(now, figure(bar, *bar.parent)) + u" → "_s, Type::Body, true});
    figures.push_back({now, Type::Strong, false});
    if (bar.limit)
        figures.push_back({u' ' + ResourceBars::tr("of %1").arg(figure(bar, *bar.limit)), Type::Body, true});
    if (widthOfPieces({{bar.name}}) + px(captionGap) + widthOfPieces(figures) <= room)
        return {{bar.name, figures}};
    BarPieces words;
    for (const QString& word : bar.name.split(u' '))
        words.push_back({words.empty() ? word : u' ' + word});
    std::vector<BarLine> lines;
    for (const BarPieces& each : inLines(words, room)) {
        QString caption;
        for (const BarPiece& word : each)
            caption += word.text;
        lines.push_back({caption.trimmed(), {}});
    }
    for (BarPieces& each : inLines(figures, room))
        lines.push_back({{}, std::move(each)});
    return lines;
}

double heightOf(const ResourceBar& bar, const std::vector<BarLine>& lines)
{
    return px(bar.most > 0 ? rowHeight : lineHeight + 8) + px(lineHeight) * (static_cast<int>(lines.size()) - 1);
}

} // namespace

std::vector<ResourceBar> resourceBars(
    const ResourceFigures& own, const ResourceFigures& parent, const ResourceLimits& limits)
{
    std::vector<ResourceBar> bars;
    const auto put = [&bars](const QString& name, const QString& unit, const auto& value, const auto& before,
                         std::optional<double> limit = {}, double most = 0) {
        if (!value)
            return;
        const auto number = static_cast<double>(*value);
        const auto earlier = before ? std::optional(static_cast<double>(*before)) : std::nullopt;
        const double beside = earlier ? std::max({number, *earlier, 1.0}) * 1.25 : 0;
        bars.push_back({name, unit, number, most > 0 ? most : limit.value_or(beside), earlier, limit});
    };
    const auto add = [&](const QString& name, const QString& unit, auto member, std::optional<double> limit = {},
                         double most = 0) { put(name, unit, own.*member, parent.*member, limit, most); };
    const auto number = [](const std::optional<std::int64_t>& each) {
        return each ? std::optional(static_cast<double>(*each)) : std::nullopt;
    };
    add(ResourceBars::tr("Registers per thread"), {}, &ResourceFigures::registers, mostRegisters, mostRegisters);
    put(ResourceBars::tr("Registers per block"), {}, registersOfBlock(own), registersOfBlock(parent),
        number(limits.registers));
    add(ResourceBars::tr("Shared memory"), u"B"_s, &ResourceFigures::sharedBytes, number(limits.sharedBytes));
    add(ResourceBars::tr("Spills"), u"B"_s, &ResourceFigures::spillBytes);
    add(ResourceBars::tr("Occupancy"), u"%"_s, &ResourceFigures::occupancy, {}, 1);
    add(ResourceBars::tr("Machine code"), u"B"_s, &ResourceFigures::machineCodeBytes);
    add(ResourceBars::tr("Constants"), u"B"_s, &ResourceFigures::constantBytes);
    add(ResourceBars::tr("Source"), u"B"_s, &ResourceFigures::sourceBytes);
    return bars;
}

ResourceBars::ResourceBars(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(u"resourceBars"_s);
    setAccessibleName(tr("Resources"));
    setNone(tr("The build reported no resources."));
    QSizePolicy policy = sizePolicy();
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void ResourceBars::show(std::vector<ResourceBar> bars)
{
    if (bars == m_bars)
        return;
    m_bars = std::move(bars);
    QStringList lines;
    for (const ResourceBar& bar : m_bars) {
        QStringList facts{u"%1 %2"_s.arg(bar.name, figure(bar, bar.own))};
        if (bar.parent)
            facts << tr("parent %1").arg(figure(bar, *bar.parent));
        if (bar.limit)
            facts << tr("at most %1").arg(figure(bar, *bar.limit));
        lines << facts.join(u", "_s);
    }
    setAccessibleDescription(m_bars.empty() ? m_none : lines.join(u"\n"_s));
    updateGeometry();
    update();
}

void ResourceBars::setNone(const QString& words)
{
    if (words == m_none)
        return;
    m_none = words;
    if (m_bars.empty())
        setAccessibleDescription(m_none);
    update();
}

int ResourceBars::heightForWidth(int width) const
{
    double height = px(8);
    for (const ResourceBar& bar : m_bars)
        height += heightOf(bar, linesOf(bar, width - 2 * px(barSide)));
    return static_cast<int>(std::ceil(m_bars.empty() ? height + px(rowHeight) : height));
}

QSize ResourceBars::sizeHint() const { return {px(240), heightForWidth(px(240))}; }

/// That of a wide one.
QSize ResourceBars::minimumSizeHint() const
{
    return {0, px(rowHeight) * static_cast<int>(std::max<std::size_t>(m_bars.size(), 1)) + px(8)};
}

void ResourceBars::paintEvent(QPaintEvent*)
{
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.setFont(fontOf(Type::Body));
    if (m_bars.empty()) {
        painter.setPen(t.secondary);
        painter.drawText(rect().adjusted(px(barSide), 0, -px(barSide), 0), Qt::AlignVCenter, m_none);
        return;
    }
    double top = px(6);
    for (const ResourceBar& bar : m_bars) {
        const std::vector<BarLine> lines = linesOf(bar, width() - 2 * px(barSide));
        QRectF words(px(barSide), top, width() - 2 * px(barSide), px(lineHeight));
        for (const BarLine& line : lines) {
            painter.setFont(fontOf(Type::Body));
            painter.setPen(t.text);
            painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, line.caption);
            double x = words.right() - widthOfPieces(line.figures);
            for (const BarPiece& each : line.figures) {
                painter.setFont(fontOf(each.type));
                painter.setPen(each.isQuiet ? t.secondary : t.text);
                const double advance = QFontMetricsF(painter.font()).horizontalAdvance(each.text);
                painter.drawText(QRectF(x, words.top(), std::ceil(advance), words.height()),
                    Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, each.text);
                x += advance;
            }
            words.translate(0, px(lineHeight));
        }
        top += heightOf(bar, lines);
        if (bar.most <= 0)
            continue;
        const QRectF track(px(barSide), words.top() + px(4), width() - 2 * px(barSide), px(5));
        painter.fillRect(track, t.track);
        painter.fillRect(
            QRectF(track.left(), track.top(), track.width() * std::min(bar.own / bar.most, 1.0), track.height()),
            t.accent);
        if (bar.parent) {
            const double x = track.left() + track.width() * std::min(*bar.parent / bar.most, 1.0);
            painter.fillRect(QRectF(x - 1, track.top() - px(3), 2, track.height() + px(6)), t.text);
        }
    }
}

const Evaluation* quickResultOf(const RunState& run, CandidateId candidate)
{
    const Evaluation* newest = nullptr;
    for (const Evaluation* evaluation : evaluationsOf(run, candidate)) {
        if (evaluation->result.purpose != Purpose::Rerun)
            break; // its verdict: what was measured again after that is another matter
        newest = evaluation;
    }
    return newest;
}

/// Beside the incumbent, which need not be its parent.
static std::optional<ParentChange> quickChange(const Evaluation& quick)
{
    const EvaluationResult& result = quick.result;
    if (result.outcome != Outcome::Ranked || !result.versusIncumbent)
        return std::nullopt;
    return ParentChange{quick.against, *result.versusIncumbent, true, 1, noiseMargin(result.noiseFloor)};
}

QString quickWords(const Evaluation& quick)
{
    const EvaluationResult& result = quick.result;
    if (result.outcome != Outcome::Ranked || !result.versusIncumbent)
        return QuickResult::tr("%1%2").arg(words(result.outcome),
            result.rule.empty() ? QString() : u": %1. %2"_s.arg(ruleWords(result.rule), text(result.text)));
    return QuickResult::tr("%1 against %2 (%3), from a few samples. This is not a verdict: the score comes from the "
                           "measurement after your decision.")
        .arg(signedPercent(result.versusIncumbent->value), nameOfCandidate(quick.against), words(result.verdict));
}

QString measuredWords(const RunState& run, const Candidate& candidate)
{
    const std::optional<ParentChange> change = versusParent(run, candidate);
    if (!candidate.score || !change)
        return stateWords(candidate);
    return QuickResult::tr("of the baseline, %1; %2 against %3 [%4, %5]")
        .arg(stateWords(candidate),
            change->isWithinNoise() ? QuickResult::tr("within noise") : signedPercent(change->ratio.value),
            nameOfCandidate(change->parent), signedPercent(change->ratio.lo), signedPercent(change->ratio.hi));
}

QuickResult::QuickResult(QAction& look, QWidget* parent)
    : QWidget(parent)
    , m_figure(new QLabel(this))
    , m_words(new QLabel(this))
    , m_axis(new EffectAxis(this))
    , m_button(new QPushButton(
          u"%1  %2"_s.arg(tr("Quick result"), look.shortcut().toString(QKeySequence::NativeText)), this))
    , m_shapes(new ShapesTable(u"measuredShapes"_s, this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(12), px(10), px(12), px(12));
    column->setSpacing(px(8));
    m_figure->setObjectName(u"quickFigure"_s);
    m_figure->setFont(fontOf(Type::Figure));
    m_words->setObjectName(u"quickWords"_s);
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_words->setFont(fontOf(Type::Secondary));
    m_words->setProperty("tone", u"secondary"_s);
    m_button->setObjectName(u"quickResult"_s);
    m_button->setProperty("kind", u"small"_s);
    column->addWidget(m_figure);
    column->addWidget(m_axis);
    column->addWidget(m_words);
    column->addWidget(m_button, 0, Qt::AlignLeft);
    column->addWidget(m_shapes);
    connect(m_button, &QPushButton::clicked, &look, &QAction::trigger);
    const auto follow = [this, &look] {
        m_button->setToolTip(look.toolTip());
        m_button->setEnabled(look.isEnabled());
    };
    follow();
    connect(&look, &QAction::changed, this, follow);
}

void QuickResult::show(const RunState& run, const Candidate& candidate, const Task* task, Device device)
{
    const Evaluation* quick = quickResultOf(run, candidate.id);
    const bool waits = candidate.stage == Stage::Review, looks = waits && openRerunOf(run, candidate.id);
    const bool isMeasured = !waits && candidate.score;
    const Evaluation* shown = isMeasured ? run.evaluation(candidate.latest) : quick;
    const auto figure = isMeasured ? candidate.score : quick ? quick->result.score : std::nullopt;
    m_figure->setVisible(figure.has_value());
    if (figure)
        m_figure->setText(u"%1%2 %3"_s.arg(isMeasured ? QString() : u"≈ "_s, times(figure->value), halfWidth(*figure)));
    const auto change = isMeasured ? versusParent(run, candidate) : quick ? quickChange(*quick) : std::nullopt;
    const Proposal* proposal = run.proposal(candidate.proposal);
    const bool isBesideParent = change && !candidate.parents.empty() && change->parent == candidate.parents.front();
    m_axis->setVisible(change.has_value());
    m_axis->show(change, proposal && isBesideParent ? claimedRatio(proposal->claim) : std::nullopt);
    m_axis->setToolTip(m_axis->accessibleName());
    m_button->setVisible(waits);
    const bool isElsewhere = device == Device::Elsewhere;
    m_words->setText(looks && isElsewhere ? tr("A quick result was requested; it needs the device of this session.")
            : looks                       ? tr("A quick result was requested; it runs when the device is free.")
            : isMeasured                  ? measuredWords(run, candidate)
            : quick                       ? quickWords(*quick)
            : waits && isElsewhere        ? tr("Not measured yet. The device of this session is not on this machine.")
            : waits                       ? tr("Not measured yet. Approve queues the measurement that gives its score.")
            : candidate.stage == Stage::Rejected ? tr("It was not measured.")
                                                 : measuredWords(run, candidate));
    m_shapes->show(candidate, shown, task);
}

} // namespace tilewright::ui
