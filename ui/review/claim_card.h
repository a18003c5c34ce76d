// SPDX-License-Identifier: GPL-3.0-or-later
// What the author of an edit expects of it, a row for each thing that is claimed, beside what its edits have brought so
// far. GUI thread.
#pragma once

#include "core/engine/snapshot.h"
#include "core/model/claim.h"

#include <QFrame>
#include <vector>

class QGridLayout;
class QLabel;

namespace tilewright::ui {

class ClaimCard : public QFrame
{
    Q_OBJECT

public:
    explicit ClaimCard(QWidget* parent = nullptr);
    void show(const Snapshot& snapshot, const Candidate& candidate);

private:
    struct Row {
        QString label; ///< empty: the words have the row for themselves
        QString words;
        enum class Kind { Claim, Words, Record, Warning } kind = Kind::Claim;

        bool operator==(const Row&) const = default;
    };
    std::vector<Row> claimRows(const std::string& claim) const;
    std::vector<Row> recordRows(const Snapshot& snapshot, const std::string& author);
    void lay(const std::vector<Row>& rows);
    QLabel& put(const QString& words, Row::Kind kind, int line, int column, int columns);
    const ClaimRecord& claimsOf(const Snapshot& snapshot, const std::string& author);

    QGridLayout* m_grid;
    std::vector<Row> m_rows;
    std::vector<QLabel*> m_labels; ///< of the rows, two at most each
    ClaimRecord m_claims; ///< of m_author, when m_counted was counted
    std::string m_author;
    std::shared_ptr<const RunStatistics> m_counted;
};

} // namespace tilewright::ui
