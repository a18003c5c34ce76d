// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/islands_panel.h"

#include "ui/evolve/island_actions.h"
#include "ui/evolve/island_delegate.h"
#include "ui/evolve/migration_footer.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table.h"

#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
constexpr double widestIslandColumn = 220, widestName = 82;

/// Cells nearer to each other than elsewhere: in a pane this narrow a name would be cut else.
class CloseCells : public RowDelegate
{
public:
    using RowDelegate::RowDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        return RowDelegate::sizeHint(option, index) - QSize(2 * nearer(), 0);
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        QStyleOptionViewItem wider(option);
        wider.rect.adjust(-nearer(), 0, nearer(), 0);
        RowDelegate::paint(painter, wider, index);
    }

private:
    static int nearer() { return px(3); }
};

} // namespace

IslandsPanel::IslandsPanel(const ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_stack(new QStackedWidget(this))
    , m_list(new QListView(this))
    , m_table(new Table(this))
    , m_none(new QLabel(this))
    , m_footer(new MigrationFooter(this))
    , m_actions(new IslandActions(context, this))
    , m_menuButton(new QToolButton(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_stack, 1);
    column->addWidget(m_footer);
    m_list->setObjectName(u"islandList"_s);
    m_list->setAccessibleName(tr("Islands; activate one to filter by it"));
    m_list->setModel(&m_model);
    m_list->setItemDelegate(new IslandDelegate(context.selection, m_list));
    m_list->setSelectionMode(QAbstractItemView::NoSelection);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setMouseTracking(true);
    m_table->setObjectName(u"islandTable"_s);
    m_table->setAccessibleName(tr("Islands as a table"));
    m_table->setModel(&m_model);
    m_table->setItemDelegate(new CloseCells(m_table));
    std::vector<TableColumn> columns(static_cast<std::size_t>(IslandModel::Column::Count));
    columns.front().most = widestName; // figures stand beside it in the usual width
    m_table->setColumns(std::move(columns));
    m_none->setObjectName(u"noIslands"_s);
    m_none->setFont(fontOf(Type::Prose));
    m_none->setProperty("tone", u"secondary"_s);
    m_none->setAlignment(Qt::AlignCenter);
    m_none->setWordWrap(true);
    m_none->setContentsMargins(px(16), px(8), px(16), px(8));
    m_stack->addWidget(m_list);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_none);
    for (QAbstractItemView* view :
        {static_cast<QAbstractItemView*>(m_list), static_cast<QAbstractItemView*>(m_table)}) {
        view->setContextMenuPolicy(Qt::CustomContextMenu); // the menu key opens it for the row that has the focus
        connect(view, &QAbstractItemView::customContextMenuRequested, this,
            [this, view](const QPoint& at) { openMenu(*view, at); });
        connect(view, &QAbstractItemView::doubleClicked, this,
            [this](const QModelIndex& index) { m_actions->steer(m_model.at(index.row()).id); });
    }
    m_footer->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_footer, &QWidget::customContextMenuRequested, this, [this] { m_actions->planMigration(); });
    setMinimumWidth(px(220));
    m_menuButton->setObjectName(u"islandOrders"_s);
    m_menuButton->setIcon(icon(u"gear"_s, Tint::Secondary));
    m_menuButton->setIconSize(QSize(px(14), px(14)));
    m_menuButton->setAccessibleName(tr("Commands for islands"));
    m_menuButton->setToolTip(tr("Add an island, plan migration, undo a command, or steer one island"));
    m_menuButton->setPopupMode(QToolButton::InstantPopup);
    m_menuButton->setMenu(new QMenu(m_menuButton));
    connect(m_menuButton->menu(), &QMenu::aboutToShow, this, [this] { m_actions->fillAll(*m_menuButton->menu()); });
    connect(m_list, &QListView::clicked, this, [this](const QModelIndex& index) { filterBy(index.row()); });
    connect(m_list, &QListView::activated, this, [this](const QModelIndex& index) { filterBy(index.row()); });
    connect(m_table, &Table::clicked, this, [this](const QModelIndex& index) { filterBy(index.row()); });
    connect(m_table, &Table::activated, this, [this](const QModelIndex& index) { filterBy(index.row()); });
    connect(&context.session, &SessionClient::changed, this, [this] { m_follow.ask(); });
    connect(&context.selection, &SelectionContext::islandsChanged, m_list->viewport(), [this] {
        m_list->viewport()->update();
        markShown();
    });
    connect(&Theme::instance(), &Theme::changed, this, [this] { m_footer->update(); });
    refresh();
}

void IslandsPanel::setTableTwin(bool table)
{
    m_isTable = table;
    refresh();
}

QStringList IslandsPanel::summary() const
{
    std::size_t alive = 0;
    std::int64_t islands = 0;
    for (const Island& island : m_context.session.run().islands) {
        if (island.standing == Standing::Ended)
            continue;
        alive += island.members.size();
        ++islands;
    }
    if (islands == 0)
        return {};
    const QString all = grouped(islands); // beside the word "Islands"
    return {tr("%1 · population %2").arg(all).arg(alive), all};
}

void IslandsPanel::refresh()
{
    m_model.show(m_context.session.pointer());
    m_none->setText(m_context.session.isOpen() ? tr("No islands yet. They start from the seed, once the session runs.")
                                               : tr("No session is open."));
    QWidget* views[] = {m_list, m_table, m_none};
    m_stack->setCurrentWidget(views[m_model.rowCount() == 0 ? 2 : m_isTable ? 1 : 0]);
    if (m_isTable)
        m_table->fitColumns(widestIslandColumn);
    if (!m_table->hasFocus()) // a user's place in it is theirs
        markShown();
    m_footer->show(m_context.session.pointer());
    m_footer->setVisible(m_context.session.run().islands.size() > 1);
}

void IslandsPanel::markShown()
{
    const std::set<IslandId>& shown = m_context.selection.islands();
    for (int row = 0; row < m_model.rowCount(); ++row)
        if (shown.contains(m_model.at(row).id)) {
            if (m_table->currentIndex().row() != row)
                m_table->selectRow(row);
            return;
        }
    m_table->clearSelection();
}

void IslandsPanel::openMenu(QAbstractItemView& view, const QPoint& at)
{
    const QModelIndex under = view.indexAt(at);
    const QModelIndex index = under.isValid() ? under : view.currentIndex();
    auto* menu = new QMenu(&view);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(u"islandMenu"_s);
    if (index.isValid()) {
        const IslandId id = m_model.at(index.row()).id;
        m_actions->fillFor(*menu, id);
        auto* whose = new QAction(text(islandLetter(id) + " " + m_model.at(index.row()).name), menu);
        whose->setEnabled(false);
        menu->insertAction(menu->actions().value(0), whose);
    } else
        m_actions->fillAll(*menu);
    menu->popup(view.viewport()->mapToGlobal(under.isValid() ? at : view.visualRect(index).center()));
}

void IslandsPanel::filterBy(int row)
{
    const IslandId island = m_model.at(row).id;
    m_context.selection.setIslands(
        m_context.selection.islands().contains(island) ? std::set<IslandId>{} : std::set{island});
}

} // namespace tilewright::ui
