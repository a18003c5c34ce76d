// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/devices_page.h"

#include "ui/devices/conditions_panel.h"
#include "ui/devices/device_card.h"
#include "ui/devices/noise_panel.h"
#include "ui/devices/timeline_panel.h"
#include "ui/docks/workspace.h"
#include "ui/models/display_text.h"
#include "ui/models/statistics_model.h"
#include "ui/session/no_session.h"
#include "ui/theme/theme.h"
#include "ui/widgets/pane.h"
#include "ui/widgets/table.h"

#include <QDockWidget>
#include <QLabel>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int layoutVersion = 3;
constexpr double widestWords = 240; ///< in the table of models

QLabel* note(const QString& name, const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setObjectName(name);
    label->setAlignment(Qt::AlignCenter);
    label->setWordWrap(true);
    label->setMargin(px(12));
    label->setProperty("tone", u"secondary"_s);
    return label;
}

/// The part of the run that one of the session's own devices was at work, what is under way included.
double busyPart(const Snapshot& snapshot, const WorkLanes& lanes, const std::string& device)
{
    const int lane = lanes.find(Lane::Kind::Device, device, 1);
    const auto whole = static_cast<double>(snapshot.status.runNs);
    return lane < 0 || whole <= 0
        ? 0
        : std::min(lanes.workedNs(static_cast<std::size_t>(lane), snapshot.status.runNs) / whole, 1.0);
}

} // namespace

DevicesPage::DevicesPage(const ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_stack(new QStackedWidget(this))
    , m_docks(new Workspace(context.settings, u"devices"_s, layoutVersion, this))
    , m_timeline(new TimelinePanel(context, this))
{
    setObjectName(u"devicesPage"_s);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_stack);
    m_stack->addWidget(withSessionButtons(context,
        note(u"noDevices"_s,
            tr("No session is open. Activity of devices, builds and models is shown here once the first build starts."),
            this),
        this));
    m_docks->setCentralWidget(m_timeline);
    QWidget *queued = buildQueue(), *calls = buildCalls(), *facts = buildFacts();
    QDockWidget* queueDock = m_docks->addDock(u"queueDock"_s, tr("Queue"), m_queueTitle, queued);
    QDockWidget* callsDock = m_docks->addDock(u"callsDock"_s, tr("Models"), m_callsTitle, calls);
    m_conditionsTitle = new DockTitle(tr("Conditions"), this);
    m_conditions = new ConditionsPanel(context, *m_conditionsTitle, this);
    QDockWidget* conditionsDock
        = m_docks->addDock(u"conditionsDock"_s, tr("Conditions"), m_conditionsTitle, m_conditions);
    QDockWidget* cardsDock = m_docks->addDock(u"cardsDock"_s, tr("Devices"), m_cardsTitle, facts);
    m_docks->setNarrowVariant();
    m_docks->setArrangement([this, queueDock, callsDock, cardsDock, conditionsDock] {
        m_docks->addDockWidget(Qt::RightDockWidgetArea, cardsDock);
        m_docks->addDockWidget(Qt::BottomDockWidgetArea, conditionsDock);
        m_docks->addDockWidget(Qt::BottomDockWidgetArea, queueDock);
        m_docks->addDockWidget(Qt::BottomDockWidgetArea, callsDock);
        if (m_docks->isSlim()) { // one place for all three
            m_docks->tabifyDockWidget(queueDock, callsDock);
            m_docks->tabifyDockWidget(callsDock, conditionsDock);
        } else {
            m_docks->splitDockWidget(conditionsDock, queueDock, Qt::Horizontal);
            if (m_docks->isNarrow()) { // side by side both tables would be cut
                m_docks->tabifyDockWidget(queueDock, callsDock);
                queueDock->raise();
            } else {
                m_docks->splitDockWidget(queueDock, callsDock, Qt::Horizontal);
            }
        }
        m_docks->resizeDocks({cardsDock}, {px(316)}, Qt::Horizontal);
        if (m_docks->isNarrow())
            m_docks->resizeDocks({conditionsDock, queueDock}, {px(392), px(708)}, Qt::Horizontal);
        else
            m_docks->resizeDocks({conditionsDock, queueDock, callsDock}, {px(392), px(304), px(404)}, Qt::Horizontal);
        m_docks->resizeDocks({queueDock}, {px(230)}, Qt::Vertical);
    });
    m_docks->resetLayout();
    m_stack->addWidget(m_docks);
    connect(&context.session, &SessionClient::changed, this, &DevicesPage::refresh);
    connect(&context.session, &SessionClient::editChecksChanged, this, &DevicesPage::refresh);
}

QWidget* DevicesPage::buildQueue()
{
    auto* side = new QFrame(this);
    side->setProperty("role", u"panel"_s);
    side->setMinimumWidth(px(240));
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    m_queueTitle = new DockTitle(tr("Queue"), side);
    m_queue = new QueueTable(m_context, u"queue"_s, side);
    column->addWidget(m_queue);
    return side;
}

