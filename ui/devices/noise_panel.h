// SPDX-License-Identifier: GPL-3.0-or-later
// The noise floor over the run. GUI thread.
#pragma once

#include "ui/session/desk.h"

#include <QFrame>

namespace tilewright::ui {

class DockTitle;
class PlotView;

class NoisePanel : public QFrame
{
    Q_OBJECT

public:
    explicit NoisePanel(const Desk& desk, QWidget* parent = nullptr);
    void refresh();

private:
    Desk m_desk;
    DockTitle* m_title;
    PlotView* m_plot;
    std::vector<NoisePoint> m_shown;
    std::int64_t m_untilNs = -1;
};

} // namespace tilewright::ui
