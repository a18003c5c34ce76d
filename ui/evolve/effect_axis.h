// SPDX-License-Identifier: GPL-3.0-or-later
// A change of speed with its interval, on an axis that shows the noise band around "no change". GUI thread.
#pragma once

#include "ui/models/figures.h"

#include <QWidget>

namespace tilewright::ui {

class EffectAxis : public QWidget
{
    Q_OBJECT

public:
    explicit EffectAxis(QWidget* parent = nullptr);
    void show(const std::optional<ParentChange>& change);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::optional<ParentChange> m_change;
};

} // namespace tilewright::ui
