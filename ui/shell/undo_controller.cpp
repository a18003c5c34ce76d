// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/undo_controller.h"

#include "ui/models/display_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/room.h"
#include "ui/widgets/table.h"

#include <QLabel>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// Two sentences, of which the second may be empty.
QString withSentence(const QString& one, const QString& other) { return other.isEmpty() ? one : one + u' ' + other; }

} // namespace

UndoController::UndoController(const ViewContext& context, MessageBar& messages, QObject* parent)
    : QObject(parent)
    , m_context(context)
    , m_messages(messages)
{
    connect(&context.session, &SessionClient::executing, this, [this](quint64, const Command& command) {
        const auto* undo = std::get_if<commands::Undo>(&command);
        if (!undo)
            return;
        for (const Entry& each : entries())
            if (std::ranges::find(undo->entries, each.id) != undo->entries.end())
                m_undoing[each.id] = {each.description, each.events, {}};
    });
    connect(&context.session, &SessionClient::executed, this, &UndoController::takeReceipt);
    connect(&context.session, &SessionClient::changed, this, &UndoController::follow);
    connect(&context.session, &SessionClient::replaced, this, [this] {
        std::erase_if(m_local, [](const Step& step) { return !step.local.isOfProgram; });
        m_redo.clear();
        m_undone.clear();
        m_undoing.clear();
        if (std::exchange(m_offered, 0) != 0)
            m_messages.clearProposer(m_message);
        Q_EMIT changed();
    });
}

std::vector<UndoController::Entry> UndoController::entries(Final final) const
{
    const EngineStatus& status = m_context.session.snapshot().status;
    const bool isWritable = status.sessionOpen && !status.readOnly;
    std::vector<Entry> all;
    auto local = m_local.rbegin();
    const auto takeLocal = [&] {
        const Local& one = local->local;
        all.push_back({local->id, one.description, {}, one.afterUndo, false, one.isRunControl});
        ++local;
    };
    for (const UndoEntry& each : undoHistory(m_context.session.run())) {
        while (local != m_local.rend() && local->seq >= each.seq)
            takeLocal();
        if (m_undone.contains(each.seq) || (each.isFinal && final == Final::LeftOut))
            continue;
        all.push_back({each.seq, text(each.description),
            isWritable ? text(each.blocked) : tr("the session is read-only"), text(each.afterUndo), each.isFinal, false,
            each.seq <= m_context.session.openedAt(), each.reopened, each.events});
    }
    while (local != m_local.rend())
        takeLocal();
    return all;
}

std::int64_t UndoController::add(Local local)
{
    if (!m_isRedoing)
        m_redo.clear();
    m_local.push_back({--m_lastLocal, std::move(local), m_context.session.run().lastSeq});
    Q_EMIT changed();
    return m_lastLocal;
}

void UndoController::drop(std::int64_t id)
{
    if (std::erase_if(m_local, [id](const Step& step) { return step.id == id; }) > 0)
        Q_EMIT changed();
}

bool UndoController::has(std::int64_t id) const { return std::ranges::find(m_local, id, &Step::id) != m_local.end(); }

void UndoController::say(const QString& words, const QString& hint, std::int64_t offered)
{
    m_message = m_messages.show(MessageMood::Info, words, hint, MessageKind::Order);
    m_offered = offered;
    m_offeredDescription = m_received;
    if (offered != 0)
        m_messages.offer(m_message, tr("Undo"), [this, offered] { undo(offered); });
}

QString UndoController::keysOf(const QString& action) const
{
    return m_context.actions[action].shortcut().toString(QKeySequence::NativeText);
}

QString UndoController::whereTheOthersAre() const
{
    return tr("%1 shows the undo history.").arg(keysOf(u"run.history"_s));
}

UndoController::Opening UndoController::opening() const
{
    return {m_context.session.snapshot().status.sessionPath, m_context.session.openedAt()};
}

void UndoController::undo(std::int64_t id)
{
    const std::vector<Entry> all = entries(Final::Shown);
    const auto entry = std::ranges::find(all, id, &Entry::id);
    if (entry == all.end())
        say(tr("It can no longer be undone: it was carried out, or undone already."), whereTheOthersAre());
    else if (!entry->blocked.isEmpty())
        say(tr("%1 cannot be undone: %2.").arg(entry->description, entry->blocked), whereTheOthersAre());
    else
        undo(*entry);
}

void UndoController::undo(const Entry& entry)
{
    if (entry.id < 0)
        return undoLocal(entry);
    m_undoing[entry.id] = {entry.description, entry.events, {}};
    m_undone.insert(entry.id);
    Q_EMIT changed();
    m_context.session.execute(commands::Undo{{entry.id}});
}

void UndoController::undoLocal(const Entry& entry)
{
    const auto step = std::ranges::find(m_local, entry.id, &Step::id);
    const Local local = std::move(step->local);
    m_local.erase(step);
    m_redo.push_back({local.description, {}, local.redo});
    say(withSentence(tr("Undone: %1.").arg(local.description), local.afterUndo), whereTheOthersAre());
    const QScopedValueRollback undoing(m_isRedoing, true); // it may do something of its own
    local.undo();
    Q_EMIT changed();
}

