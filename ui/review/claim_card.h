// SPDX-License-Identifier: GPL-3.0-or-later
// What the author of an edit expects of it, a row for each thing that is claimed, beside what its edits have brought so
// far. GUI thread.
#pragma once

#include "core/engine/snapshot.h"
#include "core/model/claim.h"
#include "ui/session/view_context.h"

#include <QFrame>
#include <QWidget>
#include <vector>

class QGridLayout;
class QLabel;

class QPlainTextEdit;
class QPushButton;

namespace tilewright::ui {

// Words of any length in a few lines: the beginning, and a button that shows all of them, to be scrolled where they are
// many. GUI thread.

class ShortenedText : public QWidget
{
    Q_OBJECT

public:
    /// `name`: of the words shown, as an object; the button is "nameMore", all the words are "nameWhole".
    explicit ShortenedText(const QString& name, QWidget* parent = nullptr);
    void setWords(const QString& words);
    QLabel& label() { return *m_beginning; }

private:
    void showWhole(bool on);

    QLabel* m_beginning;
    QPlainTextEdit* m_whole;
    QPushButton* m_more;
    QString m_words;
};

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

// What a model said of the edit that is read, or why none could be asked; hidden where nobody was. GUI thread.

class JudgementLine : public ShortenedText
{
    Q_OBJECT

public:
    explicit JudgementLine(const ViewContext& context, QWidget* parent = nullptr);
    /// Asks a model what it thinks of the candidate that is shown.
    void ask();
    void show(CandidateId candidate);

private:
    void tell();

    ViewContext m_context;
    CandidateId m_candidate;
    QString m_refused; ///< why nobody could be asked
    bool m_isAsking = false; ///< the engine has yet to say whether somebody can be
};

} // namespace tilewright::ui
