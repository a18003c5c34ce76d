// SPDX-License-Identifier: GPL-3.0-or-later
// While it lives the application has no style sheet. Else every widget of a window that is being built is styled anew
// each time that it, or what it stands in, is put into another one: half of the time that the window takes. GUI thread.
#pragma once

#include <QApplication>

namespace tilewright::ui {

class StyleSheetPause
{
public:
    StyleSheetPause()
        : m_sheet(qApp->styleSheet())
    {
        if (!m_sheet.isEmpty())
            qApp->setStyleSheet({});
    }
    ~StyleSheetPause()
    {
        if (!m_sheet.isEmpty())
            qApp->setStyleSheet(m_sheet);
    }
    Q_DISABLE_COPY_MOVE(StyleSheetPause)

private:
    QString m_sheet;
};

} // namespace tilewright::ui
