// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/heat_model.h"

#include "core/base/format.h"
#include "ui/compare/scenes.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;
using Kind = ComparedProgram::Kind;

namespace {

constexpr double lightest = 3; ///< colours tell ratios apart down to this part of the highest

QString ratioWords(double ratio) { return text(fixedText(ratio, ratio < 0.1 ? 3 : ratio < 10 ? 2 : 1)); }

/// "±0.006"; as many digits as tell something.
QString widthWords(const Interval& ratio)
{
    const double half = (ratio.hi - ratio.lo) / 2;
    return u"±"_s + text(fixedText(half, half < 0.001 ? 4 : half < 0.1 ? 3 : half < 1 ? 2 : 1));
}

QString rangeWords(const Interval& ratio)
{
    const int digits = ratio.value < 10 ? 3 : 1;
    return u"[%1, %2]"_s.arg(text(fixedText(ratio.lo, digits)), text(fixedText(ratio.hi, digits)));
}

} // namespace

void HeatModel::show(const Comparing& comparing)
{
    beginResetModel();
    m_comparison = comparing.comparison();
    m_value = comparing.value();
    m_rows.clear();
    m_names.clear();
    m_markers.clear();
    m_low = m_high = 1;
    if (m_comparison) {
        for (std::size_t i = 0; i < m_comparison->programs.size(); ++i) {
            m_names.push_back(comparing.nameOf(i));
            m_markers.push_back(comparing.markerOf(i));
        }
        for (const ShapeSplit split : {ShapeSplit::Train, ShapeSplit::Heldout}) {
            std::vector<Line> lines;
            for (std::size_t i = 0; i < m_comparison->shapes.size(); ++i)
                if (const ComparedShape& shape = m_comparison->shapes[i]; shape.split == split
                    && std::ranges::any_of(shape.figures, [](const ComparedFigure& f) { return f.ns > 0 || f.ratio; }))
                    lines.push_back({Row::Shape, split, i});
            if (lines.empty())
                continue;
            m_rows.push_back({Row::Heading, split, 0});
            m_rows.insert(m_rows.end(), lines.begin(), lines.end());
            m_rows.push_back({Row::Mean, split, 0});
            if (split == ShapeSplit::Train)
                m_rows.push_back({Row::Verdict, split, 0});
        }
        bool isFirst = true;
        for (const Line& line : m_rows)
            for (std::size_t i = 0; i < m_names.size() && line.kind != Row::Heading && line.kind != Row::Verdict; ++i)
                if (const auto& ratio = figureOf(line, i).ratio) {
                    m_low = isFirst ? ratio->value : std::min(m_low, ratio->value);
                    m_high = isFirst ? ratio->value : std::max(m_high, ratio->value);
                    isFirst = false;
                }
        m_lowest = m_low;
        m_low = std::max(m_low, m_high / lightest);
        m_unit = 1;
        for (const ComparedShape& shape : m_comparison->shapes)
            for (const ComparedFigure& figure : shape.figures)
                if (figure.ns > 0 && shape.flops / figure.ns >= 1000)
                    m_unit = 1000;
    }
    endResetModel();
}

const ComparedFigure& HeatModel::figureOf(const Line& line, std::size_t program) const
{
    if (line.kind == Row::Shape)
        return m_comparison->shapes[line.shape].figures[program];
    return line.split == ShapeSplit::Train ? m_comparison->train[program] : m_comparison->heldout[program];
}

std::optional<double> HeatModel::timeOf(const Line& line, std::size_t program) const
{
    if (line.kind == Row::Shape) {
        const double ns = m_comparison->shapes[line.shape].figures[program].ns;
        return ns > 0 ? std::optional(ns) : std::nullopt;
    }
    double sum = 0;
    int count = 0;
    for (const ComparedShape& shape : m_comparison->shapes)
        if (shape.split == line.split) {
            if (shape.figures[program].ns <= 0)
                return std::nullopt;
            sum += std::log(shape.figures[program].ns);
            ++count;
        }
    return count > 0 ? std::optional(std::exp(sum / count)) : std::nullopt;
}

