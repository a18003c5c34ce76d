// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/undo_controller.h"

#include "ui/models/format.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/sentence.h"

#include <QScopedValueRollback>
#include <algorithm>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

/// Two sentences, of which the second may be empty.
QString withSentence(const QString& one, const QString& other) { return other.isEmpty() ? one : one + u' ' + other; }

} // namespace

UndoController::UndoController(const Desk& desk, MessageBar& messages, QObject* parent)
    : QObject(parent)
    , m_desk(desk)
    , m_messages(messages)
{
    connect(&desk.session, &Session::executing, this, [this](quint64, const Command& command) {
        const auto* undo = std::get_if<commands::Undo>(&command);
        if (!undo)
            return;
        for (const Entry& each : entries())
            if (std::ranges::find(undo->entries, each.id) != undo->entries.end())
                m_undoing[each.id] = {each.description, each.events, {}};
    });
    connect(&desk.session, &Session::executed, this, &UndoController::takeReceipt);
    connect(&desk.session, &Session::changed, this, &UndoController::follow);
    connect(&desk.session, &Session::replaced, this, [this] {
        std::erase_if(m_local, [](const Step& step) { return !step.local.isOfProgram; });
        m_redo.clear();
        m_undone.clear();
        m_undoing.clear();
        if (std::exchange(m_offered, 0) != 0)
            m_messages.dismiss(m_message);
        Q_EMIT changed();
    });
}

std::vector<UndoController::Entry> UndoController::entries(Final final) const
{
    const EngineStatus& status = m_desk.session.snapshot().status;
    const bool isWritable = status.sessionOpen && !status.readOnly;
    std::vector<Entry> all;
    auto local = m_local.rbegin();
    const auto takeLocal = [&] {
        const Local& one = local->local;
        all.push_back({local->id, one.description, {}, one.afterUndo, false, one.isRunControl});
        ++local;
    };
    for (const UndoEntry& each : undoHistory(m_desk.session.run())) {
        while (local != m_local.rend() && local->seq >= each.seq)
            takeLocal();
        if (m_undone.contains(each.seq) || (each.isFinal && final == Final::LeftOut))
            continue;
        all.push_back({each.seq, text(each.description),
            isWritable ? text(each.blocked) : tr("the session is read-only"), text(each.afterUndo), each.isFinal, false,
            each.seq <= m_desk.session.openedAt(), each.reopened, each.events});
    }
    while (local != m_local.rend())
        takeLocal();
    return all;
}

std::int64_t UndoController::add(Local local)
{
    if (!m_isRedoing)
        m_redo.clear();
    m_local.push_back({--m_lastLocal, std::move(local), m_desk.session.run().lastSeq});
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
    return m_desk.actions[action].shortcut().toString(QKeySequence::NativeText);
}

QString UndoController::whereTheOthersAre() const
{
    return tr("%1 shows the undo history.").arg(keysOf(u"run.history"_s));
}

UndoController::Opening UndoController::opening() const
{
    return {m_desk.session.snapshot().status.sessionPath, m_desk.session.openedAt()};
}

void UndoController::undo(std::int64_t id)
{
    const std::vector<Entry> all = entries(Final::Shown);
    const auto entry = std::ranges::find(all, id, &Entry::id);
    if (entry == all.end())
        say(tr("It cannot be undone any more: it was carried out, or undone already."), whereTheOthersAre());
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
    m_desk.session.execute(commands::Undo{{entry.id}});
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
            say(tr("Nothing else is left to undo. This stays: %1.").arg(control->description), whereTheOthersAre());
        else if (isListed)
            say(tr("Nothing is left to undo since this session was opened."), whereTheOthersAre());
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
        m_desk.session.execute(commands::Redo{next.events});
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
    if (m_offered <= 0 || m_desk.session.run().lastSeq < m_offered || !m_messages.has(m_message))
        return;
    const std::vector<Entry> all = entries();
    const auto entry = std::ranges::find(all, m_offered, &Entry::id);
    if (entry != all.end() && entry->blocked.isEmpty())
        return;
    if (entry != all.end()) { // for now: the page says why
        m_messages.offer(m_message, {}, nullptr);
        return;
    }
    const Chunked<RunChange>& changes = m_desk.session.run().changes;
    const bool isUndone = !changes.empty() && changes.back().takesBack != 0;
    m_offered = 0;
    if (isUndone)
        say(tr("Undone: %1.").arg(m_offeredDescription), {});
    else
        m_messages.dismiss(m_message);
}

} // namespace tilewright::ui
