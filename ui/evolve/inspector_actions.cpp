// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/inspector_actions.h"

#include "ui/theme/theme.h"

#include <QAction>
#include <QEvent>
#include <QLayout>
#include <QPushButton>
#include <algorithm>
#include <functional>
#include <vector>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

InspectorActions::InspectorActions(const Desk& desk, QWidget* parent)
    : ActionBar(parent)
{
    setObjectName(u"inspectorActions"_s);
    layout()->setContentsMargins(px(8), px(6), px(8), px(6)); // the pane is narrow
    offer(desk, u"candidate.more"_s, u"fork"_s, tr("Evolve"));
    offer(desk, u"candidate.rerun-more"_s, u"redo"_s, tr("Measure again"));
    offer(desk, u"candidate.inject"_s, u"edit"_s, tr("Edit"));
    addStretch();
    QPushButton* menu = addButton(u"inspectorMenu"_s, {}, u"⋯"_s, Kind::Flat);
    menu->setAccessibleName(tr("All that can be done to this candidate"));
    menu->setToolTip(menu->accessibleName());
    connect(menu, &QPushButton::clicked, this,
        [this, menu] { Q_EMIT menuRequested(menu->mapToGlobal(QPoint(0, menu->height()))); });
}

void InspectorActions::offer(const Desk& desk, const QString& id, const QString& sign, const QString& words)
{
    QAction& action = desk.actions[id];
    QPushButton* button = addButton(u"inspector:"_s + id, sign, words);
    button->setAccessibleName(words);
    const auto follow = [button, &action] {
        button->setToolTip(action.toolTip());
        button->setEnabled(action.isEnabled());
    };
    connect(button, &QPushButton::clicked, &action, &QAction::trigger);
    connect(&action, &QAction::changed, button, follow);
    follow();
    m_offers.push_back({button, words});
}

QSize InspectorActions::minimumSizeHint() const
{
    QSize least = ActionBar::minimumSizeHint();
    for (const Offer& offer : m_offers)
        if (!offer.button->text().isEmpty())
            least.rwidth() -= fontMetrics().horizontalAdvance(offer.words);
    return least;
}

void InspectorActions::resizeEvent(QResizeEvent* event)
{
    ActionBar::resizeEvent(event);
    fit();
}

bool InspectorActions::event(QEvent* event)
{
    const bool done = ActionBar::event(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange || event->type() == QEvent::Polish)
        fit();
    return done;
}

void InspectorActions::fit()
{
    const auto needed = [this] {
        int width = 0;
        for (const QPushButton* each : findChildren<QPushButton*>())
            width += each->sizeHint().width() + px(8); // with the gap
        return width + px(8);
    };
    for (const Offer& offer : m_offers)
        offer.button->setText(offer.words);
    // The longest words give way first: the fewest are lost so.
    std::vector<const Offer*> longestFirst;
    for (const Offer& offer : m_offers)
        longestFirst.push_back(&offer);
    std::ranges::stable_sort(longestFirst, std::greater(), [](const Offer* each) { return each->words.size(); });
    for (const Offer* each : longestFirst)
        if (needed() > width())
            each->button->setText({});
}

} // namespace tilewright::ui
