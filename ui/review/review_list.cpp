// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/review_list.h"

#include "ui/models/display_text.h"
#include "ui/review/automatic_note.h"
#include "ui/review/policy_box.h"
#include "ui/review/proposal_head.h"
#include "ui/review/quiet_list.h"
#include "ui/review/review_model.h"
#include "ui/review/review_outlook.h"
#include "ui/review/row_in_sight.h"
#include "ui/review/shortcut_guard.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/pane.h"

#include <QLabel>
#include <QMouseEvent>
#include <QScopedValueRollback>
#include <QVBoxLayout>
#include <algorithm>
#include <set>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// How many of each word, and how many in all where there is no room for that.
QStringList decidedForms(int approved, int rejected, int edited)
{
    QStringList words;
    for (const auto& [count, form] : {std::pair{approved, ReviewList::tr("%1 approved")},
             std::pair{rejected, ReviewList::tr("%1 rejected")}, std::pair{edited, ReviewList::tr("%1 edited")}})
        if (count > 0)
            words << form.arg(count);
    return {words.join(u" · "_s),
        approved + rejected + edited > 0 ? QString::number(approved + rejected + edited) : QString()};
}

} // namespace

ReviewList::ReviewList(const ViewContext& context, QWidget* parent)
    : QScrollArea(parent)
    , m_context(context)
    , m_openEdit(new OpenEditNote(this))
    , m_automatic(new AutomaticNote(this))
    , m_why(new ElidedLabel({}, this))
    , m_letters(new ShortcutNote(context.actions, this))
{
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMinimumWidth(px(240));
    auto* content = new QFrame(this);
    content->setProperty("role", u"panel"_s);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_queueTitle = new DockTitle(tr("Queue"), this);
    m_limit = new QLabel(this);
    m_limit->setObjectName(u"reviewLimitWords"_s);
    m_limit->setTextFormat(Qt::PlainText);
    m_limit->setWordWrap(true);
    m_limit->setFont(fontOf(Type::Secondary));
    m_limit->setProperty("tone", u"secondary"_s);
    m_limit->setContentsMargins(px(12), px(6), px(12), px(6));
    m_queue = listOf(m_waiting, u"reviewQueue"_s, tr("Candidates pending review"), tr("No pending reviews."));
    m_queue->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_decidedTitle = new DockTitle(tr("Decided"), this);
    m_said = listOf(m_decided, u"reviewDecided"_s, tr("Decided candidates"), tr("No decisions yet."));
    m_policy = new PolicyBox(context, this);
    m_why->setObjectName(u"whyItWaits"_s);
    m_why->setTextFormat(Qt::PlainText);
    m_why->setFont(fontOf(Type::Secondary));
    m_why->setProperty("tone", u"secondary"_s);
    m_why->setContentsMargins(px(12), px(6), px(12), 0);
    column->addWidget(m_limit);
    column->addWidget(m_openEdit);
    column->addWidget(m_queue, 300);
    column->addWidget(m_why);
    column->addWidget(m_letters);
    column->addWidget(m_automatic);
    column->addWidget(m_decidedTitle);
    column->addWidget(m_said, 200);
    column->addStretch(1); // what neither list needs
    column->addWidget(m_policy);
    setWidget(content);
    setFocusProxy(m_queue);
    m_sight = new RowInSight(*this, [this]() -> RowInSight::Place {
        if (const int row = m_waiting.rowOf(m_read); row >= 0)
            return {m_queue, row};
        const int row = m_decided.rowOf(m_read);
        return {row < 0 ? nullptr : m_said, row};
    });
    for (QListView* list : {m_queue, m_said})
        m_sight->watch(*list);
    connect(m_queue->selectionModel(), &QItemSelectionModel::selectionChanged, this, &ReviewList::takeSelection);
    connect(m_policy, &PolicyBox::chosen, this, &ReviewList::setPolicy);
    connect(m_automatic, &AutomaticNote::everyWanted, this,
        [this] { setPolicy({}, ReviewPolicy::Every, WhatWaits::Approved); });
    connect(m_policy, &PolicyBox::limited, this,
        [this](int perIsland) { m_context.session.execute(commands::SetReviewLimit{perIsland}); });
}

void ReviewList::tellTime() { m_queue->viewport()->update(); }

void ReviewList::sayWhatFinds() { m_letters->sayWhatFinds(); }

void ReviewList::setPolicy(PolicyScope scope, ReviewPolicy policy, WhatWaits waiting)
{
    m_context.session.execute(commands::SetReviewPolicies{{{scope.island, policy, scope.proposer}}, waiting});
}

void ReviewList::wantPolicy(ReviewPolicy policy)
{
    m_policy->wantForAll(policy);
    m_sight->leave();
    ensureWidgetVisible(m_policy);
}

