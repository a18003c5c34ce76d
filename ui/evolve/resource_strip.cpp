// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/resource_strip.h"

#include "ui/models/format.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QHBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

ResourceStrip::ResourceStrip(QWidget* parent)
    : QWidget(parent)
    , m_row(new QHBoxLayout(this))
{
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(px(8));
}

void ResourceStrip::show(const nlohmann::json& resources)
{
    if (resources == m_shown)
        return;
    m_shown = resources;
    while (QLayoutItem* item = m_row->takeAt(0)) {
        if (item->widget())
            item->widget()->deleteLater();
        delete item;
    }
    const std::pair<const char*, QString> known[] = {{"code_bytes", tr("Source")}, {"text_bytes", tr("Machine code")},
        {"rodata_bytes", tr("Constants")}, {"registers", tr("Registers")}, {"smem", tr("Shared mem")},
        {"spill", tr("Spills")}, {"occupancy", tr("Occupancy")}};
    int shown = 0;
    for (const auto& [key, name] : known) {
        if (!resources.is_object() || !resources.contains(key) || !resources[key].is_number())
            continue;
        auto* box = new QFrame(this);
        box->setProperty("role", u"inset"_s);
        auto* column = new QVBoxLayout(box);
        column->setContentsMargins(px(8), px(4), px(8), px(5));
        column->setSpacing(0);
        auto* title = new ElidedLabel(name, box);
        title->setFont(fontOf(Type::Secondary));
        title->setProperty("tone", u"secondary"_s);
        const std::string id = key;
        const double value = resources[key].get<double>();
        auto* figure = new ElidedLabel(id == "registers" ? QString::number(value)
                : id == "occupancy"                      ? percent(value)
                                                         : bytes(value),
            box);
        figure->setFont(fontOf(Type::Strong));
        column->addWidget(title);
        column->addWidget(figure);
        m_row->addWidget(box, 1);
        ++shown;
    }
    setVisible(shown > 0);
}

} // namespace tilewright::ui
