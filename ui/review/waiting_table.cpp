// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/waiting_table.h"

#include "ui/models/activity_words.h"
#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>

namespace tilewright::ui {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr double usualButtons = 270; ///< width of what decides

/// The island's badge before the name, risks in the colour of a warning; behind the name where their column has no
/// room: nothing risky is approved unseen.
class WaitingDelegate : public RowDelegate
{
public:
    using RowDelegate::RowDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const auto column = static_cast<WaitingModel::Column>(index.column());
        const auto* model = qobject_cast<const WaitingModel*>(index.model());
        const bool isRisk = model && column == WaitingModel::Column::Risks && model->at(index.row()).risks > 0;
        if (!model || (column != WaitingModel::Column::Candidate && !isRisk))
            return RowDelegate::paint(painter, option, index);
        painter->save();
        paintGround(*painter, option);
        QRect area = option.rect.adjusted(px(8), 0, -px(8), 0);
        const int side = px(14);
        const auto warnAt = [&](int left) {
            painter->drawPixmap(left, area.center().y() - side / 2,
                iconPixmap(u"warn"_s, tokens().warning, side, option.widget ? option.widget->devicePixelRatioF() : 1));
        };
        const auto* table = qobject_cast<const QTableView*>(option.widget);
        if (isRisk) {
            warnAt(area.left());
            area.adjust(side + px(5), 0, 0, 0);
            painter->setPen(tokens().warning);
            painter->setFont(fontOf(Type::Body));
        } else {
            drawBadge(*painter, QRectF(area.left(), area.center().y() - px(7.5), px(16), px(16)),
                model->at(index.row()).island);
            if (table && table->isColumnHidden(static_cast<int>(WaitingModel::Column::Risks))
                && model->at(index.row()).risks > 0) {
                warnAt(area.right() - side);
                area.setRight(area.right() - side - px(4));
            }
            area.adjust(px(24), 0, 0, 0);
            painter->setPen(tokens().text);
            painter->setFont(fontOf(Type::Mono));
        }
        drawElided(*painter, area, Qt::AlignLeft | Qt::AlignVCenter, index.data().toString());
        painter->restore();
    }
};

QString riskWords(const ReviewRow& row)
{
    return row.risks == 0 ? WaitingModel::tr("none found")
                          : counted(row.risks, WaitingModel::tr("%1 risk"), WaitingModel::tr("%1 risks"));
}

} // namespace

bool WaitingModel::show(const RunState& run)
{
    std::vector<CandidateId> candidates;
    std::vector<std::string> since;
    ReviewModel rows(ReviewModel::Part::Waiting);
    rows.show(run);
    for (int row = 0; row < rows.rowCount(); ++row) {
        candidates.push_back(rows.at(row)->candidate);
        const Review* review = run.review(rows.at(row)->id);
        since.push_back(review ? review->askedAtUtc : std::string());
    }
    const bool isOther = candidates != m_candidates;
    if (isOther)
        beginResetModel();
    m_rows.show(run);
    m_candidates = std::move(candidates);
    m_since = std::move(since);
    if (isOther)
        endResetModel();
    else if (!m_candidates.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    return isOther;
}

int WaitingModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Column::Count);
}

QVariant WaitingModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    const ReviewRow& row = at(index.row());
    if (role == Qt::ToolTipRole && index.column() == static_cast<int>(Column::Candidate))
        return tr("%1: %2").arg(nameOfCandidate(row.candidate), riskWords(row));
    switch (static_cast<Column>(index.column())) {
    case Column::Candidate:
        return nameOfCandidate(row.candidate);
    case Column::Parent:
        return namesOfParents(row.parents);
    case Column::Change:
        return row.change;
    case Column::Expected:
        return row.claim.isEmpty() ? u"–"_s : row.claim;
    case Column::Risks:
        return riskWords(row);
    case Column::Waiting:
        return row.decision == Decision::Deferred
            ? words(row)
            : waitWords(m_since[static_cast<std::size_t>(index.row())], QDateTime::currentDateTimeUtc());
    case Column::Decide:
    case Column::Count:
        break;
    }
    return {};
}

QVariant WaitingModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (static_cast<Column>(section)) {
    case Column::Candidate:
        return tr("Candidate");
    case Column::Parent:
        return tr("Parent");
    case Column::Change:
        return tr("Change");
    case Column::Expected:
        return tr("Expected");
    case Column::Risks:
        return tr("Risks");
    case Column::Waiting:
        return tr("Since");
    case Column::Decide:
        return tr("Decide");
    case Column::Count:
        break;
    }
    return {};
}

