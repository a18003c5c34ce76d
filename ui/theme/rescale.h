// SPDX-License-Identifier: GPL-3.0-or-later
// What widgets were given in pixels and points when they were made, for another size of the application's font. Style,
// palette and what is computed while painting follow by themselves. GUI thread.
#pragma once

#include <QEvent>
#include <QObject>
#include <QSet>
#include <QString>

class QWidget;

namespace tilewright::ui {

/// Sent to each main window while everything in it still has its old size: docks are squeezed by larger text, and do
/// not grow back of themselves.
QEvent::Type aboutToRescale();

/// Of all widgets there are, lengths, and fonts of their own.
void rescaleWidgets(double ratio);

// While it lives the application has no style sheet. Else every widget of a window that is being built is styled anew
// each time that it, or what it stands in, is put into another one: half of the time that the window takes. GUI thread.

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
