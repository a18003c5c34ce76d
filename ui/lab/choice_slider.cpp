// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/choice_slider.h"

#include "ui/theme/theme.h"

#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <algorithm>
#include <cstdlib>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

ChoiceSlider::ChoiceSlider(
    const QString& objectName, const QString& name, std::vector<int> values, QGridLayout* grid, QWidget* parent)
    : QObject(parent)
    , m_values(std::move(values))
    , m_slider(new QSlider(Qt::Horizontal, parent))
    , m_text(new QLabel(parent))
{
    m_slider->setObjectName(objectName);
    m_slider->setAccessibleName(name);
    m_slider->setRange(0, static_cast<int>(m_values.size()) - 1);
    m_slider->setPageStep(1);
    m_slider->setTickPosition(QSlider::TicksBelow);
    m_text->setObjectName(objectName + u"Text"_s);
    m_text->setMinimumWidth(px(48));
    m_text->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_text->setFont(fontOf(Type::Mono));
    auto* caption = new QLabel(name, parent);
    caption->setBuddy(m_slider);
    const int row = grid->rowCount();
    grid->addWidget(caption, row, 0);
    grid->addWidget(m_slider, row, 1);
    grid->addWidget(m_text, row, 2);
    connect(m_slider, &QSlider::valueChanged, this, [this] {
        showValue();
        Q_EMIT changed();
    });
    showValue();
}

int ChoiceSlider::value() const { return m_values[static_cast<std::size_t>(m_slider->value())]; }

void ChoiceSlider::setValue(int value)
{
    const auto nearest = std::ranges::min_element(m_values, {}, [&](int each) { return std::abs(each - value); });
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(static_cast<int>(nearest - m_values.begin()));
    showValue();
}

void ChoiceSlider::showValue() { m_text->setText(QString::number(value())); }

} // namespace tilewright::ui
