// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/policy_box.h"

#include "core/model/islands/living_islands.h"
#include "core/model/reviews/review_policies.h"
#include "core/model/reviews/review_queue.h"
#include "ui/models/display_text.h"
#include "ui/review/proposal_editor.h"
#include "ui/session/drafts.h"
#include "ui/theme/theme.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/pill.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPixmap>
#include <QPushButton>
#include <algorithm>
#include <array>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr std::array<ReviewPolicy, 3> policies{ReviewPolicy::Every, ReviewPolicy::Risky, ReviewPolicy::Automatic};

QString aboutPolicy(ReviewPolicy policy)
{
    switch (policy) {
    case ReviewPolicy::Automatic:
        return PolicyBox::tr("No reviews: edits that build and pass the pre-check are measured.");
    case ReviewPolicy::Risky:
        return PolicyBox::tr(
            "An edit needs a review if it needed a repair, changes more than 40 lines, touches types, casts, atomics, "
            "intrinsics, pragmas or the launch plan, causes a warning, or is the first to use a hardware feature.");
    case ReviewPolicy::Every:
        return PolicyBox::tr("Every edit needs a review before it is measured.");
    }
    return {};
}

} // namespace

PolicyBox::PolicyBox(const ViewContext& context, QWidget* parent)
    : QFrame(parent)
    , m_context(context)
    , m_choice(new QBoxLayout(QBoxLayout::LeftToRight))
    , m_island(new QComboBox(this))
    , m_proposer(new QComboBox(this))
    , m_policy(new QComboBox(this))
    , m_limit(new LimitBox(this))
    , m_badge(new Badge(this))
    , m_whose(new QLabel(this))
    , m_about(new QLabel(this))
    , m_consequence(new QLabel(this))
    , m_letThrough(new QPushButton(tr("Approve them"), this))
    , m_fromNowOn(new QPushButton(tr("Only for new edits"), this))
    , m_leave(new QPushButton(tr("Cancel"), this))
{
    setProperty("role", u"footer"_s);
    setObjectName(u"policyBox"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(12), px(8), px(12), px(10));
    column->setSpacing(px(6));
    auto* title = new QHBoxLayout;
    title->setSpacing(px(6));
    m_whose->setObjectName(u"whosePolicy"_s);
    m_whose->setTextFormat(Qt::PlainText);
    m_whose->setWordWrap(true);
    m_whose->setFont(fontOf(Type::Strong));
    m_badge->setObjectName(u"policyBadge"_s);
    title->addWidget(m_badge);
    title->addWidget(m_whose, 1);
    m_choice->setSpacing(px(6));
    m_island->setObjectName(u"policyIsland"_s);
    m_island->setAccessibleName(tr("Island whose policy is shown"));
    m_proposer->setObjectName(u"policyProposer"_s);
    m_proposer->setAccessibleName(tr("Kind of proposer whose policy is shown"));
    m_proposer->addItem(tr("All proposers"));
    for (const ProposerKind kind : proposerKinds)
        m_proposer->addItem(words(kind));
    m_policy->setObjectName(u"reviewPolicy"_s);
    m_policy->setPlaceholderText(tr("By proposer"));
    m_policy->setAccessibleName(tr("Review policy"));
    for (const ReviewPolicy policy : policies)
        m_policy->addItem(words(policy));
    auto* limitRow = new QHBoxLayout;
    limitRow->setSpacing(px(6));
    auto* limitCaption = new QLabel(tr("Review limit per island"), this);
    limitCaption->setBuddy(m_limit);
    limitCaption->setWordWrap(true);
    m_limit->setObjectName(u"reviewLimit"_s);
    m_limit->setAccessibleName(limitCaption->text());
    limitRow->addWidget(limitCaption, 1);
    limitRow->addWidget(m_limit);
    for (QComboBox* box : {m_island, m_proposer, m_policy})
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_choice->addWidget(m_island, 1);
    m_choice->addWidget(m_proposer, 1);
    column->addLayout(title);
    column->addLayout(m_choice);
    column->addWidget(m_policy);
    column->addWidget(m_consequence);
    for (QPushButton* each : {m_letThrough, m_fromNowOn, m_leave}) { // below each other: the pane is narrow
        each->setProperty("kind", u"small"_s);
        column->addWidget(each, 0, Qt::AlignLeft);
    }
    column->addWidget(m_about);
    column->addLayout(limitRow);
    for (QLabel* label : {m_about, m_consequence})
        label->setWordWrap(true);
    m_about->setObjectName(u"aboutPolicy"_s);
    m_consequence->setObjectName(u"policyConsequence"_s);
    m_letThrough->setObjectName(u"letThrough"_s);
    m_letThrough->setToolTip(tr("Apply the policy and measure those edits unread"));
    m_fromNowOn->setObjectName(u"fromNowOn"_s);
    m_fromNowOn->setToolTip(tr("Apply the policy to new edits; pending ones wait for your decision"));
    m_leave->setObjectName(u"leavePolicy"_s);
    m_leave->setToolTip(tr("Keep the current policy"));
    m_about->setFont(fontOf(Type::Secondary));
    for (QComboBox* box : {m_island, m_proposer})
        connect(box, &QComboBox::currentIndexChanged, this, &PolicyBox::settle);
    connect(
        m_policy, &QComboBox::activated, this, [this](int index) { want(policies[static_cast<std::size_t>(index)]); });
    connect(m_limit, &LimitBox::limited, this, &PolicyBox::limited);
    connect(m_letThrough, &QPushButton::clicked, this, [this] { answer(WhatWaits::Approved); });
    connect(m_fromNowOn, &QPushButton::clicked, this, [this] { answer(WhatWaits::Stays); });
    connect(m_leave, &QPushButton::clicked, this, &PolicyBox::settle);
    settle();
}

