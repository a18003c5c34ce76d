// SPDX-License-Identifier: GPL-3.0-or-later
// A place for one listing: what a candidate was compiled to, asked of the node. A newer request supersedes an older
// one. GUI thread.
#pragma once

#include "ui/session/session_client.h"

#include <QObject>
#include <utility>

namespace tilewright::ui {

class ListingSlot : public QObject
{
    Q_OBJECT

public:
    ListingSlot(SessionClient& session, QObject* parent)
        : QObject(parent)
        , m_session(session)
    {
        connect(&session, &SessionClient::listingReady, this, [this](quint64 tag, const ListingAnswer& answer) {
            if (tag != m_tag)
                return; // of something that is not looked at any more
            m_tag = 0;
            Q_EMIT ready(answer);
        });
    }

    void request(CandidateId candidate, ListingForm form)
    {
        drop();
        m_tag = m_session.requestListing(candidate, form);
    }
    void drop()
    {
        if (const quint64 tag = std::exchange(m_tag, 0))
            m_session.dropListing(tag);
    }

Q_SIGNALS:
    /// With a code of an error where there is none.
    void ready(const tilewright::ListingAnswer& answer);

private:
    SessionClient& m_session;
    quint64 m_tag = 0;
};

// One place that shows a text of the session: a newer request supersedes the older one, whose answer is dropped here.
// GUI thread.

class TextSlot : public QObject
{
    Q_OBJECT

public:
    TextSlot(SessionClient& session, QObject* parent)
        : QObject(parent)
        , m_session(session)
    {
        connect(&session, &SessionClient::textReady, this, [this](quint64 tag, const QString& text) {
            if (tag != m_tag)
                return;
            m_tag = 0;
            Q_EMIT ready(text);
        });
    }

    /// A null hash cancels what is under way.
    void request(const Hash& hash) { m_tag = hash.isNull() ? 0 : m_session.requestText(hash); }
    bool isWaiting() const { return m_tag != 0; }

Q_SIGNALS:
    void ready(QString text);

private:
    SessionClient& m_session;
    quint64 m_tag = 0;
};

} // namespace tilewright::ui
