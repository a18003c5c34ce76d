// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/session.h"

#include <QTimer>
#include <algorithm>

namespace tilewright::ui {
namespace {

QByteArray keyOf(const Hash& hash)
{
    return QByteArray(reinterpret_cast<const char*>(hash.bytes.data()), static_cast<qsizetype>(hash.bytes.size()));
}

} // namespace

Session::Session(EngineDoor& door, QObject* parent)
    : QObject(parent)
    , m_door(door)
{
    connect(&door, &EngineDoor::published, this, [this](const SnapshotPtr& snapshot) { take(snapshot); });
    connect(&door, &EngineDoor::textReady, this, [this](quint64 tag, const QString& text) { takeText(tag, text); });
    connect(&door, &EngineDoor::listingReady, this, &Session::listingReady);
    connect(&door, &EngineDoor::editChecked, this, [this](quint64 tag, const EditCheck& check) {
        endEditCheck(tag);
        Q_EMIT editChecked(tag, check);
    });
}

void Session::decide(const std::vector<CandidateId>& candidates, Decision decision, const QString& reason)
{
    m_words.push_back(candidates);
    for (const CandidateId each : candidates)
        m_door.decide(each, decision, reason);
}

const std::vector<CandidateId>* Session::wordWith(CandidateId candidate) const
{
    const auto newest = std::find_if(m_words.rbegin(), m_words.rend(),
        [candidate](const auto& word) { return std::ranges::find(word, candidate) != word.end(); });
    return newest == m_words.rend() ? nullptr : &*newest;
}

quint64 Session::requestText(const Hash& hash) { return askFor({.hash = hash, .keeps = true}); }

quint64 Session::readText(const Hash& hash) { return askFor({.hash = hash, .keeps = false}); }

quint64 Session::askFor(const Asked& asked)
{
    const quint64 tag = ++m_lastTag;
    if (const QString* known = m_texts.object(keyOf(asked.hash))) {
        QTimer::singleShot(0, this, [this, tag, text = *known] { Q_EMIT textReady(tag, text); });
        return tag;
    }
    m_asked.emplace(tag, asked);
    m_door.requestText(tag, asked.hash);
    return tag;
}

quint64 Session::requestListing(CandidateId candidate, ListingForm form)
{
    const quint64 tag = ++m_lastTag;
    m_door.requestListing(tag, candidate, form);
    return tag;
}

quint64 Session::checkEdit(CandidateId candidate, const QString& text, EditAs as)
{
    const quint64 tag = ++m_lastTag;
    m_editChecks.push_back({tag, candidate});
    m_door.checkEdit(tag, candidate, text, as);
    Q_EMIT editChecksChanged();
    return tag;
}

std::optional<Session::EditUnderCheck> Session::endEditCheck(quint64 tag)
{
    const auto found = std::ranges::find(m_editChecks, tag, &EditUnderCheck::tag);
    if (found == m_editChecks.end())
        return std::nullopt;
    const EditUnderCheck ended = *found;
    m_editChecks.erase(found);
    Q_EMIT editChecksChanged();
    return ended;
}

void Session::dropEditCheck(quint64 tag)
{
    m_door.dropEditCheck(tag);
    endEditCheck(tag);
}

void Session::cancelEditCheck(quint64 tag)
{
    const auto ended = endEditCheck(tag);
    if (!ended)
        return; // it is there by now
    m_door.dropEditCheck(tag);
    Q_EMIT editCheckCancelled(tag, ended->candidate);
}

void Session::take(SnapshotPtr snapshot)
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
        m_words.clear();
        m_editChecks.clear();
        Q_EMIT replaced();
    }
    Q_EMIT changed();
}

void Session::takeText(quint64 tag, const QString& text)
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
