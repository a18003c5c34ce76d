// SPDX-License-Identifier: GPL-3.0-or-later
// Read-only code, diff or log: line numbers and signs in a gutter, backgrounds painted for the visible lines only
// (never as extra selections, which cost most of a second at 20 000 lines), and so are the colours of code: the text
// stands first, its colours come when they are known. GUI thread.
#pragma once

#include "ui/code/colouring.h"
#include "ui/widgets/folding_edit.h"
#include "ui/widgets/note_column.h"

#include <QTextLayout>
#include <vector>

namespace tilewright::ui {

struct CodeLine {
    enum class Mark { Plain, Added, Removed, Filler }; ///< Filler: the other side has a line here

    QString text;
    int number = 0; ///< shown in the gutter, 1-based; 0 = none
    Mark mark = Mark::Plain;
    std::vector<std::pair<int, int>> words; ///< (start, length) of what changed inside the line
    bool isChosen = false; ///< a bar stands beside it
    /// Column of its line at which the text begins: more than 0 where it goes on from the row above.
    int from = 0;

    bool operator==(const CodeLine&) const = default;
};

/// A prompt's or a reply's lines, numbered; what an edit takes away or adds is marked.
std::vector<CodeLine> conversationLines(const QString& text);

class CodeView : public FoldingEdit
{
    Q_OBJECT

public:
    static constexpr int tabColumns = 4; ///< from one tab stop to the next

    enum class Kind { Code, Diff, Log, Conversation }; ///< Conversation: a prompt or a reply

    explicit CodeView(Kind kind, QWidget* parent = nullptr);
    void setLines(std::vector<CodeLine> lines);
    /// Before setLines(): the whole texts that numbered lines are of, for their colours. Removed lines are of the one
    /// before, all others of the one after. Empty for none.
    void setTexts(const QString& before, const QString& after);
    /// Before setNumbered() and setTexts(): what the texts are written in, as ColourRequest names it; kernels without.
    void setLanguage(const QString& language) { m_language = language; }
    const QString& language() const { return m_language; }
    /// Characters that a row has room for.
    int columns() const;
    /// The text with its lines numbered from 1; of a conversation, edits are tinted.
    void setNumbered(const QString& text);
    /// A quiet sentence where there is nothing to show.
    void setNote(const QString& note);
    /// Marks the line of this number, and puts it in the middle of what is seen; nothing where there is none.
    void goToLine(int number);
    const std::vector<CodeLine>& lines() const { return m_lines; }
    /// What stands at the left of the numbers, one a line of the text; empty: nothing. A new text has none.
    void setNotes(std::vector<LineNote> notes);
    NoteColumn& noteColumn() { return *m_notes; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    friend class CodeGutter;
    friend class NoteColumn;
    void askForColours();
    void forgetColours();
    /// Gives the lines on screen their colours, as far as they have none.
    void colourVisible();
    QList<QTextLayout::FormatRange> coloursOf(const CodeLine& line) const;
    int gutterWidth() const;
    void paintGutter(QPaintEvent* event);
    void place();
    QColor ground(const CodeLine& line) const;

    Kind m_kind;
    QString m_language;
    NoteColumn* m_notes; ///< at the left of the gutter
    QWidget* m_gutter;
    QString m_textBefore, m_textAfter;
    TextColours m_coloursBefore, m_coloursAfter;
    std::vector<CodeLine> m_lines;
    std::vector<bool> m_isColoured; ///< of each line
    int m_digits = 2;
};

} // namespace tilewright::ui
