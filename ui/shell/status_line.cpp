// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/status_line.h"

#include "core/model/steadiness.h"
#include "ui/models/format.h"
#include "ui/shell/message_log.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QToolButton>
#include <algorithm>
#include <cmath>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
constexpr int widest = 320; ///< of a text in the line
constexpr int mostOfAWarning = 180; ///< that stays to be read in a narrow window; others give way
} // namespace

StatusLine::StatusLine(const Desk& desk, const MessageLog& log, QWidget* parent)
    : QFrame(parent)
    , m_desk(desk)
    , m_log(log)
    , m_messages(new QToolButton(this))
    , m_summary(new ElidedLabel({}, this))
{
    setProperty("role", u"footer"_s);
    setFixedHeight(px(24));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(px(10), 0, px(12), 0);
    row->setSpacing(px(14));
    m_file = add(u"file"_s, u"statusFile"_s, tr("Session file"));
    m_device = add(u"cpu"_s, u"statusDevice"_s, tr("Device that measures"));
    m_temperature = add(u"therm"_s, u"statusTemperature"_s, tr("Temperature of the device"));
    m_clock = add(u"clock"_s, u"statusClock"_s, tr("Clock frequency as observed; it is never set"));
    m_queue = add(u"queue"_s, u"statusQueue"_s, tr("Candidates under way, by stage"));
    m_noise = add(u"wave"_s, u"statusNoise"_s, tr("Noise floor: 95th percentile of a program against itself"));
    m_isolation = add(u"shield"_s, u"statusIsolation"_s, tr("How candidates are kept apart from this machine"));
    row->addStretch(1);
    m_summary->setObjectName(u"statusSummary"_s);
    m_summary->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_summary->setFont(fontOf(Type::Secondary));
    m_summary->setProperty("tone", u"secondary"_s);
    row->addWidget(m_summary);
    m_messages->setObjectName(u"statusMessages"_s);
    m_messages->setAutoRaise(true);
    m_messages->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_messages->setFont(fontOf(Type::Secondary));
    m_messages->setMaximumHeight(px(22));
    connect(m_messages, &QToolButton::clicked, &desk.actions[u"help.messages"_s], &QAction::trigger);
    connect(&log, &MessageLog::unseenChanged, this, &StatusLine::showUnseen);
    row->addWidget(m_messages);
    showUnseen();
    connect(&desk.session, &Session::changed, this, [this] { refresh(); });
    connect(&Theme::instance(), &Theme::changed, this, [this] { refresh(); });
    refresh();
}

StatusLine::Item StatusLine::add(const QString& icon, const QString& objectName, const QString& tip)
{
    auto* box = new QWidget(this);
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(px(5));
    Item item{box, new QLabel(box), new ElidedLabel({}, box), icon};
    item.text->setFont(fontOf(Type::Secondary));
    item.text->setProperty("tone", u"secondary"_s);
    item.text->setObjectName(objectName);
    item.text->setMaximumWidth(px(widest));
    row->addWidget(item.icon);
    row->addWidget(item.text);
    box->setToolTip(tip);
    layout()->addWidget(box);
    return item;
}

void StatusLine::showUnseen()
{
    const int unseen = m_log.unseen();
    m_messages->setIcon(icon(unseen > 0 ? u"warn"_s : u"info"_s, unseen > 0 ? Tint::Warning : Tint::Secondary));
    m_messages->setText(unseen > 0 ? QString::number(unseen) : QString());
    m_messages->setAccessibleName(unseen > 0 ? tr("Messages, %1 new").arg(unseen) : tr("Messages"));
    m_messages->setToolTip(tr("What was said since the window was opened (F2)"));
}

void StatusLine::set(Item& item, const QString& text, bool warning, const QString& tip)
{
    item.box->setVisible(!text.isEmpty());
    if (item.text->text() != text)
        item.text->setText(text);
    if (!tip.isEmpty())
        item.box->setToolTip(tip);
    item.icon->setAccessibleName(warning ? tr("Warning") : QString());
    item.text->setMinimumWidth(warning ? std::min(item.text->sizeHint().width(), px(mostOfAWarning)) : 0);
    item.icon->setPixmap(iconPixmap(
        warning ? u"warn"_s : item.name, warning ? tokens().warning : tokens().secondary, px(14), devicePixelRatioF()));
}

void StatusLine::showClock(const Snapshot& snapshot)
{
    const double now = snapshot.status.telemetry ? snapshot.status.telemetry->mhz : 0;
    const auto drift = clockDriftOf(snapshot.run);
    QString words = now > 0 ? u"%1 MHz"_s.arg(now, 0, 'f', 0) : QString();
    QString tip = tr("Clock frequency as observed; it is never set");
    if (drift) {
        if (words.isEmpty())
            words = u"%1 MHz"_s.arg(drift->nowMhz, 0, 'f', 0);
        words = tr("%1, drifted %2").arg(words, signedPercent(1 + drift->share()));
        tip = tr("The newest timings ran at %1 MHz, the run's first ones at %2 MHz: scores from different times are "
                 "compared with wider intervals. The clock is observed, never set.")
                  .arg(drift->nowMhz, 0, 'f', 0)
                  .arg(drift->firstMhz, 0, 'f', 0);
    }
    set(m_clock, words, drift.has_value(), tip);
}

