// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/section_list.h"

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/welcome/recent_list.h"
#include "ui/welcome/start_from.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/tone.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

SectionList::SectionList(const Desk& desk, QWidget* parent)
    : QFrame(parent)
    , m_startFrom(new StartFrom(this))
    , m_recent(new RecentList(desk, this))
    , m_note(new QLabel(this))
{
    setProperty("role", u"side"_s);
    setFixedWidth(px(268));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(16), px(16), px(16), px(12));
    column->setSpacing(px(4));
    auto* title = new QLabel(tr("New session"), this);
    title->setFont(fontOf(Type::Title));
    auto* about = new QLabel(tr("Seven choices. Each has a safe default, so Start works at once."), this);
    about->setWordWrap(true);
    about->setProperty("tone", u"secondary"_s);
    column->addWidget(title);
    column->addWidget(about);
    column->addSpacing(px(8));
    for (const Section section : sections) {
        auto* line = new QHBoxLayout;
        auto* button = new QToolButton(this);
        button->setText(nameOf(section));
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setMinimumHeight(px(30));
        button->setIconSize(QSize(px(16), px(16)));
        auto* summary = new ElidedLabel({}, this);
        summary->setFont(fontOf(Type::Secondary));
        summary->setProperty("tone", u"secondary"_s);
        summary->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        line->addWidget(button);
        line->addWidget(summary, 1);
        column->addLayout(line);
        m_rows.push_back({button, summary});
        connect(button, &QToolButton::clicked, this, [this, section] { Q_EMIT chosen(section); });
    }
    column->addSpacing(px(10));
    column->addWidget(m_startFrom);
    column->addSpacing(px(10));
    auto* openTitle = new QLabel(tr("Go on with"), this);
    openTitle->setFont(fontOf(Type::Strong));
    column->addWidget(openTitle);
    column->addWidget(m_recent, 100); // as much as it has rows; then the room stays below the buttons
    connect(m_recent, &RecentList::openRequested, this, &SectionList::openRequested);
    connect(m_recent, &RecentList::looked, this, [this] {
        m_startFrom->offer(m_recent->readable());
        Q_EMIT recentChanged();
    });
    for (const QString& id : {u"file.open"_s, u"file.demo"_s, u"file.gpuDemo"_s}) {
        QAction& action = desk.actions[id];
        auto* button = new QPushButton(action.icon(), action.text().remove(u'&'), this);
        button->setToolTip(action.toolTip());
        button->setEnabled(action.isEnabled());
        connect(button, &QPushButton::clicked, &action, &QAction::trigger);
        connect(&action, &QAction::changed, button, [button, &action] { button->setEnabled(action.isEnabled()); });
        column->addWidget(button, 0, Qt::AlignLeft);
        column->addSpacing(px(2));
    }
    auto* own = new QPushButton(icon(u"plus"_s, Tint::Secondary), tr("Bring your own kernel"), this);
    own->setObjectName(u"ownKernelAside"_s);
    own->setToolTip(tr("Make a task of a C++ function of yours"));
    connect(own, &QPushButton::clicked, this, &SectionList::ownKernelWanted);
    column->addWidget(own, 0, Qt::AlignLeft);
    column->addStretch(1);
    m_note->setWordWrap(true);
    m_note->setFont(fontOf(Type::Secondary));
    m_note->setObjectName(u"choicesNote"_s);
    column->addWidget(m_note);
}

std::vector<SessionSketch> SectionList::recent() const { return m_recent->sketches(); }

void SectionList::setJudging(bool judging) { m_note->setVisible(judging); }

void SectionList::show(const SessionChoices& choices)
{
    QString problem;
    for (std::size_t i = 0; i < sections.size(); ++i) {
        const QString found = problemOf(choices, sections[i]);
        m_rows[i].button->setIcon(found.isEmpty() ? icon(u"check"_s, Tint::Good) : icon(u"warn"_s, Tint::Bad));
        m_rows[i].button->setToolTip(found);
        m_rows[i].button->setAccessibleName(
            u"%1: %2"_s.arg(nameOf(sections[i]), found.isEmpty() ? tr("valid") : found));
        m_rows[i].summary->setText(summaryOf(choices, sections[i]));
        if (problem.isEmpty() && !found.isEmpty())
            problem = found;
    }
    m_note->setText(problem.isEmpty() ? tr("All choices are valid.") : problem);
    restyle(m_note, "tone", problem.isEmpty() ? u"secondary"_s : u"bad"_s);
}

} // namespace tilewright::ui