void ReviewList::showPolicyOf(IslandId island)
{
    m_policy->showIsland(island);
    m_sight->leave();
    ensureWidgetVisible(m_policy);
}

bool ReviewList::leavePolicy() { return m_policy->leave(); }

QuietList* ReviewList::listOf(
    ReviewModel& model, const QString& name, const QString& accessible, const QString& nothing)
{
    auto* list = new QuietList(nothing, this);
    list->setObjectName(name);
    list->setAccessibleName(accessible);
    list->setModel(&model);
    list->setItemDelegate(new ReviewDelegate(list));
    list->setFrameShape(QFrame::NoFrame);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list->setUniformItemSizes(true);
    list->viewport()->installEventFilter(this);
    connect(list->selectionModel(), &QItemSelectionModel::currentChanged, this,
        [this, list](const QModelIndex& index) { follow(list, index); });
    return list;
}

void ReviewList::show(const Snapshot& snapshot)
{
    const RunState& run = snapshot.run;
    {
        const QScopedValueRollback ours(m_isOurs, true);
        m_waiting.show(run);
        m_decided.show(run);
    }
    std::erase_if(m_chosen, [this](CandidateId each) { return !waits(each); });
    int approved = 0, rejected = 0, edited = 0;
    for (const Review& review : run.reviews) {
        approved += !review.undone && review.decision == Decision::Approved;
        rejected += !review.undone && review.decision == Decision::Rejected;
        edited += !review.undone && review.decision == Decision::Edited;
    }
    // Neither list takes more room than it needs.
    for (QListView* list : {m_queue, m_said}) {
        const int rows = list->model()->rowCount(), row = list->sizeHintForRow(0);
        list->setMaximumHeight(rows > 0 ? rows * row + px(2) : px(44));
    }
    m_queue->setNothing(nothingWaits(snapshot));
    m_automatic->follow(snapshot);
    const QString limit = snapshot.status.sessionOpen ? limitWords(run) : QString();
    m_limit->setText(limit);
    m_limit->setVisible(!limit.isEmpty());
    m_why->setVisible(count() > 0); // whichever is read: nothing below moves
    m_letters->setVisible(count() > 0);
    m_queueTitle->setSubText(tr("%1 pending").arg(count()));
    m_decidedTitle->setSubForms(decidedForms(approved, rejected, edited));
    m_policy->show(run, snapshot.status.sessionOpen && !snapshot.status.readOnly);
    applySelection();
}

CandidateId ReviewList::after(CandidateId candidate, int step) const
{
    if (count() == 0)
        return {};
    const int row = m_waiting.rowOf(candidate);
    return m_waiting.at(row < 0 ? 0 : (row + step + count()) % count())->candidate;
}

CandidateId ReviewList::firstBut(const std::vector<CandidateId>& candidates) const
{
    for (int row = 0; row < count(); ++row)
        if (std::ranges::find(candidates, m_waiting.at(row)->candidate) == candidates.end())
            return m_waiting.at(row)->candidate;
    return {};
}

CandidateId ReviewList::beyondChosen() const
{
    const std::vector<CandidateId> all = chosen();
    const int last = all.empty() ? -1 : m_waiting.rowOf(all.back());
    const auto isFree = [&](int row) { return std::ranges::find(all, m_waiting.at(row)->candidate) == all.end(); };
    for (int row = last + 1; row < count(); ++row)
        if (isFree(row))
            return m_waiting.at(row)->candidate;
    for (int row = last; row >= 0; --row)
        if (isFree(row))
            return m_waiting.at(row)->candidate;
    return {};
}

void ReviewList::point(CandidateId candidate, const QString& whyItWaits)
{
    m_why->setText(whyItWaits);
    m_read = candidate;
    if (!waits(candidate))
        m_chosen.clear();
    else if (std::ranges::find(m_chosen, candidate) == m_chosen.end())
        choose({candidate});
    applySelection();
}

std::vector<CandidateId> ReviewList::chosen() const
{
    std::vector<CandidateId> all = m_chosen;
    if (all.empty() && waits(m_read))
        all = {m_read};
    std::ranges::sort(all, {}, [this](CandidateId each) { return m_waiting.rowOf(each); });
    return all;
}

void ReviewList::choose(const std::vector<CandidateId>& candidates)
{
    m_chosen = candidates;
    m_anchor = candidates.empty() ? CandidateId{} : candidates.front();
    applySelection();
    Q_EMIT chosenChanged();
}

void ReviewList::comeBackTo(const std::vector<CandidateId>& candidates)
{
    m_chosen = candidates;
    m_anchor = candidates.front();
    Q_EMIT read(candidates.front());
    Q_EMIT chosenChanged();
}