std::optional<double> HeatModel::rateOf(const Line& line, std::size_t program) const
{
    if (line.kind != Row::Shape)
        return meanRateOf(*m_comparison, program, line.split);
    const ComparedShape& shape = m_comparison->shapes[line.shape];
    const double ns = shape.figures[program].ns;
    return ns > 0 ? std::optional(shape.flops / ns) : std::nullopt;
}

std::optional<std::size_t> HeatModel::bestOf(const std::vector<ComparedFigure>& figures) const
{
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const Kind kind = m_comparison->programs[i].kind;
        if ((kind == Kind::Candidate || kind == Kind::File) && figures[i].ratio
            && (!best || figures[i].ratio->value > figures[*best].ratio->value))
            best = i;
    }
    return best;
}

QString HeatModel::heldoutWarning() const
{
    if (!m_comparison)
        return {};
    const auto train = bestOf(m_comparison->train), heldout = bestOf(m_comparison->heldout);
    if (!train || !heldout || *train == *heldout || !m_comparison->heldout[*train].ratio)
        return {};
    return tr("%1 is better on held-out shapes: %2 against %3 for %4")
        .arg(m_names[*heldout], ratioWords(m_comparison->heldout[*heldout].ratio->value),
            ratioWords(m_comparison->heldout[*train].ratio->value), m_names[*train]);
}

QStringList HeatModel::remarks() const
{
    QStringList lines;
    if (!m_comparison)
        return lines;
    const QString reference = m_names[m_comparison->reference];
    for (std::size_t i = 0; i < m_names.size(); ++i) {
        const ComparedProgram& program = m_comparison->programs[i];
        if (!m_comparison->refusals[i].empty())
            lines << tr("%1 is not compared with %2: %3. Measure them side by side.")
                         .arg(m_names[i], reference, text(m_comparison->refusals[i]));
        if (!m_comparison->remarks[i].empty())
            lines << tr("%1: %2.").arg(m_names[i], text(m_comparison->remarks[i]));
        if (!program.result)
            lines << (program.kind == Kind::File ? tr("%1 is not measured: tilewright-cli compare … --measure measures "
                                                      "it, or add it to this session.")
                                                       .arg(m_names[i])
                                                 : tr("%1 is not measured yet.").arg(m_names[i]));
        else if (program.result->outcome != Outcome::Ranked)
            lines << tr("%1: %2, %3").arg(m_names[i], words(program.result->outcome), text(program.result->text));
    }
    return lines;
}

QString HeatModel::rateUnit() const { return m_unit > 1 ? u"TFLOP/s"_s : u"GFLOP/s"_s; }

int HeatModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int HeatModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_comparison ? 0 : firstProgram + static_cast<int>(m_names.size());
}

QString HeatModel::verdictOf(std::size_t program) const
{
    if (program == m_comparison->reference)
        return tr("reference");
    if (!m_comparison->refusals[program].empty() && !m_comparison->train[program].ratio)
        return tr("not comparable");
    return text(comparedWords(m_comparison->verdicts[program]));
}

QString HeatModel::valueOf(const Line& line, std::size_t program) const
{
    const ComparedFigure& figure = figureOf(line, program);
    const QString about = figure.ratio && !figure.isSideBySide && program != m_comparison->reference ? u"≈ "_s : u""_s;
    if (m_value == Comparing::Value::Time) {
        const auto ns = timeOf(line, program);
        return ns ? shortTime(*ns) : u"–"_s;
    }
    if (m_value == Comparing::Value::Flops) {
        const auto gflops = rateOf(line, program);
        return gflops ? rate(*gflops / m_unit) : u"–"_s;
    }
    if (figure.ratio)
        return about + ratioWords(figure.ratio->value);
    const auto ns = timeOf(line, program); // which is shown all the same
    return ns ? shortTime(*ns) : u"–"_s;
}

