// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/session_client.h"

#include <QTimer>
#include <algorithm>

namespace tilewright::ui {
namespace {

QByteArray keyOf(const Hash& hash)
{
    return QByteArray(reinterpret_cast<const char*>(hash.bytes.data()), static_cast<qsizetype>(hash.bytes.size()));
}

} // namespace

SessionClient::SessionClient(EngineClient& client, QObject* parent)
    : QObject(parent)
    , m_client(client)
{
    connect(&client, &EngineClient::published, this, [this](const SnapshotPtr& snapshot) { take(snapshot); });
    connect(&client, &EngineClient::executed, this, &SessionClient::takeReceipt);
    connect(&client, &EngineClient::answered, this, &SessionClient::takeAnswer);
    connect(&client, &EngineClient::failed, this, &SessionClient::failed);
}

void SessionClient::execute(const Command& command)
{
    const quint64 tag = ++m_lastTag;
    m_commands.emplace(tag, command);
    Q_EMIT executing(tag, command);
    m_client.execute(tag, command);
}

void SessionClient::takeReceipt(const Receipt& receipt)
{
    const auto command = m_commands.extract(receipt.tag);
    if (!command)
        return; // not of this window, or of a session that is gone
    const auto textOf = [](const std::string& words) { return QString::fromStdString(words); };
    if (!receipt.isDone())
        Q_EMIT failed(textOf(receipt.error.code), textOf(receipt.error.text), textOf(receipt.error.hint));
    Q_EMIT executed(command.mapped(), receipt);
}

void SessionClient::takeAnswer(quint64 tag, const QueryAnswer& answer)
{
    if (const auto* text = std::get_if<QString>(&answer))
        return takeText(tag, *text);
    if (const auto* preview = std::get_if<PromptPreview>(&answer))
        Q_EMIT previewReady(tag, *preview);
    if (const auto* listing = std::get_if<ListingAnswer>(&answer))
        Q_EMIT listingReady(tag, *listing);
    if (const auto* check = std::get_if<EditCheck>(&answer)) {
        endEditCheck(tag);
        Q_EMIT editChecked(tag, *check);
    }
}

quint64 SessionClient::requestPreview(const PromptDraft& draft)
{
    const quint64 tag = ++m_lastTag;
    m_client.ask(tag, queries::Preview{draft});
    return tag;
}

quint64 SessionClient::requestText(const Hash& hash) { return askFor({.hash = hash, .keeps = true}); }

quint64 SessionClient::readText(const Hash& hash) { return askFor({.hash = hash, .keeps = false}); }

quint64 SessionClient::askFor(const Asked& asked)
{
    const quint64 tag = ++m_lastTag;
    if (const QString* known = m_texts.object(keyOf(asked.hash))) {
        QTimer::singleShot(0, this, [this, tag, text = *known] { Q_EMIT textReady(tag, text); });
        return tag;
    }
    m_asked.emplace(tag, asked);
    m_client.ask(tag, queries::Text{asked.hash});
    return tag;
}

quint64 SessionClient::requestListing(CandidateId candidate, ListingForm form)
{
    const quint64 tag = ++m_lastTag;
    m_client.ask(tag, queries::ListingOf{candidate, form});
    return tag;
}

quint64 SessionClient::checkEdit(CandidateId candidate, const QString& text, EditAs as)
{
    const quint64 tag = ++m_lastTag;
    m_editChecks.push_back({tag, candidate});
    m_client.ask(tag, queries::CheckEdit{candidate, text.toStdString(), as});
    Q_EMIT editChecksChanged();
    return tag;
}

std::optional<SessionClient::EditUnderCheck> SessionClient::endEditCheck(quint64 tag)
{
    const auto found = std::ranges::find(m_editChecks, tag, &EditUnderCheck::tag);
    if (found == m_editChecks.end())
        return std::nullopt;
    const EditUnderCheck ended = *found;
    m_editChecks.erase(found);
    Q_EMIT editChecksChanged();
    return ended;
}

void SessionClient::dropEditCheck(quint64 tag)
{
    m_client.drop(tag);
    endEditCheck(tag);
}

void SessionClient::cancelEditCheck(quint64 tag)
{
    const auto ended = endEditCheck(tag);
    if (!ended)
        return; // it is there by now
    m_client.drop(tag);
    Q_EMIT editCheckCancelled(tag, ended->candidate);
}

void SessionClient::take(SnapshotPtr snapshot)
{
    if (!snapshot)
        return;
    const bool other = snapshot->status.sessionOpen != m_snapshot->status.sessionOpen
        || snapshot->status.sessionPath != m_snapshot->status.sessionPath
        || snapshot->run.lastSeq < m_snapshot->run.lastSeq
        || (m_snapshot->status.opening && !snapshot->status.opening); // it is there whole now, and can be written
    m_snapshot = std::move(snapshot);
    if (other) {
        m_openedAt = m_snapshot->run.lastSeq;
        m_texts.clear();
        m_asked.clear();
        m_editChecks.clear();
        Q_EMIT replaced();
    }
    Q_EMIT changed();
}

void SessionClient::takeText(quint64 tag, const QString& text)
{
    const auto asked = m_asked.find(tag);
    if (asked == m_asked.end())
        return; // of a session that is gone
    if (asked->second.keeps)
        m_texts.insert(keyOf(asked->second.hash), new QString(text));
    m_asked.erase(asked);
    Q_EMIT textReady(tag, text);
}

} // namespace tilewright::ui
