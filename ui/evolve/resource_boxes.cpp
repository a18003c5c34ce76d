// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/resource_boxes.h"

#include "ui/evolve/resource_notes.h"
#include "ui/models/format.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

ResourceBoxes::ResourceBoxes(QWidget* parent)
    : QFrame(parent)
    , m_row(new QHBoxLayout(this))
{
    setObjectName(u"resourceBoxes"_s);
    setProperty("role", u"panel"_s);
    m_row->setContentsMargins(px(8), px(6), px(8), px(6));
    m_row->setSpacing(px(6));
    setVisible(false);
}

void ResourceBoxes::show(const ResourceFigures& figures)
{
    if (figures == m_shown)
        return;
    m_shown = figures;
    while (QLayoutItem* item = m_row->takeAt(0)) {
        if (item->widget())
            item->widget()->deleteLater();
        delete item;
    }
    const auto add = [this](const QString& name, const QString& value) {
        auto* box = new QFrame(this);
        box->setProperty("role", u"inset"_s);
        auto* column = new QVBoxLayout(box);
        column->setContentsMargins(px(6), px(4), px(4), px(5));
        column->setSpacing(0);
        auto* title = new ElidedLabel(name, box);
        title->setFont(fontOf(Type::Secondary));
        title->setProperty("tone", u"secondary"_s);
        auto* figure = new ElidedLabel(value, box);
        figure->setFont(fontOf(Type::Strong));
        column->addWidget(title);
        column->addWidget(figure);
        m_row->addWidget(box, 1);
    };
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
    setToolTip(kernelWords(figures));
    setVisible(m_row->count() > 0);
}

} // namespace tilewright::ui
