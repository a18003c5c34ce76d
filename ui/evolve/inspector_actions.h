// SPDX-License-Identifier: GPL-3.0-or-later
// What is done most often to the candidate that is looked at, at the foot of its page; the rest stands in its menu.
// Where the page is narrow the buttons with the longest words show their signs alone. GUI thread.
#pragma once

#include "ui/session/desk.h"
#include "ui/widgets/action_bar.h"

#include <vector>

namespace tilewright::ui {

class InspectorActions : public ActionBar
{
    Q_OBJECT

public:
    explicit InspectorActions(const Desk& desk, QWidget* parent = nullptr);
    QSize minimumSizeHint() const override; ///< with signs alone

Q_SIGNALS:
    /// The menu is wanted at this place of the screen.
    void menuRequested(const QPoint& global);

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Offer {
        QPushButton* button;
        QString words;
    };
    void fit();
    void offer(const Desk& desk, const QString& action, const QString& sign, const QString& words);

    std::vector<Offer> m_offers;
};

} // namespace tilewright::ui
