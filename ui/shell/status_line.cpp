// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/status_line.h"

#include "core/model/islands/living_islands.h"
#include "core/model/measurement/overfitting.h"
#include "core/model/measurement/steadiness.h"
#include "ui/devices/queue_model.h"
#include "ui/exporting/git_lineage.h"
#include "ui/models/activity_words.h"
#include "ui/models/display_text.h"
#include "ui/models/score_words.h"
#include "ui/shell/message_log.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <map>

namespace tilewright::ui {

using namespace Qt::StringLiterals;

namespace {
constexpr int widest = 320; ///< of a text in the line, unless there is room to spare
constexpr int gap = 14, left = 10, right = 12, iconSide = 14, iconGap = 5;

QString clockTip() { return StatusLine::tr("Clock while timing, newest reading; Tilewright never sets it"); }
} // namespace

StatusLine::StatusLine(const ViewContext& context, const MessageLog& log, QWidget* parent)
    : QFrame(parent)
    , m_context(context)
    , m_log(log)
    , m_messages(new QToolButton(this))
{
    setProperty("role", u"footer"_s);
    setFixedHeight(px(24));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(px(left), 0, px(right), 0);
    row->setSpacing(px(gap));
    m_file = add(u"file"_s, u"statusFile"_s, tr("Session file"));
    m_lineage = add(u"fork"_s, u"statusLineage"_s, tr("Lineage in git"));
    m_device = add(u"cpu"_s, u"statusDevice"_s, tr("Device that measurements run on"));
    m_temperature = add(u"therm"_s, u"statusTemperature"_s, tr("Temperature of the device"));
    m_clock = add(u"clock"_s, u"statusClock"_s, clockTip());
    m_queue = add(u"queue"_s, u"statusQueue"_s, tr("Unfinished candidates by stage"));
    m_noise = add(u"wave"_s, u"statusNoise"_s, tr("Noise floor: 95th percentile of a program measured against itself"));
    m_overfitting = add(u"lock"_s, u"statusOverfitting"_s, {});
    m_isolation = add(u"shield"_s, u"statusIsolation"_s, tr("How candidates are isolated from this machine"));
    row->addStretch(1);
    m_summary = add({}, u"statusSummary"_s, {});
    m_summary.text->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_summary.share = QWIDGETSIZE_MAX;
    m_view = add({}, u"statusView"_s, tr("Content of this screen"));
    m_view.share = QWIDGETSIZE_MAX;
    m_messages->setObjectName(u"statusMessages"_s);
    m_messages->setAutoRaise(true);
    m_messages->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_messages->setFont(fontOf(Type::Secondary));
    m_messages->setMaximumHeight(px(22));
    connect(m_messages, &QToolButton::clicked, &context.actions[u"help.messages"_s], &QAction::trigger);
    connect(&log, &MessageLog::unseenChanged, this, &StatusLine::showUnseen);
    row->addWidget(m_messages);
    connect(&context.session, &SessionClient::changed, this, [this] { refresh(); });
    connect(&Theme::instance(), &Theme::changed, this, [this] { refresh(); });
    refresh();
    showUnseen();
}

StatusLine::Item StatusLine::add(const QString& icon, const QString& objectName, const QString& tip)
{
    auto* box = new QWidget(this);
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(px(iconGap));
    Item item{box, new QLabel(box), new ElidedLabel({}, box), icon, tip, {}, false, px(widest)};
    item.icon->setVisible(!icon.isEmpty());
    item.text->setFont(fontOf(Type::Secondary));
    item.text->setProperty("tone", u"secondary"_s);
    item.text->setObjectName(objectName);
    row->addWidget(item.icon);
    row->addWidget(item.text);
    box->setToolTip(tip);
    layout()->addWidget(box);
    return item;
}

void StatusLine::setView(const QString& words)
{
    if (words == m_viewed)
        return;
    m_viewed = words;
    refresh();
}

void StatusLine::showUnseen()
{
    const int unseen = m_log.unseen();
    m_messages->setIcon(icon(unseen > 0 ? u"warn"_s : u"info"_s, unseen > 0 ? Tint::Warning : Tint::Secondary));
    m_messages->setText(unseen > 0 ? QString::number(unseen) : QString());
    m_messages->setAccessibleName(unseen > 0 ? tr("Messages, %1 new").arg(unseen) : tr("Messages"));
    m_messages->setToolTip(tr("Messages since the window was opened (F2)"));
    arrange();
}

void StatusLine::set(Item& item, const QStringList& forms, bool warning, const QString& tip)
{
    item.forms = forms.isEmpty() ? QStringList{QString()} : forms;
    item.warning = warning;
    if (!tip.isEmpty())
        item.tip = tip;
    item.icon->setAccessibleName(warning ? tr("Warning") : item.tip);
    if (!item.name.isEmpty())
        item.icon->setPixmap(iconPixmap(warning ? u"warn"_s : item.name,
            warning ? tokens().warning : tokens().secondary, px(iconSide), devicePixelRatioF()));
}

int StatusLine::wordsOf(const Item& item, qsizetype form)
{
    return item.text->fontMetrics().horizontalAdvance(item.forms[form]) + 2;
}

int StatusLine::widthOf(const Item& item, qsizetype form) const
{
    const QString& words = item.forms[form];
    if (words.isEmpty())
        return 0;
    const int sign = item.name.isEmpty() ? 0 : px(iconSide) + px(iconGap);
    return sign + std::min(wordsOf(item, form), item.share) + px(gap);
}

void StatusLine::show(Item& item, qsizetype form)
{
    const QString& words = item.forms[form];
    item.box->setVisible(!words.isEmpty());
    if (item.text->text() != words)
        item.text->setText(words);
    const QString tip = form == 0 || item.tip.startsWith(item.forms[0]) ? item.tip : item.forms[0] + u'\n' + item.tip;
    item.box->setToolTip(tip.trimmed());
    item.text->setAccessibleDescription(tip.trimmed());
}

/// Whoever gives way takes its next shorter form, so that no text ends within a word: what is said elsewhere, too,
/// first, what warns last, and the device stays.
void StatusLine::arrange()
{
    Item* const all[] = {&m_file, &m_lineage, &m_device, &m_temperature, &m_clock, &m_queue, &m_noise, &m_overfitting,
        &m_isolation, &m_summary, &m_view};
    std::vector<Item*> order{&m_overfitting}; // Compare says it as well
    if (m_queue.warning)
        order.push_back(&m_queue); // why the run waits is said beside the menus, in full
    for (const bool warning : {false, true})
        for (Item* item : {&m_view, &m_summary, &m_isolation, &m_lineage, &m_queue, &m_noise, &m_file, &m_temperature,
                 &m_clock, &m_device})
            if (item->warning == warning)
                order.push_back(item);
    std::map<Item*, qsizetype> form;
    int room = width() - px(left) - px(right) - px(gap) - m_messages->sizeHint().width();
    for (Item* item : all)
        room -= widthOf(*item, form[item] = 0);
    for (std::size_t i = 0; i < order.size(); ++i) {
        Item* item = order[i];
        const bool comesAgain
            = item == &m_queue && m_queue.warning && i <= 1; // what it waits for stays as long as others can give way
        const qsizetype shortest = item->forms.size() - (comesAgain ? 2 : 1);
        for (qsizetype& now = form[item]; room < 0 && now < shortest; ++now)
            room += widthOf(*item, now) - widthOf(*item, now + 1);
    }
    for (Item* item : all) {
        const auto lacking = [&] { return std::max(wordsOf(*item, form[item]) - item->share, 0); };
        for (qsizetype& now = form[item]; lacking() > std::max(room, 0) && !item->forms.value(now + 1).isEmpty(); ++now)
            room += widthOf(*item, now) - widthOf(*item, now + 1); // a shorter form before one that is cut
        const int given = std::min(lacking(), std::max(room, 0));
        item->text->setMaximumWidth(item->share < QWIDGETSIZE_MAX ? item->share + given : QWIDGETSIZE_MAX);
        room -= given;
        show(*item, form[item]);
    }
}

void StatusLine::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    arrange();
}

