// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/product_view.h"

#include "ui/lab/scheme_words.h"
#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;
using tensor::Coefficient;
using tensor::Operand;

namespace {

const QString operandNames[] = {u"A"_s, u"B"_s, u"C"_s};

/// A cell of a coefficient: its ground tells the sign, its text the entry or the number.
void drawCell(QPainter& painter, const QRectF& cell, const Coefficient& value, const QString& words)
{
    const Tokens& t = tokens();
    painter.setPen(Qt::NoPen);
    painter.setBrush(colourOf(value));
    painter.drawRoundedRect(cell.adjusted(1, 1, -1, -1), 3, 3);
    painter.setPen(value.isZero() ? t.tertiary : t.badgeText);
    if (QFontMetricsF(painter.font()).horizontalAdvance(words) <= cell.width() - 2)
        painter.drawText(cell, Qt::AlignCenter, words);
}

} // namespace

ProductView::ProductView(LabModel& lab, QWidget* parent)
    : QWidget(parent)
    , m_lab(lab)
{
    setObjectName(u"productView"_s);
    for (const auto signal : {&LabModel::schemeChanged, &LabModel::productChanged})
        connect(&lab, signal, this, [this] {
            describe();
            update();
        });
    describe();
}

QSize ProductView::sizeHint() const { return {px(480), px(190)}; }
QSize ProductView::minimumSizeHint() const { return {px(280), px(110)}; }

void ProductView::describe()
{
    setAccessibleName(
        tr("Product %1: %2").arg(productName(m_lab.product()), productWords(m_lab.scheme(), m_lab.product())));
}

void ProductView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Tokens& t = tokens();
    const tensor::Scheme& scheme = m_lab.scheme();
    const tensor::Format& format = scheme.format;
    const qreal gap = px(40), heading = px(22);
    const int columns = format.m + format.p + format.p, rows = std::max(format.n, format.m);
    const qreal side
        = std::min<qreal>({1.0 * px(46), (width() - 2 * gap - px(8)) / columns, (height() - heading - px(4)) / rows});
    qreal left = (width() - columns * side - 2 * gap) / 2;
    for (const Operand operand : {Operand::A, Operand::B, Operand::C}) {
        const auto [high, wide] = tensor::sizeOf(format, operand);
        const QRectF box(left, heading + (height() - heading - side * high) / 2, side * wide, side * high);
        painter.setFont(fontOf(Type::Strong));
        painter.setPen(t.text);
        painter.drawText(QRectF(box.left() - gap, box.top() - heading, box.width() + 2 * gap, heading), Qt::AlignCenter,
            operandNames[static_cast<int>(operand)]);
        painter.setFont(fontOf(side < px(34) ? Type::Tick : Type::Mono));
        for (int entry = 0; entry < high * wide; ++entry) {
            const Coefficient& value = scheme.factor(operand).at(entry, m_lab.product());
            const QRectF cell(box.left() + side * (entry % wide), box.top() + side * (entry / wide), side, side);
            drawCell(painter, cell, value, signWords(value) + entryWords(format, operand, entry));
        }
        if (operand != Operand::C) {
            painter.setFont(fontOf(Type::Title));
            painter.setPen(t.secondary);
            painter.drawText(QRectF(box.right(), box.top(), gap, box.height()), Qt::AlignCenter,
                operand == Operand::A ? u"·"_s : u"→"_s);
        }
        left = box.right() + gap;
    }
}

FactorView::FactorView(LabModel& lab, QWidget* parent)
    : QWidget(parent)
    , m_lab(lab)
{
    setObjectName(u"factorView"_s);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Factor matrices U, V and W, a column for each product"));
    for (const auto signal : {&LabModel::schemeChanged, &LabModel::productChanged})
        connect(&lab, signal, this, qOverload<>(&QWidget::update));
}

QSize FactorView::sizeHint() const { return {px(640), px(190)}; }
QSize FactorView::minimumSizeHint() const { return {px(300), px(90)}; }

std::vector<FactorView::Grid> FactorView::grids() const
{
    const tensor::Scheme& scheme = m_lab.scheme();
    const qreal gap = px(24), heading = px(40), margin = px(12);
    const int rank = scheme.rank(),
              most = std::max({scheme.format.aEntries(), scheme.format.bEntries(), scheme.format.cEntries()});
    const qreal side = std::clamp<qreal>(
        std::min((width() - 2 * gap - 2 * margin) / (3 * rank), (height() - heading - px(6)) / most), 2, px(40));
    std::vector<Grid> all;
    qreal left = margin;
    for (const Operand operand : {Operand::A, Operand::B, Operand::C}) {
        all.push_back({operand, QRectF(left, heading, side * rank, side * scheme.factor(operand).entries()), side});
        left += side * rank + gap;
    }
    return all;
}

void FactorView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Tokens& t = tokens();
    const tensor::Scheme& scheme = m_lab.scheme();
    const QString names[] = {u"U"_s, u"V"_s, u"W"_s};
    for (const Grid& grid : grids()) {
        const tensor::Factor& factor = scheme.factor(grid.operand);
        painter.setFont(fontOf(Type::Strong));
        painter.setPen(t.text);
        painter.drawText(QPointF(grid.cells.left(), px(16)),
            tr("%1   %2×%3").arg(names[static_cast<int>(grid.operand)]).arg(factor.entries()).arg(factor.products()));
        painter.setFont(fontOf(Type::Tick));
        const bool named = grid.side >= QFontMetricsF(painter.font()).horizontalAdvance(productName(99));
        for (int product = 0; product < factor.products(); ++product) {
            const qreal x = grid.cells.left() + grid.side * product;
            if (named || product == m_lab.product()) {
                painter.setPen(product == m_lab.product() ? t.text : t.tertiary);
                painter.drawText(
                    QRectF(x - grid.side, px(20), 3 * grid.side, px(18)), Qt::AlignCenter, productName(product));
            }
            for (int entry = 0; entry < factor.entries(); ++entry) {
                const Coefficient& value = factor.at(entry, product);
                const QRectF cell(x, grid.cells.top() + grid.side * entry, grid.side, grid.side);
                if (grid.side < px(12)) {
                    painter.fillRect(cell.adjusted(0.5, 0.5, -0.5, -0.5), colourOf(value));
                    continue;
                }
                drawCell(painter, cell, value, QString::fromStdString(tensor::textOf(value)).replace(u'-', u"−"_s));
            }
        }
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(t.accent, 2));
        painter.drawRoundedRect(
            QRectF(grid.cells.left() + grid.side * m_lab.product(), grid.cells.top(), grid.side, grid.cells.height()),
            3, 3);
    }
    if (hasFocus()) {
        painter.setPen(QPen(t.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(rect().adjusted(1, 1, -2, -2), 4, 4);
    }
}

void FactorView::mousePressEvent(QMouseEvent* event)
{
    for (const Grid& grid : grids())
        if (grid.cells.adjusted(0, -px(20), 0, 0).contains(event->position()))
            m_lab.setProduct(static_cast<int>((event->position().x() - grid.cells.left()) / grid.side));
}

void FactorView::keyPressEvent(QKeyEvent* event)
{
    const int by = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (by == 0)
        return QWidget::keyPressEvent(event);
    m_lab.setProduct(m_lab.product() + by);
}

} // namespace tilewright::ui
