// SPDX-License-Identifier: GPL-3.0-or-later
// What was checked of a candidate before it may be measured, in order of cost, and the risks that a person should look
// at. GUI thread.
#pragma once

#include "core/model/run_state.h"

#include <QWidget>

class QVBoxLayout;

namespace tilewright::ui {

class CheckList : public QWidget
{
    Q_OBJECT

public:
    explicit CheckList(QWidget* parent = nullptr);
    void show(const RunState& run, const Review& review);

private:
    struct Line;
    void add(const Line& line);

    QVBoxLayout* m_column;
    Review m_shown;
};

} // namespace tilewright::ui
