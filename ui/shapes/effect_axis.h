// SPDX-License-Identifier: GPL-3.0-or-later
// A change of speed with its interval, on an axis that shows the noise band around "no change", and as a diamond what
// was claimed of it. GUI thread.
#pragma once

#include "ui/models/figures.h"

#include <QWidget>

namespace tilewright::ui {

/// "claimed +8 %, 2.5 points more than measured"; `change` none: not measured yet.
QString claimWords(double claimed, const std::optional<ParentChange>& change);

class EffectAxis : public QWidget
{
    Q_OBJECT

public:
    explicit EffectAxis(QWidget* parent = nullptr);
    void show(const std::optional<ParentChange>& change, std::optional<double> claimed);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::optional<ParentChange> m_change;
    std::optional<double> m_claimed; ///< ratio
};

} // namespace tilewright::ui
