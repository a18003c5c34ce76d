// SPDX-License-Identifier: GPL-3.0-or-later
// A field for one number, typed rather than stepped.
#pragma once

#include "ui/theme/theme.h"

#include <QAbstractSpinBox>

namespace tilewright::ui {

/// Box: QSpinBox or QDoubleSpinBox.
template <typename Box, typename Number>
Box* numberBox(Number low, Number high, Number value, const QString& name, const QString& accessible, QWidget* parent)
{
    auto* box = new Box(parent);
    box->setRange(low, high);
    box->setValue(value);
    box->setObjectName(name);
    box->setAccessibleName(accessible);
    box->setAlignment(Qt::AlignRight);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setMinimumWidth(px(92));
    return box;
}

} // namespace tilewright::ui
