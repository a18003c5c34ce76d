// SPDX-License-Identifier: GPL-3.0-or-later
// One place that shows a text of the session: a newer request supersedes the older one, whose answer is dropped here.
// GUI thread.
#pragma once

#include "ui/session/session.h"

namespace tilewright::ui {

class TextSlot : public QObject
{
    Q_OBJECT

public:
    TextSlot(Session& session, QObject* parent)
        : QObject(parent)
        , m_session(session)
    {
        connect(&session, &Session::textReady, this, [this](quint64 tag, const QString& text) {
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
    Session& m_session;
    quint64 m_tag = 0;
};

} // namespace tilewright::ui