QWidget* DevicesPage::buildCalls()
{
    auto* side = new QFrame(this);
    side->setProperty("role", u"panel"_s);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_callsTitle = new DockTitle(tr("Models"), side);
    m_callsTable = new Table(side);
    m_callsTable->setObjectName(u"callsTable"_s);
    m_callsTable->setAccessibleName(tr("Requests, tokens, cost and failures by model"));
    m_callsTable->setModel(&m_calls);
    m_callsTable->setColumns({{72}, {56, 0, true}, {40}, {44}, {48}, {52}, {56}});
    m_callsStack = new QStackedWidget(side);
    m_callsStack->addWidget(note(u"noCalls"_s, tr("No model was asked in this session."), side));
    m_callsStack->addWidget(m_callsTable);
    column->addWidget(m_callsStack, 1);
    m_callsTrouble = new QLabel(side);
    m_callsTrouble->setObjectName(u"callsTrouble"_s);
    m_callsTrouble->setTextFormat(Qt::PlainText);
    m_callsTrouble->setWordWrap(true);
    m_callsTrouble->setFont(fontOf(Type::Secondary));
    m_callsTrouble->setProperty("tone", u"warning"_s);
    m_callsTrouble->setContentsMargins(px(8), px(4), px(8), px(6));
    m_callsTrouble->hide();
    column->addWidget(m_callsTrouble);
    return side;
}

QWidget* DevicesPage::buildCards()
{
    auto* area = new QScrollArea(this);
    area->setObjectName(u"deviceCards"_s);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setMinimumWidth(px(290));
    auto* content = new QFrame(area);
    content->setProperty("role", u"panel"_s);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_cardsTitle = new DockTitle(tr("Devices"), this);
    m_noDevice = note(u"noDevice"_s, tr("No device has reported yet."), content);
    auto* cards = new QWidget(content);
    m_cardColumn = new QVBoxLayout(cards);
    m_cardColumn->setContentsMargins(px(10), px(10), px(10), px(10));
    m_cardColumn->setSpacing(px(8));
    column->addWidget(m_noDevice);
    column->addWidget(cards);
    column->addStretch(1);
    area->setWidget(content);
    return area;
}

/// However many cards there are, the noise floor is seen below them.
QWidget* DevicesPage::buildFacts()
{
    auto* side = new QFrame(this);
    side->setProperty("role", u"panel"_s);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_noise = new NoisePanel(m_context, side);
    m_noise->setMaximumHeight(px(260));
    column->addWidget(buildCards(), 16);
    column->addWidget(m_noise, 5);
    return side;
}

void DevicesPage::setTableTwin(bool table)
{
    m_timeline->setTableTwin(table);
    m_noise->setTableTwin(table);
    m_conditions->setTableTwin(table);
}

void DevicesPage::setLoading(bool loading) { m_timeline->setLoading(loading); }
void DevicesPage::fitPlots()
{
    m_timeline->fit();
    m_conditions->fit();
}

void DevicesPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void DevicesPage::refresh()
{
    if (!isVisible())
        return; // a snapshot comes ten times a second
    const Snapshot& snapshot = m_context.session.snapshot();
    const RunState& run = snapshot.run;
    m_stack->setCurrentIndex(m_context.session.isOpen() ? 1 : 0);
    m_timeline->refresh();
    m_noise->refresh();
    m_conditions->refresh();
    showDevices();
    m_queue->refresh();
    m_queueTitle->setSubText(m_queue->summary());
    m_calls.show(snapshot);
    m_callsTable->growColumns(widestWords);
    const QString troubles = m_calls.troubles();
    m_callsTrouble->setText(troubles);
    m_callsTrouble->setVisible(!troubles.isEmpty());
    m_callsStack->setCurrentIndex(m_calls.rowCount() > 0 ? 1 : 0);
    m_callsTitle->setSubText(run.modelRequests.empty()
            ? QString()
            : tr("%1 tokens · cost %2")
                  .arg(grouped(run.tokensSpent), spentWords(run.costMicroUsd, run.unpriced, run.tokensSpent)));
}

void DevicesPage::showDevices()
{
    const Snapshot& snapshot = m_context.session.snapshot();
    const std::vector<DeviceFacts> devices = devicesOf(
        snapshot, [&](const std::string& device) { return busyPart(snapshot, m_timeline->lanes(), device); });
    m_noDevice->setVisible(devices.empty());
    while (m_cards.size() < devices.size()) {
        m_cards.push_back(new DeviceCard(this));
        m_cards.back()->setObjectName(u"deviceCard%1"_s.arg(m_cards.size()));
        m_cardColumn->addWidget(m_cards.back());
    }
    for (std::size_t i = 0; i < m_cards.size(); ++i) {
        m_cards[i]->setVisible(i < devices.size());
        if (i < devices.size())
            m_cards[i]->show(devices[i]);
    }
}

QString DevicesPage::statusText()
{
    return counted(static_cast<std::int64_t>(m_context.session.run().work.devices.size()), tr("%1 device in use"),
        tr("%1 devices in use"));
}

} // namespace tilewright::ui
