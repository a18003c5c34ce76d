// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/guided_demo.h"

#include "ui/lab/lab_page.h"
#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

const GuidedDemo* guidedDemo(const QString& id)
{
    const auto at = std::ranges::find(guidedDemos(), id, &GuidedDemo::id);
    return at == guidedDemos().end() ? nullptr : &*at;
}

DemoBar::DemoBar(LabPage& lab, QWidget* parent)
    : QFrame(parent)
    , m_lab(lab)
    , m_title(new QLabel(this))
    , m_caption(new QLabel(this))
    , m_figures(new QLabel(this))
    , m_notes(new QLabel(this))
    , m_stepOf(new QLabel(this))
    , m_back(new QPushButton(icon(u"back"_s), tr("Back"), this))
    , m_next(new QPushButton(icon(u"forward"_s), tr("Next"), this))
    , m_showsNotes(new QPushButton(icon(u"chat"_s), tr("Notes"), this))
{
    setObjectName(u"demoBar"_s);
    setFrameShape(QFrame::StyledPanel);
    m_title->setFont(fontOf(Type::Strong));
    m_stepOf->setFont(fontOf(Type::Secondary));
    m_stepOf->setObjectName(u"demoStep"_s);
    m_caption->setObjectName(u"demoCaption"_s);
    m_caption->setFont(fontOf(Type::Title));
    m_caption->setWordWrap(true);
    m_figures->setObjectName(u"demoFigures"_s);
    m_notes->setObjectName(u"demoNotes"_s);
    m_notes->setFont(fontOf(Type::Secondary));
    for (QLabel* each : {m_figures, m_notes})
        each->setWordWrap(true);
    m_action = new QPushButton(this);
    m_action->setObjectName(u"demoAction"_s);
    m_action->setAccessibleName(tr("Action of this step")); // until it has words of its own
    connect(m_action, &QPushButton::clicked, this, [this] {
        if (isRunning() && now().action)
            now().action->run(m_lab);
    });
    m_showsNotes->setObjectName(u"demoShowNotes"_s);
    m_showsNotes->setToolTip(tr("What the speaker may say and ask; the presenter view shows it"));
    m_showsNotes->setCheckable(true);
    connect(m_showsNotes, &QPushButton::toggled, this, &DemoBar::showNotes);
    m_back->setObjectName(u"demoBack"_s);
    m_next->setObjectName(u"demoNext"_s);
    m_next->setDefault(true);
    auto* worksheet = new QPushButton(icon(u"file"_s), tr("Worksheet"), this);
    worksheet->setObjectName(u"demoWorksheet"_s);
    worksheet->setToolTip(tr("Questions on this demo with answers, to print"));
    auto* close = new QPushButton(icon(u"x"_s), QString(), this);
    close->setObjectName(u"demoClose"_s);
    close->setToolTip(tr("End the demo"));
    close->setAccessibleName(tr("End the demo"));
    auto* head = new QHBoxLayout;
    head->addWidget(m_title);
    head->addWidget(m_stepOf);
    head->addStretch(1);
    for (QPushButton* each : {m_action, m_showsNotes, worksheet, m_back, m_next, close})
        head->addWidget(each);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(px(12), px(8), px(12), px(10));
    column->addLayout(head);
    column->addWidget(m_caption);
    column->addWidget(m_figures);
    column->addWidget(m_notes);
    connect(m_back, &QPushButton::clicked, this, [this] { go(m_step - 1); });
    connect(m_next, &QPushButton::clicked, this, [this] { go(m_step + 1); });
    connect(worksheet, &QPushButton::clicked, this, [this] { Q_EMIT m_lab.pageWanted(m_demo->worksheet); });
    connect(close, &QPushButton::clicked, this, &DemoBar::end);
    for (const auto& [key, by] : {std::pair(Qt::Key_PageUp, -1), std::pair(Qt::Key_PageDown, 1)}) {
        auto* shortcut = new QShortcut(key, &lab, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, [this, by = by] {
            if (isRunning())
                go(m_step + by);
        });
    }
    hide();
}

void DemoBar::begin(const GuidedDemo& demo)
{
    m_demo = &demo;
    m_title->setText(demo.title);
    show();
    go(0);
    m_next->setFocus();
}

void DemoBar::end()
{
    m_demo = nullptr;
    hide();
    Q_EMIT changed();
}

void DemoBar::go(int step)
{
    const int last = static_cast<int>(m_demo->steps.size()) - 1;
    m_step = std::clamp(step, 0, last);
    m_caption->setText(now().caption);
    m_stepOf->setText(tr("step %1 of %2").arg(m_step + 1).arg(last + 1));
    m_back->setEnabled(m_step > 0);
    m_next->setEnabled(m_step < last);
    now().show(m_lab);
    refresh();
    showNotes();
    Q_EMIT changed();
}

const DemoStep& DemoBar::now() const { return m_demo->steps[static_cast<std::size_t>(m_step)]; }

void DemoBar::refresh()
{
    if (!isRunning())
        return;
    m_figures->setText(now().figures ? now().figures(m_lab) : QString());
    m_figures->setVisible(!m_figures->text().isEmpty());
    m_action->setVisible(now().action.has_value());
    if (now().action) {
        m_action->setText(now().action->words(m_lab));
        m_action->setAccessibleName(m_action->text());
    }
}

void DemoBar::setPresenting(bool isPresenting) { m_showsNotes->setChecked(isPresenting); }

void DemoBar::showNotes()
{
    if (!isRunning())
        return;
    m_notes->setText(now().notes);
    m_notes->setVisible(m_showsNotes->isChecked() && !m_notes->text().isEmpty());
}

} // namespace tilewright::ui
