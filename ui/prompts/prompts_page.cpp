// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompts/prompts_page.h"

#include "ui/prompts/open_prompts_page.h"
#include "ui/prompts/templates_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/segments.h"

#include <QApplication>
#include <QFrame>
#include <QHBoxLayout>
#include <QStackedWidget>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

PromptsPage::PromptsPage(const ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_parts(new Segments(tr("Page of the Prompts mode"), {tr("Templates"), tr("Waiting for a reply")}, this))
    , m_stack(new QStackedWidget(this))
    , m_templates(new TemplatesPage(context, this))
    , m_open(new OpenPromptsPage(context, this))
{
    setObjectName(u"promptsPage"_s);
    m_parts->setObjectName(u"promptsParts"_s);
    m_stack->addWidget(m_templates);
    m_stack->addWidget(m_open);
    auto* bar = new QFrame(this);
    bar->setProperty("role", u"panel"_s);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(px(12), px(6), px(12), px(6));
    row->addWidget(m_parts);
    row->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(m_stack, 1);
    connect(m_parts, &Segments::chosen, this, [this](int part) {
        m_chosen = true;
        m_stack->setCurrentIndex(part);
    });
    connect(m_stack, &QStackedWidget::currentChanged, this, &PromptsPage::partChanged);
    connect(&context.session, &SessionClient::replaced, this, [this] { m_chosen = false; });
    connect(&context.session, &SessionClient::changed, this, [this] { refresh(); });
    refresh();
}

Workspace* PromptsPage::docks() { return &m_templates->workspace(); }

void PromptsPage::show(Part part)
{
    m_chosen = true;
    bring(part);
}

void PromptsPage::setLoading(bool loading)
{
    m_templates->setLoading(loading);
    m_open->setLoading(loading);
}

void PromptsPage::find()
{
    if (m_stack->currentIndex() == Templates)
        m_templates->find();
    else
        m_open->find();
}

void PromptsPage::bring(Part part)
{
    m_parts->setCurrent(part);
    m_stack->setCurrentIndex(part);
}

PromptsPage::Part PromptsPage::part() const { return static_cast<Part>(m_stack->currentIndex()); }

void PromptsPage::choose(ModelRequestId modelRequest)
{
    show(Open);
    m_open->choose(modelRequest);
}

/// Where a user proposes, what waits for them comes first, unless they write in the other part.
void PromptsPage::refresh()
{
    const QWidget* written = QApplication::focusWidget();
    const bool isAtWork = written && isVisible() && m_stack->currentWidget()->isAncestorOf(written);
    if (!m_chosen && !isAtWork)
        bring(m_context.session.snapshot().status.answersByHand ? Open : Templates);
}

QString PromptsPage::statusText()
{
    const EngineStatus& status = m_context.session.snapshot().status;
    const std::size_t open = status.answersByHand ? status.openModelRequests.size() : 0;
    if (part() == Open)
        return open == 0 ? tr("no prompt waits for a reply")
                         : counted(static_cast<std::int64_t>(open), tr("%1 prompt waits for a reply"),
                             tr("%1 prompts wait for a reply"));
    const TemplateKey chosen = m_templates->chosen();
    return chosen.island ? tr("%1, island %2").arg(titleOf(chosen.name), text(islandLetter(chosen.island)))
                         : tr("%1, all islands").arg(titleOf(chosen.name));
}

int PromptsPage::badge() const
{
    const EngineStatus& status = m_context.session.snapshot().status;
    return status.answersByHand ? static_cast<int>(status.openModelRequests.size()) : 0;
}

} // namespace tilewright::ui