void StatusLine::showClock(const Snapshot& snapshot)
{
    const double now = snapshot.status.telemetry ? snapshot.status.telemetry->mhz : 0;
    const auto drift = clockDriftOf(snapshot.run);
    QStringList forms;
    QString words = now > 0 ? u"%1 MHz"_s.arg(now, 0, 'f', 0) : QString();
    QString tip = clockTip();
    if (drift) {
        if (words.isEmpty())
            words = u"%1 MHz"_s.arg(drift->nowMhz, 0, 'f', 0);
        const QString share = signedPercent(1 + drift->share());
        forms = {tr("%1, drifted %2").arg(words, share), tr("drifted %1").arg(share)};
        tip = tr("The newest timings ran at %1 MHz, the first of the run at %2 MHz: scores from different times are "
                 "compared with wider intervals. The clock is observed, never set.")
                  .arg(drift->nowMhz, 0, 'f', 0)
                  .arg(drift->firstMhz, 0, 'f', 0);
    }
    if (!drift)
        forms = {words, QString()};
    set(m_clock, forms, drift.has_value(), tip);
}

void StatusLine::showNoise(const RunState& run)
{
    // That of the session: the device may have been measured by another one.
    const bool isHigh = isNoisy(run.noiseFloor);
    const auto drift = scoreDriftOf(run);
    QString tip = tr("Noise floor: 95th percentile of a program measured against itself");
    if (run.noiseFloor <= 0)
        tip += u'\n' + tr("Until it is measured, ± %1 is assumed").arg(percent(noiseMargin(0)));
    if (isHigh)
        tip += u'\n' + tr("Above %1 it hides small gains, which are shown as “within noise”").arg(percent(noisyFrom));
    const QString floor = percent(run.noiseFloor);
    QStringList forms = run.noiseFloor > 0
        ? QStringList{tr("noise floor ± %1").arg(floor), tr("noise ± %1").arg(floor)}
        : QStringList{tr("noise floor %1").arg(noiseNotYet(run)), tr("noise not measured yet"), QString()};
    if (drift) {
        const QString share = driftFigure(*drift);
        forms = {tr("%1, scores drifted %2").arg(forms.front(), share), tr("scores drifted %1").arg(share)};
        tip += u'\n' + tr("Scores drifted: %1").arg(driftWords(*drift)) + u'\n' + driftRemedy();
    }
    set(m_noise, forms, isHigh || drift, tip);
}

