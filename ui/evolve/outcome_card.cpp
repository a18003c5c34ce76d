// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/outcome_card.h"

#include "ui/evolve/state_sign.h"
#include "ui/models/figures.h"
#include "ui/models/format.h"
#include "ui/models/rule_words.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QGridLayout>
#include <QLabel>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

OutcomeCard::OutcomeCard(QWidget* parent)
    : QFrame(parent)
    , m_icon(new QLabel(this))
    , m_title(new QLabel(this))
    , m_rule(new QLabel(this))
    , m_text(new QLabel(this))
    , m_remedy(new QLabel(this))
    , m_evidence(new QLabel(this))
{
    setProperty("role", u"inset"_s);
    m_title->setFont(fontOf(Type::Strong));
    m_rule->setFont(fontOf(Type::Mono));
    m_evidence->setFont(fontOf(Type::Mono));
    m_rule->setObjectName(u"outcomeRule"_s);
    m_text->setObjectName(u"outcomeText"_s);
    m_remedy->setObjectName(u"outcomeRemedy"_s);
    m_evidence->setObjectName(u"outcomeEvidence"_s);
    m_evidence->setProperty("tone", u"secondary"_s);
    m_rule->setProperty("tone", u"secondary"_s);
    for (QLabel* label : {m_text, m_evidence, m_remedy}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(px(12), px(10), px(12), px(10));
    grid->setHorizontalSpacing(px(8));
    grid->setVerticalSpacing(px(4));
    grid->addWidget(m_icon, 0, 0);
    grid->addWidget(m_title, 0, 1);
    grid->addWidget(m_rule, 0, 2, Qt::AlignRight);
    grid->addWidget(m_text, 1, 1, 1, 2);
    grid->addWidget(m_evidence, 2, 1, 1, 2);
    grid->addWidget(m_remedy, 3, 1, 1, 2);
    grid->setColumnStretch(1, 1);
}

void OutcomeCard::show(const RunState& run, const Candidate& candidate)
{
    const bool failed = isFailure(candidate);
    const bool ended = isEndedByPerson(candidate);
    const StateSign sign = stateSignOf(candidate);
    m_icon->setPixmap(iconPixmap(sign.icon, sign.ink, px(16), devicePixelRatioF()));
    m_title->setText(failed ? words(candidate.outcome) : stateWords(run, candidate));
    m_rule->setText(ended ? QString() : text(candidate.rule)); // there a person spoke, no rule
    QString finding = text(candidate.text);
    if (finding.size() > 600)
        finding = finding.left(600) + tr(" … the whole text is in the build log.");
    if (finding.isEmpty() && ended)
        finding = tr("No reason was given.");
    else if (finding.isEmpty() && !failed)
        finding = tr("Its figures come when it has been measured.");
    m_text->setText(finding);
    const Evaluation* evaluation = run.evaluation(candidate.latest);
    const QString evidence = evaluation ? evidenceText(evaluation->result.evidence) : QString();
    m_evidence->setText(evidence.left(800));
    m_evidence->setVisible(!evidence.isEmpty());
    const QString remedy = failed && !ended ? ruleRemedy(candidate.rule) : QString();
    m_remedy->setText(remedy);
    m_remedy->setVisible(!remedy.isEmpty());
}

} // namespace tilewright::ui
