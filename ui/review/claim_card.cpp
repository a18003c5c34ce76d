// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/claim_card.h"

#include "core/model/claim_statements.h"
#include "core/model/requests/conversation.h"
#include "ui/models/best_words.h"
#include "ui/models/display_text.h"
#include "ui/models/statistics_model.h"
#include "ui/theme/theme.h"

#include <QGridLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

QString nameOf(ClaimedResource resource)
{
    switch (resource) {
    case ClaimedResource::Registers:
        return ClaimCard::tr("Registers");
    case ClaimedResource::SharedMemory:
        return ClaimCard::tr("Shared memory");
    case ClaimedResource::Spills:
        return ClaimCard::tr("Spills");
    case ClaimedResource::Occupancy:
        return ClaimCard::tr("Occupancy");
    case ClaimedResource::MachineCode:
        break;
    }
    return ClaimCard::tr("Machine code");
}

QString subjectOf(const ClaimStatement& statement)
{
    if (statement.of == ClaimStatement::Of::Resource)
        return nameOf(statement.resource);
    QStringList shapes;
    for (const Shape& shape : statement.shapes)
        shapes << text(shapeText(shape));
    return shapes.isEmpty() ? ClaimCard::tr("Speed") : shapes.join(u", "_s);
}

} // namespace

ClaimCard::ClaimCard(QWidget* parent)
    : QFrame(parent)
    , m_grid(new QGridLayout(this))
{
    setProperty("role", u"inset"_s);
    setObjectName(u"claimCard"_s);
    m_grid->setContentsMargins(px(12), px(8), px(12), px(8));
    m_grid->setHorizontalSpacing(px(12));
    m_grid->setVerticalSpacing(px(3));
    m_grid->setColumnStretch(0, 1);
    m_grid->setColumnStretch(1, 1);
}

/// A pass over all candidates: made anew only where the run's statistics were, or for another author.
const ClaimRecord& ClaimCard::claimsOf(const Snapshot& snapshot, const std::string& author)
{
    if (author != m_author || snapshot.statistics != m_counted || !snapshot.statistics) {
        m_claims = claimRecordOf(snapshot.run, author);
        m_author = author;
        m_counted = snapshot.statistics;
    }
    return m_claims;
}

/// The first row is the card's title; what is claimed of the speed as such stands beside it.
std::vector<ClaimCard::Row> ClaimCard::claimRows(const std::string& claim) const
{
    std::vector<Row> rows{{tr("Expected impact"), {}, Row::Kind::Claim}};
    for (const ClaimStatement& statement : claimStatements(claim)) {
        const QString words = text(statement.words).simplified();
        if (statement.of == ClaimStatement::Of::Other)
            rows.push_back({{}, words, Row::Kind::Words});
        else if (statement.of == ClaimStatement::Of::Speed && rows.front().words.isEmpty())
            rows.front().words = words;
        else
            rows.push_back({subjectOf(statement), words, Row::Kind::Claim});
    }
    if (rows.size() == 1 && rows.front().words.isEmpty())
        rows.push_back({{}, tr("No effect claimed."), Row::Kind::Words});
    return rows;
}

std::vector<ClaimCard::Row> ClaimCard::recordRows(const Snapshot& snapshot, const std::string& author)
{
    std::vector<Row> rows;
    const ClaimRecord& claims = claimsOf(snapshot, author);
    if (const QString words = pastClaimsWords(claims); !words.isEmpty())
        rows.push_back(
            {tr("Accuracy of its past claims"), words, claimsTooMuch(claims) ? Row::Kind::Warning : Row::Kind::Record});
    QString record = tr("none measured yet");
    if (snapshot.statistics)
        for (const PromptStatistics& each : snapshot.statistics->byModel)
            if (each.model == author && each.meanGain) {
                const QString mean = meanGainWords(each);
                record = tr("%1 measured, %2")
                             .arg(grouped(each.ranked),
                                 mean.isEmpty() ? tr("too few for a mean") : tr("on average %1").arg(mean));
            }
    rows.push_back({tr("Edits of %1").arg(text(author)), record, Row::Kind::Record});
    return rows;
}

void ClaimCard::show(const Snapshot& snapshot, const Candidate& candidate)
{
    const Proposal* proposal = snapshot.run.proposal(candidate.proposal);
    const std::string claim = proposal ? proposal->claim : std::string();
    setToolTip(text(claim).simplified());
    std::vector<Row> rows = claimRows(claim);
    for (Row& row : recordRows(snapshot, proposal ? authorOf(snapshot.run, *proposal) : std::string()))
        rows.push_back(std::move(row));
    if (rows != m_rows)
        lay(rows);
}

