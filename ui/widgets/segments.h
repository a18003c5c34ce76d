// SPDX-License-Identifier: GPL-3.0-or-later
// A row of joined buttons of which exactly one is down. GUI thread.
#pragma once

#include <QStringList>
#include <QWidget>

class QButtonGroup;

namespace tilewright::ui {

class Segments : public QWidget
{
    Q_OBJECT

public:
    Segments(const QString& accessibleName, const QStringList& choices, QWidget* parent = nullptr);
    int current() const;
    void setCurrent(int index);

Q_SIGNALS:
    void chosen(int index);

private:
    QButtonGroup* m_group;
};

} // namespace tilewright::ui