QString HeatModel::tipOf(const Line& line, std::size_t program) const
{
    const ComparedFigure& figure = figureOf(line, program);
    const QString reference = m_names[m_comparison->reference];
    QStringList lines;
    lines << tr("%1, %2").arg(m_names[program],
        line.kind == Row::Mean          ? tr("geometric mean")
            : line.kind == Row::Verdict ? tr("train shapes")
                                        : text(shapeText(m_comparison->shapes[line.shape].shape)));
    if (const auto ns = timeOf(line, program))
        lines << tr("time %1 (median)").arg(shortTime(*ns));
    if (program == m_comparison->reference)
        lines << tr("the program that the others are compared with");
    else if (figure.ratio)
        lines << tr("time of %1 / its time: %2, 95 % interval %3")
                     .arg(reference, text(fixedText(figure.ratio->value, 3)), rangeWords(*figure.ratio))
              << (figure.isSideBySide ? tr("side by side: both were timed in turns in one measurement")
                                      : tr("≈: timed in different measurements, compared by way of the baseline or the "
                                           "vendor library; the variances of both add"));
    else if (!m_comparison->refusals[program].empty())
        lines << tr("not compared with %1: %2").arg(reference, text(m_comparison->refusals[program]));
    else
        lines << tr("ratio unknown");
    if (line.kind == Row::Verdict && m_comparison->noiseFloor > 0)
        lines << tr("the verdict uses a noise floor of %1").arg(percent(m_comparison->noiseFloor));
    return lines.join(u'\n');
}

QVariant HeatModel::firstColumns(const Line& line, int column, int role) const
{
    const bool isName = column == 0;
    switch (role) {
    case Qt::DisplayRole:
        if (line.kind == Row::Heading)
            return !isName ? QString() : line.split == ShapeSplit::Train ? tr("Train shapes") : tr("Held-out shapes");
        if (line.kind == Row::Verdict)
            return isName ? tr("Verdict") : QString();
        if (line.kind == Row::Mean && isName)
            return tr("Geometric mean");
        if (isName)
            return text(shapeText(m_comparison->shapes[line.shape].shape));
        if (m_value == Comparing::Value::Flops) {
            const auto ns = timeOf(line, m_comparison->reference);
            return ns ? shortTime(*ns) : u"–"_s;
        }
        if (const auto gflops = rateOf(line, m_comparison->reference))
            return rate(*gflops / m_unit);
        return u"–"_s;
    case Qt::DecorationRole:
        return line.kind == Row::Heading && isName && line.split == ShapeSplit::Heldout
            ? QVariant(icon(u"lock"_s, Tint::Secondary))
            : QVariant();
    case Qt::FontRole:
        return line.kind == Row::Heading || line.kind == Row::Mean || line.kind == Row::Verdict ? fontOf(Type::Strong)
            : isName                                                                            ? fontOf(Type::Mono)
                                                                                                : QVariant();
    case Qt::ForegroundRole:
        return line.kind == Row::Heading || !isName ? QVariant(tokens().secondary) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant((isName ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant HeatModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount() || index.column() >= columnCount())
        return {};
    const Line& line = m_rows[static_cast<std::size_t>(index.row())];
    if (role == RowRole)
        return static_cast<int>(line.kind);
    if (index.column() < firstProgram)
        return firstColumns(line, index.column(), role);
    const auto program = static_cast<std::size_t>(index.column() - firstProgram);
    if (line.kind == Row::Heading)
        return role == Qt::DisplayRole ? QVariant(QString()) : QVariant();
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignCenter);
    if (role == Qt::ToolTipRole)
        return tipOf(line, program);
    if (role == Qt::FontRole)
        return fontOf(Type::Strong);
    if (line.kind == Row::Verdict) {
        if (role == Qt::DisplayRole)
            return verdictOf(program);
        if (role == Qt::ForegroundRole) {
            const Verdict verdict = m_comparison->verdicts[program];
            return verdict == Verdict::Better ? tokens().good
                : verdict == Verdict::Worse   ? tokens().bad
                                              : tokens().secondary;
        }
        return {};
    }
    const ComparedFigure& figure = figureOf(line, program);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole: {
        const QString width = index.data(WidthRole).toString();
        return width.isEmpty() ? valueOf(line, program) : valueOf(line, program) + u' ' + width;
    }
    case WidthRole:
        return m_value == Comparing::Value::Speedup && figure.ratio && program != m_comparison->reference
            ? widthWords(*figure.ratio)
            : QString();
    case ShadeRole:
        return !figure.ratio ? -1.0
            : m_high > m_low * 1.0001
            ? std::clamp(std::log(figure.ratio->value / m_low) / std::log(m_high / m_low), 0.0, 1.0)
            : 0.5;
    case FrameRole: {
        const auto best = bestOf(line.kind == Row::Shape ? m_comparison->shapes[line.shape].figures
                : line.split == ShapeSplit::Train        ? m_comparison->train
                                                         : m_comparison->heldout);
        return best == program;
    }
    default:
        return {};
    }
}

