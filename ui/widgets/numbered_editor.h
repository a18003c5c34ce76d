// SPDX-License-Identifier: GPL-3.0-or-later
// A plain text editor whose lines are numbered; one of them can be marked as mistaken, and all as what they are beside
// another text. GUI thread.
#pragma once

#include "ui/widgets/folding_edit.h"

#include <functional>
#include <utility>

namespace tilewright::ui {

/// What a line is beside the text that it comes from.
struct EditedLine {
    bool isChanged = false; ///< new, or other than before
    bool isLocked = false; ///< it may not be changed
    bool isAfterRemoved = false; ///< lines that stood above it are gone
    std::vector<std::pair<int, int>> words; ///< (start, length) of what changed inside the line

    bool operator==(const EditedLine&) const = default;
};

class NumberedEditor : public FoldingEdit
{
    Q_OBJECT

public:
    explicit NumberedEditor(QWidget* parent = nullptr);
    /// 1-based; 0 for none.
    void markMistake(int line);
    /// Of each line; painted for what is on screen only. Lines beyond them are plain.
    void setLines(std::vector<EditedLine> lines);
    const std::vector<EditedLine>& lines() const { return m_lines; }
    /// What a user types, pastes or drops is refused where the text no longer passes after it, though it did before:
    /// it is as if nothing had been typed.
    void setFence(std::function<bool(const QString&)> passes) { m_fence = std::move(passes); }
    /// Puts the cursor at the line's begin, in the middle of what is seen. 1-based.
    void goToLine(int line);

Q_SIGNALS:
    /// The text is another one, and stays: in place of textChanged(), which also tells of what is refused next.
    void edited();
    void refused();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void inputMethodEvent(QInputMethodEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void insertFromMimeData(const QMimeData* source) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    friend class NumberGutter;
    void withinFence(const std::function<void()>& edit);
    int gutterWidth() const;
    void paintGutter(QPaintEvent* event);
    void place();
    void paintMarks(const QRect& area);
    const EditedLine* lineAt(int block) const;

    QWidget* m_gutter;
    int m_mistake = 0;
    std::vector<EditedLine> m_lines;
    std::function<bool(const QString&)> m_fence; ///< null: everything may be typed
    bool m_isTrying = false; ///< what is being typed may be refused yet
};

} // namespace tilewright::ui
