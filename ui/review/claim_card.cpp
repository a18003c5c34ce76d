// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/claim_card.h"

#include "core/model/conversation.h"
#include "ui/models/format.h"
#include "ui/models/statistics_model.h"
#include "ui/theme/theme.h"

#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

ClaimCard::ClaimCard(QWidget* parent)
    : QFrame(parent)
    , m_claim(new QLabel(this))
    , m_record(new QLabel(this))
{
    setProperty("role", u"inset"_s);
    setObjectName(u"claimCard"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(12), px(8), px(12), px(8));
    column->setSpacing(px(3));
    auto* title = new QLabel(tr("Expected impact"), this);
    title->setFont(fontOf(Type::Secondary));
    title->setProperty("tone", u"secondary"_s);
    m_record->setObjectName(u"claimRecord"_s);
    m_claim->setFont(fontOf(Type::Strong));
    m_record->setFont(fontOf(Type::Secondary));
    m_record->setProperty("tone", u"secondary"_s);
    for (QLabel* label : {m_claim, m_record}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
    }
    column->addWidget(title);
    column->addWidget(m_claim);
    column->addStretch(1);
    column->addWidget(m_record);
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

void ClaimCard::show(const Snapshot& snapshot, const Candidate& candidate)
{
    const Proposal* proposal = snapshot.run.proposal(candidate.proposal);
    const QString claim = proposal ? text(proposal->claim).simplified() : QString();
    m_claim->setText(claim.isEmpty() ? tr("It claims nothing.") : claim);
    m_claim->setToolTip(claim);
    const std::string author = proposal ? authorOf(snapshot.run, *proposal) : std::string();
    QString record = tr("Nothing of %1 was measured yet.").arg(text(author));
    if (snapshot.statistics)
        for (const PromptStatistics& each : snapshot.statistics->byModel)
            if (each.model == author && each.meanGain) {
                const QString mean = meanGainWords(each);
                record = tr("Edits of %1 so far: %2 measured, %3")
                             .arg(text(author), grouped(each.ranked),
                                 mean.isEmpty() ? tr("too few for a mean") : tr("change on average %1").arg(mean));
            }
    const ClaimRecord& claims = claimsOf(snapshot, author);
    const double points = 100 * claims.medianExcess;
    if (claims.measured > 0)
        record = (std::abs(points) < 0.05 ? tr("Its past claims: as measured, median of %1")
                         : points > 0     ? tr("Its past claims: %2 points too much, median of %1")
                                          : tr("Its past claims: %2 points too little, median of %1"))
                     .arg(grouped(claims.measured))
                     .replace(u"%2"_s, QString::number(std::abs(points), 'f', 1))
            + u'\n' + record;
    m_record->setText(record);
}

} // namespace tilewright::ui