void StatusLine::showNoise(const RunState& run)
{
    // That of the session: the device may have been measured by another one.
    const bool isHigh = isNoisy(run.noiseFloor);
    QString tip = tr("Noise floor: 95th percentile of a program against itself");
    if (isHigh)
        tip += u'\n' + tr("Above %1 it hides small gains: they read “within noise”").arg(percent(noisyFrom));
    set(m_noise,
        run.noiseFloor > 0 ? tr("noise floor ± %1").arg(percent(run.noiseFloor)) : tr("noise floor not measured yet"),
        isHigh, tip);
}

void StatusLine::refresh()
{
    const Snapshot& snapshot = m_desk.session.snapshot();
    const EngineStatus& status = snapshot.status;
    const RunState& run = snapshot.run;
    if (!status.sessionOpen) {
        set(m_file, tr("no session file"));
        for (Item* item : {&m_device, &m_temperature, &m_clock, &m_queue, &m_noise, &m_isolation})
            set(*item, {});
        m_summary->setText({});
        return;
    }
    QString file = QFileInfo(text(status.sessionPath)).fileName();
    if (status.readOnly && !status.opening)
        file += tr(" · read-only");
    else if (status.unsaved)
        file += tr(" · not saved");
    else if (!status.savedAtUtc.empty())
        file += tr(" · saved %1").arg(clockTime(status.savedAtUtc));
    set(m_file, file, (status.readOnly && !status.opening) || status.unsaved, text(status.sessionPath));
    QString device = text(status.deviceName.empty() ? run.device : status.deviceName);
    if (!run.otherDevices.empty())
        device = tr("%1 × %2").arg(run.otherDevices.size() + 1).arg(device);
    const bool connected = !status.deviceName.empty();
    set(m_device, device.isEmpty() ? tr("no device yet") : connected ? device : tr("%1, not connected").arg(device));
    const bool telemetry = status.telemetry.has_value();
    set(m_temperature,
        telemetry && status.telemetry->temperature ? u"%1 °C"_s.arg(*status.telemetry->temperature, 0, 'f', 0)
                                                   : QString());
    showClock(snapshot);
    QStringList queue;
    const std::pair<int, QString> stages[] = {{status.proposing, tr("proposing")}, {status.queued, tr("waiting")},
        {status.building, tr("building")}, {status.checking, tr("checking")}, {status.measuring, tr("measuring")}};
    for (const auto& [count, name] : stages)
        if (count > 0)
            queue << u"%1 %2"_s.arg(count).arg(name);
    if (run.waitingReviews > 0)
        queue << tr("%1 in review").arg(run.waitingReviews);
    m_queue.text->setMaximumWidth(status.waiting.empty() ? px(widest) : QWIDGETSIZE_MAX); // why it waits, in full
    if (!status.waiting.empty())
        set(m_queue, text(status.waiting), true, text(status.waiting));
    else
        set(m_queue, queue.isEmpty() ? tr("queue empty") : tr("queue: %1").arg(queue.join(u", "_s)), false,
            tr("Candidates under way, by stage"));
    showNoise(run);
    std::string isolation = status.isolation;
    if (isolation.empty() && run.deviceFacts.is_object())
        isolation = run.deviceFacts.value("isolation", "");
    set(m_isolation, isolation.empty() ? QString() : tr("isolation: %1").arg(text(isolation)), isolation == "reduced");
    if (status.opening) {
        m_summary->setText(tr("reading the record: %1 %").arg(std::floor(*status.opening * 100), 0, 'f', 0));
        return;
    }
    QStringList summary;
    const QString phases[] = {tr("created"), tr("running"), tr("paused"), tr("finished"), tr("stopped")};
    const bool elsewhere = status.readOnly && status.phase == events::Phase::Running;
    summary << (status.pausing ? tr("pausing")
            : elsewhere        ? tr("running when it was opened")
                               : phases[static_cast<int>(status.phase)]);
    if (status.evaluationsPerMinute > 0 && status.phase == events::Phase::Running)
        summary << tr("%1 evaluations/min").arg(status.evaluationsPerMinute, 0, 'f', 1);
    if (!run.phaseReason.empty() && status.phase != events::Phase::Running)
        summary << text(run.phaseReason);
    if (summary.size() > 1 && summary.last().startsWith(summary.first())) // "paused by hand" says it all
        summary.removeFirst();
    m_summary->setText(summary.join(u" · "_s));
}

} // namespace tilewright::ui
