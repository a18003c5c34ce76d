// SPDX-License-Identifier: GPL-3.0-or-later
// Letters are orders on the Review page. One that comes within a fast row of others is of a word that somebody writes,
// as to find it in the list: it is no order. GUI thread.
#pragma once

#include <QElapsedTimer>
#include <QObject>

class QKeyEvent;
class QWidget;

namespace tilewright::ui {

class LetterGuard : public QObject
{
    Q_OBJECT

public:
    explicit LetterGuard(QWidget& page);
    /// Looks at the keys that come to the page's window; texts that are written in keep theirs to themselves.
    void watch();
    /// The next key begins anew, as after a rest.
    void rest() { m_last.invalidate(); }

Q_SIGNALS:
    void written(); ///< a letter was no order

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool isOfAWord(const QKeyEvent& key);

    QWidget& m_page;
    QElapsedTimer m_last; ///< since the newest key that writes
    bool m_wasLetter = false, m_isWord = false; ///< in the row of keys that goes on
};

} // namespace tilewright::ui
