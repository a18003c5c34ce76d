// SPDX-License-Identifier: GPL-3.0-or-later
// A column beside the lines of a CodeView that says one thing of each: who brought it, say. Neighbours with the same
// origin are one block, which has its words once and is one step of the arrow keys. GUI thread; belongs to its view.
#pragma once

#include <QString>
#include <QWidget>
#include <cstdint>
#include <vector>

class QHelpEvent;

namespace tilewright::ui {

class CodeView;

struct LineNote {
    std::int64_t origin = 0; ///< lines of the same one make a block; 0: nothing is known of the line
    int line = 0; ///< of the text there, from 1
    QString words; ///< as much of it as there is room for
    QString whole; ///< tooltip, and what is read aloud
    bool isNew = false; ///< marked: brought by what is shown itself

    bool operator==(const LineNote&) const = default;
};

class NoteColumn : public QWidget
{
    Q_OBJECT

public:
    explicit NoteColumn(CodeView* view);
    /// One a line of the text, by number. Empty: the column is put away.
    void setNotes(std::vector<LineNote> notes);
    const std::vector<LineNote>& notes() const { return m_notes; }
    /// What it takes of a view of this width: no more than two fifths of it, so that the code stays readable.
    int widthIn(int viewWidth) const;
    /// The line (from 1) that the keys are at; 0: none.
    int currentLine() const { return m_current; }

Q_SIGNALS:
    /// A click, or Return: on the origin of this line, which is that one's line there.
    void chosen(std::int64_t origin, int line);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    int lineAt(int y) const; ///< from 1; 0: none
    const LineNote* noteOf(int line) const;
    void goTo(int line);
    int blockBegin(int line) const; ///< the first line of its block
    int nextBlock(int line, int step) const;
    void choose(int line);

    CodeView* m_view;
    std::vector<LineNote> m_notes;
    int m_current = 0;
};

} // namespace tilewright::ui
