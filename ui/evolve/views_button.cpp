// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/views_button.h"

#include "ui/evolve/candidate_table.h"
#include "ui/theme/theme.h"

#include <QCoreApplication>
#include <QInputMethodEvent>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QTextCharFormat>
#include <QWidgetAction>
#include <algorithm>
#include <array>

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
    setAccessibleName(tr("Columns of the table, and saved views"));
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
    QAction* all = menu()->addAction(tr("All candidates"));
    connect(all, &QAction::triggered, this, [this] { m_table->setView({}); });
    QMenu* forget = nullptr;
    for (const CandidateView& view : views()) {
        if (view.name.isEmpty())
            continue;
        QAction* action = menu()->addAction(view.name);
        action->setToolTip(view.query);
        connect(action, &QAction::triggered, this, [this, view] { m_table->setView(view); });
        if (!forget)
            forget = new QMenu(tr("Delete"), menu());
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
    box->setPlaceholderText(tr("Save this view as …"));
    box->setAccessibleName(tr("Name of the view; Enter saves it"));
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
        QAction* action
            = menu()->addAction(m_table->lacksRoomFor(column) ? tr("%1 (hidden: too narrow)").arg(title) : title);
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

namespace {

constexpr std::array<const char*, static_cast<std::size_t>(CandidateModel::Column::Count)> columnNames{
    "name", "island", "generation", "evaluation", "state", "score", "vendor", "parent", "parents", "change", "marks"};

QString columnName(int column) { return QLatin1String(columnNames[static_cast<std::size_t>(column)]); }

/// −1 for a name that is none.
int columnOf(const QString& name)
{
    for (std::size_t i = 0; i < columnNames.size(); ++i)
        if (name == QLatin1String(columnNames[i]))
            return static_cast<int>(i);
    return -1;
}

} // namespace

QByteArray toJson(const std::vector<CandidateView>& views)
{
    QJsonArray all;
    for (const CandidateView& view : views) {
        QJsonArray unwanted;
        for (const int column : view.unwanted)
            unwanted.append(columnName(column));
        all.append(QJsonObject{{u"name"_s, view.name}, {u"query"_s, view.query}, {u"unwanted"_s, unwanted},
            {u"sort"_s, columnName(view.sortColumn)}, {u"ascending"_s, view.order == Qt::AscendingOrder}});
    }
    return QJsonDocument(all).toJson(QJsonDocument::Compact);
}

std::vector<CandidateView> viewsFrom(const QByteArray& json)
{
    std::vector<CandidateView> views;
    const QJsonArray all = QJsonDocument::fromJson(json).array();
    for (const QJsonValue& one : all) {
        if (!one.isObject())
            continue;
        CandidateView view;
        view.name = one[u"name"_s].toString();
        view.query = one[u"query"_s].toString();
        const QJsonArray unwanted = one[u"unwanted"_s].toArray();
        for (const QJsonValue& column : unwanted)
            if (const int at = columnOf(column.toString()); at > 0)
                view.unwanted.insert(at);
        if (const int sort = columnOf(one[u"sort"_s].toString()); sort >= 0)
            view.sortColumn = sort;
        view.order = one[u"ascending"_s].toBool() ? Qt::AscendingOrder : Qt::DescendingOrder;
        views.push_back(view);
    }
    return views;
}

std::vector<CandidateView> withView(std::vector<CandidateView> views, const CandidateView& view)
{
    const auto found = std::ranges::find(views, view.name, &CandidateView::name);
    if (found == views.end())
        views.push_back(view);
    else
        *found = view;
    return views;
}

std::vector<CandidateView> withViewBack(std::vector<CandidateView> views, CandidateView view, std::size_t place)
{
    const QString name = view.name;
    for (int i = 2; std::ranges::find(views, view.name, &CandidateView::name) != views.end(); ++i)
        view.name = u"%1 (%2)"_s.arg(name).arg(i);
    views.insert(views.begin() + static_cast<std::ptrdiff_t>(std::min(place, views.size())), std::move(view));
    return views;
}

std::vector<CandidateView> withoutView(std::vector<CandidateView> views, const QString& name)
{
    std::erase_if(views, [&name](const CandidateView& view) { return view.name == name; });
    return views;
}

using namespace std::chrono_literals;

QueryBox::QueryBox(QWidget* parent)
    : QLineEdit(parent)
{
    setObjectName(u"candidateFilter"_s);
    setPlaceholderText(tr("Filter: score>2 island:C words … (? for help)"));
    setAccessibleName(tr("Filter the candidates; type a question mark for help"));
    setClearButtonEnabled(true);
    setMinimumWidth(px(200));
    m_debounce.setSingleShot(true);
    m_debounce.setInterval(150ms);
    connect(this, &QLineEdit::textChanged, &m_debounce, [this] { m_debounce.start(); });
    connect(&m_debounce, &QTimer::timeout, this, [this] { read(); });
}

void QueryBox::reset()
{
    clear();
    m_debounce.stop();
    read();
}

void QueryBox::read()
{
    if (text().trimmed() == u"?"_s) { // pasted, or what is left of more
        clear();
        m_debounce.stop();
        Q_EMIT helpAsked();
    }
    m_query = CandidateQuery::parse(text());
    underline();
    setToolTip(m_query.problem ? m_query.problem->text : QString());
    setAccessibleDescription(toolTip());
    Q_EMIT queryChanged();
}

void QueryBox::underline()
{
    // A line edit has no formats of its own; those of an input method with nothing to insert are drawn the same.
    QList<QInputMethodEvent::Attribute> formats;
    if (m_query.problem) {
        QTextCharFormat wrong;
        wrong.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        wrong.setUnderlineColor(tokens().bad);
        wrong.setForeground(tokens().bad);
        formats.append(
            {QInputMethodEvent::TextFormat, m_query.problem->at - cursorPosition(), m_query.problem->length, wrong});
    }
    QInputMethodEvent event(QString(), formats);
    QCoreApplication::sendEvent(this, &event);
}

void QueryBox::keyPressEvent(QKeyEvent* event)
{
    if (event->text() == u"?"_s && text().isEmpty())
        return Q_EMIT helpAsked();
    if (event->key() == Qt::Key_Escape || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        Q_EMIT helpRead();
    QLineEdit::keyPressEvent(event);
}

} // namespace tilewright::ui
