// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/inspector_header.h"

#include "core/model/requests/conversation.h"
#include "core/model/reviews/review_queue.h"
#include "core/model/tuning_record.h"
#include "ui/models/best_words.h"
#include "ui/models/candidate_model.h"
#include "ui/models/display_text.h"
#include "ui/models/figures.h"
#include "ui/models/score_words.h"
#include "ui/theme/theme.h"
#include "ui/widgets/pill.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLayout>
#include <QPushButton>
#include <algorithm>
#include <functional>
#include <vector>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

constexpr qsizetype mostOfReason = 120; ///< characters, about two lines: the figures and shapes beneath need the room

InspectorHeader::InspectorHeader(QWidget* parent)
    : QWidget(parent)
    , m_name(new QLabel(this))
    , m_badge(new Badge(this))
    , m_best(new Pill(this))
    , m_state(new Pill(this))
    , m_newBest(new QLabel(this))
    , m_reference(new QLabel(this))
    , m_parents(new QLabel(this))
    , m_edited(new QLabel(this))
    , m_change(new QLabel(this))
    , m_reason(new QLabel(this))
    , m_judged(new QLabel(this))
    , m_marks(new QLabel(this))
    , m_disputed(new QLabel(this))
{
    m_name->setFont(fontOf(Type::MonoTitle));
    m_name->setObjectName(u"candidateName"_s);
    m_best->setObjectName(u"bestPill"_s);
    m_state->setObjectName(u"statePill"_s);
    m_parents->setObjectName(u"candidateParents"_s);
    m_edited->setObjectName(u"candidateEdited"_s);
    m_newBest->setObjectName(u"newBest"_s);
    m_newBest->setProperty("tone", u"good"_s);
    m_newBest->setVisible(false);
    for (QLabel* label : {m_newBest, m_parents, m_edited}) {
        label->setTextFormat(Qt::RichText);
        label->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
        connect(label, &QLabel::linkActivated, this,
            [this](const QString& link) { Q_EMIT chosen(candidateFromName(link.toStdString())); });
    }
    m_reference->setObjectName(u"isReference"_s);
    m_reference->setProperty("tone", u"accent"_s);
    m_reference->setTextFormat(Qt::RichText);
    m_reference->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    m_reference->setVisible(false);
    connect(m_reference, &QLabel::linkActivated, this, &InspectorHeader::referenceLeft);
    m_change->setObjectName(u"candidateChange"_s);
    m_reason->setProperty("tone", u"secondary"_s);
    m_marks->setObjectName(u"candidateMarks"_s);
    m_marks->setProperty("tone", u"accent"_s);
    m_judged->setObjectName(u"candidateJudged"_s);
    m_judged->setProperty("tone", u"secondary"_s);
    m_disputed->setObjectName(u"candidateDisputed"_s);
    m_disputed->setProperty("tone", u"warning"_s);
    for (QLabel* label :
        {m_newBest, m_reference, m_parents, m_edited, m_change, m_reason, m_judged, m_marks, m_disputed})
        label->setWordWrap(true);
    for (QLabel* label : {m_change, m_reason, m_judged, m_marks, m_disputed})
        label->setTextFormat(Qt::PlainText);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(px(4));
    auto* row = new QHBoxLayout;
    row->setSpacing(px(6));
    row->addWidget(m_name);
    row->addWidget(m_badge);
    row->addStretch(1);
    row->addWidget(m_best);
    row->addWidget(m_state);
    column->addLayout(row);
    column->addWidget(m_newBest);
    column->addWidget(m_reference);
    column->addWidget(m_marks);
    column->addWidget(m_disputed);
    column->addWidget(m_parents);
    column->addWidget(m_edited);
    column->addWidget(m_change);
    column->addWidget(m_reason);
    column->addWidget(m_judged);
}

/// What a user put in its place, or what it was written in place of; either can be gone to.
void InspectorHeader::showEdit(const RunState& run, const Candidate& candidate)
{
    const CandidateId into = editedInto(run, candidate);
    const QString other = nameOfCandidate(into ? into : editedFrom(run, candidate));
    QString words = text(wordsOfEdit(run, candidate)).toHtmlEscaped();
    m_edited->setVisible(!words.isEmpty());
    m_edited->setText(words.replace(other, u"<a href=\"%1\" style=\"text-decoration:none\">%1</a>"_s.arg(other)));
    m_edited->setAccessibleName(text(wordsOfEdit(run, candidate)));
}

