// SPDX-License-Identifier: GPL-3.0-or-later
// Marks the replies of a folder (manual:DIR) by what came of them: NNNN.result.txt beside NNNN.reply.md, whole or not
// at all, written anew until the last edit of the reply is measured or refused. Prompts of other runs in the same
// folder are left alone. Owner: Session, on the engine's thread.
#pragma once

#include "core/engine/ledger.h"

#include <QTimer>
#include <map>

namespace tilewright {

class ReplyResults : public QObject
{
    Q_OBJECT

public:
    ReplyResults(Ledger& ledger, const QString& folder);
    /// Writes what is not written yet.
    ~ReplyResults() override;

Q_SIGNALS:
    /// A file cannot be written; said once.
    void failed(const QString& file, const QString& reason);

private:
    void write();
    bool isOwn(const ModelRequest& modelRequest);
    void writeFile(const std::string& place, const std::string& text);

    Ledger& m_ledger;
    QString m_folder;
    std::map<std::string, std::string> m_written; ///< text by place
    std::map<std::string, bool> m_isOwn; ///< whether the prompt of that place is of this run
    QTimer m_pause; ///< several events are written at once
    std::int64_t m_seen = -1; ///< the last event that was looked at
    bool m_hasFailed = false;
};

} // namespace tilewright
