// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompts/template_picker.h"

#include "core/model/living_islands.h"
#include "ui/models/format.h"
#include "ui/prompts/placeholder_list.h"
#include "ui/prompts/small_button.h"
#include "ui/theme/theme.h"
#include "ui/widgets/dock_title.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/pane.h"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <QVBoxLayout>
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

TemplatePicker::TemplatePicker(const Session& session, QWidget* parent)
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
    m_placeholders->setAccessibleName(tr("Placeholders; Enter puts one into the text"));
    connect(m_placeholders, &PlaceholderList::picked, this, &TemplatePicker::placeholderPicked);
    auto* split = new QSplitter(Qt::Vertical, this);
    split->setChildrenCollapsible(false);
    split->setHandleWidth(1);
    auto* title = new DockTitle(tr("Placeholders"), split);
    title->setSubText(tr("Enter inserts"));
    split->addWidget(m_view);
    split->addWidget(pane(title, m_placeholders, split));
    split->setSizes({px(360), px(300)});
    auto* about = new QLabel(tr("Held-out shapes have no placeholder: a template cannot give them away."), this);
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
    button->setToolTip(tr("Give an island a text of its own of this template"));
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

} // namespace tilewright::ui
