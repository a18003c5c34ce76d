// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompts/template_picker.h"

#include "core/model/islands/living_islands.h"
#include "ui/models/display_text.h"
#include "ui/models/island_model.h"
#include "ui/prompts/prompt_preview_pane.h"
#include "ui/prompts/token_bar.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/pill.h"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// Rows with air between them.
class TreeRows : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const QSize size = QStyledItemDelegate::sizeHint(option, index);
        return {size.width() + 2 * px(edge), px(27)};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        if (index.column() == 0)
            return QStyledItemDelegate::paint(painter, option, index);
        QStyleOptionViewItem ground(option);
        initStyleOption(&ground, index);
        const QColor ink = ground.palette.color(QPalette::Text);
        const QString words = std::exchange(ground.text, QString());
        option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &ground, painter, option.widget);
        painter->save();
        painter->setPen(ink);
        painter->setFont(ground.font);
        drawElided(*painter, option.rect.adjusted(0, 0, -px(edge), 0), Qt::AlignRight | Qt::AlignVCenter, words);
        painter->restore();
    }

private:
    static constexpr double edge = 10; ///< between the words and the pane's edge
};

} // namespace

TemplatePicker::TemplatePicker(const SessionClient& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_title(new DockTitle(tr("Templates"), this))
    , m_view(new QTreeView(this))
    , m_placeholders(new PlaceholderList(this))
{
    m_title->addControl(islandButton());
    m_view->setMinimumWidth(px(190));
    m_view->setObjectName(u"templateTree"_s);
    m_view->setAccessibleName(tr("Prompt templates"));
    m_view->setModel(&m_tree);
    m_view->setHeaderHidden(true);
    m_view->setRootIsDecorated(false);
    m_view->setItemsExpandable(false);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setIndentation(px(20));
    m_view->setItemDelegate(new TreeRows(m_view));
    m_view->setIconSize(QSize(px(16), px(16)));
    m_view->header()->setStretchLastSection(false);
    m_view->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_view->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& at) {
        if (at.isValid())
            Q_EMIT chosen(m_tree.keyOf(at));
    });
    m_placeholders->setObjectName(u"placeholders"_s);
    m_placeholders->setAccessibleName(tr("Placeholders; Enter inserts one into the text"));
    connect(m_placeholders, &PlaceholderList::picked, this, &TemplatePicker::placeholderPicked);
    auto* split = new QSplitter(Qt::Vertical, this);
    split->setChildrenCollapsible(false);
    split->setHandleWidth(1);
    auto* title = new DockTitle(tr("Placeholders"), split);
    title->setSubText(tr("Enter inserts"));
    split->addWidget(m_view);
    split->addWidget(pane(title, m_placeholders, split));
    split->setSizes({px(360), px(300)});
    auto* about = new QLabel(tr("Held-out shapes have no placeholder, so no template can reveal them."), this);
    about->setWordWrap(true);
    about->setMargin(px(12));
    about->setFont(fontOf(Type::Secondary));
    about->setProperty("tone", u"secondary"_s);
    about->setProperty("role", u"footer"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(split, 1);
    column->addWidget(about);
}

QPushButton* TemplatePicker::islandButton()
{
    auto* button = smallButton(u"addOverride"_s, u"plus"_s, tr("For an island"), this);
    button->setToolTip(tr("Give an island its own text of this template"));
    auto* menu = new QMenu(button);
    button->setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        for (const IslandId island : livingIslands(m_session.run()))
            menu->addAction(
                tr("%1 for island %2").arg(titleOf(m_chosen.name), text(islandLetter(island))), this, [this, island] {
                    Q_EMIT chosen({island, m_chosen.name});
                });
    });
    return button;
}

void TemplatePicker::show(const TemplateShelf& shelf, const std::set<TemplateKey>& drafts, const TemplateKey& chosen)
{
    m_chosen = chosen;
    const QSignalBlocker quiet(m_view->selectionModel());
    m_tree.show(shelf, m_session.run(), drafts);
    m_view->expandAll();
    m_view->setCurrentIndex(m_tree.indexOf(chosen));
}

void TemplatePicker::setTokens(const std::vector<std::pair<std::string, int>>& parts)
{
    m_placeholders->setTokens(parts);
}