QVariant HeatModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (section < firstProgram) {
        if (role == Qt::TextAlignmentRole)
            return QVariant((section == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        if (role == Qt::DisplayRole)
            return section == 0 ? tr("Shape") : m_value == Comparing::Value::Flops ? tr("time") : rateUnit();
        if (role == Qt::ToolTipRole && section == 1)
            return tr("of %1").arg(m_names[m_comparison->reference]);
        return {};
    }
    const auto program = static_cast<std::size_t>(section - firstProgram);
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignCenter);
    if (role == Qt::DecorationRole)
        return markerIcon(m_markers[program]);
    return role == Qt::DisplayRole || role == Qt::ToolTipRole ? QVariant(m_names[program]) : QVariant();
}

QSize HeatDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QVariant font = index.data(Qt::FontRole);
    const QFontMetrics metrics(font.isValid() ? qvariant_cast<QFont>(font) : option.font);
    const QFontMetrics small(fontOf(Type::Secondary));
    const QString width = index.data(HeatModel::WidthRole).toString();
    const QString words = index.data().toString();
    const int wide = width.isEmpty()
        ? metrics.horizontalAdvance(words)
        : metrics.horizontalAdvance(words.chopped(width.size() + 1)) + px(6) + small.horizontalAdvance(width);
    return {wide + px(18) + (index.data(Qt::DecorationRole).isValid() ? px(20) : 0), metrics.height() + px(8)};
}

void HeatDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const auto row = static_cast<HeatModel::Row>(index.data(HeatModel::RowRole).toInt());
    const bool isCell
        = index.column() >= HeatModel::firstProgram && (row == HeatModel::Row::Shape || row == HeatModel::Row::Mean);
    if (!isCell) {
        RowDelegate::paint(painter, option, index);
        return;
    }
    const Tokens& t = tokens();
    painter->save();
    paintGround(*painter, option);
    const double shade = index.data(HeatModel::ShadeRole).toDouble();
    const QRectF box = QRectF(option.rect).adjusted(px(2), px(2), -px(2), -px(2) - 1);
    QColor ink = t.secondary, quiet = t.secondary;
    painter->setRenderHint(QPainter::Antialiasing);
    if (shade >= 0) {
        const QColor fill = scoreColour(t, shade);
        painter->setPen(Qt::NoPen);
        painter->setBrush(fill);
        painter->drawRoundedRect(box, 3, 3);
        const QColor black(0x10, 0x12, 0x16), white(Qt::white);
        ink = contrast(black, fill) >= contrast(white, fill) ? black : white;
        quiet = ink;
    }
    if (index.data(HeatModel::FrameRole).toBool()) {
        painter->setBrush(Qt::NoBrush);
        painter->setPen(QPen(t.text, 2));
        painter->drawRoundedRect(box.adjusted(-0.5, -0.5, 0.5, 0.5), 3, 3);
    }
    const QString width = index.data(HeatModel::WidthRole).toString();
    const QString whole = index.data().toString();
    const QString value = width.isEmpty() ? whole : whole.chopped(width.size() + 1);
    const QFont strong = fontOf(Type::Strong), small = fontOf(Type::Secondary);
    const QFontMetricsF strongSize(strong), smallSize(small);
    const qreal gap = width.isEmpty() ? 0 : px(6);
    const qreal wide = strongSize.horizontalAdvance(value) + gap + smallSize.horizontalAdvance(width);
    const qreal left = box.center().x() - wide / 2;
    const qreal base = box.center().y() + (strongSize.ascent() - strongSize.descent()) / 2;
    painter->setFont(strong);
    painter->setPen(ink);
    painter->drawText(QPointF(left, base), value);
    painter->setFont(small);
    painter->setPen(quiet);
    painter->drawText(QPointF(left + strongSize.horizontalAdvance(value) + gap, base), width);
    painter->restore();
}

