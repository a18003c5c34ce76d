// SPDX-License-Identifier: GPL-3.0-or-later
// The figures by shape with the scale of their colours and what has to be known of them. GUI thread.
#pragma once

#include "ui/compare/heat_model.h"

#include <QFrame>

class QLabel;

namespace tilewright::ui {

class ColourScale;
class DockTitle;
class Pill;

class HeatPane : public QFrame
{
    Q_OBJECT

public:
    explicit HeatPane(QWidget* parent);
    DockTitle& title() { return *m_title; }
    HeatModel& model() { return m_model; }
    void show(const Comparing& comparing);
    using QWidget::show;

private:
    DockTitle* m_title;
    HeatModel m_model;
    HeatTable* m_table;
    ColourScale* m_scale;
    Pill* m_warning;
    QLabel* m_remarks;
};

} // namespace tilewright::ui