std::vector<CandidateId> UndoController::undoNewest()
{
    const std::vector<Entry> all = entries(Final::Shown); // what is final bars the way once, like what is in flight
    // Undoing one decision after another does not mean that the run should stop or continue.
    const bool isInARow = !m_redo.empty();
    const auto isOwn = [isInARow](const Entry& each) { return !each.isEarlier && !(isInARow && each.isRunControl); };
    const auto own = std::ranges::find_if(all, isOwn);
    if (own == all.end()) {
        const auto control = std::ranges::find_if(all, &Entry::isRunControl);
        const bool isListed = std::ranges::any_of(all, [](const Entry& each) { return !each.isFinal; });
        if (isInARow && control != all.end())
            say(tr("Nothing else can be undone. Not undone: %1.").arg(control->description), whereTheOthersAre());
        else if (isListed)
            say(tr("Nothing can be undone since this session was opened."), whereTheOthersAre());
        else
            say(tr("There is nothing to undo."), {});
        return {};
    }
    const auto older = std::find_if(own, all.end(), [&](const Entry& each) {
        return isOwn(each) && each.blocked.isEmpty() && (!each.isRunControl || &each == &*own);
    });
    const QString blocked = tr("%1 cannot be undone: %2.").arg(own->description, own->blocked);
    if (older == all.end()) {
        say(blocked, whereTheOthersAre());
        return {};
    }
    if (older != own && std::exchange(m_barred, {opening(), own->id}) != std::pair(opening(), own->id)) {
        say(withSentence(blocked, tr("Before it: %1.").arg(older->description)),
            tr("%1 again undoes that").arg(keysOf(u"review.undo"_s)) + u"; "_s + whereTheOthersAre(), older->id);
        return {};
    }
    undo(*older);
    return older->reopened;
}

bool UndoController::undoNewestOfProgram()
{
    const auto newest
        = std::find_if(m_local.rbegin(), m_local.rend(), [](const Step& step) { return step.local.isOfProgram; });
    if (newest == m_local.rend())
        return false;
    undo(newest->id);
    return true;
}

void UndoController::redo()
{
    if (m_redo.empty())
        return say(tr("There is nothing to redo."), whereTheOthersAre());
    const Redo next = std::move(m_redo.back());
    m_redo.pop_back();
    const QScopedValueRollback redoing(m_isRedoing, true);
    if (next.again) {
        next.again();
        say(tr("Redone: %1.").arg(next.description), {}, m_local.empty() ? 0 : m_local.back().id);
    } else if (!next.events.empty()) {
        m_context.session.execute(commands::Redo{next.events});
    } else {
        say(tr("%1 was undone and cannot be redone: run the command again.").arg(next.description), {});
    }
}

void UndoController::takeReceipt(const Command& command, const Receipt& receipt)
{
    const QString description = text(receipt.description), effect = text(receipt.effect);
    m_received = description;
    if (const auto* undo = std::get_if<commands::Undo>(&command)) {
        for (const std::int64_t entry : undo->entries) {
            auto undoing = m_undoing.extract(entry);
            if (!receipt.isDone())
                m_undone.erase(entry);
            else if (undoing)
                m_redo.push_back(std::move(undoing.mapped()));
        }
        if (receipt.isDone())
            say(withSentence(tr("Undone: %1.").arg(description), effect), whereTheOthersAre());
    } else if (receipt.isDone() && !description.isEmpty()) {
        const bool isRedo = std::holds_alternative<commands::Redo>(command);
        if (!isRedo)
            m_redo.clear();
        const std::vector<Entry> all = entries(Final::Shown);
        const auto entry = std::ranges::find(all, receipt.entry, &Entry::id); // if the snapshot has it already
        const bool isBlocked = entry != all.end() && !entry->blocked.isEmpty();
        say(withSentence(isRedo ? tr("Redone: %1.").arg(description) : description + u'.', effect), {},
            isBlocked ? 0 : receipt.entry);
    }
}

/// What is offered may have been undone elsewhere, or carried out.
void UndoController::follow()
{
    if (m_offered <= 0 || m_context.session.run().lastSeq < m_offered || !m_messages.has(m_message))
        return;
    const std::vector<Entry> all = entries();
    const auto entry = std::ranges::find(all, m_offered, &Entry::id);
    if (entry != all.end() && entry->blocked.isEmpty())
        return;
    if (entry != all.end()) { // for now: the page says why
        m_messages.offer(m_message, {}, nullptr);
        return;
    }
    const Chunked<RunChange>& changes = m_context.session.run().changes;
    const bool isUndone = !changes.empty() && changes.back().takesBack != 0;
    m_offered = 0;
    if (isUndone)
        say(tr("Undone: %1.").arg(m_offeredDescription), {});
    else
        m_messages.clearProposer(m_message);
}

void UndoModel::show(std::vector<UndoController::Entry> rows)
{
    const auto isSame = [](const auto& one, const auto& other) { return one.id == other.id; };
    if (std::ranges::equal(rows, m_rows, isSame)) {
        m_rows = std::move(rows);
        if (!m_rows.empty())
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

const UndoController::Entry* UndoModel::at(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)] : nullptr;
}

