// SPDX-License-Identifier: GPL-3.0-or-later
// A diff to read: two columns that scroll as one, or one unified column, with an overview bar. Computed on a pool
// thread; a newer pair of texts supersedes an older one. GUI thread.
#pragma once

#include "ui/diff/aligned_texts.h"
#include "ui/diff/diff_lines.h"

#include <QTimer>
#include <QWidget>

class QStackedWidget;

namespace tilewright::ui {

class ChangeOverview;
class ElidedLabel;

class SplitDiff : public QWidget
{
    Q_OBJECT

public:
    enum class Form { SideBySide, Unified };
    enum class LongLines { Wrapped, Scrolled };

    explicit SplitDiff(QWidget* parent = nullptr);
    void show(const QString& before, const QString& after);
    /// What the columns are, above them.
    void setTitles(const QString& before, const QString& after);
    void setNote(const QString& note);
    /// Before show(): what both texts are written in, as CodeView::setLanguage; kernels without.
    void setLanguage(const QString& language);
    void setForm(Form form);
    enum class Unchanged { Folded, Shown };
    void setUnchanged(Unchanged unchanged);
    void setWhitespace(Whitespace whitespace);
    /// Long lines go on in the next row, or are scrolled to on both sides at once.
    void setLongLines(LongLines longLines);
    /// The change after or before the one that is shown, around the ends.
    void goToChange(int step);
    /// Opens the line to find words, in the column that has the focus, else in the one at the right.
    void find();

    int changes() const; ///< of the form that is shown
    int current() const { return m_current; } ///< 0-based; −1 where there is none
    int removed() const { return m_made.removed; }
    int added() const { return m_made.added; }

protected:
    void resizeEvent(QResizeEvent* event) override;

Q_SIGNALS:
    /// Another diff, or another change of it, is shown.
    void moved();

private:
    void compute();
    void take(SideBySide lines, UnifiedDiff unified);
    bool isUnified() const;
    int room() const;
    bool fits() const; ///< the rows were made for the room that there is
    /// Puts what was computed into the columns, as wide as they are now.
    void layOut();
    void makeRows();
    void fold();
    void showOverview();
    void follow();
    void scrollTo(int row);

    QStackedWidget* m_forms;
    ElidedLabel *m_beforeTitle, *m_afterTitle;
    CodeView *m_left, *m_right, *m_unified;
    ChangeOverview* m_overview;
    QString m_before, m_after;
    Unchanged m_unchanged = Unchanged::Folded;
    Whitespace m_whitespace = Whitespace::Counts;
    LongLines m_longLines = LongLines::Scrolled;
    SideBySide m_made, m_shown; ///< as computed, and in the rows of the columns
    UnifiedDiff m_madeUnified, m_shownUnified;
    QTimer m_resized;
    int m_room = 0; ///< characters that the rows were made for
    std::vector<int> m_unifiedChanges; ///< first row of each change in the unified column
    int m_current = -1;
    quint64 m_wanted = 0; ///< number of the newest diff asked for
};

} // namespace tilewright::ui
