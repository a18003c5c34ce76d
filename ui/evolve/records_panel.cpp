// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/evolve/records_panel.h"

#include "ui/devices/queue_model.h"
#include "ui/evolve/candidate_table.h"
#include "ui/evolve/log_panel.h"
#include "ui/evolve/models_panel.h"
#include "ui/niches/niche_panel.h"
#include "ui/review/waiting_table.h"
#include "ui/theme/theme.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/room.h"

#include <QApplication>
#include <QEvent>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>
#include <utility>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

RecordsPanel::RecordsPanel(const ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_title(new DockTitle({}, this))
    , m_tabs(new QTabBar(this))
    , m_stack(new QStackedWidget(this))
    , m_candidates(new CandidateTable(context, this))
    , m_log(new LogPanel(context, this))
    , m_niches(new NichePanel(context, this))
    , m_waiting(new WaitingTable(context, this))
    , m_jobs(new QueueTable(context, u"jobs"_s, this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_stack);
    m_stack->addWidget(m_candidates);
    m_stack->addWidget(m_log);
    m_stack->addWidget(new ModelsPanel(context, this));
    m_stack->addWidget(m_niches);
    m_stack->addWidget(m_waiting);
    m_stack->addWidget(m_jobs);
    m_tabs->setObjectName(u"recordTabs"_s);
    m_tabs->setAccessibleName(tr("Candidates, event log, models, niches, review queue and jobs"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->addTab(tr("Candidates"));
    m_tabs->addTab(tr("Event log"));
    m_tabs->addTab(tr("Models"));
    m_tabs->addTab(tr("Niches"));
    m_tabs->addTab(tr("Review queue"));
    m_tabs->addTab(tr("Jobs"));
    m_title->addLeading(m_tabs);
    connect(m_tabs, &QTabBar::currentChanged, m_stack, &QStackedWidget::setCurrentIndex);
    // Once its page is shown: who clicks on the log's tab means the log by what is typed next.
    connect(
        m_tabs, &QTabBar::tabBarClicked, this,
        [this] {
            if (m_stack->currentWidget() == m_log)
                m_log->setFocus();
        },
        Qt::QueuedConnection);
    connect(m_candidates, &CandidateTable::menuRequested, this, &RecordsPanel::menuRequested);
    connect(m_waiting, &WaitingTable::counted, this, [this] { refresh(); });
    connect(m_waiting, &WaitingTable::opened, this, &RecordsPanel::reviewOpened);
    connect(&context.session, &SessionClient::changed, this, [this] { refresh(); });
    connect(&context.session, &SessionClient::editChecksChanged, this, [this] { refresh(); });
    connect(m_candidates, &CandidateTable::countsChanged, this, [this] { refresh(); });
    connect(m_log, &LogPanel::filtered, this, [this] { refresh(); });
    refresh();
}

void RecordsPanel::showTab(int index) { m_tabs->setCurrentIndex(index); }

void RecordsPanel::showEventLine(int row)
{
    showTab(m_stack->indexOf(m_log));
    m_log->goTo(row);
}

bool RecordsPanel::find()
{
    const bool isInLog = m_log->isAncestorOf(QApplication::focusWidget());
    if (isInLog)
        m_log->find();
    return isInLog;
}

void RecordsPanel::setTableTwin(bool table) { m_niches->setTableTwin(table); }

void RecordsPanel::refresh()
{
    const RunState& run = m_context.session.run();
    const auto name
        = [](const QString& word, std::size_t count) { return count ? u"%1  %2"_s.arg(word).arg(count) : word; };
    const int all = m_candidates->all(), shown = m_candidates->matching();
    m_tabs->setTabText(0,
        shown < all && m_candidates->isFiltered()
            ? u"%1  %2"_s.arg(tr("Candidates"), tr("%1 of %2").arg(shown).arg(all))
            : name(tr("Candidates"), static_cast<std::size_t>(all)));
    m_tabs->setTabText(1,
        m_log->isFiltered()
            ? u"%1  %2"_s.arg(tr("Event log"), tr("%1 of %2").arg(m_log->matching()).arg(run.log.size()))
            : name(tr("Event log"), run.log.size()));
    m_tabs->setTabText(4, name(tr("Review queue"), static_cast<std::size_t>(m_waiting->count())));
    m_jobs->refresh();
    m_tabs->setTabText(5, name(tr("Jobs"), static_cast<std::size_t>(m_jobs->jobs())));
    fitTabs();
}

/// They stand closer where they would not fit otherwise.
void RecordsPanel::fitTabs()
{
    QStringList names;
    for (int i = 0; i < m_tabs->count(); ++i)
        names << m_tabs->tabText(i);
    if (std::exchange(m_fitted, {names, width()}) == std::pair(names, width()))
        return;
    const auto stand = [this](const QString& kind) {
        restyle(m_tabs, "kind", kind);
        QEvent changed(QEvent::StyleChange); // it knows the widths of its tabs by heart
        QApplication::sendEvent(m_tabs, &changed);
    };
    stand({});
    const int others = m_title->layout()->minimumSize().width() - m_tabs->minimumSizeHint().width();
    if (m_tabs->sizeHint().width() + others > width())
        stand(u"dense"_s);
}

void RecordsPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitTabs();
}

} // namespace tilewright::ui