int UndoModel::rowOf(std::int64_t id) const
{
    const auto found = std::ranges::find(m_rows, id, &UndoController::Entry::id);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int UndoModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int UndoModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(Column::Count);
}

QVariant UndoModel::data(const QModelIndex& index, int role) const
{
    const UndoController::Entry* row = index.isValid() ? at(index.row()) : nullptr;
    if (!row)
        return {};
    const bool isCommand = static_cast<Column>(index.column()) == Column::Command;
    if (role == Qt::ForegroundRole && !row->blocked.isEmpty())
        return tokens().secondary;
    if (role == Qt::AccessibleTextRole)
        return row->blocked.isEmpty() ? row->description : tr("%1; blocked: %2").arg(row->description, row->blocked);
    if (role == Qt::ToolTipRole || (role == Qt::DisplayRole && isCommand))
        return isCommand ? row->description : row->blocked;
    if (role == Qt::DisplayRole)
        return !row->blocked.isEmpty() ? tr("Blocked: %1").arg(row->blocked)
            : row->isEarlier           ? tr("Can be undone; earlier session")
                                       : tr("Can be undone");
    return {};
}

QVariant UndoModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return static_cast<Column>(section) == Column::Command ? tr("Command") : tr("Undo");
}

namespace {

constexpr double widestReason = 640; ///< a sentence; the order beside it gives way

} // namespace

UndoPage::UndoPage(const ViewContext& context, UndoController& undo, QWidget* parent)
    : QDialog(parent)
    , m_undo(undo)
    , m_table(new Table(this))
    , m_why(new QLabel(this))
    , m_button(new QPushButton(icon(u"undo"_s, Tint::Secondary), tr("Undo"), this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(u"undoPage"_s);
    setWindowTitle(tr("Undo history"));
    openAs(*this, 1040, 440, parent);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(12), px(12), px(12), px(12));
    column->setSpacing(px(8));
    auto* note = new QLabel(tr("Newest first. A command whose result is measured cannot be undone."), this);
    note->setProperty("tone", u"secondary"_s);
    note->setWordWrap(true);
    m_table->setObjectName(u"undoTable"_s);
    m_table->setAccessibleName(tr("Commands that can be undone, newest first"));
    m_table->setModel(&m_model);
    m_table->setNothing(tr("No command can be undone yet. Decisions, settings, hints, prompts, island commands, marks, "
                           "requests, re-runs and injected programs appear here."));
    m_table->setColumns({{260, 0, true}, {300}});
    m_button->setObjectName(u"undoEntry"_s);
    m_why->setTextFormat(Qt::PlainText);
    m_why->setWordWrap(true);
    m_why->setProperty("tone", u"secondary"_s);
    m_why->setObjectName(u"undoWhy"_s);
    column->addWidget(note);
    column->addWidget(m_table, 1);
    auto* below = new QHBoxLayout;
    below->setSpacing(px(8));
    below->addWidget(m_why, 1);
    below->addWidget(m_button, 0, Qt::AlignTop);
    auto* close = new QPushButton(tr("Close"), this);
    close->setObjectName(u"closeUndoPage"_s);
    close->setAutoDefault(false);
    below->addWidget(close, 0, Qt::AlignTop);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    column->addLayout(below);
    connect(m_button, &QPushButton::clicked, this, &UndoPage::undo);
    connect(m_table, &QTableView::activated, this, &UndoPage::undo);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        const UndoController::Entry* one = m_model.at(now.row());
        if (one && !m_isRefreshing) {
            m_chosen = *one;
            say();
        }
    });
    connect(&context.session, &SessionClient::changed, this, [this] { m_follow.ask(); });
    connect(&undo, &UndoController::changed, this, [this] { m_follow.ask(); });
    refresh();
    m_table->setFocus();
}

void UndoPage::refresh()
{
    const Table::LookedAt looked = m_table->lookedAt();
    m_isRefreshing = true;
    m_model.show(m_undo.entries());
    // Where nobody chose one, the newest; a chosen one that is gone is not replaced: the button would undo another.
    m_table->markRow(m_model.index(m_chosen.id == 0 ? 0 : m_model.rowOf(m_chosen.id), 0));
    m_isRefreshing = false;
    m_table->growColumns(widestReason);
    m_table->keepInPlace(looked);
    say();
}

void UndoPage::say()
{
    const UndoController::Entry* one = m_model.at(m_table->currentIndex().row());
    m_button->setEnabled(one && one->blocked.isEmpty());
    m_button->setToolTip(one ? one->blocked : QString());
    m_why->setText(one && !one->blocked.isEmpty() ? tr("Blocked: %1.").arg(one->blocked)
            : !one && m_chosen.id != 0 ? tr("%1: it was carried out, or undone already.").arg(m_chosen.description)
                                       : QString());
}

void UndoPage::undo()
{
    const UndoController::Entry* one = m_model.at(m_table->currentIndex().row());
    if (one && one->blocked.isEmpty())
        m_undo.undo(one->id);
}

} // namespace tilewright::ui
