// SPDX-License-Identifier: GPL-3.0-or-later
// Colours for code that is being written: our own reader while a user types, the colouring process once they rest.
// GUI thread.
#pragma once

#include "ui/code/colouring.h"

#include <QStringList>
#include <QSyntaxHighlighter>
#include <QTimer>

namespace tilewright::ui {

class EditorColours : public QSyntaxHighlighter
{
    Q_OBJECT

public:
    explicit EditorColours(QTextDocument* document);

protected:
    void highlightBlock(const QString& line) override;

private:
    TextColours m_colours;
    QStringList m_lines; ///< that the spans are of
    QString m_asked;
    QTimer m_rest;
};

} // namespace tilewright::ui
