// SPDX-License-Identifier: GPL-3.0-or-later
// A line to find words in a text view: Return goes to the next place, Shift+Return to the one before, Ctrl+F in the
// view comes here. At its end it says which place of how many is found; the others are marked in the view. GUI thread.
#pragma once

#include <QFrame>
#include <QLineEdit>

class QPlainTextEdit;

namespace tilewright::ui {

class FindBox : public QLineEdit
{
    Q_OBJECT

public:
    explicit FindBox(QPlainTextEdit& view, QWidget* parent = nullptr);

    enum class Way { Forward, Back };
    /// To the next place in that direction, around the ends; false where the words do not occur.
    bool find(Way way);
    /// The focus comes here.
    void come();
    /// "2 of 7"; "7 in all" where none of them is chosen; "" where the words do not occur.
    const QString& placeWords() const { return m_place; }

Q_SIGNALS:
    void wanted(); ///< Ctrl+F in the view: it is about to get the focus
    void left(); ///< Escape
    void told(const QString& trouble); ///< that the words do not occur; empty: they do

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    /// The colour of the words tells what the frame says in words: whether they occur.
    void tell(bool isFound);
    void tellPlace();
    bool isAtTheEdge() const; ///< the place that was found, of what is seen

    QPlainTextEdit& m_view;
    QString m_place;
};

// Ctrl+F in a text view: a line to find words, with a place of its own beside the view until Escape. Whoever makes it
// puts it into a layout. GUI thread.

class ElidedLabel;
class FindBox;

class FindLine : public QFrame
{
    Q_OBJECT

public:
    FindLine(QPlainTextEdit& view, QWidget* parent);
    /// The one of this view, which is in the same window; null if it has none.
    static FindLine* of(const QPlainTextEdit& view);
    /// As Ctrl+F in the view does.
    void open();

private:
    void leave();

    QPlainTextEdit& m_view;
    FindBox* m_box;
    ElidedLabel* m_trouble;
};

/// A view with its line above it, as one part of a screen.
QWidget* withFindLine(QPlainTextEdit& view, QWidget* parent);

} // namespace tilewright::ui