WaitingTable::WaitingTable(const ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_table(new Table(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_table);
    m_table->setObjectName(u"waitingTable"_s);
    m_table->setAccessibleName(tr("Candidates pending review"));
    m_table->setModel(&m_model);
    m_table->setItemDelegate(new WaitingDelegate(m_table));
    m_table->setRowHeight(px(34));
    giveRoom(usualButtons);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (index.isValid())
            m_context.selection.select(m_model.at(index.row()).candidate);
    });
    connect(m_table, &QAbstractItemView::activated, this,
        [this](const QModelIndex& index) { Q_EMIT opened(m_model.at(index.row()).candidate, {}); });
    connect(&context.session, &SessionClient::changed, this, [this] { m_follow.ask(); });
    m_minutes.setInterval(1min);
    connect(&m_minutes, &QTimer::timeout, this, [this] { m_follow.ask(); });
    m_minutes.start();
    refresh();
}

namespace {

QString policyWords(const RunSettings& settings)
{
    const auto common = settings.reviewPoliciesOf(IslandId{}).common();
    if (!common)
        return WaitingTable::tr("The policy differs by kind of proposer.");
    switch (*common) {
    case ReviewPolicy::Automatic:
        return WaitingTable::tr("The policy requires no reviews.");
    case ReviewPolicy::Risky:
        return WaitingTable::tr("The policy requires a review of risky changes.");
    case ReviewPolicy::Every:
        break;
    }
    return WaitingTable::tr("The policy requires a review of every change.");
}

} // namespace

void WaitingTable::refresh()
{
    const Snapshot& snapshot = m_context.session.snapshot();
    m_table->setNothing(snapshot.status.sessionOpen
            ? tr("No pending reviews. %1 Ctrl+3 opens Review, where the policy can be changed.")
                  .arg(policyWords(snapshot.run.settings))
            : tr("No session is open."));
    const bool canDecide = snapshot.status.sessionOpen && !snapshot.status.readOnly;
    const bool isOther = m_model.show(snapshot.run);
    if (!isOther && canDecide == m_couldDecide)
        return;
    m_couldDecide = canDecide;
    int widest = px(usualButtons);
    for (int row = 0; row < m_model.rowCount(); ++row)
        widest = std::max(widest, addButtons(row));
    giveRoom(usualButtons * widest / px(usualButtons)); // other languages need more
    Q_EMIT counted(count());
}

void WaitingTable::giveRoom(double buttons)
{
    bool crossed = false; // two names in the place of one
    for (int row = 0; row < m_model.rowCount(); ++row)
        crossed = crossed || m_model.at(row).parents.size() > 1;
    // candidate, parent, change, expected, risks, waiting, decide
    m_table->setColumns({{110}, {crossed ? 136.0 : 76.0, 3}, {150, 0, true}, {150, 2}, {104, 1}, {132, 4}, {buttons}});
}

int WaitingTable::addButtons(int row)
{
    const CandidateId candidate = m_model.at(row).candidate;
    auto* cell = new QWidget(m_table);
    auto* across = new QHBoxLayout(cell);
    across->setContentsMargins(px(6), px(3), px(6), px(4));
    across->setSpacing(px(6));
    const auto button
        = [&](const QString& name, const QString& sign, Tint tint, const QString& said, const QString& tip) {
              auto* made = new QPushButton(icon(sign, tint), said, cell);
              made->setObjectName(name);
              made->setProperty("kind", u"small"_s);
              made->setAccessibleName(tr("%1: %2").arg(said, nameOfCandidate(candidate)));
              made->setToolTip(tip);
              made->setEnabled(m_couldDecide);
              across->addWidget(made);
              return made;
          };
    across->addStretch(1);
    connect(button(u"approveWaiting"_s, u"check"_s, Tint::Good, tr("Approve"), tr("Queue its measurement")),
        &QPushButton::clicked, this, [this, candidate] {
            m_context.session.execute(commands::Decide{{candidate}, Decision::Approved, {}});
        });
    connect(button(u"editWaiting"_s, u"edit"_s, Tint::Secondary, tr("Edit"), tr("Open it in Review for editing")),
        &QPushButton::clicked, this, [this, candidate] { Q_EMIT opened(candidate, u"review.edit"_s); });
    connect(button(u"rejectWaiting"_s, u"x"_s, Tint::Bad, tr("Reject"), tr("Open it in Review to enter the reason")),
        &QPushButton::clicked, this, [this, candidate] { Q_EMIT opened(candidate, u"review.reject"_s); });
    m_table->setIndexWidget(m_model.index(row, static_cast<int>(WaitingModel::Column::Decide)), cell);
    return cell->sizeHint().width();
}

} // namespace tilewright::ui
