// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/resource_boxes.h"

#include "ui/evolve/resource_notes.h"
#include "ui/models/format.h"
#include "ui/theme/theme.h"

#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

ResourceBoxes::ResourceBoxes(QWidget* parent)
    : QFrame(parent)
    , m_grid(new QGridLayout(this))
{
    setObjectName(u"resourceBoxes"_s);
    setProperty("role", u"panel"_s);
    m_grid->setContentsMargins(px(8), px(6), px(8), px(6));
    m_grid->setSpacing(px(6));
    setVisible(false);
}

void ResourceBoxes::add(const QString& name, const QString& value)
{
    auto* box = new QFrame(this);
    box->setProperty("role", u"inset"_s);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(px(6), px(4), px(4), px(5));
    column->setSpacing(0);
    auto* title = new QLabel(name, box);
    title->setFont(fontOf(Type::Secondary));
    title->setProperty("tone", u"secondary"_s);
    auto* figure = new QLabel(value, box);
    figure->setFont(fontOf(Type::Strong));
    column->addWidget(title);
    column->addWidget(figure);
    m_boxes.push_back(box);
}

int ResourceBoxes::widthOf(int columns) const
{
    int widest = 0;
    for (const QFrame* box : m_boxes)
        widest = std::max(widest, box->minimumSizeHint().width());
    const QMargins around = contentsMargins() + m_grid->contentsMargins();
    return columns * widest + std::max(columns - 1, 0) * m_grid->spacing() + around.left() + around.right();
}

QSize ResourceBoxes::minimumSizeHint() const
{
    const int half = (static_cast<int>(m_boxes.size()) + 1) / 2;
    return {widthOf(half), QFrame::minimumSizeHint().height()};
}

void ResourceBoxes::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    arrange();
}

void ResourceBoxes::arrange()
{
    const auto count = static_cast<int>(m_boxes.size());
    const int columns = widthOf(count) <= width() ? count : (count + 1) / 2;
    if (columns == m_columns)
        return;
    for (int column = 0; column < m_grid->columnCount(); ++column)
        m_grid->setColumnStretch(column, 0);
    m_columns = columns;
    for (int i = 0; i < count; ++i) {
        m_grid->addWidget(m_boxes[static_cast<std::size_t>(i)], i / columns, i % columns);
        m_grid->setColumnStretch(i % columns, 1);
    }
}

void ResourceBoxes::show(const ResourceFigures& figures)
{
    if (figures == m_shown)
        return;
    m_shown = figures;
    for (QFrame* box : m_boxes) {
        m_grid->removeWidget(box);
        box->hide();
        box->deleteLater();
    }
    m_boxes.clear();
    m_columns = 0;
    const auto addBytes = [&](const QString& name, const std::optional<std::int64_t>& value) {
        if (value)
            add(name, bytes(static_cast<double>(*value)));
    };
    if (figures.registers) { // a kernel's
        add(tr("Registers"), QString::number(*figures.registers));
        addBytes(tr("Shared"), figures.sharedBytes);
        addBytes(tr("Spills"), figures.spillBytes);
        if (figures.occupancy)
            add(tr("Occupancy"), percent(*figures.occupancy));
    } else {
        addBytes(tr("Source"), figures.sourceBytes);
        addBytes(tr("Machine code"), figures.machineCodeBytes);
        addBytes(tr("Constants"), figures.constantBytes);
    }
    arrange();
    setToolTip(kernelWords(figures));
    setVisible(!m_boxes.empty());
}

} // namespace tilewright::ui