void InspectorHeader::tellNewBest(const Candidate* best)
{
    m_newBest->setVisible(best != nullptr);
    if (!best)
        return;
    const QString words = tr("New best: %1, %2").arg(u"%1"_s, times(best->score));
    const QString name = nameOfCandidate(best->id);
    m_newBest->setText(words.arg(u"<a href=\"%1\" style=\"text-decoration:none\">%1</a>"_s.arg(name)));
    m_newBest->setAccessibleName(words.arg(name));
}

void InspectorHeader::tellReference(bool isReference, const QString& key)
{
    m_reference->setVisible(isReference);
    if (!isReference)
        return;
    const QString is = tr("This is your reference: figures and diffs of other candidates are compared with it.");
    const QString another = tr("%1 on another candidate makes that one the reference.").arg(key);
    m_reference->setText(u"%1 %2 <a href=\"parents\" style=\"text-decoration:none\">%3</a>"_s.arg(
        is.toHtmlEscaped(), another.toHtmlEscaped(), tr("Compare with parents again").toHtmlEscaped()));
    m_reference->setAccessibleName(is + u' ' + another);
}

void InspectorHeader::show(const RunState& run, const Candidate& candidate)
{
    m_name->setText(nameOfCandidate(candidate.id));
    m_badge->setIsland(candidate.island);
    const Island* island = run.island(candidate.island);
    const QString where = u"%1 · %2"_s.arg(
        island ? text(island->name).toHtmlEscaped() : QString(), tr("generation %1").arg(candidate.generation));
    const Candidate* best = run.best();
    if (best && best->id == candidate.id)
        m_best->show(tr("best"), Pill::Mood::Good, u"star"_s);
    else
        m_best->setVisible(false);
    if (candidate.takenBack)
        m_state->show(stateWords(candidate), Pill::Mood::Plain, u"x"_s);
    else if (candidate.disputed)
        m_state->show(stateWords(candidate), Pill::Mood::Warning, u"warn"_s);
    else if (candidate.audited)
        m_state->show(tr("audited"), Pill::Mood::Good, u"shield"_s);
    else if (candidate.confirmed)
        m_state->show(tr("confirmed"), Pill::Mood::Good, u"check"_s);
    else if (candidate.outcome == Outcome::Quarantined)
        m_state->show(stateWords(candidate), Pill::Mood::Warning, u"warn"_s);
    else if (isFailure(candidate) || isEndedByPerson(candidate))
        m_state->show(stateWords(candidate), Pill::Mood::Bad, u"x"_s);
    else if (isEditedByPerson(candidate))
        m_state->show(stateWords(candidate), Pill::Mood::Plain, u"edit"_s);
    else
        m_state->show(stateWords(run, candidate), Pill::Mood::Plain, candidate.isRanked() ? u"wave"_s : u"hourglass"_s);

    QStringList parents;
    for (const CandidateId id : candidate.parents) {
        const Candidate* parent = run.candidate(id);
        const QString letter = parent ? u" (%1)"_s.arg(text(islandLetter(parent->island))) : QString();
        parents << u"<a href=\"%1\" style=\"text-decoration:none\">%1</a>%2"_s.arg(nameOfCandidate(id), letter);
    }
    const Proposal* proposal = run.proposal(candidate.proposal);
    QString line = parents.isEmpty()
        ? tr("The seed of the task")
        : tr("%1 %2").arg(parents.size() > 1 ? tr("Parents") : tr("Parent"), parents.join(u" × "_s));
    if (proposal && !parents.isEmpty())
        line += u" · %1, %2"_s.arg(text(authorOf(run, *proposal)).toHtmlEscaped(), words(proposal->focus));
    const Candidate* base = run.candidate(tuningBase(run, candidate.id));
    if (base && isTunedFirst(run, *base))
        if (const TuningRecord record = tuningOf(run, base->id); record.tried > 0)
            line += u" · "_s
                + counted(static_cast<std::int64_t>(record.tried), tr("%1 tuned version, best %2"),
                    tr("%1 tuned versions, best %2"))
                      .arg(u"<a href=\"%1\" style=\"text-decoration:none\">%1</a>"_s.arg(nameOfCandidate(record.best)));
    m_parents->setText(where + u" · "_s + line);
    m_parents->setAccessibleName(tr("Parents"));
    m_parents->setToolTip(
        proposal && !proposal->why.empty() ? tr("Why this parent: %1").arg(text(proposal->why)) : QString());
    showEdit(run, candidate);
    const QString change = candidate.parents.empty() ? QString() : changeWords(run, candidate);
    m_change->setText(change);
    const QString idea = proposal ? text(proposal->reasoning).simplified() : QString();
    m_reason->setText(beginningOf(idea, mostOfReason));
    m_change->setVisible(!change.isEmpty() && !idea.contains(change)); // what follows says it
    m_reason->setToolTip(idea.isEmpty() ? QString() : text(proposal->reasoning));
    m_reason->setVisible(!idea.isEmpty());
    const QString judged = text(wordsOf(run, judgementOf(run, candidate.id)));
    m_judged->setText(judged);
    m_judged->setVisible(!judged.isEmpty());
    const QString marks = markWords(run, candidate);
    m_marks->setText(marks);
    m_marks->setAccessibleName(tr("Marks: %1").arg(marks));
    const QString disputed = disputeWords(run, candidate);
    m_disputed->setText(disputed);
    m_disputed->setVisible(!disputed.isEmpty());
    m_marks->setVisible(!marks.isEmpty());
}

