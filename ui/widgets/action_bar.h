// SPDX-License-Identifier: GPL-3.0-or-later
// The bar at the foot of a page: what there is to say, a line each, and below it the row of buttons. GUI thread.
#pragma once

#include "ui/theme/icons.h"
#include "ui/widgets/brief_buttons.h"

#include <QFrame>

class QHBoxLayout;
class QPushButton;
class QVBoxLayout;

namespace tilewright::ui {

class ActionBar : public QFrame
{
    Q_OBJECT

public:
    enum class Kind { Plain, Primary, Flat };

    explicit ActionBar(QWidget* parent = nullptr);
    /// Above the row.
    void addLine(QWidget* line);
    /// At the end of the row; no sign for none.
    QPushButton* addButton(const QString& name, const QString& sign, const QString& text, Kind kind = Kind::Plain);
    /// Other words on one of its buttons, or behind its sign where that stands alone.
    void setWords(QPushButton* button, const QString& words);
    void addWidget(QWidget* widget, int stretch = 0);
    void addStretch();
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();

    BriefButtons m_brief; ///< all but the primary one
    QVBoxLayout* m_lines;
    QHBoxLayout* m_row;
};

} // namespace tilewright::ui
