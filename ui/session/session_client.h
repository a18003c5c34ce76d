// SPDX-License-Identifier: GPL-3.0-or-later
// What the window knows of the engine: the newest snapshot and the texts asked for. GUI thread. Views read snapshot(),
// listen to changed(), and give commands by execute(). The snapshot is never null: without a session it is empty.
#pragma once

#include "ui/session/engine_client.h"

#include <QCache>
#include <optional>
#include <unordered_map>

namespace tilewright::ui {

class SessionClient : public QObject
{
    Q_OBJECT

public:
    /// The client must outlive the session.
    explicit SessionClient(EngineClient& client, QObject* parent = nullptr);

    EngineClient& client() { return m_client; } ///< for what opens and closes sessions
    const Snapshot& snapshot() const { return *m_snapshot; }
    const SnapshotPtr& pointer() const { return m_snapshot; }
    const RunState& run() const { return m_snapshot->run; }
    /// The run's newest event when this window opened it: what came later, this user did.
    std::int64_t openedAt() const { return m_openedAt; }
    bool isOpen() const { return m_snapshot->status.sessionOpen; }

    /// Gives the engine a command. executing() comes at once; executed() with its receipt, also after failed().
    void execute(const Command& command);

    /// Asks for the prompt of a draft; previewReady comes with the returned tag.
    quint64 requestPreview(const PromptDraft& draft);
    /// Asks for a text of the session; textReady comes with the returned tag, from the cache or from the engine, never
    /// before this function has returned.
    quint64 requestText(const Hash& hash);
    /// As requestText(), for one who reads many texts once: what others look at stays in the cache.
    quint64 readText(const Hash& hash);

    /// Asks for what a candidate was compiled to, as queries::ListingOf; listingReady comes with the returned tag.
    quint64 requestListing(CandidateId candidate, ListingForm form);
    void dropListing(quint64 tag) { m_client.drop(tag); }

    /// Asks whether a user's text could take a candidate's place, or be its child, as queries::CheckEdit; editChecked
    /// comes with the returned tag.
    quint64 checkEdit(CandidateId candidate, const QString& text, EditAs as);
    void dropEditCheck(quint64 tag); ///< its answer is not wanted any more
    struct EditUnderCheck {
        quint64 tag = 0;
        CandidateId candidate;
    };
    const std::vector<EditUnderCheck>& editChecks() const { return m_editChecks; } ///< those under way
    /// A user wants it no more: whoever asked for it is told.
    void cancelEditCheck(quint64 tag);

Q_SIGNALS:
    void executing(quint64 tag, const tilewright::Command& command);
    void executed(const tilewright::Command& command, const tilewright::Receipt& receipt);
    /// A command of this window was refused, or something else went wrong.
    void failed(const QString& code, const QString& text, const QString& hint);
    void changed();
    /// The session that is open is about to be closed: what a view would send when it loses the focus is sent now.
    void closing();
    /// Another session (or none) than before is shown now.
    void replaced();
    void textReady(quint64 tag, QString text);
    void previewReady(quint64 tag, tilewright::PromptPreview preview);
    void listingReady(quint64 tag, tilewright::ListingAnswer answer);
    void editChecked(quint64 tag, tilewright::EditCheck check);
    void editCheckCancelled(quint64 tag, tilewright::CandidateId candidate);
    void editChecksChanged(); ///< others are under way

private:
    std::optional<EditUnderCheck> endEditCheck(quint64 tag);
    void take(SnapshotPtr snapshot);
    void takeReceipt(const Receipt& receipt);
    void takeAnswer(quint64 tag, const QueryAnswer& answer);
    void takeText(quint64 tag, const QString& text);

    EngineClient& m_client;
    SnapshotPtr m_snapshot = std::make_shared<const Snapshot>();
    std::int64_t m_openedAt = 0;
    quint64 m_lastTag = 0;
    struct Asked {
        Hash hash;
        bool keeps = true; ///< in the cache
    };
    quint64 askFor(const Asked& asked);

    std::unordered_map<quint64, Command> m_commands; ///< whose receipts are awaited
    std::unordered_map<quint64, Asked> m_asked;
    std::vector<EditUnderCheck> m_editChecks;
    QCache<QByteArray, QString> m_texts{128};
};

} // namespace tilewright::ui
