// SPDX-License-Identifier: GPL-3.0-or-later
// A text to write beside the one that it comes from: what differs stays marked on both sides while a user types,
// found on a pool thread after a short rest; both scroll as one, line beside line, with an overview bar, and what is
// equal is folded. GUI thread.
#pragma once

#include "ui/diff/split_diff.h"
#include "ui/diff/written_lines.h"

#include <QTimer>
#include <QWidget>

namespace tilewright::ui {

class ChangeOverview;
class ElidedLabel;

class WritingDiff : public QWidget
{
    Q_OBJECT

public:
    explicit WritingDiff(QWidget* parent = nullptr);
    /// Both texts anew; the first line of `after` that differs is in the middle, with the cursor; where none does, the
    /// first that may change.
    void open(const QString& before, const QString& after);
    void setTitles(const QString& before, const QString& after);
    /// Whether the text that it comes from stands beside it.
    enum class Beside { Shown, Hidden };
    void setBefore(Beside beside);
    /// Whether lines that are equal on both sides are folded, as far as they are not beside a change. What is opened
    /// while a user writes stays open.
    void setFolded(bool on);
    /// Whether long lines go on in the next row; else both sides are scrolled to their ends.
    void setLongLines(SplitDiff::LongLines longLines);
    void setWhitespace(Whitespace whitespace);
    /// Opens the line to find words, in the side that has the focus.
    void find();
    /// To the first line that differs; nothing where none does.
    void goToFirstChange();
    /// With the cursor, to the change after or before the line that it stands in, around the ends: of what is written
    /// now.
    void goToChange(int step);
    /// Refuses what changes lines that must stay as they are in `before`.
    NumberedEditor& editor() { return *m_right; }
    static QString whyRefused(); ///< for a user
    int removed() const { return m_shown.removed; }
    int added() const { return m_shown.added; }
    int changes() const { return static_cast<int>(m_shown.changes.size()); }
    /// The change that the cursor stands in or behind, 0-based; −1 where all are below it.
    int current() const;

Q_SIGNALS:
    /// The marks are those of what is written now.
    void marked();
    /// The cursor came to another change.
    void moved();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void compute();
    void take(WrittenLines lines);
    void place();
    void fold();
    void foldLeft();
    int lineAt(int row) const;
    void takeStep();
    void noteCurrent();
    void showOverview();
    void showView();
    void followRight();
    void followLeft();

    ElidedLabel *m_beforeTitle, *m_afterTitle;
    CodeView* m_left;
    NumberedEditor* m_right;
    ChangeOverview* m_overview;
    QString m_before;
    Whitespace m_whitespace = Whitespace::Counts;
    WrittenLines m_shown;
    QTimer m_rest;
    bool m_isBeside = true, m_isFolded = true, m_isWrapped = false;
    bool m_foldsNext = false; ///< the next comparison is of texts that were just opened
    bool m_follows = false; ///< one side is being scrolled after the other
    quint64 m_wanted = 0; ///< number of the newest comparison asked for
    quint64 m_taken = 0; ///< of the one that is shown
    int m_step = 0; ///< wanted once the changes are known
    int m_current = -1; ///< as it was told last
};

} // namespace tilewright::ui