void ReviewList::chooseAll()
{
    std::vector<CandidateId> all;
    for (int row = 0; row < count(); ++row)
        all.push_back(m_waiting.at(row)->candidate);
    choose(all);
}

void ReviewList::extend(int step)
{
    const int from = m_waiting.rowOf(m_read), to = std::clamp(from + step, 0, std::max(count() - 1, 0));
    if (from < 0 || from == to)
        return;
    const int anchor = waits(m_anchor) ? m_waiting.rowOf(m_anchor) : from;
    const CandidateId kept = m_waiting.at(anchor)->candidate;
    std::vector<CandidateId> range;
    for (int row = std::min(anchor, to); row <= std::max(anchor, to); ++row)
        range.push_back(m_waiting.at(row)->candidate);
    m_chosen = std::move(range);
    m_anchor = kept;
    Q_EMIT read(m_waiting.at(to)->candidate);
    Q_EMIT chosenChanged();
}

void ReviewList::setUsable(bool usable)
{
    for (QWidget* list : {m_queue, m_said})
        list->setEnabled(usable);
    m_letters->setWriting(!usable);
    if (usable)
        m_openEdit->hide();
}

/// Lists that are of no use take no press themselves.
bool ReviewList::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::MouseButtonPress)
        return QScrollArea::eventFilter(watched, event);
    for (const QuietList* list : {m_queue, m_said}) {
        if (watched != list->viewport() || list->isEnabled())
            continue;
        const QModelIndex index = list->indexAt(static_cast<QMouseEvent*>(event)->position().toPoint());
        if (const ReviewRow* row = static_cast<const ReviewModel*>(list->model())->at(index.row()))
            Q_EMIT blocked(row->candidate);
        return true;
    }
    return QScrollArea::eventFilter(watched, event);
}

void ReviewList::follow(const QListView* list, const QModelIndex& index)
{
    const ReviewRow* row = static_cast<const ReviewModel*>(list->model())->at(index.row());
    if (m_isOurs || !row)
        return;
    {
        // What is selected with it follows in a moment, and is not to be set from here before.
        const QScopedValueRollback ours(m_isOurs, true);
        const bool isNew = list == m_queue && std::ranges::find(m_chosen, row->candidate) == m_chosen.end();
        if (isNew)
            m_chosen.push_back(row->candidate);
        Q_EMIT read(row->candidate);
        if (list == m_queue)
            m_said->selectionModel()->clear();
    }
    if (list == m_said)
        applySelection();
}

void ReviewList::takeSelection()
{
    if (m_isOurs)
        return;
    const QModelIndexList selected = m_queue->selectionModel()->selectedIndexes();
    std::vector<CandidateId> all;
    for (const QModelIndex& index : selected)
        if (const ReviewRow* row = m_waiting.at(index.row()))
            all.push_back(row->candidate);
    if (all.empty() && !waits(m_read))
        return;
    if (all.size() == 1)
        m_anchor = all.front();
    m_chosen = all.empty() ? std::vector{m_read} : all; // what is read is always chosen
    const bool isReadLeft = std::ranges::find(m_chosen, m_read) == m_chosen.end();
    if (isReadLeft)
        Q_EMIT read(m_chosen.front());
    else
        applySelection();
    Q_EMIT chosenChanged();
}

void ReviewList::applySelection()
{
    if (m_isOurs)
        return;
    selectRows();
    if (std::exchange(m_sought, m_read) != m_read)
        m_sight->seek();
    else
        m_sight->keep();
}

void ReviewList::selectRows()
{
    const QScopedValueRollback ours(m_isOurs, true);
    QItemSelectionModel& selection = *m_queue->selectionModel();
    // A click on the row that was read before the other list was, reads it again: none is current there.
    const int row = m_waiting.rowOf(m_read), decided = row < 0 ? m_decided.rowOf(m_read) : -1;
    if (decided < 0)
        m_said->selectionModel()->clear();
    else if (m_said->currentIndex().row() != decided)
        m_said->setCurrentIndex(m_decided.index(decided));
    if (row < 0)
        return selection.clear();
    if (m_queue->currentIndex().row() != row)
        selection.setCurrentIndex(m_waiting.index(row), QItemSelectionModel::NoUpdate);
    std::set<int> wanted, selected;
    for (const CandidateId each : chosen())
        wanted.insert(m_waiting.rowOf(each));
    for (const QModelIndex& index : selection.selectedIndexes())
        selected.insert(index.row());
    if (wanted == selected)
        return;
    QItemSelection rows;
    for (const int each : wanted)
        rows.select(m_waiting.index(each), m_waiting.index(each));
    selection.select(rows, QItemSelectionModel::ClearAndSelect);
}

} // namespace tilewright::ui
