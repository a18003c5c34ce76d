// SPDX-License-Identifier: GPL-3.0-or-later
// The 30 px title of a dock or pane: name, a quiet sub-text, controls at the right; docks add float and close.
// A thin bar under it says that something is loading while the old content stays. GUI thread.
#pragma once

#include "ui/widgets/brief_buttons.h"

#include <QFrame>

class QDockWidget;
class QHBoxLayout;
class QLabel;

namespace tilewright::ui {

class ElidedLabel;

class DockTitle : public QFrame
{
    Q_OBJECT

public:
    explicit DockTitle(const QString& title, QWidget* parent = nullptr);

    void setSubText(const QString& text);
    /// The first that fits is shown; the first of all is the tooltip.
    void setSubForms(const QStringList& forms);
    void addControl(QWidget* control);
    /// One that shows its sign alone where the words have no room.
    void addBriefControl(QPushButton* control);
    void setWords(QPushButton* briefControl, const QString& words);
    /// Something in the place of the title.
    void addLeading(QWidget* control, Qt::Alignment where = Qt::AlignBottom);
    /// Adds the float and close buttons of that dock.
    void serve(QDockWidget* dock);
    void setLoading(bool loading);
    bool isLoading() const { return m_loading; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QLabel* m_title;
    ElidedLabel* m_sub;
    QHBoxLayout* m_row;
    BriefButtons m_brief;
    bool m_loading = false;

    void fit();
};

} // namespace tilewright::ui
