// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/review/policy_box.h"

#include "ui/models/format.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <array>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr std::array<ReviewPolicy, 3> policies{ReviewPolicy::Automatic, ReviewPolicy::Risky, ReviewPolicy::Every};

QString aboutPolicy(ReviewPolicy policy)
{
    switch (policy) {
    case ReviewPolicy::Automatic:
        return PolicyBox::tr("Nothing waits: what builds and passes its first check is measured.");
    case ReviewPolicy::Risky:
        return PolicyBox::tr(
            "A change waits for you when it needed a repair, changes more than 40 lines, touches types, "
            "casts, atomics, intrinsics, pragmas or the launch plan, draws a warning, or is the first to "
            "use a part of the hardware.");
    case ReviewPolicy::Every:
        return PolicyBox::tr("Every change waits for you before it is measured.");
    }
    return {};
}

} // namespace

PolicyBox::PolicyBox(QWidget* parent)
    : QFrame(parent)
    , m_island(new QComboBox(this))
    , m_policy(new QComboBox(this))
    , m_about(new QLabel(this))
    , m_reason(new QLabel(this))
{
    setProperty("role", u"footer"_s);
    setObjectName(u"policyBox"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(12), px(8), px(12), px(10));
    column->setSpacing(px(6));
    auto* title = new QLabel(tr("Review policy"), this);
    title->setFont(fontOf(Type::Strong));
    auto* row = new QHBoxLayout;
    row->setSpacing(px(6));
    m_island->setObjectName(u"policyIsland"_s);
    m_island->setAccessibleName(tr("Island whose policy is shown"));
    m_policy->setObjectName(u"reviewPolicy"_s);
    m_policy->setAccessibleName(tr("Review policy"));
    m_policy->addItems({tr("Ask never"), tr("Ask when risky"), tr("Ask always")});
    for (QComboBox* box : {m_island, m_policy})
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    row->addWidget(m_island, 1);
    row->addWidget(m_policy, 1);
    column->addWidget(title);
    column->addLayout(row);
    column->addWidget(m_about);
    column->addWidget(m_reason);
    for (QLabel* label : {m_about, m_reason})
        label->setWordWrap(true);
    m_about->setFont(fontOf(Type::Secondary));
    m_reason->setFont(fontOf(Type::Secondary));
    m_reason->setProperty("tone", u"secondary"_s);
    connect(m_island, &QComboBox::currentIndexChanged, this, [this] { follow(); });
    connect(m_policy, &QComboBox::activated, this, [this](int index) {
        Q_EMIT chosen(IslandId{m_island->currentIndex()}, policies[static_cast<std::size_t>(index)]);
    });
}

void PolicyBox::show(const RunState& run, bool canChange)
{
    m_settings = run.settings;
    const int wanted = static_cast<int>(run.islandCount()) + 1;
    if (m_island->count() != wanted) {
        const QSignalBlocker quiet(m_island);
        m_island->clear();
        m_island->addItem(tr("All islands"));
        for (IslandId island{1}; island.value < wanted; ++island.value)
            m_island->addItem(tr("Island %1").arg(text(islandLetter(island))));
    }
    m_policy->setEnabled(canChange);
    follow();
}

void PolicyBox::follow()
{
    const ReviewPolicy policy = m_settings.reviewPolicyOf(IslandId{std::max(m_island->currentIndex(), 0)});
    m_policy->setCurrentIndex(static_cast<int>(std::ranges::find(policies, policy) - policies.begin()));
    m_about->setText(aboutPolicy(policy));
}

void PolicyBox::setReason(const QString& reason)
{
    m_reason->setText(reason);
    m_reason->setVisible(!reason.isEmpty());
}

} // namespace tilewright::ui
