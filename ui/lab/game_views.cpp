// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/game_views.h"

#include "ui/lab/scheme_words.h"
#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;
using tensor::Operand;

namespace {

constexpr Operand operands[] = {Operand::A, Operand::B, Operand::C};

void drawNumber(QPainter& painter, const QRectF& cell, std::int64_t value, bool isFramed)
{
    const Tokens& t = tokens();
    painter.setPen(isFramed ? QPen(t.text, 2) : QPen(Qt::NoPen));
    painter.setBrush(value == 0 ? t.track : value > 0 ? plusColour() : minusColour());
    painter.drawRoundedRect(cell.adjusted(1.5, 1.5, -1.5, -1.5), 3, 3);
    const QString words = value < 0 ? u"−%1"_s.arg(-value) : QString::number(value);
    painter.setPen(value == 0 ? t.tertiary : t.badgeText);
    if (QFontMetricsF(painter.font()).horizontalAdvance(words) < cell.width())
        painter.drawText(cell, Qt::AlignCenter, words);
}

} // namespace

ResidualView::ResidualView(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(u"residualView"_s);
}

QSize ResidualView::sizeHint() const { return {px(620), px(260)}; }
QSize ResidualView::minimumSizeHint() const { return {px(320), px(160)}; }

void ResidualView::show(const tensor::TensorGame& game)
{
    const tensor::Format& format = game.format();
    std::vector<std::int64_t> left;
    for (int c = 0; c < format.cEntries(); ++c)
        for (int a = 0; a < format.aEntries(); ++a)
            for (int b = 0; b < format.bEntries(); ++b)
                left.push_back(game.residual(a, b, c));
    m_changed.assign(left.size(), false);
    if (m_format == format && m_left.size() == left.size() && !game.moves().empty())
        for (std::size_t i = 0; i < left.size(); ++i)
            m_changed[i] = left[i] != m_left[i];
    m_format = format;
    m_left = std::move(left);
    setAccessibleName(tr("What is left of the tensor of %1: %2 entries are not zero")
                          .arg(QString::fromStdString(tensor::textOf(format)))
                          .arg(game.nonzeros()));
    update();
}

void ResidualView::paintEvent(QPaintEvent*)
{
    if (m_left.empty())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Tokens& t = tokens();
    const int slices = m_format.cEntries(), high = m_format.aEntries(), wide = m_format.bEntries();
    const bool isLarge = high > 6 || wide > 6;
    const qreal names = isLarge ? px(4) : px(34), heading = px(isLarge ? 20 : 38), gap = px(12);
    // As many slices in a row as make the cells largest.
    qreal side = 0;
    int across = 1;
    for (int each = 1; each <= slices; ++each) {
        const int rows = (slices + each - 1) / each;
        const qreal fits = std::min((width() - gap) / each - gap - names, 1e9) / wide,
                    tall = ((height() - gap) / static_cast<qreal>(rows) - gap - heading) / high;
        if (std::min(fits, tall) > side) {
            side = std::min(fits, tall);
            across = each;
        }
    }
    side = std::min<qreal>(side, px(46));
    for (int c = 0; c < slices; ++c) {
        const qreal left = gap + (c % across) * (side * wide + names + gap) + names,
                    top = heading + (c / across) * (side * high + heading + gap);
        painter.setFont(fontOf(Type::Strong));
        painter.setPen(t.text);
        painter.drawText(QRectF(left - names, top - heading, side * wide + names, px(18)), Qt::AlignCenter,
            entryWords(m_format, Operand::C, c));
        painter.setFont(fontOf(Type::Tick));
        painter.setPen(t.secondary);
        if (!isLarge && side >= px(20)) {
            for (int b = 0; b < wide; ++b)
                painter.drawText(QRectF(left + side * b, top - px(20), side, px(18)), Qt::AlignCenter,
                    entryWords(m_format, Operand::B, b));
            for (int a = 0; a < high; ++a)
                painter.drawText(QRectF(left - names, top + side * a, names - px(4), side),
                    Qt::AlignRight | Qt::AlignVCenter, entryWords(m_format, Operand::A, a));
        }
        for (int a = 0; a < high; ++a)
            for (int b = 0; b < wide; ++b) {
                const std::size_t at = static_cast<std::size_t>((c * high + a) * wide + b);
                drawNumber(painter, QRectF(left + side * b, top + side * a, side, side), m_left[at], m_changed[at]);
            }
    }
}

MoveView::MoveView(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(u"moveView"_s);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Coefficients of the move: arrow keys choose one, Space changes it"));
    reset(m_format, m_ring);
}

