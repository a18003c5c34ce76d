// SPDX-License-Identifier: GPL-3.0-or-later
// How many edits of an island may wait for a person before it asks for no more, to choose from a few numbers. GUI
// thread.
#pragma once

#include <QComboBox>

namespace tilewright::ui {

class LimitBox : public QComboBox
{
    Q_OBJECT

public:
    explicit LimitBox(QWidget* parent = nullptr);
    void show(int perIsland); ///< 0: no limit; offered too, whatever it is
    int limit() const;

Q_SIGNALS:
    void limited(int perIsland); ///< by the person
};

} // namespace tilewright::ui