InspectorActions::InspectorActions(const ViewContext& context, QWidget* parent)
    : ActionBar(parent)
{
    setObjectName(u"inspectorActions"_s);
    layout()->setContentsMargins(px(8), px(6), px(8), px(6)); // the pane is narrow
    offer(context, u"candidate.more"_s, u"fork"_s, tr("Evolve"));
    offer(context, u"candidate.rerun-more"_s, u"redo"_s, tr("Measure again"));
    offer(context, u"candidate.inject"_s, u"edit"_s, tr("Edit"));
    addStretch();
    QPushButton* menu = addButton(u"inspectorMenu"_s, {}, u"⋯"_s, Kind::Flat);
    menu->setAccessibleName(tr("All commands for this candidate"));
    menu->setToolTip(menu->accessibleName());
    connect(menu, &QPushButton::clicked, this,
        [this, menu] { Q_EMIT menuRequested(menu->mapToGlobal(QPoint(0, menu->height()))); });
}

void InspectorActions::offer(const ViewContext& context, const QString& id, const QString& sign, const QString& words)
{
    QAction& action = context.actions[id];
    QPushButton* button = addButton(u"inspector:"_s + id, sign, words);
    button->setAccessibleName(words);
    const auto follow = [button, &action] {
        button->setToolTip(action.toolTip());
        button->setEnabled(action.isEnabled());
    };
    connect(button, &QPushButton::clicked, &action, &QAction::trigger);
    connect(&action, &QAction::changed, button, follow);
    follow();
    m_offers.push_back({button, words});
}

QSize InspectorActions::minimumSizeHint() const
{
    QSize least = ActionBar::minimumSizeHint();
    for (const Offer& offer : m_offers)
        if (!offer.button->text().isEmpty())
            least.rwidth() -= fontMetrics().horizontalAdvance(offer.words);
    return least;
}

void InspectorActions::resizeEvent(QResizeEvent* event)
{
    ActionBar::resizeEvent(event);
    fit();
}

bool InspectorActions::event(QEvent* event)
{
    const bool done = ActionBar::event(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange || event->type() == QEvent::Polish)
        fit();
    return done;
}

void InspectorActions::fit()
{
    const auto needed = [this] {
        int width = 0;
        for (const QPushButton* each : findChildren<QPushButton*>())
            width += each->sizeHint().width() + px(8); // with the gap
        return width + px(8);
    };
    for (const Offer& offer : m_offers)
        offer.button->setText(offer.words);
    // The longest words give way first: the fewest are lost so.
    std::vector<const Offer*> longestFirst;
    for (const Offer& offer : m_offers)
        longestFirst.push_back(&offer);
    std::ranges::stable_sort(longestFirst, std::greater(), [](const Offer* each) { return each->words.size(); });
    for (const Offer* each : longestFirst)
        if (needed() > width())
            each->button->setText({});
}

} // namespace tilewright::ui