QSize MoveView::sizeHint() const { return {px(420), px(3 * 32)}; }
QSize MoveView::minimumSizeHint() const { return {px(300), px(3 * 24)}; }

void MoveView::reset(const tensor::Format& format, tensor::Ring ring)
{
    m_format = format;
    m_ring = ring;
    m_move.u.assign(static_cast<std::size_t>(format.aEntries()), 0);
    m_move.v.assign(static_cast<std::size_t>(format.bEntries()), 0);
    m_move.w.assign(static_cast<std::size_t>(format.cEntries()), 0);
    m_operand = Operand::A;
    m_entry = 0;
    update();
}

void MoveView::setMove(tensor::GameMove move)
{
    m_move = std::move(move);
    update();
}

std::vector<int>& MoveView::factor(Operand operand)
{
    return operand == Operand::A ? m_move.u : operand == Operand::B ? m_move.v : m_move.w;
}

QRectF MoveView::cellAt(Operand operand, int entry) const
{
    const int most = std::max({m_format.aEntries(), m_format.bEntries(), m_format.cEntries()});
    const qreal names = px(30), high = height() / 3.0, wide = std::min<qreal>((width() - names) / most, px(48));
    return {names + wide * entry, high * static_cast<int>(operand), wide, std::min<qreal>(high, px(34))};
}

void MoveView::turn(Operand operand, int entry)
{
    int& value = factor(operand)[static_cast<std::size_t>(entry)];
    value = value == 0 ? 1 : value == 1 && m_ring == tensor::Ring::Integers ? -1 : 0;
    m_operand = operand;
    m_entry = entry;
    update();
    Q_EMIT edited();
}

void MoveView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Tokens& t = tokens();
    const QString names[] = {u"u"_s, u"v"_s, u"w"_s};
    for (const Operand operand : operands) {
        const std::vector<int>& values = factor(operand);
        painter.setFont(fontOf(Type::Strong));
        painter.setPen(t.text);
        const QRectF first = cellAt(operand, 0);
        painter.drawText(
            QRectF(0, first.top(), first.left(), first.height()), Qt::AlignCenter, names[static_cast<int>(operand)]);
        for (int entry = 0; entry < static_cast<int>(values.size()); ++entry) {
            const QRectF cell = cellAt(operand, entry);
            const int value = values[static_cast<std::size_t>(entry)];
            const bool isCurrent = hasFocus() && operand == m_operand && entry == m_entry;
            painter.setFont(fontOf(Type::Tick));
            painter.setPen(isCurrent ? QPen(t.accent, 2) : QPen(t.strongBorder));
            painter.setBrush(value == 0 ? t.track : value > 0 ? plusColour() : minusColour());
            painter.drawRoundedRect(cell.adjusted(2, 2, -2, -2), 3, 3);
            painter.setPen(value == 0 ? t.secondary : t.badgeText);
            const QString sign = value == 0 ? QString()
                : value == 1                ? u"+"_s
                : value == -1               ? u"−"_s
                                            : QString::number(value);
            const QString words = sign + entryWords(m_format, operand, entry);
            painter.drawText(cell, Qt::AlignCenter,
                QFontMetricsF(painter.font()).horizontalAdvance(words) < cell.width() - 4 ? words : sign);
        }
    }
}

void MoveView::mousePressEvent(QMouseEvent* event)
{
    for (const Operand operand : operands)
        for (int entry = 0; entry < static_cast<int>(factor(operand).size()); ++entry)
            if (cellAt(operand, entry).contains(event->position()))
                return turn(operand, entry);
}

void MoveView::keyPressEvent(QKeyEvent* event)
{
    const auto last = [&] { return static_cast<int>(factor(m_operand).size()) - 1; };
    const int row = static_cast<int>(m_operand);
    switch (event->key()) {
    case Qt::Key_Space:
        turn(m_operand, m_entry);
        break;
    case Qt::Key_Left:
    case Qt::Key_Right:
        m_entry = std::clamp(m_entry + (event->key() == Qt::Key_Left ? -1 : 1), 0, last());
        break;
    case Qt::Key_Up:
    case Qt::Key_Down:
        m_operand = static_cast<Operand>(std::clamp(row + (event->key() == Qt::Key_Up ? -1 : 1), 0, 2));
        m_entry = std::min(m_entry, last());
        break;
    default:
        return QWidget::keyPressEvent(event);
    }
    update();
}

} // namespace tilewright::ui