/// Candidates gain less on held-out shapes than on those that the search sees, by more than a verdict's margin.
void StatusLine::showOverfitting(const RunState& run)
{
    if (m_judged == run.evaluations.size())
        return; // nothing else changes it
    m_judged = run.evaluations.size();
    const HeldoutGaps all = overfittingOf(run).all;
    if (!all.isClear(run.noiseFloor))
        return set(m_overfitting, {});
    const QString gap = signedPercent(all.mean->value);
    set(m_overfitting, {tr("overfitting: held-out %1").arg(gap), tr("held-out %1").arg(gap), {}}, true,
        asSentence(text(overfittingWords(all))) + u'\n' + tr("Compare (Ctrl+6) shows it by island and by proposer"));
}

void StatusLine::showFile(const EngineStatus& status)
{
    const QString file = QFileInfo(text(status.sessionPath)).fileName();
    const bool isForeign = status.readOnly && !status.opening;
    const QString state = isForeign ? tr("read-only") : status.unsaved ? tr("not saved") : QString();
    QStringList forms;
    if (!state.isEmpty())
        forms = {tr("%1 · %2").arg(file, state), state};
    else if (!status.savedAtUtc.empty())
        forms = {tr("%1 · saved %2").arg(file, clockTime(status.savedAtUtc)), file};
    else
        forms = {file};
    set(m_file, forms, !state.isEmpty(), text(status.sessionPath));
}

