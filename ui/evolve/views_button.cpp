// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/views_button.h"

#include "ui/evolve/candidate_table.h"
#include "ui/theme/theme.h"

#include <QLineEdit>
#include <QMenu>
#include <QWidgetAction>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
const QString settingName = u"candidate-views"_s;
} // namespace

ViewsButton::ViewsButton(CandidateTable* table, Settings& settings, QWidget* parent)
    : QToolButton(parent)
    , m_table(table)
    , m_settings(settings)
{
    setObjectName(u"viewsButton"_s);
    setText(tr("View ▾"));
    setAccessibleName(tr("Columns of the table, and views that are kept"));
    setToolTip(accessibleName());
    setPopupMode(InstantPopup);
    setMenu(new QMenu(this));
    menu()->setObjectName(u"viewsMenu"_s);
    connect(menu(), &QMenu::aboutToShow, this, [this] { fill(); });
    connect(table, &CandidateTable::viewChanged, this, [this] { keep(); });
    const std::vector<CandidateView> known = views();
    if (const auto last = std::ranges::find(known, QString(), &CandidateView::name); last != known.end())
        m_table->setView(*last);
}

std::vector<CandidateView> ViewsButton::views() const { return viewsFrom(m_settings.layout(settingName)); }

void ViewsButton::setViews(const std::vector<CandidateView>& views)
{
    m_settings.setLayout(settingName, toJson(views));
}

void ViewsButton::keep()
{
    CandidateView now = m_table->view();
    now.query.clear(); // a query that nobody remembers having typed would hide candidates at the next start
    setViews(withView(views(), now));
}

void ViewsButton::fill()
{
    menu()->clear();
    qDeleteAll(menu()->findChildren<QMenu*>(Qt::FindDirectChildrenOnly));
    addViews();
    addNameRow();
    addColumns();
}

void ViewsButton::addViews()
{
    menu()->addSection(tr("Views"));
    QAction* all = menu()->addAction(tr("Everything"));
    connect(all, &QAction::triggered, this, [this] { m_table->setView({}); });
    QMenu* forget = nullptr;
    for (const CandidateView& view : views()) {
        if (view.name.isEmpty())
            continue;
        QAction* action = menu()->addAction(view.name);
        action->setToolTip(view.query);
        connect(action, &QAction::triggered, this, [this, view] { m_table->setView(view); });
        if (!forget)
            forget = new QMenu(tr("Forget"), menu());
        connect(
            forget->addAction(view.name), &QAction::triggered, this, [this, name = view.name] { forgetView(name); });
    }
    if (forget)
        menu()->addMenu(forget);
}

void ViewsButton::forgetView(const QString& name)
{
    const std::vector<CandidateView> before = views();
    const auto found = std::ranges::find(before, name, &CandidateView::name);
    if (found == before.end())
        return;
    setViews(withoutView(before, name));
    const auto place = static_cast<std::size_t>(found - before.begin());
    m_settings.forget(tr("the view “%1”").arg(name), [&settings = m_settings, view = *found, place] {
        settings.setLayout(settingName, toJson(withViewBack(viewsFrom(settings.layout(settingName)), view, place)));
    });
}

void ViewsButton::addNameRow()
{
    auto* box = new QLineEdit;
    box->setObjectName(u"viewName"_s);
    box->setPlaceholderText(tr("Keep this view as …"));
    box->setAccessibleName(tr("Name under which to keep this view; Enter keeps it"));
    box->setMinimumWidth(px(180));
    auto* action = new QWidgetAction(menu());
    action->setDefaultWidget(box);
    menu()->addAction(action);
    connect(box, &QLineEdit::returnPressed, this, [this, box] {
        CandidateView now = m_table->view();
        now.name = box->text().simplified();
        if (now.name.isEmpty())
            return;
        setViews(withView(views(), now));
        menu()->close();
    });
}

void ViewsButton::addColumns()
{
    menu()->addSection(tr("Columns"));
    const CandidateView now = m_table->view();
    for (int column = 1; column < static_cast<int>(CandidateModel::Column::Count); ++column) {
        const QString title = m_table->columnTitle(column);
        QAction* action = menu()->addAction(m_table->lacksRoomFor(column) ? tr("%1 (no room now)").arg(title) : title);
        action->setCheckable(true);
        action->setChecked(!now.unwanted.contains(column));
        connect(action, &QAction::toggled, this, [this, column](bool wanted) {
            CandidateView changed = m_table->view();
            if (wanted)
                changed.unwanted.erase(column);
            else
                changed.unwanted.insert(column);
            m_table->setView(changed);
        });
    }
}

} // namespace tilewright::ui
