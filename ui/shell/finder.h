// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl+K: type a part of a candidate's name or of an action, Enter goes there. GUI thread; closes itself.
#pragma once

#include "ui/session/desk.h"

#include <QFrame>

class QLineEdit;
class QListWidget;

namespace tilewright::ui {

class Finder : public QFrame
{
    Q_OBJECT

public:
    Finder(const Desk& desk, QWidget* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill(const QString& typed);
    void accept();

    Desk m_desk;
    QLineEdit* m_box;
    QListWidget* m_list;
};

} // namespace tilewright::ui