void StatusLine::showLineage(const GitLineage& lineage)
{
    const QString place = tr("Lineage in git: %1").arg(lineage.folder());
    if (!lineage.isOn())
        set(m_lineage, {});
    else if (const auto& failure = lineage.failure())
        set(m_lineage, {tr("git: not written"), tr("git")}, true,
            place + u'\n' + asSentence(text(failure->text)) + u'\n' + asSentence(lineageHint(*failure)));
    else if (const auto& report = lineage.report()) {
        const std::int64_t commits = report->admitted + report->kept;
        set(m_lineage, {counted(commits, tr("git: %1 commit"), tr("git: %1 commits")), tr("git"), QString()}, false,
            place + u'\n'
                + tr("%1 commits of admitted candidates, %2 of others, up to event %3")
                      .arg(grouped(report->admitted), grouped(report->kept), grouped(report->seq)));
    } else
        set(m_lineage, {tr("git: writing"), tr("git"), QString()}, false, place);
    arrange();
}

namespace {

/// Edits, and words on candidates, that a user steering requests for and that nobody was asked for yet.
std::int64_t requestedFor(const RunState& run)
{
    std::int64_t all = 0;
    for (const SteeringRequest& steering : run.steeringRequests)
        if (steering.isOpen())
            all += leftOf(steering);
    return all;
}

/// What it waits for, where there is no room for why.
QString shortWait(const EngineStatus& status)
{
    const std::string& code = status.waitingCode;
    return code == "reviews"     ? StatusLine::tr("waiting for your review")
        : code == "replies"      ? StatusLine::tr("waiting for replies")
        : code == "node/lost"    ? StatusLine::tr("waiting for the node")
        : code == "device/taken" ? StatusLine::tr("waiting for the device")
                                 : StatusLine::tr("waiting for the machine");
}

} // namespace

void StatusLine::showQueue(const EngineStatus& status, const RunState& run)
{
    QStringList queue;
    int under = run.waitingReviews;
    // While the run rests, what was approved meanwhile is in no pipeline yet.
    const bool rests = status.sessionOpen && !status.readOnly && status.phase != events::Phase::Running;
    const int busy = status.building + status.checking + status.measuring;
    const int waiting
        = rests && status.queued > 0 ? std::max(static_cast<int>(leftOver(run)) - busy, status.queued) : status.queued;
    const std::pair<int, QString> stages[] = {{status.proposing, tr("proposing")}, {waiting, tr("waiting")},
        {status.building, tr("building")}, {status.checking, tr("checking")}, {status.measuring, tr("measuring")}};
    for (const auto& [count, name] : stages)
        if (count > 0) {
            queue << u"%1 %2"_s.arg(count).arg(name);
            under += count;
        }
    if (const std::int64_t requested = requestedFor(run); requested > 0)
        queue << tr("%1 requested").arg(grouped(requested));
    if (run.waitingReviews > 0)
        queue << tr("%1 in review").arg(run.waitingReviews);
    m_queue.share = status.waiting.empty() ? px(widest) : QWIDGETSIZE_MAX; // why it waits, in full
    if (!status.waiting.empty())
        set(m_queue, {text(status.waiting), shortWait(status), tr("waiting")}, true,
            status.waitingCode == "reviews" ? text(status.waiting) + u'\n'
                    + tr("What to do: decide on them under Review (Ctrl+3), or change the review policy there.")
                                            : text(status.waiting));
    else if (queue.isEmpty())
        showRest(status, run);
    else
        set(m_queue, {tr("queue: %1").arg(queue.join(u", "_s)), tr("queue: %1").arg(under)}, false,
            tr("Unfinished candidates by stage"));
}

/// Nothing is under way: whether there is nothing more, or the run left candidates where they were.
void StatusLine::showRest(const EngineStatus& status, const RunState& run)
{
    if (isRunElsewhere(status))
        return set(m_queue, {tr("queue unknown"), QString()}, false,
            tr("The session is open read-only and was running: its in-flight work is unknown"));
    const bool rests = status.sessionOpen && status.phase != events::Phase::Running;
    const std::int64_t left = rests ? leftOver(run) : 0;
    if (left == 0)
        return set(m_queue, {tr("queue empty"), QString()}, false, tr("Unfinished candidates by stage"));
    const QString words = counted(left, tr("%1 unfinished"), tr("%1 unfinished"));
    set(m_queue, {words, QString()}, false, tr("Unfinished candidates (idle while the run is paused)"));
}