void PolicyBox::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    const auto needed = [](const QComboBox& box) {
        int widest = 0;
        for (int i = 0; i < box.count(); ++i)
            widest = std::max(widest, box.fontMetrics().horizontalAdvance(box.itemText(i)));
        return widest + px(40); // margins and the arrow
    };
    const int half = (m_choice->geometry().width() - m_choice->spacing()) / 2;
    m_choice->setDirection(
        std::max(needed(*m_island), needed(*m_proposer)) > half ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

IslandId PolicyBox::island() const
{
    const int index = m_island->currentIndex();
    return index < 1 ? IslandId{} : m_listed[static_cast<std::size_t>(index - 1)];
}

PolicyScope PolicyBox::scope() const
{
    const int index = m_proposer->currentIndex();
    return {island(), index < 1 ? std::nullopt : std::optional(proposerKinds[static_cast<std::size_t>(index - 1)])};
}

std::optional<ReviewPolicy> PolicyBox::shownPolicy() const
{
    const ReviewPolicies held = m_settings.reviewPoliciesOf(island());
    const auto kind = scope().proposer;
    return kind ? std::optional(held.of(*kind)) : held.common();
}

QString PolicyBox::aboutShown() const
{
    const auto policy = shownPolicy();
    return policy ? aboutPolicy(*policy)
                  : words(m_settings.reviewPoliciesOf(island())) + u' '
            + tr("A policy chosen here applies to all proposers; choose a proposer to set its own.");
}

void PolicyBox::showIsland(IslandId island)
{
    const auto at = std::ranges::find(m_listed, island);
    m_island->setCurrentIndex(at == m_listed.end() ? 0 : static_cast<int>(at - m_listed.begin()) + 1);
    m_policy->setFocus();
}

void PolicyBox::want(ReviewPolicy policy)
{
    m_wanted = policy;
    follow();
    if (!m_wanted)
        Q_EMIT chosen(scope(), policy, WhatWaits::Approved);
}

void PolicyBox::answer(WhatWaits waiting)
{
    const ReviewPolicy wanted = *m_wanted;
    settle();
    Q_EMIT chosen(scope(), wanted, waiting);
}

void PolicyBox::wantForAll(ReviewPolicy policy)
{
    m_island->setCurrentIndex(0);
    m_proposer->setCurrentIndex(0);
    want(policy);
    if (m_wanted)
        m_letThrough->setFocus();
}

bool PolicyBox::leave()
{
    const bool wasAsked = m_wanted.has_value();
    settle();
    return wasAsked;
}

void PolicyBox::settle()
{
    m_wanted.reset();
    follow();
}

void PolicyBox::show(const RunState& run, bool canChange)
{
    m_settings = run.settings;
    if (const auto listed = islandsWithPolicy(run); m_listed != listed) {
        const QSignalBlocker quiet(m_island);
        const IslandId shown = island();
        m_listed = listed;
        m_island->clear();
        m_island->addItem(tr("All islands"));
        for (const IslandId each : listed)
            m_island->addItem(badgeIcon(each), tr("Island %1").arg(text(islandLetter(each))));
        const auto at = std::ranges::find(m_listed, shown); // whose policy is shown does not change
        m_island->setCurrentIndex(at == m_listed.end() ? 0 : static_cast<int>(at - m_listed.begin()) + 1);
    }
    m_policy->setEnabled(canChange);
    m_limit->setEnabled(canChange);
    m_limit->show(run.settings.reviewLimit);
    if (!canChange)
        m_wanted.reset();
    follow();
}

/// A policy holds for an island, or for all: which, is not to be guessed.
void PolicyBox::sayWhose(const RunState& run)
{
    const IslandId id = this->island();
    const Island* island = run.island(id);
    m_badge->setVisible(bool(id));
    m_badge->setIsland(id);
    m_whose->setText(!id ? tr("Review policy of all islands")
            : island     ? tr("Review policy of island %1, %2").arg(text(islandLetter(id)), text(island->name))
                         : tr("Review policy of island %1").arg(text(islandLetter(id))));
    m_policy->setAccessibleName(m_whose->text());
    m_policy->setToolTip(m_whose->text());
}

void PolicyBox::follow()
{
    const RunState& run = m_context.session.run();
    sayWhose(run);
    const auto through = m_wanted ? letThroughBy(run, scope(), *m_wanted) : std::vector<CandidateId>();
    const auto count = static_cast<std::int64_t>(through.size());
    if (count == 0)
        m_wanted.reset(); // there is nothing to ask about
    // What is wanted does not hold before the user has answered: the box shows what does.
    const auto policy = shownPolicy();
    m_policy->setCurrentIndex(policy ? static_cast<int>(std::ranges::find(policies, *policy) - policies.begin()) : -1);
    const bool isOfAll = !island();
    m_about->setText(aboutShown() + (isOfAll ? exceptions() : QString()) + lowerLimit(island())
        + (m_wanted ? QString() : stillWaits()));
    for (QWidget* part : std::initializer_list<QWidget*>{m_consequence, m_letThrough, m_fromNowOn, m_leave})
        part->setVisible(m_wanted.has_value());
    if (m_wanted) {
        const QString words = counted(count, tr("“%2” would approve %1 that is pending, unread. Not applied yet."),
                                  tr("“%2” would approve %1 that are pending, unread. Not applied yet."))
                                  .arg(ui::words(*m_wanted))
            + (!isOfAll || exceptions().isEmpty() ? QString()
                                                  : u' ' + tr("This includes islands with their own policy."));
        const auto begun = std::ranges::count_if(through,
            [&](CandidateId id) { return m_context.drafts.contains(Drafts::placeOf(editDraft, *run.candidate(id))); });
        m_consequence->setText(begun == 0 ? words
                                          : words + u' '
                    + counted(begun, tr("%1 has an unfinished edit of yours: the original text would be measured."),
                        tr("%1 have unfinished edits of yours: the original texts would be measured.")));
        m_letThrough->setText(tr("Approve %1").arg(count));
    }
}

/// How many may wait of the number that stands below, where they are fewer.
QString PolicyBox::lowerLimit(IslandId island) const
{
    const RunState& run = m_context.session.run();
    const auto limit = lowerLimitOn(run, island);
    return limit ? u' '
            + tr("The limit per island is now %1, not %2: at most a quarter of the remaining evaluations.")
                  .arg(*limit)
                  .arg(run.settings.reviewLimit)
                 : QString();
}

/// Those that wait though the policy does not ask about them: the words on them were taken back.
QString PolicyBox::stillWaits() const
{
    const RunState& run = m_context.session.run();
    std::int64_t count = 0; // a candidate stands on one island
    for (const IslandId each : m_listed)
        if (!island() || each == island())
            count
                += static_cast<std::int64_t>(letThroughByPolicies(run, each, m_settings.reviewPoliciesOf(each)).size());
    return count == 0 ? QString()
                      : u' '
            + counted(count, tr("%1 that is pending waits for your decision."),
                tr("%1 that are pending wait for your decision."));
}

/// Islands that have a policy of their own: " But B: measured without asking."
QString PolicyBox::exceptions() const
{
    QStringList others;
    const RunState& run = m_context.session.run();
    for (const IslandId each : m_listed)
        if (const ReviewPolicies own = m_settings.reviewPoliciesOf(each); own != m_settings.reviewPoliciesOf(IslandId{})
            && livingIsland(run, each)) // one that ended asks for nothing
            others << tr("%1 has “%2”")
                          .arg(text(islandLetter(each)), own.common() ? words(*own.common()) : tr("By proposer"));
    return others.isEmpty() ? QString() : u' ' + tr("Only island %1.").arg(others.join(u", "_s));
}

LimitBox::LimitBox(QWidget* parent)
    : QComboBox(parent)
{
    connect(this, &QComboBox::activated, this, [this] {
        show(limit()); // what is said of it
        Q_EMIT limited(limit());
    });
}

int LimitBox::limit() const { return currentData().toInt(); }

void LimitBox::show(int perIsland)
{
    setToolTip(perIsland > 0
            ? tr("At this number of pending reviews, an island requests no more edits. With “Every edit”, pending "
                 "reviews take at most a quarter of the remaining evaluations, but one on each island.")
            : tr("Islands request edits however many reviews are pending."));
    if (count() > 0 && limit() == perIsland)
        return;
    QList<int> offered{1, 2, 4, 8, 16, 32, 64, 0};
    if (!offered.contains(perIsland))
        offered.insert(std::ranges::find_if(offered, [perIsland](int each) { return each == 0 || each > perIsland; }),
            perIsland); // said on the command line
    clear();
    for (const int each : offered)
        addItem(each > 0 ? QString::number(each) : tr("no limit"), each);
    setCurrentIndex(findData(perIsland));
}

} // namespace tilewright::ui
