// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/quick_result.h"

#include "core/model/claim.h"
#include "ui/models/figures.h"
#include "ui/models/format.h"
#include "ui/models/rule_words.h"
#include "ui/shapes/effect_axis.h"
#include "ui/shapes/shapes_table.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

const Evaluation* quickResultOf(const RunState& run, CandidateId candidate)
{
    const Evaluation* newest = nullptr;
    for (const Evaluation* evaluation : evaluationsOf(run, candidate)) {
        if (evaluation->result.purpose != Purpose::Rerun)
            break; // its verdict: what was measured again after that is another matter
        newest = evaluation;
    }
    return newest;
}

/// Beside the incumbent, which need not be its parent.
static std::optional<ParentChange> quickChange(const Evaluation& quick)
{
    const EvaluationResult& result = quick.result;
    if (result.outcome != Outcome::Ranked || !result.versusIncumbent)
        return std::nullopt;
    return ParentChange{quick.against, *result.versusIncumbent, true, 1, noiseMargin(result.noiseFloor)};
}

QString quickWords(const Evaluation& quick)
{
    const EvaluationResult& result = quick.result;
    if (result.outcome != Outcome::Ranked || !result.versusIncumbent)
        return QuickResult::tr("%1%2").arg(words(result.outcome),
            result.rule.empty() ? QString() : u": %1. %2"_s.arg(ruleWords(result.rule), text(result.text)));
    return QuickResult::tr("%1 beside %2 (%3), from a few samples. It is no verdict: its score comes from the "
                           "measurement after your word.")
        .arg(signedPercent(result.versusIncumbent->value), nameOfCandidate(quick.against), words(result.verdict));
}

QString measuredWords(const RunState& run, const Candidate& candidate)
{
    const std::optional<ParentChange> change = versusParent(run, candidate);
    if (!candidate.score || !change)
        return stateWords(candidate);
    return QuickResult::tr("of the baseline, %1; %2 beside %3 [%4, %5]")
        .arg(stateWords(candidate),
            change->isWithinNoise() ? QuickResult::tr("within noise") : signedPercent(change->ratio.value),
            nameOfCandidate(change->parent), signedPercent(change->ratio.lo), signedPercent(change->ratio.hi));
}

QuickResult::QuickResult(QAction& look, QWidget* parent)
    : QWidget(parent)
    , m_figure(new QLabel(this))
    , m_words(new QLabel(this))
    , m_axis(new EffectAxis(this))
    , m_button(new QPushButton(
          u"%1  %2"_s.arg(tr("Quick result"), look.shortcut().toString(QKeySequence::NativeText)), this))
    , m_shapes(new ShapesTable(u"measuredShapes"_s, this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(12), px(10), px(12), px(12));
    column->setSpacing(px(8));
    m_figure->setObjectName(u"quickFigure"_s);
    m_figure->setFont(fontOf(Type::Figure));
    m_words->setObjectName(u"quickWords"_s);
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_words->setFont(fontOf(Type::Secondary));
    m_words->setProperty("tone", u"secondary"_s);
    m_button->setObjectName(u"quickResult"_s);
    m_button->setProperty("kind", u"small"_s);
    column->addWidget(m_figure);
    column->addWidget(m_axis);
    column->addWidget(m_words);
    column->addWidget(m_button, 0, Qt::AlignLeft);
    column->addWidget(m_shapes);
    connect(m_button, &QPushButton::clicked, &look, &QAction::trigger);
    const auto follow = [this, &look] {
        m_button->setToolTip(look.toolTip());
        m_button->setEnabled(look.isEnabled());
    };
    follow();
    connect(&look, &QAction::changed, this, follow);
}

void QuickResult::show(const RunState& run, const Candidate& candidate, const Task* task, Device device)
{
    const Evaluation* quick = quickResultOf(run, candidate.id);
    const bool waits = candidate.stage == Stage::Review, looks = waits && openRerunOf(run, candidate.id);
    const bool isMeasured = !waits && candidate.score;
    const Evaluation* shown = isMeasured ? run.evaluation(candidate.latest) : quick;
    const auto figure = isMeasured ? candidate.score : quick ? quick->result.score : std::nullopt;
    m_figure->setVisible(figure.has_value());
    if (figure)
        m_figure->setText(u"%1%2 %3"_s.arg(isMeasured ? QString() : u"≈ "_s, times(figure->value), halfWidth(*figure)));
    const auto change = isMeasured ? versusParent(run, candidate) : quick ? quickChange(*quick) : std::nullopt;
    const Proposal* proposal = run.proposal(candidate.proposal);
    const bool isBesideParent = change && !candidate.parents.empty() && change->parent == candidate.parents.front();
    m_axis->setVisible(change.has_value());
    m_axis->show(change, proposal && isBesideParent ? claimedRatio(proposal->claim) : std::nullopt);
    m_axis->setToolTip(m_axis->accessibleName());
    m_button->setVisible(waits);
    const bool isElsewhere = device == Device::Elsewhere;
    m_words->setText(looks && isElsewhere
            ? tr("A quick result was asked for; it comes where the device of this session is.")
            : looks      ? tr("A quick result was asked for; it comes once the device is free.")
            : isMeasured ? measuredWords(run, candidate)
            : quick      ? quickWords(*quick)
            : waits && isElsewhere
            ? tr("Not measured yet. It is measured only on the device of this session, which is not on this machine.")
            : waits
            ? tr("Not measured yet. Approving puts it into the queue; its score comes from that measurement alone.")
            : candidate.stage == Stage::Rejected ? tr("It was not measured.")
                                                 : measuredWords(run, candidate));
    m_shapes->show(candidate, shown, task);
}

} // namespace tilewright::ui
