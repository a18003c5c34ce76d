// SPDX-License-Identifier: GPL-3.0-or-later
// A diff to read: two columns that scroll as one, or one unified column, with an overview bar. Computed on a pool
// thread; a newer pair of texts supersedes an older one. GUI thread.
#pragma once

#include "ui/diff/side_by_side.h"

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

    explicit SplitDiff(QWidget* parent = nullptr);
    void show(const QString& before, const QString& after);
    /// What the columns are, above them.
    void setTitles(const QString& before, const QString& after);
    void setNote(const QString& note);
    /// Before show(): what both texts are written in, as CodeView::setLanguage; kernels without.
    void setLanguage(const QString& language);
    void setForm(Form form);
    void setUnchanged(Unchanged unchanged);
    void setWhitespace(Whitespace whitespace);
    /// The change after or before the one that is shown, around the ends.
    void goToChange(int step);
    /// Opens the line to find words, in the column that has the focus, else in the one at the right.
    void find();

    int changes() const { return static_cast<int>(m_shown.changes.size()); }
    int current() const { return m_current; } ///< 0-based; −1 where there is none
    int removed() const { return m_shown.removed; }
    int added() const { return m_shown.added; }

Q_SIGNALS:
    /// Another diff, or another change of it, is shown.
    void moved();

private:
    void compute();
    void take(SideBySide lines, std::vector<CodeLine> unified);
    void follow();
    void scrollTo(int row);

    QStackedWidget* m_forms;
    ElidedLabel *m_beforeTitle, *m_afterTitle;
    CodeView *m_left, *m_right, *m_unified;
    ChangeOverview* m_overview;
    QString m_before, m_after;
    Unchanged m_unchanged = Unchanged::Folded;
    Whitespace m_whitespace = Whitespace::Counts;
    SideBySide m_shown;
    std::vector<int> m_unifiedChanges; ///< first row of each change in the unified column
    int m_current = -1;
    quint64 m_wanted = 0; ///< number of the newest diff asked for
};

} // namespace tilewright::ui