namespace {

constexpr int islandRole = Qt::UserRole + 1;
constexpr int templateRole = Qt::UserRole + 2;

/// Whole ones first, in the order in which a run meets them, then the parts of others.
constexpr std::array<const char*, 12> order{"system", "explore", "exploit", "crossover", "repair", "rewrite",
    "translate", "summary", "judge", "situation", "reply", "whole_reply"};

QIcon iconOf(const std::string& name)
{
    if (name == "system")
        return icon(u"lock"_s, Tint::Secondary);
    if (name == "crossover")
        return icon(u"fork"_s, Tint::Secondary);
    if (name == "repair")
        return icon(u"redo"_s, Tint::Secondary);
    return icon(u"file"_s, Tint::Secondary);
}

bool hasText(const TemplateShelf& shelf, const RunState& run, const TemplateKey& key)
{
    const TemplateVersion* saved = run.newestTemplate(key.island, key.name);
    return (saved && !saved->text.isNull()) || shelf.hasOwnFile(key.island, key.name);
}

QString nameOfOwn(const RunState& run, IslandId id)
{
    const QString name = TemplateTree::tr("only island %1").arg(text(islandLetter(id)));
    const Island* island = run.island(id);
    const QString standing = island ? standingWords(*island) : QString();
    return standing.isEmpty() ? name : TemplateTree::tr("%1, %2").arg(name, standing);
}

} // namespace

QString titleOf(const std::string& templateName)
{
    QString title = text(templateName).replace(u'_', u' ');
    if (!title.isEmpty())
        title.front() = title.front().toUpper();
    return title;
}

QString versionWords(const TemplateShelf& shelf, const RunState& run, const TemplateKey& key, bool edited)
{
    const TemplateVersion* saved = run.newestTemplate(key.island, key.name);
    const QString stands = saved && !saved->text.isNull() ? u"v%1"_s.arg(saved->held())
        : shelf.hasOwnFile(key.island, key.name)          ? TemplateTree::tr("your file")
        : key.island                                      ? QString()
                                                          : TemplateTree::tr("default");
    if (!edited)
        return stands;
    return stands.isEmpty() ? TemplateTree::tr("draft") : TemplateTree::tr("%1, edited").arg(stands);
}

TemplateTree::TemplateTree(QObject* parent)
    : QStandardItemModel(0, static_cast<int>(Column::Count), parent)
{
}

std::vector<TemplateTree::Row> TemplateTree::rowsOf(
    const TemplateShelf& shelf, const RunState& run, const std::set<TemplateKey>& drafts)
{
    std::vector<Row> rows;
    for (const char* name : order) {
        const TemplateKey all{{}, name};
        rows.push_back({all, titleOf(name), versionWords(shelf, run, all, drafts.contains(all))});
        for (IslandId island{1}; island.value <= run.islandCount(); ++island.value) {
            const TemplateKey own{island, name};
            if (hasText(shelf, run, own) || drafts.contains(own))
                rows.push_back({own, nameOfOwn(run, island), versionWords(shelf, run, own, drafts.contains(own))});
        }
    }
    return rows;
}

void TemplateTree::show(const TemplateShelf& shelf, const RunState& run, const std::set<TemplateKey>& drafts)
{
    std::vector<Row> rows = rowsOf(shelf, run, drafts);
    if (rows == m_rows)
        return;
    m_rows = std::move(rows);
    removeRows(0, rowCount());
    QStandardItem* whole = nullptr;
    for (const Row& row : m_rows) {
        auto* name = new QStandardItem(row.key.island ? badgeIcon(row.key.island) : iconOf(row.key.name), row.name);
        auto* version = new QStandardItem(row.version);
        name->setData(QVariant::fromValue<qlonglong>(row.key.island.value), islandRole);
        name->setData(text(row.key.name), templateRole);
        version->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        name->setAccessibleText(tr("%1, %2").arg(row.name, row.version));
        for (QStandardItem* item : {name, version})
            item->setEditable(false);
        if (row.key.island && whole) {
            whole->appendRow({name, version});
        } else {
            appendRow({name, version});
            whole = name;
        }
    }
}

QVariant TemplateTree::data(const QModelIndex& index, int role) const
{
    if (role == Qt::ForegroundRole && index.column() == static_cast<int>(Column::Version))
        return QColor(tokens().secondary); // of the theme that is on
    return QStandardItemModel::data(index, role);
}

TemplateKey TemplateTree::keyOf(const QModelIndex& index) const
{
    const QModelIndex name = index.siblingAtColumn(0);
    return {IslandId{name.data(islandRole).toLongLong()}, name.data(templateRole).toString().toStdString()};
}

QModelIndex TemplateTree::indexOf(const TemplateKey& key) const
{
    for (int row = 0; row < rowCount(); ++row) {
        const QModelIndex whole = index(row, 0);
        if (keyOf(whole) == key)
            return whole;
        for (int child = 0; child < rowCount(whole); ++child)
            if (keyOf(index(child, 0, whole)) == key)
                return index(child, 0, whole);
    }
    return {};
}

} // namespace tilewright::ui