namespace {

/// The marker of a program stands beside its name, both in the middle of the column.
class HeatHeader : public TableHeader
{
public:
    using TableHeader::TableHeader;

protected:
    void initStyleOptionForIndex(QStyleOptionHeader* option, int section) const override
    {
        TableHeader::initStyleOptionForIndex(option, section);
        if (section < HeatModel::firstProgram)
            return;
        option->text.clear();
        option->icon = {};
    }
    void paintSection(QPainter* painter, const QRect& rect, int section) const override
    {
        painter->save();
        TableHeader::paintSection(painter, rect, section);
        painter->restore();
        if (section < HeatModel::firstProgram)
            return;
        const QString name = model()->headerData(section, Qt::Horizontal, Qt::DisplayRole).toString();
        const auto sign = qvariant_cast<QIcon>(model()->headerData(section, Qt::Horizontal, Qt::DecorationRole));
        const QFontMetrics metrics(font());
        const int side = px(12), gap = px(6);
        const QString shown = metrics.elidedText(name, Qt::ElideMiddle, rect.width() - side - gap - px(8));
        const int left = rect.left() + (rect.width() - side - gap - metrics.horizontalAdvance(shown)) / 2;
        painter->save();
        sign.paint(painter, QRect(left, rect.center().y() - side / 2, side, side));
        painter->setFont(font());
        painter->setPen(tokens().text);
        painter->drawText(QRect(left + side + gap, rect.top(), rect.right() - left - side - gap, rect.height()),
            Qt::AlignLeft | Qt::AlignVCenter, shown);
        painter->restore();
    }
};

} // namespace

HeatTable::HeatTable(HeatModel& model, QWidget* parent)
    : Table(parent)
    , m_model(model)
{
    setItemDelegate(new HeatDelegate(this));
    setModel(&model);
    setFrameShape(QFrame::NoFrame);
    auto* header = new HeatHeader(this);
    header->setSectionsClickable(false);
    header->setHighlightSections(false);
    header->setFixedHeight(px(26));
    header->setFont(fontOf(Type::Secondary));
    setHorizontalHeader(header);
    setRowHeight(px(24));
    connect(&Theme::instance(), &Theme::changed, this, &HeatTable::fit);
}

void HeatTable::resizeEvent(QResizeEvent* event)
{
    Table::resizeEvent(event);
    fit();
}

void HeatTable::fit()
{
    const int columns = m_model.columnCount();
    if (columns == 0)
        return;
    std::vector<int> needed(static_cast<std::size_t>(columns));
    int all = 0;
    for (int i = 0; i < columns; ++i) {
        needed[static_cast<std::size_t>(i)] = std::max(sizeHintForColumn(i),
            i < HeatModel::firstProgram ? horizontalHeader()->sectionSizeHint(i) + px(4)
                                        : horizontalHeader()->fontMetrics().horizontalAdvance(
                                              m_model.headerData(i, Qt::Horizontal, Qt::DisplayRole).toString())
                    + px(40));
        all += needed[static_cast<std::size_t>(i)];
    }
    const int spare = std::max(viewport()->width() - all, 0);
    const int programs = columns - HeatModel::firstProgram;
    for (int i = 0; i < columns; ++i)
        setColumnWidth(i, needed[static_cast<std::size_t>(i)] + (i < HeatModel::firstProgram ? 0 : spare / programs));
    m_needed = std::move(needed);
}

QSize HeatTable::wholeSize() const
{
    int wide = 2 * frameWidth(), high = 2 * frameWidth() + horizontalHeader()->height();
    for (const int each : m_needed)
        wide += each;
    high += verticalHeader()->length();
    return {wide, high};
}

} // namespace tilewright::ui
