// SPDX-License-Identifier: GPL-3.0-or-later
// Tool tips of whole sentences go on in the next line: Qt shows plain words in one line, however long it is. GUI
// thread.
#pragma once

#include <QObject>
#include <QString>

namespace tilewright::ui {

/// An event filter of the application: of widgets, rows and headings.
class LongToolTips : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

/// As a text that is broken into lines, where it is wider than a line of prose; else as it is.
QString brokenToolTip(const QString& words);

} // namespace tilewright::ui