void ClaimCard::lay(const std::vector<Row>& rows)
{
    m_rows = rows;
    for (QLabel* label : m_labels)
        delete label;
    m_labels.clear();
    for (int line = 0; line < m_grid->rowCount(); ++line)
        m_grid->setRowStretch(line, 0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        const int line = static_cast<int>(i);
        const bool isLabelled = !row.label.isEmpty(), hasWords = !row.words.isEmpty();
        if (isLabelled)
            put(row.label, Row::Kind::Record, line, 0, hasWords ? 1 : 2).setObjectName(u"claimLabel"_s);
        if (!hasWords)
            continue;
        QLabel& words = put(row.words, row.kind, line, isLabelled ? 1 : 0, isLabelled ? 1 : 2);
        words.setObjectName(u"claimWords"_s);
        words.setAlignment((isLabelled ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignTop);
        words.setAccessibleName(isLabelled ? u"%1: %2"_s.arg(row.label, row.words) : row.words);
    }
    m_grid->setRowStretch(static_cast<int>(rows.size()), 1); // what is left is below
}

QLabel& ClaimCard::put(const QString& words, Row::Kind kind, int line, int column, int columns)
{
    auto* label = new QLabel(phrasesTogether(words), this);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    label->setFont(fontOf(kind == Row::Kind::Claim ? Type::Strong
            : kind == Row::Kind::Words             ? Type::Body
                                                   : Type::Secondary));
    if (kind == Row::Kind::Record)
        label->setProperty("tone", u"secondary"_s);
    if (kind == Row::Kind::Warning)
        label->setProperty("tone", u"warning"_s);
    m_grid->addWidget(label, line, column, 1, columns);
    m_labels.push_back(label);
    return *label;
}

JudgementLine::JudgementLine(const ViewContext& context, QWidget* parent)
    : ShortenedText(u"reviewJudged"_s, parent)
    , m_context(context)
{
    label().setProperty("tone", u"secondary"_s);
    setVisible(false);
    connect(&context.session, &SessionClient::failed, this,
        [this](const QString&, const QString& words, const QString& hint) {
            if (!std::exchange(m_isAsking, false))
                return;
            m_refused = hint.isEmpty() ? words : tr("%1 — %2").arg(words, hint);
            tell();
        });
}

void JudgementLine::ask()
{
    m_isAsking = true;
    m_refused.clear();
    m_context.session.execute(commands::RequestJudgement{m_candidate});
}

void JudgementLine::show(CandidateId candidate)
{
    if (std::exchange(m_candidate, candidate) != candidate) {
        m_refused.clear();
        m_isAsking = false;
    }
    tell();
}

void JudgementLine::tell()
{
    const RunState& run = m_context.session.run();
    const JudgementOf judgement = judgementOf(run, m_candidate);
    if (judgement.waiting || (judgement.asked && judgement.asked->state == ModelRequestState::Open)) {
        m_isAsking = false; // somebody was asked
        m_refused.clear();
    }
    const QString words = m_refused.isEmpty() ? ui::text(wordsOf(run, judgement)) : m_refused;
    setWords(words);
    setVisible(!words.isEmpty());
}

namespace {

constexpr qsizetype mostShown = 420; ///< characters
constexpr int wholeHeight = 190; ///< about ten lines; the diff below keeps its room

} // namespace

ShortenedText::ShortenedText(const QString& name, QWidget* parent)
    : QWidget(parent)
    , m_beginning(new QLabel(this))
    , m_whole(new QPlainTextEdit(this))
    , m_more(new QPushButton(this))
{
    m_beginning->setObjectName(name);
    m_beginning->setTextFormat(Qt::PlainText);
    m_beginning->setWordWrap(true);
    m_beginning->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_whole->setObjectName(name + u"Whole"_s);
    m_whole->setReadOnly(true);
    m_whole->setFrameShape(QFrame::NoFrame);
    m_whole->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_whole->setTabChangesFocus(true);
    m_whole->document()->setDocumentMargin(0);
    m_whole->setFixedHeight(px(wholeHeight));
    m_more->setObjectName(name + u"More"_s);
    m_more->setProperty("kind", u"small"_s);
    m_more->setCheckable(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(px(4));
    column->addWidget(m_beginning);
    column->addWidget(m_whole);
    column->addWidget(m_more, 0, Qt::AlignLeft);
    connect(m_more, &QPushButton::toggled, this, &ShortenedText::showWhole);
    setWords({});
}

void ShortenedText::setWords(const QString& words)
{
    const bool isLong = words.size() > mostShown;
    m_more->setVisible(isLong);
    if (words == m_words && isLong)
        return; // it may be read on
    m_words = words;
    m_beginning->setText(beginningOf(words, mostShown));
    m_whole->setPlainText(isLong ? words : QString());
    m_more->setChecked(false);
    showWhole(false);
}

void ShortenedText::showWhole(bool on)
{
    m_whole->setFont(m_beginning->font());
    m_beginning->setVisible(!on);
    m_whole->setVisible(on);
    m_more->setText(on ? tr("Show less") : tr("Show all"));
}

} // namespace tilewright::ui