void StatusLine::showSummary(const Snapshot& snapshot)
{
    const EngineStatus& status = snapshot.status;
    const RunState& run = snapshot.run;
    if (status.opening)
        return set(m_summary, {tr("reading the session: %1 %").arg(std::floor(*status.opening * 100), 0, 'f', 0)});
    QStringList summary;
    summary << (isRunElsewhere(status) ? tr("running when it was opened")
                                       : activityWords(activityOf(snapshot)).toLower());
    const QString phase = summary.first();
    if (status.pausing)
        summary << tr("In-flight work is finished first; Shift+F6 cancels it");
    const bool hasRate = status.evaluationsPerMinute > 0 && status.phase == events::Phase::Running;
    const QString rate = QString::number(status.evaluationsPerMinute, 'f', 1);
    const bool isWhole = status.rateNs >= EngineStatus::longestRateNs;
    if (hasRate)
        summary << (isWhole ? tr("%1 evaluations/min over the last minute").arg(rate)
                            : tr("%1 evaluations/min over %2").arg(rate, duration(status.rateNs)));
    if (!run.phaseReason.empty() && status.phase != events::Phase::Running)
        summary << text(run.phaseReason);
    if (summary.size() > 1 && summary.last().startsWith(summary.first())) // "paused by user" says it all
        summary.removeFirst();
    QStringList forms{summary.join(u" · "_s)};
    if (hasRate)
        forms << (isWhole ? tr("%1 · %2/min, last minute").arg(phase, rate)
                          : tr("%1 · %2/min, over %3").arg(phase, rate, duration(status.rateNs)));
    forms << phase;
    set(m_summary, forms, false,
        hasRate ? tr("Evaluations that ended in the last minute of running time, or since the run was opened if that "
                     "is shorter; waits for a user do not count")
                : tr("State of the run"));
}

void StatusLine::refresh()
{
    const Snapshot& snapshot = m_context.session.snapshot();
    const EngineStatus& status = snapshot.status;
    const RunState& run = snapshot.run;
    if (!status.sessionOpen) {
        set(m_file, {tr("no session file")});
        for (Item* item : {&m_lineage, &m_device, &m_temperature, &m_clock, &m_queue, &m_noise, &m_overfitting,
                 &m_isolation, &m_summary, &m_view})
            set(*item, {});
        m_judged.reset();
        return arrange();
    }
    showFile(status);
    QString device = text(status.deviceName.empty() ? run.device : status.deviceName);
    if (!run.otherDevices.empty())
        device = tr("%1 × %2").arg(run.otherDevices.size() + 1).arg(device);
    if (device.isEmpty())
        set(m_device, {tr("no device yet")});
    else if (!status.deviceName.empty())
        set(m_device, {device});
    else
        set(m_device, {tr("%1, not connected").arg(device), device});
    const bool warmth = status.telemetry && status.telemetry->temperature;
    set(m_temperature,
        warmth ? QStringList{u"%1 °C"_s.arg(*status.telemetry->temperature, 0, 'f', 0), QString()} : QStringList());
    showClock(snapshot);
    showQueue(status, run);
    showNoise(run);
    showOverfitting(run);
    std::string isolation = status.isolation;
    if (isolation.empty() && run.deviceFacts.is_object())
        isolation = run.deviceFacts.value("isolation", "");
    const bool isReduced = isolation == "reduced";
    set(m_isolation,
        isolation.empty()
            ? QStringList()
            : QStringList{tr("isolation: %1").arg(text(isolation)), isReduced ? text(isolation) : QString()},
        isReduced);
    showSummary(snapshot);
    set(m_view, {m_viewed, QString()});
    arrange();
}

} // namespace tilewright::ui
