// SPDX-License-Identifier: GPL-3.0-or-later
// While it lives the application has no style sheet. Else every widget of a window that is being built is styled anew
// each time that it, or what it stands in, is put into another one: half of the time that the window takes. GUI thread.
#pragma once

#include <QObject>
#include <QSet>
#include <QString>

class QWidget;

namespace tilewright::ui {

class StyleSheetPause : private QObject
{
public:
    StyleSheetPause();
    /// What is in there now is not seen yet, and gets the style sheet by catchUpWithStyle(), when it is.
    void postpone(const QWidget& part);
    /// The style sheet is back, for all that was not postponed.
    ~StyleSheetPause() override;
    Q_DISABLE_COPY_MOVE(StyleSheetPause)

private:
    bool eventFilter(QObject* watched, QEvent* event) override;

    QString m_sheet;
    QSet<const QObject*> m_postponed;
};

/// Before it is shown for the first time.
void catchUpWithStyle(const QWidget& part);

} // namespace tilewright::ui
