// SPDX-License-Identifier: GPL-3.0-or-later
// The Devices mode: what devices, builds and models did and do, what waits, and what is known of each device. Does no
// work while it is hidden. GUI thread.
#pragma once

#include "ui/devices/calls_model.h"
#include "ui/devices/queue_model.h"
#include "ui/session/screen.h"
#include "ui/session/view_context.h"

#include <QWidget>

class QLabel;
class QStackedWidget;
class QVBoxLayout;

namespace tilewright::ui {

class ConditionsPanel;
class DeviceCard;
class DockTitle;
class NoisePanel;
class Table;
class TimelinePanel;
class Workspace;

class DevicesPage : public QWidget, public Screen
{
    Q_OBJECT

public:
    explicit DevicesPage(const ViewContext& context, QWidget* parent = nullptr);
    QWidget& asWidget() override { return *this; }
    Workspace* docks() override { return m_docks; }
    QString statusText() override;
    TimelinePanel& timeline() { return *m_timeline; }
    void setTableTwin(bool table) override;
    void setLoading(bool loading) override;
    bool canFit() const override { return true; }
    void fitPlots() override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* buildQueue();
    QWidget* buildCalls();
    QWidget* buildCards();
    QWidget* buildFacts();
    void refresh();
    void showDevices();

    ViewContext m_context;
    QStackedWidget* m_stack;
    Workspace* m_docks;
    TimelinePanel* m_timeline;
    DockTitle *m_queueTitle, *m_callsTitle, *m_cardsTitle, *m_conditionsTitle;
    Table* m_callsTable;
    QLabel* m_callsTrouble; ///< whole, where the table cuts it
    QStackedWidget* m_callsStack;
    QueueTable* m_queue;
    CallsModel m_calls;
    NoisePanel* m_noise;
    ConditionsPanel* m_conditions;
    QVBoxLayout* m_cardColumn;
    QLabel* m_noDevice;
    std::vector<DeviceCard*> m_cards;
};

} // namespace tilewright::ui
