// SPDX-License-Identifier: GPL-3.0-or-later
// What the author of an edit expects of it, beside what its edits have brought so far. GUI thread.
#pragma once

#include "core/engine/snapshot.h"
#include "core/model/claim.h"

#include <QFrame>

class QLabel;

namespace tilewright::ui {

class ClaimCard : public QFrame
{
    Q_OBJECT

public:
    explicit ClaimCard(QWidget* parent = nullptr);
    void show(const Snapshot& snapshot, const Candidate& candidate);

private:
    const ClaimRecord& claimsOf(const Snapshot& snapshot, const std::string& author);

    QLabel *m_claim, *m_record;
    ClaimRecord m_claims; ///< of m_author, when m_counted was counted
    std::string m_author;
    std::shared_ptr<const RunStatistics> m_counted;
};

} // namespace tilewright::ui
