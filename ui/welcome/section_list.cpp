// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/section_list.h"

#include "ui/theme/theme.h"
#include "ui/welcome/recent_list.h"
#include "ui/welcome/start_from.h"
#include "ui/welcome/start_question.h"
#include "ui/widgets/elided_label.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

SectionList::SectionList(const ViewContext& context, QWidget* parent)
    : QFrame(parent)
    , m_startFrom(new StartFrom(this))
    , m_recent(new RecentList(context, this))
    , m_question(new StartQuestion(u"open"_s, StartQuestion::Form::Column, this))
    , m_title(new QLabel(this))
    , m_about(new QLabel(this))
    , m_choosing(new QWidget(this))
{
    setProperty("role", u"side"_s);
    setMinimumWidth(px(256));
    setMaximumWidth(px(268));
    QVBoxLayout* column = buildColumn();
    m_title->setFont(fontOf(Type::Title));
    m_about->setWordWrap(true);
    m_about->setProperty("tone", u"secondary"_s);
    column->addWidget(m_title);
    column->addWidget(m_about);
    column->addSpacing(px(8));
    column->addWidget(m_choosing);
    buildChoices();
    auto* openTitle = new QLabel(tr("Recent sessions"), this);
    openTitle->setFont(fontOf(Type::Strong));
    column->addWidget(openTitle);
    column->addWidget(m_recent, 100); // as much as it has rows; then the room stays below the buttons
    column->addWidget(m_question);
    connect(m_recent, &RecentList::openRequested, this, [this](const QString& path) {
        m_isOpeningWanted = true;
        Q_EMIT openRequested(path);
    });
    connect(m_recent, &RecentList::looked, this, [this] {
        m_startFrom->offer(m_recent->readable());
        Q_EMIT recentChanged();
    });
    buildButtons(context, column);
    column->addStretch(1);
    setChoosing(true);
}

/// In a low window the list scrolls by itself: what it asks for must not push the page, and Start with it, out of
/// sight.
QVBoxLayout* SectionList::buildColumn()
{
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    auto* area = new QScrollArea(this);
    area->setObjectName(u"sectionScroll"_s);
    area->setProperty("role", u"plain"_s);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    auto* inside = new QWidget(area);
    inside->setProperty("role", u"plain"_s);
    auto* column = new QVBoxLayout(inside);
    column->setContentsMargins(px(16), px(16), px(16), px(12));
    column->setSpacing(px(4));
    area->setWidget(inside);
    whole->addWidget(area);
    return column;
}

/// What only the page of choices needs.
void SectionList::buildChoices()
{
    auto* column = new QVBoxLayout(m_choosing);
    column->setContentsMargins(0, 0, 0, px(10));
    column->setSpacing(0);
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
}

void SectionList::buildButtons(const ViewContext& context, QVBoxLayout* column)
{
    for (const QString& id : {u"file.open"_s, u"file.demo"_s, u"file.gpuDemo"_s}) {
        QAction& action = context.actions[id];
        auto* button = new QPushButton(action.icon(), action.text().remove(u'&'), this);
        button->setToolTip(action.toolTip());
        button->setEnabled(action.isEnabled());
        connect(button, &QPushButton::clicked, this, [this, &action] {
            m_isOpeningWanted = true;
            action.trigger();
        });
        connect(&action, &QAction::changed, button, [button, &action] { button->setEnabled(action.isEnabled()); });
        column->addWidget(button, 0, Qt::AlignLeft);
        column->addSpacing(px(2));
    }
    auto* own = new QPushButton(icon(u"plus"_s, Tint::Secondary), tr("Bring your own kernel"), this);
    own->setObjectName(u"ownKernelAside"_s);
    own->setToolTip(tr("Create a task from a C++ function"));
    connect(own, &QPushButton::clicked, this, &SectionList::ownKernelWanted);
    column->addWidget(own, 0, Qt::AlignLeft);
}

bool SectionList::askBeforeOpening(const QString& question, const QString& agree, std::function<void()> does)
{
    const bool isWantedHere = std::exchange(m_isOpeningWanted, false) && isVisible();
    if (!isWantedHere) {
        m_question->putAway(); // of an earlier steering request
        return false;
    }
    m_question->ask(question, agree, std::move(does));
    auto* area = findChild<QScrollArea*>(u"sectionScroll"_s);
    QTimer::singleShot(0, m_question, [this, area] { area->ensureWidgetVisible(m_question); }); // once it has its place
    return true;
}

void SectionList::putQuestionAway() { m_question->putAway(); }

std::vector<SessionSketch> SectionList::recent() const { return m_recent->sketches(); }

void SectionList::setChoosing(bool choosing)
{
    m_title->setText(choosing ? tr("New session") : tr("Your own kernel"));
    m_about->setText(choosing ? tr("Eight sections. Each has a default, so Start works at once.")
                              : tr("It becomes a task. Its device and budgets are chosen after that."));
    m_choosing->setVisible(choosing);
}

void SectionList::show(const SessionChoices& choices)
{
    for (std::size_t i = 0; i < sections.size(); ++i) {
        const QString found = problemOf(choices, sections[i]);
        m_rows[i].button->setIcon(found.isEmpty() ? icon(u"check"_s, Tint::Good) : icon(u"warn"_s, Tint::Bad));
        m_rows[i].button->setToolTip(found);
        m_rows[i].button->setAccessibleName(
            u"%1: %2"_s.arg(nameOf(sections[i]), found.isEmpty() ? tr("valid") : found));
        m_rows[i].summary->setText(summaryOf(choices, sections[i]));
    }
}

} // namespace tilewright::ui
